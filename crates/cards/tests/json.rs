//! Cards, ranks, suits and compositions as JSON.
#![cfg(feature = "serde")]

use croupier_cards::{Card, Composition, Decks, Rank, Suit, parse_cards};

#[test]
fn every_card_rank_and_suit_is_its_notation() {
    for card in Card::all() {
        let text = serde_json::to_string(&card).unwrap();
        assert_eq!(text, format!("\"{card}\""));
        assert_eq!(serde_json::from_str::<Card>(&text).unwrap(), card);
    }
    for rank in Rank::ALL {
        let text = serde_json::to_string(&rank).unwrap();
        assert_eq!(text, format!("\"{rank}\""));
        assert_eq!(serde_json::from_str::<Rank>(&text).unwrap(), rank);
    }
    for suit in Suit::ALL {
        let text = serde_json::to_string(&suit).unwrap();
        assert_eq!(text, format!("\"{suit}\""));
        assert_eq!(serde_json::from_str::<Suit>(&text).unwrap(), suit);
    }
    for text in ["\"\"", "\"10\"", "\"X\"", "7", "null"] {
        assert!(serde_json::from_str::<Rank>(text).is_err(), "{text}");
        assert!(serde_json::from_str::<Suit>(text).is_err(), "{text}");
    }
}

#[test]
fn a_composition_lists_what_is_there() {
    let some = Composition::of_cards(parse_cards("8S 8S TH").unwrap()).unwrap();
    assert_eq!(serde_json::to_string(&some).unwrap(), r#"{"8S":2,"TH":1}"#);
    let full = Composition::of_cards([parse_cards("KD").unwrap()[0]; 255]).unwrap();
    for composition in [Composition::EMPTY, Composition::of_decks(Decks::MAX), some, full] {
        let text = serde_json::to_string(&composition).unwrap();
        assert_eq!(serde_json::from_str::<Composition>(&text).unwrap(), composition);
    }
}
