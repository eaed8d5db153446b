//! Makes derived schemas say what reading and writing really do: unknown fields are refused, a number has the
//! bounds of its type, a pair has two items, and what is only written has all its fields.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{
    AdditionalProperties, AnyOfBuilder, Array, ArrayItems, KnownFormat, Object, Schema, SchemaFormat,
    SchemaType, Type,
};
use utoipa::{Number, ToSchema};

/// Schemas by name.
pub type Schemas = BTreeMap<String, RefOr<Schema>>;

/// Schemas as they are derived, by what is done with the types.
#[derive(Default)]
pub(super) struct Collected {
    read: Vec<(String, RefOr<Schema>)>,
    written: Vec<(String, RefOr<Schema>)>,
}

impl Collected {
    /// A type that is read, and everything in it.
    pub(super) fn read<T: ToSchema + Serialize + DeserializeOwned>(&mut self) {
        collect::<T>(&mut self.read);
    }

    /// A type that is only written, and everything in it.
    pub(super) fn written<T: ToSchema + Serialize>(&mut self) {
        collect::<T>(&mut self.written);
    }

    /// The schemas put right. What is both read and written has the form that can be read.
    pub(super) fn finish(self) -> Schemas {
        let written = self.written.into_iter().map(|named| (named, Use::Written));
        let read = self.read.into_iter().map(|named| (named, Use::Read));
        let put_right = |((name, mut schema), usage): ((String, RefOr<Schema>), Use)| {
            usage.put_right(&mut schema);
            (name, schema)
        };
        written.chain(read).map(put_right).collect()
    }

    /// The names that stand for more than one schema.
    #[cfg(test)]
    fn clashes(&self) -> Vec<&str> {
        let all = || self.read.iter().chain(&self.written);
        all()
            .filter(|(name, schema)| all().any(|(other, another)| name == other && schema != another))
            .map(|(name, _)| name.as_str())
            .collect()
    }
}

/// Puts right what is wrong with a schema whoever made it: the bounds and formats of numbers, and pairs.
pub fn numbers_and_pairs(schema: &mut RefOr<Schema>) {
    Use::Elsewhere.put_right(schema);
}

fn collect<T: ToSchema>(into: &mut Vec<(String, RefOr<Schema>)>) {
    into.push((T::name().into_owned(), T::schema()));
    T::schemas(into);
}

/// What is done with a type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Everything that is read refuses unknown fields, and may leave out what is optional.
    Read,
    /// What is only written always has the same fields; there may be more of them one day.
    Written,
    /// Whoever described it said which fields it has.
    Elsewhere,
}

impl Use {
    fn put_right(self, schema: &mut RefOr<Schema>) {
        if let RefOr::T(schema) = schema {
            self.put_right_here(schema);
        }
    }

    fn put_right_here(self, schema: &mut Schema) {
        match schema {
            Schema::Object(object) => self.object(object),
            Schema::Array(array) => self.array(array),
            Schema::OneOf(one_of) => one_of.items.iter_mut().for_each(|item| self.put_right(item)),
            Schema::AllOf(all_of) => all_of.items.iter_mut().for_each(|item| self.put_right(item)),
            Schema::AnyOf(any_of) => any_of.items.iter_mut().for_each(|item| self.put_right(item)),
            // The enum of another crate may grow.
            _ => {}
        }
    }

    fn object(self, object: &mut Object) {
        bound(object);
        object.properties.values_mut().for_each(|property| self.put_right(property));
        if let Some(AdditionalProperties::RefOr(others)) = object.additional_properties.as_deref_mut() {
            self.put_right(others);
        }
        if object.properties.is_empty() {
            return;
        }
        match self {
            Self::Read => {
                object.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
            }
            Self::Written => object.required = object.properties.keys().cloned().collect(),
            Self::Elsewhere => {}
        }
    }

    fn array(self, array: &mut Array) {
        if !array.prefix_items.is_empty() {
            let length = array.prefix_items.len();
            (array.min_items, array.max_items) = (Some(length), Some(length));
            array.prefix_items.iter_mut().for_each(|item| self.put_right_here(item));
            array.items = any_of(&array.prefix_items);
        }
        if let ArrayItems::RefOrSchema(items) = &mut array.items {
            self.put_right(items);
        }
    }
}

/// What every item of a pair is one of. That there are no more items is said by their number: generators of clients
/// do not read `false` in the place of a schema.
fn any_of(items: &[Schema]) -> ArrayItems {
    let alike = items.first().filter(|first| items.iter().all(|item| item == *first));
    let each = match alike {
        Some(item) => item.clone(),
        None => items.iter().cloned().fold(AnyOfBuilder::new(), AnyOfBuilder::item).build().into(),
    };
    ArrayItems::RefOrSchema(Box::new(each.into()))
}

/// Gives an unsigned number the bounds of its type. The derive tells the types apart by their formats, whose
/// usual names are others.
fn bound(object: &mut Object) {
    let (format, most) = match object.format {
        Some(SchemaFormat::KnownFormat(KnownFormat::UInt8)) => ("uint8", u64::from(u8::MAX)),
        Some(SchemaFormat::KnownFormat(KnownFormat::UInt16)) => ("uint16", u64::from(u16::MAX)),
        Some(SchemaFormat::KnownFormat(KnownFormat::UInt32)) => ("uint32", u64::from(u32::MAX)),
        Some(SchemaFormat::KnownFormat(KnownFormat::UInt64)) => ("uint64", u64::MAX),
        // Places in lists have no format of their own.
        None if is_integer(object) && object.minimum.is_some() && object.maximum.is_none() => {
            ("uint64", u64::MAX)
        }
        _ => return,
    };
    object.format = Some(SchemaFormat::Custom(format.to_string()));
    object.minimum.get_or_insert(Number::UInt(0));
    object.maximum.get_or_insert(Number::UInt(usize::try_from(most).unwrap_or(usize::MAX)));
}

fn is_integer(object: &Object) -> bool {
    match &object.schema_type {
        SchemaType::Type(only) => *only == Type::Integer,
        SchemaType::Array(types) => types.contains(&Type::Integer),
        SchemaType::AnyValue => false,
    }
}

#[cfg(test)]
mod tests {
    use utoipa::PartialSchema;

    use super::super::collected;
    use crate::phase::Phase;

    #[test]
    fn a_name_stands_for_one_schema() {
        let mut all = collected();
        assert_eq!(all.clashes(), [""; 0]);
        all.written.push(("Method".to_string(), Phase::schema()));
        assert!(all.clashes().contains(&"Method"));
    }
}
