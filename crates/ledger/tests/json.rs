//! Ids, amounts, accounts, entries and steps as JSON.
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
