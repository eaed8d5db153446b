//! Opening a table as another was, with its staff and its float; and what a table lacks before it can play.

use std::sync::Arc;

use axum::Json as Answer;
use axum::extract::State;
use axum::http::StatusCode;
use croupier_journal::deed::Dealing;
use croupier_rules::Amount;
use croupier_table::{Action, Actor, PersonId, Staff};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::body::{Json, Path};
use crate::api::refusals::{Guarded, WithBody};
use crate::api::tables::{Proof, TableSummary, find};
use crate::app::App;
use crate::clock;
use crate::people::{Caller, MaybeCaller, Right, deny};
use crate::problem::Problem;
use crate::table::{Said, TableHandle};
use crate::templates::{self, Template};

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(list, save))
        .routes(routes!(forget))
        .routes(routes!(open))
        .routes(routes!(ready))
}

/// The most that are kept by hand.
const MOST: usize = 200;

/// A table that can be opened again.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TemplateShown {
    /// Its id.
    pub(crate) id: String,
    /// Its name.
    pub(crate) name: String,
    /// It is what a table was closed with.
    pub(crate) is_close: bool,
    /// When it was saved, in milliseconds since 1970.
    pub(crate) at: u64,
    /// The name of the table.
    pub(crate) table: String,
    /// Its pit.
    pub(crate) pit: String,
    /// The game.
    pub(crate) game: String,
    /// The currency.
    pub(crate) currency: String,
    /// Digits after the point.
    pub(crate) decimals: u8,
    /// Who comes on duty.
    pub(crate) staff: Vec<TemplateStaff>,
    /// What is brought to the float.
    pub(crate) float: Option<Amount>,
}

/// Somebody who comes on duty with a template.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TemplateStaff {
    /// Who.
    pub(crate) person: u32,
    /// Their name.
    pub(crate) name: String,
    /// They are on duty now, and so can come.
    pub(crate) on_duty: bool,
}

impl TemplateShown {
    fn of(app: &App, template: &Template) -> Self {
        let names = app.people.nicknames(&template.staff);
        let staff = template.staff.iter().map(|person| TemplateStaff {
            person: *person,
            name: names.get(person).cloned().unwrap_or_else(|| person.to_string()),
            on_duty: app.people.get(*person).is_some_and(|person| person.on_duty && !person.disabled),
        });
        Self {
            id: template.id(),
            name: template.name.clone(),
            is_close: template.closed.is_some(),
            at: template.at,
            table: template.opened.name.clone(),
            pit: template.opened.pit.clone(),
            game: template.opened.opening.game.clone(),
            currency: template.opened.currency.clone(),
            decimals: template.opened.decimals,
            staff: staff.collect(),
            float: template.float,
        }
    }
}

/// The tables that can be opened again, the newest first: those saved by hand, and those that were closed by a count.
#[utoipa::path(
    get, path = "/api/templates", tag = "pit",
    responses((status = 200, body = Vec<TemplateShown>), Guarded),
    security(("session" = []), ("token" = []))
)]
async fn list(State(app): State<Arc<App>>, caller: Caller) -> Result<Answer<Vec<TemplateShown>>, Problem> {
    caller.may(&app, Right::OpenTables, "GET /api/templates").await?;
    let all = templates::all(&app.floor).await?;
    Ok(Answer(all.iter().map(|template| TemplateShown::of(&app, template)).collect()))
}

/// A table that is to be opened again.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SaveTemplate {
    /// As which table is: its settings, its staff, its float.
    pub(crate) table: u32,
    /// The name of the template.
    #[schema(min_length = 1, max_length = 60)]
    pub(crate) name: String,
}

/// Saves a table as it is, to open it again.
#[utoipa::path(
    post, path = "/api/templates", tag = "pit", request_body = SaveTemplate,
    responses(
        (status = 201, body = TemplateShown), Guarded, WithBody, (status = 404, body = Problem),
        (status = 422, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn save(
    State(app): State<Arc<App>>,
    caller: Caller,
    Json(request): Json<SaveTemplate>,
) -> Result<(StatusCode, Answer<TemplateShown>), Problem> {
    caller.may(&app, Right::OpenTables, "POST /api/templates").await?;
    let name = request.name.trim();
    if name.is_empty() || name.chars().count() > 60 || name.chars().any(char::is_control) {
        return Err(Problem::refused("bad-name", "a name has 1 to 60 characters"));
    }
    if templates::all(&app.floor).await?.iter().filter(|known| known.closed.is_none()).count() >= MOST {
        return Err(Problem::refused("too-many-templates", "there are 200 templates; let one go first"));
    }
    let table = find(&app, request.table)?;
    let shown = table.current().await;
    let desk = shown.views.dealer().desk;
    let template = Template {
        name: name.to_string(),
        closed: None,
        at: clock::now(),
        opened: (*table.opened).clone(),
        staff: desk.staff.iter().map(|staff| staff.person.0).collect(),
        float: Some(desk.float).filter(|float| float.is_positive()),
    };
    templates::keep(&app.floor, &template).await?;
    Ok((StatusCode::CREATED, Answer(TemplateShown::of(&app, &template))))
}

fn none(id: &str) -> Problem {
    Problem::not_found(format!("there is no template `{}`", id.chars().take(40).collect::<String>()))
}

/// Lets a template go.
#[utoipa::path(
    delete, path = "/api/templates/{template}", tag = "pit", params(("template" = String, Path)),
    responses((status = 204), Guarded, (status = 400, body = Problem), (status = 404, body = Problem)),
    security(("session" = []), ("token" = []))
)]
async fn forget(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    caller.may(&app, Right::OpenTables, "DELETE /api/templates/{template}").await?;
    let known = templates::one(&app.floor, &id).await?;
    known.ok_or_else(|| none(&id))?;
    templates::forget(&app.floor, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// How a template is opened.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpenTemplate {
    /// The name of the table, if it is to be another.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 60)]
    pub(crate) name: Option<String>,
    /// Who comes on duty, if others do.
    #[serde(default)]
    #[schema(max_items = 12)]
    pub(crate) staff: Option<Vec<u32>>,
    /// What is brought to the float, if it is something else.
    #[serde(default)]
    pub(crate) float: Option<Amount>,
    /// The second person who sees the float brought, by PIN; they come on duty too. Without one no float is brought.
    #[serde(default)]
    pub(crate) witness: Option<Proof>,
}

/// A table that was opened by a template.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct OpenedTable {
    /// The table.
    pub(crate) table: TableSummary,
    /// Who of the staff could not come on duty.
    pub(crate) absent: Vec<u32>,
    /// What it still lacks.
    pub(crate) missing: Vec<Missing>,
}

/// What a table lacks before it can play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Missing {
    /// There are no chips in the float.
    Float,
    /// Nobody is on duty there.
    Staff,
    /// There is nobody to witness: one person alone is on duty.
    Witness,
    /// Nobody on duty there has a PIN, so nobody can witness or rule at the console.
    Pin,
    /// There are no cards.
    Shoe,
}

async fn missing(app: &App, table: &TableHandle) -> Vec<Missing> {
    let shown = table.current().await;
    let desk = shown.views.dealer().desk;
    let by_hand = table.opened.dealer == Dealing::Staff;
    let has_pin = |staff: &Staff| app.people.get(staff.person.0).is_some_and(|person| person.pin.is_some());
    [
        (Missing::Float, !desk.float.is_positive()),
        (Missing::Staff, by_hand && desk.staff.is_empty()),
        (Missing::Witness, by_hand && desk.staff.len() == 1),
        (Missing::Pin, by_hand && !desk.staff.is_empty() && !desk.staff.iter().any(has_pin)),
        (Missing::Shoe, by_hand && (desk.needs_shoe || shown.views.public().felt.shoe.left == 0)),
    ]
    .into_iter()
    .filter_map(|(what, lacks)| lacks.then_some(what))
    .collect()
}

/// Opens a table by a template: the table, its staff and its float, with one request.
#[utoipa::path(
    post, path = "/api/templates/{template}/open", tag = "pit", params(("template" = String, Path)),
    request_body = OpenTemplate,
    responses(
        (status = 201, body = OpenedTable), Guarded, WithBody, (status = 404, body = Problem),
        (status = 422, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn open(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    Json(request): Json<OpenTemplate>,
) -> Result<(StatusCode, Answer<OpenedTable>), Problem> {
    const WHAT: &str = "POST /api/templates/{template}/open";
    caller.may(&app, Right::OpenTables, WHAT).await?;
    let template = templates::one(&app.floor, &id).await?.ok_or_else(|| none(&id))?;
    // Whoever mistypes the PIN has opened nothing.
    let witness = match &request.witness {
        None => None,
        Some(Proof { name, pin }) => match app.people.person_by_pin(caller.person.id, name, pin).await {
            Ok(person) => Some(person.id),
            Err(problem) => return Err(deny(&app, &caller, WHAT, problem).await),
        },
    };
    let mut opened = template.opened.clone();
    if let Some(name) = request.name {
        let name = name.trim().to_string();
        if name.is_empty() || name.chars().count() > 60 || name.chars().any(char::is_control) {
            return Err(Problem::refused("bad-name", "a name has 1 to 60 characters"));
        }
        opened.name = name;
    }
    let staff = request.staff.unwrap_or_else(|| template.staff.clone());
    let float = request.float.or(template.float).filter(|float| float.is_positive());
    let (work, asker) = (Arc::clone(&app), caller.clone());
    // On a task of its own: a client that goes away must not leave half of it.
    let opening = tokio::spawn(async move { furnish(&work, &asker, opened, staff, float, witness).await });
    let (table, absent) = opening.await.map_err(|error| Problem::internal(&error))??;
    let missing = missing(&app, &table).await;
    let table = TableSummary::of(&app, &table, &MaybeCaller(Some(caller)));
    Ok((StatusCode::CREATED, Answer(OpenedTable { table, absent, missing })))
}

/// Opens the table, brings its staff on duty and its float; who could not come.
async fn furnish(
    app: &Arc<App>,
    caller: &Caller,
    opened: croupier_journal::deed::OpenTable,
    staff: Vec<u32>,
    float: Option<Amount>,
    witness: Option<u32>,
) -> Result<(TableHandle, Vec<u32>), Problem> {
    let table = app.floor.open_table(caller.author(app), opened).await?;
    let own = caller.staff_at(app, &table);
    let said = Said { answers: None, via: Some(caller.known_by(app)) };
    let mut absent = Vec::new();
    let mut there: Vec<u32> = Vec::new();
    // Whoever brings the float, and who sees it, are on duty too.
    let bringing = float.is_some() && witness.is_some();
    let also = [own.map(|own| own.person.0), witness].into_iter().flatten().filter(|_| bringing);
    for person in staff.into_iter().chain(also) {
        if there.contains(&person) || absent.contains(&person) {
            continue;
        }
        let is_on_duty = app.people.get(person).is_some_and(|person| person.on_duty);
        let Some(staff) = app.people.staff_of(person, &table).filter(|_| is_on_duty) else {
            absent.push(person);
            continue;
        };
        let by = own.map_or(Actor::System, Actor::Staff);
        let signed = table.carry_out(None, by, Action::SignOn(staff), said).await;
        signed.map_err(|refused| Problem::of_refused(&table.setup.rulebook, &refused))?;
        there.push(person);
    }
    if let (Some(amount), Some(witness), Some(own)) = (float, witness, own) {
        let fill = Action::Fill { amount, witness: PersonId(witness) };
        let filled = table.carry_out(None, Actor::Staff(own), fill, said).await;
        filled.map_err(|refused| Problem::of_refused(&table.setup.rulebook, &refused))?;
    }
    Ok((table, absent))
}

/// What a table lacks.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Readiness {
    /// What; nothing if it can play. Onlookers are told only what concerns players.
    pub(crate) missing: Vec<Missing>,
}

/// What a table lacks before it can play: chips, people, cards.
#[utoipa::path(
    get, path = "/api/tables/{table}/ready", tag = "pit", params(("table" = u32, Path)),
    responses(
        (status = 200, body = Readiness), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem), (status = 429, body = Problem),
    ),
    security((), ("session" = []), ("token" = []))
)]
async fn ready(
    State(app): State<Arc<App>>,
    caller: MaybeCaller,
    Path(id): Path<u32>,
) -> Result<Answer<Readiness>, Problem> {
    let table = find(&app, id)?;
    let mut missing = missing(&app, &table).await;
    if caller.0.as_ref().and_then(|caller| caller.staff_at(&app, &table)).is_none() {
        missing.retain(|what| matches!(what, Missing::Float | Missing::Staff | Missing::Shoe));
    }
    Ok(Answer(Readiness { missing }))
}
