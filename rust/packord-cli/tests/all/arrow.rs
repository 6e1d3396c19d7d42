//! Files of Apache Arrow and Parquet: written by `unpack --to`, read by `pack --from`.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use crate::tool::{fails, run, succeeds};
use arrow_ipc::CompressionType;
use arrow_ipc::reader::FileReader;
use arrow_ipc::writer::{IpcWriteOptions, StreamWriter};
use packord_cli::arrow::{TableFormat, TableReader};
use packord_cli::source::input::Input;
use packord_cli::terminal::progress::Progress;

const FORMATS: [&str; 2] = ["arrow", "parquet"];

/// Rows of every type that JSON has, with nil and missing keys.
fn rows(count: u32) -> String {
    let row = |i: u32| {
        let note = match i % 3 {
            0 => String::new(),
            1 => r#","note":null"#.to_owned(),
            _ => format!(r#","note":"n{i}""#),
        };
        format!(
            r#"{{"id":{},"big":{},"at":{}.5,"ok":{},"town":"{}","tags":[{}],"place":{{"x":{i},"y":-{}}}{note}}}"#,
            i * i,
            u64::from(i) << 40,
            i,
            i.is_multiple_of(2),
            ["Oslo", "Graz", "Köln"][i as usize % 3],
            (0..i % 4).map(|j| j.to_string()).collect::<Vec<_>>().join(","),
            i + 1,
        )
    };
    (0..count).map(row).collect::<Vec<_>>().join(",")
}

/// What comes back: a missing key is nil.
fn with_nil(json: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(json.to_vec()).unwrap();
    let rows = text.lines().map(|line| {
        let is_missing = !line.contains("\"note\"");
        let end = line.strip_suffix('}').unwrap();
        let note = if is_missing { ",\"note\":null" } else { "" };
        format!("{end}{note}}}\n")
    });
    rows.collect::<String>().into_bytes()
}

#[test]
fn rows_come_back_from_files_of_arrow_and_parquet() {
    let json = format!("[{}]", rows(300));
    let packed = succeeds(&["pack"], json.as_bytes());
    let columns = succeeds(&["pack", "--columns"], json.as_bytes());
    let each = succeeds(&["pack", "--each"], json.as_bytes());
    let wanted = with_nil(&succeeds(&["unpack"], &each));
    for format in FORMATS {
        for message in [&packed, &columns, &each] {
            let file = succeeds(&["unpack", "--to", format], message);
            let again = succeeds(&["pack", "--from", format], &file);
            let rows = succeeds(&["get", "[*]"], &again);
            assert!(rows == wanted, "{format}");
            let each = succeeds(&["pack", "--each", "--from", format], &file);
            assert!(succeeds(&["unpack"], &each) == wanted, "{format}");
            let columns = succeeds(&["pack", "--columns", "--from", format], &file);
            assert!(3 * columns.len() < again.len(), "{format}");
            assert!(succeeds(&["get", "[*]"], &columns) == wanted, "{format}");
            let records = succeeds(&["pack", "--records", "--from", format], &file);
            assert!(succeeds(&["get", "[*]"], &records) == wanted, "{format}");
        }
    }
}

#[test]
fn chosen_rows_are_a_table() {
    let packed = succeeds(&["pack", "--each"], format!("[{}]", rows(60)).as_bytes());
    for format in FORMATS {
        let test = "place.x >= 50";
        let file = succeeds(
            &["unpack", "--where", test, "--select", "id, town", "--to", format],
            &packed,
        );
        let rows = succeeds(&["get", "[*]"], &succeeds(&["pack", "--from", format], &file));
        assert!(
            rows.starts_with(b"{\"id\":2500,\"town\":\"K"),
            "{}",
            String::from_utf8_lossy(&rows)
        );
        assert_eq!(String::from_utf8_lossy(&rows).lines().count(), 10);
        // No rows are a table as well.
        let none = run(&["get", "[*]", "--to", format], b"\x90");
        let again = succeeds(&["pack", "--from", format], &none.stdout);
        assert_eq!(again, b"\x90", "{format}");
    }
}

#[test]
fn integers_on_both_sides_of_2_63_are_one_column() {
    for (rows, types) in [
        (r#"[{"u":18446744073709551615},{"u":0},{"u":null}]"#, ""),
        // Then they are decimals, which come back as text.
        (r#"[{"u":18446744073709551615},{"u":-1}]"#, "\""),
    ] {
        let packed = succeeds(&["pack"], rows.as_bytes());
        for format in FORMATS {
            let file = succeeds(&["unpack", "--to", format], &packed);
            let again = succeeds(&["pack", "--from", format], &file);
            let again = String::from_utf8(succeeds(&["unpack"], &again)).unwrap();
            let expected = rows.replace("18446744073709551615", &format!("{types}18446744073709551615{types}"));
            let expected = expected.replace("-1", &format!("{types}-1{types}"));
            assert_eq!(again.trim_end(), expected, "{format}");
        }
    }
}

#[test]
fn other_values_are_not_rows() {
    for format in FORMATS {
        for message in [&b"\x01"[..], b"\x92\x80\x01", b"\x81\xa1a\x01\xa1b"] {
            fails(&["unpack", "--to", format], message, 1, "has rows of named columns");
        }
        fails(&["unpack", "--to", format, "--pretty"], b"\x90", 2, "with a table");
        fails(&["pack", "--from", format], b"no table", 3, "standard input:");
    }
    // Values of several types are a union, which Parquet does not have.
    let packed = succeeds(&["pack"], br#"[{"a":1},{"a":"text"}]"#);
    fails(&["unpack", "--to", "parquet"], &packed, 1, "Parquet: ");
    let file = succeeds(&["unpack", "--to", "arrow"], &packed);
    assert_eq!(succeeds(&["pack", "--from", "arrow"], &file), packed);
}

#[test]
fn a_file_of_a_table_is_named_in_the_error_of_other_commands() {
    let packed = succeeds(&["pack"], br#"[{"a":1}]"#);
    for format in FORMATS {
        let file = succeeds(&["unpack", "--to", format], &packed);
        let hint = format!("packord pack --from {format} reads it");
        fails(&["unpack"], &file, 3, &hint);
    }
}

/// Reads all of a file, whole and by batches; returns whether both worked.
fn read(path: &Path, format: TableFormat) -> bool {
    let open = || {
        let input = Input::open(path, true, &Progress::bytes(true))?;
        TableReader::open(input, format)
    };
    let whole = open().and_then(TableReader::all).is_ok();
    let by_batches = open().and_then(|mut table| {
        while table.next_rows()?.is_some() {}
        Ok(())
    });
    assert_eq!(whole, by_batches.is_ok());
    whole
}

/// The same table as a stream whose buffers are compressed.
fn compressed_stream(file: &[u8]) -> Vec<u8> {
    let batches = FileReader::try_new(Cursor::new(file), None).unwrap();
    let options = IpcWriteOptions::default()
        .try_with_compression(Some(CompressionType::LZ4_FRAME))
        .unwrap();
    let schema = batches.schema();
    let mut writer = StreamWriter::try_new_with_options(Vec::new(), &schema, options).unwrap();
    for batch in batches {
        writer.write(&batch.unwrap()).unwrap();
    }
    writer.into_inner().unwrap()
}

/// Cuts and damages a file at each byte.
fn assert_robust(file: &[u8], format: TableFormat, is_stream: bool) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    fs::write(&path, file).unwrap();
    assert!(read(&path, format));
    for cut in (0..file.len()).step_by(3) {
        fs::write(&path, &file[..cut]).unwrap();
        // A stream may be cut between its batches.
        assert!(!read(&path, format) || is_stream, "{format} cut at {cut}");
    }
    let has_time = std::env::var_os("PACKORD_EXHAUSTIVE").is_some();
    for at in 0..file.len() {
        let ways = [file[at] ^ 1 << (at % 8), 0xff, 0x7f];
        let ways = if has_time { &ways[..] } else { &ways[at % 3..][..1] };
        for &byte in ways {
            let mut damaged = file.to_vec();
            damaged[at] = byte;
            fs::write(&path, &damaged).unwrap();
            read(&path, format);
        }
    }
}

#[test]
fn damaged_files_are_errors_and_nothing_else() {
    let packed = succeeds(&["pack"], format!("[{}]", rows(12)).as_bytes());
    let file = succeeds(&["unpack", "--to", "arrow"], &packed);
    assert_robust(&file, TableFormat::Arrow, false);
    assert_robust(&compressed_stream(&file), TableFormat::Arrow, true);
}

#[test]
fn damaged_files_of_parquet_are_errors_and_nothing_else() {
    let packed = succeeds(&["pack"], format!("[{}]", rows(12)).as_bytes());
    let file = succeeds(&["unpack", "--to", "parquet"], &packed);
    assert_robust(&file, TableFormat::Parquet, false);
}
