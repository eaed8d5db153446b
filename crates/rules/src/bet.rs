//! A bet as a column: for every outcome the pay line that settles it.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::baccarat::Side;
use crate::clause::Basis;
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

/// `3:1 less 5%`, `push`, `lose`.
impl fmt::Display for Payoff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win { odds, less } if *less == Ratio::ZERO => write!(f, "{odds}"),
            Self::Win { odds, less } => {
                let percent = *less * Ratio::from(100);
                match percent.whole() {
                    Some(percent) => write!(f, "{odds} less {percent}%"),
                    None => write!(f, "{odds} less {percent}%"),
                }
            }
            Self::Push => f.write_str("push"),
            Self::Lose => f.write_str("lose"),
        }
    }
}

/// One line of a bet's pay table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PayLine {
    /// Which outcomes, in words.
    pub when: String,
    /// How the wager ends.
    pub payoff: Payoff,
    /// The clauses the line rests on.
    pub cites: Vec<Basis>,
}

/// One line of a Reserve: how many times the wager is lost out of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReserveLine {
    /// Which outcomes, in words.
    pub when: String,
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
}

#[cfg(feature = "toml")]
impl<Line> Column<Option<Line>> {
    /// The column, if every line is there.
    pub(crate) fn complete(self) -> Option<Column<Line>> {
        let lines = self.lines.into_iter().collect::<Option<Vec<Line>>>()?;
        Some(Column { lines, line_of: self.line_of })
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
    pub column: Column,
}
