//! How much anybody may ask for: a bucket of tokens for each person and each address, in memory only.
//!
//! A bucket holds up to `burst` requests and fills up again at `per_minute`. Who finds it empty is told when to come
//! back. These limits keep one client from taking the server away from the others; guessing passwords is held off by
//! [`crate::people::Guard`].
//!
//! What a request took, and what is left, goes into the headers of its answer (`RateLimit`, `RateLimit-Policy`), as the
//! IETF's draft of them has it.

use core::cell::Cell;
use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};

use axum::http::{HeaderMap, HeaderValue, StatusCode};
use serde::Deserialize;

use crate::clock;
use crate::doors::Room;
use crate::problem::Problem;

/// The limits that an operator sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Requests and commands of somebody who is signed in, and of a device.
    pub requests: Rate,
    /// Requests of an address from which nobody is signed in.
    pub anonymous: Rate,
    /// Attempts to sign in from an address.
    pub sign_ins: Rate,
    /// Connections at the same time; of one is of an address.
    pub connections: Room,
    /// WebSockets at the same time; of one is of a person, or of an address from which nobody is signed in.
    pub sockets: Room,
}

/// How fast, and how many at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// How many in a minute; 0 is as many as they like.
    pub per_minute: u32,
    /// How many at once after a pause.
    pub burst: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            requests: Rate { per_minute: 12_000, burst: 1_000 },
            anonymous: Rate { per_minute: 6_000, burst: 600 },
            sign_ins: Rate { per_minute: 30, burst: 15 },
            connections: Room { all: 10_000, of_one: 1_000, for_staff: 500 },
            sockets: Room { all: 8_000, of_one: 200, for_staff: 400 },
        }
    }
}

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Something by somebody who is known.
    Request,
    /// Something by somebody who is not.
    Anonymous,
    /// To be signed in.
    SignIn,
}

impl Kind {
    /// As the headers of an answer name it.
    const fn key(self) -> &'static str {
        match self {
            Self::Request => "requests",
            Self::Anonymous => "anonymous",
            Self::SignIn => "sign-ins",
        }
    }
}

/// What a bucket holds after a request took from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    kind: Kind,
    rate: Rate,
    /// What is left, in whole requests.
    left: u64,
    /// The seconds until it is full again.
    full_in: u64,
}

impl Standing {
    /// `"requests";r=999;t=1` and `"requests";q=1000;w=5`: what is left, and what there is.
    fn put_into(self, headers: &mut HeaderMap) {
        let Self { kind, rate, left, full_in } = self;
        let (burst, per_minute) = (u64::from(rate.burst.max(1)), u64::from(rate.per_minute.max(1)));
        let window = (burst * 60).div_ceil(per_minute);
        let limit = format!("\"{}\";r={left};t={full_in}", kind.key());
        let policy = format!("\"{}\";q={burst};w={window}", kind.key());
        for (name, value) in [("ratelimit", limit), ("ratelimit-policy", policy)] {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(name, value);
            }
        }
    }
}

tokio::task_local! {
    static TAKEN: Cell<Option<Standing>>;
}

/// What a request took last while it was answered; put into the headers of its answer.
#[derive(Clone, Copy, Debug)]
pub struct Taken(Option<Standing>);

impl Taken {
    /// Does something, and notes what it takes.
    pub async fn by<T>(work: impl Future<Output = T>) -> (T, Self) {
        let noted = async {
            let done = work.await;
            (done, Self(TAKEN.with(Cell::get)))
        };
        TAKEN.scope(Cell::new(None), noted).await
    }

    /// Tells whoever asked.
    pub fn put_into(self, headers: &mut HeaderMap) {
        if let Some(standing) = self.0 {
            standing.put_into(headers);
        }
    }
}

/// Who asks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Who {
    /// A person.
    Person(u32),
    /// A device, by its token.
    Device(u32),
    /// An address; of IPv6 the network, since one customer has all of it.
    Address(IpAddr),
}

impl Who {
    /// Who asks from an address.
    #[must_use]
    pub fn at(address: IpAddr) -> Self {
        Self::Address(match address {
            IpAddr::V4(_) => address,
            IpAddr::V6(six) => match six.to_ipv4_mapped() {
                Some(four) => IpAddr::V4(four),
                None => IpAddr::V6(Ipv6Addr::from(u128::from(six) & !u128::from(u64::MAX))),
            },
        })
    }
}

/// One request, in the unit in which buckets count: a rate in requests a minute is one in units a millisecond.
const ONE: u64 = 60_000;
/// Locks, so that requests seldom wait for each other.
const SHARDS: usize = 16;
/// Buckets of a shard before those that are full again are thrown away.
const KEPT: usize = 8_192;

#[derive(Clone, Copy, Debug)]
struct Bucket {
    holds: u64,
    at: u64,
}

/// All buckets.
#[derive(Debug)]
pub struct Buckets {
    limits: Limits,
    shards: [Mutex<HashMap<(Kind, Who), Bucket>>; SHARDS],
    hasher: RandomState,
}

impl Buckets {
    /// Full buckets.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, shards: Default::default(), hasher: RandomState::new() }
    }

    /// Takes one request out of a bucket.
    ///
    /// # Errors
    /// 429 with the seconds to wait, if it is empty.
    pub fn take(&self, kind: Kind, who: Who) -> Result<(), Problem> {
        let (taken, standing) = self.take_and_tell(kind, who, clock::now());
        // A WebSocket takes too, and has no headers to tell it in.
        let _ = TAKEN.try_with(|noted| noted.set(standing));
        taken.map_err(|milliseconds| too_many(milliseconds.div_ceil(1_000)))
    }

    /// As [`Buckets::take_at`], with what is left; nothing where there is no limit.
    fn take_and_tell(&self, kind: Kind, who: Who, now: u64) -> (Result<(), u64>, Option<Standing>) {
        let rate = self.rate(kind);
        let taken = self.take_at(kind, who, now);
        let standing = (rate.per_minute > 0).then(|| {
            let holds = self.holds(kind, who, now);
            let missing = full(rate).saturating_sub(holds).div_ceil(u64::from(rate.per_minute));
            Standing { kind, rate, left: holds / ONE, full_in: missing.div_ceil(1_000) }
        });
        (taken, standing)
    }

    fn holds(&self, kind: Kind, who: Who, now: u64) -> u64 {
        let rate = self.rate(kind);
        let shard = self.shard(who).lock().unwrap_or_else(PoisonError::into_inner);
        shard.get(&(kind, who)).map_or(full(rate), |bucket| filled(rate, *bucket, now))
    }

    fn shard(&self, who: Who) -> &Mutex<HashMap<(Kind, Who), Bucket>> {
        let place = usize::try_from(self.hasher.hash_one(who) & 0xff).unwrap_or(0) % SHARDS;
        &self.shards[place]
    }

    /// As [`Buckets::take`], at a time in milliseconds; the milliseconds to wait if the bucket is empty.
    fn take_at(&self, kind: Kind, who: Who, now: u64) -> Result<(), u64> {
        let rate = self.rate(kind);
        if rate.per_minute == 0 {
            return Ok(());
        }
        let mut shard = self.shard(who).lock().unwrap_or_else(PoisonError::into_inner);
        if shard.len() >= KEPT {
            shard.retain(|(kind, _), bucket| {
                let rate = self.rate(*kind);
                filled(rate, *bucket, now) < full(rate)
            });
        }
        let bucket = shard.entry((kind, who)).or_insert(Bucket { holds: full(rate), at: now });
        bucket.holds = filled(rate, *bucket, now);
        bucket.at = now.max(bucket.at);
        match bucket.holds.checked_sub(ONE) {
            Some(left) => {
                bucket.holds = left;
                Ok(())
            }
            None => Err((ONE - bucket.holds).div_ceil(u64::from(rate.per_minute))),
        }
    }

    const fn rate(&self, kind: Kind) -> Rate {
        match kind {
            Kind::Request => self.limits.requests,
            Kind::Anonymous => self.limits.anonymous,
            Kind::SignIn => self.limits.sign_ins,
        }
    }
}

fn full(rate: Rate) -> u64 {
    u64::from(rate.burst.max(1)) * ONE
}

fn filled(rate: Rate, bucket: Bucket, now: u64) -> u64 {
    let gone = now.saturating_sub(bucket.at);
    bucket.holds.saturating_add(gone.saturating_mul(u64::from(rate.per_minute))).min(full(rate))
}

/// 429: too much was asked for.
#[must_use]
pub fn too_many(seconds: u64) -> Problem {
    let detail = format!("too many requests; try again in {seconds} seconds");
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many", detail).with("retry_after_seconds", seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buckets(per_minute: u32, burst: u32) -> Buckets {
        Buckets::new(Limits { sign_ins: Rate { per_minute, burst }, ..Limits::default() })
    }

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let buckets = buckets(60, 3);
        let take = |now| buckets.take_at(Kind::SignIn, Who::Person(1), now);
        assert_eq!([take(0), take(0), take(0)], [Ok(()); 3]);
        assert_eq!(take(0), Err(1_000));
        assert_eq!(take(999), Err(1));
        assert_eq!(take(1_000), Ok(()));
        assert_eq!(take(1_000), Err(1_000));
        // However long the pause, no more than the burst.
        assert_eq!([take(900_000), take(900_000), take(900_000)], [Ok(()); 3]);
        assert_eq!(take(900_000), Err(1_000));
        // A clock that is set back gives nothing away and takes nothing.
        assert_eq!(take(0), Err(1_000));
        assert_eq!(take(901_000), Ok(()));
    }

    #[test]
    fn an_answer_says_what_is_left() {
        let buckets = buckets(60, 3);
        let told = |now| {
            let mut headers = HeaderMap::new();
            let (_, standing) = buckets.take_and_tell(Kind::SignIn, Who::Person(1), now);
            Taken(standing).put_into(&mut headers);
            ["ratelimit", "ratelimit-policy"]
                .map(|name| headers.get(name).map(|value| value.to_str().unwrap().to_string()))
        };
        let policy = Some("\"sign-ins\";q=3;w=3".to_string());
        assert_eq!(told(0), [Some("\"sign-ins\";r=2;t=1".to_string()), policy.clone()]);
        assert_eq!(told(0)[0], Some("\"sign-ins\";r=1;t=2".to_string()));
        assert_eq!(told(0)[0], Some("\"sign-ins\";r=0;t=3".to_string()));
        // Refused: nothing was taken.
        assert_eq!(told(0), [Some("\"sign-ins\";r=0;t=3".to_string()), policy]);
        let unlimited =
            Buckets::new(Limits { sign_ins: Rate { per_minute: 0, burst: 1 }, ..Limits::default() });
        assert_eq!(unlimited.take_and_tell(Kind::SignIn, Who::Person(1), 0), (Ok(()), None));
    }

    #[test]
    fn everybody_has_a_bucket_of_their_own() {
        let buckets = buckets(1, 1);
        for who in [Who::Person(1), Who::Person(2), Who::Device(1), Who::at(IpAddr::from([10, 0, 0, 1]))] {
            assert_eq!(buckets.take_at(Kind::SignIn, who, 0), Ok(()));
            assert_eq!(buckets.take_at(Kind::SignIn, who, 0), Err(60_000));
            assert_eq!(buckets.take_at(Kind::Request, who, 0), Ok(()));
        }
    }

    #[test]
    fn no_limit_is_no_limit() {
        let buckets = buckets(0, 1);
        assert!((0..10_000).all(|_| buckets.take(Kind::SignIn, Who::Person(1)).is_ok()));
    }

    #[test]
    fn one_network_is_one_address() {
        let at = |text: &str| Who::at(text.parse().unwrap());
        assert_eq!(at("2001:db8::1"), at("2001:db8::ffff:1"));
        assert_ne!(at("2001:db8::1"), at("2001:db8:0:1::1"));
        assert_eq!(at("::ffff:10.0.0.1"), at("10.0.0.1"));
    }

    #[test]
    fn an_empty_bucket_is_a_problem_that_says_when() {
        let problem = too_many(7);
        assert_eq!((problem.status, problem.code.as_str()), (429, "too-many"));
        assert_eq!(problem.parameters["retry_after_seconds"], 7);
    }
}
