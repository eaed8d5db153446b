//! A plain HTTP client for the server under test: JSON in, status and JSON out.

use std::io;
use std::time::Duration;

use serde_json::Value;

/// A client with its credentials.
#[derive(Clone, Debug)]
pub struct Client {
    agent: ureq::Agent,
    base: String,
    /// `Authorization` or `Cookie`, and its value.
    credentials: Option<(&'static str, String)>,
}

/// What the server answered.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The body; text that is no JSON comes as a string.
    pub body: Value,
    /// The cookie that was set, as it is sent back.
    pub cookie: Option<String>,
}

impl Answer {
    /// The body of a request that must have gone well.
    ///
    /// # Errors
    /// With the whole answer if it did not.
    pub fn good(self) -> io::Result<Value> {
        if (200..300).contains(&self.status) {
            Ok(self.body)
        } else {
            Err(io::Error::other(format!("{} {}", self.status, self.body)))
        }
    }
}

impl Client {
    /// A client of the server at `base`, such as `http://127.0.0.1:8080`.
    #[must_use]
    pub fn new(base: &str) -> Self {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(30)))
            .build();
        Self { agent: config.new_agent(), base: base.to_string(), credentials: None }
    }

    /// The same, giving up sooner or later than after half a minute.
    #[must_use]
    pub fn with_patience(&self, patience: Duration) -> Self {
        let config = ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(patience));
        Self { agent: config.build().new_agent(), ..self.clone() }
    }

    /// The same with an API token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        Self { credentials: Some(("Authorization", format!("Bearer {token}"))), ..self.clone() }
    }

    /// The same with the cookie of a session.
    #[must_use]
    pub fn with_cookie(&self, cookie: &str) -> Self {
        Self { credentials: Some(("Cookie", cookie.to_string())), ..self.clone() }
    }

    /// Where the server is.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Asks for something.
    ///
    /// # Errors
    /// When there is no answer.
    pub fn get(&self, path: &str) -> io::Result<Answer> {
        let mut request = self.agent.get(format!("{}{path}", self.base));
        if let Some((name, value)) = &self.credentials {
            request = request.header(*name, value);
        }
        answer(request.call())
    }

    /// Sends something.
    ///
    /// # Errors
    /// When there is no answer.
    pub fn post(&self, path: &str, body: &Value) -> io::Result<Answer> {
        self.send("POST", path, body.to_string().as_bytes(), "application/json")
    }

    /// Sends something by another method.
    ///
    /// # Errors
    /// When there is no answer.
    pub fn send(&self, method: &str, path: &str, body: &[u8], kind: &str) -> io::Result<Answer> {
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base))
            .header("Content-Type", kind)
            .header("Origin", &self.base);
        if let Some((name, value)) = &self.credentials {
            request = request.header(*name, value);
        }
        let request = request.body(body.to_vec()).map_err(io::Error::other)?;
        answer(self.agent.run(request))
    }
}

fn answer(result: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> io::Result<Answer> {
    let mut response = result.map_err(io::Error::other)?;
    let status = response.status().as_u16();
    let cookie = response.headers().get("set-cookie").and_then(|value| value.to_str().ok());
    let cookie = cookie.and_then(|value| value.split(';').next()).map(str::to_string);
    let text = response.body_mut().with_config().limit(1 << 30).read_to_string().map_err(io::Error::other)?;
    let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
    Ok(Answer { status, body, cookie })
}
