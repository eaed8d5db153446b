//! What a provider signed: a JSON Web Signature by RS256 or ES256, checked against the keys that the provider publishes.
//!
//! Only these two are known, whatever a token says of itself: neither `none` nor a shared secret can be slipped in. What
//! is signed is not looked at here.

use data_encoding::BASE64URL_NOPAD;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};
use serde::Deserialize;

/// The keys of a provider.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Keys {
    keys: Vec<Key>,
}

/// One of them; those of other kinds are passed over.
#[derive(Clone, Debug, Deserialize)]
struct Key {
    kty: String,
    #[serde(default)]
    kid: Option<String>,
    #[serde(default, rename = "use")]
    used_for: Option<String>,
    #[serde(default)]
    alg: Option<String>,
    #[serde(default)]
    crv: Option<String>,
    #[serde(default)]
    n: String,
    #[serde(default)]
    e: String,
    #[serde(default)]
    x: String,
    #[serde(default)]
    y: String,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    #[serde(default)]
    kid: Option<String>,
    /// Extensions that must be understood: none is.
    #[serde(default)]
    crit: Option<serde_json::Value>,
}

/// Why a signature does not hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum BadSignature {
    /// It is not three parts in base64url, or they are not what they should be.
    #[error("it is not a signed token")]
    Form,
    /// It is signed by an algorithm that is not accepted.
    #[error("it is signed by `{0}`, and RS256 or ES256 is accepted")]
    Algorithm(String),
    /// The provider publishes no such key.
    #[error("it is signed with a key that the provider does not publish")]
    UnknownKey,
    /// The signature is another's, or something was changed.
    #[error("its signature does not fit")]
    Wrong,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Algorithm {
    Rs256,
    Es256,
}

impl Algorithm {
    const fn name(self) -> &'static str {
        match self {
            Self::Rs256 => "RS256",
            Self::Es256 => "ES256",
        }
    }
}

impl Key {
    fn is_for(&self, algorithm: Algorithm) -> bool {
        let kind = match algorithm {
            Algorithm::Rs256 => self.kty == "RSA",
            Algorithm::Es256 => self.kty == "EC" && self.crv.as_deref() == Some("P-256"),
        };
        kind && self.used_for.as_deref().is_none_or(|used| used == "sig")
            && self.alg.as_deref().is_none_or(|alg| alg == algorithm.name())
    }

    fn has_signed(&self, algorithm: Algorithm, message: &[u8], signature: &[u8]) -> bool {
        let read = |text: &str| BASE64URL_NOPAD.decode(text.as_bytes()).unwrap_or_default();
        match algorithm {
            Algorithm::Rs256 => {
                let (n, e) = (read(&self.n), read(&self.e));
                let first = n.iter().position(|byte| *byte != 0).unwrap_or(n.len());
                let key = RsaPublicKeyComponents { n: &n[first..], e: &e };
                key.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature).is_ok()
            }
            Algorithm::Es256 => {
                let point = [&[4], read(&self.x).as_slice(), read(&self.y).as_slice()].concat();
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(message, signature).is_ok()
            }
        }
    }
}

impl Keys {
    /// What a token says, if one of the keys has signed it.
    pub(super) fn open(&self, token: &str) -> Result<Vec<u8>, BadSignature> {
        let read = |text: &str| BASE64URL_NOPAD.decode(text.as_bytes()).map_err(|_| BadSignature::Form);
        let (message, signature) = token.rsplit_once('.').ok_or(BadSignature::Form)?;
        let (header, says) = message.split_once('.').ok_or(BadSignature::Form)?;
        let header: Header = serde_json::from_slice(&read(header)?).map_err(|_| BadSignature::Form)?;
        if header.crit.is_some() {
            return Err(BadSignature::Form);
        }
        let algorithm = match header.alg.as_str() {
            "RS256" => Algorithm::Rs256,
            "ES256" => Algorithm::Es256,
            other => return Err(BadSignature::Algorithm(other.chars().take(20).collect())),
        };
        let named = |key: &&Key| header.kid.is_none() || key.kid == header.kid;
        let mut fits = self.keys.iter().filter(|key| key.is_for(algorithm)).filter(named).peekable();
        if fits.peek().is_none() {
            return Err(BadSignature::UnknownKey);
        }
        let (signature, says) = (read(signature)?, read(says)?);
        match fits.any(|key| key.has_signed(algorithm, message.as_bytes(), &signature)) {
            true => Ok(says),
            false => Err(BadSignature::Wrong),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7515, appendix A.3, and its key.
    const TOKEN: &str = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";
    const KEYS: &str = r#"{"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "a"}, {"kty": "EC", "crv": "P-256",
        "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}"#;

    fn keys(text: &str) -> Keys {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn the_example_of_the_standard_holds_and_nothing_like_it() {
        let says = keys(KEYS).open(TOKEN).unwrap();
        assert!(String::from_utf8(says).unwrap().starts_with("{\"iss\":\"joe\""));
        let changed = TOKEN.replacen("eyJpc3MiOiJqb2Ui", "eyJpc3MiOiJqb2Uj", 1);
        assert_eq!(keys(KEYS).open(&changed), Err(BadSignature::Wrong));
        let cut = TOKEN.trim_end_matches(|c| c != '.');
        assert_eq!(keys(KEYS).open(cut), Err(BadSignature::Wrong));
        assert_eq!(keys("{\"keys\": []}").open(TOKEN), Err(BadSignature::UnknownKey));
        assert_eq!(keys(&KEYS.replace("P-256", "P-384")).open(TOKEN), Err(BadSignature::UnknownKey));
        assert_eq!(keys(KEYS).open("a.b"), Err(BadSignature::Form));
    }

    #[test]
    fn a_token_does_not_choose_how_it_is_checked() {
        for (header, expected) in [
            (r#"{"alg":"none"}"#, BadSignature::Algorithm("none".to_string())),
            (r#"{"alg":"HS256"}"#, BadSignature::Algorithm("HS256".to_string())),
            (r#"{"alg":"RS256"}"#, BadSignature::UnknownKey),
            (r#"{"alg":"ES256","kid":"other"}"#, BadSignature::UnknownKey),
            (r#"{"alg":"ES256","crit":["exp"]}"#, BadSignature::Form),
        ] {
            let rest = TOKEN.split_once('.').unwrap().1;
            let token = format!("{}.{rest}", BASE64URL_NOPAD.encode(header.as_bytes()));
            assert_eq!(keys(KEYS).open(&token), Err(expected), "{header}");
        }
    }
}
