//! The rules the engine itself applies, by name. A rulebook says on which clauses each of them rests.
//!
//! Pay lines, insurance lines and limits carry their clauses in their own data; here is only what is the same
//! code for every rulebook.

use core::fmt;
use core::str::FromStr;

use crate::rulebook::Family;

/// Who must state the clause of a rule: the engine needs a basis for each, but not every sheet has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Need {
    Baccarat,
    NiuNiu,
    Both,
    /// May be left out: some rulebooks are silent.
    Optional,
}

macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $variant:ident = $key:literal, $need:ident;)+) => {
        /// A rule of the engine.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Rule { $($(#[doc = $doc])+ $variant,)+ }

        impl Rule {
            /// All rules, in the order of play.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The name used in rulebook files.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self { $(Self::$variant => $key,)+ }
            }

            const fn need(self) -> Need {
                match self { $(Self::$variant => Need::$need,)+ }
            }

            pub(crate) const fn place(self) -> usize {
                #[expect(clippy::as_conversions, reason = "an enum without fields is its number")]
                { self as usize }
            }
        }
    };
}

rules! {
    /// Tables and rounds carry the name and version of the rulebook.
    Identity = "identity", Both;
    /// The version in force is the one played by.
    InForce = "in-force", Optional;
    /// The pay schedule is posted at the table.
    SchedulePosted = "schedule-posted", Optional;
    /// The table is opened with one of the rulebook's layouts.
    Layout = "layout", Optional;
    /// The bets offered are exactly those of the menu.
    Menu = "menu", Both;
    /// A side bet may stand alone.
    Alone = "alone", Optional;
    /// Only chips, whole ones, of a positive amount.
    Chips = "chips", Optional;
    /// A wager reaches the posted minimum.
    Minimum = "minimum", Optional;
    /// A wager keeps to the posted maximum.
    Maximum = "maximum", Optional;
    /// A bonus may be tied to a main wager.
    BonusNeedsMain = "bonus-needs-main", Optional;
    /// The opening call opens betting; no wager before it.
    OpeningCall = "opening-call", Optional;
    /// The closing call closes betting.
    ClosingCall = "closing-call", Optional;
    /// No wager, and no raise, after betting closed.
    LateWager = "late-wager", Optional;
    /// No wager is taken back after betting closed; one that was is settled all the same.
    WithdrawnLate = "withdrawn-late", Optional;
    /// Which wagers a player may lay for himself, and what staff lay for him is his own risk.
    PlacedForPlayer = "placed-for-player", Optional;
    /// At most so many wagers in one area.
    WagersPerArea = "wagers-per-area", Optional;
    /// The gap between the two hands' totals keeps to the posted differential.
    Differential = "differential", Optional;
    /// Over the differential betting does not close: wagers must be altered.
    AlterWagers = "alter-wagers", Optional;
    /// The Dealer asks bettors on the heavier hand to reduce.
    AskToReduce = "ask-to-reduce", Optional;
    /// Bettors on the lighter hand may add.
    MayAdd = "may-add", Optional;
    /// In which order minimum, maximum and differential apply.
    LimitOrder = "limit-order", Optional;
    /// A wager below the minimum that stands off is not the one that is settled once.
    SmallStandOff = "small-stand-off", Optional;
    /// Chips laid on a bet that the player has are one wager with it.
    SameWager = "same-wager", Optional;
    /// What was paid or taken in earlier rounds outside the limits is closed.
    PastBreaches = "past-breaches", Optional;
    /// Earlier rounds stand, whatever is found later.
    EarlierRoundsStand = "earlier-rounds-stand", Optional;
    /// Somebody acting in a position, or of a higher one, may do what it may.
    ActingRank = "acting-rank", Optional;
    /// Wagers come before the first card.
    BeforeTheFirstCard = "before-the-first-card", Optional;

    /// Two cards each open the round.
    FourCards = "four-cards", Baccarat;
    /// Draws 1 and 3 are the Player's.
    PlayerCards = "player-cards", Baccarat;
    /// Draws 2 and 4 are the Banker's.
    BankerCards = "banker-cards", Baccarat;
    /// Ace to nine count their pips.
    CardPips = "card-pips", Both;
    /// Tens and pictures count zero in baccarat, ten in Niu Niu.
    CardTens = "card-tens", Both;
    /// A sum below ten is the count as it stands.
    SumBelowTen = "sum-below-ten", Baccarat;
    /// Of a sum of ten or more the last digit counts.
    SumDropsTens = "sum-drops-tens", Baccarat;
    /// Both initial counts are told before any third card.
    InitialTotals = "initial-totals", Baccarat;
    /// Eight or nine on two cards: nobody draws.
    Natural = "natural", Baccarat;
    /// The Player's two cards make 8 or 9.
    PlayerNatural = "player-natural", Baccarat;
    /// The Banker's two cards make 8 or 9.
    BankerNatural = "banker-natural", Baccarat;
    /// The round ends on four cards.
    NoThirdCard = "no-third-card", Optional;
    /// The Player draws on 0–5.
    PlayerDraws = "player-draws", Baccarat;
    /// The Player stands on 6–7.
    PlayerStands = "player-stands", Baccarat;
    /// The Player stood: the Banker draws on 0–5, stands on 6–7.
    BankerAfterStand = "banker-after-stand", Baccarat;
    /// Banker 0–2 draws.
    BankerLow = "banker-0-2", Baccarat;
    /// Banker 3 draws unless the Player's third card is an 8.
    BankerThree = "banker-3", Baccarat;
    /// Banker 4 draws against 2–7.
    BankerFour = "banker-4", Baccarat;
    /// Banker 5 draws against 4–7.
    BankerFive = "banker-5", Baccarat;
    /// Banker 6 draws against 6 and 7.
    BankerSix = "banker-6", Baccarat;
    /// In the drawing table an ace is 1, and every card that counts nothing is 10.
    ThirdCardValues = "third-card-values", Optional;
    /// Banker 7 stands.
    BankerSeven = "banker-7", Baccarat;
    /// The higher count wins; the result is announced.
    Result = "result", Both;
    /// A card drawn carries its number: where it belongs follows from it.
    DealerDraws = "dealer-draws", Optional;
    /// Each round is dealt by one of the methods.
    Method = "method", Optional;
    /// The Dealer keeps control of the device.
    DealerControls = "dealer-controls", Optional;
    /// The Dealer draws, lays and opens the cards.
    DealerOpensAll = "dealer-opens-all", Optional;
    /// Players do not handle cards.
    NoHandling = "no-handling", Optional;
    /// Who may squeeze, and when it must be asked for.
    SqueezeRight = "squeeze-right", Optional;
    /// Who refuses passes the cards to the next highest.
    SqueezeRefused = "squeeze-refused", Optional;
    /// Among equal wagers the first placed.
    SqueezeEqual = "squeeze-equal", Optional;
    /// Then the next equal one, counter-clockwise.
    SqueezeNextEqual = "squeeze-next-equal", Optional;
    /// Third cards go face down to the squeezer, or are opened by the Dealer.
    ThirdCards = "third-cards", Optional;
    /// A player draws from a card-reading device.
    PlayerDrawsCards = "player-draws-cards", Optional;
    /// Cards for another player go through a Dealer.
    ThroughDealer = "through-dealer", Optional;
    /// Drawing happens in full view of the staff.
    InFullView = "in-full-view", Optional;
    /// Opened initial hands lie in their areas.
    InitialLaidOut = "initial-laid-out", Optional;
    /// Third cards are drawn by the holder of the device.
    HolderDrawsThird = "holder-draws-third", Optional;
    /// Opened third cards lie in their areas.
    ThirdLaidOut = "third-laid-out", Optional;
    /// The holder gives the device up.
    DeviceGivenUp = "device-given-up", Optional;
    /// The holder loses the device with the wager.
    DeviceLost = "device-lost", Optional;
    /// Whoever has the device may keep it.
    DeviceKept = "device-kept", Optional;
    /// With wagers on both hands the holder keeps the device unless both lose.
    DeviceBothHands = "device-both-hands", Optional;
    /// Within a round the device goes to the next player with a wager, else to the Dealer.
    DevicePassedOn = "device-passed-on", Optional;
    /// Who has withdrawn everything loses the right to the cards: the next entitled player has it, else the Dealer.
    SqueezeLost = "squeeze-lost", Optional;
    /// The cut card is set aside and the round completed.
    CutCard = "cut-card", Optional;
    /// When an outcome counts as established.
    Established = "established", Optional;
    /// A Free Hand: no wagers, the carried cards first, no settlement.
    FreeHand = "free-hand", Optional;
    /// Every wager was withdrawn: the hand is finished as a Free Hand.
    NobodyStays = "nobody-stays", Optional;
    /// A wager that open cards have decided stays outside the choice to withdraw.
    DecidedStay = "decided-stay", Optional;
    /// The choice may be given to some players, with the reason.
    NamedPlayers = "named-players", Optional;
    /// A hand announced as the last stays the last.
    LastHand = "last-hand", Optional;
    /// After the last hand there is none that could be free: surplus cards are discarded.
    NoHandAfterLast = "no-hand-after-the-last", Optional;
    /// After a hand without burning the players choose the shoe.
    ShoeChoice = "shoe-choice", Optional;
    /// They choose it too when that hand is void.
    ShoeChoiceAfterVoid = "shoe-choice-after-a-void", Optional;
    /// The scoreboard shows every round.
    Scoreboard = "scoreboard", Optional;
    /// A Free Hand is on the scoreboard too.
    FreeOnBoard = "free-on-board", Optional;
    /// A round on which nobody has bet is a Free Hand.
    NoWagers = "no-wagers", Optional;
    /// A void round returns every wager.
    VoidRound = "void-round", Optional;
    /// The round begins with betting.
    RoundBegins = "begins-with-betting", Optional;
    /// A device that is not electronic is reset by the same rule.
    PlainDevice = "plain-device", Optional;
    /// Two cards are held undisclosed for third cards.
    TwoCardsHeld = "two-cards-held", Optional;
    /// The remaining cards are sorted in view of all.
    Sorting = "sorting", Optional;
    /// What is missing is the difference to full decks.
    MissingCards = "missing-cards", Optional;
    /// An equal card stands in.
    StandIn = "stand-in", Optional;
    /// The round is finished with it and the held cards.
    FinishedWithHeld = "finished-with-held", Optional;
    /// The cards are replaced before the next round.
    ReplacedAfter = "replaced-after", Optional;
    /// A card is due and there is none: the round is void.
    NotEnoughCards = "not-enough-cards", Baccarat;
    /// A wrong call has no effect.
    WrongCall = "wrong-call", Optional;
    /// Nor has one on which chips were paid.
    PaidOnWrongCall = "paid-on-wrong-call", Optional;
    /// A wrong display has no effect.
    WrongDisplay = "wrong-display", Optional;

    /// Insurance is offered while a card is due and the totals match a line.
    InsuranceOffer = "insurance-offer", Optional;
    /// Where the totals match and no card is due there is none.
    InsuranceNeedsCard = "insurance-needs-card", Optional;
    /// The layout has no insurance areas, or insurance is switched off.
    InsuranceArea = "insurance-area", Optional;
    /// Only who has a wager on a hand may insure it.
    InsuranceWager = "insurance-wager", Optional;
    /// Insurance ends with the round: paid when the insured hand loses, lost when it wins.
    InsuranceEnds = "insurance-ends", Optional;
    /// On a tie insurance goes back, or is paid on its tie line.
    InsuranceTie = "insurance-tie", Optional;
    /// All insurance winnings on a hand stay within the insured wager.
    InsuranceCap = "insurance-cap", Optional;
    /// The house's own limit at given odds.
    InsuranceHouseLimit = "insurance-house-limit", Optional;
    /// Insurance above the house's limit is paid up to it.
    InsuranceHouseLimitWin = "insurance-house-limit-win", Optional;
    /// The part of the insured wager that is in action is what insurance covers.
    InsuredAmount = "insured-amount", Optional;

    /// The marker shows the odds at each offer.
    InsuranceMarker = "insurance-marker", Optional;
    /// A sign shows that insurance is not offered.
    InsuranceSign = "insurance-sign", Optional;
    /// Insurance not taken when offered is forgone.
    InsuranceForgone = "insurance-forgone", Optional;

    /// Two decks with different backs take turns; one is in play.
    TwoDecks = "two-decks", Optional;
    /// Cards are dealt from a dealing device only.
    DealingDevice = "dealing-device", Optional;
    /// Who has several boxes handles the cards of one.
    OwnBoxOnly = "own-box-only", Optional;
    /// Hands are arranged before the Dealer's is opened.
    Arranging = "arranging", Optional;
    /// The Dealer checks how hands are set.
    HandsChecked = "hands-checked", Optional;
    /// Cards stay visible and on the layout.
    OnTheLayout = "on-the-layout", Optional;
    /// Every box in play and the Dealer have five cards.
    FiveCards = "five-cards", NiuNiu;
    /// Five cards to each box with a wager.
    BoxCards = "box-cards", NiuNiu;
    /// Five cards to the Dealer.
    DealerCards = "dealer-cards", NiuNiu;
    /// One deck; a second card of one identity is foreign.
    OneDeck = "one-deck", NiuNiu;
    /// Three cards that make 10, 20 or 30.
    Triple = "triple", NiuNiu;
    /// The other two cards give the value.
    OtherTwo = "other-two", NiuNiu;
    /// A box without Niu compares its highest card.
    PlayerHighCard = "player-high-card", NiuNiu;
    /// A Dealer without Niu compares the highest card.
    DealerHighCard = "dealer-high-card", NiuNiu;
    /// Equal hands: the highest of the five cards.
    EqualHands = "equal-hands", NiuNiu;
    /// Two fours of a kind: the odd card counts like the others.
    FoursOfAKind = "fours-of-a-kind", Optional;
    /// Equal highest cards: the suit.
    EqualCards = "equal-cards", NiuNiu;
    /// King high, ace low.
    RankOrder = "rank-order", NiuNiu;
    /// Spades, hearts, clubs, diamonds.
    SuitOrder = "suit-order", NiuNiu;
    /// Boxes are settled in turn from right to left.
    BoxByBox = "box-by-box", NiuNiu;
    /// The box's hand is higher: paid, Reserve back.
    BoxWins = "box-wins", NiuNiu;
    /// The Dealer's hand is higher: collected, with the Reserve's part.
    BoxLoses = "box-loses", NiuNiu;
    /// Neither is higher, which one deck does not bring about: nothing is paid or collected.
    NeitherHigher = "neither-higher", Optional;
    /// What the compulsory bet wins where nothing lies beside it.
    OnlyBet = "only-bet", Optional;
    /// What the compulsory bet wins less commission where others lie beside it.
    BesideOthers = "beside-others", Optional;
    /// A Reserve is security: it goes back but for what the Dealer's hand takes.
    ReserveSecurity = "reserve-security", Optional;
    /// One bettor a box.
    OneBettor = "one-bettor", NiuNiu;
    /// Each kind of bet once a box.
    OncePerBox = "once-per-box", Optional;
    /// Several boxes for one player.
    SeveralBoxes = "several-boxes", NiuNiu;
    /// Several boxes for one player while others bet elsewhere.
    OthersElsewhere = "others-elsewhere", Optional;
    /// Several boxes, and none of them before the player's own seat.
    NoBoxAtSeat = "no-box-at-seat", Optional;
    /// A player's hand has a wrong number of cards.
    WrongCount = "wrong-count", NiuNiu;
    /// The Dealer's hand has a wrong number of cards, or none.
    DealerWrongCount = "dealer-wrong-count", NiuNiu;
    /// A void round returns everything.
    VoidReturns = "void-returns", NiuNiu;

    /// A dispute begins with the first line and goes up from there.
    DisputeFirstLine = "dispute-first-line", Optional;
    /// The facts are gathered and Surveillance is informed.
    DisputeFacts = "dispute-facts", Optional;
    /// The player is told by when, or why not.
    DisputeDueTime = "dispute-due-time", Optional;
    /// A decision rests on grounds.
    DisputeGrounds = "dispute-grounds", Optional;
    /// Ground: the approved rules.
    GroundRules = "ground-rules", Optional;
    /// Ground: approved information the house has published.
    GroundPublished = "ground-published", Optional;
    /// Ground: operating procedures.
    GroundProcedures = "ground-procedures", Optional;
    /// Ground: internal control standards.
    GroundControls = "ground-controls", Optional;
    /// Ground: the accounts of both sides.
    GroundStatements = "ground-statements", Optional;
    /// Ground: evidence of Surveillance.
    GroundSurveillance = "ground-surveillance", Optional;
    /// Ground: any other evidence.
    GroundEvidence = "ground-evidence", Optional;
    /// Ground: the law.
    GroundLaw = "ground-law", Optional;
    /// Who disagrees is told of the right to complain.
    RightToComplain = "right-to-complain", Optional;
    /// Who complains is helped.
    HelpToComplain = "help-to-complain", Optional;
}

impl Need {
    /// Whether a rule with this need has a meaning in that family.
    fn is_in(self, family: Family) -> bool {
        let own = match self {
            Self::Both | Self::Optional => return true,
            Self::Baccarat => Family::Baccarat,
            Self::NiuNiu => Family::NiuNiu,
        };
        own == family
    }
}

impl Rule {
    /// The rules that a rulebook with insurance must name clauses for.
    pub const INSURANCE: [Self; 7] = [
        Self::InsuranceOffer,
        Self::InsuranceArea,
        Self::InsuranceWager,
        Self::InsuranceEnds,
        Self::InsuranceTie,
        Self::InsuranceCap,
        Self::InsuranceHouseLimit,
    ];

    /// Whether a rulebook of that family must name a clause (or a reading) for the rule.
    #[must_use]
    pub fn is_required(self, family: Family) -> bool {
        match self.need() {
            Need::Optional => false,
            need @ (Need::Both | Need::Baccarat | Need::NiuNiu) => need.is_in(family),
        }
    }

    /// Whether the rule has a meaning in that family.
    #[must_use]
    pub fn belongs_to(self, family: Family) -> bool {
        self.need().is_in(family)
    }
}

impl FromStr for Rule {
    type Err = ();
    fn from_str(key: &str) -> Result<Self, ()> {
        Self::ALL.iter().copied().find(|rule| rule.key() == key).ok_or(())
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}
