//! Alarms on simulated shifts: honest ones raise no more than stated, and cheats are found after so many rounds.
//!
//! `CROUPIER_LONG=1 cargo nextest run -p croupier-insight --test shifts --no-capture` deals 10,000 honest shifts and
//! prints the figures; without it there are fewer.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops")]

use croupier_cards::Decks;
use croupier_insight::collect::Ended;
use croupier_insight::{Alarms, Played, Prices, Subject};
use croupier_lab::exposure::{DealtShoe, Settings};
use croupier_ledger::{PlayerId, TableId};
use croupier_rules::baccarat::FinalHands;
use croupier_rules::{Ending, Game, Library};
use croupier_table::PersonId;

const TABLE: TableId = TableId(1);
const DEALER: PersonId = PersonId(9);
/// The stated chance of a false alarm, one in so many, for each subject.
const ONE_IN: f64 = 10_000.0;

/// Numbers as if drawn.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ (word >> 31)) % bound
    }
}

/// How a player lays.
#[derive(Clone, Copy)]
enum Style {
    /// The same on Banker, round after round.
    Flat,
    /// Twice as much after a loss, up to 64 times.
    Doubles,
    /// A little on everything that pays well.
    Long,
    /// Anything.
    Whim,
}

/// What is done that should not be.
#[derive(Clone, Copy)]
enum Cheat {
    None,
    /// In one round in so many the player's stake is five times as large and on the hand that has won.
    LatePosting(u64),
    /// In one round in so many the dealer pays the player's losing wager as if the other hand had won.
    Misread(u64),
}

struct Shift<'a> {
    game: &'a Game,
    banker: usize,
    player: usize,
    long: Vec<usize>,
    chance: Chance,
    prices: &'a mut Prices,
    alarms: Alarms,
    /// What each player lays next, where that depends on what came.
    next: [i64; 4],
}

impl<'a> Shift<'a> {
    fn new(game: &'a Game, prices: &'a mut Prices, seed: u64, one_in: f64) -> Self {
        let bet = |id: &str| game.bet_index(id).unwrap();
        let long = ["tie", "player-pair", "banker-pair", "lucky-6"].map(bet).to_vec();
        let (banker, player) = (bet("banker"), bet("player"));
        Self {
            game,
            banker,
            player,
            long,
            chance: Chance(seed),
            prices,
            alarms: Alarms::new(one_in),
            next: [2_000; 4],
        }
    }

    fn lay(&mut self, at: usize, style: Style) -> Vec<(usize, i64)> {
        match style {
            Style::Flat => vec![(self.banker, 10_000)],
            Style::Doubles => vec![(self.player, self.next[at])],
            Style::Long => self.long.clone().into_iter().map(|bet| (bet, 1_000)).collect(),
            Style::Whim => {
                let bets = u64::try_from(self.game.bets.len()).unwrap();
                let count = self.chance.below(3);
                let mut any = || {
                    let bet = usize::try_from(self.chance.below(bets)).unwrap();
                    (bet, 1_000 * i64::try_from(1 + self.chance.below(20)).unwrap())
                };
                (0..count).map(|_| any()).collect()
            }
        }
    }

    /// A shoe; after how many rounds each alarm was raised.
    fn shoe(&mut self, settings: &Settings, number: u64, cheat: Cheat) -> Vec<(Subject, u64)> {
        let mut raised = Vec::new();
        for (round, dealt) in (1_u64..).zip(DealtShoe::new(settings, number)) {
            let ending = Ending::from(FinalHands::of(&dealt.deal).unwrap());
            let outcome = dealt.deal.outcome().unwrap();
            let styles = [Style::Flat, Style::Doubles, Style::Long, Style::Whim];
            let mut wagers = Vec::new();
            let net = |bet: usize, stake: i64| -> i64 {
                let line = self.game.bets[bet].pays.line(ending).unwrap();
                let net = line.payoff.net();
                i64::try_from(i128::from(stake) * net.numerator() / net.denominator()).unwrap()
            };
            let mut laid: Vec<(u32, usize, i64, i64)> = Vec::new();
            for (at, style) in styles.into_iter().enumerate() {
                let player = u32::try_from(at).unwrap() + 1;
                for (bet, stake) in self.lay(at, style) {
                    laid.push((player, bet, stake, net(bet, stake)));
                }
            }
            let doubled: i64 = laid.iter().filter(|laid| laid.0 == 2).map(|laid| laid.3).sum();
            self.next[1] = if doubled < 0 { (self.next[1] * 2).min(128_000) } else { 2_000 };
            let won = if outcome.winner() == croupier_rules::baccarat::Winner::Banker {
                self.banker
            } else {
                self.player
            };
            match cheat {
                Cheat::None => {}
                Cheat::LatePosting(every) => {
                    let late = self.chance.below(every) == 0;
                    let (bet, stake) = if late { (won, 50_000) } else { (self.player, 10_000) };
                    laid.push((5, bet, stake, net(bet, stake)));
                }
                Cheat::Misread(every) => {
                    let result = net(self.player, 10_000);
                    let misread = result < 0 && self.chance.below(every) == 0;
                    laid.push((5, self.player, 10_000, if misread { 10_000 } else { result }));
                }
            }
            for (player, bet, in_action, result) in laid {
                wagers.push(Ended { player: PlayerId(player), bet, in_action, result });
            }
            let played = Played {
                table: TABLE,
                round,
                at: round * 45_000,
                dealer: Some(DEALER),
                before: dealt.cards,
                wagers,
                insurances: Vec::new(),
            };
            let position = self.prices.of_game(self.game, &dealt.cards);
            let bets: Vec<&str> = self.game.bets.iter().map(|bet| bet.id.as_str()).collect();
            for alarm in self.alarms.add(&played, &bets, &position) {
                raised.push((alarm.subject, alarm.rounds));
            }
        }
        raised
    }
}

fn is_long() -> bool {
    std::env::var_os("CROUPIER_LONG").is_some()
}

fn settings() -> Settings {
    Settings::of_decks(Decks::new(8).unwrap())
}

/// Honest shifts, each a shoe with four players, a dealer, a table and every bet watched. A bound of one in 20 is
/// watched beside the stated one, so that a bound which does not hold shows in fewer shifts too.
#[test]
fn honest_shifts_raise_no_more_alarms_than_stated() {
    let shifts: u64 = if is_long() { 10_000 } else { 150 };
    let library = Library::standard();
    let game = library.game("hoiana-baccarat/commission").unwrap();
    let mut prices = Prices::default();
    let (mut subjects, mut rounds, mut raised) = (0_u64, 0_u64, 0_u64);
    let bounds = [2.0, 20.0, 200.0];
    let mut reached = [0_u64; 3];
    for number in 0..shifts {
        let mut shift = Shift::new(game, &mut prices, number, ONE_IN);
        raised += u64::try_from(shift.shoe(&settings(), number, Cheat::None).len()).unwrap();
        for (subject, course) in shift.alarms.courses() {
            subjects += 1;
            if matches!(subject, Subject::Table(_)) {
                rounds += course.rounds;
            }
            for (reached, bound) in reached.iter_mut().zip(bounds) {
                *reached += u64::from(course.evidence.one_in() >= bound);
            }
        }
    }
    println!(
        "{shifts} honest shifts, {rounds} rounds, {subjects} subjects: {raised} false alarms at one in {ONE_IN}"
    );
    #[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
    for (reached, bound) in reached.into_iter().zip(bounds) {
        let allowed = subjects as f64 / bound;
        println!("  evidence of {bound} or more: {reached} of {subjects}, at most {allowed:.0} in the mean");
        // Three standard deviations above what is stated, for the luck of the draw.
        assert!((reached as f64) <= allowed + 3.0 * allowed.sqrt(), "{reached} at {bound}");
    }
    #[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
    let allowed = subjects as f64 / ONE_IN;
    #[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
    let raised = raised as f64;
    assert!(raised <= allowed + 3.0 * allowed.sqrt().max(1.0), "{raised} alarms, {allowed} stated");
}

/// After how many rounds each cheat is found, in the middle of so many who try it, and how many are found in a
/// row of shoes.
#[test]
fn cheats_are_found() {
    let tries: u64 = if is_long() { 100 } else { 5 };
    let shoes: u64 = 60;
    let library = Library::standard();
    let game = library.game("hoiana-baccarat/commission").unwrap();
    let mut prices = Prices::default();
    for (name, cheat, expected) in [
        ("posts late in one round of 5", Cheat::LatePosting(5), 250),
        ("posts late in one round of 10", Cheat::LatePosting(10), 500),
        ("has a losing hand paid in one of 5", Cheat::Misread(5), 1_500),
    ] {
        let mut found: Vec<u64> = Vec::new();
        for one in 0..tries {
            let mut shift = Shift::new(game, &mut prices, one, ONE_IN);
            for number in 0..shoes {
                let raised = shift.shoe(&settings(), 1_000_000 + one * shoes + number, cheat);
                let cheat = raised.iter().find(|(subject, _)| *subject == Subject::Player(PlayerId(5)));
                if let Some((_, rounds)) = cheat {
                    found.push(*rounds);
                    break;
                }
            }
        }
        found.sort_unstable();
        let middle = found.get(found.len() / 2).copied().unwrap_or(u64::MAX);
        println!("{name}: found {} of {tries}, in the middle after {middle} rounds", found.len());
        assert!(u64::try_from(found.len()).unwrap() * 10 >= tries * 9, "{name}: {} of {tries}", found.len());
        assert!(middle <= expected, "{name}: after {middle} rounds");
    }
}
