//! Who may decide what: the powers that a rulebook gives to a rank, outside the rulings on irregularities.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::clause::Basis;

/// The lowest rank that may do something; every higher one may too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Needs {
    /// A rank of the rulebook, by its place.
    Rank(u8),
    /// The rank that the table's setting `residual-authority` names.
    Residual,
}

macro_rules! powers {
    ($($(#[doc = $doc:literal])+ $variant:ident = $key:literal;)+) => {
        /// Something that only a certain rank may do.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Power { $($(#[doc = $doc])+ $variant,)+ }

        impl Power {
            /// All powers.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The name used in files.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self { $(Self::$variant => $key,)+ }
            }

            /// What it is, in one line.
            #[must_use]
            pub fn says(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc,)+).trim_ascii_start(),)+ }
            }
        }
    };
}

powers! {
    /// Putting new cards in place of the shoe.
    ReplaceShoe = "replace-shoe";
    /// Taking back a report that was mistaken.
    RetractReport = "retract-report";
    /// Bringing chips, taking them away, counting the drop and the tips, closing the table.
    Treasury = "treasury";
    /// Forbidding a player to squeeze in this round.
    ForbidSqueeze = "forbid-squeeze";
    /// Letting any player squeeze any hand.
    AllowSqueeze = "allow-squeeze";
    /// Choosing among players whose turn to squeeze cannot be told.
    ChooseSqueezer = "choose-squeezer";
    /// Choosing which hand is opened first.
    RevealOrder = "reveal-order";
    /// Choosing between dealing methods A and B.
    ChooseMethod = "choose-method";
    /// Choosing dealing method C.
    ChooseMethodC = "choose-method-c";
    /// Letting a player without a wager draw the cards.
    DrawWithoutWager = "draw-without-wager";
    /// Lowering the number of wagers in an area.
    LowerAreaLimit = "lower-area-limit";
    /// Laying a wager for a player who asks for it.
    PlaceForPlayer = "place-for-player";
    /// Taking wagers off that break the differential.
    RemoveWager = "remove-wager";
    /// Switching insurance off or on at a player's request.
    StopInsurance = "stop-insurance";
    /// Letting the Banker's third card be shown first.
    BankerFirst = "banker-first";
    /// Letting a player insure although the Dealer made no offer.
    LateInsurance = "late-insurance";
    /// Forbidding a player more than one box.
    RestrictBoxes = "restrict-boxes";
    /// Barring a player from touching cards.
    StopHandling = "stop-handling";
    /// Trying to settle a dispute first.
    FirstLine = "first-line";
    /// Taking over, gathering the facts of and deciding a dispute.
    DecideDispute = "decide-dispute";
    /// Answering a formal complaint.
    AnswerComplaint = "answer-complaint";
}

impl FromStr for Power {
    type Err = ();
    fn from_str(key: &str) -> Result<Self, ()> {
        Self::ALL.iter().copied().find(|power| power.key() == key).ok_or(())
    }
}

impl fmt::Display for Power {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// What a rulebook says of a power.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PowerRule {
    /// Which.
    pub power: Power,
    /// The lowest rank that has it.
    pub needs: Needs,
    /// The clauses it rests on; none where it is the operator's own procedure.
    pub cites: Vec<Basis>,
}
