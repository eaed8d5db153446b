//! What the odds lab says: exact odds of games, and of bets that are being designed.
//!
//! Counting takes processor time, so it happens on threads made for that, few at a time, and what was counted is
//! kept.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::State;
use axum::{Extension, Json as Answer};
use croupier_cards::Decks;
use croupier_journal::Hash;
use croupier_journal::shelf::Volume;
use croupier_lab::design::{self, DesignJson, Wanted};
use croupier_lab::report::{self, OddsJson, OddsSheet, Stock};
use croupier_lab::{RankCounts, decks};
use croupier_rules::setting::Setting;
use croupier_rules::{BetSheet, Family, Library, Rulebook};
use serde::Deserialize;
use tokio::sync::Semaphore;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{Text, faulty};
use crate::api::body::Query;
use crate::api::refusals::{Guarded, WithBody};
use crate::app::App;
use crate::people::{Caller, MaybeCaller};
use crate::problem::Problem;

/// Countings at the same time.
const AT_ONCE: usize = 2;
/// Sheets that are kept.
const KEPT: usize = 128;
/// The most bets of a sheet that is priced.
const BETS: usize = 40;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(par))
        .routes(routes!(price))
        .layer(Extension(Arc::new(Lab::default())))
}

type Key = (Hash, String, Option<u8>, String);

/// What was counted, and the right to count more.
struct Lab {
    turns: Arc<Semaphore>,
    kept: Mutex<VecDeque<(Key, Arc<OddsJson>)>>,
}

impl Default for Lab {
    fn default() -> Self {
        Self { turns: Arc::new(Semaphore::new(AT_ONCE)), kept: Mutex::default() }
    }
}

impl Lab {
    fn known(&self, key: &Key) -> Option<Arc<OddsJson>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(known, _)| known == key).map(|(_, sheet)| Arc::clone(sheet))
    }

    fn keep(&self, key: Key, sheet: &Arc<OddsJson>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back((key, Arc::clone(sheet)));
        if kept.len() > KEPT {
            kept.pop_front();
        }
    }

    /// Works on a thread of its own, when its turn has come.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        let turn = turn.map_err(|error| Problem::internal(&error))?;
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(turn);
            done
        });
        done.await.map_err(|error| Problem::internal(&error))?
    }
}

/// Which odds.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhichOdds {
    /// The game, such as `hoiana-baccarat/commission`.
    pub(crate) game: String,
    /// How many decks, 1 to 10; as many as the rulebook's default if neither they nor a shoe are named.
    #[param(minimum = 1, maximum = 10)]
    pub(crate) decks: Option<u8>,
    /// The cards left of each rank: 13 counts from ace to king. Only for who is signed in.
    pub(crate) shoe: Option<String>,
}

/// The exact odds of every bet of a game: the same sheet as `croupier odds --format json`.
#[utoipa::path(
    get, path = "/api/games/par", tag = "rulebooks", params(WhichOdds),
    responses(
        (status = 200, body = OddsJson), Guarded, (status = 400, body = Problem),
        (status = 404, body = Problem), (status = 422, body = Problem),
    ),
    security((), ("session" = []), ("token" = []))
)]
async fn par(
    State(app): State<Arc<App>>,
    Extension(lab): Extension<Arc<Lab>>,
    caller: MaybeCaller,
    Query(which): Query<WhichOdds>,
) -> Result<Answer<OddsJson>, Problem> {
    let no_game = || Problem::not_found(format!("there is no game `{}`", which.game));
    let volume = app.floor.volume(&which.game).ok_or_else(no_game)?;
    if which.shoe.is_some() && caller.0.is_none() {
        return Err(Problem::not_signed_in());
    }
    let stock = stock(&volume.rulebook, &which)?;
    let decks = stock.decks.map(Decks::number);
    let key = (volume.hash, which.game.clone(), decks, stock.counts.to_string());
    if let Some(sheet) = lab.known(&key) {
        return Ok(Answer(OddsJson::clone(&sheet)));
    }
    let sheet = lab.work(move || sheet(&volume, &which.game, stock)).await?;
    let sheet = Arc::new(sheet);
    lab.keep(key, &sheet);
    Ok(Answer(OddsJson::clone(&sheet)))
}

fn stock(rulebook: &Rulebook, which: &WhichOdds) -> Result<Stock, Problem> {
    if let Some(shoe) = &which.shoe {
        if which.decks.is_some() {
            return Err(Problem::refused("two-stocks", "name either `decks` or a `shoe`"));
        }
        let counts: RankCounts =
            shoe.parse().map_err(|error| Problem::refused("bad-shoe", format!("{error}")))?;
        return Ok(Stock { decks: None, counts, without: Vec::new() });
    }
    let decks = which.decks.map_or_else(|| decks::default_of(rulebook), Decks::new);
    let decks = decks.map_err(|error| Problem::refused("bad-decks", error.to_string()))?;
    dealt_from(rulebook.family, decks).map(Stock::of_decks)
}

fn sheet(volume: &Volume, game: &str, stock: Stock) -> Result<OddsJson, Problem> {
    let rulebook = &volume.rulebook;
    let game = rulebook.game(game).ok_or_else(|| Problem::not_found("the game is gone"))?;
    let decks = stock.decks.map(|decks| u32::from(decks.number()));
    let sheet = OddsSheet::new(rulebook, game, stock);
    let mut sheet = sheet.map_err(|error| Problem::refused("bad-shoe", error.to_string()))?;
    let spec = rulebook.setting(Setting::Decks);
    if let (Some(decks), Some((low, high))) = (decks, spec.and_then(|spec| spec.range))
        && !(low..=high).contains(&decks)
    {
        let cites = spec.map(|spec| spec.cites.as_slice()).unwrap_or_default();
        let ids: Vec<String> = cites.iter().map(|basis| rulebook.full_id(*basis)).collect();
        let cited = if ids.is_empty() { String::new() } else { format!(" ({})", ids.join(", ")) };
        sheet.notes.push(format!(
            "the rulebook allows {low} to {high} decks{cited}; {decks} is priced all the same"
        ));
    }
    Ok(report::json(&sheet))
}

/// How bets are priced.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct HowPriced {
    /// The numbers of decks, such as `6,8`; those usual for the family if not said.
    pub(crate) decks: Option<String>,
    /// Solve one line's pay for this edge, such as `5%`.
    pub(crate) edge: Option<String>,
    /// The line to solve, from 1; the first that wins if not said.
    #[param(minimum = 1)]
    pub(crate) line: Option<usize>,
}

/// Prices bets that stand in no rulebook yet, written in TOML as in one: the same as `croupier design --format json`.
#[utoipa::path(
    post, path = "/api/games/design", tag = "rulebooks", params(HowPriced),
    request_body(content = String, content_type = "text/plain"),
    responses(
        (status = 200, body = Vec<DesignJson>), Guarded, WithBody,
        (status = 422, body = Problem, description = "`parameters.faults` lists all faults with line and column"),
    ),
    security(("session" = []), ("token" = []))
)]
async fn price(
    State(app): State<Arc<App>>,
    Extension(lab): Extension<Arc<Lab>>,
    _caller: Caller,
    Query(how): Query<HowPriced>,
    Text(text): Text,
) -> Result<Answer<Vec<DesignJson>>, Problem> {
    let shelf = app.floor.shelf();
    let priced = lab.work(move || {
        let mut library = Library::default();
        for volume in shelf.current() {
            // What is on the shelf was read before.
            let _ = library.add(&volume.text);
        }
        let sheet = BetSheet::parse(&text, &library).map_err(|faults| faulty("the sheet", &faults))?;
        priced(&sheet, &how)
    });
    priced.await.map(Answer)
}

fn priced(sheet: &BetSheet, how: &HowPriced) -> Result<Vec<DesignJson>, Problem> {
    if sheet.bets.len() > BETS {
        let detail = format!("the sheet has {} bets; at most {BETS} are priced at once", sheet.bets.len());
        return Err(Problem::refused("too-many", detail));
    }
    let decks = decks(sheet.family, how.decks.as_deref())?;
    let line = match how.line {
        Some(0) => return Err(Problem::refused("bad-line", "lines are counted from 1")),
        line => line.map(|line| line - 1),
    };
    let wanted = match &how.edge {
        None => None,
        Some(text) => {
            let detail = || format!("`{text}` is not a percentage; write it as 5%, 2.5% or -1%");
            let edge = design::parse_percent(text).ok_or_else(|| Problem::refused("bad-edge", detail()))?;
            Some(Wanted { edge, line })
        }
    };
    let priced = design::price(sheet, &decks, wanted.as_ref())
        .map_err(|error| Problem::refused("bad-decks", error.to_string()))?;
    // A pay that cannot be found with any cards is a wrong question, not an answer.
    let solved = || priced.iter().filter_map(|priced| priced.solved.as_ref());
    if let Some(Err(error)) = solved().next()
        && solved().all(Result::is_err)
    {
        return Err(Problem::refused("unsolvable", error.to_string()));
    }
    Ok(design::json(&priced))
}

/// So many decks, if a game of the family can be dealt from them.
fn dealt_from(family: Family, decks: Decks) -> Result<Decks, Problem> {
    decks::check(family, decks).map_err(|error| Problem::refused("bad-decks", error.to_string()))?;
    Ok(decks)
}

fn decks(family: Family, named: Option<&str>) -> Result<Vec<Decks>, Problem> {
    let Some(named) = named else { return Ok(decks::of_design(family).to_vec()) };
    let mut decks = Vec::new();
    for part in named.split(',') {
        let number = part.trim().parse::<u8>().ok().and_then(|number| Decks::new(number).ok());
        let detail = || format!("`{part}` is not a number of decks; accepted: 1 to 10");
        let number = number.ok_or_else(|| Problem::refused("bad-decks", detail()))?;
        let number = dealt_from(family, number)?;
        if !decks.contains(&number) {
            decks.push(number);
        }
    }
    Ok(decks)
}
