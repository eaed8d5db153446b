//! Cases as text that a pit manager could read: one command a line, and after `=>` what it leads to.
//!
//! `pit-manager 30: take-over => gathering [8.1 8.2]` is accepted, leaves the case gathering and rests on
//! those clauses; `dealer 1: decide law X => rank-too-low [8.4 8.1 8.2]` is refused. A line without `=>`
//! has to be accepted. Every command is given at 1000 seconds.
#![expect(clippy::panic, clippy::unwrap_used, reason = "helpers fail a test by panicking")]

use croupier_ledger::{CaseId, RoundId, TableId, TransferId};
use croupier_rules::{Amount, Basis, Library, Rulebook};
use croupier_table::actor::{Actor, PersonId, PlayerId, Rank, Staff};
use croupier_table::authority::Authority;
use croupier_table::case::*;

pub(crate) const NOW: u64 = 1000;
pub(crate) const PLAYER: PlayerId = PlayerId(7);
pub(crate) const TABLE: TableId = TableId(3);
pub(crate) const CASE: CaseId = CaseId(9);

/// A case on its way.
pub(crate) struct Desk<'a> {
    pub(crate) authority: Authority<'a>,
    pub(crate) case: Option<Case>,
    pub(crate) events: Vec<CaseEvent>,
}

/// What became of a line: what it did, and on what that rests.
pub(crate) type Answer = Result<Vec<CaseEvent>, CaseRefusal>;

impl<'a> Desk<'a> {
    pub(crate) fn new(library: &'a Library, game: &str) -> Self {
        let (rulebook, game) = library.find(game).unwrap();
        Self {
            authority: Authority { rulebook, game, residual: None, acting_ranks: false },
            case: None,
            events: Vec::new(),
        }
    }

    /// A desk with a case that has taken these lines.
    pub(crate) fn after(library: &'a Library, game: &str, text: &str) -> Self {
        let mut desk = Self::new(library, game);
        desk.check(text);
        desk
    }

    pub(crate) fn case(&self) -> &Case {
        self.case.as_ref().unwrap()
    }

    pub(crate) fn rulebook(&self) -> &'a Rulebook {
        self.authority.rulebook
    }

    pub(crate) fn check(&mut self, text: &str) {
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (line, expect) = match line.split_once("=>") {
                Some((line, expect)) => (line.trim(), Some(expect.trim())),
                None => (line, None),
            };
            let answer = self.run(line);
            let got = self.says(&answer);
            match expect {
                Some(expect) if expect.contains('[') => assert_eq!(got, expect, "{line}"),
                Some(expect) => assert_eq!(got.split(" [").next(), Some(expect), "{line}"),
                None => assert!(answer.is_ok(), "{line} => {got}"),
            }
        }
    }

    /// Runs one line, and takes over what it did.
    pub(crate) fn run(&mut self, line: &str) -> Answer {
        let answer = match line.strip_prefix("open ") {
            Some(opening) => open(self.authority, &self.opening(opening)),
            None => decide(self.authority, self.case(), &self.command(line)),
        };
        if let Ok(events) = &answer {
            for event in events {
                match &mut self.case {
                    Some(case) => apply(case, event),
                    None => self.case = replay(std::slice::from_ref(event)),
                }
            }
            self.events.extend(events.iter().cloned());
        }
        answer
    }

    pub(crate) fn says(&self, answer: &Answer) -> String {
        match answer {
            Ok(events) => format!("{} [{}]", self.case().state, self.ids(&events[0].cites)),
            Err(refusal) => format!("{} [{}]", refusal.code(), self.ids(refusal.cites())),
        }
    }

    pub(crate) fn ids(&self, cites: &[Basis]) -> String {
        cites.iter().map(|basis| self.rulebook().index.id(*basis)).collect::<Vec<_>>().join(" ")
    }

    /// `player: wager`, `dealer 1: ruling pit-manager 30`, `player: round 41 100 180`, `player: round-unnamed`.
    fn opening(&self, text: &str) -> Opening {
        let (by, matter) = text.split_once(": ").unwrap();
        let words: Vec<&str> = matter.split(' ').collect();
        let round = Some(DisputedRound { id: RoundId(41), from: 100, to: 180 });
        let (matter, round) = match words[..] {
            ["wager"] => (Matter::Wager, round),
            ["wager", "without", "round"] => (Matter::Wager, None),
            ["ruling", rank, person] => {
                (Matter::Ruling { by: Actor::Staff(self.staff(rank, person)) }, round)
            }
            ["ruling", "system"] => (Matter::Ruling { by: Actor::System }, round),
            ["round", "unnamed"] => (Matter::Round, None),
            ["round", from, to] => {
                let (from, to) = (number(from), number(to));
                (Matter::Round, Some(DisputedRound { id: RoundId(41), from, to }))
            }
            ["silence"] => (Matter::Wager, None),
            _ => panic!("no such opening: {text}"),
        };
        let words = if words == ["silence"] { "  " } else { "Banker was paid as a loss" };
        let about = Subject {
            table: TABLE,
            rulebook: RulebookVersion::of(self.rulebook()),
            round,
            player: PLAYER,
            matter,
            ruled_by: Vec::new(),
            words: words.to_string(),
        };
        Opening { case: CASE, at: NOW, by: self.actor(by), about }
    }

    pub(crate) fn command(&self, line: &str) -> CaseCommand {
        let (by, order) = line.split_once(": ").unwrap();
        CaseCommand { at: NOW, by: self.actor(by), order: self.order(order) }
    }

    pub(crate) fn actor(&self, text: &str) -> Actor {
        match text {
            "player" => Actor::Player(PLAYER),
            "another-player" => Actor::Player(PlayerId(8)),
            "system" => Actor::System,
            "device" => Actor::Device,
            "surveillance" => Actor::Surveillance,
            _ => {
                let (rank, person) = text.split_once(' ').unwrap();
                Actor::Staff(self.staff(rank, person))
            }
        }
    }

    /// `dealer>pit-manager` is a Dealer who acts as Pit Manager.
    fn staff(&self, rank: &str, person: &str) -> Staff {
        let place = |id: &str| Rank(self.rulebook().rank(id).unwrap());
        let (rank, acting) = match rank.split_once('>') {
            Some((rank, acting)) => (place(rank), Some(place(acting))),
            None => (place(rank), None),
        };
        Staff { person: person_id(person), rank, acting }
    }

    pub(crate) fn order(&self, text: &str) -> CaseOrder {
        let (act, rest) = text.split_once(' ').unwrap_or((text, ""));
        let act = CaseAct::ALL.iter().find(|known| known.key() == act).unwrap();
        let words = rest.to_string();
        match act {
            CaseAct::Assign => {
                let (rank, person) = rest.split_once(' ').unwrap();
                CaseOrder::Assign { to: self.staff(rank, person) }
            }
            CaseAct::Settle => CaseOrder::Settle { words },
            CaseAct::Escalate => CaseOrder::Escalate { words },
            CaseAct::TakeOver => CaseOrder::TakeOver,
            CaseAct::GatherFact => CaseOrder::GatherFact { words },
            CaseAct::Attach => CaseOrder::Attach { evidence: evidence(rest) },
            CaseAct::HearPlayer => CaseOrder::HearPlayer { words },
            CaseAct::HearStaff => CaseOrder::HearStaff { words },
            CaseAct::MissPlayer => CaseOrder::MissPlayer { words },
            CaseAct::MissStaff => CaseOrder::MissStaff { words },
            CaseAct::InformSurveillance => CaseOrder::InformSurveillance,
            CaseAct::TellDue => CaseOrder::TellDue {
                due: match rest.strip_prefix("because") {
                    Some(reason) => Due::NotTold { reason: reason.to_string() },
                    None => Due::By(number(rest)),
                },
            },
            CaseAct::CompleteGathering => CaseOrder::CompleteGathering,
            CaseAct::AskMoreEvidence => CaseOrder::AskMoreEvidence { words },
            CaseAct::Decide => {
                let [grounds, reasoning, money] = parts(rest);
                let grounds = split(&grounds, ", ").map(|text| self.ground(text)).collect();
                CaseOrder::Decide { grounds, reasoning, corrections: corrections(&money) }
            }
            CaseAct::Agree => CaseOrder::Agree,
            CaseAct::Disagree => CaseOrder::Disagree,
            CaseAct::PostCorrections => {
                let (through, transfers) = posting(rest);
                CaseOrder::PostCorrections { through, transfers }
            }
            CaseAct::TellRight => CaseOrder::TellRight,
            CaseAct::WishComplaint => CaseOrder::WishComplaint,
            CaseAct::DeclineComplaint => CaseOrder::DeclineComplaint,
            CaseAct::NameHelper => CaseOrder::NameHelper { helper: person_id(rest) },
            CaseAct::FileComplaint => CaseOrder::FileComplaint { reference: words },
            CaseAct::AnswerComplaint => {
                let [words, money, ids] = parts(rest);
                let (through, transfers) = posting(&ids);
                CaseOrder::AnswerComplaint { words, corrections: corrections(&money), through, transfers }
            }
        }
    }

    fn ground(&self, text: &str) -> Ground {
        let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
        let reference = rest.to_string();
        match kind {
            "rules" => {
                let (clause, version) = rest.split_once('@').unwrap_or((rest, &self.rulebook().version));
                Ground::Rules { clause: clause.to_string(), version: version.to_string() }
            }
            "published" => Ground::Published { reference },
            "procedures" => Ground::Procedures { reference },
            "controls" => Ground::Controls { reference },
            "statements" => Ground::Statements,
            "surveillance" => Ground::Surveillance { reference },
            "evidence" => Ground::Evidence(evidence(rest)),
            "law" => Ground::Law { citation: reference },
            _ => panic!("no such ground: {text}"),
        }
    }
}

/// `round-file 41`, `journal 100 180`, `surveillance CAM-5`, `document receipt R-1`.
fn evidence(text: &str) -> Evidence {
    let words: Vec<&str> = text.split(' ').collect();
    let own = |text: &str| text.to_string();
    match words[..] {
        ["round-file", round] => Evidence::RoundFile { table: TABLE, round: RoundId(number(round)) },
        ["journal", from, to] => Evidence::Journal { table: TABLE, from: number(from), to: number(to) },
        ["shoe", reference] => Evidence::ShoeFeed { reference: own(reference) },
        ["surveillance", reference] => Evidence::Surveillance { reference: own(reference) },
        ["published", reference] => Evidence::Published { reference: own(reference) },
        ["document", kind, reference] => Evidence::Document { kind: own(kind), reference: own(reference) },
        ["published"] => Evidence::Published { reference: String::new() },
        _ => panic!("no such evidence: {text}"),
    }
}

/// `7 +50, 8 -20`.
fn corrections(text: &str) -> Vec<Correction> {
    split(text, ", ")
        .map(|text| {
            let (player, minor) = text.split_once(' ').unwrap();
            let amount = Amount::new(minor.parse().unwrap()).unwrap();
            Correction { player: PlayerId(player.parse().unwrap()), amount }
        })
        .collect()
}

/// `table 501 502`.
fn posting(text: &str) -> (Through, Vec<TransferId>) {
    let mut words = split(text, " ");
    let through = match words.next() {
        Some("cage") => Through::Cage,
        _ => Through::Table,
    };
    (through, words.map(|id| TransferId(number(id))).collect())
}

fn parts(text: &str) -> [String; 3] {
    let mut parts = text.split(" | ").map(str::to_string);
    [(); 3].map(|()| parts.next().unwrap_or_default())
}

fn split<'t>(text: &'t str, by: &'t str) -> impl Iterator<Item = &'t str> {
    text.split(by).filter(|part| !part.is_empty())
}

fn person_id(text: &str) -> PersonId {
    PersonId(text.parse().unwrap())
}

fn number(text: &str) -> u64 {
    text.parse().unwrap()
}
