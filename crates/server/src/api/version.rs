//! The version of the HTTP interface, which is not that of the software.
//!
//! The first number changes when something that worked no longer does, the second when something is added. Every
//! answer says it, and a client may say which one it was made for.

use axum::http::{HeaderMap, HeaderValue, StatusCode};

use crate::problem::Problem;

/// The version that is served.
pub const CURRENT: &str = "1.2";
/// The header, in requests and answers.
pub const HEADER: &str = "api-version";

/// The header of an answer.
pub(crate) fn told() -> HeaderValue {
    HeaderValue::from_static(CURRENT)
}

/// Why a client is not served that was made for another version: the first number is not ours.
pub(crate) fn refused(headers: &HeaderMap) -> Option<Problem> {
    let asked = headers.get(HEADER)?;
    let first = |version: &str| version.split('.').next().map(str::to_string);
    if asked.to_str().is_ok_and(|asked| first(asked) == first(CURRENT)) {
        return None;
    }
    let asked = String::from_utf8_lossy(asked.as_bytes()).chars().take(20).collect::<String>();
    let detail = format!(
        "this server speaks version {CURRENT} of the interface and not {asked}; leave `API-Version` out, or take a \
         client that was made for {CURRENT}"
    );
    Some(Problem::new(StatusCode::BAD_REQUEST, "api-version", detail).with("serves", CURRENT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_another_first_number_is_refused() {
        let with = |version: &'static str| {
            HeaderMap::from_iter([(HEADER.parse().unwrap(), HeaderValue::from_static(version))])
        };
        assert_eq!(refused(&HeaderMap::new()), None);
        assert_eq!(refused(&with(CURRENT)), None);
        assert_eq!(refused(&with("1")), None);
        assert_eq!(refused(&with("1.99")), None);
        for other in ["2.0", "0.9", "", "one"] {
            assert_eq!(refused(&with(other)).map(|problem| problem.code), Some("api-version".to_string()));
        }
    }
}
