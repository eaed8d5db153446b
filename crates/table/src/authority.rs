//! Whether somebody may: ranks with "or above", acting ranks, and what the answer rests on.

use croupier_rules::authority::Needs;
use croupier_rules::clause::Basis;
use croupier_rules::setting::Setting;
use croupier_rules::{Game, Power, Rule, Rulebook};

use crate::actor::{Actor, Rank, Staff};

/// Somebody may not: the lowest rank that may, if any may at all.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", .needs.map_or_else(|| "nobody may under this rulebook".to_string(), |rank| format!("this needs rank {} or above", rank.0)))]
pub struct Denied {
    /// Who may; nothing if the rulebook gives the power to nobody.
    pub needs: Option<Rank>,
    /// What that rests on.
    pub cites: Vec<Basis>,
}

/// The rulebook's order of ranks as a table uses it.
#[derive(Clone, Copy, Debug)]
pub struct Authority<'a> {
    /// The rulebook.
    pub rulebook: &'a Rulebook,
    /// The game, for what acting ranks rest on.
    pub game: &'a Game,
    /// The rank that rules where the rulebook names none.
    pub residual: Option<Rank>,
    /// Whether somebody acting in a rank counts as of it.
    pub acting_ranks: bool,
}

impl Authority<'_> {
    /// Whether somebody has a power; then what it rests on.
    ///
    /// # Errors
    /// [`Denied`], with the rank that has it.
    pub fn power(self, actor: Actor, power: Power) -> Result<Vec<Basis>, Denied> {
        match self.rulebook.power(power) {
            Some(rule) => self.rank(actor, Some(rule.needs), &rule.cites),
            None => Err(Denied { needs: None, cites: Vec::new() }),
        }
    }

    /// Whether somebody of the staff has a power.
    #[must_use]
    pub fn has(self, staff: Staff, power: Power) -> bool {
        let residual = self.residual.map(|rank| rank.0);
        let rule = self.rulebook.power(power);
        let needed = rule.and_then(|rule| self.rulebook.needed_rank(rule.needs, residual));
        needed.is_some_and(|needed| self.reaches(staff, Rank(needed)))
    }

    /// Whether somebody holds a rank or one above, or acts in it where that counts; any of the staff where none is asked
    /// for.
    ///
    /// # Errors
    /// [`Denied`], with the rank that is asked for.
    pub fn rank(self, actor: Actor, needs: Option<Needs>, cites: &[Basis]) -> Result<Vec<Basis>, Denied> {
        let needed = match needs {
            None => None,
            Some(needs) => match self.rulebook.needed_rank(needs, self.residual.map(|rank| rank.0)) {
                Some(rank) => Some(rank),
                None => return Err(Denied { needs: None, cites: cites.to_vec() }),
            },
        };
        let lowest = needed.unwrap_or(0);
        let mut cites = cites.to_vec();
        match actor {
            Actor::Staff(staff) if self.reaches(staff, Rank(lowest)) => {
                if let Some(needed) = needed {
                    self.add_why(staff, needed, &mut cites);
                }
                Ok(cites)
            }
            // The software does what needs no rank.
            Actor::System if needed.is_none() => Ok(cites),
            Actor::Staff(staff) => {
                // Where acting does not count, the refusal rests on that too.
                if staff.acting.is_some_and(|acting| self.level(acting) >= self.rulebook.level(lowest)) {
                    cites.extend(self.on_acting());
                }
                Err(Denied { needs: Some(Rank(lowest)), cites })
            }
            Actor::System | Actor::Player(_) | Actor::Device | Actor::Surveillance | Actor::Display => {
                Err(Denied { needs: Some(Rank(lowest)), cites })
            }
        }
    }

    /// Whether somebody is of a rank or above, by the rank they act in where that counts, and else by the one they hold.
    #[must_use]
    pub fn reaches(self, staff: Staff, needed: Rank) -> bool {
        let acting = staff.acting.filter(|_| self.acting_ranks);
        self.level(acting.unwrap_or(staff.rank)) >= self.level(needed)
    }

    /// What it rests on that somebody of another rank than the one named may: a clause for whoever acts or ranks higher,
    /// or the house's choice for whoever acts.
    fn add_why(self, staff: Staff, needed: u8, cites: &mut Vec<Basis>) {
        if staff.rank == Rank(needed) {
            return;
        }
        let granted = self.game.cites(Rule::ActingRank);
        cites.extend(granted);
        if granted.is_empty() && self.level(staff.rank) < self.rulebook.level(needed) {
            cites.extend(self.on_acting());
        }
    }

    /// What decides whether acting ranks count.
    pub(crate) fn on_acting(self) -> impl Iterator<Item = Basis> {
        let setting = self.rulebook.setting(Setting::ActingRanks);
        let cites = setting.map(|spec| spec.cites.as_slice()).unwrap_or_default();
        self.game.cites(Rule::ActingRank).iter().chain(cites).copied().collect::<Vec<_>>().into_iter()
    }

    fn level(self, rank: Rank) -> u8 {
        self.rulebook.level(rank.0)
    }
}
