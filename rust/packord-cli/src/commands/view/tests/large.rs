//! Data that is too large to be read for a screen.

use std::io::{self, Read, Seek, SeekFrom};

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{finish, press, shown, state_of};
use crate::commands::view::FIRST;

/// A file of zeros, but for a few parts.
struct Sparse {
    parts: Vec<(u64, Vec<u8>)>,
    len: u64,
    at: u64,
}

impl Read for Sparse {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(self.len - self.at).unwrap();
        let count = buffer.len().min(rest);
        buffer[..count].fill(0);
        for (start, bytes) in &self.parts {
            for (offset, byte) in (*start..).zip(bytes) {
                if let Some(index) = offset.checked_sub(self.at)
                    && let Some(place) = buffer[..count].get_mut(index as usize)
                {
                    *place = *byte;
                }
            }
        }
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for Sparse {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(from) => self.len.checked_add_signed(from).unwrap(),
            SeekFrom::Current(from) => self.at.checked_add_signed(from).unwrap(),
        };
        Ok(self.at)
    }
}

const BIN: u32 = 1_000_000_000;
const ELEMENTS: u32 = 5_000_000;

/// Returns a map of a bin of 1 GB, an array of 5 million elements, and small values; and its length.
fn large() -> (Sparse, u64) {
    let before = [&b"\x84\xa3bin\xc6"[..], &BIN.to_be_bytes()].concat();
    let middle = [&b"\xa5array\xdd"[..], &ELEMENTS.to_be_bytes()].concat();
    let after = b"\xa3end\xc0\xa4last\xc0".to_vec();
    let second = before.len() as u64 + u64::from(BIN);
    let third = second + middle.len() as u64 + u64::from(ELEMENTS);
    let len = third + after.len() as u64;
    let parts = vec![(0, before), (second, middle), (third, after)];
    (Sparse { parts, len, at: 0 }, len)
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
            "- $ fixmap 4 entries",
            "  \"bin\": bin 32 1000000000 bytes",
            "  + \"array\": array 32 5000000 elements",
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
    press(&mut state, ":array[4999990]\n");
    let before = state.tree.data.source.read;
    assert_eq!(state.path(), "$.array[4999990]");
    state.fit(20);
    assert_eq!(shown(&mut state).len(), 20);
    let read = state.tree.data.source.read - before;
    assert!(read < 8 << 20, "{read}");
}

#[test]
fn what_was_read_is_not_read_again() {
    let (file, _) = large();
    let mut state = state_of(file, &[]);
    finish(&mut state);
    let before = state.tree.data.source.read;
    for keys in ["j", "j", "j", "G", "g"] {
        press(&mut state, keys);
        assert_eq!(shown(&mut state)[3], "  \"end\": nil");
    }
    let read = state.tree.data.source.read - before;
    assert!(read < 2 << 20, "{read}");
}
