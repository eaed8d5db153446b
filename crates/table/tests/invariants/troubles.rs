//! What goes wrong, and how it is put right.

use croupier_rules::baccarat::Side;
use croupier_rules::{Family, Irregularity, Power};
use croupier_table::{Action, Actor, PersonId, PlayerId, Report, RulingMade, Staff};

use super::any::{SIDES, any_card, any_report, anybody, member};
use super::floor::Floor;

/// Something goes wrong, or is said to.
pub(crate) fn trouble(floor: &mut Floor) -> (Actor, Action) {
    if floor.table.setup.family() == Family::NiuNiu {
        return match floor.random.below(6) {
            0 => (Actor::Device, Action::ShoeEmpty),
            1 => {
                let player = floor.somebody();
                (floor.staff(), Action::ReportHandling { player })
            }
            _ => reported(floor),
        };
    }
    let draws = floor.table.round.draws.len();
    match floor.random.below(16) {
        0 | 1 => {
            // A card lies on the wrong hand, or where none is due.
            let card = floor.top(1)[0];
            let laid = Some(floor.random.pick(&SIDES));
            let exposed = floor.random.chance(50);
            (floor.drawer(), Action::Draw { card: Some(card), laid, exposed })
        }
        2 => {
            let card = floor.top(1)[0];
            (floor.drawer(), Action::Draw { card: Some(card), laid: None, exposed: floor.random.chance(50) })
        }
        3 => (floor.drawer(), Action::Draw { card: None, laid: None, exposed: false }),
        4 | 5 => {
            let count = 2 + floor.random.below(3);
            let cards = floor.top(count);
            let order_known = floor.random.chance(50);
            (floor.drawer(), Action::DrawTogether { cards, order_known })
        }
        6 if draws > 0 => {
            let at = floor.random.below(draws);
            floor.correct(at)
        }
        7 => (Actor::Device, Action::CutCardOut),
        8 => (floor.with_power(Power::LateInsurance), Action::PermitInsurance),
        9 if floor.random.chance(20) => (Actor::Device, Action::ShoeEmpty),
        10 => {
            // A card that cannot be there: one of which every copy is out.
            let unread = &floor.table.shoe.unread;
            let foreign = unread.counts().find(|(_, count)| *count == 0).map(|(card, _)| card);
            let card = foreign.unwrap_or_else(|| any_card(&mut floor.random));
            (floor.drawer(), Action::Draw { card: Some(card), laid: None, exposed: false })
        }
        11 if floor.table.deals_face_down() && draws > 0 => {
            (floor.staff(), Action::Report(Report::WrongDelivery))
        }
        12 if floor.unread && draws >= 4 => {
            let side = floor.random.pick(&SIDES);
            (floor.staff(), Action::Report(Report::CarriedOff { side }))
        }
        _ => reported(floor),
    }
}

fn reported(floor: &mut Floor) -> (Actor, Action) {
    let report = match any_report(&mut floor.random) {
        // Who is absent is one who should be there.
        Report::Absent { player } => {
            let squeezer = floor.table.round.squeezers.iter().copied().flatten().next();
            Report::Absent { player: squeezer.unwrap_or(player) }
        }
        Report::Damaged { .. } => Report::Damaged { player: floor.somebody() },
        Report::CarriedOff { .. } if floor.table.setup.family() == Family::NiuNiu => {
            Report::BoxCarriedOff { box_number: floor.random.small(1, floor.table.setup.seats) }
        }
        // Rounds end too seldom if everything is void.
        Report::ForeignCard | Report::Unshuffled if floor.random.chance(60) => Report::FaceUp,
        report => report,
    };
    let actor = match floor.random.below(10) {
        0 => Actor::Device,
        1 => Actor::Staff(member(1)),
        2 => anybody(&mut floor.random, &floor.table),
        _ => floor.staff(),
    };
    (actor, Action::Report(report))
}

/// Somebody rules, mostly of the rank that may.
pub(crate) fn rule(floor: &mut Floor) -> (Actor, Action) {
    if floor.table.round.surplus.iter().any(|surplus| surplus.on.is_none()) {
        let report = Report::SurplusOn { side: floor.random.pick(&SIDES), exposed: floor.random.chance(50) };
        return (floor.staff(), Action::Report(report));
    }
    if floor.random.chance(10) {
        return (floor.with_power(Power::RetractReport), Action::Retract);
    }
    if floor.table.hold.as_ref().is_some_and(|hold| hold.pending.is_some()) {
        let ranks = u8::try_from(floor.table.rulebook().ranks.len()).unwrap();
        let rank = floor.random.small(0, ranks - 1);
        // Whoever found it may be of the highest rank: there is another one of each.
        let another = Staff { person: PersonId(200 + u32::from(rank)), ..member(rank) };
        return (Actor::Staff(another), Action::Confirm);
    }
    let Some(hold) = floor.table.hold.clone() else { return (floor.staff(), Action::Settle) };
    let referred =
        hold.irregularity == Irregularity::SurplusOnBankerUnseen && floor.table.setup.refers_unseen_surplus;
    let irregularity = if referred { Irregularity::Other } else { hold.irregularity };
    let rulings = floor.table.rulebook().irregularity(irregularity).map(|rule| rule.rulings.clone());
    let rulings = rulings.unwrap_or_default();
    if rulings.is_empty() {
        return (floor.with_power(Power::RetractReport), Action::Retract);
    }
    let ruling = floor.random.pick(&rulings);
    let mut order = floor.table.round.together.clone();
    floor.random.shuffle(&mut order);
    let side = hold.about.side;
    let on_side = |side: Option<Side>| -> Vec<PlayerId> {
        let wagers = floor.table.round.wagers.iter();
        wagers.filter(|laid| floor.table.main_side(laid.bet) == side).map(|laid| laid.player).collect()
    };
    let bettors = on_side(side);
    let player = if bettors.is_empty() { None } else { Some(floor.random.pick(&bettors)) };
    let made = RulingMade {
        remedy: ruling.remedy,
        with_withdrawal: ruling.withdrawal.is_some(),
        order: if floor.is_held_by(Irregularity::TogetherOrderKnown) { Vec::new() } else { order },
        player,
        only: Vec::new(),
        reason: String::new(),
    };
    let residual = floor.table.setup.residual.map(|rank| rank.0);
    let needed = ruling.needs.and_then(|needs| floor.table.rulebook().needed_rank(needs, residual));
    let highest = u8::try_from(floor.table.rulebook().ranks.len()).unwrap() - 1;
    let actor = match floor.random.below(10) {
        0 => anybody(&mut floor.random, &floor.table),
        1 => Actor::System,
        2 => Actor::Staff(member(needed.unwrap_or(0))),
        _ => Actor::Staff(member(highest)),
    };
    (actor, Action::Rule(made))
}
