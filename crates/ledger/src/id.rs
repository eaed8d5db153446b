//! Typed ids. The numbers are the caller's; the ledger makes none and reads nothing into them, but that
//! the rounds of a table ascend.

use core::fmt;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($number:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub struct $name(pub $number);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

ids! {
    /// A player.
    PlayerId(u32);
    /// A table.
    TableId(u32);
    /// A round of a table. Later rounds of a table have higher ids.
    RoundId(u64);
    /// A wager of a player in a round. A Reserve has the id of the wager that it is laid for.
    WagerId(u32);
    /// A dispute case.
    CaseId(u32);
    /// A transfer or a note. An id is used once in the life of a ledger; for
    /// [`forget_through`](crate::Ledger::forget_through) to be of use, later ids are higher.
    TransferId(u64);
}
