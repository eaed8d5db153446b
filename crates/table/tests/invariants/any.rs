//! Anything that anybody might ask, sensible or not.

use croupier_cards::{Card, Composition};
use croupier_ledger::CaseId;
use croupier_rules::baccarat::{Side, Winner};
use croupier_rules::niu_niu::Category;
use croupier_rules::{Amount, Remedy};
use croupier_table::command::{Bar, DeckSet, Holder};
use croupier_table::setup::Method;
use croupier_table::{Action, Actor, PersonId, Place, PlayerId, Rank, Report, RulingMade, Staff, Table};

use super::opening::minor;
use super::random::Random;

/// The players who come and go. The last one comes seldom: only where anything is asked, never where people do
/// what is due.
pub(crate) const PLAYERS: [PlayerId; 7] =
    [PlayerId(1), PlayerId(2), PlayerId(3), PlayerId(4), PlayerId(5), PlayerId(6), PlayerId(u32::MAX)];

pub(crate) const SIDES: [Side; 2] = [Side::Player, Side::Banker];

pub(crate) fn member(rank: u8) -> Staff {
    Staff { person: PersonId(100 + u32::from(rank)), rank: Rank(rank), acting: None }
}

/// Somebody who may do what takes a high rank: the fourth, or the highest of a rulebook with fewer.
pub(crate) fn manager(table: &Table) -> Staff {
    let highest = u8::try_from(table.rulebook().ranks.len()).unwrap() - 1;
    member(highest.min(3))
}

/// Somebody: mostly staff of any rank, and a player, the device, the software, Surveillance, a display.
pub(crate) fn anybody(random: &mut Random, table: &Table) -> Actor {
    let ranks = u8::try_from(table.rulebook().ranks.len()).unwrap();
    match random.below(13) {
        0 => Actor::Surveillance,
        12 => Actor::Display,
        1 => Actor::Device,
        2 | 3 => Actor::System,
        4..7 => Actor::Player(random.pick(&PLAYERS)),
        7 => {
            let acting = Some(Rank(random.small(0, ranks - 1)));
            Actor::Staff(Staff { acting, ..member(random.small(0, ranks - 1)) })
        }
        _ => Actor::Staff(member(random.small(0, ranks - 1))),
    }
}

pub(crate) fn any_card(random: &mut Random) -> Card {
    Card::from_index(random.below(Card::COUNT)).unwrap()
}

fn any_cards(random: &mut Random, most: usize) -> Vec<Card> {
    (0..random.below(most + 1)).map(|_| any_card(random)).collect()
}

fn any_amount(random: &mut Random, table: &Table) -> Amount {
    let chip = table.setup.terms.chip.minor();
    match random.below(20) {
        0 => Amount::ZERO,
        1 => minor(-chip),
        2 => Amount::MAX,
        3 => minor(-Amount::MAX.minor()),
        4 => minor(1),
        5 => minor(Amount::MAX.minor() / chip * chip),
        _ => minor(chip * random.between(1, 90)),
    }
}

fn any_person(random: &mut Random) -> PersonId {
    PersonId(random.pick(&[99, 100, 101, 102, 103, 104, 105, u32::MAX]))
}

fn any_seat(random: &mut Random) -> u8 {
    random.pick(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 17, 255])
}

fn maybe<T>(random: &mut Random, make: impl FnOnce(&mut Random) -> T) -> Option<T> {
    if random.chance(50) { Some(make(random)) } else { None }
}

fn any_holder(random: &mut Random) -> Holder {
    if random.chance(30) { Holder::Dealer } else { Holder::Box(any_seat(random)) }
}

/// A report of any kind.
pub(crate) fn any_report(random: &mut Random) -> Report {
    let player = random.pick(&PLAYERS);
    let side = random.pick(&SIDES);
    match random.below(27) {
        0 => Report::ForeignCard,
        1 => Report::Unshuffled,
        2 => Report::CannotRebuild,
        3 => Report::OrderLost,
        4 => Report::CarriedOff { side },
        5 => Report::Jam,
        6 => Report::DeviceReset { dealer_error: random.chance(60) },
        7 => Report::FaceUp,
        8 => Report::Exposed { draw: maybe(random, |random| random.pick(&[0, 1, 2, 3, 4, 5, 6, 255])) },
        9 => Report::ExposedMoving,
        10 => Report::SurplusOn { side, exposed: random.chance(50) },
        11 => Report::WrongOrder,
        12 => Report::NoBurn,
        13 => Report::WrongDelivery,
        14 => Report::NotDelivered,
        15 => Report::Absent { player },
        16 => Report::Damaged { player },
        17 => Report::PowerFailure,
        18 => Report::ForceMajeure,
        19 => Report::WagerRemoved { player, bet: random.below(10) },
        20 => Report::EarlierRound { limits: random.chance(50) },
        21 => Report::BoxCarriedOff { box_number: any_seat(random) },
        22 => Report::DrawnBy {
            player,
            card: maybe(random, any_card),
            laid: maybe(random, |random| random.pick(&SIDES)),
            exposed: random.chance(30),
        },
        23 => Report::HandedTo { player, side },
        24 => {
            let told = if random.chance(70) { Vec::new() } else { any_cards(random, 3) };
            Report::OpenedBy { player: maybe(random, |_| player), side, told }
        }
        _ => Report::Other("a bird flies in".to_string()),
    }
}

fn any_ruling(random: &mut Random, table: &Table) -> RulingMade {
    let mut order = table.round.together.clone();
    random.shuffle(&mut order);
    RulingMade {
        remedy: random.pick(&Remedy::ALL),
        with_withdrawal: random.chance(30),
        order: if random.chance(70) { order } else { any_cards(random, 4) },
        player: maybe(random, |random| random.pick(&PLAYERS)),
        only: Vec::new(),
        reason: String::new(),
    }
}

fn any_place(random: &mut Random, table: &Table) -> Place {
    Place {
        player: random.pick(&PLAYERS),
        bet: random.pick(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, usize::MAX]),
        amount: any_amount(random, table),
        area: maybe(random, any_seat),
        reserve: if random.chance(80) { None } else { Some(any_amount(random, table)) },
        in_chips: random.chance(95),
        untimed: random.chance(20),
    }
}

/// How many kinds of action there are.
pub(crate) const KINDS: usize = 73;

/// An action of a kind with parameters of any sort.
pub(crate) fn any_action(random: &mut Random, table: &Table, kind: usize) -> Action {
    let player = random.pick(&PLAYERS);
    let side = random.pick(&SIDES);
    let ranks = u8::try_from(table.rulebook().ranks.len()).unwrap();
    match kind {
        0 => Action::SignOn(Staff {
            acting: maybe(random, |random| Rank(random.small(0, ranks))),
            ..member(random.pick(&[0, 1, 2, 3, 4, 5, 6, 255]))
        }),
        1 => Action::SignOff(any_person(random)),
        2 => Action::Fill { amount: any_amount(random, table), witness: any_person(random) },
        3 => Action::Credit { amount: any_amount(random, table), witness: any_person(random) },
        4 => Action::CountDrop { witness: any_person(random) },
        5 => Action::PayTips,
        6 => Action::CloseTable { counted: any_amount(random, table), witness: any_person(random) },
        7 => Action::Sit { player, seat: any_seat(random) },
        8 => Action::Stand { player, behind: maybe(random, any_seat) },
        9 => Action::BuyIn { player, amount: any_amount(random, table), cash: random.chance(50) },
        10 => Action::Leave { player },
        11 => Action::Tip { player, amount: any_amount(random, table) },
        12 => Action::AcceptNotice { player },
        13 => Action::LoadShoe {
            set: maybe(random, |random| random.pick(&[DeckSet::Red, DeckSet::Blue])),
            commitment: maybe(random, |_| [7; 32]),
        },
        14 => Action::RecordShuffle,
        15 => {
            let left = table.shoe.left;
            let place = |random: &mut Random| random.pick(&[0, 1, left.saturating_sub(1), left, u16::MAX]);
            Action::CutCards { above: maybe(random, place) }
        }
        16 => Action::Burn { count: random.pick(&[0, 1, 2, 3, 255]), cards: any_cards(random, 3) },
        17 => Action::CutCardOut,
        18 => Action::AnnounceLast,
        19 => {
            let left = table.shoe.left;
            Action::CountShoe { left: random.pick(&[left, left, left.saturating_sub(1), 0, u16::MAX]) }
        }
        20 => Action::ReplaceShoe { commitment: None },
        21 => Action::ShoeEmpty,
        22 => Action::OpenBets,
        23 => Action::CloseBets,
        24 => Action::Place(any_place(random, table)),
        25 => Action::TakeBack {
            player,
            bet: random.below(10),
            box_number: maybe(random, any_seat),
            amount: maybe(random, |random| any_amount(random, table)),
        },
        26 => Action::AskToReduce,
        27 => Action::RemoveWager { player, bet: random.below(10) },
        28 => Action::LimitAreas(random.pick(&[0, 1, 2, 3, 4, 255])),
        29 => Action::Draw {
            card: maybe(random, any_card),
            laid: maybe(random, |random| random.pick(&SIDES)),
            exposed: random.chance(30),
        },
        30 => Action::DrawTogether { cards: any_cards(random, 5), order_known: random.chance(50) },
        31 => Action::Correct {
            draw: random.pick(&[0, 1, 2, 3, 4, 5, 6, 255]),
            card: any_card(random),
            because: None,
        },
        32 => {
            Action::Reveal { side, told: if random.chance(70) { Vec::new() } else { any_cards(random, 3) } }
        }
        33 => Action::OpenFirst(side),
        34 => Action::DealFreeHand,
        35 => Action::Call(random.pick(&Winner::ALL)),
        36 => Action::Display(random.pick(&Winner::ALL)),
        37 => Action::Settle,
        38 => Action::ChooseMethod(random.pick(&Method::ALL)),
        39 => Action::AskSqueeze { player },
        40 => Action::RefuseSqueeze { player, side },
        41 => Action::ForbidSqueeze { player },
        42 => Action::AllowSqueeze { player, side },
        43 => Action::TakeDevice { player },
        44 => Action::PermitDrawing { player },
        45 => Action::GiveUpDevice,
        46 => Action::PassHand { side, to: maybe(random, |random| random.pick(&PLAYERS)) },
        47 => Action::HandOver { side, to: player },
        48 => Action::OfferInsurance,
        49 => Action::Insure { player, side, amount: any_amount(random, table) },
        50 => Action::CloseInsurance,
        51 => Action::PermitInsurance,
        52 => Action::SwitchInsurance { on: random.chance(50), asked_by: player },
        53 => Action::ShowBankerFirst { asked_by: player },
        54 => Action::Report(any_report(random)),
        55 => Action::Rule(any_ruling(random, table)),
        56 => Action::Retract,
        57 => Action::Answer { player, withdraw: random.chance(50) },
        58 => Action::CloseWindow,
        59 => Action::ChooseShoe { player, replace: random.chance(50) },
        60 => Action::CloseShoeChoice,
        61 => Action::HoldTwo([any_card(random), any_card(random)]),
        62 => {
            let found = Composition::of_cards(any_cards(random, 60)).unwrap_or(Composition::EMPTY);
            Action::Sorted { found: Box::new(found), witness: any_person(random) }
        }
        63 => Action::DealPacket { to: any_holder(random), cards: any_cards(random, 7) },
        64 => Action::CheckCount,
        65 => Action::HandleCards { player, box_number: any_seat(random) },
        66 => Action::SetHand { holder: any_holder(random), set_as: random.pick(&Category::ALL) },
        67 => Action::OpenDealer,
        68 => Action::RestrictBoxes { player },
        69 => Action::ReportHandling { player },
        70 => Action::Lift { player, bar: random.pick(&Bar::ALL) },
        71 => {
            let amount = any_amount(random, table);
            let amount = if random.chance(50) { amount } else { -amount };
            Action::PostCorrection { case: CaseId(1), player, amount }
        }
        _ => {
            let hands = &table.round.boxes.hands;
            let (holder, from) = match hands.len() {
                0 => (any_holder(random), any_card(random)),
                count => {
                    let dealt = &hands[random.below(count)];
                    (dealt.holder, dealt.cards.first().copied().unwrap_or_else(|| any_card(random)))
                }
            };
            Action::CorrectHand { holder, from, to: any_card(random), because: None }
        }
    }
}
