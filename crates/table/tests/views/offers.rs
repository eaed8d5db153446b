//! Tries everything a view offers, at both bounds and one step beyond, and what it does not offer.

use croupier_rules::baccarat::Side;
use croupier_rules::{Amount, Family, Power};
use croupier_table::setup::Method;
use croupier_table::view::{Act, Bounds, PlayerView, ReportKind, Service, Who};
use croupier_table::{
    Action, Actor, Event, Fact, PersonId, Phase, Refusal, Report, Table, Views, Why, decide,
};

use super::opening::{Chance, command, money, staff, top};
use super::play::{SIDES, action, any_card, cards, lowest, place, report, ruling, uses};

pub(crate) fn attempt(table: &Table, actor: Actor, action: &Action) -> Result<Vec<Event>, Refusal> {
    decide(table, &command(actor, action.clone()))
}

/// A command is accepted exactly if the view offers it.
#[track_caller]
pub(crate) fn expect(table: &Table, actor: Actor, action: &Action, offered: bool) {
    match (attempt(table, actor, action), offered) {
        (Ok(_), true) | (Err(_), false) => {}
        (Err(refusal), true) => panic!("{:?}: offered, but {action:?} is refused: {refusal}", table.phase()),
        (Ok(events), false) => {
            panic!("{:?}: not offered, but {action:?} is accepted: {events:?}", table.phase())
        }
    }
}

/// Amounts at the bounds are accepted, one step beyond they are not.
#[track_caller]
pub(crate) fn expect_bounds(table: &Table, actor: Actor, bounds: Bounds, make: impl Fn(Amount) -> Action) {
    expect(table, actor, &make(bounds.from), true);
    expect(table, actor, &make(bounds.to), true);
    expect(table, actor, &make(bounds.from - bounds.step), false);
    if let Some(beyond) = bounds.to.checked_add(bounds.step) {
        expect(table, actor, &make(beyond), false);
    }
}

pub(crate) fn check(table: &Table, views: &Views, chance: &mut Chance) {
    for view in views.players() {
        bets(table, view);
        player(table, view, chance);
    }
    dealer(table, views, chance);
    services(table, views);
    new_shoe(table, views);
    pit(table, views);
}

/// What is offered to be done for a player is accepted from the Dealer, and the rest is not.
fn services(table: &Table, views: &Views) {
    let (dealer, desk) = (staff(1, 0), views.dealer().desk);
    assert_eq!(desk.players.len(), table.players.len());
    for served in &desk.players {
        let player = served.player;
        let has = |service| served.may.contains(service);
        let own = views.player(player).expect("a view").own;
        let first = own.place.first().map(|offer| place(player, offer.bet, offer.box_number, offer.add.from));
        match first {
            Some(lay) => expect(table, top(table), &lay, has(Service::Place)),
            None => assert!(!has(Service::Place), "nothing can be laid"),
        }
        let chip = table.setup.terms.chip;
        let free =
            (1..=table.setup.seats).find(|seat| table.players.iter().all(|one| one.seat != Some(*seat)));
        let holds = table.device == Some(player);
        let mut all = vec![
            (Service::BuyIn, Action::BuyIn { player, amount: chip, cash: false }),
            (Service::Tip, Action::Tip { player, amount: chip }),
            (Service::Leave, Action::Leave { player }),
            (Service::ChangePlace, Action::Stand { player, behind: None }),
            (Service::AskSqueeze, Action::AskSqueeze { player }),
            (Service::RefusePlayer, Action::RefuseSqueeze { player, side: Side::Player }),
            (Service::RefuseBanker, Action::RefuseSqueeze { player, side: Side::Banker }),
            (Service::TakeDevice, Action::TakeDevice { player }),
            (Service::ChooseShoe, Action::ChooseShoe { player, replace: false }),
        ];
        all.extend(free.map(|seat| (Service::ChangePlace, Action::Sit { player, seat })));
        // These name nobody, or may be noted at any time.
        all.extend(holds.then_some((Service::GiveUpDevice, Action::GiveUpDevice)));
        all.extend(
            has(Service::AcceptNotice).then_some((Service::AcceptNotice, Action::AcceptNotice { player })),
        );
        all.extend(
            has(Service::ReportHandling)
                .then_some((Service::ReportHandling, Action::ReportHandling { player })),
        );
        assert!(holds || !has(Service::GiveUpDevice));
        for (service, action) in all {
            expect(table, dealer, &action, has(service));
        }
        let by_box = table.setup.family() == Family::NiuNiu;
        let wagers = table.round.wagers.iter().enumerate();
        for (at, laid) in wagers.filter(|(_, laid)| laid.player == player && laid.ended.is_none()) {
            let box_number = laid.area.filter(|_| by_box);
            let back = Action::TakeBack { player, bet: laid.bet, box_number, amount: None };
            expect(table, dealer, &back, served.take_back.contains(&at));
        }
    }
    let set_as = croupier_rules::niu_niu::Category::NoHand;
    for holder in table.round.boxes.hands.iter().map(|dealt| dealt.holder) {
        let offered = desk.set_hands.contains(&holder);
        expect(table, dealer, &Action::SetHand { holder, set_as }, offered);
    }
}

/// Where nothing can be called and no card may come, new cards are asked for; where they are, they may come.
fn new_shoe(table: &Table, views: &Views) {
    let desk = views.dealer().desk;
    let aside = [Act::CutCardOut, Act::AnnounceLast, Act::CountShoe, Act::ShoeEmpty];
    let is_idle = desk.acts.iter().all(|act| aside.contains(&act)) && desk.draw.is_none();
    let others = views.players().any(|view| view.own.may.draw.is_some()) || desk.packets.is_some();
    let no_card = table.round.draws.is_empty() || table.round.closed.is_some();
    let is_covered = desk.liability <= i128::from(desk.float.minor());
    // A wager that nothing covers is for its player to put right.
    let is_theirs =
        table.setup.accepts_outside_limits && views.players().any(|view| !view.own.take_back.is_empty());
    let waits = is_idle && !others && no_card && is_covered && !is_theirs && desk.hold.is_none();
    let is_dealt = !table.round.boxes.hands.is_empty() && table.round.closed.is_none();
    let is_open = table.phase() != Phase::TableClosed;
    assert!(!(waits && !is_dealt && is_open) || desk.needs_shoe, "{:?}: nothing can go on", table.phase());
    if desk.needs_shoe {
        let replace = Action::ReplaceShoe { commitment: None };
        expect(table, top(table), &replace, true);
    }
}

fn bets(table: &Table, view: PlayerView<'_>) {
    let player = view.account.player;
    let actor = Actor::Player(player);
    let terms = &table.setup.terms;
    let boxes: Vec<Option<u8>> = match table.setup.family() {
        Family::Baccarat => vec![None],
        Family::NiuNiu => (1..=table.setup.seats).map(Some).collect(),
    };
    for (bet, number) in
        (0..table.game().bets.len()).flat_map(|bet| boxes.iter().map(move |number| (bet, *number)))
    {
        let lay = |amount| place(player, bet, number, amount);
        let offer = view.own.place.iter().find(|offer| offer.bet == bet && offer.box_number == number);
        match offer {
            Some(offer) => expect_bounds(table, actor, offer.add, lay),
            None => {
                let limit = terms.limit(bet);
                let step = limit.step.unwrap_or(terms.chip);
                let amounts =
                    [Some(terms.chip), Some(step), limit.minimum, limit.maximum, Some(view.account.chips)];
                amounts.into_iter().flatten().for_each(|amount| expect(table, actor, &lay(amount), false));
            }
        }
        let take = |amount| Action::TakeBack { player, bet, box_number: number, amount };
        let offer = view.own.take_back.iter().find(|offer| offer.bet == bet && offer.box_number == number);
        expect(table, actor, &take(None), offer.is_some_and(|offer| offer.all.is_some()));
        match offer.and_then(|offer| offer.part.map(|part| (part, offer.all))) {
            Some((part, all)) => {
                expect(table, actor, &take(Some(part.from)), true);
                expect(table, actor, &take(Some(part.to)), true);
                expect(table, actor, &take(Some(part.from - part.step)), false);
                let beyond = part.to + part.step;
                expect(table, actor, &take(Some(beyond)), all == Some(beyond));
            }
            None => {
                let stake = table.round.wagers.iter().find(|laid| {
                    laid.ended.is_none()
                        && laid.player == player
                        && laid.bet == bet
                        && (number.is_none() || laid.area == number)
                });
                let stake = stake.map_or(terms.chip, |laid| laid.stake);
                for amount in [terms.chip, stake - terms.chip] {
                    let is_all = offer.is_some_and(|offer| offer.all == Some(amount));
                    expect(table, actor, &take(Some(amount)), is_all);
                }
            }
        }
    }
}

fn player(table: &Table, view: PlayerView<'_>, chance: &mut Chance) {
    let player = view.account.player;
    let actor = Actor::Player(player);
    let may = view.own.may;
    expect(table, actor, &Action::Leave { player }, may.leave);
    expect(table, actor, &Action::Stand { player, behind: None }, may.change_place);
    for seat in
        (1..=table.setup.seats).filter(|seat| view.felt.seats.iter().all(|shown| shown.seat != Some(*seat)))
    {
        expect(table, actor, &Action::Sit { player, seat }, may.change_place);
    }
    match may.buy_in {
        Some(bounds) => {
            expect_bounds(table, actor, bounds, |amount| Action::BuyIn { player, amount, cash: false });
        }
        None => expect(table, actor, &Action::BuyIn { player, amount: money(100), cash: false }, false),
    }
    match may.tip {
        Some(bounds) => expect_bounds(table, actor, bounds, |amount| Action::Tip { player, amount }),
        None => expect(table, actor, &Action::Tip { player, amount: table.setup.terms.chip }, false),
    }
    expect(table, actor, &Action::AcceptNotice { player }, may.accept_notice);
    expect(table, actor, &Action::CutCards { above: None }, may.cut);
    expect(table, actor, &Action::AskSqueeze { player }, may.ask_squeeze);
    expect(table, actor, &Action::TakeDevice { player }, may.take_device);
    expect(table, actor, &Action::GiveUpDevice, may.give_up_device);
    expect(table, actor, &Action::ChooseShoe { player, replace: true }, may.choose_shoe);
    assert_eq!(view.own.shoe_cites.is_empty(), !may.choose_shoe, "a choice names its clauses");
    for (at, side) in SIDES.into_iter().enumerate() {
        expect(table, actor, &Action::RefuseSqueeze { player, side }, may.refuse_squeeze[at]);
        expect(table, actor, &Action::PassHand { side, to: None }, may.pass_hand[at]);
        let unread = may.reveal[at].map_or_else(|| unread(table, side), |offer| offer.unread);
        expect(
            table,
            actor,
            &Action::Reveal { side, told: cards(table, chance, unread) },
            may.reveal[at].is_some(),
        );
        let insure = |amount| Action::Insure { player, side, amount };
        match view.own.insure.as_ref().filter(|offer| offer.side == side) {
            Some(offer) => expect_bounds(table, actor, offer.stake, insure),
            None => {
                let least = table.setup.terms.insurance_minimum.unwrap_or(table.setup.terms.chip);
                expect(table, actor, &insure(least), false);
            }
        }
    }
    if let Some(offer) = may.draw {
        expect_draw(table, actor, offer.side, offer.from_held, chance);
    }
    for withdraw in [false, true] {
        expect(table, actor, &Action::Answer { player, withdraw }, view.own.withdraw.is_some());
    }
    if table.setup.family() == Family::NiuNiu {
        for number in 1..=table.setup.seats {
            let handle = Action::HandleCards { player, box_number: number };
            expect(table, actor, &handle, may.handle == Some(number));
            let holder = croupier_table::command::Holder::Box(number);
            let set_as = croupier_rules::niu_niu::Category::NoHand;
            expect(table, actor, &Action::SetHand { holder, set_as }, may.set_hand == Some(number));
        }
    }
}

fn unread(table: &Table, side: Side) -> usize {
    table.round.draws.iter().filter(|dealt| dealt.side == side && dealt.card.is_none()).count()
}

fn expect_draw(table: &Table, actor: Actor, side: Option<Side>, from_held: bool, chance: &mut Chance) {
    let held = table.round.held.first().copied().filter(|_| from_held);
    let Some(card) = held.or_else(|| any_card(table, chance)) else { return };
    let draw = Action::Draw { card: Some(card), laid: None, exposed: false };
    let events = attempt(table, actor, &draw)
        .unwrap_or_else(|refusal| panic!("{:?}: a card is due, but it is refused: {refusal}", table.phase()));
    let mut drawn = events.iter().rev().filter_map(|event| match &event.fact {
        Fact::Drawn { side, .. } => Some(*side),
        _ => None,
    });
    let drawn = drawn.next();
    assert!(side.is_none() || drawn == side, "{side:?} was due, {drawn:?} drew: {events:?}");
}

fn dealer(table: &Table, views: &Views, chance: &mut Chance) {
    let dealer = staff(1, 0);
    let desk = views.dealer().desk;
    for act in Act::ALL.iter().copied() {
        let offered = desk.acts.contains(act);
        // A call after the round is for the record.
        let for_the_record = act == Act::Call && table.round.closed.is_some();
        let no_cards = act == Act::HoldTwo && !offered;
        if for_the_record || no_cards {
            continue;
        }
        let action = action(table, act, chance);
        // Winnings rounded up, or losers who withdrew, may leave the float short; it is filled first.
        let is_short = act == Act::Settle
            && attempt(table, dealer, &action)
                .is_err_and(|refusal| matches!(refusal.why, Why::FloatShort { .. }));
        if !is_short {
            expect(table, dealer, &action, offered);
        }
    }
    if let Some(offer) = desk.draw {
        expect_draw(table, dealer, offer.side, offer.from_held, chance);
    }
    if let Some(due) = &desk.packets {
        let packet = Action::DealPacket { to: due.to[0], cards: cards(table, chance, 5) };
        expect(table, Actor::Device, &packet, true);
        // What lies on the layout the Dealer may tell too; what software deals comes from the device alone.
        expect(table, dealer, &packet, table.shoe.commitment.is_none());
    }
    for (at, side) in SIDES.into_iter().enumerate() {
        if let Some(offer) = desk.reveal[at] {
            let told = cards(table, chance, offer.unread);
            expect(table, dealer, &Action::Reveal { side, told }, true);
        }
    }
    for kind in ReportKind::ALL.iter().copied() {
        let report = report(table, kind, chance);
        // That a card which lies there was seen is offered as the card by its number, and may be told by its place too.
        let strays = table.round.surplus.iter().chain(&table.next.carried);
        let told_late = matches!(
            report,
            Report::SurplusOn { side, exposed: true }
                if strays.clone().any(|stray| stray.on == Some(side) && !stray.exposed)
        );
        let offered = desk.reports.contains(kind) || told_late;
        expect(table, dealer, &Action::Report(report), offered);
    }
    let rulings = desk.hold.iter().flat_map(|hold| &hold.rulings);
    for offer in rulings {
        let made = Action::Rule(ruling(table, offer));
        if offer.order_of > 0 && table.round.together.is_empty() {
            continue;
        }
        expect_rank(table, offer.who, &made);
    }
    if desk.hold.as_ref().is_none_or(|hold| hold.rulings.is_empty()) {
        for remedy in croupier_rules::Remedy::ALL {
            let made = croupier_table::RulingMade {
                remedy,
                with_withdrawal: false,
                order: Vec::new(),
                player: None,
                only: Vec::new(),
                reason: String::new(),
            };
            expect(table, top(table), &Action::Rule(made), false);
        }
    }
}

/// The lowest rank that may is accepted, the one below is not.
#[track_caller]
fn expect_rank(table: &Table, who: Who, action: &Action) {
    let Some(actor) = lowest(who) else {
        return expect(table, top(table), action, false);
    };
    expect(table, actor, action, true);
    if let Who::Rank(rank) = who {
        let level = |rank: u8| table.rulebook().level(rank);
        if let Some(below) = (0..rank.0).rev().find(|below| level(*below) < level(rank.0)) {
            let refusal = attempt(table, staff(2, below), action).expect_err("a rank too low");
            assert!(matches!(refusal.why, Why::NotAuthorised { .. }), "{refusal}");
        }
    }
}

fn pit(table: &Table, views: &Views) {
    let boss = top(table);
    let pit = views.pit().pit;
    let witness = PersonId(1);
    match pit.credit {
        Some(bounds) => expect_bounds(table, boss, bounds, |amount| Action::Credit { amount, witness }),
        None => expect(table, boss, &Action::Credit { amount: money(1), witness }, false),
    }
    if let Some(bounds) = pit.fill {
        expect_bounds(table, boss, bounds, |amount| Action::Fill { amount, witness });
    }
    expect(table, boss, &Action::PayTips, pit.pay_tips);
    expect(table, boss, &Action::CountDrop { witness }, pit.count_drop);
    expect(table, boss, &Action::CloseTable { counted: table.float, witness }, pit.close_table);
    for offer in &pit.powers {
        let actions = uses(table, offer.power);
        let accepted = actions.iter().find(|action| attempt(table, boss, action).is_ok());
        let method_c = offer.power == Power::ChooseMethodC && table.method == Some(Method::C);
        if actions.is_empty() || method_c {
            continue;
        }
        match accepted {
            Some(action) if offer.open => expect_rank(table, offer.who, action),
            None if !offer.open => {}
            Some(action) => {
                panic!("{:?}: {} is closed, but {action:?} is accepted", table.phase(), offer.power)
            }
            None => panic!("{:?}: {} is open, but nothing is accepted", table.phase(), offer.power),
        }
    }
}
