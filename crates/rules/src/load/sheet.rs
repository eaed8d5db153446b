//! Bet sheets: bets outside any rulebook, written to be priced.
//!
//! `[[bet]]` is read as in a rulebook, except that there are no clauses yet: `clause` and `name` may be left
//! out, and `otherwise = "lose"` is short for `otherwise = { odds = "lose" }`.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::reader::{Faulty, Table, Value, offered};
use super::{Faults, bets, document, family, sections};
use crate::bet::{Bet, Names};
use crate::library::Library;
use crate::rulebook::Family;

/// Bets to be priced.
#[derive(Clone, PartialEq, Debug)]
pub struct BetSheet {
    /// The game they are meant to stand beside, if one is named.
    pub game: Option<String>,
    /// The kind of game.
    pub family: Family,
    /// The bets, in the order of the file.
    pub bets: Vec<Bet>,
}

impl BetSheet {
    /// Reads a sheet from TOML: `game = "…"` or `family = "…"` (baccarat if neither is said), then the bets.
    ///
    /// # Errors
    /// All faults of the file, with line and column.
    pub fn parse(source: &str, library: &Library) -> Result<Self, Faults> {
        document(Faulty::new_sheet(source), source, "a bet sheet", |faulty, table| {
            Some(read(faulty, table, library))
        })
    }
}

fn read(faulty: &mut Faulty<'_>, mut table: Table<'_>, library: &Library) -> BetSheet {
    let stated = table.take("family").and_then(|value| {
        let family = value.one_of(faulty, &Family::ALL, Family::key)?;
        Some((family, value.span()))
    });
    let game = table.take("game").and_then(|value| {
        let id = value.text(faulty)?;
        let found = library.find(id).map(|(rulebook, _)| (id.to_string(), rulebook.family));
        if found.is_none() {
            let offered = offered(id, library.games().map(|game| &game.id));
            faulty.at(value.span(), format!("there is no game `{id}`; {offered}"));
        }
        found
    });
    if let (Some((stated, span)), Some((id, family))) = (&stated, &game)
        && stated != family
    {
        faulty.at(span.clone(), format!("`{id}` is a {family} game; remove `family`"));
    }
    let of_game = game.as_ref().map(|(_, family)| *family);
    let family = of_game.or(stated.map(|(family, _)| family)).unwrap_or_default();
    let bets = bets::of_sheet(faulty, &mut table, family::keys(family));
    table.finish(faulty);
    BetSheet { game: game.map(|(id, _)| id), family, bets }
}

/// The name of a bet in a sheet: a text, a name as in a rulebook, or just the bet's id.
pub(super) fn names(faulty: &mut Faulty<'_>, value: Option<Value<'_>>, id: Option<&str>) -> Option<Names> {
    let name = match value {
        Some(value) if value.as_str().is_none() => return sections::names(faulty, value),
        Some(value) => value.text(faulty)?,
        None => id?,
    };
    Some(Names { en: name.into(), vi: name.into(), zh: name.into() })
}
