//! Players who bet as fast as they are answered, over WebSocket, with a few bets on their way at a time.

use std::time::{Duration, Instant};

use croupier_testkit::floor::{House, Seat};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// Tables and players at each.
pub(crate) const TABLES: usize = 8;
pub(crate) const PLAYERS: usize = 7;
/// Bets of a player that are on their way; `--at-once=N` says otherwise.
const AT_ONCE: usize = 4;
/// How long before it counts, and how long it counts.
const WARM_UP: Duration = Duration::from_secs(2);
const TIME: Duration = Duration::from_secs(8);

/// How many bets of a player are on their way.
pub(crate) fn at_once() -> usize {
    let said = std::env::args().find_map(|argument| argument.strip_prefix("--at-once=")?.parse().ok());
    said.unwrap_or(AT_ONCE)
}

/// What must be reached.
#[derive(Clone, Copy)]
pub(crate) struct Limit {
    pub(crate) per_second: u32,
    pub(crate) milliseconds: Option<u64>,
}

pub(crate) type Socket = WebSocketStream<TcpStream>;

/// A connection to a table, with a token or without.
pub(crate) async fn connect(base: &str, path: &str, token: Option<&str>) -> Socket {
    let host = base.trim_start_matches("http://");
    let stream = TcpStream::connect(host).await.expect("the server listens");
    stream.set_nodelay(true).expect("an option of the socket");
    let mut request = format!("ws://{host}{path}").into_client_request().expect("a request");
    if let Some(token) = token {
        let value = format!("Bearer {token}").parse().expect("a header");
        request.headers_mut().insert("Authorization", value);
    }
    // What is read at once is cleared before each read; by default that would be most of a client's work.
    let config = WebSocketConfig::default().read_buffer_size(4 * 1_024);
    let socket = tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await;
    socket.expect("a WebSocket").0
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}

pub(crate) fn measure(name: &str, house: &House, limit: Limit) {
    let seats = house.furnish(TABLES, PLAYERS).expect("tables with players");
    let under_way = seats.len() * at_once();
    let (bets, mut waits) = runtime().block_on(run(house.base().to_string(), seats));
    waits.sort_unstable();
    let at = |percent: f64| {
        let place = (waits.len() as f64 * percent) as usize;
        f64::from(waits.get(place.min(waits.len() - 1)).copied().unwrap_or_default()) / 1_000.0
    };
    let per_second = bets as f64 / TIME.as_secs_f64();
    println!(
        "{name:10} {per_second:>7.0} durable bets/s over WebSocket, {under_way} under way   {:.2} of the limit of {}   \
         {:.2} ms in the middle, {:.2} ms at p99{}",
        per_second / f64::from(limit.per_second),
        limit.per_second,
        at(0.5),
        at(0.99),
        limit.milliseconds.map(|limit| format!(" (limit {limit})")).unwrap_or_default(),
    );
}

/// The same against the bare handler.
pub(crate) fn report_bare(base: String, seats: Vec<Seat>) {
    let (bets, _) = runtime().block_on(run(base, seats));
    let per_second = bets as f64 / TIME.as_secs_f64();
    println!("bare       {per_second:>7.0} requests/s only read and answered: the limit of the wire");
}

async fn run(base: String, seats: Vec<Seat>) -> (usize, Vec<u32>) {
    let start = Instant::now();
    let players: Vec<_> =
        seats.into_iter().map(|seat| tokio::spawn(play(base.clone(), seat, start))).collect();
    let mut bets = 0;
    let mut waits = Vec::new();
    for player in players {
        let (count, more) = player.await.expect("players do not fail");
        bets += count;
        waits.extend(more);
    }
    (bets, waits)
}

/// The line that asks for a bet; the id says who and the how-manieth.
pub(crate) fn line(player: u64, number: usize) -> String {
    format!(
        r#"{{"id":"{player}-{number}","action":{{"place":{{"player":{player},"bet":0,"amount":100,"in_chips":true,"untimed":false}}}}}}"#
    )
}

/// One player: how many bets were answered while it counted, and how long each took, in microseconds.
async fn play(base: String, seat: Seat, start: Instant) -> (usize, Vec<u32>) {
    let Seat { table, player, token } = seat;
    let path = format!("/api/tables/{table}/live?as=player");
    let socket = connect(&base, &path, Some(&token)).await;
    let (mut sink, mut stream) = socket.split();
    let mut sent: Vec<Instant> = Vec::new();
    let (mut bets, mut waits) = (0, Vec::new());
    let (mut waiting, at_once) = (0, at_once());
    let counts_from = start + WARM_UP;
    let ends = counts_from + TIME;
    loop {
        let now = Instant::now();
        if now >= ends {
            return (bets, waits);
        }
        while waiting < at_once {
            let text = line(player, sent.len());
            sent.push(Instant::now());
            sink.feed(Message::Text(text.into())).await.expect("the connection stands");
            waiting += 1;
        }
        sink.flush().await.expect("the connection stands");
        let message = stream.next().await.expect("the connection stands").expect("a message");
        let Message::Text(text) = message else { continue };
        if text.starts_with(r#"{"type":"answer""#) {
            waiting -= 1;
            let number = text.split('"').nth(7).and_then(|id| id.split('-').nth(1)?.parse::<usize>().ok());
            let asked = number.and_then(|number| sent.get(number)).expect("an answer to what was asked");
            let now = Instant::now();
            if now >= counts_from && now < ends {
                bets += 1;
                waits.push(u32::try_from((now - *asked).as_micros()).unwrap_or(u32::MAX));
            }
        } else {
            assert!(!text.contains(r#""type":"refused""#), "{text}");
        }
    }
}
