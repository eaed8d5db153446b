//! What does not fit about the settings of a new table, told field by field: which setting, for which bet or odds, and
//! in the money of the table.

use croupier_journal::deed::OpenTable;
use croupier_rules::setting::Setting;
use croupier_rules::settle::{Terms, TermsFault};
use croupier_rules::{Amount, Odds, Rulebook};
use croupier_table::{Concern, SetupFault};

use crate::api::days::amount_in;
use crate::problem::{Parameters, Problem, SettingFault};

/// All faults as one problem.
pub(super) fn problem(rulebook: &Rulebook, opened: &OpenTable, faults: &[SetupFault]) -> Problem {
    let mut told: Vec<SettingFault> = Vec::new();
    for fault in faults.iter().flat_map(|fault| told_by_field(rulebook, opened, fault)) {
        // One amount for all bets is one field, however many bets it does not fit.
        if !told.contains(&fault) {
            told.push(fault);
        }
    }
    let detail: Vec<&str> = told.iter().map(|fault| fault.message.as_str()).collect();
    let cites: Vec<_> = faults.iter().flat_map(|fault| fault.cites.iter().copied()).collect();
    let problem = Problem::refused("settings", detail.join("; ")).citing(rulebook, &cites);
    problem.with_parameters(&Parameters { settings: told, ..Parameters::default() })
}

/// A fault at each field that has part in it.
fn told_by_field(rulebook: &Rulebook, opened: &OpenTable, fault: &SetupFault) -> Vec<SettingFault> {
    let clauses: Vec<String> = fault.cites.iter().map(|basis| rulebook.full_id(*basis)).collect();
    let message = match &fault.about {
        Concern::Money(terms) => in_money(terms, opened),
        Concern::Game | Concern::Version | Concern::Date | Concern::Controls | Concern::Setting(_) => {
            fault.message.clone()
        }
    };
    let at = |(setting, bet, odds): Field| SettingFault {
        setting,
        bet,
        odds,
        message: message.clone(),
        clauses: clauses.clone(),
    };
    let places = match &fault.about {
        Concern::Money(_) => fault.places(&opened.opening.settings),
        Concern::Game | Concern::Version | Concern::Date | Concern::Controls | Concern::Setting(_) => {
            Vec::new()
        }
    };
    let chosen = places.into_iter().filter_map(|place| opened.opening.settings.get(place));
    let fields: Vec<Field> =
        chosen.map(|chosen| (Some(chosen.setting), chosen.bet.clone(), chosen.odds)).collect();
    match fields.is_empty() {
        true => vec![at((fault.setting(), None, None))],
        false => fields.into_iter().map(at).collect(),
    }
}

/// Which setting, for which bet or odds.
type Field = (Option<Setting>, Option<String>, Option<Odds>);

/// What is wrong with the terms, in the money of the table.
fn in_money(fault: &TermsFault, opened: &OpenTable) -> String {
    let show = |amount: &Amount| amount_in(amount.minor(), opened.decimals);
    match fault {
        TermsFault::Chip { chip } => format!(
            "the smallest chip must be a whole multiple of {}, so that commission and half pay are exact; it is {}",
            amount_in(Terms::CHIP_PARTS, opened.decimals),
            show(chip)
        ),
        TermsFault::NotInChips { amount, chip } => {
            format!("{} is no whole number of the smallest chip, {}", show(amount), show(chip))
        }
        TermsFault::PayableUnit { unit } => {
            format!("the payable unit must be above zero; it is {}", show(unit))
        }
        TermsFault::Crossed { minimum, maximum } => {
            format!("the minimum {} is above the maximum {}", show(minimum), show(maximum))
        }
    }
}
