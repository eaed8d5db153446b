//! From what happens at a table to the books of the house.
//!
//! A table keeps its own chips as plain amounts. The double-entry ledger, which also holds the wallets, the
//! cage and all other tables, follows from the events: [`Books`] turns those of one command into a batch.
//! Nothing is decided here; what a wager wins is in the event.
//!
//! Only events matter, so that books read from a journal are the books of the table. What has to be known
//! beside an event is which pending transfers each wager of the round is made of.

mod balance;
mod round;

use croupier_ledger::{
    Account, Amount, Entry, Kind, Note, Noted, Occasion, RoundId, TableId, Transfer, TransferId,
};
use croupier_rules::settle::Settled;

pub use self::balance::Mismatch;
use self::round::{Lying, RoundBooks, Step};
use crate::actor::PlayerId;
use crate::certain::certain;
use crate::event::{Event, Fact};
use crate::setup::Setup;

/// The part of a table's books that the ledger does not know: what the wagers of the round are made of.
///
/// ```
/// # use croupier_ledger::{Account, Ledger, TableId, TransferId};
/// # use croupier_rules::Amount;
/// # use croupier_table::{Event, Fact, PersonId, Setup, books::Books};
/// # fn fill(setup: &Setup) -> Result<(), croupier_ledger::Refused> {
/// let mut books = Books::new(TableId(3), setup);
/// let (mut ledger, mut next_id) = (Ledger::default(), TransferId(1));
/// let filled = Fact::Filled { amount: Amount::MAX, witness: PersonId(2) };
/// let batch = books.batch(&[Event { fact: filled, cites: Vec::new() }], &mut next_id);
/// ledger.apply(&batch.entries)?;
/// assert_eq!(next_id, TransferId(2));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Books {
    table: TableId,
    by_box: bool,
    commission_is_owed: bool,
    round: RoundBooks,
}

/// What the events of one command do to the ledger.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Batch {
    /// The entries, to be applied whole or not at all: within a settlement what the house collects comes
    /// before what it pays.
    pub entries: Vec<Entry>,
    /// The round that is over with them, which the ledger may close.
    pub closes: Option<RoundId>,
}

/// What takes a batch back.
#[derive(Debug, Default)]
pub struct Undo {
    steps: Vec<Step>,
}

impl Books {
    /// The books of a table that was just opened.
    #[must_use]
    pub fn new(table: TableId, setup: &Setup) -> Self {
        Self {
            table,
            by_box: setup.by_box(),
            commission_is_owed: setup.commission_at_shoe_end,
            round: RoundBooks::new(RoundId(0)),
        }
    }

    /// The entries of all events of one command. Ids are taken from `next_id` upwards.
    ///
    /// For events that are known to be in the ledger, or to be taken by it: those of a journal.
    pub fn batch(&mut self, events: &[Event], next_id: &mut TransferId) -> Batch {
        self.batch_to_undo(events, next_id).0
    }

    /// The same, with what takes it back if the ledger refuses the batch: then these books are as they were.
    pub fn batch_to_undo(&mut self, events: &[Event], next_id: &mut TransferId) -> (Batch, Undo) {
        let mut page = Page {
            table: self.table,
            next_id,
            batch: Batch::default(),
            payouts: Vec::new(),
            undo: Undo::default(),
        };
        for event in events {
            self.enter(&event.fact, &mut page);
        }
        page.pay_out();
        (page.batch, page.undo)
    }

    /// Takes back what a batch changed here, for a ledger that refused it.
    pub fn undo(&mut self, undo: Undo) {
        for step in undo.steps.into_iter().rev() {
            self.round.take_back(step);
        }
    }

    fn enter(&mut self, fact: &Fact, page: &mut Page<'_>) {
        let table = self.table;
        let (float, drop, tips) = (Account::Float(table), Account::Drop(table), Account::Tips(table));
        let chips = |player: &PlayerId| Account::Chips { table, player: *player };
        match fact {
            Fact::BetsOpened { round } | Fact::FreeHandBegan { round } => {
                let before = core::mem::replace(&mut self.round, RoundBooks::new(RoundId(*round)));
                page.undo.steps.push(Step::Begun(Box::new(before)));
            }
            Fact::Placed { player, bet, area, amount, reserve, .. } => {
                let area = area.filter(|_| self.by_box);
                page.undo.steps.push(self.round.to_lay(*player, *bet, area));
                let lying = self.round.wager(*player, *bet, area);
                page.lay(lying, minor(*amount), minor(*reserve));
            }
            Fact::TakenBack { player, bet, area, amount, reserve } => {
                let area = area.filter(|_| self.by_box);
                // Rare, and it can move every wager after it.
                page.undo.steps.push(Step::Begun(Box::new(self.round.clone())));
                let lying = self.round.wager(*player, *bet, area);
                page.take_back(lying, minor(*amount), minor(*reserve));
                self.round.forget_if_empty(*player, *bet, area);
            }
            Fact::Insured { player, amount, .. } => {
                page.undo.steps.push(Step::Insured);
                page.lay(self.round.insurance(*player), minor(*amount), Amount::ZERO);
            }
            Fact::WagerEnded { wager, settled, reserve } => {
                let lying = certain(self.round.end_wager(*wager), "a wager ends that is not in the books");
                let lost = reserve.as_ref().map_or(Amount::ZERO, |reserve| minor(reserve.lost));
                page.collect(&lying, minor(settled.collected), lost);
                self.pay(&lying, settled, page);
                page.undo.steps.push(Step::WagerEnded(*wager, lying));
            }
            Fact::InsuranceEnded { insurance, settled } => {
                let lying = certain(
                    self.round.end_insurance(*insurance),
                    "an insurance ends that is not in the books",
                );
                page.collect(&lying, minor(settled.collected), Amount::ZERO);
                self.pay(&lying, settled, page);
                page.undo.steps.push(Step::InsuranceEnded(*insurance, lying));
            }
            Fact::RoundClosed { .. } | Fact::BettingAbandoned => page.batch.closes = Some(self.round.id),

            Fact::BoughtIn { player, amount, cash: true } => {
                page.direct(Account::Cage, drop, minor(*amount), Kind::CashDrop);
                page.direct(float, chips(player), minor(*amount), Kind::ChipsSold);
            }
            Fact::BoughtIn { player, amount, cash: false } => {
                page.direct(Account::Wallet(*player), chips(player), minor(*amount), Kind::BuyIn);
            }
            Fact::Left { player, chips: all } => {
                page.direct(chips(player), Account::Wallet(*player), minor(*all), Kind::CashOut);
            }
            Fact::Tipped { player, amount } => page.direct(chips(player), tips, minor(*amount), Kind::Tip),
            Fact::CommissionCollected { player, amount } => {
                page.direct(chips(player), float, minor(*amount), Kind::Commission);
            }
            Fact::Filled { amount, .. } => page.direct(Account::Cage, float, minor(*amount), Kind::Fill),
            Fact::Credited { amount, .. } => page.direct(float, Account::Cage, minor(*amount), Kind::Credit),
            Fact::DropCounted { amount } => page.direct(drop, Account::Cage, minor(*amount), Kind::DropCount),
            Fact::TipsPaid { amount } => page.direct(tips, Account::Cage, minor(*amount), Kind::TipPayout),

            // Cards, people and rulings move no money by themselves; a correction is an entry of its case.
            Fact::CorrectionPosted { .. }
            | Fact::SignedOn(_)
            | Fact::SignedOff(_)
            | Fact::TableClosed { .. }
            | Fact::Seated { .. }
            | Fact::Stood { .. }
            | Fact::NoticeGiven { .. }
            | Fact::NoticeAccepted { .. }
            | Fact::ShoeLoaded { .. }
            | Fact::Shuffled { .. }
            | Fact::Cut { .. }
            | Fact::Burned { .. }
            | Fact::CutCardOut { .. }
            | Fact::LastHand { .. }
            | Fact::ShoeCounted { .. }
            | Fact::ShoeJudged(_)
            | Fact::ShoePlayedOut
            | Fact::ShoeFoundEmpty
            | Fact::ShoeEnded
            | Fact::BetsClosed { .. }
            | Fact::AskedToReduce { .. }
            | Fact::LiftedLate { .. }
            | Fact::AreasLimited(_)
            | Fact::Drawn { .. }
            | Fact::SurplusDrawn { .. }
            | Fact::StrayDrawn { .. }
            | Fact::WaitingSurplus
            | Fact::TogetherWait { .. }
            | Fact::CarriedWait
            | Fact::TakenUp { .. }
            | Fact::PacketStray { .. }
            | Fact::HandCorrected { .. }
            | Fact::FindingPending { .. }
            | Fact::FindingConfirmed { .. }
            | Fact::SurplusPlaced { .. }
            | Fact::ForeignDrawn { .. }
            | Fact::DrawnTogether { .. }
            | Fact::Corrected { .. }
            | Fact::OpensFirst(_)
            | Fact::Revealed { .. }
            | Fact::CardShown { .. }
            | Fact::Totals { .. }
            | Fact::Decided(_)
            | Fact::Called { .. }
            | Fact::Displayed { .. }
            | Fact::Warned { .. }
            | Fact::MethodChosen(_)
            | Fact::SqueezeAsked { .. }
            | Fact::SqueezeRefused { .. }
            | Fact::SqueezeForbidden { .. }
            | Fact::SqueezerNamed { .. }
            | Fact::DeviceTaken { .. }
            | Fact::DrawingPermitted { .. }
            | Fact::DeviceFree { .. }
            | Fact::HandPassed { .. }
            | Fact::InsuranceDue { .. }
            | Fact::InsuranceOffered { .. }
            | Fact::InsuranceClosed { .. }
            | Fact::InsuranceMissed { .. }
            | Fact::InsuranceSwitched { .. }
            | Fact::BankerShownFirst { .. }
            | Fact::Irregular { .. }
            | Fact::Retracted
            | Fact::Ruled { .. }
            | Fact::OptionOpened { .. }
            | Fact::Answered { .. }
            | Fact::OptionClosed
            | Fact::Resumed
            | Fact::Rebuilt
            | Fact::TurnedFree
            | Fact::NextIsFree
            | Fact::TogetherSurplus { .. }
            | Fact::CardsCarried { .. }
            | Fact::SurplusDiscarded
            | Fact::CardsReturned
            | Fact::DealDiscarded
            | Fact::ShoeChoiceDue
            | Fact::ShoeChosen { .. }
            | Fact::ShoeChoiceMade { .. }
            | Fact::TwoHeld(_)
            | Fact::MissingFound { .. }
            | Fact::StoodIn { .. }
            | Fact::PacketDealt { .. }
            | Fact::CountRight
            | Fact::Redealt { .. }
            | Fact::CardsDead { .. }
            | Fact::BoxVoided { .. }
            | Fact::Handled { .. }
            | Fact::OrderLostOnLayout
            | Fact::HandSet { .. }
            | Fact::HandRanked { .. }
            | Fact::DealerOpened
            | Fact::Compared { .. }
            | Fact::BoxesRestricted { .. }
            | Fact::HandlingStopped { .. }
            | Fact::Lifted { .. }
            | Fact::Incident { .. } => {}
        }
    }

    /// What is paid on a wager, and what is to be noted about it.
    fn pay(&self, lying: &Lying, settled: &Settled, page: &mut Page<'_>) {
        let commission = minor(settled.commission);
        // Commission that is owed is paid out first, and moves when it is collected.
        let (paid, kept) = if self.commission_is_owed {
            (sum(minor(settled.winnings), commission), Amount::ZERO)
        } else {
            (minor(settled.winnings), commission)
        };
        let rounding = settled.rounding;
        let notes = [
            (Noted::CommissionKept, kept),
            (Noted::RoundedUp, if rounding.is_positive() { minor(rounding) } else { Amount::ZERO }),
            (Noted::RoundedDown, if rounding.is_positive() { Amount::ZERO } else { minor(-rounding) }),
        ];
        page.pay(lying, paid, &notes);
    }
}

/// The batch while it is written.
struct Page<'a> {
    table: TableId,
    next_id: &'a mut TransferId,
    batch: Batch,
    /// What waits until everything that is collected is in the float. Ids are given when it is written.
    payouts: Vec<Payout>,
    undo: Undo,
}

enum Payout {
    Winnings(Account, Kind, Amount),
    Note(RoundId, Noted, Amount),
}

impl Page<'_> {
    fn id(&mut self) -> TransferId {
        let id = *self.next_id;
        self.next_id.0 += 1;
        id
    }

    fn chips(&self, player: PlayerId) -> Account {
        Account::Chips { table: self.table, player }
    }

    /// Money that moves at once, after what was paid before.
    fn direct(&mut self, from: Account, to: Account, amount: Amount, kind: Kind) {
        self.pay_out();
        self.write(from, to, amount, kind);
    }

    fn write(&mut self, from: Account, to: Account, amount: Amount, kind: Kind) {
        if !amount.is_zero() {
            let id = self.id();
            self.batch.entries.push(Entry::Direct(Transfer { id, from, to, amount, kind }));
        }
    }

    /// Money that is set aside, after what was paid before.
    fn pend(
        &mut self,
        from: Account,
        to: Account,
        amount: Amount,
        kind: Kind,
    ) -> Option<(TransferId, Amount)> {
        if amount.is_zero() {
            return None;
        }
        self.pay_out();
        let id = self.id();
        self.batch.entries.push(Entry::Pending(Transfer { id, from, to, amount, kind }));
        Some((id, amount))
    }

    /// Adds to a wager and its Reserve: each time by a pending transfer of its own.
    fn lay(&mut self, lying: &mut Lying, stake: Amount, reserve: Amount) {
        let Lying { player, round, wager, .. } = *lying;
        let table = self.table;
        let bet = Account::Bet { table, player, round, wager };
        let beside = Account::Reserve { table, player, round, wager };
        let chips = self.chips(player);
        lying.stake.extend(self.pend(chips, bet, stake, Kind::Wager));
        lying.reserve.extend(self.pend(chips, beside, reserve, Kind::Reserve));
    }

    /// Takes from a wager what was added last. Of a transfer that goes back in part, the rest is laid anew.
    fn take_back(&mut self, lying: &mut Lying, stake: Amount, reserve: Amount) {
        let stake = self.void_newest(&mut lying.stake, stake);
        let reserve = self.void_newest(&mut lying.reserve, reserve);
        self.lay(lying, stake, reserve);
    }

    /// Voids the newest transfers until `amount` is covered; what went back beyond it.
    fn void_newest(&mut self, pending: &mut Vec<(TransferId, Amount)>, amount: Amount) -> Amount {
        let mut left = amount;
        while !left.is_zero() {
            let (id, held) = certain(pending.pop(), "more is taken back than was laid");
            self.batch.entries.push(Entry::Void { pending: id });
            match left.checked_sub(held) {
                Some(rest) => left = rest,
                None => return certain(held.checked_sub(left), "less than nothing goes back"),
            }
        }
        Amount::ZERO
    }

    /// Ends a wager: `collected` and `lost` go to the float, the rest back.
    fn collect(&mut self, lying: &Lying, collected: Amount, lost: Amount) {
        for (pendings, taken) in [(&lying.stake, collected), (&lying.reserve, lost)] {
            let mut left = taken;
            for (pending, held) in pendings {
                let part = left.min(*held);
                left = certain(left.checked_sub(part), "a part is more than the whole");
                self.batch.entries.push(Entry::settle(*pending, part));
            }
            assert!(left.is_zero(), "{left} more is collected than was laid");
        }
    }

    fn pay(&mut self, lying: &Lying, paid: Amount, notes: &[(Noted, Amount)]) {
        let Lying { player, round, wager, .. } = *lying;
        if !paid.is_zero() {
            let kind = Kind::Winnings { round, wager };
            self.payouts.push(Payout::Winnings(self.chips(player), kind, paid));
        }
        let notes = notes.iter().filter(|(_, amount)| !amount.is_zero());
        self.payouts.extend(notes.map(|(what, amount)| Payout::Note(round, *what, *amount)));
    }

    /// Everything is collected: now the house pays.
    fn pay_out(&mut self) {
        let table = self.table;
        for payout in core::mem::take(&mut self.payouts) {
            match payout {
                Payout::Winnings(to, kind, amount) => self.write(Account::Float(table), to, amount, kind),
                Payout::Note(round, what, amount) => {
                    let id = self.id();
                    let occasion = Occasion::Round(round);
                    self.batch.entries.push(Entry::Note(Note { id, table, occasion, what, amount }));
                }
            }
        }
    }
}

/// An amount of an event as the ledger has it. The table gives out none below zero.
fn minor(amount: croupier_rules::Amount) -> Amount {
    certain(Amount::new(amount.minor()), "an event moves less than nothing, or more than there can be")
}

/// All the money of a table is an amount, and so is every part of it.
fn sum(one: Amount, other: Amount) -> Amount {
    certain(one.checked_add(other), "a payment is larger than all the money of a table")
}
