//! Passwords that are known from breaches: a file that the house downloads, such as that of Have I Been Pwned.
//!
//! It has a line for each password, `SHA1:COUNT` with the hash in 40 capital hexadecimal digits, in the order of the
//! hashes. It may be larger than memory: a line is found by halving, in some forty reads. Nothing is sent anywhere.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use data_encoding::HEXUPPER;
use ring::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};

/// No line is longer: a hash, a colon, a count.
const LONGEST: u64 = 80;

/// A file of breached passwords.
#[derive(Clone, Debug)]
pub(in crate::people) struct Breached {
    path: PathBuf,
}

impl Breached {
    /// The file, if it begins as one.
    ///
    /// # Errors
    /// When it cannot be read, or is something else.
    pub(in crate::people) fn open(path: &Path) -> io::Result<Self> {
        let mut first = String::new();
        BufReader::new(File::open(path)?.take(LONGEST)).read_line(&mut first)?;
        match hash_of(&first) {
            Some(_) => Ok(Self { path: path.to_path_buf() }),
            None => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "its first line is not `SHA1:COUNT`, with 40 capital hexadecimal digits",
            )),
        }
    }

    /// Whether a password is in it. It blocks while it reads.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(in crate::people) fn has(&self, password: &str) -> io::Result<bool> {
        let wanted = HEXUPPER.encode(digest(&SHA1_FOR_LEGACY_USE_ONLY, password.as_bytes()).as_ref());
        let mut file = File::open(&self.path)?;
        let (mut low, mut high) = (0, file.metadata()?.len());
        // What is looked for begins in low..high, if it is there.
        while high.saturating_sub(low) > LONGEST {
            let middle = low + (high - low) / 2;
            let (begin, line) = line_after(&mut file, middle)?;
            match hash_of(&line) {
                Some(hash) if hash < wanted.as_str() => low = begin,
                Some(_) | None => high = middle,
            }
        }
        file.seek(SeekFrom::Start(low))?;
        let mut rest = String::new();
        file.take(4 * LONGEST).read_to_string(&mut rest)?;
        Ok(rest.lines().any(|line| hash_of(line) == Some(wanted.as_str())))
    }
}

/// The line that begins after a place, and where; an empty one at the end.
fn line_after(file: &mut File, place: u64) -> io::Result<(u64, String)> {
    file.seek(SeekFrom::Start(place))?;
    let mut reader = BufReader::new(file.take(4 * LONGEST));
    let mut line = String::new();
    let skipped = reader.read_line(&mut line)?;
    line.clear();
    reader.read_line(&mut line)?;
    Ok((place + u64::try_from(skipped).unwrap_or(0), line))
}

/// The hash that a line has.
fn hash_of(line: &str) -> Option<&str> {
    let hash = line.trim_end().split(':').next()?;
    let fits = hash.len() == 40 && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'A'..=b'F'));
    fits.then_some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_a_file_is_found_and_nothing_else() {
        let path = std::env::temp_dir().join(format!("croupier-breached-{}", std::process::id()));
        for size in [1_usize, 2, 3, 50, 1_000] {
            let passwords: Vec<String> =
                (0..size).map(|number| format!("password number {number}")).collect();
            let line = |password: &String| {
                let hash = digest(&SHA1_FOR_LEGACY_USE_ONLY, password.as_bytes());
                format!("{}:{}\r\n", HEXUPPER.encode(hash.as_ref()), password.len() * 1_000)
            };
            let mut lines: Vec<String> = passwords.iter().map(line).collect();
            lines.sort_unstable();
            std::fs::write(&path, lines.concat()).unwrap();
            let breached = Breached::open(&path).unwrap();
            assert!(passwords.iter().all(|password| breached.has(password).unwrap()), "{size}");
            assert!((0..100).all(|number| !breached.has(&format!("another {number}")).unwrap()), "{size}");
        }
        std::fs::write(&path, "not such a file\n").unwrap();
        assert!(Breached::open(&path).is_err());
        std::fs::remove_file(&path).unwrap();
        assert!(Breached::open(&path).is_err());
    }
}
