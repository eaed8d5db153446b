//! A full seven-seat baccarat table: commands decided, applied and shown to every audience, against the limit
//! of a million a second; and whether a round costs the same late in the day as early.
#![expect(clippy::print_stdout, reason = "a benchmark reports")]
#![expect(clippy::expect_used, clippy::panic, reason = "without its table there is nothing to measure")]
#![expect(dead_code, reason = "the tests use more of the shared opening")]

#[path = "../tests/views/opening.rs"]
mod opening;

use std::hint::black_box;
use std::time::Instant;

use croupier_rules::baccarat::Side;
use croupier_table::{Action, Actor, Event, Phase, Place, PlayerId, Table, Views, apply, decide};
use opening::{Chance, command, money, open, people, staff};

const LIMIT: f64 = 1_000_000.0;
const ROUNDS: usize = 10_000;
const RUNS: usize = 5;
const EARLY: core::ops::Range<usize> = 1_000..2_000;
const LATE: core::ops::Range<usize> = 9_000..10_000;
/// The bets of each player, by their places on the menu: a main wager and side bets.
const BETS: [&[usize]; 7] =
    [&[0, 2, 3], &[1, 3, 4], &[0, 4, 5], &[1, 2, 5], &[0, 2, 4], &[1, 3, 5], &[0, 3, 4]];

struct Bench {
    table: Table,
    views: Option<Views>,
    chance: Chance,
    cards: Vec<croupier_cards::Card>,
    commands: u64,
}

impl Bench {
    fn new(game: &str, with_views: bool) -> Self {
        let table = open(game, &[("maximum", "100000"), ("differential", "1000000")]);
        let views = with_views.then(|| Views::new(&table));
        let mut bench = Self { table, views, chance: Chance(7), cards: Vec::new(), commands: 0 };
        for (actor, action) in people(&bench.table, 7, 1_000_000_000_000, 1_000_000_000_000) {
            bench.run(actor, action);
        }
        bench
    }

    fn run(&mut self, actor: Actor, action: Action) {
        let command = command(actor, action);
        let events: Vec<Event> = decide(&self.table, &command).unwrap_or_else(|refusal| {
            unreachable!("{:?} in {:?}: {refusal}", command.action, self.table.phase())
        });
        for event in &events {
            apply(&mut self.table, event);
        }
        if let Some(views) = &mut self.views {
            views.update(&self.table, &events);
        }
        self.commands += 1;
        black_box(&events);
    }

    fn shoe_if_needed(&mut self) {
        let dealer = staff(1, 0);
        if matches!(self.table.phase(), Phase::ShoeEnd | Phase::ShoeLoaded) {
            self.run(dealer, Action::LoadShoe { set: None, commitment: None });
            self.run(dealer, Action::RecordShuffle);
            self.run(dealer, Action::CutCards { above: None });
            self.run(dealer, Action::Burn { count: 1, cards: Vec::new() });
            self.cards = self.chance.shoe(8);
            let _ = self.cards.pop();
        }
        if self.cards.len() < 14 && self.table.shoe.rounds_left.is_none() {
            self.run(dealer, Action::CutCardOut);
        }
    }

    fn round(&mut self) {
        let dealer = staff(1, 0);
        self.run(dealer, Action::OpenBets);
        for (player, bets) in (1..).map(PlayerId).zip(BETS) {
            for (at, bet) in bets.iter().enumerate() {
                let amount = money(if at == 0 { 10_000 } else { 2_000 });
                let place = Place {
                    player,
                    bet: *bet,
                    amount,
                    area: None,
                    reserve: None,
                    in_chips: true,
                    untimed: false,
                };
                self.run(Actor::Player(player), Action::Place(place));
            }
        }
        self.run(dealer, Action::CloseBets);
        while self.table.phase() != Phase::Result {
            let card = self.cards.pop();
            self.run(Actor::Device, Action::Draw { card, laid: None::<Side>, exposed: false });
        }
        self.run(dealer, Action::Settle);
    }
}

fn main() {
    for game in ["hoiana-baccarat/commission", "mbs-dragon-tiger"] {
        for with_views in [false, true] {
            // The best of some runs for every round, which is the same in each: others may be using the machine.
            let mut times = vec![f64::INFINITY; ROUNDS];
            for _ in 0..RUNS {
                let mut bench = Bench::new(game, with_views);
                for best in &mut times {
                    bench.shoe_if_needed();
                    let before = bench.commands;
                    let start = Instant::now();
                    bench.round();
                    // Rounds have more cards or fewer: a command is what is compared.
                    let taken = start.elapsed().as_secs_f64() / (bench.commands - before) as f64;
                    *best = best.min(taken);
                }
                black_box(&bench.table);
            }
            let best = times.iter().sum::<f64>() / ROUNDS as f64;
            let ratio = median(&times[LATE]) / median(&times[EARLY]);
            println!(
                "{game:28} {:13} {:>9.0} commands/s {:>6.0} ns each   {:.2} of the limit   late rounds cost {ratio:.3} of early ones",
                if with_views { "with views" } else { "without views" },
                1.0 / best,
                best * 1e9,
                best * LIMIT,
            );
        }
    }
}

fn median(times: &[f64]) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}
