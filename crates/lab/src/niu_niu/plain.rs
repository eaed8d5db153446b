//! The plain way: every multiset of five ranks against every other, 38 million pairs, the suits counted out
//! where they decide. Slow and beyond doubt; what is fast is checked against it.

use croupier_rules::niu_niu::{BoxOutcome, BoxWinner, Category};

use super::NiuNiuHistogram;
use super::deck::NiuNiuDeck;
use super::multiset::{self, HAND};

/// Five ranks that the deck has.
struct Ranks {
    /// Each rank with how many cards of it, highest first.
    runs: Vec<(usize, usize)>,
    category: Category,
    ways: u64,
}

/// The histogram of a deck by pairing hands.
#[must_use]
pub fn histogram(deck: &NiuNiuDeck) -> NiuNiuHistogram {
    let all = all_ranks(deck);
    let mut ways = [0; BoxOutcome::COUNT];
    let mut hands = [0; Category::ALL.len()];
    let suits = SuitTable::new();
    let mut left = deck.counts().map(usize::from);
    for hand in &all {
        hands[hand.category.index()] += hand.ways;
        hand.runs.iter().for_each(|(rank, count)| left[*rank] -= count);
        for dealer in &all {
            let dealers: u64 =
                dealer.runs.iter().map(|(rank, count)| suits.choices[left[*rank]][*count]).product();
            if dealers == 0 {
                continue;
            }
            let deals = hand.ways * dealers;
            let won = deals_won(&suits, deck, hand, dealer, deals);
            let mut add = |winner, deals| {
                ways[BoxOutcome { hand: hand.category, dealer: dealer.category, winner }.index()] += deals;
            };
            add(BoxWinner::Player, won);
            add(BoxWinner::Dealer, deals - won);
        }
        hand.runs.iter().for_each(|(rank, count)| left[*rank] += count);
    }
    NiuNiuHistogram { ways, hands }
}

/// How many of the deals of these two the box wins: by category, then by the highest rank, then by its suits.
fn deals_won(suits: &SuitTable, deck: &NiuNiuDeck, hand: &Ranks, dealer: &Ranks, deals: u64) -> u64 {
    let (rank, own) = hand.runs[0];
    let (dealer_rank, dealers) = dealer.runs[0];
    match (hand.category, rank).cmp(&(dealer.category, dealer_rank)) {
        core::cmp::Ordering::Less => 0,
        core::cmp::Ordering::Greater => deals,
        core::cmp::Ordering::Equal => {
            let left = usize::from(deck.counts()[rank]);
            let all = suits.choices[left][own] * suits.choices[left - own][dealers];
            deals / all * suits.won[left][own][dealers]
        }
    }
}

fn all_ranks(deck: &NiuNiuDeck) -> Vec<Ranks> {
    let mut all = Vec::new();
    multiset::each(HAND, &mut |ranks| {
        let ways = multiset::ways(deck, ranks);
        let (Ok(hand), true) = (ranks.try_into(), ways > 0) else { return };
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for rank in ranks.iter().rev().map(|rank| usize::from(*rank)) {
            match runs.last_mut() {
                Some((last, count)) if *last == rank => *count += 1,
                _ => runs.push((rank, 1)),
            }
        }
        all.push(Ranks { runs, category: multiset::category(hand), ways });
    });
    all
}

/// The suits of one rank, up to four of them, counted out.
struct SuitTable {
    /// By how many suits are left and wanted: the ways to choose them.
    choices: [[u64; 5]; 5],
    /// By how many suits are left, the box's and the Dealer's: the ways in which the box has the best of them.
    won: [[[u64; 5]; 5]; 5],
}

impl SuitTable {
    fn new() -> Self {
        let mut table = Self { choices: [[0; 5]; 5], won: [[[0; 5]; 5]; 5] };
        let bits = |set: usize| (0..4).filter(|suit| set >> suit & 1 == 1).count();
        for left in 0..5 {
            for own in 0..1_usize << left {
                table.choices[left][bits(own)] += 1;
                // A better suit is a higher bit: of two sets with none in common the larger has the best.
                for dealers in (0..own).filter(|dealers| dealers & own == 0) {
                    table.won[left][bits(own)][bits(dealers)] += 1;
                }
            }
        }
        table
    }
}
