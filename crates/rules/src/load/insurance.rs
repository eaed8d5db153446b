//! `[insurance]`: the lines, and the check that no two speak of the same counts.

use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

use super::reader::{Faulty, Table};
use crate::baccarat::Side;
use crate::baccarat::condition::NumberSet;
use crate::baccarat::insurance::{InsuranceTable, Line, PaysOn, Stage};
use crate::baccarat::tableau::{self, Play};
use crate::clause::ClauseIndex;
use crate::odds::Odds;

pub(super) fn insurance(
    faulty: &mut Faulty<'_>,
    table: &mut Table<'_>,
    index: &ClauseIndex,
) -> Option<InsuranceTable> {
    let value = table.take("insurance")?;
    let mut lines: Vec<(Line, Range<usize>)> = Vec::new();
    for item in value.items(faulty).unwrap_or_default() {
        let Some(line) = item.table(faulty, "an insurance line").and_then(|table| line(faulty, table, index))
        else {
            continue;
        };
        if let Some((at, _)) = lines.iter().enumerate().find(|(_, (other, _))| overlap(other, &line)) {
            faulty.at(
                item.span(),
                format!(
                    "speaks of counts that [[insurance]] number {} insures already; at most one may match",
                    at + 1
                ),
            );
        }
        if !can_be_offered(&line) {
            faulty.at(item.span(), "can never be on offer: no card is due on these counts");
        }
        lines.push((line, item.span()));
    }
    Some(InsuranceTable { lines: lines.into_iter().map(|(line, _)| line).collect() })
}

/// Whether some cards lead to counts of the line with a card still to come.
fn can_be_offered(line: &Line) -> bool {
    let draws = |banker: u8, third: Option<u8>| tableau::banker(banker, third).1 == Play::Draws;
    let counts = line
        .player_points
        .iter()
        .flat_map(|player| line.banker_points.iter().map(move |banker| (player, banker)));
    counts.into_iter().any(|(player, banker)| match line.stage {
        Stage::FourCards => match tableau::player(player, banker) {
            Some((_, Play::Draws)) => true,
            Some((_, Play::Stands)) => draws(banker, None),
            None => false,
        },
        // The Player had 0 to 5 and drew `third` to reach the count.
        Stage::PlayerThird => (0..10).any(|third| {
            let before = (player + 10 - third) % 10;
            matches!(tableau::player(before, banker), Some((_, Play::Draws))) && draws(banker, Some(third))
        }),
    })
}

fn overlap(one: &Line, other: &Line) -> bool {
    let meet = |a: NumberSet, b: NumberSet| a.iter().any(|number| b.contains(number));
    one.stage == other.stage
        && meet(one.banker_points, other.banker_points)
        && meet(one.player_points, other.player_points)
}

fn line(faulty: &mut Faulty<'_>, mut table: Table<'_>, index: &ClauseIndex) -> Option<Line> {
    let side = table
        .require(faulty, "side")
        .and_then(|value| value.one_of(faulty, &[Side::Player, Side::Banker], Side::key));
    let stage =
        table.require(faulty, "stage").and_then(|value| value.one_of(faulty, &Stage::ALL, Stage::key));
    let mut points = |key| -> Option<NumberSet> {
        let numbers = table.require(faulty, key).and_then(|value| value.numbers(faulty, 0, 9))?;
        Some(numbers.into_iter().filter_map(|number| u8::try_from(number).ok()).collect())
    };
    let (banker_points, player_points) = (points("banker"), points("player"));
    let odds = table.require(faulty, "odds").and_then(|value| {
        let parsed = value.text(faulty)?.parse::<Odds>();
        parsed.map_err(|error| faulty.at(value.span(), format!("{error}"))).ok()
    });
    let pays_on = match table.take("pays-on") {
        Some(value) => value.one_of(faulty, &[PaysOn::Loss, PaysOn::Tie], |pays_on| match pays_on {
            PaysOn::Loss => "loss",
            PaysOn::Tie => "tie",
        }),
        None => Some(PaysOn::Loss),
    };
    let cites = table.cites(faulty, index);
    table.finish(faulty);
    Some(Line {
        side: side?,
        stage: stage?,
        banker_points: banker_points?,
        player_points: player_points?,
        odds: odds?,
        pays_on: pays_on?,
        cites,
    })
}
