//! How far the journal has come, noted after every commit: a small file outside the database.
//!
//! Checkpoints come once a minute, and what came after the last of them could be cut off unseen. A note is cheap enough
//! for every commit: it names the position of the last line and its hash, signed, in a file of two places that are
//! written by turns. It is written after the lines are durable and before anybody is answered, so the journal is never
//! behind it. It is not forced to the disk: after a power cut it may be some seconds behind the journal, never ahead.
//!
//! What remains: whoever can write to the database and to this file as it was a moment ago can cut off what came in
//! that moment. Against that only a copy elsewhere helps.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::checkpoint::{hex, unhex};
use crate::envelope::Row;
use crate::hash::Hash;
use crate::keys::{Keys, is_signed};
use crate::stream::Stream;

/// The name of the file.
pub const FILE: &str = "tail.json";
/// The bytes of a place.
const PLACE: usize = 512;
/// Where the places begin.
const PLACES: [u64; 2] = [0, 512];

/// The last line of the journal after a commit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// Its position.
    pub position: u64,
    /// Its stream.
    pub stream: Stream,
    /// Its number there.
    pub sequence: u64,
    /// Its hash.
    pub hash: Hash,
    /// The public key that signs the note.
    pub key: Hash,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Signed<'a> {
    #[serde(borrow)]
    note: &'a RawValue,
    signature: String,
}

/// The file, open to be written.
#[derive(Debug)]
pub struct Tail {
    file: File,
    path: PathBuf,
    keys: Keys,
    turn: usize,
    has_failed: bool,
}

impl Tail {
    /// The file in a folder; a new one if there is none.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(folder: &Path, keys: Keys) -> std::io::Result<Self> {
        let path = folder.join(FILE);
        let file = File::options().create(true).write(true).truncate(false).open(&path)?;
        Ok(Self { file, path, keys, turn: 0, has_failed: false })
    }

    /// Notes that the journal ends with a line. A note that cannot be written is missing and nothing else; the reason
    /// is given once.
    ///
    /// # Errors
    /// Why the file cannot be written, the first time.
    pub fn note(&mut self, position: u64, row: &Row) -> Result<(), String> {
        let head = row.head();
        let key = self.keys.public();
        let note = Note { position, stream: row.stream, sequence: head.sequence, hash: head.hash, key };
        let written = self.line(note).and_then(|line| {
            let place = PLACES[self.turn];
            self.turn = (self.turn + 1) % PLACES.len();
            let written = self.file.seek(SeekFrom::Start(place)).and_then(|_| self.file.write_all(&line));
            written.map_err(|error| error.to_string())
        });
        match written {
            Ok(()) => {
                self.has_failed = false;
                Ok(())
            }
            Err(_) if self.has_failed => Ok(()),
            Err(error) => {
                self.has_failed = true;
                Err(format!("{}: {error}", self.path.display()))
            }
        }
    }

    /// A place of the file, filled up with spaces.
    fn line(&self, note: Note) -> Result<Vec<u8>, String> {
        let fault = |error: serde_json::Error| error.to_string();
        let text = serde_json::to_string(&note).map_err(fault)?;
        let signature = hex(&self.keys.sign(text.as_bytes()));
        let note = RawValue::from_string(text).map_err(fault)?;
        let mut line = serde_json::to_vec(&Signed { note: &note, signature }).map_err(fault)?;
        line.resize(PLACE - 1, b' ');
        line.push(b'\n');
        Ok(line)
    }
}

/// The newest note in a folder whose key is known; nothing if there is no file, or it is empty.
///
/// # Errors
/// In words, when the file cannot be read, or holds something and no note that is signed by a known key.
pub fn newest(folder: &Path, is_known: &dyn Fn(Hash) -> bool) -> Result<Option<Note>, String> {
    let path = folder.join(FILE);
    let mut bytes = Vec::new();
    match File::open(&path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(0) => return Ok(None),
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("{}: {error}", path.display())),
    }
    let notes = bytes.chunks(PLACE).filter_map(|place| read(place, is_known));
    match notes.max_by_key(|note| note.position) {
        Some(note) => Ok(Some(note)),
        None => Err(format!("{} has no note that a key of this floor has signed", path.display())),
    }
}

fn read(place: &[u8], is_known: &dyn Fn(Hash) -> bool) -> Option<Note> {
    let signed: Signed<'_> = serde_json::from_slice(place).ok()?;
    let note: Note = serde_json::from_str(signed.note.get()).ok()?;
    let signature = unhex(&signed.signature)?;
    (is_signed(note.key, signed.note.get().as_bytes(), &signature) && is_known(note.key)).then_some(note)
}
