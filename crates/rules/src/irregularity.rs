//! What can go wrong at a table, and what may be done about it.
//!
//! Both are closed sets. A rulebook says which remedies it allows for which irregularity, under which clause
//! and by which rank; how a remedy is carried out belongs to the table.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::authority::Needs;
use crate::clause::Basis;
use crate::rulebook::Family;

macro_rules! irregularities {
    ($($(#[doc = $doc:literal])+ $variant:ident = $key:literal, $row:literal, $family:expr;)+) => {
        /// Something that went wrong, told apart as finely as any rulebook rules it differently.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Irregularity { $($(#[doc = $doc])+ $variant,)+ }

        impl Irregularity {
            /// All of them, in the order of the catalogue.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The name used in files.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self { $(Self::$variant => $key,)+ }
            }

            /// Its row in the catalogue, `docs/irregularities.md`.
            #[must_use]
            pub const fn row(self) -> u8 {
                match self { $(Self::$variant => $row,)+ }
            }

            /// The family it can happen in; nothing if in all.
            #[must_use]
            pub const fn family(self) -> Option<Family> {
                match self { $(Self::$variant => $family,)+ }
            }

            /// What it is, in one line.
            #[must_use]
            pub fn says(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc,)+).trim_ascii_start(),)+ }
            }
        }
    };
}

const BACCARAT: Option<Family> = Some(Family::Baccarat);
const NIU_NIU: Option<Family> = Some(Family::NiuNiu);

irregularities! {
    /// A foreign card, one too many or one missing is in use.
    ForeignCard = "foreign-card", 1, None;
    /// Cards that were not shuffled are in use.
    UnshuffledCards = "unshuffled-cards", 2, None;
    /// A card is due and there is none.
    NotEnoughCards = "not-enough-cards", 3, None;
    /// After a misdeal the hands cannot be put together again.
    CannotRebuild = "cannot-rebuild", 4, BACCARAT;
    /// The order of the cards in the device is lost.
    OrderLost = "order-lost", 5, None;
    /// The order was lost while a player moved the device.
    OrderLostMoving = "order-lost-moving", 5, BACCARAT;
    /// A player left with cards whose values are not known.
    CardsCarriedOff = "cards-carried-off", 6, None;
    /// A player left with cards whose values are known.
    KnownCardsCarriedOff = "known-cards-carried-off", 6, BACCARAT;
    /// The cut card comes out ahead of the first card of a round.
    CutCardFirst = "cut-card-first", 7, BACCARAT;
    /// The dealing device is jammed.
    Jam = "jam", 8, None;
    /// A card lies face up in the shoe during a round.
    FaceUpInShoe = "face-up-in-shoe", 9, BACCARAT;
    /// The first card of the next round was seen.
    NextCardSeen = "next-card-seen", 10, BACCARAT;
    /// A card was exposed while dealing, or by the Dealer's mistake.
    ExposedByMistake = "exposed-by-mistake", 11, None;
    /// Cards were exposed while a player moved the device.
    ExposedMoving = "exposed-moving", 12, BACCARAT;
    /// A third card was laid on the Player although it is the Banker's to draw.
    SurplusDueToBanker = "surplus-due-to-banker", 13, BACCARAT;
    /// A third card was laid on the Player and none is due.
    SurplusOnPlayer = "surplus-on-player", 14, BACCARAT;
    /// A third card was laid on the Banker and exposed, and none is due.
    SurplusOnBankerExposed = "surplus-on-banker-exposed", 15, BACCARAT;
    /// A third card was laid on the Banker unseen, and none is due.
    SurplusOnBankerUnseen = "surplus-on-banker-unseen", 16, BACCARAT;
    /// Several cards were drawn although none is due.
    SeveralSurplus = "several-surplus", 17, BACCARAT;
    /// Cards lie in the wrong order.
    WrongOrder = "wrong-order", 18, BACCARAT;
    /// Cards were drawn together, and their order is known.
    TogetherOrderKnown = "together-order-known", 19, BACCARAT;
    /// Cards of the initial deal were drawn together in unknown order.
    TogetherInitialDeal = "together-initial-deal", 20, BACCARAT;
    /// Later cards were drawn together in unknown order.
    TogetherLater = "together-later", 21, BACCARAT;
    /// Nothing was burned, and no card has been seen.
    NoBurnUnseen = "no-burn-unseen", 22, BACCARAT;
    /// Nothing was burned, and a card of the first hand has been seen.
    NoBurnSeen = "no-burn-seen", 23, BACCARAT;
    /// Nothing was burned, found after the first hand.
    NoBurnLater = "no-burn-later", 24, BACCARAT;
    /// The device must be reset because of a Dealer's mistake.
    DeviceReset = "device-reset", 25, BACCARAT;
    /// The device must be reset for another cause.
    DeviceResetOther = "device-reset-other", 25, BACCARAT;
    /// Cards went to the wrong player, or the wrong hand did, while the outcome is open.
    WrongDelivery = "wrong-delivery", 26, BACCARAT;
    /// Cards went to the wrong player, or the wrong hand did, and the outcome is established.
    WrongDeliveryEstablished = "wrong-delivery-established", 27, BACCARAT;
    /// The Dealer opened cards that were to be handed over.
    NotDelivered = "not-delivered", 28, BACCARAT;
    /// The player who is to open the cards is absent.
    SqueezerAbsent = "squeezer-absent", 29, BACCARAT;
    /// Who squeezes among equals cannot be told.
    SqueezeOrderUnknown = "squeeze-order-unknown", 30, BACCARAT;
    /// A player bends or damages cards.
    CardsDamaged = "cards-damaged", 31, NIU_NIU;
    /// The differential is found exceeded when the wagers are settled, and nothing scales them.
    DifferentialFound = "differential-found", 42, BACCARAT;
    /// A wager outside the posted limits is found when the wagers are settled, and no rule cuts or returns it.
    LimitsFound = "limits-found", 39, BACCARAT;
    /// A wager is found with too small a Reserve once the cards are dealt.
    ShortReserve = "short-reserve", 44, NIU_NIU;
    /// A wager is found above the one that bounds it once the cards are dealt.
    AboveOtherBet = "above-other-bet", 44, NIU_NIU;
    /// The power fails before any outcome is established.
    PowerFailure = "power-failure", 52, None;
    /// The power fails after an outcome is established.
    PowerFailureEstablished = "power-failure-established", 53, BACCARAT;
    /// Something beyond the house's control.
    ForceMajeure = "force-majeure", 54, None;
    /// A box has a wrong number of cards, and nobody has handled any.
    BoxCount = "box-count", 55, NIU_NIU;
    /// A box has a wrong number of cards, and somebody has handled some.
    BoxCountHandled = "box-count-handled", 56, NIU_NIU;
    /// The Dealer has a wrong number of cards, or none.
    DealerCount = "dealer-count", 57, NIU_NIU;
    /// An empty box got cards, and nobody has handled any.
    EmptyBoxDealt = "empty-box-dealt", 58, NIU_NIU;
    /// An empty box got cards, and somebody has handled some.
    EmptyBoxDealtHandled = "empty-box-dealt-handled", 58, NIU_NIU;
    /// An empty box got cards, nobody has handled any, and the deal cannot be put in order.
    EmptyBoxCannotRebuild = "empty-box-cannot-rebuild", 58, NIU_NIU;
    /// A box in play got no cards, and nobody has handled any.
    BoxSkipped = "box-skipped", 59, NIU_NIU;
    /// A box in play got no cards, and somebody has handled some.
    BoxSkippedHandled = "box-skipped-handled", 59, NIU_NIU;
    /// A box in play got no cards, nobody has handled any, and the deal cannot be put in order.
    BoxSkippedCannotRebuild = "box-skipped-cannot-rebuild", 59, NIU_NIU;
    /// A hand is set wrongly.
    HandSetWrongly = "hand-set-wrongly", 60, NIU_NIU;
    /// Cards went to a box, or to the Dealer, before a box whose turn it was.
    DealtOutOfTurn = "dealt-out-of-turn", 62, NIU_NIU;
    /// Something the rules do not cover; what a rulebook does not list is ruled like it.
    Other = "other", 61, None;
}

impl Irregularity {
    /// Whether it can happen in that family.
    #[must_use]
    pub fn belongs_to(self, family: Family) -> bool {
        self.family().is_none_or(|own| own == family)
    }

    /// Whether it is about more than the cards and the wagers of one hand: when that hand is dealt anew or comes to
    /// nothing, it is still to be ruled on.
    #[must_use]
    pub const fn outlives_the_hand(self) -> bool {
        match self {
            // The cards in use, the device, the people and the house.
            Self::ForeignCard
            | Self::UnshuffledCards
            | Self::OrderLost
            | Self::OrderLostMoving
            | Self::Jam
            | Self::NextCardSeen
            | Self::NoBurnLater
            | Self::CardsDamaged
            | Self::PowerFailure
            | Self::ForceMajeure
            | Self::Other => true,
            Self::NotEnoughCards
            | Self::CannotRebuild
            | Self::CardsCarriedOff
            | Self::KnownCardsCarriedOff
            | Self::CutCardFirst
            | Self::FaceUpInShoe
            | Self::ExposedByMistake
            | Self::ExposedMoving
            | Self::SurplusDueToBanker
            | Self::SurplusOnPlayer
            | Self::SurplusOnBankerExposed
            | Self::SurplusOnBankerUnseen
            | Self::SeveralSurplus
            | Self::WrongOrder
            | Self::TogetherOrderKnown
            | Self::TogetherInitialDeal
            | Self::TogetherLater
            | Self::NoBurnUnseen
            | Self::NoBurnSeen
            | Self::DeviceReset
            | Self::DeviceResetOther
            | Self::WrongDelivery
            | Self::WrongDeliveryEstablished
            | Self::NotDelivered
            | Self::SqueezerAbsent
            | Self::SqueezeOrderUnknown
            | Self::DifferentialFound
            | Self::LimitsFound
            | Self::ShortReserve
            | Self::AboveOtherBet
            | Self::PowerFailureEstablished
            | Self::BoxCount
            | Self::BoxCountHandled
            | Self::DealerCount
            | Self::EmptyBoxDealt
            | Self::EmptyBoxDealtHandled
            | Self::EmptyBoxCannotRebuild
            | Self::BoxSkipped
            | Self::BoxSkippedHandled
            | Self::BoxSkippedCannotRebuild
            | Self::HandSetWrongly
            | Self::DealtOutOfTurn => false,
        }
    }
}

impl FromStr for Irregularity {
    type Err = ();
    fn from_str(key: &str) -> Result<Self, ()> {
        Self::ALL.iter().copied().find(|irregularity| irregularity.key() == key).ok_or(())
    }
}

impl fmt::Display for Irregularity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// What is done about an irregularity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Remedy {
    /// The round goes on as it is.
    PlayOn,
    /// The round has no result; everything goes back.
    Void,
    /// The cards go where the draw order puts them.
    Rebuild,
    /// The ruling fixes the order in which the cards count as drawn.
    FixOrder,
    /// The surplus cards are not part of this round; they open the next one, which is free.
    NextHandFree,
    /// The surplus cards are not part of this round; they open the next one, with wagers.
    OpenNextRound,
    /// The surplus cards are not part of this round and are discarded.
    Discard,
    /// This hand becomes a Free Hand: its wagers go back, its result is shown.
    FreeHand,
    /// The cards go back into the shoe, which is burned; the hand starts anew.
    TakeBackAndBurn,
    /// The hand is played out, then the players choose between this shoe and a new one.
    OfferNewShoe,
    /// The cards drawn are discarded and betting opens again.
    Reset,
    /// The missing cards are found by counting and replaced from another deck.
    Substitute,
    /// The Dealer opens the cards.
    DealerOpens,
    /// The ruling names who squeezes.
    NameSqueezer,
    /// The player may no longer handle cards.
    StopHandling,
    /// Only this box is void.
    VoidBox,
    /// The cards on the empty box are dead.
    DeadCards,
    /// The packets go where they belong.
    Redeal,
    /// The hand is set as it should be.
    ResetHand,
}

impl Remedy {
    /// All remedies.
    pub const ALL: [Self; 19] = [
        Self::PlayOn,
        Self::Void,
        Self::Rebuild,
        Self::FixOrder,
        Self::NextHandFree,
        Self::OpenNextRound,
        Self::Discard,
        Self::FreeHand,
        Self::TakeBackAndBurn,
        Self::OfferNewShoe,
        Self::Reset,
        Self::Substitute,
        Self::DealerOpens,
        Self::NameSqueezer,
        Self::StopHandling,
        Self::VoidBox,
        Self::DeadCards,
        Self::Redeal,
        Self::ResetHand,
    ];

    /// The name used in files.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::PlayOn => "play-on",
            Self::Void => "void",
            Self::Rebuild => "rebuild",
            Self::FixOrder => "fix-order",
            Self::NextHandFree => "next-hand-free",
            Self::OpenNextRound => "open-next-round",
            Self::Discard => "discard",
            Self::FreeHand => "free-hand",
            Self::TakeBackAndBurn => "take-back-and-burn",
            Self::OfferNewShoe => "offer-new-shoe",
            Self::Reset => "reset",
            Self::Substitute => "substitute",
            Self::DealerOpens => "dealer-opens",
            Self::NameSqueezer => "name-squeezer",
            Self::StopHandling => "stop-handling",
            Self::VoidBox => "void-box",
            Self::DeadCards => "dead-cards",
            Self::Redeal => "redeal",
            Self::ResetHand => "reset-hand",
        }
    }

    /// The family it can be done in; nothing if in all.
    #[must_use]
    pub const fn family(self) -> Option<Family> {
        match self {
            Self::PlayOn | Self::Void => None,
            Self::Rebuild
            | Self::FixOrder
            | Self::NextHandFree
            | Self::OpenNextRound
            | Self::Discard
            | Self::FreeHand
            | Self::TakeBackAndBurn
            | Self::OfferNewShoe
            | Self::Reset
            | Self::Substitute
            | Self::DealerOpens
            | Self::NameSqueezer => BACCARAT,
            Self::StopHandling | Self::VoidBox | Self::DeadCards | Self::Redeal | Self::ResetHand => NIU_NIU,
        }
    }

    /// Whether it can be done in that family.
    #[must_use]
    pub fn belongs_to(self, family: Family) -> bool {
        self.family().is_none_or(|own| own == family)
    }
}

impl FromStr for Remedy {
    type Err = ();
    fn from_str(key: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|remedy| remedy.key() == key).ok_or(())
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// What becomes of the shoe after a ruling.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum ShoeFate {
    /// It stays in play.
    #[default]
    Keep,
    /// It may be replaced.
    MayReplace,
    /// No further round without new cards.
    Replace,
}

impl ShoeFate {
    /// All fates.
    pub const ALL: [Self; 3] = [Self::Keep, Self::MayReplace, Self::Replace];

    /// The name used in files.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::MayReplace => "may-replace",
            Self::Replace => "replace",
        }
    }
}

/// What happens when every player withdraws.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum AllWithdraw {
    /// The hand is finished without wagers.
    #[default]
    FinishFree,
    /// The hand is void and the shoe is replaced.
    VoidAndReplace,
}

impl AllWithdraw {
    /// Both.
    pub const ALL: [Self; 2] = [Self::FinishFree, Self::VoidAndReplace];

    /// The name used in files.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::FinishFree => "finish-free",
            Self::VoidAndReplace => "void-and-replace",
        }
    }
}

/// Who has the choice to withdraw.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Choosers {
    /// Whoever rules may give it to some, and says why.
    #[default]
    AsRuled,
    /// Every player; it cannot be kept from one.
    Everybody,
}

impl Choosers {
    /// Both.
    pub const ALL: [Self; 2] = [Self::AsRuled, Self::Everybody];

    /// The name used in files.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::AsRuled => "as-ruled",
            Self::Everybody => "everybody",
        }
    }
}

/// Players may take their open wagers back before the remedy is carried out: all of them or none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Withdrawal {
    /// Who may.
    pub choosers: Choosers,
    /// What happens when all do.
    pub if_all: AllWithdraw,
    /// The clauses that give the choice.
    pub cites: Vec<Basis>,
    /// Those of them that speak only of who withdraws.
    pub leave: Vec<Basis>,
    /// Those of them that speak only of who stays.
    pub stay: Vec<Basis>,
}

impl Withdrawal {
    /// What an answer rests on.
    #[must_use]
    pub fn answer(&self, withdraw: bool) -> Vec<Basis> {
        let others = if withdraw { &self.stay } else { &self.leave };
        self.cites.iter().filter(|basis| !others.contains(basis)).copied().collect()
    }
}

/// One ruling that a rulebook allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ruling {
    /// What is done.
    pub remedy: Remedy,
    /// The lowest rank that may order it; nothing if it follows from the rules alone.
    pub needs: Option<Needs>,
    /// The choice that players have before it is done.
    pub withdrawal: Option<Withdrawal>,
    /// What becomes of the shoe.
    pub shoe: ShoeFate,
    /// It may be ordered in the areas for high-limit play only.
    pub high_limit_only: bool,
    /// The clauses it rests on.
    pub cites: Vec<Basis>,
}

/// What a rulebook says of an irregularity. The first ruling is the one that stands if nobody orders another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IrregularityRule {
    /// Which.
    pub irregularity: Irregularity,
    /// The clauses that describe it.
    pub cites: Vec<Basis>,
    /// What may be done.
    pub rulings: Vec<Ruling>,
}

impl IrregularityRule {
    /// The ruling that is carried out at once: the only one, and no rank is asked for.
    #[must_use]
    pub fn automatic(&self) -> Option<&Ruling> {
        match self.rulings.as_slice() {
            [only] if only.needs.is_none() => Some(only),
            _ => None,
        }
    }

    /// The ruling with that remedy, with or without a choice for the players.
    #[must_use]
    pub fn find(&self, remedy: Remedy, with_withdrawal: bool) -> Option<&Ruling> {
        self.rulings
            .iter()
            .find(|ruling| ruling.remedy == remedy && ruling.withdrawal.is_some() == with_withdrawal)
    }
}
