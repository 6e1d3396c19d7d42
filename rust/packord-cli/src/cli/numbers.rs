//! Numbers and characters on the command line, and the options of an empty one.

use clap::{Args, Command};

/// Returns the options of an empty command line.
pub(super) fn defaults<A: Args>() -> A {
    let none = A::augment_args(Command::new("packord")).get_matches_from(["packord"]);
    A::from_arg_matches(&none).unwrap_or_else(|error| error.exit())
}

/// Parses `a..b`, where either end may be missing.
pub(super) fn range(text: &str) -> Result<(u64, u64), String> {
    let (from, to) = text.split_once("..").ok_or("expected A..B")?;
    let number = |digits: &str, missing: u64| match digits {
        "" => Ok(missing),
        digits => offset(digits),
    };
    let (from, to) = (number(from, 0)?, number(to, u64::MAX)?);
    if from < to {
        Ok((from, to))
    } else {
        Err("the range is empty".to_owned())
    }
}

/// Parses a number in decimal or hexadecimal.
pub(crate) fn offset(digits: &str) -> Result<u64, String> {
    match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => digits.parse(),
    }
    .map_err(|error| error.to_string())
}

/// Parses the character between the cells of CSV.
pub(super) fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" => Ok(b'\t'),
        [byte] if byte.is_ascii() => Ok(*byte),
        _ => Err("expected one ASCII character, or tab".to_owned()),
    }
}

/// Parses a number of bytes, with `k`, `m` or `g` for powers of 1000.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let lower = text.to_ascii_lowercase();
    let (digits, factor) = [('k', 1000), ('m', 1_000_000), ('g', 1_000_000_000)]
        .into_iter()
        .find_map(|(unit, factor)| Some((lower.strip_suffix(unit)?, factor)))
        .unwrap_or((&lower, 1));
    let number: u64 = digits
        .parse()
        .map_err(|error: std::num::ParseIntError| error.to_string())?;
    number
        .checked_mul(factor)
        .ok_or_else(|| "number too large to fit in 64 bits".to_owned())
}
