//! Compares what a file expects with what happened.

use croupier_rules::baccarat::{Outcome, Side};
use croupier_rules::clause::ClauseIndex;
use croupier_rules::niu_niu::BoxWinner;
use croupier_rules::settle::{End, Settled, SettledReserve};
use croupier_table::Fact as TableFact;
use croupier_table::event::Mark;

use super::{Check, Standing, cited_ids};
use crate::amount::{show, show_signed};
use crate::event::{Event, Fact, Refused};
use crate::file::{Action, Expectation, RoundFile};

pub(super) fn checks(
    index: &ClauseIndex,
    file: &RoundFile,
    events: &[Vec<Event>],
    standings: &[Standing],
) -> Vec<Check> {
    let mut checks = Vec::new();
    for (at, (statement, events)) in file.statements.iter().zip(events).enumerate() {
        let nowhere = Standing::default();
        let line = Line { index, events, standing: standings.get(at).unwrap_or(&nowhere) };
        for expect in &statement.expect {
            checks.push(Check {
                line: at + 1,
                expected: expect.to_string(),
                got: line.compare(expect).err(),
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

/// What happened on a line.
struct Line<'a> {
    index: &'a ClauseIndex,
    events: &'a [Event],
    standing: &'a Standing,
}

impl Line<'_> {
    /// What came instead, if the expectation does not hold.
    fn compare(&self, expect: &Expectation) -> Result<(), String> {
        match expect {
            Expectation::Refused(code) => match (self.refusal(), code) {
                (None, _) => Err("no refusal".to_string()),
                (Some(refusal), Some(code)) if refusal.code() != code => {
                    Err(format!("refused {}: {refusal}", refusal.code()))
                }
                (Some(_), _) => Ok(()),
            },
            Expectation::Needs(_) => {
                let needs = self.standing.needs.clone().ok_or("nobody was refused for want of rank")?;
                equal(expect, &Expectation::Needs(needs))
            }
            Expectation::By(clauses) => {
                let cited =
                    cited_ids(self.index, self.events.iter().flat_map(|event| event.cites.iter().copied()));
                let missing = clauses.iter().any(|id| !cited.contains(id));
                if missing { Err(format!("by {}", cited.join(" "))) } else { Ok(()) }
            }
            Expectation::Accepted | Expectation::Flagged => self.accepted(expect),
            Expectation::Void => self.mark(|mark| mark == Mark::Void, "the round is not void"),
            Expectation::Free => {
                self.mark(|mark| matches!(mark, Mark::Free(_)), "the round was no Free Hand")
            }
            Expectation::Net(_)
            | Expectation::InAction(_)
            | Expectation::Commission(_)
            | Expectation::Rounding(_)
            | Expectation::Returned
            | Expectation::StandOff => self.settled(expect),
            Expectation::Reserve(_) => self.reserve(expect),
            Expectation::Result { .. }
            | Expectation::Natural
            | Expectation::Points(..)
            | Expectation::Next(_)
            | Expectation::Offers(_) => self.cards(expect),
            Expectation::Hand(_) | Expectation::BoxWins | Expectation::BoxLoses => self.hand(expect),
            Expectation::CallRight | Expectation::CallWrong => self.call(expect),
            Expectation::Irregular(_) => {
                let found = self.find(|fact| match fact {
                    TableFact::Irregular { irregularity, .. } => Some(irregularity.key().to_string()),
                    _ => None,
                });
                self.one_of(expect, found.into_iter().map(Expectation::Irregular), "nothing irregular")
            }
            Expectation::Ruled(_) => {
                let found = self.find(|fact| match fact {
                    TableFact::Ruled { remedy, .. } => Some(remedy.key().to_string()),
                    _ => None,
                });
                self.one_of(expect, found.into_iter().map(Expectation::Ruled), "no ruling")
            }
            Expectation::Missing(_) => {
                let found = self.find(|fact| match fact {
                    TableFact::MissingFound { missing, .. } => Some(missing.clone()),
                    _ => None,
                });
                self.one_of(expect, found.into_iter().map(Expectation::Missing), "no count of the cards")
            }
            Expectation::Phase(_) => equal(expect, &Expectation::Phase(self.standing.phase.clone())),
            Expectation::Board(_) => equal(expect, &Expectation::Board(self.standing.board.clone())),
            Expectation::Float(_) => equal(expect, &Expectation::Float(self.standing.float)),
            Expectation::Squeezes(_, side) => {
                let [player, banker] = &self.standing.squeezers;
                let who = match side {
                    Side::Player => player,
                    Side::Banker => banker,
                };
                equal(expect, &Expectation::Squeezes(who.clone(), *side))
            }
            Expectation::Has(name, _) => {
                let chips = self.standing.chips.iter().find(|(known, _)| known == name);
                let (_, chips) = chips.ok_or_else(|| format!("`{name}` is not at the table"))?;
                equal(expect, &Expectation::Has(name.clone(), *chips))
            }
            Expectation::Case(_) => {
                let state = self.standing.case.clone().ok_or("there is no dispute")?;
                equal(expect, &Expectation::Case(state))
            }
        }
    }

    fn facts(&self) -> impl Iterator<Item = &TableFact> {
        self.events.iter().filter_map(|event| match &event.fact {
            Fact::Table(fact) => Some(fact),
            Fact::Opened | Fact::Set | Fact::Case(_) | Fact::Refused(_) => None,
        })
    }

    fn find<T>(&self, what: impl Fn(&TableFact) -> Option<T>) -> Vec<T> {
        self.facts().filter_map(what).collect()
    }

    fn one_of(
        &self,
        expect: &Expectation,
        found: impl Iterator<Item = Expectation>,
        none: &str,
    ) -> Result<(), String> {
        let found: Vec<Expectation> = found.collect();
        if found.contains(expect) {
            return Ok(());
        }
        let told: Vec<String> = found.iter().map(ToString::to_string).collect();
        Err(if told.is_empty() { none.to_string() } else { told.join(", ") })
    }

    fn refusal(&self) -> Option<&Refused> {
        self.events.iter().find_map(|event| match &event.fact {
            Fact::Refused(refusal) => Some(refusal),
            Fact::Opened | Fact::Set | Fact::Table(_) | Fact::Case(_) => None,
        })
    }

    fn accepted(&self, expect: &Expectation) -> Result<(), String> {
        if let Some(refusal) = self.refusal() {
            return Err(format!("refused {}", refusal.code()));
        }
        if self.events.is_empty() {
            return Err("nothing was asked to be accepted".to_string());
        }
        let flagged = self.facts().any(|fact| matches!(fact, TableFact::Placed { flagged: true, .. }));
        match (flagged, *expect == Expectation::Flagged) {
            (true, false) => Err("flagged".to_string()),
            (false, true) => Err("accepted".to_string()),
            (true, true) | (false, false) => Ok(()),
        }
    }

    fn mark(&self, is: impl Fn(Mark) -> bool, otherwise: &str) -> Result<(), String> {
        let mut marks = self.facts().filter_map(|fact| match fact {
            TableFact::RoundClosed { mark, .. } => Some(*mark),
            _ => None,
        });
        if marks.any(is) { Ok(()) } else { Err(otherwise.to_string()) }
    }

    /// What became of the wager or insurance of this line.
    fn money(&self) -> Option<(&Settled, Option<&SettledReserve>)> {
        self.facts().find_map(|fact| match fact {
            TableFact::WagerEnded { settled, reserve, .. } => Some((settled, reserve.as_ref())),
            TableFact::InsuranceEnded { settled, .. } => Some((settled, None)),
            _ => None,
        })
    }

    fn settled(&self, expect: &Expectation) -> Result<(), String> {
        let (settled, _) = self.money().ok_or("no wager of this line was settled")?;
        let end = || match settled.end {
            End::Win => format!("paid {}", show_signed(settled.net())),
            End::Lose => format!("lost {}", show_signed(settled.net())),
            End::StandOff => "stand-off".to_string(),
            End::Returned => "returned".to_string(),
        };
        let ended = |as_expected: bool| if as_expected { Ok(()) } else { Err(end()) };
        match expect {
            Expectation::InAction(_) => equal(expect, &Expectation::InAction(settled.in_action)),
            Expectation::Commission(_) => equal(expect, &Expectation::Commission(settled.commission)),
            Expectation::Rounding(_) => equal(expect, &Expectation::Rounding(settled.rounding)),
            Expectation::Returned => ended(settled.end == End::Returned),
            Expectation::StandOff => ended(settled.end == End::StandOff),
            _ => equal(expect, &Expectation::Net(settled.net())),
        }
    }

    fn reserve(&self, expect: &Expectation) -> Result<(), String> {
        let reserve = self.money().and_then(|(_, reserve)| reserve).ok_or("this line has no Reserve")?;
        let got = Expectation::Reserve(-reserve.lost);
        equal(expect, &got).map_err(|got| format!("{got} of {} laid", show(reserve.laid)))
    }

    fn outcome(&self) -> Option<Outcome> {
        self.facts().find_map(|fact| match fact {
            TableFact::Decided(outcome) => Some(*outcome),
            _ => None,
        })
    }

    fn cards(&self, expect: &Expectation) -> Result<(), String> {
        let drawn = || if self.standing.drawn { Ok(()) } else { Err("no card was drawn".to_string()) };
        let no_result = || "the round has no result here".to_string();
        match expect {
            Expectation::Result { .. } => {
                let outcome = self.outcome().ok_or_else(no_result)?;
                let points = (outcome.points(Side::Player), outcome.points(Side::Banker));
                equal(expect, &Expectation::Result { winner: outcome.winner(), points })
            }
            Expectation::Natural => match self.outcome() {
                Some(outcome) if outcome.is_natural() => Ok(()),
                Some(_) => Err("no natural".to_string()),
                None => Err(no_result()),
            },
            Expectation::Offers(_) => {
                let offers = self.find(|fact| match fact {
                    TableFact::InsuranceOffered { side, odds, .. } => Some((*side, *odds)),
                    _ => None,
                });
                equal(expect, &Expectation::Offers(offers.last().copied()))
            }
            Expectation::Next(_) => {
                drawn()?;
                equal(expect, &Expectation::Next(self.standing.due))
            }
            _ => {
                drawn()?;
                let (player, banker) = self.standing.points;
                equal(expect, &Expectation::Points(player, banker))
            }
        }
    }

    fn hand(&self, expect: &Expectation) -> Result<(), String> {
        if let Expectation::Hand(_) = expect {
            let ranked = self.find(|fact| match fact {
                TableFact::HandRanked { category, .. } => Some(*category),
                _ => None,
            });
            let category = ranked.last().copied().ok_or("no hand was ranked here")?;
            return equal(expect, &Expectation::Hand(category));
        }
        let compared = self.find(|fact| match fact {
            TableFact::Compared { winner, .. } => Some(*winner),
            _ => None,
        });
        let got = match compared.last().copied().ok_or("no box was compared here")? {
            BoxWinner::Player => Expectation::BoxWins,
            BoxWinner::Dealer => Expectation::BoxLoses,
        };
        equal(expect, &got)
    }

    fn call(&self, expect: &Expectation) -> Result<(), String> {
        let calls = self.find(|fact| match fact {
            TableFact::Called { call, cards } | TableFact::Displayed { shown: call, cards } => {
                Some((*call, *cards))
            }
            _ => None,
        });
        let (call, cards) = calls.last().copied().ok_or("nothing was called here")?;
        let got = if call == cards { Expectation::CallRight } else { Expectation::CallWrong };
        equal(expect, &got).map_err(|got| format!("{got}: the cards say {cards}"))
    }
}

fn equal(expect: &Expectation, got: &Expectation) -> Result<(), String> {
    if expect == got { Ok(()) } else { Err(got.to_string()) }
}
