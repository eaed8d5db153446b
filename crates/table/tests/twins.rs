//! Two tables with the same public history and different closed cards cannot be told apart: every audience but
//! surveillance has the same view, every command gets the same answer, and everybody hears the same.
//!
//! With `CROUPIER_LONG` twenty times as many pairs are played.
#![expect(clippy::unwrap_used, reason = "what is not there is a failed test")]

#[path = "invariants/mod.rs"]
#[expect(dead_code, reason = "the books and the counts are for the random tables")]
mod room;

use std::collections::BTreeMap;

use croupier_cards::Card;
use croupier_rules::baccarat::Side;
use croupier_rules::setting::Setting;
use croupier_table::{
    Action, Actor, Command, Event, Fact, Phase, PlayerId, Report, Table, Value, Views, apply, decide,
};
use room::any::{SIDES, member};
use room::floor::Floor;
use room::opening::open_changed;
use room::random::Random;

/// The tables at which hands lie closed, with the setting that makes them so.
const CLOSED: [(&str, Setting, &str); 6] = [
    ("hoiana-baccarat/commission", Setting::Squeeze, "on"),
    ("hoiana-baccarat/non-commission", Setting::Squeeze, "on"),
    ("hoiana-dragon-tiger/commission", Setting::Squeeze, "on"),
    ("hoiana-dragon-tiger/non-commission", Setting::Squeeze, "on"),
    ("mbs-dragon-tiger", Setting::Method, "A"),
    ("mbs-dragon-tiger", Setting::Method, "C"),
];

/// Whether everybody sees the cards of an event: a closed card shows only in what surveillance and the record have.
fn told(before: &Table, event: &Event) -> String {
    let hide =
        |card: Option<Card>, exposed: bool| if exposed { format!("{card:?}") } else { "closed".to_string() };
    let face_down = before.deals_face_down();
    match &event.fact {
        Fact::Drawn { card, side, misplaced, exposed, source } => {
            format!("drawn {} {side:?} {misplaced:?} {source:?}", hide(*card, *exposed))
        }
        Fact::SurplusDrawn { card, on, exposed } => format!("surplus {} {on:?}", hide(*card, *exposed)),
        Fact::StrayDrawn { card, on, exposed } => format!("stray {} {on:?}", hide(*card, *exposed)),
        Fact::DrawnTogether { cards, order_known } if face_down => {
            format!("{} together {order_known}", cards.len())
        }
        Fact::TogetherWait { cards } if face_down => format!("{} wait", cards.len()),
        Fact::Ruled { remedy, with_withdrawal, .. } => format!("ruled {remedy} {with_withdrawal}"),
        Fact::Corrected { draw, .. } => {
            let known = before.round.draws.get(usize::from(*draw) - 1).is_some_and(|dealt| dealt.exposed);
            if known { format!("{:?}", event.fact) } else { format!("corrected {draw}") }
        }
        fact => format!("{fact:?}"),
    }
}

/// A pair of tables; the second has other cards wherever people do not see them.
struct Twins {
    tables: [Table; 2],
    given: BTreeMap<&'static str, u64>,
}

impl Twins {
    /// Gives both the same command, but for the cards that nobody but the reader knows.
    fn give(&mut self, commands: [Command; 2]) -> bool {
        let [one, two] = &self.tables;
        let answers = [decide(one, &commands[0]), decide(two, &commands[1])];
        let heard: Vec<Result<Vec<String>, String>> = answers
            .iter()
            .zip(&self.tables)
            .map(|(answer, table)| match answer {
                Ok(events) => {
                    let mut now = table.clone();
                    let mut heard = Vec::new();
                    for event in events {
                        heard.push(format!("{} {:?}", told(&now, event), event.cites));
                        apply(&mut now, event);
                    }
                    Ok(heard)
                }
                Err(refusal) => Err(format!("{refusal} {:?}", refusal.cites)),
            })
            .collect();
        assert_eq!(heard[0], heard[1], "{:?}\nand {:?}", commands[0], commands[1]);
        let taken = answers[0].is_ok();
        for (table, answer) in self.tables.iter_mut().zip(answers) {
            for event in answer.into_iter().flatten() {
                apply(table, &event);
            }
        }
        if taken {
            self.same_views();
        }
        taken
    }

    fn same_views(&self) {
        let [one, two] = [Views::new(&self.tables[0]), Views::new(&self.tables[1])];
        assert_eq!(one.public(), two.public());
        assert_eq!(one.dealer(), two.dealer());
        assert_eq!(one.pit(), two.pit());
        let holders = self.tables[0].round.squeezers;
        for player in &self.tables[0].players {
            // Who holds a hand sees its cards.
            if !holders.contains(&Some(player.id)) {
                assert_eq!(one.player(player.id), two.player(player.id));
            }
        }
    }
}

/// Cards of which there are plenty at both tables, so that neither is foreign.
fn card(twins: &Twins, random: &mut Random) -> Card {
    let plenty = |card: &Card| twins.tables.iter().all(|table| table.shoe.unread.count(*card) > 2);
    let all: Vec<Card> = (0..Card::COUNT).filter_map(Card::from_index).filter(plenty).collect();
    random.pick(&all)
}

/// Whether a hand has cards that differ between the tables.
fn differs(twins: &Twins, side: Side) -> bool {
    let cards = |table: &Table| -> Vec<Option<Card>> {
        table.round.draws.iter().filter(|dealt| dealt.side == side).map(|dealt| dealt.card).collect()
    };
    cards(&twins.tables[0]) != cards(&twins.tables[1])
}

fn dealer() -> Actor {
    Actor::Staff(member(0))
}

fn highest(table: &Table) -> Actor {
    Actor::Staff(member(u8::try_from(table.rulebook().ranks.len()).unwrap() - 1))
}

/// What somebody does or tells next: the same at both tables, but for closed cards.
fn next(twins: &Twins, random: &mut Random) -> Option<(&'static str, Actor, [Action; 2])> {
    let table = &twins.tables[0];
    let same = |kind, actor, action: Action| Some((kind, actor, [action.clone(), action]));
    let side = random.pick(&SIDES);
    let drawer = match table.device {
        Some(player) if random.chance(80) => Actor::Player(player),
        _ if random.chance(50) => Actor::Device,
        _ => dealer(),
    };
    if let Some(hold) = table.hold.as_ref().filter(|_| random.chance(60)) {
        return rule(twins, hold, random);
    }
    match random.below(20) {
        0..6 => {
            let laid = if random.chance(80) { None } else { Some(side) };
            let exposed = random.chance(8);
            let one = card(twins, random);
            let two = if exposed || random.chance(40) { one } else { card(twins, random) };
            let draw = |card| Action::Draw { card: Some(card), laid, exposed };
            Some(("card", drawer, [draw(one), draw(two)]))
        }
        6 => same("unread card", drawer, Action::Draw { card: None, laid: None, exposed: false }),
        7 => {
            let order_known = random.chance(50);
            let one = vec![card(twins, random), card(twins, random)];
            let two = vec![card(twins, random), card(twins, random)];
            let together = |cards| Action::DrawTogether { cards, order_known };
            Some(("cards together", drawer, [together(one), together(two)]))
        }
        8 | 9 if !table.round.draws.is_empty() => {
            let at = random.below(table.round.draws.len());
            let draw = u8::try_from(at + 1).unwrap();
            let one = card(twins, random);
            let two = if table.round.draws[at].exposed { one } else { card(twins, random) };
            // Now and then what is on record already, at one of them.
            let one = table.round.draws[at]
                .card
                .filter(|_| random.chance(30) && !table.round.draws[at].exposed)
                .unwrap_or(one);
            let correct = |card| Action::Correct { draw, card, because: None };
            Some(("correction", dealer(), [correct(one), correct(two)]))
        }
        10..13 if !differs(twins, side) => {
            let unknown = table.round.draws.iter().filter(|dealt| dealt.side == side && dealt.card.is_none());
            let told: Vec<Card> = unknown.map(|_| card(twins, random)).collect();
            let at = usize::from(side == Side::Banker);
            let actor = table.round.squeezers[at].map_or_else(dealer, Actor::Player);
            match random.below(3) {
                0 => same("opened", dealer(), Action::Report(Report::OpenedBy { player: None, side, told })),
                _ => same("opens", actor, Action::Reveal { side, told }),
            }
        }
        13 => {
            let kind = random.below(room::any::KINDS);
            // Those that name closed cards, or tell of them, are above.
            let action = room::any::any_action(random, table, kind);
            let names = matches!(
                action,
                Action::Draw { .. }
                    | Action::DrawTogether { .. }
                    | Action::Correct { .. }
                    | Action::Reveal { .. }
                    | Action::HoldTwo(_)
                    | Action::Sorted { .. }
                    | Action::Rule(_)
                    | Action::DealFreeHand
                    | Action::LoadShoe { .. }
                    | Action::CloseTable { .. }
                    | Action::Report(
                        Report::Exposed { .. } | Report::DrawnBy { .. } | Report::OpenedBy { .. }
                    )
            );
            let actor = room::any::anybody(random, table);
            if names { None } else { same("anything", actor, action) }
        }
        14 => same("settles", dealer(), Action::Settle),
        15 => same("cut card", Actor::Device, Action::CutCardOut),
        _ => {
            let player = PlayerId(u32::try_from(1 + random.below(3)).unwrap());
            if random.chance(10) {
                return same("shoe empty", Actor::Device, Action::ShoeEmpty);
            }
            let report = match random.below(9) {
                0 => Report::Jam,
                1 => Report::WrongOrder,
                2 => Report::HandedTo { player, side },
                3 => Report::Absent { player },
                4 => Report::CannotRebuild,
                5 => Report::PowerFailure,
                6 => Report::FaceUp,
                7 => Report::NotDelivered,
                _ => Report::Other("a bird".to_string()),
            };
            same("report", dealer(), Action::Report(report))
        }
    }
}

fn rule(
    twins: &Twins,
    hold: &croupier_table::table::Hold,
    random: &mut Random,
) -> Option<(&'static str, Actor, [Action; 2])> {
    let table = &twins.tables[0];
    let same = |kind, actor, action: Action| Some((kind, actor, [action.clone(), action]));
    if hold.sorting {
        return None;
    }
    if hold.ruling.is_some() {
        return same("window", dealer(), Action::CloseWindow);
    }
    if table.round.surplus.iter().any(|stray| stray.on.is_none()) {
        let report = Report::SurplusOn { side: random.pick(&SIDES), exposed: false };
        return same("place", dealer(), Action::Report(report));
    }
    let rulings = table.rulebook().irregularity(hold.irregularity)?.rulings.clone();
    let ruling = random.pick(&rulings);
    let plain = croupier_table::RulingMade::plain(ruling.remedy, ruling.withdrawal.is_some());
    let made = |table: &Table| {
        let fixes = ruling.remedy == croupier_rules::Remedy::FixOrder;
        let order = if fixes { table.round.together.clone() } else { Vec::new() };
        Action::Rule(croupier_table::RulingMade { order, ..plain.clone() })
    };
    Some(("rules", highest(table), [made(table), made(&twins.tables[1])]))
}

/// A table with wagers, just closed.
fn opened((game, setting, word): (&str, Setting, &str), random: &mut Random) -> Table {
    let mut changes = vec![(setting, Value::Word(word.to_string())), (Setting::Decks, Value::Count(8))];
    if word == "C" {
        changes.push((Setting::Area, Value::Word("paiza-club".to_string())));
    }
    let table = open_changed(game, random, &changes);
    let mut floor = Floor::new(table, random.clone());
    for _ in 0..2_000 {
        if floor.table.phase() == Phase::BetsClosed && floor.table.deals_face_down() {
            break;
        }
        let command = floor.next();
        // The cards stay closed, and nobody deals by software.
        let other = matches!(
            command.action,
            Action::LoadShoe { commitment: Some(_), .. }
                | Action::CloseTable { .. }
                | Action::ChooseMethod(_)
        );
        if other {
            continue;
        }
        if let Ok(events) = decide(&floor.table, &command) {
            events.iter().for_each(|event| apply(&mut floor.table, event));
            floor.follow(&events);
        }
    }
    assert_eq!(floor.table.phase(), Phase::BetsClosed, "{game}");
    floor.table
}

#[test]
fn closed_cards_make_no_difference() {
    let pairs = if std::env::var_os("CROUPIER_LONG").is_some() { 4_000 } else { 200 };
    let mut all: BTreeMap<&'static str, u64> = BTreeMap::new();
    for (place, closed) in CLOSED.into_iter().enumerate() {
        for seed in 0..pairs {
            let mut random = Random::seeded(u64::try_from(place).unwrap() * 1_000_000 + seed);
            let table = opened(closed, &mut random);
            let mut twins = Twins { tables: [table.clone(), table], given: BTreeMap::new() };
            for step in 0..40 {
                let Some((kind, actor, actions)) = next(&twins, &mut random) else { continue };
                let commands = actions.map(|action| Command { actor, at: step, action });
                if twins.give(commands) {
                    *twins.given.entry(kind).or_default() += 1;
                }
                if twins.tables[0].round.closed.is_some() || twins.tables[0].phase() == Phase::TableClosed {
                    break;
                }
            }
            twins.given.iter().for_each(|(kind, count)| *all.entry(kind).or_default() += count);
        }
    }
    let kinds = [
        "card",
        "unread card",
        "cards together",
        "correction",
        "opens",
        "opened",
        "report",
        "rules",
        "shoe empty",
    ];
    for kind in kinds {
        assert!(all.get(kind).is_some_and(|count| *count > 30), "{kind} was taken too seldom: {all:?}");
    }
}
