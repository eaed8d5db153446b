//! Which pending transfers the wagers and insurances of a round are made of.
//!
//! Wagers are kept in the order of the table's own list, because events name them by their place in it.

use croupier_ledger::{Amount, RoundId, TransferId, WagerId};

use crate::actor::PlayerId;

/// A wager or an insurance as the ledger sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct Lying {
    pub(super) player: PlayerId,
    pub(super) round: RoundId,
    pub(super) wager: WagerId,
    /// What the stake is made of, oldest first.
    pub(super) stake: Vec<(TransferId, Amount)>,
    /// What the Reserve is made of, oldest first.
    pub(super) reserve: Vec<(TransferId, Amount)>,
}

/// A wager in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
struct Place {
    bet: usize,
    /// The box, where there are boxes.
    area: Option<u8>,
    /// Nothing once it has ended.
    lying: Option<Lying>,
}

/// The wagers and insurances of a round.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct RoundBooks {
    pub(super) id: RoundId,
    wagers: Vec<Place>,
    insurances: Vec<Option<Lying>>,
    /// Insurances are wagers too, so that one count numbers both.
    next_wager: WagerId,
}

/// A step of a batch, as far as it takes to go back.
#[derive(Debug)]
pub(super) enum Step {
    /// Another round began, or wagers changed places: the round before.
    Begun(Box<RoundBooks>),
    /// A wager was laid that was not there.
    Laid,
    /// The wager in this place was raised: how many transfers its stake and its Reserve had.
    Raised(usize, usize, usize),
    /// A hand was insured.
    Insured,
    /// The wager in this place ended.
    WagerEnded(usize, Lying),
    /// The insurance in this place ended.
    InsuranceEnded(usize, Lying),
}

impl RoundBooks {
    /// The step that laying a wager is going to be.
    pub(super) fn to_lay(&self, player: PlayerId, bet: usize, area: Option<u8>) -> Step {
        let places = self.wagers.iter().enumerate();
        let found = places.filter(|(_, place)| place.is(player, bet, area)).find_map(|(at, place)| {
            place.lying.as_ref().map(|lying| Step::Raised(at, lying.stake.len(), lying.reserve.len()))
        });
        found.unwrap_or(Step::Laid)
    }

    /// Goes a step back.
    pub(super) fn take_back(&mut self, step: Step) {
        match step {
            Step::Begun(before) => *self = *before,
            Step::Laid => {
                self.wagers.pop();
                self.next_wager.0 -= 1;
            }
            Step::Raised(at, stake, reserve) => {
                if let Some(lying) = self.wagers.get_mut(at).and_then(|place| place.lying.as_mut()) {
                    lying.stake.truncate(stake);
                    lying.reserve.truncate(reserve);
                }
            }
            Step::Insured => {
                self.insurances.pop();
                self.next_wager.0 -= 1;
            }
            Step::WagerEnded(at, lying) => {
                if let Some(place) = self.wagers.get_mut(at) {
                    place.lying = Some(lying);
                }
            }
            Step::InsuranceEnded(at, lying) => {
                if let Some(place) = self.insurances.get_mut(at) {
                    *place = Some(lying);
                }
            }
        }
    }

    pub(super) fn new(id: RoundId) -> Self {
        Self { id, wagers: Vec::new(), insurances: Vec::new(), next_wager: WagerId(1) }
    }

    fn number(&mut self, player: PlayerId) -> Lying {
        let wager = self.next_wager;
        self.next_wager.0 += 1;
        Lying { player, round: self.id, wager, stake: Vec::new(), reserve: Vec::new() }
    }

    /// The player's wager on this bet and in this box, which is new if there is none.
    pub(super) fn wager(&mut self, player: PlayerId, bet: usize, area: Option<u8>) -> &mut Lying {
        let at = match self.wagers.iter().position(|place| place.is(player, bet, area)) {
            Some(at) => at,
            None => {
                let lying = Some(self.number(player));
                self.wagers.push(Place { bet, area, lying });
                self.wagers.len() - 1
            }
        };
        // A place found or made just now holds a wager.
        let empty =
            Lying { player, round: self.id, wager: self.next_wager, stake: Vec::new(), reserve: Vec::new() };
        self.wagers[at].lying.get_or_insert(empty)
    }

    /// A wager of which nothing is left gives up its place.
    pub(super) fn forget_if_empty(&mut self, player: PlayerId, bet: usize, area: Option<u8>) {
        let gone =
            |place: &Place| place.is(player, bet, area) && place.lying.as_ref().is_some_and(Lying::is_empty);
        self.wagers.retain(|place| !gone(place));
    }

    /// A new insurance.
    pub(super) fn insurance(&mut self, player: PlayerId) -> &mut Lying {
        let lying = self.number(player);
        self.insurances.push(None);
        let at = self.insurances.len() - 1;
        self.insurances[at].insert(lying)
    }

    /// The wager in this place, which ends.
    pub(super) fn end_wager(&mut self, at: usize) -> Option<Lying> {
        self.wagers.get_mut(at).and_then(|place| place.lying.take())
    }

    /// The insurance in this place, which ends.
    pub(super) fn end_insurance(&mut self, at: usize) -> Option<Lying> {
        self.insurances.get_mut(at).and_then(Option::take)
    }
}

impl Place {
    /// A wager that ended is no wager to add to.
    fn is(&self, player: PlayerId, bet: usize, area: Option<u8>) -> bool {
        let own = self.lying.as_ref().is_some_and(|lying| lying.player == player);
        own && self.bet == bet && self.area == area
    }
}

impl Lying {
    fn is_empty(&self) -> bool {
        self.stake.is_empty() && self.reserve.is_empty()
    }
}
