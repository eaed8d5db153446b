//! What answers a moment that is over is refused, over HTTP and over WebSocket: nothing lands in a later round.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on stops")]

#[expect(dead_code, reason = "this test uses its part of it")]
mod site;

use croupier_journal::deed::Dealing;
use croupier_table::Action;
use serde_json::{Value, json};
use site::{Site, Socket, config, wager};

/// A tap on a dead line comes again once the line stands, rounds later: it is refused by a code of its own, and the
/// chips stay where they are.
#[tokio::test(flavor = "multi_thread")]
async fn a_wager_of_a_dead_line_does_not_lie_in_a_later_round() {
    let site = Site::listening(config()).await;
    let table = site.table(Dealing::Staff).await;
    let ann = site.seated(&table, "ann", 1, 100_000).await;
    site.open_bets(&table).await;

    let mut line = Socket::open(&site, &ann, table.id.0, "?as=player").await;
    let mut moment = Value::Null;
    while moment["round"] != 1 {
        moment = line.hear().await.unwrap()["moment"].clone();
    }
    let laid = json!({"id": "laid", "action": wager(ann.id, 0, 1_000), "answers": moment});
    line.say(&laid).await;
    let first = line.answer_to("laid").await;
    assert_eq!(first["type"], "answer", "{first}");
    // The tap that never arrives: the line is dead.
    let tap = json!({"id": "tap", "action": wager(ann.id, 0, 2_000), "answers": moment});
    drop(line);

    for _ in 0..3 {
        site.finish_round(&table).await;
        site.give(&table, Action::OpenBets).await;
    }
    let path = format!("/api/tables/{}/view?as=player", table.id);
    let before = site.ask(Some(&ann), "GET", &path, Value::Null).await.body;
    assert_eq!(before["moment"]["round"], 4, "{}", before["moment"]);

    let mut line = Socket::open(&site, &ann, table.id.0, "?as=player").await;
    line.say(&tap).await;
    let refused = line.answer_to("tap").await;
    assert_eq!(refused["type"], "refused", "{refused}");
    let problem = &refused["problem"];
    assert_eq!((&problem["status"], &problem["code"]), (&json!(409), &json!("moment-over")));
    assert_eq!(problem["detail"], "this was for round 1, and the table is at round 4 now; nothing was done");
    assert_eq!(problem["parameters"]["now"]["round"], 4);
    // What was carried out keeps its answer, however late it is asked for again.
    line.say(&laid).await;
    let again = line.answer_to("laid").await;
    assert_eq!((&again["type"], &again["sequence"]), (&json!("answer"), &first["sequence"]), "{again}");

    let after = site.ask(Some(&ann), "GET", &path, Value::Null).await.body;
    assert_eq!(after["view"]["account"]["chips"], before["view"]["account"]["chips"]);
    assert_eq!(after["view"]["felt"]["wagers"], json!([]));
    assert_eq!(after["sequence"], before["sequence"], "a refusal is no line of the table");
}

/// Over HTTP, and for each kind of moment: betting, the deal, what is on hold.
#[tokio::test(flavor = "multi_thread")]
async fn calls_cards_reports_and_rulings_answer_their_moment_too() {
    let site = Site::open().await;
    let table = site.table(Dealing::Staff).await;
    let rank = table.setup.rulebook.ranks.last().unwrap().id.clone();
    let boss = site.staff("boss", &rank).await;
    let sign_on = json!({"sign-on": {"person": boss.id, "rank": 0}});
    assert_eq!(site.command(&boss, &table, sign_on).await.status, 200);
    site.seated(&table, "ann", 1, 100_000).await;
    site.prepare(&table).await;
    let moment = async || {
        let path = format!("/api/tables/{}/view?as=dealer", table.id);
        site.ask(Some(&boss), "GET", &path, Value::Null).await.body["moment"].clone()
    };
    let say = async |action: Value, answers: &Value| {
        let got = site.command_with(&boss, &table, json!({"action": action, "answers": answers})).await;
        (got.status, got.code().to_string())
    };
    let over = || (409, "moment-over".to_string());
    let done = || (200, String::new());

    // Each call once for the moment it was made at, and again when that is over.
    let ready = moment().await;
    assert_eq!(say(json!("open-bets"), &ready).await, done());
    assert_eq!(say(json!("open-bets"), &ready).await, over());
    let betting = moment().await;
    assert_eq!(say(json!("close-bets"), &betting).await, done());
    let draw = json!({"draw": {"exposed": false}});
    let closed = moment().await;
    assert_eq!(say(draw.clone(), &closed).await, done());
    assert_eq!(say(draw.clone(), &closed).await, over());

    let report = json!({"report": {"other": "a glass fell over"}});
    let playing = moment().await;
    assert_eq!(say(report.clone(), &playing).await, done());
    assert_eq!(say(json!({"report": "force-majeure"}), &playing).await, over());
    let held = moment().await;
    assert_eq!(say(json!("retract"), &held).await, done());
    assert_eq!(say(report, &moment().await).await, done());
    assert_eq!(say(json!("retract"), &held).await, over());
    // Coming and going answers nothing.
    assert_eq!(say(json!({"sign-off": 900_001}), &ready).await, done());
    // A program that names no moment is taken at whatever moment it comes, as before.
    let got = site.command(&boss, &table, json!("retract")).await;
    assert_eq!(got.status, 200, "{}", got.body);
    // What is not understood of a moment is said.
    let got = site.command_with(&boss, &table, json!({"action": "settle", "answers": {"round": 1}})).await;
    assert_eq!(got.answer(), (400, "bad-body"));
}
