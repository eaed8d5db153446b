//! The manual tells the truth: every round file on its pages runs, and what it says is told is told.
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

use croupier_rounds::{Fact, RoundFile, run};
use croupier_rules::Library;
use croupier_table::Fact as TableFact;

/// The pages that people read, with their text.
fn pages() -> Vec<(String, String)> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
    let docs = std::fs::read_dir(format!("{root}docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = docs.filter(|path| path.extension().is_some_and(|end| end == "md"));
    let mut pages: Vec<_> = pages.chain([format!("{root}README.md").into()]).collect();
    pages.sort();
    let name = |path: &std::path::Path| path.file_name().unwrap().to_string_lossy().into_owned();
    pages.iter().map(|path| (name(path), std::fs::read_to_string(path).unwrap())).collect()
}

/// A fenced block: the line it begins on, its language and its text.
struct Block {
    place: String,
    language: String,
    text: String,
}

fn blocks(page: &str, text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (at, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(language), None) => {
                let place = format!("{page}:{}", at + 1);
                open = Some(Block { place, language: language.to_string(), text: String::new() });
            }
            (Some(_), Some(block)) => blocks.push(block),
            (None, Some(block)) => open = Some(Block { text: format!("{}{line}\n", block.text), ..block }),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{page}: a block is not closed");
    blocks
}

/// Everything that is told about a file, as the command prints it.
fn told(text: &str) -> String {
    let lines: Vec<String> = match RoundFile::parse(text) {
        Err(faults) => faults.iter().map(|fault| format!("example.round:{fault}")).collect(),
        Ok(file) => {
            let problems = run(&Library::standard(), &file).problems();
            let shown = |line: usize, message: &str| format!("example.round:{line}: {message}");
            problems.iter().map(|problem| shown(problem.line, &problem.message)).collect()
        }
    };
    lines.join("\n")
}

#[test]
fn every_round_file_of_the_manual_runs() {
    let mut ran = 0;
    for (page, text) in pages() {
        for block in blocks(&page, &text).iter().filter(|block| block.language == "round") {
            assert_eq!(told(&block.text), "", "{}\n{}", block.place, block.text);
            ran += 1;
        }
    }
    assert!(ran >= 18, "{ran} examples");
}

#[test]
fn what_the_manual_says_is_told_is_told() {
    let mut shown = 0;
    for (page, text) in pages() {
        let blocks = blocks(&page, &text);
        for pair in blocks.windows(2).filter(|pair| pair[0].language == "round fails") {
            assert_eq!(told(&pair[0].text), pair[1].text.trim_end(), "{}", pair[1].place);
            shown += 1;
        }
    }
    assert!(shown >= 3, "{shown} examples");
}

/// A reader takes an example for the right way, so that a breach in one is named as such beside it.
#[test]
fn no_example_shows_a_breach_unremarked() {
    let library = Library::standard();
    for (page, text) in pages() {
        for block in blocks(&page, &text).iter().filter(|block| block.language == "round") {
            let file = RoundFile::parse(&block.text).unwrap();
            let report = run(&library, &file);
            for (statement, events) in file.statements.iter().zip(&report.events) {
                let breach = events.iter().any(|event| match &event.fact {
                    Fact::Table(TableFact::HandPassed { breach, .. }) => *breach,
                    Fact::Table(fact) => matches!(fact, TableFact::LiftedLate { .. }),
                    Fact::Opened | Fact::Set | Fact::Case(_) | Fact::Refused(_) => false,
                });
                let remarked = statement.comment.is_some();
                assert!(
                    !breach || remarked,
                    "{}: a breach without a remark: {:?}",
                    block.place,
                    statement.action
                );
            }
        }
    }
}

/// Words of the page for staff that are lines of a file are understood as such.
#[test]
fn the_lines_that_the_page_of_irregularities_quotes_are_lines_of_a_file() {
    let (_, text) = pages().into_iter().find(|(name, _)| name == "irregularities.md").unwrap();
    let who = ["dealer", "pit-manager", "shift-manager", "device", "surveillance", "ann", "bob"];
    let mut lines = 0;
    for span in text.split('`').skip(1).step_by(2) {
        let Some((first, _)) = span.split_once(' ') else { continue };
        if who.contains(&first) && !span.contains('\n') {
            let read = RoundFile::parse(span);
            assert!(read.is_ok(), "{span}: {:?}", read.err());
            lines += 1;
        }
    }
    assert!(lines >= 3, "{lines} lines");
}
