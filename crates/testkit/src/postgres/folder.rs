//! The folder of a throw-away cluster: who owns it, who uses it, and who removes it.
//!
//! Every process that uses a cluster puts a file with its process id into the folder `users`. A guardian, a small
//! shell script that outlives the tests, ends the cluster and removes the folder when none of these processes lives
//! any more. A guardian that was killed itself is replaced at the next start of any cluster.

use std::env;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};

const PREFIX: &str = "croupier-pg-";
const GUARDIAN: &str = include_str!("guardian.sh");

/// A socket's path may have about a hundred characters, of which we need sixty.
const PARENT_LENGTH_MAX: usize = 40;

/// How long to wait for a guardian that is just removing a folder.
const LEAVING_MAX: Duration = Duration::from_secs(20);

/// The user as whom a cluster runs: PostgreSQL refuses to run as root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    user: u32,
    group: u32,
    /// Whether we are root, and another user must take over.
    other: bool,
}

impl Owner {
    /// Ourselves, or, if we are root, the user `postgres` or else `nobody`.
    pub(super) fn choose() -> io::Result<Owner> {
        let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
        if !user.is_root() {
            return Ok(Owner { user: user.as_raw(), group: group.as_raw(), other: false });
        }
        let users = fs::read_to_string("/etc/passwd")?;
        ["postgres", "nobody"].iter().find_map(|name| listed(&users, name)).ok_or_else(|| {
            io::Error::other(
                "PostgreSQL does not run as root, and there is neither a user postgres nor nobody",
            )
        })
    }

    /// Has the program run as this user, apart from our process group: what ends a test leaves the cluster alone.
    pub(super) fn runs(self, command: &mut Command) -> &mut Command {
        if self.other {
            command.uid(self.user).gid(self.group);
        }
        command.process_group(0).stdin(Stdio::null())
    }

    pub(super) fn owns(self, path: &Path) -> io::Result<()> {
        if self.other { chown(path, Some(self.user), Some(self.group)) } else { Ok(()) }
    }
}

/// Reads `name:x:user:group:…` out of the text of a password file.
fn listed(users: &str, name: &str) -> Option<Owner> {
    let mut fields = users.lines().map(|line| line.split(':')).find_map(|mut fields| {
        let found = fields.next() == Some(name);
        found.then_some(fields)
    })?;
    let user = fields.nth(1)?.parse().ok()?;
    Some(Owner { user, group: fields.next()?.parse().ok()?, other: true })
}

/// Where all folders are: in the usual place for temporary files, unless a socket's path would get too long.
pub(super) fn parent() -> PathBuf {
    let usual = env::temp_dir();
    if usual.as_os_str().len() <= PARENT_LENGTH_MAX { usual } else { PathBuf::from("/tmp") }
}

/// Makes the folder of the cluster `key`, or joins those who have made it; either way `users` are its users now.
///
/// It comes into being whole, by renaming, so that it is never seen without its users.
pub(super) fn join(key: &str, users: &[u32], owner: Owner) -> io::Result<PathBuf> {
    let folder = parent().join(format!("{PREFIX}{key}"));
    let start = Instant::now();
    loop {
        let fresh = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent())?;
        fs::set_permissions(fresh.path(), fs::Permissions::from_mode(0o755))?;
        fs::create_dir(fresh.path().join("users"))?;
        register(fresh.path(), users)?;
        owner.owns(&fresh.path().join("users"))?;
        owner.owns(fresh.path())?;
        if fs::rename(fresh.path(), &folder).is_ok() {
            // It has another name now, and is not ours alone to remove.
            let _ = fresh.keep();
            return Ok(folder);
        }
        match register(&folder, users) {
            Ok(()) => return Ok(folder),
            Err(error) if start.elapsed() > LEAVING_MAX => return Err(error),
            // Its guardian is removing it.
            Err(_) => thread::sleep(Duration::from_millis(50)),
        }
    }
}

fn register(folder: &Path, users: &[u32]) -> io::Result<()> {
    for user in users {
        File::create(folder.join("users").join(user.to_string()))?;
    }
    Ok(())
}

/// Sees to it that every cluster's folder has a guardian, also those that killed tests and guardians left behind.
pub(super) fn guard_all(pg_ctl: &Path, owner: Owner) -> io::Result<()> {
    for entry in fs::read_dir(parent())?.flatten() {
        let is_cluster = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        if is_cluster && entry.metadata().is_ok_and(|data| data.is_dir() && data.uid() == owner.user) {
            // It may vanish at any moment; that is what we want.
            let _ = guard(&entry.path(), pg_ctl, owner);
        }
    }
    Ok(())
}

/// Sees to it that `folder` has a guardian.
///
/// The guardian's standard input is a locked file. The lock ends with the guardian, however that ends.
pub(super) fn guard(folder: &Path, pg_ctl: &Path, owner: Owner) -> io::Result<()> {
    let file = File::options().create(true).append(true).open(folder.join("guardian"))?;
    if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
        return Ok(());
    }
    let mut command = Command::new("sh");
    command.args(["-c", GUARDIAN, "guardian"]).arg(folder).arg(pg_ctl).current_dir("/");
    owner.runs(&mut command).stdin(file).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    Ok(())
}

/// Waits until this process alone works on `folder`; the lock ends with the file that is returned.
pub(super) fn lock(folder: &Path) -> io::Result<File> {
    let file = File::options().create(true).append(true).open(folder.join("lock"))?;
    flock(&file, FlockOperation::LockExclusive)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_read_from_the_password_file() {
        let text = "root:x:0:0:root:/:/bin/sh\npostgres:x:101:104:,,,:/var/lib/postgresql:/bin/bash\n";
        assert_eq!(listed(text, "postgres"), Some(Owner { user: 101, group: 104, other: true }));
        assert_eq!(listed(text, "nobody"), None);
    }
}
