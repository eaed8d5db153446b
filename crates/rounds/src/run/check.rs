//! Compares what a file expects with what happened.

use croupier_rules::clause::ClauseIndex;
use croupier_rules::niu_niu::BoxWinner;
use croupier_rules::settle::{End, Settled, SettledReserve};

use super::{Check, cited_ids};
use crate::amount::{show, show_signed};
use crate::event::{Event, Fact};
use crate::file::{Action, Expectation, RoundFile};

pub(super) fn checks(index: &ClauseIndex, file: &RoundFile, events: &[Vec<Event>]) -> Vec<Check> {
    let mut checks = Vec::new();
    for (at, (statement, events)) in file.statements.iter().zip(events).enumerate() {
        for expect in &statement.expect {
            checks.push(Check {
                line: at + 1,
                expected: expect.to_string(),
                got: compare(index, expect, events).err(),
            });
        }
    }
    let cited = cited_ids(index, events.iter().flatten().flat_map(|event| event.cites.iter().copied()));
    for (at, statement) in file.statements.iter().enumerate() {
        let Some(Action::Proves(clauses)) = &statement.action else { continue };
        for id in clauses {
            let got = match index.find(id) {
                None => Some(format!("the rulebook has no clause `{id}`")),
                Some(_) if !cited.contains(id) => {
                    Some("nothing in this file made the engine cite it".to_string())
                }
                Some(_) => None,
            };
            checks.push(Check { line: at + 1, expected: format!("clause {id} is cited"), got });
        }
    }
    checks
}

/// What came instead, if the expectation does not hold.
fn compare(index: &ClauseIndex, expect: &Expectation, events: &[Event]) -> Result<(), String> {
    let refusal = events.iter().find_map(|event| match &event.fact {
        Fact::Refused(refusal) => Some(refusal),
        _ => None,
    });
    let accepted = events.iter().find_map(|event| match &event.fact {
        Fact::Accepted { flagged } => Some(*flagged),
        Fact::Set => Some(false),
        _ => None,
    });
    let is_void = events.iter().any(|event| event.fact == Fact::Void);
    match expect {
        Expectation::Refused(code) => match (refusal, code) {
            (None, _) => Err("no refusal".to_string()),
            (Some(refusal), Some(code)) if refusal.code() != code => {
                Err(format!("refused {}: {refusal}", refusal.code()))
            }
            (Some(_), _) => Ok(()),
        },
        Expectation::By(clauses) => {
            let cited = cited_ids(index, events.iter().flat_map(|event| event.cites.iter().copied()));
            let missing: Vec<&String> = clauses.iter().filter(|id| !cited.contains(id)).collect();
            if missing.is_empty() { Ok(()) } else { Err(format!("by {}", cited.join(" "))) }
        }
        Expectation::Accepted | Expectation::Flagged => match (accepted, refusal) {
            (Some(flagged), _) if flagged == (*expect == Expectation::Flagged) => Ok(()),
            (Some(true), _) => Err("flagged".to_string()),
            (Some(false), _) => Err("accepted".to_string()),
            (None, Some(refusal)) => Err(format!("refused {}", refusal.code())),
            (None, None) => Err("nothing was asked to be accepted".to_string()),
        },
        Expectation::Void => {
            if is_void {
                Ok(())
            } else {
                Err("the round is not void".to_string())
            }
        }
        Expectation::Net(_)
        | Expectation::InAction(_)
        | Expectation::Commission(_)
        | Expectation::Rounding(_)
        | Expectation::Returned
        | Expectation::StandOff => settled(expect, events),
        Expectation::Reserve(_) => reserve(expect, events),
        Expectation::Result { .. }
        | Expectation::Natural
        | Expectation::Points(..)
        | Expectation::Next(_)
        | Expectation::Offers(_) => cards(expect, events),
        Expectation::Hand(_) | Expectation::BoxWins | Expectation::BoxLoses => hand(expect, events),
        Expectation::CallRight | Expectation::CallWrong => call(expect, events),
    }
}

fn equal(expect: &Expectation, got: &Expectation) -> Result<(), String> {
    if expect == got { Ok(()) } else { Err(got.to_string()) }
}

fn settled(expect: &Expectation, events: &[Event]) -> Result<(), String> {
    let settled: &Settled = events
        .iter()
        .find_map(|event| match &event.fact {
            Fact::Settled(settled) => Some(settled),
            _ => None,
        })
        .ok_or("no wager of this line was settled")?;
    let end = || match settled.end {
        End::Win => format!("paid {}", show_signed(settled.net())),
        End::Lose => format!("lost {}", show_signed(settled.net())),
        End::StandOff => "stand-off".to_string(),
        End::Returned => "returned".to_string(),
    };
    match expect {
        Expectation::InAction(_) => equal(expect, &Expectation::InAction(settled.in_action)),
        Expectation::Commission(_) => equal(expect, &Expectation::Commission(settled.commission)),
        Expectation::Rounding(_) => equal(expect, &Expectation::Rounding(settled.rounding)),
        Expectation::Returned => {
            if settled.end == End::Returned {
                Ok(())
            } else {
                Err(end())
            }
        }
        Expectation::StandOff => {
            if settled.end == End::StandOff {
                Ok(())
            } else {
                Err(end())
            }
        }
        _ => equal(expect, &Expectation::Net(settled.net())),
    }
}

fn reserve(expect: &Expectation, events: &[Event]) -> Result<(), String> {
    let reserve: &SettledReserve = events
        .iter()
        .find_map(|event| match &event.fact {
            Fact::Reserve(reserve) => Some(reserve),
            _ => None,
        })
        .ok_or("this line has no Reserve")?;
    let got = Expectation::Reserve(-reserve.lost);
    equal(expect, &got).map_err(|got| format!("{got} of {} laid", show(reserve.laid)))
}

fn cards(expect: &Expectation, events: &[Event]) -> Result<(), String> {
    let outcome = events.iter().find_map(|event| match &event.fact {
        Fact::Result(outcome) => Some(*outcome),
        _ => None,
    });
    let standing = events.iter().rev().find_map(|event| match &event.fact {
        Fact::Points { player, banker, due } => Some((*player, *banker, *due)),
        _ => None,
    });
    let no_result = || "the round has no result here".to_string();
    match expect {
        Expectation::Result { .. } => {
            use croupier_rules::baccarat::Side;
            let outcome = outcome.ok_or_else(no_result)?;
            let points = (outcome.points(Side::Player), outcome.points(Side::Banker));
            equal(expect, &Expectation::Result { winner: outcome.winner(), points })
        }
        Expectation::Natural => match outcome {
            Some(outcome) if outcome.is_natural() => Ok(()),
            Some(_) => Err("no natural".to_string()),
            None => Err(no_result()),
        },
        Expectation::Offers(_) => {
            let offer = events.iter().find_map(|event| match &event.fact {
                Fact::Offered { side, odds, .. } => Some((*side, *odds)),
                _ => None,
            });
            equal(expect, &Expectation::Offers(offer))
        }
        Expectation::Next(_) => {
            let (.., due) = standing.ok_or("no card was drawn here")?;
            equal(expect, &Expectation::Next(due))
        }
        _ => {
            let (player, banker, _) = standing.ok_or("no card was drawn here")?;
            equal(expect, &Expectation::Points(player, banker))
        }
    }
}

fn hand(expect: &Expectation, events: &[Event]) -> Result<(), String> {
    let category = events.iter().find_map(|event| match &event.fact {
        Fact::Hand(category) => Some(*category),
        _ => None,
    });
    let winner = events.iter().find_map(|event| match &event.fact {
        Fact::Compared(winner) => Some(*winner),
        _ => None,
    });
    if let Expectation::Hand(_) = expect {
        return equal(expect, &Expectation::Hand(category.ok_or("no hand was ranked here")?));
    }
    let got = match winner.ok_or("no box was compared here")? {
        BoxWinner::Player => Expectation::BoxWins,
        BoxWinner::Dealer => Expectation::BoxLoses,
    };
    equal(expect, &got)
}

fn call(expect: &Expectation, events: &[Event]) -> Result<(), String> {
    let (call, cards) = events
        .iter()
        .find_map(|event| match &event.fact {
            Fact::Called { call, cards } => Some((*call, *cards)),
            _ => None,
        })
        .ok_or("nothing was called here")?;
    let got = if call == cards { Expectation::CallRight } else { Expectation::CallWrong };
    equal(expect, &got).map_err(|got| format!("{got}: the cards say {cards}"))
}
