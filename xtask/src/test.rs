//! `cargo xtask test`: everything that a change must pass, in one command, here and in CI.
//!
//! Every step runs even if an earlier one failed, so that one run shows all that is wrong. Doctests run before
//! nextest, whose summary is then the last one of a test runner and counts the real tests.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::args::Args;
use crate::invocation::Invocation;
use crate::setup::{self, Need};
use crate::tidy;

pub(crate) const HELP: &str = "\
Run everything that a change must pass: setup, format, clippy, the core without std, doctests, docs, licences
(where cargo-deny is installed), tidy, the types and units of the browser UI, and the tests: those in a browser and
the scenarios with their clause coverage are among them.

Usage: cargo xtask test [--quick | --long]

  --quick   only format, clippy, tidy, the UI and the tests: for between two edits
  --long    with fifty times the random cases (sets CROUPIER_LONG=1)
";

/// Targets without an operating system, any of which shows that a crate needs no std.
const BARE_TARGETS: [&str; 4] =
    ["thumbv7em-none-eabi", "thumbv7em-none-eabihf", "thumbv7m-none-eabi", "x86_64-unknown-none"];

/// How much to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    Quick,
    Usual,
    Long,
}

/// What this machine has beyond what setup ensures.
#[derive(Clone, Copy, Debug, Default)]
struct Machine {
    bare_target: Option<&'static str>,
    cargo_deny: bool,
}

/// One row of the closing table.
struct Step {
    name: &'static str,
    work: Work,
}

enum Work {
    Setup,
    Tidy,
    /// One after the other, up to the first that fails.
    Run(Vec<Invocation>),
    /// Cannot be done here; the text says why.
    Skip(&'static str),
}

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Passed,
    Failed,
    Skipped,
}

struct Report {
    name: &'static str,
    outcome: Outcome,
    elapsed: Duration,
    /// What to type to run just this step.
    repeat: String,
}

pub(crate) fn run(mut args: Args) -> Result<ExitCode> {
    let quick = args.flag("--quick");
    let long = args.flag("--long");
    args.finish()?;
    ensure!(!(quick && long), "--quick and --long exclude each other");
    let extent = match (quick, long) {
        (true, _) => Extent::Quick,
        (false, true) => Extent::Long,
        (false, false) => Extent::Usual,
    };

    let reports: Vec<Report> = steps(extent, Machine::survey()).into_iter().map(Step::run).collect();
    print!("\n{}", summary(&reports));
    let failed = reports.iter().any(|report| report.outcome == Outcome::Failed);
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The steps in their order.
fn steps(extent: Extent, machine: Machine) -> Vec<Step> {
    let required = |name, lines: &[&str]| Step {
        name,
        work: Work::Run(lines.iter().map(|line| Invocation::new(line)).collect()),
    };
    let step = |name, work| Step { name, work };

    let mut steps = vec![
        step("setup", Work::Setup),
        required("format", &["cargo fmt --all --check", "cargo fmt --manifest-path fuzz/Cargo.toml --check"]),
        required("clippy", &["cargo clippy --workspace --all-targets --locked -- -D warnings"]),
    ];
    if extent != Extent::Quick {
        let docs =
            Invocation::new("cargo doc --workspace --no-deps --locked").env("RUSTDOCFLAGS", "-D warnings");
        steps.push(step(
            "no_std",
            Work::Run(vec![
                without_std(machine.bare_target, ""),
                without_std(machine.bare_target, " --features serde"),
            ]),
        ));
        steps.push(required("doctests", &["cargo test --doc --workspace --locked"]));
        steps.push(step("docs", Work::Run(vec![docs])));
        steps.push(match machine.cargo_deny {
            true => required("licences", &["cargo deny --locked check licenses bans sources"]),
            false => step(
                "licences",
                Work::Skip("cargo-deny is not installed; cargo xtask setup --all installs it"),
            ),
        });
    }
    steps.push(step("tidy", Work::Tidy));
    // Its packages were fetched when clippy built the UI.
    steps.push(required(
        "web",
        &["npm --prefix web run lint", "npm --prefix web run check", "npm --prefix web test"],
    ));

    let tests = Invocation::new("cargo nextest run --workspace --locked");
    let tests = if extent == Extent::Long { tests.env("CROUPIER_LONG", "1") } else { tests };
    steps.push(step("tests", Work::Run(vec![tests])));
    steps
}

/// On a bare target the dependencies are held to it too; on the host only our own crates are.
fn without_std(bare_target: Option<&str>, features: &str) -> Invocation {
    let check = Invocation::new(&format!(
        "cargo check --locked -p croupier-cards -p croupier-rules --no-default-features --lib{features}"
    ));
    match bare_target {
        Some(target) => check.arg("--target").arg(target),
        None => check,
    }
}

impl Machine {
    fn survey() -> Machine {
        let installed = |target: &&str| {
            Invocation::new("rustc --print target-libdir --target")
                .arg(*target)
                .read()
                .is_ok_and(|folder| std::path::Path::new(folder.trim()).is_dir())
        };
        Machine {
            bare_target: BARE_TARGETS.into_iter().find(|target| installed(target)),
            cargo_deny: setup::has_cargo_deny(),
        }
    }
}

impl Step {
    fn run(self) -> Report {
        println!("\n== {} ==", self.name);
        let start = Instant::now();
        let result = match &self.work {
            Work::Setup => setup::ensure(&[Need::Test]).map(|()| Some(true)),
            Work::Tidy => tidy::check().map(Some),
            Work::Run(lines) => run_all(lines).map(Some),
            Work::Skip(reason) => {
                println!("skipped: {reason}");
                Ok(None)
            }
        };
        let outcome = match result {
            Ok(Some(true)) => Outcome::Passed,
            Ok(None) => Outcome::Skipped,
            Ok(Some(false)) => Outcome::Failed,
            Err(error) => {
                println!("error: {error:#}");
                Outcome::Failed
            }
        };
        Report { name: self.name, outcome, elapsed: start.elapsed(), repeat: self.repeat() }
    }

    fn repeat(&self) -> String {
        match &self.work {
            Work::Setup => "cargo xtask setup".into(),
            Work::Tidy => "cargo xtask tidy".into(),
            Work::Run(lines) => lines.iter().map(Invocation::to_string).collect::<Vec<_>>().join(" && "),
            Work::Skip(_) => String::new(),
        }
    }
}

fn run_all(lines: &[Invocation]) -> Result<bool> {
    for line in lines {
        if !line.run()? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Outcome {
    fn text(self) -> &'static str {
        match self {
            Outcome::Passed => "passed",
            Outcome::Failed => "FAILED",
            Outcome::Skipped => "skipped",
        }
    }
}

/// The closing table and verdict.
fn summary(reports: &[Report]) -> String {
    let mut text = format!("{:<10} {:<8} {:>8}\n", "step", "result", "seconds");
    for Report { name, outcome, elapsed, .. } in reports {
        let _ = writeln!(text, "{name:<10} {:<8} {:>8.1}", outcome.text(), elapsed.as_secs_f64());
    }
    text.push('\n');

    let with = |outcome| reports.iter().filter(move |report| report.outcome == outcome);
    let failed = with(Outcome::Failed).count();
    if failed == 0 {
        let _ = writeln!(text, "all {} steps passed", with(Outcome::Passed).count());
    } else {
        let _ = writeln!(text, "{failed} of {} steps failed; to repeat just what failed:", reports.len());
        for report in with(Outcome::Failed) {
            let _ = writeln!(text, "  {}: {}", report.name, report.repeat);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(extent: Extent) -> Vec<&'static str> {
        steps(extent, Machine::default()).iter().map(|step| step.name).collect()
    }

    fn report(name: &'static str, outcome: Outcome) -> Report {
        Report { name, outcome, elapsed: Duration::from_millis(1_250), repeat: format!("repeat {name}") }
    }

    #[test]
    fn the_last_summary_of_a_test_runner_is_that_of_nextest() {
        let usual = names(Extent::Usual);
        let at = |name| usual.iter().position(|step| *step == name);
        assert!(at("doctests") < at("tests"));
        assert_eq!(usual, names(Extent::Long));
        assert_eq!(names(Extent::Quick), ["setup", "format", "clippy", "tidy", "web", "tests"]);
    }

    #[test]
    fn only_a_long_run_asks_for_the_long_suites() {
        for (extent, expected) in [(Extent::Quick, false), (Extent::Usual, false), (Extent::Long, true)] {
            let asks = steps(extent, Machine::default())
                .iter()
                .any(|step| step.repeat() == "CROUPIER_LONG=1 cargo nextest run --workspace --locked");
            assert_eq!(asks, expected, "{extent:?}");
        }
    }

    #[test]
    fn a_bare_target_is_used_where_there_is_one() {
        let machine = Machine { bare_target: Some("x86_64-unknown-none"), cargo_deny: true };
        let repeats: Vec<String> = steps(Extent::Usual, machine).iter().map(Step::repeat).collect();
        assert!(repeats.iter().any(|line| line.ends_with("--target x86_64-unknown-none")));
        assert!(repeats.iter().any(|line| line.starts_with("cargo deny")));
    }

    #[test]
    fn a_good_run_ends_by_saying_so() {
        let reports = [report("format", Outcome::Passed), report("licences", Outcome::Skipped)];
        let expected = "\
step       result    seconds
format     passed        1.2
licences   skipped       1.2

all 1 steps passed
";
        assert_eq!(summary(&reports), expected);
    }

    #[test]
    fn a_failed_run_names_what_to_repeat() {
        let reports = [report("format", Outcome::Passed), report("clippy", Outcome::Failed)];
        let expected = "\
1 of 2 steps failed; to repeat just what failed:
  clippy: repeat clippy
";
        assert!(summary(&reports).ends_with(expected), "{}", summary(&reports));
    }

    #[test]
    fn a_failing_command_fails_its_step() {
        for (line, expected) in [
            ("true", Outcome::Passed),
            ("false", Outcome::Failed),
            ("no-such-program-anywhere", Outcome::Failed),
        ] {
            let step = Step { name: "planted", work: Work::Run(vec![Invocation::new(line)]) };
            assert_eq!(step.run().outcome, expected, "{line}");
        }
    }
}
