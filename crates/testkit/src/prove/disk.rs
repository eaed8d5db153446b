//! The disk fails: it has no room, returns errors, writes half, or has an older file than it had. The server goes on or
//! stops with a clear word; it never answers what is not there; and the next start is right, or is refused with a clear
//! message.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::load::Load;
use super::record::{Lines, Sent, agree, answered, compare};
use super::shim::{Calls, Kind, Order, Shim};
use super::{Report, copy_folder, verify, wrong};
use crate::TempDir;
use crate::floor::House;

/// The file of the database, with which its write-ahead log begins.
const DATABASE: &str = "croupier.sqlite";
const LOG: &str = "croupier.sqlite-wal";
const TAIL: &str = "tail.json";
const CHECKPOINTS: &str = "checkpoints.jsonl";
/// All files that are written while the server runs.
const ALL: &str = "croupier.sqlite|croupier.sqlite-wal|tail.json|checkpoints.jsonl";

/// Words by which an operator knows what to look at.
const CLEAR: [&str; 11] = [
    "disk I/O error",
    "database or disk is full",
    "disk is full",
    "No space left",
    "Input/output error",
    "lines are missing",
    "does not hold together",
    "no note that a key",
    "malformed",
    "not a database",
    "unable to open database",
];
/// How long a server may take to stop after its disk has failed.
const STOPS: Duration = Duration::from_secs(30);

/// How many faults.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Which calls fail, from the first: every so many.
    pub step: usize,
    /// The last.
    pub last: usize,
    /// Tell each case, on standard error.
    pub tells: bool,
}

/// A floor at rest, of which every case has a copy.
struct Floor {
    folder: TempDir,
    house: House,
    load: Load,
    shim: Shim,
    tells: bool,
}

/// What became of a start.
#[derive(Debug)]
enum Start {
    Right,
    Refused(String),
}

/// What a case expects of the next start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expect {
    Starts,
    Refuses,
    Either,
    /// Old lines are not read at a start: it may be that only `croupier verify` tells.
    Told,
}

/// What came of all faults.
#[derive(Default, Debug)]
struct Tally {
    cases: usize,
    went_on: usize,
    stopped: usize,
    not_started: usize,
    unreached: usize,
    answered: usize,
    right: usize,
    refused: usize,
    told: usize,
}

/// Runs all of it.
///
/// # Errors
/// When something that was answered is not there, a server hangs, panics or stops without a word, or the next start is
/// wrong.
pub fn run(binary: &Path, options: &Options) -> io::Result<Report> {
    let start = Instant::now();
    let floor = Floor::prepare(binary, options.tells)?;
    let mut tally = Tally::default();
    for (order, while_starting) in orders(options) {
        let named = format!("{order:?}, while it {}", if while_starting { "starts" } else { "serves" });
        floor.fail(&order, while_starting, &mut tally).map_err(|error| wrong(format!("{named}: {error}")))?;
    }
    let faults = tally.cases;
    floor.damage(&mut tally)?;
    let mut report = Report::default();
    report.add("failing calls", faults);
    report.add("  the server went on", tally.went_on);
    report.add("  it stopped and said why", tally.stopped);
    report.add("  it did not start and said why", tally.not_started);
    report.add("  not reached in the time of a case", tally.unreached);
    report.add("files cut, torn, or older than they were", tally.cases - faults);
    report.add("commands answered, each there once", tally.answered);
    report.add("next starts that were right", tally.right);
    report.add("next starts refused with a clear word", tally.refused);
    report.add("damage to old lines, told by `croupier verify`", tally.told);
    report.add("seconds", start.elapsed().as_secs());
    Ok(report)
}

/// Every order, and whether it is given before the start.
fn orders(options: &Options) -> Vec<(Order, bool)> {
    let numbers: Vec<i32> =
        (1..=options.last).step_by(options.step.max(1)).filter_map(|at| i32::try_from(at).ok()).collect();
    let mut orders = Vec::new();
    for (names, calls, kind, sticky) in [
        (LOG, Calls::Writes, Kind::Error, false),
        (LOG, Calls::Writes, Kind::Full, true),
        (LOG, Calls::Writes, Kind::Short, false),
        (LOG, Calls::Writes, Kind::Short, true),
        (LOG, Calls::Syncs, Kind::Error, false),
        (DATABASE, Calls::All, Kind::Error, true),
        (DATABASE, Calls::All, Kind::Full, false),
        (ALL, Calls::Writes, Kind::Full, true),
        (TAIL, Calls::Writes, Kind::Error, true),
        (TAIL, Calls::Writes, Kind::Short, false),
        (CHECKPOINTS, Calls::All, Kind::Full, true),
    ] {
        for (at, while_starting) in numbers.iter().flat_map(|at| [(*at, false), (*at, true)]) {
            // The rarely written files are done with after a few.
            if at > 8 && names != LOG && names != ALL {
                continue;
            }
            orders.push((Order { kind, calls, at, sticky, names }, while_starting));
        }
    }
    orders
}

impl Floor {
    fn prepare(binary: &Path, tells: bool) -> io::Result<Self> {
        let folder = crate::tempdir()?;
        let base = folder.path().join("base");
        let mut house = House::start(binary, &base, &[])?;
        let seats = house.furnish(1, 2)?;
        let saver =
            house.boss().post("/api/people", &serde_json::json!({"name": "saver", "grants": ["player"]}))?;
        let saver = saver.good()?["id"].as_u64().unwrap_or_default();
        house.stop()?;
        Ok(Self { folder, house, load: Load { seats, saver }, shim: Shim::build()?, tells })
    }

    fn copy(&self, name: &str) -> io::Result<PathBuf> {
        let to = self.folder.path().join(name);
        if to.exists() {
            fs::remove_dir_all(&to)?;
        }
        copy_folder(&self.folder.path().join("base"), &to)?;
        Ok(to)
    }

    fn tell(&self, what: &str) {
        if self.tells {
            let _ = io::Write::write_all(&mut io::stderr(), format!("{what}\n").as_bytes());
        }
    }

    /// One fault: before the start or under load, and the start after it.
    fn fail(&self, order: &Order, while_starting: bool, tally: &mut Tally) -> io::Result<()> {
        let data = self.copy("case")?;
        self.shim.rest()?;
        if while_starting {
            self.shim.give(order)?;
        }
        tally.cases += 1;
        let mut became = "went on";
        let sent = match self.house.start_on(&data, &self.shim.environment()) {
            Err(error) => {
                clear(&error.to_string())?;
                tally.not_started += 1;
                became = "did not start";
                Vec::new()
            }
            Ok(mut house) => {
                let sent = self.play(&house, order, while_starting)?;
                if self.shim.hits()? == 0 {
                    tally.unreached += 1;
                    became = "not reached";
                    house.kill()?;
                } else if has_ended(&mut house)? {
                    clear(&house.output()?)?;
                    tally.stopped += 1;
                    became = "stopped";
                } else {
                    tally.went_on += 1;
                    house.kill()?;
                }
                no_panic(&house.output()?)?;
                sent
            }
        };
        self.shim.rest()?;
        tally.answered += answered(&sent);
        self.tell(&format!("{order:?} {while_starting}: {became}, {} answered", answered(&sent)));
        self.expect(&data, &sent, Expect::Starts, tally)
    }

    /// Plays until the fault has come and something was done after it, or the server is gone.
    fn play(&self, house: &House, order: &Order, while_starting: bool) -> io::Result<Vec<Sent>> {
        let working = self.load.begin(house, "disk");
        working.wait_for(6, STOPS);
        if !while_starting {
            self.shim.give(order)?;
        }
        let start = Instant::now();
        while self.shim.hits()? == 0 && start.elapsed() < Duration::from_millis(1_500) {
            working.wait_for(usize::MAX, Duration::from_millis(20));
        }
        let before = working.answered();
        working.wait_for(before + 12, Duration::from_secs(3));
        Ok(working.end())
    }

    /// Starts on what the fault has left, and holds it against the log.
    fn expect(&self, data: &Path, sent: &[Sent], expect: Expect, tally: &mut Tally) -> io::Result<()> {
        if expect == Expect::Told {
            return self.expect_told(data, tally);
        }
        let start = self.start_after(data, sent)?;
        match (&start, expect) {
            (Start::Right, Expect::Starts | Expect::Either) => tally.right += 1,
            (Start::Refused(_), Expect::Refuses | Expect::Either) => tally.refused += 1,
            (Start::Right | Start::Refused(_), Expect::Told) => {}
            (Start::Right, Expect::Refuses) => return Err(wrong("it starts as if nothing were missing")),
            (Start::Refused(said), Expect::Starts) => {
                return Err(wrong(format!("it does not start again: {said}")));
            }
        }
        Ok(())
    }

    /// A start refuses it, or `croupier verify` does.
    fn expect_told(&self, data: &Path, tally: &mut Tally) -> io::Result<()> {
        match self.house.start_on(data, &[]) {
            Ok(mut house) => house.kill()?,
            Err(error) => {
                clear(&error.to_string())?;
                tally.refused += 1;
                return Ok(());
            }
        }
        match verify(self.house.binary(), &data.display().to_string()) {
            Ok(()) => Err(wrong("neither a start nor `croupier verify` tells of it")),
            Err(said) => {
                tally.told += 1;
                no_panic(&said.to_string())
            }
        }
    }

    fn start_after(&self, data: &Path, sent: &[Sent]) -> io::Result<Start> {
        let mut house = match self.house.start_on(data, &[]) {
            Ok(house) => house,
            Err(error) => {
                clear(&error.to_string())?;
                return Ok(Start::Refused(error.to_string()));
            }
        };
        let place = data.display().to_string();
        agree(&compare(sent, &Lines::read(self.house.binary(), &place)?))?;
        agree(&self.load.repeat(&house, sent))?;
        self.load.balance(&house)?;
        house.stop()?;
        verify(self.house.binary(), &place)?;
        Ok(Start::Right)
    }

    /// Files that are cut, torn, gone, or of another time.
    fn damage(&self, tally: &mut Tally) -> io::Result<()> {
        let killed = self.copy("killed")?;
        let mut house = self.house.start_on(&killed, &[])?;
        let working = self.load.begin(&house, "damage");
        working.wait_for(60, STOPS);
        house.kill()?;
        let sent = working.end();
        let base = self.folder.path().join("base");
        for (name, expect, harm) in HARMS {
            let data = self.folder.path().join("case");
            fs::remove_dir_all(&data)?;
            copy_folder(&killed, &data)?;
            harm(&data, &base)?;
            tally.cases += 1;
            self.expect(&data, &sent, *expect, tally).map_err(|error| wrong(format!("{name}: {error}")))?;
            self.tell(name);
        }
        Ok(())
    }
}

/// Does something to a data folder, given how it was before.
type Harm = fn(&Path, &Path) -> io::Result<()>;

const HARMS: &[(&str, Expect, Harm)] = &[
    ("nothing", Expect::Starts, |_, _| Ok(())),
    ("the log is gone", Expect::Refuses, |data, _| fs::remove_file(data.join(LOG))),
    ("the log is cut after its header", Expect::Refuses, |data, _| cut(&data.join(LOG), 0, 8)),
    ("the log is cut at a quarter", Expect::Refuses, |data, _| cut(&data.join(LOG), 2, 8)),
    ("the log is cut at a half", Expect::Refuses, |data, _| cut(&data.join(LOG), 4, 8)),
    ("the log is cut near its end", Expect::Either, |data, _| cut(&data.join(LOG), 7, 8)),
    ("the log is torn at a quarter", Expect::Refuses, |data, _| tear(&data.join(LOG), 2, 8)),
    ("the log is torn at a half", Expect::Refuses, |data, _| tear(&data.join(LOG), 4, 8)),
    ("the index of the log is noise", Expect::Starts, |data, _| {
        fs::write(data.join("croupier.sqlite-shm"), vec![0x5a; 32_768])
    }),
    ("the database is an older one", Expect::Refuses, |data, base| {
        let _ = fs::remove_file(data.join(LOG));
        let _ = fs::remove_file(data.join("croupier.sqlite-shm"));
        fs::copy(base.join(DATABASE), data.join(DATABASE)).map(drop)
    }),
    ("the database is torn", Expect::Told, |data, _| tear(&data.join(DATABASE), 3, 8)),
    ("the database is cut", Expect::Told, |data, _| cut(&data.join(DATABASE), 4, 8)),
    ("the note of the last commit is an older one", Expect::Starts, |data, base| {
        fs::copy(base.join(TAIL), data.join(TAIL)).map(drop)
    }),
    ("the note of the last commit is gone", Expect::Starts, |data, _| fs::remove_file(data.join(TAIL))),
    ("the note of the last commit is half written", Expect::Starts, |data, _| tear(&data.join(TAIL), 1, 8)),
    ("the note of the last commit is noise", Expect::Refuses, |data, _| {
        fs::write(data.join(TAIL), [0x5a; 1_024])
    }),
    ("the checkpoints are older ones", Expect::Either, |data, base| {
        fs::copy(base.join(CHECKPOINTS), data.join(CHECKPOINTS)).map(drop)
    }),
    ("the last checkpoint is half written", Expect::Either, |data, _| {
        let bytes = fs::read(data.join(CHECKPOINTS))?;
        fs::write(data.join(CHECKPOINTS), &bytes[..bytes.len().saturating_sub(40)])
    }),
];

/// Cuts a file off at so many eighths, past its first 32 bytes.
fn cut(path: &Path, part: u64, of: u64) -> io::Result<()> {
    let file = fs::File::options().write(true).open(path)?;
    let length = file.metadata()?.len();
    file.set_len((length * part / of).max(32))
}

/// Writes noise into a file, for a hundred bytes.
fn tear(path: &Path, part: usize, of: usize) -> io::Result<()> {
    let mut bytes = fs::read(path)?;
    let from = bytes.len() * part / of;
    for byte in bytes.iter_mut().skip(from).take(100) {
        *byte ^= 0x5a;
    }
    fs::write(path, bytes)
}

/// Whether a server whose journal has failed is gone; one that goes on is asked whether it is ready.
fn has_ended(house: &mut House) -> io::Result<bool> {
    if house.boss().get("/readyz").is_ok_and(|answer| answer.status == 200) {
        return Ok(false);
    }
    if house.wait(STOPS)? {
        return Err(wrong(format!("it ended as if all were well: {}", house.output()?)));
    }
    Ok(true)
}

fn no_panic(said: &str) -> io::Result<()> {
    if said.contains("panicked") { Err(wrong(format!("it panicked: {said}"))) } else { Ok(()) }
}

/// That somebody who reads it knows where to look.
fn clear(said: &str) -> io::Result<()> {
    no_panic(said)?;
    if CLEAR.iter().any(|word| said.contains(word)) {
        return Ok(());
    }
    Err(wrong(format!("it does not say what is wrong: {said}")))
}

/// Plants a disk that says all is well and keeps nothing, of which no server can know: the checker must.
///
/// A server soon reads back what it wrote and stops, sometimes before it has answered anybody. Then nothing was
/// planted, and it is tried again.
///
/// # Errors
/// When it does not notice.
pub fn planted(binary: &Path) -> io::Result<()> {
    let floor = Floor::prepare(binary, false)?;
    for attempt in 1..=8 {
        let data = floor.copy(&format!("case-{attempt}"))?;
        let mut house = floor.house.start_on(&data, &floor.shim.environment())?;
        let order = Order { kind: Kind::Lie, calls: Calls::All, at: 1, sticky: true, names: ALL };
        let working = floor.load.begin(&house, &format!("planted-{attempt}"));
        working.wait_for(4, STOPS);
        floor.shim.give(&order)?;
        let before = working.answered();
        working.wait_for(before + 3, Duration::from_secs(5));
        house.kill()?;
        let sent = working.end();
        floor.shim.rest()?;
        // With so few after the order, all may have been on their way before it.
        if answered(&sent) < before + 3 {
            continue;
        }
        let lost = compare(&sent, &Lines::read(binary, &data.display().to_string())?);
        if lost.iter().any(|fault| fault.contains("is lost")) {
            return Ok(());
        }
    }
    Err(wrong("the checker never finds that a disk kept nothing"))
}
