//! Shuffling so that every order is equally likely, given a source of uniform random bits.
//!
//! Where the bits come from is the caller's choice: a shoe for play takes them from the operating system, a
//! simulation from a fast generator that can be started again from the same number. Modulo does not belong
//! here: it makes low numbers likelier than high ones.

use alloc::vec::Vec;
use core::convert::Infallible;
use core::num::NonZeroU64;

use rand_core::{Rng, TryRng};

use crate::card::Card;
use crate::composition::{Composition, Decks};

/// Brings the items into an order that is drawn uniformly from all orders (Fisher–Yates).
///
/// ```
/// # use core::convert::Infallible;
/// # struct Generator(u64);
/// # impl rand_core::TryRng for Generator {
/// #     type Error = Infallible;
/// #     fn try_next_u32(&mut self) -> Result<u32, Infallible> { Ok((self.try_next_u64()? >> 32) as u32) }
/// #     fn try_next_u64(&mut self) -> Result<u64, Infallible> {
/// #         self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
/// #         Ok(self.0)
/// #     }
/// #     fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> { bytes.fill(0); Ok(()) }
/// # }
/// # let mut generator = Generator(1);
/// use croupier_cards::{Card, shuffle::shuffle};
///
/// let mut deck: Vec<Card> = Card::all().collect();
/// shuffle(&mut generator, &mut deck);
///
/// deck.sort();
/// assert!(deck.into_iter().eq(Card::all()));
/// ```
pub fn shuffle<T>(rng: &mut (impl Rng + ?Sized), items: &mut [T]) {
    match try_shuffle(rng, items) {
        Ok(()) => (),
    }
}

/// As [`shuffle`], from a source that can fail, such as the operating system's.
///
/// # Errors
///
/// The source's own. The items are then only partly shuffled and must not be dealt.
pub fn try_shuffle<R: TryRng + ?Sized, T>(rng: &mut R, items: &mut [T]) -> Result<(), R::Error> {
    shuffle_by(items, |bound| try_below(rng, bound))
}

/// All cards of so many decks, shuffled.
///
/// # Errors
///
/// The source's own.
pub fn try_shuffled_decks<R: TryRng + ?Sized>(rng: &mut R, decks: Decks) -> Result<Vec<Card>, R::Error> {
    let mut cards: Vec<Card> = Composition::of_decks(decks).cards().collect();
    try_shuffle(rng, &mut cards)?;
    Ok(cards)
}

/// A number from 0 to `bound` − 1, each equally likely.
pub fn below(rng: &mut (impl Rng + ?Sized), bound: NonZeroU64) -> u64 {
    let number: Result<u64, Infallible> = try_below(rng, bound);
    match number {
        Ok(number) => number,
    }
}

/// As [`below`], from a source that can fail.
///
/// # Errors
///
/// The source's own.
pub fn try_below<R: TryRng + ?Sized>(rng: &mut R, bound: NonZeroU64) -> Result<u64, R::Error> {
    loop {
        if let Some(number) = number_of_word(rng.try_next_u64()?, bound) {
            return Ok(number);
        }
    }
}

/// The number below `bound` that this random word stands for, or none if the word must be drawn again.
///
/// `word × bound / 2⁶⁴` deals the 2⁶⁴ words out to `bound` numbers in runs that differ in length by one.
/// The first word of a longer run is the one whose remainder is below `2⁶⁴ mod bound`; without those words
/// every number has exactly `⌊2⁶⁴ / bound⌋` of them (Lemire, "Fast Random Integer Generation in an
/// Interval", 2019).
fn number_of_word(word: u64, bound: NonZeroU64) -> Option<u64> {
    let (number, remainder) = halves(u128::from(word) * u128::from(bound.get()));
    // The division is seldom needed, since its result is below the bound.
    let refused = remainder < bound.get() && remainder < bound.get().wrapping_neg() % bound;
    (!refused).then_some(number)
}

#[expect(clippy::as_conversions, reason = "the product is cut into its two halves on purpose")]
const fn halves(product: u128) -> (u64, u64) {
    ((product >> 64) as u64, product as u64)
}

/// Fisher–Yates from the front: the item at each place changes with one at or before it.
///
/// `draw(bound)` gives a number below the bound. Each of the n! sequences of draws leads to another order,
/// so that equally likely draws make equally likely orders.
fn shuffle_by<T, E>(items: &mut [T], mut draw: impl FnMut(NonZeroU64) -> Result<u64, E>) -> Result<(), E> {
    let mut bound = NonZeroU64::MIN;
    for place in 1..items.len() {
        bound = bound.saturating_add(1);
        items.swap(place, index(draw(bound)?));
    }
    Ok(())
}

#[expect(clippy::as_conversions, reason = "the number is at most the place of an item, which is a usize")]
const fn index(number: u64) -> usize {
    number as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;
    use alloc::vec;

    /// Every sequence of draws is tried once: 1 × 2 × … × n of them.
    fn orders_over_all_draws(
        items: u8,
        shuffle: impl Fn(&mut [u8], &mut dyn FnMut(NonZeroU64) -> u64),
    ) -> BTreeMap<Vec<u8>, u64> {
        let mut orders = BTreeMap::new();
        let mut draws: Vec<(u64, u64)> = Vec::new();
        loop {
            let mut order: Vec<u8> = (0..items).collect();
            let mut next = 0;
            shuffle(&mut order, &mut |bound| {
                if next == draws.len() {
                    draws.push((0, bound.get()));
                }
                next += 1;
                draws[next - 1].0
            });
            *orders.entry(order).or_insert(0) += 1;
            while draws.last().is_some_and(|(draw, bound)| draw + 1 == *bound) {
                draws.pop();
            }
            match draws.last_mut() {
                Some((draw, _)) => *draw += 1,
                None => return orders,
            }
        }
    }

    fn every_order_comes_equally_often(items: u8, orders: &BTreeMap<Vec<u8>, u64>) -> bool {
        let factorial: usize = (1..=usize::from(items)).product();
        orders.len() == factorial && orders.values().all(|count| Some(count) == orders.values().next())
    }

    fn fisher_yates(items: &mut [u8], draw: &mut dyn FnMut(NonZeroU64) -> u64) {
        let done: Result<(), Infallible> = shuffle_by(items, |bound| Ok(draw(bound)));
        assert_eq!(done, Ok(()));
    }

    /// Planted fault: an item never stays in its place, as in Sattolo's algorithm.
    fn sattolo(items: &mut [u8], draw: &mut dyn FnMut(NonZeroU64) -> u64) {
        for place in 1..items.len() {
            items.swap(place, index(draw(bound(place))));
        }
    }

    /// Planted fault: each item changes with any other.
    fn any_with_any(items: &mut [u8], draw: &mut dyn FnMut(NonZeroU64) -> u64) {
        for place in 0..items.len() {
            items.swap(place, index(draw(bound(items.len()))));
        }
    }

    /// Planted fault: the last item is forgotten.
    fn all_but_the_last(items: &mut [u8], draw: &mut dyn FnMut(NonZeroU64) -> u64) {
        if let Some((_, items)) = items.split_last_mut() {
            fisher_yates(items, draw);
        }
    }

    fn bound(number: usize) -> NonZeroU64 {
        NonZeroU64::new(u64::try_from(number).unwrap()).unwrap()
    }

    #[test]
    fn every_order_has_exactly_one_sequence_of_draws() {
        for items in 0..=7 {
            let orders = orders_over_all_draws(items, fisher_yates);
            assert!(every_order_comes_equally_often(items, &orders), "{items} items");
            assert!(orders.values().all(|count| *count == 1), "{items} items");
        }
    }

    #[test]
    fn faulty_shuffles_do_not_reach_every_order_equally() {
        for shuffle in [sattolo, any_with_any, all_but_the_last] {
            let orders = orders_over_all_draws(4, shuffle);
            assert!(!every_order_comes_equally_often(4, &orders));
        }
    }

    /// Whether each number below the bound has exactly ⌊2⁶⁴ / bound⌋ words, from the ends of its run of words.
    /// Within a run the remainder grows by the bound with every word, so only the first word can be refused.
    fn numbers_share_the_words_equally(
        bound: u64,
        number_of_word: impl Fn(u64, NonZeroU64) -> Option<u64>,
    ) -> bool {
        let words = u128::from(u64::MAX) + 1;
        let first = |number: u64| (u128::from(number) * words).div_ceil(u128::from(bound));
        let nonzero = NonZeroU64::new(bound).unwrap();
        (0..bound).all(|number| {
            let (begin, end) = (first(number), first(number + 1));
            let at = |word: u128| number_of_word(u64::try_from(word).unwrap(), nonzero);
            let refused = u128::from(at(begin).is_none());
            at(begin).is_none_or(|found| found == number)
                && at(begin + 1) == Some(number)
                && at(end - 1) == Some(number)
                && end - begin - refused == words / u128::from(bound)
        })
    }

    #[test]
    fn every_number_has_the_same_count_of_words() {
        for bound in (2..=520).chain([1_000_000]) {
            assert!(numbers_share_the_words_equally(bound, number_of_word), "bound {bound}");
        }
        assert_eq!(number_of_word(u64::MAX, NonZeroU64::MIN), Some(0));
        assert_eq!(number_of_word(0, NonZeroU64::MAX), None);
        assert_eq!(number_of_word(u64::MAX, NonZeroU64::MAX), Some(u64::MAX - 1));
    }

    #[test]
    fn without_refusal_the_count_of_words_differs() {
        let all_accepted =
            |word: u64, bound: NonZeroU64| Some(halves(u128::from(word) * u128::from(bound.get())).0);
        assert!(!numbers_share_the_words_equally(6, all_accepted));
        assert!(numbers_share_the_words_equally(8, all_accepted), "a power of two divides 2^64");
    }

    struct Words(Vec<u64>);

    #[derive(Debug, PartialEq, Eq, thiserror::Error)]
    #[error("no words left")]
    struct NoWords;

    impl TryRng for Words {
        type Error = NoWords;
        fn try_next_u32(&mut self) -> Result<u32, NoWords> {
            Err(NoWords)
        }
        fn try_next_u64(&mut self) -> Result<u64, NoWords> {
            self.0.pop().ok_or(NoWords)
        }
        fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), NoWords> {
            Err(NoWords)
        }
    }

    #[test]
    fn a_refused_word_is_drawn_again_and_a_failing_source_is_reported() {
        let six = bound(6);
        assert_eq!(number_of_word(0, six), None);
        assert_eq!(try_below(&mut Words(vec![u64::MAX, 0, 0]), six), Ok(5));
        assert_eq!(try_below(&mut Words(vec![0, 0]), six), Err(NoWords));
        assert_eq!(try_shuffled_decks(&mut Words(vec![u64::MAX; 50]), Decks::ONE), Err(NoWords));
        assert!(try_shuffled_decks(&mut Words(vec![u64::MAX; 51]), Decks::ONE).is_ok());
    }

    /// The generator of Steele, Lea and Flood (2014).
    struct SplitMix64(u64);

    impl TryRng for SplitMix64 {
        type Error = Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            self.try_next_u64().map(|word| u32::try_from(word >> 32).unwrap())
        }
        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut word = self.0;
            word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            Ok(word ^ (word >> 31))
        }
        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
            bytes.fill_with(|| self.next_u64().to_be_bytes()[0]);
            Ok(())
        }
    }

    const SHUFFLES: u64 = 52 * 1_000;

    /// Chi-square of "which card at which place" over many shuffles of a deck. There are 51 × 51 = 2,601
    /// degrees of freedom, so a fair shuffle gives 2,601 with a standard deviation of 72, and 3,000 is 5.5
    /// standard deviations above.
    fn deck_looks_fair(mut shuffle: impl FnMut(&mut [u8])) -> bool {
        let mut counts = vec![[0_u64; 52]; 52];
        for _ in 0..SHUFFLES {
            let mut deck: Vec<u8> = (0..52).collect();
            shuffle(&mut deck);
            for (place, card) in counts.iter_mut().zip(deck) {
                place[usize::from(card)] += 1;
            }
        }
        let expected = SHUFFLES / 52;
        let squares: u64 = counts.iter().flatten().map(|count| count.abs_diff(expected).pow(2)).sum();
        squares <= 3_000 * expected
    }

    #[test]
    fn a_shuffled_deck_has_every_card_at_every_place_equally_often() {
        let mut rng = SplitMix64(2024);
        assert!(deck_looks_fair(|deck| shuffle(&mut rng, deck)));
    }

    #[test]
    fn the_check_on_decks_catches_faulty_shuffles() {
        let mut rng = SplitMix64(2024);
        assert!(!deck_looks_fair(|deck| sattolo(deck, &mut |bound| below(&mut rng, bound))));
        assert!(!deck_looks_fair(|deck| any_with_any(deck, &mut |bound| below(&mut rng, bound))));
        assert!(!deck_looks_fair(|deck| all_but_the_last(deck, &mut |bound| below(&mut rng, bound))));
        let mut byte_modulo = |bound: NonZeroU64| u64::from(rng.next_u64().to_be_bytes()[0]) % bound;
        assert!(!deck_looks_fair(|deck| fisher_yates(deck, &mut byte_modulo)));
        assert!(!deck_looks_fair(|_| ()));
    }
}
