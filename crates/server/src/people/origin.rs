//! From which page a request comes. A browser sends its cookies along whoever asks it to, so a request that is
//! signed in by a cookie must show that a page of ours asked.

use axum::http::{HeaderMap, header};

use crate::problem::Problem;

const SITE: &str = "sec-fetch-site";

/// Whether a page of this host, or nobody's page, sent a request.
///
/// # Errors
/// 403 if another page did, or if the request does not say.
pub fn same_origin(headers: &HeaderMap, host: &str) -> Result<(), Problem> {
    match says(headers, host) {
        Some(true) => Ok(()),
        Some(false) => Err(cross_site()),
        None => Err(Problem::forbidden(
            "cross-site",
            "a request with a session cookie must carry `Sec-Fetch-Site` or `Origin`; programs use an API token",
        )),
    }
}

/// As [`same_origin`], for requests that carry no cookie: what does not come from a browser may pass.
pub(crate) fn not_cross_site(headers: &HeaderMap, host: &str) -> Result<(), Problem> {
    match says(headers, host) {
        Some(true) | None => Ok(()),
        Some(false) => Err(cross_site()),
    }
}

fn cross_site() -> Problem {
    Problem::forbidden(
        "cross-site",
        "another site asked for this; open the page of this server and try there",
    )
}

/// What the headers say, if they say anything. Browsers let no page write either of them.
fn says(headers: &HeaderMap, host: &str) -> Option<bool> {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    if let Some(site) = text(SITE) {
        return Some(matches!(site, "same-origin" | "none"));
    }
    let origin = text(header::ORIGIN.as_str())?;
    let (scheme, authority) = origin.split_once("://").unwrap_or_default();
    let port = match scheme {
        "http" => ":80",
        "https" => ":443",
        _ => return Some(false),
    };
    let plain = |authority: &str| {
        let authority = authority.to_ascii_lowercase();
        authority.strip_suffix(port).map(str::to_string).unwrap_or(authority)
    };
    Some(!host.is_empty() && plain(authority) == plain(host))
}

/// Whether a host, perhaps with a port, is a name of this machine that no other site can take.
pub(crate) fn is_loopback_name(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let is_loopback = name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    is_loopback || name.eq_ignore_ascii_case("localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_pages_may() {
        // Sec-Fetch-Site, Origin, the host: with a cookie, and without one.
        let cases: [(&str, &str, &str, bool, bool); 18] = [
            ("same-origin", "", "floor:8080", true, true),
            ("none", "", "floor:8080", true, true),
            ("same-site", "", "floor:8080", false, false),
            ("cross-site", "", "floor:8080", false, false),
            ("", "", "floor:8080", false, true),
            ("odd", "http://floor:8080", "floor:8080", false, false),
            ("", "http://floor:8080", "floor:8080", true, true),
            ("", "https://floor:8080", "floor:8080", true, true),
            ("", "HTTP://FLOOR:8080", "floor:8080", false, false),
            ("", "http://FLOOR:8080", "floor:8080", true, true),
            ("", "http://floor", "floor:8080", false, false),
            ("", "http://floor:8081", "floor:8080", false, false),
            ("", "http://floor.evil:8080", "floor:8080", false, false),
            ("", "null", "floor:8080", false, false),
            ("", "https://floor", "floor:443", true, true),
            ("", "http://floor", "floor:443", false, false),
            ("", "http://", "", false, false),
            ("cross-site", "http://floor:8080", "floor:8080", false, false),
        ];
        for (site, origin, host, with_cookie, without) in cases {
            let mut headers = HeaderMap::new();
            for (name, value) in [(SITE, site), ("origin", origin)] {
                if !value.is_empty() {
                    headers.insert(name, value.parse().unwrap());
                }
            }
            let name = format!("{site} {origin} {host}");
            assert_eq!(same_origin(&headers, host).is_ok(), with_cookie, "{name}");
            assert_eq!(not_cross_site(&headers, host).is_ok(), without, "{name}");
        }
    }

    #[test]
    fn names_of_this_machine() {
        for host in [
            "localhost",
            "localhost:8080",
            "LOCALHOST:1",
            "127.0.0.1:8080",
            "127.8.8.8",
            "[::1]:8080",
            "[::1]",
        ] {
            assert!(is_loopback_name(host), "{host}");
        }
        for host in
            ["", "floor:8080", "localhost.evil.example", "127.0.0.1.evil.example:8080", "10.0.0.1", "[::2]"]
        {
            assert!(!is_loopback_name(host), "{host}");
        }
    }
}
