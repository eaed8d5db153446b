//! Certificates for tests, signed by an authority that exists for as long as the test.

use std::io;
use std::path::{Path, PathBuf};

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose};

/// An authority that signs certificates.
#[derive(Debug)]
pub struct Authority {
    certificate: String,
    issuer: Issuer<'static, KeyPair>,
}

/// A certificate and its key, in PEM.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The certificate.
    pub certificate: String,
    /// Its private key.
    pub key: String,
}

impl Authority {
    /// A new authority.
    ///
    /// # Errors
    /// When no key can be made.
    pub fn new(name: &str) -> io::Result<Self> {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let certificate = params.self_signed(&key).map_err(io::Error::other)?.pem();
        Ok(Self { certificate, issuer: Issuer::new(params, key) })
    }

    /// Signs a certificate for names and addresses of a server.
    ///
    /// # Errors
    /// When one of them is none.
    pub fn sign(&self, names: &[&str]) -> io::Result<Pair> {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let params = CertificateParams::new(names).map_err(io::Error::other)?;
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let certificate = params.signed_by(&key, &self.issuer).map_err(io::Error::other)?.pem();
        Ok(Pair { certificate, key: key.serialize_pem() })
    }

    /// Writes its own certificate into a folder, for whoever is to trust it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, folder: &Path, name: &str) -> io::Result<PathBuf> {
        let path = folder.join(name);
        std::fs::write(&path, &self.certificate)?;
        Ok(path)
    }
}
