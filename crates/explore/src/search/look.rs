//! What is looked at in a situation, and how it is told.

use croupier_rules::clause::Basis;
use croupier_rules::irregularity::Ruling;
use croupier_rules::{Irregularity, Rulebook};
use croupier_table::table::Hold;
use croupier_table::{Action, Actor, Event, Fact, Refusal, Table};

use crate::due::Move;
use crate::finding::{Found, Kind};
use crate::world::World;

/// Staff come on duty, the house has chips, and the players sit down with theirs.
#[must_use]
pub fn prelude(world: &World) -> Vec<Move> {
    let dealer = world.dealer();
    let highest = world.staff.last().copied().map_or(dealer, Actor::Staff);
    let mut moves: Vec<Move> =
        world.staff.iter().map(|staff| (Actor::Staff(*staff), Action::SignOn(*staff))).collect();
    let witness = match dealer {
        Actor::Staff(staff) => staff.person,
        Actor::Player(_) | Actor::Device | Actor::System | Actor::Surveillance | Actor::Display => {
            world.witness()
        }
    };
    moves.push((highest, Action::Fill { amount: World::riches(), witness }));
    for (player, seat) in world.players.iter().copied().zip(1..) {
        moves.push((Actor::Player(player), Action::Sit { player, seat }));
        let amount = World::riches();
        moves.push((Actor::Player(player), Action::BuyIn { player, amount, cash: false }));
    }
    moves
}

/// Which rulings on what is on hold nobody could make.
#[derive(Default)]
pub(super) struct Held {
    denied: Vec<Ruling>,
    refused: Vec<String>,
}

impl Held {
    /// Everybody on duty has tried to make a ruling; no refusal is left if somebody could.
    pub(super) fn tried(&mut self, ruling: &Ruling, refusals: &[Refusal]) {
        let Some(last) = refusals.last() else { return };
        if refusals.iter().all(|refusal| refusal.code() == "not-authorised") {
            if !self.denied.contains(ruling) {
                self.denied.push(ruling.clone());
            }
        } else {
            self.refused.push(format!("{} ({last})", describe(ruling)));
        }
    }

    /// What that shows.
    pub(super) fn found(self, table: &Table, stuck: bool) -> Vec<Found> {
        let Some(hold) = &table.hold else { return Vec::new() };
        let rulebook = table.rulebook();
        let name = situation(rulebook, hold);
        let rule = rulebook.irregularity(hold.irregularity);
        let cites: Vec<Basis> = rule.map(|rule| rule.cites.clone()).unwrap_or_default();
        let found = |kind, what: String, cites: &[Basis]| Found {
            kind,
            what,
            irregularity: Some(hold.irregularity),
            cites: cites.to_vec(),
        };
        let mut all = Vec::new();
        for ruling in &self.denied {
            let what = format!("{name}: {} needs {}", describe(ruling), needed(table, ruling));
            all.push(found(Kind::NobodyMay, what, &ruling.cites));
        }
        if stuck && self.denied.is_empty() {
            let why = if self.refused.is_empty() {
                "the rulebook lists no ruling for this table".to_string()
            } else {
                format!("none of its rulings can be made: {}", self.refused.join(", "))
            };
            all.push(found(Kind::NoRuling, format!("{name}: {why}"), &cites));
        }
        let free: Vec<&Ruling> = croupier_table::allowed_rulings(table)
            .into_iter()
            .filter(|ruling| ruling.needs.is_none())
            .collect();
        if let [one, other, ..] = free.as_slice() {
            let what = format!("{name}: {} or {}, and no rank to choose", describe(one), describe(other));
            all.push(found(Kind::Contradiction, what, &cites));
        }
        if is_residual(rulebook, hold) {
            all.push(found(Kind::Residual, name, &cites));
        }
        all
    }
}

/// Whether only the clause for everything else rules on it.
fn is_residual(rulebook: &Rulebook, hold: &Hold) -> bool {
    hold.irregularity == Irregularity::Other || !rulebook.lists(hold.irregularity)
}

/// What is on hold, in words.
fn situation(rulebook: &Rulebook, hold: &Hold) -> String {
    let is_listed = |told: &str| rulebook.irregularities.iter().any(|rule| rule.irregularity.says() == told);
    let says = hold.irregularity.says().trim_end_matches('.');
    match (hold.irregularity, hold.told.as_str()) {
        (Irregularity::Other, "") => "something else that the rules do not cover".to_string(),
        // What has a clause of its own was told at a moment of which that clause does not speak.
        (Irregularity::Other, told) if is_listed(told) => {
            format!("{}, at a moment of which its clause does not speak", told.trim_end_matches('.'))
        }
        (Irregularity::Other, told) => told.trim_end_matches('.').to_string(),
        (_, _) => says.to_string(),
    }
}

fn describe(ruling: &Ruling) -> String {
    let option = if ruling.withdrawal.is_some() { " with withdrawal" } else { "" };
    format!("{}{option}", ruling.remedy)
}

/// The rank that a ruling needs, in words.
fn needed(table: &Table, ruling: &Ruling) -> String {
    let residual = table.setup.residual.map(|rank| rank.0);
    let rank = ruling.needs.and_then(|needs| table.rulebook().needed_rank(needs, residual));
    let rank = rank.and_then(|rank| table.rulebook().ranks.get(usize::from(rank)));
    rank.map_or_else(|| "a rank that nobody has".to_string(), |rank| format!("the {}", rank.names.en))
}

/// A ruling was made by a rank that may not make it.
pub(super) fn heard(table: &Table, ruling: &Ruling) -> Found {
    bare(table, Kind::Invariant, format!("14: a rank too low was heard on {}", describe(ruling)))
}

/// A situation in which nothing that is due is accepted.
pub(super) fn stuck(table: &Table) -> Found {
    let open = table.round.wagers.iter().any(|laid| laid.ended.is_none())
        || table.round.insurances.iter().any(|laid| laid.ended.is_none());
    let kind = if open { Kind::OpenWager } else { Kind::NoWayOut };
    let what = format!("in {} nothing goes on", table.phase());
    bare(table, kind, what)
}

/// A situation from which play goes on for ever and comes to no next round.
pub(super) fn circling(table: &Table) -> Found {
    bare(table, Kind::NoWayOut, format!("from {} no next round is reached", table.phase()))
}

/// What has happened is refused.
pub(super) fn refused(table: &Table, action: &Action, refusal: &Refusal) -> Found {
    let name = match action {
        Action::Report(report) => format!("report {}", word(&format!("{report:?}"))),
        other => word(&format!("{other:?}")),
    };
    let what = format!("{name} in {} is refused: {refusal}", table.phase());
    Found { cites: refusal.cites.clone(), ..bare(table, Kind::Refused, what) }
}

/// The first word of a type's text.
fn word(text: &str) -> String {
    text.chars().take_while(|letter| letter.is_alphanumeric()).collect()
}

fn bare(table: &Table, kind: Kind, what: String) -> Found {
    let irregularity = table.hold.as_ref().map(|hold| hold.irregularity);
    let rule = irregularity.and_then(|irregularity| table.rulebook().irregularity(irregularity));
    Found { kind, what, irregularity, cites: rule.map(|rule| rule.cites.clone()).unwrap_or_default() }
}

/// What a report amounts to.
pub(super) fn raised(events: &[Event]) -> Option<Irregularity> {
    events.iter().find_map(|event| match &event.fact {
        Fact::Irregular { irregularity, .. } => Some(*irregularity),
        _ => None,
    })
}

/// Two reports whose order decides what may become of the round.
pub(super) fn disagree(table: &Table, mut pair: [Irregularity; 2]) -> Found {
    pair.sort_by_key(|irregularity| irregularity.key());
    let [one, other] = pair;
    let rulebook = table.rulebook();
    let rules = pair.into_iter().filter_map(|irregularity| rulebook.irregularity(irregularity));
    let mut cites: Vec<Basis> = rules.flat_map(|rule| rule.cites.iter().copied()).collect();
    cites.dedup();
    let what = format!("{one} and {other}: which is reported first decides what may become of the round");
    Found { kind: Kind::Order, what, irregularity: Some(one), cites }
}
