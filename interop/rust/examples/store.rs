//! The last program of docs/records.md.

use packord::{DecodeOptions, MessageScanner, Structures, Value};
use std::{collections::BTreeMap, error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let list: Value = packord::from_slice(&fs::read("structures.msgpack")?)?;
    let mut structures = Structures::new();
    for keys in list.elements() {
        structures.push(keys.elements().filter_map(Value::as_str));
    }
    let options = DecodeOptions::new().records(true).shared_structures(structures);

    let mut store = BTreeMap::new();
    for file in ["orders.msgpack", "large.msgpack"] {
        let mut decoder = MessageScanner::with_options(&options);
        decoder.feed(&fs::read(file)?);
        while let Some(value) = decoder.next_value()? {
            store.insert((value["id"].as_u64(), file), value);
        }
        decoder.finish()?;
    }
    for value in store.values() {
        println!("{value}");
    }
    Ok(())
}
