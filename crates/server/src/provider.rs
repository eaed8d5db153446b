//! Signing in by an identity provider: OpenID Connect, the authorization code flow with PKCE.
//!
//! | module | what it holds |
//! |---|---|
//! | `settings` | what the operator sets |
//! | `signed` | signatures of tokens |
//! | `claims` | what a token says, and whether it holds |
//!
//! The provider says who somebody is and nothing else: accounts, grants and sessions are the server's own, and whom the
//! provider names must be tied to an account by an administrator. A sign-in that was begun is kept in memory for ten
//! minutes and belongs to the browser that began it.

mod claims;
mod settings;
mod signed;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use axum::http::StatusCode;
use croupier_journal::{Hash, keys};
use data_encoding::{BASE64, BASE64URL_NOPAD};
use ring::digest::{SHA256, digest};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::clock;
use crate::fetch::{self, FetchError, Fetcher};
use crate::people::{ProviderSession, Secret, SignedOut};
use crate::problem::Problem;
use claims::{BadClaims, Claims, Expected, LogoutClaims};
use signed::{BadSignature, Keys};

pub use settings::Oidc;

/// The page of the UI to which the provider sends browsers back.
pub const RETURN_PATH: &str = "/sign-in/provider";
/// The longest name that a provider has for somebody, in bytes.
pub const LONGEST_SUBJECT: usize = 255;

/// How long a sign-in may take at the provider, in milliseconds.
pub(crate) const PATIENCE: u64 = 10 * 60_000;
/// Sign-ins that are remembered at the same time; the oldest make room.
const KEPT: usize = 10_000;
/// How long what a provider publishes about itself is believed, in milliseconds.
const FRESH: u64 = 60 * 60_000;
/// How soon the keys are asked for again when a token names one that is not there, in milliseconds.
const AGAIN: u64 = 10_000;

/// Why a provider cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("oidc: {0}")]
pub struct ProviderError(String);

/// What a provider publishes about itself.
#[derive(Clone, Debug, Deserialize)]
struct Discovered {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

/// A sign-in that was begun.
#[derive(Clone, Debug)]
struct Begun {
    /// The hash of what the browser holds.
    browser: Hash,
    nonce: String,
    verifier: String,
    until: u64,
}

/// What a browser is given to begin with.
#[derive(Clone, Debug)]
pub(crate) struct ToProvider {
    /// Where it goes.
    pub(crate) address: String,
    /// What it holds until it comes back.
    pub(crate) browser: Secret,
}

/// What a browser comes back with.
#[derive(Clone, Debug)]
pub(crate) struct FromProvider<'a> {
    pub(crate) state: &'a str,
    pub(crate) code: &'a Secret,
    /// The provider, where it names itself.
    pub(crate) issuer: Option<&'a str>,
    /// What the browser was given to hold.
    pub(crate) browser: Option<&'a str>,
}

/// Whom a provider names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Named {
    /// By the claim that is set.
    pub(crate) subject: String,
    /// The provider has seen a second factor that counts.
    pub(crate) has_factor: bool,
    /// By which session there.
    pub(crate) session: ProviderSession,
}

#[derive(Debug)]
struct Fresh<T> {
    value: T,
    at: u64,
}

/// An identity provider, and the sign-ins that are under way there.
#[derive(Debug)]
pub struct Provider {
    settings: Oidc,
    secret: Option<Secret>,
    /// Where the provider sends browsers back.
    back: String,
    fetcher: Fetcher,
    discovered: Mutex<Option<Fresh<Discovered>>>,
    keys: Mutex<Option<Fresh<Keys>>>,
    begun: Mutex<HashMap<Hash, Begun>>,
    /// Logout tokens that have come, by their names, each until it counts no more.
    logouts: Mutex<HashMap<Hash, i64>>,
}

impl Provider {
    /// A provider by the settings, for a server at an address. Nobody is asked yet: a provider that is away keeps nobody
    /// from starting.
    ///
    /// # Errors
    /// What is wrong with the settings or their files.
    pub fn new(settings: &Oidc, address: &str) -> Result<Self, ProviderError> {
        if let Some(fault) = settings.fault() {
            return Err(ProviderError(fault));
        }
        let fetcher = Fetcher::new(settings.authorities.as_deref());
        let fetcher = fetcher.map_err(|error| ProviderError(format!("authorities: {error}")))?;
        let secret = match &settings.secret_file {
            None => None,
            Some(path) => {
                let fault = |what: String| ProviderError(format!("secret_file: {}: {what}", path.display()));
                let text = std::fs::read_to_string(path).map_err(|error| fault(error.to_string()))?;
                let text = text.trim();
                if text.is_empty() {
                    return Err(fault("it is empty".to_string()));
                }
                Some(Secret::new(text))
            }
        };
        Ok(Self {
            settings: settings.clone(),
            secret,
            back: format!("{address}{RETURN_PATH}"),
            fetcher,
            discovered: Mutex::new(None),
            keys: Mutex::new(None),
            begun: Mutex::new(HashMap::new()),
            logouts: Mutex::new(HashMap::new()),
        })
    }

    /// What the operator set.
    #[must_use]
    pub fn settings(&self) -> &Oidc {
        &self.settings
    }

    /// What is wrong with the grants that the settings name, given the rulebooks of the floor.
    ///
    /// # Errors
    /// [`ProviderError`] with what there is.
    pub fn check_grants(&self, shelf: &croupier_journal::Shelf) -> Result<(), ProviderError> {
        self.settings.grants_fault(shelf).map_or(Ok(()), |fault| Err(ProviderError(fault)))
    }

    /// Begins a sign-in.
    pub(crate) async fn begin(&self) -> Result<ToProvider, Problem> {
        let discovered = self.discover().await?;
        let random = || keys::random::<32>().map_err(|error| Problem::internal(&error));
        let text = |bytes: [u8; 32]| BASE64URL_NOPAD.encode(&bytes);
        let (state, nonce, verifier) = (text(random()?), text(random()?), text(random()?));
        let browser = Secret::new(Hash(random()?).to_string());
        let scope: Vec<&str> =
            core::iter::once("openid").chain(self.settings.scopes.iter().map(String::as_str)).collect();
        let challenge = BASE64URL_NOPAD.encode(digest(&SHA256, verifier.as_bytes()).as_ref());
        let query = form(&[
            ("response_type", "code"),
            ("client_id", &self.settings.client_id),
            ("redirect_uri", &self.back),
            ("scope", &scope.join(" ")),
            ("state", &state),
            ("nonce", &nonce),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ]);
        let endpoint = &discovered.authorization_endpoint;
        let address = format!("{endpoint}{}{query}", if endpoint.contains('?') { '&' } else { '?' });
        let until = clock::now().saturating_add(PATIENCE);
        let begun = Begun { browser: Hash::of(browser.expose().as_bytes()), nonce, verifier, until };
        self.remember(Hash::of(state.as_bytes()), begun);
        Ok(ToProvider { address, browser })
    }

    /// Ends a sign-in: who came back, if the provider vouches for it.
    pub(crate) async fn finish(&self, back: FromProvider<'_>) -> Result<Named, Problem> {
        let begun = self.recall(back.state, back.browser).ok_or_else(over)?;
        let discovered = self.discover().await?;
        match back.issuer {
            Some(issuer) if issuer != self.settings.issuer => {
                return Err(refused("another provider answered than the one that was asked"));
            }
            None if discovered.authorization_response_iss_parameter_supported => {
                return Err(refused("the answer does not name the provider that it comes from"));
            }
            Some(_) | None => {}
        }
        let token = self.exchange(&discovered, back.code, &begun.verifier).await?;
        let says = self.open(&discovered, &token).await?;
        let claims: Claims = serde_json::from_slice(&says)
            .map_err(|error| refused(&format!("it is not understood: {error}")))?;
        let expected = Expected {
            issuer: &self.settings.issuer,
            client: &self.settings.client_id,
            nonce: &begun.nonce,
            now: i64::try_from(clock::now() / 1_000).unwrap_or(i64::MAX),
        };
        claims.check(expected).map_err(|bad| refused(&bad.to_string()))?;
        let subject = claims.subject(&self.settings.claim).map_err(|bad| refused(&bad.to_string()))?;
        let session = claims.session().map_err(|bad| refused(&bad.to_string()))?;
        let Oidc { factor_methods, factor_classes, .. } = &self.settings;
        Ok(Named { subject, has_factor: claims.has_factor(factor_methods, factor_classes), session })
    }

    /// Who is signed out by a logout token (OpenID Connect Back-Channel Logout 1.0).
    pub(crate) async fn sign_out(&self, token: &str) -> Result<SignedOut, Problem> {
        let discovered = self.discover().await?;
        let says = self.open(&discovered, token).await.map_err(no_logout)?;
        let bad = |why: String| no_logout(refused(&why));
        let claims: LogoutClaims =
            serde_json::from_slice(&says).map_err(|error| bad(format!("it is not understood: {error}")))?;
        let now = i64::try_from(clock::now() / 1_000).unwrap_or(i64::MAX);
        let Oidc { issuer, client_id, .. } = &self.settings;
        claims.check(issuer, client_id, now).map_err(|why| bad(why.to_string()))?;
        let mut come = self.logouts.lock().unwrap_or_else(PoisonError::into_inner);
        come.retain(|_, until| now < *until);
        // Only what the provider signed gets here; should there be too many, one may count twice.
        if come.len() >= KEPT {
            come.clear();
        }
        match come.insert(claims.name(), claims.until()) {
            Some(_) => Err(bad(BadClaims::Again.to_string())),
            None => Ok(claims.out()),
        }
    }

    fn remember(&self, state: Hash, begun: Begun) {
        let (now, mut all) = (clock::now(), self.begun.lock().unwrap_or_else(PoisonError::into_inner));
        if all.len() >= KEPT {
            all.retain(|_, one| now < one.until);
        }
        if all.len() >= KEPT
            && let Some(oldest) = all.iter().min_by_key(|(_, one)| one.until).map(|(state, _)| *state)
        {
            all.remove(&oldest);
        }
        all.insert(state, begun);
    }

    /// The sign-in, if this browser began it; it is answered once.
    fn recall(&self, state: &str, browser: Option<&str>) -> Option<Begun> {
        let (state, browser) = (Hash::of(state.as_bytes()), Hash::of(browser?.as_bytes()));
        let mut all = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        // Another browser does not end it.
        if all.get(&state)?.browser != browser {
            return None;
        }
        all.remove(&state).filter(|begun| clock::now() < begun.until)
    }

    /// What the provider publishes about itself.
    async fn discover(&self) -> Result<Discovered, Problem> {
        if let Some(kept) = fresh(&self.discovered, FRESH) {
            return Ok(kept);
        }
        let issuer = &self.settings.issuer;
        let address = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
        let found: Discovered = self.get(&address).await?;
        if found.issuer != *issuer {
            let named: String = found.issuer.chars().take(200).collect();
            return Err(away(&format!("it names itself `{named}`, and oidc.issuer is `{issuer}`")));
        }
        for endpoint in [&found.authorization_endpoint, &found.token_endpoint, &found.jwks_uri] {
            fetch::check(endpoint).map_err(|error| away(&error.to_string()))?;
        }
        keep(&self.discovered, found.clone());
        Ok(found)
    }

    /// Exchanges the code for an id token.
    async fn exchange(
        &self,
        discovered: &Discovered,
        code: &Secret,
        verifier: &str,
    ) -> Result<String, Problem> {
        #[derive(Deserialize)]
        struct Answer {
            id_token: String,
        }
        #[derive(Deserialize)]
        struct Refusal {
            error: String,
        }
        let client = &self.settings.client_id;
        let mut fields = vec![
            ("grant_type", "authorization_code"),
            ("code", code.expose()),
            ("redirect_uri", &self.back),
            ("code_verifier", verifier),
        ];
        let basic = discovered.token_endpoint_auth_methods_supported.as_ref();
        let basic = basic.is_none_or(|methods| methods.iter().any(|method| method == "client_secret_basic"));
        let mut authorization = None;
        match &self.secret {
            Some(secret) if basic => {
                let pair = format!("{}:{}", encoded(client), encoded(secret.expose()));
                authorization = Some(format!("Basic {}", BASE64.encode(pair.as_bytes())));
            }
            Some(secret) => {
                fields.extend([("client_id", client.as_str()), ("client_secret", secret.expose())]);
            }
            None => fields.push(("client_id", client)),
        }
        let kind = "application/x-www-form-urlencoded";
        let sent = self.fetcher.post(&discovered.token_endpoint, kind, authorization, form(&fields)).await;
        let answer = sent.map_err(|error| away(&error.to_string()))?;
        match answer.status {
            200 => match serde_json::from_str::<Answer>(&answer.text) {
                Ok(answer) => Ok(answer.id_token),
                Err(error) => Err(away(&format!("it sent no id token: {error}"))),
            },
            400..=499 => {
                let said = serde_json::from_str::<Refusal>(&answer.text).map(|refusal| refusal.error);
                let said: String =
                    said.unwrap_or_else(|_| answer.status.to_string()).chars().take(60).collect();
                Err(refused(&format!("it says `{said}`")))
            }
            status => Err(away(&format!("its token endpoint answers {status}"))),
        }
    }

    /// What a token says, checked with the provider's keys; they are asked for again where one is new.
    async fn open(&self, discovered: &Discovered, token: &str) -> Result<Vec<u8>, Problem> {
        let kept = fresh(&self.keys, FRESH);
        let is_new = fresh(&self.keys, AGAIN).is_some();
        let told = |bad: BadSignature| refused(&bad.to_string());
        match kept.map(|keys| keys.open(token)) {
            Some(Err(BadSignature::UnknownKey)) if !is_new => {}
            Some(opened) => return opened.map_err(told),
            None => {}
        }
        let keys: Keys = self.get(&discovered.jwks_uri).await?;
        keep(&self.keys, keys.clone());
        keys.open(token).map_err(told)
    }

    async fn get<T: DeserializeOwned>(&self, address: &str) -> Result<T, Problem> {
        let answer = self.fetcher.get(address).await.map_err(|error: FetchError| away(&error.to_string()))?;
        if answer.status != 200 {
            return Err(away(&format!("{address} answers {}", answer.status)));
        }
        serde_json::from_str(&answer.text).map_err(|error| away(&format!("{address}: {error}")))
    }
}

fn fresh<T: Clone>(kept: &Mutex<Option<Fresh<T>>>, longest: u64) -> Option<T> {
    let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    let is_fresh = |one: &&Fresh<T>| clock::now() < one.at.saturating_add(longest);
    kept.as_ref().filter(is_fresh).map(|one| one.value.clone())
}

fn keep<T>(kept: &Mutex<Option<Fresh<T>>>, value: T) {
    *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(Fresh { value, at: clock::now() });
}

/// Names and values as forms and queries have them.
fn form(fields: &[(&str, &str)]) -> String {
    let pair = |(name, value): &(&str, &str)| format!("{name}={}", encoded(value));
    fields.iter().map(pair).collect::<Vec<_>>().join("&")
}

fn encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

fn over() -> Problem {
    let detail = "this sign-in was begun in another browser, took too long or is done; begin again";
    Problem::new(StatusCode::UNAUTHORIZED, "sign-in-over", detail)
}

/// 401: the provider does not vouch for anybody.
fn refused(why: &str) -> Problem {
    tracing::info!(why, "a sign-in by the provider was refused");
    let detail = format!("the provider's answer is not accepted: {why}; begin again");
    Problem::new(StatusCode::UNAUTHORIZED, "provider-refused", detail)
}

/// 400: a logout token that is none. Where the provider cannot be asked, that is said.
fn no_logout(problem: Problem) -> Problem {
    match problem.code.as_str() {
        "provider-refused" => Problem::bad_request("bad-logout-token", problem.detail),
        _ => problem,
    }
}

/// 503: the provider cannot be asked. The particulars are for the log.
fn away(why: &str) -> Problem {
    tracing::warn!(why, "the identity provider cannot be used");
    metrics::counter!("croupier_provider_failures_total").increment(1);
    let detail =
        "the identity provider does not answer as it should; try again later, or sign in with a password";
    Problem::unavailable("provider-away", detail)
}
