//! The table of a file, and everybody at it.

use std::collections::BTreeSet;
use std::sync::Arc;

use croupier_cards::{Card, Composition, Decks};
use croupier_ledger::TableId;
use croupier_rules::baccarat::{Side, Winner};
use croupier_rules::clause::Basis;
use croupier_rules::entry::find_bet;
use croupier_rules::names::{hint, nearest};
use croupier_rules::{Amount, Game, Library, Rule, Rulebook};
use croupier_table::case::Case;
use croupier_table::event::Mark;
use croupier_table::{
    Action as Deed, Actor, Command, PersonId, Phase, PlayerId, Setup, Staff, Table, Why, apply, decide,
};

use super::hold::Cause;
use super::opening::{Refusal, Settings};
use super::ranks::{self, member, ranked};
use super::{Standing, Step, once};
use crate::amount::Decimals;
use crate::case_deed;
use crate::deed::{self, Names, NoDeed};
use crate::earlier;
use crate::event::{Event, Fact, Refused};
use crate::file::{Action, Holder, Place, RoundFile, Statement};
use crate::tell;

/// What becomes of a line: nothing to say, or a refusal with what it rests on.
pub(super) type Done = Result<(), (Refused, Vec<Basis>)>;

/// A wager, by player, bet and box, and a line that made it.
type WagerLine = ((PlayerId, usize, Option<u8>), usize);

/// Runs the lines of a file at a table.
pub(super) struct Runner<'l> {
    pub(super) rulebook: &'l Arc<Rulebook>,
    pub(super) game: &'l Game,
    /// Ranks that only other rulebooks have, with their titles.
    other_ranks: Vec<(String, String)>,
    settings: Settings<'l>,
    decimals: Decimals,
    pub(super) names: Vec<String>,
    places: Vec<(String, Place)>,
    pub(super) table: Option<Table>,
    shoe_by_hand: bool,
    /// Nobody is on duty and there are no chips but for what the file says.
    table_by_hand: bool,
    pub(super) by_hand: bool,
    /// A round has begun, so that nothing can be told of earlier.
    pub(super) begun: bool,
    /// Players whose chips the file itself tells.
    counted: BTreeSet<String>,
    /// The file itself tells the float.
    float_told: bool,
    /// Which lines made which wager, insurance and hand of the round.
    pub(super) wager_lines: Vec<WagerLine>,
    pub(super) insurance_lines: Vec<usize>,
    /// Who was said to have gone off duty.
    off_duty: Vec<PersonId>,
    pub(super) hand_lines: Vec<(Holder, usize)>,
    /// Hands that were told before their turn, with their lines.
    pub(super) waiting: Vec<(Holder, Vec<Card>, usize)>,
    pub(super) case: Option<Case>,
    pub(super) steps: Vec<Step>,
    pub(super) earlier: Vec<croupier_table::Event>,
    /// What put play on hold.
    pub(super) cause: Option<Cause>,
    /// Which lines expect to be refused.
    expects_refusal: Vec<bool>,
    /// Lines before the first round that turned out not to fit when the table was to open.
    pub(super) misfits: Vec<(usize, Refusal)>,
    pub(super) clock: u64,
}

/// Where events go while a line is carried out.
pub(super) struct Log<'r> {
    pub(super) at: usize,
    pub(super) events: &'r mut [Vec<Event>],
}

impl Log<'_> {
    pub(super) fn note(&mut self, at: usize, fact: Fact, cites: Vec<Basis>) {
        if let Some(events) = self.events.get_mut(at) {
            events.push(Event { fact, cites: once(cites), line: self.at + 1 });
        }
    }
}

impl<'l> Runner<'l> {
    pub(super) fn new(
        library: &Library,
        rulebook: &'l Arc<Rulebook>,
        game: &'l Game,
        file: &RoundFile,
    ) -> Self {
        let mut counted = BTreeSet::new();
        let mut float_told = false;
        for statement in &file.statements {
            if let Some(Action::Deed { who, words }) = &statement.action {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                match words.as_slice() {
                    ["buys", "in", _, "for", name] => drop(counted.insert((*name).to_string())),
                    ["buys", "in", ..] => drop(counted.insert(who.clone())),
                    ["sells", _, "to", name] => drop(counted.insert((*name).to_string())),
                    ["fills" | "credits", ..] => float_told = true,
                    _ => {}
                }
            }
        }
        Self {
            rulebook,
            game,
            other_ranks: ranks::of_others(library, rulebook),
            settings: Settings::new(rulebook, game, file.decimals()),
            decimals: file.decimals(),
            names: Vec::new(),
            places: Vec::new(),
            table: None,
            shoe_by_hand: false,
            table_by_hand: false,
            by_hand: false,
            begun: false,
            counted,
            float_told,
            wager_lines: Vec::new(),
            insurance_lines: Vec::new(),
            off_duty: Vec::new(),
            hand_lines: Vec::new(),
            waiting: Vec::new(),
            case: None,
            steps: Vec::new(),
            earlier: Vec::new(),
            cause: None,
            expects_refusal: file.statements.iter().map(Statement::expects_refusal).collect(),
            misfits: Vec::new(),
            clock: 0,
        }
    }

    /// Carries a line out. A refused one changes nothing.
    pub(super) fn line(&mut self, at: usize, action: &Action, events: &mut [Vec<Event>]) -> Done {
        let before: Vec<usize> = events.iter().map(Vec::len).collect();
        let kept = (self.table.clone(), self.case.clone(), self.by_hand, self.cause.clone());
        let (names, steps) = (self.names.len(), self.steps.len());
        let lines = (self.wager_lines.clone(), self.insurance_lines.clone(), self.hand_lines.clone());
        let waiting = self.waiting.clone();
        self.clock += 1;
        let mut log = Log { at, events };
        let done = self.act(&mut log, action);
        if done.is_err() {
            (self.table, self.case, self.by_hand, self.cause) = kept;
            self.names.truncate(names);
            self.steps.truncate(steps);
            (self.wager_lines, self.insurance_lines, self.hand_lines) = lines;
            self.waiting = waiting;
            for (events, before) in log.events.iter_mut().zip(before) {
                events.truncate(before);
            }
        }
        done
    }

    fn act(&mut self, log: &mut Log<'_>, action: &Action) -> Done {
        match action {
            Action::Title(_) | Action::Proves(_) | Action::Currency { .. } => Ok(()),
            Action::Game(_) => {
                let variant = self.game.variant.iter().flat_map(|variant| &variant.cites);
                let cites = self.game.cites(Rule::Identity).iter().chain(variant).copied().collect();
                log.note(log.at, Fact::Opened, cites);
                Ok(())
            }
            Action::Version(version) => self.before_opening(log.at, &[], |settings| {
                settings.version(log.at, version);
                Ok(())
            }),
            Action::Date(date) => self.before_opening(log.at, &[], |settings| {
                settings.date(log.at, date);
                Ok(())
            }),
            Action::Layout(id) => {
                let rule = self.game.cites(Rule::Layout).to_vec();
                let done = self.before_opening(log.at, &rule, |settings| settings.layout(log.at, id));
                done.map_err(|(refused, cites)| match refused {
                    Refused::Setting(message) => (Refused::Layout(message), cites),
                    other => (other, cites),
                })?;
                let layout = self.rulebook.layout(id).map(|layout| layout.cites.clone()).unwrap_or_default();
                let cites = self.game.cites(Rule::Layout).iter().copied().chain(layout).collect();
                log.note(log.at, Fact::Set, cites);
                Ok(())
            }
            Action::Setting { key, scope, value } => {
                let setting = key.parse().ok().and_then(|setting| self.rulebook.setting(setting));
                let cites = setting.map(|spec| spec.cites.clone()).unwrap_or_default();
                self.before_opening(log.at, &cites, |settings| {
                    settings.set(log.at, key, scope.as_deref(), value)
                })?;
                log.note(log.at, Fact::Set, cites);
                Ok(())
            }
            Action::Player { name, place } => self.place(log, name, *place),
            Action::ShoeByHand => {
                self.shoe_by_hand = true;
                Ok(())
            }
            Action::TableByHand => {
                self.before_opening(log.at, &[], |_| Ok(())).map(|()| self.table_by_hand = true)
            }
            Action::Earlier(words) => self.earlier(log, words),
            Action::Round { by_hand } => self.round(log, *by_hand),
            Action::Bet(bet) => self.bet(log, bet),
            Action::Insure { player, side, amount } => {
                let id = self.player(log, player)?;
                self.top_up(log, id, *amount)?;
                let before = self.open_table(log)?.round.insurances.len();
                self.perform(
                    log,
                    Actor::Player(id),
                    Deed::Insure { player: id, side: *side, amount: *amount },
                )?;
                self.insurance_lines.truncate(before);
                self.insurance_lines.push(log.at);
                Ok(())
            }
            Action::Cards(cards) => self.cards(log, cards),
            Action::ShoeEmpty => {
                // A card is due, so betting is over.
                let phase = self.table.as_ref().map(Table::phase);
                let betting = [Phase::BetsOpen, Phase::Reopened, Phase::DifferentialHold];
                if phase.is_some_and(|phase| betting.contains(&phase)) {
                    self.perform(log, dealer(), Deed::CloseBets)?;
                }
                self.perform(log, Actor::Device, Deed::ShoeEmpty)?;
                self.go_on(log)
            }
            Action::NewShoe => self.new_shoe(log),
            Action::Hand { holder, cards } => self.hand(log, *holder, cards),
            Action::Call(winner) => self.call(log, *winner),
            Action::Deed { who, words } => self.deed(log, who, words),
        }
    }

    fn before_opening(
        &mut self,
        at: usize,
        cites: &[Basis],
        set: impl FnOnce(&mut Settings<'l>) -> Done,
    ) -> Done {
        if self.table.is_some() {
            let message = "layout and settings stand before the first round".to_string();
            return Err((Refused::Setting(message), cites.to_vec()));
        }
        let before = self.settings.clone();
        set(&mut self.settings)?;
        // What does not fit with other lines may be put right by a later one, unless the file says otherwise.
        if self.is_refusal_expected(at)
            && let Some(refusal) = self.settings.refuse_line(at)
        {
            return Err(refusal);
        }
        // Who sits already must still have a seat.
        let Ok(setup) = self.settings.setup() else { return Ok(()) };
        let outside = self.places.iter().find(|(_, place)| match place {
            Place::Seat(seat) | Place::Behind(seat) => *seat > setup.seats,
            Place::Standing => false,
        });
        match outside {
            None => Ok(()),
            Some((name, _)) => {
                self.settings = before;
                let layout = setup.layout().map(|layout| layout.cites.clone()).unwrap_or_default();
                let message = format!("there are {} seats, and `{name}` sits beyond them", setup.seats);
                Err((Refused::Setting(message), cites.iter().copied().chain(layout).collect()))
            }
        }
    }

    fn place(&mut self, log: &mut Log<'_>, name: &str, place: Place) -> Done {
        if self.table.is_some() {
            self.arrive(name);
            return self.take_place(log, name, place);
        }
        if let Place::Seat(seat) = place
            && self.places.iter().any(|(other, known)| *known == Place::Seat(seat) && other != name)
        {
            return Err((Refused::Setting(format!("seat {seat} is taken")), Vec::new()));
        }
        // A seat that is not there is found at once.
        let setup = self.settings.setup();
        if let (Place::Seat(seat) | Place::Behind(seat), Ok(setup)) = (place, &setup)
            && seat > setup.seats
        {
            let cites = setup.layout().map(|layout| layout.cites.clone()).unwrap_or_default();
            return Err((Refused::Setting(format!("the table has {} seats", setup.seats)), cites));
        }
        self.places.retain(|(known, _)| known != name);
        self.places.push((name.to_string(), place));
        log.note(log.at, Fact::Set, Vec::new());
        Ok(())
    }

    fn take_place(&mut self, log: &mut Log<'_>, name: &str, place: Place) -> Done {
        let Some(player) = self.id(name) else { return Ok(()) };
        let deed = match place {
            Place::Seat(seat) => Deed::Sit { player, seat },
            Place::Behind(seat) => Deed::Stand { player, behind: Some(seat) },
            Place::Standing => Deed::Stand { player, behind: None },
        };
        self.perform(log, Actor::Player(player), deed)
    }

    fn id(&self, name: &str) -> Option<PlayerId> {
        let at = self.names.iter().position(|known| known == name)?;
        u32::try_from(at).ok().map(PlayerId)
    }

    fn is_refusal_expected(&self, at: usize) -> bool {
        self.expects_refusal.get(at).copied().unwrap_or(false)
    }

    /// The setup of the table. What does not fit is told where it stands, and play goes on without it: told again on
    /// every line that follows it would only hide the rest.
    pub(super) fn ready(&mut self, at: usize) -> Result<Setup, Refusal> {
        loop {
            match self.settings.setup() {
                Ok(setup) => return Ok(setup),
                Err(refusal) if self.is_refusal_expected(at) => return Err(refusal),
                Err(refusal) => match self.settings.give_up() {
                    Some(misfit) => self.misfits.push(misfit),
                    None => return Err(refusal),
                },
            }
        }
    }

    /// The table, which opens when it is first needed.
    pub(super) fn open_table(&mut self, log: &mut Log<'_>) -> Result<&Table, (Refused, Vec<Basis>)> {
        if self.table.is_none() {
            let setup = self.ready(log.at)?;
            self.table = Some(Table::new(TableId(1), Arc::new(setup)));
            self.steps.push(Step::Opened(self.settings.filled()));
            let on_duty = if self.table_by_hand { 0 } else { self.rulebook.ranks.len() };
            for rank in 0..on_duty {
                let staff = member(u8::try_from(rank).unwrap_or(u8::MAX), None);
                self.perform(log, Actor::Staff(staff), Deed::SignOn(staff))?;
            }
            if !self.float_told && !self.table_by_hand {
                let amount = Amount::new(Amount::MAX.minor() / 2).unwrap_or(Amount::MAX);
                self.perform(log, self.highest(), Deed::Fill { amount, witness: member(0, None).person })?;
            }
            for (name, place) in self.places.clone() {
                self.names.push(name.clone());
                self.take_place(log, &name, place)?;
            }
            if !self.shoe_by_hand {
                self.perform(log, dealer(), Deed::LoadShoe { set: None, commitment: None })?;
                self.prepare_shoe(log)?;
            }
        }
        match &self.table {
            Some(table) => Ok(table),
            None => Err((Refused::Unknown("there is no table".to_string()), Vec::new())),
        }
    }

    /// Shuffled, cut and burned.
    fn prepare_shoe(&mut self, log: &mut Log<'_>) -> Done {
        self.perform(log, dealer(), Deed::RecordShuffle)?;
        let Some((cut, burn)) =
            self.table.as_ref().map(|table| (table.setup.cut_card.is_some(), table.setup.burn))
        else {
            return Ok(());
        };
        if cut {
            self.perform(log, dealer(), Deed::CutCards { above: None })?;
        }
        if burn > 0 {
            self.perform(log, dealer(), Deed::Burn { count: burn, cards: Vec::new() })?;
        }
        Ok(())
    }

    fn new_shoe(&mut self, log: &mut Log<'_>) -> Done {
        if let Some(unfinished) = self.unfinished() {
            return Err((unfinished, Vec::new()));
        }
        self.open_table(log)?;
        let ended = self.table.as_ref().is_some_and(|table| {
            table.phase() == Phase::ShoeEnd
                && table.shoe.fate != croupier_rules::irregularity::ShoeFate::Replace
        });
        if ended {
            self.perform(log, dealer(), Deed::LoadShoe { set: None, commitment: None })?;
        } else {
            self.perform(log, self.highest(), Deed::ReplaceShoe { commitment: None })?;
        }
        self.prepare_shoe(log)
    }

    /// The player of that name, who comes to the table if need be.
    pub(super) fn player(
        &mut self,
        log: &mut Log<'_>,
        name: &str,
    ) -> Result<PlayerId, (Refused, Vec<Basis>)> {
        self.open_table(log)?;
        if let Some(id) = self.id(name) {
            return Ok(id);
        }
        self.names.push(name.to_string());
        let id = PlayerId(u32::try_from(self.names.len() - 1).unwrap_or(u32::MAX));
        self.perform(log, Actor::Player(id), Deed::Stand { player: id, behind: None })?;
        Ok(id)
    }

    /// Somebody comes to the table and takes a place at once.
    fn arrive(&mut self, name: &str) {
        if self.id(name).is_none() {
            self.names.push(name.to_string());
        }
    }

    /// How things stood when the file begins: told, not played.
    fn earlier(&mut self, log: &mut Log<'_>, said: &[String]) -> Done {
        if self.begun {
            let message = "what was earlier stands before the first round".to_string();
            return Err((Refused::Setting(message), Vec::new()));
        }
        let words: Vec<&str> = said.iter().map(String::as_str).collect();
        let unknown = |message| (Refused::Unknown(message), Vec::new());
        earlier::check(&words, self.open_table(log)?).map_err(unknown)?;
        let mut names = Known { runner: self, actor: Actor::System };
        let facts = earlier::understand(&words, &mut names).map_err(unknown)?;
        let Some(table) = &mut self.table else { return Ok(()) };
        for fact in facts {
            let event = croupier_table::Event { fact, cites: Vec::new() };
            apply(table, &event);
            self.earlier.push(event);
        }
        log.note(log.at, Fact::Set, Vec::new());
        Ok(())
    }

    /// Chips for what is to be laid, unless the file itself counts them.
    pub(super) fn top_up(&mut self, log: &mut Log<'_>, player: PlayerId, needed: Amount) -> Done {
        let name = self.names.get(usize::try_from(player.0).unwrap_or(usize::MAX));
        if self.table_by_hand || name.is_some_and(|name| self.counted.contains(name)) {
            return Ok(());
        }
        let Some((chips, chip)) = self
            .table
            .as_ref()
            .and_then(|table| table.player(player).map(|player| (player.chips, table.setup.terms.chip)))
        else {
            return Ok(());
        };
        let amount = needed - chips;
        if !amount.is_positive() {
            return Ok(());
        }
        // Whole chips: what is not is for the wager to be refused.
        let whole = Amount::floor_to(amount.ratio(), chip).unwrap_or(Amount::ZERO);
        let amount = if whole == amount { whole } else { whole + chip };
        self.perform(log, Actor::Player(player), Deed::BuyIn { player, amount, cash: false })
    }

    /// The bet of that name.
    pub(super) fn bet_place(&self, id: &str) -> Result<usize, (Refused, Vec<Basis>)> {
        find_bet(self.game, id).map_err(|(refusal, cites)| {
            let why = Why::Entry(refusal);
            let told = tell::refusal(&why, self.rulebook, &self.names, self.decimals);
            (Refused::Table(Box::new(why), told), cites)
        })
    }

    fn call(&mut self, log: &mut Log<'_>, winner: Winner) -> Done {
        self.open_table(log)?;
        self.perform(log, dealer(), Deed::Call(winner))
    }

    /// Somebody does something, in words.
    fn deed(&mut self, log: &mut Log<'_>, who: &str, said: &[String]) -> Done {
        self.open_table(log)?;
        let words: Vec<&str> = said.iter().map(String::as_str).collect();
        // Who takes a place comes with that.
        if let ["sits" | "stands", ..] = words.as_slice() {
            let (name, _) = deed::on_behalf(&words).unwrap_or((who, &[]));
            let things = ["device", "display", "table", "surveillance"];
            if ranked(self.rulebook, name).is_none() && !things.contains(&name) {
                self.arrive(name);
            }
        }
        let actor = self.actor(log, who)?;
        for word in &words {
            // Whoever is named comes to the table.
            let place = self.places.iter().any(|(name, _)| name == word);
            if place && self.id(word).is_none() {
                self.player(log, word)?;
            }
        }
        let unknown = |message: String| (Refused::Unknown(message), Vec::new());
        let is_off = matches!(actor, Actor::Staff(staff) if self.off_duty.contains(&staff.person));
        if is_off && words != ["signs", "on"] {
            let message = format!("`{who}` is off duty; first `{who} signs on`");
            return Err(unknown(message));
        }
        let mut names = Known { runner: self, actor };
        match deed::understand(&words, &mut names) {
            Ok(action) => {
                let insures = matches!(action, Deed::Insure { .. });
                if let Deed::Insure { player, amount, .. } = action {
                    self.top_up(log, player, amount)?;
                }
                self.perform(log, actor, action.clone())?;
                self.note_duty(&action);
                if insures {
                    self.insurance_lines.push(log.at);
                }
                self.go_on(log)
            }
            Err(NoDeed::Words(message)) => Err(unknown(message)),
            Err(NoDeed::Unknown) => match case_deed::understand(&words, &mut names) {
                Ok(order) => self.case_deed(log, actor, order),
                Err(NoDeed::Words(message)) => Err(unknown(message)),
                Err(NoDeed::Unknown) => Err(unknown("not understood".to_string())),
            },
        }
    }

    /// Who goes off duty does nothing more until back.
    fn note_duty(&mut self, action: &Deed) {
        if let Deed::SignOff(person) = action {
            self.off_duty.push(*person);
        }
        if let Deed::SignOn(staff) = action {
            self.off_duty.retain(|off| *off != staff.person);
        }
    }

    pub(super) fn actor(&mut self, log: &mut Log<'_>, who: &str) -> Result<Actor, (Refused, Vec<Basis>)> {
        match who {
            "device" => Ok(Actor::Device),
            "display" => Ok(Actor::Display),
            "table" => Ok(Actor::System),
            "surveillance" => Ok(Actor::Surveillance),
            _ => match ranked(self.rulebook, who) {
                Some(staff) => Ok(Actor::Staff(staff)),
                None => {
                    self.check_is_player(who)?;
                    self.player(log, who).map(Actor::Player)
                }
            },
        }
    }

    /// Whoever is not at the table and has nearly the name of a rank is a slip of the hand, not a new player.
    fn check_is_player(&self, who: &str) -> Done {
        let known = self.id(who).is_some() || self.places.iter().any(|(name, _)| name == who);
        match ranks::misnamed_rank(self.rulebook, &self.other_ranks, who) {
            Some(message) if !known => Err((Refused::Unknown(message), Vec::new())),
            Some(_) | None => Ok(()),
        }
    }

    /// A refusal of the table in words.
    pub(super) fn refused(&self, refusal: croupier_table::Refusal) -> (Refused, Vec<Basis>) {
        let held = matches!(refusal.why, Why::OnHold { .. }).then(|| self.hold_words()).flatten();
        let told = held.map_or_else(
            || tell::refusal(&refusal.why, self.rulebook, &self.names, self.decimals),
            |held| format!("play is on hold: {held}"),
        );
        (Refused::Table(Box::new(refusal.why), told), refusal.cites)
    }

    /// Gives a command; what happens goes to the lines it concerns.
    pub(super) fn perform(&mut self, log: &mut Log<'_>, actor: Actor, action: Deed) -> Done {
        let Some(table) = &mut self.table else { return Ok(()) };
        let command = Command { actor, at: self.clock, action };
        let events = match decide(table, &command) {
            Ok(events) => events,
            Err(refusal) => return Err(self.refused(refusal)),
        };
        self.cause = Cause::of(events.iter().map(|event| &event.fact), log.at + 1).or(self.cause.take());
        for event in &events {
            apply(table, event);
            let lines = lines_of(
                table,
                &event.fact,
                log.at,
                &self.wager_lines,
                &self.insurance_lines,
                &self.hand_lines,
            );
            for line in lines {
                log.note(line, Fact::Table(event.fact.clone()), event.cites.clone());
            }
        }
        self.steps.push(Step::Table(command, events));
        Ok(())
    }

    /// Somebody of the highest rank.
    pub(super) fn highest(&self) -> Actor {
        let last = self.rulebook.ranks.len().saturating_sub(1);
        Actor::Staff(member(u8::try_from(last).unwrap_or(u8::MAX), None))
    }

    /// How the table stands.
    pub(super) fn standing(&self) -> Standing {
        let Some(table) = &self.table else { return Standing::default() };
        let name = |player: PlayerId| {
            self.names.get(usize::try_from(player.0).unwrap_or(usize::MAX)).cloned().unwrap_or_default()
        };
        let letters = table.board.marks.iter().map(|mark| match mark {
            Mark::Result(outcome) => outcome.winner().letter().to_string(),
            Mark::Free(outcome) => outcome.winner().letter().to_ascii_lowercase().to_string(),
            Mark::Void => "V".to_string(),
            Mark::Played => "N".to_string(),
        });
        Standing {
            phase: table.phase().key().to_string(),
            board: letters.collect::<Vec<_>>().join(" "),
            squeezers: table.round.squeezers.map(|squeezer| squeezer.map(name)),
            chips: table.players.iter().map(|player| (name(player.id), player.chips)).collect(),
            float: table.float,
            case: self.case.as_ref().map(|case| case.state.key().to_string()),
            needs: None,
            points: (table.round.open_points(Side::Player), table.round.open_points(Side::Banker)),
            due: table.round.seen().due(),
            drawn: !table.round.draws.is_empty(),
            foreign: None,
        }
    }

    /// The lowest rank that may do what was refused.
    pub(super) fn needs(&self, refused: &Refused) -> Option<String> {
        let rank = match refused {
            Refused::Table(why, _) => match **why {
                Why::NotAuthorised { needs } => needs?,
                _ => return None,
            },
            Refused::Case(refusal) => refusal.needs()?,
            Refused::Unfinished(_) | Refused::Layout(_) | Refused::Setting(_) | Refused::Unknown(_) => {
                return None;
            }
        };
        self.rulebook.ranks.get(usize::from(rank.0)).map(|rank| rank.id.clone())
    }
}

/// The Dealer.
pub(super) fn dealer() -> Actor {
    Actor::Staff(member(0, None))
}

/// The lines that an event concerns: where the wager or the hand was told, or the line that acts.
fn lines_of(
    table: &Table,
    fact: &croupier_table::Fact,
    at: usize,
    wagers: &[WagerLine],
    insurances: &[usize],
    hands: &[(Holder, usize)],
) -> Vec<usize> {
    use croupier_table::Fact as F;
    let found: Vec<usize> = match fact {
        F::WagerEnded { wager, .. } => {
            let laid = table.round.wagers.get(*wager);
            let by_box = table.setup.by_box();
            let same = |key: &(PlayerId, usize, Option<u8>)| {
                laid.is_some_and(|laid| {
                    (key.0, key.1) == (laid.player, laid.bet) && (!by_box || key.2 == laid.area)
                })
            };
            wagers.iter().filter(|(key, _)| same(key)).map(|(_, line)| *line).collect()
        }
        F::InsuranceEnded { insurance, .. } => insurances.get(*insurance).copied().into_iter().collect(),
        F::HandRanked { holder, .. } => lines_of_hand(hands, *holder),
        F::Compared { box_number, .. } => {
            lines_of_hand(hands, croupier_table::command::Holder::Box(*box_number))
        }
        _ => Vec::new(),
    };
    if found.is_empty() { vec![at] } else { found }
}

fn lines_of_hand(hands: &[(Holder, usize)], holder: croupier_table::command::Holder) -> Vec<usize> {
    let holder = match holder {
        croupier_table::command::Holder::Box(number) => Holder::Box(number),
        croupier_table::command::Holder::Dealer => Holder::Dealer,
    };
    hands.iter().filter(|(known, _)| *known == holder).map(|(_, line)| *line).collect()
}

/// The names of a running file.
struct Known<'a, 'l> {
    runner: &'a mut Runner<'l>,
    actor: Actor,
}

impl Names for Known<'_, '_> {
    fn player(&mut self, name: &str) -> Result<PlayerId, String> {
        self.runner.id(name).ok_or_else(|| {
            let meant = nearest(name, self.runner.names.iter().map(String::as_str));
            let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
            format!("`{name}` is not at the table{meant}")
        })
    }

    fn bet(&mut self, id: &str) -> Result<usize, String> {
        let game = self.runner.game;
        game.bet_index(id).ok_or_else(|| {
            let hint = hint(id, game.bets.iter().map(|bet| bet.id.as_str()));
            format!("`{id}` is not a bet of {}; {hint}", game.id)
        })
    }

    fn actor(&mut self) -> PlayerId {
        self.actor.player().unwrap_or(PlayerId(u32::MAX))
    }

    fn staff(&mut self) -> Staff {
        match self.actor {
            Actor::Staff(staff) => staff,
            Actor::Player(_) | Actor::Device | Actor::System | Actor::Surveillance | Actor::Display => {
                member(u8::MAX, None)
            }
        }
    }

    /// The Dealer sees what others do; the rank above sees what the Dealer does.
    fn witness(&mut self) -> PersonId {
        let own = self.staff().person;
        let seen_by = member(0, None).person;
        if own == seen_by { member(1, None).person } else { seen_by }
    }

    fn ranked(&mut self, rank: &str) -> Result<Staff, String> {
        let rulebook = self.runner.rulebook;
        ranked(rulebook, rank).ok_or_else(|| {
            if let Some(message) = ranks::elsewhere(rulebook, &self.runner.other_ranks, rank) {
                return message;
            }
            let hint = hint(rank, rulebook.ranks.iter().map(|rank| rank.id.as_str()));
            format!("`{rank}` is not a rank of the staff; {hint}")
        })
    }

    fn decimals(&self) -> Decimals {
        self.runner.decimals
    }

    fn version(&mut self) -> String {
        self.runner.rulebook.version.clone()
    }

    fn all_but(&mut self, cards: &[Card]) -> Composition {
        let Some(table) = &self.runner.table else { return Composition::EMPTY };
        let mut left = Decks::new(table.setup.decks).map_or(Composition::EMPTY, Composition::of_decks);
        let in_play = table.round.draws.iter().filter_map(|dealt| dealt.card);
        let strays = table.round.waiting.iter().chain(&table.round.surplus).chain(&table.next.carried);
        let in_play = in_play.chain(strays.filter_map(|stray| stray.card));
        for card in in_play.chain(table.round.held.iter().copied()).chain(cards.iter().copied()) {
            let _ = left.remove(card);
        }
        left
    }
}
