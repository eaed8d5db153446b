//! What surveillance sees and nobody else: every card that has left the shoe and was read. Cards in the shoe,
//! burned ones, and cards drawn together that lie face down are nobody's to see.

use croupier_cards::Card;
use croupier_rules::baccarat::Side;

use crate::command::Holder;
use crate::table::Table;

/// The cards under the cameras.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Hidden {
    /// The cards of the round in draw order; nothing where nobody has read one.
    pub draws: Vec<(Side, Option<Card>)>,
    /// Cards that are out and in no hand.
    pub surplus: Vec<Card>,
    /// Cards held back for third cards.
    pub held: Vec<Card>,
    /// What the next hand starts with.
    pub carried: Vec<Card>,
    /// The hands of Niu Niu.
    pub hands: Vec<(Holder, Vec<Card>)>,
    /// Cards of Niu Niu that are out of play.
    pub dead: Vec<Card>,
}

impl Hidden {
    pub(super) fn refresh(&mut self, table: &Table) {
        let round = &table.round;
        self.draws.clear();
        self.draws.extend(round.draws.iter().map(|dealt| (dealt.side, dealt.card)));
        self.surplus.clear();
        self.surplus.extend(round.surplus.iter().chain(&round.waiting).filter_map(|stray| stray.card));
        self.held.clone_from(&round.held);
        self.carried.clear();
        self.carried.extend(table.next.carried.iter().filter_map(|stray| stray.card));
        self.hands.clear();
        self.hands.extend(round.boxes.hands.iter().map(|dealt| (dealt.holder, dealt.cards.clone())));
        self.dead.clone_from(&round.boxes.dead);
    }

    pub(super) fn cards(&self) -> impl Iterator<Item = Card> {
        let draws = self.draws.iter().filter_map(|(_, card)| *card);
        let hands = self.hands.iter().flat_map(|(_, cards)| cards);
        let rest = self.surplus.iter().chain(&self.held).chain(&self.carried).chain(&self.dead);
        draws.chain(hands.chain(rest).copied())
    }
}
