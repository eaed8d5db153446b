//! The money of a line: what the books say to it, what the cage does, and what wallets hear of it.

use croupier_ledger::{Account, Entry, Kind, Ledger, Outcome, PlayerId, Transfer, TransferId};

use super::Finding;
use super::line::Line;
use crate::deed::{CageMove, WalletChange};
use crate::stream::Stream;

/// How many transfers back the books remember, to say more of one that comes twice.
const REMEMBERED: u64 = 100_000;

/// The books of the whole floor, and the wallets that are still to be told of the last line.
pub(super) struct Money {
    pub(super) ledger: Ledger,
    /// The next transfer at least.
    next: TransferId,
    /// The line that changed wallets, and the changes that the lines after it must tell.
    untold: Option<(Stream, u64, u64)>,
    changes: Vec<(PlayerId, i128)>,
}

impl Money {
    pub(super) fn new() -> Self {
        Self { ledger: Ledger::default(), next: TransferId(0), untold: None, changes: Vec::new() }
    }

    /// Takes the postings of a line into the books.
    pub(super) fn post(&mut self, line: &Line) -> Result<(), Finding> {
        let postings = &line.record.postings;
        if !postings.is_empty() {
            self.check_ids(line)?;
            let receipt = self
                .ledger
                .apply(postings)
                .map_err(|refused| Finding::at(line, format!("the books refuse its postings: {refused}")))?;
            if receipt.outcomes.contains(&Outcome::AlreadyApplied) {
                return Err(Finding::at(line, "posts what is in the books already"));
            }
            self.expect_wallets(line);
        }
        if let Some(round) = line.record.closes {
            let Stream::Table(table) = line.record.stream else {
                return Err(Finding::at(line, "closes a round of no table"));
            };
            self.ledger
                .close_round(table, round)
                .map_err(|holds| Finding::at(line, format!("the round is not over in the books: {holds}")))?;
        }
        Ok(())
    }

    /// Ids ascend in the order of the journal.
    fn check_ids(&mut self, line: &Line) -> Result<(), Finding> {
        for id in line.record.postings.iter().filter_map(new_id) {
            if id < self.next {
                let what = format!("posts transfer {id} after {}", TransferId(self.next.0 - 1));
                return Err(Finding::at(line, what));
            }
            // The last number of all cannot be followed by another.
            self.next = TransferId(id.0.saturating_add(1));
        }
        Ok(())
    }

    fn expect_wallets(&mut self, line: &Line) {
        for entry in &line.record.postings {
            let (Entry::Direct(transfer) | Entry::Pending(transfer)) = entry else { continue };
            let amount = i128::from(transfer.amount);
            for (account, change) in [(transfer.from, -amount), (transfer.to, amount)] {
                let Account::Wallet(player) = account else { continue };
                match self.changes.iter_mut().find(|(known, _)| *known == player) {
                    Some((_, sum)) => *sum += change,
                    None => self.changes.push((player, change)),
                }
            }
        }
        self.changes.retain(|(_, change)| *change != 0);
        if !self.changes.is_empty() {
            self.untold = Some((line.record.stream, line.record.sequence, line.position));
        }
    }

    /// Whatever changes a wallet is told in the stream of its player before anything else happens.
    pub(super) fn all_told(&self) -> Result<(), Finding> {
        let (Some((stream, sequence, position)), Some((player, change))) =
            (self.untold, self.changes.first())
        else {
            return Ok(());
        };
        Err(Finding {
            position: Some(position),
            stream: Some(stream),
            sequence: Some(sequence),
            what: format!(
                "changes the wallet of player {player} by {change}, and no line of player/{player} follows"
            ),
            clauses: Vec::new(),
        })
    }

    /// A line of a player, which tells a change of the wallet.
    pub(super) fn tell(&mut self, line: &Line, told: WalletChange) -> Result<(), Finding> {
        let Stream::Player(player) = line.record.stream else {
            return Err(Finding::at(line, "tells a wallet of no player"));
        };
        let same =
            |(known, change): &(PlayerId, i128)| *known == player && *change == i128::from(told.change);
        let last = self
            .untold
            .is_some_and(|(stream, sequence, _)| (stream, sequence) == (told.stream, told.sequence));
        match self.changes.iter().position(same).filter(|_| last) {
            Some(at) => {
                self.changes.remove(at);
                Ok(())
            }
            None => {
                let WalletChange { stream, sequence, change } = told;
                let what = format!(
                    "tells that {stream} {sequence} changed the wallet by {change}, which it did not"
                );
                Err(Finding::at(line, what))
            }
        }
    }

    /// Lets go of transfers long past, so that the books stay as small as the floor.
    pub(super) fn forget(&mut self) {
        self.ledger.forget_through(TransferId(self.next.0.saturating_sub(REMEMBERED)));
    }
}

/// The id that an entry is the first to use.
pub(super) const fn new_id(entry: &Entry) -> Option<TransferId> {
    match entry {
        Entry::Direct(transfer) | Entry::Pending(transfer) => Some(transfer.id),
        Entry::Note(note) => Some(note.id),
        Entry::Post { .. } | Entry::Void { .. } => None,
    }
}

/// A line of the cage posts what it says and nothing else.
pub(super) fn cage(line: &Line, cage_move: &CageMove, kind: Kind) -> Result<(), Finding> {
    let wallet = Account::Wallet(cage_move.player);
    let (from, to) = if kind == Kind::Deposit { (Account::Cage, wallet) } else { (wallet, Account::Cage) };
    let id = line.record.postings.iter().find_map(new_id).unwrap_or(TransferId(0));
    let due = [Entry::Direct(Transfer { id, from, to, amount: cage_move.amount, kind })];
    if line.record.postings == due {
        return Ok(());
    }
    Err(Finding::at(line, "does not post what the cage did"))
}
