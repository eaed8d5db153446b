//! The second set of books: it follows the lines that are durable, and nothing else.
//!
//! The first, in the [`till`](crate::till), decides whether a wallet covers what is asked of it, and may be ahead of the
//! disk. This one reads what the lines say, on a thread of its own. Totals, snapshots, checkpoints and whatever else takes
//! longer come from it, so that nobody holds the till for them. And it checks the first: for every line that moves money
//! it must come to the same balances. Where it does not, the floor stops.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use croupier_journal::checkpoint::Reach;
use croupier_journal::nodes::Mark;
use croupier_journal::writer::{Alongside, Following, Written};
use croupier_journal::{Bank, Change, Keys, Row, StoreError, Stream, snapshot};
use croupier_ledger::Receipt;
use tokio::sync::watch;

use crate::till::{Failed, fail};

/// What the first set of books came to with a line that moves money.
#[derive(Debug)]
pub struct Claim {
    /// The stream of the line.
    pub stream: Stream,
    /// Its number there.
    pub sequence: u64,
    /// What the books answered.
    pub receipt: Receipt,
}

/// Takes what the first set of books says, in the order in which it was posted.
#[derive(Clone, Debug)]
pub struct Claims(Sender<Message>);

impl Claims {
    /// Says what a line must come to, before it is handed over.
    pub fn make(&self, claim: Claim) {
        // The thread is gone only when the server stops.
        let _ = self.0.send(Message::Claim(claim));
    }
}

enum Message {
    Claim(Claim),
    Written(Written),
    Ask(Ask),
    /// This node leads from now on, and says what its lines must come to.
    Lead,
    /// Nobody asks any more, and the till has ended.
    Stop,
}

/// Looks at the books, or at why there are none.
type Ask = Box<dyn FnOnce(&mut Follower) + Send>;

/// A snapshot that waits for the next commit.
type Waiting = Arc<Mutex<Option<Change>>>;

/// What is made before the books are read: the writer is started with it.
#[derive(Debug)]
pub struct Feed {
    sender: Sender<Message>,
    inbox: Receiver<Message>,
    waiting: Waiting,
    /// The position of the last durable line.
    position: Arc<AtomicU64>,
    /// The last durable commit, where there are several nodes.
    mark: watch::Sender<Mark>,
}

impl Default for Feed {
    fn default() -> Self {
        let (sender, inbox) = mpsc::channel();
        let mark = watch::Sender::new(Mark::default());
        Self { sender, inbox, waiting: Waiting::default(), position: Arc::default(), mark }
    }
}

impl Feed {
    /// Gives every commit to the books.
    #[must_use]
    pub fn follow(&self) -> Following {
        let (sender, position) = (self.sender.clone(), Arc::clone(&self.position));
        let marks = self.mark.clone();
        Box::new(move |written: Written| {
            if let Some(mark) = written.mark {
                marks.send_replace(mark);
            }
            metrics::histogram!("croupier_store_commit_seconds").record(written.took.as_secs_f64());
            let rows = u32::try_from(written.rows.len()).unwrap_or(u32::MAX);
            metrics::histogram!("croupier_store_commit_rows").record(f64::from(rows));
            if rows > 0 {
                position.store(written.first + u64::from(rows) - 1, Ordering::Release);
                let _ = sender.send(Message::Written(written));
            }
        })
    }

    /// The snapshots that the books have made of themselves.
    #[must_use]
    pub fn alongside(&self) -> Alongside {
        let waiting = Arc::clone(&self.waiting);
        Box::new(move || waiting.lock().unwrap_or_else(PoisonError::into_inner).take())
    }

    /// Where the first set of books says what it came to.
    #[must_use]
    pub fn claims(&self) -> Claims {
        Claims(self.sender.clone())
    }
}

/// The second set of books.
#[derive(Debug)]
pub struct SecondBooks {
    sender: Option<Sender<Message>>,
    thread: Option<JoinHandle<()>>,
    position: Arc<AtomicU64>,
    mark: watch::Sender<Mark>,
}

impl SecondBooks {
    /// Follows from here on, with the bank and the rolling hash as the journal has them; whoever listens to `failed` hears of a difference.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        feed: Feed,
        bank: Bank,
        reach: Reach,
        keys: Arc<Keys>,
        failed: Failed,
    ) -> Result<Self, StoreError> {
        Self::begin(feed, bank, reach, keys, failed, true)
    }

    /// The same on a node that follows another: nobody has posted what its lines say, until [`SecondBooks::lead`].
    ///
    /// # Errors
    /// As [`SecondBooks::start`].
    pub fn following(
        feed: Feed,
        bank: Bank,
        reach: Reach,
        keys: Arc<Keys>,
        failed: Failed,
    ) -> Result<Self, StoreError> {
        Self::begin(feed, bank, reach, keys, failed, false)
    }

    fn begin(
        feed: Feed,
        bank: Bank,
        reach: Reach,
        keys: Arc<Keys>,
        failed: Failed,
        leads: bool,
    ) -> Result<Self, StoreError> {
        let Feed { sender, inbox, waiting, position, mark } = feed;
        position.fetch_max(bank.position, Ordering::AcqRel);
        let mut books = Follower {
            bank,
            reach,
            keys,
            claims: VecDeque::new(),
            since_snapshot: 0,
            snapshots: 0,
            waiting,
            failed,
            differs: None,
            leads,
        };
        let thread = std::thread::Builder::new()
            .name("second books".to_string())
            .spawn(move || books.run(&inbox))
            .map_err(|error| StoreError::Database(error.to_string()))?;
        Ok(Self { sender: Some(sender), thread: Some(thread), position, mark })
    }

    /// From the next line on this node's own books say what lines must come to.
    pub fn lead(&self) {
        if let Some(sender) = &self.sender {
            let _ = sender.send(Message::Lead);
        }
    }

    /// A commit of another node is followed, with all that it changed.
    pub(crate) fn marked(&self, mark: Mark) {
        self.mark.send_if_modified(|last| {
            let is_later = mark > *last;
            *last = mark.max(*last);
            is_later
        });
    }

    /// Tells of the last durable commit, where there are several nodes.
    #[must_use]
    pub fn marks(&self) -> watch::Receiver<Mark> {
        self.mark.subscribe()
    }

    /// The position of the last durable line.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.position.load(Ordering::Acquire)
    }

    /// Looks at the books as of the last durable line: whoever was answered before finds that line in them.
    ///
    /// # Errors
    /// How the two sets differ, if they do.
    pub async fn ask<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Bank) -> T + Send + 'static,
    ) -> Result<T, Arc<StoreError>> {
        self.with(move |books| look(&books.bank)).await
    }

    /// The change that stores the books as they are.
    ///
    /// # Errors
    /// As [`SecondBooks::ask`].
    pub async fn snapshot(&self) -> Result<Option<Change>, Arc<StoreError>> {
        self.with(Follower::snapshot).await
    }

    /// How far the lines go that are durable and that both sets of books agree on.
    ///
    /// # Errors
    /// As [`SecondBooks::ask`].
    pub async fn reach(&self) -> Result<Reach, Arc<StoreError>> {
        self.with(|books| books.reach).await
    }

    async fn with<T: Send + 'static>(
        &self,
        look: impl FnOnce(&mut Follower) -> T + Send + 'static,
    ) -> Result<T, Arc<StoreError>> {
        let (answer, answered) = tokio::sync::oneshot::channel();
        let ask: Ask = Box::new(move |books| {
            let differs = books.differs.clone();
            // Whoever asked may have gone away.
            let _ = answer.send(differs.map_or_else(|| Ok(look(books)), Err));
        });
        if let Some(sender) = &self.sender {
            let _ = sender.send(Message::Ask(ask));
        }
        let stopped = || Err(Arc::new(StoreError::Stopped("the server stops".to_string())));
        answered.await.unwrap_or_else(|_| stopped())
    }
}

impl Drop for SecondBooks {
    fn drop(&mut self) {
        if let Some(sender) = self.sender.take() {
            let _ = sender.send(Message::Stop);
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Lines between two snapshots, at least.
const BETWEEN_SNAPSHOTS: usize = 5_000;
/// Lines between two times that the books let go of what only answers repeated transfers.
const BETWEEN_FORGETTING: u64 = 10_000;

/// What the thread has.
struct Follower {
    bank: Bank,
    /// How far the lines go, for the next checkpoint.
    reach: Reach,
    keys: Arc<Keys>,
    /// What the first set of books says of lines that are still to come.
    claims: VecDeque<Claim>,
    /// Lines since the last snapshot.
    since_snapshot: usize,
    /// How many were taken: they go to their places by turns.
    snapshots: usize,
    waiting: Waiting,
    failed: Failed,
    differs: Option<Arc<StoreError>>,
    /// The lines are this node's own.
    leads: bool,
}

impl Follower {
    fn run(&mut self, inbox: &Receiver<Message>) {
        while let Ok(message) = inbox.recv() {
            match message {
                Message::Claim(claim) => self.claims.push_back(claim),
                Message::Written(written) => self.take(&written),
                Message::Ask(ask) => ask(self),
                Message::Lead => self.leads = true,
                Message::Stop => return,
            }
        }
    }

    fn take(&mut self, written: &Written) {
        for (position, row) in (written.first..).zip(&written.rows) {
            if self.differs.is_some() {
                return;
            }
            if let Err(how) = self.follow(position, row) {
                let why = Arc::new(StoreError::Books(how));
                fail(&self.failed, &why);
                self.differs = Some(why);
                return;
            }
        }
        self.since_snapshot += written.rows.len();
        // What a snapshot costs is what it holds: it comes after so many lines, and makes each a little dearer.
        let holds = self.bank.ledger.accounts().len() + self.bank.heads.len();
        if self.leads && self.since_snapshot >= BETWEEN_SNAPSHOTS.max(holds) {
            let change = self.snapshot();
            *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = change;
        }
    }

    fn follow(&mut self, position: u64, row: &Row) -> Result<(), String> {
        let followed = self.bank.follow_written(position, row).map_err(|bad| bad.to_string())?;
        if let Some(head) = self.bank.heads.get(&row.stream) {
            self.reach.pass(position, head.hash);
        }
        if position.is_multiple_of(BETWEEN_FORGETTING) {
            self.bank.forget();
        }
        let Some(receipt) = followed.filter(|_| self.leads) else { return Ok(()) };
        let line = || format!("{} {}", row.stream, row.sequence);
        let claim = self
            .claims
            .pop_front()
            .ok_or_else(|| format!("{} moves money, and nothing was posted", line()))?;
        if (claim.stream, claim.sequence) != (row.stream, row.sequence) {
            let posted = format!("{} {}", claim.stream, claim.sequence);
            return Err(format!("{} was posted next, and {} was written next", posted, line()));
        }
        if claim.receipt == receipt {
            Ok(())
        } else {
            Err(format!("{}: {}", line(), difference(&claim.receipt, &receipt)))
        }
    }

    fn snapshot(&mut self) -> Option<Change> {
        self.bank.forget();
        self.since_snapshot = 0;
        // The one before stays, should this one be of no use.
        self.snapshots += 1;
        let name = snapshot::BANK.get(self.snapshots % snapshot::BANK.len())?;
        snapshot::put(&self.keys, name, &self.bank)
    }
}

/// How two answers differ, in words.
fn difference(first: &Receipt, second: &Receipt) -> String {
    let pairs = first.balances.iter().zip(&second.balances);
    let differ = pairs.into_iter().find(|(one, other)| one != other);
    match differ {
        Some(((account, one), (other, two))) if account == other => format!(
            "the first set of books has {} in {account} after it, with {} pending out; the lines come to {}, with {}",
            one.posted, one.pending_out, two.posted, two.pending_out
        ),
        Some(((account, _), (other, _))) => {
            format!("the first set of books moved {account}, and the line moves {other}")
        }
        None => "the first set of books did something else than the line says".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use croupier_journal::deed::CageMove;
    use croupier_journal::envelope::Envelope;
    use croupier_journal::writer::Observers;
    use croupier_journal::{By, CommandId, Deed, Location, Writer};
    use croupier_ledger::{Account, Amount, Entry, Kind, PlayerId, Transfer, TransferId};
    use tokio::sync::watch;

    use super::*;
    use crate::till::{Inside, Till};

    const WALLET: Account = Account::Wallet(PlayerId(7));

    /// A till and the books that follow it, on a store in memory.
    fn floor() -> (Till, SecondBooks) {
        let (feed, keys) = (Feed::default(), Arc::new(Keys::fresh().unwrap()));
        let observers = Observers {
            follow: Some(feed.follow()),
            alongside: Some(feed.alongside()),
            ..Observers::default()
        };
        let writer = Writer::start_observed(&Location::memory(), observers).unwrap();
        let (claims, failed) = (feed.claims(), watch::Sender::new(None));
        let books = SecondBooks::start(feed, Bank::default(), Reach::START, keys, failed.clone()).unwrap();
        let (_, away) = watch::channel(false);
        (Till::new(Bank::default(), writer, 0, away, claims, failed), books)
    }

    fn deposit(id: TransferId, amount: i64) -> Entry {
        let amount = Amount::new(amount).unwrap();
        Entry::Direct(Transfer { id, from: Account::Cage, to: WALLET, amount, kind: Kind::Deposit })
    }

    /// Posts one amount and writes another.
    fn pay(till: &mut Inside, posted: i64, written: i64) -> Row {
        let (id, stream) = (till.next_transfer, Stream::Cage);
        let line = (stream, till.next(stream));
        till.post(line, &[deposit(id, posted)], TransferId(id.0 + 1), None).unwrap();
        let moved = CageMove {
            player: PlayerId(7),
            amount: Amount::new(written).unwrap(),
            witness: None,
            note: String::new(),
        };
        let (deed, postings) = (Deed::Deposit(moved), [deposit(id, written)]);
        let plain = Envelope::plain(CommandId::own(stream, line.1), till.time(), By::System.into(), &deed);
        till.line(stream, &Envelope { postings: &postings, ..plain })
    }

    #[tokio::test]
    async fn the_books_that_follow_come_to_the_same() {
        let (till, books) = floor();
        for amount in 1..=100 {
            till.append(|till| (vec![pay(till, amount, amount)], Vec::new())).await.unwrap();
            // Whoever was answered finds what was done.
            let held = books.ask(|bank| bank.ledger.available(WALLET)).await.unwrap();
            assert_eq!(held, i128::from(amount * (amount + 1) / 2));
        }
        assert_eq!(books.position(), 100);
        assert!(till.failure().is_none());
    }

    /// A planted difference: what the line says is not what was posted.
    #[tokio::test]
    async fn a_difference_stops_the_floor_with_a_word() {
        let (till, books) = floor();
        let mut failed = till.watch();
        till.append(|till| (vec![pay(till, 500, 500)], Vec::new())).await.unwrap();
        till.append(|till| (vec![pay(till, 500, 400)], Vec::new())).await.unwrap();
        let why = failed.wait_for(Option::is_some).await.unwrap().clone().unwrap();
        let said = "the two sets of books differ at cage 2: the first set of books has";
        assert!(why.to_string().starts_with(said), "{why}");
        assert!(matches!(*why, StoreError::Books(_)) && till.failure().is_some());
        // Nothing is told, stored or signed of books that differ.
        books.ask(|bank| bank.position).await.unwrap_err();
        books.snapshot().await.unwrap_err();
    }

    /// Money that was posted and has no line shows at the next line that moves any.
    #[tokio::test]
    async fn a_posting_without_a_line_is_found() {
        let (till, _books) = floor();
        let mut failed = till.watch();
        till.hold(|till| {
            let id = till.next_transfer;
            till.post((Stream::Cage, 1), &[deposit(id, 5)], TransferId(id.0 + 1), None).unwrap();
        });
        till.append(|till| {
            let lost = pay(till, 7, 7);
            let kept = pay(till, 8, 8);
            drop(kept);
            (vec![lost], Vec::new())
        })
        .await
        .unwrap();
        let why = failed.wait_for(Option::is_some).await.unwrap().clone().unwrap();
        assert!(why.to_string().contains("the first set of books"), "{why}");
    }

    /// The order of the journal is that in which places were taken, whoever writes first.
    #[tokio::test]
    async fn lines_written_out_of_order_are_stored_in_order() {
        let (till, books) = floor();
        let (one, other) = till.hold(|till| {
            let one = (pay(till, 5, 5), till.promise());
            (one, (pay(till, 6, 6), till.promise()))
        });
        let (sender, done) = tokio::sync::oneshot::channel();
        let (row, promise) = other;
        till.keep(promise, vec![row], Vec::new(), Box::new(move |result| drop(sender.send(result))));
        let (row, promise) = one;
        till.keep(promise, vec![row], Vec::new(), Box::new(|_| ()));
        assert_eq!(done.await.unwrap().unwrap().position, 2);
        assert_eq!(books.ask(|bank| bank.ledger.available(WALLET)).await.unwrap(), 11);
        assert!(till.failure().is_none());
    }

    /// Books of a hundred and more lines are stored as time goes by, with whatever is written next.
    #[tokio::test]
    async fn the_books_store_themselves() {
        let (till, books) = floor();
        for _ in 0..BETWEEN_SNAPSHOTS {
            till.hold(|till| {
                let row = pay(till, 1, 1);
                till.give(vec![row], Vec::new(), Box::new(|_| ()));
            });
        }
        // All of it is followed by now, and the snapshot goes with the next commit.
        till.append(|_| (Vec::new(), Vec::new())).await.unwrap();
        let waits = books.with(|books| books.snapshots).await.unwrap();
        assert_eq!(waits, 1);
        // First books that never let go would hold every transfer.
        assert!(till.hold(|till| till.ledger.forgotten()).is_some());
    }
}
