//! Values in figures.

use packord::{Value, Walker};

use crate::json::write::{JsonWriteOptions, JsonWriter};

/// Returns a value as `unpack` writes it.
pub fn to_json(value: &Value) -> serde_json::Value {
    let packed = packord::to_vec(value).unwrap_or_default();
    let mut writer = JsonWriter::new(JsonWriteOptions::default());
    let mut walker = Walker::new(&packed);
    while let Ok(Some(event)) = walker.next() {
        // Without `strict` nothing is refused.
        let _ = writer.event(&event);
    }
    serde_json::from_slice(&writer.out).unwrap_or_default()
}
