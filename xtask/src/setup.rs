//! `cargo xtask setup`: what the other commands need, checked and, where it is missing, installed.
//!
//! A new need is a new line in [`TOOLS`]. Nothing is upgraded, and nothing that answers is touched.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};

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
    /// A line for the shell that succeeds where the tool is present.
    check: &'static str,
    install: Install,
    need: Need,
}

/// How a missing tool gets here.
enum Install {
    /// By these command lines, one after the other.
    Run(&'static [&'static str]),
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
    Screenshots,
    Extra,
}

const POSTGRESQL: &str = "postgresql";

/// What Debian's packages of PostgreSQL do when they are installed.
const CLUSTER_CONFIGURATION: &str = "/etc/postgresql-common/createcluster.conf";

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
        install: Install::Run(&["cargo install cargo-nextest --locked"]),
        need: Need::Test,
    },
    Tool {
        name: "the PostgreSQL server",
        // Distributions keep the server's programs off the path; the tests look where this does.
        check: r#"PATH="$PATH:$(pg_config --bindir)"; for bin in /usr/lib/postgresql/*/bin; do PATH="$PATH:$bin"; done
                  initdb --version && pg_ctl --version && postgres --version && psql --version"#,
        install: Install::Apt(POSTGRESQL),
        need: Need::Test,
    },
    Tool {
        name: "Node.js 20 or later",
        check: r#"npm --version && node -e 'process.exit(process.versions.node.split(".")[0] < 20 ? 1 : 0)'"#,
        install: Install::Apt("nodejs npm"),
        need: Need::Test,
    },
    Tool {
        name: "Chromium",
        check: "chromium --version",
        install: Install::Apt("chromium"),
        need: Need::Test,
    },
    Tool {
        name: "a font with Chinese characters",
        check: "fc-list :lang=zh | grep -q .",
        install: Install::Apt("fonts-noto-cjk"),
        need: Need::Screenshots,
    },
    Tool {
        name: "img2webp",
        check: "img2webp -version",
        install: Install::Apt("webp"),
        need: Need::Screenshots,
    },
    Tool {
        name: "Python's venv",
        check: "python3 -m ensurepip --version",
        install: Install::Apt("python3-venv"),
        need: Need::Test,
    },
    Tool {
        name: "schemathesis",
        check: "target/tools/schemathesis/bin/schemathesis --version",
        install: Install::Run(&[
            "python3 -m venv target/tools/schemathesis",
            "target/tools/schemathesis/bin/pip install --quiet --disable-pip-version-check schemathesis==4.32.5",
        ]),
        need: Need::Test,
    },
    Tool {
        name: "openapi-python-client and openapi-spec-validator",
        check: "target/tools/clients/bin/openapi-python-client --version && \
                target/tools/clients/bin/openapi-spec-validator --version",
        install: Install::Run(&[
            "python3 -m venv target/tools/clients",
            "target/tools/clients/bin/pip install --quiet --disable-pip-version-check \
             openapi-python-client==0.29.1 openapi-spec-validator==0.9.0",
        ]),
        need: Need::Test,
    },
    Tool {
        name: "oidc-provider, an identity provider to sign in by",
        check: "test -f target/tools/oidc-provider/node_modules/oidc-provider/package.json",
        install: Install::Run(&[
            "npm install --silent --no-audit --no-fund --prefix target/tools/oidc-provider \
                                 oidc-provider@9.13.3",
        ]),
        need: Need::Test,
    },
    Tool { name: "curl", check: "curl --version", install: Install::Apt("curl"), need: Need::Test },
    Tool { name: "jq", check: "jq --version", install: Install::Apt("jq"), need: Need::Test },
    Tool {
        name: "a nightly toolchain",
        check: "cargo +nightly --version",
        install: Install::Run(&["rustup toolchain install nightly --profile minimal"]),
        need: Need::Fuzz,
    },
    Tool {
        name: "cargo-fuzz",
        check: "cargo fuzz --version",
        install: Install::Run(&["cargo install cargo-fuzz --locked"]),
        need: Need::Fuzz,
    },
    Tool { name: "a C++ compiler", check: "c++ --version", install: Install::Apt("g++"), need: Need::Fuzz },
    Tool {
        name: "cargo-deny",
        check: "cargo deny --version",
        install: Install::Run(&["cargo install cargo-deny --locked"]),
        need: Need::Extra,
    },
];

impl Tool {
    fn package(&self) -> Option<&'static str> {
        match self.install {
            Install::Apt(package) => Some(package),
            Install::Run(_) | Install::ByHand(_) => None,
        }
    }
}

pub(crate) fn run(mut args: Args) -> Result<ExitCode> {
    let all = args.flag("--all");
    let fuzz = args.flag("--fuzz");
    args.finish()?;
    let needs: &[Need] = match (all, fuzz) {
        (true, _) => &[Need::Test, Need::Fuzz, Need::Screenshots, Need::Extra],
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
    Invocation::new("sh -c").arg(tool.check).answers()
}

/// Tries each; whether it worked is for the checks to say afterwards. Packages come first: the rest may need them.
fn install(missing: &[&Tool]) -> Result<()> {
    let packages: Vec<&str> = missing.iter().filter_map(|tool| tool.package()).collect();
    if !packages.is_empty() && is_root() {
        if packages.contains(&POSTGRESQL) {
            forbid_default_cluster(Path::new(CLUSTER_CONFIGURATION))?;
        }
        Invocation::new("apt-get update").run()?;
        let line = format!("apt-get install --yes --no-install-recommends {}", packages.join(" "));
        // The second variable keeps the configuration just written.
        Invocation::new(&line)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .env("UCF_FORCE_CONFFOLD", "1")
            .run()?;
    }
    for tool in missing {
        if let Install::Run(lines) = tool.install {
            for line in lines {
                if !Invocation::new(line).run()? {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// Tests make their own clusters; a server that runs all the time is not asked for. What the user chose stays.
fn forbid_default_cluster(file: &Path) -> Result<()> {
    let mut text = fs::read_to_string(file).unwrap_or_default();
    if text.lines().any(|line| line.trim_start().starts_with("create_main_cluster")) {
        return Ok(());
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str("create_main_cluster = false\n");
    let write = || {
        fs::create_dir_all(file.parent().unwrap_or(file))?;
        fs::write(file, &text)
    };
    write().with_context(|| format!("cannot write {}", file.display()))
}

fn is_root() -> bool {
    Invocation::new("id -u").read().is_ok_and(|id| id.trim() == "0")
}

/// What a person can do about a tool that is still missing.
fn remedy(tool: &Tool) -> String {
    let line = match tool.install {
        Install::Run(lines) => lines.join(" && "),
        Install::ByHand(line) => line.to_owned(),
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

    #[test]
    fn several_steps_are_a_remedy_to_be_typed_at_once() {
        let by_steps = Tool {
            name: "a tool",
            check: "true && false",
            install: Install::Run(&["make it", "try it"]),
            need: Need::Test,
        };
        assert!(!present(&by_steps));
        assert_eq!(remedy(&by_steps), "  a tool: make it && try it");
    }

    #[test]
    fn the_default_cluster_is_forbidden_unless_somebody_chose() {
        let folder = std::env::temp_dir().join(format!("croupier-setup-{}", std::process::id()));
        let file = folder.join("postgresql-common/createcluster.conf");
        let after = |before: Option<&str>| {
            if let Some(text) = before {
                fs::write(&file, text).unwrap();
            }
            forbid_default_cluster(&file).unwrap();
            fs::read_to_string(&file).unwrap()
        };
        assert_eq!(after(None), "create_main_cluster = false\n");
        let packaged = "# Default values\n#create_main_cluster = true";
        assert_eq!(after(Some(packaged)), format!("{packaged}\ncreate_main_cluster = false\n"));
        let chosen = "create_main_cluster = true\n";
        assert_eq!(after(Some(chosen)), chosen);
        fs::remove_dir_all(folder).unwrap();
    }
}
