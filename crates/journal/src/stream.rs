//! The names of streams and commands.

use core::fmt;
use core::str::FromStr;

use croupier_ledger::{CaseId, PlayerId, TableId};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A sequence of envelopes with a chain of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stream {
    /// `house`: rulebooks, starts and stops, denials, gaming days.
    House,
    /// `cage`: money that comes to the floor or leaves it.
    Cage,
    /// `table/3`
    Table(TableId),
    /// `player/7`: what touches a wallet.
    Player(PlayerId),
    /// `case/12`: a dispute.
    Case(CaseId),
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::House => f.write_str("house"),
            Self::Cage => f.write_str("cage"),
            Self::Table(id) => write!(f, "table/{id}"),
            Self::Player(id) => write!(f, "player/{id}"),
            Self::Case(id) => write!(f, "case/{id}"),
        }
    }
}

/// The text names no stream.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no stream; there are house, cage, table/N, player/N and case/N")]
pub struct NoStream(pub String);

impl FromStr for Stream {
    type Err = NoStream;

    fn from_str(text: &str) -> Result<Self, NoStream> {
        let fault = || NoStream(text.to_string());
        // One spelling each, so that a stream has one name.
        let number = |digits: &str| {
            let is_plain = digits == "0" || !digits.starts_with(['0', '+']);
            digits.parse::<u32>().ok().filter(|_| is_plain)
        };
        match text.split_once('/') {
            None if text == "house" => Ok(Self::House),
            None if text == "cage" => Ok(Self::Cage),
            Some(("table", id)) => number(id).map(|id| Self::Table(TableId(id))).ok_or_else(fault),
            Some(("player", id)) => number(id).map(|id| Self::Player(PlayerId(id))).ok_or_else(fault),
            Some(("case", id)) => number(id).map(|id| Self::Case(CaseId(id))).ok_or_else(fault),
            None | Some(_) => Err(fault()),
        }
    }
}

impl Serialize for Stream {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Stream {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The id of a command, made by whoever gives it: the same id means the same command.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct CommandId(Box<str>);

/// The text is no id of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a command id has 1 to 64 letters, digits, `-` or `_`; a random UUID does")]
pub struct NoCommandId;

impl CommandId {
    /// The most characters of an id.
    pub const LONGEST: usize = 64;

    /// An id made outside.
    ///
    /// # Errors
    /// [`NoCommandId`] if it is empty, too long or has other characters.
    pub fn new(text: &str) -> Result<Self, NoCommandId> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if text.is_empty() || text.len() > Self::LONGEST || !text.bytes().all(fits) {
            return Err(NoCommandId);
        }
        Ok(Self(text.into()))
    }

    /// The id of a command that the software gives itself: nobody else can make one with a colon.
    #[must_use]
    pub fn own(stream: Stream, sequence: u64) -> Self {
        Self(format!("{stream}:{sequence}").into())
    }

    /// Whether the software made it.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.0.contains(':')
    }

    /// The number of the line of this stream that the software made it for.
    #[must_use]
    pub fn number_in(&self, stream: Stream) -> Option<u64> {
        let (of, number) = self.0.split_once(':')?;
        number.parse().ok().filter(|_| of.parse() == Ok(stream))
    }

    /// Its text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CommandId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Ids in a journal may be own ones.
impl<'de> Deserialize<'de> for CommandId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let own = text.split_once(':').is_some_and(|(stream, sequence)| {
            let is_number = sequence.parse::<u64>().is_ok() && !sequence.starts_with('+');
            is_number && stream.parse::<Stream>().is_ok()
        });
        if own { Ok(Self(text.into())) } else { Self::new(&text).map_err(serde::de::Error::custom) }
    }
}
