//! From text to a round file. Every faulty line is reported, with what would be accepted.

mod expect;
mod forms;
mod names;

use core::fmt;

use croupier_cards::parse_cards;
use croupier_rules::Library;
use croupier_rules::baccarat::{Side, Winner};
use croupier_rules::date;
use croupier_rules::names::nearest;

use crate::amount::Decimals;
use crate::case_deed;
use crate::deed::{self, AnyNames, NoDeed, one_of};
use crate::earlier;
use crate::file::{Action, Bet, Holder, Place, RoundFile, Statement};

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseFault {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong, and what would be accepted.
    pub message: String,
}

impl fmt::Display for ParseFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

/// A message about a piece of the line, which gives the column.
pub(crate) type Problem<'t> = (&'t str, String);

impl RoundFile {
    /// Reads a round file.
    ///
    /// # Errors
    /// Every line that says nothing the notation knows.
    pub fn parse(text: &str) -> Result<Self, Vec<ParseFault>> {
        let (lines, faults) = read(without_mark(text));
        if faults.is_empty() {
            Ok(Self { statements: lines.into_iter().flatten().collect() })
        } else {
            Err(faults)
        }
    }

    /// Reads a round file that is to be run. With the lines that cannot be read come those whose bets and ranks the
    /// game does not know: a run would tell of them, and there is none.
    ///
    /// # Errors
    /// Every line that says nothing the notation knows, and then what others misname.
    pub fn parse_under(text: &str, library: &Library) -> Result<Self, Vec<ParseFault>> {
        let text = without_mark(text);
        let (lines, mut faults) = read(text);
        if faults.is_empty() {
            return Ok(Self { statements: lines.into_iter().flatten().collect() });
        }
        faults.extend(names::misnamed(text, &lines, library));
        faults.sort_by_key(|fault| (fault.line, fault.column));
        Err(faults)
    }
}

/// Some editors put a mark before the first line.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The lines as far as they can be read, and what is wrong with the others.
fn read(text: &str) -> (Vec<Option<Statement>>, Vec<ParseFault>) {
    let mut lines = Vec::new();
    let mut faults = Vec::new();
    let decimals = decimals(text);
    for (at, line) in text.lines().enumerate() {
        match statement(line, decimals) {
            Ok(statement) => lines.push(Some(statement)),
            Err((piece, message)) => {
                // The piece is a part of the line, so their distance is the column.
                let offset = (piece.as_ptr().addr()).saturating_sub(line.as_ptr().addr());
                let column = line.get(..offset).map_or(0, |before| before.chars().count()) + 1;
                faults.push(ParseFault { line: at + 1, column, message });
                lines.push(None);
            }
        }
    }
    (lines, faults)
}

/// What the file says its amounts are in, wherever it says so.
fn decimals(text: &str) -> Decimals {
    let said = text.lines().filter(|line| line.trim_start().starts_with("currency "));
    let mut read = said.filter_map(|line| match statement(line, Decimals::USUAL) {
        Ok(Statement { action: Some(Action::Currency { decimals, .. }), .. }) => Some(decimals),
        Ok(_) | Err(_) => None,
    });
    read.next().unwrap_or(Decimals::USUAL)
}

fn statement(line: &str, decimals: Decimals) -> Result<Statement, Problem<'_>> {
    let (said, comment) = split_comment(line);
    let comment = comment.map(|comment| comment.trim().to_string());
    let (action, expect) = match said.split_once("=>") {
        Some((action, expect)) => (action.trim(), Some(expect)),
        None => (said.trim(), None),
    };
    if action.is_empty() {
        return match expect {
            Some(_) => Err((said, "an expectation needs an action before `=>`".to_string())),
            None => Ok(Statement { action: None, expect: Vec::new(), comment }),
        };
    }
    let action = parse_action(action, decimals)?;
    let expect = match expect {
        Some(text) => expect::expectations(text, decimals)?,
        None => Vec::new(),
    };
    Ok(Statement { action: Some(action), expect, comment })
}

/// A comment begins with `#` at the start of the line or after a blank.
fn split_comment(line: &str) -> (&str, Option<&str>) {
    let start = line
        .char_indices()
        .find(|(at, letter)| *letter == '#' && line[..*at].chars().last().is_none_or(char::is_whitespace));
    match start {
        Some((at, _)) => (&line[..at], Some(&line[at + 1..])),
        None => (line, None),
    }
}

/// Words that cannot name a player.
const RESERVED: [&str; 23] = [
    "title",
    "game",
    "proves",
    "layout",
    "setting",
    "version",
    "date",
    "currency",
    "player",
    "round",
    "cards",
    "shoe",
    "hand",
    "dealer",
    "banker",
    "tie",
    "house",
    "device",
    "display",
    "surveillance",
    "table",
    "earlier",
    "nobody",
];

/// Words that a line begins with.
const STATEMENTS: [&str; 14] = [
    "title", "game", "currency", "proves", "layout", "setting", "version", "date", "player", "round",
    "cards", "shoe", "hand", "earlier",
];

const FORMS: &str = "`game ID`, `title TEXT`, `proves CLAUSES`, `layout ID`, `setting KEY VALUE`, `currency CODE decimals N`, `version TEXT`, \
    `date YYYY-MM-DD`, `player NAME seat N`, `round [by hand]`, `NAME bets BET AMOUNT`, \
    `NAME insures banker|player AMOUNT`, `cards 9C KS …`, `hand box1|dealer CARDS|none`, `shoe is empty`, `shoe is new`, \
    `shoe by hand`, `table by hand`, `earlier WHAT`, `dealer calls player|banker|tie`, or who does what, as `dealer opens betting` and \
    `pit-manager rules void`";

fn parse_action(text: &str, decimals: Decimals) -> Result<Action, Problem<'_>> {
    let (word, rest) =
        text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim()));
    let words: Vec<&str> = rest.split_whitespace().collect();
    let needs = |what: &str| (text, format!("expected {what}"));
    match (word, words.as_slice()) {
        ("title", [_, ..]) => Ok(Action::Title(words.join(" "))),
        ("game", [id]) => Ok(Action::Game((*id).to_string())),
        ("proves", [_, ..]) => clause_list(rest).map(Action::Proves),
        ("layout", [_, ..]) => Ok(Action::Layout(words.join(" "))),
        ("setting", [key, value]) => {
            Ok(Action::Setting { key: (*key).to_string(), scope: None, value: (*value).to_string() })
        }
        ("setting", [key, scope, value]) => Ok(Action::Setting {
            key: (*key).to_string(),
            scope: Some((*scope).to_string()),
            value: (*value).to_string(),
        }),
        ("currency", [code, "decimals", count]) => currency(code, count),
        ("version", [_, ..]) => Ok(Action::Version(words.join(" "))),
        ("date", [day]) => match date::check(day) {
            Ok(()) => Ok(Action::Date((*day).to_string())),
            Err(fault) => Err((*day, format!("`{day}` {fault}"))),
        },
        ("player", [name, "seat", number]) => {
            Ok(Action::Player { name: player_name(name)?, place: Place::Seat(seat(number)?) })
        }
        ("player", [name, "behind", number]) => {
            Ok(Action::Player { name: player_name(name)?, place: Place::Behind(seat(number)?) })
        }
        ("player", [name, "standing"]) => {
            Ok(Action::Player { name: player_name(name)?, place: Place::Standing })
        }
        ("round", []) => Ok(Action::Round { by_hand: false }),
        ("round", ["by", "hand"]) => Ok(Action::Round { by_hand: true }),
        ("shoe", ["by", "hand"]) => Ok(Action::ShoeByHand),
        ("table", ["by", "hand"]) => Ok(Action::TableByHand),
        ("earlier", said) => match earlier::understand(said, &mut AnyNames(decimals)) {
            Ok(_) => Ok(Action::Earlier(said.iter().map(|word| (*word).to_string()).collect())),
            Err(message) => Err((about(&message, said).unwrap_or(text), message)),
        },
        ("cards", [_, ..]) => cards(rest).map(Action::Cards),
        ("shoe", ["is", "empty"]) => Ok(Action::ShoeEmpty),
        ("shoe", ["is", "new"]) => Ok(Action::NewShoe),
        ("hand", [holder, _, ..]) => {
            let place = holder.parse::<Holder>().map_err(|()| {
                (*holder, format!("`{holder}` holds no hand; write `dealer` or `box1`, `box2`, …"))
            })?;
            let told = rest[holder.len()..].trim_start();
            Ok(Action::Hand { holder: place, cards: if told == "none" { Vec::new() } else { cards(told)? } })
        }
        ("dealer", ["calls", winner]) => {
            Winner::ALL.into_iter().find(|known| known.key() == *winner).map(Action::Call).ok_or_else(|| {
                (
                    *winner,
                    format!("`{winner}` is not a result; {}", one_of(winner, ["player", "banker", "tie"])),
                )
            })
        }
        ("title", _) => Err(needs("`title TEXT`")),
        ("game", _) => Err(needs("`game ID`, such as `game hoiana-baccarat/commission`")),
        ("proves", _) => Err(needs("`proves CLAUSE, CLAUSE, …`")),
        ("layout", _) => Err(needs("`layout ID`")),
        ("setting", _) => Err(needs("`setting KEY VALUE`, or `setting KEY BET VALUE`")),
        ("currency", _) => Err(needs("`currency CODE decimals NUMBER`, such as `currency VND decimals 0`")),
        ("version", _) => Err(needs("`version TEXT`")),
        ("date", _) => Err(needs("`date YYYY-MM-DD`")),
        ("player", _) => {
            Err(needs("`player NAME seat NUMBER`, `player NAME behind NUMBER` or `player NAME standing`"))
        }
        ("round", _) => Err(needs("`round` or `round by hand`, alone on its line")),
        ("cards", _) => Err(needs("`cards 9C KS …`")),
        ("shoe", _) => Err(needs("`shoe is empty`, `shoe is new` or `shoe by hand`")),
        ("hand", _) => Err(needs("`hand box1 KS 4H …` or `hand dealer KS 4H …`")),
        ("dealer", ["calls", ..]) => Err(needs("`dealer calls player|banker|tie`")),
        (name, ["bets", rest @ ..]) => bet(text, name, rest, decimals),
        (name, ["insures", side, amount]) => Ok(Action::Insure {
            player: player_name(name)?,
            side: [Side::Player, Side::Banker].into_iter().find(|known| known.key() == *side).ok_or_else(
                || (*side, format!("`{side}` cannot be insured; {}", one_of(side, ["player", "banker"]))),
            )?,
            amount: positive(amount, decimals)?,
        }),
        (who, said @ ["insures", _, _, "for", _]) => deed(text, who, said, decimals),
        (_, ["insures", ..]) => Err(needs("`NAME insures banker|player AMOUNT`")),
        (who, said) => deed(text, who, said, decimals),
    }
}

/// Somebody does something: checked for its words now, carried out when the file runs.
fn deed<'t>(
    text: &'t str,
    who: &'t str,
    said: &[&'t str],
    decimals: Decimals,
) -> Result<Action, Problem<'t>> {
    let found = match deed::understand(said, &mut AnyNames(decimals)) {
        Err(NoDeed::Unknown) => case_deed::understand(said, &mut AnyNames(decimals)).map(|_| ()),
        Err(error) => Err(error),
        Ok(_) => Ok(()),
    };
    match found {
        Ok(()) => Ok(Action::Deed {
            who: name_of_actor(who)?.to_string(),
            words: said.iter().map(|word| (*word).to_string()).collect(),
        }),
        Err(NoDeed::Words(message)) => Err(match forms::slip(said) {
            // Some messages name what was meant themselves.
            Some((word, meant)) if !message.contains("did you mean") && is_about(&message, said, word) => {
                (word, format!("`{word}` is not understood; did you mean `{meant}`?"))
            }
            Some(_) | None => (about(&message, said).unwrap_or(text), message),
        }),
        Err(NoDeed::Unknown) => match said.first() {
            None => Err(match nearest(who, STATEMENTS).filter(|meant| *meant != who) {
                Some(meant) => (who, format!("`{who}` is not understood; did you mean `{meant}`?")),
                None => (text, format!("not understood; a line is one of {FORMS}")),
            }),
            Some(verb) => match forms::of_verb(verb) {
                Some(known) => Err(match forms::slip(said) {
                    Some((word, meant)) => {
                        (word, format!("`{word}` is not understood; did you mean `{meant}`?"))
                    }
                    None => (verb, format!("not understood; accepted with `{verb}`: {known}")),
                }),
                None => Err(match meant(who, verb) {
                    Some((word, meant)) => {
                        (word, format!("`{word}` is not understood; did you mean `{meant}`?"))
                    }
                    None => (text, no_line(who, verb)),
                }),
            },
        },
    }
}

/// What is said to a line that is none: the lines that have a word of it, or all that are accepted.
fn no_line(first: &str, second: &str) -> String {
    match forms::with_word(&[first, second], FORMS) {
        Some(alike) => format!("not understood; did you mean one of {alike}?"),
        None => format!(
            "not understood; a line is one of {FORMS}, with one of these verbs: {}",
            forms::verbs().join(", ")
        ),
    }
}

/// The word that was probably mistyped, and the one that was meant: the verb, or the statement the line begins with.
fn meant<'t>(first: &'t str, verb: &'t str) -> Option<(&'t str, &'static str)> {
    let verbs = forms::verbs().into_iter().chain(["bets", "insures"]);
    let statement = nearest(first, STATEMENTS).map(|meant| (first, meant));
    // A short word at the beginning is rather a name: `dave` is no `date`.
    match statement {
        Some(_) if first.len() > 5 => statement,
        _ => nearest(verb, verbs).map(|meant| (verb, meant)).or(statement),
    }
}

/// The word that a message begins with, in its place on the line.
fn about<'t>(message: &str, said: &[&'t str]) -> Option<&'t str> {
    let (word, _) = message.strip_prefix('`')?.split_once('`')?;
    said.iter().copied().find(|known| *known == word)
}

/// Whether a message is about this word, or about none of the line.
fn is_about(message: &str, said: &[&str], word: &str) -> bool {
    about(message, said).is_none_or(|known| known == word)
}

/// A player, a rank or a thing that acts: lower-case letters, digits and hyphens.
fn name_of_actor(name: &str) -> Result<&str, Problem<'_>> {
    let letters = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if letters && name.starts_with(|letter: char| letter.is_ascii_lowercase()) {
        Ok(name)
    } else {
        Err((
            name,
            format!(
                "`{name}` is not somebody who acts; use lower-case letters, such as `ann` or `pit-manager`"
            ),
        ))
    }
}

/// `VND decimals 0`
fn currency<'t>(code: &'t str, count: &'t str) -> Result<Action, Problem<'t>> {
    if code.len() != 3 || !code.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return Err((code, format!("`{code}` is not a currency; write three capital letters, such as VND")));
    }
    let decimals = count.parse().ok().and_then(Decimals::new);
    let most = Decimals::MOST;
    let decimals = decimals
        .ok_or_else(|| (count, format!("`{count}` is not a number of decimals; write 0 to {most}")))?;
    Ok(Action::Currency { code: code.to_string(), decimals })
}

fn seat(text: &str) -> Result<u8, Problem<'_>> {
    let number = text.parse().ok().filter(|seat| *seat > 0);
    number.ok_or_else(|| (text, format!("`{text}` is not a seat; write a number from 1 to 255")))
}

/// `BET AMOUNT [for NAME] [on boxN] [at seat N] [with reserve AMOUNT] [in cash] [untimed]`
fn bet<'t>(
    text: &'t str,
    name: &'t str,
    words: &[&'t str],
    decimals: Decimals,
) -> Result<Action, Problem<'t>> {
    let (bet, amount, mut rest) = match words {
        [bet, amount, rest @ ..] => (*bet, *amount, rest),
        _ => return Err((text, "expected `NAME bets BET AMOUNT`".to_string())),
    };
    let mut laid = Bet {
        player: String::new(),
        by: None,
        bet: bet.to_string(),
        amount: positive(amount, decimals)?,
        on: None,
        at: None,
        reserve: None,
        in_cash: false,
        untimed: false,
    };
    loop {
        rest = match rest {
            [] => break,
            ["for", player, rest @ ..] => {
                laid.by = Some(name_of_actor(name)?.to_string());
                laid.player = player_name(player)?;
                rest
            }
            ["on", holder, rest @ ..] => match holder.parse() {
                Ok(Holder::Box(number)) => {
                    laid.on = Some(number);
                    rest
                }
                _ => return Err((holder, format!("`{holder}` is not a box; write `box1`, `box2`, …"))),
            },
            ["at", "seat", number, rest @ ..] => {
                laid.at = Some(seat(number)?);
                rest
            }
            ["with", "reserve", amount, rest @ ..] => {
                laid.reserve = Some(
                    decimals
                        .parse_signed(amount)
                        .map_err(|error| (*amount, format!("`{amount}` {error}")))?,
                );
                rest
            }
            ["in", "cash", rest @ ..] => {
                laid.in_cash = true;
                rest
            }
            ["untimed", rest @ ..] => {
                laid.untimed = true;
                rest
            }
            [word, ..] => {
                return Err((
                    word,
                    format!(
                        "`{word}` is not understood here; accepted: `for NAME`, `on boxN`, `at seat N`, \
                         `with reserve AMOUNT`, `in cash`, `untimed`"
                    ),
                ));
            }
        };
    }
    if laid.by.is_none() {
        laid.player = player_name(name)?;
    }
    Ok(Action::Bet(laid))
}

/// Whether a player can have this name.
pub(crate) fn is_player_name(name: &str) -> bool {
    player_name(name).is_ok()
}

fn player_name(name: &str) -> Result<String, Problem<'_>> {
    let letters = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if !letters || !name.starts_with(|letter: char| letter.is_ascii_lowercase()) {
        return Err((name, format!("`{name}` cannot name a player; use lower-case letters, such as `ann`")));
    }
    if RESERVED.contains(&name) {
        return Err((name, format!("`{name}` is a word of the notation; name the player otherwise")));
    }
    Ok(name.to_string())
}

fn positive(text: &str, decimals: Decimals) -> Result<croupier_rules::Amount, Problem<'_>> {
    decimals.parse_positive(text).map_err(|error| (text, format!("`{text}` {error}")))
}

fn cards(text: &str) -> Result<Vec<croupier_cards::Card>, Problem<'_>> {
    parse_cards(text).map_err(|error| {
        let what = if error.text.is_empty() {
            error.fault.to_string()
        } else {
            format!("`{}`: {}", error.text, error.fault)
        };
        (text.get(error.offset..).unwrap_or(text), what)
    })
}

/// Clause ids, apart by blanks or commas; an id with a blank in it stands in quotes (`"App K"`).
pub(crate) fn clause_list(text: &str) -> Result<Vec<String>, Problem<'_>> {
    let mut ids = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (id, after) = match rest.strip_prefix('"') {
            Some(quoted) => {
                quoted.split_once('"').ok_or_else(|| (rest, "the quote is not closed".to_string()))?
            }
            None => rest.split_at(rest.find([' ', '\t', ',', '"']).unwrap_or(rest.len())),
        };
        if id.trim().is_empty() {
            return Err((rest, "expected clause ids, such as `5.1.2 6.1.2.1` or `\"App K\"`".to_string()));
        }
        ids.push(id.to_string());
        rest = after.trim_start_matches([' ', '\t', ',']);
    }
    if ids.is_empty() { Err((text, "expected at least one clause id".to_string())) } else { Ok(ids) }
}
