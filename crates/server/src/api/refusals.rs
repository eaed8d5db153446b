//! The refusals that most routes have in common, for the document: said once, and named where routes list their
//! answers.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::{Ref, RefOr};

/// Of whatever is for people who are signed in: nobody is, they may not, too often, not now.
pub(crate) struct Guarded;

/// Of whatever takes a body: it cannot be read, is too long, or is of another kind.
pub(crate) struct WithBody;

impl IntoResponses for Guarded {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[401, 403, 429, 503])
    }
}

impl IntoResponses for WithBody {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problems(&[400, 413, 415])
    }
}

fn problems(statuses: &[u16]) -> BTreeMap<String, RefOr<Response>> {
    let problem = || {
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
        ResponseBuilder::new().content("application/json", content).build()
    };
    statuses.iter().map(|status| (status.to_string(), problem().into())).collect()
}
