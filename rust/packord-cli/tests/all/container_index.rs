//! What the index of a container file says: used without reading blocks, and compared with them by `validate`.

use crate::tool::{Folder, fails, run, succeeds};
use packord::{DecodeOptions, Map, Value};

const SYNC: &str = "000102030405060708090a0b0c0d0e0f";
const MARK: usize = 18;
const TRAILER: usize = 15;

/// Three blocks of five rows.
fn file() -> Vec<u8> {
    let row = |number: u64| {
        let name = ["\"a\"", "\"b\"", "null"][(number % 3) as usize];
        format!("{{\"at\":{number},\"name\":{name}}}\n")
    };
    let options = "container create --block-rows 5 --sync";
    let mut options: Vec<&str> = options.split(' ').collect();
    options.push(SYNC);
    let rows: String = (10..25).map(row).collect();
    succeeds(&options, rows.as_bytes())
}

/// Returns the offset of the index's mark.
fn index_at(bytes: &[u8]) -> usize {
    let end = bytes.len() - 4;
    u64::from_be_bytes(bytes[end - 8..end].try_into().unwrap()) as usize
}

/// Returns the file with another index, whose checksum is right.
fn with_index(bytes: &[u8], change: impl FnOnce(&mut Vec<Value>)) -> Vec<u8> {
    let begin = index_at(bytes);
    let array = &bytes[begin + MARK..bytes.len() - TRAILER];
    let value = DecodeOptions::new().decode(array).unwrap();
    let Value::Array(elements) = value else {
        panic!("the index is an array");
    };
    let mut elements = elements.into_vec();
    change(&mut elements);
    let mut file = bytes[..begin + MARK].to_vec();
    file.extend(packord::to_vec(&Value::Array(elements.into())).unwrap());
    file.extend([0xc7, 12, 0x5d]);
    file.extend((begin as u64).to_be_bytes());
    let crc = crc32c::crc32c(&file[begin..]);
    file.extend(crc.to_be_bytes());
    file
}

/// Returns the index of a file whose entry of a block has another element.
fn with_entry(bytes: &[u8], number: usize, place: usize, value: Value) -> Vec<u8> {
    with_index(bytes, |elements| {
        let blocks = array(&mut elements[2]);
        array(&mut blocks[number])[place] = value;
    })
}

fn array(value: &mut Value) -> &mut [Value] {
    match value {
        Value::Array(elements) => elements,
        other => panic!("{other} is not an array"),
    }
}

fn statistics(path: &str, of: [Value; 3]) -> Value {
    let of = Value::Array(of.into_iter().collect());
    Value::Map(Map::from_iter([(Value::from(path), of)]))
}

/// Returns the totals with a count, and what the schema says of a path.
fn totals(count: u64, path: &str, types: &[&str], nullable: bool) -> Value {
    let types: Value = types.iter().copied().collect();
    let of: Value = [types, nullable.into()].into_iter().collect();
    let schema = Map::from_iter([(Value::from(path), of)]);
    Value::Map(Map::from_iter([
        (Value::from("count"), Value::from(count)),
        (Value::from("schema"), Value::Map(schema)),
    ]))
}

#[test]
fn validate_reports_all_that_an_index_says_wrongly() {
    let folder = Folder::new();
    let bytes = file();
    let good = folder.write("good.pkd", &bytes);
    succeeds(&["validate", &good], b"");
    let nil = || Value::Nil;
    let at = |nulls: i64, min: Value, max: Value| statistics("at", [nulls.into(), min, max]);
    for (damaged, expected) in [
        (
            with_entry(&bytes, 0, 0, 70.into()),
            "block 0: the index has 70 as offset, and it is 50",
        ),
        (
            with_entry(&bytes, 1, 1, 30.into()),
            "block 1: the index has 30 as size, and it is",
        ),
        (
            with_entry(&bytes, 2, 2, 6.into()),
            "block 2: the index has 6 as count, and it is 5",
        ),
        (
            with_entry(&bytes, 1, 0, "x".into()),
            "block 1: the index has \"x\" as offset",
        ),
        (
            with_entry(&bytes, 1, 3, at(0, 14.into(), 19.into())),
            "block 1: the index has 14 as the least value of \"at\", and it is 15",
        ),
        (
            with_entry(&bytes, 2, 3, at(0, 20.into(), 23.into())),
            "block 2: the index has 23 as the greatest value of \"at\", and it is 24",
        ),
        (
            with_entry(&bytes, 2, 3, at(1, 20.into(), 24.into())),
            "block 2: the index has 1 values of \"at\" as nil or missing, and 0 are",
        ),
        (
            with_entry(&bytes, 0, 3, statistics("name", [2.into(), "a".into(), 1.into()])),
            "",
        ),
        (
            with_entry(&bytes, 0, 3, statistics("", [0.into(), 1.into(), nil()])),
            "block 0: the index has 1 as the least value of \"\", and it is not known",
        ),
        (
            with_index(&bytes, |index| index[3] = totals(15, "at", &["str"], false)),
            "block 0: the schema of the index has str as \"at\", and with these rows it is int or str",
        ),
        (
            with_index(&bytes, |index| {
                index[3] = totals(15, "name", &["str"], false);
            }),
            "block 0: the schema of the index has str as \"name\", and with these rows it is str or nil",
        ),
        (
            with_index(&bytes, |index| index[3] = totals(16, "at", &["int"], false)),
            "all blocks: the index has 16 as count, and it is 15",
        ),
        (
            with_index(&bytes, |index| {
                let blocks = array(&mut index[2]);
                index[2] = blocks[..2].iter().cloned().collect();
            }),
            "block 2: the index has no offset, and it is",
        ),
        (
            with_index(&bytes, |index| index[1] = 2.into()),
            "the index has another form than readers know",
        ),
        (
            with_index(&bytes, |index| index[2] = nil()),
            "block 0: the index has no offset, and it is 50",
        ),
    ] {
        let file = folder.write("damaged.pkd", &damaged);
        if expected.is_empty() {
            // Statistics of a form that readers do not know say nothing.
            succeeds(&["validate", &file], b"");
            continue;
        }
        let place = format!("invalid_container at byte {}: ", index_at(&damaged));
        for options in [&["validate"][..], &["validate", "--all"]] {
            let output = run(&[options, &[&file]].concat(), b"");
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(3), "{expected}: {stderr}");
            assert!(stderr.contains(expected), "{expected}: {stderr}");
            assert!(stderr.contains(&place), "{stderr}");
        }
        // The rows are all there.
        assert_eq!(succeeds(&["unpack"], &damaged), succeeds(&["unpack"], &bytes));
    }
}

#[test]
fn validate_reports_every_difference() {
    let bytes = file();
    let damaged = with_index(&bytes, |index| {
        for (number, block) in array(&mut index[2]).iter_mut().enumerate() {
            array(block)[3] = statistics("at", [0.into(), 0.into(), (number as u64).into()]);
        }
    });
    let folder = Folder::new();
    let file = folder.write("damaged.pkd", &damaged);
    let first = String::from_utf8(run(&["validate", &file], b"").stderr).unwrap();
    assert_eq!(first.matches("invalid_container").count(), 1, "{first}");
    let all = String::from_utf8(run(&["validate", "--all", &file], b"").stderr).unwrap();
    for number in 0..3 {
        assert_eq!(all.matches(&format!("block {number}: ")).count(), 2, "{all}");
    }
    assert!(all.contains("6 faults"), "{all}");
}

#[test]
fn validate_compares_the_checksums_of_header_and_index() {
    let folder = Folder::new();
    let bytes = file();
    let begin = index_at(&bytes);
    let damage = |at: usize| {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        folder.write("damaged.pkd", &damaged)
    };
    // A byte of the header that is not a marker, one of the statistics, and one of the checksum itself.
    fails(
        &["validate", &damage(20)],
        b"",
        3,
        "the checksum of the header is wrong",
    );
    for at in [bytes.len() - TRAILER - 3, bytes.len() - 1] {
        let wrong = format!(
            "invalid_container at byte {begin}: container file is malformed: the checksum of the index is wrong"
        );
        fails(&["validate", &damage(at)], b"", 3, &wrong);
    }
    let at = bytes.len() - 8;
    fails(
        &["validate", &damage(at)],
        b"",
        3,
        "the trailer does not point to an index",
    );
    // Without an index, a file is being written.
    succeeds(&["validate"], &bytes[..begin]);
    let cut = folder.write("cut.pkd", &bytes[..begin]);
    succeeds(&["validate", &cut], b"");
}

#[test]
fn rows_are_counted_without_reading_blocks() {
    let folder = Folder::new();
    let mut bytes = file();
    // The data of the first block.
    let mark = bytes.windows(2).position(|two| two == [0xd8, 0x5d]);
    bytes[mark.unwrap() + 45] ^= 0xff;
    let damaged = folder.write("damaged.pkd", &bytes);
    fails(&["unpack", &damaged], b"", 3, "invalid_container");
    let info = ["container", "info", &damaged];
    let shown = String::from_utf8(succeeds(&info, b"")).unwrap();
    assert!(shown.contains("content  15 rows in 3 blocks"), "{shown}");
    assert!(!shown.contains("\n  damage"), "{shown}");
    assert_eq!(succeeds(&["get", ".", "--count", &damaged], b""), b"15\n");
    let output = run(&[&info[..], &["--blocks"]].concat(), b"");
    assert_eq!(output.status.code(), Some(3));
    // All bytes are read where there is no index to say it.
    fails(&["get", ".", "--count"], &bytes, 3, "invalid_container");
}

#[test]
fn messages_are_told_from_rows_by_their_blocks() {
    let folder = Folder::new();
    let file = folder.path("log.pkd");
    let append = ["container", "create", "--append", "-o", &file];
    succeeds(&append, b"{\"a\":1}\n{\"a\":2}\n");
    succeeds(&[&append[..], &["--messages"]].concat(), b"3\n");
    let shown = succeeds(&["container", "info", &file], b"");
    let shown = String::from_utf8(shown).unwrap();
    assert!(shown.contains("content  2 rows, 1 message in 2 blocks"), "{shown}");
}
