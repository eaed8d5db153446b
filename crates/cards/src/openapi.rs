//! The schemas of cards, beside their text form in [`serial`](crate::serial).
//!
//! What the crates above write as a text or by key has its schema by the same helpers, so they are public.
//! Types that are plain records derive theirs.

use alloc::borrow::Cow;

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{Object, ObjectBuilder, Schema, Type};
use utoipa::{Number, PartialSchema, ToSchema};

use crate::card::Card;
use crate::composition::Composition;

/// A text that matches a pattern.
#[must_use]
pub fn text(description: &str, pattern: &str, example: &str) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(description))
        .pattern(Some(pattern))
        .examples([example])
        .build()
}

/// One of a closed set of texts.
#[must_use]
pub fn one_of(description: &str, keys: impl IntoIterator<Item = &'static str>) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(description))
        .enum_values(Some(keys))
        .build()
}

/// A whole number between two others, both included.
#[must_use]
pub fn integer(description: &str, from: i64, to: i64) -> Object {
    let number = |bound: i64| isize::try_from(bound).ok().map(Number::Int);
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .description(Some(description))
        .minimum(number(from))
        .maximum(number(to))
        .build()
}

/// Only what is written is promised: that cards are read leniently serves people, who write by hand.
impl PartialSchema for Card {
    fn schema() -> RefOr<Schema> {
        text("A card: its rank, then its suit.", "^[A23456789TJQK][SHCD]$", "8S").into()
    }
}

impl ToSchema for Card {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Card")
    }
}

impl PartialSchema for Composition {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Object)
            .description(Some("How many there are of each card, without those that are not there."))
            .property_names(Some(text("A card.", "^[A23456789TJQK][SHCD]$", "8S")))
            .additional_properties(Some(Schema::Object(integer("How many.", 1, 255))))
            .into()
    }
}

impl ToSchema for Composition {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Composition")
    }
}
