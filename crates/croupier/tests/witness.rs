//! Witnesses of checkpoints: each is sent, in order, and one that is away holds nobody up.

#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

mod common;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use common::croupier;
use croupier_testkit::floor::House;
use serde_json::json;

const BINARY: &str = env!("CARGO_BIN_EXE_croupier");
const PATIENCE: Duration = Duration::from_secs(60);

/// A witness that answers as it is told, and has what it acknowledged.
struct Outside {
    address: String,
    answers: Arc<AtomicU16>,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Outside {
    fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/floor", listener.local_addr().unwrap());
        let (answers, lines) = (Arc::new(AtomicU16::new(204)), Arc::new(Mutex::new(Vec::new())));
        let (status, kept) = (Arc::clone(&answers), Arc::clone(&lines));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut reader = BufReader::new(stream.unwrap());
                let (mut length, mut line) = (0, String::new());
                let mut is_known = false;
                while reader.read_line(&mut line).unwrap() > 2 {
                    let lower = line.to_lowercase();
                    if let Some(number) = lower.strip_prefix("content-length:") {
                        length = number.trim().parse().unwrap();
                    }
                    is_known |= line.trim() == "authorization: Bearer a word between us";
                    line.clear();
                }
                let mut body = vec![0; length];
                reader.read_exact(&mut body).unwrap();
                let code = if is_known { status.load(Ordering::SeqCst) } else { 401 };
                if code == 204 {
                    kept.lock().unwrap().push(String::from_utf8(body).unwrap());
                }
                let answer =
                    format!("HTTP/1.1 {code} Told\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
                reader.get_mut().write_all(answer.as_bytes()).unwrap();
            }
        });
        Self { address, answers, lines }
    }
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_witness_has_every_checkpoint_and_holds_nobody_up() {
    let folder = croupier_testkit::tempdir().unwrap();
    let outside = Outside::open();
    outside.answers.store(500, Ordering::SeqCst);
    let (token, file) = (folder.path().join("token"), folder.path().join("elsewhere.jsonl"));
    std::fs::write(&token, "a word between us\n").unwrap();
    let settings = format!(
        "[people.cost]\nmemory_kib = 64\npasses = 1\nat_once = 4\n[witness]\nurl = \"{}\"\ntoken_file = \"{}\"\n\
         file = \"{}\"\n",
        outside.address,
        token.display(),
        file.display()
    );
    let data = folder.path().join("data");
    let mut house = House::start_with(Path::new(BINARY), &data, &[], &settings).unwrap();
    // It refuses: the floor is well, and says how many the witness lacks.
    let ready = |house: &House| house.boss().get("/readyz").unwrap();
    wait_until("told that it is behind", || ready(&house).body["witness_behind"].as_u64() > Some(0));
    assert_eq!(ready(&house).status, 200);
    let new = json!({"name": "anna", "grants": ["player"]});
    house.boss().post("/api/people", &new).unwrap().good().unwrap();
    let log = house.output().unwrap();
    assert!(log.contains("a checkpoint could not be sent to its witness"), "{log}");
    // It is there again, and gets all of them in their order.
    outside.answers.store(204, Ordering::SeqCst);
    wait_until("told everything", || ready(&house).body["witness_behind"].as_u64() == Some(0));
    house.stop().unwrap();
    let own = std::fs::read_to_string(data.join("checkpoints.jsonl")).unwrap();
    let told: String = outside.lines.lock().unwrap().iter().map(|line| format!("{line}\n")).collect();
    assert_eq!(told, own, "to the byte, with that of the stop");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), own);
    // Nothing is sent twice after a restart.
    house.start_again().unwrap();
    house.stop().unwrap();
    let own = std::fs::read_to_string(data.join("checkpoints.jsonl")).unwrap();
    let told: String = outside.lines.lock().unwrap().iter().map(|line| format!("{line}\n")).collect();
    assert_eq!(told, own);

    let witness = folder.path().join("witness.jsonl");
    std::fs::write(&witness, &told).unwrap();
    let verify = |more: &[&str]| {
        let place = ["verify", data.to_str().unwrap(), "--witness", witness.to_str().unwrap()];
        croupier(&[&place, more].concat(), "")
    };
    let ran = verify(&[]);
    assert!(ran.code == Some(0) && ran.out.contains("all is well"), "{}{}", ran.out, ran.err);
    // Cut back together with its checkpoints, the journal alone would be believed.
    let cut = folder.path().join("cut.jsonl");
    let lines: Vec<&str> = own.lines().collect();
    let mut kept = lines[..lines.len() - 1].join("\n");
    kept.push('\n');
    std::fs::write(&cut, kept).unwrap();
    let ran = verify(&["--checkpoints", cut.to_str().unwrap()]);
    assert!(ran.code == Some(1) && ran.err.contains("its end was cut off"), "{:?} {}", ran.code, ran.err);
    std::fs::write(&witness, told.replacen("\"position\":", "\"position\": ", 1)).unwrap();
    let ran = verify(&[]);
    assert!(ran.code == Some(1) && ran.err.contains("has another one under this number"), "{}", ran.err);
}

#[test]
fn a_witness_that_cannot_be_meant_is_found_before_the_floor_opens() {
    let folder = croupier_testkit::tempdir().unwrap();
    for (section, says) in [
        ("url = \"http://witness.example\"", "write an https:// address"),
        ("file = \"no/such/folder\"", "file: no/such/folder:"),
        ("token_file = \"no\"", "for a url"),
        ("url = \"http://127.0.0.1:1/\"\ntoken_file = \"no\"", "token_file: no:"),
    ] {
        let config = folder.path().join("wrong.toml");
        std::fs::write(&config, format!("[witness]\n{section}\n")).unwrap();
        let data = folder.path().join("data");
        let args = ["serve", "--listen", "127.0.0.1:0", "--data", data.to_str().unwrap(), "--config"];
        let ran = croupier(&[&args[..], &[config.to_str().unwrap()]].concat(), "");
        assert!(ran.code == Some(2) && ran.err.contains(says), "{section}: {:?} {}", ran.code, ran.err);
    }
}
