//! The odds lab: what every bet is worth, exactly and by simulation.
//!
//! It sees only cards and rules. A histogram over the outcome classes prices every bet of every game at
//! once, because a bet is a column over the same classes; bets that ask for cards are priced each by what it asks
//! for. The lab never asks what a bet is called.
//!
//! What does not belong here: tables, money in play, files, terminals. Threads are used, clocks are not.

pub mod counts;
pub mod decks;
pub mod design;
pub mod exact;
pub mod exposure;
pub mod fraction;
pub mod insurance;
pub mod niu_niu;
pub mod par;
pub mod report;
pub mod simulate;

pub use counts::{CountsError, RankCounts, ShoeCards};
pub use exact::Histogram;
pub use fraction::Fraction;
pub use niu_niu::{NetWays, NiuNiuBet, NiuNiuDeck, NiuNiuDeckError, NiuNiuHistogram, NiuNiuSheet};
pub use par::{ParBet, ParLine, ParSheet};
