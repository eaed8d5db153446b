//! How a table stands between two rounds, as the lines that bring another table there.

use croupier_cards::{Card, Composition, Decks};
use croupier_rules::baccarat::Side;
use croupier_rules::irregularity::ShoeFate;
use croupier_table::event::Mark;
use croupier_table::{Phase, Table};

use super::Line;
use super::people::People;
use super::words::{list, loads};
use crate::file::{Action, Place};

/// Nothing for a table that was just opened.
pub(super) fn lines<'a>(before: &Table, people: &mut People<'_>) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    let rulebook = before.rulebook();
    for staff in &before.staff {
        lines.push(Line::deed(&people.staff(rulebook, *staff), "signs on"));
    }
    if before.setup.insurance && !before.insurance_on {
        lines.push(Line::earlier("insurance off"));
    }
    players(&mut lines, before, people);
    let house = [("float", before.float), ("drop", before.drop), ("tips", before.tips)];
    for (what, amount) in house.into_iter().filter(|(_, amount)| amount.is_positive()) {
        lines.push(Line::earlier(&format!("{what} {}", people.decimals.show(amount))));
    }
    shoe(&mut lines, before);
    remembered(&mut lines, before, people);
    if let Some(method) = before.method.filter(|_| before.method != before.setup.method) {
        lines.push(Line::earlier(&format!("method {}", method.key())));
    }
    if let Some(most) = before.area_limit.filter(|_| before.area_limit != before.setup.wagers_per_area) {
        lines.push(Line::earlier(&format!("areas limited to {most}")));
    }
    for (player, what) in [(before.may_draw, "permitted to draw"), (before.device, "with the device")] {
        if let Some(player) = player {
            lines.push(Line::earlier(&format!("{} {what}", people.player(rulebook, player))));
        }
    }
    match before.phase() {
        Phase::ShoeEnd => lines.push(Line::earlier("shoe ended")),
        Phase::ShoeLoaded | Phase::Ready | Phase::FreeHand | Phase::ShoeDecision => {}
        other => lines.push(Line::remark(format!(
            "The extract begins at `{other}`, in the middle of a round: what came before is left out."
        ))),
    }
    lines
}

fn players(lines: &mut Vec<Line<'_>>, before: &Table, people: &mut People<'_>) {
    for player in &before.players {
        let name = people.player(before.rulebook(), player.id);
        let place = match (player.seat, player.behind) {
            (Some(seat), _) => Place::Seat(seat),
            (None, Some(seat)) => Place::Behind(seat),
            (None, None) => Place::Standing,
        };
        lines.push(Line::of(Action::Player { name: name.clone(), place }));
        if player.chips.is_positive() {
            lines.push(Line::earlier(&format!("{name} has {}", people.decimals.show(player.chips))));
        }
    }
}

/// What is remembered of players: after the shoe is loaded, which ends some of it.
fn remembered(lines: &mut Vec<Line<'_>>, before: &Table, people: &mut People<'_>) {
    for player in &before.players {
        let name = people.player(before.rulebook(), player.id);
        if player.owes.is_positive() {
            lines.push(Line::earlier(&format!("{name} owes {}", people.decimals.show(player.owes))));
        }
        let told = [
            (before.setup.insurance && !before.insurance_on && player.accepted_notice, "accepted the notice"),
            (player.warned, "below the minimum"),
            (player.barred, "barred from the cards"),
            (player.has_one_box(before.round.number + 1), "restricted to one box"),
        ];
        for (_, what) in told.into_iter().filter(|(is_so, _)| *is_so) {
            lines.push(Line::earlier(&format!("{name} {what}")));
        }
    }
}

fn shoe(lines: &mut Vec<Line<'_>>, before: &Table) {
    let shoe = &before.shoe;
    if shoe.number == 0 {
        return;
    }
    lines.push(Line::deed("dealer", &loads(shoe.set, shoe.commitment)));
    if shoe.is_shuffled {
        lines.push(Line::deed("dealer", "shuffles"));
    }
    if shoe.is_cut {
        lines.push(Line::deed("dealer", "cuts"));
    }
    let gone = gone(before);
    let burn = if shoe.is_burned { u16::from(before.setup.burn) } else { 0 };
    // Cards that left the device and were never read: burned or dealt face down.
    let unread = i32::from(shoe.unread.len()) - i32::from(shoe.left) - i32::from(burn);
    // Fewer than burned: some of the burned cards were read.
    let shown = usize::try_from(-unread).unwrap_or(0).min(usize::from(burn)).min(gone.len());
    let (shown, gone) = gone.split_at(shown);
    if burn > 0 && shown.is_empty() {
        lines.push(Line::deed("dealer", &format!("burns {burn}")));
    } else if burn > 0 {
        lines.push(Line::deed("dealer", &format!("burns {burn} showing {}", list(shown))));
    }
    if shoe.rounds > 0 {
        let marks: Vec<String> = before.board.marks.iter().map(|mark| letter(*mark)).collect();
        lines.push(Line::earlier(&format!("board {}", marks.join(" "))));
    }
    for some in gone.chunks(26) {
        lines.push(Line::earlier(&format!("cards {}", list(some))));
    }
    let mut unread = u16::try_from(unread).unwrap_or(0);
    while unread > 0 {
        let some = unread.min(u16::from(u8::MAX));
        lines.push(Line::earlier(&format!("unread {some}")));
        unread -= some;
    }
    for surplus in &before.next.carried {
        let on = match surplus.on {
            Some(Side::Player) => " on player",
            Some(Side::Banker) => " on banker",
            None => "",
        };
        let exposed = if surplus.exposed { " exposed" } else { "" };
        let card = surplus.card.map_or("unread".to_string(), |card| card.to_string());
        lines.push(Line::earlier(&format!("carried {card}{on}{exposed}")));
    }
    if shoe.rounds_left == Some(1) && !shoe.cut_card_out {
        lines.push(Line::earlier("last hand announced"));
    } else if let Some(left) = shoe.rounds_left {
        lines.push(Line::earlier(&format!("cut card out {left}")));
    }
    if shoe.unburned_known {
        lines.push(Line::earlier("burn forgotten"));
    }
    if shoe.played_out {
        lines.push(Line::earlier("shoe played out"));
    }
    if before.next.free {
        lines.push(Line::earlier("free hand due"));
    }
    match shoe.fate {
        ShoeFate::Keep => {}
        ShoeFate::MayReplace => lines.push(Line::earlier("cards replaceable")),
        ShoeFate::Replace => lines.push(Line::earlier("cards condemned")),
    }
}

/// The cards that were read and are no longer in the shoe, but for those that open the next round.
fn gone(before: &Table) -> Vec<Card> {
    // A deck that is for one round is changed before the next.
    if before.deck_due() {
        return Vec::new();
    }
    let all = Decks::new(before.setup.decks).map_or(Composition::EMPTY, Composition::of_decks);
    let mut carried: Vec<Card> = before.next.carried.iter().filter_map(|stray| stray.card).collect();
    let mut gone = Vec::new();
    for (card, count) in all.counts() {
        for _ in before.shoe.unread.count(card)..count {
            match carried.iter().position(|known| *known == card) {
                Some(at) => drop(carried.remove(at)),
                None => gone.push(card),
            }
        }
    }
    gone
}

/// How a round is shown on the board.
fn letter(mark: Mark) -> String {
    match mark {
        Mark::Result(outcome) => outcome.winner().letter().to_string(),
        Mark::Free(outcome) => outcome.winner().letter().to_ascii_lowercase().to_string(),
        Mark::Void => "V".to_string(),
        Mark::Played => "N".to_string(),
    }
}
