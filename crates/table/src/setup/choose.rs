//! From an opening to a setup, with everything that is wrong on the way.

use std::sync::Arc;

use croupier_rules::baccarat::Burn;
use croupier_rules::clause::Basis;
use croupier_rules::money::Rounding;
use croupier_rules::names::hint;
use croupier_rules::setting::{Setting, SettingSpec, Values};
use croupier_rules::settle::{Payable, Terms};
use croupier_rules::{Amount, Game, Odds, Rule, Rulebook, date};

use super::{
    Allocation, Chosen, Concern, Controls, Lapse, Method, Opening, Setup, SetupFault, ShoeVote, Value,
    WarnedFor, WhenAbsent, WhenBlocked,
};
use crate::actor::Rank;
use crate::cover::Cover;

/// Collects faults and answers what was chosen.
struct Chooser<'a> {
    rulebook: &'a Rulebook,
    opening: &'a Opening,
    faults: Vec<SetupFault>,
}

pub(super) fn setup(rulebook: &Arc<Rulebook>, opening: &Opening) -> Result<Setup, Vec<SetupFault>> {
    let mut chooser = Chooser { rulebook, opening, faults: Vec::new() };
    let game = rulebook.games.iter().position(|game| game.id == opening.game);
    let Some(at) = game else {
        let known: Vec<&str> = rulebook.games.iter().map(|game| game.id.as_str()).collect();
        let hint = hint(&opening.game, known);
        chooser.fault(Concern::Game, format!("{} has no game `{}`; {hint}", rulebook.id, opening.game), &[]);
        return Err(chooser.faults);
    };
    chooser.in_force(at);
    chooser.known(at);
    let layout = chooser.layout(at);
    let seats = chooser.seats(layout);
    let terms = chooser.terms(at);
    let game = &rulebook.games[at];
    if rulebook.setting(Setting::SchedulePosted).is_some()
        && chooser.word(Setting::SchedulePosted).as_deref() == Some("no")
    {
        let cites = game.cites(Rule::SchedulePosted).to_vec();
        let message = "the pay schedule must be posted at the table or printed on its layout".to_string();
        chooser.fault(Setting::SchedulePosted, message, &cites);
    }
    if chooser.word(Setting::BurnBy).as_deref() == Some(Burn::FIRST_CARD) {
        let cites = rulebook.setting(Setting::BurnBy).map(|spec| spec.cites.clone()).unwrap_or_default();
        let message =
            "tables burn a number of cards: choose `number` and say how many with `burn`".to_string();
        chooser.fault(Setting::BurnBy, message, &cites);
    }
    let method = chooser
        .word(Setting::Method)
        .and_then(|word| Method::ALL.into_iter().find(|method| method.key() == word));
    let yes = |chooser: &mut Chooser<'_>, setting, word: &str| chooser.word(setting).as_deref() == Some(word);
    let residual = chooser.residual();
    let area = chooser.word(Setting::Area);
    let high_limit_area = area.is_some_and(|area| rulebook.is_high_limit(&area));
    let device_reads = !yes(&mut chooser, Setting::Device, "plain");
    chooser.method_fits(game.cites(Rule::PlayerDrawsCards), method, high_limit_area, device_reads);
    let insured_layout = layout.and_then(|at| rulebook.layouts.get(at)).is_none_or(|layout| layout.insurance);
    let commission_at_shoe_end = yes(&mut chooser, Setting::CommissionCollection, "end-of-shoe");
    let Some(cover) = Cover::of(rulebook.family, game, commission_at_shoe_end) else {
        let message = format!(
            "the pays of {} have no common denominator below 2^63, so that the float cannot be counted against \
             them; use odds and parts with smaller or related denominators",
            game.id
        );
        chooser.fault(Concern::Game, message, &[]);
        return Err(chooser.faults);
    };
    let setup = Setup {
        game: at,
        layout,
        seats,
        decks: chooser.small(Setting::Decks).unwrap_or(1),
        // A rulebook of before the setting had two.
        alternates: rulebook.family.deck_per_round() && !yes(&mut chooser, Setting::DeckSets, "one"),
        burn: chooser.small(Setting::Burn).unwrap_or(0),
        cut_card: chooser.count(Setting::CutCard).and_then(|count| u16::try_from(count).ok()),
        rounds_after_cut_card: chooser.small(Setting::RoundsAfterCutCard).unwrap_or(1),
        method,
        device_reads,
        high_limit_area,
        squeeze: yes(&mut chooser, Setting::Squeeze, "on"),
        allocation: match chooser.word(Setting::SqueezeAllocation).as_deref() {
            Some("per-hand-highest") => Allocation::PerHandHighest,
            _ => Allocation::TableHighest,
        },
        wagers_per_area: chooser.small(Setting::WagersPerArea),
        accepts_outside_limits: yes(&mut chooser, Setting::LimitsAtEntry, "accept"),
        insurance: game.insurance.is_some() && insured_layout && yes(&mut chooser, Setting::Insurance, "on"),
        lapse: match chooser.word(Setting::InsuranceLapse).as_deref() {
            Some("window") => Lapse::Window,
            _ => Lapse::Round,
        },
        betting_seconds: chooser.count(Setting::BettingSeconds).unwrap_or(30),
        option_seconds: chooser.count(Setting::OptionSeconds).unwrap_or(30),
        insurance_seconds: chooser.count(Setting::InsuranceSeconds).unwrap_or(15),
        warned_for: match chooser.word(Setting::BelowMinimumScope).as_deref() {
            Some("shoe") => WarnedFor::Shoe,
            _ => WarnedFor::GamingDay,
        },
        shoe_vote: match chooser.word(Setting::NoBurnChoice).as_deref() {
            Some("majority") => ShoeVote::Majority,
            _ => ShoeVote::AnyReplace,
        },
        refers_unseen_surplus: yes(&mut chooser, Setting::UnexposedSurplusBankerCard, "refer"),
        residual,
        acting_ranks: !game.cites(Rule::ActingRank).is_empty()
            || yes(&mut chooser, Setting::ActingRanks, "on"),
        device_clockwise: yes(&mut chooser, Setting::DeviceHolderOrder, "clockwise"),
        several_boxes: yes(&mut chooser, Setting::SeveralBoxes, "yes"),
        from_dealer_right: yes(&mut chooser, Setting::BoxOrder, "from-dealer-right"),
        one_by_one: yes(&mut chooser, Setting::DealPattern, "one-by-one"),
        commission_at_shoe_end,
        when_blocked: match chooser.word(Setting::DifferentialBlocks).as_deref() {
            Some("deal") => WhenBlocked::Deal,
            Some("return-newest") => WhenBlocked::ReturnNewest,
            _ => WhenBlocked::Wait,
        },
        when_absent: match chooser.word(Setting::RankAbsent).as_deref() {
            Some("first-ruling") => WhenAbsent::FirstRuling,
            Some("void") => WhenAbsent::Void,
            _ => WhenAbsent::Wait,
        },
        controls: chooser.controls(),
        cover,
        terms,
        rulebook: Arc::clone(rulebook),
    };
    if chooser.faults.is_empty() { Ok(setup) } else { Err(chooser.faults) }
}

impl Chooser<'_> {
    fn fault(&mut self, about: impl Into<Concern>, message: String, cites: &[Basis]) {
        self.faults.push(SetupFault { about: about.into(), message, cites: cites.to_vec() });
    }

    /// The version the operator means is the one in force that day.
    fn in_force(&mut self, game: usize) {
        let cites = self.rulebook.games[game].cites(Rule::InForce).to_vec();
        if let Some(version) =
            self.opening.version.as_ref().filter(|version| **version != self.rulebook.version)
        {
            let message =
                format!("version {version} is not in force; the rulebook is {}", self.rulebook.version);
            self.fault(Concern::Version, message, &cites);
        }
        if let Some(date) = &self.opening.date
            && let Err(fault) = date::check(date)
        {
            self.fault(Concern::Date, format!("`{date}` {fault}"), &[]);
            return;
        }
        // Dates of this form compare as text.
        if let (Some(date), Some(effective)) = (&self.opening.date, &self.rulebook.effective)
            && date < effective
        {
            let message = format!("{} is in force from {effective}, not on {date}", self.rulebook.version);
            self.fault(Concern::Date, message, &cites);
        }
    }

    /// Every setting is one of the rulebook's, and its value fits; every one without a default is there.
    fn known(&mut self, game: usize) {
        let game = &self.rulebook.games[game];
        for chosen in &self.opening.settings {
            let Some(spec) = self.rulebook.setting(chosen.setting) else {
                let known: Vec<&str> = self.rulebook.settings.iter().map(|spec| spec.setting.key()).collect();
                let hint = hint(chosen.setting.key(), known);
                let message = format!("{} has no setting `{}`; {hint}", self.rulebook.id, chosen.setting);
                self.fault(chosen.setting, message, &[]);
                continue;
            };
            if let Some(accepted) = misfit(self.rulebook, spec, chosen) {
                let message = format!("`{}` cannot be `{}`; {accepted}", chosen.setting, show(&chosen.value));
                self.fault(chosen.setting, message, &spec.cites);
            }
            if let Some(unpaid) = chosen.odds.and_then(|odds| unpaid(game, odds)) {
                self.fault(chosen.setting, format!("`{}`: {unpaid}", chosen.setting), &spec.cites);
            }
        }
        for spec in &self.rulebook.settings {
            let optional = matches!(
                spec.setting,
                Setting::WagerStep
                    | Setting::PayableUnit
                    | Setting::InsuranceLimit
                    | Setting::InsuranceMinimum
                    | Setting::Seats
            );
            // A rulebook without layouts has none to choose.
            let none_there = spec.setting == Setting::Layout && self.rulebook.layouts.is_empty();
            let chosen = self.opening.settings.iter().any(|chosen| chosen.setting == spec.setting);
            if !(optional || none_there || chosen || spec.default.is_some()) {
                let message = format!("`{}` must be set: {}", spec.setting, spec.setting.says());
                self.fault(spec.setting, message, &spec.cites);
            }
        }
    }

    /// The value of a setting: chosen, or the rulebook's default.
    fn value(&self, setting: Setting) -> Option<Value> {
        let chosen = self.opening.settings.iter().rev().find(|chosen| chosen.setting == setting);
        let default = || {
            let text = self.rulebook.setting(setting)?.default.clone()?;
            Some(match text.parse() {
                Ok(number) => Value::Count(number),
                Err(_) => Value::Word(text),
            })
        };
        chosen.map(|chosen| chosen.value.clone()).or_else(default)
    }

    fn word(&mut self, setting: Setting) -> Option<String> {
        match self.value(setting)? {
            Value::Word(word) => Some(word),
            Value::Count(count) => Some(count.to_string()),
            Value::Money(_) => None,
        }
    }

    fn count(&mut self, setting: Setting) -> Option<u32> {
        match self.value(setting)? {
            Value::Count(count) => Some(count),
            Value::Money(_) | Value::Word(_) => None,
        }
    }

    /// A number that a table can count to; one above it is a fault, whatever range the rulebook gives.
    fn small(&mut self, setting: Setting) -> Option<u8> {
        let count = self.count(setting)?;
        let fits = u8::try_from(count).ok();
        // Outside the rulebook's range it is a fault already.
        let is_known = self.faults.iter().any(|fault| fault.setting() == Some(setting));
        if fits.is_none() && !is_known {
            let message = format!("`{setting}` cannot be `{count}`; accepted: a number up to {}", u8::MAX);
            self.fault(setting, message, &[]);
        }
        fits
    }

    fn layout(&mut self, game: usize) -> Option<usize> {
        let word = self.word(Setting::Layout)?;
        let game = &self.rulebook.games[game];
        let cites = game.cites(Rule::Layout).to_vec();
        let Some(at) = self.rulebook.layouts.iter().position(|layout| layout.id == word) else {
            let known: Vec<&str> = self.rulebook.layouts.iter().map(|layout| layout.id.as_str()).collect();
            let message = format!("there is no layout `{word}`; there are {}", known.join(", "));
            self.fault(Setting::Layout, message, &cites);
            return None;
        };
        let layout = &self.rulebook.layouts[at];
        let variant = game.variant.as_ref().map(|variant| &variant.id);
        if layout.variant.is_some() && layout.variant.as_ref() != variant {
            let printed = layout.variant.as_deref().unwrap_or_default();
            let message = format!("layout `{word}` is printed for `{printed}`; this game is {}", game.id);
            self.fault(Setting::Layout, message, &cites);
        }
        Some(at)
    }

    /// Seats follow from the layout; where it leaves a choice they are set.
    fn seats(&mut self, layout: Option<usize>) -> u8 {
        let setting = crate::family::places_setting(self.rulebook.family);
        let chosen = self.small(setting);
        let Some(layout) = layout.and_then(|at| self.rulebook.layouts.get(at)) else {
            return chosen.unwrap_or(7);
        };
        let (low, high) = layout.seats;
        let seats = chosen.unwrap_or(high);
        if !(low..=high).contains(&seats) {
            let cites: Vec<Basis> = layout.cites.clone();
            let message = format!("layout `{}` has {low} to {high} seats, not {seats}", layout.id);
            self.fault(setting, message, &cites);
        }
        seats
    }

    fn method_fits(&mut self, cites: &[Basis], method: Option<Method>, high_limit: bool, reads: bool) {
        if method != Some(Method::C) {
            return;
        }
        if !high_limit {
            let cites =
                self.rulebook.power(croupier_rules::Power::ChooseMethodC).map(|rule| rule.cites.clone());
            let message = "method C is for the high-limit areas".to_string();
            self.fault(Setting::Method, message, &cites.unwrap_or_default());
        }
        if !reads {
            let message = "method C needs a device that reads the cards".to_string();
            self.fault(Setting::Method, message, cites);
        }
    }

    fn residual(&mut self) -> Option<Rank> {
        let word = self.word(Setting::ResidualAuthority)?;
        self.rulebook.rank(&word).map(Rank)
    }

    fn controls(&mut self) -> Controls {
        let chosen = &self.opening.controls;
        let second_person = chosen.second_person.as_ref().and_then(|id| match self.rulebook.rank(id) {
            Some(rank) => Some(Rank(rank)),
            None => {
                let ranks = self.rulebook.ranks.iter().map(|rank| rank.id.as_str());
                let message = format!("there is no rank `{id}` for a second person; {}", hint(id, ranks));
                self.faults.push(SetupFault { about: Concern::Controls, message, cites: Vec::new() });
                None
            }
        });
        Controls { second_person, house_reads: chosen.house_reads }
    }

    fn terms(&mut self, game: usize) -> Terms {
        let game = &self.rulebook.games[game];
        let mut terms = Terms::open(game.bets.len());
        let (mut unit, mut rounding) = (None, None);
        for chosen in &self.opening.settings {
            let place = chosen.bet.as_ref().and_then(|bet| game.bet_index(bet));
            if let (Some(bet), None) = (&chosen.bet, place) {
                let hint = hint(bet, game.bets.iter().map(|bet| bet.id.as_str()));
                self.fault(chosen.setting, format!("`{bet}` is not a bet of this game; {hint}"), &[]);
                continue;
            }
            if let Value::Money(amount) = chosen.value {
                money(&mut terms, &mut unit, chosen, place, amount);
            }
        }
        let word = |chooser: &mut Self, setting| chooser.word(setting);
        match word(self, Setting::Rounding).as_deref() {
            Some("down") => rounding = Some(Rounding::Down),
            Some("nearest") => rounding = Some(Rounding::Nearest),
            Some("up") => rounding = Some(Rounding::Up),
            _ => {}
        }
        terms.small_wager_makes_room = word(self, Setting::SmallWagerMakesRoom).as_deref() != Some("no");
        terms.bonus_requires_main = word(self, Setting::BonusRequiresMain).as_deref() == Some("yes");
        terms.payable = match (unit, rounding) {
            (Some(unit), Some(rounding)) => Some(Payable { unit, rounding }),
            (None, None) => None,
            (Some(_), None) => {
                let message = "`payable-unit` needs a `rounding`: down, nearest or up".to_string();
                self.fault(Setting::Rounding, message, &[]);
                None
            }
            (None, Some(_)) => {
                let message = "`rounding` needs a `payable-unit`".to_string();
                self.fault(Setting::PayableUnit, message, &[]);
                None
            }
        };
        let faults = terms.check();
        if faults.is_empty() && terms.payable.is_none() {
            self.payable_exactly(game, terms.chip);
        }
        for fault in faults {
            let message = fault.to_string();
            self.fault(Concern::Money(fault), message, &[]);
        }
        terms
    }

    /// Without rounding every pay of a chip is a whole amount: otherwise a round could not be settled.
    fn payable_exactly(&mut self, game: &Game, chip: Amount) {
        for (bet, line) in
            game.bets.iter().flat_map(|bet| bet.pays.lines().iter().map(move |line| (bet, line)))
        {
            let paid = line.payoff.net() * chip.ratio();
            if paid.whole().is_none() {
                let (id, payoff, parts) = (&bet.id, line.payoff, line.payoff.net().denominator());
                let message = format!(
                    "`{id}` pays {payoff}, and on a chip of {chip} that is {paid}; choose a chip that is a multiple \
                     of {parts}, or set `payable-unit` and `rounding`"
                );
                self.fault(Setting::Chip, message, &line.cites);
                return;
            }
        }
    }
}

fn money(
    terms: &mut Terms,
    unit: &mut Option<Amount>,
    chosen: &Chosen,
    place: Option<usize>,
    amount: Amount,
) {
    let setting = chosen.setting;
    if setting == Setting::Chip {
        terms.chip = amount;
    } else if setting == Setting::Differential {
        terms.differential = Some(amount);
    } else if setting == Setting::InsuranceMinimum {
        terms.insurance_minimum = Some(amount);
    } else if setting == Setting::PayableUnit {
        *unit = Some(amount);
    } else if let Some(odds) = chosen.odds {
        terms.insurance_limits.retain(|(known, _)| *known != odds);
        terms.insurance_limits.push((odds, amount));
    }
    let meant = |at: usize| place.is_none_or(|place| place == at);
    for (_, limit) in terms.limits.iter_mut().enumerate().filter(|(at, _)| meant(*at)) {
        if setting == Setting::Minimum {
            limit.minimum = Some(amount);
        } else if setting == Setting::Maximum {
            limit.maximum = Some(amount);
        } else if setting == Setting::WagerStep {
            limit.step = Some(amount);
        }
    }
}

/// What would be accepted instead, if a value does not fit its setting.
fn misfit(rulebook: &Rulebook, spec: &SettingSpec, chosen: &Chosen) -> Option<String> {
    let per_bet = spec.setting.values() == Values::MoneyPerBet;
    let per_odds = spec.setting.values() == Values::MoneyPerOdds;
    if chosen.bet.is_some() && !per_bet || chosen.odds.is_some() && !per_odds {
        return Some("accepted: one value for the whole table".to_string());
    }
    match (spec.setting.values(), &chosen.value) {
        (Values::Count, Value::Count(count)) => {
            let (low, high) = spec.range.unwrap_or((0, u32::MAX));
            (!(low..=high).contains(count)).then(|| format!("accepted: a number from {low} to {high}"))
        }
        (Values::Count, Value::Money(_) | Value::Word(_)) => {
            let (low, high) = spec.range.unwrap_or((0, u32::MAX));
            Some(format!("accepted: a number from {low} to {high}"))
        }
        (Values::Money | Values::MoneyPerBet, Value::Money(amount)) => {
            (!amount.is_positive()).then(|| "accepted: an amount above zero".to_string())
        }
        (Values::MoneyPerOdds, Value::Money(amount)) => match chosen.odds {
            Some(_) if amount.is_positive() => None,
            Some(_) | None => Some("accepted: odds and an amount above zero".to_string()),
        },
        (Values::Money | Values::MoneyPerBet | Values::MoneyPerOdds, Value::Count(_) | Value::Word(_)) => {
            Some("accepted: an amount".to_string())
        }
        (Values::OneOf(words), Value::Word(word)) => {
            (!words.contains(&word.as_str())).then(|| hint(word, words.iter().copied()))
        }
        (Values::OneOf(words), Value::Count(_) | Value::Money(_)) => {
            Some(format!("accepted: {}", words.join(", ")))
        }
        (Values::Name, Value::Word(word)) if spec.setting == Setting::ResidualAuthority => {
            let ranks: Vec<&str> = rulebook.ranks.iter().map(|rank| rank.id.as_str()).collect();
            (!ranks.contains(&word.as_str())).then(|| hint(word, ranks))
        }
        (Values::Name, Value::Word(word)) if spec.setting == Setting::Area => {
            let areas = || rulebook.areas.iter().map(|area| area.id.as_str());
            (areas().len() > 0 && rulebook.area(word).is_none()).then(|| hint(word, areas()))
        }
        // Another order of ranks is another rulebook.
        (Values::Name, Value::Word(word)) if spec.setting == Setting::RankOrder && word != "as-listed" => {
            Some(
                "accepted: as-listed; to change the order, change the ranks' levels in the rulebook"
                    .to_string(),
            )
        }
        (Values::Name, _) => None,
    }
}

/// What is wrong with odds that no line of the insurance table pays: a limit for them would bound nothing.
fn unpaid(game: &Game, odds: Odds) -> Option<String> {
    let lines = game.insurance.iter().flat_map(|table| &table.lines);
    let mut paid: Vec<Odds> = lines.map(|line| line.odds).collect();
    if paid.contains(&odds) {
        return None;
    }
    paid.sort_by_key(|odds| odds.ratio());
    paid.dedup();
    let paid: Vec<String> = paid.iter().map(ToString::to_string).collect();
    Some(format!("no insurance pays {odds}; accepted: {}", paid.join(", ")))
}

fn show(value: &Value) -> String {
    match value {
        Value::Count(count) => count.to_string(),
        Value::Money(amount) => amount.to_string(),
        Value::Word(word) => word.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rulebook may give a range that no table can count to: then the number is refused, not taken for another.
    #[test]
    fn a_number_that_does_not_fit_is_a_fault() {
        let text = include_str!("../../../../rulebooks/examples/jade-punto-banco.toml");
        let wide = text.replace("0-30", "0-10000");
        let rulebook = Arc::new(Rulebook::parse(&wide).unwrap());
        let faults = |setting: Setting, count: u32| {
            let chosen = Chosen { setting, bet: None, odds: None, value: Value::Count(count) };
            let opening =
                Opening { game: "jade-punto-banco".into(), settings: vec![chosen], ..Opening::default() };
            let faults = Setup::new(&rulebook, &opening).unwrap_err();
            faults
                .into_iter()
                .filter(|fault| fault.setting() == Some(setting))
                .map(|fault| fault.message)
                .next()
        };
        assert_eq!(faults(Setting::Burn, 255), None);
        let message = "`burn` cannot be `256`; accepted: a number up to 255";
        assert_eq!(faults(Setting::Burn, 256).as_deref(), Some(message));
    }
}
