//! `croupier dossier` as its users run it.

mod common;

use common::croupier;
use croupier_rules::Library;

/// Every clause, reading, irregularity and bet is in the document of its game, and what is there is the rulebook's.
#[test]
fn a_dossier_leaves_nothing_out() {
    let library = Library::standard();
    for game in ["hoiana-baccarat/commission", "hoiana-niu-niu"] {
        let ran = croupier(&["dossier", game, "--shoes", "2"], "");
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(!ran.out.contains("<script") && !ran.out.contains("src=\"http"), "nothing is fetched");
        let (rulebook, found) = library.find(game).unwrap();
        for clause in rulebook.index.clauses() {
            assert!(ran.out.contains(&format!("<code>{}</code>", clause.id)), "{game}: clause {}", clause.id);
        }
        for reading in rulebook.index.readings() {
            assert!(
                ran.out.contains(&format!("<code>{}</code>", reading.id)),
                "{game}: reading {}",
                reading.id
            );
        }
        for rule in &rulebook.irregularities {
            assert!(
                ran.out.contains(&format!("<code>{}</code></h4>", rule.irregularity)),
                "{game}: {}",
                rule.irregularity
            );
        }
        for bet in &found.bets {
            assert!(ran.out.contains(&format!("<code>{}</code></h4>", bet.id)), "{game}: bet {}", bet.id);
        }
        assert!(!ran.out.contains("not proved") && !ran.out.contains("failed:"), "{game}");
        let hash = |name: &str| {
            let (_, rest) = ran.out.split_once(name).unwrap();
            rest.split_once("<code>").unwrap().1.split_once('<').unwrap().0.to_string()
        };
        let file = format!("{}/../../rulebooks/{}.toml", env!("CARGO_MANIFEST_DIR"), rulebook.id);
        let text = std::fs::read(file).unwrap();
        let digest = ring::digest::digest(&ring::digest::SHA256, &text);
        assert_eq!(hash("Rulebook, SHA-256"), data_encoding::HEXLOWER.encode(digest.as_ref()));
        assert_eq!(hash("Binary, SHA-256").len(), 64);
    }
}

#[test]
fn without_a_browser_it_says_so() {
    let ran = croupier(
        &["dossier", "hoiana-niu-niu", "--shoes", "1", "--pdf", "x.pdf", "--browser", "/nowhere/browser"],
        "",
    );
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("cannot run /nowhere/browser"), "{}", ran.err);
}
