//! The drawing rules against the table as it is printed: HB 4.14 to 4.17, HDT 4.13 to 4.16, MBS 3.14,
//! DB-20 to DB-23. All 1,100 cases by their counts, then all 371,293 orders of five ranks as real cards.

use std::collections::BTreeSet;

use croupier_cards::{Card, Rank, Suit};
use croupier_rules::Rule;
use croupier_rules::baccarat::tableau::{self, Play};
use croupier_rules::baccarat::{Deal, Side, Surplus};

/// What a Player does on two cards, by count from 0 to 9: `d`raws, `s`tands, has a `n`atural.
const PLAYER: &str = "ddddddssnn";

/// What a Banker does when the Player stood, by its count.
const BANKER_AFTER_STAND: &str = "ddddddssnn";

/// What a Banker draws on when the Player drew, by its count: values of the Player's third card, where 0 is
/// a ten or a picture and 1 an ace. Only a Banker without a natural comes to that.
const BANKER_AFTER_DRAW: [(u8, Rule, &str); 8] = [
    (0, Rule::BankerLow, "0 1 2 3 4 5 6 7 8 9"),
    (1, Rule::BankerLow, "0 1 2 3 4 5 6 7 8 9"),
    (2, Rule::BankerLow, "0 1 2 3 4 5 6 7 8 9"),
    (3, Rule::BankerThree, "0 1 2 3 4 5 6 7 9"),
    (4, Rule::BankerFour, "2 3 4 5 6 7"),
    (5, Rule::BankerFive, "4 5 6 7"),
    (6, Rule::BankerSix, "6 7"),
    (7, Rule::BankerSeven, ""),
];

/// What a card of each rank counts, ace to king.
const VALUES: [u8; 13] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0];

/// A line of the printed table that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Says {
    Draws,
    Stands,
    Natural,
}

fn read(line: &str, count: u8) -> Says {
    match line.as_bytes()[usize::from(count)] {
        b'd' => Says::Draws,
        b's' => Says::Stands,
        _ => Says::Natural,
    }
}

/// Whether a Banker without a natural draws; `third` is nothing if the Player stood.
fn banker_draws(banker: u8, third: Option<u8>) -> bool {
    match third {
        None => read(BANKER_AFTER_STAND, banker) == Says::Draws,
        Some(third) => {
            let (count, _, draws_on) = BANKER_AFTER_DRAW[usize::from(banker)];
            assert_eq!(count, banker);
            draws_on.split(' ').any(|value| value == third.to_string())
        }
    }
}

const fn play(draws: bool) -> Play {
    if draws { Play::Draws } else { Play::Stands }
}

/// Ten counts, ten counts, and a third card of ten values or none.
fn cases() -> impl Iterator<Item = (u8, u8, Option<u8>)> {
    let thirds = || core::iter::once(None).chain((0..10).map(Some));
    (0..10)
        .flat_map(|player| (0..10).map(move |banker| (player, banker)))
        .flat_map(move |(player, banker)| thirds().map(move |third| (player, banker, third)))
}

#[test]
fn all_cases_by_count() {
    let mut count = 0;
    for (player, banker, third) in cases() {
        let expected = match (read(PLAYER, player), read(BANKER_AFTER_STAND, banker)) {
            (Says::Natural, _) | (_, Says::Natural) => None,
            (Says::Draws, _) => Some((Rule::PlayerDraws, Play::Draws)),
            (Says::Stands, _) => Some((Rule::PlayerStands, Play::Stands)),
        };
        assert_eq!(tableau::player(player, banker), expected, "Player {player}, Banker {banker}");
        if expected.is_some() {
            let line = match third {
                None => Rule::BankerAfterStand,
                Some(_) => BANKER_AFTER_DRAW[usize::from(banker)].1,
            };
            let expected = (line, play(banker_draws(banker, third)));
            assert_eq!(tableau::banker(banker, third), expected, "Banker {banker} against {third:?}");
        }
        count += 1;
    }
    assert_eq!(count, 1_100);
}

/// Who takes the fifth card and who the sixth, by the printed table.
fn takers(player: u8, banker: u8, fifth: u8) -> (Option<Side>, Option<Side>) {
    let banker_if = |draws: bool| draws.then_some(Side::Banker);
    match (read(PLAYER, player), read(BANKER_AFTER_STAND, banker)) {
        (Says::Natural, _) | (_, Says::Natural) => (None, None),
        (Says::Draws, _) => (Some(Side::Player), banker_if(banker_draws(banker, Some(fifth)))),
        (Says::Stands, _) => (banker_if(banker_draws(banker, None)), None),
    }
}

/// Draws `card` and says whether it went where the table sends it.
#[track_caller]
fn check_draw(deal: &mut Deal, card: Card, taker: Option<Side>) {
    let position = deal.draws().len() + 1;
    assert_eq!(deal.due(), taker, "{:?}", deal.draws());
    assert_eq!(deal.is_complete(), taker.is_none(), "{:?}", deal.draws());
    assert_eq!(deal.outcome().is_some(), taker.is_none(), "{:?}", deal.draws());
    let expected = taker.ok_or(Surplus { position, card });
    assert_eq!(deal.draw(card), expected, "{:?} and {card}", deal.draws());
}

#[test]
fn all_orders_of_five_ranks_as_cards() {
    let mut seen = BTreeSet::new();
    for number in 0..13_usize.pow(5) {
        let ranks = [0, 1, 2, 3, 4].map(|at| number / 13_usize.pow(at) % 13);
        let cards: Vec<Card> = ranks
            .iter()
            .enumerate()
            .map(|(at, rank)| Card::new(Rank::ALL[*rank], Suit::ALL[at % 4]))
            .collect();
        let [p1, b1, p2, b2, fifth] = ranks.map(|rank| VALUES[rank]);
        let (player, banker) = ((p1 + p2) % 10, (b1 + b2) % 10);
        let (takes_fifth, takes_sixth) = takers(player, banker, fifth);

        let mut deal = Deal::default();
        for (card, side) in cards.iter().zip([Side::Player, Side::Banker, Side::Player, Side::Banker]) {
            check_draw(&mut deal, *card, Some(side));
        }
        assert_eq!((deal.points(Side::Player), deal.points(Side::Banker)), (player, banker), "{cards:?}");
        assert_eq!(deal.is_natural(), player >= 8 || banker >= 8, "{cards:?}");
        check_draw(&mut deal, cards[4], takes_fifth);
        if takes_fifth.is_some() {
            check_draw(&mut deal, Card::new(Rank::Ace, Suit::Clubs), takes_sixth);
        }
        if takes_sixth.is_some() {
            check_draw(&mut deal, Card::new(Rank::Two, Suit::Clubs), None);
        }
        let (player_third, banker_third) = match (takes_fifth, takes_sixth) {
            (Some(Side::Player), Some(_)) => (fifth, 1),
            (Some(Side::Player), None) => (fifth, 0),
            (Some(Side::Banker), _) => (0, fifth),
            (None, _) => (0, 0),
        };
        assert_eq!(deal.points(Side::Player), (player + player_third) % 10, "{cards:?}");
        assert_eq!(deal.points(Side::Banker), (banker + banker_third) % 10, "{cards:?}");
        seen.insert((player, banker, None));
        seen.insert((player, banker, Some(fifth)));
    }
    assert!(cases().all(|case| seen.contains(&case)), "some case never came up");
}

#[track_caller]
#[expect(clippy::expect_used, reason = "cards that do not parse or do not belong are a failed test")]
fn check_round(clause: &str, cards: &str, ends: &str) {
    let cards = croupier_cards::parse_cards(cards).expect(clause);
    let deal = Deal::from_draws(&cards).expect(clause);
    let hand = |side: Side| {
        let cards: Vec<String> = deal.cards(side).iter().map(ToString::to_string).collect();
        format!("[{}]={}", cards.join(" "), deal.points(side))
    };
    let found = format!("P{} B{}", hand(Side::Player), hand(Side::Banker));
    let due = deal.due().map_or(String::new(), |side| format!(" due {}", side.key()));
    assert_eq!(found + &due, ends, "{clause}");
}

/// One round a line of the rulebook's two tables, in the order of the draws.
#[test]
fn rounds_by_clause() {
    check_round("HB 4.14", "9C 3S KD KH", "P[9C KD]=9 B[3S KH]=3");
    check_round("HB 4.14", "2C 3S KD 5H", "P[2C KD]=2 B[3S 5H]=8");
    check_round("HB 4.15/0-5", "2C KS 3D 6H", "P[2C 3D]=5 B[KS 6H]=6 due player");
    check_round("HB 4.15/6-7", "KC 2S 6D KH 5D", "P[KC 6D]=6 B[2S KH 5D]=7");
    check_round("HB 4.15/8-9", "3C 2S 5D KH", "P[3C 5D]=8 B[2S KH]=2");
    check_round("HB 4.16/0-2", "2C KS KD 2H 8H 5S", "P[2C KD 8H]=0 B[KS 2H 5S]=7");
    check_round("HB 4.16/3", "2C KS KD 3H 8H", "P[2C KD 8H]=0 B[KS 3H]=3");
    check_round("HB 4.16/3", "2C KS KD 3H 9H 4S", "P[2C KD 9H]=1 B[KS 3H 4S]=7");
    check_round("HB 4.16/4", "2C KS KD 4H AH", "P[2C KD AH]=3 B[KS 4H]=4");
    check_round("HB 4.16/4", "2C KS KD 4H 2H AS", "P[2C KD 2H]=4 B[KS 4H AS]=5");
    check_round("HB 4.16/5", "2C KS KD 5H 3H", "P[2C KD 3H]=5 B[KS 5H]=5");
    check_round("HB 4.16/5", "2C KS KD 5H 4H 3S", "P[2C KD 4H]=6 B[KS 5H 3S]=8");
    check_round("HB 4.16/6", "2C KS KD 6H 5H", "P[2C KD 5H]=7 B[KS 6H]=6");
    check_round("HB 4.16/6", "2C KS KD 6S 6H 2D", "P[2C KD 6H]=8 B[KS 6S 2D]=8");
    check_round("HB 4.16/7", "2C KS KD 7D 7H", "P[2C KD 7H]=9 B[KS 7D]=7");
    check_round("HB 4.16/8-9", "2C 4S KD 5H", "P[2C KD]=2 B[4S 5H]=9");
    check_round("HB 4.17", "KC 2S 6D 3H 2D", "P[KC 6D]=6 B[2S 3H 2D]=7");
    check_round("HB 4.17", "KC KS 7D 6H", "P[KC 7D]=7 B[KS 6H]=6");
}
