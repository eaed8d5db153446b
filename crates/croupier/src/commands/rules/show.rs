//! `croupier rules show`: a rule sheet for people, or one clause with what proves it.

mod json;

use std::io::Write;
use std::process::ExitCode;

use anyhow::anyhow;
use croupier_rounds::coverage::Evidence;
use croupier_rules::baccarat::tableau::{self, Play};
use croupier_rules::clause::{Basis, ClauseIndex};
use croupier_rules::niu_niu::Category;
use croupier_rules::setting::{Setting, Values};
use croupier_rules::{Family, Game, Library, Payoff, Rule, Rulebook};

use super::Format;
use crate::commands::{find_game, find_rulebook, print_table, table};

/// The rule sheet of a game.
pub(super) fn sheet(
    library: &Library,
    id: &str,
    format: Format,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    // A rulebook with several games has no sheet of its own.
    if let Some(rulebook) = library.rulebooks().iter().find(|rulebook| rulebook.id == id)
        && library.find(id).is_none()
    {
        let games: Vec<&str> = rulebook.games.iter().map(|game| game.id.as_str()).collect();
        return Err(anyhow!("the rulebook `{id}` has several games; name one:\n  {}", games.join("\n  ")));
    }
    let (rulebook, game) = find_game(library, id)?;
    match format {
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, &json::sheet(rulebook, game))?;
            writeln!(out)?;
        }
        Format::Text => sheet_text(rulebook, game, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn ids(index: &ClauseIndex, cites: &[Basis]) -> String {
    cites.iter().map(|basis| index.id(*basis)).collect::<Vec<_>>().join(", ")
}

fn sheet_text(rulebook: &Rulebook, game: &Game, out: &mut dyn Write) -> anyhow::Result<()> {
    let index = &rulebook.index;
    writeln!(out, "{} ({})", rulebook.names.en, game.id)?;
    let since =
        rulebook.effective.as_ref().map_or_else(String::new, |date| format!(", in force since {date}"));
    writeln!(out, "{}, version {}{since}\n", rulebook.operator, rulebook.version)?;

    writeln!(out, "Bets")?;
    let mut bets = table(["bet", "when", "pays", "clauses"]);
    for bet in &game.bets {
        let mut name = format!("{} ({})", bet.names.en, bet.id);
        for line in bet.pays.lines() {
            let pays = match line.payoff {
                Payoff::Win { less, .. } if less != croupier_rules::Ratio::ZERO => {
                    format!("{} = {}", line.payoff, line.payoff.net())
                }
                payoff => payoff.to_string(),
            };
            bets.add_row([std::mem::take(&mut name), line.when.to_string(), pays, ids(index, &line.cites)]);
        }
        if let Some(reserve) = &bet.reserve {
            let mut name = format!("  Reserve {} × the wager", reserve.times);
            for line in reserve.lost.lines() {
                let lost = format!("{} × lost", line.times);
                bets.add_row([
                    std::mem::take(&mut name),
                    line.when.to_string(),
                    lost,
                    ids(index, &line.cites),
                ]);
            }
        }
    }
    print_table(out, &bets)?;
    match rulebook.family {
        Family::Baccarat => drawing_table(index, game, out)?,
        Family::NiuNiu => hands(index, game, out)?,
    }
    insurance(index, game, out)?;
    layouts(rulebook, game, out)?;
    settings(rulebook, out)?;
    writeln!(out, "\n`croupier rules show {} CLAUSE` prints a clause and what proves it.", game.id)?;
    Ok(())
}

fn drawing_table(index: &ClauseIndex, game: &Game, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "\nThird cards")?;
    let mut lines = table(["hand", "on", "draws", "stands", "clauses"]);
    let mut add = |hand: &str, on: &str, draws: &str, stands: &str, rule: Rule| {
        lines.add_row([hand, on, draws, stands, &ids(index, game.cites(rule))]);
    };
    add("either", "8–9 on two cards", "", "both hands", Rule::Natural);
    add("Player", "0–5", "always", "", Rule::PlayerDraws);
    add("Player", "6–7", "", "always", Rule::PlayerStands);
    add("Banker, Player stood", "0–7", "on 0–5", "on 6–7", Rule::BankerAfterStand);
    // Read off the drawing rules themselves, so that the sheet cannot differ from the play.
    for (on, banker) in [("0–2", 0), ("3", 3), ("4", 4), ("5", 5), ("6", 6), ("7", 7)] {
        let against = |wanted: Play| -> String {
            let value = |third: &u8| tableau::banker(banker, Some(*third)).1 == wanted;
            let cards: Vec<String> = (0..10).filter(value).map(|third| third.to_string()).collect();
            if cards.len() == 10 { "always".to_string() } else { cards.join(" ") }
        };
        let rule = tableau::banker(banker, Some(0)).0;
        add("Banker, Player's third", on, &against(Play::Draws), &against(Play::Stands), rule);
    }
    print_table(out, &lines)?;
    writeln!(out, "Third-card values: 0 is a ten or picture, 1 an ace.")?;
    Ok(())
}

fn hands(index: &ClauseIndex, game: &Game, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "\nHands, best first")?;
    let mut lines = table(["hand", "clauses", ""]);
    for category in Category::ALL.into_iter().rev() {
        let cites = game.hand_cites(category);
        let says = cites.first().map_or("", |basis| index.says(*basis));
        lines.add_row([category.key(), &ids(index, cites), says]);
    }
    print_table(out, &lines)?;
    Ok(())
}

fn insurance(index: &ClauseIndex, game: &Game, out: &mut dyn Write) -> anyhow::Result<()> {
    let Some(insurance) = &game.insurance else { return Ok(()) };
    writeln!(out, "\nInsurance, offered while a card is due")?;
    let mut lines = table(["insures", "when", "Banker", "Player", "pays", "on", "clauses"]);
    for line in &insurance.lines {
        let on = match line.pays_on {
            croupier_rules::baccarat::insurance::PaysOn::Loss => "a loss; a tie returns it",
            croupier_rules::baccarat::insurance::PaysOn::Tie => "a tie",
        };
        lines.add_row([
            line.side.key(),
            line.stage.key(),
            &line.banker_points.to_string(),
            &line.player_points.to_string(),
            &line.odds.to_string(),
            on,
            &ids(index, &line.cites),
        ]);
    }
    print_table(out, &lines)?;
    Ok(())
}

fn layouts(rulebook: &Rulebook, game: &Game, out: &mut dyn Write) -> anyhow::Result<()> {
    let variant = game.variant.as_ref().map(|variant| &variant.id);
    let mine = |layout: &&croupier_rules::rulebook::Layout| {
        layout.variant.is_none() || layout.variant.as_ref() == variant
    };
    if !rulebook.layouts.iter().any(|layout| mine(&layout)) {
        return Ok(());
    }
    writeln!(out, "\nLayouts")?;
    let mut lines = table(["layout", "seats", "insurance", "clauses"]);
    for layout in rulebook.layouts.iter().filter(mine) {
        let seats = match layout.seats {
            (low, high) if low == high => low.to_string(),
            (low, high) => format!("{low}–{high}"),
        };
        let insurance = if layout.insurance { "yes" } else { "" };
        lines.add_row([&layout.id, &seats, insurance, &ids(&rulebook.index, &layout.cites)]);
    }
    print_table(out, &lines)?;
    Ok(())
}

fn settings(rulebook: &Rulebook, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "\nSettings of the operator")?;
    let mut lines = table(["setting", "values", "default", "clauses", ""]);
    for spec in &rulebook.settings {
        let values = match (spec.setting.values(), spec.range) {
            (Values::Count, Some((low, high))) => format!("{low}–{high}"),
            (Values::Count, None) => "a number".to_string(),
            (Values::Money, _) => "an amount".to_string(),
            (Values::MoneyPerBet, _) => "an amount a bet".to_string(),
            (Values::MoneyPerOdds, _) => "an amount an odds".to_string(),
            (Values::OneOf(words), _) => words.join(", "),
            (Values::Name, _) if spec.setting == Setting::Area && !rulebook.areas.is_empty() => {
                rulebook.areas.iter().map(|area| area.id.as_str()).collect::<Vec<_>>().join(", ")
            }
            (Values::Name, _) => "a name".to_string(),
        };
        let default = spec.default.as_deref().unwrap_or_default();
        let cites = ids(&rulebook.index, &spec.cites);
        lines.add_row([spec.setting.key(), &values, default, &cites, spec.setting.says()]);
    }
    print_table(out, &lines)?;
    Ok(())
}

/// What there is instead of a clause or reading that a rulebook does not have.
fn unknown(rulebook: &Rulebook, id: &str) -> String {
    let index = &rulebook.index;
    let section = |id: &str| id.split(['.', '/']).next().unwrap_or_default().to_string();
    let clauses: Vec<&str> = index.clauses().iter().map(|clause| clause.id.as_str()).collect();
    let mut near: Vec<&str> = clauses.iter().copied().filter(|known| section(known) == section(id)).collect();
    if id.to_ascii_uppercase().starts_with(&format!("{}-Q", rulebook.abbreviation)) {
        near = index.readings().iter().map(|reading| reading.id.as_str()).collect();
    }
    let missing = format!("{} has no clause or reading `{id}`", rulebook.id);
    if !near.is_empty() {
        return format!("{missing}; near it: {}", near.join(", "));
    }
    let mut sections: Vec<String> = clauses.into_iter().map(section).collect();
    sections.dedup();
    format!("{missing}; its clauses begin with {}", sections.join(", "))
}

/// One clause or reading, and what proves it.
pub(super) fn clause(
    library: &Library,
    game: &str,
    id: &str,
    format: Format,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let rulebook = find_rulebook(library, game)?;
    let index = &rulebook.index;
    let clauses = index.clauses().iter().map(|clause| clause.id.as_str());
    let mut known = clauses.chain(index.readings().iter().map(|reading| reading.id.as_str()));
    // `hb-q33` is HB-Q33.
    let id = known.find(|known| known.eq_ignore_ascii_case(id)).unwrap_or(id);
    let found = index.find(id).ok_or_else(|| anyhow!("{}", unknown(rulebook, id)))?;
    let evidence = Evidence::standard(library);
    let proofs = evidence.of(&rulebook.id, id);
    let concerned: Vec<&str> = index
        .readings()
        .iter()
        .filter(|reading| reading.clauses.contains(&found))
        .map(|reading| reading.id.as_str())
        .collect();
    let reading = index.readings().iter().find(|reading| reading.id == id);
    if format == Format::Json {
        let kinds = index.clause(found).map(|clause| {
            std::iter::once(&clause.kind).chain(&clause.also).map(ToString::to_string).collect::<Vec<_>>()
        });
        let value = serde_json::json!({
            "rulebook": rulebook.id, "id": id, "kinds": kinds, "says": index.says(found),
            "readings": concerned, "proved_by": proofs,
            "question": reading.map(|reading| &reading.question), "why": reading.map(|reading| &reading.why),
            "option": reading.and_then(|reading| reading.option.as_ref()),
        });
        serde_json::to_writer_pretty(&mut *out, &value)?;
        writeln!(out)?;
        return Ok(ExitCode::SUCCESS);
    }
    match (index.clause(found), reading) {
        (Some(clause), _) => {
            let kinds: Vec<String> =
                std::iter::once(&clause.kind).chain(&clause.also).map(ToString::to_string).collect();
            writeln!(out, "{} {id} ({})\n  {}", rulebook.abbreviation, kinds.join(", "), clause.says)?;
            for reading in index.readings().iter().filter(|reading| reading.clauses.contains(&found)) {
                writeln!(
                    out,
                    "\nRead by {}\n  Unclear: {}\n  Read as: {}",
                    reading.id, reading.question, reading.reading
                )?;
            }
            match (proofs, clause.is_executable()) {
                ([], true) => writeln!(out, "\nNot proved yet.")?,
                ([], false) => writeln!(out, "\nNothing to prove: a {} clause.", clause.kind)?,
                (proofs, _) => {
                    writeln!(out, "\nProved by")?;
                    for proof in proofs {
                        writeln!(out, "  {proof}")?;
                    }
                }
            }
        }
        (None, Some(reading)) => {
            writeln!(out, "{id}, on {}", ids(index, &reading.clauses))?;
            writeln!(
                out,
                "  Unclear: {}\n  Read as: {}\n  Why: {}",
                reading.question, reading.reading, reading.why
            )?;
            if let Some(option) = &reading.option {
                writeln!(out, "  Switched by the setting `{option}`.")?;
            }
            match proofs {
                [] => writeln!(out, "\nNot proved yet.")?,
                proofs => {
                    writeln!(out, "\nProved by")?;
                    for proof in proofs {
                        writeln!(out, "  {proof}")?;
                    }
                }
            }
        }
        (None, None) => {}
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(game: &str, id: &str) -> Result<String, String> {
        let mut out = Vec::new();
        let shown = clause(&Library::standard(), game, id, Format::Text, &mut out);
        shown.map(|_| String::from_utf8_lossy(&out).into_owned()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_reading_may_be_written_small() {
        assert_eq!(shown("hoiana-niu-niu", "nn-q7"), shown("hoiana-niu-niu", "NN-Q7"));
        assert!(shown("hoiana-niu-niu", "nn-q7").is_ok_and(|text| text.starts_with("NN-Q7, on ")));
    }

    #[test]
    fn what_is_not_there_names_what_is() {
        let far = shown("hoiana-niu-niu", "99.9").unwrap_err();
        assert!(far.contains("no clause or reading `99.9`; its clauses begin with 1, 2, 3"), "{far}");
        let reading = shown("hoiana-niu-niu", "nn-q99").unwrap_err();
        assert!(reading.contains("near it: NN-Q1, NN-Q2"), "{reading}");
        let near = shown("horseshoe-dragon-bonus", "DB-6.99").unwrap_err();
        assert!(near.contains("near it: DB-6, DB-6.1"), "{near}");
    }

    #[test]
    fn a_rulebook_with_several_games_names_them() {
        let refused = sheet(&Library::standard(), "hoiana-baccarat", Format::Text, &mut Vec::new());
        let said = refused.map(drop).unwrap_err().to_string();
        assert!(
            said.contains("name one:\n  hoiana-baccarat/commission\n  hoiana-baccarat/non-comm"),
            "{said}"
        );
        assert!(sheet(&Library::standard(), "hoiana-niu-niu", Format::Text, &mut Vec::new()).is_ok());
    }
}
