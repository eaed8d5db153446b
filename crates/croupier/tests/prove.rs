//! The suites of `cargo xtask prove` in short, each after it has found the faults that were planted for it. Nothing
//! here is timed: the figures are for a run by hand.

use std::path::Path;

use croupier_testkit::prove::failover::Fault;
use croupier_testkit::prove::{crash, disk, doors, failover};

const BINARY: &str = env!("CARGO_BIN_EXE_croupier");

fn binary() -> &'static Path {
    Path::new(BINARY)
}

#[test]
fn a_floor_that_lost_or_doubled_something_is_found() {
    crash::planted(binary()).unwrap();
}

#[test]
fn what_was_answered_survives_power_cuts() {
    let report = crash::run(binary(), &crash::Options { kills: 25, database: None, tells: false }).unwrap();
    assert!(report.is_good(), "{report}");
}

#[test]
fn what_was_answered_survives_power_cuts_on_postgresql() {
    let database = croupier_testkit::postgres::database().unwrap();
    let options = crash::Options { kills: 8, database: Some(database.url()), tells: false };
    let report = crash::run(binary(), &options).unwrap();
    assert!(report.is_good(), "{report}");
}

#[test]
fn nodes_that_lost_or_doubled_something_are_found() {
    let database = croupier_testkit::postgres::database().unwrap();
    failover::planted(binary(), database.url()).unwrap();
}

#[test]
fn what_was_answered_survives_the_node_that_answered() {
    let database = croupier_testkit::postgres::database().unwrap();
    let options = failover::Options {
        database: database.url(),
        faults: vec![Fault::LeaderKilled, Fault::RollingRestart, Fault::LeaderPaused, Fault::FollowerKilled],
        lease_seconds: 2,
        strike: &|_| Ok(()),
        tells: true,
    };
    let report = failover::run(binary(), &options).unwrap();
    assert!(report.is_good(), "{report}");
}

#[test]
fn a_disk_that_keeps_nothing_is_found() {
    disk::planted(binary()).unwrap();
}

#[test]
fn a_failing_disk_loses_nothing_that_was_answered() {
    let report = disk::run(binary(), &disk::Options { step: 8, last: 1, tells: false }).unwrap();
    assert!(report.is_good(), "{report}");
}

#[test]
fn a_server_that_stands_still_is_found() {
    doors::planted(binary()).unwrap();
}

#[test]
fn a_crowd_at_the_doors_does_not_keep_a_player_from_betting() {
    let crowds = doors::Options { silent: 400, deaf: 80, floods: 1, seconds: 5, is_timed: false };
    let report = doors::run(binary(), &crowds).unwrap();
    assert!(report.is_good(), "{report}");
}

#[test]
fn guesses_take_no_more_memory_the_more_there_are() {
    // Four threads at the door, of 19 MB each; without memory of their own they took 58 each, and more.
    let added = doors::memory_of_guesses(binary(), 40).unwrap();
    assert!(added < 130, "{added} MB");
}
