//! What wagers win, lose and get back, down to the last twentieth of a chip: the scenarios of
//! `data/settlement.txt`, which says how they are written, and what terms and rounds are refused.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a scenario that cannot be read is a failed test")]

use std::collections::BTreeSet;
use std::sync::OnceLock;

use croupier_cards::parse_cards;
use croupier_rules::baccarat::insurance::Stage;
use croupier_rules::baccarat::{Deal, Outcome};
use croupier_rules::bet::Payoff;
use croupier_rules::money::Rounding;
use croupier_rules::niu_niu::{BoxOutcome, BoxWinner, Category};
use croupier_rules::rule::Rule;
use croupier_rules::settle::{
    Covered, End, Insured, Limit, Payable, SettleError, Settled, Terms, TermsFault, Wager, settle_box,
    settle_insurance, settle_round,
};
use croupier_rules::{Amount, Basis, Game, Library, Rulebook};

/// Minor units of a chip.
const CHIP: i64 = 20;

fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(Library::standard)
}

const SCENARIOS: &str = include_str!("data/settlement.txt");

/// Settles a scenario and compares every row.
#[track_caller]
fn check(scenario: &str) {
    let read = Scenario::read(scenario);
    let found = read.settle();
    assert!(read.rows == found, "\n{scenario}\n\nsettled as:\n{}\n", found.join("\n"));
}

#[test]
fn every_scenario() {
    let mut scenarios = 0;
    for scenario in SCENARIOS.split("\n\n").map(str::trim).filter(|text| !text.starts_with('#')) {
        check(scenario);
        scenarios += 1;
    }
    assert!(scenarios > 150, "{scenarios}");
}

/// A scenario as read: the rows with single spaces, and what is needed to settle them.
struct Scenario {
    rulebook: &'static Rulebook,
    game: &'static Game,
    terms: Terms,
    played: Played,
    rows: Vec<String>,
}

/// How the round ended.
enum Played {
    Round(Deal),
    Box(BoxOutcome),
}

impl Scenario {
    fn read(text: &str) -> Self {
        let mut lines = text.lines().map(str::trim);
        let mut title = lines.next().unwrap().split_whitespace();
        let (rulebook, game) = library().find(title.next().unwrap()).unwrap();
        let clauses: Vec<&str> = title.collect();
        assert!(!clauses.is_empty(), "a scenario names the clauses it proves:\n{text}");
        for clause in clauses {
            assert!(rulebook.index.find(clause).is_some(), "{} has no clause {clause}", rulebook.id);
        }
        let mut scenario = Self {
            rulebook,
            game,
            terms: Terms::open(game.bets.len()),
            played: Played::Round(Deal::default()),
            rows: Vec::new(),
        };
        for line in lines {
            let words: Vec<&str> = line.split_whitespace().collect();
            if words[0].trim_end_matches('*').parse::<u8>().is_ok() {
                scenario.rows.push(words.join(" "));
            } else {
                scenario.read_term(&words);
            }
        }
        scenario
    }

    fn read_term(&mut self, words: &[&str]) {
        let optional = |word: &str| (word != "-").then(|| amount(word));
        match words {
            ["P", ..] => self.played = Played::Round(deal(words)),
            ["box", hand, "dealer", dealer, "won", "by", winner] => {
                let winner = match *winner {
                    "player" => BoxWinner::Player,
                    "dealer" => BoxWinner::Dealer,
                    _ => panic!("nobody called {winner} wins a box"),
                };
                let category = |key: &str| key.parse::<Category>().unwrap();
                let (hand, dealer) = (category(hand), category(dealer));
                self.played = Played::Box(BoxOutcome { hand, dealer, winner });
            }
            ["limit", bet, minimum, maximum] => {
                let place = self.game.bet_index(bet).unwrap();
                self.terms.limits[place] =
                    Limit { minimum: optional(minimum), maximum: optional(maximum), step: None };
            }
            ["differential", limit] => self.terms.differential = Some(amount(limit)),
            ["chip", chip] => self.terms.chip = amount(chip),
            ["payable", unit, rounding] => {
                let rounding = match *rounding {
                    "down" => Rounding::Down,
                    "nearest" => Rounding::Nearest,
                    "up" => Rounding::Up,
                    _ => panic!("nobody rounds {rounding}"),
                };
                self.terms.payable = Some(Payable { unit: amount(unit), rounding });
            }
            ["house-limit", odds, limit] => {
                self.terms.insurance_limits.push((odds.parse().unwrap(), amount(limit)));
            }
            ["small-wager-makes-room", "no"] => self.terms.small_wager_makes_room = false,
            _ => panic!("not a line of a scenario: {}", words.join(" ")),
        }
    }

    /// The rows as the game settles them.
    fn settle(&self) -> Vec<String> {
        assert_eq!(self.terms.check(), [], "the terms do not fit together");
        match &self.played {
            Played::Round(deal) => self.settle_round(deal),
            Played::Box(outcome) => self.settle_box(*outcome),
        }
    }

    /// Seat, bet and stake of a row.
    fn laid(row: &str) -> (&str, &str, Amount) {
        let mut words = row.split(' ');
        (words.next().unwrap(), words.next().unwrap(), amount(words.next().unwrap()))
    }

    fn wager(&self, row: &str) -> Option<Wager> {
        let (seat, bet, stake) = Self::laid(row);
        let bet = self.game.bet_index(bet)?;
        let number = seat.trim_end_matches('*').parse().unwrap();
        Some(Wager { player: u32::from(number), seat: number, bet, stake, warned: seat.ends_with('*') })
    }

    fn settle_round(&self, deal: &Deal) -> Vec<String> {
        let outcome = deal.outcome().unwrap();
        let wagers: Vec<Wager> = self.rows.iter().filter_map(|row| self.wager(row)).collect();
        let settled = settle_round(self.game, &self.terms, outcome, &wagers).unwrap();
        for (wager, settled) in wagers.iter().zip(&settled) {
            holds_together(self.game, wager, settled, outcome.index());
        }
        let mut next = wagers.iter().zip(&settled);
        let mut rows = Vec::new();
        for row in &self.rows {
            match self.wager(row) {
                Some(_) => rows.push(self.row(row, next.next().unwrap().1)),
                None => rows.push(self.row(row, &self.insurance(row, deal, &wagers, &settled))),
            }
        }
        rows
    }

    /// The insurance of a row, `insurance/four-cards`, settled among all the insurances of its seat.
    fn insurance(&self, row: &str, deal: &Deal, wagers: &[Wager], settled: &[Settled]) -> Settled {
        let table = self.game.insurance.as_ref().unwrap();
        let (seat, ..) = Self::laid(row);
        let of_seat: Vec<&String> = self
            .rows
            .iter()
            .filter(|row| Self::laid(row).0 == seat && Self::laid(row).1.starts_with("insurance/"))
            .collect();
        let insured: Vec<Insured<'_>> = of_seat
            .iter()
            .map(|row| {
                let (_, bet, stake) = Self::laid(row);
                let stage: Stage = bet.split('/').nth(1).unwrap().parse().unwrap();
                Insured { line: table.offer_at(deal, stage).unwrap(), stake }
            })
            .collect();
        let side = insured[0].line.side;
        let mains = || {
            wagers.iter().zip(settled).filter(|(wager, _)| {
                wager.seat.to_string() == seat && self.game.bets[wager.bet].main == Some(side)
            })
        };
        let covered = Covered {
            laid: mains().map(|(wager, _)| wager.stake).sum(),
            in_action: mains().map(|(_, settled)| settled.in_action).sum(),
        };
        let outcome = deal.outcome().unwrap();
        let all = settle_insurance(self.game, &self.terms, outcome, covered, &insured).unwrap();
        let at = of_seat.iter().position(|other| *other == row).unwrap();
        assert_eq!(all[at].collected + all[at].returned, insured[at].stake, "{row}");
        all[at].clone()
    }

    /// A row as it came out.
    fn row(&self, row: &str, settled: &Settled) -> String {
        let laid: Vec<&str> = row.split(' ').take(3).collect();
        let in_action = if settled.end == End::Returned { "out".into() } else { print(settled.in_action) };
        let (net, back) = (print(settled.net()), print(settled.returned));
        format!("{} {in_action} {net} {back} {}", laid.join(" "), self.limit_clauses(&settled.cites))
    }

    /// The limit clauses among `cites`.
    fn limit_clauses(&self, cites: &[Basis]) -> String {
        let limits = &self.game.limits;
        let mut of_limits: BTreeSet<Basis> = BTreeSet::new();
        of_limits.extend(limits.below_minimum.iter().flat_map(|(_, cites)| cites));
        of_limits.extend(limits.above_maximum.iter().flatten());
        of_limits.extend(limits.pro_rata.iter().flat_map(|(cites, small)| cites.iter().chain(small)));
        of_limits.retain(|basis| matches!(basis, Basis::Clause(_)));
        of_limits.extend(self.game.cites(Rule::InsuranceCap));
        of_limits.extend(self.game.cites(Rule::InsuranceHouseLimit));
        of_limits.extend(self.game.cites(Rule::InsuranceHouseLimitWin));
        of_limits.extend(self.game.cites(Rule::InsuredAmount));
        let applied = cites.iter().filter(|basis| of_limits.contains(basis));
        let ids: Vec<&str> = applied.map(|basis| self.rulebook.index.id(*basis)).collect();
        if ids.is_empty() { "-".to_string() } else { ids.join(",") }
    }

    fn settle_box(&self, outcome: BoxOutcome) -> Vec<String> {
        let wagers: Vec<Wager> = self.rows.iter().map(|row| self.wager(row).unwrap()).collect();
        let settled = settle_box(self.game, &self.terms, outcome, &wagers).unwrap();
        let mut rows = Vec::new();
        for ((row, wager), settled) in self.rows.iter().zip(&wagers).zip(&settled) {
            holds_together(self.game, wager, &settled.wager, outcome.index());
            let reserve = match &settled.reserve {
                Some(reserve) => {
                    assert_eq!(reserve.laid, reserve.lost + reserve.returned);
                    format!(" reserve {} {}", print(-reserve.lost), print(reserve.returned))
                }
                None => String::new(),
            };
            rows.push(self.row(row, &settled.wager) + &reserve);
        }
        rows
    }
}

/// What is true of every wager settled: the stake is collected or returned, winnings come with the stake,
/// and winnings, commission and rounding add up to the odds.
fn holds_together(game: &Game, wager: &Wager, settled: &Settled, outcome: usize) {
    assert_eq!(settled.collected + settled.returned, wager.stake);
    assert!(settled.in_action <= wager.stake);
    let nothing = Amount::ZERO;
    match (settled.end, game.bets[wager.bet].pays.line(outcome).unwrap().payoff) {
        (End::Returned, _) => assert_eq!((settled.in_action, settled.net()), (nothing, nothing)),
        (End::Win, Payoff::Win { odds, .. }) => {
            let paid = settled.winnings + settled.commission - settled.rounding;
            assert_eq!(paid.ratio(), odds.ratio() * settled.in_action.ratio());
            assert_eq!(settled.collected, nothing);
        }
        (End::StandOff, Payoff::Push) => {
            assert_eq!((settled.collected, settled.winnings), (nothing, nothing));
        }
        (End::Lose, Payoff::Lose) => {
            assert_eq!((settled.collected, settled.winnings), (settled.in_action, nothing));
        }
        (end, payoff) => panic!("{payoff} ended as {end:?}"),
    }
}

/// `P KC 3D 8H B KS 6H`: the hands, dealt in turn.
fn deal(words: &[&str]) -> Deal {
    let banker = words.iter().position(|word| *word == "B").unwrap();
    let player_cards = parse_cards(&words[1..banker].join(" ")).unwrap();
    let banker_cards = parse_cards(&words[banker + 1..].join(" ")).unwrap();
    let mut draws = vec![player_cards[0], banker_cards[0], player_cards[1], banker_cards[1]];
    draws.extend(player_cards.iter().skip(2));
    draws.extend(banker_cards.iter().skip(2));
    let deal = Deal::from_draws(&draws).unwrap();
    assert!(deal.is_complete(), "a card is due: {}", words.join(" "));
    deal
}

/// `1,000` chips, or `0.95`.
fn amount(text: &str) -> Amount {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let digits = digits.replace(',', "");
    let (whole, hundredths) = digits.split_once('.').unwrap_or((&digits, "0"));
    let hundredths: i64 = format!("{hundredths:0<2}").parse().unwrap();
    assert_eq!(hundredths % 5, 0, "{text} is no whole number of minor units");
    Amount::new(sign * (whole.parse::<i64>().unwrap() * CHIP + hundredths / 5)).unwrap()
}

fn print(amount: Amount) -> String {
    let (whole, rest) = (amount.minor().abs() / CHIP, amount.minor().abs() % CHIP);
    let mut digits = whole.to_string();
    for at in (1..digits.len()).rev().filter(|at| (digits.len() - at) % 3 == 0).collect::<Vec<_>>() {
        digits.insert(at, ',');
    }
    let sign = if amount.minor() < 0 { "-" } else { "" };
    let fraction = format!(".{:02}", rest * 5);
    let fraction = if rest == 0 { "" } else { fraction.trim_end_matches('0') };
    format!("{sign}{digits}{fraction}")
}

#[test]
fn amounts_are_read_and_printed() {
    for text in ["0", "1", "-1", "0.95", "-0.05", "999", "1,000", "12,345.5", "1,234,567"] {
        assert_eq!(print(amount(text)), text);
    }
    assert_eq!(amount("1").minor(), 20);
    assert_eq!(amount("0.95").minor(), 19);
}

/// Commission is what the house keeps of the odds, rounding what the payable unit adds or takes off.
#[test]
fn commission_and_rounding_are_told_apart() {
    let game = library().game("hoiana-baccarat/commission").unwrap();
    let banker = game.bet_index("banker").unwrap();
    let outcome = deal(&["P", "KC", "6D", "B", "3S", "4H"]).outcome().unwrap();
    let wager = Wager { player: 1, seat: 1, bet: banker, stake: amount("10"), warned: false };
    for (rounding, winnings, rounded) in [
        (None, "9.5", "0"),
        (Some(Rounding::Down), "9", "-0.5"),
        (Some(Rounding::Nearest), "10", "0.5"),
        (Some(Rounding::Up), "10", "0.5"),
    ] {
        let payable = rounding.map(|rounding| Payable { unit: amount("1"), rounding });
        let terms = Terms { payable, ..Terms::open(game.bets.len()) };
        let settled = settle_round(game, &terms, outcome, std::slice::from_ref(&wager)).unwrap();
        let found = (settled[0].winnings, settled[0].commission, settled[0].rounding);
        assert_eq!(found, (amount(winnings), amount("0.5"), amount(rounded)));
    }
}

#[test]
fn terms_that_fit_together() {
    let minor = |minor: i64| Amount::new(minor).unwrap();
    let open = Terms::open(2);
    assert_eq!(open.check(), []);
    // A chip is a multiple of 20 minor units.
    for (chip, fits) in
        [(0, false), (19, false), (20, true), (21, false), (39, false), (40, true), (-20, false)]
    {
        let terms = Terms { chip: minor(chip), ..open.clone() };
        let faults = if fits { vec![] } else { vec![TermsFault::Chip { chip: minor(chip) }] };
        assert_eq!(terms.check(), faults, "{chip}");
    }
    // Every limit is a multiple of the chip.
    for (limit, fits) in [(19, false), (20, true), (21, false)] {
        let amount = minor(limit);
        let faults = if fits { vec![] } else { vec![TermsFault::NotInChips { amount, chip: minor(20) }] };
        let minimum = Limit { minimum: Some(amount), ..Limit::default() };
        let maximum = Limit { maximum: Some(amount), ..Limit::default() };
        let step = Limit { step: Some(amount), ..Limit::default() };
        for terms in [
            Terms { limits: vec![minimum], ..open.clone() },
            Terms { limits: vec![Limit::default(), maximum], ..open.clone() },
            Terms { limits: vec![step], ..open.clone() },
            Terms { differential: Some(amount), ..open.clone() },
            Terms { insurance_minimum: Some(amount), ..open.clone() },
            Terms { insurance_limits: vec![("3:1".parse().unwrap(), amount)], ..open.clone() },
        ] {
            assert_eq!(terms.check(), faults, "{limit}");
        }
    }
    // The minimum is not above the maximum.
    for (minimum, maximum, fits) in [(80, 100, true), (100, 100, true), (120, 100, false)] {
        let (minimum, maximum) = (minor(minimum), minor(maximum));
        let limit = Limit { minimum: Some(minimum), maximum: Some(maximum), step: None };
        let terms = Terms { limits: vec![limit], ..open.clone() };
        assert_eq!(terms.check(), if fits { vec![] } else { vec![TermsFault::Crossed { minimum, maximum }] });
    }
    // A limit is not below zero, a payable unit above it.
    let negative = Terms { differential: Some(minor(-20)), ..open.clone() };
    assert_eq!(negative.check(), [TermsFault::NotInChips { amount: minor(-20), chip: minor(20) }]);
    for (unit, fits) in [(-1, false), (0, false), (1, true)] {
        let unit = minor(unit);
        let payable = Some(Payable { unit, rounding: Rounding::Down });
        let terms = Terms { payable, ..open.clone() };
        assert_eq!(terms.check(), if fits { vec![] } else { vec![TermsFault::PayableUnit { unit }] });
    }
    // Every fault is named.
    let limit = Limit { minimum: Some(minor(130)), maximum: Some(minor(120)), step: None };
    let terms = Terms { chip: minor(50), limits: vec![limit], differential: Some(minor(70)), ..open };
    let words: Vec<String> = terms.check().iter().map(ToString::to_string).collect();
    assert_eq!(
        words,
        [
            "the smallest chip must be a whole multiple of 20 minor units, so that commission and half pay are exact; it is 50",
            "130 is no whole number of the smallest chip, 50",
            "120 is no whole number of the smallest chip, 50",
            "70 is no whole number of the smallest chip, 50",
            "the minimum 130 is above the maximum 120",
        ]
    );
}

#[test]
fn what_cannot_be_settled() {
    let game = library().game("hoiana-baccarat/commission").unwrap();
    let terms = Terms::open(game.bets.len());
    let wager = |bet: &str, minor: i64| Wager {
        player: 1,
        seat: 1,
        bet: game.bet_index(bet).unwrap_or(99),
        stake: Amount::new(minor).unwrap(),
        warned: false,
    };
    let banker_wins = deal(&["P", "KC", "6D", "B", "3S", "4H"]).outcome().unwrap();
    let tie = deal(&["P", "KC", "7D", "B", "3S", "4H"]).outcome().unwrap();
    let settle = |outcome: Outcome, wager: Wager| settle_round(game, &terms, outcome, &[wager]);

    // Nothing is rounded unless the house says how: a stake that is no chip may have no exact pay.
    let inexact = settle(banker_wins, wager("banker", 10)).unwrap_err();
    assert_eq!(
        inexact.to_string(),
        "19/2 cannot be paid in whole minor units; set `payable-unit` and `rounding`"
    );
    assert!(settle(banker_wins, wager("banker", 19)).is_err());
    assert!(settle(banker_wins, wager("banker", 20)).is_ok());
    assert!(settle(banker_wins, wager("banker", 21)).is_err());

    // Winnings end at 2^53 - 1.
    let most = Amount::MAX.minor() / 8;
    assert!(settle(tie, wager("tie", most)).is_ok());
    let too_large = settle(tie, wager("tie", most + 1)).unwrap_err();
    assert_eq!(
        too_large.to_string(),
        "winnings of 9007199254740992/1 exceed the largest amount, 9007199254740991"
    );

    // No cards lead to a two-card 5 against a two-card 5.
    let never = Outcome::new(5, 5, 2, 2, false, false).unwrap();
    assert_eq!(settle(never, wager("tie", 20)), Err(SettleError::ForeignOutcome));
    assert_eq!(settle(tie, wager("lucky-7", 20)), Err(SettleError::ForeignOutcome));
}
