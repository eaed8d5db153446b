//! Second factors: enrolling, signing in in two steps, recovery codes, who must have one, and resetting; and the sign-in
//! before, which is told.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on stops")]

#[expect(dead_code, reason = "this test uses its part of it")]
mod site;

use std::path::Path;

use croupier_server::clock;
use croupier_server::people::{Grant, SecondFactor};
use data_encoding::{BASE32_NOPAD, BASE64URL_NOPAD};
use ring::digest::{SHA256, digest};
use ring::hmac;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};
use site::{Got, PASSWORD, Site, Someone, config};

/// An authenticator app, written from the RFC: it knows the secret that it was told, and the time.
struct Phone {
    secret: Vec<u8>,
}

impl Phone {
    fn told(body: &Value) -> Self {
        Self { secret: BASE32_NOPAD.decode(body["secret"].as_str().unwrap().as_bytes()).unwrap() }
    }

    /// The code of some steps from now.
    fn code(&self, steps: i64) -> String {
        let step = i64::try_from(clock::now() / 30_000).unwrap() + steps;
        let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, &self.secret);
        let tag = hmac::sign(&key, &step.to_be_bytes());
        let at = usize::from(tag.as_ref()[19] & 15);
        let four: [u8; 4] = tag.as_ref()[at..at + 4].try_into().unwrap();
        format!("{:06}", (u32::from_be_bytes(four) & 0x7fff_ffff) % 1_000_000)
    }
}

/// Waits until a step has just begun, so that what a test does falls into one.
async fn early_in_a_step() {
    let late = clock::now() % 30_000;
    if late > 15_000 {
        tokio::time::sleep(std::time::Duration::from_millis(30_100 - late)).await;
    }
}

/// Enrols somebody with the code of the step before, so that this one's and the next one's are left.
async fn enrol(site: &Site, who: &mut Someone) -> (Phone, Vec<String>) {
    early_in_a_step().await;
    let got = site.ask(Some(who), "POST", "/api/me/factor/app", json!({"password": PASSWORD})).await;
    assert_eq!(got.status, 200, "{}", got.body);
    let phone = Phone::told(&got.body);
    let got = site.ask(Some(who), "PUT", "/api/me/factor/app", json!({"code": phone.code(-1)})).await;
    assert_eq!(got.status, 200, "{}", got.body);
    assert_eq!(got.body["me"]["factor"], json!({"app": true, "passkeys": [], "recovery_left": 10}));
    who.cookie.clone_from(&got.cookie);
    let codes = got.body["recovery"].as_array().unwrap();
    (phone, codes.iter().map(|code| code.as_str().unwrap().to_string()).collect())
}

async fn with_password(site: &Site, name: &str) -> Got {
    site.ask(None, "POST", "/api/sign-in", json!({"name": name, "password": PASSWORD})).await
}

async fn second(site: &Site, half: &Value, proof: Value) -> Got {
    site.ask(None, "POST", "/api/sign-in/second", json!({"half": half, "proof": proof})).await
}

/// Every register change that the house stream has, with what it says, but that they are sealed from the start.
fn recorded(site: &Site) -> Vec<String> {
    let told = |line: &Value| {
        let change = &line["deed"]["register"];
        change.is_object().then(|| {
            let part = |name: &str| change[name].as_str().unwrap_or_default().to_string();
            format!("{} {}: {}", part("register"), part("entry"), part("what"))
        })
    };
    site.lines().iter().filter_map(told).filter(|line| !line.starts_with("registers ")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_factor_the_password_is_half_of_it() {
    let site = Site::open().await;
    let mut ann = site.player("ann").await;
    let old = ann.clone();
    let got = site.ask(Some(&ann), "POST", "/api/me/factor/app", json!({"password": "a wrong one"})).await;
    assert_eq!(got.answer(), (403, "wrong-password"));
    let got = site.ask(Some(&ann), "PUT", "/api/me/factor/app", json!({"code": "123456"})).await;
    assert_eq!(got.answer(), (409, "not-enrolling"));
    let (phone, codes) = enrol(&site, &mut ann).await;
    assert_eq!(codes.len(), 10);
    assert_eq!(
        site.ask(Some(&old), "GET", "/api/me", Value::Null).await.status,
        401,
        "it was without a factor"
    );
    assert_eq!(site.ask(Some(&ann), "GET", "/api/me", Value::Null).await.status, 200);

    let half = with_password(&site, "ann").await;
    assert_eq!((half.status, half.cookie.as_str()), (202, ""), "no session before the second step");
    assert_eq!((&half.body["app"], &half.body["seconds"]), (&json!(true), &json!(300)));
    let half = &half.body["half"];
    let cookie = format!("croupier_session={}", half.as_str().unwrap());
    let thief = Someone { cookie, ..ann.clone() };
    assert_eq!(site.ask(Some(&thief), "GET", "/api/me", Value::Null).await.status, 401, "it opens nothing");

    assert_eq!(second(&site, half, json!({"code": phone.code(-1)})).await.answer(), (401, "wrong-code"));
    assert_eq!(second(&site, half, json!({"code": phone.code(2)})).await.answer(), (401, "wrong-code"));
    let got = second(&site, half, json!({"code": phone.code(0)})).await;
    assert_eq!(got.status, 200, "{}", got.body);
    ann.cookie = got.cookie;
    assert_eq!(site.ask(Some(&ann), "GET", "/api/me", Value::Null).await.status, 200);
    assert_eq!(second(&site, half, json!({"code": phone.code(1)})).await.answer(), (401, "sign-in-over"));

    // Whoever looks over a shoulder sees the same code.
    let half = with_password(&site, "ann").await.body["half"].clone();
    assert_eq!(second(&site, &half, json!({"code": phone.code(0)})).await.answer(), (401, "wrong-code"));
    assert_eq!(second(&site, &half, json!({"code": phone.code(1)})).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recovery_code_counts_once_and_is_on_record() {
    let site = Site::open().await;
    let mut ann = site.player("ann").await;
    let (phone, codes) = enrol(&site, &mut ann).await;
    let half = with_password(&site, "ann").await.body["half"].clone();
    let got = second(&site, &half, json!({"recovery": codes[3].to_uppercase()})).await;
    assert_eq!((got.status, &got.body["factor"]["recovery_left"]), (200, &json!(9)));
    let half = with_password(&site, "ann").await.body["half"].clone();
    assert_eq!(second(&site, &half, json!({"recovery": codes[3]})).await.answer(), (401, "wrong-code"));
    let person = ann.id;
    assert_eq!(
        recorded(&site).split_off(1),
        [
            format!("factor {person}: authenticator app enrolled"),
            format!("factor {person}: recovery code used, 9 left")
        ]
    );

    let body = json!({"password": PASSWORD, "proof": {"recovery": codes[4]}});
    let got = site.ask(Some(&ann), "POST", "/api/me/factor/recovery", body).await;
    assert_eq!(got.body["recovery"].as_array().map(Vec::len), Some(10), "{}", got.body);
    assert_eq!(
        second(&site, &half, json!({"recovery": codes[5]})).await.status,
        401,
        "those before are void"
    );

    let remove = async |proof: Value| {
        let body = json!({"password": PASSWORD, "proof": proof});
        site.ask(Some(&ann), "POST", "/api/me/factor/remove", body).await
    };
    assert_eq!(remove(json!({"code": "000000"})).await.answer(), (403, "wrong-code"));
    let got = remove(json!({"code": phone.code(0)})).await;
    assert_eq!((got.status, &got.body["factor"]), (200, &Value::Null), "{}", got.body);
    assert_eq!(with_password(&site, "ann").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn codes_are_not_guessed() {
    let site = Site::open().await;
    let mut ann = site.player("ann").await;
    let (phone, _) = enrol(&site, &mut ann).await;
    let half = with_password(&site, "ann").await.body["half"].clone();
    for _ in 0..5 {
        assert_eq!(second(&site, &half, json!({"code": "12345"})).await.answer(), (401, "wrong-code"));
    }
    assert_eq!(second(&site, &half, json!({"code": phone.code(0)})).await.answer(), (429, "locked"));
    // A right password does not buy more guesses.
    let half = with_password(&site, "ann").await.body["half"].clone();
    assert_eq!(second(&site, &half, json!({"code": phone.code(0)})).await.answer(), (429, "locked"));
    let root = site.person("root", &[Grant::Admin]).await;
    let path = format!("/api/people/{}", ann.id);
    let shown = site.ask(Some(&root), "GET", &path, Value::Null).await.body;
    assert_eq!((&shown["locked"], &shown["has_factor"]), (&json!(true), &json!(true)));
    assert_eq!(site.ask(Some(&root), "PATCH", &path, json!({"unlock": true})).await.status, 200);
    assert_eq!(second(&site, &half, json!({"code": phone.code(0)})).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_is_taken_once_however_many_ask_at_once() {
    let site = std::sync::Arc::new(Site::open().await);
    let mut ann = site.player("ann").await;
    let (phone, _) = enrol(&site, &mut ann).await;
    let half = with_password(&site, "ann").await.body["half"].clone();
    let other = with_password(&site, "ann").await.body["half"].clone();
    let code = phone.code(0);
    let tries = [half.clone(), other.clone(), half, other].map(|half| {
        let (site, code) = (std::sync::Arc::clone(&site), code.clone());
        tokio::spawn(async move { second(&site, &half, json!({"code": code})).await.status })
    });
    let mut let_in = 0;
    for one in tries {
        let_in += usize::from(one.await.unwrap() == 200);
    }
    assert_eq!(let_in, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_must_have_a_factor_can_only_enrol() {
    let mut strict = config();
    strict.people.second_factor = SecondFactor(vec!["cashier".to_string(), "pit-manager".to_string()]);
    let site = Site::with(strict).await;
    let mut minh = site.person("minh", &[Grant::Cashier]).await;
    let (dealer, boss) = (site.staff("dao", "dealer").await, site.staff("pham", "pit-manager").await);
    let reads = async |who: &Someone, path: &str| site.ask(Some(who), "GET", path, Value::Null).await;
    assert_eq!(reads(&minh, "/api/cage").await.answer(), (403, "enrol-first"));
    assert_eq!(reads(&boss, "/api/tokens").await.answer(), (403, "enrol-first"));
    assert_eq!(reads(&dealer, "/api/tokens").await.status, 200);
    assert_eq!(reads(&minh, "/api/tables").await.status, 200, "what everybody sees");
    let me = reads(&minh, "/api/me").await;
    assert_eq!((me.status, &me.body["must_enrol"]), (200, &json!(true)));
    let session = reads(&minh, "/api/session").await;
    assert_eq!(session.body["me"]["must_enrol"], json!(true));
    for (method, path, body) in [
        ("PUT", "/api/me/duty", json!({"on": true})),
        ("PUT", "/api/me/pin", json!({"password": PASSWORD, "pin": "482915"})),
        (
            "POST",
            "/api/tokens",
            json!({"label": "x", "for": {"person": {"id": minh.id}}, "password": PASSWORD}),
        ),
        ("POST", "/api/cage/deposits", json!({"id": "one", "player": 1, "amount": 100})),
    ] {
        let got = site.ask(Some(&minh), method, path, body).await;
        assert_eq!(got.answer(), (403, "enrol-first"), "{method} {path}");
    }
    let (phone, _) = enrol(&site, &mut minh).await;
    assert_eq!(reads(&minh, "/api/cage").await.status, 200);
    let body = json!({"password": PASSWORD, "proof": {"code": phone.code(0)}});
    let got = site.ask(Some(&minh), "POST", "/api/me/factor/remove", body).await;
    assert_eq!((got.status, &got.body["must_enrol"]), (200, &json!(true)));
    assert_eq!(reads(&minh, "/api/cage").await.answer(), (403, "enrol-first"));
    assert_eq!(site.ask(Some(&boss), "POST", "/api/sign-out", Value::Null).await.status, 204);
    let policies: Vec<String> = recorded(&site);
    assert_eq!(policies[0], "policy second-factor: required of: cashier, pit-manager");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_policy_for_nobody_does_not_start() {
    let mut wrong = config();
    wrong.people.second_factor = SecondFactor(vec!["administrator".to_string()]);
    let error = croupier_server::App::start(wrong, None).await.map(drop).unwrap_err().to_string();
    assert!(error.starts_with("people.second_factor: `administrator` is neither"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_administrator_resets_the_factor_of_another() {
    let site = Site::open().await;
    let (mut ann, mut root) = (site.player("ann").await, site.person("root", &[Grant::Admin]).await);
    let path = format!("/api/people/{}/factor", ann.id);
    assert_eq!(site.ask(Some(&root), "DELETE", &path, Value::Null).await.answer(), (409, "no-factor"));
    enrol(&site, &mut ann).await;
    enrol(&site, &mut root).await;
    let got = site.ask(Some(&ann), "DELETE", &path, Value::Null).await;
    assert_eq!(got.answer(), (403, "not-allowed"));
    let own = format!("/api/people/{}/factor", root.id);
    assert_eq!(site.ask(Some(&root), "DELETE", &own, Value::Null).await.answer(), (403, "own-factor"));
    assert_eq!(site.ask(Some(&root), "DELETE", "/api/people/999/factor", Value::Null).await.status, 404);
    assert_eq!(site.ask(Some(&root), "DELETE", &path, Value::Null).await.status, 204);
    assert_eq!(site.ask(Some(&ann), "GET", "/api/me", Value::Null).await.status, 401, "the sessions ended");
    assert_eq!(with_password(&site, "ann").await.status, 200);
    assert_eq!(recorded(&site).last().unwrap(), &format!("factor {}: second factor reset", ann.id));
}

/// A device that holds one passkey, written from the standard.
struct Device {
    key: EcdsaKeyPair,
    counter: u32,
}

impl Device {
    fn new() -> Self {
        let random = SystemRandom::new();
        let kept = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, kept.as_ref(), &random).unwrap();
        Self { key, counter: 0 }
    }

    /// What it says of a host, and that somebody touched it.
    fn says(&mut self, host: &Value, flags: u8) -> Vec<u8> {
        self.counter += 1;
        let hash = digest(&SHA256, host.as_str().unwrap().as_bytes());
        [hash.as_ref(), &[flags], &self.counter.to_be_bytes()].concat()
    }

    fn makes(&mut self, asked: &Value) -> Value {
        let (x, y) = self.key.public_key().as_ref()[1..].split_at(32);
        let key = [b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20", x, b"\x22\x58\x20", y].concat();
        let data = [self.says(&asked["host"], 0x41).as_slice(), &[0; 16], &[0, 4], b"mine", &key].concat();
        let client = client_data("webauthn.create", asked);
        json!({"client_data": text(client.as_bytes()), "authenticator_data": text(&data)})
    }

    fn shows(&mut self, ask: &Value) -> Value {
        let data = self.says(&ask["host"], 0x01);
        let client = client_data("webauthn.get", ask);
        let signed = [data.as_slice(), digest(&SHA256, client.as_bytes()).as_ref()].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).unwrap();
        json!({"passkey": {
            "id": text(b"mine"), "client_data": text(client.as_bytes()), "authenticator_data": text(&data),
            "signature": text(signature.as_ref()),
        }})
    }
}

fn text(bytes: &[u8]) -> String {
    BASE64URL_NOPAD.encode(bytes)
}

fn client_data(kind: &str, asked: &Value) -> String {
    let origin = format!("https://{}:8080", asked["host"].as_str().unwrap());
    json!({"type": kind, "challenge": asked["challenge"], "origin": origin, "crossOrigin": false}).to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passkey_is_a_factor_too() {
    let site = Site::open().await;
    let mut ann = site.player("ann").await;
    let (mut device, mut stranger) = (Device::new(), Device::new());
    let begin = async |who: &Someone| {
        site.ask(Some(who), "POST", "/api/me/factor/passkeys/begin", json!({"password": PASSWORD})).await.body
    };
    let add = async |who: &Someone, passkey: Value| {
        let body = json!({"label": "Blue key", "passkey": passkey});
        site.ask(Some(who), "POST", "/api/me/factor/passkeys", body).await
    };
    let asked = begin(&ann).await;
    assert_eq!((&asked["host"], &asked["name"]), (&json!("floor"), &json!("ann")));
    let mut other = asked.clone();
    other["challenge"] = json!(text(&[9; 32]));
    assert_eq!(add(&ann, device.makes(&other)).await.answer(), (422, "bad-passkey"));
    assert_eq!(add(&ann, device.makes(&asked)).await.answer(), (409, "not-enrolling"), "it is answered once");
    let asked = begin(&ann).await;
    let got = add(&ann, device.makes(&asked)).await;
    assert_eq!((got.status, got.body["recovery"].as_array().map(Vec::len)), (200, Some(10)), "{}", got.body);
    assert_eq!(got.body["me"]["factor"]["passkeys"][0]["label"], json!("Blue key"));
    ann.cookie = got.cookie;

    let half = with_password(&site, "ann").await.body;
    let ask = &half["passkey"];
    assert_eq!((&half["app"], &ask["ids"]), (&json!(false), &json!([text(b"mine")])));
    assert_eq!(second(&site, &half["half"], stranger.shows(ask)).await.answer(), (401, "wrong-code"));
    let shown = device.shows(ask);
    assert_eq!(second(&site, &half["half"], shown.clone()).await.status, 200);
    let half = with_password(&site, "ann").await.body;
    assert_eq!(
        second(&site, &half["half"], shown).await.answer(),
        (401, "wrong-code"),
        "it answered another"
    );

    // An app beside it; the recovery codes stay.
    early_in_a_step().await;
    let got = site.ask(Some(&ann), "POST", "/api/me/factor/app", json!({"password": PASSWORD})).await;
    let code = Phone::told(&got.body).code(0);
    let got = site.ask(Some(&ann), "PUT", "/api/me/factor/app", json!({"code": code})).await;
    assert_eq!((got.status, &got.body["recovery"]), (200, &json!([])), "{}", got.body);
    ann.cookie = got.cookie;

    let ask = site.ask(Some(&ann), "POST", "/api/me/factor/challenge", Value::Null).await.body;
    let body = json!({"password": PASSWORD, "proof": device.shows(&ask), "passkey": 1});
    let got = site.ask(Some(&ann), "POST", "/api/me/factor/remove", body).await;
    assert_eq!(got.status, 200, "{}", got.body);
    assert_eq!(got.body["factor"], json!({"app": true, "passkeys": [], "recovery_left": 10}));
    assert_eq!(with_password(&site, "ann").await.body["passkey"], Value::Null);
}

/// A folder of its own, gone at the end.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("croupier-factors-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

async fn kept_in(folder: &Path) -> Site {
    let mut kept = config();
    kept.in_memory = false;
    kept.data = folder.to_path_buf();
    kept.make_folder().unwrap();
    Site::with(kept).await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_kept_is_sealed_and_outlives_a_restart() {
    let folder = Folder::new("sealed");
    let site = kept_in(&folder.0).await;
    let mut ann = site.player("ann").await;
    let (phone, codes) = enrol(&site, &mut ann).await;
    let half = with_password(&site, "ann").await.body["half"].clone();
    assert_eq!(second(&site, &half, json!({"code": phone.code(0)})).await.status, 200);
    site.app.floor.stop().await.unwrap();
    drop(site);

    let bytes = std::fs::read(folder.0.join("croupier.sqlite")).unwrap();
    let has = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(has("ann"), "the register is in this file");
    assert!(!has(&BASE32_NOPAD.encode(&phone.secret)));
    assert!(!has(&codes[0]) && !has(&codes[0].replace('-', "").to_uppercase()));

    let site = kept_in(&folder.0).await;
    let half = with_password(&site, "ann").await.body["half"].clone();
    let got = second(&site, &half, json!({"code": phone.code(0)})).await;
    assert_eq!(got.answer(), (401, "wrong-code"), "it was taken before the restart");
    assert_eq!(second(&site, &half, json!({"recovery": codes[0]})).await.status, 200);
    site.app.floor.stop().await.unwrap();
    drop(site);

    // Without the key nothing fits, and nobody comes in without a factor; an administrator can reset it.
    std::fs::remove_file(folder.0.join("keys/sealing.key")).unwrap();
    let site = kept_in(&folder.0).await;
    let half = with_password(&site, "ann").await;
    assert_eq!(half.status, 202);
    assert_eq!(second(&site, &half.body["half"], json!({"recovery": codes[1]})).await.status, 401);
    let root = site.person("root", &[Grant::Admin]).await;
    let path = format!("/api/people/{}/factor", ann.id);
    assert_eq!(site.ask(Some(&root), "DELETE", &path, Value::Null).await.status, 204);
    assert_eq!(with_password(&site, "ann").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sign_in_before_is_told() {
    let folder = Folder::new("seen");
    let site = kept_in(&folder.0).await;
    let began = clock::now();
    let ann = site.player("ann").await;
    let me = site.ask(Some(&ann), "GET", "/api/me", Value::Null).await.body;
    assert_eq!(me["last_sign_in"], Value::Null, "this is the first");
    // The times of two sign-ins differ only if they are not in the same millisecond.
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    let again = with_password(&site, "ann").await;
    let last = &again.body["last_sign_in"];
    assert!((began..=clock::now()).contains(&last["at"].as_u64().unwrap()), "{last}");
    assert_eq!(last["address"], json!("0.0.0.0"));
    // The session remembers it, over a new password and a restart too.
    let again = Someone { cookie: again.cookie, ..ann };
    let body = json!({"current": PASSWORD, "new": "eleven quiet violins"});
    let got = site.ask(Some(&again), "PUT", "/api/me/password", body).await;
    assert_eq!(&got.body["last_sign_in"], last);
    let again = Someone { cookie: got.cookie, ..again };
    site.app.floor.stop().await.unwrap();
    drop(site);
    let site = kept_in(&folder.0).await;
    let me = site.ask(Some(&again), "GET", "/api/me", Value::Null).await.body;
    assert_eq!(&me["last_sign_in"], last);
    let body = json!({"name": "ann", "password": "eleven quiet violins"});
    let third = site.ask(None, "POST", "/api/sign-in", body).await.body;
    assert!(third["last_sign_in"]["at"].as_u64() > last["at"].as_u64(), "{third}");
}
