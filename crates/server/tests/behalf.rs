//! Whose money it is: who may spend it, who may lay it, who is kept from it, and who is named for it afterwards. Through
//! the router and over WebSocket.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on stops")]

mod site;

use croupier_journal::By;
use croupier_journal::deed::Dealing;
use croupier_ledger::{
    Account, Amount as Chips, Entry, Kind, PlayerId, RoundId, Transfer, TransferId, WagerId,
};
use croupier_server::people::{Edit, Grant};
use croupier_server::table::TableHandle;
use croupier_table::Action;
use serde_json::{Value, json};
use site::{PASSWORD, PIN, Site, Socket, Someone, config, fresh_id, wager};

/// A table with a Dealer who has an account, and whether that one is signed on.
async fn dealer_at(site: &Site, table: &TableHandle, name: &str, signs_on: bool) -> Someone {
    let dealer = site.staff(name, "dealer").await;
    if signs_on {
        let got = site.command(&dealer, table, json!({"sign-on": {"person": dealer.id, "rank": 0}})).await;
        assert_eq!(got.status, 200, "{}", got.body);
    }
    dealer
}

fn buy_in(player: u32, amount: i64, cash: bool) -> Value {
    json!({"buy-in": {"player": player, "amount": amount, "cash": cash}})
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_do_not_spend_a_players_wallet() {
    let site = Site::open().await;
    let table = site.table(Dealing::Staff).await;
    let ann = site.player("ann").await;
    site.deposit(ann.id, 100_000).await;
    let away = dealer_at(&site, &table, "away", false).await;
    let here = dealer_at(&site, &table, "here", true).await;
    site.prepare(&table).await;
    site.give(&table, Action::OpenBets).await;

    let acts = [
        json!({"sit": {"player": ann.id, "seat": 1}}),
        buy_in(ann.id, 10_000, false),
        buy_in(ann.id, 10_000, true),
        wager(ann.id, 0, 1_000),
        json!({"tip": {"player": ann.id, "amount": 1_000}}),
        json!({"leave": {"player": ann.id}}),
    ];
    // A Dealer who is not at the table does nothing for anybody.
    for act in &acts {
        let got = site.command(&away, &table, act.clone()).await;
        assert_eq!(got.answer(), (403, "not-signed-on"), "{act}: {}", got.body);
    }
    // One who is seats players, takes cash and lays chips that are on the table; the wallet and tips are not theirs.
    let expected = [(200, ""), (403, "players-own"), (200, ""), (200, ""), (403, "players-own")];
    for (act, expected) in acts.iter().zip(expected) {
        let got = site.command(&here, &table, act.clone()).await;
        assert_eq!(got.answer(), expected, "{act}: {}", got.body);
    }
    assert_eq!(site.wallet(ann.id), 100_000);
    let denied: Vec<_> = site.denials().into_iter().map(|(_, code)| code).collect();
    assert_eq!(denied.iter().filter(|code| *code == "not-signed-on").count(), acts.len());
    assert_eq!(denied.iter().filter(|code| *code == "players-own").count(), 2);

    // The player's own session does, and so does the player's PIN at the console of staff who are there.
    let got = site.command(&ann, &table, buy_in(ann.id, 10_000, false)).await;
    assert_eq!(got.status, 200, "{}", got.body);
    let by_pin =
        |pin: &str| json!({"action": buy_in(ann.id, 10_000, false), "given_by": {"name": "ann", "pin": pin}});
    assert_eq!(site.command_with(&here, &table, by_pin("000001")).await.answer(), (403, "wrong-pin"));
    assert_eq!(site.command_with(&away, &table, by_pin(PIN)).await.answer(), (403, "not-signed-on"));
    let got = site.command_with(&here, &table, by_pin(PIN)).await;
    assert_eq!(got.status, 200, "{}", got.body);
    assert_eq!(site.wallet(ann.id), 80_000);
    // With the PIN of one player nothing is done for another.
    let bob = site.seated(&table, "bob", 2, 5_000).await;
    let other = json!({"action": buy_in(bob.id, 1_000, false), "given_by": {"name": "ann", "pin": PIN}});
    assert_eq!(site.command_with(&here, &table, other).await.answer(), (403, "not-yours"));
    assert_eq!(site.wallet(bob.id), 5_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_somebody_else_made_does_not_move_the_wallet() {
    let site = Site::open().await;
    let table = site.table(Dealing::Staff).await;
    let ann = site.seated(&table, "ann", 1, 50_000).await;
    let admin = site.person("root", &[Grant::Admin]).await;
    let ask = |password: Option<&str>| {
        let mut body = json!({"label": "program", "for": {"person": {"id": ann.id}}});
        if let Some(password) = password {
            body["password"] = json!(password);
        }
        body
    };
    // Making one asks for the password, of whoever makes it.
    let got = site.ask(Some(&admin), "POST", "/api/tokens", ask(None)).await;
    assert_eq!(got.answer(), (403, "password-needed"));
    let got = site.ask(Some(&admin), "POST", "/api/tokens", ask(Some("not the password"))).await;
    assert_eq!(got.answer(), (403, "wrong-password"));
    let mut tokens = Vec::new();
    for maker in [&admin, &ann] {
        let got = site.ask(Some(maker), "POST", "/api/tokens", ask(Some(PASSWORD))).await;
        assert_eq!(got.status, 201, "{}", got.body);
        tokens.push(got.body["token"].as_str().unwrap().to_string());
    }
    let path = format!("/api/tables/{}/commands", table.id);
    let say = async |token: &str, action: Value| {
        let body = json!({"id": fresh_id(), "action": action});
        let got = site.ask_by_token(token, "POST", &path, body).await;
        (got.status, got.code().to_string())
    };
    site.open_bets(&table).await;
    let done = || (200, String::new());
    // A program of the administrator's may lay chips for the player, and no more.
    assert_eq!(say(&tokens[0], wager(ann.id, 0, 1_000)).await, done());
    assert_eq!(say(&tokens[0], buy_in(ann.id, 1_000, false)).await, (403, "players-own".to_string()));
    assert_eq!(say(&tokens[1], buy_in(ann.id, 1_000, false)).await, done());
    // Lines say which token it was, and who made it.
    let lines = site.lines();
    let vias: Vec<&Value> = lines
        .iter()
        .rev()
        .filter(|line| line["deed"]["table"].is_object())
        .map(|line| &line["via"])
        .collect();
    assert_eq!(vias[0]["token"], json!({"id": 2, "person": ann.id, "made_by": ann.id}));
    assert_eq!(vias[1]["token"], json!({"id": 1, "person": ann.id, "made_by": admin.id}));
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_name_the_session_and_who_signed_in() {
    let site = Site::open().await;
    let table = site.table(Dealing::Staff).await;
    let here = dealer_at(&site, &table, "here", true).await;
    let ann = site.seated(&table, "ann", 1, 50_000).await;
    let by_pin = json!({"action": buy_in(ann.id, 1_000, false), "given_by": {"name": "ann", "pin": PIN}});
    assert_eq!(site.command_with(&here, &table, by_pin).await.status, 200);
    let lines = site.lines();
    let bought: Vec<&Value> =
        lines.iter().filter(|line| line["deed"]["table"]["buy-in"].is_object()).collect();
    let [own, at_console] = bought.as_slice() else { panic!("{bought:?}") };
    assert_eq!(own["via"]["session"]["person"], ann.id);
    assert_eq!(own["via"]["session"]["id"].as_str().unwrap().len(), 16);
    // By the player, at the console of the Dealer: the line says both.
    assert_eq!(
        (&at_console["by"]["player"], &at_console["via"]["session"]["person"]),
        (&json!(ann.id), &json!(here.id))
    );
    assert_ne!(own["via"]["session"]["id"], at_console["via"]["session"]["id"]);
    // The line of the wallet says it too, and no line holds what a cookie holds.
    let wallet = lines.iter().rev().find(|line| line["deed"]["wallet"].is_object()).unwrap();
    assert_eq!(wallet["via"], at_console["via"]);
    let secret = ann.cookie.split('=').nth(1).unwrap();
    assert!(!lines.iter().any(|line| line.to_string().contains(secret)));
}

#[tokio::test(flavor = "multi_thread")]
async fn exclusion_holds_whoever_lays_the_wager_and_leaving_is_always_possible() {
    let site = Site::open().await;
    let table = site.table(Dealing::Staff).await;
    let here = dealer_at(&site, &table, "here", true).await;
    let ann = site.seated(&table, "ann", 1, 50_000).await;
    site.open_bets(&table).await;
    assert_eq!(site.command(&ann, &table, wager(ann.id, 0, 1_000)).await.status, 200);
    let exclude = Edit { excluded: Some(true), ..Edit::default() };
    site.app.people.edit(By::System, ann.id, exclude).await.unwrap();

    let acts = [
        wager(ann.id, 0, 1_000),
        buy_in(ann.id, 1_000, false),
        json!({"tip": {"player": ann.id, "amount": 1_000}}),
        json!({"stand": {"player": ann.id}}),
        json!({"ask-squeeze": {"player": ann.id}}),
    ];
    for act in acts {
        for who in [&ann, &here] {
            let got = site.command(who, &table, act.clone()).await;
            assert_eq!(got.answer(), (403, "excluded"), "{}: {act}: {}", who.name, got.body);
        }
    }
    // With cash over the table neither.
    let got = site.command(&here, &table, buy_in(ann.id, 1_000, true)).await;
    assert_eq!(got.answer(), (403, "excluded"));
    // What lies can be taken back, and the player leaves with everything.
    let take_back = json!({"take-back": {"player": ann.id, "bet": 0}});
    assert_eq!(site.command(&ann, &table, take_back).await.status, 200);
    let got = site.command(&ann, &table, json!({"leave": {"player": ann.id}})).await;
    assert_eq!(got.status, 200, "{}", got.body);
    assert_eq!(site.wallet(ann.id), 100_000);
    // And does not come back.
    let got = site.command(&here, &table, json!({"sit": {"player": ann.id, "seat": 1}})).await;
    assert_eq!(got.answer(), (403, "excluded"));
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_of_two_departments_unless_the_house_says_so_on_the_record() {
    let site = Site::open().await;
    let admin = site.person("root", &[Grant::Admin]).await;
    let new = |name: &str, grants: Value| json!({"name": name, "grants": grants});
    let rank = json!({"staff": {"rank": "dealer"}});
    for (at, grants) in [
        json!(["admin", "cashier"]),
        json!(["cashier", "auditor"]),
        json!(["admin", "auditor"]),
        json!(["auditor", rank]),
        json!(["cashier", rank]),
        json!(["admin", "floor-manager"]),
        json!(["surveillance", rank]),
    ]
    .into_iter()
    .enumerate()
    {
        let got = site.ask(Some(&admin), "POST", "/api/people", new(&format!("p{at}"), grants.clone())).await;
        assert_eq!(got.answer(), (422, "roles-apart"), "{grants}");
    }
    let got = site
        .ask(Some(&admin), "POST", "/api/people", new("lan", json!(["player", "floor-manager", rank])))
        .await;
    assert_eq!(got.status, 201, "{}", got.body);
    let change = json!({"grants": ["cashier", "floor-manager"]});
    let got = site.ask(Some(&admin), "PATCH", &format!("/api/people/{}", got.body["id"]), change).await;
    assert_eq!(got.answer(), (422, "roles-apart"));
    let policies = |site: &Site| {
        let lines = site.lines().into_iter().filter(|line| line["deed"]["register"]["register"] == "policy");
        lines.map(|line| line["deed"]["register"]["what"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(policies(&site), Vec::<Value>::new());

    let mut loosened = config();
    loosened.people.roles = toml::from_str(r#"may_meet = [["floor", "admin"]]"#).unwrap();
    loosened.four_eyes_from = None;
    let site = Site::with(loosened).await;
    assert_eq!(policies(&site), [json!("may meet: admin+floor"), json!("never")]);
    let admin = site.person("root", &[Grant::Admin, Grant::FloorManager]).await;
    let got = site.ask(Some(&admin), "POST", "/api/people", new("lan", json!(["admin", "cashier"]))).await;
    assert_eq!(got.answer(), (422, "roles-apart"));
}

#[tokio::test(flavor = "multi_thread")]
async fn four_eyes_see_what_adds_up() {
    let site = Site::open().await;
    let (cashier, second) =
        (site.person("minh", &[Grant::Cashier]).await, site.person("thu", &[Grant::Cashier]).await);
    let floor_person = site.staff("dealer", "dealer").await;
    let ann = site.player("ann").await;
    let deposit = async |amount: i64, id: &str, witness: Option<&str>| {
        let mut body = json!({"id": id, "player": ann.id, "amount": amount});
        if let Some(name) = witness {
            body["witness"] = json!({"name": name, "pin": PIN});
        }
        let got = site.ask(Some(&cashier), "POST", "/api/cage/deposits", body).await;
        (got.status, got.code().to_string())
    };
    let (done, needed) = ((200, String::new()), (403, "witness-needed".to_string()));
    // It is on by default, at 1,000,000: one less is taken, however it is cut.
    assert_eq!(deposit(400_000, "a", None).await, done);
    assert_eq!(deposit(400_000, "b", None).await, done);
    assert_eq!(deposit(200_000, "c", None).await, needed);
    assert_eq!(deposit(199_999, "d", None).await, done);
    assert_eq!(deposit(1, "e", None).await, needed);
    // What was done is only told again.
    assert_eq!(deposit(400_000, "a", None).await, done);
    // A second person of the cage; nobody of another department, and nobody twice.
    for wrong in [&floor_person.name, &cashier.name] {
        assert_eq!(deposit(200_000, "f", Some(wrong)).await, needed, "{wrong}");
    }
    assert_eq!(deposit(200_000, "f", Some(&second.name)).await, done);
    assert_eq!(site.wallet(ann.id), 1_199_999);
    // What leaves adds up by itself.
    let withdraw = json!({"id": "g", "player": ann.id, "amount": 999_999});
    let got = site.ask(Some(&cashier), "POST", "/api/cage/withdrawals", withdraw).await;
    assert_eq!(got.status, 200, "{}", got.body);
}

/// Breaks the books under a table: what the float holds is taken away, or something is laid that no wager is.
fn break_books(site: &Site, table: &TableHandle, entry: Entry) {
    site.app.floor.shared.till.hold(|till| till.ledger.apply(&[entry]).unwrap());
    let _ = table;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_that_cannot_be_closed_in_the_books_is_not_written() {
    let site = Site::open().await;
    let table = site.table(Dealing::Staff).await;
    let rank = table.setup.rulebook.ranks.last().unwrap().id.clone();
    let boss = site.staff("boss", &rank).await;
    let ann = site.seated(&table, "ann", 1, 50_000).await;
    site.open_bets(&table).await;
    assert_eq!(site.command(&ann, &table, wager(ann.id, 0, 1_000)).await.status, 200);
    // Money that no wager of the table knows of.
    let pending = Transfer {
        id: TransferId(900_000),
        from: Account::Chips { table: table.id, player: PlayerId(ann.id) },
        to: Account::Bet { table: table.id, player: PlayerId(ann.id), round: RoundId(1), wager: WagerId(77) },
        amount: Chips::new(500).unwrap(),
        kind: Kind::Wager,
    };
    break_books(&site, &table, Entry::Pending(pending));
    site.give(&table, Action::CloseBets).await;
    while table.current().await.views.public().felt.phase != croupier_table::Phase::Result {
        site.give(&table, Action::Draw { card: None, laid: None, exposed: false }).await;
    }
    let lines = site.lines().len();
    let chips = async || {
        let path = format!("/api/tables/{}/view?as=player", table.id);
        site.ask(Some(&ann), "GET", &path, Value::Null).await.body["view"]["account"]["chips"].clone()
    };
    let before = chips().await;
    let got = site.command(&boss, &table, json!("settle")).await;
    assert_eq!(got.answer(), (500, "internal"), "{}", got.body);
    assert_eq!(site.lines().len(), lines, "nothing is written that a start would refuse");
    assert_eq!(chips().await, before);
    // Once the books are right again the very same round is settled.
    break_books(&site, &table, Entry::Void { pending: TransferId(900_000) });
    let got = site.command(&boss, &table, json!("settle")).await;
    assert_eq!(got.status, 200, "{}", got.body);
    site.app.floor.stop().await.unwrap();
    site.app.floor.shared.till.hold(|till| till.ledger.verify().unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_books_refuse_leaves_nothing_ahead_of_the_journal() {
    let site = Site::open().await;
    let table = site.table(Dealing::Staff).await;
    let ann = site.seated(&table, "ann", 1, 50_000).await;
    site.open_bets(&table).await;
    assert_eq!(site.command(&ann, &table, wager(ann.id, 0, 1_000)).await.status, 200);
    // The chips that the player has are not there in the books.
    let chips = Account::Chips { table: table.id, player: PlayerId(ann.id) };
    let move_out = |id: u64, from, to, kind| {
        Entry::Direct(Transfer { id: TransferId(id), from, to, amount: Chips::new(49_000).unwrap(), kind })
    };
    break_books(&site, &table, move_out(900_001, chips, Account::Wallet(PlayerId(ann.id)), Kind::CashOut));
    for bet in [0, 1] {
        let got = site.command(&ann, &table, wager(ann.id, bet, 2_000)).await;
        assert_eq!(got.answer(), (500, "internal"), "{}", got.body);
    }
    break_books(&site, &table, move_out(900_002, Account::Wallet(PlayerId(ann.id)), chips, Kind::BuyIn));
    // The wagers that were refused are in nobody's books: the round is settled as what lies there.
    assert_eq!(site.command(&ann, &table, wager(ann.id, 0, 3_000)).await.status, 200);
    site.finish_round(&table).await;
    assert_eq!(site.command(&ann, &table, json!({"leave": {"player": ann.id}})).await.status, 200);
    site.app.floor.stop().await.unwrap();
    site.app.floor.shared.till.hold(|till| till.ledger.verify().unwrap());
}

/// A commit that fails may be there or not; nobody is told that nothing was done, and nobody is left without a word.
#[tokio::test(flavor = "multi_thread")]
async fn of_a_commit_that_failed_nobody_says_that_nothing_was_done() {
    let folder = std::env::temp_dir().join(format!("croupier-fate-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let mut config = config();
    config.in_memory = false;
    config.data = folder.clone();
    let site = Site::listening(config).await;
    let table = site.table(Dealing::Staff).await;
    let ann = site.seated(&table, "ann", 1, 50_000).await;
    site.open_bets(&table).await;
    let mut line = Socket::open(&site, &ann, table.id.0, "?as=player").await;
    line.hear_of("view").await;
    // The table of the journal is gone under the server, as a disk or a database can go.
    let database = rusqlite::Connection::open(folder.join("croupier.sqlite")).unwrap();
    database.execute_batch("ALTER TABLE journal RENAME TO elsewhere").unwrap();
    line.say(&json!({"id": "w-1", "action": wager(ann.id, 0, 1_000)})).await;
    let refused = line.answer_to("w-1").await;
    assert_eq!(
        (&refused["type"], &refused["problem"]["code"]),
        (&json!("refused"), &json!("fate-unknown")),
        "{refused}"
    );
    let told = refused["problem"]["detail"].as_str().unwrap();
    assert!(told.contains("same id") && !told.contains("nothing was done"), "{told}");
    // The line ends with a word, and not by silence.
    while line.hear().await.is_some() {}
    assert_eq!(line.closed_with(), Some(1012));
    let _ = std::fs::remove_dir_all(&folder);
}

/// HB 8.4, MBS-Q26: on the floor as in a round file, whoever ruled in a round does not judge it.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_judges_a_round_of_their_own_ruling() {
    let site = Site::open().await;
    let table = site.table(Dealing::Staff).await;
    let ann = site.seated(&table, "ann", 1, 10_000).await;
    let dealer = dealer_at(&site, &table, "dealer", true).await;
    let first = site.staff("first", "pit-supervisor").await;
    let ruler = site.staff("ruler", "gaming-shift-manager").await;
    let other = site.staff("other", "gaming-shift-manager").await;
    site.open_bets(&table).await;
    assert_eq!(site.command(&ann, &table, wager(ann.id, 0, 1_000)).await.status, 200);
    site.give(&table, Action::CloseBets).await;
    let report = json!({"report": {"other": "a glass fell over"}});
    let got = site.command(&dealer, &table, report).await;
    assert_eq!(got.status, 200, "{}", got.body);
    let rule = json!({"rule": {
        "remedy": "void", "with_withdrawal": false, "order": [], "only": [], "reason": "the cards are wet",
    }});
    let got = site.command(&ruler, &table, rule).await;
    assert_eq!(got.status, 200, "{}", got.body);

    let round = table.current().await.views.public().felt.round;
    let raise =
        json!({"id": "raise", "table": table.id.0, "round": round, "matter": "wager", "words": "I had won."});
    let got = site.ask(Some(&ann), "POST", "/api/cases", raise).await;
    assert_eq!(got.status, 201, "{}", got.body);
    let decide = json!({"decide": {
        "grounds": [{"law": {"citation": "the law"}}], "reasoning": "The round was void.", "corrections": [],
    }});
    let steps = [
        (&first, json!({"assign": {"to": {"person": first.id, "rank": 1}}}), (200, "")),
        (&first, json!({"escalate": {"words": "The player does not agree."}}), (200, "")),
        (&ruler, json!("take-over"), (403, "own-ruling")),
        (&other, json!("take-over"), (200, "")),
        (&other, json!({"gather-fact": {"words": "The cards were wet."}}), (200, "")),
        (&other, json!("inform-surveillance"), (200, "")),
        (&other, json!({"tell-due": {"due": {"by": 9_999_999_999_u64}}}), (200, "")),
        (&other, json!("complete-gathering"), (200, "")),
        (&ruler, decide.clone(), (403, "own-ruling")),
        (&other, decide, (200, "")),
    ];
    for (at, (who, order, expected)) in steps.into_iter().enumerate() {
        let body = json!({"id": format!("step-{at}"), "order": order});
        let got = site.ask(Some(who), "POST", "/api/cases/1/commands", body).await;
        assert_eq!(got.answer(), expected, "{order}: {}", got.body);
    }
}
