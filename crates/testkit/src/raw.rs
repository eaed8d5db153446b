//! Connections from any of this machine's loopback addresses, and plain requests over them: what an attacker with many
//! addresses has.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, socket_with};

/// Connects to a host and port, from an address if one is named.
///
/// # Errors
/// When there is no connection.
pub fn connect(host: &str, from: Option<IpAddr>) -> io::Result<TcpStream> {
    let Some(from) = from else { return TcpStream::connect(host) };
    let to: SocketAddr = host.parse().map_err(io::Error::other)?;
    let socket = socket_with(AddressFamily::INET, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    bind(&socket, &SocketAddr::new(from, 0))?;
    rustix::net::connect(&socket, &to)?;
    Ok(TcpStream::from(socket))
}

/// Whether the other end has closed a connection, without reading from it.
#[must_use]
pub fn is_hung_up(stream: &TcpStream) -> bool {
    let gone = PollFlags::RDHUP | PollFlags::HUP | PollFlags::ERR;
    let mut asked = [PollFd::new(stream, PollFlags::RDHUP)];
    poll(&mut asked, Some(&Timespec::default())).is_ok() && asked[0].revents().intersects(gone)
}

/// A connection over which requests are made one after another.
#[derive(Debug)]
pub struct Line {
    stream: BufReader<TcpStream>,
    host: String,
}

impl Line {
    /// Connects.
    ///
    /// # Errors
    /// When there is no connection.
    pub fn open(base: &str, from: Option<IpAddr>) -> io::Result<Self> {
        let host = base.trim_start_matches("http://").to_string();
        let stream = connect(&host, from)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(40)))?;
        Ok(Self { stream: BufReader::new(stream), host })
    }

    /// Asks, with header lines of its own and a body; the status of the answer.
    ///
    /// # Errors
    /// When the line is gone.
    pub fn ask(&mut self, method: &str, path: &str, headers: &str, body: &str) -> io::Result<u16> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n{headers}\r\n{body}",
            host = self.host,
            length = body.len(),
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut length = 0;
        loop {
            line.clear();
            self.stream.read_line(&mut line)?;
            let header = line.trim_end().to_ascii_lowercase();
            if header.is_empty() {
                break;
            }
            if let Some(value) = header.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
        }
        io::copy(&mut (&mut self.stream).take(length), &mut io::sink())?;
        Ok(status)
    }
}
