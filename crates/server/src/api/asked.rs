//! What is asked of a table, as it is sent: an action in which a bet is named by its place on the menu or by its id.
//! The journal has the place, for the menu of a table does not change.

use croupier_rules::bet::Bet;
use croupier_rules::names;
use croupier_table::Action;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::problem::Problem;
use crate::table::TableHandle;

/// An action that has not been read yet: that takes the menu of a table.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct AskedAction(Box<RawValue>);

impl AskedAction {
    /// The action at a table.
    ///
    /// # Errors
    /// 400 if it is no action, 422 if a bet is not on the menu.
    pub(crate) fn at(&self, table: &TableHandle) -> Result<Action, Problem> {
        read(self.0.get(), &table.setup.game().bets)
    }
}

fn read(text: &str, menu: &[Bet]) -> Result<Action, Problem> {
    let bad = |error: serde_json::Error| Problem::bad_request("bad-body", format!("action: {error}"));
    let unread = match serde_json::from_str::<Action>(text) {
        Ok(action) => return Ok(action),
        Err(error) => error,
    };
    let mut value: Value = serde_json::from_str(text).map_err(bad)?;
    match by_place(&mut value, menu)? {
        0 => Err(bad(unread)),
        _ => serde_json::from_value(value).map_err(bad),
    }
}

/// Puts places where bets are named by id, and counts them.
fn by_place(value: &mut Value, menu: &[Bet]) -> Result<usize, Problem> {
    let mut named = 0;
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                named += match field {
                    Value::String(id) if name == "bet" => {
                        *field = place(id, menu)?.into();
                        1
                    }
                    _ => by_place(field, menu)?,
                };
            }
        }
        Value::Array(items) => {
            for item in items {
                named += by_place(item, menu)?;
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    Ok(named)
}

fn place(id: &str, menu: &[Bet]) -> Result<usize, Problem> {
    menu.iter().position(|bet| bet.id == id).ok_or_else(|| {
        let shown: String = id.chars().take(40).collect();
        let hint = names::hint(&shown, menu.iter().map(|bet| bet.id.as_str()));
        let detail = format!("`{shown}` is not on the menu of this table; {hint}");
        Problem::refused("no-such-bet", detail).with("bet", shown)
    })
}

#[cfg(test)]
mod tests {
    use croupier_rules::Library;

    use super::*;

    fn check(text: &str) -> Result<Action, (u16, String)> {
        let library = Library::standard();
        let (_, game) = library.find("hoiana-baccarat/commission").unwrap();
        read(text, &game.bets).map_err(|problem| (problem.status, problem.code))
    }

    #[test]
    fn a_bet_is_named_by_place_or_by_id() {
        let place = |bet: &str| {
            check(&format!(
                r#"{{"place":{{"player":1,"bet":{bet},"amount":100,"in_chips":true,"untimed":false}}}}"#
            ))
        };
        assert_eq!(place("0"), place("\"banker\""));
        assert_ne!(place("1"), place("\"banker\""));
        assert_eq!(place("\"dragon\""), Err((422, "no-such-bet".to_string())));
        assert_eq!(place("true"), Err((400, "bad-body".to_string())));
        let removed =
            |bet: &str| check(&format!(r#"{{"report":{{"wager-removed":{{"player":1,"bet":{bet}}}}}}}"#));
        assert_eq!(removed("1"), removed("\"player\""));
        assert!(removed("1").is_ok());
    }

    #[test]
    fn what_is_no_action_is_a_bad_request() {
        for text in [r#""fly""#, r#"{"place":{}}"#, "7", r#"{"place":{"amount":1,"amount":2}}"#] {
            assert_eq!(check(text), Err((400, "bad-body".to_string())), "{text}");
        }
    }
}
