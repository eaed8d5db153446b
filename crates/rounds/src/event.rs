//! What happened on a line when the file ran, and what it rests on.

use croupier_cards::Card;
use croupier_rules::baccarat::insurance::Stage;
use croupier_rules::baccarat::{Outcome, Side, Surplus, Winner};
use croupier_rules::clause::Basis;
use croupier_rules::entry::EntryRefusal;
use croupier_rules::niu_niu::{BoxWinner, Category};
use croupier_rules::settle::{SettleError, Settled, SettledReserve, TermsFault};
use croupier_rules::{Amount, Odds, Ratio};

use crate::amount::{MINOR, show};

/// Something that happened, with its clauses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// What.
    pub fact: Fact,
    /// The clauses and readings it rests on.
    pub cites: Vec<Basis>,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// The table runs under this rulebook and version.
    Opened,
    /// A layout or setting was taken over.
    Set,
    /// A wager or insurance was accepted; `flagged` if it lies outside the limits.
    Accepted {
        /// Outside the limits, but the table takes it.
        flagged: bool,
    },
    /// Something was refused.
    Refused(Refusal),
    /// A card went to a hand.
    Drawn {
        /// The card.
        card: Card,
        /// The hand.
        side: Side,
    },
    /// The counts as they stand, and whose card is due.
    Points {
        /// The Player's count.
        player: u8,
        /// The Banker's count.
        banker: u8,
        /// Whose card is next.
        due: Option<Side>,
    },
    /// Insurance is offered.
    Offered {
        /// The insured hand.
        side: Side,
        /// The window.
        stage: Stage,
        /// What it pays.
        odds: Odds,
    },
    /// The round has a result.
    Result(Outcome),
    /// The round is void.
    Void,
    /// A wager was settled.
    Settled(Settled),
    /// A Reserve was settled.
    Reserve(SettledReserve),
    /// A Niu Niu hand was ranked.
    Hand(Category),
    /// A box was compared with the Dealer.
    Compared(BoxWinner),
    /// The Dealer called the result.
    Called {
        /// The call.
        call: Winner,
        /// What the cards say.
        cards: Winner,
    },
}

/// Why something was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// By the rules about one player's wagers.
    #[error("{}", entry_text(.0))]
    Entry(EntryRefusal),
    /// There is no round to act in.
    #[error("no round is open; write `round` first")]
    NoRound,
    /// The round before is not finished.
    #[error("the round before is not finished: {0}")]
    Unfinished(String),
    /// The first card is out.
    #[error("betting closed with the first card")]
    Late,
    /// The box belongs to another player.
    #[error("box{number} belongs to `{owner}`: one bettor a box")]
    BoxTaken {
        /// The box.
        number: u8,
        /// Who has it.
        owner: String,
    },
    /// No such box, or none named.
    #[error("{0}")]
    Box(String),
    /// The Reserve laid is not the one due.
    #[error("the Reserve must be exactly {}", show(*.due))]
    WrongReserve {
        /// What must be laid.
        due: Amount,
    },
    /// Insurance is not offered at this table.
    #[error("this table offers no insurance")]
    InsuranceOff,
    /// The cards do not call for that insurance now.
    #[error("{} insurance is not on offer as the cards lie", .side.key())]
    NotInsurable {
        /// The hand.
        side: Side,
    },
    /// The player has nothing on that hand.
    #[error("there is no {} wager to insure", .side.key())]
    NothingToInsure {
        /// The hand.
        side: Side,
    },
    /// A card that no hand may take.
    #[error(transparent)]
    Surplus(#[from] Surplus),
    /// More of a card than the decks hold.
    #[error("{card} comes more often than {decks} hold{}", if *.decks == 1 { "s" } else { "" }, decks = decks_text(*.decks))]
    ForeignCard {
        /// The card.
        card: Card,
        /// The decks in play.
        decks: u8,
    },
    /// A hand that is there already.
    #[error("the hand of {0} is there already")]
    HandThere(crate::file::Holder),
    /// No layout of that name, or one of another variant.
    #[error("{0}")]
    Layout(String),
    /// A setting the rulebook does not have, or a value it does not take.
    #[error("{0}")]
    Setting(String),
    /// The action belongs to another kind of game.
    #[error("{0}")]
    OtherGame(&'static str),
    /// The money does not come out even.
    #[error("{}", settle_text(.0))]
    Inexact(#[from] SettleError),
    /// Together larger than the largest amount.
    #[error("this wager would be larger than the largest amount, {}", show(Amount::MAX))]
    TooLarge,
    /// An insurance below its minimum.
    #[error("insurance is at least {}", show(*.minimum))]
    InsuranceBelowMinimum {
        /// The minimum.
        minimum: Amount,
    },
}

/// A refusal of entry with its amounts as people write them.
fn entry_text(refusal: &EntryRefusal) -> String {
    match refusal {
        EntryRefusal::NotWholeChips { chip } => {
            format!("a wager must be a whole number of chips of {}", show(*chip))
        }
        EntryRefusal::NotInSteps { bet, step } => format!("`{bet}` goes in steps of {}", show(*step)),
        EntryRefusal::BelowMinimum { bet, minimum } => {
            format!("`{bet}` is below its minimum, {}", show(*minimum))
        }
        EntryRefusal::AboveMaximum { bet, maximum } => {
            format!("`{bet}` is above its maximum, {}", show(*maximum))
        }
        EntryRefusal::NotOnMenu { .. }
        | EntryRefusal::Needs { .. }
        | EntryRefusal::NeedsMain { .. }
        | EntryRefusal::Excluded { .. }
        | EntryRefusal::AboveOther { .. } => refusal.to_string(),
    }
}

/// A settlement that fails, in units.
fn settle_text(error: &SettleError) -> String {
    let units = |value: &Ratio| *value * Ratio::new(1, MINOR.into());
    match error {
        SettleError::Inexact { value } => {
            format!("{} cannot be paid exactly; set `payable-unit` and `rounding`", units(value))
        }
        SettleError::TooLarge { value } => {
            format!("winnings of {} exceed the largest amount, {}", units(value), show(Amount::MAX))
        }
        SettleError::ForeignOutcome => error.to_string(),
    }
}

/// Terms that do not fit together, with their amounts as people write them.
pub(crate) fn terms_text(fault: &TermsFault) -> String {
    match fault {
        TermsFault::Chip { chip } => format!(
            "the smallest chip must be a whole multiple of 0.20, so that commission and half pay are exact; it is {}",
            show(*chip)
        ),
        TermsFault::NotInChips { amount, chip } => {
            format!("{} is no whole number of the smallest chip, {}", show(*amount), show(*chip))
        }
        TermsFault::PayableUnit { unit } => {
            format!("the payable unit must be above zero; it is {}", show(*unit))
        }
        TermsFault::Crossed { minimum, maximum } => {
            format!("the minimum {} is above the maximum {}", show(*minimum), show(*maximum))
        }
    }
}

fn decks_text(decks: u8) -> String {
    if decks == 1 { "one deck".to_string() } else { format!("{decks} decks") }
}

impl Refusal {
    /// Every code there is.
    pub const CODES: &[&str] = &[
        "not-on-menu",
        "not-whole-chips",
        "needs-other-bet",
        "needs-main-bet",
        "one-per-hand",
        "above-other-bet",
        "not-in-steps",
        "below-minimum",
        "above-maximum",
        "no-round",
        "unfinished",
        "late",
        "box-taken",
        "box",
        "wrong-reserve",
        "insurance-off",
        "not-insurable",
        "nothing-to-insure",
        "surplus-card",
        "foreign-card",
        "hand-there",
        "layout",
        "setting",
        "other-game",
        "inexact",
        "too-large",
    ];

    /// The code that files use.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Entry(refusal) => refusal.code(),
            Self::NoRound => "no-round",
            Self::Unfinished(_) => "unfinished",
            Self::Late => "late",
            Self::BoxTaken { .. } => "box-taken",
            Self::Box(_) => "box",
            Self::WrongReserve { .. } => "wrong-reserve",
            Self::InsuranceOff => "insurance-off",
            Self::NotInsurable { .. } => "not-insurable",
            Self::NothingToInsure { .. } => "nothing-to-insure",
            Self::Surplus(_) => "surplus-card",
            Self::ForeignCard { .. } => "foreign-card",
            Self::HandThere(_) => "hand-there",
            Self::Layout(_) => "layout",
            Self::Setting(_) => "setting",
            Self::OtherGame(_) => "other-game",
            Self::Inexact(_) => "inexact",
            Self::TooLarge => "too-large",
            Self::InsuranceBelowMinimum { .. } => "below-minimum",
        }
    }
}
