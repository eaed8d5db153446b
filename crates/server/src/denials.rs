//! Refusals for want of authority, as they are put on record: twenty of a person in a minute each with a line, and the rest
//! as a number. Whoever hammers at a door leaves a line that says how often, and not a line for each time.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use croupier_journal::deed::Denied;
use croupier_journal::{Author, By};

/// Over how long they are counted, in milliseconds.
const WINDOW: u64 = 60_000;
/// The most of one person that have a line each in that time.
const LINES: u32 = 20;

#[derive(Debug)]
struct Seen {
    since: u64,
    lines: u32,
    /// The last one that was counted and not written, and how many there were.
    last: Option<(Author, Denied)>,
    more: u64,
}

/// What has been refused lately, by whom.
#[derive(Debug, Default)]
pub struct Denials {
    seen: Mutex<HashMap<By, Seen>>,
}

impl Denials {
    /// Whether this one is to be written now; otherwise it is counted.
    pub fn is_written(&self, author: Author, denied: &Denied, now: u64) -> bool {
        tracing::info!(by = ?author.by, what = denied.what, code = denied.code, "refused for want of authority");
        metrics::counter!("croupier_denials_total").increment(1);
        let mut all = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = || Seen { since: now, lines: 0, last: None, more: 0 };
        let seen = all.entry(author.by).or_insert_with(fresh);
        if seen.more == 0 && now >= seen.since.saturating_add(WINDOW) {
            *seen = fresh();
        }
        if seen.lines < LINES {
            seen.lines += 1;
            return true;
        }
        seen.more += 1;
        seen.last = Some((author, denied.clone()));
        false
    }

    /// What was counted and is to be written: of whose minute is over, or of everybody.
    pub fn take(&self, now: u64, all: bool) -> Vec<(Author, Denied)> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let is_over = |seen: &Seen| all || now >= seen.since.saturating_add(WINDOW);
        let over: Vec<By> = seen.iter().filter(|(_, seen)| is_over(seen)).map(|(by, _)| *by).collect();
        let mut counted: Vec<(Author, Denied)> = over
            .iter()
            .filter_map(|by| seen.remove(by))
            .filter_map(|seen| {
                seen.last.map(|(author, denied)| (author, Denied { more: seen.more - 1, ..denied }))
            })
            .collect();
        counted.sort_by_key(|(author, _)| author.by);
        counted
    }
}

#[cfg(test)]
mod tests {
    use croupier_table::PersonId;

    use super::*;

    fn denied(what: &str) -> Denied {
        Denied { what: what.to_string(), stream: None, code: "x".to_string(), cites: Vec::new(), more: 0 }
    }

    #[test]
    fn a_flood_is_a_few_lines_with_a_number() {
        let denials = Denials::default();
        let author = Author::from(By::Person(PersonId(7)));
        let written = (0..1_000).filter(|now| denials.is_written(author, &denied("GET"), *now)).count();
        assert_eq!(written, 20);
        let other = Author::from(By::Person(PersonId(8)));
        assert!(denials.is_written(other, &denied("GET"), 5));
        assert_eq!(denials.take(WINDOW - 1, false), []);
        let told = denials.take(WINDOW, false);
        assert_eq!(told.iter().map(|(_, denied)| denied.more + 1).collect::<Vec<_>>(), [980]);
        assert!(denials.is_written(author, &denied("GET"), WINDOW), "a new minute has a line of its own");
        assert_eq!(denials.take(0, true), []);
    }
}
