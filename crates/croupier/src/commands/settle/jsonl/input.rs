//! The shape of a line.

use std::borrow::Cow;
use std::fmt;

use croupier_cards::Card;
use croupier_rules::Amount;
use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};

/// A round: baccarat has `cards`, Niu Niu has `hands`.
#[derive(Deserialize)]
pub(super) struct RoundLine<'a> {
    #[serde(borrow)]
    pub(super) game: Cow<'a, str>,
    pub(super) cards: Option<Cards>,
    #[serde(borrow, default)]
    pub(super) hands: Option<Entries<'a, Cards>>,
    #[serde(borrow)]
    pub(super) bets: Entries<'a, Entry<'a>>,
}

/// A stake, or the bets of a box.
pub(super) enum Entry<'a> {
    Stake(Amount),
    Bets(Entries<'a, Stake>),
}

/// A stake: whole, above zero, no larger than the largest amount.
pub(super) struct Stake(pub(super) Amount);

/// Cards in notation.
pub(super) struct Cards(pub(super) Vec<Card>);

/// An object in its own order; a key that comes twice is an error.
pub(super) struct Entries<'a, V>(pub(super) Vec<(Cow<'a, str>, V)>);

/// A key, borrowed where the text allows.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de: 'a, 'a, V: Deserialize<'de>> Deserialize<'de> for Entries<'a, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object<V>(std::marker::PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for Object<V> {
            type Value = Vec<(Cow<'de, str>, V)>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries: Self::Value = Vec::with_capacity(8);
                while let Some(Key(key)) = map.next_key::<Key<'de>>()? {
                    if entries.iter().any(|(known, _)| *known == key) {
                        return Err(de::Error::custom(format_args!("`{key}` is there twice")));
                    }
                    entries.push((key, map.next_value()?));
                }
                Ok(entries)
            }
        }
        deserializer.deserialize_map(Object(std::marker::PhantomData)).map(Entries)
    }
}

const STAKE: &str = "a whole amount above zero, at most 9007199254740991";

fn stake<E: de::Error>(minor: i64) -> Result<Amount, E> {
    Amount::new(minor)
        .filter(|amount| amount.is_positive())
        .ok_or_else(|| E::invalid_value(de::Unexpected::Signed(minor), &STAKE))
}

impl<'de: 'a, 'a> Deserialize<'de> for Entry<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Entry<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{STAKE}, or the bets of a box")
            }
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
                let minor = i64::try_from(value)
                    .map_err(|_| E::invalid_value(de::Unexpected::Unsigned(value), &STAKE))?;
                stake(minor).map(Entry::Stake)
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
                stake(value).map(Entry::Stake)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                Entries::deserialize(de::value::MapAccessDeserializer::new(map)).map(Entry::Bets)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl<'de> Deserialize<'de> for Stake {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Entry::deserialize(deserializer)? {
            Entry::Stake(amount) => Ok(Self(amount)),
            Entry::Bets(_) => Err(de::Error::invalid_type(de::Unexpected::Map, &STAKE)),
        }
    }
}

impl<'de> Deserialize<'de> for Cards {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List;
        impl<'de> Visitor<'de> for List {
            type Value = Vec<Card>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of cards, such as [\"8S\", \"KD\"]")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
                let mut cards = Vec::with_capacity(6);
                while let Some(Key(text)) = items.next_element::<Key<'de>>()? {
                    let card = text.parse().map_err(|error| {
                        de::Error::custom(format_args!("card {} `{text}`: {error}", cards.len() + 1))
                    })?;
                    cards.push(card);
                }
                Ok(cards)
            }
        }
        deserializer.deserialize_seq(List).map(Cards)
    }
}
