//! Values that are written as columns, made of any bytes, and what must hold for them. Used by the
//! tests and by the fuzz target `columns`.

use packord::io::PackWriter;
use packord::{DecodeOptions, EncodeOptions, Ext, Map, RecordEncoder, Timestamp, Value};

/// Small numbers out of bytes; after the last byte they go on by chance.
pub struct Source<'a> {
    bytes: core::slice::Iter<'a, u8>,
    state: u64,
}

impl<'a> Source<'a> {
    pub fn new(bytes: &'a [u8]) -> Source<'a> {
        let mix = |state: u64, &byte: &u8| (state ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        Source {
            bytes: bytes.iter(),
            state: bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix),
        }
    }

    fn chance(&mut self) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005);
        self.state = self.state.wrapping_add(1_442_695_040_888_963_407);
        self.state ^ self.state >> 29
    }

    /// Returns a number below `end`: what shapes the value.
    fn choose(&mut self, end: u64) -> u64 {
        let byte = self.bytes.next().map(|&byte| u64::from(byte));
        byte.unwrap_or_else(|| self.chance() >> 40) % end
    }

    /// Returns a number below `end` for one of many values.
    fn number(&mut self, end: u64) -> u64 {
        (self.chance() >> 11) % end
    }
}

const KINDS: u64 = 29;

/// Returns the value of a row in a column of a kind.
fn scalar(source: &mut Source<'_>, kind: u64, row: u64) -> Value {
    let near_2_53 = |offset: u64| ((1_u64 << 53) - 3 + offset) as f64;
    match kind {
        0 => Value::Nil,
        1 => Value::from(source.number(2) == 0),
        2 => Value::from(source.number(10)),
        3 => Value::from(source.number(1 << 40)),
        4 => Value::from(source.number(1000) as i64 - 500),
        5 => Value::from(7 * row + source.number(3)),
        6 => Value::from(1000 - row as i64),
        7 => Value::from(u64::MAX - source.number(1000)),
        8 => Value::from(i64::MIN + source.number(1 << 20) as i64),
        9 => Value::from(source.number(5) * 1_000_003),
        10 => Value::from(source.number(100_000) as f64 / 100.0),
        11 => Value::from((source.number(1 << 50) as f64).sqrt()),
        12 => Value::from((source.number(2000) as f64 - 1000.0) * 0.1),
        13 => Value::from(f64::from_bits(source.chance())),
        14 => Value::from(source.number(10_000) as f32 / 7.0),
        15 => Value::from(near_2_53(source.number(5))),
        16 => Value::from(if row % 40 == 9 { -0.0 } else { row as f64 / 8.0 }),
        17 => Value::from(format!("s{}", source.number(6))),
        18 => Value::from("ü".repeat(source.number(40) as usize) + &row.to_string()),
        19 => Value::from(format!("abc{:04}", source.number(10_000))),
        20 => Value::from("a\0b".repeat(source.number(3) as usize)),
        21 => Value::from(vec![source.number(256) as u8; source.number(9) as usize]),
        22 => Value::from(Ext::new(5, &[source.number(256) as u8; 4])),
        23 => {
            let payload = vec![1; source.number(100) as usize];
            Value::from(Ext::new(source.number(3) as i8, &payload[..]))
        }
        24 => {
            let nanos = [0, 5_000_000, 7_000, 1][source.number(4) as usize];
            let seconds = 1_700_000_000 + source.number(100_000) as i64;
            Value::from(Timestamp::new(seconds, nanos).unwrap())
        }
        25 => {
            // At and beyond what nanoseconds in 64 bits can say.
            let seconds = -9_223_372_037 + source.number(2) as i64;
            Value::from(Timestamp::new(seconds, 145_224_191 + source.number(3) as u32).unwrap())
        }
        26 => Value::from(Ext::new(92, &[0][..])),
        _ => Value::from("always the same"),
    }
}

fn array(rows: u64, mut row: impl FnMut(u64) -> Value) -> Value {
    (0..rows).map(&mut row).collect()
}

/// Returns a value of tables, lists and records, in each other.
pub fn table(source: &mut Source<'_>, depth: u32) -> Value {
    let rows = [0, 1, 3, 7, 8, 9, 15, 16, 17, 30, 40, 100, 300][source.choose(13) as usize];
    let rows = if depth > 0 { rows.min(17) } else { rows };
    // An ext of the type of columns is rare: around it nothing is columns.
    let kind = |source: &mut Source<'_>| {
        let kind = source.choose(KINDS);
        if kind == 26 && source.number(10) > 0 { 2 } else { kind }
    };
    match source.choose(if depth > 2 { 3 } else { 7 }) {
        0 => {
            let kind = kind(source);
            array(rows, |row| scalar(source, kind, row))
        }
        1 => {
            let (usual, rare, odds) = (kind(source), kind(source), 1 + source.choose(30));
            array(rows, |row| {
                let kind = if source.number(odds) == 0 { rare } else { usual };
                scalar(source, kind, row)
            })
        }
        2 => {
            let (kind, length) = (kind(source), source.choose(10));
            array(rows, |row| array(length, |_| scalar(source, kind, row)))
        }
        3 => records(source, depth, rows),
        4 => array(rows, |_| table(source, depth + 1)),
        5 => {
            let kind = kind(source);
            let key = |row: u64| Value::from(format!("key{row}"));
            let entries = (0..rows).map(|row| (key(row), scalar(source, kind, row)));
            Value::Map(entries.collect())
        }
        _ => {
            let entries = (0..rows).map(|row| {
                let key = match source.number(30) {
                    0 => Value::from(row),
                    1 => Value::from("again"),
                    _ => Value::from(format!("key{row}")),
                };
                (key, table(source, depth + 1))
            });
            Value::Map(entries.collect())
        }
    }
}

/// Returns maps with mostly the same keys.
fn records(source: &mut Source<'_>, depth: u32, rows: u64) -> Value {
    let columns: Vec<(u64, u64)> = (0..source.choose(9))
        .map(|_| (source.choose(KINDS - 3), source.choose(12)))
        .collect();
    let is_deep = source.choose(3) == 0;
    array(rows, |row| {
        let mut entries: Vec<(Value, Value)> = Vec::new();
        for (name, &(kind, odds)) in columns.iter().enumerate() {
            if odds > 5 || source.number(odds + 1) > 0 {
                entries.push((format!("k{name}").into(), scalar(source, kind, row)));
            }
        }
        if source.number(50) == 0 {
            entries.reverse();
        }
        if is_deep {
            entries.push(("deep".into(), table(source, depth + 2)));
        }
        Value::Map(entries.into_iter().collect::<Map>())
    })
}

/// Writes a value with columns in each way, and reads it back. Returns the number of bytes with columns
/// and records off.
pub fn check(value: &Value) -> usize {
    let plain = packord::to_vec(value).unwrap();
    let mut len = 0;
    for records in [false, true] {
        let options = EncodeOptions::new().columns(true).records(records);
        let bytes = options.encode(value).unwrap();
        let read = DecodeOptions::new().columns(true).records(records);
        let back = read.decode(&bytes).unwrap();
        assert_eq!(packord::to_vec(&back).unwrap(), plain, "{records}: {value}");

        assert_eq!(options.pack(value).unwrap(), bytes);
        assert_eq!(options.repack(&plain).unwrap(), bytes);
        let config = packord::serde::Config::new().encode_options(options);
        assert_eq!(config.to_vec(value).unwrap(), bytes);
        let mut writer = PackWriter::with_options(Vec::new(), options);
        writer.write_value(value).unwrap();
        writer.pack(value).unwrap();
        assert_eq!(writer.into_inner(), [&bytes[..], &bytes[..]].concat());
        let mut space = vec![0; bytes.len()];
        assert_eq!(options.encode_to_slice(value, &mut space), Ok(bytes.len()));
        assert_eq!(space, bytes);
        if records {
            let mut encoder = RecordEncoder::new(options);
            assert_eq!(encoder.encode(value).unwrap(), bytes);
            assert_eq!(encoder.pack(value).unwrap(), bytes);
        } else {
            len = bytes.len();
        }
    }
    len
}
