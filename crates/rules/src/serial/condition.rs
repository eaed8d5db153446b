//! When a pay line applies and what it pays, as JSON: one tagged value for each, whatever the family.
//!
//! Whoever shows a line makes the words from this value; the words in `baccarat::condition::words` are only for the
//! terminal and reports. The core types know nothing of it, so the form can stay while they change.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use croupier_cards::serial::read_key;
use croupier_cards::{Rank, Suit};
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::baccarat::card_set::{rank_key, suit_key};
use crate::baccarat::condition::{CardTest, ClassTest, NumberSet, Whose};
use crate::baccarat::{CardPlace, CardSet, Condition, Side, Winner};
use crate::bet::{Payoff, When};
use crate::niu_niu::outcome::CategorySet;
use crate::niu_niu::{self, BoxWinner, Category};
use crate::odds::Odds;
use crate::ratio::Ratio;

/// When a pay line applies. Sides are those of baccarat; only `box` speaks of Niu Niu.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Condition))]
pub(crate) enum WrittenWhen {
    /// Whatever no line before it speaks of; never inside another condition.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionOtherwise"))]
    Otherwise,
    /// Every outcome.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionAlways"))]
    Always,
    /// All of them hold.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionAllOf"))]
    AllOf {
        /// The conditions.
        #[cfg_attr(feature = "openapi", schema(no_recursion, min_items = 1))]
        of: Vec<Self>,
    },
    /// At least one of them holds.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionAnyOf"))]
    AnyOf {
        /// The conditions.
        #[cfg_attr(feature = "openapi", schema(no_recursion, min_items = 1))]
        of: Vec<Self>,
    },
    /// It does not hold.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionNot"))]
    Not {
        /// The condition.
        #[cfg_attr(feature = "openapi", schema(no_recursion))]
        of: Box<Self>,
    },
    /// Who wins.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionWinner"))]
    Winner {
        /// The winner.
        winner: Winner,
    },
    /// An initial hand was a natural.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionNatural"))]
    Natural,
    /// The final count of a hand.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionPoints"))]
    Points {
        /// Whose.
        side: Side,
        /// The counts, ascending.
        #[cfg_attr(feature = "openapi", schema(min_items = 1))]
        numbers: Vec<u8>,
    },
    /// The number of cards in a hand.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionCards"))]
    Cards {
        /// Whose.
        side: Side,
        /// The numbers, ascending.
        #[cfg_attr(feature = "openapi", schema(min_items = 1))]
        numbers: Vec<u8>,
    },
    /// The number of cards in both hands.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionTotalCards"))]
    TotalCards {
        /// The numbers, ascending.
        #[cfg_attr(feature = "openapi", schema(min_items = 1))]
        numbers: Vec<u8>,
    },
    /// The difference of the final counts.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionMargin"))]
    Margin {
        /// The differences, ascending.
        #[cfg_attr(feature = "openapi", schema(min_items = 1))]
        numbers: Vec<u8>,
    },
    /// The sum of the final counts.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionPointsSum"))]
    PointsSum {
        /// The sums, ascending.
        #[cfg_attr(feature = "openapi", schema(min_items = 1))]
        numbers: Vec<u8>,
    },
    /// A hand's first two cards have the same rank.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionPair"))]
    Pair {
        /// Whose.
        side: Side,
    },
    /// The count of a hand's first two cards.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionInitialPoints"))]
    InitialPoints {
        /// Whose.
        side: Side,
        /// The counts, ascending.
        #[cfg_attr(feature = "openapi", schema(min_items = 1))]
        numbers: Vec<u8>,
    },
    /// A card by its place in a hand; one that was not drawn is none of them.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionCard"))]
    Card {
        /// Whose.
        side: Side,
        /// Which of the hand.
        place: CardPlace,
        /// What it must be.
        cards: WrittenCards,
    },
    /// A hand's first two cards have the same rank and suit.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionPerfectPair"))]
    PerfectPair {
        /// Whose.
        side: Side,
    },
    /// A hand's first two cards have the same suit.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionSuited"))]
    Suited {
        /// Whose.
        side: Side,
    },
    /// Both hands pair, and both pairs have the same rank.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionEqualPairs"))]
    EqualPairs,
    /// How many of the cards dealt are such.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionCount"))]
    Count {
        /// Whose cards.
        whose: Whose,
        /// Which cards.
        cards: WrittenCards,
        /// How many, ascending.
        #[cfg_attr(feature = "openapi", schema(min_items = 1))]
        numbers: Vec<u8>,
    },
    /// Every card dealt is such.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionEvery"))]
    Every {
        /// Whose cards.
        whose: Whose,
        /// Which cards.
        cards: WrittenCards,
    },
    /// How a box of Niu Niu ended; what is left out may be anything.
    #[cfg_attr(feature = "openapi", schema(title = "ConditionBox"))]
    Box {
        /// Who wins.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "openapi", schema(nullable = false))]
        winner: Option<BoxWinner>,
        /// What the box holds, lowest first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "openapi", schema(nullable = false, min_items = 1))]
        hand: Option<Vec<Category>>,
        /// What the Dealer holds, lowest first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "openapi", schema(nullable = false, min_items = 1))]
        dealer: Option<Vec<Category>>,
    },
}

/// Some ranks of some suits; what is left out may be any.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = CardSet))]
pub(crate) struct WrittenCards {
    /// The ranks, from ace to king.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, min_items = 1))]
    ranks: Option<Vec<WrittenRank>>,
    /// The suits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, min_items = 1))]
    suits: Option<Vec<WrittenSuit>>,
}

/// A rank as rulebooks write it.
pub(crate) struct WrittenRank(Rank);

impl WrittenRank {
    /// All ranks, from ace to king.
    #[cfg(feature = "openapi")]
    pub(crate) fn keys() -> impl Iterator<Item = &'static str> {
        Rank::ALL.into_iter().map(rank_key)
    }
}

impl Serialize for WrittenRank {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(rank_key(self.0))
    }
}

impl<'de> Deserialize<'de> for WrittenRank {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_key(deserializer, "rank", &Rank::ALL, rank_key).map(Self)
    }
}

/// A suit as rulebooks write it.
pub(crate) struct WrittenSuit(Suit);

impl WrittenSuit {
    /// All suits.
    #[cfg(feature = "openapi")]
    pub(crate) fn keys() -> impl Iterator<Item = &'static str> {
        Suit::ALL.into_iter().map(suit_key)
    }
}

impl Serialize for WrittenSuit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(suit_key(self.0))
    }
}

impl<'de> Deserialize<'de> for WrittenSuit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_key(deserializer, "suit", &Suit::ALL, suit_key).map(Self)
    }
}

/// What a pay line pays.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case", deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Payoff))]
pub(crate) enum WrittenPayoff {
    /// Paid at the odds.
    #[cfg_attr(feature = "openapi", schema(title = "PayoffWin"))]
    Win {
        /// The odds.
        odds: Odds,
        /// The share of the winnings that the house keeps, as a fraction; left out where it keeps nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(
            feature = "openapi",
            schema(value_type = String, nullable = false, pattern = "^[0-9]+/[0-9]+$", example = "1/20")
        )]
        less: Option<Ratio>,
    },
    /// The stake is given back.
    #[cfg_attr(feature = "openapi", schema(title = "PayoffPush"))]
    Push,
    /// The stake is collected.
    #[cfg_attr(feature = "openapi", schema(title = "PayoffLose"))]
    Lose,
}

impl From<&When> for WrittenWhen {
    fn from(when: &When) -> Self {
        match when {
            When::Otherwise => Self::Otherwise,
            When::Baccarat(condition) => condition.into(),
            When::NiuNiu(niu_niu::Condition { winner, hand, dealer }) => {
                Self::Box { winner: *winner, hand: categories(*hand), dealer: categories(*dealer) }
            }
        }
    }
}

impl From<&Condition> for WrittenWhen {
    fn from(condition: &Condition) -> Self {
        let several = |parts: &[Condition]| parts.iter().map(Self::from).collect();
        match condition {
            Condition::All(parts) if parts.is_empty() => Self::Always,
            Condition::All(parts) => Self::AllOf { of: several(parts) },
            Condition::Any(parts) => Self::AnyOf { of: several(parts) },
            Condition::Not(part) => Self::Not { of: Box::new((&**part).into()) },
            Condition::Class(test) => (*test).into(),
            Condition::Cards(test) => (*test).into(),
        }
    }
}

impl From<ClassTest> for WrittenWhen {
    fn from(test: ClassTest) -> Self {
        let numbers = |set: NumberSet| set.iter().collect();
        match test {
            ClassTest::Winner(winner) => Self::Winner { winner },
            ClassTest::Natural => Self::Natural,
            ClassTest::Points(side, set) => Self::Points { side, numbers: numbers(set) },
            ClassTest::Cards(side, set) => Self::Cards { side, numbers: numbers(set) },
            ClassTest::TotalCards(set) => Self::TotalCards { numbers: numbers(set) },
            ClassTest::Margin(set) => Self::Margin { numbers: numbers(set) },
            ClassTest::PointsSum(set) => Self::PointsSum { numbers: numbers(set) },
            ClassTest::Pair(side) => Self::Pair { side },
        }
    }
}

impl From<CardTest> for WrittenWhen {
    fn from(test: CardTest) -> Self {
        match test {
            CardTest::InitialPoints(side, set) => Self::InitialPoints { side, numbers: set.iter().collect() },
            CardTest::Card(side, place, cards) => Self::Card { side, place, cards: cards.into() },
            CardTest::PerfectPair(side) => Self::PerfectPair { side },
            CardTest::Suited(side) => Self::Suited { side },
            CardTest::EqualPairs => Self::EqualPairs,
            CardTest::Count(whose, cards, times) => {
                Self::Count { whose, cards: cards.into(), numbers: times.iter().collect() }
            }
            CardTest::Every(whose, cards) => Self::Every { whose, cards: cards.into() },
        }
    }
}

impl From<CardSet> for WrittenCards {
    fn from(cards: CardSet) -> Self {
        Self {
            ranks: cards.asks_ranks().then(|| cards.ranks().map(WrittenRank).collect()),
            suits: cards.asks_suits().then(|| cards.suits().map(WrittenSuit).collect()),
        }
    }
}

/// The categories in a set; nothing for all of them.
fn categories(set: CategorySet) -> Option<Vec<Category>> {
    (set != CategorySet::ALL).then(|| set.iter().collect())
}

impl TryFrom<WrittenWhen> for When {
    type Error = String;

    fn try_from(written: WrittenWhen) -> Result<Self, String> {
        let set = |categories: Option<Vec<Category>>| match categories {
            None => Ok(CategorySet::ALL),
            Some(categories) => Ok::<_, String>(some(categories, "categories")?.into_iter().collect()),
        };
        if matches!(written, WrittenWhen::Otherwise) {
            return Ok(Self::Otherwise);
        }
        if let WrittenWhen::Box { winner, hand, dealer } = written {
            return Ok(Self::NiuNiu(niu_niu::Condition { winner, hand: set(hand)?, dealer: set(dealer)? }));
        }
        written.try_into().map(Self::Baccarat)
    }
}

impl TryFrom<WrittenWhen> for Condition {
    type Error = String;

    fn try_from(written: WrittenWhen) -> Result<Self, String> {
        use WrittenWhen as W;
        let several = |of: Vec<W>| -> Result<Vec<Self>, String> {
            some(of, "conditions")?.into_iter().map(Self::try_from).collect()
        };
        Ok(match written {
            W::Otherwise | W::Box { .. } => {
                return Err("`otherwise` and `box` stand alone, not inside another condition".to_string());
            }
            W::Always => Self::ANY,
            W::AllOf { of } => Self::All(several(of)?),
            W::AnyOf { of } => Self::Any(several(of)?),
            W::Not { of } => Self::Not(Box::new((*of).try_into()?)),
            W::Winner { winner } => Self::Class(ClassTest::Winner(winner)),
            W::Natural => Self::Class(ClassTest::Natural),
            W::Points { side, numbers } => Self::Class(ClassTest::Points(side, set(numbers, 9)?)),
            W::Cards { side, numbers } => Self::Class(ClassTest::Cards(side, set(numbers, 3)?)),
            W::TotalCards { numbers } => Self::Class(ClassTest::TotalCards(set(numbers, 6)?)),
            W::Margin { numbers } => Self::Class(ClassTest::Margin(set(numbers, 9)?)),
            W::PointsSum { numbers } => Self::Class(ClassTest::PointsSum(set(numbers, 18)?)),
            W::Pair { side } => Self::Class(ClassTest::Pair(side)),
            W::InitialPoints { side, numbers } => {
                Self::Cards(CardTest::InitialPoints(side, set(numbers, 9)?))
            }
            W::Card { side, place, cards } => Self::Cards(CardTest::Card(side, place, cards.try_into()?)),
            W::PerfectPair { side } => Self::Cards(CardTest::PerfectPair(side)),
            W::Suited { side } => Self::Cards(CardTest::Suited(side)),
            W::EqualPairs => Self::Cards(CardTest::EqualPairs),
            W::Count { whose, cards, numbers } => {
                Self::Cards(CardTest::Count(whose, cards.try_into()?, set(numbers, 6)?))
            }
            W::Every { whose, cards } => Self::Cards(CardTest::Every(whose, cards.try_into()?)),
        })
    }
}

impl TryFrom<WrittenCards> for CardSet {
    type Error = String;

    fn try_from(WrittenCards { ranks, suits }: WrittenCards) -> Result<Self, String> {
        let ranks = ranks.map(|ranks| some(ranks, "ranks")).transpose()?;
        let suits = suits.map(|suits| some(suits, "suits")).transpose()?;
        let ranks = ranks.map_or(Self::ALL, |ranks| Self::of_ranks(ranks.into_iter().map(|rank| rank.0)));
        let suits = suits.map_or(Self::ALL, |suits| Self::of_suits(suits.into_iter().map(|suit| suit.0)));
        Ok(ranks.and(suits))
    }
}

/// The set of numbers that a list names, none above `most`.
fn set(numbers: Vec<u8>, most: u8) -> Result<NumberSet, String> {
    let numbers = some(numbers, "numbers")?;
    match numbers.iter().find(|number| **number > most) {
        Some(number) => Err(alloc::format!("{number} is too large here; at most {most} is accepted")),
        None => Ok(numbers.into_iter().collect()),
    }
}

/// A list that names something.
fn some<T>(items: Vec<T>, what: &str) -> Result<Vec<T>, String> {
    if items.is_empty() {
        return Err(alloc::format!("an empty list of {what} matches nothing; leave it out, or name some"));
    }
    Ok(items)
}

impl Serialize for When {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WrittenWhen::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for When {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        WrittenWhen::deserialize(deserializer)?.try_into().map_err(D::Error::custom)
    }
}

impl Serialize for Payoff {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = match *self {
            Self::Win { odds, less } => {
                WrittenPayoff::Win { odds, less: Some(less).filter(|less| *less != Ratio::ZERO) }
            }
            Self::Push => WrittenPayoff::Push,
            Self::Lose => WrittenPayoff::Lose,
        };
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Payoff {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match WrittenPayoff::deserialize(deserializer)? {
            WrittenPayoff::Win { odds, less: None } => Self::Win { odds, less: Ratio::ZERO },
            WrittenPayoff::Win { odds, less: Some(less) } if Ratio::ZERO < less && less < Ratio::ONE => {
                Self::Win { odds, less }
            }
            WrittenPayoff::Win { less: Some(less), .. } => {
                let fault = "is not a share of winnings; it lies above 0 and below 1";
                return Err(D::Error::custom(format_args!("`{less}` {fault}")));
            }
            WrittenPayoff::Push => Self::Push,
            WrittenPayoff::Lose => Self::Lose,
        })
    }
}
