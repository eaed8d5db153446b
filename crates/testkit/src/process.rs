//! A child process of a test: killed when dropped, with what it prints in a file.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// How often a waiting test looks again.
const PAUSE: Duration = Duration::from_millis(10);

/// A program that runs beside the test.
#[derive(Debug)]
pub struct Process {
    child: Child,
    log: PathBuf,
}

impl Process {
    /// Starts `command` with its standard output and error in the file `log`, in the order in which they come.
    ///
    /// # Errors
    ///
    /// If the program cannot be started or the file not be written.
    pub fn spawn(mut command: Command, log: &Path) -> io::Result<Process> {
        let file = File::options().create(true).append(true).open(log)?;
        let child = command.stdout(file.try_clone()?).stderr(file).spawn().map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", command.get_program().display()))
        })?;
        Ok(Process { child, log: log.to_owned() })
    }

    /// The process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Everything printed so far.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn output(&self) -> io::Result<String> {
        Ok(String::from_utf8_lossy(&fs::read(&self.log)?).into_owned())
    }

    /// Waits until a whole line with `text` in it was printed, and returns that line.
    ///
    /// # Errors
    ///
    /// If the process ends or the time is over before; the error holds what was printed.
    pub fn wait_for(&mut self, text: &str, timeout: Duration) -> io::Result<String> {
        let start = Instant::now();
        loop {
            // Whether it ended is asked first, so that its last lines are read.
            let ended = self.child.try_wait()?;
            let output = self.output()?;
            let mut whole = output.split_inclusive('\n').filter(|line| line.ends_with('\n'));
            if let Some(line) = whole.find(|line| line.contains(text)) {
                return Ok(line.trim_end().to_owned());
            }
            if let Some(status) = ended {
                return Err(io::Error::other(format!("ended with {status} before `{text}`:\n{output}")));
            }
            if start.elapsed() >= timeout {
                let message = format!("no line with `{text}` within {timeout:?}:\n{output}");
                return Err(io::Error::new(io::ErrorKind::TimedOut, message));
            }
            thread::sleep(PAUSE);
        }
    }

    /// Waits until the process ends by itself.
    ///
    /// # Errors
    ///
    /// If the time is over before; the error holds what was printed.
    pub fn wait(&mut self, timeout: Duration) -> io::Result<ExitStatus> {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            if start.elapsed() >= timeout {
                let message = format!("still running after {timeout:?}:\n{}", self.output()?);
                return Err(io::Error::new(io::ErrorKind::TimedOut, message));
            }
            thread::sleep(PAUSE);
        }
    }

    /// Asks the process to end (SIGTERM), and waits until it did.
    ///
    /// # Errors
    ///
    /// If it does not end in time.
    pub fn terminate(&mut self, timeout: Duration) -> io::Result<ExitStatus> {
        if self.child.try_wait()?.is_none() {
            kill_process(Pid::from_child(&self.child), Signal::TERM)?;
        }
        self.wait(timeout)
    }

    /// Ends the process without warning (SIGKILL), as a power cut would.
    ///
    /// # Errors
    ///
    /// If it cannot be killed.
    pub fn kill(&mut self) -> io::Result<ExitStatus> {
        self.child.kill()?;
        self.child.wait()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}
