//! Everything that can be asked, by everybody, in every phase of every game: an answer each time, and never
//! more than an answer where it is a refusal.
#![expect(clippy::unwrap_used, reason = "what is not there is a failed test")]

#[path = "invariants/mod.rs"]
#[expect(dead_code, reason = "the books and the counts are for the random tables")]
mod room;

use std::collections::BTreeMap;

use croupier_cards::parse_cards;
use croupier_rules::Amount;
use croupier_rules::setting::Setting;
use croupier_table::permit::allows;
use croupier_table::{
    Action, Actor, Command, Event, Fact, Phase, Place, PlayerId, Refusal, Table, Value, Why, apply, decide,
};
use room::any::{KINDS, any_action, manager, member};
use room::floor::Floor;
use room::holds::Holds;
use room::holds::money::{the_house_can_pay_whatever_comes, the_house_could_not_have_paid};
use room::opening::{GAMES, every_game, library, minor, open, open_changed, open_without_bounds};
use room::random::Random;
use room::tally::{Tally, reachable};
use room::watch::Watch;

/// How often each kind of action is asked, with other parameters each time.
const TRIES: usize = 6;

/// Everybody: each rank of the rulebook, players at the table and not, the device, the software, Surveillance, a
/// display.
fn everybody(table: &Table) -> Vec<Actor> {
    let ranks = u8::try_from(table.rulebook().ranks.len()).unwrap();
    let staff = (0..ranks).map(|rank| Actor::Staff(member(rank)));
    let players = [1, 2, u32::MAX].map(|player| Actor::Player(PlayerId(player)));
    staff.chain(players).chain([Actor::Device, Actor::System, Actor::Surveillance, Actor::Display]).collect()
}

/// Tables of a game in each of its phases, a few of each, as people bring them there.
fn tables(game: &str) -> BTreeMap<Phase, Vec<Table>> {
    const ENOUGH: usize = 3;
    let (rulebook, _) = library().find(game).unwrap();
    let wanted = |phase: Phase| reachable(phase, rulebook);
    let mut found: BTreeMap<Phase, Vec<Table>> = BTreeMap::new();
    for seed in 1_000..1_400 {
        let mut random = Random::seeded(seed);
        let table = open(game, &mut random);
        let mut floor = Floor::new(table, random);
        for _ in 0..1_000 {
            // One table of a phase and a run, so that they differ.
            let there = found.entry(floor.table.phase()).or_default();
            let runs = usize::try_from(seed - 1_000).unwrap() / 2;
            if there.len() < ENOUGH.min(runs + 1) {
                there.push(floor.table.clone());
            }
            let command = floor.next();
            match decide(&floor.table, &command) {
                Ok(events) => {
                    events.iter().for_each(|event| apply(&mut floor.table, event));
                    floor.follow(&events);
                }
                Err(refusal) => floor.learn(&refusal),
            }
        }
        let complete = |phase: &Phase| found.get(phase).is_some_and(|tables| tables.len() >= ENOUGH);
        if Phase::ALL.iter().filter(|phase| wanted(**phase)).all(complete) {
            break;
        }
    }
    let missing: Vec<&Phase> =
        Phase::ALL.iter().filter(|phase| wanted(**phase) && !found.contains_key(phase)).collect();
    assert!(missing.is_empty(), "{game} never came to {missing:?}");
    found.insert(Phase::TableClosed, vec![closed(game)]);
    found
}

/// A table that opened and closed.
fn closed(game: &str) -> Table {
    let mut table = open(game, &mut Random::seeded(5));
    let witness = member(0).person;
    let actions = [Action::SignOn(member(0)), Action::CloseTable { counted: Amount::ZERO, witness }];
    for action in actions {
        let command = Command { actor: Actor::Staff(manager(&table)), at: 1, action };
        let events = decide(&table, &command).unwrap();
        events.iter().for_each(|event| apply(&mut table, event));
    }
    assert_eq!(table.phase(), Phase::TableClosed);
    table
}

#[track_caller]
fn check(game: &str) {
    let mut random = Random::seeded(7);
    let (mut accepted, mut refused) = (0_u64, BTreeMap::<&str, u64>::new());
    for (phase, tables) in tables(game) {
        for table in tables {
            let before = table.fingerprint();
            for actor in everybody(&table) {
                for kind in 0..KINDS {
                    for _ in 0..TRIES {
                        let action = any_action(&mut random, &table, kind);
                        let command = Command { actor, at: 1, action };
                        let may = allows(&table, actor, &command.action);
                        match decide(&table, &command) {
                            Ok(events) => {
                                accepted += 1;
                                assert!(may, "not {actor:?}'s, and accepted: {command:?}");
                                assert_ne!(phase, Phase::TableClosed, "{command:?}");
                                let mut after = table.clone();
                                events.iter().for_each(|event| apply(&mut after, event));
                                // Whatever it is, nobody has less than nothing after it.
                                let house = [after.float, after.drop, after.tips];
                                let all = after.players.iter().map(|player| player.chips).chain(house);
                                assert_eq!(
                                    all.min().filter(|least| *least < Amount::ZERO),
                                    None,
                                    "{command:?}"
                                );
                            }
                            Err(refusal) => {
                                *refused.entry(refusal.code()).or_default() += 1;
                                assert!(Why::CODES.contains(&refusal.code()), "{command:?}: {refusal}");
                                assert!(!refusal.to_string().is_empty(), "{command:?}");
                                check_who(&refusal, may, &command);
                            }
                        }
                    }
                }
            }
            assert_eq!(before, table.fingerprint(), "{game} in {phase}: asking has changed the table");
        }
    }
    assert!(accepted > 1_000 && refused.len() > 30, "{game}: {accepted} accepted, {refused:?}");
}

/// Who may not is told so, before anything else is looked at; who may is never refused for who they are.
#[track_caller]
fn check_who(refusal: &Refusal, may: bool, command: &Command) {
    let about_who = matches!(refusal.why, Why::NotAuthorised { .. } | Why::NotYours { .. });
    // The rank of a ruling belongs to the ruling, and a rank must be one of the rulebook.
    let by_content = matches!(command.action, Action::Rule(_) | Action::SignOn(_) | Action::LimitAreas(_));
    assert!(!(may && about_who) || by_content, "{command:?}: {refusal}");
    let says_whose = about_who
        || matches!(
            refusal.why,
            Why::NotDrawer { .. }
                | Why::NotSqueezer
                | Why::NoSqueeze
                | Why::MayNotHandle
                | Why::DeviceOnly
                | Why::NoSuchPlayer { .. }
                | Why::OtherGame { .. }
        );
    assert!(may || says_whose, "{command:?}: {refusal}");
}

#[test]
fn every_game_answers_everything() {
    std::thread::scope(|scope| {
        let running: Vec<_> = every_game().map(|game| scope.spawn(move || check(game))).collect();
        for test in running {
            if let Err(panic) = test.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

/// Amounts at the edge of what an amount can be.
#[test]
fn the_largest_amounts() {
    for game in GAMES {
        let mut table = open(game, &mut Random::seeded(3));
        let chip = table.setup.terms.chip.minor();
        let largest = Amount::new(Amount::MAX.minor() / chip * chip).unwrap();
        let dealer = Actor::Staff(member(0));
        let manager = Actor::Staff(manager(&table));
        let witness = member(0).person;
        let mut ask = |actor: Actor, action: Action| {
            let answer = decide(&table, &Command { actor, at: 1, action });
            if let Ok(events) = &answer {
                events.iter().for_each(|event| apply(&mut table, event));
            }
            answer.map_err(|refusal| refusal.code())
        };
        ask(dealer, Action::SignOn(member(0))).unwrap();
        ask(manager, Action::Fill { amount: largest, witness }).unwrap();
        assert_eq!(ask(manager, Action::Fill { amount: largest, witness }).err(), Some("too-large"));
        for (player, seat) in [(PlayerId(1), 1), (PlayerId(2), 2)] {
            ask(Actor::Player(player), Action::Sit { player, seat }).unwrap();
            let buy_in = Action::BuyIn { player, amount: largest, cash: false };
            // All chips together are an amount too, whoever has them.
            let code = ask(Actor::Player(player), buy_in.clone()).err();
            assert!(code.is_none() || code == Some("too-large"), "{game}: {code:?}");
            assert_eq!(ask(Actor::Player(player), buy_in).err(), Some("too-large"), "{game}");
        }
    }
}

/// An amount near the largest there is, or near what somebody has, in whole chips.
fn large(floor: &mut Floor, of: Amount) -> Amount {
    let chip = floor.table.setup.terms.chip.minor();
    let of = floor.random.pick(&[of.minor(), of.minor(), Amount::MAX.minor(), floor.table.float.minor()]);
    let parts = floor.random.pick(&[1, 1, 2, 8, 40]);
    Amount::new((of / parts / chip * chip).max(chip)).unwrap()
}

/// The same command with as much money as there is; the float gets exactly what it is short of.
fn with_large_amounts(floor: &mut Floor, action: Action, short: Option<i128>) -> Action {
    let chips = |floor: &Floor, player: PlayerId| {
        floor.table.player(player).map_or(Amount::ZERO, |player| player.chips)
    };
    match action {
        Action::Fill { witness, .. } if short.is_some() => {
            let amount = short.and_then(|short| Amount::new(i64::try_from(short).ok()?));
            Action::Fill { amount: amount.unwrap_or(Amount::MAX), witness }
        }
        Action::Fill { witness, .. } => Action::Fill { amount: large(floor, Amount::MAX), witness },
        Action::Credit { witness, .. } => {
            let float = floor.table.float;
            Action::Credit { amount: large(floor, float), witness }
        }
        Action::BuyIn { player, cash, .. } => {
            Action::BuyIn { player, amount: large(floor, Amount::MAX), cash }
        }
        Action::Place(place) => {
            let amount = large(floor, chips(floor, place.player));
            Action::Place(croupier_table::Place { amount, ..place })
        }
        Action::Insure { player, side, .. } => {
            let amount = large(floor, chips(floor, player));
            Action::Insure { player, side, amount }
        }
        other => other,
    }
}

/// Wagers, raises, insurances and settlements with nearly all the money that an amount can hold: what is too
/// much is refused, and nothing is lost or found.
#[test]
fn rounds_near_the_largest_amount() {
    for game in GAMES {
        let (mut tally, mut largest, mut settled) = (Tally::default(), 0, 0);
        let mut refused = BTreeMap::<&str, u64>::new();
        for seed in 0..24 {
            let mut random = Random::seeded(seed);
            // Half of them with a maximum that much of the money is beyond.
            let bounded = seed % 2 == 1;
            let table =
                if bounded { open(game, &mut random) } else { open_without_bounds(game, &mut random) };
            let mut floor = Floor::new(table, random);
            let (mut watch, mut holds) = (Watch::default(), Holds::default());
            let mut short = None;
            for _ in 0..1_000 {
                let mut command = floor.next();
                command.action = with_large_amounts(&mut floor, command.action, short);
                match decide(&floor.table, &command) {
                    Ok(events) => {
                        holds.accepted(&floor.table, &command, &events, &mut tally);
                        for event in &events {
                            if let Fact::WagerEnded { settled: end, .. } = &event.fact
                                && end.in_action.is_positive()
                            {
                                largest = largest.max(end.in_action.minor());
                                settled += 1;
                            }
                            watch.follow(&floor.table, event);
                            let purse = holds.follow(&floor.table, event, &mut tally);
                            apply(&mut floor.table, event);
                            holds.moved(purse, event, &floor.table, &mut tally);
                        }
                        watch.check(&floor.table, &mut tally);
                        holds.after(&floor.table, &events, &mut tally);
                        if let Action::Place(_) | Action::Credit { .. } = &command.action {
                            the_house_can_pay_whatever_comes(&floor.table, &mut tally);
                        }
                        floor.follow(&events);
                    }
                    Err(refusal) => {
                        *refused.entry(refusal.code()).or_default() += 1;
                        if let Why::FloatShort { float, needs } = &refusal.why {
                            short = Some(needs - i128::from(float.minor()));
                            if let Action::Place(place) = &command.action {
                                the_house_could_not_have_paid(&floor.table, place, &mut tally);
                            }
                        }
                        floor.learn(&refusal);
                    }
                }
            }
        }
        let count = |code: &str| refused.get(code).copied().unwrap_or(0);
        assert!(count("too-large") > 20 && count("float-short") > 20, "{game}: {refused:?}");
        assert!(tally.count("the house can pay whatever comes") > 100, "{game}");
        // Some of it really lay on the layout.
        assert!(settled > 50 && largest > Amount::MAX.minor() / 40, "{game}: {settled}, at most {largest}");
    }
}

/// The float covers what the columns say; where pay is rounded up it can still be short, and then the
/// settlement waits for chips.
#[test]
fn a_payment_rounded_up_waits_for_chips() {
    let word = |word: &str| Value::Word(word.to_string());
    let changes = [
        (Setting::Chip, Value::Money(minor(20))),
        (Setting::Minimum, Value::Money(minor(20))),
        (Setting::Maximum, Value::Money(minor(200))),
        (Setting::PayableUnit, Value::Money(minor(50))),
        (Setting::Rounding, word("up")),
        (Setting::Burn, Value::Count(0)),
        (Setting::CommissionCollection, word("at-settlement")),
    ];
    let mut table = open_changed("horseshoe-dragon-bonus", &mut Random::seeded(1), &changes);
    let bet = table.game().bet_index("banker").unwrap();
    let (dealer, manager) = (Actor::Staff(member(0)), Actor::Staff(member(3)));
    let (player, witness) = (PlayerId(1), member(0).person);
    let mut ask = |actor: Actor, action: Action| {
        let answer = decide(&table, &Command { actor, at: 1, action });
        if let Ok(events) = &answer {
            events.iter().for_each(|event| apply(&mut table, event));
        }
        (answer.err().map(|refusal| refusal.code()), table.float.minor())
    };
    let place =
        Place { player, bet, amount: minor(20), area: None, reserve: None, in_chips: true, untimed: false };
    ask(dealer, Action::SignOn(member(0)));
    ask(dealer, Action::Sit { player, seat: 1 });
    ask(dealer, Action::BuyIn { player, amount: minor(20), cash: false });
    ask(dealer, Action::LoadShoe { set: None, commitment: None });
    ask(Actor::Device, Action::RecordShuffle);
    ask(dealer, Action::CutCards { above: None });
    ask(dealer, Action::OpenBets);
    // Nineteen for twenty: one less is too little.
    ask(manager, Action::Fill { amount: minor(18), witness });
    assert_eq!(ask(Actor::Player(player), Action::Place(place)), (Some("float-short"), 18));
    ask(manager, Action::Fill { amount: minor(1), witness });
    assert_eq!(ask(Actor::Player(player), Action::Place(place)), (None, 19));
    assert_eq!(ask(dealer, Action::CloseBets), (None, 19));
    for card in parse_cards("TS 9S KS KH").unwrap() {
        assert_eq!(ask(dealer, Action::Draw { card: Some(card), laid: None, exposed: false }), (None, 19));
    }
    // Fifty are to be paid.
    assert_eq!(ask(dealer, Action::Settle), (Some("float-short"), 19));
    ask(manager, Action::Fill { amount: minor(30), witness });
    assert_eq!(ask(dealer, Action::Settle), (Some("float-short"), 49));
    ask(manager, Action::Fill { amount: minor(1), witness });
    assert_eq!(ask(dealer, Action::Settle), (None, 0));
}

/// Every place from 1 to 415 leaves cards above and below it.
#[test]
fn a_cut_leaves_cards_on_both_sides() {
    let mut table = open("hoiana-baccarat/commission", &mut Random::seeded(1));
    let cut = |table: &Table, above| {
        let command = Command { actor: Actor::Staff(member(0)), at: 1, action: Action::CutCards { above } };
        decide(table, &command)
    };
    assert_eq!(cut(&table, Some(120)).unwrap_err().code(), "shoe-not-ready");
    let load = Fact::ShoeLoaded { number: 1, set: None, commitment: None };
    apply(&mut table, &Event { fact: load, cites: Vec::new() });
    assert_eq!(table.shoe.left, 416);
    for (above, fits) in
        [(0, false), (1, true), (2, true), (414, true), (415, true), (416, false), (417, false)]
    {
        match cut(&table, Some(above)) {
            Ok(events) => {
                let by = Actor::Staff(member(0));
                assert_eq!(events, [Event { fact: Fact::Cut { by, above: Some(above) }, cites: Vec::new() }]);
                assert!(fits, "{above}");
            }
            Err(refusal) => {
                assert_eq!(refusal.why, Why::BadCut { most: 415 });
                let text = "a cut leaves cards on both sides; 1 to 415 may lie above it";
                assert_eq!((refusal.to_string().as_str(), fits), (text, false));
            }
        }
    }
    // Where it lies is recorded and changes nothing else.
    let [mut somewhere, mut anywhere] = [table.clone(), table];
    for event in cut(&somewhere, Some(120)).unwrap() {
        apply(&mut somewhere, &event);
    }
    for event in cut(&anywhere, None).unwrap() {
        apply(&mut anywhere, &event);
    }
    assert_eq!(somewhere.fingerprint(), anywhere.fingerprint());
    assert_eq!(cut(&somewhere, Some(0)).unwrap_err().code(), "already");
}
