//! Rulebooks from TOML. The format is described in `docs/rulebooks.md`.
//!
//! Loading is one pass that goes on after a fault, so that an author sees all of them with line and column;
//! a [`Rulebook`] exists only if there was none.

mod baccarat;
mod bets;
mod card_conditions;
mod conditions;
mod family;
mod insurance;
mod niu_niu;
mod procedures;
mod reader;
mod sections;
mod sheet;

pub use sheet::BetSheet;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use toml::de::DeTable;

use crate::rulebook::{Family, Rulebook};
use reader::{Faulty, Table};

/// One thing wrong with a rulebook file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong, and what would be accepted.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

/// Everything wrong with a rulebook file, in the order of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Faults(pub Vec<Fault>);

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, fault) in self.0.iter().enumerate() {
            write!(f, "{}{fault}", if at == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl core::error::Error for Faults {}

/// How many syntax errors are reported: one bracket that is never closed makes hundreds.
const SYNTAX_FAULTS_MAX: usize = 10;

impl Rulebook {
    /// Reads a rulebook from TOML.
    ///
    /// # Errors
    /// All faults of the file.
    pub fn parse(source: &str) -> Result<Self, Faults> {
        document(Faulty::new(source), source, "the rulebook", read)
    }
}

/// Reads a whole file, if it is TOML at all.
fn document<T>(
    mut faulty: Faulty<'_>,
    source: &str,
    what: &'static str,
    read: impl FnOnce(&mut Faulty<'_>, Table<'_>) -> Option<T>,
) -> Result<T, Faults> {
    let (document, errors) = DeTable::parse_recoverable(source);
    // What the parser guesses behind a mistake is no rulebook: first the mistakes, the nearest ones.
    if !errors.is_empty() {
        // The parser tells them in an order of its own.
        let place = |error: &toml::de::Error| error.span().map_or(0, |span| span.start);
        let mut found: Vec<(usize, &str)> =
            errors.iter().map(|error| (place(error), error.message())).collect();
        found.sort_unstable();
        found.dedup_by_key(|(at, _)| *at);
        for (at, message) in found.into_iter().take(SYNTAX_FAULTS_MAX) {
            let unclosed = unclosed(message);
            faulty.at(at..at, format!("not TOML: {message}{}", unclosed.unwrap_or_default()));
            // With a bracket open everything behind it is told as a fault too.
            if unclosed.is_some() {
                break;
            }
        }
        return Err(Faults(faulty.into_faults()));
    }
    let found = read(&mut faulty, Table::new(document.get_ref(), document.span(), what));
    let faults = faulty.into_faults();
    match found {
        Some(found) if faults.is_empty() => Ok(found),
        _ => Err(Faults(faults)),
    }
}

/// What to look for, where a fault of the syntax comes of a bracket that was not closed, or may have.
fn unclosed(message: &str) -> Option<&'static str> {
    if message.contains("unclosed") {
        Some("")
    } else if message.contains("array element") || message.contains("in array") {
        Some("; or is a list before it not closed by `]`?")
    } else if message.contains("key-value pairs") || message.contains("inline table") {
        Some("; or is a table before it not closed by `}`?")
    } else {
        None
    }
}

/// Reads all sections, so that faults of each are found; nothing if one could not be read at all.
fn read(faulty: &mut Faulty<'_>, mut table: Table<'_>) -> Option<Rulebook> {
    let id = table.require(faulty, "id").and_then(|value| value.id(faulty));
    let abbreviation = table.require(faulty, "abbreviation").and_then(|value| value.text(faulty));
    let names = table.require(faulty, "name").and_then(|value| sections::names(faulty, value));
    let operator = table.require(faulty, "operator").and_then(|value| value.text(faulty));
    let version = table.require(faulty, "version").and_then(|value| value.text(faulty));
    let effective = table.take("effective").and_then(|value| value.date(faulty));
    let family =
        table.require(faulty, "family").and_then(|value| value.one_of(faulty, &Family::ALL, Family::key));

    let (index, switches) = sections::index(faulty, &mut table);
    let variants = sections::variants(faulty, &mut table, &index);
    let family = family.unwrap_or_default();
    let keys = family::keys(family);
    let insurance = keys.insurance(faulty, &mut table, &index);
    let layouts = sections::layouts(faulty, &mut table, &index, &variants, insurance.is_some());
    let areas = sections::areas(faulty, &mut table, &index);
    let ranks = sections::ranks(faulty, &mut table);
    let settings = sections::settings(faulty, &mut table, &index);
    sections::check_areas(faulty, &areas, settings.as_deref());
    let cites = sections::rules(faulty, &mut table, &index, family, insurance.is_some());
    let hands = keys.hands(faulty, &mut table, &index);
    let limits = sections::limits(faulty, &mut table, &index, keys);
    let id = id.unwrap_or_default();
    let games = bets::games(faulty, &mut table, &index, keys, id, &variants, |variant_game| {
        variant_game.insurance = insurance.clone();
        variant_game.limits = limits.clone();
        variant_game.hands = hands.clone();
        variant_game.cites = cites.clone();
    });
    let staff = procedures::Staff::new(&ranks, settings.as_deref());
    let play = procedures::play(faulty, &mut table);
    let powers = procedures::powers(faulty, &mut table, &index, &staff);
    let irregularities = procedures::irregularities(faulty, &mut table, &index, family, &staff);
    sections::check_switches(faulty, &switches, settings.as_deref());
    table.finish(faulty);

    Some(Rulebook {
        id: id.into(),
        abbreviation: abbreviation?.into(),
        names: names?,
        operator: operator?.into(),
        version: version?.into(),
        effective,
        family,
        index,
        ranks,
        layouts,
        areas,
        play,
        irregularities,
        powers,
        settings: settings.unwrap_or_default().into_iter().map(|(spec, _)| spec).collect(),
        games,
    })
}
