//! Refusals in words: with names, and amounts as people write them.

use croupier_rules::entry::EntryRefusal;
use croupier_rules::settle::{SettleError, TermsFault};
use croupier_rules::{Amount, Ratio, Rulebook};
use croupier_table::{PlayerId, Rank, Why};

use crate::amount::{MINOR, show};

/// A refusal of the table as a person would say it.
pub(crate) fn refusal(why: &Why, rulebook: &Rulebook, names: &[String]) -> String {
    let name = |player: PlayerId| {
        let at = usize::try_from(player.0).ok();
        at.and_then(|at| names.get(at)).map_or("nobody", String::as_str)
    };
    match why {
        Why::Entry(refusal) => entry(refusal),
        Why::NotAuthorised { needs: Some(rank) } => {
            format!("this is for the {} or above", title(rulebook, *rank))
        }
        Why::NoSuchPlayer { player } => format!("`{}` is not at the table", name(*player)),
        Why::NotEnoughChips { available } => format!("there are chips for {} only", show(*available)),
        Why::OwesCommission { owes } => {
            format!("{} of commission is owed; buy chips for it first", show(*owes))
        }
        Why::FloatShort { float, needs } => {
            let needs = i64::try_from(*needs).ok().and_then(Amount::new).map_or("more".to_string(), show);
            format!("the float of {} does not cover a loss of {needs}; bring a fill", show(*float))
        }
        Why::Differential { side, over } => format!(
            "the {} side is {} over the differential; reduce it or add to the other",
            side.key(),
            show(*over)
        ),
        Why::BoxTaken { number, owner } => {
            format!("box{number} belongs to `{}`: one bettor a box", name(*owner))
        }
        Why::WrongReserve { due } => format!("the Reserve must be exactly {}", show(*due)),
        Why::NotOpen => {
            "betting is not open; `round` opens it, or the opening call in a round by hand".to_string()
        }
        Why::TooLarge => format!("this would be larger than the largest amount, {}", show(Amount::MAX)),
        Why::InsuranceBelowMinimum { minimum } => format!("insurance is at least {}", show(*minimum)),
        Why::Inexact { error } => settlement(error),
        other => other.to_string(),
    }
}

fn title(rulebook: &Rulebook, rank: Rank) -> &str {
    rulebook.ranks.get(usize::from(rank.0)).map_or("?", |rank| rank.names.en.as_str())
}

/// A refusal of entry with its amounts as people write them.
fn entry(refusal: &EntryRefusal) -> String {
    match refusal {
        EntryRefusal::NotWholeChips { chip } => {
            format!("a wager must be a whole number of chips of {}", show(*chip))
        }
        EntryRefusal::NotInSteps { bet, step } => format!("`{bet}` goes in steps of {}", show(*step)),
        EntryRefusal::BelowMinimum { bet, minimum } => {
            format!("`{bet}` is below its minimum, {}", show(*minimum))
        }
        EntryRefusal::AboveMaximum { bet, maximum } => {
            format!("`{bet}` is above its maximum, {}", show(*maximum))
        }
        EntryRefusal::NotOnMenu { .. }
        | EntryRefusal::Needs { .. }
        | EntryRefusal::NeedsMain { .. }
        | EntryRefusal::Excluded { .. }
        | EntryRefusal::AboveOther { .. } => refusal.to_string(),
    }
}

/// A settlement that fails, in units.
fn settlement(error: &SettleError) -> String {
    let units = |value: &Ratio| *value * Ratio::new(1, MINOR.into());
    match error {
        SettleError::Inexact { value } => {
            format!("{} cannot be paid exactly; set `payable-unit` and `rounding`", units(value))
        }
        SettleError::TooLarge { value } => {
            format!("winnings of {} exceed the largest amount, {}", units(value), show(Amount::MAX))
        }
        SettleError::ForeignOutcome => error.to_string(),
    }
}

/// Terms that do not fit together, with their amounts as people write them.
pub(crate) fn terms(fault: &TermsFault) -> String {
    match fault {
        TermsFault::Chip { chip } => format!(
            "the smallest chip must be a whole multiple of 0.20, so that commission and half pay are exact; it is {}",
            show(*chip)
        ),
        TermsFault::NotInChips { amount, chip } => {
            format!("{} is no whole number of the smallest chip, {}", show(*amount), show(*chip))
        }
        TermsFault::PayableUnit { unit } => {
            format!("the payable unit must be above zero; it is {}", show(*unit))
        }
        TermsFault::Crossed { minimum, maximum } => {
            format!("the minimum {} is above the maximum {}", show(*minimum), show(*maximum))
        }
    }
}
