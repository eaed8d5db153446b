//! Prints the document of the interface, from which the types of the browser UI are made: `cargo xtask types`.

use std::io::Write as _;

fn main() -> std::io::Result<()> {
    let document = croupier_server::api::document();
    let mut text = serde_json::to_string_pretty(&document)?;
    text.push('\n');
    std::io::stdout().write_all(text.as_bytes())
}
