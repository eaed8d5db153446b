//! Who may do what, looked up a second time for every command that was accepted: no rank too low has changed
//! anything, and nobody has done what is somebody else's.

use croupier_rules::irregularity::ShoeFate;
use croupier_rules::{Irregularity, Power, Remedy};
use croupier_table::command::Bar;
use croupier_table::setup::WhenAbsent;
use croupier_table::{Action, Actor, Command, PlayerId, Report, Staff, Table};

/// A command that was accepted at this table.
pub(crate) fn check(table: &Table, command: &Command) {
    let actor = command.actor;
    if let Some(power) = power(&command.action) {
        let rule = table.rulebook().power(power);
        let rule = rule.unwrap_or_else(|| panic!("{power} belongs to nobody, and {actor:?} has used it"));
        let residual = table.setup.residual.map(|rank| rank.0);
        let needed = table.rulebook().needed_rank(rule.needs, residual).unwrap();
        let nobody = || !table.staff.iter().any(|staff| has_rank(table, Actor::Staff(*staff), needed));
        // An automatic table replaces its cards itself when nobody on duty may.
        let automatic = actor == Actor::System && table.setup.when_absent != WhenAbsent::Wait;
        let replaces = power == Power::ReplaceShoe;
        let ruled = replaces && actor == Actor::System && table.shoe.fate == ShoeFate::Replace;
        let unattended = ruled || replaces && automatic && nobody();
        // Whoever found what is pending may have been mistaken.
        let pending = table.hold.as_ref().and_then(|hold| hold.pending);
        let own = matches!((pending, actor), (Some(Actor::Staff(by)), Actor::Staff(staff)) if by.person == staff.person);
        let mistaken = power == Power::RetractReport && own;
        assert!(has_rank(table, actor, needed) || unattended || mistaken, "{actor:?} has no {power}");
    }
    if let Action::Rule(made) = &command.action {
        check_ruling(table, actor, made.remedy, made.with_withdrawal);
    }
    match actor {
        Actor::Staff(_) => assert!(
            !matches!(command.action, Action::PassHand { .. } | Action::DealPacket { .. })
                || matches!(command.action, Action::DealPacket { .. }) && table.shoe.commitment.is_none(),
            "{actor:?} did {:?}",
            command.action
        ),
        // The Dealer of an automatic table does nothing in a player's name.
        Actor::System => assert!(
            !matches!(
                command.action,
                Action::Place(_)
                    | Action::TakeBack { .. }
                    | Action::Insure { .. }
                    | Action::Answer { .. }
                    | Action::ChooseShoe { .. }
                    | Action::AskSqueeze { .. }
                    | Action::RefuseSqueeze { .. }
                    | Action::TakeDevice { .. }
                    | Action::PassHand { .. }
                    | Action::HandleCards { .. }
                    | Action::Tip { .. }
                    | Action::AcceptNotice { .. }
                    | Action::Confirm
                    | Action::Correct { .. }
                    | Action::HoldTwo(_)
                    | Action::Sorted { .. }
                    | Action::ReportHandling { .. }
            ) && !matches!(
                &command.action,
                Action::Report(report) if !matches!(report, Report::SurplusOn { .. } | Report::PowerFailure)
            ),
            "the software did {:?}",
            command.action
        ),
        Actor::Player(player) => check_player(table, player, &command.action),
        Actor::Device => assert!(
            matches!(
                command.action,
                Action::RecordShuffle
                    | Action::CutCardOut
                    | Action::CountShoe { .. }
                    | Action::ShoeEmpty
                    | Action::Draw { .. }
                    | Action::DrawTogether { .. }
                    | Action::DealPacket { .. }
                    | Action::Display(_)
                    | Action::Report(_)
            ),
            "the device did {:?}",
            command.action
        ),
        Actor::Surveillance => panic!("Surveillance did {:?}", command.action),
        Actor::Display => {
            assert!(matches!(command.action, Action::Display(_)), "a display did {:?}", command.action);
        }
    }
}

/// The rank held; where the rulebook grants it or the house has switched it on, the rank acted in.
fn level(table: &Table, staff: Staff) -> u8 {
    let level = |rank: croupier_table::Rank| table.rulebook().ranks[usize::from(rank.0)].level;
    let acting =
        staff.acting.filter(|_| table.rulebook().id == "mbs-dragon-tiger" || table.setup.acting_ranks);
    level(acting.unwrap_or(staff.rank))
}

fn has_rank(table: &Table, actor: Actor, needed: u8) -> bool {
    match actor {
        Actor::Staff(staff) => level(table, staff) >= table.rulebook().ranks[usize::from(needed)].level,
        Actor::Player(_) | Actor::Device | Actor::System | Actor::Surveillance | Actor::Display => false,
    }
}

/// The power that an action asks for.
pub(crate) fn power(action: &Action) -> Option<Power> {
    Some(match action {
        Action::Fill { .. }
        | Action::Credit { .. }
        | Action::CountDrop { .. }
        | Action::PayTips
        | Action::CloseTable { .. } => Power::Treasury,
        Action::ReplaceShoe { .. } => Power::ReplaceShoe,
        Action::RemoveWager { .. } => Power::RemoveWager,
        Action::LimitAreas(_) => Power::LowerAreaLimit,
        Action::OpenFirst(_) => Power::RevealOrder,
        Action::ChooseMethod(croupier_table::setup::Method::C) => Power::ChooseMethodC,
        Action::ChooseMethod(_) => Power::ChooseMethod,
        Action::ForbidSqueeze { .. } => Power::ForbidSqueeze,
        Action::AllowSqueeze { .. } => Power::AllowSqueeze,
        Action::PermitDrawing { .. } => Power::DrawWithoutWager,
        Action::PermitInsurance => Power::LateInsurance,
        Action::SwitchInsurance { .. } => Power::StopInsurance,
        Action::ShowBankerFirst { .. } => Power::BankerFirst,
        Action::Retract => Power::RetractReport,
        Action::RestrictBoxes { .. } | Action::Lift { bar: Bar::SeveralBoxes, .. } => Power::RestrictBoxes,
        Action::Lift { bar: Bar::Squeezing, .. } => Power::ForbidSqueeze,
        Action::Lift { bar: Bar::Handling, .. } => Power::StopHandling,
        Action::PostCorrection { .. } => Power::DecideDispute,
        _ => return None,
    })
}

/// A ruling of the rulebook by a rank that may make it; or of the software where nobody on duty may.
fn check_ruling(table: &Table, actor: Actor, remedy: Remedy, with_withdrawal: bool) {
    let irregularity = table.hold.as_ref().unwrap().irregularity;
    let referred = irregularity == Irregularity::SurplusOnBankerUnseen && table.setup.refers_unseen_surplus;
    let irregularity = if referred { Irregularity::Other } else { irregularity };
    let rule = table.rulebook().irregularity(irregularity).unwrap();
    let residual = table.setup.residual.map(|rank| rank.0);
    let allows = |actor: Actor, needs: Option<croupier_rules::Needs>| match needs {
        None => match actor {
            Actor::Staff(_) => true,
            // The software rules where it deals, or where the house has set that it does.
            Actor::System => table.shoe.commitment.is_some() || table.setup.when_absent != WhenAbsent::Wait,
            _ => false,
        },
        Some(needs) => has_rank(table, actor, table.rulebook().needed_rank(needs, residual).unwrap()),
    };
    let here = |ruling: &&croupier_rules::Ruling| !ruling.high_limit_only || table.setup.high_limit_area;
    // A choice that is everybody's is part of the ruling, said or not.
    let chosen = |ruling: &croupier_rules::Ruling| {
        let everybody = |option: &croupier_rules::irregularity::Withdrawal| {
            option.choosers == croupier_rules::irregularity::Choosers::Everybody
        };
        ruling.withdrawal.is_some() == with_withdrawal || ruling.withdrawal.as_ref().is_some_and(everybody)
    };
    let mut fitting =
        rule.rulings.iter().filter(here).filter(|ruling| ruling.remedy == remedy && chosen(ruling));
    let by_rank = fitting.clone().any(|ruling| allows(actor, ruling.needs));
    let nobody = |needs| !table.staff.iter().any(|staff| allows(Actor::Staff(*staff), needs));
    let stands_in = actor == Actor::System
        && match table.setup.when_absent {
            WhenAbsent::Wait => false,
            WhenAbsent::FirstRuling => fitting.any(|ruling| nobody(ruling.needs)),
            WhenAbsent::Void => {
                remedy == Remedy::Void && rule.rulings.iter().filter(here).any(|ruling| nobody(ruling.needs))
            }
        };
    assert!(by_rank || stands_in, "{actor:?} ruled {remedy} on {irregularity}");
}

/// Players act for themselves, and only in what is theirs.
fn check_player(table: &Table, player: PlayerId, action: &Action) {
    let who = match action {
        Action::Sit { player, .. }
        | Action::Stand { player, .. }
        | Action::BuyIn { player, cash: false, .. }
        | Action::Leave { player }
        | Action::Tip { player, .. }
        | Action::AcceptNotice { player }
        | Action::TakeBack { player, .. }
        | Action::AskSqueeze { player }
        | Action::RefuseSqueeze { player, .. }
        | Action::TakeDevice { player }
        | Action::Insure { player, .. }
        | Action::Answer { player, .. }
        | Action::ChooseShoe { player, .. }
        | Action::HandleCards { player, .. } => Some(*player),
        Action::Place(place) => Some(place.player),
        Action::CutCards { .. } => Some(player),
        Action::GiveUpDevice
        | Action::PassHand { .. }
        | Action::Draw { .. }
        | Action::DrawTogether { .. } => table.device,
        Action::Reveal { side, .. } => {
            table.round.squeezers[usize::from(*side == croupier_rules::baccarat::Side::Banker)]
        }
        Action::SetHand { holder, .. } => table
            .players
            .iter()
            .find(|known| known.seat.map(croupier_table::command::Holder::Box) == Some(*holder))
            .map(|known| known.id),
        _ => panic!("a player did {action:?}"),
    };
    assert_eq!(who, Some(player), "{action:?}");
}
