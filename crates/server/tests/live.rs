//! A table over WebSocket, for those who may look at it and for as long as they may.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on stops")]

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use croupier_journal::By;
use croupier_journal::deed::{CardSource, Dealing, OpenTable};
use croupier_rules::Amount;
use croupier_rules::setting::Setting;
use croupier_server::people::{Edit, Grant, New, Person, TokenFor};
use croupier_server::{App, Config};
use croupier_table::{Chosen, Opening, Value as Set};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// How long a client waits: longer than the server takes to look again, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A floor that listens, with one table and its manager.
struct Site {
    app: Arc<App>,
    manager: Arc<Person>,
    token: String,
}

impl Site {
    async fn open() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let listen = listener.local_addr().unwrap();
        let app = App::start(Config { in_memory: true, listen, ..Config::default() }, None).await.unwrap();
        let serving = Arc::clone(&app);
        tokio::spawn(async move { serving.serve(listener, Router::new(), std::future::pending()).await });
        let rank = open_table(&app).await;
        let grants = vec![Grant::Staff { rank, rulebook: None, pit: None, acting: None }];
        let new = New { name: "mai".to_string(), grants, on_duty: true, ..New::default() };
        let manager = app.people.create(By::System, new).await.unwrap();
        let whom = TokenFor::Person { id: manager.id };
        let (_, token) =
            app.people.make_token(&manager, whom, "console".to_string(), u64::MAX).await.unwrap();
        Self { app, manager, token }
    }

    async fn edit(&self, edit: Edit) {
        self.app.people.edit(By::System, self.manager.id, edit).await.unwrap();
    }

    async fn look(&self, query: &str) -> Socket {
        Socket::open(&self.app, query, &format!("Authorization: Bearer {}\r\n", self.token)).await
    }
}

/// Opens a table of staff; the highest of its ranks.
async fn open_table(app: &App) -> String {
    let chosen = |setting, value| Chosen { setting, bet: None, odds: None, value };
    let money = |units: i64| Set::Money(Amount::new(units * 100).unwrap());
    let opening = Opening {
        game: "mbs-dragon-tiger".to_string(),
        settings: vec![
            chosen(Setting::Layout, Set::Word("A".to_string())),
            chosen(Setting::Burn, Set::Count(1)),
            chosen(Setting::CutCard, Set::Count(14)),
            chosen(Setting::Chip, money(1)),
            chosen(Setting::Minimum, money(1)),
            chosen(Setting::Maximum, money(1_000_000)),
            chosen(Setting::Differential, money(100_000_000)),
            chosen(Setting::BettingSeconds, Set::Count(600)),
        ],
        ..Opening::default()
    };
    let opened = OpenTable {
        name: "One".to_string(),
        pit: "A".to_string(),
        currency: "SGD".to_string(),
        decimals: 2,
        cards: CardSource::Software,
        dealer: Dealing::Staff,
        rulebook: croupier_journal::Hash::ZERO,
        opening,
    };
    let table = app.floor.open_table(By::System, opened).await.unwrap();
    table.setup.rulebook.ranks.last().unwrap().id.clone()
}

/// The little of a WebSocket that these tests need.
struct Socket(TcpStream);

impl Socket {
    async fn open(app: &App, query: &str, header: &str) -> Self {
        let mut stream = TcpStream::connect(app.config.listen).await.unwrap();
        let request = format!(
            "GET /api/tables/1/live{query} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{header}\r\n",
            app.config.listen
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            answer.push(stream.read_u8().await.unwrap());
        }
        assert!(answer.starts_with(b"HTTP/1.1 101 "), "{}", String::from_utf8_lossy(&answer));
        Self(stream)
    }

    /// Sends a short text, under a mask that changes nothing.
    async fn say(&mut self, text: &str) {
        let mut frame = vec![0x81, 0x80 | u8::try_from(text.len()).unwrap(), 0, 0, 0, 0];
        frame.extend(text.as_bytes());
        self.0.write_all(&frame).await.unwrap();
    }

    /// The next message; nothing once the server has closed.
    async fn hear(&mut self) -> Option<Value> {
        let next = tokio::time::timeout(PATIENCE, self.frame());
        next.await.unwrap_or_else(|_| panic!("nothing is heard"))
    }

    async fn frame(&mut self) -> Option<Value> {
        loop {
            let kind = self.0.read_u8().await.ok()? & 0x0f;
            let length = match self.0.read_u8().await.ok()? {
                126 => u64::from(self.0.read_u16().await.ok()?),
                127 => self.0.read_u64().await.ok()?,
                short => u64::from(short),
            };
            let mut content = vec![0; usize::try_from(length).unwrap()];
            self.0.read_exact(&mut content).await.ok()?;
            match kind {
                1 => return Some(serde_json::from_slice(&content).unwrap()),
                8 => return None,
                _ => {}
            }
        }
    }

    /// The next message of a type; others are passed over.
    async fn hear_of(&mut self, wanted: &str) -> Value {
        loop {
            let message = self.hear().await.unwrap_or_else(|| panic!("closed before `{wanted}`"));
            if message["type"] == wanted {
                return message;
            }
        }
    }

    /// That the server refuses what is shown, says why, and closes.
    async fn shown_out(&mut self, status: u16, code: &str) {
        let refused = self.hear_of("refused").await;
        assert_eq!(refused["id"], Value::Null);
        assert_eq!(
            (&refused["problem"]["status"], &refused["problem"]["code"]),
            (&json!(status), &json!(code))
        );
        assert_eq!(self.hear().await, None);
    }
}

#[tokio::test]
async fn who_goes_off_duty_sees_the_pit_no_more() {
    let site = Site::open().await;
    let mut socket = site.look("?as=pit").await;
    assert_eq!(socket.hear_of("view").await["audience"], "pit");
    site.edit(Edit { on_duty: Some(false), ..Edit::default() }).await;
    socket.shown_out(403, "off-duty").await;
}

#[tokio::test]
async fn who_loses_the_rank_sees_the_pit_no_more() {
    let site = Site::open().await;
    let mut socket = site.look("?as=pit").await;
    assert_eq!(socket.hear_of("view").await["audience"], "pit");
    site.edit(Edit { grants: Some(vec![Grant::Player]), ..Edit::default() }).await;
    socket.shown_out(403, "not-staff").await;
}

#[tokio::test]
async fn whose_token_ends_sees_nothing_more() {
    let site = Site::open().await;
    let mut socket = site.look("").await;
    socket.hear_of("view").await;
    site.app.people.revoke_token(By::System, 1).await.unwrap();
    // Nor is anything taken from them until they are shown out.
    socket.say(r#"{"id": "late", "action": "open-bets"}"#).await;
    let refused = socket.hear_of("refused").await;
    if refused["id"] == "late" {
        assert_eq!(refused["problem"]["code"], "bad-token");
        socket.shown_out(401, "session-expired").await;
    } else {
        // On a busy machine they are shown out first.
        assert_eq!(refused["problem"]["code"], "session-expired");
    }
}

#[tokio::test]
async fn who_asked_for_no_view_in_particular_is_shown_what_is_theirs_now() {
    let site = Site::open().await;
    let mut socket = site.look("").await;
    assert_eq!(socket.hear_of("view").await["audience"], "pit");
    site.edit(Edit { on_duty: Some(false), ..Edit::default() }).await;
    let view = socket.hear_of("view").await;
    assert_eq!(view["audience"], "public");
    assert!(view["view"].get("desk").is_none(), "{view}");
}

#[tokio::test]
async fn what_is_not_understood_is_answered_with_its_id() {
    let site = Site::open().await;
    let mut socket = site.look("").await;
    for (text, id) in [
        (r#"{"id": "a-1", "action": "fly"}"#, json!("a-1")),
        (r#"{"id": "a-2", "action": "settle", "more": 1}"#, json!("a-2")),
        (r#"{"id": 4, "action": "fly"}"#, Value::Null),
        (r#"{"id": "a-5""#, Value::Null),
        ("[]", Value::Null),
    ] {
        socket.say(text).await;
        let refused = socket.hear_of("refused").await;
        assert_eq!((&refused["id"], &refused["problem"]["code"]), (&id, &json!("bad-body")), "{text}");
    }
    socket.say(r#"{"id": "a 3", "action": "settle"}"#).await;
    let refused = socket.hear_of("refused").await;
    assert_eq!((&refused["id"], &refused["problem"]["code"]), (&json!("a 3"), &json!("bad-id")));
}

#[tokio::test]
async fn nobody_is_signed_on_who_is_off_duty() {
    let site = Site::open().await;
    let grants = site.manager.grants.clone();
    let new = New { name: "linh".to_string(), grants, ..New::default() };
    let other = site.app.people.create(By::System, new).await.unwrap();
    let mut socket = site.look("").await;
    let mut say = async |id: &str| {
        let sign_on = json!({"id": id, "action": {"sign-on": {"person": other.id, "rank": 0}}});
        socket.say(&sign_on.to_string()).await;
        loop {
            let message = socket.hear().await.unwrap();
            if message["id"] == id {
                return message;
            }
        }
    };
    assert_eq!(say("off").await["problem"]["code"], "off-duty");
    site.app
        .people
        .edit(By::System, other.id, Edit { on_duty: Some(true), ..Edit::default() })
        .await
        .unwrap();
    assert_eq!(say("on").await["type"], "answer");
}

/// A browser does not tell its page of pings: whoever says `beat` hears that the line is alive, and the time.
#[tokio::test]
async fn a_beat_is_answered_at_once() {
    let site = Site::open().await;
    let mut socket = site.look("?as=pit").await;
    let view = socket.hear_of("view").await;
    socket.say("beat").await;
    let beat = socket.hear_of("beat").await;
    assert!(beat["at"].as_u64() >= view["at"].as_u64(), "{beat} after {view}");
}

/// A view that need not be sent again is still told with the clock that runs.
#[tokio::test]
async fn a_resumed_view_has_the_time_and_its_deadline() {
    let site = Site::open().await;
    let sequence = site.look("?as=pit").await.hear_of("view").await["sequence"].clone();
    let resumed = site.look(&format!("?as=pit&resume={sequence}")).await.hear_of("resumed").await;
    assert_eq!(resumed["sequence"], sequence);
    assert!(resumed["at"].as_u64().is_some(), "{resumed}");
    assert!(resumed.get("deadline").is_some(), "{resumed}");
}
