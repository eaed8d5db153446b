//! Why a request was not served, as a problem document (RFC 9457): a code for programs, a sentence for people, and
//! the clauses it rests on.

use std::collections::BTreeMap;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use croupier_rules::setting::Setting;
use croupier_rules::{Basis, Odds, Rulebook};
use croupier_table::Refusal;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::floor::FloorError;
use crate::request::RequestId;
use crate::table::Refused;

/// A problem document.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Problem {
    /// `urn:croupier:problem:` and the code.
    #[serde(rename = "type")]
    pub kind: String,
    /// What kind of problem it is, in a few words.
    pub title: String,
    /// The status of the answer.
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// What is wrong with this request, and what would be accepted.
    pub detail: String,
    /// The request that it answers, as the log has it: `urn:croupier:request:` and its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// The code.
    pub code: String,
    /// The clauses and readings that it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<String>,
    /// The particulars of the code, by name.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Parameters)]
    pub parameters: Map<String, Value>,
}

/// The particulars of a problem: the lists that have a form of their own, and whatever else the code has.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, utoipa::ToSchema)]
#[schema(as = ProblemParameters)]
pub struct Parameters {
    /// The faults of a text that was read, with `faults`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<TextFault>,
    /// What does not fit about the settings of a table, with `settings`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<SettingFault>,
    /// Others, by name.
    #[serde(flatten)]
    pub others: BTreeMap<String, Value>,
}

/// A fault of a text, with its place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct TextFault {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong, and what would be accepted.
    pub message: String,
}

/// What does not fit about a setting of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct SettingFault {
    /// Which setting, if it is one: the game and its version are none.
    pub setting: Option<Setting>,
    /// For which bet, where it was set for one.
    pub bet: Option<String>,
    /// For which odds, where it was set for some.
    pub odds: Option<Odds>,
    /// What is wrong, and what would be accepted.
    pub message: String,
    /// The clauses that it rests on.
    pub clauses: Vec<String>,
}

impl Problem {
    /// A problem with its status, code and sentence.
    #[must_use]
    pub fn new(status: StatusCode, code: &str, detail: impl Into<String>) -> Self {
        Self {
            kind: format!("urn:croupier:problem:{code}"),
            title: status.canonical_reason().unwrap_or("Problem").to_string(),
            status: status.as_u16(),
            detail: detail.into(),
            instance: RequestId::current().map(|id| format!("urn:croupier:request:{id}")),
            code: code.to_string(),
            clauses: Vec::new(),
            parameters: Map::new(),
        }
    }

    /// 400: the request is not what it should be.
    #[must_use]
    pub fn bad_request(code: &str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, detail)
    }

    /// 401: nobody is signed in.
    #[must_use]
    pub fn not_signed_in() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "not-signed-in", "sign in, or send an API token, and try again")
    }

    /// 403: whoever is signed in may not.
    #[must_use]
    pub fn forbidden(code: &str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, code, detail)
    }

    /// 404: there is no such thing.
    #[must_use]
    pub fn not_found(what: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", what)
    }

    /// 409: it cannot be done as things are.
    #[must_use]
    pub fn conflict(code: &str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, code, detail)
    }

    /// 422: it is understood, and refused.
    #[must_use]
    pub fn refused(code: &str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail)
    }

    /// 503: not now.
    #[must_use]
    pub fn unavailable(code: &str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, code, detail)
    }

    /// 503: it may have been carried out or not, and how to find out.
    #[must_use]
    pub fn fate_unknown() -> Self {
        let detail = "it is not known whether this was carried out; send it again with the same id: it is carried out \
                      once, and the answer says what became of it";
        Self::unavailable("fate-unknown", detail)
    }

    /// 503: there is no node that leads now.
    #[must_use]
    pub fn no_leader() -> Self {
        let detail = "no node leads this floor at the moment, and another is about to; nothing was done: try again in a \
                      moment, with the same id";
        Self::unavailable("no-leader", detail).with("retry_after_seconds", 1)
    }

    /// 500: our fault. The particulars go to the log and not to the client.
    #[must_use]
    pub fn internal(error: &dyn core::fmt::Display) -> Self {
        tracing::error!(%error, "a request failed through our fault");
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "something went wrong in the server; the log has the particulars",
        )
    }

    /// With a particular.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.parameters.insert(name.to_string(), value.into());
        self
    }

    /// With all of its particulars.
    #[must_use]
    pub fn with_parameters(mut self, parameters: &Parameters) -> Self {
        if let Ok(Value::Object(parameters)) = serde_json::to_value(parameters) {
            self.parameters = parameters;
        }
        self
    }

    /// With the clauses of a rulebook.
    #[must_use]
    pub fn citing(mut self, rulebook: &Rulebook, cites: &[Basis]) -> Self {
        for basis in cites {
            let id = format!("{} {}", rulebook.abbreviation, rulebook.index.id(*basis));
            if !self.clauses.contains(&id) {
                self.clauses.push(id);
            }
        }
        self
    }

    /// Why a table refused a command.
    #[must_use]
    pub fn of_refusal(rulebook: &Rulebook, refusal: &Refusal) -> Self {
        let status = match refusal.is_denial() {
            true => StatusCode::FORBIDDEN,
            false => StatusCode::UNPROCESSABLE_ENTITY,
        };
        let mut problem =
            Self::new(status, refusal.code(), refusal.to_string()).citing(rulebook, &refusal.cites);
        if let Ok(Value::Object(parameters)) = serde_json::to_value(&refusal.why) {
            problem.parameters = parameters;
        }
        problem
    }

    /// Why a command was not carried out.
    #[must_use]
    pub fn of_refused(rulebook: &Rulebook, refused: &Refused) -> Self {
        match refused {
            Refused::Table(refusal) => Self::of_refusal(rulebook, refusal),
            Refused::Over(over) => {
                let problem = Self::conflict("moment-over", refused.to_string());
                let parameters = [("answers", over.answers), ("now", over.now)];
                parameters.into_iter().fold(problem, |problem, (name, moment)| {
                    problem.with(name, serde_json::to_value(moment).unwrap_or_default())
                })
            }
            Refused::WalletShort { .. } => Self::refused("wallet-short", refused.to_string()),
            Refused::OtherCommand { sequence } => {
                Self::conflict("id-used", refused.to_string()).with("sequence", *sequence)
            }
            Refused::Cards(_) => Self::refused("own-shoe", refused.to_string()),
            Refused::Behalf(behalf) => Self::forbidden(behalf.code(), refused.to_string()),
            Refused::Books(error) => Self::internal(error),
            Refused::Journal(error) => {
                tracing::error!(%error, "the journal cannot be written");
                Self::unavailable("journal", "the journal cannot be written; nothing was done")
            }
            Refused::Unknown => Self::fate_unknown(),
            Refused::Stopping => {
                Self::unavailable("stopping", "the server is stopping; try again in a moment")
            }
            Refused::Follows => Self::no_leader(),
        }
    }
}

impl From<FloorError> for Problem {
    fn from(error: FloorError) -> Self {
        Self::of_floor(&error)
    }
}

impl Problem {
    /// Why something was not done on the floor.
    #[must_use]
    pub fn of_floor(error: &FloorError) -> Self {
        match error {
            FloorError::NoGame(_) => Self::refused("no-game", error.to_string()),
            FloorError::Settings(_) => Self::refused("settings", error.to_string()),
            FloorError::OtherCurrency { floor, .. } => {
                Self::refused("other-currency", error.to_string()).with("floor", floor.to_string())
            }
            FloorError::WalletShort { .. } => Self::refused("wallet-short", error.to_string()),
            FloorError::OtherCommand(sequence) => {
                Self::conflict("id-used", error.to_string()).with("sequence", *sequence)
            }
            // What is asked for decides whether the books take it, such as an amount that no account can hold.
            FloorError::Books(_) => Self::refused("books", error.to_string()),
            FloorError::Unknown(why) => {
                tracing::error!(%why, "a commit failed");
                Self::fate_unknown()
            }
            FloorError::Journal(why) if matches!(**why, croupier_journal::StoreError::Follows) => {
                Self::no_leader()
            }
            FloorError::Journal(why) => {
                tracing::error!(%why, "the journal cannot be used");
                Self::unavailable("journal", "the journal cannot be used now; nothing was done")
            }
        }
    }
}

impl From<croupier_journal::StoreError> for Problem {
    fn from(error: croupier_journal::StoreError) -> Self {
        Self::from(FloorError::from(error))
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let retry = self.parameters.get("retry_after_seconds").and_then(Value::as_u64);
        let mut response = (status, Json(self)).into_response();
        if let Some(seconds) = retry {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        let kind = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        response
    }
}
