//! Tables of every game at which people bet, deal, err and quarrel at random. After every command the cards
//! and the money are all there, everybody has what a second model of the money says, and nobody has done
//! what is not theirs; a journal read again gives the same table.
//!
//! Each game is a test of its own, so that they run side by side. With `CROUPIER_LONG` ten times as many
//! commands are given.
#![expect(clippy::unwrap_used, reason = "what is not there is a failed test")]

#[path = "invariants/mod.rs"]
#[expect(dead_code, reason = "tables without bounds and what the float covers are for the largest amounts")]
mod room;

use croupier_rules::Remedy;
use room::holds::occasions;
use room::opening::{GAMES, every_game, library, open_controlled};
use room::random::Random;
use room::run::{COMMANDS, play, play_at, replay};
use room::tally::Tally;

/// Where the seeds of a game begin, so that no two games see the same tables.
fn first_seed(game: &str) -> u64 {
    let place = GAMES.iter().position(|known| *known == game).unwrap();
    u64::try_from(place).unwrap() * 1_000_000
}

/// Plays tables of a game until enough commands were given.
#[track_caller]
fn check(game: &str, commands: u64) {
    let times = if std::env::var_os("CROUPIER_LONG").is_some() { 10 } else { 1 };
    let mut met = Tally::default();
    for seed in first_seed(game).. {
        let (tally, fingerprint) = play(game, Random::seeded(seed), COMMANDS);
        assert_eq!(fingerprint, replay(game, Random::seeded(seed), COMMANDS), "{game}, seed {seed}");
        met.add(&tally);
        if met.commands >= commands * times {
            break;
        }
    }
    let (rulebook, _) = library().find(game).unwrap();
    assert_eq!(met.missing(rulebook), "", "{game}");
    assert!(met.accepted * 3 > met.commands, "{game}: {} of {}", met.accepted, met.commands);
    // Rounds really end.
    let (settled, void) = (met.count("settled"), met.count("void"));
    assert!(settled > commands / 100 && void > 10, "{game}: {settled} settled, {void} void");
    // And each invariant had something to look at.
    for (invariant, least) in occasions(rulebook) {
        let count = met.count(invariant);
        assert!(count >= least, "{game}: `{invariant}` was looked at {count} times, not {least}");
    }
}

#[test]
fn hoiana_baccarat_with_commission() {
    check("hoiana-baccarat/commission", 400_000);
}

#[test]
fn hoiana_baccarat_without_commission() {
    check("hoiana-baccarat/non-commission", 300_000);
}

#[test]
fn hoiana_dragon_tiger_with_commission() {
    check("hoiana-dragon-tiger/commission", 120_000);
}

#[test]
fn hoiana_dragon_tiger_without_commission() {
    check("hoiana-dragon-tiger/non-commission", 200_000);
}

#[test]
fn mbs_dragon_tiger() {
    check("mbs-dragon-tiger", 200_000);
}

#[test]
fn horseshoe_dragon_bonus() {
    check("horseshoe-dragon-bonus", 100_000);
}

#[test]
fn hoiana_niu_niu() {
    check("hoiana-niu-niu", 160_000);
}

/// Each test above sees to every ruling of its rulebook; together they have every remedy there is.
#[test]
fn every_remedy_is_ruled_somewhere() {
    for remedy in Remedy::ALL {
        let mut rules = library().rulebooks().iter().flat_map(|rulebook| &rulebook.irregularities);
        let ruled = rules.any(|rule| rule.rulings.iter().any(|ruling| ruling.remedy == remedy));
        assert!(ruled, "{remedy} is never carried out");
    }
    let games: Vec<&str> = library().games().map(|game| game.id.as_str()).collect();
    assert!(games.iter().all(|game| every_game().any(|known| known == *game)), "{games:?}");
}

/// With a second person for every finding and every correction the money and the cards are there all the same.
#[test]
fn with_the_controls_of_the_house() {
    for game in GAMES {
        let mut met = Tally::default();
        for seed in first_seed(game) + 500_000..first_seed(game) + 500_010 {
            let mut random = Random::seeded(seed);
            let table = open_controlled(game, &mut random);
            met.add(&play_at(game, table, random, COMMANDS).0);
        }
        let (settled, void) = (met.count("settled"), met.count("void"));
        assert!(settled > 50 && void > 10, "{game}: {settled} settled, {void} void");
        assert!(
            met.count("confirmed") > 5 || game == "horseshoe-dragon-bonus" || game == "hoiana-niu-niu",
            "{game}"
        );
    }
}

/// The way a fuzzer drives a table: bytes instead of a seed.
#[test]
fn bytes_say_what_happens() {
    let mut random = Random::seeded(11);
    for game in GAMES {
        for _ in 0..20 {
            let bytes: Vec<u8> = (0..4_000).map(|_| random.small(0, u8::MAX)).collect();
            let (tally, _) = play(game, Random::bytes(&bytes), COMMANDS);
            assert!(tally.accepted > 0, "{game}");
        }
    }
}
