//! What stands behind `=>` in an export: what happened, as far as a pit manager would ask for it.

use croupier_rules::baccarat::Side;
use croupier_rules::clause::ClauseIndex;
use croupier_rules::niu_niu::BoxWinner;
use croupier_rules::settle::{End, Settled, SettledReserve};
use croupier_table::event::Mark;
use croupier_table::{Event, Fact};

use crate::file::Expectation;
use crate::run::cited_ids;

/// The expectations of a line on which this happened.
pub(super) fn of(index: &ClauseIndex, events: &[&Event]) -> Vec<Expectation> {
    let mut expect = Vec::new();
    let mut money = None;
    let (mut ranked, mut compared, mut called, mut offered, mut missing) = (None, None, None, None, None);
    for event in events {
        match &event.fact {
            Fact::WagerEnded { settled, reserve, .. } => {
                money.get_or_insert((*event, settled, reserve.as_ref()));
            }
            Fact::InsuranceEnded { settled, .. } => {
                money.get_or_insert((*event, settled, None));
            }
            Fact::Placed { flagged: true, .. } => expect.push(Expectation::Flagged),
            Fact::Irregular { irregularity, .. } => {
                expect.push(Expectation::Irregular(irregularity.key().to_string()));
            }
            Fact::Ruled { remedy, .. } => expect.push(Expectation::Ruled(remedy.key().to_string())),
            Fact::HandPassed { breach: true, .. } => expect.push(Expectation::Breach),
            Fact::HandRanked { category, .. } => ranked = Some(Expectation::Hand(*category)),
            Fact::Compared { winner, .. } => {
                compared = Some(match winner {
                    BoxWinner::Player => Expectation::BoxWins,
                    BoxWinner::Dealer => Expectation::BoxLoses,
                });
            }
            Fact::Called { call, cards } | Fact::Displayed { shown: call, cards } => {
                let right = call == cards;
                called = Some(if right { Expectation::CallRight } else { Expectation::CallWrong });
            }
            Fact::InsuranceOffered { side, odds, .. } => {
                offered = Some(Expectation::Offers(Some((*side, *odds))));
            }
            Fact::MissingFound { missing: cards, .. } if !cards.is_empty() => {
                missing = Some(Expectation::Missing(cards.clone()));
            }
            Fact::RoundClosed { mark: Mark::Void, .. } => expect.push(Expectation::Void),
            Fact::RoundClosed { mark: Mark::Free(_), .. } => expect.push(Expectation::Free),
            _ => {}
        }
    }
    expect.extend([ranked, compared, called, offered, missing].into_iter().flatten());
    result(&mut expect, events);
    let mut cited: Vec<&Event> = Vec::new();
    if let Some((event, settled, reserve)) = money {
        settlement(&mut expect, settled, reserve);
        cited.push(event);
    }
    let ruled = |event: &&&Event| matches!(event.fact, Fact::Irregular { .. } | Fact::Ruled { .. });
    cited.extend(events.iter().filter(ruled).copied());
    let ids = cited_ids(index, cited.into_iter().flat_map(|event| event.cites.iter().copied()));
    if !ids.is_empty() {
        expect.push(Expectation::By(ids));
    }
    let mut once = Vec::new();
    for expectation in expect {
        if !once.contains(&expectation) {
            once.push(expectation);
        }
    }
    once
}

/// The first result on the line: a card put right later is another line.
fn result(expect: &mut Vec<Expectation>, events: &[&Event]) {
    let decided = events.iter().find_map(|event| match event.fact {
        Fact::Decided(outcome) => Some(outcome),
        _ => None,
    });
    if let Some(outcome) = decided {
        let points = (outcome.points(Side::Player), outcome.points(Side::Banker));
        expect.push(Expectation::Result { winner: outcome.winner(), points });
        if outcome.is_natural() {
            expect.push(Expectation::Natural);
        }
    }
}

/// What became of a wager.
fn settlement(expect: &mut Vec<Expectation>, settled: &Settled, reserve: Option<&SettledReserve>) {
    expect.push(Expectation::Net(settled.net()));
    match settled.end {
        End::Returned => expect.push(Expectation::Returned),
        End::StandOff => expect.push(Expectation::StandOff),
        End::Win | End::Lose => {
            if settled.in_action != settled.collected + settled.returned {
                expect.push(Expectation::InAction(settled.in_action));
            }
        }
    }
    if settled.commission.is_positive() {
        expect.push(Expectation::Commission(settled.commission));
    }
    if settled.rounding.minor() != 0 {
        expect.push(Expectation::Rounding(settled.rounding));
    }
    if let Some(reserve) = reserve {
        expect.push(Expectation::Reserve(-reserve.lost));
    }
}
