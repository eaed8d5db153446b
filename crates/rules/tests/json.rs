//! Amounts, odds, fractions, outcomes and names as JSON: every value comes back, and each has one text.
#![cfg(feature = "serde")]
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

use std::fmt::Debug;

use croupier_rules::authority::Power;
use croupier_rules::baccarat::insurance::Stage;
use croupier_rules::baccarat::{Outcome, Side, Winner};
use croupier_rules::irregularity::{AllWithdraw, ShoeFate};
use croupier_rules::niu_niu::{BoxWinner, Category};
use croupier_rules::setting::Setting;
use croupier_rules::settle::End;
use croupier_rules::{Amount, Basis, Irregularity, Odds, Ratio, Remedy};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, expect: &str) {
    let text = serde_json::to_string(&value).unwrap();
    assert_eq!(text, expect);
    assert_eq!(serde_json::from_str::<T>(&text).unwrap(), value);
}

fn check_keys<T: Copy + Serialize + DeserializeOwned + PartialEq + Debug>(
    all: &[T],
    key: fn(T) -> &'static str,
) {
    for item in all {
        check(*item, &format!("\"{}\"", key(*item)));
    }
    let error = serde_json::from_str::<T>("\"nothing\"").unwrap_err().to_string();
    assert!(all.iter().all(|item| error.contains(&format!("`{}`", key(*item)))), "{error}");
}

#[test]
fn names_are_the_keys_of_files() {
    check_keys(&Side::ALL, Side::key);
    check_keys(&Winner::ALL, Winner::key);
    check_keys(&Stage::ALL, Stage::key);
    check_keys(Irregularity::ALL, Irregularity::key);
    check_keys(&Remedy::ALL, Remedy::key);
    check_keys(&ShoeFate::ALL, ShoeFate::key);
    check_keys(&AllWithdraw::ALL, AllWithdraw::key);
    check_keys(Power::ALL, Power::key);
    check_keys(Setting::ALL, Setting::key);
    check_keys(&Category::ALL, Category::key);
    check_keys(&BoxWinner::ALL, BoxWinner::key);
    check_keys(&End::ALL, End::key);
}

#[test]
fn numbers_have_one_text() {
    check(Amount::ZERO, "0");
    check(Amount::MAX, "9007199254740991");
    check(-Amount::MAX, "-9007199254740991");
    for text in ["9007199254740992", "-9007199254740992", "1.0", "\"1\""] {
        assert!(serde_json::from_str::<Amount>(text).is_err(), "{text}");
    }
    check("1.5:1".parse::<Odds>().unwrap(), "\"3:2\"");
    check(Ratio::new(-3, 2), "\"-3/2\"");
    check(Ratio::from(1000), "\"1000/1\"");
    check(Ratio::new(i128::MAX, 1), &format!("\"{}/1\"", i128::MAX));
    let least = format!("{}/1", i128::MIN);
    for text in ["", "3", "3:2", "6/4", "3/-2", "3/0", "0/2", "+3/2", "03/2", " 3/2", least.as_str()] {
        assert!(serde_json::from_str::<Ratio>(&format!("\"{text}\"")).is_err(), "{text}");
    }
    check(Basis::Clause(12), r#"{"clause":12}"#);
    check(Basis::Reading(3), r#"{"reading":3}"#);
}

/// All 1,600 classes: those that cards lead to come back, the others are refused.
#[test]
fn an_outcome_is_read_only_if_cards_lead_to_it() {
    let reachable: Vec<Outcome> = Outcome::reachable().collect();
    for outcome in (0..Outcome::COUNT).filter_map(Outcome::from_index) {
        let text = serde_json::to_string(&outcome).unwrap();
        let back = serde_json::from_str::<Outcome>(&text).ok();
        assert_eq!(back, reachable.contains(&outcome).then_some(outcome), "{text}");
    }
}
