//! Sessions: players who follow a betting plan for some rounds or until the bankroll is lost, and how they
//! end.

use std::collections::BTreeMap;

use croupier_rules::baccarat::{Burn, FinalHands, Outcome};
use croupier_rules::{CardLines, Game};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::baccarat::Shoes;
use super::cards;
use super::estimate::Nets;
use super::niu_niu::Deck;
use super::random::generator;
use super::{CutCard, Dealing, Run, SimulateError, check_dealing, chunks};

/// What a player does: the same wagers every round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The wagers, each with the place of its bet in the game and its stake.
    pub wagers: Vec<(usize, u64)>,
    /// How many rounds at most; if left out, until the bankroll is lost.
    pub rounds: Option<u64>,
    /// What the player brings; if left out, enough for any loss.
    pub bankroll: Option<u64>,
}

/// How the sessions ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sessions {
    /// How many were played to their end.
    pub sessions: u64,
    /// The rounds of all of them.
    pub rounds: u64,
    /// How many ended because the bankroll no longer covered the wagers.
    pub ruined: u64,
    /// How many sessions ended with each result, in parts of a unit.
    pub results: BTreeMap<i128, u64>,
    /// In how many parts a unit is divided.
    pub parts: i128,
    /// Whether it was cancelled.
    pub stopped_early: bool,
}

impl Plan {
    /// A session ends here at the latest, so that one that keeps winning ends too.
    pub const ROUNDS_MAX: u64 = 1_000_000;
    /// The largest stake and bankroll; it keeps all sums exact.
    pub const STAKE_MAX: u64 = 1_000_000_000_000;

    /// Whether the game's rules and the bankroll allow the plan.
    ///
    /// # Errors
    /// [`SimulateError::Plan`] with what is wrong.
    pub fn check(&self, game: &Game) -> Result<(), SimulateError> {
        let fault = |text: String| Err(SimulateError::Plan(text));
        let stake =
            |bet: usize| self.wagers.iter().find(|(other, _)| *other == bet).map_or(0, |(_, stake)| *stake);
        if self.wagers.is_empty() {
            return fault("a plan needs a wager".into());
        }
        for (at, (number, wagered)) in self.wagers.iter().enumerate() {
            let bet = game.bets.get(*number).ok_or(SimulateError::Bet(*number))?;
            if !(1..=Self::STAKE_MAX).contains(wagered) {
                return fault(format!(
                    "a stake lies between 1 and {}; on {} it is {wagered}",
                    Self::STAKE_MAX,
                    bet.id
                ));
            }
            if self.wagers[..at].iter().any(|(other, _)| other == number) {
                return fault(format!("there are two stakes on {}", bet.id));
            }
            if let Some((other, _)) = &bet.at_most
                && *wagered > stake(*other)
            {
                return fault(format!("{} may not exceed {}", bet.id, game.bets[*other].id));
            }
            if let Some((other, _)) = &bet.excludes
                && stake(*other) > 0
            {
                return fault(format!("{} and {} exclude each other", bet.id, game.bets[*other].id));
            }
        }
        if let Some(bet) =
            game.bets.iter().enumerate().find(|(number, bet)| bet.required && stake(*number) == 0)
        {
            return fault(format!("nobody takes part without a stake on {}", bet.1.id));
        }
        match (self.rounds, self.bankroll) {
            (Some(0), _) => fault("a session has at least one round".into()),
            (Some(rounds), _) if rounds > Self::ROUNDS_MAX => {
                fault(format!("a session has at most {} rounds", Self::ROUNDS_MAX))
            }
            (None, None) => fault("a session needs a number of rounds, a bankroll, or both".into()),
            (_, Some(bankroll)) if bankroll > Self::STAKE_MAX => {
                fault(format!("a bankroll is at most {}", Self::STAKE_MAX))
            }
            (_, Some(bankroll)) if bankroll < self.at_risk(game) => fault(format!(
                "a bankroll of {bankroll} does not cover the first round, which puts {} at risk",
                self.at_risk(game)
            )),
            _ => Ok(()),
        }
    }

    /// What a round puts at risk, Reserves included.
    fn at_risk(&self, game: &Game) -> u64 {
        let wagers = self.wagers.iter().filter_map(|(bet, stake)| Some((game.bets.get(*bet)?, *stake)));
        wagers.map(|(bet, stake)| Nets::new(bet).at_risk().saturating_mul(stake)).sum()
    }
}

/// The plan as a gain or loss for every class.
struct Priced<'g> {
    parts: i128,
    of_class: Vec<i128>,
    /// The wagers on bets that ask for cards, with the gain or loss on each line.
    of_cards: Vec<(&'g CardLines, Vec<i128>)>,
    at_risk: i128,
    bankroll: Option<i128>,
    rounds: u64,
}

impl<'g> Priced<'g> {
    fn new(game: &'g Game, plan: &Plan, classes: usize) -> Self {
        let nets: Vec<(Nets, i128)> = plan
            .wagers
            .iter()
            .map(|(bet, stake)| (Nets::new(&game.bets[*bet]), i128::from(*stake)))
            .collect();
        let parts = nets.iter().fold(1, |parts, (nets, _)| num_integer::lcm(parts, nets.parts()));
        // The lines of bets that ask for cards are numbered behind the classes, so those add nothing here.
        let net =
            |class| nets.iter().map(|(nets, stake)| stake * nets.net(class) * (parts / nets.parts())).sum();
        let of_cards = plan
            .wagers
            .iter()
            .zip(&nets)
            .filter_map(|((bet, _), (nets, stake))| {
                let lines = game.bets[*bet].pays.by_cards()?;
                let net = |line| stake * nets.net_of_line(line) * (parts / nets.parts());
                Some((lines, (0..lines.lines().len()).map(net).collect()))
            })
            .collect();
        Self {
            parts,
            of_cards,
            of_class: (0..classes).map(net).collect(),
            at_risk: i128::from(plan.at_risk(game)) * parts,
            bankroll: plan.bankroll.map(|bankroll| i128::from(bankroll) * parts),
            rounds: plan.rounds.unwrap_or(Plan::ROUNDS_MAX),
        }
    }

    /// Plays one session; the result, the rounds, and whether it ended in ruin.
    fn play(&self, mut next_net: impl FnMut() -> i128) -> (i128, u64, bool) {
        let mut result = 0;
        for round in 0..self.rounds {
            if self.bankroll.is_some_and(|bankroll| bankroll + result < self.at_risk) {
                return (result, round, true);
            }
            result += next_net();
        }
        (result, self.rounds, self.bankroll.is_some_and(|bankroll| bankroll + result < self.at_risk))
    }
}

impl Priced<'_> {
    /// The gain or loss of a round, card by card.
    fn net(&self, outcome: Outcome, hands: &FinalHands) -> i128 {
        let line = |(lines, nets): &(&CardLines, Vec<i128>)| {
            lines.line_number(hands).and_then(|line| nets.get(line)).copied().unwrap_or_default()
        };
        self.of_class[outcome.index()] + self.of_cards.iter().map(line).sum::<i128>()
    }
}

/// Plays so many sessions. Each begins with a new shoe where shoes are dealt.
///
/// # Errors
/// [`SimulateError`].
pub fn simulate(
    game: &Game,
    dealing: Dealing,
    plan: &Plan,
    sessions: u64,
    run: &Run<'_>,
) -> Result<Sessions, SimulateError> {
    if sessions == 0 {
        return Err(SimulateError::Nothing);
    }
    check_dealing(game, dealing)?;
    plan.check(game)?;
    let priced = Priced::new(game, plan, croupier_rules::baccarat::Outcome::COUNT);
    let by_cards = !priced.of_cards.is_empty();
    let shoes_of = |decks, cut| if by_cards { Shoes::of_cards(decks, cut) } else { Shoes::new(decks, cut) };
    let shoes = match dealing {
        Dealing::Rounds(decks) => {
            // A shoe that ends with its first round is a full shoe every time.
            let cut = CutCard { burn: Burn::Cards(0), behind: decks.cards(), rounds_after: 0 };
            Some(shoes_of(decks, cut))
        }
        Dealing::Shoes(decks, cut) => Some(shoes_of(decks, cut)),
        Dealing::NiuNiu => None,
    };
    let empty = Sessions::none(priced.parts);
    let chunk = |number, sessions| {
        let mut generator = generator(run.seed, number);
        let mut tally = Sessions::none(priced.parts);
        for _ in 0..sessions {
            let (result, rounds, ruined) = session(&priced, shoes.as_ref(), &mut generator);
            *tally.results.entry(result).or_default() += 1;
            tally.sessions += 1;
            tally.rounds += rounds;
            tally.ruined += u64::from(ruined);
        }
        tally
    };
    let (mut all, stopped_early) =
        chunks::run(chunks::Units::SESSIONS, sessions, run, &chunk, empty, Sessions::add, &|_| false)?;
    all.stopped_early = stopped_early;
    Ok(all)
}

fn session(
    priced: &Priced<'_>,
    shoes: Option<&Shoes>,
    generator: &mut Xoshiro256PlusPlus,
) -> (i128, u64, bool) {
    match shoes {
        Some(shoes) if !priced.of_cards.is_empty() => {
            let mut lane = shoes.empty_lane();
            priced.play(|| {
                let dealt = shoes.next_cards(&mut lane, generator);
                let hands = dealt.and_then(|(codes, outcome)| Some((outcome, cards::hands(codes, outcome)?)));
                hands.map_or(0, |(outcome, hands)| priced.net(outcome, &hands))
            })
        }
        Some(shoes) => {
            let mut lane = shoes.empty_lane();
            priced.play(|| {
                let class = shoes.next(&mut lane, generator).map_or(0, |outcome| outcome.index());
                priced.of_class[class]
            })
        }
        None => {
            let mut deck = Deck::new();
            priced.play(|| priced.of_class[deck.deal(generator).index()])
        }
    }
}

impl Sessions {
    fn none(parts: i128) -> Self {
        Self { sessions: 0, rounds: 0, ruined: 0, results: BTreeMap::new(), parts, stopped_early: false }
    }

    fn add(&mut self, other: Self) {
        self.sessions += other.sessions;
        self.rounds += other.rounds;
        self.ruined += other.ruined;
        for (result, count) in other.results {
            *self.results.entry(result).or_default() += count;
        }
    }

    /// The result that `percent` of the sessions do not exceed; the worst for 0, the best for 100.
    #[must_use]
    pub fn percentile(&self, percent: u64) -> f64 {
        let rank = u128::from(self.sessions) * u128::from(percent.min(100));
        let wanted = rank.div_ceil(100).max(1);
        let mut seen = 0_u128;
        let found = self.results.iter().find(|(_, count)| {
            seen += u128::from(**count);
            seen >= wanted
        });
        found.map_or(f64::NAN, |(result, _)| self.units(*result))
    }

    /// The mean result.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let sum: i128 = self.results.iter().map(|(result, count)| result * i128::from(*count)).sum();
        self.units(sum) / self.sessions as f64
    }

    /// The standard deviation of the result.
    #[must_use]
    pub fn standard_deviation(&self) -> f64 {
        let mean = self.mean();
        let square = |(result, count): (&i128, &u64)| (self.units(*result) - mean).powi(2) * *count as f64;
        let squares: f64 = self.results.iter().map(square).sum();
        (squares / self.sessions.saturating_sub(1).max(1) as f64).sqrt()
    }

    /// The share of sessions that end ahead.
    #[must_use]
    pub fn ahead(&self) -> f64 {
        self.results.range(1..).map(|(_, count)| *count).sum::<u64>() as f64 / self.sessions as f64
    }

    /// The share of sessions that lose their bankroll.
    #[must_use]
    pub fn ruin_rate(&self) -> f64 {
        self.ruined as f64 / self.sessions as f64
    }

    fn units(&self, parts: i128) -> f64 {
        parts as f64 / self.parts as f64
    }
}
