//! Bulk settlement: one JSON round a line in, one JSON result a line out; nothing is kept between lines.
//!
//! It settles what it is given, exactly and unrounded: limits and the order of play are the table's business.

mod boxes;
mod input;
mod output;
mod settle;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use croupier_rules::Library;
use croupier_rules::baccarat::Side;
use croupier_rules::baccarat::insurance::bet_id;

/// What is known of all games, made once for the stream.
struct Bulk<'l> {
    library: &'l Library,
    /// Every bet id of any game: what is none of them is a mistake, not a bet that is not on offer.
    known_bets: BTreeSet<&'l str>,
}

/// Settles every line of the files, or of standard input. Exit code 2 if a line was no legal round.
pub(super) fn run(
    library: &Library,
    files: &[PathBuf],
    out: &mut dyn Write,
    input: &mut dyn BufRead,
) -> anyhow::Result<ExitCode> {
    let bets = library.games().flat_map(|game| &game.bets).map(|bet| bet.id.as_str());
    let known_bets = bets.chain([bet_id(Side::Player), bet_id(Side::Banker)]).collect();
    let bulk = Bulk { library, known_bets };
    let mut errors = 0;
    if files.is_empty() {
        errors += stream(&bulk, input, out).context("standard input")?;
    }
    for path in files {
        let name = path.display();
        if path == Path::new("-") {
            errors += stream(&bulk, input, out).context("standard input")?;
            continue;
        }
        let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
        errors += stream(&bulk, &mut BufReader::with_capacity(1 << 16, file), out)
            .with_context(|| name.to_string())?;
    }
    Ok(if errors == 0 { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

/// Settles line by line; answers how many were no legal round.
fn stream(bulk: &Bulk<'_>, input: &mut dyn BufRead, out: &mut dyn Write) -> anyhow::Result<usize> {
    let mut line = Vec::new();
    let mut answer = Vec::new();
    let mut errors = 0;
    for number in 1.. {
        let length = next_line(input, &mut line).context("cannot read")?;
        // Some programs begin a text with a mark of its encoding.
        let text = if number == 1 { line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line) } else { &line };
        let result = match length {
            None => break,
            Some(Length::Fits) if text.trim_ascii().is_empty() => continue,
            Some(Length::Fits) => settle::settle(bulk, number, text),
            Some(Length::TooLong) => {
                let message = format!("a line is at most {LINE_MAX} bytes long");
                output::Answer::Error { line: number, message }
            }
        };
        errors += usize::from(matches!(result, output::Answer::Error { .. }));
        answer.clear();
        serde_json::to_writer(&mut answer, &result)?;
        answer.push(b'\n');
        out.write_all(&answer)?;
    }
    Ok(errors)
}

/// What UTF-8 may begin with.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The longest line: far above any round, and a bound on what is held in memory.
const LINE_MAX: usize = 1 << 20;

/// Whether a line was read whole.
enum Length {
    Fits,
    TooLong,
}

/// Reads the next line; of one that is too long only the first part is kept.
fn next_line(input: &mut dyn BufRead, line: &mut Vec<u8>) -> std::io::Result<Option<Length>> {
    line.clear();
    let mut length = None;
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(length);
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(buffer.len(), |end| end + 1);
        match length {
            Some(Length::TooLong) => {}
            _ if line.len() + taken > LINE_MAX => length = Some(Length::TooLong),
            _ => {
                line.extend_from_slice(&buffer[..taken]);
                length = Some(Length::Fits);
            }
        }
        input.consume(taken);
        if end.is_some() {
            return Ok(length);
        }
    }
}
