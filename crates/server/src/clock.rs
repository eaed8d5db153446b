//! The one place that asks the system for the time, and the time of lines, which never goes back.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
#[must_use]
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The time that lines are written at.
///
/// It follows the system's clock and never goes back, in no stream and over no restart. A system's clock can be set
/// wrong and right again. So a jump ahead is followed only once it has lasted: what is corrected within that time has
/// left no trace. And where lines are ahead of the system's clock, they go on at half the pace until it has caught up,
/// so that they still tell apart what came when. Both are told, to be put on record.
#[derive(Debug)]
pub struct Steady {
    /// The time of the last line.
    at: u64,
    /// When that was, by the clock that is never set.
    read: Instant,
    /// Since when the system's clock has been ahead.
    ahead: Option<Instant>,
    is_behind: bool,
    notes: Vec<String>,
}

/// What the system's clock may differ before it counts as set.
const TOLERANCE: u64 = 2_000;
/// How long a jump ahead must last before it is followed.
const LASTS: Duration = Duration::from_secs(60);

impl Steady {
    /// The time from the last line on. While the server was away any time may have passed.
    #[must_use]
    pub fn after(last: u64) -> Self {
        Self::after_at(last, now(), Instant::now())
    }

    fn after_at(last: u64, system: u64, read: Instant) -> Self {
        Self { at: last.max(system), read, ahead: None, is_behind: false, notes: Vec::new() }
    }

    /// The time now.
    pub fn now(&mut self) -> u64 {
        self.at(now(), Instant::now())
    }

    fn at(&mut self, system: u64, instant: Instant) -> u64 {
        let passed = instant.saturating_duration_since(self.read).as_millis();
        let passed = u64::try_from(passed).unwrap_or(u64::MAX);
        let steady = self.at.saturating_add(passed);
        if system > steady.saturating_add(TOLERANCE) {
            self.is_behind = false;
            let by = system - steady;
            let since = *self.ahead.get_or_insert_with(|| {
                self.notes.push(format!("the system's clock is {by} ms ahead of the lines"));
                instant
            });
            if instant.saturating_duration_since(since) < LASTS {
                return self.move_on(passed, passed);
            }
            self.ahead = None;
            self.notes.push(format!("the lines have followed it by {by} ms"));
            (self.at, self.read) = (system, instant);
            return system;
        }
        if self.ahead.take().is_some() {
            self.notes.push("the system's clock was set back before the lines followed it".to_string());
        }
        if steady > system.saturating_add(TOLERANCE) {
            if !self.is_behind {
                self.is_behind = true;
                self.notes.push(format!("the system's clock is {} ms behind the lines", steady - system));
            }
            return self.move_on(passed / 2 * 2, passed / 2);
        }
        if self.is_behind {
            self.is_behind = false;
            self.notes.push("the system's clock and the lines are together again".to_string());
        }
        // Close to each other: the system's clock leads, as far as that is not back.
        if system > self.at {
            (self.at, self.read) = (system, instant);
        } else {
            self.read = instant;
        }
        self.at
    }

    /// Goes on by as much as is said, for as much time as has passed; what is less than a step is kept.
    fn move_on(&mut self, passed: u64, by: u64) -> u64 {
        self.read += Duration::from_millis(passed);
        self.at = self.at.saturating_add(by);
        self.at
    }

    /// What is to be put on record.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: u64 = 1_000_000;

    /// Reads the clock at these times, by the clock that is never set and by the system's; what it said.
    fn read(last: u64, reads: &[(u64, u64)]) -> (Vec<u64>, Vec<String>) {
        let begin = Instant::now();
        let mut clock = Steady::after_at(last, START, begin);
        let said = reads.iter().map(|(passed, system)| {
            clock.at(START.saturating_add(*system), begin + Duration::from_millis(*passed)) - START
        });
        (said.collect(), clock.take_notes())
    }

    #[test]
    fn the_systems_clock_leads_as_long_as_it_is_not_set() {
        let (said, notes) = read(0, &[(0, 0), (10, 10), (20, 19), (30, 18), (40, 41), (1_000, 1_500)]);
        assert_eq!(said, [0, 10, 19, 19, 41, 1_500]);
        assert_eq!(notes, Vec::<String>::new());
    }

    #[test]
    fn a_jump_ahead_that_is_corrected_leaves_no_trace_in_the_lines() {
        const YEARS: u64 = 4 * 365 * 86_400_000;
        let (said, notes) =
            read(0, &[(0, 0), (1_000, YEARS), (30_000, YEARS), (60_999, YEARS + 9), (61_000, 61_000)]);
        assert_eq!(said, [0, 1_000, 30_000, 60_999, 61_000]);
        assert_eq!(notes.len(), 2, "{notes:?}");
    }

    #[test]
    fn a_jump_ahead_that_lasts_is_followed() {
        let (said, notes) = read(0, &[(0, 0), (1_000, 90_000), (60_999, 150_999), (61_000, 151_000)]);
        assert_eq!(said, [0, 1_000, 60_999, 151_000]);
        assert!(notes[1].contains("90000 ms"), "{notes:?}");
    }

    #[test]
    fn lines_ahead_of_the_clock_never_go_back_and_still_go_on() {
        // Set back by an hour while it runs.
        let (said, notes) = read(
            START + 3_600_000,
            &[(0, 3_600_000), (1, 3_600_001), (1_001, 1_001), (2_001, 2_001), (2_002, 2_002)],
        );
        assert_eq!(said, [3_600_000, 3_600_001, 3_600_501, 3_601_001, 3_601_001]);
        assert_eq!(notes.len(), 1, "{notes:?}");
        // Started again with lines from the future: the next are later still, and not all at one time.
        let (said, notes) = read(START + 5_000, &[(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (2_000, 2_000)]);
        assert_eq!(said, [5_000, 5_000, 5_001, 5_001, 5_002, 6_000]);
        assert_eq!(notes.len(), 1, "{notes:?}");
    }

    #[test]
    fn once_the_clock_has_caught_up_it_leads_again() {
        let (said, notes) = read(START + 4_000, &[(0, 0), (4_000, 4_000), (5_000, 5_000), (9_000, 9_000)]);
        assert_eq!(said, [4_000, 6_000, 6_000, 9_000]);
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(notes[0].contains("4000 ms behind") && notes[1].contains("together again"), "{notes:?}");
    }
}
