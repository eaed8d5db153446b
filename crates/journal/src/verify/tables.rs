//! Tables: every event and every posting is derived again from the command, under the rulebook of the journal.

use std::collections::BTreeMap;

use croupier_ledger::{Account, Entry, PlayerId, TransferId};
use croupier_rules::{Amount, Basis};
use croupier_table::table::Player;
use croupier_table::{Command, Event, Fact, Table, decide};

use super::line::Line;
use super::money::{Money, new_id};
use super::shoes::{Shoes, Wrong};
use super::{Differences, Finding, TableSummary};
use crate::deed::{CardSource, Deed, OpenTable};
use crate::envelope::Head;
use crate::replay::Replayed;
use crate::shelf::Shelf;
use crate::stream::Stream;

/// A table that is followed.
pub(super) struct TableAudit {
    pub(super) replayed: Replayed,
    pub(super) shoes: Shoes,
    /// What disputes moved at this table, which the table itself does not know.
    corrections: BTreeMap<Account, i64>,
    rounds: u64,
    wagers: u64,
    pub(super) events: u64,
    uncommitted: Vec<u32>,
    /// Another version of the engine posted something else, so that the books here are not those of the journal.
    books_differ: bool,
    /// Kept from line to line, so that it need not be made anew.
    text: Vec<u8>,
}

impl TableAudit {
    /// The table that a line opens.
    pub(super) fn open(shelf: &Shelf, line: &Line, opened: &OpenTable) -> Result<Self, Finding> {
        let Stream::Table(id) = line.record.stream else {
            return Err(Finding::at(line, "opens no table"));
        };
        let head = Head { sequence: line.record.sequence, hash: line.hash };
        let replayed = Replayed::open(id, shelf, opened.clone(), head)
            .map_err(|what| Finding::at(line, format!("opens no table: {what}")))?;
        Ok(Self {
            replayed,
            shoes: Shoes::default(),
            corrections: BTreeMap::new(),
            rounds: 0,
            wagers: 0,
            events: 0,
            uncommitted: Vec::new(),
            books_differ: false,
            text: Vec::new(),
        })
    }

    /// Follows a command to the table: what it did, and what that does to the books.
    pub(super) fn follow(&mut self, line: &mut Line, differences: &mut Differences) -> Result<(), Finding> {
        let actor =
            line.record.by.actor().ok_or_else(|| Finding::at(line, "is by nobody who acts at a table"))?;
        // The deed is needed no more.
        let Deed::Table(action) = core::mem::replace(&mut line.record.deed, Deed::Stop) else {
            return Err(Finding::at(line, "is no command to a table"));
        };
        let command = Command { actor, at: line.seconds(), action };
        let derived = decide(&self.replayed.table, &command).map_err(|refusal| {
            let clauses = self.clauses(&refusal.cites);
            Finding::at(line, format!("is a command that the rules refuse: {refusal}")).by(clauses)
        });
        let derived = derived.and_then(|events| self.same_events(line, &events).map(|()| events));
        let events = match derived {
            Ok(events) => events,
            Err(finding) => {
                differences.note(line, finding)?;
                // What was recorded is what is followed.
                written(line)?
            }
        };
        self.apply(line, &events)?;
        let mut next = line.record.postings.iter().find_map(new_id).unwrap_or(TransferId(0));
        let batch = self.replayed.books.batch(&events, &mut next);
        let finding = if batch.entries != line.record.postings {
            Finding::at(line, posting_differs(&batch.entries, &line.record.postings))
        } else if batch.closes != line.record.closes {
            Finding::at(line, "closes another round than its events")
        } else {
            return Ok(());
        };
        self.books_differ = true;
        differences.note(line, finding)
    }

    /// What is written is what follows. The same text is the same events; where the form has changed since, they
    /// are read and compared.
    fn same_events(&mut self, line: &Line, events: &[Event]) -> Result<(), Finding> {
        self.text.clear();
        if serde_json::to_writer(&mut self.text, events).is_ok() && self.text == line.events() {
            return Ok(());
        }
        let written = written(line)?;
        if written == events {
            return Ok(());
        }
        let differs = written.iter().zip(events).position(|(written, due)| written != due);
        let at = differs.unwrap_or(written.len().min(events.len()));
        let said = |event: Option<&Event>| {
            let json = event.and_then(|event| serde_json::to_string(&event.fact).ok());
            json.unwrap_or_else(|| "nothing".to_string())
        };
        let what = format!(
            "event {} is recorded as {}, and the rules give {}",
            at + 1,
            said(written.get(at)),
            said(events.get(at))
        );
        let cites = events.get(at).map_or(&[][..], |event| event.cites.as_slice());
        Err(Finding::at(line, what).by(self.clauses(cites)))
    }

    fn apply(&mut self, line: &Line, events: &[Event]) -> Result<(), Finding> {
        for event in events {
            let place = (line.record.sequence, line.position);
            let noted = self.shoes.before(&self.replayed.table, &event.fact, place);
            noted.map_err(|what| Finding::at(line, what))?;
            self.replayed.apply(core::slice::from_ref(event));
            self.shoes.after(&self.replayed.table, &event.fact);
            match &event.fact {
                Fact::WagerEnded { .. } | Fact::InsuranceEnded { .. } => self.wagers += 1,
                Fact::RoundClosed { .. } => self.rounds += 1,
                Fact::ShoeLoaded { number, commitment: None, .. }
                    if self.replayed.opened.cards == CardSource::Software =>
                {
                    self.uncommitted.push(*number);
                }
                _ => {}
            }
        }
        self.events += u64::try_from(events.len()).unwrap_or(0);
        Ok(())
    }

    /// A shoe of the table is shown.
    pub(super) fn reveal(&mut self, line: &Line) -> Result<(), Finding> {
        let Deed::RevealShoe(reveal) = &line.record.deed else {
            return Err(Finding::at(line, "shows no shoe"));
        };
        self.shoes.reveal(self.replayed.table.setup.decks, reveal).map_err(|wrong| match wrong {
            Wrong::Reveal(what) => Finding::at(line, what),
            Wrong::Earlier(sequence, position, what) => Finding {
                position: Some(position),
                stream: Some(line.record.stream),
                sequence: Some(sequence),
                what,
                clauses: Vec::new(),
            },
        })
    }

    /// A dispute moved money at this table.
    pub(super) fn correct(&mut self, entry: &Entry) {
        let Entry::Direct(transfer) = entry else { return };
        for (account, change) in
            [(transfer.from, -transfer.amount.minor()), (transfer.to, transfer.amount.minor())]
        {
            let own = match account {
                Account::Float(table) | Account::Chips { table, .. } => table == self.replayed.table.id,
                _ => false,
            };
            if own {
                *self.corrections.entry(account).or_default() += change;
            }
        }
    }

    /// The table and the books agree on the chips.
    pub(super) fn balanced(&self, line: &Line, money: &Money) -> Result<(), Finding> {
        if self.books_differ {
            // That was told; the ledger itself is checked at the end.
            return Ok(());
        }
        let Replayed { table, books, .. } = &self.replayed;
        let agreed = if self.corrections.is_empty() {
            books.balanced(table, &money.ledger)
        } else {
            books.balanced(&self.corrected(), &money.ledger)
        };
        agreed.map_err(|mismatch| Finding::at(line, format!("the table and the books differ: {mismatch}")))
    }

    /// The table with what disputes moved.
    fn corrected(&self) -> Table {
        let mut table = self.replayed.table.clone();
        for (account, change) in &self.corrections {
            let change = Amount::new(*change).unwrap_or(Amount::ZERO);
            match account {
                Account::Float(_) => table.float += change,
                Account::Chips { player, .. } => give(&mut table, *player, change),
                _ => {}
            }
        }
        table
    }

    /// The names of clauses.
    pub(super) fn clauses(&self, cites: &[Basis]) -> Vec<String> {
        let index = &self.replayed.table.rulebook().index;
        cites.iter().map(|basis| index.id(*basis).to_string()).collect()
    }

    pub(super) fn summary(&self, sequence: u64) -> TableSummary {
        let Replayed { table, opened, .. } = &self.replayed;
        TableSummary {
            table: table.id,
            name: opened.name.clone(),
            game: opened.opening.game.clone(),
            sequence,
            rounds: self.rounds,
            wagers: self.wagers,
            fingerprint: table.fingerprint(),
        }
    }

    pub(super) fn warnings(&self) -> Vec<String> {
        let table = &self.replayed.table;
        let unshown: Vec<u32> = self.shoes.unshown(table.shoe.number).collect();
        [
            (unshown, "over and never shown, so that its cards cannot be checked"),
            (self.uncommitted.clone(), "dealt by software without a commitment to its order"),
        ]
        .into_iter()
        .filter_map(|(shoes, what)| {
            let (first, more) = shoes.split_first()?;
            let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
            Some(format!("table/{}: shoe {first} was {what}{more}", table.id))
        })
        .collect()
    }
}

/// The events as they are recorded.
fn written(line: &Line) -> Result<Vec<Event>, Finding> {
    serde_json::from_slice(line.events())
        .map_err(|error| Finding::at(line, format!("has events that are none: {error}")))
}

/// More chips for a player, who may have left the table.
fn give(table: &mut Table, id: PlayerId, change: Amount) {
    match table.players.iter_mut().find(|player| player.id == id) {
        Some(player) => player.chips += change,
        None => table.players.push(Player {
            id,
            seat: None,
            behind: None,
            chips: change,
            warned: false,
            accepted_notice: false,
            one_box_from: None,
            barred: false,
            owes: Amount::ZERO,
        }),
    }
}

fn posting_differs(due: &[Entry], posted: &[Entry]) -> String {
    let differs = due.iter().zip(posted).position(|(due, posted)| due != posted);
    let at = differs.unwrap_or(due.len().min(posted.len()));
    let said = |entry: Option<&Entry>| {
        entry.and_then(|entry| serde_json::to_string(entry).ok()).unwrap_or_else(|| "nothing".to_string())
    };
    format!("posting {} is {}, and its events give {}", at + 1, said(posted.get(at)), said(due.get(at)))
}
