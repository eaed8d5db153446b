//! Crowds at the doors: connections that say nothing, WebSockets that do not read, floods of guesses and of denials, from
//! many addresses. Meanwhile a player bets, and a PIN is checked at the table.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Resource, Rlimit, Signal, getrlimit, kill_process, setpriority_process, setrlimit,
};
use serde_json::json;

use super::record::Fate;
use super::{Report, wrong};
use crate::floor::{House, PIN, Seat};
use crate::raw::{self, Line};
use crate::socket::Socket;

/// The 99th percentile of bets, by which a bet is answered.
const BET: Duration = Duration::from_millis(25);
/// By which a PIN is checked, and the fill that it is for is on the disk.
const CHECK: Duration = Duration::from_millis(200);
/// The most memory of the server, in MB.
const MEMORY: u64 = 400;

/// Limits as they are by default, but for connections: so that all of them come in.
const SETTINGS: &str = "\
[limits]
connections = { all = 16000, of_one = 1000, for_staff = 500 }
";

/// How large the crowds are.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Connections that say nothing.
    pub silent: usize,
    /// WebSockets that do not read.
    pub deaf: usize,
    /// Threads that guess at passwords, and as many that ask for what is not theirs.
    pub floods: usize,
    /// For how long it is measured.
    pub seconds: u64,
    /// Whether the figures count, or only that everything is answered.
    pub is_timed: bool,
}

/// Threads that hold connections of a kind.
const HOLDERS: usize = 4;

/// What a holder has of all.
const fn share(all: usize) -> usize {
    all.div_ceil(HOLDERS)
}

/// What the bets and checks of a while took.
#[derive(Default, Debug)]
struct Took {
    bets: Vec<Duration>,
    checks: Vec<Duration>,
}

/// Runs all of it.
///
/// # Errors
/// When a bet, a check or the staff go without an answer.
pub fn run(binary: &Path, options: &Options) -> io::Result<Report> {
    let options = &fit(*options);
    let folder = crate::tempdir()?;
    let house = House::start_with(binary, folder.path(), &[], SETTINGS)?;
    let seats = house.furnish(1, 2)?;
    let quiet = measure(&house, &seats[0], options.seconds.min(5))?;
    let mut crowd = Crowd::gather(&house, seats[0].table, options);
    crowd.wait(Duration::from_secs(180))?;
    crowd.flood(&house, &seats[1], options.floods);
    let (silent, deaf) = (crowd.count(&crowd.silent), crowd.count(&crowd.deaf));
    let took = measure(&house, &seats[0], options.seconds)?;
    // Who comes anew, from where the staff are, comes in.
    let new = Line::open(house.base(), None).and_then(|mut line| line.ask("GET", "/readyz", "", ""))?;
    if new != 200 {
        return Err(wrong(format!("/readyz answers with {new}")));
    }
    let (guesses, denials) = (crowd.count(&crowd.guesses), crowd.count(&crowd.denials));
    let memory = memory(house.process_id())?;
    crowd.end();
    let mut report = Report::default();
    report.add("silent connections", silent);
    report.add("WebSockets that do not read", deaf);
    report.add("sign-ins tried", guesses);
    report.add("requests denied", denials);
    report.add("bets, before", told(&quiet.bets));
    report.add("bets, meanwhile", told(&took.bets));
    report.add("PIN and fill, before", told(&quiet.checks));
    report.add("PIN and fill, meanwhile", told(&took.checks));
    report.add("most memory of the server, in MB", memory);
    judge(&mut report, options, &took, memory);
    Ok(report)
}

/// Holds the figures against what is promised.
fn judge(report: &mut Report, options: &Options, took: &Took, memory: u64) {
    if !options.is_timed {
        return;
    }
    for (what, found, most) in
        [("bets", percentile(&took.bets, 99), BET), ("PIN", percentile(&took.checks, 99), CHECK)]
    {
        if found >= most {
            report
                .break_promise(format!("{what}: the 99th percentile is {found:?}, and {most:?} is promised"));
        }
    }
    if memory >= MEMORY {
        report.break_promise(format!("memory: {memory} MB, and less than {MEMORY} is promised"));
    }
}

/// Plants a server that stands still again and again, and one that needs more memory than it may: both must be told.
///
/// # Errors
/// When one is not.
pub fn planted(binary: &Path) -> io::Result<()> {
    let folder = crate::tempdir()?;
    let house = House::start_with(binary, folder.path(), &[], SETTINGS)?;
    let seats = house.furnish(1, 1)?;
    let over = Arc::new(AtomicBool::new(false));
    let (id, ends) = (house.process_id(), Arc::clone(&over));
    let pausing = std::thread::spawn(move || {
        let id = i32::try_from(id).ok().and_then(Pid::from_raw);
        while let (Some(id), false) = (id, ends.load(Ordering::Relaxed)) {
            let _ = kill_process(id, Signal::STOP);
            std::thread::sleep(CHECK * 2);
            let _ = kill_process(id, Signal::CONT);
            std::thread::sleep(Duration::from_millis(30));
        }
    });
    let took = measure(&house, &seats[0], 3);
    over.store(true, Ordering::Relaxed);
    let _ = pausing.join();
    let mut report = Report::default();
    let options = Options { silent: 0, deaf: 0, floods: 0, seconds: 3, is_timed: true };
    judge(&mut report, &options, &took?, MEMORY);
    if report.broken.len() != 3 {
        return Err(wrong(format!("a server that stands still is not noticed:\n{report}")));
    }
    Ok(())
}

/// What guesses at passwords, at their usual cost, add to the memory of the server, in MB: no more than the threads that
/// check them need, however many come.
///
/// # Errors
/// When one is not answered.
pub fn memory_of_guesses(binary: &Path, guesses: usize) -> io::Result<u64> {
    let folder = crate::tempdir()?;
    let house = House::start_with(binary, folder.path(), &[], SETTINGS)?;
    let before = memory(house.process_id())?;
    for number in 0..guesses {
        let mut line = Line::open(house.base(), Some(from(3, number)))?;
        let body = json!({"name": format!("somebody-{number}"), "password": "a guess at it"});
        let status = line.ask("POST", "/api/sign-in", "", &body.to_string())?;
        if status != 401 {
            return Err(wrong(format!("a guess is answered with {status}")));
        }
    }
    Ok(memory(house.process_id())?.saturating_sub(before))
}

/// As much of it as this machine can open files for, at both ends.
fn fit(mut options: Options) -> Options {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    let files = maximum.and_then(|files| usize::try_from(files).ok()).unwrap_or(usize::MAX);
    options.deaf = options.deaf.min(files / 4);
    options.silent = options.silent.min(files.saturating_sub(options.deaf + 500));
    options
}

/// A player bets over WebSocket, one after another, and staff have fills seen by a witness.
fn measure(house: &House, seat: &Seat, seconds: u64) -> io::Result<Took> {
    let until = Instant::now() + Duration::from_secs(seconds);
    let (boss, table, name) = (house.boss(), seat.table, house.id()?);
    let checks = std::thread::spawn(move || -> io::Result<Vec<Duration>> {
        let mut took = Vec::new();
        for number in 0.. {
            if Instant::now() >= until {
                break;
            }
            let fill = json!({
                "id": format!("fill-{name}-{number}"), "action": {"fill": {"amount": 100, "witness": 0}},
                "witness": {"name": "witness", "pin": PIN},
            });
            let start = Instant::now();
            boss.post(&format!("/api/tables/{table}/commands"), &fill)?.good()?;
            took.push(start.elapsed());
            std::thread::sleep(Duration::from_millis(200));
        }
        Ok(took)
    });
    let bets = bet(house, seat, until);
    let checks = checks.join().map_err(|_| wrong("the checks came to no end"))?;
    Ok(Took { bets: bets?, checks: checks? })
}

fn bet(house: &House, seat: &Seat, until: Instant) -> io::Result<Vec<Duration>> {
    let mut socket = Socket::connect(house.base(), seat.table, Some(&seat.token), None)?;
    let (name, mut took) = (house.id()?, Vec::new());
    for number in 0.. {
        if Instant::now() >= until {
            break;
        }
        let id = format!("bet-{name}-{number}");
        let place =
            json!({"player": seat.player, "bet": 0, "amount": 100, "in_chips": true, "untimed": false});
        let start = Instant::now();
        socket.send(json!({"id": id, "action": {"place": place}}).to_string())?;
        let answer = loop {
            let message = socket.hear()?;
            if message["id"].as_str() == Some(&id) {
                break message;
            }
        };
        took.push(start.elapsed());
        if !matches!(Fate::told(&answer), Fate::Answered { .. }) {
            return Err(wrong(format!("a bet was refused: {answer}")));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(took)
}

/// The attackers.
struct Crowd {
    over: Arc<AtomicBool>,
    silent: Arc<AtomicUsize>,
    deaf: Arc<AtomicUsize>,
    guesses: Arc<AtomicUsize>,
    denials: Arc<AtomicUsize>,
    wanted: (usize, usize),
    threads: Vec<JoinHandle<()>>,
}

impl Crowd {
    /// Those who are there and do nothing.
    fn gather(house: &House, table: u64, options: &Options) -> Self {
        let mut crowd = Self {
            over: Arc::default(),
            silent: Arc::default(),
            deaf: Arc::default(),
            guesses: Arc::default(),
            denials: Arc::default(),
            wanted: (options.silent, options.deaf),
            threads: Vec::new(),
        };
        let base = house.base().to_string();
        for _ in 0..HOLDERS {
            let (count, most) = (Arc::clone(&crowd.silent), share(options.silent));
            let host = base.trim_start_matches("http://").to_string();
            crowd.work(move |over| {
                hold(over, most, &count, |at| raw::connect(&host, Some(from(1, at))), raw::is_hung_up);
            });
            let (count, most, place) = (Arc::clone(&crowd.deaf), share(options.deaf), base.clone());
            crowd.work(move |over| {
                let come = |at| Socket::connect(&place, table, None, Some(from(2, at)));
                hold(over, most, &count, come, Socket::is_hung_up);
            });
        }
        crowd
    }

    /// And those who do too much.
    fn flood(&mut self, house: &House, denied: &Seat, floods: usize) {
        let (base, token) = (house.base().to_string(), denied.token.clone());
        for number in 0..floods {
            let (place, count) = (base.clone(), Arc::clone(&self.guesses));
            self.work(move |over| guess(over, &place, number, &count));
            let (place, count, token) = (base.clone(), Arc::clone(&self.denials), token.clone());
            self.work(move |over| ask_for_what_is_not_theirs(over, &place, &token, number, &count));
        }
    }

    /// Attackers are other machines: here they only take what time is left.
    fn work(&mut self, work: impl FnOnce(&AtomicBool) + Send + 'static) {
        let over = Arc::clone(&self.over);
        self.threads.push(std::thread::spawn(move || {
            let _ = setpriority_process(None, 5);
            work(&over);
        }));
    }

    fn count(&self, of: &AtomicUsize) -> usize {
        of.load(Ordering::Relaxed)
    }

    /// Until all are there.
    fn wait(&self, timeout: Duration) -> io::Result<()> {
        let start = Instant::now();
        while self.count(&self.silent) < self.wanted.0 || self.count(&self.deaf) < self.wanted.1 {
            if start.elapsed() > timeout {
                let there = (self.count(&self.silent), self.count(&self.deaf));
                return Err(wrong(format!("{there:?} of {:?} came in", self.wanted)));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    fn end(self) {
        self.over.store(true, Ordering::Relaxed);
        for thread in self.threads {
            let _ = thread.join();
        }
    }
}

/// One of two hundred addresses of this machine, of a network for each kind of crowd.
fn from(network: u8, at: usize) -> IpAddr {
    IpAddr::V4(Ipv4Addr::new(127, network, 0, u8::try_from(1 + at % 200).unwrap_or(1)))
}

/// Opens as many as are wanted and keeps them open; whatever the server closes comes again.
fn hold<T>(
    over: &AtomicBool,
    most: usize,
    count: &AtomicUsize,
    open: impl Fn(usize) -> io::Result<T>,
    is_closed: impl Fn(&T) -> bool,
) {
    let mut held: Vec<T> = Vec::new();
    let mut next = 0;
    while !over.load(Ordering::Relaxed) {
        while held.len() < most && !over.load(Ordering::Relaxed) {
            next += 1;
            match open(next) {
                Ok(one) => {
                    held.push(one);
                    count.fetch_add(1, Ordering::Relaxed);
                }
                Err(_) => std::thread::sleep(Duration::from_millis(5)),
            }
        }
        std::thread::sleep(Duration::from_millis(250));
        let before = held.len();
        held.retain(|one| !is_closed(one));
        count.fetch_sub(before - held.len(), Ordering::Relaxed);
    }
}

fn guess(over: &AtomicBool, base: &str, number: usize, count: &AtomicUsize) {
    for at in 0.. {
        if over.load(Ordering::Relaxed) {
            return;
        }
        let Ok(mut line) = Line::open(base, Some(from(3, at * 7 + number))) else { continue };
        for turn in 0..10 {
            let body = json!({"name": format!("somebody-{number}-{at}-{turn}"), "password": "a guess at it"});
            match line.ask("POST", "/api/sign-in", "", &body.to_string()) {
                Ok(_) => count.fetch_add(1, Ordering::Relaxed),
                Err(_) => break,
            };
        }
    }
}

fn ask_for_what_is_not_theirs(
    over: &AtomicBool,
    base: &str,
    token: &str,
    number: usize,
    count: &AtomicUsize,
) {
    let headers = format!("authorization: Bearer {token}\r\n");
    while !over.load(Ordering::Relaxed) {
        let Ok(mut line) = Line::open(base, Some(from(4, number))) else { continue };
        while !over.load(Ordering::Relaxed) {
            match line.ask("GET", "/api/audit/streams", &headers, "") {
                Ok(403) => {
                    count.fetch_add(1, Ordering::Relaxed);
                }
                Ok(_) => std::thread::sleep(Duration::from_millis(2)),
                Err(_) => break,
            }
        }
    }
}

/// The most memory that a process has had, in MB.
fn memory(id: u32) -> io::Result<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status"))?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().nth(1)).and_then(|kib| kib.parse::<u64>().ok());
    kib.map(|kib| kib / 1_024).ok_or_else(|| wrong("the memory of the server cannot be read"))
}

fn percentile(took: &[Duration], percent: usize) -> Duration {
    let mut sorted = took.to_vec();
    sorted.sort_unstable();
    let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(at).copied().unwrap_or(Duration::MAX)
}

fn told(took: &[Duration]) -> String {
    let of = |percent| percentile(took, percent).as_secs_f64() * 1_000.0;
    format!(
        "{} answered; median {:.1} ms, p99 {:.1} ms, longest {:.1} ms",
        took.len(),
        of(50),
        of(99),
        of(100)
    )
}
