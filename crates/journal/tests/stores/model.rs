//! Random commits, good and bad, on a store and on the plain model in memory: the same answers all the way.

use core::mem::discriminant;

use croupier_journal::store::Order;
use croupier_journal::{Change, CommandId, Location, Row, Select, Store};

use crate::place::{Place, row, rows, stream};

const STREAMS: [&str; 4] = ["house", "table/1", "table/2", "player/1"];
const REGISTERS: [&str; 2] = ["person", "snapshot"];
const STEPS: usize = 400;

/// A small generator; the run is the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % sides
    }
}

pub(crate) fn does_what_the_model_does(place: &Place) {
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let mut model = Location::memory().open().unwrap();
    let mut store = place.open();
    let mut ends = [0_u64; STREAMS.len()];
    let (mut accepted, mut refused) = (0, 0);
    for step in 0..STEPS {
        let end = model.end().unwrap();
        let mut next = ends;
        let given: Vec<Row> = (0..dice.roll(6))
            .map(|at| {
                let of = dice.roll(STREAMS.len());
                next[of] += 1;
                // Now and then a sequence, an id or a position that may be taken.
                let sequence = if dice.roll(25) == 0 { next[of].saturating_sub(1) } else { next[of] };
                let id = if dice.roll(25) == 0 { dice.roll(step + 1) } else { step };
                row(STREAMS[of], sequence, &format!("c{id}-{at}"), &"ő".repeat(dice.roll(400)))
            })
            .collect();
        let changes: Vec<Change> = (0..dice.roll(4))
            .map(|_| {
                let (register, key) = (REGISTERS[dice.roll(2)], dice.roll(12).to_string());
                match dice.roll(3) {
                    0 => Change::Delete { register, key },
                    _ => Change::Put { register, key, value: vec![7; dice.roll(50)] },
                }
            })
            .collect();
        let position = if dice.roll(25) == 0 { end } else { end + 1 };
        let expected = model.commit(position, &given, &changes);
        let found = store.commit(position, &given, &changes);
        match (&expected, &found) {
            (Ok(()), Ok(())) => {
                ends = next;
                accepted += 1;
            }
            (Err(expected), Err(found)) => {
                assert_eq!(discriminant(expected), discriminant(found), "step {step}: {expected}, {found}");
                refused += 1;
            }
            _ => panic!("step {step}: {expected:?}, {found:?}"),
        }
        if step % 20 == 0 {
            check(model.as_mut(), store.as_mut(), &mut dice);
        }
        if dice.roll(50) == 0 {
            store = place.open();
        }
    }
    assert!(accepted > STEPS / 2 && refused > STEPS / 20, "{accepted} accepted, {refused} refused");
    check(model.as_mut(), store.as_mut(), &mut dice);
}

/// Everything that can be asked.
fn check(model: &mut dyn Store, store: &mut dyn Store, dice: &mut Dice) {
    let end = model.end().unwrap();
    assert_eq!(store.end().unwrap(), end);
    assert_eq!(rows(store, Select::After(0)), rows(model, Select::After(0)));
    let after = Select::After(u64::try_from(dice.roll(usize::try_from(end).unwrap() + 2)).unwrap());
    assert_eq!(rows(store, after), rows(model, after));
    for name in STREAMS {
        let from = Select::Stream(stream(name), u64::try_from(dice.roll(50)).unwrap());
        assert_eq!(rows(store, from), rows(model, from));
        let id = CommandId::new(&format!("c{}-{}", dice.roll(STEPS), dice.roll(3))).unwrap();
        assert_eq!(store.find(stream(name), &id).unwrap(), model.find(stream(name), &id).unwrap());
    }
    for register in REGISTERS {
        let entries = model.entries(register).unwrap();
        assert_eq!(store.entries(register).unwrap(), entries);
        for order in [Order::Rising, Order::Falling] {
            let mut keys = [format!("{}", dice.roll(9)), format!("{}", dice.roll(9))];
            keys.sort_unstable();
            let range = keys[0].as_str()..keys[1].as_str();
            let part = model.range(register, range.clone(), order, 3).unwrap();
            assert_eq!(store.range(register, range, order, 3).unwrap(), part);
        }
        for (key, value) in entries {
            assert_eq!(store.entry(register, &key).unwrap(), Some(value));
        }
    }
}
