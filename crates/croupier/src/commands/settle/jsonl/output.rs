//! The shape of an answer.

use std::borrow::Cow;

use croupier_rules::Ratio;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// What became of a line.
#[derive(Serialize)]
#[serde(tag = "status", rename_all = "lowercase")]
pub(super) enum Answer<'a> {
    #[serde(rename = "settled")]
    Baccarat {
        winner: &'static str,
        player_points: u8,
        banker_points: u8,
        player_cards: u8,
        banker_cards: u8,
        natural: bool,
        net: Nets<'a>,
        refused: Texts<'a>,
    },
    #[serde(rename = "settled")]
    NiuNiu {
        dealer: &'static str,
        boxes: Boxes<'a>,
    },
    #[serde(rename = "void")]
    Void {
        reason: String,
        net: Nets<'a>,
        refused: Texts<'a>,
    },
    #[serde(rename = "void")]
    VoidBoxes {
        reason: String,
        boxes: Boxes<'a>,
    },
    Error {
        line: usize,
        message: String,
    },
}

/// Gains and losses by bet, as `num/den`.
#[derive(Default)]
pub(super) struct Nets<'a>(pub(super) Vec<(Cow<'a, str>, Ratio)>);

/// Reasons by bet.
#[derive(Default)]
pub(super) struct Texts<'a>(pub(super) Vec<(Cow<'a, str>, String)>);

/// Answers by box.
#[derive(Default)]
pub(super) struct Boxes<'a>(pub(super) Vec<(Cow<'a, str>, BoxAnswer<'a>)>);

/// What became of a box.
#[derive(Serialize, Default)]
pub(super) struct BoxAnswer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hand: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    pub(super) net: Nets<'a>,
    #[serde(skip_serializing_if = "Texts::is_empty")]
    pub(super) refused: Texts<'a>,
}

impl Texts<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Nets<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (bet, net) in &self.0 {
            map.serialize_entry(bet, &format_args!("{net}"))?;
        }
        map.end()
    }
}

impl Serialize for Texts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(bet, text)| (bet, text)))
    }
}

impl Serialize for Boxes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, answer)| (name, answer)))
    }
}
