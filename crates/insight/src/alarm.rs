//! Results that are too unlikely to be luck: of a table, a dealer, a player, a bet.
//!
//! Insurance is left out of it: it is taken in the middle of a round whose wagers are judged as of its beginning, and the
//! two cannot be added without changing what was known when. Ratings count it.

use std::collections::{BTreeMap, VecDeque};

use croupier_ledger::{PlayerId, TableId};
use croupier_table::PersonId;
use serde::{Deserialize, Serialize};

use crate::collect::Played;
use crate::evidence::Evidence;
use crate::price::{Position, Spread};
use crate::sum::Sum;

/// Whose results are judged.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Subject {
    /// All wagers at a table.
    Table(TableId),
    /// All wagers of the rounds that somebody dealt.
    Dealer(PersonId),
    /// All wagers of a player.
    Player(PlayerId),
    /// All wagers on one bet of a table.
    Bet {
        /// Where.
        table: TableId,
        /// The bet.
        bet: String,
    },
}

/// What somebody's wagers came to, beside what was to be expected of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Course {
    /// Rounds.
    pub rounds: u64,
    /// What was at risk, in minor units.
    pub handle: i64,
    /// What players won, in minor units; below zero if the house won.
    pub result: i64,
    /// What they win in the mean.
    pub mean: Sum,
    /// The variance, summed over the rounds.
    pub variance: Sum,
    /// Whether each of its parts is exact, and none a bound.
    pub is_exact: bool,
    /// What speaks against luck.
    pub evidence: Evidence,
    /// The round after which the alarm was raised.
    pub alarmed: Option<u64>,
    /// When the first round ended, and the last, in milliseconds since 1970.
    pub times: (u64, u64),
    /// What players had won after each of the last rounds, the newest last.
    pub trail: VecDeque<i64>,
}

impl Course {
    /// How many results are kept to be drawn.
    pub const TRAIL: usize = 80;

    fn new() -> Self {
        Self {
            rounds: 0,
            handle: 0,
            result: 0,
            mean: Sum::default(),
            variance: Sum::default(),
            is_exact: true,
            evidence: Evidence::default(),
            alarmed: None,
            times: (0, 0),
            trail: VecDeque::new(),
        }
    }

    fn add(&mut self, at: u64, handle: i64, result: i64, spread: &Spread) {
        self.times = if self.rounds == 0 { (at, at) } else { (self.times.0, at) };
        self.rounds += 1;
        self.handle += handle;
        self.result += result;
        self.mean.add(&spread.mean, &spread.over);
        self.variance.add(&spread.variance, &(&spread.over * &spread.over));
        self.is_exact &= spread.is_exact;
        self.evidence.add(result, spread);
        self.trail.push_back(self.result);
        if self.trail.len() > Self::TRAIL {
            self.trail.pop_front();
        }
    }

    /// Rounds an hour, from the first to the last; nothing of a single round.
    #[must_use]
    pub fn pace(&self) -> Option<u64> {
        self.rounds.checked_sub(1)?.checked_mul(3_600_000)?.checked_div(self.times.1 - self.times.0)
    }

    /// By how many standard deviations the result is off the mean, for people to read; alarms do not rest on it.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a figure to read")]
    pub fn deviations(&self) -> f64 {
        let variance = self.variance.approximate();
        if variance > 0.0 { (self.result as f64 - self.mean.approximate()) / variance.sqrt() } else { 0.0 }
    }
}

/// A result too unlikely to be luck.
#[derive(Clone, PartialEq, Debug)]
pub struct Alarm {
    /// Whose.
    pub subject: Subject,
    /// After how many rounds it was raised.
    pub rounds: u64,
    /// What players had won by then, in minor units.
    pub result: i64,
    /// By how many standard deviations that is off.
    pub deviations: f64,
    /// Honest play comes to it with a chance of one in so many.
    pub one_in: f64,
}

/// Everybody who is watched.
#[derive(Clone, Debug)]
pub struct Alarms {
    /// An alarm is raised where honest play comes with a chance of one in so many.
    pub one_in: f64,
    courses: BTreeMap<Subject, Course>,
}

impl Alarms {
    /// Raises an alarm where honest play of one subject comes to it with a chance of one in so many.
    #[must_use]
    pub const fn new(one_in: f64) -> Self {
        Self { one_in, courses: BTreeMap::new() }
    }

    /// Everybody, in order.
    #[must_use]
    pub const fn courses(&self) -> &BTreeMap<Subject, Course> {
        &self.courses
    }

    /// How many false alarms there are at most in the mean, with everybody who was watched in honest play.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a figure to read")]
    pub fn false_alarms(&self) -> f64 {
        self.courses.len() as f64 / self.one_in
    }

    /// Everybody begins anew, as with a new gaming day.
    pub fn begin_anew(&mut self) {
        self.courses.clear();
    }

    /// Adds a round; the alarms that it raises. Rounds that cannot be priced are passed over.
    pub fn add(&mut self, round: &Played, bets: &[&str], position: &Position<'_>) -> Vec<Alarm> {
        type Wagers = Vec<(usize, i64)>;
        let mut parts: BTreeMap<Subject, (Wagers, i64)> = BTreeMap::new();
        for wager in &round.wagers {
            let bet =
                bets.get(wager.bet).map(|bet| Subject::Bet { table: round.table, bet: (*bet).to_string() });
            let subjects = [Some(Subject::Player(wager.player)), bet];
            for subject in subjects.into_iter().flatten() {
                let (wagers, result) = parts.entry(subject).or_default();
                wagers.push((wager.bet, wager.in_action));
                *result += wager.result;
            }
        }
        let mut raised = Vec::new();
        let all: Wagers = round.wagers.iter().map(|wager| (wager.bet, wager.in_action)).collect();
        let result = round.wagers.iter().map(|wager| wager.result).sum();
        // A table and its dealer have the same wagers, which are priced once.
        if let Some(spread) = position.spread(&all).filter(|_| !all.is_empty()) {
            let handle = all.iter().map(|(_, stake)| stake).sum();
            let dealer = round.dealer.map(Subject::Dealer);
            for subject in [Subject::Table(round.table)].into_iter().chain(dealer) {
                raised.extend(self.judge(subject, round.at, (handle, result), &spread));
            }
        }
        for (subject, (wagers, result)) in parts {
            if let Some(spread) = position.spread(&wagers) {
                let handle = wagers.iter().map(|(_, stake)| stake).sum();
                raised.extend(self.judge(subject, round.at, (handle, result), &spread));
            }
        }
        raised
    }

    fn judge(
        &mut self,
        subject: Subject,
        at: u64,
        (handle, result): (i64, i64),
        spread: &Spread,
    ) -> Option<Alarm> {
        let course = self.courses.entry(subject.clone()).or_insert_with(Course::new);
        course.add(at, handle, result, spread);
        let one_in = course.evidence.one_in();
        if course.alarmed.is_some() || one_in < self.one_in {
            return None;
        }
        course.alarmed = Some(course.rounds);
        Some(Alarm {
            subject,
            rounds: course.rounds,
            result: course.result,
            deviations: course.deviations(),
            one_in,
        })
    }
}
