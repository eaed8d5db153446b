//! Tables: the lobby, what a table is, what it shows, and commands.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json as Answer;
use axum::extract::State;
use axum::http::StatusCode;
use croupier_journal::deed::{CardSource, Dealing, OpenTable};
use croupier_journal::{CommandId, Hash};
use croupier_ledger::TableId;
use croupier_rules::bet::Names;
use croupier_rules::{Amount, Basis, Bet, ClauseIndex, PayLine, Payoff, When};
use croupier_table::preview::Open;
use croupier_table::view::Bounds;
use croupier_table::{
    Action, Actor, Command, Consequences, Effects, Moment, Opening, PersonId, Phase, PlayerId, Staff,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::asked::AskedAction;
use crate::api::body::{Json, Path, Query};
use crate::api::refusals::{Guarded, WithBody};
use crate::api::settings;
use crate::api::shapes::AnyView;
use crate::app::App;
use crate::clock;
use crate::device;
use crate::floor::FloorError;
use crate::people::{As, Caller, MaybeCaller, Right, deny};
use crate::problem::Problem;
use crate::table::{Audience, Behalf, Previewed, Receipt, Said, TableHandle};

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(list, open))
        .routes(routes!(about))
        .routes(routes!(view))
        .routes(routes!(buy_in))
        .routes(routes!(command))
        .routes(routes!(preview))
}

/// The table, or the problem that there is none.
pub(crate) fn find(app: &App, id: u32) -> Result<TableHandle, Problem> {
    app.floor.table(TableId(id)).ok_or_else(|| Problem::not_found(format!("there is no table {id}")))
}

/// A table in the lobby.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TableSummary {
    /// Its id.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Its pit.
    pub pit: String,
    /// The game.
    pub game: String,
    /// The rulebook.
    pub rulebook: String,
    /// The hash of the rulebook's text: of the version that the table was opened with and keeps.
    pub rulebook_hash: String,
    /// The kind of game: `baccarat`, or `niu-niu` with its boxes.
    pub family: &'static str,
    /// The currency.
    pub currency: String,
    /// Digits after the point.
    pub decimals: u8,
    /// Who deals: `automatic` or `staff`.
    pub dealer: &'static str,
    /// Where the cards come from: `software` or `feed`.
    pub cards: &'static str,
    /// Where play stands.
    pub phase: Phase,
    /// The round in progress, or the last one.
    pub round: u64,
    /// The shoe.
    pub shoe: u32,
    /// Seats, or boxes.
    pub seats: u8,
    /// Who is at the table.
    pub players: usize,
    /// The lowest stake on any bet, where there is a limit.
    pub minimum: Option<Amount>,
    /// The highest stake on any bet, where there is a limit.
    pub maximum: Option<Amount>,
    /// The last line of its stream that is shown.
    pub sequence: u64,
    /// What whoever asks may open of it: `dealer`, `pit` or `surveillance`, as the views of it.
    pub consoles: Vec<Console>,
}

/// A view of a table for those who work there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Console {
    /// The Dealer's.
    Dealer,
    /// The pit's.
    Pit,
    /// That of surveillance.
    Surveillance,
}

impl Console {
    fn of(audience: Audience) -> Option<Self> {
        match audience {
            Audience::Public | Audience::Player(_) => None,
            Audience::Dealer => Some(Self::Dealer),
            Audience::Pit => Some(Self::Pit),
            Audience::Surveillance => Some(Self::Surveillance),
        }
    }
}

impl TableSummary {
    /// What the lobby shows of a table to whoever asks.
    #[must_use]
    pub fn of(app: &App, table: &TableHandle, caller: &MaybeCaller) -> Self {
        let shown = table.shown();
        let felt = shown.views.public().felt;
        let limits = || (0..table.setup.game().bets.len()).map(|bet| table.setup.terms.limit(bet));
        Self {
            id: table.id.0,
            name: table.opened.name.clone(),
            pit: table.opened.pit.clone(),
            game: table.opened.opening.game.clone(),
            rulebook: table.setup.rulebook.id.clone(),
            rulebook_hash: table.opened.rulebook.to_string(),
            family: table.setup.family().key(),
            currency: table.opened.currency.clone(),
            decimals: table.opened.decimals,
            dealer: match table.opened.dealer {
                Dealing::Automatic => "automatic",
                Dealing::Staff => "staff",
            },
            cards: match table.opened.cards {
                CardSource::Software => "software",
                CardSource::Feed => "feed",
            },
            phase: felt.phase,
            round: felt.round,
            shoe: felt.shoe.number,
            seats: table.setup.seats,
            players: felt.seats.len(),
            minimum: limits().filter_map(|limits| limits.minimum).min(),
            maximum: limits().filter_map(|limits| limits.maximum).max(),
            sequence: shown.sequence,
            consoles: caller.works_at(app, table).into_iter().filter_map(Console::of).collect(),
        }
    }
}

/// All tables.
#[utoipa::path(
    get, path = "/api/tables", tag = "tables",
    responses(
        (status = 200, body = Vec<TableSummary>), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 429, body = Problem),
    ),
    security((), ("session" = []), ("token" = []))
)]
async fn list(State(app): State<Arc<App>>, caller: MaybeCaller) -> Answer<Vec<TableSummary>> {
    Answer(app.floor.tables().iter().map(|table| TableSummary::of(&app, table, &caller)).collect())
}

/// What a new table is opened with.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTable {
    /// Its name.
    #[schema(min_length = 1, max_length = 60)]
    pub name: String,
    /// The pit it belongs to.
    #[schema(max_length = 60)]
    pub pit: String,
    /// The currency, such as `VND`.
    #[schema(min_length = 3, max_length = 3, pattern = "^[A-Z]{3}$")]
    pub currency: String,
    /// Digits after the point when amounts are shown.
    #[schema(maximum = 4)]
    pub decimals: u8,
    /// Whether the software deals, by itself and by the clock.
    pub automatic: bool,
    /// Whether the software shuffles; otherwise a device or staff report the cards.
    pub software_shoe: bool,
    /// The game and the settings.
    pub opening: Opening,
}

/// Opens a table.
#[utoipa::path(
    post, path = "/api/tables", tag = "tables", request_body = NewTable,
    responses(
        (status = 201, body = TableSummary), Guarded, WithBody,
        (status = 422, body = Problem, description = "`parameters.settings` lists all settings that do not fit"),
    ),
    security(("session" = []), ("token" = []))
)]
async fn open(
    State(app): State<Arc<App>>,
    caller: Caller,
    Json(new): Json<NewTable>,
) -> Result<(StatusCode, Answer<TableSummary>), Problem> {
    caller.may(&app, Right::OpenTables, "POST /api/tables").await?;
    let fits = |text: &str, most: usize| text.chars().count() <= most && !text.chars().any(char::is_control);
    if new.name.trim().is_empty() || !fits(&new.name, 60) || !fits(&new.pit, 60) {
        return Err(Problem::refused("bad-name", "a name has 1 to 60 characters, and a pit at most 60"));
    }
    if new.currency.len() != 3 || !new.currency.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return Err(Problem::refused("bad-currency", "a currency is three capital letters, such as VND"));
    }
    if new.decimals > 4 {
        return Err(Problem::refused("bad-decimals", "amounts have at most 4 digits after the point"));
    }
    if new.automatic && !new.software_shoe {
        return Err(Problem::refused("needs-shoe", "a table that deals by itself needs a software shoe"));
    }
    let opened = OpenTable {
        name: new.name,
        pit: new.pit,
        currency: new.currency,
        decimals: new.decimals,
        cards: if new.software_shoe { CardSource::Software } else { CardSource::Feed },
        dealer: if new.automatic { Dealing::Automatic } else { Dealing::Staff },
        rulebook: Hash::ZERO,
        opening: new.opening,
    };
    // On a task of its own: a client that goes away must not leave a line without its table.
    let by = caller.author(&app);
    let (floor, asked) = (Arc::clone(&app.floor), opened.clone());
    let opening = tokio::spawn(async move { floor.open_table(by, asked).await });
    let table = opening.await.map_err(|error| Problem::internal(&error))?.map_err(|error| {
        match (&error, app.floor.volume(&opened.opening.game)) {
            (FloorError::Settings(faults), Some(volume)) => {
                settings::problem(&volume.rulebook, &opened, faults)
            }
            _ => error.into(),
        }
    })?;
    Ok((StatusCode::CREATED, Answer(TableSummary::of(&app, &table, &MaybeCaller(Some(caller))))))
}

/// A bet of a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BetInfo {
    /// Its place on the menu, by which views name it; commands name it by its place or its id.
    pub bet: usize,
    /// Its id.
    pub id: String,
    /// Its name in each language.
    #[schema(value_type = BTreeMap<String, String>)]
    pub names: BTreeMap<&'static str, String>,
    /// The clause that it rests on.
    pub clause: Vec<String>,
    /// Its pay table, line by line.
    pub pays: Vec<PayInfo>,
    /// The lowest stake.
    pub minimum: Option<Amount>,
    /// The highest stake.
    pub maximum: Option<Amount>,
}

/// A line of a pay table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PayInfo {
    /// Which outcomes, in English words.
    pub when: String,
    /// Which outcomes.
    pub condition: When,
    /// `50:1`, `1:1 less 5%`, `push` or `lose`.
    pub pays: String,
    /// What it pays.
    pub payoff: Payoff,
    /// The clauses it rests on.
    pub clauses: Vec<String>,
}

impl PayInfo {
    /// The pay table of a bet.
    pub(crate) fn table(index: &ClauseIndex, bet: &Bet) -> Vec<Self> {
        let line = |line: &PayLine| Self {
            when: line.when.to_string(),
            condition: line.when.clone(),
            pays: line.payoff.to_string(),
            payoff: line.payoff,
            clauses: line.cites.iter().map(|basis| index.id(*basis).to_string()).collect(),
        };
        bet.pays.lines().iter().map(line).collect()
    }
}

/// What does not change about a table while it is open.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TableInfo {
    /// As in the lobby.
    pub summary: TableSummary,
    /// The bets on its menu.
    pub bets: Vec<BetInfo>,
    /// What it was opened with.
    pub opening: Opening,
    /// The smallest chip.
    pub chip: Amount,
    /// Decks in its shoe.
    pub decks: u8,
    /// The layout, where the rulebook has several.
    pub layout: Option<String>,
    /// Whether cards may be squeezed.
    pub squeeze: bool,
    /// Seconds for betting, for insurance and for options.
    pub seconds: [u32; 3],
    /// The ranks of its staff, lowest first.
    pub ranks: Vec<String>,
    /// The names of those at the table, by their ids.
    #[schema(value_type = BTreeMap<String, String>)]
    pub names: BTreeMap<u32, String>,
    /// The ids of what views and rounds of this table cite by place.
    pub cites: CitedIds,
}

/// The ids of clauses and readings: what is cited as `{"clause": 12}` is at place 12, from 0.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CitedIds {
    /// Of the clauses.
    pub clauses: Vec<String>,
    /// Of the readings.
    pub readings: Vec<String>,
}

impl CitedIds {
    fn of(index: &ClauseIndex) -> Self {
        Self {
            clauses: index.clauses().iter().map(|clause| clause.id.clone()).collect(),
            readings: index.readings().iter().map(|reading| reading.id.clone()).collect(),
        }
    }
}

/// A name in each language.
fn by_language(names: &Names) -> BTreeMap<&'static str, String> {
    [("en", &names.en), ("vi", &names.vi), ("zh", &names.zh)]
        .into_iter()
        .map(|(language, name)| (language, name.clone()))
        .collect()
}

/// What a table is.
#[utoipa::path(
    get, path = "/api/tables/{table}", tag = "tables", params(("table" = u32, Path)),
    responses(
        (status = 200, body = TableInfo), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem), (status = 429, body = Problem),
    ),
    security((), ("session" = []), ("token" = []))
)]
async fn about(
    State(app): State<Arc<App>>,
    caller: MaybeCaller,
    Path(id): Path<u32>,
) -> Result<Answer<TableInfo>, Problem> {
    let table = find(&app, id)?;
    let setup = &table.setup;
    let ids =
        |cites: &[Basis]| cites.iter().map(|basis| setup.rulebook.index.id(*basis).to_string()).collect();
    let bets = setup.game().bets.iter().enumerate().map(|(place, bet)| {
        let limits = setup.terms.limit(place);
        BetInfo {
            bet: place,
            id: bet.id.clone(),
            names: by_language(&bet.names),
            clause: ids(&bet.cites),
            pays: PayInfo::table(&setup.rulebook.index, bet),
            minimum: limits.minimum,
            maximum: limits.maximum,
        }
    });
    let seats: Vec<u32> = table.shown().views.public().felt.seats.iter().map(|seat| seat.player.0).collect();
    Ok(Answer(TableInfo {
        bets: bets.collect(),
        summary: TableSummary::of(&app, &table, &caller),
        opening: table.opened.opening.clone(),
        chip: setup.terms.chip,
        decks: setup.decks,
        layout: setup.layout().map(|layout| layout.id.clone()),
        squeeze: setup.squeeze,
        seconds: [setup.betting_seconds, setup.insurance_seconds, setup.option_seconds],
        ranks: setup.rulebook.ranks.iter().map(|rank| rank.id.clone()).collect(),
        names: app.people.nicknames(&seats),
        cites: CitedIds::of(&setup.rulebook.index),
    }))
}

/// Which view.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct WhichView {
    /// `public`, `player`, `dealer`, `pit` or `surveillance`; the fullest that is yours if not said.
    #[serde(rename = "as")]
    pub audience: Option<String>,
}

/// A table as an audience sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Shown {
    /// The audience.
    pub audience: &'static str,
    /// The last line of the table's stream that is in it.
    pub sequence: u64,
    /// When it was shown, in milliseconds since 1970.
    pub at: u64,
    /// When the clock that runs at the table runs out.
    pub deadline: Option<u64>,
    /// The moment of play that it shows: commands send it back as `answers`.
    pub moment: Moment,
    /// The view.
    #[schema(value_type = AnyView)]
    pub view: Value,
}

/// A table as you see it.
#[utoipa::path(
    get, path = "/api/tables/{table}/view", tag = "tables", params(("table" = u32, Path), WhichView),
    responses(
        (status = 200, body = Shown), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem), (status = 429, body = Problem),
    ),
    security((), ("session" = []), ("token" = []))
)]
async fn view(
    State(app): State<Arc<App>>,
    caller: MaybeCaller,
    Path(id): Path<u32>,
    Query(which): Query<WhichView>,
) -> Result<Answer<Shown>, Problem> {
    let table = find(&app, id)?;
    let audience = caller.audience_at(&app, &table, which.audience.as_deref()).await?;
    let shown = table.current().await;
    Ok(Answer(Shown {
        audience: audience.key(),
        sequence: shown.sequence,
        at: shown.at,
        deadline: shown.deadline,
        moment: shown.moment,
        view: Value::clone(&shown.view(audience)),
    }))
}

/// What a player may buy chips for.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BuyInOffer {
    /// What is in the wallet.
    pub wallet: i64,
    /// The chips that it buys at this table; nothing if it buys none, or the table takes none.
    pub chips: Option<Bounds>,
}

/// What you may buy chips for at a table, there or just coming to it.
#[utoipa::path(
    get, path = "/api/tables/{table}/buy-in", tag = "tables", params(("table" = u32, Path)),
    responses(
        (status = 200, body = BuyInOffer), Guarded, (status = 400, body = Problem),
        (status = 404, body = Problem), (status = 422, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn buy_in(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<u32>,
) -> Result<Answer<BuyInOffer>, Problem> {
    let table = find(&app, id)?;
    app.people.check_player(caller.person.id)?;
    let shown = table.current().await;
    let holds = app.floor.wallet(PlayerId(caller.person.id));
    let wallet = i64::try_from(holds).unwrap_or(i64::MAX);
    Ok(Answer(BuyInOffer { wallet, chips: shown.views.buy_in(holds) }))
}

/// A command for a table.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandRequest {
    /// Its id, made by whoever asks; a random UUID will do.
    #[schema(min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9_-]{1,64}$")]
    pub id: String,
    /// What. Bets are named by their place on the menu or by their id.
    #[schema(value_type = Action)]
    pub action: AskedAction,
    /// The moment of play that it answers: `moment` of the view that whoever asks had before them. Once that is
    /// over, the command is refused with `moment-over`. A command without it holds at whatever moment it arrives.
    #[serde(default)]
    pub answers: Option<Moment>,
    /// As who, where somebody may act as more than one.
    #[serde(rename = "as", default)]
    pub acting_as: Option<As>,
    /// Somebody who gives this command at your console, by PIN: somebody above, or the player whose act it is.
    #[serde(default)]
    pub given_by: Option<Proof>,
    /// The second person who sees it, by PIN, where one is asked for.
    #[serde(default)]
    pub witness: Option<Proof>,
}

/// Somebody who shows by a PIN that they are there.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// The name they sign in with.
    #[schema(max_length = 60)]
    pub name: String,
    /// The PIN.
    #[schema(max_length = 12)]
    pub pin: String,
}

/// Without the PIN.
impl core::fmt::Debug for Proof {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Proof").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A command that may be given: who, what, under which id.
#[derive(Clone, Debug)]
pub(crate) struct Ready {
    pub(crate) id: CommandId,
    pub(crate) actor: Actor,
    pub(crate) action: Action,
    pub(crate) said: Said,
}

/// Checks who asks and what only the server knows of people; the table decides the rest.
pub(crate) async fn ready(
    app: &App,
    caller: &Caller,
    table: &TableHandle,
    request: CommandRequest,
) -> Result<Ready, Problem> {
    let id =
        CommandId::new(&request.id).map_err(|error| Problem::bad_request("bad-id", error.to_string()))?;
    if device::is_reserved(&id) {
        return Err(Problem::bad_request("bad-id", "ids that begin with `device-` are for the shoe"));
    }
    let mut action = request.action.at(table)?;
    const WHAT: &str = "POST /api/tables/{table}/commands";
    // PINs are for the console of a table: nobody else may try them.
    if (request.given_by.is_some() || request.witness.is_some()) && caller.staff_at(app, table).is_none() {
        let problem =
            Problem::forbidden("no-console", "PINs are taken at the consoles of staff on duty only");
        return Err(deny(app, caller, WHAT, problem).await);
    }
    let actor = match &request.given_by {
        None => caller.actor_at(app, table, request.acting_as).await?,
        Some(Proof { name, pin }) => {
            let acting_as = request.acting_as;
            match app.people.actor_by_pin(caller.person.id, name, pin, table, acting_as).await {
                Ok(actor) => actor,
                Err(problem) => return Err(deny(app, caller, WHAT, problem).await),
            }
        }
    };
    if let Some(problem) = not_oneself(app, caller, table, &request, (actor, &action)).await {
        return Err(deny(app, caller, WHAT, problem).await);
    }
    let witness = match &request.witness {
        None => None,
        Some(proof) => match app.people.by_pin(caller.person.id, &proof.name, &proof.pin, table).await {
            Ok(staff) => Some(staff),
            Err(problem) => return Err(deny(app, caller, WHAT, problem).await),
        },
    };
    match prove(app, table, &mut action, witness) {
        Ok(()) => {
            let said = Said { answers: request.answers, via: Some(caller.known_by(app)) };
            Ok(Ready { id, actor, action, said })
        }
        Err(problem) if problem.status == 403 => Err(deny(app, caller, WHAT, problem).await),
        Err(problem) => Err(problem),
    }
}

/// Why a player's own act is not theirs after all: a program that somebody else made spends nothing, and a PIN is
/// taken where staff of the table see who gives it.
async fn not_oneself(
    app: &App,
    caller: &Caller,
    table: &TableHandle,
    request: &CommandRequest,
    (actor, action): (Actor, &Action),
) -> Option<Problem> {
    let Actor::Player(_) = actor else { return None };
    if request.given_by.is_some() {
        let shown = table.current().await;
        let mut staff = shown.views.dealer().desk.staff.iter();
        return match staff.any(|staff| staff.person == PersonId(caller.person.id)) {
            true => None,
            false => Some(Problem::forbidden(Behalf::NotSignedOn.code(), Behalf::NotSignedOn.to_string())),
        };
    }
    let is_own = action.spends().is_none() || caller.is_oneself(app);
    let detail = "only the player moves the wallet and gives tips: this token was made by somebody else";
    (!is_own).then(|| Problem::forbidden(Behalf::PlayersOwn.code(), detail))
}

/// Puts in what was proved: the witness, and the rank of who comes on duty; and refuses players who may not play.
fn prove(app: &App, table: &TableHandle, action: &mut Action, proved: Option<Staff>) -> Result<(), Problem> {
    match action {
        Action::Fill { witness, .. }
        | Action::Credit { witness, .. }
        | Action::CountDrop { witness }
        | Action::CloseTable { witness, .. }
        | Action::Sorted { witness, .. } => match proved {
            Some(staff) => *witness = staff.person,
            None => {
                let detail =
                    "a second person on duty must witness this: send `witness` with their name and PIN";
                return Err(Problem::forbidden("witness-needed", detail));
            }
        },
        // A second person is there by a PIN, whatever the command says of one.
        Action::Correct { because: Some(because), .. }
        | Action::CorrectHand { because: Some(because), .. } => {
            because.witness = proved;
        }
        // The case itself decides on it, and its corrections reach the wallet through the cage.
        Action::PostCorrection { .. } => {
            return Err(Problem::refused("through-cage", "corrections of a dispute go through the cage"));
        }
        Action::SignOn(staff) => {
            let known = app.people.staff_of(staff.person.0, table);
            let detail = "that person has no rank at this table";
            *staff = known.ok_or_else(|| Problem::refused("no-rank", detail))?;
            if !app.people.get(staff.person.0).is_some_and(|person| person.on_duty) {
                return Err(Problem::refused("off-duty", "that person is off duty"));
            }
        }
        _ => {}
    }
    // Whoever lays it for them: somebody excluded does not play.
    match action.plays() {
        Some(PlayerId(player)) => app.people.check_player(player),
        None => Ok(()),
    }
}

/// A command whose consequences are asked for.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PreviewRequest {
    /// What; without it only what is open at the table is told.
    #[serde(default)]
    #[schema(value_type = Option<Action>)]
    pub action: Option<AskedAction>,
    /// As who, where somebody may act as more than one.
    #[serde(rename = "as", default)]
    pub acting_as: Option<As>,
}

/// What a command would lead to. Nothing has happened.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Preview {
    /// Why the command cannot be.
    pub refused: Option<Problem>,
    /// What happens at once.
    pub at_once: Option<Effects>,
    /// What is open at the table then, or as it stands if no command was asked about.
    #[serde(flatten)]
    pub open: Open,
}

/// What a report, a ruling or the settlement of a round would lead to, before it is given: for staff of the table.
/// Nothing happens, and nothing is told of a closed card.
#[utoipa::path(
    post, path = "/api/tables/{table}/preview", tag = "tables", params(("table" = u32, Path)),
    request_body = PreviewRequest,
    responses(
        (status = 200, body = Preview, description = "What would happen"), Guarded, WithBody,
        (status = 404, body = Problem), (status = 422, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn preview(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<u32>,
    Json(request): Json<PreviewRequest>,
) -> Result<Answer<Preview>, Problem> {
    let table = find(&app, id)?;
    if caller.staff_at(&app, &table).is_none() {
        let problem = Problem::forbidden("not-staff", "what would happen is told to staff of the table");
        return Err(deny(&app, &caller, "POST /api/tables/{table}/preview", problem).await);
    }
    let command = match &request.action {
        None => None,
        Some(action) => {
            let actor = caller.actor_at(&app, &table, request.acting_as).await?;
            Some(Command { actor, at: clock::now() / 1_000, action: action.at(&table)? })
        }
    };
    // Whoever was answered sees what they did.
    table.current().await;
    let Some(Previewed { told, open }) = table.preview(command).await else {
        return Err(Problem::unavailable("stopping", "the server is stopping; try again in a moment"));
    };
    let rulebook = &table.setup.rulebook;
    let answer = match told {
        None => Preview { refused: None, at_once: None, open },
        Some(Err(refusal)) => return Err(Problem::of_refusal(rulebook, &refusal)),
        Some(Ok(Consequences { at_once: Ok(effects), open })) => {
            Preview { refused: None, at_once: Some(effects), open }
        }
        Some(Ok(Consequences { at_once: Err(refusal), open })) => {
            Preview { refused: Some(Problem::of_refusal(rulebook, &refusal)), at_once: None, open }
        }
    };
    Ok(Answer(answer))
}

/// Asks something of a table. The answer means that it is durable.
#[utoipa::path(
    post, path = "/api/tables/{table}/commands", tag = "tables", params(("table" = u32, Path)),
    request_body = CommandRequest,
    responses(
        (status = 200, body = Receipt, description = "Carried out, and durable"), Guarded, WithBody,
        (status = 404, body = Problem), (status = 409, body = Problem), (status = 422, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn command(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<u32>,
    Json(request): Json<CommandRequest>,
) -> Result<Answer<Receipt>, Problem> {
    let table = find(&app, id)?;
    let Ready { id, actor, action, said } = ready(&app, &caller, &table, request).await?;
    let done = table.carry_out(Some(id), actor, action, said).await;
    done.map(Answer).map_err(|refused| Problem::of_refused(&table.setup.rulebook, &refused))
}
