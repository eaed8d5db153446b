//! Accounts and memos as text, the messages of refusals, and the canonical bytes.

use crate::support::{dump, entry};
use croupier_ledger::{Account, Ledger, Memo, ParseAccountError};

#[test]
fn an_account_has_one_text() {
    let texts = [
        "cage",
        "player:7:wallet",
        "chips:3:7",
        "bet:3:7:41:2",
        "bet:3:7:18446744073709551615:4294967295",
        "reserve:3:7:41:2",
        "table:0:float",
        "table:3:drop",
        "table:3:tips",
        "hold:9",
    ];
    let accounts = texts.map(|text| text.parse::<Account>().unwrap());
    assert_eq!(accounts.map(|account| account.to_string()), texts);
    assert!(accounts.is_sorted(), "accounts are listed in this order");
    for text in ["table:3:supply", "table:3:win", "table:3:commission", "table:3:rounding"] {
        assert_eq!(text.parse::<Memo>().unwrap().to_string(), text);
        assert!(text.parse::<Account>().is_err());
    }
}

#[test]
fn another_text_is_no_account() {
    for text in [
        "",
        "Cage",
        "cage:",
        "cage:1",
        "player:7",
        "player:7:wallet:",
        "chips:3",
        "chips:3:7:1",
        "bet:3:7:41",
        "bet:3:7:41:2:",
        "bet:3:7:41:2:5",
        "reserve:3:7",
        "table:3",
        "table:3:float:1",
        "hold",
        "hold:1:2",
        "table:3:win:",
    ] {
        assert!(matches!(text.parse::<Account>(), Err(ParseAccountError::UnknownForm { .. })), "{text}");
        assert!(text.parse::<Memo>().is_err(), "{text}");
    }
    for text in ["hold:", "hold:x", "hold:+1", "hold:-1", "hold:01", "hold:00", "hold: 1", "hold:4294967296"]
    {
        assert!(matches!(text.parse::<Account>(), Err(ParseAccountError::BadNumber { .. })), "{text}");
    }
    assert_eq!(
        "table:+3:win".parse::<Memo>().unwrap_err().to_string(),
        "\"+3\" in \"table:+3:win\" is no id; write a decimal number up to 4294967295, without leading zeros"
    );
}

#[test]
fn a_refusal_says_what_would_be_accepted() {
    let mut ledger = Ledger::default();
    ledger.apply(&[entry("1 deposit cage > player:7:wallet 100")]).unwrap();
    for (line, message) in [
        (
            "2 buy-in player:7:wallet > chips:3:7 150",
            "entry 0: player:7:wallet has 100 available; 150 needs 50 more",
        ),
        (
            "2 buy-in player:7:wallet > chips:3:8 50",
            "entry 0: buy-in does not go from player:7:wallet to chips:3:8, \
             but from a wallet to the same player's chips",
        ),
        ("2 wager chips:3:7 > bet:3:7:41:2 50", "entry 0: wager cannot be direct; it must be pending"),
    ] {
        assert_eq!(ledger.apply(&[entry(line)]).unwrap_err().to_string(), message);
    }
}

/// A change of these bytes changes the hash of every stored state.
#[test]
fn the_canonical_bytes_stay() {
    let mut ledger = Ledger::default();
    ledger.apply(&[entry("5 fill cage > table:3:float 258")]).unwrap();
    let mut expect = b"croupier-ledger 1\n".to_vec();
    let part = |expect: &mut Vec<u8>, count: u64| expect.extend(count.to_be_bytes());
    part(&mut expect, 2);
    expect.push(0);
    expect.extend([-258_i128, 0, 0].iter().flat_map(|sum| sum.to_be_bytes()));
    expect.extend([5, 0, 0, 0, 3]);
    expect.extend([258_i128, 0, 0].iter().flat_map(|sum| sum.to_be_bytes()));
    part(&mut expect, 1);
    expect.extend([0, 0, 0, 0, 3]);
    expect.extend([258_i128, 0].iter().flat_map(|sum| sum.to_be_bytes()));
    part(&mut expect, 1);
    expect.extend([0, 0, 0, 0, 0, 0, 0, 0, 5]);
    expect.extend([0, 5, 0, 0, 0, 3]);
    expect.extend(258_i128.to_be_bytes());
    expect.push(7);
    part(&mut expect, 0);
    expect.push(0);
    assert_eq!(dump(&ledger), expect);
}
