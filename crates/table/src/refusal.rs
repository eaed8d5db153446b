//! Why a command is refused: a code with parameters, and what it rests on.

use croupier_rules::baccarat::Side;
use croupier_rules::clause::Basis;
use croupier_rules::entry::EntryRefusal;
use croupier_rules::settle::SettleError;
use croupier_rules::{Amount, Irregularity};

use crate::actor::{PlayerId, Rank};
use crate::authority::Denied;
use crate::phase::Phase;

/// A refusal with what it rests on; nothing was changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct Refusal {
    /// Why.
    pub why: Why,
    /// The clauses and readings; none where it is plain sense or the operator's procedure.
    pub cites: Vec<Basis>,
}

impl Refusal {
    /// A refusal that rests on these clauses.
    #[must_use]
    pub fn new(why: Why, cites: &[Basis]) -> Self {
        Self { why, cites: cites.to_vec() }
    }

    /// The code that programs and files use.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.why.code()
    }

    /// Whether it is for want of authority, which is put on record.
    #[must_use]
    pub const fn is_denial(&self) -> bool {
        matches!(self.why, Why::NotAuthorised { .. } | Why::NotYours { .. } | Why::WitnessNeeded)
    }
}

impl From<Why> for Refusal {
    fn from(why: Why) -> Self {
        Self { why, cites: Vec::new() }
    }
}

impl From<Denied> for Refusal {
    fn from(denied: Denied) -> Self {
        Self { why: Why::NotAuthorised { needs: denied.needs }, cites: denied.cites }
    }
}

impl From<croupier_rules::entry::Refused> for Refusal {
    fn from((refusal, cites): croupier_rules::entry::Refused) -> Self {
        Self { why: Why::Entry(refusal), cites }
    }
}

macro_rules! refusals {
    ($($(#[doc = $doc:literal])+ #[error($($error:tt)+)] $variant:ident $({ $($(#[doc = $fdoc:literal])+ $field:ident: $ty:ty,)+ })? = $code:literal;)+) => {
        /// Why a command is refused, in order of precedence.
        #[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
        pub enum Why {
            /// By the rules about one player's wagers.
            #[error(transparent)]
            Entry(#[from] EntryRefusal),
            $($(#[doc = $doc])+ #[error($($error)+)] $variant $({ $($(#[doc = $fdoc])+ $field: $ty,)+ })?,)+
        }

        impl Why {
            /// Every code there is, those of entry included.
            pub const CODES: &'static [&'static str] = &[
                "not-on-menu", "not-whole-chips", "needs-other-bet", "needs-main-bet", "one-per-hand",
                "above-other-bet", "not-in-steps", "below-minimum", "above-maximum", $($code,)+
            ];

            /// The code that programs and files use.
            #[must_use]
            pub const fn code(&self) -> &'static str {
                match self {
                    Self::Entry(refusal) => refusal.code(),
                    $(Self::$variant { .. } => $code,)+
                }
            }
        }

        /// The parameters by name.
        #[cfg(feature = "serde")]
        impl serde::Serialize for Why {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap;
                match self {
                    Self::Entry(refusal) => refusal.serialize(serializer),
                    $(Self::$variant $({ $($field),+ })? => {
                        let parameters = serializer.serialize_map(None)?;
                        $(
                            let mut parameters = parameters;
                            $(parameters.serialize_entry(stringify!($field), $field)?;)+
                        )?
                        parameters.end()
                    })+
                }
            }
        }
    };
}

refusals! {
    /// Somebody without the rank.
    #[error("{}", .needs.map_or("nobody may under this rulebook".to_string(), |rank| format!("needs rank {} or above", rank.0)))]
    NotAuthorised {
        /// The lowest rank that may; nothing if nobody may.
        needs: Option<Rank>,
    } = "not-authorised";
    /// Somebody else's to do.
    #[error("this is for {who}")]
    NotYours {
        /// Whose it is.
        who: &'static str,
    } = "not-yours";
    /// Two persons are asked for.
    #[error("a second person on duty must witness this")]
    WitnessNeeded = "witness-needed";
    /// A card that was seen is put right for a reason.
    #[error("a card that was seen is put right with a reason only; say what went wrong")]
    ReasonNeeded = "reason-needed";
    /// Somebody else of a rank is asked for.
    #[error("a second person of rank {} or above, other than who found it or acts, must confirm this", .needs.0)]
    SecondNeeded {
        /// The lowest rank.
        needs: Rank,
    } = "second-needed";
    /// Nothing waits for a second person.
    #[error("nothing waits to be confirmed")]
    NothingPending = "nothing-pending";
    /// It is not looked at beforehand.
    #[error("this is not looked at beforehand: only reports, rulings and what ends a round, where no closed card is told")]
    NotPreviewed = "not-previewed";
    /// Cards are read by the house.
    #[error("the house reads the cards at this table; the Dealer keys what the player opens")]
    HouseReads = "house-reads";
    /// The table is closed.
    #[error("the table is closed")]
    TableClosed = "table-closed";
    /// Play is on hold.
    #[error("play is on hold: {irregularity} awaits {awaits}")]
    OnHold {
        /// Because of what.
        irregularity: Irregularity,
        /// What has to come first.
        awaits: &'static str,
    } = "on-hold";
    /// Nothing is on hold.
    #[error("nothing is on hold")]
    NothingOnHold = "nothing-on-hold";
    /// Not in this phase.
    #[error("not now, in phase {phase}: first {instead}")]
    NotNow {
        /// The phase.
        phase: Phase,
        /// What has to come first.
        instead: &'static str,
    } = "not-now";
    /// Betting is not open yet.
    #[error("betting is not open; the opening call comes first")]
    NotOpen = "not-open";
    /// Betting is closed.
    #[error("betting is closed")]
    Late = "late";
    /// A wager cannot be taken back any more.
    #[error("betting is closed; the wager stays in action")]
    TooLateToWithdraw = "too-late-to-withdraw";
    /// No such player at the table.
    #[error("player {} is not at the table; sit or stand first", .player.0)]
    NoSuchPlayer {
        /// Who.
        player: PlayerId,
    } = "no-such-player";
    /// The seat does not exist.
    #[error("the table has {seats} {places}")]
    NoSuchSeat {
        /// How many there are.
        seats: u8,
        /// What they are called: seats, or the boxes of Niu Niu.
        places: &'static str,
    } = "no-such-seat";
    /// Somebody sits there.
    #[error("seat {seat} is taken")]
    SeatTaken {
        /// Which.
        seat: u8,
    } = "seat-taken";
    /// Wagers are down.
    #[error("the player has wagers on the layout")]
    HasWagers = "has-wagers";
    /// Too few chips.
    #[error("the player has {available} minor units in chips")]
    NotEnoughChips {
        /// What is there.
        available: Amount,
    } = "not-enough-chips";
    /// Commission is owed.
    #[error("{owes} minor units of commission are owed; buy chips for it first")]
    OwesCommission {
        /// How much.
        owes: Amount,
    } = "owes-commission";
    /// Not made with chips.
    #[error("only chips on the layout are a wager")]
    NotChips = "not-chips";
    /// The float could not pay.
    #[error("the float of {float} minor units does not cover a loss of {needs}; bring a fill")]
    FloatShort {
        /// What is there.
        float: Amount,
        /// What the house could lose.
        needs: i128,
    } = "float-short";
    /// The area is full.
    #[error("the area holds {most} wagers at most")]
    AreaFull {
        /// How many.
        most: u8,
    } = "area-full";
    /// No such wager.
    #[error("there is no such wager")]
    NoSuchWager = "no-such-wager";
    /// More than lies there.
    #[error("{laid} minor units were laid; no more than that can be taken back")]
    MoreThanLaid {
        /// What lies there.
        laid: Amount,
    } = "more-than-laid";
    /// Not one of the wagers that exceed the differential.
    #[error("only wagers on the {} hand exceed the differential; this one stays", .heavier.key())]
    LighterSide {
        /// The hand with too much on it.
        heavier: Side,
    } = "lighter-side";
    /// Larger than any amount.
    #[error("larger than the largest amount")]
    TooLarge = "too-large";
    /// Nothing, or less than nothing.
    #[error("the amount must be above zero")]
    NotPositive = "not-positive";
    /// The gap between the hands is too large.
    #[error("the {} side is {over} minor units over the differential; reduce it or add to the other", .side.key())]
    Differential {
        /// The heavier hand.
        side: Side,
        /// By how much it is over.
        over: Amount,
    } = "differential";
    /// The box belongs to somebody else.
    #[error("box{number} belongs to player {}: one bettor a box", .owner.0)]
    BoxTaken {
        /// Which.
        number: u8,
        /// Whose.
        owner: PlayerId,
    } = "box-taken";
    /// Not with this box.
    #[error("{what}")]
    Box {
        /// What would be accepted.
        what: String,
    } = "box";
    /// The Reserve is not the one due.
    #[error("the Reserve must be exactly {due} minor units")]
    WrongReserve {
        /// What must be laid.
        due: Amount,
    } = "wrong-reserve";
    /// The shoe is not ready.
    #[error("the shoe is not ready: {missing}")]
    ShoeNotReady {
        /// What is missing.
        missing: &'static str,
    } = "shoe-not-ready";
    /// The cards must be replaced.
    #[error("the cards must be replaced before the next round")]
    ShoeLocked = "shoe-locked";
    /// The shoe stays in play.
    #[error("no clause orders new cards: the shoe stays until {until}")]
    ShoeStays {
        /// How long.
        until: &'static str,
    } = "shoe-stays";
    /// The shoe is at its end.
    #[error("the shoe is at its end; load a new one")]
    ShoeEnded = "shoe-ended";
    /// The same deck again.
    #[error("the two decks take turns; load the other one")]
    SameDeck = "same-deck";
    /// The cut leaves no card on one side.
    #[error("a cut leaves cards on both sides; 1 to {most} may lie above it")]
    BadCut {
        /// How many may lie above it.
        most: u16,
    } = "bad-cut";
    /// Burned as asked already, or another number.
    #[error("{due} cards are to be burned")]
    Burn {
        /// How many.
        due: u8,
    } = "burn";
    /// The next hand is free.
    #[error("a Free Hand is played without wagers")]
    FreeHand = "free-hand";
    /// No Free Hand is due.
    #[error("no Free Hand is due")]
    NoFreeHand = "no-free-hand";
    /// The players choose the shoe first.
    #[error("the players choose first whether this shoe goes on")]
    ShoeChoice = "shoe-choice";
    /// A card without a face.
    #[error("this device reads the cards; name the card")]
    CardUnread = "card-unread";
    /// A card that is not known yet decides.
    #[error("a card is not known yet; open the hand first")]
    CardUnknown = "card-unknown";
    /// No such draw.
    #[error("there is no such card in this round")]
    NoSuchDraw = "no-such-draw";
    /// The correction cannot be.
    #[error("the correction does not fit the cards drawn since")]
    CannotCorrect = "cannot-correct";
    /// The cards do not decide yet.
    #[error("the cards do not decide yet")]
    NoResult = "no-result";
    /// The hand is open.
    #[error("there is no face-down card in this hand")]
    NothingToReveal = "nothing-to-reveal";
    /// The other hand comes first.
    #[error("the {} hand is opened first", .side.key())]
    OtherHandFirst {
        /// Which.
        side: Side,
    } = "other-hand-first";
    /// There is no squeezing at this table.
    #[error("players do not handle cards at this table")]
    NoSqueeze = "no-squeeze";
    /// Somebody else has the right.
    #[error("somebody else has the right to these cards")]
    NotSqueezer = "not-squeezer";
    /// Not the highest wager.
    #[error("the right belongs to the seated player with the highest wager")]
    NotHighest = "not-highest";
    /// Who stands has no right.
    #[error("who stands has no right to squeeze")]
    Standing = "standing";
    /// After the card.
    #[error("it must be asked for before the cards leave the shoe")]
    AskedTooLate = "asked-too-late";
    /// Forbidden for the round.
    #[error("the player may not squeeze in this round")]
    Forbidden = "forbidden";
    /// There is nothing to lift.
    #[error("the player is under no such bar")]
    NotBarred = "not-barred";
    /// Not from this hand.
    #[error("cards are drawn by {who}")]
    NotDrawer {
        /// Who draws.
        who: &'static str,
    } = "not-drawer";
    /// The method is not for this table.
    #[error("method C is for the high-limit areas, with a device that reads")]
    MethodNotHere = "method-not-here";
    /// There is no choice of method.
    #[error("this rulebook has one way of dealing")]
    OneMethod = "one-method";
    /// A player without a wager.
    #[error("who draws needs a wager, or permission")]
    NeedsWager = "needs-wager";
    /// The device is with somebody.
    #[error("another player has the device")]
    DeviceTaken = "device-taken";
    /// Insurance is not offered at this table.
    #[error("this table offers no insurance")]
    InsuranceOff = "insurance-off";
    /// The notice is to be accepted.
    #[error("the table gives no insurance; the player must accept the notice first")]
    NoticeFirst = "notice-first";
    /// The cards do not call for that insurance now.
    #[error("{} insurance is not on offer as the cards lie", .side.key())]
    NotInsurable {
        /// The hand.
        side: Side,
    } = "not-insurable";
    /// The player has nothing on that hand.
    #[error("there is no {} wager to insure", .side.key())]
    NothingToInsure {
        /// The hand.
        side: Side,
    } = "nothing-to-insure";
    /// Insurance was passed up.
    #[error("insurance was offered and not taken; it is forgone for this round")]
    InsuranceForgone = "insurance-forgone";
    /// The second window was waived.
    #[error("the second insurance was waived when the Banker's card was to be shown first")]
    InsuranceWaived = "insurance-waived";
    /// Nothing of a further insurance would count.
    #[error("the {} wager cannot be insured further: nothing more would count", .side.key())]
    InsuranceFull {
        /// The hand.
        side: Side,
    } = "insurance-full";
    /// Smaller than the smallest insurance.
    #[error("insurance is at least {minimum} minor units")]
    InsuranceBelowMinimum {
        /// The minimum.
        minimum: Amount,
    } = "insurance-below-minimum";
    /// No offer was missed.
    #[error("no offer was missed, or it is too late")]
    NothingMissed = "nothing-missed";
    /// The Banker's card cannot come first.
    #[error("only while the Banker draws whatever the Player's card is")]
    NotBankerFirst = "not-banker-first";
    /// It does not happen in this game, or not now.
    #[error("{irregularity} cannot be reported here")]
    CannotBe {
        /// What.
        irregularity: Irregularity,
    } = "cannot-be";
    /// The ruling is not allowed.
    #[error("the rulebook allows here: {allowed}")]
    NoSuchRuling {
        /// What it allows.
        allowed: String,
    } = "no-such-ruling";
    /// A ruling, or what rests on one, does not say what it must.
    #[error("this must name {what}")]
    RulingIncomplete {
        /// What is missing.
        what: &'static str,
    } = "ruling-incomplete";
    /// The choice is every player's.
    #[error("every player has this choice; it cannot be given to some")]
    ChoiceOfAll = "choice-of-all";
    /// The player has no choice.
    #[error("{because}")]
    NoChoice {
        /// Why not.
        because: &'static str,
    } = "no-choice";
    /// Earlier rounds stand.
    #[error("earlier rounds stand as they were settled")]
    EarlierRound = "earlier-round";
    /// The counting does not come out.
    #[error("{expected} cards are missing, but the count finds {found}")]
    CountMismatch {
        /// Cards that left the table.
        expected: usize,
        /// Cards that the count finds missing.
        found: usize,
    } = "count-mismatch";
    /// A card that must be the held one.
    #[error("third cards come from the two that are held, in their order")]
    HeldCardsFirst = "held-cards-first";
    /// Another kind of game.
    #[error("{what}")]
    OtherGame {
        /// What this game has instead.
        what: &'static str,
    } = "other-game";
    /// Cards come from the device.
    #[error("every card comes out of the dealing device; nobody keys it in")]
    DeviceOnly = "device-only";
    /// The hand is there.
    #[error("the hand is there already")]
    HandThere = "hand-there";
    /// The player may not touch these cards.
    #[error("the player may not handle these cards; the Dealer arranges them")]
    MayNotHandle = "may-not-handle";
    /// Not all hands are set.
    #[error("all hands are set before the Dealer's is opened")]
    NotAllSet = "not-all-set";
    /// Already done.
    #[error("already done")]
    Already = "already";
    /// The money does not come out even.
    #[error("{error}")]
    Inexact {
        /// Why.
        error: SettleError,
    } = "inexact";
    /// A setting or layout that does not fit.
    #[error("{what}")]
    Setting {
        /// What is wrong.
        what: String,
    } = "setting";
}
