//! The life of a shoe: loaded, shuffled, cut, burned, counted, replaced, ended.

use croupier_cards::Card;
use croupier_rules::irregularity::{Irregularity, ShoeFate};
use croupier_rules::setting::Setting;
use croupier_rules::{Basis, Family, Rule, Rulebook};

use super::draft::{Against, Checked};
use super::irregular::raise;
use super::next::new_shoe;
use super::remedy::is_named;
use super::{Draft, count, house, present};
use crate::actor::PlayerId;
use crate::command::DeckSet;
use crate::event::{About, After, Fact};
use crate::refusal::{Refusal, Why};
use crate::setup::ShoeVote;
use crate::table::{Stage, Table};

/// No card of a round is out.
pub(crate) fn between_cards(table: &Table) -> bool {
    match table.stage {
        Stage::Playing => {
            let round = &table.round;
            round.draws.is_empty()
                && round.waiting.is_empty()
                && round.together.is_empty()
                && round.boxes.hands.is_empty()
        }
        Stage::Shoe
        | Stage::Ready
        | Stage::Betting { .. }
        | Stage::ShoeOption
        | Stage::ShoeEnd
        | Stage::Closed => true,
    }
}

/// Whether new cards may be loaded: where there are none, at the end of those that were there, or for each round.
pub(crate) fn check_load(table: &Table) -> Checked {
    let own_deck = table.setup.deck_per_round() && table.stage == Stage::Ready;
    match table.shoe.fate {
        ShoeFate::Replace => Err(Why::ShoeLocked.into()),
        ShoeFate::Keep | ShoeFate::MayReplace
            if table.shoe.number == 0 || table.stage == Stage::ShoeEnd || own_deck =>
        {
            Ok(())
        }
        ShoeFate::Keep | ShoeFate::MayReplace => Err(Against::NotNow(new_shoe(table))),
    }
}

pub(super) fn load(
    draft: &mut Draft<'_>,
    set: Option<DeckSet>,
    commitment: Option<[u8; 32]>,
) -> Result<(), Refusal> {
    let table = draft.base();
    let first = table.shoe.number == 0;
    let own_deck = table.setup.deck_per_round();
    draft.pass(check_load(table))?;
    if table.setup.alternates && !first && set.is_some() && set == table.shoe.set {
        return draft.refuse(Why::SameDeck, &[Rule::TwoDecks]);
    }
    let set = if own_deck { set.or(next_set(table)) } else { None };
    let rules: &[Rule] = if table.setup.alternates {
        &[Rule::TwoDecks, Rule::OneDeck]
    } else if own_deck {
        &[Rule::OneDeck]
    } else {
        &[]
    };
    house::collect_commission(draft);
    draft.emit_by(Fact::ShoeLoaded { number: table.shoe.number + 1, set, commitment }, rules);
    Ok(())
}

/// The deck whose turn it is: the other of two, or the only one.
pub(super) fn next_set(table: &Table) -> Option<DeckSet> {
    match table.shoe.set {
        set if !table.setup.alternates => set,
        Some(DeckSet::Red) => Some(DeckSet::Blue),
        Some(DeckSet::Blue) | None => Some(DeckSet::Red),
    }
}

pub(super) fn replace(draft: &mut Draft<'_>, commitment: Option<[u8; 32]>) -> Result<(), Refusal> {
    let table = draft.base();
    let mut cites = draft.granted.clone();
    draft.pass(check_replace(table))?;
    check_may_go(draft)?;
    // What ordered or allowed it; without that it is the House's own choice between two hands.
    if table.shoe.fate != ShoeFate::Keep {
        cites.splice(0..0, table.shoe.fate_cites.iter().copied());
    }
    let set = table.shoe.set.and(next_set(table));
    house::collect_commission(draft);
    draft.emit(Fact::ShoeLoaded { number: table.shoe.number + 1, set, commitment }, &cites);
    Ok(())
}

/// Whether other cards can come now, if nothing keeps those that are there in play.
pub(crate) fn check_replace(table: &Table) -> Checked {
    check_loaded(table)?;
    if !between_cards(table) {
        return Err(Against::NotNow("finish the round"));
    }
    match table.stage {
        Stage::ShoeOption => Err(Against::Why(Why::ShoeChoice, &[Rule::ShoeChoice])),
        Stage::Shoe
        | Stage::Ready
        | Stage::Betting { .. }
        | Stage::Playing
        | Stage::ShoeEnd
        | Stage::Closed => Ok(()),
    }
}

/// What keeps a shoe in play, unless a clause orders another.
enum Kept {
    /// A Free Hand is due from it.
    FreeHand,
    /// It is to be played out.
    PlayedOut,
    /// Wagers lie for its next hand.
    Wagers,
}

fn kept(table: &Table) -> Option<Kept> {
    let betting = matches!(table.stage, Stage::Betting { .. } | Stage::Playing);
    if table.shoe.fate == ShoeFate::Replace || table.stage == Stage::ShoeEnd {
        None
    } else if table.next.free {
        Some(Kept::FreeHand)
    } else if table.shoe.played_out {
        Some(Kept::PlayedOut)
    } else if betting && table.shoe.left > 0 && !table.shoe.found_empty && table.round.open().next().is_some()
    {
        Some(Kept::Wagers)
    } else {
        None
    }
}

/// Whether nothing keeps the shoe in play.
pub(crate) fn may_go(table: &Table) -> bool {
    kept(table).is_none()
}

fn check_may_go(draft: &Draft<'_>) -> Result<(), Refusal> {
    match kept(draft.base()) {
        None => Ok(()),
        Some(Kept::FreeHand) => {
            draft.refuse(Why::ShoeStays { until: "the Free Hand that is due is dealt" }, &[Rule::FreeHand])
        }
        Some(Kept::PlayedOut) => {
            let cites = no_burn_later(draft.base().rulebook());
            Err(Refusal::new(Why::ShoeStays { until: "it comes to its end" }, &cites))
        }
        Some(Kept::Wagers) => {
            let why = Why::ShoeStays { until: "the hand with the wagers is played" };
            draft.refuse(why, &[Rule::EarlierRoundsStand])
        }
    }
}

/// Whether there are cards.
pub(crate) fn check_loaded(table: &Table) -> Checked {
    if table.shoe.number > 0 { Ok(()) } else { Err(Why::ShoeNotReady { missing: "load it" }.into()) }
}

/// Whether cards are being made ready: between rounds a shoe that was played from is not prepared again.
fn check_new(table: &Table) -> Checked {
    check_loaded(table)?;
    let is_new = between_cards(table) && table.shoe.rounds == 0;
    if is_new { Ok(()) } else { Err(Against::NotNow(new_shoe(table))) }
}

/// Whether a shuffle can be put on record.
pub(crate) fn check_shuffle(table: &Table) -> Checked {
    check_new(table)?;
    if table.shoe.is_shuffled { Err(Why::Already.into()) } else { Ok(()) }
}

/// Whether the cards can be cut.
pub(crate) fn check_cut(table: &Table) -> Checked {
    check_new(table)?;
    if table.shoe.is_cut { Err(Why::Already.into()) } else { Ok(()) }
}

/// Whether the cards that this table burns can be burned.
pub(crate) fn check_burn(table: &Table) -> Checked {
    check_new(table)?;
    let due = table.setup.burn;
    let may = !table.shoe.is_burned && due > 0 && u16::from(due) <= table.shoe.left;
    if may { Ok(()) } else { Err(Why::Burn { due }.into()) }
}

pub(super) fn record_shuffle(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    draft.pass(check_shuffle(draft.base()))?;
    let by = draft.actor;
    draft.emit(Fact::Shuffled { by }, &[]);
    Ok(())
}

/// A player cuts, or the Dealer, or somebody above.
///
/// Where the cut lies changes nothing here: the table does not know the order of the cards.
pub(super) fn cut(draft: &mut Draft<'_>, above: Option<u16>) -> Result<(), Refusal> {
    draft.pass(check_cut(draft.base()))?;
    // With no card on one side of it nothing was cut.
    let most = draft.base().shoe.left.saturating_sub(1);
    if above.is_some_and(|above| above == 0 || above > most) {
        return Err(Why::BadCut { most }.into());
    }
    let by = draft.actor;
    draft.emit(Fact::Cut { by, above }, &[]);
    Ok(())
}

pub(super) fn burn(draft: &mut Draft<'_>, count: u8, cards: &[Card]) -> Result<(), Refusal> {
    let table = draft.base();
    draft.pass(check_new(table))?;
    let due = table.setup.burn;
    let cites = table.rulebook().setting(Setting::Burn).map(|spec| spec.cites.clone()).unwrap_or_default();
    if table.shoe.is_burned {
        return Err(Refusal::new(Why::Already, &cites));
    }
    if check_burn(table).is_err() || count != due || cards.len() > usize::from(count) {
        return Err(Refusal::new(Why::Burn { due }, &cites));
    }
    for (at, card) in cards.iter().enumerate() {
        let before = cards.iter().take(at).filter(|other| *other == card).count();
        if usize::from(table.shoe.unread.count(*card)) <= before {
            return raise(draft, Irregularity::ForeignCard, About::default(), String::new());
        }
    }
    draft.emit(Fact::Burned { count, cards: cards.to_vec() }, &cites);
    Ok(())
}

/// Whether the cut card can come out.
pub(crate) fn check_cut_card(table: &Table) -> Checked {
    if table.setup.cut_card.is_none() || table.shoe.number == 0 {
        return Err(Why::OtherGame { what: "this table has no cut card" }.into());
    }
    if table.shoe.cut_card_out { Err(Why::Already.into()) } else { Ok(()) }
}

/// The cut card is set aside. Ahead of a round's first card some rulebooks let players withdraw.
pub(super) fn cut_card_out(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    draft.pass(check_cut_card(table))?;
    // With no card of a round out it comes ahead of the first one, and the round that begins is the last.
    let in_round = matches!(table.stage, Stage::Betting { .. } | Stage::Playing);
    let first = in_round && between_cards(table);
    let rounds_left = match table.setup.rounds_after_cut_card {
        _ if first => 0,
        after if in_round => after,
        after => after.min(1),
    };
    // The last hand may have been announced before.
    let rounds_left = table.shoe.rounds_left.map_or(rounds_left, |known| known.min(rounds_left));
    draft.emit_by(Fact::CutCardOut { rounds_left }, &[Rule::CutCard]);
    if rounds_left == 0 && table.shoe.rounds_left != Some(0) {
        draft.emit_by(Fact::LastHand { next: !in_round }, &[Rule::LastHand]);
    }
    let ruled = |rule: &croupier_rules::irregularity::IrregularityRule| {
        rule.irregularity == Irregularity::CutCardFirst
    };
    if first && table.rulebook().irregularities.iter().any(ruled) {
        return raise(draft, Irregularity::CutCardFirst, About::default(), String::new());
    }
    Ok(())
}

/// Whether a hand can be announced as the last: the one that is played, or the next.
pub(crate) fn check_last(table: &Table) -> Checked {
    let next = match table.stage {
        Stage::Ready => 1,
        Stage::Betting { .. } | Stage::Playing => 0,
        Stage::Shoe | Stage::ShoeOption | Stage::ShoeEnd | Stage::Closed => return Err(Against::Next),
    };
    let is_known = table.shoe.rounds_left.is_some_and(|left| left <= next);
    if is_known { Err(Why::Already.into()) } else { Ok(()) }
}

pub(super) fn announce_last(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    draft.pass(check_last(table))?;
    let next = table.stage == Stage::Ready;
    draft.emit_by(Fact::LastHand { next }, &[Rule::LastHand]);
    Ok(())
}

/// A count that does not come out means a foreign or missing card.
pub(super) fn count(draft: &mut Draft<'_>, left: u16) -> Result<(), Refusal> {
    draft.pass(check_loaded(draft.base()))?;
    let expected = draft.base().shoe.left;
    draft.emit(Fact::ShoeCounted { expected, counted: left }, &[]);
    if left == expected {
        Ok(())
    } else {
        raise(
            draft,
            Irregularity::ForeignCard,
            About::default(),
            format!("{left} cards instead of {expected}"),
        )
    }
}

/// Nothing more comes out. A round that lacks a card cannot be finished; one that lacks none is the last.
pub(super) fn empty(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    draft.pass(check_empty(table))?;
    match table.stage {
        // No card is due yet.
        Stage::Betting { .. } => {
            draft.emit(Fact::ShoeFoundEmpty, &[]);
            Ok(())
        }
        Stage::Playing => match lacks_card(table) {
            Some(true) => raise_short(draft),
            lacks @ (Some(false) | None) => {
                if lacks.is_none() {
                    draft.emit(Fact::ShoeFoundEmpty, &[]);
                }
                draft.emit_by(Fact::LastHand { next: false }, &[Rule::LastHand]);
                Ok(())
            }
        },
        Stage::Ready | Stage::ShoeOption | Stage::Shoe => {
            draft.emit(Fact::ShoeEnded, &[]);
            Ok(())
        }
        // Nothing is left to come out.
        Stage::ShoeEnd | Stage::Closed => Ok(()),
    }
}

/// A round lacks a card.
pub(super) fn raise_short(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    raise(draft, Irregularity::NotEnoughCards, About::default(), String::new())
}

/// Whether a round needs a card that only the shoe could give; nothing while people cannot tell.
pub(super) fn lacks_card(table: &Table) -> Option<bool> {
    let round = &table.round;
    // Two are to be held back before the others are counted.
    if table.hold.as_ref().is_some_and(|hold| hold.sorting) && round.held.is_empty() {
        return Some(true);
    }
    match table.setup.family() {
        Family::NiuNiu => Some(count::is_short(table)),
        Family::Baccarat if !round.waiting.is_empty() => None,
        // Third cards may come from those that were held back.
        Family::Baccarat => round.due_seen().map(|due| due.is_some() && round.held.is_empty()),
    }
}

/// Whether it can be told that nothing more comes out of the shoe.
pub(crate) fn check_empty(table: &Table) -> Checked {
    check_loaded(table)?;
    let is_known = match table.stage {
        Stage::Playing => table.shoe.found_empty && lacks_card(table).is_none(),
        Stage::Betting { .. } => table.shoe.found_empty,
        Stage::ShoeEnd | Stage::Closed => true,
        Stage::Shoe | Stage::Ready | Stage::ShoeOption => false,
    };
    if is_known { Err(Why::Already.into()) } else { Ok(()) }
}

/// Whether the players choose the shoe now.
pub(crate) fn check_choice(table: &Table) -> Checked {
    if table.stage == Stage::ShoeOption {
        return Ok(());
    }
    Err(Against::NotNow("a ruling must let the players choose the shoe"))
}

/// Whether a player had a wager in the hand after which the shoe is chosen.
pub(crate) fn may_choose(table: &Table, player: PlayerId) -> bool {
    check_choice(table).is_ok() && table.round.wagers.iter().any(|laid| laid.player == player)
}

pub(super) fn choose(draft: &mut Draft<'_>, player: PlayerId, replace: bool) -> Result<(), Refusal> {
    let table = draft.base();
    present(table, player)?;
    draft.pass(check_choice(table))?;
    if !may_choose(table, player) {
        let because = "who had a wager in that hand chooses; the player had none";
        return draft.refuse(Why::NoChoice { because }, &[Rule::ShoeChoice]);
    }
    draft.emit_by(Fact::ShoeChosen { player, replace }, &[Rule::ShoeChoice]);
    close_if_all_chose(draft);
    Ok(())
}

/// What comes after a round. The players choose the shoe only where it could go on, and need not be replaced.
pub(super) fn after_round(table: &Table, shoe_ends: bool) -> After {
    if shoe_ends {
        After::ShoeEnd
    } else if table.round.shoe_choice && table.shoe.fate != ShoeFate::Replace {
        After::ShoeOption
    } else {
        After::Ready
    }
}

/// Once everybody has chosen who may and is still there, the choice is made.
pub(super) fn close_if_all_chose(draft: &mut Draft<'_>) {
    let table = draft.now();
    if table.stage != Stage::ShoeOption {
        return;
    }
    let chose = |player: PlayerId| table.round.shoe_choices.iter().any(|(known, _)| *known == player);
    let mut concerned =
        table.round.wagers.iter().map(|laid| laid.player).filter(|player| table.player(*player).is_some());
    if concerned.all(chose) {
        make_choice(draft);
    }
}

pub(super) fn close_choice(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    draft.pass(check_choice(table))?;
    make_choice(draft);
    Ok(())
}

fn make_choice(draft: &mut Draft<'_>) {
    let table = draft.now();
    let choices = &table.round.shoe_choices;
    let wants = choices.iter().filter(|(_, replace)| *replace).count();
    let replace = match table.setup.shoe_vote {
        ShoeVote::AnyReplace => wants > 0,
        ShoeVote::Majority => wants * 2 > choices.len(),
    };
    let mut cites = draft.cites(&[Rule::ShoeChoice]);
    let rulebook = draft.base().rulebook();
    cites.extend(rulebook.setting(Setting::NoBurnChoice).iter().flat_map(|spec| &spec.cites));
    draft.emit(Fact::ShoeChoiceMade { replace }, &cites);
    // A shoe that is kept is past its first hand.
    if !replace && is_named(rulebook, Irregularity::NoBurnLater) {
        draft.emit(Fact::ShoePlayedOut, &no_burn_later(rulebook));
    }
}

/// What it rests on that a shoe is played to its end which was not burned.
fn no_burn_later(rulebook: &Rulebook) -> Vec<Basis> {
    let rule = rulebook.irregularity(Irregularity::NoBurnLater);
    rule.iter().flat_map(|rule| &rule.rulings).flat_map(|ruling| &ruling.cites).copied().collect()
}
