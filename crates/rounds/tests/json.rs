//! The text form of commands, events, cases and views: everything that the scenarios do goes to JSON and back
//! unchanged, and one example of each kind is kept, so that a change of the form is noticed.
#![expect(clippy::panic, clippy::unwrap_used, reason = "helpers fail a test by panicking")]

#[path = "json/golden.rs"]
mod golden;
#[path = "json/malformed.rs"]
mod malformed;

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Arc;

use croupier_ledger::TableId;
use croupier_rounds::scenarios::STANDARD;
use croupier_rounds::{Fact, Refused, Step, run};
use croupier_rules::Library;
use croupier_table::case::{CaseChange, CaseOrder, replay};
use croupier_table::{Action, Refusal, Setup, Table, Views, apply, keeps_cites};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The game and the steps of every scenario.
fn journals(library: &Library) -> impl Iterator<Item = (&'static str, Vec<Step>)> {
    STANDARD.iter().map(|scenario| (scenario.path, run(library, &scenario.file().unwrap()).steps))
}

/// The value as JSON, after it came back from it unchanged.
fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> String {
    let text = serde_json::to_string(value).unwrap();
    let back: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(&back, value, "{text}");
    assert_eq!(serde_json::to_string(&back).unwrap(), text);
    text
}

/// The names of all variants, as the type itself lists them to whoever uses another.
fn variants<T: DeserializeOwned + Debug>() -> BTreeSet<String> {
    let message = serde_json::from_str::<T>("\"?\"").unwrap_err().to_string();
    let (_, names) = message.split_once("expected one of ").unwrap();
    names.split('`').skip(1).step_by(2).map(String::from).collect()
}

/// The name of a variant: the text itself, or the only field.
fn variant(value: &Value) -> String {
    match value {
        Value::String(name) => name.clone(),
        Value::Object(fields) if fields.len() == 1 => fields.keys().next().unwrap().clone(),
        other => panic!("{other} is no variant"),
    }
}

fn is_plain(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) => true,
        Value::Number(number) => !number.is_f64(),
        Value::Array(items) => items.iter().all(is_plain),
        Value::Object(fields) => fields.iter().all(|(name, value)| {
            let snake_or_card = name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
            snake_or_card && is_plain(value)
        }),
    }
}

#[test]
fn every_command_and_event_of_the_scenarios_comes_back_unchanged() {
    let (mut actions, mut facts) = (BTreeSet::new(), BTreeSet::new());
    let (mut orders, mut changes) = (BTreeSet::new(), BTreeSet::new());
    let parsed = |text: String| serde_json::from_str::<Value>(&text).unwrap();
    for (_, steps) in journals(&Library::standard()) {
        for step in &steps {
            match step {
                Step::Opened(opening) => assert!(is_plain(&parsed(check(opening)))),
                Step::Table(command, events) => {
                    let command = parsed(check(command));
                    assert!(is_plain(&command), "{command}");
                    actions.insert(variant(&command["action"]));
                    for event in events {
                        let event = parsed(check(event));
                        assert!(is_plain(&event), "{event}");
                        facts.insert(variant(&event["fact"]));
                    }
                }
                Step::Disputed(_, events) | Step::Case(_, events) => {
                    match step {
                        Step::Disputed(opening, _) => assert!(is_plain(&parsed(check(opening)))),
                        Step::Case(command, _) => {
                            orders.insert(variant(&parsed(check(command))["order"]));
                        }
                        Step::Opened(_) | Step::Table(..) => {}
                    }
                    for event in events {
                        changes.insert(variant(&parsed(check(event))["change"]));
                    }
                }
            }
        }
    }
    let missing = |all: BTreeSet<String>, seen: &BTreeSet<String>| -> Vec<String> {
        all.difference(seen).cloned().collect()
    };
    assert_eq!(missing(variants::<Action>(), &actions), [""; 0]);
    assert_eq!(missing(variants::<croupier_table::Fact>(), &facts), [""; 0]);
    assert_eq!(missing(variants::<CaseOrder>(), &orders), [""; 0]);
    assert_eq!(missing(variants::<CaseChange>(), &changes), [""; 0]);
}

/// A journal that was written and read leads to the same table, and every audience's view can be written.
#[test]
fn a_table_replayed_from_text_is_the_same() {
    let library = Library::standard();
    for (path, steps) in journals(&library) {
        let mut tables: Option<(Table, Table, Views)> = None;
        let mut case = Vec::new();
        for step in &steps {
            match step {
                Step::Opened(opening) => {
                    let (rulebook, _) = library.find(&opening.game).unwrap();
                    let open = |opening| Arc::new(Setup::new(rulebook, opening).unwrap());
                    let one = Table::new(TableId(1), open(opening));
                    let other = serde_json::from_str(&serde_json::to_string(opening).unwrap()).unwrap();
                    let views = Views::new(&one);
                    tables = Some((one, Table::new(TableId(1), open(&other)), views));
                }
                Step::Table(_, events) => {
                    let (table, from_text, views) = tables.as_mut().unwrap();
                    let text = serde_json::to_string(events).unwrap();
                    let mut read: Vec<croupier_table::Event> = serde_json::from_str(&text).unwrap();
                    assert_eq!(&read, events, "{path}");
                    // What a replay may leave unread makes no difference.
                    read.iter_mut()
                        .filter(|event| !keeps_cites(&event.fact))
                        .for_each(|event| event.cites.clear());
                    events.iter().for_each(|event| apply(table, event));
                    read.iter().for_each(|event| apply(from_text, event));
                    views.update(table, events);
                    check_views(path, table, views);
                }
                Step::Disputed(_, events) | Step::Case(_, events) => case.extend(events.iter().cloned()),
            }
        }
        if let Some((table, from_text, _)) = tables {
            assert_eq!(table.fingerprint(), from_text.fingerprint(), "{path}");
        }
        if let Some(case) = replay(&case) {
            check(&case);
        }
    }
}

fn check_views(path: &str, table: &Table, views: &Views) {
    let mut shown = vec![
        serde_json::to_value(views.public()).unwrap(),
        serde_json::to_value(views.dealer()).unwrap(),
        serde_json::to_value(views.pit()).unwrap(),
        serde_json::to_value(views.surveillance()).unwrap(),
    ];
    shown.extend(views.players().map(|view| serde_json::to_value(view).unwrap()));
    for view in shown {
        assert!(is_plain(&view), "{path}: {view}");
        assert_eq!(view["felt"]["phase"], table.phase().key());
    }
}

/// Whoever is refused is told the code, the message, its parameters and what it rests on.
#[test]
fn refusals_carry_code_message_parameters_and_cites() {
    let library = Library::standard();
    let mut codes = BTreeSet::new();
    for scenario in STANDARD {
        for event in run(&library, &scenario.file().unwrap()).events.into_iter().flatten() {
            let (code, told) = match event.fact {
                Fact::Refused(Refused::Table(why, _)) => {
                    let refusal = Refusal { why: *why, cites: event.cites };
                    (refusal.code(), serde_json::to_value(&refusal).unwrap())
                }
                Fact::Refused(Refused::Case(refusal)) => {
                    (refusal.code(), serde_json::to_value(&*refusal).unwrap())
                }
                _ => continue,
            };
            assert!(is_plain(&told), "{told}");
            assert_eq!(told["code"], code);
            assert!(told["message"].as_str().is_some_and(|message| !message.is_empty()), "{told}");
            assert!(told["parameters"].is_object() && told["cites"].is_array(), "{told}");
            codes.insert(code);
        }
    }
    assert!(codes.len() > 40, "{codes:?}");
}
