//! PostgreSQL as an operator meets it: what is refused at the start and why, a start that waits, and a database that goes
//! away under a floor that plays.

#![expect(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use croupier_testkit::certificates::Authority;
use croupier_testkit::client::Client;
use croupier_testkit::floor::{Furniture, House, Seat};
use croupier_testkit::postgres::{Cluster, Durability};
use croupier_testkit::process::Process;
use serde_json::{Value, json};

const BINARY: &str = env!("CARGO_BIN_EXE_croupier");
const PATIENCE: Duration = Duration::from_secs(60);

fn serve(folder: &Path, listen: &str, url: &str) -> Command {
    let mut command = Command::new(BINARY);
    command.args(["serve", "--listen", listen, "--database", url, "--data"]).arg(folder.join("data"));
    command
}

/// What `serve` says when it does not start.
fn refused(folder: &Path, url: &str) -> String {
    let ran = serve(folder, "127.0.0.1:0", url).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert_eq!(ran.status.code(), Some(2), "{said}");
    assert!(!said.contains("sesame"), "the password is told: {said}");
    said
}

#[test]
fn what_could_be_read_or_lost_on_the_way_is_refused_with_what_to_write() {
    let folder = croupier_testkit::tempdir().unwrap();
    let (ours, theirs) = (Authority::new("ours").unwrap(), Authority::new("theirs").unwrap());
    let right = ours.write(folder.path(), "ours.pem").unwrap();
    let wrong = theirs.write(folder.path(), "theirs.pem").unwrap();
    let plain = Cluster::listen(Durability::Memory, None).unwrap();
    let certificate = ours.sign(&["127.0.0.1"]).unwrap();
    let secure = Cluster::listen(Durability::Memory, Some(&certificate)).unwrap();
    let url = |cluster: &Cluster, host: &str, parameters: &str| {
        format!("postgresql://postgres:sesame@{host}:{}/postgres?{parameters}", cluster.port())
    };
    let checked = |root: &Path| format!("sslmode=verify-full&sslrootcert={}", root.display());
    for (url, says) in [
        (url(&plain, "0.0.0.0", ""), "write sslmode=disable into the URL"),
        (url(&secure, "127.0.0.1", &checked(&wrong)), "the server's certificate is not accepted"),
        (url(&secure, "0.0.0.0", &checked(&right)), "the host of the URL must be among its names"),
        (url(&secure, "127.0.0.1", "sslmode=verify-full"), "sslrootcert="),
        (url(&plain, "127.0.0.1", "options=-c%20synchronous_commit%3Doff"), "synchronous_commit is `off`"),
    ] {
        let said = refused(folder.path(), &url);
        assert!(said.contains(says), "{url}: {said}");
    }
    let good = url(&secure, "127.0.0.1", &checked(&right));
    let mut house =
        House::start(Path::new(BINARY), &folder.path().join("good"), &["--database", &good]).unwrap();
    house.furnish(1, 1).unwrap();
    house.stop().unwrap();
    assert!(!house.output().unwrap().contains("sesame"));
}

#[test]
fn a_start_waits_for_the_database_and_can_be_stopped_meanwhile() {
    let folder = croupier_testkit::tempdir().unwrap();
    let cluster = Cluster::start(Durability::Memory).unwrap();
    let database = cluster.database().unwrap();
    cluster.crash().unwrap();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let start = |log: &str| {
        let command = serve(folder.path(), &free, &database.url());
        let mut process = Process::spawn(command, &folder.path().join(log)).unwrap();
        process.wait_for("waiting for the database", PATIENCE).unwrap();
        process
    };
    let mut process = start("first");
    let answer = Client::new(&format!("http://{free}")).get("/readyz").unwrap();
    assert_eq!((answer.status, &answer.body["doing"]), (503, &json!("waiting for the database")));
    assert!(process.terminate(PATIENCE).unwrap().success());
    assert!(process.output().unwrap().contains("nothing was begun"));

    let mut process = start("second");
    cluster.start_again().unwrap();
    process.wait_for("Create the administrator", PATIENCE).unwrap();
    assert_eq!(Client::new(&format!("http://{free}")).get("/readyz").unwrap().status, 200);
    // A stop while it is away does not wait for ever, and says what is not known.
    cluster.crash().unwrap();
    assert!(!process.terminate(PATIENCE).unwrap().success());
    let said = process.output().unwrap();
    assert!(said.contains("the database did not answer while the server stopped"), "{said}");
    cluster.start_again().unwrap();
}

/// A command that was answered.
#[derive(Clone)]
struct Answered {
    seat: Seat,
    body: Value,
    answer: Value,
}

#[test]
fn a_floor_plays_on_when_its_database_was_away() {
    let cluster = Cluster::start(Durability::Disk).unwrap();
    let database = cluster.database().unwrap();
    let url = database.url();
    let folder = croupier_testkit::tempdir().unwrap();
    let mut house = House::start(Path::new(BINARY), folder.path(), &["--database", &url]).unwrap();
    let mut seats = house.furnish(1, 3).unwrap();
    let dealing = house.open(Furniture { automatic: true, betting_seconds: 5 }).unwrap();
    seats.push(house.come(dealing, 1).unwrap());

    let (answered, over) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
    let players: Vec<_> = seats
        .iter()
        .map(|seat| {
            let (seat, client) = (seat.clone(), house.client(&seat.token));
            let (answered, over) = (Arc::clone(&answered), Arc::clone(&over));
            std::thread::spawn(move || bet(&client, &seat, &over, &answered))
        })
        .collect();
    let count = || answered.lock().unwrap().len();
    for kills in [false, true, false] {
        let before = count();
        wait_until("bets", || count() > before + 10);
        if kills {
            cluster.kill().unwrap();
        } else {
            cluster.crash().unwrap();
        }
        wait_until("the truth", || {
            let answer = house.boss().get("/readyz").unwrap();
            answer.status == 503 && answer.body["code"] == "journal-waits"
        });
        // What is known without the database is told: the table is seen.
        house.boss().get(&format!("/api/tables/{}", seats[0].table)).unwrap().good().unwrap();
        std::thread::sleep(Duration::from_secs(1));
        cluster.start_again().unwrap();
        let before = count();
        wait_until("bets after it", || count() > before + 10);
        assert_eq!(house.boss().get("/readyz").unwrap().status, 200);
    }
    over.store(true, Ordering::Relaxed);
    players.into_iter().for_each(|player| player.join().unwrap());

    // The same id answers the same, so the command is there, and was carried out once.
    let answered = Arc::into_inner(answered).unwrap().into_inner().unwrap();
    for Answered { seat, body, answer } in &answered {
        let path = format!("/api/tables/{}/commands", seat.table);
        let again = house.client(&seat.token).post(&path, body).unwrap();
        assert_eq!((again.status, &again.body), (200, answer), "{body}");
    }
    house.stop().unwrap();
    let said = house.output().unwrap();
    assert!(!said.contains("panicked"), "{said}");
    assert_eq!(said.matches("the database is away").count(), 3, "{said}");

    let found = database
        .query("SELECT count(*), count(DISTINCT command) FROM journal WHERE command LIKE 'b-%'")
        .unwrap();
    let (all, different) = found.split_once('|').unwrap();
    assert_eq!(all, different);
    assert!(all.parse::<usize>().unwrap() >= answered.len());
    let verified = Command::new(BINARY).args(["verify", &url]).output().unwrap();
    let said = String::from_utf8_lossy(&verified.stdout).into_owned();
    assert!(verified.status.success(), "{said}{}", String::from_utf8_lossy(&verified.stderr));
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what} takes too long");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Bets until it is over; nobody is told anything but the truth.
fn bet(client: &Client, seat: &Seat, over: &AtomicBool, answered: &Mutex<Vec<Answered>>) {
    let path = format!("/api/tables/{}/commands", seat.table);
    for number in 0.. {
        let place = json!({
            "player": seat.player, "bet": number % 2, "amount": 100, "in_chips": true, "untimed": false,
        });
        let body = json!({"id": format!("b-{}-{number}", seat.player), "action": {"place": place}});
        let answer = client.post(&path, &body).unwrap();
        match answer.status {
            200 => {
                let done = Answered { seat: seat.clone(), body, answer: answer.body };
                answered.lock().unwrap().push(done);
            }
            // Betting is closed at the moment at the table that deals by itself.
            422 | 409 => std::thread::sleep(Duration::from_millis(5)),
            // It may be asked again, and is not here: all that was answered is checked.
            503 if answer.body["code"] == "fate-unknown" => {}
            other => assert_eq!(other, 200, "{}", answer.body),
        }
        if over.load(Ordering::Relaxed) {
            return;
        }
    }
}

#[test]
fn a_start_waits_for_the_session_of_a_server_that_was_killed() {
    let folder = croupier_testkit::tempdir().unwrap();
    let cluster = Cluster::start(Durability::Memory).unwrap();
    let database = cluster.database().unwrap();
    let url = database.url();
    let mut house = House::start(Path::new(BINARY), folder.path(), &["--database", &url]).unwrap();
    house.stop().unwrap();
    // A session that holds the right to append for some seconds more, as that of a killed server does.
    let lock = i64::from_be_bytes(*b"croupier");
    let held = std::thread::spawn(move || {
        database.query(&format!("SELECT pg_advisory_lock({lock}), pg_sleep(4)")).map(|_| database)
    });
    std::thread::sleep(Duration::from_secs(1));
    house.start_again().unwrap();
    let said = house.output().unwrap();
    assert!(said.contains("another croupier has this database; waiting for its session to end"), "{said}");
    // Nobody is waited for who stays: while this one runs, another is refused.
    let _database = held.join().unwrap().unwrap();
    let said = refused(folder.path(), &url);
    assert!(said.contains("is in use by another croupier"), "{said}");
}

#[test]
fn a_database_without_a_standby_is_warned_of_or_refused() {
    let folder = croupier_testkit::tempdir().unwrap();
    let cluster = Cluster::start(Durability::Memory).unwrap();
    let database = cluster.database().unwrap();
    let house = House::start(Path::new(BINARY), &folder.path().join("one"), &["--database", &database.url()]);
    let mut house = house.unwrap();
    let said = house.output().unwrap();
    assert!(said.contains("synchronous_standby_names is empty"), "{said}");
    house.stop().unwrap();
    let config = folder.path().join("croupier.toml");
    std::fs::write(&config, "require_standby = true\n").unwrap();
    let sqlite = folder.path().join("floor.sqlite").display().to_string();
    for (url, says) in [
        (database.url(), "require_standby: synchronous_standby_names is empty"),
        (sqlite, "require_standby: it is for PostgreSQL"),
    ] {
        let ran = serve(folder.path(), "127.0.0.1:0", &url).arg("--config").arg(&config).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.code() == Some(2) && said.contains(says), "{said}");
    }
}
