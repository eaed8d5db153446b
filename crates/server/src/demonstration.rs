//! What a demonstration adds to a floor: signing in with one click, and the names of its robots.
//!
//! There is none in this crate. Who wants one starts the server with it ([`App::start_demo`](crate::App::start_demo)); no
//! setting does, and a server that was started without signs nobody in but by what they know or have.

use core::pin::Pin;

use croupier_ledger::PlayerId;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::people::SignedIn;
use crate::problem::Problem;

/// Somebody on the way in.
pub type Entering<'a> = Pin<Box<dyn Future<Output = Result<SignedIn, Problem>> + Send + 'a>>;

/// A demonstration.
pub trait Demonstration: core::fmt::Debug + Send + Sync {
    /// Signs somebody in to try a role.
    fn sign_in<'a>(&'a self, app: &'a App, role: DemoRole) -> Entering<'a>;

    /// The name that a robot goes by; nothing for people.
    fn nickname(&self, player: PlayerId) -> Option<&'static str>;
}

/// Who can be tried out in the demo.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DemoRole {
    /// A player; everybody who asks is another one.
    Player,
    /// The lowest rank of every rulebook.
    Dealer,
    /// The second rank.
    Inspector,
    /// The Pit Manager, or the rank in the middle.
    PitManager,
    /// The highest rank, who also opens and closes tables.
    ShiftManager,
    /// The cage.
    Cashier,
    /// Surveillance.
    Surveillance,
    /// An auditor.
    Auditor,
    /// An administrator.
    Admin,
}

impl DemoRole {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Player,
        Self::Dealer,
        Self::Inspector,
        Self::PitManager,
        Self::ShiftManager,
        Self::Cashier,
        Self::Surveillance,
        Self::Auditor,
        Self::Admin,
    ];
}
