//! `settle --jsonl`: a million rounds of six bets, against the limit of ten seconds and against reading the
//! same JSON without settling anything.
#![expect(clippy::print_stdout, reason = "a benchmark reports")]

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 1_000_000;
const LIMIT: Duration = Duration::from_secs(10);
/// Complete rounds of four, five and six cards.
const CARDS: [&str; 6] = [
    r#"["9C","3S","KD","KH"]"#,
    r#"["KC","3S","6D","4H"]"#,
    r#"["2C","KS","2D","6H","AH"]"#,
    r#"["KC","2S","6D","3H","2D"]"#,
    r#"["KC","2S","KD","KH","5H","4S"]"#,
    r#"["2C","KS","KD","2H","8H","5S"]"#,
];

fn main() -> std::io::Result<()> {
    let lines: String = (0..ROUNDS)
        .map(|at| {
            format!(
                r#"{{"game":"hoiana-baccarat/commission","cards":{},"bets":{{"banker":{},"player":500,"tie":100,"banker-pair":50,"player-pair":50,"lucky-6":25}}}}"#,
                CARDS[at % CARDS.len()],
                1000 + at % 100,
            ) + "\n"
        })
        .collect();
    let start = Instant::now();
    let read = lines.lines().filter(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()).count();
    let reading = start.elapsed();
    assert_eq!(read, ROUNDS);

    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["settle", "--jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()?;
    child.stdin.take().ok_or(std::io::ErrorKind::BrokenPipe)?.write_all(lines.as_bytes())?;
    assert!(child.wait()?.success());
    let settling = start.elapsed();

    let ratio = |time: Duration, base: Duration| time.as_secs_f64() / base.as_secs_f64();
    println!(
        "{ROUNDS} rounds of six bets settled   {settling:>8.2?}   {:.2} of the limit",
        ratio(settling, LIMIT)
    );
    println!(
        "the same lines only read as JSON      {reading:>8.2?}   settling takes {:.1} times that",
        ratio(settling, reading)
    );
    Ok(())
}
