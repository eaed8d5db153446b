//! What does not depend on the composition, worked out once by the compiler: the two-card hands by value, up
//! to which count the Banker draws, and how hands share cards.

use croupier_rules::baccarat::tableau::{self, Play};

/// Counts and values from 0 to 9, and two more so that a row fills whole vectors; those repeat 0 and 1.
pub(super) const LANES: usize = 12;

/// Something for each count.
pub(super) type Row = [u32; LANES];

/// Two cards by their values; two tens or pictures are there twice, as a pair and as none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hand {
    pub(super) low: usize,
    pub(super) high: usize,
    pub(super) points: usize,
    pub(super) pair: bool,
    /// How many of the hand's own cards have the value that leads from its points to a count.
    pub(super) taken: [i16; LANES],
    /// How many two-card hands of a count are counted twice when those that hold one of this hand's cards
    /// are counted card by card.
    pub(super) twice: [u16; LANES],
}

impl Hand {
    pub(super) const fn is_tens(&self) -> bool {
        self.high == 0
    }
}

/// The hands of one count that pair, or do not: a range of [`HANDS`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) points: usize,
    pub(super) pair: bool,
    first: usize,
    end: usize,
}

impl Group {
    pub(super) fn hands(&self) -> &'static [Hand] {
        &HANDS[self.first..self.end]
    }
}

/// All hands, by count, those that pair last.
pub(super) static HANDS: [Hand; 56] = hands().0;

/// The groups of [`HANDS`]: ten without a pair and, for even counts, five with one.
pub(super) static GROUPS: [Group; 15] = hands().1;

const fn hands() -> ([Hand; 56], [Group; 15]) {
    let mut hands = [hand(0, 0, false); 56];
    let mut groups = [Group { points: 0, pair: false, first: 0, end: 0 }; 15];
    let (mut at, mut group, mut step) = (0, 0, 0);
    while step < 20 {
        let (points, pair) = (step / 2, step % 2 == 1);
        let first = at;
        let mut low = 0;
        while low < 10 {
            let high = (10 + points - low) % 10;
            if (low < high && !pair) || (low == high && (pair || low == 0)) {
                hands[at] = hand(low, high, pair);
                at += 1;
            }
            low += 1;
        }
        if at > first {
            groups[group] = Group { points, pair, first, end: at };
            group += 1;
        }
        step += 1;
    }
    (hands, groups)
}

const fn hand(low: usize, high: usize, pair: bool) -> Hand {
    let points = (low + high) % 10;
    let (mut taken, mut twice) = ([0; LANES], [0; LANES]);
    let mut lane = 0;
    while lane < LANES {
        let count = lane % 10;
        let value = (10 + count - points) % 10;
        taken[lane] = (value == low) as i16 + (value == high) as i16;
        twice[lane] =
            2 * ((count == 2 * low % 10) as u16 + (count == 2 * high % 10) as u16 + (count == points) as u16);
        lane += 1;
    }
    Hand { low, high, points, pair, taken, twice }
}

/// The Banker draws on counts up to this one, after a third card of that value to the Player, or none.
pub(super) const fn draws_up_to(third: Option<u8>) -> usize {
    let mut points = 0;
    while points < 7 && matches!(tableau::banker(points + 1, third).1, Play::Draws) {
        points += 1;
    }
    points as usize
}

/// [`draws_up_to`] is 2 to 6, and everything above it stands.
pub(super) const LIMITS: usize = 5;

/// The limits by the value of the Player's third card.
pub(super) static LIMIT_AFTER: [usize; 10] = limits();

/// The limit after a Player who stands.
pub(super) const LIMIT_AFTER_STAND: usize = draws_up_to(None);

const fn limits() -> [usize; 10] {
    let mut limits = [0; 10];
    let mut third = 0;
    while third < 10 {
        limits[third as usize] = draws_up_to(Some(third));
        third += 1;
    }
    limits
}

/// For a Banker's count and a Player's two-card count: all ones where the third card that leads the Player to
/// a final count makes the Banker draw.
pub(super) static BANKER_DRAWS: [[Row; 6]; 8] = banker_draws();

const fn banker_draws() -> [[Row; 6]; 8] {
    let limits = limits();
    let mut draws = [[[0; LANES]; 6]; 8];
    let mut at = 0;
    while at < 8 * 6 * LANES {
        let (banker, player, lane) = (at / LANES / 6, at / LANES % 6, at % LANES);
        if banker <= limits[(10 + lane % 10 - player) % 10] {
            draws[banker][player][lane] = u32::MAX;
        }
        at += 1;
    }
    draws
}

/// Three cards to the Banker of which two are given. The third is told by the final count, so the number
/// of such draws is `times` the cards of that value, `less` what the given cards take of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared {
    pub(super) times: [u16; LANES],
    pub(super) less: [u16; LANES],
}

/// By the limit less 2, then by the two given values.
pub(super) static SHARED: [[[Shared; 10]; 10]; LIMITS] = shared();

const fn shared() -> [[[Shared; 10]; 10]; LIMITS] {
    let mut table = [[[Shared { times: [0; LANES], less: [0; LANES] }; 10]; 10]; LIMITS];
    let mut at = 0;
    while at < LIMITS * 100 * LANES {
        let (limit, x, y, lane) = (at / LANES / 100, at / LANES / 10 % 10, at / LANES % 10, at % LANES);
        let third = (20 + lane - x - y) % 10;
        // Each of the three may be the last card drawn; the other two come in either order.
        let times = 2
            * (((x + y) % 10 <= limit + 2) as u16
                + ((x + third) % 10 <= limit + 2) as u16
                + ((y + third) % 10 <= limit + 2) as u16);
        let cell = &mut table[limit][x][y];
        cell.times[lane] = times;
        cell.less[lane] = times * ((third == x) as u16 + (third == y) as u16);
        at += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hand_once() {
        assert_eq!(GROUPS.iter().map(|group| group.hands().len()).sum::<usize>(), 56);
        for group in &GROUPS {
            for hand in group.hands() {
                assert_eq!((hand.points, hand.pair), (group.points, group.pair));
                assert_eq!(hand.pair && !hand.is_tens(), hand.low == hand.high && hand.low > 0);
                assert_eq!((hand.low + hand.high) % 10, hand.points);
            }
        }
    }

    /// The limits say the same as the drawing rules, count by count.
    #[test]
    fn limits_are_the_tableau() {
        for third in [None].into_iter().chain((0..10).map(Some)) {
            let limit = draws_up_to(third);
            assert!((2..=6).contains(&limit));
            for points in 0..8 {
                let draws = tableau::banker(points, third).1 == Play::Draws;
                assert_eq!(draws, usize::from(points) <= limit, "{points} {third:?}");
            }
        }
    }
}
