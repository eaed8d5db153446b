//! What wagers are worth at the cards that were left: the mean and the variance of what somebody wins with several of
//! them in one round, exactly.
//!
//! Bets of one round are not independent, so variances are not added: the wagers of one person, or of a whole table,
//! are priced together over the classes of outcomes. Bets that ask for cards, and the boxes of Niu Niu, are priced each
//! by itself; of `k` such parts together the variance is at most `k` times the sum of theirs (Cauchy and Schwarz), and
//! [`Spread::is_exact`] says that this bound stands for it.

use std::collections::BTreeMap;

use croupier_cards::{Card, Composition, Decks, Rank, Suit};
use croupier_lab::exact::{self, CardPricer};
use croupier_lab::report::{OddsSheet, Stock};
use croupier_lab::{Fraction, RankCounts};
use croupier_rules::baccarat::insurance::{InsuranceEnd, Line, Stage};
use croupier_rules::baccarat::tableau::{self, Play};
use croupier_rules::baccarat::{Outcome, card_value};
use croupier_rules::{Family, Game, Ratio};
use croupier_table::Setup;
use num_bigint::BigInt;
use num_integer::Integer;

/// What can come of the wagers of somebody in a round, seen by the player, in minor units.
#[derive(Clone, PartialEq, Debug)]
pub struct Spread {
    /// What they win in the mean; below zero where the house has the edge.
    pub mean: Fraction,
    /// The variance of it, or a bound above it.
    pub variance: Fraction,
    /// Whether `variance` is the variance and no bound.
    pub is_exact: bool,
    /// The most they can win.
    pub most: Fraction,
    /// The least: what they lose at worst, below zero.
    pub least: Fraction,
    /// A denominator of the mean, of which there are few in a shoe; its square is one of the variance.
    pub(crate) over: BigInt,
}

impl Spread {
    fn none() -> Self {
        let zero = || Fraction::new(0, 1);
        let over = BigInt::from(1);
        Self { mean: zero(), variance: zero(), is_exact: true, most: zero(), least: zero(), over }
    }

    /// Parts of which nobody knows how they depend on each other.
    fn together(parts: Vec<Self>) -> Self {
        let count = parts.len();
        let mut sum = Self::none();
        for part in parts {
            sum.mean = sum.mean.plus(&part.mean);
            sum.variance = sum.variance.plus(&part.variance);
            sum.is_exact &= part.is_exact;
            sum.most = sum.most.plus(&part.most);
            sum.least = sum.least.plus(&part.least);
            sum.over = part.over;
        }
        if count > 1 {
            sum.variance = sum.variance.times(&Fraction::new(count, 1));
            sum.is_exact = false;
        }
        sum
    }

    /// Of results with their ways.
    fn of(results: impl Iterator<Item = (i128, u64)>, units: i64, total: u64) -> Self {
        let (mut sum, mut squares) = (BigInt::ZERO, BigInt::ZERO);
        let (mut most, mut least) = (i128::MIN, i128::MAX);
        for (value, ways) in results.filter(|(_, ways)| *ways > 0) {
            let part = BigInt::from(value) * ways;
            squares += &part * value;
            sum += part;
            (most, least) = (most.max(value), least.min(value));
        }
        let (units, total) = (BigInt::from(units), BigInt::from(total));
        let mean = Fraction::new(sum, &units * &total);
        let over = &units * &total;
        let square = Fraction::new(squares, &units * &units * total);
        let amount = |value: i128| Fraction::new(value, units.clone());
        Self {
            variance: square.minus(&mean.times(&mean)),
            mean,
            is_exact: true,
            most: amount(most),
            least: amount(least),
            over,
        }
    }
}

/// The prices of games as they are dealt, each worked out once.
#[derive(Debug, Default)]
pub struct Prices {
    known: BTreeMap<(String, String, u8), Worth>,
}

#[derive(Debug)]
enum Worth {
    /// Rounds out of a shoe, whose cards make the difference.
    Shoe(Box<ShoeGame>),
    /// Each round has a deck of its own: for each bet, what one unit can come to.
    Deck(Vec<Option<Spread>>),
}

/// What one round's wagers are worth.
#[derive(Debug)]
pub struct Position<'a>(At<'a>);

#[derive(Debug)]
enum At<'a> {
    Shoe {
        game: &'a ShoeGame,
        total: u64,
        ways: Vec<u64>,
        by_cards: Vec<Vec<u64>>,
    },
    Deck(&'a [Option<Spread>]),
    /// Fewer cards than a round can take: not priced.
    Unknown,
}

impl Prices {
    /// What wagers are worth at a table when these cards are left.
    pub fn at(&mut self, setup: &Setup, left: &Composition) -> Position<'_> {
        let game = setup.game();
        let key = (game.id.clone(), setup.rulebook.version.clone(), setup.decks);
        let worth = self.known.entry(key).or_insert_with(|| match setup.family() {
            Family::Baccarat => Worth::Shoe(Box::new(ShoeGame::new(game))),
            Family::NiuNiu => Worth::Deck(deck_game(setup)),
        });
        Position(match worth {
            Worth::Shoe(game) => game.at(left),
            Worth::Deck(bets) => At::Deck(bets),
        })
    }

    /// The same for a game by itself, dealt from a shoe: for simulations.
    pub fn of_game(&mut self, game: &Game, left: &Composition) -> Position<'_> {
        let key = (game.id.clone(), String::new(), 0);
        let worth = self.known.entry(key).or_insert_with(|| Worth::Shoe(Box::new(ShoeGame::new(game))));
        Position(match worth {
            Worth::Shoe(game) => game.at(left),
            Worth::Deck(bets) => At::Deck(bets),
        })
    }
}

/// What one unit of each bet can come to where every round has a deck of its own.
fn deck_game(setup: &Setup) -> Vec<Option<Spread>> {
    let bets = setup.game().bets.len();
    let sheet = Decks::new(setup.decks)
        .ok()
        .and_then(|decks| OddsSheet::new(&setup.rulebook, setup.game(), Stock::of_decks(decks)).ok());
    let Some(sheet) = sheet else { return vec![None; bets] };
    let unit = |bet: &croupier_rules::Bet| {
        let par = &sheet.bets.iter().find(|found| found.par.bet == bet.id)?.par;
        let nets = || par.lines.iter().filter(|line| line.ways > 0).map(|line| line.net.clone());
        Some(Spread {
            mean: par.edge.negated(),
            variance: par.variance.clone(),
            is_exact: true,
            most: nets().max()?,
            least: nets().min()?,
            over: par.edge.denominator().clone(),
        })
    };
    setup.game().bets.iter().map(unit).collect()
}

/// A game dealt from a shoe: for each bet what one unit comes to, by runs of classes that no bet tells apart.
#[derive(Debug)]
struct ShoeGame {
    /// How many units make one, the same for all bets.
    units: i64,
    /// The classes of each run.
    classes: Vec<Vec<u16>>,
    /// For each run the result of each bet, in units; of a bet that asks for cards nothing is said.
    nets: Vec<Vec<i64>>,
    /// The bets that ask for cards: which, how they are priced, and the result of each line.
    by_cards: Vec<(usize, CardPricer, Vec<i64>)>,
}

impl ShoeGame {
    fn new(game: &Game) -> Self {
        let small = |number: i128| i64::try_from(number).unwrap_or(i64::MAX);
        let nets = game.bets.iter().flat_map(|bet| bet.pays.lines()).map(|line| line.payoff.net());
        let units = nets.fold(1_i64, |units, net| units.lcm(&small(net.denominator())));
        let result = |net: Ratio| small((net * Ratio::from(units)).numerator());
        let mut runs: BTreeMap<Vec<i64>, Vec<u16>> = BTreeMap::new();
        for class in Outcome::reachable().map(Outcome::index) {
            let net = |bet: &croupier_rules::Bet| {
                bet.pays
                    .by_class()
                    .and_then(|column| column.line(class))
                    .map_or(0, |line| result(line.payoff.net()))
            };
            runs.entry(game.bets.iter().map(net).collect()).or_default().extend(u16::try_from(class));
        }
        let (nets, classes) = runs.into_iter().unzip();
        let by_cards = game.bets.iter().enumerate().filter_map(|(place, bet)| {
            let lines = bet.pays.lines().iter().map(|line| result(line.payoff.net())).collect();
            Some((place, CardPricer::new(bet.pays.by_cards()?), lines))
        });
        let by_cards = by_cards.collect();
        Self { units, classes, nets, by_cards }
    }

    fn at(&self, left: &Composition) -> At<'_> {
        let Ok(counts) = RankCounts::new(left.rank_counts()) else { return At::Unknown };
        if counts.check_round().is_err() {
            return At::Unknown;
        }
        let histogram = exact::histogram(&counts);
        let all = histogram.all();
        let of_run =
            |run: &Vec<u16>| run.iter().filter_map(|class| all.get(usize::from(*class))).sum::<u64>();
        At::Shoe {
            game: self,
            total: histogram.total(),
            ways: self.classes.iter().map(of_run).collect(),
            by_cards: self.by_cards.iter().map(|(_, pricer, _)| pricer.ways(left)).collect(),
        }
    }
}

impl Position<'_> {
    /// Whether wagers can be priced: not where the shoe may lack a card for the round.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !matches!(self.0, At::Unknown)
    }

    /// What can come of wagers laid together, each a bet with what is at risk on it; nothing where that is not known.
    #[must_use]
    pub fn spread(&self, wagers: &[(usize, i64)]) -> Option<Spread> {
        let parts = match &self.0 {
            At::Unknown => return None,
            At::Deck(bets) => {
                let part = |(bet, stake): &(usize, i64)| {
                    let unit = bets.get(*bet)?.as_ref()?;
                    let stake = Fraction::new(*stake, 1);
                    Some(Spread {
                        mean: unit.mean.times(&stake),
                        variance: unit.variance.times(&stake).times(&stake),
                        is_exact: true,
                        most: unit.most.times(&stake),
                        least: unit.least.times(&stake),
                        over: unit.over.clone(),
                    })
                };
                wagers.iter().map(part).collect::<Option<Vec<_>>>()?
            }
            At::Shoe { game, total, ways, by_cards } => {
                let asks_cards = |bet: usize| game.by_cards.iter().position(|(place, ..)| *place == bet);
                let mut parts = Vec::new();
                let plain: Vec<(usize, i64)> =
                    wagers.iter().copied().filter(|(bet, _)| asks_cards(*bet).is_none()).collect();
                if !plain.is_empty() {
                    let value = |nets: &Vec<i64>| -> i128 {
                        let net = |bet: usize| nets.get(bet).copied().unwrap_or_default();
                        plain.iter().map(|(bet, stake)| i128::from(*stake) * i128::from(net(*bet))).sum()
                    };
                    // Runs that these wagers do not tell apart are added up first.
                    let mut results: BTreeMap<i128, u64> = BTreeMap::new();
                    for (nets, ways) in game.nets.iter().zip(ways) {
                        *results.entry(value(nets)).or_default() += ways;
                    }
                    parts.push(Spread::of(results.into_iter(), game.units, *total));
                }
                for (bet, stake) in wagers {
                    let Some(place) = asks_cards(*bet) else { continue };
                    let (Some((_, _, nets)), Some(ways)) = (game.by_cards.get(place), by_cards.get(place))
                    else {
                        continue;
                    };
                    let results = nets.iter().map(|net| i128::from(*net) * i128::from(*stake));
                    parts.push(Spread::of(results.zip(ways.iter().copied()), game.units, *total));
                }
                parts
            }
        };
        Some(Spread::together(parts))
    }

    /// The mean loss of one unit on a bet; below zero it favours the player.
    #[must_use]
    pub fn edge(&self, bet: usize) -> Option<Fraction> {
        self.spread(&[(bet, 1)]).map(|spread| spread.mean.negated())
    }
}

/// In how many ways an insurance can end from where a round stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chances {
    /// It is paid.
    pub win: u64,
    /// It is given back.
    pub push: u64,
    /// It is lost.
    pub lose: u64,
    /// What it pays.
    pub odds: Ratio,
}

impl Chances {
    /// What can come of so much insured.
    #[must_use]
    pub fn spread(&self, stake: i64) -> Spread {
        let units = i64::try_from(self.odds.denominator()).unwrap_or(1);
        let stake = i128::from(stake);
        let results = [
            (stake * self.odds.numerator(), self.win),
            (0, self.push),
            (-stake * i128::from(units), self.lose),
        ];
        Spread::of(results.into_iter(), units, self.win + self.push + self.lose)
    }
}

/// How an insurance on a line can end when the hands count so much, and these cards may come.
pub(crate) fn chances(
    line: &Line,
    stage: Stage,
    player: u8,
    banker: u8,
    left: &Composition,
) -> Option<Chances> {
    let mut values = [0_u64; 10];
    for rank in Rank::ALL {
        let value = usize::from(card_value(Card::new(rank, Suit::ALL[0])));
        values[value] += u64::from(left.count_rank(rank));
    }
    let all: u64 = values.iter().sum();
    let mut chances = Chances { win: 0, push: 0, lose: 0, odds: line.odds.ratio() };
    let mut end = |player: u8, banker: u8, ways: u64| {
        // How an insurance ends depends on the winner alone, so the numbers of cards may be any.
        if let Some(outcome) = Outcome::new(player % 10, banker % 10, 3, 3, false, false) {
            match line.end(outcome) {
                InsuranceEnd::Win => chances.win += ways,
                InsuranceEnd::Push => chances.push += ways,
                InsuranceEnd::Lose => chances.lose += ways,
            }
        }
    };
    let cards = || (0..10_u8).zip(values).filter(|(_, count)| *count > 0);
    match (stage, tableau::player(player, banker)) {
        (Stage::PlayerThird, _) | (Stage::FourCards, Some((_, Play::Stands))) => {
            for (value, count) in cards() {
                end(player, banker + value, count);
            }
        }
        (Stage::FourCards, Some((_, Play::Draws))) => {
            for (third, count) in cards() {
                if tableau::banker(banker, Some(third)).1 == Play::Stands {
                    end(player + third, banker, count * (all - 1));
                    continue;
                }
                for (sixth, more) in cards() {
                    end(player + third, banker + sixth, count * (more - u64::from(third == sixth)));
                }
            }
        }
        (Stage::FourCards, None) => return None,
    }
    (chances.win + chances.push + chances.lose > 0).then_some(chances)
}

/// A fraction as a double, for statistics.
pub(crate) fn approximate(fraction: &Fraction) -> f64 {
    quotient(fraction.numerator(), fraction.denominator())
}

/// A quotient as a double.
pub(crate) fn quotient(numerator: &BigInt, denominator: &BigInt) -> f64 {
    use num_traits::ToPrimitive as _;
    match (numerator.to_f64(), denominator.to_f64()) {
        (Some(above), Some(below)) if above.is_finite() && below.is_finite() => above / below,
        // Numbers beyond a double have a quotient within it.
        _ => Fraction::new(numerator.clone(), denominator.clone()).approximate(),
    }
}
