//! Data that is too large to be read for a screen.

use std::io::{self, Read, Seek, SeekFrom};

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{press, shown, state_of};
use crate::commands::view::FIRST;

/// Reads a document that is larger than memory would be: a start, then zeros.
struct Endless {
    start: Vec<u8>,
    len: u64,
    at: u64,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(self.len - self.at).unwrap();
        let count = buffer.len().min(rest);
        let begin = self.start.len().min(self.at as usize);
        let mut start = &self.start[begin..];
        let copied = start.read(&mut buffer[..count])?;
        buffer[copied..count].fill(0);
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for Endless {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(from) => self.len.checked_add_signed(from).unwrap(),
            SeekFrom::Current(from) => self.at.checked_add_signed(from).unwrap(),
        };
        Ok(self.at)
    }
}

/// Returns a map of a bin of 200 MB, an array of 50 million elements, and a small value.
fn large() -> (Endless, u64) {
    let mut start = b"\x83\xa3bin\xc6".to_vec();
    start.extend(200_000_000_u32.to_be_bytes());
    // The array is written where the bin ends, so the start of the file is everything before.
    start.resize(start.len() + 200_000_000, 0);
    start.extend(b"\xa5array\xdd");
    start.extend(50_000_000_u32.to_be_bytes());
    let len = start.len() as u64 + 50_000_000 + 1 + 1;
    (Endless { start, len, at: 0 }, len)
}

#[test]
fn the_first_screen_of_a_large_file_reads_little() {
    let (file, len) = large();
    let mut state = state_of(file, &[]);
    state.work(FIRST);
    let before = state.tree.data.source.read;
    assert!(before < 2 << 20, "{before} of {len}");
    assert_eq!(
        shown(&mut state),
        [
            "- $ fixmap 3 entries",
            "  \"bin\": bin 32 200000000 bytes",
            "  + \"array\": array 32 50000000 elements",
            "  reading…",
            "reading…",
        ]
    );
    assert!(state.tree.data.source.read < 4 << 20);
}

#[test]
fn a_container_of_millions_opens_at_once() {
    let (file, _) = large();
    let mut state = state_of(file, &[]);
    state.work(FIRST);
    let before = state.tree.data.source.read;
    for key in "jjl".chars() {
        state.key(KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE));
        state.work(64 << 10);
    }
    let rows = shown(&mut state);
    assert_eq!(rows.len(), 20);
    assert_eq!(rows[19], "    [16] positive fixint 0");
    let read = state.tree.data.source.read - before;
    assert!(read < 8 << 20, "{read}");
    // Far into it, a page is still cheap.
    press(&mut state, ":array[49999990]\n");
    let before = state.tree.data.source.read;
    assert_eq!(state.path(), "$.array[49999990]");
    state.fit(20);
    assert_eq!(shown(&mut state).len(), 20);
    let read = state.tree.data.source.read - before;
    assert!(read < 8 << 20, "{read}");
}
