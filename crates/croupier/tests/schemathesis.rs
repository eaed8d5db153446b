//! The whole interface under a tool that makes requests up from its document: as nobody and in every role, no request
//! may fail through our fault, and every answer must be one that the document describes.

#![expect(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use croupier_testkit::client::Client;
use croupier_testkit::process::Process;
use serde_json::json;

/// Where `cargo xtask setup` puts it.
const TOOL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/tools/schemathesis/bin/schemathesis");
const CHECKS: &str =
    "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance";

fn check(role: Option<&str>) {
    assert!(Path::new(TOOL).exists(), "schemathesis is missing; `cargo xtask setup` installs it");
    let folder = croupier_testkit::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    command.args(["demo", "--memory", "--pace", "50", "--listen", "127.0.0.1:0"]);
    command.env("CROUPIER_LOG", "error");
    let mut demo = Process::spawn(command, &folder.path().join("log")).unwrap();
    let line = demo.wait_for(" on http://", Duration::from_secs(60)).unwrap();
    demo.wait_for("Ready.", Duration::from_secs(60)).unwrap();
    let base = line.split(" on ").nth(1).unwrap().to_string();

    let long = std::env::var_os("CROUPIER_LONG").is_some();
    let mut tool = Command::new(TOOL);
    tool.arg("run").arg(format!("{base}/api/openapi.json"));
    tool.args(["--checks", CHECKS, "--no-color", "--seed", "1", "--generation-deterministic"]);
    tool.args(["--phases", "examples,coverage,fuzzing", "--max-examples", if long { "200" } else { "12" }]);
    tool.args(["--request-timeout", "30", "-H", &format!("Origin: {base}")]);
    if let Some(role) = role {
        let signed_in = Client::new(&base).post("/api/demo/sign-in", &json!({"role": role})).unwrap();
        tool.args(["-H", &format!("Cookie: {}", signed_in.cookie.unwrap())]);
    }
    let output = tool.current_dir(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{role:?}: {said}\n{}", demo.output().unwrap());
    Client::new(&base).get("/readyz").unwrap().good().unwrap();
}

macro_rules! roles {
    ($($name:ident = $role:expr;)+) => {
        mod nothing_breaks_as {
            $(#[test] fn $name() { super::check($role); })+
        }
    };
}

roles! {
    nobody = None;
    a_player = Some("player");
    a_dealer = Some("dealer");
    an_inspector = Some("inspector");
    a_pit_manager = Some("pit-manager");
    a_shift_manager = Some("shift-manager");
    a_cashier = Some("cashier");
    surveillance = Some("surveillance");
    an_auditor = Some("auditor");
    an_administrator = Some("admin");
}
