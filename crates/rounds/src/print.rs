//! From a round file to its canonical text.

use core::fmt::{self, Display};

use croupier_cards::Card;
use croupier_rules::baccarat::Winner;

use crate::amount::Decimals;
use crate::file::{Action, Bet, Expectation, Place, RoundFile, Statement};

impl Display for RoundFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Expectations of neighbouring lines stand in one column.
        let decimals = self.decimals();
        let mut start = 0;
        while start < self.statements.len() {
            let rest = &self.statements[start..];
            let block = rest.iter().take_while(|statement| statement.action.is_some()).count().max(1);
            let block = &rest[..block];
            let width = |statement: &Statement| action_text(statement, decimals).chars().count();
            let width =
                block.iter().filter(|statement| !statement.expect.is_empty()).map(width).max().unwrap_or(0);
            for statement in block {
                writeln!(f, "{}", line(statement, width, decimals))?;
            }
            start += block.len();
        }
        Ok(())
    }
}

fn action_text(statement: &Statement, decimals: Decimals) -> String {
    statement.action.as_ref().map_or_else(String::new, |action| action.text(decimals))
}

fn line(statement: &Statement, width: usize, decimals: Decimals) -> String {
    let mut line = action_text(statement, decimals);
    if !statement.expect.is_empty() {
        let expect: Vec<String> = statement.expect.iter().map(|expect| expect.text(decimals)).collect();
        line = format!("{line:width$} => {}", expect.join(", "));
    }
    match &statement.comment {
        Some(comment) if line.is_empty() => format!("# {comment}").trim_end().to_string(),
        Some(comment) => format!("{line} # {comment}").trim_end().to_string(),
        None => line,
    }
}

fn card_list(cards: &[Card]) -> String {
    cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn clause_list(ids: &[String]) -> String {
    let quoted = |id: &String| if id.contains([' ', '\t', ',']) { format!("\"{id}\"") } else { id.clone() };
    ids.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

impl Action {
    /// The line, with amounts in so many decimals.
    #[must_use]
    pub fn text(&self, decimals: Decimals) -> String {
        match self {
            Self::Title(title) => format!("title {title}"),
            Self::Game(id) => format!("game {id}"),
            Self::Proves(clauses) => format!("proves {}", clause_list(clauses)),
            Self::Layout(id) => format!("layout {id}"),
            Self::Setting { key, scope: None, value } => format!("setting {key} {value}"),
            Self::Setting { key, scope: Some(scope), value } => format!("setting {key} {scope} {value}"),
            Self::Currency { code, decimals } => format!("currency {code} decimals {}", decimals.count()),
            Self::Version(version) => format!("version {version}"),
            Self::Date(date) => format!("date {date}"),
            Self::Player { name, place: Place::Seat(seat) } => format!("player {name} seat {seat}"),
            Self::Player { name, place: Place::Behind(seat) } => format!("player {name} behind {seat}"),
            Self::Player { name, place: Place::Standing } => format!("player {name} standing"),
            Self::ShoeByHand => "shoe by hand".to_string(),
            Self::TableByHand => "table by hand".to_string(),
            Self::Earlier(words) => format!("earlier {}", words.join(" ")),
            Self::Round { by_hand: false } => "round".to_string(),
            Self::Round { by_hand: true } => "round by hand".to_string(),
            Self::Bet(bet) => bet.text(decimals),
            Self::Deed { who, words } => format!("{who} {}", words.join(" ")),
            Self::Insure { player, side, amount } => {
                format!("{player} insures {} {}", side.key(), decimals.show(*amount))
            }
            Self::Cards(cards) => format!("cards {}", card_list(cards)),
            Self::ShoeEmpty => "shoe is empty".to_string(),
            Self::NewShoe => "shoe is new".to_string(),
            Self::Hand { holder, cards } if cards.is_empty() => format!("hand {holder} none"),
            Self::Hand { holder, cards } => format!("hand {holder} {}", card_list(cards)),
            Self::Call(winner) => format!("dealer calls {winner}"),
        }
    }
}

impl Bet {
    pub(crate) fn text(&self, decimals: Decimals) -> String {
        let who = self.by.as_ref().unwrap_or(&self.player);
        let mut text = format!("{who} bets {} {}", self.bet, decimals.show(self.amount));
        if self.by.is_some() {
            text.push_str(&format!(" for {}", self.player));
        }
        if let Some(number) = self.on {
            text.push_str(&format!(" on box{number}"));
        }
        if let Some(seat) = self.at {
            text.push_str(&format!(" at seat {seat}"));
        }
        if let Some(reserve) = self.reserve {
            text.push_str(&format!(" with reserve {}", decimals.show(reserve)));
        }
        if self.in_cash {
            text.push_str(" in cash");
        }
        if self.untimed {
            text.push_str(" untimed");
        }
        text
    }
}

impl Expectation {
    /// In words, with amounts in so many decimals.
    #[must_use]
    pub fn text(&self, decimals: Decimals) -> String {
        match self {
            Self::Net(net) => decimals.show_signed(*net),
            Self::Reserve(net) => format!("reserve {}", decimals.show_signed(*net)),
            Self::InAction(amount) => format!("in action {}", decimals.show(*amount)),
            Self::Commission(amount) => format!("commission {}", decimals.show(*amount)),
            Self::Rounding(amount) => format!("rounding {}", decimals.show_signed(*amount)),
            Self::Returned => "returned".to_string(),
            Self::StandOff => "stand-off".to_string(),
            Self::Accepted => "accepted".to_string(),
            Self::Flagged => "flagged".to_string(),
            Self::Refused(None) => "refused".to_string(),
            Self::Refused(Some(code)) => format!("refused {code}"),
            Self::By(clauses) => format!("by {}", clause_list(clauses)),
            Self::Result { winner, points: (player, banker) } => match winner {
                Winner::Player => format!("player wins {player}-{banker}"),
                Winner::Banker => format!("banker wins {banker}-{player}"),
                Winner::Tie => format!("tie {player}-{banker}"),
            },
            Self::Natural => "natural".to_string(),
            Self::Points(player, banker) => format!("points {player}-{banker}"),
            Self::Next(None) => "next nobody".to_string(),
            Self::Next(Some(side)) => format!("next {}", side.key()),
            Self::Offers(None) => "offers nothing".to_string(),
            Self::Offers(Some((side, odds))) => format!("offers {} insurance {odds}", side.key()),
            Self::Void => "void".to_string(),
            Self::Free => "free".to_string(),
            Self::Phase(phase) => format!("phase {phase}"),
            Self::Irregular(what) => format!("irregular {what}"),
            Self::Ruled(remedy) => format!("ruled {remedy}"),
            Self::Breach => "breach".to_string(),
            Self::Needs(rank) => format!("needs {rank}"),
            Self::Board(marks) => format!("board {marks}"),
            Self::Squeezes(who, side) => {
                format!("{} squeezes {}", who.as_deref().unwrap_or("nobody"), side.key())
            }
            Self::Has(who, amount) => format!("{who} has {}", decimals.show(*amount)),
            Self::Float(amount) => format!("float {}", decimals.show(*amount)),
            Self::Missing(cards) => format!("missing {}", card_list(cards)),
            Self::Case(state) => format!("case {state}"),
            Self::Hand(category) => format!("{category}"),
            Self::BoxWins => "wins".to_string(),
            Self::BoxLoses => "loses".to_string(),
            Self::CallRight => "right".to_string(),
            Self::CallWrong => "wrong".to_string(),
        }
    }
}
