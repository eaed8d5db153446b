//! Counts and slips over HTTP: three people, what each of them is shown, and what it does to the table and the day.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on stops")]

#[expect(dead_code, reason = "this test uses its part of it")]
mod site;

use croupier_journal::By;
use croupier_journal::deed::Dealing;
use croupier_server::days;
use croupier_server::people::{Edit, Grant};
use croupier_server::table::TableHandle;
use serde_json::{Value, json};
use site::{PIN, Site, Someone};

/// A table with a Dealer and two of the pit signed on, and one thousand million in the float.
struct Pit {
    site: Site,
    table: TableHandle,
    dealer: Someone,
    pit: Someone,
    boss: Someone,
}

impl Pit {
    async fn open() -> Self {
        let site = Site::open().await;
        let table = site.table(Dealing::Staff).await;
        let dealer = site.staff("dora", "dealer").await;
        let (pit, boss) =
            (site.staff("pia", "pit-supervisor").await, site.staff("paul", "pit-supervisor").await);
        for who in [&dealer, &pit, &boss] {
            let on = json!({"sign-on": {"person": who.id, "rank": 0}});
            assert_eq!(site.command(who, &table, on).await.status, 200);
        }
        Self { site, table, dealer, pit, boss }
    }

    async fn order(&self, who: &Someone, order: Value) -> (u16, Value) {
        self.order_with(who, json!({"order": order})).await
    }

    async fn order_with(&self, who: &Someone, mut body: Value) -> (u16, Value) {
        if body.get("id").is_none() {
            body["id"] = json!(site::fresh_id());
        }
        let path = format!("/api/tables/{}/tray", self.table.id);
        let got = self.site.ask(Some(who), "POST", &path, body).await;
        (got.status, got.body)
    }

    async fn papers(&self, who: &Someone) -> Value {
        self.site
            .ask(Some(who), "GET", &format!("/api/tables/{}/tray", self.table.id), Value::Null)
            .await
            .body
    }

    async fn float(&self) -> i64 {
        self.table.current().await.views.dealer().desk.float.minor()
    }
}

fn chips(kinds: &[(i64, u32)]) -> Value {
    kinds.iter().map(|(value, pieces)| json!({"value": value, "pieces": pieces})).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fill_goes_from_the_request_to_the_slip() {
    let floor = Pit::open().await;
    let ask = json!({"ask-slip": {"kind": "fill", "chips": chips(&[(500_000, 4), (100_000, 10)])}});
    let body = json!({"id": "ask-once", "order": ask});
    let (status, paper) = floor.order_with(&floor.dealer, body.clone()).await;
    assert_eq!((status, &paper["slip"]["amount"]), (200, &json!(3_000_000)), "{paper}");
    // The same id is the same slip.
    assert_eq!(floor.order_with(&floor.dealer, body).await.1["slip"]["number"], 1);
    assert_eq!(floor.order(&floor.dealer, json!({"approve-slip": {"number": 1}})).await.0, 403);
    assert_eq!(floor.order(&floor.pit, json!({"approve-slip": {"number": 1}})).await.0, 200);
    let deliver = json!({"deliver-slip": {"number": 1}});
    let (status, problem) = floor.order(&floor.boss, deliver.clone()).await;
    assert_eq!((status, &problem["code"]), (403, &json!("witness-needed")));
    assert_eq!(floor.float().await, 1_000_000_000);
    let before = json!({"order": deliver, "witness": {"name": "dora", "pin": PIN}});
    let (status, paper) = floor.order_with(&floor.boss, before.clone()).await;
    assert_eq!((status, &paper["slip"]["state"]), (200, &json!("delivered")), "{paper}");
    assert_eq!(floor.float().await, 1_003_000_000);
    let names = ["asked", "approved", "ended", "witness"].map(|by| paper["slip"][by]["person"].clone());
    assert_eq!(names, [floor.dealer.id, floor.pit.id, floor.boss.id, floor.dealer.id].map(Value::from));
    // It is over: nobody brings it twice.
    assert_eq!(floor.order_with(&floor.boss, before).await.0, 422);
    assert_eq!(floor.float().await, 1_003_000_000);
    // Nobody else has the id of its command.
    let fill = json!({"id": "paper-2", "action": {"fill": {"amount": 100_000, "witness": 0}}});
    let got = floor.site.command_with(&floor.pit, &floor.table, fill).await;
    assert_eq!((got.status, &got.body["code"]), (400, &json!("bad-id")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_count_is_blind_and_its_shortage_is_carried_to_the_day() {
    let floor = Pit::open().await;
    let counted =
        |order: &'static str| json!({order: {"of": "closing", "chips": chips(&[(1_000_000, 999)])}});
    let (status, paper) = floor.order(&floor.dealer, counted("begin-count")).await;
    assert_eq!(status, 200, "{paper}");
    // Whoever counts next, and everybody else, sees that somebody has counted and nothing of what.
    for who in [&floor.dealer, &floor.pit, &floor.boss] {
        let shown = floor.papers(who).await["papers"][0]["count"].clone();
        assert_eq!((&shown["state"], &shown["found"]), (&json!("awaits-second"), &Value::Null));
        let text = shown.to_string();
        assert!(!text.contains("999") && !text.contains("1000000"), "{text}");
    }
    let seal = |pieces: u32| json!({"seal-count": {"number": 1, "chips": chips(&[(1_000_000, pieces)])}});
    assert_eq!(floor.order(&floor.dealer, seal(999)).await.1["code"], "same-person");
    // They differ: which chips, and not by how many.
    let (_, paper) = floor.order(&floor.pit, seal(998)).await;
    assert_eq!(
        (&paper["count"]["state"], &paper["count"]["again"]),
        (&json!("differs"), &json!([1_000_000]))
    );
    assert_eq!(paper["count"]["found"], Value::Null);
    assert_eq!(floor.order(&floor.dealer, seal(999)).await.0, 200);
    let (_, paper) = floor.order(&floor.pit, seal(999)).await;
    assert_eq!(paper["count"]["found"]["difference"], -1_000_000, "{paper}");
    let sign = json!({"sign-count": {"number": 1}});
    assert_eq!(floor.order(&floor.boss, sign.clone()).await.1["code"], "count-unexplained");
    let explain = json!({"explain-count": {"number": 1, "words": "surveillance looks for a chip"}});
    assert_eq!(floor.order(&floor.boss, explain).await.0, 200);
    let (status, paper) = floor.order(&floor.boss, sign).await;
    assert_eq!((status, &paper["count"]["state"]), (200, &json!("signed")), "{paper}");
    assert!(paper["count"]["line"].is_u64(), "{paper}");
    let felt = floor.table.current().await.views.public().felt.phase;
    assert_eq!(serde_json::to_value(felt).unwrap(), "table-closed");

    // The day has the shortage, and the win by chips is lower by it than that by rounds.
    let calendar = days::Calendar::default();
    let day =
        days::close(&floor.site.app.floor, &calendar, By::System, "2024-11-15".to_string()).await.unwrap();
    let chips = day.tables[0].chips.unwrap();
    assert_eq!((chips.fills, chips.closing, chips.difference), (1_000_000_000, 999_000_000, -1_000_000));
    assert_eq!(chips.win() - day.tables[0].win, -1_000_000);

    // The next morning it is opened as it was closed, with its people and its float, by one request.
    let manager = Edit {
        grants: Some(vec![
            Grant::FloorManager,
            Grant::Staff { rank: "pit-supervisor".to_string(), rulebook: None, pit: None, acting: None },
        ]),
        ..Edit::default()
    };
    floor.site.app.people.edit(By::System, floor.boss.id, manager).await.unwrap();
    let listed = floor.site.ask(Some(&floor.boss), "GET", "/api/templates", Value::Null).await.body;
    let template = &listed[0];
    assert_eq!((&template["is_close"], &template["float"]), (&json!(true), &json!(999_000_000)), "{listed}");
    let path = format!("/api/templates/{}/open", template["id"].as_str().unwrap());
    let wrong = json!({"witness": {"name": "dora", "pin": "000000"}});
    let tables = floor.site.app.floor.tables().len();
    assert_eq!(floor.site.ask(Some(&floor.boss), "POST", &path, wrong).await.status, 403);
    assert_eq!(floor.site.app.floor.tables().len(), tables);
    let open = json!({"witness": {"name": "dora", "pin": PIN}});
    let got = floor.site.ask(Some(&floor.boss), "POST", &path, open).await;
    assert_eq!(got.status, 201, "{}", got.body);
    // The two who opened it for the test have no accounts, and are said to be absent.
    assert_eq!(got.body["absent"], json!([900_000, 900_001]));
    assert_eq!(got.body["missing"], json!(["shoe"]));
    let id = u32::try_from(got.body["table"]["id"].as_u64().unwrap()).unwrap();
    let opened = floor.site.app.floor.table(croupier_ledger::TableId(id)).unwrap().current().await;
    assert_eq!(opened.views.dealer().desk.float.minor(), 999_000_000);
    // Onlookers hear what concerns them.
    let public = floor.site.ask(None, "GET", &format!("/api/tables/{id}/ready"), Value::Null).await.body;
    assert_eq!(public["missing"], json!(["shoe"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pit_sees_what_the_day_comes_to_and_loses_it_when_it_is_closed() {
    let floor = Pit::open().await;
    let figures = async || {
        let shown = floor.site.ask(Some(&floor.pit), "GET", "/api/pit", Value::Null).await;
        assert_eq!(shown.status, 200, "{}", shown.body);
        shown.body["tables"][0].clone()
    };
    let before = figures().await;
    assert_eq!(before["figures"]["fills"], 1_000_000_000, "{before}");
    assert_eq!(before["figures"]["is_whole"], true);
    let staff: Vec<_> =
        before["staff"].as_array().unwrap().iter().map(|staff| staff["since"].is_u64()).collect();
    assert_eq!(staff, [true; 5]);
    let calendar = days::Calendar::default();
    days::close(&floor.site.app.floor, &calendar, By::System, "2024-11-15".to_string()).await.unwrap();
    assert_eq!(figures().await["figures"]["fills"], 0);
    let ask = json!({"ask-slip": {"kind": "credit", "chips": chips(&[(100_000, 1)])}});
    floor.order(&floor.dealer, ask).await;
    assert_eq!(figures().await["papers"][0]["slip"]["state"], "asked");
}
