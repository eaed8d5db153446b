//! Views over whole days of play at every game: nobody sees a closed card that is not theirs to see, following
//! the events gives the same views as looking anew, and what a view offers is exactly what is accepted.
#![expect(clippy::expect_used, clippy::panic, reason = "a test says what failed")]
#![expect(dead_code, reason = "the benchmark uses more of the shared opening")]

#[path = "views/offers.rs"]
mod offers;
#[path = "views/opening.rs"]
mod opening;
#[path = "views/play.rs"]
mod play;
#[path = "views/told.rs"]
mod told;

use std::collections::BTreeSet;

use croupier_cards::Card;
use croupier_table::command::Holder;
use croupier_table::table::Dealt;
use croupier_table::{Event, Fact, PlayerId, Refusal, Table, Views, apply, decide};
use opening::{Chance, command, open, people};
use proptest::prelude::*;

type Settings = &'static [(&'static str, &'static str)];

/// Every game, with squeezing, dealing methods, insurance and limits in their variety.
const TABLES: &[(&str, Settings)] = &[
    ("hoiana-baccarat/commission", &[("squeeze", "on"), ("insurance-lapse", "window")]),
    (
        "hoiana-baccarat/commission",
        &[("limits-at-entry", "accept"), ("wager-step", "500"), ("insurance-minimum", "300")],
    ),
    ("hoiana-baccarat/non-commission", &[("squeeze", "on"), ("squeeze-allocation", "per-hand-highest")]),
    ("hoiana-baccarat/commission", &[("insurance-limit 3:1", "1500"), ("insurance-lapse", "window")]),
    ("hoiana-dragon-tiger/commission", &[("differential", "3000")]),
    ("hoiana-dragon-tiger/non-commission", &[("squeeze", "on"), ("differential", "5000")]),
    ("mbs-dragon-tiger", &[("method", "A"), ("wagers-per-area", "1"), ("differential", "4000")]),
    ("mbs-dragon-tiger", &[("method", "A"), ("device", "plain")]),
    ("mbs-dragon-tiger", &[("method", "B"), ("wager-step", "300"), ("maximum", "6000")]),
    ("mbs-dragon-tiger", &[("method", "C"), ("area", "paiza-club")]),
    ("horseshoe-dragon-bonus", &[("bonus-requires-main", "yes"), ("commission-collection", "end-of-shoe")]),
    ("jade-ez-baccarat", &[]),
    ("jade-punto-banco", &[("limits-at-entry", "accept")]),
    ("jade-punto-banco", &[]),
    ("onyx-baccarat/full", &[("layout", "horseshoe"), ("chip", "200"), ("limits-at-entry", "refuse")]),
    (
        "onyx-baccarat/full",
        &[("layout", "horseshoe"), ("payable-unit", "5"), ("rounding", "up"), ("limits-at-entry", "refuse")],
    ),
    ("onyx-baccarat/short", &[("layout", "crescent"), ("chip", "40"), ("limits-at-entry", "refuse")]),
    ("onyx-niu-niu", &[("layout", "half-moon"), ("limits-at-entry", "refuse")]),
    ("onyx-baccarat/full", &[("layout", "horseshoe"), ("chip", "200"), ("limits-at-entry", "accept")]),
    ("onyx-baccarat/short", &[("layout", "crescent"), ("chip", "40"), ("limits-at-entry", "accept")]),
    ("onyx-niu-niu", &[("layout", "half-moon"), ("limits-at-entry", "accept")]),
    ("jade-tied", &[]),
    ("jade-tied", &[("limits-at-entry", "accept")]),
    ("hoiana-niu-niu", &[]),
    ("hoiana-niu-niu", &[("several-boxes", "no"), ("limits-at-entry", "accept")]),
];

/// A table with people at it, and its views.
struct Floor {
    table: Table,
    views: Views,
    chance: Chance,
}

impl Floor {
    fn new(which: usize, number: u64) -> Self {
        let (game, settings) = TABLES[which % TABLES.len()];
        let mut chance = Chance(number);
        // Little money at some tables, so that chips and the float bound what may be laid.
        let (chips, float) =
            [(20_000, 60_000), (300_000, 90_000), (40_000, 5_000_000), (900_000, 400_000)][chance.below(4)];
        Self::open(game, settings, chips, float, chance)
    }

    fn open(game: &str, settings: &[(&str, &str)], chips: i64, float: i64, chance: Chance) -> Self {
        let table = open(game, settings);
        let views = Views::new(&table);
        let mut floor = Self { table, views, chance };
        for (actor, action) in people(&floor.table, 4, chips, float) {
            floor.run(actor, action).unwrap_or_else(|refusal| panic!("{refusal}"));
        }
        floor
    }

    fn run(
        &mut self,
        actor: croupier_table::Actor,
        action: croupier_table::Action,
    ) -> Result<Vec<Event>, Refusal> {
        let events = decide(&self.table, &command(actor, action))?;
        for event in &events {
            apply(&mut self.table, event);
        }
        self.views.update(&self.table, &events);
        Ok(events)
    }

    /// One command, whatever comes of it; whether anything did.
    fn step(&mut self) -> Vec<Event> {
        let (actor, action) = play::next(&self.table, &self.views, &mut self.chance);
        self.run(actor, action).unwrap_or_default()
    }
}

/// How many of each card.
fn counted(cards: impl IntoIterator<Item = Card>) -> Vec<Card> {
    let mut cards: Vec<Card> = cards.into_iter().collect();
    cards.sort_unstable();
    cards
}

/// The cards that everybody may see, from the table itself.
fn open_cards(table: &Table) -> Vec<Card> {
    let round = &table.round;
    let mut cards: Vec<Card> =
        round.draws.iter().filter(|dealt| dealt.exposed).filter_map(|dealt| dealt.card).collect();
    cards.extend(
        round
            .surplus
            .iter()
            .chain(&round.waiting)
            .chain(&table.next.carried)
            .filter(|stray| stray.exposed)
            .filter_map(|stray| stray.card),
    );
    if !table.deals_face_down() {
        cards.extend(&round.together);
    }
    if round.boxes.dealer_open {
        cards.extend(round.boxes.hands.iter().flat_map(|dealt| &dealt.cards));
    }
    cards
}

/// The closed cards that one player may see.
fn entitled(table: &Table, player: PlayerId) -> Vec<Card> {
    let round = &table.round;
    let playing = round.closed.is_none();
    let mine = |dealt: &&Dealt| {
        let lies = dealt.misplaced.unwrap_or(dealt.side);
        let squeezer = |side| round.squeezers[usize::from(side == croupier_rules::baccarat::Side::Banker)];
        playing && !dealt.exposed && squeezer(dealt.side) == Some(player) && squeezer(lies) == Some(player)
    };
    let mut cards: Vec<Card> = round.draws.iter().filter(mine).filter_map(|dealt| dealt.card).collect();
    let own = |ended: bool| -> BTreeSet<u8> {
        let wagers = round.wagers.iter().filter(|laid| laid.player == player);
        wagers.filter(|laid| ended || laid.ended.is_none()).filter_map(|laid| laid.area).collect()
    };
    // NN 4.6.1: of several boxes only the one before the seat, until all hands are open.
    let mut looks_at = own(round.boxes.dealer_open);
    if looks_at.len() > 1 && !round.boxes.dealer_open {
        let seat = table.player(player).and_then(|player| player.seat);
        looks_at.retain(|number| Some(*number) == seat);
    }
    for dealt in round.boxes.hands.iter().filter(|_| round.boxes.counted) {
        if matches!(dealt.holder, Holder::Box(number) if looks_at.contains(&number)) {
            cards.extend(&dealt.cards);
        }
    }
    cards
}

/// Every card on the table or known to somebody, and every one still to come: none may be in a view by chance.
fn names_in(view: &dyn core::fmt::Debug, allowed: &[Card]) -> Option<String> {
    let text = format!("{view:?}");
    let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let closed: Vec<String> =
        croupier_cards::Composition::of_decks(croupier_cards::Decks::new(1).expect("a deck"))
            .cards()
            .filter(|card| !allowed.contains(card))
            .map(|card| card.to_string())
            .collect();
    words.find(|word| closed.iter().any(|card| card == word)).map(str::to_string)
}

/// Part by part, so that a difference can be read.
fn check_same(followed: &Views, anew: &Views, after: &str) {
    let (followed_all, anew_all) = (followed.surveillance(), anew.surveillance());
    assert_eq!(followed_all.desk, anew_all.desk, "{after}");
    assert_eq!(followed_all.pit, anew_all.pit, "{after}");
    assert_eq!(followed_all.hidden, anew_all.hidden, "{after}");
    for (followed, anew) in followed.players().zip(anew.players()) {
        assert_eq!(followed.own, anew.own, "{after}");
        assert_eq!(followed.account, anew.account, "{after}");
    }
    assert_eq!(followed_all.felt, anew_all.felt, "{after}");
    assert_eq!(followed, anew, "{after}");
}

fn check_cards(floor: &Floor) {
    let (table, views) = (&floor.table, &floor.views);
    let open = counted(open_cards(table));
    assert_eq!(counted(views.public().cards()), open, "the display");
    assert_eq!(counted(views.dealer().cards()), open, "the Dealer");
    assert_eq!(counted(views.pit().cards()), open, "the pit");
    assert_eq!(names_in(&views.public(), &open), None, "the display");
    assert_eq!(names_in(&views.dealer(), &open), None, "the Dealer");
    assert_eq!(names_in(&views.pit(), &open), None, "the pit");
    for view in views.players() {
        let player = view.account.player;
        let mut allowed = open.clone();
        allowed.extend(entitled(table, player));
        assert_eq!(counted(view.cards()), counted(allowed.iter().copied()), "player {}", player.0);
        assert_eq!(names_in(&view, &allowed), None, "player {}", player.0);
    }
    let round = &table.round;
    let mut drawn = open.clone();
    drawn.extend(round.draws.iter().filter_map(|dealt| dealt.card));
    let strays = round.surplus.iter().chain(&round.waiting).chain(&table.next.carried);
    drawn.extend(strays.filter_map(|stray| stray.card));
    drawn.extend(round.held.iter().chain(&round.boxes.dead));
    drawn.extend(round.boxes.hands.iter().flat_map(|dealt| &dealt.cards));
    assert_eq!(counted(views.surveillance().cards()), counted(drawn.iter().copied()), "surveillance");
    assert_eq!(names_in(&views.surveillance(), &drawn), None, "surveillance");
    for (at, side) in play::SIDES.into_iter().enumerate() {
        let closed = round.draws.iter().any(|dealt| dealt.side == side && !dealt.exposed);
        assert!(!closed || views.public().felt.points[at].is_none(), "a count tells a closed card");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn views_show_what_their_audience_may_see_and_do(which in 0..TABLES.len(), number in any::<u64>()) {
        let mut floor = Floor::new(which, number);
        for step in 0..400 {
            let before = floor.views.clone();
            let events = floor.step();
            if events.is_empty() {
                assert_eq!(floor.views, before);
                continue;
            }
            check_same(&floor.views, &Views::new(&floor.table), &format!("{:?} {step}: {events:?}", TABLES[which]));
            check_cards(&floor);
            offers::check(&floor.table, &floor.views, &mut floor.chance);
        }
    }
}

/// The walk goes everywhere it should: otherwise the property says little.
#[test]
fn the_walk_meets_squeezes_rulings_insurance_and_free_hands() {
    let mut met = std::collections::BTreeMap::<&str, usize>::new();
    for which in 0..TABLES.len() {
        for number in 0..12 {
            let mut floor = Floor::new(which, number);
            for _ in 0..500 {
                let closed = floor.views.players().any(|view| !view.own.closed.is_empty());
                *met.entry("closed cards in a player's view").or_default() += usize::from(closed);
                for event in floor.step() {
                    let name = match event.fact {
                        Fact::RoundClosed { .. } => "rounds",
                        Fact::Insured { .. } => "insurances",
                        Fact::Ruled { .. } => "rulings",
                        Fact::OptionOpened { .. } => "options to withdraw",
                        Fact::FreeHandBegan { .. } => "free hands",
                        Fact::Drawn { card: None, .. } => "unread cards",
                        Fact::DealerOpened => "Niu Niu hands",
                        Fact::TwoHeld(_) => "cards held back",
                        Fact::StoodIn { .. } => "cards that stand in",
                        Fact::DrawnTogether { .. } => "cards drawn together",
                        Fact::SurplusDrawn { .. } => "surplus cards",
                        Fact::HandPassed { .. } => "hands passed",
                        Fact::ShoeChosen { .. } => "choices of the shoe",
                        Fact::AskedToReduce { .. } => "differentials",
                        _ => continue,
                    };
                    *met.entry(name).or_default() += 1;
                }
            }
        }
    }
    for name in [
        "closed cards in a player's view",
        "rounds",
        "insurances",
        "rulings",
        "options to withdraw",
        "free hands",
        "unread cards",
        "Niu Niu hands",
        "cards drawn together",
        "differentials",
    ] {
        assert!(met.get(name).copied().unwrap_or_default() > 10, "{name} in {met:?}");
    }
}
