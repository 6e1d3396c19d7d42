//! The program in Rust of docs/columns.md.

use packord::{DecodeOptions, EncodeOptions, Value, to_vec};

fn main() -> packord::Result<()> {
    let row = |id: u16| {
        Value::from([
            ("id", Value::from(id)),
            ("town", ["Oslo", "Graz", "Bonn"][usize::from(id % 3)].into()),
            ("level", (f64::from(id) + 0.5).into()),
        ])
    };
    let rows: Value = (0..500).map(row).collect();

    let bytes = EncodeOptions::new().columns(true).encode(&rows)?;
    let again = DecodeOptions::new().columns(true).decode(&bytes)?;
    let last = &again[499];
    let (town, level) = (last["town"].as_str().unwrap_or(""), &last["level"]);
    let (plain, columns) = (to_vec(&rows)?.len(), bytes.len());
    println!("plain {plain} columns {columns} {town} {level}");
    Ok(())
}
