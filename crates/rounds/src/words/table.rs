//! What happened at the table, in words.

use croupier_cards::Card;
use croupier_rules::baccarat::Side;
use croupier_rules::irregularity::{Irregularity, Remedy, ShoeFate};
use croupier_rules::niu_niu::BoxWinner;
use croupier_table::command::{Bar, DeckSet, Holder};
use croupier_table::event::{CloseReason, Justified, Mark, Source};
use croupier_table::{Actor, Fact, PlayerId};

use super::{ended, result, whose};
use crate::amount::Decimals;

/// Tells what happened on a line.
pub(super) struct Teller<'a> {
    /// The verb of the line, if somebody does something on it; what the table does by itself is not told.
    pub(super) verb: &'a str,
    /// The names of the players, by their number.
    pub(super) names: &'a [String],
    /// How many decimals amounts have.
    pub(super) decimals: Decimals,
    /// Commission is owed until the shoe ends.
    pub(super) owes: bool,
}

fn cards(cards: &[Card]) -> String {
    cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// `1 card`, `3 cards`
fn count(number: impl Into<u64>, what: &str) -> String {
    let number = number.into();
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn holder(holder: Holder) -> String {
    match holder {
        Holder::Box(number) => format!("box{number}"),
        Holder::Dealer => "the Dealer's hand".to_string(),
    }
}

/// What went wrong, as `jam: the dealing device is jammed`.
fn irregular(irregularity: Irregularity) -> String {
    let says = irregularity.says().trim_end_matches('.');
    let mut letters = says.chars();
    let says = letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect());
    format!("{irregularity}: {says}")
}

impl Teller<'_> {
    fn name(&self, player: PlayerId) -> &str {
        let at = usize::try_from(player.0).ok();
        at.and_then(|at| self.names.get(at)).map_or("nobody", String::as_str)
    }

    fn all(&self, players: &[PlayerId]) -> String {
        players.iter().map(|player| self.name(*player)).collect::<Vec<_>>().join(", ")
    }

    fn actor(&self, actor: Actor) -> &str {
        match actor {
            Actor::Player(player) => self.name(player),
            Actor::Staff(_) => "the Dealer",
            Actor::Device | Actor::System => "the table",
            Actor::Surveillance => "Surveillance",
            Actor::Display => "the display",
        }
    }

    /// Why a card was put right, and that a second person saw it.
    fn because(&self, because: Option<&Justified>) -> String {
        let Some(because) = because else { return String::new() };
        let seen = if because.witness.is_some() { ", seen by a second person" } else { "" };
        format!(": {}{seen}", because.reason)
    }

    /// Who has a hand to open.
    fn opener(&self, player: Option<PlayerId>) -> &str {
        player.map_or("the Dealer", |player| self.name(player))
    }

    pub(super) fn tell(&self, fact: &Fact) -> Option<String> {
        self.people(fact)
            .or_else(|| self.shoe(fact))
            .or_else(|| self.round(fact))
            .or_else(|| self.hands(fact))
            .or_else(|| self.wrong(fact))
    }

    /// Staff, places and chips.
    fn people(&self, fact: &Fact) -> Option<String> {
        Some(match fact {
            Fact::SignedOn(_) if self.verb == "signs" => "is on duty".to_string(),
            Fact::SignedOff(_) => "is off duty".to_string(),
            Fact::Filled { amount, .. } if self.verb == "fills" => {
                format!("{} more in the float", self.decimals.show(*amount))
            }
            Fact::Credited { amount, .. } => format!("{} less in the float", self.decimals.show(*amount)),
            Fact::DropCounted { amount } => format!("{} in the drop box", self.decimals.show(*amount)),
            Fact::TipsPaid { amount } => format!("tips of {} leave the table", self.decimals.show(*amount)),
            Fact::TableClosed { expected, counted } if expected == counted => {
                format!("closed: {} counted, as the books say", self.decimals.show(*counted))
            }
            Fact::TableClosed { expected, counted } => {
                format!(
                    "closed: {} counted, the books say {}",
                    self.decimals.show(*counted),
                    self.decimals.show(*expected)
                )
            }
            Fact::Seated { player, seat } if self.verb == "sits" => {
                format!("{} has seat {seat}", self.name(*player))
            }
            Fact::Stood { player, behind: Some(seat) } if self.verb == "stands" => {
                format!("{} stands behind seat {seat}", self.name(*player))
            }
            Fact::Stood { player, behind: None } if self.verb == "stands" => {
                format!("{} stands", self.name(*player))
            }
            Fact::NoticeGiven { player } => {
                format!("{} is shown that there is no insurance", self.name(*player))
            }
            Fact::NoticeAccepted { player } => format!("{} plays without insurance", self.name(*player)),
            Fact::BoughtIn { player, amount, cash } if matches!(self.verb, "buys" | "sells") => {
                let paid = if *cash { ", for cash" } else { "" };
                format!("{} takes chips for {}{paid}", self.name(*player), self.decimals.show(*amount))
            }
            Fact::Left { player, chips } => {
                format!("{} leaves with {}", self.name(*player), self.decimals.show(*chips))
            }
            Fact::Tipped { player, amount } => {
                format!("{} tips {}", self.name(*player), self.decimals.show(*amount))
            }
            Fact::CorrectionPosted { player, amount, .. } if amount.is_positive() => {
                format!("{} goes from the float to {}", self.decimals.show(*amount), self.name(*player))
            }
            Fact::CorrectionPosted { player, amount, .. } => {
                format!("{} goes from {} to the float", self.decimals.show(-*amount), self.name(*player))
            }
            Fact::Warned { player } => {
                format!("{} is remembered for a wager below the minimum", self.name(*player))
            }
            Fact::CommissionCollected { player, amount } => {
                format!("{} pays the commission owed, {}", self.name(*player), self.decimals.show(*amount))
            }
            _ => return None,
        })
    }

    /// The cards before they are dealt.
    fn shoe(&self, fact: &Fact) -> Option<String> {
        Some(match fact {
            // Where two decks take turns it is told which one the round is dealt from.
            Fact::ShoeLoaded { number, set, .. }
                if matches!(self.verb, "loads" | "replaces") || self.verb == "opens" && set.is_some() =>
            {
                match set {
                    None => format!("shoe {number} is in the device"),
                    Some(DeckSet::Red) => "the red deck is in the device".to_string(),
                    Some(DeckSet::Blue) => "the blue deck is in the device".to_string(),
                }
            }
            Fact::Shuffled { .. } if self.verb == "shuffles" => "the cards are shuffled".to_string(),
            Fact::Cut { by, above: None } if self.verb == "cuts" => format!("cut by {}", self.actor(*by)),
            Fact::Cut { by, above: Some(above) } if self.verb == "cuts" => {
                format!("cut by {}, {} above", self.actor(*by), count(*above, "card"))
            }
            Fact::Burned { count: burned, cards: read } if self.verb == "burns" && read.is_empty() => {
                format!("{} burned", count(*burned, "card"))
            }
            Fact::Burned { count: burned, cards: read } if self.verb == "burns" => {
                format!("{} burned: {}", count(*burned, "card"), cards(read))
            }
            Fact::CutCardOut { rounds_left } => {
                format!("the cut card is out: {} after this one", count(*rounds_left, "round"))
            }
            Fact::LastHand { next: false } => "the last hand of the shoe".to_string(),
            Fact::LastHand { next: true } => "the next hand is the last of the shoe".to_string(),
            Fact::ShoeCounted { expected, counted } if expected == counted => {
                format!("{} left, as it should be", count(*counted, "card"))
            }
            Fact::ShoeCounted { expected, counted } => {
                format!("{} left, but it should be {expected}", count(*counted, "card"))
            }
            Fact::ShoeJudged(ShoeFate::Replace) => "the cards must be replaced".to_string(),
            Fact::ShoeJudged(ShoeFate::MayReplace) => "the cards may be replaced".to_string(),
            Fact::ShoeFoundEmpty => {
                "nothing more comes out of the shoe; whether a round lacks a card shows when one is due"
                    .to_string()
            }
            Fact::ShoeEnded => "the shoe is finished".to_string(),
            Fact::ShoeChoiceDue => "after this hand the players choose the shoe".to_string(),
            Fact::ShoeChosen { player, replace: true } => format!("{} wants new cards", self.name(*player)),
            Fact::ShoeChosen { player, replace: false } => format!("{} keeps the shoe", self.name(*player)),
            Fact::ShoeChoiceMade { replace: true } => "new cards are to come".to_string(),
            Fact::ShoeChoiceMade { replace: false } => "the shoe stays".to_string(),
            _ => return None,
        })
    }

    /// From the opening call to the money.
    fn round(&self, fact: &Fact) -> Option<String> {
        Some(match fact {
            Fact::BetsOpened { round } if self.verb == "opens" => format!("round {round}: betting is open"),
            Fact::BetsClosed { reason, squeezers, .. } => return self.closed(*reason, squeezers),
            Fact::Placed { flagged: true, .. } => "accepted outside the limits".to_string(),
            Fact::Placed { untimed: true, .. } => "accepted; it is not known when it was laid".to_string(),
            Fact::TakenBack { player, amount, .. } => {
                format!("{} goes back to {}", self.decimals.show(*amount), self.name(*player))
            }
            Fact::AskedToReduce { side, over } => {
                format!("{} side is {} over the differential", whose(*side), self.decimals.show(*over))
            }
            Fact::LiftedLate { .. } => "too late: the wager stays in action".to_string(),
            Fact::AreasLimited(most) => format!("an area takes {} at most", count(*most, "wager")),
            Fact::FreeHandBegan { .. } => "a Free Hand begins, without wagers".to_string(),
            Fact::Totals { player, banker, due } => {
                let due = match due {
                    Some(Side::Player) => ", the Player's card is due",
                    Some(Side::Banker) => ", the Banker's card is due",
                    None => "",
                };
                format!("Player {player}, Banker {banker}{due}")
            }
            Fact::Decided(outcome) => result(*outcome),
            Fact::Called { call, cards } if call == cards => "the call is right".to_string(),
            Fact::Called { cards, .. } => format!("the call is wrong; the cards say {cards}"),
            Fact::Displayed { shown, cards } if shown == cards => "the display is right".to_string(),
            Fact::Displayed { cards, .. } => format!("the display is wrong; the cards say {cards}"),
            Fact::InsuranceOffered { side, odds, .. } => format!("offers {} insurance at {odds}", side.key()),
            Fact::InsuranceMissed { .. } => "insurance was due and not offered".to_string(),
            Fact::InsuranceClosed { forgone } if !forgone.is_empty() => {
                format!("insurance not taken is forgone by {}", self.all(forgone))
            }
            Fact::InsuranceClosed { .. } if self.verb == "closes" => "insurance is closed".to_string(),
            Fact::InsuranceSwitched { on: false, .. } => "no insurance, and the sign says so".to_string(),
            Fact::InsuranceSwitched { on: true, .. } => "insurance is offered again".to_string(),
            Fact::BankerShownFirst { .. } => {
                "the Banker's third card is shown first; the second insurance is waived".to_string()
            }
            Fact::Insured { player, side, amount, .. } if self.verb == "insures" => {
                format!(
                    "{} insures {} hand for {}",
                    self.name(*player),
                    whose(*side),
                    self.decimals.show(*amount)
                )
            }
            Fact::WagerEnded { settled, reserve, .. } => {
                ended(settled, reserve.as_ref(), self.owes, self.decimals)
            }
            Fact::InsuranceEnded { settled, .. } => ended(settled, None, false, self.decimals),
            Fact::RoundClosed { mark: Mark::Void, .. } => "void: everything is returned".to_string(),
            Fact::RoundClosed { mark: Mark::Free(_), .. } => "a Free Hand: no wagers".to_string(),
            Fact::RoundClosed { .. } if self.verb == "settles" => "the round is settled".to_string(),
            Fact::BettingAbandoned => "betting ends without a deal: everything is returned".to_string(),
            _ => return None,
        })
    }

    fn closed(&self, reason: CloseReason, squeezers: &[Option<PlayerId>; 2]) -> Option<String> {
        let mut told: Vec<String> = match squeezers {
            [Some(both), Some(same)] if both == same => {
                vec![format!("{} squeezes both hands", self.name(*both))]
            }
            each => [Side::Player, Side::Banker]
                .into_iter()
                .zip(each)
                .filter_map(|(side, player)| {
                    Some(format!("{} squeezes {} hand", self.name((*player)?), whose(side)))
                })
                .collect(),
        };
        if reason == CloseReason::Call {
            told.insert(0, "no more bets".to_string());
        }
        if told.is_empty() { None } else { Some(told.join("; ")) }
    }

    /// Cards and who has them.
    fn hands(&self, fact: &Fact) -> Option<String> {
        Some(match fact {
            Fact::Drawn { card, side, misplaced, source, .. } => {
                return self.drawn(*card, *side, *misplaced, *source);
            }
            Fact::SurplusDrawn { card, on: Some(on), .. } => {
                format!("{} lies on {} hand, and no hand may take it", named(*card), whose(*on))
            }
            Fact::SurplusDrawn { card, on: None, .. } => {
                format!("{} is drawn, and no hand may take it", named(*card))
            }
            Fact::StrayDrawn { card, on, .. } => {
                let lies = on.map_or("is drawn".to_string(), |on| format!("lies on {} hand", whose(on)));
                format!("{} {lies}, and waits for its place", named(*card))
            }
            Fact::WaitingSurplus => "no hand may take what is left".to_string(),
            Fact::TogetherWait { cards: waiting } => format!("{} wait for their place", cards(waiting)),
            Fact::CarriedWait => "the other cards left over wait for their place".to_string(),
            Fact::TakenUp { from } => format!("from card {from} on the cards may belong elsewhere"),
            Fact::PacketStray { at, cards: dealt } => {
                let at = at.map_or(String::new(), |at| format!(" at {}", holder(at)));
                let belong = if dealt.len() == 1 { "belongs" } else { "belong" };
                format!("{}{at} {belong} to no hand", cards(dealt))
            }
            Fact::HandCorrected { holder: whose, from, to, because } => {
                format!("{from} of {} is {to}{}", holder(*whose), self.because(because.as_deref()))
            }
            Fact::ShoePlayedOut => "the shoe is played to its end".to_string(),
            Fact::SurplusPlaced { on, exposed } => {
                let seen = if *exposed { ", exposed" } else { "" };
                format!("the card too many lies on {} hand{seen}", whose(*on))
            }
            Fact::ForeignDrawn { card } => format!("{} is one more than the decks hold", named(*card)),
            Fact::DrawnTogether { cards: drawn, order_known } => {
                let order = if *order_known { "in known order" } else { "their order is unknown" };
                format!("{} come out together, {order}", cards(drawn))
            }
            Fact::Corrected { draw, card, because } => {
                format!("card {draw} of the round is {card}{}", self.because(because.as_deref()))
            }
            Fact::OpensFirst(side) => format!("{} hand is opened first", whose(*side)),
            Fact::Revealed { side, by, told } if self.verb == "opens" || by.player().is_some() => {
                let told = if told.is_empty() { String::new() } else { format!(": {}", cards(told)) };
                format!("{} opens {} hand{told}", self.actor(*by), whose(*side))
            }
            Fact::CardShown { draw } => format!("card {draw} of the round is exposed"),
            Fact::MethodChosen(method) => format!("dealt by method {}", method.key()),
            Fact::SqueezeAsked { player } => {
                format!("{} squeezes, if still the highest when betting closes", self.name(*player))
            }
            Fact::SqueezeRefused { side, next, .. } => {
                format!("{} hand goes to {}", whose(*side), self.opener(*next))
            }
            Fact::SqueezeForbidden { player } => {
                format!("{} may not squeeze in this round", self.name(*player))
            }
            Fact::SqueezerNamed { player, side } => {
                format!("{} hand is for {} to open", whose(*side), self.opener(*player))
            }
            Fact::DeviceTaken { player } => format!("{} has the device", self.name(*player)),
            Fact::DrawingPermitted { player } => format!("{} may draw without a wager", self.name(*player)),
            Fact::DeviceFree { .. } => "the device is free".to_string(),
            Fact::HandPassed { side, to, breach } => {
                let breach = if *breach { "; it should go through the Dealer" } else { "" };
                format!("{} hand goes to {}{breach}", whose(*side), self.opener(*to))
            }
            Fact::PacketDealt { to, cards } if cards.len() != 5 => {
                let dealt = u64::try_from(cards.len()).unwrap_or(u64::MAX);
                format!("{} to {}", count(dealt, "card"), holder(*to))
            }
            Fact::PacketDealt { to, .. } if self.verb == "deals" => format!("five cards to {}", holder(*to)),
            Fact::CountRight if self.verb == "counts" => "every hand has five cards".to_string(),
            Fact::CardsDead { box_number } => format!("the cards of box{box_number} are dead"),
            Fact::BoxVoided { box_number } => format!("box{box_number} is void"),
            Fact::Redealt { hands, dead } => {
                let has =
                    |(whose, held): &(Holder, Vec<Card>)| format!("{} has {}", holder(*whose), cards(held));
                let mut told: Vec<String> = hands.iter().map(has).collect();
                if !dead.is_empty() {
                    told.push(format!("{} to the discard", cards(dead)));
                }
                format!("the hands lie where they belong: {}", told.join("; "))
            }
            Fact::Handled { player, box_number } => {
                format!("{} has the cards of box{box_number}", self.name(*player))
            }
            Fact::OrderLostOnLayout => "the cards cannot be put in order".to_string(),
            Fact::HandSet { holder: whose, set_as } if self.verb == "sets" => {
                format!("{} is set as {set_as}", holder(*whose))
            }
            // On the line of the hand itself it need not be named.
            Fact::HandRanked { category, .. } if self.verb.is_empty() => category.key().to_string(),
            Fact::HandRanked { holder: whose, category } => format!("{}: {category}", holder(*whose)),
            Fact::DealerOpened if self.verb == "opens" => "the Dealer's hand is open".to_string(),
            Fact::Compared { box_number, winner } => {
                let end = match winner {
                    BoxWinner::Player => "beats the Dealer",
                    BoxWinner::Dealer => "loses to the Dealer",
                };
                if self.verb.is_empty() { end.to_string() } else { format!("box{box_number} {end}") }
            }
            Fact::BoxesRestricted { player } => format!("{} has one box at most", self.name(*player)),
            Fact::HandlingStopped { player } => format!("{} handles no more cards", self.name(*player)),
            Fact::Lifted { player, bar } => {
                let what = match bar {
                    Bar::Squeezing => "squeeze",
                    Bar::SeveralBoxes => "have several boxes",
                    Bar::Handling => "handle cards",
                };
                format!("{} may {what} again", self.name(*player))
            }
            _ => return None,
        })
    }

    /// A card is told where somebody draws it by itself, or where it is not an ordinary one.
    fn drawn(
        &self,
        card: Option<Card>,
        side: Side,
        misplaced: Option<Side>,
        source: Source,
    ) -> Option<String> {
        let card = named(card);
        // What is said of it beside has its own comma.
        let aside = card.trim_end_matches(',');
        let owner = format!("to {} hand", whose(side));
        match (misplaced, source) {
            (Some(other), _) => Some(format!("{card} lies on {} hand and belongs {owner}", whose(other))),
            (None, Source::Carried) => Some(format!("{aside}, left from the round before, goes {owner}")),
            (None, Source::Held) => Some(format!("{aside}, one of the two held, goes {owner}")),
            (None, Source::Shoe) if self.verb == "draws" => Some(format!("{card} goes {owner}")),
            (None, Source::Waiting) => Some(format!("{aside}, drawn before, goes {owner}")),
            (None, Source::Shoe | Source::Together) => None,
        }
    }

    /// What went wrong and what is done about it.
    fn wrong(&self, fact: &Fact) -> Option<String> {
        Some(match fact {
            Fact::Irregular { irregularity: Irregularity::Other, told, .. } if !told.is_empty() => {
                format!("irregular: {}: {told}", Irregularity::Other)
            }
            Fact::Irregular { irregularity: Irregularity::DealtOutOfTurn, told, .. } if !told.is_empty() => {
                format!("irregular: {}, {told}", Irregularity::DealtOutOfTurn)
            }
            Fact::Irregular { irregularity: Irregularity::ForeignCard, told, .. } if !told.is_empty() => {
                let says = irregular(Irregularity::ForeignCard);
                format!("irregular: {says} ({told})")
            }
            // Its place is still to be told.
            Fact::Irregular { irregularity: Irregularity::SurplusOnPlayer, about, .. }
                if about.side.is_none() =>
            {
                "irregular: a card too many; where it lies decides what follows".to_string()
            }
            Fact::Irregular { irregularity, .. } => format!("irregular: {}", irregular(*irregularity)),
            Fact::FindingPending { .. } => "a second person is to confirm what was found".to_string(),
            Fact::FindingConfirmed { .. } => "what was found is confirmed".to_string(),
            Fact::Retracted => "the report is taken back".to_string(),
            Fact::Ruled { by, remedy, with_withdrawal, player, .. } => {
                self.ruled(*by, *remedy, *with_withdrawal, *player)
            }
            Fact::OptionOpened { players } => {
                let players = if players.is_empty() { "nobody".to_string() } else { self.all(players) };
                format!("to withdraw or to stay: {players}")
            }
            Fact::Answered { player, withdraw: true } => format!("{} withdraws", self.name(*player)),
            Fact::Answered { player, withdraw: false } => format!("{} stays", self.name(*player)),
            Fact::OptionClosed => "the option window has closed".to_string(),
            Fact::Resumed => "this no longer holds play".to_string(),
            Fact::Rebuilt => "the cards lie as the draw order puts them".to_string(),
            Fact::TurnedFree => "the hand goes on without wagers".to_string(),
            Fact::NextIsFree => "the next hand is free".to_string(),
            Fact::TogetherSurplus { card, .. } => format!("{card} is one too many"),
            Fact::CardsCarried { free: true } => {
                "what is left over opens the next hand, which is free".to_string()
            }
            Fact::CardsCarried { free: false } => "what is left over opens the next round".to_string(),
            Fact::SurplusDiscarded => "what is left over is discarded".to_string(),
            Fact::CardsReturned => "the cards go back; burn, then deal again".to_string(),
            Fact::DealDiscarded => "the cards are discarded; betting is open again".to_string(),
            Fact::TwoHeld(held) => format!("{} are held back", cards(held)),
            Fact::MissingFound { missing, .. } if missing.is_empty() => "no card is missing".to_string(),
            Fact::MissingFound { missing, .. } => format!("missing: {}", cards(missing)),
            Fact::StoodIn { cards: equal } => format!("{} stand in for the missing cards", cards(equal)),
            Fact::Incident { what, .. } => format!("for the record: {what}"),
            _ => return None,
        })
    }

    fn ruled(&self, by: Actor, remedy: Remedy, with_withdrawal: bool, player: Option<PlayerId>) -> String {
        let by = match by {
            Actor::Staff(_) | Actor::Player(_) | Actor::Surveillance | Actor::Display => "",
            Actor::Device | Actor::System => ", by the rules alone",
        };
        let named = player.map_or(String::new(), |player| format!(", naming {}", self.name(player)));
        // Where the order is fixed players choose with the order before them; elsewhere ahead of the remedy.
        let choice = match (with_withdrawal, remedy) {
            (false, _) => "",
            (true, Remedy::FixOrder) => "; the order is fixed, and players may withdraw or go on with it",
            (true, _) => "; players may withdraw first",
        };
        format!("ruled {remedy}{named}{by}{choice}")
    }
}

/// A card, as far as it was read.
fn named(card: Option<Card>) -> String {
    card.map_or("a card, unread,".to_string(), |card| card.to_string())
}
