//! The fifteen things that hold whatever happens at a table, each in a function named after it. They look at
//! the cards, at the chips that really moved and at the rulebooks' columns; neither the second model of the
//! money nor the code that settles is asked.
//!
//! How often each had something to look at is counted, and a game that never gave it anything fails.

mod hands;
pub(crate) mod money;
mod record;
mod result;

use std::collections::{BTreeMap, BTreeSet};

use croupier_rules::{Family, Rulebook};
use croupier_table::event::Mark;
use croupier_table::{Command, Event, Fact, PlayerId, Table};

use super::rules::Decided;
use super::tally::Tally;

pub(crate) use record::the_journal_gives_the_table_back;

/// What is remembered from one command to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Holds {
    /// What the wagers of this round have moved: for each player, and for the house.
    moved: BTreeMap<PlayerId, i128>,
    house: i128,
    /// What must have gone back once the choice to withdraw is over.
    withdrawal: Option<money::Withdrawal>,
    decided: Decided,
}

/// The chips of a player and of the house.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Purse {
    player: PlayerId,
    chips: i128,
    float: i128,
}

impl Purse {
    fn of(table: &Table, player: PlayerId) -> Self {
        let chips = table.player(player).map_or(0, |player| minor(player.chips));
        Self { player, chips, float: minor(table.float) }
    }
}

fn minor(amount: croupier_rules::Amount) -> i128 {
    amount.minor().into()
}

impl Holds {
    /// A command that was accepted, before anything happens.
    pub(crate) fn accepted(&self, table: &Table, command: &Command, events: &[Event], tally: &mut Tally) {
        record::no_rank_too_low_changes_anything(table, command, tally);
        record::the_result_is_not_in_the_call(table, command, events, tally);
    }

    /// One event; the table is as it was before it. The purses that it opens, if it moves chips.
    pub(crate) fn follow(&mut self, table: &Table, event: &Event, tally: &mut Tally) -> Option<Purse> {
        match &event.fact {
            Fact::BetsOpened { .. } | Fact::FreeHandBegan { .. } => {
                self.moved.clear();
                self.house = 0;
            }
            Fact::Placed { player, .. } | Fact::TakenBack { player, .. } | Fact::Insured { player, .. } => {
                return Some(Purse::of(table, *player));
            }
            Fact::WagerEnded { wager, settled, reserve } => {
                let laid = &table.round.wagers[*wager];
                assert!(laid.ended.is_none(), "a wager ends once");
                money::a_stake_is_collected_or_returned(laid.stake, settled, tally);
                let reserve = reserve.as_ref();
                hands::a_lost_wager_and_its_reserve_are_the_multiple(table, laid, settled, reserve, tally);
                return Some(Purse::of(table, laid.player));
            }
            Fact::InsuranceEnded { insurance, settled } => {
                let laid = &table.round.insurances[*insurance];
                assert!(laid.ended.is_none(), "an insurance ends once");
                money::a_stake_is_collected_or_returned(laid.stake, settled, tally);
                return Some(Purse::of(table, laid.player));
            }
            Fact::OptionClosed => {
                self.withdrawal = Some(money::Withdrawal::of(table, &mut self.decided));
            }
            Fact::DealerOpened => {
                hands::the_value_does_not_depend_on_the_triple(table, tally);
                hands::hands_of_one_deck_are_in_a_total_order(table, tally);
            }
            Fact::BettingAbandoned => self.a_void_round_moves_no_money(tally),
            Fact::RoundClosed { mark, .. } => match mark {
                Mark::Void => self.a_void_round_moves_no_money(tally),
                Mark::Free(_) => self.a_free_hand_moves_no_money(tally),
                Mark::Played => {}
                Mark::Result(_) => self.settled(table, tally),
            },
            _ => {}
        }
        None
    }

    /// The same event once it has happened.
    pub(crate) fn moved(&mut self, purse: Option<Purse>, event: &Event, table: &Table, tally: &mut Tally) {
        let Some(before) = purse else { return };
        let after = Purse::of(table, before.player);
        let (chips, float) = (after.chips - before.chips, after.float - before.float);
        *self.moved.entry(before.player).or_default() += chips;
        self.house += float;
        let owed = table.setup.commission_at_shoe_end;
        match &event.fact {
            Fact::WagerEnded { settled, reserve, .. } => {
                money::what_ended_was_paid((chips, float), owed, settled, reserve.as_ref(), tally);
            }
            Fact::InsuranceEnded { settled, .. } => {
                money::what_ended_was_paid((chips, float), owed, settled, None, tally);
            }
            _ => {}
        }
    }

    /// The table after the command, and all that it brought about.
    pub(crate) fn after(&mut self, table: &Table, events: &[Event], tally: &mut Tally) {
        if let Some(withdrawal) = self.withdrawal.take() {
            withdrawal.gives_back_what_is_open(table, events, tally);
        }
        result::no_result_while_a_card_is_due(table, tally);
        money::a_window_has_one_hand_and_a_card_to_come(table, tally);
    }

    fn settled(&mut self, table: &Table, tally: &mut Tally) {
        let ended = result::Ended::of(table);
        ended.one_of_player_banker_and_tie_describes_the_result(tally);
        ended.dragons_and_tigers_exclude_each_other(tally);
        ended.lucky_6_wins_exactly_when_a_tiger_would(tally);
        ended.nothing_of_a_dragon_or_tiger_wins_on_a_tie(tally);
        ended.pairs_depend_on_the_first_four_cards(&mut self.decided, tally);
        ended.a_dragon_bonus_pays_one_line(tally);
        money::insurance_wins_no_more_than_it_insures(table, tally);
        money::the_hands_differ_by_no_more_than_the_differential(table, tally);
    }

    /// Invariant 2: a void round has money effect 0 for everybody.
    fn a_void_round_moves_no_money(&self, tally: &mut Tally) {
        assert!(self.moved.values().all(|moved| *moved == 0), "a void round has moved {:?}", self.moved);
        assert_eq!(self.house, 0, "a void round has moved the float");
        tally.held("a void round moves no money", !self.moved.is_empty());
    }

    /// A Free Hand has no wagers left, whether it began so or was turned into one.
    fn a_free_hand_moves_no_money(&self, tally: &mut Tally) {
        assert!(self.moved.values().all(|moved| *moved == 0), "a Free Hand has moved {:?}", self.moved);
        assert_eq!(self.house, 0, "a Free Hand has moved the float");
        tally.held("a free hand moves no money", true);
    }
}

/// What a game should have given occasion for, and how often at least in the shortest run.
pub(crate) fn occasions(rulebook: &Rulebook) -> BTreeSet<(&'static str, u64)> {
    let id = rulebook.id.as_str();
    let mut due = BTreeSet::from([
        ("cards are conserved", 10_000),
        ("a void round moves no money", 100),
        ("a stake is collected or returned", 1_000),
        ("what ended was paid", 1_000),
        ("no rank too low changes anything", 300),
        ("the journal gives the table back", 20),
    ]);
    if rulebook.family == Family::NiuNiu {
        due.extend([
            ("the value does not depend on the triple", 500),
            ("hands of one deck are in a total order", 500),
            ("a lost wager and its reserve are the multiple", 100),
        ]);
        return due;
    }
    due.extend([
        ("a withdrawal gives back what is open", 100),
        ("one of Player, Banker and Tie describes the result", 500),
        ("no result while a card is due", 1_000),
        ("the result is not in the call", 300),
    ]);
    let hoiana = id.starts_with("hoiana-");
    if hoiana {
        due.extend([
            ("a free hand moves no money", 50),
            ("pairs depend on the first four cards", 50),
            ("the hands differ by no more than the differential", 50),
        ]);
    }
    if id.ends_with("dragon-tiger") {
        due.insert(("dragons and tigers exclude each other", 50));
    }
    if id != "horseshoe-dragon-bonus" {
        due.extend([
            ("lucky 6 wins exactly when a tiger would", 20),
            ("nothing of a dragon or tiger wins on a tie", 20),
            ("a withdrawal leaves what is decided", 5),
        ]);
    }
    if id == "hoiana-baccarat" {
        due.extend([
            ("a window has one hand and a card to come", 500),
            ("insurance wins no more than it insures", 50),
        ]);
    }
    if id == "horseshoe-dragon-bonus" {
        due.insert(("a dragon bonus pays one line", 100));
    }
    due
}
