//! Where money can be, and how much is there.
//!
//! Figures about money, such as a table's win, are no accounts: see [`memo`](crate::memo).

use crate::amount::Amount;
use crate::id::{CaseId, PlayerId, RoundId, TableId, WagerId};

/// A place for money. It is written as in [`notation`](crate::notation), which the examples show.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Account {
    /// `cage`: the outside world, and the only account below zero.
    Cage,
    /// `player:7:wallet`: a player's money that is at no table.
    Wallet(PlayerId),
    /// `chips:3:7`: the chips in front of player 7 at table 3, those on the layout included until settled.
    Chips {
        /// Where.
        table: TableId,
        /// Whose.
        player: PlayerId,
    },
    /// `bet:3:7:41:2`: at table 3, player 7's wager 2 of round 41. It holds pending money only.
    Bet {
        /// Where.
        table: TableId,
        /// Whose.
        player: PlayerId,
        /// In which round.
        round: RoundId,
        /// Which wager.
        wager: WagerId,
    },
    /// `reserve:3:7:41:2`: the Reserve laid for that wager. It holds pending money only.
    Reserve {
        /// Where.
        table: TableId,
        /// Whose.
        player: PlayerId,
        /// In which round.
        round: RoundId,
        /// For which wager.
        wager: WagerId,
    },
    /// `table:3:float`: the house's chips in the table's tray.
    Float(TableId),
    /// `table:3:drop`: the cash in the table's drop box.
    Drop(TableId),
    /// `table:3:tips`: the tips given at the table.
    Tips(TableId),
    /// `hold:9`: money set aside until dispute case 9 is decided.
    Hold(CaseId),
}

impl Account {
    /// The lowest the account may fall: zero, but for the cage.
    ///
    /// As all balances add up to zero, the cage's floor is also the ceiling of all money inside.
    #[must_use]
    pub fn floor(self) -> i128 {
        match self {
            Self::Cage => -i128::from(Amount::MAX),
            Self::Wallet(_)
            | Self::Chips { .. }
            | Self::Bet { .. }
            | Self::Reserve { .. }
            | Self::Float(_)
            | Self::Drop(_)
            | Self::Tips(_)
            | Self::Hold(_) => 0,
        }
    }

    /// The round that the money is laid in: that of a bet or a Reserve.
    #[must_use]
    pub const fn round(self) -> Option<(TableId, RoundId)> {
        match self {
            Self::Bet { table, round, .. } | Self::Reserve { table, round, .. } => Some((table, round)),
            Self::Cage
            | Self::Wallet(_)
            | Self::Chips { .. }
            | Self::Float(_)
            | Self::Drop(_)
            | Self::Tips(_)
            | Self::Hold(_) => None,
        }
    }
}

/// What is in an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Balance {
    /// What all posted transfers left there.
    pub posted: i128,
    /// What pending transfers would bring in.
    pub pending_in: i128,
    /// What pending transfers would take out.
    pub pending_out: i128,
}

impl Balance {
    /// What a new transfer may take: posted less pending out.
    ///
    /// ```
    /// use croupier_ledger::Balance;
    ///
    /// let chips = Balance { posted: 500, pending_in: 0, pending_out: 200 };
    /// assert_eq!(chips.available(), 300);
    /// ```
    #[must_use]
    pub const fn available(self) -> i128 {
        self.posted - self.pending_out
    }

    /// Whether there is nothing, and nothing pending.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.posted == 0 && self.pending_in == 0 && self.pending_out == 0
    }
}
