//! The task that owns a table: its state, and the loop that takes commands, commits and the time in turn.
//!
//! What commands lead to is in `lines`, what everybody sees of it in `shown`, who asks twice in `again`, the shoe after
//! this one in `next_shoe`, and what another node has written in `follow`.

mod again;
mod follow;
mod lines;
mod next_shoe;
mod shown;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use croupier_cards::Proof;
use croupier_journal::deed::Dealing;
use croupier_journal::{
    Author, By, Change, CommandId, Deed, Keys, Replayed, StoreError, Stream, shoe, snapshot,
};
use croupier_ledger::TableId;
use croupier_table::preview::Open;
use croupier_table::{Action, Actor as Who, Event, Moment, Report, Table, Views};
use tokio::sync::{mpsc, oneshot, watch};

use super::dealer::{Dealer, InPlay, Pace, Wants};
use super::known::Known;
use super::publish::Published;
use super::{Asked, Message, Previewed, Receipt, Refused, Reply, Said, TableHandle};
use crate::clock;
use crate::figures::Live;
use crate::shared::Shared;
use again::LookedUp;
use follow::Following;
use next_shoe::NextShoe;

/// The shortest time between two views: what happens in between is shown together.
const BETWEEN_VIEWS: Duration = Duration::from_millis(25);
/// The same when much happens: views cost more than commands, and nobody reads that fast.
const BETWEEN_BUSY_VIEWS: Duration = Duration::from_millis(150);
/// More commands than this since the last view are much.
const BUSY: u64 = 64;
/// Commands that may wait for the disk before the table takes no more.
pub(super) const IN_FLIGHT: usize = 4_096;
/// Commands that are answered together.
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

/// What is answered together.
#[derive(Default)]
struct Batch {
    /// What is written after the lines of the commands.
    changes: Vec<Change>,
    /// Commands whose lines are handed over.
    commands: u64,
}

pub(crate) struct TableTask {
    shared: Arc<Shared>,
    id: TableId,
    stream: Stream,
    /// As decided, perhaps ahead of the disk.
    front: Replayed,
    /// As shown, never ahead of it.
    shown: Table,
    /// The moment of play as shown.
    moment: Moment,
    /// The views of it, as of the last time that anybody was shown something.
    views: Views,
    /// What happened since then: while much happens, one look at the table is cheaper than one after each command.
    unseen: Vec<Event>,
    shown_sequence: u64,
    published_sequence: u64,
    in_flight: VecDeque<InFlight>,
    known: Known,
    /// Messages whose ids the store is asked about; others wait for their turn.
    looking_up: Option<oneshot::Receiver<LookedUp>>,
    in_play: Option<InPlay>,
    next_shoe: NextShoe,
    dealer: Option<Dealer>,
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
    /// What it comes to, as shown.
    live: Arc<Live>,
    is_dirty: bool,
    last_published: Instant,
    /// Rounds that were shown and are to be kept with the next lines.
    rounds: Vec<Change>,
    /// Whether the database is away, and since when: nothing is decided meanwhile, and no clock runs.
    away: watch::Receiver<bool>,
    away_since: Option<Instant>,
    /// What is known of lines that another node writes, while one does.
    following: Option<Following>,
    /// The last line that was followed; all there are, where nobody is followed.
    followed_to: Arc<AtomicU64>,
}

/// What a table starts from.
pub(crate) struct Start {
    /// The table as the journal has it.
    pub(crate) table: Replayed,
    /// Its shoe, if software shuffled it.
    pub(crate) in_play: Option<(u32, shoe::SecretShoe)>,
    /// The ids of its last commands.
    pub(crate) known: Known,
    /// The line that the last snapshot was taken after.
    pub(crate) last_snapshot: u64,
    /// Finished rounds that are not kept yet.
    pub(crate) rounds: Vec<Change>,
    /// How fast it deals by itself.
    pub(crate) pace: Pace,
    /// The server before had no time to stop.
    pub(crate) was_killed: bool,
    /// Another node leads.
    pub(crate) follows: bool,
}

/// Starts the task of a table.
pub(crate) fn start(shared: &Arc<Shared>, start: Start) -> TableHandle {
    let Start { table: front, in_play, known, last_snapshot, rounds, pace, was_killed, follows } = start;
    let id = front.table.id;
    let views = Views::new(&front.table);
    let first = Published::new(front.head.sequence, clock::now(), None, front.moment, views.clone(), None);
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
        followed_to: Arc::new(AtomicU64::new(if follows { front.head.sequence } else { u64::MAX })),
        live: Arc::default(),
    };
    handle.live.lies(&front.table);
    let dealer = (front.opened.dealer == Dealing::Automatic).then(|| Dealer::new(pace));
    let task = TableTask {
        shared: Arc::clone(shared),
        id,
        stream: Stream::Table(id),
        round_from: front.round_from,
        shown: front.table.clone(),
        moment: front.moment,
        shown_sequence: front.head.sequence,
        published_sequence: front.head.sequence,
        views,
        unseen: Vec::new(),
        front,
        in_flight: VecDeque::new(),
        known,
        looking_up: None,
        in_play: in_play.map(|(number, shoe)| InPlay::new(number, shoe)),
        next_shoe: NextShoe::default(),
        dealer,
        last_snapshot,
        inbox,
        inbox_sender: handle.sender.downgrade(),
        commits,
        committed,
        published,
        durable: Arc::clone(&handle.durable),
        open_from,
        open_from_told: Arc::clone(&handle.open_from),
        live: Arc::clone(&handle.live),
        is_dirty: false,
        last_published: Instant::now() - BETWEEN_VIEWS,
        rounds,
        away: shared.till.away(),
        away_since: None,
        following: follows.then(Following::default),
        followed_to: Arc::clone(&handle.followed_to),
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
        self.away.mark_changed();
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
                Some(LookedUp { messages, found }) = again::looked_up(&mut self.looking_up) => {
                    let messages = self.answer_known(messages, found);
                    if let Some(stop) = self.take(messages) {
                        return self.end(stop).await;
                    }
                }
                count = self.inbox.recv_many(&mut messages, AT_ONCE), if self.has_room() => {
                    if count == 0 {
                        break;
                    }
                    let messages = core::mem::take(&mut messages);
                    // One after the other, so that commands are decided in the order they came.
                    let messages = if self.must_look_up(&messages) { self.look_up(messages) } else { messages };
                    if let Some(stop) = self.take(messages) {
                        return self.end(stop).await;
                    }
                }
                Ok(()) = self.away.changed() => self.mind_database(),
                () = until(wake), if wake.is_some() => {}
            }
            self.publish();
        }
        self.finish().await;
    }

    /// Whether the next messages may come: no more than so much waits for the disk, and nothing for the store.
    fn has_room(&self) -> bool {
        self.in_flight.len() < IN_FLIGHT && self.looking_up.is_none() && self.away_since.is_none()
    }

    /// The database went away or came back. What would be decided meanwhile nobody could see, and a player whose command
    /// waits has not less time to bet than one whose command did not.
    fn mind_database(&mut self) {
        match (*self.away.borrow_and_update(), self.away_since) {
            (true, None) => self.away_since = Some(Instant::now()),
            (false, Some(since)) => {
                self.away_since = None;
                if let Some(dealer) = &mut self.dealer {
                    dealer.put_off(since.elapsed());
                    self.is_dirty = true;
                }
            }
            (true, Some(_)) | (false, None) => {}
        }
    }

    /// Finishes, and tells whoever waits for it, who may start another floor on the same store.
    async fn end(mut self, stop: oneshot::Sender<()>) {
        self.finish().await;
        drop(self);
        let _ = stop.send(());
    }

    /// Takes messages; whom to tell when all is done, if that is asked.
    fn take(&mut self, messages: Vec<Message>) -> Option<oneshot::Sender<()>> {
        let mut commands = Vec::with_capacity(messages.len());
        let mut stop = None;
        for message in messages {
            match message {
                Message::Command(asked) | Message::Checked(asked) if self.following.is_some() => {
                    asked.reply.tell(Err(Refused::Follows));
                }
                Message::Command(asked) => commands.push((asked, false)),
                Message::Checked(asked) => commands.push((asked, true)),
                Message::Follow(rows) => self.follow(&rows),
                Message::Lead(leading, led) => {
                    self.lead(leading);
                    // Whoever asked waits for it.
                    let _ = led.send(());
                }
                Message::Stop(sender) => stop = Some(sender),
                Message::Preview(command, sender) => {
                    let table = &self.shown;
                    let told = command.map(|command| croupier_table::preview(table, &command));
                    // Whoever asked may have gone away.
                    let _ = sender.send(Previewed { told, open: Open::of(table, clock::now() / 1_000) });
                }
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

    /// Lets the Dealer of an automatic table go on; when to look again.
    fn advance(&mut self) -> Option<Instant> {
        if self.away_since.is_some() {
            return None;
        }
        if self.following.is_some() {
            return self.mind_clock();
        }
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
        if self.following.is_some() {
            return;
        }
        let mut changes = std::mem::take(&mut self.rounds);
        let name = self.stream.to_string();
        changes.extend(snapshot::put(&self.shared.keys, &name, &self.front.snapshot()));
        // A failure has been told by then, and a missing snapshot only makes the next start longer.
        let _ = self.shared.till.append(|_| (Vec::new(), changes)).await;
    }
}

/// Stores the state of a table: one for each shoe is kept, so that whoever looks back begins at the shoe.
fn keep(keys: &Keys, front: &Replayed) -> Option<Change> {
    let name = snapshot::kept_as(Stream::Table(front.table.id), front.head.sequence);
    snapshot::put(keys, &name, &front.snapshot())
}

/// Whether cards are out that not everybody may have seen: of the round in progress, or for the next one.
fn has_cards_out(table: &Table) -> bool {
    table.round.begun && table.round.closed.is_none() || !table.next.carried.is_empty()
}

impl InFlight {
    fn new(id: CommandId, author: Author, at: u64, action: Action, events: Vec<Event>, reply: Reply) -> Self {
        Self {
            id,
            by: author.by,
            deed: Deed::Table(action),
            receipt: Receipt { sequence: 0, at },
            events,
            replies: vec![reply],
        }
    }
}

async fn until(wake: Option<Instant>) {
    if let Some(wake) = wake {
        tokio::time::sleep_until(wake.into()).await;
    }
}

/// A command of the software itself.
fn own(action: Action) -> Asked {
    Asked { id: None, actor: Who::System, action, said: Said::default(), reply: Reply::nobody() }
}
