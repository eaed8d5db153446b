//! Checkpoints: what was signed is read back, and whatever was changed since is found; and the keys they need.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers fail a test by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use croupier_journal::checkpoint::{Checkpoint, CheckpointError, FILE, Log, read};
use croupier_journal::keys::{KeyError, is_signed};
use croupier_journal::{Hash, Head, Keys, Stream};
use croupier_testkit::tempdir;

fn heads(moved: &[(&str, u64)]) -> BTreeMap<Stream, Head> {
    let head = |sequence: u64| Head { sequence, hash: Hash::of(&sequence.to_be_bytes()) };
    moved.iter().map(|(name, sequence)| (name.parse().unwrap(), head(*sequence))).collect()
}

/// Three checkpoints in a folder; the text of the file.
fn three(folder: &Path, keys: &Keys) -> String {
    let mut log = Log::open(folder).unwrap();
    for at in 1..=3 {
        let moved = heads(&[("house", 1), ("table/1", at * 10)]);
        let (number, line) = log.write(keys, None, 1_000 * at, at * 11, &moved).unwrap().unwrap();
        assert_eq!(number, at);
        assert!(line.starts_with("{\"checkpoint\":{\"number\":"), "{line}");
    }
    fs::read_to_string(folder.join(FILE)).unwrap()
}

/// On which line of the text it stumbles.
fn stumbles(text: &str, trusted: Option<Hash>) -> Option<usize> {
    match read(text, trusted) {
        Ok(_) => None,
        Err(CheckpointError::Line { line, what }) => {
            assert!(!what.is_empty());
            Some(line)
        }
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn what_was_signed_is_read_back() {
    let (folder, keys) = (tempdir().unwrap(), Keys::fresh().unwrap());
    let text = three(folder.path(), &keys);
    for trusted in [None, Some(keys.public())] {
        let found = read(&text, trusted).unwrap();
        let expect = |number: u64, previous: Hash, moved: &[(&str, u64)]| Checkpoint {
            number,
            previous,
            at: 1_000 * number,
            position: 11 * number,
            heads: heads(moved),
            key: keys.public(),
            next_key: None,
        };
        let hashes: Vec<Hash> = text.lines().map(|line| Hash::of(line.as_bytes())).collect();
        // Only what moved is listed.
        assert_eq!(found[0], expect(1, Hash::ZERO, &[("house", 1), ("table/1", 10)]));
        assert_eq!(found[1], expect(2, hashes[0], &[("table/1", 20)]));
        assert_eq!(found[2], expect(3, hashes[1], &[("table/1", 30)]));
    }
    let log = Log::open(folder.path()).unwrap();
    assert_eq!(log.key(), Some(keys.public()));
    assert_eq!(*log.heads(), heads(&[("house", 1), ("table/1", 30)]));
}

#[test]
fn nothing_is_written_if_nothing_moved() {
    let (folder, keys) = (tempdir().unwrap(), Keys::fresh().unwrap());
    let text = three(folder.path(), &keys);
    let mut log = Log::open(folder.path()).unwrap();
    assert_eq!(log.write(&keys, None, 9_000, 33, &heads(&[("table/1", 30)])).unwrap(), None);
    assert_eq!(fs::read_to_string(folder.path().join(FILE)).unwrap(), text);
    let (number, _) = log.write(&keys, None, 9_000, 34, &heads(&[("table/1", 31)])).unwrap().unwrap();
    assert_eq!(number, 4);
    assert_eq!(read(&fs::read_to_string(folder.path().join(FILE)).unwrap(), None).unwrap().len(), 4);
}

#[test]
fn a_log_that_is_kept_nowhere_writes_the_same_lines() {
    let keys = Keys::fresh().unwrap();
    let folder = tempdir().unwrap();
    let text = three(folder.path(), &keys);
    let mut log = Log::nowhere();
    let lines: Vec<String> = (1..=3)
        .map(|at| {
            let moved = heads(&[("house", 1), ("table/1", at * 10)]);
            log.write(&keys, None, 1_000 * at, at * 11, &moved).unwrap().unwrap().1
        })
        .collect();
    assert_eq!(lines, text.lines().collect::<Vec<_>>());
}

/// Every byte of every line, by every single bit, and to what else it could pass for.
#[test]
fn every_changed_byte_is_found() {
    let (folder, keys) = (tempdir().unwrap(), Keys::fresh().unwrap());
    let text = three(folder.path(), &keys);
    let mut tried = 0;
    for at in 0..text.len() - 1 {
        let old = text.as_bytes()[at];
        let others = (0..7).map(|bit| old ^ (1 << bit)).chain([b' ', b'\n']);
        for other in others.filter(|other| *other != old) {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = other;
            let changed = String::from_utf8(bytes).unwrap();
            assert!(read(&changed, None).is_err(), "byte {at}, {other}: {changed}");
            tried += 1;
        }
    }
    assert!(tried > 8_000, "{tried}");
}

#[test]
fn spaces_and_other_spellings_are_found() {
    let (folder, keys) = (tempdir().unwrap(), Keys::fresh().unwrap());
    let text = three(folder.path(), &keys);
    let last = text.lines().last().unwrap();
    for at in text.len() - 1 - last.len()..text.len() - 1 {
        let changed = [&text[..at], " ", &text[at..]].concat();
        assert!(read(&changed, None).is_err(), "byte {at}: {changed}");
    }
    let (signed, signature) = last.split_once("\"signature\":\"").unwrap();
    let louder = format!("{signed}\"signature\":\"{}\"}}", signature.trim_end_matches("\"}").to_uppercase());
    assert_eq!(stumbles(&text.replace(last, &louder), None), Some(3));
}

#[test]
fn removed_and_moved_lines_are_found() {
    let (folder, keys) = (tempdir().unwrap(), Keys::fresh().unwrap());
    let text = three(folder.path(), &keys);
    let lines: Vec<&str> = text.lines().collect();
    for (order, expect) in [
        (&[0, 1, 2][..], None),
        // A file that was cut off looks whole; the journal and the copies elsewhere tell.
        (&[0, 1], None),
        (&[1, 2], Some(1)),
        (&[0, 2], Some(2)),
        (&[1, 0, 2], Some(1)),
        (&[0, 2, 1], Some(2)),
        (&[0, 0, 1, 2], Some(2)),
        (&[0, 1, 2, 2], Some(4)),
    ] {
        let changed: String = order.iter().map(|at| format!("{}\n", lines[*at])).collect();
        assert_eq!(stumbles(&changed, None), expect, "{order:?}");
    }
    assert_eq!(stumbles("\n", None), Some(1));
    assert_eq!(stumbles(&format!("{text}\n"), None), Some(4));
    assert_eq!(stumbles("", None), None);
}

#[test]
fn another_key_is_found() {
    let (folder, keys) = (tempdir().unwrap(), Keys::fresh().unwrap());
    let (text, other) = (three(folder.path(), &keys), Keys::fresh().unwrap());
    assert_eq!(stumbles(&text, Some(other.public())), Some(1));
    // A forger who signs the whole file anew is found by whoever knows the key.
    let forged = three(tempdir().unwrap().path(), &other);
    assert_eq!(stumbles(&forged, None), None);
    assert_eq!(stumbles(&forged, Some(keys.public())), Some(1));
    // A line that names the trusted key, signed by another.
    let found = read(&text, None).unwrap();
    let line = found[0].sign(&other).unwrap();
    assert_eq!(stumbles(&line, None), Some(1));
    // The log does not write what it would not read.
    let mut log = Log::open(folder.path()).unwrap();
    log.write(&other, None, 9_000, 40, &heads(&[("table/1", 40)])).unwrap_err();
    assert_eq!(fs::read_to_string(folder.path().join(FILE)).unwrap(), text);
}

#[test]
fn keys_change_by_the_word_of_the_old_one() {
    let folder = tempdir().unwrap();
    let old = Keys::open(folder.path()).unwrap();
    three(folder.path(), &old);
    let public = old.public();
    assert!(matches!(Keys::rotate(folder.path()), Err(KeyError::InUse(_))), "while they are used");
    drop(old);
    Keys::rotate(folder.path()).unwrap();
    let new = Keys::open(folder.path()).unwrap();
    assert_ne!(new.public(), public);
    let old = Keys::earlier(folder.path(), public).unwrap().unwrap();
    assert_eq!(old.public(), public);
    assert!(Keys::earlier(folder.path(), Hash::ZERO).unwrap().is_none());

    let mut log = Log::open(folder.path()).unwrap();
    assert_eq!(log.key(), Some(old.public()));
    log.write(&new, None, 4_000, 40, &heads(&[("table/1", 40)])).unwrap_err();
    // Nothing has moved, and still it is written.
    log.write(&old, Some(new.public()), 4_000, 33, &heads(&[("table/1", 30)])).unwrap().unwrap();
    assert_eq!(log.key(), Some(new.public()));
    log.write(&old, None, 5_000, 40, &heads(&[("table/1", 40)])).unwrap_err();
    log.write(&new, None, 5_000, 40, &heads(&[("table/1", 40)])).unwrap().unwrap();

    let text = fs::read_to_string(folder.path().join(FILE)).unwrap();
    assert_eq!(read(&text, Some(old.public())).unwrap().len(), 5);
    assert_eq!(Log::open(folder.path()).unwrap().key(), Some(new.public()));
    // Without the line that hands over, the new key is nobody's.
    let lines: Vec<&str> = text.lines().collect();
    let without = [&lines[..3], &lines[4..]].concat().join("\n");
    assert_eq!(stumbles(&without, Some(old.public())), Some(4));
}

#[test]
fn an_unfinished_line_is_cut_off() {
    let (folder, keys) = (tempdir().unwrap(), Keys::fresh().unwrap());
    let text = three(folder.path(), &keys);
    let path = folder.path().join(FILE);
    let whole: usize = text.lines().take(2).map(|line| line.len() + 1).sum();
    // All that a crash may have left of the third line, down to its missing end.
    for length in (whole..text.len()).step_by(7).chain([text.len() - 1]) {
        fs::write(&path, &text[..length]).unwrap();
        let mut log = Log::open(folder.path()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text[..whole]);
        log.write(&keys, None, 3_000, 33, &heads(&[("table/1", 30)])).unwrap().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    for left in [&b"\xff\xfe"[..], &[0; 100]] {
        fs::write(&path, [text.as_bytes(), left].concat()).unwrap();
        Log::open(folder.path()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    // A finished line that is wrong stays for whoever looks into it.
    let wrong = format!("{}\nhalf", text.replace("\"number\":2", "\"number\":5"));
    fs::write(&path, &wrong).unwrap();
    Log::open(folder.path()).unwrap_err();
    assert_eq!(fs::read_to_string(&path).unwrap(), wrong);
}

#[test]
fn keys_stay_in_their_folder() {
    let folder = tempdir().unwrap();
    let inner = folder.path().join("keys");
    let keys = Keys::open(&inner).unwrap();
    assert_eq!(Keys::open(&inner).unwrap().public(), keys.public());
    let (public, shown) = (keys.public(), format!("{keys:?}"));
    drop(keys);
    Keys::rotate(&inner).unwrap();
    let mut names = Vec::new();
    for entry in fs::read_dir(&inner).unwrap() {
        let entry = entry.unwrap();
        names.push(entry.file_name().into_string().unwrap());
        let text = fs::read_to_string(entry.path()).unwrap();
        assert_eq!(text.trim_end().len(), 64);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{names:?}");
        }
    }
    names.sort();
    assert_eq!(
        names,
        ["sealing.key".to_string(), format!("signing-{public}.key"), "signing.key".to_string()]
    );
    // Secrets are not shown.
    let secret = fs::read_to_string(inner.join("sealing.key")).unwrap();
    assert!(!shown.contains(secret.trim_end()));
    // A file that is no key is not replaced.
    for text in ["", "0123", &"g".repeat(64), &"0".repeat(65)] {
        fs::write(inner.join("signing.key"), text).unwrap();
        assert!(matches!(Keys::open(&inner), Err(KeyError::NoKey(_))), "{text}");
        assert_eq!(fs::read_to_string(inner.join("signing.key")).unwrap(), text);
    }
}

#[test]
fn what_is_sealed_opens_only_as_it_was_sealed() {
    let keys = Keys::fresh().unwrap();
    for open in [&b""[..], b"8S KD", &[7; 10_000]] {
        let sealed = keys.seal("table/3 shoe 5", open).unwrap();
        assert_eq!(keys.unseal("table/3 shoe 5", &sealed).unwrap(), open);
        assert_ne!(keys.seal("table/3 shoe 5", open).unwrap(), sealed, "each time by another number");
        for name in ["table/3 shoe 6", "", "table/3 shoe 5 "] {
            assert!(keys.unseal(name, &sealed).is_err(), "{name}");
        }
        assert!(Keys::fresh().unwrap().unseal("table/3 shoe 5", &sealed).is_err());
        for at in (0..sealed.len()).step_by(sealed.len().div_ceil(100)) {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert!(keys.unseal("table/3 shoe 5", &changed).is_err(), "byte {at}");
            assert!(keys.unseal("table/3 shoe 5", &sealed[..at]).is_err(), "cut at {at}");
        }
    }
}

#[test]
fn signatures_are_of_these_bytes_by_this_key() {
    let keys = Keys::fresh().unwrap();
    let signature = keys.sign(b"heads");
    assert!(is_signed(keys.public(), b"heads", &signature));
    assert!(!is_signed(keys.public(), b"Heads", &signature));
    assert!(!is_signed(Keys::fresh().unwrap().public(), b"heads", &signature));
    assert!(!is_signed(Hash::ZERO, b"heads", &signature));
    for at in 0..64 {
        let mut changed = signature;
        changed[at] ^= 1;
        assert!(!is_signed(keys.public(), b"heads", &changed), "byte {at}");
    }
}
