//! Carrying an order out.

use super::order::{CountOf, TrayCommand, TrayOrder};
use super::{Chips, Count, CountEnd, Explained, Paper, Seal, Signed, Slip, SlipEnd, Tray};
use crate::actor::{Actor, PersonId};
use crate::certain::certain;

/// Carries out an order that [`decide`](super::decide) has let through; the paper as it is then. One that is finished is
/// no longer in the tray.
pub fn apply(tray: &mut Tray, command: &TrayCommand) -> Paper {
    let by = Signed { person: person(command.by), at: command.at };
    let number = match &command.order {
        TrayOrder::AskSlip { .. } | TrayOrder::BeginCount { .. } => {
            tray.last += 1;
            tray.open.insert(tray.last, begun(tray.last, by, &command.order));
            tray.last
        }
        TrayOrder::ApproveSlip { number }
        | TrayOrder::DeliverSlip { number, .. }
        | TrayOrder::DropSlip { number, .. }
        | TrayOrder::SealCount { number, .. }
        | TrayOrder::ExplainCount { number, .. }
        | TrayOrder::SignCount { number, .. }
        | TrayOrder::DropCount { number, .. } => {
            let paper = certain(tray.open.get_mut(number), "an order is about a paper that is not open");
            go_on(paper, by, &command.order);
            *number
        }
    };
    let paper = certain(tray.open.get(&number), "a paper has gone").clone();
    if paper.is_finished() {
        tray.open.remove(&number);
        if let Paper::Count(Count {
            of: CountOf::Float | CountOf::Closing,
            ended: Some(CountEnd::Signed { .. }),
            ..
        }) = &paper
            && let Paper::Count(count) = &paper
        {
            tray.difference = count.difference().unwrap_or(0);
        }
    }
    paper
}

/// A paper that begins with an order.
fn begun(number: u32, by: Signed, order: &TrayOrder) -> Paper {
    match order {
        TrayOrder::AskSlip { kind, chips } => Paper::Slip(Slip {
            number,
            kind: *kind,
            chips: chips.clone(),
            asked: by,
            approved: None,
            ended: None,
        }),
        TrayOrder::BeginCount { of, books, chips } => Paper::Count(Count {
            number,
            of: *of,
            books: *books,
            seals: vec![Seal { by, chips: chips.clone() }],
            agreed: Chips::default(),
            again: Vec::new(),
            explained: None,
            ended: None,
        }),
        TrayOrder::ApproveSlip { .. }
        | TrayOrder::DeliverSlip { .. }
        | TrayOrder::DropSlip { .. }
        | TrayOrder::SealCount { .. }
        | TrayOrder::ExplainCount { .. }
        | TrayOrder::SignCount { .. }
        | TrayOrder::DropCount { .. } => certain(None, "a paper begins in the middle"),
    }
}

fn go_on(paper: &mut Paper, by: Signed, order: &TrayOrder) {
    match (paper, order) {
        (Paper::Slip(slip), TrayOrder::ApproveSlip { .. }) => slip.approved = Some(by),
        (Paper::Slip(slip), TrayOrder::DeliverSlip { witness, line, .. }) => {
            slip.ended = Some(SlipEnd::Delivered { by, witness: *witness, line: *line });
        }
        (Paper::Slip(slip), TrayOrder::DropSlip { why, .. }) => {
            slip.ended = Some(SlipEnd::Dropped { by, why: why.clone() });
        }
        (Paper::Count(count), TrayOrder::SealCount { chips, .. }) => count.seal(by, chips),
        (Paper::Count(count), TrayOrder::ExplainCount { words, .. }) => {
            count.explained = Some(Explained { by, words: words.clone() });
        }
        (Paper::Count(count), TrayOrder::SignCount { line, .. }) => {
            count.ended = Some(CountEnd::Signed { by, line: *line });
        }
        (Paper::Count(count), TrayOrder::DropCount { why, .. }) => {
            count.ended = Some(CountEnd::Dropped { by, why: why.clone() });
        }
        (Paper::Slip(_) | Paper::Count(_), _) => certain(None, "an order is about another kind of paper"),
    }
}

impl Count {
    fn seal(&mut self, by: Signed, chips: &Chips) {
        let is_second = self.awaits_second();
        self.seals.push(Seal { by, chips: chips.clone() });
        let [.., first, second] = self.seals.as_slice() else { return };
        if !is_second {
            return;
        }
        let differing = first.chips.differing(&second.chips);
        // What both have alike stands; of the rest neither is known to be right.
        let alike: Vec<_> =
            second.chips.kinds().iter().filter(|(value, _)| !differing.contains(value)).copied().collect();
        let alike = certain(Chips::new(alike).ok(), "a part of a count is none");
        let kept = self.agreed.replaced(&self.again, &alike);
        self.agreed = certain(Chips::new(kept).ok(), "two counts together are none");
        self.again = differing;
    }
}

fn person(by: Actor) -> PersonId {
    match by {
        Actor::Staff(staff) => staff.person,
        Actor::Player(_) | Actor::Device | Actor::System | Actor::Surveillance | Actor::Display => {
            certain(None, "an order of nobody of the staff was let through")
        }
    }
}
