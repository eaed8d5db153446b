//! Whether somebody may: ranks with "or above", acting ranks, and what the answer rests on.

use croupier_rules::authority::Needs;
use croupier_rules::clause::Basis;
use croupier_rules::{Game, Power, Rule, Rulebook};

use crate::actor::{Actor, Rank};

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

    /// Whether somebody holds or acts in a rank, or one above; any of the staff where none is asked for.
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
        match actor {
            Actor::Staff(staff) if self.level(staff.acts_as()) >= self.rulebook.level(lowest) => {
                let mut cites = cites.to_vec();
                // Somebody acting, or of another rank than the one named.
                if needed.is_some_and(|needed| staff.rank != Rank(needed)) {
                    cites.extend(self.game.cites(Rule::ActingRank));
                }
                Ok(cites)
            }
            // The software does what needs no rank.
            Actor::System if needed.is_none() => Ok(cites.to_vec()),
            Actor::Staff(_) | Actor::System | Actor::Player(_) | Actor::Device | Actor::Surveillance => {
                Err(Denied { needs: Some(Rank(lowest)), cites: cites.to_vec() })
            }
        }
    }

    fn level(self, rank: Rank) -> u8 {
        self.rulebook.level(rank.0)
    }
}
