//! Ratings beside a plain recomputation from the journal, to the last unit: cards counted off the decks, every round
//! priced by enumeration, every insurance by dealing each card that could come, and results from the books of the wagers.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers fail a test by panicking")]

mod common;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use common::{float, floor, open, plays, stop_and_balance};
use croupier_cards::{Card, Composition, Decks, Rank, Suit};
use croupier_demo::bots::{self, Bot, Habits, PitBot};
use croupier_demo::furnish::TABLES;
use croupier_demo::simulator::OnTheTable;
use croupier_journal::deed::CardSource;
use croupier_journal::store::Flow;
use croupier_journal::{By, Kind, Replayed, Select, Stream};
use croupier_lab::exposure::{EdgeSource as _, Gain, PlainSource};
use croupier_lab::report::{OddsSheet, Stock};
use croupier_lab::{Fraction, RankCounts};
use croupier_rules::Ratio;
use croupier_rules::baccarat::Deal;
use croupier_rules::baccarat::insurance::{InsuranceEnd, Line};
use croupier_rules::setting::Setting;
use croupier_server::floor::Floor;
use croupier_server::table::TableHandle;
use croupier_server::watch::Walk;
use croupier_table::{Fact, PlayerId, Table};

const SOON: &[(Setting, &str)] = &[
    (Setting::BettingSeconds, "1"),
    (Setting::OptionSeconds, "1"),
    (Setting::InsuranceSeconds, "1"),
    (Setting::Insurance, "on"),
];
const SOON_OWED: &[(Setting, &str)] = &[
    (Setting::BettingSeconds, "1"),
    (Setting::OptionSeconds, "1"),
    (Setting::InsuranceSeconds, "1"),
    (Setting::CommissionCollection, "end-of-shoe"),
];
const SOON_PLAIN: &[(Setting, &str)] =
    &[(Setting::BettingSeconds, "1"), (Setting::OptionSeconds, "1"), (Setting::InsuranceSeconds, "1")];

/// What a player comes to, worked out plainly.
#[derive(Clone, PartialEq, Debug)]
struct Plain {
    rounds: u64,
    handle: i64,
    result: i64,
    theory: Fraction,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ratings_are_what_a_plain_recomputation_comes_to() {
    let floor = floor();
    for text in croupier_rules::library::standard_texts() {
        let hasty = text.replace("range = \"5-600\"", "range = \"1-600\"");
        floor.add_rulebook(By::System, &hasty).await.unwrap();
    }
    let mut tables = Vec::new();
    for (game, settings) in [
        ("hoiana-baccarat/commission", SOON),
        ("horseshoe-dragon-bonus", SOON_OWED),
        ("mbs-dragon-tiger", SOON_PLAIN),
        ("hoiana-niu-niu", SOON_PLAIN),
    ] {
        let table = open(&floor, game, CardSource::Software, settings).await;
        let robots = robots(&floor, &table).await;
        tables.push((table, robots));
    }
    for (table, _) in &tables {
        plays(table, 8).await;
    }
    tables.iter().flat_map(|(_, robots)| robots).for_each(|robot| robot.abort());
    stop_and_balance(&floor).await;

    let mut walk = Walk::new(croupier_server::watch::Settings::default());
    let shelf = floor.shelf();
    let read = floor.shared.readers.read_here(|store| walk.read(store, &shelf, usize::MAX));
    assert!(read.unwrap() > 100);
    let mut insured = 0;
    for (table, _) in &tables {
        let plain = recompute(&floor, table, &mut insured);
        let rated: BTreeMap<PlayerId, Plain> = walk
            .insight
            .ratings
            .all()
            .filter(|rating| rating.table == table.id)
            .map(|rating| {
                assert_eq!(rating.unpriced, 0);
                let theory = rating.theory.value();
                let (rounds, handle, result) = (rating.rounds, rating.handle, rating.result);
                (rating.player, Plain { rounds, handle, result, theory })
            })
            .collect();
        assert!(plain.values().any(|plain| plain.rounds > 2), "{plain:?}");
        assert_eq!(rated, plain, "{}", table.opened.opening.game);
    }
}

async fn robots(floor: &Arc<Floor>, table: &TableHandle) -> Vec<tokio::task::AbortHandle> {
    let bankroll = TABLES.iter().find(|demo| demo.game == table.opened.opening.game).unwrap().money.bankroll;
    let staff = bots::staff(&table.setup.rulebook);
    let pit = PitBot::new(table, staff, float(table), Duration::ZERO, OnTheTable::default());
    pit.take_up().await;
    let mut running = vec![tokio::spawn(pit.run()).abort_handle()];
    for number in 0..3 {
        let player = bots::player(table.id, number);
        let habits = Habits::per_second(bankroll, 0);
        let bot = Bot::new(floor, table, player, u64::from(table.id.0 * 10 + number), habits);
        running.push(tokio::spawn(bot.run()).abort_handle());
    }
    running
}

/// Every player of a table, from its stream.
fn recompute(floor: &Floor, table: &TableHandle, insured: &mut u32) -> BTreeMap<PlayerId, Plain> {
    let shelf = floor.shelf();
    let mut players = BTreeMap::new();
    let mut found: Option<Replayed> = None;
    // The cards of the shoe that are out, and of each insurance the cards that could come and the hands then.
    let mut out: Vec<Card> = Vec::new();
    let mut taken: Vec<(Composition, Deal, usize)> = Vec::new();
    let read = floor.shared.readers.read_here(|store| {
        store.rows(Select::Stream(Stream::Table(table.id), 1), &mut |_, row| {
            let Some(replayed) = &mut found else {
                found = Some(Replayed::first(&shelf, &row).unwrap());
                return Flow::Continue(());
            };
            if row.kind != Kind::Table {
                return Flow::Continue(());
            }
            for event in row.table_events().unwrap() {
                match &event.fact {
                    Fact::ShoeLoaded { .. } => out.clear(),
                    Fact::Burned { cards, .. } => out.extend(cards),
                    Fact::BetsOpened { .. } => taken.clear(),
                    Fact::Insured { line, .. } => {
                        let dealt = replayed.table.round.draws.iter().filter_map(|dealt| dealt.card);
                        let left = left(&replayed.table, out.iter().copied().chain(dealt));
                        taken.push((left, replayed.table.round.deal, *line));
                    }
                    _ => {}
                }
                let closes = matches!(event.fact, Fact::RoundClosed { .. });
                replayed.apply(core::slice::from_ref(&event));
                if closes {
                    *insured += u32::try_from(taken.len()).unwrap();
                    round(&replayed.table, &out, &taken, &mut players);
                    out.extend(replayed.table.round.draws.iter().filter_map(|dealt| dealt.card));
                }
            }
            Flow::Continue(())
        })
    });
    read.unwrap();
    players
}

fn left(table: &Table, out: impl Iterator<Item = Card>) -> Composition {
    let mut left = Composition::of_decks(Decks::new(table.setup.decks).unwrap());
    for card in out {
        left.remove(card).unwrap();
    }
    left
}

fn round(
    table: &Table,
    out: &[Card],
    taken: &[(Composition, Deal, usize)],
    players: &mut BTreeMap<PlayerId, Plain>,
) {
    let edges = edges(table, &left(table, out.iter().copied()));
    let mut played: BTreeMap<PlayerId, Plain> = BTreeMap::new();
    let mut add = |player, handle: i64, result: i64, loss: &Fraction| {
        if handle == 0 {
            return;
        }
        let none = || Plain { rounds: 1, handle: 0, result: 0, theory: Fraction::new(0, 1) };
        let plain = played.entry(player).or_insert_with(none);
        plain.handle += handle;
        plain.result += result;
        plain.theory = plain.theory.plus(&loss.times(&Fraction::new(handle, 1)));
    };
    for laid in table.round.wagers.iter() {
        let (settled, reserve) = laid.ended.as_ref().unwrap();
        let lost = reserve.as_ref().map_or(0, |reserve| reserve.lost.minor());
        let result = settled.winnings.minor() - settled.collected.minor() - lost;
        add(laid.player, settled.in_action.minor(), result, &edges[laid.bet]);
    }
    for (laid, (cards, deal, line)) in table.round.insurances.iter().zip(taken) {
        let settled = laid.ended.as_ref().unwrap();
        let line = &table.game().insurance.as_ref().unwrap().lines[*line];
        let result = settled.winnings.minor() - settled.collected.minor();
        add(laid.player, settled.in_action.minor(), result, &insurance_edge(line, *deal, cards));
    }
    for (player, plain) in played {
        let none = || Plain { rounds: 0, handle: 0, result: 0, theory: Fraction::new(0, 1) };
        let sum = players.entry(player).or_insert_with(none);
        sum.rounds += 1;
        sum.handle += plain.handle;
        sum.result += plain.result;
        sum.theory = sum.theory.plus(&plain.theory);
    }
}

/// The mean loss of one unit on each bet, by plain enumeration.
fn edges(table: &Table, left: &Composition) -> Vec<Fraction> {
    let game = table.game();
    if table.game().id == "hoiana-niu-niu" {
        let stock = Stock::of_decks(Decks::new(table.setup.decks).unwrap());
        let sheet = OddsSheet::new(table.rulebook(), game, stock).unwrap();
        return game
            .bets
            .iter()
            .map(|bet| sheet.bets.iter().find(|found| found.par.bet == bet.id).unwrap().par.edge.clone())
            .collect();
    }
    let mut gains = vec![Gain::NONE; game.bets.len()];
    let counts = RankCounts::new(left.rank_counts()).unwrap();
    PlainSource::new(game).gains(&counts, left, &mut gains);
    gains.iter().map(|gain| Fraction::new(-gain.numerator, gain.denominator)).collect()
}

/// The mean loss of one unit insured, with every card that could come dealt.
fn insurance_edge(line: &Line, deal: Deal, left: &Composition) -> Fraction {
    let (mut sum, mut all) = (Ratio::ZERO, 0_i128);
    deal_on(deal, left, 1, &mut |deal, ways| {
        let net = match line.end(deal.outcome().unwrap()) {
            InsuranceEnd::Win => line.odds.ratio(),
            InsuranceEnd::Push => Ratio::ZERO,
            InsuranceEnd::Lose => -Ratio::ONE,
        };
        sum = sum + net * Ratio::new(ways, 1);
        all += ways;
    });
    Fraction::from(-sum).times(&Fraction::new(1, all))
}

/// Deals on to the end, with the ways for each; a card that is not needed counts with every card it could be.
fn deal_on(deal: Deal, left: &Composition, ways: i128, end: &mut dyn FnMut(Deal, i128)) {
    if deal.is_complete() {
        let unseen = if deal.draws().len() == 5 { i128::from(left.len()) } else { 1 };
        end(deal, ways * unseen);
        return;
    }
    for rank in Rank::ALL {
        for suit in Suit::ALL {
            let card = Card::new(rank, suit);
            let count = left.count(card);
            if count > 0 {
                let (mut next, mut rest) = (deal, *left);
                next.draw(card).unwrap();
                rest.remove(card).unwrap();
                deal_on(next, &rest, ways * i128::from(count), end);
            }
        }
    }
}
