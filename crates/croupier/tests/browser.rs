//! The browser UI, in a real browser against the real server: the specifications in `web/tests`.

use std::path::Path;
use std::process::Command;

#[test]
fn the_browser_ui_works() {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    assert!(
        web.join("node_modules").exists(),
        "the packages of web/ are missing; building `croupier` fetches them"
    );
    let mut tests = Command::new("npm");
    tests.args(["run", "browser"]).current_dir(web).env("CROUPIER_BIN", env!("CARGO_BIN_EXE_croupier"));
    let output = tests.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
}
