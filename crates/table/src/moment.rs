//! The moment of play that a command answers.
//!
//! A line can be dead for a minute, and a command that was given before it broke comes after it stands again. A
//! wager for round 12 must not lie in round 15. So a view says at which moment of play it was taken, a command says
//! which moment it answers, and what answers a moment that is over is refused before anything is decided.
//!
//! A moment is a handful of counters, so that the next window of the same kind is told from this one. They follow
//! from the events alone. Only those count that the command is about: a wager does not care how many cards are out.

use core::fmt;

use crate::command::{Action, Bar};
use crate::event::Fact;
use crate::table::Table;

/// Where play stands, as far as commands answer it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Moment {
    /// The shoe.
    pub shoe: u32,
    /// The round in progress, or the last one.
    pub round: u64,
    /// How often betting has opened in the round: once, and again after each reset.
    pub betting: u32,
    /// How often cards have come out in the round.
    pub cards: u32,
    /// How often insurance has become due or was offered in the round.
    pub insurance: u32,
    /// How often in the round something was put on hold, ruled on or taken back.
    pub hold: u32,
    /// How often in the round players were given the option to withdraw.
    pub options: u32,
}

/// What of a moment an action answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The shoe in the device.
    Shoe,
    /// The round.
    Round,
    /// The round as far as betting has opened in it: a wager, or what is done with one.
    Betting,
    /// The cards that are out.
    Cards,
    /// The window for insurance.
    Insurance,
    /// What is on hold.
    Hold,
    /// The option to withdraw.
    Options,
}

/// The moment that was answered is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub struct Over {
    /// What was answered.
    pub part: Part,
    /// The moment that was named.
    pub answers: Moment,
    /// The moment as it is.
    pub now: Moment,
}

impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, answers, now } = self;
        if answers.shoe != now.shoe && *part == Part::Shoe {
            write!(f, "this was for shoe {}, and the table has shoe {} now", answers.shoe, now.shoe)
        } else if answers.round != now.round {
            write!(f, "this was for round {}, and the table is at round {} now", answers.round, now.round)
        } else {
            let round = now.round;
            match part {
                Part::Shoe | Part::Round | Part::Betting => {
                    write!(f, "this was for round {round} before betting opened again")
                }
                Part::Cards => write!(f, "more cards of round {round} have come out since this was sent"),
                Part::Insurance => write!(f, "this was for another insurance window of round {round}"),
                Part::Hold => write!(f, "what was on hold in round {round} has changed since this was sent"),
                Part::Options => write!(f, "this was for another option window of round {round}"),
            }
        }
    }
}

impl Moment {
    /// The moment of a table whose events are not at hand: the round and the shoe, counted from here on.
    #[must_use]
    pub fn at(table: &Table) -> Self {
        Self { shoe: table.shoe.number, round: table.round.number, ..Self::default() }
    }

    /// Follows what happens.
    #[expect(clippy::wildcard_enum_match_arm, reason = "all other facts leave every window as it is")]
    pub fn follow(&mut self, fact: &Fact) {
        match fact {
            Fact::ShoeLoaded { number, .. } => self.shoe = *number,
            Fact::BetsOpened { round } => {
                *self = Self { shoe: self.shoe, round: *round, betting: 1, ..Self::default() };
            }
            Fact::FreeHandBegan { round } => {
                *self = Self { shoe: self.shoe, round: *round, ..Self::default() };
            }
            Fact::DealDiscarded => self.betting += 1,
            Fact::Drawn { .. }
            | Fact::SurplusDrawn { .. }
            | Fact::ForeignDrawn { .. }
            | Fact::DrawnTogether { .. }
            | Fact::PacketDealt { .. } => self.cards += 1,
            Fact::InsuranceDue { .. } | Fact::InsuranceOffered { .. } => self.insurance += 1,
            Fact::Irregular { .. } | Fact::Ruled { .. } | Fact::Retracted => self.hold += 1,
            Fact::OptionOpened { .. } => self.options += 1,
            _ => {}
        }
    }

    /// Whether what was answered is still to be answered.
    ///
    /// # Errors
    /// [`Over`], with what is over about it.
    pub fn answered_by(self, action: &Action, answers: Self) -> Result<(), Over> {
        let Some(part) = action.answers() else { return Ok(()) };
        let of = |moment: Self| {
            let Self { shoe, round, betting, cards, insurance, hold, options } = moment;
            match part {
                Part::Shoe => (0, shoe, 0),
                Part::Round => (round, 0, 0),
                Part::Betting => (round, betting, 0),
                Part::Cards => (round, betting, cards),
                Part::Insurance => (round, betting, insurance),
                Part::Hold => (round, hold, 0),
                Part::Options => (round, hold, options),
            }
        };
        if of(self) == of(answers) { Ok(()) } else { Err(Over { part, answers, now: self }) }
    }
}

impl Action {
    /// What of the moment it answers; nothing for what has its sense at any time: coming and going, money that
    /// moves between a player or the house and the table, and settings of the table.
    #[must_use]
    pub const fn answers(&self) -> Option<Part> {
        match self {
            Self::SignOn(_)
            | Self::SignOff(_)
            | Self::Fill { .. }
            | Self::Credit { .. }
            | Self::CountDrop { .. }
            | Self::PayTips
            | Self::CloseTable { .. }
            | Self::Sit { .. }
            | Self::Stand { .. }
            | Self::BuyIn { .. }
            | Self::Leave { .. }
            | Self::Tip { .. }
            | Self::PostCorrection { .. }
            | Self::AcceptNotice { .. }
            | Self::LimitAreas(_)
            | Self::RestrictBoxes { .. }
            | Self::Lift { bar: Bar::SeveralBoxes | Bar::Handling, .. } => None,

            Self::LoadShoe { .. }
            | Self::RecordShuffle
            | Self::CutCards { .. }
            | Self::Burn { .. }
            | Self::CountShoe { .. }
            | Self::ReplaceShoe { .. }
            | Self::ChooseShoe { .. }
            | Self::CloseShoeChoice => Some(Part::Shoe),

            Self::OpenBets
            | Self::AnnounceLast
            | Self::DealFreeHand
            | Self::Settle
            | Self::ChooseMethod(_)
            | Self::ForbidSqueeze { .. }
            | Self::Lift { bar: Bar::Squeezing, .. }
            | Self::TakeDevice { .. }
            | Self::PermitDrawing { .. }
            | Self::GiveUpDevice
            | Self::PermitInsurance
            | Self::SwitchInsurance { .. }
            | Self::ReportHandling { .. } => Some(Part::Round),

            Self::CloseBets
            | Self::Place(_)
            | Self::TakeBack { .. }
            | Self::AskToReduce
            | Self::RemoveWager { .. }
            | Self::AskSqueeze { .. }
            | Self::Correct { .. }
            | Self::CorrectHand { .. }
            | Self::HandleCards { .. }
            | Self::SetHand { .. } => Some(Part::Betting),

            Self::CutCardOut
            | Self::ShoeEmpty
            | Self::Draw { .. }
            | Self::DrawTogether { .. }
            | Self::Reveal { .. }
            | Self::OpenFirst(_)
            | Self::Call(_)
            | Self::Display(_)
            | Self::RefuseSqueeze { .. }
            | Self::AllowSqueeze { .. }
            | Self::PassHand { .. }
            | Self::HandOver { .. }
            | Self::ShowBankerFirst { .. }
            | Self::DealPacket { .. }
            | Self::CheckCount
            | Self::OpenDealer => Some(Part::Cards),

            Self::OfferInsurance | Self::Insure { .. } | Self::CloseInsurance => Some(Part::Insurance),

            Self::Report(_)
            | Self::Rule(_)
            | Self::Confirm
            | Self::Retract
            | Self::HoldTwo(_)
            | Self::Sorted { .. } => Some(Part::Hold),

            Self::Answer { .. } | Self::CloseWindow => Some(Part::Options),
        }
    }
}

#[cfg(test)]
mod tests {
    use croupier_rules::irregularity::Irregularity;

    use super::*;
    use crate::actor::PlayerId;
    use crate::command::Report;
    use crate::event::About;

    fn after(facts: &[Fact]) -> Moment {
        let mut moment = Moment::default();
        facts.iter().for_each(|fact| moment.follow(fact));
        moment
    }

    fn irregular() -> Fact {
        let about = About::default();
        Fact::Irregular { irregularity: Irregularity::Jam, about, told: String::new(), found: false }
    }

    #[test]
    fn a_wager_is_for_its_round_and_its_betting_only() {
        let wager = Action::TakeBack { player: PlayerId(1), bet: 0, box_number: None, amount: None };
        let sent = after(&[Fact::BetsOpened { round: 12 }]);
        // A report in between changes nothing about it.
        let same = after(&[Fact::BetsOpened { round: 12 }, irregular()]);
        assert_eq!(same.answered_by(&wager, sent), Ok(()));
        let reset = after(&[Fact::BetsOpened { round: 12 }, Fact::DealDiscarded]);
        assert!(reset.answered_by(&wager, sent).is_err());
        let later = after(&[Fact::BetsOpened { round: 12 }, Fact::BetsOpened { round: 13 }]);
        let over = later.answered_by(&wager, sent).unwrap_err();
        assert_eq!(over.to_string(), "this was for round 12, and the table is at round 13 now");
    }

    #[test]
    fn a_ruling_is_for_what_was_on_hold_when_it_was_sent() {
        let first = after(&[Fact::BetsOpened { round: 1 }, irregular()]);
        // What comes second is ruled on, and what came first is on hold again: not what the ruling was for.
        let second = after(&[Fact::BetsOpened { round: 1 }, irregular(), irregular()]);
        let back =
            after(&[Fact::BetsOpened { round: 1 }, irregular(), irregular(), Fact::Retracted, Fact::Resumed]);
        for (now, sent, fits) in
            [(first, first, true), (second, first, false), (back, second, false), (back, first, false)]
        {
            assert_eq!(now.answered_by(&Action::Retract, sent).is_ok(), fits, "{now:?} {sent:?}");
            assert_eq!(now.answered_by(&Action::Report(Report::Jam), sent).is_ok(), fits);
        }
    }

    #[test]
    fn what_has_its_sense_at_any_time_answers_nothing() {
        let leave = Action::Leave { player: PlayerId(1) };
        let now = after(&[Fact::BetsOpened { round: 40 }, irregular()]);
        assert_eq!(now.answered_by(&leave, Moment::default()), Ok(()));
    }
}
