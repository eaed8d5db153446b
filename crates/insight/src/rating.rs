//! Ratings: what a player wagered in a session, for how long and how fast, what it was worth, and what came of it.

use std::collections::BTreeMap;

use croupier_lab::Fraction;
use croupier_ledger::{PlayerId, TableId};

use crate::collect::Played;
use crate::price::{Position, Spread};
use crate::sum::Sum;

/// A session of a player at a table: from the first wager until the player leaves, or stays away for long.
#[derive(Clone, PartialEq, Debug)]
pub struct Rating {
    /// Whose.
    pub player: PlayerId,
    /// Where.
    pub table: TableId,
    /// When its first round ended, in milliseconds since 1970.
    pub from: u64,
    /// When its last round ended.
    pub to: u64,
    /// Rounds with a wager in action.
    pub rounds: u64,
    /// What was at risk, in minor units; insurance is in it.
    pub handle: i64,
    /// The most that was at risk in one round.
    pub largest: i64,
    /// What the house wins of it in the mean: every wager at the edge it had at the cards left when its round was dealt.
    pub theory: Sum,
    /// What of the handle could not be priced, and is not in `theory`: rounds for which the shoe might have lacked a
    /// card.
    pub unpriced: i64,
    /// What the player won; below zero if lost.
    pub result: i64,
    /// The player has left.
    pub is_over: bool,
}

impl Rating {
    fn new(player: PlayerId, table: TableId, from: u64) -> Self {
        let theory = Sum::default();
        Self {
            player,
            table,
            from,
            to: from,
            rounds: 0,
            handle: 0,
            largest: 0,
            theory,
            unpriced: 0,
            result: 0,
            is_over: false,
        }
    }

    /// What was at risk in a round in the mean, in whole minor units.
    #[must_use]
    pub fn average(&self) -> i64 {
        i64::try_from(self.rounds).ok().and_then(|rounds| self.handle.checked_div(rounds)).unwrap_or(0)
    }

    /// Rounds an hour, from the first to the last; nothing of a single round.
    #[must_use]
    pub fn pace(&self) -> Option<u64> {
        self.rounds.checked_sub(1)?.checked_mul(3_600_000)?.checked_div(self.to - self.from)
    }

    /// The theoretical win, to the nearest minor unit; a half goes away from zero.
    #[must_use]
    pub fn theoretical(&self) -> i64 {
        nearest(&self.theory.value())
    }
}

/// The nearest whole number; a half goes away from zero.
#[must_use]
pub fn nearest(value: &Fraction) -> i64 {
    let half = Fraction::new(if value.is_negative() { -1 } else { 1 }, 2);
    value.plus(&half).decimal(0).parse().unwrap_or(0)
}

/// The sessions of all players.
#[derive(Clone, Debug, Default)]
pub struct Ratings {
    /// The sessions that are over, in the order they ended.
    over: Vec<Rating>,
    open: BTreeMap<(TableId, PlayerId), Rating>,
}

impl Ratings {
    /// Who does not play for so long begins a new session, in milliseconds.
    pub const PAUSE: u64 = 60 * 60 * 1_000;
    /// How many sessions that are over are kept.
    pub const KEPT: usize = 20_000;

    /// All sessions, those that are over first.
    pub fn all(&self) -> impl Iterator<Item = &Rating> {
        self.over.iter().chain(self.open.values())
    }

    /// The session of a player at a table that is not over.
    #[must_use]
    pub fn open(&self, player: PlayerId, table: TableId) -> Option<&Rating> {
        self.open.get(&(table, player))
    }

    /// Adds a round.
    pub fn add(&mut self, round: &Played, position: &Position<'_>) {
        let mut players: BTreeMap<PlayerId, Part> = BTreeMap::new();
        for wager in &round.wagers {
            let part = players.entry(wager.player).or_default();
            part.wagers.push((wager.bet, wager.in_action));
            part.result += wager.result;
        }
        for insurance in &round.insurances {
            let part = players.entry(insurance.player).or_default();
            part.insured += insurance.in_action;
            part.result += insurance.result;
            match &insurance.chances {
                Some(chances) => part.insurances.push(chances.spread(insurance.in_action)),
                None => part.unpriced += insurance.in_action,
            }
        }
        for (player, part) in players {
            let rating = self.session(player, round.table, round.at);
            let staked: i64 = part.wagers.iter().map(|(_, stake)| stake).sum();
            rating.to = round.at;
            rating.rounds += 1;
            rating.handle += staked + part.insured;
            rating.largest = rating.largest.max(staked + part.insured);
            rating.unpriced += part.unpriced;
            rating.result += part.result;
            match position.spread(&part.wagers) {
                Some(spread) => rating.theory.add(&spread.mean.negated(), &spread.over),
                None => rating.unpriced += staked,
            }
            for spread in part.insurances {
                rating.theory.add(&spread.mean.negated(), &spread.over);
            }
        }
    }

    fn session(&mut self, player: PlayerId, table: TableId, at: u64) -> &mut Rating {
        if self.open.get(&(table, player)).is_some_and(|open| at.saturating_sub(open.to) > Self::PAUSE) {
            self.end(player, table);
        }
        self.open.entry((table, player)).or_insert_with(|| Rating::new(player, table, at))
    }

    /// A player left a table.
    pub fn end(&mut self, player: PlayerId, table: TableId) {
        if let Some(rating) = self.open.remove(&(table, player)) {
            self.over.push(Rating { is_over: true, ..rating });
            if self.over.len() > Self::KEPT {
                self.over.remove(0);
            }
        }
    }
}

/// What a player had in a round.
#[derive(Default)]
struct Part {
    wagers: Vec<(usize, i64)>,
    insured: i64,
    insurances: Vec<Spread>,
    unpriced: i64,
    result: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_to_the_nearest() {
        for (numerator, denominator, expected) in
            [(1, 2, 1), (-1, 2, -1), (49, 100, 0), (151, 100, 2), (-3, 2, -2)]
        {
            assert_eq!(
                nearest(&Fraction::new(numerator, denominator)),
                expected,
                "{numerator}/{denominator}"
            );
        }
    }

    /// A pause of an hour is a pause; a millisecond more ends the session.
    #[test]
    fn who_stays_away_begins_a_new_session() {
        for (gap, sessions) in [(Ratings::PAUSE - 1, 1), (Ratings::PAUSE, 1), (Ratings::PAUSE + 1, 2)] {
            let mut ratings = Ratings::default();
            ratings.session(PlayerId(1), TableId(1), 5);
            ratings.session(PlayerId(1), TableId(1), 5 + gap);
            assert_eq!(ratings.all().count(), sessions, "{gap}");
        }
    }
}
