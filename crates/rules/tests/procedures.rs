//! What the shipped rulebooks say of irregularities and of who decides, and that everything in them that must
//! be proved can be cited.
#![expect(clippy::unwrap_used, reason = "data that is not there is a failed test")]

use std::collections::BTreeSet;

use croupier_rules::authority::{Needs, Power};
use croupier_rules::bet::Bet;
use croupier_rules::clause::Basis;
use croupier_rules::irregularity::{AllWithdraw, Choosers, Irregularity, Remedy, Ruling, ShoeFate};
use croupier_rules::niu_niu::Category;
use croupier_rules::rule::Rule;
use croupier_rules::rulebook::{Established, Game, RoundBegins};
use croupier_rules::{Family, Library, Rulebook};

/// A ruling on one line: `rebuild by shift-manager (7.9), withdrawal (7.9, HB-Q10)`.
fn describe(rulebook: &Rulebook, ruling: &Ruling) -> String {
    let mut text = ruling.remedy.to_string();
    if let Some(needs) = ruling.needs {
        text += &format!(" by {}", who(rulebook, needs));
    }
    if ruling.high_limit_only {
        text += " in high-limit areas";
    }
    text += &format!(" ({})", ids(rulebook, &ruling.cites));
    if let Some(withdrawal) = &ruling.withdrawal {
        text += &format!(", withdrawal ({})", ids(rulebook, &withdrawal.cites));
        if withdrawal.choosers == Choosers::Everybody {
            text += " of everybody";
        }
        if withdrawal.if_all == AllWithdraw::VoidAndReplace {
            text += ", if all void-and-replace";
        }
    }
    if ruling.shoe != ShoeFate::Keep {
        text += &format!(", shoe {}", ruling.shoe.key());
    }
    text
}

fn who(rulebook: &Rulebook, needs: Needs) -> &str {
    match needs {
        Needs::Rank(rank) => rulebook.ranks.get(usize::from(rank)).map_or("?", |rank| &rank.id),
        Needs::Residual => "residual",
    }
}

fn ids(rulebook: &Rulebook, cites: &[Basis]) -> String {
    cites.iter().map(|basis| rulebook.index.id(*basis)).collect::<Vec<_>>().join(", ")
}

/// What the rulebook with that abbreviation rules, the one that stands first.
#[track_caller]
fn check(abbreviation: &str, irregularity: &str, expected: &[&str]) {
    let library = Library::standard();
    let rulebook = library.rulebooks().iter().find(|rulebook| rulebook.abbreviation == abbreviation).unwrap();
    let rule = rulebook.irregularity(irregularity.parse().unwrap()).unwrap();
    let found: Vec<String> = rule.rulings.iter().map(|ruling| describe(rulebook, ruling)).collect();
    assert_eq!(found, expected, "{abbreviation} {irregularity}");
}

#[test]
fn rulings_of_the_hoiana_baccarat_rulebooks() {
    for book in ["HB", "HDT"] {
        let of = |texts: &[&str]| texts.iter().map(|text| text.replace("Q-", &format!("{book}-Q"))).collect();
        let same = |irregularity: &str, expected: &[&str]| {
            let expected: Vec<String> = of(expected);
            check(book, irregularity, &expected.iter().map(String::as_str).collect::<Vec<_>>());
        };
        same("foreign-card", &["void (7.1.1, Q-17), shoe replace"]);
        same("unshuffled-cards", &["void (7.1.1, Q-17), shoe replace"]);
        same("not-enough-cards", &["void (7.2)"]);
        same("cannot-rebuild", &["void by pit-manager (7.3, Q-3, Q-19, Q-29), shoe may-replace"]);
        same("cards-carried-off", &["void by pit-manager (7.3, Q-32), shoe replace"]);
        same("known-cards-carried-off", &["dealer-opens (7.14, Q-32)"]);
        same("next-card-seen", &["next-hand-free (7.5)"]);
        same("surplus-due-to-banker", &["rebuild (7.6, Q-13)"]);
        same("surplus-on-player", &["next-hand-free (7.6)"]);
        same("surplus-on-banker-exposed", &["next-hand-free (7.7)"]);
        same("surplus-on-banker-unseen", &["open-next-round (Q-14)"]);
        same("several-surplus", &["next-hand-free (7.8, Q-13)"]);
        same("wrong-order", &["rebuild (7.9)", "rebuild by shift-manager (7.9), withdrawal (7.9, Q-10)"]);
        same(
            "together-order-known",
            &["rebuild (7.12)", "rebuild by shift-manager (7.12), withdrawal (7.12, Q-10)"],
        );
        for irregularity in ["together-initial-deal", "together-later"] {
            let reading = if book == "HB" { "HB-Q48" } else { "HDT-Q37" };
            let option = format!("withdrawal (7.13.1, 7.13.2, Q-10, {reading}) of everybody");
            same(irregularity, &[&format!("fix-order by pit-manager (7.13), {option}")]);
        }
        same("no-burn-unseen", &["take-back-and-burn (7.11.1, Q-20)"]);
        same("no-burn-seen", &["offer-new-shoe (7.11.2)"]);
        same("no-burn-later", &["play-on (7.11.3)"]);
        same(
            "wrong-delivery",
            &[
                "play-on (7.10)",
                "play-on by shift-manager (7.10.2), withdrawal (7.10.2, Q-10), if all void-and-replace",
            ],
        );
        same(
            "wrong-delivery-established",
            &["play-on (7.10, Q-9)", "free-hand by shift-manager (7.10.1, Q-9)"],
        );
        same("squeezer-absent", &["dealer-opens (7.14)"]);
        same("not-delivered", &["play-on (7.15)"]);
    }
}

/// What a rulebook does not list is for whoever rules on all the rest.
#[test]
fn rulings_on_what_is_not_listed() {
    for irregularity in ["other", "jam", "device-reset", "power-failure", "force-majeure", "cut-card-first"] {
        let by = "by assistant-director (7.22, HB-Q45)";
        check(
            "HB",
            irregularity,
            &[
                &format!("play-on {by}"),
                &format!("play-on {by}, withdrawal (7.22, HB-Q45)"),
                &format!("void {by}, shoe may-replace"),
                &format!("free-hand {by}"),
            ],
        );
        let by = "by assistant-director (7.20, HDT-Q35)";
        check(
            "HDT",
            irregularity,
            &[
                &format!("play-on {by}"),
                &format!("play-on {by}, withdrawal (7.20, HDT-Q35)"),
                &format!("void {by}, shoe may-replace"),
                &format!("free-hand {by}"),
            ],
        );
    }
    for irregularity in ["other", "cannot-rebuild", "jam", "no-burn-seen", "device-reset-other"] {
        let by = "by gaming-shift-manager (6.1)";
        check(
            "MBS",
            irregularity,
            &[
                &format!("play-on {by}"),
                &format!("play-on {by}, withdrawal (6.1)"),
                &format!("void {by}, shoe may-replace"),
            ],
        );
    }
    // Named, with the reading that it is ruled so.
    let by = "by gaming-shift-manager (6.1, MBS-Q19)";
    check(
        "MBS",
        "differential-found",
        &[
            &format!("play-on {by}"),
            &format!("play-on {by}, withdrawal (6.1, MBS-Q19)"),
            &format!("void {by}, shoe may-replace"),
        ],
    );
    for irregularity in ["other", "unshuffled-cards"] {
        check(
            "NN",
            irregularity,
            &["play-on by pit-manager (NN-Q18)", "void by pit-manager (NN-Q18), shoe may-replace"],
        );
    }
    for irregularity in ["other", "wrong-order", "no-burn-unseen", "power-failure"] {
        check(
            "DB",
            irregularity,
            &[
                "play-on by residual (DB-Q10)",
                "play-on by residual (DB-Q10), withdrawal (DB-Q10)",
                "void by residual (DB-Q10), shoe may-replace",
            ],
        );
    }
}

#[test]
fn rulings_of_marina_bay_sands() {
    check("MBS", "foreign-card", &["void (5.1.1), shoe may-replace"]);
    check("MBS", "not-enough-cards", &["void (5.3), shoe may-replace"]);
    check("MBS", "order-lost", &["void (5.2), shoe may-replace"]);
    check("MBS", "order-lost-moving", &["void (5.12.2), shoe replace"]);
    check("MBS", "cards-carried-off", &["substitute by gaming-shift-manager (5.11, 5.11.1), shoe replace"]);
    check("MBS", "known-cards-carried-off", &["dealer-opens (5.11)"]);
    check(
        "MBS",
        "cut-card-first",
        &["play-on (3.17)", "play-on by dealer in high-limit areas (3.17.1), withdrawal (3.17.1, MBS-Q17)"],
    );
    check("MBS", "surplus-due-to-banker", &["rebuild (5.7, MBS-Q11)"]);
    for irregularity in
        ["surplus-on-player", "surplus-on-banker-exposed", "surplus-on-banker-unseen", "several-surplus"]
    {
        check(
            "MBS",
            irregularity,
            &[
                "discard by gaming-shift-manager (6.1, MBS-Q11)",
                "open-next-round by gaming-shift-manager (6.1, MBS-Q11)",
                "void by gaming-shift-manager (6.1, MBS-Q11), shoe may-replace",
            ],
        );
    }
    check("MBS", "wrong-order", &["rebuild (5.7)"]);
    check("MBS", "together-order-known", &["rebuild (5.8), withdrawal (5.8.1, MBS-Q5) of everybody"]);
    check("MBS", "together-initial-deal", &["void (5.8.2.1, MBS-Q4), shoe may-replace"]);
    check(
        "MBS",
        "together-later",
        &["fix-order by pit-manager (5.8.2.2), withdrawal (5.8.2.2, MBS-Q3) of everybody"],
    );
    check("MBS", "device-reset", &["reset (5.9, MBS-Q6), withdrawal (5.9) of everybody"]);
    check("MBS", "wrong-delivery", &["play-on (5.7, MBS-Q10)"]);
    check("MBS", "wrong-delivery-established", &["play-on (5.7.1, MBS-Q10)"]);
    check("MBS", "exposed-moving", &["play-on (5.12.1)"]);
    check("MBS", "squeeze-order-unknown", &["name-squeezer by pit-supervisor (3.10.4.1)"]);
    check("MBS", "power-failure", &["play-on (5.17.1), withdrawal (5.17.1) of everybody"]);
    check("MBS", "power-failure-established", &["play-on (5.17.2)"]);
}

#[test]
fn rulings_of_niu_niu_and_dragon_bonus() {
    check(
        "NN",
        "foreign-card",
        &[
            "void by pit-manager (7.1, 7.1.1, 7.1.3, 7.2, NN-Q10, NN-Q11), shoe replace",
            "play-on by pit-manager (7.1, 7.1.1, 7.1.3, NN-Q10, NN-Q11, NN-Q34)",
        ],
    );
    check(
        "NN",
        "order-lost",
        &[
            "void by pit-manager (7.1, 7.1.2, 7.1.4, NN-Q10, NN-Q11)",
            "play-on by pit-manager (7.1, 7.1.2, 7.1.4, NN-Q10, NN-Q11)",
        ],
    );
    check(
        "NN",
        "not-enough-cards",
        &[
            "void by pit-manager (7.1, 7.1.3, 7.2, NN-Q10, NN-Q11), shoe replace",
            "play-on by pit-manager (7.1, 7.1.3, NN-Q10, NN-Q11)",
        ],
    );
    check(
        "NN",
        "jam",
        &[
            "play-on by pit-manager (7.1, 7.1.2, NN-Q10, NN-Q11)",
            "void by pit-manager (7.1, 7.1.2, NN-Q10, NN-Q11)",
        ],
    );
    check(
        "NN",
        "force-majeure",
        &[
            "void by pit-manager (7.1, 7.1.4, NN-Q10, NN-Q11)",
            "play-on by pit-manager (7.1, 7.1.4, NN-Q10, NN-Q11)",
        ],
    );
    check("NN", "exposed-by-mistake", &["play-on (7.3)"]);
    check(
        "NN",
        "cards-carried-off",
        &[
            "void by pit-manager (7.1, 7.1.3, 7.2, NN-Q10, NN-Q11), shoe replace",
            "play-on by pit-manager (7.1, 7.1.3, NN-Q10, NN-Q11)",
        ],
    );
    check("NN", "dealt-out-of-turn", &["play-on (NN-Q23)"]);
    check("NN", "box-count", &["void (7.4, NN-Q11, NN-Q15)"]);
    check("NN", "box-count-handled", &["void-box (7.4.1, NN-Q12)"]);
    check("NN", "dealer-count", &["void (7.5, NN-Q11, NN-Q15)"]);
    check("NN", "empty-box-dealt", &["redeal (7.6, NN-Q13)"]);
    check("NN", "empty-box-dealt-handled", &["dead-cards (7.6.1, NN-Q12)"]);
    check("NN", "empty-box-cannot-rebuild", &["dead-cards (7.6, NN-Q14)"]);
    check("NN", "box-skipped", &["redeal (7.7, NN-Q13)"]);
    check("NN", "box-skipped-handled", &["void-box (7.7.1, NN-Q12)"]);
    check("NN", "box-skipped-cannot-rebuild", &["void-box (7.7.1)"]);
    check("NN", "hand-set-wrongly", &["reset-hand (7.8)"]);
    check(
        "NN",
        "cards-damaged",
        &["stop-handling by pit-manager (7.9, NN-Q10, NN-Q33)", "play-on by pit-manager (7.9, NN-Q10)"],
    );
    check("DB", "not-enough-cards", &["void by residual (DB-Q10)"]);
    check(
        "DB",
        "foreign-card",
        &[
            "void by residual (DB-Q10), shoe may-replace",
            "play-on by residual (DB-Q10, DB-Q22)",
            "play-on by residual (DB-Q10, DB-Q22), withdrawal (DB-Q10)",
        ],
    );
}

/// A withdrawal is for players: no such choice where the rulebook knows none, and a Free Hand only where it
/// has the rule for one.
#[test]
fn remedies_fit_their_rulebooks() {
    for rulebook in Library::standard().rulebooks() {
        for rule in &rulebook.irregularities {
            let name = rule.irregularity;
            assert!(name.belongs_to(rulebook.family), "{} {name}", rulebook.id);
            for ruling in &rule.rulings {
                let free = matches!(ruling.remedy, Remedy::NextHandFree | Remedy::FreeHand);
                let has_free = rulebook.games.iter().all(|game| !game.cites(Rule::FreeHand).is_empty());
                assert!(!free || has_free, "{} {name}", rulebook.id);
                assert!(
                    ruling.withdrawal.is_none() || rulebook.family == Family::Baccarat,
                    "{} {name}",
                    rulebook.id
                );
            }
        }
    }
}

#[test]
fn every_rulebook_rules_on_the_rest() {
    for rulebook in Library::standard().rulebooks() {
        let other = rulebook.irregularities.iter().find(|rule| rule.irregularity == Irregularity::Other);
        assert!(other.is_some_and(|rule| rule.rulings.len() >= 2), "{}", rulebook.id);
        assert!(other.is_some_and(|rule| rule.automatic().is_none()), "{}", rulebook.id);
        for irregularity in Irregularity::ALL.iter().filter(|one| one.belongs_to(rulebook.family)) {
            assert!(rulebook.irregularity(*irregularity).is_some(), "{} {irregularity}", rulebook.id);
        }
    }
}

#[test]
fn when_rounds_begin_and_outcomes_are_established() {
    for rulebook in Library::standard().rulebooks() {
        let expected = match rulebook.abbreviation.as_str() {
            "MBS" => (RoundBegins::OpeningCall, Established::AnyBet),
            _ => (RoundBegins::FirstCard, Established::MainResult),
        };
        assert_eq!((rulebook.play.round_begins, rulebook.play.established), expected, "{}", rulebook.id);
    }
}

#[test]
fn who_has_which_power() {
    let powers: Vec<(String, Vec<String>)> = Library::standard()
        .rulebooks()
        .iter()
        .map(|rulebook| {
            let line = |power: &Power| {
                let rule = rulebook.power(*power)?;
                let cites = ids(rulebook, &rule.cites);
                Some(format!("{power}: {} ({cites})", who(rulebook, rule.needs)))
            };
            (rulebook.abbreviation.clone(), Power::ALL.iter().filter_map(line).collect())
        })
        .collect();
    let hoiana = [
        "first-line: dealer-inspector (8.1)",
        "decide-dispute: pit-manager (8.1, 8.2)",
        "answer-complaint: senior-management (8.5)",
    ];
    let own = ["retract-report: pit-manager ()", "treasury: pit-supervisor ()"];
    let expect = |at: usize, lines: &[&str]| {
        let (abbreviation, found) = powers.get(at).unwrap();
        assert_eq!(found, lines, "{abbreviation}");
    };
    expect(
        0,
        &[
            &["replace-shoe: pit-manager (HB-Q29)"],
            &own[..],
            &[
                "forbid-squeeze: pit-manager (4.8, HB-Q64)",
                "place-for-player: dealer (HB-Q62)",
                "stop-insurance: pit-manager (6.4.5, HB-Q42, HB-Q43)",
                "banker-first: pit-manager (6.4.4, HB-Q39, HB-Q42)",
                "late-insurance: shift-manager (7.21, HB-Q41)",
            ],
            &hoiana,
        ]
        .concat(),
    );
    expect(
        1,
        &[
            &["replace-shoe: pit-manager (HDT-Q29)"],
            &own[..],
            &["forbid-squeeze: pit-manager (4.8, HDT-Q54)", "place-for-player: dealer (HDT-Q52)"],
            &hoiana,
        ]
        .concat(),
    );
    expect(
        2,
        &[
            "replace-shoe: pit-manager (5.13, MBS-Q9)",
            "retract-report: pit-manager ()",
            "treasury: pit-supervisor ()",
            "allow-squeeze: pit-manager (3.16, MBS-Q12)",
            "choose-squeezer: pit-supervisor (3.10.4.1)",
            "reveal-order: dealer (3.10.6)",
            "choose-method: pit-manager (3.9.2)",
            "choose-method-c: assistant-casino-manager (3.9.2)",
            "draw-without-wager: assistant-casino-manager (3.12.2)",
            "lower-area-limit: pit-manager (3.7.1)",
            "place-for-player: dealer (3.8)",
            "remove-wager: pit-manager (5.18.3)",
            "first-line: pit-supervisor ()",
            "decide-dispute: gaming-shift-manager ()",
            "answer-complaint: gaming-shift-manager ()",
        ],
    );
    expect(
        3,
        &[
            "replace-shoe: pit-manager ()",
            "retract-report: pit-manager ()",
            "treasury: floor-supervisor ()",
            "place-for-player: dealer (DB-Q10)",
            "first-line: floor-supervisor ()",
            "decide-dispute: pit-manager ()",
            "answer-complaint: shift-manager ()",
        ],
    );
    expect(
        4,
        &[
            &["replace-shoe: pit-manager (7.2, NN-Q10)"],
            &own[..],
            &[
                "place-for-player: dealer (NN-Q32)",
                "restrict-boxes: pit-manager (4.6.2, NN-Q33)",
                "stop-handling: pit-manager (7.9, NN-Q10, NN-Q33)",
            ],
            &hoiana,
        ]
        .concat(),
    );
}

/// Whatever must be proved is carried by some part of the rulebook, so that an answer can cite it.
#[test]
fn every_executable_clause_can_be_cited() {
    let mut missing = Vec::new();
    for rulebook in Library::standard().rulebooks() {
        let mut carried = BTreeSet::new();
        carry_rulebook(rulebook, &mut carried);
        for game in &rulebook.games {
            carry_game(game, &mut carried);
        }
        for clause in rulebook.index.clauses().iter().filter(|clause| clause.is_executable()) {
            if !carried.contains(&rulebook.index.find(&clause.id).unwrap()) {
                missing.push(format!("{} {}", rulebook.abbreviation, clause.id));
            }
        }
    }
    assert_eq!(missing, UNCARRIED, "clauses that nothing in the data carries");
}

/// The worked example of the Horseshoe sheet decides nothing beyond clause DB-15; scenarios play it.
const UNCARRIED: [&str; 2] = ["DB DB-16.1", "DB DB-16.2"];

fn carry_rulebook(rulebook: &Rulebook, carried: &mut BTreeSet<Basis>) {
    for layout in &rulebook.layouts {
        carried.extend(&layout.cites);
    }
    for spec in &rulebook.settings {
        carried.extend(&spec.cites);
    }
    for power in &rulebook.powers {
        carried.extend(&power.cites);
    }
    for rule in &rulebook.irregularities {
        carried.extend(&rule.cites);
        for ruling in &rule.rulings {
            carried.extend(&ruling.cites);
            carried.extend(ruling.withdrawal.iter().flat_map(|withdrawal| &withdrawal.cites));
        }
    }
}

fn carry_game(game: &Game, carried: &mut BTreeSet<Basis>) {
    carried.extend(game.variant.iter().flat_map(|variant| &variant.cites));
    for bet in &game.bets {
        carry_bet(bet, carried);
    }
    for line in game.insurance.iter().flat_map(|table| &table.lines) {
        carried.extend(&line.cites);
    }
    carried.extend(game.limits.below_minimum.iter().flat_map(|(_, cites)| cites));
    carried.extend(game.limits.above_maximum.iter().flatten());
    if let Some((cites, small)) = &game.limits.pro_rata {
        carried.extend(cites);
        carried.extend(small);
    }
    for category in Category::ALL {
        carried.extend(game.hand_cites(category));
    }
    for rule in Rule::ALL {
        carried.extend(game.cites(*rule));
    }
}

fn carry_bet(bet: &Bet, carried: &mut BTreeSet<Basis>) {
    carried.extend(&bet.cites);
    carried.extend(bet.at_most.iter().flat_map(|(_, cites)| cites));
    carried.extend(bet.excludes.iter().flat_map(|(_, cites)| cites));
    for line in bet.pays.lines() {
        carried.extend(&line.cites);
    }
    if let Some(reserve) = &bet.reserve {
        carried.extend(&reserve.cites);
        for line in reserve.lost.lines() {
            carried.extend(&line.cites);
        }
    }
}
