//! Exact odds of insurance: every line of a game's insurance table, split into the situations it covers.
//!
//! Counts are ordered six-card sequences, as in [`crate::exact`]: those in which the situation arises while
//! a card is still due, by the way the insurance then ends. Which line is on offer and what makes it pay is
//! the rules' business; here it is only counted.

use croupier_rules::baccarat::insurance::{InsuranceEnd, Line, Stage};
use croupier_rules::baccarat::tableau::{self, Play};
use croupier_rules::baccarat::{Outcome, Side};
use croupier_rules::{Game, Odds};
use num_bigint::BigInt;

use crate::counts::RankCounts;
use crate::exact::values::{ValueCounts, sequences};
use crate::fraction::Fraction;

/// One situation in which insurance is offered, with its exact odds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InsuranceSituation {
    /// The insured hand.
    pub side: Side,
    /// When it is offered.
    pub stage: Stage,
    /// The Banker's count then.
    pub banker_points: u8,
    /// The Player's count then.
    pub player_points: u8,
    /// What it pays.
    pub odds: Odds,
    /// The place of its line in the rulebook's insurance table.
    pub line: usize,
    /// Sequences on which it is paid.
    pub win: u64,
    /// Sequences on which it is given back.
    pub push: u64,
    /// Sequences on which it is lost.
    pub lose: u64,
    /// All sequences, whether the situation arises or not.
    pub total: u64,
}

impl InsuranceSituation {
    /// The sequences in which the situation arises.
    #[must_use]
    pub fn ways(&self) -> u64 {
        self.win + self.push + self.lose
    }

    /// The mean loss of one unit insured; below zero it favours the player.
    #[must_use]
    pub fn edge(&self) -> Fraction {
        let won = Fraction::from(self.odds.ratio()).times(&Fraction::new(self.win, 1));
        Fraction::new(self.lose, 1).minus(&won).times(&Fraction::new(1, self.ways()))
    }

    /// Whether the player has the better of it.
    #[must_use]
    pub fn favours_player(&self) -> bool {
        self.edge().is_negative()
    }

    /// The chance that a round comes to this situation.
    #[must_use]
    pub fn chance(&self) -> Fraction {
        Fraction::new(BigInt::from(self.ways()), BigInt::from(self.total))
    }
}

/// Every situation of the game's insurance table that these cards can lead to: in the order of the
/// rulebook's lines, then by the Banker's and the Player's points. Nothing for a game without insurance.
#[must_use]
pub fn situations(game: &Game, counts: &RankCounts) -> Vec<InsuranceSituation> {
    let Some(table) = &game.insurance else { return Vec::new() };
    let tally = Tally::new(counts);
    let total = sequences(counts.cards());
    let mut situations = Vec::new();
    for (at, line) in table.lines.iter().enumerate() {
        for banker_points in line.banker_points.iter().take_while(|points| *points < 10) {
            for player_points in line.player_points.iter().take_while(|points| *points < 10) {
                let ends = tally.ends(line, player_points, banker_points);
                let of = |wanted| ends.iter().filter(|(end, _)| *end == wanted).map(|(_, ways)| ways).sum();
                let situation = InsuranceSituation {
                    side: line.side,
                    stage: line.stage,
                    banker_points,
                    player_points,
                    odds: line.odds,
                    line: at,
                    win: of(InsuranceEnd::Win),
                    push: of(InsuranceEnd::Push),
                    lose: of(InsuranceEnd::Lose),
                    total,
                };
                if situation.ways() > 0 {
                    situations.push(situation);
                }
            }
        }
    }
    situations
}

/// By stage and by the counts then: the ways to every final pair of counts, the Player's tens first.
struct Tally(Box<[[[u64; 100]; 100]; 2]>);

impl Tally {
    fn new(counts: &RankCounts) -> Self {
        let mut tally = Self(Box::new([[[0; 100]; 100]; 2]));
        let mut left = ValueCounts::new(counts);
        let all_hands = |left: &mut ValueCounts, deal: &mut dyn FnMut(&mut ValueCounts, u8, u64)| {
            for first in 0..10 {
                for second in 0..10 {
                    left.draw(first, &mut |left, ways| {
                        left.draw(second, &mut |left, more| deal(left, (first + second) % 10, ways * more));
                    });
                }
            }
        };
        all_hands(&mut left, &mut |left, player, ways| {
            all_hands(left, &mut |left, banker, more| tally.play(left, player, banker, ways * more));
        });
        tally
    }

    /// The thirds cards of a round that stands at these counts, in so many ways.
    fn play(&mut self, left: &mut ValueCounts, player: u8, banker: u8, ways: u64) {
        match tableau::player(player, banker) {
            None => {}
            Some((_, Play::Stands)) if tableau::banker(banker, None).1 == Play::Stands => {}
            Some((_, Play::Stands)) => {
                let unseen = left.cards() - 1;
                left.each(|_, third, more| {
                    let end = (player, (banker + third) % 10);
                    self.count(Stage::FourCards, (player, banker), end, ways * more * unseen);
                });
            }
            Some((_, Play::Draws)) => left.each(|left, third, more| {
                let then = ((player + third) % 10, banker);
                let ways = ways * more;
                if tableau::banker(banker, Some(third)).1 == Play::Stands {
                    self.count(Stage::FourCards, (player, banker), then, ways * left.cards());
                    return;
                }
                left.each(|_, sixth, more| {
                    let end = (then.0, (banker + sixth) % 10);
                    self.count(Stage::FourCards, (player, banker), end, ways * more);
                    self.count(Stage::PlayerThird, then, end, ways * more);
                });
            }),
        }
    }

    fn count(&mut self, stage: Stage, then: (u8, u8), end: (u8, u8), ways: u64) {
        self.0[Self::stage(stage)][Self::place(then)][Self::place(end)] += ways;
    }

    /// How an insurance on this line ends from these counts, and in how many ways.
    fn ends(&self, line: &Line, player: u8, banker: u8) -> Vec<(InsuranceEnd, u64)> {
        let ways = &self.0[Self::stage(line.stage)][Self::place((player, banker))];
        let finals = (0..10).flat_map(|player| (0..10).map(move |banker| (player, banker)));
        // How an insurance ends depends on the winner alone, so the numbers of cards may be any.
        finals
            .filter_map(|(p, b)| Some((Outcome::new(p, b, 3, 3, false, false)?, ways[Self::place((p, b))])))
            .map(|(outcome, ways)| (line.end(outcome), ways))
            .collect()
    }

    fn stage(stage: Stage) -> usize {
        match stage {
            Stage::FourCards => 0,
            Stage::PlayerThird => 1,
        }
    }

    fn place((player, banker): (u8, u8)) -> usize {
        usize::from(player) * 10 + usize::from(banker)
    }
}
