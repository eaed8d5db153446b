//! The chips of a table: counts by two people, fills and credits by slips.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::Json as Answer;
use axum::extract::State;
use croupier_journal::CommandId;
use croupier_ledger::TableId;
use croupier_rules::Amount;
use croupier_table::Actor;
use croupier_table::tray::{
    Chips, Count, CountEnd, CountOf, Paper, Signed, Slip, SlipEnd, SlipKind, TrayOrder,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::body::{Json, Path};
use crate::api::refusals::{Guarded, WithBody};
use crate::api::tables::{Proof, find};
use crate::app::App;
use crate::people::{Caller, Right, deny};
use crate::problem::Problem;
use crate::table::TableHandle;
use crate::trays::{self, TrayError, Trays, Wanted};

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(papers, order)).routes(routes!(one))
}

/// How many finished papers are listed.
const FINISHED: usize = 40;

/// Chips of one denomination.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pieces {
    /// What one is worth.
    pub(crate) value: Amount,
    /// How many.
    pub(crate) pieces: u32,
}

fn pieces(chips: &Chips) -> Vec<Pieces> {
    chips.kinds().iter().map(|(value, pieces)| Pieces { value: *value, pieces: *pieces }).collect()
}

/// What is asked.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum TrayAsked {
    /// A fill or a credit is asked for.
    AskSlip {
        /// Which way.
        kind: SlipKind,
        /// What.
        #[schema(max_items = 32)]
        chips: Vec<Pieces>,
    },
    /// It is approved, by somebody else with the money of the table.
    ApproveSlip {
        /// Its number.
        number: u32,
    },
    /// The chips are handed over, before a witness: the table moves them.
    DeliverSlip {
        /// Its number.
        number: u32,
    },
    /// Nothing comes of it.
    DropSlip {
        /// Its number.
        number: u32,
        /// Why.
        #[schema(min_length = 1, max_length = 400)]
        why: String,
    },
    /// The first count, sealed.
    BeginCount {
        /// What is counted.
        of: CountOf,
        /// What was counted.
        #[schema(max_items = 32)]
        chips: Vec<Pieces>,
    },
    /// The second count, or one of what differed, sealed.
    SealCount {
        /// Its number.
        number: u32,
        /// What was counted.
        #[schema(max_items = 32)]
        chips: Vec<Pieces>,
    },
    /// Why there is more or less than the books say.
    ExplainCount {
        /// Its number.
        number: u32,
        /// Why.
        #[schema(min_length = 1, max_length = 400)]
        words: String,
    },
    /// The count stands; the table closes, or its drop box is emptied, by it.
    SignCount {
        /// Its number.
        number: u32,
    },
    /// The count does not count.
    DropCount {
        /// Its number.
        number: u32,
        /// Why.
        #[schema(min_length = 1, max_length = 400)]
        why: String,
    },
}

/// An order about the chips of a table.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TrayRequest {
    /// Its id, made by whoever asks; a random UUID will do.
    #[schema(min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9_-]{1,64}$")]
    pub(crate) id: String,
    /// What.
    pub(crate) order: TrayAsked,
    /// Somebody who gives it at your console, by PIN.
    #[serde(default)]
    pub(crate) given_by: Option<Proof>,
    /// The second person who receives the chips, by PIN.
    #[serde(default)]
    pub(crate) witness: Option<Proof>,
}

/// Who did something, and when.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SignedShown {
    /// Who.
    pub(crate) person: u32,
    /// Their name.
    pub(crate) name: String,
    /// When, in seconds since 1970.
    pub(crate) at: u64,
}

/// A paper about the chips of a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PaperShown {
    /// A fill or a credit.
    Slip(Box<SlipShown>),
    /// A count.
    Count(Box<CountShown>),
}

/// How far a slip has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SlipState {
    /// It waits for approval.
    Asked,
    /// It waits for the chips.
    Approved,
    /// The chips were handed over.
    Delivered,
    /// Nothing came of it.
    Dropped,
}

/// A fill or a credit.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SlipShown {
    /// Its number at the table.
    pub(crate) number: u32,
    /// Which way.
    pub(crate) kind: SlipKind,
    /// How far it has come.
    pub(crate) state: SlipState,
    /// What.
    pub(crate) chips: Vec<Pieces>,
    /// What it is worth.
    pub(crate) amount: Amount,
    /// Who asked.
    pub(crate) asked: SignedShown,
    /// Who approved.
    pub(crate) approved: Option<SignedShown>,
    /// Who handed it over, or dropped it.
    pub(crate) ended: Option<SignedShown>,
    /// Who received it.
    pub(crate) witness: Option<SignedShown>,
    /// Why nothing came of it.
    pub(crate) why: Option<String>,
    /// The line of the table's stream that moved the chips.
    pub(crate) line: Option<u64>,
}

/// How far a count has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CountState {
    /// The first has counted, the second has not.
    AwaitsSecond,
    /// They differ, and what differs is counted again.
    Differs,
    /// They agree.
    Agreed,
    /// It was signed.
    Signed,
    /// It does not count.
    Dropped,
}

/// A count. Nothing of what was counted is in it, and nothing of the books, before both agree.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CountShown {
    /// Its number at the table.
    pub(crate) number: u32,
    /// What is counted.
    pub(crate) of: CountOf,
    /// How far it has come.
    pub(crate) state: CountState,
    /// Who has counted, in order.
    pub(crate) counters: Vec<SignedShown>,
    /// The chips on which they differ; both count these again.
    pub(crate) again: Vec<Amount>,
    /// What came of it, once both agree.
    pub(crate) found: Option<CountFound>,
    /// Who signed or dropped it.
    pub(crate) ended: Option<SignedShown>,
    /// Why it does not count.
    pub(crate) why: Option<String>,
    /// The line of the table's stream that followed from it.
    pub(crate) line: Option<u64>,
}

/// What two people found.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CountFound {
    /// What both counted.
    pub(crate) chips: Vec<Pieces>,
    /// What it is worth.
    pub(crate) counted: Amount,
    /// What the books say.
    pub(crate) books: Amount,
    /// What there is more than that; below zero if it is short.
    pub(crate) difference: i64,
    /// Who said why, and when.
    pub(crate) explained: Option<SignedShown>,
    /// Why.
    pub(crate) words: Option<String>,
    /// How often they counted before they agreed.
    pub(crate) times: usize,
}

/// What is on record of a table's chips.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TrayShown {
    /// The table.
    pub(crate) table: u32,
    /// The smallest chip.
    pub(crate) chip: Amount,
    /// The papers, the newest first: all that are open, and the last that are finished.
    pub(crate) papers: Vec<PaperShown>,
    /// What the last count of the float found beyond the books.
    pub(crate) difference: i64,
}

/// Names of people.
struct Names(BTreeMap<u32, String>);

impl Names {
    fn of(app: &App, papers: &[Paper]) -> Self {
        let mut people = BTreeSet::new();
        for paper in papers {
            match paper {
                Paper::Slip(slip) => {
                    people.extend(
                        [Some(slip.asked), slip.approved].into_iter().flatten().map(|by| by.person.0),
                    );
                    match &slip.ended {
                        Some(SlipEnd::Delivered { by, witness, .. }) => {
                            people.extend([by.person.0, witness.0]);
                        }
                        Some(SlipEnd::Dropped { by, .. }) => people.extend([by.person.0]),
                        None => {}
                    }
                }
                Paper::Count(count) => {
                    people.extend(count.seals.iter().map(|seal| seal.by.person.0));
                    people.extend(count.explained.iter().map(|told| told.by.person.0));
                    match &count.ended {
                        Some(CountEnd::Signed { by, .. } | CountEnd::Dropped { by, .. }) => {
                            people.extend([by.person.0]);
                        }
                        None => {}
                    }
                }
            }
        }
        Self(app.people.nicknames(&people.into_iter().collect::<Vec<_>>()))
    }

    fn signed(&self, by: Signed) -> SignedShown {
        let name = self.0.get(&by.person.0).cloned().unwrap_or_else(|| by.person.to_string());
        SignedShown { person: by.person.0, name, at: by.at }
    }

    fn paper(&self, paper: &Paper) -> PaperShown {
        match paper {
            Paper::Slip(slip) => PaperShown::Slip(Box::new(self.slip(slip))),
            Paper::Count(count) => PaperShown::Count(Box::new(self.count(count))),
        }
    }

    fn slip(&self, slip: &Slip) -> SlipShown {
        let (state, ended, witness, why, line) = match &slip.ended {
            None if slip.approved.is_some() => (SlipState::Approved, None, None, None, None),
            None => (SlipState::Asked, None, None, None, None),
            Some(SlipEnd::Delivered { by, witness, line }) => {
                let witness = Signed { person: *witness, at: by.at };
                (SlipState::Delivered, Some(*by), Some(witness), None, Some(*line))
            }
            Some(SlipEnd::Dropped { by, why }) => {
                (SlipState::Dropped, Some(*by), None, Some(why.clone()), None)
            }
        };
        SlipShown {
            number: slip.number,
            kind: slip.kind,
            state,
            chips: pieces(&slip.chips),
            amount: slip.chips.total(),
            asked: self.signed(slip.asked),
            approved: slip.approved.map(|by| self.signed(by)),
            ended: ended.map(|by| self.signed(by)),
            witness: witness.map(|by| self.signed(by)),
            why,
            line,
        }
    }

    fn count(&self, count: &Count) -> CountShown {
        let (state, ended, why, line) = match &count.ended {
            None if count.is_agreed() => (CountState::Agreed, None, None, None),
            None if count.awaits_second() => (CountState::AwaitsSecond, None, None, None),
            None => (CountState::Differs, None, None, None),
            Some(CountEnd::Signed { by, line }) => (CountState::Signed, Some(*by), None, *line),
            Some(CountEnd::Dropped { by, why }) => (CountState::Dropped, Some(*by), Some(why.clone()), None),
        };
        let found = count.difference().map(|difference| CountFound {
            chips: pieces(&count.agreed),
            counted: count.agreed.total(),
            books: count.books,
            difference,
            explained: count.explained.as_ref().map(|told| self.signed(told.by)),
            words: count.explained.as_ref().map(|told| told.words.clone()),
            times: count.seals.len() / 2,
        });
        CountShown {
            number: count.number,
            of: count.of,
            state,
            counters: count.seals.iter().map(|seal| self.signed(seal.by)).collect(),
            again: count.again.clone(),
            found,
            ended: ended.map(|by| self.signed(by)),
            why,
            line,
        }
    }
}

/// Papers as they are shown.
pub(super) fn shown(app: &App, papers: &[Paper]) -> Vec<PaperShown> {
    let names = Names::of(app, papers);
    papers.iter().map(|paper| names.paper(paper)).collect()
}

async fn may_look(app: &App, caller: &Caller, table: &TableHandle, what: &str) -> Result<(), Problem> {
    if caller.staff_at(app, table).is_some() {
        return Ok(());
    }
    caller.may_any(app, &[Right::Watch, Right::Audit], what).await
}

/// The counts and slips of a table: for its staff on duty, surveillance and auditors.
#[utoipa::path(
    get, path = "/api/tables/{table}/tray", tag = "pit", params(("table" = u32, Path)),
    responses(
        (status = 200, body = TrayShown), Guarded, (status = 400, body = Problem), (status = 404, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn papers(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<u32>,
) -> Result<Answer<TrayShown>, Problem> {
    let table = find(&app, id)?;
    may_look(&app, &caller, &table, "GET /api/tables/{table}/tray").await?;
    let tray = app.trays.tray(TableId(id));
    let kept = Trays::papers(&app.floor, TableId(id), FINISHED).await?;
    let older =
        tray.open.values().rev().filter(|open| kept.iter().all(|paper| paper.number() != open.number()));
    let all: Vec<Paper> = kept.iter().chain(older).cloned().collect();
    Ok(Answer(TrayShown {
        table: id,
        chip: table.setup.terms.chip,
        papers: shown(&app, &all),
        difference: tray.difference,
    }))
}

/// A count or a slip, for those who see the chips of the table.
#[utoipa::path(
    get, path = "/api/tables/{table}/tray/{number}", tag = "pit",
    params(("table" = u32, Path), ("number" = u32, Path)),
    responses(
        (status = 200, body = PaperShown), Guarded, (status = 400, body = Problem), (status = 404, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn one(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path((id, number)): Path<(u32, u32)>,
) -> Result<Answer<PaperShown>, Problem> {
    let table = find(&app, id)?;
    may_look(&app, &caller, &table, "GET /api/tables/{table}/tray/{number}").await?;
    let found = Trays::paper(&app.floor, TableId(id), number).await?;
    let paper = found.ok_or_else(|| Problem::not_found(format!("table {id} has no paper {number}")))?;
    let names = Names::of(&app, core::slice::from_ref(&paper));
    Ok(Answer(names.paper(&paper)))
}

/// Asks for something about the chips of a table: for its staff on duty. The answer is the paper, durable.
#[utoipa::path(
    post, path = "/api/tables/{table}/tray", tag = "pit", params(("table" = u32, Path)),
    request_body = TrayRequest,
    responses(
        (status = 200, body = PaperShown), Guarded, WithBody, (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 422, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn order(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<u32>,
    Json(request): Json<TrayRequest>,
) -> Result<Answer<PaperShown>, Problem> {
    const WHAT: &str = "POST /api/tables/{table}/tray";
    let table = find(&app, id)?;
    let Some(own) = caller.staff_at(&app, &table) else {
        let problem = Problem::forbidden("not-staff", "only staff on duty at the table may");
        return Err(deny(&app, &caller, WHAT, problem).await);
    };
    let command =
        CommandId::new(&request.id).map_err(|error| Problem::bad_request("bad-id", error.to_string()))?;
    let by_pin = async |proof: &Proof| match app
        .people
        .by_pin(caller.person.id, &proof.name, &proof.pin, &table)
        .await
    {
        Ok(staff) => Ok(staff),
        Err(problem) => Err(deny(&app, &caller, WHAT, problem).await),
    };
    let by = match &request.given_by {
        Some(proof) => by_pin(proof).await?,
        None => own,
    };
    let witness = match &request.witness {
        Some(proof) => Some(by_pin(proof).await?.person),
        None => None,
    };
    let chips = |asked: Vec<Pieces>| {
        let kinds = asked.into_iter().map(|Pieces { value, pieces }| (value, pieces)).collect();
        Chips::new(kinds).map_err(|why| Problem::refused("no-such-chip", why.to_string()))
    };
    let wanted = match request.order {
        TrayAsked::AskSlip { kind, chips: asked } => {
            Wanted::Order(TrayOrder::AskSlip { kind, chips: chips(asked)? })
        }
        TrayAsked::ApproveSlip { number } => Wanted::Order(TrayOrder::ApproveSlip { number }),
        TrayAsked::DeliverSlip { number } => {
            let detail = "whoever receives the chips witnesses it: send `witness` with their name and PIN";
            Wanted::Deliver(number, witness.ok_or_else(|| Problem::forbidden("witness-needed", detail))?)
        }
        TrayAsked::DropSlip { number, why } => Wanted::Order(TrayOrder::DropSlip { number, why }),
        TrayAsked::BeginCount { of, chips: asked } => Wanted::Begin(of, chips(asked)?),
        TrayAsked::SealCount { number, chips: asked } => Wanted::Seal(number, chips(asked)?),
        TrayAsked::ExplainCount { number, words } => Wanted::Order(TrayOrder::ExplainCount { number, words }),
        TrayAsked::SignCount { number } => Wanted::Sign(number),
        TrayAsked::DropCount { number, why } => Wanted::Order(TrayOrder::DropCount { number, why }),
    };
    let asked = trays::Asked { id: command, by: Actor::Staff(by), via: Some(caller.known_by(&app)), wanted };
    match app.trays.order(&app.floor, &table, asked).await {
        Ok(paper) => {
            let names = Names::of(&app, core::slice::from_ref(&paper));
            Ok(Answer(names.paper(&paper)))
        }
        Err(error) => {
            let problem = problem(&table, &error);
            Err(if problem.status == 403 { deny(&app, &caller, WHAT, problem).await } else { problem })
        }
    }
}

fn problem(table: &TableHandle, error: &TrayError) -> Problem {
    let book = &table.setup.rulebook;
    match error {
        TrayError::Refused(refusal) if refusal.is_denial() => {
            Problem::forbidden(refusal.code(), refusal.to_string()).citing(book, refusal.cites())
        }
        TrayError::Refused(refusal) => Problem::refused(refusal.code(), refusal.to_string()),
        TrayError::Table(refused) => Problem::of_refused(book, refused),
        TrayError::Floor(error) => Problem::of_floor(error),
    }
}
