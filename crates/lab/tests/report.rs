//! Reports say what their sheet says.
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

use croupier_cards::Decks;
use croupier_lab::Fraction;
use croupier_lab::report::{OddsSheet, SheetError, Stock, csv, html, json, text};
use croupier_rules::Library;

fn sheet(game: &str, stock: Stock) -> Result<OddsSheet, SheetError> {
    let library = Library::standard();
    let (rulebook, game) = library.find(game).unwrap();
    OddsSheet::new(rulebook, game, stock)
}

fn decks(number: u8) -> Stock {
    Stock::of_decks(Decks::new(number).unwrap())
}

#[test]
fn all_forms_show_the_same_edge() {
    let sheet = sheet("mbs-dragon-tiger", decks(8)).unwrap().only("tie").unwrap();
    let exact = "103841353768/723147898655";
    assert!(text(&sheet).contains(exact));
    assert!(html(&sheet, &[]).contains(exact));
    assert!(csv(std::slice::from_ref(&sheet)).contains(exact));
    assert!(serde_json::to_string(&json(&sheet)).unwrap().contains(exact));
}

#[test]
fn chances_of_results_add_up_to_one() {
    for game in ["hoiana-baccarat/non-commission", "horseshoe-dragon-bonus", "hoiana-niu-niu"] {
        let decks = decks(if game == "hoiana-niu-niu" { 1 } else { 6 });
        for bet in sheet(game, decks).unwrap().bets {
            let sum =
                bet.distribution().iter().fold(Fraction::new(0, 1), |sum, (_, chance)| sum.plus(chance));
            assert_eq!(sum, Fraction::new(1, 1), "{game} {}", bet.par.bet);
        }
    }
}

#[test]
fn names_are_escaped() {
    let mut sheet = sheet("mbs-dragon-tiger", decks(8)).unwrap().only("tie").unwrap();
    sheet.bets[0].name = "<Tie> & \"co\"".to_string();
    sheet.notes.push("a < b".to_string());
    let page = html(&sheet, &[]);
    assert!(page.contains("&lt;Tie&gt; &amp; &quot;co&quot;") && page.contains("a &lt; b"));
    assert!(!page.contains("<Tie>"));
}

#[test]
fn too_few_cards_and_too_many_decks_are_refused() {
    let shoe = |counts: &str| Stock { decks: None, counts: counts.parse().unwrap(), without: Vec::new() };
    for (cards, fits) in [("5", false), ("6", true), ("7", true)] {
        let counts = format!("{cards},0,0,0,0,0,0,0,0,0,0,0,0");
        assert_eq!(sheet("mbs-dragon-tiger", shoe(&counts)).is_ok(), fits, "{cards}");
    }
    assert!(matches!(sheet("hoiana-niu-niu", decks(2)), Err(SheetError::Deck(_))));
}
