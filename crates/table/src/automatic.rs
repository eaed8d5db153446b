//! The Dealer of an automatic table: what comes next, so that play never stalls.
//!
//! Cards and clocks come from outside: a step may ask for the next card of the shoe, or say how long players
//! have before something happens without them.

use croupier_rules::irregularity::{Ruling, ShoeFate};
use croupier_rules::{Family, Remedy};

use crate::command::{Action, Holder, RulingMade};
use crate::decide::hands::may_touch;
use crate::decide::{allowed_rulings, boxes_in_play, squeeze_order};
use crate::phase::Phase;
use crate::setup::WhenAbsent;
use crate::table::{Hold, Table};
use crate::view::seat::somebody_may_insure;

/// What an automatic table does next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Give this command at once.
    Do(Action),
    /// Draw the next card of the shoe; if there is none, say that it is empty.
    Draw,
    /// Deal five cards of the deck to a box or to the Dealer.
    Deal(Holder),
    /// Give the players this long, then give the command.
    Wait {
        /// How long.
        seconds: u32,
        /// What then.
        then: Action,
    },
    /// A ruling needs somebody who is not on duty, and the table is set to wait; or the table is closed.
    Stand,
}

/// What comes next at a table without a Dealer.
#[must_use]
pub fn next_step(table: &Table) -> Step {
    let setup = &table.setup;
    let wait = |seconds: u32, then: Action| Step::Wait { seconds, then };
    match table.phase() {
        Phase::TableClosed => Step::Stand,
        Phase::OnHold => on_hold(table),
        Phase::OptionWindow => wait(setup.option_seconds, Action::CloseWindow),
        Phase::Sorting => Step::Stand,
        Phase::ShoeLoaded => Step::Do(prepare(table)),
        Phase::ShoeEnd | Phase::Ready | Phase::FreeHand | Phase::ShoeDecision
            if table.shoe.fate == ShoeFate::Replace =>
        {
            Step::Do(Action::ReplaceShoe { commitment: None })
        }
        Phase::ShoeEnd => Step::Do(Action::LoadShoe { set: None, commitment: None }),
        Phase::Ready if table.deck_due() => Step::Do(Action::LoadShoe { set: None, commitment: None }),
        Phase::Ready | Phase::ShoeDecision => Step::Do(Action::OpenBets),
        Phase::FreeHand => Step::Do(Action::DealFreeHand),
        Phase::ShoeOption => wait(setup.option_seconds, Action::CloseShoeChoice),
        Phase::BetsOpen | Phase::Reopened | Phase::DifferentialHold => {
            // Cards that were condemned while wagers lay are replaced first.
            match unprepared(table) {
                Some(action) => Step::Do(action),
                None => wait(setup.betting_seconds, Action::CloseBets),
            }
        }
        Phase::BetsClosed | Phase::InitialDeal | Phase::PlayerThird | Phase::Dealing => deal(table),
        Phase::BankerThird | Phase::BankerShownFirst | Phase::InitialReveal | Phase::PlayerThirdReveal => {
            match closed_hand(table) {
                Some((side, true)) => wait(setup.option_seconds, Action::Reveal { side, told: Vec::new() }),
                Some((side, false)) => Step::Do(Action::Reveal { side, told: Vec::new() }),
                None => Step::Draw,
            }
        }
        Phase::InsuranceOne | Phase::InsuranceTwo => match table.round.window {
            // Nobody waits for those who cannot insure, or have nothing left to cover.
            Some(window) if window.offered && !somebody_may_insure(table) => Step::Do(Action::CloseInsurance),
            Some(window) if window.offered => wait(setup.insurance_seconds, Action::CloseInsurance),
            Some(_) | None => Step::Do(Action::OfferInsurance),
        },
        Phase::CountCheck => Step::Do(Action::CheckCount),
        Phase::Arranging => arrange(table),
        Phase::Verify => Step::Do(Action::OpenDealer),
        Phase::Result => Step::Do(Action::Settle),
    }
}

/// What is missing before the shoe can be played from.
fn prepare(table: &Table) -> Action {
    unprepared(table).unwrap_or(Action::Burn { count: table.setup.burn, cards: Vec::new() })
}

fn unprepared(table: &Table) -> Option<Action> {
    let shoe = &table.shoe;
    if shoe.fate == ShoeFate::Replace {
        Some(Action::ReplaceShoe { commitment: None })
    } else if shoe.number == 0 {
        Some(Action::LoadShoe { set: None, commitment: None })
    } else if !shoe.is_shuffled {
        Some(Action::RecordShuffle)
    } else if table.setup.cut_card.is_some() && !shoe.is_cut {
        Some(Action::CutCards { above: None })
    } else if table.setup.burn > 0 && !shoe.is_burned && !shoe.unburned_known && shoe.rounds == 0 {
        Some(Action::Burn { count: table.setup.burn, cards: Vec::new() })
    } else {
        None
    }
}

/// The next card, or packet.
fn deal(table: &Table) -> Step {
    if table.round.draws.is_empty()
        && table.round.boxes.hands.is_empty()
        && let Some(action) = unprepared(table)
    {
        return Step::Do(action);
    }
    match table.setup.family() {
        Family::Baccarat => Step::Draw,
        Family::NiuNiu => deal_packet(table),
    }
}

/// The next packet, or the count once all are out.
fn deal_packet(table: &Table) -> Step {
    let boxes = boxes_in_play(table).into_iter().map(Holder::Box);
    let waiting = boxes.chain([Holder::Dealer]).find(|holder| table.round.boxes.hand(*holder).is_none());
    waiting.map_or(Step::Do(Action::CheckCount), Step::Deal)
}

/// The next closed hand, and whether a player has the right to it.
fn closed_hand(table: &Table) -> Option<(croupier_rules::baccarat::Side, bool)> {
    let round = &table.round;
    let side = round.next_to_open()?;
    Some((side, round.squeezers[crate::table::place(side)].is_some()))
}

/// Hands that no player arranges are set at once; those of the players have one time together, not one each.
fn arrange(table: &Table) -> Step {
    let unset = |own: bool| {
        table.round.boxes.hands.iter().find_map(|dealt| match (dealt.holder, dealt.set_as) {
            (Holder::Box(number), None) if is_arranged_by_player(table, number) == own => {
                Some(Action::SetHand { holder: dealt.holder, set_as: dealt.hand()?.category() })
            }
            (Holder::Box(_) | Holder::Dealer, _) => None,
        })
    };
    match (unset(false), unset(true)) {
        (Some(action), _) => Step::Do(action),
        (None, Some(then)) => Step::Wait { seconds: table.setup.option_seconds, then },
        (None, None) => Step::Do(Action::OpenDealer),
    }
}

/// Whether a player looks at and arranges the cards of a box.
fn is_arranged_by_player(table: &Table, number: u8) -> bool {
    table.players.iter().any(|player| may_touch(table, player) == Some(number))
}

/// The ruling that the table may make by itself.
fn on_hold(table: &Table) -> Step {
    let Some(hold) = &table.hold else { return Step::Stand };
    if let Some(surplus) = table.round.surplus.iter().find(|surplus| surplus.on.is_none()) {
        // A shoe dealt by software lays its cards itself.
        let report = crate::command::Report::SurplusOn {
            side: croupier_rules::baccarat::Side::Banker,
            exposed: surplus.exposed,
        };
        return Step::Do(Action::Report(report));
    }
    let rulings = allowed_rulings(table);
    let void = RulingMade::plain(Remedy::Void, false);
    match (rulings.first(), table.setup.when_absent) {
        (Some(first), _) if first.needs.is_none() => Step::Do(Action::Rule(made(table, hold, first))),
        (Some(first), WhenAbsent::FirstRuling) => Step::Do(Action::Rule(made(table, hold, first))),
        (_, WhenAbsent::Void) => Step::Do(Action::Rule(void)),
        (Some(_), WhenAbsent::Wait) | (None, WhenAbsent::Wait | WhenAbsent::FirstRuling) => Step::Stand,
    }
}

/// A ruling with what it must name: the order as the cards came, the first in turn.
fn made(table: &Table, hold: &Hold, ruling: &Ruling) -> RulingMade {
    let player = match (ruling.remedy, hold.about.side) {
        (Remedy::NameSqueezer, Some(side)) => squeeze_order(table, side).first().copied(),
        _ => None,
    };
    let order = if ruling.remedy == Remedy::FixOrder { table.round.together.clone() } else { Vec::new() };
    RulingMade { order, player, ..RulingMade::plain(ruling.remedy, ruling.withdrawal.is_some()) }
}
