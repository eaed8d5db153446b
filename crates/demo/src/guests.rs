//! Who can be tried out, and signing in as them with one click.

use core::sync::atomic::{AtomicU32, Ordering};
use std::sync::Arc;

use croupier_journal::deed::CageMove;
use croupier_journal::{By, CommandId, Hash, keys};
use croupier_ledger::{Amount, PlayerId};
use croupier_server::App;
use croupier_server::demonstration::{DemoRole, Demonstration, Entering};
use croupier_server::floor::AtCage;
use croupier_server::people::{Grant, Person};
use croupier_server::problem::Problem;

use crate::bots;

/// Players that the demo makes before it takes those again who are there, each in turn.
const PLAYERS: u32 = 50;

/// The demonstration that a server is started with.
#[derive(Debug)]
pub struct Demo {
    /// What a player who signs in finds in an empty wallet, in minor units.
    wallet: i64,
    /// Whose turn it is when the guests are all taken.
    turn: AtomicU32,
}

impl Default for Demo {
    fn default() -> Self {
        Self::with_wallet(100_000_000)
    }
}

impl Demonstration for Demo {
    fn sign_in<'a>(&'a self, app: &'a App, role: DemoRole) -> Entering<'a> {
        Box::pin(async move {
            let person = self.person(app, role).await?;
            let signed_in = app.people.begin_session(person.id, None).await?;
            if role == DemoRole::Player {
                self.fill_wallet(app, PlayerId(person.id)).await?;
            }
            Ok(signed_in)
        })
    }

    fn nickname(&self, player: PlayerId) -> Option<&'static str> {
        bots::nickname(player)
    }
}

impl Demo {
    /// One whose players find so much in their wallets, in minor units.
    #[must_use]
    pub const fn with_wallet(wallet: i64) -> Self {
        Self { wallet, turn: AtomicU32::new(0) }
    }

    /// Somebody to try a role with.
    ///
    /// # Errors
    /// When the journal fails.
    pub async fn person(&self, app: &App, role: DemoRole) -> Result<Arc<Person>, Problem> {
        let (people, grants) = (&app.people, grants(app, role));
        if role != DemoRole::Player {
            return people.ensure(name(role), nickname(role), grants).await;
        }
        let is_free = |number: &u32| {
            let person = people.named(&format!("{}-{number}", name(role)));
            person.is_none_or(|person| !people.is_signed_in(person.id))
        };
        let in_turn = || 1 + self.turn.fetch_add(1, Ordering::Relaxed) % PLAYERS;
        let number = (1..=PLAYERS).find(is_free).unwrap_or_else(in_turn);
        let (name, nickname) = (format!("{}-{number}", name(role)), format!("{} {number}", nickname(role)));
        people.ensure(&name, &nickname, grants).await
    }

    /// A guest with an empty wallet could only watch.
    async fn fill_wallet(&self, app: &App, player: PlayerId) -> Result<(), Problem> {
        let amount = Amount::new(self.wallet).filter(|amount| amount.minor() > 0);
        let Some(amount) = amount.filter(|_| app.floor.wallet(player) == 0) else { return Ok(()) };
        let number: [u8; 32] = keys::random().map_err(|error| Problem::internal(&error))?;
        let id = CommandId::new(&Hash(number).to_string()).map_err(|error| Problem::internal(&error))?;
        let moved = CageMove { player, amount, witness: None, note: "demo".to_string() };
        app.floor.at_cage(AtCage { id, by: By::System.into(), moved, comes_in: true }).await?;
        Ok(())
    }
}

const fn name(role: DemoRole) -> &'static str {
    match role {
        DemoRole::Player => "demo-player",
        DemoRole::Dealer => "demo-dealer",
        DemoRole::Inspector => "demo-inspector",
        DemoRole::PitManager => "demo-pit-manager",
        DemoRole::ShiftManager => "demo-shift-manager",
        DemoRole::Cashier => "demo-cashier",
        DemoRole::Surveillance => "demo-surveillance",
        DemoRole::Auditor => "demo-auditor",
        DemoRole::Admin => "demo-admin",
    }
}

const fn nickname(role: DemoRole) -> &'static str {
    match role {
        DemoRole::Player => "Guest",
        DemoRole::Dealer => "Dealer",
        DemoRole::Inspector => "Inspector",
        DemoRole::PitManager => "Pit Manager",
        DemoRole::ShiftManager => "Shift Manager",
        DemoRole::Cashier => "Cashier",
        DemoRole::Surveillance => "Surveillance",
        DemoRole::Auditor => "Auditor",
        DemoRole::Admin => "Administrator",
    }
}

fn grants(app: &App, role: DemoRole) -> Vec<Grant> {
    let ranks = |place: fn(usize) -> usize, named: Option<&str>| -> Vec<Grant> {
        let shelf = app.floor.shelf();
        let rank = |rulebook: &croupier_rules::Rulebook| {
            let wanted = named.filter(|id| rulebook.rank(id).is_some()).map(str::to_string);
            let last = rulebook.ranks.len().checked_sub(1)?;
            let at = || rulebook.ranks.get(place(last).min(last)).map(|rank| rank.id.clone());
            wanted.or_else(at)
        };
        let grant = |rulebook: &croupier_rules::Rulebook| {
            let rank = rank(rulebook)?;
            Some(Grant::Staff { rank, rulebook: Some(rulebook.id.clone()), pit: None, acting: None })
        };
        shelf.current().filter_map(|volume| grant(&volume.rulebook)).collect()
    };
    match role {
        DemoRole::Player => vec![Grant::Player],
        DemoRole::Dealer => ranks(|_| 0, None),
        DemoRole::Inspector => ranks(|_| 1, None),
        DemoRole::PitManager => ranks(|last| last.div_ceil(2), Some("pit-manager")),
        DemoRole::ShiftManager => {
            let mut grants = ranks(|last| last, None);
            grants.push(Grant::FloorManager);
            grants
        }
        DemoRole::Cashier => vec![Grant::Cashier],
        DemoRole::Surveillance => vec![Grant::Surveillance],
        DemoRole::Auditor => vec![Grant::Auditor],
        DemoRole::Admin => vec![Grant::Admin, Grant::FloorManager],
    }
}
