//! Five cards, their category, and the order of hands.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::str::FromStr;

use croupier_cards::{Card, Rank, Suit};

use crate::rule::Rule;

/// The rank of a hand, lowest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Category {
    /// No three cards make 10, 20 or 30.
    NoHand,
    /// The other two cards make 11.
    Niu1,
    /// … 2 or 12.
    Niu2,
    /// … 3 or 13.
    Niu3,
    /// … 4 or 14.
    Niu4,
    /// … 5 or 15.
    Niu5,
    /// … 6 or 16.
    Niu6,
    /// … 7 or 17.
    Niu7,
    /// … 8 or 18.
    Niu8,
    /// … 9 or 19.
    Niu9,
    /// … 10 or 20.
    NiuNiu,
    /// Five jacks, queens or kings.
    UltimateNiuNiu,
    /// Four cards of one rank.
    HoianaNiuNiu,
}

impl Category {
    /// All categories, lowest first.
    pub const ALL: [Self; 13] = [
        Self::NoHand,
        Self::Niu1,
        Self::Niu2,
        Self::Niu3,
        Self::Niu4,
        Self::Niu5,
        Self::Niu6,
        Self::Niu7,
        Self::Niu8,
        Self::Niu9,
        Self::NiuNiu,
        Self::UltimateNiuNiu,
        Self::HoianaNiuNiu,
    ];

    /// The name used in files.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::NoHand => "no-hand",
            Self::Niu1 => "niu-1",
            Self::Niu2 => "niu-2",
            Self::Niu3 => "niu-3",
            Self::Niu4 => "niu-4",
            Self::Niu5 => "niu-5",
            Self::Niu6 => "niu-6",
            Self::Niu7 => "niu-7",
            Self::Niu8 => "niu-8",
            Self::Niu9 => "niu-9",
            Self::NiuNiu => "niu-niu",
            Self::UltimateNiuNiu => "ultimate-niu-niu",
            Self::HoianaNiuNiu => "hoiana-niu-niu",
        }
    }

    /// Its place in [`Category::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        #[expect(clippy::as_conversions, reason = "an enum without fields is its number")]
        {
            self as usize
        }
    }

    /// The category whose other two cards end in `digit`.
    const fn of_digit(digit: u8) -> Self {
        match digit {
            1 => Self::Niu1,
            2 => Self::Niu2,
            3 => Self::Niu3,
            4 => Self::Niu4,
            5 => Self::Niu5,
            6 => Self::Niu6,
            7 => Self::Niu7,
            8 => Self::Niu8,
            9 => Self::Niu9,
            _ => Self::NiuNiu,
        }
    }
}

impl FromStr for Category {
    type Err = ();
    fn from_str(key: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|category| category.key() == key).ok_or(())
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// What a card counts: an ace one, pips as printed, pictures ten.
#[must_use]
pub const fn card_value(card: Card) -> u8 {
    match card.rank() {
        Rank::Ace => 1,
        Rank::Two => 2,
        Rank::Three => 3,
        Rank::Four => 4,
        Rank::Five => 5,
        Rank::Six => 6,
        Rank::Seven => 7,
        Rank::Eight => 8,
        Rank::Nine => 9,
        Rank::Ten | Rank::Jack | Rank::Queen | Rank::King => 10,
    }
}

/// Five cards and what they are worth. Hands are equal when neither beats the other, which within one deck
/// only happens to a hand and itself.
///
/// ```
/// use croupier_rules::niu_niu::{Category, Hand};
/// let cards = croupier_cards::parse_cards("KS 4H 6C 2D 7S").unwrap();
/// let hand = Hand::new(cards.try_into().unwrap());
/// assert_eq!(hand.category(), Category::Niu9);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Hand {
    cards: [Card; 5],
    category: Category,
    highest: Card,
}

impl Hand {
    /// Ranks five cards. Every triple that makes a Niu gives the same value, so there is no choice to make.
    #[must_use]
    pub fn new(cards: [Card; 5]) -> Self {
        let highest =
            cards.into_iter().fold(cards[0], |best, card| if outranks(card, best) { card } else { best });
        Self { cards, category: category(cards), highest }
    }

    /// The cards.
    #[must_use]
    pub const fn cards(&self) -> &[Card; 5] {
        &self.cards
    }

    /// The rank of the hand.
    #[must_use]
    pub const fn category(&self) -> Category {
        self.category
    }

    /// The card that decides between hands of the same category.
    #[must_use]
    pub const fn highest(&self) -> Card {
        self.highest
    }

    /// The arrangement to lay out: the three cards that make 10, 20 or 30 and the other two, if there is a Niu.
    #[must_use]
    pub fn arrangement(&self) -> Option<([Card; 3], [Card; 2])> {
        let (first, second) = other_two(self.cards)?;
        let mut triple = self.cards.iter().enumerate().filter(|(at, _)| *at != first && *at != second);
        let mut next = || triple.next().map(|(_, card)| *card);
        Some(([next()?, next()?, next()?], [self.cards[first], self.cards[second]]))
    }

    /// The places of the three cards that make 10, 20 or 30 in [`Self::arrangement`], if there is a Niu.
    ///
    /// ```
    /// use croupier_rules::niu_niu::Hand;
    /// let three = |cards: &str| Hand::new(croupier_cards::parse_cards(cards).unwrap().try_into().unwrap()).three();
    /// assert_eq!(three("2D KS 4H 7S 6C"), Some([1, 2, 4]));
    /// assert_eq!(three("2S 2H 3D 4C 7S"), None);
    /// ```
    #[must_use]
    pub fn three(&self) -> Option<[usize; 3]> {
        let (first, second) = other_two(self.cards)?;
        let mut places = (0..5).filter(|at| *at != first && *at != second);
        Some([places.next()?, places.next()?, places.next()?])
    }

    /// The rules that decide this hand against `other`, in order.
    #[must_use]
    pub fn rules_against(&self, other: &Self) -> Vec<Rule> {
        let mut rules = Vec::new();
        if self.category == other.category {
            rules.extend([Rule::EqualHands, Rule::RankOrder]);
            if self.category == Category::HoianaNiuNiu {
                rules.push(Rule::FoursOfAKind);
            }
            if self.highest.rank() == other.highest.rank() {
                rules.extend([Rule::EqualCards, Rule::SuitOrder]);
            }
        }
        rules
    }
}

/// By category, then by the highest card: rank from king down to ace, then suit.
impl Ord for Hand {
    fn cmp(&self, other: &Self) -> Ordering {
        self.category.cmp(&other.category).then_with(|| strength(self.highest).cmp(&strength(other.highest)))
    }
}

impl PartialEq for Hand {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Hand {}

impl PartialOrd for Hand {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn outranks(card: Card, other: Card) -> bool {
    strength(card) > strength(other)
}

/// King high, ace low; spades, hearts, clubs, diamonds.
const fn strength(card: Card) -> (usize, u8) {
    let suit = match card.suit() {
        Suit::Spades => 3,
        Suit::Hearts => 2,
        Suit::Clubs => 1,
        Suit::Diamonds => 0,
    };
    (card.rank().index(), suit)
}

fn category(cards: [Card; 5]) -> Category {
    let same_rank = |card: Card| cards.iter().filter(|other| other.rank() == card.rank()).count();
    if same_rank(cards[0]) == 4 || same_rank(cards[1]) == 4 {
        return Category::HoianaNiuNiu;
    }
    if cards.iter().all(|card| matches!(card.rank(), Rank::Jack | Rank::Queen | Rank::King)) {
        return Category::UltimateNiuNiu;
    }
    match other_two(cards) {
        Some((first, second)) => {
            Category::of_digit((card_value(cards[first]) + card_value(cards[second])) % 10)
        }
        None => Category::NoHand,
    }
}

/// Two places whose cards leave three that make 10, 20 or 30.
fn other_two(cards: [Card; 5]) -> Option<(usize, usize)> {
    let values = cards.map(card_value);
    let sum: u8 = values.iter().sum();
    (0..5)
        .flat_map(|first| (first + 1..5).map(move |second| (first, second)))
        .find(|(first, second)| (sum - values[*first] - values[*second]).is_multiple_of(10))
}
