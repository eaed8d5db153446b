//! Compares what a file expects with what happened.

use croupier_rules::baccarat::{Outcome, Side};
use croupier_rules::clause::ClauseIndex;
use croupier_rules::names::nearest;
use croupier_rules::niu_niu::BoxWinner;
use croupier_rules::settle::{End, Settled, SettledReserve};
use croupier_table::Fact as TableFact;
use croupier_table::event::Mark;

use super::{Check, Standing, cited_ids};
use crate::amount::Decimals;
use crate::event::{Event, Fact, Refused};
use crate::file::{Action, Expectation, RoundFile};
use crate::words::result;

pub(super) fn checks(
    index: &ClauseIndex,
    file: &RoundFile,
    events: &[Vec<Event>],
    standings: &[Standing],
) -> Vec<Check> {
    let mut checks = Vec::new();
    let end = file.statements.len() + 1;
    let decimals = file.decimals();
    for (at, (statement, events)) in file.statements.iter().zip(events).enumerate() {
        let nowhere = Standing::default();
        // A wager ends on a later line, which may tell why.
        let ended = events.iter().map(|event| event.line).max().and_then(|line| standings.get(line - 1));
        let foreign = ended.and_then(|standing| standing.foreign.as_deref());
        let line = Line { index, events, decimals, standing: standings.get(at).unwrap_or(&nowhere), foreign };
        for expect in &statement.expect {
            let settled = events.iter().map(|event| event.line).max().filter(|_| line.has_ended());
            let shown = match expect {
                Expectation::By(_) if laid(statement.action.as_ref()) && line.refusal().is_none() => {
                    settled.unwrap_or(end)
                }
                expect if shows_later(expect) => settled.unwrap_or(end),
                _ => at + 1,
            };
            let got = line.compare(expect).err();
            checks.push(Check {
                line: at + 1,
                expected: expect.text(decimals),
                got,
                shown,
                whole_file: false,
            });
        }
    }
    let cited = cited_ids(index, events.iter().flatten().flat_map(|event| event.cites.iter().copied()));
    for (at, statement) in file.statements.iter().enumerate() {
        let Some(Action::Proves(clauses)) = &statement.action else { continue };
        for id in clauses {
            let got = match index.find(id) {
                None => Some(no_clause(index, id)),
                Some(_) if !cited.contains(id) => {
                    Some("nothing in this file made the engine cite it".to_string())
                }
                Some(_) => None,
            };
            let expected = format!("clause {id} is cited");
            checks.push(Check { line: at + 1, expected, got, shown: end, whole_file: true });
        }
    }
    checks
}

/// What happened on a line.
struct Line<'a> {
    index: &'a ClauseIndex,
    events: &'a [Event],
    standing: &'a Standing,
    decimals: Decimals,
    /// The card that cannot be there, where one ended the round.
    foreign: Option<&'a str>,
}

impl Line<'_> {
    /// What came instead, if the expectation does not hold.
    fn compare(&self, expect: &Expectation) -> Result<(), String> {
        match expect {
            Expectation::Refused(code) => match (self.refusal(), code) {
                (None, _) => Err("no refusal: it was accepted".to_string()),
                (Some(refusal), Some(code)) if refusal.code() != code => {
                    Err(format!("refused {}: {refusal}", refusal.code()))
                }
                (Some(_), _) => Ok(()),
            },
            Expectation::Needs(_) => {
                let needs = self.standing.needs.clone().ok_or("nobody was refused for want of rank")?;
                self.equal(expect, &Expectation::Needs(needs))
            }
            Expectation::By(clauses) => {
                let cited =
                    cited_ids(self.index, self.events.iter().flat_map(|event| event.cites.iter().copied()));
                match clauses.iter().find(|id| !cited.contains(id)) {
                    None => Ok(()),
                    Some(id) if self.index.find(id).is_none() => Err(no_clause(self.index, id)),
                    Some(_) if cited.is_empty() => Err("no clause".to_string()),
                    Some(_) => Err(format!("by {}", cited.join(" "))),
                }
            }
            Expectation::Accepted | Expectation::Flagged => self.accepted(expect),
            Expectation::Void => self.mark(|mark| mark == Mark::Void),
            Expectation::Free => self.mark(|mark| matches!(mark, Mark::Free(_))),
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
            Expectation::Breach => {
                let is_breach = |fact: &TableFact| matches!(fact, TableFact::HandPassed { breach: true, .. });
                if self.facts().any(is_breach) { Ok(()) } else { Err("no breach".to_string()) }
            }
            Expectation::Missing(_) => {
                let found = self.find(|fact| match fact {
                    TableFact::MissingFound { missing, .. } => Some(missing.clone()),
                    _ => None,
                });
                self.one_of(expect, found.into_iter().map(Expectation::Missing), "no count of the cards")
            }
            Expectation::Phase(_) => self.equal(expect, &Expectation::Phase(self.standing.phase.clone())),
            Expectation::Board(_) => self.equal(expect, &Expectation::Board(self.standing.board.clone())),
            Expectation::Float(_) => self.equal(expect, &Expectation::Float(self.standing.float)),
            Expectation::Squeezes(_, side) => {
                let [player, banker] = &self.standing.squeezers;
                let who = match side {
                    Side::Player => player,
                    Side::Banker => banker,
                };
                self.equal(expect, &Expectation::Squeezes(who.clone(), *side))
            }
            Expectation::Has(name, _) => {
                let chips = self.standing.chips.iter().find(|(known, _)| known == name);
                let (_, chips) = chips.ok_or_else(|| {
                    let known = self.standing.chips.iter().map(|(known, _)| known.as_str());
                    let meant = nearest(name, known);
                    let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
                    format!("nothing: `{name}` is not at the table{meant}")
                })?;
                self.equal(expect, &Expectation::Has(name.clone(), *chips))
            }
            Expectation::Case(_) => {
                let state = self.standing.case.clone().ok_or("there is no dispute")?;
                self.equal(expect, &Expectation::Case(state))
            }
        }
    }

    /// Whether a wager, an insurance or a hand of this line came to its end.
    fn has_ended(&self) -> bool {
        self.facts().any(|fact| {
            matches!(
                fact,
                TableFact::WagerEnded { .. }
                    | TableFact::InsuranceEnded { .. }
                    | TableFact::HandRanked { .. }
                    | TableFact::Compared { .. }
            )
        })
    }

    fn equal(&self, expect: &Expectation, got: &Expectation) -> Result<(), String> {
        if expect == got { Ok(()) } else { Err(got.text(self.decimals)) }
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
        let told: Vec<String> = found.iter().map(|found| found.text(self.decimals)).collect();
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

    /// How the round ended on this line: before that it is neither void nor free.
    fn mark(&self, is: impl Fn(Mark) -> bool) -> Result<(), String> {
        let marks = self.find(|fact| match fact {
            TableFact::RoundClosed { mark, .. } => Some(*mark),
            _ => None,
        });
        match marks.last().copied() {
            Some(mark) if is(mark) => Ok(()),
            Some(Mark::Void) => Err("void".to_string()),
            Some(Mark::Free(outcome)) => Err(format!("a Free Hand: {}", result(outcome))),
            Some(Mark::Result(outcome)) => Err(format!("a result: {}", result(outcome))),
            Some(Mark::Played) => Err("a round that was settled".to_string()),
            None => Err(format!(
                "nothing yet: the round does not end on this line (phase {})",
                self.standing.phase
            )),
        }
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
            End::Win => format!("paid {}", self.decimals.show_signed(settled.net())),
            End::Lose => format!("lost {}", self.decimals.show_signed(settled.net())),
            End::StandOff => "stand-off".to_string(),
            End::Returned => "returned".to_string(),
        };
        let ended = |as_expected: bool| if as_expected { Ok(()) } else { Err(end()) };
        match expect {
            Expectation::InAction(_) => self.equal(expect, &Expectation::InAction(settled.in_action)),
            Expectation::Commission(_) => self.equal(expect, &Expectation::Commission(settled.commission)),
            Expectation::Rounding(_) => self.equal(expect, &Expectation::Rounding(settled.rounding)),
            Expectation::Returned => ended(settled.end == End::Returned),
            Expectation::StandOff => ended(settled.end == End::StandOff),
            _ => self.equal(expect, &Expectation::Net(settled.net())).map_err(|got| match self.foreign {
                Some(foreign) if settled.end == End::Returned => format!("{got}, returned: {foreign}"),
                Some(_) | None => got,
            }),
        }
    }

    fn reserve(&self, expect: &Expectation) -> Result<(), String> {
        let reserve = self.money().and_then(|(_, reserve)| reserve).ok_or("this line has no Reserve")?;
        let got = Expectation::Reserve(-reserve.lost);
        self.equal(expect, &got).map_err(|got| format!("{got} of {} laid", self.decimals.show(reserve.laid)))
    }

    fn outcome(&self) -> Option<Outcome> {
        self.facts().find_map(|fact| match fact {
            TableFact::Decided(outcome) => Some(*outcome),
            _ => None,
        })
    }

    fn cards(&self, expect: &Expectation) -> Result<(), String> {
        let drawn = || if self.standing.drawn { Ok(()) } else { Err("no card was drawn".to_string()) };
        let no_result = || match &self.standing.foreign {
            Some(foreign) => format!("no result: {foreign}"),
            None => "the round has no result here".to_string(),
        };
        match expect {
            Expectation::Result { .. } => {
                let outcome = self.outcome().ok_or_else(no_result)?;
                let points = (outcome.points(Side::Player), outcome.points(Side::Banker));
                self.equal(expect, &Expectation::Result { winner: outcome.winner(), points })
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
                self.equal(expect, &Expectation::Offers(offers.last().copied()))
            }
            Expectation::Next(_) => {
                drawn()?;
                self.equal(expect, &Expectation::Next(self.standing.due))
            }
            _ => {
                drawn()?;
                let (player, banker) = self.standing.points;
                self.equal(expect, &Expectation::Points(player, banker))
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
            return self.equal(expect, &Expectation::Hand(category));
        }
        let compared = self.find(|fact| match fact {
            TableFact::Compared { winner, .. } => Some(*winner),
            _ => None,
        });
        let got = match compared.last().copied().ok_or("no box was compared here")? {
            BoxWinner::Player => Expectation::BoxWins,
            BoxWinner::Dealer => Expectation::BoxLoses,
        };
        self.equal(expect, &got)
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
        self.equal(expect, &got).map_err(|got| format!("{got}: the cards say {cards}"))
    }
}

/// Whether a line lays something that comes to its end on a later one.
fn laid(action: Option<&Action>) -> bool {
    matches!(action, Some(Action::Bet(_) | Action::Insure { .. } | Action::Hand { .. }))
}

/// Whether an expectation stands on the line of a wager or a hand and is answered by a later one.
fn shows_later(expect: &Expectation) -> bool {
    matches!(
        expect,
        Expectation::Net(_)
            | Expectation::InAction(_)
            | Expectation::Commission(_)
            | Expectation::Rounding(_)
            | Expectation::Returned
            | Expectation::StandOff
            | Expectation::Reserve(_)
            | Expectation::Hand(_)
            | Expectation::BoxWins
            | Expectation::BoxLoses
    )
}

fn no_clause(index: &ClauseIndex, id: &str) -> String {
    let ids = index.clauses().iter().map(|clause| clause.id.as_str());
    let ids = ids.chain(index.readings().iter().map(|reading| reading.id.as_str()));
    match nearest(id, ids) {
        Some(meant) => format!("the rulebook has no clause `{id}`; did you mean `{meant}`?"),
        None => format!("the rulebook has no clause `{id}`"),
    }
}
