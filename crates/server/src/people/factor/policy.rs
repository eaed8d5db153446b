//! Who must have a second factor.

use croupier_journal::Shelf;
use serde::Deserialize;

use crate::people::{Grant, People, Person};
use crate::problem::Problem;

/// For whom a second factor is required: grants such as `admin` or `cashier`, and ranks such as `pit-manager`, which
/// stand for those above them too. For nobody if nothing is said.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct SecondFactor(pub Vec<String>);

/// The names of grants.
const GRANTS: [&str; 7] = ["player", "staff", "floor-manager", "cashier", "surveillance", "auditor", "admin"];

impl SecondFactor {
    /// A name that is neither a grant nor a rank of any rulebook, and what there is.
    pub(crate) fn fault(&self, shelf: &Shelf) -> Option<String> {
        let mut known: Vec<&str> = GRANTS.to_vec();
        for volume in shelf.current() {
            known.extend(volume.rulebook.ranks.iter().map(|rank| rank.id.as_str()));
        }
        known.sort_unstable();
        known.dedup();
        let wrong = self.0.iter().find(|name| !known.contains(&name.as_str()))?;
        Some(format!("`{wrong}` is neither a grant nor a rank; there are {}", known.join(", ")))
    }

    /// Whether somebody with these grants must have one.
    fn is_for(&self, grants: &[Grant], shelf: &Shelf) -> bool {
        let names = |grant: &Grant| {
            self.0.iter().any(|name| name == grant.key() || is_rank_or_above(grant, name, shelf))
        };
        !self.0.is_empty() && grants.iter().any(names)
    }

    /// The policy in a line of text, in one spelling.
    #[must_use]
    pub fn told(&self) -> String {
        let mut names = self.0.clone();
        names.sort_unstable();
        names.dedup();
        match names.as_slice() {
            [] => "required of nobody".to_string(),
            names => format!("required of: {}", names.join(", ")),
        }
    }
}

/// Whether a grant gives this rank or one above it, under any rulebook that it holds under.
fn is_rank_or_above(grant: &Grant, name: &str, shelf: &Shelf) -> bool {
    let Grant::Staff { rank, rulebook, acting, .. } = grant else { return false };
    let holds = |id: &str| rulebook.as_ref().is_none_or(|only| only == id);
    shelf.current().map(|volume| &volume.rulebook).filter(|book| holds(&book.id)).any(|book| {
        let Some(wanted) = book.rank(name) else { return false };
        let held = core::iter::once(rank).chain(acting).filter_map(|rank| book.rank(rank));
        held.map(|rank| book.level(rank)).any(|level| level >= book.level(wanted))
    })
}

impl People {
    /// Whether somebody must enrol a second factor before they do anything else.
    #[must_use]
    pub fn must_enrol(&self, person: &Person) -> bool {
        let policy = &self.inner.settings.second_factor;
        !policy.0.is_empty()
            && self.inner.factors.get(person.id).is_none()
            && policy.is_for(&person.grants, &self.inner.floor.shelf())
    }
}

/// 403: a factor is to be enrolled first.
pub(in crate::people) fn enrol_first() -> Problem {
    let detail = "this account must have a second factor: enrol an authenticator app first \
                  (POST /api/me/factor/app), then sign in with it";
    Problem::forbidden("enrol-first", detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(rank: &str) -> Grant {
        Grant::Staff { rank: rank.to_string(), rulebook: None, pit: None, acting: None }
    }

    fn policy(names: &[&str]) -> SecondFactor {
        SecondFactor(names.iter().map(|name| (*name).to_string()).collect())
    }

    #[test]
    fn a_factor_is_required_by_grant_and_by_rank_or_above() {
        let shelf = Shelf::standard().unwrap();
        let managers = policy(&["admin", "pit-manager"]);
        assert_eq!(managers.fault(&shelf), None);
        for (grants, expected) in [
            (vec![Grant::Admin], true),
            (vec![Grant::Player, Grant::Admin], true),
            (vec![Grant::Cashier], false),
            (vec![Grant::Player], false),
            (vec![rank("dealer")], false),
            (vec![rank("pit-manager")], true),
            (vec![], false),
        ] {
            assert_eq!(managers.is_for(&grants, &shelf), expected, "{grants:?}");
            assert!(!SecondFactor::default().is_for(&grants, &shelf));
        }
        let acting = Grant::Staff {
            rank: "dealer".to_string(),
            rulebook: None,
            pit: None,
            acting: Some("pit-manager".to_string()),
        };
        assert!(managers.is_for(&[acting], &shelf));
        assert!(policy(&["staff"]).is_for(&[rank("dealer")], &shelf));
        // Every rank that is above it somewhere.
        let book = shelf.current().find(|volume| volume.rulebook.rank("pit-manager").is_some());
        let book = &book.unwrap().rulebook;
        let level = |id: &str| book.level(book.rank(id).unwrap());
        for one in &book.ranks {
            let above = level(&one.id) >= level("pit-manager");
            let grant = Grant::Staff {
                rank: one.id.clone(),
                rulebook: Some(book.id.clone()),
                pit: None,
                acting: None,
            };
            assert_eq!(managers.is_for(&[grant], &shelf), above, "{}", one.id);
        }
    }

    #[test]
    fn a_name_that_is_nothing_is_told() {
        let fault = policy(&["admin", "administrator"]).fault(&Shelf::standard().unwrap());
        assert!(
            fault.unwrap().starts_with("`administrator` is neither a grant nor a rank; there are admin, ")
        );
        assert_eq!(policy(&["cashier", "admin"]).told(), "required of: admin, cashier");
        assert_eq!(policy(&[]).told(), "required of nobody");
    }
}
