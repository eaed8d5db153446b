//! Electronic shoes: what they report, and how a report becomes a command at their table.
//!
//! A shoe numbers its reports from 1. A number is used up when the report is taken, and only then: what the table
//! refuses may be sent again with the same number, or something else in its place. A report that was taken and is
//! sent again is answered as it was before, because its number is part of the id of the command in the journal.
//! So a shoe that waits for the answer to one report before it sends the next loses nothing and repeats nothing,
//! however bad its line is.

pub mod api;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use croupier_cards::Card;
use croupier_journal::deed::CardSource;
use croupier_journal::{By, CommandId, Deed, Store, StoreError, Stream, Via};
use croupier_ledger::TableId;
use croupier_rules::Rulebook;
use croupier_rules::baccarat::Side;
use croupier_table::command::Holder;
use croupier_table::{Action, Actor};
use serde::{Deserialize, Serialize};

use crate::floor::Floor;
use crate::problem::Problem;
use crate::table::{Receipt, Refused, Said};

/// What the ids of commands begin with that come from devices. Nobody else may use such an id.
const PREFIX: &str = "device-";

/// A report of a shoe.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[schema(as = DeviceReport)]
pub struct Report {
    /// Its number, from 1.
    #[schema(minimum = 1)]
    pub sequence: u64,
    /// What happened.
    pub signal: Signal,
}

/// What happened at a shoe.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[schema(as = DeviceSignal)]
pub enum Signal {
    /// A card came out and was read.
    CardRead {
        /// The card.
        card: Card,
        /// The hand it was laid on, if the device sees that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        laid: Option<Side>,
        /// It was laid face up although it goes face down.
        #[serde(default)]
        exposed: bool,
    },
    /// Several cards came out together.
    DoubleRead {
        /// The cards; in their order, if it is known.
        cards: Vec<Card>,
        /// Whether the order is known.
        order_known: bool,
    },
    /// A card came out and could not be read.
    Unreadable {
        /// The hand it was laid on, if the device sees that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        laid: Option<Side>,
    },
    /// A packet of Niu Niu came out.
    PacketRead {
        /// To whom it goes.
        to: Holder,
        /// Its cards.
        cards: Vec<Card>,
    },
    /// The cut card came out.
    CutCard,
    /// The count of the cards that are left. If it is what the table expects, that is recorded and nothing else.
    CountMismatch {
        /// How many there are.
        left: u16,
    },
    /// Nothing more comes out.
    Empty,
    /// It is jammed.
    Jam,
    /// It must be reset.
    Reset {
        /// Because of a Dealer's mistake.
        dealer_error: bool,
    },
    /// The power was gone.
    PowerLost,
}

impl Signal {
    /// The command that it is at the table.
    #[must_use]
    pub fn action(&self) -> Action {
        match self {
            Self::CardRead { card, laid, exposed } => {
                Action::Draw { card: Some(*card), laid: *laid, exposed: *exposed }
            }
            Self::DoubleRead { cards, order_known } => {
                Action::DrawTogether { cards: cards.clone(), order_known: *order_known }
            }
            Self::Unreadable { laid } => Action::Draw { card: None, laid: *laid, exposed: false },
            Self::PacketRead { to, cards } => Action::DealPacket { to: *to, cards: cards.clone() },
            Self::CutCard => Action::CutCardOut,
            Self::CountMismatch { left } => Action::CountShoe { left: *left },
            Self::Empty => Action::ShoeEmpty,
            Self::Jam => Action::Report(croupier_table::Report::Jam),
            Self::Reset { dealer_error } => {
                Action::Report(croupier_table::Report::DeviceReset { dealer_error: *dealer_error })
            }
            Self::PowerLost => Action::Report(croupier_table::Report::PowerFailure),
        }
    }
}

/// That a report was taken and is durable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = DeviceReportTaken)]
pub struct Taken {
    /// Its line in the stream of the table.
    pub line: u64,
    /// When it was taken, in milliseconds since 1970.
    pub at: u64,
    /// The number of the next report.
    pub next: u64,
}

/// Why a report was not taken.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NotTaken {
    /// There is no such table.
    #[error("there is no table {0}")]
    NoTable(TableId),
    /// The cards of the table come from software.
    #[error("the cards of table {0} are shuffled by software; no device reports to it")]
    NotFed(TableId),
    /// Numbers begin with 1.
    #[error("reports are numbered from 1")]
    NoNumber,
    /// Reports before this one are missing.
    #[error("report {sequence} came, and {expected} is the next; send what is missing first")]
    Gap {
        /// The number that came.
        sequence: u64,
        /// The next one.
        expected: u64,
    },
    /// The number belongs to another report.
    #[error("number {sequence} was used for another report; {expected} is the next")]
    Used {
        /// The number that came.
        sequence: u64,
        /// The next one.
        expected: u64,
    },
    /// The table did not take it; the number is still free.
    #[error("{refused}")]
    Refused {
        /// Why.
        refused: Refused,
        /// The number that the next report has, which is the same again.
        expected: u64,
    },
}

impl NotTaken {
    /// As a problem document.
    #[must_use]
    pub fn problem(&self, rulebook: Option<&Rulebook>) -> Problem {
        let conflict =
            |code: &str, expected: u64| Problem::conflict(code, self.to_string()).with("expected", expected);
        match self {
            Self::NoTable(_) => Problem::not_found(self.to_string()),
            Self::NotFed(_) => Problem::refused("not-fed", self.to_string()),
            Self::NoNumber => Problem::bad_request("bad-sequence", self.to_string()),
            Self::Gap { expected, .. } => conflict("sequence-gap", *expected),
            Self::Used { expected, .. } => conflict("sequence-used", *expected),
            Self::Refused { refused, expected } => {
                let problem = match (refused, rulebook) {
                    (Refused::Table(refusal), None) => Problem::refused(refusal.code(), refusal.to_string()),
                    (refused, Some(rulebook)) => Problem::of_refused(rulebook, refused),
                    (refused, None) => {
                        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", refused.to_string())
                    }
                };
                problem.with("expected", *expected)
            }
        }
    }
}

/// The lines to the devices of all tables: the next number of each.
#[derive(Clone, Debug, Default)]
pub struct Devices {
    lines: Arc<Mutex<BTreeMap<TableId, Arc<tokio::sync::Mutex<u64>>>>>,
}

impl Devices {
    /// The lines as the journal has them: the number after the last report that was taken. It blocks while it reads.
    ///
    /// # Errors
    /// What the store says.
    pub fn load(floor: &Floor) -> Result<Self, StoreError> {
        let devices = Self::default();
        devices.read(floor)?;
        Ok(devices)
    }

    /// Reads the lines anew: another node has taken reports meanwhile.
    ///
    /// # Errors
    /// What the store says.
    pub(crate) fn read(&self, floor: &Floor) -> Result<(), StoreError> {
        let mut lines = BTreeMap::new();
        for table in floor.tables().iter().filter(|table| table.opened.cards == CardSource::Feed) {
            let last = floor.shared.readers.read_here(|store| last_taken(store, table.id))?;
            lines.insert(table.id, Arc::new(tokio::sync::Mutex::new(last + 1)));
        }
        *self.lines.lock().unwrap_or_else(PoisonError::into_inner) = lines;
        Ok(())
    }

    /// Takes a report of the device of a table. It is durable when this returns.
    ///
    /// # Errors
    /// Why it was not taken.
    pub async fn report(&self, floor: &Floor, id: TableId, report: &Report) -> Result<Taken, NotTaken> {
        self.report_by(floor, id, report, None).await
    }

    /// The same, with the token by which the device is known.
    ///
    /// # Errors
    /// Why it was not taken.
    pub async fn report_by(
        &self,
        floor: &Floor,
        id: TableId,
        report: &Report,
        via: Option<Via>,
    ) -> Result<Taken, NotTaken> {
        let table = floor.table(id).ok_or(NotTaken::NoTable(id))?;
        if table.opened.cards != CardSource::Feed {
            return Err(NotTaken::NotFed(id));
        }
        let sequence = report.sequence;
        if sequence == 0 {
            return Err(NotTaken::NoNumber);
        }
        // One report at a time, so that a repeated one finds the first in the journal.
        let mut next = self.line(id).lock_owned().await;
        let expected = *next;
        if sequence > expected {
            return Err(NotTaken::Gap { sequence, expected });
        }
        let command = command_id(sequence).ok_or(NotTaken::NoNumber)?;
        let action = report.signal.action();
        if sequence < expected {
            return repeated(floor, id, command, &action, sequence, expected).await;
        }
        // On a task of its own: if the shoe goes away after the table has taken the report, the number is used up
        // nevertheless.
        let task = tokio::spawn(async move {
            let said = Said { answers: None, via };
            match table.carry_out(Some(command), Actor::Device, action, said).await {
                Ok(receipt) => {
                    *next = expected + 1;
                    metrics::counter!("croupier_device_reports_total").increment(1);
                    Ok(taken(receipt, expected + 1))
                }
                Err(Refused::OtherCommand { .. }) => Err(NotTaken::Used { sequence, expected }),
                Err(refused) => {
                    metrics::counter!("croupier_device_reports_refused_total").increment(1);
                    Err(NotTaken::Refused { refused, expected })
                }
            }
        });
        // It ends early only with the runtime.
        task.await.unwrap_or(Err(NotTaken::Refused { refused: Refused::Unknown, expected }))
    }

    /// The number of the next report of a table's device.
    pub async fn expected(&self, table: TableId) -> u64 {
        *self.line(table).lock().await
    }

    /// A table that was opened since begins with 1.
    fn line(&self, table: TableId) -> Arc<tokio::sync::Mutex<u64>> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(lines.entry(table).or_insert_with(|| Arc::new(tokio::sync::Mutex::new(1))))
    }
}

/// Whether only a device may give a command this id: anybody else could take the number of its next report.
#[must_use]
pub fn is_reserved(id: &CommandId) -> bool {
    id.as_str().starts_with(PREFIX)
}

fn command_id(sequence: u64) -> Option<CommandId> {
    CommandId::new(&format!("{PREFIX}{sequence}")).ok()
}

/// The last report that was taken of a table's device. Numbers have no gaps, so a few steps find it among any number.
fn last_taken(store: &mut dyn Store, table: TableId) -> Result<u64, StoreError> {
    let mut is_taken = |sequence: u64| match command_id(sequence) {
        Some(id) => store.find(Stream::Table(table), &id).map(|found| found.is_some()),
        None => Ok(false),
    };
    let (mut last, mut step) = (0_u64, 1_u64);
    while is_taken(last + step)? {
        last += step;
        step *= 2;
    }
    // Not so far, and at least so far.
    while step > 1 {
        step /= 2;
        if is_taken(last + step)? {
            last += step;
        }
    }
    Ok(last)
}

const fn taken(receipt: Receipt, next: u64) -> Taken {
    Taken { line: receipt.sequence, at: receipt.at, next }
}

/// The answer to a report whose number is used up: the same as before, if it is the same report.
async fn repeated(
    floor: &Floor,
    id: TableId,
    command: CommandId,
    action: &Action,
    sequence: u64,
    expected: u64,
) -> Result<Taken, NotTaken> {
    let found = floor.shared.readers.read(move |store| store.find(Stream::Table(id), &command)).await;
    let journal =
        |error: StoreError| NotTaken::Refused { refused: Refused::Journal(Arc::new(error)), expected };
    let record = found.map_err(journal)?.and_then(|row| row.record().ok());
    match record {
        Some(record) if record.by == By::Device && record.deed == Deed::Table(action.clone()) => {
            Ok(taken(Receipt { sequence: record.sequence, at: record.at }, expected))
        }
        Some(_) | None => Err(NotTaken::Used { sequence, expected }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_report_is_found_among_any_number() {
        use croupier_journal::envelope::Envelope;
        use croupier_journal::{Head, Location};

        let stream = Stream::Table(TableId(3));
        let deed = Deed::Table(Action::CutCardOut);
        let (mut head, mut rows) = (Head::START, Vec::new());
        for count in 0..70_u64 {
            let mut store = Location::memory().open().unwrap();
            store.commit(1, &rows, &[]).unwrap();
            assert_eq!(last_taken(&mut *store, TableId(3)).unwrap(), count);
            assert_eq!(last_taken(&mut *store, TableId(4)).unwrap(), 0);
            let id = command_id(count + 1).unwrap();
            rows.push(head.append(stream, &Envelope::plain(id, 0, By::Device.into(), &deed)));
        }
    }

    #[test]
    fn ids_of_devices_are_theirs_alone() {
        let reserved = |text: &str| CommandId::new(text).is_ok_and(|id| is_reserved(&id));
        assert!(reserved("device-1"));
        assert!(reserved("device-later"));
        assert!(!reserved("devices-1"));
        assert!(command_id(u64::MAX).is_some());
    }

    #[test]
    fn reports_have_one_text_form() {
        let check = |text: &str| {
            let report: Result<Report, _> = serde_json::from_str(text);
            report.ok().and_then(|report| serde_json::to_string(&report).ok()).unwrap_or_default()
        };
        for text in [
            r#"{"sequence":1,"signal":{"card-read":{"card":"8S","laid":"banker","exposed":false}}}"#,
            r#"{"sequence":2,"signal":{"double-read":{"cards":["8S","KD"],"order_known":true}}}"#,
            r#"{"sequence":3,"signal":{"unreadable":{}}}"#,
            r#"{"sequence":4,"signal":"cut-card"}"#,
            r#"{"sequence":5,"signal":{"count-mismatch":{"left":300}}}"#,
            r#"{"sequence":6,"signal":"empty"}"#,
            r#"{"sequence":7,"signal":"jam"}"#,
            r#"{"sequence":8,"signal":{"reset":{"dealer_error":true}}}"#,
            r#"{"sequence":9,"signal":"power-lost"}"#,
        ] {
            assert_eq!(check(text), text);
        }
        for bad in [
            r#"{"sequence":1}"#,
            r#"{"sequence":-1,"signal":"jam"}"#,
            r#"{"sequence":1,"signal":"jam","at":3}"#,
            r#"{"sequence":1,"signal":{"card-read":{"card":"8S","hand":"banker"}}}"#,
            r#"{"sequence":1,"signal":{"card-read":{"card":"1S"}}}"#,
        ] {
            assert_eq!(check(bad), "", "{bad}");
        }
    }
}
