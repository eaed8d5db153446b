//! What at a table somebody should look at: the feed of surveillance.
//!
//! An exception is read from an event and the state before it. It says what, whom it concerns, what was at stake, and
//! on which clauses it rests; who and when is for the line that the event is in.

use croupier_cards::Card;
use croupier_ledger::PlayerId;
use croupier_rules::clause::Basis;
use croupier_rules::irregularity::{Irregularity, Remedy};
use croupier_table::event::Mark;
use croupier_table::{Actor, Event, Fact, Table};
use serde::{Deserialize, Serialize};

/// What kind of thing it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ExceptionKind {
    /// Something went wrong, and play stopped.
    Irregular,
    /// A report was taken back.
    Retracted,
    /// Somebody ruled, or a ruling followed at once.
    Ruled,
    /// A card was put right before the result was known.
    Corrected,
    /// A card was put right after it.
    CorrectedAfterResult,
    /// A round is void.
    Voided,
    /// A wager was laid, lifted or taken back after betting had closed, or nobody knows when.
    LateWager,
    /// A wager outside the limits was taken.
    OutsideLimits,
    /// A wager far above what the player usually lays.
    LargeWager,
    /// A hand went where it does not belong, or a player handled cards.
    Breach,
    /// The call or the display was not what the cards say.
    WrongCall,
    /// A restriction of a player was lifted.
    Lifted,
    /// Money or cards were counted, and the books say otherwise.
    CountDiffers,
    /// The float fell below a tenth of what was brought to the table.
    FloatLow,
    /// The decision of a dispute moved money.
    MoneyCorrected,
    /// An incident for the record.
    Incident,
    /// Somebody was refused for want of authority.
    Denied,
    /// A result too unlikely to be luck.
    Unlikely,
    /// A player's bets follow the shoe.
    FollowsShoe,
}

impl ExceptionKind {
    /// All of them.
    pub const ALL: [Self; 19] = [
        Self::Irregular,
        Self::Retracted,
        Self::Ruled,
        Self::Corrected,
        Self::CorrectedAfterResult,
        Self::Voided,
        Self::LateWager,
        Self::OutsideLimits,
        Self::LargeWager,
        Self::Breach,
        Self::WrongCall,
        Self::Lifted,
        Self::CountDiffers,
        Self::FloatLow,
        Self::MoneyCorrected,
        Self::Incident,
        Self::Denied,
        Self::Unlikely,
        Self::FollowsShoe,
    ];

    /// The name used in interfaces.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Irregular => "irregular",
            Self::Retracted => "retracted",
            Self::Ruled => "ruled",
            Self::Corrected => "corrected",
            Self::CorrectedAfterResult => "corrected-after-result",
            Self::Voided => "voided",
            Self::LateWager => "late-wager",
            Self::OutsideLimits => "outside-limits",
            Self::LargeWager => "large-wager",
            Self::Breach => "breach",
            Self::WrongCall => "wrong-call",
            Self::Lifted => "lifted",
            Self::CountDiffers => "count-differs",
            Self::FloatLow => "float-low",
            Self::MoneyCorrected => "money-corrected",
            Self::Incident => "incident",
            Self::Denied => "denied",
            Self::Unlikely => "unlikely",
            Self::FollowsShoe => "follows-shoe",
        }
    }

    /// How much it presses: 2 for what may have moved money wrongly, 1 for what stopped play or wants a look, 0 for what
    /// is put on record.
    #[must_use]
    pub const fn weight(self) -> u8 {
        match self {
            Self::CorrectedAfterResult
            | Self::Voided
            | Self::LateWager
            | Self::CountDiffers
            | Self::Unlikely
            | Self::FollowsShoe => 2,
            Self::Irregular
            | Self::Corrected
            | Self::LargeWager
            | Self::Breach
            | Self::WrongCall
            | Self::FloatLow
            | Self::MoneyCorrected
            | Self::Denied => 1,
            Self::Retracted | Self::Ruled | Self::OutsideLimits | Self::Lifted | Self::Incident => 0,
        }
    }
}

/// Something that somebody should look at.
#[derive(Clone, PartialEq, Debug)]
pub struct Exception {
    /// What.
    pub kind: ExceptionKind,
    /// What went wrong, of an irregularity.
    pub irregularity: Option<Irregularity>,
    /// What was ruled.
    pub remedy: Option<Remedy>,
    /// The player concerned.
    pub player: Option<PlayerId>,
    /// A card that was put right: what it was taken for, and what it is.
    pub card: Option<(Option<Card>, Card)>,
    /// What it is about, in minor units: the wager, the difference, the winnings.
    pub amount: Option<i64>,
    /// What lay on the layout, in minor units.
    pub at_stake: i64,
    /// What was told, or further words.
    pub told: String,
    /// What it rests on.
    pub cites: Vec<Basis>,
}

impl Exception {
    /// One of a kind, about nothing in particular yet.
    #[must_use]
    pub fn new(kind: ExceptionKind) -> Self {
        Self {
            kind,
            irregularity: None,
            remedy: None,
            player: None,
            card: None,
            amount: None,
            at_stake: 0,
            told: String::new(),
            cites: Vec::new(),
        }
    }

    /// What an event that is about to be applied to a table calls for, if it does.
    #[must_use]
    pub fn of(table: &Table, event: &Event, by: Actor) -> Option<Self> {
        let mut found = Self::read(table, &event.fact, by)?;
        found.at_stake = at_stake(table);
        found.cites.clone_from(&event.cites);
        Some(found)
    }

    fn read(table: &Table, fact: &Fact, by: Actor) -> Option<Self> {
        use ExceptionKind as Kind;
        let new = Self::new;
        let by_player = by.player();
        Some(match fact {
            Fact::Irregular { irregularity, about, told, .. } => Self {
                irregularity: Some(*irregularity),
                player: about.player,
                told: told.clone(),
                ..new(Kind::Irregular)
            },
            Fact::Retracted => Self {
                irregularity: table.hold.as_ref().map(|hold| hold.irregularity),
                ..new(Kind::Retracted)
            },
            Fact::Ruled { remedy, player, reason, .. } => Self {
                irregularity: table.hold.as_ref().map(|hold| hold.irregularity),
                remedy: Some(*remedy),
                player: *player,
                told: reason.clone(),
                ..new(Kind::Ruled)
            },
            Fact::Corrected { draw, card, .. } => {
                let at = usize::from(*draw).checked_sub(1);
                let round = &table.round;
                let strays = round.waiting.iter().chain(&round.surplus).chain(&table.next.carried);
                let dealt = at.and_then(|at| {
                    let draws = table.round.draws.iter().map(|dealt| (dealt.card, dealt.exposed));
                    draws.chain(strays.map(|stray| (stray.card, stray.exposed))).nth(at)
                });
                // A card that nobody had read is keyed, and nothing is put right.
                let before = dealt.and_then(|(card, _)| card);
                before?;
                Self { card: Some((before, *card)), ..new(corrected(table)) }
            }
            Fact::HandCorrected { from, to, .. } => {
                Self { card: Some((Some(*from), *to)), ..new(corrected(table)) }
            }
            Fact::RoundClosed { mark: Mark::Void, .. } if at_stake(table) > 0 => new(Kind::Voided),
            Fact::Placed { player, amount, untimed: true, .. } => {
                Self { player: Some(*player), amount: Some(amount.minor()), ..new(Kind::LateWager) }
            }
            Fact::Placed { player, amount, .. } if !is_betting(table) => {
                Self { player: Some(*player), amount: Some(amount.minor()), ..new(Kind::LateWager) }
            }
            Fact::LiftedLate { player, .. } => Self { player: Some(*player), ..new(Kind::LateWager) },
            Fact::Placed { player, amount, flagged: true, .. } => {
                Self { player: Some(*player), amount: Some(amount.minor()), ..new(Kind::OutsideLimits) }
            }
            Fact::HandPassed { breach: true, to, .. } => Self { player: *to, ..new(Kind::Breach) },
            Fact::Handled { player, .. } | Fact::HandlingStopped { player } => {
                Self { player: Some(*player), ..new(Kind::Breach) }
            }
            Fact::Called { call, cards } if call != cards => new(Kind::WrongCall),
            Fact::Displayed { shown, cards } if shown != cards => new(Kind::WrongCall),
            Fact::Lifted { player, .. } => Self { player: Some(*player), ..new(Kind::Lifted) },
            Fact::TableClosed { expected, counted } if expected != counted => {
                Self { amount: Some(counted.minor() - expected.minor()), ..new(Kind::CountDiffers) }
            }
            Fact::ShoeCounted { expected, counted } if expected != counted => Self {
                told: format!("{counted} cards counted, {expected} by the books"),
                ..new(Kind::CountDiffers)
            },
            Fact::CorrectionPosted { player, amount, .. } => {
                Self { player: Some(*player), amount: Some(amount.minor()), ..new(Kind::MoneyCorrected) }
            }
            Fact::Incident { what, player } => {
                Self { player: player.or(by_player), told: what.clone(), ..new(Kind::Incident) }
            }
            _ => return None,
        })
    }
}

/// What lies on the layout and has not ended, in minor units.
#[must_use]
pub fn at_stake(table: &Table) -> i64 {
    let round = &table.round;
    if round.closed.is_some() {
        return 0;
    }
    // Of a round that is about to close all wagers have ended; they were at stake all the same.
    let wagers = round.wagers.iter().map(|laid| laid.stake.minor());
    wagers.chain(round.insurances.iter().map(|laid| laid.stake.minor())).sum()
}

/// Whether the result was out: called, shown, or open to see.
fn corrected(table: &Table) -> ExceptionKind {
    let round = &table.round;
    let is_out = round.outcome.is_some() || round.called.is_some() || round.displayed.is_some();
    if is_out { ExceptionKind::CorrectedAfterResult } else { ExceptionKind::Corrected }
}

fn is_betting(table: &Table) -> bool {
    use croupier_table::Phase;
    // A wager that is found while play is on hold was there before, or nobody knows: betting is not open either way.
    matches!(table.phase(), Phase::BetsOpen | Phase::Reopened | Phase::DifferentialHold)
}
