//! The names of ext types, from `ext-registry.json` of the specification.

use std::sync::LazyLock;

use packord::{Timestamp, Token, Walker};
use serde::Deserialize;

/// A copy of the specification's file, which is not part of the package. A test keeps them equal.
const REGISTRY: &str = include_str!("ext-registry.json");

#[derive(Deserialize)]
struct Registry {
    types: Vec<RegistryEntry>,
}

#[derive(Deserialize)]
struct RegistryEntry {
    #[serde(rename = "type")]
    kind: i8,
    name: String,
    owner: String,
    status: String,
}

/// Returns what an ext value is: its name in the registry, then its other uses that fit its payload. With
/// an owner, only what that owner makes of it.
///
/// ```
/// use packord_cli::values::registry::label;
/// assert_eq!(label(85, &[0; 16], None).as_deref(), Some("uuid"));
/// assert_eq!(label(0, b"\x69\x57\x4c\x65\0\0\0\0", None).unwrap(), "event time 2026-01-02T04:41:09Z (fluentd)");
/// assert_eq!(label(1, b"\x07", Some("neovim")).unwrap(), "window 7 (neovim)");
/// assert_eq!(label(44, b"", None), None);
/// ```
#[must_use]
pub fn label(kind: i8, payload: &[u8], owner: Option<&str>) -> Option<String> {
    static ENTRIES: LazyLock<Vec<RegistryEntry>> = LazyLock::new(|| {
        // The file is part of the program, and a test parses it.
        serde_json::from_str(REGISTRY).map_or_else(|_| Vec::new(), |registry: Registry| registry.types)
    });
    let (mut names, mut others) = (Vec::new(), Vec::new());
    // What is known exactly is said first, and as a fact.
    let mut certain = None;
    for entry in ENTRIES.iter().filter(|entry| entry.kind == kind) {
        let wanted = owner.is_none_or(|owner| entry.owner == owner);
        if !wanted || !fits(entry, payload) {
            continue;
        }
        let detail = detail(entry, payload).unwrap_or_default();
        let text = format!("{}{detail} ({})", entry.name, entry.owner);
        if owner.is_some() || (!detail.is_empty() && entry.owner == "fluentd") {
            certain = certain.or(Some(text));
        } else if entry.status == "foreign" {
            others.push(text);
        } else {
            names.push(format!("{}{detail}", entry.name));
        }
    }
    if certain.is_some() {
        return certain;
    }
    match (names.is_empty(), others.is_empty()) {
        (true, true) => None,
        (false, true) => Some(names.join(", ")),
        (false, false) => Some(format!("{}; also {}", names.join(", "), others.join(", "))),
        (true, false) => Some(format!("perhaps {}", others.join(", "))),
    }
}

/// Returns whether a payload can be that of an entry, as far as its length and first bytes say.
fn fits(entry: &RegistryEntry, payload: &[u8]) -> bool {
    match (entry.owner.as_str(), entry.kind) {
        ("fluentd", 0) => event_time(0, payload).is_some(),
        ("neovim", _) => handle(payload).is_some(),
        ("msgpackr", 0) => matches!(payload, [0 | 0xff]),
        ("msgpackr", 0x62 | 0x69 | 0x70) | ("packord", 87) => payload.len() == 4,
        ("msgpackr", 0x65 | 0x73 | 0x78) => payload == [0],
        ("tarantool" | "clickhouse", 2) | ("packord", 85) => payload.len() == 16,
        ("tarantool", 4) => matches!(payload.len(), 8 | 16),
        ("packord", 88) => payload.len() == 8,
        ("packord", 89) => payload.len() == 12,
        ("rails", 0) | ("msgpack-clj", 3 | 4) => {
            std::str::from_utf8(payload).is_ok_and(|name| !name.is_empty() && !name.contains(char::is_control))
        }
        _ => true,
    }
}

/// The types of the elements of typed arrays.
const ELEMENTS: [&str; 11] = [
    "i8",
    "u8",
    "clamped u8",
    "i16",
    "u16",
    "i32",
    "u32",
    "f32",
    "f64",
    "i64",
    "u64",
];

/// Returns the value, where it is short, or what is in it.
fn detail(entry: &RegistryEntry, payload: &[u8]) -> Option<String> {
    match entry.owner.as_str() {
        "fluentd" => Some(format!(" {}", event_time(entry.kind, payload)?)),
        "neovim" => Some(format!(" {}", handle(payload)?)),
        "msgpackr" if entry.kind == 0x74 => {
            let element = ELEMENTS.get(usize::from(*payload.first()?))?;
            Some(format!(" of {element}"))
        }
        _ => None,
    }
}

/// Returns the time in a value that Fluentd writes: type 0 with seconds and nanoseconds in 32 bits each.
#[must_use]
pub fn event_time(kind: i8, payload: &[u8]) -> Option<Timestamp> {
    let (seconds, nanoseconds) = payload.split_at_checked(4).filter(|_| kind == 0)?;
    let number = |bytes: &[u8]| Some(u32::from_be_bytes(bytes.try_into().ok()?));
    Timestamp::new(i64::from(number(seconds)?), number(nanoseconds)?)
}

/// Returns the number of a handle of Neovim: the payload is one integer.
fn handle(payload: &[u8]) -> Option<String> {
    let mut walker = Walker::new(payload);
    let number = match walker.next().ok()??.token {
        Token::Int(number) => number.to_string(),
        _ => return None,
    };
    walker.finish().ok()?;
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registry_equals_that_of_the_specification() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ext-registry.json");
        assert_eq!(std::fs::read_to_string(path).unwrap(), REGISTRY);
    }

    #[test]
    fn labels_fit_the_type_and_the_length() {
        let shown = |kind, payload: &[u8], owner| label(kind, payload, owner).unwrap_or_default();
        assert_eq!(shown(-1, &[0; 4], None), "timestamp");
        assert_eq!(shown(0, &[0], None), "undefined; also buffer 0 (neovim)");
        assert_eq!(shown(0, &[0], Some("neovim")), "buffer 0 (neovim)");
        assert_eq!(shown(0, &[0], Some("msgpackr")), "undefined (msgpackr)");
        assert_eq!(shown(0, b"name", None), "perhaps symbol (rails)");
        assert!(shown(1, &[0xcd, 3, 0xe8], None).contains("window 1000 (neovim)"));
        assert!(!shown(1, &[0xcd, 3], None).contains("neovim"));
        // A time has at most 999,999,999 nanoseconds.
        assert_eq!(shown(0, &[0xff; 8], None), "");
        assert_eq!(shown(115, &[0], None), "set");
        assert_eq!(shown(116, &[4, 1, 0], None), "typed array of u16");
        assert_eq!(shown(116, &[99], None), "typed array");
        assert_eq!(shown(115, &[0, 1], None), "");
        assert!(shown(2, &[0x77; 16], None).contains("uuid"));
        assert!(!shown(2, &[0x77; 15], None).contains("uuid"));
    }
}
