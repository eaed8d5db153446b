//! The documentation tells the truth: its examples run, its lists are complete.
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

mod common;

use common::croupier;
use croupier_rounds::{Refused, RoundFile};
use croupier_rules::irregularity::{Irregularity, Remedy};
use croupier_rules::niu_niu::Category;
use croupier_rules::setting::Setting;
use croupier_rules::{Library, Rule};
use croupier_table::case::CaseRefusal;
use croupier_table::{Phase, Why};

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
    for name in ["docs/round-files.md", "docs/irregularities.md"] {
        for (_, body) in blocks(&page(name)).iter().filter(|(language, _)| language == "round") {
            let ran = croupier(&["settle", "-"], body);
            assert_eq!(ran.code, Some(0), "{body}\n{}{}", ran.out, ran.err);
            games += 1;
        }
    }
    assert!(games >= 17, "an example for each game and each part of the notation, not {games}");
}

/// What the command prints about a file that goes wrong is what the page shows below it.
#[test]
fn round_file_examples_that_fail_are_told_as_shown() {
    let blocks = blocks(&page("docs/round-files.md"));
    let failing: Vec<_> = blocks.windows(2).filter(|pair| pair[0].0 == "round fails").collect();
    assert!(failing.len() >= 3, "{}", failing.len());
    for pair in failing {
        let ran = croupier(&["settle", "--quiet", "-"], &pair[0].1);
        assert_ne!(ran.code, Some(0), "{}", pair[0].1);
        assert_eq!(ran.out.replace("-:", "example.round:"), pair[1].1);
    }
}

/// The lab's page shows what its commands print.
#[test]
fn the_page_of_the_lab_shows_what_the_commands_print() {
    let blocks = blocks(&page("docs/lab.md"));
    let folder = croupier_testkit::tempdir().unwrap();
    let mut shown = 0;
    for (at, (_, body)) in blocks.iter().enumerate() {
        let Some((command, output)) = body.strip_prefix("$ croupier ").and_then(|body| body.split_once('\n'))
        else {
            continue;
        };
        let mut args: Vec<String> = command.split(' ').map(String::from).collect();
        // A file that the command reads stands in the block before it.
        if let Some(file) = args.iter_mut().find(|arg| arg.ends_with(".toml")) {
            let (_, text) = blocks[..at].iter().rfind(|(language, _)| language == "toml").unwrap();
            let path = folder.path().join(&*file);
            std::fs::write(&path, text).unwrap();
            *file = path.to_str().unwrap().to_string();
        }
        let ran = croupier(&args.iter().map(String::as_str).collect::<Vec<_>>(), "");
        assert_eq!(ran.out.trim_end(), output.trim_end(), "{command}");
        shown += 1;
    }
    assert!(shown >= 3, "{shown} commands");
}

/// Every command that a page lists is one that there is, with these options.
#[test]
fn every_command_on_the_pages_is_understood() {
    let mut commands = 0;
    for name in
        ["README.md", "docs/lab.md", "docs/rulebooks.md", "docs/bulk-settlement.md", "docs/readings.md"]
    {
        for (_, body) in blocks(&page(name)) {
            let lines =
                body.lines().filter_map(|line| line.trim_start_matches("$ ").strip_prefix("croupier "));
            for line in lines {
                // What follows two blanks explains; what follows a sign of the shell is not the command's.
                let command = line.split("  ").next().unwrap_or(line);
                let command = command.split(['<', '>', '|', '#']).next().unwrap_or(command);
                let mut quoted = false;
                let words = command.split(|letter: char| {
                    quoted ^= letter == '\'';
                    letter == ' ' && !quoted
                });
                let words: Vec<&str> =
                    words.map(|word| word.trim_matches('\'')).filter(|word| !word.is_empty()).collect();
                let ran = croupier(&[words.as_slice(), &["--help"]].concat(), "");
                assert_eq!(ran.code, Some(0), "{name}: {line}\n{}", ran.err);
                commands += 1;
            }
        }
    }
    assert!(commands >= 20, "{commands} commands");
}

/// The commands of the README print what it shows.
#[test]
fn the_readme_shows_what_the_commands_print() {
    let page = page("README.md");
    let mut shown = 0;
    for (_, body) in blocks(&page) {
        let file = body.strip_prefix("$ cat ").and_then(|rest| rest.split_once('\n'));
        let Some((name, source, output)) = file.and_then(|(name, rest)| {
            let (source, output) = rest.split_once(&format!("\n$ croupier settle {name}\n"))?;
            Some((name, source, output))
        }) else {
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
        assert_eq!(ran.out.replace("-: passed", &format!("{name}: passed")), output);
        shown += 1;
    }
    assert_eq!(shown, 5);
}

/// What a table of the page explains in its first column, with the heading it stands under.
fn explained(page: &str) -> Vec<(String, String)> {
    let mut heading = String::new();
    let mut found = Vec::new();
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            heading = title.to_string();
        }
        let Some(cell) = line.strip_prefix("| `").and_then(|row| row.split(" | ").next()) else { continue };
        let spans = format!("`{cell}");
        found.extend(spans.split('`').skip(1).step_by(2).map(|span| (heading.clone(), span.to_string())));
    }
    found
}

#[track_caller]
fn explains<'k>(heading: &str, keys: impl IntoIterator<Item = &'k str>) {
    let explained = explained(&page("docs/round-files.md"));
    for key in keys {
        let there = explained.iter().any(|(under, span)| under == heading && span == key);
        assert!(there, "docs/round-files.md does not explain `{key}` under {heading}");
    }
}

#[test]
fn round_files_lists_are_complete() {
    explains("Refusal codes", Why::CODES.iter().copied());
    explains("Refusal codes", Refused::CODES.iter().copied());
    explains("Refusal codes", CaseRefusal::CODES.iter().copied());
    explains("Phases", Phase::ALL.iter().map(|phase| phase.key()));
    explains("Irregularities and rulings", Remedy::ALL.iter().map(|remedy| remedy.key()));
    explains("Irregularities and rulings", Irregularity::ALL.iter().map(|irregularity| irregularity.key()));
    explains("Settings", Setting::ALL.iter().map(|setting| setting.key()));
    let page = page("docs/round-files.md");
    for hand in Category::ALL.map(Category::key).iter().filter(|hand| !hand.starts_with("niu-")) {
        assert!(page.contains(&format!("`{hand}`")), "docs/round-files.md misses the hand `{hand}`");
    }
}

/// Every refusal code and every phase on the page is one that there is.
#[test]
fn round_files_lists_have_nothing_else() {
    for (heading, key) in explained(&page("docs/round-files.md")) {
        let known = match heading.as_str() {
            "Refusal codes" => {
                let codes = [Why::CODES, Refused::CODES, CaseRefusal::CODES];
                codes.iter().any(|codes| codes.contains(&key.as_str()))
            }
            "Phases" => Phase::ALL.iter().any(|phase| phase.key() == key),
            "Settings" => key.parse::<Setting>().is_ok(),
            _ => true,
        };
        assert!(known, "docs/round-files.md explains `{key}` under {heading}, which there is not");
    }
}

/// Every line, report and expectation that the page lists is understood as it stands there.
#[test]
fn every_form_that_round_files_lists_is_parsed() {
    let parts = [
        "Statements",
        "Betting",
        "Shoe and cards",
        "Squeeze and methods",
        "Insurance",
        "Irregularities and rulings",
        "Money and people",
        "Niu Niu by hand",
        "Disputes",
        "Expectations",
    ];
    let mut lines = 0;
    let page = page("docs/round-files.md");
    let (_, after_reports) = page.split_once("What can be reported:").unwrap();
    let (reports, _) = after_reports.split_once("What a ruling can order").unwrap();
    for (_, report) in explained(reports) {
        let line = format!("dealer reports {report}");
        assert!(RoundFile::parse(&line).is_ok(), "{line}: {:?}", RoundFile::parse(&line));
        lines += 1;
    }
    for (heading, span) in explained(&page) {
        let is_key = span.parse::<Remedy>().is_ok() || span.parse::<Irregularity>().is_ok();
        let is_report = reports.contains(&format!("`{span}`"));
        if !parts.contains(&heading.as_str())
            || (heading == "Irregularities and rulings" && (is_key || is_report))
        {
            continue;
        }
        let line = if heading == "Expectations" { format!("dealer settles => {span}") } else { span };
        match RoundFile::parse(&line) {
            Ok(file) => assert_eq!(file.to_string().trim_end(), line, "printed as it stands on the page"),
            Err(faults) => panic!("{line}: {}", faults[0]),
        }
        lines += 1;
    }
    assert!(lines > 150, "{lines} forms");
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
    for setting in Setting::ALL {
        assert!(page.contains(&format!("`{setting}`")), "docs/rulebooks.md misses the setting `{setting}`");
    }
}
