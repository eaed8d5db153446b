//! What surveillance is told, in the form that programs read.

use std::collections::BTreeMap;

use croupier_cards::Card;
use croupier_insight::alarm::Course;
use croupier_insight::rating::nearest;
use croupier_insight::{ExceptionKind, Rating, Subject};
use croupier_journal::By;
use croupier_rules::irregularity::{Irregularity, Remedy};
use croupier_table::Phase;
use croupier_table::view::{Hidden, MarkShown};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::api::audit::ByForm;
use crate::api::shapes::KeptFelt;
use crate::watch::{Found, Step, Walk};

/// Something that somebody should look at.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Exception)]
pub(crate) struct ExceptionTold {
    /// Its number: later ones have higher numbers.
    pub(crate) id: u64,
    /// What.
    pub(crate) kind: ExceptionKind,
    /// How much it presses: 2 for what may have moved money wrongly, 1 for what wants a look, 0 for the record.
    pub(crate) weight: u8,
    /// When, in milliseconds since 1970.
    pub(crate) at: u64,
    /// At which table.
    pub(crate) table: Option<u32>,
    /// In which round, or after which one.
    pub(crate) round: Option<u64>,
    /// In which line of the table's stream, or of the house's where it was at no table.
    pub(crate) sequence: u64,
    /// Who did it; nobody for what follows from figures.
    pub(crate) by: Option<ByForm>,
    /// The dealer it is about, where it is about one.
    pub(crate) dealer: Option<u32>,
    /// The player it is about, where it is about one.
    pub(crate) player: Option<u32>,
    /// What went wrong, of an irregularity.
    pub(crate) irregularity: Option<Irregularity>,
    /// What was ruled.
    pub(crate) remedy: Option<Remedy>,
    /// What a card was taken for that was put right.
    #[schema(value_type = Option<String>)]
    pub(crate) card_before: Option<Card>,
    /// What it is.
    #[schema(value_type = Option<String>)]
    pub(crate) card: Option<Card>,
    /// What it is about, in minor units: the wager, the difference, what players won.
    pub(crate) amount: Option<i64>,
    /// What lay on the layout then, in minor units.
    pub(crate) at_stake: i64,
    /// What was told, or further words.
    pub(crate) told: String,
    /// The code of a refusal.
    pub(crate) code: Option<String>,
    /// The clauses it rests on.
    pub(crate) clauses: Vec<String>,
}

impl ExceptionTold {
    pub(crate) fn of(found: &Found, walk: &Walk) -> Self {
        let noted = &found.noted;
        let exception = &noted.exception;
        let rulebook =
            noted.table.and_then(|table| walk.tables.get(&table)).map(|table| &table.table.setup.rulebook);
        let clause = |basis| rulebook.map(|rulebook| rulebook.full_id(basis));
        Self {
            id: found.id,
            kind: exception.kind,
            weight: exception.kind.weight(),
            at: noted.at,
            table: noted.table.map(|table| table.0),
            round: noted.round,
            sequence: noted.sequence,
            by: found.by.map(ByForm::from),
            dealer: noted.person.map(|person| person.0),
            player: exception.player.map(|player| player.0),
            irregularity: exception.irregularity,
            remedy: exception.remedy,
            card_before: exception.card.and_then(|(before, _)| before),
            card: exception.card.map(|(_, card)| card),
            amount: exception.amount,
            at_stake: exception.at_stake,
            told: exception.told.clone(),
            code: found.denied.as_ref().map(|denied| denied.code.clone()),
            clauses: exception.cites.iter().filter_map(|basis| clause(*basis)).collect(),
        }
    }
}

/// Exceptions, the newest first.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub(crate) struct ExceptionList {
    /// The exceptions.
    pub(crate) exceptions: Vec<ExceptionTold>,
    /// What to send as `before` for those that came before; nothing if there are none.
    pub(crate) next: Option<u64>,
    /// How many there are of each kind, whatever kind was asked for.
    pub(crate) counts: BTreeMap<String, u64>,
    /// The names of those who are in them, by their ids.
    #[schema(value_type = BTreeMap<String, String>)]
    pub(crate) names: BTreeMap<u32, String>,
    /// The position of the last line that was read for it.
    pub(crate) read_to: u64,
    /// How many lines are still to be read: after a start, or under load.
    pub(crate) behind: u64,
}

/// A finished round, step by step.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RoundStory {
    /// The table.
    pub(crate) table: u32,
    /// Its name.
    pub(crate) name: String,
    /// The currency of its amounts.
    pub(crate) currency: String,
    /// Digits after the point.
    pub(crate) decimals: u8,
    /// The round.
    pub(crate) round: u64,
    /// The shoe it was dealt from.
    pub(crate) shoe: u32,
    /// When it ended, in milliseconds since 1970.
    pub(crate) at: u64,
    /// How it is on the board.
    #[schema(value_type = Option<MarkShown>)]
    pub(crate) mark: Option<Value>,
    /// The steps.
    pub(crate) steps: Vec<StepTold>,
    /// The names of those who took part, by their ids.
    #[schema(value_type = BTreeMap<String, String>)]
    pub(crate) names: BTreeMap<u32, String>,
}

/// What a line did.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = RoundStep)]
pub(crate) struct StepTold {
    /// Its number in the stream of the table.
    pub(crate) sequence: u64,
    /// When, in milliseconds since 1970.
    pub(crate) at: u64,
    /// Who.
    pub(crate) by: ByForm,
    /// The name of what was asked or told.
    pub(crate) action: String,
    /// What happened.
    pub(crate) happened: Vec<Happened>,
    /// What of it is in the feed of exceptions.
    pub(crate) exceptions: Vec<ExceptionKind>,
    /// Where play stood after it.
    pub(crate) phase: Phase,
    /// The layout after it.
    #[schema(value_type = KeptFelt)]
    pub(crate) felt: Value,
    /// The cards after it, those that lay face down as they were read.
    pub(crate) hidden: Hidden,
    #[serde(skip)]
    pub(crate) who: By,
}

/// Something that happened, in words.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Happened {
    /// What, in English.
    pub(crate) text: String,
    /// The clauses that it rests on.
    pub(crate) clauses: Vec<String>,
}

impl From<Step> for StepTold {
    fn from(step: Step) -> Self {
        let happened = step.happened.into_iter().map(|(text, clauses)| Happened { text, clauses });
        Self {
            sequence: step.sequence,
            at: step.at,
            by: step.by.into(),
            action: step.action,
            happened: happened.collect(),
            exceptions: step.exceptions,
            phase: step.phase,
            felt: step.felt,
            hidden: step.hidden,
            who: step.by,
        }
    }
}

/// A session of a player at a table; amounts in minor units.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Rating)]
pub(crate) struct RatingTold {
    /// Whose.
    pub(crate) player: u32,
    /// Where.
    pub(crate) table: u32,
    /// The name of the table.
    pub(crate) table_name: String,
    /// The currency of its amounts.
    pub(crate) currency: String,
    /// Digits after the point.
    pub(crate) decimals: u8,
    /// When its first round ended, in milliseconds since 1970.
    pub(crate) from: u64,
    /// When its last round ended.
    pub(crate) to: u64,
    /// The player has left, or has not played for long.
    pub(crate) is_over: bool,
    /// Rounds with a wager in action.
    pub(crate) rounds: u64,
    /// Rounds an hour.
    pub(crate) pace: Option<u64>,
    /// What was at risk, insurance included.
    pub(crate) handle: i64,
    /// What was at risk in a round in the mean.
    pub(crate) average: i64,
    /// The most that was at risk in one round.
    pub(crate) largest: i64,
    /// What the house wins of it in the mean: each wager at the edge it had at the cards left in its round.
    pub(crate) theory: i64,
    /// The same, exactly.
    pub(crate) theory_exact: String,
    /// What of the handle could not be priced and is not in it: the shoe might have lacked a card.
    pub(crate) unpriced: i64,
    /// What the player won; below zero if lost.
    pub(crate) result: i64,
}

impl RatingTold {
    pub(crate) fn of(rating: &Rating, walk: &Walk) -> Self {
        let opened = walk.tables.get(&rating.table).map(|table| &table.opened);
        Self {
            player: rating.player.0,
            table: rating.table.0,
            table_name: opened.map(|opened| opened.name.clone()).unwrap_or_default(),
            currency: opened.map(|opened| opened.currency.clone()).unwrap_or_default(),
            decimals: opened.map_or(0, |opened| opened.decimals),
            from: rating.from,
            to: rating.to,
            is_over: rating.is_over,
            rounds: rating.rounds,
            pace: rating.pace(),
            handle: rating.handle,
            average: rating.average(),
            largest: rating.largest,
            theory: rating.theoretical(),
            theory_exact: rating.theory.value().to_string(),
            unpriced: rating.unpriced,
            result: rating.result,
        }
    }
}

/// Ratings, the newest first.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RatingList {
    /// The sessions.
    pub(crate) ratings: Vec<RatingTold>,
    /// The names of the players, by their ids.
    #[schema(value_type = BTreeMap<String, String>)]
    pub(crate) names: BTreeMap<u32, String>,
}

/// What somebody's wagers came to, beside what was to be expected; amounts in minor units.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Course)]
pub(crate) struct CourseTold {
    /// Whose.
    pub(crate) subject: Subject,
    /// Rounds.
    pub(crate) rounds: u64,
    /// Rounds an hour.
    pub(crate) pace: Option<u64>,
    /// What was at risk.
    pub(crate) handle: i64,
    /// What players won; below zero if the house won.
    pub(crate) result: i64,
    /// What they win in the mean, at the cards left in each round.
    pub(crate) mean: i64,
    /// The standard deviation of that, or a bound above it.
    pub(crate) deviation: String,
    /// Whether it is the standard deviation and no bound.
    pub(crate) is_exact: bool,
    /// By how many of them the result is off, with two decimals.
    pub(crate) deviations: String,
    /// Honest play comes to it with a chance of at most one in so many, however often one looks.
    pub(crate) one_in: String,
    /// After how many rounds the alarm was raised.
    pub(crate) alarmed: Option<u64>,
    /// What players had won after each of the last rounds, the newest last.
    pub(crate) trail: Vec<i64>,
}

impl CourseTold {
    pub(crate) fn of(subject: &Subject, course: &Course) -> Self {
        Self {
            subject: subject.clone(),
            rounds: course.rounds,
            pace: course.pace(),
            handle: course.handle,
            result: course.result,
            mean: nearest(&course.mean.value()),
            deviation: course.variance.value().sqrt_decimal(0),
            is_exact: course.is_exact,
            deviations: format!("{:.2}", course.deviations()),
            one_in: format!("{:.0}", course.evidence.one_in()),
            alarmed: course.alarmed,
            trail: course.trail.iter().copied().collect(),
        }
    }
}

/// How far a player's raises fall to rounds whose cards favour the player on a bet.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = FollowsShoe)]
pub(crate) struct FollowingTold {
    /// Who.
    pub(crate) player: u32,
    /// Where.
    pub(crate) table: u32,
    /// On which bet.
    pub(crate) bet: String,
    /// Rounds since the player's first.
    pub(crate) rounds: u64,
    /// Those that favoured the player.
    pub(crate) favourable: u64,
    /// Those in which the player laid more than in the mean so far.
    pub(crate) raised: u64,
    /// Those of which both is true.
    pub(crate) both: u64,
    /// The chance that luck comes to as many or more, with four decimals.
    pub(crate) chance: String,
}

/// How unlikely results are.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub(crate) struct AlarmList {
    /// An alarm is raised where honest play of one subject comes to it with a chance of one in so many, in a gaming day.
    pub(crate) one_in: u64,
    /// How many false alarms there are at most in the mean with everybody who was watched in the day, with four decimals.
    pub(crate) false_alarms: String,
    /// Tables, dealers, players and bets, those with the most against luck first.
    pub(crate) courses: Vec<CourseTold>,
    /// Players whose raises meet favourable rounds.
    pub(crate) following: Vec<FollowingTold>,
    /// The names of those who are in them, by their ids.
    #[schema(value_type = BTreeMap<String, String>)]
    pub(crate) names: BTreeMap<u32, String>,
}

impl AlarmList {
    pub(crate) fn of(walk: &Walk) -> Self {
        let alarms = &walk.insight.alarms;
        let mut all: Vec<(&Subject, &Course)> = alarms.courses().iter().collect();
        all.sort_by(|(_, one), (_, other)| other.evidence.one_in().total_cmp(&one.evidence.one_in()));
        let bet = |table: croupier_ledger::TableId, bet: usize| {
            let bets = walk.tables.get(&table).map(|table| &table.table.game().bets);
            bets.and_then(|bets| bets.get(bet)).map(|bet| bet.id.clone()).unwrap_or_default()
        };
        let following = walk.insight.favour.seen().iter().filter(|(_, seen)| seen.both > 0);
        let following = following.map(|((table, player, on), seen)| FollowingTold {
            player: player.0,
            table: table.0,
            bet: bet(*table, *on),
            rounds: seen.rounds,
            favourable: seen.favourable,
            raised: seen.raised,
            both: seen.both,
            chance: format!("{:.4}", seen.chance()),
        });
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a setting of whole numbers"
        )]
        let one_in = alarms.one_in as u64;
        Self {
            one_in,
            false_alarms: format!("{:.4}", alarms.false_alarms()),
            courses: all.into_iter().map(|(subject, course)| CourseTold::of(subject, course)).collect(),
            following: following.collect(),
            names: BTreeMap::new(),
        }
    }
}

/// What there is of one person.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[schema(as = PersonWatched)]
pub(crate) struct PersonTold {
    /// As a player: all wagers.
    pub(crate) player: Option<CourseTold>,
    /// As a dealer: all wagers of the rounds they dealt.
    pub(crate) dealer: Option<CourseTold>,
    /// Their sessions as a player, the newest first.
    pub(crate) ratings: Vec<RatingTold>,
    /// How many exceptions of each kind name them.
    pub(crate) counts: BTreeMap<String, u64>,
    /// How many there are of everybody.
    pub(crate) counts_of_all: BTreeMap<String, u64>,
    /// How many rounds were played at all tables.
    pub(crate) rounds_of_all: u64,
    /// The name of the person, by the id.
    #[schema(value_type = BTreeMap<String, String>)]
    pub(crate) names: BTreeMap<u32, String>,
}
