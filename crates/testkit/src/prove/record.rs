//! The checker's own log: every command that was sent, and what was heard of it. What the journal holds in the end is
//! compared with it, and nothing that the server says of itself is believed.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::wrong;
use crate::client::Answer;

/// What was heard of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was carried out: in this line of its stream, at this time if that was told.
    Answered {
        /// The line.
        sequence: u64,
        /// When, in milliseconds since 1970.
        at: Option<u64>,
    },
    /// It was refused, and has left nothing.
    Refused(String),
    /// Nothing was heard, or that nobody knows.
    Unknown,
    /// An answer that no server gives.
    Absurd(String),
}

/// A command that was sent.
#[derive(Clone, Debug)]
pub struct Sent {
    /// The stream that its line is in, such as `table/1` or `cage`.
    pub stream: String,
    /// Its id.
    pub id: String,
    /// Whose money.
    pub player: u64,
    /// How much, in minor units.
    pub amount: u64,
    /// What was heard.
    pub fate: Fate,
}

impl Fate {
    /// What an answer over HTTP says.
    #[must_use]
    pub fn heard(answer: &io::Result<Answer>) -> Self {
        let Ok(Answer { status, body, .. }) = answer else { return Self::Unknown };
        let code = body["code"].as_str().unwrap_or_default();
        match (*status, body["sequence"].as_u64()) {
            (200, Some(sequence)) => Self::Answered { sequence, at: body["at"].as_u64() },
            (503, _) if code == "fate-unknown" => Self::Unknown,
            (503, _) if ["stopping", "journal", "no-leader", "starting"].contains(&code) => {
                Self::Refused(code.to_string())
            }
            (400..500, _) => Self::Refused(code.to_string()),
            _ => Self::Absurd(format!("{status} {body}")),
        }
    }

    /// What a message over WebSocket says of the command that it names.
    #[must_use]
    pub fn told(message: &Value) -> Self {
        let code = message["problem"]["code"].as_str().unwrap_or_default();
        match (message["type"].as_str(), message["sequence"].as_u64()) {
            (Some("answer"), Some(sequence)) => Self::Answered { sequence, at: message["at"].as_u64() },
            (Some("refused"), _) if code == "fate-unknown" => Self::Unknown,
            (Some("refused"), _) if code != "internal" => Self::Refused(code.to_string()),
            _ => Self::Absurd(message.to_string()),
        }
    }
}

/// A line of the journal.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its number in its stream.
    pub sequence: u64,
    /// When.
    pub at: u64,
    /// How much it moves.
    pub amount: u64,
    /// Whose.
    pub player: u64,
}

/// The lines of a journal, by stream and id.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    by_id: HashMap<(String, String), Vec<Line>>,
    /// How many rounds were cut off by the power.
    pub cut_off: usize,
    /// How many lines there are.
    pub count: usize,
    /// The nodes that took over, each with its epoch, in the order of their lines.
    pub leads: Vec<(String, u64)>,
}

impl Lines {
    /// Reads a journal with `croupier export`: a data folder, or the URL of a database.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(binary: &Path, database: &str) -> io::Result<Self> {
        Self::parse(&Self::export(binary, database)?)
    }

    /// The text of the lines, as an export has them.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn export(binary: &Path, database: &str) -> io::Result<String> {
        let out = crate::tempdir()?;
        let folder = out.path().join("export");
        let exported =
            Command::new(binary).args(["export", "--database", database, "--out"]).arg(&folder).output()?;
        if !exported.status.success() {
            return Err(wrong(String::from_utf8_lossy(&exported.stderr).into_owned()));
        }
        std::fs::read_to_string(folder.join("journal.jsonl"))
    }

    /// Reads lines as an export has them.
    ///
    /// # Errors
    /// When one is no JSON.
    pub fn parse(text: &str) -> io::Result<Self> {
        let mut lines = Self::default();
        for line in text.lines() {
            lines.count += 1;
            if line.contains(r#""irregularity":"power-failure"#) {
                lines.cut_off += 1;
            }
            let record: Value = serde_json::from_str(line).map_err(io::Error::other)?;
            let text = |name: &str| record[name].as_str().unwrap_or_default().to_string();
            let leads = &record["deed"]["start"]["leads"];
            if let (Some(node), Some(epoch)) = (leads["node"].as_str(), leads["epoch"].as_u64()) {
                lines.leads.push((node.to_string(), epoch));
            }
            let number = |name: &str| find(&record["deed"], name).and_then(Value::as_u64).unwrap_or(0);
            lines.by_id.entry((text("stream"), text("id"))).or_default().push(Line {
                sequence: record["sequence"].as_u64().unwrap_or(0),
                at: record["at"].as_u64().unwrap_or(0),
                amount: number("amount"),
                player: number("player"),
            });
        }
        Ok(lines)
    }

    /// The lines of a command.
    #[must_use]
    pub fn of(&self, stream: &str, id: &str) -> &[Line] {
        self.by_id.get(&(stream.to_string(), id.to_string())).map_or(&[], Vec::as_slice)
    }

    /// What the deposits that a log knows of add up to.
    #[must_use]
    pub fn sum(&self, sent: &[Sent]) -> u64 {
        let all = sent.iter().flat_map(|one| self.of(&one.stream, &one.id));
        all.map(|line| line.amount).sum()
    }
}

/// A member of a value, however deep.
fn find<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    let fields = value.as_object()?;
    fields.get(name).or_else(|| fields.values().find_map(|inner| find(inner, name)))
}

/// What the log and the journal do not agree on, in words; nothing if all is well.
#[must_use]
pub fn compare(sent: &[Sent], lines: &Lines) -> Vec<String> {
    sent.iter().filter_map(|one| disagree(one, lines.of(&one.stream, &one.id))).collect()
}

fn disagree(sent: &Sent, found: &[Line]) -> Option<String> {
    let named = format!("{} in {}", sent.id, sent.stream);
    if found.len() > 1 {
        return Some(format!("{named} was carried out {} times", found.len()));
    }
    if let Some(line) = found.first()
        && (line.player, line.amount) != (sent.player, sent.amount)
    {
        return Some(format!("{named} moves {} of {} and not what was sent", line.amount, line.player));
    }
    match (&sent.fate, found.first()) {
        (Fate::Answered { .. }, None) => Some(format!("{named} was answered and is lost")),
        (Fate::Answered { sequence, at }, Some(line)) => {
            let is_other = line.sequence != *sequence || at.is_some_and(|at| at != line.at);
            is_other.then(|| {
                format!("{named} was answered as line {sequence}, and line {} has it", line.sequence)
            })
        }
        (Fate::Refused(code), Some(_)) => Some(format!("{named} was refused ({code}) and was carried out")),
        (Fate::Absurd(answer), _) => Some(format!("{named} was answered with {answer}")),
        (Fate::Refused(_), None) | (Fate::Unknown, _) => None,
    }
}

/// How many of a log were answered.
#[must_use]
pub fn answered(sent: &[Sent]) -> usize {
    sent.iter().filter(|one| matches!(one.fate, Fate::Answered { .. })).count()
}

/// Fails with the first few of what does not agree.
///
/// # Errors
/// If anything does not.
pub fn agree(faults: &[String]) -> io::Result<()> {
    if faults.is_empty() {
        return Ok(());
    }
    let first: Vec<&str> = faults.iter().take(5).map(String::as_str).collect();
    Err(wrong(format!("{} things do not agree, such as: {}", faults.len(), first.join("; "))))
}
