//! The id of a request: in the log, in the answer (`X-Request-Id`) and in what is refused, so that what a user reports is
//! found in the log.

use core::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use axum::http::HeaderMap;
use croupier_journal::keys;

/// The header.
pub const HEADER: &str = "x-request-id";

tokio::task_local! {
    static CURRENT: RequestId;
}

/// The id of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RequestId(Arc<str>);

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Tells the runs of a server apart.
static RUN: LazyLock<u32> = LazyLock::new(|| keys::random().map_or(0, u32::from_be_bytes));
static NEXT: AtomicU64 = AtomicU64::new(1);

impl RequestId {
    /// A new one; behind a proxy the one that the proxy gave, if it gave a plain one.
    #[must_use]
    pub fn of(headers: &HeaderMap, behind_proxy: bool) -> Self {
        let given = headers.get(HEADER).filter(|_| behind_proxy).and_then(|value| value.to_str().ok());
        let is_plain = |id: &&str| {
            let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
            (1..=64).contains(&id.len()) && id.bytes().all(fits)
        };
        Self(match given.filter(is_plain) {
            Some(id) => id.into(),
            None => format!("{:08x}{:08x}", *RUN, NEXT.fetch_add(1, Ordering::Relaxed)).into(),
        })
    }

    /// Does something as this request.
    pub async fn scope<T>(self, work: impl Future<Output = T>) -> T {
        CURRENT.scope(self, work).await
    }

    /// That of the request that is being served, if one is.
    #[must_use]
    pub fn current() -> Option<Self> {
        CURRENT.try_with(Clone::clone).ok()
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn only_a_proxy_names_a_request_and_only_plainly() {
        let id = |given: &'static str, behind_proxy| {
            let headers = HeaderMap::from_iter([(HEADER.parse().unwrap(), HeaderValue::from_static(given))]);
            RequestId::of(&headers, behind_proxy).to_string()
        };
        assert_eq!(id("abc-1", true), "abc-1");
        for (given, behind_proxy) in [("abc-1", false), ("a b", true), ("", true)] {
            assert_eq!(id(given, behind_proxy).len(), 16, "{given}");
        }
    }
}
