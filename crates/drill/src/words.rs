//! What a drill says, in three languages. The words of a round file (`dealer draws 9D onto player`) and the summaries of
//! the clauses stay as they are: they are the notation and the rulebook.

mod phrases;
mod terms;

use core::str::FromStr;

use croupier_rules::bet::Names;
use croupier_rules::niu_niu::BoxWinner;
use croupier_rules::{Irregularity, Remedy};
use croupier_table::command::Holder;
use croupier_table::{Phase, PlayerId};

use crate::question::{Choice, Kind};
use crate::situation::{Next, Situation};
use crate::topic::{Topic, Work};
pub use phrases::Phrase;

/// English, Vietnamese, Chinese.
pub type Words = [&'static str; 3];

/// A language of the product.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Vietnamese.
    Vi,
    /// Chinese.
    Zh,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::En, Self::Vi, Self::Zh];

    /// The name used in commands.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Vi => "vi",
            Self::Zh => "zh",
        }
    }

    /// The words of this language.
    #[must_use]
    pub const fn of(self, [en, vi, zh]: Words) -> &'static str {
        match self {
            Self::En => en,
            Self::Vi => vi,
            Self::Zh => zh,
        }
    }

    fn name(self, names: &Names) -> &str {
        match self {
            Self::En => &names.en,
            Self::Vi => &names.vi,
            Self::Zh => &names.zh,
        }
    }
}

impl FromStr for Language {
    type Err = ();
    fn from_str(key: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|language| language.key() == key).ok_or(())
    }
}

const PLAYERS: [&str; 5] = ["nobody", "ann", "bob", "cleo", "dan"];

/// What a player of a drill is called.
#[must_use]
pub fn name(player: PlayerId) -> &'static str {
    let at = usize::try_from(player.0).unwrap_or(0);
    PLAYERS.get(at).copied().unwrap_or("nobody")
}

/// The names of so many players, by their number.
pub(crate) fn names(players: usize) -> Vec<String> {
    PLAYERS.iter().take(players + 1).map(ToString::to_string).collect()
}

/// The words of a key in a table; the key itself if it is not there, which a test excludes.
fn term(terms: &'static [(&'static str, Words)], key: &'static str, language: Language) -> &'static str {
    terms.iter().find(|(known, _)| *known == key).map_or(key, |(_, words)| language.of(*words))
}

impl Language {
    /// What went wrong.
    #[must_use]
    pub fn irregularity(self, irregularity: Irregularity) -> &'static str {
        term(terms::IRREGULARITIES, irregularity.key(), self)
    }

    /// What a ruling does.
    #[must_use]
    pub fn remedy(self, remedy: Remedy) -> &'static str {
        term(terms::REMEDIES, remedy.key(), self)
    }

    /// Where play stands.
    #[must_use]
    pub fn phase(self, phase: Phase) -> &'static str {
        term(terms::PHASES, phase.key(), self)
    }

    /// A hand.
    #[must_use]
    pub fn side(self, side: croupier_rules::baccarat::Side) -> &'static str {
        term(terms::SIDES, side.key(), self)
    }

    /// Whose hand of Niu Niu it is.
    #[must_use]
    pub fn holder(self, holder: Holder) -> String {
        match holder {
            Holder::Box(number) => format!("{} {number}", self.say(Phrase::Box)),
            Holder::Dealer => self.say(Phrase::Dealer).to_string(),
        }
    }

    /// What a drill is about.
    #[must_use]
    pub fn topic(self, topic: Topic) -> &'static str {
        match topic {
            Topic::Irregularity(irregularity) => self.irregularity(irregularity),
            Topic::Work(work) => self.say(match work {
                Work::ThirdCards => Phrase::ThirdCards,
                Work::Payouts => Phrase::Payouts,
                Work::Insurance => Phrase::Insurance,
                Work::ProRata => Phrase::ProRata,
                Work::Squeeze => Phrase::Squeeze,
                Work::Ranking => Phrase::Ranking,
            }),
        }
    }

    /// What comes next.
    #[must_use]
    pub fn next(self, next: Next) -> &'static str {
        self.say(match next {
            Next::Regular => Phrase::NextRegular,
            Next::Free => Phrase::NextFree,
            Next::ShoeChoice => Phrase::NextShoeChoice,
            Next::MayReplace => Phrase::NextMayReplace,
            Next::Replace => Phrase::NextReplace,
            Next::ShoeEnd => Phrase::NextShoeEnd,
        })
    }

    /// A question.
    #[must_use]
    pub fn question(self, kind: Kind) -> String {
        match kind {
            Kind::What => self.say(Phrase::AskWhat).to_string(),
            Kind::Rulings => self.say(Phrase::AskRulings).to_string(),
            Kind::ByWhom => self.say(Phrase::AskByWhom).to_string(),
            Kind::Clause => self.say(Phrase::AskClause).to_string(),
            Kind::Players => self.say(Phrase::AskPlayers).to_string(),
            Kind::Wagers => self.say(Phrase::AskWagers).to_string(),
            Kind::Next => self.say(Phrase::AskNext).to_string(),
            Kind::Points(side) => self.say(Phrase::AskPoints).replace("{hand}", self.side(side)),
            Kind::Due => self.say(Phrase::AskDue).to_string(),
            Kind::Odds => self.say(Phrase::AskOdds).to_string(),
            Kind::Limit => self.say(Phrase::AskLimit).to_string(),
            Kind::InAction => self.say(Phrase::AskInAction).to_string(),
            Kind::Squeezer(side) => self.say(Phrase::AskSqueezer).replace("{hand}", self.side(side)),
            Kind::Category(holder) => self.say(Phrase::AskCategory).replace("{hand}", &self.holder(holder)),
            Kind::Winner(number) => {
                self.say(Phrase::AskWinner).replace("{hand}", &self.holder(Holder::Box(number)))
            }
        }
    }

    /// Something that can be chosen.
    #[must_use]
    pub fn choice(self, situation: &Situation, choice: Choice) -> String {
        match choice {
            Choice::Irregularity(irregularity) => self.irregularity(irregularity).to_string(),
            Choice::Ruling(remedy, false) => self.remedy(remedy).to_string(),
            Choice::Ruling(remedy, true) => {
                format!("{}, {}", self.remedy(remedy), self.say(Phrase::WithWithdrawal))
            }
            Choice::Rank(rank) => self.rank(situation, rank),
            Choice::Clause(basis) => situation.rulebook.full_id(basis),
            Choice::Player(player) => name(player).to_string(),
            Choice::Dealer => self.say(Phrase::Dealer).to_string(),
            Choice::Side(side) => self.side(side).to_string(),
            Choice::Nobody => self.say(Phrase::Nobody).to_string(),
            Choice::Number(number) => number.to_string(),
            Choice::Next(next) => self.next(next).to_string(),
            Choice::Odds(odds) => odds.to_string(),
            Choice::Category(category) => term(terms::CATEGORIES, category.key(), self).to_string(),
            Choice::Winner(BoxWinner::Player) => self.say(Phrase::BoxWins).to_string(),
            Choice::Winner(BoxWinner::Dealer) => self.say(Phrase::Dealer).to_string(),
        }
    }

    /// The title of a rank.
    #[must_use]
    pub fn rank(self, situation: &Situation, rank: u8) -> String {
        let rank = situation.rulebook.ranks.get(usize::from(rank));
        rank.map(|rank| self.name(&rank.names).to_string()).unwrap_or_default()
    }

    /// The name of a bet.
    #[must_use]
    pub fn bet(self, situation: &Situation, bet: usize) -> String {
        let bet = situation.game.bets.get(bet);
        bet.map(|bet| self.name(&bet.names).to_string()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_has_a_name_and_it_is_that_of_the_screens() {
        let screens = include_str!("../../../web/src/i18n/terms.ts");
        let all: [&[(&str, Words)]; 5] =
            [terms::IRREGULARITIES, terms::REMEDIES, terms::PHASES, terms::SIDES, terms::CATEGORIES];
        for (key, [en, vi, zh]) in all.into_iter().flatten() {
            let words = format!(": [\"{en}\", \"{vi}\", \"{zh}\"],");
            let line = |line: &str| {
                let line = line.trim();
                line.ends_with(&words) && line.trim_end_matches(&words).trim_matches('"') == *key
            };
            assert!(screens.lines().any(line), "{key} is called otherwise on the screens");
        }
        let keys = |terms: &[(&'static str, Words)]| terms.iter().map(|(key, _)| *key).collect::<Vec<_>>();
        for known in Irregularity::ALL {
            assert!(keys(terms::IRREGULARITIES).contains(&known.key()), "{known}");
        }
        for known in Remedy::ALL {
            assert!(keys(terms::REMEDIES).contains(&known.key()), "{known}");
        }
        for known in Phase::ALL {
            assert!(keys(terms::PHASES).contains(&known.key()), "{known}");
        }
        for known in croupier_rules::niu_niu::Category::ALL {
            assert!(keys(terms::CATEGORIES).contains(&known.key()), "{}", known.key());
        }
    }
}
