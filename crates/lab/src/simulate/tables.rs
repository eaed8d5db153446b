//! What six drawn ranks come to, as tables: who draws, how many cards are used, which class it is.
//!
//! The tables are made by playing every combination through [`Deal`], so the drawing rules are written
//! nowhere else. Rounds are counted in cells finer than classes, because that saves a lookup for each round:
//! where the Banker draws the sixth card, its rank is part of the cell.

use croupier_cards::{Card, Rank, Suit};
use croupier_rules::baccarat::{Deal, Outcome, Side};

/// How many cells there are at most; a power of two, so that a masked number needs no further check.
pub(crate) const CELLS: usize = 8192;
/// Two-card hands that play alike: ten counts, and five more that come with a pair.
const HANDS: usize = 15;

/// The tables.
pub(crate) struct Tables {
    /// By both ranks of the Player's first two cards: which kind of hand, times 256.
    player: [u16; 256],
    /// By both ranks of the Banker's first two cards: which kind of hand, times 16.
    banker: [u16; 256],
    /// By both kinds and the rank of the fifth card: the [`Entry`].
    entry: Box<[Entry; 4096]>,
    /// The class of each cell; cells that no cards lead to have none.
    class: Vec<Option<Outcome>>,
}

/// What four cards and a possible fifth lead to.
#[derive(Clone, Copy, Default)]
struct Entry {
    cell: u16,
    /// All ones if the rank of the sixth card is to be added, else zero.
    sixth: u8,
    cards: u8,
}

/// Where a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Landing {
    /// Its cell, below [`CELLS`].
    pub(crate) cell: usize,
    /// The cards it took.
    pub(crate) cards: usize,
}

impl Tables {
    pub(crate) fn new() -> Self {
        let mut tables = Self {
            player: [0; 256],
            banker: [0; 256],
            entry: Box::new([Entry::default(); 4096]),
            class: Vec::new(),
        };
        let mut kinds: Vec<((u8, bool), [Rank; 2])> = Vec::new();
        for first in Rank::ALL {
            for second in Rank::ALL {
                let key = kind([first, second]);
                let number = kinds.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
                    kinds.push((key, [first, second]));
                    kinds.len() - 1
                });
                let place = first.index() * 16 + second.index();
                tables.player[place] = narrow(number * 256);
                tables.banker[place] = narrow(number * 16);
            }
        }
        debug_assert_eq!(kinds.len(), HANDS);
        let mut ended: Vec<Option<u16>> = vec![None; Outcome::COUNT];
        let mut waiting: Vec<((u8, u8, u8, u8), u16)> = Vec::new();
        for (player, (_, player_ranks)) in kinds.iter().enumerate() {
            for (banker, (_, banker_ranks)) in kinds.iter().enumerate() {
                let four = [player_ranks[0], banker_ranks[0], player_ranks[1], banker_ranks[1]];
                for fifth in Rank::ALL {
                    let deal = played(&four.iter().copied().chain([fifth]).collect::<Vec<_>>());
                    tables.entry[player * 256 + banker * 16 + fifth.index()] = match deal.outcome() {
                        Some(outcome) => {
                            let cell = *ended[outcome.index()].get_or_insert_with(|| {
                                tables.class.push(Some(outcome));
                                narrow(tables.class.len() - 1)
                            });
                            Entry { cell, sixth: 0, cards: outcome.total_cards() }
                        }
                        None => {
                            let key = (
                                deal.points(Side::Player),
                                deal.points(Side::Banker),
                                deal.is_pair(Side::Player).into(),
                                deal.is_pair(Side::Banker).into(),
                            );
                            let known =
                                waiting.iter().find(|(other, _)| *other == key).map(|(_, cell)| *cell);
                            let cell = known.unwrap_or_else(|| {
                                let cell = narrow(tables.class.len());
                                waiting.push((key, cell));
                                tables.class.extend(Rank::ALL.map(|sixth| after(deal, sixth).outcome()));
                                cell
                            });
                            Entry { cell, sixth: u8::MAX, cards: 6 }
                        }
                    };
                }
            }
        }
        assert!(tables.class.len() <= CELLS, "the cells fit their number");
        tables
    }

    /// Where six cards, given as rank numbers below 13 in draw order, lead; the last two may go unused.
    #[inline(always)]
    pub(crate) fn landing(&self, ranks: [u8; 6]) -> Landing {
        let [p1, b1, p2, b2, fifth, sixth] = ranks;
        let hands = self.player[usize::from(p1 << 4 | p2)] | self.banker[usize::from(b1 << 4 | b2)];
        let entry = self.entry[usize::from(hands | u16::from(fifth)) & 4095];
        let cell = usize::from(entry.cell) + usize::from(sixth & entry.sixth);
        Landing { cell: cell & (CELLS - 1), cards: usize::from(entry.cards) }
    }

    /// The class of a cell, as a number.
    pub(crate) fn class(&self, cell: usize) -> Option<Outcome> {
        self.class.get(cell).copied().flatten()
    }

    /// Adds what was counted by cell to counts by class.
    pub(crate) fn fold(&self, cells: &[u32; CELLS], classes: &mut [u64]) {
        for (class, count) in self.class.iter().zip(cells) {
            if let Some(class) = class {
                classes[class.index()] += u64::from(*count);
            }
        }
    }
}

/// Two cards by what the rules see of them.
fn kind([first, second]: [Rank; 2]) -> (u8, bool) {
    let points = croupier_rules::baccarat::points([card(first), card(second)]);
    (points, first == second)
}

/// A round with these cards, as far as the rules take them.
fn played(ranks: &[Rank]) -> Deal {
    ranks.iter().fold(Deal::default(), |deal, rank| after(deal, *rank))
}

fn after(mut deal: Deal, rank: Rank) -> Deal {
    // A card that no hand may take stays in the shoe.
    let _ = deal.draw(card(rank));
    deal
}

/// Suits play no part in baccarat.
fn card(rank: Rank) -> Card {
    Card::new(rank, Suit::Spades)
}

fn narrow(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All 4,826,809 sequences of six ranks.
    #[test]
    fn the_tables_are_the_drawing_rules() {
        let tables = Tables::new();
        for number in 0..13_usize.pow(6) {
            let ranks = [0, 1, 2, 3, 4, 5].map(|place| number / 13_usize.pow(place) % 13);
            let deal = played(&ranks.map(|rank| Rank::ALL[rank]));
            let landing = tables.landing(ranks.map(|rank| u8::try_from(rank).unwrap()));
            assert_eq!(tables.class(landing.cell), deal.outcome());
            assert_eq!(landing.cards, deal.draws().len());
        }
    }
}
