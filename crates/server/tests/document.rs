//! The document of the interface: sound, and the one that the browser UI was made for.

use std::collections::BTreeMap;

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
    let kept: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(kept).unwrap()).unwrap();
    let now = serde_json::to_value(croupier_server::api::document()).unwrap();
    assert!(
        kept == now,
        "web/openapi.json is not the document of this server; `cargo xtask types` makes it again"
    );
}
