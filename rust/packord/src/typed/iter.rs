//! Reading from iterators of bytes.

use super::Reader;
use super::state::{Failed, ReadState};
use crate::error::Result;
use crate::wire::header::Header;
use alloc::vec::Vec;

/// Takes values from the iterator until they make what the function reads: a single value, except for
/// headerless types.
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
                if waits && take_value(&mut bytes, &mut taken) {
                    continue;
                }
                if !waits {
                    return Err(error);
                }
                // The fault of the last attempt, not of the one before.
                let at_end = crate::Error::at(error.kind(), taken.len() as u64);
                return Err(match error.path() {
                    Some(path) => at_end.with_path(path),
                    None => at_end,
                });
            }
        }
    }
}

/// Takes the bytes of one value, or those that are left of it. Returns `false` if none are left.
fn take_value(bytes: &mut impl Iterator<Item = u8>, taken: &mut Vec<u8>) -> bool {
    let mut pending = 1_u64;
    let before = taken.len();
    while pending > 0 {
        let Some(marker) = bytes.next() else {
            return taken.len() > before;
        };
        taken.push(marker);
        pending -= 1;
        let header = Header::of(marker);
        let begin = taken.len();
        taken.extend(bytes.by_ref().take(usize::from(header.length)));
        let length = taken[begin..].iter();
        let length = length.fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        let count = length + u64::from(header.fixed);
        if header.values > 0 {
            pending += u64::from(header.values) * count;
            continue;
        }
        let payload = usize::try_from(u64::from(header.ext) + count).unwrap_or(usize::MAX);
        taken.extend(bytes.by_ref().take(payload));
    }
    true
}
