//! Runs the binary as its users do.

#![expect(clippy::expect_used, reason = "helpers fail a test by panicking")]

use std::io::Write as _;
use std::process::{Command, Stdio};

/// What a run printed and how it ended.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs `croupier` with arguments and standard input, in the project's folder.
pub(crate) fn croupier(args: &[&str], input: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(args)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    let input = input.to_string();
    // A run that ends before it reads everything closes the pipe; that is not this helper's concern.
    let writer = std::thread::spawn(move || pipe.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the binary ends");
    let _ = writer.join();
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}
