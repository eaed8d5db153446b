//! Counting exposure of every bet, against the limit of two minutes for 100,000 eight-deck shoes on two cores,
//! and against pricing the same rounds by plain enumeration.
#![expect(clippy::print_stdout, reason = "a benchmark reports")]

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use croupier_cards::Decks;
use croupier_lab::exact::Pricer;
use croupier_lab::exposure::{
    DealtRound, DealtShoe, EdgeSource, Gain, PlainSource, Settings, Watch, measure,
};
use croupier_rules::{Family, Game, Library};

const SHOES: u64 = 100_000;
const SAMPLE: u64 = 200;
const RUNS: u32 = 5;
const LIMIT: Duration = Duration::from_secs(120);
const CORES: f64 = 2.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let library = Library::standard();
    let eight = Settings { shoes: SAMPLE, ..Settings::of_decks(Decks::new(8)?) };
    let baccarat = library.rulebooks().iter().filter(|rulebook| rulebook.family == Family::Baccarat);
    println!(
        "every bet over {SAMPLE} eight-deck shoes, best of {RUNS}; {SHOES} shoes on two cores, of the limit of {LIMIT:?}"
    );
    for game in baccarat.flat_map(|rulebook| &rulebook.games) {
        let source = Pricer::new(game);
        for threads in [1, 2] {
            let settings = Settings { threads: NonZeroUsize::new(threads), ..eight };
            // The best of some runs: others may be using the machine.
            let mut taken = f64::INFINITY;
            let mut rounds = 0.0;
            for _ in 0..RUNS {
                let watch = Watch { shoe_done: &|_| {}, cancel: &AtomicBool::new(false) };
                let start = Instant::now();
                rounds = black_box(measure(game, &settings, &source, watch)?).rounds as f64;
                taken = taken.min(start.elapsed().as_secs_f64());
            }
            // One thread's time is halved; two threads' is what two cores of this machine really gave.
            let cores = if threads == 1 { CORES } else { 1.0 };
            let all = taken * (SHOES / SAMPLE) as f64 / cores;
            println!(
                "{:34} {threads} thread{} {:>9.0} rounds/s {:>6.2} µs a round {all:>6.1} s  {:.2} of the limit",
                game.id,
                if threads == 1 { " " } else { "s" },
                rounds / taken,
                taken / rounds * 1e6,
                all / LIMIT.as_secs_f64()
            );
        }
    }

    let Some(game) = library.game("hoiana-baccarat/commission") else { return Err("no such game".into()) };
    let rounds: Vec<DealtRound> = DealtShoe::new(&eight, 0).step_by(8).collect();
    let fast = pricing_micros(Pricer::new(game), game, &rounds, 2_000);
    let plain = pricing_micros(PlainSource::new(game), game, &rounds, 1);
    println!(
        "pricing alone {fast:.2} µs a round; by plain enumeration {plain:.0} µs, {:.0} times that",
        plain / fast
    );
    Ok(())
}

/// The mean time to price one of these rounds.
fn pricing_micros(mut source: impl EdgeSource, game: &Game, rounds: &[DealtRound], times: u32) -> f64 {
    let mut gains = vec![Gain::NONE; game.bets.len()];
    let start = Instant::now();
    for _ in 0..times {
        for left in rounds {
            source.gains(black_box(&left.before), &left.cards, &mut gains);
            black_box(&gains);
        }
    }
    start.elapsed().as_secs_f64() / f64::from(times) / rounds.len() as f64 * 1e6
}
