//! Brings a table to the end of its round, with nothing but rulings that its rulebook allows and the next thing
//! that is due.

use croupier_cards::{Card, Composition, Decks};
use croupier_rules::baccarat::Side;
use croupier_rules::irregularity::{Irregularity, Ruling};
use croupier_rules::{Amount, Remedy};
use croupier_table::command::Holder;
use croupier_table::setup::Method;
use croupier_table::{
    Action, Actor, Command, PersonId, Phase, PlayerId, Report, RulingMade, Staff, Table, apply, decide,
};

use crate::happen::unread;
use crate::room::any::{SIDES, member};
use crate::room::random::Random;

/// More than any round takes.
const STEPS: usize = 120;

/// Plays on until no round is open and nothing is on hold; `how` says which of several rulings is taken.
pub(crate) fn finish(mut table: Table, random: &mut Random, how: usize) -> Result<(), String> {
    for _ in 0..STEPS {
        if is_over(&table) {
            return Ok(());
        }
        step(&mut table, random, how)?;
    }
    let round = &table.round;
    let last =
        (&round.draws, &round.waiting, &round.surplus, &round.held, &round.squeezers, round.banker_first);
    Err(format!("no end in {}, with {last:?}", table.phase()))
}

fn is_over(table: &Table) -> bool {
    matches!(
        table.phase(),
        Phase::ShoeLoaded
            | Phase::Ready
            | Phase::FreeHand
            | Phase::ShoeDecision
            | Phase::ShoeOption
            | Phase::ShoeEnd
            | Phase::TableClosed
    )
}

fn give(table: &mut Table, actor: Actor, action: Action) -> Result<(), String> {
    let command = Command { actor, at: 2, action };
    match decide(table, &command) {
        Ok(events) => {
            events.iter().for_each(|event| apply(table, event));
            Ok(())
        }
        Err(refusal) => Err(format!("{:?} {}", command.action, refusal.code())),
    }
}

fn highest(table: &Table) -> Actor {
    Actor::Staff(member(u8::try_from(table.rulebook().ranks.len()).unwrap() - 1))
}

const DEALER: fn() -> Actor = || Actor::Staff(member(0));

fn step(table: &mut Table, random: &mut Random, how: usize) -> Result<(), String> {
    match table.phase() {
        Phase::OnHold => rule(table, random, how),
        Phase::OptionWindow => {
            let hold = table.hold.as_ref().unwrap();
            let open = hold.answers.iter().find(|(_, answer)| answer.is_none()).map(|(player, _)| *player);
            match open {
                Some(player) if how != 0 => {
                    give(table, Actor::Player(player), Action::Answer { player, withdraw: random.chance(50) })
                }
                _ => give(table, DEALER(), Action::CloseWindow),
            }
        }
        Phase::Sorting => sort(table, random),
        Phase::BetsOpen | Phase::Reopened | Phase::DifferentialHold => {
            prepare(table)?;
            cover(table)?;
            // Wagers may stand in the way of the call, never of the card.
            match give(table, Actor::System, Action::CloseBets) {
                Ok(()) => Ok(()),
                Err(_) => deal(table, random),
            }
        }
        Phase::InsuranceOne | Phase::InsuranceTwo => {
            let offered = table.round.window.is_some_and(|window| window.offered);
            give(table, DEALER(), if offered { Action::CloseInsurance } else { Action::OfferInsurance })
        }
        Phase::BetsClosed => {
            prepare(table)?;
            cover(table)?;
            deal(table, random)
        }
        Phase::InitialDeal | Phase::PlayerThird | Phase::Dealing => deal(table, random),
        Phase::InitialReveal | Phase::PlayerThirdReveal | Phase::BankerShownFirst | Phase::BankerThird => {
            open_or_deal(table, random)
        }
        Phase::CountCheck => give(table, DEALER(), Action::CheckCount),
        Phase::Arranging => arrange(table),
        Phase::Verify => give(table, DEALER(), Action::OpenDealer),
        Phase::Result => {
            cover(table)?;
            match give(table, DEALER(), Action::Settle) {
                Err(refused) if refused.ends_with("float-short") => {
                    fill(table)?;
                    give(table, DEALER(), Action::Settle)
                }
                answer => answer,
            }
        }
        Phase::ShoeLoaded
        | Phase::Ready
        | Phase::FreeHand
        | Phase::ShoeDecision
        | Phase::ShoeOption
        | Phase::ShoeEnd
        | Phase::TableClosed => Ok(()),
    }
}

/// Somebody of the highest rank orders one of the rulings that the rulebook lists.
fn rule(table: &mut Table, random: &mut Random, how: usize) -> Result<(), String> {
    if table.round.surplus.iter().any(|surplus| surplus.on.is_none()) {
        let report = Report::SurplusOn { side: random.pick(&SIDES), exposed: random.chance(50) };
        return give(table, DEALER(), Action::Report(report));
    }
    let hold = table.hold.clone().unwrap();
    let referred =
        hold.irregularity == Irregularity::SurplusOnBankerUnseen && table.setup.refers_unseen_surplus;
    let irregularity = if referred { Irregularity::Other } else { hold.irregularity };
    let here = |ruling: &Ruling| !ruling.high_limit_only || table.setup.high_limit_area;
    let found = table.rulebook().irregularity(irregularity).map(|rule| rule.rulings.clone());
    let mut rulings: Vec<Ruling> = found.unwrap_or_default().into_iter().filter(here).collect();
    match how {
        0 => {}
        1 => rulings.reverse(),
        _ => random.shuffle(&mut rulings),
    }
    let mut refused = Vec::new();
    for ruling in rulings {
        let bettor = squeezer(table, hold.about.side);
        let player = bettor.filter(|_| ruling.remedy == Remedy::NameSqueezer);
        let order = if ruling.remedy == Remedy::FixOrder { table.round.together.clone() } else { Vec::new() };
        let plain = RulingMade::plain(ruling.remedy, ruling.withdrawal.is_some());
        let made = RulingMade { order, player, ..plain };
        match give(table, highest(table), Action::Rule(made)) {
            Ok(()) => return Ok(()),
            Err(why) => refused.push(why),
        }
    }
    Err(format!("no ruling on {irregularity}: {refused:?}"))
}

/// A player with a wager on a hand.
fn squeezer(table: &Table, side: Option<Side>) -> Option<PlayerId> {
    let open = table.round.wagers.iter().filter(|laid| laid.ended.is_none());
    let mut own = open.filter(|laid| side.is_some() && table.main_side(laid.bet) == side);
    own.next().map(|laid| laid.player)
}

/// Two cards are held, the rest is counted.
fn sort(table: &mut Table, random: &mut Random) -> Result<(), String> {
    if table.shoe.left < 2 && table.round.held.is_empty() {
        return give(table, Actor::Device, Action::ShoeEmpty);
    }
    let mut left: Vec<Card> = table.shoe.unread.cards().collect();
    random.shuffle(&mut left);
    let mut next = || left.pop().unwrap();
    if table.round.held.is_empty() {
        return give(table, DEALER(), Action::HoldTwo([next(), next()]));
    }
    let gone = |side: Side| {
        let mut hold = table.hold.as_ref();
        let mut found = false;
        while let Some(known) = hold {
            found |= known.irregularity == Irregularity::CardsCarriedOff && known.about.side == Some(side);
            hold = known.earlier.as_deref();
        }
        found
    };
    if let Some(at) = table
        .round
        .waiting
        .iter()
        .chain(&table.round.surplus)
        .chain(&table.next.carried)
        .position(|stray| stray.card.is_none())
    {
        let draw = u8::try_from(table.round.draws.len() + at + 1).unwrap();
        return give(table, DEALER(), Action::Correct { draw, card: next(), because: None });
    }
    for side in SIDES {
        let unknown = |side: Side| {
            table.round.draws.iter().filter(move |dealt| dealt.side == side && dealt.card.is_none())
        };
        if !gone(side) && unknown(side).next().is_some() {
            let told = unknown(side).map(|_| next()).collect();
            return give(table, DEALER(), Action::Reveal { side, told });
        }
    }
    let round = &table.round;
    let missing: Vec<Card> =
        round.draws.iter().filter(|dealt| dealt.card.is_none()).map(|_| next()).collect();
    let mut found = Composition::of_decks(Decks::new(table.setup.decks).unwrap());
    let known = round.draws.iter().filter_map(|dealt| dealt.card);
    let strays = round.surplus.iter().chain(&round.waiting).chain(&table.next.carried);
    let surplus = strays.filter_map(|stray| stray.card);
    let apart = round.together.iter().chain(&round.held).copied();
    for card in known.chain(surplus).chain(apart).chain(missing) {
        let _ = found.remove(card);
    }
    sign_on(table)?;
    give(table, DEALER(), Action::Sorted { found: Box::new(found), witness: member(1).person })
}

/// The shoe is such that cards may come out of it.
fn prepare(table: &mut Table) -> Result<(), String> {
    use croupier_rules::irregularity::ShoeFate;
    if table.shoe.fate == ShoeFate::Replace || table.shoe.number == 0 {
        give(table, highest(table), Action::ReplaceShoe { commitment: None })?;
    }
    // Cards that were played from are not prepared again.
    if table.shoe.rounds > 0 {
        return Ok(());
    }
    if !table.shoe.is_shuffled {
        give(table, Actor::Device, Action::RecordShuffle)?;
    }
    if !table.shoe.is_cut && table.setup.cut_card.is_some() {
        give(table, DEALER(), Action::CutCards { above: None })?;
    }
    let burn = table.setup.burn;
    if burn > 0 && !table.shoe.is_burned && !table.shoe.unburned_known {
        give(table, DEALER(), Action::Burn { count: burn, cards: Vec::new() })?;
    }
    Ok(())
}

/// The house has what it may have to pay.
fn cover(table: &mut Table) -> Result<(), String> {
    if table.float < Amount::new(1_000_000_000).unwrap() { fill(table) } else { Ok(()) }
}

/// Somebody beside the Dealer is there to see it.
fn sign_on(table: &mut Table) -> Result<(), String> {
    let there = |rank: u8| table.staff.iter().any(|staff| staff.person == member(rank).person);
    let missing: Vec<u8> = [0, 1].into_iter().filter(|rank| !there(*rank)).collect();
    missing.into_iter().try_for_each(|rank| give(table, DEALER(), Action::SignOn(member(rank))))
}

fn fill(table: &mut Table) -> Result<(), String> {
    if table.staff.is_empty() {
        give(table, DEALER(), Action::SignOn(member(0)))?;
    }
    let witness = table.staff[0].person;
    let amount = Amount::new(2_000_000_000).unwrap();
    let highest = u8::try_from(table.rulebook().ranks.len()).unwrap() - 1;
    // Somebody who is not the witness, whoever that is.
    let who = Staff { person: PersonId(99), ..member(highest) };
    give(table, Actor::Staff(who), Action::Fill { amount, witness })
}

fn drawer(table: &Table) -> Actor {
    match (table.round.method, table.device) {
        (Some(Method::C), Some(player)) => Actor::Player(player),
        _ => DEALER(),
    }
}

/// The next card or packet.
fn deal(table: &mut Table, random: &mut Random) -> Result<(), String> {
    if table.setup.family() == croupier_rules::Family::NiuNiu {
        let mut boxes: Vec<u8> = table
            .round
            .wagers
            .iter()
            .filter(|laid| laid.ended.is_none())
            .filter_map(|laid| laid.area)
            .collect();
        boxes.sort_unstable();
        boxes.dedup();
        if table.setup.from_dealer_right {
            boxes.reverse();
        }
        let holders = boxes.into_iter().map(Holder::Box).chain([Holder::Dealer]);
        let Some(to) = holders.into_iter().find(|holder| table.round.boxes.hand(*holder).is_none()) else {
            return give(table, DEALER(), Action::CheckCount);
        };
        let mut cards: Vec<Card> = table.shoe.unread.cards().collect();
        if cards.len() < 5 {
            return give(table, Actor::Device, Action::ShoeEmpty);
        }
        random.shuffle(&mut cards);
        cards.truncate(5);
        return give(table, Actor::Device, Action::DealPacket { to, cards });
    }
    // A card that lies open and that nobody has read is told.
    let untold = table.round.draws.iter().position(|dealt| dealt.exposed && dealt.card.is_none());
    if let (Some(at), Some(card)) = (untold, unread(table, random)) {
        let draw = u8::try_from(at + 1).unwrap();
        return give(table, DEALER(), Action::Correct { draw, card, because: None });
    }
    let held = table.round.held.first().copied().filter(|_| table.round.draws.len() >= 4);
    let card = held.or_else(|| unread(table, random).filter(|_| table.shoe.left > 0));
    match card {
        Some(card) => {
            give(table, drawer(table), Action::Draw { card: Some(card), laid: None, exposed: false })
        }
        None => give(table, Actor::Device, Action::ShoeEmpty),
    }
}

/// A closed hand is opened, if one can be; or the next card comes.
fn open_or_deal(table: &mut Table, random: &mut Random) -> Result<(), String> {
    let mut refused = Vec::new();
    for side in SIDES {
        let closed = |side: Side| table.round.draws.iter().any(|dealt| dealt.side == side && !dealt.exposed);
        if closed(side) {
            let mut left: Vec<Card> = table.shoe.unread.cards().collect();
            random.shuffle(&mut left);
            let unknown = table.round.draws.iter().filter(|dealt| dealt.side == side && dealt.card.is_none());
            let told: Vec<Card> = unknown.map(|_| left.pop().unwrap()).collect();
            let at = usize::from(side == Side::Banker);
            let squeezer = table.round.squeezers[at].filter(|player| table.player(*player).is_some());
            let actor = squeezer.map_or_else(DEALER, Actor::Player);
            match give(table, actor, Action::Reveal { side, told }) {
                Ok(()) => return Ok(()),
                Err(why) => refused.push(why),
            }
        }
    }
    deal(table, random).map_err(|why| format!("{why} after {refused:?}"))
}

fn arrange(table: &mut Table) -> Result<(), String> {
    let unset =
        table.round.boxes.hands.iter().find(|dealt| dealt.set_as.is_none() && dealt.holder != Holder::Dealer);
    let Some(dealt) = unset else { return Err("nothing to set".to_string()) };
    let (holder, set_as) = (dealt.holder, dealt.hand().unwrap().category());
    give(table, DEALER(), Action::SetHand { holder, set_as })
}
