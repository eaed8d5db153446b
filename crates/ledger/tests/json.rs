//! Ids, amounts, accounts, entries, steps and whole books as JSON.
#![cfg(feature = "serde")]
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

use croupier_ledger::*;

fn check(step: &Step, expect: &str) {
    let text = serde_json::to_string(step).unwrap();
    assert_eq!(text, expect);
    assert_eq!(&serde_json::from_str::<Step>(&text).unwrap(), step);
}

fn transfer(kind: Kind) -> Transfer {
    let (table, player, round, wager) = (TableId(3), PlayerId(7), RoundId(41), WagerId(2));
    let to = Account::Bet { table, player, round, wager };
    Transfer { id: TransferId(4), from: Account::Chips { table, player }, to, amount: Amount::MAX, kind }
}

#[test]
fn steps_are_written_with_accounts_in_their_notation() {
    check(
        &Step::Batch(vec![Entry::Pending(transfer(Kind::Wager)), Entry::Void { pending: TransferId(4) }]),
        r#"{"batch":[{"pending":{"id":4,"from":"chips:3:7","to":"bet:3:7:41:2","amount":9007199254740991,"kind":"wager"}},{"void":{"pending":4}}]}"#,
    );
    let winnings = Kind::Winnings { round: RoundId(u64::MAX), wager: WagerId(2) };
    check(
        &Step::Batch(vec![Entry::Direct(transfer(winnings))]),
        r#"{"batch":[{"direct":{"id":4,"from":"chips:3:7","to":"bet:3:7:41:2","amount":9007199254740991,"kind":{"winnings":{"round":18446744073709551615,"wager":2}}}}]}"#,
    );
    let occasion = Occasion::Case(CaseId(9));
    let what = Noted::CommissionReturned;
    let note = Note { id: TransferId(5), table: TableId(3), occasion, what, amount: Amount::ZERO };
    check(
        &Step::Batch(vec![Entry::Post { pending: TransferId(4), amount: Amount::ZERO }, Entry::Note(note)]),
        r#"{"batch":[{"post":{"pending":4,"amount":0}},{"note":{"id":5,"table":3,"occasion":{"case":9},"what":"commission-returned","amount":0}}]}"#,
    );
    check(
        &Step::CloseRound { table: TableId(3), round: RoundId(41) },
        r#"{"close-round":{"table":3,"round":41}}"#,
    );
    check(&Step::ForgetThrough(TransferId(4)), r#"{"forget-through":4}"#);
}

#[test]
fn what_is_no_amount_or_account_is_refused() {
    for text in ["-1", "9007199254740992", "1.0", "\"1\"", "null"] {
        assert!(serde_json::from_str::<Amount>(text).is_err(), "{text}");
    }
    let error = serde_json::from_str::<Account>("\"table:03:float\"").unwrap_err().to_string();
    assert!(error.contains("\"03\" in \"table:03:float\" is no id"), "{error}");
    let error = serde_json::from_str::<Account>("\"bank\"").unwrap_err().to_string();
    assert!(error.contains("is no account; the forms are cage"), "{error}");
    let error = serde_json::from_str::<Entry>(r#"{"void":{"pending":4,"by":1}}"#).unwrap_err().to_string();
    assert!(error.contains("unknown field `by`"), "{error}");
}

/// Table 3 has 1,000 in its float and has paid 20 on wager 2 of round 41, which is still pending.
const BOOKS: &str = r#"{"balances":[["cage","-1100","0","0"],["chips:3:7","120","0","30"],["bet:3:7:41:2","0","30","0"],["table:3:float","980","0","0"]],"tallies":[["table:3:supply","1000","0"],["table:3:win","0","20"]],"records":[{"pending":{"id":4,"from":"chips:3:7","to":"bet:3:7:41:2","amount":30,"kind":"wager"}},{"direct":{"id":5,"from":"table:3:float","to":"chips:3:7","amount":20,"kind":{"winnings":{"round":41,"wager":2}}}}],"closed":[[3,40]],"forgotten":3}"#;

#[test]
fn books_are_stored_without_what_follows_from_the_rest() {
    let (table, player, round, wager) = (TableId(3), PlayerId(7), RoundId(41), WagerId(2));
    let (float, chips) = (Account::Float(table), Account::Chips { table, player });
    let bet = Account::Bet { table, player, round, wager };
    let transfer = |id, from, to, minor, kind| Transfer {
        id: TransferId(id),
        from,
        to,
        amount: Amount::new(minor).unwrap(),
        kind,
    };
    let mut ledger = Ledger::default();
    let wallet = Account::Wallet(player);
    ledger
        .apply(&[
            Entry::Direct(transfer(1, Account::Cage, float, 1_000, Kind::Fill)),
            Entry::Direct(transfer(2, Account::Cage, wallet, 100, Kind::Deposit)),
            Entry::Direct(transfer(3, wallet, chips, 100, Kind::BuyIn)),
            Entry::Pending(transfer(4, chips, bet, 30, Kind::Wager)),
            Entry::Direct(transfer(5, float, chips, 20, Kind::Winnings { round, wager })),
        ])
        .unwrap();
    ledger.close_round(table, RoundId(40)).unwrap();
    ledger.forget_through(TransferId(3));
    assert_eq!(serde_json::to_string(&ledger).unwrap(), BOOKS);
    let read: Ledger = serde_json::from_str(BOOKS).unwrap();
    assert_eq!(read, ledger);
    assert_eq!(read.winnings_of(table, round, player, wager), Some(TransferId(5)));
    assert_eq!(read.round_pendings(table, round).count(), 1);
    let empty = r#"{"balances":[],"tallies":[],"records":[],"closed":[],"forgotten":null}"#;
    assert_eq!(serde_json::to_string(&Ledger::default()).unwrap(), empty);
    assert_eq!(serde_json::from_str::<Ledger>(empty).unwrap(), Ledger::default());
}

#[test]
fn books_that_cannot_be_are_not_read() {
    let largest = 1_i128 << 90;
    let check = |from: &str, to: &str, expect: &str| {
        assert!(BOOKS.contains(from), "{from}");
        let error = serde_json::from_str::<Ledger>(&BOOKS.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(expect), "{to}: {error}");
    };
    check("-1100", "-1099", "the books do not balance: all balances add up to 1, not to zero");
    check(r#""0","30"]"#, r#""0","29"]"#, "its open transfers say 0 and 30");
    check(r#""1000","0"]"#, r#""1001","0"]"#, "the float of table 3 is 980");
    check("[3,40]", "[3,41]", "belongs to round 41 of table 3, which is closed");
    check("[3,40]", "[3,40],[3,39]", "3 is there twice");
    check(r#"["chips:3:7","120","0","30"]"#, r#"["cage","120","0","30"]"#, "cage is there twice");
    check("table:3:win", "table:3:supply", "table:3:supply is there twice");
    check("table:3:win", "table:3:luck", "is no memo");
    check(r#""id":5"#, r#""id":4"#, "4 is there twice");
    check("\"closed\"", "\"opened\"", "unknown field `opened`");
    for sum in ["\"+1\"", "\"01\"", "\"-0\"", "\"1.0\"", "\"\""] {
        check("\"980\"", sum, "is no sum");
    }
    check("\"980\"", "980", "invalid type");
    for (sum, expect) in [
        (largest - 1, "do not balance"),
        (largest, "do not balance"),
        (largest + 1, "is no sum"),
        (-largest, "do not balance"),
        (-largest - 1, "is no sum"),
        (i128::MAX, "is no sum"),
        (i128::MIN, "is no sum"),
    ] {
        check("\"980\"", &format!("\"{sum}\""), expect);
    }
    // A wager is paid once.
    let (from, again) = (
        r#""kind":{"winnings":{"round":41,"wager":2}}}}"#,
        r#",{"direct":{"id":6,"from":"table:3:float","to":"chips:3:7","amount":20,"kind":{"winnings":{"round":41,"wager":2}}}}"#,
    );
    check(from, &format!("{from}{again}"), "transfer 6 pays what 5 paid");
}
