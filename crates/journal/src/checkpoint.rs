//! Signed statements of how far each stream has come. A chain alone does not show that its end was cut off; a
//! checkpoint kept elsewhere does.
//!
//! Checkpoints are lines of JSON, chained like the journal, in a file outside the database and in a register inside
//! it. Each lists the heads of the streams that have moved since the one before.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

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

/// How far streams have come.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// Its number, from 1.
    pub number: u64,
    /// The hash of the checkpoint line before it.
    pub previous: Hash,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The position of the last row that it covers.
    pub position: u64,
    /// The streams that have moved.
    pub heads: BTreeMap<Stream, Head>,
    /// The public key that signs it.
    pub key: Hash,
    /// The public key that signs from the next one on, if it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_key: Option<Hash>,
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
}

impl Checkpoint {
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

/// Reads and checks the lines of checkpoints: numbers, chain and signatures. One at least must be signed by the key that
/// is trusted, if one is: it signs the chain before it by its hash, and names whoever signs after it.
///
/// # Errors
/// [`CheckpointError::Line`] for the first that does not fit.
pub fn read(text: &str, trusted: Option<Hash>) -> Result<Vec<Checkpoint>, CheckpointError> {
    let mut found: Vec<Checkpoint> = Vec::new();
    let mut previous = Hash::ZERO;
    let mut key: Option<Hash> = None;
    for (line, written) in (1_usize..).zip(text.lines()) {
        let fault = |what: String| CheckpointError::Line { line, what };
        let signed: Signed<'_> = serde_json::from_str(written).map_err(|error| fault(error.to_string()))?;
        let bytes = signed.checkpoint.get();
        let checkpoint: Checkpoint = serde_json::from_str(bytes).map_err(|error| fault(error.to_string()))?;
        if usize::try_from(checkpoint.number) != Ok(line) {
            return Err(fault(format!("has number {}", checkpoint.number)));
        }
        if checkpoint.previous != previous {
            return Err(fault("does not follow the line before it".to_string()));
        }
        let expected = key.unwrap_or(checkpoint.key);
        if checkpoint.key != expected {
            return Err(fault(format!("is signed by {}, and {expected} was to sign", checkpoint.key)));
        }
        let signature = unhex(&signed.signature).ok_or_else(|| fault("has no signature".to_string()))?;
        if !is_signed(expected, bytes.as_bytes(), &signature) {
            return Err(fault("has a wrong signature".to_string()));
        }
        // What the signature does not cover has one spelling.
        if serde_json::to_string(&signed).ok().as_deref() != Some(written)
            || hex(&signature) != signed.signature
        {
            return Err(fault("is not written as it was".to_string()));
        }
        key = Some(checkpoint.next_key.unwrap_or(expected));
        previous = Hash::of(written.as_bytes());
        found.push(checkpoint);
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
/// unfinished is ended, so that the next one is whole.
///
/// # Errors
/// When it cannot be read, or its last line is no checkpoint.
pub fn last_number(path: &Path) -> Result<u64, CheckpointError> {
    let fault = |error: std::io::Error| CheckpointError::File { path: path.to_path_buf(), error };
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(fault(error)),
    };
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    if whole < text.len() {
        let file = File::options().write(true).open(path).map_err(fault)?;
        file.set_len(u64::try_from(whole).unwrap_or(0)).map_err(fault)?;
    }
    let lines = text.get(..whole).unwrap_or_default();
    let Some(last) = lines.lines().next_back() else { return Ok(0) };
    let line = lines.lines().count();
    number_of(last).map_err(|what| CheckpointError::Line { line, what })
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
    last: Hash,
    number: u64,
    key: Option<Hash>,
    /// The heads as the last checkpoint has them.
    heads: BTreeMap<Stream, Head>,
}

impl Log {
    /// A log that is kept nowhere.
    #[must_use]
    pub fn nowhere() -> Self {
        Self { path: None, last: Hash::ZERO, number: 0, key: None, heads: BTreeMap::new() }
    }

    /// The log in a folder, with all that is in it checked. A line that a crash left unfinished is taken off.
    ///
    /// # Errors
    /// When it cannot be read, or a line does not fit.
    pub fn open(folder: &Path) -> Result<Self, CheckpointError> {
        let path = folder.join(FILE);
        let fault = |error: std::io::Error| CheckpointError::File { path: path.clone(), error };
        let mut bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(fault(error)),
        };
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let is_cut = whole < bytes.len();
        bytes.truncate(whole);
        let text = String::from_utf8(bytes)
            .map_err(|error| fault(std::io::Error::new(std::io::ErrorKind::InvalidData, error)))?;
        let found = read(&text, None)?;
        // Only now: a file that is not ours stays as it is.
        if is_cut {
            let file = File::options().write(true).open(&path).map_err(fault)?;
            let length = u64::try_from(whole).unwrap_or(0);
            file.set_len(length).and_then(|()| file.sync_all()).map_err(fault)?;
        }
        let mut log = Self { path: Some(path.clone()), ..Self::nowhere() };
        log.follow(&found, &text);
        Ok(log)
    }

    fn follow(&mut self, found: &[Checkpoint], text: &str) {
        for (checkpoint, line) in found.iter().zip(text.lines()) {
            self.heads.extend(checkpoint.heads.iter().map(|(stream, head)| (*stream, *head)));
            self.number = checkpoint.number;
            self.key = Some(checkpoint.next_key.unwrap_or(checkpoint.key));
            self.last = Hash::of(line.as_bytes());
        }
    }

    /// Goes on after checkpoints that are kept elsewhere, which come into the file; only for a log that has none.
    ///
    /// # Errors
    /// When a line of them does not fit, or they cannot be written.
    pub fn go_on_after(&mut self, text: &str) -> Result<(), CheckpointError> {
        let found = read(text, None)?;
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
        self.follow(&found, text);
        Ok(())
    }

    /// Follows what another node of the same floor has signed, which comes into the file as well.
    ///
    /// # Errors
    /// When it does not follow the last one here, or cannot be written.
    pub fn follow_line(&mut self, line: &str) -> Result<(), CheckpointError> {
        let number = self.number + 1;
        let fault = |what: String| CheckpointError::Line {
            line: usize::try_from(number).unwrap_or(usize::MAX),
            what,
        };
        let signed: Signed<'_> = serde_json::from_str(line).map_err(|error| fault(error.to_string()))?;
        let bytes = signed.checkpoint.get();
        let checkpoint: Checkpoint = serde_json::from_str(bytes).map_err(|error| fault(error.to_string()))?;
        if (checkpoint.number, checkpoint.previous) != (number, self.last) {
            return Err(fault("does not follow the line before it".to_string()));
        }
        if self.key.is_some_and(|key| key != checkpoint.key) {
            return Err(fault(format!("is signed by {}, which was not to sign", checkpoint.key)));
        }
        let signature = unhex(&signed.signature);
        if !signature.is_some_and(|signature| is_signed(checkpoint.key, bytes.as_bytes(), &signature)) {
            return Err(fault("has a wrong signature".to_string()));
        }
        self.append(line)?;
        self.follow(&[checkpoint], line);
        Ok(())
    }

    /// The number of the last checkpoint.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
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
        self.key
    }

    /// The heads as the last checkpoint has them.
    #[must_use]
    pub fn heads(&self) -> &BTreeMap<Stream, Head> {
        &self.heads
    }

    /// Writes a checkpoint if streams have moved or the key changes; its number and line if it did.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(
        &mut self,
        keys: &Keys,
        next_key: Option<Hash>,
        at: u64,
        position: u64,
        heads: &BTreeMap<Stream, Head>,
    ) -> Result<Option<(u64, String)>, CheckpointError> {
        let moved: BTreeMap<Stream, Head> = heads
            .iter()
            .filter(|(stream, head)| self.heads.get(stream) != Some(head))
            .map(|(stream, head)| (*stream, *head))
            .collect();
        if moved.is_empty() && next_key.is_none() {
            return Ok(None);
        }
        let number = self.number + 1;
        if let Some(key) = self.key.filter(|key| *key != keys.public()) {
            let line = usize::try_from(number).unwrap_or(usize::MAX);
            let what = format!("would be signed by {}, and {key} is the key that was named", keys.public());
            return Err(CheckpointError::Line { line, what });
        }
        let checkpoint = Checkpoint {
            number,
            previous: self.last,
            at,
            position,
            heads: moved,
            key: keys.public(),
            next_key,
        };
        let line = checkpoint
            .sign(keys)
            .map_err(|error| CheckpointError::Line { line: 0, what: error.to_string() })?;
        self.append(&line)?;
        self.last = Hash::of(line.as_bytes());
        self.number = checkpoint.number;
        self.key = Some(next_key.unwrap_or(checkpoint.key));
        self.heads.extend(checkpoint.heads);
        Ok(Some((self.number, line)))
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
