//! Numbers with their units, as people write them.

/// Formats a number of bytes: `12.3 kB`, with powers of 1000.
#[must_use]
pub fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} B"),
        1_000..1_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.2} MB", count as f64 / 1e6),
        _ => format!("{:.2} GB", count as f64 / 1e9),
    }
}

/// Formats a duration: `1.23 ms`.
#[must_use]
pub fn duration(nanoseconds: f64) -> String {
    match nanoseconds {
        ..1e3 => format!("{nanoseconds:.0} ns"),
        ..1e6 => format!("{:.1} µs", nanoseconds / 1e3),
        ..1e9 => format!("{:.2} ms", nanoseconds / 1e6),
        _ => format!("{:.2} s", nanoseconds / 1e9),
    }
}

/// Returns `message` for 1, `messages` for any other number.
#[must_use]
pub fn plural(count: u64, noun: &str) -> String {
    format!("{noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns `1 message`, `3 messages`.
#[must_use]
pub fn counted(count: u64, noun: &str) -> String {
    format!("{count} {}", plural(count, noun))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_durations_have_three_or_four_digits() {
        assert_eq!(
            [bytes(999), bytes(1500), bytes(2_000_000)],
            ["999 B", "1.5 kB", "2.00 MB"]
        );
        assert_eq!(
            [duration(999.0), duration(1500.0), duration(2e6)],
            ["999 ns", "1.5 µs", "2.00 ms"]
        );
    }
    #[test]
    fn only_one_has_no_plural_s() {
        assert_eq!(
            [counted(0, "byte"), counted(1, "byte"), counted(2, "byte")],
            ["0 bytes", "1 byte", "2 bytes"]
        );
    }
}
