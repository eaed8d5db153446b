//! The server as a whole: the floor, the people, the settings, and the router over them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum_server::accept::NoDelayAcceptor;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use metrics_exporter_prometheus::PrometheusHandle;

use crate::config::Config;
use crate::floor::{Floor, StartError, Started};
use crate::limits::Buckets;
use crate::people::{People, PeopleError};
use crate::{api, cases, device};

/// Everything that a request needs.
pub struct App {
    /// The tables and the journal.
    pub floor: Arc<Floor>,
    /// Who may sign in.
    pub people: People,
    /// The disputes.
    pub cases: cases::Cases,
    /// What devices have reported.
    pub devices: device::Devices,
    /// What the operator set.
    pub config: Config,
    /// How much everybody has asked for.
    pub buckets: Buckets,
    /// The figures, if they are gathered.
    pub metrics: Option<PrometheusHandle>,
    /// New requests go elsewhere.
    stopping: AtomicBool,
    /// How the floor was found.
    pub was_killed: bool,
    /// Whether there was no journal.
    pub is_new: bool,
}

impl core::fmt::Debug for App {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("App").field("config", &self.config).finish_non_exhaustive()
    }
}

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The floor.
    #[error(transparent)]
    Floor(#[from] StartError),
    /// The people.
    #[error(transparent)]
    People(#[from] PeopleError),
    /// Another register.
    #[error(transparent)]
    Store(#[from] croupier_journal::StoreError),
    /// A rulebook of the operator.
    #[error("{0}: {1}")]
    Rulebook(String, String),
    /// The address cannot be listened on, or TLS cannot be set up.
    #[error("{0}: {1}")]
    Listen(SocketAddr, std::io::Error),
    /// The journal failed while the server ran.
    #[error("the journal cannot be written any more: {0}; start again when the disk is well")]
    Journal(Arc<croupier_journal::StoreError>),
}

impl App {
    /// Starts the floor and everything around it; nothing listens yet.
    ///
    /// # Errors
    /// Why it does not start.
    pub async fn start(config: Config, metrics: Option<PrometheusHandle>) -> Result<Arc<Self>, AppError> {
        let place = config.place();
        let settings = config.people.clone();
        // Reading the journal and the registers blocks, so all of it is done here; tasks of tables are started from
        // there, on this runtime.
        let runtime = tokio::runtime::Handle::current();
        let started = tokio::task::spawn_blocking(move || -> Result<_, AppError> {
            let _on = runtime.enter();
            let started = Floor::start(&place)?;
            let people = People::load(&started.floor, settings)?;
            let cases = cases::Cases::load(&started.floor)?;
            let devices = device::Devices::load(&started.floor)?;
            Ok((started, people, cases, devices))
        });
        let (Started { floor, was_killed, is_new }, people, cases, devices) = started
            .await
            .unwrap_or_else(|error| Err(croupier_journal::StoreError::Database(error.to_string()).into()))?;
        for path in &config.rulebooks {
            let name = path.display().to_string();
            let fault = |error: &dyn core::fmt::Display| AppError::Rulebook(name.clone(), error.to_string());
            let text = std::fs::read_to_string(path).map_err(|error| fault(&error))?;
            let added = floor.add_rulebook(croupier_journal::By::System, &text).await;
            added.map_err(|error| fault(&error))?;
        }
        Ok(Arc::new(Self {
            buckets: Buckets::new(config.limits),
            floor,
            people,
            cases,
            devices,
            config,
            metrics,
            stopping: AtomicBool::new(false),
            was_killed,
            is_new,
        }))
    }

    /// The interface under `/api`, and `front` for every other address.
    pub fn router(self: &Arc<Self>, front: Router) -> Router {
        api::router(Arc::clone(self), front)
    }

    /// Whether new requests should go elsewhere.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Listens and serves until `stop` says so or the journal fails; then finishes what is in hand.
    ///
    /// # Errors
    /// When the address cannot be listened on, or the journal failed.
    pub async fn serve(
        self: &Arc<Self>,
        listener: std::net::TcpListener,
        front: Router,
        stop: impl Future<Output = ()> + Send,
    ) -> Result<(), AppError> {
        let address = self.config.listen;
        let fault = |error: std::io::Error| AppError::Listen(address, error);
        let handle = axum_server::Handle::new();
        let service = self.router(front).into_make_service_with_connect_info::<SocketAddr>();
        listener.set_nonblocking(true).map_err(fault)?;
        // Answers are short and must not wait to be sent together: no delay.
        let serving = match &self.config.tls {
            None => {
                let server = axum_server::from_tcp(listener).map_err(fault)?;
                let server = server.acceptor(NoDelayAcceptor::new()).handle(handle.clone());
                tokio::spawn(server.serve(service))
            }
            Some(tls) => {
                let files = RustlsConfig::from_pem_file(&tls.certificate, &tls.key);
                let files = files.await.map_err(fault)?;
                let acceptor = RustlsAcceptor::new(files).acceptor(NoDelayAcceptor::new());
                let server = axum_server::from_tcp(listener).map_err(fault)?;
                let server = server.acceptor(acceptor).handle(handle.clone());
                tokio::spawn(server.serve(service))
            }
        };
        let mut failed = self.floor.shared.failure();
        let failure = tokio::select! {
            () = stop => None,
            failed = failed.wait_for(Option::is_some) => failed.ok().and_then(|failed| failed.clone()),
        };
        self.stopping.store(true, Ordering::Relaxed);
        handle.graceful_shutdown(Some(Duration::from_secs(5)));
        let stopped =
            match failure {
                Some(why) => Err(AppError::Journal(why)),
                None => self.floor.stop().await.map_err(|error| {
                    AppError::Store(croupier_journal::StoreError::Database(error.to_string()))
                }),
            };
        match serving.await {
            Ok(Ok(())) | Err(_) => {}
            Ok(Err(error)) => return Err(fault(error)),
        }
        stopped
    }
}
