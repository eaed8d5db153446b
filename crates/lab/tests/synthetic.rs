//! Games that no house plays, and the example rulebooks: whatever the lab does, it does from their data alone.

use core::sync::atomic::AtomicBool;

use croupier_lab::decks;
use croupier_lab::exact::Pricer;
use croupier_lab::exposure::{self, Watch};
use croupier_lab::report::{self, OddsSheet, Stock};
use croupier_lab::simulate::sessions::{self, Plan};
use croupier_lab::simulate::{CutCard, Dealing, Run, Stop, simulate};
use croupier_rules::baccarat::Burn;
use croupier_rules::{Family, Game, Library, Rulebook};

fn library() -> Library {
    let mut library = Library::default();
    for text in [
        include_str!("../../rules/tests/data/synthetic/onyx-baccarat.toml"),
        include_str!("../../rules/tests/data/synthetic/onyx-niu-niu.toml"),
        include_str!("../../../rulebooks/examples/jade-ez-baccarat.toml"),
        include_str!("../../../rulebooks/examples/jade-punto-banco.toml"),
    ] {
        assert_eq!(library.add(text).err(), None);
    }
    library
}

fn each(check: impl Fn(&Rulebook, &Game)) {
    for rulebook in library().rulebooks() {
        rulebook.games.iter().for_each(|game| check(rulebook, game));
    }
}

/// The ways of every bet add up to all deals, and every form says every bet.
#[test]
fn every_bet_is_priced_and_shown() {
    each(|rulebook, game| {
        let stock = Stock::of_decks(decks::default_of(rulebook).unwrap());
        let sheet = OddsSheet::new(rulebook, game, stock).unwrap();
        assert_eq!(sheet.bets.len(), game.bets.len(), "{}", game.id);
        let (text, page) = (report::text(&sheet), report::html(&sheet, &[]));
        let json = serde_json::to_value(report::json(&sheet)).unwrap();
        for (at, bet) in sheet.bets.iter().enumerate() {
            let ways: u64 = bet.par.lines.iter().map(|line| line.ways).sum();
            assert_eq!(ways, sheet.total, "{} of {}", bet.par.bet, game.id);
            for (line, written) in bet.par.lines.iter().zip(json["bets"][at]["lines"].as_array().unwrap()) {
                assert_eq!(
                    serde_json::from_value(written["condition"].clone()).ok(),
                    Some(line.when.clone())
                );
                let words = line.to_string();
                assert!(text.contains(&words) && written["line"] == *words, "{words}");
            }
            assert!(page.contains(&bet.name), "{}", bet.name);
        }
        assert_eq!(game.insurance.as_ref().map_or(0, |table| table.lines.len()), sheet.insurance.len());
    });
}

/// What is dealt agrees with what is counted, within six standard errors.
#[test]
fn rounds_and_sessions_are_simulated() {
    each(|rulebook, game| {
        let number = decks::default_of(rulebook).unwrap();
        let sheet = OddsSheet::new(rulebook, game, Stock::of_decks(number)).unwrap();
        let cut = CutCard { burn: Burn::FirstCard, ..CutCard::default() };
        let (rounds, shoes) = match game.family {
            Family::Baccarat => (Dealing::Rounds(number), Dealing::Shoes(number, cut)),
            Family::NiuNiu => (Dealing::NiuNiu, Dealing::NiuNiu),
        };
        let simulated = simulate(game, rounds, Stop::After(200_000), &Run::default()).unwrap();
        for (estimate, exact) in simulated.estimates(game).iter().zip(&sheet.bets) {
            let edge = exact.par.edge.approximate();
            let off = (estimate.mean + edge).abs();
            assert!(off < 6.0 * estimate.standard_error, "{} of {}", estimate.bet, game.id);
        }
        let plan = Plan { wagers: vec![(0, 10)], rounds: Some(20), bankroll: Some(2_000) };
        assert!(sessions::simulate(game, shoes, &plan, 50, &Run::default()).is_ok(), "{}", game.id);
    });
}

#[test]
fn exposure_is_measured() {
    each(|rulebook, game| {
        if game.family.deck_per_round() {
            return;
        }
        let number = decks::default_of(rulebook).unwrap();
        let settings =
            exposure::Settings { burn: Burn::FirstCard, shoes: 2, ..exposure::Settings::of_decks(number) };
        let cancel = AtomicBool::new(false);
        let watch = Watch { shoe_done: &|_| {}, cancel: &cancel };
        let measured = exposure::measure(game, &settings, &Pricer::new(game), watch).unwrap();
        assert_eq!(measured.bets.len(), game.bets.len(), "{}", game.id);
        assert!(measured.rounds > 20, "{}", game.id);
    });
}
