//! The state of a table as something that can be stored, so that a floor that starts again need not replay
//! whole journals.
//!
//! A snapshot is a shortcut and never the truth: whatever is refused here, the journal still tells. So it is
//! read by the program that wrote it and by those that mean the same by it, and by no others. What follows
//! from the rest is not stored: the hands follow from the draws and the roads from the marks.

use std::sync::Arc;

use croupier_ledger::TableId;
use croupier_rules::Amount;
use croupier_rules::baccarat::Deal;

use crate::actor::{PlayerId, Staff};
use crate::event::Mark;
use crate::fingerprint;
use crate::setup::{Method, Setup};
use crate::table::{Board, Hold, NextHand, Player, Round, Shoe, Stage, Table};

/// Another number than this is a form that is not read any more, or not yet.
const FORM: u32 = 1;

/// Everything that the events of a table have made of it.
///
/// ```
/// # use croupier_ledger::TableId;
/// # use croupier_table::snapshot::{Snapshot, SnapshotFault};
/// # use croupier_table::Table;
/// # fn start_again(table: &Table) -> Result<Table, SnapshotFault> {
/// let snapshot: Snapshot = table.snapshot();
/// let restored = Table::restore(table.id, table.setup.clone(), snapshot)?;
/// assert_eq!(restored.fingerprint(), table.fingerprint());
/// # Ok(restored)
/// # }
/// ```
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    form: u32,
    /// Of the rules by which the state is to be read.
    rules: u64,
    /// Of the table that was written.
    fingerprint: u64,
    stage: Stage,
    players: Vec<Player>,
    staff: Vec<Staff>,
    float: Amount,
    drop: Amount,
    tips: Amount,
    shoe: Shoe,
    method: Option<Method>,
    area_limit: Option<u8>,
    insurance_on: bool,
    device: Option<PlayerId>,
    may_draw: Option<PlayerId>,
    round: Round,
    hold: Option<Hold>,
    next: NextHand,
    marks: Vec<Mark>,
}

/// Why a snapshot is of no use; the journal has to be replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SnapshotFault {
    /// It was written in another form.
    #[error("the snapshot has form {form}; only form {FORM} is read")]
    Form {
        /// Which.
        form: u32,
    },
    /// It was written under another rulebook, game or money terms.
    #[error("the snapshot was written under other rules than the table is opened with")]
    OtherRules,
    /// It does not lead to the table that was written: another table's, damaged, or of another program.
    #[error("the snapshot does not lead to the table that was written")]
    Differs,
}

impl Table {
    /// The state, to be stored.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            form: FORM,
            rules: fingerprint::of_rules(&self.setup),
            fingerprint: self.fingerprint(),
            stage: self.stage,
            players: self.players.clone(),
            staff: self.staff.clone(),
            float: self.float,
            drop: self.drop,
            tips: self.tips,
            shoe: self.shoe.clone(),
            method: self.method,
            area_limit: self.area_limit,
            insurance_on: self.insurance_on,
            device: self.device,
            may_draw: self.may_draw,
            round: Round { deal: Deal::default(), ..self.round.clone() },
            hold: self.hold.clone(),
            next: self.next.clone(),
            marks: self.board.marks.clone(),
        }
    }

    /// The table of this id and setup as it was when the snapshot was taken.
    ///
    /// # Errors
    /// [`SnapshotFault`] if that is not exactly what would come of it.
    pub fn restore(id: TableId, setup: Arc<Setup>, snapshot: Snapshot) -> Result<Self, SnapshotFault> {
        let Snapshot { form, rules, fingerprint, mut round, .. } = snapshot;
        if form != FORM {
            return Err(SnapshotFault::Form { form });
        }
        if rules != fingerprint::of_rules(&setup) {
            return Err(SnapshotFault::OtherRules);
        }
        round.read_hands();
        let mut board = Board::default();
        snapshot.marks.into_iter().for_each(|mark| board.push(mark));
        // A table is made of all its fields, so none can be left out of a snapshot.
        let table = Self {
            id,
            setup,
            stage: snapshot.stage,
            players: snapshot.players,
            staff: snapshot.staff,
            float: snapshot.float,
            drop: snapshot.drop,
            tips: snapshot.tips,
            shoe: snapshot.shoe,
            method: snapshot.method,
            area_limit: snapshot.area_limit,
            insurance_on: snapshot.insurance_on,
            device: snapshot.device,
            may_draw: snapshot.may_draw,
            round,
            hold: snapshot.hold,
            next: snapshot.next,
            board: Arc::new(board),
        };
        if table.fingerprint() == fingerprint { Ok(table) } else { Err(SnapshotFault::Differs) }
    }
}
