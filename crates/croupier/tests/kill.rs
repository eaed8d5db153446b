//! The power goes, again and again, in the middle of betting, dealing and settling. Whatever was answered is there
//! afterwards, once; the books balance; and the whole journal verifies.

#![expect(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use croupier_testkit::client::Client;
use croupier_testkit::floor::{Furniture, House, Seat};
use serde_json::{Value, json};

const KILLS: usize = 50;
const BINARY: &str = env!("CARGO_BIN_EXE_croupier");

/// A command that was answered.
#[derive(Clone)]
struct Answered {
    seat: Seat,
    body: Value,
    answer: Value,
}

#[test]
fn what_was_answered_survives_fifty_power_cuts() {
    let folder = croupier_testkit::tempdir().unwrap();
    let mut house = House::start(Path::new(BINARY), folder.path(), &[]).unwrap();
    // One table where betting stays open, and one that deals by itself with hardly a pause.
    let mut seats = house.furnish(1, 3).unwrap();
    let dealing = house.open(Furniture { automatic: true, betting_seconds: 5 }).unwrap();
    for seat in 1..=3 {
        seats.push(house.come(dealing, seat).unwrap());
    }
    let mut checked = 0;
    for kill in 0..KILLS {
        let answered = play_until_killed(&mut house, &seats, kill);
        house.start_again().unwrap();
        // The same id answers the same, so the command is there, and was carried out once.
        for Answered { seat, body, answer } in &answered {
            let path = format!("/api/tables/{}/commands", seat.table);
            let again = house.client(&seat.token).post(&path, body).unwrap();
            assert_eq!((again.status, &again.body), (200, answer), "kill {kill}: {body}");
        }
        checked += answered.len();
        house.boss().get("/readyz").unwrap().good().unwrap();
    }
    assert!(checked > KILLS * 5, "only {checked} commands were answered between {KILLS} kills");
    // Rounds that were cut off are on record as such: the power did go while cards were out.
    let journal = house.boss().get("/api/audit/export").unwrap().good().unwrap();
    let cut_off = journal.as_str().unwrap().matches(r#""irregularity":"power-failure"#).count();
    assert!(cut_off >= 3, "only {cut_off} rounds were cut off by {KILLS} kills");
    house.stop().unwrap();

    let verified = Command::new(BINARY).arg("verify").arg(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&verified.stdout).into_owned();
    assert!(verified.status.success(), "{said}{}", String::from_utf8_lossy(&verified.stderr));
}

/// Players bet from threads of their own until the power goes; what they were answered.
fn play_until_killed(house: &mut House, seats: &[Seat], kill: usize) -> Vec<Answered> {
    let answered = Arc::new(Mutex::new(Vec::new()));
    let over = Arc::new(AtomicBool::new(false));
    let players: Vec<_> = seats
        .iter()
        .map(|seat| {
            let (seat, client) = (seat.clone(), house.client(&seat.token));
            let (answered, over) = (Arc::clone(&answered), Arc::clone(&over));
            std::thread::spawn(move || bet(&client, &seat, kill, &over, &answered))
        })
        .collect();
    // From at once to a third of a second, never in step with anything.
    let moment = 5 + (kill * 37) % 320;
    std::thread::sleep(Duration::from_millis(u64::try_from(moment).unwrap()));
    house.kill().unwrap();
    over.store(true, Ordering::Relaxed);
    players.into_iter().for_each(|player| player.join().unwrap());
    Arc::into_inner(answered).unwrap().into_inner().unwrap()
}

fn bet(client: &Client, seat: &Seat, kill: usize, over: &AtomicBool, answered: &Mutex<Vec<Answered>>) {
    let path = format!("/api/tables/{}/commands", seat.table);
    for number in 0.. {
        let place = json!({
            "player": seat.player, "bet": number % 2, "amount": 100, "in_chips": true, "untimed": false,
        });
        let body = json!({"id": format!("k{kill}-p{}-{number}", seat.player), "action": {"place": place}});
        match client.post(&path, &body) {
            Ok(answer) if answer.status == 200 => {
                let done = Answered { seat: seat.clone(), body, answer: answer.body };
                answered.lock().unwrap().push(done);
            }
            // Betting is closed at the moment, or the power is gone.
            Ok(_) => {}
            Err(_) => return,
        }
        if over.load(Ordering::Relaxed) {
            return;
        }
    }
}
