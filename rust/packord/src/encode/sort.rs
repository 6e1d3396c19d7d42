//! The order of keys in the canonical encoding (`spec/format.md` section 4.2).

use crate::error::{Error, ErrorKind, Result};
use crate::value::Entry;
use crate::wire::Buffer;
use crate::wire::canonical::compare_canonical;
use alloc::vec::Vec;

/// Sorts entries whose keys are all str.
pub(super) fn by_text<S, B>(entries: &mut Vec<Entry<'_, S, B>>, last_wins: bool) -> Result<()>
where
    S: AsRef<str>,
    B: AsRef<[u8]>,
{
    entries.sort_by_key(|(key, _)| key.as_str());
    keep_last(entries, last_wins, |a, b| a.0.as_str() == b.0.as_str())
}

/// Sorts entries that were written in the order of the map, and writes the header before them.
/// `begins` has the indexes of all keys and values, and of the end.
pub(super) fn by_bytes<W: Buffer>(out: &mut W, begins: &[usize], last_wins: bool) -> Result<()> {
    let (Some(&begin), Some(&end)) = (begins.first(), begins.last()) else {
        return Ok(());
    };
    let written = out.output()[begin..end].to_vec();
    let mut entries: Vec<(&[u8], &[u8])> = begins[..begins.len() - 1]
        .chunks_exact(2)
        .zip(begins[1..].chunks_exact(2))
        .map(|(from, to)| {
            (
                &written[from[0] - begin..to[0] - begin],
                &written[from[1] - begin..to[1] - begin],
            )
        })
        .collect();
    entries.sort_by(|a, b| compare_canonical(a.0, b.0));
    keep_last(&mut entries, last_wins, |a, b| a.0 == b.0)?;
    out.truncate(begin);
    out.put_map(entries.len())?;
    for (key, value) in entries {
        out.put_with([], key)?;
        out.put_with([], value)?;
    }
    Ok(())
}

/// Keeps the last of entries with the same key, which are neighbours, or reports them.
fn keep_last<T>(entries: &mut Vec<T>, last_wins: bool, same: impl Fn(&T, &T) -> bool) -> Result<()> {
    if !entries.windows(2).any(|pair| same(&pair[0], &pair[1])) {
        return Ok(());
    }
    if !last_wins {
        return Err(Error::new(ErrorKind::DuplicateKey));
    }
    // `dedup_by` keeps the first of the neighbours, so the order is reversed.
    entries.reverse();
    entries.dedup_by(|a, b| same(a, b));
    entries.reverse();
    Ok(())
}
