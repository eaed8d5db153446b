//! Examples of what is sent, for every body of JSON: those of commands one for each that there is. They are kept as a
//! file of JSON, by operation and name; a test holds them to the schemas.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;
use utoipa::openapi::RefOr;
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::path::Operation;

#[derive(Deserialize)]
struct Example {
    summary: String,
    value: Value,
}

type Named = BTreeMap<String, Example>;

/// A file that cannot be read gives no examples, which the test finds.
static ALL: LazyLock<BTreeMap<String, Named>> =
    LazyLock::new(|| serde_json::from_str(include_str!("examples.json")).unwrap_or_default());

/// Gives the body of an operation its examples.
pub(super) fn put_into(operation: &mut Operation) {
    let named = operation.operation_id.as_ref().and_then(|id| ALL.get(id));
    let (Some(named), Some(RefOr::T(body))) = (named, &mut operation.request_body) else { return };
    for content in body.content.values_mut() {
        if let RefOr::T(content) = content {
            let example = |(name, Example { summary, value }): (&String, &Example)| {
                let example = ExampleBuilder::new().summary(summary).value(Some(value.clone())).build();
                (name.clone(), example.into())
            };
            content.examples = named.iter().map(example).collect();
        }
    }
}
