//! What a table is opened with: a game, and every setting its rulebook leaves to the operator.
//!
//! An [`Opening`] is what the operator says; a [`Setup`] exists only if all of it fits together.

mod choose;

use std::sync::Arc;

use croupier_rules::clause::Basis;
use croupier_rules::entry::Together;
use croupier_rules::rulebook::Layout;
use croupier_rules::setting::Setting;
use croupier_rules::settle::{Terms, TermsFault};
use croupier_rules::{Amount, Game, Odds, Rulebook};

use crate::actor::Rank;
use crate::authority::Authority;
use crate::cover::Cover;

/// What the operator asks for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = TableOpening))]
pub struct Opening {
    /// The game, such as `hoiana-baccarat/commission`.
    pub game: String,
    /// The version of the rulebook the operator means, if it is named.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub version: Option<String>,
    /// The day, as `YYYY-MM-DD`, if it is named.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub date: Option<String>,
    /// The settings chosen; a later one overrules an earlier one.
    pub settings: Vec<Chosen>,
    /// What the house asks of its own people, whatever the rulebook says.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "ChosenControls::are_none"))]
    pub controls: ChosenControls,
}

/// The house's controls over its own people. A table opened without any leaves everything to the Dealer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChosenControls {
    /// The lowest rank, by its id in the rulebook, of a second person: who confirms a finding that ends a round or
    /// moves money, and sees a card put right after the result. With it, a card that was seen is put right with a
    /// reason only.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub second_person: Option<String>,
    /// What a card is that nobody has read is said by the staff, never by the player who opens it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "core::ops::Not::not"))]
    pub house_reads: bool,
}

impl ChosenControls {
    /// Whether there are none.
    #[must_use]
    pub fn are_none(&self) -> bool {
        *self == Self::default()
    }
}

/// The controls of a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Controls {
    /// The lowest rank of a second person; nothing if none is asked for.
    pub second_person: Option<Rank>,
    /// A player never says what a card is.
    pub house_reads: bool,
}

/// A setting with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = ChosenSetting))]
pub struct Chosen {
    /// Which.
    pub setting: Setting,
    /// The bet it is for, where it is for one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub bet: Option<String>,
    /// The odds it is for, where it is for some.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub odds: Option<Odds>,
    /// The value.
    // The derive takes every type of that name for any JSON.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::openapi::SettingValue))]
    pub value: Value,
}

/// The value of a setting.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = SettingValue))]
pub enum Value {
    /// A number.
    Count(u32),
    /// An amount.
    Money(Amount),
    /// A word.
    Word(String),
}

/// What is wrong with an opening.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct SetupFault {
    /// The part of the opening it is about.
    pub about: Concern,
    /// What is wrong, and what would be accepted; about money in minor units.
    pub message: String,
    /// What that rests on.
    pub cites: Vec<Basis>,
}

/// A part of an opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Concern {
    /// The game.
    Game,
    /// The version of the rulebook.
    Version,
    /// The day.
    Date,
    /// A setting by itself.
    Setting(Setting),
    /// Amounts that do not fit together.
    Money(TermsFault),
    /// The house's controls.
    Controls,
}

impl From<Setting> for Concern {
    fn from(setting: Setting) -> Self {
        Self::Setting(setting)
    }
}

impl SetupFault {
    /// The setting, if it is about one by itself.
    #[must_use]
    pub const fn setting(&self) -> Option<Setting> {
        match self.about {
            Concern::Setting(setting) => Some(setting),
            Concern::Game | Concern::Version | Concern::Date | Concern::Money(_) | Concern::Controls => None,
        }
    }

    /// The places of the chosen settings that have part in it, in their order.
    #[must_use]
    pub fn places(&self, settings: &[Chosen]) -> Vec<usize> {
        let has_part = |chosen: &Chosen| match &self.about {
            Concern::Setting(setting) => chosen.setting == *setting,
            Concern::Money(fault) => chosen.has_part(fault),
            Concern::Game | Concern::Version | Concern::Date | Concern::Controls => false,
        };
        let places = settings.iter().enumerate().filter(|(_, chosen)| has_part(chosen));
        places.map(|(place, _)| place).collect()
    }
}

impl Chosen {
    /// Whether the amount is one of those that do not fit: terms are checked as a whole and do not know from which
    /// setting an amount comes.
    fn has_part(&self, fault: &TermsFault) -> bool {
        let is = |amount: &Amount| matches!(&self.value, Value::Money(known) if known == amount);
        match fault {
            TermsFault::Chip { chip } => self.setting == Setting::Chip && is(chip),
            TermsFault::NotInChips { amount, .. } => {
                !matches!(self.setting, Setting::Chip | Setting::PayableUnit) && is(amount)
            }
            TermsFault::PayableUnit { unit } => self.setting == Setting::PayableUnit && is(unit),
            TermsFault::Crossed { minimum, maximum } => {
                self.setting == Setting::Minimum && is(minimum)
                    || self.setting == Setting::Maximum && is(maximum)
            }
        }
    }
}

/// How cards are dealt under a rulebook with several methods.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Method {
    /// Players squeeze.
    A,
    /// The Dealer opens.
    B,
    /// A player draws from the device.
    C,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 3] = [Self::A, Self::B, Self::C];

    /// Its letter.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
        }
    }
}

/// Who squeezes on request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Allocation {
    /// One player: the highest at the table.
    TableHighest,
    /// The highest on each hand.
    PerHandHighest,
}

/// How long insurance not taken is forgone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lapse {
    /// For the round.
    Round,
    /// For the window.
    Window,
}

/// How players choose after a shoe was not burned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ShoeVote {
    /// One who asks for new cards is enough.
    AnyReplace,
    /// The majority decides; a draw keeps the shoe.
    Majority,
}

/// What an automatic table does when the differential blocks the closing call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WhenBlocked {
    /// Wait for the players.
    Wait,
    /// Deal; the wagers are settled pro rata.
    Deal,
    /// Give the newest wagers of the heavier side back.
    ReturnNewest,
}

/// What an automatic table does when a ruling needs a rank that is not on duty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WhenAbsent {
    /// Wait for somebody.
    Wait,
    /// Carry out the ruling that stands if nobody orders another.
    FirstRuling,
    /// Void the round.
    Void,
}

/// How long a wager below the minimum is remembered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WarnedFor {
    /// Until the gaming day ends, which is when the table closes.
    GamingDay,
    /// Until the shoe ends.
    Shoe,
}

/// The validated settings of a table.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The rulebook in force.
    pub rulebook: Arc<Rulebook>,
    /// The place of the game among the rulebook's.
    pub(crate) game: usize,
    /// Limits, chips, rounding.
    pub terms: Terms,
    /// The place of the layout among the rulebook's.
    pub(crate) layout: Option<usize>,
    /// Seats, or boxes.
    pub seats: u8,
    /// Decks in the shoe.
    pub decks: u8,
    /// Two sets of cards take turns.
    pub alternates: bool,
    /// Cards burned from a new shoe.
    pub burn: u8,
    /// Where the cut card lies, in cards from the end; nothing where there is none.
    pub cut_card: Option<u16>,
    /// Rounds dealt after the cut card came out.
    pub rounds_after_cut_card: u8,
    /// The method the table opens with.
    pub method: Option<Method>,
    /// Whether the device reads the cards.
    pub device_reads: bool,
    /// Whether the table stands in an area for high-limit play.
    pub high_limit_area: bool,
    /// Whether players may ask to squeeze.
    pub squeeze: bool,
    /// Who squeezes on request.
    pub allocation: Allocation,
    /// Most wagers in one area.
    pub wagers_per_area: Option<u8>,
    /// Wagers outside the limits are taken, and settled by the limit rules.
    pub accepts_outside_limits: bool,
    /// Whether the table offers insurance when it opens.
    pub insurance: bool,
    /// How long insurance not taken is forgone.
    pub lapse: Lapse,
    /// Seconds for betting.
    pub betting_seconds: u32,
    /// Seconds to answer an option.
    pub option_seconds: u32,
    /// Seconds for insurance.
    pub insurance_seconds: u32,
    /// How long a wager below the minimum is remembered.
    pub warned_for: WarnedFor,
    /// How players choose after a shoe was not burned.
    pub shoe_vote: ShoeVote,
    /// An unseen surplus card of the Banker goes to the highest authority.
    pub refers_unseen_surplus: bool,
    /// Who rules where the rulebook names nobody.
    pub residual: Option<Rank>,
    /// Somebody acting in a rank counts as of it: the rulebook grants it, or the house has switched it on.
    pub acting_ranks: bool,
    /// The device goes round clockwise.
    pub device_clockwise: bool,
    /// One player may take several boxes.
    pub several_boxes: bool,
    /// Boxes are dealt from the Dealer's right, and settled from the left.
    pub from_dealer_right: bool,
    /// Hands are dealt one card a turn.
    pub one_by_one: bool,
    /// Commission is owed until the shoe ends.
    pub commission_at_shoe_end: bool,
    /// What an automatic table does when the differential blocks the close.
    pub when_blocked: WhenBlocked,
    /// What it does when a rank is missing.
    pub when_absent: WhenAbsent,
    /// What the house asks of its own people.
    pub controls: Controls,
    /// What the house can lose on a round.
    pub(crate) cover: Cover,
}

impl Setup {
    /// Checks an opening against the rulebook.
    ///
    /// # Errors
    /// Everything that is wrong or missing.
    pub fn new(rulebook: &Arc<Rulebook>, opening: &Opening) -> Result<Self, Vec<SetupFault>> {
        choose::setup(rulebook, opening)
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.rulebook.games[self.game]
    }

    /// The layout, where the rulebook has layouts.
    #[must_use]
    pub fn layout(&self) -> Option<&Layout> {
        self.layout.and_then(|at| self.rulebook.layouts.get(at))
    }

    /// How the wagers of one player depend on each other at this table.
    pub(crate) fn together(&self) -> Together<'_> {
        let together = Together::new(self.game(), self.terms.bonus_requires_main);
        // A chip table cannot keep a wager from lying too high.
        if self.accepts_outside_limits { together.as_they_lie() } else { together }
    }

    /// Who may decide what at this table.
    #[must_use]
    pub fn authority(&self) -> Authority<'_> {
        Authority {
            rulebook: &self.rulebook,
            game: self.game(),
            residual: self.residual,
            acting_ranks: self.acting_ranks,
        }
    }
}
