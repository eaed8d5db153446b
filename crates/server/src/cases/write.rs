//! The lines of a dispute: what is posted and written, in one commit.

use croupier_journal::deed::WalletChange;
use croupier_journal::envelope::{Envelope, Happened};
use croupier_journal::{Author, By, Change, CommandId, Deed, Row, Stream, Via};
use croupier_ledger::{Account, CaseId, Entry, TransferId};
use croupier_table::case::{self, Case, CaseCommand, CaseEvent, CaseOrder, Through};

use super::{Asked, CaseError, REGISTER};
use crate::floor::{Floor, FloorError};
use crate::table::{Receipt, TableHandle};
use crate::till::Inside;

/// What a line says beside its events.
pub(super) struct Line<'a> {
    pub(super) id: CommandId,
    pub(super) at: u64,
    pub(super) by: By,
    pub(super) via: Option<Via>,
    pub(super) deed: &'a Deed,
}

/// The answer to a command whose id is in the journal: the one it had, if it is the same command.
pub(super) fn repeated(row: &Row, asked: &Asked) -> Result<Receipt, CaseError> {
    let same = |record: &croupier_journal::envelope::Record| match &record.deed {
        Deed::Case(order) => {
            without_ids((**order).clone()) == without_ids(asked.order.clone())
                && record.by == By::from(asked.by)
        }
        _ => false,
    };
    match row.record() {
        Ok(record) if same(&record) => Ok(Receipt { sequence: row.sequence, at: record.at }),
        Ok(_) | Err(_) => Err(FloorError::OtherCommand(row.sequence).into()),
    }
}

/// Decides, posts and writes a command; the case after it.
pub(super) async fn carry_out(
    floor: &Floor,
    table: &TableHandle,
    case: &Case,
    asked: Asked,
) -> Result<(Receipt, Case), CaseError> {
    if through(&asked.order) == Some(Through::Table) {
        return Err(CaseError::ThroughTable);
    }
    let mut decided = Err(CaseError::NoCase(case.id));
    let appended = floor.shared.till.append(|till| {
        decided = decide(till, table, case, asked);
        match &mut decided {
            Ok(done) => (core::mem::take(&mut done.rows), core::mem::take(&mut done.changes)),
            Err(_) => (Vec::new(), Vec::new()),
        }
    });
    appended.await.map_err(FloorError::from)?;
    decided.map(|done| (done.receipt, done.case))
}

struct Done {
    receipt: Receipt,
    case: Case,
    rows: Vec<Row>,
    changes: Vec<Change>,
}

fn decide(till: &mut Inside, table: &TableHandle, case: &Case, asked: Asked) -> Result<Done, CaseError> {
    let Asked { id, by, via, order } = asked;
    let at = till.time();
    let order = with_ids(order, case, till.next_transfer);
    let command = CaseCommand { at: at / 1_000, by, order };
    let events = case::decide(table.setup.authority(), case, &command).map_err(CaseError::Refused)?;
    let entries: Vec<Entry> = events.iter().flat_map(case::entries).collect();
    let mut changed = case.clone();
    events.iter().for_each(|event| case::apply(&mut changed, event));
    let deed = Deed::Case(Box::new(command.order));
    let line = Line { id, at, by: By::from(by), via, deed: &deed };
    let (sequence, rows) = rows(till, line, case, &events, &entries)?;
    Ok(Done {
        receipt: Receipt { sequence, at },
        changes: change(&changed).into_iter().collect(),
        case: changed,
        rows,
    })
}

/// A case that is opened: its line, and the case that it makes.
pub(super) struct Opened {
    pub(super) id: CommandId,
    pub(super) by: By,
    pub(super) via: Option<Via>,
    pub(super) deed: Deed,
    pub(super) case: Case,
    pub(super) events: Vec<CaseEvent>,
}

/// Opens a case at the time of its line, which is known only under the till.
pub(super) async fn append(
    floor: &Floor,
    open: impl FnOnce(u64) -> Result<Opened, CaseError>,
) -> Result<Case, CaseError> {
    let mut written = Err(CaseError::NoCase(CaseId(0)));
    let appended = floor.shared.till.append(|till| {
        let at = till.time();
        let opened = open(at).and_then(|opened| {
            let Opened { id, by, via, deed, case, events } = opened;
            let line = Line { id, at, by, via, deed: &deed };
            rows(till, line, &case, &events, &[]).map(|(_, rows)| (rows, case))
        });
        match opened {
            Ok((rows, case)) => {
                let changes = change(&case).into_iter().collect();
                written = Ok(case);
                (rows, changes)
            }
            Err(error) => {
                written = Err(error);
                (Vec::new(), Vec::new())
            }
        }
    });
    appended.await.map_err(FloorError::from)?;
    written
}

/// The line of the case, and those that tell the wallets.
fn rows(
    till: &mut Inside,
    line: Line<'_>,
    case: &Case,
    events: &[CaseEvent],
    entries: &[Entry],
) -> Result<(u64, Vec<Row>), CaseError> {
    let next = TransferId(till.next_transfer.0 + u64::try_from(entries.len()).unwrap_or(0));
    let stream = Stream::Case(case.id);
    till.post((stream, till.next(stream)), entries, next, None).map_err(CaseError::Books)?;
    let Line { id, at, by, via, deed } = line;
    let author = Author { by, via };
    let events = Happened::Case(events);
    let envelope = Envelope { postings: entries, events, ..Envelope::plain(id, at, author, deed) };
    let row = till.line(stream, &envelope);
    let sequence = row.sequence;
    let mut rows = vec![row];
    for (player, change) in entries.iter().filter_map(wallet) {
        let of_player = Stream::Player(player);
        let deed = Deed::Wallet(WalletChange { stream, sequence, change });
        rows.push(till.record(of_player, at, author, &deed));
    }
    Ok((sequence, rows))
}

/// What an entry does to a wallet. A case has at most one correction for each player.
fn wallet(entry: &Entry) -> Option<(croupier_ledger::PlayerId, i64)> {
    let Entry::Direct(transfer) = entry else { return None };
    match (transfer.from, transfer.to) {
        (Account::Wallet(player), _) => Some((player, -transfer.amount.minor())),
        (_, Account::Wallet(player)) => Some((player, transfer.amount.minor())),
        _ => None,
    }
}

fn change(case: &Case) -> Option<Change> {
    let value = serde_json::to_vec(case).ok()?;
    Some(Change::Put { register: REGISTER, key: format!("{:010}", case.id.0), value })
}

const fn through(order: &CaseOrder) -> Option<Through> {
    match order {
        CaseOrder::PostCorrections { through, .. } | CaseOrder::AnswerComplaint { through, .. } => {
            Some(*through)
        }
        _ => None,
    }
}

/// An order with unused ids for its corrections; whatever ids the client sent are not asked.
fn with_ids(mut order: CaseOrder, case: &Case, next: TransferId) -> CaseOrder {
    let ids = |count: usize| (next.0..).take(count).map(TransferId).collect();
    match &mut order {
        CaseOrder::PostCorrections { transfers, .. } => {
            *transfers = ids(case.decision.as_ref().map_or(0, |decision| decision.corrections.len()));
        }
        CaseOrder::AnswerComplaint { corrections, transfers, .. } => *transfers = ids(corrections.len()),
        _ => {}
    }
    order
}

fn without_ids(mut order: CaseOrder) -> CaseOrder {
    if let CaseOrder::PostCorrections { transfers, .. } | CaseOrder::AnswerComplaint { transfers, .. } =
        &mut order
    {
        transfers.clear();
    }
    order
}
