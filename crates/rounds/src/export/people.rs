//! Who is who: players and staff of a journal by the names of a round file.

use std::collections::BTreeMap;

use croupier_rules::Rulebook;
use croupier_table::{Actor, PersonId, PlayerId, Staff, Table};

use crate::amount::Decimals;
use crate::parse::is_player_name;
use crate::run::ranked;

/// The names of an export, given as people come up.
pub(super) struct People<'a> {
    names: &'a dyn Fn(PlayerId) -> String,
    players: BTreeMap<PlayerId, String>,
    /// The staff by person and acting rank, and their names.
    staff: BTreeMap<Staff, String>,
    /// How many decimals amounts have.
    pub(super) decimals: Decimals,
}

impl<'a> People<'a> {
    pub(super) fn new(names: &'a dyn Fn(PlayerId) -> String, decimals: Decimals) -> Self {
        Self { names, players: BTreeMap::new(), staff: BTreeMap::new(), decimals }
    }

    /// The name of a player: as given, if a file can say it and nobody else has it.
    pub(super) fn player(&mut self, rulebook: &Rulebook, id: PlayerId) -> String {
        if let Some(known) = self.players.get(&id) {
            return known.clone();
        }
        let given = (self.names)(id);
        let fits = |name: &str, players: &BTreeMap<PlayerId, String>| {
            is_player_name(name)
                && ranked(rulebook, name).is_none()
                && players.values().all(|known| known != name)
        };
        let lower: String = given
            .to_lowercase()
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
            .collect();
        let lower = lower.trim_matches('-').to_string();
        // With its number a name is nobody else's.
        let candidates = [given, lower.clone(), format!("p{}", id.0), format!("player-p{}", id.0)];
        let found = candidates.into_iter().find(|name| fits(name, &self.players));
        let name = found.unwrap_or_else(|| format!("player-number-{}", id.0));
        self.players.insert(id, name.clone());
        name
    }

    /// `dealer`, `acting-pit-manager`, `dealer-2`.
    pub(super) fn staff(&mut self, rulebook: &Rulebook, staff: Staff) -> String {
        if let Some(known) = self.staff.get(&staff) {
            return known.clone();
        }
        let rank = rulebook.ranks.get(usize::from(staff.acts_as().0));
        let rank = rank.map_or("dealer", |rank| rank.id.as_str());
        let base = if staff.acting.is_some() { format!("acting-{rank}") } else { rank.to_string() };
        let mut name = base.clone();
        let mut number = 1;
        while self.staff.values().any(|known| *known == name) {
            number += 1;
            name = format!("{base}-{number}");
        }
        self.staff.insert(staff, name.clone());
        name
    }

    /// Somebody on duty, or seen before, by their number.
    pub(super) fn person(&mut self, table: &Table, person: PersonId) -> Option<String> {
        let on_duty = table.staff.iter().find(|staff| staff.person == person).copied();
        let known = on_duty.or_else(|| self.staff.keys().find(|staff| staff.person == person).copied());
        known.map(|staff| self.staff(table.rulebook(), staff))
    }

    /// Who acts.
    pub(super) fn actor(&mut self, rulebook: &Rulebook, actor: Actor) -> String {
        match actor {
            Actor::Player(player) => self.player(rulebook, player),
            Actor::Staff(staff) => self.staff(rulebook, staff),
            Actor::Device => "device".to_string(),
            Actor::System => "table".to_string(),
            Actor::Surveillance => "surveillance".to_string(),
            Actor::Display => "display".to_string(),
        }
    }
}

/// Words that a line can carry: nothing that begins a comment or an expectation.
pub(super) fn plain_text(text: &str) -> String {
    let word = |word: &str| word.replace("=>", "->").trim_start_matches('#').to_string();
    text.split_whitespace().map(word).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
