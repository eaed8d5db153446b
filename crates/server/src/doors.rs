//! The doors: how many connections and WebSockets there are at the same time, in all and of one, with some kept free for
//! the staff; and how long a connection may be silent before it has said what it is.
//!
//! A limit in requests a minute does not help against connections that ask for nothing. What does is to count them, and
//! to close those that do not come to the point.

use core::fmt;
use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum_server::accept::Accept;
use serde::Deserialize;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

use crate::clock;
use crate::limits::Who;

/// How long a connection may take to say its first words, or the headers of a request, and how long it is kept open
/// between two requests.
pub const SILENCE: Duration = Duration::from_secs(20);

/// As many bytes tell one version of HTTP from the other.
const FIRST_WORDS: usize = 24;

/// How many may be there at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Room {
    /// In all; 0 is as many as come.
    pub all: u32,
    /// Of one address or person; 0 is as many as they like.
    pub of_one: u32,
    /// Of all of them, those that only the staff may take.
    pub for_staff: u32,
}

/// Who is there.
#[derive(Debug)]
pub struct Crowd {
    room: Room,
    inside: Mutex<Inside>,
}

#[derive(Debug, Default)]
struct Inside {
    all: u32,
    of: HashMap<Who, u32>,
}

/// A place in a crowd, free again when it is dropped.
#[derive(Debug)]
pub struct Place {
    crowd: Arc<Crowd>,
    who: Who,
}

impl Crowd {
    /// Nobody yet.
    #[must_use]
    pub fn new(room: Room) -> Arc<Self> {
        Arc::new(Self { room, inside: Mutex::default() })
    }

    /// A place, if there is one.
    #[must_use]
    pub fn enter(self: &Arc<Self>, who: Who, is_staff: bool) -> Option<Place> {
        let Room { all, of_one, for_staff } = self.room;
        let mut inside = self.inside();
        let most = if is_staff { all } else { all.saturating_sub(for_staff).max(1) };
        let of = inside.of.get(&who).copied().unwrap_or(0);
        if (all != 0 && inside.all >= most) || (of_one != 0 && of >= of_one) {
            return None;
        }
        inside.all += 1;
        *inside.of.entry(who).or_default() += 1;
        Some(Place { crowd: Arc::clone(self), who })
    }

    fn inside(&self) -> std::sync::MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut inside = self.crowd.inside();
        inside.all = inside.all.saturating_sub(1);
        if let Some(of) = inside.of.get_mut(&self.who) {
            *of = of.saturating_sub(1);
            if *of == 0 {
                inside.of.remove(&self.who);
            }
        }
    }
}

/// For how long an address is known as one of the staff's after they were there, in milliseconds.
const KNOWN: u64 = 12 * 3_600 * 1_000;
/// The most addresses that are.
const KNOWN_MOST: usize = 1_000;

/// The doors of a server.
#[derive(Debug)]
pub struct Doors {
    connections: Arc<Crowd>,
    /// Those who watch tables.
    pub sockets: Arc<Crowd>,
    /// Addresses that the staff came from, and when last.
    staff: Mutex<HashMap<Who, u64>>,
    /// All come from the address of a proxy, which counts for itself.
    behind_proxy: bool,
}

impl Doors {
    /// Open doors.
    #[must_use]
    pub fn new(connections: Room, sockets: Room, behind_proxy: bool) -> Arc<Self> {
        let of_one = if behind_proxy { 0 } else { connections.of_one };
        Arc::new(Self {
            connections: Crowd::new(Room { of_one, ..connections }),
            sockets: Crowd::new(sockets),
            staff: Mutex::default(),
            behind_proxy,
        })
    }

    /// Somebody of the staff is at an address.
    pub fn is_staff_at(&self, address: IpAddr) {
        let mut staff = self.staff.lock().unwrap_or_else(PoisonError::into_inner);
        let now = clock::now();
        if staff.len() >= KNOWN_MOST {
            staff.retain(|_, at| now < at.saturating_add(KNOWN));
        }
        if staff.len() < KNOWN_MOST {
            staff.insert(Who::at(address), now);
        }
    }

    /// A place for a connection from an address, if there is one.
    fn connect(&self, address: IpAddr) -> Option<Place> {
        let who = Who::at(address);
        let is_staff = self.behind_proxy || {
            let staff = self.staff.lock().unwrap_or_else(PoisonError::into_inner);
            staff.get(&who).is_some_and(|at| clock::now() < at.saturating_add(KNOWN))
        };
        self.connections.enter(who, is_staff)
    }
}

/// Counts connections as they come in.
#[derive(Clone, Debug)]
pub(crate) struct Doorkeeper(pub(crate) Arc<Doors>);

impl<S> Accept<TcpStream, S> for Doorkeeper {
    type Stream = Counted;
    type Service = S;
    type Future = std::future::Ready<io::Result<(Counted, S)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        let taken = stream.peer_addr().and_then(|from| {
            let place = self.0.connect(from.ip()).ok_or_else(|| {
                metrics::counter!("croupier_connections_refused_total").increment(1);
                io::Error::other("there is no room for another connection")
            })?;
            // Answers are short and must not wait to be sent together.
            stream.set_nodelay(true)?;
            Ok(place)
        });
        std::future::ready(taken.map(|place| (Counted { stream, _place: place }, service)))
    }
}

/// A connection that is counted for as long as it is there.
#[derive(Debug)]
pub(crate) struct Counted {
    stream: TcpStream,
    _place: Place,
}

/// Closes connections that do not say what they are, with TLS or without.
#[derive(Clone, Debug)]
pub(crate) struct Impatient<A>(pub(crate) A);

impl<I, S, A> Accept<I, S> for Impatient<A>
where
    A: Accept<I, S>,
    A::Future: Send + 'static,
{
    type Stream = Talking<A::Stream>;
    type Service = A::Service;
    type Future = Pin<Box<dyn Future<Output = io::Result<(Self::Stream, Self::Service)>> + Send>>;

    fn accept(&self, stream: I, service: S) -> Self::Future {
        let accepted = self.0.accept(stream, service);
        Box::pin(async move {
            let (stream, service) = accepted.await?;
            Ok((Talking { stream, said: 0, silence: Some(Box::pin(tokio::time::sleep(SILENCE))) }, service))
        })
    }
}

/// A connection that has to come to the point.
pub(crate) struct Talking<T> {
    stream: T,
    said: usize,
    silence: Option<Pin<Box<Sleep>>>,
}

impl<T> fmt::Debug for Talking<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Talking").field("said", &self.said).finish_non_exhaustive()
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Talking<T> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(cx, buffer);
        let Some(silence) = &mut this.silence else { return read };
        match read {
            Poll::Ready(_) => {
                this.said += buffer.filled().len() - before;
                if this.said >= FIRST_WORDS {
                    this.silence = None;
                }
                read
            }
            Poll::Pending => {
                ready!(silence.as_mut().poll(cx));
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
        }
    }
}

impl AsyncRead for Counted {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(cx, buffer)
    }
}

/// Writing is what the stream inside does.
macro_rules! writes_through {
    ($($bounds:tt)*) => {
        $($bounds)* {
            fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
                Pin::new(&mut self.get_mut().stream).poll_write(cx, bytes)
            }

            fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                Pin::new(&mut self.get_mut().stream).poll_flush(cx)
            }

            fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
            }

            fn poll_write_vectored(
                self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                bytes: &[io::IoSlice<'_>],
            ) -> Poll<io::Result<usize>> {
                Pin::new(&mut self.get_mut().stream).poll_write_vectored(cx, bytes)
            }

            fn is_write_vectored(&self) -> bool {
                self.stream.is_write_vectored()
            }
        }
    };
}

writes_through!(impl AsyncWrite for Counted);
writes_through!(impl<T: AsyncWrite + Unpin> AsyncWrite for Talking<T>);

#[cfg(test)]
mod tests {
    use super::*;

    fn at(last: u8) -> Who {
        Who::at(IpAddr::from([10, 0, 0, last]))
    }

    #[test]
    fn one_has_so_much_room_and_the_staff_some_of_their_own() {
        let crowd = Crowd::new(Room { all: 6, of_one: 2, for_staff: 2 });
        let first: Vec<_> = (0..3).map(|_| crowd.enter(at(1), false)).collect();
        assert_eq!(first.iter().filter(|place| place.is_some()).count(), 2);
        let second: Vec<_> = (0..2).map(|_| crowd.enter(at(2), false)).collect();
        assert!(second.iter().all(Option::is_some));
        assert!(crowd.enter(at(3), false).is_none(), "what is left is the staff's");
        let staff = [crowd.enter(at(4), true), crowd.enter(at(5), true)];
        assert!(staff.iter().all(Option::is_some));
        assert!(crowd.enter(at(6), true).is_none());
        drop(first);
        assert!(crowd.enter(at(3), false).is_none(), "four are inside");
        drop(second);
        assert!(crowd.enter(at(3), false).is_some());
        drop(staff);
        assert!(crowd.inside().of.is_empty() && crowd.inside().all == 0);
    }

    #[test]
    fn no_limit_is_no_limit() {
        let crowd = Crowd::new(Room { all: 0, of_one: 0, for_staff: 9 });
        let all: Vec<_> = (0..1_000).map(|_| crowd.enter(at(1), false)).collect();
        assert!(all.iter().all(Option::is_some));
    }
}
