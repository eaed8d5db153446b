//! Reports of exact odds: one sheet of figures, shown as text, JSON, CSV or an HTML page.
//!
//! A sheet is computed here, or made by the caller; the modules below turn it into text and decide nothing.
//! Files and terminals do not belong here.

mod bets;
mod csv;
mod grid;
mod html;
mod insurance;
mod json;
mod numbers;
mod space;
mod svg;
mod text;

pub use bets::BetFigures;
pub use csv::csv;
pub use grid::{Align, grid};
pub use html::{STYLE, body, html};
pub use insurance::InsuranceLine;
pub use json::{BetJson, OddsJson, bet_json, json};
pub use numbers::{decimal, grouped, pays, percent};
pub use svg::{Series, escape, lines_over};
pub use text::{bet_text, by_decks_text, text};

use croupier_cards::{Card, Composition, Decks};
use croupier_rules::baccarat::Side;
use croupier_rules::niu_niu::{BoxOutcome, Category};
use croupier_rules::{Family, Game, Rulebook};

use crate::counts::{CountsError, RankCounts, ShoeCards};
use crate::exact;
use crate::fraction::Fraction;
use crate::insurance::{InsuranceSituation, situations};
use crate::niu_niu::{NiuNiuDeck, NiuNiuDeckError, NiuNiuHistogram};

/// Why cards cannot be priced.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SheetError {
    /// Too few for a round of baccarat.
    #[error(transparent)]
    Counts(#[from] CountsError),
    /// No deck to deal Niu Niu from.
    #[error(transparent)]
    Deck(#[from] NiuNiuDeckError),
}

/// The cards that are priced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stock {
    /// The decks they come from; nothing if the counts were given as such.
    pub decks: Option<Decks>,
    /// What is left of each rank.
    pub counts: RankCounts,
    /// What was taken out of the decks.
    pub without: Vec<Card>,
}

impl Stock {
    /// Whole decks.
    #[must_use]
    pub fn of_decks(decks: Decks) -> Self {
        Self { decks: Some(decks), counts: RankCounts::of_decks(decks), without: Vec::new() }
    }

    /// The cards with their suits; of a shoe given by its ranks those are not known.
    #[must_use]
    pub fn cards(&self) -> ShoeCards {
        let Some(decks) = self.decks else { return ShoeCards::of_ranks(&self.counts) };
        let mut left = Composition::of_decks(decks);
        for card in &self.without {
            // What was taken out was there.
            let _ = left.remove(*card);
        }
        ShoeCards::of_cards(left)
    }
}

/// All figures of a game for one composition.
#[derive(Clone, PartialEq, Debug)]
pub struct OddsSheet {
    /// The game's id.
    pub game: String,
    /// The rulebook's name, operator and version.
    pub title: String,
    /// The kind of game.
    pub family: Family,
    /// The cards.
    pub stock: Stock,
    /// All sequences of six cards; in Niu Niu, all deals of a box and the Dealer.
    pub total: u64,
    /// The bets, in menu order.
    pub bets: Vec<BetFigures>,
    /// The lines of the insurance table, each with its situations.
    pub insurance: Vec<InsuranceLine>,
    /// How many hands of five cards are of each category, in Niu Niu.
    pub categories: Vec<(Category, u64)>,
    /// In Niu Niu, the deals in which a box and the Dealer hold these categories, and who wins them.
    pub joint: Vec<(BoxOutcome, u64)>,
    /// What a reader should know about the figures.
    pub notes: Vec<String>,
}

impl OddsSheet {
    /// The sheet of a game.
    ///
    /// # Errors
    /// [`SheetError`] if the cards do not make a round.
    pub fn new(rulebook: &Rulebook, game: &Game, stock: Stock) -> Result<Self, SheetError> {
        let mut sheet = Self {
            game: game.id.clone(),
            title: format!("{}, {}, version {}", rulebook.names.en, rulebook.operator, rulebook.version),
            family: rulebook.family,
            stock,
            total: 0,
            bets: Vec::new(),
            insurance: Vec::new(),
            categories: Vec::new(),
            joint: Vec::new(),
            notes: Vec::new(),
        };
        match rulebook.family {
            Family::Baccarat => {
                sheet.stock.counts.check_round()?;
                let histogram = exact::histogram(&sheet.stock.counts);
                sheet.total = histogram.total();
                let shoe = sheet.stock.cards();
                for bet in &game.bets {
                    match exact::line_ways(bet, histogram.all(), &shoe) {
                        Some(ways) => sheet.bets.push(BetFigures::new(bet, &ways, sheet.total)),
                        None => sheet.notes.push(format!(
                            "{} is not priced: it asks for suits, and a shoe given by its ranks does not tell them",
                            bet.id
                        )),
                    }
                }
                sheet.insurance = insurance::lines(game, situations(game, &sheet.stock.counts));
            }
            Family::NiuNiu => {
                let histogram = NiuNiuHistogram::of(&NiuNiuDeck::of_counts(&sheet.stock.counts)?);
                sheet.total = histogram.total();
                let bets = game.bets.iter();
                sheet.bets = bets.filter_map(|bet| BetFigures::of_niu_niu(bet, &histogram)).collect();
                sheet.categories = histogram.categories().into();
                sheet.joint =
                    BoxOutcome::reachable().map(|outcome| (outcome, histogram.ways(outcome))).collect();
            }
        }
        Ok(sheet)
    }

    /// The sheet with just one bet, or one side's insurance; nothing if there is none with that id.
    #[must_use]
    pub fn only(mut self, bet: &str) -> Option<Self> {
        self.bets.retain(|figures| figures.par.bet == bet);
        self.insurance.retain(|line| insurance_id(line.side) == bet);
        (!self.bets.is_empty() || !self.insurance.is_empty()).then_some(self)
    }

    /// All insurance situations, in the order of the rulebook's lines.
    pub fn situations(&self) -> impl Iterator<Item = &InsuranceSituation> {
        self.insurance.iter().flat_map(|line| &line.situations)
    }

    /// Whatever favours the player, in words.
    #[must_use]
    pub fn player_favours(&self) -> Vec<String> {
        let gain = |edge: &Fraction| percent(&edge.negated(), 2);
        let bets = self.bets.iter().filter(|bet| bet.par.edge.is_negative());
        let mut found: Vec<String> =
            bets.map(|bet| format!("{} (by {})", bet.par.bet, gain(&bet.par.edge))).collect();
        found.extend(self.situations().filter(|situation| situation.edge().is_negative()).map(|situation| {
            let (banker, player) = (situation.banker_points, situation.player_points);
            let stage = situation.stage;
            let id = insurance_id(situation.side);
            format!(
                "{id} at {stage}, Banker {banker} against Player {player} (by {})",
                gain(&situation.edge())
            )
        }));
        found
    }

    /// One sentence on what favours the player.
    #[must_use]
    pub fn verdict(&self) -> String {
        let some = |count: usize, one: &str, many: &str| match count {
            1 => format!("1 {one}"),
            count => format!("{count} {many}"),
        };
        let bets = self.bets.iter().filter(|bet| bet.par.edge.is_negative()).count();
        let lines = self.insurance.iter().filter(|line| line.edge().is_some_and(|edge| edge.is_negative()));
        let lines = lines.count();
        let situations = self.situations().filter(|situation| situation.edge().is_negative()).count();
        match (bets, situations) {
            (0, 0) => "Nothing here favours the player.".to_string(),
            (bets, 0) => format!("{} the player.", some(bets, "bet favours", "bets favour")),
            (0, situations) => format!(
                "{} and {} the player.",
                some(lines, "insurance line", "insurance lines"),
                some(situations, "situation favours", "situations favour")
            ),
            (bets, situations) => format!(
                "{}, {} and {} favour the player.",
                some(bets, "bet", "bets"),
                some(lines, "insurance line", "insurance lines"),
                some(situations, "situation", "situations")
            ),
        }
    }

    /// The cards in words: `8 decks, 416 cards`.
    #[must_use]
    pub fn stock_text(&self) -> String {
        let cards = self.stock.counts.cards();
        let out: Vec<String> = self.stock.without.iter().map(ToString::to_string).collect();
        let without = if out.is_empty() { String::new() } else { format!(" without {}", out.join(" ")) };
        match self.stock.decks.map(Decks::number) {
            Some(1) => format!("1 deck{without}, {cards} cards"),
            Some(decks) => format!("{decks} decks{without}, {cards} cards"),
            None => format!("a shoe of {cards} cards: {}{without}", self.stock.counts),
        }
    }
}

/// The bet id of an insurance: `banker-insurance`.
#[must_use]
pub fn insurance_id(side: Side) -> &'static str {
    croupier_rules::baccarat::insurance::bet_id(side)
}
