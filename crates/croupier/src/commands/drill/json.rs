//! Drills for programs: the situation, the questions and their answers.

use std::io::Write;

use croupier_drill::{Answer, Form, Language, Situation};
use serde_json::{Value, json};

/// A list of drills.
pub(super) fn drills(out: &mut dyn Write, drills: &[Situation], language: Language) -> anyhow::Result<()> {
    let all: Vec<Value> = drills.iter().map(|drill| one(drill, language)).collect();
    serde_json::to_writer_pretty(&mut *out, &all)?;
    writeln!(out)?;
    Ok(())
}

fn one(drill: &Situation, language: Language) -> Value {
    let part = |part: &croupier_drill::Part| {
        let (form, options, right): (&str, Vec<String>, Value) = match &part.form {
            Form::One { options, right } => {
                let said = options.iter().map(|option| language.choice(drill, *option)).collect();
                ("one", said, json!(right))
            }
            Form::All { options, right } => {
                let said = options.iter().map(|option| language.choice(drill, *option)).collect();
                ("all", said, json!(right))
            }
            Form::Amounts { of, .. } => {
                let wager = |at: &usize| drill.wagers.get(*at).map(|wager| drill.wager(language, wager));
                let said = of.iter().map(|at| wager(at).unwrap_or_default()).collect();
                let Answer::Amounts(amounts) = part.key() else { return Value::Null };
                ("amounts", said, json!(amounts))
            }
        };
        json!({
            "kind": part.kind.key(),
            "question": language.question(part.kind),
            "form": form,
            "options": options,
            "right": right,
        })
    };
    let reasons: Vec<Value> = drill
        .reasons()
        .into_iter()
        .map(|(said, clauses)| json!({ "what": said, "clauses": clauses }))
        .collect();
    json!({
        "game": drill.game.id,
        "version": drill.rulebook.version,
        "seed": drill.seed,
        "topic": drill.topic.key(),
        "rank": drill.rulebook.ranks.get(usize::from(drill.asked.rank.0)).map(|rank| rank.id.clone()),
        "situation": drill.text(language),
        "ruled": drill.ruling(language),
        "follows": drill.told(drill.follows()),
        "parts": drill.parts.iter().map(part).collect::<Vec<_>>(),
        "why": reasons,
        "clauses": drill.clause_texts().into_iter().map(|(id, says)| json!({ "id": id, "says": says })).collect::<Vec<_>>(),
    })
}
