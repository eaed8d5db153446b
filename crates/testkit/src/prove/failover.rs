//! Nodes of one floor die, stand still and are restarted in turn, and so does their database, while players bet at all of
//! them. Whatever was answered is there afterwards, once, whoever answered it; no two nodes have led under one epoch; the
//! books balance, and the whole journal verifies. How long nobody could bet is measured for each fault.

use std::io;
use std::net::TcpListener;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::json;

use super::crash::furnish;
use super::load::{Load, Working, bet};
use super::record::{Fate, Lines, Sent, agree, answered, compare};
use super::{Report, verify, wrong};
use crate::client::Client;
use crate::floor::{House, Seat, UNLIMITED, configure};

/// How long nodes may take to agree on a leader.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long a client waits for an answer before it tries another node.
const IMPATIENCE: Duration = Duration::from_secs(2);

/// What goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    /// The leader is killed.
    LeaderKilled,
    /// The leader stands still for longer than its lease, and goes on.
    LeaderPaused,
    /// A follower is killed.
    FollowerKilled,
    /// All nodes are restarted, one after the other.
    RollingRestart,
    /// What the database goes through, by the suite that has one.
    Database(&'static str),
}

impl core::fmt::Display for Fault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::LeaderKilled => f.write_str("the leader is killed"),
            Self::LeaderPaused => f.write_str("the leader stands still"),
            Self::FollowerKilled => f.write_str("a follower is killed"),
            Self::RollingRestart => f.write_str("rolling restart"),
            Self::Database(what) => f.write_str(what),
        }
    }
}

/// What is done to the database: struck, and whole again.
pub type Strike<'a> = &'a dyn Fn(&'static str) -> io::Result<()>;

/// How a run is.
pub struct Options<'a> {
    /// The URL of the database, by which all nodes reach it.
    pub database: String,
    /// What goes wrong, in turn.
    pub faults: Vec<Fault>,
    /// How nodes are, in seconds: how long a leader may be silent.
    pub lease_seconds: u32,
    /// What is done to the database where a fault is the database's.
    pub strike: Strike<'a>,
    /// Tell how far it has come, on standard error.
    pub tells: bool,
}

/// Three nodes of one floor.
#[derive(Debug)]
pub struct Nodes {
    /// Each in a process of its own.
    pub houses: Vec<House>,
    lease: Duration,
}

impl Nodes {
    /// Starts them on a database, with a lease of so many seconds.
    ///
    /// # Errors
    /// When one does not start.
    pub fn start(binary: &Path, folder: &Path, database: &str, lease_seconds: u32) -> io::Result<Self> {
        let secret = folder.join("secret");
        std::fs::write(&secret, "a secret that all nodes of this floor share")?;
        let ports: Vec<u16> = (0..3).map(|_| free_port()).collect::<io::Result<_>>()?;
        let mut houses: Vec<House> = Vec::new();
        for (at, port) in ports.iter().enumerate() {
            let name = ["a", "b", "c"][at % 3];
            let own = folder.join(name);
            let settings = format!(
                "{UNLIMITED}[node]\nname = \"{name}\"\naddress = \"http://127.0.0.1:{port}\"\nsecret = \"{}\"\n\
                 keys = \"{}\"\nlease_seconds = {}\n",
                secret.display(),
                folder.join("keys").display(),
                lease_seconds,
            );
            configure(&own, &settings)?;
            let environment = vec![("CROUPIER_LISTEN".to_string(), format!("127.0.0.1:{port}"))];
            houses.push(match houses.first() {
                None => House::begin(binary, &own, &["--database", database], environment)?,
                Some(first) => first.start_on(&own, &environment)?,
            });
        }
        Ok(Self { houses, lease: Duration::from_secs(u64::from(lease_seconds)) })
    }

    /// The node that leads; nothing while none says so.
    fn leader(&self) -> Option<usize> {
        self.houses.iter().position(|house| {
            let client = Client::new(house.base()).with_patience(IMPATIENCE);
            client.get("/healthz").is_ok_and(|answer| answer.body["role"] == "leader")
        })
    }

    /// Waits until a node leads and all are ready; which one leads.
    ///
    /// # Errors
    /// When that takes too long.
    pub fn settle(&self) -> io::Result<usize> {
        let begun = Instant::now();
        loop {
            let is_ready = |house: &House| {
                let client = Client::new(house.base()).with_patience(IMPATIENCE);
                client.get("/readyz").is_ok_and(|answer| answer.status == 200)
            };
            if self.houses.iter().all(is_ready)
                && let Some(leader) = self.leader()
            {
                return Ok(leader);
            }
            if begun.elapsed() > PATIENCE {
                let output = self.houses.iter().map(House::output).collect::<io::Result<Vec<_>>>()?;
                return Err(wrong(format!("the nodes do not settle: {}", output.join("\n---\n"))));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn strike(&mut self, fault: Fault, strike: Strike<'_>) -> io::Result<()> {
        let leader = self.settle()?;
        match fault {
            Fault::LeaderKilled => {
                self.houses[leader].kill()?;
                self.wait_for_another(leader)?;
                self.houses[leader].start_again()
            }
            Fault::LeaderPaused => {
                self.houses[leader].pause(true)?;
                let led = self.wait_for_another(leader);
                std::thread::sleep(self.lease / 2);
                self.houses[leader].pause(false)?;
                led
            }
            Fault::FollowerKilled => {
                let follower = (leader + 1) % self.houses.len();
                self.houses[follower].kill()?;
                std::thread::sleep(Duration::from_millis(500));
                self.houses[follower].start_again()
            }
            Fault::RollingRestart => {
                for at in 0..self.houses.len() {
                    self.houses[at].stop()?;
                    self.houses[at].start_again()?;
                    self.settle()?;
                }
                Ok(())
            }
            Fault::Database(what) => strike(what),
        }
    }

    /// Waits until another node leads.
    fn wait_for_another(&self, than: usize) -> io::Result<()> {
        let begun = Instant::now();
        loop {
            let others = self.houses.iter().enumerate().filter(|(at, _)| *at != than);
            let leads = |house: &House| {
                let client = Client::new(house.base()).with_patience(IMPATIENCE);
                client.get("/healthz").is_ok_and(|answer| answer.body["role"] == "leader")
            };
            if others.into_iter().any(|(_, house)| leads(house)) {
                return Ok(());
            }
            if begun.elapsed() > PATIENCE {
                return Err(wrong("nobody takes over"));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// A player who bets without a pause and, as a load balancer does, at another node when one does not answer.
struct Watcher {
    over: Arc<AtomicBool>,
    /// When bets were answered.
    answers: Arc<Mutex<Vec<Instant>>>,
    thread: JoinHandle<Vec<Sent>>,
}

impl Watcher {
    fn begin(nodes: &Nodes, seat: &Seat, name: &str) -> Self {
        let (over, answers) = (Arc::new(AtomicBool::new(false)), Arc::<Mutex<Vec<Instant>>>::default());
        let (ends, noted) = (Arc::clone(&over), Arc::clone(&answers));
        let clients: Vec<Client> =
            nodes.houses.iter().map(|house| house.client(&seat.token).with_patience(IMPATIENCE)).collect();
        let (seat, name) = (seat.clone(), name.to_string());
        let thread = std::thread::spawn(move || {
            let (mut all, mut at) = (Vec::new(), 0_usize);
            for number in 0.. {
                if ends.load(Ordering::Relaxed) {
                    break;
                }
                let id = format!("{name}-{number}");
                // The same command again, under the same id, until somebody says what became of it.
                let fate = loop {
                    let client = &clients[at % clients.len()];
                    let body = bet(&id, &seat, number);
                    let heard =
                        Fate::heard(&client.post(&format!("/api/tables/{}/commands", seat.table), &body));
                    match heard {
                        Fate::Answered { .. } => {
                            noted.lock().unwrap_or_else(PoisonError::into_inner).push(Instant::now());
                            break heard;
                        }
                        heard if ends.load(Ordering::Relaxed) => break heard,
                        Fate::Absurd(_) => break heard,
                        Fate::Unknown | Fate::Refused(_) => at += 1,
                    }
                    std::thread::sleep(Duration::from_millis(5));
                };
                let stream = format!("table/{}", seat.table);
                all.push(Sent { stream, id, player: seat.player, amount: 100, fate });
                std::thread::sleep(Duration::from_millis(2));
            }
            all
        });
        Self { over, answers, thread }
    }

    /// Waits until a bet is answered that was sent after now.
    fn wait_for_next(&self) -> io::Result<()> {
        let begun = Instant::now();
        loop {
            let last = self.answers.lock().unwrap_or_else(PoisonError::into_inner).last().copied();
            if last.is_some_and(|last| last > begun + Duration::from_millis(50)) {
                return Ok(());
            }
            if begun.elapsed() > PATIENCE {
                return Err(wrong("nobody can bet any more"));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Ends; what was sent, and the longest time in which nothing was answered.
    fn end(self) -> io::Result<(Vec<Sent>, Duration)> {
        self.over.store(true, Ordering::Relaxed);
        let sent = self.thread.join().map_err(|_| wrong("the player who watches has failed"))?;
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let pauses = answers.windows(2).map(|pair| pair[1].duration_since(pair[0]));
        Ok((sent, pauses.max().unwrap_or_default()))
    }
}

/// Lets everything go wrong in turn, and checks after each fault and in the end.
///
/// # Errors
/// When something that was answered is lost, doubled or another, two nodes have led under one epoch, the books do not
/// balance, or the journal does not verify.
pub fn run(binary: &Path, options: &Options<'_>) -> io::Result<Report> {
    let begun = Instant::now();
    let folder = crate::tempdir()?;
    let mut nodes = Nodes::start(binary, folder.path(), &options.database, options.lease_seconds)?;
    let leader = nodes.settle()?;
    let load = furnish(&nodes.houses[leader])?;
    let (watcher_seat, load) = set_apart(load)?;
    let (mut sent, mut pauses): (Vec<Sent>, Vec<(Fault, Duration)>) = (Vec::new(), Vec::new());
    for (at, fault) in options.faults.iter().copied().enumerate() {
        let (since, pause) = one(&mut nodes, &load, &watcher_seat, fault, at, options.strike)?;
        nodes.settle()?;
        let house = &nodes.houses[at % nodes.houses.len()];
        agree(&load.repeat(house, &since)).map_err(|error| wrong(format!("{fault}: {error}")))?;
        load.balance(house)?;
        sent.extend(since);
        pauses.push((fault, pause));
        if options.tells {
            let told = format!("{}: {fault}: no bet for {} ms\n", at + 1, pause.as_millis());
            let _ = io::Write::write_all(&mut io::stderr(), told.as_bytes());
        }
    }
    let saved = load.saved(&nodes.houses[nodes.settle()?])?;
    for house in &mut nodes.houses {
        house.stop()?;
    }
    let lines = Lines::read(binary, &options.database)?;
    agree(&check(&load, &sent, &lines, saved))?;
    verify(binary, &options.database)?;
    Ok(report(&sent, &lines, pauses, begun.elapsed()))
}

/// The last player watches alone, so that nobody else's bets are in the measure.
fn set_apart(load: Load) -> io::Result<(Seat, Load)> {
    let Load { mut seats, saver } = load;
    let watcher = seats.remove(0);
    match seats.is_empty() {
        false => Ok((watcher, Load { seats, saver })),
        true => Err(wrong("there is nobody to bet")),
    }
}

fn one(
    nodes: &mut Nodes,
    load: &Load,
    seat: &Seat,
    fault: Fault,
    at: usize,
    strike: Strike<'_>,
) -> io::Result<(Vec<Sent>, Duration)> {
    let begin = |(node, house): (usize, &House)| load.begin(house, &format!("f{at}n{node}"));
    let working: Vec<Working> = nodes.houses.iter().enumerate().map(begin).collect();
    let watcher = Watcher::begin(nodes, seat, &format!("f{at}w"));
    watcher.wait_for_next()?;
    std::thread::sleep(Duration::from_millis(300));
    let struck = nodes.strike(fault, strike);
    let goes_on = watcher.wait_for_next();
    let (mut sent, pause) = watcher.end()?;
    for working in working {
        sent.extend(working.end());
    }
    struck.and(goes_on)?;
    Ok((sent, pause))
}

/// The log against the journal, the saver's wallet against the deposits, and the epochs.
fn check(load: &Load, sent: &[Sent], lines: &Lines, saved: u64) -> Vec<String> {
    let mut faults = compare(sent, lines);
    let deposits: Vec<Sent> = sent.iter().filter(|one| one.player == load.saver).cloned().collect();
    let sum = lines.sum(&deposits);
    if sum != saved {
        faults.push(format!("the wallet holds {saved}, and the deposits are {sum}"));
    }
    faults.extend(epochs(lines));
    faults
}

/// Epochs rise with every node that takes over, and no two nodes have led under one.
fn epochs(lines: &Lines) -> Vec<String> {
    let pairs = lines.leads.windows(2);
    let faults = pairs.filter(|pair| pair[1].1 <= pair[0].1);
    faults
        .map(|pair| {
            format!(
                "{} led under epoch {}, and after it {} under {}",
                pair[0].0, pair[0].1, pair[1].0, pair[1].1
            )
        })
        .collect()
}

fn report(sent: &[Sent], lines: &Lines, mut pauses: Vec<(Fault, Duration)>, took: Duration) -> Report {
    let mut report = Report::default();
    report.add("faults", pauses.len());
    report.add("nodes that took over", lines.leads.len().saturating_sub(1));
    report.add("commands answered, each there once", answered(sent));
    let unknown = sent.iter().filter(|one| one.fate == Fate::Unknown).count();
    report.add("commands without an answer, there once or not at all", unknown);
    report.add("rounds ruled on as after a power failure", lines.cut_off);
    report.add("lines of the journal, verified", lines.count);
    pauses.sort_unstable();
    for group in pauses.chunk_by(|one, other| one.0 == other.0) {
        let (median, worst) = (group[group.len() / 2].1, group[group.len() - 1].1);
        let told =
            format!("median {} ms, worst {} ms, of {}", median.as_millis(), worst.as_millis(), group.len());
        report.add(format!("longest time without a bet: {}", group[0].0), told);
    }
    report.add("seconds", took.as_secs());
    if lines.cut_off > 0 {
        report.break_promise("a round was ruled on as after a power failure, and nothing was missing");
    }
    report
}

/// Plants the faults that the checker is for, in what nodes have really written, and sees that it finds each: an answer
/// that was given before its commit, a command that two leaders carried out, an epoch that nobody checked.
///
/// # Errors
/// When one is not found.
pub fn planted(binary: &Path, database: String) -> io::Result<()> {
    let folder = crate::tempdir()?;
    let options =
        Options { database, faults: Vec::new(), lease_seconds: 2, strike: &|_| Ok(()), tells: false };
    let mut nodes = Nodes::start(binary, folder.path(), &options.database, options.lease_seconds)?;
    let leader = nodes.settle()?;
    let (seat, load) = set_apart(furnish(&nodes.houses[leader])?)?;
    let (sent, _) = one(&mut nodes, &load, &seat, Fault::LeaderKilled, 0, options.strike)?;
    let saved = load.saved(&nodes.houses[nodes.settle()?])?;
    for house in &mut nodes.houses {
        house.stop()?;
    }
    let text = Lines::export(binary, &options.database)?;
    let found = |text: &str| Ok::<_, io::Error>(check(&load, &sent, &Lines::parse(text)?, saved));
    agree(&found(&text)?)?;
    let answered = sent.iter().find(|one| matches!(one.fate, Fate::Answered { .. }));
    let named = answered.map(|one| format!("\"id\":{}", json!(one.id))).unwrap_or_default();
    let line = text.lines().find(|line| line.contains(&named) && !named.is_empty());
    let line = line.ok_or_else(|| wrong("no bet that was answered is in the journal"))?;
    let without = text.replace(&format!("{line}\n"), "");
    finds("an answer before its commit", &found(&without)?)?;
    finds("a command that two leaders carried out", &found(&format!("{text}{line}\n"))?)?;
    let lead = text.lines().rfind(|line| line.contains("\"leads\":{"));
    let lead = lead.ok_or_else(|| wrong("no node has put down that it leads"))?;
    finds("two leaders under one epoch", &found(&format!("{text}{lead}\n"))?)
}

fn finds(what: &str, faults: &[String]) -> io::Result<()> {
    match faults.is_empty() {
        true => Err(wrong(format!("planted, and not found: {what}"))),
        false => Ok(()),
    }
}
