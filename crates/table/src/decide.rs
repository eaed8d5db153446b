//! From a command to what happens, or to a refusal. Nothing is changed here.

pub(crate) mod bars;
pub(crate) mod choice;
pub(crate) mod count;
pub(crate) mod deal;
pub(crate) mod device;
mod draft;
pub(crate) mod hands;
pub(crate) mod house;
pub(crate) mod insurance;
pub(crate) mod irregular;
mod next;
pub(crate) mod remedy;
pub(crate) mod reveal;
pub(crate) mod second;
mod settle;
pub(crate) mod shoe;
pub(crate) mod squeeze;
pub(crate) mod surplus;
mod there;
pub(crate) mod wagers;

use croupier_cards::Card;
use croupier_rules::Family;

use crate::actor::{Actor, PlayerId};
use crate::command::{Action, Bar, Command, Report};
use crate::event::Event;
use crate::permit;
use crate::refusal::{Refusal, Why};
use crate::table::{Player, Stage, Table};
pub(crate) use draft::Draft;
pub(crate) use hands::in_play as boxes_in_play;
pub use irregular::allowed as allowed_rulings;
pub(crate) use squeeze::order as squeeze_order;

/// What a command leads to.
///
/// # Errors
/// [`Refusal`]: a reason with parameters, and what it rests on.
pub fn decide(table: &Table, command: &Command) -> Result<Vec<Event>, Refusal> {
    check_family(table, &command.action)?;
    let granted = permit::check(table, command.actor, &command.action)?;
    let mut draft = Draft::new(table, command.actor, granted);
    if table.stage == Stage::Closed {
        return Err(Why::TableClosed.into());
    }
    if table.shoe.commitment.is_some() && is_of_the_layout(&command.action) {
        return Err(DEALT_BY_SOFTWARE.into());
    }
    check_hold(table, &command.action)?;
    draft.found = records_cards(&command.action);
    act(&mut draft, &command.action)?;
    let awaits = table.hold.is_some() || table.shoe.found_empty || !table.round.waiting.is_empty();
    if draft.follows || awaits {
        draft.found = true;
        deal::follow(&mut draft)?;
    }
    Ok(draft.into_events())
}

/// Whether the next card or packet is dealt now. Who deals by the rules asks before; a card that has left the shoe is
/// reported whatever the answer.
///
/// # Errors
/// [`Refusal`]: what comes first.
pub fn may_deal(table: &Table, card: Option<Card>) -> Result<(), Refusal> {
    if let Some(hold) = &table.hold {
        return Err(irregular::on_hold(hold).into());
    }
    // Nobody is asked who it is: what the cards and the shoe say counts for all.
    let draft = Draft::new(table, Actor::System, Vec::new());
    match table.setup.family() {
        Family::Baccarat => deal::check_next(&draft, card),
        Family::NiuNiu => hands::check_next(&draft),
    }
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
            | Action::PostCorrection { .. }
            | Action::AcceptNotice { .. }
            | Action::Rule(_)
            | Action::Confirm
            | Action::Retract
            | Action::Answer { .. }
            | Action::CloseWindow
            | Action::HoldTwo(_)
            | Action::Sorted { .. }
            | Action::Leave { .. }
            | Action::GiveUpDevice
            | Action::ReportHandling { .. }
    );
    let counts = matches!(action, Action::Reveal { side, .. } if reveal::opens_for_count(table, *side));
    if goes_on || counts || is_observed(action) {
        return Ok(());
    }
    Err(irregular::on_hold(hold).into())
}

/// Whether an action tells of something that has happened, and asks for nothing.
///
/// What people ask for can be refused. What has happened cannot: it is put on record whatever the table's state, and
/// what it amounts to follows from the rulebook. Refused is only who is no witness, what names something that is not
/// there, and what is on record already.
fn is_observed(action: &Action) -> bool {
    matches!(
        action,
        Action::Draw { .. }
            | Action::DrawTogether { .. }
            | Action::Correct { .. }
            | Action::CorrectHand { .. }
            | Action::DealPacket { .. }
            | Action::CutCardOut
            | Action::CountShoe { .. }
            | Action::ShoeEmpty
            | Action::Report(_)
    )
}

/// Nobody draws, hands over, counts or reads wrongly what software deals.
const DEALT_BY_SOFTWARE: Why =
    Why::OtherGame { what: "these cards are dealt by software and lie on no layout" };

/// Whether an action tells of cards or a device as people see them on a layout: where software deals there are none.
fn is_of_the_layout(action: &Action) -> bool {
    matches!(
        action,
        Action::Draw { laid: Some(_), .. }
            | Action::Draw { exposed: true, .. }
            | Action::DrawTogether { .. }
            | Action::Correct { .. }
            | Action::CorrectHand { .. }
            | Action::CountShoe { .. }
            | Action::ReportHandling { .. }
    ) || matches!(action, Action::Report(report) if is_told_of_the_layout(report))
}

/// The same for a report.
pub(crate) fn is_told_of_the_layout(report: &Report) -> bool {
    match report {
        Report::ForeignCard
        | Report::Unshuffled
        | Report::CannotRebuild
        | Report::OrderLost
        | Report::CarriedOff { .. }
        | Report::BoxCarriedOff { .. }
        | Report::Jam
        | Report::DeviceReset { .. }
        | Report::FaceUp
        | Report::Exposed { .. }
        | Report::ExposedMoving
        | Report::WrongOrder
        | Report::NoBurn
        | Report::WrongDelivery
        | Report::HandedTo { .. }
        | Report::NotDelivered
        | Report::Damaged { .. }
        | Report::DrawnBy { .. }
        | Report::OpenedBy { .. } => true,
        // Whoever lays a card says where, and people and chips are there whoever deals.
        Report::SurplusOn { .. }
        | Report::Absent { .. }
        | Report::PowerFailure
        | Report::ForceMajeure
        | Report::Other(_)
        | Report::WagerRemoved { .. }
        | Report::EarlierRound { .. } => false,
    }
}

/// Whether an action puts cards on record, which nobody can take back.
fn records_cards(action: &Action) -> bool {
    matches!(
        action,
        Action::Draw { .. }
            | Action::DrawTogether { .. }
            | Action::DealPacket { .. }
            | Action::Correct { .. }
            | Action::CorrectHand { .. }
            | Action::Report(Report::DrawnBy { .. } | Report::OpenedBy { .. })
    )
}

/// The face of a card that must have been read.
fn read(card: Option<Card>) -> Result<[Card; 1], Refusal> {
    card.map(|card| [card]).ok_or_else(|| Why::CardUnread.into())
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
        Action::PostCorrection { case, player, amount } => {
            house::post_correction(draft, *case, *player, *amount)
        }
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

        Action::Draw { card, laid, exposed } => match draft.base().setup.family() {
            Family::Baccarat => deal::draw(draft, *card, *laid, *exposed),
            Family::NiuNiu => hands::drawn(draft, &read(*card)?, None),
        },
        Action::DrawTogether { cards, order_known } => match draft.base().setup.family() {
            Family::Baccarat => deal::draw_together(draft, cards, *order_known),
            Family::NiuNiu => hands::drawn(draft, cards, None),
        },
        Action::Correct { draw, card, because } => deal::correct(draft, *draw, *card, because.as_ref()),
        Action::Reveal { side, told } => reveal::reveal(draft, *side, told),
        Action::OpenFirst(side) => reveal::open_first(draft, *side),
        Action::DealFreeHand => deal::free_hand(draft),
        Action::Call(winner) => settle::call(draft, *winner),
        Action::Display(winner) => settle::display(draft, *winner),
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
        Action::Confirm => second::confirm(draft),
        Action::Retract => irregular::retract(draft),
        Action::Answer { player, withdraw } => choice::answer(draft, *player, *withdraw),
        Action::CloseWindow => choice::close_window(draft),
        Action::HoldTwo(cards) => remedy::hold_two(draft, *cards),
        Action::Sorted { found, witness } => remedy::sorted(draft, found, *witness),

        Action::DealPacket { to, cards } => hands::deal(draft, *to, cards),
        Action::CorrectHand { holder, from, to, because } => {
            hands::correct(draft, *holder, (*from, *to), because.as_ref())
        }
        Action::CheckCount => count::check_count(draft),
        Action::HandleCards { player, box_number } => hands::handle(draft, *player, *box_number),
        Action::SetHand { holder, set_as } => hands::set(draft, *holder, *set_as),
        Action::OpenDealer => hands::open_dealer(draft),
        Action::RestrictBoxes { player } => hands::restrict(draft, *player),
        Action::Lift { player, bar } => bars::lift(draft, *player, *bar),
        Action::ReportHandling { player } => hands::report_handling(draft, *player),
    }
}

/// Nothing is drawn card by card for a hand.
const IN_PACKETS: Why = Why::OtherGame { what: "Niu Niu is dealt in packets of five" };

/// Whether the game has such a thing at all.
fn check_family(table: &Table, action: &Action) -> Result<(), Refusal> {
    if matches!(action, Action::DealFreeHand) && !table.has_free_hands() {
        return Err(Why::OtherGame { what: "this rulebook has no Free Hand" }.into());
    }
    if matches!(action, Action::AcceptNotice { .. }) && table.game().insurance.is_none() {
        return Err(Why::OtherGame { what: "this rulebook has no insurance" }.into());
    }
    let baccarat = matches!(
        action,
        Action::Draw { .. }
            | Action::DrawTogether { .. }
            | Action::Correct { .. }
            | Action::Reveal { .. }
            | Action::OpenFirst(_)
            | Action::DealFreeHand
            | Action::Call(_)
            | Action::Display(_)
            | Action::Report(Report::DrawnBy { .. } | Report::HandedTo { .. } | Report::OpenedBy { .. })
    );
    let niu_niu = matches!(
        action,
        Action::DealPacket { .. }
            | Action::CorrectHand { .. }
            | Action::CheckCount
            | Action::HandleCards { .. }
            | Action::SetHand { .. }
            | Action::OpenDealer
            | Action::RestrictBoxes { .. }
            | Action::Lift { bar: Bar::SeveralBoxes, .. }
    );
    // Cards that lie on a layout may have been drawn without being dealt to anybody.
    let drawn = matches!(
        action,
        Action::Draw { laid: None, .. }
            | Action::DrawTogether { .. }
            | Action::Report(Report::DrawnBy { laid: None, .. })
    );
    match table.setup.family() {
        Family::NiuNiu if drawn && table.shoe.commitment.is_none() => Ok(()),
        Family::NiuNiu if baccarat => Err(IN_PACKETS.into()),
        Family::Baccarat if niu_niu => {
            Err(Why::OtherGame { what: "baccarat has no boxes, and its hands follow from the draw order" }
                .into())
        }
        Family::Baccarat | Family::NiuNiu => Ok(()),
    }
}

/// A player at the table.
pub(crate) fn present(table: &Table, player: PlayerId) -> Result<&Player, Refusal> {
    table.player(player).ok_or_else(|| Why::NoSuchPlayer { player }.into())
}
