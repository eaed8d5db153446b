//! Simulated baccarat rounds a second with every bet priced: against a straightforward loop in the same run,
//! against the limit of 100 million a second a core, and all cores against one.
#![expect(clippy::print_stdout, reason = "a benchmark reports")]
#![expect(clippy::expect_used, reason = "a benchmark that cannot run must fail")]

use core::hint::black_box;
use core::num::NonZeroUsize;
use std::time::Instant;

use croupier_cards::{Decks, Rank};
use croupier_lab::simulate::{CutCard, Dealing, Run, Stop, plain, simulate};
use croupier_rules::baccarat::{Outcome, rank_value};
use croupier_rules::{Game, Library};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Rounds a second on one core.
const LIMIT: f64 = 100e6;
const ROUNDS: u64 = 6_000_000;
const SHOES: u64 = 72_000;
const REPEATS: u32 = 40;

fn main() {
    let library = Library::standard();
    let game = library.game("hoiana-baccarat/commission").expect("a standard game");
    let decks = Decks::new(8).expect("eight decks");
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let (rounds, shoes) = (Dealing::Rounds(decks), Dealing::Shoes(decks, CutCard::default()));

    let mut best = [0.0_f64; 6];
    // In turns, so that a busy spell of the machine falls on all alike; the best rate of many short runs
    // counts, since what else the machine does only ever slows one down.
    for _ in 0..REPEATS {
        let rates = [
            timed(|| plain::rounds(decks, 1, ROUNDS / 60).rounds),
            timed(|| straightforward(decks, ROUNDS / 6)),
            timed(|| priced(game, rounds, ROUNDS, 1)),
            timed(|| priced(game, shoes, SHOES, 1)),
            timed(|| priced(game, rounds, ROUNDS, cores)),
            timed(|| priced(game, shoes, SHOES, cores)),
        ];
        best.iter_mut().zip(rates).for_each(|(best, rate)| *best = best.max(rate));
    }
    let [by_deal, scalar, one, one_shoes, all, all_shoes] = best;

    println!("rounds by `Deal`, one core         {}", rate(by_deal));
    println!("a straightforward loop, one core   {}", rate(scalar));
    for (what, one, all) in [("rounds", one, all), ("shoes ", one_shoes, all_shoes)] {
        println!(
            "{what}, one core                   {}   {:.2} times the straightforward loop, {:.2} of the limit",
            rate(one),
            one / scalar,
            one / LIMIT
        );
        println!("{what}, {cores} threads                  {}   {:.2} times one", rate(all), all / one);
    }
}

/// Rounds a second.
fn timed(run: impl FnOnce() -> u64) -> f64 {
    let start = Instant::now();
    let rounds = black_box(run());
    rounds as f64 / start.elapsed().as_secs_f64()
}

fn rate(rounds: f64) -> String {
    format!("{:>7.1} M/s", rounds / 1e6)
}

/// The rounds dealt, after every bet of the game has been priced.
fn priced(game: &Game, dealing: Dealing, number: u64, threads: usize) -> u64 {
    let run = Run { seed: 1, threads: NonZeroUsize::new(threads), ..Run::default() };
    let simulated = simulate(game, dealing, Stop::After(number), &run).expect("a simulation");
    black_box(simulated.estimates(game));
    simulated.rounds
}

/// Values and ranks in an array, one random word a draw, third cards by branches, one count a class.
fn straightforward(decks: Decks, rounds: u64) -> u64 {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut shoe: Vec<Rank> = (0..decks.number()).flat_map(|_| Rank::ALL.repeat(4)).collect();
    let cards = u64::try_from(shoe.len()).expect("a few hundred cards");
    let mut histogram = vec![0_u64; Outcome::COUNT];
    for _ in 0..rounds {
        let mut drawn = 0;
        let mut draw = || {
            let bound = cards - drawn;
            let number = loop {
                let product = u128::from(random.next_u64()) * u128::from(bound);
                let left = product as u64;
                if left >= bound || left >= bound.wrapping_neg() % bound {
                    break (product >> 64) as u64;
                }
            };
            shoe.swap(drawn as usize, (drawn + number) as usize);
            drawn += 1;
            shoe[drawn as usize - 1]
        };
        let (p1, b1, p2, b2) = (draw(), draw(), draw(), draw());
        let mut player = (rank_value(p1) + rank_value(p2)) % 10;
        let mut banker = (rank_value(b1) + rank_value(b2)) % 10;
        let (mut player_cards, mut banker_cards) = (2, 2);
        if player < 8 && banker < 8 {
            let mut third = None;
            if player <= 5 {
                let value = rank_value(draw());
                player = (player + value) % 10;
                player_cards = 3;
                third = Some(value);
            }
            let banker_draws = match (banker, third) {
                (_, None) => banker <= 5,
                (0..=2, Some(_)) => true,
                (3, Some(value)) => value != 8,
                (4, Some(value)) => (2..=7).contains(&value),
                (5, Some(value)) => (4..=7).contains(&value),
                (6, Some(value)) => value == 6 || value == 7,
                (_, Some(_)) => false,
            };
            if banker_draws {
                banker = (banker + rank_value(draw())) % 10;
                banker_cards = 3;
            }
        }
        if let Some(outcome) = Outcome::new(player, banker, player_cards, banker_cards, p1 == p2, b1 == b2) {
            histogram[outcome.index()] += 1;
        }
    }
    black_box(histogram.iter().sum())
}
