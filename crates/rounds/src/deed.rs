//! What somebody at the table does, in words: `dealer opens betting`, `pit-manager rules void`.
//!
//! The words are the notation; from them comes the table's own command. Names of players and bets are looked
//! up by whoever asks, so that a file can be checked before a table exists.

use croupier_cards::{Card, Composition, Root, parse_cards};
use croupier_ledger::CaseId;
use croupier_rules::Amount;
use croupier_rules::baccarat::{Side, Winner};
use croupier_rules::irregularity::{Irregularity, Remedy};
use croupier_rules::names::{hint, nearest};
use croupier_rules::niu_niu::Category;
use croupier_table::command::{Bar, DeckSet, Holder};
use croupier_table::setup::Method;
use croupier_table::{Action, Because, PersonId, PlayerId, Rank, Report, RulingMade, Staff};

use crate::amount::Decimals;

/// Looks names up.
pub(crate) trait Names {
    /// The player of that name.
    fn player(&mut self, name: &str) -> Result<PlayerId, String>;
    /// The place of a bet on the menu.
    fn bet(&mut self, id: &str) -> Result<usize, String>;
    /// Who acts, if it is a player.
    fn actor(&mut self) -> PlayerId;
    /// Who acts, if it is one of the staff.
    fn staff(&mut self) -> Staff;
    /// Somebody else on duty, as a witness.
    fn witness(&mut self) -> PersonId;
    /// One of the staff by rank, as `pit-manager` or `acting-pit-manager`.
    fn ranked(&mut self, rank: &str) -> Result<Staff, String>;
    /// How many decimals amounts have.
    fn decimals(&self) -> Decimals;
    /// The version of the rulebook in force.
    fn version(&mut self) -> String;
    /// All cards of the table that are not in play and not held, but for these.
    fn all_but(&mut self, cards: &[Card]) -> Composition;
}

const NOBODY: Staff = Staff { person: PersonId(0), rank: Rank(0), acting: None };

/// Takes every name for a known one: to check the words alone.
pub(crate) struct AnyNames(pub(crate) Decimals);

impl Names for AnyNames {
    fn player(&mut self, _: &str) -> Result<PlayerId, String> {
        Ok(PlayerId(0))
    }
    fn bet(&mut self, _: &str) -> Result<usize, String> {
        Ok(0)
    }
    fn actor(&mut self) -> PlayerId {
        PlayerId(0)
    }
    fn staff(&mut self) -> Staff {
        NOBODY
    }
    fn witness(&mut self) -> PersonId {
        NOBODY.person
    }
    fn ranked(&mut self, _: &str) -> Result<Staff, String> {
        Ok(NOBODY)
    }
    fn decimals(&self) -> Decimals {
        self.0
    }
    fn version(&mut self) -> String {
        String::new()
    }
    fn all_but(&mut self, _: &[Card]) -> Composition {
        Composition::EMPTY
    }
}

/// Why words are no deed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NoDeed {
    /// The verb is not one of the table's.
    Unknown,
    /// The verb is, but not with these words.
    Words(String),
}

type Found = Result<Action, NoDeed>;

fn words<T>(message: impl Into<String>) -> Result<T, NoDeed> {
    Err(NoDeed::Words(message.into()))
}

fn side(word: &str) -> Result<Side, NoDeed> {
    match word {
        "player" => Ok(Side::Player),
        "banker" => Ok(Side::Banker),
        _ => words(format!("`{word}` is not a hand; {}", one_of(word, ["player", "banker"]))),
    }
}

/// The name that was meant, or those that are accepted: `a`, `b` or `c`.
pub(crate) fn one_of<const N: usize>(typed: &str, known: [&str; N]) -> String {
    if let Some(meant) = nearest(typed, known) {
        return format!("did you mean `{meant}`?");
    }
    let quoted = known.map(|name| format!("`{name}`"));
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("accepted: {} or {last}", rest.join(", ")),
        Some((last, _)) => format!("accepted: {last}"),
        None => String::new(),
    }
}

fn number<T: core::str::FromStr>(word: &str) -> Result<T, NoDeed> {
    word.parse().map_err(|_| {
        NoDeed::Words(format!(
            "`{word}` is not a number that fits here; write a small whole number, such as 3"
        ))
    })
}

fn amount(decimals: Decimals, word: &str) -> Result<Amount, NoDeed> {
    decimals.parse_positive(word).map_err(|error| NoDeed::Words(format!("`{word}` {error}")))
}

fn cards(words: &[&str]) -> Result<Vec<Card>, NoDeed> {
    parse_cards(&words.join(" ")).map_err(|error| NoDeed::Words(format!("`{}`: {}", error.text, error.fault)))
}

fn holder(word: &str) -> Result<Holder, NoDeed> {
    match word.parse::<crate::file::Holder>() {
        Ok(crate::file::Holder::Box(number)) => Ok(Holder::Box(number)),
        Ok(crate::file::Holder::Dealer) => Ok(Holder::Dealer),
        Err(()) => words(format!("`{word}` holds no hand; write `dealer` or `box1`, `box2`, …")),
    }
}

fn box_number(word: &str) -> Result<u8, NoDeed> {
    match holder(word)? {
        Holder::Box(number) => Ok(number),
        Holder::Dealer => words("name a box: `box1`, `box2`, …"),
    }
}

/// What a player does for himself, so that `… for NAME` says that somebody else does it for him.
pub(crate) const OWN: [&str; 15] = [
    "sits",
    "stands",
    "buys",
    "leaves",
    "tips",
    "accepts",
    "takes",
    "asks",
    "refuses",
    "withdraws",
    "stays",
    "wants",
    "keeps",
    "handles",
    "insures",
];

/// The player for whom somebody else acts, and what is done: `sits at 3 for ann`.
pub(crate) fn on_behalf<'s, 'w>(said: &'s [&'w str]) -> Option<(&'w str, &'s [&'w str])> {
    match said {
        // A dispute may ask for more evidence, in any words.
        ["asks", "for", ..] => None,
        [rest @ .., "for", name] if rest.first().is_some_and(|verb| OWN.contains(verb)) => Some((name, rest)),
        _ => None,
    }
}

/// Names, but for the player or the witness that the words themselves name.
struct Told<'a> {
    names: &'a mut dyn Names,
    player: Option<PlayerId>,
    witness: Option<PersonId>,
}

impl Names for Told<'_> {
    fn player(&mut self, name: &str) -> Result<PlayerId, String> {
        self.names.player(name)
    }
    fn bet(&mut self, id: &str) -> Result<usize, String> {
        self.names.bet(id)
    }
    fn actor(&mut self) -> PlayerId {
        self.player.unwrap_or_else(|| self.names.actor())
    }
    fn staff(&mut self) -> Staff {
        self.names.staff()
    }
    fn witness(&mut self) -> PersonId {
        self.witness.unwrap_or_else(|| self.names.witness())
    }
    fn ranked(&mut self, rank: &str) -> Result<Staff, String> {
        self.names.ranked(rank)
    }
    fn decimals(&self) -> Decimals {
        self.names.decimals()
    }
    fn version(&mut self) -> String {
        self.names.version()
    }
    fn all_but(&mut self, cards: &[Card]) -> Composition {
        self.names.all_but(cards)
    }
}

/// `because misread`, `because two cards stuck seen by pit-manager`.
fn because(names: &mut dyn Names, said: &[&str]) -> Result<Option<Because>, NoDeed> {
    let (said, witness) = match said {
        [said @ .., "seen", "by", rank] => (said, Some(names.ranked(rank).map_err(NoDeed::Words)?)),
        said => (said, None),
    };
    match said {
        [] if witness.is_none() => Ok(None),
        ["because", reason @ ..] if !reason.is_empty() => {
            Ok(Some(Because { reason: reason.join(" "), witness }))
        }
        _ => Err(NoDeed::Words("expected `because WORDS [seen by RANK]`".to_string())),
    }
}

/// The commitment to a shoe, as 64 hexadecimal digits.
fn commitment(word: &str) -> Result<[u8; 32], NoDeed> {
    let root: Root =
        word.parse().map_err(|error| NoDeed::Words(format!("`{word}` is no commitment: {error}")))?;
    Ok(*root.as_bytes())
}

fn winner(word: &str) -> Result<Winner, NoDeed> {
    Winner::ALL.into_iter().find(|known| known.key() == word).ok_or_else(|| {
        NoDeed::Words(format!("`{word}` is not a result; {}", one_of(word, ["player", "banker", "tie"])))
    })
}

/// The command that these words ask for.
pub(crate) fn understand(said: &[&str], names: &mut dyn Names) -> Found {
    let player = |names: &mut dyn Names, name: &str| names.player(name).map_err(NoDeed::Words);
    let decimals = names.decimals();
    let amount = |word: &str| amount(decimals, word);
    if let Some((name, rest)) = on_behalf(said) {
        let player = Some(player(names, name)?);
        return understand(rest, &mut Told { names, player, witness: None });
    }
    if let ["fills" | "credits" | "counts" | "closes" | "sorts", .., "seen", "by", rank] = said {
        let rest = said.get(..said.len().saturating_sub(3)).unwrap_or_default();
        let witness = Some(names.ranked(rank).map_err(NoDeed::Words)?.person);
        return understand(rest, &mut Told { names, player: None, witness });
    }
    Ok(match said {
        ["signs", "on"] => Action::SignOn(names.staff()),
        ["signs", "off"] => Action::SignOff(names.staff().person),
        ["signs", rank, "on"] => Action::SignOn(names.ranked(rank).map_err(NoDeed::Words)?),
        ["signs", rank, "off"] => Action::SignOff(names.ranked(rank).map_err(NoDeed::Words)?.person),
        ["fills", money] => Action::Fill { amount: amount(money)?, witness: names.witness() },
        ["credits", money] => Action::Credit { amount: amount(money)?, witness: names.witness() },
        ["counts", "the", "drop"] => Action::CountDrop { witness: names.witness() },
        ["pays", "the", "tips"] => Action::PayTips,
        ["closes", "the", "table", "with", money] => {
            let counted =
                decimals.parse_signed(money).map_err(|error| NoDeed::Words(format!("`{money}` {error}")))?;
            Action::CloseTable { counted, witness: names.witness() }
        }
        ["sits", "at", seat] => Action::Sit { player: names.actor(), seat: number(seat)? },
        ["stands"] => Action::Stand { player: names.actor(), behind: None },
        ["stands", "behind", seat] => Action::Stand { player: names.actor(), behind: Some(number(seat)?) },
        ["buys", "in", money] => Action::BuyIn { player: names.actor(), amount: amount(money)?, cash: false },
        ["sells", money, "to", name] => {
            Action::BuyIn { player: player(names, name)?, amount: amount(money)?, cash: true }
        }
        ["leaves"] => Action::Leave { player: names.actor() },
        ["tips", money] => Action::Tip { player: names.actor(), amount: amount(money)? },
        ["pays", money, "to", name, "for", "case", case] => Action::PostCorrection {
            case: CaseId(number(case)?),
            player: player(names, name)?,
            amount: amount(money)?,
        },
        ["takes", money, "from", name, "for", "case", case] => Action::PostCorrection {
            case: CaseId(number(case)?),
            player: player(names, name)?,
            amount: -amount(money)?,
        },
        ["accepts", "the", "notice"] => Action::AcceptNotice { player: names.actor() },

        ["loads", "the", "shoe"] => Action::LoadShoe { set: None, commitment: None },
        ["loads", "the", "red", "deck"] => Action::LoadShoe { set: Some(DeckSet::Red), commitment: None },
        ["loads", "the", "blue", "deck"] => Action::LoadShoe { set: Some(DeckSet::Blue), commitment: None },
        ["loads", rest @ .., "committed", "to", root] => {
            let commitment = Some(commitment(root)?);
            let said: Vec<&str> = ["loads"].iter().chain(rest).copied().collect();
            match understand(&said, names)? {
                Action::LoadShoe { set, .. } => Action::LoadShoe { set, commitment },
                _ => return Err(NoDeed::Unknown),
            }
        }
        ["shuffles"] => Action::RecordShuffle,
        ["cuts"] => Action::CutCards { above: None },
        ["cuts", above] => Action::CutCards { above: Some(number(above)?) },
        ["burns", count] if count.parse::<u8>().is_ok() => {
            Action::Burn { count: number(count)?, cards: Vec::new() }
        }
        ["burns", count, "showing", rest @ ..] => Action::Burn { count: number(count)?, cards: cards(rest)? },
        ["burns", rest @ ..] if !rest.is_empty() => {
            let cards = cards(rest)?;
            Action::Burn { count: u8::try_from(cards.len()).unwrap_or(u8::MAX), cards }
        }
        ["shows", "the", "cut", "card"] => Action::CutCardOut,
        ["announces", "the", "last", "hand"] => Action::AnnounceLast,
        ["counts", left, "cards", "left"] => Action::CountShoe { left: number(left)? },
        ["replaces", "the", "shoe"] => Action::ReplaceShoe { commitment: None },
        ["is", "empty"] | ["finds", "the", "shoe", "empty"] => Action::ShoeEmpty,

        ["opens", "betting"] => Action::OpenBets,
        ["closes", "betting"] => Action::CloseBets,
        ["takes", "back", bet, rest @ ..] => {
            let (amount, rest) = match rest {
                [money, rest @ ..] if *money != "on" => (Some(amount(money)?), rest),
                rest => (None, rest),
            };
            let box_number = match rest {
                [] => None,
                ["on", number] => Some(box_number(number)?),
                _ => return words("expected `takes back BET [AMOUNT] [on boxN]`"),
            };
            let bet = names.bet(bet).map_err(NoDeed::Words)?;
            Action::TakeBack { player: names.actor(), bet, box_number, amount }
        }
        ["asks", "to", "reduce"] => Action::AskToReduce,
        ["removes", name, bet] => {
            Action::RemoveWager { player: player(names, name)?, bet: names.bet(bet).map_err(NoDeed::Words)? }
        }
        ["limits", "areas", "to", most] => Action::LimitAreas(number(most)?),

        ["draws", rest @ ..] => draws(rest)?,
        ["corrects", "draw", draw, "to", card, rest @ ..] => {
            let card = cards(&[card])?.into_iter().next();
            let card = card.ok_or(NoDeed::Words("name one card".to_string()))?;
            Action::Correct { draw: number(draw)?, card, because: because(names, rest)? }
        }
        ["corrects", whose, from, "to", to, rest @ ..] => {
            let card = |word: &&str| -> Result<Card, NoDeed> {
                cards(&[word])?.into_iter().next().ok_or(NoDeed::Words("name one card".to_string()))
            };
            let (holder, from, to) = (holder(whose)?, card(from)?, card(to)?);
            Action::CorrectHand { holder, from, to, because: because(names, rest)? }
        }
        ["opens", "the", "dealer", "hand"] => Action::OpenDealer,
        ["opens", hand, "first"] => Action::OpenFirst(side(hand)?),
        ["opens", hand] => Action::Reveal { side: side(hand)?, told: Vec::new() },
        ["opens", hand, "as", rest @ ..] => Action::Reveal { side: side(hand)?, told: cards(rest)? },
        ["deals", "the", "free", "hand"] => Action::DealFreeHand,
        ["shows", "banker", "first", "for", name] => {
            Action::ShowBankerFirst { asked_by: player(names, name)? }
        }
        ["shows", result] => Action::Display(winner(result)?),
        ["calls", result] => Action::Call(winner(result)?),
        ["settles"] => Action::Settle,

        ["chooses", "method", letter] => Action::ChooseMethod(
            Method::ALL
                .into_iter()
                .find(|method| method.key() == *letter)
                .ok_or_else(|| NoDeed::Words(format!("`{letter}` is not a method; accepted: A, B or C")))?,
        ),
        ["asks", "to", "squeeze"] => Action::AskSqueeze { player: names.actor() },
        ["refuses", hand] => Action::RefuseSqueeze { player: names.actor(), side: side(hand)? },
        ["forbids", name, "to", "squeeze"] => Action::ForbidSqueeze { player: player(names, name)? },
        ["allows", name, "to", "squeeze", hand] => {
            Action::AllowSqueeze { player: player(names, name)?, side: side(hand)? }
        }
        ["takes", "the", "device"] => Action::TakeDevice { player: names.actor() },
        ["permits", name, "to", "draw"] => Action::PermitDrawing { player: player(names, name)? },
        ["gives", "up", "the", "device"] => Action::GiveUpDevice,
        ["passes", hand] => Action::PassHand { side: side(hand)?, to: None },
        ["passes", hand, "to", name] => {
            Action::PassHand { side: side(hand)?, to: Some(player(names, name)?) }
        }
        ["hands", hand, "to", name] => Action::HandOver { side: side(hand)?, to: player(names, name)? },

        ["insures", hand, money] => {
            Action::Insure { player: names.actor(), side: side(hand)?, amount: amount(money)? }
        }
        ["offers", "insurance"] => Action::OfferInsurance,
        ["closes", "insurance"] => Action::CloseInsurance,
        ["permits", "insurance"] => Action::PermitInsurance,
        ["stops", "insurance", "for", name] => {
            Action::SwitchInsurance { on: false, asked_by: player(names, name)? }
        }
        ["resumes", "insurance", "for", name] => {
            Action::SwitchInsurance { on: true, asked_by: player(names, name)? }
        }

        ["reports", rest @ ..] => Action::Report(report(rest, names)?),
        ["rules", remedy, rest @ ..] => Action::Rule(ruling(remedy, rest, names)?),
        ["confirms", "the", "finding"] => Action::Confirm,
        ["retracts", "the", "report"] => Action::Retract,
        ["withdraws"] => Action::Answer { player: names.actor(), withdraw: true },
        ["stays"] => Action::Answer { player: names.actor(), withdraw: false },
        ["closes", "the", "option"] => Action::CloseWindow,
        ["wants", "a", "new", "shoe"] => Action::ChooseShoe { player: names.actor(), replace: true },
        ["keeps", "the", "shoe"] => Action::ChooseShoe { player: names.actor(), replace: false },
        ["closes", "the", "choice"] => Action::CloseShoeChoice,
        ["holds", rest @ ..] => match <[Card; 2]>::try_from(cards(rest)?) {
            Ok(held) => Action::HoldTwo(held),
            Err(_) => return words("two cards are held: `holds 2C 3D`"),
        },
        ["sorts", "all"] => Action::Sorted { found: Box::new(names.all_but(&[])), witness: names.witness() },
        ["sorts", "all", "but", rest @ ..] => {
            let missing = cards(rest)?;
            Action::Sorted { found: Box::new(names.all_but(&missing)), witness: names.witness() }
        }

        ["deals", to, rest @ ..] => Action::DealPacket { to: holder(to)?, cards: cards(rest)? },
        ["counts", "the", "hands"] => Action::CheckCount,
        ["handles", number] => Action::HandleCards { player: names.actor(), box_number: box_number(number)? },
        ["sets", whose, "as", category] => Action::SetHand {
            holder: holder(whose)?,
            set_as: category.parse::<Category>().map_err(|()| {
                let hint = hint(category, Category::ALL.map(Category::key));
                NoDeed::Words(format!("`{category}` is not a hand of Niu Niu; {hint}"))
            })?,
        },
        ["restricts", name, "to", "one", "box"] => Action::RestrictBoxes { player: player(names, name)? },
        ["lets", name, rest @ ..] => Action::Lift {
            player: player(names, name)?,
            bar: match rest {
                ["squeeze", "again"] => Bar::Squeezing,
                ["have", "several", "boxes", "again"] => Bar::SeveralBoxes,
                ["handle", "cards", "again"] => Bar::Handling,
                _ => return Err(NoDeed::Unknown),
            },
        },
        ["notes", name, "off", "the", "layout"] => Action::ReportHandling { player: player(names, name)? },
        _ => return Err(NoDeed::Unknown),
    })
}

/// `8S [onto banker] [exposed]`, `unread [onto banker]`, `3H KS together [in order]`
fn draws(said: &[&str]) -> Found {
    if let Some(at) = said.iter().position(|word| *word == "together") {
        let order_known = match said.get(at + 1..).unwrap_or_default() {
            [] => false,
            ["in", "order"] => true,
            _ => return words("expected `draws CARDS together [in order]`"),
        };
        return Ok(Action::DrawTogether { cards: cards(said.get(..at).unwrap_or_default())?, order_known });
    }
    let [card, rest @ ..] = said else { return words("expected `draws CARD`") };
    let card = if *card == "unread" { None } else { cards(&[card])?.into_iter().next() };
    let (laid, rest) = match rest {
        ["onto", hand, rest @ ..] => (Some(side(hand)?), rest),
        rest => (None, rest),
    };
    let exposed = match rest {
        [] => false,
        ["exposed"] => true,
        _ => return words("expected `draws CARD [onto player|banker] [exposed]`"),
    };
    Ok(Action::Draw { card, laid, exposed })
}

fn report(said: &[&str], names: &mut dyn Names) -> Result<Report, NoDeed> {
    let player = |names: &mut dyn Names, name: &str| names.player(name).map_err(NoDeed::Words);
    Ok(match said {
        ["foreign-card"] => Report::ForeignCard,
        ["unshuffled"] => Report::Unshuffled,
        ["cannot-rebuild"] => Report::CannotRebuild,
        ["order-lost"] => Report::OrderLost,
        ["carried-off", hand] if hand.starts_with("box") => {
            Report::BoxCarriedOff { box_number: box_number(hand)? }
        }
        ["carried-off", hand] => Report::CarriedOff { side: side(hand)? },
        ["jam"] => Report::Jam,
        ["device-reset"] => Report::DeviceReset { dealer_error: false },
        ["device-reset", "by", "dealer", "error"] => Report::DeviceReset { dealer_error: true },
        ["face-up"] => Report::FaceUp,
        ["exposed"] => Report::Exposed { draw: None },
        ["exposed", draw] => Report::Exposed { draw: Some(number(draw)?) },
        ["exposed-moving"] => Report::ExposedMoving,
        ["surplus", "on", hand] => Report::SurplusOn { side: side(hand)?, exposed: false },
        ["surplus", "on", hand, "exposed"] => Report::SurplusOn { side: side(hand)?, exposed: true },
        ["wrong-order"] => Report::WrongOrder,
        ["no-burn"] => Report::NoBurn,
        ["wrong-delivery"] => Report::WrongDelivery,
        [card, "drawn", "by", name, rest @ ..] => {
            let player = player(names, name)?;
            let said: Vec<&str> = [*card].into_iter().chain(rest.iter().copied()).collect();
            match draws(&said)? {
                Action::Draw { card, laid, exposed } => Report::DrawnBy { player, card, laid, exposed },
                _ => return words("expected `CARD drawn by NAME [onto player|banker] [exposed]`"),
            }
        }
        [hand, "handed", "to", name] => Report::HandedTo { player: player(names, name)?, side: side(hand)? },
        [hand, "opened", rest @ ..] => {
            let (by, rest) = match rest {
                ["by", name, rest @ ..] => (Some(player(names, name)?), rest),
                rest => (None, rest),
            };
            let told = match rest {
                [] => Vec::new(),
                ["as", rest @ ..] => cards(rest)?,
                _ => return words("expected `HAND opened [by NAME] [as CARDS]`"),
            };
            Report::OpenedBy { player: by, side: side(hand)?, told }
        }
        ["not-delivered"] => Report::NotDelivered,
        ["absent", name] => Report::Absent { player: player(names, name)? },
        ["damaged", name] => Report::Damaged { player: player(names, name)? },
        ["power-failure"] => Report::PowerFailure,
        ["force-majeure"] => Report::ForceMajeure,
        ["wager-removed", name, bet] => {
            Report::WagerRemoved { player: player(names, name)?, bet: names.bet(bet).map_err(NoDeed::Words)? }
        }
        ["earlier-round"] => Report::EarlierRound { limits: false },
        ["earlier-round", "limits"] => Report::EarlierRound { limits: true },
        ["other", rest @ ..] => Report::Other(rest.join(" ")),
        said => return words(no_report(said)),
    })
}

/// What can be reported, in the words of a file.
const REPORTS: [&str; 25] = [
    "foreign-card",
    "unshuffled",
    "cannot-rebuild",
    "order-lost",
    "carried-off HAND|boxN",
    "jam",
    "device-reset [by dealer error]",
    "face-up",
    "exposed [DRAW]",
    "exposed-moving",
    "surplus on HAND [exposed]",
    "wrong-order",
    "no-burn",
    "wrong-delivery",
    "not-delivered",
    "absent NAME",
    "damaged NAME",
    "power-failure",
    "force-majeure",
    "wager-removed NAME BET",
    "earlier-round [limits]",
    "HAND handed to NAME",
    "HAND opened [by NAME] [as CARDS]",
    "CARD drawn by NAME [onto HAND] [exposed]",
    "other TEXT",
];

/// Why these words report nothing: the form of the report they begin like, the one that was meant, or all.
fn no_report(said: &[&str]) -> String {
    let key = |form: &'static str| form.split(' ').next().unwrap_or(form);
    let Some(word) = said.first() else {
        return format!("expected a report: {}", REPORTS.join(", "));
    };
    if let Some(form) = REPORTS.iter().copied().find(|form| key(form) == *word) {
        return format!("expected `reports {form}`");
    }
    // Some keys are of the rulebooks and come from the table itself.
    if let Ok(found) = word.parse::<Irregularity>() {
        return format!(
            "`{found}` is found by the table itself and not reported; expected one of {}",
            REPORTS.join(", ")
        );
    }
    match nearest(word, REPORTS.iter().copied().map(key)) {
        Some(meant) => format!("`{word}` is not a report; did you mean `{meant}`?"),
        None => format!("`{word}` is not a report; accepted: {}", REPORTS.join(", ")),
    }
}

/// `[with withdrawal] [for NAME]… [order CARDS] [naming NAME] [because TEXT]`
fn ruling(remedy: &str, said: &[&str], names: &mut dyn Names) -> Result<RulingMade, NoDeed> {
    let remedy = remedy.parse().map_err(|()| {
        let hint = hint(remedy, Remedy::ALL.iter().map(|remedy| remedy.key()));
        NoDeed::Words(format!("`{remedy}` is not a remedy; {hint}"))
    })?;
    let mut made = RulingMade::plain(remedy, false);
    let mut rest = said;
    loop {
        rest = match rest {
            [] => return Ok(made),
            ["with", "withdrawal", rest @ ..] => {
                made.with_withdrawal = true;
                rest
            }
            ["for", name, rest @ ..] => {
                made.only.push(names.player(name).map_err(NoDeed::Words)?);
                rest
            }
            ["because", rest @ ..] => {
                made.reason = rest.join(" ");
                return Ok(made);
            }
            ["naming", name, rest @ ..] => {
                made.player = Some(names.player(name).map_err(NoDeed::Words)?);
                rest
            }
            ["order", rest @ ..] => {
                let end = rest
                    .iter()
                    .position(|word| matches!(*word, "naming" | "with" | "for" | "because"))
                    .unwrap_or(rest.len());
                made.order = cards(rest.get(..end).unwrap_or_default())?;
                rest.get(end..).unwrap_or_default()
            }
            _ => {
                return words(
                    "expected `rules REMEDY [with withdrawal] [for NAME] [order CARDS] [naming NAME] [because TEXT]`",
                );
            }
        };
    }
}
