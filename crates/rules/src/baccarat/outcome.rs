//! The 1,600 classes in which a baccarat round can end.

use core::fmt;

use super::Side;
use super::tableau::{self, Play};

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Winner {
    /// The Player's count is higher.
    Player,
    /// The Banker's count is higher.
    Banker,
    /// Equal counts.
    Tie,
}

impl Winner {
    /// All winners.
    pub const ALL: [Self; 3] = [Self::Player, Self::Banker, Self::Tie];

    /// The name used in files.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Banker => "banker",
            Self::Tie => "tie",
        }
    }

    /// `P`, `B` or `T`: how a shoe is noted.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Player => 'P',
            Self::Banker => 'B',
            Self::Tie => 'T',
        }
    }

    /// The result that a letter stands for, in either case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'P' | 'p' => Some(Self::Player),
            'B' | 'b' => Some(Self::Banker),
            'T' | 't' => Some(Self::Tie),
            _ => None,
        }
    }

    /// The hand that won, if one did.
    #[must_use]
    pub const fn side(self) -> Option<Side> {
        match self {
            Self::Player => Some(Side::Player),
            Self::Banker => Some(Side::Banker),
            Self::Tie => None,
        }
    }
}

impl fmt::Display for Winner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// The class of a finished round: both counts, both numbers of cards, both pairs. Nearly every
/// bet is a function of it; the few others ask for the cards (see [`FinalHands`](super::FinalHands)).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Outcome(u16);

impl Outcome {
    /// How many classes there are, reachable or not.
    pub const COUNT: usize = 1600;

    /// The class with these features; nothing if a feature is out of range.
    #[must_use]
    pub fn new(
        player_points: u8,
        banker_points: u8,
        player_cards: u8,
        banker_cards: u8,
        player_pair: bool,
        banker_pair: bool,
    ) -> Option<Self> {
        let fits = player_points < 10
            && banker_points < 10
            && matches!(player_cards, 2 | 3)
            && matches!(banker_cards, 2 | 3);
        fits.then(|| {
            Self(
                (u16::from(player_points) * 10 + u16::from(banker_points)) * 16
                    + u16::from(player_cards - 2) * 8
                    + u16::from(banker_cards - 2) * 4
                    + u16::from(player_pair) * 2
                    + u16::from(banker_pair),
            )
        })
    }

    /// Its number, below [`Outcome::COUNT`].
    #[must_use]
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// The class with that number.
    #[must_use]
    pub fn from_index(index: usize) -> Option<Self> {
        (index < Self::COUNT).then(|| u16::try_from(index).ok().map(Self)).flatten()
    }

    /// Whether some cards lead to it.
    #[must_use]
    pub fn is_reachable(self) -> bool {
        REACHABLE.get(self.index()).copied().unwrap_or(false)
    }

    /// Every class that some cards lead to.
    pub fn reachable() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).filter(|index| REACHABLE[*index]).filter_map(Self::from_index)
    }

    /// A hand's final count.
    #[must_use]
    pub fn points(self, side: Side) -> u8 {
        let counts = self.0 / 16;
        low_byte(match side {
            Side::Player => counts / 10,
            Side::Banker => counts % 10,
        })
    }

    /// A hand's number of cards, 2 or 3.
    #[must_use]
    pub fn cards(self, side: Side) -> u8 {
        2 + u8::from(match side {
            Side::Player => self.0 & 8 != 0,
            Side::Banker => self.0 & 4 != 0,
        })
    }

    /// Whether a hand's first two cards paired.
    #[must_use]
    pub fn is_pair(self, side: Side) -> bool {
        match side {
            Side::Player => self.0 & 2 != 0,
            Side::Banker => self.0 & 1 != 0,
        }
    }

    /// The number of cards in both hands.
    #[must_use]
    pub fn total_cards(self) -> u8 {
        self.cards(Side::Player) + self.cards(Side::Banker)
    }

    /// Who won.
    #[must_use]
    pub fn winner(self) -> Winner {
        match self.points(Side::Player).cmp(&self.points(Side::Banker)) {
            core::cmp::Ordering::Greater => Winner::Player,
            core::cmp::Ordering::Less => Winner::Banker,
            core::cmp::Ordering::Equal => Winner::Tie,
        }
    }

    /// The difference of the counts.
    #[must_use]
    pub fn margin(self) -> u8 {
        self.points(Side::Player).abs_diff(self.points(Side::Banker))
    }

    /// Whether an initial hand was a natural. With two cards each and a count of 8 or 9, one must have been.
    #[must_use]
    pub fn is_natural(self) -> bool {
        self.total_cards() == 4 && (self.points(Side::Player) >= 8 || self.points(Side::Banker) >= 8)
    }
}

/// `banker wins 7–6, 5 cards, Player pair`: how faults and reports name a class.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (player, banker) = (self.points(Side::Player), self.points(Side::Banker));
        match self.winner() {
            Winner::Player => write!(f, "Player wins {player}–{banker}")?,
            Winner::Banker => write!(f, "Banker wins {banker}–{player}")?,
            Winner::Tie => write!(f, "tie {player}–{banker}")?,
        }
        write!(f, " with {} and {} cards", self.cards(Side::Player), self.cards(Side::Banker))?;
        for (side, name) in [(Side::Player, "Player"), (Side::Banker, "Banker")] {
            if self.is_pair(side) {
                write!(f, ", {name} pair")?;
            }
        }
        Ok(())
    }
}

/// Counts below ten and their like always fit a byte.
fn low_byte(value: u16) -> u8 {
    u8::try_from(value).unwrap_or(u8::MAX)
}

/// Which classes some cards lead to, from the drawing rules: a two-card count can come with or without a
/// pair, except that an odd count is never a pair; a third card can have any value.
static REACHABLE: [bool; Outcome::COUNT] = reachable();

#[expect(clippy::as_conversions, reason = "constant evaluation knows no `From`; all values are below 1,600")]
const fn reachable() -> [bool; Outcome::COUNT] {
    let mut classes = [false; Outcome::COUNT];
    let mut start = 0;
    while start < 400 {
        let (player, banker) = ((start / 40) as u8, (start / 4 % 10) as u8);
        let (player_pair, banker_pair) = (start % 4 / 2, start % 2);
        let pairs_fit = (player_pair == 0 || player % 2 == 0) && (banker_pair == 0 || banker % 2 == 0);
        let mut thirds = 0;
        while pairs_fit && thirds < 100 {
            let (first, second) = ((thirds / 10) as u8, (thirds % 10) as u8);
            let (mut p, mut b, mut cards) = (player, banker, 0);
            match tableau::player(player, banker) {
                None => {}
                Some((_, Play::Draws)) => {
                    p = (p + first) % 10;
                    cards = 8;
                    if matches!(tableau::banker(banker, Some(first)), (_, Play::Draws)) {
                        b = (b + second) % 10;
                        cards = 12;
                    }
                }
                Some((_, Play::Stands)) => {
                    if matches!(tableau::banker(banker, None), (_, Play::Draws)) {
                        b = (b + first) % 10;
                        cards = 4;
                    }
                }
            }
            classes[(p as usize * 10 + b as usize) * 16 + cards + player_pair * 2 + banker_pair] = true;
            thirds += 1;
        }
        start += 1;
    }
    classes
}
