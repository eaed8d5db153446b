//! What money does, told as a pit would: buying in, rounds, fills, the drop, disputes, and every refusal.

use crate::support::check;

/// Float 1,000,000 and player 7 with 5,000 in chips at table 3.
const OPEN_TABLE: &str = "
    1 fill cage > table:3:float 1000000
    2 deposit cage > player:7:wallet 8000
    3 buy-in player:7:wallet > chips:3:7 5000
";

#[track_caller]
fn check_table(scenario: &str) {
    check(&format!("{OPEN_TABLE}{scenario}"));
}

#[test]
fn a_player_comes_and_goes() {
    check_table(
        "= player:7:wallet 3000
         = chips:3:7 5000
         = cage -1008000
         4 cash-out chips:3:7 > player:7:wallet 4000
         5 cash-out chips:3:7 > cage 1000
         6 withdrawal player:7:wallet > cage 7000
         = chips:3:7 0
         = player:7:wallet 0
         = cage -1000000",
    );
}

#[test]
fn a_lost_wager_goes_to_the_float() {
    check_table(
        "pend 4 wager chips:3:7 > bet:3:7:41:2 1000
         = chips:3:7 4000
         ~ bet:3:7:41:2 1000
         = table:3:float 1000000
         post 4 1000
         = chips:3:7 4000
         ~ bet:3:7:41:2 0
         = table:3:float 1001000
         = table:3:win 1000
         = table:3:supply 1000000",
    );
}

#[test]
fn of_a_wager_lost_in_part_the_rest_goes_back() {
    check_table(
        "pend 4 wager chips:3:7 > bet:3:7:41:2 1000
         post 4 600
         = chips:3:7 4400
         = table:3:float 1000600",
    );
}

#[test]
fn a_won_wager_goes_back_and_is_paid_once() {
    check_table(
        "pend 4 wager chips:3:7 > bet:3:7:41:2 1000
         void 4 ; 5 winnings:41:2 table:3:float > chips:3:7 950 ; note 6 3 round:41 commission-kept 50
         = chips:3:7 5950
         = table:3:float 999050
         = table:3:win -950
         = table:3:commission 50
         7 winnings:41:2 table:3:float > chips:3:7 950 => paid-twice
         7 winnings:41:3 table:3:float > chips:3:7 1 ; 8 winnings:41:3 table:3:float > chips:3:7 1 => 1 paid-twice
         7 winnings:41:3 table:3:float > chips:3:7 950
         8 winnings:42:2 table:3:float > chips:3:7 950",
    );
}

#[test]
fn rounding_has_two_sides_and_no_balance() {
    check_table(
        "note 4 3 round:41 rounded-up 60
         = table:3:rounding -60
         note 5 3 round:41 rounded-down 40 ; note 6 3 case:9 commission-returned 5
         = table:3:rounding -20
         = table:3:commission -5
         = table:3:float 1000000
         note 7 3 round:41 rounded-up 0 => zero-amount",
    );
}

#[test]
fn a_reserve_is_settled_like_its_wager() {
    check_table(
        "pend 4 wager chips:3:7 > bet:3:7:41:2 1000 ; pend 5 reserve chips:3:7 > reserve:3:7:41:2 2000
         = chips:3:7 2000
         post 4 1000 ; post 5 500
         = chips:3:7 3500
         = table:3:float 1001500
         close 3 41",
    );
}

#[test]
fn chips_for_cash_leave_the_win_alone() {
    check_table(
        "4 cash-drop cage > table:3:drop 700 ; 5 chips-sold table:3:float > chips:3:7 700
         = table:3:drop 700
         = table:3:supply 999300
         = table:3:win 0
         6 drop-count table:3:drop > cage 700
         7 credit table:3:float > cage 999300
         = table:3:float 0
         = table:3:supply 0",
    );
}

#[test]
fn commission_that_was_owed_is_part_of_the_win() {
    check_table(
        "4 commission chips:3:7 > table:3:float 50
         = chips:3:7 4950
         = table:3:float 1000050
         = table:3:win 50
         = table:3:commission 50
         5 commission chips:3:7 > table:4:float 50 => not-between
         5 commission table:3:float > chips:3:7 50 => not-between
         5 commission chips:3:7 > table:3:float 4951 => would-go-negative",
    );
}

#[test]
fn tips_leave_by_the_cage() {
    check_table(
        "4 tip chips:3:7 > table:3:tips 50
         5 tip-payout table:3:tips > cage 50
         6 tip chips:3:7 > table:4:tips 50 => not-between",
    );
}

#[test]
fn disputed_money_is_held_and_released_by_its_case() {
    check_table(
        "4 hold:9 table:3:float > hold:9 300
         = hold:9 300
         = table:3:win -300
         5 release:8 hold:9 > chips:3:7 300 => not-between
         5 release:9 hold:9 > chips:3:7 100 ; 6 release:9 hold:9 > table:3:float 200
         = table:3:win -100
         = hold:9 0",
    );
}

#[test]
fn a_correction_cites_a_case_and_leaves_rounds_alone() {
    check_table(
        "pend 4 wager chips:3:7 > bet:3:7:41:2 1000
         post 4 1000
         close 3 41
         5 winnings:41:2 table:3:float > chips:3:7 950 => round-closed
         5 correction:9 table:3:float > chips:3:7 1950
         = table:3:win -950
         6 correction:9 bet:3:7:42:1 > chips:3:7 1 => not-between
         6 correction:9 table:3:drop > cage 1 => not-between
         6 correction:9 chips:3:7 > chips:3:8 50 ; 7 correction:9 chips:3:8 > hold:9 50",
    );
}

#[test]
fn an_account_may_fall_to_zero_and_no_further() {
    check_table(
        "4 tip chips:3:7 > table:3:tips 4999
         5 tip chips:3:7 > table:3:tips 2 => would-go-negative
         5 tip chips:3:7 > table:3:tips 1
         6 tip chips:3:7 > table:3:tips 1 => would-go-negative",
    );
}

#[test]
fn pending_money_is_not_spent_twice() {
    check_table(
        "pend 4 wager chips:3:7 > bet:3:7:41:2 4999
         pend 5 wager chips:3:7 > bet:3:7:41:3 2 => would-go-negative
         pend 5 wager chips:3:7 > bet:3:7:41:3 1
         6 cash-out chips:3:7 > player:7:wallet 1 => would-go-negative
         void 4
         6 cash-out chips:3:7 > player:7:wallet 4999",
    );
}

#[test]
fn all_money_inside_is_one_largest_amount_at_most() {
    check(
        "1 fill cage > table:3:float 9007199254740990
         2 fill cage > table:3:float 2 => too-large
         2 fill cage > table:3:float 1
         3 deposit cage > player:7:wallet 1 => too-large
         4 credit table:3:float > cage 1
         pend 5 deposit cage > player:7:wallet 1
         6 fill cage > table:4:float 1 => too-large
         void 5
         6 fill cage > table:4:float 1",
    );
}

#[test]
fn later_entries_of_a_batch_see_earlier_ones() {
    check(
        "1 deposit cage > player:7:wallet 10 ; 2 withdrawal player:7:wallet > cage 10
         = cage 0
         3 withdrawal player:7:wallet > cage 10 ; 4 deposit cage > player:7:wallet 10 => would-go-negative
         3 deposit cage > player:7:wallet 10 ; 4 withdrawal player:7:wallet > cage 11 => 1 would-go-negative
         = player:7:wallet 0",
    );
}

#[test]
fn the_same_again_is_already_applied() {
    check_table(
        "pend 4 wager chips:3:7 > bet:3:7:41:2 1000
         pend 4 wager chips:3:7 > bet:3:7:41:2 1000 => already
         pend 4 wager chips:3:7 > bet:3:7:41:2 999 => duplicate-id
         4 wager chips:3:7 > bet:3:7:41:2 1000 => duplicate-id
         note 4 3 round:41 rounded-up 1000 => duplicate-id
         post 4 600
         post 4 600 => already
         post 4 599 => already-posted
         void 4 => already-posted
         pend 4 wager chips:3:7 > bet:3:7:41:2 1000 => already
         pend 5 wager chips:3:7 > bet:3:7:41:2 1000 ; void 5
         void 5 => already
         post 5 1 => already-voided
         = chips:3:7 4400
         note 6 3 round:41 rounded-up 10
         note 6 3 round:41 rounded-up 10 => already
         = table:3:rounding -10",
    );
}

#[test]
fn only_what_is_pending_is_posted() {
    check_table(
        "post 9 1 => unknown-pending
         void 9 => unknown-pending
         post 3 1 => not-pending
         void 3 => not-pending
         pend 4 wager chips:3:7 > bet:3:7:41:2 1000
         post 4 0 => zero-amount
         post 4 1001 => exceeds-pending
         post 4 1000",
    );
}

#[test]
fn other_money_may_wait_too() {
    check_table(
        "pend 4 withdrawal player:7:wallet > cage 3000
         = player:7:wallet 0
         = cage -1008000
         ~ cage 3000
         post 4 2000
         = player:7:wallet 1000
         = cage -1006000",
    );
}

#[test]
fn a_wager_waits_and_winnings_do_not() {
    check_table(
        "4 wager chips:3:7 > bet:3:7:41:2 1000 => wrong-phase
         4 reserve chips:3:7 > reserve:3:7:41:2 1000 => wrong-phase
         pend 4 winnings:41:2 table:3:float > chips:3:7 950 => wrong-phase",
    );
}

#[test]
fn money_goes_its_kinds_way() {
    check_table(
        "4 deposit cage > chips:3:7 10 => not-between
         4 buy-in player:7:wallet > chips:3:8 10 => not-between
         4 cash-out chips:3:7 > player:8:wallet 10 => not-between
         4 fill table:3:float > cage 10 => not-between
         4 credit cage > table:3:float 10 => not-between
         4 chips-sold table:3:float > chips:4:7 10 => not-between
         4 winnings:41:2 table:3:float > chips:4:7 10 => not-between
         pend 4 wager chips:3:7 > bet:4:7:41:2 10 => not-between
         pend 4 wager chips:3:7 > bet:3:8:41:2 10 => not-between
         pend 4 wager chips:3:7 > reserve:3:7:41:2 10 => not-between
         pend 4 reserve chips:3:7 > bet:3:7:41:2 10 => not-between
         4 hold:9 cage > hold:9 10 => not-between
         4 hold:9 chips:3:7 > hold:8 10 => not-between
         4 correction:9 chips:3:7 > hold:8 10 => not-between",
    );
}

#[test]
fn a_closed_round_holds_nothing_and_takes_nothing() {
    check_table(
        "pend 4 wager chips:3:7 > bet:3:7:41:2 1000
         pend 5 wager chips:3:7 > bet:3:7:42:1 500
         close 3 40
         close 3 41 => holds 1000
         close 3 42 => holds 1500
         close 4 42
         post 4 1000
         close 3 41
         post 4 1000 => unknown-pending
         pend 4 wager chips:3:7 > bet:3:7:41:2 1000 => round-closed
         6 winnings:41:2 table:3:float > chips:3:7 950 => round-closed
         note 6 3 round:41 rounded-up 1 => round-closed
         note 6 3 round:40 rounded-up 1 => round-closed
         note 6 3 round:42 rounded-up 1
         close 3 40
         pend 7 wager chips:3:7 > bet:3:7:41:2 1000 => round-closed
         void 5
         close 3 42",
    );
}

#[test]
fn what_is_forgotten_is_not_done_again() {
    check_table(
        "pend 4 withdrawal player:7:wallet > cage 100
         pend 5 wager chips:3:7 > bet:3:7:41:2 1000
         post 5 1000
         forget 5
         2 deposit cage > player:7:wallet 8000 => id-forgotten
         void 2 => id-forgotten
         5 tip chips:3:7 > table:3:tips 1 => duplicate-id
         post 5 1000 => already
         post 4 100
         close 3 41
         post 5 1000 => id-forgotten
         6 deposit cage > player:7:wallet 8000
         forget 3
         post 5 1000 => id-forgotten
         2 deposit cage > player:7:wallet 8000 => id-forgotten
         6 deposit cage > player:7:wallet 8000 => already",
    );
}

/// The order in which the rules are documented.
#[test]
fn the_first_rule_against_an_entry_is_named() {
    check_table(
        "pend 4 wager chips:3:7 > bet:3:7:41:2 1000
         5 winnings:41:1 table:3:float > chips:3:7 1
         3 deposit chips:3:7 > chips:3:7 0 => duplicate-id
         9 deposit chips:3:7 > chips:3:7 0 => zero-amount
         9 deposit chips:3:7 > chips:3:7 9999 => same-account
         close 4 50
         9 wager player:7:wallet > bet:4:7:41:2 9999 => not-between
         9 wager chips:4:7 > bet:4:7:41:2 9999 => wrong-phase
         pend 9 wager chips:4:7 > bet:4:7:41:2 9999 => round-closed
         9 winnings:41:1 table:3:float > chips:3:7 9999999 => paid-twice
         9 winnings:41:9 table:3:float > chips:3:7 9999999 => would-go-negative",
    );
}

/// Only this table's, in order of player, with what is on the layout.
#[test]
fn the_chips_at_a_table_are_listed_by_player() {
    use croupier_ledger::{
        Account, Amount, Balance, Entry, Kind, Ledger, PlayerId, TableId, Transfer, TransferId,
    };

    let mut ledger = Ledger::default();
    for (id, (table, player)) in (1..).step_by(2).zip([(3, 9), (2, 7), (3, u32::MAX), (4, 0), (3, 0)]) {
        let (table, player) = (TableId(table), PlayerId(player));
        let (wallet, chips) = (Account::Wallet(player), Account::Chips { table, player });
        let transfer = |id, from, to, kind| {
            Entry::Direct(Transfer { id: TransferId(id), from, to, amount: Amount::new(50).unwrap(), kind })
        };
        let deposit = transfer(id, Account::Cage, wallet, Kind::Deposit);
        ledger.apply(&[deposit, transfer(id + 1, wallet, chips, Kind::BuyIn)]).unwrap();
    }
    let fifty = Balance { posted: 50, ..Balance::default() };
    let listed: Vec<_> = ledger.chips_at(TableId(3)).collect();
    assert_eq!(listed, [0, 9, u32::MAX].map(|player| (PlayerId(player), fifty)));
    assert_eq!(ledger.chips_at(TableId(5)).count(), 0);
}
