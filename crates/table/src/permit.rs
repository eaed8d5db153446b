//! Who may do what: one row for each action. [`decide`](crate::decide::decide) asks it before anything else, and the
//! views ask it for what they offer.
//!
//! A row names everybody who may; whoever it does not name is refused. It knows no rank: it names a power, and the
//! rulebook says which rank has it. Surveillance is in no row: it watches, and is heard in disputes. How the table
//! stands is not looked at here, but for who is who: who has the device, a hand or a box.

use croupier_rules::baccarat::Side;
use croupier_rules::clause::Basis;
use croupier_rules::irregularity::ShoeFate;
use croupier_rules::{Power, Rule};

use crate::actor::{Actor, PlayerId, Rank, Staff};
use crate::command::{Action, Holder, Report};
use crate::decide::irregular;
use crate::refusal::{Refusal, Why};
use crate::setup::{Method, WhenAbsent};
use crate::table::{Stage, Table, place};

/// The player who may, if one may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ByPlayer {
    /// No player.
    Nobody,
    /// The player whom it is about.
    Own(PlayerId),
    /// Any player at the table.
    AtTheTable,
    /// Who has the dealing device.
    DeviceHolder,
    /// Who has the right to the cards of this hand.
    Squeezer(Side),
    /// Whose wager lies in this box.
    BoxOwner(u8),
}

/// The staff who may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ByStaff {
    /// None of them.
    Nobody,
    /// The Dealer, and everybody above.
    Anybody,
    /// Who has the power.
    With(Power),
    /// Who has the power; anybody where the rulebook does not speak of it.
    Serving(Power),
    /// Who has the power; and whoever found what is pending, as long as nobody has confirmed it.
    WithOrFinder(Power),
    /// Who has the rank that the ruling needs.
    RankOfRuling,
}

/// Whether the software may: clocks that ran out, and the Dealer of an automatic table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BySoftware {
    No,
    Yes,
    /// It brings the new cards that were ruled, and orders them by its settings where nobody on duty may.
    NewCards,
    /// Only where it deals: a table dealt by hand has people who rule.
    Ruling,
}

/// Who may do an action.
#[derive(Clone, Copy, Debug)]
struct Row {
    player: ByPlayer,
    staff: ByStaff,
    device: bool,
    software: BySoftware,
    display: bool,
    /// The rules that say whose it is.
    rests_on: &'static [Rule],
}

/// Nobody at all; each row says who may nevertheless.
const NOBODY: Row = Row {
    player: ByPlayer::Nobody,
    staff: ByStaff::Nobody,
    device: false,
    software: BySoftware::No,
    display: false,
    rests_on: &[],
};

/// The Dealer of a table, a person or the software.
const fn dealer(rests_on: &'static [Rule]) -> Row {
    Row { staff: ByStaff::Anybody, software: BySoftware::Yes, rests_on, ..NOBODY }
}

/// The Dealer, or the device that tells what comes out of it.
const fn dealer_or_device(rests_on: &'static [Rule]) -> Row {
    Row { device: true, ..dealer(rests_on) }
}

/// People of the house alone.
const STAFF: Row = Row { staff: ByStaff::Anybody, ..NOBODY };

/// Whoever has the power.
const fn with(power: Power) -> Row {
    Row { staff: ByStaff::With(power), ..NOBODY }
}

/// The player, or staff for a player who asks for it at the table.
const fn own(player: PlayerId, rests_on: &'static [Rule]) -> Row {
    Row { player: ByPlayer::Own(player), rests_on, ..STAFF }
}

/// The row of an action.
fn row(action: &Action) -> Row {
    match action {
        Action::SignOn(_) | Action::SignOff(_) => dealer(&[]),
        Action::Fill { .. }
        | Action::Credit { .. }
        | Action::CountDrop { .. }
        | Action::PayTips
        | Action::CloseTable { .. } => with(Power::Treasury),

        // Players come by themselves or are shown to a place; the software knows who has gone.
        Action::Sit { player, .. } | Action::Stand { player, .. } | Action::Leave { player } => {
            Row { software: BySoftware::Yes, ..own(*player, &[]) }
        }
        // Cash goes through the hands of the Dealer.
        Action::BuyIn { cash: true, .. } => dealer(&[]),
        Action::BuyIn { player, cash: false, .. } => Row { software: BySoftware::Yes, ..own(*player, &[]) },
        Action::Tip { player, .. } | Action::AcceptNotice { player } => own(*player, &[]),
        Action::PostCorrection { .. } => with(Power::DecideDispute),

        Action::LoadShoe { .. } | Action::Burn { .. } => dealer(&[]),
        Action::RecordShuffle | Action::CountShoe { .. } | Action::ShoeEmpty => dealer_or_device(&[]),
        Action::CutCards { .. } => Row { player: ByPlayer::AtTheTable, ..dealer(&[]) },
        Action::CutCardOut => dealer_or_device(&[Rule::CutCard]),
        Action::AnnounceLast => dealer(&[Rule::LastHand]),
        Action::ReplaceShoe { .. } => Row { software: BySoftware::NewCards, ..with(Power::ReplaceShoe) },
        Action::ChooseShoe { player, .. } => own(*player, &[Rule::ShoeChoice]),
        Action::CloseShoeChoice => dealer(&[Rule::ShoeChoice]),

        Action::OpenBets => dealer(&[Rule::OpeningCall]),
        Action::CloseBets => dealer(&[Rule::ClosingCall]),
        Action::Place(place) => {
            Row { staff: ByStaff::Serving(Power::PlaceForPlayer), ..own(place.player, &[Rule::Menu]) }
        }
        Action::TakeBack { player, .. } => own(*player, &[Rule::AlterWagers]),
        Action::AskToReduce => dealer(&[Rule::AskToReduce]),
        Action::RemoveWager { .. } => with(Power::RemoveWager),
        Action::LimitAreas(_) => with(Power::LowerAreaLimit),

        Action::Draw { .. } | Action::DrawTogether { .. } => {
            Row { player: ByPlayer::DeviceHolder, ..dealer_or_device(&[Rule::DealerControls]) }
        }
        Action::Correct { .. } | Action::CorrectHand { .. } => STAFF,
        Action::Reveal { side, .. } => {
            Row { player: ByPlayer::Squeezer(*side), ..dealer(&[Rule::SqueezeRight]) }
        }
        Action::OpenFirst(_) => with(Power::RevealOrder),
        Action::DealFreeHand => dealer(&[Rule::FreeHand]),
        Action::Call(_) => dealer(&[Rule::Result]),
        Action::Display(_) => Row { display: true, ..dealer_or_device(&[Rule::Scoreboard]) },
        Action::Settle => dealer(&[Rule::Result]),

        Action::ChooseMethod(Method::A | Method::B) => with(Power::ChooseMethod),
        Action::ChooseMethod(Method::C) => with(Power::ChooseMethodC),
        Action::AskSqueeze { player } | Action::RefuseSqueeze { player, .. } => {
            own(*player, &[Rule::SqueezeRight])
        }
        Action::ForbidSqueeze { .. } => with(Power::ForbidSqueeze),
        Action::AllowSqueeze { .. } => with(Power::AllowSqueeze),
        Action::TakeDevice { player } => own(*player, &[Rule::PlayerDrawsCards]),
        Action::PermitDrawing { .. } => with(Power::DrawWithoutWager),
        Action::GiveUpDevice => Row { player: ByPlayer::DeviceHolder, ..dealer(&[Rule::DeviceGivenUp]) },
        Action::PassHand { .. } => {
            Row { player: ByPlayer::DeviceHolder, rests_on: &[Rule::ThroughDealer], ..NOBODY }
        }
        Action::HandOver { .. } => dealer(&[Rule::ThroughDealer]),

        Action::OfferInsurance | Action::CloseInsurance => dealer(&[Rule::InsuranceOffer]),
        Action::Insure { player, .. } => own(*player, &[Rule::InsuranceOffer]),
        Action::PermitInsurance => with(Power::LateInsurance),
        Action::SwitchInsurance { .. } => with(Power::StopInsurance),
        Action::ShowBankerFirst { .. } => with(Power::BankerFirst),

        // Whoever lays a card knows where it lies, and software that starts again in a round knows that it had stopped;
        // of everything else only those who see the cards can tell.
        Action::Report(Report::SurplusOn { .. } | Report::PowerFailure) => dealer_or_device(&[]),
        Action::Report(Report::DrawnBy { .. } | Report::HandedTo { .. } | Report::OpenedBy { .. }) => STAFF,
        Action::Report(_) => Row { device: true, ..STAFF },
        Action::Rule(_) => Row { staff: ByStaff::RankOfRuling, software: BySoftware::Ruling, ..NOBODY },
        Action::Confirm => STAFF,
        Action::Retract => Row { staff: ByStaff::WithOrFinder(Power::RetractReport), ..NOBODY },
        Action::Answer { player, .. } => own(*player, &[]),
        Action::CloseWindow => dealer(&[]),
        Action::HoldTwo(_) => Row { rests_on: &[Rule::TwoCardsHeld], ..STAFF },
        Action::Sorted { .. } => Row { rests_on: &[Rule::Sorting], ..STAFF },

        // What lies on a layout is told by whoever sees it, however it came there.
        Action::DealPacket { .. } => dealer_or_device(&[Rule::DealingDevice]),
        Action::CheckCount => dealer(&[Rule::FiveCards]),
        Action::HandleCards { player, .. } => own(*player, &[Rule::Arranging]),
        Action::SetHand { holder: Holder::Box(number), .. } => {
            Row { player: ByPlayer::BoxOwner(*number), ..dealer(&[Rule::Arranging]) }
        }
        Action::SetHand { holder: Holder::Dealer, .. } => dealer(&[Rule::HandsChecked]),
        Action::OpenDealer => dealer(&[Rule::HandsChecked]),
        Action::RestrictBoxes { .. } => with(Power::RestrictBoxes),
        Action::Lift { bar, .. } => with(bar.power()),
        Action::ReportHandling { .. } => Row { rests_on: &[Rule::OnTheLayout], ..STAFF },
    }
}

impl ByPlayer {
    fn is(self, table: &Table, player: PlayerId) -> bool {
        match self {
            Self::Nobody => false,
            Self::Own(own) => own == player,
            Self::AtTheTable => table.player(player).is_some(),
            Self::DeviceHolder => table.device == Some(player),
            Self::Squeezer(side) => table.round.squeezers[place(side)] == Some(player),
            Self::BoxOwner(number) => {
                table.round.open().any(|(_, laid)| laid.player == player && laid.area == Some(number))
            }
        }
    }
}

impl ByStaff {
    fn is(self, table: &Table, staff: Staff) -> bool {
        let has = |power| table.setup.authority().has(staff, power);
        match self {
            Self::Nobody => false,
            // Which rank a ruling needs is looked up with the ruling.
            Self::Anybody | Self::RankOfRuling => true,
            Self::With(power) => has(power),
            Self::WithOrFinder(power) => has(power) || found_it(table, staff),
            Self::Serving(power) => table.rulebook().power(power).is_none() || has(power),
        }
    }
}

/// Whether what is pending was found by this person.
fn found_it(table: &Table, staff: Staff) -> bool {
    let pending = table.hold.as_ref().and_then(|hold| hold.pending);
    matches!(pending, Some(Actor::Staff(by)) if by.person == staff.person)
}

/// Whether somebody may do something at a table, whatever else may stand against it now.
#[must_use]
pub fn allows(table: &Table, actor: Actor, action: &Action) -> bool {
    row(action).names(table, actor)
}

impl Row {
    fn names(&self, table: &Table, actor: Actor) -> bool {
        match actor {
            Actor::Player(player) => self.player.is(table, player),
            Actor::Staff(staff) => self.staff.is(table, staff),
            Actor::Device => self.device,
            Actor::System => match self.software {
                BySoftware::No => false,
                BySoftware::Yes => true,
                BySoftware::NewCards => may_replace_by_itself(table),
                BySoftware::Ruling => is_automatic(table),
            },
            Actor::Surveillance => false,
            Actor::Display => self.display,
        }
    }
}

/// Whether software runs the table: the order of its cards is committed to, or the house has set what it does where
/// the rank for a ruling is missing.
fn is_automatic(table: &Table) -> bool {
    table.shoe.commitment.is_some() || table.setup.when_absent != WhenAbsent::Wait
}

/// An automatic table carries out what was ruled, and orders new cards itself when nobody on duty may.
fn may_replace_by_itself(table: &Table) -> bool {
    let authority = table.setup.authority();
    let may = |staff: &Staff| authority.has(*staff, Power::ReplaceShoe);
    table.shoe.fate == ShoeFate::Replace
        || table.setup.when_absent != WhenAbsent::Wait && !table.staff.iter().any(may)
}

/// What it rests on that somebody may do something; nothing where it needs no power.
///
/// # Errors
/// [`Refusal`] for whoever may not, with whose it is.
pub(crate) fn check(table: &Table, actor: Actor, action: &Action) -> Result<Vec<Basis>, Refusal> {
    let row = row(action);
    if !row.names(table, actor) {
        return Err(refusal(table, actor, action));
    }
    match (actor, row.staff) {
        (Actor::Staff(_), ByStaff::With(power) | ByStaff::Serving(power)) => {
            let rule = table.rulebook().power(power);
            let granted = rule.map(|_| table.setup.authority().power(actor, power)).transpose()?;
            Ok(granted.unwrap_or_default())
        }
        (Actor::Staff(_), ByStaff::WithOrFinder(power)) => {
            Ok(table.setup.authority().power(actor, power).unwrap_or_default())
        }
        _ => Ok(Vec::new()),
    }
}

fn refusal(table: &Table, actor: Actor, action: &Action) -> Refusal {
    let row = row(action);
    let refuse = |why: Why, rules: &[Rule]| {
        let cites = rules.iter().flat_map(|rule| table.game().cites(*rule)).copied().collect();
        Refusal { why, cites }
    };
    match (action, actor) {
        (Action::Draw { .. } | Action::DrawTogether { .. }, Actor::Player(_)) => match method(table) {
            Some(Method::C) => {
                let third = table.round.draws.len() >= 4;
                let rule = if third { Rule::HolderDrawsThird } else { Rule::PlayerDrawsCards };
                refuse(Why::NotDrawer { who: "the player with the device" }, &[rule])
            }
            Some(Method::A | Method::B) | None => refuse(Why::NotDrawer { who: "the Dealer" }, row.rests_on),
        },
        (Action::Reveal { .. }, Actor::Player(_)) if !table.deals_face_down() => {
            refuse(Why::NoSqueeze, &[Rule::NoHandling])
        }
        // Under Method C the cards go to whoever the Dealer passes them to.
        (Action::Reveal { .. }, Actor::Player(_)) if table.round.method == Some(Method::C) => {
            refuse(Why::NotSqueezer, &[Rule::ThroughDealer])
        }
        (Action::Reveal { .. }, Actor::Player(_)) => refuse(Why::NotSqueezer, row.rests_on),
        (Action::SetHand { holder: Holder::Box(_), .. }, Actor::Player(_)) => {
            refuse(Why::MayNotHandle, row.rests_on)
        }
        (Action::DealPacket { .. }, _) => refuse(Why::DeviceOnly, row.rests_on),
        (Action::Rule(made), _) => {
            let ruling = irregular::asked_for(table, made);
            let denied = ruling.map(|ruling| {
                table.setup.authority().rank(actor, ruling.needs, &ruling.cites).map_err(Refusal::from)
            });
            match denied {
                Some(Err(refusal)) => refusal,
                Some(Ok(cites)) => Refusal::new(Why::NotAuthorised { needs: Some(Rank(0)) }, &cites),
                None => refuse(Why::NotYours { who: "the Dealer" }, row.rests_on),
            }
        }
        // Where nobody may, it is because the players alter their wagers themselves.
        (Action::RemoveWager { .. }, _) if table.rulebook().power(Power::RemoveWager).is_none() => {
            refuse(Why::NotAuthorised { needs: None }, &[Rule::AlterWagers])
        }
        (Action::Report(_), Actor::Player(_)) => {
            refuse(Why::NotYours { who: "the staff; tell the Dealer" }, row.rests_on)
        }
        _ => match (row.staff, row.player) {
            (
                ByStaff::With(power) | ByStaff::Serving(power) | ByStaff::WithOrFinder(power),
                ByPlayer::Nobody,
            ) => denied(table, actor, power),
            (ByStaff::Serving(power), _) if matches!(actor, Actor::Staff(_)) => denied(table, actor, power),
            // Elsewhere than under Method C nobody but the Dealer has the device.
            (_, ByPlayer::DeviceHolder) if method(table) != Some(Method::C) => {
                refuse(Why::NotYours { who: "the Dealer" }, row.rests_on)
            }
            (_, ByPlayer::DeviceHolder) => {
                refuse(Why::NotYours { who: "the player with the device" }, row.rests_on)
            }
            (_, ByPlayer::Own(_)) => refuse(Why::NotYours { who: "the player" }, row.rests_on),
            (_, ByPlayer::AtTheTable) => match actor.player() {
                Some(player) => Why::NoSuchPlayer { player }.into(),
                None => refuse(Why::NotYours { who: "a player or the Dealer" }, row.rests_on),
            },
            (_, ByPlayer::Nobody | ByPlayer::Squeezer(_) | ByPlayer::BoxOwner(_)) => {
                refuse(Why::NotYours { who: "the Dealer" }, row.rests_on)
            }
        },
    }
}

/// The method of the round, or of the next one.
const fn method(table: &Table) -> Option<Method> {
    if matches!(table.stage, Stage::Playing) { table.round.method } else { table.method }
}

/// Who would have the power.
fn denied(table: &Table, actor: Actor, power: Power) -> Refusal {
    match table.setup.authority().power(actor, power) {
        Err(denied) => denied.into(),
        // Only who has no power comes here.
        Ok(cites) => Refusal::new(Why::NotAuthorised { needs: None }, &cites),
    }
}
