//! What comes next by the rules: the calls, the cards that are due, the rulings that may be made, and what the
//! players choose. A situation has a way out if these alone lead to the next round.

use croupier_cards::{Card, Composition, Decks};
use croupier_rules::baccarat::Side;
use croupier_rules::irregularity::{Irregularity, Ruling, ShoeFate};
use croupier_rules::{Amount, Family, Remedy};
use croupier_table::command::Holder;
use croupier_table::niu_niu::HandDealt;
use croupier_table::setup::Method;
use croupier_table::table::{Dealt, Laid};
use croupier_table::{
    Action, Actor, Command, Phase, PlayerId, Report, RulingMade, Table, allowed_rulings, decide,
};

use crate::world::World;

/// Both hands, the Player's first.
pub(crate) const SIDES: [Side; 2] = [Side::Player, Side::Banker];

/// What somebody may do next.
pub type Move = (Actor, Action);

/// Everything that is due at a table but the rulings, which are tried rank by rank; some of it may be refused.
#[must_use]
pub fn due(world: &World, table: &Table) -> Vec<Move> {
    let dealer = world.dealer();
    let by_dealer = |action: Action| vec![(dealer, action)];
    match table.phase() {
        Phase::OnHold => places(world, table),
        Phase::OptionWindow => answers(world, table),
        Phase::Sorting => sorting(world, table),
        Phase::ShoeLoaded => {
            let action = unprepared(table).unwrap_or(Action::OpenBets);
            vec![(whoever(world, &action), action)]
        }
        Phase::Ready | Phase::ShoeDecision => {
            let mut moves = vec![(dealer, Action::OpenBets)];
            moves.extend(new_shoe(world, table));
            moves
        }
        Phase::FreeHand => {
            let mut moves = vec![(dealer, Action::DealFreeHand)];
            moves.extend(new_shoe(world, table));
            moves
        }
        Phase::ShoeEnd => {
            let mut moves = vec![(dealer, Action::LoadShoe { set: None, commitment: None })];
            moves.extend(new_shoe(world, table));
            moves
        }
        Phase::ShoeOption => shoe_choices(world, table),
        Phase::BetsOpen | Phase::Reopened | Phase::DifferentialHold => betting(world, table),
        Phase::BetsClosed => match unprepared(table) {
            Some(action) => vec![(whoever(world, &action), action)],
            None => deal(world, table),
        },
        Phase::InitialDeal | Phase::PlayerThird | Phase::Dealing => deal(world, table),
        Phase::InitialReveal | Phase::PlayerThirdReveal | Phase::BankerShownFirst | Phase::BankerThird => {
            let mut moves = reveals(world, table);
            if moves.is_empty() {
                moves = deal(world, table);
            }
            moves
        }
        Phase::InsuranceOne | Phase::InsuranceTwo => insurance(world, table),
        Phase::CountCheck => packet(world, table),
        Phase::Arranging => arrange(world, table),
        Phase::Verify => by_dealer(Action::OpenDealer),
        Phase::Result => by_dealer(Action::Settle),
        Phase::TableClosed => Vec::new(),
    }
}

/// The ways to make the rulings that the rulebook lists for what is on hold; by whom is tried.
#[must_use]
pub fn rulings(table: &Table) -> Vec<(Ruling, RulingMade)> {
    let side = table.hold.as_ref().and_then(|hold| hold.about.side);
    let mut made = Vec::new();
    for ruling in allowed_rulings(table) {
        let plain = RulingMade::plain(ruling.remedy, ruling.withdrawal.is_some());
        match ruling.remedy {
            Remedy::FixOrder => {
                let order = table.round.together.clone();
                let reversed = order.iter().rev().copied().collect();
                made.push((ruling.clone(), RulingMade { order: reversed, ..plain.clone() }));
                made.push((ruling.clone(), RulingMade { order, ..plain }));
            }
            Remedy::NameSqueezer => {
                // With nobody to name it is tried all the same, and its refusal says why.
                let bettors = on_side(table, side);
                let named = bettors.iter().copied().map(Some).chain(bettors.is_empty().then_some(None));
                made.extend(named.map(|player| (ruling.clone(), RulingMade { player, ..plain.clone() })));
            }
            Remedy::PlayOn
            | Remedy::Void
            | Remedy::Rebuild
            | Remedy::NextHandFree
            | Remedy::OpenNextRound
            | Remedy::Discard
            | Remedy::FreeHand
            | Remedy::TakeBackAndBurn
            | Remedy::OfferNewShoe
            | Remedy::Reset
            | Remedy::Substitute
            | Remedy::DealerOpens
            | Remedy::StopHandling
            | Remedy::VoidBox
            | Remedy::DeadCards
            | Remedy::Redeal
            | Remedy::ResetHand => made.push((ruling.clone(), plain)),
        }
    }
    made
}

/// The players with a main wager on a hand.
fn on_side(table: &Table, side: Option<Side>) -> Vec<PlayerId> {
    let open = table.round.wagers.iter().filter(|laid| laid.ended.is_none());
    open.filter(|laid| side.is_some() && table.main_side(laid.bet) == side).map(|laid| laid.player).collect()
}

/// Where a surplus card lies has to be told before anything is ruled.
fn places(world: &World, table: &Table) -> Vec<Move> {
    let Some(stray) = table.round.surplus.iter().find(|stray| stray.on.is_none()) else { return Vec::new() };
    let exposed = stray.exposed;
    SIDES.map(|side| (world.dealer(), Action::Report(Report::SurplusOn { side, exposed }))).to_vec()
}

fn answers(world: &World, table: &Table) -> Vec<Move> {
    let mut moves = vec![(world.dealer(), Action::CloseWindow)];
    let answers = table.hold.iter().flat_map(|hold| &hold.answers);
    let mut waiting = answers.filter(|(_, answer)| answer.is_none()).map(|(player, _)| *player);
    if let Some(player) = waiting.next() {
        for withdraw in [false, true] {
            moves.push((Actor::Player(player), Action::Answer { player, withdraw }));
        }
    }
    moves
}

fn shoe_choices(world: &World, table: &Table) -> Vec<Move> {
    let mut moves = vec![(world.dealer(), Action::CloseShoeChoice)];
    let chose = |player: PlayerId| table.round.shoe_choices.iter().any(|(known, _)| *known == player);
    if let Some(player) = world.players.iter().copied().find(|player| !chose(*player)) {
        for replace in [false, true] {
            moves.push((Actor::Player(player), Action::ChooseShoe { player, replace }));
        }
    }
    moves
}

/// Two cards are held back, what lies unread is opened, and the rest is counted.
fn sorting(world: &World, table: &Table) -> Vec<Move> {
    let dealer = world.dealer();
    let round = &table.round;
    if table.shoe.left < 2 && round.held.is_empty() {
        return vec![(Actor::Device, Action::ShoeEmpty)];
    }
    if round.held.is_empty() {
        let two = [0, 1].map(|at| world.card(table, 6 + at));
        return vec![(dealer, Action::HoldTwo(two))];
    }
    let strays = || round.waiting.iter().chain(&round.surplus).chain(&table.next.carried);
    if let Some(at) = strays().position(|stray| stray.card.is_none()) {
        let place = round.draws.len() + at;
        let draw = u8::try_from(place + 1).unwrap_or(u8::MAX);
        return vec![(dealer, Action::Correct { draw, card: world.card(table, place), because: None })];
    }
    for side in SIDES {
        let told = untold(world, table, side);
        if !is_gone(table, side) && !told.is_empty() {
            return vec![(dealer, Action::Reveal { side, told })];
        }
    }
    let Ok(decks) = Decks::new(table.setup.decks) else { return Vec::new() };
    let mut found = Composition::of_decks(decks);
    let known =
        round.draws.iter().zip(0..).map(|(dealt, at)| dealt.card.unwrap_or_else(|| world.card(table, at)));
    let apart = strays().filter_map(|stray| stray.card).chain(round.together.iter().copied());
    for card in known.chain(apart).chain(round.held.iter().copied()) {
        // What a card of another deck stands in for is missing already.
        let _ = found.remove(card);
    }
    vec![(dealer, Action::Sorted { found: Box::new(found), witness: world.witness() })]
}

/// Whether a player left with the unread cards of a hand.
fn is_gone(table: &Table, side: Side) -> bool {
    let mut hold = table.hold.as_ref();
    while let Some(known) = hold {
        if known.irregularity == Irregularity::CardsCarriedOff && known.about.side == Some(side) {
            return true;
        }
        hold = known.earlier.as_deref();
    }
    false
}

/// The cards of a hand that nobody has read, as they are.
pub(crate) fn untold(world: &World, table: &Table, side: Side) -> Vec<Card> {
    let draws = table.round.draws.iter().zip(0..);
    let unread = draws.filter(|(dealt, _)| dealt.side == side && dealt.card.is_none());
    unread.map(|(_, at)| world.card(table, at)).collect()
}

/// What has to be done with the shoe before cards may come out of it.
fn unprepared(table: &Table) -> Option<Action> {
    let shoe = &table.shoe;
    if shoe.fate == ShoeFate::Replace {
        Some(Action::ReplaceShoe { commitment: None })
    } else if shoe.number == 0 {
        Some(Action::LoadShoe { set: None, commitment: None })
    } else if shoe.rounds > 0 {
        None
    } else if !shoe.is_shuffled {
        Some(Action::RecordShuffle)
    } else if table.setup.cut_card.is_some() && !shoe.is_cut {
        Some(Action::CutCards { above: None })
    } else if table.setup.burn > 0 && !shoe.is_burned && !shoe.unburned_known {
        Some(Action::Burn { count: table.setup.burn, cards: Vec::new() })
    } else {
        None
    }
}

/// The highest on duty for what needs a power, the Dealer for the rest.
fn whoever(world: &World, action: &Action) -> Actor {
    let highest = || world.staff.last().copied().map_or(Actor::System, Actor::Staff);
    if matches!(action, Action::ReplaceShoe { .. }) { highest() } else { world.dealer() }
}

/// New cards, where they are ordered or may be taken.
fn new_shoe(world: &World, table: &Table) -> Option<Move> {
    let action = Action::ReplaceShoe { commitment: None };
    (table.shoe.fate != ShoeFate::Keep).then(|| (whoever(world, &action), action))
}

fn betting(world: &World, table: &Table) -> Vec<Move> {
    if let Some(action) = unprepared(table) {
        return vec![(whoever(world, &action), action)];
    }
    let is_due = |place: &&croupier_table::Place| {
        let same = |laid: &Laid| (laid.player, laid.bet) == (place.player, place.bet);
        table.player(place.player).is_some() && !table.round.wagers.iter().any(same)
    };
    let next = world.wagers.iter().find(is_due).filter(|_| table.phase() == Phase::BetsOpen);
    let next = next.map(|place| (Actor::Player(place.player), Action::Place(*place)));
    // A hand that was made free takes no wagers any more.
    if let Some(place) = next.filter(|place| is_accepted(table, place)) {
        return vec![place];
    }
    let mut moves = Vec::new();
    if table.method == Some(Method::C) && table.device.is_none() {
        let bettors = table.round.wagers.iter().filter(|laid| laid.ended.is_none());
        let first = bettors.map(|laid| laid.player).next();
        moves.extend(first.map(|player| (Actor::Player(player), Action::TakeDevice { player })));
    }
    let asked = |player: &PlayerId| table.round.asked.contains(player);
    if table.setup.squeeze && table.method.is_none() {
        let next = world.players.iter().copied().find(|player| !asked(player));
        moves.extend(next.map(|player| (Actor::Player(player), Action::AskSqueeze { player })));
    }
    // Wagers may stand in the way of the call, never of the card.
    let close = (world.dealer(), Action::CloseBets);
    if is_accepted(table, &close) {
        moves.push(close);
    } else {
        moves.extend(deal(world, table));
    }
    moves
}

/// Who draws: the holder of the device, or the Dealer.
pub(crate) fn drawer(world: &World, table: &Table) -> Actor {
    let method = table.round.method.or(table.method);
    match (method, table.device) {
        (Some(Method::C), Some(player)) => Actor::Player(player),
        _ => world.dealer(),
    }
}

/// The next card, or packet.
fn deal(world: &World, table: &Table) -> Vec<Move> {
    match table.setup.family() {
        Family::NiuNiu => packet(world, table),
        Family::Baccarat => {
            let round = &table.round;
            let open = |dealt: &Dealt| dealt.exposed && dealt.card.is_none();
            if let Some(at) = round.draws.iter().position(open) {
                let draw = u8::try_from(at + 1).unwrap_or(u8::MAX);
                return vec![(
                    world.dealer(),
                    Action::Correct { draw, card: world.card(table, at), because: None },
                )];
            }
            if table.shoe.left == 0 && round.held.is_empty() {
                return vec![(Actor::Device, Action::ShoeEmpty)];
            }
            let held = round.held.first().copied().filter(|_| round.draws.len() >= 4);
            let cards = held.map_or_else(|| world.next_card(table), |held| vec![held]);
            let draw = |card| Action::Draw { card: Some(card), laid: None, exposed: false };
            cards.into_iter().map(|card| (drawer(world, table), draw(card))).collect()
        }
    }
}

/// The boxes in play, in their order, then the Dealer.
pub(crate) fn holders(table: &Table) -> Vec<Holder> {
    let open = table.round.wagers.iter().filter(|laid| laid.ended.is_none());
    let mut boxes: Vec<u8> = open.filter_map(|laid| laid.area).collect();
    boxes.sort_unstable();
    boxes.dedup();
    if table.setup.from_dealer_right {
        boxes.reverse();
    }
    boxes.into_iter().map(Holder::Box).chain([Holder::Dealer]).collect()
}

fn packet(world: &World, table: &Table) -> Vec<Move> {
    let of = |holder: Holder| table.round.boxes.hand(holder).map_or(0, |dealt| dealt.cards.len());
    let size = if table.setup.one_by_one { 1 } else { 5 };
    let holders = holders(table);
    let fewest = holders.iter().copied().filter(|holder| of(*holder) < 5).min_by_key(|holder| {
        let turn = if table.setup.one_by_one { of(*holder) } else { 0 };
        (turn, holders.iter().position(|known| known == holder))
    });
    let cards = world.next_cards(table, size).pop().unwrap_or_default();
    match fewest {
        None => vec![(world.dealer(), Action::CheckCount)],
        Some(_) if cards.len() < size => vec![(Actor::Device, Action::ShoeEmpty)],
        Some(to) => vec![(Actor::Device, Action::DealPacket { to, cards })],
    }
}

/// Each closed hand, by whoever has the right to it.
fn reveals(world: &World, table: &Table) -> Vec<Move> {
    let closed = |side: Side| table.round.draws.iter().any(|dealt| dealt.side == side && !dealt.exposed);
    let mut moves = Vec::new();
    for (side, squeezer) in SIDES.into_iter().zip(table.round.squeezers) {
        if closed(side) {
            let action = Action::Reveal { side, told: untold(world, table, side) };
            let holder = squeezer.filter(|player| table.player(*player).is_some());
            moves.push((holder.map_or(world.dealer(), Actor::Player), action));
        }
    }
    moves.retain(|step| is_accepted(table, step));
    moves
}

fn is_accepted(table: &Table, (actor, action): &Move) -> bool {
    decide(table, &Command { actor: *actor, at: 0, action: action.clone() }).is_ok()
}

fn insurance(world: &World, table: &Table) -> Vec<Move> {
    let Some(window) = table.round.window else { return Vec::new() };
    if !window.offered {
        return vec![(world.dealer(), Action::OfferInsurance)];
    }
    let mut moves = vec![(world.dealer(), Action::CloseInsurance)];
    let lines = table.game().insurance.as_ref().map(|insurance| &insurance.lines);
    let side = lines.and_then(|lines| lines.get(window.line)).map(|line| line.side);
    let took = |player: PlayerId| {
        table.round.insurances.iter().any(|laid| (laid.player, laid.line) == (player, window.line))
    };
    let first = on_side(table, side).into_iter().find(|player| !took(*player));
    if let (Some(player), Some(side)) = (first, side) {
        let amount: Amount = table.setup.terms.chip;
        moves.push((Actor::Player(player), Action::Insure { player, side, amount }));
    }
    moves
}

fn arrange(world: &World, table: &Table) -> Vec<Move> {
    let unset = |dealt: &&HandDealt| dealt.set_as.is_none() && dealt.holder != Holder::Dealer;
    let hand = table.round.boxes.hands.iter().find(unset);
    let set = hand.and_then(|dealt| Some((dealt.holder, dealt.hand()?.category())));
    set.map(|(holder, set_as)| (world.dealer(), Action::SetHand { holder, set_as })).into_iter().collect()
}
