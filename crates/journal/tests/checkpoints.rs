//! Checkpoints: what was signed is read back, and whatever was changed since is found; and the keys they need.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers fail a test by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use croupier_journal::checkpoint::{
    Checkpoint, CheckpointError, Covers, FILE, Log, Reach, last_number, read,
};
use croupier_journal::keys::{KeyError, is_signed};
use croupier_journal::{Hash, Head, Keys, Stream};
use croupier_testkit::tempdir;

fn heads(moved: &[(&str, u64)]) -> BTreeMap<Stream, Head> {
    let head = |sequence: u64| Head { sequence, hash: Hash::of(&sequence.to_be_bytes()) };
    moved.iter().map(|(name, sequence)| (name.parse().unwrap(), head(*sequence))).collect()
}

/// How far a journal goes with so many lines.
fn reach(position: u64) -> Reach {
    let mut reach = Reach::START;
    (1..=position).for_each(|at| reach.pass(at, Hash::of(&at.to_be_bytes())));
    reach
}

/// Three checkpoints in a folder; the text of the file.
fn three(folder: &Path, keys: &Keys) -> String {
    let mut log = Log::open(folder).unwrap();
    for at in 1..=3 {
        let (number, line) = log.write(keys, None, 1_000 * at, reach(at * 11)).unwrap().unwrap();
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
        let expect = |number: u64, previous: Hash| Checkpoint {
            number,
            previous,
            at: 1_000 * number,
            position: 11 * number,
            covers: Covers::Lines(reach(11 * number).lines),
            key: keys.public(),
            next_key: None,
        };
        let hashes: Vec<Hash> = text.lines().map(|line| Hash::of(line.as_bytes())).collect();
        assert_eq!(found, [expect(1, Hash::ZERO), expect(2, hashes[0]), expect(3, hashes[1])]);
    }
    let log = Log::open(folder.path()).unwrap();
    assert_eq!((log.key(), log.number(), log.reach()), (Some(keys.public()), 3, reach(33)));
}

/// The rolling hash, by the words of docs/formats.md: that of the one before and of the line, 64 bytes.
#[test]
fn every_line_is_in_the_rolling_hash() {
    let lines = [Hash::of(b"one"), Hash::of(b"two")];
    let first = Hash::of(&[[0; 32], lines[0].0].concat());
    let second = Hash::of(&[first.0, lines[1].0].concat());
    let mut found = Reach::START;
    found.pass(1, lines[0]);
    assert_eq!(found, Reach { position: 1, lines: first });
    found.pass(2, lines[1]);
    assert_eq!(found, Reach { position: 2, lines: second });
}

/// Ten streams or ten thousand, a line or a million: a checkpoint is a line of the same size.
#[test]
fn a_checkpoint_has_one_size() {
    let keys = Keys::fresh().unwrap();
    let mut log = Log::nowhere();
    let mut size = |position: u64| {
        let reach = Reach { position, lines: Hash::of(b"any") };
        log.write(&keys, None, 1_763_218_800_000, reach).unwrap().unwrap().1.len()
    };
    let (first, last) = (size(1_000_000), size(9_999_999));
    assert_eq!(first, last);
    assert!(last < 500, "{last}");
}

/// A start reads the last lines only, and takes what lies before them as the last one signs it.
#[test]
fn a_log_is_read_from_its_end() {
    let (folder, keys) = (tempdir().unwrap(), Keys::fresh().unwrap());
    let path = folder.path().join(FILE);
    let text = three(folder.path(), &keys);
    let mut log = Log::open(folder.path()).unwrap();
    for number in 4..=40 {
        log.write(&keys, None, 1_000 * number, reach(11 * number)).unwrap().unwrap();
    }
    let log = Log::open(folder.path()).unwrap();
    assert_eq!((log.number(), log.reach(), last_number(&path).unwrap()), (40, reach(440), 40));
    // The newest one at a position or before it; never the last, which is what is to be checked.
    for (position, found) in [(0, 0), (10, 0), (11, 11), (12, 11), (21, 11), (22, 22), (428, 418), (429, 429)]
    {
        assert_eq!(log.before(position).unwrap(), reach(found), "{position}");
    }
    assert_eq!([log.before(440).unwrap(), log.before(u64::MAX).unwrap()], [reach(429); 2]);
    // A line further back is found when it is read, and not before.
    let changed = fs::read_to_string(&path).unwrap().replacen("\"number\":2,", "\"number\":7,", 1);
    fs::write(&path, &changed).unwrap();
    let log = Log::open(folder.path()).unwrap();
    assert_eq!(log.before(100).unwrap(), reach(99));
    log.before(12).unwrap_err();
    assert_eq!(stumbles(&changed, None), Some(2));
    // The one before the last is read at once.
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&path, [lines[0], &lines[1].replace("\"at\":2000", "\"at\":2001"), lines[2], ""].join("\n"))
        .unwrap();
    Log::open(folder.path()).unwrap_err();
    fs::write(&path, [lines[0], lines[2], ""].join("\n")).unwrap();
    Log::open(folder.path()).unwrap_err();
}

/// Checkpoints of earlier versions name the ends of streams; the rolling hash begins after them.
#[test]
fn checkpoints_of_earlier_versions_are_gone_on_with() {
    let (folder, keys) = (tempdir().unwrap(), Keys::fresh().unwrap());
    let path = folder.path().join(FILE);
    let mut previous = Hash::ZERO;
    let mut text = String::new();
    let moved = [&[("house", 1), ("table/1", 10)][..], &[("table/1", 20)], &[]];
    // The last one only named a key, and said of no line.
    for ((number, position), moved) in (1..).zip([11, 21, 0]).zip(moved) {
        let (covers, key) = (Covers::Heads(heads(moved)), keys.public());
        let at = 1_000 * number;
        let line = Checkpoint { number, previous, at, position, covers, key, next_key: None }.sign(&keys);
        let line = line.unwrap();
        previous = Hash::of(line.as_bytes());
        text.push_str(&format!("{line}\n"));
    }
    fs::write(&path, &text).unwrap();
    let mut log = Log::open(folder.path()).unwrap();
    let begins = Reach { position: 21, lines: Hash::ZERO };
    assert_eq!((log.number(), log.reach()), (3, begins));
    assert_eq!(*log.heads(), heads(&[("house", 1), ("table/1", 20)]));
    assert_eq!(log.before(5).unwrap(), begins);
    assert_eq!(log.write(&keys, None, 9_000, begins).unwrap(), None);
    let mut next = begins;
    next.pass(22, Hash::of(b"a line"));
    log.write(&keys, None, 9_000, next).unwrap().unwrap();
    for log in [log, Log::open(folder.path()).unwrap()] {
        assert_eq!((log.number(), log.reach(), log.heads().len()), (4, next, 0));
        assert_eq!([log.before(0).unwrap(), log.before(99).unwrap()], [begins; 2]);
    }
    assert_eq!(read(&fs::read_to_string(&path).unwrap(), Some(keys.public())).unwrap().len(), 4);
}

/// It says one thing of the lines, in one way.
#[test]
fn a_checkpoint_has_either_lines_or_heads() {
    let keys = Keys::fresh().unwrap();
    let whole = three(tempdir().unwrap().path(), &keys);
    let line = whole.lines().next().unwrap();
    let from = line.find("{\"number\"").unwrap();
    let signed: &str = &line[from..line.rfind(",\"signature\"").unwrap()];
    serde_json::from_str::<Checkpoint>(signed).unwrap();
    for other in [signed.replacen("\"lines\":", "\"heads\":{},\"lines\":", 1), {
        let from = signed.find("\"lines\":").unwrap();
        [&signed[..from], &signed[from + 75..]].concat()
    }] {
        let error = serde_json::from_str::<Checkpoint>(&other).unwrap_err();
        assert!(error.to_string().contains("either `lines` or `heads`"), "{error}: {other}");
    }
}

#[test]
fn nothing_is_written_if_nothing_moved() {
    let (folder, keys) = (tempdir().unwrap(), Keys::fresh().unwrap());
    let text = three(folder.path(), &keys);
    let mut log = Log::open(folder.path()).unwrap();
    assert_eq!(log.write(&keys, None, 9_000, reach(33)).unwrap(), None);
    assert_eq!(fs::read_to_string(folder.path().join(FILE)).unwrap(), text);
    let (number, _) = log.write(&keys, None, 9_000, reach(34)).unwrap().unwrap();
    assert_eq!(number, 4);
    assert_eq!(read(&fs::read_to_string(folder.path().join(FILE)).unwrap(), None).unwrap().len(), 4);
}

#[test]
fn a_log_that_is_kept_nowhere_writes_the_same_lines() {
    let keys = Keys::fresh().unwrap();
    let folder = tempdir().unwrap();
    let text = three(folder.path(), &keys);
    let mut log = Log::nowhere();
    let lines: Vec<String> =
        (1..=3).map(|at| log.write(&keys, None, 1_000 * at, reach(at * 11)).unwrap().unwrap().1).collect();
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
    log.write(&other, None, 9_000, reach(40)).unwrap_err();
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
    log.write(&new, None, 4_000, reach(40)).unwrap_err();
    // Nothing has moved, and still it is written.
    log.write(&old, Some(new.public()), 4_000, reach(33)).unwrap().unwrap();
    assert_eq!(log.key(), Some(new.public()));
    log.write(&old, None, 5_000, reach(40)).unwrap_err();
    log.write(&new, None, 5_000, reach(40)).unwrap().unwrap();

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
        log.write(&keys, None, 3_000, reach(33)).unwrap().unwrap();
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
