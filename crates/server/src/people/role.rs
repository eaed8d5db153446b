//! Roles that must not meet in one person: who keeps the accounts, who handles the money, who runs the games, who
//! watches and who checks the books afterwards are different people, or none of them is a check on another.

use core::fmt;

use serde::Deserialize;

use super::Grant;

/// A department, as far as it is kept apart from others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Administrators: people, ranks, tokens, rulebooks.
    Admin,
    /// The floor: ranks at tables, and floor managers.
    Floor,
    /// The cage.
    Cashier,
    /// Surveillance.
    Surveillance,
    /// Auditors.
    Auditor,
}

impl Role {
    /// Its name.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Floor => "floor",
            Self::Cashier => "cashier",
            Self::Surveillance => "surveillance",
            Self::Auditor => "auditor",
        }
    }

    const fn of(grant: &Grant) -> Option<Self> {
        match grant {
            Grant::Admin => Some(Self::Admin),
            Grant::Staff { .. } | Grant::FloorManager => Some(Self::Floor),
            Grant::Cashier => Some(Self::Cashier),
            Grant::Surveillance => Some(Self::Surveillance),
            Grant::Auditor => Some(Self::Auditor),
            Grant::Player => None,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Admin => "an administrator",
            Self::Floor => "of the floor",
            Self::Cashier => "a cashier",
            Self::Surveillance => "of surveillance",
            Self::Auditor => "an auditor",
        })
    }
}

/// Which roles may meet; none may if nothing is said.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Roles {
    /// Pairs that may be one person, such as `["admin", "floor"]`.
    pub may_meet: Vec<[Role; 2]>,
}

impl Roles {
    /// All of them may: for demonstrations and tests of one person.
    #[must_use]
    pub fn anything() -> Self {
        let all = [Role::Admin, Role::Floor, Role::Cashier, Role::Surveillance, Role::Auditor];
        let pairs = all.iter().flat_map(|one| all.iter().map(move |other| [*one, *other]));
        Self { may_meet: pairs.filter(|[one, other]| one < other).collect() }
    }

    /// Two roles that would meet and must not; what somebody already is stays.
    pub(super) fn meeting(&self, grants: &[Grant], before: &[Grant]) -> Option<(Role, Role)> {
        let roles = |grants: &[Grant]| -> Vec<Role> {
            let mut roles: Vec<Role> = grants.iter().filter_map(Role::of).collect();
            roles.sort_unstable();
            roles.dedup();
            roles
        };
        let (now, had) = (roles(grants), roles(before));
        let pairs = now.iter().flat_map(|one| now.iter().map(move |other| (*one, *other)));
        pairs.filter(|(one, other)| one < other).find(|(one, other)| {
            let may = self.may_meet.iter().any(|pair| pair.contains(one) && pair.contains(other));
            let stays = had.contains(one) && had.contains(other);
            !may && !stays
        })
    }

    /// The policy in a line of text, in one spelling.
    #[must_use]
    pub fn told(&self) -> String {
        let mut pairs: Vec<[Role; 2]> = self.may_meet.clone();
        pairs.iter_mut().for_each(|pair| pair.sort_unstable());
        pairs.sort_unstable();
        pairs.dedup();
        match pairs.as_slice() {
            [] => "no two roles may meet".to_string(),
            pairs => {
                let words: Vec<_> =
                    pairs.iter().map(|[one, other]| format!("{}+{}", one.key(), other.key())).collect();
                format!("may meet: {}", words.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank() -> Grant {
        Grant::Staff { rank: "dealer".to_string(), rulebook: None, pit: None, acting: None }
    }

    #[test]
    fn two_departments_do_not_meet_unless_the_house_says_so() {
        let all = [Grant::Admin, rank(), Grant::Cashier, Grant::Surveillance, Grant::Auditor];
        for one in &all {
            for other in &all {
                let both = [one.clone(), other.clone()];
                let meet = Roles::default().meeting(&both, &[]);
                assert_eq!(meet.is_some(), one != other, "{both:?}");
                assert_eq!(Roles::anything().meeting(&both, &[]), None);
                // Whoever was both before may stay so, and may lose one of them.
                assert_eq!(Roles::default().meeting(&both, &both), None);
            }
        }
        assert_eq!(Roles::default().meeting(&[rank(), Grant::FloorManager, Grant::Player], &[]), None);
        let loosened = Roles { may_meet: vec![[Role::Floor, Role::Admin]] };
        assert_eq!(loosened.meeting(&[Grant::Admin, rank()], &[]), None);
        assert!(loosened.meeting(&[Grant::Admin, Grant::Cashier], &[]).is_some());
        assert_eq!(loosened.told(), "may meet: admin+floor");
    }
}
