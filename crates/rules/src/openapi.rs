//! The schemas of what has a text form of its own in `serial`. The other types derive theirs.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use croupier_cards::openapi::{integer, one_of, text};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::authority::Power;
use crate::baccarat::condition::Whose;
use crate::baccarat::insurance::Stage;
use crate::baccarat::{CardPlace, Outcome, Side, Winner};
use crate::bet::{Payoff, When};
use crate::irregularity::{AllWithdraw, Irregularity, Remedy, ShoeFate};
use crate::money::Amount;
use crate::niu_niu::{BoxWinner, Category};
use crate::odds::Odds;
use crate::roads::{Colour, Counts, Roads};
use crate::serial::condition::{WrittenPayoff, WrittenRank, WrittenSuit, WrittenWhen};
use crate::setting::Setting;
use crate::settle::End;

macro_rules! by_key {
    ($($type:ty, $name:literal, $says:literal;)+) => {$(
        impl PartialSchema for $type {
            fn schema() -> RefOr<Schema> {
                one_of($says, Self::ALL.iter().map(|item| item.key())).into()
            }
        }

        impl ToSchema for $type {
            fn name() -> Cow<'static, str> {
                Cow::Borrowed($name)
            }
        }
    )+};
}

// Names that other crates could have too say what they are about.
by_key! {
    Side, "Side", "A hand of baccarat.";
    Winner, "Winner", "How a round of baccarat ended.";
    CardPlace, "CardPlace", "A place in a hand of baccarat.";
    Whose, "WhoseCards", "Whose cards of a round of baccarat are looked at.";
    Stage, "InsuranceStage", "A window for insurance.";
    Irregularity, "Irregularity", "Something that went wrong.";
    Remedy, "Remedy", "What a ruling does.";
    ShoeFate, "ShoeFate", "What becomes of the shoe.";
    AllWithdraw, "AllWithdraw", "What happens if every player withdraws.";
    Power, "Power", "Something that takes a rank.";
    Setting, "Setting", "Something an operator sets.";
    Category, "NiuNiuCategory", "What a hand of Niu Niu is.";
    BoxWinner, "BoxWinner", "Who has the higher hand of a box and the Dealer.";
    End, "WagerEnd", "How a wager ended.";
}

impl PartialSchema for Amount {
    fn schema() -> RefOr<Schema> {
        let most = Self::MAX.minor();
        integer("A whole number of minor units.", -most, most).into()
    }
}

impl ToSchema for Amount {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Amount")
    }
}

impl PartialSchema for Odds {
    fn schema() -> RefOr<Schema> {
        let pattern = "^[0-9]{1,7}([.][0-9]{1,4})?:[0-9]{1,7}([.][0-9]{1,4})?$";
        text("What is paid for what is staked.", pattern, "19:20").into()
    }
}

impl ToSchema for Odds {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Odds")
    }
}

impl PartialSchema for Outcome {
    fn schema() -> RefOr<Schema> {
        let says = "The features of an outcome. Only those that cards can lead to are accepted.";
        let object = ObjectBuilder::new().schema_type(Type::Object).description(Some(says));
        let numbers = [
            ("player_points", integer("The Player's count.", 0, 9)),
            ("banker_points", integer("The Banker's count.", 0, 9)),
            ("player_cards", integer("How many cards the Player has.", 2, 3)),
            ("banker_cards", integer("How many cards the Banker has.", 2, 3)),
        ];
        let object = numbers
            .into_iter()
            .fold(object, |object, (name, schema)| object.property(name, schema).required(name));
        let object = ["player_pair", "banker_pair"].into_iter().fold(object, |object, name| {
            object.property(name, ObjectBuilder::new().schema_type(Type::Boolean)).required(name)
        });
        object.additional_properties(Some(AdditionalProperties::<Schema>::FreeForm(false))).into()
    }
}

impl ToSchema for Outcome {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Outcome")
    }
}

/// [`Roads`] as they are written.
#[derive(ToSchema)]
#[schema(as = Roads)]
#[expect(dead_code, reason = "only its schema is of use")]
struct RoadsWritten {
    /// How each hand ended: P, B or T.
    #[schema(pattern = "^[PBT]*$")]
    bead: String,
    /// How often each result has fallen.
    counts: Counts,
    /// Ties before the first decision.
    leading_ties: usize,
    /// The decided hands.
    big_road: Vec<BigRoadCell>,
    /// Compares with the column before.
    big_eye_boy: Vec<DerivedRoadCell>,
    /// Compares with the second column before.
    small_road: Vec<DerivedRoadCell>,
    /// Compares with the third column before.
    cockroach_pig: Vec<DerivedRoadCell>,
    /// What the next hand would add to the derived roads.
    next: RoadsNext,
}

/// What the next hand would add to big eye boy, the small road and cockroach pig; nothing where there is no entry yet.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is of use")]
struct RoadsNext {
    /// If the Player won it.
    #[schema(min_items = 3, max_items = 3)]
    player: Vec<Option<Colour>>,
    /// If the Banker won it.
    #[schema(min_items = 3, max_items = 3)]
    banker: Vec<Option<Colour>>,
}

/// An entry of the big road and its place.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is of use")]
struct BigRoadCell {
    /// The displayed column, from 0 at the left.
    column: usize,
    /// The row, from 0 at the top.
    row: usize,
    /// The hand that won.
    side: Side,
    /// How many ties followed before the next decision.
    ties: usize,
}

/// An entry of a derived road and its place.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is of use")]
struct DerivedRoadCell {
    /// The displayed column, from 0 at the left.
    column: usize,
    /// The row, from 0 at the top.
    row: usize,
    /// Whether the big road follows its pattern.
    colour: Colour,
}

impl PartialSchema for WrittenRank {
    fn schema() -> RefOr<Schema> {
        one_of("A rank.", Self::keys()).into()
    }
}

impl ToSchema for WrittenRank {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("CardRank")
    }
}

impl PartialSchema for WrittenSuit {
    fn schema() -> RefOr<Schema> {
        one_of("A suit.", Self::keys()).into()
    }
}

impl ToSchema for WrittenSuit {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("CardSuit")
    }
}

/// What is written in the form of another type has its schema.
macro_rules! written_as {
    ($($type:ty = $written:ty;)+) => {$(
        impl PartialSchema for $type {
            fn schema() -> RefOr<Schema> {
                <$written>::schema()
            }
        }

        impl ToSchema for $type {
            fn name() -> Cow<'static, str> {
                <$written>::name()
            }

            fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
                <$written>::schemas(schemas);
            }
        }
    )+};
}

written_as! {
    Roads = RoadsWritten;
    When = WrittenWhen;
    Payoff = WrittenPayoff;
}
