//! Commands that were perhaps given before: whoever repeats one has the answer it had.
//!
//! An id that was used lately is in [`Known`](crate::table::known::Known). Where that has forgotten ids, the unique
//! index of the store is asked before a command is decided, about all commands that came together at once.

use croupier_journal::deed::CardSource;
use croupier_journal::{By, CommandId, Deed, Row, StoreError};
use tokio::sync::{mpsc, oneshot};

use super::TableTask;
use crate::table::{Asked, Message, Receipt, Refused, dealer};

/// Messages, and the lines that the store has of their commands.
pub(super) struct LookedUp {
    pub(super) messages: Vec<Message>,
    pub(super) found: Result<Vec<Row>, StoreError>,
}

/// Waits for the store, if it is asked something.
pub(super) async fn looked_up(looking_up: &mut Option<oneshot::Receiver<LookedUp>>) -> Option<LookedUp> {
    let answer = match looking_up {
        Some(answer) => answer.await,
        None => core::future::pending().await,
    };
    *looking_up = None;
    // It ends untold only with the runtime; dropped messages say by themselves that nobody knows.
    answer.ok()
}

impl TableTask {
    /// Whether only the store knows if some of the commands are new.
    pub(super) fn must_look_up(&self, messages: &[Message]) -> bool {
        self.following.is_none() && messages.iter().filter_map(id).any(|id| self.known.cannot_say(id))
    }

    /// Asks the store about the commands; what is left to be taken now is nothing.
    pub(super) fn look_up(&mut self, messages: Vec<Message>) -> Vec<Message> {
        let ids: Vec<CommandId> =
            messages.iter().filter_map(id).filter(|id| self.known.cannot_say(id)).cloned().collect();
        let (readers, stream) = (self.shared.readers.clone(), self.stream);
        let (sender, answer) = oneshot::channel();
        self.looking_up = Some(answer);
        tokio::spawn(async move {
            let found = readers.read(move |store| store.find_all(stream, &ids)).await;
            // The task is gone only when the server stops.
            let _ = sender.send(LookedUp { messages, found });
        });
        Vec::new()
    }

    /// Answers the commands that the store has; the others are to be taken.
    pub(super) fn answer_known(
        &self,
        messages: Vec<Message>,
        found: Result<Vec<Row>, StoreError>,
    ) -> Vec<Message> {
        let source = self.front.opened.cards;
        let found = found.map_err(|error| {
            tracing::error!(%error, "whether commands were given before cannot be looked up");
        });
        let mut to_take = Vec::with_capacity(messages.len());
        for message in messages {
            let row = match (id(&message), &found) {
                (Some(id), Ok(found)) => found.iter().find(|row| row.id == *id),
                // Nothing was done now, and nobody knows of before.
                (Some(id), Err(())) if self.known.cannot_say(id) => {
                    if let Message::Command(asked) = message {
                        asked.reply.tell(Err(Refused::Unknown));
                    }
                    continue;
                }
                (_, _) => None,
            };
            match (message, row) {
                (Message::Command(asked), Some(row)) => {
                    let answer = answer(source, row, &asked);
                    asked.reply.tell(answer);
                }
                (message, _) => to_take.push(message),
            }
        }
        to_take
    }

    /// A command whose id was perhaps used lately: the answer is the one it had, if it is the same command.
    pub(super) fn repeat(&mut self, id: CommandId, asked: Asked) {
        let source = self.front.opened.cards;
        if let Some(known) = self.in_flight.iter_mut().find(|known| known.id == id) {
            if is_same(source, known.by, &known.deed, &asked) {
                known.replies.push(asked.reply);
            } else {
                asked.reply.tell(Err(Refused::OtherCommand { sequence: known.receipt.sequence }));
            }
            return;
        }
        let (readers, stream, again) = (self.shared.readers.clone(), self.stream, self.inbox_sender.clone());
        tokio::spawn(async move {
            let found = readers.read(move |store| store.find(stream, &id)).await;
            match found {
                Ok(Some(row)) => {
                    let answer = answer(source, &row, &asked);
                    asked.reply.tell(answer);
                }
                // Two ids with the same hash: this one is new.
                Ok(None) => {
                    if let Some(sender) = again.upgrade()
                        && let Err(mpsc::error::SendError(Message::Checked(asked))) =
                            sender.send(Message::Checked(asked)).await
                    {
                        asked.reply.tell(Err(Refused::Stopping));
                    }
                }
                Err(error) => {
                    tracing::error!(%error, "what became of a command cannot be looked up");
                    asked.reply.tell(Err(Refused::Unknown));
                }
            }
        });
    }
}

/// The id of a command that is not known to be new.
fn id(message: &Message) -> Option<&CommandId> {
    match message {
        Message::Command(asked) => asked.id.as_ref(),
        Message::Checked(_)
        | Message::Follow(_)
        | Message::Lead(..)
        | Message::Stop(_)
        | Message::Preview(..)
        | Message::Prove(..) => None,
    }
}

/// Whether what was done is what is asked again, by the same.
fn is_same(source: CardSource, by: By, deed: &Deed, asked: &Asked) -> bool {
    match deed {
        Deed::Table(action) => by == By::from(asked.actor) && dealer::is_same(source, action, &asked.action),
        _ => false,
    }
}

/// The answer to a command whose id has a line: the one it had, if it is the same command.
fn answer(source: CardSource, row: &Row, asked: &Asked) -> Result<Receipt, Refused> {
    match row.record() {
        Ok(record) if is_same(source, record.by, &record.deed, asked) => {
            Ok(Receipt { sequence: record.sequence, at: record.at })
        }
        Ok(_) | Err(_) => Err(Refused::OtherCommand { sequence: row.sequence }),
    }
}
