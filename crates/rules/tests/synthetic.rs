//! Rulebooks that no house plays: they load, and between them they use every key that a bet may have.
#![expect(clippy::panic, reason = "a rulebook with faults is a failed test")]

use croupier_rules::{Bet, Family, Pays, Rulebook};

const BACCARAT: &str = include_str!("data/synthetic/onyx-baccarat.toml");
const NIU_NIU: &str = include_str!("data/synthetic/onyx-niu-niu.toml");

fn rulebook(text: &str) -> Rulebook {
    Rulebook::parse(text).unwrap_or_else(|faults| panic!("{faults}"))
}

#[test]
fn each_family_has_one_with_every_optional_key() {
    for (text, family) in [(BACCARAT, Family::Baccarat), (NIU_NIU, Family::NiuNiu)] {
        let rulebook = rulebook(text);
        assert_eq!(rulebook.family, family);
        let any = |test: &dyn Fn(&Bet) -> bool| rulebook.games.iter().flat_map(|game| &game.bets).any(test);
        assert!(any(&|bet| bet.at_most.is_some()) && any(&|bet| bet.excludes.is_some()), "{}", rulebook.id);
        assert_eq!(
            any(&|bet| bet.required),
            family == Family::Baccarat,
            "as no shipped rulebook of the family"
        );
        assert_eq!(any(&|bet| bet.reserve.is_some()), family == Family::NiuNiu);
        assert_eq!(any(&|bet| matches!(bet.pays, Pays::ByCards(_))), family == Family::Baccarat);
        let usual = ["player", "banker", "tie", "even", "double", "super-niu"];
        assert!(!any(&|bet| usual.contains(&bet.id.as_str())), "{}", rulebook.id);
    }
}
