//! A round step by step: what each line did, in words with its clauses, and how the layout lay after it.

use croupier_insight::{Exception, ExceptionKind};
use croupier_journal::store::Flow;
use croupier_journal::{
    BadRow, By, Deed, Keys, Kind, Replayed, Row, Select, Shelf, Store, StoreError, Stream,
};
use croupier_ledger::TableId;
use croupier_rounds::amount::Decimals;
use croupier_rounds::words::happened;
use croupier_table::view::Hidden;
use croupier_table::{Actor, Event, Fact, Phase, PlayerId, Table, Views};
use serde_json::Value;

use crate::api::history::stored_before;
use crate::api::shapes::NOT_KEPT;

/// A round as it went.
pub(crate) struct Story {
    /// The lines, in order.
    pub(crate) steps: Vec<Step>,
}

/// What a line did.
pub(crate) struct Step {
    pub(crate) sequence: u64,
    pub(crate) at: u64,
    pub(crate) by: By,
    /// The name of what was asked or told.
    pub(crate) action: String,
    /// What happened, in words, with the clauses.
    pub(crate) happened: Vec<(String, Vec<String>)>,
    /// What of it is an exception.
    pub(crate) exceptions: Vec<ExceptionKind>,
    /// Where play stood after it.
    pub(crate) phase: Phase,
    /// The layout after it.
    pub(crate) felt: Value,
    /// The cards after it, those that lay face down as they were read.
    pub(crate) hidden: Hidden,
}

/// Where the round is in the stream of its table.
#[derive(Clone, Copy)]
pub(crate) struct Lines {
    pub(crate) from: u64,
    pub(crate) to: u64,
}

/// The story of a round between two lines.
pub(crate) fn story(
    store: &mut dyn Store,
    keys: &Keys,
    shelf: &Shelf,
    table: TableId,
    lines: Lines,
    names: &dyn Fn(PlayerId) -> String,
) -> Result<Story, StoreError> {
    let mut replayed = stored_before(store, keys, shelf, table, lines.from)?;
    let from = replayed.as_ref().map_or(1, |replayed| replayed.head.sequence + 1);
    let mut steps = Vec::new();
    let mut fault = None;
    store.rows(Select::Stream(Stream::Table(table), from), &mut |_, row| {
        if row.sequence > lines.to {
            return Flow::Break(());
        }
        let followed = match &mut replayed {
            None => Replayed::first(shelf, &row).map(|first| replayed = Some(first)),
            Some(replayed) if row.sequence < lines.from => replayed.follow(&row),
            Some(replayed) => step(replayed, &row, names).map(|step| steps.extend(step)),
        };
        match followed {
            Ok(()) => Flow::Continue(()),
            Err(bad) => {
                fault = Some(bad);
                Flow::Break(())
            }
        }
    })?;
    match fault {
        Some(bad) => Err(StoreError::Database(bad.to_string())),
        None => Ok(Story { steps }),
    }
}

fn step(
    replayed: &mut Replayed,
    row: &Row,
    names: &dyn Fn(PlayerId) -> String,
) -> Result<Option<Step>, BadRow> {
    if row.kind != Kind::Table {
        return Ok(None);
    }
    let fault = |error: serde_json::Error| BadRow::new(row, error.to_string());
    let record = row.record().map_err(fault)?;
    let events = row.table_events().map_err(fault)?;
    let Deed::Table(action) = &record.deed else { return Ok(None) };
    let action = match serde_json::to_value(action) {
        Ok(Value::String(name)) => name,
        Ok(Value::Object(fields)) => fields.keys().next().cloned().unwrap_or_default(),
        _ => String::new(),
    };
    let by = record.by.actor().unwrap_or(Actor::System);
    let decimals = Decimals::new(replayed.opened.decimals).unwrap_or(Decimals::USUAL);
    let (mut told, mut exceptions) = (Vec::new(), Vec::new());
    for event in &events {
        exceptions.extend(Exception::of(&replayed.table, event, by).map(|found| found.kind));
        if let Some(words) = words(&replayed.table, event, names, decimals) {
            let rulebook = &replayed.table.setup.rulebook;
            told.push((words, event.cites.iter().map(|basis| rulebook.full_id(*basis)).collect()));
        }
        replayed.apply(core::slice::from_ref(event));
    }
    let views = Views::new(&replayed.table);
    let mut felt = serde_json::to_value(views.public().felt).unwrap_or(Value::Null);
    let hidden = views.surveillance().hidden.clone();
    if let Value::Object(fields) = &mut felt {
        fields.retain(|name, _| !NOT_KEPT.contains(&name.as_str()));
    }
    Ok(Some(Step {
        sequence: row.sequence,
        at: record.at,
        by: record.by,
        action,
        happened: told,
        exceptions,
        phase: replayed.table.phase(),
        felt,
        hidden,
    }))
}

/// What an event that is about to be applied means, in words.
fn words(
    table: &Table,
    event: &Event,
    names: &dyn Fn(PlayerId) -> String,
    decimals: Decimals,
) -> Option<String> {
    let bet = |bet: usize| table.game().bets.get(bet).map_or("?", |bet| bet.id.as_str());
    let card = |draw: u8| {
        let at = usize::from(draw).checked_sub(1)?;
        table.round.draws.get(at)?.card
    };
    match &event.fact {
        Fact::Placed { player, bet: on, amount, .. } => {
            Some(format!("{} lays {} on {}", names(*player), decimals.show(*amount), bet(*on)))
        }
        Fact::TakenBack { player, bet: on, amount, .. } => {
            Some(format!("{} takes {} back from {}", names(*player), decimals.show(*amount), bet(*on)))
        }
        Fact::WagerEnded { wager, .. } => {
            let laid = table.round.wagers.get(*wager)?;
            let end = tell(event, names, decimals, table)?;
            Some(format!("{}, {} on {}: {end}", names(laid.player), decimals.show(laid.stake), bet(laid.bet)))
        }
        Fact::InsuranceEnded { insurance, .. } => {
            let laid = table.round.insurances.get(*insurance)?;
            let end = tell(event, names, decimals, table)?;
            Some(format!("{}, insurance of {}: {end}", names(laid.player), decimals.show(laid.stake)))
        }
        Fact::Corrected { draw, card: now, .. } => Some(match card(*draw) {
            Some(before) => format!("card {draw} was taken for {before} and is {now}"),
            None => format!("card {draw} is {now}"),
        }),
        _ => tell(event, names, decimals, table),
    }
}

fn tell(
    event: &Event,
    names: &dyn Fn(PlayerId) -> String,
    decimals: Decimals,
    table: &Table,
) -> Option<String> {
    // The words borrow the names they are told with.
    let players: Vec<(PlayerId, String)> =
        table.players.iter().map(|player| (player.id, names(player.id))).collect();
    let name = |player: PlayerId| players.iter().find(|(id, _)| *id == player).map(|(_, name)| name.as_str());
    happened(&event.fact, &name, decimals, table.setup.commission_at_shoe_end)
}
