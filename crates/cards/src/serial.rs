//! The text form of cards in journals and interfaces: a card is its notation, `"8S"`; a composition lists how
//! many there are of each card, `{"8S":6,"TH":7}`.
//!
//! Reading and writing by notation or by key is the same for every crate above, so the helpers are public.
//! Which bytes are stored and hashed is the journal's business.

use alloc::string::String;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::card::{Card, Rank, Suit};
use crate::composition::Composition;
use crate::hex;

/// Reads a value from its text.
///
/// # Errors
/// When there is no text, or `read` refuses it; its message is kept.
pub fn read_text<'de, D, T, E>(
    deserializer: D,
    expecting: &'static str,
    read: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    E: fmt::Display,
{
    deserializer.deserialize_str(Text { expecting, read, of: PhantomData })
}

/// Reads one of a closed set by its key.
///
/// # Errors
/// When there is no text, or none of the set has that key; the message lists those there are.
pub fn read_key<'de, D: Deserializer<'de>, T: Copy>(
    deserializer: D,
    expecting: &'static str,
    all: &[T],
    key: fn(T) -> &'static str,
) -> Result<T, D::Error> {
    read_text(deserializer, expecting, |text| {
        all.iter().copied().find(|item| key(*item) == text).ok_or_else(|| {
            let mut message =
                alloc::format!("unknown {expecting} `{}`, expected one of", text.escape_debug());
            for (at, item) in all.iter().enumerate() {
                message.push_str(if at == 0 { " `" } else { ", `" });
                message.push_str(key(*item));
                message.push('`');
            }
            message
        })
    })
}

struct Text<R, T> {
    expecting: &'static str,
    read: R,
    of: PhantomData<T>,
}

impl<R, T, E> Visitor<'_> for Text<R, T>
where
    R: FnOnce(&str) -> Result<T, E>,
    E: fmt::Display,
{
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the text of a {}", self.expecting)
    }

    fn visit_str<F: Error>(self, text: &str) -> Result<T, F> {
        (self.read)(text).map_err(F::custom)
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_text(deserializer, "card", str::parse::<Self>)
    }
}

impl Serialize for Rank {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.letter())
    }
}

impl<'de> Deserialize<'de> for Rank {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_letter(deserializer, "rank: A, 2 to 9, T, J, Q or K", Self::from_letter)
    }
}

impl Serialize for Suit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.letter())
    }
}

impl<'de> Deserialize<'de> for Suit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_letter(deserializer, "suit: S, H, C or D", Self::from_letter)
    }
}

fn read_letter<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    expecting: &'static str,
    from_letter: fn(char) -> Option<T>,
) -> Result<T, D::Error> {
    read_text(deserializer, expecting, |text| {
        let mut letters = text.chars();
        let only = letters.next().filter(|_| letters.next().is_none());
        only.and_then(from_letter)
            .ok_or_else(|| alloc::format!("`{}` is no {expecting}", text.escape_debug()))
    })
}

/// `{"8S":6,"TH":7}`, without the cards that are not there.
impl Serialize for Composition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let there = self.counts().filter(|(_, count)| *count > 0);
        let mut map = serializer.serialize_map(Some(there.clone().count()))?;
        for (card, count) in there {
            map.serialize_entry(&card, &count)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Composition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Counts)
    }
}

struct Counts;

impl<'de> Visitor<'de> for Counts {
    type Value = Composition;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("how many there are of each card, as in {\"8S\":6}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Composition, A::Error> {
        let mut composition = Composition::EMPTY;
        while let Some((card, count)) = map.next_entry::<Card, u8>()? {
            if composition.count(card) > 0 {
                return Err(A::Error::custom(format_args!("{card} is counted twice")));
            }
            if count == 0 {
                return Err(A::Error::custom(format_args!("0 of {card}: leave out what is not there")));
            }
            for _ in 0..count {
                composition.add(card).map_err(A::Error::custom)?;
            }
        }
        Ok(composition)
    }
}

/// Thirty-two bytes that may be missing, as 64 hexadecimal digits: for `#[serde(with = "…")]`.
pub mod optional_hex {
    use super::{Deserialize, Deserializer, Error, Serializer, String, hex};

    /// Writes lower-case digits.
    ///
    /// # Errors
    /// The serializer's own.
    pub fn serialize<S: Serializer>(bytes: &Option<[u8; 32]>, serializer: S) -> Result<S::Ok, S::Error> {
        match bytes {
            Some(bytes) => serializer.serialize_some(&hex::encode(bytes)),
            None => serializer.serialize_none(),
        }
    }

    /// Reads digits of either case.
    ///
    /// # Errors
    /// When the text is not 64 hexadecimal digits.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<[u8; 32]>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| hex::decode(&text).map_err(D::Error::custom)).transpose()
    }
}
