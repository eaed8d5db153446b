//! Shoes that the software shuffled: the commitment, and what proves the cards against it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::State;
use axum::{Extension, Json as Answer};
use croupier_cards::Card;
use croupier_journal::deed::ShownCard;
use croupier_journal::store::Flow;
use croupier_journal::{Deed, Kind, Replayed, Select, Shelf, Store, StoreError, Stream};
use croupier_ledger::TableId;
use croupier_table::{Fact, Phase};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::find;
use super::seen::Seen;
use crate::api::body::Path;
use crate::api::refusals::Guarded;
use crate::api::tables;
use crate::app::App;
use crate::people::MaybeCaller;
use crate::problem::Problem;
use crate::table::TableHandle;

/// Shoes that are over and kept for the next who asks.
const KEPT: usize = 32;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(shoe)).layer(Extension(Arc::new(Watched::default())))
}

/// What is known of shoes, so that the journal is not read anew for everybody who asks.
#[derive(Default)]
struct Watched {
    in_play: Mutex<BTreeMap<TableId, Turn>>,
    over: Mutex<VecDeque<Arc<ShoeTold>>>,
}

/// Whose turn it is to read the stream of a table, with what was seen of it so far. Whoever comes meanwhile waits and
/// goes on from there, and does not read all of it too.
type Turn = Arc<tokio::sync::Mutex<Option<Seen>>>;

impl Watched {
    fn turn(&self, table: TableId) -> Turn {
        let mut in_play = self.in_play.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(in_play.entry(table).or_default())
    }

    fn told(&self, table: TableId, shoe: u32) -> Option<ShoeTold> {
        let over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
        over.iter().find(|told| (told.table, told.shoe) == (table.0, shoe)).map(|told| ShoeTold::clone(told))
    }

    fn keep(&self, told: ShoeTold) {
        let mut over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
        over.push_back(Arc::new(told));
        if over.len() > KEPT {
            over.pop_front();
        }
    }
}

/// A shoe with what proves its cards.
///
/// All hashes are SHA-256. A leaf is the hash of `00`, the position (4 bytes), the card (1 byte: 4 × rank + suit,
/// ranks A23456789TJQK and suits SHCD from 0) and the salt (32 bytes); a node that of `01`, left and right; the
/// commitment that of `02`, the number of cards (4 bytes) and the top. Levels join hashes two by two from the left;
/// a last one without a neighbour moves up unchanged.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub(crate) struct ShoeTold {
    /// At which table.
    pub(crate) table: u32,
    /// Which shoe of it.
    pub(crate) shoe: u32,
    /// The commitment to its order; nothing if the cards were not shuffled by the software.
    pub(crate) commitment: Option<String>,
    /// How many cards it has.
    pub(crate) cards: usize,
    /// How many of them lay above the cut: the first card drawn is at this position.
    pub(crate) above: usize,
    /// Whether no more cards come from it.
    pub(crate) is_over: bool,
    /// The cards that are shown: those that people have seen, and all of them once the shoe is over.
    pub(crate) openings: Vec<OpeningTold>,
}

/// A card with its position in the order committed to.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub(crate) struct OpeningTold {
    /// The position, from 0.
    pub(crate) position: usize,
    /// The card.
    pub(crate) card: Card,
    /// Its salt, as hexadecimal digits.
    pub(crate) salt: String,
    /// The neighbours on the way from the leaf to the top; left out where all cards are shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) path: Vec<String>,
}

/// A shoe: the commitment, the cut, and proofs of the cards that people have seen; all cards once it is over.
#[utoipa::path(
    get, path = "/api/tables/{table}/shoes/{shoe}", tag = "history",
    params(("table" = u32, Path), ("shoe" = u32, Path)),
    responses(
        (status = 200, body = ShoeTold), (status = 400, body = Problem), (status = 404, body = Problem),
        Guarded,
    ),
    security((), ("session" = []), ("token" = []))
)]
async fn shoe(
    State(app): State<Arc<App>>,
    _caller: MaybeCaller,
    Extension(watched): Extension<Arc<Watched>>,
    Path((id, shoe)): Path<(u32, u32)>,
) -> Result<Answer<ShoeTold>, Problem> {
    let table = tables::find(&app, id)?;
    let shown = table.shown();
    let felt = shown.views.public().felt;
    let current = felt.shoe.number;
    if shoe == 0 || shoe > current {
        return Err(Problem::not_found(format!("table {id} has had no shoe {shoe}")));
    }
    let is_over = shoe < current || felt.phase == Phase::ShoeEnd;
    if is_over && shoe + 1 >= current && lies_closed(felt) {
        // Cards of this shoe may lie closed on the layout: the rest of it would tell them.
        return Ok(Answer(ShoeTold { openings: Vec::new(), ..bare(&table, shoe, true) }));
    }
    if is_over {
        return Ok(Answer(over(&app, &watched, &table, shoe, shoe < current).await?));
    }
    let (told, places) = in_play(&app, &watched, &table, shoe).await?;
    let proofs = table.prove(shoe, places).await;
    let openings = proofs.iter().map(|proof| OpeningTold {
        position: proof.position,
        card: proof.card,
        salt: proof.salt.to_hex(),
        path: proof.path.iter().map(ToString::to_string).collect(),
    });
    Ok(Answer(ShoeTold { openings: openings.collect(), ..told }))
}

/// Whether a round is on the way in which cards lie.
fn lies_closed(felt: &croupier_table::view::Felt) -> bool {
    felt.closed.is_none()
        && !(felt.draws.is_empty()
            && felt.hands.is_empty()
            && felt.surplus.is_empty()
            && felt.together.is_empty())
}

/// A shoe of which nothing is shown.
fn bare(table: &TableHandle, shoe: u32, is_over: bool) -> ShoeTold {
    let cards = usize::from(table.setup.decks) * 52;
    ShoeTold { table: table.id.0, shoe, commitment: None, cards, above: 0, is_over, openings: Vec::new() }
}

/// What is told of the shoe in play, and the places of the cards that people have seen.
async fn in_play(
    app: &App,
    watched: &Watched,
    table: &TableHandle,
    shoe: u32,
) -> Result<(ShoeTold, Vec<usize>), Problem> {
    let (id, shelf, told) = (table.id, app.floor.shelf(), bare(table, shoe, false));
    let shared = Arc::clone(&app.floor.shared);
    let mut turn = watched.turn(id).lock_owned().await;
    let read = app.floor.shared.readers.read_slow(move |store| {
        let known = match turn.take() {
            Some(seen) => Some(seen),
            // From the shoe on, where its beginning was stored.
            None => find::stored(store, &shared.keys, &shelf, id, u64::MAX)?.map(Seen::new),
        };
        let seen = follow(store, &shelf, id, known)?;
        let (number, cards) = seen.shoe();
        let mut places = Vec::new();
        let mut told = told;
        // The table may have gone on to the next shoe meanwhile; then nothing is proved.
        if number == shoe {
            told.cards = cards;
            told.above = seen.above();
            told.commitment = seen.commitment().as_ref().map(hexadecimal);
            places = seen.places().unwrap_or_default();
        }
        *turn = Some(seen);
        Ok((told, places))
    });
    Ok(read.await?)
}

/// A table followed to the end of its stream.
fn follow(
    store: &mut dyn Store,
    shelf: &Shelf,
    id: TableId,
    known: Option<Seen>,
) -> Result<Seen, StoreError> {
    let mut seen = known;
    let from = seen.as_ref().map_or(1, |seen| seen.sequence() + 1);
    let mut fault = None;
    store.rows(Select::Stream(Stream::Table(id), from), &mut |_, row| {
        let followed = match &mut seen {
            None => Replayed::first(shelf, &row).map(|first| seen = Some(Seen::new(first))),
            Some(seen) => seen.follow(&row),
        };
        match followed {
            Ok(()) => Flow::Continue(()),
            Err(bad) => {
                fault = Some(bad);
                Flow::Break(())
            }
        }
    })?;
    match (seen, fault) {
        (Some(seen), None) => Ok(seen),
        (_, Some(bad)) => Err(StoreError::Database(bad.to_string())),
        (None, None) => Err(StoreError::Database(format!("table/{id} has no lines"))),
    }
}

/// A shoe that is over, with all its cards.
async fn over(
    app: &App,
    watched: &Arc<Watched>,
    table: &TableHandle,
    shoe: u32,
    is_replaced: bool,
) -> Result<ShoeTold, Problem> {
    if let Some(known) = watched.told(table.id, shoe) {
        return Ok(known);
    }
    let turn = watched.turn(table.id).lock_owned().await;
    if let Some(known) = watched.told(table.id, shoe) {
        return Ok(known);
    }
    let (id, told, watched) = (table.id, bare(table, shoe, true), Arc::clone(watched));
    let newest = table.shown().views.public().felt.round;
    let read = app.floor.shared.readers.read_slow(move |store| {
        let told = look_up(store, id, told, newest)?;
        // The cards of a shoe are shown before the next one is loaded, or never.
        if is_replaced || !told.openings.is_empty() {
            watched.keep(told.clone());
        }
        // Only now is it the next one's turn, even if nobody waits for this answer any more.
        drop(turn);
        Ok(told)
    });
    Ok(read.await?)
}

/// Finds in the stream where a shoe was loaded, cut and shown: near the first of its rounds, and after the last.
fn look_up(
    store: &mut dyn Store,
    id: TableId,
    mut told: ShoeTold,
    newest: u64,
) -> Result<ShoeTold, StoreError> {
    let (before, first) = find::around(store, id, told.shoe, newest)?;
    let (last, after) = find::around(store, id, told.shoe.saturating_add(1), newest)?;
    let (from, to) = (before.map_or(1, |round| round.to), first.map_or(u64::MAX, |round| round.to));
    scan(store, id, from, to, &mut told)?;
    if told.openings.is_empty() && first.is_some() {
        let (from, to) = (last.map_or(1, |round| round.to), after.map_or(u64::MAX, |round| round.to));
        scan(store, id, from, to, &mut told)?;
    }
    Ok(told)
}

/// Looks at a few lines for what they say of a shoe, until it is shown.
fn scan(
    store: &mut dyn Store,
    id: TableId,
    from: u64,
    to: u64,
    told: &mut ShoeTold,
) -> Result<(), StoreError> {
    let mut in_it = false;
    let has = |line: &[u8], text: &[u8]| line.windows(text.len()).any(|window| window == text);
    store.rows(Select::Stream(Stream::Table(id), from), &mut |_, row| {
        if row.sequence > to {
            return Flow::Break(());
        }
        if row.kind == Kind::RevealShoe {
            if let Ok(Deed::RevealShoe(reveal)) = row.record().map(|record| record.deed)
                && reveal.shoe == told.shoe
            {
                told.cards = reveal.cards.len();
                let openings = reveal.cards.iter().enumerate().map(|(position, ShownCard(card, salt))| {
                    OpeningTold { position, card: *card, salt: salt.to_hex(), path: Vec::new() }
                });
                told.openings = openings.collect();
                return Flow::Break(());
            }
            return Flow::Continue(());
        }
        // Most lines are wagers and cards; only these are read whole.
        if row.kind != Kind::Table || !(has(&row.line, b"\"shoe-loaded\"") || has(&row.line, b"\"cut\"")) {
            return Flow::Continue(());
        }
        for event in row.table_events().unwrap_or_default() {
            match event.fact {
                Fact::ShoeLoaded { number, commitment, .. } => {
                    in_it = number == told.shoe;
                    if in_it {
                        told.commitment = commitment.as_ref().map(hexadecimal);
                    }
                }
                Fact::Cut { above, .. } if in_it => told.above = usize::from(above.unwrap_or(0)),
                _ => {}
            }
        }
        Flow::Continue(())
    })
}

fn hexadecimal(bytes: &[u8; 32]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
