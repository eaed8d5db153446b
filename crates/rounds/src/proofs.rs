//! Proofs of clauses and readings that no event of a round can cite: small checks that run with the coverage report.

use croupier_cards::parse_cards;
use croupier_rules::baccarat::points;
use croupier_rules::entry::check_together;
use croupier_rules::{Amount, Library};

/// A check that carries clauses. It counts only when it passes.
#[derive(Clone, Copy)]
pub struct Proof {
    /// What it shows.
    pub name: &'static str,
    /// The rulebook.
    pub rulebook: &'static str,
    /// The clauses.
    pub clauses: &'static [&'static str],
    /// The check itself.
    pub check: fn() -> Result<(), String>,
}

/// All of them.
pub const ALL: &[Proof] = &[
    Proof {
        name: "seven and eight make five",
        rulebook: "horseshoe-dragon-bonus",
        clauses: &["DB-16.1"],
        check: || counts("7C 8D", 5),
    },
    Proof {
        name: "a bonus on one hand may lie beside a wager on the other",
        rulebook: "horseshoe-dragon-bonus",
        clauses: &["DB-Q7"],
        check: || together("horseshoe-dragon-bonus", &["banker", "dragon-bonus-player"]),
    },
    Proof {
        name: "king, five and six make one",
        rulebook: "horseshoe-dragon-bonus",
        clauses: &["DB-16.2"],
        check: || counts("KC 5D 6H", 1),
    },
];

/// Whether bets may lie together.
fn together(game: &str, bets: &[&str]) -> Result<(), String> {
    let library = Library::standard();
    let game = library.game(game).ok_or("no such game")?;
    let place = |bet: &&str| game.bet_index(bet).map(|place| (place, Amount::MAX));
    let placed: Vec<(usize, Amount)> =
        bets.iter().map(place).collect::<Option<_>>().ok_or("a bet is not on the menu")?;
    check_together(game, false, &placed).map_err(|(refusal, _)| refusal.to_string())
}

fn counts(cards: &str, expected: u8) -> Result<(), String> {
    let hand = parse_cards(cards).map_err(|error| error.to_string())?;
    let got = points(hand);
    if got == expected { Ok(()) } else { Err(format!("{cards} count {got}, expected {expected}")) }
}
