//! Bars and restrictions of a player end: by themselves with the round or when the player leaves, or because
//! whoever may set them lifts them.

use croupier_rules::baccarat::Side;

use super::{Draft, present, squeeze};
use crate::actor::PlayerId;
use crate::command::Bar;
use crate::event::Fact;
use crate::refusal::{Refusal, Why};
use crate::table::{Player, Stage, Table, place};

/// Whether a player is under a bar now.
pub(crate) fn is_under(table: &Table, player: PlayerId, bar: Bar) -> bool {
    let known = |is: fn(&Player) -> bool| table.player(player).is_some_and(is);
    match bar {
        Bar::Squeezing => {
            matches!(table.stage, Stage::Betting { .. } | Stage::Playing)
                && table.round.forbidden.contains(&player)
        }
        Bar::SeveralBoxes => known(|player| player.one_box_from.is_some()),
        Bar::Handling => known(|player| player.barred),
    }
}

pub(super) fn lift(draft: &mut Draft<'_>, player: PlayerId, bar: Bar) -> Result<(), Refusal> {
    let table = draft.base();
    let cites = draft.granted.clone();
    present(table, player)?;
    if !is_under(table, player, bar) {
        return Err(Refusal::new(Why::NotBarred, &cites));
    }
    draft.emit(Fact::Lifted { player, bar }, &cites);
    if bar == Bar::Squeezing {
        give_back(draft, player);
    }
    Ok(())
}

/// Who had asked in time has the cards of a hand that nobody has and that is still closed.
fn give_back(draft: &mut Draft<'_>, player: PlayerId) {
    for side in [Side::Player, Side::Banker] {
        let table = draft.now();
        let open = table.round.squeezers[place(side)].is_none() && squeeze::has_closed_cards(table, side);
        if open && squeeze::is_entitled(table, player, side) {
            draft.emit_by(Fact::SqueezerNamed { player: Some(player), side }, &[squeeze::RIGHT]);
        }
    }
}
