//! A disk that fails when it is told to, and a clock that is wrong when it is: `shim.c`, between a program and the C
//! library, compiled when it is needed.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::Command;

use super::wrong;
use crate::TempDir;

/// What goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `EIO`.
    Error,
    /// `ENOSPC`.
    Full,
    /// Half of what was to be written is, and the call says so.
    Short,
    /// Nothing is done, and the call says that all went well.
    Lie,
}

impl Kind {
    const fn number(self) -> i32 {
        match self {
            Self::Error => 1,
            Self::Full => 2,
            Self::Short => 3,
            Self::Lie => 4,
        }
    }
}

/// Which calls go wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// `write`, `pwrite`, `writev`.
    Writes,
    /// `fsync`, `fdatasync`.
    Syncs,
    /// All of them, and `ftruncate`.
    All,
}

impl Calls {
    const fn number(self) -> i32 {
        match self {
            Self::Writes => 1,
            Self::Syncs => 2,
            Self::All => 7,
        }
    }
}

/// An order to fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    /// How.
    pub kind: Kind,
    /// Which calls.
    pub calls: Calls,
    /// The n-th of them, from 1.
    pub at: i32,
    /// And all after it.
    pub sticky: bool,
    /// The ends of the names of the files, separated by `|`.
    pub names: &'static str,
}

/// The bytes of the orders, as `shim.c` has them.
const SIZE: usize = 128;
/// Where the time of day is moved.
const SECONDS: usize = 120;
/// Where the count of failures is.
const HITS: core::ops::Range<usize> = 20..24;

/// The compiled shim, with its orders.
#[derive(Debug)]
pub struct Shim {
    folder: TempDir,
}

impl Shim {
    /// Compiles it with the C compiler of the machine (`CC`, or `cc`).
    ///
    /// # Errors
    /// When there is none, or it does not compile.
    pub fn build() -> io::Result<Self> {
        let folder = crate::tempdir()?;
        let source = folder.path().join("shim.c");
        fs::write(&source, include_str!("shim.c"))?;
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_string());
        let made = Command::new(&compiler)
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(folder.path().join("shim.so"))
            .arg(&source)
            .arg("-ldl")
            .output()
            .map_err(|error| wrong(format!("{compiler}: {error}; a C compiler is needed")))?;
        if !made.status.success() {
            return Err(wrong(String::from_utf8_lossy(&made.stderr).into_owned()));
        }
        let shim = Self { folder };
        shim.rest()?;
        Ok(shim)
    }

    fn orders(&self) -> PathBuf {
        self.folder.path().join("orders")
    }

    /// The variables under which a program has this disk.
    #[must_use]
    pub fn environment(&self) -> Vec<(String, String)> {
        let library = self.folder.path().join("shim.so").display().to_string();
        let orders = self.orders().display().to_string();
        vec![("LD_PRELOAD".to_string(), library), ("CROUPIER_FAULT".to_string(), orders)]
    }

    /// Nothing fails from now on.
    ///
    /// # Errors
    /// When the orders cannot be written.
    pub fn rest(&self) -> io::Result<()> {
        self.write(&[0; SIZE])
    }

    /// Gives an order, in force at once.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn give(&self, order: &Order) -> io::Result<()> {
        let mut bytes = [0; SIZE];
        let numbers = [order.kind.number(), order.calls.number(), order.at, i32::from(order.sticky)];
        for (place, number) in bytes.chunks_exact_mut(4).zip(numbers) {
            place.copy_from_slice(&number.to_ne_bytes());
        }
        for (place, byte) in bytes[24..SECONDS - 1].iter_mut().zip(order.names.bytes()) {
            *place = byte;
        }
        self.rest()?;
        self.write(&bytes)
    }

    /// Moves the time of day by so many seconds, at once; nothing fails.
    ///
    /// # Errors
    /// When the order cannot be written.
    pub fn move_clock(&self, seconds: i64) -> io::Result<()> {
        let mut bytes = [0; SIZE];
        bytes[SECONDS..].copy_from_slice(&seconds.to_ne_bytes());
        self.write(&bytes)
    }

    /// Written over and never cut: the program has the file mapped.
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = fs::File::options().create(true).truncate(false).write(true).open(self.orders())?;
        io::Write::write_all(&mut file, bytes)
    }

    /// How often a call has failed by the last order.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn hits(&self) -> io::Result<i32> {
        let bytes = fs::read(self.orders())?;
        let hits = bytes.get(HITS).and_then(|bytes| bytes.try_into().ok());
        hits.map(i32::from_ne_bytes).ok_or_else(|| wrong("the orders are cut off"))
    }
}
