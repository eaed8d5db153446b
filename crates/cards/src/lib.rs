//! Cards, the shoe they are dealt from, and how its order comes about and is proved afterwards.
//!
//! Everything here is pure: no input or output, no clock, no source of randomness of its own. What a card
//! is worth and what a hand is called are a rulebook's business and live elsewhere.
//!
//! | module | what it holds |
//! |---|---|
//! | [`card`] | a card: rank and suit |
//! | [`notation`] | how cards are written: `8S`, `TS`, `AH` |
//! | [`composition`] | how many of each card there are, in any order |
//! | [`shoe`] | the ordered cards: cut, burn, cut card, draw |
//! | [`shuffle`] | every order equally likely |
//! | [`commitment`] | one hash, published before the first hand, that fixes the order |
//! | [`proof`] | what shows that a card was at its place in the committed order |
//!
//! A shoe from the factory to the first card:
//!
//! ```
//! use croupier_cards::{Composition, Decks, Shoe};
//!
//! let decks = Decks::new(8)?;
//! let order: Vec<_> = Composition::of_decks(decks).cards().collect();
//! let mut shoe = Shoe::new(decks, order)?;
//! shoe.cut(100)?;
//! shoe.place_cut_card(14)?;
//! let burned = shoe.burn(1)?;
//! assert_eq!(burned.len(), 1);
//! assert_eq!(shoe.remaining(), 415);
//! assert!(shoe.draw().is_some());
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

// The derive of the schemas writes paths of the standard library, so they alone bring it in.
#![cfg_attr(not(feature = "openapi"), no_std)]
#![warn(clippy::as_conversions, clippy::float_arithmetic, clippy::wildcard_enum_match_arm)]
#![cfg_attr(not(test), warn(clippy::indexing_slicing))]

extern crate alloc;

pub mod card;
pub mod commitment;
pub mod composition;
pub mod hex;
pub mod notation;
#[cfg(feature = "openapi")]
pub mod openapi;
pub mod proof;
#[cfg(feature = "serde")]
pub mod serial;
pub mod shoe;
pub mod shuffle;

pub use card::{Card, Rank, Suit};
pub use commitment::{CommitError, Commitment, CommitmentError, NodeHash, Root, Salt};
pub use composition::{Composition, CompositionError, Decks, DecksError};
pub use hex::ParseHexError;
pub use notation::{ParseCardError, ParseCardsError, parse_cards};
pub use proof::{Opening, Proof, ProofError, RevealError, verify_reveal};
pub use shoe::{Burned, CutCard, Drawn, Shoe, ShoeError};
