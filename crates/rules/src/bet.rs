//! A bet as a column: for every outcome the pay line that settles it. A few bets ask for the cards themselves;
//! theirs is the first line that holds for them.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::baccarat::{Condition, Features, FinalHands, Outcome, Side};
use crate::clause::Basis;
use crate::niu_niu::{self, BoxOutcome};
use crate::odds::Odds;
use crate::ratio::Ratio;

/// How a wager ends on a pay line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Payoff {
    /// Paid at the odds, less a share of the winnings (commission, or half pay).
    Win {
        /// The odds.
        odds: Odds,
        /// The share kept by the house; zero where nothing is deducted.
        less: Ratio,
    },
    /// Given back: neither wins nor loses.
    Push,
    /// Collected.
    Lose,
}

impl Payoff {
    /// The gain or loss of one unit.
    #[must_use]
    pub fn net(self) -> Ratio {
        match self {
            Self::Win { odds, less } => odds.ratio() * (Ratio::ONE - less),
            Self::Push => Ratio::ZERO,
            Self::Lose => -Ratio::ONE,
        }
    }

    /// What the house keeps of the winnings of one unit.
    #[must_use]
    pub fn deduction(self) -> Ratio {
        match self {
            Self::Win { odds, less } => odds.ratio() * less,
            Self::Push | Self::Lose => Ratio::ZERO,
        }
    }
}

/// `3:1 less 5%`, `push`, `lose`. A share that is no decimal of a few places is a fraction: `1:1 less 1/30`.
impl fmt::Display for Payoff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win { odds, less } if *less == Ratio::ZERO => write!(f, "{odds}"),
            Self::Win { odds, less } => {
                write!(f, "{odds} less ")?;
                let hundredths = *less * Ratio::from(10_000);
                match hundredths.whole() {
                    Some(hundredths) if hundredths % 100 == 0 => write!(f, "{}%", hundredths / 100),
                    Some(hundredths) if hundredths % 10 == 0 => {
                        write!(f, "{}.{}%", hundredths / 100, hundredths % 100 / 10)
                    }
                    Some(hundredths) => write!(f, "{}.{:02}%", hundredths / 100, hundredths % 100),
                    None => write!(f, "{less}"),
                }
            }
            Self::Push => f.write_str("push"),
            Self::Lose => f.write_str("lose"),
        }
    }
}

/// When a line applies. In words it is [`Display`](fmt::Display).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum When {
    /// These baccarat rounds.
    Baccarat(Condition),
    /// These ends of a box.
    NiuNiu(niu_niu::Condition),
    /// Whatever no line before it speaks of.
    Otherwise,
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Baccarat(condition) => condition.fmt(f),
            Self::NiuNiu(condition) => condition.fmt(f),
            Self::Otherwise => f.write_str("otherwise"),
        }
    }
}

/// One line of a bet's pay table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PayLine {
    /// Which outcomes.
    pub when: When,
    /// How the wager ends.
    pub payoff: Payoff,
    /// The clauses the line rests on.
    pub cites: Vec<Basis>,
}

/// One line of a Reserve: how many times the wager is lost out of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReserveLine {
    /// Which outcomes.
    pub when: When,
    /// Times the wager.
    pub times: u32,
    /// The clauses the line rests on.
    pub cites: Vec<Basis>,
}

/// Security laid beside a wager whose loss can exceed its stake.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reserve {
    /// How many times the wager must be laid.
    pub times: u32,
    /// The clauses that demand it.
    pub cites: Vec<Basis>,
    /// What of it is lost, by outcome.
    pub lost: Column<ReserveLine>,
}

/// For every outcome the line that applies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column<Line = PayLine> {
    lines: Vec<Line>,
    line_of: Box<[u8]>,
}

const NO_LINE: u8 = u8::MAX;

/// Why lines do not make a column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ColumnFault {
    /// The line speaks of no outcome that can happen.
    Impossible {
        /// Its place.
        line: usize,
    },
    /// Lines before it take every outcome it speaks of.
    Unreachable {
        /// Its place.
        line: usize,
        /// The lines that take its outcomes.
        taken_by: Vec<usize>,
    },
    /// Outcomes without an answer.
    Open {
        /// How many.
        count: usize,
        /// The first of them.
        example: usize,
    },
    /// The answer for all other outcomes, but there are none.
    IdleOtherwise,
    /// More lines than any pay table has.
    TooMany,
}

impl<Line> Column<Line> {
    /// Puts lines over the `reachable` outcomes (numbers below `count`): the first that holds applies, then
    /// `otherwise`.
    ///
    /// # Errors
    /// All faults: lines that can never apply, and outcomes without an answer.
    pub fn compile<When>(
        count: usize,
        reachable: &[usize],
        lines: Vec<(When, Line)>,
        otherwise: Option<Line>,
        holds: impl Fn(&When, usize) -> bool,
    ) -> Result<Self, Vec<ColumnFault>> {
        if lines.len() >= usize::from(NO_LINE) {
            return Err(alloc::vec![ColumnFault::TooMany]);
        }
        let mut line_of = alloc::vec![NO_LINE; count];
        let mut faults = Vec::new();
        for (at, (when, _)) in lines.iter().enumerate() {
            let number = u8::try_from(at).unwrap_or(NO_LINE);
            let (mut speaks_of, mut gets) = (0, 0);
            let mut taken_by = Vec::new();
            for outcome in reachable.iter().copied().filter(|outcome| holds(when, *outcome)) {
                speaks_of += 1;
                match line_of.get_mut(outcome) {
                    Some(place) if *place == NO_LINE => {
                        *place = number;
                        gets += 1;
                    }
                    Some(place) if !taken_by.contains(&usize::from(*place)) => taken_by.push((*place).into()),
                    _ => {}
                }
            }
            if speaks_of == 0 {
                faults.push(ColumnFault::Impossible { line: at });
            } else if gets == 0 {
                taken_by.sort_unstable();
                faults.push(ColumnFault::Unreachable { line: at, taken_by });
            }
        }
        let open: Vec<usize> =
            reachable.iter().copied().filter(|outcome| line_of.get(*outcome) == Some(&NO_LINE)).collect();
        let mut lines: Vec<Line> = lines.into_iter().map(|(_, line)| line).collect();
        match (otherwise, open.first()) {
            (Some(_), None) => faults.push(ColumnFault::IdleOtherwise),
            (None, Some(example)) => faults.push(ColumnFault::Open { count: open.len(), example: *example }),
            (Some(otherwise), Some(_)) => {
                let number = u8::try_from(lines.len()).unwrap_or(NO_LINE);
                lines.push(otherwise);
                for outcome in open {
                    line_of[outcome] = number;
                }
            }
            (None, None) => {}
        }
        if faults.is_empty() { Ok(Self { lines, line_of: line_of.into() }) } else { Err(faults) }
    }

    /// The line that applies to an outcome; nothing for a number that no cards lead to.
    #[must_use]
    pub fn line(&self, outcome: usize) -> Option<&Line> {
        self.lines.get(usize::from(*self.line_of.get(outcome)?))
    }

    /// The place of the line that applies.
    #[must_use]
    pub fn line_number(&self, outcome: usize) -> Option<usize> {
        let number = usize::from(*self.line_of.get(outcome)?);
        (number < self.lines.len()).then_some(number)
    }

    /// The lines in their order.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The lines alone.
    #[cfg(feature = "toml")]
    pub(crate) fn into_lines(self) -> Vec<Line> {
        self.lines
    }
}

#[cfg(feature = "toml")]
impl<Line> Column<Option<Line>> {
    /// The column, if every line is there.
    pub(crate) fn complete(self) -> Option<Column<Line>> {
        let lines = self.lines.into_iter().collect::<Option<Vec<Line>>>()?;
        Some(Column { lines, line_of: self.line_of })
    }
}

/// How a round, or a box, ended, as far as bets can ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The number of the outcome.
    class: usize,
    /// The cards, where they are known.
    hands: Option<FinalHands>,
}

impl Ending {
    /// The number of the outcome.
    #[must_use]
    pub const fn class(&self) -> usize {
        self.class
    }

    /// The class of a baccarat round.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        Outcome::from_index(self.class)
    }

    /// The cards of both hands, where they are known.
    #[must_use]
    pub const fn hands(&self) -> Option<&FinalHands> {
        self.hands.as_ref()
    }
}

/// With the cards: every bet can be settled.
impl From<FinalHands> for Ending {
    fn from(hands: FinalHands) -> Self {
        Self { class: hands.outcome().index(), hands: Some(hands) }
    }
}

/// Only the class: bets that ask for cards cannot be settled.
impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Self {
        outcome.index().into()
    }
}

impl From<BoxOutcome> for Ending {
    fn from(outcome: BoxOutcome) -> Self {
        outcome.index().into()
    }
}

/// Only the number of the outcome.
impl From<usize> for Ending {
    fn from(class: usize) -> Self {
        Self { class, hands: None }
    }
}

/// What a bet pays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pays {
    /// By the class of the outcome.
    ByClass(Column),
    /// By the cards.
    ByCards(CardLines),
}

/// The pay lines of a bet that asks for cards: the first that holds applies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardLines {
    lines: Vec<PayLine>,
}

impl Pays {
    /// The lines in their order.
    #[must_use]
    pub fn lines(&self) -> &[PayLine] {
        match self {
            Self::ByClass(column) => column.lines(),
            Self::ByCards(cards) => cards.lines(),
        }
    }

    /// The line that applies; nothing for a number that no cards lead to, or if cards are asked for and not known.
    #[must_use]
    pub fn line(&self, ending: impl Into<Ending>) -> Option<&PayLine> {
        let ending = ending.into();
        match self {
            Self::ByClass(column) => column.line(ending.class),
            Self::ByCards(cards) => cards.line(ending.hands()?),
        }
    }

    /// The column, if the class of the outcome is enough.
    #[must_use]
    pub const fn by_class(&self) -> Option<&Column> {
        match self {
            Self::ByClass(column) => Some(column),
            Self::ByCards(_) => None,
        }
    }

    /// The lines, if they ask for cards.
    #[must_use]
    pub const fn by_cards(&self) -> Option<&CardLines> {
        match self {
            Self::ByClass(_) => None,
            Self::ByCards(cards) => Some(cards),
        }
    }

    /// The lines that can apply in a class, as far as it tells: never one too few. None for a class that no cards
    /// lead to.
    pub fn possible(&self, outcome: usize) -> impl Iterator<Item = &PayLine> {
        let (one, several) = match self {
            Self::ByClass(column) => (column.line(outcome), None),
            Self::ByCards(cards) => {
                let reachable = Outcome::from_index(outcome).filter(|outcome| outcome.is_reachable());
                (None, reachable.map(|outcome| cards.possible(outcome)))
            }
        };
        one.into_iter().chain(several.into_iter().flatten())
    }
}

impl CardLines {
    /// Lines of which every round has one: the loader has seen to it.
    #[cfg(feature = "toml")]
    pub(crate) const fn new(lines: Vec<PayLine>) -> Self {
        Self { lines }
    }

    /// The lines in their order.
    #[must_use]
    pub fn lines(&self) -> &[PayLine] {
        &self.lines
    }

    /// What they ask of the cards.
    #[must_use]
    pub fn features(&self) -> Features {
        Features::of(self.lines.iter().filter_map(|line| condition(&line.when)))
    }

    /// The line that applies to a finished round.
    #[must_use]
    pub fn line(&self, hands: &FinalHands) -> Option<&PayLine> {
        self.lines.get(self.line_number(hands)?)
    }

    /// The place of the line that applies.
    #[must_use]
    pub fn line_number(&self, hands: &FinalHands) -> Option<usize> {
        self.lines.iter().position(|line| condition(&line.when).is_none_or(|when| when.holds(hands)))
    }

    fn possible(&self, outcome: Outcome) -> impl Iterator<Item = &PayLine> {
        let mut taken = false;
        self.lines.iter().filter(move |line| {
            let holds = condition(&line.when).map_or(Some(true), |when| when.of_class(outcome));
            let open = !taken && holds != Some(false);
            taken |= holds == Some(true);
            open
        })
    }
}

/// The condition of a line; nothing if it takes what is left.
const fn condition(when: &When) -> Option<&Condition> {
    match when {
        When::Baccarat(condition) => Some(condition),
        When::NiuNiu(_) | When::Otherwise => None,
    }
}

/// A text in the languages of the tables.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    /// English.
    pub en: String,
    /// Vietnamese.
    pub vi: String,
    /// Chinese.
    pub zh: String,
}

/// A bet of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bet {
    /// Its id, such as `big-tiger`.
    pub id: String,
    /// Its name on the layout.
    pub names: Names,
    /// The clauses that put it on the menu.
    pub cites: Vec<Basis>,
    /// The hand a main wager backs: it enters the differential and can be insured.
    pub main: Option<Side>,
    /// The bet without which a player takes no part.
    pub required: bool,
    /// Whether it is the bonus that a table may tie to a main wager.
    pub bonus: bool,
    /// Another bet of the same player that it may not exceed, with the clauses.
    pub at_most: Option<(usize, Vec<Basis>)>,
    /// Another bet that the same player may not hold beside it, with the clauses.
    pub excludes: Option<(usize, Vec<Basis>)>,
    /// The security it needs.
    pub reserve: Option<Reserve>,
    /// What it pays.
    pub pays: Pays,
}
