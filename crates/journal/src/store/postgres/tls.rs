//! TLS to PostgreSQL, with the certificate checked as far as `sslmode` says.

use std::path::Path;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

/// What is asked of the server's certificate.
#[derive(Clone, Debug)]
pub(super) enum Trust {
    /// Nothing: whoever answers is believed.
    Anybody,
    /// One of these authorities has signed it.
    Signed(RootCertStore),
    /// The same, and it is for the host of the URL.
    SignedForHost(RootCertStore),
}

/// The authorities of a file in PEM.
///
/// # Errors
/// In words, when there are none.
pub(super) fn authorities(path: &Path) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(path, "sslrootcert")? {
        roots.add(certificate).map_err(|error| format!("sslrootcert={}: {error}", path.display()))?;
    }
    Ok(roots)
}

/// The certificates of a file in PEM; at least one.
fn certificates(path: &Path, option: &str) -> Result<Vec<CertificateDer<'static>>, String> {
    let fault = |error: &dyn core::fmt::Display| format!("{option}={}: {error}", path.display());
    let found = CertificateDer::pem_file_iter(path).map_err(|error| fault(&error))?;
    let found: Result<Vec<_>, _> = found.collect();
    let found = found.map_err(|error| fault(&error))?;
    if found.is_empty() { Err(fault(&"there is no certificate in PEM in it")) } else { Ok(found) }
}

/// What a connection is made with; `own` are the files of the certificate and the key to show, if any.
///
/// # Errors
/// In words, when a file is of no use.
pub(super) fn config(trust: Trust, own: Option<(&Path, &Path)>) -> Result<ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let checks = Checks { trust, provider: Arc::clone(&provider) };
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| error.to_string())?;
    let builder = builder.dangerous().with_custom_certificate_verifier(Arc::new(checks));
    let mut config = match own {
        None => builder.with_no_client_auth(),
        Some((certificate, key)) => {
            let chain = certificates(certificate, "sslcert")?;
            let read = PrivateKeyDer::from_pem_file(key);
            let read = read.map_err(|error| format!("sslkey={}: {error}", key.display()))?;
            let ready = builder.with_client_auth_cert(chain, read);
            ready.map_err(|error| format!("sslcert={}: {error}", certificate.display()))?
        }
    };
    config.alpn_protocols = vec![b"postgresql".to_vec()];
    Ok(config)
}

/// Checks a certificate as far as it is trusted. That the server has its key is checked always.
#[derive(Debug)]
struct Checks {
    trust: Trust,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Checks {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        host: &ServerName<'_>,
        _ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let signed = |roots: &RootCertStore| {
            let parsed = ParsedCertificate::try_from(certificate)?;
            let known = self.provider.signature_verification_algorithms.all;
            verify_server_cert_signed_by_trust_anchor(&parsed, roots, between, now, known)?;
            Ok::<_, Error>(parsed)
        };
        match &self.trust {
            Trust::Anybody => {}
            Trust::Signed(roots) => drop(signed(roots)?),
            Trust::SignedForHost(roots) => verify_server_name(&signed(roots)?, host)?,
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
