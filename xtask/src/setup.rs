//! `cargo xtask setup`: what the other commands need, checked and, where it is missing, installed.
//!
//! A new need is a new line in [`TOOLS`]. Nothing is upgraded, and nothing that answers is touched.

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::args::Args;
use crate::invocation::Invocation;

pub(crate) const HELP: &str = "\
Install what the other commands need and this machine lacks. `cargo xtask test` and `fuzz` call it themselves.

Usage: cargo xtask setup [--fuzz] [--all]

  --fuzz   also what fuzzing needs: a nightly toolchain, cargo-fuzz, a C++ compiler
  --all    also what is only used where it is installed: cargo-deny
";

/// Something that must answer before a command can do its work.
struct Tool {
    name: &'static str,
    /// Succeeds where the tool is present.
    check: &'static str,
    install: Install,
    need: Need,
}

/// How a missing tool gets here.
enum Install {
    /// By this command line.
    Run(&'static str),
    /// As a package of the distribution.
    Apt(&'static str),
    /// Not by us: toolchains are the user's own. The text says what to do.
    ByHand(&'static str),
}

/// What a tool is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    Test,
    Fuzz,
    Extra,
}

const TOOLS: &[Tool] = &[
    Tool {
        name: "rustfmt",
        check: "cargo fmt --version",
        install: Install::ByHand("rustup component add rustfmt"),
        need: Need::Test,
    },
    Tool {
        name: "clippy",
        check: "cargo clippy --version",
        install: Install::ByHand("rustup component add clippy"),
        need: Need::Test,
    },
    Tool {
        name: "cargo-nextest",
        check: "cargo nextest --version",
        install: Install::Run("cargo install cargo-nextest --locked"),
        need: Need::Test,
    },
    Tool {
        name: "a nightly toolchain",
        check: "cargo +nightly --version",
        install: Install::Run("rustup toolchain install nightly --profile minimal"),
        need: Need::Fuzz,
    },
    Tool {
        name: "cargo-fuzz",
        check: "cargo fuzz --version",
        install: Install::Run("cargo install cargo-fuzz --locked"),
        need: Need::Fuzz,
    },
    Tool { name: "a C++ compiler", check: "c++ --version", install: Install::Apt("g++"), need: Need::Fuzz },
    Tool {
        name: "cargo-deny",
        check: "cargo deny --version",
        install: Install::Run("cargo install cargo-deny --locked"),
        need: Need::Extra,
    },
];

pub(crate) fn run(mut args: Args) -> Result<ExitCode> {
    let all = args.flag("--all");
    let fuzz = args.flag("--fuzz");
    args.finish()?;
    let needs: &[Need] = match (all, fuzz) {
        (true, _) => &[Need::Test, Need::Fuzz, Need::Extra],
        (false, true) => &[Need::Test, Need::Fuzz],
        (false, false) => &[Need::Test],
    };
    ensure(needs)?;
    Ok(ExitCode::SUCCESS)
}

/// Installs what is missing for `needs`; says nothing if all is there.
pub(crate) fn ensure(needs: &[Need]) -> Result<()> {
    let missing: Vec<&Tool> =
        TOOLS.iter().filter(|tool| needs.contains(&tool.need) && !present(tool)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = missing.iter().map(|tool| tool.name).collect();
    println!("missing: {}", names.join(", "));

    install(&missing)?;

    let unmet: Vec<String> = missing.iter().filter(|tool| !present(tool)).map(|tool| remedy(tool)).collect();
    if !unmet.is_empty() {
        bail!("still missing:\n{}", unmet.join("\n"));
    }
    Ok(())
}

/// True where cargo-deny can check `deny.toml`.
pub(crate) fn has_cargo_deny() -> bool {
    TOOLS.iter().any(|tool| tool.name == "cargo-deny" && present(tool))
}

fn present(tool: &Tool) -> bool {
    Invocation::new(tool.check).answers()
}

/// Tries each; whether it worked is for the checks to say afterwards.
fn install(missing: &[&Tool]) -> Result<()> {
    let mut packages = Vec::new();
    for tool in missing {
        match tool.install {
            Install::Run(line) => {
                Invocation::new(line).run()?;
            }
            Install::Apt(package) => packages.push(package),
            Install::ByHand(_) => {}
        }
    }
    if !packages.is_empty() && is_root() {
        Invocation::new("apt-get update").run()?;
        let line = format!("apt-get install --yes --no-install-recommends {}", packages.join(" "));
        Invocation::new(&line).env("DEBIAN_FRONTEND", "noninteractive").run()?;
    }
    Ok(())
}

fn is_root() -> bool {
    Invocation::new("id -u").read().is_ok_and(|id| id.trim() == "0")
}

/// What a person can do about a tool that is still missing.
fn remedy(tool: &Tool) -> String {
    let line = match tool.install {
        Install::Run(line) | Install::ByHand(line) => line.to_owned(),
        Install::Apt(package) => format!("sudo apt-get install {package}"),
    };
    format!("  {}: {line}", tool.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_tool_is_named_with_its_remedy() {
        let by_apt = Tool {
            name: "a C++ compiler",
            check: "no-such-compiler",
            install: Install::Apt("g++"),
            need: Need::Fuzz,
        };
        assert!(!present(&by_apt));
        assert_eq!(remedy(&by_apt), "  a C++ compiler: sudo apt-get install g++");
    }
}
