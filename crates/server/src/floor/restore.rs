//! Tables from their streams: each from the newest of its snapshots that is of use, several at a time.

use std::sync::Mutex;
use std::sync::PoisonError;

use croupier_journal::replay::TableSnapshot;
use croupier_journal::store::Flow;
use croupier_journal::{
    BadRow, Change, Keys, Replayed, Row, SecretShoe, Select, Shelf, Store, StoreError, Stream, Writer, shoe,
    snapshot,
};
use croupier_ledger::TableId;
use croupier_table::Views;

use super::Place;
use super::start::{StartError, keep, pass_over};
use crate::progress::Progress;
use crate::rounds::RoundKept;
use crate::table::Receipt;
use crate::table::actor::Start;
use crate::table::known::Known;

/// The most threads: more only wait for the disk.
const THREADS: usize = 4;
/// Changes for finished rounds that are written together.
const AT_ONCE: usize = 1_024;

/// What tables are restored with.
pub(super) struct Restoring<'a> {
    pub(super) shelf: &'a Shelf,
    pub(super) keys: &'a Keys,
    /// Nothing is written where another node leads.
    pub(super) writer: Option<&'a Writer>,
    pub(super) place: &'a Place,
    pub(super) was_killed: bool,
    pub(super) progress: &'a Progress,
}

impl Restoring<'_> {
    /// All tables as of the last lines of their streams, in the order asked for.
    pub(super) fn all(&self, tables: &[TableId]) -> Result<Vec<Start>, StartError> {
        let threads = std::thread::available_parallelism().map_or(1, |number| number.get().min(THREADS));
        self.progress.begin("rebuilding tables", u64::try_from(tables.len()).unwrap_or(0));
        let next = Mutex::new(tables.iter());
        std::thread::scope(|scope| {
            let work = || {
                let mut store = self.place.database.open()?;
                let mut done = Vec::new();
                loop {
                    let table = next.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some(table) = table else { return Ok::<_, StartError>(done) };
                    done.push(self.one(store.as_mut(), *table)?);
                }
            };
            let workers: Vec<_> = (0..threads.min(tables.len())).map(|_| scope.spawn(work)).collect();
            let mut all = Vec::new();
            for worker in workers {
                all.extend(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            }
            all.sort_unstable_by_key(|start| start.table.table.id);
            Ok(all)
        })
    }

    /// The newest state that is stored of a table and of use.
    fn stored(&self, store: &mut dyn Store, id: TableId) -> Result<Option<Replayed>, StoreError> {
        let stream = Stream::Table(id);
        let mut fits = |snapshot: TableSnapshot| Replayed::restore(id, self.shelf, snapshot);
        let name = stream.to_string();
        let at_the_stop = match store.entry(snapshot::REGISTER, &name)? {
            Some(value) => {
                let used = snapshot::read(self.keys, &name, &value).map_err(|why| why.to_string());
                used.and_then(&mut fits).inspect_err(|why| pass_over(&name, why)).ok()
            }
            None => None,
        };
        // At a stop all of the stream is in it, so that one of a shoe is newer only after a crash.
        let of_a_shoe = snapshot::newest(store, self.keys, stream, u64::MAX, &mut fits, &mut |name, why| {
            pass_over(name, &why);
        })?;
        let sequence = |replayed: &Replayed| replayed.head.sequence;
        Ok([at_the_stop, of_a_shoe].into_iter().flatten().max_by_key(sequence))
    }

    /// A table as of the last line of its stream.
    fn one(&self, store: &mut dyn Store, id: TableId) -> Result<Start, StartError> {
        let stream = Stream::Table(id);
        let mut replayed = self.stored(store, id)?;
        let last_snapshot = replayed.as_ref().map_or(0, |replayed| replayed.head.sequence);
        // The store has those of before.
        let mut known = if last_snapshot == 0 { Known::default() } else { Known::from_here_on() };
        let mut rounds = Vec::new();
        let mut fault = None;
        store.rows(Select::Stream(stream, last_snapshot + 1), &mut |_, row| {
            known.add(&row.id);
            let followed = match &mut replayed {
                None => Replayed::first(self.shelf, &row)
                    .map_err(StartError::from)
                    .map(|first| replayed = Some(first)),
                Some(replayed) => self.follow(replayed, &row, &mut rounds),
            };
            match followed {
                Ok(()) => Flow::Continue(()),
                Err(why) => {
                    fault = Some(why);
                    Flow::Break(())
                }
            }
        })?;
        if let Some(why) = fault {
            return Err(why);
        }
        let table = replayed.ok_or_else(|| BadRow { stream, sequence: 1, what: "is missing".to_string() })?;
        let number = table.table.shoe.number;
        let name = shoe::name(id, number);
        let sealed = store.entry(shoe::REGISTER, &name)?;
        let in_play = sealed.map(|sealed| SecretShoe::unseal(self.keys, &name, &sealed)).transpose()?;
        self.progress.add(1);
        Ok(Start {
            table,
            in_play: in_play.map(|shoe| (number, shoe)),
            known,
            last_snapshot,
            pace: self.place.pace,
            rounds,
            was_killed: self.was_killed,
            follows: self.writer.is_none(),
        })
    }

    /// Follows a line. Finished rounds are kept with the lines after them, which a crash may have prevented; where
    /// there are many, they are written as they come.
    fn follow(&self, replayed: &mut Replayed, row: &Row, rounds: &mut Vec<Change>) -> Result<(), StartError> {
        let record = row.record().map_err(|error| BadRow::new(row, error.to_string()))?;
        let posted = replayed.follow_whole(row, &record)?;
        if posted.closes.is_some() && replayed.table.round.closed.is_some() {
            let ended = Receipt { sequence: row.sequence, at: record.at };
            let views = Views::new(&replayed.table);
            let kept = RoundKept::new(&replayed.table, &views, replayed.round_from, ended);
            rounds.extend(kept.changes(replayed.table.id));
            if rounds.len() >= AT_ONCE {
                let rounds = core::mem::take(rounds);
                if let Some(writer) = self.writer {
                    keep(writer, rounds)?;
                }
            }
        }
        Ok(())
    }
}
