//! What happened at a table. Applying the events of a journal in order gives the table back.

mod parts;

use croupier_cards::Card;
use croupier_rules::baccarat::insurance::Stage;
use croupier_rules::baccarat::{Outcome, Side, Winner};
use croupier_rules::clause::Basis;
use croupier_rules::irregularity::{Irregularity, Remedy, ShoeFate};
use croupier_rules::niu_niu::{BoxWinner, Category};
use croupier_rules::settle::{Settled, SettledReserve};
use croupier_rules::{Amount, Odds};

use crate::actor::{Actor, PersonId, PlayerId, Staff};
use crate::command::{Bar, DeckSet, Holder};
use crate::setup::Method;
pub use parts::{About, After, CloseReason, Justified, Mark, Source};

/// Something that happened, with what it rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Event {
    /// What.
    pub fact: Fact,
    /// The clauses and readings; none where it is the operator's procedure.
    pub cites: Vec<Basis>,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Fact {
    /// Somebody came on duty.
    SignedOn(Staff),
    /// Somebody went off duty.
    SignedOff(PersonId),
    /// Chips came to the float.
    Filled {
        /// How much.
        amount: Amount,
        /// Who saw it.
        witness: PersonId,
    },
    /// Chips left the float.
    Credited {
        /// How much.
        amount: Amount,
        /// Who saw it.
        witness: PersonId,
    },
    /// The drop box was counted.
    DropCounted {
        /// What was in it.
        amount: Amount,
    },
    /// The tips left the table.
    TipsPaid {
        /// How much.
        amount: Amount,
    },
    /// The table closed.
    TableClosed {
        /// What the books say is in the float.
        expected: Amount,
        /// What was counted.
        counted: Amount,
    },

    /// A player took a seat.
    Seated {
        /// Who.
        player: PlayerId,
        /// Where.
        seat: u8,
    },
    /// A player stands.
    Stood {
        /// Who.
        player: PlayerId,
        /// Behind which seat.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        behind: Option<u8>,
    },
    /// A player was shown that the table gives no insurance.
    NoticeGiven {
        /// Who.
        player: PlayerId,
    },
    /// A player accepted that.
    NoticeAccepted {
        /// Who.
        player: PlayerId,
    },
    /// A player took chips.
    BoughtIn {
        /// Who.
        player: PlayerId,
        /// How much.
        amount: Amount,
        /// For cash.
        cash: bool,
    },
    /// A player left with these chips.
    Left {
        /// Who.
        player: PlayerId,
        /// How much.
        chips: Amount,
    },
    /// A correction that a dispute decided on was posted; its case has the entry in the books.
    CorrectionPosted {
        /// Of which case.
        case: croupier_ledger::CaseId,
        /// Whose chips.
        player: PlayerId,
        /// How much: above zero to the player, below zero from the player.
        amount: Amount,
    },
    /// A tip was given.
    Tipped {
        /// Who.
        player: PlayerId,
        /// How much.
        amount: Amount,
    },

    /// Cards were put into the device.
    ShoeLoaded {
        /// Which shoe of the table, from 1.
        number: u32,
        /// Which deck.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        set: Option<DeckSet>,
        /// The commitment to their order.
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
    /// They were shuffled.
    Shuffled {
        /// Who says so.
        by: Actor,
    },
    /// They were cut.
    Cut {
        /// By whom.
        by: Actor,
        /// How many cards lay above the cut and went to the back, if that was told.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        above: Option<u16>,
    },
    /// Cards were burned.
    Burned {
        /// How many.
        count: u8,
        /// Those that were read.
        cards: Vec<Card>,
    },
    /// The cut card came out.
    CutCardOut {
        /// Rounds to come after this one.
        rounds_left: u8,
    },
    /// The hand, or the next one, is the last of the shoe.
    LastHand {
        /// The next one.
        next: bool,
    },
    /// The cards in the shoe were counted.
    ShoeCounted {
        /// What the books say.
        expected: u16,
        /// What was counted.
        counted: u16,
    },
    /// The shoe is to be replaced, or may be.
    ShoeJudged(ShoeFate),
    /// The shoe is played to its end.
    ShoePlayedOut,
    /// Nothing more comes out of the shoe. Whether the round lacks a card shows when its hands are open.
    ShoeFoundEmpty,
    /// The shoe is finished.
    ShoeEnded,

    /// Betting opened.
    BetsOpened {
        /// The number of the round.
        round: u64,
    },
    /// Betting closed.
    BetsClosed {
        /// Why.
        reason: CloseReason,
        /// Who squeezes the Player's and the Banker's hand.
        #[cfg_attr(feature = "openapi", schema(min_items = 2, max_items = 2))]
        squeezers: [Option<PlayerId>; 2],
        /// The staff who see a player draw.
        in_view_of: Vec<PersonId>,
    },
    /// A wager was laid or raised.
    Placed {
        /// Whose.
        player: PlayerId,
        /// The bet.
        bet: usize,
        /// How much was added.
        amount: Amount,
        /// The area or box.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        area: Option<u8>,
        /// The Reserve that went with it.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Amount::is_zero"))]
        reserve: Amount,
        /// Who laid it for the player.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        by: Option<PersonId>,
        /// Outside the limits, but the table takes it.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "core::ops::Not::not"))]
        flagged: bool,
        /// It is not known when.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "core::ops::Not::not"))]
        untimed: bool,
    },
    /// A wager went back before the deal.
    TakenBack {
        /// Whose.
        player: PlayerId,
        /// The bet.
        bet: usize,
        /// The area or box.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        area: Option<u8>,
        /// How much.
        amount: Amount,
        /// The Reserve that went with it.
        reserve: Amount,
    },
    /// The Dealer asked to reduce.
    AskedToReduce {
        /// The heavier hand.
        side: Side,
        /// By how much it is over.
        over: Amount,
    },
    /// A wager was lifted after the close; it stays in action.
    LiftedLate {
        /// Whose.
        player: PlayerId,
        /// The bet.
        bet: usize,
    },
    /// Fewer wagers are allowed in an area.
    AreasLimited(u8),

    /// A Free Hand began.
    FreeHandBegan {
        /// The number of the round.
        round: u64,
    },
    /// A card was drawn.
    Drawn {
        /// The card, if it was read.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        card: Option<Card>,
        /// The hand it belongs to.
        side: Side,
        /// The hand it was laid on, if another.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        misplaced: Option<Side>,
        /// People see it.
        exposed: bool,
        /// Where it came from.
        source: Source,
    },
    /// A card was drawn that no hand may take.
    SurplusDrawn {
        /// The card, if it was read.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        card: Option<Card>,
        /// The hand it was laid on, if that is known.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        on: Option<Side>,
        /// People see it.
        exposed: bool,
    },
    /// A card left the shoe before it can be told whose it is, or between two rounds.
    StrayDrawn {
        /// The card, if it was read.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        card: Option<Card>,
        /// The hand it was laid on, if that is known.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        on: Option<Side>,
        /// People see it.
        exposed: bool,
    },
    /// The cards that waited for their place have none.
    WaitingSurplus,
    /// Cards drawn together wait for their place, in this order.
    TogetherWait {
        /// The cards.
        cards: Vec<Card>,
    },
    /// Cards left over for this round, more than its first four, wait for their place.
    CarriedWait,
    /// A card before them was read wrongly: from this draw on the cards wait for their place again.
    TakenUp {
        /// The first of them, from 1.
        from: u8,
    },
    /// It is known where a surplus card lies.
    SurplusPlaced {
        /// The hand.
        on: Side,
        /// People see it.
        exposed: bool,
    },
    /// A card was drawn that cannot be in the shoe.
    ForeignDrawn {
        /// The card, if it was read.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        card: Option<Card>,
    },
    /// Cards were drawn together.
    DrawnTogether {
        /// The cards.
        cards: Vec<Card>,
        /// Whether their order is known.
        order_known: bool,
    },
    /// A card keyed in wrongly was put right.
    Corrected {
        /// Its number, from 1; cards that belong to no hand come after the others.
        draw: u8,
        /// What it is.
        card: Card,
        /// Why, where it was said.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        because: Option<Box<Justified>>,
    },
    /// The Dealer chose the hand to be opened first.
    OpensFirst(Side),
    /// A hand was opened.
    Revealed {
        /// Which.
        side: Side,
        /// By whom.
        by: Actor,
        /// The cards that had not been read.
        told: Vec<Card>,
    },
    /// One card was exposed by mistake.
    CardShown {
        /// Its number, from 1.
        draw: u8,
    },
    /// The counts as they stand, and whose card is due.
    Totals {
        /// The Player's count.
        player: u8,
        /// The Banker's count.
        banker: u8,
        /// Whose card is next.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        due: Option<Side>,
    },
    /// The cards decide.
    Decided(Outcome),
    /// The Dealer called the result.
    Called {
        /// The call.
        call: Winner,
        /// What the cards say.
        cards: Winner,
    },
    /// A display showed a result.
    Displayed {
        /// What it showed.
        shown: Winner,
        /// What the cards say.
        cards: Winner,
    },

    /// A wager ended.
    WagerEnded {
        /// Its place among the wagers of the round.
        wager: usize,
        /// How.
        settled: Settled,
        /// Its Reserve.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        reserve: Option<SettledReserve>,
    },
    /// An insurance ended.
    InsuranceEnded {
        /// Its place among the insurances of the round.
        insurance: usize,
        /// How.
        settled: Settled,
    },
    /// A player is remembered for a wager below the minimum.
    Warned {
        /// Who.
        player: PlayerId,
    },
    /// Commission owed was collected at the end of the shoe.
    CommissionCollected {
        /// From whom.
        player: PlayerId,
        /// How much.
        amount: Amount,
    },
    /// The round is over and on the board.
    RoundClosed {
        /// How it is shown.
        mark: Mark,
        /// What comes next.
        after: After,
    },

    /// The method for the rounds to come.
    MethodChosen(Method),
    /// A player may squeeze if the right is still theirs when betting closes.
    SqueezeAsked {
        /// Who.
        player: PlayerId,
    },
    /// A player refused the cards; the next one has the right.
    SqueezeRefused {
        /// Who.
        player: PlayerId,
        /// Which hand.
        side: Side,
        /// Who has the right now.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        next: Option<PlayerId>,
    },
    /// A player may not squeeze in this round.
    SqueezeForbidden {
        /// Who.
        player: PlayerId,
    },
    /// Somebody has the right to a hand.
    SqueezerNamed {
        /// Who; nobody if the Dealer opens it.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        player: Option<PlayerId>,
        /// Which hand.
        side: Side,
    },
    /// A player has the device.
    DeviceTaken {
        /// Who.
        player: PlayerId,
    },
    /// A player may draw without a wager.
    DrawingPermitted {
        /// Who.
        player: PlayerId,
    },
    /// The device is free.
    DeviceFree {
        /// Who had it.
        player: PlayerId,
    },
    /// A hand was passed on.
    HandPassed {
        /// Which.
        side: Side,
        /// To whom; to the Dealer if nobody is named.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        to: Option<PlayerId>,
        /// Not as it should be.
        breach: bool,
    },

    /// Insurance is due to be offered.
    InsuranceDue {
        /// The window.
        stage: Stage,
        /// The place of the line.
        line: usize,
    },
    /// Insurance is offered, and the marker shows the odds.
    InsuranceOffered {
        /// The window.
        stage: Stage,
        /// The place of the line.
        line: usize,
        /// The insured hand.
        side: Side,
        /// What it pays.
        odds: Odds,
    },
    /// A hand was insured.
    Insured {
        /// By whom.
        player: PlayerId,
        /// The place of the line.
        line: usize,
        /// The hand.
        side: Side,
        /// How much.
        amount: Amount,
    },
    /// The insurance window closed.
    InsuranceClosed {
        /// Who passed it up.
        forgone: Vec<PlayerId>,
    },
    /// The window passed without an offer.
    InsuranceMissed {
        /// Which.
        stage: Stage,
    },
    /// Insurance is off, with the sign shown, or on again.
    InsuranceSwitched {
        /// On.
        on: bool,
        /// Who asked.
        asked_by: PlayerId,
    },
    /// The Banker's third card is shown first; the second insurance is waived.
    BankerShownFirst {
        /// Who asked.
        asked_by: PlayerId,
    },

    /// Something went wrong.
    Irregular {
        /// What.
        irregularity: Irregularity,
        /// About whom or what.
        about: About,
        /// What was told.
        told: String,
        /// It follows from a card that is out, and cannot be taken back as a report can.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "core::ops::Not::not"))]
        found: bool,
    },
    /// What was found has consequences that follow at once; a second person confirms the finding first.
    FindingPending {
        /// Who found it.
        by: Actor,
    },
    /// A second person has confirmed what was found.
    FindingConfirmed {
        /// Who.
        by: Actor,
    },
    /// The report was mistaken; play goes on.
    Retracted,
    /// A ruling was made, or follows from the rules.
    Ruled {
        /// By whom.
        by: Actor,
        /// What is done.
        remedy: Remedy,
        /// With a choice for the players.
        with_withdrawal: bool,
        /// The order it fixes.
        order: Vec<Card>,
        /// The player it names.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        player: Option<PlayerId>,
        /// The only players who may withdraw.
        only: Vec<PlayerId>,
        /// Why only they.
        reason: String,
    },
    /// Players may withdraw their open wagers.
    OptionOpened {
        /// Which players.
        players: Vec<PlayerId>,
    },
    /// A player answered.
    Answered {
        /// Who.
        player: PlayerId,
        /// Withdraws.
        withdraw: bool,
    },
    /// The option window has closed.
    OptionClosed,
    /// Play goes on.
    Resumed,
    /// Cards lie where they belong.
    Rebuilt,
    /// The hand goes on without wagers.
    TurnedFree,
    /// The next hand is free.
    NextIsFree,
    /// Betting ends without a deal: everything went back.
    BettingAbandoned,
    /// A card drawn together with others is one that no hand may take.
    TogetherSurplus {
        /// The card.
        card: Card,
        /// People see it.
        exposed: bool,
    },
    /// Surplus cards open the next round.
    CardsCarried {
        /// The next round is free.
        free: bool,
    },
    /// Surplus cards are discarded.
    SurplusDiscarded,
    /// The cards went back into the shoe, which is to be burned.
    CardsReturned,
    /// The cards were discarded and betting is open again.
    DealDiscarded,
    /// After the hand the players choose the shoe.
    ShoeChoiceDue,
    /// A player chose.
    ShoeChosen {
        /// Who.
        player: PlayerId,
        /// Wants new cards.
        replace: bool,
    },
    /// The choice between the shoes is made.
    ShoeChoiceMade {
        /// New cards.
        replace: bool,
    },
    /// Two cards are held back.
    #[cfg_attr(feature = "openapi", schema(value_type = (Card, Card)))]
    TwoHeld([Card; 2]),
    /// The count found what is missing.
    MissingFound {
        /// The cards.
        missing: Vec<Card>,
        /// Who saw it.
        witness: PersonId,
    },
    /// Equal cards stand in for those that are gone.
    StoodIn {
        /// The cards, in draw order.
        cards: Vec<Card>,
    },

    /// Cards of Niu Niu came out that belong to no hand.
    PacketStray {
        /// Where they lie; nothing if on nobody's place.
        at: Option<Holder>,
        /// The cards.
        cards: Vec<Card>,
    },
    /// A card of a hand of Niu Niu that was read wrongly was put right.
    HandCorrected {
        /// Whose hand.
        holder: Holder,
        /// What it was taken for.
        from: Card,
        /// What it is.
        to: Card,
        /// Why, where it was said.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        because: Option<Box<Justified>>,
    },
    /// A packet was dealt.
    PacketDealt {
        /// To whom.
        to: Holder,
        /// The cards.
        cards: Vec<Card>,
    },
    /// All hands have their five cards.
    CountRight,
    /// The packets lie where they belong.
    Redealt {
        /// Who has which packet now.
        hands: Vec<(Holder, Vec<Card>)>,
        /// Cards that go to the discard.
        dead: Vec<Card>,
    },
    /// The cards of an empty box are dead.
    CardsDead {
        /// Which box.
        box_number: u8,
    },
    /// A box is void.
    BoxVoided {
        /// Which.
        box_number: u8,
    },
    /// A player handled cards.
    Handled {
        /// Who.
        player: PlayerId,
        /// Of which box.
        box_number: u8,
    },
    /// It was said that the cards on the layout cannot be put in order.
    OrderLostOnLayout,
    /// A hand was set.
    HandSet {
        /// Whose.
        holder: Holder,
        /// As what.
        set_as: Category,
    },
    /// A hand was ranked.
    HandRanked {
        /// Whose.
        holder: Holder,
        /// What it is.
        category: Category,
    },
    /// The Dealer's hand was opened.
    DealerOpened,
    /// A box was compared with the Dealer.
    Compared {
        /// Which.
        box_number: u8,
        /// Who has the higher hand.
        winner: BoxWinner,
    },
    /// A player may have one box only.
    BoxesRestricted {
        /// Who.
        player: PlayerId,
    },
    /// A player may no longer handle cards.
    HandlingStopped {
        /// Who.
        player: PlayerId,
    },
    /// A bar or a restriction of a player was lifted.
    Lifted {
        /// Whose.
        player: PlayerId,
        /// Which.
        bar: Bar,
    },
    /// An incident for the record. Who is absent is not handed the device; nothing else changes.
    Incident {
        /// What.
        what: String,
        /// The player concerned.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        player: Option<PlayerId>,
    },
}

impl Fact {
    /// What an incident says of a player who is away.
    pub const ABSENT: &str = "absent";
}
