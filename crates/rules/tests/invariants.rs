//! What must hold on every outcome of every game, whatever a rulebook's pay tables say.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use croupier_cards::{Card, Rank, Suit};
use croupier_rules::baccarat::insurance::{InsuranceTable, Stage};
use croupier_rules::baccarat::{Deal, Outcome, Side, Winner};
use croupier_rules::bet::{Bet, Payoff};
use croupier_rules::niu_niu::{BoxOutcome, BoxWinner};
use croupier_rules::settle::exact_net;
use croupier_rules::{Family, Game, Library, Ratio};

const SIDES: [Side; 2] = [Side::Player, Side::Banker];

/// What a card of each rank counts in baccarat, ace to king.
const VALUES: [u8; 13] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0];

fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(Library::standard)
}

#[expect(clippy::unwrap_used, reason = "the standard games are there")]
fn game(id: &str) -> &'static Game {
    library().game(id).unwrap()
}

fn baccarat_games() -> impl Iterator<Item = &'static Game> {
    let rulebooks = library().rulebooks().iter();
    rulebooks.filter(|rulebook| rulebook.family == Family::Baccarat).flat_map(|rulebook| &rulebook.games)
}

#[expect(clippy::unwrap_used, reason = "a reachable outcome without a line is a failed test")]
fn payoff(bet: &Bet, outcome: Outcome) -> Payoff {
    bet.pays.line(outcome.index()).unwrap().payoff
}

/// What the bet of that name pays for one unit if it wins; nothing if it does not, or is not on the menu.
fn wins(game: &Game, bet: &str, outcome: Outcome) -> Option<Ratio> {
    match payoff(game.bet(bet)?, outcome) {
        payoff @ Payoff::Win { .. } => Some(payoff.net()),
        Payoff::Push | Payoff::Lose => None,
    }
}

/// Holds for every reachable outcome of every baccarat game.
#[track_caller]
fn check(invariant: impl Fn(&Game, Outcome) -> bool) {
    let mut outcomes = 0;
    for game in baccarat_games() {
        for outcome in Outcome::reachable() {
            assert!(invariant(game, outcome), "{}: {outcome}", game.id);
            outcomes += 1;
        }
    }
    assert!(outcomes > 0);
}

/// All orders of `draws` cards of the first `ranks` ranks, from the ace on; ten ranks have every value.
fn sequences(draws: u32, ranks: usize) -> impl Iterator<Item = Vec<Card>> {
    (0..ranks.pow(draws)).map(move |number| {
        let card = |at: u32, suit: Suit| Card::new(Rank::ALL[number / ranks.pow(at) % ranks], suit);
        (0..draws).zip(Suit::ALL.into_iter().cycle()).map(|(at, suit)| card(at, suit)).collect()
    })
}

/// The winner, the margin and the natural of a class follow from its counts and cards (HB 4.14, 6.1).
#[test]
fn a_class_knows_its_result() {
    for outcome in Outcome::reachable() {
        let [player, banker] = SIDES.map(|side| outcome.points(side));
        let expected = match i16::from(player) - i16::from(banker) {
            0 => Winner::Tie,
            1.. => Winner::Player,
            _ => Winner::Banker,
        };
        assert_eq!(outcome.winner(), expected, "{outcome}");
        assert_eq!(outcome.margin(), player.max(banker) - player.min(banker), "{outcome}");
        let [player_cards, banker_cards] = SIDES.map(|side| outcome.cards(side));
        assert_eq!(outcome.total_cards(), player_cards + banker_cards, "{outcome}");
        let natural = player_cards == 2 && banker_cards == 2 && (player >= 8 || banker >= 8);
        assert_eq!(outcome.is_natural(), natural, "{outcome}");
        let pairs = SIDES.map(|side| outcome.is_pair(side));
        let again = Outcome::new(player, banker, player_cards, banker_cards, pairs[0], pairs[1]);
        assert_eq!(again, Some(outcome));
        assert_eq!(Outcome::from_index(outcome.index()), Some(outcome));
    }
}

/// Every bet has an answer for every outcome that can happen and for no other.
#[test]
fn columns_cover_what_can_happen() {
    let reachable: BTreeSet<usize> = Outcome::reachable().map(Outcome::index).collect();
    for bet in baccarat_games().flat_map(|game| &game.bets) {
        for class in 0..=Outcome::COUNT {
            assert_eq!(bet.pays.line(class).is_some(), reachable.contains(&class), "{}: {class}", bet.id);
        }
    }
}

/// HB and HDT 6.1.1 to 6.1.3, MBS 3.15 and 3.15.1, DB-8, DB-9, DB-17.
#[test]
fn exactly_one_of_player_banker_and_tie_describes_the_result() {
    check(|game, outcome| {
        let won = ["player", "banker", "tie"].map(|bet| wins(game, bet, outcome).is_some());
        let expected = [Winner::Player, Winner::Banker, Winner::Tie].map(|winner| winner == outcome.winner());
        won == expected
    });
    check(|game, outcome| {
        let returned = ["player", "banker"].map(|id| {
            game.bet(id).map(|bet| payoff(bet, outcome) == Payoff::Push)
                == Some(outcome.winner() == Winner::Tie)
        });
        returned == [true, true]
    });
}

/// HDT 6.3.1.1 to 6.6.1.1, MBS 1.1.1, 1.1.2, 1.1.9, 1.1.10: two cards or three, seven or six, never both.
#[test]
fn at_most_one_dragon_or_tiger_wins() {
    const DRAGONS_AND_TIGERS: [&str; 4] = ["small-dragon", "big-dragon", "small-tiger", "big-tiger"];
    check(|game, outcome| {
        DRAGONS_AND_TIGERS.iter().filter(|bet| wins(game, bet, outcome).is_some()).count() <= 1
    });
    // On a game that has them, the dragons together are a Player win on 7 and the tigers a Banker win on 6.
    check(|game, outcome| {
        let either = |bets: [&str; 2]| bets.into_iter().any(|bet| wins(game, bet, outcome).is_some());
        let on = |winner: Winner, side: Side, points: u8| {
            outcome.winner() == winner && outcome.points(side) == points
        };
        game.bet("small-dragon").is_none()
            || either(["small-dragon", "big-dragon"]) == on(Winner::Player, Side::Player, 7)
                && either(["small-tiger", "big-tiger"]) == on(Winner::Banker, Side::Banker, 6)
    });
}

/// HDT 2.2.7, 6.7.1.1, MBS 1.1.3: it asks for more than a dragon does, a Banker on 6.
#[test]
fn dragon_tiger_wins_only_with_a_dragon() {
    check(|game, outcome| {
        let dragon = ["small-dragon", "big-dragon"].iter().any(|bet| wins(game, bet, outcome).is_some());
        let against_six = outcome.points(Side::Banker) == 6;
        let offered = game.bet("dragon-tiger").is_some();
        wins(game, "dragon-tiger", outcome).is_some() == (offered && dragon && against_six)
    });
}

/// HB 2.2.8, 6.3.1, HB-Q33 beside HDT 2.2.4, 2.2.17 and MBS 1.1.2, 1.1.10: the same cards.
#[test]
fn lucky_six_wins_exactly_where_a_tiger_would() {
    let baccarat = ["hoiana-baccarat/commission", "hoiana-baccarat/non-commission"];
    let tigers = ["hoiana-dragon-tiger/commission", "hoiana-dragon-tiger/non-commission", "mbs-dragon-tiger"];
    for (lucky, tiger) in baccarat.into_iter().flat_map(|lucky| tigers.map(|tiger| (lucky, tiger))) {
        for outcome in Outcome::reachable() {
            // HB 5.1.6 and 5.1.7: 12 to 1 on two cards, 20 to 1 on three.
            let small = wins(game(tiger), "small-tiger", outcome).map(|_| Ratio::from(12));
            let big = wins(game(tiger), "big-tiger", outcome).map(|_| Ratio::from(20));
            assert_eq!(wins(game(lucky), "lucky-6", outcome), small.or(big), "{lucky}, {tiger}: {outcome}");
        }
    }
}

/// HDT 6.3.1.1 to 6.7.1.1, HB 2.2.8: seven each or six each wins nothing.
#[test]
fn no_dragon_tiger_or_lucky_six_wins_on_a_tie() {
    const BETS: [&str; 6] =
        ["small-dragon", "big-dragon", "small-tiger", "big-tiger", "dragon-tiger", "lucky-6"];
    check(|game, outcome| {
        let mut bets = BETS.iter().filter_map(|bet| game.bet(bet));
        outcome.winner() != Winner::Tie || bets.all(|bet| payoff(bet, outcome) == Payoff::Lose)
    });
}

/// DB-4.1, DB-4.2, DB-6.1 to DB-6.8, DB-Q1, DB-Q2: the natural line or a margin line, never both; every
/// non-natural tie loses.
#[test]
fn dragon_bonus_pays_the_natural_or_the_margin() {
    const MARGINS: [(u8, i64); 6] = [(4, 1), (5, 2), (6, 4), (7, 6), (8, 10), (9, 30)];
    let (rulebook, game) = library().find("horseshoe-dragon-bonus").expect("a standard game");
    for (winner, bet) in [(Winner::Player, "dragon-bonus-player"), (Winner::Banker, "dragon-bonus-banker")] {
        let bet = game.bet(bet).expect("on the menu");
        for outcome in Outcome::reachable() {
            let margin = MARGINS.iter().find(|(margin, _)| *margin == outcome.margin());
            let expected = match (outcome.winner(), outcome.is_natural(), margin) {
                (won, true, _) if won == winner => (1, Some("DB-6.7".to_owned())),
                (won, false, Some((by, pays))) if won == winner => (*pays, Some(format!("DB-6.{}", 10 - by))),
                (Winner::Tie, true, _) => (0, Some("DB-6.8".to_owned())),
                _ => (-1, None),
            };
            let line = bet.pays.line(outcome.index()).expect("a line");
            let cited = line.cites.iter().map(|basis| rulebook.index.id(*basis));
            let cited: Vec<&str> = cited.filter(|id| id.starts_with("DB-6.")).collect();
            assert!(cited.len() <= 1, "{}: {outcome} rests on {cited:?}", bet.id);
            let found = (line.payoff.net(), cited.first().map(ToString::to_string));
            assert_eq!(found, (Ratio::from(expected.0), expected.1), "{}: {outcome}", bet.id);
        }
    }
}

/// HB 4.9.1.3 and 4.12.2.1, HDT 4.9.1.3 and 4.11.2.1: two cards of one rank, and no third card makes or
/// breaks a pair. Third cards are of every value.
#[test]
fn pairs_depend_on_the_first_four_cards() {
    let thirds: Vec<Vec<Card>> = sequences(2, 10).collect();
    for four in sequences(4, 13) {
        let pairs = [four[0].rank() == four[2].rank(), four[1].rank() == four[3].rank()];
        let start = Deal::from_draws(&four).expect("four cards are always due");
        for thirds in &thirds {
            let mut deal = start;
            let taken = thirds.iter().take_while(|card| deal.draw(**card).is_ok()).count();
            let outcome = deal.outcome().expect("complete");
            assert_eq!(outcome.total_cards(), 4 + u8::try_from(taken).expect("at most two"));
            assert_eq!(SIDES.map(|side| outcome.is_pair(side)), pairs, "{:?}", deal.draws());
        }
    }
    check(|game, outcome| {
        let mut bets = [(Side::Player, "player-pair"), (Side::Banker, "banker-pair")].into_iter();
        bets.all(|(side, bet)| {
            game.bet(bet).is_none() || wins(game, bet, outcome).is_some() == outcome.is_pair(side)
        })
    });
}

#[expect(clippy::unwrap_used, reason = "a rulebook without its insurance table is a failed test")]
fn insurance_table() -> &'static InsuranceTable {
    game("hoiana-baccarat/commission").insurance.as_ref().unwrap()
}

/// HB 6.4.6: at most one side is insurable at a time, and by one line.
#[test]
fn at_most_one_line_matches_any_counts() {
    let table = insurance_table();
    let mut matched = [0; 2];
    for (at, stage) in Stage::ALL.into_iter().enumerate() {
        for (player, banker) in (0..10).flat_map(|player| (0..10).map(move |banker| (player, banker))) {
            let lines = table.lines.iter().filter(|line| line.matches(stage, player, banker)).count();
            assert!(lines <= 1, "{stage}: Player {player}, Banker {banker}");
            matched[at] += lines;
        }
    }
    // Of 100 pairs of counts: 4 + 5 + 6 + 6 and 1 + 6 + 6; then 1 + 5 + 4 + 1 + 1 and 5 + 6 + 7 + 7 + 7.
    assert_eq!(matched, [34, 44]);
}

/// HB 6.4.6: with four cards out, a card is due on every line, so matching counts always make an offer.
#[test]
fn window_one_offers_whatever_matches() {
    let table = insurance_table();
    for four in sequences(4, 13) {
        let deal = Deal::from_draws(&four).expect("four cards are always due");
        let (player, banker) = (deal.points(Side::Player), deal.points(Side::Banker));
        let matching = table.lines.iter().find(|line| line.matches(Stage::FourCards, player, banker));
        assert_eq!(table.offer_at(&deal, Stage::FourCards), matching, "{four:?}");
        assert!(matching.is_none() || deal.due().is_some(), "{four:?}");
        assert_eq!(table.offer_at(&deal, Stage::PlayerThird), None, "{four:?}");
    }
}

/// HB 6.4.6 and HB-Q34. Counts after the Player's third card on which the Banker may have to stand: Banker,
/// Player, insured hand, odds; the Player's first two cards plus the third for which there is an offer; those
/// for which there is none, because the Banker stands.
const WINDOW_TWO: &str = "\
3 1 banker 7:1 | 0+1 1+0 2+9 4+7 5+6 | 3+8
4 1 banker 7:1 | 4+7 5+6             | 0+1 1+0 2+9 3+8
5 1 banker 7:1 | 4+7 5+6             | 0+1 1+0 2+9 3+8
6 1 banker 7:1 | 4+7 5+6             | 0+1 1+0 2+9 3+8
3 2 banker 4:1 | 0+2 1+1 2+0 3+9 5+7 | 4+8
4 2 banker 4:1 | 0+2 5+7             | 1+1 2+0 3+9 4+8
5 2 banker 4:1 | 5+7                 | 0+2 1+1 2+0 3+9 4+8
6 2 banker 4:1 | 5+7                 | 0+2 1+1 2+0 3+9 4+8
4 3 banker 3:2 | 0+3 1+2             | 2+1 3+0 4+9 5+8
5 4 banker 2:1 | 0+4                 | 1+3 2+2 3+1 4+0 5+9
4 5 player 2:1 | 0+5 1+4 2+3 3+2     | 4+1 5+0
4 6 player 3:1 | 0+6 1+5 2+4 3+3 4+2 | 5+1
5 6 player 3:1 | 0+6 1+5 2+4         | 3+3 4+2 5+1
5 7 player 4:1 | 0+7 1+6 2+5 3+4     | 4+3 5+2
6 7 player 4:1 | 0+7 1+6             | 2+5 3+4 4+3 5+2
3 8 player 7:1 | 1+7 2+6 3+5 4+4 5+3 | 0+8
4 8 player 7:1 | 1+7 2+6 3+5 4+4 5+3 | 0+8
5 8 player 7:1 | 1+7 2+6 3+5 4+4     | 0+8 5+3
6 8 player 7:1 | 1+7 2+6             | 0+8 3+5 4+4 5+3
3 9 player 9:1 | 0+9 2+7 3+6 4+5 5+4 | 1+8
4 9 player 9:1 | 2+7 3+6 4+5 5+4     | 0+9 1+8
5 9 player 9:1 | 2+7 3+6 4+5 5+4     | 0+9 1+8
6 9 player 9:1 | 2+7 3+6             | 0+9 1+8 4+5 5+4";

/// The other insurable counts: the Banker always draws, so there is always an offer.
const WINDOW_TWO_ALWAYS: &str = "\
1 1 banker 6:1
2 1 banker 7:1
0 5 player 2:1
1 5 player 2:1
2 5 player 2:1
3 5 player 2:1
0 6 player 3:1
1 6 player 3:1
2 6 player 3:1
3 6 player 3:1
0 7 player 4:1
1 7 player 4:1
2 7 player 4:1
3 7 player 4:1
4 7 player 4:1
0 8 player 7:1
1 8 player 7:1
2 8 player 7:1
0 9 player 9:1
1 9 player 9:1
2 9 player 9:1";

/// Banker's count, Player's first two cards, Player's third card.
type Situation = (u8, u8, u8);

/// For insurable counts the hand and the odds on offer, or nothing where the Banker stands.
type Offers = BTreeMap<Situation, Option<String>>;

/// Both tables as one: a situation that is missing has counts that no line speaks of.
#[expect(clippy::unwrap_used, reason = "a line that does not parse is a mistake in the test")]
fn window_two() -> Offers {
    let number = |text: &str| text.parse::<u8>().unwrap();
    let mut offers = Offers::new();
    let mut add = |banker: &str, player: &str, (two, third): (u8, u8), offer: Option<String>| {
        assert_eq!((two + third) % 10, number(player), "{banker} {player}: {two}+{third}");
        assert!(two <= 5 && offers.insert((number(banker), two, third), offer).is_none());
    };
    for line in WINDOW_TWO.lines() {
        let [counts, offered, none] = line.split(" | ").collect::<Vec<_>>().try_into().unwrap();
        let [banker, player, hand, odds] = counts.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let sums = |part: &str| -> Vec<(u8, u8)> {
            let sum = |sum: &str| sum.split_once('+').map(|(two, third)| (number(two), number(third)));
            part.split_whitespace().map(|text| sum(text).unwrap()).collect()
        };
        sums(offered).into_iter().for_each(|sum| add(banker, player, sum, Some(format!("{hand} {odds}"))));
        sums(none).into_iter().for_each(|sum| add(banker, player, sum, None));
        assert_eq!(sums(offered).len() + sums(none).len(), 6, "{line}: the Player draws on 0 to 5");
    }
    for line in WINDOW_TWO_ALWAYS.lines() {
        let [banker, player, hand, odds] = line.split(' ').collect::<Vec<_>>().try_into().unwrap();
        for two in 0..=5 {
            let sum = (two, (10 + number(player) - two) % 10);
            add(banker, player, sum, Some(format!("{hand} {odds}")));
        }
    }
    offers
}

/// HB 6.4.6 in window 2, for all orders of five ranks: an offer stands exactly where the tables have one.
#[test]
fn window_two_offers_only_while_the_banker_draws() {
    let table = insurance_table();
    let offers = window_two();
    assert_eq!(offers.len(), (23 + 21) * 6);
    let mut met = BTreeSet::new();
    for five in sequences(5, 13) {
        let Ok(deal) = Deal::from_draws(&five) else { continue };
        let value = |at: usize| VALUES[five[at].rank().index()];
        let situation = ((value(1) + value(3)) % 10, (value(0) + value(2)) % 10, value(4));
        let (banker, two, third) = situation;
        let found = table.offer_at(&deal, Stage::PlayerThird);
        let found = found.map(|line| format!("{} {}", line.side.key(), line.odds));
        if two > 5 {
            // The fifth card was the Banker's and the last: there is no second window.
            assert_eq!(found, None, "{five:?}");
            continue;
        }
        let player = (two + third) % 10;
        let matching = table.lines.iter().any(|line| line.matches(Stage::PlayerThird, player, banker));
        assert_eq!(matching, offers.contains_key(&situation), "{five:?}");
        assert_eq!(found, offers.get(&situation).cloned().flatten(), "{five:?}");
        assert!(!matching || found.is_some() == (deal.due() == Some(Side::Banker)), "{five:?}");
        met.insert(situation);
    }
    assert!(offers.keys().all(|situation| met.contains(situation)), "some line never came up");
}

/// How many times the wager a Dealer's hand takes in all, from No Hand up to Hoiana Niu Niu: NN 6.4.1 and
/// 6.4.2, which mirror the odds of 5.1.
const TIMES: [(&str, [i64; 13]); 2] = [
    ("double", [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3]),
    ("super-niu", [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
];

/// NN 6.3.1, 6.3.2, 6.4.1.i to iii, 6.4.2.i to xii.
#[test]
fn wager_and_lost_reserve_equal_the_pay_of_the_dealers_hand() {
    let game = game("hoiana-niu-niu");
    for (id, times) in TIMES {
        let bet = game.bet(id).expect("on the menu");
        let laid = i64::from(bet.reserve.as_ref().expect("NN 4.5.3 asks for a Reserve").times);
        for outcome in BoxOutcome::reachable() {
            let (net, reserve) = exact_net(bet, outcome.index(), Ratio::ONE).expect("a line");
            let reserve = reserve.expect("a Reserve");
            match outcome.winner {
                BoxWinner::Player => assert_eq!(reserve, Ratio::ZERO, "{id}: {outcome}"),
                BoxWinner::Dealer => {
                    let lost = Ratio::from(-times[outcome.dealer.index()]);
                    assert_eq!(net + reserve, lost, "{id}: {outcome}");
                    assert_eq!(net, -Ratio::ONE, "{id}: {outcome}");
                    // What the same hand would be paid, before commission.
                    let mirrored =
                        BoxOutcome { hand: outcome.dealer, dealer: outcome.hand, winner: BoxWinner::Player };
                    let line = bet.pays.line(mirrored.index()).expect("a line");
                    let pays = line.payoff.net() + line.payoff.deduction();
                    assert_eq!(-lost, pays, "{id}: {outcome}");
                }
            }
            assert!(reserve >= Ratio::from(-laid), "{id}: {outcome} takes more than was laid");
        }
        // The Reserve is what the worst hand can take, no more (NN 4.5.3.i and ii).
        assert_eq!(1 + laid, times[12], "{id}");
    }
    let even = game.bet("even").expect("on the menu");
    assert!(even.reserve.is_none());
}

/// NN 6.2: the higher category wins whatever the cards; equal categories go either way.
#[test]
fn box_outcomes_agree_with_the_order_of_categories() {
    let mut seen = BTreeSet::new();
    for outcome in BoxOutcome::reachable() {
        let (hand, dealer) = (outcome.hand.index(), outcome.dealer.index());
        assert!(hand == dealer || (hand > dealer) == (outcome.winner == BoxWinner::Player), "{outcome}");
        assert!(outcome.index() < BoxOutcome::COUNT && seen.insert(outcome.index()), "{outcome}");
    }
    assert_eq!(seen.len(), 13 * 12 + 13 * 2);
}
