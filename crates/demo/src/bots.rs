//! Robots that play: players who bet, and the staff of a table that a device deals at. They see what people in their
//! place see and nothing else, and do what their view offers.
//!
//! Between a view and the command that follows from it others act, so some commands are refused. That is counted,
//! and the robot looks again.

mod dealer;
mod pit;
mod player;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use croupier_rules::Rulebook;
use croupier_table::{Action, Actor, Moment, PersonId, PlayerId, Rank, Staff};
use tokio::sync::watch;

pub use dealer::{DealerBot, Timing};
pub use pit::PitBot;
pub use player::{Bot, Habits};

use croupier_server::table::{Published, Refused, Said, TableHandle};

/// The first id of robots: people are numbered from 1 and never come this far.
const FIRST: u32 = 4_000_000_000;
/// Robots at one table.
const AT_A_TABLE: u32 = 16;

/// The names of robot players.
const NAMES: [&str; 8] =
    ["Robot Ada", "Robot Bao", "Robot Chi", "Robot Dan", "Robot Eva", "Robot Fei", "Robot Gia", "Robot Hai"];

/// The robot player at a table.
#[must_use]
pub fn player(table: croupier_ledger::TableId, number: u32) -> PlayerId {
    PlayerId(FIRST + table.0 * AT_A_TABLE + number % AT_A_TABLE)
}

/// The name that a robot player goes by; nothing for people.
#[must_use]
pub fn nickname(player: PlayerId) -> Option<&'static str> {
    let number = player.0.checked_sub(FIRST)? % AT_A_TABLE;
    NAMES.get(usize::try_from(number).ok()? % NAMES.len()).copied()
}

/// The robot staff of a table under its rulebook: the lowest rank deals, the highest rules.
#[must_use]
pub fn staff(rulebook: &Rulebook) -> (Staff, Staff) {
    let ranks = || (0..u8::MAX).zip(&rulebook.ranks);
    let lowest = ranks().min_by_key(|(_, rank)| rank.level).map_or(0, |(at, _)| at);
    let highest = ranks().max_by_key(|(_, rank)| rank.level).map_or(0, |(at, _)| at);
    let staff = |person, rank| Staff { person: PersonId(person), rank: Rank(rank), acting: None };
    (staff(FIRST, lowest), staff(FIRST + 1, highest))
}

/// What a robot has done, for whoever watches it.
#[derive(Clone, Debug, Default)]
pub struct Deeds {
    counts: Arc<[AtomicU64; 2]>,
}

impl Deeds {
    /// Commands that were carried out.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.counts[0].load(Ordering::Relaxed)
    }

    /// Commands that were refused.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.counts[1].load(Ordering::Relaxed)
    }
}

/// What came of a step.
enum Step {
    /// Done: it shows from this line on.
    Shows(u64),
    /// Refused: look again soon.
    Again,
    /// There is nothing to do until something changes.
    Nothing,
    /// The same for so long, unless something changes.
    NotBefore(Duration),
    /// Nothing at all for so long.
    Rest(Duration),
    /// The server stops.
    Over,
}

/// How long a robot waits after a refusal for the view to change.
const A_MOMENT: Duration = Duration::from_millis(50);

/// Waits as a step says; whether to go on.
async fn after(step: Step, watch: &mut watch::Receiver<Arc<Published>>) -> bool {
    let changed = |watch: &mut watch::Receiver<Arc<Published>>, most: Duration| {
        let mut watch = watch.clone();
        async move { tokio::time::timeout(most, watch.changed()).await.is_ok_and(|changed| changed.is_err()) }
    };
    match step {
        Step::Shows(sequence) => watch.wait_for(|shown| shown.sequence >= sequence).await.is_ok(),
        Step::Nothing => watch.changed().await.is_ok(),
        Step::Again => !changed(watch, A_MOMENT).await,
        Step::NotBefore(most) => !changed(watch, most).await,
        Step::Rest(how_long) => {
            tokio::time::sleep(how_long).await;
            true
        }
        Step::Over => false,
    }
}

/// Gives a command for a robot, which answers the moment of the view that it follows from.
async fn give(table: &TableHandle, deeds: &Deeds, answers: Moment, actor: Actor, action: Action) -> Step {
    let tried = {
        let said = Said { answers: Some(answers), via: None };
        table.carry_out(None, actor, action.clone(), said).await
    };
    match tried {
        Ok(receipt) => {
            deeds.counts[0].fetch_add(1, Ordering::Relaxed);
            Step::Shows(receipt.sequence)
        }
        Err(Refused::Stopping | Refused::Journal(_) | Refused::Unknown) => Step::Over,
        // Its view was older than it could know; that says nothing of what views offer.
        Err(Refused::Over(_)) => Step::Again,
        Err(refused) => {
            deeds.counts[1].fetch_add(1, Ordering::Relaxed);
            metrics::counter!("croupier_bot_commands_refused_total").increment(1);
            tracing::debug!(table = %table.id, %refused, ?action, "a robot was refused");
            Step::Again
        }
    }
}

#[cfg(test)]
mod tests {
    use croupier_ledger::TableId;

    use super::*;

    #[test]
    fn robots_have_ids_and_names_of_their_own() {
        assert_ne!(player(TableId(1), 0), player(TableId(1), 1));
        assert_ne!(player(TableId(1), 15), player(TableId(2), 0));
        assert_eq!(nickname(PlayerId(7)), None);
        assert_eq!(nickname(player(TableId(3), 1)), Some("Robot Bao"));
    }

    #[test]
    fn the_lowest_rank_deals_and_the_highest_rules() {
        for rulebook in croupier_rules::Library::standard().rulebooks() {
            let (dealer, pit) = staff(rulebook);
            assert!(rulebook.level(dealer.rank.0) < rulebook.level(pit.rank.0), "{}", rulebook.id);
            assert_ne!(dealer.person, pit.person);
        }
    }
}
