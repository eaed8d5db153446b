//! Throw-away clusters: they answer, are shared by the processes of a run, and are gone afterwards.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::fs;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use croupier_testkit::postgres::{self, Cluster, Durability};
use croupier_testkit::process::Process;
use croupier_testkit::tempdir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_throw-away-postgres");
const SOON: Duration = Duration::from_secs(60);

/// The folder in `postgresql:///name?host=folder&user=postgres`.
fn host(url: &str) -> PathBuf {
    PathBuf::from(url.split_once("host=").unwrap().1.strip_suffix("&user=postgres").unwrap())
}

fn server_of(folder: &Path) -> u32 {
    let text = fs::read_to_string(folder.join("data/postmaster.pid")).unwrap();
    text.lines().next().unwrap().parse().unwrap()
}

fn runs(id: u32) -> bool {
    Command::new("sh").args(["-c", &format!("kill -0 {id} 2>&-")]).status().unwrap().success()
}

#[track_caller]
fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < SOON, "{what}");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn every_test_has_a_database_of_its_own() {
    let (one, other) = (postgres::database().unwrap(), postgres::database().unwrap());
    assert_eq!(one.query("select 1").unwrap(), "1");
    one.query("create table shoe (card text); insert into shoe values ('A♠')").unwrap();
    assert_eq!(one.query("select card, 8 from shoe").unwrap(), "A♠|8");
    let refused = other.query("select card from shoe").unwrap_err().to_string();
    assert!(refused.contains("relation \"shoe\" does not exist"), "{refused}");

    let name = one.name().to_owned();
    let count = format!("select count(*) from pg_database where datname = '{name}'");
    assert_eq!(other.query(&count).unwrap(), "1");
    drop(one);
    assert_eq!(other.query(&count).unwrap(), "0");
}

#[test]
fn a_cluster_of_ones_own_keeps_its_promise_and_ends_when_dropped() {
    for (durability, fsync) in [(Durability::Disk, "on"), (Durability::Memory, "off")] {
        let cluster = Cluster::start(durability).unwrap();
        let database = cluster.database().unwrap();
        assert_eq!(database.query("show fsync").unwrap(), fsync);
        assert_eq!(database.query("show synchronous_commit").unwrap(), "on");
        assert_eq!(database.query("show listen_addresses").unwrap(), "");
        let (folder, server) = (cluster.folder().to_owned(), server_of(cluster.folder()));
        assert!(runs(server));
        drop(database);
        drop(cluster);
        assert!(!folder.exists());
        wait_until("the server ends", || !runs(server));
    }
}

#[test]
fn a_panic_ends_a_cluster_of_ones_own() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let failing = thread::spawn(move || {
        let cluster = Cluster::start(Durability::Memory).unwrap();
        sender.send(cluster.folder().to_owned()).unwrap();
        assert!(!cluster.folder().exists(), "this test fails on purpose");
    });
    assert!(failing.join().is_err());
    assert!(!receiver.recv().unwrap().exists());
}

#[test]
fn the_processes_of_a_run_share_a_cluster_that_ends_with_the_run() {
    let folder = tempdir().unwrap();
    // The shell stands for nextest: it starts a process for each test and lives as long as the run.
    let script = r#"exec 3<&0; "$0" <&3 & "$0" <&3 & wait; "$0" </dev/null; echo over; exec sleep 2"#;
    let mut run = Command::new("sh");
    run.args(["-c", script, PROGRAM]);
    run.env("NEXTEST_RUN_ID", format!("self-test-{}", std::process::id()));
    let (reader, writer) = std::io::pipe().unwrap();
    run.stdin(reader);
    let mut run = Process::spawn(run, &folder.path().join("log")).unwrap();
    let urls = |run: &Process| -> Vec<String> {
        run.output().unwrap().lines().filter(|line| line.contains("://")).map(str::to_owned).collect()
    };
    wait_until("both tests have a database", || urls(&run).len() == 2);
    let first = urls(&run);
    let cluster = host(&first[0]);
    assert_eq!(host(&first[1]), cluster);
    assert_ne!(first[0], first[1]);
    let server = server_of(&cluster);

    // Both end; for a moment nobody but the run itself uses the cluster, and a third test finds it running.
    drop(writer);
    run.wait_for("over", SOON).unwrap();
    let all = urls(&run);
    assert_eq!(all.len(), 3, "{all:?}");
    assert_eq!(host(&all[2]), cluster);
    thread::sleep(Duration::from_millis(1_200));
    assert!(runs(server), "the run goes on, and so does its cluster");
    assert_eq!(server_of(&cluster), server);

    run.wait(SOON).unwrap();
    wait_until("the folder is removed", || !cluster.exists());
    wait_until("the server ends", || !runs(server));
}

#[test]
fn a_killed_test_leaves_nothing_behind() {
    let folder = tempdir().unwrap();
    let (reader, _writer) = std::io::pipe().unwrap();
    let mut command = Command::new(PROGRAM);
    command.env_remove("NEXTEST_RUN_ID").stdin(reader);
    let mut process = Process::spawn(command, &folder.path().join("log")).unwrap();
    let cluster = host(&process.wait_for("://", SOON).unwrap());
    let server = server_of(&cluster);
    assert!(runs(server));
    process.kill().unwrap();
    wait_until("the folder is removed", || !cluster.exists());
    wait_until("the server ends", || !runs(server));
}

#[test]
fn what_a_killed_run_left_is_removed_at_the_next_start() {
    let mut ended = Command::new("true").spawn().unwrap();
    let dead = ended.id();
    ended.wait().unwrap();
    let cluster = Cluster::start(Durability::Memory).unwrap();
    let parent = cluster.folder().parent().unwrap();
    let leave = |name: &str, user: u32| {
        let left = parent.join(format!("croupier-pg-left-{name}-{}", std::process::id()));
        fs::create_dir_all(left.join("users")).unwrap();
        fs::write(left.join("users").join(user.to_string()), "").unwrap();
        let owner = fs::metadata(cluster.folder()).unwrap();
        for path in [left.join("users"), left.clone()] {
            chown(path, Some(owner.uid()), Some(owner.gid())).unwrap();
        }
        left
    };
    let (unused, in_use) = (leave("unused", dead), leave("in-use", std::process::id()));
    let _next = Cluster::start(Durability::Memory).unwrap();
    wait_until("the folder of dead processes is removed", || !unused.exists());
    assert!(in_use.exists(), "the folder of living processes stays");
    fs::remove_dir_all(in_use).unwrap();
}
