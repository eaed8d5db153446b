//! What views tell beyond what may be done, rule by rule: what insurance can still cover, who draws, who is on duty,
//! what becomes of the shoe, and a call that the cards contradict.

use croupier_cards::Card;
use croupier_rules::baccarat::{Side, Winner};
use croupier_rules::clause::Basis;
use croupier_rules::irregularity::ShoeFate;
use croupier_table::command::Holder;
use croupier_table::setup::Method;
use croupier_table::view::{Act, Announced, InsureOffer, MarkShown};
use croupier_table::{Action, Actor, Event, Fact, PlayerId, Report, Table};
use proptest::prelude::*;

use super::opening::{Chance, money, staff, top};
use super::play::place;
use super::{Floor, offers};

const ANN: PlayerId = PlayerId(1);
const DEALER: (u32, u8) = (1, 0);

impl Floor {
    /// A table with betting open.
    fn betting(game: &str, settings: &[(&str, &str)]) -> Self {
        let mut floor = Self::open(game, settings, 200_000, 5_000_000, Chance(1));
        let burn = Action::Burn { count: floor.table.setup.burn, cards: Vec::new() };
        for action in [Action::LoadShoe { set: None, commitment: None }, Action::RecordShuffle] {
            floor.deal(action);
        }
        if floor.table.setup.cut_card.is_some() {
            floor.deal(Action::CutCards { above: None });
        }
        if floor.table.setup.burn > 0 {
            floor.deal(burn);
        }
        floor.deal(Action::OpenBets);
        floor
    }

    fn deal(&mut self, action: Action) -> Vec<Event> {
        self.run(staff(DEALER.0, DEALER.1), action).unwrap_or_else(|refusal| panic!("{refusal}"))
    }

    fn draw(&mut self, cards: &[&str]) {
        for card in cards {
            self.deal(drawn(card));
        }
    }

    fn bet(&mut self, id: &str, number: Option<u8>, minor: i64) {
        let bet = self.table.game().bets.iter().position(|bet| bet.id == id).expect("a bet");
        let laid = place(ANN, bet, number, money(minor));
        self.run(Actor::Player(ANN), laid).unwrap_or_else(|refusal| panic!("{refusal}"));
    }

    fn insure(&mut self, minor: i64) {
        let action = Action::Insure { player: ANN, side: Side::Banker, amount: money(minor) };
        self.run(Actor::Player(ANN), action).unwrap_or_else(|refusal| panic!("{refusal}"));
    }

    fn insurance(&self) -> Option<InsureOffer> {
        self.views.player(ANN).and_then(|view| view.own.insure.clone())
    }
}

fn drawn(card: &str) -> Action {
    let card: Card = card.parse().expect("a card");
    Action::Draw { card: Some(card), laid: None, exposed: false }
}

fn clauses(table: &Table, cites: &[Basis]) -> Vec<String> {
    cites.iter().map(|basis| table.rulebook().index.id(*basis).to_string()).collect()
}

/// The offer says the sums; more than what counts is taken, and goes back when the round is settled.
fn check_offer(floor: &Floor, uncovered: i64, most: i64) {
    if uncovered == 0 {
        assert_eq!(floor.insurance(), None, "nothing more would count");
        return;
    }
    let offer = floor.insurance().expect("an offer");
    assert_eq!((offer.uncovered, offer.most), (money(uncovered), money(most)), "{offer:?}");
    let insure = |amount| Action::Insure { player: ANN, side: Side::Banker, amount };
    offers::expect_bounds(&floor.table, Actor::Player(ANN), offer.stake, insure);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    /// HB 6.4.3: both windows together pay no more than the wager; HB-Q36: in whole chips.
    #[test]
    fn insurance_offers_what_is_still_uncovered(wager in 10_i64..=500, share in 0_i64..=100) {
        let (wager, chips) = (wager * 100, wager * share / 300);
        let mut floor = Floor::betting("hoiana-baccarat/commission", &[("insurance-lapse", "window")]);
        floor.bet("banker", None, wager);
        // Player 4, Banker 6 at 3 to 1; then Player 1 at 7 to 1.
        floor.draw(&["KC", "KS", "4D", "6H"]);
        floor.deal(Action::OfferInsurance);
        check_offer(&floor, wager, wager / 300 * 100);
        let first = chips * 100;
        if first > 0 {
            floor.insure(first);
            check_offer(&floor, wager - 3 * first, (wager - 3 * first) / 300 * 100);
        }
        floor.draw(&["7H"]);
        floor.deal(Action::OfferInsurance);
        check_offer(&floor, wager - 3 * first, (wager - 3 * first) / 700 * 100);
    }

    /// HB 6.4.3.1: the house's limit at these odds bounds all that a player lays at them.
    #[test]
    fn insurance_keeps_the_limit_of_the_house(limit in 1_i64..=40, first in 0_i64..=40) {
        let (limit, first) = (limit * 100, first.min(limit) * 100);
        let value = limit.to_string();
        let mut floor = Floor::betting("hoiana-baccarat/commission", &[("insurance-limit 3:1", value.as_str())]);
        floor.bet("banker", None, 20_000);
        floor.draw(&["KC", "KS", "4D", "6H"]);
        floor.deal(Action::OfferInsurance);
        if first > 0 {
            floor.insure(first);
        }
        if limit == first {
            prop_assert_eq!(floor.insurance(), None);
        } else {
            check_offer(&floor, 20_000 - 3 * first, limit - first);
        }
    }

    /// HB 6.4.2, 6.4.3: cover on a Player 9 pays in the tie, where earlier insurance pays nothing.
    #[test]
    fn insurance_of_a_nine_has_the_whole_wager(wager in 10_i64..=500, chips in 1_i64..=500) {
        let wager = wager * 100;
        let mut floor = Floor::betting("hoiana-baccarat/commission", &[]);
        floor.bet("player", None, wager);
        // Player 5, Banker 4 at 2 to 1; then Player 9 at 9 to 1.
        floor.draw(&["KC", "KS", "5D", "4H"]);
        floor.deal(Action::OfferInsurance);
        let insure = |amount| Action::Insure { player: ANN, side: Side::Player, amount: money(amount) };
        prop_assert!(floor.run(Actor::Player(ANN), insure(chips * 100)).is_ok());
        floor.draw(&["4D"]);
        floor.deal(Action::OfferInsurance);
        let offer = floor.insurance().expect("an offer");
        prop_assert_eq!((offer.insured, offer.uncovered), (money(wager), money(wager)));
        // The most that counts does not break the cap, and one chip more does.
        let most = offer.most.minor();
        prop_assert!(9 * most <= wager && 9 * (most + 100) > wager, "{} of {}", most, wager);
    }
}

/// MBS 3.12.1: the player with the device draws; while nobody has it, the Dealer does.
#[test]
fn the_dealer_draws_while_nobody_has_the_device() {
    let mut floor = Floor::betting("mbs-dragon-tiger", &[("method", "C"), ("area", "paiza-club")]);
    floor.bet("player", None, 5_000);
    let mut held = floor.table.clone();
    floor.deal(Action::CloseBets);
    assert_eq!(floor.views.dealer().desk.draw.and_then(|offer| offer.side), Some(Side::Player));
    floor.draw(&["KC"]);
    assert_eq!(floor.views.dealer().desk.draw.and_then(|offer| offer.side), Some(Side::Banker));

    let take = Action::TakeDevice { player: ANN };
    super::opening::run(&mut held, Actor::Player(ANN), take).expect("the device is free");
    let views = croupier_table::Views::new(&held);
    assert_eq!(views.dealer().desk.draw, None);
    let refusal =
        offers::attempt(&held, Actor::Player(PlayerId(2)), &drawn("KC")).expect_err("for the holder to draw");
    assert_eq!(refusal.code(), "not-drawer");
    assert_eq!(clauses(&held, &refusal.cites), ["3.12.1"]);
    // A card that the Dealer drew all the same is out, and somebody rules.
    let events = offers::attempt(&held, staff(DEALER.0, DEALER.1), &drawn("KC")).expect("it is out");
    assert!(matches!(events.last().map(|event| &event.fact), Some(Fact::Irregular { .. })), "{events:?}");
    assert!(views.player(ANN).is_some_and(|view| view.own.may.draw.is_some()));
}

/// NN 4.3, 4.8: every card comes out of the device; the Dealer is told so, and to whom packets are due. What was dealt
/// on a layout the Dealer may tell as well as the device.
#[test]
fn niu_niu_packets_are_for_the_device() {
    let mut floor = Floor::betting("hoiana-niu-niu", &[]);
    floor.bet("even", Some(1), 5_000);
    assert_eq!(floor.views.dealer().desk.packets, None);
    floor.deal(Action::CloseBets);
    let due = floor.views.dealer().desk.packets.clone().expect("packets are due");
    assert_eq!(due.to, [Holder::Box(1), Holder::Dealer]);
    assert_eq!(clauses(&floor.table, &due.cites), ["4.3"]);
    let cards = |from: &[&str]| from.iter().map(|card| card.parse().expect("a card")).collect::<Vec<Card>>();
    let packet = Action::DealPacket { to: Holder::Box(1), cards: cards(&["2C", "3C", "4C", "5C", "6C"]) };
    let player =
        offers::attempt(&floor.table, Actor::Player(ANN), &packet).expect_err("a player deals nothing");
    assert_eq!(player.code(), "device-only");
    assert_eq!(clauses(&floor.table, &player.cites), ["4.3"]);
    assert!(offers::attempt(&floor.table, staff(DEALER.0, DEALER.1), &packet).is_ok());
    floor.run(Actor::Device, packet).unwrap_or_else(|refusal| panic!("{refusal}"));
    let due = floor.views.dealer().desk.packets.clone().expect("one more is due");
    assert_eq!(due.to, [Holder::Dealer]);
    let last = Action::DealPacket { to: Holder::Dealer, cards: cards(&["2D", "3D", "4D", "5D", "6D"]) };
    floor.run(Actor::Device, last).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(floor.views.dealer().desk.packets, None);
}

/// NN 4.9.5: once the hands are open, everybody sees what each of them is, the Dealer's too, which nobody has set.
#[test]
fn open_hands_of_niu_niu_say_what_they_are() {
    let mut floor = Floor::betting("hoiana-niu-niu", &[]);
    floor.bet("even", Some(1), 5_000);
    floor.deal(Action::CloseBets);
    let cards = |from: &[&str]| from.iter().map(|card| card.parse().expect("a card")).collect::<Vec<Card>>();
    let hands =
        [(Holder::Box(1), ["2C", "3C", "4D", "5C", "6C"]), (Holder::Dealer, ["2D", "3D", "5D", "KD", "QD"])];
    for (to, five) in hands {
        let packet = Action::DealPacket { to, cards: cards(&five) };
        floor.run(Actor::Device, packet).unwrap_or_else(|refusal| panic!("{refusal}"));
    }
    let shown = |floor: &Floor| -> Vec<_> {
        let hands = &floor.views.public().felt.hands;
        hands.iter().map(|hand| (hand.holder, hand.is_set, hand.set_as)).collect()
    };
    if floor.views.dealer().desk.acts.contains(Act::CheckCount) {
        floor.deal(Action::CheckCount);
    }
    let right = |floor: &Floor, holder| {
        let hand = floor.table.round.boxes.hand(holder).and_then(|dealt| dealt.hand()).expect("five cards");
        hand.category()
    };
    let (own, dealers) = (right(&floor, Holder::Box(1)), right(&floor, Holder::Dealer));
    floor.deal(Action::SetHand { holder: Holder::Box(1), set_as: own });
    assert_eq!(shown(&floor), [(Holder::Box(1), true, None), (Holder::Dealer, false, None)]);
    floor.deal(Action::OpenDealer);
    assert_eq!(shown(&floor), [(Holder::Box(1), true, Some(own)), (Holder::Dealer, true, Some(dealers))]);
}

/// MBS 3.9: the method chosen for the round to come is seen beside that of the round.
#[test]
fn the_method_of_the_round_to_come_is_seen() {
    let mut floor = Floor::betting("mbs-dragon-tiger", &[("method", "A")]);
    let shown = |floor: &Floor| {
        let felt = floor.views.public().felt;
        (felt.method, felt.next_method)
    };
    assert_eq!(shown(&floor), (Some(Method::A), Some(Method::A)));
    floor.draw(&["9C", "KS", "8D", "6H"]);
    for side in [Side::Player, Side::Banker] {
        if floor.views.dealer().desk.reveal.iter().any(Option::is_some) {
            floor.deal(Action::Reveal { side, told: Vec::new() });
        }
    }
    floor.deal(Action::Settle);
    let choose = Action::ChooseMethod(Method::B);
    floor.run(top(&floor.table), choose).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(shown(&floor), (Some(Method::A), Some(Method::B)));
    floor.deal(Action::OpenBets);
    assert_eq!(shown(&floor), (Some(Method::B), Some(Method::B)));
}

/// HB 6.4.5: who comes to a table without insurance is told so with the clauses, until it is accepted.
#[test]
fn the_notice_of_no_insurance_carries_its_clauses() {
    const BEN: PlayerId = PlayerId(8);
    let mut floor = Floor::open("hoiana-baccarat/commission", &[], 200_000, 5_000_000, Chance(1));
    let stop = Action::SwitchInsurance { on: false, asked_by: ANN };
    floor.run(top(&floor.table), stop).unwrap_or_else(|refusal| panic!("{refusal}"));
    let sit = Action::Sit { player: BEN, seat: 7 };
    let events = floor.run(Actor::Player(BEN), sit).unwrap_or_else(|refusal| panic!("{refusal}"));
    let given =
        events.iter().find(|event| event.fact == Fact::NoticeGiven { player: BEN }).expect("a notice");
    let shown = |floor: &Floor| {
        let own = floor.views.player(BEN).expect("a view").own;
        (own.may.accept_notice, own.notice_cites.clone())
    };
    assert!(!given.cites.is_empty());
    assert_eq!(shown(&floor), (true, given.cites.clone()));
    let accept = Action::AcceptNotice { player: BEN };
    floor.run(Actor::Player(BEN), accept).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(shown(&floor), (false, Vec::new()));
}

/// Chips are bought whole, with what is in the wallet, and by who is only coming too.
#[test]
fn the_wallet_bounds_what_may_be_bought() {
    let floor = Floor::open("hoiana-baccarat/commission", &[], 200_000, 5_000_000, Chance(1));
    let bought = |wallet| floor.views.buy_in(wallet).map(|bounds| (bounds.from, bounds.to, bounds.step));
    assert_eq!(bought(99), None);
    assert_eq!(bought(100), Some((money(100), money(100), money(100))));
    assert_eq!(bought(1_299), Some((money(100), money(1_200), money(100))));
    let most = floor.views.player(ANN).and_then(|view| view.own.may.buy_in).map(|bounds| bounds.to);
    assert_eq!(bought(i128::MAX).map(|(_, to, _)| to), most);
}

#[test]
fn the_dealer_sees_who_is_on_duty() {
    let mut floor = Floor::betting("hoiana-baccarat/commission", &[]);
    let on_duty = floor.views.dealer().desk.staff.clone();
    assert_eq!(on_duty, floor.table.staff);
    assert_eq!(on_duty.iter().map(|staff| staff.person.0).collect::<Vec<_>>(), [1, 2, 90]);
    let off = Action::SignOff(croupier_table::PersonId(2));
    floor.run(top(&floor.table), off).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(floor.views.dealer().desk.staff.len(), 2);
}

/// HB 7.1.1, HB-Q17: a foreign card ends the shoe, and the Dealer is told why.
#[test]
fn the_dealer_is_told_that_the_shoe_must_go_and_why() {
    let mut floor = Floor::betting("hoiana-baccarat/commission", &[]);
    floor.bet("banker", None, 5_000);
    floor.draw(&["KC"]);
    assert_eq!(floor.views.dealer().desk.shoe, None);
    let events = floor.deal(Action::Report(Report::ForeignCard));
    let judged =
        events.iter().find(|event| event.fact == Fact::ShoeJudged(ShoeFate::Replace)).expect("a verdict");
    let shoe = floor.views.dealer().desk.shoe.clone().expect("the shoe is judged");
    assert_eq!((shoe.fate, &shoe.cites), (ShoeFate::Replace, &judged.cites));
    assert!(clauses(&floor.table, &shoe.cites).contains(&"7.1.1".to_string()));
    offers::expect(&floor.table, staff(DEALER.0, DEALER.1), &Action::OpenBets, false);
    let replace = Action::ReplaceShoe { commitment: None };
    floor.run(top(&floor.table), replace).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(floor.views.dealer().desk.shoe, None);
}

/// HB 7.16: a wrong call changes nothing; the Dealer and the pit are told until it is called again or another round
/// begins.
#[test]
fn a_call_against_the_cards_is_told_with_its_clause() {
    let mut floor = Floor::betting("hoiana-baccarat/commission", &[]);
    floor.bet("banker", None, 5_000);
    floor.draw(&["9C", "KS", "8D", "6H"]);
    assert!(floor.views.dealer().desk.misannounced.is_empty());
    floor.deal(Action::Call(Winner::Banker));
    floor.deal(Action::Display(Winner::Tie));
    assert_eq!(floor.views.dealer().desk.called, Some(Winner::Banker));
    let told = floor.views.pit().desk.misannounced.clone();
    assert_eq!(told, floor.views.dealer().desk.misannounced);
    let said: Vec<_> = told.iter().map(|told| (told.how, told.said, told.cards)).collect();
    let cards = Winner::Player;
    assert_eq!(said, [(Announced::Call, Winner::Banker, cards), (Announced::Display, Winner::Tie, cards)]);
    assert!(told.iter().all(|told| clauses(&floor.table, &told.cites) == ["7.16"]));
    floor.deal(Action::Display(Winner::Player));
    floor.deal(Action::Settle);
    assert_eq!(floor.views.dealer().desk.misannounced.len(), 1, "it stays to be seen after the round");
    let closed = floor.views.public().felt.closed.map(MarkShown::from).expect("a mark");
    assert!(matches!(closed, MarkShown::Result(outcome) if outcome.winner == cards), "{closed:?}");
    floor.deal(Action::OpenBets);
    assert!(floor.views.dealer().desk.misannounced.is_empty());
}

/// What is shown of an outcome names its winner, wherever it is shown.
#[cfg(feature = "serde")]
#[test]
fn outcomes_are_written_with_their_winner() {
    let mut floor = Floor::betting("hoiana-baccarat/commission", &[]);
    floor.bet("player", None, 1_000);
    floor.draw(&["9C", "KS", "8D", "6H"]);
    let before = serde_json::to_value(floor.views.public()).expect("a view");
    assert_eq!(before["felt"]["outcome"]["winner"], "player");
    floor.deal(Action::Settle);
    let view = serde_json::to_value(floor.views.public()).expect("a view");
    assert_eq!(view["felt"]["closed"]["result"]["winner"], "player");
    assert_eq!(view["felt"]["board"]["marks"][0]["result"]["winner"], "player");
    assert_eq!(view["felt"]["board"]["marks"][0]["result"]["player_points"], 7);
}
