//! Names that people type: which known one was probably meant.
//!
//! Whoever reads names uses this, so that a slip of the hand is answered in the same way everywhere.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Longer texts are no slip of the hand, and comparing them would take its time.
const LONGEST: usize = 64;

/// The known name that differs by the fewest slips from what was typed, if they are few enough to be slips: one in
/// a name of up to five letters, else two. Another digit is another name: `niu-8` is not a slip for `niu-9`. Of two
/// equally near ones the first.
#[must_use]
pub fn nearest<'n>(typed: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let letters = folded(typed)?;
    let slips_max = if letters.len() <= 5 { 1 } else { 2 };
    let near = known.into_iter().filter(|name| digits(typed).eq(digits(name))).filter_map(|name| {
        let name_letters = folded(name).filter(|other| other.len().abs_diff(letters.len()) <= slips_max)?;
        let slips = slips(&letters, &name_letters);
        (slips <= slips_max && slips < name_letters.len()).then_some((slips, name))
    });
    near.min_by_key(|(slips, _)| *slips).map(|(_, name)| name)
}

/// The end of a message about an unknown name: the known one that was meant, or all there are.
///
/// ```
/// use croupier_rules::names::hint;
/// assert_eq!(hint("viod", ["void", "rebuild"]), "did you mean `void`?");
/// assert_eq!(hint("mercy", ["void", "rebuild"]), "accepted: void, rebuild");
/// ```
#[must_use]
pub fn hint<'n>(typed: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match nearest(typed, known.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("accepted: {}", known.join(", ")),
    }
}

fn digits(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(char::is_ascii_digit)
}

/// The letters regardless of case; nothing for what is too long.
fn folded(name: &str) -> Option<Vec<char>> {
    (name.len() <= LONGEST).then(|| name.chars().flat_map(char::to_lowercase).collect())
}

/// How many slips lead from one to the other: a letter left out, put in, mistaken, or two neighbours swapped.
fn slips(one: &[char], other: &[char]) -> usize {
    let width = other.len() + 1;
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..width).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut next = Vec::with_capacity(width);
        next.push(row + 1);
        for (column, against) in other.iter().enumerate() {
            let mistaken = last[column] + usize::from(letter != against);
            let mut fewest = mistaken.min(last[column + 1] + 1).min(next[column] + 1);
            if row > 0 && column > 0 && one[row - 1] == *against && *letter == other[column - 1] {
                fewest = fewest.min(before[column - 1] + 1);
            }
            next.push(fewest);
        }
        before = core::mem::replace(&mut last, next);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANKS: [&str; 4] = ["dealer", "inspector", "pit-manager", "shift-manager"];

    #[test]
    fn each_kind_of_slip() {
        for (typed, meant) in [
            ("pit-manger", Some("pit-manager")),
            ("pit-managger", Some("pit-manager")),
            ("pit-manafer", Some("pit-manager")),
            ("pit-mangaer", Some("pit-manager")),
            ("pit_manager", Some("pit-manager")),
            ("Pit-Manager", Some("pit-manager")),
            ("pitmanger", Some("pit-manager")),
            ("pitmangr", None),
            ("deale", Some("dealer")),
            ("deal", None),
            ("", None),
            ("ann", None),
        ] {
            assert_eq!(nearest(typed, RANKS), meant, "{typed}");
        }
    }

    /// One slip in five letters, two in six: at five letters a second slip is another name.
    #[test]
    fn how_many_slips_a_name_may_have() {
        assert_eq!(nearest("voids", ["void"]), Some("void"));
        assert_eq!(nearest("viods", ["void"]), None);
        assert_eq!(nearest("rebuil", ["rebuild"]), Some("rebuild"));
        assert_eq!(nearest("rebiul", ["rebuild"]), Some("rebuild"));
        assert_eq!(nearest("erbiul", ["rebuild"]), None);
        assert_eq!(nearest("x", ["y"]), None, "a name is not all slips");
    }

    #[test]
    fn the_nearest_and_of_equals_the_first() {
        assert_eq!(nearest("niu8", ["niu-7", "niu-9", "niu-8"]), Some("niu-8"));
        assert_eq!(nearest("niu-6", ["niu-7", "niu-9", "niu-16"]), None);
        assert_eq!(nearest("5.1,2", ["5.1.1", "5.1.2"]), Some("5.1.2"));
        assert_eq!(nearest("playerr", ["players", "player"]), Some("players"));
        assert_eq!(nearest(&"x".repeat(65), [&*"x".repeat(65)]), None);
    }
}
