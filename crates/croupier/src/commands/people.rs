//! `croupier people`: what is done about people on the machine of the floor itself, while its server is stopped.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, anyhow};
use croupier_journal::{By, Hash, keys};
use croupier_server::app::AppError;
use croupier_server::floor::StartError;
use croupier_server::people::{Edit, Grant, Secret};
use croupier_server::{App, Config};

/// People of a floor, from its own machine: a lost administrator, registers that were changed behind its back
///
/// The server must be stopped. Whatever is done is put on record in the journal, as the software's own act.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum PeopleCommand {
    /// Give an account a new password, which is printed once, and open it if it is closed
    ///
    /// All its sessions and API tokens end. For an administrator who has lost the password.
    Recover(RecoverArgs),
    /// Take the registers as they are that are not as the journal says
    ///
    /// A start is refused when accounts, tokens, second factors or policies were changed in the database by somebody else
    /// than the server. This accepts them as found, one by one on record: only where whoever answers for the floor
    /// knows why they differ. A backup from before is the other way.
    Accept(Place),
}

#[derive(Debug, clap::Args)]
pub(crate) struct RecoverArgs {
    /// The name that the account signs in with
    name: String,

    /// Make it an administrator, where nobody else can
    #[arg(long)]
    administrator: bool,

    /// Take its second factor away
    #[arg(long)]
    reset_factor: bool,

    #[command(flatten)]
    place: Place,
}

/// Where the floor is; name what `serve` is given.
#[derive(Debug, clap::Args)]
pub(crate) struct Place {
    /// The database: the path of an SQLite file, or a `postgresql://` URL
    #[arg(long, value_name = "URL")]
    database: Option<String>,

    /// The folder for keys and checkpoints, and for the database unless one is named
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// The configuration file of the server
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Place {
    /// The settings of the server, without its doors.
    fn config(&self) -> anyhow::Result<Config> {
        let mut config = Config::read(self.config.as_deref(), |name| std::env::var(name).ok())?;
        config.database = self.database.clone().or(config.database);
        config.data = self.data.clone().unwrap_or(config.data);
        config.metrics.listen = None;
        config.tls = None;
        anyhow::ensure!(
            config.keys_folder().is_dir(),
            "there is no floor in {}; --data names its data folder",
            config.data.display()
        );
        Ok(config.alone())
    }
}

/// Runs the command.
pub(crate) fn run(command: &PeopleCommand, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        match command {
            PeopleCommand::Recover(args) => recover(args, out).await,
            PeopleCommand::Accept(place) => accept(place, out).await,
        }
    })
}

async fn recover(args: &RecoverArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let app = App::start(args.place.config()?, None).await?;
    let password = recovered(&app, args).await;
    app.floor.stop().await?;
    writeln!(
        out,
        "{} signs in with this password, once and then with one of their own:\n\n  {}\n",
        args.name, password?
    )?;
    writeln!(out, "It is not shown again. That it was set is on record.")?;
    Ok(ExitCode::SUCCESS)
}

/// The new password of an account.
async fn recovered(app: &App, args: &RecoverArgs) -> anyhow::Result<String> {
    let name = &args.name;
    let told = |problem: croupier_server::problem::Problem| anyhow!("{}", problem.detail);
    let person = app.people.named(name).with_context(|| format!("nobody signs in as `{name}`"))?;
    let mut grants = person.grants.clone();
    if args.administrator && !grants.contains(&Grant::Admin) {
        grants.push(Grant::Admin);
    }
    let random: [u8; 32] = keys::random()?;
    let password: String = Hash(random).to_string().chars().take(24).collect();
    let edit = Edit {
        password: Some(Secret::new(&*password)),
        disabled: Some(false),
        grants: (grants != person.grants).then_some(grants),
        ..Edit::default()
    };
    app.people.edit(By::System, person.id, edit).await.map_err(told)?;
    if args.reset_factor {
        app.people.reset_factor(By::System, person.id).await.map_err(told)?;
    }
    Ok(password)
}

async fn accept(place: &Place, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let config = place.config()?;
    let mismatches = match App::start(config.clone(), None).await {
        Ok(app) => {
            app.floor.stop().await?;
            writeln!(out, "The registers are as the journal says; there is nothing to accept.")?;
            return Ok(ExitCode::SUCCESS);
        }
        Err(AppError::Floor(StartError::Registers(mismatches))) => mismatches,
        Err(error) => return Err(error.into()),
    };
    let app = App::start(Config { accept_registers: true, ..config }, None).await?;
    app.floor.stop().await?;
    for mismatch in mismatches {
        writeln!(out, "{mismatch}")?;
    }
    writeln!(out, "Accepted as found; that is on record, and the server can be started.")?;
    Ok(ExitCode::SUCCESS)
}
