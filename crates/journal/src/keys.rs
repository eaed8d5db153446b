//! The secrets of a floor, kept in a folder outside the database: the key that signs checkpoints and the key that
//! seals undealt shoes. Each is a file of 64 hexadecimal digits that only its owner may read.

use core::fmt;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{ChaCha20Poly1305, Nonce};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

use crate::hash::Hash;

/// The keys in use.
pub struct Keys {
    signing: SigningKey,
    sealing: ChaCha20Poly1305,
    /// The file of the signing key, held so that nobody changes it meanwhile.
    _held: Option<fs::File>,
}

/// Why keys cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        error: std::io::Error,
    },
    /// A file is not a key.
    #[error("{}: not a key of 64 hexadecimal digits", .0.display())]
    NoKey(PathBuf),
    /// Somebody else uses the keys.
    #[error("{}: the keys are in use by a running server; stop it first", .0.display())]
    InUse(PathBuf),
    /// The system gives no randomness.
    #[error("the system gives no random bytes: {0}")]
    Random(#[from] getrandom::Error),
    /// What was sealed cannot be opened: another key sealed it, or it was changed.
    #[error("{0} cannot be opened with the sealing key: it was sealed with another key, or changed")]
    Sealed(String),
}

impl Keys {
    /// New keys that are kept nowhere.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub fn fresh() -> Result<Self, KeyError> {
        Ok(Self::new(&random()?, &random()?))
    }

    fn new(signing: &[u8; 32], sealing: &[u8; 32]) -> Self {
        let sealing = ChaCha20Poly1305::new(&(*sealing).into());
        Self { signing: SigningKey::from_bytes(signing), sealing, _held: None }
    }

    /// The keys of a folder; those that are missing are made. As long as they are used the signing key cannot be
    /// changed.
    ///
    /// # Errors
    /// When a file cannot be read or written, or is no key; [`KeyError::InUse`] while it is being changed.
    pub fn open(folder: &Path) -> Result<Self, KeyError> {
        fs::create_dir_all(folder).map_err(|error| KeyError::File { path: folder.to_path_buf(), error })?;
        let path = folder.join("signing.key");
        let keys = Self::new(&key(&path)?, &key(&folder.join("sealing.key"))?);
        let file = fs::File::open(&path).map_err(|error| KeyError::File { path: path.clone(), error })?;
        match file.try_lock_shared() {
            Ok(()) => Ok(Self { _held: Some(file), ..keys }),
            Err(fs::TryLockError::WouldBlock) => Err(KeyError::InUse(path)),
            // A file system without locks: then it is the operator's to stop the server first.
            Err(fs::TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => {
                Ok(keys)
            }
            Err(fs::TryLockError::Error(error)) => Err(KeyError::File { path, error }),
        }
    }

    /// Puts a new signing key in the place of the old one, which is kept beside it under its public name.
    ///
    /// # Errors
    /// As [`Keys::open`]; [`KeyError::InUse`] while a server signs with it.
    pub fn rotate(folder: &Path) -> Result<(), KeyError> {
        let path = folder.join("signing.key");
        let file = fs::File::open(&path).map_err(|error| KeyError::File { path: path.clone(), error })?;
        match file.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Err(KeyError::InUse(path)),
            Err(fs::TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => {}
            Err(fs::TryLockError::Error(error)) => return Err(KeyError::File { path, error }),
        }
        let old = SigningKey::from_bytes(&key(&path)?);
        let public = Hash(old.verifying_key().to_bytes());
        let kept = folder.join(format!("signing-{public}.key"));
        fs::rename(&path, &kept).map_err(|error| KeyError::File { path: path.clone(), error })?;
        key(&path).map(|_| ())
    }

    /// The signing keys that this folder has had, by their public halves: the one in use and the earlier ones.
    ///
    /// # Errors
    /// As [`Keys::open`].
    pub fn earlier(folder: &Path, public: Hash) -> Result<Option<Self>, KeyError> {
        let path = folder.join(format!("signing-{public}.key"));
        if !path.exists() {
            return Ok(None);
        }
        Ok(Some(Self::new(&key(&path)?, &key(&folder.join("sealing.key"))?)))
    }

    /// The public half of the signing key.
    #[must_use]
    pub fn public(&self) -> Hash {
        Hash(self.signing.verifying_key().to_bytes())
    }

    /// Signs.
    #[must_use]
    pub fn sign(&self, bytes: &[u8]) -> [u8; 64] {
        self.signing.sign(bytes).to_bytes()
    }

    /// Closes something so that only this key opens it, and only under the same name.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub fn seal(&self, name: &str, open: &[u8]) -> Result<Vec<u8>, KeyError> {
        let nonce: [u8; 12] = random()?;
        let payload = Payload { msg: open, aad: name.as_bytes() };
        let closed = self.sealing.encrypt(&Nonce::from(nonce), payload);
        let closed = closed.map_err(|_| KeyError::Sealed(name.to_string()))?;
        Ok([nonce.as_slice(), &closed].concat())
    }

    /// Opens what was sealed under this name.
    ///
    /// # Errors
    /// [`KeyError::Sealed`] if it was sealed otherwise or changed.
    pub fn unseal(&self, name: &str, sealed: &[u8]) -> Result<Vec<u8>, KeyError> {
        let fault = || KeyError::Sealed(name.to_string());
        let (nonce, closed) = sealed.split_first_chunk::<12>().ok_or_else(fault)?;
        let payload = Payload { msg: closed, aad: name.as_bytes() };
        self.sealing.decrypt(&Nonce::from(*nonce), payload).map_err(|_| fault())
    }
}

/// Without the secrets.
impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keys").field("public", &self.public()).finish_non_exhaustive()
    }
}

/// Whether a signature is that of a public key over these bytes.
#[must_use]
pub fn is_signed(public: Hash, bytes: &[u8], signature: &[u8; 64]) -> bool {
    VerifyingKey::from_bytes(&public.0)
        .is_ok_and(|key| key.verify_strict(bytes, &Signature::from_bytes(signature)).is_ok())
}

/// Random bytes from the system.
///
/// # Errors
/// When it gives none.
pub fn random<const N: usize>() -> Result<[u8; N], KeyError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// Makes sure that the name of a new file is on the disk.
pub(crate) fn sync_folder(path: &Path) -> std::io::Result<()> {
    // Only Unix lets a folder be opened.
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// The key in a file; a new one if there is no such file.
fn key(path: &Path) -> Result<[u8; 32], KeyError> {
    let fault = |error: std::io::Error| KeyError::File { path: path.to_path_buf(), error };
    match fs::read_to_string(path) {
        Ok(text) => {
            let key: Result<Hash, _> = text.trim().parse();
            key.map(|key| key.0).map_err(|_| KeyError::NoKey(path.to_path_buf()))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let bytes: [u8; 32] = random()?;
            let mut options = fs::OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let mut file = options.open(path).map_err(fault)?;
            writeln!(file, "{}", Hash(bytes)).and_then(|()| file.sync_all()).map_err(fault)?;
            // What is sealed with it is lost if its name is.
            sync_folder(path).map_err(fault)?;
            Ok(bytes)
        }
        Err(error) => Err(fault(error)),
    }
}
