//! What a command would lead to, before it is given: the wagers, the round, the next hand, the shoe, who decides.
//!
//! It asks [`decide`] on the table as it stands and reads the answer; there is no second model of any rule. Where a
//! finding waits for a second person, what follows after the confirmation is read from a copy in the same way, and so is
//! each ruling that somebody may make. Nothing of a card is told: who may not see a closed card learns nothing here.

use croupier_rules::authority::Needs;
use croupier_rules::clause::Basis;
use croupier_rules::irregularity::{Irregularity, Ruling, ShoeFate};
use croupier_rules::settle::End;
use croupier_rules::{Amount, Remedy};

use crate::actor::{Actor, PersonId, PlayerId, Rank, Staff};
use crate::apply::apply;
use crate::command::{Action, Command, Report, RulingMade};
use crate::decide::{allowed_rulings, decide, second};
use crate::event::{Event, Fact, Mark};
use crate::phase::Phase;
use crate::refusal::{Refusal, Why};
use crate::table::{Stage, Table};
use crate::view::RulingOffer;
use crate::view::desk;

/// What becomes of the round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = PreviewedRound))]
pub enum RoundFate {
    /// There is none in play.
    None,
    /// It goes on as it is.
    GoesOn,
    /// It goes on without wagers.
    Free,
    /// Its cards are discarded, and betting is open again.
    BettingAgain,
    /// Betting ends without a deal, and everything goes back.
    Abandoned,
    /// It is void, and everything goes back.
    Void,
    /// It is settled.
    Settled,
}

/// What becomes of a wager or an insurance.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = PreviewedWager))]
pub struct WagerFate {
    /// Whose.
    pub player: PlayerId,
    /// The place of the bet on the menu; nothing for an insurance.
    pub bet: Option<usize>,
    /// The area or box.
    pub area: Option<u8>,
    /// What lies there.
    pub stake: Amount,
    /// The Reserve beside it.
    pub reserve: Amount,
    /// How it ends.
    pub end: End,
    /// What goes back, the Reserve included.
    pub returned: Amount,
    /// What the house takes.
    pub collected: Amount,
    /// What the house pays on top.
    pub winnings: Amount,
    /// What it keeps of that as commission.
    pub commission: Amount,
    /// What it rests on.
    pub cites: Vec<Basis>,
}

/// What a command does at once.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = PreviewedEffects))]
pub struct Effects {
    /// The round it is about.
    pub round_number: u64,
    /// What becomes of it.
    pub round: RoundFate,
    /// The wagers that end, in the order they lie.
    pub wagers: Vec<WagerFate>,
    /// What goes back to the players without having won or lost.
    pub given_back: Amount,
    /// The irregularities that are put on record.
    pub irregularities: Vec<Irregularity>,
    /// The remedies that follow or are ordered.
    pub remedies: Vec<Remedy>,
    /// Who may withdraw before a ruling is carried out.
    pub may_withdraw: Vec<PlayerId>,
    /// What play is on hold for afterwards.
    pub holds: Option<Irregularity>,
    /// The next hand, or this one, becomes free of wagers.
    pub next_is_free: bool,
    /// What becomes of the shoe.
    pub shoe: ShoeFate,
    /// A report is taken back.
    pub takes_back: bool,
    /// What it all rests on, each clause once.
    pub cites: Vec<Basis>,
}

/// A ruling that somebody may make then.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = PreviewedRuling))]
pub struct RulingEffects {
    /// The ruling, with who may make it.
    pub offer: RulingOffer,
    /// What it does; nothing where it has to say more first, as an order of cards.
    pub effects: Option<Effects>,
}

/// What follows once a second person has confirmed a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = PreviewedConfirmation))]
pub struct Confirmed {
    /// The lowest rank of that person.
    pub needs: Rank,
    /// What then happens.
    pub effects: Effects,
}

/// What is open at a table on hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = PreviewedOpen))]
pub struct Open {
    /// A second person is to confirm what was found.
    pub confirmed: Option<Confirmed>,
    /// What may be ruled.
    pub rulings: Vec<RulingEffects>,
}

/// What a command would lead to. Nothing has happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Consequences {
    /// What happens at once, or why it cannot be.
    pub at_once: Result<Effects, Refusal>,
    /// What is open then.
    pub open: Open,
}

impl Open {
    /// What is open at a table as it stands.
    #[must_use]
    pub fn of(table: &Table, at: u64) -> Self {
        if table.hold.is_none() {
            return Self::default();
        }
        Self { confirmed: confirmed(table, at), rulings: rulings(table, at) }
    }
}

/// What a command would lead to at a table.
///
/// # Errors
/// What tells of cards that lie closed is not looked at beforehand: it would tell them.
pub fn preview(table: &Table, command: &Command) -> Result<Consequences, Refusal> {
    if !is_previewed(table, &command.action) {
        return Err(Why::NotPreviewed.into());
    }
    Ok(match follow(table, command) {
        Err(refusal) => Consequences { at_once: Err(refusal), open: Open::default() },
        Ok((effects, after)) => Consequences { at_once: Ok(effects), open: Open::of(&after, command.at) },
    })
}

/// Whether an action may be looked at beforehand: what is decided with people and money, and turns no card over.
#[must_use]
#[expect(clippy::wildcard_enum_match_arm, reason = "the list is what is meant")]
fn is_previewed(table: &Table, action: &Action) -> bool {
    match action {
        Action::Report(
            Report::OpenedBy { .. } | Report::DrawnBy { .. } | Report::Exposed { draw: Some(_) },
        ) => false,
        Action::Settle => table.phase() == Phase::Result,
        Action::Report(_)
        | Action::Rule(_)
        | Action::Confirm
        | Action::Retract
        | Action::RemoveWager { .. }
        | Action::CloseWindow => true,
        _ => false,
    }
}

/// The effects of a command, and the table after it.
fn follow(table: &Table, command: &Command) -> Result<(Effects, Table), Refusal> {
    let events = decide(table, command)?;
    let mut after = table.clone();
    for event in &events {
        apply(&mut after, event);
    }
    Ok((Effects::of(table, &events, &after), after))
}

/// What follows after somebody else of the rank has confirmed what was found.
fn confirmed(table: &Table, at: u64) -> Option<Confirmed> {
    let (found_by, needs) = second::pending(table)?;
    let person = match found_by {
        Actor::Staff(staff) => PersonId(u32::from(staff.person == PersonId(0))),
        Actor::Player(_) | Actor::Device | Actor::System | Actor::Surveillance | Actor::Display => {
            PersonId(0)
        }
    };
    let actor = Actor::Staff(Staff { person, rank: needs, acting: None });
    let (effects, _) = follow(table, &Command { actor, at, action: Action::Confirm }).ok()?;
    Some(Confirmed { needs, effects })
}

/// What may be ruled at a table on hold, each by the lowest rank that may.
fn rulings(table: &Table, at: u64) -> Vec<RulingEffects> {
    let about = table.hold.as_ref().map(|hold| hold.about).unwrap_or_default();
    let effects = |ruling: &Ruling| {
        let rank = match ruling.needs {
            None => Some(0),
            Some(needs) => lowest(table, needs),
        };
        let actor = Actor::Staff(Staff { person: PersonId(0), rank: Rank(rank?), acting: None });
        let made = RulingMade::plain(ruling.remedy, ruling.withdrawal.is_some());
        let command = Command { actor, at, action: Action::Rule(made) };
        follow(table, &command).ok().map(|(effects, _)| effects)
    };
    let all = allowed_rulings(table).into_iter();
    all.map(|ruling| RulingEffects { offer: desk::offer(table, about, ruling), effects: effects(ruling) })
        .collect()
}

fn lowest(table: &Table, needs: Needs) -> Option<u8> {
    table.rulebook().needed_rank(needs, table.setup.residual.map(|rank| rank.0))
}

impl Effects {
    /// Reads the events of a command.
    #[expect(clippy::wildcard_enum_match_arm, reason = "only what moves money or ends something is told")]
    fn of(before: &Table, events: &[Event], after: &Table) -> Self {
        let in_round = matches!(before.stage, Stage::Betting { .. } | Stage::Playing);
        let mut effects = Self {
            round_number: before.round.number,
            round: if in_round { RoundFate::GoesOn } else { RoundFate::None },
            wagers: Vec::new(),
            given_back: Amount::ZERO,
            irregularities: Vec::new(),
            remedies: Vec::new(),
            may_withdraw: Vec::new(),
            holds: after.hold.as_ref().map(|hold| hold.irregularity),
            next_is_free: false,
            shoe: after.shoe.fate,
            takes_back: false,
            cites: Vec::new(),
        };
        for Event { fact, cites } in events {
            for basis in cites {
                if !effects.cites.contains(basis) {
                    effects.cites.push(*basis);
                }
            }
            match fact {
                Fact::WagerEnded { wager, settled, reserve } => {
                    let Some(laid) = before.round.wagers.get(*wager) else { continue };
                    let reserve_back = reserve.as_ref().map_or(Amount::ZERO, |reserve| reserve.returned);
                    let reserve_lost = reserve.as_ref().map_or(Amount::ZERO, |reserve| reserve.lost);
                    effects.end(WagerFate {
                        player: laid.player,
                        bet: Some(laid.bet),
                        area: laid.area,
                        stake: laid.stake,
                        reserve: laid.reserve,
                        end: settled.end,
                        returned: settled.returned + reserve_back,
                        collected: settled.collected + reserve_lost,
                        winnings: settled.winnings,
                        commission: settled.commission,
                        cites: cites.clone(),
                    });
                }
                Fact::InsuranceEnded { insurance, settled } => {
                    let Some(laid) = before.round.insurances.get(*insurance) else { continue };
                    effects.end(WagerFate {
                        player: laid.player,
                        bet: None,
                        area: None,
                        stake: laid.stake,
                        reserve: Amount::ZERO,
                        end: settled.end,
                        returned: settled.returned,
                        collected: settled.collected,
                        winnings: settled.winnings,
                        commission: settled.commission,
                        cites: cites.clone(),
                    });
                }
                Fact::TakenBack { player, bet, area, amount, reserve } => effects.end(WagerFate {
                    player: *player,
                    bet: Some(*bet),
                    area: *area,
                    stake: *amount,
                    reserve: *reserve,
                    end: End::Returned,
                    returned: *amount + *reserve,
                    collected: Amount::ZERO,
                    winnings: Amount::ZERO,
                    commission: Amount::ZERO,
                    cites: cites.clone(),
                }),
                Fact::Irregular { irregularity, .. } => effects.irregularities.push(*irregularity),
                Fact::Ruled { remedy, .. } => effects.remedies.push(*remedy),
                Fact::OptionOpened { players } => effects.may_withdraw.clone_from(players),
                Fact::NextIsFree | Fact::CardsCarried { free: true } => effects.next_is_free = true,
                Fact::TurnedFree if !before.round.free => effects.round = RoundFate::Free,
                Fact::BettingAbandoned => effects.round = RoundFate::Abandoned,
                Fact::DealDiscarded => effects.round = RoundFate::BettingAgain,
                Fact::RoundClosed { mark: Mark::Void, .. } => effects.round = RoundFate::Void,
                Fact::RoundClosed { .. } => effects.round = RoundFate::Settled,
                Fact::Retracted => effects.takes_back = true,
                _ => {}
            }
        }
        effects
    }

    fn end(&mut self, fate: WagerFate) {
        if fate.end == End::Returned {
            self.given_back += fate.returned;
        }
        self.wagers.push(fate);
    }

    /// Whether it ends the round or moves money: what asks for a second press.
    #[must_use]
    pub fn ends_or_moves(&self) -> bool {
        !self.wagers.is_empty() || !matches!(self.round, RoundFate::None | RoundFate::GoesOn)
    }
}
