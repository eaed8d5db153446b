//! The document of the interface: sound, and the one that the browser UI was made for.
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

use std::collections::BTreeMap;

use serde_json::Value;

#[test]
fn every_operation_has_a_name_of_its_own() {
    let document = serde_json::to_value(croupier_server::api::document()).unwrap();
    let mut named: BTreeMap<String, String> = BTreeMap::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let Some(name) = operation["operationId"].as_str() else { continue };
            let here = format!("{method} {path}");
            assert_eq!(named.insert(name.to_string(), here.clone()), None, "{name} is also {here}");
        }
    }
    assert!(named.len() > 50, "{} operations", named.len());
}

#[test]
fn the_browser_ui_was_made_for_this_interface() {
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/openapi.json");
    let kept: Value = serde_json::from_str(&std::fs::read_to_string(kept).unwrap()).unwrap();
    let now = serde_json::to_value(croupier_server::api::document()).unwrap();
    assert!(
        kept == now,
        "web/openapi.json is not the document of this server; `cargo xtask types` makes it again"
    );
}

fn document() -> Value {
    serde_json::to_value(croupier_server::api::document()).unwrap()
}

/// The official schema of such documents, version 2022-10-07.
const OPENAPI: &str = include_str!("data/openapi-3.1.json");

#[test]
fn the_document_is_valid() {
    let official: Value = serde_json::from_str(OPENAPI).unwrap();
    let validator = jsonschema::draft202012::new(&official).unwrap();
    let mut document = document();
    let faults = |document: &Value| -> Vec<String> {
        validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect()
    };
    assert_eq!(faults(&document), [""; 0]);
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        assert!(jsonschema::draft202012::meta::is_valid(schema), "{name}");
    }
    // It would find what it is for.
    let answer = &mut document["paths"]["/api/tables"]["get"]["responses"]["200"];
    answer.as_object_mut().unwrap().remove("description");
    assert_eq!(faults(&document).len(), 1, "{:?}", faults(&document));
}

/// All schemas of a document, wherever they stand.
fn every<'d>(value: &'d Value, found: &mut Vec<&'d serde_json::Map<String, Value>>) {
    match value {
        Value::Object(fields) => {
            found.push(fields);
            fields.values().for_each(|field| every(field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| every(item, found)),
        _ => {}
    }
}

#[test]
fn every_variant_has_a_title_and_every_number_a_format_that_is_known() {
    let document = document();
    let mut all = Vec::new();
    every(&document, &mut all);
    let mut variants = 0;
    for fields in &all {
        for item in fields.get("oneOf").and_then(Value::as_array).into_iter().flatten() {
            let schema = item["$ref"].as_str().map_or(item, |place| {
                document
                    .pointer(place.trim_start_matches('#'))
                    .unwrap_or_else(|| panic!("{place} leads nowhere"))
            });
            // Those of an enum have a title, and a name among the components.
            let is_inline = item["$ref"].is_null();
            let is_of_enum =
                item["type"] == "object" || item["enum"].as_array().is_some_and(|all| all.len() == 1);
            assert!(!(is_inline && is_of_enum), "{item} has no name");
            variants += usize::from(schema["title"].is_string());
        }
        if let Some(format) = fields.get("format").and_then(Value::as_str) {
            let known = ["int32", "int64", "uint8", "uint16", "uint32", "uint64", "password"];
            assert!(known.contains(&format), "{format}");
        }
    }
    assert!(variants > 350, "{variants} variants with titles");
}

#[test]
fn every_command_has_an_example_that_follows_its_schema() {
    let document = document();
    let mut bodies = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for operation in item.as_object().unwrap().values() {
            let content = &operation["requestBody"]["content"]["application/json"];
            if content.is_null() {
                continue;
            }
            bodies += 1;
            let examples = content["examples"].as_object().unwrap_or_else(|| panic!("{path} has no example"));
            let mut root = content["schema"].clone();
            root["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
            root["components"] = document["components"].clone();
            let validator = jsonschema::draft202012::new(&root).unwrap();
            for (name, example) in examples {
                if let Err(error) = validator.validate(&example["value"]) {
                    panic!("{path}, {name}: {error} at {}", error.instance_path());
                }
            }
        }
    }
    assert!(bodies >= 17, "{bodies}");
    let examples = |path: &str| {
        document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["examples"].clone()
    };
    for (path, part, schema) in [
        ("/api/tables/{table}/commands", "action", "Action"),
        ("/api/cases/{case}/commands", "order", "CaseOrder"),
    ] {
        let shown: BTreeMap<String, Value> = serde_json::from_value(examples(path)).unwrap();
        let shown: Vec<String> = shown
            .values()
            .map(|example| match &example["value"][part] {
                Value::String(word) => word.clone(),
                action => action.as_object().unwrap().keys().next().unwrap().clone(),
            })
            .collect();
        for variant in document["components"]["schemas"][schema]["oneOf"].as_array().unwrap() {
            let variant =
                document.pointer(variant["$ref"].as_str().unwrap().trim_start_matches('#')).unwrap();
            let name = variant["enum"][0].as_str().or_else(|| variant["required"][0].as_str()).unwrap();
            assert!(shown.iter().any(|shown| shown == name), "{path}: no example of {name}");
        }
    }
}

#[test]
fn the_document_says_its_version_and_the_cookie() {
    let document = document();
    assert_eq!(document["info"]["version"], croupier_server::api::version::CURRENT);
    assert_eq!(document["components"]["securitySchemes"]["session"]["name"], "__Host-croupier_session");
}

/// What depends on a code, or is whatever has changed, and can have no form of its own.
const OPEN: [&str; 4] = [
    "/components/schemas/CaseRefusal/properties/parameters",
    "/components/schemas/FromServerChange/properties/change/additionalProperties",
    "/components/schemas/ProblemParameters/additionalProperties",
    "/components/schemas/Refusal/properties/parameters",
];

#[test]
fn whatever_is_answered_has_a_form() {
    let document = serde_json::to_value(croupier_server::api::document()).unwrap();
    let mut found = Vec::new();
    left_open(&document, "", &mut found);
    assert_eq!(found, OPEN);
}

/// The places of schemas that say nothing of what they are for.
fn left_open(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            let mut parts = place.rsplit('/');
            let (name, of) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            let is_schema = matches!(name, "schema" | "items" | "additionalProperties")
                || matches!(of, "properties" | "schemas" | "oneOf" | "anyOf" | "allOf" | "prefixItems");
            let is_object = match &fields.get("type") {
                Some(Value::Array(types)) => types.iter().any(|one| one == "object"),
                Some(one) => *one == "object",
                None => false,
            };
            let says = |names: &[&str]| names.iter().any(|name| fields.contains_key(*name));
            let is_open = match is_object {
                true => !says(&["properties", "additionalProperties"]),
                false => !says(&["type", "$ref", "oneOf", "anyOf", "allOf", "enum", "const"]),
            };
            if is_schema && is_open {
                found.push(place.to_string());
            }
            for (name, field) in fields {
                left_open(field, &format!("{place}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                left_open(item, &format!("{place}/{at}"), found);
            }
        }
        _ => {}
    }
}
