//! The schemas of what passes through as JSON that was made elsewhere: views, layouts of finished rounds, wagers.

use std::borrow::Cow;

use croupier_table::openapi::schemas;
use croupier_table::view::{InsuranceShown, WagerShown};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AnyOfBuilder, ObjectBuilder, Ref, Schema};
use utoipa::{PartialSchema, ToSchema};

/// What is kept of a layout with a round: all of it but these.
pub(crate) const NOT_KEPT: [&str; 2] = ["board", "phase"];

/// The layout of a finished round.
pub(crate) struct KeptFelt;

impl PartialSchema for KeptFelt {
    fn schema() -> RefOr<Schema> {
        let Some(RefOr::T(Schema::Object(mut felt))) = schemas().remove("Felt") else {
            return ObjectBuilder::new().into();
        };
        felt.description = Some("The layout as it lay at the end of a round, without the board.".to_string());
        felt.properties.retain(|name, _| !NOT_KEPT.contains(&name.as_str()));
        felt.required.retain(|name| !NOT_KEPT.contains(&name.as_str()));
        Schema::Object(felt).into()
    }
}

impl ToSchema for KeptFelt {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("KeptFelt")
    }
}

/// A wager or an insurance, as it lies on the layout.
#[derive(ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is of use")]
pub(crate) enum LaidShown {
    /// A wager.
    Wager(WagerShown),
    /// An insurance.
    Insurance(InsuranceShown),
}

/// A table as an audience sees it. Every view has all that a public one has, so more than one may fit: the fullest come
/// first, for clients that take the first that fits.
pub(crate) struct AnyView;

impl PartialSchema for AnyView {
    fn schema() -> RefOr<Schema> {
        let views = ["SurveillanceView", "PitView", "DealerView", "PlayerView", "PublicView"];
        let all =
            views.into_iter().fold(AnyOfBuilder::new(), |all, view| all.item(Ref::from_schema_name(view)));
        all.description(Some("A table as an audience sees it.")).into()
    }
}

impl ToSchema for AnyView {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("AnyView")
    }
}
