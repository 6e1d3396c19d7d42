//! Converts the text of strings, numbers and words to MessagePack.

use num_bigint::BigInt;
use packord::encode::Packer;
use packord::{EncodeOptions, Ext, Integer, Value};

use super::conventions::BIGINT;
use crate::limits::BIGINT_DIGITS;

/// What is wrong.
#[derive(Debug, PartialEq, Eq)]
pub enum JsonFaultKind {
    /// The text ends before the value does.
    Cut,
    /// It is not JSON.
    Malformed(&'static str),
    /// It is JSON, and what it says is refused: what, before the place.
    Refused(String),
}

use JsonFaultKind::{Cut, Malformed, Refused};

/// A place in the text, or the place of a fault.
pub type Parsed<T = usize> = Result<T, (usize, JsonFaultKind)>;

/// Returns the byte at a place.
pub fn byte_at(text: &[u8], at: usize) -> Parsed<u8> {
    text.get(at).copied().ok_or((text.len(), Cut))
}

/// Returns the place after white space.
pub fn skip_blanks(text: &[u8], at: usize) -> usize {
    let blanks = text[at.min(text.len())..].iter();
    at + blanks
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
        .count()
}

/// Writes with a packer, and returns `end`.
fn put(end: usize, out: &mut Vec<u8>, write: impl FnOnce(&mut Packer<&mut Vec<u8>>) -> packord::Result<()>) -> Parsed {
    match write(&mut Packer::new(out)) {
        Ok(()) => Ok(end),
        Err(error) => Err((end, Refused(error.to_string()))),
    }
}

/// Packs a value, and returns `end`.
pub fn pack(value: &Value, end: usize, out: &mut Vec<u8>) -> Parsed {
    match EncodeOptions::new().encode_into(value, out) {
        Ok(()) => Ok(end),
        Err(error) => Err((end, Refused(error.to_string()))),
    }
}

/// Converts a string that begins with the quote at a place. `plain` is a buffer for what has escapes.
pub fn string(text: &[u8], at: usize, plain: &mut String, out: &mut Vec<u8>) -> Parsed {
    let start = at + 1;
    let mut end = start + plain_len(&text[start..]);
    let utf8 = |from: usize, to: usize| {
        let valid = std::str::from_utf8(&text[from..to]);
        valid.map_err(|error| (from + error.valid_up_to(), Malformed("invalid UTF-8 data")))
    };
    if byte_at(text, end)? == b'"' {
        let found = utf8(start, end)?;
        return put(end + 1, out, |packer| packer.str(found));
    }
    plain.clear();
    let mut from = start;
    loop {
        // At the end of a piece the last character may be cut.
        let next = byte_at(text, end)?;
        plain.push_str(utf8(from, end)?);
        match next {
            b'"' => break,
            b'\\' => end = escape(text, end, plain)?,
            _ => return Err((end, Malformed("control character in a string"))),
        }
        from = end;
        end += plain_len(&text[end..]);
    }
    put(end + 1, out, |packer| packer.str(plain))
}

/// Converts a number. Integers stay exact; with a point or an exponent, and for -0, it is a float.
pub fn number(text: &[u8], at: usize, bigint: bool, out: &mut Vec<u8>) -> Parsed {
    let digits = |at: usize| {
        let digits = text[at..].iter().take_while(|byte| byte.is_ascii_digit());
        at + digits.count()
    };
    let malformed = |at: usize| match text.get(at) {
        None => (at, Cut),
        Some(_) => (at, Malformed("malformed number")),
    };
    let start = at + usize::from(text[at] == b'-');
    let mut end = digits(start);
    let (is_zero, len) = (text.get(start) == Some(&b'0'), end - start);
    if len == 0 || (is_zero && len > 1) {
        return Err(malformed(start + len.min(1)));
    }
    let mut is_float = is_zero && start > at;
    if text.get(end) == Some(&b'.') {
        let fraction = end + 1;
        (is_float, end) = (true, digits(fraction));
        if end == fraction {
            return Err(malformed(end));
        }
    }
    if let Some(b'e' | b'E') = text.get(end) {
        let sign = text.get(end + 1).is_some_and(|sign| b"+-".contains(sign));
        let exponent = end + 1 + usize::from(sign);
        (is_float, end) = (true, digits(exponent));
        if end == exponent {
            return Err(malformed(end));
        }
    }
    if text
        .get(end)
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || b".+-".contains(byte))
    {
        return Err(malformed(end));
    }
    // These bytes are ASCII.
    let number = std::str::from_utf8(&text[at..end]).unwrap_or_default();
    if is_float {
        let float: f64 = number.parse().unwrap_or(f64::INFINITY);
        if float.is_infinite() {
            let text = format!("number {number} is too large for a float");
            return Err((end, Refused(text)));
        }
        return put(end, out, |packer| packer.f64(float));
    }
    if let Ok(number) = number.parse::<i64>() {
        return put(end, out, |packer| packer.int(Integer::from(number)));
    }
    if let Ok(number) = number.parse::<u64>() {
        return put(end, out, |packer| packer.int(Integer::from(number)));
    }
    let shown = &number[..number.len().min(40)];
    let refused = |text: String| Err((end, Refused(text)));
    if !bigint {
        return refused(format!("integer {shown} does not fit in 64 bits (--bigint keeps it)"));
    }
    if number.len() > BIGINT_DIGITS {
        return refused(format!("integer {shown}… has more than {BIGINT_DIGITS} digits"));
    }
    let number: BigInt = number.parse().unwrap_or_default();
    let number = Value::Ext(Ext::new(BIGINT, &number.to_signed_bytes_be()));
    pack(&number, end, out)
}

/// Returns the number of bytes before a quote, a backslash or a control character.
fn plain_len(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGHS: u64 = ONES << 7;
    let mut words = bytes.chunks_exact(8);
    let mut len = 0;
    for word in &mut words {
        let word = u64::from_le_bytes(word.try_into().unwrap_or_default());
        // The lowest high bit that is set is right, those above may be wrong.
        let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word & HIGHS;
        let quote = below(word ^ (ONES * u64::from(b'"')), 1);
        let backslash = below(word ^ (ONES * u64::from(b'\\')), 1);
        let found = quote | backslash | below(word, 0x20);
        if found != 0 {
            return len + found.trailing_zeros() as usize / 8;
        }
        len += 8;
    }
    let is_plain = |byte: &&u8| !matches!(byte, b'"' | b'\\' | ..0x20);
    len + words.remainder().iter().take_while(is_plain).count()
}

/// Adds what the escape at a place stands for, and returns the place after it.
fn escape(text: &[u8], at: usize, to: &mut String) -> Parsed {
    let letter = match byte_at(text, at + 1)? {
        letter @ (b'"' | b'\\' | b'/') => char::from(letter),
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode(text, at, to),
        _ => return Err((at, Malformed("unknown escape"))),
    };
    to.push(letter);
    Ok(at + 2)
}

/// Adds the character of `\u` and four digits, or of two of them.
fn unicode(text: &[u8], at: usize, to: &mut String) -> Parsed {
    let unit = |from: usize| -> Parsed<u32> {
        let Some(digits) = text.get(from..from + 4) else {
            return Err((text.len(), Cut));
        };
        let digits = std::str::from_utf8(digits)
            .ok()
            .filter(|digits| !digits.starts_with('+'));
        let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        unit.ok_or((at, Malformed("malformed escape")))
    };
    let lone = (at, Malformed("half of a surrogate pair"));
    let first = unit(at + 2)?;
    let (code, end) = if (0xd800..0xdc00).contains(&first) {
        if byte_at(text, at + 6)? != b'\\' || byte_at(text, at + 7)? != b'u' {
            return Err(lone);
        }
        let second = unit(at + 8)?;
        let low = second.checked_sub(0xdc00).filter(|low| *low < 0x400);
        let Some(low) = low else { return Err(lone) };
        (0x10000 + ((first - 0xd800) << 10) + low, at + 12)
    } else {
        (first, at + 6)
    };
    to.push(char::from_u32(code).ok_or(lone)?);
    Ok(end)
}

/// Converts `null`, `true` or `false`.
pub fn literal(text: &[u8], at: usize, out: &mut Vec<u8>) -> Parsed {
    let letters = text[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric());
    let end = at + letters.count();
    match &text[at..end] {
        b"null" => pack(&Value::Nil, end, out),
        b"true" => put(end, out, |packer| packer.bool(true)),
        b"false" => put(end, out, |packer| packer.bool(false)),
        part if end == text.len()
            && [&b"null"[..], b"true", b"false"]
                .iter()
                .any(|word| word.starts_with(part)) =>
        {
            Err((end, Cut))
        }
        [] => Err((
            at,
            Malformed(match text[at] {
                b']' | b'}' => "unexpected closing bracket",
                b',' => "unexpected comma",
                b':' => "unexpected colon",
                _ => "expected a value",
            }),
        )),
        _ => Err((at, Malformed("invalid literal"))),
    }
}
