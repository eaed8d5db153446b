//! The limit of the wire: a handler that reads the same request and answers, and does nothing else.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocketUpgrade};
use axum::routing::any;
use croupier_server::api::tables::CommandRequest;
use croupier_testkit::floor::Seat;
use croupier_testkit::process::Process;

use crate::bets;

/// The server: prints where it listens.
pub(crate) fn serve() {
    bets::runtime().block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address: SocketAddr = listener.local_addr().expect("an address");
        println!("on http://{address}");
        let router = axum::Router::new().route("/api/tables/{table}/live", any(upgrade));
        axum::serve(listener, router).await.expect("it serves");
    });
}

async fn upgrade(upgrade: WebSocketUpgrade) -> axum::response::Response {
    upgrade.read_buffer_size(4 * 1_024).on_upgrade(|mut socket| async move {
        let mut sequence = 0_u64;
        while let Some(Ok(message)) = socket.recv().await {
            let Message::Text(text) = message else { continue };
            let Ok(request) = serde_json::from_str::<CommandRequest>(&text) else { return };
            sequence += 1;
            let answer = format!(r#"{{"type":"answer","id":"{}","sequence":{sequence},"at":0}}"#, request.id);
            if socket.send(Message::Text(answer.into())).await.is_err() {
                return;
            }
        }
    })
}

pub(crate) fn measure() {
    let program: PathBuf = std::env::current_exe().expect("this program");
    let folder = croupier_testkit::tempdir().expect("a folder");
    let mut command = Command::new(program);
    command.arg("--bare");
    let mut server = Process::spawn(command, &folder.path().join("log")).expect("it starts");
    let line = server.wait_for("on http://", Duration::from_secs(10)).expect("it listens");
    let base = line.trim_start_matches("on ").to_string();
    let seats = (0..bets::TABLES * bets::PLAYERS)
        .map(|at| Seat { table: 1, player: at as u64, token: String::new() })
        .collect();
    bets::report_bare(base, seats);
}
