//! A fingerprint of the whole state, to compare a replay with the original.

use core::fmt::{self, Debug, Write};

use crate::table::Table;

/// FNV-1a over the written state: no allocation, and the same on every machine.
struct Hasher(u64);

impl Write for Hasher {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Ok(())
    }
}

/// Of what gives the numbers in a state their meaning: places of bets and lines, money terms, classes of
/// outcomes.
#[cfg(feature = "serde")]
pub(crate) fn of_rules(setup: &crate::setup::Setup) -> u64 {
    let rulebook = &setup.rulebook;
    hash(&[&rulebook.id, &rulebook.version, &setup.game, &setup.terms, &setup.cover])
}

/// Hashes the named fields of a table in that order; all but the setup are named, or it does not compile.
macro_rules! hash_fields {
    ($table:expr; $($field:ident),+ $(,)?) => {{
        let Table { setup: _, $($field),+ } = $table;
        hash(&[$($field),+])
    }};
}

/// The setup is left out: it does not change.
pub(crate) fn of(table: &Table) -> u64 {
    hash_fields!(
        table; id, stage, players, staff, float, drop, tips, shoe, method, area_limit, insurance_on, device,
        may_draw, round, hold, next, board,
    )
}

fn hash(parts: &[&dyn Debug]) -> u64 {
    let mut hasher = Hasher(0xcbf2_9ce4_8422_2325);
    for part in parts {
        // Writing to a hasher cannot fail.
        let _ = write!(hasher, "{part:?};");
    }
    hasher.0
}
