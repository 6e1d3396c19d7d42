//! Reading from iterators of bytes.

use super::state::{Failed, ReadState};
use super::{Reader, Unpackable};
use crate::error::Result;
use crate::wire::marker as m;
use alloc::vec::Vec;

/// Takes one value after the other from the iterator until they make a `T`: a single one, except
/// for headerless types.
pub(crate) fn unpack<T: Unpackable>(bytes: impl Iterator<Item = u8>) -> Result<(usize, T)> {
    unpack_by(bytes, |reader| T::unpack_from(reader))
}

/// The same, read by a function.
pub(crate) fn unpack_by<T>(
    mut bytes: impl Iterator<Item = u8>,
    read: impl Fn(&mut Reader<'_>) -> core::result::Result<T, Failed>,
) -> Result<(usize, T)> {
    let mut taken = Vec::new();
    loop {
        let mut reader = Reader::new(&taken, ReadState::new(taken.len()));
        match read(&mut reader) {
            Ok(value) => return Ok((reader.position(), value)),
            Err(failed) => {
                let error = reader.error(failed);
                let waits = reader.state.faults.is_eof();
                if !(waits && take_value(&mut bytes, &mut taken)) {
                    return Err(error_at_end(error, &taken, waits));
                }
            }
        }
    }
}

/// The fault of what was taken last, not that of the attempt before.
fn error_at_end(error: crate::Error, taken: &[u8], eof: bool) -> crate::Error {
    if !eof {
        return error;
    }
    let at_end = crate::Error::at(error.kind(), taken.len() as u64);
    match error.path() {
        Some(path) => at_end.with_path(path),
        None => at_end,
    }
}

/// Takes the bytes of one value, or what there is of it: `false` if there is nothing more.
fn take_value(bytes: &mut impl Iterator<Item = u8>, taken: &mut Vec<u8>) -> bool {
    let mut pending = 1_u64;
    let before = taken.len();
    while pending > 0 {
        let Some(marker) = bytes.next() else {
            return taken.len() > before;
        };
        taken.push(marker);
        pending -= 1;
        let (length, tail) = match marker {
            m::STR8 | m::BIN8 => (1, 0),
            m::STR16 | m::BIN16 | m::ARRAY16 | m::MAP16 => (2, 0),
            m::STR32 | m::BIN32 | m::ARRAY32 | m::MAP32 => (4, 0),
            m::EXT8 => (1, 1),
            m::EXT16 => (2, 1),
            m::EXT32 => (4, 1),
            _ => (0, 0),
        };
        let begin = taken.len();
        taken.extend(bytes.by_ref().take(length));
        let length = taken[begin..]
            .iter()
            .fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        let payload = match marker {
            m::FIXARRAY..=0x9f => {
                pending += u64::from(marker & 0x0f);
                0
            }
            m::FIXMAP..=0x8f => {
                pending += 2 * u64::from(marker & 0x0f);
                0
            }
            m::ARRAY16 | m::ARRAY32 => {
                pending += length;
                0
            }
            m::MAP16 | m::MAP32 => {
                pending += 2 * length;
                0
            }
            m::FIXSTR..=0xbf => u64::from(marker & 0x1f),
            m::UINT8..=m::UINT64 => 1 << (marker - m::UINT8),
            m::INT8..=m::INT64 => 1 << (marker - m::INT8),
            m::FLOAT32 => 4,
            m::FLOAT64 => 8,
            m::FIXEXT1..=m::FIXEXT16 => 1 + (1 << (marker - m::FIXEXT1)),
            _ => length + tail,
        };
        taken.extend(
            bytes
                .by_ref()
                .take(usize::try_from(payload).unwrap_or(usize::MAX)),
        );
    }
    true
}
