//! One-time codes of an authenticator app: RFC 6238 with SHA-1, six digits and 30 seconds, which is what every app knows.

use core::fmt;

use data_encoding::BASE32_NOPAD;
use qrcode::{Color, EcLevel, QrCode};
use ring::hmac;
use serde::{Deserialize, Serialize};

/// How long a code is shown, in milliseconds.
const STEP: u64 = 30_000;
/// Digits of a code.
const DIGITS: usize = 6;

/// What an app and the server both know, in base 32 as apps read it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(in crate::people) struct Shared([u8; 20]);

impl Shared {
    pub(in crate::people) const fn new(bytes: [u8; 20]) -> Self {
        Self(bytes)
    }

    /// The secret as it is typed into an app.
    pub(in crate::people) fn text(&self) -> String {
        BASE32_NOPAD.encode(&self.0)
    }

    fn code(&self, step: u64) -> u32 {
        code(&self.0, step, 10_u32.pow(6))
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shared(…)")
    }
}

impl TryFrom<String> for Shared {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let bytes = BASE32_NOPAD.decode(text.as_bytes()).ok();
        bytes.and_then(|bytes| bytes.try_into().ok()).map(Self).ok_or("no secret of 20 bytes in base 32")
    }
}

impl From<Shared> for String {
    fn from(shared: Shared) -> Self {
        shared.text()
    }
}

/// The code of RFC 4226 at a counter, below a power of ten.
fn code(secret: &[u8], counter: u64, below: u32) -> u32 {
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, secret);
    let tag = hmac::sign(&key, &counter.to_be_bytes());
    let tag = tag.as_ref();
    // The last half byte says where in the 20 bytes the four are that count.
    let at = tag.last().map_or(0, |last| usize::from(last & 0x0f));
    let four = tag.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
    (u32::from_be_bytes(four) & 0x7fff_ffff) % below
}

/// An authenticator app that was enrolled.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::people) struct Totp {
    shared: Shared,
    /// The step of the last code that was taken: that one, and those before it, are not taken again.
    last: u64,
}

impl Totp {
    /// An app that nobody has shown a code of yet.
    pub(in crate::people) const fn new(shared: Shared) -> Self {
        Self { shared, last: 0 }
    }

    /// The app after it has shown this code; none if the code is not of this step or of the one before or after it, or
    /// was taken before.
    pub(in crate::people) fn shown(&self, typed: &str, now: u64) -> Option<Self> {
        let digits: String = typed.chars().filter(|c| !c.is_whitespace()).collect();
        if digits.len() != DIGITS || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let typed: u32 = digits.parse().ok()?;
        let step = now / STEP;
        let near = [step.saturating_sub(1), step, step.saturating_add(1)];
        let fits = near.into_iter().find(|near| *near > self.last && self.shared.code(*near) == typed)?;
        Some(Self { shared: self.shared.clone(), last: fits })
    }
}

/// What an app reads from a picture: `otpauth://totp/…`.
pub(in crate::people) fn uri(issuer: &str, name: &str, shared: &Shared) -> String {
    let (issuer, name) = (encoded(issuer), encoded(name));
    let secret = shared.text();
    format!(
        "otpauth://totp/{issuer}:{name}?secret={secret}&issuer={issuer}&algorithm=SHA1&digits=6&period=30"
    )
}

fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// A QR code as its width in modules and the path of an SVG that draws the dark ones.
pub(in crate::people) fn picture(text: &str) -> Option<(usize, String)> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    let width = code.width();
    let mut path = String::new();
    for (y, row) in code.to_colors().chunks(width).enumerate() {
        for (x, _) in row.iter().enumerate().filter(|(_, colour)| **colour == Color::Dark) {
            path.push_str(&format!("M{x} {y}h1v1h-1z"));
        }
    }
    Some((width, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &[u8; 20] = b"12345678901234567890";

    /// Appendix B of RFC 6238, SHA-1, with its eight digits.
    #[test]
    fn codes_are_those_of_the_rfc() {
        for (seconds, expected) in [
            (59_u64, 94_287_082_u32),
            (1_111_111_109, 7_081_804),
            (1_111_111_111, 14_050_471),
            (1_234_567_890, 89_005_924),
            (2_000_000_000, 69_279_037),
            (20_000_000_000, 65_353_130),
        ] {
            assert_eq!(code(SECRET, seconds / 30, 100_000_000), expected, "at {seconds}");
        }
    }

    /// Appendix D of RFC 4226.
    #[test]
    fn codes_of_six_digits_are_those_of_the_rfc() {
        let expected =
            [755_224, 287_082, 359_152, 969_429, 338_314, 254_676, 287_922, 162_583, 399_871, 520_489];
        for (counter, expected) in (0..).zip(expected) {
            assert_eq!(code(SECRET, counter, 1_000_000), expected, "{counter}");
        }
    }

    #[test]
    fn a_code_fits_its_step_and_the_two_beside_it() {
        let app = Totp::new(Shared::new(*SECRET));
        // 287082 is the code of step 1, from 30 to 60 seconds.
        for (now, fits) in
            [(0, true), (29_999, true), (30_000, true), (59_999, true), (89_999, true), (90_000, false)]
        {
            assert_eq!(app.shown("287082", now).is_some(), fits, "at {now}");
        }
        assert!(app.shown("287 082", 30_000).is_some(), "apps show it in two groups");
        for wrong in ["287083", "87082", "0287082", "28708x", "", "２８７０８２"] {
            assert_eq!(app.shown(wrong, 30_000), None, "{wrong}");
        }
    }

    #[test]
    fn no_code_is_taken_twice_nor_one_before_it() {
        let app = Totp::new(Shared::new(*SECRET));
        let after = app.shown("359152", 60_000).unwrap();
        assert_eq!(after.last, 2);
        assert_eq!(after.shown("359152", 60_000), None);
        assert_eq!(after.shown("287082", 60_000), None, "the one before it, which was shown too");
        assert_eq!(after.shown("969429", 60_000).unwrap().last, 3);
    }

    #[test]
    fn what_is_kept_comes_back_and_is_not_printed() {
        let app = Totp { shared: Shared::new(*SECRET), last: 7 };
        let text = serde_json::to_string(&app).unwrap();
        assert_eq!(text, r#"{"shared":"GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ","last":7}"#);
        assert_eq!(serde_json::from_str::<Totp>(&text).unwrap(), app);
        assert!(!format!("{app:?}").contains("GEZD"));
        assert!(serde_json::from_str::<Totp>(r#"{"shared":"GEZD","last":7}"#).is_err());
    }

    #[test]
    fn an_app_reads_the_address() {
        let shared = Shared::new(*SECRET);
        assert_eq!(
            uri("Croupier floor:8", "mai@pit", &shared),
            "otpauth://totp/Croupier%20floor%3A8:mai%40pit?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\
             &issuer=Croupier%20floor%3A8&algorithm=SHA1&digits=6&period=30"
        );
        let (width, path) = picture(&uri("Croupier", "mai", &shared)).unwrap();
        assert!(width >= 33 && path.starts_with("M0 0h1v1h-1z"), "{width}");
    }
}
