//! Builds the UI with npm and lists its files for the library to carry; without npm, it takes those of `site/`.
//!
//! Packages are fetched only when the lock file changed, and the UI is built only when its sources changed.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, bail};

/// What the UI is made of, below `web/`.
const SOURCES: [&str; 8] = [
    "src",
    "public",
    "index.html",
    "package.json",
    "package-lock.json",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.ts",
];

/// The UI as it was last built, kept in the repository for those who have no Node.js.
const KEPT: &str = "site";

/// Says which of the two is carried, where npm alone should not decide.
const CHOICE: &str = "CROUPIER_UI";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            for line in format!("{error:#}").lines() {
                println!("cargo::error={line}");
            }
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={KEPT}");
    println!("cargo::rerun-if-env-changed={CHOICE}");
    println!("cargo::rustc-check-cfg=cfg(built_by_npm)");
    let folder =
        |name| std::env::var_os(name).map(PathBuf::from).with_context(|| format!("cargo sets {name}"));
    let (package, out) = (folder("CARGO_MANIFEST_DIR")?, folder("OUT_DIR")?);
    let mut site = out.join("site");
    let mut files = Vec::new();
    if std::env::var_os("CARGO_FEATURE_UI").is_some() {
        let web = package.join("../../web");
        let web = fs::canonicalize(&web).with_context(|| format!("{} is missing", web.display()))?;
        for source in SOURCES {
            println!("cargo::rerun-if-changed={}", web.join(source).display());
        }
        match is_to_be_built()? {
            true => {
                build(&web, &site)?;
                println!("cargo::rustc-cfg=built_by_npm");
            }
            false => site = package.join(KEPT),
        }
        list(&site, &mut files)?;
        files.sort();
    }
    fs::write(out.join("files.rs"), table(&site, &files)?)?;
    Ok(())
}

/// Whether the UI is built here: unless told otherwise, where npm is.
fn is_to_be_built() -> Result<bool> {
    let choice = std::env::var(CHOICE).ok();
    match choice.as_deref() {
        None => Ok(Command::new("npm").arg("--version").output().is_ok_and(|said| said.status.success())),
        Some("build") => Ok(true),
        Some("kept") => Ok(false),
        Some(other) => bail!("{CHOICE} is `build` or `kept`, not `{other}`"),
    }
}

/// Builds the UI into a folder.
fn build(web: &Path, site: &Path) -> Result<()> {
    // Two builds may run at once, in other target folders; they share the packages.
    let lock = fs::File::create(web.join(".build-lock")).context("web/ cannot be written to")?;
    lock.lock()?;
    let wanted = fs::read(web.join("package-lock.json"))?;
    let stamp = web.join("node_modules/.installed-lock");
    if fs::read(&stamp).ok().as_deref() != Some(wanted.as_slice()) {
        npm(web, &["ci", "--no-audit", "--no-fund"])?;
        fs::write(&stamp, &wanted)?;
    }
    let folder = site.to_str().context("the target folder has a name that is no text")?;
    npm(web, &["run", "build", "--", "--outDir", folder])
}

fn npm(web: &Path, arguments: &[&str]) -> Result<()> {
    let said = Command::new("npm").args(arguments).current_dir(web).output().context("npm cannot be run")?;
    if !said.status.success() {
        let (out, err) = (String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
        bail!("in web/, npm {} failed:\n{out}{err}", arguments.join(" "));
    }
    Ok(())
}

/// Every file below a folder.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => list(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}

/// The files as an expression of Rust; what was compressed is beside what it was made from.
fn table(site: &Path, files: &[PathBuf]) -> Result<String> {
    let mut text = String::from("&[\n");
    for file in files.iter().filter(|file| file.extension().is_none_or(|extension| extension != "br")) {
        let name =
            file.strip_prefix(site)?.to_str().context("a file of the UI has a name that is no text")?;
        let small = PathBuf::from(format!("{}.br", file.display()));
        let small = match small.is_file() {
            true => format!("Some(include_bytes!({small:?}))"),
            false => "None".to_string(),
        };
        writeln!(
            text,
            "    File {{ path: {:?}, plain: include_bytes!({file:?}), small: {small} }},",
            format!("/{name}")
        )?;
    }
    text.push_str("]\n");
    Ok(text)
}
