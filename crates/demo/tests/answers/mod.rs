//! Holds answers to the document of the interface: whatever is answered in JSON has the schema that is told there.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use jsonschema::Validator;
use serde_json::{Value, json};

static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::to_value(croupier_server::api::document()).unwrap());
static KNOWN: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// Fails if an answer is none that the document tells of.
pub(crate) fn check(method: &str, path: &str, status: u16, body: &Value) {
    let path = path.split('?').next().unwrap();
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let Some((template, item)) = paths.iter().find(|(template, _)| is_of(template, path)) else {
        return;
    };
    let what = format!("{method} {template} {status}");
    let answer = &item[method.to_lowercase()]["responses"][status.to_string()];
    assert!(answer.is_object(), "the document knows no {what}: {body}");
    let content = answer["content"].as_object();
    let schemas = content.into_iter().flatten().filter(|(kind, _)| kind.ends_with("json"));
    let Some(schema) = schemas.map(|(_, content)| &content["schema"]).next() else { return };
    if let Err(error) = validator(&what, schema).validate(body) {
        panic!("{what}: {error} at {}\n{body}", error.instance_path());
    }
}

fn is_of(template: &str, path: &str) -> bool {
    let (mut named, mut given) = (template.split('/'), path.split('/'));
    loop {
        match (named.next(), given.next()) {
            (None, None) => return true,
            (Some(name), Some(part)) if name == part || name.starts_with('{') && !part.is_empty() => {}
            _ => return false,
        }
    }
}

fn validator(what: &str, schema: &Value) -> Arc<Validator> {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let made = known.entry(what.to_string()).or_insert_with(|| {
        let root = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "allOf": [schema],
            "components": DOCUMENT["components"],
        });
        Arc::new(jsonschema::draft202012::new(&root).unwrap())
    });
    Arc::clone(made)
}
