//! A command line as a value: it can be shown, so that people can repeat it by hand, and it can be run.

use std::fmt;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};

/// One program with its arguments and the variables set for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Invocation {
    variables: Vec<(String, String)>,
    words: Vec<String>,
}

impl Invocation {
    /// Splits `line` at white space; add arguments that may hold some with [`Invocation::arg`].
    pub(crate) fn new(line: &str) -> Invocation {
        Invocation { variables: Vec::new(), words: line.split_whitespace().map(str::to_owned).collect() }
    }

    pub(crate) fn arg(mut self, word: impl Into<String>) -> Invocation {
        self.words.push(word.into());
        self
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Invocation {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Runs it in front of the user, announced by its own text; true if it succeeded.
    pub(crate) fn run(&self) -> Result<bool> {
        println!("$ {self}");
        let status = self.command()?.status().with_context(|| format!("cannot run `{self}`"))?;
        Ok(status.success())
    }

    /// Runs it unseen; true if the program exists and succeeded.
    pub(crate) fn answers(&self) -> bool {
        self.command().is_ok_and(|mut command| {
            command
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|status| status.success())
        })
    }

    /// Runs it for what it prints on standard output.
    pub(crate) fn read(&self) -> Result<String> {
        let output = self
            .command()?
            .stderr(Stdio::inherit())
            .output()
            .with_context(|| format!("cannot run `{self}`"))?;
        ensure!(output.status.success(), "`{self}` failed");
        String::from_utf8(output.stdout)
            .with_context(|| format!("`{self}` printed something other than UTF-8"))
    }

    fn command(&self) -> Result<Command> {
        let (program, arguments) = self.words.split_first().context("an empty command line")?;
        let mut command = Command::new(program);
        command.args(arguments).envs(self.variables.iter().map(|(name, value)| (name, value)));
        Ok(command)
    }
}

/// As one would type it into a shell.
impl fmt::Display for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.variables {
            write!(f, "{name}={} ", quoted(value))?;
        }
        let words: Vec<String> = self.words.iter().map(|word| quoted(word)).collect();
        f.write_str(&words.join(" "))
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./:,@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_what_one_would_type() {
        let doc = Invocation::new("cargo doc --no-deps").env("RUSTDOCFLAGS", "-D warnings").arg("it's");
        assert_eq!(doc.to_string(), r"RUSTDOCFLAGS='-D warnings' cargo doc --no-deps 'it'\''s'");
    }

    #[test]
    fn a_missing_program_does_not_answer_and_cannot_be_read() {
        let missing = Invocation::new("no-such-program-anywhere --version");
        assert!(!missing.answers());
        assert!(missing.read().unwrap_err().to_string().contains("no-such-program-anywhere"));
    }
}
