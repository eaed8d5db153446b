//! Child processes: what they print is waited for, and they end with their test.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use croupier_testkit::process::Process;
use croupier_testkit::tempdir;

const SOON: Duration = Duration::from_secs(10);

fn shell(script: &str, folder: &Path) -> Process {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    Process::spawn(command, &folder.join("log")).unwrap()
}

/// True while the process runs; a signal that changes nothing is sent to find out.
fn runs(id: u32) -> bool {
    Command::new("sh").args(["-c", &format!("kill -0 {id} 2>&-")]).status().unwrap().success()
}

#[test]
fn a_line_is_waited_for_whole_on_either_channel() {
    let folder = tempdir().unwrap();
    let script =
        "echo starting; sleep 0.2; printf 'listening on ' >&2; sleep 0.2; echo 4711 >&2; exec sleep 60";
    let mut process = shell(script, folder.path());
    assert_eq!(process.wait_for("listening", SOON).unwrap(), "listening on 4711");
    assert_eq!(process.output().unwrap(), "starting\nlistening on 4711\n");
}

#[test]
fn waiting_ends_with_the_process_or_the_time_and_shows_the_output() {
    let folder = tempdir().unwrap();
    let mut ended = shell("echo no such port; exit 3", folder.path());
    let error = ended.wait_for("listening", SOON).unwrap_err().to_string();
    assert_eq!(error, "ended with exit status: 3 before `listening`:\nno such port\n");

    let folder = tempdir().unwrap();
    let mut silent = shell("echo starting; exec sleep 60", folder.path());
    silent.wait_for("starting", SOON).unwrap();
    let error = silent.wait_for("listening", Duration::from_millis(100)).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::TimedOut);
    assert_eq!(error.to_string(), "no line with `listening` within 100ms:\nstarting\n");
}

#[test]
fn a_process_is_asked_to_end_killed_or_dropped() {
    let folder = tempdir().unwrap();
    let mut polite =
        shell("trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.1; done", folder.path());
    polite.wait_for("up", SOON).unwrap();
    assert_eq!(polite.terminate(SOON).unwrap().code(), Some(7));
    assert!(polite.output().unwrap().ends_with("bye\n"));

    let folder = tempdir().unwrap();
    let mut deaf = shell("trap '' TERM; echo up; while :; do sleep 0.1; done", folder.path());
    deaf.wait_for("up", SOON).unwrap();
    assert!(deaf.terminate(Duration::from_millis(300)).is_err());
    assert_eq!(deaf.kill().unwrap().code(), None);

    let dropped = shell("exec sleep 60", folder.path());
    let (id, start) = (dropped.id(), Instant::now());
    assert!(runs(id));
    drop(dropped);
    assert!(!runs(id));
    assert!(start.elapsed() < SOON);
}
