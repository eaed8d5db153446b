//! What the rounds of a journal would have come to under another rulebook.
//!
//! Each command that settled a wager, or from which something was irregular or ruled, is given once more at the table as
//! it stood, with the other rulebook in place of its own. So each step is judged by itself: what would have followed from
//! a different ruling is not played on.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use croupier_journal::deed::{Deed, Kind};
use croupier_journal::envelope::Row;
use croupier_journal::store::{Flow, Select};
use croupier_journal::stream::Stream;
use croupier_journal::{Replayed, Shelf, Source};
use croupier_ledger::TableId;
use croupier_rounds::amount::Decimals;
use croupier_rules::Rulebook;
use croupier_rules::settle::Settled;
use croupier_table::{Actor, Command, Event, Fact, Rank, Setup, Staff, Table, allowed_rulings, decide};
use serde::Serialize;

use crate::commands::simulate::progress::Progress;
use crate::commands::{count, print_table, table};

/// How many rounds and holds are listed for people.
const LISTED: usize = 20;

/// What a journal would have come to.
#[derive(Default, Serialize)]
pub(super) struct Replay {
    /// Tables that were opened under the rulebook.
    tables: usize,
    /// Tables of other rulebooks.
    other_tables: usize,
    /// Tables that cannot be opened under the new one, and why.
    unopened: Vec<Unopened>,
    /// Rounds in which wagers were settled.
    rounds: u64,
    /// Irregularities that came up, and rulings made.
    holds: u64,
    /// What the players won less what they lost, in minor units, by currency.
    paid: BTreeMap<String, Paid>,
    /// The rounds that would have paid otherwise.
    differing_rounds: Vec<RoundDiffers>,
    /// What would have been ruled otherwise.
    differing_holds: Vec<HoldDiffers>,
}

#[derive(Serialize)]
struct Unopened {
    table: TableId,
    why: String,
}

/// Money of a currency.
#[derive(Clone, Copy, Default, Serialize)]
struct Paid {
    before: i64,
    after: i64,
    #[serde(skip)]
    decimals: u8,
}

/// A round that would have paid otherwise.
#[derive(Serialize)]
struct RoundDiffers {
    table: TableId,
    shoe: u32,
    round: u64,
    currency: String,
    /// What the players won less what they lost, in minor units.
    before: i64,
    /// The same under the other rulebook; nothing if it settles nothing there.
    after: Option<i64>,
    /// Which wagers, or why nothing is settled.
    why: String,
    #[serde(skip)]
    decimals: u8,
}

/// Something that would have been ruled otherwise.
#[derive(Serialize)]
struct HoldDiffers {
    table: TableId,
    shoe: u32,
    round: u64,
    before: String,
    after: String,
}

impl Replay {
    /// Goes through a journal.
    pub(super) fn of(journal: &str, before: &Rulebook, after: &Arc<Rulebook>) -> anyhow::Result<Self> {
        let mut source = Source::open(journal)?;
        let progress = Progress::new(None, "lines");
        let mut walk = Walk {
            before: &before.id,
            after,
            shelf: Shelf::default(),
            tables: BTreeMap::new(),
            replay: Self::default(),
        };
        let mut ended = Ok(());
        let mut lines = 0;
        source.store.rows(Select::After(0), &mut |_, row| {
            lines += 1;
            progress.set(lines);
            ended = walk.row(&row).with_context(|| format!("{} {}", row.stream, row.sequence));
            if ended.is_ok() { Flow::Continue(()) } else { Flow::Break(()) }
        })?;
        progress.clear();
        ended
            .context("the journal cannot be replayed; run `croupier verify` to see what is wrong with it")?;
        Ok(walk.replay)
    }

    /// Whether nothing would have come otherwise.
    pub(super) fn is_same(&self) -> bool {
        self.differing_rounds.is_empty() && self.differing_holds.is_empty() && self.unopened.is_empty()
    }

    pub(super) fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(
            out,
            "\nreplay\n  {} of this rulebook, {} of others; {} rounds with wagers, {} irregularities and rulings",
            count(self.tables, "table"),
            self.other_tables,
            self.rounds,
            self.holds
        )?;
        for Unopened { table, why } in &self.unopened {
            writeln!(out, "  table {table} cannot be opened under the new rulebook: {why}")?;
        }
        for (currency, paid) in &self.paid {
            let show = |minor: i64| shown(minor, paid.decimals);
            writeln!(
                out,
                "  players' result in {currency}: {} as played, {} under the new rulebook",
                show(paid.before),
                show(paid.after)
            )?;
        }
        if !self.differing_rounds.is_empty() {
            let mut list = table(["table", "shoe", "round", "as played", "new", "why"]);
            for differs in self.differing_rounds.iter().take(LISTED) {
                let show = |minor: i64| shown(minor, differs.decimals);
                let place = [differs.table.to_string(), differs.shoe.to_string(), differs.round.to_string()];
                let paid = [show(differs.before), differs.after.map_or_else(|| "-".to_string(), show)];
                list.add_row(place.into_iter().chain(paid).chain([differs.why.clone()]));
            }
            writeln!(out, "\n{} would have paid otherwise", count(self.differing_rounds.len(), "round"))?;
            print_table(out, &list)?;
            more(out, self.differing_rounds.len())?;
        }
        if !self.differing_holds.is_empty() {
            writeln!(out, "\n{} would have come otherwise", count(self.differing_holds.len(), "ruling"))?;
            for HoldDiffers { table, shoe, round, before, after } in self.differing_holds.iter().take(LISTED)
            {
                writeln!(out, "  table {table}, shoe {shoe}, round {round}\n    - {before}\n    + {after}")?;
            }
            more(out, self.differing_holds.len())?;
        }
        Ok(())
    }
}

/// How many are not listed.
fn more(out: &mut dyn Write, all: usize) -> std::io::Result<()> {
    if all > LISTED {
        writeln!(out, "  and {} more; --format json lists all", all - LISTED)?;
    }
    Ok(())
}

fn shown(minor: i64, decimals: u8) -> String {
    let decimals = Decimals::new(decimals).unwrap_or(Decimals::USUAL);
    croupier_rules::Amount::new(minor).map_or_else(|| minor.to_string(), |amount| decimals.show(amount))
}

/// The way through a journal.
struct Walk<'r> {
    /// The id of the rulebook that tables must have been opened under.
    before: &'r str,
    after: &'r Arc<Rulebook>,
    shelf: Shelf,
    tables: BTreeMap<TableId, Following>,
    replay: Replay,
}

/// A table on the way through its stream.
struct Following {
    replayed: Replayed,
    /// How it would be opened under the other rulebook.
    other: Option<Arc<Setup>>,
}

impl Walk<'_> {
    fn row(&mut self, row: &Row) -> anyhow::Result<()> {
        let Stream::Table(id) = row.stream else {
            if row.stream == Stream::House
                && let Deed::Rulebook { text, .. } = row.record()?.deed
            {
                self.shelf.add(&text)?;
            }
            return Ok(());
        };
        if let Some(following) = self.tables.get_mut(&id) {
            return following.row(row, self.after, &mut self.replay);
        }
        let replayed = Replayed::first(&self.shelf, row)?;
        let other = if replayed.table.rulebook().id == self.before {
            self.replay.tables += 1;
            match setup(&replayed, self.after) {
                Ok(setup) => Some(setup),
                Err(why) => {
                    self.replay.unopened.push(Unopened { table: id, why });
                    None
                }
            }
        } else {
            self.replay.other_tables += 1;
            None
        };
        self.tables.insert(id, Following { replayed, other });
        Ok(())
    }
}

/// The setup of a table under another rulebook: the same settings, the game of the same variant.
fn setup(replayed: &Replayed, after: &Arc<Rulebook>) -> Result<Arc<Setup>, String> {
    let variant = |game: &croupier_rules::Game| game.variant.as_ref().map(|variant| variant.id.clone());
    let own = variant(replayed.table.game());
    let game = after.games.iter().find(|game| variant(game) == own);
    let game =
        game.ok_or_else(|| format!("it has no variant {}", own.as_deref().unwrap_or("without a name")))?;
    let mut opening = replayed.opened.opening.clone();
    opening.game.clone_from(&game.id);
    (opening.version, opening.date) = (None, None);
    // What the other rulebook does not ask for is not set there.
    opening.settings.retain(|chosen| after.setting(chosen.setting).is_some());
    let told = |faults: Vec<croupier_table::SetupFault>| {
        faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    };
    Setup::new(after, &opening).map(Arc::new).map_err(told)
}

impl Following {
    fn row(&mut self, row: &Row, after: &Rulebook, replay: &mut Replay) -> anyhow::Result<()> {
        if row.kind != Kind::Table {
            return Ok(());
        }
        let events = row.table_events()?;
        if self.other.is_some() && events.iter().any(|event| is_money(event) || is_ruling(event)) {
            let record = row.record()?;
            let (Deed::Table(action), Some(actor)) = (record.deed, record.by.actor()) else {
                return Err(anyhow!("is no command to a table"));
            };
            self.judge(&Command { actor, at: record.at / 1000, action }, &events, after, replay);
        }
        self.replayed.apply(&events);
        Ok(())
    }

    /// What the other rulebook makes of a command.
    fn judge(&self, command: &Command, events: &[Event], after: &Rulebook, replay: &mut Replay) {
        let Some(other) = &self.other else { return };
        let given = moved(&self.replayed.table, other, command, after).map_err(|why| vec![why]);
        let told = given.and_then(|(table, command)| {
            decide(&table, &command).map_err(|refusal| vec![refused(&table, &refusal)])
        });
        self.compare(events, told, replay);
    }

    fn compare(&self, events: &[Event], told: Result<Vec<Event>, Vec<String>>, replay: &mut Replay) {
        let own = &self.replayed.table;
        let (settles, rules) = (events.iter().any(is_money), events.iter().any(is_ruling));
        let (id, shoe, round) = (own.id, own.shoe.number, own.round.number);
        if rules {
            replay.holds += 1;
            let before = rulings(events);
            let after = told.as_ref().map_or_else(|why| why.clone(), |events| rulings(events));
            if before != after {
                let (before, after) = (before.join("; "), after.join("; "));
                replay.differing_holds.push(HoldDiffers { table: id, shoe, round, before, after });
            }
        }
        if settles {
            replay.rounds += u64::from(events.iter().any(ends_round));
            let before = money(own, events);
            let (after, why) = match &told {
                Ok(told) => (money(own, told), String::new()),
                Err(why) => (Vec::new(), why.join("; ")),
            };
            let sum = |money: &[(String, i64)]| money.iter().map(|(_, paid)| paid).sum::<i64>();
            let opened = &self.replayed.opened;
            let paid = replay.paid.entry(opened.currency.clone()).or_default();
            paid.decimals = opened.decimals;
            paid.before += sum(&before);
            paid.after += sum(&after);
            if before != after {
                let why = if why.is_empty() { otherwise(&before, &after, opened.decimals) } else { why };
                let (currency, decimals) = (opened.currency.clone(), opened.decimals);
                let (before, after) = (sum(&before), (!after.is_empty()).then(|| sum(&after)));
                let differs = RoundDiffers { table: id, shoe, round, currency, before, after, why, decimals };
                replay.differing_rounds.push(differs);
            }
        }
    }
}

const fn is_money(event: &Event) -> bool {
    matches!(event.fact, Fact::WagerEnded { .. } | Fact::InsuranceEnded { .. })
}

const fn ends_round(event: &Event) -> bool {
    matches!(event.fact, Fact::RoundClosed { .. })
}

const fn is_ruling(event: &Event) -> bool {
    matches!(event.fact, Fact::Irregular { .. } | Fact::Ruled { .. })
}

/// The table as it stood, under another rulebook, and the command as it would be given there.
fn moved(
    own: &Table,
    other: &Arc<Setup>,
    command: &Command,
    after: &Rulebook,
) -> Result<(Table, Command), String> {
    let mut table = own.clone();
    let rank = |rank: Rank| {
        let id = own.rulebook().ranks.get(usize::from(rank.0)).map_or("", |rank| rank.id.as_str());
        after.rank(id).map(Rank).ok_or_else(|| format!("the new rulebook has no rank `{id}`"))
    };
    let staff = |staff: Staff| -> Result<Staff, String> {
        Ok(Staff { rank: rank(staff.rank)?, acting: staff.acting.map(rank).transpose()?, ..staff })
    };
    let mut command = command.clone();
    if let Actor::Staff(who) = command.actor {
        command.actor = Actor::Staff(staff(who)?);
    }
    table.staff = own.staff.iter().filter_map(|who| staff(*who).ok()).collect();
    let (had, has) = (&own.game().bets, &other.game().bets);
    for laid in Arc::make_mut(&mut table.round.wagers) {
        let id = had.get(laid.bet).map_or("", |bet| bet.id.as_str());
        let place = has.iter().position(|bet| bet.id == id);
        laid.bet = place.ok_or_else(|| format!("the new rulebook has no bet `{id}`"))?;
    }
    let lines = |game: &croupier_rules::Game| game.insurance.as_ref().map(|table| table.lines.clone());
    let (had, has) = (lines(own.game()).unwrap_or_default(), lines(other.game()).unwrap_or_default());
    for laid in &mut table.round.insurances {
        let line = had.get(laid.line);
        let same = |new: &croupier_rules::baccarat::insurance::Line| {
            line.is_some_and(|old| {
                (old.side, old.stage, &old.player_points, &old.banker_points)
                    == (new.side, new.stage, &new.player_points, &new.banker_points)
            })
        };
        let place = has.iter().position(same);
        laid.line = place.ok_or_else(|| "the new rulebook has no such insurance".to_string())?;
    }
    table.setup = Arc::clone(other);
    Ok((table, command))
}

/// A refusal in words, with what would be allowed where it is a ruling.
fn refused(table: &Table, refusal: &croupier_table::Refusal) -> String {
    let allowed: Vec<String> = allowed_rulings(table)
        .into_iter()
        .map(|ruling| {
            let option = if ruling.withdrawal.is_some() { " with withdrawal" } else { "" };
            format!("{}{option}", ruling.remedy)
        })
        .collect();
    let index = &table.rulebook().index;
    let cites: Vec<&str> = refusal.cites.iter().map(|basis| index.id(*basis)).collect();
    let cites = if cites.is_empty() { String::new() } else { format!(" [{}]", cites.join(" ")) };
    if allowed.is_empty() {
        format!("refused: {refusal}{cites}")
    } else {
        format!("refused: {refusal}{cites}; allowed: {}", allowed.join(", "))
    }
}

/// What was irregular and what was ruled, in words.
fn rulings(events: &[Event]) -> Vec<String> {
    let all = events.iter().filter_map(|event| match &event.fact {
        Fact::Irregular { irregularity, .. } => Some(format!("irregular {irregularity}")),
        Fact::Ruled { remedy, with_withdrawal, .. } => {
            let option = if *with_withdrawal { " with withdrawal" } else { "" };
            Some(format!("ruled {remedy}{option}"))
        }
        _ => None,
    });
    all.collect()
}

/// What each wager and insurance won or lost, in minor units.
fn money(table: &Table, events: &[Event]) -> Vec<(String, i64)> {
    let net = |settled: &Settled| settled.winnings.minor() - settled.collected.minor();
    let all = events.iter().filter_map(|event| match &event.fact {
        Fact::WagerEnded { wager, settled, reserve } => {
            let laid = table.round.wagers.get(*wager)?;
            let bet = table.game().bets.get(laid.bet).map_or("", |bet| bet.id.as_str());
            let lost = reserve.as_ref().map_or(0, |reserve| reserve.lost.minor());
            Some((format!("p{} {bet}", laid.player), net(settled) - lost))
        }
        Fact::InsuranceEnded { insurance, settled } => {
            let laid = table.round.insurances.get(*insurance)?;
            Some((format!("p{} {} insurance", laid.player, laid.side.key()), net(settled)))
        }
        _ => None,
    });
    all.collect()
}

/// Which wagers ended otherwise.
fn otherwise(before: &[(String, i64)], after: &[(String, i64)], decimals: u8) -> String {
    let differs = before.iter().zip(after).filter(|(one, other)| one != other);
    let told = differs.map(|((name, one), (_, other))| {
        format!("{name} {} to {}", shown(*one, decimals), shown(*other, decimals))
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() { "other wagers are settled".to_string() } else { told.join(", ") }
}

#[cfg(test)]
mod tests {
    use croupier_journal::deed::{CardSource, Dealing, OpenTable};
    use croupier_journal::envelope::Head;
    use croupier_journal::{Hash, Shelf};
    use croupier_rounds::{RoundFile, Step, run};
    use croupier_rules::Library;

    use super::*;

    /// What the steps of a round file would have come to under an edited copy of its rulebook.
    fn replayed(text: &str, edit: impl Fn(&str) -> String) -> Replay {
        let book = croupier_rules::library::standard_texts()
            .find(|text| text.contains("id = \"hoiana-baccarat\""))
            .unwrap();
        let changed = edit(book);
        let after = Arc::new(Rulebook::parse(&changed).unwrap());
        let report = run(&Library::standard(), &RoundFile::parse(text).unwrap());
        let Some((Step::Opened(opening), steps)) = report.steps.split_first() else { panic!("no table") };
        let opened = OpenTable {
            name: "Table 1".to_string(),
            pit: "Main".to_string(),
            currency: "VND".to_string(),
            decimals: 2,
            cards: CardSource::Feed,
            dealer: Dealing::Staff,
            rulebook: Hash::of(book.as_bytes()),
            opening: opening.clone(),
        };
        let head = Head { sequence: 1, hash: Hash::of(b"") };
        let table = Replayed::open(TableId(1), &Shelf::standard().unwrap(), opened, head).unwrap();
        let other = Some(setup(&table, &after).unwrap());
        let mut following = Following { replayed: table, other };
        let mut replay = Replay::default();
        for step in steps {
            let Step::Table(command, events) = step else { panic!("no dispute") };
            if events.iter().any(|event| is_money(event) || is_ruling(event)) {
                following.judge(command, events, &after, &mut replay);
            }
            following.replayed.apply(events);
        }
        replay
    }

    const ROUND: &str = "game hoiana-baccarat/commission\nround\nann bets player 100\nbob bets banker 1,000\n\
                         dealer draws 4C onto player\ndealer draws 9D onto player\n\
                         shift-manager rules rebuild with withdrawal\nann withdraws\nbob stays\ncards 3H KS\n";

    #[test]
    fn the_same_rulebook_changes_nothing() {
        let replay = replayed(ROUND, str::to_string);
        assert!(replay.is_same() && replay.rounds == 1 && replay.holds == 2, "{}", replay.rounds);
        let paid = replay.paid["VND"];
        assert_eq!((paid.before, paid.after), (95_000, 95_000));
    }

    #[test]
    fn another_commission_pays_otherwise() {
        let replay = replayed(ROUND, |book| book.replacen("less = \"5%\"", "less = \"4%\"", 1));
        let [differs] = replay.differing_rounds.as_slice() else { panic!("one round") };
        assert_eq!((differs.before, differs.after), (95_000, Some(96_000)));
        assert!(differs.why.ends_with(" banker 950 to 960"), "{}", differs.why);
        assert!(replay.differing_holds.is_empty());
    }

    #[test]
    fn a_ruling_that_is_gone_is_refused() {
        let replay = replayed(ROUND, |book| {
            let from = book
                .find("  { do = \"rebuild\", rank = \"shift-manager\", withdrawal = { clause = [\"7.9\"")
                .unwrap();
            let length = book[from..].find('\n').unwrap();
            format!("{}{}", &book[..from], &book[from + length + 1..])
        });
        // The card on the wrong hand is put right at once, and there is nothing left to rule on.
        let told: Vec<(&str, &str)> = replay
            .differing_holds
            .iter()
            .map(|differs| (differs.before.as_str(), differs.after.as_str()))
            .collect();
        let [(found, put_right), (ruled, refused)] = told.as_slice() else { panic!("{told:?}") };
        assert_eq!((*found, *put_right), ("irregular wrong-order", "irregular wrong-order; ruled rebuild"));
        assert_eq!(*ruled, "ruled rebuild with withdrawal");
        assert!(refused.starts_with("refused: "), "{refused}");
        assert!(refused.ends_with("allowed: rebuild"), "{refused}");
    }
}
