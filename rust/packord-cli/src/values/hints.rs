//! What is valid and could be better: wide encodings, wide floats, duplicate keys.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use packord::{Event, Role, Token};

/// What could be better, by kind of finding.
#[derive(Default)]
pub struct Hints {
    /// Keys that occur twice in their map.
    pub duplicate_keys: Finding,
    /// Values that are not in their smallest encoding.
    pub wide: Finding,
    /// Floats of 64 bits that 32 bits hold exactly.
    pub floats: Finding,
    /// The hashes of the keys of each open container.
    open: Vec<HashSet<u64>>,
    hasher: RandomState,
}

/// How often something was found, and what it costs.
#[derive(Clone, Copy, Default)]
pub struct Finding {
    /// How often.
    pub count: u64,
    /// The bytes that it costs.
    pub bytes: u64,
    /// The offset of the first occurrence.
    pub first: u64,
}

impl Finding {
    fn add(&mut self, offset: u64, bytes: u64) {
        if self.count == 0 {
            self.first = offset;
        }
        self.count += 1;
        self.bytes += bytes;
    }
}

impl Hints {
    /// Takes the next event.
    pub fn event(&mut self, event: &Event<'_>) {
        let more = excess(event);
        if more > 0 {
            self.wide.add(event.offset, more);
        }
        if let Token::F64(number) = event.token
            && f64::from(number as f32).to_bits() == number.to_bits()
        {
            self.floats.add(event.offset, 4);
        }
        if let Token::End(_) = event.token {
            self.open.pop();
            return;
        }
        if event.role == Role::Key && !event.token.opens() {
            let hash = match &event.token {
                Token::Str(text) => self.hasher.hash_one((0, text.as_bytes())),
                Token::Int(number) => self.hasher.hash_one((1, number.as_i128())),
                _ => self.hasher.hash_one((2, event.bytes)),
            };
            let is_new = self.open.last_mut().is_none_or(|keys| keys.insert(hash));
            if !is_new {
                self.duplicate_keys.add(event.offset, event.bytes.len() as u64);
            }
        }
        if event.token.opens() {
            self.open.push(HashSet::new());
        }
    }
}

/// Returns how many bytes longer the value is than its smallest encoding. A float has one encoding
/// for each width.
#[must_use]
pub fn excess(event: &Event<'_>) -> u64 {
    let smallest = match &event.token {
        Token::Int(number) => integer_len(number.as_i128()),
        Token::Str(text) => str_len(text.len()),
        Token::BrokenStr(bytes) => str_len(bytes.len()),
        Token::Bin(bytes) => bytes.len() + header_len(bytes.len(), 1),
        Token::Ext(_, payload) => payload.len() + ext_header_len(payload.len()),
        Token::Array(count) | Token::Map(count) => match count {
            0..16 => 1,
            16..=0xffff => 3,
            _ => 5,
        },
        // Timestamps, floats, nil, bools, records and ends have one encoding.
        _ => event.bytes.len(),
    };
    (event.bytes.len() - smallest.min(event.bytes.len())) as u64
}

fn integer_len(number: i128) -> usize {
    match number {
        -32..=127 => 1,
        -0x80..=0xff => 2,
        -0x8000..=0xffff => 3,
        -0x8000_0000..=0xffff_ffff => 5,
        _ => 9,
    }
}

fn str_len(len: usize) -> usize {
    len + if len < 32 { 1 } else { header_len(len, 1) }
}

/// The length of a header: `marker` bytes, and a length of one, two or four bytes.
fn header_len(len: usize, marker: usize) -> usize {
    marker
        + match len {
            0..=0xff => 1,
            0x100..=0xffff => 2,
            _ => 4,
        }
}

fn ext_header_len(len: usize) -> usize {
    match len {
        1 | 2 | 4 | 8 | 16 => 2,
        _ => header_len(len, 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packord::{Value, Walker};

    #[test]
    fn only_wide_encodings_have_excess_bytes() {
        let mut values: Vec<Value> = [0_i64, 31, 127, 128, 255, 256, 65535, 65536, 1 << 32]
            .into_iter()
            .flat_map(|number| [Value::from(number), Value::from(-number - 1)])
            .collect();
        for len in [0, 1, 2, 3, 15, 16, 31, 32, 255, 256, 65535, 65536] {
            values.push(Value::from("x".repeat(len)));
            values.push(Value::Bin(vec![0; len].into()));
            values.push(Value::Ext(packord::Ext::new(5, &vec![0; len])));
            values.push(Value::Array(vec![Value::Nil; len].into()));
        }
        for value in values {
            let bytes = packord::to_vec(&value).unwrap();
            let event = Walker::new(&bytes).next().unwrap().unwrap();
            assert_eq!(excess(&event), 0, "{:02x?}", &bytes[..bytes.len().min(8)]);
        }
        for (bytes, more) in [
            (&b"\xcc\x05"[..], 1),
            (b"\xd3\0\0\0\0\0\0\0\0", 8),
            (b"\xd9\x01x", 1),
            (b"\xc5\0\x01x", 1),
            (b"\xdc\0\0", 2),
            (b"\xc7\x01\x05x", 1),
        ] {
            let event = Walker::new(bytes).next().unwrap().unwrap();
            assert_eq!(excess(&event), more, "{bytes:02x?}");
        }
    }
}
