//! An automatic table never stalls: whatever the players do or leave undone, rounds are finished.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers fail a test by panicking")]

mod common;

use std::sync::Arc;

use croupier_cards::{Card, Composition, Decks, Rank as CardRank, Suit};
use croupier_ledger::TableId;
use croupier_rules::baccarat::Side;
use croupier_rules::setting::Setting;
use croupier_rules::settle::End;
use croupier_rules::{Amount, Rulebook};
use croupier_table::automatic::{Step, next_step};
use croupier_table::command::Holder;
use croupier_table::{
    Action, Actor, Chosen, Command, Event, Fact, Opening, PersonId, Place, PlayerId, Rank, Report, Setup,
    Staff, Table, Value, Views, apply, decide,
};

/// A small generator; the run is the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

fn units(units: i64) -> Amount {
    Amount::new(units * 100).unwrap()
}

fn setup(game: &str, extra: &[(Setting, &str)]) -> Arc<Setup> {
    setup_of(common::library().find(game).unwrap().0, game, extra)
}

fn setup_of(rulebook: &Arc<Rulebook>, game: &str, extra: &[(Setting, &str)]) -> Arc<Setup> {
    let found = rulebook.games.iter().find(|found| found.id == game).unwrap();
    let layout = rulebook.layouts.iter().find(|layout| {
        layout.variant.is_none() || layout.variant == found.variant.as_ref().map(|variant| variant.id.clone())
    });
    let word = |text: &str| Value::Word(text.to_string());
    let mut settings = vec![
        (Setting::Burn, Value::Count(1)),
        (Setting::CutCard, Value::Count(14)),
        (Setting::Chip, Value::Money(units(1))),
        (Setting::Minimum, Value::Money(units(10))),
        (Setting::Maximum, Value::Money(units(5_000))),
        (Setting::Differential, Value::Money(units(1_000))),
        (Setting::SchedulePosted, word("yes")),
        (Setting::RankAbsent, word("first-ruling")),
        (Setting::Layout, word(&layout.map(|layout| layout.id.clone()).unwrap_or_default())),
        (Setting::ResidualAuthority, word(&rulebook.ranks.last().unwrap().id)),
    ];
    if extra.iter().any(|(setting, _)| *setting == Setting::Rounding) {
        settings.push((Setting::PayableUnit, Value::Money(units(1))));
    }
    settings.extend(extra.iter().map(|(setting, value)| (*setting, word(value))));
    settings.retain(|(setting, _)| {
        rulebook.setting(*setting).is_some() && (*setting != Setting::Layout || layout.is_some())
    });
    let chosen = |(setting, value)| Chosen { setting, bet: None, odds: None, value };
    let opening = Opening {
        game: game.to_string(),
        settings: settings.into_iter().map(chosen).collect(),
        ..Opening::default()
    };
    Arc::new(Setup::new(rulebook, &opening).unwrap_or_else(|faults| panic!("{faults:?}")))
}

struct Floor {
    table: Table,
    dice: Dice,
    shoe: Vec<Card>,
    settled: u64,
    /// Wagers that the cards settled: lost, won.
    by_cards: [u64; 2],
    /// Packets come with too few or too many cards.
    miscounts: bool,
}

impl Floor {
    fn open(setup: Arc<Setup>) -> Self {
        let mut floor = Self {
            table: Table::new(TableId(1), setup),
            dice: Dice(0x9e37_79b9),
            shoe: Vec::new(),
            settled: 0,
            by_cards: [0; 2],
            miscounts: false,
        };
        // Somebody opens the table and goes home.
        let levels = floor.table.rulebook().ranks.len();
        let staff = |person: u32, rank: usize| Staff {
            person: PersonId(person),
            rank: Rank(u8::try_from(rank).unwrap()),
            acting: None,
        };
        let (manager, witness) = (staff(1, levels - 1), staff(2, 0));
        for who in [manager, witness] {
            floor.must(Actor::Staff(who), Action::SignOn(who));
        }
        let fill = Action::Fill { amount: units(1_000_000_000), witness: witness.person };
        floor.must(Actor::Staff(manager), fill);
        for who in [manager, witness] {
            floor.must(Actor::Staff(who), Action::SignOff(who.person));
        }
        for player in 0..5 {
            let id = PlayerId(player);
            let seat = u8::try_from(player + 1).unwrap();
            if seat <= floor.table.setup.seats {
                floor.must(Actor::Player(id), Action::Sit { player: id, seat });
            } else {
                floor.must(Actor::Player(id), Action::Stand { player: id, behind: None });
            }
            let amount = units(100_000_000);
            floor.must(Actor::Player(id), Action::BuyIn { player: id, amount, cash: false });
        }
        floor
    }

    fn give(&mut self, actor: Actor, action: Action) -> bool {
        match decide(&self.table, &Command { actor, at: 0, action }) {
            Ok(events) => {
                events.iter().for_each(|event| apply(&mut self.table, event));
                true
            }
            Err(_) => false,
        }
    }

    fn must(&mut self, actor: Actor, action: Action) {
        let command = Command { actor, at: 0, action };
        let phase = self.table.phase();
        let events = decide(&self.table, &command)
            .unwrap_or_else(|refusal| panic!("in {phase}: {command:?}: {refusal}"));
        if self.table.game().id == "jade-punto-banco" {
            events.iter().for_each(|event| self.settled_by_the_cards(event));
        }
        let number = self.table.shoe.number;
        events.iter().for_each(|event| apply(&mut self.table, event));
        if self.table.shoe.number != number {
            self.shuffle();
        }
    }

    /// The bets of the example that ask for cards end as the cards on the table say.
    fn settled_by_the_cards(&mut self, event: &Event) {
        let Fact::WagerEnded { wager, settled, .. } = &event.fact else { return };
        if settled.end == End::Returned {
            return;
        }
        let deal = &self.table.round.deal;
        let (player, banker) = (deal.cards(Side::Player), deal.cards(Side::Banker));
        let perfect = [&player, &banker].into_iter().filter(|hand| hand[0] == hand[1]).count();
        let red = |card: &Card| matches!(card.suit(), Suit::Hearts | Suit::Diamonds);
        let three = |card: &Card| card.rank().index().min(9) + 1;
        let odds = match self.table.game().bets[self.table.round.wagers[*wager].bet].id.as_str() {
            "perfect-pair" => [-1, 25, 200][perfect],
            "all-red" if player.iter().chain(&banker).all(red) => 22,
            "three-eight"
                if banker.iter().take(2).map(three).sum::<usize>() % 10 == 3
                    && player.get(2).is_some_and(|card| card.rank() == CardRank::Eight) =>
            {
                200
            }
            "all-red" | "three-eight" => -1,
            _ => return,
        };
        let net = settled.winnings.minor() - settled.collected.minor();
        assert_eq!(net, settled.in_action.minor() * odds, "{player:?} {banker:?}");
        self.by_cards[usize::from(odds > 0)] += 1;
    }

    fn shuffle(&mut self) {
        let decks = Decks::new(self.table.setup.decks).unwrap();
        self.shoe = Composition::of_decks(decks).cards().collect();
        for at in (1..self.shoe.len()).rev() {
            let other = usize::try_from(self.dice.roll(u64::try_from(at + 1).unwrap())).unwrap();
            self.shoe.swap(at, other);
        }
    }

    /// Players bet, ask, answer, or do nothing.
    fn players_act(&mut self) {
        for player in 0..5 {
            let id = PlayerId(player);
            let bets = u64::try_from(self.table.game().bets.len()).unwrap();
            let bet = usize::try_from(self.dice.roll(bets)).unwrap();
            let amount = units(i64::try_from(self.dice.roll(400) * 10 + 10).unwrap());
            let place = Place {
                player: id,
                bet: if self.dice.roll(3) == 0 { bet } else { bet.min(1) },
                amount,
                area: None,
                reserve: None,
                in_chips: true,
                untimed: self.dice.roll(20) == 0,
            };
            self.give(Actor::Player(id), Action::Place(place));
            match self.dice.roll(8) {
                0 => drop(self.give(Actor::Player(id), Action::AskSqueeze { player: id })),
                1 => drop(self.give(Actor::Player(id), Action::TakeDevice { player: id })),
                2 => drop(self.give(Actor::Player(id), Action::Answer { player: id, withdraw: true })),
                _ => {}
            }
        }
    }

    /// Now and then something goes wrong.
    fn mishap(&mut self) {
        let report = match self.dice.roll(12) {
            0 => Report::ForeignCard,
            1 => Report::PowerFailure,
            2 => Report::Jam,
            3 => Report::WrongOrder,
            4 => Report::FaceUp,
            5 => Report::OrderLost,
            6 => Report::CannotRebuild,
            7 => Report::ForceMajeure,
            8 => Report::DeviceReset { dealer_error: true },
            9 => Report::WrongDelivery,
            10 => Report::Unshuffled,
            _ => Report::Other("a dog on the table".to_string()),
        };
        self.give(Actor::Device, Action::Report(report));
    }

    fn step(&mut self) {
        let before = self.table.board.marks.len();
        let round = self.table.round.number;
        match next_step(&self.table) {
            Step::Do(action) => self.must(Actor::System, action),
            Step::Wait { then, .. } => {
                self.players_act();
                // The players may have been faster.
                match next_step(&self.table) {
                    Step::Wait { then, .. } | Step::Do(then) => self.must(Actor::System, then),
                    Step::Draw | Step::Deal(_) | Step::Stand => drop(then),
                }
            }
            Step::Draw => {
                let cards = if self.dice.roll(200) == 0 { 2 } else { 1 };
                let drawn: Vec<Card> = (0..cards).filter_map(|_| self.shoe.pop()).collect();
                match drawn.as_slice() {
                    [] => self.must(Actor::Device, Action::ShoeEmpty),
                    [card] => {
                        let draw = Action::Draw { card: Some(*card), laid: None, exposed: false };
                        self.must(Actor::System, draw);
                    }
                    cards => {
                        let order_known = self.dice.roll(2) == 0;
                        let together = Action::DrawTogether { cards: cards.to_vec(), order_known };
                        self.must(Actor::System, together);
                    }
                }
            }
            Step::Deal(to) => {
                let wrong = self.miscounts && self.dice.roll(20) == 0;
                let count = if wrong { 3 + self.dice.roll(4) } else { 5 };
                let cards: Vec<Card> = (0..count).filter_map(|_| self.shoe.pop()).collect();
                self.must(Actor::Device, Action::DealPacket { to, cards });
            }
            Step::Stand => panic!("stalled in {}: {:?}", self.table.phase(), self.table.hold),
        }
        if self.table.board.marks.len() != before || self.table.round.number != round {
            self.settled += 1;
        }
    }
}

fn play(game: &str, extra: &[(Setting, &str)]) -> Floor {
    run(game, Floor::open(setup(game, extra)))
}

fn run(game: &str, mut floor: Floor) -> Floor {
    for step in 0..40_000 {
        floor.step();
        if step % 37 == 0 {
            floor.mishap();
        }
    }
    // A round takes a dozen steps or so.
    assert!(floor.settled > 1_500, "{} rounds of {game}", floor.settled);
    floor
}

#[test]
fn hoiana_baccarat_with_squeezing_and_insurance() {
    play("hoiana-baccarat/commission", &[(Setting::Squeeze, "on")]);
}

#[test]
fn hoiana_dragon_tiger_over_the_differential() {
    play("hoiana-dragon-tiger/non-commission", &[(Setting::DifferentialBlocks, "deal")]);
}

#[test]
fn mbs_methods() {
    for method in ["A", "B", "C"] {
        play("mbs-dragon-tiger", &[(Setting::Method, method), (Setting::Area, "paiza-club")]);
    }
}

#[test]
fn example_rulebooks_from_data_alone() {
    play("jade-ez-baccarat", &[]);
    let rounded = [(Setting::Rounding, "nearest")];
    play("onyx-baccarat/full", &rounded);
    play("onyx-baccarat/short", &[rounded[0], (Setting::Squeeze, "off")]);
    play("onyx-niu-niu", &rounded);
    let [lost, won] = play("jade-punto-banco", &[]).by_cards;
    assert!(lost > 100 && won > 5, "{lost} wagers lost by the cards and {won} won");
}

#[test]
fn dragon_bonus_where_every_ruling_is_the_residual_authoritys() {
    play("horseshoe-dragon-bonus", &[]);
    play("horseshoe-dragon-bonus", &[(Setting::RankAbsent, "void")]);
}

/// A rulebook without the rulings of one kind of irregularity: only `other` is left for it.
fn without(text: &str, kind: impl Fn(&str) -> bool) -> Arc<Rulebook> {
    let mut parts = text.split("\n[").map(|part| (part, part.strip_prefix("irregularity.")));
    let kept: Vec<&str> = parts
        .by_ref()
        .filter(|(_, key)| key.is_none_or(|key| key.starts_with("other]") || !kind(key)))
        .map(|(part, _)| part)
        .collect();
    assert!(kept.len() < text.split("\n[").count(), "nothing is left out");
    Arc::new(Rulebook::parse(&kept.join("\n[")).unwrap())
}

/// Who is to open a hand and does not is waited for once, in a rulebook that says nothing of it.
#[test]
fn a_hand_that_nobody_opens_where_the_rulebook_is_silent() {
    let text = include_str!("../../rules/tests/data/synthetic/onyx-baccarat.toml");
    let rulebook = without(text, |key| key.starts_with("squeezer-absent]"));
    let game = "onyx-baccarat/full";
    run(game, Floor::open(setup_of(&rulebook, game, &[(Setting::Rounding, "nearest")])));
}

/// A hand of Niu Niu without its five cards comes to an end, in a rulebook that says nothing of it.
#[test]
fn a_wrong_count_where_the_rulebook_is_silent() {
    let text = include_str!("../../rules/tests/data/synthetic/onyx-niu-niu.toml");
    let counts = ["box-", "dealer-count", "empty-box"];
    let rulebook = without(text, |key| counts.iter().any(|count| key.starts_with(count)));
    let game = "onyx-niu-niu";
    let mut floor = Floor::open(setup_of(&rulebook, game, &[(Setting::Rounding, "nearest")]));
    floor.miscounts = true;
    run(game, floor);
}

#[test]
fn niu_niu() {
    play("hoiana-niu-niu", &[]);
}

/// A table that is set to wait for a rank stands until somebody comes.
/// NN 4.6.1, 4.9: what the Dealer arranges is set at once; players have their time, whichever of them is slower.
#[test]
fn hands_that_no_player_arranges_are_set_at_once() {
    let mut floor = Floor::open(setup("hoiana-niu-niu", &[]));
    while !matches!(next_step(&floor.table), Step::Wait { .. }) {
        floor.step();
    }
    // Player 0 has the box before the seat and another; player 1 has one away from the seat.
    for (player, number) in [(0, 1), (0, 6), (1, 7)] {
        let player = PlayerId(player);
        let even = Place {
            player,
            bet: 0,
            amount: units(10),
            area: Some(number),
            reserve: None,
            in_chips: true,
            untimed: false,
        };
        floor.must(Actor::Player(player), Action::Place(even));
    }
    floor.must(Actor::System, Action::CloseBets);
    while floor.table.phase() != croupier_table::Phase::Arranging {
        floor.step();
    }
    let of = |action: &Action| match action {
        Action::SetHand { holder: Holder::Box(number), .. } => *number,
        other => panic!("{other:?}"),
    };
    let Step::Do(first) = next_step(&floor.table) else { panic!("{:?}", next_step(&floor.table)) };
    assert_eq!(of(&first), 6);
    floor.must(Actor::System, first);
    let mut waits = Vec::new();
    while let Step::Wait { then, .. } = next_step(&floor.table) {
        waits.push(of(&then));
        floor.must(Actor::System, then);
    }
    assert_eq!(waits, [1, 7]);
    assert_eq!(next_step(&floor.table), Step::Do(Action::OpenDealer));
}

#[test]
fn a_table_may_be_set_to_wait() {
    let mut floor = Floor::open(setup("horseshoe-dragon-bonus", &[(Setting::RankAbsent, "wait")]));
    while floor.table.round.draws.is_empty() {
        floor.step();
    }
    floor.must(Actor::Device, Action::Report(Report::Jam));
    assert_eq!(next_step(&floor.table), Step::Stand);
}

/// HB 6.4: the clock of an insurance window runs for those who may insure, and for nobody else.
#[test]
fn insurance_is_waited_for_only_while_somebody_may_insure() {
    let mut floor = Floor::open(setup("hoiana-baccarat/commission", &[]));
    let (mut waited, mut passed) = (0, 0);
    for _ in 0..20_000 {
        if floor.table.round.window.is_some_and(|window| window.offered) && floor.table.hold.is_none() {
            let views = Views::new(&floor.table);
            let counts = |player: PlayerId| {
                let offer = views.player(player).and_then(|view| view.own.insure.clone());
                offer.is_some_and(|offer| offer.most >= offer.stake.from)
            };
            let somebody = floor.table.players.iter().any(|player| counts(player.id));
            match next_step(&floor.table) {
                Step::Wait { then: Action::CloseInsurance, .. } => {
                    assert!(somebody, "nobody may insure");
                    waited += 1;
                }
                Step::Do(Action::CloseInsurance) => assert!(!somebody, "somebody may insure"),
                other => panic!("{other:?}"),
            }
            // The same window before players without a chip left.
            let mut poor = floor.table.clone();
            for player in &mut poor.players {
                player.chips = Amount::ZERO;
            }
            assert_eq!(next_step(&poor), Step::Do(Action::CloseInsurance));
            passed += 1;
        }
        floor.step();
    }
    assert!(waited > 20 && passed > 20, "{waited} windows waited for, {passed} passed");
}
