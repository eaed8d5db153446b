//! The cards of a table whose shoe is shuffled by software, and the Dealer of a table without one.
//!
//! Nobody outside says which card comes: commands come without cards, and the card that is due is put in here. The
//! order is known only to the sealed store and to the task of the table.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use croupier_cards::{Card, Commitment, Decks};
use croupier_journal::deed::CardSource;
use croupier_journal::shoe::{self, SecretShoe};
use croupier_journal::{Change, Keys};
use croupier_ledger::TableId;
use croupier_table::automatic::{Step, next_step};
use croupier_table::{Action, Phase, Report, Table};

use super::Refused;

/// The shoe in play.
#[derive(Debug)]
pub(super) struct InPlay {
    /// Which shoe of the table.
    pub(super) number: u32,
    /// Its order.
    pub(super) shoe: SecretShoe,
    /// The tree over its order, grown when the first proof is asked for.
    commitment: OnceLock<Option<Commitment>>,
}

impl InPlay {
    pub(super) fn new(number: u32, shoe: SecretShoe) -> Self {
        Self { number, shoe, commitment: OnceLock::new() }
    }

    /// The commitment to its order.
    pub(super) fn commitment(&self) -> Option<&Commitment> {
        self.commitment.get_or_init(|| self.shoe.commitment()).as_ref()
    }
}

/// A shoe that is ready to be loaded.
pub(super) struct Loads {
    /// The shoe.
    pub(super) in_play: InPlay,
    /// What keeps it, sealed.
    pub(super) sealed: Change,
    /// The root of the commitment to its order.
    root: [u8; 32],
}

/// A command with its cards, and the shoe that it brings.
pub(super) struct Prepared {
    pub(super) action: Action,
    pub(super) loads: Option<Loads>,
}

const FROM_THE_SHOE: &str =
    "the cards of this table come from its own shoe; leave them out and the next ones are dealt";

/// Puts the cards that are due into a command; `next_shoe` is asked for the one that it brings.
pub(super) fn prepare(
    source: CardSource,
    table: &Table,
    in_play: Option<&InPlay>,
    above: u16,
    next_shoe: impl FnOnce() -> Result<Loads, Refused>,
    action: Action,
) -> Result<Prepared, Refused> {
    let plain = |action| Ok(Prepared { action, loads: None });
    if source == CardSource::Feed {
        return plain(action);
    }
    let next = |count: usize| -> Vec<Card> {
        let Some(InPlay { shoe, .. }) = in_play else { return Vec::new() };
        let out = shoe.len().saturating_sub(usize::from(table.shoe.left));
        let places = (out..out + count).map_while(|drawn| shoe.place(above, drawn));
        places.filter_map(|place| shoe.card(place)).collect()
    };
    let from_outside = Err(Refused::Cards(FROM_THE_SHOE));
    match action {
        Action::LoadShoe { commitment: Some(_), .. } | Action::ReplaceShoe { commitment: Some(_) } => {
            from_outside
        }
        Action::LoadShoe { set, commitment: None } => {
            let loads = next_shoe()?;
            let action = Action::LoadShoe { set, commitment: Some(loads.root) };
            Ok(Prepared { action, loads: Some(loads) })
        }
        Action::ReplaceShoe { commitment: None } => {
            let loads = next_shoe()?;
            let action = Action::ReplaceShoe { commitment: Some(loads.root) };
            Ok(Prepared { action, loads: Some(loads) })
        }
        Action::OpenBets if table.deck_due() => Err(Refused::Cards(
            "load the next deck first: each round has a deck of its own, with its commitment",
        )),
        Action::CutCards { above: None } => {
            let cut = in_play.and_then(|in_play| in_play.shoe.cut_anywhere().ok());
            plain(Action::CutCards { above: cut })
        }
        Action::Draw { card: None, laid, exposed } => match next(1).first() {
            Some(card) => plain(Action::Draw { card: Some(*card), laid, exposed }),
            None => plain(Action::ShoeEmpty),
        },
        Action::DealPacket { to, cards } if cards.is_empty() => {
            plain(Action::DealPacket { to, cards: next(5) })
        }
        Action::HoldTwo(_) => match <[Card; 2]>::try_from(next(2)) {
            Ok(two) => plain(Action::HoldTwo(two)),
            Err(_) => plain(Action::ShoeEmpty),
        },
        Action::Draw { card: Some(_), .. }
        | Action::DealPacket { .. }
        | Action::DrawTogether { .. }
        | Action::Correct { .. }
        | Action::CorrectHand { .. }
        | Action::Report(Report::DrawnBy { .. } | Report::OpenedBy { .. }) => from_outside,
        Action::Burn { ref cards, .. } | Action::Reveal { told: ref cards, .. } if !cards.is_empty() => {
            from_outside
        }
        action => plain(action),
    }
}

/// A shoe of a table: shuffled, committed to and sealed.
pub(super) fn shuffled(keys: &Keys, table: TableId, number: u32, decks: u8) -> Result<Loads, Refused> {
    const FAILED: Refused = Refused::Cards("no shoe could be shuffled; the log says why");
    let fault = |error: &dyn core::fmt::Display| {
        tracing::error!(%table, %error, "no shoe could be shuffled");
        FAILED
    };
    let decks = Decks::new(decks).map_err(|error| fault(&error))?;
    let shoe = SecretShoe::shuffled(decks).map_err(|error| fault(&error))?;
    let name = shoe::name(table, number);
    let value = shoe.seal(keys, &name).map_err(|error| fault(&error))?;
    let root = *shoe.commitment().ok_or(FAILED)?.root().as_bytes();
    let sealed = Change::Put { register: shoe::REGISTER, key: name, value };
    Ok(Loads { in_play: InPlay::new(number, shoe), sealed, root })
}

/// Whether a command that was carried out is what is asked again.
pub(super) fn is_same(source: CardSource, done: &Action, asked: &Action) -> bool {
    match (done, asked) {
        // What becomes of these when the shoe has no card more.
        (Action::ShoeEmpty, Action::Draw { card: None, .. } | Action::HoldTwo(_))
        // The two cards are those of the shoe, whatever was sent.
        | (Action::HoldTwo(_), Action::HoldTwo(_)) if source == CardSource::Software => true,
        (done, asked) => as_asked(source, done) == as_asked(source, asked),
    }
}

/// A command as it was asked, without the cards that were put in.
fn as_asked(source: CardSource, action: &Action) -> Action {
    if source == CardSource::Feed {
        return action.clone();
    }
    match action {
        Action::LoadShoe { set, .. } => Action::LoadShoe { set: *set, commitment: None },
        Action::ReplaceShoe { .. } => Action::ReplaceShoe { commitment: None },
        Action::CutCards { .. } => Action::CutCards { above: None },
        Action::Draw { laid, exposed, .. } => Action::Draw { card: None, laid: *laid, exposed: *exposed },
        Action::DealPacket { to, .. } => Action::DealPacket { to: *to, cards: Vec::new() },
        other => other.clone(),
    }
}

/// How fast a table deals by itself.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Pace {
    /// Milliseconds between two cards or calls.
    pub step_milliseconds: u64,
    /// Milliseconds that a result stays before betting opens again.
    pub result_milliseconds: u64,
    /// How long the windows for betting, insurance and options last, in hundredths of what the table is set to: less
    /// than 100 for drills and tests.
    pub windows_percent: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Self { step_milliseconds: 700, result_milliseconds: 4_000, windows_percent: 100 }
    }
}

/// The Dealer of a table without one: what to do now, or when to look again.
#[derive(Debug)]
pub(super) struct Dealer {
    pace: Pace,
    /// Not before.
    next: Instant,
    /// A clock that runs for the players: for what, and until when.
    running: Option<(Window, Instant, u64)>,
    /// The line after which a step was refused: nothing is tried again before something changes.
    stalled: Option<u64>,
}

/// What a clock runs for: the round, its phase, and what happens then. The hands of Niu Niu are arranged side by side,
/// so that their clock is one.
type Window = (u64, Phase, Option<Action>);

/// What the Dealer wants.
pub(super) enum Wants {
    /// This command, now.
    Give(Action),
    /// To look again then.
    Look(Instant),
    /// Nothing, until something changes.
    Nothing,
}

impl Dealer {
    pub(super) fn new(pace: Pace) -> Self {
        Self { pace, next: Instant::now(), running: None, stalled: None }
    }

    /// When the clock that runs for the players runs out, in milliseconds since 1970.
    pub(super) fn deadline(&self) -> Option<u64> {
        self.running.as_ref().map(|(_, _, at)| *at)
    }

    pub(super) fn wants(&mut self, table: &Table, sequence: u64) -> Wants {
        // An empty table does not play by itself.
        if table.players.is_empty()
            && matches!(table.phase(), Phase::Ready | Phase::ShoeEnd | Phase::ShoeLoaded)
        {
            self.running = None;
            return Wants::Nothing;
        }
        if self.stalled == Some(sequence) {
            return Wants::Nothing;
        }
        let step = next_step(table);
        if !matches!(step, Step::Wait { .. }) {
            self.running = None;
        }
        let now = Instant::now();
        let action = match step {
            Step::Stand => return Wants::Nothing,
            Step::Wait { seconds, then } => return self.wait(table, seconds, then, now),
            Step::Do(action) => action,
            Step::Draw if cut_card_is_due(table) => Action::CutCardOut,
            Step::Draw => Action::Draw { card: None, laid: None, exposed: false },
            Step::Deal(to) => Action::DealPacket { to, cards: Vec::new() },
        };
        if now < self.next { Wants::Look(self.next) } else { Wants::Give(action) }
    }

    fn wait(&mut self, table: &Table, seconds: u32, then: Action, now: Instant) -> Wants {
        let one_by_one = (table.phase() != Phase::Arranging).then(|| then.clone());
        let key = (table.round.number, table.phase(), one_by_one);
        let until = match &self.running {
            Some((running, until, _)) if *running == key => *until,
            Some(_) | None => {
                let milliseconds = u64::from(seconds) * 10 * u64::from(self.pace.windows_percent);
                let until = now + Duration::from_millis(milliseconds);
                self.running = Some((key, until, crate::clock::now() + milliseconds));
                until
            }
        };
        if now < until { Wants::Look(until) } else { Wants::Give(then) }
    }

    /// A step was carried out.
    pub(super) fn done(&mut self, table: &Table) {
        let shows_result = matches!(
            table.phase(),
            Phase::Ready | Phase::FreeHand | Phase::ShoeEnd | Phase::ShoeDecision | Phase::ShoeOption
        ) && table.round.closed.is_some();
        let pause = if shows_result { self.pace.result_milliseconds } else { self.pace.step_milliseconds };
        self.next = Instant::now() + Duration::from_millis(pause);
        if table.phase() != Phase::Arranging {
            self.running = None;
        }
    }

    /// Nothing could happen for so long: whatever time was left is left now.
    pub(super) fn put_off(&mut self, by: Duration) {
        self.next += by;
        if let Some((_, until, at)) = &mut self.running {
            *until += by;
            *at += u64::try_from(by.as_millis()).unwrap_or(0);
        }
    }

    /// A step was refused: somebody has to do something first.
    pub(super) fn stall(&mut self, sequence: u64) {
        self.stalled = Some(sequence);
        self.running = None;
    }
}

fn cut_card_is_due(table: &Table) -> bool {
    table.setup.cut_card.is_some_and(|behind| table.shoe.left <= behind) && table.shoe.rounds_left.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An automatic table of Niu Niu with two boxes dealt and counted, both to be arranged by their players.
    fn arranging() -> Table {
        use croupier_rules::setting::Setting;
        use croupier_rules::{Amount, Library};
        use croupier_table::command::Holder;
        use croupier_table::{Actor, Chosen, Command, Opening, Place, PlayerId, Setup, Value, apply, decide};

        let money = |minor| Value::Money(Amount::new(minor).unwrap());
        let settings = [
            (Setting::Chip, money(100)),
            (Setting::Minimum, money(100)),
            (Setting::Maximum, money(10_000)),
            (Setting::Layout, Value::Word("A".to_string())),
        ];
        let chosen = |(setting, value)| Chosen { setting, bet: None, odds: None, value };
        let opening = Opening {
            game: "hoiana-niu-niu".to_string(),
            settings: settings.into_iter().map(chosen).collect(),
            ..Opening::default()
        };
        let library = Library::standard();
        let (rulebook, _) = library.find("hoiana-niu-niu").unwrap();
        let setup = Setup::new(rulebook, &opening).unwrap();
        let mut table = Table::new(croupier_ledger::TableId(1), std::sync::Arc::new(setup));
        table.float = Amount::new(1_000_000).unwrap();
        let mut give = |actor, action| {
            let events = decide(&table, &Command { actor, at: 0, action }).unwrap();
            events.iter().for_each(|event| apply(&mut table, event));
        };
        give(Actor::System, Action::LoadShoe { set: None, commitment: None });
        give(Actor::System, Action::RecordShuffle);
        give(Actor::System, Action::OpenBets);
        let amount = Amount::new(100).unwrap();
        for (player, seat) in [(PlayerId(1), 1), (PlayerId(2), 2)] {
            give(Actor::Player(player), Action::Sit { player, seat });
            give(Actor::Player(player), Action::BuyIn { player, amount, cash: false });
            let even =
                Place { player, bet: 0, amount, area: None, reserve: None, in_chips: true, untimed: false };
            give(Actor::Player(player), Action::Place(even));
        }
        give(Actor::System, Action::CloseBets);
        for (to, cards) in [
            (Holder::Box(1), "KS 4H 6C 2D 7S"),
            (Holder::Box(2), "AS 9D KC 3D 4S"),
            (Holder::Dealer, "2S 3H 5C KD 8S"),
        ] {
            let cards = croupier_cards::parse_cards(cards).unwrap();
            give(Actor::Device, Action::DealPacket { to, cards });
        }
        give(Actor::System, Action::CheckCount);
        table
    }

    /// NN 4.9: the players arrange side by side. When their time is over, all that is not set is set without a second wait.
    #[test]
    fn the_clock_of_all_boxes_is_one() {
        let mut table = arranging();
        let mut dealer = Dealer::new(Pace { windows_percent: 1, ..Pace::default() });
        let Wants::Look(until) = dealer.wants(&table, 1) else { panic!("no time to arrange") };
        assert!(until > Instant::now());
        std::thread::sleep(until - Instant::now());
        for sequence in 2..=3 {
            let Wants::Give(action) = dealer.wants(&table, sequence) else { panic!("a second wait") };
            assert!(matches!(action, Action::SetHand { .. }), "{action:?}");
            let command = croupier_table::Command { actor: croupier_table::Actor::System, at: 0, action };
            let events = croupier_table::decide(&table, &command).unwrap();
            events.iter().for_each(|event| croupier_table::apply(&mut table, event));
            dealer.done(&table);
        }
        assert_eq!(table.phase(), Phase::Verify);
        assert_eq!(dealer.deadline(), None);
    }

    #[test]
    fn a_retry_is_known_whatever_cards_were_put_in() {
        let card =
            |text: &str| croupier_cards::parse_cards(text).ok().and_then(|cards| cards.first().copied());
        let draw = |card| Action::Draw { card, laid: None, exposed: false };
        let two = |one: &str, other: &str| card(one).zip(card(other)).map(|(one, other)| [one, other]);
        let hold = |one: &str, other: &str| two(one, other).map_or(Action::ShoeEmpty, Action::HoldTwo);
        assert_ne!(hold("4S", "9D"), Action::ShoeEmpty);
        for (done, asked) in [
            (draw(card("4S")), draw(None)),
            (Action::ShoeEmpty, draw(None)),
            (hold("4S", "9D"), hold("AS", "AS")),
            (Action::ShoeEmpty, hold("AS", "AS")),
            (Action::ShoeEmpty, Action::ShoeEmpty),
        ] {
            assert!(is_same(CardSource::Software, &done, &asked), "{done:?} {asked:?}");
            let same = done == asked;
            assert_eq!(is_same(CardSource::Feed, &done, &asked), same, "{done:?} {asked:?}");
        }
        for (done, asked) in [
            (draw(card("4S")), hold("AS", "AS")),
            (hold("AS", "AS"), draw(None)),
            (draw(None), Action::ShoeEmpty),
            (Action::ShoeEmpty, Action::CloseBets),
        ] {
            assert!(!is_same(CardSource::Software, &done, &asked), "{done:?} {asked:?}");
        }
    }
}
