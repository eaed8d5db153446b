//! A table as it happens, over real WebSockets: every command is answered once, and the view that a client has,
//! changed by what it is sent, is the view that the server has.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what went wrong by failing"
)]

use std::path::Path;
use std::time::Duration;

use croupier_testkit::floor::{House, Seat};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Map, Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

const BINARY: &str = env!("CARGO_BIN_EXE_croupier");
/// The bets of a player that are sent together: more than the server takes in one turn.
const TOGETHER: usize = 150;

#[test]
fn views_are_followed_and_commands_answered_once() {
    let folder = croupier_testkit::tempdir().unwrap();
    let house = House::start(Path::new(BINARY), folder.path(), &[]).unwrap();
    let seats = house.furnish(1, 2).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut watching = Vec::new();
        for (audience, token) in [("player", Some(&seats[0])), ("player", Some(&seats[1])), ("public", None)]
        {
            watching.push(Watching::come(&house, seats[0].table, audience, token).await);
        }
        // Together, then one at a time, so that some changes hold much and some a little.
        let mut last = watching[0].bet(&seats[0], 0..TOGETHER).await;
        for number in TOGETHER..TOGETHER + 5 {
            last = watching[1].bet(&seats[1], number..number + 1).await;
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
        for one in &mut watching {
            while one.sequence < last {
                one.hear().await;
            }
            assert!(one.changes > 0, "the {} was only shown whole views", one.audience);
            let path = format!("/api/tables/{}/view?as={}", seats[0].table, one.audience);
            let client = one.token.as_ref().map_or_else(|| house.boss(), |token| house.client(token));
            let shown = tokio::task::spawn_blocking(move || client.get(&path).unwrap().good().unwrap())
                .await
                .unwrap();
            assert_eq!(without_nulls(&one.view), without_nulls(&shown["view"]), "{}", one.audience);
        }
    });
}

/// A client, and what it knows.
struct Watching {
    audience: &'static str,
    token: Option<String>,
    socket: WebSocketStream<TcpStream>,
    sequence: u64,
    view: Value,
    changes: usize,
}

impl Watching {
    async fn come(house: &House, table: u64, audience: &'static str, seat: Option<&Seat>) -> Self {
        let host = house.base().trim_start_matches("http://");
        let request = format!("ws://{host}/api/tables/{table}/live?as={audience}");
        let mut request = request.into_client_request().unwrap();
        if let Some(seat) = seat {
            request.headers_mut().insert("Authorization", format!("Bearer {}", seat.token).parse().unwrap());
        }
        let stream = TcpStream::connect(host).await.unwrap();
        let (socket, _) = tokio_tungstenite::client_async(request, stream).await.unwrap();
        let token = seat.map(|seat| seat.token.clone());
        let mut one = Self { audience, token, socket, sequence: 0, view: Value::Null, changes: 0 };
        while one.view.is_null() {
            one.hear().await;
        }
        one
    }

    /// Takes the next message; the id and the line of a command that was answered.
    async fn hear(&mut self) -> Option<(String, u64)> {
        let next = tokio::time::timeout(Duration::from_secs(20), self.socket.next());
        let Message::Text(text) = next.await.expect("something is heard").unwrap().unwrap() else {
            return None;
        };
        let mut message: Value = serde_json::from_str(&text).unwrap();
        let sequence = message["sequence"].as_u64();
        match message["type"].as_str().unwrap() {
            "view" => {
                self.view = message["view"].take();
                self.sequence = sequence.unwrap();
            }
            "change" => {
                assert_eq!(message["from"].as_u64(), Some(self.sequence), "{message}");
                merge(&mut self.view, &message["change"]);
                self.sequence = sequence.unwrap();
                self.changes += 1;
            }
            "answer" => return Some((message["id"].as_str().unwrap().to_string(), sequence.unwrap())),
            "names" => {}
            _ => panic!("{message}"),
        }
        None
    }

    /// Sends bets together and waits until each is answered; the line of the last.
    async fn bet(&mut self, seat: &Seat, numbers: core::ops::Range<usize>) -> u64 {
        let ids: Vec<String> = numbers.map(|number| format!("{}-{number}", seat.player)).collect();
        for id in &ids {
            let place = json!({
                "player": seat.player, "bet": 0, "amount": 100, "in_chips": true, "untimed": false,
            });
            let text = json!({"id": id, "action": {"place": place}}).to_string();
            self.socket.feed(Message::Text(text.into())).await.unwrap();
        }
        self.socket.flush().await.unwrap();
        let (mut answered, mut last) = (Vec::new(), 0);
        while answered.len() < ids.len() {
            if let Some((id, sequence)) = self.hear().await {
                answered.push(id);
                last = sequence;
            }
        }
        assert_eq!(answered, ids);
        last
    }
}

/// What RFC 7396 says a patch does.
fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(changes) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(fields) = target else { return };
    for (name, change) in changes {
        if change.is_null() {
            fields.remove(name);
        } else {
            merge(fields.entry(name.clone()).or_insert(Value::Null), change);
        }
    }
}

/// In a view, what is absent and what is null mean the same.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.map(|(name, value)| (name.clone(), without_nulls(value))).collect())
        }
        Value::Array(values) => Value::Array(values.iter().map(without_nulls).collect()),
        other => other.clone(),
    }
}
