//! The rules of the games in plain numbers, written from the text of the rulebooks and from nothing else.

use std::collections::{BTreeMap, BTreeSet};

use croupier_rules::baccarat::Outcome;

/// A finished baccarat round as the bets see it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Hands {
    pub(crate) player: u8,
    pub(crate) banker: u8,
    pub(crate) player_cards: u8,
    pub(crate) banker_cards: u8,
    pub(crate) player_pair: bool,
    pub(crate) banker_pair: bool,
}

/// HB 4.12: an ace is one, pips count, tens and pictures are nothing. Ranks run from 1 to 13.
pub(crate) const fn value(rank: u8) -> u8 {
    if rank < 10 { rank } else { 0 }
}

/// HB 4.15, 4.16, MBS 3.14, DB-23: whether the Banker draws, after the Player's third card or without one.
pub(crate) const fn banker_draws(banker: u8, third: Option<u8>) -> bool {
    match (banker, third) {
        (0..=5, None) => true,
        (_, None) => false,
        (0..=2, Some(_)) => true,
        (3, Some(third)) => third != 8,
        (4, Some(third)) => third >= 2 && third <= 7,
        (5, Some(third)) => third >= 4 && third <= 7,
        (6, Some(third)) => third == 6 || third == 7,
        (_, Some(_)) => false,
    }
}

impl Hands {
    /// The hands that cards in draw order make; nothing if a card is missing or too many are there.
    pub(crate) fn of(ranks: &[u8]) -> Option<Self> {
        let [p1, b1, p2, b2, thirds @ ..] = ranks else { return None };
        let (player, banker) = ((value(*p1) + value(*p2)) % 10, (value(*b1) + value(*b2)) % 10);
        let mut hands = Self {
            player,
            banker,
            player_cards: 2,
            banker_cards: 2,
            player_pair: p1 == p2,
            banker_pair: b1 == b2,
        };
        let mut thirds = thirds.iter().map(|rank| value(*rank));
        if player < 8 && banker < 8 {
            let mut third = None;
            if player <= 5 {
                let card = thirds.next()?;
                third = Some(card);
                hands.player = (player + card) % 10;
                hands.player_cards = 3;
            }
            if banker_draws(banker, third) {
                hands.banker = (banker + thirds.next()?) % 10;
                hands.banker_cards = 3;
            }
        }
        if thirds.next().is_some() { None } else { Some(hands) }
    }

    /// The class that a rulebook's columns know it by.
    pub(crate) fn outcome(self) -> Outcome {
        let Self { player, banker, player_cards, banker_cards, player_pair, banker_pair } = self;
        Outcome::new(player, banker, player_cards, banker_cards, player_pair, banker_pair).unwrap()
    }

    pub(crate) const fn is_tie(self) -> bool {
        self.player == self.banker
    }

    pub(crate) const fn player_wins(self) -> bool {
        self.player > self.banker
    }

    pub(crate) const fn banker_wins(self) -> bool {
        self.player < self.banker
    }

    fn is_natural(self) -> bool {
        self.player_cards + self.banker_cards == 4 && self.player.max(self.banker) >= 8
    }
}

/// What twenty units win, less what is lost; and of it the commission.
pub(crate) fn twenty(game: &str, bet: &str, hands: Hands) -> (i64, i64) {
    let to_one = |odds: i64, wins: bool| if wins { (20 * odds, 0) } else { (-20, 0) };
    let cards = hands.player_cards + hands.banker_cards;
    let dragon = hands.player_wins() && hands.player == 7;
    let tiger = hands.banker_wins() && hands.banker == 6;
    match bet {
        "player" | "banker" if hands.is_tie() => (0, 0),
        "player" => to_one(1, hands.player_wins()),
        "banker" if !hands.banker_wins() => (-20, 0),
        // HB 5.2.1: half on six; nothing is called commission there.
        "banker" if game.ends_with("/non-commission") => (if hands.banker == 6 { 10 } else { 20 }, 0),
        "banker" => (19, 1),
        "tie" => to_one(8, hands.is_tie()),
        "player-pair" => to_one(11, hands.player_pair),
        "banker-pair" => to_one(11, hands.banker_pair),
        "lucky-6" => to_one(if hands.banker_cards == 2 { 12 } else { 20 }, tiger),
        "small-dragon" => to_one(15, dragon && hands.player_cards == 2),
        "big-dragon" => to_one(30, dragon && hands.player_cards == 3),
        "small-tiger" => to_one(22, tiger && hands.banker_cards == 2),
        "big-tiger" => to_one(50, tiger && hands.banker_cards == 3),
        "dragon-tiger" => {
            let odds = match cards {
                4 => 30,
                5 => 40,
                _ => 100,
            };
            to_one(odds, hands.player == 7 && hands.banker == 6)
        }
        "dragon-bonus-player" => dragon_bonus(hands, hands.player_wins()),
        "dragon-bonus-banker" => dragon_bonus(hands, hands.banker_wins()),
        _ => panic!("no rulebook has a bet {bet}"),
    }
}

/// DB-6: a natural pays one to one and a natural tie nothing; else the margin counts.
fn dragon_bonus(hands: Hands, wins: bool) -> (i64, i64) {
    if hands.is_natural() && hands.is_tie() {
        return (0, 0);
    }
    let odds = match hands.player.abs_diff(hands.banker) {
        _ if !wins => return (-20, 0),
        _ if hands.is_natural() => 1,
        9 => 30,
        8 => 10,
        7 => 6,
        6 => 4,
        5 => 2,
        4 => 1,
        _ => return (-20, 0),
    };
    (20 * odds, 0)
}

/// The cards that people see: the first four in draw order, then the third ones.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) initial: [Option<u8>; 4],
    pub(crate) player_third: Option<u8>,
    pub(crate) banker_third: Option<u8>,
}

/// Which bets are decided by cards that people see; what was worked out once is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decided(BTreeMap<Seen, BTreeSet<Hands>>);

impl Decided {
    /// Every way in which the round can end.
    pub(crate) fn ends(&mut self, seen: &Seen) -> &BTreeSet<Hands> {
        self.0.entry(seen.clone()).or_insert_with(|| completions(seen))
    }

    /// HDT-Q11: a wager is decided if it ends alike however the other cards fall.
    pub(crate) fn is_decided(&mut self, game: &str, bet: &str, seen: &Seen) -> bool {
        let mut ends = self.ends(seen).iter().map(|hands| twenty(game, bet, *hands));
        let first = ends.next();
        ends.all(|end| Some(end) == first)
    }
}

/// Every way in which the round can end.
fn completions(seen: &Seen) -> BTreeSet<Hands> {
    let ranks = |rank: Option<u8>| match rank {
        Some(rank) => rank..=rank,
        None => 1..=13,
    };
    // Two cards matter by their count and by being a pair.
    let two = |first: Option<u8>, second: Option<u8>| -> BTreeSet<(u8, bool, [u8; 2])> {
        let mut starts = BTreeMap::new();
        for first in ranks(first) {
            for second in ranks(second) {
                let count = (value(first) + value(second)) % 10;
                starts.insert((count, first == second), [first, second]);
            }
        }
        starts.into_iter().map(|((count, pair), cards)| (count, pair, cards)).collect()
    };
    let [p1, b1, p2, b2] = seen.initial;
    let (players, bankers) = (two(p1, p2), two(b1, b2));
    let mut ends = BTreeSet::new();
    for (_, _, [p1, p2]) in &players {
        for (_, _, [b1, b2]) in &bankers {
            let start = [*p1, *b1, *p2, *b2];
            let mut add = |more: &[u8]| ends.extend(Hands::of(&[&start[..], more].concat()));
            add(&[]);
            // A single third card is the Player's or the Banker's: try the card seen on either.
            let player_draws = (value(*p1) + value(*p2)) % 10 <= 5;
            let first = if player_draws { seen.player_third } else { seen.banker_third };
            for third in ranks(first) {
                add(&[third]);
                for last in ranks(seen.banker_third) {
                    add(&[third, last]);
                }
            }
        }
    }
    ends
}

/// HB 6.4.6: the hand insured, twice the odds, and whether it pays on a tie; by the number of cards out.
pub(crate) fn insurance_line(cards: usize, player: u8, banker: u8) -> Option<(bool, i64, bool)> {
    Some(match (cards, banker, player) {
        (4, 4, 0..=3) => (false, 3, false),
        (4, 5, 0..=4) => (false, 4, false),
        (4, 6, 0..=5) => (false, 6, false),
        (4, 7, 0..=5) => (false, 8, false),
        (4, 4, 5) => (true, 4, false),
        (4, 0..=5, 6) => (true, 6, false),
        (4, 0..=5, 7) => (true, 8, false),
        (5, 1, 1) => (false, 12, false),
        (5, 2..=6, 1) => (false, 14, false),
        (5, 3..=6, 2) => (false, 8, false),
        (5, 4, 3) => (false, 3, false),
        (5, 5, 4) => (false, 4, false),
        (5, 0..=4, 5) => (true, 4, false),
        (5, 0..=5, 6) => (true, 6, false),
        (5, 0..=6, 7) => (true, 8, false),
        (5, 0..=6, 8) => (true, 14, false),
        (5, 0..=6, 9) => (true, 18, true),
        _ => return None,
    })
}

/// A card of Niu Niu: the rank from 1 to 13, and how high its suit is, spades highest.
pub(crate) type Plain = (u8, u8);

/// NN 6.2: no hand (0), Niu 1 to 9, Niu Niu (10), Ultimate (11), Hoiana (12).
pub(crate) fn niu(hand: &[Plain]) -> u8 {
    if hand.iter().any(|(rank, _)| hand.iter().filter(|(other, _)| other == rank).count() == 4) {
        return 12;
    }
    if hand.iter().all(|(rank, _)| *rank > 10) {
        return 11;
    }
    let worth = |at: usize| hand[at].0.min(10);
    let all: u8 = (0..5).map(worth).sum();
    let mut best = 0;
    for one in 0..5 {
        for other in 0..one {
            let two = worth(one) + worth(other);
            if (all - two).is_multiple_of(10) {
                best = best.max(if two % 10 == 0 { 10 } else { two % 10 });
            }
        }
    }
    best
}

/// NN 6.2.14 to 6.2.17: the higher hand, then the highest card, then its suit.
pub(crate) fn compared(hand: &[Plain], dealer: &[Plain]) -> core::cmp::Ordering {
    (niu(hand), hand.iter().max()).cmp(&(niu(dealer), dealer.iter().max()))
}

/// NN 5.1: what twenty units win, less the commission on the higher hands.
pub(crate) fn niu_wins(bet: &str, hand: u8) -> i64 {
    match (bet, hand) {
        ("even", 6) => 10,
        ("even", _) => 20,
        ("double", 10..) => 57,
        ("double", 7..=9) => 38,
        ("super-niu", 2..) => 19 * i64::from(hand),
        _ => 20,
    }
}

/// NN 4.5.3 and 6.4: the Reserve laid, and what of it the Dealer's hand takes, in times the wager.
pub(crate) fn reserve(bet: &str, dealer: u8) -> (i64, i64) {
    match (bet, dealer) {
        ("double", 10..) => (2, 2),
        ("double", 7..=9) => (2, 1),
        ("double", _) => (2, 0),
        ("super-niu", 2..) => (11, i64::from(dealer) - 1),
        ("super-niu", _) => (11, 0),
        _ => (0, 0),
    }
}
