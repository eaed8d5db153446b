//! The URL of a database of PostgreSQL: what the client reads of it, and what it leaves to us.
//!
//! `sslmode`, `sslrootcert`, `sslcert` and `sslkey` mean what they mean to PostgreSQL's own programs, with one
//! difference: without TLS only what stays on this machine is reached, unless `sslmode=disable` says otherwise.

use core::time::Duration;
use std::path::PathBuf;

use percent_encoding::percent_decode_str;
use postgres::config::{Host, SslMode, TargetSessionAttrs};
use postgres::{Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::tls::{self, Trust};
use crate::store::{Location, StoreError};

/// How long a host may take to answer.
const CONNECT: Duration = Duration::from_secs(5);
/// After how much silence a connection is probed, how often, and how many times in vain: a machine that is gone
/// without a word is noticed within half a minute.
const SILENCE: Duration = Duration::from_secs(10);
const PROBE: Duration = Duration::from_secs(5);
const PROBES: u32 = 3;
/// How long what was sent may stay without a sign that it arrived.
const UNHEARD: Duration = Duration::from_secs(30);

/// `sslmode`, as PostgreSQL's own programs know it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Disable,
    /// Also `allow`: TLS if the server has it.
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

/// What a connection is made with.
#[derive(Clone)]
pub(super) struct Address {
    config: Config,
    tls: MakeRustlsConnect,
    /// The URL without what is secret in it.
    pub(super) name: String,
    /// Something beyond this machine is reached without the certificate being checked.
    pub(super) is_unchecked: bool,
}

/// The options that are ours to read.
#[derive(Default)]
struct Options {
    mode: Option<Mode>,
    root: Option<PathBuf>,
    certificate: Option<PathBuf>,
    key: Option<PathBuf>,
}

impl Address {
    /// Reads a URL, and the files that it names.
    ///
    /// # Errors
    /// [`StoreError::Address`], with what to write instead.
    pub(super) fn read(url: &str) -> Result<Self, StoreError> {
        let name = Location::Postgres(url.to_string()).to_string();
        let wrong = |what: String| StoreError::Address { name: name.clone(), what };
        let (rest, options) = split(url).map_err(wrong)?;
        let mut config: Config =
            rest.parse().map_err(|error: postgres::Error| wrong(StoreError::words(&error)))?;
        defaults(&mut config, &rest);
        let reaches = Reaches::of(&config);
        // What PostgreSQL's programs would send in plain where the server has no TLS, is not sent beyond this machine.
        let mode = match (options.mode, reaches) {
            (_, Reaches::Sockets) => Mode::Disable,
            (None | Some(Mode::Prefer), Reaches::Machine) => Mode::Prefer,
            (None | Some(Mode::Prefer), Reaches::Others) => Mode::Require,
            (Some(mode), _) => mode,
        };
        config.ssl_mode(match mode {
            Mode::Disable => SslMode::Disable,
            Mode::Prefer => SslMode::Prefer,
            Mode::Require | Mode::VerifyCa | Mode::VerifyFull => SslMode::Require,
        });
        let trust = trust(mode, &options).map_err(wrong)?;
        let is_unchecked =
            reaches == Reaches::Others && (mode == Mode::Disable || matches!(trust, Trust::Anybody));
        let own = match (&options.certificate, &options.key) {
            (Some(certificate), Some(key)) => Some((certificate.as_path(), key.as_path())),
            (None, None) => None,
            _ => return Err(wrong("sslcert and sslkey go together: name both files".to_string())),
        };
        let tls = MakeRustlsConnect::new(tls::config(trust, own).map_err(wrong)?);
        Ok(Self { config, tls, name, is_unchecked })
    }

    /// Connects; `warned` is told what the server warns of.
    ///
    /// # Errors
    /// [`StoreError::Lost`] where it may go better later, [`StoreError::Address`] where something else must be
    /// written, and what the server says otherwise.
    pub(super) fn connect(
        &self,
        writes: bool,
        warned: impl Fn(String) + Send + Sync + 'static,
    ) -> Result<Client, StoreError> {
        let mut config = self.config.clone();
        if writes {
            // Of several hosts the one that takes lines; and never a standby.
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        config.notice_callback(move |notice| {
            if notice.severity() == "WARNING" || notice.parsed_severity().is_some_and(is_warning) {
                warned(notice.message().to_string());
            }
        });
        config.connect(self.tls.clone()).map_err(|error| self.not_connected(&error))
    }

    fn not_connected(&self, error: &postgres::Error) -> StoreError {
        let wrong = |what: String| StoreError::Address { name: self.name.clone(), what };
        let said = StoreError::words(error);
        if said.contains("server does not support TLS") {
            return wrong(
                "the server offers no TLS, and without it nothing is sent beyond this machine; set `ssl = on` in its \
                 postgresql.conf, or, on a network that nobody else reaches, write sslmode=disable into the URL"
                    .to_string(),
            );
        }
        if let Some(bad) = bad_certificate(error) {
            return wrong(format!(
                "the server's certificate is not accepted: {bad}; sslrootcert must name the authority that signed it, \
                 and with sslmode=verify-full the host of the URL must be among its names (subjectAltName)"
            ));
        }
        if said.contains("error performing TLS handshake") && !super::has_io(error) {
            return wrong(said);
        }
        match super::database(error) {
            StoreError::Lost(_) => StoreError::Lost(format!("{}: {said}", self.name)),
            _ => StoreError::Database(format!("{}: {said}", self.name)),
        }
    }
}

fn is_warning(severity: postgres::error::Severity) -> bool {
    severity == postgres::error::Severity::Warning
}

/// Who can listen on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reaches {
    /// There is no way: sockets of this machine.
    Sockets,
    /// Nobody but this machine.
    Machine,
    /// Others.
    Others,
}

impl Reaches {
    fn of(config: &Config) -> Self {
        let (hosts, addresses) = (config.get_hosts(), config.get_hostaddrs());
        let is_here = |host: &Host| match host {
            Host::Tcp(name) => {
                let address = name.parse::<core::net::IpAddr>();
                name == "localhost" || address.is_ok_and(|address| address.is_loopback())
            }
            #[cfg(unix)]
            Host::Unix(_) => true,
        };
        #[cfg(unix)]
        if addresses.is_empty() && hosts.iter().all(|host| matches!(host, Host::Unix(_))) {
            return Self::Sockets;
        }
        // An address is where the connection goes, whatever the name.
        let all_here = match addresses.is_empty() {
            true => hosts.iter().all(is_here),
            false => addresses.iter().all(core::net::IpAddr::is_loopback),
        };
        if all_here { Self::Machine } else { Self::Others }
    }
}

/// The URL without the options that are ours, and those.
fn split(url: &str) -> Result<(String, Options), String> {
    let mut options = Options::default();
    let Some((address, parameters)) = url.split_once('?') else { return Ok((url.to_string(), options)) };
    let mut kept = Vec::new();
    for parameter in parameters.split('&') {
        let (option, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let value = percent_decode_str(value).decode_utf8_lossy().into_owned();
        let file = || Some(PathBuf::from(&value)).filter(|path| !path.as_os_str().is_empty());
        match option {
            "sslmode" => options.mode = Some(mode(&value)?),
            "sslrootcert" => options.root = file(),
            "sslcert" => options.certificate = file(),
            "sslkey" => options.key = file(),
            _ => kept.push(parameter),
        }
    }
    let joint = if kept.is_empty() { "" } else { "?" };
    Ok((format!("{address}{joint}{}", kept.join("&")), options))
}

fn mode(word: &str) -> Result<Mode, String> {
    Ok(match word {
        "disable" => Mode::Disable,
        "allow" | "prefer" => Mode::Prefer,
        "require" => Mode::Require,
        "verify-ca" => Mode::VerifyCa,
        "verify-full" => Mode::VerifyFull,
        other => {
            return Err(format!(
                "there is no sslmode={other}; write disable, prefer, require, verify-ca or verify-full"
            ));
        }
    })
}

/// What is asked of the certificate. `require` with authorities is `verify-ca`, as PostgreSQL's programs have it.
fn trust(mode: Mode, options: &Options) -> Result<Trust, String> {
    let roots = options.root.as_deref().map(tls::authorities).transpose()?;
    Ok(match (mode, roots) {
        (Mode::Disable | Mode::Prefer, _) | (Mode::Require, None) => Trust::Anybody,
        (Mode::Require | Mode::VerifyCa, Some(roots)) => Trust::Signed(roots),
        (Mode::VerifyFull, Some(roots)) => Trust::SignedForHost(roots),
        (Mode::VerifyCa | Mode::VerifyFull, None) => {
            return Err("to check the server's certificate, name the file of the authority that signed it: \
                        sslrootcert=/etc/ssl/certs/ca-certificates.crt for the public ones of this machine"
                .to_string());
        }
    })
}

/// What the URL leaves open.
fn defaults(config: &mut Config, url: &str) {
    let parameters = url.split_once('?').map_or("", |(_, parameters)| parameters);
    let says =
        |option: &str| parameters.split('&').any(|parameter| parameter.split('=').next() == Some(option));
    if config.get_application_name().is_none() {
        config.application_name("croupier");
    }
    if !says("connect_timeout") {
        config.connect_timeout(CONNECT);
    }
    if !says("tcp_user_timeout") {
        config.tcp_user_timeout(UNHEARD);
    }
    if !says("keepalives_idle") {
        config.keepalives_idle(SILENCE);
    }
    if !says("keepalives_interval") {
        config.keepalives_interval(PROBE);
    }
    if !says("keepalives_retries") {
        config.keepalives_retries(PROBES);
    }
}

/// Those that led to an error, from the outside in.
fn causes<'a>(
    error: &'a (dyn std::error::Error + 'static),
) -> impl Iterator<Item = &'a (dyn std::error::Error + 'static)> {
    core::iter::successors(Some(error), |error| error.source())
}

/// What is wrong with the certificate, if that is what it is.
fn bad_certificate(error: &postgres::Error) -> Option<String> {
    causes(error).find_map(|cause| {
        let inside = cause.downcast_ref::<std::io::Error>()?.get_ref()?;
        match inside.downcast_ref::<rustls::Error>()? {
            rustls::Error::InvalidCertificate(bad) => Some(bad.to_string()),
            rustls::Error::NoCertificatesPresented => Some("it has none".to_string()),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(url: &str) -> (SslMode, bool) {
        let address = Address::read(url).unwrap();
        (address.config.get_ssl_mode(), address.is_unchecked)
    }

    #[test]
    fn nothing_goes_beyond_this_machine_in_plain_unless_that_is_said() {
        for (url, mode, is_unchecked) in [
            ("postgresql:///floor?host=/run/postgresql", SslMode::Disable, false),
            ("postgresql:///floor?host=/run/postgresql&sslmode=require", SslMode::Disable, false),
            ("postgresql://localhost/floor", SslMode::Prefer, false),
            ("postgresql://127.0.0.1:6432/floor?sslmode=disable", SslMode::Disable, false),
            ("postgresql://[::1]/floor?sslmode=require", SslMode::Require, false),
            ("postgresql://db.example/floor", SslMode::Require, true),
            ("postgresql://db.example/floor?sslmode=prefer", SslMode::Require, true),
            ("postgresql://localhost,db.example/floor?sslmode=allow", SslMode::Require, true),
            ("postgresql://localhost/floor?hostaddr=10.0.0.1", SslMode::Require, true),
            ("postgresql://db.example/floor?sslmode=disable", SslMode::Disable, true),
        ] {
            assert_eq!(address(url), (mode, is_unchecked), "{url}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_what_to_write_and_without_the_password() {
        for (url, words) in [
            ("postgresql://u:secret@db.example/floor?sslmode=verify-full", "sslrootcert=/etc/ssl"),
            ("postgresql://u:secret@db.example/floor?sslmode=full", "verify-ca or verify-full"),
            ("postgresql://u:secret@db.example/floor?sslmode=verify-ca&sslrootcert=/no/such", "/no/such"),
            ("postgresql://u:secret@db.example/floor?sslcert=/a.pem", "sslkey"),
            ("postgresql://u:secret@db.example/floor?sslmod=require", "sslmod"),
        ] {
            let error = Address::read(url).err().unwrap().to_string();
            assert!(error.contains(words), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
