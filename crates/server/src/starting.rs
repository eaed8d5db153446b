//! What the server answers while it starts: that it runs, that it is not ready, and how far it has come.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderName, StatusCode, header};
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;

use crate::app::{AppError, certificate};
use crate::config::Config;
use crate::progress::{Progress, Told};

/// Answers on the address of the server until it is ready.
#[derive(Debug)]
pub struct Starting {
    handle: axum_server::Handle<std::net::SocketAddr>,
    task: tokio::task::JoinHandle<std::io::Result<()>>,
}

/// Why requests are not welcome yet.
#[derive(Serialize)]
struct NotYet {
    status: u16,
    code: &'static str,
    detail: &'static str,
    #[serde(flatten)]
    told: Told,
}

type Answer = (StatusCode, [(HeaderName, &'static str); 2], Json<NotYet>);

async fn not_yet(State(progress): State<Arc<Progress>>) -> Answer {
    let status = StatusCode::SERVICE_UNAVAILABLE;
    let detail = "the server reads its journal and is not ready yet";
    let body = NotYet { status: status.as_u16(), code: "starting", detail, told: progress.told() };
    let headers = [(header::CONTENT_TYPE, "application/problem+json"), (header::RETRY_AFTER, "1")];
    (status, headers, Json(body))
}

/// What is answered while the server starts.
pub fn router(progress: Arc<Progress>) -> Router {
    let runs = || async { Json(serde_json::json!({ "version": env!("CARGO_PKG_VERSION") })) };
    Router::new().route("/healthz", get(runs)).fallback(not_yet).with_state(progress)
}

impl Starting {
    /// Begins to answer.
    ///
    /// # Errors
    /// When the address cannot be listened on, or TLS cannot be set up.
    pub async fn begin(
        listener: &TcpListener,
        config: &Config,
        progress: Arc<Progress>,
    ) -> Result<Self, AppError> {
        let fault = |error: std::io::Error| AppError::Listen(config.listen, error);
        let listener = listener.try_clone().map_err(fault)?;
        listener.set_nonblocking(true).map_err(fault)?;
        let handle = axum_server::Handle::new();
        let service = router(progress).into_make_service();
        let task = match &config.tls {
            None => {
                let server = axum_server::from_tcp(listener).map_err(fault)?;
                tokio::spawn(server.handle(handle.clone()).serve(service))
            }
            Some(tls) => {
                let server =
                    axum_server::from_tcp_rustls(listener, certificate(tls).await?).map_err(fault)?;
                tokio::spawn(server.handle(handle.clone()).serve(service))
            }
        };
        Ok(Self { handle, task })
    }

    /// Ends, so that the server itself can answer; who asked has his answer.
    pub async fn end(self) {
        self.handle.graceful_shutdown(Some(Duration::from_secs(1)));
        // It has nothing more to tell than it told.
        let _ = self.task.await;
    }
}
