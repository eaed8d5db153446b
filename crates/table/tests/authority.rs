//! Who may do what, written down by hand from the five rulebooks and held against the engine: every action, every
//! kind of actor, every rank.
#![expect(clippy::expect_used, clippy::panic, reason = "a test says what failed")]
#![expect(dead_code, reason = "other tests use more of the shared opening")]

#[path = "views/opening.rs"]
mod opening;

use std::sync::Arc;

use croupier_cards::{Card, Composition, Rank as Pip, Suit};
use croupier_ledger::CaseId;
use croupier_rules::Remedy;
use croupier_rules::baccarat::{Side, Winner};
use croupier_rules::irregularity::ShoeFate;
use croupier_rules::niu_niu::Category;
use croupier_table::command::{Bar, Holder};
use croupier_table::permit::allows;
use croupier_table::setup::Method;
use croupier_table::table::Laid;
use croupier_table::{
    Action, Actor, Event, Fact, PersonId, Place, PlayerId, Rank, Report, RulingMade, Staff, Table, apply,
    decide,
};
use opening::{command, money, open, staff};

/// The player an action is about, another one, the one with the device, and the one with the cards of both hands.
const OWN: PlayerId = PlayerId(1);
const OTHER: PlayerId = PlayerId(2);
const HOLDER: PlayerId = PlayerId(3);
const SQUEEZER: PlayerId = PlayerId(4);

/// An action a row; then the players who may, the lowest rank that may in each rulebook, and whoever else may.
///
/// `any` is the Dealer and everybody above, `-` nobody, `.` that the game has no such thing. Powers: HB 4.8, 6.4.4,
/// 6.4.5, 7.21; HDT 4.8; MBS 3.7.1, 3.8, 3.9.2, 3.10.6, 3.12.2, 3.16, 5.13, 5.18.3; NN 4.6.2, 7.2.
const TABLE: &str = "
                    | players            | HB             | HDT            | MBS                      | NN             | DB               | others
sign-on             | -                  | any            | any            | any                      | any            | any              | table
sign-off            | -                  | any            | any            | any                      | any            | any              | table
fill                | -                  | pit-supervisor | pit-supervisor | pit-supervisor           | pit-supervisor | floor-supervisor | -
credit              | -                  | pit-supervisor | pit-supervisor | pit-supervisor           | pit-supervisor | floor-supervisor | -
count-drop          | -                  | pit-supervisor | pit-supervisor | pit-supervisor           | pit-supervisor | floor-supervisor | -
pay-tips            | -                  | pit-supervisor | pit-supervisor | pit-supervisor           | pit-supervisor | floor-supervisor | -
close-table         | -                  | pit-supervisor | pit-supervisor | pit-supervisor           | pit-supervisor | floor-supervisor | -
sit                 | own                | any            | any            | any                      | any            | any              | table
stand               | own                | any            | any            | any                      | any            | any              | table
buy-in              | own                | any            | any            | any                      | any            | any              | table
buy-in for cash     | -                  | any            | any            | any                      | any            | any              | table
leave               | own                | any            | any            | any                      | any            | any              | table
tip                 | own                | any            | any            | any                      | any            | any              | -
post-correction     | -                  | pit-manager    | pit-manager    | gaming-shift-manager     | pit-manager    | pit-manager      | -
accept-notice       | own                | any            | .              | .                        | .              | .                | -
load-shoe           | -                  | any            | any            | any                      | any            | any              | table
record-shuffle      | -                  | any            | any            | any                      | any            | any              | device table
cut-cards           | own other holder squeezer | any     | any            | any                      | any            | any              | table
burn                | -                  | any            | any            | any                      | any            | any              | table
cut-card-out        | -                  | any            | any            | any                      | any            | any              | device table
announce-last       | -                  | any            | any            | any                      | any            | any              | table
count-shoe          | -                  | any            | any            | any                      | any            | any              | device table
replace-shoe        | -                  | pit-manager    | pit-manager    | pit-manager              | pit-manager    | pit-manager      | -
shoe-empty          | -                  | any            | any            | any                      | any            | any              | device table
choose-shoe         | own                | any            | any            | any                      | any            | any              | -
close-shoe-choice   | -                  | any            | any            | any                      | any            | any              | table
open-bets           | -                  | any            | any            | any                      | any            | any              | table
close-bets          | -                  | any            | any            | any                      | any            | any              | table
place               | own                | any            | any            | any                      | any            | any              | -
take-back           | own                | any            | any            | any                      | any            | any              | -
ask-to-reduce       | -                  | any            | any            | any                      | any            | any              | table
remove-wager        | -                  | -              | -              | pit-manager              | -              | -                | -
limit-areas         | -                  | -              | -              | pit-manager              | -              | -                | -
draw                | holder             | any            | any            | any                      | any            | any              | device table
draw-together       | holder             | any            | any            | any                      | any            | any              | device table
correct             | -                  | any            | any            | any                      | .              | any              | -
correct-hand        | -                  | .              | .              | .                        | any            | .                | -
reveal              | squeezer           | any            | any            | any                      | .              | any              | table
open-first          | -                  | -              | -              | any                      | .              | -                | -
deal-free-hand      | -                  | any            | any            | .                        | .              | .                | table
call                | -                  | any            | any            | any                      | .              | any              | table
display             | -                  | any            | any            | any                      | .              | any              | device table display
settle              | -                  | any            | any            | any                      | any            | any              | table
choose-method A     | -                  | -              | -              | pit-manager              | -              | -                | -
choose-method B     | -                  | -              | -              | pit-manager              | -              | -                | -
choose-method C     | -                  | -              | -              | assistant-casino-manager | -              | -                | -
ask-squeeze         | own                | any            | any            | any                      | any            | any              | -
refuse-squeeze      | own                | any            | any            | any                      | any            | any              | -
forbid-squeeze      | -                  | pit-manager    | pit-manager    | -                        | -              | -                | -
allow-squeeze       | -                  | -              | -              | pit-manager              | -              | -                | -
take-device         | own                | any            | any            | any                      | any            | any              | -
permit-drawing      | -                  | -              | -              | assistant-casino-manager | -              | -                | -
give-up-device      | holder             | any            | any            | any                      | any            | any              | table
pass-hand           | holder             | -              | -              | -                        | -              | -                | -
hand-over           | -                  | any            | any            | any                      | any            | any              | table
offer-insurance     | -                  | any            | any            | any                      | any            | any              | table
insure              | own                | any            | any            | any                      | any            | any              | -
close-insurance     | -                  | any            | any            | any                      | any            | any              | table
permit-insurance    | -                  | shift-manager  | -              | -                        | -              | -                | -
switch-insurance    | -                  | pit-manager    | -              | -                        | -              | -                | -
show-banker-first   | -                  | pit-manager    | -              | -                        | -              | -                | -
report              | -                  | any            | any            | any                      | any            | any              | device
report power-failure| -                  | any            | any            | any                      | any            | any              | device table
report surplus-on   | -                  | any            | any            | any                      | any            | any              | device table
report of a drawer  | -                  | any            | any            | any                      | any            | any              | -
report of a person  | -                  | any            | any            | any                      | .              | any              | -
rule                | -                  | any            | any            | any                      | any            | any              | -
confirm             | -                  | any            | any            | any                      | any            | any              | -
retract             | -                  | pit-manager    | pit-manager    | pit-manager              | pit-manager    | pit-manager      | -
answer              | own                | any            | any            | any                      | any            | any              | -
close-window        | -                  | any            | any            | any                      | any            | any              | table
hold-two            | -                  | any            | any            | any                      | any            | any              | -
sorted              | -                  | any            | any            | any                      | any            | any              | -
deal-packet         | -                  | .              | .              | .                        | any            | .                | device table
check-count         | -                  | .              | .              | .                        | any            | .                | table
handle-cards        | own                | .              | .              | .                        | any            | .                | -
set-hand            | own                | .              | .              | .                        | any            | .                | table
set-hand of dealer  | -                  | .              | .              | .                        | any            | .                | table
open-dealer         | -                  | .              | .              | .                        | any            | .                | table
restrict-boxes      | -                  | .              | .              | .                        | pit-manager    | .                | -
lift squeezing      | -                  | pit-manager    | pit-manager    | -                        | -              | -                | -
lift several-boxes  | -                  | .              | .              | .                        | pit-manager    | .                | -
lift handling       | -                  | -              | -              | -                        | pit-manager    | -                | -
report-handling     | -                  | any            | any            | any                      | any            | any              | -
";

/// The row of an action. A new action has no name until it is written down here, and no row until it has one above.
fn name(action: &Action) -> &'static str {
    match action {
        Action::SignOn(_) => "sign-on",
        Action::SignOff(_) => "sign-off",
        Action::Fill { .. } => "fill",
        Action::Credit { .. } => "credit",
        Action::CountDrop { .. } => "count-drop",
        Action::PayTips => "pay-tips",
        Action::CloseTable { .. } => "close-table",
        Action::Sit { .. } => "sit",
        Action::Stand { .. } => "stand",
        Action::BuyIn { cash: false, .. } => "buy-in",
        Action::BuyIn { cash: true, .. } => "buy-in for cash",
        Action::Leave { .. } => "leave",
        Action::Tip { .. } => "tip",
        Action::PostCorrection { .. } => "post-correction",
        Action::AcceptNotice { .. } => "accept-notice",
        Action::LoadShoe { .. } => "load-shoe",
        Action::RecordShuffle => "record-shuffle",
        Action::CutCards { .. } => "cut-cards",
        Action::Burn { .. } => "burn",
        Action::CutCardOut => "cut-card-out",
        Action::AnnounceLast => "announce-last",
        Action::CountShoe { .. } => "count-shoe",
        Action::ReplaceShoe { .. } => "replace-shoe",
        Action::ShoeEmpty => "shoe-empty",
        Action::ChooseShoe { .. } => "choose-shoe",
        Action::CloseShoeChoice => "close-shoe-choice",
        Action::OpenBets => "open-bets",
        Action::CloseBets => "close-bets",
        Action::Place(_) => "place",
        Action::TakeBack { .. } => "take-back",
        Action::AskToReduce => "ask-to-reduce",
        Action::RemoveWager { .. } => "remove-wager",
        Action::LimitAreas(_) => "limit-areas",
        Action::Draw { .. } => "draw",
        Action::DrawTogether { .. } => "draw-together",
        Action::Correct { .. } => "correct",
        Action::CorrectHand { .. } => "correct-hand",
        Action::Reveal { .. } => "reveal",
        Action::OpenFirst(_) => "open-first",
        Action::DealFreeHand => "deal-free-hand",
        Action::Call(_) => "call",
        Action::Display(_) => "display",
        Action::Settle => "settle",
        Action::ChooseMethod(Method::A) => "choose-method A",
        Action::ChooseMethod(Method::B) => "choose-method B",
        Action::ChooseMethod(Method::C) => "choose-method C",
        Action::AskSqueeze { .. } => "ask-squeeze",
        Action::RefuseSqueeze { .. } => "refuse-squeeze",
        Action::ForbidSqueeze { .. } => "forbid-squeeze",
        Action::AllowSqueeze { .. } => "allow-squeeze",
        Action::TakeDevice { .. } => "take-device",
        Action::PermitDrawing { .. } => "permit-drawing",
        Action::GiveUpDevice => "give-up-device",
        Action::PassHand { .. } => "pass-hand",
        Action::HandOver { .. } => "hand-over",
        Action::OfferInsurance => "offer-insurance",
        Action::Insure { .. } => "insure",
        Action::CloseInsurance => "close-insurance",
        Action::PermitInsurance => "permit-insurance",
        Action::SwitchInsurance { .. } => "switch-insurance",
        Action::ShowBankerFirst { .. } => "show-banker-first",
        Action::Report(Report::PowerFailure) => "report power-failure",
        Action::Report(Report::SurplusOn { .. }) => "report surplus-on",
        Action::Report(Report::DrawnBy { .. }) => "report of a drawer",
        Action::Report(Report::HandedTo { .. } | Report::OpenedBy { .. }) => "report of a person",
        Action::Report(_) => "report",
        Action::Rule(_) => "rule",
        Action::Confirm => "confirm",
        Action::Retract => "retract",
        Action::Answer { .. } => "answer",
        Action::CloseWindow => "close-window",
        Action::HoldTwo(_) => "hold-two",
        Action::Sorted { .. } => "sorted",
        Action::DealPacket { .. } => "deal-packet",
        Action::CheckCount => "check-count",
        Action::HandleCards { .. } => "handle-cards",
        Action::SetHand { holder: Holder::Box(_), .. } => "set-hand",
        Action::SetHand { holder: Holder::Dealer, .. } => "set-hand of dealer",
        Action::OpenDealer => "open-dealer",
        Action::RestrictBoxes { .. } => "restrict-boxes",
        Action::Lift { bar: Bar::Squeezing, .. } => "lift squeezing",
        Action::Lift { bar: Bar::SeveralBoxes, .. } => "lift several-boxes",
        Action::Lift { bar: Bar::Handling, .. } => "lift handling",
        Action::ReportHandling { .. } => "report-handling",
    }
}

/// One of each, about the first player, hand and box.
fn samples() -> Vec<Action> {
    let (player, side, amount, witness) = (OWN, Side::Player, money(1_000), PersonId(1));
    let card = Card::new(Pip::Nine, Suit::Clubs);
    let set_as = Category::NoHand;
    let dealer = Staff { person: PersonId(7), rank: Rank(0), acting: None };
    let place =
        Place { player, bet: 0, amount, area: Some(1), reserve: None, in_chips: true, untimed: false };
    vec![
        Action::SignOn(dealer),
        Action::SignOff(PersonId(1)),
        Action::Fill { amount, witness },
        Action::Credit { amount, witness },
        Action::CountDrop { witness },
        Action::PayTips,
        Action::CloseTable { counted: amount, witness },
        Action::Sit { player, seat: 6 },
        Action::Stand { player, behind: None },
        Action::BuyIn { player, amount, cash: false },
        Action::BuyIn { player, amount, cash: true },
        Action::Leave { player },
        Action::Tip { player, amount },
        Action::PostCorrection { case: CaseId(1), player, amount },
        Action::AcceptNotice { player },
        Action::LoadShoe { set: None, commitment: None },
        Action::RecordShuffle,
        Action::CutCards { above: None },
        Action::Burn { count: 1, cards: Vec::new() },
        Action::CutCardOut,
        Action::AnnounceLast,
        Action::CountShoe { left: 1 },
        Action::ReplaceShoe { commitment: None },
        Action::ShoeEmpty,
        Action::ChooseShoe { player, replace: true },
        Action::CloseShoeChoice,
        Action::OpenBets,
        Action::CloseBets,
        Action::Place(place),
        Action::TakeBack { player, bet: 0, box_number: Some(1), amount: None },
        Action::AskToReduce,
        Action::RemoveWager { player, bet: 0 },
        Action::LimitAreas(1),
        Action::Draw { card: Some(card), laid: None, exposed: false },
        Action::DrawTogether { cards: vec![card, card], order_known: true },
        Action::Correct { draw: 1, card, because: None },
        Action::CorrectHand { holder: Holder::Box(1), from: card, to: card, because: None },
        Action::Reveal { side, told: Vec::new() },
        Action::OpenFirst(side),
        Action::DealFreeHand,
        Action::Call(Winner::Tie),
        Action::Display(Winner::Tie),
        Action::Settle,
        Action::ChooseMethod(Method::A),
        Action::ChooseMethod(Method::B),
        Action::ChooseMethod(Method::C),
        Action::AskSqueeze { player },
        Action::RefuseSqueeze { player, side },
        Action::ForbidSqueeze { player },
        Action::AllowSqueeze { player, side },
        Action::TakeDevice { player },
        Action::PermitDrawing { player },
        Action::GiveUpDevice,
        Action::PassHand { side, to: None },
        Action::HandOver { side, to: player },
        Action::OfferInsurance,
        Action::Insure { player, side, amount },
        Action::CloseInsurance,
        Action::PermitInsurance,
        Action::SwitchInsurance { on: false, asked_by: player },
        Action::ShowBankerFirst { asked_by: player },
        Action::Report(Report::Jam),
        Action::Report(Report::Absent { player }),
        Action::Report(Report::PowerFailure),
        Action::Report(Report::EarlierRound { limits: true }),
        Action::Report(Report::SurplusOn { side, exposed: true }),
        Action::Report(Report::DrawnBy { player, card: None, laid: None, exposed: false }),
        Action::Report(Report::HandedTo { player, side }),
        Action::Report(Report::OpenedBy { player: Some(player), side, told: Vec::new() }),
        Action::Rule(RulingMade::plain(Remedy::PlayOn, false)),
        Action::Confirm,
        Action::Retract,
        Action::Answer { player, withdraw: true },
        Action::CloseWindow,
        Action::HoldTwo([card; 2]),
        Action::Sorted { found: Box::new(Composition::EMPTY), witness },
        Action::DealPacket { to: Holder::Box(1), cards: vec![card; 5] },
        Action::CheckCount,
        Action::HandleCards { player, box_number: 1 },
        Action::SetHand { holder: Holder::Box(1), set_as },
        Action::SetHand { holder: Holder::Dealer, set_as },
        Action::OpenDealer,
        Action::RestrictBoxes { player },
        Action::Lift { player, bar: Bar::Squeezing },
        Action::Lift { player, bar: Bar::SeveralBoxes },
        Action::Lift { player, bar: Bar::Handling },
        Action::ReportHandling { player },
    ]
}

/// The columns of the row of that name.
fn row(name: &str) -> Vec<&'static str> {
    let rows = TABLE.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let mut rows = rows.filter(|columns| columns.first() == Some(&name));
    let found = rows.next().unwrap_or_else(|| panic!("`{name}` has no row"));
    assert!(rows.next().is_none(), "`{name}` has two rows");
    assert_eq!(found.len(), 8, "{name}");
    found
}

/// The five rulebooks in the order of the columns.
const GAMES: [(&str, &[(&str, &str)]); 5] = [
    ("hoiana-baccarat/commission", &[("squeeze", "on")]),
    ("hoiana-dragon-tiger/commission", &[("squeeze", "on")]),
    ("mbs-dragon-tiger", &[("method", "A"), ("area", "paiza-club")]),
    ("hoiana-niu-niu", &[]),
    ("horseshoe-dragon-bonus", &[]),
];

/// A table with the four players, the device and the cards in their hands, and a wager in the first box.
fn table(game: usize) -> Table {
    let (id, settings) = GAMES[game];
    let mut table = open(id, settings);
    for (player, seat) in [OWN, OTHER, HOLDER, SQUEEZER].into_iter().zip(1..) {
        apply(&mut table, &Event { fact: Fact::Seated { player, seat }, cites: Vec::new() });
    }
    table.device = Some(HOLDER);
    table.round.squeezers = [Some(SQUEEZER); 2];
    Arc::make_mut(&mut table.round.wagers).push(Laid {
        player: OWN,
        bet: 0,
        area: Some(1),
        stake: money(1_000),
        reserve: money(0),
        untimed: false,
        since: 1,
        before: Vec::new(),
        ended: None,
    });
    table
}

/// Everybody with whether the row lets them.
fn everybody(table: &Table, game: usize, columns: &[&str]) -> Vec<(Actor, bool)> {
    let in_game = columns[2 + game] != ".";
    let has = |column: &str, who: &str| in_game && column.split(' ').any(|word| word == who);
    let players = [(OWN, "own"), (OTHER, "other"), (HOLDER, "holder"), (SQUEEZER, "squeezer")];
    let mut all: Vec<(Actor, bool)> =
        players.map(|(player, who)| (Actor::Player(player), has(columns[1], who))).to_vec();
    let rulebook = table.rulebook();
    let lowest = match columns[2 + game] {
        "-" | "." => None,
        "any" => Some(0),
        rank => Some(rulebook.rank(rank).unwrap_or_else(|| panic!("{rank} of {}", rulebook.id))),
    };
    for rank in 0..u8::try_from(rulebook.ranks.len()).expect("ranks") {
        let may = lowest.is_some_and(|lowest| rulebook.level(rank) >= rulebook.level(lowest));
        all.push((staff(9, rank), may));
    }
    all.extend([
        (Actor::Device, has(columns[7], "device")),
        (Actor::System, has(columns[7], "table")),
        (Actor::Surveillance, has(columns[7], "surveillance")),
        (Actor::Display, has(columns[7], "display")),
    ]);
    all
}

/// Codes of refusals that are about who asks.
const ABOUT_WHO: [&str; 7] = [
    "not-authorised",
    "not-yours",
    "not-drawer",
    "not-squeezer",
    "no-squeeze",
    "may-not-handle",
    "device-only",
];

#[test]
fn every_action_is_for_those_whom_its_row_names() {
    for game in 0..GAMES.len() {
        let table = table(game);
        for action in samples() {
            let columns = row(name(&action));
            let in_game = columns[2 + game] != ".";
            for (actor, may) in everybody(&table, game, &columns) {
                let place = format!("{}: {actor:?} {action:?}", GAMES[game].0);
                let answer = decide(&table, &command(actor, action.clone()));
                let code = answer.as_ref().err().map(croupier_table::Refusal::code);
                if !in_game {
                    assert_eq!(code, Some("other-game"), "{place}");
                    continue;
                }
                assert_eq!(allows(&table, actor, &action), may, "{place}");
                if may {
                    // Something else may stand against it, but never who asks.
                    assert!(!matches!(code, Some("not-authorised" | "not-yours")), "{place}: {answer:?}");
                } else {
                    assert!(code.is_some_and(|code| ABOUT_WHO.contains(&code)), "{place}: {answer:?}");
                }
            }
        }
    }
}

/// No row is there for nothing, and none is missing.
#[test]
fn every_row_is_tried() {
    let tried: std::collections::BTreeSet<&str> = samples().iter().map(name).collect();
    let rows = TABLE.lines().filter_map(|line| line.split('|').next()).map(str::trim);
    let rows: std::collections::BTreeSet<&str> = rows.filter(|name| !name.is_empty()).collect();
    assert_eq!(tried, rows);
}

/// Who is refused hears who may: the rank and its clause, or whose it is.
#[test]
fn a_refusal_says_whose_it_is() {
    let refused = |game: usize, actor: Actor, action: Action| {
        let table = table(game);
        let refusal = decide(&table, &command(actor, action)).expect_err("refused");
        let cites = refusal.cites.iter().map(|basis| table.rulebook().index.id(*basis).to_string());
        (refusal.why.to_string(), cites.collect::<Vec<_>>().join(" "))
    };
    let told = |text: &str, cites: &str| (text.to_string(), cites.to_string());
    let place = samples().into_iter().find(|action| name(action) == "place").expect("a wager");
    assert_eq!(refused(0, Actor::Display, place), told("this is for the player", "2.1.2 4.5"));
    assert_eq!(refused(2, Actor::Device, Action::OpenBets), told("this is for the Dealer", "3.1"));
    assert_eq!(
        refused(2, staff(9, 1), Action::ChooseMethod(Method::B)),
        told("needs rank 2 or above", "3.9.2")
    );
    let draw = Action::Draw { card: None, laid: None, exposed: false };
    // Where no player draws, nobody hears of a player with a device.
    assert_eq!(refused(0, Actor::Display, draw.clone()), told("this is for the Dealer", ""));
    assert_eq!(refused(2, Actor::Display, draw.clone()), told("this is for the Dealer", "3.9.1"));
    assert_eq!(refused(2, Actor::Player(OTHER), draw), told("cards are drawn by the Dealer", "3.9.1"));
    let reveal = Action::Reveal { side: Side::Player, told: Vec::new() };
    let elsewhere = told("somebody else has the right to these cards", "3.10.2");
    assert_eq!(refused(2, Actor::Player(OTHER), reveal), elsewhere);
}

/// At a table dealt by hand people rule. The software does where it deals, by its settings.
#[test]
fn software_rules_only_where_it_deals() {
    let rule = Action::Rule(RulingMade::plain(Remedy::PlayOn, false));
    for (rank_absent, by_its_settings) in [("wait", false), ("first-ruling", true), ("void", true)] {
        let mut table = open("hoiana-baccarat/commission", &[("rank-absent", rank_absent)]);
        assert_eq!(allows(&table, Actor::System, &rule), by_its_settings, "{rank_absent}");
        table.shoe.commitment = Some([7; 32]);
        assert!(allows(&table, Actor::System, &rule), "{rank_absent}: its own shoe");
    }
}

/// An automatic table brings new cards where that was ruled, or where it is set not to wait and nobody on duty may.
#[test]
fn software_replaces_a_shoe_in_place_of_staff_only() {
    let replace = Action::ReplaceShoe { commitment: None };
    for (rank_absent, may_alone) in [("wait", false), ("first-ruling", true), ("void", true)] {
        let mut table = open("hoiana-baccarat/commission", &[("rank-absent", rank_absent)]);
        assert_eq!(allows(&table, Actor::System, &replace), may_alone, "{rank_absent}");
        let manager = table.rulebook().rank("pit-manager").expect("a rank");
        for (rank, alone) in [(manager - 1, may_alone), (manager, false)] {
            table.staff = vec![Staff { person: PersonId(3), rank: Rank(rank), acting: None }];
            assert_eq!(allows(&table, Actor::System, &replace), alone, "{rank_absent} beside rank {rank}");
        }
        table.shoe.fate = ShoeFate::Replace;
        assert!(allows(&table, Actor::System, &replace), "{rank_absent}: as it was ruled");
    }
}
