//! From a journal back to a round file: what a scenario did is exported, printed, read, run, and compared.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use croupier_cards::{Card, Composition, Decks};
use croupier_ledger::TableId;
use croupier_rounds::amount::Decimals;
use croupier_rounds::export::{Extract, export, rounds};
use croupier_rounds::scenarios::STANDARD;
use croupier_rounds::{Report, RoundFile, Step, run};
use croupier_rules::{Amount, Family, Library};
use croupier_table::automatic::{Step as Next, next_step};
use croupier_table::{
    Action, Actor, Command, Event, Fact, Opening, PersonId, Phase, Place, PlayerId, Rank, Setup, Staff,
    Table, apply, decide,
};

type Steps<'a> = Vec<(&'a Command, &'a [Event])>;

/// The opening of a report and what was done at the table; nothing if the table never opened.
fn steps(report: &Report) -> Option<(&Opening, Steps<'_>)> {
    let opening = report.steps.iter().find_map(|step| match step {
        Step::Opened(opening) => Some(opening),
        _ => None,
    })?;
    let table = report.steps.iter().filter_map(|step| match step {
        Step::Table(command, events) => Some((command, events.as_slice())),
        _ => None,
    });
    Some((opening, table.collect()))
}

fn fresh(library: &Library, opening: &Opening) -> Table {
    let (rulebook, _) = library.find(&opening.game).unwrap();
    Table::new(TableId(1), Arc::new(Setup::new(rulebook, opening).unwrap()))
}

fn name(report: &Report, player: PlayerId) -> String {
    report.names.get(usize::try_from(player.0).unwrap()).cloned().unwrap_or(format!("p{}", player.0))
}

/// Runs the printed file; what came of it, or why it is not the file it should be.
fn played(library: &Library, file: &RoundFile) -> Result<Report, String> {
    let text = file.to_string();
    let read = RoundFile::parse(&text).map_err(|faults| format!("{faults:?}\n{text}"))?;
    if &read != file {
        return Err(format!("read otherwise than it was written\n{text}"));
    }
    let report = run(library, &read);
    let failures: Vec<_> = report.failures().collect();
    if !report.passed() {
        return Err(format!("{:?} {failures:?}\n{text}", report.errors));
    }
    let settles = text.contains(" bets ") && text.contains(" settles");
    if settles && report.checks.is_empty() { Err(format!("nothing is expected\n{text}")) } else { Ok(report) }
}

/// What happened, with players by name; the numbers of rounds and shoes begin anew in a file.
fn told(events: &[&[Event]], report: &Report) -> Vec<String> {
    let tell = |event: &Event| {
        let mut event = event.clone();
        match &mut event.fact {
            Fact::BetsOpened { round } | Fact::FreeHandBegan { round } => *round = 0,
            Fact::ShoeLoaded { number, .. } => *number = 0,
            _ => {}
        }
        let mut text = format!("{event:?}");
        for (at, name) in report.names.iter().enumerate() {
            text = text.replace(&format!("PlayerId({at})"), name);
        }
        text
    };
    events.iter().flat_map(|events| events.iter().map(tell)).collect()
}

/// A whole table from its opening: every event comes again.
#[test]
fn a_whole_table_is_played_again() {
    let library = Library::standard();
    let mut tables = 0;
    for scenario in STANDARD {
        let report = run(&library, &scenario.file().unwrap());
        let Some((opening, steps)) = steps(&report) else { continue };
        let before = fresh(&library, opening);
        let names = |player| name(&report, player);
        // In whichever currency the same minor units are told.
        for currency in
            [None, Some(("VND", Decimals::new(0).unwrap())), Some(("KWD", Decimals::new(3).unwrap()))]
        {
            let title = scenario.path;
            let extract = Extract { title, currency, opening, before: &before, names: &names, steps: &steps };
            let again =
                played(&library, &export(&extract)).unwrap_or_else(|wrong| panic!("{title}: {wrong}"));
            let (_, repeated) = self::steps(&again).unwrap();
            let events = |steps: &Steps<'_>| -> Vec<Event> {
                steps.iter().flat_map(|(_, events)| events.to_vec()).collect()
            };
            assert_eq!(events(&steps), events(&repeated), "{title}");
            assert!(again.earlier.is_empty());
        }
        tables += 1;
    }
    assert!(tables > 500, "{tables}");
}

/// Each round by itself, in a file that tells how the table stood.
#[test]
fn every_round_is_played_again_by_itself() {
    let library = Library::standard();
    let (mut all, mut failed) = (0, Vec::new());
    for scenario in STANDARD {
        let report = run(&library, &scenario.file().unwrap());
        let Some((opening, steps)) = steps(&report) else { continue };
        let names = |player| name(&report, player);
        let mut before = fresh(&library, opening);
        let mut at = 0;
        for (number, range) in (1..).zip(rounds(&steps)) {
            let missed = steps[at..range.start].iter().flat_map(|(_, events)| events.iter());
            missed.for_each(|event| apply(&mut before, event));
            at = range.start;
            let own = &steps[range];
            let title = format!("{} round {number}", scenario.path);
            let extract = Extract {
                title: &title,
                currency: None,
                opening,
                before: &before,
                names: &names,
                steps: own,
            };
            all += 1;
            let again = match played(&library, &export(&extract)) {
                Ok(again) => again,
                Err(wrong) => {
                    failed.push(format!("{title}: {wrong}"));
                    continue;
                }
            };
            let (_, repeated) = self::steps(&again).unwrap();
            let tail: Vec<&[Event]> =
                repeated[repeated.len() - own.len()..].iter().map(|(_, events)| *events).collect();
            let own: Vec<&[Event]> = own.iter().map(|(_, events)| *events).collect();
            let (was, is) = (told(&own, &report), told(&tail, &again));
            if let Some((was, is)) = was.iter().zip(&is).find(|(was, is)| was != is) {
                failed.push(format!("{title}: {was} but now {is}"));
            } else if was.len() != is.len() {
                failed.push(format!("{title}: {} events but now {}", was.len(), is.len()));
            }
        }
    }
    assert!(failed.is_empty(), "{} of {all}:\n{}", failed.len(), failed.join("\n"));
    assert!(all > 1000, "{all}");
}

/// The next of a row of numbers that look like chance.
fn next(seed: &mut u64, below: u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) % below
}

/// A shoe that plays itself, with players of any number who bet as chance has it.
fn automatic_shoe(
    library: &Library,
    game: &str,
    mut seed: u64,
) -> (Opening, Table, Vec<(Command, Vec<Event>)>) {
    let text = format!("game {game}\nsetting minimum 1\nround\ncards KC 3S 6D 4H\n");
    let report = run(library, &RoundFile::parse(&text).unwrap());
    let opening = steps(&report).unwrap().0.clone();
    let before = fresh(library, &opening);
    let (mut table, mut steps) = (before.clone(), Vec::new());
    let mut shoe: Vec<Card> = Composition::of_decks(Decks::new(table.setup.decks).unwrap()).cards().collect();
    for at in (1..shoe.len()).rev() {
        shoe.swap(at, usize::try_from(next(&mut seed, u64::try_from(at + 1).unwrap())).unwrap());
    }
    let mut act = |table: &mut Table, actor: Actor, action: Action| {
        let command = Command { actor, at: 1, action };
        let Ok(events) = decide(table, &command) else { return false };
        events.iter().for_each(|event| apply(table, event));
        steps.push((command, events));
        true
    };
    let chips = |units: i64| Amount::new(units * 100).unwrap();
    for person in [70, 71] {
        let staff = Staff { person: PersonId(person), rank: Rank(3), acting: None };
        assert!(act(&mut table, Actor::System, Action::SignOn(staff)));
    }
    let chief = Staff { person: PersonId(70), rank: Rank(3), acting: None };
    let fill = Action::Fill { amount: chips(1_000_000), witness: PersonId(71) };
    assert!(act(&mut table, Actor::Staff(chief), fill));
    let players = [PlayerId(7), PlayerId(40), PlayerId(3)];
    for (seat, player) in (1..).zip(players) {
        let by = if seat == 1 { Actor::System } else { Actor::Player(player) };
        assert!(act(&mut table, by, Action::Sit { player, seat }));
        assert!(act(&mut table, by, Action::BuyIn { player, amount: chips(5_000), cash: false }));
    }
    // To the end of a round: one that is not over is no file that passes.
    for taken in 0.. {
        if taken > 600 && table.phase() == Phase::Ready {
            break;
        }
        let action = match next_step(&table) {
            Next::Do(action) => action,
            Next::Wait { then, .. } => {
                let bets = u64::try_from(table.game().bets.len()).unwrap();
                for player in players.into_iter().filter(|_| then == Action::CloseBets) {
                    let (bet, units) = (next(&mut seed, bets), next(&mut seed, 40));
                    let place = Place {
                        player,
                        bet: usize::try_from(bet).unwrap(),
                        amount: chips(i64::try_from(units).unwrap() + 1),
                        area: None,
                        reserve: None,
                        in_chips: true,
                        untimed: false,
                    };
                    let by = if units % 3 == 0 { Actor::System } else { Actor::Player(player) };
                    act(&mut table, by, Action::Place(place));
                }
                then
            }
            Next::Draw => match shoe.pop() {
                Some(card) => Action::Draw { card: Some(card), laid: None, exposed: false },
                None => Action::ShoeEmpty,
            },
            Next::Deal(_) | Next::Stand => break,
        };
        assert!(act(&mut table, Actor::System, action));
    }
    (opening, before, steps)
}

/// Automatic tables of every baccarat game, whole and each round by itself.
#[test]
fn automatic_tables_are_played_again() {
    let library = Library::standard();
    let games: Vec<String> = library
        .rulebooks()
        .iter()
        .filter(|rulebook| rulebook.family == Family::Baccarat)
        .flat_map(|rulebook| rulebook.games.iter().map(|game| game.id.clone()))
        .collect();
    for (seed, game) in (1..).zip(&games) {
        let (opening, before, steps) = automatic_shoe(&library, game, seed);
        let steps: Steps<'_> = steps.iter().map(|(command, events)| (command, events.as_slice())).collect();
        let names =
            |player: PlayerId| if player.0 == 3 { "Dealer".to_string() } else { format!("p{}", player.0) };
        let all = rounds(&steps);
        assert!(all.len() > 20, "{game}: {}", all.len());
        let mut table = before;
        let mut at = 0;
        for range in all.iter().step_by(5).cloned().chain(std::iter::once(0..steps.len())) {
            if range.start == 0 {
                table = fresh(&library, &opening);
            } else {
                let missed = steps[at..range.start].iter().flat_map(|(_, events)| events.iter());
                missed.for_each(|event| apply(&mut table, event));
                at = range.start;
            }
            let own = &steps[range];
            let extract = Extract {
                title: game,
                currency: None,
                opening: &opening,
                before: &table,
                names: &names,
                steps: own,
            };
            let again = played(&library, &export(&extract)).unwrap_or_else(|wrong| panic!("{wrong}"));
            let (_, repeated) = self::steps(&again).unwrap();
            let nets = |steps: &[(&Command, &[Event])]| -> Vec<Event> {
                let ended = |event: &&Event| matches!(event.fact, Fact::WagerEnded { .. } | Fact::Decided(_));
                steps.iter().flat_map(|(_, events)| events.iter()).filter(ended).cloned().collect()
            };
            assert_eq!(nets(own), nets(&repeated), "{game}");
        }
    }
}

/// A table in a currency without decimals tells its amounts in whole units: 500,000 minor units are 500,000 VND.
#[test]
fn amounts_are_told_in_the_currency_of_the_table() {
    let library = Library::standard();
    let text = "game hoiana-baccarat/commission\nround\nann bets banker 5,000\ncards KC 3S 6D 4H\n";
    let report = run(&library, &RoundFile::parse(text).unwrap());
    let (opening, steps) = steps(&report).unwrap();
    let before = fresh(&library, opening);
    let names = |player| name(&report, player);
    let mut extract =
        Extract { title: "T", currency: None, opening, before: &before, names: &names, steps: &steps };
    let usual = export(&extract).to_string();
    assert!(
        usual.contains("ann bets banker 5,000 ") && usual.contains("=> +4,750, commission 250"),
        "{usual}"
    );
    extract.currency = Some(("VND", Decimals::new(0).unwrap()));
    let dong = export(&extract).to_string();
    assert!(
        dong.starts_with("title T\ngame hoiana-baccarat/commission\ncurrency VND decimals 0\n"),
        "{dong}"
    );
    assert!(
        dong.contains("ann bets banker 500,000 ") && dong.contains("=> +475,000, commission 25,000"),
        "{dong}"
    );
    let read = RoundFile::parse(&dong).unwrap();
    assert_eq!((read.to_string(), run(&library, &read).passed()), (dong, true));
}
