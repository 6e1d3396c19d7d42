//! The program of the README.

use packord::{Error, Value, from_slice, to_vec};

fn main() -> Result<(), Error> {
    let user = Value::from([("id", Value::from(7)), ("name", Value::from("Ada"))]);
    let bytes = to_vec(&user)?;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let again: Value = from_slice(&bytes)?;
    println!("{hex} {}", again["name"].as_str().unwrap());
    println!("{}", from_slice::<Value>(&bytes[..13]).unwrap_err());
    Ok(())
}
