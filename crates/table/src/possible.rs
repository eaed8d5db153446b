//! Which outcomes the cards that people see still leave open, and which bets they decide.

use croupier_cards::{Card, Rank};
use croupier_rules::Bet;
use croupier_rules::baccarat::tableau::{self, Play};
use croupier_rules::baccarat::{Outcome, Side, card_value};
use croupier_rules::rulebook::Established;

use crate::table::{Dealt, Round, Table};

/// The outcomes still possible.
pub(crate) struct Possible(Vec<Outcome>);

/// The cards of a round that people see.
#[derive(Default)]
struct Seen {
    player: [Option<Card>; 2],
    banker: [Option<Card>; 2],
    player_third: Option<u8>,
    banker_third: Option<u8>,
}

impl Seen {
    fn of(round: &Round) -> Self {
        let mut seen = Self::default();
        // A card that lies on the wrong hand decides nothing until it is put right.
        let shown = |dealt: &&Dealt| dealt.exposed && dealt.misplaced.is_none();
        let visible = |at: usize| round.draws.get(at).filter(shown).and_then(|dealt| dealt.card);
        seen.player = [visible(0), visible(2)];
        seen.banker = [visible(1), visible(3)];
        for dealt in round.draws.iter().skip(4).filter(shown) {
            let value = dealt.card.map(card_value);
            match dealt.side {
                Side::Player => seen.player_third = value,
                Side::Banker => seen.banker_third = value,
            }
        }
        seen
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
        let seen = Seen::of(round);
        let any: Vec<u8> = (0..10).collect();
        let thirds = |third: Option<u8>| third.map_or_else(|| any.clone(), |value| vec![value]);
        let (player_thirds, banker_thirds) = (thirds(seen.player_third), thirds(seen.banker_third));
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
        Self((0..Outcome::COUNT).filter(|at| found[*at]).filter_map(Outcome::from_index).collect())
    }

    /// Whether a bet ends the same way in every outcome still possible.
    pub(crate) fn decides(&self, bet: &Bet) -> bool {
        let mut ends = self.0.iter().map(|outcome| bet.column.line(outcome.index()).map(|line| line.payoff));
        let first = ends.next();
        ends.all(|end| Some(end) == first)
    }
}

impl Table {
    /// Whether the outcome counts as established by the cards that people see.
    pub(crate) fn is_established(&self) -> bool {
        match self.rulebook().play.established {
            Established::MainResult => self.round.outcome.is_some(),
            Established::AnyBet => {
                let possible = Possible::of(&self.round);
                self.game().bets.iter().any(|bet| possible.decides(bet))
            }
        }
    }
}
