//! The program of the five-minute start.

use packord::{Value, from_slice, to_vec};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let team: serde_json::Value = serde_json::from_str(&std::fs::read_to_string("../team.json")?)?;
    let data = to_vec(&Value::from(team))?;
    std::fs::write("../team.msgpack", &data)?;
    let name = &from_slice::<Value>(&data)?["users"][1]["name"];
    println!("{} bytes, {}", data.len(), name.as_str().unwrap_or(""));
    Ok(())
}
