//! What all parts of the floor share.

use std::sync::Arc;

use croupier_journal::{Keys, StoreError};
use tokio::sync::watch;

use crate::denials::Denials;
use crate::figures::Theories;
use crate::readers::Readers;
use crate::second::SecondBooks;
use crate::till::Till;

/// The means of a floor.
#[derive(Debug)]
pub struct Shared {
    /// The books and the writer.
    pub till: Till,
    /// The books that follow what is written; they end after the till.
    pub books: SecondBooks,
    /// For reading.
    pub readers: Readers,
    /// The secrets.
    pub keys: Arc<Keys>,
    /// What was refused lately for want of authority.
    pub denials: Denials,
    /// What the exact odds say of the games.
    pub theories: Arc<Theories>,
}

impl Shared {
    /// The means of a floor.
    #[must_use]
    pub fn new(till: Till, books: SecondBooks, readers: Readers, keys: Arc<Keys>) -> Self {
        Self { till, books, readers, keys, denials: Denials::default(), theories: Arc::default() }
    }

    /// Tells when nothing can be written any more: the server then stops.
    #[must_use]
    pub fn failure(&self) -> watch::Receiver<Option<Arc<StoreError>>> {
        self.till.watch()
    }
}
