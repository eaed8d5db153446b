//! The state as shown, which follows the disk: answers, finished rounds, and the views of everybody.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use croupier_journal::replay::begins_round;
use croupier_journal::{By, StoreError};
use croupier_table::{Event, Fact, apply};

use super::{BETWEEN_BUSY_VIEWS, BETWEEN_VIEWS, BUSY, InFlight, TableTask, has_cards_out};
use crate::clock;
use crate::rounds::RoundKept;
use crate::table::dealer::Dealer;
use crate::table::publish::Published;
use crate::table::{Receipt, Refused};

impl TableTask {
    /// Commands are durable: now they are shown and answered.
    pub(super) fn take_commit(&mut self, commands: usize, result: Result<(), Arc<StoreError>>) {
        for _ in 0..commands {
            let Some(command) = self.in_flight.pop_front() else { return };
            match &result {
                Ok(()) => {
                    let InFlight { by, receipt, events, replies, .. } = command;
                    self.show(by, receipt, events);
                    self.durable.store(receipt.sequence, Ordering::Release);
                    replies.into_iter().for_each(|reply| reply.tell(Ok(receipt)));
                }
                Err(why) => {
                    let refused = || Err(Refused::not_written(why));
                    command.replies.into_iter().for_each(|reply| reply.tell(refused()));
                }
            }
        }
    }

    pub(super) fn show(&mut self, by: By, receipt: Receipt, events: Vec<Event>) {
        let moment = &mut self.moment;
        self.live.follow(&mut self.shown, (receipt.at, by), &events, |table, event| {
            moment.follow(&event.fact);
            apply(table, event);
        });
        if begins_round(&events) {
            self.round_from = receipt.sequence;
        }
        if !has_cards_out(&self.shown) {
            while self.open_from.front().is_some_and(|from| *from <= receipt.sequence) {
                self.open_from.pop_front();
            }
            self.tell_open_from();
        }
        self.shown_sequence = receipt.sequence;
        self.is_dirty = true;
        let is_closed = events.iter().any(|event| matches!(event.fact, Fact::RoundClosed { .. }));
        self.unseen.extend(events);
        if is_closed {
            metrics::counter!("croupier_rounds_total").increment(1);
            self.look();
            let kept = RoundKept::new(&self.shown, &self.views, self.round_from, receipt);
            let changes = kept.changes(self.id);
            match &mut self.following {
                Some(following) => following.keep(receipt.sequence, changes),
                None => self.rounds.extend(changes),
            }
        }
    }

    pub(super) fn tell_open_from(&self) {
        let from = self.open_from.front().copied().unwrap_or(u64::MAX);
        self.open_from_told.store(from, Ordering::Release);
    }

    /// Brings the views up to what is shown.
    fn look(&mut self) {
        self.views.update(&self.shown, &self.unseen);
        self.unseen.clear();
    }

    pub(super) fn view_due(&self) -> Option<Instant> {
        let since = self.shown_sequence.saturating_sub(self.published_sequence);
        let pause = if since > BUSY { BETWEEN_BUSY_VIEWS } else { BETWEEN_VIEWS };
        self.is_dirty.then(|| self.last_published + pause)
    }

    pub(super) fn publish(&mut self) {
        if self.view_due().is_none_or(|due| Instant::now() < due) {
            return;
        }
        self.is_dirty = false;
        self.published_sequence = self.shown_sequence;
        self.last_published = Instant::now();
        let deadline = self.dealer.as_ref().and_then(Dealer::deadline);
        let previous = Arc::clone(&self.published.borrow());
        self.look();
        self.live.lies(&self.shown);
        let views = self.views.clone();
        let now =
            Published::new(self.shown_sequence, clock::now(), deadline, self.moment, views, Some(previous));
        self.published.send_replace(Arc::new(now));
    }
}
