//! The text form of what has a text of its own: phases, methods, holders of hands, sets, refusals. Commands,
//! events and views are plain records and have their form beside their types.
//!
//! An enum is written as `"settle"`, or as an object with one field, `{"sit":{"player":7,"seat":3}}`. What is
//! not there is left out of commands and events, and is `null` in views, whose shape stays the same. Places
//! of bets, lines and clauses belong to the rulebook that the journal names.

use core::fmt;

use croupier_cards::serial::{read_key, read_text};
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::case::{CaseAct, CaseRefusal, CaseState};
use crate::command::Holder;
use crate::phase::Phase;
use crate::refusal::Refusal;
use crate::setup::Method;
use crate::view::set::{Listed, Set};

macro_rules! by_key {
    ($($type:ty = $what:literal;)+) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.key())
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                read_key(deserializer, $what, Self::ALL.as_ref(), Self::key)
            }
        }
    )+};
}

by_key! {
    Method = "method";
    Phase = "phase";
    CaseState = "state of a case";
    CaseAct = "act";
}

/// `"box1"`, `"dealer"`
impl Serialize for Holder {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Box(number) => serializer.collect_str(&format_args!("box{number}")),
            Self::Dealer => serializer.serialize_str("dealer"),
        }
    }
}

impl<'de> Deserialize<'de> for Holder {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_text(deserializer, "holder of a hand", |text| {
            let number = text.strip_prefix("box").filter(|number| !number.starts_with(['0', '+']));
            match (text, number.and_then(|number| number.parse().ok())) {
                ("dealer", _) => Ok(Self::Dealer),
                (_, Some(number)) => Ok(Self::Box(number)),
                (_, None) => Err(format!(
                    "`{}` holds no hand; write `dealer`, or `box1` to `box255`",
                    text.escape_debug()
                )),
            }
        })
    }
}

/// Those that are in, as a list.
impl<T: Listed + Serialize> Serialize for Set<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// `{"code":"seat-taken","message":"seat 3 is taken","parameters":{"seat":3},"cites":[]}`
impl Serialize for Refusal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        refusal(serializer, self.code(), &self.why, &self.why, &self.cites)
    }
}

/// As a [`Refusal`]: code, message, parameters, cites.
impl Serialize for CaseRefusal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        refusal(serializer, self.code(), self, &self.parameters(), self.cites())
    }
}

fn refusal<S: Serializer>(
    serializer: S,
    code: &'static str,
    message: &dyn fmt::Display,
    parameters: &impl Serialize,
    cites: &[croupier_rules::Basis],
) -> Result<S::Ok, S::Error> {
    let mut told = serializer.serialize_struct("Refusal", 4)?;
    told.serialize_field("code", code)?;
    told.serialize_field("message", &message.to_string())?;
    told.serialize_field("parameters", parameters)?;
    told.serialize_field("cites", cites)?;
    told.end()
}

/// Sums that may be larger than programs in other languages hold exactly, as decimal text: for
/// `#[serde(with = "…")]`.
pub(crate) mod sums {
    use croupier_cards::serial::read_text;
    use serde::de::{Deserialize, Deserializer};
    use serde::ser::Serializer;

    struct Sum(i128);

    impl<'de> Deserialize<'de> for Sum {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            read_text(deserializer, "sum", |text| {
                let sum = text.parse().ok().filter(|sum: &i128| sum.to_string() == text);
                sum.map(Self).ok_or_else(|| format!("`{}` is no whole number", text.escape_debug()))
            })
        }
    }

    pub(crate) fn serialize<S: Serializer>(sums: &[i128], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(sums.iter().map(i128::to_string))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<i128>, D::Error> {
        let sums = Vec::<Sum>::deserialize(deserializer)?;
        Ok(sums.into_iter().map(|Sum(sum)| sum).collect())
    }
}
