//! The sizes that a file or stream of Arrow announces, compared with what it has before its library takes
//! memory for them.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use arrow_ipc::{Message, RecordBatch, root_as_footer, root_as_message};

/// The bytes around the footer: its length and the name of the format.
const TRAILER: u64 = 10;
/// What a compressed buffer may stand for: for each byte, and always.
const EXPANSION: u64 = 4096;
const ALWAYS: u64 = 1 << 20;

/// Checks a file.
pub fn check_file(file: &mut File) -> io::Result<()> {
    let end = file.seek(SeekFrom::End(0))?;
    let trailer = read_at(file, end, end.checked_sub(TRAILER).ok_or_else(damaged)?, TRAILER)?;
    let len = trailer.first_chunk().map_or(-1, |len| i32::from_le_bytes(*len));
    let len = u64::try_from(len).map_err(|_| damaged())?;
    let begin = (end - TRAILER).checked_sub(len).ok_or_else(damaged)?;
    let footer = read_at(file, end, begin, len)?;
    let footer = root_as_footer(&footer).map_err(|_| damaged())?;
    let blocks = [footer.dictionaries(), footer.recordBatches()];
    for block in blocks.into_iter().flatten().flat_map(|blocks| blocks.iter()) {
        let meta = u64::try_from(block.metaDataLength()).map_err(|_| damaged())?;
        let body = u64::try_from(block.bodyLength()).map_err(|_| damaged())?;
        let offset = u64::try_from(block.offset()).map_err(|_| damaged())?;
        let bytes = read_at(file, end, offset, meta)?;
        // Newer files have ff ff ff ff before the length of the message.
        let skip = if bytes.starts_with(&[0xff; 4]) { 8 } else { 4 };
        let message = bytes.get(skip..).ok_or_else(damaged)?;
        let message = root_as_message(message).map_err(|_| damaged())?;
        check_message(file, &message, end, offset.saturating_add(meta), body)?;
    }
    file.rewind()
}

/// Checks a stream, up to the end that it has or the first message that is cut.
pub fn check_stream(file: &mut File) -> io::Result<()> {
    let end = file.seek(SeekFrom::End(0))?;
    let mut at = 0;
    while at < end {
        let mut len = read_at(file, end, at, 4)?;
        at += 4;
        if len == [0xff; 4] {
            len = read_at(file, end, at, 4)?;
            at += 4;
        }
        let len = len.first_chunk().map_or(-1, |len| i32::from_le_bytes(*len));
        let len = u64::try_from(len).map_err(|_| damaged())?;
        if len == 0 {
            break;
        }
        let bytes = read_at(file, end, at, len)?;
        at += len;
        let message = root_as_message(&bytes).map_err(|_| damaged())?;
        let body = u64::try_from(message.bodyLength()).map_err(|_| damaged())?;
        check_message(file, &message, end, at, body)?;
        at += body;
    }
    file.rewind()
}

/// Checks that the file has the body of a message, and what its compressed buffers stand for.
fn check_message(file: &mut File, message: &Message<'_>, end: u64, begin: u64, body: u64) -> io::Result<()> {
    let after = begin.checked_add(body).filter(|&after| after <= end);
    let after = after.ok_or_else(damaged)?;
    let announced = u64::try_from(message.bodyLength()).map_err(|_| damaged())?;
    if announced > body {
        return Err(damaged());
    }
    let dictionary = message.header_as_dictionary_batch();
    let batch: Option<RecordBatch<'_>> = message.header_as_record_batch().or_else(|| dictionary?.data());
    let Some(batch) = batch.filter(|batch| batch.compression().is_some()) else {
        return Ok(());
    };
    for buffer in batch.buffers().iter().flatten() {
        let len = u64::try_from(buffer.length()).map_err(|_| damaged())?;
        let offset = u64::try_from(buffer.offset()).map_err(|_| damaged())?;
        if len == 0 {
            continue;
        }
        let expanded = read_at(file, after, begin.saturating_add(offset), 8)?;
        let expanded = expanded.first_chunk().map_or(-1, |len| i64::from_le_bytes(*len));
        // -1 stands for a buffer that is not compressed.
        let expanded = u64::try_from(expanded.max(0)).unwrap_or_default();
        if expanded > len.saturating_mul(EXPANSION).saturating_add(ALWAYS) {
            return Err(damaged());
        }
    }
    Ok(())
}

/// Reads bytes that must be before `end`.
fn read_at(file: &mut File, end: u64, at: u64, len: u64) -> io::Result<Vec<u8>> {
    if at.checked_add(len).is_none_or(|after| after > end) {
        return Err(damaged());
    }
    let mut bytes = vec![0; usize::try_from(len).map_err(|_| damaged())?];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn damaged() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "the file is cut or damaged, or is not one of Arrow",
    )
}
