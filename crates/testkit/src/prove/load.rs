//! Players who bet over HTTP and WebSocket and a cashier at the counter, all at once, each noting what they sent and
//! heard.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::record::{Fate, Sent};
use super::wrong;
use crate::client::Client;
use crate::floor::{House, Seat};
use crate::socket::Socket;

/// Bets that a player sends together over WebSocket.
const TOGETHER: usize = 4;
/// The amount of a bet, in minor units.
const STAKE: u64 = 100;

/// Who plays, and whose wallet is filled.
#[derive(Clone, Debug)]
pub struct Load {
    /// Players: every other one over WebSocket.
    pub seats: Vec<Seat>,
    /// A player who only brings money.
    pub saver: u64,
}

/// Work that goes on until it is ended.
#[derive(Debug)]
pub struct Working {
    over: Arc<AtomicBool>,
    sent: Arc<Mutex<Vec<Sent>>>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    /// Begins, with ids that start with `name`.
    #[must_use]
    pub fn begin(&self, house: &House, name: &str) -> Working {
        let over = Arc::new(AtomicBool::new(false));
        let sent = Arc::new(Mutex::new(Vec::new()));
        let mut threads = Vec::new();
        for (at, seat) in self.seats.iter().cloned().enumerate() {
            let (over, sent) = (Arc::clone(&over), Arc::clone(&sent));
            let (client, base) = (house.client(&seat.token), house.base().to_string());
            let name = format!("{name}-p{}", seat.player);
            threads.push(std::thread::spawn(move || match at % 2 {
                0 => over_socket(&base, &seat, &name, &over, &sent),
                _ => over_http(&client, &seat, &name, &over, &sent),
            }));
        }
        let (client, saver, name) = (house.boss(), self.saver, format!("{name}-d"));
        let (ends, notes) = (Arc::clone(&over), Arc::clone(&sent));
        threads.push(std::thread::spawn(move || deposit(&client, saver, &name, &ends, &notes)));
        Working { over, sent, threads }
    }

    /// Sends everything again that was answered; whatever has another answer now.
    #[must_use]
    pub fn repeat(&self, house: &House, sent: &[Sent]) -> Vec<String> {
        let boss = house.boss();
        let mut faults = Vec::new();
        for one in sent {
            let Fate::Answered { .. } = one.fate else { continue };
            let answer = match one.stream.strip_prefix("table/") {
                Some(table) => {
                    let seat = self.seats.iter().find(|seat| seat.player == one.player);
                    let Some(seat) = seat else { continue };
                    let body = bet(&one.id, seat, number(&one.id));
                    house.client(&seat.token).post(&format!("/api/tables/{table}/commands"), &body)
                }
                None => boss.post("/api/cage/deposits", &counter(&one.id, one.player, one.amount)),
            };
            let again = Fate::heard(&answer);
            if again != one.fate {
                faults.push(format!("{}: {:?}, and now {again:?}", one.id, one.fate));
            }
        }
        faults
    }

    /// What the saver has in the wallet.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub fn saved(&self, house: &House) -> io::Result<u64> {
        let wallet = house.boss().get(&format!("/api/players/{}/wallet", self.saver))?.good()?;
        wallet["balance"].as_u64().ok_or_else(|| wrong(format!("a wallet without a balance: {wallet}")))
    }

    /// That the figures of the cage add up.
    ///
    /// # Errors
    /// If they do not.
    pub fn balance(&self, house: &House) -> io::Result<()> {
        let totals = house.boss().get("/api/cage")?.good()?;
        let of = |name: &str| totals[name].as_i64().unwrap_or(i64::MIN / 16);
        let parts: i64 =
            ["wallets", "chips", "floats", "drop", "tips", "held"].iter().map(|part| of(part)).sum();
        if parts == of("inside") {
            return Ok(());
        }
        Err(wrong(format!("the books do not balance: {totals}")))
    }
}

impl Working {
    /// How many commands were answered until now.
    #[must_use]
    pub fn answered(&self) -> usize {
        super::record::answered(&self.sent.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits until so many were answered, everybody has given up, or the time is over.
    pub fn wait_for(&self, answered: usize, timeout: Duration) {
        let start = Instant::now();
        while start.elapsed() < timeout
            && self.answered() < answered
            && !self.threads.iter().all(JoinHandle::is_finished)
        {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Ends it; everything that was sent.
    #[must_use]
    pub fn end(self) -> Vec<Sent> {
        self.over.store(true, Ordering::Relaxed);
        for thread in self.threads {
            let _ = thread.join();
        }
        std::mem::take(&mut *self.sent.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn note(all: &Mutex<Vec<Sent>>, one: Sent) {
    all.lock().unwrap_or_else(PoisonError::into_inner).push(one);
}

/// The number at the end of an id.
fn number(id: &str) -> usize {
    id.rsplit('-').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

pub(super) fn bet(id: &str, seat: &Seat, number: usize) -> Value {
    let place = json!({
        "player": seat.player, "bet": number % 2, "amount": STAKE, "in_chips": true, "untimed": false,
    });
    json!({"id": id, "action": {"place": place}})
}

fn counter(id: &str, player: u64, amount: u64) -> Value {
    json!({"id": id, "player": player, "amount": amount})
}

fn sent(seat: &Seat, id: String, fate: Fate) -> Sent {
    Sent { stream: format!("table/{}", seat.table), id, player: seat.player, amount: STAKE, fate }
}

fn over_http(client: &Client, seat: &Seat, name: &str, over: &AtomicBool, all: &Mutex<Vec<Sent>>) {
    let path = format!("/api/tables/{}/commands", seat.table);
    for number in 0.. {
        let id = format!("{name}-{number}");
        let answer = client.post(&path, &bet(&id, seat, number));
        note(all, sent(seat, id, Fate::heard(&answer)));
        if answer.is_err() || over.load(Ordering::Relaxed) {
            return;
        }
    }
}

fn over_socket(base: &str, seat: &Seat, name: &str, over: &AtomicBool, all: &Mutex<Vec<Sent>>) {
    let Ok(mut socket) = Socket::connect(base, seat.table, Some(&seat.token), None) else { return };
    let mut number = 0;
    while !over.load(Ordering::Relaxed) {
        let ids: Vec<(usize, String)> =
            (number..number + TOGETHER).map(|number| (number, format!("{name}-{number}"))).collect();
        number += TOGETHER;
        let mut waiting: Vec<String> = ids.iter().map(|(_, id)| id.clone()).collect();
        let mut is_gone = ids.iter().any(|(at, id)| socket.send(bet(id, seat, *at).to_string()).is_err());
        while !waiting.is_empty() && !is_gone {
            let Ok(message) = socket.hear() else {
                is_gone = true;
                break;
            };
            let named = waiting.iter().position(|id| message["id"].as_str() == Some(id));
            if let Some(at) = named {
                note(all, sent(seat, waiting.swap_remove(at), Fate::told(&message)));
            }
        }
        for id in waiting {
            note(all, sent(seat, id, Fate::Unknown));
        }
        if is_gone {
            return;
        }
    }
}

/// Amounts that differ, so that none can stand for another.
fn deposit(client: &Client, player: u64, name: &str, over: &AtomicBool, all: &Mutex<Vec<Sent>>) {
    for number in 0.. {
        let (id, amount) = (format!("{name}-{number}"), 1 + number % 97);
        let answer = client.post("/api/cage/deposits", &counter(&id, player, amount));
        let fate = Fate::heard(&answer);
        note(all, Sent { stream: "cage".to_string(), id, player, amount, fate });
        if answer.is_err() || over.load(Ordering::Relaxed) {
            return;
        }
    }
}
