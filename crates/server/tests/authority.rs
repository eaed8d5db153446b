//! The authority table: who may ask for what. Every route and every command has a row, written by hand; one without a
//! row fails.
//!
//! In a cell `.` is let through (what is asked may still be refused for another reason), `i` is told to sign in, and
//! any other letter is denied for want of authority: `x` for routes, and for commands by the code that stands below.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on stops")]

#[path = "authority/commands.rs"]
mod commands;
#[expect(dead_code, reason = "this test uses its part of it")]
mod site;

use std::collections::BTreeSet;

use commands::COMMANDS;
use croupier_journal::By;
use croupier_journal::deed::Dealing;
use croupier_server::people::{Edit, Grant};
use croupier_server::table::TableHandle;
use serde_json::{Value, json};
use site::{PASSWORD, PIN, Site, Someone, wager};

/// Who asks, in the order of the columns.
const ROLES: [&str; 9] = [
    "nobody",
    "player",
    "dealer",
    "cashier",
    "surveillance",
    "auditor",
    "floor-manager",
    "admin",
    "the token of the device of table 1",
];

/// Method, path as the document has it, what is put in, the body, and a letter for each role. `{own}` is the id of
/// whoever asks, `{player}` that of the player in the second column, `{other}` that of another.
type Row = (&'static str, &'static str, &'static str, fn() -> Value, &'static str);

fn none() -> Value {
    Value::Null
}

fn empty() -> Value {
    json!({})
}

#[rustfmt::skip]
const ROUTES: &[Row] = &[
    //                                                                                          npdcsafAt
    ("GET", "/api/audit/checkpoints", "", none,                                                "ixxxx.xxx"),
    ("GET", "/api/audit/denials", "", none,                                                    "ixxxx.xxx"),
    ("GET", "/api/audit/export", "", none,                                                     "ixxxx.xxx"),
    ("GET", "/api/audit/journal", "?stream=house", none,                                       "ixxxx.xxx"),
    ("GET", "/api/audit/search", "", none,                                                     "ixxxx.xxx"),
    ("GET", "/api/audit/streams", "", none,                                                    "ixxxx.xxx"),
    ("GET", "/api/audit/verify", "", none,                                                     "ixxxx.xxx"),
    ("POST", "/api/audit/verify", "", none,                                                    "ixxxx.xxx"),
    ("GET", "/api/cage", "", none,                                                             "ixx.x.xxx"),
    ("POST", "/api/cage/deposits", "", over_counter,                                           "ixx.xxxxx"),
    ("POST", "/api/cage/withdrawals", "", over_counter,                                        "ixx.xxxxx"),
    ("GET", "/api/cases", "", none,                                                            "i.......x"),
    ("POST", "/api/cases", "", empty,                                                          "i.......x"),
    ("GET", "/api/cases/{case}", "7", none,                                                    "i.......x"),
    ("POST", "/api/cases/{case}/commands", "7", empty,                                         "i.......x"),
    ("GET", "/api/days", "", none,                                                             "ixxxx..xx"),
    ("POST", "/api/days/close", "", || json!({"day": "2020-01-01"}),                           "ixxxxx.xx"),
    ("GET", "/api/days/{day}", "2020-01-01", none,                                             "ixxxx..xx"),
    ("POST", "/api/demo/sign-in", "", || json!({"role": "player"}),                            "........."),
    ("POST", "/api/first-run", "", || json!({"token": "t", "name": "n", "password": PASSWORD}), "xxxxxxxxx"),
    ("POST", "/api/games/design", "", empty,                                                   "i.......x"),
    ("GET", "/api/games/par", "?game=mbs-dragon-tiger", none,                                  "........x"),
    ("GET", "/api/me", "", none,                                                               "i.......x"),
    ("PUT", "/api/me/duty", "", || json!({"on": true}),                                        "i.......x"),
    ("POST", "/api/me/factor/app", "", || json!({"password": PASSWORD}),                       "i.......x"),
    ("POST", "/api/me/factor/app", "", || json!({"password": "wrong"}),                        "ixxxxxxxx"),
    ("PUT", "/api/me/factor/app", "", || json!({"code": "000000"}),                            "ixxxxxxxx"),
    ("POST", "/api/me/factor/challenge", "", none,                                             "i.......x"),
    ("POST", "/api/me/factor/passkeys", "", new_passkey,                                       "i.......x"),
    ("POST", "/api/me/factor/passkeys/begin", "", || json!({"password": PASSWORD}),            "i.......x"),
    ("POST", "/api/me/factor/passkeys/begin", "", || json!({"password": "wrong"}),             "ixxxxxxxx"),
    ("POST", "/api/me/factor/recovery", "", both_again,                                        "i.......x"),
    ("POST", "/api/me/factor/remove", "", both_again,                                          "i.......x"),
    ("PUT", "/api/me/password", "", || json!({"current": "wrong", "new": PASSWORD}),           "ixxxxxxxx"),
    ("PUT", "/api/me/pin", "", || json!({"password": PASSWORD, "pin": PIN}),                   "i.......x"),
    ("GET", "/api/me/sessions", "", none,                                                      "i.......x"),
    ("POST", "/api/me/sessions/end", "", || json!({"password": PASSWORD, "session": "0"}),     "i.......x"),
    ("POST", "/api/me/sessions/end", "", || json!({"password": "wrong", "session": "0"}),      "ixxxxxxxx"),
    ("GET", "/api/me/rounds", "", none,                                                        "i.......x"),
    ("POST", "/api/me/unlock", "", || json!({"pin": "000000"}),                                "ixxxxxxxx"),
    ("GET", "/api/people", "", none,                                                           "ixx.xx..x"),
    ("POST", "/api/people", "", || json!({"name": "ann", "grants": ["player"]}),               "ixx.xx..x"),
    ("POST", "/api/people", "", || json!({"name": "ann", "grants": ["cashier"]}),              "ixxxxxx.x"),
    ("GET", "/api/people/{person}", "{other}", none,                                           "ixx.xx..x"),
    ("GET", "/api/people/{person}", "{own}", none,                                             "ixxxxxx.x"),
    ("PATCH", "/api/people/{person}", "{other}", empty,                                        "ixxxxxx.x"),
    ("PATCH", "/api/people/{person}", "{own}", empty,                                          "ixxxxxx.x"),
    ("DELETE", "/api/people/{person}/factor", "{other}", none,                                 "ixxxxxx.x"),
    ("DELETE", "/api/people/{person}/factor", "{own}", none,                                   "ixxxxxxxx"),
    ("PUT", "/api/people/{person}/provider", "{other}", empty,                                 "ixxxxxx.x"),
    ("PUT", "/api/people/{person}/provider", "{own}", empty,                                   "ixxxxxx.x"),
    ("GET", "/api/players/{player}/wallet", "{player}", none,                                  "i.x.x.xxx"),
    ("GET", "/api/players/{player}/wallet", "{other}", none,                                   "ixx.x.xxx"),
    ("GET", "/api/players/{player}/wallet/history", "{player}", none,                          "i.x.x.xxx"),
    ("GET", "/api/players/{player}/wallet/history", "{other}", none,                           "ixx.x.xxx"),
    ("GET", "/api/rulebooks", "", none,                                                        "........x"),
    ("POST", "/api/rulebooks", "", || json!("id = 1"),                                                      "ixxxxxx.x"),
    ("GET", "/api/rulebooks/{rulebook}", "hoiana-baccarat", none,                              "........x"),
    ("GET", "/api/rulebooks/{rulebook}/clauses/{clause}", "hoiana-baccarat", none,             "........x"),
    ("GET", "/api/session", "", none,                                                          "........x"),
    ("POST", "/api/sign-in", "", || json!({"name": "no-#own", "password": "wrong"}),           "iiiiiiiii"),
    ("POST", "/api/sign-in/provider", "", none,                                                "........."),
    ("POST", "/api/sign-in/provider/logout", "", none,                                         "........."),
    ("POST", "/api/sign-in/provider/back", "", || json!({"state": "s", "code": "c"}),          "........."),
    ("POST", "/api/sign-in/second", "", || json!({"half": "h", "proof": {"code": "0"}}),       "iiiiiiiii"),
    ("GET", "/api/tables", "", none,                                                           "........x"),
    ("GET", "/api/pit", "", none,                                                              "ixxx.x.xx"),
    ("GET", "/api/templates", "", none,                                                        "ixxxxx.xx"),
    ("POST", "/api/templates", "", || json!({"table": 999, "name": "T"}),                      "ixxxxx.xx"),
    ("DELETE", "/api/templates/{template}", "none", none,                                      "ixxxxx.xx"),
    ("POST", "/api/templates/{template}/open", "none", empty,                                  "ixxxxx.xx"),
    ("POST", "/api/tables", "", new_table,                                                     "ixxxxx.xx"),
    ("POST", "/api/tables/{id}/device", "1", || json!({"sequence": 1, "signal": "jam"}),       "iiiiiiii."),
    ("GET", "/api/tables/{table}", "1", none,                                                  "........x"),
    ("GET", "/api/tables/{table}/buy-in", "1", none,                                           "i.......x"),
    ("POST", "/api/tables/{table}/commands", "1", empty,                                       "i.......x"),
    ("GET", "/api/tables/{table}/live", "1", none,                                             "........x"),
    ("GET", "/api/tables/{table}/live", "1?as=pit", none,                                      "ixxxxxxxx"),
    ("POST", "/api/tables/{table}/preview", "1", || json!({"action": {"report": "jam"}}),      "ix.xxxxxx"),
    ("GET", "/api/tables/{table}/ready", "1", none,                                            "........x"),
    ("GET", "/api/tables/{table}/tray", "1", none,                                             "ix.x..xxx"),
    ("POST", "/api/tables/{table}/tray", "1", ask_fill,                                        "ix.xxxxxx"),
    ("GET", "/api/tables/{table}/tray/{number}", "1", none,                                    "ix.x..xxx"),
    ("GET", "/api/tables/{table}/roads", "1", none,                                            "........x"),
    ("GET", "/api/tables/{table}/rounds", "1", none,                                           "........x"),
    ("GET", "/api/tables/{table}/rounds/{round}", "1", none,                                   "........x"),
    ("GET", "/api/tables/{table}/rounds/{round}/file", "1", none,                              "ix.x..xxx"),
    ("GET", "/api/nodes", "", none,                                                            "ixxxxxx.x"),
    ("GET", "/api/tables/{table}/shoes/{shoe}", "1", none,                                     "........x"),
    ("GET", "/api/tables/{table}/view", "1", none,                                             "........x"),
    ("GET", "/api/tables/{table}/view", "1?as=player", none,                                   "i.xxxxxxx"),
    ("GET", "/api/tables/{table}/view", "1?as=dealer", none,                                   "ix.xxxxxx"),
    ("GET", "/api/tables/{table}/view", "1?as=pit", none,                                      "ixxxxxxxx"),
    ("GET", "/api/tables/{table}/view", "1?as=surveillance", none,                             "ixxx.xxxx"),
    ("GET", "/api/tokens", "", none,                                                           "i.......x"),
    ("POST", "/api/tokens", "{own}", own_token,                                                "i.......x"),
    ("POST", "/api/tokens", "{other}", own_token,                                              "ixxxxxx.x"),
    ("POST", "/api/tokens", "", device_token,                                                  "ixxxxx..x"),
    ("DELETE", "/api/tokens/{token}", "999", none,                                             "i.......x"),
    ("GET", "/api/watch/alarms", "", none,                                                     "ixxx..xxx"),
    ("GET", "/api/watch/bookmarks", "", none,                                                  "ixxx..xxx"),
    ("POST", "/api/watch/bookmarks", "", || json!({"table": 1, "round": 1}),                   "ixxx.xxxx"),
    ("DELETE", "/api/watch/bookmarks/{bookmark}", "none", none,                                "ixxx.xxxx"),
    ("GET", "/api/watch/exceptions", "", none,                                                 "ixxx..xxx"),
    ("GET", "/api/watch/people/{person}", "{other}", none,                                     "ixxx..xxx"),
    ("GET", "/api/watch/ratings", "", none,                                                    "ixxx...xx"),
    ("GET", "/api/watch/tables/{table}/rounds/{round}", "1", none,                             "ixxx..xxx"),
    ("GET", "/healthz", "", none,                                                              "........."),
    ("GET", "/metrics", "", none,                                                              "........."),
    ("GET", "/readyz", "", none,                                                               "........."),
    // Last: the sessions are over after it.
    ("POST", "/api/sign-out", "", none,                                                        "i.......x"),
];

fn over_counter() -> Value {
    json!({"id": "one-id", "player": 999_999, "amount": 100})
}

fn new_table() -> Value {
    json!({"name": "T", "pit": "A", "currency": "SGD", "decimals": 2, "automatic": false, "software_shoe": true,
           "opening": {"game": "none", "settings": []}})
}

fn ask_fill() -> Value {
    json!({"id": "one-id", "order": {"ask-slip": {"kind": "fill", "chips": [{"value": 100, "pieces": 1}]}}})
}

fn new_passkey() -> Value {
    json!({"label": "key", "passkey": {"client_data": "", "authenticator_data": ""}})
}

fn both_again() -> Value {
    json!({"password": PASSWORD, "proof": {"code": "000000"}})
}

fn own_token() -> Value {
    json!({"label": "mine", "for": {"person": {"id": "{id}"}}, "password": PASSWORD})
}

fn device_token() -> Value {
    json!({"label": "shoe", "for": {"device": {"table": 1}}, "password": PASSWORD})
}

/// Everybody, in the order of the roles.
async fn everybody(site: &Site) -> Vec<Option<Someone>> {
    let rank = Grant::Staff { rank: "dealer".to_string(), rulebook: None, pit: None, acting: None };
    let mut all = vec![None];
    for (name, grant) in [
        ("ann", Grant::Player),
        ("dao", rank),
        ("minh", Grant::Cashier),
        ("son", Grant::Surveillance),
        ("audrey", Grant::Auditor),
        ("fay", Grant::FloorManager),
        ("root", Grant::Admin),
    ] {
        all.push(Some(site.person(name, &[grant]).await));
    }
    all
}

/// The document is made of the routes, and this test of the document: one that is added past it has no row.
#[test]
fn no_route_is_outside_the_document() {
    let known = ["/api/{*path}", "/metrics", "/healthz"];
    let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for line in text
                .lines()
                .filter(|line| [".route(", ".nest(", "route_service("].iter().any(|word| line.contains(word)))
            {
                let is_known = known.iter().any(|known| line.contains(&format!("\"{known}\"")));
                assert!(is_known, "{}: {line}: use OpenApiRouter::routes, and give it a row", path.display());
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_lets_through_whom_the_table_says() {
    let document = serde_json::to_value(croupier_server::api::document()).unwrap();
    let methods = ["get", "post", "put", "patch", "delete"];
    let paths = document["paths"].as_object().unwrap().iter();
    let routes: BTreeSet<(String, String)> = paths
        .flat_map(|(path, item)| {
            let known = methods.iter().filter(|method| item.get(**method).is_some());
            known.map(|method| (method.to_uppercase(), path.clone()))
        })
        .collect();
    let rows: BTreeSet<(String, String)> =
        ROUTES.iter().map(|(method, path, ..)| (method.to_string(), path.to_string())).collect();
    assert_eq!(
        routes.difference(&rows).collect::<Vec<_>>(),
        Vec::<&(String, String)>::new(),
        "routes without a row"
    );
    assert_eq!(
        rows.difference(&routes).collect::<Vec<_>>(),
        Vec::<&(String, String)>::new(),
        "rows without a route"
    );

    let site = Site::open().await;
    site.table(Dealing::Staff).await;
    let all = everybody(&site).await;
    let (player, other) = (all[1].as_ref().unwrap().id, site.player("bob").await.id);
    let root = all[7].as_ref();
    let made = site.ask(root, "POST", "/api/tokens", device_token()).await;
    let device = made.body["token"].as_str().unwrap_or_else(|| panic!("{}", made.body)).to_string();
    let mut wrong = Vec::new();
    for (method, template, put, body, expected) in ROUTES {
        let mut found = String::new();
        for at in 0..ROLES.len() {
            let who = all.get(at).and_then(Option::as_ref);
            let own = who.map_or(0, |who| who.id);
            let put = put
                .replace("{own}", &own.to_string())
                .replace("{player}", &player.to_string())
                .replace("{other}", &other.to_string());
            let (value, query) =
                put.split_once('?').map_or((put.as_str(), None), |(value, query)| (value, Some(query)));
            let mut path: String = template
                .split('/')
                .enumerate()
                .map(|(at, part)| {
                    let part =
                        if part.starts_with('{') { if value.is_empty() { "1" } else { value } } else { part };
                    if at == 0 { String::new() } else { format!("/{part}") }
                })
                .collect();
            if let Some(query) = query {
                path = format!("{path}?{query}");
            }
            let body = match body() {
                Value::Null => Value::Null,
                body => serde_json::from_str(
                    &body.to_string().replace("\"{id}\"", value).replace("#own", &own.to_string()),
                )
                .unwrap(),
            };
            let got = match all.get(at) {
                Some(_) => site.ask(who, method, &path, body).await,
                None => site.ask_by_token(&device, method, &path, body).await,
            };
            assert!(got.status != 500, "{method} {path}: {}", got.body);
            found.push(match got.status {
                401 => 'i',
                403 => 'x',
                _ => '.',
            });
        }
        if found != *expected {
            wrong.push(format!("{method} {template} {put}: {found}, and the table says {expected}"));
        }
    }
    assert!(wrong.is_empty(), "columns: {ROLES:?}\n{}", wrong.join("\n"));
}

/// A case is the player's own and the table's staff's; who audits or watches looks at it, and to everybody else it is not
/// there.
#[tokio::test(flavor = "multi_thread")]
async fn a_case_is_for_those_it_concerns() {
    let site = Site::open().await;
    let table = site.table(Dealing::Staff).await;
    let all = everybody(&site).await;
    let bob = site.player("bob").await;
    let raise = json!({"id": "raise", "table": table.id.0, "matter": "wager", "words": "I had won."});
    assert_eq!(site.ask(all[1].as_ref(), "POST", "/api/cases", raise).await.status, 201);
    let statuses = [401, 200, 200, 404, 200, 200, 404, 404];
    let orders = [401, 403, 403, 404, 403, 403, 404, 404];
    let mut wrong = Vec::new();
    for (at, who) in all.iter().enumerate() {
        let seen = site.ask(who.as_ref(), "GET", "/api/cases/1", Value::Null).await;
        let order = json!({"id": format!("order-{at}"), "order": "take-over"});
        let told = site.ask(who.as_ref(), "POST", "/api/cases/1/commands", order).await;
        if (seen.status, told.status) != (statuses[at], orders[at]) {
            wrong.push(format!(
                "{}: {} {}, {} {}",
                ROLES[at],
                seen.status,
                seen.code(),
                told.status,
                told.body
            ));
        }
    }
    let other = site.ask(Some(&bob), "GET", "/api/cases/1", Value::Null).await;
    assert_eq!(other.status, 404, "another player: {}", other.body);
    let order = json!({"id": "other", "order": "agree"});
    assert_eq!(site.ask(Some(&bob), "POST", "/api/cases/1/commands", order).await.status, 404);
    assert_eq!(site.ask(Some(&bob), "GET", "/api/cases", Value::Null).await.body, json!([]));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Who gives a command, in the order of the columns.
const ACTORS: [&str; 10] = [
    "the player",
    "another player",
    "a player who is not at the table",
    "the player, excluded",
    "a Dealer who is signed on",
    "a Dealer who is not signed on",
    "the highest rank, signed on",
    "surveillance",
    "a Dealer who is signed on, and the player is excluded",
    "a Dealer who is signed on, for a player who is not at the table",
];

/// How a denial is written in a cell.
fn letter(status: u16, code: &str) -> char {
    match (status, code) {
        (403, "not-yours") => 'y',
        (403, "not-authorised") => 'a',
        (403, "not-signed-on") => 's',
        (403, "players-own") => 'o',
        (403, "excluded") => 'x',
        (403, "witness-needed") => 'w',
        (422, "not-drawer") => 'd',
        (422, "not-squeezer") => 'q',
        (422, "no-squeeze") => 'n',
        (422, "through-cage") => 'c',
        (401 | 403, _) => '?',
        _ => '.',
    }
}

/// A command and its row: the name as the document has it, what it says of player 7 at the table, and a letter for
/// each actor.
type Command = (&'static str, fn(u32) -> Value, &'static str);

fn plain(name: &'static str) -> Value {
    json!(name)
}

/// A table at which the player sits with a wager, betting open, and everybody who may give a command there.
async fn scene(site: &Site, people: &[Someone], number: u32) -> TableHandle {
    let table = site.table(Dealing::Staff).await;
    let [player, other, _, _, dealer, _, boss, _] = people else { panic!("{} people", people.len()) };
    for who in [dealer, boss] {
        let got = site.command(boss, &table, json!({"sign-on": {"person": who.id, "rank": 0}})).await;
        assert_eq!(got.status, 200, "{}", got.body);
    }
    for (seat, who) in (1..).zip([player, other]) {
        site.deposit(who.id, 10_000).await;
        let sit = json!({"sit": {"player": who.id, "seat": seat}});
        assert_eq!(site.command(who, &table, sit).await.status, 200, "{number}");
        let buy = json!({"buy-in": {"player": who.id, "amount": 10_000, "cash": false}});
        assert_eq!(site.command(who, &table, buy).await.status, 200);
    }
    site.open_bets(&table).await;
    assert_eq!(site.command(player, &table, wager(player.id, 0, 1_000)).await.status, 200);
    table
}

#[tokio::test(flavor = "multi_thread")]
async fn every_command_is_for_whom_the_table_says() {
    let document = serde_json::to_value(croupier_server::api::document()).unwrap();
    let schemas = &document["components"]["schemas"];
    let variants = schemas["Action"]["oneOf"].as_array().unwrap();
    let forms = variants.iter().map(|form| match form["$ref"].as_str() {
        Some(named) => &schemas[named.rsplit('/').next().unwrap()],
        None => form,
    });
    let names = forms.flat_map(|form| match (&form["enum"], form["properties"].as_object()) {
        (Value::Array(names), _) => names.iter().map(|name| name.as_str().unwrap().to_string()).collect(),
        (_, Some(fields)) => fields.keys().cloned().collect(),
        _ => vec![form["const"].as_str().unwrap().to_string()],
    });
    let names: BTreeSet<String> = names.collect();
    let rows: BTreeSet<String> = COMMANDS.iter().map(|(name, ..)| name.to_string()).collect();
    assert_eq!(names.difference(&rows).collect::<Vec<_>>(), Vec::<&String>::new(), "commands without a row");
    assert_eq!(rows.difference(&names).collect::<Vec<_>>(), Vec::<&String>::new(), "rows without a command");

    let site = Site::open().await;
    let top = "gaming-shift-manager";
    let mut people = Vec::new();
    for (name, grant) in [
        ("ann", None),
        ("bob", None),
        ("cy", None),
        ("ann-again", None),
        ("dao", Some("dealer")),
        ("eve", Some("dealer")),
        ("fay", Some(top)),
    ] {
        people.push(match grant {
            None => site.player(name).await,
            Some(rank) => site.staff(name, rank).await,
        });
    }
    people.push(site.person("son", &[Grant::Surveillance]).await);
    let player = people[0].id;
    let exclude = |excluded| Edit { excluded: Some(excluded), ..Edit::default() };
    let mut wrong = Vec::new();
    for (number, (name, action, expected)) in (1..).zip(COMMANDS) {
        let mut found = String::new();
        for at in 0..ACTORS.len() {
            // Each finds the table as the one before did not leave it.
            let table = scene(&site, &people, number).await;
            let is_excluded = at == 3 || at == 8;
            if is_excluded {
                site.app.people.edit(By::System, player, exclude(true)).await.unwrap();
            }
            let (who, subject) = match at {
                3 => (&people[0], player),
                8 => (&people[4], player),
                9 => (&people[4], people[2].id),
                _ => (&people[at], player),
            };
            let got = site.command(who, &table, action(subject)).await;
            if is_excluded {
                site.app.people.edit(By::System, player, exclude(false)).await.unwrap();
            }
            if got.status == 400 || got.status == 500 {
                wrong.push(format!("{name}: {}", got.body["detail"]));
            }
            found.push(letter(got.status, got.code()));
        }
        if found != *expected {
            wrong.push(format!("{name}: {found}, and the table says {expected}"));
        }
    }
    assert!(wrong.is_empty(), "columns: {ACTORS:?}\n{}", wrong.join("\n"));
}
