//! The scenarios that come with Croupier: round files that prove clauses.

use crate::file::RoundFile;
use crate::parse::ParseFault;

/// A scenario: where it lies, and its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scenario<'a> {
    /// The path, of those that come with Croupier under `scenarios/`, such as `hoiana-baccarat/payout.round`.
    pub path: &'a str,
    /// The round file.
    pub text: &'a str,
}

impl Scenario<'_> {
    /// The scenario as a round file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn file(&self) -> Result<RoundFile, Vec<ParseFault>> {
        RoundFile::parse(self.text)
    }
}

/// All of them, by path.
pub const STANDARD: &[Scenario<'static>] = include!(concat!(env!("OUT_DIR"), "/scenarios.rs"));
