//! What audiences are shown of a table: a view, and then what changes in it.
//!
//! A view is published as a whole, shared by everybody; each audience's text and the change from the view before are
//! made once, when the first reader asks, however many readers there are. Players see the felt as everybody does, so
//! only what is their own is made for each. A change is a JSON merge patch (RFC 7396): in a view, what is absent and
//! what is null mean the same.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::extract::ws::Utf8Bytes;
use croupier_ledger::PlayerId;
use croupier_table::view::PlayerView;
use croupier_table::{Moment, Views};
use serde_json::{Map, Value, json};

/// Who looks at a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Audience {
    /// Anybody.
    Public,
    /// A player.
    Player(PlayerId),
    /// The Dealer.
    Dealer,
    /// The pit.
    Pit,
    /// Surveillance.
    Surveillance,
}

impl Audience {
    /// The place of those that see the same as others of their kind.
    const fn shared(self) -> Option<usize> {
        match self {
            Self::Public => Some(0),
            Self::Dealer => Some(1),
            Self::Pit => Some(2),
            Self::Surveillance => Some(3),
            Self::Player(_) => None,
        }
    }

    /// Its name.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Player(_) => "player",
            Self::Dealer => "dealer",
            Self::Pit => "pit",
            Self::Surveillance => "surveillance",
        }
    }
}

/// A table as everybody sees it at one time.
#[derive(Debug)]
pub struct Published {
    /// The last line of the stream that is in it.
    pub sequence: u64,
    /// When it was published, in milliseconds since 1970.
    pub at: u64,
    /// When the clock that runs at the table runs out, in milliseconds since 1970.
    pub deadline: Option<u64>,
    /// The moment of play that it shows, which commands answer.
    pub moment: Moment,
    /// The views.
    pub views: Views,
    /// The one before, until the next comes.
    previous: Mutex<Option<Arc<Published>>>,
    rendered: [OnceLock<Arc<Value>>; 4],
    changes: [OnceLock<Option<Utf8Bytes>>; 4],
    wholes: [OnceLock<Utf8Bytes>; 4],
    /// The members of the change that everybody sees, as text.
    in_public: OnceLock<Option<String>>,
}

impl Published {
    pub(super) fn new(
        sequence: u64,
        at: u64,
        deadline: Option<u64>,
        moment: Moment,
        views: Views,
        previous: Option<Arc<Self>>,
    ) -> Self {
        if let Some(previous) = &previous {
            // Only the last one is needed; without this, everything ever shown would be kept.
            drop(previous.previous.lock().unwrap_or_else(PoisonError::into_inner).take());
        }
        Self {
            sequence,
            at,
            deadline,
            moment,
            views,
            previous: Mutex::new(previous),
            rendered: Default::default(),
            changes: Default::default(),
            wholes: Default::default(),
            in_public: OnceLock::new(),
        }
    }

    /// The view of an audience. Who is not at the table sees what everybody sees.
    #[must_use]
    pub fn view(&self, audience: Audience) -> Arc<Value> {
        match audience.shared() {
            Some(place) => Arc::clone(self.rendered[place].get_or_init(|| Arc::new(self.render(audience)))),
            None => Arc::new(self.render(audience)),
        }
    }

    fn render(&self, audience: Audience) -> Value {
        let views = &self.views;
        let rendered = match audience {
            Audience::Public => serde_json::to_value(views.public()),
            Audience::Player(player) => match views.player(player) {
                Some(view) => serde_json::to_value(view),
                None => serde_json::to_value(views.public()),
            },
            Audience::Dealer => serde_json::to_value(views.dealer()),
            Audience::Pit => serde_json::to_value(views.pit()),
            Audience::Surveillance => serde_json::to_value(views.surveillance()),
        };
        // Views have text for keys.
        rendered.unwrap_or(Value::Null)
    }

    /// What is a player's own in the view of that player, which is everything but the felt.
    #[must_use]
    pub fn own(&self, player: PlayerId) -> Value {
        match self.views.player(player) {
            Some(PlayerView { felt: _, account, own }) => json!({"account": account, "own": own}),
            None => Value::Object(Map::new()),
        }
    }

    /// The message with the whole view.
    #[must_use]
    pub fn whole(&self, audience: Audience) -> Utf8Bytes {
        let write = || {
            let view = self.view(audience);
            let message = json!({
                "type": "view", "audience": audience.key(), "sequence": self.sequence, "at": self.at,
                "deadline": self.deadline, "moment": self.moment, "view": *view,
            });
            Utf8Bytes::from(message.to_string())
        };
        match audience.shared() {
            Some(place) => self.wholes[place].get_or_init(write).clone(),
            None => write(),
        }
    }

    /// The message with what changed since the view before, for audiences that share it; nothing if that view is
    /// no longer known.
    #[must_use]
    pub fn change(&self, audience: Audience) -> Option<Utf8Bytes> {
        let place = audience.shared()?;
        self.changes[place]
            .get_or_init(|| {
                let previous = self.previous()?;
                let change = difference(&previous.view(audience), &self.view(audience));
                Some(self.change_message(previous.sequence, &members(change.as_ref())))
            })
            .clone()
    }

    /// The same for a player, of whose own part the change is given; the rest of it is everybody's.
    #[must_use]
    pub fn own_change(&self, own: Option<&Value>) -> Option<Utf8Bytes> {
        let public = self.in_public.get_or_init(|| {
            let change = difference(&self.previous()?.view(Audience::Public), &self.view(Audience::Public));
            Some(members(change.as_ref()))
        });
        let (public, own) = (public.as_deref()?, members(own));
        let joint = if public.is_empty() || own.is_empty() { "" } else { "," };
        Some(self.change_message(self.follows()?, &format!("{public}{joint}{own}")))
    }

    fn previous(&self) -> Option<Arc<Self>> {
        self.previous.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The sequence of the view before.
    #[must_use]
    pub fn follows(&self) -> Option<u64> {
        self.previous().map(|previous| previous.sequence)
    }

    fn change_message(&self, from: u64, members: &str) -> Utf8Bytes {
        let Self { sequence, at, .. } = self;
        let deadline = self.deadline.map_or_else(|| "null".to_string(), |deadline| deadline.to_string());
        let head = format!(r#"{{"type":"change","from":{from},"sequence":{sequence},"at":{at}"#);
        let moment = moment(&self.moment);
        format!(r#"{head},"deadline":{deadline},"moment":{moment},"change":{{{members}}}}}"#).into()
    }
}

/// A moment as text: it goes with every change to everybody, and is made without a tree of values.
fn moment(moment: &Moment) -> String {
    let Moment { shoe, round, betting, cards, insurance, hold, options } = moment;
    format!(
        r#"{{"shoe":{shoe},"round":{round},"betting":{betting},"cards":{cards},"insurance":{insurance},"hold":{hold},"options":{options}}}"#
    )
}

/// The members of a patch as text, without the braces around them.
fn members(patch: Option<&Value>) -> String {
    let text = patch.map(ToString::to_string).unwrap_or_default();
    text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or_default().to_string()
}

/// The merge patch from one value to another; nothing if they are the same.
#[must_use]
pub fn difference(from: &Value, to: &Value) -> Option<Value> {
    match (from, to) {
        (Value::Object(old), Value::Object(new)) => {
            let mut patch = Map::new();
            for (name, value) in new {
                match old.get(name) {
                    Some(before) => {
                        if let Some(change) = difference(before, value) {
                            patch.insert(name.clone(), change);
                        }
                    }
                    None if value.is_null() => {}
                    None => {
                        patch.insert(name.clone(), value.clone());
                    }
                }
            }
            for (name, before) in old {
                if !new.contains_key(name) && !before.is_null() {
                    patch.insert(name.clone(), Value::Null);
                }
            }
            (!patch.is_empty()).then_some(Value::Object(patch))
        }
        (from, to) => (from != to).then(|| to.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What RFC 7396 says a patch does.
    fn merge(target: &mut Value, patch: &Value) {
        let Value::Object(changes) = patch else {
            *target = patch.clone();
            return;
        };
        if !target.is_object() {
            *target = Value::Object(Map::new());
        }
        let Value::Object(fields) = target else { return };
        for (name, change) in changes {
            if change.is_null() {
                fields.remove(name);
            } else {
                merge(fields.entry(name.clone()).or_insert(Value::Null), change);
            }
        }
    }

    fn without_nulls(value: &Value) -> Value {
        match value {
            Value::Object(fields) => {
                let kept = fields.iter().filter(|(_, value)| !value.is_null());
                Value::Object(kept.map(|(name, value)| (name.clone(), without_nulls(value))).collect())
            }
            other => other.clone(),
        }
    }

    #[test]
    fn a_change_leads_from_one_view_to_the_next() {
        let views = [
            json!({"a": 1, "b": {"c": [1, 2], "d": null}, "e": "x"}),
            json!({"a": 1, "b": {"c": [1], "d": {"x": 1}}, "e": null}),
            json!({"a": null, "b": {"c": [], "d": null}, "f": {"g": 7}}),
            json!({}),
        ];
        for from in &views {
            for to in &views {
                let mut now = without_nulls(from);
                if let Some(patch) = difference(from, to) {
                    merge(&mut now, &patch);
                }
                assert_eq!(without_nulls(&now), without_nulls(to), "{from} to {to}");
            }
        }
    }

    #[test]
    fn a_moment_is_written_as_its_own_form_is() {
        let moments = Moment { shoe: 1, round: 2, betting: 3, cards: 4, insurance: 5, hold: 6, options: 7 };
        assert_eq!(serde_json::from_str::<Moment>(&moment(&moments)).unwrap(), moments);
    }

    #[test]
    fn nothing_changes_between_equal_views() {
        assert_eq!(difference(&json!({"a": [1]}), &json!({"a": [1]})), None);
    }
}
