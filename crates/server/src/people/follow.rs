//! What another node has changed about people: taken from the registers as the notices name it.

use std::collections::HashSet;
use std::sync::PoisonError;

use super::{People, REGISTER, factor, read, seen, session, token};
use crate::clock;

/// The registers that are kept in memory.
pub(crate) const REGISTERS: [&str; 5] =
    [REGISTER, session::REGISTER, token::REGISTER, factor::REGISTER, seen::REGISTER];

impl People {
    /// Takes an entry as another node has written it; nothing, if it is gone.
    pub(crate) fn take(&self, register: &str, key: &str, value: Option<&[u8]>) {
        let inner = &self.inner;
        match (register, value) {
            (session::REGISTER, value) => inner.sessions.take(key, value),
            (factor::REGISTER, value) => inner.factors.take(&inner.floor.shared.keys, key, value),
            (REGISTER, Some(value)) => match read(key, value) {
                Ok(person) => drop(inner.book.write().unwrap_or_else(PoisonError::into_inner).put(person)),
                Err(error) => tracing::error!(%error, "somebody is not understood"),
            },
            (token::REGISTER, Some(value)) => match serde_json::from_slice(value) {
                Ok(token) => drop(inner.tokens.put(token)),
                Err(error) => tracing::error!(%error, key, "a token is not understood"),
            },
            (seen::REGISTER, Some(value)) => inner.sightings.take(key, value),
            // People, tokens and sign-ins are not removed while a floor runs.
            (_, None | Some(_)) => {}
        }
    }

    /// The same for a whole register.
    pub(crate) fn take_all(&self, register: &str, entries: Vec<(String, Vec<u8>)>) {
        let inner = &self.inner;
        match register {
            session::REGISTER => inner.sessions.take_all(&entries),
            factor::REGISTER => inner.factors.take_all(&inner.floor.shared.keys, entries),
            _ => {
                if register == REGISTER {
                    let there: HashSet<u32> =
                        entries.iter().filter_map(|(key, _)| key.parse().ok()).collect();
                    let mut book = inner.book.write().unwrap_or_else(PoisonError::into_inner);
                    book.by_id.retain(|id, _| there.contains(id));
                    book.by_name.retain(|_, id| there.contains(id));
                }
                entries.iter().for_each(|(key, value)| self.take(register, key, Some(value)));
            }
        }
    }

    /// Whether the node that leads is to hear that a session is used, which it does when a request of it is passed on.
    pub(crate) fn is_use_to_be_told(&self, session: croupier_journal::Hash) -> bool {
        self.inner.sessions.is_to_be_told(session, clock::now())
    }
}
