//! The settings an operator supplies for a table: a closed set. A rulebook says which of them it has, within
//! what bounds, with which default and under which clause.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::clause::Basis;

/// What values a setting takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// A whole number; the rulebook may bound it.
    Count,
    /// An amount of money.
    Money,
    /// An amount of money for each bet, or for all.
    MoneyPerBet,
    /// An amount of money for each odds of insurance.
    MoneyPerOdds,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A word the rulebook or the operator defines: a layout, an area, a rank.
    Name,
}

macro_rules! settings {
    ($($(#[doc = $doc:literal])+ $variant:ident = $key:literal, $values:expr;)+) => {
        /// A setting of a table.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Setting { $($(#[doc = $doc])+ $variant,)+ }

        impl Setting {
            /// All settings.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The name used in files.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self { $(Self::$variant => $key,)+ }
            }

            /// What values it takes.
            #[must_use]
            pub const fn values(self) -> Values {
                match self { $(Self::$variant => $values,)+ }
            }

            /// What it is for, in one line.
            #[must_use]
            pub fn says(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc,)+).trim_ascii_start(),)+ }
            }
        }
    };
}

const YES_NO: Values = Values::OneOf(&["yes", "no"]);
const ON_OFF: Values = Values::OneOf(&["on", "off"]);

settings! {
    /// The layout the table is opened with.
    Layout = "layout", Values::Name;
    /// Number of playing positions, where the layout leaves a choice.
    Seats = "seats", Values::Count;
    /// Number of boxes.
    Boxes = "boxes", Values::Count;
    /// Where the table stands.
    Area = "area", Values::Name;
    /// Size of the table; no rule depends on it.
    Size = "size", Values::OneOf(&["midi", "mini"]);
    /// Number of decks in the shoe.
    Decks = "decks", Values::Count;
    /// How many sets of cards the table has; two take turns.
    DeckSets = "deck-sets", Values::OneOf(&["one", "two"]);
    /// Number of cards burned from a new shoe.
    Burn = "burn", Values::Count;
    /// What says how many cards a new shoe burns: the number, or the value of the first card.
    BurnBy = "burn-by", Values::OneOf(&["number", "first-card"]);
    /// Place of the cut card, in cards from the end of the shoe.
    CutCard = "cut-card", Values::Count;
    /// Rounds dealt after the cut card came out.
    RoundsAfterCutCard = "rounds-after-cut-card", Values::Count;
    /// Dealing method.
    Method = "method", Values::OneOf(&["A", "B", "C"]);
    /// The dealing device: one that reads the cards, or a plain one.
    Device = "device", Values::OneOf(&["reading", "plain"]);
    /// How cards go out: whole hands, or one card a turn.
    DealPattern = "deal-pattern", Values::OneOf(&["packets", "one-by-one"]);
    /// Which end of the table is dealt first; settling runs the other way.
    BoxOrder = "box-order", Values::OneOf(&["from-dealer-left", "from-dealer-right"]);
    /// Whether one player may take several boxes.
    SeveralBoxes = "several-boxes", YES_NO;
    /// The smallest chip; every wager is a whole number of them.
    Chip = "chip", Values::Money;
    /// Smallest wager.
    Minimum = "minimum", Values::MoneyPerBet;
    /// Largest wager.
    Maximum = "maximum", Values::MoneyPerBet;
    /// Wagers must be whole multiples of this.
    WagerStep = "wager-step", Values::MoneyPerBet;
    /// Largest gap between the Player's and the Banker's wagers.
    Differential = "differential", Values::Money;
    /// Most wagers in one area.
    WagersPerArea = "wagers-per-area", Values::Count;
    /// What happens at entry to a wager outside the limits.
    LimitsAtEntry = "limits-at-entry", Values::OneOf(&["refuse", "accept"]);
    /// The smallest amount the house pays out, where it is coarser than the ledger's unit.
    PayableUnit = "payable-unit", Values::Money;
    /// Which way winnings are rounded to the payable unit.
    Rounding = "rounding", Values::OneOf(&["none", "down", "nearest", "up"]);
    /// Whether insurance is offered.
    Insurance = "insurance", ON_OFF;
    /// The house's limit for an insurance at given odds.
    InsuranceLimit = "insurance-limit", Values::MoneyPerOdds;
    /// Smallest insurance.
    InsuranceMinimum = "insurance-minimum", Values::Money;
    /// How long insurance not taken is forgone.
    InsuranceLapse = "insurance-lapse", Values::OneOf(&["round", "window"]);
    /// Whether players may squeeze.
    Squeeze = "squeeze", ON_OFF;
    /// Who squeezes: one player at the table, or the highest on each hand.
    SqueezeAllocation = "squeeze-allocation", Values::OneOf(&["table-highest", "per-hand-highest"]);
    /// Seconds for betting.
    BettingSeconds = "betting-seconds", Values::Count;
    /// Seconds to answer an option.
    OptionSeconds = "option-seconds", Values::Count;
    /// Seconds for insurance.
    InsuranceSeconds = "insurance-seconds", Values::Count;
    /// How long a first wager below the minimum is remembered.
    BelowMinimumScope = "below-minimum-scope", Values::OneOf(&["gaming-day", "shoe", "table"]);
    /// How several players choose after a shoe was not burned.
    NoBurnChoice = "no-burn-choice", Values::OneOf(&["any-replace", "majority"]);
    /// What becomes of an unexposed surplus card of the Banker.
    UnexposedSurplusBankerCard = "unexposed-surplus-banker-card", Values::OneOf(&["carry-normal", "refer"]);
    /// Whether wagers exempt from pro rata reduce what the others share.
    SmallWagerMakesRoom = "small-wager-makes-room", YES_NO;
    /// Whether the ranks stand in the rulebook's order; an operator may confirm another.
    RankOrder = "rank-order", Values::Name;
    /// Whether somebody acting in a rank counts as of it, where the rulebook does not grant it.
    ActingRanks = "acting-ranks", ON_OFF;
    /// The rank that rules where the rulebook names none.
    ResidualAuthority = "residual-authority", Values::Name;
    /// To whom the dealing device is offered next.
    DeviceHolderOrder = "device-holder-order", Values::OneOf(&["counter-clockwise", "clockwise"]);
    /// What an automatic table does when the differential blocks the closing call.
    DifferentialBlocks = "differential-blocks", Values::OneOf(&["wait", "deal", "return-newest"]);
    /// What an automatic table does when a ruling needs a rank that is not on duty.
    RankAbsent = "rank-absent", Values::OneOf(&["wait", "first-ruling", "void"]);
    /// Whether the pay schedule is posted at the table or printed on its layout.
    SchedulePosted = "schedule-posted", YES_NO;
    /// Whether the bonus needs a main wager beside it.
    BonusRequiresMain = "bonus-requires-main", YES_NO;
    /// When commission is taken.
    CommissionCollection = "commission-collection", Values::OneOf(&["at-settlement", "end-of-shoe"]);
}

impl FromStr for Setting {
    type Err = ();
    fn from_str(key: &str) -> Result<Self, ()> {
        Self::ALL.iter().copied().find(|setting| setting.key() == key).ok_or(())
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// What a rulebook says of one of its settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingSpec {
    /// Which setting.
    pub setting: Setting,
    /// Lowest and highest value of a count.
    pub range: Option<(u32, u32)>,
    /// The value if the operator says nothing; without one the operator must.
    pub default: Option<String>,
    /// The clauses or readings that leave it to the operator.
    pub cites: Vec<Basis>,
}
