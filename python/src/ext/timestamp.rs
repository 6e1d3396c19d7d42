//! Timestamps, ext −1, and the calendar.

/// Writes the payload in the smallest of the three formats; the result is its length.
pub fn pack(seconds: i64, nanoseconds: u32, payload: &mut [u8; 12]) -> usize {
    if nanoseconds == 0 && (0..1 << 32).contains(&seconds) {
        payload[..4].copy_from_slice(&(seconds as u32).to_be_bytes());
        4
    } else if (0..1 << 34).contains(&seconds) {
        let both = u64::from(nanoseconds) << 34 | seconds as u64;
        payload[..8].copy_from_slice(&both.to_be_bytes());
        8
    } else {
        payload[..4].copy_from_slice(&nanoseconds.to_be_bytes());
        payload[4..].copy_from_slice(&seconds.to_be_bytes());
        12
    }
}

/// Seconds and nanoseconds; `None` for a wrong length or too many nanoseconds.
pub fn unpack(payload: &[u8]) -> Option<(i64, u32)> {
    let (seconds, nanoseconds) = match *payload {
        [a, b, c, d] => (i64::from(u32::from_be_bytes([a, b, c, d])), 0),
        [a, b, c, d, e, f, g, h] => {
            let both = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
            ((both & ((1 << 34) - 1)) as i64, (both >> 34) as u32)
        }
        [a, b, c, d, ref seconds @ ..] => (
            i64::from_be_bytes(seconds.try_into().ok()?),
            u32::from_be_bytes([a, b, c, d]),
        ),
        _ => return None,
    };
    (nanoseconds < 1_000_000_000).then_some((seconds, nanoseconds))
}

/// Days since 1970-01-01 of a date of the proleptic Gregorian calendar.
///
/// The years are counted from March, so that the leap day is a year's last.
pub fn days(year: u16, month: u32, day: u32) -> i64 {
    // An era more, so that nothing is negative; the divisions are then multiplications.
    let year = year as u32 + 400 - u32::from(month <= 2);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = year * 365 + year / 4 - year / 100 + year / 400 + day_of_year;
    i64::from(days) - 719_468 - 146_097
}

/// Year, month and day; `None` when the year is not 0 to 9999.
pub fn civil(days: i64) -> Option<(u16, u8, u8)> {
    let days = days.checked_add(719_468)?;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (0..=9999)
        .contains(&year)
        .then_some((year as u16, month as u8, day as u8))
}
