//! The cage: money that comes to the floor or leaves it, and the wallets it goes through.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json as Answer};
use croupier_journal::deed::CageMove;
use croupier_journal::store::Flow;
use croupier_journal::{By, CommandId, Deed, Row, Select, Store, StoreError, Stream};
use croupier_ledger::{Account, Amount, Ledger, Memo, PlayerId, TableId};
use croupier_table::PersonId;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::body::{Json, Path, Query};
use crate::api::history::limit;
use crate::api::refusals::{Guarded, WithBody};
use crate::api::tables::Proof;
use crate::app::App;
use crate::clock;
use crate::floor::{AtCage, FloorError};
use crate::people::{Caller, Person, Right, deny};
use crate::problem::Problem;

/// The longest note, in characters.
const NOTE: usize = 200;
/// The most changes of one answer.
const MOST: u32 = 200;

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(totals))
        .routes(routes!(wallet))
        .routes(routes!(changes))
        .routes(routes!(deposit))
        .routes(routes!(withdraw))
        .layer(Extension(Arc::new(Counter::default())))
}

/// One move at a time: a retry always finds what became of the first try.
#[derive(Default)]
struct Counter(Arc<Mutex<()>>);

/// Where the money of the floor is, in minor units.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub(crate) struct CageTotals {
    /// What the cage holds for everybody inside: all other figures together.
    pub(crate) inside: i64,
    /// In wallets.
    pub(crate) wallets: i64,
    /// In front of players, wagers included.
    pub(crate) chips: i64,
    /// In the trays of the tables.
    pub(crate) floats: i64,
    /// In the drop boxes.
    pub(crate) drop: i64,
    /// In tips.
    pub(crate) tips: i64,
    /// Set aside for disputes.
    pub(crate) held: i64,
    /// The tables, in the order of their ids.
    pub(crate) tables: Vec<CageTable>,
}

/// The money at a table, in minor units.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub(crate) struct CageTable {
    /// Which.
    pub(crate) table: u32,
    /// In the tray.
    pub(crate) float: i64,
    /// In front of players, wagers included.
    pub(crate) chips: i64,
    /// In the drop box.
    pub(crate) drop: i64,
    /// In tips.
    pub(crate) tips: i64,
    /// What the house won since the table was opened; below zero if it lost.
    pub(crate) win: i64,
    /// Commission in it.
    pub(crate) commission: i64,
}

impl CageTotals {
    fn of(ledger: &Ledger) -> Self {
        let minor = |sum: i128| i64::try_from(sum).unwrap_or(i64::MAX);
        let mut totals = Self::default();
        let mut tables: BTreeMap<u32, CageTable> = BTreeMap::new();
        for (account, balance) in ledger.accounts() {
            let sum = minor(balance.posted);
            match account {
                Account::Cage => totals.inside = minor(-balance.posted),
                Account::Wallet(_) => totals.wallets += sum,
                Account::Chips { table: id, .. }
                | Account::Bet { table: id, .. }
                | Account::Reserve { table: id, .. } => {
                    totals.chips += sum;
                    at(&mut tables, id).chips += sum;
                }
                Account::Float(id) => {
                    totals.floats += sum;
                    at(&mut tables, id).float += sum;
                }
                Account::Drop(id) => {
                    totals.drop += sum;
                    at(&mut tables, id).drop += sum;
                }
                Account::Tips(id) => {
                    totals.tips += sum;
                    at(&mut tables, id).tips += sum;
                }
                Account::Hold(_) => totals.held += sum,
            }
        }
        for (id, table) in &mut tables {
            table.win = minor(ledger.tally(Memo::Win(TableId(*id))).net());
            table.commission = minor(ledger.tally(Memo::Commission(TableId(*id))).net());
        }
        totals.tables = tables.into_values().collect();
        totals
    }
}

fn at(tables: &mut BTreeMap<u32, CageTable>, id: TableId) -> &mut CageTable {
    tables.entry(id.0).or_insert(CageTable { table: id.0, ..CageTable::default() })
}

/// Where the money of the floor is.
#[utoipa::path(
    get, path = "/api/cage", tag = "cage",
    responses((status = 200, body = CageTotals), Guarded),
    security(("session" = []), ("token" = []))
)]
async fn totals(State(app): State<Arc<App>>, caller: Caller) -> Result<Answer<CageTotals>, Problem> {
    caller.may_any(&app, &[Right::Cage, Right::Audit], "GET /api/cage").await?;
    let totals = app.floor.shared.books.ask(|bank| CageTotals::of(&bank.ledger)).await;
    Ok(Answer(totals.map_err(FloorError::from)?))
}

/// A player's wallet.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Wallet {
    /// Whose.
    pub(crate) player: u32,
    /// What is in it, in minor units.
    pub(crate) balance: i64,
    /// The chips at tables, wagers included, by the ids of the tables.
    #[schema(value_type = BTreeMap<String, i64>)]
    pub(crate) chips: BTreeMap<u32, i64>,
}

/// The player, for who may see the wallet: the player, the cage and auditors.
async fn whose(app: &App, caller: &Caller, id: u32, what: &str) -> Result<Arc<Person>, Problem> {
    if caller.person.id != id {
        caller.may_any(app, &[Right::Cage, Right::Audit], what).await?;
    }
    app.people.get(id).ok_or_else(|| Problem::not_found(format!("there is no player {id}")))
}

/// What a player has.
#[utoipa::path(
    get, path = "/api/players/{player}/wallet", tag = "cage", params(("player" = u32, Path)),
    responses(
        (status = 200, body = Wallet), Guarded, (status = 400, body = Problem),
        (status = 404, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn wallet(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<u32>,
) -> Result<Answer<Wallet>, Problem> {
    let person = whose(&app, &caller, id, "GET /api/players/{player}/wallet").await?;
    let player = PlayerId(person.id);
    let minor = |sum: i128| i64::try_from(sum).unwrap_or(i64::MAX);
    let tables: Vec<TableId> = app.floor.tables().into_iter().map(|table| table.id).collect();
    let wallet = app.floor.shared.books.ask(move |bank| {
        let at = |table: TableId| minor(bank.ledger.balance(Account::Chips { table, player }).posted);
        let chips = tables.into_iter().map(|table| (table.0, at(table)));
        Wallet {
            player: player.0,
            balance: minor(bank.ledger.available(Account::Wallet(player))),
            chips: chips.filter(|(_, chips)| *chips != 0).collect(),
        }
    });
    Ok(Answer(wallet.await.map_err(FloorError::from)?))
}

/// Which changes.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangePage {
    /// Only changes before this line; the newest if not said.
    pub(crate) before: Option<u64>,
    /// How many, 1 to 200.
    #[param(minimum = 1, maximum = 200, default = 50)]
    pub(crate) limit: Option<u32>,
}

/// A change of a wallet.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct WalletMoved {
    /// Its line in the stream of the player.
    pub(crate) sequence: u64,
    /// When, in milliseconds since 1970.
    pub(crate) at: u64,
    /// The stream that records why: `cage`, `table/3`, `case/12`.
    pub(crate) stream: String,
    /// The line there.
    pub(crate) line: u64,
    /// What came in, in minor units; below zero if it went out.
    pub(crate) change: i64,
}

/// Changes of a wallet, the newest first.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct WalletHistory {
    /// The changes.
    pub(crate) changes: Vec<WalletMoved>,
    /// What to send as `before` for those that came before; nothing if there are none.
    pub(crate) next: Option<u64>,
}

/// What changed a wallet, the newest first.
#[utoipa::path(
    get, path = "/api/players/{player}/wallet/history", tag = "cage",
    params(("player" = u32, Path), ChangePage),
    responses(
        (status = 200, body = WalletHistory), Guarded, (status = 400, body = Problem),
        (status = 404, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn changes(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<u32>,
    Query(page): Query<ChangePage>,
) -> Result<Answer<WalletHistory>, Problem> {
    let person = whose(&app, &caller, id, "GET /api/players/{player}/wallet/history").await?;
    let most = limit(page.limit, MOST)?;
    let stream = Stream::Player(PlayerId(person.id));
    let end = app.floor.shared.till.hold(|till| till.next(stream));
    let before = page.before.unwrap_or(u64::MAX).min(end);
    let from = before.saturating_sub(u64::try_from(most).unwrap_or(1)).max(1);
    let read = app.floor.shared.readers.read(move |store| {
        let mut rows = Vec::new();
        store.rows(Select::Stream(stream, from), &mut |_, row| {
            if row.sequence >= before {
                return Flow::Break(());
            }
            rows.push(row);
            Flow::Continue(())
        })?;
        rows.iter().rev().map(moved).collect::<Result<Vec<_>, _>>()
    });
    let changes = read.await?.into_iter().flatten().collect();
    Ok(Answer(WalletHistory { changes, next: (from > 1).then_some(from) }))
}

fn moved(row: &Row) -> Result<Option<WalletMoved>, StoreError> {
    let damaged =
        |error: serde_json::Error| StoreError::Database(format!("{} {}: {error}", row.stream, row.sequence));
    let record = row.record().map_err(damaged)?;
    let Deed::Wallet(told) = record.deed else { return Ok(None) };
    Ok(Some(WalletMoved {
        sequence: row.sequence,
        at: record.at,
        stream: told.stream.to_string(),
        line: told.sequence,
        change: told.change,
    }))
}

/// Money over the counter.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CageRequest {
    /// The id of the command, made by whoever asks; a random UUID will do.
    #[schema(min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9_-]{1,64}$")]
    pub(crate) id: String,
    /// Whose wallet.
    pub(crate) player: u32,
    /// How much, in minor units.
    #[schema(minimum = 1)]
    pub(crate) amount: Amount,
    /// A receipt or a note; it goes into the journal, so it names nobody.
    #[serde(default)]
    #[schema(max_length = 200)]
    pub(crate) note: String,
    /// The second person who agrees, by PIN, where one is asked for.
    #[serde(default)]
    pub(crate) witness: Option<Proof>,
}

/// That money was moved, and is durable.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CageReceipt {
    /// The line in the stream of the cage.
    pub(crate) sequence: u64,
    /// What is in the wallet now, in minor units.
    pub(crate) balance: i64,
}

/// Puts money into a wallet.
#[utoipa::path(
    post, path = "/api/cage/deposits", tag = "cage", request_body = CageRequest,
    responses(
        (status = 200, body = CageReceipt), Guarded, WithBody, (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 422, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn deposit(
    State(app): State<Arc<App>>,
    Extension(counter): Extension<Arc<Counter>>,
    caller: Caller,
    Json(request): Json<CageRequest>,
) -> Result<Answer<CageReceipt>, Problem> {
    caller.may(&app, Right::Cage, "POST /api/cage/deposits").await?;
    app.people.check_player(request.player)?;
    over_the_counter(&app, &counter, &caller, request, true).await
}

/// Pays money out of a wallet. Players who may not play any more may still have what is theirs.
#[utoipa::path(
    post, path = "/api/cage/withdrawals", tag = "cage", request_body = CageRequest,
    responses(
        (status = 200, body = CageReceipt), Guarded, WithBody, (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 422, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn withdraw(
    State(app): State<Arc<App>>,
    Extension(counter): Extension<Arc<Counter>>,
    caller: Caller,
    Json(request): Json<CageRequest>,
) -> Result<Answer<CageReceipt>, Problem> {
    caller.may(&app, Right::Cage, "POST /api/cage/withdrawals").await?;
    if app.people.get(request.player).is_none() {
        return Err(Problem::not_found(format!("there is no player {}", request.player)));
    }
    over_the_counter(&app, &counter, &caller, request, false).await
}

async fn over_the_counter(
    app: &Arc<App>,
    counter: &Counter,
    caller: &Caller,
    request: CageRequest,
    comes_in: bool,
) -> Result<Answer<CageReceipt>, Problem> {
    let id =
        CommandId::new(&request.id).map_err(|error| Problem::bad_request("bad-id", error.to_string()))?;
    if request.amount.is_zero() {
        return Err(Problem::refused("bad-amount", "name an amount above zero"));
    }
    if request.note.chars().count() > NOTE || request.note.chars().any(char::is_control) {
        return Err(Problem::refused("bad-note", format!("a note is one line of at most {NOTE} characters")));
    }
    let what = if comes_in { "POST /api/cage/deposits" } else { "POST /api/cage/withdrawals" };
    if request.player == caller.person.id {
        let problem = Problem::forbidden("own-wallet", "somebody else of the cage serves your own wallet");
        return Err(deny(app, caller, what, problem).await);
    }
    let witness = witness(app, caller, &request, what).await?;
    let player = PlayerId(request.player);
    // From here on one at a time, so that two moves do not each take the other for not there.
    let turn = Arc::clone(&counter.0).lock_owned().await;
    if witness.is_none()
        && let Some(problem) = needs_witness(app, &id, &request, comes_in).await?
    {
        drop(turn);
        return Err(deny(app, caller, what, problem).await);
    }
    let moved = CageMove { player, amount: request.amount, witness, note: request.note };
    let asked = AtCage { id, by: caller.author(app), moved, comes_in };
    let floor = Arc::clone(&app.floor);
    // It is carried to its end even if the client goes away.
    let done = tokio::spawn(async move {
        let _one_at_a_time = turn;
        floor.at_cage(asked).await
    });
    let sequence = done.await.map_err(|error| Problem::internal(&error))??;
    let balance = i64::try_from(app.floor.wallet(player)).unwrap_or(i64::MAX);
    Ok(Answer(CageReceipt { sequence, balance }))
}

/// The second person, where the amount asks for one.
async fn witness(
    app: &App,
    caller: &Caller,
    request: &CageRequest,
    what: &str,
) -> Result<Option<PersonId>, Problem> {
    let Some(proof) = &request.witness else { return Ok(None) };
    let person = match app.people.person_by_pin(caller.person.id, &proof.name, &proof.pin).await {
        Ok(person) => person,
        Err(problem) => return Err(deny(app, caller, what, problem).await),
    };
    let is_of_cage = person.has(Right::Cage) && person.on_duty;
    if person.id == caller.person.id || person.id == request.player || !is_of_cage {
        let detail = "the witness is another person of the cage, on duty";
        return Err(deny(app, caller, what, Problem::forbidden("witness-needed", detail)).await);
    }
    Ok(Some(PersonId(person.id)))
}

/// Why a move needs a second person, if it does: what nobody saw of a player's money in one direction adds up to too
/// much. A move that is only told again needs nobody.
async fn needs_witness(
    app: &App,
    id: &CommandId,
    request: &CageRequest,
    comes_in: bool,
) -> Result<Option<Problem>, Problem> {
    let Some(from) = app.config.four_eyes_from else { return Ok(None) };
    let (id, player) = (id.clone(), PlayerId(request.player));
    let since = clock::now().saturating_sub(u64::from(app.config.four_eyes_hours) * 3_600_000);
    let end = app.floor.shared.till.hold(|till| till.next(Stream::Player(player)));
    let read = app.floor.shared.readers.read(move |store| {
        let is_known = store.find(Stream::Cage, &id)?.is_some();
        if is_known { Ok(None) } else { unseen(store, player, comes_in, since, end).map(Some) }
    });
    let Some(unseen) = read.await? else { return Ok(None) };
    let sum = unseen.saturating_add(request.amount.minor());
    if sum < from {
        return Ok(None);
    }
    let detail = format!(
        "with this, {sum} would have gone over the counter within {} hours without a second person: send `witness` \
         with the name and PIN of another cashier",
        app.config.four_eyes_hours
    );
    Ok(Some(Problem::forbidden("witness-needed", detail).with("from", from).with("sum", sum)))
}

/// What went over the counter for a player in one direction since some time, and nobody witnessed. The lines of the
/// player are read from the newest back, a page at a time, so that it costs what happened since and not what ever did.
fn unseen(
    store: &mut dyn Store,
    player: PlayerId,
    comes_in: bool,
    since: u64,
    end: u64,
) -> Result<i64, StoreError> {
    const PAGE: u64 = 100;
    let damaged = |error: serde_json::Error| StoreError::Database(format!("player/{player}: {error}"));
    let (mut sum, mut before) = (0_i64, end);
    while before > 1 {
        let from = before.saturating_sub(PAGE).max(1);
        let rows = lines(store, Stream::Player(player), from..before)?;
        for row in rows.iter().rev() {
            let record = row.record().map_err(damaged)?;
            if record.at < since {
                return Ok(sum);
            }
            let Deed::Wallet(told) = record.deed else { continue };
            let by_person = matches!(record.by, By::Person(_));
            if told.stream != Stream::Cage || !by_person || (told.change > 0) != comes_in {
                continue;
            }
            let at_cage = lines(store, Stream::Cage, told.sequence..told.sequence + 1)?;
            let deed =
                at_cage.first().map(|row| row.record().map_err(damaged)).transpose()?.map(|line| line.deed);
            if let Some(Deed::Deposit(moved) | Deed::Withdraw(moved)) = deed
                && moved.witness.is_none()
            {
                sum = sum.saturating_add(moved.amount.minor());
            }
        }
        before = from;
    }
    Ok(sum)
}

/// Some lines of a stream.
fn lines(
    store: &mut dyn Store,
    stream: Stream,
    sequences: core::ops::Range<u64>,
) -> Result<Vec<Row>, StoreError> {
    let mut rows = Vec::new();
    store.rows(Select::Stream(stream, sequences.start), &mut |_, row| {
        if row.sequence >= sequences.end {
            return Flow::Break(());
        }
        rows.push(row);
        Flow::Continue(())
    })?;
    Ok(rows)
}
