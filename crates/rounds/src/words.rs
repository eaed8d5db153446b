//! What happened, in words for people. Refusals have their words in `tell`.

mod case;
mod table;

use croupier_rules::Amount;
use croupier_rules::baccarat::{Outcome, Side, Winner};
use croupier_rules::settle::{End, Settled, SettledReserve};
use croupier_table::{Fact as TableFact, PlayerId};

use crate::amount::Decimals;
use crate::event::Fact;
use crate::file::Action;

impl Fact {
    /// What became of a wager or an insurance, if that is what happened.
    #[must_use]
    pub fn settled(&self) -> Option<&Settled> {
        match self {
            Self::Table(
                TableFact::WagerEnded { settled, .. } | TableFact::InsuranceEnded { settled, .. },
            ) => Some(settled),
            _ => None,
        }
    }

    /// In words, on the line that does `action`, with the names of the players by their number, and whether commission
    /// is owed until the shoe ends. Nothing for
    /// what only matters to programs, and nothing for what the table does beside the line by itself: the shoe
    /// that is made ready when the first round begins, the chips that are there as needed.
    pub(crate) fn tell(
        &self,
        action: Option<&Action>,
        names: &[String],
        decimals: Decimals,
        owes: bool,
    ) -> Option<String> {
        let verb = match action {
            // Who goes on duty with the first line of a file is not told where somebody goes off duty.
            Some(Action::Deed { words, .. }) if is_sign_off(words) => "",
            Some(Action::Deed { words, .. }) => words.first().map_or("", String::as_str),
            Some(Action::NewShoe) => "loads",
            Some(_) | None => "",
        };
        match self {
            Self::Opened | Self::Set => None,
            Self::Refused(refused) => Some(format!("refused: {refused}")),
            Self::Case(change) => Some(case::tell(change, names, decimals)),
            Self::Table(fact) => {
                let name = |player: PlayerId| names.get(usize::try_from(player.0).ok()?).map(String::as_str);
                table::Teller { verb, names: &name, decimals, owes }.tell(fact)
            }
        }
    }
}

/// What happened at a table, in words by themselves, for a story without lines of a file; nothing for what only matters
/// to programs.
#[must_use]
pub fn happened<'a>(
    fact: &TableFact,
    names: &'a dyn Fn(PlayerId) -> Option<&'a str>,
    decimals: Decimals,
    owes: bool,
) -> Option<String> {
    table::Teller { verb: table::Teller::ALL, names, decimals, owes }.tell(fact)
}

/// `signs off`, or `signs RANK off`
fn is_sign_off(words: &[String]) -> bool {
    words.first().is_some_and(|first| first == "signs") && words.last().is_some_and(|last| last == "off")
}

/// `the Player's`, `the Banker's`
const fn whose(side: Side) -> &'static str {
    match side {
        Side::Player => "the Player's",
        Side::Banker => "the Banker's",
    }
}

pub(crate) fn result(outcome: Outcome) -> String {
    let (player, banker) = (outcome.points(Side::Player), outcome.points(Side::Banker));
    match outcome.winner() {
        Winner::Player => format!("Player wins {player}-{banker}"),
        Winner::Banker => format!("Banker wins {banker}-{player}"),
        Winner::Tie => format!("tie {player}-{banker}"),
    }
}

fn ended(settled: &Settled, reserve: Option<&SettledReserve>, owes: bool, decimals: Decimals) -> String {
    let net = decimals.show_signed(settled.net());
    let end = match settled.end {
        End::Win if settled.in_action < settled.returned => {
            format!("wins {net} on {}", decimals.show(settled.in_action))
        }
        End::Win => format!("wins {net}"),
        End::Lose if settled.returned.is_positive() => {
            format!("loses {net}, {} back", decimals.show(settled.returned))
        }
        End::Lose => format!("loses {net}"),
        End::StandOff => "stands off".to_string(),
        End::Returned => "is returned".to_string(),
    };
    let end = if settled.rounding == Amount::ZERO {
        end
    } else {
        format!("{end}, rounded by {}", decimals.show_signed(settled.rounding))
    };
    let end = if owes && settled.commission.is_positive() {
        let paid = decimals.show(settled.winnings + settled.commission);
        format!("{end}: {paid} is paid now, {} of commission is owed", decimals.show(settled.commission))
    } else {
        end
    };
    match reserve {
        Some(reserve) => {
            format!(
                "{end}; Reserve {}: {} back",
                decimals.show_signed(-reserve.lost),
                decimals.show(reserve.returned)
            )
        }
        None => end,
    }
}
