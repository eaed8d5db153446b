//! A table as it happens, over WebSocket: the view of the audience, then what changes in it; commands go the other
//! way and are answered when they are durable.
//!
//! Whoever reads slowly misses changes and gets the whole view instead: nothing is kept for them beyond the newest.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Response;
use croupier_journal::CommandId;
use croupier_table::Moment;
use futures_util::{FutureExt as _, SinkExt as _, StreamExt as _};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::body::{Path, Query};
use crate::api::shapes::AnyView;
use crate::api::tables::{CommandRequest, Ready, find, ready};
use crate::app::App;
use crate::node::{Node, Passed, shown_by};
use crate::people::{Caller, CameFrom, MaybeCaller};
use crate::problem::Problem;
use crate::table::publish::difference;
use crate::table::{Asked, Audience, Published, Receipt, Refused, Reply, TableHandle};

/// The longest message that is read.
const LONGEST: usize = 16 * 1_024;
/// The bytes read at once: each read clears as many, and each connection holds them.
const READ_AT_ONCE: usize = 4 * 1_024;
/// Messages, and answers, that are taken in one turn.
const AT_ONCE: usize = 64;
/// Commands of one connection that may wait for their answers.
const WAITING: usize = 512;
/// What a client says to hear whether the line is alive: browsers do not tell their pages of pings.
const BEAT: &str = "beat";
/// Between two signs of life.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Between two looks at whether somebody may still see what they are shown.
const LOOK_AGAIN: Duration = Duration::from_secs(3);
/// How long the last answers may take when the server stops.
const LAST_ANSWERS: Duration = Duration::from_secs(2);
/// Whoever takes longer to take a message is gone.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(live))
}

/// How to look at a table.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// `public`, `player`, `dealer`, `pit` or `surveillance`; the fullest that is yours if not said.
    #[serde(rename = "as")]
    pub audience: Option<String>,
    /// The sequence of the view that the client still has: if that is the newest, it is not sent again.
    pub resume: Option<u64>,
}

/// What the server says.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum FromServer {
    /// The whole view.
    View {
        /// The audience.
        audience: String,
        /// The last line of the table's stream that is in it.
        sequence: u64,
        /// When it was shown, in milliseconds since 1970.
        at: u64,
        /// When the clock that runs at the table runs out.
        deadline: Option<u64>,
        /// The moment of play that it shows: commands send it back as `answers`.
        moment: Moment,
        /// The view.
        #[schema(value_type = AnyView)]
        view: Value,
    },
    /// What changed, as a merge patch (RFC 7396); null and absent mean the same.
    Change {
        /// The sequence of the view that it changes.
        from: u64,
        /// The sequence of the view that it makes.
        sequence: u64,
        /// When it was shown.
        at: u64,
        /// When the clock that runs at the table runs out.
        deadline: Option<u64>,
        /// The moment of play that it shows.
        moment: Moment,
        /// The patch: whatever of a view has changed.
        #[schema(value_type = std::collections::BTreeMap<String, Value>)]
        change: Value,
    },
    /// The view that the client has is the newest.
    Resumed {
        /// Its sequence.
        sequence: u64,
        /// The time at the server.
        at: u64,
        /// When the clock that runs at the table runs out.
        deadline: Option<u64>,
    },
    /// The line is alive: the answer to the text `beat`.
    Beat {
        /// The time at the server.
        at: u64,
    },
    /// The names of players, and for the staff of those on duty, by their ids.
    Names {
        /// The names.
        #[schema(value_type = std::collections::BTreeMap<String, String>)]
        names: Value,
    },
    /// A command was carried out and is durable.
    Answer {
        /// Its id.
        id: String,
        /// Its line in the table's stream.
        sequence: u64,
        /// When.
        at: u64,
    },
    /// A command was refused.
    Refused {
        /// Its id, if it had one.
        id: Option<String>,
        /// Why.
        problem: Problem,
    },
}

/// A table as it happens: a WebSocket. The client sends CommandRequests, the server what FromServer lists. The text
/// `beat` is answered at once, so that a client notices a dead line.
#[utoipa::path(
    get, path = "/api/tables/{table}/live", tag = "tables", params(("table" = u32, Path), Look),
    responses(
        (status = 101, description = "The connection is a WebSocket now", body = FromServer),
        (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 426, body = Problem), (status = 429, body = Problem),
    ),
    security((), ("session" = []), ("token" = []))
)]
async fn live(
    State(app): State<Arc<App>>,
    caller: MaybeCaller,
    CameFrom(address): CameFrom,
    Path(id): Path<u32>,
    Query(look): Query<Look>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let table = find(&app, id)?;
    let audience = caller.audience_at(&app, &table, look.audience.as_deref()).await?;
    let upgrade = upgrade
        .map_err(|rejection| Problem::new(rejection.status(), "no-websocket", rejection.body_text()))?;
    let (who, is_staff) = caller.in_crowd(address);
    let place = app.doors.sockets.enter(who, is_staff).ok_or_else(|| {
        let detail = "there are too many live connections; close some, or try again later";
        Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many-sockets", detail)
            .with("retry_after_seconds", 30)
    })?;
    let caller = caller.0;
    let upgrade = upgrade
        .max_message_size(LONGEST)
        .max_frame_size(LONGEST)
        .read_buffer_size(READ_AT_ONCE)
        .write_buffer_size(8 * 1_024);
    Ok(upgrade.on_upgrade(move |socket| async move {
        metrics::gauge!("croupier_connections").increment(1.0);
        let (answers, answered) = mpsc::unbounded_channel();
        let Look { audience: wanted, resume } = look;
        let connection = Connection {
            app,
            caller,
            table,
            wanted,
            audience,
            socket,
            answers,
            waiting: HashMap::new(),
            named: Vec::new(),
            shown_by: shown_by(&headers),
            from: address,
            passing: None,
        };
        connection.run(answered, resume).await;
        drop(place);
        metrics::gauge!("croupier_connections").decrement(1.0);
    }))
}

/// The answer to a command, on its way.
struct Answered {
    id: String,
    result: Result<Receipt, NotDone>,
}

/// Why a command was not carried out.
enum NotDone {
    /// As a table here says.
    Refused(Refused),
    /// As the node that leads says, or because there is none.
    Told(Box<Problem>),
}

/// What the client has of the view.
enum Has {
    Nothing,
    /// The view with this sequence, the same for all of the audience.
    Shared(u64),
    /// The view with this sequence, of which this is the player's own part.
    Own(u64, Value),
}

struct Connection {
    app: Arc<App>,
    caller: Option<Caller>,
    table: TableHandle,
    /// The audience that was asked for, if one was.
    wanted: Option<String>,
    audience: Audience,
    socket: WebSocket,
    answers: mpsc::UnboundedSender<Answered>,
    /// Commands whose answers are on their way, and since when.
    waiting: HashMap<Box<str>, Instant>,
    /// People whose names were sent.
    named: Vec<u32>,
    /// What shows the node that leads who sends commands, and from where.
    shown_by: HeaderMap,
    from: IpAddr,
    /// Commands for the node that leads, in the order they came.
    passing: Option<mpsc::UnboundedSender<(String, Utf8Bytes)>>,
}

/// The client is gone.
struct Gone;

impl Connection {
    async fn run(mut self, mut answered: mpsc::UnboundedReceiver<Answered>, resume: Option<u64>) {
        let mut shown = self.table.watch();
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        let mut look_again = tokio::time::interval_at(Instant::now() + LOOK_AGAIN, LOOK_AGAIN);
        let first = Arc::clone(&shown.borrow_and_update());
        let Ok(mut has) = self.greet(&first, resume).await else { return };
        let mut done = Vec::with_capacity(AT_ONCE);
        let mut leaving = self.app.leaving();
        loop {
            let went_well = tokio::select! {
                count = answered.recv_many(&mut done, AT_ONCE) => {
                    if count == 0 { Err(Gone) } else { self.answer(&mut done).await }
                }
                changed = shown.changed() => match changed {
                    Ok(()) => {
                        let now = Arc::clone(&shown.borrow_and_update());
                        self.show(&now, &mut has).await
                    }
                    Err(_) => self.take_leave(&mut answered).await,
                },
                message = self.socket.next(), if self.waiting.len() < WAITING => self.hear_all(message).await,
                _ = look_again.tick(), if self.caller.is_some() => {
                    let now = Arc::clone(&shown.borrow());
                    match self.give_up_waiting().await {
                        Ok(()) => self.look_again(&now, &mut has).await,
                        Err(gone) => Err(gone),
                    }
                }
                () = begins(&mut leaving) => self.take_leave(&mut answered).await,
                _ = heartbeat.tick() => self.send(Message::Ping(axum::body::Bytes::new())).await,
            };
            if went_well.is_err() {
                return;
            }
        }
    }

    async fn send(&mut self, message: Message) -> Result<(), Gone> {
        match tokio::time::timeout(PATIENCE, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Gone),
        }
    }

    async fn greet(&mut self, first: &Published, resume: Option<u64>) -> Result<Has, Gone> {
        self.name(first).await?;
        if resume == Some(first.sequence) {
            let Published { sequence, deadline, .. } = *first;
            let at = crate::clock::now();
            let resumed = json!({"type": "resumed", "sequence": sequence, "at": at, "deadline": deadline});
            self.send(Message::Text(resumed.to_string().into())).await?;
            return Ok(self.has(first));
        }
        let mut has = Has::Nothing;
        self.show(first, &mut has).await?;
        Ok(has)
    }

    fn has(&self, shown: &Published) -> Has {
        match self.audience {
            Audience::Player(player) => Has::Own(shown.sequence, shown.own(player)),
            Audience::Public | Audience::Dealer | Audience::Pit | Audience::Surveillance => {
                Has::Shared(shown.sequence)
            }
        }
    }

    async fn show(&mut self, now: &Published, has: &mut Has) -> Result<(), Gone> {
        self.name(now).await?;
        let has_now = self.has(now);
        let change = match (&*has, &has_now) {
            (Has::Shared(from), Has::Shared(_)) if now.follows() == Some(*from) => now.change(self.audience),
            (Has::Own(from, earlier), Has::Own(_, own)) if now.follows() == Some(*from) => {
                now.own_change(difference(earlier, own).as_ref())
            }
            // Nothing was sent yet, or a view was missed.
            (Has::Nothing | Has::Shared(_) | Has::Own(..), _) => None,
        };
        *has = has_now;
        let text = change.unwrap_or_else(|| now.whole(self.audience));
        self.send(Message::Text(text)).await
    }

    /// Sends the names of players that the client has not heard of, and to the staff those of who is on duty.
    async fn name(&mut self, shown: &Published) -> Result<(), Gone> {
        let seats = &shown.views.public().felt.seats;
        let on_duty = match self.audience {
            Audience::Public | Audience::Player(_) => &[],
            Audience::Dealer | Audience::Pit | Audience::Surveillance => {
                shown.views.dealer().desk.staff.as_slice()
            }
        };
        let players = seats.iter().map(|seat| seat.player.0);
        let all = players.chain(on_duty.iter().map(|staff| staff.person.0));
        let unknown: Vec<u32> = all.filter(|person| !self.named.contains(person)).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let names = json!({"type": "names", "names": self.app.people.nicknames(&unknown)}).to_string();
        self.named.extend(unknown);
        self.send(Message::Text(names.into())).await
    }

    async fn answer(&mut self, done: &mut Vec<Answered>) -> Result<(), Gone> {
        let rulebook = Arc::clone(&self.table.setup.rulebook);
        for Answered { id, result } in done.drain(..) {
            self.waiting.remove(id.as_str());
            let text: Utf8Bytes = match result {
                // Ids have no characters that JSON would escape.
                Ok(Receipt { sequence, at }) => {
                    format!(r#"{{"type":"answer","id":"{id}","sequence":{sequence},"at":{at}}}"#).into()
                }
                Err(NotDone::Refused(refused)) => {
                    refusal(Some(&id), &Problem::of_refused(&rulebook, &refused))
                }
                Err(NotDone::Told(problem)) => refusal(Some(&id), &problem),
            };
            match tokio::time::timeout(PATIENCE, self.socket.feed(Message::Text(text))).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) | Err(_) => return Err(Gone),
            }
        }
        match tokio::time::timeout(PATIENCE, self.socket.flush()).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Gone),
        }
    }

    /// Commands that have waited too long are answered with what is known of them: nothing.
    async fn give_up_waiting(&mut self) -> Result<(), Gone> {
        let late = |since: &Instant| since.elapsed() >= crate::api::PATIENCE;
        let waited: Vec<Box<str>> =
            self.waiting.iter().filter(|(_, since)| late(since)).map(|(id, _)| id.clone()).collect();
        self.say_unknown(waited).await
    }

    async fn say_unknown(&mut self, ids: Vec<Box<str>>) -> Result<(), Gone> {
        for id in ids {
            self.waiting.remove(&id);
            self.send(Message::Text(refusal(Some(&id), &Problem::fate_unknown()))).await?;
        }
        Ok(())
    }

    /// The server stops: everybody who waits has an answer, and hears why the line ends.
    async fn take_leave(&mut self, answered: &mut mpsc::UnboundedReceiver<Answered>) -> Result<(), Gone> {
        let until = Instant::now() + LAST_ANSWERS;
        let mut done = Vec::with_capacity(AT_ONCE);
        while !self.waiting.is_empty() {
            match tokio::time::timeout_at(until, answered.recv_many(&mut done, AT_ONCE)).await {
                Ok(count) if count > 0 => self.answer(&mut done).await?,
                Ok(_) | Err(_) => break,
            }
        }
        let left = self.waiting.keys().cloned().collect();
        self.say_unknown(left).await?;
        let reason = Utf8Bytes::from_static("the server stops; come back in a moment");
        self.send(Message::Close(Some(CloseFrame { code: close_code::RESTART, reason }))).await?;
        Err(Gone)
    }

    /// Takes a message, and those that came with it.
    async fn hear_all(&mut self, first: Option<Result<Message, axum::Error>>) -> Result<(), Gone> {
        let mut next = first;
        for taken in 1.. {
            match next {
                Some(Ok(message)) => self.hear(message).await?,
                Some(Err(_)) | None => return Err(Gone),
            }
            if taken >= AT_ONCE || self.waiting.len() >= WAITING {
                break;
            }
            match self.socket.next().now_or_never() {
                Some(more) => next = more,
                None => break,
            }
        }
        Ok(())
    }

    async fn hear(&mut self, message: Message) -> Result<(), Gone> {
        match message {
            Message::Text(text) if text == BEAT => {
                let beat = format!(r#"{{"type":"beat","at":{}}}"#, crate::clock::now());
                self.send(Message::Text(beat.into())).await
            }
            Message::Text(text) => match self.ask(&text).await {
                Ok(()) => Ok(()),
                Err((id, problem)) => self.send(Message::Text(refusal(id.as_deref(), &problem))).await,
            },
            Message::Binary(_) => {
                let problem = Problem::bad_request("not-text", "messages are text of JSON");
                self.send(Message::Text(refusal(None, &problem))).await
            }
            Message::Ping(_) | Message::Pong(_) => Ok(()),
            Message::Close(_) => Err(Gone),
        }
    }

    async fn ask(&mut self, text: &Utf8Bytes) -> Result<(), (Option<String>, Problem)> {
        let request: CommandRequest = serde_json::from_str(text)
            .map_err(|error| (id_in(text), Problem::bad_request("bad-body", error.to_string())))?;
        let name = request.id.clone();
        let fault = |problem: Problem| (Some(name.clone()), problem);
        let caller = self.caller.as_ref().ok_or_else(|| fault(Problem::not_signed_in()))?;
        let leader = self.app.node.as_ref().filter(|node| !node.leads() || self.app.is_stopping());
        if let Some(node) = leader {
            CommandId::new(&name)
                .map_err(|error| fault(Problem::bad_request("bad-id", error.to_string())))?;
            let passing = match &self.passing {
                Some(passing) => passing.clone(),
                None => self.passing.insert(self.pass_on(Arc::clone(node))).clone(),
            };
            self.waiting.insert(name.as_str().into(), Instant::now());
            // The task that takes them ends only with this connection.
            let _ = passing.send((name, text.clone()));
            return Ok(());
        }
        caller.spend(&self.app).map_err(fault)?;
        let ready = ready(&self.app, caller, &self.table, request).await;
        let Ready { id, actor, action, said } = ready.map_err(fault)?;
        let done = self.answers.clone();
        let text = id.as_str().to_string();
        let reply = Reply::new(move |result| {
            // The connection may be gone; what was carried out stays.
            let _ = done.send(Answered { id: text, result: result.map_err(NotDone::Refused) });
        });
        self.waiting.insert(id.as_str().into(), Instant::now());
        self.table.give(Asked { id: Some(id), actor, action, said, reply }).await;
        Ok(())
    }

    /// Passes commands to the node that leads, one after the other: so they are carried out in the order they came.
    fn pass_on(&self, node: Arc<Node>) -> mpsc::UnboundedSender<(String, Utf8Bytes)> {
        let (sender, mut commands) = mpsc::unbounded_channel::<(String, Utf8Bytes)>();
        let (app, answers) = (Arc::clone(&self.app), self.answers.clone());
        let (headers, from, path) =
            (self.shown_by.clone(), self.from, format!("/api/tables/{}/commands", self.table.id));
        tokio::spawn(async move {
            while let Some((id, text)) = commands.recv().await {
                let (method, body) = (Method::POST, axum::body::Bytes::from(text));
                let headers = headers.clone();
                let passed = Passed { method, path: path.clone(), headers, body, from, has_id: true };
                let result = node.pass(&app, passed).await.and_then(|answered| answered.receipt());
                let result = result.map_err(|problem| NotDone::Told(Box::new(problem)));
                // The connection may be gone; what was carried out stays.
                let _ = answers.send(Answered { id, result });
            }
        });
        sender
    }

    /// Sessions end, and so do duty, ranks and grants: who may no longer look so is shown out, and whose view is
    /// another now is shown that.
    async fn look_again(&mut self, now: &Published, has: &mut Has) -> Result<(), Gone> {
        let Some(caller) = &self.caller else { return Ok(()) };
        match caller.still_sees(&self.app, &self.table, self.wanted.as_deref()) {
            Ok(audience) if audience == self.audience => Ok(()),
            Ok(audience) => {
                self.audience = audience;
                *has = Has::Nothing;
                self.show(now, has).await
            }
            Err(problem) => {
                self.send(Message::Text(refusal(None, &problem))).await?;
                self.send(Message::Close(None)).await?;
                Err(Gone)
            }
        }
    }
}

/// Waits until the server begins to stop.
async fn begins(leaving: &mut watch::Receiver<bool>) {
    // An error means that the server is gone already.
    let _ = leaving.wait_for(|leaving| *leaving).await.map(drop);
}

/// The id in a text that is no command, so that whoever sent it hears which one was not understood.
fn id_in(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        id: String,
    }
    let Named { id } = serde_json::from_str(text).ok()?;
    CommandId::new(&id).ok().map(|_| id)
}

fn refusal(id: Option<&str>, problem: &Problem) -> Utf8Bytes {
    json!({"type": "refused", "id": id, "problem": problem}).to_string().into()
}
