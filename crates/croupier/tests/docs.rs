//! The documentation tells the truth: its examples run, its lists are complete.
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

mod common;

use common::croupier;
use croupier_rounds::Refusal;
use croupier_rules::{Library, Rule};

fn page(name: &str) -> String {
    std::fs::read_to_string(format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The fenced blocks of a page with their language.
fn blocks(text: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(language), None) => open = Some((language.to_string(), String::new())),
            (Some(_), Some(block)) => blocks.push(block),
            (None, Some((language, body))) => open = Some((language, format!("{body}{line}\n"))),
            (None, None) => {}
        }
    }
    blocks
}

/// JSON without the line breaks that a page needs.
fn squeeze(json: &str) -> String {
    json.lines().map(str::trim_start).collect()
}

#[test]
fn bulk_settlement_examples_are_what_the_command_answers() {
    let blocks = blocks(&page("docs/bulk-settlement.md"));
    let json: Vec<&String> =
        blocks.iter().filter(|(language, _)| language == "json").map(|(_, body)| body).collect();
    assert!(json.len() >= 8 && json.len().is_multiple_of(2), "pairs of a line and its answer");
    for pair in json.chunks(2) {
        let ran = croupier(&["settle", "--jsonl"], pair[0]);
        assert_eq!(ran.out.trim_end(), squeeze(pair[1]), "{}", pair[0]);
    }
}

#[test]
fn round_file_examples_run() {
    let mut games = 0;
    for (_, body) in blocks(&page("docs/round-files.md")) {
        if body.lines().any(|line| line.starts_with("game "))
            && body.lines().any(|line| line.trim() == "round")
        {
            let ran = croupier(&["settle", "-"], &body);
            assert_eq!(ran.code, Some(0), "{body}\n{}{}", ran.out, ran.err);
            games += 1;
        }
    }
    assert!(games >= 7, "an example for each game");
}

/// The commands of the README print what it shows.
#[test]
fn the_readme_shows_what_the_commands_print() {
    let page = page("README.md");
    let mut shown = 0;
    for (_, body) in blocks(&page) {
        let Some((source, output)) = body
            .strip_prefix("$ cat insurance.round\n")
            .and_then(|rest| rest.split_once("\n$ croupier settle insurance.round\n"))
        else {
            let Some((command, output)) =
                body.strip_prefix("$ croupier ").and_then(|body| body.split_once('\n'))
            else {
                continue;
            };
            let (command, lines) = command.split_once(" | head -").unwrap_or((command, "1000"));
            let ran = croupier(&command.split(' ').collect::<Vec<_>>(), "");
            let head: Vec<&str> = ran.out.lines().take(lines.parse().unwrap()).collect();
            assert_eq!(head.join("\n"), output.trim_end(), "{command}");
            shown += 1;
            continue;
        };
        let ran = croupier(&["settle", "-"], source);
        assert_eq!(ran.out.replace("-: passed", "insurance.round: passed"), output);
        shown += 1;
    }
    assert_eq!(shown, 4);
}

#[test]
fn every_refusal_code_of_round_files_is_explained() {
    let page = page("docs/round-files.md");
    for code in Refusal::CODES {
        assert!(page.contains(&format!("`{code}`")), "docs/round-files.md does not explain `{code}`");
    }
}

#[test]
fn every_reading_is_listed() {
    let page = page("docs/readings.md").replace("\\|", "|");
    for rulebook in Library::standard().rulebooks() {
        for reading in rulebook.index.readings() {
            assert!(page.contains(&reading.id), "{}", reading.id);
            assert!(page.contains(&reading.reading), "docs/readings.md is behind rulebooks/: {}", reading.id);
        }
    }
}

#[test]
fn every_rule_and_setting_is_in_the_rulebook_guide() {
    let page = page("docs/rulebooks.md");
    for key in Rule::ALL.iter().map(|rule| rule.key()) {
        assert!(page.contains(&format!("`{key}`")), "docs/rulebooks.md misses the rule `{key}`");
    }
    for setting in croupier_rules::setting::Setting::ALL {
        assert!(page.contains(&format!("`{setting}`")), "docs/rulebooks.md misses the setting `{setting}`");
    }
}
