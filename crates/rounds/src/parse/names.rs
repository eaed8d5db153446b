//! Names that only a game knows, in the lines of a file of which others cannot be read: bets and ranks. What would go
//! wrong later is left to the run, which a file with such lines does not come to.

use croupier_rules::Library;
use croupier_rules::entry::find_bet;
use croupier_table::Why;

use super::ParseFault;
use crate::amount::Decimals;
use crate::file::{Action, Statement};
use crate::run::{misnamed_rank, of_others};
use crate::tell;

/// What the lines that were read misname under the game of the file.
pub(super) fn misnamed(text: &str, lines: &[Option<Statement>], library: &Library) -> Vec<ParseFault> {
    let actions = || lines.iter().flatten().filter_map(|statement| statement.action.as_ref());
    let game = actions().find_map(|action| match action {
        Action::Game(id) => library.find(id),
        _ => None,
    });
    let Some((rulebook, game)) = game else { return Vec::new() };
    let players: Vec<&str> = actions().filter_map(player).collect();
    let others = of_others(library, rulebook);
    let mut faults = Vec::new();
    for (at, (line, statement)) in text.lines().zip(lines).enumerate() {
        let Some(statement) = statement.as_ref().filter(|statement| !statement.expects_refusal()) else {
            continue;
        };
        let misnamed = match &statement.action {
            Some(Action::Bet(bet)) => find_bet(game, &bet.bet).err().map(|(refusal, _)| {
                (&bet.bet, tell::refusal(&Why::Entry(refusal), rulebook, &[], Decimals::USUAL))
            }),
            Some(Action::Deed { who, .. }) if !players.contains(&who.as_str()) => {
                misnamed_rank(rulebook, &others, who).map(|message| (who, message))
            }
            Some(_) | None => None,
        };
        if let Some((word, message)) = misnamed {
            let before = line.find(word.as_str()).and_then(|offset| line.get(..offset));
            let column = before.map_or(0, |before| before.chars().count()) + 1;
            faults.push(ParseFault { line: at + 1, column, message });
        }
    }
    faults
}

/// The player that a line brings to the table.
fn player(action: &Action) -> Option<&str> {
    match action {
        Action::Player { name, .. } | Action::Insure { player: name, .. } => Some(name),
        Action::Bet(bet) => Some(&bet.player),
        _ => None,
    }
}
