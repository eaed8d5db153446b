//! Random batches, valid and not, on the real ledger and on the model at once.

use croupier_ledger::{
    Account, Amount, CaseId, Entry, Kind, Ledger, Memo, Note, Noted, Occasion, Outcome, PlayerId, RoundId,
    Step, TableId, Transfer, TransferId, WagerId, differences, rebuild,
};
use proptest::prelude::*;

use crate::model::Model;
use crate::support::dump;

/// Small numbers from which an entry is made, so that ids, accounts and amounts often meet.
#[derive(Clone, Copy, Debug)]
struct Draw {
    what: u8,
    table: u32,
    player: u32,
    round: u64,
    wager: u32,
    minor: i64,
    /// Where an entry refers back, or goes wrong.
    pick: u16,
    twist: u8,
}

#[derive(Clone, Debug)]
enum Move {
    Batch(Vec<Draw>),
    Close { table: u32, round: u64 },
    Forget { back: u64 },
    Repeat { pick: u16 },
}

fn draws() -> impl Strategy<Value = Draw> {
    let minor = prop_oneof![8 => 1..60_i64, 1 => Just(0), 1 => 60..5_000_i64, 1 => Just(Amount::MAX.minor())];
    (0..32_u8, 1..3_u32, 1..3_u32, 1..5_u64, 1..3_u32, minor, any::<u16>(), any::<u8>()).prop_map(
        |(what, table, player, round, wager, minor, pick, twist)| Draw {
            what,
            table,
            player,
            round,
            wager,
            minor,
            pick,
            twist,
        },
    )
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        20 => prop::collection::vec(draws(), 1..5).prop_map(Move::Batch),
        2 => (1..3_u32, 1..5_u64).prop_map(|(table, round)| Move::Close { table, round }),
        1 => (0..60_u64).prop_map(|back| Move::Forget { back }),
        2 => any::<u16>().prop_map(|pick| Move::Repeat { pick }),
    ];
    prop::collection::vec(one, 1..100)
}

/// Turns draws into entries with ascending ids, twisting about one in ten into something wrong.
#[derive(Default)]
struct Author {
    last: u64,
    written: Vec<Entry>,
}

impl Author {
    fn write(&mut self, draw: Draw) -> Entry {
        let entry = match draw.what {
            0..=4 => Entry::Post { pending: self.earlier(draw), amount: Amount::new(draw.minor).unwrap() },
            5..=7 => Entry::Void { pending: self.earlier(draw) },
            8 => Entry::Note(self.note(draw)),
            _ => {
                let transfer = self.transfer(draw);
                match (draw.what, draw.twist) {
                    (9..=14, 0..=5) | (15..=31, 20..=255) => Entry::Direct(transfer),
                    _ => Entry::Pending(transfer),
                }
            }
        };
        self.written.push(entry);
        entry
    }

    /// The id of some pending transfer, mostly.
    fn earlier(&self, draw: Draw) -> TransferId {
        let pending: Vec<TransferId> = self
            .written
            .iter()
            .rev()
            .take(12)
            .filter_map(|entry| match entry {
                Entry::Pending(transfer) => Some(transfer.id),
                Entry::Direct(_) | Entry::Post { .. } | Entry::Void { .. } | Entry::Note(_) => None,
            })
            .collect();
        match pending.get(usize::from(draw.pick) % pending.len().max(1)) {
            Some(id) if draw.twist > 10 => *id,
            _ => TransferId(u64::from(draw.pick) % (self.last + 2)),
        }
    }

    fn fresh(&mut self, draw: Draw) -> TransferId {
        if (11..16).contains(&draw.twist) {
            return TransferId(u64::from(draw.pick) % (self.last + 1));
        }
        self.last += 1;
        TransferId(self.last)
    }

    fn note(&mut self, draw: Draw) -> Note {
        Note {
            id: self.fresh(draw),
            table: TableId(draw.table),
            occasion: if draw.pick.is_multiple_of(4) {
                Occasion::Case(CaseId(draw.wager))
            } else {
                Occasion::Round(RoundId(draw.round))
            },
            what: [Noted::CommissionKept, Noted::CommissionReturned, Noted::RoundedDown, Noted::RoundedUp]
                [usize::from(draw.pick / 4) % 4],
            amount: Amount::new(draw.minor).unwrap(),
        }
    }

    fn transfer(&mut self, draw: Draw) -> Transfer {
        let (table, player) = (TableId(draw.table), PlayerId(draw.player));
        let (round, wager, case) = (RoundId(draw.round), WagerId(draw.wager), CaseId(draw.wager));
        let (wallet, chips) = (Account::Wallet(player), Account::Chips { table, player });
        let (float, hold) = (Account::Float(table), Account::Hold(case));
        let bet = Account::Bet { table, player, round, wager };
        let reserve = Account::Reserve { table, player, round, wager };
        let sides = [chips, wallet, float, Account::Cage, Account::Tips(table), hold];
        let side = |number: u16| sides[usize::from(number) % sides.len()];
        let (from, to, kind) = match draw.what {
            9..=12 => (chips, bet, Kind::Wager),
            13..=14 => (chips, reserve, Kind::Reserve),
            15..=17 => (float, chips, Kind::Winnings { round, wager }),
            18 => (wallet, Account::Cage, Kind::Withdrawal),
            19..=20 => (wallet, chips, Kind::BuyIn),
            21 => (chips, if draw.pick.is_multiple_of(2) { wallet } else { Account::Cage }, Kind::CashOut),
            22 => (Account::Cage, Account::Drop(table), Kind::CashDrop),
            23 => (float, chips, Kind::ChipsSold),
            24 => (Account::Drop(table), Account::Cage, Kind::DropCount),
            25 => (Account::Cage, float, Kind::Fill),
            26 if draw.pick.is_multiple_of(2) => (chips, float, Kind::Commission),
            26 => (float, Account::Cage, Kind::Credit),
            27 if draw.pick.is_multiple_of(2) => (chips, Account::Tips(table), Kind::Tip),
            27 => (Account::Tips(table), Account::Cage, Kind::TipPayout),
            28 => (side(draw.pick % 3), hold, Kind::Hold { case }),
            29 => (hold, side(draw.pick % 3), Kind::Release { case }),
            30 => (side(draw.pick), side(draw.pick / 8), Kind::Correction { case }),
            _ => (Account::Cage, wallet, Kind::Deposit),
        };
        let other = [bet, reserve, hold, float, wallet, chips, Account::Cage, Account::Drop(table)]
            .map(|account| neighbour(account, draw.pick))[usize::from(draw.pick) % 8];
        let (from, to) = match draw.twist {
            0..=4 => (other, to),
            5..=9 => (from, other),
            10 => (from, from),
            _ => (from, to),
        };
        Transfer { id: self.fresh(draw), from, to, amount: Amount::new(draw.minor).unwrap(), kind }
    }
}

/// An account of the same sort, perhaps of another player, table or case.
fn neighbour(account: Account, pick: u16) -> Account {
    let (one, two) = (u32::from(pick / 8 % 3), u32::from(pick / 32 % 3));
    match account {
        Account::Chips { .. } => Account::Chips { table: TableId(one), player: PlayerId(two) },
        Account::Bet { round, wager, .. } => {
            Account::Bet { table: TableId(one), player: PlayerId(two), round, wager }
        }
        Account::Reserve { round, wager, .. } => {
            Account::Reserve { table: TableId(one), player: PlayerId(two), round, wager }
        }
        Account::Wallet(_) => Account::Wallet(PlayerId(one)),
        Account::Float(_) => Account::Float(TableId(one)),
        Account::Drop(_) => Account::Drop(TableId(one)),
        Account::Tips(_) => Account::Tips(TableId(one)),
        Account::Hold(_) => Account::Hold(CaseId(one)),
        Account::Cage => Account::Cage,
    }
}

/// Money for the tables and players of the draws.
fn opening(author: &mut Author) -> Vec<Entry> {
    let mut batch = Vec::new();
    for number in 1..3 {
        let (table, player) = (TableId(number), PlayerId(number));
        let wallet = Account::Wallet(player);
        for (from, to, minor, kind) in [
            (Account::Cage, Account::Float(table), 900, Kind::Fill),
            (Account::Cage, wallet, 900, Kind::Deposit),
            (wallet, Account::Chips { table: TableId(1), player }, 300, Kind::BuyIn),
            (wallet, Account::Chips { table: TableId(2), player }, 300, Kind::BuyIn),
        ] {
            author.last += 1;
            let amount = Amount::new(minor).unwrap();
            batch.push(Entry::Direct(Transfer { id: TransferId(author.last), from, to, amount, kind }));
        }
    }
    author.written.extend(&batch);
    batch
}

/// Both ledgers side by side.
struct Twin {
    ledger: Ledger,
    model: Model,
    steps: Vec<Step>,
}

impl Twin {
    fn apply(&mut self, batch: &[Entry]) -> Result<bool, TestCaseError> {
        let before = self.ledger.clone();
        let (bytes, checked) = (dump(&before), self.ledger.check(batch));
        let answer = self.ledger.apply(batch);
        let expected = self.model.apply(batch);
        prop_assert_eq!(&checked, &answer, "a check says what happens");
        match &answer {
            Err(refused) => {
                prop_assert_eq!(Err((refused.entry, refused.why.code())), expected, "{}", refused);
                prop_assert_eq!(&self.ledger, &before);
                prop_assert_eq!(dump(&self.ledger), bytes, "a refused batch changes nothing");
            }
            Ok(receipt) => {
                prop_assert_eq!(expected, Ok(()));
                check_outcomes(&before, batch, &receipt.outcomes)?;
                self.steps.push(Step::Batch(batch.to_vec()));
            }
        }
        self.compare()?;
        Ok(answer.is_ok())
    }

    /// The same money in every account, and the invariants.
    fn compare(&self) -> Result<(), TestCaseError> {
        prop_assert_eq!(self.ledger.verify(), Ok(()));
        prop_assert_eq!(self.ledger.total(), 0);
        prop_assert_eq!(self.model.money.values().sum::<i128>(), 0);
        for (account, balance) in self.ledger.accounts() {
            let text = account.to_string();
            prop_assert_eq!(text.parse(), Ok(account));
            prop_assert_eq!(balance.available(), self.model.spendable(&text), "{}", account);
            prop_assert_eq!(balance.pending_in, self.model.waiting_for(&text), "{}", account);
        }
        for (text, money) in self.model.money.iter().filter(|(text, _)| !text.starts_with("aside")) {
            prop_assert_eq!(self.ledger.available(text.parse().unwrap()), *money, "{}", text);
        }
        for (text, counted) in &self.model.counted {
            prop_assert_eq!(self.ledger.tally(text.parse::<Memo>().unwrap()).net(), *counted, "{}", text);
        }
        let aside = self.model.money.iter().filter(|(text, _)| text.starts_with("aside"));
        let pending: i128 = self.ledger.open_pendings().map(|transfer| i128::from(transfer.amount)).sum();
        prop_assert_eq!(aside.map(|(_, money)| *money).sum::<i128>(), pending);
        Ok(())
    }
}

/// What was set aside is what moves and what goes back, to the unit.
fn check_outcomes(before: &Ledger, batch: &[Entry], outcomes: &[Outcome]) -> Result<(), TestCaseError> {
    prop_assert_eq!(batch.len(), outcomes.len());
    let stake_of = |id: TransferId| {
        let earlier = before.record(id).map(croupier_ledger::Record::opening);
        earlier.iter().chain(batch).find_map(|entry| match entry {
            Entry::Pending(transfer) if transfer.id == id => Some(transfer.amount),
            _ => None,
        })
    };
    for (entry, outcome) in batch.iter().zip(outcomes) {
        match (entry, outcome) {
            (_, Outcome::AlreadyApplied)
            | (Entry::Direct(_), Outcome::Moved)
            | (Entry::Pending(_), Outcome::SetAside)
            | (Entry::Note(_), Outcome::Noted) => {}
            (Entry::Post { pending, amount }, Outcome::Posted { posted, returned }) => {
                prop_assert_eq!(amount, posted);
                prop_assert_eq!(stake_of(*pending), posted.checked_add(*returned));
            }
            (Entry::Void { pending }, Outcome::Voided { returned }) => {
                prop_assert_eq!(stake_of(*pending), Some(*returned));
            }
            _ => prop_assert!(false, "{:?} answered by {:?}", entry, outcome),
        }
    }
    Ok(())
}

/// Books that were stored and read are the same.
#[cfg(feature = "serde")]
fn check_stored(ledger: &Ledger) -> Result<(), TestCaseError> {
    let text = serde_json::to_string(ledger).unwrap();
    let read: Ledger = serde_json::from_str(&text).unwrap();
    prop_assert_eq!(&read, ledger);
    prop_assert_eq!(read.verify(), Ok(()));
    prop_assert_eq!(dump(&read), dump(ledger));
    prop_assert_eq!(serde_json::to_string(&read).unwrap(), text);
    Ok(())
}

/// There is no stored form.
#[cfg(not(feature = "serde"))]
fn check_stored(_: &Ledger) -> Result<(), TestCaseError> {
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_ledger_and_the_model_agree(moves in moves()) {
        let mut author = Author::default();
        let mut twin = Twin { ledger: Ledger::default(), model: Model::default(), steps: Vec::new() };
        let opening = opening(&mut author);
        prop_assert!(twin.apply(&opening)?);
        for next in moves {
            match next {
                Move::Batch(draws) => {
                    let batch: Vec<Entry> = draws.into_iter().map(|draw| author.write(draw)).collect();
                    // A batch of which some entry was refused is tried again entry by entry, so that
                    // wrong entries do not keep the books empty.
                    if !twin.apply(&batch)? {
                        for entry in batch {
                            twin.apply(&[entry])?;
                        }
                    }
                }
                Move::Close { table, round } => {
                    let bytes = dump(&twin.ledger);
                    let answer = twin.ledger.close_round(TableId(table), RoundId(round));
                    prop_assert_eq!(answer.is_ok(), twin.model.close(table, round));
                    if answer.is_ok() {
                        twin.steps.push(Step::CloseRound { table: TableId(table), round: RoundId(round) });
                    } else {
                        prop_assert_eq!(dump(&twin.ledger), bytes);
                    }
                    twin.compare()?;
                    check_stored(&twin.ledger)?;
                }
                Move::Forget { back } => {
                    let through = author.last.saturating_sub(back);
                    twin.ledger.forget_through(TransferId(through));
                    twin.model.forget(through);
                    twin.steps.push(Step::ForgetThrough(TransferId(through)));
                    twin.compare()?;
                }
                Move::Repeat { pick } => {
                    let entry = author.written[usize::from(pick) % author.written.len()];
                    twin.apply(&[entry])?;
                }
            }
        }
        let rebuilt = rebuild(&twin.steps).unwrap();
        prop_assert_eq!(differences(&twin.ledger, &rebuilt), vec![]);
        prop_assert_eq!(dump(&twin.ledger), dump(&rebuilt));
        check_stored(&twin.ledger)?;
    }

    #[test]
    fn an_applied_batch_may_be_sent_again(draws in prop::collection::vec(draws(), 1..60)) {
        let mut author = Author::default();
        let mut ledger = Ledger::default();
        ledger.apply(&opening(&mut author)).unwrap();
        for chunk in draws.chunks(3) {
            let batch: Vec<Entry> = chunk.iter().map(|draw| author.write(*draw)).collect();
            if ledger.apply(&batch).is_ok() {
                let bytes = dump(&ledger);
                let again = ledger.apply(&batch).unwrap();
                prop_assert!(again.outcomes.iter().all(|outcome| *outcome == Outcome::AlreadyApplied));
                prop_assert_eq!(dump(&ledger), bytes);
            }
        }
    }

    #[test]
    fn a_void_round_moves_no_money(draws in prop::collection::vec(draws(), 1..40)) {
        let mut author = Author::default();
        let mut ledger = Ledger::default();
        ledger.apply(&opening(&mut author)).unwrap();
        let before: Vec<_> = ledger.accounts().collect();
        let wagers = draws.into_iter().map(|draw| Draw { what: 9 + draw.what % 6, twist: 255, ..draw });
        for wager in wagers {
            let _ = ledger.apply(&[author.write(wager)]);
        }
        let voids: Vec<Entry> =
            ledger.open_pendings().map(|transfer| Entry::Void { pending: transfer.id }).collect();
        ledger.apply(&voids).unwrap();
        prop_assert_eq!(ledger.accounts().collect::<Vec<_>>(), before);
        for table in [TableId(1), TableId(2)] {
            prop_assert!(ledger.close_round(table, RoundId(9)).is_ok());
        }
    }
}

/// The draws are worth something only if each rule is met, and a third of the entries is accepted.
#[test]
fn the_draws_meet_every_rule() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    let mut met = std::collections::BTreeMap::<&str, u32>::new();
    for _ in 0..150 {
        let (mut author, mut ledger) = (Author::default(), Ledger::default());
        ledger.apply(&opening(&mut author)).unwrap();
        for next in moves().new_tree(&mut runner).unwrap().current() {
            let batch = match next {
                Move::Batch(draws) => draws.into_iter().map(|draw| author.write(draw)).collect(),
                Move::Close { table, round } => {
                    let closed = ledger.close_round(TableId(table), RoundId(round));
                    *met.entry(if closed.is_ok() { "closed" } else { "holds" }).or_default() += 1;
                    continue;
                }
                Move::Forget { back } => {
                    ledger.forget_through(TransferId(author.last.saturating_sub(back)));
                    continue;
                }
                Move::Repeat { pick } => vec![author.written[usize::from(pick) % author.written.len()]],
            };
            for entry in batch {
                let code = ledger.apply(&[entry]).map_or_else(|refused| refused.why.code(), |_| "applied");
                *met.entry(code).or_default() += 1;
            }
        }
    }
    for code in [
        "applied",
        "closed",
        "holds",
        "duplicate-id",
        "id-forgotten",
        "unknown-pending",
        "not-pending",
        "already-posted",
        "already-voided",
        "zero-amount",
        "same-account",
        "not-between",
        "wrong-phase",
        "round-closed",
        "exceeds-pending",
        "paid-twice",
        "would-go-negative",
        "too-large",
    ] {
        assert!(met.get(code).is_some_and(|times| *times >= 5), "{code}: {met:?}");
    }
    assert!(met["applied"] * 3 > met.values().sum::<u32>(), "{met:?}");
}
