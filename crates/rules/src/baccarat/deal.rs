//! A round as the sequence of its draws: the drawing rules say where each card belongs.

use alloc::vec::Vec;
use core::fmt;

use croupier_cards::{Card, Rank, Suit};

use super::outcome::Outcome;
use super::tableau::{self, Play};
use super::{Side, card_value, points};
use crate::rule::Rule;

/// The cards of one round in draw order; never holds a card that no hand may take.
///
/// ```
/// use croupier_rules::baccarat::{Deal, Side};
/// let mut deal = Deal::from_draws(&croupier_cards::parse_cards("2C KS 3D 6H").unwrap()).unwrap();
/// assert_eq!(deal.due(), Some(Side::Player));
/// deal.draw("4H".parse().unwrap()).unwrap();
/// assert_eq!(deal.due(), None);
/// assert_eq!(deal.points(Side::Player), 9);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Deal {
    draws: [Card; 6],
    drawn: u8,
}

/// A card drawn when none was due.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("card {position} ({card}) belongs to neither hand: the round ended after {} cards", .position - 1)]
pub struct Surplus {
    /// Its number among the draws of the round, from 1.
    pub position: usize,
    /// The card.
    pub card: Card,
}

/// What fills the places of cards not drawn yet; never read as a card.
const NO_CARD: Card = Card::new(Rank::Ace, Suit::Spades);

impl Default for Deal {
    fn default() -> Self {
        Self { draws: [NO_CARD; 6], drawn: 0 }
    }
}

/// Shows the cards drawn, and only those.
impl fmt::Debug for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.draws()).finish()
    }
}

impl Deal {
    /// A round with these draws, finished or not.
    ///
    /// # Errors
    /// The first card that no hand may take.
    pub fn from_draws(cards: &[Card]) -> Result<Self, Surplus> {
        let mut deal = Self::default();
        for card in cards {
            deal.draw(*card)?;
        }
        Ok(deal)
    }

    /// The draws so far.
    #[must_use]
    pub fn draws(&self) -> &[Card] {
        self.draws.get(..usize::from(self.drawn)).unwrap_or_default()
    }

    /// The round as it stood after `draws` cards; it knows nothing of later ones.
    #[must_use]
    pub fn after(&self, draws: u8) -> Self {
        let mut then = Self { drawn: self.drawn.min(draws), ..*self };
        then.draws.iter_mut().skip(usize::from(then.drawn)).for_each(|place| *place = NO_CARD);
        then
    }

    /// Takes the next card; answers whose it is.
    ///
    /// # Errors
    /// The card itself, if none is due.
    pub fn draw(&mut self, card: Card) -> Result<Side, Surplus> {
        let position = usize::from(self.drawn);
        match (self.due(), self.draws.get_mut(position)) {
            (Some(side), Some(place)) => {
                *place = card;
                self.drawn += 1;
                Ok(side)
            }
            _ => Err(Surplus { position: position + 1, card }),
        }
    }

    /// Whose card comes next; nothing when the round is complete.
    #[must_use]
    pub fn due(&self) -> Option<Side> {
        match self.drawn {
            0 | 2 => Some(Side::Player),
            1 | 3 => Some(Side::Banker),
            4 => match tableau::player(self.initial_points(Side::Player), self.initial_points(Side::Banker))?
            {
                (_, Play::Draws) => Some(Side::Player),
                (_, Play::Stands) => self.banker_draws().then_some(Side::Banker),
            },
            5 if self.player_drew() => self.banker_draws().then_some(Side::Banker),
            _ => None,
        }
    }

    /// Whether every card the drawing rules call for is there.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.drawn >= 4 && self.due().is_none()
    }

    /// The cards of one hand, in the order it got them.
    #[must_use]
    pub fn cards(&self, side: Side) -> Vec<Card> {
        self.first_two(side).chain(self.third(side)).collect()
    }

    /// The count of a hand so far.
    #[must_use]
    pub fn points(&self, side: Side) -> u8 {
        points(self.first_two(side).chain(self.third(side)))
    }

    /// The count of a hand's first two cards, or of what it has of them.
    #[must_use]
    pub fn initial_points(&self, side: Side) -> u8 {
        points(self.first_two(side))
    }

    fn first_two(&self, side: Side) -> impl Iterator<Item = Card> {
        let first = match side {
            Side::Player => 0,
            Side::Banker => 1,
        };
        self.draws().iter().copied().take(4).skip(first).step_by(2)
    }

    fn third(&self, side: Side) -> Option<Card> {
        let place = match (side, self.player_drew()) {
            (Side::Player, true) | (Side::Banker, false) => 4,
            (Side::Banker, true) => 5,
            (Side::Player, false) => return None,
        };
        self.draws().get(place).copied()
    }

    /// Whether an initial hand counts 8 or 9.
    #[must_use]
    pub fn is_natural(&self) -> bool {
        self.drawn >= 4 && (self.initial_points(Side::Player) >= 8 || self.initial_points(Side::Banker) >= 8)
    }

    /// Whether a hand's first two cards have the same rank.
    #[must_use]
    pub fn is_pair(&self, side: Side) -> bool {
        let [p1, b1, p2, b2, ..] = self.draws;
        self.drawn >= 4
            && match side {
                Side::Player => p1.rank() == p2.rank(),
                Side::Banker => b1.rank() == b2.rank(),
            }
    }

    /// The class of a complete round.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.is_complete() {
            return None;
        }
        let player_third = self.player_drew();
        let banker_third = self.drawn == if player_third { 6 } else { 5 };
        Outcome::new(
            self.points(Side::Player),
            self.points(Side::Banker),
            if player_third { 3 } else { 2 },
            if banker_third { 3 } else { 2 },
            self.is_pair(Side::Player),
            self.is_pair(Side::Banker),
        )
    }

    /// The rules applied to come this far, in order, each once: what the hands rest on.
    #[must_use]
    pub fn rules(&self) -> Vec<Rule> {
        let mut rules = Vec::new();
        let mut apply = |rule: Rule| {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        };
        for (at, card) in self.draws().iter().enumerate().take(4) {
            apply(if at % 2 == 0 { Rule::PlayerCards } else { Rule::BankerCards });
            apply(if card_value(*card) == 0 { Rule::CardTens } else { Rule::CardPips });
        }
        if self.drawn < 4 {
            return rules;
        }
        for side in [Side::Player, Side::Banker] {
            let sum: u8 = self.cards(side).iter().map(|card| card_value(*card)).sum();
            apply(if sum < 10 { Rule::SumBelowTen } else { Rule::SumDropsTens });
        }
        apply(Rule::FourCards);
        apply(Rule::InitialTotals);
        let player = self.initial_points(Side::Player);
        let banker = self.initial_points(Side::Banker);
        let third = self.player_third();
        match tableau::player(player, banker) {
            None => {
                apply(Rule::Natural);
                if player >= 8 {
                    apply(Rule::PlayerNatural);
                }
                if banker >= 8 {
                    apply(Rule::BankerNatural);
                }
            }
            Some((line, play)) => {
                apply(line);
                if play == Play::Stands || third.is_some() {
                    apply(tableau::banker(banker, third).0);
                }
                // Only there the table tells cards apart that people call otherwise than it does.
                if (3..=6).contains(&banker) && third.is_some_and(|third| third <= 1) {
                    apply(Rule::ThirdCardValues);
                }
            }
        }
        if let Some(outcome) = self.outcome() {
            if outcome.total_cards() == 4 {
                apply(Rule::NoThirdCard);
            }
            apply(Rule::Result);
        }
        rules
    }

    /// Draw 5 exists and is the Player's.
    fn player_drew(&self) -> bool {
        let player = self.initial_points(Side::Player);
        let banker = self.initial_points(Side::Banker);
        self.drawn >= 5 && matches!(tableau::player(player, banker), Some((_, Play::Draws)))
    }

    /// The value of the Player's third card, if there is one.
    fn player_third(&self) -> Option<u8> {
        self.third(Side::Player).map(card_value)
    }

    fn banker_draws(&self) -> bool {
        tableau::banker(self.initial_points(Side::Banker), self.player_third()).1 == Play::Draws
    }
}
