//! A drill by keyboard: the situation, its questions one by one, and the explanation.

use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use croupier_drill::exam::{Examination, STANDARD, Sheet};
use croupier_drill::schedule::Rating;
use croupier_drill::words::Phrase;
use croupier_drill::{Answer, Form, Language, Part, Situation};
use croupier_rounds::amount::Decimals;

/// Drills that are being answered.
pub(super) struct Session<'s> {
    language: Language,
    clock: Option<Duration>,
    out: &'s mut dyn Write,
    input: &'s mut dyn BufRead,
    right: usize,
    parts: usize,
}

/// The answers to a drill and how long they took; nothing at the end of the input.
type Answered = Option<(Vec<Option<Answer>>, Duration)>;

impl<'s> Session<'s> {
    pub(super) fn new(
        language: Language,
        clock: Option<u64>,
        out: &'s mut dyn Write,
        input: &'s mut dyn BufRead,
    ) -> Self {
        Self { language, clock: clock.map(Duration::from_secs), out, input, right: 0, parts: 0 }
    }

    fn say(&self, phrase: Phrase) -> &'static str {
        self.language.say(phrase)
    }

    /// One drill, with its explanation; nothing at the end of the input.
    pub(super) fn drill(
        &mut self,
        situation: &Situation,
        number: u64,
        of: u64,
    ) -> anyhow::Result<Option<Rating>> {
        let Some((answers, took)) = self.ask(situation, number, of)? else { return Ok(None) };
        let marked = situation.marked(&answers);
        let right = marked.iter().filter(|right| **right).count();
        self.right += right;
        self.parts += marked.len();
        self.explain(situation, &answers, &marked)?;
        // A quarter of a minute for a part is quick.
        let quick = took < Duration::from_secs(15) * u32::try_from(marked.len()).unwrap_or(1);
        Ok(Some(Rating::of(right, marked.len(), quick && self.clock.is_some())))
    }

    /// How it went in all.
    pub(super) fn end(&mut self) -> anyhow::Result<()> {
        if self.parts > 0 {
            let (right, of) = (self.say(Phrase::Right), self.say(Phrase::Of));
            writeln!(self.out, "{}: {} {of} {} {right}", self.say(Phrase::Result), self.right, self.parts)?;
        }
        Ok(())
    }

    fn ask(&mut self, situation: &Situation, number: u64, of: u64) -> anyhow::Result<Answered> {
        let start = Instant::now();
        let heading = format!("{} {number} {} {of}", self.say(Phrase::Drill), self.say(Phrase::Of));
        writeln!(self.out, "\n== {heading} == ({} {})", situation.game.id, situation.seed)?;
        write!(self.out, "{}", situation.text(self.language))?;
        if let Some(clock) = self.clock {
            writeln!(self.out, "({} {})", clock.as_secs(), self.say(Phrase::Seconds))?;
        }
        let mut answers = Vec::new();
        for (at, part) in situation.parts.iter().enumerate() {
            writeln!(self.out)?;
            for line in situation.before(self.language, at) {
                writeln!(self.out, "{line}")?;
            }
            let Some(answer) = self.part(situation, at, part)? else { return Ok(None) };
            let late = self.clock.is_some_and(|clock| start.elapsed() > clock);
            if late {
                writeln!(self.out, "{}", self.say(Phrase::TooLate))?;
                answers.resize(situation.parts.len(), None);
                break;
            }
            answers.push(Some(answer));
        }
        Ok(Some((answers, start.elapsed())))
    }

    /// One question; it is asked again until the answer is understood.
    fn part(&mut self, situation: &Situation, at: usize, part: &Part) -> anyhow::Result<Option<Answer>> {
        writeln!(self.out, "{}. {}", at + 1, self.language.question(part.kind))?;
        match &part.form {
            Form::One { options, .. } => {
                self.options(situation, options)?;
                let one = |text: &str| numbers(text, options.len()).filter(|all| all.len() == 1);
                let hint = format!("1–{}", options.len());
                let all = self.read(&hint, self.say(Phrase::Number), &one)?;
                Ok(all.and_then(|all| all.first().copied()).map(Answer::One))
            }
            Form::All { options, .. } => {
                self.options(situation, options)?;
                let several = |text: &str| numbers(text, options.len());
                let hint = format!("1–{}", options.len());
                Ok(self.read(&hint, self.say(Phrase::Several), &several)?.map(Answer::All))
            }
            Form::Amounts { of, .. } => {
                let mut amounts = Vec::new();
                for at in of {
                    let wager = situation.wagers.get(*at).map(|wager| situation.wager(self.language, wager));
                    writeln!(self.out, "  {}", wager.unwrap_or_default())?;
                    let amount = |text: &str| Decimals::USUAL.parse_signed(text.trim()).ok();
                    match self.read("+950, -1,000, 0", self.say(Phrase::Amount), &amount)? {
                        Some(amount) => amounts.push(amount.minor()),
                        None => return Ok(None),
                    }
                }
                Ok(Some(Answer::Amounts(amounts)))
            }
        }
    }

    fn options(&mut self, situation: &Situation, options: &[croupier_drill::Choice]) -> anyhow::Result<()> {
        for (number, option) in (1..).zip(options) {
            writeln!(self.out, "  {number}  {}", self.language.choice(situation, *option))?;
        }
        Ok(())
    }

    fn read<T>(
        &mut self,
        accepted: &str,
        prompt: &str,
        understand: &dyn Fn(&str) -> Option<T>,
    ) -> anyhow::Result<Option<T>> {
        loop {
            write!(self.out, "{prompt}> ")?;
            self.out.flush()?;
            let mut line = String::new();
            if self.input.read_line(&mut line)? == 0 {
                writeln!(self.out)?;
                return Ok(None);
            }
            match understand(line.trim()) {
                Some(answer) => return Ok(Some(answer)),
                None => writeln!(self.out, "{}: {accepted}", self.say(Phrase::NotUnderstood))?,
            }
        }
    }

    fn explain(
        &mut self,
        situation: &Situation,
        answers: &[Option<Answer>],
        marked: &[bool],
    ) -> anyhow::Result<()> {
        let language = self.language;
        writeln!(self.out)?;
        for (at, (part, right)) in situation.parts.iter().zip(marked).enumerate() {
            let mark = if *right { self.say(Phrase::Right) } else { self.say(Phrase::Wrong) };
            writeln!(
                self.out,
                "{}. {mark}. {}: {}",
                at + 1,
                self.say(Phrase::RightIs),
                situation.right(language, part)
            )?;
            let given = answers.get(at).and_then(Option::as_ref);
            for line in given.into_iter().flat_map(|given| situation.would_have(language, part, given)) {
                writeln!(self.out, "   {line}")?;
            }
        }
        writeln!(self.out, "{}:", self.say(Phrase::Why))?;
        for (said, clauses) in situation.reasons() {
            let cites = if clauses.is_empty() { String::new() } else { format!("  [{}]", clauses.join(" ")) };
            writeln!(self.out, "  {said}{cites}")?;
        }
        writeln!(self.out, "{}:", self.say(Phrase::Clauses))?;
        for (clause, says) in situation.clause_texts() {
            writeln!(self.out, "  {clause}  {says}")?;
        }
        Ok(())
    }
}

/// Numbers from 1 as places from 0, each once.
fn numbers(text: &str, most: usize) -> Option<BTreeSet<usize>> {
    let place = |word: &str| {
        word.parse::<usize>().ok().filter(|number| (1..=most).contains(number)).map(|number| number - 1)
    };
    text.split([' ', ',']).filter(|word| !word.is_empty()).map(place).collect()
}

/// An examination: all drills without a word between them, then the result and what was missed.
pub(super) fn examine(
    exam: &Examination,
    language: Language,
    clock: Option<u64>,
    out: &mut dyn Write,
    input: &mut dyn BufRead,
) -> anyhow::Result<ExitCode> {
    let mut sheet = Sheet::default();
    let count = u64::try_from(exam.drills.len()).unwrap_or(u64::MAX);
    let mut session = Session::new(language, clock, out, input);
    for (number, drill) in (1..).zip(&exam.drills) {
        let Some((answers, _)) = session.ask(drill, number, count)? else { break };
        sheet.answers.push(answers);
    }
    let marked = exam.mark(&sheet);
    let passed = language.say(if marked.passed { Phrase::Passed } else { Phrase::Failed });
    let (right, of) = (language.say(Phrase::Right), language.say(Phrase::Of));
    writeln!(
        out,
        "\n{}: {} {of} {} {right}; {passed} ({STANDARD} %)",
        language.say(Phrase::Result),
        marked.right,
        marked.parts
    )?;
    if !marked.missed.is_empty() {
        writeln!(out, "{}: {}", language.say(Phrase::Clauses), marked.missed.join(", "))?;
    }
    Ok(if marked.passed { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
