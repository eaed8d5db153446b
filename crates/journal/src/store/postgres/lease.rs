//! The connection of a node: the lease, what others commit, and who is there.
//!
//! The lease is renewed with `synchronous_commit = local`: a renewal that a failover of the database loses makes the
//! lease run out sooner, and one that had to wait for a standby could not be renewed while that is away. What is written
//! to the journal waits for the standby as ever.

use core::time::Duration;

use postgres::Client;
use postgres::fallible_iterator::FallibleIterator as _;

use super::{Address, database, known};
use crate::nodes::{Holder, Known, LEASE, Lease, Overview, Said};
use crate::store::StoreError;

/// Whether the lease is free, by the database's clock.
const IS_FREE: &str =
    "holder IS NULL OR clock_timestamp() > renewed + milliseconds * interval '1 millisecond'";

/// The connection.
pub(crate) struct Connection {
    client: Client,
}

impl Connection {
    /// Connects; whoever is a node makes the SQL tables if there are none, and hears of every commit from now on.
    pub(crate) fn open(url: &str, is_node: bool) -> Result<Self, StoreError> {
        let address = Address::read(url)?;
        if is_node {
            // Brings the layout up, and refuses what could lose an acknowledged commit.
            drop(super::Postgres::prepare(address.clone())?);
        }
        let mut client = address.connect(is_node, |_| ())?;
        let fault = |error: postgres::Error| database(&error);
        let layout = "SELECT to_regclass('croupier_lease') IS NOT NULL";
        if !client.query_one(layout, &[]).map_err(fault)?.get::<_, bool>(0) {
            let what = format!(
                "{}: its layout is older than {}; start this croupier on it once",
                address.name,
                known()
            );
            return Err(StoreError::Database(what));
        }
        if is_node {
            client.batch_execute("SET synchronous_commit = local; LISTEN croupier").map_err(fault)?;
        }
        Ok(Self { client })
    }

    pub(crate) fn hear(&mut self, wait: Duration) -> Result<Vec<String>, StoreError> {
        let mut heard = Vec::new();
        let mut notices = self.client.notifications();
        let mut next = notices.timeout_iter(wait).next().map_err(|error| database(&error))?;
        while let Some(notice) = next.take() {
            heard.push(notice.payload().to_string());
            next = notices.iter().next().map_err(|error| database(&error))?;
        }
        drop(notices);
        if self.client.is_closed() {
            return Err(StoreError::Lost("the connection to the database is closed".to_string()));
        }
        Ok(heard)
    }

    pub(crate) fn lease(&mut self) -> Result<Lease, StoreError> {
        let look = format!("SELECT holder, address, term, {IS_FREE} FROM croupier_lease");
        let row = self.client.query_one(&look, &[]).map_err(|error| database(&error))?;
        let (holder, address): (Option<String>, Option<String>) = (row.get(0), row.get(1));
        let holder = holder.map(|name| Holder { name, address: address.unwrap_or_default() });
        Ok(Lease { holder, term: row.get::<_, i64>(2).cast_unsigned(), is_free: row.get(3) })
    }

    pub(crate) fn take(
        &mut self,
        name: &str,
        address: &str,
        lasts: Duration,
    ) -> Result<Option<u64>, StoreError> {
        let milliseconds = i64::try_from(lasts.as_millis()).unwrap_or(i64::MAX);
        let take = format!(
            "UPDATE croupier_lease SET holder = $1, address = $2, term = term + 1, renewed = clock_timestamp(), \
             milliseconds = $3 WHERE {IS_FREE} RETURNING term"
        );
        let taken = self.client.query_opt(&take, &[&name, &address, &milliseconds]);
        let term = taken.map_err(|error| database(&error))?.map(|row| row.get::<_, i64>(0).cast_unsigned());
        if term.is_some() {
            self.tell_lease()?;
        }
        Ok(term)
    }

    pub(crate) fn renew(&mut self, name: &str, term: u64) -> Result<bool, StoreError> {
        let renew = "UPDATE croupier_lease SET renewed = clock_timestamp() WHERE holder = $1 AND term = $2";
        let renewed = self.client.execute(renew, &[&name, &term.cast_signed()]);
        Ok(renewed.map_err(|error| database(&error))? == 1)
    }

    pub(crate) fn release(&mut self, name: &str, term: u64) -> Result<(), StoreError> {
        let release =
            "UPDATE croupier_lease SET holder = NULL, address = NULL WHERE holder = $1 AND term = $2";
        self.client.execute(release, &[&name, &term.cast_signed()]).map_err(|error| database(&error))?;
        self.tell_lease()
    }

    fn tell_lease(&mut self) -> Result<(), StoreError> {
        let told = self.client.execute("SELECT pg_notify('croupier', $1)", &[&LEASE]);
        told.map(drop).map_err(|error| database(&error))
    }

    pub(crate) fn say(&mut self, name: &str, address: &str, said: &Said) -> Result<(), StoreError> {
        let say = "INSERT INTO croupier_node VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp()) \
                   ON CONFLICT (name) DO UPDATE SET address = EXCLUDED.address, role = EXCLUDED.role, \
                   epoch = EXCLUDED.epoch, position = EXCLUDED.position, version = EXCLUDED.version, \
                   seen = EXCLUDED.seen";
        let (epoch, position) = (said.epoch.cast_signed(), said.position.cast_signed());
        let version = env!("CARGO_PKG_VERSION");
        let done = self.client.execute(say, &[&name, &address, &said.role, &epoch, &position, &version]);
        done.map(drop).map_err(|error| database(&error))
    }

    pub(crate) fn leave(&mut self, name: &str) -> Result<(), StoreError> {
        let gone = self.client.execute("DELETE FROM croupier_node WHERE name = $1", &[&name]);
        gone.map(drop).map_err(|error| database(&error))
    }

    pub(crate) fn overview(&mut self) -> Result<Overview, StoreError> {
        let fault = |error: postgres::Error| database(&error);
        let lease = self.lease()?;
        let now =
            "SELECT (SELECT epoch FROM croupier_writer), (SELECT coalesce(max(position), 0) FROM journal)";
        let now = self.client.query_one(now, &[]).map_err(fault)?;
        let nodes = "SELECT name, address, version, role, epoch, position, \
                     extract(epoch FROM clock_timestamp() - seen)::float8 FROM croupier_node ORDER BY name";
        let nodes = self.client.query(nodes, &[]).map_err(fault)?;
        let known = |row: &postgres::Row| Known {
            name: row.get(0),
            address: row.get(1),
            version: row.get(2),
            said: Said {
                role: row.get(3),
                epoch: row.get::<_, i64>(4).cast_unsigned(),
                position: row.get::<_, i64>(5).cast_unsigned(),
            },
            ago: Duration::try_from_secs_f64(row.get::<_, f64>(6)).unwrap_or_default(),
        };
        Ok(Overview {
            lease,
            epoch: now.get::<_, i64>(0).cast_unsigned(),
            position: now.get::<_, i64>(1).cast_unsigned(),
            nodes: nodes.iter().map(known).collect(),
        })
    }
}
