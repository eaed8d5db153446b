//! The schemas of everything that programs read and write as JSON, for an OpenAPI document: [`schemas`].
//!
//! Types derive their schemas, or have them here where they have a text form of their own. The derive leaves
//! out some of what reading insists on, so [`exact`](mod@exact) puts it in for all of them together. What no
//! schema can say (which outcomes cards lead to, that `100.0` is no whole number) is left to reading.

pub mod exact;

use std::borrow::Cow;

use croupier_cards::openapi::{one_of, text};
use croupier_ledger::Step;
use croupier_rules::Basis;
use croupier_rules::roads::Roads;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Ref, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::case::{self, Case, CaseAct, CaseCommand, CaseEvent, CaseRefusal, CaseState, Possible};
use crate::command::{Command, Holder};
use crate::event::Event;
use crate::phase::Phase;
use crate::preview::{self, Effects};
use crate::refusal::{Refusal, Why};
use crate::setup::{Method, Opening};
use crate::table::Board;
use crate::view::{DealerView, MarkShown, PitView, PlayerView, PublicView, SurveillanceView};
use exact::Collected;

pub use exact::Schemas;

/// Every schema by its name. An OpenAPI document takes them as its components, in place of what the derive
/// collects for its paths by itself:
///
/// ```
/// let mut components = utoipa::openapi::Components::new();
/// components.schemas.extend(croupier_table::openapi::schemas());
/// assert!(components.schemas.contains_key("Command"));
/// ```
#[must_use]
pub fn schemas() -> Schemas {
    collected().finish()
}

fn collected() -> Collected {
    let mut all = Collected::default();
    all.read::<Command>();
    all.read::<Event>();
    all.read::<Opening>();
    all.read::<Case>();
    all.read::<CaseCommand>();
    all.read::<CaseEvent>();
    all.read::<case::Opening>();
    all.read::<Step>();
    all.written::<PublicView<'_>>();
    all.written::<PlayerView<'_>>();
    all.written::<DealerView<'_>>();
    all.written::<PitView<'_>>();
    all.written::<SurveillanceView<'_>>();
    all.written::<Effects>();
    all.written::<preview::Open>();
    all.written::<Possible>();
    all.written::<Refusal>();
    all.written::<CaseRefusal>();
    all
}

/// The value of a setting, under a name that the derive takes for nothing else.
pub(crate) type SettingValue = crate::setup::Value;

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

by_key! {
    Method, "Method", "How cards are dealt, under a rulebook with several methods.";
    Phase, "Phase", "Where play stands.";
    CaseState, "CaseState", "How far a case has come.";
    CaseAct, "CaseAct", "Something that is done with a case.";
}

impl PartialSchema for Holder {
    fn schema() -> RefOr<Schema> {
        let pattern = "^(dealer|box([1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5]))$";
        text("Who holds a hand of Niu Niu: the Dealer, or a box from 1.", pattern, "box1").into()
    }
}

impl ToSchema for Holder {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Holder")
    }
}

/// [`Board`] as it is written.
#[derive(ToSchema)]
#[schema(as = Board)]
#[expect(dead_code, reason = "only its schema is of use")]
struct BoardWritten {
    /// How each round is shown.
    marks: Vec<MarkShown>,
    /// The roads of the rounds with wagers.
    roads: Roads,
}

impl PartialSchema for Board {
    fn schema() -> RefOr<Schema> {
        BoardWritten::schema()
    }
}

impl ToSchema for Board {
    fn name() -> Cow<'static, str> {
        BoardWritten::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        BoardWritten::schemas(schemas);
    }
}

macro_rules! refusals {
    ($($type:ty, $name:literal, $codes:expr, $says:literal;)+) => {$(
        impl PartialSchema for $type {
            fn schema() -> RefOr<Schema> {
                refusal($says, $codes)
            }
        }

        impl ToSchema for $type {
            fn name() -> Cow<'static, str> {
                Cow::Borrowed($name)
            }

            fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
                schemas.push((Basis::name().into_owned(), Basis::schema()));
            }
        }
    )+};
}

refusals! {
    Refusal, "Refusal", Why::CODES, "Why a command to a table is refused; nothing was changed.";
    CaseRefusal, "CaseRefusal", Self::CODES, "Why a command to a case is refused; nothing was changed.";
}

fn refusal(says: &str, codes: &[&'static str]) -> RefOr<Schema> {
    let message = ObjectBuilder::new().schema_type(Type::String);
    let parameters = ObjectBuilder::new().schema_type(Type::Object);
    let cites = ArrayBuilder::new().items(Ref::from_schema_name(Basis::name()));
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .description(Some(says))
        .property("code", one_of("A name that stays the same.", codes.iter().copied()))
        .property("message", message.description(Some("What was wrong, and what would be accepted.")))
        .property("parameters", parameters.description(Some("The values of the message by name.")))
        .property("cites", cites.description(Some("The clauses and readings it rests on.")))
        .required("code")
        .required("message")
        .required("parameters")
        .required("cites")
        .into()
}
