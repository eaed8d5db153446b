//! The document of the interface: sound, and the one that the browser UI was made for.

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

/// What depends on a code, or is whatever has changed, and can have no form of its own.
const OPEN: [&str; 4] = [
    "/components/schemas/CaseRefusal/properties/parameters",
    "/components/schemas/FromServer/oneOf/1/properties/change/additionalProperties",
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
