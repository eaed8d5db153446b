//! The shoe: the cards of one or more decks in an order, from loading to the last card.
//!
//! A shoe knows the order of its cards and where each of them has gone. When it is cut, burned and drawn
//! from, and by whom, is the table's business. A table that follows a physical shoe does not know the order
//! and keeps a [`Composition`] instead.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::card::Card;
use crate::composition::{Composition, Decks};

/// The cards of a shoe in their order, and how far they have been taken out.
///
/// The cards are numbered by their *position* in the order as loaded, before the cut, from 0: that is the
/// position a [`Commitment`](crate::Commitment) to the order speaks of.
///
/// Neither [`Debug`](fmt::Debug) nor any other method but [`Shoe::into_undealt`] shows a card before it is out.
///
/// ```
/// use croupier_cards::{Card, Decks, Shoe};
///
/// let mut shoe = Shoe::new(Decks::ONE, Card::all().collect())?;
/// shoe.cut(10)?;
/// let drawn = shoe.draw().ok_or("the shoe is empty")?;
/// assert_eq!((drawn.number, drawn.position, drawn.card.index()), (1, 10, 10));
/// assert_eq!(shoe.remaining(), 51);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Shoe {
    decks: Decks,
    /// All cards, in the order as loaded.
    order: Vec<Card>,
    /// The position of the card on top after the cut.
    top: usize,
    /// How many cards are out, burned or drawn.
    out: usize,
    burned: Vec<Burned>,
    /// How many cards were out when the last burn ended; cards before that cannot be put back.
    out_at_last_burn: usize,
    cut_card: CutCard,
}

/// A card drawn from the shoe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The card.
    pub card: Card,
    /// Which draw from this shoe it is, counted from 1; burned cards do not count.
    pub number: usize,
    /// Its position in the order as loaded, from 0.
    pub position: usize,
    /// Whether the cut card came out ahead of this card.
    pub cut_card_ahead: bool,
}

/// A card taken out of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Burned {
    /// The card.
    pub card: Card,
    /// Its position in the order as loaded, from 0.
    pub position: usize,
    /// Whether the cut card came out ahead of this card.
    pub cut_card_ahead: bool,
}

/// Where the cut card is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutCard {
    /// It has not been placed.
    NotPlaced,
    /// It is in the shoe.
    InShoe {
        /// How many cards lie behind it.
        behind: usize,
    },
    /// It came out.
    Out,
}

impl Shoe {
    /// Loads the cards in this order; the first is on top.
    ///
    /// # Errors
    ///
    /// When the cards are not exactly those of so many decks: every card that is in excess or missing.
    pub fn new(decks: Decks, order: Vec<Card>) -> Result<Self, ShoeError> {
        let (excess, missing) = differences(decks, &order);
        if !excess.is_empty() || !missing.is_empty() {
            return Err(ShoeError::WrongCards { decks, excess, missing });
        }
        Ok(Self {
            decks,
            order,
            top: 0,
            out: 0,
            burned: Vec::new(),
            out_at_last_burn: 0,
            cut_card: CutCard::NotPlaced,
        })
    }

    /// Cuts: the `above` cards on top go to the bottom, in their order.
    ///
    /// # Errors
    ///
    /// When a card is out already, when the cut card is in, or when a part would be empty.
    pub fn cut(&mut self, above: usize) -> Result<(), ShoeError> {
        let cards = self.order.len();
        if self.out > 0 {
            Err(ShoeError::CutInPlay { out: self.out })
        } else if self.cut_card != CutCard::NotPlaced {
            Err(ShoeError::CutAfterCutCard)
        } else if above == 0 || above >= cards {
            Err(ShoeError::CutOutside { above, cards })
        } else {
            self.top = self.position(above);
            Ok(())
        }
    }

    /// Puts the cut card in, so that `behind` cards lie behind it. Until the first card is drawn it may be
    /// moved by placing it again.
    ///
    /// With no card behind it, it never comes out ahead of a card.
    ///
    /// # Errors
    ///
    /// When a card has been drawn, when the cut card is out, or when so many cards are not left.
    pub fn place_cut_card(&mut self, behind: usize) -> Result<(), ShoeError> {
        let remaining = self.remaining();
        if self.drawn() > 0 {
            Err(ShoeError::CutCardInPlay { drawn: self.drawn() })
        } else if self.cut_card == CutCard::Out {
            Err(ShoeError::CutCardOut)
        } else if behind > remaining {
            Err(ShoeError::CutCardOutside { behind, remaining })
        } else {
            self.cut_card = CutCard::InShoe { behind };
            Ok(())
        }
    }

    /// Takes this many cards out of play, and gives them in the order they came out.
    ///
    /// # Errors
    ///
    /// When fewer cards are left; none is burned then.
    pub fn burn(&mut self, cards: usize) -> Result<Vec<Burned>, ShoeError> {
        let remaining = self.remaining();
        if cards > remaining {
            return Err(ShoeError::BurnOutside { cards, remaining });
        }
        let mut burned = Vec::with_capacity(cards);
        for _ in 0..cards {
            if let Some((card, position, cut_card_ahead)) = self.take() {
                burned.push(Burned { card, position, cut_card_ahead });
            }
        }
        self.burned.extend_from_slice(&burned);
        if cards > 0 {
            self.out_at_last_burn = self.out;
        }
        Ok(burned)
    }

    /// Draws the next card, or none when the shoe is empty.
    pub fn draw(&mut self) -> Option<Drawn> {
        let (card, position, cut_card_ahead) = self.take()?;
        Some(Drawn { card, number: self.drawn(), position, cut_card_ahead })
    }

    /// Puts the cards drawn last back at the head of the shoe, so that they come out again in the same order:
    /// the cure for a hand that was dealt before burning. A cut card that came out stays out.
    ///
    /// # Errors
    ///
    /// When these are not the cards drawn last, in the order they were drawn; none is put back then.
    pub fn put_back(&mut self, cards: &[Card]) -> Result<(), ShoeError> {
        let available = self.out - self.out_at_last_burn;
        if cards.len() > available {
            return Err(ShoeError::PutBackTooMany { cards: cards.len(), available });
        }
        let first = self.out - cards.len();
        for (place, card) in (first..self.out).zip(cards) {
            if self.card_at(place) != Some(*card) {
                return Err(ShoeError::PutBackOther { card: *card, number: place - self.burned.len() + 1 });
            }
        }
        self.out = first;
        Ok(())
    }

    /// How many decks were loaded.
    #[must_use]
    pub const fn decks(&self) -> Decks {
        self.decks
    }

    /// How many cards were loaded.
    #[must_use]
    pub fn loaded(&self) -> usize {
        self.order.len()
    }

    /// How many cards are left in the shoe; the cut card does not count.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.order.len() - self.out
    }

    /// How many cards have been drawn and not put back.
    #[must_use]
    pub fn drawn(&self) -> usize {
        self.out - self.burned.len()
    }

    /// The burned cards, in the order they came out.
    #[must_use]
    pub fn burned(&self) -> &[Burned] {
        &self.burned
    }

    /// The position, in the order as loaded, of the card on top after the cut.
    #[must_use]
    pub const fn top_position(&self) -> usize {
        self.top
    }

    /// Where the cut card is.
    #[must_use]
    pub const fn cut_card(&self) -> CutCard {
        self.cut_card
    }

    /// Whether the cut card is at the mouth of the shoe, ahead of the next card.
    #[must_use]
    pub fn cut_card_is_next(&self) -> bool {
        match self.cut_card {
            CutCard::InShoe { behind } => behind > 0 && behind >= self.remaining(),
            CutCard::NotPlaced | CutCard::Out => false,
        }
    }

    /// How many of each card are left. It knows the burned cards, which a player may not have seen.
    #[must_use]
    pub fn remaining_composition(&self) -> Composition {
        let mut composition = Composition::of_decks(self.decks);
        for place in 0..self.out {
            // A checked shoe holds every card as often as the composition does.
            if let Some(card) = self.card_at(place) {
                let _: Result<(), _> = composition.remove(card);
            }
        }
        composition
    }

    /// Ends the shoe and gives the cards that were never dealt, with their positions, the next one first.
    ///
    /// **Whoever has this knows the rest of the shoe.** It is for the reveal when the shoe is over, and for
    /// simulations; a table in play must not call it, nor keep a copy of the shoe to do so.
    #[must_use]
    pub fn into_undealt(self) -> Vec<(usize, Card)> {
        (self.out..self.order.len())
            .filter_map(|place| Some((self.position(place), self.card_at(place)?)))
            .collect()
    }

    fn take(&mut self) -> Option<(Card, usize, bool)> {
        let card = self.card_at(self.out)?;
        let position = self.position(self.out);
        let cut_card_ahead = self.cut_card_is_next();
        if cut_card_ahead {
            self.cut_card = CutCard::Out;
        }
        self.out += 1;
        Some((card, position, cut_card_ahead))
    }

    /// The position, in the order as loaded, of the card at this place after the cut.
    fn position(&self, place: usize) -> usize {
        (self.top + place) % self.order.len()
    }

    fn card_at(&self, place: usize) -> Option<Card> {
        if place < self.order.len() { self.order.get(self.position(place)).copied() } else { None }
    }
}

/// Without the cards that are not out yet.
impl fmt::Debug for Shoe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shoe")
            .field("decks", &self.decks.number())
            .field("remaining", &self.remaining())
            .field("drawn", &self.drawn())
            .field("burned", &self.burned.len())
            .field("cut_card", &self.cut_card)
            .finish_non_exhaustive()
    }
}

/// Why something cannot be done with a shoe.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShoeError {
    /// The cards are not those of the decks.
    #[error("these are not {decks}: {}", describe_differences(.excess, .missing))]
    WrongCards {
        /// The decks that were to be loaded.
        decks: Decks,
        /// The cards that are there too often, and by how much.
        excess: Vec<(Card, usize)>,
        /// The cards that are not there often enough, and by how much.
        missing: Vec<(Card, usize)>,
    },
    /// A cut when a card was out already.
    #[error("{out} cards are out: a shoe is cut before its first card comes out")]
    CutInPlay {
        /// How many cards were burned or drawn.
        out: usize,
    },
    /// A cut when the cut card was in.
    #[error("the cut card is in the shoe: cut before the cut card is placed")]
    CutAfterCutCard,
    /// A cut that would leave a part empty.
    #[error("{cards} cards cannot be cut below {above}: cut below 1 to {}", .cards - 1)]
    CutOutside {
        /// How many cards were to be above the cut.
        above: usize,
        /// How many cards are in the shoe.
        cards: usize,
    },
    /// The cut card was to be placed when a card had been drawn.
    #[error("{drawn} cards have been drawn: the cut card is placed before the first")]
    CutCardInPlay {
        /// How many cards were drawn.
        drawn: usize,
    },
    /// The cut card was to be placed when it had come out.
    #[error("the cut card is out: it is placed once per shoe")]
    CutCardOut,
    /// The cut card was to be placed beyond the top.
    #[error("{behind} cards cannot lie behind the cut card: {remaining} are left in the shoe")]
    CutCardOutside {
        /// How many cards were to be behind it.
        behind: usize,
        /// How many cards are in the shoe.
        remaining: usize,
    },
    /// More cards were to be burned than there are.
    #[error("{cards} cards cannot be burned: {remaining} are left in the shoe")]
    BurnOutside {
        /// How many cards were to be burned.
        cards: usize,
        /// How many cards are in the shoe.
        remaining: usize,
    },
    /// More cards were to be put back than have been drawn since the last burn.
    #[error("{cards} cards cannot be put back: {available} have been drawn since the last burn")]
    PutBackTooMany {
        /// How many cards were to be put back.
        cards: usize,
        /// How many can be.
        available: usize,
    },
    /// A card was to be put back that is not the one drawn.
    #[error("{card} was not draw {number}: put back the cards drawn last, in the order they were drawn")]
    PutBackOther {
        /// The card to be put back.
        card: Card,
        /// The draw that it would undo, from 1.
        number: usize,
    },
}

/// A number of each of some cards.
type Counted = Vec<(Card, usize)>;

/// The cards that are in excess, and those that are missing.
fn differences(decks: Decks, order: &[Card]) -> (Counted, Counted) {
    let mut counts = [0_usize; Card::COUNT];
    for card in order {
        if let Some(count) = counts.get_mut(card.index()) {
            *count += 1;
        }
    }
    let due = usize::from(decks.number());
    let counted = || Card::all().zip(counts);
    let excess = counted().filter(|(_, count)| *count > due).map(|(card, count)| (card, count - due));
    let missing = counted().filter(|(_, count)| *count < due).map(|(card, count)| (card, due - count));
    (excess.collect(), missing.collect())
}

fn describe_differences(excess: &[(Card, usize)], missing: &[(Card, usize)]) -> String {
    let parts =
        [("too many", excess), ("missing", missing)].into_iter().filter(|(_, cards)| !cards.is_empty());
    let parts: Vec<String> = parts
        .map(|(what, cards)| {
            let cards: Vec<String> =
                cards.iter().map(|(card, count)| alloc::format!("{count} × {card}")).collect();
            [what, " ", &cards.join(", ")].concat()
        })
        .collect();
    parts.join("; ")
}
