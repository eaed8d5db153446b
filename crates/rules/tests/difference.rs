//! Two rulebooks differ where something was changed, and nowhere else.
#![cfg(feature = "toml")]
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

use croupier_rules::Rulebook;
use croupier_rules::difference::{Change, Part, between, items};
use croupier_rules::library::standard_texts;

/// What was changed, short: `~bet commission/banker: pays on Banker wins`.
fn told(changes: &[Change]) -> Vec<String> {
    let of = |part: Part, variant: &Option<String>, id: &str| {
        let variant = variant.as_ref().map(|variant| format!("{variant}/")).unwrap_or_default();
        format!("{part} {variant}{id}").trim_end().to_string()
    };
    changes
        .iter()
        .map(|change| match change {
            Change::Added(item) => format!("+{}", of(item.part, &item.variant, &item.id)),
            Change::Removed(item) => format!("-{}", of(item.part, &item.variant, &item.id)),
            Change::Changed { part, variant, id, aspects } => {
                let names: Vec<&str> = aspects.iter().map(|aspect| aspect.name.as_str()).collect();
                format!("~{}: {}", of(*part, variant, id), names.join(", "))
            }
            Change::Reordered { part, variant, .. } => format!("^{}", of(*part, variant, "")),
        })
        .collect()
}

fn text_of(id: &str) -> &'static str {
    standard_texts().find(|text| text.contains(&format!("id = \"{id}\"\n"))).unwrap()
}

/// What is told after one place of the text was replaced.
fn after(id: &str, edits: &[(&str, &str)]) -> Vec<String> {
    let before = text_of(id);
    let mut text = before.to_string();
    for (old, new) in edits {
        assert!(text.contains(old), "{id} does not have {old:?}");
        text = text.replacen(old, new, 1);
    }
    let changed = Rulebook::parse(&text).unwrap();
    told(&between(&Rulebook::parse(before).unwrap(), &changed))
}

/// A rulebook, what is replaced in it, and what is told.
type Case = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

#[test]
fn a_planted_change_is_told_and_nothing_else() {
    let cases: &[Case] = &[
        ("horseshoe-dragon-bonus", &[], &[]),
        ("horseshoe-dragon-bonus", &[("version = \"undated\"", "version = \"2\"")], &["~rulebook: version"]),
        (
            "horseshoe-dragon-bonus",
            &[("id = \"pit-manager\"\nlevel = 3", "id = \"pit-manager\"\nlevel = 4")],
            &["~rank pit-manager: level"],
        ),
        ("horseshoe-dragon-bonus", &[("default = \"8\"", "default = \"6\"")], &["~setting decks: default"]),
        (
            "horseshoe-dragon-bonus",
            &[("range = \"0-400\"", "range = \"14-400\"")],
            &["~setting cut-card: range"],
        ),
        (
            "horseshoe-dragon-bonus",
            &[("wager-step = { clause = \"DB-Q9\" }\n", "")],
            &["-setting wager-step"],
        ),
        (
            "horseshoe-dragon-bonus",
            &[("four-cards = \"DB-10\"", "four-cards = \"DB-11\"")],
            &["~rule four-cards: rests on"],
        ),
    ];
    for (id, edits, expected) in cases {
        assert_eq!(after(id, edits), *expected, "{edits:?}");
    }
}

#[test]
fn a_line_that_pays_first_is_a_change_of_order() {
    let book = Rulebook::parse(text_of("hoiana-dragon-tiger")).unwrap();
    let mut other = book.clone();
    other.ranks.swap(0, 1);
    other.irregularities.iter_mut().find(|rule| rule.rulings.len() > 1).unwrap().rulings.reverse();
    let told = told(&between(&book, &other));
    assert!(told.contains(&"^rank".to_string()), "{told:?}");
    let rulings = told.iter().filter(|told| told.starts_with("~irregularity") && told.contains("order"));
    assert_eq!(rulings.count(), 1, "{told:?}");
}

#[test]
fn what_only_one_of_them_has_is_told_whole() {
    let [commission, tiger] =
        ["hoiana-baccarat", "hoiana-dragon-tiger"].map(|id| Rulebook::parse(text_of(id)).unwrap());
    let (there, back) = (between(&commission, &tiger), between(&tiger, &commission));
    let whole = |changes: &[Change]| {
        changes.iter().filter(|change| matches!(change, Change::Added(_) | Change::Removed(_))).count()
    };
    assert_eq!(there.len(), back.len());
    assert!(whole(&there) > 100);
    assert_eq!(whole(&there), whole(&back));
    assert!(told(&there).contains(&"+bet commission/big-tiger".to_string()));
    assert!(told(&back).contains(&"-bet commission/big-tiger".to_string()));
}

/// Every line of every rulebook is left out, has its first number raised, or its last word changed; where a
/// rulebook comes of it, a difference is told exactly if there is one.
#[test]
fn no_change_goes_unseen() {
    let every = if std::env::var_os("CROUPIER_LONG").is_some() { 1 } else { 23 };
    let (mut seen, mut same) = (0, 0);
    for text in standard_texts() {
        let before = Rulebook::parse(text).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for at in (0..lines.len()).step_by(every) {
            for edited in [None, raised(lines[at]), reworded(lines[at])] {
                let mut lines: Vec<&str> = lines.clone();
                lines[at] = edited.as_deref().unwrap_or("");
                let Ok(after) = Rulebook::parse(&lines.join("\n")) else { continue };
                let changes = between(&before, &after);
                assert_eq!(changes.is_empty(), before == after, "line {}: {:?}", at + 1, lines[at]);
                if changes.is_empty() { same += 1 } else { seen += 1 }
            }
        }
    }
    assert!(seen > 100, "{seen} changes, {same} without effect");
}

fn raised(line: &str) -> Option<String> {
    let from = line.find(|letter: char| letter.is_ascii_digit())?;
    let digits: String = line[from..].chars().take_while(char::is_ascii_digit).collect();
    let number: u64 = digits.parse().ok()?;
    Some(format!("{}{}{}", &line[..from], number + 1, &line[from + digits.len()..]))
}

fn reworded(line: &str) -> Option<String> {
    let end = line.rfind('"')?;
    Some(format!("{}x{}", &line[..end], &line[end..]))
}

#[test]
fn items_are_told_apart() {
    for text in standard_texts() {
        let book = Rulebook::parse(text).unwrap();
        let items = items(&book);
        for (at, item) in items.iter().enumerate() {
            let is_twin = |other: &croupier_rules::difference::Item| {
                (other.part, &other.variant, &other.id) == (item.part, &item.variant, &item.id)
            };
            assert_eq!(items.iter().position(is_twin), Some(at), "{item:?}");
            for (place, aspect) in item.aspects.iter().enumerate() {
                let first = item.aspects.iter().position(|other| other.name == aspect.name);
                assert_eq!(first, Some(place), "{item:?}");
            }
        }
    }
}
