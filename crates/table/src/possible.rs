//! Which outcomes the cards that people see still leave open, and which bets they decide.

use core::ops::ControlFlow;

use croupier_cards::{Card, Rank};
use croupier_rules::baccarat::tableau::{self, Play};
use croupier_rules::baccarat::{Known, Outcome, Side, card_value};
use croupier_rules::rulebook::Established;
use croupier_rules::{Bet, CardLines, Column, Payoff, Pays};

use crate::table::{Dealt, Round, Table};

/// The outcomes still possible, and the cards that people see.
pub(crate) struct Possible {
    outcomes: Vec<Outcome>,
    seen: Known,
}

/// The cards of a round that people see.
fn seen(round: &Round) -> Known {
    // A card that lies on the wrong hand decides nothing until it is put right.
    let shown = |dealt: &&Dealt| dealt.exposed && dealt.misplaced.is_none();
    let visible = |at: usize| round.draws.get(at).filter(shown).and_then(|dealt| dealt.card);
    let third = |side: Side| {
        let mut thirds = round.draws.iter().skip(4).filter(shown).filter(|dealt| dealt.side == side);
        thirds.next_back().and_then(|dealt| dealt.card)
    };
    Known {
        player: [visible(0), visible(2)],
        banker: [visible(1), visible(3)],
        thirds: [third(Side::Player), third(Side::Banker)],
    }
}

/// The counts with and without a pair that two cards can make, of which some are known.
fn starts(cards: [Option<Card>; 2]) -> Vec<(u8, bool)> {
    let ranks = |card: Option<Card>| match card {
        Some(card) => vec![card.rank()],
        None => Rank::ALL.to_vec(),
    };
    let mut starts = Vec::new();
    for first in ranks(cards[0]) {
        for second in ranks(cards[1]) {
            let value = |rank: Rank| card_value(Card::new(rank, croupier_cards::Suit::Spades));
            let start = ((value(first) + value(second)) % 10, first == second);
            if !starts.contains(&start) {
                starts.push(start);
            }
        }
    }
    starts
}

impl Possible {
    pub(crate) fn of(round: &Round) -> Self {
        let seen = seen(round);
        let any: Vec<u8> = (0..10).collect();
        let thirds = |third: Option<Card>| third.map_or_else(|| any.clone(), |card| vec![card_value(card)]);
        let [player_thirds, banker_thirds] = seen.thirds.map(thirds);
        let mut found = vec![false; Outcome::COUNT];
        let mut note = |player: u8, banker: u8, cards: (u8, u8), pairs: (bool, bool)| {
            let outcome = Outcome::new(player % 10, banker % 10, cards.0, cards.1, pairs.0, pairs.1);
            if let Some(place) = outcome.and_then(|outcome| found.get_mut(outcome.index())) {
                *place = true;
            }
        };
        let bankers = starts(seen.banker);
        for (player, player_pair) in starts(seen.player) {
            for (banker, banker_pair) in bankers.iter().copied() {
                let pairs = (player_pair, banker_pair);
                match tableau::player(player, banker) {
                    None => note(player, banker, (2, 2), pairs),
                    Some((_, Play::Draws)) => {
                        for third in &player_thirds {
                            match tableau::banker(banker, Some(*third)).1 {
                                Play::Draws => banker_thirds.iter().for_each(|last| {
                                    note(player + third, banker + last, (3, 3), pairs);
                                }),
                                Play::Stands => note(player + third, banker, (3, 2), pairs),
                            }
                        }
                    }
                    Some((_, Play::Stands)) => match tableau::banker(banker, None).1 {
                        Play::Draws => {
                            banker_thirds.iter().for_each(|last| note(player, banker + last, (2, 3), pairs));
                        }
                        Play::Stands => note(player, banker, (2, 2), pairs),
                    },
                }
            }
        }
        let outcomes = (0..Outcome::COUNT).filter(|at| found[*at]).filter_map(Outcome::from_index).collect();
        Self { outcomes, seen }
    }

    /// Whether a bet ends the same way in every outcome still possible.
    pub(crate) fn decides(&self, bet: &Bet) -> bool {
        match &bet.pays {
            Pays::ByClass(column) => self.decides_column(column),
            Pays::ByCards(lines) => self.decides_lines(lines),
        }
    }

    fn decides_column(&self, column: &Column) -> bool {
        let mut ends =
            self.outcomes.iter().map(|outcome| column.line(outcome.index()).map(|line| line.payoff));
        let first = ends.next();
        ends.all(|end| Some(end) == first)
    }

    /// Over one round of each kind that the bet tells apart and the cards seen leave open.
    fn decides_lines(&self, lines: &CardLines) -> bool {
        let mut ends: Option<Option<Payoff>> = None;
        let mut alike = true;
        lines.features().rounds(&self.seen, &mut |hands| {
            let end = lines.line(hands).map(|line| line.payoff);
            alike = *ends.get_or_insert(end) == end;
            if alike { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        alike
    }
}

impl Table {
    /// Whether the outcome counts as established by the cards that people see.
    pub(crate) fn is_established(&self) -> bool {
        match self.rulebook().play.established {
            Established::MainResult => self.round.outcome.is_some() || self.round.result_seen().is_some(),
            Established::AnyBet => {
                let possible = Possible::of(&self.round);
                self.game().bets.iter().any(|bet| possible.decides(bet))
            }
        }
    }
}
