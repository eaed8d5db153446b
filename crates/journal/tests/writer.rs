//! The writer: order, positions without gaps, answers only for what is durable, and what happens when a commit fails.
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

use core::ops::Range;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex, mpsc};
use std::time::Duration;

use croupier_journal::store::{Flow, Order};
use croupier_journal::writer::Committed;
use croupier_journal::{
    Change, CommandId, Job, Kind, Location, Row, Select, Store, StoreError, Stream, Writer,
};
use croupier_testkit::postgres::database;
use croupier_testkit::tempdir;

fn row(stream: &str, sequence: u64) -> Row {
    let stream: Stream = stream.parse().unwrap();
    let line = format!("{stream} {sequence}").into_bytes();
    Row { stream, sequence, id: CommandId::own(stream, sequence), kind: Kind::Table, events_at: 0, line }
}

fn mark(key: &str, value: u64) -> Change {
    Change::Put { register: "mark", key: key.to_string(), value: value.to_string().into_bytes() }
}

fn lines(store: &mut dyn Store, select: Select) -> Vec<(u64, String)> {
    let mut found = Vec::new();
    store
        .rows(select, &mut |position, row| {
            found.push((position, String::from_utf8(row.line).unwrap()));
            Flow::Continue(())
        })
        .unwrap();
    found
}

/// Threads that give jobs of one to three rows, each to a stream of its own, without waiting for answers.
fn many_threads(location: &Location) {
    const THREADS: u64 = 8;
    const JOBS: u64 = 60;
    let writer = Writer::start(location).unwrap();
    let answers = Mutex::new(Vec::new());
    let reader = Arc::new(Mutex::new(location.open_to_read().unwrap()));
    std::thread::scope(|scope| {
        for thread in 1..=THREADS {
            let (writer, answers, reader) = (&writer, &answers, &reader);
            scope.spawn(move || {
                let name = format!("table/{thread}");
                let (sender, received) = mpsc::channel::<(u64, u64, Committed)>();
                let mut sequence = 0;
                for job in 0..JOBS {
                    let first = sequence + 1;
                    sequence += job % 3 + 1;
                    let (sender, reader) = (sender.clone(), Arc::clone(reader));
                    let (name, last) = (name.clone(), sequence);
                    writer.give(Job {
                        rows: (first..=sequence).map(|at| row(&name, at)).collect(),
                        changes: vec![mark(&name, last)],
                        done: Box::new(move |answer| {
                            let committed = answer.unwrap();
                            // By now another connection sees the rows and the registers that came with them.
                            let mut reader = reader.lock().unwrap();
                            let seen = lines(reader.as_mut(), Select::Stream(name.parse().unwrap(), first));
                            let positions = (committed.position..).zip(first..=last);
                            let expect: Vec<_> =
                                positions.map(|(position, at)| (position, format!("{name} {at}"))).collect();
                            assert!(seen.starts_with(&expect), "{name} {first}: {seen:?}");
                            let marked = reader.entry("mark", &name).unwrap().unwrap();
                            let marked: u64 = String::from_utf8(marked).unwrap().parse().unwrap();
                            assert!(marked >= last);
                            sender.send((first, last, committed)).unwrap();
                        }),
                    });
                }
                drop(sender);
                // Every job is answered once, in the order given; a second answer cannot be: `done` is used up.
                let received: Vec<_> = received.iter().collect();
                assert_eq!(received.len(), usize::try_from(JOBS).unwrap());
                let mut next = 1;
                for (first, last, _) in &received {
                    assert_eq!(*first, next);
                    next = last + 1;
                }
                answers.lock().unwrap().extend(received);
            });
        }
    });
    assert!(writer.failure().is_none());
    drop(writer);
    // All jobs together cover all positions, each once.
    let mut answers = answers.into_inner().unwrap();
    answers.sort_by_key(|(_, _, committed)| committed.position);
    let mut next = 1;
    for (first, last, committed) in answers {
        assert_eq!(committed.position, next);
        next += last - first + 1;
    }
    let mut store = location.open_to_read().unwrap();
    assert_eq!(store.end().unwrap(), next - 1);
    let all = lines(store.as_mut(), Select::After(0));
    assert!(all.iter().map(|(position, _)| *position).eq(1..next));
}

#[test]
fn many_threads_in_memory() {
    many_threads(&Location::memory());
}

#[test]
fn many_threads_on_sqlite() {
    let folder = tempdir().unwrap();
    many_threads(&Location::Sqlite(folder.path().join("journal.db")));
}

#[test]
fn many_threads_on_postgres() {
    let database = database().unwrap();
    many_threads(&Location::Postgres(database.url()));
}

/// A store in memory that can be held up, or told to fail, and counts its commits.
struct Moody {
    store: Box<dyn Store>,
    orders: Arc<Orders>,
}

#[derive(Default)]
struct Orders {
    /// Fails from this commit on; 0 for never.
    fails_from: AtomicUsize,
    /// Fails once only.
    recovers: AtomicBool,
    commits: AtomicUsize,
    rows: AtomicU64,
    gate: Mutex<()>,
    /// How the next commits lose the connection.
    losses: Mutex<VecDeque<Loss>>,
}

/// When the connection breaks.
#[derive(Clone, Copy)]
enum Loss {
    /// Before the commit.
    Before,
    /// After it, and nobody hears of it.
    After,
    /// Somebody else writes then.
    Stolen,
}

impl Store for Moody {
    fn lock(&mut self) -> Result<(), StoreError> {
        self.store.lock()
    }
    fn commit(&mut self, position: u64, rows: &[Row], changes: &[Change]) -> Result<(), StoreError> {
        let _open = self.orders.gate.lock().unwrap();
        let count = self.orders.commits.fetch_add(1, Ordering::SeqCst) + 1;
        let from = self.orders.fails_from.load(Ordering::SeqCst);
        if from > 0 && (count == from || (count > from && !self.orders.recovers.load(Ordering::SeqCst))) {
            return Err(StoreError::Database("the disk is full".to_string()));
        }
        self.orders.rows.fetch_add(u64::try_from(rows.len()).unwrap(), Ordering::SeqCst);
        let loss = self.orders.losses.lock().unwrap().pop_front();
        match loss {
            None => return self.store.commit(position, rows, changes),
            Some(Loss::Before) => {}
            Some(Loss::After) => self.store.commit(position, rows, changes)?,
            Some(Loss::Stolen) => self.store.commit(position, &[row("cage", 1)], &[])?,
        }
        Err(StoreError::Lost("the line is dead".to_string()))
    }
    fn regain(&mut self) -> Result<(), StoreError> {
        Ok(())
    }
    fn rows(&mut self, select: Select, each: &mut dyn FnMut(u64, Row) -> Flow) -> Result<(), StoreError> {
        self.store.rows(select, each)
    }
    fn find(&mut self, stream: Stream, id: &CommandId) -> Result<Option<Row>, StoreError> {
        self.store.find(stream, id)
    }
    fn end(&mut self) -> Result<u64, StoreError> {
        self.store.end()
    }
    fn entry(&mut self, register: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.store.entry(register, key)
    }
    fn entries(&mut self, register: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        self.store.entries(register)
    }
    fn dump(&mut self, each: croupier_journal::store::TakePart<'_>) -> Result<(), StoreError> {
        self.store.dump(each)
    }
    fn range(
        &mut self,
        register: &str,
        keys: Range<&str>,
        order: Order,
        most: usize,
    ) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        self.store.range(register, keys, order, most)
    }
}

fn moody() -> (Writer, Arc<Orders>, Location) {
    let (location, orders) = (Location::memory(), Arc::new(Orders::default()));
    let store = Box::new(Moody { store: location.open().unwrap(), orders: Arc::clone(&orders) });
    (Writer::over(store).unwrap(), orders, location)
}

type Answers = Arc<Mutex<Vec<(u64, Result<Committed, Arc<StoreError>>)>>>;

/// A job of one row; the answer goes into the list.
fn job(sequence: u64, answers: &Answers) -> Job {
    let answers = Arc::clone(answers);
    let done = Box::new(move |answer| answers.lock().unwrap().push((sequence, answer)));
    Job { rows: vec![row("house", sequence)], changes: Vec::new(), done }
}

#[test]
fn what_comes_in_meanwhile_is_committed_together() {
    let (writer, orders, location) = moody();
    let answers = Answers::default();
    let gate = orders.gate.lock().unwrap();
    for sequence in 1..=1_000 {
        writer.give(job(sequence, &answers));
    }
    assert_eq!(answers.lock().unwrap().len(), 0, "nothing is answered before it is durable");
    drop(gate);
    drop(writer);
    assert_eq!(answers.lock().unwrap().len(), 1_000, "dropping waits for all");
    assert!(orders.commits.load(Ordering::SeqCst) <= 3, "{}", orders.commits.load(Ordering::SeqCst));
    let positions: Vec<u64> =
        answers.lock().unwrap().iter().map(|(_, answer)| answer.as_ref().unwrap().position).collect();
    assert!(positions.into_iter().eq(1..=1_000));
    assert_eq!(location.open().unwrap().end().unwrap(), 1_000);
}

/// Places are taken in one order and filled in another: the journal has the first.
#[test]
fn what_was_promised_is_written_in_the_order_of_the_promises() {
    let (writer, _, location) = moody();
    let answers = Answers::default();
    let promises: Vec<_> = (1..=100).map(|sequence| (sequence, writer.promise())).collect();
    writer.give(job(101, &answers));
    for (sequence, promise) in promises.into_iter().rev() {
        promise.keep(job(sequence, &answers));
    }
    drop(writer);
    let mut store = location.open().unwrap();
    let expected: Vec<(u64, String)> = (1..=101).map(|at| (at, format!("house {at}"))).collect();
    assert_eq!(lines(store.as_mut(), Select::After(0)), expected);
    assert!(answers.lock().unwrap().iter().map(|(sequence, _)| *sequence).eq(1..=101));
}

/// What comes before a place that is not filled is not kept waiting for it.
#[test]
fn an_open_place_holds_up_only_what_comes_after_it() {
    let (writer, _, location) = moody();
    let answers = Answers::default();
    writer.give(job(1, &answers));
    let promise = writer.promise();
    writer.give(job(3, &answers));
    for _ in 0..10_000 {
        if !answers.lock().unwrap().is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(answers.lock().unwrap().len(), 1);
    promise.keep(job(2, &answers));
    drop(writer);
    assert_eq!(location.open().unwrap().end().unwrap(), 3);
}

/// A task that fails between its place and its line: nothing that rests on the line is written.
#[test]
fn a_promise_that_is_not_kept_stops_the_writer() {
    let (writer, _, location) = moody();
    let answers = Answers::default();
    writer.append(vec![row("house", 1)], Vec::new()).unwrap();
    drop(writer.promise());
    let why = writer.append(vec![row("house", 2)], Vec::new()).unwrap_err();
    assert!(why.to_string().contains("its line never came"), "{why}");
    let late = writer.promise();
    late.keep(job(3, &answers));
    drop(writer);
    assert!(answers.lock().unwrap()[0].1.is_err());
    assert_eq!(location.open().unwrap().end().unwrap(), 1);
}

#[test]
fn a_commit_has_a_limit() {
    let (writer, orders, _) = moody();
    let answers = Answers::default();
    let gate = orders.gate.lock().unwrap();
    for sequence in 1..=20_000 {
        writer.give(job(sequence, &answers));
    }
    drop(gate);
    drop(writer);
    assert!(orders.commits.load(Ordering::SeqCst) >= 3, "{}", orders.commits.load(Ordering::SeqCst));
    assert_eq!(orders.rows.load(Ordering::SeqCst), 20_000);
    assert!(answers.lock().unwrap().iter().map(|(sequence, _)| *sequence).eq(1..=20_000));
}

#[test]
fn long_lines_are_not_all_committed_together() {
    let (writer, orders, _) = moody();
    let answers = Answers::default();
    let gate = orders.gate.lock().unwrap();
    for sequence in 1..=64 {
        let mut job = job(sequence, &answers);
        job.rows[0].line = vec![b' '; 1 << 20];
        writer.give(job);
    }
    drop(gate);
    drop(writer);
    let commits = orders.commits.load(Ordering::SeqCst);
    assert!((4..=6).contains(&commits), "{commits}");
    assert_eq!(answers.lock().unwrap().len(), 64);
}

#[test]
fn a_failure_is_the_answer_to_all_that_follow() {
    for recovers in [false, true] {
        let (writer, orders, location) = moody();
        orders.fails_from.store(2, Ordering::SeqCst);
        orders.recovers.store(recovers, Ordering::SeqCst);
        let answers = Answers::default();
        writer.append(vec![row("house", 1)], Vec::new()).unwrap();
        assert!(writer.failure().is_none());
        let gate = orders.gate.lock().unwrap();
        for sequence in 2..=10 {
            writer.give(job(sequence, &answers));
        }
        drop(gate);
        writer.append(vec![row("house", 11)], Vec::new()).unwrap_err();
        assert_eq!(writer.failure().unwrap().to_string(), "the disk is full");
        // Nothing more is tried, even if the disk has room again: this one has certainly left nothing behind.
        let later = writer.append(vec![row("house", 12)], Vec::new()).unwrap_err();
        assert_eq!(later.to_string(), "nothing is written any more: the disk is full");
        assert!(later.left_nothing());
        drop(writer);
        assert_eq!(orders.commits.load(Ordering::SeqCst), 2);
        let answers = answers.lock().unwrap();
        assert!(answers.iter().map(|(sequence, _)| *sequence).eq(2..=10));
        assert!(answers.iter().all(|(_, answer)| answer.is_err()));
        assert_eq!(location.open().unwrap().end().unwrap(), 1);
    }
}

/// Whatever becomes of the connection, and however often: what is answered is there, once, in order.
#[test]
fn a_commit_whose_fate_is_unknown_is_looked_for() {
    for losses in [
        vec![Loss::Before],
        vec![Loss::After],
        vec![Loss::Before, Loss::Before, Loss::After],
        vec![Loss::Before, Loss::After],
    ] {
        let (writer, orders, location) = moody();
        writer.append(vec![row("house", 1)], Vec::new()).unwrap();
        orders.losses.lock().unwrap().extend(losses);
        let both = vec![row("house", 2), row("house", 3)];
        assert_eq!(writer.append(both, vec![mark("a", 1)]).unwrap(), Committed { position: 2 });
        // Changes alone leave nothing to be looked for; made twice, they are the same.
        orders.losses.lock().unwrap().push_back(Loss::After);
        assert_eq!(writer.append(Vec::new(), vec![mark("a", 2)]).unwrap(), Committed { position: 4 });
        assert_eq!(writer.append(vec![row("house", 4)], Vec::new()).unwrap(), Committed { position: 4 });
        assert!(writer.failure().is_none());
        let mut store = location.open().unwrap();
        let expected: Vec<(u64, String)> = (1..=4).map(|at| (at, format!("house {at}"))).collect();
        assert_eq!(lines(store.as_mut(), Select::After(0)), expected);
        assert_eq!(store.entry("mark", "a").unwrap(), Some(b"2".to_vec()));
    }
}

#[test]
fn a_line_of_somebody_else_stops_the_writer() {
    let (writer, orders, location) = moody();
    orders.losses.lock().unwrap().push_back(Loss::Stolen);
    let why = writer.append(vec![row("house", 1)], Vec::new()).unwrap_err();
    assert!(matches!(*why, StoreError::Overtaken(_)), "{why}");
    writer.append(vec![row("house", 2)], Vec::new()).unwrap_err();
    drop(writer);
    assert_eq!(location.open().unwrap().end().unwrap(), 1);
}

#[test]
fn a_job_without_rows_is_told_the_next_position() {
    let location = Location::memory();
    let writer = Writer::start(&location).unwrap();
    assert_eq!(writer.append(Vec::new(), vec![mark("a", 1)]).unwrap(), Committed { position: 1 });
    assert_eq!(
        writer.append(vec![row("house", 1), row("cage", 1)], Vec::new()).unwrap(),
        Committed { position: 1 }
    );
    assert_eq!(writer.append(Vec::new(), vec![mark("a", 2)]).unwrap(), Committed { position: 3 });
    assert_eq!(location.open().unwrap().entry("mark", "a").unwrap(), Some(b"2".to_vec()));
}

#[test]
fn a_writer_goes_on_where_the_last_one_ended() {
    let folder = tempdir().unwrap();
    let location = Location::Sqlite(folder.path().join("journal.db"));
    for at in 1..=3 {
        let writer = Writer::start(&location).unwrap();
        match Writer::start(&location) {
            Err(StoreError::InUse(_)) => {}
            other => panic!("{other:?}"),
        }
        assert_eq!(writer.append(vec![row("house", at)], Vec::new()).unwrap(), Committed { position: at });
    }
}

#[test]
fn a_sequence_that_is_taken_stops_the_writer() {
    let location = Location::memory();
    let writer = Writer::start(&location).unwrap();
    writer.append(vec![row("house", 1)], Vec::new()).unwrap();
    let why = writer.append(vec![row("cage", 1), row("house", 1)], vec![mark("a", 1)]).unwrap_err();
    assert!(matches!(*why, StoreError::Taken(_)), "{why}");
    writer.append(vec![row("house", 2)], Vec::new()).unwrap_err();
    drop(writer);
    let mut store = location.open().unwrap();
    assert_eq!((store.end().unwrap(), store.entry("mark", "a").unwrap()), (1, None));
}

#[test]
fn dropping_waits() {
    let (writer, orders, location) = moody();
    let answers = Answers::default();
    let barrier = Barrier::new(2);
    std::thread::scope(|scope| {
        let (barrier, orders) = (&barrier, &orders);
        scope.spawn(move || {
            let gate = orders.gate.lock().unwrap();
            barrier.wait();
            std::thread::sleep(Duration::from_millis(100));
            drop(gate);
        });
        barrier.wait();
        for sequence in 1..=5 {
            writer.give(job(sequence, &answers));
        }
        drop(writer);
        assert_eq!(answers.lock().unwrap().len(), 5);
        assert_eq!(location.open().unwrap().end().unwrap(), 5);
    });
}
