//! The names of ext types, from `ext-registry.json` of the specification.

use std::collections::BTreeMap;
use std::sync::LazyLock;

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

/// Returns the label of an ext type: its name in the registry, then its other uses.
///
/// ```
/// assert_eq!(packord_cli::registry::label(85), Some("uuid"));
/// assert_eq!(packord_cli::registry::label(44), None);
/// ```
#[must_use]
pub fn label(kind: i8) -> Option<&'static str> {
    static LABELS: LazyLock<BTreeMap<i8, String>> = LazyLock::new(labels);
    LABELS.get(&kind).map(String::as_str)
}

fn labels() -> BTreeMap<i8, String> {
    // The file is part of the program, and a test parses it.
    let registry: Registry =
        serde_json::from_str(REGISTRY).unwrap_or(Registry { types: Vec::new() });
    let mut labels: BTreeMap<i8, (Vec<String>, Vec<String>)> = BTreeMap::new();
    for entry in registry.types {
        let (names, others) = labels.entry(entry.kind).or_default();
        if entry.status == "foreign" {
            others.push(format!("{} ({})", entry.name, entry.owner));
        } else {
            names.push(entry.name);
        }
    }
    let text =
        |(names, others): (Vec<String>, Vec<String>)| match (names.is_empty(), others.is_empty()) {
            (false, true) => names.join(", "),
            (false, false) => format!("{}; also {}", names.join(", "), others.join(", ")),
            (true, _) => format!("perhaps {}", others.join(", ")),
        };
    labels
        .into_iter()
        .map(|(kind, both)| (kind, text(both)))
        .collect()
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
    fn labels_name_the_shared_use_first() {
        assert_eq!(label(-1), Some("timestamp"));
        assert!(label(0).unwrap().starts_with("undefined; also "));
        assert!(label(1).unwrap().starts_with("perhaps "));
    }
}
