//! Checkpoints, held against the rows as they pass by.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{Finding, Summary};
use crate::checkpoint::Checkpoint;
use crate::envelope::Head;
use crate::hash::Hash;
use crate::stream::Stream;

/// The checkpoints that are still to come, and what has moved since the last one.
pub(super) struct Signed {
    to_come: VecDeque<Checkpoint>,
    moved: BTreeSet<Stream>,
    passed: u64,
    covered: u64,
    is_trusted: bool,
}

impl Signed {
    pub(super) fn new(checkpoints: Vec<Checkpoint>, trusted: Option<Hash>) -> Self {
        let mut to_come = VecDeque::from(checkpoints);
        let mut passed = 0;
        // Taken before there was anything, as when the key changed at once.
        while to_come.front().is_some_and(|next| next.position == 0 && next.heads.is_empty()) {
            to_come.pop_front();
            passed += 1;
        }
        Self { to_come, moved: BTreeSet::new(), passed, covered: 0, is_trusted: trusted.is_some() }
    }

    /// A row has passed: the ends of all streams must be those of the checkpoints taken there.
    pub(super) fn pass(
        &mut self,
        position: u64,
        stream: Stream,
        heads: &BTreeMap<Stream, Head>,
    ) -> Result<(), Finding> {
        if self.to_come.is_empty() {
            return Ok(());
        }
        self.moved.insert(stream);
        while let Some(next) = self.to_come.front().filter(|next| next.position <= position) {
            self.check(next, heads)?;
            self.moved.clear();
            self.passed += 1;
            self.covered = next.position;
            self.to_come.pop_front();
        }
        Ok(())
    }

    fn check(&self, checkpoint: &Checkpoint, heads: &BTreeMap<Stream, Head>) -> Result<(), Finding> {
        let Checkpoint { number, position, .. } = checkpoint;
        let fault = |stream: Stream, sequence: u64, what: String| Finding {
            position: Some(*position),
            stream: Some(stream),
            sequence: Some(sequence),
            what,
            clauses: Vec::new(),
        };
        for (stream, signed) in &checkpoint.heads {
            let found = heads.get(stream).copied().unwrap_or(Head::START);
            if found.sequence != signed.sequence {
                let what = format!(
                    "checkpoint {number} signed {stream} through {}, and here it ends with {}",
                    signed.sequence, found.sequence
                );
                return Err(fault(*stream, found.sequence.min(signed.sequence) + 1, what));
            }
            if found.hash != signed.hash {
                let what = format!(
                    "is not the line that checkpoint {number} signed: it, or one before it since the last \
                     checkpoint, was changed and the chain made anew"
                );
                return Err(fault(*stream, found.sequence, what));
            }
        }
        match self.moved.iter().find(|stream| !checkpoint.heads.contains_key(stream)) {
            Some(stream) => {
                let sequence = heads.get(stream).map_or(0, |head| head.sequence);
                let what = format!("was not there when checkpoint {number} was signed");
                Err(fault(*stream, sequence, what))
            }
            None => Ok(()),
        }
    }

    /// The journal ends here: nothing that was signed may be missing.
    pub(super) fn finish(
        &self,
        end: u64,
        heads: &BTreeMap<Stream, Head>,
        summary: &mut Summary,
    ) -> Result<(), Finding> {
        if let Some(next) = self.to_come.front() {
            let missing = next.heads.iter().find(|(stream, signed)| {
                heads.get(stream).map_or(0, |found| found.sequence) < signed.sequence
            });
            let sequence = |stream: &Stream| heads.get(stream).map_or(0, |found| found.sequence) + 1;
            return Err(Finding {
                position: Some(end + 1),
                stream: missing.map(|(stream, _)| *stream),
                sequence: missing.map(|(stream, _)| sequence(stream)),
                what: format!(
                    "is missing: the journal ends at position {end}, and checkpoint {} signed it through {}",
                    next.number, next.position
                ),
                clauses: Vec::new(),
            });
        }
        (summary.checkpoints, summary.covered) = (self.passed, self.covered);
        if self.passed == 0 {
            let words = "there are no checkpoints: whether the end was cut off cannot be seen";
            summary.warnings.push(words.to_string());
        } else if !self.is_trusted {
            let words = "no key was given to trust: the first checkpoint was checked with the key it names";
            summary.warnings.push(words.to_string());
        }
        Ok(())
    }
}
