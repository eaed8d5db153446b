//! The keys of a `when` that ask for cards: totals of two cards, named cards, perfect pairs, counts of cards.

use alloc::format;
use alloc::vec::Vec;

use croupier_cards::{Rank, Suit};

use super::baccarat::{flag, numbers};
use super::reader::{Faulty, Table, Value, offered};
use crate::baccarat::card_set::{rank_key, suit_key};
use crate::baccarat::condition::{CardTest, Whose};
use crate::baccarat::{CardPlace, CardSet, Condition, Side, rank_value};

/// The two colours.
#[derive(Clone, Copy)]
enum Colour {
    Red,
    Black,
}

impl Colour {
    const fn key(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Black => "black",
        }
    }

    const fn suits(self) -> [Suit; 2] {
        match self {
            Self::Red => CardSet::RED,
            Self::Black => CardSet::BLACK,
        }
    }
}

pub(super) fn read(faulty: &mut Faulty<'_>, table: &mut Table<'_>, parts: &mut Vec<Condition>) {
    for (key, side) in [("player-initial-points", Side::Player), ("banker-initial-points", Side::Banker)] {
        let set = table.take(key).and_then(|value| numbers(faulty, value, 0, 9));
        parts.extend(set.map(|set| Condition::Cards(CardTest::InitialPoints(side, set))));
    }
    let named = [
        ("player-card-1", Side::Player, CardPlace::First),
        ("player-card-2", Side::Player, CardPlace::Second),
        ("player-card-3", Side::Player, CardPlace::Third),
        ("banker-card-1", Side::Banker, CardPlace::First),
        ("banker-card-2", Side::Banker, CardPlace::Second),
        ("banker-card-3", Side::Banker, CardPlace::Third),
    ];
    for (key, side, place) in named {
        let set = table.take(key).and_then(|value| {
            let mut table = value.table(faulty, "a card")?;
            let set = card_set(faulty, &mut table);
            table.finish(faulty);
            set
        });
        parts.extend(set.map(|set| Condition::Cards(CardTest::Card(side, place, set))));
    }
    let flags = [
        ("player-perfect-pair", CardTest::PerfectPair(Side::Player)),
        ("banker-perfect-pair", CardTest::PerfectPair(Side::Banker)),
        ("player-suited", CardTest::Suited(Side::Player)),
        ("banker-suited", CardTest::Suited(Side::Banker)),
        ("equal-pairs", CardTest::EqualPairs),
    ];
    for (key, test) in flags {
        flag(faulty, table, parts, key, Condition::Cards(test));
    }
    if let Some(value) = table.take("count") {
        parts.extend(count(faulty, value).map(Condition::Cards));
    }
    if let Some(value) = table.take("every") {
        parts.extend(every(faulty, value).map(Condition::Cards));
    }
}

/// `{ rank = 8, times = 2 }`, of both hands or `of` one.
fn count(faulty: &mut Faulty<'_>, value: Value<'_>) -> Option<CardTest> {
    let mut table = value.table(faulty, "`count`")?;
    let set = card_set(faulty, &mut table);
    let whose = whose(faulty, &mut table);
    let times = table.require(faulty, "times").and_then(|value| numbers(faulty, value, 0, 6));
    table.finish(faulty);
    Some(CardTest::Count(whose?, set?, times?))
}

/// `{ colour = "red" }`, of both hands or `of` one.
fn every(faulty: &mut Faulty<'_>, value: Value<'_>) -> Option<CardTest> {
    let mut table = value.table(faulty, "`every`")?;
    let set = card_set(faulty, &mut table);
    let whose = whose(faulty, &mut table);
    table.finish(faulty);
    Some(CardTest::Every(whose?, set?))
}

fn whose(faulty: &mut Faulty<'_>, table: &mut Table<'_>) -> Option<Whose> {
    match table.take("of") {
        None => Some(Whose::Both),
        Some(value) => value.one_of(faulty, &Side::ALL, Side::key).map(Whose::One),
    }
}

/// `rank`, `value`, `suit` and `colour`: a card must be of each that is named.
fn card_set(faulty: &mut Faulty<'_>, table: &mut Table<'_>) -> Option<CardSet> {
    let mut sets: Vec<Option<CardSet>> = Vec::new();
    if let Some(value) = table.take("rank") {
        sets.push(ranks(faulty, value).map(CardSet::of_ranks));
    }
    if let Some(value) = table.take("value") {
        sets.push(numbers(faulty, value, 0, 9).map(|values| {
            CardSet::of_ranks(Rank::ALL.into_iter().filter(|rank| values.contains(rank_value(*rank))))
        }));
    }
    if let Some(value) = table.take("suit") {
        sets.push(words(faulty, value, &Suit::ALL, suit_key).map(CardSet::of_suits));
    }
    if let Some(value) = table.take("colour") {
        let colours = words(faulty, value, &[Colour::Red, Colour::Black], Colour::key);
        sets.push(colours.map(|colours| CardSet::of_suits(colours.into_iter().flat_map(Colour::suits))));
    }
    if sets.is_empty() {
        // A key that is not known here may be meant for it, and is told when the others are read.
        if !table.has_unknown(&["of", "times"]) {
            faulty.at(table.span(), "say which cards: `rank`, `value`, `suit` or `colour`");
        }
        return None;
    }
    let set = sets.into_iter().try_fold(CardSet::ALL, |all, set| Some(all.and(set?)))?;
    if set.is_empty() {
        faulty.at(table.span(), "there is no such card: what is named leaves none");
        return None;
    }
    Some(set)
}

/// One word or a list of them.
fn words<T: Copy>(
    faulty: &mut Faulty<'_>,
    value: Value<'_>,
    options: &[T],
    key: impl Fn(T) -> &'static str + Copy,
) -> Option<Vec<T>> {
    let items = value.texts(faulty)?;
    if items.is_empty() {
        faulty.at(value.span(), "an empty list matches nothing");
        return None;
    }
    let found: Vec<Option<T>> = items.into_iter().map(|item| item.one_of(faulty, options, key)).collect();
    found.into_iter().collect()
}

/// A rank or a list of them: `8`, `"K"`, `["Q", "K"]`, `[2, "A"]`.
fn ranks(faulty: &mut Faulty<'_>, value: Value<'_>) -> Option<Vec<Rank>> {
    let items = if value.is_list() { value.items(faulty)? } else { alloc::vec![value] };
    if items.is_empty() {
        faulty.at(value.span(), "an empty list matches nothing");
        return None;
    }
    let found: Vec<Option<Rank>> = items.into_iter().map(|item| rank(faulty, item)).collect();
    found.into_iter().collect()
}

/// How ranks are written.
const RANKS: &str = "2 to 10, `\"A\"`, `\"J\"`, `\"Q\"` or `\"K\"`";

fn rank(faulty: &mut Faulty<'_>, value: Value<'_>) -> Option<Rank> {
    let Some(text) = value.as_str() else {
        let Some(number) = value.as_number() else {
            faulty.at(value.span(), format!("expected a rank: {RANKS}"));
            return None;
        };
        let rank = usize::try_from(number).ok().filter(|number| (2..=10).contains(number));
        if rank.is_none() {
            faulty.at(value.span(), format!("`{number}` is no rank; accepted: {RANKS}"));
        }
        return rank.and_then(|number| Rank::from_index(number - 1));
    };
    let found = Rank::ALL.into_iter().find(|rank| rank_key(*rank) == text);
    if found.is_none() {
        let offered = offered(text, Rank::ALL.into_iter().map(rank_key));
        faulty.at(value.span(), format!("`{text}` is no rank; {offered}"));
    }
    found
}
