//! Baccarat results: what the cards say, and which bets can win together.

use croupier_rules::baccarat::{Outcome, Side, Winner};
use croupier_rules::settle::{End, Settled};
use croupier_rules::{Family, Game, Payoff, Ratio};
use croupier_table::Table;

use super::super::opening::library;
use super::super::rules::{Decided, Hands, Seen};
use super::super::tally::Tally;
use super::super::watch::is_decided;

/// The ranks of the cards of a round that were read, from 1 to 13, in draw order.
pub(super) fn ranks(table: &Table) -> Vec<u8> {
    let cards = table.round.draws.iter().map_while(|dealt| dealt.card);
    cards.map(|card| u8::try_from(card.rank().index() + 1).unwrap()).collect()
}

/// The cards that people see, where they decide anything. A card on the wrong hand decides nothing until it
/// is put right.
pub(super) fn seen(table: &Table) -> Option<Seen> {
    let draws = &table.round.draws;
    if draws.is_empty() || table.setup.family() == Family::NiuNiu {
        return None;
    }
    let mut seen = Seen::default();
    for (at, dealt) in draws.iter().enumerate() {
        let rank = dealt.card.map(|card| u8::try_from(card.rank().index() + 1).unwrap());
        let place = match dealt.side {
            _ if !dealt.exposed || dealt.misplaced.is_some() => continue,
            _ if at < 4 => &mut seen.initial[at],
            Side::Player => &mut seen.player_third,
            Side::Banker => &mut seen.banker_third,
        };
        *place = rank;
    }
    Some(seen)
}

/// Invariant 11: the main result is never fixed while a third card is still due and unexposed.
pub(super) fn no_result_while_a_card_is_due(table: &Table, tally: &mut Tally) {
    let round = &table.round;
    let Some(outcome) = round.outcome.filter(|_| table.setup.family() == Family::Baccarat) else { return };
    if round.closed.is_some() {
        return;
    }
    assert!(round.draws.iter().all(|dealt| dealt.exposed), "a result with a closed card");
    // What came together after it is no matter of this hand, but for which of them opens the next.
    assert!(round.together.is_empty() || table.hold.is_some(), "a result with cards that have no place");
    let ranks = ranks(table);
    assert_eq!(ranks.len(), round.draws.len(), "a result with a card nobody has read");
    assert!(is_decided(&ranks), "a result of {ranks:?}");
    for side in super::super::any::SIDES {
        let own = round.draws.iter().zip(&ranks).filter(|(dealt, _)| dealt.side == side);
        let points = own.map(|(_, rank)| rank.min(&10) % 10).sum::<u8>() % 10;
        assert_eq!(outcome.points(side), points, "{side:?}");
    }
    tally.held("no result while a card is due", true);
}

/// A round that was settled on its cards.
pub(super) struct Ended<'t> {
    table: &'t Table,
    hands: Hands,
}

impl<'t> Ended<'t> {
    pub(super) fn of(table: &'t Table) -> Self {
        let ranks = ranks(table);
        let hands = Hands::of(&ranks).unwrap_or_else(|| panic!("settled on {ranks:?}"));
        Self { table, hands }
    }

    fn settled(&self, bet: &str) -> impl Iterator<Item = &Settled> {
        let at = self.table.game().bet_index(bet);
        let wagers = self.table.round.wagers.iter().filter(move |laid| Some(laid.bet) == at);
        wagers.filter_map(|laid| laid.ended.as_ref().map(|(settled, _)| settled))
    }

    /// Whether a bet won: by the wagers that lay on it, else by its column. Nothing where nobody offers it.
    fn won(&self, bet: &str) -> Option<bool> {
        let column = wins(self.table.game(), bet, self.hands.outcome())?;
        for settled in self.settled(bet) {
            match settled.end {
                End::Win => assert!(column, "{bet} won on {:?}", self.hands),
                End::Lose => assert!(!column, "{bet} lost on {:?}", self.hands),
                End::StandOff | End::Returned => {}
            }
        }
        Some(column)
    }

    /// Invariant 4: exactly one of Player, Banker and Tie describes the result.
    pub(super) fn one_of_player_banker_and_tie_describes_the_result(&self, tally: &mut Tally) {
        let Hands { player, banker, .. } = self.hands;
        let cards = [player > banker, player < banker, player == banker];
        assert_eq!(cards.iter().filter(|holds| **holds).count(), 1);
        let bets = ["player", "banker", "tie"].map(|bet| self.won(bet).unwrap());
        assert_eq!(bets, cards, "{:?}", self.hands);
        let outcome = self.table.round.outcome.unwrap();
        assert_eq!(outcome, self.hands.outcome(), "the cards say {:?}", self.hands);
        let shown = [Winner::Player, Winner::Banker, Winner::Tie].map(|winner| outcome.winner() == winner);
        assert_eq!(shown, cards, "{outcome:?}");
        tally.held("one of Player, Banker and Tie describes the result", true);
    }

    /// Invariant 5: Small and Big Dragon never win together, nor Small and Big Tiger; a Dragon win excludes a
    /// Tiger win; Dragon Tiger wins only together with Small or Big Dragon.
    pub(super) fn dragons_and_tigers_exclude_each_other(&self, tally: &mut Tally) {
        let [small_dragon, big_dragon, small_tiger, big_tiger, both] =
            ["small-dragon", "big-dragon", "small-tiger", "big-tiger", "dragon-tiger"]
                .map(|bet| self.won(bet).unwrap_or(false));
        assert!(!(small_dragon && big_dragon), "both Dragons won");
        assert!(!(small_tiger && big_tiger), "both Tigers won");
        let (dragon, tiger) = (small_dragon || big_dragon, small_tiger || big_tiger);
        assert!(!(dragon && tiger), "a Dragon and a Tiger won");
        assert!(!both || dragon, "Dragon Tiger won without a Dragon");
        tally.held("dragons and tigers exclude each other", dragon || tiger);
    }

    /// Invariant 6: Lucky 6 wins exactly when Small or Big Tiger would, on the same cards.
    pub(super) fn lucky_6_wins_exactly_when_a_tiger_would(&self, tally: &mut Tally) {
        let elsewhere = |game: &str, bet: &str| {
            let (_, game) = library().find(game).unwrap();
            wins(game, bet, self.hands.outcome()).unwrap()
        };
        let lucky = self.won("lucky-6").unwrap_or_else(|| elsewhere("hoiana-baccarat/commission", "lucky-6"));
        let tiger = ["small-tiger", "big-tiger"]
            .map(|bet| self.won(bet).unwrap_or_else(|| elsewhere("hoiana-dragon-tiger/commission", bet)));
        assert_eq!(lucky, tiger[0] || tiger[1], "{:?}", self.hands);
        tally.held("lucky 6 wins exactly when a tiger would", lucky);
    }

    /// Invariant 7: no dragon, tiger, Dragon Tiger or Lucky 6 wager wins on a tie.
    pub(super) fn nothing_of_a_dragon_or_tiger_wins_on_a_tie(&self, tally: &mut Tally) {
        if self.hands.player != self.hands.banker {
            return;
        }
        let bets = ["small-dragon", "big-dragon", "small-tiger", "big-tiger", "dragon-tiger", "lucky-6"];
        for bet in bets {
            assert_ne!(self.won(bet), Some(true), "{bet} won on a tie");
            for settled in self.settled(bet) {
                assert_eq!(settled.winnings.minor(), 0, "{bet} was paid on a tie");
            }
        }
        let offered = bets.iter().any(|bet| self.table.game().bet(bet).is_some());
        tally.held("nothing of a dragon or tiger wins on a tie", offered);
    }

    /// Invariant 8: pair results depend on draws 1 to 4 only.
    pub(super) fn pairs_depend_on_the_first_four_cards(&self, known: &mut Decided, tally: &mut Tally) {
        let ranks = ranks(self.table);
        let pairs = [("player-pair", ranks[0] == ranks[2]), ("banker-pair", ranks[1] == ranks[3])];
        for (bet, pair) in pairs {
            let Some(won) = self.won(bet) else { continue };
            assert_eq!(won, pair, "{bet} on {ranks:?}");
            let initial = [0, 1, 2, 3].map(|at| Some(ranks[at]));
            let start = Seen { initial, ..Seen::default() };
            for hands in known.ends(&start) {
                let other = wins(self.table.game(), bet, hands.outcome());
                assert_eq!(other, Some(won), "{bet} on {ranks:?} and on {hands:?}");
            }
            tally.held("pairs depend on the first four cards", pair);
        }
    }

    /// Invariant 12: Dragon Bonus pays the natural line or a margin line, never both, and loses on every
    /// non-natural tie.
    pub(super) fn a_dragon_bonus_pays_one_line(&self, tally: &mut Tally) {
        let Hands { player, banker, player_cards, banker_cards, .. } = self.hands;
        let natural = player_cards == 2 && banker_cards == 2 && (player > 7 || banker > 7);
        for (bet, own, other) in
            [("dragon-bonus-player", player, banker), ("dragon-bonus-banker", banker, player)]
        {
            let by_margin = match own.saturating_sub(other) {
                0..4 => 0,
                4 => 1,
                5 => 2,
                6 => 4,
                7 => 6,
                8 => 10,
                _ => 30,
            };
            let pays = if natural { i64::from(own > other) } else { by_margin };
            for settled in self.settled(bet).filter(|settled| settled.end != End::Returned) {
                let exact = settled.winnings - settled.rounding;
                let odds = Ratio::from(exact.minor()) * Ratio::from(settled.in_action.minor()).recip();
                assert_eq!(odds, Ratio::from(pays), "{bet} on {:?}", self.hands);
                let end = match pays {
                    0 if natural && own == other => End::StandOff,
                    0 => End::Lose,
                    _ => End::Win,
                };
                assert_eq!(settled.end, end, "{bet} on {:?}", self.hands);
                tally.held("a dragon bonus pays one line", end == End::Win || own == other);
            }
        }
    }
}

fn wins(game: &Game, bet: &str, outcome: Outcome) -> Option<bool> {
    let line = game.bet(bet)?.pays.line(outcome.index());
    let payoff = line.map(|line| line.payoff).unwrap_or_else(|| panic!("{bet} has no line for {outcome:?}"));
    Some(matches!(payoff, Payoff::Win { .. }))
}
