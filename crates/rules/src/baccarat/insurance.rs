//! The insurance table: which totals are insurable, when, and how an insurance ends.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use super::condition::NumberSet;
use super::outcome::Outcome;
use super::{Deal, Side};
use crate::clause::Basis;
use crate::odds::Odds;

/// When insurance is offered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// Window 1: both initial hands are exposed.
    FourCards,
    /// Window 2: the Player's third card is exposed.
    PlayerThird,
}

impl Stage {
    /// Both stages, in the order of play.
    pub const ALL: [Self; 2] = [Self::FourCards, Self::PlayerThird];

    /// The name used in files.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::FourCards => "four-cards",
            Self::PlayerThird => "player-third",
        }
    }

    /// How many cards are out then.
    #[must_use]
    pub const fn draws(self) -> u8 {
        match self {
            Self::FourCards => 4,
            Self::PlayerThird => 5,
        }
    }

    /// The stage at which a round stands: a card is due and it is a moment for insurance.
    #[must_use]
    pub fn of(deal: &Deal) -> Option<Self> {
        match (deal.draws().len(), deal.due()?) {
            (4, _) => Some(Self::FourCards),
            (5, Side::Banker) => Some(Self::PlayerThird),
            _ => None,
        }
    }
}

impl FromStr for Stage {
    type Err = ();
    fn from_str(key: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|stage| stage.key() == key).ok_or(())
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// What makes an insurance pay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PaysOn {
    /// The insured hand loses; a tie gives the stake back.
    Loss,
    /// The round ends in a tie: the line of a Player 9, which cannot lose.
    Tie,
}

/// One line of the insurance table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The insured hand.
    pub side: Side,
    /// When it is offered.
    pub stage: Stage,
    /// Counts of the Banker's hand at that stage.
    pub banker_points: NumberSet,
    /// Counts of the Player's hand at that stage.
    pub player_points: NumberSet,
    /// What it pays.
    pub odds: Odds,
    /// On what.
    pub pays_on: PaysOn,
    /// The clauses it rests on.
    pub cites: Vec<Basis>,
}

/// How an insurance ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InsuranceEnd {
    /// Paid at its odds.
    Win,
    /// Given back.
    Push,
    /// Collected.
    Lose,
}

impl Line {
    /// How an insurance on this line ends.
    #[must_use]
    pub fn end(&self, outcome: Outcome) -> InsuranceEnd {
        match (outcome.winner().side(), self.pays_on) {
            (None, PaysOn::Tie) => InsuranceEnd::Win,
            (None, PaysOn::Loss) => InsuranceEnd::Push,
            (Some(winner), PaysOn::Loss) if winner != self.side => InsuranceEnd::Win,
            (Some(_), PaysOn::Loss | PaysOn::Tie) => InsuranceEnd::Lose,
        }
    }

    /// How an insurance on this line ends on a tie.
    #[must_use]
    pub const fn end_on_tie(&self) -> InsuranceEnd {
        match self.pays_on {
            PaysOn::Loss => InsuranceEnd::Push,
            PaysOn::Tie => InsuranceEnd::Win,
        }
    }

    /// Whether the line speaks of these counts at that stage.
    #[must_use]
    pub fn matches(&self, stage: Stage, player_points: u8, banker_points: u8) -> bool {
        self.stage == stage
            && self.player_points.contains(player_points)
            && self.banker_points.contains(banker_points)
    }
}

/// The insurance table of a rulebook. At most one line matches any counts at a stage; the loader checks it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InsuranceTable {
    /// The lines, in the rulebook's order.
    pub lines: Vec<Line>,
}

impl InsuranceTable {
    /// What is on offer as the round stands: the stage and the line with its place in the table.
    #[must_use]
    pub fn offer(&self, deal: &Deal) -> Option<(Stage, usize, &Line)> {
        let stage = Stage::of(deal)?;
        let (player, banker) = (deal.points(Side::Player), deal.points(Side::Banker));
        self.lines
            .iter()
            .enumerate()
            .find(|(_, line)| line.matches(stage, player, banker))
            .map(|(at, line)| (stage, at, line))
    }

    /// What was on offer at `stage` of a round that may have gone on since.
    #[must_use]
    pub fn offer_at(&self, deal: &Deal, stage: Stage) -> Option<&Line> {
        let then = deal.after(stage.draws());
        self.offer(&then).filter(|(at, ..)| *at == stage).map(|(.., line)| line)
    }
}

/// The bet id of an insurance on a hand: `banker-insurance`.
#[must_use]
pub const fn bet_id(side: Side) -> &'static str {
    match side {
        Side::Player => "player-insurance",
        Side::Banker => "banker-insurance",
    }
}
