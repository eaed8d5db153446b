//! How things stood when a file begins in the middle of a shoe, in words: `earlier ann has 1,000`.
//!
//! Nobody does anything on such a line, so that no rule is asked: what is told becomes the events that leave
//! the table as it was.

use croupier_cards::{Card, parse_cards};
use croupier_rules::baccarat::{Outcome, Side, Winner};
use croupier_rules::irregularity::ShoeFate;
use croupier_rules::names::nearest;
use croupier_rules::{Amount, Power};
use croupier_table::event::{After, Mark};
use croupier_table::setup::Method;
use croupier_table::{Fact, PersonId, PlayerId, Table};

use crate::amount::Decimals;
use crate::deed::Names;

const FORMS: &str = "`NAME has AMOUNT`, `NAME owes AMOUNT`, `NAME accepted the notice`, `NAME below the minimum`, \
    `NAME barred from the cards`, `NAME restricted to one box`, `NAME with the device`, `NAME permitted to draw`, \
    `float AMOUNT`, `drop AMOUNT`, `tips AMOUNT`, `method A|B|C`, `areas limited to NUMBER`, `insurance off`, \
    `board P B V`, `cards CARDS`, `unread NUMBER`, `carried CARD|unread [on player|banker] [exposed]`, `cut card out NUMBER`, \
    `last hand announced`, `shoe played out`, `free hand due`, `cards replaceable`, `cards condemned`, \
    `burn forgotten` or `shoe ended`";

/// The words of these forms that can be mistyped.
const WORDS: [&str; 25] = [
    "has",
    "owes",
    "accepted",
    "notice",
    "below",
    "minimum",
    "barred",
    "restricted",
    "with",
    "device",
    "permitted",
    "float",
    "drop",
    "tips",
    "method",
    "areas",
    "limited",
    "insurance",
    "board",
    "cards",
    "unread",
    "carried",
    "cut",
    "burn",
    "shoe",
];

/// Nobody: chips that came to the table with somebody who is no part of the file.
const NOBODY: PlayerId = PlayerId(u32::MAX);

/// Whether the table can have stood like that: what its rulebook does not have was not there earlier either.
pub(crate) fn check(said: &[&str], table: &Table) -> Result<(), String> {
    let rulebook = table.rulebook();
    let (by_box, in_packets) = (table.setup.by_box(), table.setup.in_packets());
    let (has, what) = match said {
        ["free", "hand", "due"] => (table.has_free_hands(), "Free Hand"),
        ["board", marks @ ..] => {
            let free = |mark: &&str| matches!(*mark, "p" | "b" | "t");
            let won = |mark: &&str| matches!(*mark, "P" | "B" | "T");
            if marks.iter().any(free) && !table.has_free_hands() {
                (false, "Free Hand, which is what a small letter on the board stands for")
            } else if marks.iter().any(won) && by_box {
                (false, "Player and Banker hand; a round that was played is `N` on the board")
            } else {
                (!marks.contains(&"N") || by_box, "boxes, which is what `N` on the board stands for")
            }
        }
        ["carried", ..] => (!in_packets, "card that opens the next round"),
        ["insurance", "off"] | [_, "accepted", "the", "notice"] => {
            (table.game().insurance.is_some(), "insurance")
        }
        ["method", _] | [_, "with", "the", "device"] | [_, "permitted", "to", "draw"] => {
            (table.setup.method.is_some(), "dealing method to choose")
        }
        [_, "restricted", "to", "one", "box"] => {
            (rulebook.power(Power::RestrictBoxes).is_some(), "restriction to one box")
        }
        [_, "barred", "from", "the", "cards"] => {
            (rulebook.power(Power::StopHandling).is_some(), "bar from the cards")
        }
        _ => (true, ""),
    };
    if has { Ok(()) } else { Err(format!("{} has no {what}", table.game().id)) }
}

/// The events that leave the table as these words say.
pub(crate) fn understand(said: &[&str], names: &mut dyn Names) -> Result<Vec<Fact>, String> {
    let decimals = names.decimals();
    let amount = |word: &str| amount(decimals, word);
    let none = || {
        let words = said.iter().copied().filter_map(|word| {
            nearest(word, WORDS).filter(|meant| *meant != word).map(|meant| (word, meant))
        });
        match words.into_iter().next() {
            Some((word, meant)) => {
                format!("`{word}` is not understood after `earlier`; did you mean `{meant}`?")
            }
            None => format!("not understood; accepted after `earlier`: {FORMS}"),
        }
    };
    Ok(match said {
        ["float", money] => vec![Fact::Filled { amount: amount(money)?, witness: PersonId(0) }],
        ["drop", money] => {
            let amount = amount(money)?;
            let sold = Fact::BoughtIn { player: NOBODY, amount, cash: true };
            vec![Fact::Filled { amount, witness: PersonId(0) }, sold]
        }
        ["tips", money] => vec![Fact::Tipped { player: NOBODY, amount: amount(money)? }],
        ["method", letter] => {
            let method = Method::ALL.into_iter().find(|method| method.key() == *letter);
            vec![Fact::MethodChosen(
                method.ok_or(format!("`{letter}` is not a method; accepted: A, B or C"))?,
            )]
        }
        ["areas", "limited", "to", most] => vec![Fact::AreasLimited(number(most)?)],
        ["insurance", "off"] => vec![Fact::InsuranceSwitched { on: false, asked_by: NOBODY }],
        ["board", marks @ ..] => board(marks)?,
        ["cards", "replaceable"] => vec![Fact::ShoeJudged(ShoeFate::MayReplace)],
        ["cards", "condemned"] => vec![Fact::ShoeJudged(ShoeFate::Replace)],
        ["cards", told @ ..] => {
            let drawn = |card: Card| Fact::SurplusDrawn { card: Some(card), on: None, exposed: true };
            let cards = cards(&told.join(" "))?;
            cards.into_iter().map(drawn).chain([Fact::SurplusDiscarded]).collect()
        }
        ["unread", count] => vec![Fact::Burned { count: number(count)?, cards: Vec::new() }],
        ["carried", card, rest @ ..] => carried(card, rest)?,
        ["cut", "card", "out", left] => vec![Fact::CutCardOut { rounds_left: number(left)? }],
        ["last", "hand", "announced"] => vec![Fact::LastHand { next: true }],
        ["shoe", "played", "out"] => vec![Fact::ShoePlayedOut],
        ["free", "hand", "due"] => vec![Fact::NextIsFree],
        ["burn", "forgotten"] => vec![Fact::ShoeChoiceDue],
        ["shoe", "ended"] => vec![Fact::ShoeEnded],
        [name, rest @ ..] if !rest.is_empty() => {
            let player = names.player(name)?;
            of_player(player, rest, decimals)?.ok_or_else(none)?
        }
        _ => return Err(none()),
    })
}

/// What was with a player; nothing if the words are no such thing.
fn of_player(player: PlayerId, said: &[&str], decimals: Decimals) -> Result<Option<Vec<Fact>>, String> {
    let amount = |word: &str| amount(decimals, word);
    Ok(Some(match said {
        ["has", money] => vec![Fact::BoughtIn { player, amount: amount(money)?, cash: false }],
        // The reverse of collecting it; chips and float stay as they are told.
        ["owes", money] => {
            let amount = amount(money)?;
            vec![
                Fact::CommissionCollected { player, amount: -amount },
                Fact::BoughtIn { player, amount: -amount, cash: false },
                Fact::Filled { amount, witness: PersonId(0) },
            ]
        }
        ["accepted", "the", "notice"] => vec![Fact::NoticeAccepted { player }],
        ["below", "the", "minimum"] => vec![Fact::Warned { player }],
        ["barred", "from", "the", "cards"] => vec![Fact::HandlingStopped { player }],
        ["restricted", "to", "one", "box"] => vec![Fact::BoxesRestricted { player }],
        ["with", "the", "device"] => vec![Fact::DeviceTaken { player }],
        ["permitted", "to", "draw"] => vec![Fact::DrawingPermitted { player }],
        _ => return Ok(None),
    }))
}

/// Rounds that were played, by what the board shows of them.
fn board(marks: &[&str]) -> Result<Vec<Fact>, String> {
    let mut facts = Vec::new();
    for (number, told) in (1..).zip(marks) {
        let mark =
            mark(told).ok_or(format!("`{told}` is not a mark of the board; accepted: P B T p b t V N"))?;
        facts.push(Fact::BetsOpened { round: number });
        // A card left the shoe for it, whichever that was.
        facts.push(Fact::DrawnTogether { cards: Vec::new(), order_known: true });
        facts.push(Fact::RoundClosed { mark, after: After::Ready });
    }
    Ok(facts)
}

fn mark(told: &str) -> Option<Mark> {
    match told {
        "V" => Some(Mark::Void),
        "N" => Some(Mark::Played),
        _ => {
            let letter = told.chars().next().filter(|_| told.chars().count() == 1)?;
            let winner = Winner::from_letter(letter.to_ascii_uppercase())?;
            // The board tells who won and no more.
            let outcome = Outcome::reachable().find(|outcome| outcome.winner() == winner)?;
            Some(if letter.is_ascii_uppercase() { Mark::Result(outcome) } else { Mark::Free(outcome) })
        }
    }
}

/// A card that opens the next round.
fn carried(card: &str, said: &[&str]) -> Result<Vec<Fact>, String> {
    let card = match card {
        "unread" => None,
        card => Some(cards(card)?.first().copied().ok_or("name one card")?),
    };
    let (on, rest) = match said {
        ["on", "player", rest @ ..] => (Some(Side::Player), rest),
        ["on", "banker", rest @ ..] => (Some(Side::Banker), rest),
        rest => (None, rest),
    };
    let exposed = match rest {
        [] => false,
        ["exposed"] => true,
        _ => return Err("expected `carried CARD|unread [on player|banker] [exposed]`".to_string()),
    };
    Ok(vec![Fact::SurplusDrawn { card, on, exposed }, Fact::CardsCarried { free: false }])
}

fn amount(decimals: Decimals, word: &str) -> Result<Amount, String> {
    decimals.parse_positive(word).map_err(|error| format!("`{word}` {error}"))
}

fn number<T: core::str::FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("`{word}` is not a number that fits here; write a small whole number"))
}

fn cards(text: &str) -> Result<Vec<Card>, String> {
    parse_cards(text).map_err(|error| format!("`{}`: {}", error.text, error.fault))
}
