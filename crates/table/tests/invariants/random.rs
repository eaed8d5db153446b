//! Choices: out of a seed, or out of the bytes that a fuzzer makes up.

/// Where choices come from.
#[derive(Clone, Debug)]
pub(crate) enum Random {
    /// SplitMix64.
    Seeded(u64),
    /// A few bytes a choice; nothing but zeros when they are used up.
    Bytes {
        /// The bytes.
        bytes: Vec<u8>,
        /// How many are used.
        used: usize,
    },
}

impl Random {
    pub(crate) fn seeded(seed: u64) -> Self {
        Self::Seeded(seed.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1))
    }

    pub(crate) fn bytes(bytes: &[u8]) -> Self {
        Self::Bytes { bytes: bytes.to_vec(), used: 0 }
    }

    /// Whether there is anything left to choose from.
    pub(crate) fn is_spent(&self) -> bool {
        match self {
            Self::Seeded(_) => false,
            Self::Bytes { bytes, used } => *used >= bytes.len(),
        }
    }

    pub(crate) fn number(&mut self) -> u64 {
        match self {
            Self::Seeded(state) => {
                *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mut mixed = *state;
                mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                mixed ^ (mixed >> 31)
            }
            Self::Bytes { bytes, used } => {
                let mut next = || {
                    let byte = bytes.get(*used).copied().unwrap_or(0);
                    *used += 1;
                    u64::from(byte)
                };
                next() << 8 | next()
            }
        }
    }

    /// A number below `count`; zero if there is none.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        usize::try_from(self.number().checked_rem(count).unwrap_or(0)).unwrap_or(0)
    }

    /// A number from `low` to `high`.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        let span = usize::try_from(high - low + 1).unwrap_or(1);
        low + i64::try_from(self.below(span)).unwrap_or(0)
    }

    pub(crate) fn small(&mut self, low: u8, high: u8) -> u8 {
        u8::try_from(self.between(low.into(), high.into())).unwrap_or(low)
    }

    /// True in so many of a hundred cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of them.
    ///
    /// # Panics
    /// If there is none.
    pub(crate) fn pick<T: Clone>(&mut self, among: &[T]) -> T {
        among[self.below(among.len())].clone()
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}
