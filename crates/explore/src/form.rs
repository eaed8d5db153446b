//! The canonical form of a situation, and its hash: two tables of one form have the same future, as far as rulings and
//! ways out go.
//!
//! Left out is what no rule of that kind looks at: how many chips players and house have (they are rich), what the
//! board shows, the numbers of round and shoe, how many cards are in the shoe beyond whether there are any, and the
//! cards and wagers of a round that is over.

use croupier_cards::Card;
use croupier_rules::baccarat::Side;
use croupier_rules::settle::End;
use croupier_table::command::Holder;
use croupier_table::event::Mark;
use croupier_table::table::{Hold, Stray};
use croupier_table::{PlayerId, Table};
use sha2::{Digest as _, Sha256};

/// The first half of a SHA-256 over the form.
pub(crate) type Key = [u64; 2];

/// The key of a table.
pub(crate) fn key(table: &Table) -> Key {
    let mut form = Form(Vec::with_capacity(512));
    form.table(table);
    let hash = Sha256::digest(&form.0);
    let part = |from: usize| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&hash[from..from + 8]);
        u64::from_le_bytes(bytes)
    };
    [part(0), part(8)]
}

/// Bytes that are put down in one fixed order, each list with its length.
struct Form(Vec<u8>);

impl Form {
    fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    fn flags<const COUNT: usize>(&mut self, flags: [bool; COUNT]) {
        flags.into_iter().for_each(|flag| self.byte(u8::from(flag)));
    }

    fn length(&mut self, length: usize) {
        self.byte(u8::try_from(length).unwrap_or(u8::MAX));
    }

    fn text(&mut self, text: &str) {
        self.length(text.len());
        self.0.extend(text.bytes());
    }

    fn card(&mut self, card: Option<Card>) {
        self.byte(card.map_or(u8::MAX, Card::to_byte));
    }

    fn side(&mut self, side: Option<Side>) {
        self.byte(match side {
            None => 0,
            Some(Side::Player) => 1,
            Some(Side::Banker) => 2,
        });
    }

    fn player(&mut self, player: Option<PlayerId>) {
        self.byte(player.map_or(0, |player| u8::try_from(player.0).unwrap_or(u8::MAX)));
    }

    fn players(&mut self, players: &[PlayerId]) {
        self.length(players.len());
        players.iter().for_each(|player| self.player(Some(*player)));
    }

    fn holder(&mut self, holder: Holder) {
        self.byte(match holder {
            Holder::Dealer => 0,
            Holder::Box(number) => number,
        });
    }

    fn strays(&mut self, strays: &[Stray]) {
        self.length(strays.len());
        for stray in strays {
            self.card(stray.card);
            self.side(stray.on);
            self.flags([stray.exposed]);
        }
    }

    fn table(&mut self, table: &Table) {
        self.text(table.phase().key());
        self.length(table.players.len());
        for player in &table.players {
            self.player(Some(player.id));
            let barred = player.one_box_from.is_some();
            self.flags([player.warned, player.accepted_notice, player.barred, barred]);
        }
        self.shoe(table);
        self.text(table.method.map_or("", |method| method.key()));
        self.flags([table.insurance_on, table.next.free]);
        self.player(table.device);
        self.player(table.may_draw);
        self.strays(&table.next.carried);
        let mut hold = table.hold.as_ref();
        while let Some(known) = hold {
            self.hold(known);
            hold = known.earlier.as_deref();
        }
        self.text("round");
        self.flags([table.round.number > 0, table.round.number > 1]);
        match table.round.closed {
            Some(mark) => self.byte(match mark {
                Mark::Result(_) | Mark::Played => 1,
                Mark::Free(_) => 2,
                Mark::Void => 3,
            }),
            None => {
                self.wagers(table);
                self.cards(table);
                self.rights(table);
            }
        }
        // Of a round that is over only who chooses the shoe counts.
        if table.round.closed.is_some() && table.round.shoe_choice {
            self.wagers(table);
        }
        self.length(table.round.shoe_choices.len());
        for (player, replace) in &table.round.shoe_choices {
            self.player(Some(*player));
            self.flags([*replace]);
        }
    }

    fn shoe(&mut self, table: &Table) {
        let shoe = &table.shoe;
        self.flags([
            shoe.number == 0,
            shoe.commitment.is_some(),
            shoe.left == 0,
            shoe.left < 14,
            shoe.is_shuffled,
            shoe.is_cut,
            shoe.is_burned,
            shoe.unburned_known,
            shoe.cut_card_out,
            shoe.played_out,
            shoe.found_empty,
            shoe.rounds > 0,
        ]);
        self.byte(shoe.rounds_left.map_or(u8::MAX, |left| left));
        self.text(shoe.fate.key());
        self.length(shoe.front.len());
        shoe.front.iter().for_each(|card| self.text(&card.map(|card| card.to_string()).unwrap_or_default()));
        self.text(shoe.unfit.map_or("", |irregularity| irregularity.key()));
    }

    fn hold(&mut self, hold: &Hold) {
        self.text(hold.irregularity.key());
        self.player(hold.about.player);
        self.side(hold.about.side);
        self.byte(hold.about.box_number.unwrap_or(0));
        self.text(&hold.told);
        self.flags([hold.found, hold.sorting]);
        self.text(&hold.ruling.as_ref().map(|made| format!("{made:?}")).unwrap_or_default());
        self.length(hold.answers.len());
        for (player, answer) in &hold.answers {
            self.player(Some(*player));
            self.byte(answer.map_or(2, u8::from));
        }
    }

    fn wagers(&mut self, table: &Table) {
        let end = |end: Option<End>| match end {
            None => 0,
            Some(End::Win) => 1,
            Some(End::Lose) => 2,
            Some(End::StandOff) => 3,
            Some(End::Returned) => 4,
        };
        self.length(table.round.wagers.len());
        for laid in table.round.wagers.iter() {
            self.player(Some(laid.player));
            self.length(laid.bet);
            self.byte(laid.area.unwrap_or(0));
            self.byte(end(laid.ended.as_ref().map(|(settled, _)| settled.end)));
            self.flags([laid.untimed]);
        }
        self.length(table.round.insurances.len());
        for laid in &table.round.insurances {
            self.player(Some(laid.player));
            self.length(laid.line);
            self.byte(end(laid.ended.as_ref().map(|settled| settled.end)));
        }
    }

    fn cards(&mut self, table: &Table) {
        let round = &table.round;
        self.length(round.draws.len());
        for dealt in &round.draws {
            self.card(dealt.card);
            self.side(Some(dealt.side));
            self.side(dealt.misplaced);
            self.flags([dealt.exposed, dealt.stand_in]);
        }
        self.flags(round.opened);
        self.strays(&round.surplus);
        self.strays(&round.waiting);
        for cards in [&round.together, &round.held, &round.boxes.dead] {
            self.length(cards.len());
            cards.iter().for_each(|card| self.card(Some(*card)));
        }
        let boxes = &round.boxes;
        self.length(boxes.hands.len());
        for dealt in &boxes.hands {
            self.holder(dealt.holder);
            self.length(dealt.cards.len());
            dealt.cards.iter().for_each(|card| self.card(Some(*card)));
            self.text(dealt.set_as.map_or("", |category| category.key()));
        }
        self.flags([boxes.counted, boxes.handled, boxes.cannot_rebuild, boxes.dealer_open]);
        self.length(boxes.early.len());
        boxes.early.iter().for_each(|holder| self.holder(*holder));
        self.length(boxes.voided.len());
        self.0.extend(&boxes.voided);
        self.flags([round.outcome.is_some()]);
    }

    fn rights(&mut self, table: &Table) {
        let round = &table.round;
        self.flags([
            round.free,
            round.last,
            round.begun,
            round.asked_to_reduce,
            round.missed,
            round.banker_first,
            round.next_seen,
            round.shoe_choice,
            round.differential_ruled,
            round.limits_ruled,
            round.reserves_ruled,
        ]);
        self.players(&round.absent);
        self.text(round.method.map_or("", |method| method.key()));
        self.flags(round.windows_over);
        self.byte(round.window.map_or(0, |window| 1 + window.stage.draws() + 16 * u8::from(window.offered)));
        for players in [&round.asked, &round.forbidden, &round.lapsed] {
            self.players(players);
        }
        self.length(round.refused.len());
        for (player, side) in &round.refused {
            self.player(Some(*player));
            self.side(Some(*side));
        }
        round.squeezers.into_iter().chain(round.away).for_each(|player| self.player(player));
        self.side(round.opens_first);
    }
}
