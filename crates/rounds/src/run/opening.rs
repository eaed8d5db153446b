//! Opening the table of a file: what it sets, and what a round file takes for granted where it is silent.

use std::sync::Arc;

use croupier_rules::names::hint;
use croupier_rules::setting::{Setting, Values};
use croupier_rules::settle::{Terms, TermsFault};
use croupier_rules::{Amount, Game, Rulebook};
use croupier_table::{Chosen, Concern, Opening, Setup, SetupFault, Value};

use super::runner::Done;
use crate::amount::Decimals;
use crate::event::Refused;
use crate::tell;

/// What a file sets, line by line.
#[derive(Clone)]
pub(super) struct Settings<'l> {
    rulebook: &'l Arc<Rulebook>,
    game: &'l Game,
    opening: Opening,
    decimals: Decimals,
    /// The lines of the settings, one for each, and of version and date.
    lines: Vec<usize>,
    version_line: usize,
    date_line: usize,
    controls_line: usize,
}

/// A refusal, and what it rests on.
pub(super) type Refusal = (Refused, Vec<croupier_rules::Basis>);

impl<'l> Settings<'l> {
    pub(super) fn new(rulebook: &'l Arc<Rulebook>, game: &'l Game, decimals: Decimals) -> Self {
        let opening = Opening { game: game.id.clone(), ..Opening::default() };
        Self {
            rulebook,
            game,
            opening,
            decimals,
            lines: Vec::new(),
            version_line: 0,
            date_line: 0,
            controls_line: 0,
        }
    }

    pub(super) fn version(&mut self, at: usize, version: &str) {
        self.opening.version = Some(version.to_string());
        self.version_line = at;
    }

    pub(super) fn date(&mut self, at: usize, date: &str) {
        self.opening.date = Some(date.to_string());
        self.date_line = at;
    }

    /// Takes a setting over, if it fits by itself; what does not fit together shows when the table opens.
    pub(super) fn set(&mut self, at: usize, key: &str, scope: Option<&str>, value: &str) -> Done {
        let refuse = |message: String| (Refused::Setting(message), Vec::new());
        if let Some(done) = self.control(at, key, value) {
            return done;
        }
        let decimals = self.decimals;
        let setting = key.parse::<Setting>().ok();
        let Some(spec) = setting.and_then(|setting| self.rulebook.setting(setting)) else {
            let hint = hint(key, self.rulebook.settings.iter().map(|spec| spec.setting.key()));
            return Err(refuse(format!("{} has no setting `{key}`; {hint}", self.rulebook.id)));
        };
        let setting = spec.setting;
        let cannot = |accepted: String| {
            let message = format!("`{key}` cannot be `{value}`; {accepted}");
            (Refused::Setting(message), spec.cites.clone())
        };
        let money = || {
            decimals
                .parse_positive(value)
                .map(Value::Money)
                .map_err(|error| cannot(format!("accepted: an amount, but this {error}")))
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
                if let Some(bet) = scope.filter(|bet| self.game.bet_index(bet).is_none()) {
                    let hint = hint(bet, self.game.bets.iter().map(|bet| bet.id.as_str()));
                    let message = format!("`{bet}` is not a bet of {}; {hint}", self.game.id);
                    return Err((Refused::Setting(message), spec.cites.clone()));
                }
                chosen.bet = scope.map(String::from);
            }
            Values::MoneyPerOdds => {
                let odds = scope.and_then(|odds| odds.parse().ok());
                let form = || cannot(format!("accepted: odds and an amount, as `setting {setting} 3:1 500`"));
                chosen.odds = Some(odds.ok_or_else(form)?);
                chosen.value = money()?;
            }
            Values::OneOf(_) | Values::Name => {}
        }
        let per_table = !matches!(setting.values(), Values::MoneyPerBet | Values::MoneyPerOdds);
        if per_table && scope.is_some() {
            return Err(cannot("accepted: one value for the whole table".to_string()));
        }
        self.take(at, chosen)
    }

    /// What the house asks of its own people is no setting of the rulebook.
    fn control(&mut self, at: usize, key: &str, value: &str) -> Option<Done> {
        let before = self.opening.controls.clone();
        match (key, value) {
            ("second-person", rank) => self.opening.controls.second_person = Some(rank.to_string()),
            ("house-reads", "yes") => self.opening.controls.house_reads = true,
            ("house-reads", "no") => self.opening.controls.house_reads = false,
            ("house-reads", _) => {
                let message = format!("`{key}` cannot be `{value}`; accepted: yes, no");
                return Some(Err((Refused::Setting(message), Vec::new())));
            }
            _ => return None,
        }
        let faults = Setup::new(self.rulebook, &self.filled()).err().unwrap_or_default();
        let own = faults.into_iter().find(|fault| fault.about == Concern::Controls);
        Some(match own {
            None => {
                self.controls_line = at;
                Ok(())
            }
            Some(fault) => {
                self.opening.controls = before;
                Err((Refused::Setting(fault.message), fault.cites))
            }
        })
    }

    pub(super) fn layout(&mut self, at: usize, id: &str) -> Done {
        if self.rulebook.setting(Setting::Layout).is_none() {
            let message = format!("{} has no layouts", self.rulebook.id);
            return Err((Refused::Layout(message), Vec::new()));
        }
        let value = Value::Word(id.to_string());
        self.take(at, Chosen { setting: Setting::Layout, bet: None, odds: None, value })
    }

    fn take(&mut self, at: usize, chosen: Chosen) -> Done {
        let setting = chosen.setting;
        self.opening.settings.push(chosen);
        self.lines.push(at);
        let faults = match Setup::new(self.rulebook, &self.filled()) {
            Ok(_) => return Ok(()),
            Err(faults) => faults,
        };
        let pair = matches!(setting, Setting::Rounding | Setting::PayableUnit);
        let seats = matches!(setting, Setting::Layout | Setting::Seats | Setting::Boxes);
        let own = faults.into_iter().find(|fault| {
            let same = fault.setting() == Some(setting) && !pair;
            let seat =
                seats && matches!(fault.setting(), Some(Setting::Seats | Setting::Layout | Setting::Boxes));
            same || seat
        });
        match own {
            None => Ok(()),
            Some(fault) => {
                self.opening.settings.pop();
                self.lines.pop();
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
    pub(super) fn setup(&self) -> Result<Setup, Refusal> {
        Setup::new(self.rulebook, &self.filled()).map_err(|faults| {
            let cites = faults.iter().flat_map(|fault| fault.cites.iter().copied()).collect();
            let messages: Vec<String> = faults.iter().map(|fault| self.told(fault)).collect();
            (Refused::Setting(messages.join("; ")), cites)
        })
    }

    /// What does not fit, by the line that should be otherwise: of lines that do not fit together the last. That line
    /// is taken out, so that the rest can be looked at without it. Nothing if no line of the file has part in it.
    pub(super) fn give_up(&mut self) -> Option<(usize, Refusal)> {
        let faults = Setup::new(self.rulebook, &self.filled()).err()?;
        faults.iter().find_map(|fault| {
            let line = self.drop_line(fault, None)?;
            Some((line, (Refused::Setting(self.told(fault)), fault.cites.clone())))
        })
    }

    /// What this line brought about, if it did not fit; then it is taken out.
    pub(super) fn refuse_line(&mut self, at: usize) -> Option<Refusal> {
        let faults = Setup::new(self.rulebook, &self.filled()).err()?;
        let own = faults.into_iter().find(|fault| self.drop_line(fault, Some(at)).is_some())?;
        Some((Refused::Setting(self.told(&own)), own.cites))
    }

    /// Takes out what a fault is about, and answers its line; only if it is this one, where one is named.
    fn drop_line(&mut self, fault: &SetupFault, only: Option<usize>) -> Option<usize> {
        let is_meant = |line: usize| only.is_none_or(|only| only == line);
        match &fault.about {
            Concern::Game => None,
            Concern::Version => {
                is_meant(self.version_line).then(|| self.opening.version = None).map(|()| self.version_line)
            }
            Concern::Date => {
                is_meant(self.date_line).then(|| self.opening.date = None).map(|()| self.date_line)
            }
            Concern::Controls => {
                let none = || self.opening.controls = croupier_table::ChosenControls::default();
                is_meant(self.controls_line).then(none).map(|()| self.controls_line)
            }
            Concern::Setting(_) | Concern::Money(_) => {
                let place = self.last_with_part(fault)?;
                let line = self.lines.get(place).copied().filter(|line| is_meant(*line))?;
                // Of two limits that exclude each other neither holds: wagers are not measured by one of them.
                let crossed = matches!(&fault.about, Concern::Money(TermsFault::Crossed { .. }));
                let all = if crossed && only.is_none() {
                    fault.places(&self.opening.settings)
                } else {
                    vec![place]
                };
                for place in all.into_iter().rev() {
                    self.opening.settings.remove(place);
                    self.lines.remove(place);
                }
                Some(line)
            }
        }
    }

    /// The last setting of the file that has part in a fault. Some settings ask for each other.
    fn last_with_part(&self, fault: &SetupFault) -> Option<usize> {
        let together: &[Setting] = match fault.setting() {
            Some(Setting::Rounding | Setting::PayableUnit) => &[Setting::Rounding, Setting::PayableUnit],
            Some(Setting::Layout | Setting::Seats | Setting::Boxes) => {
                &[Setting::Layout, Setting::Seats, Setting::Boxes]
            }
            Some(Setting::Method | Setting::Area | Setting::Device) => {
                &[Setting::Method, Setting::Area, Setting::Device]
            }
            _ => &[],
        };
        let settings = &self.opening.settings;
        let other = settings.iter().rposition(|chosen| together.contains(&chosen.setting));
        fault.places(settings).last().copied().max(other)
    }

    fn chosen(&self, setting: Setting) -> Option<&Chosen> {
        self.opening.settings.iter().rev().find(|chosen| chosen.setting == setting)
    }

    /// The opening with what a file need not say: no limits, one card burned, chips of one unit, the largest
    /// layout printed for the variant.
    pub(super) fn filled(&self) -> Opening {
        let mut opening = self.opening.clone();
        // A chip has whole parts, so that in a currency without decimals the smallest is more than one unit.
        let smallest = self.decimals.minor().max(Terms::CHIP_PARTS);
        let unit = Amount::new(smallest).unwrap_or(Amount::MAX);
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

    /// A fault in words, with amounts as people write them.
    fn told(&self, fault: &SetupFault) -> String {
        match &fault.about {
            Concern::Money(terms) => tell::terms(terms, self.decimals),
            Concern::Game | Concern::Version | Concern::Date | Concern::Controls | Concern::Setting(_) => {
                fault.message.clone()
            }
        }
    }
}
