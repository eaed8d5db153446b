//! Passkeys (WebAuthn): ES256 keys that a device or a browser holds, each for one host name.
//!
//! Nothing is asked about the make of a device (attestation `none`). What a device signs names the host that it signs for,
//! so nobody can be led to show a passkey to another site. Neither sockets nor the clock are known here.

use data_encoding::BASE64URL_NOPAD;
use ring::digest::{SHA256, digest};
use ring::signature::{ECDSA_P256_SHA256_ASN1, UnparsedPublicKey};
use serde::{Deserialize, Serialize};

/// The user was there.
const PRESENT: u8 = 0x01;
/// A new key comes with it.
const ATTESTED: u8 = 0x40;
/// The longest id of a key, as the standard has it.
const LONGEST_ID: usize = 1_023;
/// How an ES256 key begins in the one form that CTAP2 allows: a map of five, EC2, ES256, P-256, and x of 32 bytes.
const BEFORE_X: [u8; 10] = [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20];
/// And what stands before y of 32 bytes.
const BEFORE_Y: [u8; 3] = [0x22, 0x58, 0x20];

/// A random number that is signed once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::people) struct Challenge(pub(in crate::people) [u8; 32]);

impl Challenge {
    pub(in crate::people) fn text(&self) -> String {
        BASE64URL_NOPAD.encode(&self.0)
    }
}

/// What a browser answers when a passkey is made; texts in base64url.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPasskey {
    /// `clientDataJSON`.
    #[schema(max_length = 4096)]
    pub client_data: String,
    /// The authenticator data, as `getAuthenticatorData()` gives it.
    #[schema(max_length = 4096)]
    pub authenticator_data: String,
}

/// What a browser answers when a passkey is shown; texts in base64url.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasskeyProof {
    /// The id of the key.
    #[schema(max_length = 2048)]
    pub id: String,
    /// `clientDataJSON`.
    #[schema(max_length = 4096)]
    pub client_data: String,
    /// The authenticator data.
    #[schema(max_length = 4096)]
    pub authenticator_data: String,
    /// The signature.
    #[schema(max_length = 512)]
    pub signature: String,
}

/// Why a passkey is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(in crate::people) enum Unfit {
    /// A text is not base64url, or not of the form that the standard gives it.
    #[error("what the browser sent is not understood")]
    Form,
    /// It answers another question.
    #[error("it answers another challenge")]
    Challenge,
    /// It was made on a page of another host.
    #[error("it was made on a page of another site")]
    Origin,
    /// It is for another host.
    #[error("it is for another host")]
    Host,
    /// Nobody touched the device.
    #[error("nobody touched the device")]
    Absent,
    /// The key is of another kind.
    #[error("only ES256 keys are taken")]
    Kind,
    /// The signature is of another key, or of something else.
    #[error("the signature does not fit")]
    Signature,
    /// The counter of the key went back: there are two of it.
    #[error("the key was copied")]
    Copied,
}

/// A passkey that was enrolled.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::people) struct Passkey {
    /// Its number among those of a person.
    pub(in crate::people) number: u32,
    /// What its owner calls it.
    pub(in crate::people) label: String,
    /// When it was enrolled, in milliseconds since 1970.
    pub(in crate::people) made: u64,
    /// Its id in base64url.
    pub(in crate::people) id: String,
    /// The host that it is for.
    pub(in crate::people) host: String,
    /// The public key, as an uncompressed point in base64url.
    key: String,
    /// How often it has signed, if it counts.
    counter: u32,
}

/// What the browser says that it was asked.
#[derive(Deserialize)]
struct ClientData {
    #[serde(rename = "type")]
    kind: String,
    challenge: String,
    origin: String,
    #[serde(default, rename = "crossOrigin")]
    cross_origin: bool,
}

/// The beginning of what a device says.
struct Said<'a> {
    flags: u8,
    counter: u32,
    rest: &'a [u8],
}

impl Passkey {
    /// A passkey that was just made for a host.
    pub(in crate::people) fn new(
        answer: &NewPasskey,
        challenge: Challenge,
        host: &str,
        (number, label, made): (u32, String, u64),
    ) -> Result<Self, Unfit> {
        asked(&decoded(&answer.client_data)?, "webauthn.create", challenge, host)?;
        let data = decoded(&answer.authenticator_data)?;
        let said = said(&data, host)?;
        if said.flags & ATTESTED == 0 {
            return Err(Unfit::Form);
        }
        // After the model of the device, which nobody asks for.
        let rest = said.rest.get(16..).ok_or(Unfit::Form)?;
        let (length, rest) = rest.split_first_chunk::<2>().ok_or(Unfit::Form)?;
        let length = usize::from(u16::from_be_bytes(*length));
        let (id, key) = rest.split_at_checked(length).filter(|_| length <= LONGEST_ID).ok_or(Unfit::Form)?;
        let key = point(key).ok_or(Unfit::Kind)?;
        Ok(Self {
            number,
            label,
            made,
            id: BASE64URL_NOPAD.encode(id),
            host: host.to_string(),
            key: BASE64URL_NOPAD.encode(&key),
            counter: said.counter,
        })
    }

    /// The passkey after it was shown.
    pub(in crate::people) fn shown(&self, proof: &PasskeyProof, challenge: Challenge) -> Result<Self, Unfit> {
        let client_data = decoded(&proof.client_data)?;
        asked(&client_data, "webauthn.get", challenge, &self.host)?;
        let data = decoded(&proof.authenticator_data)?;
        let Said { counter, .. } = said(&data, &self.host)?;
        let signed = [data.as_slice(), digest(&SHA256, &client_data).as_ref()].concat();
        let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, decoded(&self.key)?);
        key.verify(&signed, &decoded(&proof.signature)?).map_err(|_| Unfit::Signature)?;
        // Keys that are the same on several devices do not count at all.
        if (counter != 0 || self.counter != 0) && counter <= self.counter {
            return Err(Unfit::Copied);
        }
        Ok(Self { counter, ..self.clone() })
    }
}

fn decoded(text: &str) -> Result<Vec<u8>, Unfit> {
    BASE64URL_NOPAD.decode(text.as_bytes()).map_err(|_| Unfit::Form)
}

/// Checks what the browser was asked, and on which page.
fn asked(client_data: &[u8], kind: &str, challenge: Challenge, host: &str) -> Result<(), Unfit> {
    let said: ClientData = serde_json::from_slice(client_data).map_err(|_| Unfit::Form)?;
    if said.kind != kind {
        return Err(Unfit::Form);
    }
    if said.challenge != challenge.text() {
        return Err(Unfit::Challenge);
    }
    if said.cross_origin || !is_of(&said.origin, host) {
        return Err(Unfit::Origin);
    }
    Ok(())
}

/// Whether an origin is a page of a host; without TLS only on the machine itself.
fn is_of(origin: &str, host: &str) -> bool {
    let rest = match origin.strip_prefix("https://") {
        Some(rest) => rest,
        None => match origin.strip_prefix("http://").filter(|_| is_this_machine(host)) {
            Some(rest) => rest,
            None => return false,
        },
    };
    let (name, port) = rest.split_once(':').unwrap_or((rest, "443"));
    name == host && !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.ends_with(".localhost")
}

/// The host that passkeys are for, from a host and its port; none where browsers make none, such as for an address.
pub(in crate::people) fn host_for(host: &str) -> Option<String> {
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name).to_ascii_lowercase();
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b".-".contains(&byte);
    let is_name = !name.is_empty() && name.bytes().all(fits) && name.parse::<std::net::IpAddr>().is_err();
    is_name.then_some(name)
}

/// Checks for which host a device speaks and that somebody is there.
fn said<'a>(data: &'a [u8], host: &str) -> Result<Said<'a>, Unfit> {
    let (hash, rest) = data.split_first_chunk::<32>().ok_or(Unfit::Form)?;
    if hash != digest(&SHA256, host.as_bytes()).as_ref() {
        return Err(Unfit::Host);
    }
    let (flags, rest) = rest.split_first().ok_or(Unfit::Form)?;
    let (counter, rest) = rest.split_first_chunk::<4>().ok_or(Unfit::Form)?;
    if flags & PRESENT == 0 {
        return Err(Unfit::Absent);
    }
    Ok(Said { flags: *flags, counter: u32::from_be_bytes(*counter), rest })
}

/// An ES256 key in its CBOR form, as an uncompressed point.
fn point(key: &[u8]) -> Option<[u8; 65]> {
    let rest = key.strip_prefix(&BEFORE_X)?;
    let (x, rest) = rest.split_first_chunk::<32>()?;
    let (y, _) = rest.strip_prefix(&BEFORE_Y)?.split_first_chunk::<32>()?;
    let mut point = [4; 65];
    point.iter_mut().skip(1).zip(x.iter().chain(y)).for_each(|(place, byte)| *place = *byte);
    Some(point)
}

#[cfg(test)]
mod tests {
    use ring::rand::SystemRandom;
    use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
    use serde_json::json;

    use super::*;

    const HOST: &str = "floor.example";
    const ORIGIN: &str = "https://floor.example";
    const ASKED: Challenge = Challenge([7; 32]);

    /// A device with one key.
    struct Device(EcdsaKeyPair);

    fn text(bytes: &[u8]) -> String {
        BASE64URL_NOPAD.encode(bytes)
    }

    fn client_data(kind: &str, challenge: Challenge, origin: &str) -> String {
        text(json!({"type": kind, "challenge": challenge.text(), "origin": origin}).to_string().as_bytes())
    }

    fn data(host: &str, flags: u8, counter: u32) -> Vec<u8> {
        let hash = digest(&SHA256, host.as_bytes());
        [hash.as_ref(), &[flags], &counter.to_be_bytes()].concat()
    }

    impl Device {
        fn new() -> Self {
            let random = SystemRandom::new();
            let kept = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
            Self(EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, kept.as_ref(), &random).unwrap())
        }

        fn attested(&self, host: &str, flags: u8) -> Vec<u8> {
            let (x, y) = self.0.public_key().as_ref()[1..].split_at(32);
            let key = [BEFORE_X.as_slice(), x, &BEFORE_Y, y].concat();
            [data(host, flags, 0).as_slice(), &[0; 16], &[0, 3], b"abc", &key].concat()
        }

        fn makes(&self, challenge: Challenge, origin: &str, host: &str, flags: u8) -> Result<Passkey, Unfit> {
            let answer = NewPasskey {
                client_data: client_data("webauthn.create", challenge, origin),
                authenticator_data: text(&self.attested(host, flags)),
            };
            Passkey::new(&answer, ASKED, HOST, (1, "key".to_string(), 5))
        }

        fn shows(&self, data: &[u8], client_data: String) -> PasskeyProof {
            let hash = digest(&SHA256, &decoded(&client_data).unwrap());
            let signed = [data, hash.as_ref()].concat();
            let signature = self.0.sign(&SystemRandom::new(), &signed).unwrap();
            PasskeyProof {
                id: text(b"abc"),
                client_data,
                authenticator_data: text(data),
                signature: text(signature.as_ref()),
            }
        }
    }

    #[test]
    fn a_passkey_is_made_for_this_host_on_its_own_page() {
        let device = Device::new();
        let made = device.makes(ASKED, ORIGIN, HOST, 0x41).unwrap();
        assert_eq!((made.id.as_str(), made.host.as_str(), made.counter), ("YWJj", HOST, 0));
        assert!(device.makes(ASKED, "https://floor.example:8443", HOST, 0x45).is_ok());
        for (challenge, origin, host, flags, expected) in [
            (Challenge([8; 32]), ORIGIN, HOST, 0x41, Unfit::Challenge),
            (ASKED, "https://evil.example", HOST, 0x41, Unfit::Origin),
            (ASKED, "http://floor.example", HOST, 0x41, Unfit::Origin),
            (ASKED, "https://floor.example.evil", HOST, 0x41, Unfit::Origin),
            (ASKED, "https://floor.example:x", HOST, 0x41, Unfit::Origin),
            (ASKED, ORIGIN, "evil.example", 0x41, Unfit::Host),
            (ASKED, ORIGIN, HOST, 0x40, Unfit::Absent),
            (ASKED, ORIGIN, HOST, 0x01, Unfit::Form),
        ] {
            assert_eq!(
                device.makes(challenge, origin, host, flags),
                Err(expected),
                "{origin} {host} {flags}"
            );
        }
    }

    #[test]
    fn whatever_comes_is_a_fault_and_no_panic() {
        let device = Device::new();
        let whole = device.attested(HOST, 0x41);
        for length in 0..whole.len() {
            let answer = NewPasskey {
                client_data: client_data("webauthn.create", ASKED, ORIGIN),
                authenticator_data: text(&whole[..length]),
            };
            assert!(Passkey::new(&answer, ASKED, HOST, (1, String::new(), 0)).is_err(), "{length}");
        }
        let mut other = whole;
        // Another algorithm.
        let at = other.len() - 77 + 4;
        other[at] = 0x27;
        let answer = NewPasskey {
            client_data: client_data("webauthn.create", ASKED, ORIGIN),
            authenticator_data: text(&other),
        };
        assert_eq!(Passkey::new(&answer, ASKED, HOST, (1, String::new(), 0)), Err(Unfit::Kind));
    }

    #[test]
    fn a_passkey_is_shown_by_a_signature_over_what_was_asked() {
        let (device, stranger) = (Device::new(), Device::new());
        let made = device.makes(ASKED, ORIGIN, HOST, 0x41).unwrap();
        let get = |challenge, origin| client_data("webauthn.get", challenge, origin);
        let here = data(HOST, 0x05, 0);
        let check = |proof: PasskeyProof| made.shown(&proof, ASKED).map(|after| after.counter);
        assert_eq!(check(device.shows(&here, get(ASKED, ORIGIN))), Ok(0));
        assert_eq!(check(stranger.shows(&here, get(ASKED, ORIGIN))), Err(Unfit::Signature));
        assert_eq!(check(device.shows(&here, get(Challenge([8; 32]), ORIGIN))), Err(Unfit::Challenge));
        assert_eq!(check(device.shows(&here, get(ASKED, "https://evil.example"))), Err(Unfit::Origin));
        assert_eq!(
            check(device.shows(&here, client_data("webauthn.create", ASKED, ORIGIN))),
            Err(Unfit::Form)
        );
        assert_eq!(check(device.shows(&data("evil.example", 5, 0), get(ASKED, ORIGIN))), Err(Unfit::Host));
        assert_eq!(check(device.shows(&data(HOST, 4, 0), get(ASKED, ORIGIN))), Err(Unfit::Absent));
        let mut changed = device.shows(&here, get(ASKED, ORIGIN));
        changed.authenticator_data = text(&data(HOST, 0x05, 9));
        assert_eq!(check(changed), Err(Unfit::Signature));
    }

    #[test]
    fn a_counter_never_goes_back() {
        let device = Device::new();
        let made = device.makes(ASKED, ORIGIN, HOST, 0x41).unwrap();
        let show = |made: &Passkey, counter| {
            let proof = device.shows(&data(HOST, 1, counter), client_data("webauthn.get", ASKED, ORIGIN));
            made.shown(&proof, ASKED)
        };
        let after = show(&made, 5).unwrap();
        for (counter, expected) in [(4, false), (5, false), (6, true), (0, false)] {
            assert_eq!(show(&after, counter).is_ok(), expected, "{counter}");
        }
    }

    #[test]
    fn passkeys_are_for_names() {
        for (host, expected) in [
            ("floor.example", Some("floor.example")),
            ("Floor.Example:8443", Some("floor.example")),
            ("localhost:8080", Some("localhost")),
            ("127.0.0.1:8080", None),
            ("[::1]:8080", None),
            ("", None),
        ] {
            assert_eq!(host_for(host).as_deref(), expected, "{host}");
        }
        assert!(is_of("http://localhost:8080", "localhost"));
        assert!(!is_of("http://floor.example:8080", "floor.example"));
    }
}
