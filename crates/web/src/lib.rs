//! The browser UI, built from `web/` and carried in the binary.
//!
//! Where there is no npm to build it, the files of `site/` are carried: the same ones, kept in the repository and
//! without their compressed forms, whose bytes depend on the Node.js that made them.
//!
//! Its files are compressed when they are built and handed out as they are. Their names change with what is in
//! them, so a browser keeps them for good; only the page that names them is asked for each time.

use std::path::Path;

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use tower_http::services::{ServeDir, ServeFile};

/// A file of the UI.
struct File {
    /// Where it is asked for.
    path: &'static str,
    plain: &'static [u8],
    /// With Brotli, if that is shorter.
    small: Option<&'static [u8]>,
}

const FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The page that every address of the UI begins with.
const PAGE: &str = "/index.html";

/// Whether this build has the UI.
#[must_use]
pub fn is_built_in() -> bool {
    !FILES.is_empty()
}

/// Hands out the UI, for every address that is nothing else. A build without it says where the interface is.
///
/// ```
/// let site = croupier_web::router();
/// # let _ = site;
/// ```
pub fn router() -> Router {
    Router::new().fallback(async |method: Method, uri: Uri, headers: HeaderMap| {
        match method == Method::GET || method == Method::HEAD {
            true => answer(uri.path(), &headers),
            false => StatusCode::METHOD_NOT_ALLOWED.into_response(),
        }
    })
}

/// Hands out a UI from a folder instead: one that is being worked on, or a house's own.
pub fn from_folder(folder: &Path) -> Router {
    let page = ServeFile::new(folder.join(PAGE.trim_start_matches('/')));
    Router::new().fallback_service(ServeDir::new(folder).fallback(page))
}

fn answer(path: &str, headers: &HeaderMap) -> Response {
    let named = |path: &str| FILES.iter().find(|file| file.path == path);
    // An address of a screen is not a file: the page finds out what to show.
    let Some(file) = named(path).or_else(|| named(PAGE).filter(|_| !is_file(path))) else {
        let says = match is_built_in() {
            true => "there is no such file",
            false => "this build has no browser UI; the interface is described at /api/docs",
        };
        return (StatusCode::NOT_FOUND, says).into_response();
    };
    let small = file.small.filter(|_| takes_brotli(headers));
    let mut response = small.unwrap_or(file.plain).into_response();
    let told = response.headers_mut();
    told.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(file.path)));
    told.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if small.is_some() {
        told.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
    }
    let keep = match file.path.starts_with("/assets/") {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    told.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    response
}

/// Whether an address names a file rather than a screen: the last part of it has a dot.
fn is_file(path: &str) -> bool {
    path.starts_with("/assets/") || path.rsplit('/').next().is_some_and(|last| last.contains('.'))
}

fn takes_brotli(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
    accepted.split(',').filter_map(|part| part.split(';').next()).any(|coding| coding.trim() == "br")
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("woff2") => "font/woff2",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::http::Request;
    use tower::ServiceExt as _;

    use super::*;

    async fn ask(router: Router, method: &str, path: &str, accept: &str) -> (StatusCode, HeaderMap, Vec<u8>) {
        let request = Request::builder().method(method).uri(path).header(header::ACCEPT_ENCODING, accept);
        let response = router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        (parts.status, parts.headers, to_bytes(body, usize::MAX).await.unwrap().to_vec())
    }

    #[tokio::test]
    async fn every_screen_begins_with_the_page() {
        if !is_built_in() {
            return;
        }
        for path in ["/", "/tables/1", "/first-run", "/rulebooks/hoiana-baccarat"] {
            let (status, headers, body) = ask(router(), "GET", path, "gzip").await;
            assert_eq!(status, StatusCode::OK, "{path}");
            assert_eq!(headers[header::CONTENT_TYPE], "text/html; charset=utf-8");
            assert_eq!(headers[header::CACHE_CONTROL], "no-cache");
            assert!(String::from_utf8(body).unwrap().contains("<div id=\"app\">"));
        }
    }

    #[cfg(built_by_npm)]
    #[tokio::test]
    async fn what_was_compressed_goes_to_those_who_take_it() {
        let is_small = |file: &&File| file.path.ends_with(".js") && file.small.is_some();
        let script = FILES.iter().find(is_small).unwrap();
        let (_, headers, body) = ask(router(), "GET", script.path, "gzip, br;q=1.0").await;
        assert_eq!(headers[header::CONTENT_ENCODING], "br");
        assert_eq!(headers[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
        assert_eq!(body, script.small.unwrap());
        let (_, headers, body) = ask(router(), "GET", script.path, "gzip").await;
        assert!(!headers.contains_key(header::CONTENT_ENCODING));
        assert_eq!(body, script.plain);
    }

    #[tokio::test]
    async fn a_file_that_is_not_there_is_not_the_page() {
        for path in ["/assets/gone.js", "/robots.txt"] {
            assert_eq!(ask(router(), "GET", path, "").await.0, StatusCode::NOT_FOUND, "{path}");
        }
        assert_eq!(ask(router(), "POST", "/", "").await.0, StatusCode::METHOD_NOT_ALLOWED);
    }

    #[tokio::test]
    async fn a_folder_stands_in_for_it() {
        let folder = std::env::temp_dir().join(format!("croupier-web-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("index.html"), "ours").unwrap();
        let (status, _, body) = ask(from_folder(&folder), "GET", "/tables/1", "").await;
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!((status, body.as_slice()), (StatusCode::OK, b"ours".as_slice()));
    }

    /// `site/` is what npm builds, bit for bit; `cargo xtask ui` writes it again.
    #[cfg(built_by_npm)]
    #[test]
    fn the_ui_that_is_kept_is_the_one_that_is_built() {
        use std::collections::BTreeMap;
        use std::path::PathBuf;

        fn read(folder: &Path, under: &str, files: &mut BTreeMap<String, Vec<u8>>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path: PathBuf = entry.unwrap().path();
                let name = format!("{under}/{}", path.file_name().unwrap().to_str().unwrap());
                match path.is_dir() {
                    true => read(&path, &name, files),
                    false => drop(files.insert(name, std::fs::read(&path).unwrap())),
                }
            }
        }
        let mut kept = BTreeMap::new();
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("site"), "", &mut kept);
        let built: BTreeMap<String, Vec<u8>> =
            FILES.iter().map(|file| (file.path.to_string(), file.plain.to_vec())).collect();
        let differ: Vec<&String> =
            kept.keys().chain(built.keys()).filter(|path| kept.get(*path) != built.get(*path)).collect();
        assert!(differ.is_empty(), "site/ is not what web/ builds ({differ:?}): cargo xtask ui");
    }

    /// As sent to a browser, where it was built here; what is kept has no compressed forms.
    #[cfg(built_by_npm)]
    fn sent(counts: impl Fn(&str) -> bool) -> usize {
        let files = FILES.iter().filter(|file| counts(file.path));
        files.map(|file| file.small.unwrap_or(file.plain).len()).sum()
    }

    /// A phone on a poor line should not wait: what a player's table loads first, with its font, in this many bytes.
    /// Consoles and office screens come in parts of their own.
    #[cfg(built_by_npm)]
    #[test]
    fn a_table_loads_quickly() {
        let apart = ["/assets/floor-", "/assets/office-", "/assets/inter-vietnamese-"];
        for part in apart {
            assert!(FILES.iter().any(|file| file.path.starts_with(part)), "{part} is not a part any more");
        }
        let first = sent(|path| !apart.iter().any(|part| path.starts_with(part)));
        assert!(first < 200_000, "{first} bytes");
    }

    /// Every screen in every language, without the fonts.
    #[cfg(built_by_npm)]
    #[test]
    fn the_whole_ui_is_small() {
        let total = sent(|path| !path.ends_with(".woff2"));
        assert!(total < 300_000, "{total} bytes");
    }
}
