//! What other programs write: records that are found, values that would fall apart, ext types by family.

use crate::tool::{self, fails, run, succeeds};

/// Commands that read MessagePack from standard input.
const COMMANDS: [&[&str]; 7] = [
    &["validate"],
    &["validate", "--all"],
    &["unpack"],
    &["get", "."],
    &["stats", "--quick"],
    &["inspect"],
    &["repair"],
];

/// `{s: new Set([1, 2]), r: /a/g}` of msgpackr with `moreTypes`.
const SET: &[u8] = b"\xde\0\x02\xa1s\xd4\x73\0\x92\x01\x02\xa1r\xd4\x78\0\x92\xa1a\xa1g";

#[test]
fn records_are_found() {
    // What msgpackr writes for `{a: 1, list: [{id: 1, name: 'x'}, {id: 2, name: 'y'}]}`.
    let message = b"\xd4\x72\x40\x92\xa1a\xa4list\x01\x92\xd4\x72\x41\x92\xa2id\xa4name\x01\xa1x\x41\x02\xa1y";
    let json = b"{\"a\":1,\"list\":[{\"id\":1,\"name\":\"x\"},{\"id\":2,\"name\":\"y\"}]}\n";
    assert_eq!(succeeds(&["unpack"], message), json);
    assert_eq!(succeeds(&["unpack", "--records"], message), json);
    assert_eq!(succeeds(&["get", "list[1].name"], message), b"\"y\"\n");
    let checked = succeeds(&["validate"], message);
    assert!(
        checked.starts_with(b"valid: 1 message,"),
        "{}",
        String::from_utf8_lossy(&checked)
    );
    let notation = succeeds(&["unpack", "--to", "diag"], message);
    assert_eq!(succeeds(&["pack", "--from", "diag", "--records"], &notation), message);
    let never = succeeds(&["unpack", "--records=never"], message);
    assert!(never.starts_with(b"{\"$ext\":[114,\"QA==\"]}\n[\"a\",\"list\"]\n"));
    // A record without keys.
    let empty = succeeds(&["pack", "--records"], b"[{},5]\n");
    assert_eq!(empty, b"\x92\xd4\x72\x40\x90\x05");
    assert_eq!(succeeds(&["unpack"], &empty), b"[{},5]\n");
    // Integers from 64 to 127 stay what they are, and so does an ext without a definition.
    assert_eq!(succeeds(&["unpack", "--to", "diag"], b"\x92\x41\x7f"), b"[65, 127]\n");
    assert_eq!(
        succeeds(&["unpack"], b"\xd4\x72\x40\x91\x01"),
        b"{\"$ext\":[114,\"QA==\"]}\n[1]\n"
    );
}

#[test]
fn what_is_recognised_does_not_depend_on_counts_or_pipes() {
    let folder = tool::Folder::new();
    let both = |arguments: &[&str], bytes: &[u8], code: i32, expected: &str| {
        let file = folder.write("file", bytes);
        for output in [run(&[arguments, &[&file]].concat(), b""), run(arguments, bytes)] {
            let (stdout, stderr) = (output.stdout, output.stderr);
            let shown = String::from_utf8([stdout, stderr].concat()).unwrap();
            assert_eq!(output.status.code(), Some(code), "{arguments:?}: {shown}");
            assert!(shown.contains(expected), "{arguments:?}: {shown}");
        }
    };
    for count in [5000_u32, 70_000] {
        let rows = (0..count).map(|id| format!("{{\"id\":{id},\"n\":0}}"));
        let rows = rows.collect::<Vec<_>>().join(",");
        let records = succeeds(&["pack", "--records"], format!("[{rows}]").as_bytes());
        both(&["get", "[5]"], &records, 0, "{\"id\":5,\"n\":0}\n");
        both(&["validate"], &records, 0, "valid: 1 message");
        let mut sets = [&b"\xdd"[..], &count.to_be_bytes()].concat();
        sets.extend(b"\xd4\x73\0\x92\x01\x02".repeat(count as usize));
        both(&["get", "[5]"], &sets, 3, "--ext msgpackr reads it");
        both(&["get", "[5]", "--ext", "msgpackr"], &sets, 0, "[1,2]\n");
    }
    // As the last value of a message, too.
    both(&["unpack"], b"\x81\xa1s\xd4\x73\0\x92\x01\x02", 3, "--ext msgpackr");
    // Other messages before the first one with columns.
    let rows = (0..100).map(|id| format!("{{\"id\":{id},\"n\":0}}"));
    let json = format!("[{}]", rows.collect::<Vec<_>>().join(","));
    let columns = succeeds(&["pack", "--columns"], json.as_bytes());
    assert!(columns.len() < 500);
    let late = [b"\xa4text".repeat(1000), columns].concat();
    both(&["get", "$1000[3].id"], &late, 0, "3\n");
}

#[test]
fn records_are_found_on_either_side_of_a_diff() {
    let folder = tempfile::TempDir::new().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let plain = write("plain", b"\x81\xa1a\x01");
    let records = write("records", b"\xd4\x72\x40\x91\xa1a\x01");
    assert_eq!(succeeds(&["diff", &plain, &records], b""), b"");
    assert_eq!(succeeds(&["diff", &records, &plain], b""), b"");
}

#[test]
fn values_of_msgpackr_that_would_fall_apart_are_named() {
    let bundled = b"\xde\0\x02\xd6\x62\0\0\0\x0c\xc1\x04\xc1\x0b\xa1b\xc1\x0c\xa0\xbbnamehello thereanother text";
    let shared = b"\xde\0\x02\xa1o\xd6\x69\0\0\0\x01\xde\0\x01\xa1x\x01\xa1p\xd6\x70\0\0\0\x01";
    for command in COMMANDS {
        fails(command, bundled, 3, "it has bundled strings of msgpackr");
        fails(command, SET, 3, "--ext msgpackr reads it as an array");
        fails(command, shared, 3, "--ext msgpackr reads it as an array or a map");
        let mut with_records = command.to_vec();
        with_records.push("--records");
        fails(&with_records, SET, 3, "--ext msgpackr");
    }
    assert_eq!(
        succeeds(&["unpack", "--ext", "msgpackr"], SET),
        b"{\"s\":[1,2],\"r\":[\"a\",\"g\"]}\n"
    );
    assert_eq!(
        succeeds(&["get", "s", "--ext", "msgpackr"], &SET.repeat(3)),
        b"[1,2]\n".repeat(3)
    );
    assert_eq!(succeeds(&["get", "o.x", "--ext", "msgpackr"], shared), b"1\n");
    // The mark may have a longer header than it needs.
    let long = b"\x81\xa1s\xc7\x01\x73\0\x92\x01\x02";
    fails(&["unpack"], long, 3, "--ext msgpackr reads it");
    assert_eq!(succeeds(&["unpack", "--ext", "msgpackr"], long), b"{\"s\":[1,2]}\n");
    // As they are, they are several messages.
    assert!(succeeds(&["validate", "--as-is"], SET).starts_with(b"valid: 3 messages"));
}

#[test]
fn cbor_without_a_tag_is_named() {
    for cbor in [&b"\xa1\x61a\x01"[..], b"\x82\xa1\x61a\x01\xa1\x61a\xf6"] {
        for command in COMMANDS {
            fails(command, cbor, 3, "it is not MessagePack but CBOR");
        }
    }
}

#[test]
fn ext_types_are_shown_by_length_and_family() {
    let shown = |options: &[&str], bytes: &[u8]| {
        let mut arguments = vec!["inspect"];
        arguments.extend(options);
        String::from_utf8(succeeds(&arguments, bytes)).unwrap()
    };
    let time = b"\xd7\0\x69\x57\x4c\x65\0\0\0\x07";
    assert!(shown(&[], time).contains("type 0 event time 2026-01-02T04:41:09.000000007Z (fluentd), 8 bytes"));
    assert!(shown(&[], b"\xd4\0\0").contains("type 0 undefined; also buffer 0 (neovim), 1 byte"));
    assert!(shown(&["--ext", "neovim"], b"\xd4\x01\x07").contains("type 1 window 7 (neovim), 1 byte"));
    assert!(shown(&["--ext", "neovim"], b"\xd5\x02\xcc\x80").contains("type 2 tabpage 128 (neovim)"));
    assert!(shown(&["--ext", "msgpackr"], b"\xd6\x70\0\0\0\x01").contains("type 112 pointer (msgpackr)"));
    let event = b"\x92\xd7\0\x69\x57\x4c\x65\0\0\0\0\x81\xa1a\x01";
    assert_eq!(
        succeeds(&["unpack", "--ext", "fluentd"], event),
        b"[{\"$timestamp\":\"2026-01-02T04:41:09Z\"},{\"a\":1}]\n"
    );
    assert_eq!(
        succeeds(&["unpack"], event),
        b"[{\"$ext\":[0,\"aVdMZQAAAAA=\"]},{\"a\":1}]\n"
    );
}

#[test]
fn lz4_of_messagepack_csharp_is_decompressed() {
    let json = format!("[\"{}\"]\n", "text ".repeat(1000));
    let plain = succeeds(&["pack"], json.as_bytes());
    let pressed = lz4_flex::block::compress(&plain);
    let mut len = vec![0xd2];
    len.extend((plain.len() as u32).to_be_bytes());
    let mut block = vec![0xc7, (len.len() + pressed.len()) as u8, 99];
    block.extend(&len);
    block.extend(&pressed);
    let mut blocks = vec![0x92, 0xc7, 5, 98];
    blocks.extend(&len);
    blocks.extend([0xc4, pressed.len() as u8]);
    blocks.extend(&pressed);
    for message in [&block, &blocks] {
        assert_eq!(succeeds(&["unpack"], message), json.as_bytes());
        assert_eq!(succeeds(&["unpack"], &message.repeat(2)), json.repeat(2).as_bytes());
        // Small messages are not compressed, and the first one may be small.
        let mixed = [&b"\x91\x01"[..], message].concat();
        assert_eq!(
            succeeds(&["unpack", "--ext", "csharp"], &mixed),
            format!("[1]\n{json}").as_bytes()
        );
        let mut damaged = message.clone();
        let end = damaged.len() - 9;
        damaged.truncate(end);
        fails(&["unpack"], &damaged, 3, "eof");
        let raw = run(&["inspect", "--as-is"], message);
        assert!(String::from_utf8_lossy(&raw.stdout).contains("lz4 block"));
    }
    let mut damaged = block.clone();
    damaged[6] = 0xff;
    fails(
        &["unpack"],
        &damaged,
        3,
        "an LZ4 block of MessagePack-CSharp is malformed in message 0",
    );
    fails(
        &["unpack", "--max-message", "1k"],
        &block,
        3,
        "its LZ4 blocks exceed 1000 bytes (--max-message)",
    );
}

#[test]
fn records_become_the_maps_of_a_plain_writer() {
    // In records, integers from 64 to 127 take two bytes.
    let json = b"{\"a\":70,\"b\":[127,64,63,128]}\n";
    let records = succeeds(&["pack", "--records"], json);
    assert!(records.windows(2).any(|two| two == b"\xcc\x46"));
    let plain = succeeds(&["pack"], json);
    let as_msgpack = ["unpack", "--to", "msgpack"];
    assert_eq!(succeeds(&as_msgpack, &records), plain);
    let chosen = [&as_msgpack[..], &["--where", "a > 1"]].concat();
    assert_eq!(succeeds(&chosen, &records), plain);
    // Other values keep their bytes.
    let wide = b"\x91\xcc\x46";
    assert_eq!(succeeds(&as_msgpack, wide), wide);
}

#[test]
fn values_longer_than_a_message_may_be_are_refused() {
    let text = succeeds(&["pack"], b"\"20 letters, not fewer\"");
    let bin = b"\xc4\x0b12345678901";
    let ext = b"\xc7\x0b\x0512345678901";
    for message in [&text[..], bin, ext] {
        for command in COMMANDS {
            let arguments = [command, &["--max-message", "10"]].concat();
            if command == ["repair"] || command == ["validate", "--all"] {
                continue;
            }
            fails(&arguments, message, 3, "length_limit at byte 0");
            succeeds(&[command, &["--max-message", "21"]].concat(), message);
        }
    }
}
