//! What an operator sets: a file of TOML, then the environment, then the command line; the later wins.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use croupier_journal::Location;
use jiff::tz::TimeZone;
use serde::Deserialize;

use crate::days::Calendar;
use crate::floor::Place;
use crate::limits::Limits;
use crate::node;
use crate::people;
use crate::provider::Oidc;
use crate::table::dealer::Pace;
use crate::witness::Witness;

/// The settings of a server.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Where it listens.
    pub listen: SocketAddr,
    /// The database: the path of an SQLite file or a `postgresql://` URL; a file in the data folder if not said.
    pub database: Option<String>,
    /// The folder for keys and checkpoints, and for the database unless another is named.
    pub data: PathBuf,
    /// With PostgreSQL: no start unless every commit waits for a standby (`synchronous_standby_names`).
    pub require_standby: bool,
    /// Rulebooks beside those that come with Croupier.
    pub rulebooks: Vec<PathBuf>,
    /// The certificate and key for TLS.
    pub tls: Option<Tls>,
    /// The name that browsers know the server by, where it is not the address it listens on.
    pub public_host: Option<String>,
    /// Where the metrics are.
    pub metrics: Metrics,
    /// How fast automatic tables deal.
    pub pace: Pace,
    /// Signing in.
    pub people: people::Settings,
    /// Where checkpoints go beside the data folder.
    pub witness: Witness,
    /// An identity provider by which staff may sign in.
    pub oidc: Option<Oidc>,
    /// How much anybody may ask for.
    pub limits: Limits,
    /// Money over the counter of one player, in one direction, that adds up to this many minor units needs a second
    /// person of the cage; `"never"` in a file for none.
    #[serde(deserialize_with = "number_or_never")]
    pub four_eyes_from: Option<i64>,
    /// The hours over which it adds up.
    pub four_eyes_hours: u32,
    /// Take registers as they are that are not as the journal says, and put that on record.
    #[serde(skip)]
    pub accept_registers: bool,
    /// The floor's own time zone, by whose days gaming days are closed.
    #[serde(deserialize_with = "time_zone")]
    pub time_zone: Option<TimeZone>,
    /// The hour of the clock there at which a gaming day begins.
    #[serde(deserialize_with = "hour")]
    pub day_begins_hour: u8,
    /// After how many minutes at a table a Dealer is to be relieved.
    pub relief_minutes: u32,
    /// With PostgreSQL: this server is one of several on the same floor.
    pub node: Option<node::Settings>,
    /// The folder of keys, where it is not in the data folder.
    #[serde(skip)]
    pub keys: Option<PathBuf>,
    /// Keep nothing.
    #[serde(skip)]
    pub in_memory: bool,
}

/// TLS by files in PEM.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tls {
    /// The certificate chain.
    pub certificate: PathBuf,
    /// The private key.
    pub key: PathBuf,
}

/// Where Prometheus finds the metrics: nowhere unless one of these is set, since they tell what a floor is doing.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Metrics {
    /// A listener of their own, for a network that only the operator reaches.
    pub listen: Option<SocketAddr>,
    /// A token that must be shown for them where everything else is, as `Authorization: Bearer …`.
    pub token: Option<people::Secret>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080),
            database: None,
            data: PathBuf::from("croupier-data"),
            require_standby: false,
            rulebooks: Vec::new(),
            tls: None,
            public_host: None,
            metrics: Metrics::default(),
            pace: Pace::default(),
            people: people::Settings::default(),
            witness: Witness::default(),
            oidc: None,
            limits: Limits::default(),
            four_eyes_from: Some(1_000_000),
            four_eyes_hours: 24,
            accept_registers: false,
            time_zone: None,
            day_begins_hour: 0,
            relief_minutes: 60,
            node: None,
            keys: None,
            in_memory: false,
        }
    }
}

/// A number, or the word `never`.
fn number_or_never<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Said {
        Number(i64),
        Word(String),
    }
    match Said::deserialize(deserializer)? {
        Said::Number(number) => Ok(Some(number)),
        Said::Word(word) if word == "never" => Ok(None),
        Said::Word(_) => Err(serde::de::Error::custom("write a number of minor units, or \"never\"")),
    }
}

/// A time zone by its name.
fn time_zone<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<TimeZone>, D::Error> {
    let name = String::deserialize(deserializer)?;
    let zone = TimeZone::get(&name).map_err(|_| {
        let says = format!("`{name}` is no time zone; write its IANA name, such as \"Asia/Ho_Chi_Minh\"");
        serde::de::Error::custom(says)
    });
    zone.map(Some)
}

/// An hour of the day.
fn hour<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    let hour = u8::deserialize(deserializer)?;
    if hour < 24 { Ok(hour) } else { Err(serde::de::Error::custom("write an hour from 0 to 23")) }
}

/// What is wrong with the text of a file, and in which line. The line itself may hold a password, and is not told.
fn told(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    match before.map(|before| before.matches('\n').count() + 1) {
        Some(line) => format!("line {line}: {}", error.message()),
        None => error.message().to_string(),
    }
}

/// Why settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        error: std::io::Error,
    },
    /// The file says something that is not understood.
    #[error("{}: {message}", path.display())]
    Content {
        /// Which.
        path: PathBuf,
        /// What, with its line.
        message: String,
    },
    /// A variable of the environment is not understood.
    #[error("{name}={value}: {expected}")]
    Variable {
        /// Which.
        name: &'static str,
        /// What it says.
        value: String,
        /// What would be accepted.
        expected: &'static str,
    },
}

impl Config {
    /// The settings of a file, or the defaults, with what the environment says.
    ///
    /// # Errors
    /// What is not understood, and where.
    pub fn read(
        path: Option<&Path>,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        let mut config = match path {
            None => Self::default(),
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .map_err(|error| ConfigError::File { path: path.to_path_buf(), error })?;
                toml::from_str(&text).map_err(|error| ConfigError::Content {
                    path: path.to_path_buf(),
                    message: told(&text, &error),
                })?
            }
        };
        if let Some(value) = environment("CROUPIER_LISTEN") {
            let expected = "write an address and a port, such as 127.0.0.1:8080";
            config.listen = value.parse().map_err(|_| ConfigError::Variable {
                name: "CROUPIER_LISTEN",
                value,
                expected,
            })?;
        }
        config.database = environment("CROUPIER_DATABASE").or(config.database);
        if let Some(folder) = environment("CROUPIER_DATA") {
            config.data = PathBuf::from(folder);
        }
        Ok(config)
    }

    /// Where the floor keeps what it keeps.
    ///
    /// # Errors
    /// When the database is of a kind that is not known.
    pub fn place(&self) -> Result<Place, croupier_journal::StoreError> {
        if self.in_memory {
            return Ok(Place {
                database: Location::memory(),
                folder: None,
                keys: PathBuf::new(),
                pace: self.pace,
                accept_registers: false,
            });
        }
        let database = match &self.database {
            Some(named) => named.parse()?,
            None => Location::Sqlite(self.data.join("croupier.sqlite")),
        };
        let folder = self.folder().map(Path::to_path_buf);
        let keys = self.keys_folder();
        Ok(Place { database, folder, keys, pace: self.pace, accept_registers: self.accept_registers })
    }

    /// The folder of keys: that of all nodes, where there are several.
    #[must_use]
    pub fn keys_folder(&self) -> PathBuf {
        let shared = self.node.as_ref().and_then(|node| node.keys.clone());
        shared.or_else(|| self.keys.clone()).unwrap_or_else(|| self.data.join("keys"))
    }

    /// The same floor for a server that runs alone: for what is done while no node runs.
    #[must_use]
    pub fn alone(mut self) -> Self {
        self.keys = Some(self.keys_folder());
        self.node = None;
        self
    }

    /// By which calendar gaming days are closed.
    #[must_use]
    pub fn calendar(&self) -> Calendar {
        Calendar { time_zone: self.time_zone.clone(), day_begins_hour: self.day_begins_hour }
    }

    /// The folder for keys and checkpoints, where anything is kept.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        (!self.in_memory).then_some(self.data.as_path())
    }

    /// Where people find the server, as it is written in links.
    #[must_use]
    pub fn address_for_people(&self) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        match &self.public_host {
            // Whoever brings another name to it brings TLS too.
            Some(host) => format!("https://{host}"),
            None if self.listen.ip().is_unspecified() => {
                format!("{scheme}://localhost:{}", self.listen.port())
            }
            None => format!("{scheme}://{}", self.listen),
        }
    }

    /// Whether others than this machine are served without TLS, and nothing says that a proxy brings it.
    #[must_use]
    pub fn is_open_to_eavesdroppers(&self) -> bool {
        let by_proxy = self.people.behind_proxy || self.public_host.is_some();
        self.tls.is_none() && !by_proxy && !self.listen.ip().is_loopback()
    }

    /// When money over the counter needs a second person, in words.
    #[must_use]
    pub fn four_eyes_told(&self) -> String {
        match self.four_eyes_from {
            Some(from) => format!("from {from} within {} hours", self.four_eyes_hours),
            None => "never".to_string(),
        }
    }

    /// Whether cookies go over TLS only: always but on loopback without it, where no proxy brings it either.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        let by_proxy = self.people.behind_proxy || self.public_host.is_some();
        self.tls.is_some() || by_proxy || !self.listen.ip().is_loopback()
    }

    /// Makes the data folder, if it is not there, so that nobody but its owner can look into it.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn make_folder(&self) -> std::io::Result<()> {
        if self.in_memory {
            return Ok(());
        }
        let mut maker = std::fs::DirBuilder::new();
        maker.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut maker, 0o700);
        maker.create(&self.data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_overrules_the_file() {
        let environment = |name: &str| match name {
            "CROUPIER_LISTEN" => Some("0.0.0.0:9000".to_string()),
            "CROUPIER_DATABASE" => Some("postgresql:///floor".to_string()),
            _ => None,
        };
        let config = Config::read(None, environment);
        let config = config.unwrap_or_default();
        assert_eq!(config.listen.port(), 9_000);
        assert!(matches!(config.place().map(|place| place.database), Ok(Location::Postgres(_))));
        assert!(config.is_secure());
    }

    #[test]
    fn cookies_are_for_tls_unless_nobody_else_can_listen() {
        let local = Config::default();
        assert!(!local.is_secure());
        let named = Config { public_host: Some("floor.example".to_string()), ..Config::default() };
        assert!(named.is_secure());
        let mut proxied = Config::default();
        proxied.people.behind_proxy = true;
        assert!(proxied.is_secure());
        let elsewhere = Config { listen: SocketAddr::from(([10, 0, 0, 1], 8080)), ..Config::default() };
        assert!(elsewhere.is_secure());
    }

    #[cfg(unix)]
    #[test]
    fn the_data_folder_is_for_its_owner_only() {
        use std::os::unix::fs::PermissionsExt as _;
        let base = std::env::temp_dir().join(format!("croupier-config-{}", std::process::id()));
        let data = base.join("floor");
        let config = Config { data: data.clone(), ..Config::default() };
        config.make_folder().unwrap();
        config.make_folder().unwrap();
        let mode = std::fs::metadata(&data).unwrap().permissions().mode();
        std::fs::remove_dir_all(&base).unwrap();
        assert_eq!(mode & 0o777, 0o700);
        let none = Config { data: data.clone(), in_memory: true, ..Config::default() };
        none.make_folder().unwrap();
        assert!(!data.exists());
    }

    #[test]
    fn what_is_not_understood_is_said() {
        let error = Config::read(None, |name| (name == "CROUPIER_LISTEN").then(|| "nowhere".to_string()));
        let text = error.map_or_else(|error| error.to_string(), |_| String::new());
        assert_eq!(text, "CROUPIER_LISTEN=nowhere: write an address and a port, such as 127.0.0.1:8080");
        let text = "data = \"here\"\nlissten = \"postgresql://u:sesame@db/floor\"\n";
        let said = toml::from_str::<Config>(text).map_or_else(|error| told(text, &error), |_| String::new());
        assert!(said.starts_with("line 2: unknown field `lissten`"), "{said}");
        assert!(!said.contains("sesame"), "{said}");
        for (text, expected) in [
            ("time_zone = \"Mars/Olympus\"", "`Mars/Olympus` is no time zone; write its IANA name"),
            ("day_begins_hour = 24", "write an hour from 0 to 23"),
        ] {
            let error =
                toml::from_str::<Config>(text).map_or_else(|error| told(text, &error), |_| String::new());
            assert!(error.contains(expected), "{error}");
        }
        let config: Config = toml::from_str("time_zone = \"Asia/Singapore\"\nday_begins_hour = 6").unwrap();
        assert_eq!(config.day_begins_hour, 6);
    }
}
