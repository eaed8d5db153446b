//! The rulebooks at hand: the five that come with Croupier, and those an operator adds.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::load::Faults;
use crate::rulebook::{Game, Rulebook};

/// The texts of the rulebooks that come with Croupier, by file name.
const STANDARD: [(&str, &str); 5] = [
    ("hoiana-baccarat.toml", include_str!("../../../rulebooks/hoiana-baccarat.toml")),
    ("hoiana-dragon-tiger.toml", include_str!("../../../rulebooks/hoiana-dragon-tiger.toml")),
    ("mbs-dragon-tiger.toml", include_str!("../../../rulebooks/mbs-dragon-tiger.toml")),
    ("horseshoe-dragon-bonus.toml", include_str!("../../../rulebooks/horseshoe-dragon-bonus.toml")),
    ("hoiana-niu-niu.toml", include_str!("../../../rulebooks/hoiana-niu-niu.toml")),
];

/// The texts of the rulebooks that come with Croupier.
pub fn standard_texts() -> impl Iterator<Item = &'static str> {
    STANDARD.into_iter().map(|(_, text)| text)
}

/// Rulebooks by id.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Library {
    rulebooks: Vec<Arc<Rulebook>>,
}

/// Why a rulebook cannot be added.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LibraryError {
    /// The file is faulty.
    #[error(transparent)]
    Faults(#[from] Faults),
    /// There is one with that id.
    #[error("there is already a rulebook `{0}`; give this one an id of its own")]
    Taken(String),
}

impl Library {
    /// The rulebooks that come with Croupier.
    ///
    /// # Panics
    /// Never in a tested build: each is checked by a test.
    #[must_use]
    pub fn standard() -> Self {
        let mut library = Self::default();
        for (name, text) in STANDARD {
            #[expect(clippy::panic, reason = "a fault in a shipped rulebook is a programmer's mistake")]
            library.add(text).unwrap_or_else(|error| panic!("rulebooks/{name}:{error}"));
        }
        library
    }

    /// Adds a rulebook from TOML.
    ///
    /// # Errors
    /// [`LibraryError`]; the library is then unchanged.
    pub fn add(&mut self, text: &str) -> Result<&Rulebook, LibraryError> {
        let rulebook = Rulebook::parse(text)?;
        if self.rulebooks.iter().any(|other| other.id == rulebook.id) {
            return Err(LibraryError::Taken(rulebook.id.to_string()));
        }
        self.rulebooks.push(Arc::new(rulebook));
        Ok(&self.rulebooks[self.rulebooks.len() - 1])
    }

    /// The rulebooks, shared so that tables can hold on to theirs.
    #[must_use]
    pub fn rulebooks(&self) -> &[Arc<Rulebook>] {
        &self.rulebooks
    }

    /// All games of all rulebooks.
    pub fn games(&self) -> impl Iterator<Item = &Game> {
        self.rulebooks.iter().flat_map(|rulebook| &rulebook.games)
    }

    /// The game with that id.
    #[must_use]
    pub fn game(&self, id: &str) -> Option<&Game> {
        self.find(id).map(|(_, game)| game)
    }

    /// The game with that id and its rulebook.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<(&Arc<Rulebook>, &Game)> {
        self.rulebooks.iter().find_map(|rulebook| rulebook.game(id).map(|game| (rulebook, game)))
    }
}
