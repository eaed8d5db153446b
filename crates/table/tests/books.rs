//! The books follow the table: seeded play, and after every command the ledger says of the table what the
//! table says of itself, all money adds up to nothing, and a round that is over holds nothing pending.
//!
//! What it costs is printed by `CROUPIER_LONG=1 cargo test --release -p croupier-table --test books -- --nocapture`.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers fail a test by panicking, and one prints"
)]
#![expect(unreachable_pub, reason = "the parts of one test")]

#[path = "books/pit.rs"]
mod pit;
#[path = "books/play.rs"]
mod play;

use std::sync::Arc;

use croupier_ledger::{Account, Entry, Kind, Ledger, Memo, RoundId, TransferId, WagerId};
use croupier_rules::Amount;
use croupier_rules::baccarat::Side;
use croupier_rules::irregularity::Remedy;
use croupier_rules::settle::End;
use croupier_table::books::Mismatch;
use croupier_table::{Action, Fact, Report};
use pit::{ALICE, BORIS, Pit, TABLE, money};

/// Plays rounds from a seed; what happened, and how often.
fn check(game: &str, settings: &str, seeds: u64, expect: &[&str]) {
    let mut seen = std::collections::BTreeMap::new();
    for seed in 0..seeds {
        let mut pit = Pit::open(game, settings);
        play::rounds(&mut pit, seed, 60);
        for (what, count) in pit.seen {
            *seen.entry(what).or_insert(0) += count;
        }
    }
    let missing: Vec<&&str> = expect.iter().filter(|what| !seen.contains_key(**what)).collect();
    assert!(missing.is_empty(), "{game}: never happened: {missing:?}; happened: {seen:?}");
}

const HOUSE: [&str; 9] = [
    "filled",
    "credited",
    "cash",
    "bought in",
    "tipped",
    "left",
    "drop counted",
    "tips paid",
    "round closed",
];

fn and(more: &[&'static str]) -> Vec<&'static str> {
    HOUSE.iter().chain(more).copied().collect()
}

#[test]
fn baccarat_with_commission_keeps_its_books() {
    let expect = and(&[
        "raised",
        "taken back in part",
        "taken back",
        "win",
        "lose",
        "stand-off",
        "returned",
        "void",
        "withdrawn",
        "commission",
        "below minimum",
        "in part",
        "insured",
        "insurance win",
        "insurance lose",
        "abandoned",
        "free hand",
        "turned free",
    ]);
    check("hoiana-baccarat/commission", "layout=A.1 limits-at-entry=accept", 16, &expect);
}

#[test]
fn rounding_is_noted() {
    let settings = "layout=A.3 limits-at-entry=accept payable-unit=1000 rounding";
    for (rounding, expect) in [("down", "rounded down"), ("nearest", "rounded up"), ("up", "rounded up")] {
        let settings = format!("{settings}={rounding}");
        check("hoiana-baccarat/non-commission", &settings, 4, &and(&["win", expect]));
    }
}

#[test]
fn an_automatic_table_that_returns_the_newest_wagers_keeps_its_books() {
    let settings = "layout=A.1 differential=5000 differential-blocks=return-newest";
    check("hoiana-baccarat/commission", settings, 5, &and(&["taken back in part", "taken back"]));
}

#[test]
fn commission_at_the_end_of_the_shoe_is_paid_first_and_collected_later() {
    let settings = "commission-collection=end-of-shoe";
    check("horseshoe-dragon-bonus", settings, 8, &and(&["win", "owed", "commission collected"]));
}

#[test]
fn bets_that_the_cards_settle_keep_their_books() {
    check("jade-punto-banco", "limits-at-entry=accept", 6, &and(&["win", "lose"]));
    check("jade-ez-baccarat", "", 4, &and(&["win", "lose"]));
}

#[test]
fn niu_niu_with_reserves_and_voided_boxes_keeps_its_books() {
    let expect =
        and(&["reserve lost", "reserve returned", "win", "lose", "box voided", "void", "taken back"]);
    check("hoiana-niu-niu", "layout=A limits-at-entry=accept", 12, &expect);
}

#[test]
fn dragon_tiger_keeps_its_books() {
    check("hoiana-dragon-tiger/commission", "layout=A.4", 6, &and(&["win", "lose"]));
}

/// A raise is a pending transfer of its own; what is taken back comes off the newest.
#[test]
fn a_wager_is_made_of_what_was_laid() {
    let mut pit = Pit::open("hoiana-baccarat/commission", "layout=A.1");
    pit.seat(ALICE, 1, 100_000);
    pit.begin();
    let banker = pit.bet("banker");
    for amount in [2_000, 3_000] {
        pit.place(ALICE, banker, amount, None);
    }
    let take_back = |amount| Action::TakeBack { player: ALICE, bet: banker, box_number: None, amount };
    pit.must(take_back(Some(money(1_000))));
    let bet = Account::Bet { table: TABLE, player: ALICE, round: RoundId(1), wager: WagerId(1) };
    let pending =
        |pit: &Pit| pit.ledger.open_pendings().map(|open| (open.to, open.amount.minor())).collect::<Vec<_>>();
    assert_eq!(pending(&pit), [(bet, 2_000), (bet, 2_000)]);
    pit.must(take_back(Some(money(2_000))));
    assert_eq!(pending(&pit), [(bet, 2_000)]);
    pit.must(take_back(None));
    assert_eq!(pending(&pit), []);
    pit.place(ALICE, banker, 1_000, None);
    assert_eq!(pit.ledger.open_pendings().count(), 1);
}

/// The float is empty but for cover: what Boris loses pays what Alice wins.
#[test]
fn what_is_collected_comes_before_what_is_paid() {
    let mut pit = Pit::open("hoiana-baccarat/commission", "layout=A.1 maximum=50000");
    pit.seat(ALICE, 1, 50_000);
    pit.seat(BORIS, 2, 50_000);
    let float = pit.table.float;
    pit.must(Action::Credit { amount: float - money(1), witness: pit::WITNESS });
    pit.begin();
    // Neither wager is covered by the float of 1 alone, so both are laid after a fill that then leaves.
    pit.must(Action::Fill { amount: money(60_000), witness: pit::WITNESS });
    pit.place(ALICE, pit.bet("player"), 40_000, None);
    pit.place(BORIS, pit.bet("banker"), 40_000, None);
    pit.must(Action::Credit { amount: money(60_000), witness: pit::WITNESS });
    pit.must(Action::CloseBets);
    pit.draw("4d 2c 5d 6c");
    let batch = pit.must(Action::Settle);
    let at = |is: fn(&Entry) -> bool| batch.entries.iter().position(is);
    let posted = at(|entry| matches!(entry, Entry::Post { .. }));
    let paid = at(
        |entry| matches!(entry, Entry::Direct(transfer) if matches!(transfer.kind, Kind::Winnings { .. })),
    );
    assert!(posted.is_some() && posted < paid, "{batch:?}");
    assert_eq!(batch.closes, Some(RoundId(1)));
    assert_eq!(pit.table.float, money(1));
}

/// The books of a table are those of its events, whoever reads them.
#[test]
fn the_ledger_is_rebuilt_from_the_events() {
    let mut pit = Pit::open("hoiana-baccarat/commission", "layout=A.1 limits-at-entry=accept");
    play::rounds(&mut pit, 7, 40);
    let mut books = croupier_table::books::Books::new(TABLE, &pit.table.setup);
    let (mut ledger, mut next_id) = (Ledger::default(), TransferId(1));
    for step in &pit.journal {
        match step {
            pit::Step::Deposit(entry) => {
                ledger.apply(&[*entry]).unwrap();
                next_id.0 += 1;
            }
            pit::Step::Events(events) => {
                let batch = books.batch(events, &mut next_id);
                ledger.apply(&batch.entries).unwrap();
                if let Some(round) = batch.closes {
                    ledger.close_round(TABLE, round).unwrap();
                }
            }
        }
    }
    assert_eq!((ledger, books, next_id), (pit.ledger, pit.books, pit.next_id));
}

/// A wallet that is too light is the ledger's to refuse, and leaves no trace in the books.
#[test]
fn a_wallet_that_is_too_light_is_refused() {
    let mut pit = Pit::open("hoiana-baccarat/commission", "layout=A.1");
    pit.seat(ALICE, 1, 10_000);
    pit.begin();
    pit.place(ALICE, pit.bet("player"), 5_000, None);
    let before = pit.books.clone();
    let bought = Fact::BoughtIn { player: ALICE, amount: Amount::MAX, cash: false };
    let event = croupier_table::Event { fact: bought, cites: Vec::new() };
    let batch = pit.books.batch(&[event], &mut pit.next_id);
    assert!(pit.ledger.apply(&batch.entries).is_err());
    assert_eq!(pit.books, before);
    assert_eq!(pit.books.balanced(&pit.table, &pit.ledger), Ok(()));
}

/// Each figure that can differ is found, at the table or in the ledger.
#[test]
fn what_differs_is_named() {
    let mut pit = Pit::open("hoiana-baccarat/commission", "layout=A.1");
    pit.seat(ALICE, 1, 10_000);
    pit.begin();
    pit.place(ALICE, pit.bet("player"), 4_000, None);
    let chips = Account::Chips { table: TABLE, player: ALICE };
    let differs = |account, at_table, in_ledger| Err(Mismatch::Amount { account, at_table, in_ledger });
    let check = |damage: fn(&mut croupier_table::Table), expect| {
        let mut table = pit.table.clone();
        damage(&mut table);
        assert_eq!(pit.books.balanced(&table, &pit.ledger), expect);
    };
    let float = i128::from(pit.table.float.minor());
    check(|_| {}, Ok(()));
    check(|table| table.float += money(1), differs(Account::Float(TABLE), float + 1, float));
    check(|table| table.drop = money(1), differs(Account::Drop(TABLE), 1, 0));
    check(|table| table.tips = money(1), differs(Account::Tips(TABLE), 1, 0));
    check(|table| table.players[0].chips = money(5_999), differs(chips, 5_999, 6_000));
    check(|table| table.players.clear(), differs(chips, 0, 6_000));
    let laid = Err(Mismatch::Laid { account: chips, at_table: 4_001, in_ledger: 4_000 });
    check(|table| Arc::make_mut(&mut table.round.wagers)[0].stake = money(4_001), laid);
}

/// A ruling may let players withdraw while betting is open; what went back cannot go back again.
#[test]
fn a_withdrawn_wager_cannot_be_taken_back_again() {
    let mut pit = Pit::open("horseshoe-dragon-bonus", "");
    pit.seat(ALICE, 1, 100_000);
    pit.seat(BORIS, 2, 100_000);
    pit.begin();
    let banker = pit.bet("banker");
    pit.place(ALICE, banker, 2_000, None);
    pit.place(BORIS, banker, 2_000, None);
    pit.must(Action::Report(Report::FaceUp));
    pit.must(pit::ruling(Remedy::PlayOn, true));
    pit.must(Action::Answer { player: ALICE, withdraw: true });
    pit.must(Action::Answer { player: BORIS, withdraw: false });
    let take_back = Action::TakeBack { player: ALICE, bet: banker, box_number: None, amount: None };
    assert!(pit.act(pit.boss(), take_back).is_err());
}

/// Betting is closed, no card is out and the shoe is replaced: the wagers lie there, or go back.
#[test]
fn wagers_outlive_a_shoe_replaced_after_the_close() {
    let mut pit = Pit::open("hoiana-baccarat/commission", "layout=A.1");
    pit.seat(ALICE, 1, 100_000);
    pit.begin();
    pit.place(ALICE, pit.bet("player"), 2_000, None);
    pit.must(Action::CloseBets);
    pit.must(Action::Report(Report::ForeignCard));
    pit.must(Action::ReplaceShoe { commitment: None });
    pit.must(Action::RecordShuffle);
    pit.must(Action::CutCards { above: None });
    let _ = pit.act(pit.boss(), Action::Burn { count: 1, cards: Vec::new() });
    // Whether the old round goes on or a new one begins, every chip is accounted for.
    let _ = pit.act(pit.boss(), Action::OpenBets);
}

/// MBS 5.9: who withdrew at a reset of the device may bet again when betting opens once more.
#[test]
fn after_a_reset_a_withdrawn_wager_can_be_laid_again() {
    let mut pit = Pit::open("mbs-dragon-tiger", "layout=A seats=7");
    pit.seat(ALICE, 1, 100_000);
    pit.seat(BORIS, 2, 100_000);
    pit.begin();
    let bet = pit.first_main_bet(Side::Player);
    pit.place(ALICE, bet, 2_000, None);
    pit.place(BORIS, bet, 2_000, None);
    pit.must(Action::CloseBets);
    pit.must(Action::Report(Report::DeviceReset { dealer_error: true }));
    if pit.table.hold.as_ref().is_some_and(|hold| hold.ruling.is_none()) {
        pit.must(pit::ruling(Remedy::Reset, true));
    }
    pit.must(Action::Answer { player: ALICE, withdraw: true });
    pit.must(Action::Answer { player: BORIS, withdraw: false });
    pit.place(ALICE, bet, 3_000, None);
    pit.must(Action::CloseBets);
    play::finish(&mut pit, 1);
    let open = |laid: &&croupier_table::table::Laid| laid.player == ALICE && laid.stake == money(3_000);
    let laid = pit.table.round.wagers.iter().find(open);
    let ended = laid.and_then(|laid| laid.ended.as_ref()).map(|(settled, _)| settled.end);
    assert!(matches!(ended, Some(End::Win | End::Lose | End::StandOff)), "{ended:?}");
}

/// What the house won is in the float; commission and rounding are parts of it.
#[test]
fn the_win_is_what_the_float_gained() {
    let mut pit = Pit::open("horseshoe-dragon-bonus", "commission-collection=end-of-shoe");
    play::rounds(&mut pit, 3, 80);
    let (supply, win) =
        (pit.ledger.tally(Memo::Supply(TABLE)).net(), pit.ledger.tally(Memo::Win(TABLE)).net());
    assert_eq!(supply + win, i128::from(pit.table.float.minor()));
    assert_eq!(pit.ledger.tally(Memo::Commission(TABLE)).net(), pit.collected);
}

/// Prints figures; worth a look in release only.
#[test]
fn what_the_books_cost() {
    if std::env::var_os("CROUPIER_LONG").is_some() {
        play::measure();
    }
}
