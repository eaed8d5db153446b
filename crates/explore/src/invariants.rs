//! The fifteen things that hold at every table whatever happens, looked at with every command of an exploration. Those
//! that are about results alone are looked at in every result there can be, in `lines`; that no rank too low is heard is
//! tried with every ruling, in `search`.
//!
//! The numbers are those of the random tables' own checks. They look at the cards, at the chips that moved and at the
//! rulebook; the code that settles and rules is not asked.

mod cards;
mod money;

use croupier_rules::baccarat::Winner;
use croupier_table::{Action, Actor, Command, Event, Fact, Table, apply, decide};

use crate::finding::{Found, Kind};

/// What does not hold: the number of the invariant, and why.
pub(crate) type Broken = (u8, String);

/// Everything that a command has broken.
pub(crate) fn check(before: &Table, command: &Command, events: &[Event], after: &Table) -> Vec<Found> {
    let mut broken: Vec<Broken> = Vec::new();
    broken.extend(cards::are_conserved(before, events, after).map(|why| (1, why)));
    broken.extend(money::a_void_round_moves_none(events, after).map(|why| (2, why)));
    broken.extend(money::a_withdrawal_gives_back(before, events, after).map(|why| (2, why)));
    broken.extend(money::a_stake_is_collected_or_returned(before, events).map(|why| (3, why)));
    broken.extend(money::is_conserved(before, events, after).map(|why| (3, why)));
    broken.extend(money::wagers_end_by_their_lines(before, events).map(|why| (4, why)));
    broken.extend(money::a_window_has_one_hand(after).map(|why| (9, why)));
    broken.extend(money::insurance_wins_no_more(events, after).map(|why| (9, why)));
    broken.extend(money::the_differential_is_kept(events, after).map(|why| (10, why)));
    broken.extend(cards::no_result_while_a_card_is_due(after).map(|why| (11, why)));
    broken.extend(cards::hands_are_ranked(events, after).map(|why| (13, why)));
    broken.extend(nothing_is_left_over(after).map(|why| (14, why)));
    broken.extend(the_result_is_not_in_the_call(before, command, events).map(|why| (15, why)));
    let found = |(number, why): Broken| {
        let irregularity = before.hold.as_ref().map(|hold| hold.irregularity);
        Found { kind: Kind::Invariant, what: format!("{number}: {why}"), irregularity, cites: Vec::new() }
    };
    broken.into_iter().map(found).collect()
}

/// 14: between two rounds no wager is left on the layout, and nobody who left has one.
fn nothing_is_left_over(after: &Table) -> Option<String> {
    let round = &after.round;
    let mut open = round.wagers.iter().filter(|laid| laid.ended.is_none());
    if round.closed.is_some() && open.clone().next().is_some() {
        return Some("a wager is left over from a round that is closed".to_string());
    }
    if round.closed.is_some() && round.insurances.iter().any(|laid| laid.ended.is_none()) {
        return Some("an insurance is left over from a round that is closed".to_string());
    }
    let gone = open.any(|laid| after.player(laid.player).is_none());
    gone.then(|| "a wager of somebody who has left".to_string())
}

/// 15: a settlement comes out the same whatever was called and shown before it.
fn the_result_is_not_in_the_call(before: &Table, command: &Command, events: &[Event]) -> Option<String> {
    let settles = events.iter().any(|event| matches!(event.fact, Fact::RoundClosed { .. }));
    if command.action != Action::Settle || !settles || before.setup.family().by_box() {
        return None;
    }
    for winner in Winner::ALL {
        let mut called = before.clone();
        for action in [Action::Call(winner), Action::Display(winner)] {
            let told = decide(&called, &Command { actor: Actor::System, at: command.at, action });
            told.iter().flatten().for_each(|event| apply(&mut called, event));
        }
        if decide(&called, command).as_deref() != Ok(events) {
            return Some(format!("a call of {} has changed the settlement", winner.key()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use croupier_rules::{Amount, Library};
    use croupier_table::event::{After, Mark};
    use croupier_table::table::Stray;

    use super::*;
    use crate::Scope;
    use crate::due::due;
    use crate::search::prelude;
    use crate::world::World;

    /// A round of a game up to a command, played by what is due; the table before it, what happened, and after it.
    fn step(game: &str, upto: impl Fn(&Action) -> bool) -> (Table, Command, Vec<Event>, Table) {
        let library = Library::standard();
        let (rulebook, game) = library.find(game).unwrap();
        let world = World::all(rulebook, game, &Scope::default()).unwrap().remove(0);
        let mut table = world.table();
        let mut moves = prelude(&world);
        moves.reverse();
        for _ in 0..100 {
            let (actor, action) = moves.pop().unwrap_or_else(|| due(&world, &table).remove(0));
            let command = Command { actor, at: 0, action };
            let before = table.clone();
            let events = decide(&table, &command).unwrap();
            events.iter().for_each(|event| apply(&mut table, event));
            if upto(&command.action) {
                return (before, command, events, table);
            }
        }
        panic!("the round never comes to that");
    }

    /// What is broken by a step, as it was and with something planted in it.
    fn numbers(before: &Table, command: &Command, events: &[Event], after: &Table) -> Vec<String> {
        let found = check(before, command, events, after);
        let number = |found: Found| found.what.split(':').next().unwrap_or_default().to_string();
        let mut numbers: Vec<String> = found.into_iter().map(number).collect();
        numbers.dedup();
        numbers
    }

    #[track_caller]
    fn planted(game: &str, plant: impl FnOnce(&mut Table, &mut Vec<Event>, &mut Table), broken: &[&str]) {
        let (mut before, command, mut events, mut after) = step(game, |action| *action == Action::Settle);
        assert_eq!(numbers(&before, &command, &events, &after), Vec::<String>::new());
        plant(&mut before, &mut events, &mut after);
        assert_eq!(numbers(&before, &command, &events, &after), broken);
    }

    const BACCARAT: &str = "hoiana-baccarat/commission";

    #[test]
    fn a_card_that_is_lost_is_found() {
        let lost = |_: &mut Table, _: &mut Vec<Event>, after: &mut Table| after.shoe.discarded -= 1;
        planted(BACCARAT, lost, &["1"]);
        let twice = |_: &mut Table, _: &mut Vec<Event>, after: &mut Table| {
            after.next.carried.push(Stray { card: None, on: None, exposed: false });
        };
        planted("hoiana-niu-niu", twice, &["1"]);
    }

    #[test]
    fn money_that_is_lost_or_found_is_seen() {
        let chips = |_: &mut Table, _: &mut Vec<Event>, after: &mut Table| {
            after.players[0].chips += Amount::new(1).unwrap();
        };
        planted(BACCARAT, chips, &["3"]);
        planted("hoiana-niu-niu", chips, &["3"]);
        let stake = |_: &mut Table, events: &mut Vec<Event>, _: &mut Table| {
            for event in events {
                if let Fact::WagerEnded { settled, .. } = &mut event.fact {
                    settled.returned += Amount::new(1).unwrap();
                }
            }
        };
        // And what is settled otherwise is not what the table settles.
        planted(BACCARAT, stake, &["3", "15"]);
    }

    #[test]
    fn a_void_round_that_pays_is_seen() {
        let void = |_: &mut Table, events: &mut Vec<Event>, _: &mut Table| {
            let fact = Fact::RoundClosed { mark: Mark::Void, after: After::Ready };
            events.push(Event { fact, cites: Vec::new() });
        };
        planted(BACCARAT, void, &["2", "15"]);
    }

    #[test]
    fn a_wager_that_is_left_over_is_seen() {
        let open = |_: &mut Table, _: &mut Vec<Event>, after: &mut Table| {
            let laid = &mut std::sync::Arc::make_mut(&mut after.round.wagers)[0];
            after.float = after.float - laid.stake;
            laid.ended = None;
        };
        let (before, command, events, mut after) = step(BACCARAT, |action| *action == Action::Settle);
        open(&mut before.clone(), &mut events.clone(), &mut after);
        assert!(numbers(&before, &command, &events, &after).contains(&"14".to_string()));
    }

    #[test]
    fn a_result_with_a_closed_card_is_seen() {
        let last = |action: &Action| matches!(action, Action::Draw { .. });
        let (mut before, mut command, mut events, mut after) = step(BACCARAT, last);
        while after.round.outcome.is_none() {
            let library = Library::standard();
            let (rulebook, game) = library.find(BACCARAT).unwrap();
            let world = World::all(rulebook, game, &Scope::default()).unwrap().remove(0);
            let (actor, action) = due(&world, &after).remove(0);
            command = Command { actor, at: 0, action };
            before = after.clone();
            events = decide(&after, &command).unwrap();
            events.iter().for_each(|event| apply(&mut after, event));
        }
        assert_eq!(numbers(&before, &command, &events, &after), Vec::<String>::new());
        after.round.draws[0].exposed = false;
        assert_eq!(numbers(&before, &command, &events, &after), ["11"]);
    }

    /// The lines of a book with one pay put wrong.
    #[test]
    fn a_line_that_pays_on_another_result_is_seen() {
        let path = format!("{}/../../rulebooks/hoiana-baccarat.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let found = |text: &str| {
            let rulebook = Arc::new(croupier_rules::Rulebook::parse(text).unwrap());
            let found = crate::lines::check(&rulebook, &rulebook.games[0]);
            found.into_iter().map(|found| found.what).collect::<Vec<_>>()
        };
        assert_eq!(found(&text), Vec::<String>::new());
        let planted = text.replacen(
            "when = { winner = \"tie\" }, odds = \"8:1\"",
            "when = { winner = \"player\" }, odds = \"8:1\"",
            1,
        );
        assert_ne!(planted, text);
        assert!(found(&planted).iter().any(|what| what.starts_with("4: tie on ")));
    }
}
