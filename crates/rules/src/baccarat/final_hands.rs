//! The cards of a finished round, hand by hand: what a bet may ask for beyond the outcome class.

use croupier_cards::Card;

use super::outcome::Outcome;
use super::tableau::{self, Play};
use super::{Deal, Side, card_value, points};

/// One of the three places of a hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CardPlace {
    /// The first card.
    First,
    /// The second card.
    Second,
    /// The third card, if there is one.
    Third,
}

impl CardPlace {
    /// All places.
    pub const ALL: [Self; 3] = [Self::First, Self::Second, Self::Third];

    /// The name used in texts.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
            Self::Third => "third",
        }
    }
}

/// Both hands of a finished round and the class it ended in.
///
/// ```
/// use croupier_rules::baccarat::{Deal, FinalHands, CardPlace, Side};
/// let deal = Deal::from_draws(&croupier_cards::parse_cards("2C KS 3D 6H 4H").unwrap()).unwrap();
/// let hands = FinalHands::of(&deal).unwrap();
/// assert_eq!(hands.card(Side::Player, CardPlace::Third), "4H".parse().ok());
/// assert_eq!(hands.card(Side::Banker, CardPlace::Third), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FinalHands {
    outcome: Outcome,
    player: [Card; 2],
    banker: [Card; 2],
    /// The Player's and the Banker's third card; of no meaning for a hand of two.
    thirds: [Card; 2],
}

impl FinalHands {
    /// The hands of a round that is complete.
    #[must_use]
    pub fn of(deal: &Deal) -> Option<Self> {
        let outcome = deal.outcome()?;
        let &[p1, b1, p2, b2, ref thirds @ ..] = deal.draws() else { return None };
        let mut thirds = thirds.iter().copied();
        let mut third = |side| if outcome.cards(side) == 3 { thirds.next() } else { Some(p1) };
        let thirds = [third(Side::Player)?, third(Side::Banker)?];
        Some(Self { outcome, player: [p1, p2], banker: [b1, b2], thirds })
    }

    /// A round that starts with these hands, where the Player's and the Banker's third cards would be these.
    #[must_use]
    pub fn played(player: [Card; 2], banker: [Card; 2], thirds: [Card; 2]) -> Option<Self> {
        let [player_third, banker_third] = thirds;
        let (mut player_points, mut banker_points) = (points(player), points(banker));
        let (mut player_cards, mut banker_cards) = (2, 2);
        if let Some((_, play)) = tableau::player(player_points, banker_points) {
            let third = (play == Play::Draws).then(|| card_value(player_third));
            let banker_plays = tableau::banker(banker_points, third).1;
            if let Some(value) = third {
                player_points = (player_points + value) % 10;
                player_cards = 3;
            }
            if banker_plays == Play::Draws {
                banker_points = (banker_points + card_value(banker_third)) % 10;
                banker_cards = 3;
            }
        }
        let pair = |[first, second]: [Card; 2]| first.rank() == second.rank();
        let outcome = Outcome::new(
            player_points,
            banker_points,
            player_cards,
            banker_cards,
            pair(player),
            pair(banker),
        )?;
        Some(Self { outcome, player, banker, thirds })
    }

    /// The class.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// The first two cards of a hand.
    #[must_use]
    pub const fn first_two(&self, side: Side) -> [Card; 2] {
        match side {
            Side::Player => self.player,
            Side::Banker => self.banker,
        }
    }

    /// A card by its place; nothing for the third card of a hand of two.
    #[must_use]
    pub fn card(&self, side: Side, place: CardPlace) -> Option<Card> {
        let [first, second] = self.first_two(side);
        match place {
            CardPlace::First => Some(first),
            CardPlace::Second => Some(second),
            CardPlace::Third => self.third(side),
        }
    }

    /// The cards of a hand.
    pub fn cards(&self, side: Side) -> impl Iterator<Item = Card> {
        self.first_two(side).into_iter().chain(self.third(side))
    }

    /// The count of a hand's first two cards.
    #[must_use]
    pub fn initial_points(&self, side: Side) -> u8 {
        points(self.first_two(side))
    }

    fn third(&self, side: Side) -> Option<Card> {
        let [player, banker] = self.thirds;
        (self.outcome.cards(side) == 3).then_some(match side {
            Side::Player => player,
            Side::Banker => banker,
        })
    }
}
