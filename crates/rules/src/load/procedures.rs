//! `[play]`, `[powers]` and `[irregularity.*]`: when a round begins, who may decide what, and what is done
//! when something goes wrong. All three may be left out.

use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

use super::reader::{Faulty, Table, Value, alternatives, offered};
use crate::authority::{Needs, Power, PowerRule};
use crate::clause::ClauseIndex;
use crate::irregularity::{
    AllWithdraw, Choosers, Irregularity, IrregularityRule, Remedy, Ruling, ShoeFate, Withdrawal,
};
use crate::rulebook::{Established, Family, Play, RoundBegins, StaffRank};
use crate::setting::{Setting, SettingSpec};

/// The word for the rank that the table's residual authority names.
const RESIDUAL: &str = "residual";

/// Who can be asked for: the ranks of the rulebook, and the table's residual authority where it has one.
pub(super) struct Staff<'r> {
    ranks: &'r [StaffRank],
    has_residual: bool,
}

impl<'r> Staff<'r> {
    /// A rulebook whose settings could not be read is taken to have a residual authority: one fault makes no
    /// others.
    pub(super) fn new(ranks: &'r [StaffRank], settings: Option<&[(SettingSpec, Range<usize>)]>) -> Self {
        let has_residual = settings.is_none_or(|settings| {
            settings.iter().any(|(spec, _)| spec.setting == Setting::ResidualAuthority)
        });
        Self { ranks, has_residual }
    }

    /// The rank that a value names.
    fn needs(&self, faulty: &mut Faulty<'_>, value: Value<'_>) -> Option<Needs> {
        let id = value.text(faulty)?;
        let rank = self.ranks.iter().position(|rank| rank.id == id).and_then(|at| u8::try_from(at).ok());
        if let Some(rank) = rank {
            return Some(Needs::Rank(rank));
        }
        if id == RESIDUAL && self.has_residual {
            return Some(Needs::Residual);
        }
        if id == RESIDUAL {
            let setting = Setting::ResidualAuthority;
            faulty.at(
                value.span(),
                format!(
                    "`{RESIDUAL}` is the rank that the setting `{setting}` names, which is not in [settings]"
                ),
            );
            return None;
        }
        let ranks = self.ranks.iter().map(|rank| rank.id.as_str());
        let offered = offered(id, ranks.chain(self.has_residual.then_some(RESIDUAL)));
        faulty.at(value.span(), format!("there is no [[rank]] `{id}`; {offered}"));
        None
    }
}

/// `[play]`.
pub(super) fn play(faulty: &mut Faulty<'_>, table: &mut Table<'_>) -> Play {
    let mut play = Play::default();
    let section = table.take("play").and_then(|value| value.table(faulty, "[play]"));
    let Some(mut section) = section else { return play };
    if let Some(value) = section.take("round-begins") {
        let options = [RoundBegins::FirstCard, RoundBegins::OpeningCall];
        let begins = value.one_of(faulty, &options, |begins| match begins {
            RoundBegins::FirstCard => "first-card",
            RoundBegins::OpeningCall => "opening-call",
        });
        play.round_begins = begins.unwrap_or_default();
    }
    if let Some(value) = section.take("established") {
        let options = [Established::MainResult, Established::AnyBet];
        let established = value.one_of(faulty, &options, |established| match established {
            Established::MainResult => "main-result",
            Established::AnyBet => "any-bet",
        });
        play.established = established.unwrap_or_default();
    }
    section.finish(faulty);
    play
}

/// `[powers]`: the rank of each, and its clauses unless it is the operator's own procedure.
pub(super) fn powers(
    faulty: &mut Faulty<'_>,
    table: &mut Table<'_>,
    index: &ClauseIndex,
    staff: &Staff<'_>,
) -> Vec<PowerRule> {
    let section = table.take("powers").and_then(|value| value.table(faulty, "[powers]"));
    let mut powers = Vec::new();
    for (key, span, value) in section.map(Table::entries).unwrap_or_default() {
        let Ok(power) = key.parse::<Power>() else {
            faulty.at(span, format!("there is no power `{key}`; {}", offered(key, Power::ALL)));
            continue;
        };
        let Some(mut table) = value.table(faulty, "a power") else { continue };
        let needs = table.require(faulty, "rank").and_then(|value| staff.needs(faulty, value));
        let cites = table.cites_if_any(faulty, index);
        table.finish(faulty);
        powers.extend(needs.map(|needs| PowerRule { power, needs, cites }));
    }
    powers
}

/// `[irregularity.*]`: what may be done about each. With one there must be `other`, for the unlisted ones.
pub(super) fn irregularities(
    faulty: &mut Faulty<'_>,
    table: &mut Table<'_>,
    index: &ClauseIndex,
    family: Family,
    staff: &Staff<'_>,
) -> Vec<IrregularityRule> {
    let value = table.take("irregularity");
    let section = value.and_then(|value| value.table(faulty, "[irregularity]"));
    let Some(section) = section else { return Vec::new() };
    let entries = section.entries();
    let other = Irregularity::Other;
    if let Some((_, span, _)) = entries.first()
        && !entries.iter().any(|(key, _, _)| *key == other.key())
    {
        faulty.at(
            span.clone(),
            format!("with irregularities the rulebook needs [irregularity.{other}], for those not listed"),
        );
    }
    let mut rules = Vec::new();
    for (key, span, value) in entries {
        let found = key.parse::<Irregularity>().ok().filter(|found| found.belongs_to(family));
        let Some(irregularity) = found else {
            let of_family = Irregularity::ALL.iter().filter(|other| other.belongs_to(family));
            let offered = offered(key, of_family);
            faulty.at(span, format!("a {family} rulebook has no irregularity `{key}`; {offered}"));
            continue;
        };
        let Some(mut table) = value.table(faulty, "an irregularity") else { continue };
        let cites = table.cites(faulty, index);
        let rulings = table.require(faulty, "rulings");
        let rulings = rulings.map(|value| rulings_of(faulty, value, irregularity, index, family, staff));
        table.finish(faulty);
        rules.push(IrregularityRule { irregularity, cites, rulings: rulings.unwrap_or_default() });
    }
    rules
}

/// The rulings on an irregularity: at least one, none twice.
fn rulings_of(
    faulty: &mut Faulty<'_>,
    value: Value<'_>,
    irregularity: Irregularity,
    index: &ClauseIndex,
    family: Family,
    staff: &Staff<'_>,
) -> Vec<Ruling> {
    let Some(items) = value.items(faulty) else { return Vec::new() };
    if items.is_empty() {
        faulty.at(value.span(), format!("irregularity `{irregularity}` needs at least one ruling"));
    }
    let mut rulings: Vec<Ruling> = Vec::new();
    let mut read_all = !items.is_empty();
    for item in items {
        let table = item.table(faulty, "a ruling");
        let Some(ruling) = table.and_then(|table| ruling(faulty, table, index, family, staff)) else {
            read_all = false;
            continue;
        };
        let same = |other: &Ruling| {
            other.remedy == ruling.remedy && other.withdrawal.is_some() == ruling.withdrawal.is_some()
        };
        if rulings.iter().any(same) {
            let with = if ruling.withdrawal.is_some() { "with" } else { "without" };
            faulty.at(
                item.span(),
                format!(
                    "the ruling `{}` {with} `withdrawal` is there twice for `{irregularity}`",
                    ruling.remedy
                ),
            );
        }
        rulings.push(ruling);
    }
    // A round that lacks a card can only end without a result.
    let ends = |ruling: &Ruling| ruling.remedy == Remedy::Void && !ruling.high_limit_only;
    if irregularity == Irregularity::NotEnoughCards && read_all && !rulings.iter().any(ends) {
        let void = Remedy::Void;
        faulty.at(
            value.span(),
            format!("`{irregularity}` needs the ruling `{void}`: no other can end a round that lacks a card"),
        );
    }
    rulings
}

fn ruling(
    faulty: &mut Faulty<'_>,
    mut table: Table<'_>,
    index: &ClauseIndex,
    family: Family,
    staff: &Staff<'_>,
) -> Option<Ruling> {
    let remedy = table.require(faulty, "do").and_then(|value| {
        let remedy = value.one_of(faulty, &Remedy::ALL, Remedy::key)?;
        if !remedy.belongs_to(family) {
            let accepted = alternatives(Remedy::ALL.iter().filter(|other| other.belongs_to(family)));
            let message = format!("a {family} rulebook has no ruling `{remedy}`; accepted: {accepted}");
            faulty.at(value.span(), message);
        }
        Some(remedy)
    });
    let needs = table.take("rank").and_then(|value| staff.needs(faulty, value));
    let choice = table.take("withdrawal");
    if let (Some(Remedy::Void), Some(value)) = (remedy, choice) {
        faulty
            .at(value.span(), "`void` gives everything back, so nobody has to withdraw; remove `withdrawal`");
    }
    let withdrawal = choice.map(|value| withdrawal(faulty, value, index));
    let shoe = table.take("shoe").and_then(|value| value.one_of(faulty, &ShoeFate::ALL, ShoeFate::key));
    let high_limit_only =
        table.take("high-limit-only").and_then(|value| value.boolean(faulty)).unwrap_or(false);
    let cites = table.cites(faulty, index);
    table.finish(faulty);
    let shoe = shoe.unwrap_or_default();
    Some(Ruling { remedy: remedy?, needs, withdrawal, shoe, high_limit_only, cites })
}

/// `{ clause = "7.10.2", if-all = "void-and-replace" }`, `{ clause = "7.13.1", choosers = "everybody" }`. A faulty one is still there.
fn withdrawal(faulty: &mut Faulty<'_>, value: Value<'_>, index: &ClauseIndex) -> Withdrawal {
    let Some(mut table) = value.table(faulty, "`withdrawal`") else {
        let (choosers, if_all) = (Choosers::default(), AllWithdraw::default());
        return Withdrawal { choosers, if_all, cites: Vec::new(), leave: Vec::new(), stay: Vec::new() };
    };
    let choosers = table.take("choosers");
    let choosers = choosers.and_then(|value| value.one_of(faulty, &Choosers::ALL, Choosers::key));
    let if_all = table.take("if-all");
    let if_all = if_all.and_then(|value| value.one_of(faulty, &AllWithdraw::ALL, AllWithdraw::key));
    let cites = table.cites(faulty, index);
    let mut only = |key: &'static str| {
        let Some(value) = table.take(key) else { return Vec::new() };
        let own = value.cites(faulty, index);
        if own.iter().any(|basis| !cites.contains(basis)) {
            faulty.at(
                value.span(),
                format!("`{key}` says which of the clauses of `clause` speak of that answer alone"),
            );
        }
        own
    };
    let (leave, stay) = (only("leave"), only("stay"));
    table.finish(faulty);
    let (choosers, if_all) = (choosers.unwrap_or_default(), if_all.unwrap_or_default());
    Withdrawal { choosers, if_all, cites, leave, stay }
}
