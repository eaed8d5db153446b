//! The books that come with Croupier, explored in a short form, and gaps planted in copies of them: each is found.
//!
//! With `CROUPIER_LONG` the books are explored whole, two deviations deep.
#![expect(clippy::unwrap_used, clippy::panic, reason = "what is not there is a failed test")]

use std::sync::Arc;

use croupier_explore::{Finding, Kind, Report, Scope, ScopeFault, explore};
use croupier_rules::{Irregularity, Library, Rulebook};
use croupier_table::{Phase, Setup, Table, TableId, apply, decide};

/// A few seconds for each book; each table of the scope has its share.
fn short() -> Scope {
    if std::env::var_os("CROUPIER_LONG").is_some() {
        return Scope { threads: 2, ..Scope::default() };
    }
    Scope { depth: 1, limit: 30_000, ..Scope::default() }
}

fn book(name: &str) -> String {
    let path = format!("{}/../../rulebooks/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

/// The book with one part put in place of another.
fn edited(name: &str, from: &str, to: &str) -> String {
    let text = book(name);
    assert!(text.contains(from), "{name} has no {from}");
    text.replacen(from, to, 1)
}

/// The section of a book that begins with this line, up to the next one.
fn section<'t>(text: &'t str, head: &str) -> &'t str {
    let from = text.find(head).unwrap();
    let length = text[from + 1..].find("\n[").map_or(text.len() - from, |end| end + 2);
    &text[from..from + length]
}

fn report(text: &str, scope: &Scope) -> Report {
    let rulebook = Arc::new(Rulebook::parse(text).unwrap_or_else(|faults| panic!("{faults:?}")));
    explore(&rulebook, &rulebook.games[0], scope, &|_| ()).unwrap()
}

fn find(report: &Report, kind: Kind, irregularity: Option<Irregularity>) -> Option<&Finding> {
    report.findings.iter().find(|found| found.kind == kind && found.irregularity == irregularity)
}

/// What `docs/gaps.md` says of a rulebook.
fn documented(title: &str) -> String {
    let path = format!("{}/../../docs/gaps.md", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(path).unwrap();
    let from = page.find(&format!("### {title}\n")).unwrap();
    page[from + 1..].split("\n### ").next().unwrap().to_string()
}

/// Explores a game: whatever is found is known, and written down in `docs/gaps.md`.
#[track_caller]
fn check(game: &str, title: &str, known: &[(Kind, &str)]) {
    let page = documented(title);
    let library = Library::standard();
    let (rulebook, game) = library.find(game).unwrap();
    let report = explore(rulebook, game, &short(), &|_| ()).unwrap();
    for finding in &report.findings {
        let is_known = |(kind, what): &(Kind, &str)| *kind == finding.kind && finding.what.contains(what);
        assert!(finding.kind == Kind::Residual || known.iter().any(is_known), "{}: {finding:#?}", game.id);
        if finding.kind == Kind::Order {
            continue;
        }
        // The page says of each moment which clause it is that does not speak of it.
        let what =
            finding.what.split(", at a moment").next().and_then(|what| what.split(": ").next()).unwrap();
        assert!(page.contains(&format!("- {what}")), "docs/gaps.md, {title}: {what}");
    }
    assert!(report.states > 1_000 && report.met.len() > 15, "{report:?}");
}

#[test]
fn hoiana_baccarat_with_commission() {
    check("hoiana-baccarat/commission", "Hoiana Baccarat", &[]);
}

#[test]
fn hoiana_baccarat_without_commission() {
    check("hoiana-baccarat/non-commission", "Hoiana Baccarat", &[]);
}

#[test]
fn hoiana_dragon_tiger_with_commission() {
    check("hoiana-dragon-tiger/commission", "Hoiana Dragon Tiger", &[]);
}

#[test]
fn hoiana_dragon_tiger_without_commission() {
    check("hoiana-dragon-tiger/non-commission", "Hoiana Dragon Tiger", &[]);
}

#[test]
fn mbs_dragon_tiger() {
    check("mbs-dragon-tiger", "MBS Dragon Tiger", &[(Kind::Order, "device-reset")]);
}

#[test]
fn horseshoe_dragon_bonus() {
    check("horseshoe-dragon-bonus", "Horseshoe Dragon Bonus", &[]);
}

#[test]
fn hoiana_niu_niu() {
    check("hoiana-niu-niu", "Hoiana Niu Niu", &[]);
}

/// The way to a finding can be gone at a real table, and leads to what was found.
#[test]
fn the_way_leads_there() {
    let library = Library::standard();
    let (rulebook, game) = library.find("hoiana-niu-niu").unwrap();
    let scope = Scope { depth: 1, ..Scope::default() };
    let report = explore(rulebook, game, &scope, &|_| ()).unwrap();
    assert!(report.is_complete() && report.cut == 0 && report.findings.len() > 3, "{report:?}");
    for finding in &report.findings {
        let mut table = Table::new(TableId(1), Arc::new(Setup::new(rulebook, &finding.opening).unwrap()));
        for command in &finding.path {
            let events = decide(&table, command).unwrap();
            events.iter().for_each(|event| apply(&mut table, event));
        }
        assert_eq!(table.phase(), Phase::OnHold, "{finding:?}");
        assert_eq!(table.hold.map(|hold| hold.irregularity), finding.irregularity);
    }
}

/// A trigger without a row: what was ruled by its own clause is left to the one for everything else.
#[test]
fn a_row_that_is_missing_is_found() {
    let text = book("hoiana-baccarat");
    let without = text.replacen(section(&text, "[irregularity.wrong-order]"), "", 1);
    let residual = |text: &str| {
        let scope = Scope { depth: 1, limit: 30_000, ..Scope::default() };
        find(&report(text, &scope), Kind::Residual, Some(Irregularity::WrongOrder)).cloned()
    };
    assert_eq!(residual(&text), None);
    let found = residual(&without).unwrap();
    assert_eq!(found.what, "Cards lie in the wrong order");
    assert!(!found.path.is_empty() && !found.cites.is_empty(), "{found:?}");
}

/// A remedy removed: what is left may be ordered in the high-limit areas only, and the table stands on the main floor.
#[test]
fn a_remedy_that_is_missing_is_found() {
    let text = edited("mbs-dragon-tiger", "  { do = \"play-on\", clause = \"3.17\" },\n", "");
    let report = report(&text, &short());
    let found = find(&report, Kind::NoRuling, Some(Irregularity::CutCardFirst)).unwrap();
    assert!(found.what.ends_with("the rulebook lists no ruling for this table"), "{found:?}");
    assert!(!report.is_complete());
}

/// A rank removed: the rulebook cannot be read without it, and with nobody of it on duty its rulings are listed.
#[test]
fn a_rank_that_is_missing_is_found() {
    let text = book("hoiana-baccarat");
    let rank = section(&text, "[[rank]]\nid = \"assistant-director\"");
    let faults = Rulebook::parse(&text.replacen(rank, "", 1)).unwrap_err();
    assert!(faults.to_string().contains("there is no [[rank]] `assistant-director`"), "{faults}");
    // Whoever is above may too.
    let off_duty = ["assistant-director", "senior-management"].map(String::from).to_vec();
    let report = report(&text, &Scope { off_duty, ..short() });
    let found = find(&report, Kind::NobodyMay, Some(Irregularity::Other)).unwrap();
    assert!(found.what.contains("needs the Assistant Director"), "{found:?}");
    // And with one of them there, nothing is.
    let off_duty = vec!["assistant-director".to_string()];
    let report = self::report(&text, &Scope { off_duty, ..short() });
    assert!(report.is_complete(), "{:?}", report.findings);
}

/// A power removed: cards that must be replaced, and nobody who may.
#[test]
fn a_shoe_that_nobody_may_replace_is_found() {
    let text =
        edited("hoiana-baccarat", "replace-shoe = { rank = \"pit-manager\", clause = \"HB-Q29\" }\n", "");
    let report = report(&text, &short());
    let stuck = |finding: &&Finding| matches!(finding.kind, Kind::NoWayOut | Kind::OpenWager);
    assert!(report.findings.iter().any(|finding| stuck(&finding)), "{:?}", report.findings);
}

/// Two rulings that anybody may order: the rulebook says both, and not who chooses.
#[test]
fn two_rulings_without_a_rank_are_found() {
    let text = edited(
        "hoiana-baccarat",
        "{ do = \"rebuild\", rank = \"shift-manager\", withdrawal = { clause = [\"7.9\"",
        "{ do = \"rebuild\", withdrawal = { clause = [\"7.9\"",
    );
    let report = report(&text, &short());
    let found = find(&report, Kind::Contradiction, Some(Irregularity::WrongOrder)).unwrap();
    assert!(found.what.contains("rebuild or rebuild with withdrawal"), "{found:?}");
}

/// What was cut is said.
#[test]
fn a_limit_that_does_not_suffice_is_told() {
    let report = report(&book("hoiana-niu-niu"), &Scope { limit: 300, depth: 1, ..Scope::default() });
    assert_eq!((report.tables, report.cut), (3, 3));
    assert!(report.states <= 300, "{report:?}");
}

#[test]
fn a_scope_that_makes_no_table_is_refused() {
    let rulebook = Arc::new(Rulebook::parse(&book("hoiana-niu-niu")).unwrap());
    let fault = |scope: Scope| explore(&rulebook, &rulebook.games[0], &scope, &|_| ()).unwrap_err();
    let told = fault(Scope { players: 5, ..Scope::default() }).to_string();
    assert_eq!(told, "5 players cannot be explored; accepted: 1 to 4");
    assert_eq!(fault(Scope { depth: 4, ..Scope::default() }), ScopeFault::Depth { depth: 4 });
    let told = fault(Scope { off_duty: vec!["captain".to_string()], ..Scope::default() }).to_string();
    assert!(told.starts_with("the rulebook has no rank `captain`; its ranks are dealer, "), "{told}");
}
