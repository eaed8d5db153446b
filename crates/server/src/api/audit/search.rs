//! Lines of the journal by people, amounts and what was done, the newest first.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::Json as Answer;
use axum::extract::State;
use croupier_journal::store::Flow;
use croupier_journal::{By, Row, Select, Store, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::forms::ByForm;
use super::{AT_ONCE, LOOKED_AT, MOST, is_withheld};
use crate::api::body::Query;
use crate::api::history::limit;
use crate::api::refusals::Guarded;
use crate::app::App;
use crate::floor::Floor;
use crate::people::{Caller, Right};
use crate::problem::Problem;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(search))
}

/// Which lines.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhichFound {
    /// Only lines that name this person: by number, or by the name used to sign in.
    pub(crate) who: Option<String>,
    /// Only lines with an amount of at least so many minor units.
    pub(crate) least: Option<u64>,
    /// Only lines with an amount of at most so many.
    pub(crate) most: Option<u64>,
    /// Only lines whose deed or action has this in its name, such as `fill` or `deposit`.
    pub(crate) what: Option<String>,
    /// Only lines of streams that begin so, such as `table/3` or `cage`.
    pub(crate) stream: Option<String>,
    /// Only lines before this position; the newest if not said.
    pub(crate) before: Option<u64>,
    /// How many at most, 1 to 500.
    #[param(minimum = 1, maximum = 500, default = 50)]
    pub(crate) limit: Option<u32>,
}

/// A line that was found.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct FoundLine {
    /// Its position among all lines.
    pub(crate) position: u64,
    /// Its stream.
    pub(crate) stream: String,
    /// Its number there.
    pub(crate) sequence: u64,
    /// When, in milliseconds since 1970.
    pub(crate) at: u64,
    /// Who.
    pub(crate) by: ByForm,
    /// What was done: the name of the deed, or of the action at a table.
    pub(crate) what: String,
    /// The amounts that were named or moved, each once, in minor units.
    pub(crate) amounts: Vec<i64>,
    /// The people that it names, whoever did it among them.
    pub(crate) people: Vec<u32>,
}

/// Lines that were found, the newest first.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct FoundLines {
    /// The lines.
    pub(crate) lines: Vec<FoundLine>,
    /// What to send as `before` to look further back; nothing if there is nothing before. There may be more even where
    /// an answer has few: only so many lines are looked at for one answer.
    pub(crate) next: Option<u64>,
    /// The names of those whom the lines name, by their ids.
    #[schema(value_type = BTreeMap<String, String>)]
    pub(crate) names: BTreeMap<u32, String>,
}

/// What is looked for.
struct Wanted {
    who: Option<u32>,
    amounts: core::ops::RangeInclusive<i64>,
    asks_amount: bool,
    what: String,
    stream: String,
}

impl Wanted {
    fn fits(&self, line: &FoundLine) -> bool {
        self.who.is_none_or(|who| line.people.contains(&who))
            && (!self.asks_amount || line.amounts.iter().any(|amount| self.amounts.contains(amount)))
            && line.what.contains(&self.what)
            && line.stream.starts_with(&self.stream)
    }
}

/// Lines by people, amounts and what was done, the newest first. Lines that tell cards of a round in play are left out.
#[utoipa::path(
    get, path = "/api/audit/search", tag = "audit", params(WhichFound),
    responses((status = 200, body = FoundLines), Guarded, (status = 400, body = Problem)),
    security(("session" = []), ("token" = []))
)]
async fn search(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(which): Query<WhichFound>,
) -> Result<Answer<FoundLines>, Problem> {
    caller.may(&app, Right::Audit, "GET /api/audit/search").await?;
    let limit = limit(which.limit, MOST)?;
    let who = match which.who.as_deref().map(str::trim).filter(|who| !who.is_empty()) {
        None => None,
        Some(who) => {
            let known = who.trim_start_matches('#').parse().ok();
            let known = known.or_else(|| app.people.named(who).map(|person| person.id));
            let nobody = || Problem::bad_request("bad-query", format!("there is nobody called `{who}`"));
            Some(known.ok_or_else(nobody)?)
        }
    };
    let bound = |minor: u64| i64::try_from(minor).unwrap_or(i64::MAX);
    let wanted = Wanted {
        who,
        amounts: bound(which.least.unwrap_or(0))..=bound(which.most.unwrap_or(u64::MAX)),
        asks_amount: which.least.is_some() || which.most.is_some(),
        what: which.what.unwrap_or_default().trim().to_lowercase(),
        stream: which.stream.unwrap_or_default(),
    };
    let floor = Arc::clone(&app.floor);
    let end = app.floor.shared.books.position() + 1;
    let before = which.before.unwrap_or(u64::MAX).clamp(1, end);
    let read =
        app.floor.shared.readers.read_slow(move |store| look_back(store, &floor, &wanted, before, limit));
    let (lines, next) = read.await?;
    let people: BTreeSet<u32> = lines.iter().flat_map(|line| line.people.iter().copied()).collect();
    let names = app.people.nicknames(&people.into_iter().collect::<Vec<_>>());
    Ok(Answer(FoundLines { lines, next, names }))
}

fn look_back(
    store: &mut dyn Store,
    floor: &Floor,
    wanted: &Wanted,
    before: u64,
    limit: usize,
) -> Result<(Vec<FoundLine>, Option<u64>), StoreError> {
    let mut found: Vec<FoundLine> = Vec::new();
    let mut end = before;
    while end > 1 && before - end < LOOKED_AT {
        let from = end.saturating_sub(u64::try_from(AT_ONCE).unwrap_or(1)).max(1);
        let mut part = Vec::new();
        store.rows(Select::After(from - 1), &mut |position, row| {
            if position >= end {
                return Flow::Break(());
            }
            if !is_withheld(floor, &row) {
                part.extend(line(position, &row).filter(|line| wanted.fits(line)));
            }
            Flow::Continue(())
        })?;
        for line in part.into_iter().rev() {
            if found.len() == limit {
                return Ok((found, Some(end)));
            }
            end = line.position;
            found.push(line);
        }
        if found.len() == limit {
            return Ok((found, (end > 1).then_some(end)));
        }
        end = from;
    }
    Ok((found, (end > 1).then_some(end)))
}

fn line(position: u64, row: &Row) -> Option<FoundLine> {
    let record = row.record().ok()?;
    let whole: Value = serde_json::from_slice(&row.line).ok()?;
    let (mut amounts, mut people) = (BTreeSet::new(), BTreeSet::new());
    let by = match record.by {
        By::Player(player) => Some(player.0),
        By::Staff(staff) => Some(staff.person.0),
        By::Person(person) => Some(person.0),
        By::Device | By::System | By::Surveillance | By::Display => None,
    };
    people.extend(by);
    let deed = whole.get("deed")?;
    for part in [Some(deed), whole.get("postings")].into_iter().flatten() {
        gather(part, "", &mut amounts, &mut people);
    }
    Some(FoundLine {
        position,
        stream: row.stream.to_string(),
        sequence: row.sequence,
        at: record.at,
        by: record.by.into(),
        what: match deed.get("table") {
            Some(action) => name(action),
            None => name(deed),
        },
        amounts: amounts.into_iter().collect(),
        people: people.into_iter().collect(),
    })
}

/// The name of a deed or an action: a word, or the only member.
fn name(value: &Value) -> String {
    match value {
        Value::String(name) => name.clone(),
        Value::Object(fields) => fields.keys().next().cloned().unwrap_or_default(),
        _ => String::new(),
    }
}

/// Amounts and people in a part of a line, by the names of the members that hold them.
fn gather(value: &Value, member: &str, amounts: &mut BTreeSet<i64>, people: &mut BTreeSet<u32>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(member, value)| gather(value, member, amounts, people));
        }
        Value::Array(list) => list.iter().for_each(|value| gather(value, member, amounts, people)),
        Value::Number(number) => match member {
            "amount" | "counted" | "reserve" => amounts.extend(number.as_i64().filter(|amount| *amount != 0)),
            "player" | "person" | "witness" => {
                people.extend(number.as_u64().and_then(|id| u32::try_from(id).ok()));
            }
            _ => {}
        },
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_and_people_are_found_wherever_they_are() {
        let deed = serde_json::json!({
            "table": {"fill": {"amount": 500, "witness": 12, "note": "amount 7"}},
            "more": [{"player": 3, "amount": 20}, {"player": 3, "amount": 0, "seat": 9}],
        });
        let (mut amounts, mut people) = (BTreeSet::new(), BTreeSet::new());
        gather(&deed, "", &mut amounts, &mut people);
        assert_eq!(amounts.into_iter().collect::<Vec<_>>(), [20, 500]);
        assert_eq!(people.into_iter().collect::<Vec<_>>(), [3, 12]);
    }

    #[test]
    fn all_that_is_asked_for_must_fit() {
        let line = FoundLine {
            position: 1,
            stream: "table/3".to_string(),
            sequence: 1,
            at: 0,
            by: ByForm::System,
            what: "fill".to_string(),
            amounts: vec![500],
            people: vec![12],
        };
        let wanted = |who, amounts: core::ops::RangeInclusive<i64>, what: &str, stream: &str| Wanted {
            who,
            asks_amount: amounts != (0..=i64::MAX),
            amounts,
            what: what.to_string(),
            stream: stream.to_string(),
        };
        let all = 0..=i64::MAX;
        assert!(wanted(Some(12), 500..=500, "fill", "table/").fits(&line));
        assert!(wanted(None, all.clone(), "", "").fits(&line));
        assert!(!wanted(Some(13), all.clone(), "", "").fits(&line));
        assert!(!wanted(None, 501..=i64::MAX, "", "").fits(&line));
        assert!(!wanted(None, 0..=499, "", "").fits(&line));
        assert!(!wanted(None, all.clone(), "credit", "").fits(&line));
        assert!(!wanted(None, all, "", "cage").fits(&line));
    }
}
