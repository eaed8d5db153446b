//! One table of the scope: how it is opened, who is there, what they bet, and which cards come.
//!
//! A round can run in few ways that differ in effect: who draws a third card, whether a natural ends it, and who
//! wins. One order of cards stands for each of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use croupier_cards::{Card, Rank, Suit};
use croupier_rules::baccarat::{Deal, Side};
use croupier_rules::setting::Setting;
use croupier_rules::settle::Terms;
use croupier_rules::{Amount, Family, Game, Rulebook};
use croupier_table::{
    Actor, Chosen, Opening, PersonId, Place, PlayerId, Setup, Staff, Table, TableId, Value,
};

use crate::{Scope, ScopeFault};

/// A table, and everything that comes to it from outside.
#[derive(Clone, Debug)]
pub struct World {
    /// What sets it apart, for people.
    pub name: String,
    /// What the table is opened with.
    pub opening: Opening,
    /// The same, checked.
    pub setup: Arc<Setup>,
    /// The orders in which the cards of a round may come; of Niu Niu the whole deck.
    pub orders: Arc<Vec<Vec<Card>>>,
    /// What is bet in the first round, in this order.
    pub wagers: Vec<Place>,
    /// Wagers lie outside the limits.
    pub outside: bool,
    /// Who plays.
    pub players: Vec<PlayerId>,
    /// One of each rank on duty, the lowest first.
    pub staff: Vec<Staff>,
}

/// A chip, in minor units: any amount that wagers and half pays divide evenly.
const CHIP: i64 = 100;
/// What people bring, and what the house has: more than any round can cost.
const RICH: i64 = 1_000_000_000;
/// Posted limits, in chips.
const LIMITS: (i64, i64, i64) = (10, 1_000, 5_000);

fn chips(count: i64) -> Amount {
    Amount::new(count * CHIP).unwrap_or(Amount::ZERO)
}

impl World {
    /// All tables of a scope, those that differ most from each other first.
    ///
    /// # Errors
    /// [`ScopeFault`] if the scope makes no table.
    pub fn all(rulebook: &Arc<Rulebook>, game: &Game, scope: &Scope) -> Result<Vec<Self>, ScopeFault> {
        let staff = on_duty(rulebook, scope)?;
        let orders = Arc::new(orders(rulebook.family));
        let mut worlds = Vec::new();
        for variant in variants(rulebook) {
            let opening = opening(rulebook, game, &variant.settings);
            let setup = match Setup::new(rulebook, &opening) {
                Ok(setup) => Arc::new(setup),
                // What this rulebook does not let an operator choose is no table of its own.
                Err(_) if !variant.settings.is_empty() => continue,
                Err(faults) => {
                    let faults: Vec<String> = faults.into_iter().map(|fault| fault.message).collect();
                    return Err(ScopeFault::Opening { faults: faults.join("; ") });
                }
            };
            for (bets, wagers) in wagers(game, rulebook.family, scope.players, &variant) {
                worlds.push(Self {
                    name: format!("{}, {bets}", variant.name),
                    opening: opening.clone(),
                    setup: Arc::clone(&setup),
                    orders: Arc::clone(&orders),
                    wagers,
                    outside: variant.outside,
                    players: (1..=u32::from(scope.players)).map(PlayerId).collect(),
                    staff: staff.clone(),
                });
            }
        }
        Ok(worlds)
    }

    /// The table before anybody has come.
    #[must_use]
    pub fn table(&self) -> Table {
        Table::new(TableId(1), Arc::clone(&self.setup))
    }

    /// The Dealer, or whoever of those on duty is lowest.
    #[must_use]
    pub fn dealer(&self) -> Actor {
        self.staff.first().copied().map_or(Actor::System, Actor::Staff)
    }

    /// Somebody on duty beside the Dealer.
    #[must_use]
    pub fn witness(&self) -> PersonId {
        self.staff.get(1).map_or(PersonId(1), |staff| staff.person)
    }

    /// What everybody brings.
    #[must_use]
    pub fn riches() -> Amount {
        Amount::new(RICH).unwrap_or(Amount::ZERO)
    }

    /// The cards that may come next out of the shoe, one for each way in which the round may go on.
    #[must_use]
    pub fn next_card(&self, table: &Table) -> Vec<Card> {
        let mut next: Vec<Card> = Vec::new();
        for cards in self.next_cards(table, 1) {
            next.extend(cards.first().filter(|card| !next.contains(card)));
        }
        next
    }

    /// The same for several cards at once: the orders that go with what is out, from there on.
    #[must_use]
    pub fn next_cards(&self, table: &Table, count: usize) -> Vec<Vec<Card>> {
        if table.setup.family().in_packets() {
            let deck = self.orders.iter().flatten().copied();
            return vec![deck.filter(|card| table.shoe.unread.count(*card) > 0).take(count).collect()];
        }
        let out = out(table);
        let from = |order: &Vec<Card>| (out.len()..out.len() + count).map(|at| card_of(order, at)).collect();
        self.fitting(&out).map(from).collect()
    }

    /// The card at a place of the round that nobody has read, as it turns out to be.
    #[must_use]
    pub fn card(&self, table: &Table, at: usize) -> Card {
        let out = out(table);
        self.fitting(&out).next().map_or_else(|| card_of(&[], at), |order| card_of(order, at))
    }

    /// The orders that differ least from what is out: a card that was put right is one that differs.
    fn fitting(&self, out: &[Option<Card>]) -> impl Iterator<Item = &Vec<Card>> {
        let differing = |order: &Vec<Card>| {
            let differs = |(at, card): (usize, &Option<Card>)| {
                card.is_some_and(|card| order.get(at).is_some_and(|own| *own != card))
            };
            // An order that is over says nothing of what comes.
            let over = usize::from(order.len() <= out.len());
            (out.iter().enumerate().filter(|pair| differs(*pair)).count(), over)
        };
        let least = self.orders.iter().map(differing).min();
        self.orders.iter().filter(move |order| Some(differing(order)) == least)
    }
}

/// The cards that are out of the shoe for the round, or for the next one, as far as they were read.
fn out(table: &Table) -> Vec<Option<Card>> {
    let round = &table.round;
    let draws = round.draws.iter().filter(|_| round.closed.is_none()).map(|dealt| dealt.card);
    let strays =
        round.waiting.iter().chain(&round.surplus).chain(&table.next.carried).map(|stray| stray.card);
    draws.chain(strays).chain(round.together.iter().copied().map(Some)).collect()
}

/// The card at a place of an order; behind its end some others.
fn card_of(order: &[Card], at: usize) -> Card {
    const OTHERS: [Card; 4] = [
        Card::new(Rank::Four, Suit::Clubs),
        Card::new(Rank::King, Suit::Diamonds),
        Card::new(Rank::Seven, Suit::Hearts),
        Card::new(Rank::Ace, Suit::Spades),
    ];
    order.get(at).copied().unwrap_or(OTHERS[at.saturating_sub(order.len()) % OTHERS.len()])
}

/// One of each rank, but for those who are off duty.
fn on_duty(rulebook: &Rulebook, scope: &Scope) -> Result<Vec<Staff>, ScopeFault> {
    for absent in &scope.off_duty {
        if rulebook.rank(absent).is_none() {
            let known: Vec<&str> = rulebook.ranks.iter().map(|rank| rank.id.as_str()).collect();
            return Err(ScopeFault::NoSuchRank { rank: absent.clone(), known: known.join(", ") });
        }
    }
    let there = |id: &str| !scope.off_duty.iter().any(|absent| absent == id);
    let mut staff: Vec<Staff> = rulebook
        .ranks
        .iter()
        .zip(0_u8..)
        .filter(|(rank, _)| there(&rank.id))
        .map(|(_, at)| Staff {
            person: PersonId(u32::from(at) + 1),
            rank: croupier_table::Rank(at),
            acting: None,
        })
        .collect();
    staff.sort_by_key(|staff| rulebook.level(staff.rank.0));
    if staff.len() < 2 {
        return Err(ScopeFault::NobodyLeft);
    }
    Ok(staff)
}

/// Settings that change what can go wrong or how it is ruled.
struct Variant {
    name: &'static str,
    settings: Vec<(Setting, Value)>,
    /// Wagers lie outside the limits.
    outside: bool,
}

fn variants(rulebook: &Rulebook) -> Vec<Variant> {
    let word = |word: &str| Value::Word(word.to_string());
    let has = |setting| rulebook.setting(setting).is_some();
    let variant = |name, settings| Variant { name, settings, outside: false };
    let mut variants = vec![variant("cards face up", Vec::new())];
    if rulebook.family.in_packets() {
        variants = vec![variant("packets of five", Vec::new())];
        variants.push(variant("one by one", vec![(Setting::DealPattern, word("one-by-one"))]));
    }
    if has(Setting::Squeeze) {
        let settings =
            vec![(Setting::Squeeze, word("on")), (Setting::SqueezeAllocation, word("per-hand-highest"))];
        variants.push(variant("cards face down", settings));
    }
    if has(Setting::Method) {
        variants.push(variant("Method A", vec![(Setting::Method, word("A"))]));
        let area = (Setting::Area, word("paiza-club"));
        variants.push(variant("Method C", vec![area, (Setting::Method, word("C"))]));
    }
    if has(Setting::UnexposedSurplusBankerCard) {
        let refer = (Setting::UnexposedSurplusBankerCard, word("refer"));
        variants.push(variant("unseen surplus cards are referred", vec![refer]));
    }
    if has(Setting::LimitsAtEntry) {
        let accept = (Setting::LimitsAtEntry, word("accept"));
        variants.push(Variant { outside: true, ..variant("wagers outside the limits", vec![accept]) });
    }
    variants
}

/// The opening of the table: what the rulebook leaves to the operator without a default, and the variant.
fn opening(rulebook: &Rulebook, game: &Game, chosen: &[(Setting, Value)]) -> Opening {
    let variant = game.variant.as_ref().map(|variant| &variant.id);
    let fits = |layout: &&croupier_rules::rulebook::Layout| {
        layout.variant.is_none() || layout.variant.as_ref() == variant
    };
    let layout = rulebook.layouts.iter().filter(fits).max_by_key(|layout| (layout.insurance, layout.seats.1));
    let (minimum, maximum, differential) = LIMITS;
    let chip = chips(1).max(Amount::new(Terms::CHIP_PARTS).unwrap_or(Amount::ZERO));
    let mut granted: Vec<(Setting, Value)> = vec![
        (Setting::Burn, Value::Count(1)),
        (Setting::CutCard, Value::Count(14)),
        (Setting::Chip, Value::Money(chip)),
        (Setting::Minimum, Value::Money(chips(minimum))),
        (Setting::Maximum, Value::Money(chips(maximum))),
        (Setting::Differential, Value::Money(chips(differential))),
        (Setting::SchedulePosted, Value::Word("yes".to_string())),
    ];
    granted.extend(layout.map(|layout| (Setting::Layout, Value::Word(layout.id.clone()))));
    let residual = rulebook.ranks.last().map(|rank| Value::Word(rank.id.clone()));
    granted.extend(residual.map(|rank| (Setting::ResidualAuthority, rank)));
    granted.retain(|(setting, _)| rulebook.setting(*setting).is_some_and(|spec| spec.default.is_none()));
    granted.extend(chosen.iter().cloned());
    let settings = granted
        .into_iter()
        .map(|(setting, value)| Chosen { setting, bet: None, odds: None, value })
        .collect();
    Opening { game: game.id.clone(), settings, ..Opening::default() }
}

/// The bets that differ: opposite hands with a side bet, the same hand with equal wagers, and none.
fn wagers(game: &Game, family: Family, players: u8, variant: &Variant) -> Vec<(&'static str, Vec<Place>)> {
    let (minimum, maximum, differential) = LIMITS;
    let place = |player: u8, bet: usize, count: i64| Place {
        player: PlayerId(u32::from(player)),
        bet,
        amount: chips(count),
        area: None,
        reserve: None,
        in_chips: true,
        untimed: false,
    };
    if family.by_box() {
        return vec![("a box each", boxes(game, players, variant, &place))];
    }
    let main = |side: Side| game.bets.iter().position(|bet| bet.main == Some(side)).unwrap_or(0);
    let aside = game.bets.iter().position(|bet| bet.main.is_none());
    let side = |player: u8| if player % 2 == 1 { Side::Player } else { Side::Banker };
    if variant.outside {
        // One below the minimum, one above the maximum and beyond the differential.
        let amount = |player: u8| if player % 2 == 1 { minimum / 2 } else { maximum + differential };
        let laid = (1..=players).map(|player| place(player, main(side(player)), amount(player)));
        return vec![("below the minimum and above the maximum", laid.collect())];
    }
    let mut opposite: Vec<Place> =
        (1..=players).map(|player| place(player, main(side(player)), minimum)).collect();
    opposite.extend(aside.map(|bet| place(1, bet, minimum)));
    let untimed = |player: u8| Place { untimed: true, ..place(player, main(Side::Banker), minimum) };
    let same = (1..=players).map(untimed).collect();
    vec![("on opposite hands", opposite), ("on the same hand", same), ("without wagers", Vec::new())]
}

/// A box for each player: the bet that every box needs, and one more with its Reserve.
fn boxes(game: &Game, players: u8, variant: &Variant, place: &dyn Fn(u8, usize, i64) -> Place) -> Vec<Place> {
    let (minimum, ..) = LIMITS;
    let required = game.bets.iter().position(|bet| bet.required).unwrap_or(0);
    let reserved: Vec<usize> = (0..game.bets.len())
        .filter(|at| game.bets.get(*at).is_some_and(|bet| bet.reserve.is_some()))
        .collect();
    let mut laid = Vec::new();
    for player in 1..=players {
        let own = |bet: usize| Place { area: Some(player), ..place(player, bet, minimum) };
        laid.push(own(required));
        let other = reserved.get(usize::from(player - 1) % reserved.len().max(1)).copied();
        // Outside the limits the first has too small a Reserve, and the second a wager above the one that bounds it.
        laid.extend(other.map(|bet| match (variant.outside, player % 2) {
            (false, _) => own(bet),
            (true, 1) => Place { reserve: Some(chips(minimum)), ..own(bet) },
            (true, _) => Place { amount: chips(2 * minimum), ..own(bet) },
        }));
    }
    laid
}

/// An order of the cards for each way in which a round can run.
fn orders(family: Family) -> Vec<Vec<Card>> {
    match family {
        Family::Baccarat => rounds(),
        Family::NiuNiu => vec![deck()],
    }
}

/// A deck in which neighbours differ in rank and suit.
fn deck() -> Vec<Card> {
    (0..Card::COUNT).filter_map(|at| Card::from_index(at * 17 % Card::COUNT)).collect()
}

/// For each way in which cards are drawn and each winner the first order of these ranks that runs so.
fn rounds() -> Vec<Vec<Card>> {
    const RANKS: [Rank; 5] = [Rank::King, Rank::Three, Rank::Six, Rank::Seven, Rank::Nine];
    let mut found: BTreeMap<(u8, bool, u8, char), Vec<Card>> = BTreeMap::new();
    let mut orders: Vec<Vec<Card>> = vec![Vec::new()];
    while let Some(cards) = orders.pop() {
        let Ok(deal) = Deal::from_draws(&cards) else { continue };
        if let Some(outcome) = deal.outcome() {
            let (player, banker) = (outcome.cards(Side::Player), outcome.cards(Side::Banker));
            let key = (player, outcome.is_natural(), banker, outcome.winner().letter());
            found.entry(key).or_insert(cards);
            continue;
        }
        let suit = Suit::ALL[cards.len() % Suit::ALL.len()];
        for rank in RANKS {
            orders.push(cards.iter().copied().chain([Card::new(rank, suit)]).collect());
        }
    }
    found.into_values().collect()
}
