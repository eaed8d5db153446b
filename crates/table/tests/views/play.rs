//! Plays tables at random: what is due, what the views offer, and now and then what goes wrong.

use croupier_cards::Card;
use croupier_rules::baccarat::{Side, Winner};
use croupier_rules::niu_niu::Category;
use croupier_rules::{Amount, Family, Power, Remedy};
use croupier_table::command::{Bar, DeckSet, Holder};
use croupier_table::setup::Method;
use croupier_table::view::{Act, ReportKind, RulingOffer, Who};
use croupier_table::{
    Action, Actor, Command, PersonId, Phase, Place, PlayerId, Report, RulingMade, Table, Views,
};

use super::opening::{Chance, money, staff, top};

pub(crate) const SIDES: [Side; 2] = [Side::Player, Side::Banker];

/// A card that can still come.
pub(crate) fn any_card(table: &Table, chance: &mut Chance) -> Option<Card> {
    let cards: Vec<Card> = table.shoe.unread.cards().collect();
    chance.pick(&cards)
}

pub(crate) fn cards(table: &Table, chance: &mut Chance, count: usize) -> Vec<Card> {
    let mut left: Vec<Card> = table.shoe.unread.cards().collect();
    (0..count.min(left.len())).map(|_| left.swap_remove(chance.below(left.len()))).collect()
}

pub(crate) fn place(player: PlayerId, bet: usize, box_number: Option<u8>, amount: Amount) -> Action {
    Action::Place(Place {
        player,
        bet,
        amount,
        area: box_number,
        reserve: None,
        in_chips: true,
        untimed: false,
    })
}

/// The command for an act.
pub(crate) fn action(table: &Table, act: Act, chance: &mut Chance) -> Action {
    let player = table.players.first().map_or(PlayerId(1), |player| player.id);
    match act {
        Act::OpenBets => Action::OpenBets,
        Act::CloseBets => Action::CloseBets,
        Act::AskToReduce => Action::AskToReduce,
        Act::LoadShoe => Action::LoadShoe { set: None::<DeckSet>, commitment: None },
        Act::RecordShuffle => Action::RecordShuffle,
        Act::CutCards => Action::CutCards { above: None },
        Act::Burn => Action::Burn { count: table.setup.burn, cards: Vec::new() },
        Act::CutCardOut => Action::CutCardOut,
        Act::AnnounceLast => Action::AnnounceLast,
        Act::CountShoe => Action::CountShoe { left: table.shoe.left },
        Act::ShoeEmpty => Action::ShoeEmpty,
        Act::CloseShoeChoice => Action::CloseShoeChoice,
        Act::DealFreeHand => Action::DealFreeHand,
        Act::Call => Action::Call(Winner::Tie),
        Act::Settle => Action::Settle,
        Act::OfferInsurance => Action::OfferInsurance,
        Act::CloseInsurance => Action::CloseInsurance,
        Act::CloseWindow => Action::CloseWindow,
        Act::HoldTwo => {
            let two = cards(table, chance, 2);
            Action::HoldTwo([two[0], two[1]])
        }
        Act::Sorted => {
            // What is not missing: full decks less the closed cards nobody read.
            let mut found = croupier_cards::Composition::of_decks(
                croupier_cards::Decks::new(table.setup.decks).expect("decks"),
            );
            let known = table.round.draws.iter().filter_map(|dealt| dealt.card);
            let held = table.round.held.iter().copied();
            let strays = table.round.surplus.iter().chain(&table.round.waiting).chain(&table.next.carried);
            let surplus = strays.filter_map(|stray| stray.card);
            for card in known.chain(held).chain(surplus) {
                let _ = found.remove(card);
            }
            let missing = table.round.draws.iter().filter(|dealt| dealt.card.is_none()).count();
            for card in cards(table, chance, missing) {
                let _ = found.remove(card);
            }
            Action::Sorted { found: Box::new(found), witness: PersonId(2) }
        }
        Act::CheckCount => Action::CheckCount,
        Act::OpenDealer => Action::OpenDealer,
        Act::HandOverPlayer => Action::HandOver { side: Side::Player, to: player },
        Act::HandOverBanker => Action::HandOver { side: Side::Banker, to: player },
    }
}

/// The first of these that is not on record already.
fn first_new(table: &Table, reports: &[Report]) -> Report {
    let dealer = staff(1, 0);
    let is_new = |report: &&Report| {
        let command = Command { actor: dealer, at: 0, action: Action::Report((*report).clone()) };
        croupier_table::decide(table, &command).is_ok()
    };
    reports.iter().find(is_new).unwrap_or(&reports[0]).clone()
}

/// A report of that kind.
pub(crate) fn report(table: &Table, kind: ReportKind, chance: &mut Chance) -> Report {
    let side = SIDES[chance.below(2)];
    let squeezers = table.round.squeezers.iter().flatten().copied();
    let mut people = squeezers.chain(table.players.iter().map(|player| player.id));
    let player = people.find(|id| table.player(*id).is_some()).unwrap_or(PlayerId(1));
    match kind {
        ReportKind::ForeignCard => Report::ForeignCard,
        ReportKind::Unshuffled => Report::Unshuffled,
        ReportKind::CannotRebuild => Report::CannotRebuild,
        ReportKind::OrderLost => Report::OrderLost,
        ReportKind::CarriedOff if table.setup.family() == Family::NiuNiu => {
            let boxes = (1..=table.setup.seats).map(|box_number| Report::BoxCarriedOff { box_number });
            first_new(table, &boxes.collect::<Vec<_>>())
        }
        ReportKind::CarriedOff => first_new(table, &SIDES.map(|side| Report::CarriedOff { side })),
        ReportKind::Jam => Report::Jam,
        ReportKind::DeviceReset => {
            first_new(table, &[true, false].map(|dealer_error| Report::DeviceReset { dealer_error }))
        }
        ReportKind::FaceUp => Report::FaceUp,
        ReportKind::Exposed => Report::Exposed { draw: None },
        ReportKind::ExposedMoving => Report::ExposedMoving,
        ReportKind::WrongOrder => Report::WrongOrder,
        ReportKind::NoBurn => Report::NoBurn,
        ReportKind::WrongDelivery => Report::WrongDelivery,
        ReportKind::NotDelivered => Report::NotDelivered,
        ReportKind::Absent => Report::Absent { player },
        ReportKind::Damaged => Report::Damaged { player },
        ReportKind::PowerFailure => Report::PowerFailure,
        ReportKind::ForceMajeure => Report::ForceMajeure,
        ReportKind::WagerRemoved => {
            let laid = table.round.wagers.iter().find(|laid| laid.ended.is_none());
            let (player, bet) = laid.map_or((player, 0), |laid| (laid.player, laid.bet));
            Report::WagerRemoved { player, bet }
        }
        ReportKind::Other => Report::Other(format!("lamp {} fell on the table", chance.below(1_000_000))),
        ReportKind::SurplusOn => Report::SurplusOn { side, exposed: chance.once_in(2) },
    }
}

/// The ruling as somebody would make it.
pub(crate) fn ruling(table: &Table, offer: &RulingOffer) -> RulingMade {
    RulingMade {
        remedy: offer.remedy,
        with_withdrawal: offer.withdrawal.is_some(),
        order: if offer.remedy == Remedy::FixOrder { table.round.together.clone() } else { Vec::new() },
        player: offer.one_of.first().copied(),
        only: Vec::new(),
        reason: String::new(),
    }
}

/// The lowest that may, if anybody may.
pub(crate) fn lowest(who: Who) -> Option<Actor> {
    match who {
        Who::Anybody => Some(staff(2, 0)),
        Who::Rank(rank) => Some(staff(2, rank.0)),
        Who::Nobody => None,
    }
}

/// Commands that use a power.
pub(crate) fn uses(table: &Table, power: Power) -> Vec<Action> {
    let players: Vec<PlayerId> =
        table.players.iter().map(|player| player.id).chain([PlayerId(999)]).collect();
    let each = |make: &dyn Fn(PlayerId) -> Action| players.iter().map(|player| make(*player)).collect();
    match power {
        Power::ReplaceShoe => vec![Action::ReplaceShoe { commitment: None }],
        Power::RetractReport => vec![Action::Retract],
        Power::Treasury => vec![Action::CountDrop { witness: PersonId(1) }],
        Power::ForbidSqueeze => {
            let lift = |player: &PlayerId| Action::Lift { player: *player, bar: Bar::Squeezing };
            players
                .iter()
                .map(|player| Action::ForbidSqueeze { player: *player })
                .chain(players.iter().map(lift))
                .collect()
        }
        Power::AllowSqueeze => {
            SIDES.into_iter().map(|side| Action::AllowSqueeze { player: players[0], side }).collect()
        }
        Power::RevealOrder => vec![Action::OpenFirst(Side::Banker)],
        Power::ChooseMethod => vec![Action::ChooseMethod(Method::A), Action::ChooseMethod(Method::B)],
        Power::ChooseMethodC => vec![Action::ChooseMethod(Method::C)],
        Power::DrawWithoutWager => vec![Action::PermitDrawing { player: players[0] }],
        Power::LowerAreaLimit => vec![Action::LimitAreas(3), Action::LimitAreas(1)],
        Power::RemoveWager => table
            .round
            .wagers
            .iter()
            .map(|laid| Action::RemoveWager { player: laid.player, bet: laid.bet })
            .collect(),
        Power::StopInsurance => {
            vec![Action::SwitchInsurance { on: !table.insurance_on, asked_by: players[0] }]
        }
        Power::BankerFirst => vec![Action::ShowBankerFirst { asked_by: players[0] }],
        Power::LateInsurance => vec![Action::PermitInsurance],
        Power::RestrictBoxes => {
            let lift = |player: &PlayerId| Action::Lift { player: *player, bar: Bar::SeveralBoxes };
            players
                .iter()
                .map(|player| Action::RestrictBoxes { player: *player })
                .chain(players.iter().map(lift))
                .collect()
        }
        Power::StopHandling => each(&|player| Action::Lift { player, bar: Bar::Handling }),
        Power::PlaceForPlayer
        | Power::ChooseSqueezer
        | Power::FirstLine
        | Power::DecideDispute
        | Power::AnswerComplaint => Vec::new(),
    }
}

/// What somebody at this table might do next: mostly what brings the round on.
pub(crate) fn next(table: &Table, views: &Views, chance: &mut Chance) -> (Actor, Action) {
    let dealer = staff(1, 0);
    let boss = top(table);
    if chance.once_in(25) {
        return odd(table, views, chance);
    }
    let view = views.dealer();
    if let Some(hold) = &view.desk.hold {
        if let Some(player) =
            hold.answers.iter().find(|(_, answer)| answer.is_none()).map(|(player, _)| *player)
        {
            return (Actor::Player(player), Action::Answer { player, withdraw: chance.once_in(2) });
        }
        if let Some(offer) = hold.rulings.get(chance.below(hold.rulings.len())) {
            return (boss, Action::Rule(ruling(table, offer)));
        }
    }
    if view.desk.reports.contains(ReportKind::SurplusOn) {
        return (dealer, Action::Report(report(table, ReportKind::SurplusOn, chance)));
    }
    if matches!(view.felt.phase, Phase::BetsOpen | Phase::Reopened | Phase::DifferentialHold)
        && !chance.once_in(12)
    {
        let player = table.players[chance.below(table.players.len())].id;
        let own = views.player(player).expect("a view").own;
        if let Some(offer) = own.take_back.get(chance.below(own.take_back.len() * 6)) {
            let amount = offer.part.map(|part| part.from).filter(|_| chance.once_in(2));
            return (
                Actor::Player(player),
                Action::TakeBack { player, bet: offer.bet, box_number: offer.box_number, amount },
            );
        }
        if let Some(offer) = own.place.get(chance.below(own.place.len())) {
            let top = offer.add.to.min(offer.add.from + money(offer.add.step.minor() * 30));
            let amount = if chance.once_in(3) { top } else { offer.add.from };
            return (Actor::Player(player), place(player, offer.bet, offer.box_number, amount));
        }
    }
    for player in table.players.iter().map(|player| player.id) {
        let own = views.player(player).expect("a view").own;
        if let (Some(offer), true) = (&own.insure, chance.once_in(3)) {
            return (
                Actor::Player(player),
                Action::Insure { player, side: offer.side, amount: offer.stake.from },
            );
        }
        if own.may.ask_squeeze && chance.once_in(2) {
            return (Actor::Player(player), Action::AskSqueeze { player });
        }
        if own.may.choose_shoe && own.may.shoe_chosen.is_none() {
            return (Actor::Player(player), Action::ChooseShoe { player, replace: chance.once_in(2) });
        }
        if own.may.take_device {
            return (Actor::Player(player), Action::TakeDevice { player });
        }
        if let Some(number) = own.may.set_hand.filter(|number| is_unset(table, Holder::Box(*number))) {
            return (Actor::Player(player), set(table, Holder::Box(number), chance));
        }
        for side in SIDES {
            let at = usize::from(side == Side::Banker);
            if let Some(offer) = own.may.reveal[at] {
                if chance.once_in(5) {
                    return (Actor::Player(player), Action::RefuseSqueeze { player, side });
                }
                let told = cards(table, chance, offer.unread);
                return (Actor::Player(player), Action::Reveal { side, told });
            }
        }
        if let Some(offer) = own.may.draw {
            return (Actor::Player(player), draw(table, offer.from_held, offer.face_down, chance));
        }
    }
    for side in SIDES {
        if let Some(offer) = view.desk.reveal[usize::from(side == Side::Banker)] {
            return (dealer, Action::Reveal { side, told: cards(table, chance, offer.unread) });
        }
    }
    if let Some(deal) = packets(table, chance) {
        return deal;
    }
    let likely = [
        Act::Settle,
        Act::OfferInsurance,
        Act::DealFreeHand,
        Act::CloseBets,
        Act::AskToReduce,
        Act::CloseShoeChoice,
        Act::CheckCount,
        Act::OpenDealer,
        Act::HoldTwo,
        Act::Sorted,
        Act::RecordShuffle,
        Act::CutCards,
    ];
    if let Some(act) = likely.into_iter().find(|act| view.desk.acts.contains(*act)) {
        return (dealer, action(table, act, chance));
    }
    if view.desk.acts.contains(Act::Burn) && !chance.once_in(8) {
        return (dealer, action(table, Act::Burn, chance));
    }
    if let Some(offer) = view.desk.draw {
        return (dealer, draw(table, offer.from_held, offer.face_down, chance));
    }
    for act in [Act::OpenBets, Act::LoadShoe] {
        if view.desk.acts.contains(act) {
            return (dealer, action(table, act, chance));
        }
    }
    match views.pit().pit.powers.iter().any(|offer| offer.power == Power::ReplaceShoe && offer.open) {
        true => (boss, Action::ReplaceShoe { commitment: None }),
        false => odd(table, views, chance),
    }
}

fn draw(table: &Table, from_held: bool, face_down: bool, chance: &mut Chance) -> Action {
    let card = match table.round.held.first() {
        Some(card) if from_held => Some(*card),
        _ if face_down && chance.once_in(4) => None,
        _ => any_card(table, chance),
    };
    let laid = chance.once_in(30).then(|| SIDES[chance.below(2)]);
    Action::Draw { card, laid, exposed: card.is_some() && chance.once_in(20) }
}

fn is_unset(table: &Table, holder: Holder) -> bool {
    table.round.boxes.hand(holder).is_some_and(|dealt| dealt.set_as.is_none())
}

fn set(table: &Table, holder: Holder, chance: &mut Chance) -> Action {
    let right = table.round.boxes.hand(holder).and_then(|dealt| dealt.hand()).map(|hand| hand.category());
    let set_as = right.filter(|_| !chance.once_in(10)).unwrap_or(Category::NoHand);
    Action::SetHand { holder, set_as }
}

/// The packets of a Niu Niu round, now and then a wrong one; then the hands nobody has set.
fn packets(table: &Table, chance: &mut Chance) -> Option<(Actor, Action)> {
    match table.phase() {
        Phase::BetsClosed | Phase::Dealing if table.setup.family() == croupier_rules::Family::NiuNiu => {
            let mut boxes: Vec<u8> = table.round.wagers.iter().filter_map(|laid| laid.area).collect();
            boxes.sort_unstable();
            boxes.dedup();
            let without = |number: &u8| table.round.boxes.hand(Holder::Box(*number)).is_none();
            let to = boxes.into_iter().find(without).map_or(Holder::Dealer, Holder::Box);
            let to = if chance.once_in(30) { Holder::Box(1) } else { to };
            let count = if chance.once_in(30) { 4 } else { 5 };
            Some((Actor::Device, Action::DealPacket { to, cards: cards(table, chance, count) }))
        }
        Phase::Arranging => {
            let unset = |holder: &Holder| *holder != Holder::Dealer && is_unset(table, *holder);
            let holder = table.round.boxes.hands.iter().map(|dealt| dealt.holder).find(unset)?;
            Some((staff(1, 0), set(table, holder, chance)))
        }
        _ => None,
    }
}

/// Something else: an act of any kind, a report, a power, money, people.
fn odd(table: &Table, views: &Views, chance: &mut Chance) -> (Actor, Action) {
    let boss = top(table);
    let dealer = staff(1, 0);
    let player = PlayerId(u32::try_from(1 + chance.below(9)).expect("a number"));
    match chance.below(12) {
        0..3 => {
            let kinds: Vec<ReportKind> = views.dealer().desk.reports.iter().collect();
            match chance.pick(&kinds) {
                Some(kind) => (dealer, Action::Report(report(table, kind, chance))),
                None => (boss, Action::Retract),
            }
        }
        3 => {
            let together = cards(table, chance, 2 + chance.clone().below(2));
            let by = table.device.map_or(Actor::Device, Actor::Player);
            (by, Action::DrawTogether { cards: together, order_known: chance.once_in(2) })
        }
        4 | 5 => {
            let powers = &views.pit().pit.powers;
            let actions =
                powers.get(chance.below(powers.len())).map_or(Vec::new(), |offer| uses(table, offer.power));
            match actions.get(chance.below(actions.len())) {
                Some(action) => (boss, action.clone()),
                None => (boss, Action::Retract),
            }
        }
        6 => {
            let acts: Vec<Act> = views.dealer().desk.acts.iter().collect();
            let act =
                chance.pick(&acts).filter(|act| !matches!(act, Act::ShoeEmpty) || chance.clone().once_in(4));
            act.map_or((boss, Action::PayTips), |act| (dealer, action(table, act, chance)))
        }
        7 => (Actor::Player(player), Action::Leave { player }),
        8 => {
            let seat = u8::try_from(1 + chance.below(7)).expect("a seat");
            (Actor::Player(player), Action::Sit { player, seat })
        }
        9 => (Actor::Player(player), Action::BuyIn { player, amount: money(40_000), cash: false }),
        10 => (Actor::Player(player), Action::Stand { player, behind: Some(1) }),
        _ => (Actor::Player(player), Action::Tip { player, amount: money(100) }),
    }
}
