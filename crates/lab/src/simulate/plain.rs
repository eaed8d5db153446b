//! The same draws dealt the plain way: cards in a shoe, rounds by [`Deal`], the cut card by [`Shoe`]. Slow
//! and beyond doubt; what is fast is checked against it.

use croupier_cards::{Card, Decks, Rank, Shoe, Suit};
use croupier_rules::baccarat::{Deal, Outcome};

use super::chunks::Units;
use super::random::{SixDraws, generator};
use super::{CutCard, Simulated};

/// Rounds from a full shoe, with the same draws as [`super::Dealing::Rounds`].
#[must_use]
pub fn rounds(decks: Decks, seed: u64, rounds: u64) -> Simulated {
    let mut histogram = vec![0_u64; Outcome::COUNT];
    let six = SixDraws::new(decks.cards());
    for (number, rounds) in chunks(Units::ROUNDS, rounds) {
        let mut generator = generator(seed, number);
        let mut cards: Vec<Card> = in_order(decks);
        for _ in 0..rounds {
            for (place, draw) in six.draw(&mut generator).into_iter().enumerate() {
                cards.swap(place, place + draw);
            }
            let mut deal = Deal::default();
            let mut draws = cards.iter();
            while deal.due().is_some() {
                let _ = draws.next().map(|card| deal.draw(*card));
            }
            count(&mut histogram, &deal);
        }
    }
    Simulated { histogram, rounds, shoes: 0, stopped_early: false }
}

/// Whole shoes to the cut card, with the same draws as [`super::Dealing::Shoes`]; `each` is told of every
/// finished shoe and how many rounds it gave.
///
/// # Panics
/// If the cut card does not fit the decks.
#[must_use]
pub fn shoes(
    decks: Decks,
    cut: CutCard,
    seed: u64,
    shoes: u64,
    each: &mut dyn FnMut(&Shoe, &[Outcome]),
) -> Simulated {
    assert_eq!(cut.check(decks), Ok(()), "the cut card fits");
    let mut histogram = vec![0_u64; Outcome::COUNT];
    let played = (cut.before(decks) + cut.needed()).min(decks.cards());
    for (number, shoes) in chunks(Units::SHOES, shoes) {
        let mut generator = generator(seed, number);
        for _ in 0..shoes {
            let mut cards = in_order(decks);
            for start in (0..played).step_by(6).map(|start| start.min(decks.cards() - 6)) {
                let six = SixDraws::new(decks.cards() - start).draw(&mut generator);
                for (place, draw) in (start..).zip(six) {
                    cards.swap(place, place + draw);
                }
            }
            let outcomes = play(decks, cut, cards, each);
            outcomes.iter().for_each(|outcome| histogram[outcome.index()] += 1);
        }
    }
    let rounds = histogram.iter().sum();
    Simulated { histogram, rounds, shoes, stopped_early: false }
}

fn play(
    decks: Decks,
    cut: CutCard,
    cards: Vec<Card>,
    each: &mut dyn FnMut(&Shoe, &[Outcome]),
) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    let Ok(mut shoe) = Shoe::new(decks, cards) else { return outcomes };
    let _ = shoe.place_cut_card(cut.behind);
    // The cut card never lies among the cards that are burned.
    let first = cut.burn.most().checked_sub(1).and_then(|_| shoe.draw());
    for _ in 1..first.map_or(0, |first| cut.burn.cards(first.card.rank())) {
        shoe.draw();
    }
    let (mut out, mut rounds_left) = (false, cut.rounds_after + 1);
    while rounds_left > 0 {
        let mut deal = Deal::default();
        while deal.due().is_some() {
            let Some(drawn) = shoe.draw() else { return outcomes };
            out |= drawn.cut_card_ahead;
            let _ = deal.draw(drawn.card);
        }
        outcomes.extend(deal.outcome());
        rounds_left -= u32::from(out);
    }
    each(&shoe, &outcomes);
    outcomes
}

/// The order in which the fast loop starts: suit by suit, each from ace to king.
fn in_order(decks: Decks) -> Vec<Card> {
    let deck: Vec<Card> =
        Suit::ALL.iter().flat_map(|suit| Rank::ALL.map(|rank| Card::new(rank, *suit))).collect();
    deck.repeat(decks.number().into())
}

fn chunks(units: Units, total: u64) -> impl Iterator<Item = (u64, u64)> {
    let per_chunk = units.per_chunk;
    (0..total.div_ceil(per_chunk)).map(move |number| (number, per_chunk.min(total - number * per_chunk)))
}

fn count(histogram: &mut [u64], deal: &Deal) {
    if let Some(outcome) = deal.outcome() {
        histogram[outcome.index()] += 1;
    }
}
