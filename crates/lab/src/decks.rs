//! From how many decks games are priced.

use croupier_cards::{Decks, DecksError};
use croupier_rules::setting::Setting;
use croupier_rules::{Family, Rulebook};

/// More decks than a game of the family is dealt from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{} is dealt from {}", name(*.family), range(*.family))]
pub struct TooManyDecks {
    /// The kind of game.
    pub family: Family,
    /// The decks asked for.
    pub decks: Decks,
}

/// Whether a game of the family can be dealt from so many decks.
///
/// # Errors
/// [`TooManyDecks`].
pub fn check(family: Family, decks: Decks) -> Result<(), TooManyDecks> {
    if decks <= family.most_decks() { Ok(()) } else { Err(TooManyDecks { family, decks }) }
}

/// Every number of decks that a game of the family can be dealt from.
pub fn all(family: Family) -> impl Iterator<Item = Decks> {
    (Decks::MIN.number()..=family.most_decks().number()).filter_map(|number| Decks::new(number).ok())
}

/// The decks that a game is dealt from unless told otherwise: the rulebook's default, else what is usual.
///
/// # Errors
/// [`DecksError`] if the rulebook's default is not a number of decks.
pub fn default_of(rulebook: &Rulebook) -> Result<Decks, DecksError> {
    let named = rulebook.setting(Setting::Decks).and_then(|spec| spec.default.as_deref()?.parse().ok());
    named.map_or(Ok(usual(rulebook.family)), Decks::new)
}

/// The decks that most tables of the family have.
#[must_use]
pub const fn usual(family: Family) -> Decks {
    match family {
        Family::Baccarat => EIGHT,
        Family::NiuNiu => Decks::ONE,
    }
}

/// The decks that a designed bet is priced with unless told otherwise.
#[must_use]
pub const fn of_design(family: Family) -> &'static [Decks] {
    match family {
        Family::Baccarat => &[SIX, EIGHT],
        Family::NiuNiu => &[Decks::ONE],
    }
}

const SIX: Decks = of(6);
const EIGHT: Decks = of(8);

const fn of(number: u8) -> Decks {
    match Decks::new(number) {
        Ok(decks) => decks,
        Err(_) => Decks::MAX,
    }
}

/// What people call the family.
const fn name(family: Family) -> &'static str {
    match family {
        Family::Baccarat => "baccarat",
        Family::NiuNiu => "Niu Niu",
    }
}

/// How many decks there can be, in words.
fn range(family: Family) -> String {
    match family.most_decks() {
        Decks::ONE => "one deck".to_string(),
        most => format!("1 to {} decks", most.number()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_is_dealt_from_what_it_can_be_dealt_from() {
        for family in Family::ALL {
            assert_eq!(all(family).last(), Some(family.most_decks()));
            assert_eq!(check(family, usual(family)), Ok(()));
            assert!(of_design(family).iter().all(|decks| check(family, *decks).is_ok()), "{family}");
        }
        assert_eq!((usual(Family::Baccarat), of(6).number()), (of(8), 6));
        let refused = check(Family::NiuNiu, of(2)).map_err(|error| error.to_string());
        assert_eq!(refused, Err("Niu Niu is dealt from one deck".to_string()));
    }
}
