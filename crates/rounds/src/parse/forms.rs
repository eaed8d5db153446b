//! What somebody at the table can do, as a message shows it. `deed` and `case_deed` understand these.

use croupier_rules::names::nearest;

use crate::deed;

const DEEDS: &[&str] = &[
    "signs on",
    "signs off",
    "signs RANK on|off",
    "fills AMOUNT [seen by RANK]",
    "credits AMOUNT [seen by RANK]",
    "counts the drop [seen by RANK]",
    "counts NUMBER cards left",
    "counts the hands",
    "pays the tips",
    "closes the table with AMOUNT",
    "closes betting",
    "closes insurance",
    "closes the option",
    "closes the choice",
    "closes the table with AMOUNT seen by RANK",
    "sits at SEAT",
    "stands [behind SEAT]",
    "buys in AMOUNT",
    "sells AMOUNT to NAME",
    "leaves",
    "tips AMOUNT",
    "accepts the notice",
    "loads the shoe",
    "loads the red deck",
    "loads the blue deck",
    "loads the shoe|the red deck|the blue deck committed to ROOT",
    "shuffles",
    "cuts [NUMBER]",
    "burns NUMBER",
    "burns CARDS",
    "burns NUMBER showing CARDS",
    "finds the shoe empty",
    "calls player|banker|tie",
    "insures player|banker AMOUNT",
    "sorts all [seen by RANK]",
    "announces the last hand",
    "replaces the shoe",
    "opens betting",
    "opens player|banker [as CARDS]",
    "opens player|banker first",
    "opens the dealer hand",
    "takes back BET [AMOUNT] [on boxN]",
    "takes the device",
    "takes the case over",
    "asks to reduce",
    "asks to squeeze",
    "asks for more evidence TEXT",
    "removes NAME BET",
    "limits areas to NUMBER",
    "draws CARD|unread [onto player|banker] [exposed]",
    "draws CARDS together [in order]",
    "corrects draw NUMBER to CARD [because WORDS [seen by RANK]]",
    "deals the free hand",
    "deals boxN|dealer CARDS",
    "shows the cut card",
    "shows player|banker|tie",
    "shows banker first for NAME",
    "settles",
    "settles the case TEXT",
    "chooses method A|B|C",
    "refuses player|banker",
    "forbids NAME to squeeze",
    "allows NAME to squeeze player|banker",
    "permits NAME to draw",
    "permits insurance",
    "gives up the device",
    "passes player|banker [to NAME]",
    "hands player|banker to NAME",
    "offers insurance",
    "stops insurance for NAME",
    "resumes insurance for NAME",
    "reports WHAT",
    "rules REMEDY [with withdrawal] [for NAME] [order CARDS] [naming NAME] [because TEXT]",
    "confirms the finding",
    "retracts the report",
    "withdraws",
    "stays",
    "wants a new shoe",
    "keeps the shoe",
    "holds CARD CARD",
    "sorts all but CARDS [seen by RANK]",
    "handles boxN",
    "sets boxN|dealer as HAND",
    "restricts NAME to one box",
    "lets NAME squeeze again",
    "lets NAME have several boxes again",
    "lets NAME handle cards again",
    "notes NAME off the layout",
    "disputes the round|ruling TEXT",
    "assigns the case to RANK",
    "escalates the case TEXT",
    "puts down TEXT",
    "hears the player TEXT",
    "hears the staff TEXT",
    "cannot hear the player|staff TEXT",
    "attaches surveillance|feed|published REFERENCE",
    "informs surveillance",
    "tells the due time SECONDS",
    "tells no due time TEXT",
    "tells the right",
    "completes the gathering",
    "decides on GROUNDS [paying AMOUNT to NAME] [taking AMOUNT from NAME] because TEXT",
    "agrees",
    "disagrees",
    "posts the corrections [through the cage]",
    "wishes to complain",
    "declines to complain",
    "names RANK to help",
    "files the complaint REFERENCE",
    "answers the complaint [paying AMOUNT to NAME] [taking AMOUNT from NAME] TEXT",
];

/// What the verb can stand with, if it is one.
pub(super) fn of_verb(verb: &str) -> Option<String> {
    let own = |form: &&&str| form.split(' ').next() == Some(verb);
    let found: Vec<String> = DEEDS.iter().filter(own).map(|form| format!("`{form}`")).collect();
    let own = if deed::OWN.contains(&verb) { "; with `for NAME`, if somebody else does it" } else { "" };
    (!found.is_empty()).then(|| format!("{}{own}", found.join(", ")))
}

/// The word behind a known verb that was probably mistyped, and the one that was meant.
pub(super) fn slip<'t>(said: &[&'t str]) -> Option<(&'t str, &'static str)> {
    let (verb, rest) = said.split_first()?;
    let own = DEEDS.iter().filter(|form| form.split(' ').next() == Some(verb));
    // Words in capitals stand for something else, and so does `boxN`.
    let fixed = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    let words = own.flat_map(|form| form.split([' ', '|', '[', ']']).skip(1));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).filter(fixed).collect();
    // Of three letters one slip makes another word.
    let typed = rest.iter().copied().filter(|word| word.len() > 3 && !words.contains(word));
    typed.into_iter().find_map(|word| nearest(word, words.iter().copied()).map(|meant| (word, meant)))
}

/// Forms of lines that have a word of this one.
pub(super) fn with_word(words: &[&str], lines: &'static str) -> Option<String> {
    let lines = lines.split('`').skip(1).step_by(2);
    let has = |form: &&str| form.split(' ').any(|known| words.contains(&known));
    let found: Vec<String> =
        lines.chain(DEEDS.iter().copied()).filter(has).take(6).map(|form| format!("`{form}`")).collect();
    (!found.is_empty()).then(|| found.join(", "))
}

/// All verbs, each once.
pub(super) fn verbs() -> Vec<&'static str> {
    let mut verbs: Vec<&str> = DEEDS.iter().filter_map(|form| form.split(' ').next()).collect();
    verbs.sort_unstable();
    verbs.dedup();
    verbs
}
