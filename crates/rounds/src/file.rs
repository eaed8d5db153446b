//! What a round file says, line by line.

use croupier_cards::Card;
use croupier_rules::baccarat::{Side, Winner};
use croupier_rules::niu_niu::Category;
use croupier_rules::{Amount, Odds};

use crate::amount::Decimals;

/// A parsed round file. Printing it gives its canonical text, which parses to the same file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RoundFile {
    /// Its lines; blank ones and comments included, so that printing loses nothing.
    pub statements: Vec<Statement>,
}

/// One line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// What is done; nothing on a blank or comment line.
    pub action: Option<Action>,
    /// What should come of it.
    pub expect: Vec<Expectation>,
    /// The text behind `#`.
    pub comment: Option<String>,
}

impl Statement {
    /// Whether the line expects to be refused.
    #[must_use]
    pub fn expects_refusal(&self) -> bool {
        self.expect.iter().any(|expect| matches!(expect, Expectation::Refused(_)))
    }
}

/// What is done on a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// `title Banker pays nineteen to twenty`
    Title(String),
    /// `game hoiana-baccarat/commission`
    Game(String),
    /// `proves 5.1.2 6.1.2.1`
    Proves(Vec<String>),
    /// `layout A.1`
    Layout(String),
    /// `setting minimum tie 100`
    Setting {
        /// The setting.
        key: String,
        /// The bet or the odds it is for, where it is for one.
        scope: Option<String>,
        /// The value.
        value: String,
    },
    /// `currency VND decimals 0`: what the amounts are in.
    Currency {
        /// Three letters.
        code: String,
        /// How many decimals the amounts of the file have.
        decimals: Decimals,
    },
    /// `version 04/01.10.2024`: the version of the rulebook that the operator means.
    Version(String),
    /// `date 2024-10-01`: the day the table opens.
    Date(String),
    /// `player ann seat 3`, `player bob behind 3`, `player cho standing`
    Player {
        /// The name used in the file.
        name: String,
        /// Where.
        place: Place,
    },
    /// `shoe by hand`: the lines that follow load, shuffle, cut and burn it.
    ShoeByHand,
    /// `table by hand`: nobody is on duty, the float is empty and players have no chips, but for what the lines
    /// say.
    TableByHand,
    /// `earlier ann has 1,000`: how things stood when the file begins, in words.
    Earlier(Vec<String>),
    /// `round`, or `round by hand` where nothing happens by itself.
    Round {
        /// Nothing happens by itself.
        by_hand: bool,
    },
    /// `ann bets double 100 on box1 with reserve 200`
    Bet(Bet),
    /// `pit-manager rules void`: somebody does something, in words.
    Deed {
        /// Who: a player, a rank of the staff, `device`, `display`, `surveillance` or `table`.
        who: String,
        /// What, in words.
        words: Vec<String>,
    },
    /// `ann insures banker 300`
    Insure {
        /// Who.
        player: String,
        /// The insured hand.
        side: Side,
        /// How much.
        amount: Amount,
    },
    /// `cards 9C KS 8D 6H`
    Cards(Vec<Card>),
    /// `shoe is empty`
    ShoeEmpty,
    /// `shoe is new`
    NewShoe,
    /// `hand box1 KS 4H 6C 2D 7S`
    Hand {
        /// Whose.
        holder: Holder,
        /// The cards; none if it was forgotten.
        cards: Vec<Card>,
    },
    /// `dealer calls banker`
    Call(Winner),
}

/// A wager as a file puts it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bet {
    /// Whose.
    pub player: String,
    /// Who lays it for the player.
    pub by: Option<String>,
    /// On what.
    pub bet: String,
    /// How much.
    pub amount: Amount,
    /// The box, in Niu Niu.
    pub on: Option<u8>,
    /// The area of another seat.
    pub at: Option<u8>,
    /// The Reserve laid, if not exactly what is due.
    pub reserve: Option<Amount>,
    /// Laid in cash.
    pub in_cash: bool,
    /// It is not known when.
    pub untimed: bool,
}

/// Where a player is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// At a seat.
    Seat(u8),
    /// Behind a seat.
    Behind(u8),
    /// Behind none.
    Standing,
}

/// Who holds a Niu Niu hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Holder {
    /// A box, from 1.
    Box(u8),
    /// The Dealer.
    Dealer,
}

impl core::fmt::Display for Holder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Box(number) => write!(f, "box{number}"),
            Self::Dealer => f.write_str("dealer"),
        }
    }
}

impl core::str::FromStr for Holder {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        if text == "dealer" {
            return Ok(Self::Dealer);
        }
        let number = text.strip_prefix("box").filter(|digits| !digits.starts_with(['0', '+'])).ok_or(())?;
        number.parse().map(Self::Box).map_err(|_| ())
    }
}

/// What should come of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expectation {
    /// `+950`, `-1,000`, `0`: the wager's gain or loss.
    Net(Amount),
    /// `reserve -100`: what the Reserve lost.
    Reserve(Amount),
    /// `in action 9,000`: the part of the stake at risk.
    InAction(Amount),
    /// `commission 50`: kept by the house out of the winnings.
    Commission(Amount),
    /// `rounding -0.50`: what rounding added to the winnings.
    Rounding(Amount),
    /// `returned`: the stake goes back, whatever the result.
    Returned,
    /// `stand-off`: neither wins nor loses.
    StandOff,
    /// `accepted`: nothing more is said.
    Accepted,
    /// `flagged`: accepted although outside the limits.
    Flagged,
    /// `refused`, `refused not-on-menu`.
    Refused(Option<String>),
    /// `by 5.1.2 6.1.2.1`: the clauses cited, among others.
    By(Vec<String>),
    /// `banker wins 7-6`, `tie 7-7`: the result, the winner's count first.
    Result {
        /// Who.
        winner: Winner,
        /// The counts of Player and Banker.
        points: (u8, u8),
    },
    /// `natural`
    Natural,
    /// `points 5-6`: the counts of Player and Banker as they stand.
    Points(u8, u8),
    /// `next banker`, `next nobody`: whose card is due.
    Next(Option<Side>),
    /// `offers banker insurance 3:1`, `offers nothing`.
    Offers(Option<(Side, Odds)>),
    /// `void`: no result, everything returned.
    Void,
    /// `free`: the round was a Free Hand.
    Free,
    /// `phase on-hold`: where play stands after the line.
    Phase(String),
    /// `irregular wrong-order`: what was found or reported.
    Irregular(String),
    /// `ruled rebuild`: what was ordered, or followed from the rules.
    Ruled(String),
    /// `breach`: it was done, and against the rules.
    Breach,
    /// `needs pit-manager`: the lowest rank that may do what was refused.
    Needs(String),
    /// `board P B V p`: how the rounds of the shoe are shown; small letters are Free Hands.
    Board(String),
    /// `ann squeezes banker`, `nobody squeezes player`.
    Squeezes(Option<String>, Side),
    /// `ann has 1,000`: chips not on the layout.
    Has(String, Amount),
    /// `float 10,000`: the house's chips.
    Float(Amount),
    /// `missing 5H`: what a count found.
    Missing(Vec<Card>),
    /// `case decided`: where the dispute stands after the line.
    Case(String),
    /// `niu-9`: the rank of a Niu Niu hand.
    Hand(Category),
    /// `wins`: the box beats the Dealer.
    BoxWins,
    /// `loses`: the Dealer beats the box.
    BoxLoses,
    /// `right`: the call agrees with the cards.
    CallRight,
    /// `wrong`: it does not; the cards decide.
    CallWrong,
}

impl RoundFile {
    /// The game the file names.
    #[must_use]
    pub fn game(&self) -> Option<&str> {
        self.actions().find_map(|action| match action {
            Action::Game(id) => Some(id.as_str()),
            _ => None,
        })
    }

    /// How many decimals its amounts have.
    #[must_use]
    pub fn decimals(&self) -> Decimals {
        let said = self.actions().find_map(|action| match action {
            Action::Currency { decimals, .. } => Some(*decimals),
            _ => None,
        });
        said.unwrap_or(Decimals::USUAL)
    }

    /// The title, if it has one.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.actions().find_map(|action| match action {
            Action::Title(title) => Some(title.as_str()),
            _ => None,
        })
    }

    /// The clauses it claims to prove.
    pub fn proves(&self) -> impl Iterator<Item = &str> {
        self.actions()
            .filter_map(|action| match action {
                Action::Proves(clauses) => Some(clauses),
                _ => None,
            })
            .flatten()
            .map(String::as_str)
    }

    fn actions(&self) -> impl Iterator<Item = &Action> {
        self.statements.iter().filter_map(|statement| statement.action.as_ref())
    }
}
