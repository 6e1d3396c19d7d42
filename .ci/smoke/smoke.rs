//! Records, a container file, and an error with its byte.

use packord::container::{Reader, WriteOptions, Writer};
use packord::{DecodeOptions, EncodeOptions, Error, Value, from_slice};

fn main() -> Result<(), Error> {
    let rows: Value = (0..3).map(|id| Value::from([("id", id), ("size", 9)])).collect();
    let bytes = EncodeOptions::new().records(true).encode(&rows)?;
    assert_eq!(DecodeOptions::new().records(true).decode(&bytes)?, rows);
    println!("records {}", bytes.len());

    let mut writer = Writer::create("smoke-rust.pkd", &WriteOptions::new())?;
    for id in 0..1000 {
        writer.write(&Value::from([("id", id)]))?;
    }
    writer.finish()?;
    let mut reader = Reader::open("smoke-rust.pkd")?;
    let mut ids = Vec::new();
    while let Some(row) = reader.next_value()? {
        ids.push(row["id"].as_u64().unwrap());
    }
    println!("container {} {}", ids.len(), ids[999]);

    let error = from_slice::<Value>(b"\x92\x01\xa3A").unwrap_err();
    let (offset, path) = (error.offset().unwrap(), error.path().unwrap());
    println!("{} at byte {offset} ({path})", error.kind());
    Ok(())
}
