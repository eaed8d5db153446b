//! What those above the Dealer decide: powers with the rank each needs, money of the table.

use croupier_rules::baccarat::Side;
use croupier_rules::clause::Basis;
use croupier_rules::{Amount, Power};

use super::bets::Bounds;
use super::desk::{Who, who};
use crate::decide::{device, house, insurance, irregular, shoe, squeeze, wagers};
use crate::setup::Method;
use crate::table::{Stage, Table};

/// A power under this rulebook.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PowerOffer {
    /// Which.
    pub power: Power,
    /// Who has it.
    pub who: Who,
    /// It can be used as the table stands.
    pub open: bool,
    /// What it rests on.
    pub cites: Vec<Basis>,
}

/// The pit's side of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Pit {
    /// Cash in the drop box.
    pub drop: Amount,
    /// Tips.
    pub tips: Amount,
    /// Chips that may be taken from the float; what the wagers may cost stays.
    pub credit: Option<Bounds>,
    /// Chips that may be brought.
    pub fill: Option<Bounds>,
    /// The drop box may be counted.
    pub count_drop: bool,
    /// The tips may leave the table.
    pub pay_tips: bool,
    /// The table may close.
    pub close_table: bool,
    /// The most wagers in an area that may be set.
    pub area_limit_most: Option<u8>,
    /// The powers.
    pub powers: Vec<PowerOffer>,
}

impl Pit {
    pub(super) fn new(table: &Table) -> Self {
        let rules = table.rulebook().powers.iter().filter(|rule| is_of_the_table(rule.power));
        let powers = rules.map(|rule| PowerOffer {
            power: rule.power,
            who: who(table, Some(rule.needs)),
            open: false,
            cites: rule.cites.clone(),
        });
        let mut pit = Self {
            drop: Amount::ZERO,
            tips: Amount::ZERO,
            credit: None,
            fill: None,
            count_drop: false,
            pay_tips: false,
            close_table: false,
            area_limit_most: table.setup.wagers_per_area,
            powers: powers.collect(),
        };
        pit.refresh(table, 0, 0);
        pit
    }

    pub(super) fn refresh(&mut self, table: &Table, addable: i128, liability: i128) {
        self.fill = Bounds::up_to(addable, 1).filter(|_| table.stage != Stage::Closed);
        self.refresh_money(table, liability);
        for offer in &mut self.powers {
            offer.open = is_open(table, offer.power);
        }
    }

    /// What the wagers change.
    pub(super) fn refresh_money(&mut self, table: &Table, liability: i128) {
        let running = table.stage != Stage::Closed;
        self.drop = table.drop;
        self.tips = table.tips;
        self.credit = Bounds::up_to(house::spare(table, liability), 1).filter(|_| running);
        self.count_drop = running;
        self.pay_tips = running && table.tips.is_positive();
        self.close_table = house::check_close_table(table).is_ok();
        let over = is_open(table, Power::RemoveWager);
        for offer in &mut self.powers {
            if offer.power == Power::RemoveWager {
                offer.open = over;
            } else if offer.power == Power::ReplaceShoe {
                // Wagers keep the shoe in play.
                offer.open = is_open(table, Power::ReplaceShoe);
            }
        }
    }
}

/// Powers over a table; those over disputes belong to the case.
fn is_of_the_table(power: Power) -> bool {
    !matches!(power, Power::FirstLine | Power::DecideDispute | Power::AnswerComplaint | Power::ChooseSqueezer)
}

/// Whether somebody who has a power can use it as the table stands.
pub(super) fn is_open(table: &Table, power: Power) -> bool {
    if table.stage == Stage::Closed {
        return false;
    }
    let round = &table.round;
    match (power, &table.hold) {
        (Power::Treasury, _) => return true,
        (Power::RetractReport, _) => return irregular::is_retractable(table),
        (_, Some(_)) => return false,
        (_, None) => {}
    }
    let setup = &table.setup;
    let betting = matches!(table.stage, Stage::Betting { .. });
    let playing = table.stage == Stage::Playing;
    let has_players = !table.players.is_empty();
    match power {
        Power::ReplaceShoe => shoe::check_replace(table).is_ok() && shoe::may_go(table),
        Power::ForbidSqueeze => {
            // It is forbidden to those who still may, and lifted for the others.
            (betting || playing) && has_players
        }
        Power::AllowSqueeze => {
            table.deals_face_down()
                && playing
                && has_players
                && [Side::Player, Side::Banker].iter().any(|side| squeeze::has_closed_cards(table, *side))
        }
        Power::RevealOrder => {
            playing && round.draws.len() == 4 && round.draws.iter().all(|dealt| !dealt.exposed)
        }
        Power::ChooseMethod => device::check_choose(table, Method::A).is_ok(),
        Power::ChooseMethodC => device::check_choose(table, Method::C).is_ok(),
        Power::DrawWithoutWager => table.method == Some(Method::C) && has_players,
        Power::LowerAreaLimit => setup.wagers_per_area.is_some(),
        Power::PlaceForPlayer => betting && has_players,
        Power::RemoveWager => wagers::asked_gap(table).is_some(),
        Power::StopInsurance => has_players && insurance::check_switch(table).is_ok(),
        Power::BankerFirst => has_players && insurance::may_show_banker_first(table),
        Power::LateInsurance => insurance::missed(table).is_some(),
        Power::RestrictBoxes => has_players,
        // A player is barred by a ruling; only the lifting is free.
        Power::StopHandling => table.players.iter().any(|player| player.barred),
        Power::Treasury | Power::RetractReport => true,
        Power::FirstLine | Power::DecideDispute | Power::AnswerComplaint | Power::ChooseSqueezer => false,
    }
}
