//! `cargo xtask bench`: runs the benchmark targets of the workspace, all or those whose name matches.
//!
//! It runs the targets by name, because a plain `cargo bench` also starts every test binary.

use std::process::ExitCode;

use anyhow::{Result, ensure};

use crate::args::Args;
use crate::invocation::Invocation;
use crate::metadata;

pub(crate) const HELP: &str = "\
Run the benchmarks. Seconds differ from machine to machine and from hour to hour: compare only figures of one
and the same run, as ratios.

Usage: cargo xtask bench [NAME]

  NAME   only the benchmarks whose crate or name contains it
";

pub(crate) fn run(mut args: Args) -> Result<ExitCode> {
    let wanted = args.positional().unwrap_or_default();
    args.finish()?;

    let mut known = Vec::new();
    for package in metadata::packages()? {
        known.extend(package.benches.into_iter().map(|bench| (package.name.clone(), bench)));
    }
    if known.is_empty() {
        println!("there are no benchmarks in the workspace");
        return Ok(ExitCode::SUCCESS);
    }
    let chosen: Vec<_> = known
        .iter()
        .filter(|(package, bench)| package.contains(&wanted) || bench.contains(&wanted))
        .collect();
    let names: Vec<_> = known.iter().map(|(package, bench)| format!("{package}/{bench}")).collect();
    ensure!(!chosen.is_empty(), "no benchmark matches `{wanted}`; there are {}", names.join(", "));

    let mut failed = Vec::new();
    for (package, bench) in chosen {
        let benchmark = Invocation::new(&format!("cargo bench --locked --package {package} --bench {bench}"));
        if !benchmark.run()? {
            failed.push(benchmark.to_string());
        }
    }
    ensure!(failed.is_empty(), "failed:\n  {}", failed.join("\n  "));
    println!("only ratios within this one run count: the machine's speed is in every figure above");
    Ok(ExitCode::SUCCESS)
}
