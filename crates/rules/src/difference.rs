//! What two rulebooks differ in.
//!
//! Each is laid out as [`Item`]s: what it has, and every aspect of it as text. Two lists are then compared item by
//! item and aspect by aspect. The layout takes every type apart by name, so that a new field of a rulebook is either
//! compared or does not compile.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::authority::{Needs, PowerRule};
use crate::baccarat::insurance::{self, PaysOn};
use crate::bet::{Bet, Names, PayLine, Reserve, ReserveLine};
use crate::clause::{Basis, Clause, ClauseKind, Reading};
use crate::irregularity::{IrregularityRule, Ruling, Withdrawal};
use crate::niu_niu::Category;
use crate::rule::Rule;
use crate::rulebook::{
    Area, BelowMinimum, Established, Game, Layout, LimitRules, Play, RoundBegins, Rulebook, StaffRank,
    Variant,
};
use crate::setting::SettingSpec;

/// A part of a rulebook, in the order in which differences are told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// The rulebook itself: its names, version and family, and when a round begins.
    Rulebook,
    /// A clause, or a line of a table in it.
    Clause,
    /// How an unclear place is read.
    Reading,
    /// A variant of the game.
    Variant,
    /// A bet with its pay lines.
    Bet,
    /// The insurance table.
    Insurance,
    /// What happens to wagers outside the limits.
    Limits,
    /// A category of a Niu Niu hand.
    Hand,
    /// What a rule of the engine rests on.
    Rule,
    /// A rank of the staff.
    Rank,
    /// Who may decide something.
    Power,
    /// An irregularity and its rulings.
    Irregularity,
    /// A layout.
    Layout,
    /// An area of the house.
    Area,
    /// What the operator sets.
    Setting,
}

impl Part {
    /// All parts in their order.
    pub const ALL: [Self; 15] = [
        Self::Rulebook,
        Self::Clause,
        Self::Reading,
        Self::Variant,
        Self::Bet,
        Self::Insurance,
        Self::Limits,
        Self::Hand,
        Self::Rule,
        Self::Rank,
        Self::Power,
        Self::Irregularity,
        Self::Layout,
        Self::Area,
        Self::Setting,
    ];

    /// Its name in files and reports.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Rulebook => "rulebook",
            Self::Clause => "clause",
            Self::Reading => "reading",
            Self::Variant => "variant",
            Self::Bet => "bet",
            Self::Insurance => "insurance",
            Self::Limits => "limits",
            Self::Hand => "hand",
            Self::Rule => "rule",
            Self::Rank => "rank",
            Self::Power => "power",
            Self::Irregularity => "irregularity",
            Self::Layout => "layout",
            Self::Area => "area",
            Self::Setting => "setting",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// Something a rulebook has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// The part it belongs to.
    pub part: Part,
    /// The variant it is part of, where variants differ.
    pub variant: Option<String>,
    /// Its id; empty where there is only one.
    pub id: String,
    /// What is said of it, in the rulebook's order.
    pub aspects: Vec<Aspect>,
}

/// One thing that is said of an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Aspect {
    /// What it is about, such as `name` or `pays on Banker wins`.
    pub name: String,
    /// What is said.
    pub text: String,
}

/// How an item differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Only the second rulebook has it.
    Added(Item),
    /// Only the first has it.
    Removed(Item),
    /// Both have it and do not say the same.
    Changed {
        /// The part it belongs to.
        part: Part,
        /// The variant it is part of.
        variant: Option<String>,
        /// Its id.
        id: String,
        /// What the two say where they differ.
        aspects: Vec<Differing>,
    },
    /// Both have the same items in another order.
    Reordered {
        /// The part.
        part: Part,
        /// The variant.
        variant: Option<String>,
        /// The ids in the first.
        before: Vec<String>,
        /// The ids in the second.
        after: Vec<String>,
    },
}

impl Change {
    /// The part it is about.
    #[must_use]
    pub const fn part(&self) -> Part {
        match self {
            Self::Added(item) | Self::Removed(item) => item.part,
            Self::Changed { part, .. } | Self::Reordered { part, .. } => *part,
        }
    }
}

/// An aspect in which two items differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Differing {
    /// What it is about.
    pub name: String,
    /// What the first says, if anything.
    pub before: Option<String>,
    /// What the second says, if anything.
    pub after: Option<String>,
}

/// What two rulebooks differ in, in the order of [`Part::ALL`]; nothing if they say the same.
///
/// ```
/// use croupier_rules::{Library, difference::{Change, between}};
///
/// let library = Library::standard();
/// let book = &library.rulebooks()[0];
/// assert_eq!(between(book, book), []);
/// let mut later = (**book).clone();
/// later.version = "2".to_string();
/// assert!(matches!(between(book, &later)[..], [Change::Changed { .. }]));
/// ```
#[must_use]
pub fn between(before: &Rulebook, after: &Rulebook) -> Vec<Change> {
    let (old, new) = (items(before), items(after));
    let mut changes = Vec::new();
    for part in Part::ALL {
        let of_part = |item: &&Item| item.part == part;
        for item in old.iter().filter(of_part) {
            match new.iter().find(|other| is_same(item, other)) {
                None => changes.push(Change::Removed(item.clone())),
                Some(other) => changes.extend(changed(item, other)),
            }
        }
        let added = new.iter().filter(of_part).filter(|item| !old.iter().any(|other| is_same(item, other)));
        changes.extend(added.cloned().map(Change::Added));
        changes.extend(reordered(part, &old, &new));
    }
    changes
}

fn is_same(one: &Item, other: &Item) -> bool {
    one.part == other.part && one.variant == other.variant && one.id == other.id
}

fn changed(before: &Item, after: &Item) -> Option<Change> {
    let text = |item: &Item, name: &str| {
        item.aspects.iter().find(|aspect| aspect.name == name).map(|aspect| aspect.text.clone())
    };
    let new = after.aspects.iter().filter(|aspect| text(before, &aspect.name).is_none());
    let mut aspects: Vec<Differing> = before
        .aspects
        .iter()
        .chain(new)
        .map(|Aspect { name, .. }| Differing {
            name: name.clone(),
            before: text(before, name),
            after: text(after, name),
        })
        .filter(|aspect| aspect.before != aspect.after)
        .collect();
    // The first line that holds is the one that pays, and the first ruling the one that stands.
    let names = |item: &Item, other: &Item| -> Vec<String> {
        let both = item.aspects.iter().filter(|aspect| text(other, &aspect.name).is_some());
        both.map(|aspect| aspect.name.clone()).collect()
    };
    let (old, new) = (names(before, after), names(after, before));
    if old != new {
        let order = |names: Vec<String>| Some(names.join("; "));
        aspects.push(Differing { name: "order".to_string(), before: order(old), after: order(new) });
    }
    let Item { part, variant, id, .. } = before.clone();
    (!aspects.is_empty()).then_some(Change::Changed { part, variant, id, aspects })
}

/// What both have, where it stands in another order.
fn reordered(part: Part, old: &[Item], new: &[Item]) -> Vec<Change> {
    let mut variants: Vec<&Option<String>> = Vec::new();
    for item in old.iter().filter(|item| item.part == part) {
        if !variants.contains(&&item.variant) {
            variants.push(&item.variant);
        }
    }
    let ids = |items: &[Item], others: &[Item], variant: &Option<String>| -> Vec<String> {
        let of_them = items.iter().filter(|item| item.part == part && item.variant == *variant);
        let both = of_them.filter(|item| others.iter().any(|other| is_same(item, other)));
        both.map(|item| item.id.clone()).collect()
    };
    let pairs = variants.into_iter().map(|variant| (variant, ids(old, new, variant), ids(new, old, variant)));
    pairs
        .filter(|(_, before, after)| before != after)
        .map(|(variant, before, after)| Change::Reordered { part, variant: variant.clone(), before, after })
        .collect()
}

/// Everything a rulebook has, each thing with all that is said of it.
#[must_use]
pub fn items(rulebook: &Rulebook) -> Vec<Item> {
    let Rulebook {
        id,
        abbreviation,
        names,
        operator,
        version,
        effective,
        family,
        index,
        ranks,
        layouts,
        areas,
        settings,
        play: Play { round_begins, established },
        irregularities,
        powers,
        games,
    } = rulebook;
    let mut book = Sheet::new(rulebook, Part::Rulebook, None, "");
    book.say("id", id).say("abbreviation", abbreviation).name(names).say("operator", operator);
    book.say("version", version)
        .say("effective", effective.as_deref().unwrap_or(""))
        .say("family", family.key());
    book.say("a round begins with", round_begins_text(*round_begins));
    book.say("the outcome is established by", established_text(*established));
    let mut items = alloc::vec![book.item];
    items.extend(index.clauses().iter().map(|clause| of_clause(rulebook, clause)));
    items.extend(index.readings().iter().map(|reading| of_reading(rulebook, reading)));
    items.extend(ranks.iter().map(|rank| of_rank(rulebook, rank)));
    items.extend(layouts.iter().map(|layout| of_layout(rulebook, layout)));
    items.extend(areas.iter().map(|area| of_area(rulebook, area)));
    items.extend(settings.iter().map(|spec| of_setting(rulebook, spec)));
    items.extend(irregularities.iter().map(|rule| of_irregularity(rulebook, rule)));
    items.extend(powers.iter().map(|rule| of_power(rulebook, rule)));
    games.iter().for_each(|game| of_game(rulebook, game, &mut items));
    items
}

/// An item on its way.
struct Sheet<'r> {
    rulebook: &'r Rulebook,
    item: Item,
}

impl<'r> Sheet<'r> {
    fn new(rulebook: &'r Rulebook, part: Part, variant: Option<&str>, id: &str) -> Self {
        let variant = variant.map(str::to_string);
        Self { rulebook, item: Item { part, variant, id: id.to_string(), aspects: Vec::new() } }
    }

    fn say(&mut self, name: impl Into<String>, text: impl fmt::Display) -> &mut Self {
        let text = text.to_string();
        if !text.is_empty() {
            self.item.aspects.push(Aspect { name: name.into(), text });
        }
        self
    }

    fn name(&mut self, names: &Names) -> &mut Self {
        let Names { en, vi, zh } = names;
        self.say("name", en).say("name in Vietnamese", vi).say("name in Chinese", zh)
    }

    fn cite(&mut self, name: impl Into<String>, cites: &[Basis]) -> &mut Self {
        let ids = ids(self.rulebook, cites);
        self.say(name, ids)
    }
}

fn ids(rulebook: &Rulebook, cites: &[Basis]) -> String {
    let ids: Vec<&str> = cites.iter().map(|basis| rulebook.index.id(*basis)).collect();
    ids.join(" ")
}

fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "" }
}

fn round_begins_text(begins: RoundBegins) -> &'static str {
    match begins {
        RoundBegins::FirstCard => "the first card",
        RoundBegins::OpeningCall => "the opening call",
    }
}

fn established_text(established: Established) -> &'static str {
    match established {
        Established::MainResult => "the result between Player and Banker",
        Established::AnyBet => "any bet that is decided",
    }
}

fn of_clause(rulebook: &Rulebook, clause: &Clause) -> Item {
    let Clause { id, kind, also, says } = clause;
    let mut sheet = Sheet::new(rulebook, Part::Clause, None, id);
    let kinds: Vec<&str> = core::iter::once(kind).chain(also).map(|kind: &ClauseKind| kind.key()).collect();
    sheet.say("says", says).say("kind", kinds.join(", "));
    sheet.item
}

fn of_reading(rulebook: &Rulebook, reading: &Reading) -> Item {
    let Reading { id, clauses, question, reading, why, option } = reading;
    let mut sheet = Sheet::new(rulebook, Part::Reading, None, id);
    sheet.cite("clauses", clauses).say("question", question).say("reading", reading).say("why", why);
    sheet.say("setting", option.as_deref().unwrap_or(""));
    sheet.item
}

fn of_rank(rulebook: &Rulebook, rank: &StaffRank) -> Item {
    let StaffRank { id, level, names } = rank;
    let mut sheet = Sheet::new(rulebook, Part::Rank, None, id);
    sheet.name(names).say("level", level);
    sheet.item
}

fn of_layout(rulebook: &Rulebook, layout: &Layout) -> Item {
    let Layout { id, variant, seats: (fewest, most), insurance, cites } = layout;
    let mut sheet = Sheet::new(rulebook, Part::Layout, None, id);
    sheet.say("variant", variant.as_deref().unwrap_or("")).say("seats", format!("{fewest} to {most}"));
    sheet.say("insurance areas", yes(*insurance)).cite("rests on", cites);
    sheet.item
}

fn of_area(rulebook: &Rulebook, area: &Area) -> Item {
    let Area { id, high_limit, cites } = area;
    let mut sheet = Sheet::new(rulebook, Part::Area, None, id);
    sheet.say("high limits", yes(*high_limit)).cite("rests on", cites);
    sheet.item
}

fn of_setting(rulebook: &Rulebook, spec: &SettingSpec) -> Item {
    let SettingSpec { setting, range, default, cites } = spec;
    let mut sheet = Sheet::new(rulebook, Part::Setting, None, setting.key());
    let range = range.map(|(low, high)| format!("{low} to {high}"));
    sheet.say("range", range.as_deref().unwrap_or("")).say("default", default.as_deref().unwrap_or(""));
    sheet.cite("rests on", cites);
    sheet.item
}

fn of_power(rulebook: &Rulebook, rule: &PowerRule) -> Item {
    let PowerRule { power, needs, cites } = rule;
    let mut sheet = Sheet::new(rulebook, Part::Power, None, power.key());
    sheet.say("needs", needs_text(rulebook, *needs)).cite("rests on", cites);
    sheet.item
}

fn needs_text(rulebook: &Rulebook, needs: Needs) -> &str {
    match needs {
        Needs::Rank(rank) => rulebook.ranks.get(usize::from(rank)).map_or("?", |rank| rank.id.as_str()),
        Needs::Residual => "the residual authority",
    }
}

fn of_irregularity(rulebook: &Rulebook, rule: &IrregularityRule) -> Item {
    let IrregularityRule { irregularity, cites, rulings } = rule;
    let mut sheet = Sheet::new(rulebook, Part::Irregularity, None, irregularity.key());
    sheet.cite("rests on", cites);
    for ruling in rulings {
        let Ruling { remedy, needs, withdrawal, shoe, high_limit_only, cites } = ruling;
        let choice = if withdrawal.is_some() { " with withdrawal" } else { "" };
        let needs = needs.map_or("nobody: it follows", |needs| needs_text(rulebook, needs));
        let mut text = format!("needs {needs}; shoe {}", shoe.key());
        if let Some(Withdrawal { choosers, if_all, cites, leave, stay }) = withdrawal {
            let [choosers, if_all, cites] = [choosers.key(), if_all.key(), &ids(rulebook, cites)];
            text = format!("{text}; withdrawal {choosers}, if all {if_all}, by {cites}");
            for (answer, own) in [("leave", leave), ("stay", stay)] {
                if !own.is_empty() {
                    text = format!("{text}, {answer} by {}", ids(rulebook, own));
                }
            }
        }
        if *high_limit_only {
            text.push_str("; high-limit areas only");
        }
        let text = format!("{text}; by {}", ids(rulebook, cites));
        sheet.say(format!("ruling {remedy}{choice}"), text);
    }
    sheet.item
}

fn of_game(rulebook: &Rulebook, game: &Game, items: &mut Vec<Item>) {
    // Its id is the rulebook's and the variant's.
    let Game { id: _, family: _, variant, bets, insurance, limits, hands: _, cites: _ } = game;
    let of = variant.as_ref().map(|variant| variant.id.as_str());
    if let Some(Variant { id, names, cites }) = variant {
        let mut sheet = Sheet::new(rulebook, Part::Variant, None, id);
        sheet.name(names).cite("rests on", cites);
        items.push(sheet.item);
    }
    items.extend(bets.iter().map(|bet| of_bet(rulebook, game, of, bet)));
    if let Some(table) = insurance {
        let mut sheet = Sheet::new(rulebook, Part::Insurance, of, "");
        table.lines.iter().for_each(|line| insurance_line(&mut sheet, line));
        items.push(sheet.item);
    }
    let mut sheet = Sheet::new(rulebook, Part::Limits, of, "");
    let LimitRules { below_minimum, above_maximum, pro_rata } = limits;
    if let Some((rule, cites)) = below_minimum {
        let rule = match rule {
            BelowMinimum::Once => "settled once, returned ever after",
            BelowMinimum::Always => "settled every time",
        };
        sheet.say("below the minimum", format!("{rule}; by {}", ids(rulebook, cites)));
    }
    if let Some(cites) = above_maximum {
        let rule = "in action up to it, the rest returned";
        sheet.say("above the maximum", format!("{rule}; by {}", ids(rulebook, cites)));
    }
    if let Some((cites, exempt)) = pro_rata {
        let rule = "the heavier side is scaled down";
        sheet.say("over the differential", format!("{rule}; by {}", ids(rulebook, cites)));
        sheet.cite("exempt below the minimum", exempt);
    }
    items.push(sheet.item);
    for category in Category::ALL {
        let mut sheet = Sheet::new(rulebook, Part::Hand, of, category.key());
        sheet.cite("rests on", game.hand_cites(category));
        items.extend(is_said(sheet));
    }
    for rule in Rule::ALL {
        let mut sheet = Sheet::new(rulebook, Part::Rule, of, rule.key());
        sheet.cite("rests on", game.cites(*rule));
        items.extend(is_said(sheet));
    }
}

/// The item, if anything is said of it.
fn is_said(sheet: Sheet<'_>) -> Option<Item> {
    (!sheet.item.aspects.is_empty()).then_some(sheet.item)
}

fn of_bet(rulebook: &Rulebook, game: &Game, variant: Option<&str>, bet: &Bet) -> Item {
    let Bet { id, names, cites, main, required, bonus, at_most, excludes, reserve, pays } = bet;
    let mut sheet = Sheet::new(rulebook, Part::Bet, variant, id);
    sheet.name(names).cite("rests on", cites);
    sheet.say("main wager on", main.map_or("", |side| side.key()));
    sheet.say("required", yes(*required)).say("bonus", yes(*bonus));
    let other = |(bet, cites): &(usize, Vec<Basis>)| {
        let bet = game.bets.get(*bet).map_or("?", |bet| bet.id.as_str());
        format!("{bet}; by {}", ids(rulebook, cites))
    };
    sheet.say("at most", at_most.as_ref().map(other).unwrap_or_default());
    sheet.say("excludes", excludes.as_ref().map(other).unwrap_or_default());
    for PayLine { when, payoff, cites } in pays.lines() {
        sheet.say(format!("pays on {when}"), format!("{payoff}; by {}", ids(rulebook, cites)));
    }
    if let Some(Reserve { times, cites, lost }) = reserve {
        sheet.say("Reserve", format!("{times} times the wager; by {}", ids(rulebook, cites)));
        for ReserveLine { when, times, cites } in lost.lines() {
            let text = format!("{times} times the wager; by {}", ids(rulebook, cites));
            sheet.say(format!("Reserve lost on {when}"), text);
        }
    }
    sheet.item
}

fn insurance_line(sheet: &mut Sheet<'_>, line: &insurance::Line) {
    let insurance::Line { side, stage, banker_points, player_points, odds, pays_on, cites } = line;
    let name =
        format!("{} insurance after {stage}, Banker {banker_points} v Player {player_points}", side.key());
    let on = match pays_on {
        PaysOn::Loss => "its loss",
        PaysOn::Tie => "a tie",
    };
    let text = format!("{odds} on {on}; by {}", ids(sheet.rulebook, cites));
    sheet.say(name, text);
}
