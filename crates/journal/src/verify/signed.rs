//! Checkpoints, held against the rows as they pass by.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::line::Line;
use super::{Finding, Summary};
use crate::checkpoint::{Checkpoint, Covers, Reach};
use crate::envelope::Head;
use crate::hash::Hash;
use crate::stream::Stream;

/// The checkpoints that are still to come, and what has come since the last one.
pub(super) struct Signed {
    to_come: VecDeque<Checkpoint>,
    /// How far the lines go.
    reach: Reach,
    /// The streams that have moved, for checkpoints of earlier versions.
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
        while to_come.front().is_some_and(is_of_nothing) {
            to_come.pop_front();
            passed += 1;
        }
        let is_trusted = trusted.is_some();
        Self { to_come, reach: Reach::START, moved: BTreeSet::new(), passed, covered: 0, is_trusted }
    }

    /// A line has passed: the lines so far must be those of the checkpoints taken there.
    pub(super) fn pass(&mut self, line: &Line, heads: &BTreeMap<Stream, Head>) -> Result<(), Finding> {
        if self.to_come.is_empty() {
            return Ok(());
        }
        self.reach.pass(line.position, line.hash);
        self.moved.insert(line.record.stream);
        while let Some(next) = self.to_come.front().filter(|next| next.position <= line.position) {
            match &next.covers {
                Covers::Lines(lines) => self.check_lines(next, *lines)?,
                Covers::Heads(signed) => {
                    self.check_heads(next, signed, heads)?;
                    self.reach.lines = Hash::ZERO;
                }
            }
            self.moved.clear();
            self.passed += 1;
            self.covered = next.position;
            self.to_come.pop_front();
        }
        Ok(())
    }

    fn check_lines(&self, checkpoint: &Checkpoint, lines: Hash) -> Result<(), Finding> {
        let Checkpoint { number, position, .. } = checkpoint;
        if (Reach { position: *position, lines }) == self.reach {
            return Ok(());
        }
        let what = format!(
            "the lines after position {} are not those that checkpoint {number} signed: one of them was changed, \
             added or left out, and the chain made anew",
            self.covered
        );
        Err(Finding { position: Some(*position), stream: None, sequence: None, what, clauses: Vec::new() })
    }

    fn check_heads(
        &self,
        checkpoint: &Checkpoint,
        signed: &BTreeMap<Stream, Head>,
        heads: &BTreeMap<Stream, Head>,
    ) -> Result<(), Finding> {
        let Checkpoint { number, position, .. } = checkpoint;
        let fault = |stream: Stream, sequence: u64, what: String| Finding {
            position: Some(*position),
            stream: Some(stream),
            sequence: Some(sequence),
            what,
            clauses: Vec::new(),
        };
        for (stream, signed) in signed {
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
        match self.moved.iter().find(|stream| !signed.contains_key(stream)) {
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
            let is_short = |(stream, signed): &(&Stream, &Head)| {
                heads.get(stream).map_or(0, |found| found.sequence) < signed.sequence
            };
            let missing = match &next.covers {
                Covers::Lines(_) => None,
                Covers::Heads(signed) => signed.iter().find(is_short).map(|(stream, _)| *stream),
            };
            let sequence = |stream: &Stream| heads.get(stream).map_or(0, |found| found.sequence) + 1;
            return Err(Finding {
                position: Some(end + 1),
                stream: missing,
                sequence: missing.as_ref().map(sequence),
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

fn is_of_nothing(checkpoint: &Checkpoint) -> bool {
    let says_nothing = match &checkpoint.covers {
        Covers::Lines(lines) => *lines == Hash::ZERO,
        Covers::Heads(heads) => heads.is_empty(),
    };
    checkpoint.position == 0 && says_nothing
}
