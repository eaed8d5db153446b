//! The thread of a node: it hears of commits, follows them, minds the lease, and takes over when the lease is free.
//!
//! The database decides who leads, by its own clock. This thread only asks: what it believes in between costs a moment,
//! since every commit checks the epoch.

use std::collections::BTreeSet;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use croupier_journal::nodes::{Changed, Heard, Holder, Lead, Lease, Mark, Nodes, Said};
use croupier_journal::{Location, Store, StoreError};

use super::{Node, Order, Role};
use crate::app::App;
use crate::cases;
use crate::floor::{CHECKPOINTS, Standby, StartError};
use crate::{people, trays};

/// The registers of which nodes keep something in memory: whoever leads tells the others what changes in them.
const TOLD: &[&str] = &[
    people::REGISTERS[0],
    people::REGISTERS[1],
    people::REGISTERS[2],
    people::REGISTERS[3],
    people::REGISTERS[4],
    cases::REGISTER,
    trays::REGISTER,
    CHECKPOINTS,
];

/// How long to wait for what is heard before something else is looked after.
const TICK: Duration = Duration::from_millis(100);
/// Between two times that a node says how it is, and looks whether a notice was missed.
const BETWEEN_WORDS: Duration = Duration::from_secs(1);
/// Before the database is looked for again.
const PAUSE: Duration = Duration::from_millis(200);
/// Between two lines in the log about the same thing.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

/// Why the thread cannot go on as it is.
enum Trouble {
    /// The database is away: it is looked for again.
    Away(String),
    /// This node cannot follow or lead any more.
    Final(Arc<StoreError>),
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Lost(_)
            | StoreError::Database(_)
            | StoreError::Address { .. }
            | StoreError::Weak(_) => Self::Away(error.to_string()),
            error @ (StoreError::InUse(_)
            | StoreError::Taken(_)
            | StoreError::OtherDatabase(_)
            | StoreError::TooNew { .. }
            | StoreError::Damaged { .. }
            | StoreError::Overtaken(_)
            | StoreError::Follows
            | StoreError::Stopped(_)
            | StoreError::Books(_)) => Self::Final(Arc::new(error)),
        }
    }
}

impl From<StartError> for Trouble {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Store(error) => error.into(),
            other => Self::Final(Arc::new(StoreError::Database(other.to_string()))),
        }
    }
}

/// A node's connections to the database.
struct Connected {
    nodes: Nodes,
    store: Box<dyn Store>,
    since: Instant,
}

struct Mind {
    node: Arc<Node>,
    database: Location,
    runtime: tokio::runtime::Handle,
    /// What is needed to follow and to lead, until this node leads.
    standby: Option<Standby>,
    connected: Option<Connected>,
    /// The term under which this node leads.
    term: Option<u64>,
    /// This node stops, and only looks who leads.
    has_left: bool,
    /// Another node was seen to lead: nothing is missing when this one takes over.
    has_followed: bool,
    looked: Option<Instant>,
    said: Option<Instant>,
    told_away: Option<Instant>,
}

/// Starts the thread.
pub(super) fn start(
    app: &Arc<App>,
    node: &Arc<Node>,
    standby: Standby,
    orders: Receiver<Order>,
) -> std::io::Result<()> {
    let mut mind = Mind {
        node: Arc::clone(node),
        database: standby.database().clone(),
        runtime: tokio::runtime::Handle::current(),
        standby: Some(standby),
        connected: None,
        term: None,
        has_left: false,
        has_followed: false,
        looked: None,
        said: None,
        told_away: None,
    };
    let app = Arc::downgrade(app);
    std::thread::Builder::new().name("node".to_string()).spawn(move || mind.run(&app, &orders)).map(drop)
}

impl Mind {
    fn run(&mut self, app: &Weak<App>, orders: &Receiver<Order>) {
        // Tables that another node opens are started from here.
        let runtime = self.runtime.clone();
        let _on = runtime.enter();
        loop {
            match orders.try_recv() {
                Ok(Order::Leave(done)) => {
                    self.leave();
                    // Whoever asked may not wait any more. What still comes here is passed to whoever leads by then.
                    let _ = done.send(());
                }
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => return,
            }
            let Some(app) = app.upgrade() else { return };
            match self.turn(&app) {
                Ok(()) => {}
                Err(Trouble::Away(why)) => {
                    self.tell_away(&why);
                    self.connected = None;
                    self.node.standing.send_if_modified(|standing| core::mem::take(&mut standing.connected));
                    drop(app);
                    std::thread::sleep(PAUSE);
                }
                Err(Trouble::Final(why)) => {
                    self.leave();
                    app.floor.shared.till.fail(&why);
                    return;
                }
            }
        }
    }

    fn tell_away(&mut self, why: &str) {
        if self.told_away.is_none_or(|told| told.elapsed() >= BETWEEN_LINES) {
            tracing::warn!(why, "this node does not hear of commits; it looks for the database again");
            self.told_away = Some(Instant::now());
        }
    }

    /// Lets the lease go.
    fn leave(&mut self) {
        self.has_left = true;
        let term = self.term.take();
        let Some(Connected { nodes, .. }) = &mut self.connected else { return };
        if let Some(term) = term
            && let Err(error) = nodes.release(term)
        {
            tracing::warn!(%error, "the lease could not be let go, and runs out by itself");
        }
        let _ = nodes.leave();
    }

    fn turn(&mut self, app: &Arc<App>) -> Result<(), Trouble> {
        if self.connected.is_none() {
            self.connect(app)?;
        }
        let Some(connected) = &mut self.connected else { return Ok(()) };
        let (mut marks, mut changed, mut is_lease) = (None, BTreeSet::new(), false);
        for heard in connected.nodes.hear(TICK)? {
            match heard {
                Heard::Commit(notice) => {
                    marks = marks.max(Some(notice.mark));
                    changed.extend(notice.changed);
                }
                Heard::Lease => is_lease = true,
            }
        }
        if let Some(mark) = marks {
            self.follow(app, mark, changed)?;
        }
        let often = (self.node.settings.lasts() / 5).min(Duration::from_secs(1));
        if is_lease || self.looked.is_none_or(|looked| looked.elapsed() >= often) {
            self.looked = Some(Instant::now());
            self.mind_lease(app)?;
        }
        if !self.has_left && self.said.is_none_or(|said| said.elapsed() >= BETWEEN_WORDS) {
            self.said = Some(Instant::now());
            self.catch_up(app)?;
            self.say(app)?;
        }
        Ok(())
    }

    /// Hears of commits from now on; and reads what was missed.
    fn connect(&mut self, app: &Arc<App>) -> Result<(), Trouble> {
        let settings = &self.node.settings;
        let nodes = Nodes::connect(&self.database, &settings.name, &settings.address)?;
        // From where lines are written: a standby may be behind what was told.
        let mut store = self.database.open()?;
        if let Some(standby) = &self.standby {
            standby.check(store.as_mut())?;
        }
        self.connected = Some(Connected { nodes, store, since: Instant::now() });
        self.catch_up(app)?;
        self.read_registers(app)?;
        self.told_away = None;
        self.looked = None;
        self.node.standing.send_if_modified(|standing| !core::mem::replace(&mut standing.connected, true));
        Ok(())
    }

    /// Follows what is in the journal by now.
    fn catch_up(&mut self, app: &App) -> Result<(), Trouble> {
        if let (Some(standby), Some(connected)) = (&mut self.standby, &mut self.connected) {
            standby.catch_up(&app.floor, connected.store.as_mut())?;
        }
        Ok(())
    }

    /// Follows a commit that was told, and all before it.
    fn follow(&mut self, app: &App, mark: Mark, changed: BTreeSet<Changed>) -> Result<(), Trouble> {
        if self.standby.is_none() {
            // They are this node's own.
            return Ok(());
        }
        self.catch_up(app)?;
        let Some(Connected { store, .. }) = &mut self.connected else { return Ok(()) };
        for changed in changed {
            match changed {
                Changed::Entry(register, key) => {
                    let value = store.entry(&register, &key)?;
                    take(app, store.as_mut(), &register, &key, value.as_deref())?;
                }
                Changed::Register(register) => take_all(app, store.as_mut(), &register)?,
            }
        }
        app.floor.shared.books.marked(mark);
        Ok(())
    }

    fn read_registers(&mut self, app: &App) -> Result<(), Trouble> {
        let Some(Connected { store, .. }) = &mut self.connected else { return Ok(()) };
        if self.standby.is_some() {
            for register in TOLD {
                take_all(app, store.as_mut(), register)?;
            }
        }
        Ok(())
    }

    fn mind_lease(&mut self, app: &Arc<App>) -> Result<(), Trouble> {
        let Some(Connected { nodes, since, .. }) = &mut self.connected else { return Ok(()) };
        if let Some(term) = self.term {
            return match nodes.renew(term)? {
                true => Ok(()),
                false => {
                    let why = "another node has taken the lease, and this one leads no more";
                    Err(Trouble::Final(Arc::new(StoreError::Overtaken(why.to_string()))))
                }
            };
        }
        let Lease { holder, term, is_free } = nodes.lease()?;
        if !is_free {
            self.has_followed = true;
            self.node.learn(holder, term);
            return Ok(());
        }
        let was_let_go = holder.is_none();
        if was_let_go {
            self.node.learn(None, term);
        }
        // After an outage of the database the leader has had no chance to renew it.
        let is_sure = was_let_go || since.elapsed() >= self.node.settings.lasts();
        match is_sure && self.node.standing.borrow().role == Role::Follower {
            true => self.take_over(app),
            false => Ok(()),
        }
    }

    /// Takes the lease, if no other node is quicker, and leads.
    fn take_over(&mut self, app: &Arc<App>) -> Result<(), Trouble> {
        let settings = self.node.settings.clone();
        // All that is missing but the last moment, while nobody waits for this node yet.
        self.catch_up(app)?;
        let Some(Connected { nodes, .. }) = &mut self.connected else { return Ok(()) };
        let Some(term) = nodes.take(settings.lasts())? else { return Ok(()) };
        tracing::info!(term, "this node has the lease, and takes over");
        let Some(standby) = self.standby.take() else { return Ok(()) };
        let lead = Lead { node: settings.name.clone(), term, told: TOLD };
        // Whatever goes wrong from here on, this node has to begin anew: its states may be those of no line.
        let fatal = |error: &dyn core::fmt::Display| {
            Trouble::Final(Arc::new(StoreError::Stopped(format!("this node cannot lead: {error}"))))
        };
        self.term = Some(term);
        let mark = standby.lead(&app.floor, lead, !self.has_followed).map_err(|error| fatal(&error))?;
        let Some(Connected { nodes, store, .. }) = &mut self.connected else { return Ok(()) };
        for register in TOLD.iter().filter(|register| **register != CHECKPOINTS) {
            take_all(app, store.as_mut(), register).map_err(|trouble| match trouble {
                Trouble::Away(why) => fatal(&why),
                Trouble::Final(why) => Trouble::Final(why),
            })?;
        }
        app.devices.read(&app.floor).map_err(|error| fatal(&error))?;
        // It may have taken long.
        if !nodes.renew(term)? {
            return Err(fatal(&"another node has taken the lease meanwhile"));
        }
        app.floor.shared.books.marked(mark);
        let leader = Holder { name: settings.name.clone(), address: settings.address.clone() };
        self.node.standing.send_modify(|standing| {
            // Who is told to stop meanwhile stops.
            if standing.role == Role::Follower {
                standing.role = Role::Leader;
                standing.leader = Some(leader);
            }
            standing.term = term;
        });
        let app = Arc::clone(app);
        self.runtime.spawn(async move { app.has_taken_over().await });
        Ok(())
    }

    fn say(&mut self, app: &App) -> Result<(), Trouble> {
        let Some(Connected { nodes, .. }) = &mut self.connected else { return Ok(()) };
        let position = match &self.standby {
            Some(standby) => standby.position(),
            None => app.floor.shared.books.position(),
        };
        let role = self.node.standing.borrow().role.key().to_string();
        let epoch = app.floor.shared.books.marks().borrow().epoch;
        Ok(nodes.say(&Said { role, epoch, position })?)
    }
}

/// Takes an entry of a register as the leader has written it.
fn take(
    app: &App,
    store: &mut dyn Store,
    register: &str,
    key: &str,
    value: Option<&[u8]>,
) -> Result<(), StoreError> {
    match (register, value) {
        (CHECKPOINTS, _) => app.floor.follow_checkpoints(store),
        (cases::REGISTER, Some(value)) => app.cases.take(store, key, value),
        (trays::REGISTER, Some(value)) => app.trays.take(key, value),
        (register, value) => {
            app.people.take(register, key, value);
            Ok(())
        }
    }
}

/// Takes a whole register.
fn take_all(app: &App, store: &mut dyn Store, register: &str) -> Result<(), Trouble> {
    match register {
        CHECKPOINTS => app.floor.follow_checkpoints(store)?,
        cases::REGISTER => {
            for (key, value) in store.entries(register)? {
                app.cases.take(store, &key, &value)?;
            }
        }
        trays::REGISTER => {
            for (key, value) in store.entries(register)? {
                app.trays.take(&key, &value)?;
            }
        }
        register => app.people.take_all(register, store.entries(register)?),
    }
    Ok(())
}
