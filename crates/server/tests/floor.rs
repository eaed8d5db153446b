//! The floor without HTTP: durability, retries, restarts, wallets, shoes.

#![expect(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

mod support;

use std::sync::Arc;
use std::time::Duration;

use croupier_journal::deed::Dealing;
use croupier_journal::store::Flow;
use croupier_journal::{
    By, Change, CommandId, Deed, Hash, Kind, Location, Row, Select, Stream, checkpoint, verify,
};
use croupier_ledger::PlayerId;
use croupier_server::floor::{Floor, FloorError};
use croupier_server::table::Refused;
use croupier_server::table::dealer::Pace;
use croupier_table::{Action, Actor, PersonId, Phase, Report};
use support::{NO_PAUSE, balanced, bet, come, deposit, id, open, opened, staff, start};

const GAME: &str = "mbs-dragon-tiger";
const SOMEBODY: By = By::Person(PersonId(950));

#[tokio::test(flavor = "multi_thread")]
async fn the_same_id_answers_the_same_and_another_command_under_it_is_refused() {
    let floor = start(Location::memory(), None, NO_PAUSE).floor;
    let table = open(&floor, Dealing::Staff, 30).await;
    come(&floor, &table, 7, 1, 1_000).await;
    prepare(&table).await;
    let first = bet(&table, "one", 7, 0, 10).await.unwrap();
    assert_eq!(bet(&table, "one", 7, 0, 10).await.unwrap(), first);
    let other = bet(&table, "one", 7, 0, 11).await;
    assert!(matches!(other, Err(Refused::OtherCommand { sequence }) if sequence == first.sequence));
    let wagers = table.current().await.views.public().felt.wagers.clone();
    assert_eq!(wagers.len(), 1, "{wagers:?}");
    // A refused command may be tried again under its id.
    assert!(bet(&table, "two", 7, 0, 1_000_000).await.is_err());
    bet(&table, "two", 7, 0, 5).await.unwrap();
    balanced(&floor);
}

/// Brings a shoe and opens betting.
async fn prepare(table: &croupier_server::table::TableHandle) {
    let dealer = staff(901, 0);
    for action in [
        Action::LoadShoe { set: None, commitment: None },
        Action::RecordShuffle,
        Action::CutCards { above: Some(100) },
        Action::Burn { count: 1, cards: Vec::new() },
        Action::OpenBets,
    ] {
        table.command(None, dealer, action).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_that_is_short_buys_nothing() {
    let floor = start(Location::memory(), None, NO_PAUSE).floor;
    let table = open(&floor, Dealing::Staff, 30).await;
    deposit(&floor, 7, 100, "d").await;
    let who = Actor::Player(PlayerId(7));
    table.command(None, who, Action::Sit { player: PlayerId(7), seat: 1 }).await.unwrap();
    let buy = |units: i64| Action::BuyIn {
        player: PlayerId(7),
        amount: croupier_rules::Amount::new(units * 100).unwrap(),
        cash: false,
    };
    let short = table.command(id("a"), who, buy(101)).await;
    assert!(matches!(short, Err(Refused::WalletShort { holds: 10_000, .. })), "{short:?}");
    assert_eq!(floor.wallet(PlayerId(7)), 10_000);
    table.command(id("a"), who, buy(100)).await.unwrap();
    assert_eq!(floor.wallet(PlayerId(7)), 0);
    balanced(&floor);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_in_the_middle_of_a_round_comes_back_to_the_same_state() {
    let folder = croupier_testkit::tempdir().unwrap();
    let database = || Location::Sqlite(folder.path().join("floor.sqlite"));
    let slow = Pace { step_milliseconds: 3_600_000, ..NO_PAUSE };
    let (before, sequence) = {
        let floor = start(database(), Some(folder.path()), slow).floor;
        let table = open(&floor, Dealing::Staff, 30).await;
        come(&floor, &table, 7, 1, 1_000).await;
        come(&floor, &table, 8, 2, 1_000).await;
        prepare(&table).await;
        bet(&table, "x", 7, 0, 10).await.unwrap();
        let dealer = staff(901, 0);
        table.command(None, dealer, Action::CloseBets).await.unwrap();
        let draw = Action::Draw { card: None, laid: None, exposed: false };
        table.command(None, dealer, draw.clone()).await.unwrap();
        let last = table.command(None, dealer, draw).await.unwrap();
        floor.stop().await.unwrap();
        (table.shown().view(croupier_server::table::Audience::Surveillance), last.sequence)
    };
    let started = start(database(), Some(folder.path()), slow);
    assert!(!started.was_killed);
    let table = started.floor.table(croupier_ledger::TableId(1)).unwrap();
    assert_eq!(table.shown().view(croupier_server::table::Audience::Surveillance), before);
    assert_eq!(table.shown().sequence, sequence);
    // The shoe goes on where it was, and ids are still known.
    let dealer = staff(901, 0);
    let draw = Action::Draw { card: None, laid: None, exposed: false };
    table.command(None, dealer, draw).await.unwrap();
    assert!(bet(&table, "x", 7, 0, 10).await.is_ok());
    assert!(matches!(bet(&table, "x", 7, 1, 10).await, Err(Refused::OtherCommand { .. })));
    balanced(&started.floor);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_automatic_table_plays_whole_shoes_and_shows_them() {
    let location = Location::memory();
    let floor = start(location.clone(), None, NO_PAUSE).floor;
    let table = open(&floor, Dealing::Automatic, 5).await;
    come(&floor, &table, 7, 1, 100_000).await;
    let mut shown = table.watch();
    tokio::time::timeout(Duration::from_secs(60), async {
        let mut tries = 0_u32;
        while table.shown().views.public().felt.shoe.number < 3 {
            shown.changed().await.unwrap();
            tries += 1;
            if table.shown().views.public().felt.phase == Phase::BetsOpen {
                let _ = bet(&table, &format!("b{tries}"), 7, 0, 1).await;
            }
        }
    })
    .await
    .unwrap();
    floor.stop().await.unwrap();
    let mut reveals = Vec::new();
    let mut store = location.open_to_read().unwrap();
    store
        .rows(Select::Stream(Stream::Table(table.id), 1), &mut |_, row| {
            if row.kind == Kind::RevealShoe
                && let Deed::RevealShoe(reveal) = row.record().unwrap().deed
            {
                reveals.push((reveal.shoe, reveal.cards.len()));
            }
            Flow::Continue(())
        })
        .unwrap();
    assert_eq!(reveals.first(), Some(&(1, 416)));
    assert!(reveals.len() >= 2, "{reveals:?}");
    balanced(&floor);
}

/// Stops a floor and waits until nothing of it is left, so that another may start on its store.
async fn end(floor: Arc<Floor>) {
    let shared = Arc::downgrade(&floor.shared);
    floor.stop().await.unwrap();
    drop(floor);
    while shared.strong_count() > 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Two versions of the rulebook of [`GAME`], the one with the smaller hash first.
fn versions() -> [String; 2] {
    let texts = croupier_rules::library::standard_texts();
    let text = texts.into_iter().find(|text| text.contains("id = \"mbs-dragon-tiger\"")).unwrap();
    let mut versions = [1, 2].map(|number| format!("{text}\n# Version {number}.\n"));
    versions.sort_by_key(|text| Hash::of(text.as_bytes()));
    versions
}

async fn add(floor: &Floor, text: &str) -> Hash {
    floor.add_rulebook(SOMEBODY, text).await.unwrap().hash
}

fn in_force(floor: &Floor) -> Hash {
    floor.volume(GAME).unwrap().hash
}

fn rulebook_lines(location: &Location) -> usize {
    let mut count = 0;
    let mut store = location.open_to_read().unwrap();
    let house = Select::Stream(Stream::House, 1);
    store
        .rows(house, &mut |_, row| {
            count += usize::from(matches!(row.record().unwrap().deed, Deed::Rulebook { .. }));
            Flow::Continue(())
        })
        .unwrap();
    count
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rulebook_that_was_added_last_is_in_force_after_a_restart() {
    let [small, large] = versions();
    for [first, second] in [[&small, &large], [&large, &small]] {
        let location = Location::memory();
        let floor = start(location.clone(), None, NO_PAUSE).floor;
        let first_hash = add(&floor, first).await;
        let hash = add(&floor, second).await;
        assert_eq!(in_force(&floor), hash);
        end(floor).await;
        let floor = start(location.clone(), None, NO_PAUSE).floor;
        assert_eq!(in_force(&floor), hash);
        // The earlier one is taken up again, which is a line of its own, once.
        let lines = rulebook_lines(&location);
        assert_eq!(add(&floor, first).await, first_hash);
        add(&floor, first).await;
        assert_eq!((in_force(&floor), rulebook_lines(&location)), (first_hash, lines + 1));
        // What the software brings at every start is no new decision.
        floor.add_rulebook(By::System, second).await.unwrap();
        assert_eq!(in_force(&floor), first_hash);
        end(floor).await;
        let floor = start(location, None, NO_PAUSE).floor;
        assert_eq!(in_force(&floor), first_hash);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_register_without_the_order_of_rulebooks_gets_it_from_the_journal() {
    const REGISTER: &str = "rulebook";
    let [small, large] = versions();
    let location = Location::memory();
    let floor = start(location.clone(), None, NO_PAUSE).floor;
    add(&floor, &large).await;
    let last = add(&floor, &small).await;
    open(&floor, Dealing::Staff, 30).await;
    end(floor).await;
    // As it was once: each text under its hash.
    let mut store = location.open().unwrap();
    let kept = store.entries(REGISTER).unwrap();
    let changes = kept.into_iter().flat_map(|(key, value)| {
        let hash = Hash::of(&value).to_string();
        [Change::Delete { register: REGISTER, key }, Change::Put { register: REGISTER, key: hash, value }]
    });
    store.commit(0, &[], &changes.collect::<Vec<_>>()).unwrap();
    for _ in 0..2 {
        let floor = start(location.clone(), None, NO_PAUSE).floor;
        assert_eq!(in_force(&floor), last);
        end(floor).await;
        // From then on its keys are in the order of adding.
        let kept = store.entries(REGISTER).unwrap();
        let keys: Vec<&String> = kept.iter().map(|(key, _)| key).collect();
        assert!(keys.iter().all(|key| key.len() == 20), "{keys:?}");
        assert_eq!(kept.len(), rulebook_lines(&location));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rulebooks_and_tables_that_come_at_the_same_time_all_count() {
    let floor = start(Location::memory(), None, NO_PAUSE).floor;
    let [one, other] = versions();
    let both = tokio::join!(add(&floor, &one), add(&floor, &other));
    let shelf = floor.shelf();
    assert!(shelf.volume(both.0).is_some() && shelf.volume(both.1).is_some());

    // Several first tables, each in a currency of its own: one of them says what the floor has.
    let opening: Vec<_> = (0..8)
        .map(|number| {
            let (floor, mut table) = (Arc::clone(&floor), opened(Dealing::Staff, 30));
            table.currency = format!("X{number}");
            tokio::spawn(async move { floor.open_table(By::System, table).await })
        })
        .collect();
    let mut open = 0;
    for table in opening {
        match table.await.unwrap() {
            Ok(_) => open += 1,
            Err(error) => assert!(matches!(error, FloorError::OtherCurrency { .. }), "{error}"),
        }
    }
    assert_eq!(open, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_that_fails_stops_the_floor_whoever_wrote() {
    let location = Location::memory();
    let floor = start(location.clone(), None, NO_PAUSE).floor;
    let mut failed = floor.shared.failure();
    deposit(&floor, 7, 100, "good").await;
    assert!(failed.borrow().is_none());
    // Somebody else has written in its place.
    let mut store = location.open().unwrap();
    let end = store.end().unwrap();
    let id = CommandId::own(Stream::Cage, 999);
    let row =
        Row { stream: Stream::Cage, sequence: 999, id, kind: Kind::Cage, events_at: 0, line: b"{}".to_vec() };
    store.commit(end + 1, &[row], &[]).unwrap();
    let denied = Deed::Start { version: String::new(), leads: None };
    assert!(floor.record(By::System, denied, Vec::new()).await.is_err());
    let told = tokio::time::timeout(Duration::from_secs(10), failed.wait_for(Option::is_some)).await;
    assert!(told.unwrap().is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_power_failure_not_a_card_comes_before_it_is_reported() {
    let folder = croupier_testkit::tempdir().unwrap();
    let database = || Location::Sqlite(folder.path().join("floor.sqlite"));
    let hour = 3_600_000;
    let slow = Pace { step_milliseconds: hour, result_milliseconds: hour, windows_percent: 100 };
    let last = {
        let floor = start(database(), Some(folder.path()), slow).floor;
        let table = open(&floor, Dealing::Automatic, 30).await;
        come(&floor, &table, 7, 1, 1_000).await;
        // It does one step by itself and then waits for an hour.
        let mut shown = table.watch();
        shown.wait_for(|shown| shown.views.public().felt.shoe.number == 1).await.unwrap();
        let dealer = staff(901, 0);
        for action in [
            Action::RecordShuffle,
            Action::CutCards { above: Some(100) },
            Action::Burn { count: 1, cards: Vec::new() },
            Action::OpenBets,
        ] {
            table.command(None, dealer, action).await.unwrap();
        }
        bet(&table, "x", 7, 0, 10).await.unwrap();
        table.command(None, dealer, Action::CloseBets).await.unwrap();
        let draw = Action::Draw { card: None, laid: None, exposed: false };
        let last = table.command(None, dealer, draw).await.unwrap();
        end(floor).await;
        last.sequence
    };
    // Nobody has said that the server stopped.
    let mark = Change::Put { register: "running", key: "server".to_string(), value: b"1".to_vec() };
    database().open().unwrap().commit(0, &[], &[mark]).unwrap();
    let started = start(database(), Some(folder.path()), NO_PAUSE);
    assert!(started.was_killed);
    let table = started.floor.table(croupier_ledger::TableId(1)).unwrap();
    let mut shown = table.watch();
    shown.wait_for(|shown| shown.sequence > last).await.unwrap();
    let mut first = None;
    let next = Select::Stream(Stream::Table(table.id), last + 1);
    database()
        .open_to_read()
        .unwrap()
        .rows(next, &mut |_, row| {
            first = Some(row.record().unwrap().deed);
            Flow::Break(())
        })
        .unwrap();
    assert_eq!(first, Some(Deed::Table(Action::Report(Report::PowerFailure))));
    started.floor.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_file_of_checkpoints_goes_on_after_those_in_the_database() {
    let folder = croupier_testkit::tempdir().unwrap();
    let database = || Location::Sqlite(folder.path().join("floor.sqlite"));
    let file = folder.path().join(checkpoint::FILE);
    for _ in 0..2 {
        let floor = start(database(), Some(folder.path()), NO_PAUSE).floor;
        deposit(&floor, 7, 100, &format!("d{}", rulebook_lines(&database()))).await;
        floor.checkpoint(None).await.unwrap();
        end(floor).await;
    }
    let before = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, "").unwrap();
    let floor = start(database(), Some(folder.path()), NO_PAUSE).floor;
    end(floor).await;
    let after = std::fs::read_to_string(&file).unwrap();
    assert!(after.starts_with(&before) && after.len() > before.len(), "{after}");
    let against = verify::Against { checkpoints: Some(&after), trusted: None };
    verify::verify(database().open_to_read().unwrap().as_mut(), against, &mut |_| ()).unwrap();
    let kept = database().open_to_read().unwrap().entries("checkpoint").unwrap();
    let kept: String =
        kept.iter().map(|(_, line)| format!("{}\n", String::from_utf8(line.clone()).unwrap())).collect();
    assert_eq!(kept, after);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_shoe_is_shuffled_for_who_may_not_bring_one() {
    let floor = start(Location::memory(), None, NO_PAUSE).floor;
    let table = open(&floor, Dealing::Staff, 30).await;
    // A commitment from outside is refused too, but only to who may bring a shoe at all.
    let load = |commitment| Action::LoadShoe { set: None, commitment };
    let player = Actor::Player(PlayerId(7));
    for commitment in [None, Some([7; 32])] {
        let refused = table.command(None, player, load(commitment)).await;
        assert!(matches!(refused, Err(Refused::Table(_))), "{refused:?}");
    }
    let refused = table.command(None, staff(901, 0), load(Some([7; 32]))).await;
    assert!(matches!(refused, Err(Refused::Cards(_))), "{refused:?}");
}
