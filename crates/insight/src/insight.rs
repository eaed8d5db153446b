//! Everything that is read from tables, in one place.

use std::collections::BTreeMap;

use croupier_ledger::{PlayerId, TableId};
use croupier_table::{Actor, Event, Fact, PersonId, Table};

use crate::alarm::{Alarms, Subject};
use crate::collect::{Collector, Played};
use crate::exception::{Exception, ExceptionKind};
use crate::favour::Favour;
use crate::price::Prices;
use crate::rating::Ratings;

/// From when on something is an exception.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// An alarm is raised where honest play of one subject comes to it with a chance of one in so many.
    pub one_in: f64,
    /// A wager is large from so many times what the player laid in the mean.
    pub large: i64,
    /// After so many rounds of the player.
    pub large_after: u64,
    /// The float is low below one part in so many of what was brought to the table.
    pub float_part: i64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { one_in: 10_000.0, large: 10, large_after: 10, float_part: 10 }
    }
}

/// The line that an event is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its number in the stream of its table.
    pub sequence: u64,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Who.
    pub by: Actor,
}

/// An exception with where and when it was.
#[derive(Clone, PartialEq, Debug)]
pub struct Noted {
    /// The table; nothing for what was not at one.
    pub table: Option<TableId>,
    /// The round then, or the last one.
    pub round: Option<u64>,
    /// Its line.
    pub sequence: u64,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Who did it; nobody for what follows from figures.
    pub by: Option<Actor>,
    /// The member of staff it is about: who dealt, of an unlikely result.
    pub person: Option<PersonId>,
    /// What.
    pub exception: Exception,
}

/// What of one table is followed.
#[derive(Clone, Debug, Default)]
struct Watched {
    collector: Collector,
    /// What was brought to the float, less what left it, in minor units.
    brought: i64,
    is_low: bool,
}

/// Follows the events of all tables in the order of their lines.
#[derive(Debug)]
pub struct Insight {
    /// From when on something is an exception.
    pub settings: Settings,
    /// The sessions of all players.
    pub ratings: Ratings,
    /// The results of everybody who is watched.
    pub alarms: Alarms,
    /// Whose bets follow the shoe.
    pub favour: Favour,
    prices: Prices,
    tables: BTreeMap<TableId, Watched>,
}

impl Insight {
    /// Nothing seen yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            ratings: Ratings::default(),
            alarms: Alarms::new(settings.one_in),
            favour: Favour::default(),
            prices: Prices::default(),
            tables: BTreeMap::new(),
        }
    }

    /// A new gaming day: alarms judge it by itself. Ratings go on.
    pub fn begin_day(&mut self) {
        self.alarms.begin_anew();
        self.favour.begin_anew();
    }

    /// Follows an event that is about to be applied to its table; the exceptions that it brings.
    pub fn follow(&mut self, table: &Table, event: &Event, line: Line) -> Vec<Noted> {
        let note = |exception: Exception| Noted {
            table: Some(table.id),
            round: Some(table.round.number).filter(|round| *round > 0),
            sequence: line.sequence,
            at: line.at,
            by: Some(line.by),
            person: None,
            exception,
        };
        let mut noted: Vec<Noted> = Exception::of(table, event, line.by).map(note).into_iter().collect();
        let watched = self.tables.entry(table.id).or_default();
        match &event.fact {
            Fact::Filled { amount, .. } => watched.brought += amount.minor(),
            Fact::Credited { amount, .. } => watched.brought -= amount.minor(),
            Fact::Left { player, .. } => {
                self.ratings.end(*player, table.id);
                self.favour.left(*player, table.id);
            }
            Fact::RoundClosed { .. } => {
                let float = table.float.minor();
                let is_low = watched.brought > 0 && float < watched.brought / self.settings.float_part;
                if is_low && !watched.is_low {
                    noted.push(note(Exception {
                        amount: Some(float),
                        ..Exception::new(ExceptionKind::FloatLow)
                    }));
                }
                watched.is_low = is_low;
            }
            _ => {}
        }
        let played = watched.collector.follow(table, &event.fact, line.by, line.at);
        if let Some(played) = played {
            noted.extend(self.played(table, &played).into_iter().map(|(exception, person)| Noted {
                by: None,
                person,
                ..note(exception)
            }));
        }
        noted
    }

    /// Adds a round that is over.
    fn played(&mut self, table: &Table, round: &Played) -> Vec<(Exception, Option<PersonId>)> {
        let mut found = self.large_wagers(round);
        let position = self.prices.at(&table.setup, &round.before);
        self.ratings.add(round, &position);
        let bets: Vec<&str> = table.game().bets.iter().map(|bet| bet.id.as_str()).collect();
        for alarm in self.alarms.add(round, &bets, &position) {
            let (player, person) = match &alarm.subject {
                Subject::Player(player) => (Some(*player), None),
                Subject::Dealer(person) => (None, Some(*person)),
                Subject::Table(_) | Subject::Bet { .. } => (None, None),
            };
            let whose = match &alarm.subject {
                Subject::Table(_) => "table".to_string(),
                Subject::Dealer(_) => "dealer".to_string(),
                Subject::Player(_) => "player".to_string(),
                Subject::Bet { bet, .. } => format!("bet {bet}"),
            };
            let told = format!(
                "{whose}: {} rounds, {:+.1} standard deviations, by luck once in {:.0}",
                alarm.rounds, alarm.deviations, alarm.one_in
            );
            let kind = ExceptionKind::Unlikely;
            found.push((
                Exception { player, amount: Some(alarm.result), told, ..Exception::new(kind) },
                person,
            ));
        }
        let one_in = self.settings.one_in;
        for follower in self.favour.add(round, bets.len(), &position, one_in) {
            let seen = follower.seen;
            let bet = bets.get(follower.bet).copied().unwrap_or_default();
            let told = format!(
                "{bet}: raised in {} of {} rounds, {} of them among the {} that favoured the player; by luck once in {:.0}",
                seen.raised, seen.rounds, seen.both, seen.favourable, follower.one_in
            );
            let kind = ExceptionKind::FollowsShoe;
            found.push((Exception { player: Some(follower.player), told, ..Exception::new(kind) }, None));
        }
        found
    }

    /// The wagers of a round that are far above what their players laid before it.
    fn large_wagers(&self, round: &Played) -> Vec<(Exception, Option<PersonId>)> {
        let mut stakes: BTreeMap<PlayerId, (i64, i64)> = BTreeMap::new();
        for wager in &round.wagers {
            let (stake, result) = stakes.entry(wager.player).or_default();
            *stake += wager.in_action;
            *result += wager.result;
        }
        let open = |player: PlayerId| self.ratings.open(player, round.table);
        let is_large = |player: PlayerId, stake: i64| {
            open(player).filter(|rating| rating.rounds >= self.settings.large_after).filter(|rating| {
                i128::from(stake) >= i128::from(rating.average()) * i128::from(self.settings.large)
            })
        };
        let found = stakes.into_iter().filter_map(|(player, (stake, result))| {
            let rating = is_large(player, stake)?;
            let times = stake.checked_div(rating.average()).unwrap_or(0);
            let outcome = if result > 0 { "won" } else { "did not win" };
            let told = format!("{times} times the mean of {} rounds; {outcome}", rating.rounds);
            let kind = ExceptionKind::LargeWager;
            Some((
                Exception { player: Some(player), amount: Some(stake), told, ..Exception::new(kind) },
                None,
            ))
        });
        found.collect()
    }
}
