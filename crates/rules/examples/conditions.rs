//! Prints every known condition and payoff, in English words and as JSON: `cargo xtask types` writes them for the tests
//! of the browser UI.

#[path = "../tests/common/conditions.rs"]
mod conditions;

#[expect(clippy::print_stdout, reason = "that is what it is for")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", conditions::document()?);
    Ok(())
}
