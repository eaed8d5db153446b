//! From commands to lines: what is decided, posted and handed to the writer, while the till is held.

use std::sync::Arc;

use croupier_journal::deed::{CardSource, Denied, WalletChange};
use croupier_journal::envelope::{Envelope, Happened};
use croupier_journal::replay::begins_round;
use croupier_journal::{Author, By, Change, CommandId, Deed, Row, Stream, shoe};
use croupier_ledger::{Account, Entry};
use croupier_rules::Basis;
use croupier_table::{Action, Actor as Who, Command, Event, Fact, decide};

use super::{BETWEEN_SNAPSHOTS, Batch, InFlight, TableTask, has_cards_out, keep};
use crate::table::dealer::{self, InPlay};
use crate::table::{Asked, Behalf, Refused, Said};
use crate::till::Inside;

impl TableTask {
    /// Decides commands and hands what came of them to the writer. Whether the last one was accepted.
    pub(super) fn process(&mut self, commands: Vec<(Asked, bool)>) -> bool {
        let mut accepted = false;
        if commands.is_empty() {
            return accepted;
        }
        let mut batch = Batch { changes: std::mem::take(&mut self.rounds), ..Batch::default() };
        let shared = Arc::clone(&self.shared);
        let mut till = shared.till.hold();
        for (asked, checked) in commands {
            accepted = self.execute(&mut till, &mut batch, asked, checked);
        }
        let Batch { rows, changes, commands, wants_snapshot } = batch;
        metrics::counter!("croupier_commands_total").increment(u64::try_from(commands).unwrap_or(0));
        if !rows.is_empty() || !changes.is_empty() {
            let committed = self.committed.clone();
            let done = Box::new(move |result: Result<_, _>| {
                // The task is gone only when the server stops.
                let _ = committed.send((commands, result.map(|_| ())));
            });
            till.give(rows, changes, done);
        }
        if wants_snapshot && let Some(change) = till.snapshot(&self.shared.keys) {
            till.give(Vec::new(), vec![change], Box::new(|_| ()));
        }
        accepted
    }

    /// Decides one command; whether it was accepted.
    fn execute(&mut self, till: &mut Inside, batch: &mut Batch, asked: Asked, checked: bool) -> bool {
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
        let at = till.time();
        let author = Author { by: actor.into(), via };
        match self.decide(till, actor, action, at) {
            Ok(decided) => {
                let id = id.unwrap_or_else(|| CommandId::own(self.stream, till.next(self.stream)));
                self.carry_out(
                    till,
                    batch,
                    InFlight::new(id, author, at, decided.action, decided.events, reply),
                    Rest { loads: decided.loads, postings: decided.postings, closes: decided.closes },
                );
                true
            }
            Err((refused, action)) => {
                metrics::counter!("croupier_commands_refused_total").increment(1);
                if let Some((code, cites)) = denied(&refused) {
                    batch.rows.extend(self.denial(till, author, &action, code, cites, at));
                }
                reply.tell(Err(refused));
                false
            }
        }
    }

    /// What a command leads to. The books have changed if it is accepted, and nothing else has.
    fn decide(
        &mut self,
        till: &mut Inside,
        actor: Who,
        action: Action,
        at: u64,
    ) -> Result<Decided, (Refused, Action)> {
        if let Some(behalf) = self.acts_wrongly(actor, &action) {
            return Err((Refused::Behalf(behalf), action));
        }
        let asked = action.clone();
        let (source, keys) = (self.front.opened.cards, &self.shared.keys);
        let brings_shoe = matches!(action, Action::LoadShoe { .. } | Action::ReplaceShoe { .. });
        if brings_shoe && source == CardSource::Software {
            // Shuffling a shoe is work, and done only for who may have one.
            let command = Command { actor, at: at / 1_000, action: action.clone() };
            if let Err(refusal) = decide(&self.front.table, &command) {
                return Err((Refused::Table(refusal), action));
            }
        }
        let prepared =
            dealer::prepare(source, keys, &self.front.table, self.in_play.as_ref(), self.front.above, action);
        let dealer::Prepared { action, loads } = match prepared {
            Ok(prepared) => prepared,
            Err(refused) => return Err((refused, asked)),
        };
        let command = Command { actor, at: at / 1_000, action };
        let events = match decide(&self.front.table, &command) {
            Ok(events) => events,
            Err(refusal) => return Err((Refused::Table(refusal), command.action)),
        };
        let mut next = till.bank.next_transfer;
        let (posted, undo) = self.front.books.batch_to_undo(&events, &mut next);
        let closes = posted.closes.map(|round| (self.id, round));
        if let Err(refused) = till.post(&posted.entries, next, closes) {
            // Nothing may be ahead of the journal that no line leads to.
            self.front.books.undo(undo);
            return Err((wallet_short(till, &events).unwrap_or(Refused::Books(refused)), command.action));
        }
        Ok(Decided { action: command.action, loads, events, postings: posted.entries, closes: posted.closes })
    }

    /// Writes the lines of an accepted command and moves the state on.
    fn carry_out(&mut self, till: &mut Inside, batch: &mut Batch, mut command: InFlight, rest: Rest) {
        let Rest { loads, postings, closes } = rest;
        let author = Author { by: command.by, via: command.via };
        let envelope = Envelope {
            postings: &postings,
            closes,
            events: Happened::Table(&command.events),
            ..Envelope::plain(command.id.clone(), command.receipt.at, author, &command.deed)
        };
        let row = till.line(self.stream, &envelope);
        command.receipt.sequence = row.sequence;
        batch.rows.push(row);
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
        self.wallets(till, batch, &command);
        if let Some((in_play, sealed)) = loads {
            self.reveal(till, batch, command.receipt.at);
            self.in_play = Some(in_play);
            batch.changes.push(sealed);
        }
        if command.events.iter().any(|event| event.fact == Fact::ShoeEnded) {
            self.reveal(till, batch, command.receipt.at);
        }
        if let Some(head) = till.bank.heads.get(&self.stream) {
            self.front.head = *head;
        }
        self.in_flight.push_back(command);
        batch.commands += 1;
        let loaded = |event: &Event| matches!(event.fact, Fact::ShoeLoaded { .. });
        let since = self.front.head.sequence.saturating_sub(self.last_snapshot);
        if since >= BETWEEN_SNAPSHOTS
            && self.in_flight.back().is_some_and(|last| last.events.iter().any(loaded))
        {
            self.last_snapshot = self.front.head.sequence;
            batch.changes.extend(keep(&self.shared.keys, &self.front));
            batch.wants_snapshot = true;
        }
    }

    /// Puts what a command does to wallets into the streams of their players.
    fn wallets(&self, till: &mut Inside, batch: &mut Batch, command: &InFlight) {
        for event in &command.events {
            let (player, change) = match &event.fact {
                Fact::BoughtIn { player, amount, cash: false } => (*player, -amount.minor()),
                Fact::Left { player, chips } if chips.is_positive() => (*player, chips.minor()),
                _ => continue,
            };
            let stream = Stream::Player(player);
            let deed = Deed::Wallet(WalletChange {
                stream: self.stream,
                sequence: command.receipt.sequence,
                change,
            });
            let author = Author { by: command.by, via: command.via };
            batch.rows.push(till.record(stream, command.receipt.at, author, &deed));
        }
    }

    /// Shows the whole of the shoe that is over.
    fn reveal(&mut self, till: &mut Inside, batch: &mut Batch, at: u64) {
        let Some(InPlay { number, shoe, .. }) = self.in_play.take() else { return };
        let deed = Deed::RevealShoe(shoe.reveal(number));
        batch.rows.push(till.record(self.stream, at, By::System.into(), &deed));
        batch.changes.push(Change::Delete { register: shoe::REGISTER, key: shoe::name(self.id, number) });
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

    fn denial(
        &self,
        till: &mut Inside,
        author: Author,
        action: &Action,
        code: &str,
        cites: Vec<Basis>,
        at: u64,
    ) -> Option<Row> {
        let (what, code) = (name(action), code.to_string());
        let denied = Denied { what, stream: Some(self.stream), code, cites, more: 0 };
        let is_written = self.shared.denials.is_written(author, &denied, crate::clock::now());
        is_written.then(|| till.record(Stream::House, at, author, &Deed::Denied(denied)))
    }
}

/// The only thing that books refuse and a table cannot know.
fn wallet_short(till: &Inside, events: &[Event]) -> Option<Refused> {
    events.iter().find_map(|event| match &event.fact {
        Fact::BoughtIn { player, amount, cash: false } => {
            let holds = till.bank.ledger.available(Account::Wallet(*player));
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

/// What an accepted command brings beside its events.
struct Rest {
    loads: Option<(InPlay, Change)>,
    postings: Vec<Entry>,
    closes: Option<croupier_ledger::RoundId>,
}

struct Decided {
    action: Action,
    loads: Option<(InPlay, Change)>,
    events: Vec<Event>,
    postings: Vec<Entry>,
    closes: Option<croupier_ledger::RoundId>,
}

/// The code and the basis of a refusal for want of authority, which is put on record.
fn denied(refused: &Refused) -> Option<(&'static str, Vec<Basis>)> {
    match refused {
        Refused::Table(refusal) if refusal.is_denial() => Some((refusal.code(), refusal.cites.clone())),
        Refused::Behalf(behalf) => Some((behalf.code(), Vec::new())),
        _ => None,
    }
}
