//! What an envelope records: who did what.

use croupier_cards::{Card, Salt};
use croupier_ledger::{Amount, PlayerId, RoundId};
use croupier_rules::Basis;
use croupier_table::case::{self, CaseOrder};
use croupier_table::tray::TrayOrder;
use croupier_table::{Action, Actor, Opening, PersonId, Staff};
use serde::{Deserialize, Serialize};

use crate::hash::Hash;
use crate::stream::Stream;

/// Who did something, on the floor as a whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum By {
    /// A player.
    Player(PlayerId),
    /// Staff of a table, in their rank under its rulebook.
    Staff(Staff),
    /// Somebody of the house away from the tables: cage, audit, administration.
    Person(PersonId),
    /// A dealing device.
    Device,
    /// The software itself.
    System,
    /// Surveillance.
    Surveillance,
    /// A display at a table.
    Display,
}

impl From<Actor> for By {
    fn from(actor: Actor) -> Self {
        match actor {
            Actor::Player(player) => Self::Player(player),
            Actor::Staff(staff) => Self::Staff(staff),
            Actor::Device => Self::Device,
            Actor::System => Self::System,
            Actor::Surveillance => Self::Surveillance,
            Actor::Display => Self::Display,
        }
    }
}

impl By {
    /// As who acts at a table, if it is one of those.
    #[must_use]
    pub const fn actor(self) -> Option<Actor> {
        match self {
            Self::Player(player) => Some(Actor::Player(player)),
            Self::Staff(staff) => Some(Actor::Staff(staff)),
            Self::Device => Some(Actor::Device),
            Self::System => Some(Actor::System),
            Self::Surveillance => Some(Actor::Surveillance),
            Self::Display => Some(Actor::Display),
            Self::Person(_) => None,
        }
    }
}

/// How whoever acted was known to the server. [`By`] says as who somebody acts; at the console of another, by PIN, that
/// is not the person who is signed in there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Via {
    /// By a session.
    Session {
        /// Which.
        id: SessionId,
        /// Who signed in.
        person: PersonId,
    },
    /// By an API token.
    Token {
        /// Which.
        id: u32,
        /// For whom it acts; nobody for the token of a device.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        person: Option<PersonId>,
        /// Who made it.
        made_by: PersonId,
    },
}

/// A session, by the first digits of the hash that its register has: enough to tell sessions apart, and no help to
/// whoever would like to have one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SessionId(u64);

impl SessionId {
    /// The name of a session.
    #[must_use]
    pub fn of(session: Hash) -> Self {
        let mut first = [0; 8];
        first.copy_from_slice(&session.0[..8]);
        Self(u64::from_be_bytes(first))
    }
}

impl core::fmt::Display for SessionId {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Serialize for SessionId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SessionId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let number = u64::from_str_radix(&text, 16).ok().map(Self);
        let number = number.filter(|number| number.to_string() == text);
        number.ok_or_else(|| serde::de::Error::custom("a session is named by 16 hexadecimal digits"))
    }
}

/// Who did something, and how the server knew them: nothing for the software itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Author {
    /// As who.
    pub by: By,
    /// By which session or token.
    pub via: Option<Via>,
}

impl From<By> for Author {
    fn from(by: By) -> Self {
        Self { by, via: None }
    }
}

/// What was done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Deed {
    /// A table stream begins: the table was opened.
    OpenTable(Box<OpenTable>),
    /// A command to the table.
    Table(Action),
    /// A shoe that was shuffled by software is over, and all of it is shown.
    RevealShoe(RevealShoe),

    /// Something in another stream changed a wallet.
    Wallet(WalletChange),
    /// Money came to the cage, into a wallet.
    Deposit(CageMove),
    /// Money left the cage, out of a wallet.
    Withdraw(CageMove),

    /// A dispute began.
    OpenCase(Box<case::Opening>),
    /// A command to a dispute.
    Case(Box<CaseOrder>),

    /// A rulebook that tables run under.
    Rulebook {
        /// The hash of the text.
        hash: Hash,
        /// The text, as TOML.
        text: String,
    },
    /// The software started, or a node took over.
    Start {
        /// Its version.
        version: String,
        /// Which node leads from here on, where there are several.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        leads: Option<Leads>,
    },
    /// The software stopped as it should.
    Stop,
    /// Somebody was refused for want of authority.
    Denied(Denied),
    /// Something about people or devices changed: accounts, ranks, tokens, exclusions.
    Register(RegisterChange),
    /// A key that signs checkpoints came into use.
    SigningKey {
        /// The public key.
        public: Hash,
    },
    /// A gaming day was closed.
    CloseDay(Box<DayClosed>),
    /// Something was told of the chips of a table: a count, or a slip.
    Tray(Box<TrayLine>),
}

/// The kind of a [`Deed`], as stores keep it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// A table was opened.
    OpenTable = 1,
    /// A command to a table; its events are those of a table.
    Table = 2,
    /// A shoe was shown.
    RevealShoe = 3,
    /// A wallet changed.
    Wallet = 4,
    /// The cage.
    Cage = 5,
    /// A dispute; its events are those of a case.
    Case = 6,
    /// The house.
    House = 7,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::OpenTable, Self::Table, Self::RevealShoe, Self::Wallet, Self::Cage, Self::Case, Self::House];

    /// The number that stores keep.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::OpenTable => 1,
            Self::Table => 2,
            Self::RevealShoe => 3,
            Self::Wallet => 4,
            Self::Cage => 5,
            Self::Case => 6,
            Self::House => 7,
        }
    }

    /// The kind with that number.
    #[must_use]
    pub fn from_number(number: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| i64::from(kind.number()) == number)
    }
}

impl Deed {
    /// Its kind.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::OpenTable(_) => Kind::OpenTable,
            Self::Table(_) => Kind::Table,
            Self::RevealShoe(_) => Kind::RevealShoe,
            Self::Wallet(_) => Kind::Wallet,
            Self::Deposit(_) | Self::Withdraw(_) => Kind::Cage,
            Self::OpenCase(_) | Self::Case(_) => Kind::Case,
            Self::Rulebook { .. }
            | Self::Start { .. }
            | Self::Stop
            | Self::Denied(_)
            | Self::Register(_)
            | Self::SigningKey { .. }
            | Self::CloseDay(_)
            | Self::Tray(_) => Kind::House,
        }
    }
}

/// What a table was opened with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenTable {
    /// Its name on the floor.
    pub name: String,
    /// The pit it belongs to.
    pub pit: String,
    /// The currency of its amounts, such as `VND`.
    pub currency: String,
    /// Digits after the point when amounts are shown.
    pub decimals: u8,
    /// Where its cards come from.
    pub cards: CardSource,
    /// Who deals.
    pub dealer: Dealing,
    /// The hash of its rulebook's text.
    pub rulebook: Hash,
    /// The game and the settings.
    pub opening: Opening,
}

/// Where the cards of a table come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CardSource {
    /// Shuffled and dealt by software, with a commitment.
    Software,
    /// Reported by a device or by staff.
    Feed,
}

/// Who deals at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dealing {
    /// The software, by itself and by the clock.
    Automatic,
    /// Staff.
    Staff,
}

/// All of a shoe, once it is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevealShoe {
    /// Which shoe of the table.
    pub shoe: u32,
    /// Its cards in the order as committed to, with their salts.
    pub cards: Vec<ShownCard>,
}

/// A card of a shoe with its salt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ShownCard(
    /// The card.
    pub Card,
    /// Its salt.
    #[serde(with = "salt")]
    pub Salt,
);

mod salt {
    use croupier_cards::Salt;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(salt: &Salt, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&salt.to_hex())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Salt, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A wallet changed by what another stream records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WalletChange {
    /// Where it is recorded.
    pub stream: Stream,
    /// The envelope there.
    pub sequence: u64,
    /// What came in; below zero if it went out.
    pub change: i64,
}

/// Money over the counter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CageMove {
    /// Whose wallet.
    pub player: PlayerId,
    /// How much.
    pub amount: Amount,
    /// The second person who agreed, where one is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<PersonId>,
    /// A receipt or a note.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// A refusal for want of authority.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Denied {
    /// What was tried, in a word: the code of the action, or the path of the request.
    pub what: String,
    /// In which stream, if in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<Stream>,
    /// The code of the refusal.
    pub code: String,
    /// What it rests on, in the rulebook of the table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cites: Vec<Basis>,
    /// How many more of the same person this line stands for: a flood is counted and not written line by line.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A change to the registers, which are outside the chain. Only ids are named, no personal data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegisterChange {
    /// Which register: `person`, `token`, …
    pub register: String,
    /// Which entry of it.
    pub entry: String,
    /// What was done: `created`, `ranks`, `excluded`, `revoked`, …
    pub what: String,
    /// The entries that it changed, sealed as they are from then on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sealed: Vec<SealedEntry>,
}

/// An entry of a register that carries authority, without what is in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealedEntry {
    /// The register and the key of the entry, as `person/0000000007`.
    pub entry: String,
    /// A digest of it over a salt that is kept beside it; none if it is not there any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Hash>,
}

/// An order about the chips of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrayLine {
    /// Of which table.
    pub table: croupier_ledger::TableId,
    /// The number of the paper that it is about, or begins.
    pub number: u32,
    /// What.
    pub order: TrayOrder,
}

/// A gaming day with the figures of each table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DayClosed {
    /// The day, as `YYYY-MM-DD`.
    pub day: String,
    /// The tables, in the order of their ids.
    pub tables: Vec<TableDay>,
}

/// What a table did in a gaming day, in minor units.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableDay {
    /// Which.
    pub table: croupier_ledger::TableId,
    /// The envelopes of its stream that the day covers.
    pub through: u64,
    /// Rounds settled.
    pub rounds: u64,
    /// The last of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_round: Option<RoundId>,
    /// Chips that players took to the table: for cash and from wallets.
    pub drop: i64,
    /// What was wagered.
    pub handle: i64,
    /// What the house won; below zero if it lost.
    pub win: i64,
    /// Commission in it.
    pub commission: i64,
    /// What the exact odds of every wager say the house should have won, rounded to minor units.
    pub theory: i64,
    /// What the chips of the table say, by counts and slips. Days that were closed before there were counts have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chips: Option<DayChips>,
}

/// The chips of a table over a gaming day, in minor units.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DayChips {
    /// The float at the beginning, as the day before ended with it.
    pub opening: i64,
    /// Chips that were brought.
    pub fills: i64,
    /// Chips that were taken.
    pub credits: i64,
    /// Cash that went into the drop box.
    pub cash: i64,
    /// The float at the end: what the books say, and what the last count found beyond that.
    pub closing: i64,
    /// What the last count found beyond the books; below zero if the tray was short.
    pub difference: i64,
}

impl DayChips {
    /// What the house won by its chips: closing + credits + cash − opening − fills.
    #[must_use]
    pub const fn win(self) -> i64 {
        self.closing + self.credits + self.cash - self.opening - self.fills
    }
}

/// Which node leads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leads {
    /// Its name.
    pub node: String,
    /// The epoch that its commits are checked against.
    pub epoch: u64,
}
