//! The text form of amounts and accounts in journals and interfaces: an amount is its number of minor units,
//! an account its [notation](crate::notation). The other types have their form beside them.

use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::account::Account;
use crate::amount::Amount;

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.minor())
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let minor = i64::deserialize(deserializer)?;
        Self::new(minor).ok_or_else(|| {
            D::Error::custom(format_args!("{minor} is no amount; it lies between 0 and {}", Self::MAX))
        })
    }
}

/// `"bet:3:7:41:2"`
impl Serialize for Account {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Account {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Notation)
    }
}

struct Notation;

impl Visitor<'_> for Notation {
    type Value = Account;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text of an account")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Account, E> {
        text.parse().map_err(E::custom)
    }
}
