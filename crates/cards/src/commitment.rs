//! A commitment to the order of a shoe: one hash, published before the first hand, that fixes every card.
//!
//! Each card is hashed with its position and a random salt of its own, so that the hash of a card says
//! nothing about the card; the hashes are the leaves of a Merkle tree. Checking what the house reveals
//! against the published root is in [`proof`](crate::proof). Where the commitment is published and where the
//! salts are kept is not decided here.
//!
//! # Layout
//!
//! All hashes are SHA-256. `‖` joins bytes; numbers are unsigned, most significant byte first. A card is the
//! byte `4 × rank + suit` with the ranks A 2 3 4 5 6 7 8 9 T J Q K from 0 and the suits S H C D from 0.
//! Positions count from 0 in the order as loaded, before the cut.
//!
//! | hash | of these bytes | bytes |
//! |---|---|---|
//! | leaf | `00 ‖ position (4) ‖ card (1) ‖ salt (32)` | 38 |
//! | node | `01 ‖ left (32) ‖ right (32)` | 65 |
//! | root | `02 ‖ number of cards (4) ‖ top (32)` | 37 |
//!
//! Level 0 is the leaves in order of position. Each next level joins the hashes of the level below two by
//! two, from the left: hash `i` is the node of hashes `2i` and `2i + 1`. Where the last hash has no
//! neighbour it moves up unchanged. This makes the tree of RFC 6962, section 2.1. The level with a single
//! hash is the top; with one card the top is its leaf. The root seals the number of cards together with the
//! top, so that a proof cannot be passed off in a shoe of another size.
//!
//! # Test vector
//!
//! Three cards, `AS` with salt `01` × 32, `8H` with salt `02` × 32 and `KD` with salt `03` × 32:
//!
//! ```text
//! leaf 0   0e520c71003837c036192cc4855114a6e36743367b7e85627b0f1daffd7f77dc
//! leaf 1   a0f797dd89690e1b8f758aa4b9596f84f71456e492d6823e43df43a5e54d3761
//! leaf 2   42944fdccbe1775b427af8917907b7b7ffb748984b25a697cebb824dbbe001be
//! node 0,1 5824e631822fc6fe3d107db6d2cf372222fefe765c2248a266484552219d00dd
//! top      3be466ac37dd938f28b16bbb7658adac4940651870aa5ef1f6b5c0080a62c1cb
//! root     a8c5510a49b50479f686a33c584d9354498025f54a8184d3bceb3288222eea2c
//! ```
//!
//! The proof of position 0 has the path leaf 1, leaf 2; that of position 2 has the path node 0,1.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use rand_core::TryCryptoRng;
use sha2::{Digest, Sha256};

use crate::card::Card;
use crate::hex::{self, ParseHexError};
use crate::proof::{Opening, Proof};

/// What the house keeps of a commitment: the cards, their salts and the tree over them.
///
/// It knows the whole shoe: it belongs in a sealed store, and its [`Debug`](fmt::Debug) shows only the root.
///
/// ```
/// use croupier_cards::{Commitment, Salt, parse_cards};
///
/// let cards = parse_cards("AS 8H KD")?;
/// let salts = [1, 2, 3].map(|byte| Salt::from_bytes([byte; 32])).to_vec();
/// let commitment = Commitment::new(cards, salts)?;
/// let root = commitment.root();
/// assert_eq!(root.to_string(), "a8c5510a49b50479f686a33c584d9354498025f54a8184d3bceb3288222eea2c");
///
/// let proof = commitment.proof(1).ok_or("there is no card 1")?;
/// proof.verify(&root, 3)?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Commitment {
    cards: Vec<Card>,
    salts: Vec<Salt>,
    /// The levels of the tree from the leaves to the top; the last has one hash.
    levels: Vec<Vec<NodeHash>>,
    root: Root,
}

impl Commitment {
    /// Commits to the cards in this order, each with its salt.
    ///
    /// Salts must come from a cryptographic source and be used once; [`Commitment::commit_with`] sees to it.
    ///
    /// # Errors
    ///
    /// When there is no card, when there are as many as a position cannot number, or when cards and salts
    /// are not equally many.
    pub fn new(cards: Vec<Card>, salts: Vec<Salt>) -> Result<Self, CommitmentError> {
        if cards.len() != salts.len() {
            return Err(CommitmentError::Salts { cards: cards.len(), salts: salts.len() });
        }
        let number = u32::try_from(cards.len()).map_err(|_| CommitmentError::TooMany)?;
        let leaves = (0..number).zip(&cards).zip(&salts);
        let leaves = leaves.map(|((position, card), salt)| NodeHash::leaf(position, *card, salt)).collect();
        let levels = levels_over(leaves);
        let top = levels.last().and_then(|level| level.first()).ok_or(CommitmentError::Empty)?;
        let root = Root::new(number, top);
        Ok(Self { cards, salts, levels, root })
    }

    /// Commits to the cards in this order, with salts drawn from a cryptographic source.
    ///
    /// # Errors
    ///
    /// As [`Commitment::new`], and the source's own.
    pub fn commit_with<R: TryCryptoRng + ?Sized>(
        rng: &mut R,
        cards: Vec<Card>,
    ) -> Result<Self, CommitError<R::Error>> {
        let salts: Result<Vec<Salt>, R::Error> = cards.iter().map(|_| Salt::draw(rng)).collect();
        Ok(Self::new(cards, salts.map_err(CommitError::Source)?)?)
    }

    /// The hash to publish.
    #[must_use]
    pub const fn root(&self) -> Root {
        self.root
    }

    /// How many cards it commits to.
    #[must_use]
    pub fn cards(&self) -> usize {
        self.cards.len()
    }

    /// What shows which card is at this position, to be given out when the card is revealed and not before;
    /// none if there is no such position.
    #[must_use]
    pub fn proof(&self, position: usize) -> Option<Proof> {
        let card = *self.cards.get(position)?;
        let salt = self.salts.get(position)?.clone();
        let mut index = position;
        let mut path = Vec::new();
        for level in &self.levels {
            // The neighbour to the right of an even index, to the left of an odd one.
            path.extend(level.get(index ^ 1).copied());
            index /= 2;
        }
        Some(Proof { position, card, salt, path })
    }

    /// Everything, in order of position, to be given out when the shoe is over and not before.
    /// Whoever has seen the proofs of the dealt cards needs only the rest of it.
    #[must_use]
    pub fn reveal_all(&self) -> Vec<Opening> {
        let openings = self.cards.iter().zip(&self.salts).enumerate();
        openings
            .map(|(position, (card, salt))| Opening { position, card: *card, salt: salt.clone() })
            .collect()
    }
}

/// Without cards and salts.
impl fmt::Debug for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Commitment").field("root", &self.root).finish_non_exhaustive()
    }
}

/// The published hash of a shoe's order, written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Root([u8; 32]);

impl Root {
    pub(crate) fn new(cards: u32, top: &NodeHash) -> Self {
        Self(
            Sha256::new()
                .chain_update([2])
                .chain_update(cards.to_be_bytes())
                .chain_update(top.0)
                .finalize()
                .into(),
        )
    }

    /// The root with these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// The hash of a leaf or of a node, written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeHash([u8; 32]);

impl NodeHash {
    pub(crate) fn leaf(position: u32, card: Card, salt: &Salt) -> Self {
        let bytes = Sha256::new().chain_update([0]).chain_update(position.to_be_bytes());
        Self(bytes.chain_update([card.to_byte()]).chain_update(salt.0).finalize().into())
    }

    pub(crate) fn node(left: &Self, right: &Self) -> Self {
        Self(Sha256::new().chain_update([1]).chain_update(left.0).chain_update(right.0).finalize().into())
    }

    /// The hash with these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// The random bytes that hide a card until it is revealed. [`Debug`](fmt::Debug) does not show them.
#[derive(Clone, PartialEq, Eq)]
pub struct Salt([u8; 32]);

impl Salt {
    /// A fresh salt.
    ///
    /// # Errors
    ///
    /// The source's own.
    pub fn draw<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut bytes = [0; 32];
        rng.try_fill_bytes(&mut bytes)?;
        Ok(Self(bytes))
    }

    /// The salt with these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// As 64 hexadecimal digits, to be published with its card.
    #[must_use]
    pub fn to_hex(&self) -> String {
        hex::encode(&self.0)
    }
}

/// Without the bytes.
impl fmt::Debug for Salt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Salt(..)")
    }
}

impl FromStr for Salt {
    type Err = ParseHexError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        hex::decode(text).map(Self)
    }
}

/// Why there can be no commitment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommitmentError {
    /// There are no cards.
    #[error("there are no cards to commit to")]
    Empty,
    /// There are 2³² cards or more.
    #[error("there are more cards than a position of four bytes can number")]
    TooMany,
    /// There is not one salt for each card.
    #[error("{cards} cards and {salts} salts: each card needs one salt")]
    Salts {
        /// How many cards there are.
        cards: usize,
        /// How many salts there are.
        salts: usize,
    },
}

/// Why there can be no commitment with salts from this source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommitError<E> {
    /// The cards are at fault.
    #[error(transparent)]
    Commitment(#[from] CommitmentError),
    /// The source of randomness failed.
    #[error("the source of randomness failed: {0}")]
    Source(E),
}

/// The levels of the tree from the leaves to the top.
pub(crate) fn levels_over(leaves: Vec<NodeHash>) -> Vec<Vec<NodeHash>> {
    let mut levels = Vec::new();
    let mut level = leaves;
    while level.len() > 1 {
        let (pairs, odd) = level.as_chunks::<2>();
        let above = pairs.iter().map(|[left, right]| NodeHash::node(left, right)).chain(odd.iter().copied());
        let above = above.collect();
        levels.push(level);
        level = above;
    }
    levels.push(level);
    levels
}

macro_rules! written_in_hexadecimal {
    ($($hash:ident)*) => {$(
        impl fmt::Display for $hash {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&hex::encode(&self.0))
            }
        }

        impl fmt::Debug for $hash {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($hash), "({})"), self)
            }
        }

        impl FromStr for $hash {
            type Err = ParseHexError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                hex::decode(text).map(Self)
            }
        }
    )*};
}

written_in_hexadecimal! { Root NodeHash }
