//! The roads of a shoe, against the limit of 5 µs and against working them out anew for every hand.
#![expect(clippy::print_stdout, reason = "a benchmark reports")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use croupier_rules::baccarat::Winner;
use croupier_rules::roads::{Roads, parse_marks};

const LIMIT: Duration = Duration::from_micros(5);
const SHOES: &str = include_str!("../tests/data/roads.txt");

fn main() {
    let lines = SHOES.lines().filter(|line| !line.starts_with('#'));
    let letters = lines.filter_map(|line| line.split('|').next());
    let shoes: Vec<Vec<Winner>> = letters.filter_map(|letters| parse_marks(letters).ok()).collect();
    let hands = shoes.iter().map(Vec::len).sum::<usize>() / shoes.len().max(1);
    let whole = per_shoe(&shoes, |shoe| {
        black_box(Roads::from_marks(shoe.iter().copied()));
    });
    let anew = per_shoe(&shoes, |shoe| {
        for end in 1..=shoe.len() {
            black_box(Roads::from_marks(shoe[..end].iter().copied()));
        }
    });
    let ratio = |time: Duration, base: Duration| time.as_secs_f64() / base.as_secs_f64();
    println!(
        "roads of a shoe of {hands} hands, hand by hand   {whole:>10.2?}   {:.2} of the limit",
        ratio(whole, LIMIT)
    );
    println!(
        "the same, worked out anew for every hand        {anew:>10.2?}   {:.0} times as long",
        ratio(anew, whole)
    );
}

/// The best of several rounds over all shoes, for one shoe.
fn per_shoe(shoes: &[Vec<Winner>], run: impl Fn(&[Winner])) -> Duration {
    let times = (0..50).map(|_| {
        let start = Instant::now();
        shoes.iter().for_each(|shoe| run(shoe));
        start.elapsed()
    });
    times.min().unwrap_or_default() / u32::try_from(shoes.len()).unwrap_or(1).max(1)
}
