//! Random draws: a generator for each chunk, and six draws without replacement from one random word.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The generator of chunk number `chunk`. It depends on the seed and that number only, never on who deals
/// the chunk or when.
pub(crate) fn generator(seed: u64, chunk: u64) -> Xoshiro256PlusPlus {
    let mut state = [0_u8; 32];
    let mut counter = mix(seed).wrapping_add(mix(chunk ^ 0x6c61_622d_6368_756e));
    for bytes in state.chunks_exact_mut(8) {
        counter = counter.wrapping_add(GOLDEN);
        bytes.copy_from_slice(&mix(counter ^ mix(chunk)).to_le_bytes());
    }
    Xoshiro256PlusPlus::from_seed(state)
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finalizer of SplitMix64.
const fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// How to make six numbers from one random word: the first below `cards`, the next below `cards` − 1 and so
/// on, every combination equally likely.
///
/// The word is a fraction of 2⁶⁴. Multiplied by a bound it falls apart into a number below the bound and a
/// new fraction, from which the next number is made. What is left in the end tells whether the word belongs
/// to the 2⁶⁴ mod (product of all bounds) words that would make some combinations likelier; such a word is
/// drawn again (Brackett-Rozinsky and Lemire, "Batched Ranged Random Integer Generation", 2024).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SixDraws {
    cards: u64,
    /// Words that leave less than this must be drawn again.
    refused: u64,
}

impl SixDraws {
    /// For a stack of so many cards, at least six and at most 520: the product of the bounds is below 2⁶⁴.
    pub(crate) fn new(cards: usize) -> Self {
        assert!((6..=520).contains(&cards), "six draws need six to 520 cards");
        let cards = widen(cards);
        let product: u64 = (0..6).map(|drawn| cards - drawn).product();
        Self { cards, refused: product.wrapping_neg() % product }
    }

    /// The six numbers; each below 520.
    #[inline(always)]
    pub(crate) fn draw(&self, generator: &mut Xoshiro256PlusPlus) -> [usize; 6] {
        loop {
            let (numbers, left) = self.of_word(generator.next_u64());
            if left >= self.refused {
                return numbers;
            }
        }
    }

    /// The numbers that a word stands for, and what is left of it.
    #[inline(always)]
    fn of_word(&self, word: u64) -> ([usize; 6], u64) {
        let mut left = word;
        let mut bound = self.cards;
        let mut numbers = [0; 6];
        for number in &mut numbers {
            let product = u128::from(left) * u128::from(bound);
            (*number, left) = (high(product), low(product));
            bound -= 1;
        }
        (numbers, left)
    }
}

fn widen(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

#[inline(always)]
const fn low(product: u128) -> u64 {
    product as u64
}

#[inline(always)]
const fn high(product: u128) -> usize {
    (product >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same in plain arithmetic, for words of any size.
    fn plain(bounds: &[u128], bits: u32, word: u128) -> Option<Vec<u128>> {
        let size = 1_u128 << bits;
        let product: u128 = bounds.iter().product();
        let mut left = word;
        let numbers = bounds
            .iter()
            .map(|bound| {
                let scaled = left * bound;
                left = scaled % size;
                scaled / size
            })
            .collect();
        (left >= size % product).then_some(numbers)
    }

    #[test]
    fn every_combination_has_equally_many_words() {
        for bounds in [&[7_u128, 6, 5][..], &[52], &[13, 12], &[6, 5, 4, 3, 2, 1]] {
            let product: u128 = bounds.iter().product();
            let mut words = std::collections::BTreeMap::<Vec<u128>, u32>::new();
            for numbers in (0..1 << 16).filter_map(|word| plain(bounds, 16, word)) {
                *words.entry(numbers).or_default() += 1;
            }
            assert_eq!(u128::try_from(words.len()), Ok(product));
            assert!(words.values().all(|count| u128::from(*count) == (1 << 16) / product));
        }
    }

    #[test]
    fn the_fast_draws_are_the_plain_ones() {
        let mut generator = generator(1, 0);
        for cards in [6, 7, 52, 311, 416, 520] {
            let six = SixDraws::new(cards);
            let bounds: Vec<u128> = (0..6).map(|drawn| u128::try_from(cards - drawn).unwrap()).collect();
            let edges = (0..2000).chain((0..2000).map(|step| u64::MAX - step));
            let random: Vec<u64> = (0..2000).map(|_| generator.next_u64()).collect();
            for word in edges.chain(random) {
                let (numbers, left) = six.of_word(word);
                let numbers = numbers.map(|number| u128::try_from(number).unwrap()).to_vec();
                assert_eq!((left >= six.refused).then_some(numbers), plain(&bounds, 64, word.into()));
            }
        }
    }

    #[test]
    fn chunks_and_seeds_differ() {
        let first = |seed, chunk| generator(seed, chunk).next_u64();
        let words: std::collections::BTreeSet<u64> =
            (0..50).flat_map(|seed| (0..50).map(move |chunk| first(seed, chunk))).collect();
        assert_eq!(words.len(), 2500);
    }
}
