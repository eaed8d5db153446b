//! The server as a whole: the floor, the people, the settings, and the router over them.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use croupier_journal::deed::RegisterChange;
use croupier_journal::{By, Change, Deed, Shelf};
use hyper_util::rt::TokioTimer;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::sync::watch as channel;
use tokio::task::{AbortHandle, JoinHandle};

use crate::config::{Config, Tls};
use crate::demonstration::Demonstration;
use crate::doors::{Doorkeeper, Doors, Impatient, SILENCE};
use crate::floor::{Floor, FloorError, StartError, Started};
use crate::limits::Buckets;
use crate::node::{Node, NodeError};
use crate::people::{People, PeopleError};
use crate::progress::Progress;
use crate::provider::{Provider, ProviderError};
use crate::watch::Watch;
use crate::witness::{WitnessError, Witnesses};
use crate::{api, cases, device, people, trays};

/// Everything that a request needs.
pub struct App {
    /// The tables and the journal.
    pub floor: Arc<Floor>,
    /// Who may sign in.
    pub people: People,
    /// The identity provider, if there is one.
    pub provider: Option<Provider>,
    /// Who is told of checkpoints.
    pub witnesses: Witnesses,
    /// The disputes.
    pub cases: cases::Cases,
    /// The chips of the tables.
    pub trays: trays::Trays,
    /// What devices have reported.
    pub devices: device::Devices,
    /// What surveillance follows.
    pub watch: Arc<Watch>,
    /// This server among others of the same floor, where there are any.
    pub node: Option<Arc<Node>>,
    /// What the operator set.
    pub config: Config,
    /// The demonstration that this is, if it is one.
    pub(crate) demo: Option<Arc<dyn Demonstration>>,
    /// How many are there.
    pub doors: Arc<Doors>,
    /// How much everybody has asked for.
    pub buckets: Buckets,
    /// The figures, if they are gathered.
    pub metrics: Option<PrometheusHandle>,
    /// New requests go elsewhere.
    stopping: channel::Sender<bool>,
    /// The listener of the metrics, until they are served.
    metrics_door: Mutex<Option<std::net::TcpListener>>,
    /// What serves them.
    metrics_served: Mutex<Option<AbortHandle>>,
    /// The certificate in use, where the server has one.
    tls: Option<RustlsConfig>,
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

/// How long a server that is to stop waits for a database that is away.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The floor.
    #[error(transparent)]
    Floor(#[from] StartError),
    /// The people.
    #[error(transparent)]
    People(#[from] PeopleError),
    /// The identity provider.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// The witness of checkpoints.
    #[error(transparent)]
    Witness(#[from] WitnessError),
    /// A standby is asked for, and there is none.
    #[error("require_standby: {0}")]
    Standby(&'static str),
    /// Another register.
    #[error(transparent)]
    Store(#[from] croupier_journal::StoreError),
    /// The settings of a node.
    #[error(transparent)]
    Node(#[from] NodeError),
    /// A rulebook of the operator.
    #[error("{0}: {1}")]
    Rulebook(String, String),
    /// The address cannot be listened on.
    #[error("{0}: {1}")]
    Listen(SocketAddr, std::io::Error),
    /// The certificate or its key cannot be used.
    #[error("tls: {}: {error}", path.display())]
    Tls {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        error: std::io::Error,
    },
    /// The journal failed while the server ran.
    #[error("the journal cannot be written any more: {0}; start again when that is mended")]
    Journal(Arc<croupier_journal::StoreError>),
}

impl App {
    /// Starts the floor and everything around it; nothing listens yet.
    ///
    /// # Errors
    /// Why it does not start.
    pub async fn start(config: Config, metrics: Option<PrometheusHandle>) -> Result<Arc<Self>, AppError> {
        Self::start_telling(config, metrics, Arc::default()).await
    }

    /// The same, telling how far it has come.
    ///
    /// # Errors
    /// Why it does not start.
    pub async fn start_telling(
        config: Config,
        metrics: Option<PrometheusHandle>,
        progress: Arc<Progress>,
    ) -> Result<Arc<Self>, AppError> {
        Self::start_with(config, metrics, progress, None).await
    }

    /// The same for a demonstration, to which everybody may sign in as anybody: it must listen on loopback only, and
    /// answers to no other name.
    ///
    /// # Errors
    /// Why it does not start.
    pub async fn start_demo(
        mut config: Config,
        metrics: Option<PrometheusHandle>,
        progress: Arc<Progress>,
        demo: Arc<dyn Demonstration>,
    ) -> Result<Arc<Self>, AppError> {
        // Whoever tries it out is everybody at once.
        config.people.roles = people::Roles::anything();
        config.people.second_factor = people::SecondFactor::default();
        Self::start_with(config, metrics, progress, Some(demo)).await
    }

    async fn start_with(
        config: Config,
        metrics: Option<PrometheusHandle>,
        progress: Arc<Progress>,
        demo: Option<Arc<dyn Demonstration>>,
    ) -> Result<Arc<Self>, AppError> {
        // Whatever can be wrong about the settings is found before the floor is open: a start that is given up after
        // that would leave it as a power failure does.
        let place = config.place()?;
        let tls = match &config.tls {
            Some(files) => Some(certificate(files).await?),
            None => None,
        };
        let rulebooks = rulebooks(&config)?;
        let witnesses = Witnesses::new(&config.witness)?;
        let address = config.address_for_people();
        let provider = config.oidc.as_ref().map(|oidc| Provider::new(oidc, &address)).transpose()?;
        let metrics_door = match config.metrics.listen {
            Some(address) => {
                let listener = std::net::TcpListener::bind(address);
                Some(listener.map_err(|error| AppError::Listen(address, error))?)
            }
            None => None,
        };
        let node =
            config.node.clone().map(|node| Node::new(node, &place.database)).transpose()?.map(Arc::new);
        let follows = node.is_some();
        let (settings, require_standby) = (config.people.clone(), config.require_standby);
        // Reading the journal and the registers blocks, so all of it is done here; tasks of tables are started from
        // there, on this runtime.
        let runtime = tokio::runtime::Handle::current();
        let started = tokio::task::spawn_blocking(move || -> Result<_, AppError> {
            let _on = runtime.enter();
            if require_standby {
                standby(&place.database)?;
            }
            let (started, standby) = match follows {
                false => (Floor::start_telling(&place, &progress)?, None),
                true => {
                    let (floor, standby) = Floor::follow(&place, &progress)?;
                    let is_new = standby.position() == 0;
                    (Started { floor, was_killed: false, is_new }, Some(standby))
                }
            };
            let around = || -> Result<_, AppError> {
                let people = People::load(&started.floor, settings)?;
                let cases = cases::Cases::load(&started.floor)?;
                let trays = trays::Trays::load(&started.floor)?;
                let devices = device::Devices::load(&started.floor)?;
                Ok((people, cases, trays, devices))
            };
            let around = around();
            Ok((started, standby, around))
        });
        let (Started { floor, was_killed, is_new }, standby, around) = started
            .await
            .unwrap_or_else(|error| Err(croupier_journal::StoreError::Database(error.to_string()).into()))?;
        let ready = match around {
            // A node does so when it leads.
            Ok(around) if follows => Ok(around),
            Ok(around) => prepare(&floor, &config, provider.as_ref(), rulebooks).await.map(|()| around),
            Err(error) => Err(error),
        };
        let version = env!("CARGO_PKG_VERSION");
        let tables = floor.tables().len();
        match follows {
            false => tracing::info!(version, tables, new = is_new, "the floor is open"),
            true => tracing::info!(version, tables, "the floor is read, and followed"),
        }
        if was_killed {
            tracing::warn!(
                "the last run was cut off; rounds that were in play are ruled on as a power failure"
            );
        }
        let (people, cases, trays, devices) = match ready {
            Ok(around) => around,
            Err(error) => {
                let _ = floor.stop().await;
                return Err(error);
            }
        };
        people.keep_sessions_by_and_by();
        if !follows {
            witnesses.begin(&floor);
        }
        let watch = Arc::new(Watch::new(croupier_insight::Settings::default()));
        watch.begin(&floor);
        if let Some(demo) = &demo {
            people.name_robots(Arc::clone(demo));
        }
        let app = Arc::new(Self {
            node,
            doors: Doors::new(config.limits.connections, config.limits.sockets, config.people.behind_proxy),
            buckets: Buckets::new(config.limits),
            floor,
            people,
            provider,
            witnesses,
            cases,
            trays,
            devices,
            watch,
            config,
            demo,
            metrics,
            stopping: channel::Sender::new(false),
            tls,
            metrics_door: Mutex::new(metrics_door),
            metrics_served: Mutex::new(None),
            was_killed,
            is_new,
        });
        if let (Some(node), Some(standby)) = (&app.node, standby) {
            let fault = |error: std::io::Error| croupier_journal::StoreError::Database(error.to_string());
            node.begin(&app, standby).map_err(fault)?;
        }
        Ok(app)
    }

    /// This node leads from now on: what the settings change about the floor is put on record, as at the start of a
    /// server alone.
    pub(crate) async fn has_taken_over(self: Arc<Self>) {
        let prepared = async {
            let rulebooks = rulebooks(&self.config)?;
            prepare(&self.floor, &self.config, self.provider.as_ref(), rulebooks).await
        };
        if let Err(error) = prepared.await {
            tracing::error!(%error, "what the settings say could not be put on record");
        }
        self.witnesses.begin(&self.floor);
    }

    /// The interface under `/api`, and `front` for every other address.
    pub fn router(self: &Arc<Self>, front: Router) -> Router {
        api::router(Arc::clone(self), front)
    }

    /// Whether this is a demonstration.
    #[must_use]
    pub fn is_demo(&self) -> bool {
        self.demo.is_some()
    }

    /// Whether new requests should go elsewhere.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Tells when the server begins to stop.
    #[must_use]
    pub fn leaving(&self) -> channel::Receiver<bool> {
        self.stopping.subscribe()
    }

    async fn stop_floor(&self) -> Result<(), FloorError> {
        if let Err(problem) = self.people.keep_sessions().await {
            tracing::error!(problem.detail, "the use of sessions could not be kept");
        }
        self.floor.stop().await
    }

    /// The same, unless the database stays away: then nobody waits for it any longer.
    async fn stop_floor_in_time(&self) -> Result<(), FloorError> {
        let mut stopping = core::pin::pin!(self.stop_floor());
        loop {
            match tokio::time::timeout(Duration::from_secs(1), &mut stopping).await {
                Ok(stopped) => return stopped,
                Err(_) => {
                    let waiting = self.floor.shared.till.waiting();
                    if waiting.is_some_and(|waiting| waiting.time >= PATIENCE) {
                        break;
                    }
                }
            }
        }
        let lost = "the database did not answer while the server stopped; what was on its way may be there or not, and \
                    the next start rules on rounds in play as after a power failure";
        tracing::error!("{lost}");
        self.floor.shared.till.give_up();
        // Whoever waits is told; a commit that hangs is not waited for.
        let _ = tokio::time::timeout(Duration::from_secs(2), &mut stopping).await;
        Err(FloorError::Unknown(Arc::new(croupier_journal::StoreError::Lost(lost.to_string()))))
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
        let serving = match self.open_doors(listener, front, &handle) {
            Ok(serving) => serving,
            Err(error) => {
                let _ = self.floor.stop().await;
                return Err(fault(error));
            }
        };
        tracing::info!(%address, tls = self.tls.is_some(), "listening");
        if self.config.is_open_to_eavesdroppers() {
            tracing::warn!(
                "plain HTTP on an address that others can reach: passwords can be read on the way, and browsers keep \
                 no session; set [tls], or public_host and people.behind_proxy behind a proxy that ends TLS"
            );
        }
        let mut failed = self.floor.shared.failure();
        let failure = tokio::select! {
            () = stop => None,
            failed = failed.wait_for(Option::is_some) => failed.ok().and_then(|failed| failed.clone()),
        };
        tracing::info!("stopping");
        if let Some(node) = &self.node {
            node.begin_to_leave();
        }
        self.stopping.send_replace(true);
        handle.graceful_shutdown(Some(Duration::from_secs(5)));
        let stopped = match failure {
            Some(why) => {
                self.end_turn().await;
                Err(AppError::Journal(why))
            }
            None => self
                .stop_floor_in_time()
                .await
                .map_err(|error| AppError::Store(croupier_journal::StoreError::Database(error.to_string()))),
        };
        if let Some(node) = &self.node {
            // Another takes over at once, and what still comes here is passed to it.
            node.leave().await;
        }
        match serving.await {
            Ok(Ok(())) | Err(_) => {}
            Ok(Err(error)) => return Err(fault(error)),
        }
        if stopped.is_ok() {
            self.witnesses.finish(&self.floor).await;
            tracing::info!("stopped");
        }
        stopped
    }
}

impl App {
    /// A node that must not lead any more begins anew in the same process: nothing of this turn goes on.
    async fn end_turn(&self) {
        if self.node.is_none() {
            return;
        }
        self.floor.shared.till.give_up();
        let ended = async {
            for table in self.floor.tables() {
                table.stop().await;
            }
        };
        if tokio::time::timeout(Duration::from_secs(5), ended).await.is_err() {
            tracing::warn!("tables of the turn before have not ended");
        }
        if let Some(serving) = self.metrics_served.lock().unwrap_or_else(PoisonError::into_inner).take() {
            serving.abort();
        }
    }
}

type Listening = axum_server::Handle<SocketAddr>;

impl App {
    /// Begins to take connections.
    fn open_doors(
        self: &Arc<Self>,
        listener: std::net::TcpListener,
        front: Router,
        handle: &Listening,
    ) -> std::io::Result<JoinHandle<std::io::Result<()>>> {
        let service = self.router(front).into_make_service_with_connect_info::<SocketAddr>();
        listener.set_nonblocking(true)?;
        if let Some(door) = self.metrics_door.lock().unwrap_or_else(PoisonError::into_inner).take() {
            door.set_nonblocking(true)?;
            tracing::info!(address = %door.local_addr()?, "metrics");
            let metrics = api::health::metrics_alone(Arc::clone(self)).into_make_service();
            // Nothing is lost with them: they end with the process.
            let serving = tokio::spawn(axum_server::from_tcp(door)?.serve(metrics));
            *self.metrics_served.lock().unwrap_or_else(PoisonError::into_inner) =
                Some(serving.abort_handle());
        }
        let mut server = axum_server::from_tcp(listener)?.handle(handle.clone());
        let builder = server.http_builder();
        builder.http1().timer(TokioTimer::new()).header_read_timeout(SILENCE);
        let http2 = &mut builder.http2();
        http2.timer(TokioTimer::new()).keep_alive_interval(SILENCE).keep_alive_timeout(SILENCE);
        let doorkeeper = Doorkeeper(Arc::clone(&self.doors));
        Ok(match (&self.tls, &self.config.tls) {
            (Some(tls), Some(files)) => {
                tokio::spawn(follow(tls.clone(), files.clone()));
                let acceptor = RustlsAcceptor::new(tls.clone()).acceptor(doorkeeper);
                tokio::spawn(server.acceptor(Impatient(acceptor)).serve(service))
            }
            _ => tokio::spawn(server.acceptor(Impatient(doorkeeper)).serve(service)),
        })
    }
}

/// How often the files of the certificate are looked at.
const LOOK: Duration = Duration::from_secs(10);

/// Takes up a certificate that was put in the place of the one in use, for connections that come from then on.
async fn follow(tls: RustlsConfig, files: Tls) {
    let stamp = || {
        [&files.certificate, &files.key].map(|path| std::fs::metadata(path).and_then(|of| of.modified()).ok())
    };
    let mut seen = stamp();
    loop {
        tokio::time::sleep(LOOK).await;
        let now = stamp();
        if now == seen {
            continue;
        }
        match tls.reload_from_pem_file(&files.certificate, &files.key).await {
            Ok(()) => {
                tracing::info!("the new certificate is in use");
                seen = now;
            }
            // One of the two files may still be on its way: it is looked at again.
            Err(error) => {
                tracing::warn!(%error, "the new certificate cannot be used; the one before it stays");
            }
        }
    }
}

/// The certificate and its key, ready to be used.
pub(crate) async fn certificate(files: &Tls) -> Result<RustlsConfig, AppError> {
    let fault = |path: &PathBuf, error| AppError::Tls { path: path.clone(), error };
    let read = |path: &PathBuf| std::fs::read(path).map_err(|error| fault(path, error));
    let (chain, key) = (read(&files.certificate)?, read(&files.key)?);
    let ready = RustlsConfig::from_pem(chain, key).await;
    ready.map_err(|error| fault(&files.certificate, error))
}

/// That every commit waits for a standby.
fn standby(database: &croupier_journal::Location) -> Result<(), AppError> {
    match database.open()?.has_standby()? {
        Some(true) => Ok(()),
        Some(false) => Err(AppError::Standby(
            "synchronous_standby_names is empty in PostgreSQL; name a standby there, or leave require_standby out",
        )),
        None => Err(AppError::Standby("it is for PostgreSQL, and this database is another; leave it out")),
    }
}

/// The texts of the operator's rulebooks, each of which is one.
fn rulebooks(config: &Config) -> Result<Vec<(String, String)>, AppError> {
    let read = |path: &PathBuf| {
        let name = path.display().to_string();
        let fault = |error: &dyn core::fmt::Display| AppError::Rulebook(name.clone(), error.to_string());
        let text = std::fs::read_to_string(path).map_err(|error| fault(&error))?;
        Shelf::default().add(&text).map_err(|faults| fault(&faults))?;
        Ok((name, text))
    };
    config.rulebooks.iter().map(read).collect()
}

/// What the settings change about a floor that is open.
async fn prepare(
    floor: &Floor,
    config: &Config,
    provider: Option<&Provider>,
    rulebooks: Vec<(String, String)>,
) -> Result<(), AppError> {
    for (name, text) in rulebooks {
        let added = floor.add_rulebook(By::System, &text).await;
        added.map_err(|error| AppError::Rulebook(name, error.to_string()))?;
    }
    if let Some(provider) = provider {
        provider.check_grants(&floor.shelf())?;
    }
    record_policies(floor, config).await
}

/// The register of policies, as they were last put on record.
const POLICIES: &str = "policy";

/// What the house has set about who may be what and who must see it: a change of that is put on record.
async fn record_policies(floor: &Floor, config: &Config) -> Result<(), AppError> {
    let roles = (config.people.roles.told(), people::Roles::default().told());
    let eyes = (config.four_eyes_told(), Config::default().four_eyes_told());
    let factor = (config.people.second_factor.told(), people::SecondFactor::default().told());
    let none = || "nobody signs in by a provider".to_string();
    let provider = (config.oidc.as_ref().map_or_else(none, crate::provider::Oidc::told), none());
    let all = [("roles", roles), ("four-eyes", eyes), ("second-factor", factor), ("provider", provider)];
    for (policy, (told, usual)) in all {
        let before = floor.shared.readers.read(move |store| store.entry(POLICIES, policy)).await?;
        let before = before.map_or(usual, |before| String::from_utf8_lossy(&before).into_owned());
        if before == told {
            continue;
        }
        let value = told.clone().into_bytes();
        let change = Change::Put { register: POLICIES, key: policy.to_string(), value };
        let deed = Deed::Register(RegisterChange {
            register: POLICIES.to_string(),
            entry: policy.to_string(),
            what: told,
            sealed: Vec::new(),
        });
        let recorded = floor.record(By::System, deed, vec![change]).await;
        recorded.map_err(|error| croupier_journal::StoreError::Database(error.to_string()))?;
    }
    Ok(())
}
