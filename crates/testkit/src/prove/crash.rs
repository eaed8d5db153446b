//! The power goes, again and again, in the middle of betting, dealing, settling and starting. Whatever was answered is
//! there afterwards, once; the books balance; and the whole journal verifies.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use super::load::Load;
use super::record::{Fate, Lines, Sent, agree, answered, compare};
use super::{Report, copy_folder, verify, wrong};
use crate::floor::{Furniture, House};

/// How long a run is.
#[derive(Clone, Debug)]
pub struct Options {
    /// How often the power goes.
    pub kills: usize,
    /// The URL of a PostgreSQL database; a file of SQLite if there is none.
    pub database: Option<String>,
    /// Tell how far it has come, on standard error.
    pub tells: bool,
}

/// Kills a server under load, and checks after each kill and in the end.
///
/// # Errors
/// When something that was answered is lost, doubled or another, the books do not balance, or the journal does not
/// verify.
pub fn run(binary: &Path, options: &Options) -> io::Result<Report> {
    let start = Instant::now();
    let folder = crate::tempdir()?;
    let database = options.database.as_deref();
    let arguments: Vec<&str> = database.iter().flat_map(|url| ["--database", url]).collect();
    let mut house = House::start(binary, folder.path(), &arguments)?;
    let load = furnish(&house)?;
    let mut sent = Vec::new();
    let mut starts = Duration::ZERO;
    for kill in 0..options.kills {
        let since = play_until_killed(&mut house, &load, kill)?;
        if kill % 5 == 4 {
            // Sometimes it goes again while the server starts.
            let after = u64::try_from(kill * 29 % 400).unwrap_or(0);
            house.start_and_kill(Duration::from_millis(after))?;
        }
        let started = Instant::now();
        come_back(&mut house)?;
        starts = starts.max(started.elapsed());
        agree(&load.repeat(&house, &since)).map_err(|error| wrong(format!("kill {kill}: {error}")))?;
        load.balance(&house)?;
        house.boss().get("/readyz")?.good()?;
        sent.extend(since);
        if kill % 20 == 19 {
            // Now and then it stops as it should, as servers do: snapshots are kept, and the next start has less to read.
            house.stop()?;
            house.start_again()?;
        }
        if options.tells && kill % 50 == 49 {
            let told = format!("{} kills, {} answered\n", kill + 1, answered(&sent));
            let _ = io::Write::write_all(&mut io::stderr(), told.as_bytes());
        }
    }
    let saved = load.saved(&house)?;
    house.stop()?;
    let place = database.map_or_else(|| folder.path().display().to_string(), str::to_string);
    let lines = Lines::read(binary, &place)?;
    agree(&check(&load, &sent, &lines, saved))?;
    verify(binary, &place)?;
    let mut report = Report::default();
    let unknown = sent.iter().filter(|one| one.fate == Fate::Unknown).count();
    report.add("kills", options.kills);
    report.add("commands answered, each there once", answered(&sent));
    report.add("commands without an answer, there once or not at all", unknown);
    report.add("rounds cut off by the power", lines.cut_off);
    report.add("lines of the journal, verified", lines.count);
    report.add("slowest start, in milliseconds", starts.as_millis());
    report.add("seconds", start.elapsed().as_secs());
    Ok(report)
}

/// Starts again, as a service manager does: PostgreSQL may not have noticed yet that the one before is gone, and then
/// the start is refused with that word.
fn come_back(house: &mut House) -> io::Result<()> {
    let start = Instant::now();
    loop {
        match house.start_again() {
            Err(error) if error.to_string().contains("in use by another croupier") => {
                if start.elapsed() > Duration::from_secs(20) {
                    return Err(error);
                }
                std::thread::sleep(Duration::from_millis(200));
            }
            started => return started,
        }
    }
}

/// A table where betting stays open, one that deals by itself with hardly a pause, and somebody at the counter.
pub(super) fn furnish(house: &House) -> io::Result<Load> {
    let mut seats = house.furnish(1, 2)?;
    let dealing = house.open(Furniture { automatic: true, betting_seconds: 5 })?;
    for seat in 1..=4 {
        seats.push(house.come(dealing, seat)?);
    }
    let saver =
        house.boss().post("/api/people", &serde_json::json!({"name": "saver", "grants": ["player"]}))?;
    let saver = saver.good()?["id"].as_u64().unwrap_or_default();
    Ok(Load { seats, saver })
}

/// Everybody plays until the power goes; what they sent and heard.
fn play_until_killed(house: &mut House, load: &Load, kill: usize) -> io::Result<Vec<Sent>> {
    let working = load.begin(house, &format!("k{kill}"));
    // From at once to a third of a second, never in step with anything.
    let moment = 5 + (kill * 37) % 320;
    std::thread::sleep(Duration::from_millis(u64::try_from(moment).unwrap_or(5)));
    house.kill()?;
    Ok(working.end())
}

/// The log against the journal, and the saver's wallet against the deposits.
fn check(load: &Load, sent: &[Sent], lines: &Lines, saved: u64) -> Vec<String> {
    let mut faults = compare(sent, lines);
    let deposits: Vec<Sent> = sent.iter().filter(|one| one.player == load.saver).cloned().collect();
    let sum = lines.sum(&deposits);
    if sum != saved {
        faults.push(format!("the wallet holds {saved}, and the deposits are {sum}"));
    }
    faults
}

/// Plants the faults that the checker is for, and sees that it finds each: a floor that has lost what it answered, a
/// command carried out twice, one that was refused and carried out all the same, money that is not there.
///
/// # Errors
/// When one is not found.
pub fn planted(binary: &Path) -> io::Result<()> {
    let folder = crate::tempdir()?;
    let (data, earlier) = (folder.path().join("data"), folder.path().join("earlier"));
    let mut house = House::start(binary, &data, &[])?;
    let load = furnish(&house)?;
    house.stop()?;
    copy_folder(&data, &earlier)?;
    house.start_again()?;
    let working = load.begin(&house, "planted");
    working.wait_for(40, Duration::from_secs(20));
    house.kill()?;
    let sent = working.end();
    let place = data.display().to_string();
    let lines = Lines::read(binary, &place)?;
    house.start_again()?;
    let saved = load.saved(&house)?;
    agree(&check(&load, &sent, &lines, saved))?;
    finds("money that is not there", &check(&load, &sent, &lines, saved + 1))?;
    finds_in_doctored(&load, &sent, &place, binary, saved)?;

    // The real thing: the floor of before, with nothing left that would say so.
    house.kill()?;
    for entry in fs::read_dir(&data)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    copy_folder(&earlier, &data)?;
    house.start_again()?;
    let lines = Lines::read(binary, &place)?;
    finds("a floor that has lost what it answered", &check(&load, &sent, &lines, load.saved(&house)?))?;
    finds("answers that are other ones now", &load.repeat(&house, &sent))
}

/// Lines taken out, doubled, and slipped in.
fn finds_in_doctored(load: &Load, sent: &[Sent], place: &str, binary: &Path, saved: u64) -> io::Result<()> {
    let out = crate::tempdir()?;
    let export = out.path().join("export");
    let exported = std::process::Command::new(binary)
        .args(["export", "--database", place, "--out"])
        .arg(&export)
        .output()?;
    if !exported.status.success() {
        return Err(wrong(String::from_utf8_lossy(&exported.stderr).into_owned()));
    }
    let text = fs::read_to_string(export.join("journal.jsonl"))?;
    let last = sent.iter().rev().find(|one| matches!(one.fate, Fate::Answered { .. }));
    let last = last.ok_or_else(|| wrong("nothing was answered"))?;
    let is_last =
        |line: &&str| line.contains(&format!(r#""stream":"{}""#, last.stream)) && line.contains(&last.id);
    let without: String =
        text.lines().filter(|line| !is_last(line)).map(|line| format!("{line}\n")).collect();
    finds("a line that is missing", &check(load, sent, &Lines::parse(&without)?, saved))?;
    let line = text.lines().find(is_last).unwrap_or_default();
    let twice = format!("{text}{line}\n");
    finds("a line that is there twice", &check(load, sent, &Lines::parse(&twice)?, saved))?;
    let mut told = sent.to_vec();
    for one in &mut told {
        if one.id == last.id {
            one.fate = Fate::Refused("planted".to_string());
        }
    }
    finds("a refusal that was none", &check(load, &told, &Lines::parse(&text)?, saved))
}

fn finds(planted: &str, faults: &[String]) -> io::Result<()> {
    if faults.is_empty() {
        return Err(wrong(format!("the checker does not find what was planted: {planted}")));
    }
    Ok(())
}
