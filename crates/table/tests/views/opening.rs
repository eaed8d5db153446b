//! Tables opened for tests: every setting that a rulebook leaves without a default, and what a test changes.

#[path = "../common/mod.rs"]
mod common;

use std::sync::Arc;

use croupier_cards::{Card, Composition, Decks};
use croupier_ledger::TableId;
use croupier_rules::setting::{Setting, Values};
use croupier_rules::{Amount, Odds};
use croupier_table::{
    Action, Actor, Chosen, Command, Event, Opening, PersonId, PlayerId, Rank, Refusal, Setup, Staff, Table,
    Value, apply, decide,
};

/// An amount.
pub(crate) fn money(minor: i64) -> Amount {
    Amount::new(minor).expect("an amount")
}

/// A baccarat rulebook of our own in which bets depend on each other in every way there is: one is required, one is
/// bounded by another, two exclude each other.
fn tied() -> String {
    let mut text = include_str!("../../../../rulebooks/examples/jade-punto-banco.toml").to_owned();
    for (plain, tied) in [
        ("id = \"jade-punto-banco\"", "id = \"jade-tied\""),
        ("abbreviation = \"JP\"", "abbreviation = \"JT\""),
        ("main = \"banker\"\n", "main = \"banker\"\nrequired = true\n"),
        ("id = \"tie\"\n", "id = \"tie\"\nat-most = { bet = \"player\", clause = \"3.2\" }\n"),
        (
            "id = \"either-pair\"\n",
            "id = \"either-pair\"\nexcludes = { bet = \"all-red\", clause = \"3.5\" }\n",
        ),
        ("id = \"all-red\"\n", "id = \"all-red\"\nat-most = { bet = \"banker\", clause = \"3.6\" }\n"),
    ] {
        assert_eq!(text.matches(plain).count(), 1, "{plain}");
        text = text.replace(plain, tied);
    }
    text
}

/// A table of a game, with these settings beside those that must be set; one for some odds is `limit 3:1`.
pub(crate) fn open(game: &str, settings: &[(&str, &str)]) -> Table {
    let mut library = common::library();
    assert_eq!(library.add(&tied()).err(), None);
    let rulebook =
        library.rulebooks().iter().find(|rulebook| rulebook.game(game).is_some()).expect("a rulebook");
    let mut all = vec![
        ("burn", "1"),
        ("cut-card", "14"),
        ("chip", "100"),
        ("minimum", "1000"),
        ("maximum", "50000"),
        ("differential", "100000"),
        ("residual-authority", rulebook.ranks.last().map_or("", |rank| rank.id.as_str())),
        ("schedule-posted", "yes"),
    ];
    all.push(match game {
        "hoiana-baccarat/commission" => ("layout", "A.1"),
        "hoiana-baccarat/non-commission" => ("layout", "A.3"),
        "hoiana-dragon-tiger/commission" => ("layout", "A.4"),
        "hoiana-dragon-tiger/non-commission" => ("layout", "A.2"),
        _ => ("layout", "A"),
    });
    let changed = |(key, _): &(&str, &str)| settings.iter().any(|(other, _)| other == key);
    all.retain(|chosen| !changed(chosen));
    if game == "mbs-dragon-tiger" {
        all.push(("seats", "7"));
    }
    all.extend(settings);
    let parts = |key: &str| {
        let (name, odds) = key.split_once(' ').map_or((key, None), |(name, odds)| (name, Some(odds)));
        let setting: Setting = name.parse().expect("a setting");
        (setting, odds.map(|odds| odds.parse::<Odds>().expect("odds")))
    };
    let known = |key: &&(&str, &str)| rulebook.setting(parts(key.0).0).is_some();
    let settings = all.iter().filter(known).map(|(key, value)| {
        let (setting, odds) = parts(key);
        let count = || value.parse().expect("a number");
        let value = match setting.values() {
            Values::Count => Value::Count(u32::try_from(count()).expect("a count")),
            Values::Money | Values::MoneyPerBet | Values::MoneyPerOdds => Value::Money(money(count())),
            Values::OneOf(_) | Values::Name => Value::Word((*value).to_string()),
        };
        Chosen { setting, bet: None, odds, value }
    });
    let opening = Opening {
        game: game.to_string(),
        version: None,
        date: None,
        settings: settings.collect(),
        ..Opening::default()
    };
    let setup = Setup::new(rulebook, &opening).unwrap_or_else(|faults| panic!("{game}: {faults:?}"));
    Table::new(TableId(1), Arc::new(setup))
}

/// Somebody of the staff with that rank.
pub(crate) fn staff(person: u32, rank: u8) -> Actor {
    Actor::Staff(Staff { person: PersonId(person), rank: Rank(rank), acting: None })
}

/// Somebody of the highest rank of the table's rulebook.
pub(crate) fn top(table: &Table) -> Actor {
    staff(90, u8::try_from(table.rulebook().ranks.len() - 1).expect("a rank"))
}

/// A command.
pub(crate) fn command(actor: Actor, action: Action) -> Command {
    Command { actor, at: 0, action }
}

/// Decides and applies.
pub(crate) fn run(table: &mut Table, actor: Actor, action: Action) -> Result<Vec<Event>, Refusal> {
    let events = decide(table, &command(actor, action))?;
    events.iter().for_each(|event| apply(table, event));
    Ok(events)
}

/// The staff, the float and the players with their chips, at seats from 1.
pub(crate) fn people(table: &Table, players: u8, chips: i64, float: i64) -> Vec<(Actor, Action)> {
    let boss = top(table);
    let mut script = vec![];
    for actor in [staff(1, 0), staff(2, 1), boss] {
        if let Actor::Staff(who) = actor {
            script.push((actor, Action::SignOn(who)));
        }
    }
    script.push((boss, Action::Fill { amount: money(float), witness: PersonId(1) }));
    for seat in 1..=players {
        let player = PlayerId(u32::from(seat));
        script.push((Actor::Player(player), Action::Sit { player, seat }));
        script.push((Actor::Player(player), Action::BuyIn { player, amount: money(chips), cash: false }));
    }
    script
}

/// A generator that a number starts.
#[derive(Clone)]
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound.max(1)).unwrap_or(1);
        usize::try_from(self.next() % bound).unwrap_or(0)
    }

    /// Once in so many times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        from.get(self.below(from.len())).copied()
    }

    /// A shoe in random order.
    pub(crate) fn shoe(&mut self, decks: u8) -> Vec<Card> {
        let mut cards: Vec<Card> = Composition::of_decks(Decks::new(decks).expect("decks")).cards().collect();
        for at in (1..cards.len()).rev() {
            cards.swap(at, self.below(at + 1));
        }
        cards
    }
}
