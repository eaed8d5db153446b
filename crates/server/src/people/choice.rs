//! As who people come to a table: as players, as staff in some rank, as surveillance, or to look on.

use croupier_ledger::PlayerId;
use croupier_rules::Power;
use croupier_table::{Actor, Staff};
use serde::{Deserialize, Serialize};

use super::{Grant, Person};
use crate::problem::Problem;
use crate::table::{Audience, TableHandle};

/// As who somebody acts at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum As {
    /// As a player.
    Player,
    /// As staff, in the highest rank held there.
    Staff,
    /// As surveillance.
    Surveillance,
}

pub(super) fn choose_actor(
    person: &Person,
    table: &TableHandle,
    wanted: Option<As>,
) -> Result<Actor, Problem> {
    let staff = person.rank_at(table);
    let wanted = wanted.unwrap_or_else(|| {
        if staff.is_some() {
            As::Staff
        } else if person.is(&Grant::Surveillance) && !person.is(&Grant::Player) {
            As::Surveillance
        } else {
            As::Player
        }
    });
    if person.disabled {
        return Err(disabled());
    }
    match wanted {
        As::Staff => on_duty(person, staff).map(Actor::Staff),
        As::Player if !person.is(&Grant::Player) => {
            Err(Problem::forbidden("not-player", "you are no player here; ask the cage for an account"))
        }
        As::Player => Ok(Actor::Player(PlayerId(person.id))),
        As::Surveillance if person.is(&Grant::Surveillance) => Ok(Actor::Surveillance),
        As::Surveillance => Err(not_surveillance()),
    }
}

/// The audiences by their names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sees {
    Public,
    Player,
    Dealer,
    Pit,
    Surveillance,
}

impl Sees {
    pub(super) fn parse(name: &str) -> Result<Self, Problem> {
        match name {
            "public" => Ok(Self::Public),
            "player" => Ok(Self::Player),
            "dealer" => Ok(Self::Dealer),
            "pit" => Ok(Self::Pit),
            "surveillance" => Ok(Self::Surveillance),
            _ => {
                let detail = "the audiences are public, player, dealer, pit and surveillance";
                Err(Problem::bad_request("bad-audience", detail))
            }
        }
    }
}

pub(super) fn choose_audience(
    person: &Person,
    table: &TableHandle,
    wanted: Option<Sees>,
) -> Result<Audience, Problem> {
    let staff = person.rank_at(table);
    let is_of_pit = |staff: Staff| {
        let authority = table.setup.authority();
        authority.power(Actor::Staff(staff), Power::Treasury).is_ok()
    };
    let Some(wanted) = wanted else {
        let staff = staff.filter(|_| person.on_duty && !person.disabled);
        return Ok(match staff {
            Some(staff) if is_of_pit(staff) => Audience::Pit,
            Some(_) => Audience::Dealer,
            None if person.disabled => Audience::Public,
            None if person.is(&Grant::Player) => Audience::Player(PlayerId(person.id)),
            None if person.is(&Grant::Surveillance) => Audience::Surveillance,
            None => Audience::Public,
        });
    };
    if wanted != Sees::Public && person.disabled {
        return Err(disabled());
    }
    match wanted {
        Sees::Public => Ok(Audience::Public),
        Sees::Player if person.is(&Grant::Player) => Ok(Audience::Player(PlayerId(person.id))),
        Sees::Player => Err(Problem::forbidden("not-player", "you are no player here")),
        Sees::Dealer => on_duty(person, staff).map(|_| Audience::Dealer),
        Sees::Pit => match on_duty(person, staff)? {
            staff if is_of_pit(staff) => Ok(Audience::Pit),
            _ => {
                let detail = "this view is for those who may bring chips to the table; yours is the dealer's";
                Err(Problem::forbidden("not-pit", detail))
            }
        },
        Sees::Surveillance if person.is(&Grant::Surveillance) => Ok(Audience::Surveillance),
        Sees::Surveillance => Err(not_surveillance()),
    }
}

fn on_duty(person: &Person, staff: Option<Staff>) -> Result<Staff, Problem> {
    match staff {
        None => Err(Problem::forbidden("not-staff", "you have no rank at this table")),
        Some(_) if !person.on_duty => {
            Err(Problem::forbidden("off-duty", "you are off duty; say that you are on duty first"))
        }
        Some(staff) => Ok(staff),
    }
}

fn not_surveillance() -> Problem {
    Problem::forbidden("not-surveillance", "this is for surveillance only")
}

pub(super) fn disabled() -> Problem {
    Problem::forbidden("disabled", "this account is closed; an administrator can open it again")
}

#[cfg(test)]
mod tests {
    use core::slice::from_ref;

    use croupier_journal::Location;
    use croupier_journal::deed::{CardSource, Dealing, OpenTable};
    use croupier_journal::{By, Hash};
    use croupier_rules::Amount;
    use croupier_rules::setting::Setting;
    use croupier_table::{Chosen, Opening, Value};

    use super::*;
    use crate::floor::{Floor, Place};
    use crate::people::Right;
    use crate::table::dealer::Pace;

    const ID: u32 = 7;

    async fn table() -> TableHandle {
        table_with(&[]).await
    }

    async fn table_with(further: &[(Setting, &str)]) -> TableHandle {
        let place = Place {
            database: Location::memory(),
            folder: None,
            keys: std::path::PathBuf::new(),
            pace: Pace::default(),
            accept_registers: false,
        };
        let floor = Floor::start(&place).unwrap().floor;
        let units = |units: i64| Value::Money(Amount::new(units * 100).unwrap());
        let word = |word: &str| Value::Word(word.to_string());
        let rulebook = floor.volume("hoiana-baccarat/commission").unwrap().rulebook;
        let mut settings = vec![
            (Setting::Burn, Value::Count(1)),
            (Setting::CutCard, Value::Count(14)),
            (Setting::Chip, units(1)),
            (Setting::Minimum, units(10)),
            (Setting::Maximum, units(5_000)),
            (Setting::Differential, units(1_000)),
            (Setting::SchedulePosted, word("yes")),
            (Setting::Layout, word(&rulebook.layouts[0].id)),
            (Setting::ResidualAuthority, word("senior-management")),
        ];
        settings.extend(further.iter().map(|(setting, value)| (*setting, word(value))));
        settings.retain(|(setting, _)| rulebook.setting(*setting).is_some());
        let chosen = |(setting, value)| Chosen { setting, bet: None, odds: None, value };
        let opened = OpenTable {
            name: "One".to_string(),
            pit: "north".to_string(),
            currency: "VND".to_string(),
            decimals: 0,
            cards: CardSource::Feed,
            dealer: Dealing::Staff,
            rulebook: Hash::ZERO,
            opening: Opening {
                game: "hoiana-baccarat/commission".to_string(),
                settings: settings.into_iter().map(chosen).collect(),
                ..Opening::default()
            },
        };
        floor.open_table(By::System, opened).await.unwrap()
    }

    fn staff(rank: &str, rulebook: Option<&str>, pit: Option<&str>, acting: Option<&str>) -> Grant {
        let text = |text: Option<&str>| text.map(str::to_string);
        Grant::Staff {
            rank: rank.to_string(),
            rulebook: text(rulebook),
            pit: text(pit),
            acting: text(acting),
        }
    }

    fn person(grants: &[Grant]) -> Person {
        Person {
            id: ID,
            name: "mai".to_string(),
            nickname: "Mai".to_string(),
            password: None,
            pin: None,
            provider: None,
            grants: grants.to_vec(),
            excluded: false,
            disabled: false,
            on_duty: true,
        }
    }

    fn code<T>(result: Result<T, Problem>) -> (u16, String) {
        result.map_or_else(|problem| (problem.status, problem.code), |_| (200, String::new()))
    }

    #[tokio::test]
    async fn the_highest_rank_that_holds_at_the_table_counts() {
        let table = table().await;
        let rank = |id: &str| table.setup.rulebook.rank(id).unwrap();
        // The grants, and the rank held and acted in.
        type Case<'a> = (&'a [Grant], Option<(&'a str, Option<&'a str>)>);
        let cases: [Case<'_>; 9] = [
            (&[], None),
            (&[staff("dealer", None, None, None)], Some(("dealer", None))),
            (&[staff("dealer", Some("hoiana-baccarat"), Some("north"), None)], Some(("dealer", None))),
            (&[staff("dealer", Some("hoiana-niu-niu"), None, None)], None),
            (&[staff("dealer", None, Some("south"), None)], None),
            (&[staff("floor-supervisor", None, None, None)], None),
            (
                &[staff("dealer", None, None, None), staff("pit-manager", None, None, None)],
                Some(("pit-manager", None)),
            ),
            // Acting ranks do not count at this table.
            (
                &[
                    staff("dealer-inspector", None, None, Some("shift-manager")),
                    staff("pit-manager", None, None, None),
                ],
                Some(("pit-manager", None)),
            ),
            (&[staff("dealer", None, None, Some("dealer"))], Some(("dealer", None))),
        ];
        for (grants, expected) in cases {
            let found =
                person(grants).rank_at(&table).map(|staff| (staff.rank.0, staff.acting.map(|rank| rank.0)));
            let expected = expected.map(|(held, acting)| (rank(held), acting.map(rank)));
            assert_eq!(found, expected, "{grants:?}");
        }
    }

    #[tokio::test]
    async fn people_act_as_what_they_were_granted() {
        let table = table().await;
        let dealer = staff("dealer", None, None, None);
        let elsewhere = staff("dealer", None, Some("south"), None);
        let is = |grants: &[Grant], wanted| match choose_actor(&person(grants), &table, wanted) {
            Ok(Actor::Player(PlayerId(ID))) => "player".to_string(),
            Ok(Actor::Staff(_)) => "staff".to_string(),
            Ok(Actor::Surveillance) => "surveillance".to_string(),
            Ok(other) => panic!("{other:?}"),
            Err(problem) => problem.code,
        };
        use Grant::{Admin, Player, Surveillance};
        assert_eq!(is(&[Player], None), "player");
        assert_eq!(is(&[Player, dealer.clone()], None), "staff");
        assert_eq!(is(&[Player, elsewhere.clone()], None), "player");
        assert_eq!(is(&[Player, Surveillance], None), "player");
        assert_eq!(is(&[Surveillance], None), "surveillance");
        assert_eq!(is(&[Admin], None), "not-player");
        assert_eq!(is(&[Player, dealer.clone()], Some(As::Player)), "player");
        assert_eq!(is(&[Player], Some(As::Staff)), "not-staff");
        assert_eq!(is(&[elsewhere], Some(As::Staff)), "not-staff");
        assert_eq!(is(from_ref(&dealer), Some(As::Player)), "not-player");
        assert_eq!(is(&[dealer, Player], Some(As::Surveillance)), "not-surveillance");
        assert_eq!(is(&[Surveillance], Some(As::Surveillance)), "surveillance");
    }

    #[tokio::test]
    async fn exclusion_duty_and_closed_accounts_count() {
        let table = table().await;
        let dealer = staff("dealer", None, None, None);
        let excluded = Person { excluded: true, ..person(&[Grant::Player, dealer.clone()]) };
        // Exclusion is about what is done, and not about who comes: leaving is always possible.
        assert_eq!(code(choose_actor(&excluded, &table, Some(As::Player))).0, 200);
        assert_eq!(code(choose_actor(&excluded, &table, None)).0, 200, "staff may work");
        let off = Person { on_duty: false, ..person(&[Grant::Player, dealer]) };
        assert_eq!(code(choose_actor(&off, &table, None)), (403, "off-duty".to_string()));
        assert_eq!(code(choose_actor(&off, &table, Some(As::Player))).0, 200);
        assert_eq!(code(choose_audience(&off, &table, Some(Sees::Dealer))), (403, "off-duty".to_string()));
        assert_eq!(choose_audience(&off, &table, None).unwrap(), Audience::Player(PlayerId(ID)));
        let closed = Person { disabled: true, ..person(&[Grant::Player, Grant::Surveillance]) };
        for wanted in [As::Player, As::Staff, As::Surveillance] {
            assert_eq!(code(choose_actor(&closed, &table, Some(wanted))), (403, "disabled".to_string()));
        }
        assert_eq!(code(choose_audience(&closed, &table, Some(Sees::Surveillance))).1, "disabled");
        assert_eq!(choose_audience(&closed, &table, None).unwrap(), Audience::Public);
    }

    #[tokio::test]
    async fn people_see_what_is_for_them() {
        let table = table().await;
        let acting_counts = table_with(&[(Setting::ActingRanks, "on")]).await;
        let all = ["public", "player", "dealer", "pit", "surveillance"];
        let own = Audience::Player(PlayerId(ID));
        // Hoiana 04/01.10.2024: a Pit Supervisor may bring chips, so may a Dealer Inspector, who is on the same level.
        let acting_manager = staff("dealer", None, None, Some("pit-manager"));
        let rows: [(&[Grant], [bool; 5], Audience); 7] = [
            (&[Grant::Admin], [true, false, false, false, false], Audience::Public),
            (&[Grant::Player], [true, true, false, false, false], own),
            (&[staff("dealer", None, None, None)], [true, false, true, false, false], Audience::Dealer),
            (&[staff("pit-supervisor", None, None, None)], [true, false, true, true, false], Audience::Pit),
            // A rank acted in counts only where the house says so.
            (from_ref(&acting_manager), [true, false, true, false, false], Audience::Dealer),
            (&[Grant::Surveillance], [true, false, false, false, true], Audience::Surveillance),
            (
                &[Grant::Auditor, Grant::Cashier, Grant::FloorManager],
                [true, false, false, false, false],
                Audience::Public,
            ),
        ];
        let rows = rows.map(|(grants, may, by_default)| (&table, grants, may, by_default));
        let acting =
            (&acting_counts, from_ref(&acting_manager), [true, false, true, true, false], Audience::Pit);
        for (table, grants, may, by_default) in rows.into_iter().chain([acting]) {
            let person = person(grants);
            let sees = all.map(|name| {
                let seen = choose_audience(&person, table, Some(Sees::parse(name).unwrap()));
                seen.as_ref().is_ok_and(|audience| audience.key() == name)
            });
            assert_eq!(sees, may, "{grants:?}");
            assert_eq!(choose_audience(&person, table, None).unwrap(), by_default, "{grants:?}");
        }
        assert_eq!(code(Sees::parse("everything")), (400, "bad-audience".to_string()));
    }

    #[test]
    fn each_right_comes_with_one_grant() {
        let grants = [
            Grant::Player,
            staff("senior-management", None, None, None),
            Grant::FloorManager,
            Grant::Cashier,
            Grant::Surveillance,
            Grant::Auditor,
            Grant::Admin,
        ];
        let has = grants.map(|grant| {
            let person = person(&[grant]);
            Right::ALL.into_iter().filter(|right| person.has(*right)).collect::<Vec<_>>()
        });
        assert_eq!(
            has,
            [
                vec![],
                vec![],
                vec![Right::OpenTables, Right::CloseDay],
                vec![Right::Cage],
                vec![Right::Watch],
                vec![Right::Audit],
                vec![Right::Administer],
            ]
        );
    }
}
