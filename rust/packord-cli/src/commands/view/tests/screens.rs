//! What is drawn.

use std::fs;
use std::path::Path;

use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::{finish, packed, press, state};
use crate::commands::view::draw;
use crate::commands::view::state::State;

/// Compares the screen with a file of `tests/view`, which `PACKORD_BLESS=1` writes.
#[track_caller]
fn looks_like(state: &mut State, width: u16, height: u16, name: &str) {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    state.fit(usize::from(height - draw::FIXED));
    finish(state);
    terminal.draw(|frame| draw::draw(frame, state, true)).unwrap();
    let buffer = terminal.backend().buffer();
    let mut found = String::new();
    for y in 0..height {
        let line: String = (0..width).map(|x| buffer[(x, y)].symbol()).collect();
        found.push_str(line.trim_end());
        found.push('\n');
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/view").join(name);
    if std::env::var_os("PACKORD_BLESS").is_some() {
        fs::write(&path, &found).unwrap();
    }
    assert_eq!(found, fs::read_to_string(&path).unwrap(), "{name}");
}

fn users() -> Vec<u8> {
    let users: Vec<String> = (0..30)
        .map(|id| format!(r#"{{"id": {id}, "name": "user {id}", "tags": ["x", h'00ff{id:02}']}}"#))
        .collect();
    let mut bytes = packed(&format!(
        r#"{{"users": [{}], "at": timestamp("2026-01-02T03:04:05Z")}}"#,
        users.join(",")
    ));
    bytes.extend(packed(r#"["second", 1.5, -7]"#));
    bytes.extend(b"\x93\x01\xc1");
    bytes
}

#[test]
fn screens_of_80_by_24() {
    let mut state = state(&users());
    looks_like(&mut state, 80, 24, "start-80x24.txt");
    press(&mut state, ":users[3].tags\nlj");
    looks_like(&mut state, 80, 24, "path-80x24.txt");
    press(&mut state, "G");
    press(&mut state, "l");
    looks_like(&mut state, 80, 24, "fault-80x24.txt");
    press(&mut state, "fuser 2\n");
    looks_like(&mut state, 80, 24, "filter-80x24.txt");
    press(&mut state, "\u{1b}?");
    looks_like(&mut state, 80, 24, "keys-80x24.txt");
}

#[test]
fn screens_of_40_by_10() {
    let mut state = state(&users());
    looks_like(&mut state, 40, 10, "start-40x10.txt");
    press(&mut state, "/user 12\n");
    looks_like(&mut state, 40, 10, "search-40x10.txt");
    press(&mut state, ":users[");
    looks_like(&mut state, 40, 10, "prompt-40x10.txt");
}

#[test]
fn the_selected_bytes_are_marked() {
    use ratatui::style::Modifier;
    let mut state = state(&packed(r#"[1, "ab", 2]"#));
    press(&mut state, "jj");
    let mut terminal = Terminal::new(TestBackend::new(120, 10)).unwrap();
    terminal.draw(|frame| draw::draw(frame, &mut state, false)).unwrap();
    let buffer = terminal.backend().buffer();
    let marked: String = (60..120)
        .map(|x| &buffer[(x, 1)])
        .filter(|cell| cell.modifier.contains(Modifier::REVERSED))
        .map(ratatui::buffer::Cell::symbol)
        .collect();
    // The bytes, and their text.
    assert_eq!(marked, "a26162.ab");
    press(&mut state, "x");
    terminal.draw(|frame| draw::draw(frame, &mut state, false)).unwrap();
    let text: String = (60..120)
        .map(|x| terminal.backend().buffer()[(x, 1)].symbol())
        .collect();
    assert_eq!(text.trim(), "");
}

#[test]
fn screens_of_any_size_do_not_panic() {
    let mut state = state(&users());
    for (width, height) in [(1, 1), (2, 3), (59, 4), (60, 5), (99, 4), (150, 60), (300, 2)] {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        for keys in ["G", "?", "?", "/", "\u{1b}"] {
            press(&mut state, keys);
            terminal.draw(|frame| draw::draw(frame, &mut state, true)).unwrap();
        }
    }
}
