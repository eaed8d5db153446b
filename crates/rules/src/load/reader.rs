//! Reading TOML values of an expected shape, collecting faults with their places.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;
use core::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Fault;
use crate::clause::{Basis, ClauseIndex};
use crate::names;

/// The most faults that are told: nobody mends more of them at a time.
const FAULTS_MAX: usize = 100;

/// The faults found so far, and the source that turns their places into lines and columns.
pub(super) struct Faulty<'s> {
    source: &'s str,
    /// Where each begins, in bytes, and what it is.
    faults: Vec<(usize, String)>,
    /// Those that came after the most that are told.
    untold: usize,
    sheet: bool,
}

impl<'s> Faulty<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self { source, faults: Vec::new(), untold: 0, sheet: false }
    }

    /// For a bet sheet, which has no clauses to name.
    pub(super) fn new_sheet(source: &'s str) -> Self {
        Self { source, faults: Vec::new(), untold: 0, sheet: true }
    }

    /// Whether the source is a bet sheet and no rulebook.
    pub(super) const fn is_sheet(&self) -> bool {
        self.sheet
    }

    /// Notes a fault at a place of the source.
    pub(super) fn at(&mut self, span: Range<usize>, message: impl Into<String>) {
        if self.is_full() {
            self.untold += 1;
        } else {
            self.faults.push((span.start, message.into()));
        }
    }

    /// Whether as many faults were noted as are told: what costs time to say need not be found out any more.
    pub(super) fn is_full(&self) -> bool {
        self.faults.len() >= FAULTS_MAX
    }

    /// How many faults were noted; what follows from one is not reported as another.
    pub(super) fn count(&self) -> usize {
        self.faults.len() + self.untold
    }

    /// The faults in the order of the file, each once; their lines are counted in one pass over it. If there are
    /// more than are told, the last one says so.
    pub(super) fn into_faults(mut self) -> Vec<Fault> {
        self.faults.sort();
        self.faults.dedup();
        let (mut line, mut begin, mut from) = (1, 0, 0);
        let mut told: Vec<Fault> = Vec::with_capacity(self.faults.len());
        for (at, message) in self.faults {
            let at = at.min(self.source.len());
            let between = self.source.get(from..at).unwrap_or_default();
            line += between.matches('\n').count();
            begin = between.rfind('\n').map_or(begin, |last| from + last + 1);
            from = at;
            let column = self.source.get(begin..at).unwrap_or_default().chars().count() + 1;
            told.push(Fault { line, column, message });
        }
        if self.untold > 0
            && let Some(last) = told.last_mut()
        {
            let rest = self.untold + 1;
            last.message = format!("{rest} more faults are not told; mend those before first");
        }
        told
    }
}

/// `a`, `b` or `c`.
pub(super) fn alternatives<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let quoted: Vec<String> = items.into_iter().map(|item| format!("`{item}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => "nothing".to_string(),
    }
}

/// The end of a fault about an unknown name: the one that was meant, or all that are accepted.
pub(super) fn offered<T: Display>(typed: &str, items: impl IntoIterator<Item = T>) -> String {
    let known: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match names::nearest(typed, known.iter().map(String::as_str)) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("accepted: {}", alternatives(known)),
    }
}

/// A value and its place.
#[derive(Clone, Copy)]
pub(super) struct Value<'t> {
    spanned: &'t Spanned<DeValue<'t>>,
}

impl<'t> Value<'t> {
    pub(super) fn span(self) -> Range<usize> {
        self.spanned.span()
    }

    fn inner(self) -> &'t DeValue<'t> {
        self.spanned.get_ref()
    }

    fn expected<T>(self, faulty: &mut Faulty<'_>, what: &str) -> Option<T> {
        faulty.at(self.span(), format!("expected {what}, found {}", self.inner().type_str()));
        None
    }

    pub(super) fn as_str(self) -> Option<&'t str> {
        self.inner().as_str()
    }

    pub(super) fn is_list(self) -> bool {
        self.inner().is_array()
    }

    /// A whole number, if it is one.
    pub(super) fn as_number(self) -> Option<i64> {
        let integer = self.inner().as_integer()?;
        i64::from_str_radix(integer.as_str(), integer.radix()).ok()
    }

    /// Some text that is not blank.
    pub(super) fn text(self, faulty: &mut Faulty<'_>) -> Option<&'t str> {
        match self.as_str() {
            Some(text) if text.trim().is_empty() => {
                faulty.at(self.span(), "this text may not be empty");
                None
            }
            Some(text) => Some(text),
            None => self.expected(faulty, "a text in quotes"),
        }
    }

    /// An id: lower-case words joined by hyphens.
    pub(super) fn id(self, faulty: &mut Faulty<'_>) -> Option<&'t str> {
        let text = self.text(faulty)?;
        let is_id = text.split('-').all(|word| {
            !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        });
        if !is_id {
            faulty.at(
                self.span(),
                format!("`{text}` is no id; use lower-case words joined by hyphens, such as `big-tiger`"),
            );
        }
        is_id.then_some(text)
    }

    pub(super) fn boolean(self, faulty: &mut Faulty<'_>) -> Option<bool> {
        self.inner().as_bool().or_else(|| self.expected(faulty, "`true` or `false`"))
    }

    /// A whole number from `low` to `high`.
    pub(super) fn number(self, faulty: &mut Faulty<'_>, low: u32, high: u32) -> Option<u32> {
        let Some(integer) = self.inner().as_integer() else {
            return self.expected(faulty, &format!("a whole number from {low} to {high}"));
        };
        let number = u32::from_str_radix(integer.as_str(), integer.radix()).ok();
        let number = number.filter(|number| (low..=high).contains(number));
        if number.is_none() {
            faulty.at(self.span(), format!("`{integer}` is not in range: from {low} to {high}"));
        }
        number
    }

    /// Numbers from `low` to `high`: one (`6`), a range (`"0-5"`) or a list (`[2, 4]`).
    pub(super) fn numbers(self, faulty: &mut Faulty<'_>, low: u32, high: u32) -> Option<Vec<u32>> {
        let what = format!("a number, a range such as \"{low}-{high}\" or a list, from {low} to {high}");
        match self.inner() {
            DeValue::Integer(_) => self.number(faulty, low, high).map(|number| alloc::vec![number]),
            DeValue::Array(_) => {
                let items = self.items(faulty)?;
                if items.is_empty() {
                    faulty.at(self.span(), "an empty list matches nothing");
                    return None;
                }
                items.into_iter().map(|item| item.number(faulty, low, high)).collect()
            }
            DeValue::String(text) => {
                let bounds = text
                    .split_once('-')
                    .and_then(|(from, to)| Some((from.trim().parse().ok()?, to.trim().parse().ok()?)))
                    .filter(|(from, to): &(u32, u32)| low <= *from && from <= to && *to <= high);
                if bounds.is_none() {
                    faulty.at(self.span(), format!("`{text}` is not a valid range; expected {what}"));
                }
                bounds.map(|(from, to)| (from..=to).collect())
            }
            DeValue::Float(_) | DeValue::Boolean(_) | DeValue::Datetime(_) | DeValue::Table(_) => {
                self.expected(faulty, &what)
            }
        }
    }

    /// A date, as `YYYY-MM-DD`.
    pub(super) fn date(self, faulty: &mut Faulty<'_>) -> Option<String> {
        match self.inner().as_datetime() {
            Some(date) if date.date.is_some() && date.time.is_none() => Some(date.to_string()),
            _ => self.expected(faulty, "a date such as 2024-10-01"),
        }
    }

    /// The option whose key the text is.
    pub(super) fn one_of<T: Copy>(
        self,
        faulty: &mut Faulty<'_>,
        options: &[T],
        key: impl Fn(T) -> &'static str,
    ) -> Option<T> {
        let text = self.text(faulty)?;
        let found = options.iter().copied().find(|option| key(*option) == text);
        if found.is_none() {
            let offered = offered(text, options.iter().map(|option| key(*option)));
            faulty.at(self.span(), format!("`{text}` is not known here; {offered}"));
        }
        found
    }

    pub(super) fn items(self, faulty: &mut Faulty<'_>) -> Option<Vec<Self>> {
        match self.inner().as_array() {
            Some(array) => Some(array.iter().map(|spanned| Self { spanned }).collect()),
            None => self.expected(faulty, "a list in square brackets"),
        }
    }

    /// A text or a list of texts.
    pub(super) fn texts(self, faulty: &mut Faulty<'_>) -> Option<Vec<Self>> {
        if self.as_str().is_some() {
            return Some(alloc::vec![self]);
        }
        match self.inner().as_array() {
            Some(_) => self.items(faulty),
            None => self.expected(faulty, "a text, or a list of texts"),
        }
    }

    /// One id of a clause or reading, or a list of them.
    pub(super) fn cites(self, faulty: &mut Faulty<'_>, index: &ClauseIndex) -> Vec<Basis> {
        let (mut cites, mut known) = (Vec::new(), BTreeSet::new());
        for item in self.texts(faulty).unwrap_or_default() {
            let Some(id) = item.text(faulty) else { continue };
            match index.find(id) {
                None if faulty.is_full() => faulty.at(item.span(), String::new()),
                Some(basis) if !known.insert(basis) => {
                    faulty.at(item.span(), format!("clause `{id}` is named twice"));
                }
                Some(basis) => cites.push(basis),
                None => {
                    let what = format!("there is no clause `{id}` in [clauses] and no such [[reading]]");
                    let known = index.clauses().iter().map(|clause| &clause.id);
                    let known = known.chain(index.readings().iter().map(|reading| &reading.id));
                    let meant = names::nearest(id, known.map(String::as_str));
                    faulty.at(
                        item.span(),
                        match meant {
                            Some(meant) => format!("{what}; did you mean `{meant}`?"),
                            None => format!("{what}; add it, or name one"),
                        },
                    );
                }
            }
        }
        cites
    }

    pub(super) fn table(self, faulty: &mut Faulty<'_>, what: &'static str) -> Option<Table<'t>> {
        match self.inner().as_table() {
            Some(entries) => Some(Table::new(entries, self.span(), what)),
            None => self.expected(faulty, &format!("a table: {what}")),
        }
    }

    /// A table; in a bet sheet also a text that stands for the table with only `key`.
    pub(super) fn table_or_text(
        self,
        faulty: &mut Faulty<'_>,
        what: &'static str,
        key: &'static str,
    ) -> Option<Table<'t>> {
        if faulty.is_sheet() && self.as_str().is_some() {
            let short = Some((key, self));
            return Some(Table { entries: None, short, span: self.span(), what, asked: Vec::new() });
        }
        self.table(faulty, what)
    }
}

/// A table whose keys are asked for one by one; what nobody asked for is a fault.
pub(super) struct Table<'t> {
    entries: Option<&'t DeTable<'t>>,
    /// The only entry of a table written as a mere text.
    short: Option<(&'static str, Value<'t>)>,
    span: Range<usize>,
    what: &'static str,
    asked: Vec<&'static str>,
}

impl<'t> Table<'t> {
    pub(super) fn new(entries: &'t DeTable<'t>, span: Range<usize>, what: &'static str) -> Self {
        Self { entries: Some(entries), short: None, span, what, asked: Vec::new() }
    }

    pub(super) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    pub(super) fn take(&mut self, key: &'static str) -> Option<Value<'t>> {
        self.asked.push(key);
        let short = self.short.filter(|(name, _)| *name == key).map(|(_, value)| value);
        let mut entries = self.entries.into_iter().flatten();
        let found = entries.find(|(name, _)| name.get_ref() == key).map(|(_, spanned)| Value { spanned });
        found.or(short)
    }

    pub(super) fn require(&mut self, faulty: &mut Faulty<'_>, key: &'static str) -> Option<Value<'t>> {
        let value = self.take(key);
        if value.is_none() {
            faulty.at(self.span(), format!("{} needs `{key}`", self.what));
        }
        value
    }

    /// What an entry rests on: its `clause`, at least one. A bet sheet may name clauses but has none to cite.
    pub(super) fn cites(&mut self, faulty: &mut Faulty<'_>, index: &ClauseIndex) -> Vec<Basis> {
        if faulty.is_sheet() {
            for item in self.take("clause").and_then(|value| value.texts(faulty)).unwrap_or_default() {
                item.text(faulty);
            }
            return Vec::new();
        }
        let value = self.require(faulty, "clause");
        self.cited(faulty, index, value)
    }

    /// What an entry rests on, where it names anything: the operator's own procedures rest on no clause.
    pub(super) fn cites_if_any(&mut self, faulty: &mut Faulty<'_>, index: &ClauseIndex) -> Vec<Basis> {
        let value = self.take("clause");
        self.cited(faulty, index, value)
    }

    fn cited(&self, faulty: &mut Faulty<'_>, index: &ClauseIndex, value: Option<Value<'_>>) -> Vec<Basis> {
        let Some(value) = value else { return Vec::new() };
        let cites = value.cites(faulty, index);
        if cites.is_empty() && value.texts(faulty).is_some_and(|texts| texts.is_empty()) {
            faulty.at(value.span(), format!("{} must rest on at least one clause", self.what));
        }
        cites
    }

    /// All entries in the order of the file.
    pub(super) fn entries(self) -> Vec<(&'t str, Range<usize>, Value<'t>)> {
        let mut entries: Vec<_> = self
            .entries
            .into_iter()
            .flatten()
            .map(|(name, spanned)| (name.get_ref().as_ref(), name.span(), Value { spanned }))
            .collect();
        entries.sort_by_key(|(_, span, _)| span.start);
        entries
    }

    /// The tables of `[[key]]`, in order.
    pub(super) fn tables(
        &mut self,
        faulty: &mut Faulty<'_>,
        key: &'static str,
        what: &'static str,
    ) -> Vec<Table<'t>> {
        let value = self.take(key);
        if let Some(value) = value.filter(|value| value.inner().is_table()) {
            faulty.at(value.span(), format!("{what} stands in double brackets: write [[{key}]]"));
            return Vec::new();
        }
        let items = value.and_then(|value| value.items(faulty)).unwrap_or_default();
        items.into_iter().filter_map(|item| item.table(faulty, what)).collect()
    }

    /// Whether there is a key that nobody has asked for yet, but for these, which will be.
    pub(super) fn has_unknown(&self, will_be: &[&str]) -> bool {
        let known = |name: &str| self.asked.contains(&name) || will_be.contains(&name);
        self.entries.into_iter().flatten().any(|(name, _)| !known(name.get_ref().as_ref()))
    }

    /// Faults for keys that nobody asked for.
    pub(super) fn finish(self, faulty: &mut Faulty<'_>) {
        for (name, _) in self.entries.into_iter().flatten() {
            if !self.asked.contains(&name.get_ref().as_ref()) {
                if faulty.is_full() {
                    faulty.at(name.span(), String::new());
                    continue;
                }
                let offered = offered(name.get_ref(), &self.asked);
                faulty.at(name.span(), format!("{} has no key `{}`; {offered}", self.what, name.get_ref()));
            }
        }
    }
}
