//! One envelope for each accepted command, and the line it is stored as.
//!
//! ```text
//! {"stream":"table/3","sequence":812,"previous":"5e8f…","id":"0f9c…","at":1763218800123,"engine":"0.1.0","by":{"player":7},
//!  "via":{"session":{"id":"3fa9c2d1e0b7a655","person":7}},"deed":{"table":{"place":{…}}},"postings":[…],"events":[{"fact":{…},"cites":[…]}]}
//! ```
//!
//! The hash of a line is the SHA-256 of exactly these bytes, and `previous` is that of the line before it in the
//! stream. Events come last, so that a replay finds them without reading the rest.

use croupier_ledger::{Entry, RoundId};
use croupier_table::Event;
use croupier_table::case::CaseEvent;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::deed::{Author, By, Deed, Kind, Via};
use crate::hash::Hash;
use crate::stream::{CommandId, Stream};

/// What is to be appended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Envelope<'a> {
    /// The id of the command.
    pub id: CommandId,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Who.
    pub by: By,
    /// By which session or token.
    pub via: Option<Via>,
    /// What.
    pub deed: &'a Deed,
    /// What it does to the ledger.
    pub postings: &'a [Entry],
    /// The round that is over with it.
    pub closes: Option<RoundId>,
    /// What happened.
    pub events: Happened<'a>,
}

impl<'a> Envelope<'a> {
    /// One that records a deed and nothing else: no money moves, and nothing happens beyond it.
    #[must_use]
    pub fn plain(id: CommandId, at: u64, author: Author, deed: &'a Deed) -> Self {
        let Author { by, via } = author;
        Self { id, at, by, via, deed, postings: &[], closes: None, events: Happened::Nothing }
    }
}

/// What happened because of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Happened<'a> {
    /// Nothing beyond the deed.
    Nothing,
    /// At a table.
    Table(&'a [Event]),
    /// In a dispute.
    Case(&'a [CaseEvent]),
}

/// The end of a stream: what the next line follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Head {
    /// The sequence of the last line; 0 before the first.
    pub sequence: u64,
    /// The hash of the last line.
    pub hash: Hash,
}

impl Head {
    /// Before the first line.
    pub const START: Self = Self { sequence: 0, hash: Hash::ZERO };

    /// Writes the next line of a stream and moves on to it.
    pub fn append(&mut self, stream: Stream, envelope: &Envelope<'_>) -> Row {
        self.append_by(crate::ENGINE, stream, envelope)
    }

    /// The same as another version of the engine would have written it.
    pub fn append_by(&mut self, engine: &str, stream: Stream, envelope: &Envelope<'_>) -> Row {
        let sequence = self.sequence + 1;
        let mut line = Vec::with_capacity(640);
        line.extend_from_slice(b"{\"stream\":\"");
        put(&mut line, &stream);
        line.extend_from_slice(b"\",\"sequence\":");
        put(&mut line, &sequence);
        line.extend_from_slice(b",\"previous\":\"");
        line.extend_from_slice(&self.hash.digits());
        line.extend_from_slice(b"\",\"id\":\"");
        line.extend_from_slice(envelope.id.as_str().as_bytes());
        line.extend_from_slice(b"\",\"at\":");
        put(&mut line, &envelope.at);
        json(&mut line, b",\"engine\":", engine);
        json(&mut line, b",\"by\":", &envelope.by);
        if let Some(via) = &envelope.via {
            json(&mut line, b",\"via\":", via);
        }
        json(&mut line, b",\"deed\":", envelope.deed);
        if !envelope.postings.is_empty() {
            json(&mut line, b",\"postings\":", envelope.postings);
        }
        if let Some(round) = envelope.closes {
            json(&mut line, b",\"closes\":", &round);
        }
        line.extend_from_slice(b",\"events\":");
        let events_at = u32::try_from(line.len()).unwrap_or(u32::MAX);
        match envelope.events {
            Happened::Nothing => line.extend_from_slice(b"[]"),
            Happened::Table(events) => json(&mut line, b"", events),
            Happened::Case(events) => json(&mut line, b"", events),
        }
        line.push(b'}');
        *self = Self { sequence, hash: Hash::of(&line) };
        Row { stream, sequence, id: envelope.id.clone(), kind: envelope.deed.kind(), events_at, line }
    }
}

fn put(line: &mut Vec<u8>, value: &dyn core::fmt::Display) {
    use std::io::Write as _;
    // Writing to a vector cannot fail.
    let _ = write!(line, "{value}");
}

fn json<T: Serialize + ?Sized>(line: &mut Vec<u8>, name: &[u8], value: &T) {
    line.extend_from_slice(name);
    // Our types write without fail: no maps with keys that are not text.
    let _ = serde_json::to_writer(line, value);
}

/// A line as a store keeps it, with what a store is searched by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its stream.
    pub stream: Stream,
    /// Its number there, from 1.
    pub sequence: u64,
    /// The id of its command.
    pub id: CommandId,
    /// What kind of deed it records.
    pub kind: Kind,
    /// Where its events begin.
    pub events_at: u32,
    /// The line.
    pub line: Vec<u8>,
}

impl Row {
    /// Everything but the events.
    ///
    /// # Errors
    /// When the line is not one of a journal.
    pub fn record(&self) -> Result<Record, serde_json::Error> {
        serde_json::from_slice(&self.line)
    }

    /// The events at a table.
    ///
    /// # Errors
    /// When they are not what a table's events look like.
    pub fn table_events(&self) -> Result<Vec<Event>, serde_json::Error> {
        self.events()
    }

    /// The events of a dispute.
    ///
    /// # Errors
    /// When they are not what the events of a dispute look like.
    pub fn case_events(&self) -> Result<Vec<CaseEvent>, serde_json::Error> {
        self.events()
    }

    fn events<T: DeserializeOwned>(&self) -> Result<Vec<T>, serde_json::Error> {
        let from = usize::try_from(self.events_at).unwrap_or(usize::MAX);
        let slice = self.line.get(from..self.line.len().saturating_sub(1)).unwrap_or(&[]);
        serde_json::from_slice(slice)
    }

    /// What the line says of money, read without the rest of it.
    ///
    /// # Errors
    /// When the line is not one of a journal.
    pub fn money(&self) -> Result<Money, serde_json::Error> {
        const EVENTS: &[u8] = b",\"events\":";
        let end = usize::try_from(self.events_at).unwrap_or(usize::MAX).saturating_sub(EVENTS.len());
        let before = self.line.get(..end).unwrap_or(&self.line);
        // What people write is escaped, so that the quotes of a name cannot be in it by chance.
        let from = |name: &[u8]| before.windows(name.len()).rposition(|window| window == name);
        let Some(at) = from(b",\"postings\":").or_else(|| from(b",\"closes\":")) else {
            return Ok(Money::default());
        };
        let mut members = Vec::with_capacity(end - at + 2);
        members.push(b'{');
        members.extend_from_slice(before.get(at + 1..).unwrap_or(&[]));
        members.push(b'}');
        serde_json::from_slice(&members)
    }

    /// The hash of the line before it, as the line says.
    #[must_use]
    pub fn previous(&self) -> Option<Hash> {
        const NAME: &[u8] = b",\"previous\":\"";
        let at = self.line.windows(NAME.len()).position(|window| window == NAME)? + NAME.len();
        let digits = self.line.get(at..at + 64)?;
        core::str::from_utf8(digits).ok()?.parse().ok()
    }

    /// The end of the stream with this line.
    #[must_use]
    pub fn head(&self) -> Head {
        Head { sequence: self.sequence, hash: Hash::of(&self.line) }
    }

    /// A row from its line alone, as an export has it.
    ///
    /// # Errors
    /// When the line is not one of a journal.
    pub fn from_line(line: Vec<u8>) -> Result<Self, serde_json::Error> {
        let record: Record = serde_json::from_slice(&line)?;
        // The name of the last member; what people write is escaped, so its quotes cannot be here by chance.
        let name = b",\"events\":";
        let at = line.windows(name.len()).position(|window| window == name).map_or(0, |at| at + name.len());
        Ok(Self {
            stream: record.stream,
            sequence: record.sequence,
            id: record.id,
            kind: record.deed.kind(),
            events_at: u32::try_from(at).unwrap_or(u32::MAX),
            line,
        })
    }
}

/// What a line says of money.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Money {
    /// What it does to the ledger.
    #[serde(default)]
    pub postings: Vec<Entry>,
    /// The round that is over with it.
    #[serde(default)]
    pub closes: Option<RoundId>,
}

/// A line read back; events are read on their own.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Its stream.
    pub stream: Stream,
    /// Its number there, from 1.
    pub sequence: u64,
    /// The hash of the line before it.
    pub previous: Hash,
    /// The id of the command.
    pub id: CommandId,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The version of the engine that wrote it; nothing in lines of before.
    #[serde(default)]
    pub engine: Option<Box<str>>,
    /// Who.
    pub by: By,
    /// By which session or token; nothing for the software itself, and in lines of before.
    #[serde(default)]
    pub via: Option<Via>,
    /// What.
    pub deed: Deed,
    /// What it does to the ledger.
    #[serde(default)]
    pub postings: Vec<Entry>,
    /// The round that is over with it.
    #[serde(default)]
    pub closes: Option<RoundId>,
    /// Read with [`Row::table_events`] or [`Row::case_events`].
    #[serde(rename = "events")]
    _events: serde::de::IgnoredAny,
}
