//! Several connections that would lead one journal: the lease, and the epoch that keeps all but one from writing.

#![expect(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

use std::time::{Duration, Instant};

use croupier_journal::envelope::Envelope;
use croupier_journal::nodes::{Changed, Heard, Lead, Mark, Nodes, Notice, Said};
use croupier_journal::{By, Change, CommandId, Deed, Head, Location, Row, StoreError, Stream};
use croupier_testkit::postgres;

const LASTS: Duration = Duration::from_millis(400);
const SOON: Duration = Duration::from_secs(10);

fn location(database: &postgres::Database) -> Location {
    Location::Postgres(database.url())
}

fn lead(node: &str, term: u64) -> Lead {
    Lead { node: node.to_string(), term, told: &["person"] }
}

fn row(head: &mut Head) -> Row {
    let id = CommandId::own(Stream::House, head.sequence + 1);
    head.append(Stream::House, &Envelope::plain(id, 0, By::System.into(), &Deed::Stop))
}

fn put(key: &str) -> Change {
    Change::Put { register: "person", key: key.to_string(), value: vec![1] }
}

/// Waits for what is heard next.
fn heard(nodes: &mut Nodes) -> Vec<Heard> {
    let begun = Instant::now();
    loop {
        let heard = nodes.hear(Duration::from_millis(100)).unwrap();
        if !heard.is_empty() || begun.elapsed() > SOON {
            return heard;
        }
    }
}

#[test]
fn a_lease_is_one_nodes_until_it_runs_out_or_is_let_go() {
    let database = postgres::database().unwrap();
    let connect = |name: &str| Nodes::connect(&location(&database), name, "http://127.0.0.1:1").unwrap();
    let (mut ann, mut bob) = (connect("ann"), connect("bob"));
    assert!(ann.lease().unwrap().is_free);
    assert_eq!(ann.take(LASTS).unwrap(), Some(1));
    assert_eq!(bob.take(LASTS).unwrap(), None);
    let lease = bob.lease().unwrap();
    assert_eq!((lease.holder.unwrap().name.as_str(), lease.is_free), ("ann", false));
    // Renewed in time it stays hers, whoever else asks.
    for _ in 0..4 {
        std::thread::sleep(LASTS / 2);
        assert!(ann.renew(1).unwrap());
        assert_eq!(bob.take(LASTS).unwrap(), None);
    }
    std::thread::sleep(LASTS + Duration::from_millis(50));
    assert!(bob.lease().unwrap().is_free);
    assert_eq!(bob.take(Duration::from_secs(60)).unwrap(), Some(2));
    assert!(!ann.renew(1).unwrap(), "another has it");
    ann.release(1).unwrap();
    assert!(!bob.lease().unwrap().is_free, "only who has it lets it go");
    bob.release(2).unwrap();
    assert_eq!(ann.take(LASTS).unwrap(), Some(3));
}

#[test]
fn whoever_takes_the_lease_ends_the_writer_before() {
    let database = postgres::database().unwrap();
    let connect = |name: &str| Nodes::connect(&location(&database), name, "http://127.0.0.1:1").unwrap();
    let (mut ann, mut bob) = (connect("ann"), connect("bob"));
    let term = ann.take(LASTS).unwrap().unwrap();
    let mut first = location(&database).open_leading(lead("ann", term)).unwrap();
    first.lock().unwrap();
    assert_eq!(first.mark(), Some(Mark { epoch: 1, number: 0 }));
    let mut head = Head::START;
    first.commit(1, &[row(&mut head)], &[]).unwrap();
    // Ann stands still, and knows nothing of it.
    std::thread::sleep(LASTS + Duration::from_millis(50));
    let later = bob.take(SOON).unwrap().unwrap();
    let mut second = location(&database).open_leading(lead("bob", later)).unwrap();
    second.lock().unwrap();
    assert_eq!(second.mark(), Some(Mark { epoch: 2, number: 0 }));
    let late = row(&mut head.clone());
    let failed = first.commit(2, &[late], &[]).unwrap_err();
    assert!(matches!(failed, StoreError::Lost(_)), "{failed}");
    let failed = first.regain().unwrap_err();
    assert!(matches!(failed, StoreError::Overtaken(_)), "{failed}");
    second.commit(2, &[row(&mut head)], &[]).unwrap();
    assert_eq!(second.end().unwrap(), 2);
}

/// Should two connections ever have the right to append: a commit under the epoch before writes nothing.
#[test]
fn a_commit_under_an_earlier_epoch_writes_nothing() {
    let database = postgres::database().unwrap();
    let mut ann = Nodes::connect(&location(&database), "ann", "http://127.0.0.1:1").unwrap();
    let term = ann.take(SOON).unwrap().unwrap();
    let mut first = location(&database).open_leading(lead("ann", term)).unwrap();
    first.lock().unwrap();
    database.query("UPDATE croupier_writer SET epoch = epoch + 1").unwrap();
    let failed = first.commit(1, &[row(&mut Head::START.clone())], &[put("1")]).unwrap_err();
    assert!(matches!(failed, StoreError::Overtaken(_)), "{failed}");
    assert_eq!(first.end().unwrap(), 0);
    assert_eq!(first.entry("person", "1").unwrap(), None);
}

#[test]
fn every_commit_is_told_and_nothing_that_was_not_committed() {
    let database = postgres::database().unwrap();
    let connect = |name: &str| Nodes::connect(&location(&database), name, "http://127.0.0.1:1").unwrap();
    let (mut ann, mut bob) = (connect("ann"), connect("bob"));
    let term = ann.take(SOON).unwrap().unwrap();
    assert_eq!(heard(&mut bob), [Heard::Lease]);
    let mut store = location(&database).open_leading(lead("ann", term)).unwrap();
    store.lock().unwrap();
    let told = |number, position, changed| {
        [Heard::Commit(Notice { mark: Mark { epoch: 1, number }, position, changed })]
    };
    assert_eq!(heard(&mut bob), told(0, 0, Vec::new()));
    let mut head = Head::START;
    let snapshot = Change::Put { register: "snapshot", key: "bank".to_string(), value: vec![7] };
    store.commit(1, &[row(&mut head), row(&mut head)], &[put("1"), snapshot]).unwrap();
    let person = || vec![Changed::Entry("person".to_string(), "1".to_string())];
    assert_eq!(heard(&mut bob), told(1, 2, person()));
    // Its position is taken: nobody hears of it.
    store.commit(2, &[row(&mut head.clone())], &[]).unwrap_err();
    store.commit(3, &[], &[put("1")]).unwrap();
    assert_eq!(heard(&mut bob), told(3, 2, person()));
    assert_eq!(store.mark(), Some(Mark { epoch: 1, number: 3 }));

    bob.say(&Said { role: "follower".to_string(), epoch: 1, position: 2 }).unwrap();
    let all = Nodes::overview_of(&location(&database)).unwrap();
    assert_eq!((all.epoch, all.position, all.nodes.len()), (1, 2, 1));
    assert_eq!((all.nodes[0].name.as_str(), all.nodes[0].said.position), ("bob", 2));
    assert_eq!(all.lease.holder.unwrap().name, "ann");
    bob.leave().unwrap();
    assert!(Nodes::overview_of(&location(&database)).unwrap().nodes.is_empty());
}

#[test]
fn one_machines_databases_have_no_nodes() {
    let refused = Nodes::connect(&Location::memory(), "ann", "http://127.0.0.1:1").unwrap_err();
    assert!(refused.to_string().contains("several nodes need a database of PostgreSQL"), "{refused}");
}
