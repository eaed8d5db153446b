//! Seeded play: commands that fit the phase, sometimes ones that do not; what is refused changes nothing.

use std::sync::Arc;
use std::time::Instant;

use croupier_cards::Card;
use croupier_ledger::Ledger;
use croupier_rules::Family;
use croupier_rules::baccarat::Side;
use croupier_rules::irregularity::ShoeFate;
use croupier_rules::niu_niu::Category;
use croupier_table::books::Books;
use croupier_table::command::Holder;
use croupier_table::{Action, Actor, Phase, PlayerId, Report, Table, apply};

use crate::pit::{Pit, Step, TABLE, WITNESS, money, place, ruling};

/// Numbers from a seed (SplitMix64).
pub struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound.max(1)).unwrap()).unwrap()
    }

    fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    fn amount(&mut self, hundreds: usize) -> i64 {
        100 * i64::try_from(1 + self.below(hundreds)).unwrap()
    }

    fn card(&mut self, table: &Table) -> Option<Card> {
        let left = usize::from(table.shoe.unread.len());
        table.shoe.unread.cards().nth(self.below(left))
    }
}

const PLAYERS: u32 = 5;

/// Plays until so many rounds are over.
pub fn rounds(pit: &mut Pit, seed: u64, rounds: u64) {
    let dice = &mut Dice(seed);
    for seat in 1..=3 {
        pit.seat(PlayerId(seat), u8::try_from(seat).unwrap(), 200_000);
    }
    let mut steps = 0;
    while pit.table.round.number < rounds && steps < 20_000 {
        steps += 1;
        if dice.one_in(12) {
            house(pit, dice);
        } else {
            step(pit, dice);
        }
    }
    assert!(steps < 20_000, "stuck in {:?} with {:?}", pit.table.phase(), pit.table.hold);
}

/// Plays the round to its end.
pub fn finish(pit: &mut Pit, seed: u64) {
    let dice = &mut Dice(seed);
    let mut steps = 0;
    while pit.table.round.closed.is_none() && steps < 1_000 {
        steps += 1;
        if pit.table.phase() == Phase::Result {
            pit.must(Action::Settle);
        } else {
            let card = dice.card(&pit.table);
            let _ = pit.act(Actor::Device, Action::Draw { card, laid: None, exposed: false });
        }
    }
}

/// Money and people, at any time.
fn house(pit: &mut Pit, dice: &mut Dice) {
    let player = PlayerId(1 + u32::try_from(dice.below(5)).unwrap_or(0) % PLAYERS);
    let known = pit.table.player(player).is_some();
    let action = match dice.below(9) {
        0 => Action::Fill { amount: money(dice.amount(5_000)), witness: WITNESS },
        1 => Action::Credit { amount: money(dice.amount(5_000)), witness: WITNESS },
        2 => Action::CountDrop { witness: WITNESS },
        3 => Action::PayTips,
        4 | 5 if known => Action::BuyIn { player, amount: money(dice.amount(500)), cash: dice.one_in(2) },
        6 if known => Action::Tip { player, amount: money(dice.amount(5)) },
        7 if known => Action::Leave { player },
        _ if !known => {
            let seat = u8::try_from(player.0).unwrap();
            if seat > pit.table.setup.seats {
                return;
            }
            return pit.seat(player, seat, 200_000);
        }
        _ => return,
    };
    let _ = pit.act(pit.boss(), action);
}

fn step(pit: &mut Pit, dice: &mut Dice) {
    let boss = pit.boss();
    let niu_niu = pit.table.setup.family() == Family::NiuNiu;
    match pit.table.phase() {
        _ if pit.table.shoe.fate == ShoeFate::Replace
            && pit.act(boss, Action::ReplaceShoe { commitment: None }).is_ok() => {}
        Phase::ShoeLoaded | Phase::ShoeEnd => {
            let burn = pit.table.setup.burn;
            let steps = [
                Action::LoadShoe { set: None, commitment: None },
                Action::RecordShuffle,
                Action::CutCards { above: None },
                Action::Burn { count: burn, cards: Vec::new() },
            ];
            for step in steps {
                let _ = pit.act(Actor::System, step);
            }
        }
        Phase::Ready | Phase::ShoeDecision => {
            if dice.one_in(12) {
                let _ = pit.act(boss, Action::AnnounceLast);
            } else if dice.one_in(30) {
                let _ = pit.act(boss, Action::Report(Report::FaceUp));
            }
            let _ = pit.act(boss, Action::OpenBets);
        }
        Phase::FreeHand => {
            let _ = pit.act(boss, Action::DealFreeHand);
        }
        Phase::ShoeOption => {
            let _ = pit.act(boss, Action::CloseShoeChoice);
        }
        Phase::BetsOpen | Phase::Reopened | Phase::DifferentialHold => bet(pit, dice),
        Phase::OnHold => {
            let Some(hold) = pit.table.hold.clone() else { return };
            let rule = pit.table.rulebook().irregularity(hold.irregularity).cloned();
            let Some(rule) = rule else { return };
            let chosen = &rule.rulings[dice.below(rule.rulings.len())];
            let mut action = ruling(chosen.remedy, chosen.withdrawal.is_some());
            if let Action::Rule(made) = &mut action {
                made.order = pit.table.round.together.clone();
                made.player = pit.table.players.first().map(|player| player.id);
            }
            let _ = pit.act(boss, action);
        }
        Phase::OptionWindow => {
            let Some(hold) = pit.table.hold.clone() else { return };
            for (player, _) in hold.answers {
                let _ = pit.act(Actor::Player(player), Action::Answer { player, withdraw: !dice.one_in(3) });
            }
            let _ = pit.act(boss, Action::CloseWindow);
        }
        Phase::Result => {
            if pit.act(boss, Action::Settle).is_err() {
                let _ = pit.act(boss, Action::Fill { amount: money(1_000_000), witness: WITNESS });
            }
        }
        _ if dice.one_in(40) => {
            let report = match dice.below(5) {
                0 => Report::Other("a quarrel".to_string()),
                1 => Report::ForceMajeure,
                2 => Report::WrongOrder,
                3 => Report::Jam,
                _ => Report::ForeignCard,
            };
            let _ = pit.act(boss, Action::Report(report));
        }
        _ if niu_niu => packets(pit, dice),
        _ => cards(pit, dice),
    }
}

fn bet(pit: &mut Pit, dice: &mut Dice) {
    let players: Vec<PlayerId> = pit.table.players.iter().map(|player| player.id).collect();
    let Some(player) = players.get(dice.below(players.len())).copied() else {
        let seat = 1 + u32::try_from(dice.below(3)).unwrap();
        return pit.seat(PlayerId(seat), u8::try_from(seat).unwrap(), 200_000);
    };
    let niu_niu = pit.table.setup.family() == Family::NiuNiu;
    let bets = pit.table.game().bets.len();
    let bet = dice.below(bets);
    let area = niu_niu.then(|| u8::try_from(player.0).unwrap() + if dice.one_in(4) { 2 } else { 0 });
    match dice.below(12) {
        0..=5 => {
            let hundreds = if dice.one_in(8) { 400 } else { 60 };
            let _ = pit.act(Actor::Player(player), place(player, bet, dice.amount(hundreds), area));
        }
        6..=8 => {
            let wagers = &pit.table.round.wagers;
            let Some(laid) = wagers.get(dice.below(wagers.len())) else {
                return;
            };
            let (player, bet, box_number) = (laid.player, laid.bet, laid.area.filter(|_| niu_niu));
            let amount = (!dice.one_in(3)).then(|| money(dice.amount(20)));
            let _ = pit.act(Actor::Player(player), Action::TakeBack { player, bet, box_number, amount });
        }
        9 if dice.one_in(10) => {
            let _ = pit.act(pit.boss(), Action::Report(Report::FaceUp));
        }
        9 => {
            let _ = pit.act(pit.boss(), Action::RemoveWager { player, bet });
        }
        _ if dice.one_in(3) => {
            let _ = pit.act(Actor::System, Action::CloseBets);
        }
        _ => {}
    }
}

fn cards(pit: &mut Pit, dice: &mut Dice) {
    let boss = pit.boss();
    if let Some(window) = pit.table.round.window {
        if !window.offered {
            let _ = pit.act(boss, Action::OfferInsurance);
        }
        for player in pit.table.players.clone() {
            let side = if dice.one_in(2) { Side::Player } else { Side::Banker };
            let insure = Action::Insure { player: player.id, side, amount: money(dice.amount(20)) };
            let _ = pit.act(Actor::Player(player.id), insure);
        }
        let _ = pit.act(boss, Action::CloseInsurance);
    }
    let card = dice.card(&pit.table);
    if pit.act(Actor::Device, Action::Draw { card, laid: None, exposed: false }).is_err() {
        let _ = pit.act(boss, Action::ShoeEmpty);
    }
}

fn packets(pit: &mut Pit, dice: &mut Dice) {
    let boss = pit.boss();
    match pit.table.phase() {
        Phase::BetsClosed | Phase::Dealing => {
            let mut boxes: Vec<u8> = pit.table.round.wagers.iter().filter_map(|laid| laid.area).collect();
            boxes.sort_unstable();
            boxes.dedup();
            let wrong = dice.one_in(6);
            let holders: Vec<Holder> = boxes.into_iter().map(Holder::Box).chain([Holder::Dealer]).collect();
            for (at, to) in holders.into_iter().enumerate() {
                let count = if wrong && at == 0 { 4 } else { 5 };
                let mut cards: Vec<Card> = Vec::new();
                while cards.len() < count {
                    let Some(card) = dice.card(&pit.table) else { return };
                    if !cards.contains(&card) {
                        cards.push(card);
                    }
                }
                let _ = pit.act(Actor::Device, Action::DealPacket { to, cards });
            }
        }
        Phase::CountCheck => {
            for laid in Arc::clone(&pit.table.round.wagers).iter() {
                if let Some(box_number) = laid.area.filter(|_| dice.one_in(2)) {
                    let handle = Action::HandleCards { player: laid.player, box_number };
                    let _ = pit.act(Actor::Player(laid.player), handle);
                }
            }
            let _ = pit.act(boss, Action::CheckCount);
        }
        Phase::Arranging => {
            for dealt in pit.table.round.boxes.hands.clone() {
                let set_as = dealt.hand().map_or(Category::NoHand, |hand| hand.category());
                let _ = pit.act(boss, Action::SetHand { holder: dealt.holder, set_as });
            }
        }
        _ => {
            let _ = pit.act(boss, Action::OpenDealer);
        }
    }
}

/// The time that the table, the books and the ledger take for the same events.
pub fn measure() {
    for (game, settings) in [("hoiana-baccarat/commission", "layout=A.1"), ("hoiana-niu-niu", "layout=A")] {
        let mut pit = Pit::open(game, settings);
        rounds(&mut pit, 1, 400);
        let commands: Vec<_> = pit
            .journal
            .iter()
            .map(|step| match step {
                Step::Deposit(entry) => (Some(*entry), Vec::new()),
                Step::Events(events) => (None, events.clone()),
            })
            .collect();
        let (mut best, runs) = ([f64::MAX; 3], 20);
        let (mut entries, mut moving) = (0, 0);
        for _ in 0..runs {
            let mut table = Table::new(TABLE, pit.table.setup.clone());
            let start = Instant::now();
            commands.iter().flat_map(|(_, events)| events).for_each(|event| apply(&mut table, event));
            best[0] = best[0].min(start.elapsed().as_secs_f64());

            let mut books = Books::new(TABLE, &pit.table.setup);
            let mut next_id = croupier_ledger::TransferId(1);
            let start = Instant::now();
            let batches: Vec<_> = commands
                .iter()
                .map(|(deposit, events)| {
                    next_id.0 += u64::from(deposit.is_some());
                    books.batch(events, &mut next_id)
                })
                .collect();
            best[1] = best[1].min(start.elapsed().as_secs_f64());

            let mut ledger = Ledger::default();
            let start = Instant::now();
            for ((deposit, _), batch) in commands.iter().zip(&batches) {
                if let Some(deposit) = deposit {
                    ledger.apply(&[*deposit]).unwrap();
                }
                if !batch.entries.is_empty() {
                    ledger.apply(&batch.entries).unwrap();
                }
                if let Some(round) = batch.closes {
                    ledger.close_round(TABLE, round).unwrap();
                }
            }
            best[2] = best[2].min(start.elapsed().as_secs_f64());
            entries = batches.iter().map(|batch| batch.entries.len()).sum();
            moving = batches.iter().filter(|batch| !batch.entries.is_empty()).count();
        }
        #[expect(clippy::cast_precision_loss, reason = "a measurement for people to read")]
        let each = |seconds: f64| seconds * 1e9 / commands.len() as f64;
        println!(
            "{game}: {} commands, {moving} that move money, {entries} entries; ns a command: apply {:.0}, books {:.0}, ledger {:.0}",
            commands.len(),
            each(best[0]),
            each(best[1]),
            each(best[2]),
        );
    }
}
