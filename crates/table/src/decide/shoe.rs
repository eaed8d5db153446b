//! The life of a shoe: loaded, shuffled, cut, burned, counted, replaced, ended.

use croupier_cards::Card;
use croupier_rules::irregularity::{Irregularity, ShoeFate};
use croupier_rules::setting::Setting;
use croupier_rules::{Basis, Family, Rule, Rulebook};

use super::irregular::raise;
use super::next::{new_shoe, not_now};
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

pub(super) fn load(
    draft: &mut Draft<'_>,
    set: Option<DeckSet>,
    commitment: Option<[u8; 32]>,
) -> Result<(), Refusal> {
    let table = draft.base();
    let first = table.shoe.number == 0;
    let niu_niu = table.setup.family() == Family::NiuNiu;
    if table.shoe.fate == ShoeFate::Replace {
        return Err(super::wagers::locked(draft));
    }
    if !(first || matches!(table.stage, Stage::ShoeEnd) || niu_niu && table.stage == Stage::Ready) {
        return Err(Why::NotNow { phase: table.phase(), instead: new_shoe(table) }.into());
    }
    if table.setup.alternates && !first && set.is_some() && set == table.shoe.set {
        return draft.refuse(Why::SameDeck, &[Rule::TwoDecks]);
    }
    let set = if niu_niu { set.or(next_set(table)) } else { None };
    let rules: &[Rule] = if table.setup.alternates {
        &[Rule::TwoDecks, Rule::OneDeck]
    } else if niu_niu {
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
    if table.shoe.number == 0 {
        return Err(Why::ShoeNotReady { missing: "load it" }.into());
    }
    if !between_cards(table) {
        return Err(Why::NotNow { phase: table.phase(), instead: "finish the round" }.into());
    }
    if table.stage == Stage::ShoeOption {
        return draft.refuse(Why::ShoeChoice, &[Rule::ShoeChoice]);
    }
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
    } else if betting && table.shoe.left > 0 && table.round.open().next().is_some() {
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

fn is_loaded(draft: &Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    if table.shoe.number == 0 {
        return Err(Why::ShoeNotReady { missing: "load it" }.into());
    }
    // Between rounds a shoe that was played from is not prepared again.
    if !between_cards(table) || table.shoe.rounds > 0 {
        return Err(Why::NotNow { phase: table.phase(), instead: new_shoe(table) }.into());
    }
    Ok(())
}

pub(super) fn record_shuffle(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    is_loaded(draft)?;
    if draft.base().shoe.is_shuffled {
        return Err(Why::Already.into());
    }
    let by = draft.actor;
    draft.emit(Fact::Shuffled { by }, &[]);
    Ok(())
}

/// A player cuts, or the Dealer, or somebody above.
///
/// Where the cut lies changes nothing here: the table does not know the order of the cards.
pub(super) fn cut(draft: &mut Draft<'_>, above: Option<u16>) -> Result<(), Refusal> {
    is_loaded(draft)?;
    if draft.base().shoe.is_cut {
        return Err(Why::Already.into());
    }
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
    is_loaded(draft)?;
    let table = draft.base();
    let due = table.setup.burn;
    let cites = table.rulebook().setting(Setting::Burn).map(|spec| spec.cites.clone()).unwrap_or_default();
    if table.shoe.is_burned || count != due || due == 0 || cards.len() > usize::from(count) {
        return Err(Refusal::new(Why::Burn { due }, &cites));
    }
    if u16::from(count) > table.shoe.left {
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

/// The cut card is set aside. Ahead of a round's first card some rulebooks let players withdraw.
pub(super) fn cut_card_out(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    if table.setup.cut_card.is_none() || table.shoe.number == 0 {
        return Err(Why::OtherGame { what: "this table has no cut card" }.into());
    }
    if table.shoe.cut_card_out {
        return Err(Why::Already.into());
    }
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

pub(super) fn announce_last(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    let next = match table.stage {
        Stage::Ready => true,
        Stage::Betting { .. } | Stage::Playing => false,
        Stage::Shoe | Stage::ShoeOption | Stage::ShoeEnd | Stage::Closed => {
            return Err(not_now(table).into());
        }
    };
    if table.shoe.rounds_left.is_some_and(|left| left <= u8::from(next)) {
        return Err(Why::Already.into());
    }
    draft.emit_by(Fact::LastHand { next }, &[Rule::LastHand]);
    Ok(())
}

/// A count that does not come out means a foreign or missing card.
pub(super) fn count(draft: &mut Draft<'_>, left: u16) -> Result<(), Refusal> {
    let expected = draft.base().shoe.left;
    if draft.base().shoe.number == 0 {
        return Err(Why::ShoeNotReady { missing: "load it" }.into());
    }
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
    if table.shoe.number == 0 {
        return Err(Why::ShoeNotReady { missing: "load it" }.into());
    }
    match table.stage {
        Stage::Betting { .. } => raise_short(draft),
        Stage::Playing => match lacks_card(table) {
            Some(true) => raise_short(draft),
            None if table.shoe.found_empty => Err(Why::Already.into()),
            lacks => {
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
        Stage::ShoeEnd | Stage::Closed => Err(Why::Already.into()),
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
pub(crate) fn may_be_empty(table: &Table) -> bool {
    let waits = table.stage == Stage::Playing && table.shoe.found_empty && lacks_card(table).is_none();
    table.shoe.number > 0 && !matches!(table.stage, Stage::ShoeEnd | Stage::Closed) && !waits
}

pub(super) fn choose(draft: &mut Draft<'_>, player: PlayerId, replace: bool) -> Result<(), Refusal> {
    let table = draft.base();
    present(table, player)?;
    if table.stage != Stage::ShoeOption {
        return Err(Why::NotNow {
            phase: table.phase(),
            instead: "a ruling must let the players choose the shoe",
        }
        .into());
    }
    if !table.round.wagers.iter().any(|laid| laid.player == player) {
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
    if table.stage != Stage::ShoeOption {
        return Err(Why::NotNow {
            phase: table.phase(),
            instead: "a ruling must let the players choose the shoe",
        }
        .into());
    }
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
