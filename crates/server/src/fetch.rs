//! Requests that the server itself makes: to the identity provider, to the witness of checkpoints and, where there are
//! several nodes, to the one that leads; and to nobody else.
//!
//! Addresses come from the operator's settings, never from a user. They are `https://`, or `http://` on this machine;
//! redirects are not followed, proxies of the environment are not used, and answers are read up to a limit.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ureq::Agent;
use ureq::config::ConfigBuilder;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, TlsProvider};
use ureq::typestate::AgentScope;

use crate::people::is_loopback_name;

/// How long a request may take in all.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest answer that is read, in bytes.
const LONGEST: u64 = 256 * 1024;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The address is none that is spoken to.
    #[error("{0}: write an https:// address; http:// is accepted on this machine only")]
    Address(String),
    /// The file of certificates cannot be used.
    #[error("{0}")]
    Authorities(String),
    /// There is no answer.
    #[error("{0}")]
    Away(String),
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// Its status.
    pub status: u16,
    /// What it says.
    pub text: String,
}

/// Makes requests.
#[derive(Clone, Debug)]
pub struct Fetcher {
    agent: Agent,
}

impl Fetcher {
    /// Requests that trust the authorities of a file in PEM, or those of the machine.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn new(authorities: Option<&Path>) -> Result<Self, FetchError> {
        let config = agent(authorities)?
            .timeout_global(Some(PATIENCE))
            .user_agent(concat!("croupier/", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(Self { agent: config.new_agent() })
    }

    /// Asks for something.
    ///
    /// # Errors
    /// When there is no answer.
    pub async fn get(&self, address: &str) -> Result<Fetched, FetchError> {
        check(address)?;
        let (agent, address) = (self.agent.clone(), address.to_string());
        blocking(move || taken(agent.get(&address).header("accept", "application/json").call())).await
    }

    /// Sends a text, with headers.
    ///
    /// # Errors
    /// When there is no answer.
    pub async fn post(
        &self,
        address: &str,
        kind: &'static str,
        authorization: Option<String>,
        body: String,
    ) -> Result<Fetched, FetchError> {
        check(address)?;
        let (agent, address) = (self.agent.clone(), address.to_string());
        blocking(move || {
            let mut request = agent.post(&address).header("content-type", kind);
            request = request.header("accept", "application/json");
            if let Some(authorization) = authorization {
                request = request.header("authorization", authorization);
            }
            taken(request.send(&body))
        })
        .await
    }
}

/// What all requests have in common: whom they trust, and that they go where they are sent.
///
/// # Errors
/// When the file of authorities cannot be used.
pub(crate) fn agent(authorities: Option<&Path>) -> Result<ConfigBuilder<AgentScope>, FetchError> {
    let roots = match authorities {
        None => RootCerts::new_with_certs(&of_the_machine()),
        Some(path) => RootCerts::new_with_certs(&read(path).map_err(FetchError::Authorities)?),
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .root_certs(roots)
        .unversioned_rustls_crypto_provider(provider)
        .build();
    Ok(Agent::config_builder().http_status_as_error(false).max_redirects(0).proxy(None).tls_config(tls))
}

/// Whether an address is one that may be spoken to: TLS, or this machine.
///
/// # Errors
/// When it is not.
pub fn check(address: &str) -> Result<(), FetchError> {
    let fault = || FetchError::Address(address.to_string());
    let (scheme, rest) = address.split_once("://").ok_or_else(fault)?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    // A name and a password in an address would come into logs.
    let fits = !authority.is_empty() && !authority.contains('@');
    match scheme {
        "https" if fits => Ok(()),
        "http" if fits && is_loopback_name(authority) => Ok(()),
        _ => Err(fault()),
    }
}

/// The authorities that the machine trusts; where there are none, nobody's certificate is accepted.
fn of_the_machine() -> Vec<Certificate<'static>> {
    let found = rustls_native_certs::load_native_certs();
    for error in found.errors {
        tracing::warn!(%error, "authorities of this machine cannot be read");
    }
    found.certs.iter().map(|certificate| Certificate::from_der(certificate).to_owned()).collect()
}

fn read(path: &Path) -> Result<Vec<Certificate<'static>>, String> {
    let name = path.display();
    let pem = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    let items: Result<Vec<_>, _> = ureq::tls::parse_pem(&pem).collect();
    let items = items.map_err(|error| format!("{name}: {error}"))?;
    let certificates = items.into_iter().filter_map(|item| match item {
        PemItem::Certificate(certificate) => Some(certificate),
        _ => None,
    });
    let certificates: Vec<_> = certificates.collect();
    match certificates.is_empty() {
        true => Err(format!("{name}: there is no certificate in it")),
        false => Ok(certificates),
    }
}

/// Waits for an answer where waiting holds nobody else up.
async fn blocking(
    ask: impl FnOnce() -> Result<Fetched, FetchError> + Send + 'static,
) -> Result<Fetched, FetchError> {
    let asked = tokio::task::spawn_blocking(ask).await;
    asked.unwrap_or_else(|error| Err(FetchError::Away(error.to_string())))
}

fn taken(answered: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Result<Fetched, FetchError> {
    let away = |error: ureq::Error| FetchError::Away(error.to_string());
    let mut response = answered.map_err(away)?;
    let status = response.status().as_u16();
    let text = response.body_mut().with_config().limit(LONGEST).read_to_string().map_err(away)?;
    Ok(Fetched { status, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tls_or_this_machine_is_spoken_to() {
        for (address, fits) in [
            ("https://login.example", true),
            ("https://login.example:8443/realms/floor", true),
            ("http://127.0.0.1:9000/a", true),
            ("http://localhost/a", true),
            ("http://[::1]:9000/", true),
            ("http://login.example", false),
            ("http://localhost.example/", false),
            ("https://name:secret@login.example", false),
            ("https://", false),
            ("ftp://localhost/", false),
            ("login.example", false),
        ] {
            assert_eq!(check(address).is_ok(), fits, "{address}");
        }
    }
}
