//! The doors, by real sockets: who is silent is sent away, one cannot take all the room, and a certificate is replaced
//! while the server runs.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on stops")]

#[expect(dead_code, reason = "this test uses its part of it")]
mod site;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use croupier_server::config::Tls;
use croupier_server::doors::{Room, SILENCE};
use croupier_server::{App, Config};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, ClientConnection, DigitallySignedStruct, SignatureScheme};
use site::{Site, config};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const ASKS: &[u8] = b"GET /healthz HTTP/1.1\r\nhost: floor\r\n\r\n";

/// A connection that has said something, and the beginning of what it heard.
async fn says(address: SocketAddr, words: &[u8]) -> (TcpStream, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let _ = stream.write_all(words).await;
    let mut heard = vec![0; 4_096];
    let wait = if words.ends_with(b"\r\n\r\n") { 10_000 } else { 50 };
    let read = tokio::time::timeout(Duration::from_millis(wait), stream.read(&mut heard)).await;
    let length = read.ok().and_then(Result::ok).unwrap_or(0);
    (stream, String::from_utf8_lossy(&heard[..length]).into_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_come_to_the_point_is_sent_away() {
    let site = Site::listening(config()).await;
    let address = site.app.config.listen;
    let mut waiting = Vec::new();
    for (words, answer) in [
        (&b""[..], ""),
        (b"G", ""),
        (b"PRI * HTTP", ""),
        (b"GET /healthz HTTP/1.1\r\nhost: fl", ""),
        (ASKS, "HTTP/1.1 200"),
    ] {
        let (mut stream, heard) = says(address, words).await;
        assert!(heard.starts_with(answer), "{heard}");
        let words = String::from_utf8_lossy(words).into_owned();
        waiting.push(tokio::spawn(async move {
            let mut rest = Vec::new();
            let start = Instant::now();
            let ended = tokio::time::timeout(SILENCE * 2, stream.read_to_end(&mut rest)).await;
            assert!(ended.is_ok(), "{words:?}: still open after {:?}", start.elapsed());
        }));
    }
    for waits in waiting {
        waits.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_does_not_take_all_the_room() {
    let mut limited = config();
    limited.limits.connections = Room { all: 20, of_one: 3, for_staff: 2 };
    let site = Site::listening(limited).await;
    let address = site.app.config.listen;
    let mut inside = Vec::new();
    for _ in 0..3 {
        let (stream, heard) = says(address, ASKS).await;
        assert!(heard.starts_with("HTTP/1.1 200"), "{heard}");
        inside.push(stream);
    }
    let (_, heard) = says(address, ASKS).await;
    assert_eq!(heard, "", "the fourth is not answered");
    inside.pop();
    let start = Instant::now();
    while says(address, ASKS).await.1.is_empty() {
        assert!(start.elapsed() < Duration::from_secs(10), "there is room again");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_person_does_not_take_all_the_sockets() {
    let mut limited = config();
    limited.limits.sockets = Room { all: 20, of_one: 2, for_staff: 2 };
    let site = Site::listening(limited).await;
    let table = site.table(croupier_journal::deed::Dealing::Staff).await;
    let upgrade = format!(
        "GET /api/tables/{}/live HTTP/1.1\r\nhost: floor\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        table.id
    );
    let address = site.app.config.listen;
    let mut open = Vec::new();
    for expected in ["HTTP/1.1 101", "HTTP/1.1 101", "HTTP/1.1 429"] {
        let (stream, heard) = says(address, upgrade.as_bytes()).await;
        assert!(heard.starts_with(expected), "{heard}");
        open.push(stream);
    }
    drop(open);
    let start = Instant::now();
    while !says(address, upgrade.as_bytes()).await.1.starts_with("HTTP/1.1 101") {
        assert!(start.elapsed() < Duration::from_secs(10), "there is room again");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Takes every certificate: which one it is, is what the test asks.
#[derive(Debug)]
struct Any;

impl ServerCertVerifier for Any {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ECDSA_NISTP256_SHA256]
    }
}

/// Whose certificate the server shows.
fn shown(address: SocketAddr) -> Option<&'static str> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let client = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let client = client.dangerous().with_custom_certificate_verifier(Arc::new(Any)).with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let mut connection = ClientConnection::new(Arc::new(client), name).unwrap();
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    while connection.is_handshaking() {
        connection.complete_io(&mut stream).unwrap();
    }
    let certificate = connection.peer_certificates()?.first()?.to_vec();
    let names = |name: &str| certificate.windows(name.len()).any(|part| part == name.as_bytes());
    ["one.test", "two.test"].into_iter().find(|name| names(name))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_is_replaced_while_the_server_runs() {
    let folder = croupier_testkit::tempdir().unwrap();
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tls");
    let (certificate, key) = (folder.path().join("floor.pem"), folder.path().join("floor.key"));
    let put = |name: &str| {
        std::fs::copy(files.join(format!("{name}.pem")), &certificate).unwrap();
        std::fs::copy(files.join(format!("{name}.key")), &key).unwrap();
    };
    put("one");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let tls = Some(Tls { certificate: certificate.clone(), key: key.clone() });
    let address = listener.local_addr().unwrap();
    let app = App::start(Config { listen: address, tls, ..config() }, None).await.unwrap();
    let serving = Arc::clone(&app);
    tokio::spawn(async move { serving.serve(listener, Router::new(), std::future::pending()).await });
    let now = || tokio::task::block_in_place(|| shown(address));
    assert_eq!(now(), Some("one.test"));
    // What is no certificate changes nothing.
    std::fs::write(&certificate, "none").unwrap();
    tokio::time::sleep(Duration::from_secs(11)).await;
    assert_eq!(now(), Some("one.test"));
    put("two");
    let start = Instant::now();
    while now() != Some("two.test") {
        assert!(start.elapsed() < Duration::from_secs(30), "the new one is in use");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
