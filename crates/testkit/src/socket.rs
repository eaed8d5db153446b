//! A table's WebSocket, as a client without a browser holds it.

use std::io;
use std::net::{IpAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket};

/// A connection to a table.
#[derive(Debug)]
pub struct Socket {
    inner: WebSocket<TcpStream>,
}

impl Socket {
    /// Connects to a table of the server at `base`, from an address of this machine if one is named.
    ///
    /// # Errors
    /// When there is no connection, or the server refuses it.
    pub fn connect(base: &str, table: u64, token: Option<&str>, from: Option<IpAddr>) -> io::Result<Self> {
        let host = base.trim_start_matches("http://");
        let request = format!("ws://{host}/api/tables/{table}/live");
        let mut request = request.into_client_request().map_err(io::Error::other)?;
        if let Some(token) = token {
            let value = format!("Bearer {token}").parse().map_err(io::Error::other)?;
            request.headers_mut().insert("Authorization", value);
        }
        let stream = crate::raw::connect(host, from)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(40)))?;
        stream.set_write_timeout(Some(Duration::from_secs(40)))?;
        let (inner, _) = tungstenite::client(request, stream).map_err(io::Error::other)?;
        Ok(Self { inner })
    }

    /// Whether the other end has closed it, which one knows without reading.
    #[must_use]
    pub fn is_hung_up(&self) -> bool {
        crate::raw::is_hung_up(self.inner.get_ref())
    }

    /// Sends text.
    ///
    /// # Errors
    /// When the line is gone.
    pub fn send(&mut self, text: String) -> io::Result<()> {
        self.inner.send(Message::text(text)).map_err(io::Error::other)
    }

    /// The next message that is JSON.
    ///
    /// # Errors
    /// When the line is gone.
    pub fn hear(&mut self) -> io::Result<Value> {
        loop {
            match self.inner.read().map_err(io::Error::other)? {
                Message::Text(text) => return serde_json::from_str(&text).map_err(io::Error::other),
                Message::Close(_) => return Err(io::ErrorKind::ConnectionAborted.into()),
                Message::Binary(_) | Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
            }
        }
    }
}
