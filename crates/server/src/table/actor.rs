//! The task that owns a table.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use croupier_cards::Proof;
use croupier_journal::bank::SNAPSHOTS;
use croupier_journal::deed::{CardSource, Dealing, Denied, WalletChange};
use croupier_journal::envelope::{Envelope, Happened};
use croupier_journal::replay::begins_round;
use croupier_journal::{By, Change, CommandId, Deed, Replayed, Row, StoreError, Stream, shoe};
use croupier_ledger::{Account, Entry, TableId};
use croupier_table::{
    Action, Actor as Who, Command, Event, Fact, Refusal, Report, Table, Views, apply, decide,
};
use tokio::sync::{mpsc, watch};

use super::dealer::{self, Dealer, InPlay, Pace, Wants};
use super::known::Known;
use super::publish::Published;
use super::{Asked, Message, Receipt, Refused, Reply, TableHandle};
use crate::clock;
use crate::rounds::RoundKept;
use crate::shared::Shared;
use crate::till::Inside;

/// The shortest time between two views: what happens in between is shown together.
const BETWEEN_VIEWS: Duration = Duration::from_millis(25);
/// The same when much happens: views cost more than commands, and nobody reads that fast.
const BETWEEN_BUSY_VIEWS: Duration = Duration::from_millis(150);
/// More commands than this since the last view are much.
const BUSY: u64 = 64;
/// Commands that may wait for the disk before the table takes no more.
const IN_FLIGHT: usize = 4_096;
/// Commands decided while the till is held once.
const AT_ONCE: usize = 64;
/// Lines between two snapshots, at least.
const BETWEEN_SNAPSHOTS: u64 = 500;

/// A command that is decided and not yet durable.
struct InFlight {
    id: CommandId,
    by: By,
    deed: Deed,
    receipt: Receipt,
    events: Vec<Event>,
    replies: Vec<Reply>,
}

/// What goes to the writer together.
#[derive(Default)]
struct Batch {
    rows: Vec<Row>,
    changes: Vec<Change>,
    commands: usize,
    wants_snapshot: bool,
}

pub(crate) struct TableTask {
    shared: Arc<Shared>,
    id: TableId,
    stream: Stream,
    /// As decided, perhaps ahead of the disk.
    front: Replayed,
    /// As shown, never ahead of it.
    shown: Table,
    /// The views of it, as of the last time that anybody was shown something.
    views: Views,
    /// What happened since then: while much happens, one look at the table is cheaper than one after each command.
    unseen: Vec<Event>,
    shown_sequence: u64,
    published_sequence: u64,
    in_flight: VecDeque<InFlight>,
    known: Known,
    in_play: Option<InPlay>,
    dealer: Option<Dealer>,
    last_at: u64,
    last_snapshot: u64,
    /// Where the round in progress began.
    round_from: u64,
    inbox: mpsc::Receiver<Message>,
    inbox_sender: mpsc::WeakSender<Message>,
    commits: mpsc::UnboundedReceiver<(usize, Result<(), Arc<StoreError>>)>,
    committed: mpsc::UnboundedSender<(usize, Result<(), Arc<StoreError>>)>,
    published: watch::Sender<Arc<Published>>,
    /// The last line that is durable, for whoever has heard of it before it is shown.
    durable: Arc<AtomicU64>,
    /// Where the cards came out of rounds that are not shown to be over, in order.
    open_from: VecDeque<u64>,
    open_from_told: Arc<AtomicU64>,
    is_dirty: bool,
    last_published: Instant,
    /// Rounds that were shown and are to be kept with the next lines.
    rounds: Vec<Change>,
}

/// What a table starts from.
pub(crate) struct Start {
    /// The table as the journal has it.
    pub(crate) table: Replayed,
    /// Its shoe, if software shuffled it.
    pub(crate) in_play: Option<(u32, shoe::SecretShoe)>,
    /// The ids of its commands.
    pub(crate) ids: Vec<String>,
    /// The line that the last snapshot was taken after.
    pub(crate) last_snapshot: u64,
    /// Finished rounds that are not kept yet.
    pub(crate) rounds: Vec<Change>,
    /// How fast it deals by itself.
    pub(crate) pace: Pace,
    /// The server before had no time to stop.
    pub(crate) was_killed: bool,
}

/// Starts the task of a table.
pub(crate) fn start(shared: &Arc<Shared>, start: Start) -> TableHandle {
    let Start { table: front, in_play, ids, last_snapshot, rounds, pace, was_killed } = start;
    let id = front.table.id;
    let views = Views::new(&front.table);
    let first = Published::new(front.head.sequence, clock::now(), None, views.clone(), None);
    let (published, shown) = watch::channel(Arc::new(first));
    let (sender, inbox) = mpsc::channel(1_024);
    let (committed, commits) = mpsc::unbounded_channel();
    let mut open_from = VecDeque::new();
    if has_cards_out(&front.table) {
        open_from.push_back(front.round_from);
    }
    let handle = TableHandle {
        id,
        opened: Arc::clone(&front.opened),
        setup: Arc::clone(&front.table.setup),
        sender,
        published: shown,
        durable: Arc::new(AtomicU64::new(front.head.sequence)),
        open_from: Arc::new(AtomicU64::new(open_from.front().copied().unwrap_or(u64::MAX))),
    };
    let mut known = Known::default();
    ids.iter().for_each(|id| known.add(id));
    let dealer = (front.opened.dealer == Dealing::Automatic).then(|| Dealer::new(pace));
    let task = TableTask {
        shared: Arc::clone(shared),
        id,
        stream: Stream::Table(id),
        round_from: front.round_from,
        shown: front.table.clone(),
        shown_sequence: front.head.sequence,
        published_sequence: front.head.sequence,
        views,
        unseen: Vec::new(),
        front,
        in_flight: VecDeque::new(),
        known,
        in_play: in_play.map(|(number, shoe)| InPlay::new(number, shoe)),
        dealer,
        last_at: 0,
        last_snapshot,
        inbox,
        inbox_sender: handle.sender.downgrade(),
        commits,
        committed,
        published,
        durable: Arc::clone(&handle.durable),
        open_from,
        open_from_told: Arc::clone(&handle.open_from),
        is_dirty: false,
        last_published: Instant::now() - BETWEEN_VIEWS,
        rounds,
    };
    tokio::spawn(task.run(was_killed));
    handle
}

impl TableTask {
    async fn run(mut self, was_killed: bool) {
        if was_killed {
            // Before anything else happens: not a card comes before it.
            let report = self.power_failed();
            self.process(report.map(|asked| (asked, false)).into_iter().collect());
        }
        let mut messages = Vec::with_capacity(AT_ONCE);
        loop {
            let wake = self.advance();
            let wake = match (wake, self.view_due()) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            };
            tokio::select! {
                biased;
                Some((commands, result)) = self.commits.recv() => {
                    self.take_commit(commands, result);
                    // All that is there, so that a table which never waits still has time for its inbox.
                    while let Ok((commands, result)) = self.commits.try_recv() {
                        self.take_commit(commands, result);
                    }
                }
                count = self.inbox.recv_many(&mut messages, AT_ONCE), if self.in_flight.len() < IN_FLIGHT => {
                    if count == 0 {
                        break;
                    }
                    if let Some(stop) = self.take(&mut messages) {
                        self.finish().await;
                        // Whoever waits may start another floor on the same store.
                        drop(self);
                        let _ = stop.send(());
                        return;
                    }
                }
                () = until(wake), if wake.is_some() => {}
            }
            self.publish();
        }
        self.finish().await;
    }

    /// Takes messages; whom to tell when all is done, if that is asked.
    fn take(&mut self, messages: &mut Vec<Message>) -> Option<tokio::sync::oneshot::Sender<()>> {
        let mut commands = Vec::with_capacity(messages.len());
        let mut stop = None;
        for message in messages.drain(..) {
            match message {
                Message::Command(asked) => commands.push((asked, false)),
                Message::Checked(asked) => commands.push((asked, true)),
                Message::Stop(sender) => stop = Some(sender),
                Message::Prove(shoe, places, sender) => {
                    // Whoever asked may have gone away.
                    let _ = sender.send(self.prove(shoe, &places));
                }
            }
        }
        self.process(commands);
        stop
    }

    /// Proofs of cards that are out of the shoe in play, as far as everybody has been shown.
    fn prove(&self, shoe: u32, places: &[usize]) -> Vec<Proof> {
        let Some(in_play) = self.in_play.as_ref().filter(|in_play| in_play.number == shoe) else {
            return Vec::new();
        };
        if self.shown.shoe.number != shoe {
            return Vec::new();
        }
        let out = in_play.shoe.len().saturating_sub(usize::from(self.shown.shoe.left));
        let out: Vec<usize> =
            (0..out).filter_map(|drawn| in_play.shoe.place(self.front.above, drawn)).collect();
        let Some(commitment) = in_play.commitment() else { return Vec::new() };
        let places = places.iter().filter(|place| out.contains(place));
        places.filter_map(|place| commitment.proof(*place)).collect()
    }

    /// What was in play when the power went is irregular.
    fn power_failed(&self) -> Option<Asked> {
        let table = &self.front.table;
        let plays = table.hold.is_none() && table.round.begun && table.round.closed.is_none();
        plays.then(|| own(Action::Report(Report::PowerFailure)))
    }

    /// Decides commands and hands what came of them to the writer. Whether the last one was accepted.
    fn process(&mut self, commands: Vec<(Asked, bool)>) -> bool {
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
        if wants_snapshot && let Some(change) = till.snapshot() {
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
        let Asked { id, actor, action, reply } = asked;
        let at = clock::now().max(self.last_at);
        match self.decide(till, actor, action, at) {
            Ok(decided) => {
                self.last_at = at;
                let id = id.unwrap_or_else(|| CommandId::own(self.stream, till.next(self.stream)));
                self.carry_out(
                    till,
                    batch,
                    InFlight::new(id, actor, at, decided.action, decided.events, reply),
                    Rest { loads: decided.loads, postings: decided.postings, closes: decided.closes },
                );
                true
            }
            Err((refused, action)) => {
                metrics::counter!("croupier_commands_refused_total").increment(1);
                if let Refused::Table(refusal) = &refused
                    && is_denial(refusal)
                {
                    batch.rows.push(self.denial(till, actor, &action, refusal, at));
                }
                reply(Err(refused));
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
        // Buying in leaves these as they are, so nothing has to be undone where the wallet is short.
        let posted = self.front.books.batch(&events, &mut next);
        let closes = posted.closes.map(|round| (self.id, round));
        if let Err(refused) = till.post(&posted.entries, next, closes) {
            return Err((wallet_short(till, &events).unwrap_or(Refused::Books(refused)), command.action));
        }
        Ok(Decided { action: command.action, loads, events, postings: posted.entries, closes: posted.closes })
    }

    /// Writes the lines of an accepted command and moves the state on.
    fn carry_out(&mut self, till: &mut Inside, batch: &mut Batch, mut command: InFlight, rest: Rest) {
        let Rest { loads, postings, closes } = rest;
        let envelope = Envelope {
            id: command.id.clone(),
            at: command.receipt.at,
            by: command.by,
            deed: &command.deed,
            postings: &postings,
            closes,
            events: Happened::Table(&command.events),
        };
        let row = till.line(self.stream, &envelope);
        command.receipt.sequence = row.sequence;
        batch.rows.push(row);
        self.known.add(command.id.as_str());
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
            batch.changes.extend(snapshot(&self.front));
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
            let envelope = Envelope {
                id: CommandId::own(stream, till.next(stream)),
                at: command.receipt.at,
                by: command.by,
                deed: &deed,
                postings: &[],
                closes: None,
                events: Happened::Nothing,
            };
            batch.rows.push(till.line(stream, &envelope));
        }
    }

    /// Shows the whole of the shoe that is over.
    fn reveal(&mut self, till: &mut Inside, batch: &mut Batch, at: u64) {
        let Some(InPlay { number, shoe, .. }) = self.in_play.take() else { return };
        let deed = Deed::RevealShoe(shoe.reveal(number));
        let envelope = Envelope {
            id: CommandId::own(self.stream, till.next(self.stream)),
            at,
            by: By::System,
            deed: &deed,
            postings: &[],
            closes: None,
            events: Happened::Nothing,
        };
        batch.rows.push(till.line(self.stream, &envelope));
        batch.changes.push(Change::Delete { register: shoe::REGISTER, key: shoe::name(self.id, number) });
    }

    fn denial(&self, till: &mut Inside, actor: Who, action: &Action, refusal: &Refusal, at: u64) -> Row {
        let deed = Deed::Denied(Denied {
            what: name(action),
            stream: Some(self.stream),
            code: refusal.code().to_string(),
            cites: refusal.cites.clone(),
        });
        let envelope = Envelope {
            id: CommandId::own(Stream::House, till.next(Stream::House)),
            at,
            by: actor.into(),
            deed: &deed,
            postings: &[],
            closes: None,
            events: Happened::Nothing,
        };
        till.line(Stream::House, &envelope)
    }

    /// A command whose id was perhaps used: the answer is the one it had, if it is the same command.
    fn repeat(&mut self, id: CommandId, asked: Asked) {
        let source = self.front.opened.cards;
        let same = move |by: By, deed: &Deed, asked: &Asked| match deed {
            Deed::Table(action) => {
                by == By::from(asked.actor) && dealer::is_same(source, action, &asked.action)
            }
            _ => false,
        };
        if let Some(known) = self.in_flight.iter_mut().find(|known| known.id == id) {
            if same(known.by, &known.deed, &asked) {
                known.replies.push(asked.reply);
            } else {
                (asked.reply)(Err(Refused::OtherCommand { sequence: known.receipt.sequence }));
            }
            return;
        }
        let (readers, stream, again) = (self.shared.readers.clone(), self.stream, self.inbox_sender.clone());
        tokio::spawn(async move {
            let found = readers.read(move |store| store.find(stream, &id)).await;
            match found {
                Ok(Some(row)) => {
                    let answer = match row.record() {
                        Ok(record) if same(record.by, &record.deed, &asked) => {
                            Ok(Receipt { sequence: record.sequence, at: record.at })
                        }
                        Ok(_) | Err(_) => Err(Refused::OtherCommand { sequence: row.sequence }),
                    };
                    (asked.reply)(answer);
                }
                // Two ids with the same hash: this one is new.
                Ok(None) => {
                    if let Some(sender) = again.upgrade()
                        && let Err(mpsc::error::SendError(Message::Checked(asked))) =
                            sender.send(Message::Checked(asked)).await
                    {
                        (asked.reply)(Err(Refused::Stopping));
                    }
                }
                Err(error) => (asked.reply)(Err(Refused::Journal(Arc::new(error)))),
            }
        });
    }

    /// Commands are durable: now they are shown and answered.
    fn take_commit(&mut self, commands: usize, result: Result<(), Arc<StoreError>>) {
        for _ in 0..commands {
            let Some(command) = self.in_flight.pop_front() else { return };
            match &result {
                Ok(()) => {
                    let InFlight { receipt, events, replies, .. } = command;
                    self.show(receipt, events);
                    self.durable.store(receipt.sequence, Ordering::Release);
                    replies.into_iter().for_each(|reply| reply(Ok(receipt)));
                }
                Err(why) => {
                    let refused = || Err(Refused::Journal(Arc::clone(why)));
                    command.replies.into_iter().for_each(|reply| reply(refused()));
                }
            }
        }
    }

    fn show(&mut self, receipt: Receipt, events: Vec<Event>) {
        events.iter().for_each(|event| apply(&mut self.shown, event));
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
            self.rounds.extend(kept.change(self.id));
        }
    }

    fn tell_open_from(&self) {
        let from = self.open_from.front().copied().unwrap_or(u64::MAX);
        self.open_from_told.store(from, Ordering::Release);
    }

    /// Brings the views up to what is shown.
    fn look(&mut self) {
        self.views.update(&self.shown, &self.unseen);
        self.unseen.clear();
    }

    /// Lets the Dealer of an automatic table go on; when to look again.
    fn advance(&mut self) -> Option<Instant> {
        // A table that never waits lets others have their turn.
        for _ in 0..AT_ONCE {
            let sequence = self.front.head.sequence;
            let dealer = self.dealer.as_mut()?;
            let before = dealer.deadline();
            let wants = dealer.wants(&self.front.table, sequence);
            self.is_dirty |= before != dealer.deadline();
            let action = match wants {
                Wants::Nothing => return None,
                Wants::Look(at) => return Some(at),
                Wants::Give(action) => action,
            };
            if self.in_flight.len() >= IN_FLIGHT {
                return None;
            }
            let accepted = self.process(vec![(own(action), false)]);
            if let Some(dealer) = &mut self.dealer {
                if accepted { dealer.done(&self.front.table) } else { dealer.stall(self.front.head.sequence) }
            }
        }
        Some(Instant::now())
    }

    fn view_due(&self) -> Option<Instant> {
        let since = self.shown_sequence.saturating_sub(self.published_sequence);
        let pause = if since > BUSY { BETWEEN_BUSY_VIEWS } else { BETWEEN_VIEWS };
        self.is_dirty.then(|| self.last_published + pause)
    }

    fn publish(&mut self) {
        if self.view_due().is_none_or(|due| Instant::now() < due) {
            return;
        }
        self.is_dirty = false;
        self.published_sequence = self.shown_sequence;
        self.last_published = Instant::now();
        let deadline = self.dealer.as_ref().and_then(Dealer::deadline);
        let previous = Arc::clone(&self.published.borrow());
        self.look();
        let views = self.views.clone();
        let now = Published::new(self.shown_sequence, clock::now(), deadline, views, Some(previous));
        self.published.send_replace(Arc::new(now));
    }

    /// Everything in hand becomes durable, and a snapshot is stored.
    async fn finish(&mut self) {
        while !self.in_flight.is_empty() {
            match self.commits.recv().await {
                Some((commands, result)) => self.take_commit(commands, result),
                None => break,
            }
        }
        self.is_dirty = true;
        self.last_published = Instant::now() - BETWEEN_BUSY_VIEWS;
        self.publish();
        let mut changes = std::mem::take(&mut self.rounds);
        changes.extend(snapshot(&self.front));
        // A failure has been told by then, and a missing snapshot only makes the next start longer.
        let _ = self.shared.till.append(|_| (Vec::new(), changes)).await;
    }
}

fn snapshot(front: &Replayed) -> Option<Change> {
    let value = serde_json::to_vec(&front.snapshot()).ok()?;
    Some(Change::Put { register: SNAPSHOTS, key: Stream::Table(front.table.id).to_string(), value })
}

/// Whether cards are out that not everybody may have seen: of the round in progress, or for the next one.
fn has_cards_out(table: &Table) -> bool {
    table.round.begun && table.round.closed.is_none() || !table.next.carried.is_empty()
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

impl InFlight {
    fn new(id: CommandId, actor: Who, at: u64, action: Action, events: Vec<Event>, reply: Reply) -> Self {
        Self {
            id,
            by: actor.into(),
            deed: Deed::Table(action),
            receipt: Receipt { sequence: 0, at },
            events,
            replies: vec![reply],
        }
    }
}

struct Decided {
    action: Action,
    loads: Option<(InPlay, Change)>,
    events: Vec<Event>,
    postings: Vec<Entry>,
    closes: Option<croupier_ledger::RoundId>,
}

async fn until(wake: Option<Instant>) {
    if let Some(wake) = wake {
        tokio::time::sleep_until(wake.into()).await;
    }
}

/// A command of the software itself.
fn own(action: Action) -> Asked {
    Asked { id: None, actor: Who::System, action, reply: Box::new(|_| ()) }
}

/// Whether somebody was refused for want of authority, which is put on record.
fn is_denial(refusal: &Refusal) -> bool {
    matches!(refusal.code(), "not-authorised" | "not-yours" | "witness-needed")
}
