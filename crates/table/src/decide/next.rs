//! What comes next at a table, in words: for whoever is told that something is not done now.

use super::shoe;
use crate::phase::Phase;
use crate::refusal::Why;
use crate::table::{Round, Stage, Table};

/// That something is not done now, and what the table waits for.
pub(super) fn not_now(table: &Table) -> Why {
    Why::NotNow { phase: table.phase(), instead: step(table) }
}

/// What the table waits for. It follows from what people see.
fn step(table: &Table) -> &'static str {
    match table.stage {
        Stage::Shoe => "make the shoe ready",
        Stage::Ready if table.next.free => "deal the Free Hand",
        Stage::Ready => "open betting",
        Stage::Betting { .. } => "close betting",
        Stage::Playing => in_round(table),
        Stage::ShoeOption => "close the choice of the shoe",
        Stage::ShoeEnd => "load a new shoe",
        Stage::Closed => "open the table",
    }
}

fn in_round(table: &Table) -> &'static str {
    match table.phase() {
        Phase::BetsClosed if table.setup.in_packets() => "deal the packets",
        Phase::BetsClosed | Phase::InitialDeal => "deal the first four cards",
        Phase::InsuranceOne | Phase::InsuranceTwo => "close insurance",
        Phase::PlayerThird => "deal the Player's third card",
        Phase::BankerThird if is_closed(&table.round) => "open the closed cards",
        Phase::BankerThird | Phase::BankerShownFirst => "deal the Banker's third card",
        Phase::InitialReveal | Phase::PlayerThirdReveal => "open the closed cards",
        Phase::Dealing => "deal the other packets",
        Phase::CountCheck => "count the hands",
        Phase::Arranging => "set the hands",
        Phase::Verify => "open the Dealer's hand",
        Phase::Result => "settle the round",
        Phase::OnHold | Phase::OptionWindow | Phase::Sorting => "decide what is on hold",
        Phase::ShoeLoaded
        | Phase::Ready
        | Phase::BetsOpen
        | Phase::Reopened
        | Phase::DifferentialHold
        | Phase::FreeHand
        | Phase::ShoeOption
        | Phase::ShoeDecision
        | Phase::ShoeEnd
        | Phase::TableClosed => "finish the round",
    }
}

fn is_closed(round: &Round) -> bool {
    round.draws.iter().any(|dealt| !dealt.exposed)
}

/// What has to come before new cards are made ready: a shoe in play is played to its end.
pub(super) fn new_shoe(table: &Table) -> &'static str {
    match table.stage {
        Stage::Betting { .. } | Stage::Playing => "finish the round",
        Stage::Shoe | Stage::Ready | Stage::ShoeOption if shoe::may_go(table) => "replace the shoe",
        Stage::Shoe | Stage::Ready | Stage::ShoeOption => "play the shoe to its end",
        Stage::ShoeEnd | Stage::Closed => "load a new shoe",
    }
}
