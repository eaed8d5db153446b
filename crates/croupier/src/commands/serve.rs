//! `croupier serve` and `croupier demo`: the floor over HTTP and WebSocket.

use std::io::{IsTerminal as _, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use axum::Router;
use clap::ValueEnum;
use croupier_journal::By;
use croupier_server::floor::StartError;
use croupier_server::node::Role;
use croupier_server::progress::Progress;
use croupier_server::starting::Starting;
#[cfg(feature = "demo")]
use croupier_server::table::dealer::Pace;
use croupier_server::{App, AppError, Config, away};
use futures_util::FutureExt as _;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;

use super::Rulebooks;

/// Run a floor: tables, people, the cage and the journal, over HTTP and WebSocket
///
/// Anything not set here comes from the environment (`CROUPIER_LISTEN`, `CROUPIER_DATABASE`, `CROUPIER_DATA`), then
/// from the configuration file. The first start prints a one-time link that creates the administrator.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  croupier serve                                        SQLite in ./croupier-data, on 127.0.0.1:8080
  croupier serve --data /var/lib/croupier --listen 0.0.0.0:8443 --config croupier.toml
  croupier serve --database postgresql:///floor         PostgreSQL; keys and checkpoints stay in the data folder")]
pub(crate) struct ServeArgs {
    /// The database: the path of an SQLite file, or a `postgresql://` URL
    #[arg(long, value_name = "URL")]
    database: Option<String>,

    /// Where to listen
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,

    /// The folder for keys and checkpoints, and for the database unless one is named
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// A configuration file (see docs/operations.md)
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Take the second factor of this account away at the start, for an administrator who has lost it; it is put on record
    #[arg(long, value_name = "NAME")]
    reset_factor: Option<String>,

    #[command(flatten)]
    output: Output,
}

/// Run a floor to try out: all seven games with bots that bet, on this machine only
///
/// Everybody who opens the page may sign in as anybody: it listens on loopback only.
#[cfg(feature = "demo")]
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  croupier demo                    on http://127.0.0.1:8080, data kept for the next time
  croupier demo --memory           nothing is kept
  croupier demo --listen 127.0.0.1:0 --data /tmp/floor")]
pub(crate) struct DemoArgs {
    /// Where to listen, on loopback
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,

    /// The folder for the data
    #[arg(long, value_name = "DIR", conflicts_with = "memory")]
    data: Option<PathBuf>,

    /// Keep nothing
    #[arg(long)]
    memory: bool,

    /// Milliseconds between two cards
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 700)]
    pace: u64,

    #[command(flatten)]
    output: Output,
}

/// What both commands have.
#[derive(Debug, clap::Args)]
struct Output {
    /// How to write the log, which goes to standard error; `CROUPIER_LOG` sets what is in it
    #[arg(long, value_enum, default_value_t = LogFormat::Text)]
    log: LogFormat,

    /// Hand out the browser UI from this folder instead of the one that is built in
    #[arg(long, value_name = "DIR")]
    web: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    /// Lines for people
    Text,
    /// One JSON object a line
    Json,
}

/// Runs `serve`.
pub(crate) fn serve(
    args: &ServeArgs,
    rulebooks: &Rulebooks,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let mut config = Config::read(args.config.as_deref(), |name| std::env::var(name).ok())?;
    config.listen = args.listen.unwrap_or(config.listen);
    config.database = args.database.clone().or(config.database);
    config.data = args.data.clone().unwrap_or(config.data);
    config.rulebooks.extend(rulebooks.0.iter().cloned());
    run(config, &args.output, &Doing::Serve { reset_factor: args.reset_factor.as_deref() }, out)
}

/// Runs `demo`.
#[cfg(feature = "demo")]
pub(crate) fn demo(args: &DemoArgs, rulebooks: &Rulebooks, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if !args.listen.ip().is_loopback() {
        bail!(
            "the demo lets everybody sign in as anybody, so it listens on loopback only; \
             use --listen 127.0.0.1:{}, or `croupier serve` for others",
            args.listen.port()
        );
    }
    let config = Config {
        listen: args.listen,
        in_memory: args.memory,
        data: args.data.clone().unwrap_or_else(demo_folder),
        rulebooks: rulebooks.0.clone(),
        // Whoever tries it out has nobody beside them.
        four_eyes_from: None,
        pace: Pace {
            step_milliseconds: args.pace,
            result_milliseconds: args.pace.saturating_mul(6),
            ..Pace::default()
        },
        ..Config::default()
    };
    run(config, &args.output, &Doing::Demo, out)
}

/// Which command runs, and what it does before the first request.
enum Doing<'a> {
    Serve {
        reset_factor: Option<&'a str>,
    },
    #[cfg(feature = "demo")]
    Demo,
}

impl Doing<'_> {
    /// Starts the floor. Only the demo has a way in by one click, and `serve` has no way to the demo.
    async fn start(
        &self,
        config: Config,
        metrics: PrometheusHandle,
        progress: Arc<Progress>,
    ) -> Result<Arc<App>, AppError> {
        match self {
            Self::Serve { .. } => App::start_telling(config, Some(metrics), progress).await,
            #[cfg(feature = "demo")]
            Self::Demo => {
                let demo = Arc::new(croupier_demo::Demo::default());
                App::start_demo(config, Some(metrics), progress, demo).await
            }
        }
    }
}

/// Where the demo keeps its data if nobody says.
#[cfg(feature = "demo")]
fn demo_folder() -> PathBuf {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/share"));
    let base = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).or_else(home);
    base.map_or_else(|| PathBuf::from("croupier-demo"), |base| base.join("croupier/demo"))
}

fn run(
    mut config: Config,
    output: &Output,
    doing: &Doing<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    start_log(output.log)?;
    let front = match &output.web {
        None => croupier_web::router(),
        Some(folder) if folder.join("index.html").is_file() => croupier_web::from_folder(folder),
        Some(folder) => {
            bail!("there is no index.html in {}; `npm run build` in web/ makes one", folder.display())
        }
    };
    make_room(&mut config);
    let metrics = figures()?.install_recorder().context("the figures cannot be gathered")?;
    let listener = TcpListener::bind(config.listen).with_context(|| {
        format!(
            "cannot listen on {}; is another croupier running? --listen names another place",
            config.listen
        )
    })?;
    config.listen = listener.local_addr()?;
    config
        .make_folder()
        .with_context(|| format!("the data folder {} cannot be made", config.data.display()))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        tokio::spawn(keep_up(metrics.clone()));
        // From now on: who asks it to stop while it starts has a clean stop, and no power failure.
        let mut stop = core::pin::pin!(asked_to_stop());
        // A start that has much to read says so to whoever asks.
        let progress = Arc::new(Progress::default());
        let starting = Starting::begin(&listener, &config, Arc::clone(&progress)).await?;
        if config.node.is_some() {
            return among_others(config, doing, (listener, front, starting), (metrics, progress), stop).await;
        }
        let database = config.place()?.database;
        let is_there = tokio::select! {
            is_there = away::wait_for(&database, &progress) => is_there,
            () = &mut stop => {
                starting.end().await;
                writeln!(out, "Stopped while waiting for the database {database}; nothing was begun.")?;
                return Ok(ExitCode::SUCCESS);
            }
        };
        if let Err(error) = is_there {
            starting.end().await;
            return Err(error.into());
        }
        let app = doing.start(config, metrics, progress).await;
        starting.end().await;
        let app = app?;
        if let Err(error) = welcome(&app, doing, out).await {
            let _ = app.floor.stop().await;
            return Err(error);
        }
        app.serve(listener, front, stop).await?;
        writeln!(out, "Stopped; everything is in the journal.")?;
        Ok(ExitCode::SUCCESS)
    })
}

/// What takes connections: the listener, what it hands out beside the interface, and what answers until it is ready.
type Door = (TcpListener, Router, Starting);

/// How a server that is one of several ends its turn.
enum Turn {
    /// It was asked to stop.
    Stopped,
    /// Another node leads by now: this one begins anew, and follows it.
    Overtaken,
}

/// Between two turns of a node.
const BETWEEN_TURNS: Duration = Duration::from_millis(500);

/// Runs a server that is one of several on the same floor. Where it must not lead any more, whatever it has in memory may
/// be those of no line: it begins anew from what is written.
async fn among_others(
    config: Config,
    doing: &Doing<'_>,
    (listener, front, starting): Door,
    (metrics, progress): (PrometheusHandle, Arc<Progress>),
    stop: core::pin::Pin<&mut (impl Future<Output = ()> + Send)>,
) -> anyhow::Result<ExitCode> {
    let Doing::Serve { reset_factor: None } = doing else {
        bail!(
            "--reset-factor is for a server that runs alone; take [node] out of the settings for this one start"
        );
    };
    let stop = stop.shared();
    let (mut starting, mut turns) = (Some(starting), 0_u64);
    loop {
        let waiting = match starting.take() {
            Some(starting) => starting,
            None => Starting::begin(&listener, &config, Arc::clone(&progress)).await?,
        };
        let started = tokio::select! {
            started = doing.start(config.clone(), metrics.clone(), Arc::clone(&progress)) => started,
            () = stop.clone() => {
                waiting.end().await;
                return Ok(ExitCode::SUCCESS);
            }
        };
        waiting.end().await;
        let served = match started {
            Ok(app) => {
                // Both on this thread, which alone may print.
                let serving = app.serve(listener.try_clone()?, front.clone(), stop.clone());
                tokio::select! {
                    served = serving => served,
                    never = greet_among_others(&app, turns == 0) => match never {},
                }
            }
            Err(error) => Err(error),
        };
        match turn(served)? {
            Turn::Stopped => {
                say("Stopped; everything is in the journal.");
                return Ok(ExitCode::SUCCESS);
            }
            Turn::Overtaken => turns += 1,
        }
        tokio::select! {
            () = tokio::time::sleep(BETWEEN_TURNS) => {}
            () = stop.clone() => return Ok(ExitCode::SUCCESS),
        }
    }
}

/// What becomes of a node whose turn has ended.
fn turn(served: Result<(), AppError>) -> Result<Turn, AppError> {
    use croupier_journal::StoreError::{InUse, Lost, Overtaken, Stopped};
    let why = match served {
        Ok(()) => return Ok(Turn::Stopped),
        Err(error) => error,
    };
    let goes_on = match &why {
        AppError::Journal(error) => matches!(**error, Overtaken(_) | InUse(_) | Lost(_) | Stopped(_)),
        AppError::Store(error) | AppError::Floor(StartError::Store(error)) => matches!(error, Lost(_)),
        _ => false,
    };
    if !goes_on {
        return Err(why);
    }
    tracing::warn!(%why, "this node begins anew, and follows");
    Ok(Turn::Overtaken)
}

/// Prints a line; nobody is stopped by a console that is gone.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}").and_then(|()| std::io::stdout().flush());
}

/// Says where it is and what it is; and what to do first, once it leads.
async fn greet_among_others(app: &Arc<App>, is_first: bool) -> core::convert::Infallible {
    if let Some(node) = &app.node {
        let scheme = if app.config.tls.is_some() { "https" } else { "http" };
        let (version, name) = (env!("CARGO_PKG_VERSION"), &node.settings.name);
        if is_first {
            say(&format!("Croupier {version} on {scheme}://{}, as node {name}", app.config.listen));
        }
        // It is told when the server ends otherwise.
        let _ = node.watch().wait_for(|now| now.role == Role::Leader).await.map(drop);
        match app.people.first_run_token() {
            Ok(Some(token)) => {
                let address = app.config.address_for_people();
                say(&format!("Create the administrator (one-time link): {address}/first-run#{token}"));
            }
            Ok(None) => {}
            Err(error) => tracing::error!(%error, "no link for the first administrator could be made"),
        }
    }
    core::future::pending().await
}

/// Files that a server has open beside its connections: the database, keys, checkpoints, readers.
const OTHER_FILES: u64 = 256;

/// Raises the limit of open files as far as it goes, and takes no more connections than fit under it: whatever must be
/// written can then always be opened.
fn make_room(config: &mut Config) {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).is_ok();
        let Some(files) = (if raised { maximum } else { current }) else { return };
        let fits = u32::try_from(files.saturating_sub(OTHER_FILES).max(16)).unwrap_or(u32::MAX);
        let all = &mut config.limits.connections.all;
        if *all == 0 || *all > fits {
            *all = fits;
            let says = format!("{files} files may be open, so {fits} connections are taken at the same time");
            // The log has not begun to tell anything yet, and nothing depends on this line.
            let _ = writeln!(std::io::stderr(), "croupier: {says}");
        }
    }
}

/// What is done between the start and the first request.
async fn welcome(app: &Arc<App>, doing: &Doing<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    greet(app, out)?;
    match doing {
        Doing::Serve { reset_factor: None } => {}
        Doing::Serve { reset_factor: Some(name) } => {
            let person = app.people.named(name).with_context(|| format!("nobody signs in as `{name}`"))?;
            let reset = app.people.reset_factor(By::System, person.id).await;
            reset.map_err(|problem| anyhow!("--reset-factor {name}: {}", problem.detail))?;
            writeln!(out, "The second factor of {name} is reset.")?;
        }
        #[cfg(feature = "demo")]
        Doing::Demo => {
            croupier_demo::furnish(app).await?;
            writeln!(out, "Ready. Ctrl-C stops it.")?;
        }
    }
    out.flush()?;
    Ok(())
}

/// Where the buckets of durations end, in seconds: from a request that reads memory to one that is given up.
const SECONDS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

/// The same for the till, which is held for a few microseconds.
const TILL_SECONDS: [f64; 12] = [
    0.000_001, 0.000_002, 0.000_005, 0.000_01, 0.000_02, 0.000_05, 0.000_1, 0.000_2, 0.000_5, 0.001, 0.01,
    0.1,
];

/// Lines of one commit.
const ROWS: [f64; 10] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 500.0, 2_000.0, 8_192.0];

/// How figures are gathered: durations in fixed buckets, which can be added up and take no more room with time.
fn figures() -> anyhow::Result<PrometheusBuilder> {
    let till = Matcher::Prefix("croupier_till_".to_string());
    let rows = Matcher::Full("croupier_store_commit_rows".to_string());
    let figures = PrometheusBuilder::new().set_buckets(&SECONDS);
    let figures = figures.and_then(|figures| figures.set_buckets_for_metric(till, &TILL_SECONDS));
    let figures = figures.and_then(|figures| figures.set_buckets_for_metric(rows, &ROWS));
    figures.context("the figures cannot be gathered")
}

/// Puts what was measured into its buckets, or it would pile up while nobody asks for the figures.
async fn keep_up(figures: PrometheusHandle) {
    let mut turns = tokio::time::interval(Duration::from_secs(5));
    loop {
        turns.tick().await;
        figures.run_upkeep();
    }
}

/// Says where it is and what to do first.
fn greet(app: &Arc<App>, out: &mut dyn Write) -> anyhow::Result<()> {
    let scheme = if app.config.tls.is_some() { "https" } else { "http" };
    let place = format!("{scheme}://{}", app.config.listen);
    writeln!(out, "Croupier {} on {place}", env!("CARGO_PKG_VERSION"))?;
    match app.config.in_memory {
        true => writeln!(out, "Nothing is kept.")?,
        false => writeln!(out, "Data in {}", app.config.data.display())?,
    }
    if app.was_killed {
        writeln!(out, "The last run was cut off; rounds that were in play are ruled on as a power failure.")?;
    }
    if !app.is_demo()
        && let Some(token) = app.people.first_run_token()?
    {
        let address = app.config.address_for_people();
        writeln!(out, "Create the administrator (one-time link): {address}/first-run#{token}")?;
    }
    out.flush()?;
    Ok(())
}

fn start_log(format: LogFormat) -> anyhow::Result<()> {
    let filter = EnvFilter::try_from_env("CROUPIER_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // Colours are for eyes: neither a file nor a pipe has any, nor who says so.
    let log = log.with_ansi(std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none());
    let started = match format {
        LogFormat::Text => log.with_target(false).try_init(),
        LogFormat::Json => log.json().try_init(),
    };
    started.map_err(|error| anyhow!("the log cannot be started: {error}"))
}

/// Ctrl-C, or the signal that service managers send, from now on.
fn asked_to_stop() -> impl Future<Output = ()> + Send {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let listen = |kind| signal(kind).ok();
        let (interrupted, terminated) = (listen(SignalKind::interrupt()), listen(SignalKind::terminate()));
        async move {
            let comes = async |signal: Option<tokio::signal::unix::Signal>| match signal {
                Some(mut signal) => drop(signal.recv().await),
                None => std::future::pending().await,
            };
            tokio::select! {
                () = comes(interrupted) => {}
                () = comes(terminated) => {}
            }
        }
    }
    #[cfg(not(unix))]
    async {
        let _ = tokio::signal::ctrl_c().await;
    }
}
