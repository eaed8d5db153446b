//! A PostgreSQL to try things on: prints the address of a fresh database and keeps it until standard input ends.
//!
//! `cargo run -p croupier-testkit` and Ctrl-D to end it. The tests of the testkit use it as another process.

use std::io::{self, Read as _};

fn main() -> io::Result<()> {
    let database = croupier_testkit::postgres::database()?;
    #[expect(clippy::print_stdout, reason = "the address is what the program is for")]
    {
        println!("{}", database.url());
    }
    io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}
