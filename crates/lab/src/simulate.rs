//! Simulation: rounds dealt from real cards of a shoe, and what every bet makes of them.
//!
//! Rounds are dealt in chunks of a fixed size, each with a generator of its own made from the seed and the
//! chunk's number, and counted by outcome class in integers. So the same seed gives the same result for any
//! number of threads, and one count prices every bet of the game through its column.
//!
//! - [`Dealing::Rounds`]: every round from a full, freshly shuffled shoe;
//! - [`Dealing::Shoes`]: whole shoes, played until the cut card;
//! - [`Dealing::NiuNiu`]: a box and the Dealer, five cards each from one deck;
//! - [`sessions::simulate`]: the end results of players who follow a betting plan.
//!
//! [`plain`] deals the same draws slowly and beyond doubt.

mod baccarat;
mod cards;
mod chunks;
mod estimate;
mod niu_niu;
pub mod plain;
mod random;
pub mod sessions;
mod tables;

use core::num::NonZeroUsize;
use core::sync::atomic::AtomicBool;

use croupier_cards::Decks;
use croupier_rules::baccarat::{Burn, Outcome};
use croupier_rules::niu_niu::BoxOutcome;
use croupier_rules::{Family, Game};

pub use estimate::{Estimate, Nets};

use cards::CardCounts;

use crate::counts::RankCounts;

/// How cards are dealt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dealing {
    /// Baccarat, every round from a full shoe.
    Rounds(Decks),
    /// Baccarat, whole shoes to the cut card.
    Shoes(Decks, CutCard),
    /// Niu Niu, every round from one full deck.
    NiuNiu,
}

/// How much of a shoe is dealt: what is burned, where the cut card lies, and what follows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CutCard {
    /// What is burned ahead of the first round.
    pub burn: Burn,
    /// How many cards lie behind it.
    pub behind: usize,
    /// How many rounds are dealt after the one in which it comes out.
    pub rounds_after: u32,
}

/// When to stop.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Stop {
    /// After so many rounds; shoes for [`Dealing::Shoes`].
    After(u64),
    /// When the standard error of every bet is at most `error`, or of the one bet named by its place in the
    /// game; after `most` rounds or shoes at the latest.
    AtError {
        /// The wanted standard error, in units staked.
        error: f64,
        /// The bet, or all of them.
        bet: Option<usize>,
        /// The end in any case.
        most: u64,
    },
}

/// How a simulation is run. Only the seed has a say in the result.
#[derive(Clone, Copy, Default)]
pub struct Run<'a> {
    /// The same seed gives the same cards.
    pub seed: u64,
    /// How many threads; all that the machine has if left out.
    pub threads: Option<NonZeroUsize>,
    /// Set to stop after the chunks under way; the result is then what there is.
    pub cancel: Option<&'a AtomicBool>,
    /// Told how many rounds (shoes, sessions) are done, from any thread and in no strict order.
    pub progress: Option<&'a (dyn Fn(u64) + Sync)>,
}

/// What was dealt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Simulated {
    /// Rounds by outcome class; behind the classes, for each bet that asks for cards, rounds by its lines.
    pub histogram: Vec<u64>,
    /// All rounds.
    pub rounds: u64,
    /// Whole shoes, where shoes were dealt.
    pub shoes: u64,
    /// Whether it was cancelled.
    pub stopped_early: bool,
}

/// Why there is nothing to simulate.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SimulateError {
    /// No rounds, shoes or sessions.
    #[error("there is nothing to simulate: the number must be at least 1")]
    Nothing,
    /// A standard error that can never be reached, or is none.
    #[error("the wanted standard error must be above zero; it is {0}")]
    Error(f64),
    /// The game is not of the family that is dealt.
    #[error("`{game}` is a {family} game and cannot be dealt that way")]
    Family {
        /// The game.
        game: String,
        /// Its family.
        family: Family,
    },
    /// No such bet.
    #[error("the game has no bet number {0}")]
    Bet(usize),
    /// The rounds still to be dealt might not find enough cards.
    #[error(
        "{behind} cards behind the cut card are too few: the round in which it comes out and {rounds_after} more \
         can take {needed}"
    )]
    CutCardLate {
        /// Cards behind it.
        behind: usize,
        /// Rounds after it.
        rounds_after: u32,
        /// What they can take.
        needed: usize,
    },
    /// More cards burned than lie before the cut card.
    #[error(
        "{burn} cards cannot be burned where {before} lie before the cut card; burn fewer, or put fewer behind it"
    )]
    Burn {
        /// To be burned.
        burn: usize,
        /// Before the cut card.
        before: usize,
    },
    /// More cards behind the cut card than there are.
    #[error("there cannot be {behind} cards behind the cut card in a shoe of {cards}")]
    CutCardDeep {
        /// Cards behind it.
        behind: usize,
        /// Cards of the shoe.
        cards: usize,
    },
    /// A plan that nobody can play.
    #[error("{0}")]
    Plan(String),
    /// The system gave no threads.
    #[error("cannot start the threads: {0}")]
    Threads(String),
}

impl Default for CutCard {
    fn default() -> Self {
        Self { burn: Burn::Cards(1), behind: 14, rounds_after: 1 }
    }
}

impl CutCard {
    /// Whether a shoe can be dealt with it: never more cards than are loaded.
    ///
    /// # Errors
    /// [`SimulateError::CutCardLate`], [`SimulateError::CutCardDeep`] or [`SimulateError::Burn`].
    pub fn check(self, decks: Decks) -> Result<(), SimulateError> {
        let Self { burn, behind, rounds_after } = self;
        let (cards, needed, before) = (decks.cards(), self.needed(), self.before(decks));
        let burn = usize::try_from(burn.most()).unwrap_or(usize::MAX);
        if behind < needed {
            Err(SimulateError::CutCardLate { behind, rounds_after, needed })
        } else if behind > cards {
            Err(SimulateError::CutCardDeep { behind, cards })
        } else if burn > before {
            Err(SimulateError::Burn { burn, before })
        } else {
            Ok(())
        }
    }

    /// The most cards that are dealt from behind it.
    fn needed(self) -> usize {
        let rounds = usize::try_from(self.rounds_after).unwrap_or(usize::MAX).saturating_add(1);
        usize::try_from(RankCounts::ROUND).unwrap_or(usize::MAX).saturating_mul(rounds)
    }

    /// The cards that lie before it.
    fn before(self, decks: Decks) -> usize {
        decks.cards().saturating_sub(self.behind)
    }
}

impl Simulated {
    /// What every bet of the game made of it, in menu order.
    #[must_use]
    pub fn estimates(&self, game: &Game) -> Vec<Estimate> {
        let nets = Nets::of_game(game);
        let bets = game.bets.iter().zip(&nets);
        bets.map(|(bet, nets)| Estimate::new(&bet.id, nets, &self.histogram)).collect()
    }
}

/// Deals a game.
///
/// ```
/// use croupier_lab::simulate::{Dealing, Run, Stop, simulate};
/// let library = croupier_rules::Library::standard();
/// let game = library.game("hoiana-baccarat/commission").unwrap();
/// let dealing = Dealing::Rounds(croupier_cards::Decks::new(8).unwrap());
/// let simulated = simulate(game, dealing, Stop::After(100_000), &Run::default()).unwrap();
/// assert_eq!(simulated.rounds, 100_000);
/// let banker = &simulated.estimates(game)[0];
/// assert!((banker.mean + 0.0106).abs() < 5.0 * banker.standard_error);
/// ```
///
/// # Errors
/// [`SimulateError`].
pub fn simulate(
    game: &Game,
    dealing: Dealing,
    stop: Stop,
    run: &Run<'_>,
) -> Result<Simulated, SimulateError> {
    check(game, dealing, stop)?;
    let nets = Nets::of_game(game);
    let seed = run.seed;
    if let Some(counts) = CardCounts::new(game) {
        return simulate_cards(&counts, dealing, &nets, stop, run);
    }
    match dealing {
        Dealing::Rounds(decks) => {
            let dealer = baccarat::Rounds::new(decks);
            let chunk = |number, rounds| dealer.chunk(seed, number, rounds);
            dealt(chunks::Units::ROUNDS, Outcome::COUNT, &nets, stop, run, &chunk)
        }
        Dealing::Shoes(decks, cut) => {
            let dealer = baccarat::Shoes::new(decks, cut);
            let chunk = |number, shoes| dealer.chunk(seed, number, shoes);
            dealt(chunks::Units::SHOES, Outcome::COUNT, &nets, stop, run, &chunk)
        }
        Dealing::NiuNiu => {
            let chunk = |number, rounds| niu_niu::chunk(seed, number, rounds);
            dealt(chunks::Units::ROUNDS, BoxOutcome::COUNT, &nets, stop, run, &chunk)
        }
    }
}

/// The same with suits: slower, so only where bets ask for cards.
fn simulate_cards(
    counts: &CardCounts<'_>,
    dealing: Dealing,
    nets: &[Nets],
    stop: Stop,
    run: &Run<'_>,
) -> Result<Simulated, SimulateError> {
    let (seed, size) = (run.seed, counts.size());
    match dealing {
        Dealing::Rounds(decks) => {
            let dealer = baccarat::Rounds::of_cards(decks);
            let chunk = |number, rounds| dealer.chunk_of_cards(seed, number, rounds, counts);
            dealt(chunks::Units::ROUNDS, size, nets, stop, run, &chunk)
        }
        Dealing::Shoes(decks, cut) => {
            let dealer = baccarat::Shoes::of_cards(decks, cut);
            let chunk = |number, shoes| dealer.chunk_of_cards(seed, number, shoes, counts);
            dealt(chunks::Units::SHOES, size, nets, stop, run, &chunk)
        }
        // Refused before: no bet on a box asks for baccarat hands.
        Dealing::NiuNiu => Err(SimulateError::Nothing),
    }
}

fn dealt(
    units: chunks::Units,
    classes: usize,
    nets: &[Nets],
    stop: Stop,
    run: &Run<'_>,
    chunk: &(dyn Fn(u64, u64) -> Tally + Sync),
) -> Result<Simulated, SimulateError> {
    let total = match stop {
        Stop::After(total) | Stop::AtError { most: total, .. } => total,
    };
    let precise = |tally: &Tally| match stop {
        Stop::After(_) => false,
        Stop::AtError { error, bet, .. } => nets
            .iter()
            .enumerate()
            .filter(|(number, _)| bet.is_none_or(|bet| bet == *number))
            .all(|(_, nets)| Estimate::new("", nets, &tally.histogram).standard_error <= error),
    };
    let (tally, stopped_early) =
        chunks::run(units, total, run, chunk, Tally::new(classes), Tally::add, &precise)?;
    Ok(Simulated { histogram: tally.histogram, rounds: tally.rounds, shoes: tally.shoes, stopped_early })
}

fn check(game: &Game, dealing: Dealing, stop: Stop) -> Result<(), SimulateError> {
    match stop {
        Stop::After(0) | Stop::AtError { most: 0, .. } => return Err(SimulateError::Nothing),
        Stop::AtError { error, .. } if error.is_nan() || error <= 0.0 => {
            return Err(SimulateError::Error(error));
        }
        Stop::AtError { bet: Some(bet), .. } if bet >= game.bets.len() => {
            return Err(SimulateError::Bet(bet));
        }
        Stop::After(_) | Stop::AtError { .. } => {}
    }
    check_dealing(game, dealing)
}

fn check_dealing(game: &Game, dealing: Dealing) -> Result<(), SimulateError> {
    match (game.family, dealing) {
        (Family::Baccarat, Dealing::Rounds(_)) | (Family::NiuNiu, Dealing::NiuNiu) => Ok(()),
        (Family::Baccarat, Dealing::Shoes(decks, cut)) => cut.check(decks),
        (Family::Baccarat, Dealing::NiuNiu) | (Family::NiuNiu, Dealing::Rounds(_) | Dealing::Shoes(..)) => {
            Err(SimulateError::Family { game: game.id.clone(), family: game.family })
        }
    }
}

/// What a chunk counted.
struct Tally {
    histogram: Vec<u64>,
    rounds: u64,
    shoes: u64,
}

impl Tally {
    fn new(classes: usize) -> Self {
        Self { histogram: vec![0; classes], rounds: 0, shoes: 0 }
    }

    fn add(&mut self, other: Self) {
        self.histogram.iter_mut().zip(other.histogram).for_each(|(sum, count)| *sum += count);
        self.rounds += other.rounds;
        self.shoes += other.shoes;
    }
}
