//! `croupier rules diff`: what two rulebooks differ in, what the changes do to the edges, and what the rounds of a
//! journal would have come to.

mod replay;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use croupier_lab::report::{OddsSheet, Stock, decimal, percent};
use croupier_lab::{Fraction, decks};
use croupier_rules::difference::{Change, Differing, Item, between};
use croupier_rules::{Game, Library, Rulebook};
use serde::Serialize;

use replay::Replay;

use super::Format;
use crate::commands::{count, find_rulebook, print_table, table};

/// Compares two rulebooks, each the id of one at hand or a file; exit code 1 if they differ.
pub(super) fn run(
    library: &Library,
    before: &str,
    after: &str,
    journal: Option<&str>,
    format: Format,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let (before, after) = (rulebook(library, before)?, Arc::new(rulebook(library, after)?));
    let mut difference = Difference::new(&before, &after)?;
    difference.replay = journal.map(|journal| Replay::of(journal, &before, &after)).transpose()?;
    match format {
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, &difference)?;
            writeln!(out)?;
        }
        Format::Text => difference.print(out)?,
    }
    let same = difference.changes.is_empty() && difference.replay.iter().all(Replay::is_same);
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The rulebook in that file or with that id.
fn rulebook(library: &Library, name: &str) -> anyhow::Result<Rulebook> {
    if !Path::new(name).is_file() {
        return find_rulebook(library, name)
            .cloned()
            .with_context(|| format!("`{name}` is neither a file nor a rulebook at hand"));
    }
    let text = std::fs::read_to_string(name).with_context(|| format!("cannot read {name}"))?;
    Rulebook::parse(&text).map_err(|faults| {
        let lines: Vec<String> = faults.0.iter().map(|fault| format!("{name}:{fault}")).collect();
        anyhow!("{name} is no valid rulebook\n{}", lines.join("\n"))
    })
}

/// All that differs, for programs.
#[derive(Serialize)]
struct Difference {
    before: Book,
    after: Book,
    changes: Vec<ChangeJson>,
    /// The bets and insurances whose edge is another one, or that only one of the two offers.
    edges: Vec<EdgeChange>,
    /// How many keep theirs.
    same_edges: usize,
    /// What the rounds of a journal would have come to.
    #[serde(skip_serializing_if = "Option::is_none")]
    replay: Option<Replay>,
}

#[derive(Serialize)]
struct Book {
    rulebook: String,
    name: String,
    version: String,
}

#[derive(Serialize)]
struct ChangeJson {
    part: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    id: String,
    change: What,
    aspects: Vec<AspectJson>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum What {
    Added,
    Removed,
    Changed,
    Reordered,
}

#[derive(Serialize)]
struct AspectJson {
    about: String,
    before: Option<String>,
    after: Option<String>,
}

#[derive(Serialize)]
struct EdgeChange {
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    bet: String,
    before: Option<Edge>,
    after: Option<Edge>,
}

/// The mean loss of one unit.
#[derive(Serialize)]
struct Edge {
    decks: u8,
    edge: String,
    edge_exact: String,
    #[serde(skip)]
    percent: String,
}

impl Difference {
    fn new(before: &Rulebook, after: &Rulebook) -> anyhow::Result<Self> {
        let changes = between(before, after).into_iter().map(ChangeJson::from).collect();
        let (mut edges, mut same_edges) = (Vec::new(), 0);
        for (old, new) in pairs(before, after) {
            let old = old.map(|game| priced(before, game)).transpose()?.unwrap_or_default();
            let new = new.map(|game| priced(after, game)).transpose()?.unwrap_or_default();
            let find = |priced: &[Priced], bet: &str| priced.iter().find(|one| one.bet == bet).cloned();
            let added = new.iter().filter(|one| find(&old, &one.bet).is_none());
            for Priced { variant, bet, .. } in old.iter().chain(added) {
                let (before, after) = (find(&old, bet), find(&new, bet));
                match before.as_ref().map(|one| &one.edge) == after.as_ref().map(|one| &one.edge) {
                    true => same_edges += 1,
                    false => edges.push(EdgeChange {
                        variant: variant.clone(),
                        bet: bet.clone(),
                        before: before.and_then(|one| one.shown()),
                        after: after.and_then(|one| one.shown()),
                    }),
                }
            }
        }
        let (before, after) = (Book::from(before), Book::from(after));
        Ok(Self { before, after, changes, edges, same_edges, replay: None })
    }

    fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(out, "{}\n  to {}", self.before, self.after)?;
        let mut part = "";
        for change in &self.changes {
            if change.part != part {
                part = change.part;
                writeln!(out, "\n{part}")?;
            }
            change.print(out)?;
        }
        if !self.edges.is_empty() {
            writeln!(out, "\nedges")?;
            let mut list = table(["bet", "variant", "before", "after"]);
            for edge in &self.edges {
                let shown =
                    |edge: &Option<Edge>| edge.as_ref().map_or_else(|| "-".to_string(), Edge::to_string);
                let variant = edge.variant.as_deref().unwrap_or("");
                list.add_row([&edge.bet, variant, &shown(&edge.before), &shown(&edge.after)]);
            }
            print_table(out, &list)?;
        }
        let of = |what| self.changes.iter().filter(|change| change.change == what).count();
        let [added, removed, changed] = [What::Added, What::Removed, What::Changed].map(of);
        let moved = of(What::Reordered);
        match self.changes.is_empty() {
            true => writeln!(out, "\nThey say the same.")?,
            false => writeln!(
                out,
                "\n{changed} changed, {added} added, {removed} removed, {moved} in another order"
            )?,
        }
        writeln!(out, "{} changed, {} as before", count(self.edges.len(), "edge"), self.same_edges)?;
        self.replay.as_ref().map_or(Ok(()), |replay| replay.print(out))
    }
}

impl core::fmt::Display for Book {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} ({}, version {})", self.rulebook, self.name, self.version)
    }
}

impl core::fmt::Display for Edge {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}, {} decks", self.percent, self.decks)
    }
}

impl ChangeJson {
    fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let sign = match self.change {
            What::Added => '+',
            What::Removed => '-',
            What::Changed | What::Reordered => '~',
        };
        let variant = self.variant.as_ref().map(|variant| format!(" [{variant}]")).unwrap_or_default();
        writeln!(out, "  {sign} {}{variant}", if self.id.is_empty() { self.part } else { &self.id })?;
        for AspectJson { about, before, after } in &self.aspects {
            match (before, after) {
                (Some(before), Some(after)) => {
                    writeln!(out, "      {about}\n        - {before}\n        + {after}")?;
                }
                (Some(text), None) | (None, Some(text)) if self.change != What::Changed => {
                    writeln!(out, "      {about}: {text}")?;
                }
                (Some(before), None) => writeln!(out, "      {about}\n        - {before}")?,
                (None, Some(after)) => writeln!(out, "      {about}\n        + {after}")?,
                (None, None) => {}
            }
        }
        Ok(())
    }
}

impl From<&Rulebook> for Book {
    fn from(rulebook: &Rulebook) -> Self {
        let (name, version) = (rulebook.names.en.clone(), rulebook.version.clone());
        Self { rulebook: rulebook.id.clone(), name, version }
    }
}

impl From<Change> for ChangeJson {
    fn from(change: Change) -> Self {
        let part = change.part().key();
        let whole = |item: Item, change: What| {
            let aspects = item.aspects.into_iter().map(|aspect| {
                let (text, is_new) = (Some(aspect.text), change == What::Added);
                let (before, after) = if is_new { (None, text) } else { (text, None) };
                AspectJson { about: aspect.name, before, after }
            });
            Self { part, variant: item.variant, id: item.id, change, aspects: aspects.collect() }
        };
        match change {
            Change::Added(item) => whole(item, What::Added),
            Change::Removed(item) => whole(item, What::Removed),
            Change::Changed { variant, id, aspects, .. } => {
                let aspects = aspects.into_iter().map(|Differing { name, before, after }| AspectJson {
                    about: name,
                    before,
                    after,
                });
                Self { part, variant, id, change: What::Changed, aspects: aspects.collect() }
            }
            Change::Reordered { variant, before, after, .. } => {
                let order = |ids: Vec<String>| Some(ids.join(" "));
                let about = "order".to_string();
                let aspects = vec![AspectJson { about, before: order(before), after: order(after) }];
                Self { part, variant, id: String::new(), change: What::Reordered, aspects }
            }
        }
    }
}

/// The games of both by their variant, also those that only one has.
fn pairs<'r>(
    before: &'r Rulebook,
    after: &'r Rulebook,
) -> impl Iterator<Item = (Option<&'r Game>, Option<&'r Game>)> {
    let twin = |of: &'r Rulebook, game: &Game| of.games.iter().find(|other| variant(other) == variant(game));
    let old = before.games.iter().map(move |game| (Some(game), twin(after, game)));
    let new = after.games.iter().filter(move |game| twin(before, game).is_none());
    old.chain(new.map(|game| (None, Some(game))))
}

fn variant(game: &Game) -> Option<&str> {
    game.variant.as_ref().map(|variant| variant.id.as_str())
}

/// A bet or a line of insurance with its edge from the shoe that its rulebook deals from.
#[derive(Clone)]
struct Priced {
    variant: Option<String>,
    bet: String,
    decks: u8,
    /// Nothing if the cards never lead to it.
    edge: Option<Fraction>,
}

impl Priced {
    fn shown(self) -> Option<Edge> {
        let edge = self.edge?;
        Some(Edge {
            decks: self.decks,
            edge: decimal(&edge),
            edge_exact: edge.to_string(),
            percent: percent(&edge, 4),
        })
    }
}

fn priced(rulebook: &Rulebook, game: &Game) -> anyhow::Result<Vec<Priced>> {
    let decks = decks::default_of(rulebook)?;
    let sheet = OddsSheet::new(rulebook, game, Stock::of_decks(decks))?;
    let one = |bet: String, edge: Option<Fraction>| Priced {
        variant: variant(game).map(str::to_string),
        bet,
        decks: decks.number(),
        edge,
    };
    let bets = sheet.bets.iter().map(|bet| one(bet.par.bet.clone(), Some(bet.par.edge.clone())));
    let insurance = sheet.insurance.iter().map(|line| {
        let (side, stage) = (line.side.key(), line.stage.key());
        let counts = format!("{} v {}", line.banker_points, line.player_points);
        one(format!("{side}-insurance {stage} {counts}"), line.edge())
    });
    Ok(bets.chain(insurance).collect())
}
