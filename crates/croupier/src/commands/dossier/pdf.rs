//! The page as a PDF, by a browser of the machine: nothing else sets HTML as well, and what is submitted is the same
//! document that is read on a screen. See decision 0029.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};

/// Browsers that print, in the order in which they are tried.
const BROWSERS: [&str; 6] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];

/// Prints a page into a file.
pub(super) fn print(page: &str, file: &Path, browser: Option<&Path>) -> anyhow::Result<()> {
    let name = file.display();
    let Some(browser) = browser.map(PathBuf::from).or_else(find) else {
        bail!(
            "no browser was found that prints PDF ({}); name one with --browser, or leave --pdf out and print the page",
            BROWSERS.join(", ")
        );
    };
    let folder = std::env::temp_dir().join(format!("croupier-dossier-{}", std::process::id()));
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let printed = print_in(&folder, page, file, &browser);
    let _ = std::fs::remove_dir_all(&folder);
    printed?;
    if !file.is_file() {
        bail!("{} ended without writing {name}", browser.display());
    }
    Ok(())
}

fn print_in(folder: &Path, page: &str, file: &Path, browser: &Path) -> anyhow::Result<()> {
    let html = folder.join("dossier.html");
    std::fs::write(&html, page).with_context(|| format!("cannot write {}", html.display()))?;
    let target = std::path::absolute(file).with_context(|| format!("cannot write {}", file.display()))?;
    // An older file must not pass for this one.
    if target.exists() {
        std::fs::remove_file(&target).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let flag = |name: &str, path: &Path| {
        let mut flag = std::ffi::OsString::from(name);
        flag.push(path);
        flag
    };
    let mut url = std::ffi::OsString::from("file://");
    url.push(&html);
    let ran = Command::new(browser)
        .args(["--headless", "--disable-gpu", "--no-sandbox", "--no-pdf-header-footer"])
        .arg(flag("--user-data-dir=", &folder.join("profile")))
        .arg(flag("--print-to-pdf=", &target))
        .arg(url)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .with_context(|| format!("cannot run {}", browser.display()))?;
    if ran.success() { Ok(()) } else { bail!("{} could not print the page: {ran}", browser.display()) }
}

/// The first browser on the search path.
fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    BROWSERS
        .iter()
        .find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file()))
}
