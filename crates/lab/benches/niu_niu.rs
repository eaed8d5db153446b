//! The exact odds of Niu Niu, against the limit of half a second, against pairing all multisets of ranks, and
//! against comparing every two hands.
#![expect(clippy::print_stdout, reason = "a benchmark reports")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use croupier_cards::{Card, Rank, Suit};
use croupier_lab::niu_niu::plain;
use croupier_lab::{NiuNiuDeck, NiuNiuHistogram};
use croupier_rules::niu_niu::{BoxOutcome, Hand};

const LIMIT: Duration = Duration::from_millis(500);

fn main() {
    let full = NiuNiuDeck::FULL;
    let hearts: Vec<Card> = Rank::ALL.map(|rank| Card::new(rank, Suit::Hearts)).to_vec();
    let fast = best_of(50, || NiuNiuHistogram::of(black_box(&full)));
    let reduced = NiuNiuDeck::without(&hearts)
        .map(|deck| best_of(50, || NiuNiuHistogram::of(black_box(&deck))))
        .unwrap_or_default();
    let pairs = best_of(3, || plain::histogram(black_box(&full)));
    let every = every_deal();
    let ratio = |time: Duration, base: Duration| time.as_secs_f64() / base.as_secs_f64();
    println!(
        "Niu Niu, one deck, all classes                {fast:>10.2?}   {:.4} of the limit",
        ratio(fast, LIMIT)
    );
    println!(
        "the same without the hearts                   {reduced:>10.2?}   {:.4} of the limit",
        ratio(reduced, LIMIT)
    );
    println!(
        "the same, 38 million pairs of rank multisets  {pairs:>10.2?}   {:.0} times as long",
        ratio(pairs, fast)
    );
    println!(
        "the same, every deal compared (from a sample) {every:>10.2?}   {:.0} times as long",
        ratio(every, fast)
    );
}

fn best_of<T>(runs: u32, run: impl Fn() -> T) -> Duration {
    let times = (0..runs).map(|_| {
        let start = Instant::now();
        black_box(run());
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

/// How long it would take to compare every hand with every other: some boxes against all hands of the Dealer.
fn every_deal() -> Duration {
    const STEP: usize = 100_003;
    let deck: Vec<Card> = Card::all().collect();
    let mut hands = Vec::new();
    for a in 0..52 {
        for b in 0..a {
            for c in 0..b {
                for d in 0..c {
                    for e in 0..d {
                        let set = [a, b, c, d, e].iter().fold(0_u64, |set, at| set | 1 << at);
                        hands.push((set, Hand::new([deck[a], deck[b], deck[c], deck[d], deck[e]])));
                    }
                }
            }
        }
    }
    let boxes: Vec<_> = hands.iter().step_by(STEP).collect();
    let sample = best_of(1, || {
        let mut ways = vec![0_u64; BoxOutcome::COUNT];
        for (set, hand) in &boxes {
            for (_, dealer) in hands.iter().filter(|(other, _)| set & other == 0) {
                ways[BoxOutcome::of(hand, dealer).index()] += 1;
            }
        }
        ways
    });
    sample.mul_f64(hands.len() as f64 / boxes.len() as f64)
}
