//! The phases of a table, as a Dealer would name them.

use core::fmt;

macro_rules! phases {
    ($($(#[doc = $doc:literal])+ $variant:ident = $key:literal;)+) => {
        /// Where play stands.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Phase { $($(#[doc = $doc])+ $variant,)+ }

        impl Phase {
            /// All phases.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The name used in files.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self { $(Self::$variant => $key,)+ }
            }
        }
    };
}

phases! {
    /// Cards are in the shoe, not yet shuffled, cut and burned; or there are none.
    ShoeLoaded = "shoe-loaded";
    /// A round can begin.
    Ready = "ready";
    /// Wagers are taken.
    BetsOpen = "bets-open";
    /// Wagers are taken once more after a reset.
    Reopened = "reopened";
    /// The close waits until the differential is kept.
    DifferentialHold = "differential-hold";
    /// No more wagers; no card yet.
    BetsClosed = "bets-closed";
    /// Fewer than four cards are out.
    InitialDeal = "initial-deal";
    /// The initial hands are being opened.
    InitialReveal = "initial-reveal";
    /// Insurance with four cards exposed.
    InsuranceOne = "insurance-one";
    /// The Player's third card is due.
    PlayerThird = "player-third";
    /// The Player's third card is being opened.
    PlayerThirdReveal = "player-third-reveal";
    /// The Banker's third card is shown before the Player's.
    BankerShownFirst = "banker-shown-first";
    /// Insurance after the Player's third card.
    InsuranceTwo = "insurance-two";
    /// The Banker's third card is due, or being opened.
    BankerThird = "banker-third";
    /// The cards decide; the wagers are to be settled.
    Result = "result";
    /// A hand without wagers is due.
    FreeHand = "free-hand";
    /// The players choose whether the shoe goes on.
    ShoeOption = "shoe-option";
    /// After a void round it is open whether the shoe stays.
    ShoeDecision = "shoe-decision";
    /// The shoe is finished.
    ShoeEnd = "shoe-end";
    /// Packets go out.
    Dealing = "dealing";
    /// The hands are counted.
    CountCheck = "count-check";
    /// The hands are arranged.
    Arranging = "arranging";
    /// The hands are set; the Dealer's is still closed.
    Verify = "verify";
    /// An irregularity awaits a ruling.
    OnHold = "on-hold";
    /// Players choose whether to withdraw.
    OptionWindow = "option-window";
    /// Missing cards are being found.
    Sorting = "sorting";
    /// The table is closed.
    TableClosed = "table-closed";
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}
