//! The worth of all bets of a game for one composition after another: no allocation, nothing looked up twice.

use std::collections::BTreeMap;

use croupier_cards::Composition;
use croupier_rules::baccarat::Outcome;
use croupier_rules::{Bet, Game, Ratio};
use num_integer::Integer;

use super::{CardPricer, classes};
use crate::counts::{RankCounts, ShoeCards};
use crate::fraction::Fraction;

/// Prices the bets of one baccarat game.
///
/// Classes that no bet of the game tells apart are added up first; few remain. Bets that ask for cards are priced
/// one by one.
#[derive(Clone, Debug)]
pub struct Pricer {
    /// The classes, those that all bets treat alike next to each other.
    classes: Vec<u16>,
    /// The end of each such run in `classes`, with the loss of each bet in its units.
    alike: Vec<(usize, Vec<i64>)>,
    /// For each bet, how many units make one: the common denominator of its payoffs.
    units: Vec<i64>,
    ways: Box<[u64; Outcome::COUNT]>,
    losses: Vec<i128>,
    /// The bets that ask for cards, with the loss of each of their lines in the bet's units.
    by_cards: Vec<(usize, CardPricer, Vec<i64>)>,
}

/// The edges of all bets for one composition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edges<'a> {
    total: u64,
    units: &'a [i64],
    losses: &'a [i128],
}

impl Pricer {
    /// The pricer of a baccarat game.
    #[must_use]
    pub fn new(game: &Game) -> Self {
        // A bet that asks for cards has no line for a class alone; it is added later.
        let net =
            |bet: &Bet, class: usize| bet.pays.line(class).map_or(Ratio::ZERO, |line| line.payoff.net());
        let small = |number: i128| i64::try_from(number).unwrap_or(i64::MAX);
        let units: Vec<i64> = game
            .bets
            .iter()
            .map(|bet| {
                let nets = bet.pays.lines().iter().map(|line| line.payoff.net());
                nets.fold(1, |units: i64, net| units.lcm(&small(net.denominator())))
            })
            .collect();
        let mut alike: BTreeMap<Vec<i64>, Vec<u16>> = BTreeMap::new();
        for class in Outcome::reachable().map(Outcome::index) {
            let loss = |(bet, units): (_, &i64)| {
                let net: Ratio = net(bet, class) * Ratio::from(*units);
                -small(net.numerator())
            };
            let losses = game.bets.iter().zip(&units).map(loss).collect();
            alike.entry(losses).or_default().extend(u16::try_from(class));
        }
        let mut classes = Vec::new();
        let alike = alike
            .into_iter()
            .map(|(losses, alike)| {
                classes.extend(alike);
                (classes.len(), losses)
            })
            .collect();
        let losses = vec![0; game.bets.len()];
        let by_cards = game
            .bets
            .iter()
            .zip(&units)
            .enumerate()
            .filter_map(|(place, (bet, units))| {
                let loss = |net: Ratio| -small((net * Ratio::from(*units)).numerator());
                let lines = bet.pays.lines().iter().map(|line| loss(line.payoff.net())).collect();
                Some((place, CardPricer::new(bet.pays.by_cards()?), lines))
            })
            .collect();
        Self { classes, alike, units, ways: Box::new([0; Outcome::COUNT]), losses, by_cards }
    }

    /// The edges of the bets, in the order of the game. At least six cards must be left. A bet that asks for suits
    /// is priced as if the cards of each rank were of all suits alike; [`Pricer::edges_of_cards`] is told them.
    pub fn edges(&mut self, counts: &RankCounts) -> Edges<'_> {
        let spread = (!self.by_cards.is_empty()).then(|| ShoeCards::of_ranks(counts));
        self.priced(counts, spread.as_ref().and_then(|shoe| shoe.for_suits(false)))
    }

    /// The edges of the bets for cards of which `counts` is the number of each rank.
    pub fn edges_of_cards(&mut self, counts: &RankCounts, cards: &Composition) -> Edges<'_> {
        self.priced(counts, Some(cards))
    }

    fn priced(&mut self, counts: &RankCounts, cards: Option<&Composition>) -> Edges<'_> {
        classes::classes(counts, &mut self.ways);
        self.losses.fill(0);
        let (mut total, mut first) = (0, 0);
        for (end, each) in &self.alike {
            let classes = &self.classes[first..*end];
            let ways: u64 = classes.iter().map(|class| self.ways[usize::from(*class)]).sum();
            for (loss, each) in self.losses.iter_mut().zip(each) {
                *loss += i128::from(*each) * i128::from(ways);
            }
            total += ways;
            first = *end;
        }
        for (place, pricer, lines) in &self.by_cards {
            let ways = cards.map(|cards| pricer.ways(cards)).unwrap_or_default();
            let losses = lines.iter().zip(ways).map(|(each, ways)| i128::from(*each) * i128::from(ways));
            self.losses[*place] = losses.sum();
        }
        Edges { total, units: &self.units, losses: &self.losses }
    }
}

impl Edges<'_> {
    /// All sequences.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// For each bet the loss over all sequences, in the bet's units: below zero it favours the player.
    #[must_use]
    pub fn losses(&self) -> &[i128] {
        self.losses
    }

    /// For each bet how many units make one staked; [`Edges::losses`] over this and the total is the edge.
    #[must_use]
    pub fn units(&self) -> &[i64] {
        self.units
    }

    /// The mean loss of one unit on a bet, by its place in the game.
    #[must_use]
    pub fn edge(&self, bet: usize) -> Fraction {
        Fraction::new(self.losses[bet], i128::from(self.total) * i128::from(self.units[bet]))
    }

    /// The nearest double to [`Edges::edge`], or the next to it: for averages and plots.
    #[must_use]
    pub fn approximate(&self, bet: usize) -> f64 {
        self.losses[bet] as f64 / (self.total as f64 * self.units[bet] as f64)
    }
}
