//! A second ledger, written to be obvious: accounts are text in one map of sums, every batch is tried on a
//! full copy, and money that is pending really moves out and back. It shares the entry types with the real
//! one and nothing else.

use std::collections::BTreeMap;

use croupier_ledger::{Account, CaseId, Entry, Kind, Note, Noted, Occasion, RoundId, Transfer, WagerId};

/// Money by place, and what was said under each id.
#[derive(Clone, Default, Debug)]
pub(crate) struct Model {
    /// What can be spent, by account text; what is set aside, by `aside:ID`.
    pub(crate) money: BTreeMap<String, i128>,
    /// What was noted or went through a float, by memo text.
    pub(crate) counted: BTreeMap<String, i128>,
    said: BTreeMap<u64, (Entry, Fate)>,
    /// The latest closed round by table.
    closed: BTreeMap<u32, u64>,
    forgotten: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Fate {
    Done,
    Waiting,
    Posted(i128),
    Voided,
}

/// `kind | from | to`, with the parts that must agree named by the same letter.
const ROUTES: &[&str] = &[
    "deposit | cage | player:P:wallet",
    "withdrawal | player:P:wallet | cage",
    "buy-in | player:P:wallet | chips:T:P",
    "cash-out | chips:T:P | player:P:wallet",
    "cash-out | chips:T:P | cage",
    "cash-drop | cage | table:T:drop",
    "chips-sold | table:T:float | chips:T:P",
    "drop-count | table:T:drop | cage",
    "fill | cage | table:T:float",
    "credit | table:T:float | cage",
    "wager | chips:T:P | bet:T:P:R:W",
    "reserve | chips:T:P | reserve:T:P:R:W",
    "winnings:R:W | table:T:float | chips:T:P",
    "commission | chips:T:P | table:T:float",
    "tip | chips:T:P | table:T:tips",
    "tip-payout | table:T:tips | cage",
    "hold:C | chips:T:P | hold:C",
    "hold:C | player:P:wallet | hold:C",
    "hold:C | table:T:float | hold:C",
    "release:C | hold:C | chips:T:P",
    "release:C | hold:C | player:P:wallet",
    "release:C | hold:C | table:T:float",
];

/// Either side of a correction; `T` and `P` of the two sides need not agree.
const CORRECTABLE: &[&str] =
    &["cage", "player:P:wallet", "chips:T:P", "table:T:float", "table:T:tips", "hold:C"];

impl Model {
    /// Applies all or nothing; the error is the entry's place and the rule's code.
    pub(crate) fn apply(&mut self, batch: &[Entry]) -> Result<(), (usize, &'static str)> {
        let mut copy = self.clone();
        for (place, entry) in batch.iter().enumerate() {
            copy.enter(entry).map_err(|code| (place, code))?;
        }
        *self = copy;
        Ok(())
    }

    /// Whether the round could be closed.
    pub(crate) fn close(&mut self, table: u32, round: u64) -> bool {
        let inside = |entry: &Entry| round_of(entry).is_some_and(|(at, of)| at == table && of <= round);
        if self.said.values().any(|(entry, fate)| inside(entry) && *fate == Fate::Waiting) {
            return false;
        }
        self.said.retain(|_, (entry, _)| !inside(entry));
        let through = self.closed.entry(table).or_default();
        *through = round.max(*through);
        true
    }

    pub(crate) fn forget(&mut self, through: u64) {
        self.said
            .retain(|id, (entry, fate)| *id > through || round_of(entry).is_some() || *fate == Fate::Waiting);
        self.forgotten = Some(self.forgotten.map_or(through, |before| before.max(through)));
    }

    pub(crate) fn spendable(&self, account: &str) -> i128 {
        self.money.get(account).copied().unwrap_or(0)
    }

    /// What waits to go to `account`.
    pub(crate) fn waiting_for(&self, account: &str) -> i128 {
        let waiting = self.said.values().filter(|(_, fate)| *fate == Fate::Waiting);
        waiting
            .filter_map(|(entry, _)| transfer_of(entry))
            .filter(|transfer| transfer.to.to_string() == account)
            .map(|transfer| i128::from(transfer.amount.minor()))
            .sum()
    }

    fn enter(&mut self, entry: &Entry) -> Result<(), &'static str> {
        match entry {
            Entry::Direct(transfer) => self.open(entry, transfer, false),
            Entry::Pending(transfer) => self.open(entry, transfer, true),
            Entry::Post { pending, amount } => self.end(pending.0, Some(amount.minor().into())),
            Entry::Void { pending } => self.end(pending.0, None),
            Entry::Note(note) => self.note(entry, note),
        }
    }

    fn open(&mut self, entry: &Entry, transfer: &Transfer, waits: bool) -> Result<(), &'static str> {
        let id = transfer.id.0;
        if self.known(id, entry)? {
            return Ok(());
        }
        let (from, to, kind) =
            (transfer.from.to_string(), transfer.to.to_string(), transfer.kind.to_string());
        let amount = i128::from(transfer.amount.minor());
        if amount == 0 {
            return Err("zero-amount");
        }
        if from == to {
            return Err("same-account");
        }
        if !allowed(&kind, &from, &to) {
            return Err("not-between");
        }
        let name = kind.split(':').next();
        if matches!(name, Some("wager" | "reserve")) && !waits || name == Some("winnings") && waits {
            return Err("wrong-phase");
        }
        self.open_round(entry)?;
        let same_wager = |other: &Entry| {
            transfer_of(other).is_some_and(|other| other.to == transfer.to && other.kind == transfer.kind)
        };
        if name == Some("winnings") && self.said.values().any(|(other, _)| same_wager(other)) {
            return Err("paid-twice");
        }
        let left = self.spendable(&from) - amount;
        if from == "cage" && left < -9_007_199_254_740_991 {
            return Err("too-large");
        }
        if from != "cage" && left < 0 {
            return Err("would-go-negative");
        }
        if waits {
            self.pay(&from, &format!("aside:{id}"), amount);
        } else {
            self.pay(&from, &to, amount);
            self.count_float(&kind, &from, &to, amount);
        }
        self.said.insert(id, (*entry, if waits { Fate::Waiting } else { Fate::Done }));
        Ok(())
    }

    /// Posts an amount, or voids.
    fn end(&mut self, id: u64, posted: Option<i128>) -> Result<(), &'static str> {
        let Some((entry, fate)) = self.said.get(&id).copied() else {
            return Err(if self.is_forgotten(id) { "id-forgotten" } else { "unknown-pending" });
        };
        match fate {
            Fate::Done => return Err("not-pending"),
            Fate::Posted(before) if Some(before) == posted => return Ok(()),
            Fate::Posted(_) => return Err("already-posted"),
            Fate::Voided if posted.is_none() => return Ok(()),
            Fate::Voided => return Err("already-voided"),
            Fate::Waiting => {}
        }
        let transfer = transfer_of(&entry).unwrap();
        let (from, to) = (transfer.from.to_string(), transfer.to.to_string());
        let (aside, stake) = (format!("aside:{id}"), i128::from(transfer.amount.minor()));
        let amount = posted.unwrap_or(0);
        if posted == Some(0) {
            return Err("zero-amount");
        }
        if amount > stake {
            return Err("exceeds-pending");
        }
        let parts: Vec<&str> = to.split(':').collect();
        let lands = match parts[..] {
            ["bet" | "reserve", table, ..] => format!("table:{table}:float"),
            _ => to.clone(),
        };
        self.pay(&aside, &from, stake - amount);
        self.pay(&aside, &lands, amount);
        self.count_float(&transfer.kind.to_string(), &from, &lands, amount);
        self.said.insert(id, (entry, posted.map_or(Fate::Voided, Fate::Posted)));
        Ok(())
    }

    fn note(&mut self, entry: &Entry, note: &Note) -> Result<(), &'static str> {
        if self.known(note.id.0, entry)? {
            return Ok(());
        }
        if note.amount.minor() == 0 {
            return Err("zero-amount");
        }
        self.open_round(entry)?;
        let (memo, sign) = match note.what {
            Noted::CommissionKept => ("commission", 1),
            Noted::CommissionReturned => ("commission", -1),
            Noted::RoundedDown => ("rounding", 1),
            Noted::RoundedUp => ("rounding", -1),
        };
        let memo = format!("table:{}:{memo}", note.table.0);
        *self.counted.entry(memo).or_default() += sign * i128::from(note.amount.minor());
        self.said.insert(note.id.0, (*entry, Fate::Done));
        Ok(())
    }

    fn known(&self, id: u64, entry: &Entry) -> Result<bool, &'static str> {
        match self.said.get(&id) {
            Some((before, _)) if before == entry => Ok(true),
            Some(_) => Err("duplicate-id"),
            None if self.is_forgotten(id) => Err("id-forgotten"),
            None => Ok(false),
        }
    }

    fn is_forgotten(&self, id: u64) -> bool {
        self.forgotten.is_some_and(|through| id <= through)
    }

    fn open_round(&self, entry: &Entry) -> Result<(), &'static str> {
        match round_of(entry) {
            Some((table, round)) if self.closed.get(&table).is_some_and(|through| round <= *through) => {
                Err("round-closed")
            }
            _ => Ok(()),
        }
    }

    fn pay(&mut self, from: &str, to: &str, amount: i128) {
        *self.money.entry(from.into()).or_default() -= amount;
        *self.money.entry(to.into()).or_default() += amount;
    }

    fn count_float(&mut self, kind: &str, from: &str, to: &str, amount: i128) {
        let memo = if ["fill", "credit", "chips-sold"].contains(&kind) { "supply" } else { "win" };
        for (account, signed) in [(from, -amount), (to, amount)] {
            if let Some(table) = account.strip_suffix("float") {
                *self.counted.entry(format!("{table}{memo}")).or_default() += signed;
                if kind == "commission" {
                    *self.counted.entry(format!("{table}commission")).or_default() += signed;
                }
            }
        }
    }
}

fn transfer_of(entry: &Entry) -> Option<Transfer> {
    match entry {
        Entry::Direct(transfer) | Entry::Pending(transfer) => Some(*transfer),
        Entry::Post { .. } | Entry::Void { .. } | Entry::Note(_) => None,
    }
}

/// Table and round, read from the text of the account or the kind.
fn round_of(entry: &Entry) -> Option<(u32, u64)> {
    let number = |text: &str| text.parse::<u64>().unwrap();
    let table = |text: &str| text.parse::<u32>().unwrap();
    match entry {
        Entry::Note(Note { table, occasion: Occasion::Round(round), .. }) => Some((table.0, round.0)),
        Entry::Note(_) | Entry::Post { .. } | Entry::Void { .. } => None,
        Entry::Direct(transfer) | Entry::Pending(transfer) => {
            let text = format!("{}:{}", transfer.kind, transfer.to);
            let parts: Vec<&str> = text.split(':').collect();
            match parts[..] {
                ["wager", "bet", at, _, round, _] | ["reserve", "reserve", at, _, round, _] => {
                    Some((table(at), number(round)))
                }
                ["winnings", round, _, "chips", at, _] => Some((table(at), number(round))),
                _ => None,
            }
        }
    }
}

fn allowed(kind: &str, from: &str, to: &str) -> bool {
    if let Some(case) = kind.strip_prefix("correction:") {
        return [from, to].iter().all(|side| {
            CORRECTABLE.iter().any(|form| fits(&format!("{form}:{form}"), &format!("{side}:{side}")))
                && side.strip_prefix("hold:").is_none_or(|of| of == case)
        });
    }
    ROUTES.iter().any(|route| {
        let parts: Vec<&str> = route.split(" | ").collect();
        fits(&parts.join(":"), &[kind, from, to].join(":"))
    })
}

/// Whether a text has a form in which equal capital letters stand for equal numbers.
fn fits(form: &str, text: &str) -> bool {
    let (form, text): (Vec<&str>, Vec<&str>) = (form.split(':').collect(), text.split(':').collect());
    let mut letters = BTreeMap::new();
    form.len() == text.len()
        && form.iter().zip(&text).all(|(form, part)| match form.as_bytes() {
            [letter @ b'A'..=b'Z'] => {
                part.parse::<u64>().is_ok() && *letters.entry(*letter).or_insert(*part) == *part
            }
            _ => form == part,
        })
}

/// Every kind between any two accounts of two tables, players, rounds, wagers and cases.
#[test]
fn every_route_is_the_models() {
    let mut texts = vec!["cage".to_owned()];
    for one in 1..3 {
        texts.push(format!("player:{one}:wallet"));
        texts.push(format!("hold:{one}"));
        texts.extend(["float", "drop", "tips"].map(|what| format!("table:{one}:{what}")));
        for two in 1..3 {
            texts.push(format!("chips:{one}:{two}"));
            texts.push(format!("bet:{one}:{two}:1:2"));
            texts.push(format!("reserve:{one}:{two}:2:1"));
        }
    }
    let (round, wager, case) = (RoundId(1), WagerId(2), CaseId(1));
    let kinds = [
        Kind::Deposit,
        Kind::Withdrawal,
        Kind::BuyIn,
        Kind::CashOut,
        Kind::CashDrop,
        Kind::ChipsSold,
        Kind::DropCount,
        Kind::Fill,
        Kind::Credit,
        Kind::Wager,
        Kind::Reserve,
        Kind::Winnings { round, wager },
        Kind::Commission,
        Kind::Tip,
        Kind::TipPayout,
        Kind::Hold { case },
        Kind::Release { case },
        Kind::Correction { case },
    ];
    for kind in kinds {
        for from in &texts {
            for to in &texts {
                let ends = [from, to].map(|text| text.parse::<Account>().unwrap());
                assert_eq!(
                    kind.goes(ends[0], ends[1]),
                    allowed(&kind.to_string(), from, to),
                    "{kind}: {from} > {to}"
                );
            }
        }
    }
}
