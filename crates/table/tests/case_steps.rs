//! Every state of a case against every command, and random cases.
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

#[path = "case/desk.rs"]
mod desk;

use croupier_rules::Library;
use croupier_table::actor::{Actor, PersonId, PlayerId, Rank, Staff};
use croupier_table::case::*;
use desk::{Desk, NOW, PLAYER};
use proptest::prelude::*;

const GAMES: [&str; 5] = [
    "hoiana-baccarat/commission",
    "hoiana-dragon-tiger/commission",
    "hoiana-niu-niu",
    "mbs-dragon-tiger",
    "horseshoe-dragon-bonus",
];

/// For each command a way to say it that is right wherever the command has its place.
const ORDERS: [&str; 24] = [
    "assign dealer-inspector 20",
    "settle all agree",
    "escalate no agreement",
    "take-over",
    "gather-fact a six",
    "attach shoe S-4",
    "hear-player a six",
    "hear-staff a nine",
    "miss-player ann has left",
    "miss-staff nobody saw it",
    "inform-surveillance",
    "tell-due 4600",
    "complete-gathering",
    "ask-more-evidence the shoe's record",
    "decide law X | because",
    "agree",
    "disagree",
    "post-corrections table",
    "tell-right",
    "wish-complaint",
    "decline-complaint",
    "name-helper 1",
    "file-complaint C-1",
    "answer-complaint no",
];

/// Each stage of a case; the stage before it and the command between them; and which commands lead from it to
/// which state. Several stages share a state where something else of the case has changed.
const STATES: &[(&str, &str, &str)] = &[
    ("opened", "", "assign first-line"),
    ("first-line", "opened assign dealer-inspector 20", "settle closed, escalate escalated"),
    ("settled", "first-line settle all agree", ""),
    ("escalated", "first-line escalate no agreement", "take-over gathering"),
    (
        "gathering",
        "escalated take-over",
        "gather-fact gathering, attach gathering, hear-player gathering, hear-staff gathering, \
         miss-player gathering, miss-staff gathering, inform-surveillance gathering, tell-due gathering",
    ),
    (
        "with facts",
        "gathering gather-fact a six",
        "gather-fact gathering, attach gathering, hear-player gathering, hear-staff gathering, \
         miss-player gathering, miss-staff gathering, inform-surveillance gathering, tell-due gathering",
    ),
    (
        "informed",
        "with facts inform-surveillance",
        "gather-fact gathering, attach gathering, hear-player gathering, hear-staff gathering, \
         miss-player gathering, miss-staff gathering, tell-due gathering",
    ),
    (
        "gathered",
        "informed tell-due 4600",
        "gather-fact gathering, attach gathering, hear-player gathering, hear-staff gathering, \
         miss-player gathering, miss-staff gathering, tell-due gathering, complete-gathering under-review",
    ),
    ("under-review", "gathered complete-gathering", "ask-more-evidence gathering, decide decided"),
    ("decided", "under-review decide law X | because", "agree accepted, disagree rights-informed"),
    ("accepted", "decided agree", "post-corrections closed"),
    ("posted", "accepted post-corrections table", ""),
    ("disagreed", "decided disagree", "tell-right rights-informed"),
    ("right told", "disagreed tell-right", "wish-complaint assisting, decline-complaint closed"),
    ("declined", "right told decline-complaint", ""),
    ("wished", "right told wish-complaint", "name-helper assisting"),
    ("assisting", "wished name-helper 1", "name-helper assisting, file-complaint complaint-filed"),
    ("complaint-filed", "assisting file-complaint C-1", "answer-complaint closed"),
    ("answered", "complaint-filed answer-complaint no", ""),
];

/// The lines that lead to a state, each by somebody of the highest rank.
fn lines(name: &str, rank: &str) -> String {
    let (_, way, _) = STATES.iter().find(|(state, _, _)| *state == name).unwrap();
    if way.is_empty() {
        return "open player: wager\n".to_string();
    }
    let before = STATES.iter().map(|(state, _, _)| *state).filter(|state| way.starts_with(state));
    let before = before.max_by_key(|state| state.len()).unwrap();
    // Each step by a person of its own, so that nobody judges in a matter of his own.
    let lines = lines(before, rank);
    let person = 100 + lines.lines().count();
    format!("{lines}{rank} {person}: {}\n", way[before.len()..].trim())
}

#[test]
fn every_state_against_every_command() {
    let library = Library::standard();
    for game in &GAMES[..3] {
        let mut seen = Vec::new();
        for (state, _, leads) in STATES {
            let way = lines(state, "senior-management");
            seen.push(Desk::after(&library, game, &way).case().state);
            let mut possible = Vec::new();
            for order in ORDERS {
                let mut desk = Desk::after(&library, game, &way);
                let before = desk.case().clone();
                let act = desk.order(order).act();
                let expect =
                    leads.split(", ").find_map(|lead| lead.strip_prefix(act.key())?.strip_prefix(' '));
                let answer = desk.run(&format!("senior-management 200: {order}"));
                match (expect, &answer) {
                    (Some(to), Ok(_)) => {
                        assert_eq!(desk.case().state.key(), to, "{state}: {order}");
                        possible.push(act);
                    }
                    (None, Err(refusal)) => {
                        assert_eq!(*desk.case(), before);
                        assert_eq!(refusal.code(), why(state, act), "{state}: {order}");
                    }
                    (_, answer) => panic!("{state}: {order}: {answer:?}"),
                }
            }
            let desk = Desk::after(&library, game, &way);
            let legal: Vec<CaseAct> = legal(desk.authority, desk.case()).iter().map(|it| it.act).collect();
            assert_eq!(legal, possible, "{state}");
        }
        assert!(CaseState::ALL.iter().all(|state| seen.contains(state)));
    }
}

/// Why a command that does not lead on is refused.
fn why(state: &str, act: CaseAct) -> &'static str {
    match (state, act) {
        ("disagreed", _) => "right-not-told",
        ("right told", CaseAct::TellRight) => "already-told",
        ("wished", CaseAct::FileComplaint) => "no-helper",
        ("gathering", CaseAct::Decide | CaseAct::CompleteGathering) => "facts-missing",
        ("with facts", CaseAct::Decide | CaseAct::CompleteGathering) => "surveillance-not-informed",
        ("informed", CaseAct::Decide | CaseAct::CompleteGathering) => "due-time-missing",
        ("informed" | "gathered", CaseAct::InformSurveillance) => "already-informed",
        _ => "wrong-state",
    }
}

#[test]
fn orders_are_one_of_each_kind() {
    let library = Library::standard();
    let desk = Desk::new(&library, GAMES[0]);
    let acts: Vec<CaseAct> = ORDERS.iter().map(|order| desk.order(order).act()).collect();
    assert_eq!(acts, CaseAct::ALL);
}

#[test]
fn what_may_be_done_names_the_rank_and_the_clause() {
    let library = Library::standard();
    for game in &GAMES[..3] {
        let check = |state: &str, expect: &str| {
            let desk = Desk::after(&library, game, &lines(state, "senior-management"));
            let says = legal(desk.authority, desk.case()).into_iter().map(|it| {
                let rank = it.needs.map_or("nobody", |rank| &desk.rulebook().ranks[usize::from(rank.0)].id);
                let player = if it.player { "player or " } else { "" };
                format!("{} by {player}{rank} [{}]", it.act, desk.ids(&it.cites))
            });
            assert_eq!(says.collect::<Vec<_>>().join("; "), expect, "{game}: {state}");
        };
        check("opened", "assign by dealer [8.1]");
        check("first-line", "settle by dealer-inspector [8.1]; escalate by dealer-inspector [8.1]");
        check("escalated", "take-over by pit-manager [8.1 8.2]");
        check(
            "under-review",
            "ask-more-evidence by pit-manager [8.2 8.1]; decide by pit-manager [8.4 8.1 8.2]",
        );
        check(
            "decided",
            "agree by player or pit-manager [8.1 8.2]; disagree by player or pit-manager [8.5 8.1 8.2]",
        );
        check("disagreed", "tell-right by pit-manager [8.5 8.1 8.2]");
        check("assisting", "name-helper by dealer [8.6]; file-complaint by player or dealer [8.5 8.6]");
        check("complaint-filed", "answer-complaint by senior-management [8.5]");
        check("answered", "");
    }
}

/// From what an attempt chooses its command.
#[derive(Clone, Copy, Debug)]
enum Choice {
    /// What may be done now.
    Legal,
    /// The last of it, which leads on.
    Onward,
    /// What has its place in the state, even if something has to come first.
    State,
    /// Everything.
    All,
}

/// One attempt to give a command.
#[derive(Clone, Debug)]
struct Attempt {
    from: Choice,
    pick: usize,
    actor: usize,
    order: usize,
}

fn attempts() -> impl Strategy<Value = Vec<Attempt>> {
    let from = prop_oneof![
        3 => Just(Choice::Legal),
        3 => Just(Choice::Onward),
        2 => Just(Choice::State),
        1 => Just(Choice::All),
    ];
    let one = (from, 0..100_usize, 0..100_usize, 0..200_usize)
        .prop_map(|(from, pick, actor, order)| Attempt { from, pick, actor, order });
    prop::collection::vec(one, 0..100)
}

/// More ways to say things, right and wrong.
const VARIANTS: [&str; 16] = [
    "settle",
    "gather-fact",
    "attach journal 5 4",
    "attach round-file 41",
    "attach surveillance CAM-5",
    "tell-due 1",
    "tell-due because",
    "tell-due because of the police",
    "decide",
    "decide statements, surveillance CAM-5, evidence round-file 41 | because | 7 +50",
    "decide rules 0 | because",
    "decide controls ICS | because | 7 +9007199254740991, 8 -9007199254740991",
    "post-corrections cage 1",
    "post-corrections table 1 2",
    "file-complaint",
    "answer-complaint yes | 7 +5 | cage 9",
];

fn actor(desk: &Desk<'_>, pick: usize) -> Actor {
    let ranks = desk.rulebook().ranks.len();
    match pick % 12 {
        0 => Actor::Player(PLAYER),
        1 => Actor::Player(PlayerId(8)),
        2 => [Actor::System, Actor::Device, Actor::Surveillance][pick / 8 % 3],
        3 => Actor::Staff(Staff {
            person: PersonId(1),
            rank: Rank(0),
            // A rank that no rulebook has, too.
            acting: u8::try_from(pick).ok().map(Rank),
        }),
        _ => {
            let rank = u8::try_from(ranks - 1 - pick / 8 % 2).unwrap();
            let person = PersonId(u32::try_from(pick % 12).unwrap());
            Actor::Staff(Staff { person, rank: Rank(rank), acting: None })
        }
    }
}

fn order(desk: &Desk<'_>, attempt: &Attempt) -> CaseOrder {
    let first = desk.rulebook().ranks[1].id.clone();
    let orders =
        || ORDERS.iter().chain(&VARIANTS).map(|order| desk.order(&order.replace("dealer-inspector", &first)));
    let legal = || legal(desk.authority, desk.case()).into_iter().map(|possible| possible.act);
    let acts: Vec<CaseAct> = match attempt.from {
        Choice::Legal => legal().collect(),
        Choice::Onward => legal().next_back().into_iter().collect(),
        Choice::State => CaseAct::of(desk.case().state).collect(),
        Choice::All => CaseAct::ALL.to_vec(),
    };
    // Nothing is left to do with a closed case.
    let act = if acts.is_empty() { CaseAct::TakeOver } else { acts[attempt.pick % acts.len()] };
    let fitting: Vec<CaseOrder> = orders().filter(|order| order.act() == act).collect();
    fitting[attempt.order % fitting.len()].clone()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_cases_keep_to_the_rules(game in 0..GAMES.len(), attempts in attempts()) {
        let library = library();
        let mut desk = Desk::after(library, GAMES[game], "open player: ruling dealer 4");
        for attempt in &attempts {
            let (by, order) = (actor(&desk, attempt.actor), order(&desk, attempt));
            let (act, before) = (order.act(), desk.case().clone());
            match decide(desk.authority, &before, &CaseCommand { at: NOW, by, order }) {
                Ok(events) => {
                    let listed = legal(desk.authority, &before).iter().any(|possible| possible.act == act);
                    prop_assert!(listed, "{act} was done but not listed");
                    for event in events {
                        holds(&before, &event)?;
                        apply(desk.case.as_mut().unwrap(), &event);
                        desk.events.push(event);
                    }
                }
                Err(refusal) => {
                    prop_assert!(CaseRefusal::CODES.contains(&refusal.code()));
                    prop_assert!(!refusal.to_string().is_empty());
                }
            }
            let case = desk.case();
            prop_assert_eq!(case.state == CaseState::Closed, case.end.is_some());
            prop_assert_eq!(&case.about, &before.about);
        }
        let happened = |change: &CaseChange| desk.events.iter().any(|event| event.change == *change);
        if desk.case().state == CaseState::Closed && happened(&CaseChange::Disagreed) {
            prop_assert!(happened(&CaseChange::RightTold));
        }
        prop_assert_eq!(replay(&desk.events), desk.case);
    }
}

/// What must be true of a case before an event.
fn holds(before: &Case, event: &CaseEvent) -> Result<(), TestCaseError> {
    if let CaseChange::Decided { grounds, .. } = &event.change {
        prop_assert!(!before.facts.is_empty() && before.surveillance.is_some() && before.due.is_some());
        prop_assert!(!grounds.is_empty());
        let Actor::Staff(staff) = event.by else { return Err(TestCaseError::fail("decided by nobody")) };
        prop_assert!(staff.person != PersonId(4) && !before.first_line.contains(&staff.person));
    }
    if before.state == CaseState::RightsInformed && before.right_told.is_none() {
        prop_assert_eq!(&event.change, &CaseChange::RightTold);
    }
    if let CaseChange::ComplaintFiled { .. } = event.change {
        prop_assert!(before.helper.is_some());
    }
    Ok(())
}

fn library() -> &'static Library {
    static LIBRARY: std::sync::OnceLock<Library> = std::sync::OnceLock::new();
    LIBRARY.get_or_init(Library::standard)
}

#[test]
fn events_that_do_not_begin_with_an_opening_are_no_case() {
    let library = Library::standard();
    let desk = Desk::after(&library, GAMES[0], &lines("answered", "senior-management"));
    assert_eq!(replay(&[]), None);
    assert_eq!(replay(&desk.events[1..]), None);
    assert_eq!(replay(&desk.events).as_ref(), Some(desk.case()));
}
