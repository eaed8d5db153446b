//! Five thousand who watch one table: how long until each has heard of what happened.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use croupier_testkit::floor::House;
use futures_util::StreamExt as _;
use tokio::sync::Mutex;
use tokio_tungstenite::tungstenite::Message;

use crate::bets::{connect, line, runtime};

const SPECTATORS: usize = 5_000;
/// Things that happen, one at a time.
const EVENTS: usize = 20;
const LIMIT: Duration = Duration::from_millis(250);

pub(crate) fn measure(house: &House) {
    let seats = house.furnish(1, 1).expect("a table with a player");
    let seat = seats.into_iter().next().expect("a seat");
    let base = house.base().to_string();
    runtime().block_on(async move {
        let heard = Arc::new(Mutex::new(Vec::<(u64, Instant)>::new()));
        let connected = Arc::new(AtomicUsize::new(0));
        let path = format!("/api/tables/{}/live?as=public", seat.table);
        for _ in 0..SPECTATORS {
            let socket = connect(&base, &path, None).await;
            tokio::spawn(watch(socket, Arc::clone(&heard), Arc::clone(&connected)));
        }
        while connected.load(Ordering::Relaxed) < SPECTATORS {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let player = house.client(&seat.token);
        let mut waits: Vec<Duration> = Vec::new();
        for number in 0..EVENTS {
            tokio::time::sleep(Duration::from_millis(700)).await;
            heard.lock().await.clear();
            let body = serde_json::from_str(&line(seat.player, number)).expect("JSON");
            let table = seat.table;
            let start = Instant::now();
            let asked = player.clone();
            let answer = tokio::task::spawn_blocking(move || {
                asked.post(&format!("/api/tables/{table}/commands"), &body).and_then(|answer| answer.good())
            });
            answer.await.expect("it ends").expect("the bet is taken");
            let deadline = start + Duration::from_secs(5);
            while heard.lock().await.len() < SPECTATORS && Instant::now() < deadline {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            let heard = heard.lock().await;
            assert!(heard.len() >= SPECTATORS, "only {} of {SPECTATORS} heard of event {number}", heard.len());
            waits.extend(heard.iter().map(|(_, at)| *at - start));
        }
        waits.sort_unstable();
        let at = |percent: usize| waits[waits.len() * percent / 100].as_secs_f64() * 1e3;
        println!(
            "spectators {SPECTATORS} hear of a bet {:.0} ms after it was sent in the middle, {:.0} ms at p99: {:.2} of the limit",
            at(50),
            at(99),
            at(99) / (LIMIT.as_secs_f64() * 1e3),
        );
    });
}

async fn watch(
    mut socket: crate::bets::Socket,
    heard: Arc<Mutex<Vec<(u64, Instant)>>>,
    connected: Arc<AtomicUsize>,
) {
    let mut greeted = false;
    while let Some(Ok(message)) = socket.next().await {
        let Message::Text(text) = message else { continue };
        if text.starts_with(r#"{"type":"names""#) {
            continue;
        }
        if !greeted {
            greeted = true;
            connected.fetch_add(1, Ordering::Relaxed);
            continue;
        }
        heard.lock().await.push((0, Instant::now()));
    }
}
