//! `cargo xtask fuzz`: runs the targets in `fuzz/fuzz_targets`, each for a while, and reports what crashed.
//!
//! The corpora are not in the repository: they start from the rulebooks and scenarios that are, and then grow
//! on the machine that fuzzes.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};

use crate::args::Args;
use crate::invocation::Invocation;
use crate::setup::{self, Need};

pub(crate) const HELP: &str = "\
Run the fuzz targets, starting from our own rulebooks and scenarios. Installs cargo-fuzz and a nightly
toolchain if they are missing.

Usage: cargo xtask fuzz [TARGET] [--seconds N]

  TARGET        only this one of fuzz/fuzz_targets
  --seconds N   how long to run each target (60)
";

const SECONDS: u64 = 60;

/// Which of our files a target starts from.
struct Seeds {
    target: &'static str,
    folder: &'static str,
    extension: &'static str,
}

const SEEDS: &[Seeds] = &[
    Seeds { target: "rulebook", folder: "rulebooks", extension: "toml" },
    Seeds { target: "round_file", folder: "scenarios", extension: "round" },
];

pub(crate) fn run(mut args: Args) -> Result<ExitCode> {
    let seconds = args.option::<u64>("--seconds")?.unwrap_or(SECONDS);
    let wanted = args.positional();
    args.finish()?;
    ensure!(seconds > 0, "--seconds 0 would never end");

    let known = targets(Path::new("fuzz/fuzz_targets"))?;
    let chosen: Vec<&String> =
        known.iter().filter(|target| wanted.as_ref().is_none_or(|wanted| wanted == *target)).collect();
    ensure!(!chosen.is_empty(), "no such target; there are {}", known.join(", "));
    setup::ensure(&[Need::Fuzz])?;

    let mut failures = Vec::new();
    for target in &chosen {
        failures.extend(fuzz(target, seconds)?);
    }
    if failures.is_empty() {
        println!("\nno crash in {} targets of {seconds} s each", chosen.len());
        return Ok(ExitCode::SUCCESS);
    }
    println!("\n{} to look at:", failures.len());
    for failure in &failures {
        println!("  {failure}");
    }
    Ok(ExitCode::FAILURE)
}

/// Runs one target; each failure is told by the command that shows it again.
fn fuzz(target: &str, seconds: u64) -> Result<Vec<String>> {
    let corpus = Path::new("fuzz/corpus").join(target);
    fs::create_dir_all(&corpus).with_context(|| format!("cannot make {}", corpus.display()))?;
    for seeds in SEEDS.iter().filter(|seeds| seeds.target == target) {
        let count = plant(Path::new(seeds.folder), seeds.extension, &corpus)?;
        println!("{target}: {count} seeds from {}", seeds.folder);
    }

    let artifacts = Path::new("fuzz/artifacts").join(target);
    let before = files(&artifacts)?;
    let run = Invocation::new(&format!("cargo +nightly fuzz run {target} --"))
        .arg(format!("-max_total_time={seconds}"))
        .arg("-timeout=10")
        .arg("-rss_limit_mb=4096");
    if run.run()? {
        return Ok(Vec::new());
    }
    let crashes: Vec<String> = files(&artifacts)?
        .difference(&before)
        .map(|path| format!("{target}: cargo +nightly fuzz run {target} {}", path.display()))
        .collect();
    // It may also not have compiled, or have crashed as it did before.
    Ok(if crashes.is_empty() { vec![format!("{target}: {run}")] } else { crashes })
}

/// The names of the targets in `folder`, in order.
fn targets(folder: &Path) -> Result<Vec<String>> {
    let sources = files(folder)?;
    let is_rust = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    Ok(sources
        .iter()
        .filter(is_rust)
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect())
}

/// Copies what is under `folder` and has `extension` into `corpus`, and says how many.
fn plant(folder: &Path, extension: &str, corpus: &Path) -> Result<usize> {
    let mut count = 0;
    for path in files(folder)?.iter().filter(|path| path.extension().is_some_and(|found| found == extension))
    {
        // Scenarios of different games may have the same name.
        let name = path.to_string_lossy().replace(['/', '\\'], "-");
        fs::copy(path, corpus.join(name)).with_context(|| format!("cannot copy {}", path.display()))?;
        count += 1;
    }
    Ok(count)
}

/// All files under `folder`; none if there is no such folder.
fn files(folder: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop().filter(|folder| folder.is_dir()) {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path);
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seeded_target_exists() {
        let known = targets(Path::new("../fuzz/fuzz_targets")).unwrap();
        assert_eq!(known, ["card", "round_file", "rulebook", "table"]);
        assert!(SEEDS.iter().all(|seeds| known.iter().any(|target| target == seeds.target)));
    }

    #[test]
    fn seeds_are_found_in_subfolders_and_keep_apart() {
        let folder = std::env::temp_dir().join(format!("croupier-xtask-seeds-{}", std::process::id()));
        let corpus = folder.join("corpus");
        for game in ["baccarat", "niu-niu"] {
            fs::create_dir_all(folder.join("from").join(game)).unwrap();
            fs::write(folder.join("from").join(game).join("tie.round"), game).unwrap();
            fs::write(folder.join("from").join(game).join("notes.md"), game).unwrap();
        }
        fs::create_dir_all(&corpus).unwrap();
        assert_eq!(plant(&folder.join("from"), "round", &corpus).unwrap(), 2);
        assert_eq!(files(&corpus).unwrap().len(), 2);
        assert!(files(&folder.join("nowhere")).unwrap().is_empty());
        fs::remove_dir_all(&folder).unwrap();
    }
}
