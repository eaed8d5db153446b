//! Witnesses of checkpoints: a server of somebody else, to which each checkpoint is sent, and a file outside the database.
//!
//! Whoever holds the disk of the floor can cut its journal and its checkpoints back to an earlier state; whoever holds what
//! a witness has can tell. Checkpoints are sent in their order, each until it is acknowledged, by a task of its own:
//! nothing on the floor waits for it, and what could not be sent is sent later, also after a restart.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use croupier_journal::checkpoint;
use croupier_journal::store::Order;
use croupier_journal::{Change, Hash};
use serde::Deserialize;

use crate::fetch::{self, Fetcher};
use crate::floor::Floor;
use crate::people::Secret;

/// Where checkpoints go beside the data folder and the database.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Witness {
    /// Where each checkpoint is posted to.
    pub url: Option<String>,
    /// A file with a token that is shown there, as `Authorization: Bearer …`.
    pub token_file: Option<PathBuf>,
    /// The authorities that sign its certificate, in PEM; those of the machine if not said.
    pub authorities: Option<PathBuf>,
    /// A file that each checkpoint is appended to: on another disk, or one that only appends.
    pub file: Option<PathBuf>,
}

/// Why a witness cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("witness: {0}")]
pub struct WitnessError(String);

/// How often is looked for checkpoints that were not sent yet.
const LOOK: Duration = Duration::from_secs(2);
/// The longest wait after failures.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// So many are sent before the count is kept.
const AT_ONCE: usize = 50;
/// The register of how far a witness has them.
const REGISTER: &str = "witness";

/// One that is told.
#[derive(Debug)]
enum Told {
    Url { address: String, fetcher: Fetcher, token: Option<Secret> },
    File(PathBuf),
}

#[derive(Debug)]
struct Line {
    to: Told,
    /// Checkpoints that it does not have yet.
    behind: AtomicU64,
}

/// The witnesses of a floor.
#[derive(Debug, Default)]
pub struct Witnesses {
    lines: Vec<Arc<Line>>,
}

impl Witnesses {
    /// The witnesses by their settings. Nobody is told anything yet.
    ///
    /// # Errors
    /// What is wrong with the settings or their files.
    pub fn new(settings: &Witness) -> Result<Self, WitnessError> {
        let mut told = Vec::new();
        if let Some(address) = &settings.url {
            fetch::check(address).map_err(|error| WitnessError(format!("url: {error}")))?;
            let fetcher = Fetcher::new(settings.authorities.as_deref());
            let fetcher = fetcher.map_err(|error| WitnessError(format!("authorities: {error}")))?;
            let token = settings.token_file.as_deref().map(read_token).transpose()?;
            told.push(Told::Url { address: address.clone(), fetcher, token });
        } else if settings.token_file.is_some() || settings.authorities.is_some() {
            return Err(WitnessError(
                "token_file and authorities are for a url; set one, or leave them out".into(),
            ));
        }
        if let Some(path) = &settings.file {
            let opened = std::fs::File::options().create(true).append(true).open(path);
            opened.map_err(|error| WitnessError(format!("file: {}: {error}", path.display())))?;
            told.push(Told::File(path.clone()));
        }
        let line = |to| Arc::new(Line { to, behind: AtomicU64::new(0) });
        Ok(Self { lines: told.into_iter().map(line).collect() })
    }

    /// Checkpoints that some witness does not have yet; none if there are no witnesses.
    #[must_use]
    pub fn behind(&self) -> Option<u64> {
        self.lines.iter().map(|line| line.behind.load(Ordering::Relaxed)).max()
    }

    /// Tells the witnesses as time goes by, for as long as there is a floor.
    pub(crate) fn begin(&self, floor: &Arc<Floor>) {
        for line in &self.lines {
            tokio::spawn(keep_telling(Arc::clone(line), Arc::downgrade(floor)));
        }
    }

    /// Tells them what is left, as far as that goes quickly: the server stops.
    pub(crate) async fn finish(&self, floor: &Floor) {
        for line in &self.lines {
            let last = tokio::time::timeout(Duration::from_secs(3), line.tell(floor)).await;
            if !matches!(last, Ok(Ok(()))) {
                tracing::warn!(witness = line.name(), "the last checkpoint is sent at the next start");
            }
        }
    }
}

fn read_token(path: &Path) -> Result<Secret, WitnessError> {
    let fault = |what: String| WitnessError(format!("token_file: {}: {what}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| fault(error.to_string()))?;
    match text.trim() {
        "" => Err(fault("it is empty".to_string())),
        token => Ok(Secret::new(token)),
    }
}

async fn keep_telling(line: Arc<Line>, floor: Weak<Floor>) {
    let mut wait = LOOK;
    loop {
        tokio::time::sleep(wait).await;
        let Some(floor) = floor.upgrade() else { return };
        match line.tell(&floor).await {
            Ok(()) => wait = LOOK,
            Err(why) => {
                metrics::counter!("croupier_witness_failures_total", "witness" => line.name()).increment(1);
                let behind = line.behind.load(Ordering::Relaxed);
                tracing::error!(
                    witness = line.name(),
                    why,
                    behind,
                    "a checkpoint could not be sent to its witness"
                );
                wait = wait.saturating_mul(2).min(LONGEST_WAIT);
            }
        }
        drop(floor);
    }
}

impl Line {
    const fn name(&self) -> &'static str {
        match self.to {
            Told::Url { .. } => "url",
            Told::File(_) => "file",
        }
    }

    /// Sends what was not sent yet, in its order.
    async fn tell(&self, floor: &Floor) -> Result<(), String> {
        loop {
            let last = self.last(floor).await?;
            let lines = after(floor, last).await?;
            let more = u64::try_from(lines.len()).unwrap_or(u64::MAX);
            self.is_behind(more);
            if lines.is_empty() {
                return is_ahead(last, newest(floor).await?);
            }
            for (done, (number, text)) in (1_u64..).zip(&lines) {
                self.send(*number, text).await?;
                if matches!(self.to, Told::Url { .. }) {
                    self.keep(floor, *number).await?;
                }
                self.is_behind(more - done);
            }
        }
    }

    fn is_behind(&self, number: u64) {
        self.behind.store(number, Ordering::Relaxed);
        let figure = f64::from(u32::try_from(number).unwrap_or(u32::MAX));
        metrics::gauge!("croupier_witness_behind", "witness" => self.name()).set(figure);
    }

    /// The last checkpoint that it has.
    async fn last(&self, floor: &Floor) -> Result<u64, String> {
        match &self.to {
            Told::Url { address, .. } => {
                let key = Hash::of(address.as_bytes()).to_string();
                let read = floor.shared.readers.read(move |store| store.entry(REGISTER, &key)).await;
                let value = read.map_err(|error| error.to_string())?;
                Ok(value.and_then(|value| String::from_utf8(value).ok()?.parse().ok()).unwrap_or(0))
            }
            Told::File(path) => {
                let path = path.clone();
                let read = tokio::task::spawn_blocking(move || checkpoint::last_number(&path)).await;
                read.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
            }
        }
    }

    async fn keep(&self, floor: &Floor, number: u64) -> Result<(), String> {
        let Told::Url { address, .. } = &self.to else { return Ok(()) };
        let key = Hash::of(address.as_bytes()).to_string();
        let change = Change::Put { register: REGISTER, key, value: number.to_string().into_bytes() };
        floor.keep(vec![change]).await.map_err(|error| error.to_string())
    }

    async fn send(&self, number: u64, line: &str) -> Result<(), String> {
        match &self.to {
            Told::Url { address, fetcher, token } => {
                let token = token.as_ref().map(|token| format!("Bearer {}", token.expose()));
                let sent = fetcher.post(address, "application/json", token, line.to_string()).await;
                let answer = sent.map_err(|error| error.to_string())?;
                match answer.status {
                    200..=299 => Ok(()),
                    409 => Err(format!("the witness has another checkpoint {number}: compare the two")),
                    status => Err(format!("the witness answers {status}")),
                }
            }
            Told::File(path) => {
                let (path, line) = (path.clone(), format!("{line}\n"));
                let written = tokio::task::spawn_blocking(move || -> std::io::Result<()> {
                    let mut file = std::fs::File::options().create(true).append(true).open(path)?;
                    file.write_all(line.as_bytes())?;
                    file.sync_all()
                });
                written.await.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
            }
        }
    }
}

/// A witness that has more than the floor knows of what was cut off there.
fn is_ahead(witness: u64, own: u64) -> Result<(), String> {
    match witness > own {
        true => Err(format!(
            "the witness has checkpoint {witness}, and the floor {own}: its journal was cut back"
        )),
        false => Ok(()),
    }
}

/// The number of the floor's newest checkpoint.
async fn newest(floor: &Floor) -> Result<u64, String> {
    let read =
        floor.shared.readers.read(|store| store.range(checkpoint::REGISTER, "0"..":", Order::Falling, 1));
    let found = read.await.map_err(|error| error.to_string())?;
    Ok(found.first().and_then(|(key, _)| key.parse().ok()).unwrap_or(0))
}

/// The checkpoints after a number, as they are in their register.
async fn after(floor: &Floor, last: u64) -> Result<Vec<(u64, String)>, String> {
    let (from, to) = (format!("{:012}", last.saturating_add(1)), ":".to_string());
    let read = floor.shared.readers.read(move |store| {
        store.range(checkpoint::REGISTER, from.as_str()..to.as_str(), Order::Rising, AT_ONCE)
    });
    let found = read.await.map_err(|error| error.to_string())?;
    let line = |(key, value): (String, Vec<u8>)| Some((key.parse().ok()?, String::from_utf8(value).ok()?));
    Ok(found.into_iter().filter_map(line).collect())
}
