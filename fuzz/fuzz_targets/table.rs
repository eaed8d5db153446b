//! People at a table do what the bytes say; whatever that is, the cards and the money are all there.
#![no_main]

#[path = "../../crates/table/tests/invariants/mod.rs"]
#[expect(dead_code, reason = "the counts are for the tests")]
mod room;

use libfuzzer_sys::fuzz_target;
use room::opening::GAMES;
use room::random::Random;
use room::run::{COMMANDS, play};

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let game = GAMES[usize::from(*first) % GAMES.len()];
    play(game, Random::bytes(rest), COMMANDS);
});
