//! A progress bar with rate and time left, on a terminal only.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The bar; hidden where standard error is no terminal.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Of so many `unit`s, if that is known.
    pub(crate) fn new(total: Option<u64>, unit: &str) -> Self {
        let target = if std::io::stderr().is_terminal() {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(total, target);
        let template = match total {
            Some(_) => {
                format!("{{wide_bar}} {{percent:>3}} %  {{human_pos}} {unit}  {{per_sec}}  {{eta}} left")
            }
            None => format!("{{spinner}} {{human_pos}} {unit}  {{per_sec}}  {{elapsed}}"),
        };
        // A bar of the default style is better than none.
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// So many are done.
    pub(crate) fn set(&self, done: u64) {
        self.0.set_position(done);
    }

    /// Leaves the terminal as it was.
    pub(crate) fn clear(&self) {
        self.0.finish_and_clear();
    }
}
