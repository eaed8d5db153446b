//! The family of a game is never compared: a comparison is silent about a family that comes later.
//!
//! What differs by family is a question with a name (`Family::by_box`) or a dispatch: a `match` that names every family,
//! so that a new one is a list of arms that the compiler asks for. Found are `==`, `!=`, `matches!`, `let` patterns and
//! wildcard arms with a variant of `Family`; tests may ask what they like.

use std::ops::Range;

use super::Finding;

/// Where the rule holds.
const HELD: [&str; 9] = [
    "crates/rules/src/",
    "crates/lab/src/",
    "crates/table/src/",
    "crates/rounds/src/",
    "crates/explore/src/",
    "crates/drill/src/",
    "crates/server/src/",
    "crates/demo/src/",
    "crates/croupier/src/",
];

const NAME: &str = "Family::";

/// Every place of a source file where a family is compared.
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    if !path.ends_with(".rs") || !HELD.iter().any(|held| path.starts_with(held)) {
        return Vec::new();
    }
    let code = code(text);
    let code = code.split("#[cfg(test)]").next().unwrap_or_default();
    let mut found: Vec<usize> = variants(code, 0..code.len()).filter(|at| is_compared(code, *at)).collect();
    found.extend(patterns(code));
    found.extend(wildcards(code));
    found.sort_unstable();
    found.dedup();
    let line = |at: usize| code[..at].matches('\n').count() + 1;
    let message = "compares the family; ask a question of `Family` or match on every family";
    found
        .into_iter()
        .map(|at| Finding { path: path.to_owned(), line: Some(line(at)), message: message.into() })
        .collect()
}

/// The places where a variant of `Family` is named.
fn variants(code: &str, within: Range<usize>) -> impl Iterator<Item = usize> {
    let start = within.start;
    code[within].match_indices(NAME).map(move |(at, _)| start + at).filter(|at| {
        let before = code[..*at].chars().next_back();
        let is_variant = code[at + NAME.len()..].starts_with(|c: char| c.is_ascii_uppercase());
        is_variant && !code[at + NAME.len()..].starts_with("ALL") && !before.is_some_and(is_of_word)
    })
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether `==` or `!=` stands on either side.
fn is_compared(code: &str, at: usize) -> bool {
    let before = code[..at].trim_end_matches(|c: char| is_of_word(c) || c == ':').trim_end();
    let after = code[at + NAME.len()..].trim_start_matches(is_of_word).trim_start();
    ["==", "!="].iter().any(|sign| before.ends_with(sign) || after.starts_with(sign))
}

/// Variants in a `matches!`, or in the pattern of a `let`.
fn patterns(code: &str) -> Vec<usize> {
    let mut found = Vec::new();
    for (at, word) in code.match_indices("matches!(") {
        let end = closing(code, at + word.len() - 1);
        found.extend(variants(code, at..end).next().map(|_| at));
    }
    for (at, _) in code.match_indices("let ") {
        if code[..at].chars().next_back().is_some_and(is_of_word) {
            continue;
        }
        let end = code[at..].find(['=', ';', '{']).map_or(code.len(), |length| at + length);
        found.extend(variants(code, at..end));
    }
    found
}

/// `match`es that name a family in one arm and stand for the rest with a wildcard.
fn wildcards(code: &str) -> Vec<usize> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("match ") {
        if code[..at].chars().next_back().is_some_and(is_of_word) {
            continue;
        }
        let Some(open) = code[at..].find('{').map(|length| at + length) else { continue };
        let arms = arms(code, open + 1..closing(code, open));
        let names = arms.iter().any(|pattern| variants(code, pattern.clone()).next().is_some());
        let wild = arms.into_iter().find(|pattern| {
            let text = code[pattern.clone()].trim();
            text == "_" || text.starts_with("_ if ")
        });
        found.extend(wild.filter(|_| names).map(|pattern| pattern.end));
    }
    found
}

/// The patterns of the arms between the braces of a `match`.
fn arms(code: &str, within: Range<usize>) -> Vec<Range<usize>> {
    let mut patterns = Vec::new();
    let (mut depth, mut start, mut in_pattern) = (0_usize, within.start, true);
    let bytes = code.as_bytes();
    let mut at = within.start;
    while at < within.end {
        match bytes[at] {
            b'=' if depth == 0 && in_pattern && bytes.get(at + 1) == Some(&b'>') => {
                patterns.push(start..at);
                in_pattern = false;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                // A block ends its arm, with a comma or without.
                if depth == 0 && bytes[at] == b'}' && !in_pattern {
                    let next = code[at + 1..].trim_start().as_bytes().first();
                    if !matches!(next, Some(b'.' | b'?' | b',')) {
                        (start, in_pattern) = (at + 1, true);
                    }
                }
            }
            b',' if depth == 0 && !in_pattern => (start, in_pattern) = (at + 1, true),
            _ => {}
        }
        at += 1;
    }
    patterns
}

/// Where the bracket that opens at a place is closed.
fn closing(code: &str, open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate().skip(open) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    code.len()
}

/// The text with comments and the insides of literals blanked, line by line as before.
fn code(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut left = text;
    while let Some(c) = left.chars().next() {
        let length = if left.starts_with("//") {
            left.find('\n').unwrap_or(left.len())
        } else if c == '"' {
            1 + string(&left[1..])
        } else if c == '\'' {
            character(left)
        } else {
            0
        };
        if length == 0 {
            code.push(c);
            left = &left[c.len_utf8()..];
        } else {
            code.extend(left[..length].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            left = &left[length..];
        }
    }
    code
}

/// How long the rest of a string is, with its closing quote.
fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// How long a character literal is; nothing if the quote begins a lifetime.
fn character(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => text[2..].find('\'').filter(|at| *at > 0).map_or(0, |at| at + 3),
        Some(_) => chars.next().filter(|(_, c)| *c == '\'').map_or(0, |(at, _)| at + 1),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        check("crates/table/src/shoe.rs", text).iter().filter_map(|finding| finding.line).collect()
    }

    #[test]
    fn comparisons_are_found() {
        for planted in [
            "fn f(a: Family) -> bool { a == Family::NiuNiu }",
            "fn f(a: Family) -> bool { a != croupier_rules::Family::Baccarat }",
            "fn f(a: Family) -> bool { Family::NiuNiu == a }",
            "fn f(a: Family) -> bool { matches!(a, Family::NiuNiu) }",
            "fn f(a: Family) { if let (1, Family::NiuNiu) = (2, a) {} }",
            "fn f(a: Family) { let Family::NiuNiu = a else { return }; }",
            "fn f(a: Family) -> u8 { match a { Family::NiuNiu => 1, _ => 2 } }",
            "fn f(a: Family) -> u8 { match (a, '{') { (Family::NiuNiu, _) => { 1 } _ if true => 2, _ => 3 } }",
        ] {
            assert_eq!(lines(&format!("//! Shoe.\n\n{planted}\n")), [3], "{planted}");
        }
        let over_lines = "match a {\n    Family::NiuNiu => {\n        1\n    }\n    _ => 2,\n}\n";
        assert_eq!(lines(over_lines), [5]);
        assert_eq!(lines("matches!(\n    a,\n    Family::NiuNiu\n)\n"), [1]);
        assert_eq!(lines("a\n    == Family::NiuNiu\n"), [2]);
    }

    #[test]
    fn dispatches_names_and_tests_pass() {
        for clean in [
            "match a { Family::Baccarat => 1, Family::NiuNiu if x == 2 => 2, Family::NiuNiu => 3 }",
            "match a { Family::Baccarat | Family::NiuNiu => match b { Some(1) => 1, _ => 2 } }",
            "let family = Family::Baccarat;",
            "let net = match a { Family::Baccarat => 1, Family::NiuNiu => 2 };",
            "if a.by_box() { lines.find(Family::key) }",
            "AddressFamily::INET == a",
            "// a == Family::NiuNiu\nlet text = \"a == Family::NiuNiu\";",
            "#[cfg(test)]\nmod tests { fn f() -> bool { a == Family::NiuNiu } }",
        ] {
            assert_eq!(lines(clean), [0; 0], "{clean}");
        }
        assert_eq!(check("crates/table/tests/views.rs", "a == Family::NiuNiu"), []);
    }
}
