//! What is done about a dispute, in words: `ann disputes the round`, `pit-manager informs surveillance`.

use croupier_rules::Amount;
use croupier_rules::names::nearest;
use croupier_table::case::{CaseOrder, Correction, Due, Evidence, Ground, Through};

use crate::deed::{Names, NoDeed};

/// What the words ask of a case.
pub(crate) enum CaseDeed {
    /// A dispute begins.
    Open {
        /// It is about a ruling of the round.
        ruling: bool,
        /// In the words of who disputes.
        words: String,
    },
    /// Something is done about it.
    Order(CaseOrder),
}

const GROUNDS: &str = "`rules CLAUSE`, `published REF`, `procedures REF`, `controls REF`, `statements`, \
    `surveillance REF`, `feed REF`, `law REF`, then `paying AMOUNT to NAME`, `taking AMOUNT from NAME`, `because TEXT`";

/// The order that these words ask for.
pub(crate) fn understand(said: &[&str], names: &mut dyn Names) -> Result<CaseDeed, NoDeed> {
    let order = match said {
        ["disputes", "the", "round", rest @ ..] => {
            return Ok(CaseDeed::Open { ruling: false, words: rest.join(" ") });
        }
        ["disputes", "the", "ruling", rest @ ..] => {
            return Ok(CaseDeed::Open { ruling: true, words: rest.join(" ") });
        }
        ["assigns", "the", "case", "to", rank] => {
            CaseOrder::Assign { to: names.ranked(rank).map_err(NoDeed::Words)? }
        }
        ["settles", "the", "case", rest @ ..] => CaseOrder::Settle { words: rest.join(" ") },
        ["escalates", "the", "case", rest @ ..] => CaseOrder::Escalate { words: rest.join(" ") },
        ["takes", "the", "case", "over"] => CaseOrder::TakeOver,
        ["puts", "down", rest @ ..] => CaseOrder::GatherFact { words: rest.join(" ") },
        ["attaches", "surveillance", reference] => {
            CaseOrder::Attach { evidence: Evidence::Surveillance { reference: (*reference).to_string() } }
        }
        ["attaches", "feed", reference] => {
            CaseOrder::Attach { evidence: Evidence::ShoeFeed { reference: (*reference).to_string() } }
        }
        ["attaches", "published", reference] => {
            CaseOrder::Attach { evidence: Evidence::Published { reference: (*reference).to_string() } }
        }
        ["hears", "the", "player", rest @ ..] => CaseOrder::HearPlayer { words: rest.join(" ") },
        ["hears", "the", "staff", rest @ ..] => CaseOrder::HearStaff { words: rest.join(" ") },
        ["cannot", "hear", "the", "player", rest @ ..] => CaseOrder::MissPlayer { words: rest.join(" ") },
        ["cannot", "hear", "the", "staff", rest @ ..] => CaseOrder::MissStaff { words: rest.join(" ") },
        ["informs", "surveillance"] => CaseOrder::InformSurveillance,
        ["tells", "the", "due", "time", seconds] => CaseOrder::TellDue {
            due: Due::By(
                seconds
                    .parse()
                    .map_err(|_| NoDeed::Words(format!("`{seconds}` is not a time in seconds")))?,
            ),
        },
        ["tells", "no", "due", "time", rest @ ..] => {
            CaseOrder::TellDue { due: Due::NotTold { reason: rest.join(" ") } }
        }
        ["completes", "the", "gathering"] => CaseOrder::CompleteGathering,
        ["asks", "for", "more", "evidence", rest @ ..] => {
            CaseOrder::AskMoreEvidence { words: rest.join(" ") }
        }
        ["decides", rest @ ..] => decision(rest, names)?,
        ["agrees"] => CaseOrder::Agree,
        ["disagrees"] => CaseOrder::Disagree,
        ["posts", "the", "corrections"] => {
            CaseOrder::PostCorrections { through: Through::Table, transfers: Vec::new() }
        }
        ["posts", "the", "corrections", "through", "the", "cage"] => {
            CaseOrder::PostCorrections { through: Through::Cage, transfers: Vec::new() }
        }
        ["tells", "the", "right"] => CaseOrder::TellRight,
        ["wishes", "to", "complain"] => CaseOrder::WishComplaint,
        ["declines", "to", "complain"] => CaseOrder::DeclineComplaint,
        ["names", rank, "to", "help"] => {
            CaseOrder::NameHelper { helper: names.ranked(rank).map_err(NoDeed::Words)?.person }
        }
        ["files", "the", "complaint", rest @ ..] => CaseOrder::FileComplaint { reference: rest.join(" ") },
        ["answers", "the", "complaint", rest @ ..] => answer(rest, names)?,
        _ => return Err(NoDeed::Unknown),
    };
    Ok(CaseDeed::Order(order))
}

/// `[paying AMOUNT to NAME] [taking AMOUNT from NAME] TEXT`
fn answer(said: &[&str], names: &mut dyn Names) -> Result<CaseOrder, NoDeed> {
    let mut corrections = Vec::new();
    let mut rest = said;
    while let Some((moved, after)) = correction(rest, names)? {
        corrections.push(moved);
        rest = after;
    }
    let words = rest.join(" ");
    Ok(CaseOrder::AnswerComplaint { words, corrections, through: Through::Table, transfers: Vec::new() })
}

/// `paying AMOUNT to NAME` or `taking AMOUNT from NAME`, and what follows it.
fn correction<'w, 's>(
    said: &'w [&'s str],
    names: &mut dyn Names,
) -> Result<Option<(Correction, &'w [&'s str])>, NoDeed> {
    let (pays, amount, name, rest) = match said {
        ["paying", amount, "to", name, rest @ ..] => (true, amount, name, rest),
        ["taking", amount, "from", name, rest @ ..] => (false, amount, name, rest),
        _ => return Ok(None),
    };
    let decimals = names.decimals();
    let money: Amount =
        decimals.parse_positive(amount).map_err(|error| NoDeed::Words(format!("`{amount}` {error}")))?;
    let player = names.player(name).map_err(NoDeed::Words)?;
    Ok(Some((Correction { player, amount: if pays { money } else { -money } }, rest)))
}

/// `[on GROUNDS…] [paying AMOUNT to NAME] [taking AMOUNT from NAME] [because TEXT]`
fn decision(said: &[&str], names: &mut dyn Names) -> Result<CaseOrder, NoDeed> {
    let mut grounds = Vec::new();
    let mut corrections = Vec::new();
    let mut reasoning = String::new();
    let mut rest = said;
    loop {
        if let Some((moved, after)) = correction(rest, names)? {
            corrections.push(moved);
            rest = after;
            continue;
        }
        rest = match rest {
            [] => break,
            ["on", rest @ ..] => rest,
            ["because", rest @ ..] => {
                reasoning = rest.join(" ");
                break;
            }
            ["statements", rest @ ..] => {
                grounds.push(Ground::Statements);
                rest
            }
            [kind, reference, rest @ ..] => {
                grounds.push(ground(kind, reference, names)?);
                rest
            }
            [_] => return Err(NoDeed::Words(format!("a decision rests on {GROUNDS}"))),
        };
    }
    Ok(CaseOrder::Decide { grounds, reasoning, corrections })
}

fn ground(kind: &str, reference: &str, names: &mut dyn Names) -> Result<Ground, NoDeed> {
    let reference = reference.to_string();
    Ok(match kind {
        "rules" => Ground::Rules { clause: reference, version: names.version() },
        "published" => Ground::Published { reference },
        "procedures" => Ground::Procedures { reference },
        "controls" => Ground::Controls { reference },
        "surveillance" => Ground::Surveillance { reference },
        "feed" => Ground::Evidence(Evidence::ShoeFeed { reference }),
        "law" => Ground::Law { citation: reference },
        _ => {
            let kinds =
                ["rules", "published", "procedures", "controls", "statements", "surveillance", "feed", "law"];
            return Err(NoDeed::Words(match nearest(kind, kinds) {
                Some(meant) => format!("`{kind}` is not a ground; did you mean `{meant}`?"),
                None => format!("`{kind}` is not a ground; accepted: {GROUNDS}"),
            }));
        }
    })
}
