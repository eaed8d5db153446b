//! From a journal back to a round file: what was done at a table, in words, with what came of it beside the
//! lines.
//!
//! The file runs. Played again it gives the same events, so that whoever doubts a payment can see it settled
//! anew from the same wagers and cards. An export of the whole table begins with its opening; one of a later
//! round tells with `earlier` lines how the table stood. Disputes are no part of it.
//!
//! ```
//! use croupier_rounds::export::{Extract, export};
//! use croupier_rounds::{RoundFile, Step, run};
//! use croupier_rules::Library;
//! # use std::sync::Arc;
//! # use croupier_table::{Setup, Table};
//!
//! let library = Library::standard();
//! let text = "game hoiana-baccarat/commission\nround\nann bets banker 1,000\ncards KC 3S 6D 4H\n";
//! let report = run(&library, &RoundFile::parse(text).unwrap());
//! let Some((Step::Opened(opening), rest)) = report.steps.split_first() else { panic!("no table") };
//! let steps: Vec<_> = rest
//!     .iter()
//!     .filter_map(|step| match step {
//!         Step::Table(command, events) => Some((command, events.as_slice())),
//!         _ => None,
//!     })
//!     .collect();
//! let (rulebook, _) = library.find(&opening.game).unwrap();
//! let setup = Arc::new(Setup::new(rulebook, opening).unwrap());
//! let before = Table::new(croupier_ledger::TableId(1), setup);
//! let names = |player: croupier_table::PlayerId| report.names[usize::try_from(player.0).unwrap()].clone();
//! let file = export(&Extract { title: "Table 1", currency: None, opening, before: &before, names: &names, steps: &steps });
//! assert!(run(&library, &file).passed());
//! assert!(file.to_string().contains("=> +950, commission 50, by "));
//! ```

mod expect;
mod people;
mod standing;
mod words;

use core::ops::Range;

use croupier_rules::setting::Setting;
use croupier_table::{Action as Deed, Chosen, Command, Event, Fact, Opening, PlayerId, Table, Value, apply};

use crate::amount::Decimals;
use crate::file::{Action, Holder, RoundFile, Statement};
use people::People;

/// What an export is made from.
pub struct Extract<'a> {
    /// The title of the file.
    pub title: &'a str,
    /// The currency of the table and its decimals; without it the file says none, and amounts have two.
    pub currency: Option<(&'a str, Decimals)>,
    /// What the table was opened with.
    pub opening: &'a Opening,
    /// The table as it was before the first step: just opened, or between two rounds.
    pub before: &'a Table,
    /// What the players are called. A name that no round file can have is changed to one that it can.
    pub names: &'a dyn Fn(PlayerId) -> String,
    /// What was done, and what happened because of it.
    pub steps: &'a [(&'a Command, &'a [Event])],
}

impl Extract<'_> {
    fn decimals(&self) -> Decimals {
        self.currency.map_or(Decimals::USUAL, |(_, decimals)| decimals)
    }
}

/// The rounds among some steps: from the opening call, or the first step of a Free Hand, to the next one.
/// What comes before the first round belongs to none.
#[must_use]
pub fn rounds(steps: &[(&Command, &[Event])]) -> Vec<Range<usize>> {
    let begins = |(at, (_, events)): (usize, &(&Command, &[Event]))| begins_round(events).then_some(at);
    let starts: Vec<usize> = steps.iter().enumerate().filter_map(begins).collect();
    let ends = starts.iter().skip(1).copied().chain([steps.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

/// The round file that plays the steps again.
#[must_use]
pub fn export(extract: &Extract<'_>) -> RoundFile {
    let mut writer = Writer {
        table: extract.before.clone(),
        people: People::new(extract.names, extract.decimals()),
        lines: Vec::new(),
        wagers: Vec::new(),
        insurances: Vec::new(),
        hands: Vec::new(),
    };
    writer.opening(extract);
    for line in standing::lines(extract.before, &mut writer.people) {
        writer.lines.push(line);
    }
    for (command, events) in extract.steps {
        writer.step(command, events);
    }
    writer.finish()
}

/// The line of one command, given at this table.
pub(crate) fn say(table: &Table, command: &Command, names: &dyn Fn(PlayerId) -> String) -> Action {
    People::new(names, Decimals::USUAL).say(table, command)
}

fn begins_round(events: &[Event]) -> bool {
    events.iter().any(|event| matches!(event.fact, Fact::BetsOpened { .. } | Fact::FreeHandBegan { .. }))
}

/// A line, and what happened because of it or to what it laid.
#[derive(Default)]
struct Line<'a> {
    action: Option<Action>,
    comment: Option<String>,
    events: Vec<&'a Event>,
}

impl Line<'_> {
    fn of(action: Action) -> Self {
        Self { action: Some(action), ..Self::default() }
    }

    fn remark(comment: impl Into<String>) -> Self {
        Self { comment: Some(comment.into()), ..Self::default() }
    }

    /// `dealer opens betting`
    fn deed(who: &str, what: &str) -> Self {
        let words = what.split_whitespace().map(String::from).collect();
        Self::of(Action::Deed { who: who.to_string(), words })
    }

    /// `earlier ann has 1,000`
    fn earlier(what: &str) -> Self {
        Self::of(Action::Earlier(what.split_whitespace().map(String::from).collect()))
    }
}

/// A wager by player, bet and box.
type Wager = (PlayerId, usize, Option<u8>);

/// Writes the lines while a copy of the table goes along.
struct Writer<'a> {
    table: Table,
    people: People<'a>,
    lines: Vec<Line<'a>>,
    /// Which lines laid which wager of the round.
    wagers: Vec<(Wager, usize)>,
    insurances: Vec<usize>,
    hands: Vec<(Holder, usize)>,
}

impl<'a> Writer<'a> {
    fn opening(&mut self, extract: &Extract<'_>) {
        let opening = extract.opening;
        let title = people::plain_text(extract.title);
        if !title.is_empty() {
            self.lines.push(Line::of(Action::Title(title)));
        }
        self.lines.push(Line::of(Action::Game(opening.game.clone())));
        self.lines.extend(extract.currency.map(|(code, decimals)| {
            // ISO 4217 has a code for no currency, three times the letter X; it stands for one without a code.
            let is_code = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
            let code = if is_code { code.to_string() } else { "X".repeat(3) };
            Line::of(Action::Currency { code, decimals })
        }));
        self.lines.extend(opening.version.iter().cloned().map(Action::Version).map(Line::of));
        self.lines.extend(opening.date.iter().cloned().map(Action::Date).map(Line::of));
        // Others are checked against these as they are read.
        let first = |chosen: &&Chosen| {
            [Setting::Layout, Setting::Area, Setting::Device, Setting::Chip].contains(&chosen.setting)
        };
        let (before, after): (Vec<&Chosen>, Vec<&Chosen>) = opening.settings.iter().partition(first);
        self.lines.extend(
            before.into_iter().chain(after).map(|chosen| setting(chosen, extract.decimals())).map(Line::of),
        );
        let control = |key: &str, value: &str| {
            Line::of(Action::Setting { key: key.to_string(), scope: None, value: value.to_string() })
        };
        let controls = &opening.controls;
        self.lines.extend(controls.second_person.iter().map(|rank| control("second-person", rank)));
        self.lines.extend(controls.house_reads.then(|| control("house-reads", "yes")));
        self.lines.push(Line::of(Action::TableByHand));
        self.lines.push(Line::of(Action::ShoeByHand));
        self.lines.push(Line::default());
    }

    fn step(&mut self, command: &'a Command, events: &'a [Event]) {
        if begins_round(events) {
            self.lines.push(Line::default());
            self.lines.push(Line::of(Action::Round { by_hand: true }));
            self.wagers.clear();
            self.insurances.clear();
            self.hands.clear();
        }
        let action = self.people.say(&self.table, command);
        let at = self.line(action);
        let insurances = self.table.round.insurances.len();
        for event in events {
            apply(&mut self.table, event);
            for at in self.lines_of(event, at) {
                if let Some(line) = self.lines.get_mut(at) {
                    line.events.push(event);
                }
            }
        }
        match &command.action {
            Deed::Place(place) => {
                let seat = self.table.player(place.player).and_then(|player| player.seat);
                let area = self.table.setup.box_of(place.area.or(seat));
                self.wagers.push(((place.player, place.bet, area), at));
            }
            Deed::Insure { .. } => {
                self.insurances.truncate(insurances);
                self.insurances.push(at);
            }
            _ => {}
        }
    }

    /// The line of an action. Cards that come one after the other share one.
    fn line(&mut self, action: Action) -> usize {
        // A second packet to the same hand cannot be told as a hand.
        let action = match action {
            Action::Hand { holder, cards } if self.hands.iter().any(|(known, _)| *known == holder) => {
                let cards: Vec<String> = cards.iter().map(ToString::to_string).collect();
                let words = format!("deals {holder} {}", cards.join(" "));
                let words = words.split_whitespace().map(String::from).collect();
                Action::Deed { who: "device".to_string(), words }
            }
            other => other,
        };
        let last = self.lines.len().saturating_sub(1);
        if let (Action::Cards(more), Some(Line { action: Some(Action::Cards(cards)), .. })) =
            (&action, self.lines.last_mut())
        {
            cards.extend(more);
            return last;
        }
        if let Action::Hand { holder, .. } = &action {
            self.hands.push((*holder, self.lines.len()));
        }
        self.lines.push(Line::of(action));
        self.lines.len() - 1
    }

    /// The lines that an event concerns, as they are shown when the file runs.
    fn lines_of(&self, event: &Event, at: usize) -> Vec<usize> {
        let of_hand = |holder: Holder| -> Vec<usize> {
            self.hands.iter().filter(|(known, _)| *known == holder).map(|(_, at)| *at).collect()
        };
        let found: Vec<usize> = match &event.fact {
            Fact::WagerEnded { wager, .. } => {
                let laid = self.table.round.wagers.get(*wager);
                let by_box = self.table.setup.by_box();
                let same = |key: &Wager| {
                    laid.is_some_and(|laid| {
                        (key.0, key.1) == (laid.player, laid.bet) && (!by_box || key.2 == laid.area)
                    })
                };
                self.wagers.iter().filter(|(key, _)| same(key)).map(|(_, at)| *at).collect()
            }
            Fact::InsuranceEnded { insurance, .. } => {
                self.insurances.get(*insurance).copied().into_iter().collect()
            }
            Fact::HandRanked { holder, .. } => of_hand(words::holder(*holder)),
            Fact::Compared { box_number, .. } => of_hand(Holder::Box(*box_number)),
            _ => Vec::new(),
        };
        if found.is_empty() { vec![at] } else { found }
    }

    fn finish(self) -> RoundFile {
        let index = &self.table.rulebook().index;
        let statement = |line: &Line<'_>| Statement {
            action: line.action.clone(),
            expect: expect::of(index, &line.events),
            comment: line.comment.clone(),
        };
        RoundFile { statements: self.lines.iter().map(statement).collect() }
    }
}

/// `setting minimum tie 100`
fn setting(chosen: &Chosen, decimals: Decimals) -> Action {
    let value = match &chosen.value {
        Value::Count(count) => count.to_string(),
        Value::Money(amount) => decimals.show(*amount),
        Value::Word(word) => word.clone(),
    };
    if chosen.setting == Setting::Layout {
        return Action::Layout(value);
    }
    let scope = chosen.bet.clone().or(chosen.odds.map(|odds| odds.to_string()));
    Action::Setting { key: chosen.setting.key().to_string(), scope, value }
}
