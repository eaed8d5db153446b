//! How accounts and memos are written. The text is stable: journals and reports hold it.
//!
//! One account has one text: numbers are plain decimal digits without leading zeros.
//!
//! ```
//! use croupier_ledger::{Account, PlayerId, RoundId, TableId, WagerId};
//!
//! let bet: Account = "bet:3:7:41:2".parse()?;
//! let (table, player, round, wager) = (TableId(3), PlayerId(7), RoundId(41), WagerId(2));
//! assert_eq!(bet, Account::Bet { table, player, round, wager });
//! assert_eq!(Account::Wallet(player).to_string(), "player:7:wallet");
//! assert!("table:03:float".parse::<Account>().is_err());
//! # Ok::<(), croupier_ledger::ParseAccountError>(())
//! ```

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use crate::account::Account;
use crate::id::{CaseId, PlayerId, RoundId, TableId, WagerId};
use crate::memo::Memo;
use crate::transfer::Kind;

/// A text that names no account, or no memo.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseAccountError {
    /// The text has none of the forms.
    #[error("{text:?} is no {what}; the forms are {forms}")]
    UnknownForm {
        /// The text.
        text: String,
        /// What was looked for.
        what: &'static str,
        /// What is accepted.
        forms: &'static str,
    },
    /// A part is not a plain number, or too large.
    #[error("{part:?} in {text:?} is no id; write a decimal number up to {max}, without leading zeros")]
    BadNumber {
        /// The part.
        part: String,
        /// The whole text.
        text: String,
        /// The highest number that is accepted.
        max: u64,
    },
}

const ACCOUNT_FORMS: &str = "cage, player:P:wallet, chips:T:P, bet:T:P:R:W, reserve:T:P:R:W, \
                             table:T:float, table:T:drop, table:T:tips and hold:C";
const MEMO_FORMS: &str = "table:T:supply, table:T:win, table:T:commission and table:T:rounding";

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cage => f.write_str("cage"),
            Self::Wallet(player) => write!(f, "player:{player}:wallet"),
            Self::Chips { table, player } => write!(f, "chips:{table}:{player}"),
            Self::Bet { table, player, round, wager } => write!(f, "bet:{table}:{player}:{round}:{wager}"),
            Self::Reserve { table, player, round, wager } => {
                write!(f, "reserve:{table}:{player}:{round}:{wager}")
            }
            Self::Float(table) => write!(f, "table:{table}:float"),
            Self::Drop(table) => write!(f, "table:{table}:drop"),
            Self::Tips(table) => write!(f, "table:{table}:tips"),
            Self::Hold(case) => write!(f, "hold:{case}"),
        }
    }
}

impl FromStr for Account {
    type Err = ParseAccountError;

    fn from_str(text: &str) -> Result<Self, ParseAccountError> {
        let numbers = Numbers { text };
        let mut parts = text.split(':');
        let form = [(); 5].map(|()| parts.next());
        Ok(match form {
            [Some("cage"), None, ..] => Self::Cage,
            [Some("player"), Some(player), Some("wallet"), None, _] => Self::Wallet(numbers.player(player)?),
            [Some("chips"), Some(table), Some(player), None, _] => {
                Self::Chips { table: numbers.table(table)?, player: numbers.player(player)? }
            }
            [Some("bet"), Some(table), Some(player), Some(round), Some(wager)] if parts.next().is_none() => {
                Self::Bet {
                    table: numbers.table(table)?,
                    player: numbers.player(player)?,
                    round: numbers.round(round)?,
                    wager: numbers.wager(wager)?,
                }
            }
            [Some("reserve"), Some(table), Some(player), Some(round), Some(wager)]
                if parts.next().is_none() =>
            {
                Self::Reserve {
                    table: numbers.table(table)?,
                    player: numbers.player(player)?,
                    round: numbers.round(round)?,
                    wager: numbers.wager(wager)?,
                }
            }
            [Some("table"), Some(table), Some("float"), None, _] => Self::Float(numbers.table(table)?),
            [Some("table"), Some(table), Some("drop"), None, _] => Self::Drop(numbers.table(table)?),
            [Some("table"), Some(table), Some("tips"), None, _] => Self::Tips(numbers.table(table)?),
            [Some("hold"), Some(case), None, ..] => Self::Hold(CaseId(numbers.small(case)?)),
            _ => return Err(unknown(text, "account", ACCOUNT_FORMS)),
        })
    }
}

impl fmt::Display for Memo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Supply(table) => write!(f, "table:{table}:supply"),
            Self::Win(table) => write!(f, "table:{table}:win"),
            Self::Commission(table) => write!(f, "table:{table}:commission"),
            Self::Rounding(table) => write!(f, "table:{table}:rounding"),
        }
    }
}

impl FromStr for Memo {
    type Err = ParseAccountError;

    fn from_str(text: &str) -> Result<Self, ParseAccountError> {
        let mut parts = text.split(':');
        let form = [(); 4].map(|()| parts.next());
        let (table, memo): (_, fn(TableId) -> Self) = match form {
            [Some("table"), Some(table), Some("supply"), None] => (table, Self::Supply),
            [Some("table"), Some(table), Some("win"), None] => (table, Self::Win),
            [Some("table"), Some(table), Some("commission"), None] => (table, Self::Commission),
            [Some("table"), Some(table), Some("rounding"), None] => (table, Self::Rounding),
            _ => return Err(unknown(text, "memo", MEMO_FORMS)),
        };
        Ok(memo(Numbers { text }.table(table)?))
    }
}

/// A kind as in `buy-in`, `winnings:41:2` (round and wager) or `correction:9` (case).
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deposit => f.write_str("deposit"),
            Self::Withdrawal => f.write_str("withdrawal"),
            Self::BuyIn => f.write_str("buy-in"),
            Self::CashOut => f.write_str("cash-out"),
            Self::CashDrop => f.write_str("cash-drop"),
            Self::ChipsSold => f.write_str("chips-sold"),
            Self::DropCount => f.write_str("drop-count"),
            Self::Fill => f.write_str("fill"),
            Self::Credit => f.write_str("credit"),
            Self::Wager => f.write_str("wager"),
            Self::Reserve => f.write_str("reserve"),
            Self::Winnings { round, wager } => write!(f, "winnings:{round}:{wager}"),
            Self::Commission => f.write_str("commission"),
            Self::Tip => f.write_str("tip"),
            Self::TipPayout => f.write_str("tip-payout"),
            Self::Hold { case } => write!(f, "hold:{case}"),
            Self::Release { case } => write!(f, "release:{case}"),
            Self::Correction { case } => write!(f, "correction:{case}"),
        }
    }
}

fn unknown(text: &str, what: &'static str, forms: &'static str) -> ParseAccountError {
    ParseAccountError::UnknownForm { text: text.to_owned(), what, forms }
}

/// Reads the numbers of one text.
struct Numbers<'a> {
    text: &'a str,
}

impl Numbers<'_> {
    fn player(&self, part: &str) -> Result<PlayerId, ParseAccountError> {
        self.small(part).map(PlayerId)
    }

    fn table(&self, part: &str) -> Result<TableId, ParseAccountError> {
        self.small(part).map(TableId)
    }

    fn wager(&self, part: &str) -> Result<WagerId, ParseAccountError> {
        self.small(part).map(WagerId)
    }

    fn round(&self, part: &str) -> Result<RoundId, ParseAccountError> {
        self.number(part, u64::MAX).map(RoundId)
    }

    fn small(&self, part: &str) -> Result<u32, ParseAccountError> {
        self.number(part, u32::MAX.into())
    }

    /// `str::parse` also takes `+7` and `007`, which would give an account several texts.
    fn number<N: FromStr>(&self, part: &str, max: u64) -> Result<N, ParseAccountError> {
        let plain = part.bytes().all(|byte| byte.is_ascii_digit()) && (part == "0" || !part.starts_with('0'));
        part.parse().ok().filter(|_| plain).ok_or_else(|| ParseAccountError::BadNumber {
            part: part.to_owned(),
            text: self.text.to_owned(),
            max,
        })
    }
}
