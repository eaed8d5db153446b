//! The rulebooks that a floor has or a journal was written under, by the hash of their text.

use std::sync::Arc;

use croupier_rules::load::Faults;
use croupier_rules::{Game, Rulebook};

use crate::hash::Hash;

/// A rulebook with its text.
#[derive(Clone, Debug)]
pub struct Volume {
    /// The hash of the text.
    pub hash: Hash,
    /// The text, as TOML.
    pub text: Arc<str>,
    /// What it says.
    pub rulebook: Arc<Rulebook>,
}

/// Rulebooks, the newest of each id last.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    volumes: Vec<Volume>,
}

impl Shelf {
    /// The rulebooks that come with Croupier.
    ///
    /// # Errors
    /// Never in a tested build.
    pub fn standard() -> Result<Self, Faults> {
        let mut shelf = Self::default();
        for text in croupier_rules::library::standard_texts() {
            shelf.add(text)?;
        }
        Ok(shelf)
    }

    /// Adds a rulebook, which from now on is the one its games are opened under: a text that is there already
    /// becomes the newest again.
    ///
    /// # Errors
    /// All faults of the text.
    pub fn add(&mut self, text: &str) -> Result<Hash, Faults> {
        let hash = Hash::of(text.as_bytes());
        let known = self.volumes.iter().position(|volume| volume.hash == hash);
        let volume = match known {
            Some(at) => self.volumes.remove(at),
            None => Volume { hash, text: text.into(), rulebook: Arc::new(Rulebook::parse(text)?) },
        };
        self.volumes.push(volume);
        Ok(hash)
    }

    /// Whether the rulebook with that hash is the one that all of its games are opened under.
    #[must_use]
    pub fn is_in_force(&self, hash: Hash) -> bool {
        let is_it = |found: Option<&Volume>| found.is_some_and(|found| found.hash == hash);
        self.volume(hash).is_some_and(|Volume { rulebook, .. }| {
            let mut games = rulebook.games.iter();
            is_it(self.newest(&rulebook.id))
                && games.all(|game| is_it(self.find(&game.id).map(|(found, _)| found)))
        })
    }

    /// All of them, in the order they came.
    #[must_use]
    pub fn volumes(&self) -> &[Volume] {
        &self.volumes
    }

    /// The one with that hash.
    #[must_use]
    pub fn volume(&self, hash: Hash) -> Option<&Volume> {
        self.volumes.iter().find(|volume| volume.hash == hash)
    }

    /// The newest rulebook with that id.
    #[must_use]
    pub fn newest(&self, id: &str) -> Option<&Volume> {
        self.volumes.iter().rev().find(|volume| volume.rulebook.id == id)
    }

    /// The newest rulebook that has this game.
    #[must_use]
    pub fn find(&self, game: &str) -> Option<(&Volume, &Game)> {
        self.volumes.iter().rev().find_map(|volume| volume.rulebook.game(game).map(|game| (volume, game)))
    }

    /// The newest of each rulebook, in the order they came.
    pub fn current(&self) -> impl Iterator<Item = &Volume> {
        self.volumes.iter().enumerate().filter_map(|(at, volume)| {
            let id = &volume.rulebook.id;
            let replaced = self.volumes.iter().skip(at + 1).any(|later| later.rulebook.id == *id);
            (!replaced).then_some(volume)
        })
    }
}
