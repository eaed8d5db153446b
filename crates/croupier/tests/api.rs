//! The HTTP interface as integrators meet it: the document passes a validator, the guide leads from nothing to a bet, and
//! the clients that others' tools generate from the document play a round.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

const BINARY: &str = env!("CARGO_BIN_EXE_croupier");

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Where `cargo xtask setup` puts tools of Python.
fn tools() -> PathBuf {
    root().join("target/tools/clients/bin")
}

#[test]
fn the_document_passes_the_validator_of_openapi() {
    let validator = tools().join("openapi-spec-validator");
    let check = |path: &Path| {
        let output = Command::new(&validator).args(["--schema", "3.1.0"]).arg(path).output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let document = root().join("web/openapi.json");
    let (is_valid, said) = check(&document);
    assert!(is_valid, "{said}");
    // It would find what it is for.
    let folder = croupier_testkit::tempdir().unwrap();
    let planted = folder.path().join("planted.json");
    let text = fs::read_to_string(document).unwrap().replacen("\"description\"", "\"descriptoin\"", 400);
    fs::write(&planted, text).unwrap();
    assert!(!check(&planted).0);
}

/// The blocks of a page that are commands for a shell, up to and with those of the clients.
fn commands(page: &str) -> String {
    let mut script = String::new();
    let mut inside = false;
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(language) => inside = !inside && language.starts_with("sh"),
            None if inside => script.push_str(&format!("{line}\n")),
            None => {}
        }
    }
    script
}

#[test]
fn the_guide_leads_to_a_bet_and_generated_clients_play() {
    let folder = croupier_testkit::tempdir().unwrap();
    let page = fs::read_to_string(root().join("docs/api.md")).unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let script: String = commands(&page)
        .replace("127.0.0.1:8080", &format!("127.0.0.1:{port}"))
        .lines()
        // The packages are those of the browser UI.
        .filter(|line| !line.starts_with("npm install"))
        .map(|line| format!("{line}\n"))
        .collect();
    assert!(script.contains("croupier serve") && script.contains("node play.js"), "{script}");
    let script = format!("set -eu\ntrap 'kill $SERVER; cat floor.log >&2' EXIT\n{script}");
    fs::write(folder.path().join("guide.sh"), script).unwrap();
    fs::write(folder.path().join("package.json"), "{}").unwrap();
    for file in ["docs/api/play.py", "docs/api/play.ts", "docs/formats/check.py"] {
        let file = root().join(file);
        fs::copy(&file, folder.path().join(file.file_name().unwrap())).unwrap();
    }
    let modules = fs::canonicalize(root().join("web/node_modules")).unwrap();
    std::os::unix::fs::symlink(&modules, folder.path().join("node_modules")).unwrap();

    let own = Path::new(BINARY).parent().unwrap().to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let tools = fs::canonicalize(tools()).unwrap();
    let path = std::env::join_paths([own, tools].into_iter().chain(std::env::split_paths(&path))).unwrap();
    let mut shell = Command::new("timeout");
    shell.args(["300", "sh", "guide.sh"]).current_dir(folder.path()).env("PATH", path);
    let output = shell.env_remove("PYTHONPATH").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{complained}");
    assert!(said.contains("cards are proved"), "{said}");
    // The guide's own round, and one by each client.
    assert!(said.contains("\"net\":"), "{said}");
    assert_eq!(said.matches("laid 10.00 on").count(), 2, "{said}");
    assert_eq!(said.matches(" brought ").count(), 2, "{said}");
}
