//! What is kept of a choice that players had.

use crate::table::{Choice, Stage, Table};

impl Table {
    /// The choice on hold is over. With cards out, the settlement goes by what was answered.
    pub(super) fn keep_choice(&mut self) {
        let out = self.stage == Stage::Playing && !self.round.draws.is_empty();
        let Some(hold) = self.hold.as_ref().filter(|_| out) else { return };
        let Some(ruling) = &hold.ruling else { return };
        let answers = hold.answers.iter().map(|(player, answer)| (*player, *answer == Some(true)));
        self.round.choices.push(Choice {
            irregularity: hold.irregularity,
            ruling: ruling.clone(),
            answers: answers.collect(),
        });
    }
}
