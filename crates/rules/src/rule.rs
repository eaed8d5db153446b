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
    /// Banker 7 stands.
    BankerSeven = "banker-7", Baccarat;
    /// The higher count wins; the result is announced.
    Result = "result", Both;
    /// A card is due and there is none: the round is void.
    NotEnoughCards = "not-enough-cards", Baccarat;
    /// A wrong call has no effect.
    WrongCall = "wrong-call", Optional;

    /// Insurance is offered while a card is due and the totals match a line.
    InsuranceOffer = "insurance-offer", Optional;
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
    /// One bettor a box.
    OneBettor = "one-bettor", NiuNiu;
    /// Several boxes for one player.
    SeveralBoxes = "several-boxes", NiuNiu;
    /// A player's hand has a wrong number of cards.
    WrongCount = "wrong-count", NiuNiu;
    /// The Dealer's hand has a wrong number of cards, or none.
    DealerWrongCount = "dealer-wrong-count", NiuNiu;
    /// A void round returns everything.
    VoidReturns = "void-returns", NiuNiu;
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
            Need::Both => true,
            Need::Baccarat => family == Family::Baccarat,
            Need::NiuNiu => family == Family::NiuNiu,
            Need::Optional => false,
        }
    }

    /// Whether the rule has a meaning in that family.
    #[must_use]
    pub fn belongs_to(self, family: Family) -> bool {
        match self.need() {
            Need::Both | Need::Optional => true,
            Need::Baccarat => family == Family::Baccarat,
            Need::NiuNiu => family == Family::NiuNiu,
        }
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
