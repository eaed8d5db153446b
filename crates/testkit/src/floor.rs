//! A floor in a process of its own: `croupier serve` on a data folder, with an administrator, and tables with
//! players where a test wants them. It speaks HTTP as any client does.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::Client;
use crate::process::Process;

/// How long a server may take to start: debug builds on busy machines are slow.
const PATIENCE: Duration = Duration::from_secs(60);
/// The PIN of the witness.
pub(crate) const PIN: &str = "729164";
/// The password of everybody.
const PASSWORD: &str = "a long enough password";

/// One person does everything, alone, and tables are quick.
const ROLES: &str = "\
four_eyes_from = \"never\"
[people.roles]
may_meet = [[\"admin\", \"floor\"], [\"admin\", \"cashier\"], [\"admin\", \"auditor\"], [\"floor\", \"cashier\"], \
[\"floor\", \"auditor\"], [\"cashier\", \"auditor\"]]
[pace]
step_milliseconds = 4
result_milliseconds = 0
windows_percent = 1
";

/// No limits.
pub(crate) const UNLIMITED: &str = "\
[limits]
requests = { per_minute = 0, burst = 1 }
anonymous = { per_minute = 0, burst = 1 }
sign_ins = { per_minute = 0, burst = 1 }
connections = { all = 0, of_one = 0, for_staff = 0 }
sockets = { all = 0, of_one = 0, for_staff = 0 }
[people.cost]
memory_kib = 64
passes = 1
at_once = 4
";

/// A server, and who runs it.
#[derive(Debug)]
pub struct House {
    binary: PathBuf,
    folder: PathBuf,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    process: Process,
    base: String,
    cookie: String,
}

/// A player at a table.
#[derive(Clone, Debug)]
pub struct Seat {
    /// The table.
    pub table: u64,
    /// The player.
    pub player: u64,
    /// The player's API token.
    pub token: String,
}

/// How a table is opened.
#[derive(Clone, Copy, Debug)]
pub struct Furniture {
    /// The software deals by itself.
    pub automatic: bool,
    /// Seconds for betting, where the clock runs.
    pub betting_seconds: u32,
}

impl House {
    /// Starts a server on a folder and makes its administrator. It takes as many requests, connections and sign-ins as
    /// come, and hashes cheaply.
    ///
    /// # Errors
    /// When it does not start, or refuses something.
    pub fn start(binary: &Path, folder: &Path, arguments: &[&str]) -> io::Result<Self> {
        Self::start_with(binary, folder, arguments, UNLIMITED)
    }

    /// The same, with other settings than these: of limits, and of what a guess costs.
    ///
    /// # Errors
    /// When it does not start, or refuses something.
    pub fn start_with(binary: &Path, folder: &Path, arguments: &[&str], settings: &str) -> io::Result<Self> {
        configure(folder, settings)?;
        Self::begin(binary, folder, arguments, Vec::new())
    }

    /// Starts a server on a folder that has its settings, with variables of its own, and makes the administrator of the
    /// floor.
    ///
    /// # Errors
    /// When it does not start, or refuses something.
    pub fn begin(
        binary: &Path,
        folder: &Path,
        arguments: &[&str],
        environment: Vec<(String, String)>,
    ) -> io::Result<Self> {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        let (mut process, base) = spawn(binary, folder, &arguments, &environment)?;
        let link = process.wait_for("/first-run#", PATIENCE)?;
        let first = link.rsplit('#').next().unwrap_or_default().to_string();
        let client = Client::new(&base);
        let body = json!({"token": first, "name": "boss", "password": PASSWORD});
        let answer = client.post("/api/first-run", &body)?;
        let cookie = answer.cookie.clone();
        answer.good()?;
        let cookie = cookie.ok_or_else(|| io::Error::other("no session was given"))?;
        Ok(Self {
            binary: binary.to_path_buf(),
            folder: folder.to_path_buf(),
            arguments,
            environment,
            process,
            base,
            cookie,
        })
    }

    /// Where the server is.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The data folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A client with a token.
    #[must_use]
    pub fn client(&self, token: &str) -> Client {
        Client::new(&self.base).with_token(token)
    }

    /// The administrator, signed in.
    #[must_use]
    pub fn boss(&self) -> Client {
        Client::new(&self.base).with_cookie(&self.cookie)
    }

    /// Kills the server without warning, as a power cut would.
    ///
    /// # Errors
    /// When it cannot be killed.
    pub fn kill(&mut self) -> io::Result<()> {
        self.process.kill().map(|_| ())
    }

    /// Stops the server as a service manager does.
    ///
    /// # Errors
    /// When it does not stop in time, or not well.
    pub fn stop(&mut self) -> io::Result<()> {
        let status = self.process.terminate(PATIENCE)?;
        if status.success() { Ok(()) } else { Err(io::Error::other(self.process.output()?)) }
    }

    /// Starts the server again on the same data, on another port.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start_again(&mut self) -> io::Result<()> {
        let _ = self.process.kill();
        let (process, base) = spawn(&self.binary, &self.folder, &self.arguments, &self.environment)?;
        self.process = process;
        self.base = base;
        Ok(())
    }

    /// Starts another server on a copy of the data, with variables of its own; who signed in here is signed in there.
    ///
    /// # Errors
    /// When it does not start; the error holds what it printed.
    pub fn start_on(&self, folder: &Path, environment: &[(String, String)]) -> io::Result<Self> {
        let (process, base) = spawn(&self.binary, folder, &self.arguments, environment)?;
        Ok(Self {
            binary: self.binary.clone(),
            folder: folder.to_path_buf(),
            arguments: self.arguments.clone(),
            environment: environment.to_vec(),
            process,
            base,
            cookie: self.cookie.clone(),
        })
    }

    /// Starts the server again and kills it before it is there.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start_and_kill(&mut self, after: Duration) -> io::Result<()> {
        let _ = self.process.kill();
        self.process = begin(&self.binary, &self.folder, &self.arguments, &self.environment)?;
        std::thread::sleep(after);
        self.kill()
    }

    /// Waits until the server ends by itself; whether it ended well.
    ///
    /// # Errors
    /// When it does not end in time.
    pub fn wait(&mut self, timeout: Duration) -> io::Result<bool> {
        Ok(self.process.wait(timeout)?.success())
    }

    /// Lets the process stand still, or go on, as a machine that is overloaded or moved does.
    ///
    /// # Errors
    /// When there is no such process.
    pub fn pause(&self, stands: bool) -> io::Result<()> {
        use rustix::process::{Pid, Signal, kill_process};
        let id = i32::try_from(self.process.id()).ok().and_then(Pid::from_raw);
        let id = id.ok_or_else(|| io::Error::other("there is no process"))?;
        Ok(kill_process(id, if stands { Signal::STOP } else { Signal::CONT })?)
    }

    /// The process id of the server.
    #[must_use]
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// The program.
    #[must_use]
    pub fn binary(&self) -> &Path {
        &self.binary
    }

    /// Opens tables of MBS Dragon Tiger at which staff deal from a software shoe, with players who have chips,
    /// and opens betting.
    ///
    /// # Errors
    /// When something is refused.
    pub fn furnish(&self, tables: usize, players: usize) -> io::Result<Vec<Seat>> {
        let furniture = Furniture { automatic: false, betting_seconds: 600 };
        (0..tables).try_fold(Vec::new(), |mut seats, _| {
            let table = self.open(furniture)?;
            for seat in 1..=players {
                seats.push(self.come(table, seat)?);
            }
            for action in [
                json!({"load-shoe": {}}),
                json!("record-shuffle"),
                json!({"cut-cards": {"above": 100}}),
                json!({"burn": {"count": 1, "cards": []}}),
                json!("open-bets"),
            ] {
                self.command(&self.boss(), table, action)?;
            }
            Ok(seats)
        })
    }

    /// Opens a table with staff on duty and chips in its float.
    ///
    /// # Errors
    /// When something is refused.
    pub fn open(&self, furniture: Furniture) -> io::Result<u64> {
        let boss = self.boss();
        let me = boss.get("/api/me")?.good()?;
        let grants = json!(["admin", "floor-manager", "cashier", "auditor", {"staff": {"rank": "gaming-shift-manager"}}]);
        let mine = format!("/api/people/{}", me["id"]);
        let patch = |path: &str, body: &Value| {
            boss.send("PATCH", path, body.to_string().as_bytes(), "application/json")?.good()
        };
        patch(&mine, &json!({"grants": grants, "on_duty": true}))?;
        let witness = self.witness()?;
        let setting = |name: &str, kind: &str, value: Value| json!({"setting": name, "value": {kind: value}});
        let new = json!({
            "name": "A table", "pit": "A", "currency": "SGD", "decimals": 2,
            "automatic": furniture.automatic, "software_shoe": true,
            "opening": {"game": "mbs-dragon-tiger", "settings": [
                setting("layout", "word", json!("A")), setting("burn", "count", json!(1)),
                setting("cut-card", "count", json!(14)), setting("chip", "money", json!(100)),
                setting("minimum", "money", json!(100)), setting("maximum", "money", json!(900_000_000_000_u64)),
                setting("differential", "money", json!(900_000_000_000_u64)),
                setting("betting-seconds", "count", json!(furniture.betting_seconds)),
                setting("rank-absent", "word", json!("void")),
            ]},
        });
        let table = boss.post("/api/tables", &new)?.good()?;
        let table = table["id"].as_u64().unwrap_or_default();
        for person in [me["id"].clone(), witness.clone()] {
            self.command(&boss, table, json!({"sign-on": {"person": person, "rank": 0}}))?;
        }
        let fill = json!({
            "id": self.id()?, "action": {"fill": {"amount": 1_000_000_000_000_u64, "witness": 0}},
            "witness": {"name": "witness", "pin": PIN},
        });
        boss.post(&format!("/api/tables/{table}/commands"), &fill)?.good()?;
        Ok(table)
    }

    /// Somebody of the lowest rank with a PIN; made once.
    fn witness(&self) -> io::Result<Value> {
        let boss = self.boss();
        let known = boss.get("/api/people?find=witness")?.good()?;
        if let Some(person) = known["people"].as_array().and_then(|people| people.first()) {
            return Ok(person["id"].clone());
        }
        let new = json!({"name": "witness", "grants": [{"staff": {"rank": "dealer"}}]});
        let person = boss.post("/api/people", &new)?.good()?;
        let change = json!({"pin": PIN, "on_duty": true}).to_string();
        let path = format!("/api/people/{}", person["id"]);
        boss.send("PATCH", &path, change.as_bytes(), "application/json")?.good()?;
        Ok(person["id"].clone())
    }

    /// A new player with money in the wallet, at a seat, with chips.
    ///
    /// # Errors
    /// When something is refused.
    pub fn come(&self, table: u64, seat: usize) -> io::Result<Seat> {
        let boss = self.boss();
        let name = format!("player-{table}-{seat}");
        let new = json!({"name": name, "password": PASSWORD, "grants": ["player"]});
        let person = boss.post("/api/people", &new)?.good()?;
        let player = person["id"].as_u64().unwrap_or_default();
        // A program that moves a player's money is one that the player made the token for.
        let signed_in =
            Client::new(&self.base).post("/api/sign-in", &json!({"name": name, "password": PASSWORD}))?;
        let cookie = signed_in.cookie.clone().unwrap_or_default();
        signed_in.good()?;
        let body = json!({"label": name, "for": {"person": {"id": player}}, "password": PASSWORD});
        let token = Client::new(&self.base).with_cookie(&cookie).post("/api/tokens", &body)?.good()?;
        let token = token["token"].as_str().unwrap_or_default().to_string();
        let amount = 10_000_000_000_u64;
        let deposit = json!({"id": self.id()?, "player": player, "amount": amount});
        boss.post("/api/cage/deposits", &deposit)?.good()?;
        let own = self.client(&token);
        self.command(&own, table, json!({"sit": {"player": player, "seat": seat}}))?;
        self.command(&own, table, json!({"buy-in": {"player": player, "amount": amount, "cash": false}}))?;
        Ok(Seat { table, player, token })
    }

    /// Gives a command under a fresh id.
    ///
    /// # Errors
    /// When it is refused.
    pub fn command(&self, client: &Client, table: u64, action: Value) -> io::Result<Value> {
        let body = json!({"id": self.id()?, "action": action});
        let answer = client.post(&format!("/api/tables/{table}/commands"), &body)?;
        answer.good().map_err(|error| io::Error::other(format!("{action}: {error}")))
    }

    /// An id that was not used before.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub fn id(&self) -> io::Result<String> {
        let mut bytes = [0_u8; 16];
        io::Read::read_exact(&mut std::fs::File::open("/dev/urandom")?, &mut bytes)?;
        Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// What the server has printed.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn output(&self) -> io::Result<String> {
        self.process.output()
    }
}

/// Writes the settings of a server into its folder.
///
/// # Errors
/// When they cannot be written.
pub fn configure(folder: &Path, settings: &str) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("croupier.toml"), format!("{ROLES}{settings}"))
}

fn spawn(
    binary: &Path,
    folder: &Path,
    arguments: &[String],
    environment: &[(String, String)],
) -> io::Result<(Process, String)> {
    let mut process = begin(binary, folder, arguments, environment)?;
    let line = process.wait_for(" on http://", PATIENCE)?;
    let base = line.split(" on ").nth(1).unwrap_or_default();
    let base = base.split(',').next().unwrap_or_default().trim().to_string();
    Ok((process, base))
}

fn begin(
    binary: &Path,
    folder: &Path,
    arguments: &[String],
    environment: &[(String, String)],
) -> io::Result<Process> {
    let mut command = Command::new(binary);
    command.args(["serve", "--data"]).arg(folder);
    if !environment.iter().any(|(name, _)| name == "CROUPIER_LISTEN") {
        command.args(["--listen", "127.0.0.1:0"]);
    }
    command.arg("--config").arg(folder.join("croupier.toml")).args(arguments);
    command.envs(environment.iter().map(|(name, value)| (name, value)));
    // Each run has a log of its own, so that the last one's lines are not taken for this one's.
    let log = (0..).map(|run| folder.join(format!("log-{run}"))).find(|log| !log.exists());
    Process::spawn(command, &log.unwrap_or_else(|| folder.join("log")))
}
