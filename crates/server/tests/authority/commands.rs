//! A row for each command, at a table of MBS Dragon Tiger. `y` is for somebody else to do (not-yours), `a` needs a rank
//! (not-authorised), `s` needs to be signed on, `o` is the player's own, `x` is for nobody who is excluded, `w` needs a
//! witness. Three are by the game and not for want of authority, so they are no denials: `d` is for whoever draws the
//! cards and `q` for whoever squeezes them, under the dealing method in use, and `n` is for nobody, since this table deals
//! face up. `c` is decided in a case and paid by the cage, never by a command at a table.
//!
//! The ranks are those of the rulebook: the Pit Manager for a new shoe (5.13), taking a wager off (5.18.3), the dealing
//! method (3.9.2), the area limit (3.7.1) and the squeeze (3.16); the Dealer for the order of opening (3.10.6). It has no
//! clause that lets anybody forbid the squeeze, and no insurance, so nobody has those powers, whatever the rank.

use serde_json::json;

use super::{Command, plain};
use crate::site::wager;

#[rustfmt::skip]
pub(crate) const COMMANDS: &[Command] = &[
    // Staff and the money of the table.                                                              pozxdsbvea
    ("sign-on", |_| json!({"sign-on": {"person": 5, "rank": 0}}),                                    "yyyy...y.."),
    ("sign-off", |_| json!({"sign-off": 5}),                                                         "yyyy...y.."),
    ("fill", |_| json!({"fill": {"amount": 100, "witness": 0}}),                                     "wwwwwwwwww"),
    ("credit", |_| json!({"credit": {"amount": 100, "witness": 0}}),                                 "wwwwwwwwww"),
    ("count-drop", |_| json!({"count-drop": {"witness": 0}}),                                        "wwwwwwwwww"),
    ("pay-tips", |_| plain("pay-tips"),                                                              "aaaaaa.aaa"),
    ("close-table", |_| json!({"close-table": {"counted": 0, "witness": 0}}),                        "wwwwwwwwww"),
    // What a player does, or staff of the table for them.
    ("sit", |player| json!({"sit": {"player": player, "seat": 3}}),                                  ".yyx.s.yx."),
    ("stand", |player| json!({"stand": {"player": player}}),                                         ".yyx.s.yx."),
    ("buy-in", |player| json!({"buy-in": {"player": player, "amount": 100, "cash": false}}),         ".yyxosoyxo"),
    ("leave", |player| json!({"leave": {"player": player}}),                                         ".yy..s.y.."),
    ("tip", |player| json!({"tip": {"player": player, "amount": 100}}),                              ".yyxosoyxo"),
    ("post-correction", |player| json!({"post-correction": {"case": 1, "player": player, "amount": 100}}),  "cccccccccc"),
    ("accept-notice", |player| json!({"accept-notice": {"player": player}}),                         "...x.s..x."),
    ("place", |player| wager(player, 0, 100),                                                        ".yyx.s.yx."),
    ("take-back", |player| json!({"take-back": {"player": player, "bet": 0}}),                       ".yy..s.y.."),
    ("insure", |player| json!({"insure": {"player": player, "side": "player", "amount": 100}}),      ".yyx.s.yx."),
    ("ask-squeeze", |player| json!({"ask-squeeze": {"player": player}}),                             "nyyxnsnyx."),
    ("refuse-squeeze", |player| json!({"refuse-squeeze": {"player": player, "side": "player"}}),     "qyyqqsqyq."),
    ("take-device", |player| json!({"take-device": {"player": player}}),                             "dyyxdsdyx."),
    ("answer", |player| json!({"answer": {"player": player, "withdraw": true}}),                     ".yy..s.y.."),
    ("choose-shoe", |player| json!({"choose-shoe": {"player": player, "replace": true}}),            ".yy..s.y.."),
    ("handle-cards", |player| json!({"handle-cards": {"player": player, "box_number": 1}}),          ".....s...."),
    // The shoe.
    ("load-shoe", |_| json!({"load-shoe": {}}),                                                      "yyyy...y.."),
    ("record-shuffle", |_| plain("record-shuffle"),                                                  "yyyy...y.."),
    ("cut-cards", |_| json!({"cut-cards": {}}),                                                      ".......y.."),
    ("burn", |_| json!({"burn": {"count": 1, "cards": []}}),                                         "yyyy...y.."),
    ("cut-card-out", |_| plain("cut-card-out"),                                                      "yyyy...y.."),
    ("announce-last", |_| plain("announce-last"),                                                    "yyyy...y.."),
    ("count-shoe", |_| json!({"count-shoe": {"left": 1}}),                                           "yyyy...y.."),
    ("replace-shoe", |_| json!({"replace-shoe": {}}),                                                "aaaaaa.aaa"),
    ("shoe-empty", |_| plain("shoe-empty"),                                                          "yyyy...y.."),
    ("close-shoe-choice", |_| plain("close-shoe-choice"),                                            "yyyy...y.."),
    // Betting.
    ("open-bets", |_| plain("open-bets"),                                                            "yyyy...y.."),
    ("close-bets", |_| plain("close-bets"),                                                          "yyyy...y.."),
    ("ask-to-reduce", |_| plain("ask-to-reduce"),                                                    "yyyy...y.."),
    ("remove-wager", |player| json!({"remove-wager": {"player": player, "bet": 0}}),                 "aaaaaa.aaa"),
    ("limit-areas", |_| json!({"limit-areas": 1}),                                                   "aaaaaa.aaa"),
    // The deal.
    ("draw", |_| json!({"draw": {"exposed": false}}),                                                "dddd...y.."),
    ("draw-together", |_| json!({"draw-together": {"cards": [], "order_known": true}}),              ".........."),
    ("correct", |_| json!({"correct": {"draw": 1, "card": "AS"}}),                                   ".........."),
    ("reveal", |_| json!({"reveal": {"side": "player", "told": []}}),                                "nnnn...y.."),
    ("open-first", |_| json!({"open-first": "player"}),                                              "aaaa...a.."),
    ("deal-free-hand", |_| plain("deal-free-hand"),                                                  ".........."),
    ("call", |_| json!({"call": "player"}),                                                          "yyyy...y.."),
    ("display", |_| json!({"display": "player"}),                                                    "yyyy...y.."),
    ("settle", |_| plain("settle"),                                                                  "yyyy...y.."),
    // Squeezing and the dealing methods.
    ("choose-method", |_| json!({"choose-method": "A"}),                                             "aaaaaa.aaa"),
    ("forbid-squeeze", |player| json!({"forbid-squeeze": {"player": player}}),                       "aaaaaaaaaa"),
    ("lift", |player| json!({"lift": {"player": player, "bar": "squeezing"}}),                         "aaaaaaaaaa"),
    ("allow-squeeze", |player| json!({"allow-squeeze": {"player": player, "side": "player"}}),       "aaaaaanaaa"),
    ("permit-drawing", |player| json!({"permit-drawing": {"player": player}}),                       "aaaaaadaaa"),
    ("give-up-device", |_| plain("give-up-device"),                                                  "yyyy...y.."),
    ("pass-hand", |_| json!({"pass-hand": {"side": "player"}}),                                      "yyyyyyyyyy"),
    ("hand-over", |player| json!({"hand-over": {"side": "player", "to": player}}),                   "yyyy...y.."),
    // Insurance.
    ("offer-insurance", |_| plain("offer-insurance"),                                                "yyyy...y.."),
    ("close-insurance", |_| plain("close-insurance"),                                                "yyyy...y.."),
    ("permit-insurance", |_| plain("permit-insurance"),                                              ".........."),
    ("switch-insurance", |player| json!({"switch-insurance": {"on": false, "asked_by": player}}),    ".........."),
    ("show-banker-first", |player| json!({"show-banker-first": {"asked_by": player}}),               ".........."),
    // Irregularities.
    ("report", |_| json!({"report": "jam"}),                                                         "yyyy...y.."),
    ("rule", |_| json!({"rule": {"remedy": "void"}}),                                                "yyyy...y.."),
    ("confirm", |_| plain("confirm"),                                                                "yyyy...y.."),
    ("retract", |_| plain("retract"),                                                                "aaaaaa.aaa"),
    ("close-window", |_| plain("close-window"),                                                      "yyyy...y.."),
    ("hold-two", |_| json!({"hold-two": ["AS", "KS"]}),                                              "yyyy...y.."),
    ("sorted", |_| json!({"sorted": {"found": {}, "witness": 0}}),                                   "wwwwwwwwww"),
    // Niu Niu; this is a table of another game.
    ("deal-packet", |_| json!({"deal-packet": {"to": "dealer", "cards": []}}),                       ".........."),
    ("correct-hand", |_| json!({"correct-hand": {"holder": "box1", "from": "KS", "to": "QS"}}),      ".........."),
    ("check-count", |_| plain("check-count"),                                                        ".........."),
    ("set-hand", |_| json!({"set-hand": {"holder": "dealer", "set_as": "niu-niu"}}),                 ".........."),
    ("open-dealer", |_| plain("open-dealer"),                                                        ".........."),
    ("restrict-boxes", |player| json!({"restrict-boxes": {"player": player}}),                       ".........."),
    ("report-handling", |player| json!({"report-handling": {"player": player}}),                     "yyyy...y.."),
];
