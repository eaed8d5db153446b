//! From a command to what happens, or to a refusal. Nothing is changed here.

mod deal;
mod device;
mod draft;
pub(crate) mod hands;
pub(crate) mod house;
pub(crate) mod insurance;
pub(crate) mod irregular;
mod remedy;
pub(crate) mod reveal;
mod settle;
pub(crate) mod shoe;
pub(crate) mod squeeze;
mod wagers;

use croupier_rules::Family;

use crate::actor::{Actor, PlayerId};
use crate::command::{Action, Command, Report};
use crate::event::Event;
use crate::refusal::{Refusal, Why};
use crate::table::{Player, Stage, Table};
pub(crate) use draft::Draft;
pub(crate) use hands::in_play as boxes_in_play;
pub(crate) use irregular::allowed as allowed_rulings;
pub(crate) use squeeze::order as squeeze_order;

/// What a command leads to.
///
/// # Errors
/// [`Refusal`]: a reason with parameters, and what it rests on.
pub fn decide(table: &Table, command: &Command) -> Result<Vec<Event>, Refusal> {
    let mut draft = Draft::new(table, command.actor);
    if table.stage == Stage::Closed {
        return Err(Why::TableClosed.into());
    }
    check_hold(table, &command.action)?;
    act(&mut draft, &command.action)?;
    Ok(draft.into_events())
}

/// While play is on hold only what resolves it goes on, and what has nothing to do with the cards.
fn check_hold(table: &Table, action: &Action) -> Result<(), Refusal> {
    let Some(hold) = &table.hold else { return Ok(()) };
    let goes_on = matches!(
        action,
        Action::SignOn(_)
            | Action::SignOff(_)
            | Action::Fill { .. }
            | Action::Credit { .. }
            | Action::CountDrop { .. }
            | Action::PayTips
            | Action::Sit { .. }
            | Action::Stand { .. }
            | Action::BuyIn { .. }
            | Action::Tip { .. }
            | Action::AcceptNotice { .. }
            | Action::Rule(_)
            | Action::Retract
            | Action::Answer { .. }
            | Action::CloseWindow
            | Action::HoldTwo(_)
            | Action::Sorted { .. }
            | Action::Report(Report::SurplusOn { .. } | Report::EarlierRound { .. })
            | Action::Leave { .. }
            | Action::ReportHandling { .. }
    );
    let counts = matches!(action, Action::Reveal { side, .. } if reveal::opens_for_count(table, *side));
    let second = matches!(action, Action::Report(report) if irregular::comes_second(report));
    if goes_on || counts || second {
        return Ok(());
    }
    Err(irregular::on_hold(hold).into())
}

fn act(draft: &mut Draft<'_>, action: &Action) -> Result<(), Refusal> {
    match action {
        Action::SignOn(staff) => house::sign_on(draft, *staff),
        Action::SignOff(person) => house::sign_off(draft, *person),
        Action::Fill { amount, witness } => house::fill(draft, *amount, *witness),
        Action::Credit { amount, witness } => house::credit(draft, *amount, *witness),
        Action::CountDrop { witness } => house::count_drop(draft, *witness),
        Action::PayTips => house::pay_tips(draft),
        Action::CloseTable { counted, witness } => house::close_table(draft, *counted, *witness),
        Action::Sit { player, seat } => house::sit(draft, *player, *seat),
        Action::Stand { player, behind } => house::stand(draft, *player, *behind),
        Action::BuyIn { player, amount, cash } => house::buy_in(draft, *player, *amount, *cash),
        Action::Leave { player } => house::leave(draft, *player),
        Action::Tip { player, amount } => house::tip(draft, *player, *amount),
        Action::AcceptNotice { player } => house::accept_notice(draft, *player),

        Action::LoadShoe { set, commitment } => shoe::load(draft, *set, *commitment),
        Action::RecordShuffle => shoe::record_shuffle(draft),
        Action::CutCards { above } => shoe::cut(draft, *above),
        Action::Burn { count, cards } => shoe::burn(draft, *count, cards),
        Action::CutCardOut => shoe::cut_card_out(draft),
        Action::AnnounceLast => shoe::announce_last(draft),
        Action::CountShoe { left } => shoe::count(draft, *left),
        Action::ReplaceShoe { commitment } => shoe::replace(draft, *commitment),
        Action::ShoeEmpty => shoe::empty(draft),
        Action::ChooseShoe { player, replace } => shoe::choose(draft, *player, *replace),
        Action::CloseShoeChoice => shoe::close_choice(draft),

        Action::OpenBets => wagers::open(draft),
        Action::CloseBets => wagers::close(draft),
        Action::Place(place) => wagers::place(draft, place),
        Action::TakeBack { player, bet, box_number, amount } => {
            wagers::take_back(draft, *player, *bet, *box_number, *amount)
        }
        Action::AskToReduce => wagers::ask_to_reduce(draft),
        Action::RemoveWager { player, bet } => wagers::remove(draft, *player, *bet),
        Action::LimitAreas(most) => wagers::limit_areas(draft, *most),

        Action::Draw { card, laid, exposed } => {
            baccarat(draft).and_then(|()| deal::draw(draft, *card, *laid, *exposed))
        }
        Action::DrawTogether { cards, order_known } => {
            baccarat(draft).and_then(|()| deal::draw_together(draft, cards, *order_known))
        }
        Action::Correct { draw, card } => baccarat(draft).and_then(|()| deal::correct(draft, *draw, *card)),
        Action::Reveal { side, told } => baccarat(draft).and_then(|()| reveal::reveal(draft, *side, told)),
        Action::OpenFirst(side) => baccarat(draft).and_then(|()| reveal::open_first(draft, *side)),
        Action::DealFreeHand => baccarat(draft).and_then(|()| deal::free_hand(draft)),
        Action::Call(winner) => baccarat(draft).and_then(|()| settle::call(draft, *winner)),
        Action::Display(winner) => baccarat(draft).and_then(|()| settle::display(draft, *winner)),
        Action::Settle => settle::settle(draft),

        Action::ChooseMethod(method) => device::choose_method(draft, *method),
        Action::AskSqueeze { player } => squeeze::ask(draft, *player),
        Action::RefuseSqueeze { player, side } => squeeze::refuse(draft, *player, *side),
        Action::ForbidSqueeze { player } => squeeze::forbid(draft, *player),
        Action::AllowSqueeze { player, side } => squeeze::allow(draft, *player, *side),
        Action::TakeDevice { player } => device::take(draft, *player),
        Action::PermitDrawing { player } => device::permit(draft, *player),
        Action::GiveUpDevice => device::give_up(draft),
        Action::PassHand { side, to } => device::pass(draft, *side, *to),
        Action::HandOver { side, to } => device::hand_over(draft, *side, *to),

        Action::OfferInsurance => insurance::offer(draft),
        Action::Insure { player, side, amount } => insurance::insure(draft, *player, *side, *amount),
        Action::CloseInsurance => insurance::close(draft),
        Action::PermitInsurance => insurance::permit(draft),
        Action::SwitchInsurance { on, asked_by } => insurance::switch(draft, *on, *asked_by),
        Action::ShowBankerFirst { asked_by } => insurance::banker_first(draft, *asked_by),

        Action::Report(report) => irregular::report(draft, report),
        Action::Rule(made) => irregular::rule(draft, made),
        Action::Retract => irregular::retract(draft),
        Action::Answer { player, withdraw } => irregular::answer(draft, *player, *withdraw),
        Action::CloseWindow => irregular::close_window(draft),
        Action::HoldTwo(cards) => remedy::hold_two(draft, *cards),
        Action::Sorted { found, witness } => remedy::sorted(draft, found, *witness),

        Action::DealPacket { to, cards } => niu_niu(draft).and_then(|()| hands::deal(draft, *to, cards)),
        Action::CheckCount => niu_niu(draft).and_then(|()| hands::check_count(draft)),
        Action::HandleCards { player, box_number } => {
            niu_niu(draft).and_then(|()| hands::handle(draft, *player, *box_number))
        }
        Action::SetHand { holder, set_as } => {
            niu_niu(draft).and_then(|()| hands::set(draft, *holder, *set_as))
        }
        Action::OpenDealer => niu_niu(draft).and_then(|()| hands::open_dealer(draft)),
        Action::RestrictBoxes { player } => niu_niu(draft).and_then(|()| hands::restrict(draft, *player)),
        Action::ReportHandling { player } => hands::report_handling(draft, *player),
    }
}

fn baccarat(draft: &Draft<'_>) -> Result<(), Refusal> {
    match draft.base().setup.family() {
        Family::Baccarat => Ok(()),
        Family::NiuNiu => Err(Why::OtherGame { what: "Niu Niu is dealt in packets of five" }.into()),
    }
}

fn niu_niu(draft: &Draft<'_>) -> Result<(), Refusal> {
    match draft.base().setup.family() {
        Family::NiuNiu => Ok(()),
        Family::Baccarat => {
            Err(Why::OtherGame { what: "baccarat has no boxes, and its hands follow from the draw order" }
                .into())
        }
    }
}

/// The Dealer or anybody above, or the software that deals.
pub(crate) fn staff(actor: Actor) -> Result<(), Refusal> {
    match actor {
        Actor::Staff(_) | Actor::System => Ok(()),
        Actor::Player(_) | Actor::Device | Actor::Surveillance => {
            Err(Why::NotYours { who: "the Dealer" }.into())
        }
    }
}

/// Staff, the software or the device.
pub(crate) fn staff_or_device(actor: Actor) -> Result<(), Refusal> {
    match actor {
        Actor::Staff(_) | Actor::System | Actor::Device => Ok(()),
        Actor::Player(_) | Actor::Surveillance => Err(Why::NotYours { who: "the Dealer" }.into()),
    }
}

/// The player, or staff on their behalf.
pub(crate) fn own(table: &Table, actor: Actor, player: PlayerId) -> Result<&Player, Refusal> {
    match actor {
        Actor::Player(actor) if actor != player => Err(Why::NotYours { who: "the player" }.into()),
        Actor::Device | Actor::Surveillance => Err(Why::NotYours { who: "the player" }.into()),
        Actor::Player(_) | Actor::Staff(_) | Actor::System => {
            table.player(player).ok_or_else(|| Why::NoSuchPlayer { player }.into())
        }
    }
}
