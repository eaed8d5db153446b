//! `croupier simulate`: deals real cards by the million and shows what every bet made of them, beside the
//! exact figure.

mod input;
pub(super) mod progress;
mod report;

use std::io::Write;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, anyhow, bail};
use croupier_cards::Decks;
use croupier_lab::simulate::sessions::{self, Plan};
use croupier_lab::simulate::{CutCard, Dealing, Run, Stop, simulate};
use croupier_lab::{
    NiuNiuDeck, NiuNiuHistogram, NiuNiuSheet, ParBet, ParSheet, RankCounts, ShoeCards, decks,
};
use croupier_rules::baccarat::Burn;
use croupier_rules::names::hint;
use croupier_rules::setting::Setting;
use croupier_rules::{Family, Game, Rulebook};

use super::rules::Format;
use super::{Rulebooks, find_game};
pub(super) use input::parse_burn;
use input::{Stake, parse_count, parse_error};
use progress::Progress;

/// Deal rounds, whole shoes or players' sessions and see what every bet is worth
///
/// Cards are dealt from a shuffled shoe by the drawing rules, never sampled from the exact odds. The same
/// seed gives the same result for any number of threads. Ctrl-C shows what there is so far.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  croupier simulate hoiana-baccarat/commission                      10 million rounds, every bet
  croupier simulate mbs-dragon-tiger --rounds 1G --decks 6          a billion, from six decks
  croupier simulate mbs-dragon-tiger --shoes 100k --cut-card 52     whole shoes, 52 cards cut off
  croupier simulate hoiana-niu-niu --until-error 0.0005 --bet even  until that precise
  croupier simulate hoiana-baccarat/commission --sessions 50k --session-rounds 200 \\
      --bankroll 1000 --stake banker=25 --stake tie=5               how players end who bet so

A number may end in k, M or G and hold underscores: 500k, 2M, 10_000_000.")]
pub(crate) struct SimulateArgs {
    /// The game, such as `hoiana-baccarat/commission`
    game: String,

    /// So many rounds, each from a full shoe; 10M if nothing else is asked for
    #[arg(long, value_name = "N", value_parser = parse_count, conflicts_with_all = ["shoes", "sessions"])]
    rounds: Option<u64>,

    /// So many whole shoes, played until the cut card
    #[arg(long, value_name = "N", value_parser = parse_count, conflicts_with = "sessions")]
    shoes: Option<u64>,

    /// So many sessions of a player who makes the wagers named by --stake every round
    #[arg(long, value_name = "N", value_parser = parse_count)]
    sessions: Option<u64>,

    /// Number of decks in the shoe; the rulebook's if left out
    #[arg(long, value_name = "N")]
    decks: Option<u32>,

    /// Where the random draws start
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Number of threads; as many as the machine has if left out
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Stop when the standard error of every bet, or of the one named by --bet, is at most this
    #[arg(long, value_name = "E", value_parser = parse_error, conflicts_with = "sessions")]
    until_error: Option<f64>,

    /// Show this bet only
    #[arg(long, value_name = "ID")]
    bet: Option<String>,

    /// Cards burned from a new shoe, or `first-card` for as many as the first is worth; the rulebook's if it says, else 1
    #[arg(long, value_name = "N", value_parser = parse_burn)]
    burn: Option<Burn>,

    /// Cards behind the cut card; the rulebook's if it says, else 14
    #[arg(long, value_name = "N")]
    cut_card: Option<u32>,

    /// Rounds dealt after the one in which the cut card comes out; the rulebook's if left out
    #[arg(long, value_name = "N")]
    rounds_after_cut_card: Option<u32>,

    /// A session's wager in every round: BET=AMOUNT, or just the amount if --bet names the bet
    #[arg(long = "stake", value_name = "BET=AMOUNT", requires = "sessions", conflicts_with_all = ["rounds", "shoes"])]
    stakes: Vec<Stake>,

    /// Rounds of a session at most; 100 if there is no bankroll to be lost
    #[arg(long, value_name = "N", value_parser = parse_count, requires = "sessions", conflicts_with_all = ["rounds", "shoes"])]
    session_rounds: Option<u64>,

    /// What a player brings to a session; it ends when that no longer covers the wagers
    #[arg(long, value_name = "AMOUNT", value_parser = parse_count, requires = "sessions", conflicts_with_all = ["rounds", "shoes"])]
    bankroll: Option<u64>,

    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Rounds dealt if no number is given.
const ROUNDS: u64 = 10_000_000;

/// Set by Ctrl-C.
static CANCEL: AtomicBool = AtomicBool::new(false);

/// What is dealt and how it is reported.
struct Task<'a> {
    args: &'a SimulateArgs,
    game: &'a Game,
    dealing: Dealing,
    /// The bet to show, or all.
    bet: Option<usize>,
}

/// Runs the command.
///
/// # Errors
/// Input that cannot be simulated, or a failure to write.
pub(crate) fn run(
    args: SimulateArgs,
    rulebooks: &Rulebooks,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let library = rulebooks.library()?;
    let (rulebook, game) = find_game(&library, &args.game)?;
    let dealing = dealing(&args, rulebook)?;
    let bet = args.bet.as_deref().map(|id| find_bet(game, id)).transpose()?;
    let task = Task { args: &args, game, dealing, bet };
    ctrlc::set_handler(|| CANCEL.store(true, std::sync::atomic::Ordering::Relaxed))
        .context("cannot watch for Ctrl-C")?;
    match args.sessions {
        Some(number) => task.sessions(number, out)?,
        None => task.rounds(out)?,
    }
    Ok(ExitCode::SUCCESS)
}

impl Task<'_> {
    fn rounds(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let asked = self.args.rounds.or(self.args.shoes);
        let stop = match (self.args.until_error, asked) {
            (Some(error), most) => {
                Stop::AtError { error, bet: self.bet, most: most.unwrap_or(u64::MAX >> 8) }
            }
            (None, asked) => Stop::After(asked.unwrap_or(ROUNDS)),
        };
        let exact = exact(self.game, self.dealing);
        let progress = Progress::new(
            match stop {
                Stop::After(total) => Some(total),
                Stop::AtError { error, most, .. } => {
                    self.rounds_to(error, exact.as_deref()).map(|rounds| rounds.min(most))
                }
            },
            self.unit(),
        );
        let told = |done| progress.set(done);
        let simulated = simulate(self.game, self.dealing, stop, &self.run_with(&told))?;
        progress.clear();
        report::rounds(self, &simulated, exact.as_deref(), out)
    }

    fn sessions(&self, number: u64, out: &mut dyn Write) -> anyhow::Result<()> {
        let plan = self.plan()?;
        let progress = Progress::new(Some(number), "sessions");
        let told = |done| progress.set(done);
        let sessions = sessions::simulate(self.game, self.dealing, &plan, number, &self.run_with(&told))?;
        progress.clear();
        report::sessions(self, &plan, &sessions, out)
    }

    fn run_with<'r>(&self, progress: &'r (dyn Fn(u64) + Sync)) -> Run<'r> {
        Run {
            seed: self.args.seed,
            threads: self.args.threads,
            cancel: Some(&CANCEL),
            progress: Some(progress),
        }
    }

    fn plan(&self) -> anyhow::Result<Plan> {
        let wager = |stake: &Stake| match (&stake.bet, self.bet) {
            (Some(id), _) => Ok((find_bet(self.game, id)?, stake.amount)),
            (None, Some(bet)) => Ok((bet, stake.amount)),
            (None, None) => Err(anyhow!(
                "--stake {0} does not say on which bet: write --stake BET={0}, or name the bet with --bet",
                stake.amount
            )),
        };
        let wagers: Vec<(usize, u64)> = match (self.args.stakes.as_slice(), self.bet) {
            ([], Some(bet)) => vec![(bet, 1)],
            ([], None) => bail!(
                "a session needs a wager: --stake BET=AMOUNT, as in --stake {}=10",
                self.game.bets[0].id
            ),
            (stakes, _) => stakes.iter().map(wager).collect::<anyhow::Result<_>>()?,
        };
        let rounds = self.args.session_rounds.or(if self.args.bankroll.is_none() { Some(100) } else { None });
        Ok(Plan { wagers, rounds, bankroll: self.args.bankroll })
    }

    /// What the progress counts.
    fn unit(&self) -> &'static str {
        match self.dealing {
            Dealing::Shoes(..) => "shoes",
            Dealing::Rounds(_) | Dealing::NiuNiu => "rounds",
        }
    }

    /// How many rounds a precision will take, where the spread of the results is known.
    fn rounds_to(&self, error: f64, exact: Option<&[ParBet]>) -> Option<u64> {
        let bets = exact?.iter().enumerate().filter(|(at, _)| self.bet.is_none_or(|bet| bet == *at));
        let variance = bets.map(|(_, bet)| bet.variance.approximate()).fold(0.0, f64::max);
        let per_shoe = if matches!(self.dealing, Dealing::Shoes(..)) { 80.0 } else { 1.0 };
        Some((variance / (error * error) / per_shoe) as u64)
    }
}

/// What the arguments ask to be dealt, within what the rulebook allows.
fn dealing(args: &SimulateArgs, rulebook: &Rulebook) -> anyhow::Result<Dealing> {
    let decks = decks(args, rulebook)?;
    let usual = CutCard::default();
    let number = |asked, setting, usual: usize| match shoe_setting(rulebook, setting, asked)? {
        Some(number) => Ok::<_, anyhow::Error>(usize::try_from(number)?),
        None => Ok(usual),
    };
    let cut = CutCard {
        burn: burn(rulebook, args.burn)?.unwrap_or(usual.burn),
        behind: number(args.cut_card, Setting::CutCard, usual.behind)?,
        rounds_after: shoe_setting(rulebook, Setting::RoundsAfterCutCard, args.rounds_after_cut_card)?
            .unwrap_or(usual.rounds_after),
    };
    let names_cut = args.burn.is_some() || args.cut_card.or(args.rounds_after_cut_card).is_some();
    if rulebook.family.deck_per_round() && (args.shoes.is_some() || names_cut) {
        bail!(
            "{} is dealt from a full deck every round: there are no shoes, no burn and no cut card",
            rulebook.id
        )
    }
    match rulebook.family {
        Family::NiuNiu => Ok(Dealing::NiuNiu),
        Family::Baccarat if args.shoes.is_some() || args.sessions.is_some() => {
            cut.check(decks)?;
            Ok(Dealing::Shoes(decks, cut))
        }
        Family::Baccarat if names_cut => {
            bail!("a burn and a cut card need whole shoes: ask for --shoes or --sessions instead of rounds")
        }
        Family::Baccarat => Ok(Dealing::Rounds(decks)),
    }
}

fn decks(args: &SimulateArgs, rulebook: &Rulebook) -> anyhow::Result<Decks> {
    let number = match args.decks {
        Some(number) => number,
        None => decks::default_of(rulebook)?.number().into(),
    };
    let (least, most) = rulebook.setting(Setting::Decks).and_then(|spec| spec.range).unwrap_or((1, 10));
    let allowed = (least..=most).contains(&number);
    let decks = u8::try_from(number).ok().and_then(|number| Decks::new(number).ok());
    decks.filter(|_| allowed).ok_or_else(|| {
        let range = if least == most {
            super::count(usize::try_from(least).unwrap_or(0), "deck")
        } else {
            format!("{least} to {most} decks")
        };
        anyhow!("{} is played with {range}, not with {number}", rulebook.id)
    })
}

/// What a shoe is dealt with: what was asked for, if the rulebook allows it, else the rulebook's own, where it has one.
pub(super) fn shoe_setting(
    rulebook: &Rulebook,
    setting: Setting,
    asked: Option<u32>,
) -> anyhow::Result<Option<u32>> {
    let range = rulebook.setting(setting).and_then(|spec| spec.range);
    match (asked, range) {
        (Some(number), Some((least, most))) if !(least..=most).contains(&number) => {
            bail!("{} takes {least} to {most} as `{setting}`, not {number}", rulebook.id)
        }
        (Some(number), _) => Ok(Some(number)),
        (None, _) => Ok(default_of(rulebook, setting)),
    }
}

/// What a new shoe burns: what was asked for, if the rulebook allows it, else the rulebook's own, where it has one.
pub(super) fn burn(rulebook: &Rulebook, asked: Option<Burn>) -> anyhow::Result<Option<Burn>> {
    match asked {
        Some(Burn::Cards(cards)) => Ok(shoe_setting(rulebook, Setting::Burn, Some(cards))?.map(Burn::Cards)),
        Some(Burn::FirstCard) => Ok(asked),
        None => Ok(rulebook.burn()),
    }
}

fn default_of(rulebook: &Rulebook, setting: Setting) -> Option<u32> {
    rulebook.setting(setting)?.default.as_ref()?.parse().ok()
}

fn find_bet(game: &Game, id: &str) -> anyhow::Result<usize> {
    game.bet_index(id).ok_or_else(|| {
        let hint = hint(id, game.bets.iter().map(|bet| bet.id.as_str()));
        anyhow!("{} has no bet `{id}`; {hint}", game.id)
    })
}

/// The exact worth of the bets, in menu order, in a full shoe or deck.
fn exact(game: &Game, dealing: Dealing) -> Option<Vec<ParBet>> {
    match dealing {
        Dealing::Rounds(decks) | Dealing::Shoes(decks, _) => {
            let histogram = croupier_lab::exact::histogram(&RankCounts::of_decks(decks));
            Some(ParSheet::of_baccarat(game, &histogram, &ShoeCards::of_decks(decks)).bets)
        }
        Dealing::NiuNiu => {
            let sheet = NiuNiuSheet::new(game, &NiuNiuHistogram::of(&NiuNiuDeck::FULL))?;
            Some(sheet.bets.into_iter().map(|bet| bet.par).collect())
        }
    }
}
