//! Counting exposure: the prices are the plain ones, the sums are those of a slow reckoning, and neither
//! threads nor an early end change a figure.
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use croupier_cards::{Composition, Decks};
use croupier_lab::exact::Pricer;
use croupier_lab::exact::plain;
use croupier_lab::exposure::{
    DealtShoe, EdgeSource, Exposure, ExposureError, Gain, PlainSource, Settings, Watch, measure,
};
use croupier_lab::{Fraction, ParSheet, RankCounts, ShoeCards};
use croupier_rules::baccarat::Burn;
use croupier_rules::{Family, Game, Library};

fn baccarat(library: &Library) -> impl Iterator<Item = &Game> {
    let rulebooks = library.rulebooks().iter().filter(|rulebook| rulebook.family == Family::Baccarat);
    rulebooks.flat_map(|rulebook| &rulebook.games)
}

fn eight_decks() -> Settings {
    Settings { shoes: 12, ..Settings::of_decks(Decks::new(8).unwrap()) }
}

fn run(game: &Game, settings: &Settings, source: &impl EdgeSource) -> Exposure {
    let watch = Watch { shoe_done: &|_| {}, cancel: &AtomicBool::new(false) };
    measure(game, settings, source, watch).unwrap()
}

/// Every bet of every game, by the fast way and from the PAR sheet of the plain histogram.
#[track_caller]
fn priced_alike(library: &Library, left: &RankCounts) {
    let histogram = plain::histogram(left);
    for game in baccarat(library) {
        let mut gains = vec![Gain::NONE; game.bets.len()];
        let shoe = ShoeCards::of_ranks(left);
        Pricer::new(game).gains(left, shoe.for_suits(false).unwrap(), &mut gains);
        let sheet = ParSheet::of_baccarat(game, &histogram, &shoe);
        for (bet, gain) in sheet.bets.iter().zip(&gains) {
            let fast = Fraction::new(-gain.numerator, gain.denominator);
            assert_eq!(fast, bet.edge, "{} of {} with {left}", bet.bet, game.id);
        }
    }
}

#[test]
fn prices_are_the_plain_ones_on_dealt_rounds() {
    let library = Library::standard();
    let rounds: Vec<_> = DealtShoe::new(&eight_decks(), 3).collect();
    for at in [0, 1, 30, 60, rounds.len() - 2, rounds.len() - 1] {
        priced_alike(&library, &rounds[at].before);
    }
    priced_alike(&library, &RankCounts::of_decks(Decks::MAX));
}

#[test]
fn prices_are_the_plain_ones_on_odd_compositions() {
    let library = Library::standard();
    let compositions = [
        "1,1,1,1,1,1,0,0,0,0,0,0,0",
        "0,0,0,0,0,0,0,0,0,6,0,0,0",
        "0,0,0,0,6,0,0,0,0,0,0,0,0",
        "0,0,0,0,0,0,0,1,0,1,1,1,2",
        "40,0,0,40,0,0,0,40,0,40,40,40,40",
        "2,0,3,0,0,1,0,0,0,4,0,0,1",
        "0,1,0,5,0,0,2,0,7,0,0,0,0",
        "3,3,0,0,3,3,0,0,3,0,0,0,0",
        "0,0,2,0,4,1,0,9,0,0,0,0,0",
        "1,0,0,0,0,2,3,0,0,0,1,0,1",
    ];
    for composition in compositions {
        priced_alike(&library, &composition.parse().unwrap());
    }
}

/// Asks about pairs and points at once, which no standard bet does; and `mixed-pairs` about both pairs.
const MIXED: [&str; 3] = ["natural-pair", "either-pair", "both-pairs"];

#[test]
fn bets_that_ask_about_pairs_are_priced_too() {
    let text = std::fs::read_to_string(format!(
        "{}/../../rulebooks/horseshoe-dragon-bonus.toml",
        env!("CARGO_MANIFEST_DIR")
    ))
    .unwrap();
    let text = text.replacen("id = \"horseshoe-dragon-bonus\"", "id = \"mixed\"", 1);
    let conditions = [
        "{ when = { natural = true, player-pair = true }, odds = \"7:2\" }",
        "{ when = { player-pair = true }, odds = \"5:1\" }, { when = { banker-pair = true }, odds = \"5:1\" }",
        "{ when = { player-pair = true, banker-pair = true }, odds = \"200:1\" }",
    ];
    let bets: String = MIXED
        .iter()
        .zip(conditions)
        .map(|(id, pays)| {
            format!(
                "\n[[bet]]\nid = \"{id}\"\nname = {{ en = \"{id}\", vi = \"{id}\", zh = \"{id}\" }}\nclause = \"DB-Q9\"\n\
                 pays = [{}]\notherwise = {{ odds = \"lose\", clause = \"DB-Q9\" }}\n",
                pays.replace("\" }", "\", clause = \"DB-Q9\" }")
            )
        })
        .collect();
    let mut library = Library::standard();
    library.add(&(text + &bets)).unwrap();
    assert!(MIXED.iter().all(|id| library.game("mixed").unwrap().bet(id).is_some()));
    for composition in ["2,0,3,0,0,1,0,0,0,4,0,0,1", "3,3,0,0,3,3,0,0,3,0,0,0,0", "0,0,0,0,2,2,0,3,0,1,0,0,0"]
    {
        priced_alike(&library, &composition.parse().unwrap());
    }
}

/// A source with figures of its own, quick to reckon: the share of aces above its due, a third of that of
/// nines, and never.
#[derive(Clone)]
struct Aces;

impl EdgeSource for Aces {
    fn gains(&mut self, left: &RankCounts, _: &Composition, gains: &mut [Gain]) {
        let cards = i128::from(left.cards());
        gains.fill(Gain { numerator: -1, denominator: 7 });
        gains[0] = Gain { numerator: 13 * i128::from(left.counts()[0]) - cards, denominator: 13 * cards };
        gains[1] = Gain { numerator: 13 * i128::from(left.counts()[8]) - cards, denominator: 39 * cards };
    }
}

#[test]
fn threads_change_nothing() {
    let library = Library::standard();
    for game in baccarat(&library) {
        let source = Pricer::new(game);
        let with =
            |threads| run(game, &Settings { threads: NonZeroUsize::new(threads), ..eight_decks() }, &source);
        let one = with(1);
        assert_eq!(one, with(2));
        assert_eq!(one, with(5));
        assert_eq!(one.shoes, 12);
        assert!(one.bets.iter().any(|bet| bet.fraction > 0.0), "{}", game.id);
        assert_ne!(one, run(game, &Settings { seed: 2, ..eight_decks() }, &source));
    }
}

#[test]
fn a_cancelled_run_is_a_shorter_one() {
    let library = Library::standard();
    let game = library.game("mbs-dragon-tiger").unwrap();
    let settings = Settings { shoes: 1_000_000_000, threads: NonZeroUsize::new(3), ..eight_decks() };
    let (cancel, done, rounds) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let shoe_done = |more| {
        rounds.fetch_add(more, Ordering::Relaxed);
        if done.fetch_add(1, Ordering::Relaxed) == 100 {
            cancel.store(true, Ordering::Relaxed);
        }
    };
    let cut_short =
        measure(game, &settings, &Aces, Watch { shoe_done: &shoe_done, cancel: &cancel }).unwrap();
    assert!((101..=104).contains(&cut_short.shoes), "{}", cut_short.shoes);
    assert_eq!((cut_short.shoes, cut_short.rounds), (done.into_inner(), rounds.into_inner()));
    assert_eq!(cut_short, run(game, &Settings { shoes: cut_short.shoes, ..settings }, &Aces));
}

/// One deck, round by round, with exact fractions from the plain histogram and no shared code but the cards.
#[test]
fn a_single_deck_agrees_with_a_slow_reckoning() {
    let library = Library::standard();
    let game = library.game("hoiana-dragon-tiger/commission").unwrap();
    let settings = Settings { shoes: 1, buckets: 2, seed: 5, ..Settings::of_decks(Decks::ONE) };
    let exposure = run(game, &settings, &Pricer::new(game));
    assert_eq!(exposure, run(game, &settings, &PlainSource::new(game)), "the same from plain prices");

    let zero = Fraction::new(0, 1);
    let mut rounds = [0; 2];
    let mut sums = vec![[zero.clone(), zero.clone()]; game.bets.len()];
    let mut with_edge = vec![[0_u64; 2]; game.bets.len()];
    let mut largest = vec![zero.clone(); game.bets.len()];
    for round in DealtShoe::new(&settings, 0) {
        let half = usize::from(round.before.cards() <= 26);
        rounds[half] += 1;
        let shoe = ShoeCards::of_cards(round.cards);
        let sheet = ParSheet::of_baccarat(game, &plain::histogram(&round.before), &shoe);
        for (at, bet) in sheet.bets.iter().enumerate().filter(|(_, bet)| bet.edge.is_negative()) {
            let gain = bet.edge.negated();
            sums[at][half] = sums[at][half].plus(&gain);
            with_edge[at][half] += 1;
            largest[at] = largest[at].clone().max(gain);
        }
    }
    assert!(rounds[0] > 0 && rounds[1] > 0 && with_edge.iter().flatten().any(|rounds| *rounds > 0));
    let close = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-12, "{found} is not {wanted}");
    assert_eq!(exposure.rounds, rounds[0] + rounds[1]);
    for (at, bet) in exposure.bets.iter().enumerate() {
        let gain = sums[at][0].plus(&sums[at][1]).approximate();
        let count = with_edge[at][0] + with_edge[at][1];
        close(bet.fraction, count as f64 / exposure.rounds as f64);
        close(bet.average_edge, if count == 0 { 0.0 } else { gain / count as f64 });
        close(bet.per_100_rounds, 100.0 * gain / exposure.rounds as f64);
        close(bet.per_shoe, gain);
        close(bet.max_edge, largest[at].approximate());
        for (half, part) in bet.by_penetration.iter().enumerate() {
            assert_eq!(part.rounds, rounds[half]);
            close(part.fraction, with_edge[at][half] as f64 / rounds[half] as f64);
            close(part.per_shoe, sums[at][half].approximate());
        }
    }
}

#[test]
fn parts_add_up_to_the_whole() {
    let library = Library::standard();
    let game = library.game("hoiana-baccarat/commission").unwrap();
    for buckets in [1, 3, 10, 100] {
        let exposure = run(game, &Settings { buckets, shoes: 40, ..eight_decks() }, &Aces);
        for bet in &exposure.bets {
            let parts = &bet.by_penetration;
            assert_eq!(parts.len(), usize::try_from(buckets).unwrap());
            assert_eq!(parts.iter().map(|part| part.rounds).sum::<u64>(), exposure.rounds);
            let per_shoe: f64 = parts.iter().map(|part| part.per_shoe).sum();
            assert!((per_shoe - bet.per_shoe).abs() < 1e-9);
            assert!(parts.iter().all(|part| part.max_edge <= bet.max_edge));
        }
        assert!((exposure.bets[0].fresh_edge).abs() < 1e-15 && exposure.bets[0].per_shoe_error > 0.0);
        assert_eq!((exposure.bets[2].fraction, exposure.bets[2].average_edge), (0.0, 0.0), "never");
    }
}

#[test]
fn settings_are_checked_at_their_limits() {
    let decks = Decks::ONE;
    let good = Settings { burn: Burn::Cards(3), cut_card: 49, ..Settings::of_decks(decks) };
    assert!(good.check().is_ok());
    let check = |settings: Settings| settings.check().unwrap_err();
    assert!(matches!(
        check(Settings { cut_card: 50, ..good }),
        ExposureError::CutCard { behind: 50, cards: 52, left: 49 }
    ));
    assert!(matches!(check(Settings { shoes: 0, ..good }), ExposureError::NoShoes));
    assert!(matches!(check(Settings { buckets: 0, ..good }), ExposureError::Buckets(0)));
    assert!(Settings { buckets: 100, ..good }.check().is_ok());
    assert!(matches!(check(Settings { buckets: 101, ..good }), ExposureError::Buckets(101)));
    assert!(Settings { burn: Burn::Cards(46), cut_card: 0, ..good }.check().is_ok());
    assert!(matches!(
        check(Settings { burn: Burn::Cards(47), cut_card: 0, ..good }),
        ExposureError::Burn { burn: 47, cards: 52, burn_max: 46 }
    ));
}
