//! The simulation deals what the rules say, the same for any number of threads, and a bias would be seen.
#![expect(clippy::expect_used, clippy::unwrap_used, reason = "helpers fail a test by panicking")]

use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use croupier_cards::{Card, Decks, Rank, Suit};
use croupier_lab::simulate::sessions::{self, Plan};
use croupier_lab::simulate::{
    CutCard, Dealing, Estimate, Nets, Run, SimulateError, Simulated, Stop, plain, simulate,
};
use croupier_lab::{Histogram, ParSheet, RankCounts};
use croupier_rules::baccarat::{Burn, Deal, Outcome};
use croupier_rules::{Family, Game, Library};

const COMMISSION: &str = "hoiana-baccarat/commission";
const NIU_NIU: &str = "hoiana-niu-niu";

fn decks(number: u8) -> Decks {
    Decks::new(number).expect("1 to 10 decks")
}

fn seeded(seed: u64) -> Run<'static> {
    Run { seed, ..Run::default() }
}

fn deal(dealing: Dealing, stop: Stop, run: &Run<'_>) -> Simulated {
    let library = Library::standard();
    let id = if dealing == Dealing::NiuNiu { NIU_NIU } else { COMMISSION };
    simulate(library.game(id).expect("a standard game"), dealing, stop, run).expect("a simulation")
}

fn exact(number: u8) -> Histogram {
    croupier_lab::exact::plain::histogram(&RankCounts::of_decks(decks(number)))
}

/// The bet farthest from its exact mean, in standard errors.
fn worst(game: &Game, histogram: &[u64], exact: &Histogram) -> (String, f64) {
    // The bets of these games ask for no suits.
    let shoe = croupier_lab::ShoeCards::of_decks(decks(8));
    let sheet = ParSheet::of_baccarat(game, exact, &shoe);
    let deviations = game.bets.iter().zip(&sheet.bets).map(|(bet, par)| {
        let estimate = Estimate::new(&bet.id, &Nets::new(bet), histogram);
        (bet.id.clone(), estimate.deviation(-par.edge.approximate()).abs())
    });
    deviations.max_by(|one, other| one.1.total_cmp(&other.1)).expect("bets")
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let cut = CutCard::default();
    let error = Stop::AtError { error: 0.002, bet: None, most: 50_000_000 };
    for (dealing, stop) in [
        (Dealing::Rounds(decks(8)), Stop::After(3_000_001)),
        (Dealing::Rounds(decks(8)), error),
        (Dealing::Shoes(decks(6), cut), Stop::After(20_003)),
        (Dealing::NiuNiu, Stop::After(300_000)),
    ] {
        let with = |threads| deal(dealing, stop, &Run { threads: NonZeroUsize::new(threads), ..seeded(9) });
        let one = with(1);
        assert_eq!(one.histogram.iter().sum::<u64>(), one.rounds);
        for threads in [2, 3, 7] {
            assert_eq!(with(threads), one, "{dealing:?} with {threads} threads");
        }
        assert_ne!(deal(dealing, stop, &seeded(10)).histogram, one.histogram);
    }
}

/// Stands for a burn by the value of the first card.
const BY_FIRST_CARD: u32 = u32::MAX;

#[test]
fn the_fast_loop_deals_what_the_plain_one_deals() {
    for number in [1, 2, 6, 8, 10] {
        let rounds = 300_000;
        let fast = deal(Dealing::Rounds(decks(number)), Stop::After(rounds), &seeded(number.into()));
        assert_eq!(fast, plain::rounds(decks(number), number.into(), rounds), "{number} decks");
    }
    for (number, burn, behind, rounds_after, shoes) in [
        (8, 1, 14, 1, 3000),
        (8, 0, 6, 0, 500),
        (1, 0, 12, 1, 5000),
        (10, 30, 200, 10, 100),
        (6, 0, 312, 0, 3),
        (1, 46, 6, 0, 2),
        (8, BY_FIRST_CARD, 14, 1, 3000),
        (1, BY_FIRST_CARD, 30, 0, 5000),
    ] {
        let burn = if burn == BY_FIRST_CARD { Burn::FirstCard } else { Burn::Cards(burn) };
        let cut = CutCard { burn, behind, rounds_after };
        let fast = deal(Dealing::Shoes(decks(number), cut), Stop::After(shoes), &seeded(3));
        assert_eq!(
            fast,
            plain::shoes(decks(number), cut, 3, shoes, &mut |_, _| {}),
            "{number} decks, {cut:?}"
        );
    }
}

/// A shoe burned by the value of its first card lacks that card and as many more: 1 + 85/13 on average.
#[test]
fn a_burn_by_the_first_card_takes_as_many_as_it_is_worth() {
    let cut = CutCard { burn: Burn::FirstCard, behind: 14, rounds_after: 1 };
    let mut seen = std::collections::BTreeSet::new();
    let _ = plain::shoes(decks(8), cut, 5, 2000, &mut |shoe, outcomes| {
        let dealt: usize = outcomes.iter().map(|outcome| usize::from(outcome.total_cards())).sum();
        seen.insert(shoe.drawn() - dealt);
    });
    assert_eq!(seen, (2..=11).collect());
    let refused = CutCard { behind: 406, ..cut }.check(decks(8));
    assert_eq!(refused, Err(SimulateError::Burn { burn: 11, before: 10 }));
    assert_eq!(CutCard { behind: 405, ..cut }.check(decks(8)), Ok(()));
}

/// Every bet of every baccarat game, within five standard errors of its exact worth.
#[test]
fn twenty_million_rounds_agree_with_the_exact_figures() {
    let library = Library::standard();
    for (number, rounds) in [(8, 20_000_000), (1, 5_000_000)] {
        let exact = exact(number);
        let simulated = deal(Dealing::Rounds(decks(number)), Stop::After(rounds), &seeded(1));
        for rulebook in library.rulebooks().iter().filter(|rulebook| rulebook.family == Family::Baccarat) {
            for game in &rulebook.games {
                let (bet, deviation) = worst(game, &simulated.histogram, &exact);
                assert!(deviation < 5.0, "{} {bet} with {number} decks is off by {deviation}", game.id);
            }
        }
        let (statistic, limit) = chi_squared(&simulated.histogram, &exact);
        assert!(statistic < limit, "{statistic} is above {limit}");
    }
}

/// Pearson's statistic over all classes that are expected often enough, and what it should stay below: five
/// standard deviations above its mean.
fn chi_squared(histogram: &[u64], exact: &Histogram) -> (f64, f64) {
    let rounds: u64 = histogram.iter().sum();
    let expected = exact.all().iter().map(|ways| *ways as f64 / exact.total() as f64 * rounds as f64);
    let terms: Vec<f64> = histogram
        .iter()
        .zip(expected)
        .filter(|(_, expected)| *expected >= 10.0)
        .map(|(count, expected)| (*count as f64 - expected).powi(2) / expected)
        .collect();
    let degrees = terms.len() as f64 - 1.0;
    (terms.iter().sum(), degrees + 5.0 * (2.0 * degrees).sqrt())
}

/// Draws by remainder from ten bits, and a shoe whose last card never comes: the statistic sees both.
#[test]
fn a_bias_is_caught() {
    let fair = |word: u64, bound: usize| usize::try_from((u128::from(word) * bound as u128) >> 64).unwrap();
    let by_remainder = |word: u64, bound: usize| usize::try_from(word >> 54).unwrap() % bound;
    let never_the_last = |word: u64, bound: usize| fair(word, bound - 1);
    let caught = |number: u8, draw: &dyn Fn(u64, usize) -> usize| {
        let (statistic, limit) = chi_squared(&dealt_with(number, 2_000_000, draw), &exact(number));
        statistic > limit
    };
    assert!(!caught(8, &fair) && !caught(1, &fair));
    assert!(caught(8, &by_remainder));
    assert!(caught(1, &never_the_last));
}

/// Rounds from a full, sorted shoe with draws of one's own.
fn dealt_with(number: u8, rounds: u32, draw: &dyn Fn(u64, usize) -> usize) -> Vec<u64> {
    let mut state = 1_u64;
    let mut word = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    let of_rank = usize::from(number) * 4;
    let full: Vec<Card> =
        (0..of_rank * 13).map(|place| Card::new(Rank::ALL[place / of_rank], Suit::Spades)).collect();
    let mut histogram = vec![0; Outcome::COUNT];
    for _ in 0..rounds {
        let mut cards = full.clone();
        let mut deal = Deal::default();
        for place in 0..6 {
            let other = place + draw(word(), cards.len() - place);
            cards.swap(place, other);
            if deal.due().is_some() {
                deal.draw(cards[place]).unwrap();
            }
        }
        histogram[deal.outcome().unwrap().index()] += 1;
    }
    histogram
}

#[test]
fn shoes_end_after_the_cut_card() {
    for (number, burn, behind, rounds_after) in [(8, 0, 14, 1), (8, 8, 60, 0), (6, 30, 30, 3), (1, 1, 12, 1)]
    {
        let cut = CutCard { burn: Burn::Cards(burn), behind, rounds_after };
        let burn = usize::try_from(burn).unwrap();
        let loaded = decks(number).cards();
        let before = loaded - behind - burn;
        let mut most_rounds = 0;
        let simulated = plain::shoes(decks(number), cut, 5, 3000, &mut |shoe, outcomes| {
            let used: Vec<usize> = outcomes.iter().map(|outcome| outcome.total_cards().into()).collect();
            let total: usize = used.iter().sum();
            assert_eq!((shoe.drawn(), shoe.loaded()), (burn + total, loaded));
            assert!(burn + total <= loaded);
            let at_cut = used.len() - usize::try_from(rounds_after).unwrap();
            assert!(used[..at_cut].iter().sum::<usize>() > before, "the cut card came out by then");
            assert!(used[..at_cut - 1].iter().sum::<usize>() <= before, "and not earlier");
            most_rounds = most_rounds.max(outcomes.len());
        });
        // A round takes 4.94 cards on average.
        let rounds = simulated.rounds as f64 / simulated.shoes as f64;
        let expected = before as f64 / 4.94 + 0.5 + f64::from(rounds_after);
        assert!((rounds - expected).abs() < 0.5, "{rounds} rounds a shoe, {expected} expected");
        assert!(most_rounds <= loaded / 4);
    }
}

/// The standard error takes rounds for independent. Shoe by shoe it comes out the same.
#[test]
fn shoes_spread_as_their_standard_error_says() {
    let library = Library::standard();
    let game = library.game(COMMISSION).unwrap();
    let nets: Vec<Nets> = game.bets.iter().map(Nets::new).collect();
    let mut sums: Vec<Vec<f64>> = vec![Vec::new(); nets.len()];
    let simulated = plain::shoes(decks(8), CutCard::default(), 8, 20_000, &mut |_, outcomes| {
        for (sums, nets) in sums.iter_mut().zip(&nets) {
            let parts: i128 = outcomes.iter().map(|outcome| nets.net(outcome.index())).sum();
            sums.push(parts as f64 / nets.parts() as f64);
        }
    });
    for (estimate, sums) in simulated.estimates(game).iter().zip(&sums) {
        let shoes = sums.len() as f64;
        let mean = sums.iter().sum::<f64>() / shoes;
        let variance = sums.iter().map(|sum| (sum - mean).powi(2)).sum::<f64>() / (shoes - 1.0);
        let by_shoe = (variance * shoes).sqrt() / simulated.rounds as f64;
        let ratio = by_shoe / estimate.standard_error;
        assert!((0.97..1.03).contains(&ratio), "{}: {ratio}", estimate.bet);
    }
}

#[test]
fn niu_niu_is_dealt_fairly() {
    let library = Library::standard();
    let game = library.game(NIU_NIU).unwrap();
    let simulated = deal(Dealing::NiuNiu, Stop::After(2_000_000), &seeded(2));
    assert_eq!(simulated.histogram.len(), 338);
    // Niu 9 takes 171,288 of the 2,598,960 hands, whoever holds it.
    let share = 171_288.0 / 2_598_960.0;
    for dealer in [false, true] {
        let of = |class: usize| if dealer { class / 2 % 13 } else { class / 26 };
        let niu_9: u64 =
            (0..338).filter(|class| of(*class) == 9).map(|class| simulated.histogram[class]).sum();
        let error = (share * (1.0 - share) / simulated.rounds as f64).sqrt();
        assert!((niu_9 as f64 / simulated.rounds as f64 - share).abs() < 5.0 * error);
    }
    let estimates = simulated.estimates(game);
    assert_eq!(estimates.len(), game.bets.len());
    assert!(estimates.iter().all(|estimate| estimate.mean < 0.0 && estimate.standard_error > 0.0));
}

#[test]
fn it_stops_at_the_wanted_error() {
    let library = Library::standard();
    let game = library.game(COMMISSION).unwrap();
    let stop = |bet| Stop::AtError { error: 0.001, bet, most: 1_000_000_000 };
    let all = deal(Dealing::Rounds(decks(8)), stop(None), &seeded(4));
    assert!(all.estimates(game).iter().all(|estimate| estimate.standard_error <= 0.001));
    let banker = deal(Dealing::Rounds(decks(8)), stop(Some(0)), &seeded(4));
    assert!(banker.estimates(game)[0].standard_error <= 0.001);
    assert!(banker.rounds < all.rounds);
    let short = Stop::AtError { error: 1e-9, bet: None, most: 1000 };
    assert_eq!(deal(Dealing::Rounds(decks(8)), short, &seeded(4)).rounds, 1000);
}

#[test]
fn a_cancelled_run_gives_what_there_is() {
    let (cancel, seen) = (AtomicBool::new(false), AtomicU64::new(0));
    let progress = |done| {
        seen.fetch_max(done, Ordering::Relaxed);
        cancel.fetch_or(done > 1_000_000, Ordering::Relaxed);
    };
    let run = Run { cancel: Some(&cancel), progress: Some(&progress), ..seeded(1) };
    let simulated = deal(Dealing::Rounds(decks(8)), Stop::After(1 << 50), &run);
    assert!(simulated.stopped_early);
    assert_eq!(simulated.rounds, seen.into_inner());
    assert_eq!(simulated.histogram.iter().sum::<u64>(), simulated.rounds);
}

#[test]
fn sessions_end_as_planned() {
    let library = Library::standard();
    let game = library.game(COMMISSION).unwrap();
    let banker = game.bet_index("banker").unwrap();
    let dealing = Dealing::Shoes(decks(8), CutCard::default());
    let plan = Plan { wagers: vec![(banker, 20)], rounds: Some(100), bankroll: None };
    let open = sessions::simulate(game, dealing, &plan, 20_000, &seeded(1)).unwrap();
    assert_eq!((open.sessions, open.rounds, open.ruined), (20_000, 2_000_000, 0));
    // 1.0579 % of 20 units a hundred times.
    let error = open.standard_deviation() / 20_000_f64.sqrt();
    assert!((open.mean() + 21.158).abs() < 5.0 * error, "{} ± {error}", open.mean());
    let order = [0, 25, 50, 75, 100].map(|percent| open.percentile(percent));
    assert!(order.is_sorted() && order[0] >= -2000.0 && order[4] <= 1900.0);
    let with = |threads| Run { threads: NonZeroUsize::new(threads), ..seeded(1) };
    for threads in [1, 3] {
        assert_eq!(sessions::simulate(game, dealing, &plan, 20_000, &with(threads)), Ok(open.clone()));
    }
    let poor = Plan { bankroll: Some(100), ..plan.clone() };
    let poor = sessions::simulate(game, dealing, &poor, 5_000, &seeded(1)).unwrap();
    assert!(poor.ruined > 0 && poor.percentile(0) >= -100.0 && poor.ruin_rate() < 1.0);
    let to_the_end = Plan { rounds: None, bankroll: Some(40), ..plan };
    let ended = sessions::simulate(game, Dealing::Rounds(decks(8)), &to_the_end, 200, &seeded(1)).unwrap();
    assert!(ended.ruin_rate() > 0.9 && ended.percentile(25) <= -20.0);
}

#[test]
fn what_cannot_be_dealt_is_refused() {
    let library = Library::standard();
    let (baccarat, niu_niu) = (library.game(COMMISSION).unwrap(), library.game(NIU_NIU).unwrap());
    let rounds = Dealing::Rounds(decks(8));
    let refused = |game: &Game, dealing, stop| simulate(game, dealing, stop, &seeded(1)).unwrap_err();
    assert_eq!(refused(baccarat, rounds, Stop::After(0)), SimulateError::Nothing);
    assert!(matches!(refused(niu_niu, rounds, Stop::After(1)), SimulateError::Family { .. }));
    assert!(matches!(refused(baccarat, Dealing::NiuNiu, Stop::After(1)), SimulateError::Family { .. }));
    // The rulebook says what a game is, even if it has no bet to tell it by.
    for (game, dealing) in [(niu_niu, rounds), (baccarat, Dealing::NiuNiu)] {
        let mut bare = game.clone();
        bare.bets.clear();
        let family = game.family;
        let refusal = SimulateError::Family { game: game.id.clone(), family };
        assert_eq!(refused(&bare, dealing, Stop::After(1)), refusal);
    }
    let zero = Stop::AtError { error: 0.0, bet: None, most: 1 };
    assert_eq!(refused(baccarat, rounds, zero), SimulateError::Error(0.0));
    let shoes = |behind, rounds_after| {
        Dealing::Shoes(decks(8), CutCard { burn: Burn::Cards(0), behind, rounds_after })
    };
    let late = refused(baccarat, shoes(11, 1), Stop::After(1));
    assert_eq!(late, SimulateError::CutCardLate { behind: 11, rounds_after: 1, needed: 12 });
    let deep = refused(baccarat, shoes(417, 1), Stop::After(1));
    assert_eq!(deep, SimulateError::CutCardDeep { behind: 417, cards: 416 });
    for behind in [12, 416] {
        assert_eq!(CutCard { burn: Burn::Cards(0), behind, rounds_after: 1 }.check(decks(8)), Ok(()));
    }
    let burned = |burn| CutCard { burn: Burn::Cards(burn), behind: 400, rounds_after: 1 }.check(decks(8));
    assert_eq!(burned(16), Ok(()));
    assert_eq!(burned(17), Err(SimulateError::Burn { burn: 17, before: 16 }));

    let plan = |wagers: &[(&str, u64)], game: &Game, bankroll| {
        let wagers = wagers.iter().map(|(bet, stake)| (game.bet_index(bet).unwrap(), *stake)).collect();
        Plan { wagers, rounds: Some(10), bankroll }.check(game).map_err(|error| error.to_string())
    };
    assert_eq!(plan(&[("even", 10), ("super-niu", 10)], niu_niu, Some(130)), Ok(()));
    assert!(
        plan(&[("even", 10), ("super-niu", 10)], niu_niu, Some(129)).unwrap_err().contains("130 at risk")
    );
    assert!(plan(&[("super-niu", 10)], niu_niu, None).is_err());
    assert!(plan(&[("banker", 0)], baccarat, None).is_err());
    assert!(plan(&[("banker", 1), ("banker", 1)], baccarat, None).is_err());
    assert!(plan(&[], baccarat, None).is_err());
}
