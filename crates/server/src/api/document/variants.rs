//! Variants of enums under names of their own: generators make a type of each, and readers of the document find them
//! by name. `{"sit": {…}}` of `Action` is `ActionSit`.

use std::collections::BTreeMap;

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AdditionalProperties, ArrayItems, Object, Ref, Schema, SchemaType, Type};

/// Gives all variants a title, and a place among the components.
pub(super) fn named(schemas: &mut BTreeMap<String, RefOr<Schema>>) {
    let mut found = Vec::new();
    for (name, schema) in &mut *schemas {
        if let RefOr::T(schema) = schema {
            search(name, schema, &mut found);
        }
    }
    schemas.extend(found);
}

type Found = Vec<(String, RefOr<Schema>)>;

fn search(parent: &str, schema: &mut Schema, found: &mut Found) {
    match schema {
        Schema::OneOf(one_of) => one_of.items.iter_mut().for_each(|item| variant(parent, item, found)),
        Schema::AnyOf(any_of) => any_of.items.iter_mut().for_each(|item| variant(parent, item, found)),
        Schema::AllOf(all_of) => all_of.items.iter_mut().for_each(|item| inner(parent, item, found)),
        Schema::Object(object) => {
            object.properties.values_mut().for_each(|property| inner(parent, property, found));
            if let Some(AdditionalProperties::RefOr(others)) = object.additional_properties.as_deref_mut() {
                inner(parent, others, found);
            }
        }
        Schema::Array(array) => {
            if let ArrayItems::RefOrSchema(items) = &mut array.items {
                inner(parent, items, found);
            }
        }
        // The enum of another crate may grow.
        _ => {}
    }
}

fn inner(parent: &str, schema: &mut RefOr<Schema>, found: &mut Found) {
    if let RefOr::T(schema) = schema {
        search(parent, schema, found);
    }
}

fn variant(parent: &str, item: &mut RefOr<Schema>, found: &mut Found) {
    let RefOr::T(schema) = item else { return };
    let title = match schema {
        Schema::Object(object) => object.title.clone().or_else(|| title(parent, object)),
        _ => None,
    };
    let Some(title) = title else {
        search(parent, schema, found);
        return;
    };
    search(&title, schema, found);
    if let Schema::Object(object) = schema {
        object.title = Some(title.clone());
    }
    let named = core::mem::replace(item, Ref::from_schema_name(&title).into());
    found.push((title, named));
}

/// The name of a variant: its only word, its only field, or the word in the field that tells variants apart.
fn title(parent: &str, object: &Object) -> Option<String> {
    let named = |name: &str| Some(format!("{parent}{}", pascal(name)));
    if let Some(word) = only_word(object) {
        return named(word);
    }
    if object.schema_type != SchemaType::Type(Type::Object) {
        return None;
    }
    if object.properties.len() == 1 {
        return object.properties.keys().next().and_then(|name| named(name));
    }
    object.properties.values().find_map(|property| match property {
        RefOr::T(Schema::Object(tag)) => only_word(tag).and_then(named),
        _ => None,
    })
}

fn only_word(object: &Object) -> Option<&str> {
    match object.enum_values.as_deref() {
        Some([word]) => word.as_str(),
        _ => None,
    }
}

/// `sign-on` as `SignOn`.
fn pascal(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    name.split(['-', '_']).map(capital).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_for_one_schema() {
        let mut schemas = croupier_table::openapi::schemas();
        let mut found = Vec::new();
        for (name, schema) in &mut schemas {
            inner(name, schema, &mut found);
        }
        assert!(found.len() > 200, "{}", found.len());
        for (name, schema) in &found {
            assert!(!schemas.contains_key(name), "{name}");
            assert!(found.iter().all(|(other, another)| name != other || schema == another), "{name}");
        }
    }

    #[test]
    fn names_are_words_with_capitals() {
        assert_eq!(pascal("sign-on"), "SignOn");
        assert_eq!(pascal("double_read"), "DoubleRead");
    }
}
