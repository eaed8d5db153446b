//! Rows at positions, as a store gives them whose rules somebody has gone around.

use croupier_journal::store::Flow;
use croupier_journal::{Change, CommandId, Row, Select, Store, StoreError, Stream};

/// Rows with their positions.
pub(crate) struct Raw(pub(crate) Vec<(u64, Row)>);

impl Raw {
    /// At the positions from 1 on.
    pub(crate) fn of(rows: Vec<Row>) -> Self {
        Self((1..).zip(rows).collect())
    }
}

impl Store for Raw {
    fn lock(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    fn commit(&mut self, _: u64, _: &[Row], _: &[Change]) -> Result<(), StoreError> {
        Ok(())
    }

    fn rows(&mut self, select: Select, each: &mut dyn FnMut(u64, Row) -> Flow) -> Result<(), StoreError> {
        for (position, row) in &self.0 {
            let wanted = match select {
                Select::After(after) => *position > after,
                Select::Stream(stream, from) => row.stream == stream && row.sequence >= from,
            };
            if wanted && each(*position, row.clone()).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn find(&mut self, stream: Stream, id: &CommandId) -> Result<Option<Row>, StoreError> {
        let found = self.0.iter().find(|(_, row)| row.stream == stream && row.id == *id);
        Ok(found.map(|(_, row)| row.clone()))
    }

    fn end(&mut self) -> Result<u64, StoreError> {
        Ok(self.0.last().map_or(0, |(position, _)| *position))
    }

    fn entry(&mut self, _: &str, _: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(None)
    }

    fn dump(&mut self, each: croupier_journal::store::TakePart<'_>) -> Result<(), StoreError> {
        let mut taken = Ok(());
        self.rows(Select::After(0), &mut |position, row| {
            taken = each(croupier_journal::store::Part::Row(position, row));
            if taken.is_ok() { Flow::Continue(()) } else { Flow::Break(()) }
        })?;
        taken
    }

    fn range(
        &mut self,
        _: &str,
        _: core::ops::Range<&str>,
        _: croupier_journal::store::Order,
        _: usize,
    ) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        Ok(Vec::new())
    }

    fn entries(&mut self, _: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        Ok(Vec::new())
    }
}
