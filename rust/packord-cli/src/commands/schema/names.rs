//! Names of fields in code.

use std::collections::HashSet;

use crate::schema::Field;

/// Returns a name for each field, which no other has and which the language does not reserve.
pub fn identifiers(fields: &[Field], words: &[&str], style: fn(&str) -> String) -> Vec<String> {
    // A key that is a name keeps it, whatever comes before.
    let is_name = |key: &str| !words.contains(&key) && style(key) == key;
    let mut taken: HashSet<String> = fields
        .iter()
        .map(|field| field.key.clone())
        .filter(|key| is_name(key))
        .collect();
    let name = |field: &Field| {
        if is_name(&field.key) {
            return field.key.clone();
        }
        let mut name = style(&field.key);
        if words.contains(&&*name) {
            name.push('_');
        }
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let free = std::iter::once(name.clone())
            .chain(numbered)
            .find(|name| !taken.contains(name))
            .unwrap_or_default();
        taken.insert(free.clone());
        free
    };
    fields.iter().map(name).collect()
}

/// Returns whether a key is a name of these other letters, ASCII letters and, not at first, digits.
pub fn is_name(key: &str, others: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphabetic() || others.contains(letter);
    let is_later = |letter: char| is_letter(letter) || letter.is_ascii_digit();
    key.starts_with(is_letter) && key.chars().all(is_later)
}

/// Returns a string as a literal. The escapes of JSON are some of those of Python, TypeScript, Clojure and Java, but
/// for pairs of surrogates, which are not written.
pub fn literal(string: &str) -> String {
    serde_json::Value::from(string).to_string()
}

/// Returns literals with `separator` between them.
pub fn literals(strings: &[String], separator: &str) -> String {
    let literals: Vec<_> = strings.iter().map(|string| literal(string)).collect();
    literals.join(separator)
}

/// Returns a key in the form `user_address`, of ASCII letters and digits.
pub fn snake(key: &str) -> String {
    let mut name = String::new();
    let mut was_small = false;
    for letter in key.chars() {
        if letter.is_ascii_uppercase() && was_small {
            name.push('_');
        }
        was_small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        if letter.is_ascii_alphanumeric() {
            name.push(letter.to_ascii_lowercase());
        } else if !name.ends_with('_') {
            name.push('_');
        }
    }
    let name = name.trim_end_matches('_');
    if name.trim_matches('_').is_empty() || name.starts_with(|letter: char| letter.is_ascii_digit()) {
        return format!("field_{}", name.trim_matches('_'))
            .trim_end_matches('_')
            .to_owned();
    }
    name.to_owned()
}
