//! What people, devices and clocks ask of a table.

use croupier_cards::{Card, Composition};
use croupier_rules::baccarat::{Side, Winner};
use croupier_rules::niu_niu::Category;
use croupier_rules::{Amount, Power, Remedy};

use crate::actor::{Actor, PersonId, PlayerId, Staff};
use crate::setup::Method;

/// A command: who, when, what.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Command {
    /// Who gives it.
    pub actor: Actor,
    /// When, in seconds of any clock that does not go back.
    pub at: u64,
    /// What.
    pub action: Action,
}

/// A deck of Niu Niu by the colour of its backs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum DeckSet {
    /// One of the two.
    Red,
    /// The other.
    Blue,
}

/// What a player has been kept from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Bar {
    /// Squeezing, for a round.
    Squeezing,
    /// More than one box, until it is lifted or the player leaves.
    SeveralBoxes,
    /// Handling cards, until it is lifted or the player leaves.
    Handling,
}

impl Bar {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Squeezing, Self::SeveralBoxes, Self::Handling];

    /// The power that sets it, and lifts it.
    #[must_use]
    pub const fn power(self) -> Power {
        match self {
            Self::Squeezing => Power::ForbidSqueeze,
            Self::SeveralBoxes => Power::RestrictBoxes,
            Self::Handling => Power::StopHandling,
        }
    }
}

/// Who holds a hand of Niu Niu.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Holder {
    /// A box, from 1.
    Box(u8),
    /// The Dealer.
    Dealer,
}

/// As people write it: `box3`, `the Dealer`.
impl core::fmt::Display for Holder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Box(number) => write!(f, "box{number}"),
            Self::Dealer => f.write_str("the Dealer"),
        }
    }
}

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Action {
    // Staff and money of the table
    /// Somebody comes on duty.
    SignOn(Staff),
    /// Somebody goes off duty.
    SignOff(PersonId),
    /// Chips are brought to the float.
    Fill {
        /// How much.
        amount: Amount,
        /// A second person who saw it.
        witness: PersonId,
    },
    /// Chips are taken from the float.
    Credit {
        /// How much.
        amount: Amount,
        /// A second person who saw it.
        witness: PersonId,
    },
    /// The drop box is emptied and counted.
    CountDrop {
        /// A second person who saw it.
        witness: PersonId,
    },
    /// The tips leave the table.
    PayTips,
    /// The table closes, and its float is counted.
    CloseTable {
        /// What was counted.
        counted: Amount,
        /// A second person who saw it.
        witness: PersonId,
    },

    // Players
    /// A player takes a seat.
    Sit {
        /// Who.
        player: PlayerId,
        /// Where, from 1.
        seat: u8,
    },
    /// A player stands, behind a seat or behind none.
    Stand {
        /// Who.
        player: PlayerId,
        /// Behind which seat.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        behind: Option<u8>,
    },
    /// A player takes chips: from the wallet, or for cash.
    BuyIn {
        /// Who.
        player: PlayerId,
        /// How much.
        amount: Amount,
        /// Cash goes into the drop box.
        cash: bool,
    },
    /// A player leaves with all chips.
    Leave {
        /// Who.
        player: PlayerId,
    },
    /// A player gives a tip.
    Tip {
        /// Who.
        player: PlayerId,
        /// How much.
        amount: Amount,
    },
    /// A correction that a dispute has decided on goes between the float and a player's chips.
    PostCorrection {
        /// Of which case, whose own line is in the books.
        case: croupier_ledger::CaseId,
        /// Whose chips.
        player: PlayerId,
        /// How much: above zero to the player, below zero from the player.
        amount: Amount,
    },
    /// A player accepts that the table gives no insurance.
    AcceptNotice {
        /// Who.
        player: PlayerId,
    },

    // The shoe
    /// Cards are put into the device.
    LoadShoe {
        /// Which deck, where two take turns.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        set: Option<DeckSet>,
        /// The published commitment to their order, if they were shuffled by software.
        #[cfg_attr(
            feature = "serde",
            serde(
                default,
                skip_serializing_if = "Option::is_none",
                with = "croupier_cards::serial::optional_hex"
            )
        )]
        #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, pattern = "^[0-9A-Fa-f]{64}$"))]
        commitment: Option<[u8; 32]>,
    },
    /// The shuffle is recorded.
    RecordShuffle,
    /// The cards are cut, by whoever gives the command.
    CutCards {
        /// How many cards lie above the cut and go to the back; nothing where only the fact is recorded.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        above: Option<u16>,
    },
    /// Cards are burned.
    Burn {
        /// How many.
        count: u8,
        /// Those whose faces were read.
        cards: Vec<Card>,
    },
    /// The cut card comes out.
    CutCardOut,
    /// The next hand is announced as the last of the shoe.
    AnnounceLast,
    /// The cards left in the shoe are counted.
    CountShoe {
        /// How many there are.
        left: u16,
    },
    /// New cards take the place of the shoe.
    ReplaceShoe {
        /// The published commitment to their order, if they were shuffled by software.
        #[cfg_attr(
            feature = "serde",
            serde(
                default,
                skip_serializing_if = "Option::is_none",
                with = "croupier_cards::serial::optional_hex"
            )
        )]
        #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, pattern = "^[0-9A-Fa-f]{64}$"))]
        commitment: Option<[u8; 32]>,
    },
    /// Nothing more comes out of the shoe.
    ShoeEmpty,

    // Betting
    /// The opening call.
    OpenBets,
    /// The closing call.
    CloseBets,
    /// A wager is laid, or raised.
    Place(Place),
    /// A wager is taken back, wholly or in part.
    TakeBack {
        /// Whose.
        player: PlayerId,
        /// The place of the bet on the menu.
        bet: usize,
        /// The box, in Niu Niu.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        box_number: Option<u8>,
        /// How much; all of it if not said.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        amount: Option<Amount>,
    },
    /// The Dealer asks bettors on the heavier hand to reduce.
    AskToReduce,
    /// A wager that breaks the differential is taken off.
    RemoveWager {
        /// Whose.
        player: PlayerId,
        /// The place of the bet on the menu.
        bet: usize,
    },
    /// The number of wagers in an area is lowered.
    LimitAreas(u8),

    // The deal
    /// A card leaves the shoe.
    Draw {
        /// The card, if it was read.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        card: Option<Card>,
        /// The hand it was laid on, if that was seen.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        laid: Option<Side>,
        /// It was laid face up although it goes face down.
        exposed: bool,
    },
    /// Several cards leave the shoe together.
    DrawTogether {
        /// The cards; in their order, if it is known.
        cards: Vec<Card>,
        /// Whether the order is known.
        order_known: bool,
    },
    /// A card that was keyed in wrongly is put right.
    Correct {
        /// Its number among the draws of the round, from 1; cards that belong to no hand come after the others.
        draw: u8,
        /// The card it really is.
        card: Card,
        /// Why, and who saw it: for a card that people had seen.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        because: Option<Because>,
    },
    /// A hand is opened.
    Reveal {
        /// Which.
        side: Side,
        /// What the cards are that were not read, in draw order.
        told: Vec<Card>,
    },
    /// The Dealer chooses the hand to be opened first.
    OpenFirst(Side),
    /// A Free Hand is dealt.
    DealFreeHand,
    /// The Dealer calls the result.
    Call(Winner),
    /// A display shows a result.
    Display(Winner),
    /// The wagers are settled and the round is over.
    Settle,

    // Squeezing and the dealing methods
    /// The method is chosen for the next round.
    ChooseMethod(Method),
    /// A player asks to squeeze.
    AskSqueeze {
        /// Who.
        player: PlayerId,
    },
    /// A player does not want the cards of a hand.
    RefuseSqueeze {
        /// Who.
        player: PlayerId,
        /// Which hand.
        side: Side,
    },
    /// A player is forbidden to squeeze in this round.
    ForbidSqueeze {
        /// Who.
        player: PlayerId,
    },
    /// A player may squeeze a hand, whoever has the right.
    AllowSqueeze {
        /// Who.
        player: PlayerId,
        /// Which hand.
        side: Side,
    },
    /// A player takes the dealing device.
    TakeDevice {
        /// Who.
        player: PlayerId,
    },
    /// A player without a wager may draw.
    PermitDrawing {
        /// Who.
        player: PlayerId,
    },
    /// The holder gives the device up.
    GiveUpDevice,
    /// The holder of the device passes a hand on.
    PassHand {
        /// Which hand.
        side: Side,
        /// To a player directly; to the Dealer if nobody is named.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        to: Option<PlayerId>,
    },
    /// The Dealer hands a hand to a player.
    HandOver {
        /// Which hand.
        side: Side,
        /// To whom.
        to: PlayerId,
    },

    // Insurance
    /// The Dealer offers the insurance that is due.
    OfferInsurance,
    /// A player insures a hand.
    Insure {
        /// Who.
        player: PlayerId,
        /// Which hand.
        side: Side,
        /// How much.
        amount: Amount,
    },
    /// The insurance window is closed.
    CloseInsurance,
    /// Insurance is allowed although it was not offered.
    PermitInsurance,
    /// Insurance is switched off or on.
    SwitchInsurance {
        /// On.
        on: bool,
        /// The player who asked for it.
        asked_by: PlayerId,
    },
    /// The Banker's third card is to be shown first.
    ShowBankerFirst {
        /// The player who asked for it.
        asked_by: PlayerId,
    },

    // Irregularities
    /// Something went wrong.
    Report(Report),
    /// A ruling.
    Rule(RulingMade),
    /// A second person confirms what was found; what follows from it is then carried out.
    Confirm,
    /// The report was mistaken.
    Retract,
    /// A player answers an option.
    Answer {
        /// Who.
        player: PlayerId,
        /// Takes the open wagers back.
        withdraw: bool,
    },
    /// The option window is closed; who is silent stays.
    CloseWindow,
    /// A player chooses between this shoe and a new one.
    ChooseShoe {
        /// Who.
        player: PlayerId,
        /// Wants new cards.
        replace: bool,
    },
    /// The choice between the shoes is closed.
    CloseShoeChoice,
    /// Two cards are drawn and held, unseen by the players.
    #[cfg_attr(feature = "openapi", schema(value_type = (Card, Card)))]
    HoldTwo([Card; 2]),
    /// The cards left and discarded were sorted.
    Sorted {
        /// What was found.
        found: Box<Composition>,
        /// Who saw it.
        witness: PersonId,
    },

    // Niu Niu
    /// A packet is dealt.
    DealPacket {
        /// To whom.
        to: Holder,
        /// The cards.
        cards: Vec<Card>,
    },
    /// A card of a hand that was keyed in wrongly is put right.
    CorrectHand {
        /// Whose hand.
        holder: Holder,
        /// What it was taken for.
        from: Card,
        /// The card it really is.
        to: Card,
        /// Why, and who saw it: for a card that people had seen.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        because: Option<Because>,
    },
    /// The hands are spread and counted.
    CheckCount,
    /// A player handles cards.
    HandleCards {
        /// Who.
        player: PlayerId,
        /// Of which box.
        box_number: u8,
    },
    /// A hand is set.
    SetHand {
        /// Whose.
        holder: Holder,
        /// What it was set as.
        set_as: Category,
    },
    /// The Dealer's hand is opened.
    OpenDealer,
    /// A player may have one box only, from now on.
    RestrictBoxes {
        /// Who.
        player: PlayerId,
    },
    /// A bar or a restriction of a player is lifted.
    Lift {
        /// Whose.
        player: PlayerId,
        /// Which.
        bar: Bar,
    },
    /// A player handles cards off the layout.
    ReportHandling {
        /// Who.
        player: PlayerId,
    },
}

/// Why a card that was seen is put right.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Because {
    /// What went wrong, in a few words.
    pub reason: String,
    /// The second person who saw it, where one is asked for.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub witness: Option<Staff>,
}

/// A wager to be laid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Place {
    /// Whose.
    pub player: PlayerId,
    /// The place of the bet on the menu.
    pub bet: usize,
    /// How much is added.
    pub amount: Amount,
    /// The area or box, where it is not the player's own.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub area: Option<u8>,
    /// The Reserve laid, if not exactly what is due.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub reserve: Option<Amount>,
    /// Laid in cash, or between players: no wager at all.
    pub in_chips: bool,
    /// It is not known when it was laid.
    pub untimed: bool,
}

/// Something that went wrong, as it is reported.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Report {
    /// A foreign card, one too many or one missing.
    ForeignCard,
    /// The cards were not shuffled.
    Unshuffled,
    /// The hands cannot be put together again.
    CannotRebuild,
    /// The order in the device is lost.
    OrderLost,
    /// A player left with the cards of a hand.
    CarriedOff {
        /// Which hand.
        side: Side,
    },
    /// A player left with the cards of a box of Niu Niu.
    BoxCarriedOff {
        /// Which box.
        box_number: u8,
    },
    /// The device is jammed.
    Jam,
    /// The device must be reset.
    DeviceReset {
        /// Because of a Dealer's mistake.
        dealer_error: bool,
    },
    /// A card lies face up in the shoe, or was seen there.
    FaceUp,
    /// A card was exposed by mistake.
    Exposed {
        /// Its number among the draws of the round, from 1; or of the box in Niu Niu.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        draw: Option<u8>,
    },
    /// Cards were exposed while a player moved the device.
    ExposedMoving,
    /// Where a surplus card lies, and whether it was seen.
    SurplusOn {
        /// The hand.
        side: Side,
        /// It was exposed.
        exposed: bool,
    },
    /// Cards lie in the wrong order.
    WrongOrder,
    /// Nothing was burned.
    NoBurn,
    /// Cards went to the wrong player, or the wrong hand did.
    WrongDelivery,
    /// A player drew a card who was not to draw.
    DrawnBy {
        /// Who.
        player: PlayerId,
        /// The card, if it was read.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        card: Option<Card>,
        /// The hand it was laid on, if that was seen.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        laid: Option<Side>,
        /// It was laid face up although it goes face down.
        exposed: bool,
    },
    /// A hand was handed to a player.
    HandedTo {
        /// Who.
        player: PlayerId,
        /// Which hand.
        side: Side,
    },
    /// A hand was opened: by the Dealer if nobody is named.
    OpenedBy {
        /// Who.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        player: Option<PlayerId>,
        /// Which hand.
        side: Side,
        /// What the cards are that were not read, in draw order.
        told: Vec<Card>,
    },
    /// The Dealer opened what was to be handed over.
    NotDelivered,
    /// The player who is to open the cards is absent.
    Absent {
        /// Who.
        player: PlayerId,
    },
    /// A player bends or damages cards.
    Damaged {
        /// Who.
        player: PlayerId,
    },
    /// The power fails.
    PowerFailure,
    /// Something beyond the house's control.
    ForceMajeure,
    /// A wager was taken off after betting closed.
    WagerRemoved {
        /// Whose.
        player: PlayerId,
        /// The place of the bet on the menu.
        bet: usize,
    },
    /// Money of an earlier round is questioned.
    EarlierRound {
        /// It is about limits.
        limits: bool,
    },
    /// What the rules do not cover.
    Other(String),
}

/// A ruling as it is made.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulingMade {
    /// What is to be done.
    pub remedy: Remedy,
    /// With the choice for players to withdraw.
    #[cfg_attr(feature = "serde", serde(default))]
    pub with_withdrawal: bool,
    /// The order of the cards, where the ruling fixes it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub order: Vec<Card>,
    /// The player it names, where it names one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub player: Option<PlayerId>,
    /// The only players who may withdraw; everybody concerned if none is named.
    #[cfg_attr(feature = "serde", serde(default))]
    pub only: Vec<PlayerId>,
    /// Why only they.
    #[cfg_attr(feature = "serde", serde(default))]
    pub reason: String,
}

impl RulingMade {
    /// A ruling that names nothing but its remedy.
    #[must_use]
    pub const fn plain(remedy: Remedy, with_withdrawal: bool) -> Self {
        Self {
            remedy,
            with_withdrawal,
            order: Vec::new(),
            player: None,
            only: Vec::new(),
            reason: String::new(),
        }
    }
}
