//! What can go wrong at a table as it stands: any card, any place, any hand, by anybody, and every report. None of
//! it asks for anything, so none of it may be refused, unless it is on record already.

use croupier_cards::{Card, Rank, Suit};
use croupier_rules::Family;
use croupier_rules::baccarat::Side;
use croupier_rules::niu_niu::Category;
use croupier_table::command::Holder;
use croupier_table::setup::Method;
use croupier_table::{Action, Actor, Phase, PlayerId, Report, Table};

use crate::due::{Move, SIDES, untold};
use crate::world::World;

/// Something that goes another way than the regular one.
#[derive(Clone, Debug)]
pub struct Deviation {
    /// Who does what.
    pub what: Move,
    /// It has happened; or somebody asks for it, and may be refused.
    pub happened: bool,
}

/// Everything that can happen besides what is due, and what somebody with a power may order besides.
#[must_use]
pub fn deviations(world: &World, table: &Table) -> Vec<Deviation> {
    let mut happened = Vec::new();
    if table.shoe.number > 0 {
        match table.setup.family() {
            Family::Baccarat => cards(world, table, &mut happened),
            Family::NiuNiu => packets(world, table, &mut happened),
        }
    }
    let told = reports(world, table).into_iter().map(|report| (world.dealer(), Action::Report(report)));
    happened.extend(told);
    let mut all: Vec<Deviation> =
        happened.into_iter().map(|what| Deviation { what, happened: true }).collect();
    all.extend(orders(world, table).into_iter().map(|what| Deviation { what, happened: false }));
    all
}

/// Players who differ: of those without a wager one stands for all.
fn distinct(table: &Table) -> Vec<PlayerId> {
    let bets = |player: PlayerId| table.round.wagers.iter().any(|laid| laid.player == player);
    let idle = table.players.iter().map(|player| player.id).find(|player| !bets(*player));
    let all = table.players.iter().map(|player| player.id);
    all.filter(|player| bets(*player) || Some(*player) == idle).collect()
}

/// The reports that are about something that is there.
pub(crate) fn reports(world: &World, table: &Table) -> Vec<Report> {
    let mut all = vec![
        Report::Jam,
        Report::DeviceReset { dealer_error: true },
        Report::DeviceReset { dealer_error: false },
        Report::PowerFailure,
        Report::ForceMajeure,
        Report::Other("something that no clause names".to_string()),
    ];
    if table.shoe.number > 0 {
        all.extend([
            Report::ForeignCard,
            Report::Unshuffled,
            Report::OrderLost,
            Report::FaceUp,
            Report::Exposed { draw: None },
            Report::ExposedMoving,
        ]);
        // Before the first card the burn is only due.
        let dealt_from = table.shoe.rounds > 0 || table.round.begun || !table.next.carried.is_empty();
        let unburned = table.setup.burn > 0 && !table.shoe.is_burned;
        all.extend((dealt_from && unburned).then_some(Report::NoBurn));
    }
    for player in distinct(table) {
        all.push(Report::Absent { player });
        all.push(Report::Damaged { player });
    }
    if table.round.closed.is_some() {
        return all;
    }
    let open = table.round.wagers.iter().filter(|laid| laid.ended.is_none());
    all.extend(open.map(|laid| Report::WagerRemoved { player: laid.player, bet: laid.bet }));
    match table.setup.family() {
        Family::Baccarat => of_hands(world, table, &mut all),
        Family::NiuNiu => of_boxes(table, &mut all),
    }
    all
}

fn of_hands(world: &World, table: &Table, all: &mut Vec<Report>) {
    let round = &table.round;
    let out = round.draws.len() + round.waiting.len();
    if out == 0 {
        return;
    }
    let draws = (1..=out).filter_map(|draw| u8::try_from(draw).ok());
    all.extend(draws.map(|draw| Report::Exposed { draw: Some(draw) }));
    all.extend([Report::WrongOrder, Report::WrongDelivery, Report::NotDelivered]);
    // A hand that is complete and read card by card is the one that was dealt.
    all.extend(round.outcome.is_none().then_some(Report::CannotRebuild));
    for side in SIDES {
        let own = || round.draws.iter().filter(move |dealt| dealt.side == side);
        if own().next().is_none() {
            continue;
        }
        all.push(Report::CarriedOff { side });
        all.extend(distinct(table).into_iter().map(|player| Report::HandedTo { player, side }));
        if own().all(|dealt| dealt.exposed) {
            continue;
        }
        let anybody = distinct(table).into_iter().map(Some).chain([None]);
        let told = untold(world, table, side);
        all.extend(anybody.map(|player| Report::OpenedBy { player, side, told: told.clone() }));
    }
}

fn of_boxes(table: &Table, all: &mut Vec<Report>) {
    let boxes = &table.round.boxes;
    for dealt in &boxes.hands {
        if let Holder::Box(box_number) = dealt.holder {
            all.push(Report::BoxCarriedOff { box_number });
        }
    }
    if !boxes.hands.is_empty() {
        all.extend([Report::WrongOrder, Report::Exposed { draw: Some(1) }]);
        // What has been counted and is right lies where it belongs.
        all.extend((!boxes.counted).then_some(Report::CannotRebuild));
    }
}

/// Cards that come too soon, too many, elsewhere, unread, in the wrong hands, together, or are read wrongly.
fn cards(world: &World, table: &Table, all: &mut Vec<Move>) {
    let dealer = world.dealer();
    let next = world.next_card(table);
    let card = next.first().copied();
    for laid in [None, Some(Side::Player), Some(Side::Banker)] {
        for exposed in [false, true] {
            let draws = next.iter().map(|card| Action::Draw { card: Some(*card), laid, exposed });
            all.extend(draws.map(|draw| (dealer, draw)));
        }
        all.push((dealer, Action::Draw { card: None, laid, exposed: false }));
    }
    if table.device.is_some() {
        all.push((Actor::Device, Action::Draw { card, laid: None, exposed: false }));
    }
    for player in distinct(table) {
        for (card, exposed) in [(card, false), (card, true), (None, false)] {
            let report = Report::DrawnBy { player, card, laid: None, exposed };
            all.push((dealer, Action::Report(report)));
        }
    }
    for count in [2, 4] {
        let together = world.next_cards(table, count).into_iter().take(1);
        for (cards, order_known) in together.flat_map(|cards| [(cards.clone(), false), (cards, true)]) {
            all.push((dealer, Action::DrawTogether { cards, order_known }));
        }
    }
    if table.setup.cut_card.is_some() {
        all.push((Actor::Device, Action::CutCardOut));
    }
    all.push((Actor::Device, Action::ShoeEmpty));
    all.push((dealer, Action::CountShoe { left: table.shoe.left.saturating_sub(1) }));
    let round = &table.round;
    let draws = if round.closed.is_none() { round.draws.len() } else { 0 };
    let apart = round.waiting.len() + round.surplus.len() + table.next.carried.len();
    for draw in 1..=draws + apart {
        let draw = u8::try_from(draw).unwrap_or(u8::MAX);
        for card in [Card::new(Rank::Eight, Suit::Diamonds), Card::new(Rank::Queen, Suit::Clubs)] {
            all.push((dealer, Action::Correct { draw, card, because: None }));
        }
    }
}

/// Packets of any size to any box, in play or not, and to the Dealer; cards that are touched, read or set wrongly.
fn packets(world: &World, table: &Table, all: &mut Vec<Move>) {
    let dealer = world.dealer();
    let empty = u8::try_from(world.players.len() + 1).unwrap_or(u8::MAX).min(table.setup.seats);
    let boxes = (1..=empty).map(Holder::Box);
    for to in boxes.chain([Holder::Dealer]) {
        for size in [1, 5, 6] {
            let cards = world.next_cards(table, size).pop().unwrap_or_default();
            if cards.len() == size {
                all.push((Actor::Device, Action::DealPacket { to, cards }));
            }
        }
    }
    if let Some(card) = world.next_card(table).first().copied() {
        all.push((dealer, Action::Draw { card: Some(card), laid: None, exposed: false }));
    }
    all.push((Actor::Device, Action::ShoeEmpty));
    all.push((dealer, Action::CountShoe { left: table.shoe.left.saturating_sub(1) }));
    let touched = distinct(table).into_iter().map(|player| (dealer, Action::ReportHandling { player }));
    all.extend(touched);
    if table.round.closed.is_some() {
        return;
    }
    for dealt in &table.round.boxes.hands {
        let to = world.next_card(table).first().copied();
        if let (Some(from), Some(to)) = (dealt.cards.first().copied(), to) {
            all.push((dealer, Action::CorrectHand { holder: dealt.holder, from, to, because: None }));
        }
    }
}

/// What people may ask for besides: a power is used, a right given up, a hand set wrongly, the burn forgotten.
fn orders(world: &World, table: &Table) -> Vec<Move> {
    let dealer = world.dealer();
    let highest = world.staff.last().copied().map_or(dealer, Actor::Staff);
    let mut all = Vec::new();
    // Without the burn betting can be opened: it shows when the first card is drawn.
    if table.phase() == Phase::ShoeLoaded {
        all.push((dealer, Action::OpenBets));
    }
    // Counted too early, a box lacks its cards.
    if matches!(table.phase(), Phase::Dealing | Phase::CountCheck) {
        all.push((dealer, Action::CheckCount));
    }
    all.push((dealer, Action::AnnounceLast));
    for player in distinct(table) {
        all.push((Actor::Player(player), Action::Leave { player }));
        all.push((highest, Action::ForbidSqueeze { player }));
        for side in SIDES {
            all.push((Actor::Player(player), Action::RefuseSqueeze { player, side }));
            all.push((highest, Action::AllowSqueeze { player, side }));
        }
    }
    if table.method == Some(Method::C) {
        all.push((dealer, Action::GiveUpDevice));
    }
    if let Some(player) = table.device {
        all.extend(SIDES.map(|side| (Actor::Player(player), Action::PassHand { side, to: None })));
    }
    all.push((highest, Action::OpenFirst(Side::Banker)));
    if let Some(asked_by) = world.players.first().copied() {
        all.push((highest, Action::ShowBankerFirst { asked_by }));
    }
    for dealt in &table.round.boxes.hands {
        let (holder, right) = (dealt.holder, dealt.hand().map(|hand| hand.category()));
        if right.is_some_and(|right| right != Category::NoHand) {
            all.push((dealer, Action::SetHand { holder, set_as: Category::NoHand }));
        }
        if let (Holder::Box(box_number), Some(player)) = (holder, world.players.first().copied()) {
            all.push((dealer, Action::HandleCards { player, box_number }));
        }
    }
    all
}
