//! Signing in by an identity provider: whom it names must be tied to an account here, and the account must be one that
//! the operator lets in that way.

use std::net::IpAddr;
use std::sync::{Arc, PoisonError};

use croupier_journal::By;
use croupier_table::PersonId;

use super::{Came, People, Person, choice};
use crate::problem::Problem;
use crate::provider::{LONGEST_SUBJECT, Named, Oidc};

impl People {
    /// Who is tied to what the provider calls them.
    #[must_use]
    pub fn tied_to(&self, subject: &str) -> Option<Arc<Person>> {
        let book = self.inner.book.read().unwrap_or_else(PoisonError::into_inner);
        book.by_id.values().find(|person| person.provider.as_deref() == Some(subject)).cloned()
    }

    /// Signs in whom the provider names; where there is a second factor here and the provider has seen none that counts,
    /// that is shown next.
    ///
    /// # Errors
    /// 403 `unknown-subject`, `not-by-provider` or `disabled`.
    pub(crate) async fn sign_in_by_provider(
        &self,
        named: &Named,
        policy: &Oidc,
        address: IpAddr,
    ) -> Result<Came, Problem> {
        const WHAT: &str = "POST /api/sign-in/provider/back";
        let Some(person) = self.tied_to(&named.subject) else {
            metrics::counter!("croupier_sign_ins_total", "result" => "unknown-subject").increment(1);
            tracing::info!(%address, "sign-in by the provider failed: no account is tied to whom it names");
            let detail = "the provider knows you, and no account here is tied to that; ask an administrator";
            return Err(Problem::forbidden("unknown-subject", detail));
        };
        let id = person.id;
        let refusal = match (person.disabled, policy.is_for(&person.grants)) {
            (true, _) => Some(choice::disabled()),
            (false, false) => {
                let detail = "this account may not be opened by the provider; sign in with the password";
                Some(Problem::forbidden("not-by-provider", detail))
            }
            (false, true) => None,
        };
        if let Some(problem) = refusal {
            tracing::info!(%address, person = id, code = problem.code, "sign-in by the provider refused");
            self.record_denial(By::Person(PersonId(id)), WHAT, None, &problem.code).await;
            return Err(problem);
        }
        let came = match named.has_factor {
            true => {
                let begun = self.begin_session_with(id, Some(address), Some(named.session), true);
                begun.await.map(Came::In)?
            }
            false => self.come_in(person, address, Some(named.session)).await?,
        };
        if let Came::In(_) = came {
            metrics::counter!("croupier_sign_ins_total", "result" => "right").increment(1);
            tracing::info!(%address, person = id, factor = named.has_factor, "signed in by the provider");
        }
        Ok(came)
    }
}

/// What a provider calls somebody must be something, and no more than fits.
pub(super) fn subject_fits(subject: &str) -> Result<(), Problem> {
    let length = 1..=LONGEST_SUBJECT;
    if length.contains(&subject.len()) && !subject.chars().any(char::is_control) {
        return Ok(());
    }
    let detail =
        format!("what the provider calls somebody has 1 to {LONGEST_SUBJECT} bytes that can be seen");
    Err(Problem::refused("bad-subject", detail))
}

pub(super) fn subject_taken() -> Problem {
    let detail = "another account is tied to this already; untie that one first";
    Problem::conflict("subject-taken", detail)
}
