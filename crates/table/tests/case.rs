//! The dispute case: clauses 8.1 to 8.6 of the three Hoiana rulebooks, and the same procedure where a
//! rulebook has no section on disputes.

#[path = "case/desk.rs"]
mod desk;

use croupier_ledger::{Account, Amount, Entry, Kind, Transfer, TransferId};
use croupier_rules::Library;
use croupier_table::actor::{PersonId, PlayerId};
use croupier_table::case::*;
use desk::{CASE, Desk, PLAYER, TABLE};

const HOIANA: [&str; 3] = ["hoiana-baccarat/commission", "hoiana-dragon-tiger/commission", "hoiana-niu-niu"];

/// A case in the hands of Pit Manager 30; Inspector 20 was the first line.
const GATHERING: &str = "
    open player: wager
    dealer 1: assign dealer-inspector 20
    dealer-inspector 20: escalate they disagree about the third card
    pit-manager 30: take-over
";

const GATHERED: &str = "
    pit-manager 30: gather-fact the third card was a six
    pit-manager 30: inform-surveillance
    pit-manager 30: tell-due 4600
";

const DECIDED: &str = "
    pit-manager 30: complete-gathering
    pit-manager 30: decide law article 4 | the card was read wrong | 7 +50, 8 -20
";

fn check(games: &[&str], text: &str) {
    let library = Library::standard();
    for game in games {
        Desk::new(&library, game).check(text);
    }
}

fn check_after(before: &[&str], text: &str) {
    check(&HOIANA, &[before.concat().as_str(), text].concat());
}

/// HB 8.1, HDT 8.1, NN 8.1.
#[test]
fn clause_8_1_the_first_line_then_the_pit_manager() {
    check(
        &HOIANA,
        "
        open player: wager                                   => opened [8.1]
        dealer 1: decide law X | because                     => rank-too-low [8.4 8.1 8.2]
        dealer 1: assign dealer 2                            => not-first-line [8.1]
        player: assign dealer-inspector 20                   => rank-too-low [8.1]
        dealer 1: assign dealer-inspector 20                 => first-line [8.1]
        dealer 1: settle all agree                           => rank-too-low [8.1]
        dealer 1: escalate no agreement                      => rank-too-low [8.1]
        dealer-inspector 20: take-over                       => rank-too-low [8.1 8.2]
        dealer-inspector 20: escalate no agreement           => escalated [8.1]
        pit-supervisor 21: take-over                         => rank-too-low [8.1 8.2]
        pit-manager 30: take-over                            => gathering [8.1 8.2]
        ",
    );
    // A Pit Supervisor may be the first line, and it may end there.
    check(
        &HOIANA,
        "
        open dealer 1: wager
        system: assign pit-supervisor 21                     => first-line [8.1]
        pit-supervisor 21: settle                            => nothing-said [8.1]
        pit-supervisor 21: settle the player saw the replay  => closed [8.1]
        ",
    );
}

/// NN 8.1 says "or someone above"; HB and HDT get it from 8.2. A Dealer acting as Pit Manager is none.
#[test]
fn clause_8_1_any_rank_above_may_take_it() {
    for who in ["pit-manager 30", "shift-manager 40", "senior-management 60"] {
        check(
            &HOIANA,
            &format!(
                "
                open player: wager
                dealer 1: assign dealer-inspector 20
                dealer-inspector 20: escalate no agreement
                {who}: take-over => gathering [8.1 8.2]
                "
            ),
        );
    }
}

/// HB 8.2, HDT 8.2, NN 8.2.
#[test]
fn clause_8_2_facts_and_surveillance_come_before_the_decision() {
    check_after(
        &[GATHERING],
        "
        pit-supervisor 21: gather-fact a six                 => rank-too-low [8.2 8.1]
        pit-supervisor 21: inform-surveillance               => rank-too-low [8.2 8.1]
        pit-manager 30: decide law X | because               => facts-missing [8.2]
        pit-manager 30: complete-gathering                   => facts-missing [8.2]
        pit-manager 30: gather-fact                          => nothing-said [8.2 8.1]
        pit-manager 30: gather-fact a six                    => gathering [8.2 8.1]
        pit-manager 30: decide law X | because               => surveillance-not-informed [8.2]
        pit-manager 30: complete-gathering                   => surveillance-not-informed [8.2]
        shift-manager 40: inform-surveillance                => gathering [8.2 8.1]
        pit-manager 30: inform-surveillance                  => already-informed [8.2 8.1]
        pit-manager 30: tell-due 4600
        pit-manager 30: decide law X | because               => wrong-state [8.4]
        pit-manager 30: complete-gathering                   => under-review [8.2 8.3 8.1]
        pit-manager 30: decide law X | because               => decided
        ",
    );
}

/// HB 8.3, HDT 8.3, NN 8.3. The time is 1000 seconds.
#[test]
fn clause_8_3_a_due_time_or_the_reason_why_not() {
    let facts = "
        pit-manager 30: gather-fact a six
        pit-manager 30: inform-surveillance
        pit-manager 30: decide law X | because               => due-time-missing [8.3]
        pit-manager 30: complete-gathering                   => due-time-missing [8.3]
        pit-manager 30: tell-due 999                         => due-time-past [8.3 8.1 8.2]
        pit-manager 30: tell-due 1000                        => due-time-past [8.3 8.1 8.2]
        pit-manager 30: tell-due because                     => nothing-said [8.3 8.1 8.2]
    ";
    for due in ["tell-due 1001", "tell-due because the recording is with the police"] {
        let rest = format!(
            "
            dealer 1: {due}                                  => rank-too-low [8.3 8.1 8.2]
            pit-manager 30: {due}                            => gathering [8.3 8.1 8.2]
            pit-manager 30: complete-gathering               => under-review
            "
        );
        check_after(&[GATHERING, facts], &rest);
    }
}

/// HB 8.4, HDT 8.4, NN 8.4.
#[test]
fn clause_8_4_a_decision_has_grounds() {
    check_after(
        &[GATHERING, GATHERED],
        "
        pit-manager 30: complete-gathering
        dealer-inspector 22: decide law X | because          => rank-too-low [8.4 8.1 8.2]
        pit-manager 30: decide  | because                    => no-grounds [8.4]
        pit-manager 30: decide law X                         => nothing-said
        pit-manager 30: decide law X | because | 7 +0        => zero-correction []
        pit-manager 30: decide law X | because | 7 +5, 7 -5  => player-twice []
        pit-manager 30: ask-more-evidence                    => nothing-said [8.2 8.1]
        pit-manager 30: ask-more-evidence the shoe's record  => gathering [8.2 8.1]
        pit-manager 30: attach shoe S-4
        pit-manager 30: complete-gathering
        pit-manager 30: decide evidence shoe S-4 | because   => decided [8.4 8.1 8.2 8.4.7]
        ",
    );
}

/// One ground at a time: what does not make it one, and then what does.
fn check_ground(gathering: &str, decisions: &str) {
    check_after(&[GATHERING, GATHERED, gathering, "\npit-manager 30: complete-gathering\n"], decisions);
}

#[test]
fn clause_8_4_1_ground_the_approved_rules() {
    check_ground(
        "",
        "
        pit-manager 30: decide rules 99.1 | because          => unknown-clause [8.4.1]
        pit-manager 30: decide rules 7.4@of last year | why  => other-version [8.4.1]
        pit-manager 30: decide rules 7.4 | because           => decided [8.4 8.1 8.2 8.4.1 7.4]
        ",
    );
    // A reading is how the house reads the rules, not a clause.
    let library = Library::standard();
    let mut desk = Desk::after(&library, HOIANA[0], &[GATHERING, GATHERED].concat());
    desk.check(
        "
        pit-manager 30: complete-gathering
        pit-manager 30: decide rules HB-Q3 | because         => unknown-clause [8.4.1]
        pit-manager 30: decide rules 7.16 | because          => decided [8.4 8.1 8.2 8.4.1 7.16]
        ",
    );
    let clause = ("7.16".to_string(), "04/01.10.2024".to_string());
    let grounds = &desk.case().decision.as_ref().unwrap().grounds;
    assert_eq!(*grounds, [Ground::Rules { clause: clause.0, version: clause.1 }]);
}

#[test]
fn clause_8_4_2_ground_published_information() {
    check_ground(
        "
        pit-manager 30: attach published                     => nothing-said
        pit-manager 30: attach published limit-sign-12       => gathering [8.2 8.1 8.4.2]
        ",
        "
        pit-manager 30: decide published | because           => nothing-said [8.4.2]
        pit-manager 30: decide published limit-sign-12 | why => decided [8.4 8.1 8.2 8.4.2]
        ",
    );
}

#[test]
fn clause_8_4_3_ground_operating_procedures() {
    check_ground(
        "",
        "
        pit-manager 30: decide procedures | because          => nothing-said [8.4.3]
        pit-manager 30: decide procedures SOP 5 | because    => decided [8.4 8.1 8.2 8.4.3]
        ",
    );
}

#[test]
fn clause_8_4_4_ground_internal_controls() {
    check_ground(
        "",
        "
        pit-manager 30: decide controls | because            => nothing-said [8.4.4]
        pit-manager 30: decide controls ICS 2 | because      => decided [8.4 8.1 8.2 8.4.4]
        ",
    );
}

#[test]
fn clause_8_4_5_ground_the_accounts_of_both_sides() {
    check_ground("", "pit-manager 30: decide statements | because => nobody-heard [8.4.5]");
    check_ground(
        "
        another-player: hear-player it was a six             => another-player [8.4.5]
        dealer 1: hear-player he says a six                  => rank-too-low [8.4.5 8.1 8.2]
        player: hear-staff it was a nine                     => rank-too-low [8.4.5]
        player: hear-player                                  => nothing-said [8.4.5]
        player: hear-player it was a six                     => gathering [8.4.5]
        pit-manager 30: hear-player he says again a six      => gathering [8.4.5 8.1 8.2]
        ",
        "pit-manager 30: decide statements | because         => not-both-heard [8.4.5]",
    );
    check_ground(
        "
        dealer 1: hear-staff it was a nine                   => gathering [8.4.5]
        ",
        "pit-manager 30: decide statements | because         => not-both-heard [8.4.5]",
    );
    // Or the reason why one side could not be heard.
    check_ground(
        "
        player: hear-player it was a six                     => gathering [8.4.5]
        player: miss-staff he has gone                       => rank-too-low [8.4.5 8.1 8.2]
        dealer 1: miss-staff he has gone                     => rank-too-low [8.4.5 8.1 8.2]
        pit-manager 30: miss-staff                           => nothing-said [8.4.5 8.1 8.2]
        pit-manager 30: miss-staff the Dealer is in hospital => gathering [8.4.5 8.1 8.2]
        ",
        "pit-manager 30: decide statements | because         => decided [8.4 8.1 8.2 8.4.5]",
    );
    check_ground(
        "
        dealer 1: hear-staff it was a nine                   => gathering [8.4.5]
        pit-manager 30: miss-player ann has left the house   => gathering [8.4.5 8.1 8.2]
        ",
        "pit-manager 30: decide statements | because         => decided [8.4 8.1 8.2 8.4.5]",
    );
    // Reasons alone are no account.
    check_ground(
        "
        pit-manager 30: miss-staff nobody saw it             => gathering [8.4.5 8.1 8.2]
        pit-manager 30: miss-player ann has left the house   => gathering [8.4.5 8.1 8.2]
        ",
        "pit-manager 30: decide statements | because         => nobody-heard [8.4.5]",
    );
    check_ground(
        "
        player: hear-player it was a six                     => gathering [8.4.5]
        dealer 1: hear-staff it was a nine                   => gathering [8.4.5]
        ",
        "pit-manager 30: decide statements | because         => decided [8.4 8.1 8.2 8.4.5]",
    );
    let library = Library::standard();
    for game in HOIANA {
        let mut desk = Desk::after(&library, game, GATHERING);
        let slots = |desk: &Desk<'_>| {
            (desk.case().player_statement.to_string(), desk.case().staff_statement.to_string())
        };
        assert_eq!(slots(&desk), ("not obtained".to_string(), "not obtained".to_string()));
        desk.check("dealer 1: hear-staff it was a nine => gathering [8.4.5]");
        assert_eq!(slots(&desk), ("not obtained".to_string(), "it was a nine".to_string()));
    }
}

#[test]
fn clause_8_4_6_ground_surveillance() {
    check_ground(
        "
        surveillance: attach surveillance CAM-5              => rank-too-low [8.2 8.1]
        pit-manager 30: attach surveillance CAM-5            => gathering [8.2 8.1 8.4.6]
        pit-manager 30: attach surveillance CAM-5            => already-attached [8.4.6]
        ",
        "
        pit-manager 30: decide surveillance CAM-6 | because  => not-attached [8.4.6]
        pit-manager 30: decide surveillance CAM-5 | because  => decided [8.4 8.1 8.2 8.4.6]
        ",
    );
}

#[test]
fn clause_8_4_7_ground_any_other_evidence() {
    check_ground(
        "
        pit-manager 30: attach journal 181 180               => journal-backwards [8.4.7]
        pit-manager 30: attach journal 181 181               => gathering [8.2 8.1 8.4.7]
        pit-manager 30: attach document  R-1                 => nothing-said
        pit-manager 30: attach document receipt R-1          => gathering [8.2 8.1 8.4.7]
        ",
        "
        pit-manager 30: decide evidence round-file 42 | why  => not-attached [8.4.7]
        pit-manager 30: decide evidence round-file 41, evidence document receipt R-1 | why => decided [8.4 8.1 8.2 8.4.7]
        ",
    );
}

/// A case on a round has the round's file and journal without being asked.
#[test]
fn clause_8_4_7_the_round_is_attached_by_itself() {
    let library = Library::standard();
    for game in HOIANA {
        let desk = Desk::after(&library, game, "open player: wager => opened [8.1]");
        let round = croupier_ledger::RoundId(41);
        let journal = Evidence::Journal { table: TABLE, from: 100, to: 180 };
        assert_eq!(desk.case().evidence, [Evidence::RoundFile { table: TABLE, round }, journal]);
        assert_eq!(desk.ids(&desk.events[1].cites), "8.2 8.4.7");

        let desk = Desk::after(&library, game, "open player: wager without round");
        assert_eq!(desk.case().evidence, []);
    }
}

#[test]
fn clause_8_4_8_ground_the_law() {
    check_ground(
        "",
        "
        pit-manager 30: decide law | because                 => nothing-said [8.4.8]
        pit-manager 30: decide law Decree 3 art 5 | because  => decided [8.4 8.1 8.2 8.4.8]
        ",
    );
}

/// HB 8.5, HDT 8.5, NN 8.5.
#[test]
fn clause_8_5_the_right_to_complain_is_told_before_anything_else() {
    let disagreed = "
        another-player: disagree                             => another-player [8.5]
        player: disagree                                     => rights-informed [8.5]
        player: decline-complaint                            => right-not-told [8.5]
        player: wish-complaint                               => right-not-told [8.5]
        pit-manager 30: post-corrections table 1 2           => right-not-told [8.5]
        senior-management 60: answer-complaint yes           => right-not-told [8.5]
        pit-supervisor 21: tell-right                        => rank-too-low [8.5 8.1 8.2]
        pit-manager 30: tell-right                           => rights-informed [8.5 8.1 8.2]
        pit-manager 30: tell-right                           => already-told [8.5 8.1 8.2]
    ";
    check_after(&[GATHERING, GATHERED, DECIDED, disagreed], "player: decline-complaint => closed [8.5]");
    check_after(
        &[GATHERING, GATHERED, DECIDED, disagreed],
        "
        player: wish-complaint                               => assisting [8.5]
        dealer 1: name-helper 20
        player: file-complaint C-1
        shift-manager 40: answer-complaint we agree          => rank-too-low [8.5]
        senior-management 60: answer-complaint               => nothing-said [8.5]
        senior-management 60: answer-complaint we agree | 7 +80 | cage => ids-missing []
        senior-management 60: answer-complaint we agree | 7 +80 | cage 501 => closed [8.5]
        ",
    );
}

/// HB 8.6, HDT 8.6, NN 8.6.
#[test]
fn clause_8_6_who_complains_is_helped() {
    check_after(
        &[GATHERING, GATHERED, DECIDED],
        "
        player: disagree
        pit-manager 30: tell-right
        player: wish-complaint
        player: file-complaint C-1                           => no-helper [8.6]
        dealer 1: file-complaint C-1                         => no-helper [8.6]
        player: name-helper 20                               => rank-too-low [8.6]
        dealer 1: name-helper 20                             => assisting [8.6]
        another-player: file-complaint C-1                   => another-player [8.5 8.6]
        player: file-complaint                               => nothing-said [8.5 8.6]
        player: file-complaint C-1                           => complaint-filed [8.5 8.6]
        ",
    );
}

/// The rulebooks of MBS and Horseshoe have no section on disputes: nothing is cited.
#[test]
fn without_a_section_on_disputes_it_is_the_operators_procedure() {
    for (game, first, manager, senior) in [
        ("mbs-dragon-tiger", "pit-supervisor", "gaming-shift-manager", "gaming-shift-manager"),
        ("horseshoe-dragon-bonus", "floor-supervisor", "pit-manager", "shift-manager"),
    ] {
        check(
            &[game],
            &format!(
                "
                open player: wager                                  => opened []
                dealer 1: assign {first} 20                         => first-line []
                {first} 20: escalate no agreement                   => escalated []
                {first} 20: take-over                               => rank-too-low []
                {manager} 30: take-over                             => gathering []
                {manager} 30: complete-gathering                    => facts-missing []
                {manager} 30: gather-fact a six                     => gathering []
                {manager} 30: inform-surveillance                   => gathering []
                {manager} 30: tell-due 4600                         => gathering []
                {manager} 30: complete-gathering                    => under-review []
                {manager} 30: decide procedures 5 | because         => decided []
                player: disagree                                    => rights-informed []
                {manager} 30: tell-right                            => rights-informed []
                player: wish-complaint                              => assisting []
                dealer 1: name-helper 1                             => assisting []
                player: file-complaint C-1                          => complaint-filed []
                {senior} 30: answer-complaint no                    => own-decision []
                {senior} 61: answer-complaint no                    => closed []
                "
            ),
        );
    }
}

#[test]
fn nobody_judges_in_a_matter_of_his_own() {
    let to_review = |opening: &str, first: &str| {
        format!(
            "{opening}
            dealer 1: assign {first}
            {first}: escalate no agreement
            {first}: take-over                               => own-first-line []
            pit-manager 31: take-over
            {}
            pit-manager 31: complete-gathering
            ",
            GATHERED.replace("30", "31")
        )
    };
    check(
        &HOIANA,
        &(to_review("open player: ruling pit-manager 30", "pit-manager 32")
            + "
            pit-manager 30: decide law X | because           => own-ruling []
            pit-manager 32: decide law X | because           => own-first-line []
            pit-manager 31: decide law X | because           => decided
            "),
    );
    // Nor does whoever ruled settle it at the first line, or take it over.
    check(
        &HOIANA,
        "
        open player: ruling pit-manager 30
        dealer 1: assign pit-manager 30                      => own-ruling []
        dealer 1: assign pit-supervisor 20
        pit-manager 30: settle it stands                     => own-ruling []
        pit-manager 30: escalate it was my ruling
        pit-manager 30: take-over                            => own-ruling []
        pit-manager 31: take-over                            => gathering
        ",
    );
    // Who reports that it could not be settled was the first line too.
    check(
        &HOIANA,
        &(to_review("open player: ruling system", "pit-manager 32").replace("32: escalate", "33: escalate")
            + "
            pit-manager 32: decide law X | because           => own-first-line []
            pit-manager 33: decide law X | because           => own-first-line []
            pit-manager 31: decide law X | because           => decided
            "),
    );
    // The same for the answer to the complaint.
    check(
        &HOIANA,
        &(to_review("open player: ruling senior-management 60", "senior-management 61")
            + "
            senior-management 62: decide law X | because
            pit-manager 31: disagree
            pit-manager 31: tell-right
            pit-manager 31: wish-complaint
            dealer 1: name-helper 1
            dealer 1: file-complaint C-1
            senior-management 60: answer-complaint no        => own-ruling []
            senior-management 61: answer-complaint no        => own-first-line []
            senior-management 62: answer-complaint no        => own-decision []
            senior-management 63: answer-complaint no        => closed
            "),
    );
}

#[test]
fn opening() {
    check(
        &HOIANA,
        "
        open another-player: wager                           => cannot-raise [8.1]
        open device: wager                                   => cannot-raise [8.1]
        open system: wager                                   => cannot-raise [8.1]
        open surveillance: wager                             => cannot-raise [8.1]
        open player: round unnamed                           => round-missing [8.1]
        open player: round 181 180                           => journal-backwards [8.4.7]
        open player: silence                                 => nothing-said [8.1]
        open player: round 180 180                           => opened [8.1]
        ",
    );
    let library = Library::standard();
    let desk = Desk::after(&library, HOIANA[0], "open dealer 1: ruling pit-manager 30");
    let other = Desk::new(&library, HOIANA[1]);
    let refusal = decide(other.authority, desk.case(), &desk.command("dealer 1: take-over")).unwrap_err();
    assert_eq!(refusal.code(), "other-rulebook");
}

/// Of several reasons the first in the list is given.
#[test]
fn the_order_of_precedence() {
    check_after(
        &[GATHERING],
        "
        dealer 1: decide  |  | 7 +0                          => rank-too-low
        dealer-inspector 20: decide  |  | 7 +0               => rank-too-low
        pit-manager 30: decide  |  | 7 +0                    => facts-missing
        pit-manager 30: gather-fact a six
        pit-manager 30: decide  |  | 7 +0                    => surveillance-not-informed
        pit-manager 30: inform-surveillance
        pit-manager 20: decide  |  | 7 +0   => due-time-missing
        pit-manager 30: tell-due 4600
        pit-manager 20: decide  |  | 7 +0   => wrong-state
        pit-manager 30: complete-gathering
        pit-manager 20: decide  |  | 7 +0   => own-first-line
        pit-manager 30: decide  |  | 7 +0                    => no-grounds
        pit-manager 30: decide rules 0@x, law |  | 7 +0      => unknown-clause
        pit-manager 30: decide rules 7.4@x, law |  | 7 +0    => other-version
        pit-manager 30: decide statements, law |  | 7 +0     => nobody-heard
        pit-manager 30: decide evidence shoe S, law |        => not-attached
        pit-manager 30: decide law |  | 7 +0                 => nothing-said [8.4.8]
        pit-manager 30: decide law X |  | 7 +0               => nothing-said
        pit-manager 30: decide law X | because | 7 +0        => zero-correction
        ",
    );
    let place = |code| CaseRefusal::CODES.iter().position(|known| *known == code).unwrap();
    let order = [
        "rank-too-low",
        "right-not-told",
        "facts-missing",
        "surveillance-not-informed",
        "due-time-missing",
        "wrong-state",
        "own-first-line",
        "no-grounds",
        "unknown-clause",
        "other-version",
        "nobody-heard",
        "not-both-heard",
        "not-attached",
        "nothing-said",
        "zero-correction",
    ];
    assert!(order.windows(2).all(|pair| place(pair[0]) < place(pair[1])));
}

#[test]
fn messages_say_who_may_and_what_would_be_accepted() {
    let library = Library::standard();
    let mut desk = Desk::after(&library, HOIANA[0], "open player: wager");
    let mut says = |line: &str| desk.run(line).unwrap_err().to_string();
    assert_eq!(says("dealer 1: take-over"), "taking it over is for the Pit Manager or above");
    assert_eq!(
        says("dealer 1: assign dealer 2"),
        "2 cannot be the first line; that is for the Dealer Inspector or above"
    );
    assert_eq!(
        says("pit-manager 30: take-over"),
        "taking it over has no place while the case is opened; possible now: giving it to the first line"
    );
    desk.check("dealer 1: assign dealer-inspector 20\ndealer-inspector 20: settle all agree");
    let closed = desk.run("pit-manager 30: take-over").unwrap_err().to_string();
    assert_eq!(
        closed,
        "taking it over has no place while the case is closed; nothing more can be done with it"
    );
}

#[test]
fn codes_are_kebab_case_and_differ() {
    let mut codes = CaseRefusal::CODES.to_vec();
    assert!(codes.iter().all(|code| code.bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase())));
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), CaseRefusal::CODES.len());
}

/// Money moves by corrections that cite the case, once the player agrees.
#[test]
fn corrections_become_ledger_entries() {
    let library = Library::standard();
    let (seven, eight) = (PLAYER, PlayerId(8));
    let chips = |player| Account::Chips { table: TABLE, player };
    let float = Account::Float(TABLE);
    let entry = |id, from, to, minor| {
        let amount = Amount::new(minor).unwrap();
        Entry::Direct(Transfer {
            id: TransferId(id),
            from,
            to,
            amount,
            kind: Kind::Correction { case: CASE },
        })
    };
    for game in HOIANA {
        let mut desk = Desk::after(&library, game, &[GATHERING, GATHERED, DECIDED].concat());
        desk.check(
            "
            another-player: agree                            => another-player []
            player: agree                                    => accepted []
            pit-supervisor 21: post-corrections table 1 2    => rank-too-low [8.1 8.2]
            pit-manager 30: post-corrections table 1         => ids-missing []
            pit-manager 30: post-corrections table 1 2 3     => ids-missing []
            pit-manager 30: post-corrections table 1 1       => id-twice []
            pit-manager 30: post-corrections table 1 2       => closed [8.1 8.2]
            ",
        );
        let (last, before) = desk.events.split_last().unwrap();
        assert_eq!(entries(last), [entry(1, float, chips(seven), 50), entry(2, chips(eight), float, 20)]);
        assert!(before.iter().all(|event| entries(event).is_empty()));
        assert!(entries(last).iter().all(|entry| match entry {
            Entry::Direct(moved) => moved.kind.goes(moved.from, moved.to),
            _ => false,
        }));
        assert_eq!(desk.case().end, Some(End::Agreed));

        let mut desk = Desk::after(&library, game, &[GATHERING, GATHERED, DECIDED].concat());
        desk.check("player: agree\npit-manager 30: post-corrections cage 1 2");
        let (wallet, cage) = (Account::Wallet, Account::Cage);
        let moved = entries(desk.events.last().unwrap());
        assert_eq!(moved, [entry(1, cage, wallet(seven), 50), entry(2, wallet(eight), cage, 20)]);
    }
}

/// What the answer to a complaint moves takes the place of the decision's corrections.
#[test]
fn an_answered_complaint_moves_what_the_answer_says() {
    let library = Library::standard();
    let mut desk = Desk::after(&library, HOIANA[0], &[GATHERING, GATHERED, DECIDED].concat());
    desk.check(
        "
        player: disagree
        pit-manager 30: tell-right
        player: wish-complaint
        dealer 1: name-helper 20
        player: file-complaint C-1
        senior-management 60: answer-complaint we agree | 7 +80 | cage 501
        ",
    );
    let moved: Vec<Entry> = desk.events.iter().flat_map(entries).collect();
    let amount = Amount::new(80).unwrap();
    let (from, to, kind) = (Account::Cage, Account::Wallet(PLAYER), Kind::Correction { case: CASE });
    assert_eq!(moved, [Entry::Direct(Transfer { id: TransferId(501), from, to, amount, kind })]);
    assert_eq!(desk.case().helper, Some(PersonId(20)));
    assert_eq!(desk.case().end, Some(End::Answered { words: "we agree".to_string() }));
}
