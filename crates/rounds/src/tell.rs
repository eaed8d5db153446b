//! Refusals in words: with names, and amounts as people write them.

mod report;

use croupier_rules::entry::EntryRefusal;
use croupier_rules::settle::{SettleError, Terms, TermsFault};
use croupier_rules::{Amount, Ratio, Rulebook};
use croupier_table::{PlayerId, Rank, Why};

use crate::amount::Decimals;

/// A refusal of the table as a person would say it.
pub(crate) fn refusal(why: &Why, rulebook: &Rulebook, names: &[String], decimals: Decimals) -> String {
    let name = |player: PlayerId| {
        let at = usize::try_from(player.0).ok();
        at.and_then(|at| names.get(at)).map_or("nobody", String::as_str)
    };
    match why {
        Why::Entry(refusal) => entry(refusal, decimals),
        Why::NotAuthorised { needs: Some(rank) } => {
            format!("this is for the {} or above", title(rulebook, *rank))
        }
        Why::SecondNeeded { needs } => format!(
            "a second person, {} or above, other than who found it or acts, must confirm this",
            title(rulebook, *needs)
        ),
        Why::NoSuchPlayer { player } => format!("`{}` is not at the table", name(*player)),
        Why::CannotBe { irregularity } => report::cannot_be(*irregularity, rulebook),
        Why::MoreThanLaid { laid } => {
            format!("{} was laid; no more than that can be taken back", decimals.show(*laid))
        }
        Why::NotEnoughChips { available } => {
            format!("there are chips for {} only", decimals.show(*available))
        }
        Why::OwesCommission { owes } => {
            format!("{} of commission is owed; buy chips for it first", decimals.show(*owes))
        }
        Why::FloatShort { float, needs } => {
            let needs = i64::try_from(*needs)
                .ok()
                .and_then(Amount::new)
                .map_or("more".to_string(), |needs| decimals.show(needs));
            format!("the float of {} does not cover a loss of {needs}; bring a fill", decimals.show(*float))
        }
        Why::Differential { side, over } => format!(
            "the {} side is {} over the differential; reduce it or add to the other",
            side.key(),
            decimals.show(*over)
        ),
        Why::BoxTaken { number, owner } => {
            format!("box{number} belongs to `{}`: one bettor a box", name(*owner))
        }
        Why::WrongReserve { due } => format!("the Reserve must be exactly {}", decimals.show(*due)),
        Why::NotOpen => {
            "betting is not open; `round` opens it, or the opening call in a round by hand".to_string()
        }
        Why::TooLarge => {
            format!("this would be larger than the largest amount, {}", decimals.show(Amount::MAX))
        }
        Why::InsuranceBelowMinimum { minimum } => {
            format!("insurance is at least {}", decimals.show(*minimum))
        }
        Why::Inexact { error } => settlement(error, decimals),
        other => other.to_string(),
    }
}

fn title(rulebook: &Rulebook, rank: Rank) -> &str {
    rulebook.ranks.get(usize::from(rank.0)).map_or("?", |rank| rank.names.en.as_str())
}

/// A refusal of entry with its amounts as people write them.
fn entry(refusal: &EntryRefusal, decimals: Decimals) -> String {
    match refusal {
        EntryRefusal::NotWholeChips { chip } => {
            format!("a wager must be a whole number of chips of {}", decimals.show(*chip))
        }
        EntryRefusal::NotInSteps { bet, step } => {
            format!("`{bet}` goes in steps of {}", decimals.show(*step))
        }
        EntryRefusal::BelowMinimum { bet, minimum } => {
            format!("`{bet}` is below its minimum, {}", decimals.show(*minimum))
        }
        EntryRefusal::AboveMaximum { bet, maximum } => {
            format!("`{bet}` is above its maximum, {}", decimals.show(*maximum))
        }
        EntryRefusal::NotOnMenu { .. }
        | EntryRefusal::Needs { .. }
        | EntryRefusal::NeedsMain { .. }
        | EntryRefusal::Excluded { .. }
        | EntryRefusal::AboveOther { .. } => refusal.to_string(),
    }
}

/// A settlement that fails, in units.
fn settlement(error: &SettleError, decimals: Decimals) -> String {
    let units = |value: &Ratio| *value * Ratio::new(1, decimals.minor().into());
    match error {
        SettleError::Inexact { value } => {
            format!("{} cannot be paid exactly; set `payable-unit` and `rounding`", units(value))
        }
        SettleError::TooLarge { value } => {
            format!("winnings of {} exceed the largest amount, {}", units(value), decimals.show(Amount::MAX))
        }
        SettleError::ForeignOutcome | SettleError::CardsUnknown => error.to_string(),
    }
}

/// Terms that do not fit together, with their amounts as people write them.
pub(crate) fn terms(fault: &TermsFault, decimals: Decimals) -> String {
    match fault {
        TermsFault::Chip { chip } => format!(
            "the smallest chip must be a whole multiple of {}, so that commission and half pay are exact; it is {}",
            decimals.show(Amount::new(Terms::CHIP_PARTS).unwrap_or(Amount::MAX)),
            decimals.show(*chip)
        ),
        TermsFault::NotInChips { amount, chip } => {
            format!(
                "{} is no whole number of the smallest chip, {}",
                decimals.show(*amount),
                decimals.show(*chip)
            )
        }
        TermsFault::PayableUnit { unit } => {
            format!("the payable unit must be above zero; it is {}", decimals.show(*unit))
        }
        TermsFault::Crossed { minimum, maximum } => {
            format!(
                "the minimum {} is above the maximum {}",
                decimals.show(*minimum),
                decimals.show(*maximum)
            )
        }
    }
}
