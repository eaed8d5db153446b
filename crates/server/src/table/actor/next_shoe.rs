//! The shoe after the one in play, shuffled, committed to and sealed before anybody asks for it.
//!
//! Shuffling, hashing and sealing some four hundred cards takes a few thousandths of a second, in which a table would
//! not answer. Once half of a shoe is out, the next one is made ready on a thread beside it. Nobody is told of it, and
//! nothing of it is kept, before it is loaded; a shoe that is asked for earlier is made then.

use std::sync::Arc;

use croupier_journal::Keys;
use croupier_journal::deed::CardSource;
use croupier_table::Table;
use tokio::sync::oneshot;

use super::TableTask;
use crate::table::Refused;
use crate::table::dealer::{self, Loads};

/// The next shoe, or the wish for one.
#[derive(Default)]
pub(super) enum NextShoe {
    /// Nobody has asked for one yet.
    #[default]
    None,
    /// It is being made, or ready; its number is told.
    Made(u32, oneshot::Receiver<Option<Loads>>),
}

impl NextShoe {
    /// The next shoe of a table: the one that is ready, or else one that is made now.
    pub(super) fn take(&mut self, keys: &Keys, table: &Table) -> Result<Loads, Refused> {
        let ready = match core::mem::take(self) {
            Self::Made(number, mut made) if number == table.shoe.number + 1 => made.try_recv().ok().flatten(),
            Self::Made(..) | Self::None => None,
        };
        ready.map_or_else(|| dealer::shuffled(keys, table.id, table.shoe.number + 1, table.setup.decks), Ok)
    }

    /// Has the next shoe made once half of this one is out.
    fn prepare(&mut self, keys: &Arc<Keys>, table: &Table) {
        let (id, number, decks) = (table.id, table.shoe.number + 1, table.setup.decks);
        let is_due = table.shoe.left > 0 && u32::from(table.shoe.left) * 2 <= u32::from(decks) * 52;
        if !is_due || matches!(self, Self::Made(made, _) if *made == number) {
            return;
        }
        let (sender, made) = oneshot::channel();
        *self = Self::Made(number, made);
        let keys = Arc::clone(keys);
        tokio::task::spawn_blocking(move || {
            // The table may have had its shoe replaced meanwhile, and wants another one then.
            let _ = sender.send(dealer::shuffled(&keys, id, number, decks).ok());
        });
    }
}

impl TableTask {
    /// Sees to it that the next shoe is ready when it is needed.
    pub(super) fn mind_next_shoe(&mut self) {
        if self.front.opened.cards == CardSource::Software {
            self.next_shoe.prepare(&self.shared.keys, &self.front.table);
        }
    }
}
