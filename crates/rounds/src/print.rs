//! From a round file to its canonical text.

use core::fmt::{self, Display};

use croupier_cards::Card;
use croupier_rules::baccarat::Winner;

use crate::amount::{show, show_signed};
use crate::file::{Action, Bet, Expectation, Place, RoundFile, Statement};

impl Display for RoundFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Expectations of neighbouring lines stand in one column.
        let mut start = 0;
        while start < self.statements.len() {
            let rest = &self.statements[start..];
            let block = rest.iter().take_while(|statement| statement.action.is_some()).count().max(1);
            let block = &rest[..block];
            let width = |statement: &Statement| action_text(statement).chars().count();
            let width =
                block.iter().filter(|statement| !statement.expect.is_empty()).map(width).max().unwrap_or(0);
            for statement in block {
                writeln!(f, "{}", line(statement, width))?;
            }
            start += block.len();
        }
        Ok(())
    }
}

fn action_text(statement: &Statement) -> String {
    statement.action.as_ref().map_or_else(String::new, ToString::to_string)
}

fn line(statement: &Statement, width: usize) -> String {
    let mut line = action_text(statement);
    if !statement.expect.is_empty() {
        let expect: Vec<String> = statement.expect.iter().map(ToString::to_string).collect();
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

impl Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Title(title) => write!(f, "title {title}"),
            Self::Game(id) => write!(f, "game {id}"),
            Self::Proves(clauses) => write!(f, "proves {}", clause_list(clauses)),
            Self::Layout(id) => write!(f, "layout {id}"),
            Self::Setting { key, scope: None, value } => write!(f, "setting {key} {value}"),
            Self::Setting { key, scope: Some(scope), value } => write!(f, "setting {key} {scope} {value}"),
            Self::Version(version) => write!(f, "version {version}"),
            Self::Date(date) => write!(f, "date {date}"),
            Self::Player { name, place: Place::Seat(seat) } => write!(f, "player {name} seat {seat}"),
            Self::Player { name, place: Place::Behind(seat) } => write!(f, "player {name} behind {seat}"),
            Self::Player { name, place: Place::Standing } => write!(f, "player {name} standing"),
            Self::ShoeByHand => f.write_str("shoe by hand"),
            Self::TableByHand => f.write_str("table by hand"),
            Self::Earlier(words) => write!(f, "earlier {}", words.join(" ")),
            Self::Round { by_hand: false } => f.write_str("round"),
            Self::Round { by_hand: true } => f.write_str("round by hand"),
            Self::Bet(bet) => bet.fmt(f),
            Self::Deed { who, words } => write!(f, "{who} {}", words.join(" ")),
            Self::Insure { player, side, amount } => {
                write!(f, "{player} insures {} {}", side.key(), show(*amount))
            }
            Self::Cards(cards) => write!(f, "cards {}", card_list(cards)),
            Self::ShoeEmpty => f.write_str("shoe is empty"),
            Self::NewShoe => f.write_str("shoe is new"),
            Self::Hand { holder, cards } if cards.is_empty() => write!(f, "hand {holder} none"),
            Self::Hand { holder, cards } => write!(f, "hand {holder} {}", card_list(cards)),
            Self::Call(winner) => write!(f, "dealer calls {winner}"),
        }
    }
}

impl Display for Bet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let who = self.by.as_ref().unwrap_or(&self.player);
        write!(f, "{who} bets {} {}", self.bet, show(self.amount))?;
        if self.by.is_some() {
            write!(f, " for {}", self.player)?;
        }
        if let Some(number) = self.on {
            write!(f, " on box{number}")?;
        }
        if let Some(seat) = self.at {
            write!(f, " at seat {seat}")?;
        }
        if let Some(reserve) = self.reserve {
            write!(f, " with reserve {}", show(reserve))?;
        }
        if self.in_cash {
            f.write_str(" in cash")?;
        }
        if self.untimed {
            f.write_str(" untimed")?;
        }
        Ok(())
    }
}

impl Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Net(net) => f.write_str(&show_signed(*net)),
            Self::Reserve(net) => write!(f, "reserve {}", show_signed(*net)),
            Self::InAction(amount) => write!(f, "in action {}", show(*amount)),
            Self::Commission(amount) => write!(f, "commission {}", show(*amount)),
            Self::Rounding(amount) => write!(f, "rounding {}", show_signed(*amount)),
            Self::Returned => f.write_str("returned"),
            Self::StandOff => f.write_str("stand-off"),
            Self::Accepted => f.write_str("accepted"),
            Self::Flagged => f.write_str("flagged"),
            Self::Refused(None) => f.write_str("refused"),
            Self::Refused(Some(code)) => write!(f, "refused {code}"),
            Self::By(clauses) => write!(f, "by {}", clause_list(clauses)),
            Self::Result { winner, points: (player, banker) } => match winner {
                Winner::Player => write!(f, "player wins {player}-{banker}"),
                Winner::Banker => write!(f, "banker wins {banker}-{player}"),
                Winner::Tie => write!(f, "tie {player}-{banker}"),
            },
            Self::Natural => f.write_str("natural"),
            Self::Points(player, banker) => write!(f, "points {player}-{banker}"),
            Self::Next(None) => f.write_str("next nobody"),
            Self::Next(Some(side)) => write!(f, "next {}", side.key()),
            Self::Offers(None) => f.write_str("offers nothing"),
            Self::Offers(Some((side, odds))) => write!(f, "offers {} insurance {odds}", side.key()),
            Self::Void => f.write_str("void"),
            Self::Free => f.write_str("free"),
            Self::Phase(phase) => write!(f, "phase {phase}"),
            Self::Irregular(what) => write!(f, "irregular {what}"),
            Self::Ruled(remedy) => write!(f, "ruled {remedy}"),
            Self::Needs(rank) => write!(f, "needs {rank}"),
            Self::Board(marks) => write!(f, "board {marks}"),
            Self::Squeezes(who, side) => {
                write!(f, "{} squeezes {}", who.as_deref().unwrap_or("nobody"), side.key())
            }
            Self::Has(who, amount) => write!(f, "{who} has {}", show(*amount)),
            Self::Float(amount) => write!(f, "float {}", show(*amount)),
            Self::Missing(cards) => write!(f, "missing {}", card_list(cards)),
            Self::Case(state) => write!(f, "case {state}"),
            Self::Hand(category) => write!(f, "{category}"),
            Self::BoxWins => f.write_str("wins"),
            Self::BoxLoses => f.write_str("loses"),
            Self::CallRight => f.write_str("right"),
            Self::CallWrong => f.write_str("wrong"),
        }
    }
}
