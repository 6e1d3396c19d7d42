//! [`ByOption`]: what only options need. A [`Config`](super::Config) has it from its first option of this kind on, so that a
//! program without any links neither the checked reader nor records nor the other forms of writing.

use crate::encode::EncodeOptions;
use crate::error::Result;
use crate::options::{DecodeOptions, Rules};
use crate::read::{Fault, Passing, Pull, RecordState, ValueDecoder};
use crate::walk::{Counted, Token, TokenSink, Walker, path_of_message, root_path};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

type PassRest = fn(&mut Passing, &[u8], usize, &mut ValueDecoder, &Rules) -> Result<usize, Fault>;

/// Reading with all checks, and writing in another form than the plain one.
pub(super) struct ByOption {
    /// Returns what is known of records before the message.
    pub records: fn(&DecodeOptions) -> Option<Box<RecordState>>,
    /// Reads a value; of a container only the header.
    pub token: for<'a> fn(&mut ValueDecoder, &'a [u8], &Rules) -> Result<Token<'a>, Fault>,
    pub leave: fn(&mut ValueDecoder, &Rules),
    pub key_begins: fn(&mut ValueDecoder, &Rules),
    pub key_ends: fn(&mut ValueDecoder, &[u8], &Rules) -> Result<(), Fault>,
    /// Passes over a value.
    pub skip: fn(&mut ValueDecoder, &[u8], &Rules) -> Result<(), Fault>,
    /// Passes over the rest of a message at fault.
    pub pass: PassRest,
    /// Returns the path of an offset in the message that begins at an index, at the end of those that were counted or
    /// after it.
    pub path: fn(&[u8], usize, u64, &DecodeOptions, &mut Counted) -> String,
    /// Writes a plain value as the options say.
    pub rewrite: fn(&EncodeOptions, &[u8], &mut Vec<u8>) -> Result<()>,
}

pub(super) static BY_OPTION: ByOption = ByOption {
    records: DecodeOptions::record_state,
    token: |decoder, input, rules| decoder.value::<true, _>(input, rules, &mut TokenSink),
    leave: ValueDecoder::leave::<true>,
    key_begins: ValueDecoder::key_begins::<true>,
    key_ends: ValueDecoder::key_ends::<true>,
    skip: |decoder, input, rules| Pull::within(decoder, rules).finish(input, rules),
    pass: Passing::take::<true>,
    path,
    rewrite,
};

/// The messages before may be at fault. They are passed over, for their number and their records.
fn path(input: &[u8], start: usize, offset: u64, options: &DecodeOptions, counted: &mut Counted) -> String {
    let rules = options.rules();
    let mut decoder = ValueDecoder::new(counted.records.take().or_else(|| options.record_state()));
    decoder.begin(counted.end);
    while decoder.pos < start {
        let mut passing = Passing::new(&decoder, 0);
        let end = passing.take::<true>(input, decoder.pos, &mut decoder, &rules);
        // A type may have left a message within it, so that what seems to be one is cut.
        decoder.begin(end.ok().filter(|_| passing.is_done()).unwrap_or(start));
        counted.number += 1;
    }
    counted.end = start;
    counted.records.clone_from(&decoder.records);
    let message = &input[start..];
    let mut walker = Walker::resume(message, start as u64, counted.number, rules, decoder.records);
    let path = path_of_message(&mut walker, message, start as u64, offset);
    path.unwrap_or_else(|| root_path(counted.number))
}

/// Writing records, columns and the canonical form needs a whole container before its first byte is written, but serde
/// passes it piece by piece. So the plain bytes are written first, and read again.
fn rewrite(options: &EncodeOptions, plain: &[u8], out: &mut Vec<u8>) -> Result<()> {
    if options.has_columns() && !options.rewrites() {
        let mut records = options.records.then(|| options.own_ids());
        if options.put_columns(plain, records.as_mut(), out)? {
            return Ok(());
        }
    }
    let tree = DecodeOptions::new().max_depth(u32::MAX).decode_ref(plain)?;
    options.write(&tree, out)
}

/// Without the addresses of functions, which differ from run to run.
impl fmt::Debug for ByOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ByOption")
    }
}
