//! Where PostgreSQL's own programs are on this machine.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a server needs; distributions keep these together, often off the path.
const SERVER: [&str; 3] = ["initdb", "pg_ctl", "postgres"];

/// The folder with the server's programs, and the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Binaries {
    pub(super) folder: PathBuf,
    pub(super) psql: PathBuf,
}

impl Binaries {
    /// Looks on the path, where `pg_config` says, and where Debian puts them; the highest version there.
    pub(super) fn find() -> io::Result<Binaries> {
        let path: Vec<PathBuf> =
            env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default();
        let debian = versions(Path::new("/usr/lib/postgresql"));
        let places = path.iter().cloned().chain(told_by_pg_config()).chain(debian);
        Binaries::find_in(places, &path)
    }

    fn find_in(places: impl Iterator<Item = PathBuf>, path: &[PathBuf]) -> io::Result<Binaries> {
        let folder =
            places.filter_map(|place| real_folder(&place)).next().ok_or_else(|| missing("server"))?;
        let psql =
            [&folder].into_iter().chain(path).map(|place| place.join("psql")).find(|psql| psql.is_file());
        Ok(Binaries { psql: psql.ok_or_else(|| missing("client psql"))?, folder })
    }

    /// A program of the server, to be run unaffected by the variables that steer PostgreSQL's programs.
    pub(super) fn server(&self, name: &str) -> Command {
        without_settings(Command::new(self.folder.join(name)))
    }

    pub(super) fn client(&self) -> Command {
        without_settings(Command::new(&self.psql))
    }
}

/// The folder with all of the server's programs, be they here or linked from here.
fn real_folder(place: &Path) -> Option<PathBuf> {
    let complete = |folder: &Path| SERVER.iter().all(|name| folder.join(name).is_file());
    let linked = place.join(SERVER[0]).canonicalize().ok()?;
    [linked.parent()?, place].into_iter().find(|folder| complete(folder)).map(Path::to_owned)
}

fn told_by_pg_config() -> Option<PathBuf> {
    let output = Command::new("pg_config").arg("--bindir").output().ok()?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
}

/// The `bin` folders of all versions below `root`, the highest first.
fn versions(root: &Path) -> Vec<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = fs::read_dir(root)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .collect();
    found.sort_unstable_by(|one, other| other.cmp(one));
    found.into_iter().map(|(_, folder)| folder).collect()
}

fn without_settings(mut command: Command) -> Command {
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("PG")) {
            command.env_remove(name);
        }
    }
    command
}

fn missing(what: &str) -> io::Error {
    let message = format!("PostgreSQL's {what} is not on this machine; `cargo xtask setup` installs it");
    io::Error::new(io::ErrorKind::NotFound, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn programs(folder: &Path, names: &[&str]) {
        fs::create_dir_all(folder).unwrap();
        for name in names {
            fs::write(folder.join(name), "").unwrap();
        }
    }

    #[test]
    fn the_highest_version_comes_first_by_number() {
        let root = tempfile::tempdir().unwrap();
        for version in ["9", "15", "common", "100"] {
            fs::create_dir(root.path().join(version)).unwrap();
        }
        let expected = ["100/bin", "15/bin", "9/bin"].map(|folder| root.path().join(folder));
        assert_eq!(versions(root.path()), expected);
    }

    #[test]
    fn a_link_leads_to_the_folder_with_all_programs() {
        let root = tempfile::tempdir().unwrap();
        let (path, bin) = (root.path().join("path"), root.path().canonicalize().unwrap().join("15/bin"));
        programs(&path, &[]);
        programs(&bin, &["initdb", "pg_ctl", "postgres", "psql"]);
        std::os::unix::fs::symlink(bin.join("initdb"), path.join("initdb")).unwrap();
        let found = Binaries::find_in([path.clone()].into_iter(), &[path]).unwrap();
        assert_eq!(found, Binaries { psql: bin.join("psql"), folder: bin });
    }

    #[test]
    fn what_is_missing_is_named_with_its_remedy() {
        let root = tempfile::tempdir().unwrap();
        let find = || Binaries::find_in([root.path().to_owned()].into_iter(), &[]).unwrap_err().to_string();
        programs(root.path(), &["initdb", "postgres"]);
        assert_eq!(find(), "PostgreSQL's server is not on this machine; `cargo xtask setup` installs it");
        programs(root.path(), &["pg_ctl"]);
        assert_eq!(
            find(),
            "PostgreSQL's client psql is not on this machine; `cargo xtask setup` installs it"
        );
    }
}
