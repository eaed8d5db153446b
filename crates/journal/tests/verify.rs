//! A journal that was really played is found clean; whatever is done to it is found, and the row is named.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

#[path = "verify/files.rs"]
mod files;
#[path = "verify/floor.rs"]
mod floor;
#[path = "verify/raw.rs"]
mod raw;
#[path = "verify/rebuilt.rs"]
mod rebuilt;

use std::sync::OnceLock;

use croupier_journal::store::Memory;
use croupier_journal::verify::{Against, Finding, Summary, Trouble, verify};
use croupier_journal::{Row, Store, Stream};
use croupier_ledger::{Amount as Minor, Kind, TableId};
use croupier_table::case::Through;
use croupier_table::{Action, Fact};
use floor::{Dice, Floor, facts, forge, rechain, transfer_mut, units, written_by};
use raw::Raw;

pub(crate) const BACCARAT: &str = "hoiana-baccarat/commission";
pub(crate) const NIU_NIU: &str = "hoiana-niu-niu";

pub(crate) fn played() -> &'static Floor {
    static FLOOR: OnceLock<Floor> = OnceLock::new();
    FLOOR.get_or_init(|| {
        let mut floor = Floor::open(&[BACCARAT, NIU_NIU]);
        floor.checkpoint();
        for part in 0..6 {
            floor.play(TableId(1), 4);
            floor.play(TableId(2), 2);
            floor.checkpoint();
            match part {
                1 => floor.dispute(1, TableId(1), Through::Table),
                3 => floor.dispute(2, TableId(2), Through::Cage),
                _ => {}
            }
        }
        floor.play_out(TableId(1));
        floor.checkpoint();
        floor
    })
}

pub(crate) fn check(store: &mut dyn Store, floor: &Floor, signed: bool) -> Result<Summary, Finding> {
    let checkpoints = signed.then_some(floor.checkpoints.as_str());
    let trusted = signed.then(|| floor.keys.public());
    match verify(store, Against { checkpoints, trusted }, &mut |_| {}) {
        Ok(summary) => Ok(summary),
        Err(Trouble::Found(finding)) => Err(*finding),
        Err(Trouble::Store(error)) => panic!("{error}"),
    }
}

/// What is found in rows that lie at the positions from 1 on.
#[track_caller]
fn found(rows: Vec<Row>, signed: bool) -> Finding {
    match check(&mut Raw::of(rows), played(), signed) {
        Ok(_) => panic!("nothing was found"),
        Err(finding) => finding,
    }
}

/// Names a row of the floor.
fn names(finding: &Finding, row: &Row) -> bool {
    (finding.stream, finding.sequence) == (Some(row.stream), Some(row.sequence))
}

#[test]
fn what_was_played_is_clean() {
    let floor = played();
    let mut memory = Memory::default();
    memory.lock().unwrap();
    memory.commit(1, &floor.rows, &[]).unwrap();
    let mut told = 0;
    let against = Against { checkpoints: Some(&floor.checkpoints), trusted: Some(floor.keys.public()) };
    let summary = verify(&mut memory, against, &mut |done| told = done).unwrap();
    assert_eq!(told, summary.rows);
    assert_eq!(usize::try_from(summary.rows).unwrap(), floor.rows.len());
    assert_eq!((summary.covered, summary.cases, summary.streams), (summary.rows, 2, 10));
    assert!(summary.rounds > 40 && summary.wagers > 100 && summary.shoes >= 2, "{summary:?}");
    let fingerprints: Vec<u64> = summary.tables.iter().map(|table| table.fingerprint).collect();
    assert_eq!(fingerprints, [1, 2].map(|id| floor.table(TableId(id)).fingerprint()));
    assert!(summary.warnings.is_empty(), "{:?}", summary.warnings);
    let without = check(&mut memory, floor, false).unwrap();
    assert!(without.warnings.iter().any(|warning| warning.contains("no checkpoints")));
    assert_eq!((without.events, without.wagers), (summary.events, summary.wagers));
}

/// The floor did what the tests below are about.
#[test]
fn what_was_played_has_everything() {
    let all: Vec<Fact> = played().rows.iter().flat_map(facts).collect();
    let has = |what: &str, wanted: &dyn Fn(&Fact) -> bool| assert!(all.iter().any(wanted), "{what}");
    has("an irregularity", &|fact| matches!(fact, Fact::Irregular { .. }));
    has("a ruling", &|fact| matches!(fact, Fact::Ruled { .. }));
    has("a card burned face up", &|fact| matches!(fact, Fact::Burned { cards, .. } if !cards.is_empty()));
    has("a wager taken back", &|fact| matches!(fact, Fact::TakenBack { .. }));
    has("a second shoe", &|fact| matches!(fact, Fact::ShoeLoaded { number: 3, commitment: Some(_), .. }));
    has("cash", &|fact| matches!(fact, Fact::BoughtIn { cash: true, .. }));
}

#[test]
fn a_changed_byte_is_found() {
    let rows = &played().rows;
    let mut dice = Dice(7);
    for at in (0..rows.len()).step_by(11) {
        for _ in 0..2 {
            let mut changed = rows.clone();
            let byte = dice.place(changed[at].line.len());
            changed[at].line[byte] ^= 1 << dice.roll(7);
            let finding = found(changed, true);
            let row = &rows[at];
            // The line itself, the next one that does not name its hash, or the checkpoint at the end.
            let sequence = finding.sequence.unwrap();
            let near =
                finding.stream == Some(row.stream) && (row.sequence..=row.sequence + 1).contains(&sequence);
            assert!(near, "{} {} byte {byte}: {finding}", row.stream, row.sequence);
        }
    }
}

#[test]
fn columns_that_differ_from_the_line_are_found() {
    let rows = &played().rows;
    for at in (0..rows.len()).step_by(47) {
        let other = &rows[(at + 1) % rows.len()];
        let changes: [&dyn Fn(&mut Row); 5] = [
            &|row| row.stream = Stream::Table(TableId(77)),
            &|row| row.sequence += 1,
            &|row| row.id = croupier_journal::CommandId::new("another").unwrap(),
            &|row| row.events_at += 1,
            &|row| {
                let kinds = croupier_journal::Kind::ALL;
                row.kind = *kinds.iter().find(|kind| **kind != row.kind).unwrap();
            },
        ];
        for (number, change) in changes.iter().enumerate() {
            let mut changed = rows.clone();
            change(&mut changed[at]);
            let finding = found(changed, false);
            assert_eq!(finding.position, Some(u64::try_from(at + 1).unwrap()), "{number}: {finding}");
        }
        // The line of another row under its own columns.
        let mut changed = rows.clone();
        changed[at].line.clone_from(&other.line);
        assert_eq!(found(changed, false).position, Some(u64::try_from(at + 1).unwrap()));
    }
}

#[test]
fn a_row_left_out_is_found() {
    let rows = &played().rows;
    for at in (0..rows.len()).step_by(29) {
        // With its position.
        let mut left = Raw::of(rows.clone());
        left.0.remove(at);
        let finding = check(&mut left, played(), true).unwrap_err();
        assert_eq!(finding.position, Some(u64::try_from(at + 1).unwrap()), "{finding}");
        // And with all positions after it moved up.
        let mut closed = rows.clone();
        closed.remove(at);
        let finding = found(closed, true);
        assert!(finding.position.unwrap() > u64::try_from(at).unwrap(), "{finding}");
    }
}

#[test]
fn rows_in_another_order_are_found() {
    let rows = &played().rows;
    let mut dice = Dice(3);
    for _ in 0..100 {
        let (one, other) = (dice.place(rows.len()), dice.place(rows.len()));
        if rows[one].stream == rows[other].stream && one != other {
            let mut changed = rows.clone();
            changed.swap(one, other);
            let finding = found(changed, false);
            assert_eq!(finding.position, Some(u64::try_from(one.min(other) + 1).unwrap()), "{finding}");
        }
    }
    // A wallet is told at once, by the line after.
    let told = rows.iter().position(|row| matches!(row.stream, Stream::Player(_))).unwrap();
    let mut changed = rows.clone();
    changed.swap(told, told + 1);
    assert!(found(changed, false).what.contains("wallet"));
    // Money moves in the order of its transfers, across streams too.
    let moves = |row: &Row| !row.record().unwrap().postings.is_empty();
    let pair = (0..rows.len() - 1).find(|at| {
        let (one, other) = (&rows[*at], &rows[at + 1]);
        one.stream != other.stream && moves(one) && moves(other)
    });
    if let Some(at) = pair {
        let mut changed = rows.clone();
        changed.swap(at, at + 1);
        assert!(found(changed, false).what.contains("transfer"));
    }
}

#[test]
fn an_end_that_was_cut_off_is_found_with_a_checkpoint() {
    let floor = played();
    for cut in [1, 2, 10, 100, floor.rows.len()] {
        let mut rows = floor.rows.clone();
        rows.truncate(floor.rows.len() - cut);
        let end = u64::try_from(rows.len()).unwrap();
        let finding = found(rows, true);
        assert!(finding.position == Some(end + 1) || finding.what.contains("wallet"), "{finding}");
    }
}

#[test]
fn a_stream_that_is_gone_is_found() {
    let rows = &played().rows;
    for stream in ["house", "cage", "table/1", "table/2", "player/2", "case/1", "case/2"] {
        let stream: Stream = stream.parse().unwrap();
        let left: Vec<Row> = rows.iter().filter(|row| row.stream != stream).cloned().collect();
        let finding = found(left.clone(), true);
        assert!(finding.position.is_some(), "{finding}");
        // A dispute touches nothing else and leaves no trace without a checkpoint, unless money moved.
        if !matches!(stream, Stream::Case(_)) {
            found(left, false);
        }
    }
}

#[test]
fn a_line_that_comes_twice_is_found() {
    let rows = &played().rows;
    for at in (0..rows.len()).step_by(31) {
        let mut twice = rows.clone();
        twice.insert(at + 1, rows[at].clone());
        let finding = found(twice, false);
        assert!(names(&finding, &rows[at]) || finding.what.contains("wallet"), "{finding}");
        assert!(finding.position.unwrap() <= u64::try_from(at + 2).unwrap());
    }
    // The same command once more, with the next number and a chain that holds.
    let house: Vec<usize> = (0..rows.len()).filter(|at| rows[*at].stream == Stream::House).collect();
    let (first, last) = (house[0], *house.last().unwrap());
    let text = String::from_utf8(rows[first].line.clone()).unwrap();
    let sequence = rows[last].sequence + 1;
    let text = text.replacen("\"sequence\":1,", &format!("\"sequence\":{sequence},"), 1);
    let mut again = rows.clone();
    again.push(Row::from_line(text.into_bytes()).unwrap());
    let end = again.len() - 1;
    let zero = croupier_journal::Hash::ZERO.to_string();
    let hash = rows[last].head().hash.to_string();
    let line = String::from_utf8(again[end].line.clone()).unwrap().replacen(&zero, &hash, 1);
    again[end] = Row::from_line(line.into_bytes()).unwrap();
    let finding = found(again.clone(), false);
    assert!(names(&finding, &again[end]) && finding.what.contains("id"), "{finding}");
}

#[test]
fn a_chain_made_anew_is_found_by_the_checkpoint() {
    let floor = played();
    let rows = &floor.rows;
    // The time of a line of the house or of a bet that changes nothing else.
    for at in [0, rows.len() / 3, rows.len() / 2] {
        let mut forged = rows.clone();
        let text = String::from_utf8(forged[at].line.clone()).unwrap();
        let from = text.find("\"at\":").unwrap() + 5;
        let mut line = text.into_bytes();
        // The milliseconds, which no rule looks at.
        let last = from + 12;
        line[last] = if line[last] == b'0' { b'1' } else { b'0' };
        forged[at] = Row { line, ..forged[at].clone() };
        rechain(&mut forged, at);
        let clean = check(&mut Raw::of(forged.clone()), floor, false);
        assert!(clean.is_ok(), "{clean:?}");
        // Named are the lines between two checkpoints that have it.
        let finding = found(forged, true);
        let (from, to) = (finding.what.split(' ').nth(4).unwrap(), finding.position.unwrap());
        let at = u64::try_from(at + 1).unwrap();
        assert!(finding.what.contains("checkpoint"), "{finding}");
        assert!((from.parse::<u64>().unwrap() + 1..=to).contains(&at), "{at}: {finding}");
    }
}

/// Somebody pays himself more, and makes postings and chain anew: the rules give another payout.
#[test]
fn a_forged_payout_is_found_without_checkpoints() {
    let rows = &played().rows;
    let is_paid =
        |fact: &Fact| matches!(fact, Fact::WagerEnded { settled, .. } if settled.winnings.is_positive());
    let paid: Vec<usize> = (0..rows.len()).filter(|at| facts(&rows[*at]).iter().any(is_paid)).collect();
    assert!(paid.len() > 5);
    for at in paid {
        let forged = forge(rows, at, |_, postings, events| {
            for event in events {
                if let Fact::WagerEnded { settled, .. } = &mut event.fact
                    && settled.winnings.is_positive()
                {
                    settled.winnings += units(10);
                    break;
                }
            }
            let transfer = transfer_mut(postings, |transfer| matches!(transfer.kind, Kind::Winnings { .. }));
            transfer.amount = Minor::new(transfer.amount.minor() + 1000).unwrap();
        });
        let finding = found(forged, false);
        assert!(names(&finding, &rows[at]), "{finding}");
        assert!(!finding.clauses.is_empty() && finding.what.contains("the rules give"), "{finding}");
    }
    // The money alone.
    let at = (0..rows.len()).find(|at| facts(&rows[*at]).iter().any(is_paid)).unwrap();
    let forged = forge(rows, at, |_, postings, _| {
        let transfer = transfer_mut(postings, |transfer| matches!(transfer.kind, Kind::Winnings { .. }));
        transfer.amount = Minor::new(transfer.amount.minor() + 1000).unwrap();
    });
    let finding = found(forged, false);
    assert!(names(&finding, &rows[at]) && finding.what.contains("posting"), "{finding}");
}

/// A card that was drawn is another one afterwards.
#[test]
fn a_forged_card_is_found_by_what_follows() {
    let rows = &played().rows;
    let at =
        (0..rows.len()).find(|at| matches!(facts(&rows[*at]).first(), Some(Fact::Drawn { .. }))).unwrap();
    let forged = forge(rows, at, |deed, _, events| {
        let croupier_journal::Deed::Table(Action::Draw { card: Some(card), .. }) = deed else { panic!() };
        let other = if card.to_string() == "AS" { "KD" } else { "AS" };
        *card = other.parse().unwrap();
        let Fact::Drawn { card, .. } = &mut events[0].fact else { panic!() };
        *card = Some(other.parse().unwrap());
    });
    let finding = found(forged, false);
    assert!(finding.sequence.unwrap() >= rows[at].sequence, "{finding}");
    assert_eq!(finding.stream, Some(rows[at].stream));
}

/// The software itself deals another card than the one in its place, and everything follows from that card.
#[test]
fn a_card_out_of_its_place_is_found_when_the_shoe_is_shown() {
    let mut floor = Floor::open(&[BACCARAT]);
    floor.mishaps = false;
    floor.play(TableId(1), 2);
    floor.lie = true;
    floor.play_out(TableId(1));
    let (stream, sequence) = floor.lied.unwrap();
    let finding = check(&mut Raw::of(floor.rows.clone()), &floor, false).unwrap_err();
    assert_eq!((finding.stream, finding.sequence), (Some(stream), Some(sequence)), "{finding}");
    assert!(finding.what.contains("shoe 1"), "{finding}");
}

/// A payout that this engine does not derive: by its own hand that is a fault, by an earlier version's it is a
/// difference, told with that version, and everything after it is checked as before.
#[test]
fn what_an_earlier_engine_derived_otherwise_is_no_tampering() {
    let rows = &played().rows;
    let is_cited =
        |event: &croupier_table::Event| !event.cites.is_empty() && !croupier_table::keeps_cites(&event.fact);
    let at = rows
        .iter()
        .position(|row| row.table_events().is_ok_and(|events| events.first().is_some_and(is_cited)));
    let at = at.unwrap();
    // A rule of citing was mended since: nothing else follows from it.
    let cited = |rows: &[Row]| forge(rows, at, |_, _, events| events[0].cites.clear());
    let finding = found(cited(rows), false);
    assert!(names(&finding, &rows[at]), "{finding}");
    for engine in [Some("0.0.9"), None] {
        let earlier = written_by(rows, engine);
        let clean = verify(&mut Raw::of(earlier.clone()), Against::default(), &mut |_| {}).unwrap();
        assert_eq!((clean.differing, clean.differences.len()), (0, 0));
        let mut otherwise = cited(&earlier);
        if engine.is_none() {
            otherwise = written_by(&forge(rows, at, |_, _, events| events[0].cites.clear()), None);
        }
        let summary = verify(&mut Raw::of(otherwise), Against::default(), &mut |_| {}).unwrap();
        assert_eq!((summary.differing, summary.rows), (1, clean.rows));
        let difference = &summary.differences[0];
        assert!(names(&difference.at, &rows[at]), "{difference}");
        assert_eq!(difference.engine.as_deref(), engine);
        assert_eq!(summary.tables, clean.tables);
    }
    // One line that claims to be an earlier version's, where this one ran, or does not say.
    let line = String::from_utf8(rows[at].line.clone()).unwrap();
    let says = format!(",\"engine\":\"{}\"", croupier_journal::ENGINE);
    for claims in [",\"engine\":\"0.0.9\"", ""] {
        let mut passed_off = rows.clone();
        passed_off[at] = Row::from_line(line.replacen(&says, claims, 1).into_bytes()).unwrap();
        rechain(&mut passed_off, at);
        let finding = found(passed_off, false);
        assert!(names(&finding, &rows[at]) && finding.what.contains("engine"), "{finding}");
    }
}

#[test]
fn a_shoe_that_is_not_the_one_committed_to_is_found() {
    let rows = &played().rows;
    let at = rows.iter().position(|row| row.kind == croupier_journal::Kind::RevealShoe).unwrap();
    let forged = forge(rows, at, |deed, _, _| {
        let croupier_journal::Deed::RevealShoe(reveal) = deed else { panic!() };
        reveal.cards.swap(3, 5);
    });
    let finding = found(forged, false);
    assert!(names(&finding, &rows[at]) && finding.what.contains("committed"), "{finding}");
    // A shoe that is not shown is told, and no more than told.
    let (stream, mut left) = (rows[at].stream, rows.clone());
    left.remove(at);
    let mut head = rows[..at].iter().rev().find(|row| row.stream == stream).unwrap().head();
    for row in left[at..].iter_mut().filter(|row| row.stream == stream) {
        let text = String::from_utf8(row.line.clone()).unwrap();
        let old = row.record().unwrap();
        let text = text.replacen(&old.previous.to_string(), &head.hash.to_string(), 1);
        let number = |sequence: u64| format!("\"sequence\":{sequence},");
        let text = text.replacen(&number(old.sequence), &number(head.sequence + 1), 1);
        *row = Row::from_line(text.into_bytes()).unwrap();
        head = row.head();
    }
    let after = check(&mut Raw::of(left), played(), false).unwrap();
    assert!(after.warnings.iter().any(|warning| warning.contains("never shown")), "{:?}", after.warnings);
}

#[test]
fn checkpoints_that_were_changed_are_found() {
    let floor = played();
    let lines: Vec<&str> = floor.checkpoints.lines().collect();
    let with = |text: &str| {
        let against = Against { checkpoints: Some(text), trusted: Some(floor.keys.public()) };
        match verify(&mut Raw::of(floor.rows.clone()), against, &mut |_| {}) {
            Ok(_) => String::new(),
            Err(trouble) => trouble.to_string(),
        }
    };
    assert_eq!(with(&floor.checkpoints), "");
    for at in 0..lines.len() - 1 {
        let mut left = lines.clone();
        left.remove(at);
        assert!(with(&left.join("\n")).starts_with("checkpoint line"), "{at}");
    }
    let digit = |text: &str| if text.ends_with("0\"}") { "1\"}" } else { "0\"}" }.to_string();
    let last = lines[lines.len() - 1];
    let unsigned = format!("{}{}", &last[..last.len() - 3], digit(last));
    let mut changed = lines.clone();
    changed[lines.len() - 1] = &unsigned;
    assert!(with(&changed.join("\n")).contains("signature"));
    let other = croupier_journal::Keys::fresh().unwrap().public();
    let against = Against { checkpoints: Some(&floor.checkpoints), trusted: Some(other) };
    let trouble = verify(&mut Raw::of(floor.rows.clone()), against, &mut |_| {}).unwrap_err();
    assert!(trouble.to_string().contains("is trusted"), "{trouble}");
}
