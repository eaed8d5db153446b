//! The schemas of the interface: whatever is written follows them, and they refuse what reading refuses.
#![expect(clippy::panic, clippy::unwrap_used, reason = "helpers fail a test by panicking")]

#[path = "openapi/planted.rs"]
mod planted;

use std::collections::BTreeSet;
use std::sync::Arc;

use croupier_ledger::TableId;
use croupier_rounds::scenarios::STANDARD;
use croupier_rounds::{Fact, Refused, Step, run};
use croupier_rules::Library;
use croupier_table::case::{entries, legal, replay};
use croupier_table::openapi::schemas;
use croupier_table::{Refusal, Setup, Table, Views, apply};
use jsonschema::Validator;
use serde::Serialize;
use serde_json::{Value, json};

const COMMANDS: &str = include_str!("data/commands.jsonl");
const EVENTS: &str = include_str!("data/events.jsonl");
const CASE_COMMANDS: &str = include_str!("data/case-commands.jsonl");
const CASE_EVENTS: &str = include_str!("data/case-events.jsonl");

/// Checks values against one of the schemas.
struct Schema {
    name: &'static str,
    validator: Validator,
}

impl Schema {
    fn new(name: &'static str) -> Self {
        let root = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$ref": format!("#/components/schemas/{name}"),
            "components": { "schemas": schemas() },
        });
        Self { name, validator: jsonschema::draft202012::new(&root).unwrap() }
    }

    fn takes(&self, value: &Value) -> bool {
        self.validator.is_valid(value)
    }

    fn check<T: Serialize>(&self, value: &T) {
        let value = serde_json::to_value(value).unwrap();
        if let Err(error) = self.validator.validate(&value) {
            panic!("{}: {error} at {}\n{value}", self.name, error.instance_path());
        }
    }
}

fn lines(file: &str) -> impl Iterator<Item = Value> {
    file.lines().map(|line| serde_json::from_str(line).unwrap())
}

#[test]
fn names_are_words_and_lead_somewhere() {
    let all = serde_json::to_value(schemas()).unwrap();
    let names: BTreeSet<&str> = all.as_object().unwrap().keys().map(String::as_str).collect();
    for name in &names {
        let is_pascal = name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric());
        assert!(is_pascal, "{name}");
    }
    let text = all.to_string();
    let used: BTreeSet<&str> =
        text.split("\"#/components/schemas/").skip(1).map(|rest| rest.split_once('"').unwrap().0).collect();
    assert_eq!(used.difference(&names).collect::<Vec<_>>(), [""; 0].iter().collect::<Vec<_>>());
    for name in ["Command", "Event", "TableOpening", "CaseOpening", "PitView", "Amount", "LedgerAmount"] {
        assert!(names.contains(name), "{name}");
    }
}

#[test]
fn numbers_have_the_bounds_of_their_types() {
    let all = serde_json::to_value(schemas()).unwrap();
    let check = |name: &str, bounds: (i64, u64)| {
        let schema = &all[name];
        assert_eq!(
            (schema["minimum"].as_i64(), schema["maximum"].as_u64()),
            (Some(bounds.0), Some(bounds.1)),
            "{schema}"
        );
    };
    check("Amount", (-9_007_199_254_740_991, 9_007_199_254_740_991));
    check("LedgerAmount", (0, 9_007_199_254_740_991));
    check("StaffRank", (0, 255));
    check("PlayerId", (0, 4_294_967_295));
    check("TransferId", (0, 18_446_744_073_709_551_615));
    fn unbounded(name: &str, schema: &Value, found: &mut Vec<String>) {
        if let Value::Object(fields) = schema {
            let kind = &fields.get("type").cloned().unwrap_or_default();
            let is_integer = *kind == json!("integer") || *kind == json!(["integer", "null"]);
            if is_integer && !(fields.contains_key("minimum") && fields.contains_key("maximum")) {
                found.push(name.to_string());
            }
            fields.iter().for_each(|(name, inner)| unbounded(name, inner, found));
        } else if let Value::Array(items) = schema {
            items.iter().for_each(|inner| unbounded(name, inner, found));
        }
    }
    let mut found = Vec::new();
    unbounded("", &all, &mut found);
    // It has 128 bits, because the sum of all that a house can lose may exceed the largest amount.
    assert_eq!(found, ["liability"]);
}

#[test]
fn the_examples_follow_the_schemas() {
    for (name, file) in
        [("Command", COMMANDS), ("Event", EVENTS), ("CaseCommand", CASE_COMMANDS), ("CaseEvent", CASE_EVENTS)]
    {
        let schema = Schema::new(name);
        lines(file).for_each(|line| schema.check(&line));
    }
}

/// The schemas of what every audience sees.
struct Shown {
    public: Schema,
    player: Schema,
    dealer: Schema,
    pit: Schema,
    surveillance: Schema,
}

impl Shown {
    fn new() -> Self {
        Self {
            public: Schema::new("PublicView"),
            player: Schema::new("PlayerView"),
            dealer: Schema::new("DealerView"),
            pit: Schema::new("PitView"),
            surveillance: Schema::new("SurveillanceView"),
        }
    }

    fn check(&self, views: &Views) {
        self.public.check(&views.public());
        self.dealer.check(&views.dealer());
        self.pit.check(&views.pit());
        self.surveillance.check(&views.surveillance());
        views.players().for_each(|view| self.player.check(&view));
    }
}

#[test]
fn whatever_the_scenarios_write_follows_the_schemas() {
    let [opening, command, event] = ["TableOpening", "Command", "Event"].map(Schema::new);
    let [case_opening, case_command, case_event, case_itself, possible, entry] =
        ["CaseOpening", "CaseCommand", "CaseEvent", "Case", "CasePossible", "LedgerEntry"].map(Schema::new);
    let [refusal, case_refusal] = ["Refusal", "CaseRefusal"].map(Schema::new);
    let shown = Shown::new();
    let library = Library::standard();
    for (at, scenario) in STANDARD.iter().enumerate() {
        let report = run(&library, &scenario.file().unwrap());
        let mut table: Option<(Table, Views)> = None;
        let mut disputed = Vec::new();
        for step in &report.steps {
            match step {
                Step::Opened(asked) => {
                    opening.check(asked);
                    let (rulebook, _) = library.find(&asked.game).unwrap();
                    let new = Table::new(TableId(1), Arc::new(Setup::new(rulebook, asked).unwrap()));
                    let views = Views::new(&new);
                    table = Some((new, views));
                }
                Step::Table(asked, events) => {
                    command.check(asked);
                    events.iter().for_each(|happened| event.check(happened));
                    let (table, views) = table.as_mut().unwrap();
                    events.iter().for_each(|event| apply(table, event));
                    views.update(table, events);
                    // A few dozen scenarios show every step; all of them would take much longer.
                    if at % 8 == 0 {
                        shown.check(views);
                    }
                }
                Step::Disputed(asked, _) => case_opening.check(asked),
                Step::Case(asked, _) => case_command.check(asked),
            }
            if let Step::Disputed(_, events) | Step::Case(_, events) = step {
                disputed.extend(events.iter().cloned());
                events.iter().for_each(|happened| case_event.check(happened));
                events.iter().flat_map(entries).for_each(|posted| entry.check(&posted));
                let case = replay(&disputed).unwrap();
                case_itself.check(&case);
                let (table, _) = table.as_ref().unwrap();
                legal(table.setup.authority(), &case).iter().for_each(|act| possible.check(act));
            }
        }
        if let Some((_, views)) = &table {
            shown.check(views);
        }
        for told in report.events.into_iter().flatten() {
            match told.fact {
                Fact::Refused(Refused::Table(why, _)) => {
                    refusal.check(&Refusal { why: *why, cites: told.cites });
                }
                Fact::Refused(Refused::Case(why)) => case_refusal.check(&*why),
                _ => {}
            }
        }
    }
}
