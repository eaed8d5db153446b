//! Throw-away PostgreSQL clusters, made with the machine's own server binaries.
//!
//! [`shared`] is for tests: one cluster for all processes of a test run, and a [`Database`] of its own for each
//! test. [`Cluster::start`] is for whoever needs a cluster alone, to measure it or to end it. A cluster listens on a
//! unix socket only and asks for no password; one that listens on loopback too, with TLS or without, is made by
//! [`Cluster::listen`].

mod binaries;
mod folder;

use std::env;
use std::fs;
use std::io;
use std::os::unix::process::parent_id;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::process::{Pid, Signal, kill_process};

use crate::certificates::Pair;
use binaries::Binaries;
use folder::Owner;

/// The port of those that listen on a unix socket only: there it is a part of the socket's name.
const PORT: u16 = 5432;
/// How long a cluster may take to start again: what is left of the one before may still be ending.
const AGAIN: Duration = Duration::from_secs(30);

/// What a cluster does with a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Waits until it is on the disk, as in a casino: for whoever measures, or pulls the plug.
    Disk,
    /// Leaves it to the operating system: faster, and enough for tests.
    Memory,
}

/// A running PostgreSQL server with its data in a temporary folder.
///
/// One from [`Cluster::start`] ends when it is dropped. If its process is killed, it ends within a second or so.
#[derive(Debug)]
pub struct Cluster {
    binaries: Binaries,
    owner: Owner,
    folder: PathBuf,
    port: u16,
}

/// How a cluster is reached over TCP.
struct Door<'a> {
    port: u16,
    certificate: Option<&'a Pair>,
}

/// A database that nobody else uses, dropped with this value.
#[derive(Debug)]
pub struct Database {
    binaries: Binaries,
    folder: PathBuf,
    port: u16,
    name: String,
}

/// The cluster that all tests of a run share. The first starts it, and it ends with the run.
///
/// A run is a run of nextest, which has a process for every test, or else this process.
///
/// # Errors
///
/// If PostgreSQL is not installed or does not start.
pub fn shared() -> io::Result<&'static Cluster> {
    static SHARED: OnceLock<Cluster> = OnceLock::new();
    static STARTING: Mutex<()> = Mutex::new(());
    // Held so that only one thread starts it; a `OnceLock` alone cannot hold back an error.
    let _starting = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(cluster) = SHARED.get() {
        return Ok(cluster);
    }
    let cluster = match env::var("NEXTEST_RUN_ID") {
        // The parent is nextest itself, which keeps the cluster alive between two tests.
        Ok(run) => Cluster::join(&plain(&run), &[parent_id(), process::id()], Durability::Memory, None)?,
        Err(_) => Cluster::join(&unique(), &[process::id()], Durability::Memory, None)?,
    };
    Ok(SHARED.get_or_init(|| cluster))
}

/// A fresh database in the [`shared`] cluster.
///
/// # Errors
///
/// If PostgreSQL is not installed or does not start.
pub fn database() -> io::Result<Database> {
    shared()?.database()
}

impl Cluster {
    /// Starts a cluster for this process alone.
    ///
    /// # Errors
    ///
    /// If PostgreSQL is not installed or does not start.
    pub fn start(durability: Durability) -> io::Result<Cluster> {
        Cluster::join(&unique(), &[process::id()], durability, None)
    }

    /// The same, listening on a port of loopback too; with a certificate it offers TLS there.
    ///
    /// # Errors
    ///
    /// If PostgreSQL is not installed or does not start.
    pub fn listen(durability: Durability, certificate: Option<&Pair>) -> io::Result<Cluster> {
        let free = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let door = Door { port: free, certificate };
        Cluster::join(&unique(), &[process::id()], durability, Some(door))
    }

    /// Its port on loopback.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Stops it as a crash would: connections break, and it has to recover when it starts again.
    ///
    /// # Errors
    ///
    /// If it does not stop.
    pub fn crash(&self) -> io::Result<()> {
        let mut pg_ctl = self.binaries.server("pg_ctl");
        self.run(pg_ctl.args(["stop", "-w", "-m", "immediate", "-D"]).arg(self.folder.join("data")))
    }

    /// Kills its main process (SIGKILL); the others end when they notice.
    ///
    /// # Errors
    ///
    /// If it does not run.
    pub fn kill(&self) -> io::Result<()> {
        let file = fs::read_to_string(self.folder.join("data/postmaster.pid"))?;
        let pid = file.lines().next().and_then(|pid| Pid::from_raw(pid.trim().parse().ok()?));
        let pid = pid.ok_or_else(|| io::Error::other("there is no process id in postmaster.pid"))?;
        Ok(kill_process(pid, Signal::KILL)?)
    }

    /// Starts it again, after [`Cluster::crash`] or [`Cluster::kill`].
    ///
    /// # Errors
    ///
    /// If it does not start in time.
    pub fn start_again(&self) -> io::Result<()> {
        let begun = Instant::now();
        loop {
            match self.start_server() {
                Err(error) if begun.elapsed() > AGAIN => return Err(error),
                Err(_) => thread::sleep(Duration::from_millis(100)),
                Ok(()) => return Ok(()),
            }
        }
    }

    /// Runs `sql` as an administrator.
    ///
    /// # Errors
    ///
    /// If PostgreSQL refuses; the error holds its reason.
    pub fn query(&self, sql: &str) -> io::Result<String> {
        query(&self.binaries, &self.url(), sql)
    }

    /// Makes a fresh database.
    ///
    /// # Errors
    ///
    /// If the cluster does not answer.
    pub fn database(&self) -> io::Result<Database> {
        let name = format!("test_{}", unique().replace('-', "_"));
        query(&self.binaries, &self.url(), &format!("CREATE DATABASE {name}"))?;
        Ok(Database { binaries: self.binaries.clone(), folder: self.folder.clone(), port: self.port, name })
    }

    /// The address of the database for administrators.
    #[must_use]
    pub fn url(&self) -> String {
        url(&self.folder, self.port, "postgres")
    }

    /// Where the socket, the data and the server's log are.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Starts the cluster `key`, unless one of its other users already did.
    fn join(key: &str, users: &[u32], durability: Durability, door: Option<Door<'_>>) -> io::Result<Cluster> {
        let (binaries, owner) = (Binaries::find()?, Owner::choose()?);
        let folder = folder::join(key, users, owner)?;
        folder::guard_all(&binaries.folder.join("pg_ctl"), owner)?;
        let port = door.as_ref().map_or(PORT, |door| door.port);
        let cluster = Cluster { binaries, owner, folder, port };
        let lock = folder::lock(&cluster.folder)?;
        let started = cluster.folder.join("started");
        if !started.exists() {
            cluster.initialise(durability, door.as_ref())?;
            fs::write(started, "")?;
        }
        drop(lock);
        Ok(cluster)
    }

    fn initialise(&self, durability: Durability, door: Option<&Door<'_>>) -> io::Result<()> {
        let data = self.folder.join("data");
        // Somebody may have been killed half-way.
        if data.exists() {
            self.stop();
            fs::remove_dir_all(&data)?;
        }
        let mut initdb = self.binaries.server("initdb");
        initdb.args(["--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C"]);
        self.run(initdb.arg("--pgdata").arg(&data))?;

        let durable = if durability == Durability::Disk { "on" } else { "off" };
        let (listens, tls) = match door {
            None => ("", String::new()),
            Some(door) => ("127.0.0.1", self.keep(door.certificate)?),
        };
        // Commits are acknowledged in order either way; without fsync that costs nothing.
        let settings = format!(
            "listen_addresses = '{listens}'\nport = {}\nunix_socket_directories = '{}'\nmax_connections = 200\n\
             fsync = {durable}\nsynchronous_commit = on\nfull_page_writes = {durable}\n{tls}",
            self.port,
            self.folder.display()
        );
        // The last value of a setting counts.
        let file = data.join("postgresql.conf");
        fs::write(&file, fs::read_to_string(&file)? + &settings)?;
        self.start_server()
    }

    /// Keeps a certificate where the server reads it; the settings for that.
    fn keep(&self, certificate: Option<&Pair>) -> io::Result<String> {
        let Some(Pair { certificate, key }) = certificate else { return Ok(String::new()) };
        let files = ["server.pem", "server.key"].map(|name| self.folder.join(name));
        for (file, text) in files.iter().zip([certificate, key]) {
            fs::write(file, text)?;
            // The server refuses a key that others can read.
            fs::set_permissions(file, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
            self.owner.owns(file)?;
        }
        let [certificate, key] = files.map(|file| file.display().to_string());
        Ok(format!("ssl = on\nssl_cert_file = '{certificate}'\nssl_key_file = '{key}'\n"))
    }

    fn start_server(&self) -> io::Result<()> {
        let (data, log) = (self.folder.join("data"), self.folder.join("log"));
        let mut pg_ctl = self.binaries.server("pg_ctl");
        // Without a log file the server would keep our standard output open.
        self.run(pg_ctl.args(["start", "-w", "-D"]).arg(&data).arg("-l").arg(&log)).map_err(|error| {
            io::Error::other(format!("{error}{}", fs::read_to_string(&log).unwrap_or_default()))
        })
    }

    fn stop(&self) {
        let mut pg_ctl = self.binaries.server("pg_ctl");
        let _ = self.run(pg_ctl.args(["stop", "-m", "immediate", "-D"]).arg(self.folder.join("data")));
    }

    fn run(&self, command: &mut Command) -> io::Result<()> {
        succeed(self.owner.runs(command).current_dir(&self.folder)).map(drop)
    }
}

/// Never runs for the shared one, which is kept to the end of the process.
impl Drop for Cluster {
    fn drop(&mut self) {
        self.stop();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Database {
    /// Its address, such as `postgresql:///test_1?host=/tmp/croupier-pg-1&user=postgres`.
    #[must_use]
    pub fn url(&self) -> String {
        url(&self.folder, self.port, &self.name)
    }

    /// Its address over TCP, by a name or an address of this machine, with parameters of the URL.
    #[must_use]
    pub fn url_at(&self, host: &str, parameters: &str) -> String {
        format!("postgresql://postgres@{host}:{}/{}?{parameters}", self.port, self.name)
    }

    /// Its name in the cluster.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What PostgreSQL answers to `sql`, as bare text: lines of values with `|` between them.
    ///
    /// # Errors
    ///
    /// If PostgreSQL refuses; the error holds its reason.
    pub fn query(&self, sql: &str) -> io::Result<String> {
        query(&self.binaries, &self.url(), sql)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let sql = format!("DROP DATABASE {} WITH (FORCE)", self.name);
        let _ = query(&self.binaries, &url(&self.folder, self.port, "postgres"), &sql);
    }
}

fn url(folder: &Path, port: u16, database: &str) -> String {
    let port = if port == PORT { String::new() } else { format!("&port={port}") };
    format!("postgresql:///{database}?host={}&user=postgres{port}", folder.display())
}

fn query(binaries: &Binaries, url: &str, sql: &str) -> io::Result<String> {
    let mut psql = binaries.client();
    psql.args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"]);
    Ok(succeed(psql.args(["--dbname", url, "--command", sql]))?.trim_end().to_owned())
}

/// Runs a program to its end; what it says on both channels becomes the error if it fails.
fn succeed(command: &mut Command) -> io::Result<String> {
    let program = command.get_program().display().to_string();
    let output =
        command.output().map_err(|error| io::Error::new(error.kind(), format!("{program}: {error}")))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(said);
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!("{program}: {}\n{said}{complaint}", output.status)))
}

/// A name that no other process has, now or after it.
fn unique() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{}-{:x}-{}", process::id(), since.as_micros(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// A run's name as part of a path.
fn plain(run: &str) -> String {
    run.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-').take(36).collect()
}
