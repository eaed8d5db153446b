//! Wrong documents: a schema takes a document exactly when it can be read.
//!
//! Each example is spoiled in every place in every way there is below, so that no field is forgotten.

use croupier_table::case::{CaseCommand, CaseEvent};
use croupier_table::{Command, Event, Opening};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::{CASE_COMMANDS, CASE_EVENTS, COMMANDS, EVENTS, Schema, lines};

/// What no schema says and only reading can know: which outcomes cards lead to.
const ONLY_READING_KNOWS: &str = "no cards lead to";

fn check<T: DeserializeOwned>(schema: &Schema, document: &Value) -> bool {
    let read = serde_json::from_value::<T>(document.clone());
    let taken = schema.takes(document);
    match read {
        Ok(_) => assert!(taken, "{} refuses what can be read: {document}", schema.name),
        Err(error) => {
            let message = error.to_string();
            if !message.contains(ONLY_READING_KNOWS) {
                assert!(!taken, "{} takes what cannot be read: {document}\n{message}", schema.name);
            }
        }
    }
    taken
}

/// Every document that differs from this one in one place.
fn spoiled(value: &Value) -> Vec<Value> {
    let mut all = vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(255),
        json!(256),
        json!(65_536),
        json!(4_294_967_296_u64),
        json!(9_007_199_254_740_991_i64),
        json!(9_007_199_254_740_992_i64),
        json!(-9_007_199_254_740_992_i64),
        json!(u64::MAX),
        json!(1.5),
        json!(""),
        json!("?"),
        json!("1S"),
        json!("8S"),
        json!("box256"),
        json!("settle"),
        json!({}),
        json!({ "settle": {} }),
    ];
    match value {
        Value::Object(fields) => {
            let with = |name: &str, value: Value| {
                let mut fields: Map<String, Value> = fields.clone();
                fields.insert(name.to_string(), value);
                Value::Object(fields)
            };
            all.push(with("unknown", json!(1)));
            for (name, inner) in fields {
                let mut fewer = fields.clone();
                fewer.remove(name);
                all.push(Value::Object(fewer));
                all.extend(spoiled(inner).into_iter().map(|inner| with(name, inner)));
            }
        }
        Value::Array(items) => {
            let with = |at: usize, value: Vec<Value>| {
                let mut items = items.clone();
                items.splice(at..=at, value);
                Value::Array(items)
            };
            all.push(json!([]));
            for (at, inner) in items.iter().enumerate() {
                all.push(with(at, vec![]));
                all.push(with(at, vec![inner.clone(), inner.clone()]));
                all.extend(spoiled(inner).into_iter().map(|inner| with(at, vec![inner])));
            }
        }
        // A record may be read from a list of its fields; that is serde's own way, and is not promised.
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => all.push(json!([])),
    }
    all
}

fn check_spoiled<T: DeserializeOwned>(name: &'static str, documents: impl Iterator<Item = Value>) {
    let schema = Schema::new(name);
    let (mut taken, mut refused) = (0, 0);
    for document in documents {
        assert!(check::<T>(&schema, &document), "{document}");
        for wrong in spoiled(&document) {
            if check::<T>(&schema, &wrong) { taken += 1 } else { refused += 1 }
        }
    }
    assert!(taken > 20 && refused > 20, "{taken} taken, {refused} refused");
}

#[test]
fn commands_are_refused_as_they_are_read() {
    check_spoiled::<Command>("Command", lines(COMMANDS));
}

#[test]
fn events_are_refused_as_they_are_read() {
    check_spoiled::<Event>("Event", lines(EVENTS));
}

#[test]
fn cases_are_refused_as_they_are_read() {
    check_spoiled::<CaseCommand>("CaseCommand", lines(CASE_COMMANDS));
    check_spoiled::<CaseEvent>("CaseEvent", lines(CASE_EVENTS));
}

#[test]
fn openings_are_refused_as_they_are_read() {
    let opening = json!({
        "game": "hoiana-baccarat/commission",
        "version": "04/01.10.2024",
        "date": "2024-12-01",
        "settings": [
            { "setting": "decks", "value": { "count": 8 } },
            { "setting": "minimum", "bet": "tie", "value": { "money": 10_000 } },
            { "setting": "maximum", "odds": "8:1", "value": { "money": 10_000 } },
            { "setting": "layout", "value": { "word": "A.1" } },
        ],
    });
    check_spoiled::<Opening>("TableOpening", [opening].into_iter());
}

#[test]
fn steps_of_the_ledger_are_refused_as_they_are_read() {
    let transfer = |kind: Value| json!({ "id": 4, "from": "chips:3:7", "to": "bet:3:7:41:2", "amount": 1000, "kind": kind });
    let steps = [
        json!({ "batch": [{ "direct": transfer(json!({ "winnings": { "round": 41, "wager": 2 } })) }] }),
        json!({ "batch": [{ "pending": transfer(json!("wager")) }] }),
        json!({ "batch": [{ "direct": transfer(json!({ "correction": { "case": 9 } })) }] }),
        json!({ "batch": [{ "post": { "pending": 4, "amount": 50 } }, { "void": { "pending": 5 } }] }),
        json!({ "batch": [{ "note": { "id": 6, "table": 3, "occasion": { "round": 41 }, "what": "commission-kept",
            "amount": 50 } }] }),
        json!({ "close-round": { "table": 3, "round": 41 } }),
        json!({ "forget-through": 9 }),
    ];
    check_spoiled::<croupier_ledger::Step>("LedgerStep", steps.into_iter());
}

/// The accounts that there are, and texts that are near to one.
#[test]
fn accounts_are_refused_as_they_are_read() {
    let schema = Schema::new("LedgerAccount");
    let right = [
        "cage",
        "player:7:wallet",
        "chips:3:7",
        "bet:3:7:41:2",
        "reserve:3:7:41:2",
        "table:3:float",
        "table:3:drop",
        "table:3:tips",
        "hold:9",
        "hold:0",
        "hold:4294967295",
    ];
    for text in right {
        assert!(check::<croupier_ledger::Account>(&schema, &json!(text)), "{text}");
    }
    for text in [
        "",
        "cage:1",
        "Cage",
        "player:07:wallet",
        "player:7",
        "chips:3",
        "chips:3:7:1",
        "bet:3:7:41",
        "table:3:win",
        "hold:-1",
        "hold:+1",
        "hold:99999999999",
        "hold:9\n",
        " hold:9",
    ] {
        assert!(!check::<croupier_ledger::Account>(&schema, &json!(text)), "{text}");
    }
}

/// The mistakes that programs make most, by name.
#[test]
fn the_usual_mistakes_are_refused() {
    let schema = Schema::new("Command");
    let command = |action: &str| -> Value {
        serde_json::from_str(&format!(r#"{{"actor":"system","at":1,"action":{action}}}"#)).unwrap()
    };
    for (action, is_right) in [
        (r#"{"sit":{"player":7,"seat":3}}"#, true),
        (r#"{"sit":{"player":7,"seat":3,"chair":1}}"#, false),
        (r#"{"sit":{"player":7,"seat":3},"stand":{"player":7}}"#, false),
        (r#"{"stand":{"player":7}}"#, true),
        (r#"{"stand":{"player":7,"behind":null}}"#, true),
        (r#"{"draw":{"card":"TS","exposed":false}}"#, true),
        (r#"{"draw":{"card":"1S","exposed":false}}"#, false),
        (r#"{"draw":{"card":"TSS","exposed":false}}"#, false),
        (r#"{"place":{"player":7,"bet":0,"amount":9007199254740991,"in_chips":true,"untimed":false}}"#, true),
        (
            r#"{"place":{"player":7,"bet":0,"amount":9007199254740992,"in_chips":true,"untimed":false}}"#,
            false,
        ),
        (r#"{"place":{"player":7,"bet":-1,"amount":1,"in_chips":true,"untimed":false}}"#, false),
        (r#"{"hold-two":["8S","TH"]}"#, true),
        (r#"{"hold-two":["8S"]}"#, false),
        (r#"{"hold-two":["8S","TH","AC"]}"#, false),
        (r#"{"sorted":{"found":{"8S":6,"TH":7},"witness":2}}"#, true),
        (r#"{"sorted":{"found":{"8S":0},"witness":2}}"#, false),
        (r#"{"sorted":{"found":{"8S":256},"witness":2}}"#, false),
        (r#"{"sorted":{"found":{"8X":6},"witness":2}}"#, false),
        (r#"{"load-shoe":{}}"#, true),
        (r#"{"load-shoe":{"commitment":"00"}}"#, false),
        (r#"{"set-hand":{"holder":"box255","set_as":"niu-1"}}"#, true),
        (r#"{"set-hand":{"holder":"box0","set_as":"niu-1"}}"#, false),
        (r#"{"set-hand":{"holder":"box256","set_as":"niu-1"}}"#, false),
        (r#""settle""#, true),
        (r#""settle-up""#, false),
        (r#""Settle""#, false),
    ] {
        assert_eq!(check::<Command>(&schema, &command(action)), is_right, "{action}");
    }
}

/// Views are never read, so that only the schema can say what belongs to one.
#[test]
fn a_view_has_all_its_fields() {
    let schema = Schema::new("Felt");
    let library = croupier_rules::Library::standard();
    let scenario = croupier_rounds::scenarios::STANDARD.first().unwrap();
    let steps = croupier_rounds::run(&library, &scenario.file().unwrap()).steps;
    let Some(croupier_rounds::Step::Opened(opening)) = steps.first() else { panic!("{}", scenario.path) };
    let (rulebook, _) = library.find(&opening.game).unwrap();
    let setup = croupier_table::Setup::new(rulebook, opening).unwrap();
    let table = croupier_table::Table::new(croupier_ledger::TableId(1), std::sync::Arc::new(setup));
    let felt = serde_json::to_value(croupier_table::Views::new(&table).public().felt).unwrap();
    schema.check(&felt);
    let fields = felt.as_object().unwrap();
    for name in fields.keys() {
        let mut fewer = fields.clone();
        fewer.remove(name);
        assert!(!schema.takes(&Value::Object(fewer)), "without {name}");
    }
    for (name, wrong) in [
        ("phase", json!("asleep")),
        ("together", json!([{ "up": "1S" }])),
        ("together", json!(["up"])),
        ("totals", json!([0])),
        ("points", json!([null, 256])),
        ("closed", json!({ "void": null })),
    ] {
        let mut spoiled = fields.clone();
        spoiled.insert(name.to_string(), wrong.clone());
        assert!(!schema.takes(&Value::Object(spoiled)), "{name} {wrong}");
    }
}
