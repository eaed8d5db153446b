//! What is kept and looked up, through the router and without a socket: rulebooks and odds, the cage, rounds, shoes,
//! disputes, the audit and gaming days.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on stops")]

mod answers;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use croupier_cards::{Opening as Shown, Proof, Root, verify_reveal};
use croupier_journal::deed::{CardSource, Dealing, OpenTable};
use croupier_journal::{By, Hash};
use croupier_rules::Amount;
use croupier_rules::setting::Setting;
use croupier_server::people::Cost;
use croupier_server::table::TableHandle;
use croupier_server::table::dealer::Pace;
use croupier_server::{App, Config};
use croupier_table::{Action, Actor, Chosen, Opening, PersonId, Rank, Staff, Value as Set};
use serde_json::{Value, json};
use tower::ServiceExt as _;

struct Site {
    app: Arc<App>,
    router: Router,
}

/// Somebody who is signed in.
struct Someone {
    id: u32,
    cookie: String,
}

impl Site {
    async fn open() -> Self {
        let mut config = Config { in_memory: true, ..Config::default() };
        config.pace = Pace { step_milliseconds: 0, result_milliseconds: 0, windows_percent: 100 };
        config.people.cost = Cost { memory_kib: 8, passes: 1, at_once: 2 };
        config.four_eyes_from = Some(10_000_000);
        let demo = Arc::new(croupier_demo::Demo::with_wallet(0));
        let app = App::start_demo(config, None, Arc::default(), demo).await.unwrap();
        let router = app.router(axum::Router::new());
        Self { app, router }
    }

    async fn raw(
        &self,
        who: Option<&Someone>,
        method: &str,
        path: &str,
        kind: &str,
        body: String,
    ) -> (u16, String, String) {
        let mut request = Request::builder().method(method).uri(path).header("host", "localhost:8080");
        if let Some(who) = who {
            request = request.header("cookie", &who.cookie).header("sec-fetch-site", "same-origin");
        }
        if kind == "text/html" {
            request = request.header(header::ACCEPT, kind);
        } else if method != "GET" {
            request = request.header(header::CONTENT_TYPE, kind);
        }
        let response = self.router.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap();
        let status = response.status().as_u16();
        let cookie =
            response.headers().get(header::SET_COOKIE).map(|line| line.to_str().unwrap().to_string());
        let bytes = to_bytes(response.into_body(), 1 << 26).await.unwrap();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        if let Ok(body) = serde_json::from_str(&text) {
            answers::check(method, path, status, &body);
        }
        (status, text, cookie.unwrap_or_default())
    }

    async fn get(&self, who: Option<&Someone>, path: &str) -> (u16, Value) {
        let (status, text, _) = self.raw(who, "GET", path, "", String::new()).await;
        (status, serde_json::from_str(&text).unwrap_or(Value::Null))
    }

    async fn post(&self, who: Option<&Someone>, path: &str, body: Value) -> (u16, Value) {
        let (status, text, _) = self.raw(who, "POST", path, "application/json", body.to_string()).await;
        (status, serde_json::from_str(&text).unwrap_or(Value::Null))
    }

    async fn role(&self, role: &str) -> Someone {
        let body = json!({"role": role}).to_string();
        let (status, text, cookie) =
            self.raw(None, "POST", "/api/demo/sign-in", "application/json", body).await;
        assert_eq!(status, 200, "{role}: {text}");
        let cookie = cookie.split(';').next().unwrap().to_string();
        let mut someone = Someone { id: 0, cookie };
        let (_, me) = self.get(Some(&someone), "/api/me").await;
        let id = me["id"].as_u64().or_else(|| me["person"]["id"].as_u64());
        someone.id = u32::try_from(id.unwrap_or_else(|| panic!("{me}"))).unwrap();
        someone
    }

    /// A table that deals by itself, with chips in its tray.
    async fn table(&self) -> TableHandle {
        self.table_of(Dealing::Automatic).await
    }

    async fn table_of(&self, dealer: Dealing) -> TableHandle {
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
                chosen(Setting::BettingSeconds, Set::Count(5)),
            ],
            ..Opening::default()
        };
        let opened = OpenTable {
            name: "One".to_string(),
            pit: "A".to_string(),
            currency: "SGD".to_string(),
            decimals: 2,
            cards: CardSource::Software,
            dealer,
            rulebook: Hash::ZERO,
            opening,
        };
        let table = self.app.floor.open_table(By::System, opened).await.unwrap();
        let top = u8::try_from(table.setup.rulebook.ranks.len() - 1).unwrap();
        let staff = |person, rank| Staff { person: PersonId(person), rank: Rank(rank), acting: None };
        for who in [staff(9_000, top), staff(9_001, 0)] {
            table.command(None, Actor::Staff(staff(9_000, top)), Action::SignOn(who)).await.unwrap();
        }
        let fill = Action::Fill { amount: Amount::new(10_000_000_000).unwrap(), witness: PersonId(9_001) };
        table.command(None, Actor::Staff(staff(9_000, top)), fill).await.unwrap();
        table
    }

    /// Plays until a round with the player's wager is over and kept; its number.
    async fn play(&self, player: &Someone, table: &TableHandle) -> u64 {
        let commands = format!("/api/tables/{}/commands", table.id);
        let say =
            |id: &str, action: Value| self.post(Some(player), &commands, json!({"id": id, "action": action}));
        let (status, body) = say("sit", json!({"sit": {"player": player.id, "seat": 1}})).await;
        assert_eq!(status, 200, "{body}");
        let buy = json!({"buy-in": {"player": player.id, "amount": 50_000, "cash": false}});
        let (status, body) = say("buy", buy).await;
        assert_eq!(status, 200, "{body}");
        for attempt in 0..200 {
            let bet = Action::Place(croupier_table::Place {
                player: croupier_table::PlayerId(player.id),
                bet: 0,
                amount: Amount::new(1_000).unwrap(),
                area: None,
                reserve: None,
                in_chips: true,
                untimed: false,
            });
            let (status, _) = say(&format!("bet-{attempt}"), serde_json::to_value(&bet).unwrap()).await;
            if status == 200 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        for _ in 0..1_500 {
            let (status, mine) = self.get(Some(player), "/api/me/rounds").await;
            assert_eq!(status, 200, "{mine}");
            if let Some(round) = mine["rounds"][0]["round"].as_u64() {
                return round;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("no round was played");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rulebooks_and_odds() {
    let site = Site::open().await;
    let (status, list) = site.get(None, "/api/rulebooks").await;
    assert_eq!((status, list.as_array().unwrap().len()), (200, 5));
    let (status, book) = site.get(None, "/api/rulebooks/hoiana-baccarat").await;
    assert_eq!(status, 200);
    assert!(
        book["clauses"].as_array().unwrap().len() > 100 && !book["settings"].as_array().unwrap().is_empty()
    );
    let clause = book["clauses"][3]["id"].as_str().unwrap().replace('/', "%2F");
    let (status, found) = site.get(None, &format!("/api/rulebooks/hoiana-baccarat/clauses/{clause}")).await;
    assert_eq!((status, &found["says"]), (200, &book["clauses"][3]["says"]));
    assert_eq!(site.get(None, "/api/rulebooks/hoiana-baccarat/clauses/99.99").await.0, 404);
    assert_eq!(site.get(None, "/api/rulebooks/none").await.0, 404);
    assert_eq!(site.get(None, "/api/rulebooks/hoiana-baccarat?hash=x").await.0, 400);

    let (status, sheet) = site.get(None, "/api/games/par?game=hoiana-baccarat%2Fcommission&decks=8").await;
    assert_eq!((status, &sheet["decks"]), (200, &json!(8)));
    assert_eq!(
        site.get(None, "/api/games/par?game=hoiana-baccarat%2Fcommission").await.1["total"],
        sheet["total"]
    );
    for (query, expected) in [
        ("game=none", 404),
        ("game=hoiana-niu-niu&decks=2", 422),
        ("game=mbs-dragon-tiger&decks=11", 422),
        ("game=mbs-dragon-tiger&decks=x", 400),
        ("game=mbs-dragon-tiger&shoe=1,2", 401),
        ("decks=8", 400),
    ] {
        assert_eq!(site.get(None, &format!("/api/games/par?{query}")).await.0, expected, "{query}");
    }
    let player = site.role("player").await;
    for (shoe, expected) in
        [("1,2", 422), ("0,0,0,0,0,0,0,0,0,0,0,0,5", 422), ("8,8,8,8,8,8,8,8,8,8,8,8,8", 200)]
    {
        let path = format!("/api/games/par?game=mbs-dragon-tiger&shoe={shoe}");
        assert_eq!(site.get(Some(&player), &path).await.0, expected, "{shoe}");
    }

    let sheet = "family = \"baccarat\"\n[[bet]]\nid = \"big\"\npays = [{ when = { winner = \"banker\", banker-points = 6, banker-cards = 3 }, odds = \"50:1\" }]\notherwise = \"lose\"\n";
    let price = |text: &str, query: &str| {
        let (text, path) = (text.to_string(), format!("/api/games/design{query}"));
        let (site, player) = (&site, &player);
        async move { site.raw(Some(player), "POST", &path, "text/plain", text).await }
    };
    let (status, text, _) = price(sheet, "?decks=8&edge=5%25").await;
    assert_eq!(status, 200, "{text}");
    assert!(text.contains("\"pays_exact\""), "{text}");
    let (status, text, _) = price("family = \"chess\"\nx = 1\n", "").await;
    let faults: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, faults["parameters"]["faults"][0]["line"].as_u64()), (422, Some(1)), "{text}");
    assert_eq!(price(sheet, "?edge=x").await.0, 422);

    let admin = site.role("admin").await;
    let add = |who: Someone, text: &'static str| {
        let site = &site;
        async move { site.raw(Some(&who), "POST", "/api/rulebooks", "text/plain", text.to_string()).await }
    };
    assert_eq!(add(player, "id = 1").await.0, 403);
    let (status, text, _) = add(admin, "id = 1").await;
    assert_eq!(status, 422, "{text}");
    assert!(serde_json::from_str::<Value>(&text).unwrap()["parameters"]["faults"][0]["column"].is_u64());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_cites_the_version_it_was_opened_under() {
    let site = Site::open().await;
    let table = site.table().await;
    let (_, told) = site.get(None, &format!("/api/tables/{}", table.id)).await;
    let hash = told["summary"]["rulebook_hash"].as_str().unwrap();
    let path = "/api/rulebooks/mbs-dragon-tiger";
    let (_, before) = site.get(None, path).await;
    let text = site.app.floor.volume("mbs-dragon-tiger").unwrap().text;
    let newer = format!("{text}\n# Revised.\n");
    let admin = site.role("admin").await;
    let (status, said, _) = site.raw(Some(&admin), "POST", "/api/rulebooks", "text/plain", newer).await;
    assert_eq!(status, 201, "{said}");

    let (_, newest) = site.get(None, path).await;
    assert_ne!(newest["hash"], hash);
    let (status, own) = site.get(None, &format!("{path}?hash={hash}")).await;
    assert_eq!((status, own), (200, before));
    for wrong in
        [format!("{path}?hash={}", Hash::ZERO), format!("/api/rulebooks/hoiana-baccarat?hash={hash}")]
    {
        assert_eq!(site.get(None, &wrong).await.0, 404, "{wrong}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn cards_of_a_round_in_progress_are_in_no_line_that_is_handed_out() {
    let site = Site::open().await;
    let table = site.table_of(Dealing::Staff).await;
    let auditor = site.role("auditor").await;
    let dealer = Actor::Staff(Staff { person: PersonId(9_001), rank: Rank(0), acting: None });
    let say = |action: Action| table.command(None, dealer, action);
    for action in [
        Action::LoadShoe { set: None, commitment: None },
        Action::RecordShuffle,
        Action::CutCards { above: Some(100) },
        Action::Burn { count: 1, cards: Vec::new() },
        Action::OpenBets,
    ] {
        say(action).await.unwrap();
    }
    let closed = say(Action::CloseBets).await.unwrap();
    let draw = || Action::Draw { card: None, laid: None, exposed: false };
    let own = format!("/api/audit/journal?stream=table%2F{}&limit=500", table.id);
    let last = |lines: &Value| lines["lines"].as_array().unwrap().last().cloned().unwrap();
    let (_, lines) = site.get(Some(&auditor), &own).await;
    assert_eq!((&lines["withheld"], &last(&lines)["sequence"]), (&json!(false), &json!(closed.sequence)));

    let drawn = say(draw()).await.unwrap();
    for path in [own.as_str(), "/api/audit/journal?limit=500"] {
        // What is read has come to the table's view by then, or is withheld even earlier.
        let (_, lines) = site.get(Some(&auditor), path).await;
        assert_eq!((&lines["withheld"], lines["next"].is_u64()), (&json!(true), true), "{path}");
        assert!(!lines.to_string().contains("\\\"draw\\\""), "{lines}");
    }
    // Other streams go on.
    let (_, house) = site.get(Some(&auditor), "/api/audit/journal?stream=house").await;
    assert_eq!(house["withheld"], false);
    let export = site.raw(Some(&auditor), "GET", "/api/audit/export", "", String::new()).await.1;
    assert!(!export.contains("\"draw\"") && export.contains("\"close-bets\""));
    let folder = croupier_testkit::tempdir().unwrap();
    let file = folder.path().join("journal.jsonl");
    std::fs::write(&file, export).unwrap();
    let mut store = croupier_journal::folder::LinesStore::open(&file).unwrap();
    croupier_journal::verify(&mut store, croupier_journal::verify::Against::default(), &mut |_| ()).unwrap();

    // With the round its cards are everybody's.
    while say(Action::Settle).await.is_err() {
        say(draw()).await.unwrap();
    }
    table.current().await;
    let (_, lines) = site.get(Some(&auditor), &own).await;
    assert_eq!(lines["withheld"], false, "{lines}");
    assert!(last(&lines)["sequence"].as_u64().unwrap() > drawn.sequence);
    let export = site.raw(Some(&auditor), "GET", "/api/audit/export", "", String::new()).await.1;
    assert!(export.contains("\"draw\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_that_do_not_fit_are_told_field_by_field() {
    let site = Site::open().await;
    let admin = site.role("admin").await;
    let open = |settings: Value| {
        let opening = json!({"game": "hoiana-baccarat/commission", "settings": settings});
        let body = json!({
            "name": "New", "pit": "A", "currency": "VND", "decimals": 2, "automatic": true,
            "software_shoe": true, "opening": opening,
        });
        site.post(Some(&admin), "/api/tables", body)
    };
    let set = |setting: &str, value: Value| json!({"setting": setting, "value": value});
    let (status, problem) = open(json!([
        set("layout", json!({"word": "none"})),
        set("decks", json!({"count": 99})),
        set("chip", json!({"money": 2_000})),
        set("minimum", json!({"money": 3_000})),
        {"setting": "maximum", "bet": "tie", "value": {"money": 4_500}},
    ]))
    .await;
    assert_eq!((status, &problem["code"]), (422, &json!("settings")), "{problem}");
    let faults = problem["parameters"]["settings"].as_array().unwrap();
    let at = |setting: &str| -> Vec<&Value> {
        faults.iter().filter(|fault| fault["setting"] == *setting).collect()
    };
    let message = |setting: &str| at(setting)[0]["message"].as_str().unwrap();
    assert!(message("layout").contains("there is no layout `none`"), "{problem}");
    assert!(message("decks").contains("accepted: a number from"), "{problem}");
    // One amount for all bets is told once, in the money of the table; what is for one bet names it.
    assert_eq!(at("minimum").len(), 1, "{problem}");
    assert_eq!(message("minimum"), "30.00 is no whole number of the smallest chip, 20.00");
    assert_eq!((at("maximum").len(), &at("maximum")[0]["bet"]), (1, &json!("tie")), "{problem}");
    assert_eq!(at("chip").len(), 0, "{problem}");
    // What must be set and is not has a field too, and the clauses that leave it to the operator.
    assert!(message("differential").contains("must be set"), "{problem}");
    let clauses = at("differential")[0]["clauses"].as_array().unwrap();
    assert!(
        !clauses.is_empty() && clauses.iter().all(|id| problem["clauses"].as_array().unwrap().contains(id))
    );
}

/// A table says which of its views somebody who works there may open, and opens just those.
#[tokio::test(flavor = "multi_thread")]
async fn tables_say_what_may_be_opened_of_them() {
    const ALL: [&str; 3] = ["dealer", "pit", "surveillance"];
    let site = Site::open().await;
    let table = site.table().await;
    let about = format!("/api/tables/{}", table.id);
    let cases: [(&str, &[&str]); 6] = [
        ("player", &[]),
        ("dealer", &["dealer"]),
        ("shift-manager", &["dealer", "pit"]),
        ("surveillance", &["surveillance"]),
        ("auditor", &[]),
        ("admin", &[]),
    ];
    for (role, consoles) in cases {
        let who = site.role(role).await;
        let (_, tables) = site.get(Some(&who), "/api/tables").await;
        assert_eq!(tables[0]["consoles"], json!(consoles), "{role}");
        assert_eq!(tables[0]["family"], "baccarat");
        assert_eq!(site.get(Some(&who), &about).await.1["summary"]["consoles"], json!(consoles), "{role}");
        for audience in ALL {
            let (status, _) = site.get(Some(&who), &format!("{about}/view?as={audience}")).await;
            assert_eq!(status == 200, consoles.contains(&audience), "{role} as {audience}: {status}");
        }
    }
    assert_eq!(site.get(None, "/api/tables").await.1[0]["consoles"], json!([]));
    let dealer = site.role("dealer").await;
    let off = json!({"on": false}).to_string();
    assert_eq!(site.raw(Some(&dealer), "PUT", "/api/me/duty", "application/json", off).await.0, 200);
    assert_eq!(site.get(Some(&dealer), "/api/tables").await.1[0]["consoles"], json!([]), "off duty");
}

/// What is offered to be bought is sold, and neither a part of a chip nor more than the wallet pays.
#[tokio::test(flavor = "multi_thread")]
async fn chips_are_offered_as_they_are_sold() {
    let site = Site::open().await;
    let (player, table) = (site.role("player").await, site.table().await);
    let path = format!("/api/tables/{}/buy-in", table.id);
    assert_eq!(site.get(Some(&player), &path).await, (200, json!({"wallet": 0, "chips": null})));
    let cashier = site.role("cashier").await;
    let paid = json!({"id": "one", "player": player.id, "amount": 12_345});
    assert_eq!(site.post(Some(&cashier), "/api/cage/deposits", paid).await.0, 200);
    let chips = json!({"from": 100, "to": 12_300, "step": 100});
    assert_eq!(site.get(Some(&player), &path).await, (200, json!({"wallet": 12_345, "chips": chips})));
    let commands = format!("/api/tables/{}/commands", table.id);
    let say = |id: &'static str, action: Value| {
        site.post(Some(&player), &commands, json!({"id": id, "action": action}))
    };
    assert_eq!(say("sit", json!({"sit": {"player": player.id, "seat": 1}})).await.0, 200);
    let buy = |amount: i64| json!({"buy-in": {"player": player.id, "amount": amount, "cash": false}});
    for (id, amount, code) in [("more", 12_400, "wallet-short"), ("part", 12_350, "not-whole-chips")] {
        let (status, problem) = say(id, buy(amount)).await;
        assert_eq!((status, &problem["code"]), (422, &json!(code)), "{problem}");
    }
    assert_eq!(say("all", buy(12_300)).await.0, 200);
    assert_eq!(site.get(Some(&player), &path).await, (200, json!({"wallet": 45, "chips": null})));
    let tip = |amount: i64| json!({"tip": {"player": player.id, "amount": amount}});
    assert_eq!(say("half", tip(50)).await.1["code"], "not-whole-chips");
    assert_eq!(say("tip", tip(100)).await.0, 200);
    assert_eq!(site.get(None, &path).await.0, 401);
    assert_eq!(site.get(Some(&cashier), &path).await.1["code"], "no-player");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_not_at_the_table_sees_what_everybody_sees() {
    let site = Site::open().await;
    let (player, table) = (site.role("player").await, site.table().await);
    let path = format!("/api/tables/{}/view?as=player", table.id);
    let (status, shown) = site.get(Some(&player), &path).await;
    assert_eq!((status, &shown["audience"]), (200, &json!("player")), "{shown}");
    assert_eq!(shown["view"].as_object().unwrap().keys().collect::<Vec<_>>(), ["felt"]);
    let document = serde_json::to_value(croupier_server::api::document()).unwrap();
    assert_eq!(document["components"]["schemas"]["PlayerView"]["required"], json!(["felt"]));
    let sit = json!({"id": "sit", "action": {"sit": {"player": player.id, "seat": 1}}});
    let commands = format!("/api/tables/{}/commands", table.id);
    assert_eq!(site.post(Some(&player), &commands, sit).await.0, 200);
    let (_, shown) = site.get(Some(&player), &path).await;
    assert_eq!(shown["view"].as_object().unwrap().keys().collect::<Vec<_>>(), ["account", "felt", "own"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn money_over_the_counter() {
    let site = Site::open().await;
    let (player, cashier) = (site.role("player").await, site.role("cashier").await);
    let wallet = format!("/api/players/{}/wallet", player.id);
    let before = site.get(Some(&player), &wallet).await.1["balance"].as_i64().unwrap();
    let body = json!({"id": "one", "player": player.id, "amount": 5_000});
    assert_eq!(site.post(Some(&player), "/api/cage/deposits", body.clone()).await.0, 403);
    let (status, first) = site.post(Some(&cashier), "/api/cage/deposits", body.clone()).await;
    assert_eq!((status, first["balance"].as_i64()), (200, Some(before + 5_000)), "{first}");
    assert_eq!(site.post(Some(&cashier), "/api/cage/deposits", body.clone()).await, (200, first.clone()));
    let other = json!({"id": "one", "player": player.id, "amount": 5_001});
    assert_eq!(site.post(Some(&cashier), "/api/cage/deposits", other).await.0, 409);

    let out = |id: &str, amount: i64| json!({"id": id, "player": player.id, "amount": amount});
    let too_much = site.post(Some(&cashier), "/api/cage/withdrawals", out("two", before + 5_001)).await;
    assert_eq!((too_much.0, too_much.1["code"].as_str()), (422, Some("wallet-short")));
    assert_eq!(site.post(Some(&cashier), "/api/cage/withdrawals", out("three", 5_000)).await.0, 200);
    assert_eq!(site.post(Some(&cashier), "/api/cage/withdrawals", out("four", 0)).await.0, 422);
    assert_eq!(site.post(Some(&cashier), "/api/cage/withdrawals", out("five", -1)).await.0, 400);
    // Four eyes, at the limit and below it with what went before.
    let big = site.post(Some(&cashier), "/api/cage/deposits", out("six", 10_000_000)).await;
    assert_eq!((big.0, big.1["code"].as_str()), (403, Some("witness-needed")));
    assert_eq!(site.post(Some(&cashier), "/api/cage/deposits", out("seven", 9_994_899)).await.0, 200);

    // The same id many times at once is one deposit.
    let again = || site.post(Some(&cashier), "/api/cage/deposits", out("eight", 100));
    let (one, two, three) = tokio::join!(again(), again(), again());
    let mut sequences = [one, two, three].map(|(status, body)| (status, body["sequence"].as_u64())).to_vec();
    sequences.dedup();
    assert!(sequences.len() == 1 && sequences[0].0 == 200, "{sequences:?}");

    let (status, history) = site.get(Some(&player), &format!("{wallet}/history?limit=2")).await;
    assert_eq!((status, history["changes"].as_array().unwrap().len()), (200, 2), "{history}");
    assert_eq!(history["changes"][0]["change"], 100);
    let next = history["next"].as_u64().unwrap();
    let (_, more) = site.get(Some(&player), &format!("{wallet}/history?limit=2&before={next}")).await;
    assert_eq!(more["changes"][0]["sequence"].as_u64(), Some(next - 1));
    let stranger = site.role("player").await;
    assert_eq!(site.get(Some(&stranger), &wallet).await.0, 403);
    let (status, totals) = site.get(Some(&cashier), "/api/cage").await;
    assert_eq!((status, &totals["inside"]), (200, &totals["wallets"]), "{totals}");
    assert_eq!(site.get(Some(&player), "/api/cage").await.0, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_and_all_that_is_kept_of_it() {
    let site = Site::open().await;
    let (player, cashier, auditor) =
        (site.role("player").await, site.role("cashier").await, site.role("auditor").await);
    let deposit = json!({"id": "in", "player": player.id, "amount": 100_000});
    assert_eq!(site.post(Some(&cashier), "/api/cage/deposits", deposit).await.0, 200);
    let table = site.table().await;
    let round = site.play(&player, &table).await;
    let path = format!("/api/tables/{}", table.id);

    let (status, list) = site.get(None, &format!("{path}/rounds?limit=1")).await;
    assert_eq!((status, list["rounds"].as_array().unwrap().len()), (200, 1));
    assert_eq!(site.get(None, &format!("{path}/rounds?limit=0")).await.0, 400);
    let (status, told) = site.get(None, &format!("{path}/rounds/{round}")).await;
    assert_eq!((status, &told["kept"]["felt"]["wagers"][0]["player"]), (200, &json!(player.id)), "{told}");
    assert!(!told["clauses"].as_array().unwrap().is_empty());
    assert_eq!(site.get(None, &format!("{path}/rounds/9999999")).await.0, 404);
    assert_eq!(site.get(None, &format!("{path}/roads")).await.0, 200);

    let file = format!("{path}/rounds/{round}/file");
    assert_eq!(site.get(Some(&player), &file).await.0, 403);
    let (status, text, _) = site.raw(Some(&auditor), "GET", &file, "", String::new()).await;
    assert_eq!(status, 200);
    let parsed = croupier_rounds::RoundFile::parse(&text).unwrap();
    let report = croupier_rounds::run(&croupier_rules::Library::standard(), &parsed);
    assert!(report.passed(), "{text}");

    // Every proof of a shoe in play holds, and only cards that are out are proved.
    let (status, shoe) = site.get(None, &format!("{path}/shoes/1")).await;
    assert_eq!(status, 200, "{shoe}");
    let root: Root = shoe["commitment"].as_str().unwrap().parse().unwrap();
    let cards = usize::try_from(shoe["cards"].as_u64().unwrap()).unwrap();
    let openings = shoe["openings"].as_array().unwrap();
    assert!(!openings.is_empty() && openings.len() < cards, "{shoe}");
    for opening in openings {
        let text = |name: &str| opening[name].as_str().unwrap();
        if shoe["is_over"] == false {
            let proof = Proof {
                position: usize::try_from(opening["position"].as_u64().unwrap()).unwrap(),
                card: text("card").parse().unwrap(),
                salt: text("salt").parse().unwrap(),
                path: opening["path"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|hash| hash.as_str().unwrap().parse().unwrap())
                    .collect(),
            };
            proof.verify(&root, cards).unwrap();
        }
    }
    assert_eq!(site.get(None, &format!("{path}/shoes/2")).await.0, 404);
    let (above, seen) = (shoe["above"].as_u64().unwrap(), openings.len());
    assert!(above > 0 && seen >= 4);

    dispute(&site, &player, &table, round).await;
    audited(&site, &auditor, &player).await;
    closed(&site, &table).await;
}

async fn dispute(site: &Site, player: &Someone, table: &TableHandle, round: u64) {
    let (first, judge) = (site.role("pit-manager").await, site.role("shift-manager").await);
    let raise =
        json!({"id": "raise", "table": table.id.0, "round": round, "matter": "wager", "words": "I won."});
    let (status, case) = site.post(Some(player), "/api/cases", raise.clone()).await;
    assert_eq!((status, &case["state"]), (201, &json!("opened")), "{case}");
    assert_eq!(site.post(Some(player), "/api/cases", raise.clone()).await, (201, case.clone()));
    let mut other = raise;
    other["words"] = json!("I lost.");
    assert_eq!(site.post(Some(player), "/api/cases", other).await.0, 409);
    let path = format!("/api/cases/{}", case["id"]);
    let stranger = site.role("player").await;
    assert_eq!(site.get(Some(&stranger), &path).await.0, 404);

    let commands = format!("{path}/commands");
    let rank = json!({"person": first.id, "rank": 0});
    let steps = [
        (&first, json!({"assign": {"to": rank}})),
        (&first, json!({"escalate": {"words": "The player does not agree."}})),
        (&judge, json!("take-over")),
        (&judge, json!({"gather-fact": {"words": "secret fact"}})),
        (&judge, json!("inform-surveillance")),
        (&judge, json!({"tell-due": {"due": {"by": 9_999_999_999_u64}}})),
        (&judge, json!("complete-gathering")),
        (
            &judge,
            json!({"decide": {
                "grounds": [{"law": {"citation": "the law"}}], "reasoning": "He is right.",
                "corrections": [{"player": player.id, "amount": 700}],
            }}),
        ),
        (player, json!("agree")),
    ];
    for (at, (who, order)) in steps.iter().enumerate() {
        let body = json!({"id": format!("step-{at}"), "order": order});
        let (status, got) = site.post(Some(who), &commands, body.clone()).await;
        assert_eq!(status, 200, "{order}: {got}");
        assert_eq!(site.post(Some(who), &commands, body).await, (200, got), "a retry");
    }
    let wallet = format!("/api/players/{}/wallet", player.id);
    let before = site.get(Some(player), &wallet).await.1["balance"].as_i64().unwrap();
    let post = |through: &str| json!({"id": "post", "order": {"post-corrections": {"through": through, "transfers": []}}});
    assert_eq!(site.post(Some(player), &commands, post("cage")).await.0, 403);
    assert_eq!(site.post(Some(&judge), &commands, post("table")).await.0, 422);
    assert_eq!(site.post(Some(&judge), &commands, post("cage")).await.0, 200);
    assert_eq!(site.post(Some(&judge), &commands, post("cage")).await.0, 200);
    assert_eq!(site.get(Some(player), &wallet).await.1["balance"].as_i64(), Some(before + 700));

    let (_, own) = site.get(Some(player), &path).await;
    assert_eq!(own["player"]["decision"]["correction"], 700, "{own}");
    assert!(!own.to_string().contains("secret fact"));
    let (_, full) = site.get(Some(&judge), &path).await;
    assert!(full["staff"]["case"].to_string().contains("secret fact"), "{full}");
    let (_, list) = site.get(Some(player), "/api/cases?state=closed").await;
    assert_eq!(list.as_array().unwrap().len(), 1);
    assert_eq!(site.get(Some(&stranger), "/api/cases").await.1, json!([]));

    // Some more may be open at once, and not any number.
    let more = |number: u32| {
        let body = json!({"id": format!("more-{number}"), "table": table.id.0, "matter": "wager", "words": "Again."});
        site.post(Some(player), "/api/cases", body)
    };
    for number in 1..=5 {
        assert_eq!(more(number).await.0, 201, "{number}");
    }
    let (status, problem) = more(6).await;
    assert_eq!((status, problem["code"].as_str()), (409, Some("too-many-cases")), "{problem}");
    assert_eq!(more(5).await.0, 201, "a retry");
    let (_, list) = site.get(Some(player), "/api/cases?before=4").await;
    let ids: Vec<_> = list.as_array().unwrap().iter().map(|case| case["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, [3, 2, 1]);
}

async fn audited(site: &Site, auditor: &Someone, player: &Someone) {
    assert_eq!(site.get(Some(player), "/api/audit/streams").await.0, 403);
    let (status, streams) = site.get(Some(auditor), "/api/audit/streams").await;
    assert_eq!(status, 200);
    assert!(streams["streams"].as_array().unwrap().iter().any(|stream| stream["stream"] == "case/1"));
    let (_, lines) = site.get(Some(auditor), "/api/audit/journal?stream=case%2F1&from=2&limit=3").await;
    assert_eq!((lines["lines"][0]["sequence"].as_u64(), lines["next"].as_u64()), (Some(2), Some(5)));
    let previous = lines["lines"][0]["hash"].as_str().unwrap();
    assert!(lines["lines"][1]["line"].as_str().unwrap().contains(previous));
    assert_eq!(site.get(Some(auditor), "/api/audit/journal?stream=x").await.0, 400);
    let (_, denials) = site.get(Some(auditor), "/api/audit/denials?limit=1").await;
    assert_eq!(denials["denials"][0]["what"], "GET /api/audit/streams", "{denials}");
    let next = denials["next"].as_u64().unwrap();
    let (_, more) = site.get(Some(auditor), &format!("/api/audit/denials?before={next}")).await;
    assert!(more["denials"].as_array().unwrap().len() > 1, "{more}");
    site.app.floor.checkpoint(None).await.unwrap();
    let (_, checkpoints) = site.get(Some(auditor), "/api/audit/checkpoints").await;
    assert!(checkpoints["count"].as_u64().unwrap() >= 1, "{checkpoints}");

    let (status, begun) = site.post(Some(auditor), "/api/audit/verify", Value::Null).await;
    assert_eq!(status, 202, "{begun}");
    for _ in 0..500 {
        let (_, check) = site.get(Some(auditor), "/api/audit/verify").await;
        if check["state"] != "running" {
            assert_eq!(check["state"], "clean", "{check}");
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let (status, text, _) = site.raw(Some(auditor), "GET", "/api/audit/export", "", String::new()).await;
    assert_eq!(status, 200);
    assert!(
        text.lines().count() > 20 && text.lines().all(|line| serde_json::from_str::<Value>(line).is_ok())
    );
}

async fn closed(site: &Site, table: &TableHandle) {
    let manager = site.role("shift-manager").await;
    let close = |day: &str| site.post(Some(&manager), "/api/days/close", json!({"day": day}));
    assert_eq!(close("2024-02-30").await.0, 422);
    let (status, ahead) = close("9999-12-31").await;
    assert_eq!((status, ahead["code"].as_str()), (422, Some("day-ahead")), "{ahead}");
    let (status, day) = close("2024-11-15").await;
    assert_eq!(status, 201, "{day}");
    let report = &day["tables"][0];
    assert_eq!(
        (report["table"].as_u64(), report["drop"].as_i64()),
        (Some(u64::from(table.id.0)), Some(50_000))
    );
    assert!(
        report["handle"].as_i64().unwrap() >= 1_000 && report["rounds"].as_u64().unwrap() >= 1,
        "{report}"
    );
    assert_ne!(report["theory"], 0);
    // The hold is the win in percent of the drop, cut off after two decimals.
    let win = report["win"].as_i64().unwrap();
    let hold = (win * 10_000 / 50_000).abs();
    let hold = format!("{}{}.{:02}", if win < 0 { "-" } else { "" }, hold / 100, hold % 100);
    assert_eq!(report["hold"], json!(hold), "{report}");
    assert_eq!(close("2024-11-15").await.0, 409);
    assert_eq!(close("2024-11-14").await.0, 409);
    let (_, next) = close("2024-11-16").await;
    assert_eq!(next["tables"][0]["drop"], 0, "{next}");
    assert_eq!(site.get(Some(&manager), "/api/days").await.1, json!({"days": ["2024-11-16", "2024-11-15"]}));
    assert_eq!(site.get(Some(&manager), "/api/days/2024-11-17").await.0, 404);
    let (status, page, _) =
        site.raw(Some(&manager), "GET", "/api/days/2024-11-15", "text/html", String::new()).await;
    assert!(status == 200 && page.contains("<h1>Gaming day 2024-11-15</h1>"));
}

#[test]
fn a_whole_shoe_is_checked_from_its_openings() {
    let cards = croupier_cards::parse_cards("AS 8H KD").unwrap();
    let salts = [1, 2, 3].map(|byte| croupier_cards::Salt::from_bytes([byte; 32])).to_vec();
    let commitment = croupier_cards::Commitment::new(cards.clone(), salts).unwrap();
    let openings: Vec<Shown> = commitment.reveal_all();
    assert_eq!(verify_reveal(&commitment.root(), 3, &openings).unwrap(), cards);
}
