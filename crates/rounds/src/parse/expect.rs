//! The expectations behind `=>`.

use croupier_cards::parse_cards;
use croupier_rules::baccarat::{Side, Winner};
use croupier_rules::irregularity::{Irregularity, Remedy};
use croupier_rules::names::{hint, nearest};
use croupier_rules::niu_niu::Category;
use croupier_table::case::CaseRefusal;
use croupier_table::{Phase, Why};

use super::{Problem, clause_list};
use crate::amount::Decimals;
use crate::event::Refused;
use crate::file::Expectation;

const FORMS: &str = "a gain or loss (`+950`, `-1,000`, `0`), `by CLAUSES`, `refused [CODE]`, `accepted`, `flagged`, \
    `returned`, `stand-off` (or `push`), `in action AMOUNT`, `commission AMOUNT`, `rounding AMOUNT`, `reserve AMOUNT`, \
    `banker wins 7-6`, `tie 7-7`, `natural`, `points 5-6`, `next player|banker|nobody`, \
    `offers banker|player insurance ODDS`, `offers nothing`, `void`, `free`, a Niu Niu hand, `wins`, `loses`, `right`, \
    `wrong`, `phase PHASE`, `irregular WHAT`, `ruled REMEDY`, `breach`, `needs RANK`, `board P B V`, `NAME|nobody squeezes HAND`, \
    `NAME has AMOUNT`, `float AMOUNT`, `missing CARDS` or `case STATE`";

/// Words that an expectation begins with, and the form where there is more to it.
const WORDS: [(&str, &str); 34] = [
    ("by", "by CLAUSES"),
    ("refused", "refused CODE"),
    ("accepted", ""),
    ("flagged", ""),
    ("returned", ""),
    ("stand-off", ""),
    ("push", ""),
    ("in", "in action AMOUNT"),
    ("commission", "commission AMOUNT"),
    ("rounding", "rounding AMOUNT"),
    ("reserve", "reserve AMOUNT"),
    ("player", "player wins 7-6"),
    ("banker", "banker wins 7-6"),
    ("tie", "tie 7-7"),
    ("natural", ""),
    ("points", "points 5-6"),
    ("next", "next player|banker|nobody"),
    ("offers", "offers player|banker insurance ODDS"),
    ("void", ""),
    ("free", ""),
    ("wins", ""),
    ("loses", ""),
    ("right", ""),
    ("wrong", ""),
    ("phase", "phase PHASE"),
    ("irregular", "irregular WHAT"),
    ("ruled", "ruled REMEDY"),
    ("breach", ""),
    ("needs", "needs RANK"),
    ("board", "board P B V"),
    ("nobody", "nobody squeezes player|banker"),
    ("float", "float AMOUNT"),
    ("missing", "missing CARDS"),
    ("case", "case STATE"),
];

/// How rounds are shown on the board; small letters are Free Hands.
const MARKS: [&str; 8] = ["P", "B", "T", "p", "b", "t", "V", "N"];

/// Where a dispute can stand.
const CASES: [&str; 11] = [
    "opened",
    "first-line",
    "escalated",
    "gathering",
    "under-review",
    "decided",
    "accepted",
    "rights-informed",
    "assisting",
    "complaint-filed",
    "closed",
];

/// Expectations apart by a comma and a blank.
pub(super) fn expectations(text: &str, decimals: Decimals) -> Result<Vec<Expectation>, Problem<'_>> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err((text, format!("nothing is expected; write {FORMS}")));
    }
    while !rest.is_empty() {
        let end = rest
            .match_indices(',')
            .find(|(at, _)| rest[at + 1..].chars().next().is_none_or(char::is_whitespace))
            .map_or(rest.len(), |(at, _)| at);
        found.push(expectation(rest[..end].trim(), decimals)?);
        rest = rest[end..].strip_prefix(',').unwrap_or_default().trim();
    }
    Ok(found)
}

fn expectation(text: &str, decimals: Decimals) -> Result<Expectation, Problem<'_>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let amount = |text: &'_ str| decimals.parse_signed(text).ok();
    let other = || (text, not_expected(text, words.first().copied().unwrap_or_default()));
    Ok(match words.as_slice() {
        ["by", _, ..] => Expectation::By(
            clause_list(text.strip_prefix("by").unwrap_or(text)).map_err(|(_, message)| (text, message))?,
        ),
        ["refused"] => Expectation::Refused(None),
        ["refused", code] => Expectation::Refused(Some(known(code, "code", codes())?)),
        ["accepted"] => Expectation::Accepted,
        ["flagged"] => Expectation::Flagged,
        ["returned"] => Expectation::Returned,
        ["stand-off" | "push"] => Expectation::StandOff,
        ["in", "action", value] => Expectation::InAction(amount(value).ok_or_else(other)?),
        ["commission", value] => Expectation::Commission(amount(value).ok_or_else(other)?),
        ["rounding", value] => Expectation::Rounding(amount(value).ok_or_else(other)?),
        ["reserve", value] => Expectation::Reserve(amount(value).ok_or_else(other)?),
        ["natural"] => Expectation::Natural,
        ["void"] => Expectation::Void,
        ["free"] => Expectation::Free,
        ["phase", phase] => {
            Expectation::Phase(known(phase, "phase", Phase::ALL.iter().map(|phase| phase.key()))?)
        }
        ["irregular", what] => Expectation::Irregular(
            what.parse::<Irregularity>()
                .map_err(|()| {
                    let hint = hint(what, Irregularity::ALL.iter().map(|irregularity| irregularity.key()));
                    (*what, format!("`{what}` is not an irregularity; {hint}"))
                })?
                .key()
                .to_string(),
        ),
        ["ruled", remedy] => {
            Expectation::Ruled(known(remedy, "remedy", Remedy::ALL.iter().map(|remedy| remedy.key()))?)
        }
        ["breach"] => Expectation::Breach,
        ["needs", rank] => Expectation::Needs((*rank).to_string()),
        ["board", marks @ ..] if marks.iter().all(|mark| MARKS.contains(mark)) => {
            Expectation::Board(marks.join(" "))
        }
        [who, "squeezes", side] => Expectation::Squeezes(
            (*who != "nobody").then(|| (*who).to_string()),
            hand(side).ok_or_else(other)?,
        ),
        [who, "has", value] => Expectation::Has((*who).to_string(), amount(value).ok_or_else(other)?),
        ["float", value] => Expectation::Float(amount(value).ok_or_else(other)?),
        ["missing", cards @ ..] if !cards.is_empty() => {
            Expectation::Missing(parse_cards(&cards.join(" ")).map_err(|_| other())?)
        }
        ["case", state] => Expectation::Case(known(state, "state of a case", CASES)?),
        ["wins"] => Expectation::BoxWins,
        ["loses"] => Expectation::BoxLoses,
        ["right"] => Expectation::CallRight,
        ["wrong"] => Expectation::CallWrong,
        ["points", counts] => {
            let (player, banker) = points(counts).ok_or_else(other)?;
            Expectation::Points(player, banker)
        }
        ["next", "nobody"] => Expectation::Next(None),
        ["next", side] => Expectation::Next(Some(hand(side).ok_or_else(other)?)),
        ["offers", "nothing"] => Expectation::Offers(None),
        ["offers", side, "insurance", odds] => Expectation::Offers(Some((
            hand(side).ok_or_else(other)?,
            odds.parse().map_err(|error| (text, format!("{error}")))?,
        ))),
        ["tie", counts] => match points(counts).ok_or_else(other)? {
            (player, banker) if player == banker => {
                Expectation::Result { winner: Winner::Tie, points: (player, banker) }
            }
            _ => return Err((text, "in a tie both counts are the same".to_string())),
        },
        [side, "wins", counts] => {
            let side = hand(side).ok_or_else(other)?;
            let (high, low) = points(counts).ok_or_else(other)?;
            if high <= low {
                return Err((text, "the winner's count comes first and is the higher one".to_string()));
            }
            match side {
                Side::Player => Expectation::Result { winner: Winner::Player, points: (high, low) },
                Side::Banker => Expectation::Result { winner: Winner::Banker, points: (low, high) },
            }
        }
        [word] => match (word.parse::<Category>(), amount(word)) {
            (Ok(category), _) => Expectation::Hand(category),
            (Err(()), Some(net)) => Expectation::Net(net),
            (Err(()), None) => return Err(other()),
        },
        _ => return Err(other()),
    })
}

/// A key that there is, or what would be accepted.
fn known<'t>(
    text: &'t str,
    what: &str,
    keys: impl IntoIterator<Item = &'static str>,
) -> Result<String, Problem<'t>> {
    let keys: Vec<&str> = keys.into_iter().collect();
    if keys.contains(&text) {
        return Ok(text.to_string());
    }
    Err((text, format!("`{text}` is not a {what}; {}", hint(text, keys))))
}

fn codes() -> impl Iterator<Item = &'static str> {
    let own = Refused::CODES.iter().filter(|code| !Why::CODES.contains(code));
    Why::CODES.iter().chain(own).chain(CaseRefusal::CODES).copied()
}

/// Why a text expects nothing: the form it begins like, the word that was meant, or all there is.
fn not_expected(text: &str, word: &str) -> String {
    if let Some((_, form)) = WORDS.iter().find(|(known, form)| *known == word && !form.is_empty()) {
        return format!("`{text}` is not an expectation; expected `{form}`");
    }
    let known = WORDS.iter().map(|(word, _)| *word).chain(Category::ALL.map(Category::key));
    match nearest(word, known) {
        Some(meant) if meant != word => format!("`{word}` is not an expectation; did you mean `{meant}`?"),
        _ => format!("`{text}` is not an expectation; accepted: {FORMS}"),
    }
}

fn hand(text: &str) -> Option<Side> {
    [Side::Player, Side::Banker].into_iter().find(|side| side.key() == text)
}

/// `7-6`
fn points(text: &str) -> Option<(u8, u8)> {
    let (one, other) = text.split_once('-')?;
    let count = |text: &str| text.parse().ok().filter(|count: &u8| *count <= 9 && text.len() == 1);
    Some((count(one)?, count(other)?))
}
