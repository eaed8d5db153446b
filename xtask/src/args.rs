//! The arguments of a command, taken one by one; what nobody took is an error.
//!
//! Written by hand because `xtask` is compiled before anything else can be checked, and should be quick.

use std::str::FromStr;

use anyhow::{Result, anyhow, bail};

/// What is left of the command line.
pub(crate) struct Args {
    rest: Vec<String>,
}

impl Args {
    pub(crate) fn new(words: impl IntoIterator<Item = String>) -> Args {
        Args { rest: words.into_iter().collect() }
    }

    /// Takes `name` wherever it stands.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        let before = self.rest.len();
        self.rest.retain(|word| word != name);
        self.rest.len() < before
    }

    /// Takes `name VALUE` or `name=VALUE`. Call it before [`Args::positional`], which would take the value.
    pub(crate) fn option<T: FromStr>(&mut self, name: &str) -> Result<Option<T>> {
        let prefix = format!("{name}=");
        let Some(at) = self.rest.iter().position(|word| word == name || word.starts_with(&prefix)) else {
            return Ok(None);
        };
        let word = self.rest.remove(at);
        let value = match word.strip_prefix(&prefix) {
            Some(value) => value.to_owned(),
            None if at < self.rest.len() => self.rest.remove(at),
            None => bail!("{name} needs a value"),
        };
        value.parse().map(Some).map_err(|_| anyhow!("{name} cannot be `{value}`"))
    }

    /// Takes the first word that is not an option.
    pub(crate) fn positional(&mut self) -> Option<String> {
        let at = self.rest.iter().position(|word| !word.starts_with('-'))?;
        Some(self.rest.remove(at))
    }

    /// Refuses whatever is left.
    pub(crate) fn finish(self) -> Result<()> {
        match self.rest.first() {
            None => Ok(()),
            Some(word) => bail!("did not expect `{word}`; --help says what is accepted"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Args {
        Args::new(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_flags_and_words_are_taken_in_any_order() {
        for line in ["card --seconds 5 --all", "--all --seconds=5 card", "--seconds 5 card --all"] {
            let mut args = args(line);
            assert!(args.flag("--all"), "{line}");
            assert_eq!(args.option::<u64>("--seconds").unwrap(), Some(5), "{line}");
            assert_eq!(args.positional().as_deref(), Some("card"), "{line}");
            args.finish().unwrap();
        }
    }

    #[test]
    fn what_is_not_understood_is_named() {
        let refused = |result: Result<()>| result.unwrap_err().to_string();
        assert!(refused(args("--lnog").finish()).contains("`--lnog`"));
        assert!(refused(args("--seconds").option::<u64>("--seconds").map(drop)).contains("needs a value"));
        assert!(refused(args("--seconds x").option::<u64>("--seconds").map(drop)).contains("cannot be `x`"));
    }
}
