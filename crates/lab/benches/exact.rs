//! Exact odds of all bets for any composition, against the limit of 20 µs and against a plain loop over the
//! two-card hands; then bets that ask for cards, each against the limit of 50 ms.
#![expect(clippy::print_stdout, reason = "a benchmark reports")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use croupier_cards::{Composition, Decks, Rank};
use croupier_lab::RankCounts;
use croupier_lab::exact::{self, CardPricer, Pricer};
use croupier_rules::baccarat::tableau::{self, Play};
use croupier_rules::baccarat::{Outcome, rank_value};
use croupier_rules::{BetSheet, Family, Library};

const LIMIT: Duration = Duration::from_micros(20);
const CARDS_LIMIT: Duration = Duration::from_millis(50);
const SIDE_BETS: &str = include_str!("../tests/data/side-bets.toml");

fn main() {
    let shoes = compositions();
    for shoe in &shoes {
        let fast = exact::histogram(shoe);
        let without_pairs: Vec<u64> = fast.all().chunks(4).map(|class| class.iter().sum()).collect();
        assert_eq!(without_pairs, plain_loop(shoe), "{shoe}");
    }
    let ratio = |time: Duration, base: Duration| time.as_secs_f64() / base.as_secs_f64();
    let plain = per_shoe(&shoes, |shoe| {
        black_box(plain_loop(shoe));
    });
    let report = |what: &str, time: Duration| {
        let (limit, plain) = (ratio(time, LIMIT), ratio(plain, time));
        println!("{what:<56} {time:>10.2?}   {limit:.2} of the limit, {plain:.1} times as fast");
    };
    println!("plain loop over 55 × 55 two-card hands, pairs left out    {plain:>10.2?}");
    let histogram = per_shoe(&shoes, |shoe| {
        black_box(exact::histogram(shoe));
    });
    report("all outcome classes of a shoe, exactly", histogram);
    let library = Library::standard();
    for rulebook in library.rulebooks().iter().filter(|rulebook| rulebook.family == Family::Baccarat) {
        for game in &rulebook.games {
            let mut pricer = Pricer::new(game);
            let time = per_shoe(&shoes, |shoe| {
                black_box(pricer.edges(shoe));
            });
            report(&format!("all bets of {}", game.id), time);
        }
    }
    by_cards();
}

/// Bets that ask for cards, from nothing: the pricer is made anew each time.
fn by_cards() {
    let Ok(sheet) = BetSheet::parse(SIDE_BETS, &Library::default()) else { return };
    let shoe = Composition::of_decks(Decks::MAX);
    for bet in &sheet.bets {
        let Some(lines) = bet.pays.by_cards() else { continue };
        let times = (0..10).map(|_| {
            let start = Instant::now();
            black_box(CardPricer::new(lines).ways(&shoe));
            start.elapsed()
        });
        let made = times.min().unwrap_or_default();
        let pricer = CardPricer::new(lines);
        let times = (0..10).map(|_| {
            let start = Instant::now();
            black_box(pricer.ways(&shoe));
            start.elapsed()
        });
        let next = times.min().unwrap_or_default();
        let limit = made.as_secs_f64() / CARDS_LIMIT.as_secs_f64();
        println!("{:<56} {made:>10.2?}   {limit:.4} of the limit, the next shoe {next:.2?}", bet.id);
    }
}

/// Shoes with any number of cards of each rank.
fn compositions() -> Vec<RankCounts> {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u16::try_from((state >> 33) % 41).unwrap_or_default()
    };
    (0..500).filter_map(|_| RankCounts::new([(); 13].map(|()| next())).ok()).collect()
}

/// The best of several rounds over a few shoes at a time, for one shoe: short enough to run undisturbed.
fn per_shoe(shoes: &[RankCounts], mut run: impl FnMut(&RankCounts)) -> Duration {
    let best = |shoes: &[RankCounts]| {
        let times = (0..30).map(|_| {
            let start = Instant::now();
            shoes.iter().for_each(&mut run);
            start.elapsed()
        });
        times.min().unwrap_or_default()
    };
    shoes.chunks(10).map(best).sum::<Duration>() / u32::try_from(shoes.len()).unwrap_or(1).max(1)
}

/// The ways by final counts and numbers of cards, hand by hand and card by card.
fn plain_loop(shoe: &RankCounts) -> Vec<u64> {
    let mut left = [0_u64; 10];
    for rank in Rank::ALL {
        left[usize::from(rank_value(rank))] += u64::from(shoe.of(rank));
    }
    let cards = u64::from(shoe.cards());
    let mut ways = vec![0; Outcome::COUNT / 4];
    for_hands(&mut left, |left, player, dealt| {
        for_hands(left, |left, banker, more| {
            play(left, cards, (player, banker), dealt * more, &mut ways);
        });
    });
    ways
}

/// Every two-card hand, in both orders at once.
fn for_hands(left: &mut [u64; 10], mut then: impl FnMut(&mut [u64; 10], usize, u64)) {
    for low in 0..10 {
        for high in low..10 {
            let first = left[low];
            left[low] = first.wrapping_sub(1);
            let second = left[high];
            if first > 0 && second > 0 {
                left[high] -= 1;
                then(left, (low + high) % 10, first * second * if low == high { 1 } else { 2 });
                left[high] += 1;
            }
            left[low] = first;
        }
    }
}

/// The third cards of a round at these counts.
fn play(left: &[u64; 10], cards: u64, (player, banker): (usize, usize), dealt: u64, ways: &mut [u64]) {
    let count = |points: usize| u8::try_from(points).unwrap_or_default();
    let class = |player: usize, banker: usize, cards: usize| (player % 10 * 10 + banker % 10) * 4 + cards;
    match tableau::player(count(player), count(banker)) {
        None => ways[class(player, banker, 0)] += dealt * (cards - 4) * (cards - 5),
        Some((_, Play::Stands)) if tableau::banker(count(banker), None).1 == Play::Stands => {
            ways[class(player, banker, 0)] += dealt * (cards - 4) * (cards - 5);
        }
        Some((_, Play::Stands)) => {
            for third in 0..10 {
                ways[class(player, banker + third, 1)] += dealt * left[third] * (cards - 5);
            }
        }
        Some((_, Play::Draws)) => {
            for third in 0..10 {
                let drawn = dealt * left[third];
                if tableau::banker(count(banker), Some(count(third))).1 == Play::Stands {
                    ways[class(player + third, banker, 2)] += drawn * (cards - 5);
                } else if drawn > 0 {
                    for sixth in 0..10 {
                        let more = left[sixth] - u64::from(sixth == third);
                        ways[class(player + third, banker + sixth, 3)] += drawn * more;
                    }
                }
            }
        }
    }
}
