//! A situation as text: what the person who is asked sees, what happened, the questions, and the explanation.

use core::fmt::Write as _;

use croupier_rounds::amount::Decimals;
use croupier_rounds::telling;
use croupier_rules::Amount;
use croupier_rules::baccarat::Side;
use croupier_rules::clause::Basis;
use croupier_table::view::Face;
use croupier_table::view::felt::Felt;

use crate::question::{Answer, Choice, Form, Kind, Part};
use crate::situation::{Concerned, Outcome, Situation, Would};
use crate::walk::Step;
use crate::words::{Language, Phrase, name, names};

/// Amounts as people write them.
#[must_use]
pub fn money(amount: Amount) -> String {
    Decimals::USUAL.show_signed(amount)
}

fn stake(amount: Amount) -> String {
    Decimals::USUAL.show(amount)
}

fn face(face: Face, language: Language) -> String {
    face.card().map_or_else(|| format!("[{}]", language.say(Phrase::FaceDown)), |card| card.to_string())
}

impl Situation {
    /// Whose wager on what.
    #[must_use]
    pub fn wager(&self, language: Language, wager: &Concerned) -> String {
        let what = if wager.insurance {
            language.say(Phrase::InsuranceOn).to_string()
        } else {
            language.bet(self, wager.bet)
        };
        let area = match wager.area.filter(|_| self.rulebook.family.by_box()) {
            Some(area) => format!(" ({} {area})", language.say(Phrase::Box)),
            None => String::new(),
        };
        format!("{}{area}: {what} {}", name(wager.player), stake(wager.stake))
    }

    /// The steps in the words of a round file.
    #[must_use]
    pub fn told<'s>(&self, steps: impl Iterator<Item = &'s Step>) -> Vec<String> {
        let names = |player| name(player).to_string();
        steps.map(|step| telling::command(&step.before, &step.command, &names)).collect()
    }

    /// The layout, line by line.
    #[must_use]
    pub fn layout(&self, language: Language) -> Vec<String> {
        let views = self.views();
        let felt = views.dealer().felt;
        let say = |phrase| language.say(phrase);
        let mut lines = vec![format!(
            "{}: {}; {} {}; {} {}",
            say(Phrase::TheTable),
            language.phase(self.base().phase()),
            say(Phrase::Round),
            felt.round,
            felt.shoe.left,
            say(Phrase::Left)
        )];
        lines.extend(cards(felt, language));
        let mut laid = crate::situation::concerned(self.base());
        laid.sort_by_key(|wager| (wager.player, wager.insurance, wager.bet));
        if laid.is_empty() {
            lines.push(format!("{}: {}", say(Phrase::Wagers), say(Phrase::NoWagers)));
        } else {
            lines.push(format!("{}:", say(Phrase::Wagers)));
            lines.extend(laid.iter().map(|wager| format!("  {}", self.wager(language, wager))));
        }
        lines
    }

    /// Who is on duty, the lowest rank first.
    #[must_use]
    pub fn on_duty(&self, language: Language) -> String {
        let ranks: Vec<String> =
            self.world.staff.iter().map(|staff| language.rank(self, staff.rank.0)).collect();
        ranks.join(", ")
    }

    /// The ruling that the later questions are about, as it is given.
    #[must_use]
    pub fn ruling(&self, language: Language) -> Option<String> {
        let made = self.ruled.as_ref()?;
        Some(language.choice(self, Choice::Ruling(made.remedy, made.with_withdrawal)))
    }

    /// What stands above a question: the ruling before those that depend on it, and how the round went on before those
    /// about its end.
    #[must_use]
    pub fn before(&self, language: Language, at: usize) -> Vec<String> {
        let mut lines = Vec::new();
        let kind = |at: usize| self.parts.get(at).map(|part| part.kind);
        let first = |wanted: &dyn Fn(Kind) -> bool| {
            kind(at).is_some_and(wanted) && (0..at).all(|before| !kind(before).is_some_and(wanted))
        };
        let after_ruling = |kind: Kind| {
            matches!(kind, Kind::ByWhom | Kind::Clause | Kind::Players | Kind::Wagers | Kind::Next)
        };
        if first(&after_ruling)
            && let Some(ruling) = self.ruling(language)
        {
            lines.push(format!("{}: {ruling}", language.say(Phrase::RuledSo)));
        }
        if first(&|kind| matches!(kind, Kind::Wagers | Kind::Next)) {
            let told = self.told(self.follows());
            if !told.is_empty() {
                lines.push(format!("{}:", language.say(Phrase::Follows)));
                lines.extend(told.into_iter().map(|line| format!("  {line}")));
            }
        }
        lines
    }

    /// The situation as it is put.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        let say = |phrase| language.say(phrase);
        let mut text = String::new();
        let _ = writeln!(text, "{} ({})", self.rulebook.names.en, self.game.id);
        let _ = writeln!(text, "{}: {}", say(Phrase::YouAre), language.rank(self, self.asked.rank.0));
        let _ = writeln!(text, "{}: {}", say(Phrase::OnDuty), self.on_duty(language));
        for line in self.layout(language) {
            let _ = writeln!(text, "{line}");
        }
        let happened = self.told(self.happened().iter());
        if !happened.is_empty() {
            let _ = writeln!(text, "{}:", say(Phrase::Happened));
            for line in happened {
                let _ = writeln!(text, "  {line}");
            }
        }
        text
    }

    /// An answer in words.
    #[must_use]
    pub fn answer(&self, language: Language, part: &Part, answer: &Answer) -> String {
        let option = |at: &usize| match &part.form {
            Form::One { options, .. } | Form::All { options, .. } => {
                options.get(*at).map(|choice| language.choice(self, *choice)).unwrap_or_default()
            }
            Form::Amounts { .. } => String::new(),
        };
        match answer {
            Answer::One(at) => option(at),
            Answer::All(all) if all.is_empty() => language.say(Phrase::NoneOfThem).to_string(),
            Answer::All(all) => all.iter().map(option).collect::<Vec<_>>().join("; "),
            Answer::Amounts(amounts) => {
                let show = |minor: &i64| Amount::new(*minor).map(money).unwrap_or_default();
                amounts.iter().map(show).collect::<Vec<_>>().join("; ")
            }
        }
    }

    /// The right answer in words: every one that is accepted.
    #[must_use]
    pub fn right(&self, language: Language, part: &Part) -> String {
        match &part.form {
            Form::One { right, .. } => {
                let all: Vec<String> =
                    right.iter().map(|at| self.answer(language, part, &Answer::One(*at))).collect();
                all.join(" / ")
            }
            Form::All { .. } => self.answer(language, part, &part.key()),
            Form::Amounts { of, right } => {
                let own = |(at, amount): (&usize, &Amount)| {
                    let wager = self.wagers.get(*at).map(|wager| self.wager(language, wager));
                    format!("{} → {}", wager.unwrap_or_default(), money(*amount))
                };
                of.iter().zip(right).map(own).collect::<Vec<_>>().join("; ")
            }
        }
    }

    /// What happened to the end of the round, each with its clauses.
    #[must_use]
    pub fn reasons(&self) -> Vec<(String, Vec<String>)> {
        let names = names(self.world.players.len());
        let told = |event: &croupier_table::Event| {
            let said = telling::fact(&event.fact, &names)?;
            Some((said, event.cites.iter().map(|basis| self.rulebook.full_id(*basis)).collect()))
        };
        self.explanation().filter_map(told).collect()
    }

    /// The clauses that it drills, with what they say.
    #[must_use]
    pub fn clause_texts(&self) -> Vec<(String, String)> {
        let text =
            |basis: &Basis| (self.rulebook.full_id(*basis), self.rulebook.index.says(*basis).to_string());
        self.drilled().iter().map(text).collect()
    }

    /// What came of it, in one line: each wager, and the next hand.
    #[must_use]
    pub fn came(&self, language: Language, outcome: &Outcome) -> String {
        let wagers = self.wagers.iter().zip(&outcome.nets);
        let mut parts: Vec<String> = wagers
            .filter_map(|(wager, net)| {
                net.map(|net| format!("{} → {}", self.wager(language, wager), money(net)))
            })
            .collect();
        parts.push(language.next(outcome.next).to_string());
        parts.join("; ")
    }

    /// What the rulings would have led to that were chosen and are not the one in question.
    #[must_use]
    pub fn would_have(&self, language: Language, part: &Part, answer: &Answer) -> Vec<String> {
        let (Kind::Rulings, Form::All { options, .. }, Answer::All(chosen)) = (part.kind, &part.form, answer)
        else {
            return Vec::new();
        };
        let own = self.ruled.as_ref().map(|made| (made.remedy, made.with_withdrawal));
        let mut lines = Vec::new();
        for at in chosen {
            let Some(Choice::Ruling(remedy, withdrawal)) = options.get(*at).copied() else { continue };
            if own == Some((remedy, withdrawal)) {
                continue;
            }
            let ruling = language.choice(self, Choice::Ruling(remedy, withdrawal));
            lines.push(match self.would(remedy, withdrawal) {
                Would::Refused(why, cites) => {
                    let said = language.say(Phrase::WouldRefused).replace("{ruling}", &ruling);
                    let cites: Vec<String> =
                        cites.iter().map(|basis| self.rulebook.full_id(*basis)).collect();
                    let cites =
                        if cites.is_empty() { String::new() } else { format!("  [{}]", cites.join(" ")) };
                    format!("{said}: {why}{cites}")
                }
                Would::Led(outcome) => {
                    let said = language.say(Phrase::WouldLed).replace("{ruling}", &ruling);
                    format!("{said}: {}", self.came(language, &outcome))
                }
            });
        }
        lines
    }
}

/// The cards on the layout.
fn cards(felt: &Felt, language: Language) -> Vec<String> {
    let say = |phrase| language.say(phrase);
    let mut lines = Vec::new();
    for side in [Side::Player, Side::Banker] {
        let own: Vec<String> = felt
            .draws
            .iter()
            .filter(|card| card.side == side)
            .map(|card| {
                let lies =
                    card.misplaced.map(|on| format!(" ({} {})", say(Phrase::LiesOn), language.side(on)));
                format!("{}{}", face(card.face, language), lies.unwrap_or_default())
            })
            .collect();
        if !own.is_empty() {
            lines.push(format!("{}: {}", language.side(side), own.join(" ")));
        }
    }
    for hand in &felt.hands {
        let own: Vec<String> = hand.cards.iter().map(|card| face(*card, language)).collect();
        lines.push(format!("{}: {}", language.holder(hand.holder), own.join(" ")));
    }
    if !felt.together.is_empty() {
        let all: Vec<String> = felt.together.iter().map(|card| face(*card, language)).collect();
        lines.push(format!("{}: {}", say(Phrase::TogetherDrawn), all.join(" ")));
    }
    if !felt.surplus.is_empty() {
        let all: Vec<String> = felt.surplus.iter().map(|card| face(card.face, language)).collect();
        lines.push(format!("{}: {}", say(Phrase::Apart), all.join(" ")));
    }
    lines
}
