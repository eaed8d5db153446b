//! Signed statements of how far the journal has come. A chain alone does not show that its end was cut off; a
//! checkpoint kept elsewhere does.
//!
//! Checkpoints are lines of JSON, chained like the journal, in a file outside the database and in a register inside
//! it. Each has a position and the rolling hash of all lines through it, so that it has the same size whatever the floor
//! has done, and says the same of every line. A start reads the last ones only; `verify` reads all.
//!
//! Earlier versions listed the heads of the streams that had moved since the checkpoint before. Those are read as they
//! are, and the rolling hash begins anew after them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::backwards::Backwards;
use crate::envelope::Head;
use crate::hash::Hash;
use crate::keys::{Keys, is_signed, sync_folder};
use crate::store::{Store, StoreError};
use crate::stream::Stream;

/// The name of the file.
pub const FILE: &str = "checkpoints.jsonl";

/// The register in the database that has the same lines, by their numbers.
pub const REGISTER: &str = "checkpoint";

/// The lines of the register, as the file has them; nothing if there are none.
///
/// # Errors
/// What the database says.
pub fn registered(store: &mut dyn Store) -> Result<Option<String>, StoreError> {
    let lines = store.entries(REGISTER)?;
    let text: String = lines.iter().map(|(_, line)| format!("{}\n", String::from_utf8_lossy(line))).collect();
    Ok(Some(text).filter(|text| !text.is_empty()))
}

/// How far the lines of a journal go, and which they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach {
    /// The position of the last line.
    pub position: u64,
    /// The rolling hash: with each line the hash of the one so far and that of the line.
    pub lines: Hash,
}

impl Reach {
    /// Before the first line.
    pub const START: Self = Self::from(0);

    /// Where a rolling hash begins.
    const fn from(position: u64) -> Self {
        Self { position, lines: Hash::ZERO }
    }

    /// Goes on to the next line.
    pub fn pass(&mut self, position: u64, line: Hash) {
        assert!(position > self.position, "line {position} comes after line {}", self.position);
        let mut both = [0; 64];
        let (so_far, next) = both.split_at_mut(32);
        so_far.copy_from_slice(&self.lines.0);
        next.copy_from_slice(&line.0);
        *self = Self { position, lines: Hash::of(&both) };
    }
}

/// What a checkpoint says of the lines through its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Covers {
    /// Their rolling hash.
    Lines(Hash),
    /// As earlier versions wrote it: the ends of the streams that had moved since the checkpoint before.
    Heads(BTreeMap<Stream, Head>),
}

/// How far the journal has come.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Checkpoint {
    /// Its number, from 1.
    pub number: u64,
    /// The hash of the checkpoint line before it.
    pub previous: Hash,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The position of the last row that it covers.
    pub position: u64,
    /// What it says of them.
    pub covers: Covers,
    /// The public key that signs it.
    pub key: Hash,
    /// The public key that signs from the next one on, if it is another.
    pub next_key: Option<Hash>,
}

/// A checkpoint as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    number: u64,
    previous: Hash,
    at: u64,
    position: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lines: Option<Hash>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    heads: Option<BTreeMap<Stream, Head>>,
    key: Hash,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next_key: Option<Hash>,
}

impl From<Checkpoint> for Written {
    fn from(checkpoint: Checkpoint) -> Self {
        let Checkpoint { number, previous, at, position, covers, key, next_key } = checkpoint;
        let (lines, heads) = match covers {
            Covers::Lines(lines) => (Some(lines), None),
            Covers::Heads(heads) => (None, Some(heads)),
        };
        Self { number, previous, at, position, lines, heads, key, next_key }
    }
}

impl TryFrom<Written> for Checkpoint {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let Written { number, previous, at, position, lines, heads, key, next_key } = written;
        let covers = match (lines, heads) {
            (Some(lines), None) => Covers::Lines(lines),
            (None, Some(heads)) => Covers::Heads(heads),
            (Some(_), Some(_)) | (None, None) => return Err("it has either `lines` or `heads`"),
        };
        Ok(Self { number, previous, at, position, covers, key, next_key })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Signed<'a> {
    #[serde(borrow)]
    checkpoint: &'a RawValue,
    signature: String,
}

/// Why checkpoints cannot be trusted, read or written.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        error: std::io::Error,
    },
    /// A line is none.
    #[error("checkpoint line {line}: {what}")]
    Line {
        /// Which, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// One of the last lines is none.
    #[error("{}: at its end: {what}", path.display())]
    End {
        /// Of which file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}

impl Checkpoint {
    /// The key that signs the next one.
    #[must_use]
    pub fn signs_next(&self) -> Hash {
        self.next_key.unwrap_or(self.key)
    }

    /// The line, signed.
    ///
    /// # Errors
    /// Never for a checkpoint: its keys are text.
    pub fn sign(&self, keys: &Keys) -> Result<String, serde_json::Error> {
        let text = serde_json::to_string(self)?;
        let signature = hex(&keys.sign(text.as_bytes()));
        let checkpoint = RawValue::from_string(text)?;
        serde_json::to_string(&Signed { checkpoint: &checkpoint, signature })
    }
}

/// A checkpoint and its line.
#[derive(Clone, Debug)]
struct At {
    line: Hash,
    checkpoint: Checkpoint,
}

impl At {
    /// Reads a line that is signed by the key that it names.
    fn read(written: &[u8]) -> Result<Self, String> {
        let written = core::str::from_utf8(written).map_err(|error| error.to_string())?;
        let signed: Signed<'_> = serde_json::from_str(written).map_err(|error| error.to_string())?;
        let bytes = signed.checkpoint.get();
        let checkpoint: Checkpoint = serde_json::from_str(bytes).map_err(|error| error.to_string())?;
        let signature = unhex(&signed.signature).ok_or("has no signature")?;
        if !is_signed(checkpoint.key, bytes.as_bytes(), &signature) {
            return Err("has a wrong signature".to_string());
        }
        // What the signature does not cover has one spelling.
        if serde_json::to_string(&signed).ok().as_deref() != Some(written)
            || hex(&signature) != signed.signature
        {
            return Err("is not written as it was".to_string());
        }
        Ok(Self { line: Hash::of(written.as_bytes()), checkpoint })
    }

    /// It is the one that comes after another, or the first.
    fn follows(&self, before: Option<&Self>) -> Result<(), String> {
        let Checkpoint { number, previous, key, .. } = &self.checkpoint;
        let line = before.map_or(Hash::ZERO, |before| before.line);
        if *number != before.map_or(1, |before| before.checkpoint.number.saturating_add(1)) {
            return Err(format!("has number {number}"));
        }
        if *previous != line {
            return Err("does not follow the line before it".to_string());
        }
        match before.map(|before| before.checkpoint.signs_next()) {
            Some(expected) if *key != expected => {
                Err(format!("is signed by {key}, and {expected} was to sign"))
            }
            Some(_) | None => Ok(()),
        }
    }
}

/// Reads and checks the lines of checkpoints: numbers, chain and signatures. One at least must be signed by the key that
/// is trusted, if one is: it signs the chain before it by its hash, and names whoever signs after it.
///
/// # Errors
/// [`CheckpointError::Line`] for the first that does not fit.
pub fn read(text: &str, trusted: Option<Hash>) -> Result<Vec<Checkpoint>, CheckpointError> {
    let mut found: Vec<Checkpoint> = Vec::new();
    let mut last: Option<At> = None;
    for (line, written) in (1_usize..).zip(text.lines()) {
        let read = At::read(written.as_bytes()).and_then(|at| at.follows(last.as_ref()).map(|()| at));
        let at = read.map_err(|what| CheckpointError::Line { line, what })?;
        found.push(at.checkpoint.clone());
        last = Some(at);
    }
    match (trusted, found.first()) {
        (Some(trusted), Some(first)) if found.iter().all(|checkpoint| checkpoint.key != trusted) => {
            let what =
                format!("is signed by {}, and no checkpoint by {trusted}, which is trusted", first.key);
            Err(CheckpointError::Line { line: 1, what })
        }
        _ => Ok(found),
    }
}

/// The number of the last line of a file of checkpoints, without checking it: 0 if there is none. A line that a crash left
/// unfinished is taken off, so that the next one is whole.
///
/// # Errors
/// When it cannot be read, or its last line is no checkpoint.
pub fn last_number(path: &Path) -> Result<u64, CheckpointError> {
    let fault = |error: std::io::Error| CheckpointError::File { path: path.to_path_buf(), error };
    let Some(mut lines) = backwards(path)? else { return Ok(0) };
    if lines.is_cut() {
        cut(path, lines.length()).map_err(fault)?;
    }
    let Some(last) = lines.line().map_err(fault)? else { return Ok(0) };
    let number = number_of(&String::from_utf8_lossy(&last));
    number.map_err(|what| CheckpointError::End { path: path.to_path_buf(), what })
}

/// The lines of a file from its end, if there is one.
fn backwards(path: &Path) -> Result<Option<Backwards>, CheckpointError> {
    match Backwards::open(path) {
        Ok(lines) => Ok(Some(lines)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(CheckpointError::File { path: path.to_path_buf(), error }),
    }
}

/// Takes off what follows the last finished line.
fn cut(path: &Path, length: u64) -> std::io::Result<()> {
    let file = File::options().write(true).open(path)?;
    file.set_len(length)?;
    file.sync_all()
}

fn number_of(line: &str) -> Result<u64, String> {
    let signed: Signed<'_> = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let checkpoint: Checkpoint =
        serde_json::from_str(signed.checkpoint.get()).map_err(|error| error.to_string())?;
    Ok(checkpoint.number)
}

/// Holds checkpoints against what a witness has of them: every line of the witness must be there, byte for byte. The
/// number of the last one; a witness may have begun later than the floor, and be behind it.
///
/// # Errors
/// [`CheckpointError::Line`] for the first line of the witness that is not there.
pub fn witnessed(own: &str, witness: &str) -> Result<u64, CheckpointError> {
    let own: Vec<&str> = own.lines().collect();
    let mut last = 0;
    for (line, told) in (1_usize..).zip(witness.lines()) {
        let fault = |what: String| CheckpointError::Line { line, what: format!("of the witness {what}") };
        let number = number_of(told).map_err(&fault)?;
        if last != 0 && number != last + 1 {
            return Err(fault(format!("has number {number}, and the one before it {last}")));
        }
        let at = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        match at.and_then(|at| own.get(at)) {
            Some(same) if *same == told => last = number,
            Some(_) => {
                return Err(fault(format!(
                    "is checkpoint {number}, and the journal has another one under this number: it was signed anew"
                )));
            }
            None => {
                return Err(fault(format!(
                    "is checkpoint {number}, and the journal has {}: its end was cut off",
                    own.len()
                )));
            }
        }
    }
    Ok(last)
}

/// The file of checkpoints, open at its end.
#[derive(Debug)]
pub struct Log {
    path: Option<PathBuf>,
    /// The last one.
    end: Option<At>,
    /// How far it reaches.
    reach: Reach,
    /// The ends of the streams, as long as the last one is of an earlier version.
    heads: BTreeMap<Stream, Head>,
}

impl Log {
    /// A log that is kept nowhere.
    #[must_use]
    pub fn nowhere() -> Self {
        Self { path: None, end: None, reach: Reach::START, heads: BTreeMap::new() }
    }

    /// The log in a folder, checked at its end: the last line is signed and follows the one before it. That one stands for
    /// those before it, which `verify` reads. A line that a crash left unfinished is taken off.
    ///
    /// # Errors
    /// When it cannot be read, or a line does not fit.
    pub fn open(folder: &Path) -> Result<Self, CheckpointError> {
        let path = folder.join(FILE);
        let mut log = Self { path: Some(path.clone()), ..Self::nowhere() };
        let Some(mut lines) = backwards(&path)? else { return Ok(log) };
        let fault = |error: std::io::Error| CheckpointError::File { path: path.clone(), error };
        let (length, is_cut) = (lines.length(), lines.is_cut());
        if let Some(last) = log.line(&mut lines)? {
            let before = log.line(&mut lines)?;
            last.follows(before.as_ref()).map_err(|what| log.at_end(what))?;
            match &last.checkpoint.covers {
                Covers::Lines(_) => log.go_on_from(last),
                // The ends of all streams are in all of the lines.
                Covers::Heads(_) => {
                    let bytes = fs::read(&path).map_err(fault)?;
                    let whole = usize::try_from(length).ok().and_then(|length| bytes.get(..length));
                    let text = String::from_utf8_lossy(whole.unwrap_or(&bytes));
                    read(&text, None)?;
                    log.follow(&text)?;
                }
            }
        }
        // Only now: a file that is not ours stays as it is.
        if is_cut {
            cut(&path, length).map_err(fault)?;
        }
        Ok(log)
    }

    fn at_end(&self, what: String) -> CheckpointError {
        CheckpointError::End { path: self.path.clone().unwrap_or_default(), what }
    }

    /// The next line from the end.
    fn line(&self, lines: &mut Backwards) -> Result<Option<At>, CheckpointError> {
        let path = self.path.clone().unwrap_or_default();
        let line = lines.line().map_err(|error| CheckpointError::File { path, error })?;
        line.map(|line| At::read(&line)).transpose().map_err(|what| self.at_end(what))
    }

    fn follow(&mut self, text: &str) -> Result<(), CheckpointError> {
        for (line, written) in (1_usize..).zip(text.lines()) {
            let at = At::read(written.as_bytes()).map_err(|what| CheckpointError::Line { line, what })?;
            self.go_on_from(at);
        }
        Ok(())
    }

    fn go_on_from(&mut self, at: At) {
        match &at.checkpoint.covers {
            Covers::Lines(lines) => {
                self.reach = Reach { position: at.checkpoint.position, lines: *lines };
                self.heads.clear();
            }
            Covers::Heads(moved) => {
                self.reach = Reach::from(self.reach.position.max(at.checkpoint.position));
                self.heads.extend(moved.iter().map(|(stream, head)| (*stream, *head)));
            }
        }
        self.end = Some(at);
    }

    /// Goes on after checkpoints that are kept elsewhere, which come into the file; only for a log that has none.
    ///
    /// # Errors
    /// When a line of them does not fit, or they cannot be written.
    pub fn go_on_after(&mut self, text: &str) -> Result<(), CheckpointError> {
        read(text, None)?;
        if let Some(path) = &self.path {
            let fault = |error: std::io::Error| CheckpointError::File { path: path.clone(), error };
            // Under another name first, so that a crash leaves all of them or none.
            let part = path.with_extension("part");
            let written = File::create(&part).and_then(|mut file| {
                file.write_all(text.as_bytes())?;
                file.sync_all()
            });
            written.and_then(|()| fs::rename(&part, path)).and_then(|()| sync_folder(path)).map_err(fault)?;
        }
        self.follow(text)
    }

    /// Follows what another node of the same floor has signed, which comes into the file as well.
    ///
    /// # Errors
    /// When it does not follow the last one here, or cannot be written.
    pub fn follow_line(&mut self, line: &str) -> Result<(), CheckpointError> {
        let at = At::read(line.as_bytes()).and_then(|at| at.follows(self.end.as_ref()).map(|()| at));
        let at = at.map_err(|what| self.at_end(what))?;
        self.append(line)?;
        self.go_on_from(at);
        Ok(())
    }

    /// The log of a folder after what all nodes of a floor have signed, as the register has it. A node that ended
    /// between signing a checkpoint and putting it into the register has one more of its own, which nobody else has
    /// seen: it gives way.
    ///
    /// # Errors
    /// When it cannot be read or written, or the register is not a continuation of the file.
    pub fn joined(folder: &Path, registered: &str) -> Result<Self, CheckpointError> {
        let own = Self::open(folder)?;
        let path = folder.join(FILE);
        let text = fs::read_to_string(&path).unwrap_or_default();
        let (mine, theirs): (Vec<&str>, Vec<&str>) = (text.lines().collect(), registered.lines().collect());
        let same = mine.iter().zip(&theirs).take_while(|(mine, theirs)| mine == theirs).count();
        if same + 1 < mine.len() {
            let what = "is not the one that the database has: this folder is another floor's".to_string();
            return Err(CheckpointError::Line { line: same + 1, what });
        }
        if mine == theirs {
            return Ok(own);
        }
        let mut log = Self { path: Some(path), ..Self::nowhere() };
        log.go_on_after(registered)?;
        Ok(log)
    }

    /// The key that the next checkpoint is to be signed with, if there is one before it.
    #[must_use]
    pub fn key(&self) -> Option<Hash> {
        self.end.as_ref().map(|end| end.checkpoint.signs_next())
    }

    /// The number of the last checkpoint.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.end.as_ref().map_or(0, |end| end.checkpoint.number)
    }

    /// How far the last checkpoint reaches; a rolling hash begins there if it is of an earlier version.
    #[must_use]
    pub const fn reach(&self) -> Reach {
        self.reach
    }

    /// The ends of the streams, if the last checkpoint is of an earlier version.
    #[must_use]
    pub const fn heads(&self) -> &BTreeMap<Stream, Head> {
        &self.heads
    }

    /// From where the lines are to be read that end at the last checkpoint: how far the newest one before it reaches that
    /// lies at a position or before it. Read from the end of the file.
    ///
    /// # Errors
    /// When a line does not fit, or cannot be read.
    pub fn before(&self, position: u64) -> Result<Reach, CheckpointError> {
        if !self.heads.is_empty() {
            return Ok(self.reach);
        }
        let (Some(path), Some(end)) = (&self.path, &self.end) else { return Ok(Reach::START) };
        let Some(mut lines) = backwards(path)? else { return Ok(Reach::START) };
        let mut after = match self.line(&mut lines)? {
            Some(last) if last.line == end.line => last,
            Some(_) | None => return Err(self.at_end("it is another one than before".to_string())),
        };
        loop {
            let before = self.line(&mut lines)?;
            after.follows(before.as_ref()).map_err(|what| self.at_end(what))?;
            let Some(before) = before else { return Ok(Reach::START) };
            let at = before.checkpoint.position;
            match before.checkpoint.covers {
                Covers::Lines(lines) if at <= position && at < self.reach.position => {
                    return Ok(Reach { position: at, lines });
                }
                // One that only announced a key said of no line where it stood.
                Covers::Heads(_) if at > 0 => return Ok(Reach::from(at)),
                Covers::Lines(_) | Covers::Heads(_) => after = before,
            }
        }
    }

    /// Writes a checkpoint if there are new lines or the key changes; its number and line if it did.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(
        &mut self,
        keys: &Keys,
        next_key: Option<Hash>,
        at: u64,
        reach: Reach,
    ) -> Result<Option<(u64, String)>, CheckpointError> {
        if reach == self.reach && next_key.is_none() {
            return Ok(None);
        }
        assert!(reach.position >= self.reach.position, "what was signed is not taken back");
        let number = self.number() + 1;
        if let Some(key) = self.key().filter(|key| *key != keys.public()) {
            let line = usize::try_from(number).unwrap_or(usize::MAX);
            let what = format!("would be signed by {}, and {key} is the key that was named", keys.public());
            return Err(CheckpointError::Line { line, what });
        }
        let checkpoint = Checkpoint {
            number,
            previous: self.end.as_ref().map_or(Hash::ZERO, |end| end.line),
            at,
            position: reach.position,
            covers: Covers::Lines(reach.lines),
            key: keys.public(),
            next_key,
        };
        let line = checkpoint
            .sign(keys)
            .map_err(|error| CheckpointError::Line { line: 0, what: error.to_string() })?;
        self.append(&line)?;
        self.go_on_from(At { line: Hash::of(line.as_bytes()), checkpoint });
        Ok(Some((number, line)))
    }

    fn append(&self, line: &str) -> Result<(), CheckpointError> {
        if let Some(path) = &self.path {
            let fault = |error: std::io::Error| CheckpointError::File { path: path.clone(), error };
            let mut file = File::options().create(true).append(true).open(path).map_err(fault)?;
            let length = file.metadata().map_err(fault)?.len();
            // In one piece, and taken back if it fails, so that the next line does not go on in the middle of it.
            let written = file.write_all(format!("{line}\n").as_bytes()).and_then(|()| file.sync_all());
            if let Err(error) = written {
                let _ = file.set_len(length);
                return Err(fault(error));
            }
            if length == 0 {
                sync_folder(path).map_err(fault)?;
            }
        }
        Ok(())
    }
}

pub(crate) fn hex(bytes: &[u8; 64]) -> String {
    let (left, right) = bytes.split_at(32);
    let half = |half: &[u8]| half.try_into().map(|bytes: [u8; 32]| Hash(bytes).to_string());
    [half(left).unwrap_or_default(), half(right).unwrap_or_default()].concat()
}

pub(crate) fn unhex(text: &str) -> Option<[u8; 64]> {
    let left: Hash = text.get(..64)?.parse().ok()?;
    let right: Hash = text.get(64..)?.parse().ok()?;
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(&left.0);
    bytes[32..].copy_from_slice(&right.0);
    Some(bytes)
}
