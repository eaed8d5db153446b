//! What was met on the way, so that a test can say that nothing was left out.

use std::collections::BTreeMap;
use std::fmt::Write;

use croupier_rules::{Family, Irregularity, Rulebook};
use croupier_table::event::Mark;
use croupier_table::{Command, Event, Fact, Phase, Refusal, Table};

/// Counts by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) commands: u64,
    pub(crate) accepted: u64,
    counts: BTreeMap<String, u64>,
}

impl Tally {
    fn note(&mut self, what: String) {
        *self.counts.entry(what).or_default() += 1;
    }

    /// An invariant held, and there was something to look at.
    pub(crate) fn held(&mut self, what: &str, exercised: bool) {
        if !exercised {
            return;
        }
        match self.counts.get_mut(what) {
            Some(count) => *count += 1,
            None => self.note(what.to_string()),
        }
    }

    pub(crate) fn count(&self, what: &str) -> u64 {
        self.counts.get(what).copied().unwrap_or(0)
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.commands += other.commands;
        self.accepted += other.accepted;
        for (what, count) in &other.counts {
            *self.counts.entry(what.clone()).or_default() += count;
        }
    }

    /// A command that was refused.
    pub(crate) fn refused(&mut self, refusal: &Refusal) {
        self.note(format!("refused {}", refusal.code()));
    }

    /// A command that was accepted.
    pub(crate) fn accepted(&mut self, table: &Table, _: &Command) {
        self.accepted += 1;
        self.note(format!("phase {}", table.phase()));
    }

    /// An event; the table is as it was before it.
    pub(crate) fn follow(&mut self, table: &Table, event: &Event) {
        match &event.fact {
            Fact::Irregular { irregularity, .. } => self.note(format!("irregular {irregularity}")),
            Fact::Ruled { remedy, with_withdrawal, .. } => {
                let on = table.hold.as_ref().map_or(Irregularity::Other, |hold| hold.irregularity);
                let on = table.rulebook().irregularity(on).map_or(on, |rule| rule.irregularity);
                let choice = if *with_withdrawal { " with withdrawal" } else { "" };
                self.note(format!("ruled {remedy}{choice} on {on}"));
                self.note(format!("remedy {remedy}"));
            }
            Fact::Answered { withdraw: true, .. } => self.note("withdrawn".to_string()),
            Fact::Insured { .. } => self.note("insured".to_string()),
            Fact::Warned { .. } => self.note("warned".to_string()),
            Fact::InsuranceMissed { .. } => self.note("insurance missed".to_string()),
            Fact::FindingConfirmed { .. } => self.note("confirmed".to_string()),
            Fact::Corrected { .. } => self.note("corrected".to_string()),
            Fact::StoodIn { .. } => self.note("stood in".to_string()),
            Fact::ForeignDrawn { .. } => self.note("foreign".to_string()),
            Fact::ShoeChoiceMade { replace } => self.note(format!("shoe choice {replace}")),
            Fact::Drawn { source, .. } => {
                self.note(format!("drawn from {}", super::model::source_key(*source)));
            }
            Fact::RoundClosed { mark, .. } => self.note(
                match mark {
                    Mark::Result(_) | Mark::Played => "settled",
                    Mark::Free(_) => "free hand",
                    Mark::Void => "void",
                }
                .to_string(),
            ),
            _ => {}
        }
    }

    /// Every irregularity of a rulebook came up and every ruling on it was made.
    pub(crate) fn missing(&self, rulebook: &Rulebook) -> String {
        let mut missing = String::new();
        for rule in &rulebook.irregularities {
            if self.count(&format!("irregular {}", rule.irregularity)) == 0 {
                let _ = writeln!(missing, "{} did not happen", rule.irregularity);
            }
            for ruling in &rule.rulings {
                let choice = if ruling.withdrawal.is_some() { " with withdrawal" } else { "" };
                let what = format!("ruled {}{choice} on {}", ruling.remedy, rule.irregularity);
                if self.count(&what) == 0 {
                    let _ = writeln!(missing, "nobody {what}");
                }
            }
        }
        for phase in Phase::ALL {
            if reachable(*phase, rulebook) && self.count(&format!("phase {phase}")) == 0 {
                let _ = writeln!(missing, "no command in phase {phase}");
            }
        }
        missing
    }
}

/// Whether a game of the rulebook comes into a phase.
pub(crate) fn reachable(phase: Phase, rulebook: &Rulebook) -> bool {
    let (id, niu_niu) = (rulebook.id.as_str(), rulebook.family == Family::NiuNiu);
    let hoiana = id == "hoiana-baccarat" || id == "hoiana-dragon-tiger";
    match phase {
        // Nothing is done at a closed table.
        Phase::TableClosed => false,
        Phase::Dealing | Phase::CountCheck | Phase::Arranging | Phase::Verify => niu_niu,
        Phase::InsuranceOne | Phase::InsuranceTwo | Phase::BankerShownFirst => id == "hoiana-baccarat",
        Phase::FreeHand | Phase::ShoeOption => hoiana,
        Phase::DifferentialHold => hoiana || id == "mbs-dragon-tiger",
        Phase::Reopened | Phase::Sorting => id == "mbs-dragon-tiger",
        // Nobody squeezes there.
        Phase::InitialReveal | Phase::PlayerThirdReveal => hoiana || id == "mbs-dragon-tiger",
        Phase::InitialDeal | Phase::PlayerThird | Phase::BankerThird => !niu_niu,
        Phase::OptionWindow => !niu_niu,
        Phase::ShoeLoaded
        | Phase::Ready
        | Phase::BetsOpen
        | Phase::BetsClosed
        | Phase::Result
        | Phase::ShoeDecision
        | Phase::ShoeEnd
        | Phase::OnHold => true,
    }
}
