//! The table of a round file: its rulebook, settings, money terms and players.

use std::collections::{BTreeMap, BTreeSet};

use croupier_rules::clause::Basis;
use croupier_rules::entry::{check_chips, check_limits, check_step};
use croupier_rules::money::Rounding;
use croupier_rules::rulebook::Layout;
use croupier_rules::setting::{Setting, Values};
use croupier_rules::settle::{Payable, Terms, Wager};
use croupier_rules::{Amount, Game, Odds, Rule, Rulebook};

use super::{Done, Log};
use crate::amount::{MINOR, parse_positive};
use crate::event::{Fact, Refusal, terms_text};
use crate::file::Action;

/// The seat of those who stand: behind every other.
const STANDING: u8 = u8::MAX;

/// What holds for all rounds of the file.
pub(super) struct Table<'g> {
    pub(super) rulebook: &'g Rulebook,
    pub(super) game: &'g Game,
    pub(super) terms: Terms,
    pub(super) decks: u8,
    pub(super) boxes: u8,
    /// Wagers outside the limits are taken and settled by the limit rules.
    pub(super) accepts_outside_limits: bool,
    layout: Option<&'g Layout>,
    /// How many seats there are, where the layout leaves a choice.
    seats: Option<u8>,
    payable_unit: Option<Amount>,
    rounding: Option<Rounding>,
    insurance_on: bool,
    several_boxes: bool,
    /// Players by name: their number and seat.
    players: BTreeMap<String, (u32, u8)>,
    /// Who had a wager below the minimum settled.
    pub(super) warned: BTreeSet<u32>,
    open: bool,
}

impl<'g> Table<'g> {
    pub(super) fn new(rulebook: &'g Rulebook, game: &'g Game) -> Self {
        let default = |setting| rulebook.setting(setting).and_then(|spec| spec.default.as_deref());
        let number =
            |setting, fallback| default(setting).and_then(|text| text.parse().ok()).unwrap_or(fallback);
        let mut terms = Terms::open(game.bets.len());
        terms.chip = Amount::new(MINOR).unwrap_or(terms.chip);
        Self {
            rulebook,
            game,
            terms,
            decks: number(Setting::Decks, 8),
            boxes: number(Setting::Boxes, 7),
            accepts_outside_limits: false,
            layout: None,
            seats: None,
            payable_unit: None,
            rounding: None,
            insurance_on: default(Setting::Insurance) == Some("on"),
            several_boxes: default(Setting::SeveralBoxes) == Some("yes"),
            players: BTreeMap::new(),
            warned: BTreeSet::new(),
            open: false,
        }
    }

    /// Does an action that concerns the table as a whole; nothing if it belongs to a round.
    pub(super) fn act(&mut self, log: &mut Log<'_>, action: &Action) -> Option<Done> {
        Some(match action {
            Action::Title(_) | Action::Proves(_) => Ok(()),
            Action::Game(_) => {
                let variant = self.game.variant.iter().flat_map(|variant| &variant.cites);
                let cites = self.game.cites(Rule::Identity).iter().chain(variant);
                log.note(Fact::Opened, cites.copied().collect());
                Ok(())
            }
            Action::Layout(id) => self.lay_out(log, id),
            Action::Setting { key, scope, value } => self.set(log, key, scope.as_deref(), value),
            Action::Player { name, seat } => self.seat(log, name, *seat),
            Action::Round
            | Action::Bet { .. }
            | Action::Insure { .. }
            | Action::Cards(_)
            | Action::ShoeEmpty
            | Action::NewShoe
            | Action::Hand { .. }
            | Action::Call(_) => return None,
        })
    }

    /// The first round: from now on the settings stand, if they fit together.
    pub(super) fn begin(&mut self) -> Done {
        self.open = true;
        self.terms.payable = match (self.payable_unit, self.rounding) {
            (Some(unit), Some(rounding)) => Some(Payable { unit, rounding }),
            (None, None) => None,
            (Some(_), None) => {
                let missing = "a payable unit needs a rounding: `setting rounding down|nearest|up`";
                return Err((Refusal::Setting(missing.to_string()), Vec::new()));
            }
            (None, Some(_)) => {
                let missing = "a rounding needs a unit: `setting payable-unit AMOUNT`";
                return Err((Refusal::Setting(missing.to_string()), Vec::new()));
            }
        };
        match self.terms.check().first() {
            None => Ok(()),
            Some(fault) => Err((Refusal::Setting(terms_text(fault)), Vec::new())),
        }
    }

    /// Whether insurance is offered here.
    pub(super) fn insures(&self) -> bool {
        self.insurance_on && self.layout.is_none_or(|layout| layout.insurance)
    }

    /// Whether a stake keeps the limits, with what a refusal rests on.
    pub(super) fn check_limits(&self, place: usize, stake: Amount) -> Result<(), (Refusal, Vec<Basis>)> {
        check_limits(self.game, &self.terms, place, stake)
            .map_err(|(refusal, cites)| (Refusal::Entry(refusal), cites))
    }

    /// Whether a stake can be laid in this table's chips and steps; no table takes another.
    pub(super) fn check_chips(&self, place: usize, stake: Amount, whole: Amount) -> Done {
        let rests_on = |mut cites: Vec<Basis>, setting| {
            cites.extend(self.rulebook.setting(setting).iter().flat_map(|spec| &spec.cites));
            cites
        };
        check_chips(self.game, &self.terms, stake)
            .map_err(|(refusal, cites)| (Refusal::Entry(refusal), rests_on(cites, Setting::Chip)))?;
        check_step(self.game, &self.terms, place, whole)
            .map_err(|(refusal, cites)| (Refusal::Entry(refusal), rests_on(cites, Setting::WagerStep)))
    }

    /// Remembers a player whose wager below the minimum was settled.
    pub(super) fn note_small(&mut self, wager: &Wager) {
        let minimum = self.terms.limit(wager.bet).minimum;
        if minimum.is_some_and(|minimum| wager.stake < minimum) {
            self.warned.insert(wager.player);
        }
    }

    /// Whether one player may take several boxes.
    pub(super) fn several_boxes(&self) -> bool {
        self.several_boxes
    }

    /// The number and seat of a player; who was given no seat stands behind the table.
    pub(super) fn player(&mut self, name: &str) -> (u32, u8) {
        if let Some(known) = self.players.get(name) {
            return *known;
        }
        let number = u32::try_from(self.players.len()).unwrap_or(u32::MAX);
        let seat = STANDING;
        self.players.insert(name.to_string(), (number, seat));
        (number, seat)
    }

    /// The name of a player.
    pub(super) fn name(&self, number: u32) -> &str {
        self.players.iter().find(|(_, (known, _))| *known == number).map_or("?", |(name, _)| name)
    }

    fn seat(&mut self, log: &mut Log<'_>, name: &str, seat: u8) -> Done {
        if let Some((other, _)) =
            self.players.iter().find(|(known, (_, taken))| *taken == seat && *known != name)
        {
            return Err((Refusal::Setting(format!("seat {seat} is taken by `{other}`")), Vec::new()));
        }
        let most = self.seats.or(self.layout.map(|layout| layout.seats.1)).unwrap_or(u8::MAX);
        if seat > most {
            let cites = self.layout.map(|layout| layout.cites.clone()).unwrap_or_default();
            return Err((Refusal::Setting(format!("the table has {most} seats")), cites));
        }
        let (number, _) = self.player(name);
        self.players.insert(name.to_string(), (number, seat));
        log.note(Fact::Set, Vec::new());
        Ok(())
    }

    fn lay_out(&mut self, log: &mut Log<'_>, id: &str) -> Done {
        let rests_on = self.game.cites(Rule::Layout);
        if self.open {
            return Err((
                Refusal::Layout("the layout stands before the first round".to_string()),
                rests_on.to_vec(),
            ));
        }
        let refuse = |message: String| Err((Refusal::Layout(message), rests_on.to_vec()));
        let Some(layout) = self.rulebook.layout(id) else {
            let known: Vec<&str> = self.rulebook.layouts.iter().map(|layout| layout.id.as_str()).collect();
            return refuse(format!("there is no layout `{id}`; there are {}", known.join(", ")));
        };
        let variant = self.game.variant.as_ref().map(|variant| &variant.id);
        if layout.variant.is_some() && layout.variant.as_ref() != variant {
            let printed = layout.variant.as_deref().unwrap_or_default();
            return refuse(format!(
                "layout `{id}` is printed for `{printed}`; this game is {}",
                self.game.id
            ));
        }
        let refuse_seats = |message: String| {
            Err((Refusal::Layout(message), rests_on.iter().chain(&layout.cites).copied().collect()))
        };
        if let Some(seats) = self.seats.filter(|seats| !(layout.seats.0..=layout.seats.1).contains(seats)) {
            let (low, high) = layout.seats;
            return refuse_seats(format!("layout `{id}` has {low} to {high} seats, not {seats}"));
        }
        let seated = self.players.iter().filter(|(_, (_, seat))| *seat != STANDING);
        if let Some((name, (_, seat))) = seated.into_iter().find(|(_, (_, seat))| *seat > layout.seats.1) {
            return refuse_seats(format!(
                "layout `{id}` has {} seats, and `{name}` sits at {seat}",
                layout.seats.1
            ));
        }
        self.layout = Some(layout);
        log.note(Fact::Set, rests_on.iter().chain(&layout.cites).copied().collect());
        Ok(())
    }

    fn set(&mut self, log: &mut Log<'_>, key: &str, scope: Option<&str>, value: &str) -> Done {
        let refuse = |message: String, cites: &[Basis]| Err((Refusal::Setting(message), cites.to_vec()));
        let setting = key.parse::<Setting>().ok();
        let Some(spec) = setting.and_then(|setting| self.rulebook.setting(setting)) else {
            let known: Vec<&str> = self.rulebook.settings.iter().map(|spec| spec.setting.key()).collect();
            return refuse(
                format!("{} has no setting `{key}`; it has {}", self.rulebook.id, known.join(", ")),
                &[],
            );
        };
        if self.open {
            return refuse("settings stand before the first round".to_string(), &spec.cites);
        }
        if spec.setting == Setting::Layout {
            return self.lay_out(log, value);
        }
        if let (Setting::Seats, Some(layout), Ok(seats)) = (spec.setting, self.layout, value.parse::<u8>())
            && !(layout.seats.0..=layout.seats.1).contains(&seats)
        {
            let (low, high) = layout.seats;
            return refuse(
                format!("layout `{}` has {low} to {high} seats, not {seats}", layout.id),
                &layout.cites,
            );
        }
        match self.take_over(spec.setting, spec.range, scope, value) {
            Ok(()) => {
                log.note(Fact::Set, spec.cites.clone());
                Ok(())
            }
            Err(accepted) => {
                refuse(format!("`{key}` cannot be `{value}`; accepted: {accepted}"), &spec.cites)
            }
        }
    }

    /// Takes a value over; the error says what would be accepted.
    fn take_over(
        &mut self,
        setting: Setting,
        range: Option<(u32, u32)>,
        scope: Option<&str>,
        value: &str,
    ) -> Result<(), String> {
        let money = || parse_positive(value).map_err(|error| format!("an amount, but this {error}"));
        let unscoped = || scope.map_or(Ok(()), |_| Err("one value for the whole table".to_string()));
        match setting.values() {
            Values::Count => {
                unscoped()?;
                let (low, high) = range.unwrap_or((0, u32::MAX));
                let number = value.parse().ok().filter(|number| (low..=high).contains(number));
                let number: u32 = number.ok_or_else(|| format!("a number from {low} to {high}"))?;
                let small = u8::try_from(number).unwrap_or(u8::MAX);
                match setting {
                    Setting::Decks => self.decks = small,
                    Setting::Boxes => self.boxes = small,
                    Setting::Seats => self.seats = Some(small),
                    _ => {}
                }
            }
            Values::Money => {
                unscoped()?;
                let amount = money()?;
                match setting {
                    Setting::Chip => self.terms.chip = amount,
                    Setting::Differential => self.terms.differential = Some(amount),
                    Setting::InsuranceMinimum => self.terms.insurance_minimum = Some(amount),
                    Setting::PayableUnit => self.payable_unit = Some(amount),
                    _ => {}
                }
            }
            Values::MoneyPerBet => self.set_limit(setting, scope, money()?)?,
            Values::MoneyPerOdds => {
                let odds: Odds = scope
                    .and_then(|odds| odds.parse().ok())
                    .ok_or_else(|| format!("odds and an amount, as `setting {setting} 3:1 500`"))?;
                self.terms.insurance_limits.retain(|(known, _)| *known != odds);
                self.terms.insurance_limits.push((odds, money()?));
            }
            Values::OneOf(words) => {
                unscoped()?;
                if !words.contains(&value) {
                    return Err(words.join(", "));
                }
                self.choose(setting, value);
            }
            Values::Name => unscoped()?,
        }
        Ok(())
    }

    fn set_limit(&mut self, setting: Setting, scope: Option<&str>, amount: Amount) -> Result<(), String> {
        let place = scope
            .map(|bet| {
                let menu = || self.game.bets.iter().map(|bet| bet.id.as_str()).collect::<Vec<_>>().join(", ");
                self.game.bet_index(bet).ok_or_else(|| format!("a bet of this game: {}", menu()))
            })
            .transpose()?;
        for (at, limit) in self.terms.limits.iter_mut().enumerate() {
            if place.is_some_and(|place| place != at) {
                continue;
            }
            match setting {
                Setting::Minimum => limit.minimum = Some(amount),
                Setting::Maximum => limit.maximum = Some(amount),
                Setting::WagerStep => limit.step = Some(amount),
                _ => {}
            }
        }
        Ok(())
    }

    fn choose(&mut self, setting: Setting, value: &str) {
        match (setting, value) {
            (Setting::LimitsAtEntry, _) => self.accepts_outside_limits = value == "accept",
            (Setting::Insurance, _) => self.insurance_on = value == "on",
            (Setting::SeveralBoxes, _) => self.several_boxes = value == "yes",
            (Setting::SmallWagerMakesRoom, _) => self.terms.small_wager_makes_room = value == "yes",
            (Setting::BonusRequiresMain, _) => self.terms.bonus_requires_main = value == "yes",
            (Setting::Rounding, "none") => self.rounding = None,
            (Setting::Rounding, "down") => self.rounding = Some(Rounding::Down),
            (Setting::Rounding, "nearest") => self.rounding = Some(Rounding::Nearest),
            (Setting::Rounding, _) => self.rounding = Some(Rounding::Up),
            _ => {}
        }
    }
}
