//! A shoe shuffled by software: its order and salts, sealed until it is over.

use core::num::NonZeroU64;

use croupier_cards::{Card, Commitment, Decks, Salt, shuffle};
use serde::{Deserialize, Serialize};

use crate::deed::{RevealShoe, ShownCard};
use crate::keys::{KeyError, Keys};

/// The register of sealed shoes.
pub const REGISTER: &str = "sealed-shoe";

/// The key of a shoe in the register, which is also the name it is sealed under.
#[must_use]
pub fn name(table: croupier_ledger::TableId, shoe: u32) -> String {
    format!("table/{table}/shoe/{shoe}")
}

/// The table and the number that a name says.
#[must_use]
pub fn named(name: &str) -> Option<(croupier_ledger::TableId, u32)> {
    let (table, number) = name.strip_prefix("table/")?.split_once("/shoe/")?;
    Some((croupier_ledger::TableId(table.parse().ok()?), number.parse().ok()?))
}

/// The whole of a shoe, in the order as committed to.
///
/// Debug does not show it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecretShoe {
    cards: Vec<ShownCard>,
}

impl core::fmt::Debug for SecretShoe {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SecretShoe").field("cards", &self.cards.len()).finish_non_exhaustive()
    }
}

/// Randomness of the operating system.
struct System;

impl rand_core::TryRng for System {
    type Error = getrandom::Error;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        getrandom::u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        getrandom::u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        getrandom::fill(bytes)
    }
}

impl rand_core::TryCryptoRng for System {}

impl SecretShoe {
    /// A shoe shuffled with the randomness of the operating system.
    ///
    /// # Errors
    /// When the system gives none.
    pub fn shuffled(decks: Decks) -> Result<Self, KeyError> {
        let cards = shuffle::try_shuffled_decks(&mut System, decks)?;
        let cards = cards.into_iter().map(|card| Salt::draw(&mut System).map(|salt| ShownCard(card, salt)));
        Ok(Self { cards: cards.collect::<Result<_, _>>()? })
    }

    /// A place to cut at for whoever leaves it to the software.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub fn cut_anywhere(&self) -> Result<u16, KeyError> {
        let places = NonZeroU64::new(u64::try_from(self.cards.len()).unwrap_or(0).saturating_sub(1));
        let place = places.map_or(Ok(0), |places| shuffle::try_below(&mut System, places))?;
        Ok(u16::try_from(place + 1).unwrap_or(1))
    }

    /// How many cards it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cards.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }

    /// The commitment to its order.
    #[must_use]
    pub fn commitment(&self) -> Option<Commitment> {
        let cards = self.cards.iter().map(|ShownCard(card, _)| *card).collect();
        let salts = self.cards.iter().map(|ShownCard(_, salt)| salt.clone()).collect();
        Commitment::new(cards, salts).ok()
    }

    /// The place in the order as committed to of the card that is drawn when `drawn` are out, with `above` cards
    /// above the cut.
    #[must_use]
    pub fn place(&self, above: u16, drawn: usize) -> Option<usize> {
        (drawn < self.cards.len()).then(|| (usize::from(above) + drawn) % self.cards.len())
    }

    /// The card at a place.
    #[must_use]
    pub fn card(&self, place: usize) -> Option<Card> {
        self.cards.get(place).map(|ShownCard(card, _)| *card)
    }

    /// All of it, for when the shoe is over.
    #[must_use]
    pub fn reveal(&self, shoe: u32) -> RevealShoe {
        RevealShoe { shoe, cards: self.cards.clone() }
    }

    /// Its sealed form.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub fn seal(&self, keys: &Keys, name: &str) -> Result<Vec<u8>, KeyError> {
        let open = serde_json::to_vec(self).map_err(|_| KeyError::Sealed(name.to_string()))?;
        keys.seal(name, &open)
    }

    /// A shoe from its sealed form.
    ///
    /// # Errors
    /// When it was sealed by another key or under another name, or changed.
    pub fn unseal(keys: &Keys, name: &str, sealed: &[u8]) -> Result<Self, KeyError> {
        let open = keys.unseal(name, sealed)?;
        serde_json::from_slice(&open).map_err(|_| KeyError::Sealed(name.to_string()))
    }
}
