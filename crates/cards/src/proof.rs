//! Checking what the house reveals of a shoe against the root it published before the first hand.
//!
//! This is what a player's own check repeats, so it needs nothing but the root, the number of cards and what
//! was revealed. The layout of the hashes is in [`commitment`](crate::commitment). Whether the cards were
//! dealt in the order of their positions, from the cut on, is for the reader of the log to see.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::card::Card;
use crate::commitment::{NodeHash, Root, Salt, levels_over};

/// What shows that a card was at its position in the committed order.
///
/// [`Debug`](fmt::Debug) shows the position only, since a proof may be made before its card is revealed.
#[derive(Clone, PartialEq, Eq)]
pub struct Proof {
    /// The position in the order as loaded, from 0.
    pub position: usize,
    /// The card.
    pub card: Card,
    /// The salt of the card.
    pub salt: Salt,
    /// The neighbours on the way from the leaf to the top; a level where the hash has none is left out.
    pub path: Vec<NodeHash>,
}

impl Proof {
    /// Checks the proof against the root published for a shoe of so many cards.
    ///
    /// From the leaf up to the top: a hash with an odd index in its level is the right one and the next hash of
    /// the path the left one; with an even index it is the left one; the last hash of an odd level moves up
    /// without taking from the path. In the level above the index is half, rounded down, and the number of
    /// hashes half, rounded up. All of the path must be used.
    ///
    /// # Errors
    ///
    /// When the proof does not show that this card, with this salt, is at this position in that shoe.
    pub fn verify(&self, root: &Root, shoe_cards: usize) -> Result<(), ProofError> {
        let cards = u32::try_from(shoe_cards).map_err(|_| ProofError::TooMany { cards: shoe_cards })?;
        let position = u32::try_from(self.position).ok().filter(|position| *position < cards);
        let outside = ProofError::PositionOutside { position: self.position, cards: shoe_cards };
        let position = position.ok_or(outside)?;
        let expected = path_length(self.position, shoe_cards);
        if self.path.len() != expected {
            return Err(ProofError::PathLength { expected, found: self.path.len() });
        }

        let mut hash = NodeHash::leaf(position, self.card, &self.salt);
        let mut neighbours = self.path.iter();
        for side in sides(self.position, shoe_cards) {
            hash = match (side, side.and_then(|_| neighbours.next())) {
                (Some(Side::Left), Some(left)) => NodeHash::node(left, &hash),
                (Some(Side::Right), Some(right)) => NodeHash::node(&hash, right),
                (None, _) | (Some(_), None) => hash,
            };
        }
        if Root::new(cards, &hash) == *root { Ok(()) } else { Err(ProofError::OtherRoot) }
    }

    /// What the proof reveals.
    #[must_use]
    pub fn opening(&self) -> Opening {
        Opening { position: self.position, card: self.card, salt: self.salt.clone() }
    }
}

/// A card with its position and salt: all that a leaf is made of.
///
/// [`Debug`](fmt::Debug) shows the position only.
#[derive(Clone, PartialEq, Eq)]
pub struct Opening {
    /// The position in the order as loaded, from 0.
    pub position: usize,
    /// The card.
    pub card: Card,
    /// The salt of the card.
    pub salt: Salt,
}

/// Checks the whole order against the root: what the proofs of the dealt cards revealed, and the rest that
/// was revealed when the shoe was over, in any order. Returns the order as loaded.
///
/// That these are the cards of whole decks is what [`Shoe::new`](crate::Shoe::new) checks.
///
/// # Errors
///
/// When a position is missing, comes twice or lies outside the shoe: all of them; or when the root is that of
/// another order.
///
/// ```
/// use croupier_cards::{Commitment, Salt, parse_cards, verify_reveal};
///
/// let cards = parse_cards("AS 8H KD")?;
/// let salts = [1, 2, 3].map(|byte| Salt::from_bytes([byte; 32])).to_vec();
/// let commitment = Commitment::new(cards.clone(), salts)?;
///
/// let dealt = commitment.proof(1).ok_or("there is no card 1")?.opening();
/// let rest = commitment.reveal_all().into_iter().filter(|opening| opening.position != 1);
/// let openings: Vec<_> = rest.chain([dealt]).collect();
/// assert_eq!(verify_reveal(&commitment.root(), 3, &openings)?, cards);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub fn verify_reveal(root: &Root, shoe_cards: usize, openings: &[Opening]) -> Result<Vec<Card>, RevealError> {
    let mut sorted: Vec<&Opening> = openings.iter().collect();
    sorted.sort_by_key(|opening| opening.position);
    let places = Places::of(&sorted, shoe_cards);
    if places != Places::default() {
        return Err(RevealError::Positions {
            missing: places.missing,
            repeated: places.repeated,
            outside: places.outside,
        });
    }
    let cards = u32::try_from(sorted.len()).map_err(|_| RevealError::OtherRoot)?;
    let leaves = (0..cards).zip(&sorted);
    let leaves = leaves.map(|(position, opening)| NodeHash::leaf(position, opening.card, &opening.salt));
    let levels = levels_over(leaves.collect());
    let top = levels.last().and_then(|level| level.first());
    if top.is_some_and(|top| Root::new(cards, top) == *root) {
        Ok(sorted.iter().map(|opening| opening.card).collect())
    } else {
        Err(RevealError::OtherRoot)
    }
}

/// Why a proof does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// The shoe has 2³² cards or more, and so cannot have been committed to.
    #[error("{cards} cards are more than a position of four bytes can number")]
    TooMany {
        /// How many cards the shoe is said to have.
        cards: usize,
    },
    /// The shoe has no such position.
    #[error("position {position} is outside a shoe of {cards} cards")]
    PositionOutside {
        /// The position the proof names.
        position: usize,
        /// How many cards the shoe has.
        cards: usize,
    },
    /// The path has too few or too many hashes.
    #[error("the path has {found} hashes: at this position it has {expected}")]
    PathLength {
        /// How many there must be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// The proof leads to another root: the card, its salt, its position or the path is not what was
    /// committed to, or the root is that of another shoe.
    #[error("the proof does not lead to the published root: this card was not committed to at this position")]
    OtherRoot,
}

/// Why a reveal does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RevealError {
    /// Not every position of the shoe is revealed exactly once.
    #[error("every position must be revealed once: {}", describe_places(.missing, .repeated, .outside))]
    Positions {
        /// The positions that are not revealed.
        missing: Vec<Range<usize>>,
        /// The positions that are revealed more than once.
        repeated: Vec<usize>,
        /// The positions that the shoe does not have.
        outside: Vec<usize>,
    },
    /// A card or a salt is not what was committed to, or the root is that of another shoe.
    #[error("the cards do not lead to the published root: this order was not committed to")]
    OtherRoot,
}

/// Without card and salt.
impl fmt::Debug for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proof").field("position", &self.position).finish_non_exhaustive()
    }
}

/// Without card and salt.
impl fmt::Debug for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opening").field("position", &self.position).finish_non_exhaustive()
    }
}

/// Where the neighbour of a hash is.
#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

/// For each level below the top, where the neighbour is on the way up from this position, if there is one.
fn sides(position: usize, shoe_cards: usize) -> impl Iterator<Item = Option<Side>> {
    let below_top = |(_, size): &(usize, usize)| *size > 1;
    let levels =
        core::iter::successors(Some((position, shoe_cards)).filter(below_top), move |(index, size)| {
            Some((index / 2, size.div_ceil(2))).filter(below_top)
        });
    levels.map(|(index, size)| match index % 2 {
        1 => Some(Side::Left),
        _ if index + 1 < size => Some(Side::Right),
        _ => None,
    })
}

fn path_length(position: usize, shoe_cards: usize) -> usize {
    sides(position, shoe_cards).flatten().count()
}

#[derive(Default, PartialEq, Eq)]
struct Places {
    missing: Vec<Range<usize>>,
    repeated: Vec<usize>,
    outside: Vec<usize>,
}

impl Places {
    fn of(sorted: &[&Opening], shoe_cards: usize) -> Self {
        let mut places = Self::default();
        let mut next = 0;
        for opening in sorted {
            let position = opening.position;
            if position >= shoe_cards {
                places.outside.push(position);
            } else if position < next {
                places.repeated.push(position);
            } else {
                places.skip(next..position);
                next = position + 1;
            }
        }
        places.skip(next..shoe_cards);
        places.repeated.dedup();
        places.outside.dedup();
        places
    }

    fn skip(&mut self, positions: Range<usize>) {
        if !positions.is_empty() {
            self.missing.push(positions);
        }
    }
}

fn describe_places(missing: &[Range<usize>], repeated: &[usize], outside: &[usize]) -> String {
    let mut kinds = Vec::new();
    if !missing.is_empty() {
        let missing = missing.iter().map(|range| match range.len() {
            1 => format!("{}", range.start),
            _ => format!("{} to {}", range.start, range.end - 1),
        });
        kinds.push(format!("missing {}", missing.collect::<Vec<_>>().join(", ")));
    }
    for (kind, positions) in [("repeated", repeated), ("outside the shoe", outside)] {
        if !positions.is_empty() {
            let positions: Vec<String> = positions.iter().map(ToString::to_string).collect();
            kinds.push(format!("{kind} {}", positions.join(", ")));
        }
    }
    kinds.join("; ")
}
