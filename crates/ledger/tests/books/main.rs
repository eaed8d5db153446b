//! The books as their users see them: scenarios in text, and random batches against a second, naive model.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers fail a test by panicking")]

mod model;
mod notation;
mod properties;
mod scenarios;
mod support;
