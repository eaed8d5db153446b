//! Chance for simulations, the same every time for the same seed. Nothing that is played for money uses it.

/// A generator (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    /// Chance that repeats itself.
    pub(crate) const fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    /// Any number.
    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below the bound, each as likely as the others; 0 if the bound is.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 {
            return 0;
        }
        // Numbers past the last whole multiple would make some likelier, and are drawn again.
        let past = u64::MAX - u64::MAX % bound;
        loop {
            let drawn = self.next();
            if drawn < past {
                return drawn % bound;
            }
        }
    }

    /// Whether something happens that does so once in as many times; never for 0.
    pub(crate) fn once_in(&mut self, times: u64) -> bool {
        times > 0 && self.below(times) == 0
    }

    /// One of several.
    pub(crate) fn choose<'a, T>(&mut self, among: &'a [T]) -> Option<&'a T> {
        let at = self.below(u64::try_from(among.len()).unwrap_or(0));
        among.get(usize::try_from(at).unwrap_or(0))
    }

    /// Puts things into any order, each as likely as the others.
    pub(crate) fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            let other = self.below(u64::try_from(last).unwrap_or(0) + 1);
            things.swap(last, usize::try_from(other).unwrap_or(last));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_below_the_bound_comes() {
        let mut dice = Dice::seeded(1);
        let mut seen = [0_u32; 6];
        for _ in 0..6_000 {
            let at = usize::try_from(dice.below(6)).unwrap_or(6);
            if let Some(count) = seen.get_mut(at) {
                *count += 1;
            }
        }
        assert!(seen.iter().all(|count| (850..1_150).contains(count)), "{seen:?}");
        assert_eq!(dice.below(0), 0);
        assert!(!dice.once_in(0));
        assert!(dice.once_in(1));
        assert_eq!(dice.choose::<u8>(&[]), None);
    }

    #[test]
    fn the_same_seed_gives_the_same() {
        let order = |seed| {
            let mut things: Vec<u8> = (0..52).collect();
            Dice::seeded(seed).shuffle(&mut things);
            things
        };
        assert_eq!(order(7), order(7));
        assert_ne!(order(7), order(8));
        let mut sorted = order(7);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..52).collect::<Vec<u8>>());
    }
}
