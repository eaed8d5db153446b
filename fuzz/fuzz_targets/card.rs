//! A card that can be read is written as it is read: `8S`, `KD`.
#![no_main]

use croupier_cards::{Card, parse_cards};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(card) = text.parse::<Card>() {
        let again = card.to_string().parse::<Card>();
        assert!(again.is_ok_and(|again| again == card), "{text:?} reads as {card}, which does not");
    }
    if let Ok(cards) = parse_cards(text) {
        let printed: Vec<String> = cards.iter().map(Card::to_string).collect();
        let again = parse_cards(&printed.join(" "));
        assert!(again.is_ok_and(|again| again == cards), "{text:?} reads as {printed:?}, which does not");
    }
});
