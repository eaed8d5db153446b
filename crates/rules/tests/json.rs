//! Amounts, odds, fractions, outcomes and names as JSON: every value comes back, and each has one text.
#![cfg(feature = "serde")]
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

#[path = "common/conditions.rs"]
#[cfg(feature = "toml")]
mod conditions;

use std::fmt::Debug;

use croupier_rules::authority::Power;
use croupier_rules::baccarat::condition::Whose;
use croupier_rules::baccarat::insurance::Stage;
use croupier_rules::baccarat::{CardPlace, Outcome, Side, Winner};
use croupier_rules::irregularity::{AllWithdraw, ShoeFate};
use croupier_rules::niu_niu::{BoxWinner, Category};
use croupier_rules::setting::Setting;
use croupier_rules::settle::End;
use croupier_rules::{Amount, Basis, Irregularity, Odds, Payoff, Ratio, Remedy, When};
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
    check_keys(&CardPlace::ALL, CardPlace::key);
    check_keys(&Whose::ALL, Whose::key);
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

/// Every condition and payoff comes back from its JSON form, and one value has one form.
#[test]
#[cfg(feature = "toml")]
fn what_a_line_asks_and_pays_comes_back() {
    let conditions::Examples { conditions, payoffs } = conditions::Examples::collect().unwrap();
    assert!(conditions.len() > 100 && payoffs.len() > 40, "{} and {}", conditions.len(), payoffs.len());
    for (words, condition) in &conditions {
        let text = serde_json::to_string(condition).unwrap();
        assert_eq!(serde_json::from_str::<When>(&text).unwrap(), *condition, "{words}");
    }
    for (words, payoff) in &payoffs {
        let text = serde_json::to_string(payoff).unwrap();
        assert_eq!(serde_json::from_str::<Payoff>(&text).unwrap(), *payoff, "{words}");
    }
    check(conditions["otherwise"].clone(), r#"{"is":"otherwise"}"#);
    check(conditions["always"].clone(), r#"{"is":"always"}"#);
    check(
        conditions["Banker wins, Banker on 6, Banker 3 cards"].clone(),
        r#"{"is":"all-of","of":[{"is":"winner","winner":"banker"},{"is":"points","side":"banker","numbers":[6]},{"is":"cards","side":"banker","numbers":[3]}]}"#,
    );
    check(
        conditions["Dealer wins, Dealer has niu-7, niu-8, niu-9"].clone(),
        r#"{"is":"box","winner":"dealer","dealer":["niu-7","niu-8","niu-9"]}"#,
    );
    check(payoffs["1:1 less 5%"], r#"{"is":"win","odds":"1:1","less":"1/20"}"#);
    check(payoffs["lose"], r#"{"is":"lose"}"#);
}

#[test]
fn what_is_no_condition_is_refused() {
    for (text, says) in [
        (r#"{"is":"all-of","of":[]}"#, "an empty list of conditions matches nothing"),
        (r#"{"is":"points","side":"banker","numbers":[]}"#, "an empty list of numbers"),
        (r#"{"is":"points","side":"banker","numbers":[10]}"#, "10 is too large here; at most 9"),
        (r#"{"is":"cards","side":"banker","numbers":[200]}"#, "200 is too large here; at most 3"),
        (r#"{"is":"not","of":{"is":"otherwise"}}"#, "stand alone"),
        (r#"{"is":"any-of","of":[{"is":"box"}]}"#, "stand alone"),
        (r#"{"is":"box","hand":[]}"#, "an empty list of categories"),
        (r#"{"is":"every","whose":"both","cards":{"suits":[]}}"#, "an empty list of suits"),
        (r#"{"is":"every","whose":"dealer","cards":{}}"#, "unknown choice of hands `dealer`"),
        (r#"{"is":"pair","side":"banker","of":1}"#, "unknown field"),
        (r#"{"is":"nothing"}"#, "unknown variant"),
    ] {
        let error = serde_json::from_str::<When>(text).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
    for less in ["0/1", "1/1", "-1/2"] {
        let text = format!(r#"{{"is":"win","odds":"1:1","less":"{less}"}}"#);
        let error = serde_json::from_str::<Payoff>(&text).unwrap_err().to_string();
        assert!(error.contains("above 0 and below 1"), "{error}");
    }
}

#[test]
#[cfg(feature = "toml")]
fn the_browser_ui_is_tested_with_these_conditions() {
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/lib/conditions.examples.json");
    assert!(
        std::fs::read_to_string(kept).unwrap() == conditions::document().unwrap(),
        "web/src/lib/conditions.examples.json is out of date; `cargo xtask types` makes it again"
    );
}
