//! Counting exposure: how often, and by how much, a perfect observer has the edge.
//!
//! Whole shoes are dealt card by card. Before every round each bet is priced exactly for the cards that are
//! left, and an observer who knows them lays one unit on every bet whose mean gain is above zero. What he can
//! expect to win is added up by penetration: the share of the shoe that is out when the round begins. It is
//! the expectation that is added, not the result of the round, so that luck in the bets plays no part.
//!
//! The result depends on the settings alone, never on the number of threads: shoe `k` has its own generator,
//! started from the seed and `k`, and gains are added as integers ([`UNIT`]), which gives the same sum in any
//! order. A cancelled run has finished the shoes from the first to some last one, and so equals a run of that
//! many shoes.
//!
//! What does not belong here: how odds are computed (that is an [`EdgeSource`]'s business), files, terminals.

mod report;
mod shoe;
mod source;
mod tally;

pub use report::{BetExposure, Exposure, Penetration};
pub use shoe::{DealtRound, DealtShoe};
pub use source::{EdgeSource, Gain, PlainSource};
pub use tally::UNIT;

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use croupier_cards::{Composition, Decks};
use croupier_rules::Game;
use croupier_rules::baccarat::Burn;

use crate::counts::RankCounts;
use tally::Tally;

/// How shoes are dealt and watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Decks in a shoe.
    pub decks: Decks,
    /// What is burned from a new shoe. The observer sees it.
    pub burn: Burn,
    /// Cards behind the cut card; with none, a shoe is dealt until a round might lack a card.
    pub cut_card: u32,
    /// Rounds dealt after the one in which the cut card came out; none if it came ahead of that round's first
    /// card.
    pub rounds_after_cut_card: u32,
    /// How many shoes.
    pub shoes: u64,
    /// Where chance starts.
    pub seed: u64,
    /// Into how many equal parts the shoe is divided in the report.
    pub buckets: u32,
    /// Threads; as many as the machine has cores if none are named.
    pub threads: Option<core::num::NonZeroUsize>,
}

impl Settings {
    /// Most parts of a shoe in a report.
    pub const BUCKETS_MAX: u32 = 100;

    /// The usual dealing of so many decks: one card burned, 14 behind the cut card, one more round after it.
    #[must_use]
    pub const fn of_decks(decks: Decks) -> Self {
        Self {
            decks,
            burn: Burn::Cards(1),
            cut_card: 14,
            rounds_after_cut_card: 1,
            shoes: 1_000,
            seed: 1,
            buckets: 10,
            threads: None,
        }
    }

    /// Whether shoes can be dealt so.
    ///
    /// # Errors
    /// The first setting that does not fit, with what would.
    pub fn check(&self) -> Result<(), ExposureError> {
        let cards = u32::from(self.decks.number()) * 52;
        if self.shoes == 0 {
            return Err(ExposureError::NoShoes);
        }
        if self.buckets == 0 || self.buckets > Self::BUCKETS_MAX {
            return Err(ExposureError::Buckets(self.buckets));
        }
        let burn_max = cards - RankCounts::ROUND;
        let burn = self.burn.most();
        if burn > burn_max {
            return Err(ExposureError::Burn { burn, cards, burn_max });
        }
        let left = cards - burn;
        if self.cut_card > left {
            return Err(ExposureError::CutCard { behind: self.cut_card, cards, left });
        }
        Ok(())
    }
}

/// Why exposure cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum ExposureError {
    /// Nothing to deal.
    #[error("no shoes to deal; at least one is needed")]
    NoShoes,
    /// A report in no parts, or in more than can be read.
    #[error("a shoe cannot be reported in {0} parts; accepted: 1 to {MAX}", MAX = Settings::BUCKETS_MAX)]
    Buckets(u32),
    /// No round is left after the burn.
    #[error("{burn} cards cannot be burned from {cards}: a round can take six; accepted: 0 to {burn_max}")]
    Burn {
        /// To be burned.
        burn: u32,
        /// In the shoe.
        cards: u32,
        /// The most that leave a round.
        burn_max: u32,
    },
    /// More cards behind the cut card than there are.
    #[error(
        "the cut card cannot have {behind} cards behind it in a shoe of {cards}; accepted: 0 to {left}, the \
         cards left after the burn"
    )]
    CutCard {
        /// Wanted behind it.
        behind: u32,
        /// In the shoe.
        cards: u32,
        /// After the burn.
        left: u32,
    },
    /// The system gave no threads.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Who is told of the progress, and who may end it early.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Called after each shoe, from any thread, with its number of rounds.
    pub shoe_done: &'a (dyn Fn(u64) + Sync),
    /// Set to end after the shoes in progress.
    pub cancel: &'a AtomicBool,
}

/// Measures the exposure of every bet of a baccarat game, in menu order. `source` prices those bets.
///
/// # Errors
/// [`ExposureError`] for settings that do not fit.
pub fn measure(
    game: &Game,
    settings: &Settings,
    source: &impl EdgeSource,
    watch: Watch<'_>,
) -> Result<Exposure, ExposureError> {
    settings.check()?;
    let bets = game.bets.len();
    let threads = settings.threads.map_or(0, core::num::NonZeroUsize::get);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let next = AtomicU64::new(0);
    // Each thread takes the next shoe when it is free. Sums of integers do not depend on who took which.
    let tallies = pool.broadcast(|_| {
        let mut source = source.clone();
        let mut tally = Tally::new(bets, settings);
        let mut gains = vec![Gain::NONE; bets];
        while !watch.cancel.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= settings.shoes {
                break;
            }
            (watch.shoe_done)(watch_shoe(settings, number, &mut source, &mut gains, &mut tally));
        }
        tally
    });
    let mut all = Tally::new(bets, settings);
    for tally in &tallies {
        all.add(tally);
    }
    let mut fresh = vec![Gain::NONE; bets];
    let decks = settings.decks;
    source.clone().gains(&RankCounts::of_decks(decks), &Composition::of_decks(decks), &mut fresh);
    Ok(Exposure::new(game, settings, &all, &fresh))
}

/// Deals one shoe and enters every round of it; gives the number of rounds.
fn watch_shoe(
    settings: &Settings,
    number: u64,
    source: &mut impl EdgeSource,
    gains: &mut [Gain],
    tally: &mut Tally,
) -> u64 {
    let mut rounds = 0;
    for round in DealtShoe::new(settings, number) {
        source.gains(&round.before, &round.cards, gains);
        tally.round(round.out, gains);
        rounds += 1;
    }
    tally.end_shoe();
    rounds
}
