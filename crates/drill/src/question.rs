//! The questions of a situation, and their right answers as the engine gives them.

use std::collections::BTreeSet;

use croupier_explore::play::rulings;
use croupier_rules::baccarat::Side;
use croupier_rules::clause::Basis;
use croupier_rules::niu_niu::{BoxWinner, Category};
use croupier_rules::{Amount, Irregularity, Odds, Remedy};
use croupier_table::command::Holder;
use croupier_table::{Action, Fact, PlayerId, RulingMade, decide};

use crate::chance::Chance;
use crate::situation::{Next, Situation, actor};
use crate::topic::{Topic, Work};

/// What a part of a drill asks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// What is it?
    What,
    /// What may be ruled?
    Rulings,
    /// Who is the lowest on duty that may rule so?
    ByWhom,
    /// Under which clause?
    Clause,
    /// Who has the choice to withdraw?
    Players,
    /// What does each wager win or lose?
    Wagers,
    /// What is the next hand?
    Next,
    /// What does a hand count?
    Points(Side),
    /// Whose card is due?
    Due,
    /// What does insurance pay?
    Odds,
    /// How much may each lay?
    Limit,
    /// How much of each wager is in action?
    InAction,
    /// Who squeezes this hand?
    Squeezer(Side),
    /// What is this hand?
    Category(Holder),
    /// Who has the higher hand?
    Winner(u8),
}

impl Kind {
    /// The name used in files.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::What => "what",
            Self::Rulings => "rulings",
            Self::ByWhom => "by-whom",
            Self::Clause => "clause",
            Self::Players => "players",
            Self::Wagers => "wagers",
            Self::Next => "next",
            Self::Points(_) => "points",
            Self::Due => "due",
            Self::Odds => "odds",
            Self::Limit => "limit",
            Self::InAction => "in-action",
            Self::Squeezer(_) => "squeezer",
            Self::Category(_) => "category",
            Self::Winner(_) => "winner",
        }
    }
}

/// Something that can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Choice {
    /// Something that went wrong.
    Irregularity(Irregularity),
    /// A ruling, with or without the choice to withdraw.
    Ruling(Remedy, bool),
    /// A rank, by its place in the rulebook.
    Rank(u8),
    /// A clause or reading.
    Clause(Basis),
    /// A player.
    Player(PlayerId),
    /// The Dealer.
    Dealer,
    /// A hand.
    Side(Side),
    /// Nobody, or no card.
    Nobody,
    /// A number.
    Number(u8),
    /// What comes next.
    Next(Next),
    /// What a bet pays.
    Odds(Odds),
    /// A hand of Niu Niu.
    Category(Category),
    /// Who has the higher hand.
    Winner(BoxWinner),
}

/// How a part is answered, and the right answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// One of these; more than one may be right.
    One {
        /// What can be chosen.
        options: Vec<Choice>,
        /// The places of those that are right.
        right: BTreeSet<usize>,
    },
    /// All that apply, none if none does.
    All {
        /// What can be chosen.
        options: Vec<Choice>,
        /// The places of those that apply.
        right: BTreeSet<usize>,
    },
    /// An amount for each of the wagers concerned, by its place among them.
    Amounts {
        /// Which wagers.
        of: Vec<usize>,
        /// The right amounts.
        right: Vec<Amount>,
    },
}

/// An answer to a part.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// One option, by its place.
    One(usize),
    /// Several.
    All(BTreeSet<usize>),
    /// Amounts in minor units.
    Amounts(Vec<i64>),
}

/// A question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// What is asked.
    pub kind: Kind,
    /// How it is answered.
    pub form: Form,
}

impl Part {
    /// Whether an answer is right.
    #[must_use]
    pub fn marks(&self, answer: &Answer) -> bool {
        match (&self.form, answer) {
            (Form::One { right, .. }, Answer::One(chosen)) => right.contains(chosen),
            (Form::All { right, .. }, Answer::All(chosen)) => right == chosen,
            (Form::Amounts { right, .. }, Answer::Amounts(given)) => {
                right.iter().map(|amount| amount.minor()).eq(given.iter().copied())
            }
            (Form::One { .. } | Form::All { .. } | Form::Amounts { .. }, _) => false,
        }
    }

    /// A right answer.
    #[must_use]
    pub fn key(&self) -> Answer {
        match &self.form {
            Form::One { right, .. } => Answer::One(right.first().copied().unwrap_or(0)),
            Form::All { right, .. } => Answer::All(right.clone()),
            Form::Amounts { right, .. } => {
                Answer::Amounts(right.iter().map(|amount| amount.minor()).collect())
            }
        }
    }
}

/// What is asked of a situation.
pub(crate) fn parts(situation: &Situation, chance: &mut Chance) -> Vec<Part> {
    match situation.topic {
        Topic::Irregularity(irregularity) => of_irregularity(situation, irregularity, chance),
        Topic::Work(work) => of_work(situation, work, chance),
    }
}

fn of_irregularity(situation: &Situation, irregularity: Irregularity, chance: &mut Chance) -> Vec<Part> {
    let mut parts = vec![what(situation, irregularity, chance)];
    // Whoever may not rule on it has to know what it is, whom to call and what becomes of it.
    let rules = |(_, made): &(_, RulingMade)| is_accepted(situation, situation.asked, made);
    let may_rule = rulings(&situation.table).iter().any(rules);
    if let Some(made) = &situation.ruled {
        parts.extend(may_rule.then(|| may_be_ruled(situation, chance)));
        parts.extend(by_whom(situation, made));
    }
    if may_rule || situation.ruled.is_none() {
        parts.extend(clause(situation, chance));
    }
    if situation.ruled.is_some() && !situation.wagers.is_empty() {
        parts.push(players(situation));
    }
    parts.extend(wagers(situation));
    parts.push(next(situation));
    parts
}

/// One right option among some that are not, in any order.
fn one(right: Choice, others: impl IntoIterator<Item = Choice>, most: usize, chance: &mut Chance) -> Form {
    let mut others: Vec<Choice> = others.into_iter().filter(|other| *other != right).collect();
    chance.shuffle(&mut others);
    others.truncate(most.saturating_sub(1));
    others.push(right);
    chance.shuffle(&mut others);
    ordered(others, right)
}

/// One right option among some in their own order.
fn ordered(options: Vec<Choice>, right: Choice) -> Form {
    let right = options.iter().position(|option| *option == right).into_iter().collect();
    Form::One { options, right }
}

fn what(situation: &Situation, irregularity: Irregularity, chance: &mut Chance) -> Part {
    let others = situation.rulebook.irregularities.iter().map(|rule| Choice::Irregularity(rule.irregularity));
    let others: Vec<Choice> = others.collect();
    Part { kind: Kind::What, form: one(Choice::Irregularity(irregularity), others, 5, chance) }
}

/// The rulings that somebody on duty may make, among some that nobody may.
fn may_be_ruled(situation: &Situation, chance: &mut Chance) -> Part {
    let may = |made: &RulingMade| {
        let rules = |staff: &croupier_table::Staff| is_accepted(situation, *staff, made);
        situation.world.staff.iter().any(rules)
    };
    let key = |made: &RulingMade| Choice::Ruling(made.remedy, made.with_withdrawal);
    let mut allowed: Vec<Choice> =
        rulings(&situation.table).iter().map(|(_, made)| made).filter(|made| may(made)).map(key).collect();
    allowed.sort_unstable();
    allowed.dedup();
    let family = situation.rulebook.family;
    let mut others: Vec<Choice> = Vec::new();
    for remedy in Remedy::ALL.into_iter().filter(|remedy| remedy.belongs_to(family)) {
        for withdrawal in [false, true] {
            let other = Choice::Ruling(remedy, withdrawal);
            if !allowed.contains(&other) && !may(&RulingMade::plain(remedy, withdrawal)) {
                others.push(other);
            }
        }
    }
    chance.shuffle(&mut others);
    others.truncate(6_usize.saturating_sub(allowed.len()).max(2));
    let mut options = others;
    options.extend(allowed.iter().copied());
    chance.shuffle(&mut options);
    let right =
        options.iter().enumerate().filter(|(_, option)| allowed.contains(option)).map(|(at, _)| at).collect();
    Part { kind: Kind::Rulings, form: Form::All { options, right } }
}

fn is_accepted(situation: &Situation, staff: croupier_table::Staff, made: &RulingMade) -> bool {
    let command = croupier_table::Command { actor: actor(staff), at: 0, action: Action::Rule(made.clone()) };
    decide(&situation.table, &command).is_ok()
}

/// Who of those on duty is the lowest that may rule so.
fn by_whom(situation: &Situation, made: &RulingMade) -> Option<Part> {
    let staff = &situation.world.staff;
    let level = |staff: &croupier_table::Staff| situation.rulebook.level(staff.rank.0);
    let lowest = staff.iter().filter(|staff| is_accepted(situation, **staff, made)).map(level).min()?;
    let options: Vec<Choice> = staff.iter().map(|staff| Choice::Rank(staff.rank.0)).collect();
    let right =
        staff.iter().enumerate().filter(|(_, staff)| level(staff) == lowest).map(|(at, _)| at).collect();
    Some(Part { kind: Kind::ByWhom, form: Form::One { options, right } })
}

/// A clause on which it rests, among some that speak of something else.
fn clause(situation: &Situation, chance: &mut Chance) -> Option<Part> {
    let cited = situation.drilled();
    let right = chance.pick(&cited).copied()?;
    let rules = &situation.rulebook.irregularities;
    let rulings = rules.iter().flat_map(|rule| rule.rulings.iter().flat_map(|ruling| &ruling.cites));
    let mut others: Vec<Basis> = rules.iter().flat_map(|rule| &rule.cites).chain(rulings).copied().collect();
    others.sort_unstable();
    others.dedup();
    let everything = situation.clauses();
    others.retain(|other| !everything.contains(other));
    let others = others.into_iter().map(Choice::Clause);
    Some(Part { kind: Kind::Clause, form: one(Choice::Clause(right), others, 4, chance) })
}

/// Who may withdraw once it is ruled.
fn players(situation: &Situation) -> Part {
    let first = situation.outcome.steps.first().map(|step| step.events.as_slice()).unwrap_or_default();
    let mut asked: Vec<PlayerId> = Vec::new();
    for event in first {
        if let Fact::OptionOpened { players } = &event.fact {
            asked.extend(players);
        }
    }
    let options: Vec<Choice> = situation.world.players.iter().copied().map(Choice::Player).collect();
    let right = situation
        .world
        .players
        .iter()
        .enumerate()
        .filter(|(_, player)| asked.contains(player))
        .map(|(at, _)| at);
    Part { kind: Kind::Players, form: Form::All { right: right.collect(), options } }
}

/// What the wagers come to.
fn wagers(situation: &Situation) -> Option<Part> {
    let known = situation.outcome.nets.iter().enumerate();
    let (of, right): (Vec<usize>, Vec<Amount>) =
        known.filter_map(|(at, net)| net.map(|net| (at, net))).unzip();
    (!of.is_empty()).then_some(Part { kind: Kind::Wagers, form: Form::Amounts { of, right } })
}

fn next(situation: &Situation) -> Part {
    let family = situation.rulebook.family;
    let free = situation.table.has_free_hands();
    let can = |next: &Next| match next {
        Next::Free | Next::ShoeChoice => free || situation.outcome.next == *next,
        Next::ShoeEnd => !family.in_packets() || situation.outcome.next == *next,
        Next::Regular | Next::MayReplace | Next::Replace => true,
    };
    let options = Next::ALL.into_iter().filter(can).map(Choice::Next).collect();
    Part { kind: Kind::Next, form: ordered(options, Choice::Next(situation.outcome.next)) }
}

fn of_work(situation: &Situation, work: Work, chance: &mut Chance) -> Vec<Part> {
    match work {
        Work::ThirdCards => third_cards(situation),
        Work::Payouts => wagers(situation).into_iter().collect(),
        Work::Insurance => insurance(situation, chance),
        Work::ProRata => pro_rata(situation).into_iter().chain(wagers(situation)).collect(),
        Work::Squeeze => squeezers(situation),
        Work::Ranking => ranking(situation, chance),
    }
}

fn digits() -> Vec<Choice> {
    (0..=9).map(Choice::Number).collect()
}

fn third_cards(situation: &Situation) -> Vec<Part> {
    let last = situation.steps.last().map(|step| step.events.as_slice()).unwrap_or_default();
    let totals = last.iter().rev().find_map(|event| match event.fact {
        Fact::Totals { player, banker, due } => Some((player, banker, due)),
        _ => None,
    });
    let Some((player, banker, due)) = totals else { return Vec::new() };
    let points = |side: Side, count: u8| Part {
        kind: Kind::Points(side),
        form: ordered(digits(), Choice::Number(count)),
    };
    let due = due.map_or(Choice::Nobody, Choice::Side);
    let hands = vec![Choice::Side(Side::Player), Choice::Side(Side::Banker), Choice::Nobody];
    vec![
        points(Side::Player, player),
        points(Side::Banker, banker),
        Part { kind: Kind::Due, form: ordered(hands, due) },
    ]
}

fn insurance(situation: &Situation, chance: &mut Chance) -> Vec<Part> {
    let last = situation.steps.last().map(|step| step.events.as_slice()).unwrap_or_default();
    let offer = last.iter().find_map(|event| match event.fact {
        Fact::InsuranceOffered { odds, .. } => Some(odds),
        _ => None,
    });
    let Some(odds) = offer else { return Vec::new() };
    let table = situation.game.insurance.as_ref();
    let others = table.into_iter().flat_map(|table| &table.lines).map(|line| Choice::Odds(line.odds));
    let mut others: Vec<Choice> = others.collect();
    others.sort_unstable();
    others.dedup();
    let mut parts = vec![Part { kind: Kind::Odds, form: one(Choice::Odds(odds), others, 5, chance) }];
    let views = situation.views();
    let mut limits: Vec<(usize, Amount)> = Vec::new();
    for player in &situation.world.players {
        let most =
            views.player(*player).and_then(|view| view.own.insure.as_ref().map(|offer| offer.stake.to));
        let own = situation.wagers.iter().position(|wager| {
            wager.player == *player && !wager.insurance && situation.table.main_side(wager.bet).is_some()
        });
        limits.extend(own.zip(most));
    }
    let (of, right): (Vec<usize>, Vec<Amount>) = limits.into_iter().unzip();
    if !of.is_empty() {
        parts.push(Part { kind: Kind::Limit, form: Form::Amounts { of, right } });
    }
    parts
}

fn pro_rata(situation: &Situation) -> Option<Part> {
    let ends = situation.outcome.ends.iter().enumerate();
    let in_action = ends.filter_map(|(at, end)| end.as_ref().map(|(settled, _)| (at, settled.in_action)));
    let (of, right): (Vec<usize>, Vec<Amount>) = in_action.unzip();
    (!of.is_empty()).then_some(Part { kind: Kind::InAction, form: Form::Amounts { of, right } })
}

fn squeezers(situation: &Situation) -> Vec<Part> {
    let mut options: Vec<Choice> = situation.world.players.iter().copied().map(Choice::Player).collect();
    options.push(Choice::Dealer);
    let of = |(side, squeezer): (Side, Option<PlayerId>)| Part {
        kind: Kind::Squeezer(side),
        form: ordered(options.clone(), squeezer.map_or(Choice::Dealer, Choice::Player)),
    };
    [Side::Player, Side::Banker].into_iter().zip(situation.table.round.squeezers).map(of).collect()
}

fn ranking(situation: &Situation, chance: &mut Chance) -> Vec<Part> {
    let mut parts = Vec::new();
    for dealt in &situation.table.round.boxes.hands {
        let Some(hand) = dealt.hand() else { continue };
        let others = Category::ALL.into_iter().map(Choice::Category);
        let form = one(Choice::Category(hand.category()), others, 6, chance);
        parts.push(Part { kind: Kind::Category(dealt.holder), form });
    }
    for event in situation.steps.iter().chain(&situation.outcome.steps).flat_map(|step| &step.events) {
        if let Fact::Compared { box_number, winner } = event.fact
            && !parts.iter().any(|part| part.kind == Kind::Winner(box_number))
        {
            let options = BoxWinner::ALL.map(Choice::Winner).to_vec();
            parts.push(Part {
                kind: Kind::Winner(box_number),
                form: ordered(options, Choice::Winner(winner)),
            });
        }
    }
    parts
}
