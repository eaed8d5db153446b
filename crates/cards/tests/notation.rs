//! Whatever is written can be read again, and nothing that is read can bring the reader down.

use croupier_cards::{Card, parse_cards};
use proptest::prelude::*;

fn card() -> impl Strategy<Value = Card> {
    (0..Card::COUNT).prop_map(|index| Card::from_index(index).unwrap_or_else(|| unreachable!()))
}

proptest! {
    #[test]
    fn a_card_comes_back_from_its_text(card in card()) {
        let text = card.to_string();
        prop_assert_eq!(text.len(), 2);
        prop_assert_eq!(text.parse(), Ok(card));
        prop_assert_eq!(text.to_lowercase().parse(), Ok(card));
        prop_assert_eq!(text.replace('T', "10").parse(), Ok(card));
        let symbols = format!("{}{}", card.rank(), card.suit().symbol());
        prop_assert_eq!(symbols.parse(), Ok(card));
    }

    #[test]
    fn a_list_comes_back_from_its_text(
        cards in prop::collection::vec(card(), 0..20),
        separator in prop::sample::select(vec![" ", ",", ", ", "\n", " , ", "\u{3000}"]),
    ) {
        let texts: Vec<String> = cards.iter().map(Card::to_string).collect();
        prop_assert_eq!(parse_cards(&texts.join(separator)), Ok(cards));
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".*") {
        if let Ok(card) = text.parse::<Card>() {
            prop_assert_eq!(card.to_string().parse(), Ok(card));
        }
        if let Err(error) = parse_cards(&text) {
            prop_assert!(text.get(error.offset..).is_some_and(|rest| rest.starts_with(&error.text)));
        }
    }

    #[test]
    fn texts_that_are_nearly_cards_are_read_or_refused(text in "[10248TtjQkASshd♠♥♦,\u{fe0f} é]{0,12}") {
        match parse_cards(&text) {
            Ok(cards) => prop_assert!(cards.len() <= text.chars().count() / 2),
            Err(error) => {
                prop_assert!(text[error.offset..].starts_with(&error.text));
                prop_assert_eq!(error.text.parse::<Card>(), Err(error.fault));
            }
        }
    }
}
