//! Builds the UI with npm and lists its files for the library to carry.
//!
//! Packages are fetched only when the lock file changed, and the UI is built only when its sources changed.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, bail, ensure};

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
    let out = PathBuf::from(std::env::var_os("OUT_DIR").context("cargo names the folder to write to")?);
    let site = out.join("site");
    let mut files = Vec::new();
    if std::env::var_os("CARGO_FEATURE_UI").is_some() {
        let web = PathBuf::from(
            std::env::var_os("CARGO_MANIFEST_DIR").context("cargo names the folder of the package")?,
        )
        .join("../../web");
        let web = fs::canonicalize(&web).with_context(|| format!("{} is missing", web.display()))?;
        for source in SOURCES {
            println!("cargo::rerun-if-changed={}", web.join(source).display());
        }
        build(&web, &site)?;
        list(&site, &mut files)?;
        files.sort();
    }
    fs::write(out.join("files.rs"), table(&site, &files)?)?;
    Ok(())
}

/// Builds the UI into a folder.
fn build(web: &Path, site: &Path) -> Result<()> {
    let has_node = Command::new("npm").arg("--version").output().is_ok_and(|output| output.status.success());
    ensure!(
        has_node,
        "the browser UI is built with Node.js 20 or later, and `npm` is not here: install it, \
         or build without the UI: --no-default-features"
    );
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
