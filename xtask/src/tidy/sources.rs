//! What must not be left in a source file, line by line, and how a file begins and how long it may get.
//!
//! The words looked for are put together from halves here, so that this file does not find itself.

use super::Finding;

/// Past this there are two ideas in one file.
const LINES_MAX: usize = 800;

/// Marks of work that somebody meant to come back to.
const UNFINISHED: [&str; 3] = [concat!("FIX", "ME"), concat!("XX", "X"), concat!("TO", "DO")];

/// Where people and machines keep their own files.
const MACHINE_PATHS: [&str; 5] = [
    concat!("/wo", "rk/"),
    concat!("/fa", "rm/"),
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
    concat!("/Us", "ers/"),
];

/// Text whose words are not chosen by us.
const LOCK_FILES: [&str; 2] = ["Cargo.lock", "package-lock.json"];

/// How a crate of the core says that it needs no std; the schemas of its types may, as they are made by a macro.
const NO_STD: [&str; 2] = ["#![no_std]", "#![cfg_attr(not(feature = \"openapi\"), no_std)]"];

/// The crates that know nothing but what they are given: no files, no clock, no threads.
const CORE: [&str; 2] = ["crates/cards/src/lib.rs", "crates/rules/src/lib.rs"];

/// All checks of one file's text.
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = check_lines(path, text);
    findings.extend(check_length(path, text));
    findings.extend(check_opening(path, text));
    findings.extend(check_core(path, text));
    findings
}

fn check_lines(path: &str, text: &str) -> Vec<Finding> {
    if LOCK_FILES.contains(&file_name(path)) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let mut found = |message: String| {
            findings.push(Finding { path: path.to_owned(), line: Some(number), message });
        };
        if let Some(mark) = UNFINISHED.iter().find(|mark| contains_word(line, mark)) {
            found(format!("{mark} is left over; finish it or file an issue"));
        }
        if let Some(machine) = MACHINE_PATHS.iter().find(|machine| contains_absolute(line, machine)) {
            found(format!("{machine} is a path of one machine; make it relative"));
        }
        if extension(path) == "rs"
            && let Some(fault) = check_rust_line(line)
        {
            found(fault.to_owned());
        }
    }
    findings
}

fn check_rust_line(line: &str) -> Option<&'static str> {
    if line.contains(concat!("to", "do!")) {
        Some("an unwritten body is left over; write it")
    } else if line.contains(concat!("#[", "ignore")) {
        Some("a test is switched off; a long one asks for CROUPIER_LONG instead")
    } else if line.contains(concat!("#[", "allow(")) || line.contains(concat!("#![", "allow(")) {
        Some("a lint is silenced; use #[expect(…, reason = \"…\")]")
    } else {
        None
    }
}

fn check_length(path: &str, text: &str) -> Option<Finding> {
    let count = text.lines().count();
    let is_code = matches!(extension(path), "rs" | "ts" | "svelte");
    (is_code && count > LINES_MAX && !is_generated(text)).then(|| Finding {
        path: path.to_owned(),
        line: None,
        message: format!("has {count} lines; past {LINES_MAX} there are two ideas in it"),
    })
}

fn check_opening(path: &str, text: &str) -> Option<Finding> {
    let speaks = extension(path) != "rs" || file_name(path) == "build.rs" || is_generated(text);
    (!speaks && !text.starts_with("//!")).then(|| Finding {
        path: path.to_owned(),
        line: Some(1),
        message: "does not begin with a `//!` that says what it is for".into(),
    })
}

/// Without this line the compiler would not notice a core that reaches for the operating system.
fn check_core(path: &str, text: &str) -> Option<Finding> {
    (CORE.contains(&path) && !text.lines().any(|line| NO_STD.contains(&line))).then(|| Finding {
        path: path.to_owned(),
        line: None,
        message: "is of the core and lacks `#![no_std]`".into(),
    })
}

/// Generators say so at the top.
fn is_generated(text: &str) -> bool {
    text.lines().take(5).any(|line| line.contains("auto-generated") || line.contains("@generated"))
}

/// Not as a part of a longer word, such as a hash.
fn contains_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        let after = line[start + word.len()..].chars().next();
        let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !is_letter(before) && !is_letter(after)
    })
}

/// Not as the tail of a relative path or of an address.
fn contains_absolute(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || "_-.~*})".contains(c))
    })
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn extension(path: &str) -> &str {
    file_name(path).rsplit_once('.').map_or("", |(_, extension)| extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines at which something is found in a file that begins as it should.
    fn lines(path: &str, body: &str) -> Vec<Option<usize>> {
        let text = format!("//! What it is for.\n{body}\n");
        check(path, &text).iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn unfinished_work_is_found_in_any_file() {
        for mark in UNFINISHED {
            assert_eq!(lines("src/shoe.rs", &format!("// {mark}: cut card")), [Some(2)], "{mark}");
            assert_eq!(lines("web/src/felt.svelte", &format!("<!-- {mark} -->")), [Some(2)], "{mark}");
            assert_eq!(lines("docs/notes.md", &format!("a{mark}b {mark}_")), [], "{mark} inside a word");
            assert_eq!(lines("web/package-lock.json", mark), [], "{mark} in a lock file");
        }
    }

    #[test]
    fn unwritten_bodies_are_found() {
        assert_eq!(lines("src/shoe.rs", concat!("fn burn() { to", "do!() }")), [Some(2)]);
    }

    #[test]
    fn switched_off_tests_are_found() {
        assert_eq!(lines("tests/shoe.rs", concat!("#[", "ignore]")), [Some(2)]);
        assert_eq!(lines("tests/shoe.rs", concat!("#[", "ignore = \"slow\"]")), [Some(2)]);
    }

    #[test]
    fn silenced_lints_are_found_and_expected_ones_pass() {
        assert_eq!(lines("src/shoe.rs", concat!("#[", "allow(dead_code)]")), [Some(2)]);
        assert_eq!(lines("src/shoe.rs", concat!("#![", "allow(dead_code)]")), [Some(2)]);
        assert_eq!(
            lines("src/shoe.rs", "#[expect(dead_code, reason = \"the shoe is not dealt from yet\")]"),
            []
        );
    }

    #[test]
    fn machine_paths_are_found_and_relative_ones_pass() {
        for path in MACHINE_PATHS {
            for line in [format!("{path}x"), format!("see `{path}x`"), format!("file://{path}x")] {
                assert_eq!(lines("README.md", &line), [Some(2)], "{line}");
            }
            for line in [format!("docs{path}x"), format!("..{path}x"), format!("http://localhost{path}")] {
                assert_eq!(lines("README.md", &line), [], "{line}");
            }
        }
    }

    #[test]
    fn a_file_of_800_lines_passes_and_one_more_is_found() {
        // The opening line counts too.
        for (count, expected) in [(LINES_MAX - 1, 0), (LINES_MAX, 0), (LINES_MAX + 1, 1)] {
            let body = vec!["//"; count - 1].join("\n");
            for path in ["src/shoe.rs", "web/src/felt.ts", "web/src/felt.svelte"] {
                assert_eq!(lines(path, &body).len(), expected, "{count} lines in {path}");
            }
            assert_eq!(lines("docs/long.md", &body), []);
        }
        let generated = format!("// This file was auto-generated.\n{}", "//\n".repeat(LINES_MAX));
        assert_eq!(check("web/src/api.d.ts", &generated), []);
    }

    #[test]
    fn a_rust_file_says_what_it_is_for() {
        let silent = "use std::fmt;\n";
        for path in ["crates/lab/src/lib.rs", "crates/cards/src/shoe.rs", "crates/cards/tests/shoe.rs"] {
            assert_eq!(check(path, silent).len(), 1, "{path}");
            assert_eq!(lines(path, silent), [], "{path}");
        }
        assert_eq!(check("crates/server/build.rs", silent), []);
        assert_eq!(check("web/src/felt.ts", silent), []);
    }

    #[test]
    fn a_core_crate_without_no_std_is_found() {
        for path in CORE {
            assert_eq!(lines(path, "// #![no_std]"), [None], "{path}");
            assert_eq!(lines(path, "#![no_std]"), [], "{path}");
            assert_eq!(lines(path, "#![cfg_attr(not(feature = \"openapi\"), no_std)]"), [], "{path}");
            assert_eq!(lines(path, "#![cfg_attr(not(feature = \"toml\"), no_std)]"), [None], "{path}");
        }
        assert_eq!(lines("crates/lab/src/lib.rs", ""), []);
    }
}
