//! What cannot happen stops the program, in release too: a wrong figure that goes on into the books is worse.
//!
//! Only what the table itself has made sure of belongs here. What people, files and rulebooks can bring about is a
//! refusal or a fault with a name.

/// What must be there.
#[track_caller]
pub(crate) fn certain<T>(found: Option<T>, what: &str) -> T {
    match found {
        Some(found) => found,
        #[expect(clippy::panic, reason = "a mistake in Croupier itself")]
        None => panic!("{what}"),
    }
}
