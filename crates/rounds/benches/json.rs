//! The events of all scenarios as JSON: how many bytes one takes, and how many are written and read a second.
#![expect(clippy::print_stdout, reason = "a benchmark reports")]
#![expect(clippy::expect_used, reason = "without its events there is nothing to measure")]

use std::hint::black_box;
use std::time::Instant;

use croupier_rounds::scenarios::STANDARD;
use croupier_rounds::{Step, run};
use croupier_rules::Library;
use croupier_table::Event;

const RUNS: usize = 20;

fn main() {
    let events = events();
    let text = |event: &Event| serde_json::to_vec(event).expect("every event can be written");
    let mut texts: Vec<Vec<u8>> = events.iter().map(text).collect();
    let bytes: usize = texts.iter().map(Vec::len).sum();
    let mut buffer = Vec::with_capacity(bytes);
    timed("written", events.len(), || {
        buffer.clear();
        for event in &events {
            serde_json::to_writer(&mut buffer, event).expect("every event can be written");
        }
        black_box(&buffer);
    });
    timed("read", events.len(), || {
        for text in &texts {
            black_box(serde_json::from_slice::<Event>(text).expect("what was written can be read"));
        }
    });
    texts.sort_by_key(Vec::len);
    let length = |at: usize| texts.get(at).map_or(0, Vec::len);
    println!(
        "{} events: {} bytes on average, {} in the middle, {} at most",
        events.len(),
        bytes / events.len().max(1),
        length(texts.len() / 2),
        length(texts.len() - 1)
    );
}

fn events() -> Vec<Event> {
    let library = Library::standard();
    let mut events = Vec::new();
    for scenario in STANDARD {
        let file = scenario.file().expect("the scenarios can be read");
        for step in run(&library, &file).steps {
            if let Step::Table(_, happened) = step {
                events.extend(happened);
            }
        }
    }
    events
}

fn timed(what: &str, events: usize, mut work: impl FnMut()) {
    work();
    let start = Instant::now();
    (0..RUNS).for_each(|_| work());
    let nanoseconds = start.elapsed().as_nanos() / u128::try_from((events * RUNS).max(1)).unwrap_or(1);
    println!("{what}: {nanoseconds} ns an event, {} a second", 1_000_000_000 / nanoseconds.max(1));
}
