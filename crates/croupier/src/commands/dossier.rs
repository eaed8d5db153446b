//! `croupier dossier`: one document about a game, to be submitted: its rules, what proves them, its odds, and which
//! program says so.
//!
//! What goes into it is gathered here from the rulebook, the lab and the scenarios; `page` lays it out, `pdf` has it
//! printed.

mod page;
mod pdf;

use std::io::{Read as _, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use croupier_lab::exposure::Exposure;
use croupier_lab::report::OddsSheet;
use croupier_rounds::coverage::Evidence;
use croupier_rules::{Game, Library, Rulebook};
use sha2::{Digest as _, Sha256};

use super::{Rulebooks, exposure, find_game, odds};

/// Write everything about a game as one document to submit
///
/// The rules with every clause and reading, layouts, limits, exact odds of every bet for all deck counts, insurance by
/// situation, counting exposure, every irregularity with its rulings, the scenarios that prove each clause with their
/// results, and the version and hash of rulebook, engine and binary. One page without scripts, laid out for A4.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  croupier dossier hoiana-baccarat/commission > dossier.html
  croupier dossier hoiana-niu-niu --pdf dossier.pdf       by a browser of this machine
  croupier --rulebook house.toml dossier house-baccarat > dossier.html")]
pub(crate) struct DossierArgs {
    /// The game, such as `hoiana-baccarat/commission`
    game: String,
    /// Shoes that are dealt to measure what an observer could win
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    shoes: u64,
    /// Print it into this PDF file, by Chromium, Chrome or Edge of this machine, instead of the page to standard output
    #[arg(long, value_name = "FILE")]
    pdf: Option<PathBuf>,
    /// The browser that prints the PDF, where it is not found by itself
    #[arg(long, value_name = "PROGRAM", requires = "pdf")]
    browser: Option<PathBuf>,
}

/// Everything that the document says.
struct Dossier<'d> {
    rulebook: &'d Rulebook,
    game: &'d Game,
    /// The SHA-256 of the rulebook's text.
    rulebook_hash: String,
    /// The SHA-256 of this program, where its file can be read.
    binary_hash: Option<String>,
    odds: OddsSheet,
    by_decks: Vec<OddsSheet>,
    exposure: Option<Exposure>,
    evidence: Evidence,
}

/// Runs the command; exit code 1 if a scenario that is to prove a clause of it fails.
pub(crate) fn run(
    asked: &DossierArgs,
    rulebooks: &Rulebooks,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let library = rulebooks.library()?;
    let (rulebook, game) = find_game(&library, &asked.game)?;
    let (odds, by_decks) = odds::in_full(rulebook, game)?;
    let dossier = Dossier {
        rulebook,
        game,
        rulebook_hash: rulebook_hash(rulebook, rulebooks)?,
        binary_hash: binary_hash(),
        odds,
        by_decks,
        exposure: exposure::usual(rulebook, game, asked.shoes)?,
        evidence: Evidence::standard(&library),
    };
    let page = page::page(&dossier);
    match &asked.pdf {
        None => out.write_all(page.as_bytes())?,
        Some(file) => pdf::print(&page, file, asked.browser.as_deref())?,
    }
    let fails = |name: &str| name.contains(&format!("/{}/", rulebook.id));
    let failed = dossier.evidence.failures.iter().any(|(name, _)| fails(name));
    Ok(if failed { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The hash of the text that the rulebook was read from.
fn rulebook_hash(rulebook: &Rulebook, rulebooks: &Rulebooks) -> anyhow::Result<String> {
    let own = rulebooks
        .0
        .iter()
        .map(|path| std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display())));
    let texts: Vec<String> = own.collect::<anyhow::Result<_>>()?;
    let standard = croupier_rules::library::standard_texts().map(String::from);
    let texts: Vec<String> = texts.into_iter().chain(standard).collect();
    for text in &texts {
        let mut library = Library::default();
        if library.add(text).is_ok_and(|read| read.id == rulebook.id && read.version == rulebook.version) {
            return Ok(hex(&Sha256::digest(text.as_bytes())));
        }
    }
    anyhow::bail!("the text of rulebook `{}` is not at hand", rulebook.id)
}

fn binary_hash() -> Option<String> {
    let mut file = std::fs::File::open(std::env::current_exe().ok()?).ok()?;
    let mut hash = Sha256::new();
    let mut part = vec![0; 1 << 16];
    loop {
        match file.read(&mut part).ok()? {
            0 => return Some(hex(&hash.finalize())),
            count => hash.update(part.get(..count)?),
        }
    }
}
