//! The text form of amounts, odds, outcomes and names in journals and interfaces.
//!
//! Names are the keys that rulebooks and round files use, so that there is one list of them. What is a plain
//! record of such values has its form beside its type.

pub(crate) mod condition;

use alloc::format;
use alloc::string::{String, ToString};

use croupier_cards::serial::{read_key, read_text};
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::authority::Power;
use crate::baccarat::condition::Whose;
use crate::baccarat::insurance::Stage;
use crate::baccarat::{Burn, CardPlace, Outcome, Side, Winner};
use crate::irregularity::{AllWithdraw, Irregularity, Remedy, ShoeFate};
use crate::money::Amount;
use crate::niu_niu::{BoxWinner, Category};
use crate::odds::Odds;
use crate::ratio::Ratio;
use crate::roads::{Bead, BigRoadEntry, Cell, Colour, DerivedRoad, Grid, Roads};
use crate::setting::Setting;
use crate::settle::End;

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
    Side = "hand";
    Winner = "winner";
    CardPlace = "place in a hand";
    Whose = "choice of hands";
    Stage = "insurance stage";
    Irregularity = "irregularity";
    Remedy = "remedy";
    ShoeFate = "fate of the shoe";
    AllWithdraw = "choice when all withdraw";
    Power = "power";
    Setting = "setting";
    Category = "category";
    BoxWinner = "winner of a box";
    End = "end of a wager";
}

/// A whole number of minor units.
impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.minor())
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let minor = i64::deserialize(deserializer)?;
        Self::new(minor).ok_or_else(|| {
            let most = Self::MAX;
            D::Error::custom(format_args!("{minor} is not an amount; it lies between -{most} and {most}"))
        })
    }
}

/// `"19:20"`
impl Serialize for Odds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Odds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_text(deserializer, "odds", str::parse::<Self>)
    }
}

/// `3`, or `"first-card"`; only written.
impl Serialize for Burn {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Cards(cards) => serializer.serialize_u32(*cards),
            Self::FirstCard => serializer.serialize_str(Self::FIRST_CARD),
        }
    }
}

/// `"19/20"`
impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Ratio {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_text(deserializer, "fraction", |text| {
            let fault = || {
                format!("`{}` is not a fraction in lowest terms; write it as `19/20`", text.escape_debug())
            };
            let (above, below) = text.split_once('/').ok_or_else(fault)?;
            let above: i128 = above.parse().ok().filter(|above| *above > i128::MIN).ok_or_else(fault)?;
            let below: i128 = below.parse().ok().filter(|below| *below > 0).ok_or_else(fault)?;
            // One value has one text.
            Some(Self::new(above, below)).filter(|ratio| ratio.to_string() == text).ok_or_else(fault)
        })
    }
}

/// The features of an outcome, as `settle --jsonl` names them too.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "the features of an outcome")]
struct Features {
    player_points: u8,
    banker_points: u8,
    player_cards: u8,
    banker_cards: u8,
    player_pair: bool,
    banker_pair: bool,
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let features = Features {
            player_points: self.points(Side::Player),
            banker_points: self.points(Side::Banker),
            player_cards: self.cards(Side::Player),
            banker_cards: self.cards(Side::Banker),
            player_pair: self.is_pair(Side::Player),
            banker_pair: self.is_pair(Side::Banker),
        };
        features.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Outcome {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Features { player_points, banker_points, player_cards, banker_cards, player_pair, banker_pair } =
            Features::deserialize(deserializer)?;
        let outcome =
            Self::new(player_points, banker_points, player_cards, banker_cards, player_pair, banker_pair);
        outcome.filter(|outcome| outcome.is_reachable()).ok_or_else(|| {
            D::Error::custom(format_args!(
                "no cards lead to {player_points}–{banker_points} with {player_cards} and {banker_cards} \
                 cards, Player pair {player_pair}, Banker pair {banker_pair}"
            ))
        })
    }
}

/// The beads as letters, the places of all entries on the roads, and what the next hand would add to the derived ones;
/// only written, for it follows from the beads.
impl Serialize for Roads {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bead: String = self.bead().iter().map(|Bead { mark }| mark.letter()).collect();
        #[derive(serde::Serialize)]
        struct Next {
            player: [Option<Colour>; 3],
            banker: [Option<Colour>; 3],
        }
        let next = Next { player: self.what_if(Winner::Player), banker: self.what_if(Winner::Banker) };
        let mut roads = serializer.serialize_struct("Roads", 8)?;
        roads.serialize_field("bead", &bead)?;
        roads.serialize_field("counts", &self.counts())?;
        roads.serialize_field("leading_ties", &self.leading_ties())?;
        roads.serialize_field("big_road", self.big_road_cells())?;
        roads.serialize_field("big_eye_boy", self.derived(DerivedRoad::BigEyeBoy))?;
        roads.serialize_field("small_road", self.derived(DerivedRoad::SmallRoad))?;
        roads.serialize_field("cockroach_pig", self.derived(DerivedRoad::CockroachPig))?;
        roads.serialize_field("next", &next)?;
        roads.end()
    }
}

impl Serialize for Grid<BigRoadEntry> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct Entry {
            column: usize,
            row: usize,
            side: Side,
            ties: usize,
        }
        let entry = |cell: &Cell<BigRoadEntry>| {
            let BigRoadEntry { side, ties } = cell.value;
            Entry { column: cell.column, row: cell.row, side, ties }
        };
        serializer.collect_seq(self.cells().iter().map(entry))
    }
}

impl Serialize for Grid<Colour> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct Entry {
            column: usize,
            row: usize,
            colour: Colour,
        }
        let entry = |cell: &Cell<Colour>| Entry { column: cell.column, row: cell.row, colour: cell.value };
        serializer.collect_seq(self.cells().iter().map(entry))
    }
}
