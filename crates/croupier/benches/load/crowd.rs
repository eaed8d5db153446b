//! A full house: automatic tables with seven players each, all on WebSockets, who bet in every round at their own pace.
//!
//! It is run only when it is asked for by name, since to seat seven thousand takes minutes: `cargo xtask crowd`. It says
//! how long a bet takes to be durable and answered, and what the server has in memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use croupier_testkit::floor::{Furniture, House, Seat};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio_tungstenite::tungstenite::Message;

use crate::bets::{connect, line};

const PLAYERS: usize = 7;
/// Seconds for betting at each table.
const BETTING: u32 = 12;

/// What is asked for.
pub(crate) struct Crowd {
    pub(crate) tables: usize,
    pub(crate) time: Duration,
}

impl Crowd {
    /// As the command line says: `--tables=N` and `--seconds=N`.
    pub(crate) fn asked() -> Self {
        let number =
            |name: &str| std::env::args().find_map(|argument| argument.strip_prefix(name)?.parse().ok());
        Self {
            tables: number("--tables=").unwrap_or(1_000),
            time: Duration::from_secs(number("--seconds=").unwrap_or(60) as u64),
        }
    }

    pub(crate) fn measure(&self, house: &House) {
        make_room();
        let start = Instant::now();
        let seats = self.seat(house);
        println!(
            "crowd      {} players seated at {} tables in {:.0?}",
            seats.len(),
            self.tables,
            start.elapsed()
        );
        println!("           before the first socket: {}", memory(house.process_id()));
        let counts = Arc::new(Counts::default());
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
        let mut waits = runtime.block_on(run(house.base(), seats, self.time, &counts));
        println!("           with all of them:        {}", memory(house.process_id()));
        waits.sort_unstable();
        let at = |per_mille: usize| {
            let place = (waits.len() * per_mille / 1_000).min(waits.len().saturating_sub(1));
            waits.get(place).copied().unwrap_or_default()
        };
        println!(
            "           {} bets answered, {} too late for their round, {} messages read, {} connections lost",
            waits.len(),
            counts.refused.load(Ordering::Relaxed),
            counts.heard.load(Ordering::Relaxed),
            counts.lost.load(Ordering::Relaxed),
        );
        println!(
            "           a bet takes {:?} in the middle, {:?} at p99, {:?} at most",
            at(500),
            at(990),
            at(1_000)
        );
    }

    /// Opens the tables and lets the players come, a few at a time.
    fn seat(&self, house: &House) -> Vec<Seat> {
        let furniture = Furniture { automatic: true, betting_seconds: BETTING };
        let mut seats = Vec::new();
        for number in 1..=self.tables {
            let table = house.open(furniture).expect("the table opens");
            seats.extend((1..=PLAYERS).map(|seat| house.come(table, seat).expect("the seat is free")));
            if number % 100 == 0 {
                println!("           {number} tables");
            }
        }
        seats
    }
}

#[derive(Default)]
struct Counts {
    heard: AtomicU64,
    refused: AtomicU64,
    lost: AtomicU64,
}

async fn run(base: &str, seats: Vec<Seat>, time: Duration, counts: &Arc<Counts>) -> Vec<Duration> {
    let mut players = Vec::new();
    for seat in seats {
        let path = format!("/api/tables/{}/live?as=player", seat.table);
        let socket = connect(base, &path, Some(&seat.token)).await;
        players.push((seat, socket));
    }
    let ends = Instant::now() + time;
    let playing: Vec<_> = players
        .into_iter()
        .map(|(seat, socket)| tokio::spawn(play(seat.player, socket, ends, Arc::clone(counts))))
        .collect();
    let mut waits = Vec::new();
    for player in playing {
        waits.extend(player.await.expect("players do not fail"));
    }
    waits
}

/// One player: a bet whenever betting opens; how long each took until it was answered.
async fn play(
    player: u64,
    mut socket: crate::bets::Socket,
    ends: Instant,
    counts: Arc<Counts>,
) -> Vec<Duration> {
    let (mut waits, mut number, mut asked) = (Vec::new(), 0, None::<Instant>);
    loop {
        let left = ends.saturating_duration_since(Instant::now());
        let message = match tokio::time::timeout(left, socket.next()).await {
            Err(_) => return waits,
            Ok(Some(Ok(message))) => message,
            Ok(Some(Err(_)) | None) => {
                counts.lost.fetch_add(1, Ordering::Relaxed);
                return waits;
            }
        };
        let Message::Text(text) = message else { continue };
        counts.heard.fetch_add(1, Ordering::Relaxed);
        if text.starts_with(r#"{"type":"answer""#) {
            waits.extend(asked.take().map(|asked| asked.elapsed()));
        } else if text.starts_with(r#"{"type":"refused""#) || text.contains(r#""type":"refused""#) {
            asked = None;
            counts.refused.fetch_add(1, Ordering::Relaxed);
        } else if asked.is_none() && text.contains(r#""phase":"bets-open""#) {
            asked = Some(Instant::now());
            if socket.send(Message::Text(line(player, number).into())).await.is_err() {
                counts.lost.fetch_add(1, Ordering::Relaxed);
                return waits;
            }
            number += 1;
        }
    }
}

/// Every player is a connection of this process too.
fn make_room() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    println!(
        "crowd      {} files may be open in each process",
        maximum.map_or("any number of".to_string(), |most| most.to_string())
    );
}

/// What a process has in memory, as Linux says.
fn memory(process: u32) -> String {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let of = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    let mebibytes = |name: &str| of(name).map_or_else(|| "?".to_string(), |kib| (kib / 1_024).to_string());
    format!("{} MiB in memory, {} at most", mebibytes("VmRSS:"), mebibytes("VmHWM:"))
}
