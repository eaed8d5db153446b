//! Opening the table of a file: what it sets, and what a round file takes for granted where it is silent.

use std::sync::Arc;

use croupier_rules::setting::{Setting, Values};
use croupier_rules::{Amount, Game, Rulebook};
use croupier_table::{Chosen, Opening, Setup, SetupFault, Value};

use super::runner::Done;
use crate::amount::{MINOR, parse_positive};
use crate::event::Refused;
use crate::tell;

/// What a file sets, line by line.
#[derive(Clone)]
pub(super) struct Settings<'l> {
    rulebook: &'l Arc<Rulebook>,
    game: &'l Game,
    opening: Opening,
}

impl<'l> Settings<'l> {
    pub(super) fn new(rulebook: &'l Arc<Rulebook>, game: &'l Game) -> Self {
        Self { rulebook, game, opening: Opening { game: game.id.clone(), ..Opening::default() } }
    }

    pub(super) fn version(&mut self, version: &str) {
        self.opening.version = Some(version.to_string());
    }

    pub(super) fn date(&mut self, date: &str) {
        self.opening.date = Some(date.to_string());
    }

    /// Takes a setting over, if it fits by itself; what does not fit together shows when the table opens.
    pub(super) fn set(&mut self, key: &str, scope: Option<&str>, value: &str) -> Done {
        let refuse = |message: String| (Refused::Setting(message), Vec::new());
        let setting = key.parse::<Setting>().ok();
        let Some(spec) = setting.and_then(|setting| self.rulebook.setting(setting)) else {
            let known: Vec<&str> = self.rulebook.settings.iter().map(|spec| spec.setting.key()).collect();
            let message = format!("{} has no setting `{key}`; it has {}", self.rulebook.id, known.join(", "));
            return Err(refuse(message));
        };
        let setting = spec.setting;
        let cannot = |accepted: String| {
            let message = format!("`{key}` cannot be `{value}`; accepted: {accepted}");
            (Refused::Setting(message), spec.cites.clone())
        };
        let money = || {
            parse_positive(value)
                .map(Value::Money)
                .map_err(|error| cannot(format!("an amount, but this {error}")))
        };
        let mut chosen = Chosen { setting, bet: None, odds: None, value: Value::Word(value.to_string()) };
        match setting.values() {
            Values::Count => {
                if let Ok(count) = value.parse() {
                    chosen.value = Value::Count(count);
                }
            }
            Values::Money => chosen.value = money()?,
            Values::MoneyPerBet => {
                chosen.value = money()?;
                let menu = || self.game.bets.iter().map(|bet| bet.id.as_str()).collect::<Vec<_>>().join(", ");
                if let Some(bet) = scope.filter(|bet| self.game.bet_index(bet).is_none()) {
                    let _ = bet;
                    return Err(cannot(format!("a bet of this game: {}", menu())));
                }
                chosen.bet = scope.map(String::from);
            }
            Values::MoneyPerOdds => {
                let odds = scope.and_then(|odds| odds.parse().ok());
                let form = || cannot(format!("odds and an amount, as `setting {setting} 3:1 500`"));
                chosen.odds = Some(odds.ok_or_else(form)?);
                chosen.value = money()?;
            }
            Values::OneOf(_) | Values::Name => {}
        }
        let per_table = !matches!(setting.values(), Values::MoneyPerBet | Values::MoneyPerOdds);
        if per_table && scope.is_some() {
            return Err(cannot("one value for the whole table".to_string()));
        }
        self.take(chosen)
    }

    pub(super) fn layout(&mut self, id: &str) -> Done {
        if self.rulebook.setting(Setting::Layout).is_none() {
            let message = format!("{} has no layouts", self.rulebook.id);
            return Err((Refused::Layout(message), Vec::new()));
        }
        let value = Value::Word(id.to_string());
        self.take(Chosen { setting: Setting::Layout, bet: None, odds: None, value })
    }

    fn take(&mut self, chosen: Chosen) -> Done {
        let setting = chosen.setting;
        self.opening.settings.push(chosen);
        let faults = match Setup::new(self.rulebook, &self.filled()) {
            Ok(_) => return Ok(()),
            Err(faults) => faults,
        };
        let pair = matches!(setting, Setting::Rounding | Setting::PayableUnit);
        let seats = matches!(setting, Setting::Layout | Setting::Seats | Setting::Boxes);
        let own = faults.into_iter().find(|fault| {
            let same = fault.setting == Some(setting) && !pair;
            let seat =
                seats && matches!(fault.setting, Some(Setting::Seats | Setting::Layout | Setting::Boxes));
            same || seat
        });
        match own {
            None => Ok(()),
            Some(fault) => {
                self.opening.settings.pop();
                let refused = if setting == Setting::Layout {
                    Refused::Layout(fault.message)
                } else {
                    Refused::Setting(fault.message)
                };
                Err((refused, fault.cites))
            }
        }
    }

    /// The table's setup; all faults are one refusal.
    pub(super) fn setup(&self) -> Result<Setup, (Refused, Vec<croupier_rules::Basis>)> {
        Setup::new(self.rulebook, &self.filled()).map_err(|faults| {
            let cites = faults.iter().flat_map(|fault| fault.cites.iter().copied()).collect();
            let told = |fault: SetupFault| fault.terms.as_ref().map_or(fault.message, tell::terms);
            let messages: Vec<String> = faults.into_iter().map(told).collect();
            (Refused::Setting(messages.join("; ")), cites)
        })
    }

    fn chosen(&self, setting: Setting) -> Option<&Chosen> {
        self.opening.settings.iter().rev().find(|chosen| chosen.setting == setting)
    }

    /// The opening with what a file need not say: no limits, one card burned, chips of one unit, the largest
    /// layout printed for the variant.
    pub(super) fn filled(&self) -> Opening {
        let mut opening = self.opening.clone();
        let unit = Amount::new(MINOR).unwrap_or(Amount::MAX);
        let chip = match self.chosen(Setting::Chip).map(|chosen| &chosen.value) {
            Some(Value::Money(chip)) if chip.is_positive() => *chip,
            _ => unit,
        };
        let most = Amount::floor_to(Amount::MAX.ratio(), chip).unwrap_or(Amount::MAX);
        let variant = self.game.variant.as_ref().map(|variant| &variant.id);
        let fits = |layout: &&croupier_rules::rulebook::Layout| {
            layout.variant.is_none() || layout.variant.as_ref() == variant
        };
        let seats = match self.chosen(Setting::Seats).map(|chosen| &chosen.value) {
            Some(Value::Count(seats)) => u8::try_from(*seats).ok(),
            _ => None,
        };
        let seated = |layout: &&croupier_rules::rulebook::Layout| {
            seats.is_none_or(|seats| (layout.seats.0..=layout.seats.1).contains(&seats))
        };
        let layouts = self.rulebook.layouts.iter().filter(fits).filter(seated);
        let layout = layouts.max_by_key(|layout| (layout.insurance, layout.seats.1));
        let mut granted: Vec<(Setting, Value)> = vec![
            (Setting::Burn, Value::Count(1)),
            (Setting::CutCard, Value::Count(14)),
            (Setting::Chip, Value::Money(chip)),
            (Setting::Minimum, Value::Money(chip)),
            (Setting::Maximum, Value::Money(most)),
            (Setting::Differential, Value::Money(most)),
            (Setting::SchedulePosted, Value::Word("yes".to_string())),
        ];
        if let Some(layout) = layout {
            granted.push((Setting::Layout, Value::Word(layout.id.clone())));
        }
        if let Some(rank) = self.rulebook.ranks.last() {
            granted.push((Setting::ResidualAuthority, Value::Word(rank.id.clone())));
        }
        let granted = granted.into_iter().filter(|(setting, _)| {
            let spec = self.rulebook.setting(*setting);
            let chosen =
                self.opening.settings.iter().any(|chosen| chosen.setting == *setting && chosen.bet.is_none());
            spec.is_some_and(|spec| spec.default.is_none()) && !chosen
        });
        // What the file says comes later and so overrules.
        let mut settings: Vec<Chosen> =
            granted.map(|(setting, value)| Chosen { setting, bet: None, odds: None, value }).collect();
        settings.append(&mut opening.settings);
        opening.settings = settings;
        opening
    }
}
