//! The pit while it plays: what each table comes to today, since when it stands, who deals, and what waits.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json as Answer;
use axum::extract::State;
use croupier_journal::By;
use croupier_table::Actor;
use croupier_table::tray::Paper;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::refusals::Guarded;
use crate::api::trays::{PaperShown, shown};
use crate::app::App;
use crate::clock;
use crate::figures::count::{Figures, PART_MILLISECONDS};
use crate::people::{Caller, MaybeCaller, Right};
use crate::problem::Problem;
use crate::table::{Audience, TableHandle};

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(pit))
}

/// The pit as it is now.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PitShown {
    /// When, in milliseconds since 1970.
    pub(crate) at: u64,
    /// The last gaming day that was closed: the figures are of what came after it.
    pub(crate) since_day: Option<String>,
    /// After how many minutes at a table a Dealer is to be relieved.
    pub(crate) relief_minutes: u32,
    /// The tables, in the order of their ids.
    pub(crate) tables: Vec<PitTable>,
}

/// A table of the pit.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PitTable {
    /// Which.
    pub(crate) table: u32,
    /// What it comes to.
    pub(crate) figures: PitFigures,
    /// What lies on it.
    pub(crate) stake: i64,
    /// Who is on duty there.
    pub(crate) staff: Vec<PitStaff>,
    /// Since when play is stopped, in milliseconds since 1970.
    pub(crate) held_since: Option<u64>,
    /// By whose report or act it was.
    pub(crate) held_by: Option<String>,
    /// The counts and slips that are not finished.
    pub(crate) papers: Vec<PaperShown>,
}

/// What a table comes to since the last gaming day was closed; amounts in minor units.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PitFigures {
    /// All of it was counted. After a start what came before is added a little later.
    pub(crate) is_whole: bool,
    /// Rounds settled.
    pub(crate) rounds: i64,
    /// Rounds settled in the last hour, or as many an hour where it plays for less.
    pub(crate) rounds_an_hour: Option<u64>,
    /// Chips that players took to the table.
    pub(crate) drop: i64,
    /// What was wagered.
    pub(crate) handle: i64,
    /// What the house won; below zero if it lost.
    pub(crate) win: i64,
    /// What the exact odds of every wager with full shoes say it should have won; nothing while they are worked out.
    pub(crate) theory: Option<i64>,
    /// Chips that were brought.
    pub(crate) fills: i64,
    /// Chips that were taken.
    pub(crate) credits: i64,
    /// The win as it came to be, at the end of every five minutes in which something was won or lost.
    pub(crate) course: Vec<i64>,
}

/// Somebody on duty at a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PitStaff {
    /// Who.
    pub(crate) person: u32,
    /// Their name.
    pub(crate) name: String,
    /// The rank, by its place in the rulebook.
    pub(crate) rank: u8,
    /// Since when, in milliseconds since 1970, where that is known.
    pub(crate) since: Option<u64>,
    /// They have a PIN, and so can witness.
    pub(crate) has_pin: bool,
}

const HOUR: u64 = 3_600_000;

fn rounds_an_hour(figures: &Figures, now: u64) -> Option<u64> {
    let from = now.saturating_sub(HOUR) / PART_MILLISECONDS;
    let first = figures.parts.iter().find(|(_, part)| part.rounds > 0).map(|(time, _)| *time)?;
    let rounds: i64 = figures.parts.range(from..).map(|(_, part)| part.rounds).sum();
    let began = (first.max(from)) * PART_MILLISECONDS;
    // A table that has just begun says nothing yet.
    let time = now.saturating_sub(began).max(PART_MILLISECONDS);
    Some(u64::try_from(rounds).unwrap_or(0) * HOUR / time)
}

/// The most points of a course.
const POINTS: usize = 48;

fn course(figures: &Figures) -> Vec<i64> {
    let mut win = 0;
    let points = figures.parts.values().map(|part| {
        win += part.win;
        win
    });
    let points: Vec<i64> = points.collect();
    let step = points.len().div_ceil(POINTS).max(1);
    // The last is always there.
    let mut kept: Vec<i64> = points.iter().rev().step_by(step).copied().collect();
    kept.reverse();
    kept
}

fn who(by: By, names: &BTreeMap<u32, String>) -> Option<String> {
    match by {
        By::Staff(staff) => names.get(&staff.person.0).cloned(),
        By::Player(player) => names.get(&player.0).cloned(),
        By::Person(_) | By::Device | By::System | By::Surveillance | By::Display => None,
    }
}

async fn table(app: &App, table: &TableHandle) -> PitTable {
    let shown_now = table.current().await;
    let counted = table.live.now();
    let now = clock::now();
    let desk = shown_now.views.dealer().desk;
    let held = counted.standing.held.filter(|_| desk.hold.is_some());
    let mut people: Vec<u32> = desk.staff.iter().map(|staff| staff.person.0).collect();
    people.extend(held.and_then(|held| held.by.actor()).and_then(|by| match by {
        Actor::Staff(staff) => Some(staff.person.0),
        Actor::Player(player) => Some(player.0),
        Actor::Device | Actor::System | Actor::Surveillance | Actor::Display => None,
    }));
    let names = app.people.nicknames(&people);
    let staff = desk.staff.iter().map(|staff| PitStaff {
        person: staff.person.0,
        name: names.get(&staff.person.0).cloned().unwrap_or_else(|| staff.person.to_string()),
        rank: staff.acts_as().0,
        since: counted.standing.staff.get(&staff.person).copied(),
        has_pin: app.people.get(staff.person.0).is_some_and(|person| person.pin.is_some()),
    });
    let staff = staff.collect();
    let papers: Vec<Paper> = app.trays.tray(table.id).open.values().cloned().collect();
    let figures = counted.figures;
    let theory = figures.theory_now(&app.floor.shared.theories, &table.setup);
    PitTable {
        table: table.id.0,
        stake: counted.standing.stake,
        staff,
        held_since: held.map(|held| held.since),
        held_by: held.and_then(|held| who(held.by, &names)),
        papers: shown(app, &papers),
        figures: PitFigures {
            is_whole: counted.is_whole,
            rounds: figures.rounds,
            rounds_an_hour: rounds_an_hour(&figures, now),
            drop: figures.drop,
            handle: figures.handle(),
            win: figures.win,
            theory,
            fills: figures.fills,
            credits: figures.credits,
            course: course(&figures),
        },
    }
}

/// The tables of the pit as they are now: those at which you have the money of the table; all of them for surveillance
/// and for whoever closes the day.
#[utoipa::path(
    get, path = "/api/pit", tag = "pit",
    responses((status = 200, body = PitShown), Guarded),
    security(("session" = []), ("token" = []))
)]
async fn pit(State(app): State<Arc<App>>, caller: Caller) -> Result<Answer<PitShown>, Problem> {
    let own =
        |at: &TableHandle| MaybeCaller(Some(caller.clone())).works_at(&app, at).contains(&Audience::Pit);
    let all = app.floor.tables();
    let mut mine: Vec<TableHandle> = all.iter().filter(|at| own(at)).cloned().collect();
    if caller.person.has(Right::Watch) || caller.person.has(Right::CloseDay) {
        mine = all;
    } else if mine.is_empty() {
        caller.may_any(&app, &[Right::Watch, Right::CloseDay], "GET /api/pit").await?;
    }
    let mut tables = Vec::new();
    for at in &mine {
        tables.push(table(&app, at).await);
    }
    let days = app.floor.shared.readers.read(crate::days::all).await?;
    Ok(Answer(PitShown {
        at: clock::now(),
        since_day: days.into_iter().next_back().map(|day| day.day),
        relief_minutes: app.config.relief_minutes,
        tables,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::count::Part;

    fn playing(parts: &[(u64, i64, i64)]) -> Figures {
        let part = |(at, rounds, win): &(u64, i64, i64)| (*at, Part { rounds: *rounds, win: *win, drop: 0 });
        Figures { parts: parts.iter().map(part).collect(), ..Figures::default() }
    }

    #[test]
    fn rounds_an_hour_are_of_the_last_hour() {
        // Parts of five minutes: 12 to the hour. It is the end of part 23.
        let now = 24 * PART_MILLISECONDS;
        for (parts, expected) in [
            (&[][..], None),
            (&[(23, 4, 0)], Some(48)),
            // What was before the hour does not count.
            (&[(0, 100, 0), (12, 6, 0), (23, 6, 0)], Some(12)),
            (&[(18, 20, 0)], Some(40)),
        ] {
            assert_eq!(rounds_an_hour(&playing(parts), now), expected, "{parts:?}");
        }
    }

    #[test]
    fn a_course_ends_with_what_it_is_now() {
        assert_eq!(course(&playing(&[(1, 1, 5), (2, 1, -7), (9, 1, 4)])), [5, -2, 2]);
        let many: Vec<_> = (0..100).map(|at| (at, 1, 1)).collect();
        let drawn = course(&playing(&many));
        assert!(drawn.len() <= POINTS && drawn.last() == Some(&100), "{drawn:?}");
    }
}
