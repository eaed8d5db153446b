//! From commands to lines: what is decided, posted and handed to the writer.
//!
//! A command is decided here, in the table's own time. While the till is held its entries are posted, the lines of
//! streams that others write to as well are written, and a place in the queue is taken. The line of the table itself is
//! written into that place afterwards. Nobody else changes what was decided on: the state of a table is its task's alone,
//! and the one thing that it shares, the wallets, is looked at when the entries are posted.

use std::sync::Arc;

use croupier_journal::deed::{CardSource, Denied, WalletChange};
use croupier_journal::envelope::{Envelope, Happened};
use croupier_journal::replay::begins_round;
use croupier_journal::writer::Promise;
use croupier_journal::{Author, By, Change, CommandId, Deed, Row, Stream, shoe};
use croupier_ledger::Account;
use croupier_rules::Basis;
use croupier_table::books::Batch as Posted;
use croupier_table::{Action, Actor as Who, Command, Event, Fact, decide};

use super::{BETWEEN_SNAPSHOTS, Batch, InFlight, TableTask, has_cards_out, keep};
use crate::table::dealer::{self, InPlay, Loads};
use crate::table::{Asked, Behalf, Refused, Reply, Said};
use crate::till::Inside;

impl TableTask {
    /// Decides commands and hands what came of them to the writer. Whether the last one was accepted.
    pub(super) fn process(&mut self, commands: Vec<(Asked, bool)>) -> bool {
        let mut accepted = false;
        if commands.is_empty() {
            return accepted;
        }
        let mut batch = Batch { changes: std::mem::take(&mut self.rounds), commands: 0 };
        for (asked, checked) in commands {
            accepted = self.execute(&mut batch, asked, checked);
        }
        let Batch { changes, commands } = batch;
        metrics::counter!("croupier_commands_total").increment(commands);
        if !changes.is_empty() {
            self.shared.till.give(changes, Box::new(|_| ()));
        }
        self.mind_next_shoe();
        accepted
    }

    /// Decides one command; whether it was accepted.
    fn execute(&mut self, batch: &mut Batch, asked: Asked, checked: bool) -> bool {
        if let Some(id) = &asked.id
            && !checked
            && self.known.may_have(id)
        {
            self.repeat(id.clone(), asked);
            return false;
        }
        let Asked { id, actor, action, said: Said { answers, via }, reply } = asked;
        let over = answers.and_then(|answers| self.front.moment.answered_by(&action, answers).err());
        if let Some(over) = over {
            metrics::counter!("croupier_commands_lapsed_total").increment(1);
            reply.tell(Err(Refused::Over(over)));
            return false;
        }
        let author = Author { by: actor.into(), via };
        match self.decide(actor, author, action) {
            Ok(decided) => {
                self.carry_out(batch, id, author, reply, decided);
                true
            }
            Err((refused, action)) => {
                metrics::counter!("croupier_commands_refused_total").increment(1);
                let denied = denied(&refused);
                let tell = move || reply.tell(Err(refused));
                match denied {
                    Some((code, cites)) => self.deny(author, &action, code, cites, tell),
                    None => tell(),
                }
                false
            }
        }
    }

    /// What a command leads to. It is posted and has its place if it is accepted, and nothing has changed if not.
    fn decide(&mut self, actor: Who, author: Author, action: Action) -> Result<Decided, (Refused, Action)> {
        if let Some(behalf) = self.acts_wrongly(actor, &action) {
            return Err((Refused::Behalf(behalf), action));
        }
        let shared = Arc::clone(&self.shared);
        let seconds = shared.till.about_now() / 1_000;
        let source = self.front.opened.cards;
        let brings_shoe = matches!(action, Action::LoadShoe { .. } | Action::ReplaceShoe { .. });
        if brings_shoe && source == CardSource::Software {
            // Shuffling a shoe is work, and done only for who may have one.
            let command = Command { actor, at: seconds, action: action.clone() };
            if let Err(refusal) = decide(&self.front.table, &command) {
                return Err((Refused::Table(refusal), action));
            }
        }
        let asked = action.clone();
        let (front, next_shoe) = (&self.front, &mut self.next_shoe);
        let next_shoe = || next_shoe.take(&shared.keys, &front.table);
        let prepared =
            dealer::prepare(source, &front.table, self.in_play.as_ref(), front.above, next_shoe, action);
        let dealer::Prepared { action, loads } = match prepared {
            Ok(prepared) => prepared,
            Err(refused) => return Err((refused, asked)),
        };
        let mut command = Command { actor, at: seconds, action };
        loop {
            let events = match decide(&self.front.table, &command) {
                Ok(events) => events,
                Err(refusal) => return Err((Refused::Table(refusal), command.action)),
            };
            match shared.till.hold(|till| self.place(till, author, command.at, &events)) {
                Ok(place) => return Ok(Decided { action: command.action, loads, events, place }),
                Err(NotPlaced::Later(seconds)) => command.at = seconds,
                Err(NotPlaced::Refused(refused)) => return Err((refused, command.action)),
            }
        }
    }

    /// What is done of a command while the till is held.
    fn place(
        &mut self,
        till: &mut Inside,
        author: Author,
        seconds: u64,
        events: &[Event],
    ) -> Result<Place, NotPlaced> {
        let at = till.time();
        if at / 1_000 != seconds {
            return Err(NotPlaced::Later(at / 1_000));
        }
        let mut next = till.next_transfer;
        let (posted, undo) = self.front.books.batch_to_undo(events, &mut next);
        let closes = posted.closes.map(|round| (self.id, round));
        let line = (self.stream, self.front.head.sequence + 1);
        if let Err(refused) = till.post(line, &posted.entries, next, closes) {
            // Nothing may be ahead of the journal that no line leads to.
            self.front.books.undo(undo);
            let refused = wallet_short(till, events).unwrap_or(Refused::Books(refused));
            return Err(NotPlaced::Refused(refused));
        }
        let wallets = self.wallets(till, author, at, line.1, events);
        Ok(Place { at, posted, wallets, promise: till.promise() })
    }

    /// Writes the lines of an accepted command and moves the state on.
    fn carry_out(
        &mut self,
        batch: &mut Batch,
        id: Option<CommandId>,
        author: Author,
        reply: Reply,
        decided: Decided,
    ) {
        let Decided { action, loads, events, place: Place { at, posted, wallets, promise } } = decided;
        let id = id.unwrap_or_else(|| CommandId::own(self.stream, self.front.head.sequence + 1));
        let mut command = InFlight::new(id, author, at, action, events, reply);
        let envelope = Envelope {
            postings: &posted.entries,
            closes: posted.closes,
            events: Happened::Table(&command.events),
            ..Envelope::plain(command.id.clone(), at, author, &command.deed)
        };
        let row = self.front.head.append(self.stream, &envelope);
        command.receipt.sequence = row.sequence;
        let mut lines = Lines { rows: vec![row], changes: Vec::new() };
        lines.rows.extend(wallets);
        self.known.add(&command.id);
        let had_cards_out = has_cards_out(&self.front.table);
        self.front.apply(&command.events);
        if !had_cards_out && has_cards_out(&self.front.table) {
            // Known before the line is handed over, so that nobody reads it in the journal first.
            self.open_from.push_back(command.receipt.sequence);
            self.tell_open_from();
        }
        if begins_round(&command.events) {
            self.front.round_from = command.receipt.sequence;
        }
        if let Some(Loads { in_play, sealed, .. }) = loads {
            self.reveal(&mut lines, at);
            self.in_play = Some(in_play);
            lines.changes.push(sealed);
        }
        if command.events.iter().any(|event| event.fact == Fact::ShoeEnded) {
            self.reveal(&mut lines, at);
        }
        let is_loaded = command.events.iter().any(|event| matches!(event.fact, Fact::ShoeLoaded { .. }));
        self.in_flight.push_back(command);
        batch.commands += 1;
        self.hand_over(promise, lines);
        let since = self.front.head.sequence.saturating_sub(self.last_snapshot);
        if is_loaded && since >= BETWEEN_SNAPSHOTS {
            self.last_snapshot = self.front.head.sequence;
            batch.changes.extend(keep(&self.shared.keys, &self.front));
        }
    }

    /// Fills the place of a command.
    fn hand_over(&self, promise: Promise, lines: Lines) {
        let committed = self.committed.clone();
        let done = Box::new(move |result: Result<_, _>| {
            // The task is gone only when the server stops.
            let _ = committed.send((1, result.map(|_| ())));
        });
        self.shared.till.keep(promise, lines.rows, lines.changes, done);
    }

    /// What a command does to wallets, in the streams of their players.
    fn wallets(
        &self,
        till: &mut Inside,
        author: Author,
        at: u64,
        sequence: u64,
        events: &[Event],
    ) -> Vec<Row> {
        let mut rows = Vec::new();
        for event in events {
            let (player, change) = match &event.fact {
                Fact::BoughtIn { player, amount, cash: false } => (*player, -amount.minor()),
                Fact::Left { player, chips } if chips.is_positive() => (*player, chips.minor()),
                _ => continue,
            };
            let deed = Deed::Wallet(WalletChange { stream: self.stream, sequence, change });
            rows.push(till.record(Stream::Player(player), at, author, &deed));
        }
        rows
    }

    /// Shows the whole of the shoe that is over.
    fn reveal(&mut self, lines: &mut Lines, at: u64) {
        let Some(InPlay { number, shoe, .. }) = self.in_play.take() else { return };
        let deed = Deed::RevealShoe(shoe.reveal(number));
        let id = CommandId::own(self.stream, self.front.head.sequence + 1);
        let envelope = Envelope::plain(id, at, By::System.into(), &deed);
        lines.rows.push(self.front.head.append(self.stream, &envelope));
        let key = shoe::name(self.id, number);
        lines.changes.push(Change::Delete { register: shoe::REGISTER, key });
    }

    /// Whether somebody who acts for a player may not, as the table stands.
    fn acts_wrongly(&self, actor: Who, action: &Action) -> Option<Behalf> {
        let Who::Staff(staff) = actor else { return None };
        action.acts_for()?;
        if !self.front.table.staff.iter().any(|known| known.person == staff.person) {
            return Some(Behalf::NotSignedOn);
        }
        action.spends().map(|_| Behalf::PlayersOwn)
    }

    /// Puts on record that somebody asked for what they may not have, and tells them then.
    fn deny(
        &self,
        author: Author,
        action: &Action,
        code: &str,
        cites: Vec<Basis>,
        tell: impl FnOnce() + Send + 'static,
    ) {
        let (what, code) = (name(action), code.to_string());
        let denied = Denied { what, stream: Some(self.stream), code, cites, more: 0 };
        if !self.shared.denials.is_written(author, &denied, crate::clock::now()) {
            return tell();
        }
        let deed = Deed::Denied(denied);
        self.shared.till.hold(|till| {
            let at = till.time();
            let row = till.record(Stream::House, at, author, &deed);
            till.give(vec![row], Vec::new(), Box::new(move |_| tell()));
        });
    }
}

/// The only thing that books refuse and a table cannot know.
fn wallet_short(till: &Inside, events: &[Event]) -> Option<Refused> {
    events.iter().find_map(|event| match &event.fact {
        Fact::BoughtIn { player, amount, cash: false } => {
            let holds = till.ledger.available(Account::Wallet(*player));
            let wants = croupier_ledger::Amount::new(amount.minor())?;
            (holds < i128::from(wants.minor())).then_some(Refused::WalletShort {
                player: *player,
                holds,
                wants,
            })
        }
        _ => None,
    })
}

/// The name of an action, as its text form has it.
fn name(action: &Action) -> String {
    match serde_json::to_value(action) {
        Ok(serde_json::Value::String(name)) => name,
        Ok(serde_json::Value::Object(fields)) => fields.keys().next().cloned().unwrap_or_default(),
        Ok(_) | Err(_) => String::new(),
    }
}

/// A command that is decided and posted, and its place among all others.
struct Decided {
    action: Action,
    loads: Option<Loads>,
    events: Vec<Event>,
    place: Place,
}

/// What a command was given while the till was held.
struct Place {
    at: u64,
    posted: Posted,
    wallets: Vec<Row>,
    promise: Promise,
}

/// Why a command has no place.
enum NotPlaced {
    /// The second in which it was decided is over, and this one is on.
    Later(u64),
    /// The books refuse it.
    Refused(Refused),
}

/// What goes into the place of a command.
struct Lines {
    rows: Vec<Row>,
    changes: Vec<Change>,
}

/// The code and the basis of a refusal for want of authority, which is put on record.
fn denied(refused: &Refused) -> Option<(&'static str, Vec<Basis>)> {
    match refused {
        Refused::Table(refusal) if refusal.is_denial() => Some((refusal.code(), refusal.cites.clone())),
        Refused::Behalf(behalf) => Some((behalf.code(), Vec::new())),
        _ => None,
    }
}
