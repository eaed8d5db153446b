//! Batches and books as text, one step a line:
//!
//! ```text
//! 3 buy-in player:7:wallet > chips:3:7 500        a direct transfer: id, kind, from, to, amount
//! pend 4 wager chips:3:7 > bet:3:7:41:2 100       a pending one
//! post 4 60 ; void 5                              several entries of one batch
//! note 6 3 round:41 commission-kept 5             table 3
//! close 3 41                                      round 41 of table 3
//! forget 6                                        ids up to 6
//! = chips:3:7 940                                 available; for a memo taken less given
//! ~ bet:3:7:41:2 100                              pending in
//! ```
//!
//! `=> code` after a step expects a refusal, `=> 1 code` one of its second entry, and `=> already` that
//! nothing in the batch was new.

use croupier_ledger::{
    Account, Amount, CaseId, Entry, Kind, Ledger, Memo, Note, Noted, Occasion, Outcome, RoundId, TableId,
    Transfer, TransferId, WagerId,
};

/// Runs a scenario on fresh books and checks each line; after each step the books must verify.
#[track_caller]
pub(crate) fn check(scenario: &str) {
    let mut ledger = Ledger::default();
    for (place, line) in scenario.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let got = run(&mut ledger, line);
        let (_, expect) = line.split_once("=>").unwrap_or((line, "ok"));
        assert_eq!(got, expect.trim(), "line {place}: {line}");
        assert_eq!(ledger.verify(), Ok(()), "line {place}: {line}");
    }
}

/// The state as bytes.
pub(crate) fn dump(ledger: &Ledger) -> Vec<u8> {
    let mut bytes = Vec::new();
    ledger.write_canonical(|piece| bytes.extend_from_slice(piece));
    bytes
}

fn run(ledger: &mut Ledger, line: &str) -> String {
    let (step, _) = line.split_once("=>").unwrap_or((line, ""));
    let words: Vec<&str> = step.split_whitespace().collect();
    match words[..] {
        ["=", place, minor] => {
            let got = match place.parse::<Memo>() {
                Ok(memo) => ledger.tally(memo).net(),
                Err(_) => ledger.available(place.parse().unwrap()),
            };
            if got == minor.parse::<i128>().unwrap() { "ok".into() } else { format!("there are {got}") }
        }
        ["~", place, minor] => {
            let got = ledger.balance(place.parse().unwrap()).pending_in;
            if got == minor.parse::<i128>().unwrap() { "ok".into() } else { format!("there are {got}") }
        }
        ["close", table, round] => {
            let before = dump(ledger);
            match ledger.close_round(TableId(number(table)), RoundId(number(round))) {
                Ok(_) => "ok".into(),
                Err(holds) => {
                    assert_eq!(dump(ledger), before);
                    format!("holds {}", holds.held)
                }
            }
        }
        ["forget", through] => {
            ledger.forget_through(TransferId(number(through)));
            "ok".into()
        }
        _ => {
            let batch: Vec<Entry> = step.split(';').map(entry).collect();
            let (before, checked) = (dump(ledger), ledger.check(&batch));
            assert_eq!(dump(ledger), before, "a check changes nothing");
            let applied = ledger.apply(&batch);
            assert_eq!(applied, checked, "a check says what happens");
            match applied {
                Ok(receipt) if receipt.outcomes.iter().all(|outcome| *outcome == Outcome::AlreadyApplied) => {
                    assert_eq!(dump(ledger), before);
                    "already".into()
                }
                Ok(_) => "ok".into(),
                Err(refused) => {
                    assert_eq!(dump(ledger), before, "a refused batch changes nothing");
                    let code = refused.why.code();
                    if refused.entry == 0 { code.into() } else { format!("{} {code}", refused.entry) }
                }
            }
        }
    }
}

/// An entry from its line.
pub(crate) fn entry(line: &str) -> Entry {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["post", id, minor] => Entry::Post { pending: TransferId(number(id)), amount: amount(minor) },
        ["void", id] => Entry::Void { pending: TransferId(number(id)) },
        ["note", id, table, occasion, what, minor] => Entry::Note(Note {
            id: TransferId(number(id)),
            table: TableId(number(table)),
            occasion: match occasion.split_once(':') {
                Some(("round", round)) => Occasion::Round(RoundId(number(round))),
                Some(("case", case)) => Occasion::Case(CaseId(number(case))),
                _ => panic!("no occasion: {occasion}"),
            },
            what: match what {
                "commission-kept" => Noted::CommissionKept,
                "commission-returned" => Noted::CommissionReturned,
                "rounded-down" => Noted::RoundedDown,
                "rounded-up" => Noted::RoundedUp,
                _ => panic!("nothing to note: {what}"),
            },
            amount: amount(minor),
        }),
        ["pend", id, kind, from, ">", to, minor] => Entry::Pending(transfer(id, kind, from, to, minor)),
        [id, kind, from, ">", to, minor] => Entry::Direct(transfer(id, kind, from, to, minor)),
        _ => panic!("no entry: {line}"),
    }
}

fn transfer(id: &str, name: &str, from: &str, to: &str, minor: &str) -> Transfer {
    let account = |text: &str| text.parse::<Account>().unwrap();
    Transfer {
        id: TransferId(number(id)),
        from: account(from),
        to: account(to),
        amount: amount(minor),
        kind: kind(name),
    }
}

fn kind(name: &str) -> Kind {
    let parts: Vec<&str> = name.split(':').collect();
    match parts[..] {
        ["deposit"] => Kind::Deposit,
        ["withdrawal"] => Kind::Withdrawal,
        ["buy-in"] => Kind::BuyIn,
        ["cash-out"] => Kind::CashOut,
        ["cash-drop"] => Kind::CashDrop,
        ["chips-sold"] => Kind::ChipsSold,
        ["drop-count"] => Kind::DropCount,
        ["fill"] => Kind::Fill,
        ["credit"] => Kind::Credit,
        ["wager"] => Kind::Wager,
        ["reserve"] => Kind::Reserve,
        ["winnings", round, wager] => {
            Kind::Winnings { round: RoundId(number(round)), wager: WagerId(number(wager)) }
        }
        ["commission"] => Kind::Commission,
        ["tip"] => Kind::Tip,
        ["tip-payout"] => Kind::TipPayout,
        ["hold", case] => Kind::Hold { case: CaseId(number(case)) },
        ["release", case] => Kind::Release { case: CaseId(number(case)) },
        ["correction", case] => Kind::Correction { case: CaseId(number(case)) },
        _ => panic!("no kind: {name}"),
    }
}

fn amount(minor: &str) -> Amount {
    Amount::new(number(minor)).unwrap()
}

fn number<N: std::str::FromStr>(text: &str) -> N {
    text.parse().unwrap_or_else(|_| panic!("no number: {text}"))
}
