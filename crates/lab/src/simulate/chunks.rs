//! Work in chunks of a fixed size over any number of threads, with the same result for all of them.

use core::sync::atomic::{AtomicU64, Ordering};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::{Run, SimulateError};

/// How much work a chunk is.
#[derive(Clone, Copy)]
pub(crate) struct Units {
    /// Rounds, shoes or sessions in each chunk but the last.
    pub(crate) per_chunk: u64,
}

impl Units {
    /// About a millisecond's work.
    pub(crate) const ROUNDS: Self = Self { per_chunk: 1 << 17 };
    /// As many rounds, or nearly.
    pub(crate) const SHOES: Self = Self { per_chunk: 1 << 11 };
    /// Sessions of a hundred rounds or so.
    pub(crate) const SESSIONS: Self = Self { per_chunk: 1 << 8 };
}

/// The most chunks between two looks at the precision reached.
const WAVE_MAX: u64 = 512;

/// Runs `chunk(number, units)` over all chunks and sums up; the answer also says whether it was cancelled.
///
/// `enough` is asked between waves of chunks whose sizes are fixed too (1, 2, 4, … chunks), so that it stops
/// at the same place for any number of threads.
pub(crate) fn run<Tally: Send>(
    units: Units,
    total: u64,
    run: &Run<'_>,
    chunk: &(dyn Fn(u64, u64) -> Tally + Sync),
    mut sum: Tally,
    add: impl Fn(&mut Tally, Tally) + Sync,
    enough: &dyn Fn(&Tally) -> bool,
) -> Result<(Tally, bool), SimulateError> {
    let threads = run.threads.map_or(0, core::num::NonZeroUsize::get);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| SimulateError::Threads(error.to_string()))?;
    let chunks = total.div_ceil(units.per_chunk);
    let done = AtomicU64::new(0);
    let cancelled = || run.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed));
    let (mut first, mut wave) = (0, 1);
    let mut skipped = false;
    while first < chunks && !skipped {
        let end = chunks.min(first + wave);
        let tallies: Vec<Option<Tally>> = pool.install(|| {
            let one = |number| {
                if cancelled() {
                    return None;
                }
                let size = units.per_chunk.min(total - number * units.per_chunk);
                let tally = chunk(number, size);
                let now = done.fetch_add(size, Ordering::Relaxed) + size;
                if let Some(progress) = run.progress {
                    progress(now);
                }
                Some(tally)
            };
            (first..end).into_par_iter().map(one).collect()
        });
        for tally in tallies {
            match tally {
                Some(tally) => add(&mut sum, tally),
                None => skipped = true,
            }
        }
        if enough(&sum) {
            break;
        }
        (first, wave) = (end, WAVE_MAX.min(wave * 2));
    }
    Ok((sum, skipped))
}
