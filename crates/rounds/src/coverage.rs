//! Which clauses and readings are proved, and by what.
//!
//! A clause or a reading is proved when a scenario that passed names it and made the engine cite it, or when a proof that
//! passed carries it. Nothing is read from comments or files of earlier runs: everything runs here.

use std::collections::BTreeMap;

use croupier_rules::{Library, Rulebook};

use crate::proofs::{self, Proof};
use crate::run;
use crate::scenarios::{self, Scenario};

/// What proves the clauses of the rulebooks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Evidence {
    /// By rulebook and clause: the scenarios and proofs.
    proofs: BTreeMap<(String, String), Vec<String>>,
    /// Scenarios and proofs that did not pass, with the first reason.
    pub failures: Vec<(String, String)>,
    /// How many scenarios ran.
    pub scenarios: usize,
}

/// The coverage of one rulebook.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    /// The rulebook.
    pub rulebook: String,
    /// Numbered clauses.
    pub clauses: usize,
    /// Lines of pay and drawing tables beside them.
    pub table_lines: usize,
    /// How many of both must be proved.
    pub executable: usize,
    /// How many are.
    pub proved: usize,
    /// Which are not, in the rulebook's order.
    pub missing: Vec<String>,
    /// Readings of unclear places; all of them must be proved.
    pub readings: usize,
    /// Which are not.
    pub missing_readings: Vec<String>,
}

impl Coverage {
    /// Whether nothing is missing.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty() && self.missing_readings.is_empty()
    }
}

impl Evidence {
    /// Runs the scenarios and proofs that come with Croupier.
    #[must_use]
    pub fn standard(library: &Library) -> Self {
        Self::gather(library, scenarios::STANDARD, proofs::ALL)
    }

    /// Runs scenarios and proofs.
    #[must_use]
    pub fn gather(library: &Library, scenarios: &[Scenario<'_>], proofs: &[Proof]) -> Self {
        let mut evidence = Self::default();
        for scenario in scenarios {
            evidence.run(library, &format!("scenarios/{}", scenario.path), scenario);
        }
        for proof in proofs {
            match (proof.check)() {
                Ok(()) => {
                    for clause in proof.clauses {
                        evidence.add(proof.rulebook, clause, format!("proof: {}", proof.name));
                    }
                }
                Err(reason) => evidence.failures.push((format!("proof: {}", proof.name), reason)),
            }
        }
        evidence
    }

    /// Runs one scenario more, such as one of a house's own, under a name.
    pub fn run(&mut self, library: &Library, name: &str, scenario: &Scenario<'_>) {
        self.scenarios += 1;
        match prove(library, scenario) {
            Ok((rulebook, clauses)) => {
                for clause in clauses {
                    self.add(&rulebook, &clause, name.to_string());
                }
            }
            Err(reason) => self.failures.push((name.to_string(), reason)),
        }
    }

    fn add(&mut self, rulebook: &str, clause: &str, by: String) {
        self.proofs.entry((rulebook.to_string(), clause.to_string())).or_default().push(by);
    }

    /// What proves a clause.
    #[must_use]
    pub fn of(&self, rulebook: &str, clause: &str) -> &[String] {
        self.proofs.get(&(rulebook.to_string(), clause.to_string())).map_or(&[], Vec::as_slice)
    }

    /// The coverage of a rulebook.
    #[must_use]
    pub fn coverage(&self, rulebook: &Rulebook) -> Coverage {
        let clauses = rulebook.index.clauses();
        let executable: Vec<&str> =
            clauses.iter().filter(|clause| clause.is_executable()).map(|clause| clause.id.as_str()).collect();
        let is_missing = |id: &&str| self.of(&rulebook.id, id).is_empty();
        let missing: Vec<String> = executable.iter().copied().filter(is_missing).map(String::from).collect();
        let readings: Vec<&str> =
            rulebook.index.readings().iter().map(|reading| reading.id.as_str()).collect();
        let missing_readings = readings.iter().copied().filter(is_missing).map(String::from).collect();
        let table_lines = clauses.iter().filter(|clause| clause.is_table_line()).count();
        Coverage {
            rulebook: rulebook.id.clone(),
            clauses: clauses.len() - table_lines,
            table_lines,
            executable: executable.len(),
            proved: executable.len() - missing.len(),
            missing,
            readings: readings.len(),
            missing_readings,
        }
    }
}

/// The rulebook and the clauses that a scenario proves, if it passes.
fn prove(library: &Library, scenario: &Scenario<'_>) -> Result<(String, Vec<String>), String> {
    let file =
        scenario.file().map_err(|faults| faults.first().map(ToString::to_string).unwrap_or_default())?;
    let report = run(library, &file);
    if let Some((line, error)) = report.errors.first() {
        return Err(format!("{line}: {error}"));
    }
    if let Some(failure) = report.failures().next() {
        let got = failure.got.as_deref().unwrap_or_default();
        return Err(format!("{}: expected {}, got {got}", failure.line, failure.expected));
    }
    let (rulebook, _) = file.game().and_then(|id| library.find(id)).ok_or("no such game")?;
    Ok((rulebook.id.clone(), file.proves().map(String::from).collect()))
}
