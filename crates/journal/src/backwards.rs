//! The lines of a file from its end: what only the last lines answer costs the same however long the file is.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// So many bytes are read at once.
const AT_ONCE: u64 = 16 * 1024;

/// Reads finished lines, the last one first. What follows the last end of a line is no line.
#[derive(Debug)]
pub(crate) struct Backwards {
    file: File,
    /// The bytes before those in the buffer.
    before: u64,
    /// Whole lines at the end, and maybe the end of one that begins earlier.
    buffer: Vec<u8>,
    is_cut: bool,
}

impl Backwards {
    /// From the end of a file.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let mut lines = Self { before: file.metadata()?.len(), file, buffer: Vec::new(), is_cut: false };
        loop {
            if let Some(end) = lines.buffer.iter().rposition(|byte| *byte == b'\n') {
                lines.is_cut = end + 1 < lines.buffer.len();
                lines.buffer.truncate(end + 1);
                return Ok(lines);
            }
            if !lines.load()? {
                lines.is_cut = !lines.buffer.is_empty();
                lines.buffer.clear();
                return Ok(lines);
            }
        }
    }

    /// The bytes of what was not read yet: asked at once, those of all finished lines.
    pub(crate) fn length(&self) -> u64 {
        self.before + u64::try_from(self.buffer.len()).unwrap_or(u64::MAX)
    }

    /// Something stands after the last finished line.
    pub(crate) const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The line before, without its end.
    pub(crate) fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            let Some((_end, rest)) = self.buffer.split_last() else {
                if self.load()? {
                    continue;
                }
                return Ok(None);
            };
            let begin = rest.iter().rposition(|byte| *byte == b'\n').map(|at| at + 1);
            if let Some(begin) = begin.or((self.before == 0).then_some(0)) {
                let mut line = self.buffer.split_off(begin);
                line.pop();
                return Ok(Some(line));
            }
            self.load()?;
        }
    }

    /// Reads some more in front of the buffer; whether there was any.
    fn load(&mut self) -> io::Result<bool> {
        let length = self.before.min(AT_ONCE);
        if length == 0 {
            return Ok(false);
        }
        self.before -= length;
        self.file.seek(SeekFrom::Start(self.before))?;
        let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        self.file.read_exact(&mut bytes)?;
        bytes.append(&mut self.buffer);
        self.buffer = bytes;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a file with such bytes, read backwards, and how many bytes they had.
    fn lines(bytes: &[u8]) -> (Vec<Vec<u8>>, u64, bool) {
        let folder = croupier_testkit::tempdir().unwrap();
        let path = folder.path().join("lines");
        std::fs::write(&path, bytes).unwrap();
        let mut lines = Backwards::open(&path).unwrap();
        let (length, is_cut) = (lines.length(), lines.is_cut());
        let mut found = Vec::new();
        while let Some(line) = lines.line().unwrap() {
            found.push(line);
        }
        (found, length, is_cut)
    }

    #[test]
    fn lines_come_from_the_end_and_unfinished_ones_do_not() {
        let texts = |lines: &[&str]| lines.iter().map(|line| line.as_bytes().to_vec()).collect::<Vec<_>>();
        assert_eq!(lines(b""), (Vec::new(), 0, false));
        assert_eq!(lines(b"half"), (Vec::new(), 0, true));
        assert_eq!(lines(b"one\n"), (texts(&["one"]), 4, false));
        assert_eq!(lines(b"one\n\ntwo\nhalf"), (texts(&["two", "", "one"]), 9, true));
        assert_eq!(lines(b"\n\n"), (texts(&["", ""]), 2, false));
    }

    /// Lines and ends of lines on every side of where a piece ends.
    #[test]
    fn lines_may_begin_anywhere() {
        let piece = usize::try_from(AT_ONCE).unwrap();
        for long in [piece - 2, piece - 1, piece, piece + 1, 3 * piece] {
            for short in 0..3 {
                let all = [vec![b'a'; 5], vec![b'b'; long], vec![b'c'; short]];
                let bytes: Vec<u8> = all.iter().flat_map(|line| [line.as_slice(), b"\n"].concat()).collect();
                let (found, length, is_cut) = lines(&[bytes.as_slice(), b"half"].concat());
                assert!(found.iter().eq(all.iter().rev()), "{long} {short}");
                assert_eq!((length, is_cut), (u64::try_from(bytes.len()).unwrap(), true));
            }
        }
    }
}
