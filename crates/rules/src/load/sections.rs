//! The sections of a rulebook that describe rather than pay: clauses, readings, variants, layouts, ranks,
//! settings, rules and limits.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use super::family::FamilyKeys;
use super::reader::{Faulty, Table, Value, alternatives, offered};
use crate::bet::Names;
use crate::clause::{Basis, Clause, ClauseIndex, ClauseKind, Reading};
use crate::rule::Rule;
use crate::rulebook::{Area, BelowMinimum, Family, Layout, LimitRules, StaffRank, Variant};
use crate::setting::{Setting, SettingSpec, Values};

/// The rank of whoever deals, by which round files and records call them.
const DEALER: &str = "dealer";

/// `{ en = "…", vi = "…", zh = "…" }`: a name in English and, where there are any, in the other languages; without one it is the English name.
pub(super) fn names(faulty: &mut Faulty<'_>, value: Value<'_>) -> Option<Names> {
    let mut table = value.table(faulty, "a name in three languages")?;
    let en = table.require(faulty, "en").and_then(|value| value.text(faulty));
    let mut other = |key| match table.take(key) {
        Some(value) => value.text(faulty),
        None => en,
    };
    let (vi, zh) = (other("vi"), other("zh"));
    table.finish(faulty);
    Some(Names { en: en?.into(), vi: vi?.into(), zh: zh?.into() })
}

/// A reading that a setting switches: its id, the setting, and where that is said.
pub(super) type Switch = (String, String, Range<usize>);

/// `[clauses]` and `[[reading]]`. A faulty one keeps its place, so that naming it is no further fault.
pub(super) fn index(faulty: &mut Faulty<'_>, table: &mut Table<'_>) -> (ClauseIndex, Vec<Switch>) {
    let section = table.require(faulty, "clauses").and_then(|value| value.table(faulty, "[clauses]"));
    let mut clauses = Vec::new();
    for (id, span, value) in section.map(Table::entries).unwrap_or_default() {
        if clauses.len() >= usize::from(u16::MAX) {
            faulty.at(span, "a rulebook has at most 65,535 clauses");
            break;
        }
        clauses.push(clause(faulty, id, value));
    }
    let index = ClauseIndex::new(clauses);
    let mut switches = Vec::new();
    let readings: Vec<(Reading, Range<usize>)> = table
        .tables(faulty, "reading", "a reading")
        .into_iter()
        .filter_map(|table| reading(faulty, table, &index, &mut switches))
        .collect();
    unique(faulty, &readings, "reading", |reading| &reading.id);
    for (reading, span) in &readings {
        if index.find(&reading.id).is_some() {
            faulty.at(span.clone(), format!("`{}` is already the id of a clause", reading.id));
        }
    }
    (index.with_readings(readings.into_iter().map(|(reading, _)| reading).collect()), switches)
}

fn clause(faulty: &mut Faulty<'_>, id: &str, value: Value<'_>) -> Clause {
    let mut clause =
        Clause { id: id.to_string(), kind: ClauseKind::Definition, also: Vec::new(), says: String::new() };
    let Some(mut table) = value.table(faulty, "a clause") else { return clause };
    let kinds = table.require(faulty, "kinds");
    let items = kinds.and_then(|value| value.items(faulty));
    if let (Some(value), Some([])) = (kinds, items.as_deref()) {
        faulty.at(value.span(), format!("clause `{id}` needs a kind: {}", alternatives(ClauseKind::ALL)));
    }
    let items = items.unwrap_or_default();
    let kinds: Vec<ClauseKind> =
        items.into_iter().filter_map(|item| item.one_of(faulty, &ClauseKind::ALL, ClauseKind::key)).collect();
    if let Some((kind, also)) = kinds.split_first() {
        clause.kind = *kind;
        clause.also = also.to_vec();
    }
    clause.says =
        table.require(faulty, "says").and_then(|value| value.text(faulty)).unwrap_or_default().to_string();
    table.finish(faulty);
    clause
}

fn reading(
    faulty: &mut Faulty<'_>,
    mut table: Table<'_>,
    index: &ClauseIndex,
    switches: &mut Vec<Switch>,
) -> Option<(Reading, Range<usize>)> {
    let span = table.span();
    let clauses =
        table.require(faulty, "clauses").map(|value| value.cites(faulty, index)).unwrap_or_default();
    let mut text = |key| table.require(faulty, key).and_then(|value| value.text(faulty)).map(String::from);
    let (id, question, reading, why) = (text("id"), text("question"), text("reading"), text("why"));
    let option = table
        .take("option")
        .and_then(|value| value.text(faulty).map(|option| (option.to_string(), value.span())));
    table.finish(faulty);
    let id = id?;
    switches.extend(option.clone().map(|(option, span)| (id.clone(), option, span)));
    let reading = Reading {
        id,
        clauses,
        question: question.unwrap_or_default(),
        reading: reading.unwrap_or_default(),
        why: why.unwrap_or_default(),
        option: option.map(|(option, _)| option),
    };
    Some((reading, span))
}

/// Faults for ids used twice.
pub(super) fn unique<T>(
    faulty: &mut Faulty<'_>,
    items: &[(T, Range<usize>)],
    what: &str,
    id: impl Fn(&T) -> &String,
) {
    let mut known = BTreeSet::new();
    for (item, span) in items {
        if !known.insert(id(item)) {
            faulty.at(span.clone(), format!("{what} `{}` is there twice", id(item)));
        }
    }
}

/// `[[variant]]`.
pub(super) fn variants(faulty: &mut Faulty<'_>, table: &mut Table<'_>, index: &ClauseIndex) -> Vec<Variant> {
    let mut variants = Vec::new();
    for mut table in table.tables(faulty, "variant", "a variant") {
        let span = table.span();
        let id = table.require(faulty, "id").and_then(|value| value.id(faulty));
        let name = table.require(faulty, "name").and_then(|value| names(faulty, value));
        let cites = table.cites(faulty, index);
        table.finish(faulty);
        if let Some(id) = id {
            let names = name.unwrap_or_default();
            variants.push((Variant { id: id.to_string(), names, cites }, span));
        }
    }
    unique(faulty, &variants, "variant", |variant| &variant.id);
    variants.into_iter().map(|(variant, _)| variant).collect()
}

/// `[[layout]]`.
pub(super) fn layouts(
    faulty: &mut Faulty<'_>,
    table: &mut Table<'_>,
    index: &ClauseIndex,
    variants: &[Variant],
    has_insurance: bool,
) -> Vec<Layout> {
    let mut layouts = Vec::new();
    for mut table in table.tables(faulty, "layout", "a layout") {
        let span = table.span();
        let id = table.require(faulty, "id").and_then(|value| value.text(faulty));
        let seats = table.require(faulty, "seats").and_then(|value| value.numbers(faulty, 1, 99));
        let marked = table.take("insurance");
        let insurance = marked.and_then(|value| value.boolean(faulty)).unwrap_or(false);
        if let Some(value) = marked.filter(|_| insurance && !has_insurance) {
            faulty.at(value.span(), "the layout has insurance, but the rulebook has no [[insurance]]");
        }
        let variant = table.take("variant");
        let cites = table.cites(faulty, index);
        table.finish(faulty);
        if let Some(value) = variant {
            known_variant(faulty, value, variants);
        }
        let seats = seats.and_then(|seats| {
            let bound = |seats: Option<&u32>| seats.and_then(|seats| u8::try_from(*seats).ok());
            Some((bound(seats.iter().min())?, bound(seats.iter().max())?))
        });
        if let (Some(id), Some(seats)) = (id, seats) {
            let variant = variant.and_then(Value::as_str).map(String::from);
            layouts.push((Layout { id: id.to_string(), variant, seats, insurance, cites }, span));
        }
    }
    unique(faulty, &layouts, "layout", |layout| &layout.id);
    layouts.into_iter().map(|(layout, _)| layout).collect()
}

/// `[[area]]`: where a table may stand.
pub(super) fn areas(faulty: &mut Faulty<'_>, table: &mut Table<'_>, index: &ClauseIndex) -> Vec<Area> {
    let mut areas = Vec::new();
    for mut table in table.tables(faulty, "area", "an area") {
        let span = table.span();
        let id = table.require(faulty, "id").and_then(|value| value.id(faulty));
        let high_limit = table.take("high-limit").and_then(|value| value.boolean(faulty)).unwrap_or(false);
        let cites = table.cites(faulty, index);
        table.finish(faulty);
        if let Some(id) = id {
            areas.push((Area { id: id.to_string(), high_limit, cites }, span));
        }
    }
    unique(faulty, &areas, "area", |area| &area.id);
    areas.into_iter().map(|(area, _)| area).collect()
}

/// The setting `area` chooses among the areas that the rulebook has, if it names them.
pub(super) fn check_areas(
    faulty: &mut Faulty<'_>,
    areas: &[Area],
    settings: Option<&[(SettingSpec, Range<usize>)]>,
) {
    let of_area = |(spec, _): &&(SettingSpec, Range<usize>)| spec.setting == Setting::Area;
    let Some((spec, span)) = settings.unwrap_or_default().iter().find(of_area) else { return };
    if areas.is_empty() {
        return;
    }
    let ids = || areas.iter().map(|area| &area.id);
    if let Some(default) = spec.default.as_ref().filter(|default| !ids().any(|id| id == *default)) {
        let offered = offered(default, ids());
        faulty.at(span.clone(), format!("`{default}` is not a value of `area`; {offered}"));
    }
}

/// The variant a value names.
pub(super) fn known_variant<'v>(
    faulty: &mut Faulty<'_>,
    value: Value<'_>,
    variants: &'v [Variant],
) -> Option<&'v Variant> {
    let id = value.text(faulty)?;
    let found = variants.iter().find(|variant| variant.id == id);
    if found.is_none() {
        let accepted = match variants {
            [] => "this rulebook has none".to_string(),
            variants => offered(id, variants.iter().map(|variant| &variant.id)),
        };
        faulty.at(value.span(), format!("there is no [[variant]] `{id}`; {accepted}"));
    }
    found
}

/// `[[rank]]`, lowest first.
pub(super) fn ranks(faulty: &mut Faulty<'_>, table: &mut Table<'_>) -> Vec<StaffRank> {
    let mut ranks: Vec<(StaffRank, Range<usize>)> = Vec::new();
    let mut all_named = true;
    for mut table in table.tables(faulty, "rank", "a rank") {
        let span = table.span();
        let id = table.require(faulty, "id").and_then(|value| value.id(faulty));
        let level = table.require(faulty, "level").and_then(|value| value.number(faulty, 1, 99));
        let name = table.require(faulty, "name").and_then(|value| names(faulty, value));
        table.finish(faulty);
        let Some(id) = id else {
            all_named = false;
            continue;
        };
        let level = level.and_then(|level| u8::try_from(level).ok());
        let last = ranks.last().map_or(1, |(last, _)| last.level);
        if level.is_some_and(|level| level < last) {
            faulty
                .at(span.clone(), format!("rank `{id}` is listed above a higher one; list the lowest first"));
        }
        // One with a fault keeps its place, so that naming it is no further fault.
        let (level, names) = (level.unwrap_or(last), name.unwrap_or_default());
        ranks.push((StaffRank { id: id.to_string(), level, names }, span));
    }
    unique(faulty, &ranks, "rank", |rank| &rank.id);
    if let Some((_, span)) = ranks.first().filter(|_| all_named)
        && !ranks.iter().any(|(rank, _)| rank.id == DEALER)
    {
        faulty
            .at(span.clone(), format!("there is no [[rank]] `{DEALER}`; whoever deals has one, the lowest"));
    }
    ranks.into_iter().map(|(rank, _)| rank).collect()
}

/// `[settings]`: which settings the rulebook has, with bounds, defaults and clauses; nothing without it.
pub(super) fn settings(
    faulty: &mut Faulty<'_>,
    table: &mut Table<'_>,
    index: &ClauseIndex,
) -> Option<Vec<(SettingSpec, Range<usize>)>> {
    let section = table.require(faulty, "settings").and_then(|value| value.table(faulty, "[settings]"))?;
    let mut specs = Vec::new();
    for (key, span, value) in section.entries() {
        let Ok(setting) = key.parse::<Setting>() else {
            faulty.at(span, format!("there is no setting `{key}`; {}", offered(key, Setting::ALL)));
            continue;
        };
        let Some(mut table) = value.table(faulty, "a setting") else { continue };
        let range = match setting.values() {
            Values::Count => table.take("range").and_then(|value| value.numbers(faulty, 0, 10_000)),
            Values::Money | Values::MoneyPerBet | Values::MoneyPerOdds | Values::OneOf(_) | Values::Name => {
                None
            }
        };
        let range =
            range.and_then(|range| Some((range.iter().min().copied()?, range.iter().max().copied()?)));
        let default = table.take("default");
        let cites = table.cites(faulty, index);
        table.finish(faulty);
        let default_text = default.and_then(|value| value.text(faulty)).map(String::from);
        if let (Some(value), Some(text)) = (default, &default_text)
            && let Some(accepted) = unacceptable(setting, range, text)
        {
            faulty.at(value.span(), format!("`{text}` is not a value of `{key}`; {accepted}"));
        }
        specs.push((SettingSpec { setting, range, default: default_text, cites }, span));
    }
    Some(specs)
}

/// What would be accepted, if `text` is not.
fn unacceptable(setting: Setting, range: Option<(u32, u32)>, text: &str) -> Option<String> {
    match setting.values() {
        Values::OneOf(words) => (!words.contains(&text)).then(|| offered(text, words)),
        Values::Count => {
            let (low, high) = range.unwrap_or((0, u32::MAX));
            let fits = text.parse().is_ok_and(|number: u32| (low..=high).contains(&number));
            (!fits).then(|| format!("accepted: a number from {low} to {high}"))
        }
        Values::Money | Values::MoneyPerBet | Values::MoneyPerOdds => {
            let fits = text.parse().is_ok_and(|amount: u64| amount > 0);
            (!fits).then(|| "accepted: a whole amount above zero".to_string())
        }
        Values::Name => None,
    }
}

/// A reading that can be switched names a setting that the rulebook has.
pub(super) fn check_switches(
    faulty: &mut Faulty<'_>,
    switches: &[Switch],
    settings: Option<&[(SettingSpec, Range<usize>)]>,
) {
    let Some(settings) = settings else { return };
    for (reading, option, span) in switches {
        if !settings.iter().any(|(spec, _)| spec.setting.key() == option) {
            let offered = offered(option, settings.iter().map(|(spec, _)| spec.setting));
            faulty.at(
                span.clone(),
                format!(
                    "reading `{reading}` is switched by `{option}`, which is not in [settings]; {offered}"
                ),
            );
        }
    }
}

/// `[rules]`: the clauses behind each rule of the engine, by its place.
pub(super) fn rules(
    faulty: &mut Faulty<'_>,
    table: &mut Table<'_>,
    index: &ClauseIndex,
    family: Family,
    has_insurance: bool,
) -> Vec<Vec<Basis>> {
    let mut cites = alloc::vec![Vec::new(); Rule::ALL.len()];
    let section = table.require(faulty, "rules").and_then(|value| value.table(faulty, "[rules]"));
    let Some(section) = section else { return cites };
    let section_span = section.span();
    let mut faulty_rules = Vec::new();
    for (key, span, value) in section.entries() {
        match key.parse::<Rule>().ok().filter(|rule| rule.belongs_to(family)) {
            Some(rule) => {
                let before = faulty.count();
                cites[rule.place()] = value.cites(faulty, index);
                if faulty.count() > before {
                    faulty_rules.push(rule);
                }
            }
            None => {
                let offered = offered(key, Rule::ALL.iter().filter(|rule| rule.belongs_to(family)));
                faulty.at(span, format!("a {family} rulebook has no rule `{key}`; {offered}"));
            }
        }
    }
    for rule in Rule::ALL {
        let needed = rule.is_required(family) || (has_insurance && Rule::INSURANCE.contains(rule));
        if needed && cites[rule.place()].is_empty() && !faulty_rules.contains(rule) {
            faulty.at(
                section_span.clone(),
                format!("[rules] must say on which clause or reading `{rule}` rests"),
            );
        }
    }
    cites
}

/// `[limits]`: what becomes of wagers outside the limits.
pub(super) fn limits(
    faulty: &mut Faulty<'_>,
    table: &mut Table<'_>,
    index: &ClauseIndex,
    keys: &dyn FamilyKeys,
) -> LimitRules {
    let mut rules = LimitRules::default();
    let Some(value) = table.take("limits") else { return rules };
    let Some(mut section) = value.table(faulty, "[limits]") else { return rules };
    if let Some(mut table) =
        section.take("below-minimum").and_then(|value| value.table(faulty, "`below-minimum`"))
    {
        let options = [BelowMinimum::Once, BelowMinimum::Always];
        let settled = table.require(faulty, "settled").and_then(|value| {
            value.one_of(faulty, &options, |rule| match rule {
                BelowMinimum::Once => "once",
                BelowMinimum::Always => "always",
            })
        });
        let cites = table.cites(faulty, index);
        table.finish(faulty);
        rules.below_minimum = settled.map(|settled| (settled, cites));
    }
    if let Some(mut table) =
        section.take("above-maximum").and_then(|value| value.table(faulty, "`above-maximum`"))
    {
        rules.above_maximum = Some(table.cites(faulty, index));
        table.finish(faulty);
    }
    if let Some(mut table) = keys.pro_rata(&mut section).and_then(|value| value.table(faulty, "`pro-rata`")) {
        let cites = table.cites(faulty, index);
        let small = table.take("below-minimum").map(|value| value.cites(faulty, index)).unwrap_or_default();
        table.finish(faulty);
        rules.pro_rata = Some((cites, small));
    }
    section.finish(faulty);
    rules
}
