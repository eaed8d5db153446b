//! The staff of a file, by their ranks.

use croupier_rules::names::nearest;
use croupier_rules::{Library, Rulebook};
use croupier_table::{PersonId, Rank, Staff};

/// The member of the staff who stands for a rank in a file.
pub(crate) fn member(rank: u8, acting: Option<Rank>) -> Staff {
    let person = u32::from(rank) + if acting.is_some() { 101 } else { 1 };
    Staff { person: PersonId(person), rank: Rank(rank), acting }
}

/// `pit-manager`, or `acting-pit-manager`: somebody of the rank below who acts as one. `dealer-2` is a second
/// person of the rank.
pub(crate) fn ranked(rulebook: &Rulebook, who: &str) -> Option<Staff> {
    if let Some((rank, number)) = who.rsplit_once('-')
        && let Ok(number @ 2..=999) = number.parse::<u32>()
    {
        let first = ranked(rulebook, rank)?;
        return Some(Staff { person: PersonId(first.person.0 + 1000 * (number - 1)), ..first });
    }
    if let Some(rank) = rulebook.rank(who) {
        return Some(member(rank, None));
    }
    let rank = rulebook.rank(who.strip_prefix("acting-")?)?;
    Some(member(rank.saturating_sub(1), Some(Rank(rank))))
}

/// Ranks that only other rulebooks have, with their titles.
pub(crate) fn of_others(library: &Library, rulebook: &Rulebook) -> Vec<(String, String)> {
    let others = library.rulebooks().iter().flat_map(|other| &other.ranks);
    let others = others.filter(|rank| rulebook.rank(&rank.id).is_none());
    others.map(|rank| (rank.id.clone(), rank.names.en.clone())).collect()
}

/// What to say of a name that is a rank of another rulebook, or nearly that of a rank or of a thing that acts.
pub(crate) fn misnamed_rank(rulebook: &Rulebook, others: &[(String, String)], who: &str) -> Option<String> {
    let things = ["device", "display", "surveillance", "table"];
    if things.contains(&who) || ranked(rulebook, who).is_some() {
        return None;
    }
    // `acting-pit-manger` and `pit-manger-2` are ranks too.
    let (before, rank) = who.strip_prefix("acting-").map_or(("", who), |rank| ("acting-", rank));
    let number = rank.rsplit_once('-').filter(|(_, number)| number.parse::<u32>().is_ok());
    let (rank, after) = number.map_or((rank, String::new()), |(rank, number)| (rank, format!("-{number}")));
    elsewhere(rulebook, others, rank).or_else(|| {
        let ranks = rulebook.ranks.iter().map(|rank| rank.id.as_str()).chain(things);
        // `director` is the end of a rank's name.
        let whole = || rulebook.ranks.iter().map(|own| own.id.as_str()).find(|own| is_end(own, rank));
        let meant = nearest(rank, ranks).or_else(whole)?;
        Some(format!("nobody called `{who}` is at the table; did you mean `{before}{meant}{after}`?"))
    })
}

/// Whether a word is the last of those that a rank's name is made of.
fn is_end(rank: &str, word: &str) -> bool {
    rank.rsplit_once('-').is_some_and(|(_, last)| last == word)
}

/// That this rulebook has no such rank, if another has it, and which of its own may be meant.
pub(super) fn elsewhere(rulebook: &Rulebook, others: &[(String, String)], rank: &str) -> Option<String> {
    let (_, title) = others.iter().find(|(id, _)| id == rank)?;
    let own = || rulebook.ranks.iter().map(|rank| rank.id.as_str());
    let hint = match own().find(|own| own.ends_with(rank)) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("its ranks are {}", own().collect::<Vec<_>>().join(", ")),
    };
    Some(format!("{} has no {title}; {hint}", rulebook.abbreviation))
}
