//! The Banker's three cards: in how many ways they come to each final count, from any composition.
//!
//! The number is a polynomial of the third degree in the counts of the values, so taking cards out changes
//! it by differences: the draws that hold a given card, those that hold two given cards. Each is worked out
//! once; a table for a composition without some cards is then a few additions.

use super::hands::{LANES, LIMITS, Row, SHARED, Shared};

/// Twice around the values and a bit, so that a row can start at any value.
const RING: usize = 24;

/// The cards of each value, in the forms that the tables are worked out from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Values {
    pub(super) counts: [u32; 10],
    ring: [u16; RING],
    /// The ordered two-card hands of each count.
    pub(super) twos: Row,
}

impl Values {
    pub(super) fn new(counts: [u32; 10]) -> Self {
        let mut ring = [0; RING];
        for (at, place) in ring.iter_mut().enumerate() {
            *place = counts[at % 10] as u16;
        }
        let mut values = Self { counts, ring, twos: [0; LANES] };
        for (first, count) in counts.into_iter().enumerate() {
            let second = values.turned(first);
            for (twos, second) in values.twos.iter_mut().zip(second) {
                *twos += count * u32::from(second);
            }
            values.twos[2 * first % 10] = values.twos[2 * first % 10].wrapping_sub(count);
        }
        values
    }

    /// The same without a card of that value.
    pub(super) fn without(&self, value: usize) -> Self {
        let mut left = *self;
        left.counts[value] = left.counts[value].wrapping_sub(1);
        for place in (value..RING).step_by(10) {
            left.ring[place] = left.counts[value] as u16;
        }
        let others = left.turned(value);
        for (twos, other) in left.twos.iter_mut().zip(others) {
            *twos = twos.wrapping_sub(2 * u32::from(other));
        }
        left
    }

    /// For each count the cards that lead to it from `points`.
    #[inline]
    pub(super) fn turned(&self, points: usize) -> [u16; LANES] {
        let mut row = [0; LANES];
        row.copy_from_slice(&self.ring[10 - points..][..LANES]);
        row
    }

    /// The draws of three that hold two given cards of these values, the rest being from this composition
    /// without them; together they count `points`.
    #[inline]
    pub(super) fn shared(&self, shared: &Shared, points: usize) -> Row {
        let cards = self.turned(points);
        let mut row = [0; LANES];
        for lane in 0..LANES {
            row[lane] =
                u32::from(cards[lane].wrapping_mul(shared.times[lane]).wrapping_sub(shared.less[lane]));
        }
        row
    }
}

/// The Banker's draws of three to each final count, where the first two count at most some limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draws {
    /// All of them.
    pub(super) total: Row,
    /// Those that hold a given card, by its value.
    pub(super) holding: [Row; 10],
}

impl Draws {
    /// The draws for each limit from 2 on.
    pub(super) fn by_limit(values: &Values) -> [Self; LIMITS] {
        let mut tables = [Self { total: [0; LANES], holding: [[0; LANES]; 10] }; LIMITS];
        for (given, count) in values.counts.into_iter().enumerate().filter(|(_, count)| *count > 0) {
            let left = values.without(given);
            // The given card comes first (or, as often, second) or last.
            let (mut first, mut last) = ([0; LANES], [0; LANES]);
            for points in 0..LIMITS + 2 {
                add_second(&mut first, &left, given, points);
                last[(points + given) % 10] = left.twos[points];
                if let Some(table) = points.checked_sub(2).and_then(|limit| tables.get_mut(limit)) {
                    for lane in 0..LANES {
                        table.total[lane] = table.total[lane].wrapping_add(count.wrapping_mul(first[lane]));
                        table.holding[given][lane] = (2 * first[lane]).wrapping_add(last[lane]);
                    }
                }
            }
        }
        tables
    }

    /// The same draws from the composition without a card of that value.
    pub(super) fn without(&self, values: &Values, limit: usize, value: usize) -> Self {
        let total = minus(&self.total, &self.holding[value]);
        let mut holding = [[0; LANES]; 10];
        for (other, row) in holding.iter_mut().enumerate() {
            let shared = values.shared(&SHARED[limit - 2][other][value], (other + value) % 10);
            *row = minus(&self.holding[other], &shared);
        }
        Self { total, holding }
    }
}

/// Adds the draws that begin with the given card and count `points` with the second.
fn add_second(draws: &mut Row, left: &Values, given: usize, points: usize) {
    let second = (10 + points - given) % 10;
    let ways = left.counts[second] as u16;
    let third = left.turned(points);
    for lane in 0..LANES {
        draws[lane] = draws[lane].wrapping_add(u32::from(ways.wrapping_mul(third[lane])));
    }
    // The second card is not there to be drawn again.
    let again = &mut draws[(points + second) % 10];
    *again = again.wrapping_sub(u32::from(ways));
}

fn minus(row: &Row, less: &Row) -> Row {
    let mut left = *row;
    for lane in 0..LANES {
        left[lane] = left[lane].wrapping_sub(less[lane]);
    }
    left
}
