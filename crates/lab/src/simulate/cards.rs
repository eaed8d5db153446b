//! Rounds counted card by card, for games with bets that ask for cards. The draws are those of the fast loop, so
//! the outcome classes come out the same; only the suits are looked at as well.

use croupier_cards::{Card, Decks, Rank, Suit};
use croupier_rules::baccarat::{FinalHands, Outcome, Side};
use croupier_rules::{CardLines, Game};

/// The bits of a code that are the rank; the suit is above them.
pub(crate) const RANK: u8 = 15;

/// All cards of the decks as codes, in the order in which the fast loop has their ranks.
pub(crate) fn codes(decks: Decks) -> impl Iterator<Item = u8> {
    let code = |suit: Suit, rank: Rank| u8::try_from(rank.index() | suit.index() << 4).unwrap_or_default();
    let deck = move || {
        Suit::ALL.into_iter().flat_map(move |suit| Rank::ALL.into_iter().map(move |rank| code(suit, rank)))
    };
    (0..decks.number()).flat_map(move |_| deck())
}

/// The card of a code.
fn card(code: u8) -> Option<Card> {
    let rank = Rank::from_index(usize::from(code & RANK))?;
    Some(Card::new(rank, Suit::from_index(usize::from(code >> 4))?))
}

/// The hands that six drawn cards make, of which the last two may go unused.
pub(crate) fn hands(codes: [u8; 6], outcome: Outcome) -> Option<FinalHands> {
    let [p1, b1, p2, b2, fifth, sixth] = codes;
    let thirds = if outcome.cards(Side::Player) == 3 { [fifth, sixth] } else { [sixth, fifth] };
    let two = |[first, second]: [u8; 2]| Some([card(first)?, card(second)?]);
    FinalHands::played(two([p1, p2])?, two([b1, b2])?, two(thirds)?)
}

/// Counts the rounds of a game by outcome class and, behind the classes, by the lines of each bet that asks for
/// cards.
pub(crate) struct CardCounts<'g> {
    bets: Vec<(usize, &'g CardLines)>,
    size: usize,
}

impl<'g> CardCounts<'g> {
    /// The counts of a game; nothing if the classes are enough.
    pub(crate) fn new(game: &'g Game) -> Option<Self> {
        let (mut bets, mut size) = (Vec::new(), Outcome::COUNT);
        for lines in game.bets.iter().filter_map(|bet| bet.pays.by_cards()) {
            bets.push((size, lines));
            size += lines.lines().len();
        }
        (!bets.is_empty()).then_some(Self { bets, size })
    }

    /// How many numbers are counted.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Counts one round.
    pub(crate) fn count(&self, codes: [u8; 6], outcome: Outcome, histogram: &mut [u64]) {
        histogram[outcome.index()] += 1;
        let Some(hands) = hands(codes, outcome) else { return };
        for (first, lines) in &self.bets {
            if let Some(line) = lines.line_number(&hands) {
                histogram[first + line] += 1;
            }
        }
    }
}
