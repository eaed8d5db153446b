//! A floor as browsers and programs meet it: people who are signed in, requests through the router, and WebSockets
//! against a listener.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use croupier_journal::deed::{CageMove, CardSource, Dealing, OpenTable};
use croupier_journal::store::Flow;
use croupier_journal::{By, CommandId, Hash, Select};
use croupier_ledger::{Amount as Chips, PlayerId};
use croupier_rules::Amount;
use croupier_rules::setting::Setting;
use croupier_server::floor::AtCage;
use croupier_server::limits::Rate;
use croupier_server::people::{Cost, Grant, New, Secret};
use croupier_server::table::TableHandle;
use croupier_server::{App, Config};
use croupier_table::{Action, Actor, Chosen, Opening, PersonId, Rank, Staff, Value as Set};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tower::ServiceExt as _;

pub(crate) const PASSWORD: &str = "seven quiet violins";
pub(crate) const PIN: &str = "482915";
/// How long a client waits, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Site {
    pub(crate) app: Arc<App>,
    pub(crate) router: Router,
}

/// Somebody with an account, and the cookie of a session.
#[derive(Clone, Debug)]
pub(crate) struct Someone {
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) cookie: String,
}

/// What came back.
#[derive(Clone, Debug)]
pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) body: Value,
    pub(crate) cookie: String,
}

impl Got {
    pub(crate) fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }

    /// The status, and the code of what was refused.
    pub(crate) fn answer(&self) -> (u16, &str) {
        (self.status, self.code())
    }
}

pub(crate) fn config() -> Config {
    let mut config = Config { in_memory: true, ..Config::default() };
    config.people.cost = Cost { memory_kib: 8, passes: 1, at_once: 2 };
    config.limits.sign_ins = Rate { per_minute: 0, burst: 1 };
    config
}

impl Site {
    pub(crate) async fn open() -> Self {
        Self::with(config()).await
    }

    pub(crate) async fn with(config: Config) -> Self {
        let app = App::start(config, None).await.unwrap();
        let router = app.router(Router::new());
        Self { app, router }
    }

    /// A floor that also listens, for WebSockets.
    pub(crate) async fn listening(mut config: Config) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        config.listen = listener.local_addr().unwrap();
        let site = Self::with(config).await;
        let serving = Arc::clone(&site.app);
        tokio::spawn(async move { serving.serve(listener, Router::new(), std::future::pending()).await });
        site
    }

    pub(crate) async fn ask(&self, who: Option<&Someone>, method: &str, path: &str, body: Value) -> Got {
        let credentials = who.map(|who| ("cookie", who.cookie.clone()));
        self.ask_with(credentials, method, path, body).await
    }

    pub(crate) async fn ask_by_token(&self, token: &str, method: &str, path: &str, body: Value) -> Got {
        self.ask_with(Some(("authorization", format!("Bearer {token}"))), method, path, body).await
    }

    async fn ask_with(
        &self,
        credentials: Option<(&str, String)>,
        method: &str,
        path: &str,
        body: Value,
    ) -> Got {
        let mut request = Request::builder().method(method).uri(path).header("host", "floor:8080");
        if let Some((name, value)) = credentials {
            request = request.header(name, value).header("sec-fetch-site", "same-origin");
        }
        let body = match body {
            Value::Null => Body::empty(),
            // A text of its own kind, and not one of JSON.
            Value::String(text) => {
                request = request.header("content-type", "application/toml");
                Body::from(text)
            }
            body => {
                request = request.header("content-type", "application/json");
                Body::from(body.to_string())
            }
        };
        let response = self.router.clone().oneshot(request.body(body).unwrap()).await.unwrap();
        let status = response.status().as_u16();
        let cookie = response.headers().get("set-cookie").map(|line| line.to_str().unwrap().to_string());
        let cookie = cookie.and_then(|line| line.split(';').next().map(str::to_string)).unwrap_or_default();
        let bytes = to_bytes(response.into_body(), 1 << 26).await.unwrap();
        Got { status, body: serde_json::from_slice(&bytes).unwrap_or(Value::Null), cookie }
    }

    /// Asks something of a table, with an id of its own.
    pub(crate) async fn command(&self, who: &Someone, table: &TableHandle, action: Value) -> Got {
        self.command_with(who, table, json!({"action": action})).await
    }

    /// The same with more than an action.
    pub(crate) async fn command_with(&self, who: &Someone, table: &TableHandle, mut body: Value) -> Got {
        if body.get("id").is_none() {
            body["id"] = json!(fresh_id());
        }
        self.ask(Some(who), "POST", &format!("/api/tables/{}/commands", table.id), body).await
    }

    /// Somebody on duty with some grants, a password and a PIN, signed in.
    pub(crate) async fn person(&self, name: &str, grants: &[Grant]) -> Someone {
        let new = New {
            name: name.to_string(),
            password: Some(Secret::new(PASSWORD)),
            pin: Some(Secret::new(PIN)),
            grants: grants.to_vec(),
            on_duty: true,
            ..New::default()
        };
        let person = self.app.people.create(By::System, new).await.unwrap();
        Someone { id: person.id, name: name.to_string(), cookie: self.sign_in(name).await }
    }

    /// Signs somebody in; the cookie.
    pub(crate) async fn sign_in(&self, name: &str) -> String {
        let body = json!({"name": name, "password": PASSWORD});
        let got = self.ask(None, "POST", "/api/sign-in", body).await;
        assert_eq!(got.status, 200, "{}", got.body);
        got.cookie
    }

    pub(crate) async fn player(&self, name: &str) -> Someone {
        self.person(name, &[Grant::Player]).await
    }

    /// Somebody of a rank, by its place among those of the game, lowest first.
    pub(crate) async fn staff(&self, name: &str, rank: &str) -> Someone {
        let grant = Grant::Staff { rank: rank.to_string(), rulebook: None, pit: None, acting: None };
        self.person(name, &[grant]).await
    }

    /// Opens a table of MBS Dragon Tiger with chips in its tray; two people without accounts brought them.
    pub(crate) async fn table(&self, dealer: Dealing) -> TableHandle {
        let table = self.app.floor.open_table(By::System, opened(dealer)).await.unwrap();
        let top = u8::try_from(table.setup.rulebook.ranks.len() - 1).unwrap();
        let staff = |person, rank| Staff { person: PersonId(person), rank: Rank(rank), acting: None };
        let boss = Actor::Staff(staff(900_000, top));
        for who in [staff(900_000, top), staff(900_001, 0)] {
            table.command(None, boss, Action::SignOn(who)).await.unwrap();
        }
        let fill = Action::Fill { amount: Amount::new(1_000_000_000).unwrap(), witness: PersonId(900_001) };
        table.command(None, boss, fill).await.unwrap();
        table
    }

    /// Puts money into a wallet.
    pub(crate) async fn deposit(&self, player: u32, amount: i64) {
        let amount = Chips::new(amount).unwrap();
        let moved = CageMove { player: PlayerId(player), amount, witness: None, note: String::new() };
        let id = CommandId::new(&fresh_id()).unwrap();
        let asked = AtCage { id, by: By::System.into(), moved, comes_in: true };
        self.app.floor.at_cage(asked).await.unwrap();
    }

    pub(crate) fn wallet(&self, player: u32) -> i128 {
        self.app.floor.wallet(PlayerId(player))
    }

    /// A player who sits at a table with chips from the wallet.
    pub(crate) async fn seated(&self, table: &TableHandle, name: &str, seat: u8, chips: i64) -> Someone {
        let player = self.player(name).await;
        self.deposit(player.id, chips * 2).await;
        let sit = json!({"sit": {"player": player.id, "seat": seat}});
        assert_eq!(self.command(&player, table, sit).await.status, 200);
        let buy = json!({"buy-in": {"player": player.id, "amount": chips, "cash": false}});
        assert_eq!(self.command(&player, table, buy).await.status, 200);
        player
    }

    /// Makes a staffed table ready and opens betting, as its own Dealer would.
    pub(crate) async fn open_bets(&self, table: &TableHandle) {
        self.prepare(table).await;
        self.give(table, Action::OpenBets).await;
    }

    pub(crate) async fn prepare(&self, table: &TableHandle) {
        let all = [
            Action::LoadShoe { set: None, commitment: None },
            Action::RecordShuffle,
            Action::CutCards { above: None },
            Action::Burn { count: 1, cards: Vec::new() },
        ];
        for action in all {
            self.give(table, action).await;
        }
    }

    /// Deals the round that is open to bets and settles it.
    pub(crate) async fn finish_round(&self, table: &TableHandle) {
        self.give(table, Action::CloseBets).await;
        while table.current().await.views.public().felt.phase != croupier_table::Phase::Result {
            self.give(table, Action::Draw { card: None, laid: None, exposed: false }).await;
        }
        self.give(table, Action::Settle).await;
    }

    /// A command of the software itself.
    pub(crate) async fn give(&self, table: &TableHandle, action: Action) {
        let shown = format!("{action:?}");
        let given = table.command(None, Actor::System, action).await;
        given.unwrap_or_else(|refused| panic!("{shown}: {refused}"));
    }

    /// All lines of the journal.
    pub(crate) fn lines(&self) -> Vec<Value> {
        let mut lines = Vec::new();
        let read = self.app.floor.shared.readers.read_here(|store| {
            store.rows(Select::After(0), &mut |_, row| {
                lines.push(serde_json::from_slice(&row.line).unwrap());
                Flow::Continue(())
            })
        });
        read.unwrap();
        lines
    }

    /// What was denied, with the code.
    pub(crate) fn denials(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let denied = self.lines().into_iter().filter(|line| line["deed"]["denied"].is_object());
        denied
            .map(|line| (text(&line["deed"]["denied"]["what"]), text(&line["deed"]["denied"]["code"])))
            .collect()
    }
}

/// What a table of these tests is opened with.
pub(crate) fn opened(dealer: Dealing) -> OpenTable {
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
    OpenTable {
        name: "One".to_string(),
        pit: "A".to_string(),
        currency: "SGD".to_string(),
        decimals: 2,
        cards: CardSource::Software,
        dealer,
        rulebook: Hash::ZERO,
        opening,
    }
}

pub(crate) fn fresh_id() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("id-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A wager in chips.
pub(crate) fn wager(player: u32, bet: usize, amount: i64) -> Value {
    json!({"place": {"player": player, "bet": bet, "amount": amount, "in_chips": true, "untimed": false}})
}

/// The little of a WebSocket that tests need.
pub(crate) struct Socket(TcpStream, Option<u16>);

impl Socket {
    pub(crate) async fn open(site: &Site, who: &Someone, table: u32, query: &str) -> Self {
        let host = site.app.config.listen;
        let mut stream = TcpStream::connect(host).await.unwrap();
        let request = format!(
            "GET /api/tables/{table}/live{query} HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\
             Sec-Fetch-Site: same-origin\r\nCookie: {}\r\n\r\n",
            who.cookie
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            answer.push(stream.read_u8().await.unwrap());
        }
        assert!(answer.starts_with(b"HTTP/1.1 101 "), "{}", String::from_utf8_lossy(&answer));
        Self(stream, None)
    }

    /// The code with which the server closed.
    pub(crate) fn closed_with(&self) -> Option<u16> {
        self.1
    }

    /// Sends a text, under a mask that changes nothing.
    pub(crate) async fn say(&mut self, message: &Value) {
        let text = message.to_string();
        let mut frame = vec![0x81];
        match u8::try_from(text.len()) {
            Ok(short) if short < 126 => frame.push(0x80 | short),
            _ => {
                frame.push(0x80 | 126);
                frame.extend(u16::try_from(text.len()).unwrap().to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(text.as_bytes());
        self.0.write_all(&frame).await.unwrap();
    }

    /// The next message; nothing once the server has closed.
    pub(crate) async fn hear(&mut self) -> Option<Value> {
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
                8 => {
                    self.1 = content.first_chunk().map(|code| u16::from_be_bytes(*code));
                    return None;
                }
                _ => {}
            }
        }
    }

    /// The answer to a command; what is shown meanwhile is passed over.
    pub(crate) async fn answer_to(&mut self, id: &str) -> Value {
        loop {
            let message = self.hear().await.unwrap_or_else(|| panic!("closed before the answer to {id}"));
            if message["id"] == id {
                return message;
            }
        }
    }

    /// The next message of a type.
    pub(crate) async fn hear_of(&mut self, wanted: &str) -> Value {
        loop {
            let message = self.hear().await.unwrap_or_else(|| panic!("closed before `{wanted}`"));
            if message["type"] == wanted {
                return message;
            }
        }
    }
}
