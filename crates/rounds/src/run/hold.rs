//! Why play is on hold, told by the line and the card that brought it about, and what has to come first.

use croupier_cards::Card;
use croupier_rules::irregularity::Ruling;
use croupier_rules::{Irregularity, Needs};
use croupier_table::{Fact, Table, allowed_rulings};

use super::runner::Runner;

/// What brought a hold about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cause {
    /// The line, from 1.
    pub(super) line: usize,
    /// What went wrong there.
    irregularity: Irregularity,
    /// The card that cannot be there, or that no hand may take, if it was read.
    card: Option<(Card, TooMany)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TooMany {
    /// There are only so many of it.
    InTheShoe,
    /// No hand may take it.
    ForTheHands,
}

impl Cause {
    /// The cause after these facts, if they put play on hold.
    pub(super) fn of<'f>(facts: impl Iterator<Item = &'f Fact>, line: usize) -> Option<Self> {
        let (mut card, mut found) = (None, None);
        for fact in facts {
            match fact {
                Fact::ForeignDrawn { card: drawn } => card = drawn.map(|drawn| (drawn, TooMany::InTheShoe)),
                Fact::SurplusDrawn { card: drawn, .. } => {
                    card = drawn.map(|drawn| (drawn, TooMany::ForTheHands));
                }
                Fact::Irregular { irregularity, told, .. } => {
                    found = Some(*irregularity);
                    if let (Irregularity::ForeignCard, Ok(told)) = (irregularity, told.parse()) {
                        card = Some((told, TooMany::InTheShoe));
                    }
                }
                _ => {}
            }
        }
        found.map(|irregularity| Self { line, irregularity, card })
    }
}

impl Runner<'_> {
    /// `9C on line 7 is the ninth of eight`, if such a card is the cause.
    pub(super) fn foreign(&self, cause: &Cause) -> Option<String> {
        match cause.card {
            Some((card, TooMany::InTheShoe)) => {
                let decks = usize::from(self.table.as_ref()?.setup.decks);
                Some(one_more(card, cause.line, decks))
            }
            Some(_) | None => None,
        }
    }

    /// Why play is on hold and what has to come first, if it is.
    pub(super) fn hold_words(&self) -> Option<String> {
        let table = self.table.as_ref()?;
        let hold = table.hold.as_ref()?;
        // What was on hold before may be so again.
        let what = match &self.cause {
            Some(cause) if cause.irregularity == hold.irregularity => told(table, cause),
            Some(_) | None => format!("{} holds play", hold.irregularity),
        };
        let first = if hold.sorting {
            "the cards are counted first: `dealer holds CARD CARD`, then `dealer sorts all but CARDS`"
                .to_string()
        } else if hold.ruling.is_some() {
            let name = |player: &croupier_table::PlayerId| {
                self.names.get(usize::try_from(player.0).unwrap_or(usize::MAX)).cloned().unwrap_or_default()
            };
            let open = hold.answers.iter().filter(|(_, answer)| answer.is_none());
            let waits: Vec<String> = open.map(|(player, _)| name(player)).collect();
            format!(
                "no answer yet from {}: `NAME withdraws`, `NAME stays` or `dealer closes the option`",
                waits.join(", ")
            )
        } else if table.round.surplus.iter().any(|surplus| surplus.on.is_none()) {
            "say where it lies: `dealer reports surplus on player` or `… on banker`, with `exposed` if it was seen"
                .to_string()
        } else {
            let allowed: Vec<String> =
                allowed_rulings(table).into_iter().map(|ruling| self.ruling_words(ruling)).collect();
            format!("it awaits a ruling: {}", allowed.join(", "))
        };
        Some(format!("{what}; {first}"))
    }

    /// `pit-manager rules void`
    fn ruling_words(&self, ruling: &Ruling) -> String {
        let table = self.table.as_ref();
        let rank = match ruling.needs {
            Some(Needs::Rank(rank)) => Some(rank),
            Some(Needs::Residual) => table.and_then(|table| table.setup.residual).map(|rank| rank.0),
            None => None,
        };
        // What needs no rank is for any of the staff to say.
        let rank = self.rulebook.ranks.get(usize::from(rank.unwrap_or(0)));
        let choice = if ruling.withdrawal.is_some() { " with withdrawal" } else { "" };
        format!("`{} rules {}{choice}`", rank.map_or("dealer", |rank| rank.id.as_str()), ruling.remedy)
    }
}

/// `9C on line 7 is the ninth of eight`
fn told(table: &Table, cause: &Cause) -> String {
    let line = cause.line;
    match cause.card {
        Some((card, TooMany::InTheShoe)) => one_more(card, line, usize::from(table.setup.decks)),
        Some((card, TooMany::ForTheHands)) => {
            format!("{card} on line {line} is one card too many: no hand may take it")
        }
        None => format!("{} on line {line} holds play", cause.irregularity),
    }
}

fn one_more(card: Card, line: usize, decks: usize) -> String {
    format!("{card} on line {line} is the {} of {}", nth(decks + 1), number(decks))
}

const NUMBERS: [(&str, &str); 12] = [
    ("one", "first"),
    ("two", "second"),
    ("three", "third"),
    ("four", "fourth"),
    ("five", "fifth"),
    ("six", "sixth"),
    ("seven", "seventh"),
    ("eight", "eighth"),
    ("nine", "ninth"),
    ("ten", "tenth"),
    ("eleven", "eleventh"),
    ("twelve", "twelfth"),
];

fn number(count: usize) -> String {
    NUMBERS.get(count.wrapping_sub(1)).map_or_else(|| count.to_string(), |(number, _)| (*number).to_string())
}

fn nth(count: usize) -> String {
    NUMBERS.get(count.wrapping_sub(1)).map_or_else(|| format!("{count}th"), |(_, nth)| (*nth).to_string())
}
