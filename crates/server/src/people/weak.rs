//! Passwords and PINs that are guessed first.
//!
//! No list of common passwords is complete. Most of them are made the same few ways: a word that everybody thinks of, with
//! digits and signs around it or letters replaced by signs that look like them; something repeated; a row of keys. These
//! ways are refused, whatever the word is decorated with: the words are those below, which may also stand together, and
//! the 21,199 of `assets/common-passwords.txt.gz`, which are passwords that were used most (the list of zxcvbn-ts, whose licence is
//! beside it): those of ten characters and more, and what is left of the first 30,000 without digits around them.

mod breached;

use std::collections::HashSet;
use std::io::Read as _;
use std::sync::LazyLock;

pub(super) use breached::Breached;

/// Passwords that were used most, and the words in them.
static COMMON: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let mut text = String::new();
    // It was compressed by us: what cannot be read is no list, and a test reads it.
    let _ = flate2::read::GzDecoder::new(&include_bytes!("../../assets/common-passwords.txt.gz")[..])
        .read_to_string(&mut text);
    text.lines().map(str::to_string).collect()
});

/// Words that passwords are made of first; in a casino also those of the house.
const WORDS: &[&str] = &[
    "abc",
    "access",
    "account",
    "admin",
    "administrator",
    "alpha",
    "amazon",
    "andrew",
    "angel",
    "apple",
    "asdf",
    "asdfgh",
    "ashley",
    "auditor",
    "autumn",
    "baby",
    "baccarat",
    "bailey",
    "banker",
    "banco",
    "baseball",
    "basket",
    "basketball",
    "batman",
    "bet",
    "bets",
    "biteme",
    "blackjack",
    "boss",
    "buster",
    "cage",
    "cards",
    "casino",
    "cashier",
    "change",
    "changeit",
    "changeme",
    "changethis",
    "charlie",
    "cheese",
    "chips",
    "chocolate",
    "company",
    "computer",
    "cookie",
    "croupier",
    "daniel",
    "database",
    "dealer",
    "default",
    "demo",
    "diamond",
    "dragon",
    "dragontiger",
    "enter",
    "flower",
    "floor",
    "football",
    "forever",
    "freedom",
    "friday",
    "friends",
    "gambling",
    "game",
    "games",
    "gaming",
    "ginger",
    "god",
    "google",
    "guest",
    "hannah",
    "happy",
    "harley",
    "hello",
    "hoiana",
    "hockey",
    "hunter",
    "iloveu",
    "iloveyou",
    "internet",
    "jackpot",
    "jennifer",
    "jessica",
    "jordan",
    "joshua",
    "killer",
    "liverpool",
    "letmein",
    "letme",
    "in",
    "let",
    "me",
    "log",
    "login",
    "love",
    "lovely",
    "loveme",
    "lucky",
    "macau",
    "maggie",
    "manager",
    "marina",
    "master",
    "matrix",
    "matthew",
    "mbs",
    "michael",
    "michelle",
    "monday",
    "money",
    "monkey",
    "mustang",
    "my",
    "myself",
    "new",
    "nicole",
    "ninja",
    "niuniu",
    "office",
    "orange",
    "our",
    "pass",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "passwort",
    "pepper",
    "pit",
    "pitboss",
    "player",
    "please",
    "poker",
    "princess",
    "qazwsx",
    "qwe",
    "qwer",
    "qwert",
    "qwerty",
    "qwertyuiop",
    "ranger",
    "resort",
    "robert",
    "root",
    "roulette",
    "samsung",
    "sands",
    "secret",
    "secure",
    "security",
    "server",
    "shadow",
    "sign",
    "singapore",
    "soccer",
    "spring",
    "staff",
    "starwars",
    "summer",
    "sunday",
    "sunshine",
    "superman",
    "supervisor",
    "surveillance",
    "system",
    "table",
    "taylor",
    "temp",
    "temporary",
    "test",
    "testing",
    "thank",
    "the",
    "thomas",
    "thunder",
    "tiger",
    "tigger",
    "trustno",
    "user",
    "vietnam",
    "welcome",
    "welcometo",
    "whatever",
    "william",
    "winner",
    "winter",
    "word",
    "you",
    "your",
    "yankees",
    "zxcvbn",
    "zxcvbnm",
];

/// More words than these together are not guessed first.
const WORDS_MOST: usize = 3;

/// Rows that fingers find by themselves.
const ROWS: &[&str] = &[
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890123456789",
    "qwertyuiopasdfghjklzxcvbnm",
    "qwertzuiopasdfghjklyxcvbnm",
    "azertyuiopqsdfghjklmwxcvbn",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
    "q1w2e3r4t5y6u7i8o9p0",
    "1q2w3e4r5t6y7u8i9o0p",
    "!@#$%^&*()",
];

/// The shortest part of a row that counts as one.
const ROW: usize = 4;

/// Why a password is guessed first, if it is.
pub(super) fn of_password(password: &str) -> Option<&'static str> {
    let text: Vec<char> = password.to_lowercase().chars().collect();
    let mut kinds = text.clone();
    kinds.sort_unstable();
    kinds.dedup();
    if kinds.len() < 5 {
        return Some("a password of fewer than five different characters is guessed first; choose another");
    }
    if period(&text) <= text.len() / 2 {
        return Some("a password that repeats itself is guessed first; choose another");
    }
    if is_rows(&text) {
        return Some("a password along the keys or the alphabet is guessed first; choose another");
    }
    let is_common = [Reading::Letters, Reading::LookAlikes].into_iter().any(|reading| {
        let letters = core(&text, reading);
        let word: String = letters.iter().collect();
        !letters.is_empty()
            && (COMMON.contains(word.as_str())
                || fewest_words(&letters).is_some_and(|words| words <= WORDS_MOST))
    });
    let is_common = is_common || COMMON.contains(text.iter().collect::<String>().as_str());
    is_common.then_some("a password made of common words and digits is guessed first; choose another")
}

/// Whether a PIN is guessed first: one digit or two, a row, or something twice.
pub(super) fn is_pin(digits: &[u8]) -> bool {
    let mut kinds = digits.to_vec();
    kinds.sort_unstable();
    kinds.dedup();
    let steps = |by: u8| digits.windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == by);
    kinds.len() < 3 || steps(1) || steps(u8::MAX) || period(digits) <= digits.len() / 2
}

/// The length of the shortest piece of which the whole is made, the last one perhaps cut off.
fn period<T: PartialEq>(text: &[T]) -> usize {
    let repeats = |piece: &usize| text.iter().zip(text.iter().skip(*piece)).all(|(one, other)| one == other);
    (1..text.len()).find(repeats).unwrap_or(text.len())
}

/// Whether all of it is parts of rows, forwards or backwards.
fn is_rows(text: &[char]) -> bool {
    let mut rest: &[char] = text;
    while !rest.is_empty() {
        let longest = (ROW..=rest.len()).rev().find(|length| {
            let part: String = rest.iter().take(*length).collect();
            let turned: String = part.chars().rev().collect();
            ROWS.iter().any(|row| row.contains(&part) || row.contains(&turned))
        });
        match longest {
            Some(length) => rest = rest.get(length..).unwrap_or_default(),
            // A sign or two at the end change nothing.
            None => return rest.len() <= 2 && rest.len() < text.len(),
        }
    }
    true
}

/// How signs among the letters are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// They are left out.
    Letters,
    /// They stand for the letters that they look like, but at the ends.
    LookAlikes,
}

/// The letters of a password.
fn core(text: &[char], reading: Reading) -> Vec<char> {
    let is_letter = |c: &char| c.is_alphabetic();
    let (Some(first), Some(last)) = (text.iter().position(is_letter), text.iter().rposition(is_letter))
    else {
        return Vec::new();
    };
    let within = text.get(first..=last).unwrap_or_default();
    within
        .iter()
        .filter_map(|c| match (c, reading) {
            (c, _) if c.is_alphabetic() => Some(*c),
            ('@' | '4', Reading::LookAlikes) => Some('a'),
            ('3', Reading::LookAlikes) => Some('e'),
            ('1' | '!' | '|', Reading::LookAlikes) => Some('i'),
            ('0', Reading::LookAlikes) => Some('o'),
            ('$' | '5', Reading::LookAlikes) => Some('s'),
            ('7' | '+', Reading::LookAlikes) => Some('t'),
            _ => None,
        })
        .collect()
}

/// How few of the words make up all of it; nothing if they do not.
fn fewest_words(letters: &[char]) -> Option<usize> {
    let mut fewest: Vec<Option<usize>> = vec![None; letters.len() + 1];
    fewest[0] = Some(0);
    for end in 1..=letters.len() {
        fewest[end] = WORDS
            .iter()
            .filter_map(|word| {
                let begin = end.checked_sub(word.len())?;
                let fits = letters[begin..end].iter().copied().eq(word.chars());
                if fits { fewest[begin].map(|before| before + 1) } else { None }
            })
            .min();
    }
    fewest[letters.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_guessed_first_is_refused() {
        for weak in [
            "Password123!",
            "p@ssw0rd2024",
            "PASSWORD-password",
            "welcome2casino",
            "123!Croupier?456",
            "Dragon Tiger 888",
            "adminadmin1",
            "letmein2026",
            "aaaaaaaaaa",
            "1212121212",
            "xyzwxyzwxyzw",
            "violinviolin",
            "1234567890",
            "9876543210!",
            "qwertyuiop",
            "1qaz2wsx3edc",
            "abcdefghijkl",
            "qwerty12345",
            // Of the list, plain and decorated.
            "basketball1",
            "manchester",
            "2024Manchester!",
            "m@nch3ster2024",
            "butterfly#77",
        ] {
            assert!(of_password(weak).is_some(), "{weak}");
        }
        for good in [
            "seven quiet violins",
            "a long enough password",
            "eight of spades",
            "correct horse battery staple",
            "Tr0ub4dor&3x",
            "mđ5 quý khách vui",
            "baccarat at dawn by the sea",
        ] {
            assert_eq!(of_password(good), None, "{good}");
        }
    }

    #[test]
    fn the_list_is_there_whole() {
        assert_eq!(COMMON.len(), 21_199);
    }

    #[test]
    fn pins_that_are_guessed_first() {
        for weak in ["111111", "123456", "987654", "121212", "123123", "112112", "1231231"] {
            assert!(is_pin(weak.as_bytes()), "{weak}");
        }
        for good in ["482915", "729164", "493817", "123457", "1122334"] {
            assert!(!is_pin(good.as_bytes()), "{good}");
        }
    }

    #[test]
    fn a_password_of_any_length_is_judged_at_once() {
        let long: String = "passwordx".repeat(28);
        assert!(long.len() <= 256);
        assert!(of_password(&long).is_some());
    }
}
