//! The shoe from loading to the last card.

use croupier_cards::{
    Burned, Card, Composition, CompositionError, CutCard, Decks, Drawn, Rank, Shoe, ShoeError, Suit,
    parse_cards,
};
use proptest::prelude::*;

/// One deck in the order of the indices: the card at position 7 has index 7.
fn one_deck() -> Result<Shoe, ShoeError> {
    Shoe::new(Decks::ONE, Card::all().collect())
}

fn indices(cards: impl IntoIterator<Item = Card>) -> Vec<usize> {
    cards.into_iter().map(Card::index).collect()
}

#[test]
fn all_wrong_cards_are_reported_at_once() {
    let decks = Decks::new(2).unwrap();
    let mut order: Vec<Card> = Composition::of_decks(decks).cards().collect();
    let eight = Card::new(Rank::Eight, Suit::Spades);
    let king = Card::new(Rank::King, Suit::Diamonds);
    let ace = Card::new(Rank::Ace, Suit::Hearts);
    order.retain(|card| *card != king);
    order.push(ace);
    order.extend([eight; 300]);
    let error = Shoe::new(decks, order).unwrap_err();
    assert_eq!(
        error,
        ShoeError::WrongCards { decks, excess: vec![(ace, 1), (eight, 300)], missing: vec![(king, 2)] }
    );
    assert_eq!(error.to_string(), "these are not 2 decks: too many 1 × AH, 300 × 8S; missing 2 × KD");
}

#[test]
fn a_deck_too_few_or_too_many_is_refused() {
    for (loaded, result) in [(7, false), (8, true), (9, false)] {
        let order = Composition::of_decks(Decks::new(loaded).unwrap()).cards().collect();
        assert_eq!(Shoe::new(Decks::new(8).unwrap(), order).is_ok(), result, "{loaded} decks");
    }
    assert_eq!(
        Shoe::new(Decks::ONE, Vec::new()).unwrap_err(),
        ShoeError::WrongCards {
            decks: Decks::ONE,
            excess: vec![],
            missing: Card::all().map(|card| (card, 1)).collect()
        }
    );
}

#[test]
fn the_cards_above_the_cut_go_to_the_bottom() {
    let mut shoe = one_deck().unwrap();
    shoe.cut(50).unwrap();
    assert_eq!(shoe.top_position(), 50);
    let drawn: Vec<Drawn> = std::iter::from_fn(|| shoe.draw()).collect();
    assert_eq!(indices(drawn.iter().map(|drawn| drawn.card)), (50..52).chain(0..50).collect::<Vec<_>>());
    assert!(drawn.iter().all(|drawn| drawn.card.index() == drawn.position));
    assert!(drawn.iter().map(|drawn| drawn.number).eq(1..=52));
}

#[test]
fn a_cut_leaves_a_card_on_either_side() {
    for (above, allowed) in [(0, false), (1, true), (51, true), (52, false), (53, false)] {
        let mut shoe = one_deck().unwrap();
        let expect = if allowed { Ok(()) } else { Err(ShoeError::CutOutside { above, cards: 52 }) };
        assert_eq!(shoe.cut(above), expect);
        assert_eq!(shoe.top_position(), if allowed { above } else { 0 });
    }
    let message = one_deck().unwrap().cut(52).unwrap_err().to_string();
    assert_eq!(message, "52 cards cannot be cut below 52: cut below 1 to 51");
}

#[test]
fn a_second_cut_goes_on_from_the_first() {
    let mut shoe = one_deck().unwrap();
    shoe.cut(50).unwrap();
    shoe.cut(5).unwrap();
    assert_eq!(shoe.draw().map(|drawn| drawn.position), Some(3));
}

#[test]
fn a_shoe_is_cut_before_the_cut_card_and_before_its_first_card() {
    let mut shoe = one_deck().unwrap();
    shoe.place_cut_card(14).unwrap();
    assert_eq!(shoe.cut(10), Err(ShoeError::CutAfterCutCard));
    let mut shoe = one_deck().unwrap();
    shoe.burn(1).unwrap();
    assert_eq!(shoe.cut(10), Err(ShoeError::CutInPlay { out: 1 }));
}

#[test]
fn the_cut_card_comes_out_ahead_of_the_cards_behind_it() {
    for behind in [1, 13, 14, 15, 51, 52] {
        let mut shoe = one_deck().unwrap();
        shoe.place_cut_card(behind).unwrap();
        for left in (1..=52).rev() {
            assert_eq!(shoe.cut_card_is_next(), left == behind, "{left} left, {behind} behind");
            let drawn = shoe.draw().unwrap();
            assert_eq!(drawn.cut_card_ahead, left == behind, "{left} left, {behind} behind");
            let expect = if left > behind { CutCard::InShoe { behind } } else { CutCard::Out };
            assert_eq!(shoe.cut_card(), expect);
        }
    }
}

#[test]
fn a_cut_card_at_the_bottom_and_no_cut_card_never_come_out() {
    let mut bottom = one_deck().unwrap();
    bottom.place_cut_card(0).unwrap();
    let none = one_deck().unwrap();
    for mut shoe in [bottom, none] {
        let drawn: Vec<Drawn> = std::iter::from_fn(|| shoe.draw()).collect();
        assert_eq!(drawn.len(), 52);
        assert!(drawn.iter().all(|drawn| !drawn.cut_card_ahead));
        assert!(!shoe.cut_card_is_next());
    }
}

#[test]
fn the_cut_card_is_placed_among_the_cards_left_before_the_first_draw() {
    let mut shoe = one_deck().unwrap();
    shoe.burn(2).unwrap();
    assert_eq!(shoe.place_cut_card(49), Ok(()));
    assert_eq!(shoe.place_cut_card(50), Ok(()));
    assert_eq!(shoe.place_cut_card(51), Err(ShoeError::CutCardOutside { behind: 51, remaining: 50 }));
    assert_eq!(shoe.cut_card(), CutCard::InShoe { behind: 50 });
    assert!(shoe.draw().unwrap().cut_card_ahead);
    assert_eq!(shoe.place_cut_card(10), Err(ShoeError::CutCardInPlay { drawn: 1 }));
}

#[test]
fn a_cut_card_among_the_burned_cards_is_out() {
    let mut shoe = one_deck().unwrap();
    shoe.place_cut_card(50).unwrap();
    let burned = shoe.burn(4).unwrap();
    assert_eq!(
        burned.iter().map(|burned| burned.cut_card_ahead).collect::<Vec<_>>(),
        [false, false, true, false]
    );
    assert_eq!(shoe.cut_card(), CutCard::Out);
    assert!(!shoe.draw().unwrap().cut_card_ahead);
    let back = parse_cards("2S").unwrap();
    shoe.put_back(&back).unwrap();
    assert_eq!(shoe.place_cut_card(10), Err(ShoeError::CutCardOut));
}

#[test]
fn burned_cards_belong_to_no_draw() {
    let mut shoe = one_deck().unwrap();
    let burned = shoe.burn(3).unwrap();
    assert_eq!(burned, shoe.burned());
    assert_eq!(indices(burned.iter().map(|burned| burned.card)), [0, 1, 2]);
    assert_eq!((shoe.remaining(), shoe.drawn()), (49, 0));
    let drawn = shoe.draw().unwrap();
    assert_eq!((drawn.number, drawn.position), (1, 3));
}

#[test]
fn as_many_cards_as_are_left_can_be_burned() {
    for (cards, allowed) in [(0, true), (51, true), (52, true), (53, false)] {
        let mut shoe = one_deck().unwrap();
        let burned = shoe.burn(cards);
        if allowed {
            assert_eq!(burned.map(|burned| burned.len()), Ok(cards));
        } else {
            assert_eq!(burned, Err(ShoeError::BurnOutside { cards, remaining: 52 }));
            assert_eq!(shoe.remaining(), 52);
        }
    }
}

/// Hoiana Baccarat 7.11.1: no card seen, so the cards are taken back, burned, and the hand starts again.
#[test]
fn cards_dealt_before_burning_go_back_to_the_head_in_order() {
    let mut shoe = one_deck().unwrap();
    let hand: Vec<Card> = (0..4).filter_map(|_| shoe.draw()).map(|drawn| drawn.card).collect();
    shoe.put_back(&hand).unwrap();
    assert_eq!((shoe.remaining(), shoe.drawn()), (52, 0));
    let burned = shoe.burn(3).unwrap();
    assert_eq!(burned.iter().map(|burned| burned.card).collect::<Vec<_>>(), &hand[..3]);
    let drawn = shoe.draw().unwrap();
    assert_eq!((drawn.card, drawn.number), (hand[3], 1));
}

#[test]
fn only_the_cards_drawn_last_go_back_and_only_in_order() {
    let mut shoe = one_deck().unwrap();
    shoe.draw().unwrap();
    shoe.burn(2).unwrap();
    let hand: Vec<Card> = (0..3).filter_map(|_| shoe.draw()).map(|drawn| drawn.card).collect();
    assert_eq!(format!("{hand:?}"), "[AD, 2S, 2H]");
    let before = shoe.clone();
    let refused = |text: &str| {
        let mut shoe = before.clone();
        let error = shoe.put_back(&parse_cards(text).unwrap()).unwrap_err();
        assert_eq!(shoe, before);
        error
    };
    let two = Card::new(Rank::Two, Suit::Hearts);
    assert_eq!(refused("2H 2S"), ShoeError::PutBackOther { card: two, number: 3 });
    assert_eq!(refused("AD 2S"), ShoeError::PutBackOther { card: hand[0], number: 3 });
    assert_eq!(
        refused("AD 2S KS").to_string(),
        "KS was not draw 4: put back the cards drawn last, in the order they were drawn"
    );
    // The burned cards lie between the first draw and these, so the first draw stays out.
    assert_eq!(refused("AC AD 2S 2H"), ShoeError::PutBackTooMany { cards: 4, available: 3 });
    shoe.put_back(&hand).unwrap();
    assert_eq!((shoe.drawn(), shoe.remaining()), (1, 49));
    assert_eq!(shoe.put_back(&[]), Ok(()));
}

#[test]
fn what_is_left_is_revealed_with_its_positions() {
    let mut shoe = one_deck().unwrap();
    shoe.cut(20).unwrap();
    shoe.burn(30).unwrap();
    shoe.draw().unwrap();
    let undealt = shoe.into_undealt();
    assert_eq!(undealt.len(), 21);
    assert!(undealt.iter().map(|(position, _)| *position).eq((51..52).chain(0..20)));
    assert!(undealt.iter().all(|(position, card)| card.index() == *position));
}

#[test]
fn debug_output_keeps_the_cards_to_itself() {
    let mut shoe = one_deck().unwrap();
    shoe.place_cut_card(14).unwrap();
    shoe.burn(1).unwrap();
    assert_eq!(
        format!("{shoe:?}"),
        "Shoe { decks: 1, remaining: 51, drawn: 0, burned: 1, cut_card: InShoe { behind: 14 }, .. }"
    );
}

#[derive(Clone, Debug)]
enum Action {
    Draw,
    Burn(usize),
    PutBack(usize),
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        6 => Just(Action::Draw),
        1 => (0..9_usize).prop_map(Action::Burn),
        1 => (0..7_usize).prop_map(Action::PutBack),
    ]
}

fn add_all(
    composition: &mut Composition,
    cards: impl IntoIterator<Item = Card>,
) -> Result<(), CompositionError> {
    cards.into_iter().try_for_each(|card| composition.add(card))
}

proptest! {
    /// Cards are conserved: shoe + burned + drawn = loaded, by identity, whatever happens.
    #[test]
    fn cards_are_conserved(
        decks in 1..=10_u8,
        order in Just(()).prop_perturb(|(), mut rng| rng.next_u64()),
        cut in 0..=521_usize,
        behind in 0..=521_usize,
        actions in prop::collection::vec(action(), 0..700),
    ) {
        let decks = Decks::new(decks)?;
        let loaded = Composition::of_decks(decks);
        let mut cards: Vec<Card> = loaded.cards().collect();
        cards.sort_by_key(|card| (card.index() as u64).wrapping_mul(order | 1).rotate_left(17));
        let mut shoe = Shoe::new(decks, cards.clone())?;
        let cut_fits = (1..cards.len()).contains(&cut);
        prop_assert_eq!(shoe.cut(cut).is_ok(), cut_fits);
        prop_assert_eq!(shoe.place_cut_card(behind).is_ok(), behind <= cards.len());
        let mut cut_cards = 0;
        let mut drawn: Vec<Drawn> = Vec::new();
        let mut burned: Vec<Burned> = Vec::new();
        for action in actions {
            match action {
                Action::Draw => {
                    let left = shoe.remaining();
                    let next = shoe.draw();
                    prop_assert_eq!(next.is_some(), left > 0);
                    cut_cards += usize::from(next.is_some_and(|drawn| drawn.cut_card_ahead));
                    drawn.extend(next);
                    prop_assert!(next.is_none_or(|next| next.number == drawn.len()));
                }
                Action::Burn(number) => {
                    if let Ok(out) = shoe.burn(number) {
                        cut_cards += out.iter().filter(|burned| burned.cut_card_ahead).count();
                        burned.extend(out);
                    }
                }
                Action::PutBack(number) => {
                    let keep = drawn.len().saturating_sub(number);
                    let back: Vec<Card> = drawn[keep..].iter().map(|drawn| drawn.card).collect();
                    if shoe.put_back(&back).is_ok() {
                        drawn.truncate(keep);
                    }
                }
            }
            let mut all = shoe.remaining_composition();
            prop_assert_eq!(usize::from(all.len()), shoe.remaining());
            add_all(&mut all, drawn.iter().map(|drawn| drawn.card))?;
            add_all(&mut all, burned.iter().map(|burned| burned.card))?;
            prop_assert_eq!(all, loaded);
            prop_assert_eq!(shoe.remaining() + shoe.drawn() + shoe.burned().len(), shoe.loaded());
        }
        prop_assert!(cut_cards <= 1);
        prop_assert_eq!(cut_cards == 1, shoe.cut_card() == CutCard::Out);

        // Every position went to one place, and holds the card that was loaded there.
        let out = drawn.iter().map(|drawn| (drawn.position, drawn.card));
        let out = out.chain(burned.iter().map(|burned| (burned.position, burned.card)));
        let mut places: Vec<(usize, Card)> = out.chain(shoe.into_undealt()).collect();
        places.sort_unstable();
        prop_assert!(places.into_iter().eq(cards.into_iter().enumerate()));
    }
}
