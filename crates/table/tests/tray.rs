//! The chips of a table: counts by two people who do not see each other's, and slips that go through three hands.

use croupier_rules::{Amount, Library};
use croupier_table::authority::Authority;
use croupier_table::tray::{
    Chips, CountOf, Paper, SlipKind, Tray, TrayCommand, TrayOrder, TrayRefusal, apply, decide,
};
use croupier_table::{Actor, PersonId, PlayerId, Rank, Staff, TableId};

const CHIP: i64 = 100;

fn value(minor: i64) -> Amount {
    Amount::new(minor).unwrap_or(Amount::ZERO)
}

fn chips(kinds: &[(i64, u32)]) -> Chips {
    Chips::new(kinds.iter().map(|(minor, pieces)| (value(*minor), *pieces)).collect()).unwrap_or_default()
}

/// A tray at a table of the first Hoiana book, where a Pit Supervisor has the money of the table.
struct Floor {
    library: Library,
    tray: Tray,
}

impl Floor {
    fn new() -> Self {
        Self { library: Library::standard(), tray: Tray::new(TableId(3)) }
    }

    fn staff(&self, person: u32, rank: &str) -> Actor {
        let (rulebook, _) = self.library.find("hoiana-baccarat/commission").unwrap_or_else(|| unreachable!());
        let rank = Rank(rulebook.rank(rank).unwrap_or(0));
        Actor::Staff(Staff { person: PersonId(person), rank, acting: None })
    }

    fn give(&mut self, by: Actor, order: TrayOrder) -> Result<Paper, TrayRefusal> {
        let (rulebook, game) =
            self.library.find("hoiana-baccarat/commission").unwrap_or_else(|| unreachable!());
        let authority = Authority { rulebook, game, residual: None, acting_ranks: false };
        let before = self.tray.clone();
        let command = TrayCommand { by, at: 1_000, order };
        match decide(authority, value(CHIP), &self.tray, &command) {
            Ok(()) => Ok(apply(&mut self.tray, &command)),
            Err(refusal) => {
                assert_eq!(self.tray, before, "a refusal leaves a trace");
                Err(refusal)
            }
        }
    }

    #[track_caller]
    fn refused(&mut self, by: Actor, order: TrayOrder, code: &str) {
        match self.give(by, order.clone()) {
            Err(refusal) => assert_eq!(refusal.code(), code, "{order:?}"),
            Ok(paper) => unreachable!("{order:?} was let through: {paper:?}"),
        }
    }

    #[track_caller]
    fn done(&mut self, by: Actor, order: TrayOrder) -> Paper {
        match self.give(by, order.clone()) {
            Ok(paper) => paper,
            Err(refusal) => unreachable!("{order:?}: {refusal}"),
        }
    }
}

#[test]
fn a_slip_goes_through_the_hands_of_two() {
    let mut floor = Floor::new();
    let (dealer, other) = (floor.staff(1, "dealer"), floor.staff(2, "dealer"));
    let (pit, boss) = (floor.staff(7, "pit-supervisor"), floor.staff(8, "pit-supervisor"));
    let ask = |kinds: &[(i64, u32)]| TrayOrder::AskSlip { kind: SlipKind::Fill, chips: chips(kinds) };
    floor.refused(Actor::Player(PlayerId(9)), ask(&[(500, 2)]), "not-staff");
    floor.refused(dealer, ask(&[]), "no-chips");
    floor.refused(dealer, ask(&[(CHIP - 1, 2)]), "no-such-chip");
    assert_eq!(floor.done(dealer, ask(&[(500, 2), (CHIP, 3)])).number(), 1);
    let deliver = |witness| TrayOrder::DeliverSlip { number: 1, witness: PersonId(witness), line: 40 };
    floor.refused(pit, deliver(1), "slip-not-approved");
    floor.refused(other, TrayOrder::ApproveSlip { number: 1 }, "not-authorised");
    floor.refused(pit, TrayOrder::ApproveSlip { number: 2 }, "no-paper");
    floor.done(pit, TrayOrder::ApproveSlip { number: 1 });
    floor.refused(boss, TrayOrder::ApproveSlip { number: 1 }, "slip-approved");
    floor.refused(dealer, deliver(2), "not-authorised");
    floor.refused(pit, deliver(7), "same-person");
    assert!(floor.done(pit, deliver(1)).is_finished());
    floor.refused(pit, deliver(1), "no-paper");
    // Whoever asks does not approve, whatever the rank.
    floor.done(pit, ask(&[(500, 1)]));
    floor.refused(pit, TrayOrder::ApproveSlip { number: 2 }, "same-person");
    floor.done(boss, TrayOrder::ApproveSlip { number: 2 });
    let drop = |why: &str| TrayOrder::DropSlip { number: 2, why: why.to_string() };
    floor.refused(dealer, drop("not needed"), "not-authorised");
    floor.refused(pit, drop("  "), "words-needed");
    floor.refused(pit, drop(&"x".repeat(401)), "words-needed");
    assert!(floor.done(pit, drop(&"x".repeat(400))).is_finished());
    assert!(floor.tray.open.is_empty());
}

fn begin(books: i64, kinds: &[(i64, u32)]) -> TrayOrder {
    TrayOrder::BeginCount { of: CountOf::Closing, books: value(books), chips: chips(kinds) }
}

fn seal(books: i64, kinds: &[(i64, u32)]) -> TrayOrder {
    TrayOrder::SealCount { number: 1, books: value(books), chips: chips(kinds) }
}

const SIGN: TrayOrder = TrayOrder::SignCount { number: 1, line: Some(50) };

#[test]
fn two_people_count_and_only_what_differs_again() {
    let mut floor = Floor::new();
    let (ann, bob, pit) =
        (floor.staff(1, "dealer"), floor.staff(2, "dealer"), floor.staff(7, "pit-supervisor"));
    floor.done(ann, begin(1_300, &[(500, 2), (CHIP, 3)]));
    floor.refused(bob, begin(1_300, &[]), "count-open");
    // Another count of something else may go on beside it.
    let of_drop = TrayOrder::BeginCount { of: CountOf::Drop, books: value(0), chips: Chips::default() };
    assert_eq!(floor.done(bob, of_drop).number(), 2);
    floor.refused(ann, seal(1_300, &[(500, 2), (CHIP, 3)]), "same-person");
    floor.refused(bob, seal(1_299, &[(500, 2)]), "books-moved");
    floor.refused(bob, seal(1_300, &[(CHIP + 1, 2)]), "no-such-chip");
    floor.refused(pit, SIGN, "count-not-agreed");
    // One denomination that only one of them saw, and one that they counted differently.
    floor.done(bob, seal(1_300, &[(500, 2), (CHIP, 2), (200, 1)]));
    let count = |floor: &Floor| floor.tray.count(1).cloned().unwrap_or_else(|| unreachable!());
    let again = count(&floor).again;
    assert_eq!(again, [value(200), value(CHIP)]);
    assert_eq!(count(&floor).difference(), None);
    floor.refused(ann, seal(1_300, &[(500, 2), (CHIP, 3)]), "count-only-differing");
    floor.done(ann, seal(1_300, &[(CHIP, 3)]));
    floor.refused(ann, seal(1_300, &[(CHIP, 3)]), "same-person");
    floor.done(bob, seal(1_300, &[(CHIP, 3)]));
    assert_eq!((count(&floor).agreed, count(&floor).difference()), (chips(&[(500, 2), (CHIP, 3)]), Some(0)));
    floor.refused(bob, seal(1_300, &[]), "count-agreed");
    // What both agree on is not dropped by one of them.
    let drop = TrayOrder::DropCount { number: 1, why: "again".to_string() };
    floor.refused(ann, drop, "not-authorised");
    floor.refused(pit, TrayOrder::ExplainCount { number: 1, words: "x".to_string() }, "count-is-right");
    floor.refused(ann, SIGN, "not-authorised");
    assert!(floor.done(pit, SIGN).is_finished());
    assert_eq!(floor.tray.difference, 0);
}

#[test]
fn over_and_short_are_explained_before_they_are_signed() {
    for (pieces, difference) in [(2, -CHIP), (3, 0), (4, CHIP)] {
        let mut floor = Floor::new();
        let (ann, bob) = (floor.staff(1, "dealer"), floor.staff(2, "dealer"));
        let pit = floor.staff(7, "pit-supervisor");
        let counted = [(500, 2), (CHIP, pieces)];
        floor.done(ann, begin(1_300, &counted));
        floor.done(bob, seal(1_300, &counted));
        let explain = TrayOrder::ExplainCount { number: 1, words: "a chip under the felt".to_string() };
        if difference == 0 {
            floor.done(pit, SIGN);
        } else {
            floor.refused(pit, SIGN, "count-unexplained");
            floor.refused(bob, explain.clone(), "not-authorised");
            floor.done(pit, explain);
            floor.done(pit, SIGN);
        }
        assert_eq!(floor.tray.difference, difference);
    }
}

#[test]
fn whoever_counts_may_give_it_up_while_they_do_not_agree() {
    let mut floor = Floor::new();
    let (ann, bob, pit) =
        (floor.staff(1, "dealer"), floor.staff(2, "dealer"), floor.staff(7, "pit-supervisor"));
    let drop = || TrayOrder::DropCount { number: 1, why: "a round was played".to_string() };
    floor.done(ann, begin(1_300, &[(500, 2)]));
    floor.refused(bob, drop(), "not-authorised");
    assert!(floor.done(ann, drop()).is_finished());
    // A count that does not stand changes nothing that is carried.
    assert_eq!((floor.tray.difference, floor.tray.last), (0, 1));
    floor.done(bob, begin(1_300, &[(500, 2)]));
    let paper = floor.done(pit, TrayOrder::DropCount { number: 2, why: "again".to_string() });
    assert!(paper.is_finished());
}

#[test]
fn what_is_no_count_of_chips() {
    assert!(Chips::new(vec![(value(0), 1)]).is_err());
    assert!(Chips::new(vec![(value(5), 1), (value(5), 2)]).is_err());
    let many = |kinds: i64| Chips::new((1..=kinds).map(|minor| (value(minor), 1)).collect());
    assert!(many(32).is_ok() && many(33).is_err());
    let most = Amount::MAX.minor();
    assert!(Chips::new(vec![(value(most), 1)]).is_ok());
    assert!(Chips::new(vec![(value(most), 1), (value(1), 1)]).is_err());
}
