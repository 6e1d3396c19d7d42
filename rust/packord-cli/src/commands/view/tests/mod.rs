//! Tests of the model and of the keys.

mod large;
mod screens;

use std::fs;
use std::io::Cursor;

use clap::Parser;
use packord::{DecodeOptions, Value, Walker};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::data::Data;
use super::skim::Skim;
use super::source::{Seekable, Source};
use super::state::{Effect, State};
use super::tree::{RowKind, Tree};
use crate::cli::{Cli, Command, Reading};

/// Returns the options of a command line.
fn reading(options: &[&str]) -> Reading {
    let command = [&["packord", "view"], options].concat();
    match Cli::try_parse_from(command).unwrap().command {
        Command::View(view) => view.reading,
        other => panic!("{other:?}"),
    }
}

fn data(file: impl Seekable + 'static, options: &[&str]) -> Data {
    Data::new(Source::new(Box::new(file)).unwrap(), &reading(options)).unwrap()
}

fn state_of(file: impl Seekable + 'static, options: &[&str]) -> State {
    let mut state = State::new(Tree::new(data(file, options)), "data.msgpack".to_owned());
    state.fit(20);
    state
}

fn state(bytes: &[u8]) -> State {
    let mut state = state_of(Cursor::new(bytes.to_vec()), &[]);
    finish(&mut state);
    state
}

fn finish(state: &mut State) {
    while state.work(1 << 20) {}
}

/// Packs a value in diagnostic notation.
fn packed(notation: &str) -> Vec<u8> {
    packord::notation::parse(notation).unwrap()
}

/// Returns the rows as text.
fn shown(state: &mut State) -> Vec<String> {
    let rows = state.rows();
    let text = |row: super::tree::TreeRow| {
        let fold = row.open.map_or("", |open| if open { "- " } else { "+ " });
        let depth = row.route.len() - 1;
        let parts = [row.label, row.format, row.value];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        let fault = if row.kind == RowKind::Fault { "! " } else { "" };
        let text = parts.collect::<Vec<_>>().join(" ");
        format!("{}{fold}{fault}{text}", "  ".repeat(depth))
    };
    rows.into_iter().map(text).collect()
}

/// Presses the keys, and reads what they need.
fn press(state: &mut State, keys: &str) -> Effect {
    let mut effect = Effect::None;
    for letter in keys.chars() {
        let code = match letter {
            '\n' => KeyCode::Enter,
            '\u{1b}' => KeyCode::Esc,
            letter => KeyCode::Char(letter),
        };
        effect = state.key(KeyEvent::new(code, KeyModifiers::NONE));
        finish(state);
    }
    effect
}

#[test]
fn a_message_is_open_and_its_containers_unfold() {
    let mut state = state(&packed(r#"{"id": 300_u16, "tags": ["x", {"y": nil}], 5: h'00ff'}"#));
    assert_eq!(
        shown(&mut state),
        [
            "- $ fixmap 3 entries",
            "  \"id\": uint 16 300",
            "  + \"tags\": fixarray 2 elements",
            "  5: bin 8 2 bytes",
        ]
    );
    press(&mut state, "jjljjl");
    assert_eq!(
        shown(&mut state),
        [
            "- $ fixmap 3 entries",
            "  \"id\": uint 16 300",
            "  - \"tags\": fixarray 2 elements",
            "    [0] fixstr \"x\"",
            "    - [1] fixmap 1 entry",
            "      \"y\": nil",
            "  5: bin 8 2 bytes",
        ]
    );
    press(&mut state, "j");
    assert_eq!(state.path(), "$.tags[1].y");
    press(&mut state, "hh");
    assert_eq!((state.path(), shown(&mut state).len()), ("$.tags[1]".to_owned(), 6));
    press(&mut state, "ph");
    assert_eq!((state.path(), shown(&mut state).len()), ("$.tags".to_owned(), 4));
    press(&mut state, "G");
    assert_eq!(state.cursor, [0]);
    press(&mut state, " ");
    assert_eq!(shown(&mut state), ["+ $ fixmap 3 entries"]);
}

#[test]
fn messages_of_a_stream_are_rows() {
    let stream = [packed("[1, 2]"), packed("\"two\""), packed("{}")].concat();
    let mut state = state(&stream);
    assert_eq!(
        shown(&mut state),
        [
            "- $ fixarray 2 elements",
            "  [0] positive fixint 1",
            "  [1] positive fixint 2",
            "$1 fixstr \"two\"",
            "+ $2 fixmap 0 entries",
        ]
    );
    press(&mut state, "G");
    assert_eq!(state.path(), "$2");
    press(&mut state, "kk");
    assert_eq!(state.path(), "$[1]");
    press(&mut state, "g");
    assert_eq!(state.path(), "$");
}

#[test]
fn records_and_ext_labels_are_those_of_inspect() {
    let bytes = b"\x92\xd4\x72\x40\x92\xa2id\xa1n\x01\x91\xd4\x72\x60\x91\xa1z\x07\x40\x02\xd6\xff\0\0\0\x05";
    let mut state = state_of(Cursor::new(bytes.to_vec()), &["--records"]);
    finish(&mut state);
    press(&mut state, "jljjljlggjjjjjjl");
    assert_eq!(
        shown(&mut state),
        [
            "- $ fixarray 2 elements",
            "  - [0] record #64 defined [\"id\", \"n\"]",
            "    \"id\": positive fixint 1",
            "    - \"n\": fixarray 1 element",
            "      - [0] record #96 defined [\"z\"]",
            "        \"z\": positive fixint 7",
            "  - [1] record #64 2 fields",
            "    \"id\": positive fixint 2",
            "    \"n\": fixext 4 timestamp 1970-01-01T00:00:05Z",
        ]
    );
    press(&mut state, "j");
    assert_eq!(state.path(), "$[1].id");
    let mut state = state_of(Cursor::new(b"\xd4\x01\x07".to_vec()), &["--ext=neovim"]);
    finish(&mut state);
    assert_eq!(shown(&mut state), ["$ fixext 1 type 1 window 7 (neovim), 1 byte"]);
}

#[test]
fn shared_structures_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.json");
    let mut lists = vec![vec!["a"]; 40];
    lists[33] = vec!["x", "y"];
    fs::write(&path, serde_json::to_string(&lists).unwrap()).unwrap();
    let option = format!("--shared={}", path.display());
    // The id of the structure 33 has two bytes.
    let mut state = state_of(Cursor::new(b"\x40\x05\x61\0\x01\x02".to_vec()), &[&option]);
    finish(&mut state);
    press(&mut state, "jjl");
    assert_eq!(
        shown(&mut state),
        [
            "- $ record #64 1 field",
            "  \"a\": positive fixint 5",
            "- $1 record ##97 2 fields",
            "  \"x\": positive fixint 1",
            "  \"y\": positive fixint 2",
        ]
    );
}

#[test]
fn a_fault_is_a_row_and_what_follows_is_shown() {
    let mut bytes = packed(r#"[1, "abc", {"k": 2}, 3]"#);
    bytes[2 + 1] = 0xff;
    bytes[9] = 0xc1;
    let mut state = state(&bytes);
    press(&mut state, "jjjl");
    assert_eq!(
        shown(&mut state),
        [
            "- $ fixarray 4 elements",
            "  [0] positive fixint 1",
            "  ! [1] invalid_utf8 at byte 3: str is not valid UTF-8",
            "  - [2] fixmap 1 entry",
            "    ! \"k\": reserved_marker at byte 9: marker c1 is reserved",
            "  [3] positive fixint 3",
        ]
        .map(str::to_owned)
    );
}

#[test]
fn messages_after_a_length_that_is_wrong_are_shown() {
    let message = |number: u32| packed(&format!(r#"{{"id": {number}, "name": "n{number}"}}"#));
    let mut bytes: Vec<u8> = (0..600).flat_map(message).collect();
    let damage = |bytes: &mut Vec<u8>, number: u32, at: usize, byte: u8| {
        let start: usize = (0..number).map(|number| message(number).len()).sum();
        bytes[start + at] = byte;
        (start, start + message(number).len())
    };
    // A map of too many entries, a str that is too long, and and a map after that.
    let (_, first) = damage(&mut bytes, 3, 0, 0xdf);
    let (_, second) = damage(&mut bytes, 300, 1, 0xdb);
    damage(&mut bytes, 310, 0, 0xdf);
    let mut state = state(&bytes);
    let eof = format!("eof at byte {}: input ends before the message does", bytes.len());
    press(&mut state, "h");
    let rows = shown(&mut state);
    assert_eq!(rows[2], "+ $2 fixmap 2 entries");
    assert_eq!(rows[3], format!("+ ! $3 {eof}; goes on at byte {first}"));
    assert_eq!(rows[4], "+ $4 fixmap 2 entries");
    press(&mut state, ":$300\njjj");
    let rows = shown(&mut state);
    assert!(
        rows.contains(&format!("+ ! $300 {eof}; goes on at byte {second}")),
        "{rows:#?}"
    );
    press(&mut state, "/n599\n");
    let rows = shown(&mut state);
    assert!(rows.iter().any(|row| row.contains("n599")), "{rows:#?}");
    // What is readable of a damaged message can be unfolded.
    press(&mut state, ":$300\nljk");
    let rows = shown(&mut state);
    let at = rows.iter().position(|row| row.starts_with("- ! $300")).unwrap();
    assert_eq!(rows[at + 1], format!("  ! {eof}"));
}

#[test]
fn the_row_after_what_cannot_be_read_says_why() {
    let whole = packed(r#"[1, {"k": [2, "abc"]}, 3]"#);
    let mut state = state(&whole[..whole.len() - 3]);
    let eof = "eof at byte 9: input ends before the message does";
    assert_eq!(
        shown(&mut state),
        [
            "- $ fixarray 3 elements".to_owned(),
            "  [0] positive fixint 1".to_owned(),
            "  + [1] fixmap 1 entry".to_owned(),
            format!("  ! {eof}"),
        ]
    );
    press(&mut state, "jjljl");
    assert_eq!(
        shown(&mut state),
        [
            "- $ fixarray 3 elements".to_owned(),
            "  [0] positive fixint 1".to_owned(),
            "  - [1] fixmap 1 entry".to_owned(),
            "    - \"k\": fixarray 2 elements".to_owned(),
            "      [0] positive fixint 2".to_owned(),
            format!("      ! [1] {eof}"),
        ]
    );
    for bytes in [&b""[..], b"\x92", b"\xdd\xff\xff\xff\xff\x01", b"\x81\xa3a"] {
        let mut state = self::state(bytes);
        press(&mut state, "jjjGkkkxy/a\nNnf1\n\u{1b}@0\n:[5]\n");
        assert!(shown(&mut state).len() <= 3);
    }
}

#[test]
fn goes_to_paths_and_bytes() {
    let stream = [
        packed("7"),
        packed(r#"{"a": [[1], {"b c": "x", key: 5}], 9: {"z": 1}}"#.replace("key", "\"key\"").as_str()),
    ]
    .concat();
    let mut state = state(&stream);
    for (path, found) in [
        ("$1.a[-1].key", "$1.a[1].key"),
        ("$1.a[1][\"b c\"]", "$1.a[1][\"b c\"]"),
        ("$1[key 9].z", "$1[key 9].z"),
        ("$1.a[0][0]", "$1.a[0][0]"),
        ("$1", "$1"),
        (".", "$"),
    ] {
        press(&mut state, &format!(":{path}\n"));
        assert_eq!((state.path(), state.note.as_str()), (found.to_owned(), ""), "{path}");
    }
    for (path, note) in [
        ("$1.b", "nothing found"),
        ("$2", "nothing found"),
        ("$0[0]", "nothing found"),
        ("$1.a[2]", "nothing found"),
        ("$x", "expected the end"),
        ("[?a]", "expected a path without tests, .., projections and ranges"),
    ] {
        press(&mut state, &format!(":{path}\n"));
        assert_eq!(state.note, note, "{path}");
    }
    let len = stream.len() as u64;
    let options = DecodeOptions::new();
    for byte in 0..len {
        press(&mut state, &format!("g@{byte}\n"));
        let (from, to) = state.selected_span().unwrap();
        let path = state.path();
        let begin = state
            .tree
            .begin(&state.cursor[..state.cursor.len() - 1], *state.cursor.last().unwrap());
        assert!((begin..to.unwrap()).contains(&byte), "{byte}: {path}");
        if byte >= 1 && from <= byte {
            let known = packord::path_at(&stream[1..], byte - 1, &options);
            assert_eq!(path, format!("$1{}", known.trim_start_matches('$')), "{byte}");
        }
    }
    press(&mut state, &format!("@{len}\n"));
    assert_eq!(state.note, format!("no value at byte {len}"));
    press(&mut state, "@0x1\n");
    assert_eq!(state.path(), "$1");
}

#[test]
fn searches_both_ways_and_around() {
    let stream = [
        packed(r#"{"name": "Ada", "n": 42}"#),
        packed(r#"[{"name": "ada II"}, 421, "name"]"#),
    ]
    .concat();
    let mut state = state(&stream);
    let mut seen = Vec::new();
    for keys in [
        "/ada\n", "n", "n", "N", "/Ada\n", "n", "/42\n", "n", "/name\n", "n", "n", "N", "/none\n",
    ] {
        press(&mut state, keys);
        seen.push(state.path());
    }
    assert_eq!(
        seen,
        [
            "$.name",
            "$1[0].name",
            "$.name",
            "$1[0].name",
            "$.name",
            "$.name",
            "$.n",
            "$1[1]",
            "$1[2]",
            "$.name",
            "$1[0].name",
            "$.name",
            "$.name",
        ]
    );
    assert_eq!(state.note, "nothing found");
}

#[test]
fn a_filter_shows_only_what_matches() {
    let mut state = state(&packed(r#"[{"name": "Ada"}, {"name": "Bob"}, "Adam"]"#));
    press(&mut state, "fAda\n");
    let rows: Vec<_> = state
        .rows()
        .iter()
        .map(|row| format!("{} {}", row.label, row.value))
        .collect();
    assert_eq!(rows, ["$[0].name \"Ada\"", "$[2] \"Adam\""]);
    assert_eq!(press(&mut state, "jy"), Effect::Copy("$[2]".to_owned()));
    press(&mut state, "g\n");
    assert_eq!((state.path(), state.filter.is_none()), ("$[0].name".to_owned(), true));
    press(&mut state, "fb\nf\n");
    assert!(state.filter.is_none());
    press(&mut state, "fb\n\u{1b}");
    assert!(state.filter.is_none());
}

#[test]
fn keys_copy_the_path_and_end() {
    let mut state = state(&packed(r#"{"a b": [1]}"#));
    press(&mut state, "jlj");
    assert_eq!(press(&mut state, "y"), Effect::Copy("$[\"a b\"][0]".to_owned()));
    assert_eq!(state.note, "copied $[\"a b\"][0]");
    assert_eq!(press(&mut state, "q"), Effect::Quit);
    press(&mut state, "/q");
    let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(state.key(interrupt), Effect::Quit);
}

#[test]
fn the_ends_of_values_are_those_of_the_walker() {
    let seed = packed(
        r#"{"a": [1, -5, 300, 1.5, "é", h'0102', nil], "t": timestamp("2026-01-02T03:04:05Z"), "b": {"c": [[], {}, true]}, "long": "0123456789012345678901234567890123456789"}"#,
    );
    let mut random = fastrand::Rng::with_seed(7);
    let (mut valid, mut faults) = (0, 0);
    let reading = reading(&[]);
    for _ in 0..20_000 {
        let mut bytes = seed.clone();
        for _ in 0..random.usize(0..3) {
            let at = random.usize(0..bytes.len());
            bytes[at] = random.u8(..);
        }
        if random.bool() {
            bytes.truncate(random.usize(1..=bytes.len()));
        }
        let expected = Walker::new(&bytes)
            .skip_value()
            .map(|value| value.unwrap().len() as u64);
        let source = Source::new(Box::new(Cursor::new(bytes.clone()))).unwrap();
        let mut data = Data::new(source, &reading).unwrap();
        let start = data.start();
        let mut skim = Skim::new(start, 1);
        // A budget of one byte stops it everywhere.
        let found = loop {
            match skim.run(&mut data, &mut 1) {
                Ok(false) => {}
                Ok(true) => break Ok(skim.place.offset),
                Err(error) => break Err(error),
            }
        };
        let noted = data.fault(0, u64::MAX).is_some();
        match (expected, found) {
            (Ok(expected), Ok(found)) => {
                assert_eq!((expected, noted), (found, false), "{bytes:02x?}");
                valid += 1;
            }
            (Err(error), found) => {
                assert!(noted || found.is_err(), "{error} {bytes:02x?}");
                if !noted {
                    assert_eq!(found.unwrap_err().kind(), error.kind(), "{bytes:02x?}");
                }
                faults += 1;
            }
            (Ok(_), Err(error)) => panic!("{error} {bytes:02x?}"),
        }
    }
    assert!(valid > 1000 && faults > 1000, "{valid} {faults}");
}

#[test]
fn long_text_is_checked_in_pieces() {
    let text = "aé€😀".repeat(200_000);
    let mut bytes = packord::to_vec(&Value::from(vec![Value::from(text), Value::from(1)])).unwrap();
    let len = bytes.len() as u64;
    let whole = |bytes: &[u8]| {
        let mut data = data(Cursor::new(bytes.to_vec()), &[]);
        let mut skim = Skim::new(data.start(), 1);
        let done = skim.run(&mut data, &mut u64::MAX.clone());
        (
            done.unwrap(),
            skim.place.offset,
            data.fault(0, u64::MAX).map(str::to_owned),
        )
    };
    assert_eq!(whole(&bytes), (true, len, None));
    bytes[1_000_000] = 0xff;
    let (done, offset, fault) = whole(&bytes);
    assert_eq!((done, offset), (true, len));
    assert!(fault.is_some_and(|fault| fault.contains("UTF-8")));
}

#[test]
fn elements_that_are_passed_together_keep_their_places() {
    let text = |at: u64| {
        if at == 5000 {
            "x".repeat(100_000)
        } else {
            format!("v{at}")
        }
    };
    let values: Vec<Value> = (0..20_000).map(|at| Value::from(text(at))).collect();
    let mut bytes = packord::to_vec(&Value::from(values)).unwrap();
    let mut state = state(&bytes);
    for index in [0, 255, 256, 4999, 5000, 5001, 19_999] {
        press(&mut state, &format!("g:[{index}]\n"));
        assert_eq!(state.path(), format!("$[{index}]"));
        let row = state.tree.row(&state.cursor.clone());
        assert!(row.value.starts_with(&format!("\"{}", &text(index)[..1])), "{index}");
        if index != 5000 {
            assert_eq!(row.value, format!("\"v{index}\""));
        }
    }
    press(&mut state, "g/v19998\n");
    assert_eq!(state.path(), "$[19998]");
    // A fault among them.
    let at = bytes.windows(6).position(|window| window == b"v16001").unwrap();
    bytes[at - 1] = 0xc1;
    let mut state = self::state(&bytes);
    press(&mut state, ":[16002]\n");
    assert_eq!(state.tree.row(&[0, 16_000]).value, "\"v16000\"");
    assert_eq!(state.tree.row(&[0, 16_001]).kind, RowKind::Fault);
}
