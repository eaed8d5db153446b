//! For surveillance: the feed of exceptions, a round step by step, ratings, alarms, what there is of one person, and
//! bookmarks.

mod bookmarks;
mod forms;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::Json as Answer;
use axum::extract::State;
use croupier_insight::{ExceptionKind, Rating, Subject};
use croupier_journal::By;
use croupier_ledger::{PlayerId, TableId};
use croupier_table::PersonId;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::body::{Path, Query};
use crate::api::history::{kept, limit};
use crate::api::refusals::Guarded;
use crate::api::tables;
use crate::app::App;
use crate::floor::FloorError;
use crate::people::{Caller, Right};
use crate::problem::Problem;
use crate::watch::{Found, Lines, Walk, story};
pub(crate) use forms::{
    AlarmList, CourseTold, ExceptionList, ExceptionTold, PersonTold, RatingList, RatingTold, RoundStory,
    StepTold,
};

/// The most entries of one answer.
const MOST: u32 = 200;
/// The most ratings of one answer.
const RATINGS: u32 = 1_000;

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(exceptions))
        .routes(routes!(round))
        .routes(routes!(ratings))
        .routes(routes!(alarms))
        .routes(routes!(person))
        .merge(bookmarks::routes())
}

/// Which exceptions.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhichExceptions {
    /// Only those before this one; the newest if not said.
    pub(crate) before: Option<u64>,
    /// How many, 1 to 200.
    #[param(minimum = 1, maximum = 200, default = 50)]
    pub(crate) limit: Option<u32>,
    /// Only of this table.
    pub(crate) table: Option<u32>,
    /// Only about this person: as a player, as who did it, or as who dealt.
    pub(crate) person: Option<u32>,
    /// Only of this kind.
    pub(crate) kind: Option<ExceptionKind>,
}

/// Reads what is new, as far as there is time for it.
async fn follow(app: &App) -> Result<(), Problem> {
    let read = app.watch.catch_up(&app.floor);
    // Whoever asks in the first minute of a large floor is told how far it has come.
    match tokio::time::timeout(core::time::Duration::from_secs(5), read).await {
        Ok(done) => done.map_err(|error| FloorError::from(error).into()),
        Err(_) => Ok(()),
    }
}

/// Whether somebody may read an exception now: what tells of a round in play is for surveillance.
struct Sight {
    watches: bool,
    open_from: BTreeMap<TableId, u64>,
}

impl Sight {
    fn of(app: &App, caller: &Caller) -> Self {
        let open = app.floor.tables().into_iter().map(|table| (table.id, table.open_from()));
        Self { watches: caller.now(app).has(Right::Watch), open_from: open.collect() }
    }

    fn sees(&self, found: &Found) -> bool {
        let noted = &found.noted;
        let is_open = |table| self.open_from.get(&table).is_some_and(|from| noted.sequence >= *from);
        self.watches || found.denied.is_some() || !noted.table.is_some_and(is_open)
    }
}

/// The number of whoever did something.
fn person_of(by: Option<By>) -> Option<u32> {
    match by? {
        By::Player(player) => Some(player.0),
        By::Staff(staff) => Some(staff.person.0),
        By::Person(person) => Some(person.0),
        By::Device | By::System | By::Surveillance | By::Display => None,
    }
}

/// Everybody whom an exception names.
fn people_of(found: &Found) -> impl Iterator<Item = u32> {
    let noted = &found.noted;
    let player = noted.exception.player.map(|player| player.0);
    [person_of(found.by), player, noted.person.map(|person| person.0)].into_iter().flatten()
}

/// Names by their numbers.
fn names(app: &App, people: BTreeSet<u32>) -> BTreeMap<u32, String> {
    app.people.nicknames(&people.into_iter().collect::<Vec<_>>())
}

/// What somebody should look at, of all tables, the newest first: since the last gaming day was closed.
#[utoipa::path(
    get, path = "/api/watch/exceptions", tag = "watch", params(WhichExceptions),
    responses((status = 200, body = ExceptionList), Guarded, (status = 400, body = Problem)),
    security(("session" = []), ("token" = []))
)]
async fn exceptions(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(which): Query<WhichExceptions>,
) -> Result<Answer<ExceptionList>, Problem> {
    caller.may_any(&app, &[Right::Watch, Right::Audit], "GET /api/watch/exceptions").await?;
    let limit = limit(which.limit, MOST)?;
    follow(&app).await?;
    let sight = Sight::of(&app, &caller);
    let before = which.before.unwrap_or(u64::MAX);
    let list = app.watch.look(|walk| {
        let fits = |found: &&Found| {
            let noted = &found.noted;
            sight.sees(found)
                && which.table.is_none_or(|table| noted.table == Some(TableId(table)))
                && which.person.is_none_or(|person| people_of(found).any(|one| one == person))
        };
        let mut list = ExceptionList { read_to: walk.position, ..ExceptionList::default() };
        for found in walk.feed.iter().filter(fits) {
            *list.counts.entry(found.noted.exception.kind.key().to_string()).or_default() += 1;
        }
        let of_kind = |found: &&Found| which.kind.is_none_or(|kind| found.noted.exception.kind == kind);
        let mut rest = walk.feed.iter().rev().filter(|found| found.id < before).filter(fits).filter(of_kind);
        let mut people = BTreeSet::new();
        for found in rest.by_ref().take(limit) {
            people.extend(people_of(found));
            list.exceptions.push(ExceptionTold::of(found, walk));
        }
        list.next = rest.next().and_then(|_| list.exceptions.last().map(|last| last.id));
        (list, people)
    });
    let (mut list, people) = list.unwrap_or_default();
    list.names = names(&app, people);
    list.behind = end(&app).saturating_sub(list.read_to);
    Ok(Answer(list))
}

/// The position of the last durable line.
fn end(app: &App) -> u64 {
    app.floor.shared.books.position()
}

/// A finished round step by step, with the cards that lay face down: what each line did, by whom, under which clauses,
/// and how the layout lay after it.
#[utoipa::path(
    get, path = "/api/watch/tables/{table}/rounds/{round}", tag = "watch",
    params(("table" = u32, Path), ("round" = u64, Path)),
    responses(
        (status = 200, body = RoundStory), Guarded, (status = 400, body = Problem), (status = 404, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn round(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path((id, number)): Path<(u32, u64)>,
) -> Result<Answer<RoundStory>, Problem> {
    let what = "GET /api/watch/tables/{table}/rounds/{round}";
    caller.may_any(&app, &[Right::Watch, Right::Audit], what).await?;
    let table = tables::find(&app, id)?;
    let (shelf, shared) = (app.floor.shelf(), Arc::clone(&app.floor.shared));
    let none = || Problem::not_found(format!("table {id} has no finished round {number}"));
    let found = app.floor.shared.readers.read(move |store| kept(store, TableId(id), number)).await?;
    let kept = found.ok_or_else(none)?;
    let lines = Lines { from: kept.from, to: kept.to };
    let asked = Arc::clone(&app);
    let read = move |store: &mut dyn croupier_journal::Store| {
        let name = |player: PlayerId| {
            let found = asked.people.nicknames(&[player.0]).remove(&player.0);
            found.unwrap_or_else(|| format!("p{player}"))
        };
        story(store, &shared.keys, &shelf, TableId(id), lines, &name)
    };
    let told = app.floor.shared.readers.read_slow(read).await?;
    let steps: Vec<StepTold> = told.steps.into_iter().map(StepTold::from).collect();
    let mut people: BTreeSet<u32> =
        crate::rounds::laid(&kept.felt).filter_map(crate::rounds::player_of).collect();
    people.extend(steps.iter().filter_map(|step| person_of(Some(step.who))));
    let names = names(&app, people);
    Ok(Answer(RoundStory {
        table: id,
        name: table.opened.name.clone(),
        currency: table.opened.currency.clone(),
        decimals: table.opened.decimals,
        round: number,
        shoe: kept.shoe,
        at: kept.at,
        mark: kept.mark,
        steps,
        names,
    }))
}

/// Which ratings.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhichRatings {
    /// Only of this player.
    pub(crate) player: Option<u32>,
    /// Only at this table.
    pub(crate) table: Option<u32>,
    /// How many, 1 to 1000.
    #[param(minimum = 1, maximum = 1000, default = 50)]
    pub(crate) limit: Option<u32>,
}

/// What players wagered in each session, what it was worth at the cards that were left in each round, and what came of
/// it: the newest first, since the last gaming day was closed.
#[utoipa::path(
    get, path = "/api/watch/ratings", tag = "watch", params(WhichRatings),
    responses((status = 200, body = RatingList), Guarded, (status = 400, body = Problem)),
    security(("session" = []), ("token" = []))
)]
async fn ratings(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(which): Query<WhichRatings>,
) -> Result<Answer<RatingList>, Problem> {
    let rights = [Right::Watch, Right::Audit, Right::OpenTables];
    caller.may_any(&app, &rights, "GET /api/watch/ratings").await?;
    let limit = limit(which.limit, RATINGS)?;
    follow(&app).await?;
    let fits = |rating: &&Rating| {
        which.player.is_none_or(|player| rating.player == PlayerId(player))
            && which.table.is_none_or(|table| rating.table == TableId(table))
    };
    let list = app.watch.look(|walk| {
        let mut found: Vec<&Rating> = walk.insight.ratings.all().filter(fits).collect();
        found.sort_by_key(|rating| core::cmp::Reverse((rating.to, rating.player, rating.table)));
        found.truncate(limit);
        found.into_iter().map(|rating| RatingTold::of(rating, walk)).collect::<Vec<_>>()
    });
    let ratings = list.unwrap_or_default();
    let names = names(&app, ratings.iter().map(|rating| rating.player).collect());
    Ok(Answer(RatingList { ratings, names }))
}

/// How unlikely the results of tables, dealers, players and bets are, and whose bets follow the shoe: those with the
/// most against luck first, since the last gaming day was closed.
#[utoipa::path(
    get, path = "/api/watch/alarms", tag = "watch",
    responses((status = 200, body = AlarmList), Guarded),
    security(("session" = []), ("token" = []))
)]
async fn alarms(State(app): State<Arc<App>>, caller: Caller) -> Result<Answer<AlarmList>, Problem> {
    caller.may_any(&app, &[Right::Watch, Right::Audit], "GET /api/watch/alarms").await?;
    follow(&app).await?;
    let mut list = app.watch.look(AlarmList::of).unwrap_or_default();
    let people = list.courses.iter().filter_map(|course| match course.subject {
        Subject::Player(player) => Some(player.0),
        Subject::Dealer(person) => Some(person.0),
        Subject::Table(_) | Subject::Bet { .. } => None,
    });
    let people = people.chain(list.following.iter().map(|following| following.player)).collect();
    list.names = names(&app, people);
    Ok(Answer(list))
}

/// What there is of one person since the last gaming day was closed: as a player, as a dealer, and the exceptions that
/// name them, beside those of everybody.
#[utoipa::path(
    get, path = "/api/watch/people/{person}", tag = "watch", params(("person" = u32, Path)),
    responses((status = 200, body = PersonTold), Guarded, (status = 400, body = Problem)),
    security(("session" = []), ("token" = []))
)]
async fn person(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<u32>,
) -> Result<Answer<PersonTold>, Problem> {
    caller.may_any(&app, &[Right::Watch, Right::Audit], "GET /api/watch/people/{person}").await?;
    follow(&app).await?;
    let sight = Sight::of(&app, &caller);
    let told = app.watch.look(|walk| about(walk, &sight, id));
    let mut told = told.unwrap_or_default();
    told.names = names(&app, BTreeSet::from([id]));
    Ok(Answer(told))
}

fn about(walk: &Walk, sight: &Sight, id: u32) -> PersonTold {
    let mut told = PersonTold::default();
    let courses = walk.insight.alarms.courses();
    let course = |subject: Subject| {
        courses.get_key_value(&subject).map(|(subject, course)| CourseTold::of(subject, course))
    };
    told.player = course(Subject::Player(PlayerId(id)));
    told.dealer = course(Subject::Dealer(PersonId(id)));
    let ratings = walk.insight.ratings.all().filter(|rating| rating.player == PlayerId(id));
    told.ratings = ratings.map(|rating| RatingTold::of(rating, walk)).collect();
    told.ratings.reverse();
    for found in walk.feed.iter().filter(|found| sight.sees(found)) {
        let kind = found.noted.exception.kind.key().to_string();
        if people_of(found).any(|one| one == id) {
            *told.counts.entry(kind.clone()).or_default() += 1;
        }
        *told.counts_of_all.entry(kind).or_default() += 1;
    }
    let all = courses.iter().filter(|(subject, _)| matches!(subject, Subject::Table(_)));
    told.rounds_of_all = all.map(|(_, course)| course.rounds).sum();
    told
}
