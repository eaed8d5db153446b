//! Every fault of a rulebook file is found, with its place and what would be accepted.
//!
//! `data/faulty/faults.txt` edits two small complete rulebooks and names all the faults that each edit makes.
#![expect(clippy::unwrap_used, clippy::panic, reason = "data that cannot be read is a failed test")]

mod common;

use common::cases;
use croupier_rules::authority::Power;
use croupier_rules::irregularity::{Irregularity, Remedy};
use croupier_rules::rule::Rule;
use croupier_rules::setting::Setting;
use croupier_rules::{Family, Rulebook};
use proptest::prelude::*;

const BACCARAT: &str = include_str!("data/faulty/baccarat.toml");
const NIU_NIU: &str = include_str!("data/faulty/niu-niu.toml");
const FAULTS: &str = include_str!("data/faulty/faults.txt");
const GUIDE: &str = include_str!("../../../docs/rulebooks.md");
const SHIPPED: [&str; 5] = [
    include_str!("../../../rulebooks/hoiana-baccarat.toml"),
    include_str!("../../../rulebooks/hoiana-dragon-tiger.toml"),
    include_str!("../../../rulebooks/hoiana-niu-niu.toml"),
    include_str!("../../../rulebooks/horseshoe-dragon-bonus.toml"),
    include_str!("../../../rulebooks/mbs-dragon-tiger.toml"),
];

/// Loads `toml` and compares all its faults with `faults`, where `{settings}`, `{powers}`, `{remedies}`,
/// `{baccarat rules}`, `{baccarat irregularities}`, `{baccarat remedies}` and the same for `niu-niu` stand for
/// the lists of all such keys.
#[track_caller]
fn check(toml: &str, faults: &[&str]) {
    let found = Rulebook::parse(toml).map_or_else(|faults| faults.to_string(), |_| String::new());
    let rules = |family| {
        let of_family = Rule::ALL.iter().filter(|rule| rule.belongs_to(family));
        list(of_family.map(|rule| rule.key()))
    };
    let irregularities = |family| {
        let of_family = Irregularity::ALL.iter().filter(|irregularity| irregularity.belongs_to(family));
        list(of_family.map(|irregularity| irregularity.key()))
    };
    let remedies = |family| {
        let of_family = Remedy::ALL.iter().filter(|remedy| remedy.belongs_to(family));
        list(of_family.map(|remedy| remedy.key()))
    };
    let expected = faults
        .join("\n")
        .replace("{settings}", &list(Setting::ALL.iter().map(|setting| setting.key())))
        .replace("{powers}", &list(Power::ALL.iter().map(|power| power.key())))
        .replace("{baccarat remedies}", &remedies(Family::Baccarat))
        .replace("{niu-niu remedies}", &remedies(Family::NiuNiu))
        .replace("{remedies}", &list(Remedy::ALL.iter().map(|remedy| remedy.key())))
        .replace("{baccarat irregularities}", &irregularities(Family::Baccarat))
        .replace("{niu-niu irregularities}", &irregularities(Family::NiuNiu))
        .replace("{baccarat rules}", &rules(Family::Baccarat))
        .replace("{niu-niu rules}", &rules(Family::NiuNiu));
    assert!(found == expected, "\nfound:\n{found}\n\nexpected:\n{expected}\n");
}

/// `a`, `b` or `c`.
fn list<'k>(keys: impl Iterator<Item = &'k str>) -> String {
    let keys: Vec<String> = keys.map(|key| format!("`{key}`")).collect();
    let (last, rest) = keys.split_last().unwrap();
    format!("{} or {last}", rest.join(", "))
}

/// Checks one case of `faults.txt`: a text, lines taken out (`-`) and put in (`+`), then all faults.
fn check_case(case: &str) {
    let mut lines = case.lines().peekable();
    let mut toml = match lines.next().unwrap() {
        "baccarat" => BACCARAT.to_string(),
        "niu-niu" => NIU_NIU.to_string(),
        text => panic!("there is no text `{text}`"),
    };
    // Line by line as in a patch: the sign, a space, the line.
    let mut take = |sign: char| {
        let mut taken = String::new();
        while let Some(line) = lines.next_if(|line| line.starts_with(sign)) {
            taken.push_str(line.get(2..).unwrap_or_default());
            taken.push('\n');
        }
        if lines.peek() == Some(&"...") {
            lines.next();
        }
        taken
    };
    loop {
        let (out, into) = (take('-'), take('+'));
        if out.is_empty() {
            break;
        }
        let at = toml.match_indices(&out).filter(|(at, _)| *at == 0 || toml[..*at].ends_with('\n'));
        let [(at, _)] = at.collect::<Vec<_>>()[..] else { panic!("these lines must be there once:\n{out}") };
        toml.replace_range(at..at + out.len(), &into);
    }
    let faults: Vec<&str> = lines.collect();
    assert!(!faults.is_empty(), "a case names its faults, or says `no fault`");
    if faults == ["no fault"] { check(&toml, &[]) } else { check(&toml, &faults) }
}

#[test]
fn every_kind_of_fault() {
    let mut cases = 0;
    for case in FAULTS.split("\n\n").map(str::trim).filter(|case| !case.starts_with('#')) {
        if let Err(panic) = std::panic::catch_unwind(|| check_case(case)) {
            eprintln!("in the case:\n{case}");
            std::panic::resume_unwind(panic);
        }
        cases += 1;
    }
    assert!(cases > 200, "{cases}");
}

#[test]
fn the_texts_edited_have_no_fault() {
    check(BACCARAT, &[]);
    check(NIU_NIU, &[]);
}

#[test]
fn the_guide_ends_with_the_text_edited() {
    let example = GUIDE.rsplit("```toml\n").next().unwrap().split("```").next().unwrap();
    check(example, &[]);
    assert!(example == BACCARAT, "docs/rulebooks.md and tests/data/faulty/baccarat.toml differ");
}

#[test]
fn the_guide_names_every_key() {
    let settings = Setting::ALL.iter().map(|setting| setting.key());
    let rules = Rule::ALL.iter().map(|rule| rule.key());
    for key in settings.chain(rules).chain(Remedy::ALL.iter().map(|remedy| remedy.key())) {
        assert!(GUIDE.contains(&format!("| `{key}` |")), "docs/rulebooks.md does not tell what `{key}` is");
    }
    let powers = Power::ALL.iter().map(|power| (power.key(), power.says()));
    let irregularities = Irregularity::ALL.iter().map(|found| (found.key(), found.says()));
    for (key, says) in powers.chain(irregularities) {
        let line = format!("| `{key}` | {says} |");
        assert!(GUIDE.contains(&line), "docs/rulebooks.md needs the line: {line}");
    }
}

#[test]
fn a_reading_that_is_there_twice() {
    let reading = &BACCARAT[BACCARAT.find("[[reading]]").unwrap()..];
    check(&format!("{BACCARAT}\n{reading}"), &["167:1: reading `LB-Q1` is there twice"]);
}

#[test]
fn more_pay_lines_than_any_bet_has() {
    let line = r#"{ when = { winner = "tie" }, odds = "8:1", clause = "3.3" }, "#;
    let first = "{ when = { player-pair";
    let many = |count: usize| BACCARAT.replace(first, &(line.repeat(count) + first));
    check(&many(253), &["112:1: bet `lotus` has more than 254 lines"]);
    // With 254 lines all but the first for a tie are out of reach, but they are read.
    let faults = Rulebook::parse(&many(252)).unwrap_err().0;
    let last = &faults[faults.len() - 1].message;
    assert_eq!((faults.len(), last.as_str()), (100, "152 more faults are not told; mend those before first"));
}

#[test]
fn lines_may_end_as_in_other_systems() {
    let text = BACCARAT.replace('\n', "\r\n");
    check(&text, &[]);
    check(
        &text.replace(r#"zh = "荷官" }"#, r#"zh = "荷官", fr = "" }"#),
        &["30:63: a name in three languages has no key `fr`; accepted: `en`, `vi` or `zh`"],
    );
}

proptest! {
    #![proptest_config(cases(512))]

    /// Whatever is read, there is an answer, and faults have places in the file.
    #[test]
    fn any_text(text in any::<String>()) {
        places_lie_in(&text)?;
    }

    #[test]
    fn anything_that_looks_like_toml(parts in prop::collection::vec(token(), 0..60)) {
        places_lie_in(&parts.concat())?;
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn damaged_rulebooks(book in 0..SHIPPED.len(), damages in prop::collection::vec(damage(), 1..5)) {
        let text = damages.iter().fold(SHIPPED[book].to_string(), |text, damage| damage.apply(&text));
        places_lie_in(&text)?;
    }
}

/// A piece of a rulebook file.
fn token() -> impl Strategy<Value = String> {
    let pieces: Vec<String> = BACCARAT
        .split_inclusive([' ', '\n', '='])
        .chain([
            "[[", "]]", "{", "}", "\"", "\"\"\"", "'", "\\", "\u{feff}", "\r\n", "\t", ".", ",", "1e9", "牛",
            "#",
        ])
        .map(String::from)
        .collect();
    prop_oneof![4 => prop::sample::select(pieces), 1 => any::<char>().prop_map(String::from)]
}

/// Something that goes wrong with a file, at a place counted from 0 to 65,535 through the text.
#[derive(Clone, Debug)]
enum Damage {
    LineGone(u16),
    LineTwice(u16),
    LinesSwapped(u16, u16),
    Replaced(u16, char),
    Inserted(u16, char),
    CutOff(u16),
}

fn damage() -> impl Strategy<Value = Damage> {
    let place = any::<u16>;
    let letter = || {
        prop_oneof![
            prop::sample::select(vec!['"', '[', ']', '{', '}', '=', ',', '\n', '#', '-', '9', 'x', '庄']),
            any::<char>()
        ]
    };
    prop_oneof![
        4 => place().prop_map(Damage::LineGone),
        4 => place().prop_map(Damage::LineTwice),
        2 => (place(), place()).prop_map(|(one, other)| Damage::LinesSwapped(one, other)),
        4 => (place(), letter()).prop_map(|(at, letter)| Damage::Replaced(at, letter)),
        2 => (place(), letter()).prop_map(|(at, letter)| Damage::Inserted(at, letter)),
        1 => place().prop_map(Damage::CutOff),
    ]
}

impl Damage {
    fn apply(&self, text: &str) -> String {
        let place = |at: u16, count: usize| usize::from(at) * count / 65_536;
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        let mut letters: Vec<char> = text.chars().collect();
        if lines.is_empty() {
            return String::new();
        }
        match *self {
            Self::LineGone(at) => {
                lines.remove(place(at, lines.len()));
                lines.concat()
            }
            Self::LineTwice(at) => {
                let line = place(at, lines.len());
                lines.insert(line, lines[line]);
                lines.concat()
            }
            Self::LinesSwapped(one, other) => {
                let (one, other) = (place(one, lines.len()), place(other, lines.len()));
                lines.swap(one, other);
                lines.concat()
            }
            Self::Replaced(at, letter) => {
                let at = place(at, letters.len());
                letters[at] = letter;
                letters.into_iter().collect()
            }
            Self::Inserted(at, letter) => {
                letters.insert(place(at, letters.len()), letter);
                letters.into_iter().collect()
            }
            Self::CutOff(at) => letters[..place(at, letters.len())].iter().collect(),
        }
    }
}

/// Reading does not panic; faults are in order, each once, at lines and columns of the text.
fn places_lie_in(text: &str) -> Result<(), TestCaseError> {
    let Err(faults) = Rulebook::parse(text) else { return Ok(()) };
    let lines: Vec<&str> = text.split('\n').collect();
    prop_assert!(!faults.0.is_empty());
    for fault in &faults.0 {
        prop_assert!((1..=lines.len()).contains(&fault.line), "{fault}");
        let width = lines[fault.line - 1].chars().count();
        prop_assert!((1..=width + 1).contains(&fault.column), "{fault}");
        prop_assert!(!fault.message.is_empty());
    }
    prop_assert!(faults.0.windows(2).all(|pair| pair[0] < pair[1]));
    Ok(())
}
