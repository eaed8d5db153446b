//! `[[bet]]`: bets compiled to columns, one list for each variant.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use super::conditions::{BREADTH_MAX, Outcomes, when};
use super::family::FamilyKeys;
use super::reader::{Faulty, Table, Value, offered};
use super::{sections, sheet};
use crate::bet::{Bet, CardLines, Column, ColumnFault, PayLine, Payoff, Pays, Reserve, ReserveLine, When};
use crate::clause::{Basis, ClauseIndex};
use crate::odds::Odds;
use crate::ratio::Ratio;
use crate::rulebook::{Game, LimitRules, Variant};

/// A bet as written, before it is known where the bets it names stand.
struct Draft {
    id: String,
    /// Nothing if it has faults.
    bet: Option<Bet>,
    /// The variant named, whether the rulebook has it or not.
    variant: Option<String>,
    at_most: Option<OtherBet>,
    excludes: Option<OtherBet>,
    span: Range<usize>,
}

/// Another bet of the game, by id, and the clauses that tie the two.
type OtherBet = (String, Range<usize>, Vec<Basis>);

/// One game for each variant, or a single one.
pub(super) fn games(
    faulty: &mut Faulty<'_>,
    table: &mut Table<'_>,
    index: &ClauseIndex,
    keys: &dyn FamilyKeys,
    rulebook: &str,
    variants: &[Variant],
    complete: impl Fn(&mut Game),
) -> Vec<Game> {
    let outcomes = keys.outcomes();
    let span = table.span();
    let tables = table.tables(faulty, "bet", "a bet");
    if tables.is_empty() {
        faulty.at(span, "a rulebook needs at least one [[bet]]");
    }
    let drafts: Vec<Draft> = tables
        .into_iter()
        .filter_map(|table| draft(faulty, table, index, keys, &outcomes, variants))
        .collect();
    // A bet in a variant that is not there has its own fault; naming the bet is no further one.
    let known = |id: &String| variants.iter().any(|variant| variant.id == *id);
    let misplaced: Vec<&String> = drafts
        .iter()
        .filter(|draft| draft.variant.as_ref().is_some_and(|variant| !known(variant)))
        .map(|draft| &draft.id)
        .collect();
    let mut game = |variant: Option<&Variant>| {
        let id = variant.map_or_else(|| rulebook.to_string(), |variant| format!("{rulebook}/{}", variant.id));
        let offered = |draft: &&Draft| {
            draft.variant.is_none() || draft.variant.as_ref() == variant.map(|variant| &variant.id)
        };
        let bets = link(faulty, &drafts.iter().filter(offered).collect::<Vec<_>>(), &misplaced);
        let mut game = Game {
            id,
            family: keys.family(),
            variant: variant.cloned(),
            bets,
            insurance: None,
            limits: LimitRules::default(),
            hands: Vec::new(),
            cites: Vec::new(),
        };
        complete(&mut game);
        game
    };
    if variants.is_empty() {
        alloc::vec![game(None)]
    } else {
        variants.iter().map(|variant| game(Some(variant))).collect()
    }
}

/// The bets of a sheet. What ties them to other bets is read but not looked up: it changes no odds.
pub(super) fn of_sheet(faulty: &mut Faulty<'_>, table: &mut Table<'_>, keys: &dyn FamilyKeys) -> Vec<Bet> {
    let (outcomes, index, span) = (keys.outcomes(), ClauseIndex::default(), table.span());
    let tables = table.tables(faulty, "bet", "a bet");
    if tables.is_empty() && faulty.count() == 0 {
        faulty.at(span, "a bet sheet needs at least one [[bet]]");
    }
    let mut drafts: Vec<Draft> = Vec::new();
    for table in tables {
        let Some(draft) = draft(faulty, table, &index, keys, &outcomes, &[]) else { continue };
        if drafts.iter().any(|other| other.id == draft.id) {
            faulty.at(draft.span.clone(), format!("bet `{}` is there twice", draft.id));
        }
        drafts.push(draft);
    }
    drafts.into_iter().filter_map(|draft| draft.bet).collect()
}

/// The bets of one game, with the bets they name found among them.
fn link(faulty: &mut Faulty<'_>, drafts: &[&Draft], misplaced: &[&String]) -> Vec<Bet> {
    let place = |faulty: &mut Faulty<'_>, of: &str, id: &str, span: &Range<usize>| {
        let found = drafts.iter().position(|draft| draft.id == id);
        if id == of {
            faulty.at(span.clone(), format!("bet `{id}` names itself; name another bet of the game"));
        } else if found.is_none() && !misplaced.iter().any(|bet| *bet == id) {
            let offered = offered(id, drafts.iter().map(|draft| &draft.id));
            faulty.at(span.clone(), format!("there is no bet `{id}` in this game; {offered}"));
        }
        found
    };
    for (at, draft) in drafts.iter().enumerate() {
        if drafts.iter().take(at).any(|other| other.id == draft.id) {
            faulty.at(draft.span.clone(), format!("bet `{}` is there twice in one game", draft.id));
        }
    }
    let mut find = |of: &str, other: &Option<OtherBet>| {
        let (id, span, cites) = other.as_ref()?;
        Some((place(faulty, of, id, span)?, cites.clone()))
    };
    drafts
        .iter()
        .filter_map(|draft| {
            let (at_most, excludes) = (find(&draft.id, &draft.at_most), find(&draft.id, &draft.excludes));
            Some(Bet { at_most, excludes, ..draft.bet.clone()? })
        })
        .collect()
}

fn draft(
    faulty: &mut Faulty<'_>,
    mut table: Table<'_>,
    index: &ClauseIndex,
    keys: &dyn FamilyKeys,
    outcomes: &Outcomes,
    variants: &[Variant],
) -> Option<Draft> {
    let span = table.span();
    let id = table.require(faulty, "id").and_then(|value| value.id(faulty));
    let names = if faulty.is_sheet() {
        sheet::names(faulty, table.take("name"), id)
    } else {
        table.require(faulty, "name").and_then(|value| sections::names(faulty, value))
    };
    let cites = table.cites(faulty, index);
    let variant = table.take("variant");
    if let Some(value) = variant.filter(|_| !faulty.is_sheet()) {
        sections::known_variant(faulty, value, variants);
    }
    let main = keys.main(faulty, &mut table);
    let required = table.take("required").and_then(|value| value.boolean(faulty)).unwrap_or(false);
    let bonus = table.take("bonus").and_then(|value| value.boolean(faulty)).unwrap_or(false);
    let at_most = table.take("at-most").and_then(|value| other_bet(faulty, value, "`at-most`", index));
    let excludes = table.take("excludes").and_then(|value| other_bet(faulty, value, "`excludes`", index));
    let name = id.unwrap_or("?");
    let column = column(
        faulty,
        &mut table,
        &format!("bet `{name}`"),
        outcomes,
        |faulty, table, when| pay_line(faulty, table, index, when),
        "pays",
        keys,
    );
    let wins = |line: &PayLine| matches!(line.payoff, Payoff::Win { .. });
    if column.as_ref().is_some_and(|column| !column.lines().iter().any(wins)) {
        faulty.at(span.clone(), format!("bet `{name}` can never win; give it a line with odds"));
    }
    let pays = column.map(|column| {
        if column.lines().iter().any(|line| line.when.of_cards().is_some()) {
            Pays::ByCards(CardLines::new(column.into_lines()))
        } else {
            Pays::ByClass(column)
        }
    });
    let laid = keys.reserve(&mut table);
    let reserve = laid.and_then(|value| reserve(faulty, value, name, index, keys, outcomes));
    table.finish(faulty);
    let id = id?.to_string();
    let bet = names.zip(pays).map(|(names, pays)| Bet {
        id: id.clone(),
        names,
        cites,
        main,
        required,
        bonus,
        at_most: None,
        excludes: None,
        reserve,
        pays,
    });
    Some(Draft {
        id,
        bet,
        variant: variant.map(|value| value.as_str().unwrap_or_default().to_string()),
        at_most,
        excludes,
        span,
    })
}

/// `{ bet = "even", clause = "4.5.2.i" }`.
fn other_bet(
    faulty: &mut Faulty<'_>,
    value: Value<'_>,
    what: &'static str,
    index: &ClauseIndex,
) -> Option<OtherBet> {
    let mut table = value.table(faulty, what)?;
    let id = table.require(faulty, "bet").and_then(|value| value.id(faulty));
    let cites = table.cites(faulty, index);
    table.finish(faulty);
    Some((id?.to_string(), value.span(), cites))
}

/// The lines under `key` and `otherwise`, compiled over all outcomes.
fn column<Line>(
    faulty: &mut Faulty<'_>,
    table: &mut Table<'_>,
    bet: &str,
    outcomes: &Outcomes,
    read: impl Fn(&mut Faulty<'_>, &mut Table<'_>, When) -> Option<Line>,
    key: &'static str,
    keys: &dyn FamilyKeys,
) -> Option<Column<Line>> {
    let mut lines: Vec<(When, Option<Line>)> = Vec::new();
    let mut places: Vec<LinePlace> = Vec::new();
    let mut idle: Vec<(When, LinePlace)> = Vec::new();
    let value = table.require(faulty, key);
    let items = value.and_then(|value| value.items(faulty));
    let mut all_conditions = items.is_some();
    for (at, item) in items.unwrap_or_default().into_iter().enumerate() {
        let mut never = false;
        let line = item.table(faulty, "a pay line").and_then(|mut table| {
            let condition = table.require(faulty, "when").and_then(|value| when(faulty, value, keys));
            let when = condition.clone().unwrap_or(When::Otherwise);
            let line = read(faulty, &mut table, when);
            never = table.take("never").and_then(|value| value.boolean(faulty)).unwrap_or(false);
            table.finish(faulty);
            Some((condition?, line))
        });
        all_conditions &= line.is_some();
        let when = line.as_ref().map_or_else(String::new, |(condition, _)| condition.to_string());
        let place = LinePlace { span: item.span(), number: at + 1, when };
        match line {
            Some((when, _)) if never => {
                idle.push((when, place));
                continue;
            }
            // What other lines leave over cannot be told without a faulty one, only what can never happen.
            line => lines.push(line.unwrap_or_else(|| (keys.anything(), None))),
        }
        places.push(place);
    }
    let rest = table.take("otherwise");
    let otherwise = rest.map(|value| {
        let mut table = value.table_or_text(faulty, "`otherwise`", "odds")?;
        let line = read(faulty, &mut table, When::Otherwise);
        table.finish(faulty);
        line
    });
    let by_cards = lines.iter().any(|(when, _)| when.of_cards().is_some());
    let whens = || lines.iter().map(|(when, _)| when).chain(idle.iter().map(|(when, _)| when));
    let rounds = whens().any(|when| when.of_cards().is_some()).then(|| Outcomes::of_cards(whens()));
    let rounds = match rounds.transpose() {
        Ok(rounds) => rounds,
        Err(kinds) => {
            let message = format!(
                "{bet} tells {kinds} kinds of rounds apart, {BREADTH_MAX} at most; ask for fewer kinds of cards at once"
            );
            faulty.at(table.span(), message);
            return None;
        }
    };
    check_idle(faulty, bet, rounds.as_ref().unwrap_or(outcomes), &idle);
    // A column is numbered by outcome classes unless a line that can apply asks for cards.
    let outcomes = rounds.as_ref().filter(|_| by_cards).unwrap_or(outcomes);
    let compiled = Column::compile(outcomes.count, &outcomes.reachable, lines, otherwise, |when, index| {
        outcomes.holds(when, index)
    });
    compiled
        .map_err(|faults| {
            let impossible = |fault: &ColumnFault| matches!(fault, ColumnFault::Impossible { .. });
            for fault in faults.iter().filter(|fault| all_conditions || impossible(fault)) {
                let (span, message) = explain(fault, bet, outcomes, &places, &table.span(), rest);
                faulty.at(span, message);
            }
        })
        .ok()
        .and_then(Column::complete)
}

/// Faults for lines that are said never to apply, and do.
fn check_idle(faulty: &mut Faulty<'_>, bet: &str, outcomes: &Outcomes, idle: &[(When, LinePlace)]) {
    for (when, place) in idle {
        if let Some(example) = outcomes.reachable.iter().find(|outcome| outcomes.holds(when, **outcome)) {
            let (number, example) = (place.number, outcomes.describe(*example));
            let message = format!("{bet}, line {number}: `{example}` leads to it; remove `never`");
            faulty.at(place.span.clone(), message);
        }
    }
}

/// Where a line stands and what it speaks of.
struct LinePlace {
    span: Range<usize>,
    /// From 1.
    number: usize,
    when: String,
}

fn explain(
    fault: &ColumnFault,
    bet: &str,
    outcomes: &Outcomes,
    places: &[LinePlace],
    table: &Range<usize>,
    otherwise: Option<Value<'_>>,
) -> (Range<usize>, String) {
    let place = |line: usize| {
        let place = places.get(line);
        place.map_or((table.clone(), 0, ""), |place| (place.span.clone(), place.number, place.when.as_str()))
    };
    match fault {
        ColumnFault::Impossible { line } => {
            let (span, number, when) = place(*line);
            (span, format!("{bet}, line {number}: no cards lead to `{when}`"))
        }
        ColumnFault::Unreachable { line, taken_by } => {
            let (span, number, when) = place(*line);
            let others: Vec<String> =
                taken_by.iter().map(|line| format!("`line {}`", place(*line).1)).collect();
            let others = others.join(" and ");
            (
                span,
                format!(
                    "{bet}, line {number}: `{when}` can never apply, its outcomes are taken before by {others}"
                ),
            )
        }
        ColumnFault::Open { count, example } => (
            table.clone(),
            format!(
                "{bet} leaves {count} outcomes without an answer, such as `{}`; add a line or `otherwise`",
                outcomes.describe(*example)
            ),
        ),
        ColumnFault::IdleOtherwise => (
            otherwise.map_or_else(|| table.clone(), Value::span),
            format!("{bet}: the lines answer every outcome, so `otherwise` never applies; remove it"),
        ),
        ColumnFault::TooMany => (table.clone(), format!("{bet} has more than 254 lines")),
    }
}

fn pay_line(
    faulty: &mut Faulty<'_>,
    table: &mut Table<'_>,
    index: &ClauseIndex,
    when: When,
) -> Option<PayLine> {
    let odds = table.require(faulty, "odds");
    let less = table.take("less");
    let cites = table.cites(faulty, index);
    let payoff = odds.and_then(|value| match value.text(faulty)? {
        "push" => Some(Payoff::Push),
        "lose" => Some(Payoff::Lose),
        text => match text.parse::<Odds>() {
            Ok(odds) => Some(Payoff::Win { odds, less: Ratio::ZERO }),
            Err(error) => {
                faulty.at(value.span(), format!("{error}; or `push`, or `lose`"));
                None
            }
        },
    });
    let payoff = match (payoff, less) {
        (Some(Payoff::Win { odds, .. }), Some(value)) => {
            share(faulty, value).map(|less| Payoff::Win { odds, less })
        }
        (Some(Payoff::Push | Payoff::Lose), Some(value)) => {
            faulty.at(value.span(), "`less` is taken off winnings; this line pays none");
            None
        }
        (payoff, _) => payoff,
    };
    Some(PayLine { when, payoff: payoff?, cites })
}

/// A part of the winnings, more than nothing and less than all: `"5%"`, `"2.5%"` or `"1/40"`.
fn share(faulty: &mut Faulty<'_>, value: Value<'_>) -> Option<Ratio> {
    let text = value.text(faulty)?;
    let number = |digits: &str| {
        let plain =
            !digits.is_empty() && digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| digits.parse::<i128>().ok()).flatten()
    };
    let percentage = |text: &str| {
        let (whole, decimals) =
            text.split_once('.').map_or((text, None), |(whole, part)| (whole, Some(part)));
        let scale =
            decimals.map_or(1, |decimals| 10_i128.pow(u32::try_from(decimals.len().min(6)).unwrap_or(0)));
        let decimals = decimals.map_or(Some(0), number)?;
        Some(Ratio::new(number(whole)? * scale + decimals, 100 * scale))
    };
    let fraction = |(above, below): (&str, &str)| {
        let below = number(below).filter(|below| *below > 0)?;
        Some(Ratio::new(number(above)?, below))
    };
    let share = match text.strip_suffix('%') {
        Some(number) => percentage(number),
        None => text.split_once('/').and_then(fraction),
    };
    let share = share.filter(|share| Ratio::ZERO < *share && *share < Ratio::ONE);
    if share.is_none() {
        faulty.at(
            value.span(),
            format!(
                "`{text}` is not a share of winnings; write a percentage or a fraction above nothing and below all, \
                 such as `5%`, `2.5%` or `1/40`"
            ),
        );
    }
    share
}

fn reserve(
    faulty: &mut Faulty<'_>,
    value: Value<'_>,
    bet: &str,
    index: &ClauseIndex,
    keys: &dyn FamilyKeys,
    outcomes: &Outcomes,
) -> Option<Reserve> {
    let mut table = value.table(faulty, "a Reserve")?;
    let times = table.require(faulty, "times").and_then(|value| value.number(faulty, 1, 100));
    let cites = table.cites(faulty, index);
    let most = times.unwrap_or(100);
    let lost = column(
        faulty,
        &mut table,
        &format!("the Reserve of bet `{bet}`"),
        outcomes,
        |faulty, table, when| {
            let times = table.require(faulty, "times").and_then(|value| value.number(faulty, 0, most));
            let cites = table.cites(faulty, index);
            Some(ReserveLine { when, times: times?, cites })
        },
        "lost",
        keys,
    );
    table.finish(faulty);
    Some(Reserve { times: times?, cites, lost: lost? })
}
