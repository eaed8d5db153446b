//! HB 6.4.2, 6.4.3: in no outcome do all insurances of a hand win more than its wager, and nothing is cut
//! without need. The model knows nothing of the engine: it goes through every card that can still come and
//! adds up what would be paid.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;

use croupier_cards::{Card, parse_cards};
use croupier_rules::baccarat::insurance::Stage;
use croupier_rules::baccarat::{Deal, Side};
use croupier_rules::settle::{Covered, Insured, Terms, settle_insurance};
use croupier_rules::{Amount, Game, Library};

/// An insurance as the pay table prints it: the hand, its odds in halves, and whether only a tie pays it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Offer {
    on_player: bool,
    halves: i64,
    on_tie: bool,
}

/// Clause 6.4.6 line by line, for counts at which a card is due.
fn offer(third_up: bool, player: u8, banker: u8) -> Option<Offer> {
    let banker_insurance = |halves| Some(Offer { on_player: false, halves, on_tie: false });
    let player_insurance = |halves| Some(Offer { on_player: true, halves, on_tie: false });
    if third_up {
        return match (player, banker) {
            (1, 1) => banker_insurance(12),
            (1, 2..=6) => banker_insurance(14),
            (2, 3..=6) => banker_insurance(8),
            (3, 4) => banker_insurance(3),
            (4, 5) => banker_insurance(4),
            (5, 0..=4) => player_insurance(4),
            (6, 0..=5) => player_insurance(6),
            (7, 0..=6) => player_insurance(8),
            (8, 0..=6) => player_insurance(14),
            (9, 0..=6) => Some(Offer { on_player: true, halves: 18, on_tie: true }),
            _ => None,
        };
    }
    match (player, banker) {
        (0..=3, 4) => banker_insurance(3),
        (0..=4, 5) => banker_insurance(4),
        (0..=5, 6) => banker_insurance(6),
        (0..=5, 7) => banker_insurance(8),
        (5, 4) => player_insurance(4),
        (6, 0..=5) => player_insurance(6),
        (7, 0..=5) => player_insurance(8),
        _ => None,
    }
}

/// Table Two: whether the Banker takes a card, after the Player's third card or without one.
fn banker_draws(banker: u8, third: Option<u8>) -> bool {
    match (banker, third) {
        (_, None) => banker <= 5,
        (0..=2, _) => true,
        (3, Some(third)) => third != 8,
        (4, Some(third)) => (2..=7).contains(&third),
        (5, Some(third)) => (4..=7).contains(&third),
        (6, Some(third)) => third == 6 || third == 7,
        _ => false,
    }
}

/// How a round goes on from four cards: the offers that come up, and the cards still to come.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Course {
    offers: Vec<(Stage, Offer)>,
    cards: Vec<u8>,
    player: u8,
    banker: u8,
}

impl Course {
    /// Twice what one unit of stake is paid at the end of this course; nothing if it is not paid.
    fn pays(&self, offer: Offer) -> i64 {
        let tie = self.player == self.banker;
        let lost = if offer.on_player { self.banker > self.player } else { self.player > self.banker };
        if if offer.on_tie { tie } else { lost } { offer.halves } else { 0 }
    }
}

/// Every course from these counts on four cards. Third cards are given by their value.
fn courses(player: u8, banker: u8) -> Vec<Course> {
    if player >= 8 || banker >= 8 {
        return Vec::new();
    }
    let mut courses = Vec::new();
    let player_thirds: Vec<Option<u8>> = if player <= 5 { (0..10).map(Some).collect() } else { vec![None] };
    for third in player_thirds {
        let mut offers = Vec::new();
        let due = third.is_some() || banker_draws(banker, None);
        offers.extend(offer(false, player, banker).filter(|_| due).map(|offer| (Stage::FourCards, offer)));
        let player_ends = (player + third.unwrap_or(0)) % 10;
        let draws = banker_draws(banker, third);
        if third.is_some() && draws {
            offers.extend(offer(true, player_ends, banker).map(|offer| (Stage::PlayerThird, offer)));
        }
        let banker_thirds: Vec<Option<u8>> = if draws { (0..10).map(Some).collect() } else { vec![None] };
        for last in banker_thirds {
            courses.push(Course {
                offers: offers.clone(),
                cards: third.into_iter().chain(last).collect(),
                player: player_ends,
                banker: (banker + last.unwrap_or(0)) % 10,
            });
        }
    }
    courses
}

fn card(value: u8) -> Card {
    let text = match value {
        0 => "KC".to_string(),
        1 => "AC".to_string(),
        value => format!("{value}C"),
    };
    parse_cards(&text).unwrap()[0]
}

const CHIP: i64 = 20;

fn minor(chips: i64) -> Amount {
    Amount::new(chips * CHIP).unwrap()
}

/// What the engine settles for stakes laid along a course on a wager.
fn settle(game: &Game, initial: [u8; 4], course: &Course, wager: i64, stakes: &[i64]) -> Vec<(i64, i64)> {
    let cards: Vec<Card> = initial.into_iter().chain(course.cards.iter().copied()).map(card).collect();
    let deal = Deal::from_draws(&cards).unwrap();
    let table = game.insurance.as_ref().unwrap();
    let laid: Vec<Insured<'_>> = course
        .offers
        .iter()
        .zip(stakes)
        .filter(|(_, stake)| **stake > 0)
        .map(|((stage, offer), stake)| {
            let line = table.offer_at(&deal, *stage).unwrap();
            assert_eq!(line.side == Side::Player, offer.on_player);
            Insured { line, stake: minor(*stake) }
        })
        .collect();
    let covered = Covered { laid: minor(wager), in_action: minor(wager) };
    let terms = Terms::open(game.bets.len());
    let ends = settle_insurance(game, &terms, deal.outcome().unwrap(), covered, &laid).unwrap();
    ends.iter().map(|end| (end.in_action.minor(), end.winnings.minor())).collect()
}

/// All counts on four cards, both windows, both hands, all lines, each outcome.
#[test]
fn insurance_is_capped_in_every_outcome_and_never_without_need() {
    let library = Library::standard();
    let game = library.game("hoiana-baccarat/commission").unwrap();
    let mut seen: BTreeSet<Vec<(Stage, Offer)>> = BTreeSet::new();
    let mut checked = 0_u64;
    for (player, banker) in (0..8).flat_map(|player| (0..8).map(move |banker| (player, banker))) {
        // The first cards are tens, so that the second give the count.
        let initial = [0, 0, player, banker];
        let all = courses(player, banker);
        for course in &all {
            if course.offers.is_empty() {
                continue;
            }
            // A player insures one hand; the two hands never have a line in the same round.
            let hands: BTreeSet<bool> = course.offers.iter().map(|(_, offer)| offer.on_player).collect();
            seen.insert(course.offers.clone());
            for on_player in hands {
                for wager in [1, 2, 3, 7, 12] {
                    for stakes in [[1, 1], [1, 12], [2, 3], [3, 1], [5, 5], [12, 12], [0, 4], [4, 0], [6, 1]]
                    {
                        let mine: Vec<i64> = course
                            .offers
                            .iter()
                            .zip(stakes)
                            .map(|((_, offer), stake)| if offer.on_player == on_player { stake } else { 0 })
                            .collect();
                        check(game, initial, &all, course, wager, &mine);
                        checked += 1;
                    }
                }
            }
        }
    }
    // Every line of the table has come up, and pairs of lines on one hand with them.
    let lines: BTreeSet<(Stage, Offer)> = seen.iter().flatten().copied().collect();
    assert_eq!(lines.len(), 17, "{lines:?}");
    assert!(seen.iter().any(|offers| offers.len() == 2 && offers.iter().any(|(_, offer)| offer.on_tie)));
    assert!(checked > 20_000, "{checked}");
}

/// One course with stakes on a wager, against every end that was open when they were laid.
fn check(game: &Game, initial: [u8; 4], all: &[Course], course: &Course, wager: i64, stakes: &[i64]) {
    let told = || format!("{initial:?} {course:?}: {stakes:?} on {wager}");
    let laid: Vec<(Stage, Offer, i64)> = course
        .offers
        .iter()
        .zip(stakes)
        .filter(|(_, stake)| **stake > 0)
        .map(|((stage, offer), stake)| (*stage, *offer, *stake))
        .collect();
    let ends = settle(game, initial, course, wager, stakes);
    assert_eq!(ends.len(), laid.len(), "{}", told());
    let most = wager * CHIP;
    let paid: i64 = ends.iter().map(|(_, winnings)| winnings).sum();
    assert!(paid <= most, "{}: paid {paid}", told());
    for (at, ((counted, _), (stage, _, stake))) in ends.iter().zip(&laid).enumerate() {
        assert!(*counted <= stake * CHIP, "{}", told());
        // The ends that were open when it was laid: after the Player's third card those with that card.
        let third_up = *stage == Stage::PlayerThird;
        let is_open = |end: &&Course| !third_up || end.cards.first() == course.cards.first();
        let open: Vec<&Course> = all.iter().filter(is_open).collect();
        // Win or lose, the same counts.
        for end in open.iter().filter(|end| end.offers == course.offers) {
            assert_eq!(settle(game, initial, end, wager, stakes)[at].0, *counted, "{}", told());
        }
        // Twice what is paid if all that counts, up to this one, is paid in full with one more chip here.
        let with_one_more = |end: &Course| -> i64 {
            let upto = ends.iter().zip(&laid).take(at + 1).enumerate();
            upto.map(|(each, ((counted, _), (_, offer, _)))| {
                (counted + if each == at { CHIP } else { 0 }) * end.pays(*offer)
            })
            .sum()
        };
        let breaks = open.iter().any(|end| with_one_more(end) > 2 * most);
        assert!(*counted == stake * CHIP || breaks, "{}: {counted} is cut without need", told());
    }
}
