//! Everything that can physically happen at a table as it stands: any card, any place, any hand, by anybody.

use croupier_cards::Card;
use croupier_rules::Family;
use croupier_rules::baccarat::Side;
use croupier_table::command::Holder;
use croupier_table::{Action, Actor, Report, Table};

use crate::room::any::{SIDES, member};
use crate::room::random::Random;

const DEALER: fn() -> Actor = || Actor::Staff(member(0));

/// A card that nobody has read yet, so that it can come out of the shoe.
pub(crate) fn unread(table: &Table, random: &mut Random) -> Option<Card> {
    let left: Vec<Card> = table.shoe.unread.cards().collect();
    if left.is_empty() { None } else { Some(random.pick(&left)) }
}

/// A card of which all are out, so that one more is foreign.
fn one_too_many(table: &Table, random: &mut Random) -> Option<Card> {
    let out: Vec<Card> =
        table.shoe.unread.counts().filter(|(_, left)| *left == 0).map(|(card, _)| card).collect();
    if out.is_empty() { None } else { Some(random.pick(&out)) }
}

/// What can happen, with a name for its kind and who reports it.
pub(crate) fn everything(table: &Table, random: &mut Random) -> Vec<(&'static str, Actor, Action)> {
    let mut all = Vec::new();
    // Where software deals, no card lies on a layout.
    let on_layout = table.shoe.commitment.is_none();
    let has_shoe = table.shoe.number > 0 && on_layout;
    // Without a shoe there is no card to come out of it.
    if has_shoe {
        match table.setup.family() {
            Family::Baccarat => cards(table, random, &mut all),
            Family::NiuNiu => packets(table, random, &mut all),
        }
    }
    let mut report = |kind, report| all.push((kind, DEALER(), Action::Report(report)));
    if on_layout {
        report("jam", Report::Jam);
        report("reset", Report::DeviceReset { dealer_error: true });
        report("reset", Report::DeviceReset { dealer_error: false });
    }
    report("power failure", Report::PowerFailure);
    report("force majeure", Report::ForceMajeure);
    report("other", Report::Other("a bird flies in".to_string()));
    if has_shoe {
        report("foreign card", Report::ForeignCard);
        report("unshuffled", Report::Unshuffled);
        report("order lost", Report::OrderLost);
        report("face up", Report::FaceUp);
        report("exposed", Report::Exposed { draw: None });
        report("exposed on the way", Report::ExposedMoving);
        // With no card out the burn is still to come, and not forgotten.
        let round = &table.round;
        let out = !round.draws.is_empty() || !round.waiting.is_empty() || !round.together.is_empty();
        let dealt = round.closed.is_none() && out || !table.next.carried.is_empty() || table.shoe.rounds > 0;
        if table.setup.burn > 0 && !table.shoe.is_burned && dealt {
            report("no burn", Report::NoBurn);
        }
    }
    for player in &table.players {
        report("absent", Report::Absent { player: player.id });
        if on_layout {
            report("damaged", Report::Damaged { player: player.id });
        }
    }
    if table.round.closed.is_none() {
        for laid in table.round.wagers.iter().filter(|laid| laid.ended.is_none()) {
            report("wager removed", Report::WagerRemoved { player: laid.player, bet: laid.bet });
        }
    }
    if has_shoe {
        let counted = table.shoe.left.saturating_sub(u16::from(random.chance(50)));
        all.push(("count", DEALER(), Action::CountShoe { left: counted }));
    }
    all
}

fn cards(table: &Table, random: &mut Random, all: &mut Vec<(&'static str, Actor, Action)>) {
    let dealer = DEALER();
    for laid in [None, Some(Side::Player), Some(Side::Banker)] {
        for exposed in [false, true] {
            let card = unread(table, random);
            if card.is_some() {
                all.push(("card", Actor::Device, Action::Draw { card, laid, exposed }));
                all.push(("card by the Dealer", dealer, Action::Draw { card, laid, exposed }));
            }
        }
        all.push(("unread card", Actor::Device, Action::Draw { card: None, laid, exposed: false }));
        all.push(("unread card by the Dealer", dealer, Action::Draw { card: None, laid, exposed: false }));
    }
    if let Some(player) = table.device {
        let card = unread(table, random);
        all.push((
            "card by the holder",
            Actor::Player(player),
            Action::Draw { card, laid: None, exposed: false },
        ));
    }
    for player in &table.players {
        let card = unread(table, random).filter(|_| random.chance(70));
        let laid = random.pick(&[None, Some(Side::Player), Some(Side::Banker)]);
        let exposed = card.is_some() && random.chance(50);
        let report = Report::DrawnBy { player: player.id, card, laid, exposed };
        all.push(("card by a player", dealer, Action::Report(report)));
    }
    let mut two: Vec<Card> = table.shoe.unread.cards().collect();
    random.shuffle(&mut two);
    two.truncate(2 + random.below(4));
    if two.len() >= 2 {
        for order_known in [false, true] {
            all.push(("cards together", dealer, Action::DrawTogether { cards: two.clone(), order_known }));
            if let Some(card) = one_too_many(table, random) {
                let cards = [two.clone(), vec![card]].concat();
                all.push(("one too many together", dealer, Action::DrawTogether { cards, order_known }));
            }
        }
    }
    if table.setup.cut_card.is_some() {
        all.push(("cut card", Actor::Device, Action::CutCardOut));
    }
    all.push(("shoe empty", Actor::Device, Action::ShoeEmpty));
    if table.round.closed.is_some() || table.round.draws.is_empty() {
        return;
    }
    let round = &table.round;
    let apart = round.waiting.iter().chain(&round.surplus).chain(&table.next.carried);
    for draw in 1..=round.draws.len() + apart.count() + round.together.len() {
        let draw = u8::try_from(draw).unwrap();
        if let Some(card) = unread(table, random) {
            all.push(("correction", dealer, Action::Correct { draw, card, because: None }));
        }
        if let Some(card) = one_too_many(table, random) {
            all.push(("correction to one too many", dealer, Action::Correct { draw, card, because: None }));
        }
    }
    for draw in 1..=round.draws.len() + round.waiting.len() + round.together.len() {
        let draw = u8::try_from(draw).unwrap();
        all.push(("exposed", dealer, Action::Report(Report::Exposed { draw: Some(draw) })));
    }
    let mut report = |kind, report| all.push((kind, dealer, Action::Report(report)));
    report("wrong order", Report::WrongOrder);
    report("wrong delivery", Report::WrongDelivery);
    report("not delivered", Report::NotDelivered);
    // A hand that is complete and read card by card is the one that was dealt.
    if round.outcome.is_none() {
        report("not to be put together", Report::CannotRebuild);
    }
    for side in SIDES {
        let own = || round.draws.iter().filter(|dealt| dealt.side == side);
        if own().next().is_none() {
            continue;
        }
        report("carried off", Report::CarriedOff { side });
        for player in &table.players {
            report("handed to somebody", Report::HandedTo { player: player.id, side });
        }
        let mut left: Vec<Card> = table.shoe.unread.cards().collect();
        random.shuffle(&mut left);
        let unknown = own().filter(|dealt| dealt.card.is_none()).count();
        if own().all(|dealt| dealt.exposed) || left.len() < unknown {
            continue;
        }
        left.truncate(unknown);
        let anybody = table.players.iter().map(|player| Some(player.id));
        for player in anybody.chain([None]) {
            report("opened by somebody", Report::OpenedBy { player, side, told: left.clone() });
        }
    }
}

fn packets(table: &Table, random: &mut Random, all: &mut Vec<(&'static str, Actor, Action)>) {
    let boxes = (1..=table.setup.seats).map(Holder::Box);
    for to in boxes.chain([Holder::Dealer]) {
        let mut cards: Vec<Card> = table.shoe.unread.cards().collect();
        random.shuffle(&mut cards);
        cards.truncate(random.pick(&[1, 5, 5, 6]));
        if !cards.is_empty() {
            all.push(("packet", Actor::Device, Action::DealPacket { to, cards: cards.clone() }));
        }
        if let Some(card) = one_too_many(table, random) {
            cards.push(card);
            all.push(("packet with one too many", Actor::Device, Action::DealPacket { to, cards }));
        }
    }
    all.push(("shoe empty", Actor::Device, Action::ShoeEmpty));
    for player in &table.players {
        let player = player.id;
        all.push(("cards off the layout", DEALER(), Action::ReportHandling { player }));
    }
    if table.round.closed.is_some() {
        return;
    }
    for dealt in &table.round.boxes.hands {
        if let Holder::Box(box_number) = dealt.holder {
            let report = Report::BoxCarriedOff { box_number };
            all.push(("box carried off", DEALER(), Action::Report(report)));
        }
        if let (Some(to), false) = (unread(table, random), dealt.cards.is_empty()) {
            let from = random.pick(&dealt.cards);
            let correct = Action::CorrectHand { holder: dealt.holder, from, to, because: None };
            all.push(("correction of a hand", DEALER(), correct));
        }
        if let (Some(to), Some(from)) = (one_too_many(table, random), dealt.cards.first().copied())
            && from != to
        {
            let correct = Action::CorrectHand { holder: dealt.holder, from, to, because: None };
            all.push(("correction of a hand to one too many", DEALER(), correct));
        }
    }
    if !table.round.boxes.hands.is_empty() {
        all.push(("wrong order", DEALER(), Action::Report(Report::WrongOrder)));
        // What has been counted and is right lies where it belongs.
        if !table.round.boxes.counted {
            all.push(("not to be put together", DEALER(), Action::Report(Report::CannotRebuild)));
        }
        all.push(("exposed", DEALER(), Action::Report(Report::Exposed { draw: Some(1) })));
    }
}
