//! The limit of the disk: lines of the same size appended by the writer alone, with as many on their way.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use croupier_journal::{CommandId, Job, Kind, Location, Row, Stream, Writer};
use croupier_ledger::TableId;

use crate::bets::{PLAYERS, TABLES, at_once};

/// The bytes of a line that records a bet.
const LINE: usize = 620;
const TIME: Duration = Duration::from_secs(6);

pub(crate) fn measure(name: &str, location: &Location) {
    let writer = Writer::start(location).expect("the store can be written to");
    let (done, answers) = mpsc::channel();
    let mut sequences = [0_u64; TABLES];
    let mut given = 0_usize;
    let mut answered = 0_usize;
    let under_way = TABLES * PLAYERS * at_once();
    let start = Instant::now();
    while start.elapsed() < TIME {
        while given - answered < under_way {
            let table = given % TABLES;
            sequences[table] += 1;
            give(&writer, table, sequences[table], &done);
            given += 1;
        }
        answers.recv().expect("the writer answers");
        answered += 1 + answers.try_iter().count();
    }
    let per_second = answered as f64 / start.elapsed().as_secs_f64();
    println!("{name:10} {per_second:>7.0} lines/s appended by the writer alone: the limit of the disk");
}

fn give(writer: &Writer, table: usize, sequence: u64, done: &mpsc::Sender<()>) {
    // Ids as the players make them, so that the index has the same work.
    let player = sequence % PLAYERS as u64;
    let id = CommandId::new(&format!("{player}-{sequence}")).expect("an id");
    let stream = Stream::Table(TableId(table as u32));
    let row = Row { stream, sequence, id, kind: Kind::Table, events_at: 300, line: vec![b'x'; LINE] };
    let done = done.clone();
    writer.give(Job {
        rows: vec![row],
        changes: Vec::new(),
        done: Box::new(move |result| {
            result.expect("the store takes it");
            let _ = done.send(());
        }),
    });
}
