//! What all parts of the floor share.

use std::sync::Arc;

use croupier_journal::{Keys, StoreError};
use tokio::sync::watch;

use crate::readers::Readers;
use crate::till::Till;

/// The means of a floor.
#[derive(Debug)]
pub struct Shared {
    /// The books and the writer.
    pub till: Till,
    /// For reading.
    pub readers: Readers,
    /// The secrets.
    pub keys: Keys,
    /// Set once nothing can be written any more.
    failed: watch::Sender<Option<Arc<StoreError>>>,
}

impl Shared {
    /// The means of a floor.
    #[must_use]
    pub fn new(till: Till, readers: Readers, keys: Keys) -> Self {
        Self { till, readers, keys, failed: watch::Sender::new(None) }
    }

    /// Nothing can be written any more: the server stops, and starts again from what is on the disk.
    pub(crate) fn fail(&self, why: &Arc<StoreError>) {
        tracing::error!(%why, "the journal cannot be written; the floor stops");
        self.failed.send_if_modified(|failed| {
            let first = failed.is_none();
            failed.get_or_insert_with(|| Arc::clone(why));
            first
        });
    }

    /// Tells when it failed.
    #[must_use]
    pub fn failure(&self) -> watch::Receiver<Option<Arc<StoreError>>> {
        self.failed.subscribe()
    }
}
