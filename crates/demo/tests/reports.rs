//! Reports of electronic shoes whose line breaks.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on stops")]

#[expect(dead_code, reason = "the helpers of a floor are shared with other tests")]
mod common;

use std::time::Duration;

use croupier_cards::parse_cards;
use croupier_demo::bots::{self, PitBot};
use croupier_demo::simulator::OnTheTable;
use croupier_journal::deed::CardSource;
use croupier_server::device::{Devices, Report, Signal};
use croupier_table::{Action, Actor};
use futures_util::FutureExt as _;

#[tokio::test]
async fn a_report_that_nobody_waits_for_uses_its_number_up() {
    let floor = common::floor();
    let table = common::open(&floor, "mbs-dragon-tiger", CardSource::Feed, &[]).await;
    let devices = Devices::load(&floor).unwrap();
    let staff = bots::staff(&table.setup.rulebook);
    let float = common::float(&table);
    PitBot::new(&table, staff, float, Duration::ZERO, OnTheTable::default()).take_up().await;
    for action in [
        Action::LoadShoe { set: None, commitment: None },
        Action::RecordShuffle,
        Action::CutCards { above: None },
        Action::Burn { count: table.setup.burn, cards: Vec::new() },
        Action::OpenBets,
        Action::CloseBets,
    ] {
        table.command(None, Actor::Staff(staff.0), action).await.unwrap();
    }
    let card = parse_cards("4S").unwrap()[0];
    let read = Report { sequence: 1, signal: Signal::CardRead { card, laid: None, exposed: false } };
    let before = table.current().await.sequence;
    // The shoe is gone once the table has the report.
    assert!(devices.report(&floor, table.id, &read).now_or_never().is_none());
    let mut watch = table.watch();
    watch.wait_for(|shown| shown.sequence > before).await.unwrap();
    assert_eq!(devices.expected(table.id).await, 2);
    let again = devices.report(&floor, table.id, &read).await.unwrap();
    assert_eq!((again.line, again.next), (before + 1, 2), "it is answered as it would have been");
}
