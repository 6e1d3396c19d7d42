//! Decoding into a tree.

use super::check_depth;
use super::hook::OrMalformed;
use super::rules::{Rules, Utf8};
use super::{ColumnsExt, FastDecoder, Fault, RecordState, ValueDecoder, ValueSink, makes};
use crate::error::ErrorKind;
use crate::ext::{BIGINT, Timestamp, bigint_value, shorten};
use crate::record::RecordHead;
use crate::value::raw::grow::{GrowStep, Grower, NewContainer, OpenNodes};
use crate::value::{Ext, Integer, Tree, Value};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use core::marker::PhantomData;

/// Keeps strings and bytes of the input in a tree, owned or borrowed.
pub(crate) trait Keep<'a>: Clone {
    type Bytes: Clone;
    fn text(text: &'a str) -> Self;
    fn bytes(bytes: &'a [u8]) -> Self::Bytes;
    /// Returns a string that is not part of the input, or `None` if strings are borrowed: then it is not made.
    fn copied_text<'t>(text: impl FnOnce() -> Cow<'t, str>) -> Option<Self>;
    #[cfg(feature = "serde")]
    fn copied_bytes(bytes: &[u8]) -> Option<Self::Bytes>;
    /// Returns an ext with the end of a payload, or `None` if it cannot be borrowed.
    fn shortened(kind: i8, payload: &'a [u8]) -> Option<Ext<Self::Bytes>>;
    fn columns(columns: &ColumnsExt<'a>, rules: &Rules) -> OrMalformed<Kept<'a, Self>>;
}

impl<'a> Keep<'a> for Box<str> {
    type Bytes = Box<[u8]>;
    #[inline(always)]
    fn text(text: &'a str) -> Box<str> {
        text.into()
    }
    #[inline(always)]
    fn bytes(bytes: &'a [u8]) -> Box<[u8]> {
        bytes.into()
    }
    fn copied_text<'t>(text: impl FnOnce() -> Cow<'t, str>) -> Option<Box<str>> {
        Some(text().into())
    }
    #[cfg(feature = "serde")]
    fn copied_bytes(bytes: &[u8]) -> Option<Box<[u8]>> {
        Some(bytes.into())
    }
    fn shortened(kind: i8, payload: &'a [u8]) -> Option<Ext<Box<[u8]>>> {
        Some(Ext::new(kind, payload))
    }
    fn columns(columns: &ColumnsExt<'a>, rules: &Rules) -> OrMalformed<Value> {
        (columns.reader.owned)(columns, rules)
    }
}

impl<'a: 's, 's> Keep<'a> for &'s str {
    type Bytes = &'s [u8];
    #[inline(always)]
    fn text(text: &'a str) -> &'s str {
        text
    }
    #[inline(always)]
    fn bytes(bytes: &'a [u8]) -> &'s [u8] {
        bytes
    }
    fn copied_text<'t>(_: impl FnOnce() -> Cow<'t, str>) -> Option<&'s str> {
        None
    }
    #[cfg(feature = "serde")]
    fn copied_bytes(_: &[u8]) -> Option<&'s [u8]> {
        None
    }
    fn shortened(_: i8, _: &'a [u8]) -> Option<Ext<&'s [u8]>> {
        None
    }
    fn columns(columns: &ColumnsExt<'a>, rules: &Rules) -> OrMalformed<Kept<'a, Self>> {
        (columns.reader.borrowed)(columns, rules)
    }
}

/// A tree with strings of type `S`.
type Kept<'a, S> = Tree<S, <S as Keep<'a>>::Bytes>;

/// A value, or the start of a container.
pub(crate) enum TreePart<'a, S: Keep<'a>> {
    Leaf(Tree<S, S::Bytes>),
    /// A container with its number of elements, entries or fields.
    Open(NewContainer, usize),
    /// A string that cannot be borrowed.
    Unkept(&'a [u8]),
}

/// Makes a tree's values, and the starts of its containers.
pub(crate) struct TreeSink<S> {
    utf8: Utf8,
    pub bigint: bool,
    keep: PhantomData<S>,
}

impl<'a, S: Keep<'a>> TreeSink<S> {
    pub fn new(rules: &Rules) -> Self {
        TreeSink {
            utf8: rules.utf8,
            bigint: rules.bigint,
            keep: PhantomData,
        }
    }
}

/// Returns a bigint as an integer if one can hold it, otherwise as the shortest ext.
#[cold]
fn kept_bigint<'a, S: Keep<'a>>(tagged: &'a [u8]) -> Kept<'a, S> {
    let payload = &tagged[1..];
    if let Some(number) = bigint_value(payload).and_then(|number| Integer::try_from(number).ok()) {
        return Tree::Int(number);
    }
    Tree::Ext(S::shortened(BIGINT, shorten(payload)).unwrap_or_else(|| Ext::trusted(S::bytes(tagged))))
}

impl<'a, S: Keep<'a>> ValueSink<'a> for TreeSink<S> {
    type Out = TreePart<'a, S>;

    makes! {
        nil() => TreePart::Leaf(Tree::Nil);
        bool(value: bool) => TreePart::Leaf(Tree::Bool(value));
        int(value: Integer) => TreePart::Leaf(Tree::Int(value));
        f32(bits: u32) => TreePart::Leaf(Tree::F32(f32::from_bits(bits)));
        f64(bits: u64) => TreePart::Leaf(Tree::F64(f64::from_bits(bits)));
        str(text: &'a str) => TreePart::Leaf(Tree::Str(S::text(text)));
        bin(bytes: &'a [u8]) => TreePart::Leaf(Tree::Bin(S::bytes(bytes)));
        timestamp(at: Timestamp) => TreePart::Leaf(Tree::Timestamp(at));
        array(count: usize) => TreePart::Open(NewContainer::Array, count);
        map(count: usize) => TreePart::Open(NewContainer::Map, count);
    }
    #[cold]
    fn broken_str(&mut self, bytes: &'a [u8]) -> Self::Out {
        if self.utf8 == Utf8::Raw {
            return self.bin(bytes);
        }
        match S::copied_text(|| String::from_utf8_lossy(bytes)) {
            Some(text) => TreePart::Leaf(Tree::Str(text)),
            None => TreePart::Unkept(bytes),
        }
    }
    #[inline(always)]
    fn ext(&mut self, tagged: &'a [u8]) -> Self::Out {
        TreePart::Leaf(if self.bigint && tagged[0] == BIGINT as u8 {
            kept_bigint::<S>(tagged)
        } else {
            Tree::Ext(Ext::trusted(S::bytes(tagged)))
        })
    }
    #[inline(always)]
    fn record(&mut self, head: RecordHead) -> Self::Out {
        let count = head.structure.len();
        TreePart::Open(NewContainer::Record(head.structure), count)
    }
    fn columns(&mut self, columns: &ColumnsExt<'a>, rules: &Rules) -> Option<OrMalformed<Self::Out>> {
        Some(S::columns(columns, rules).map(TreePart::Leaf))
    }
}

/// Reads a message that is a lone number, boolean, nil or str as [`quick`] does, but with less to set
/// up. All else is left to `quick`.
#[inline(always)]
pub(crate) fn leaf<'a, S: Keep<'a>>(input: &'a [u8], rules: &Rules) -> Option<(Kept<'a, S>, &'a [u8])> {
    let mut cursor = FastDecoder::new(input);
    match cursor.value(&mut TreeSink::new(rules))? {
        TreePart::Leaf(value) => Some((value, cursor.rest)),
        _ => None,
    }
}

/// Reads the message at the start of the bytes with the default options, and returns the bytes
/// after it as well. Returns `None` for any fault, which [`tree`] then finds.
// Not inlined, so that the decoder's fields stay in registers whatever the caller does.
#[inline(never)]
pub(crate) fn quick<'a, S: Keep<'a>>(input: &'a [u8], rules: &Rules) -> Option<(Kept<'a, S>, &'a [u8])> {
    let mut around = OpenNodes::new();
    let mut grower = Grower::new(&mut around);
    let mut cursor = FastDecoder::new(input);
    let mut sink = TreeSink::new(rules);
    loop {
        let whole = match cursor.value(&mut sink) {
            Some(TreePart::Leaf(value)) => grower.add(value),
            Some(TreePart::Open(kind, count)) if check_depth(grower.depth() as u64 + 1, rules.max_depth).is_ok() => {
                grower.open(kind, count)
            }
            _ => {
                grower.discard();
                return None;
            }
        };
        if let Some(whole) = whole {
            return Some((whole, cursor.rest));
        }
    }
}

/// Reads the decoder's next message with all checks.
///
/// It has its own loop: `Pull` would store the open containers a second time, and take a quarter
/// more instructions.
pub(crate) fn tree<'a, S: Keep<'a>>(
    decoder: &mut ValueDecoder,
    input: &'a [u8],
    rules: &Rules,
) -> Result<Tree<S, S::Bytes>, Fault> {
    let mut around = OpenNodes::new();
    let mut grower = Grower::new(&mut around);
    let mut sink = TreeSink::<S>::new(rules);
    loop {
        if grower.at_key() {
            decoder.key_begins::<true>(rules);
        }
        let node = decoder.value::<true, _>(input, rules, &mut sink);
        let tell = |step| match step {
            GrowStep::IsKey => decoder.key_ends::<true>(input, rules),
            GrowStep::Ended => {
                decoder.leave::<true>(rules);
                Ok(())
            }
        };
        let whole = match node {
            Ok(TreePart::Leaf(value)) => grower.add_with(value, tell)?,
            Ok(TreePart::Open(kind, count)) => grower.open_with(kind, count, tell)?,
            Ok(TreePart::Unkept(broken)) => {
                grower.discard();
                return Err(unkept(decoder.pos, broken));
            }
            Err(fault) => {
                grower.discard();
                return Err(fault);
            }
        };
        if let Some(whole) = whole {
            return Ok(whole);
        }
    }
}

/// Reads the value at the start of the bytes, and returns its length as well; the containers around it
/// announce `after` more values.
pub(crate) fn part<'a, S: Keep<'a>>(input: &'a [u8], after: u64, rules: &Rules) -> Result<(Kept<'a, S>, usize), Fault> {
    // What is good without the last bytes is good with them.
    let room = input.len() - input.len().min(after as usize);
    if !rules.bigint {
        let within = &input[..room];
        if let Some((value, rest)) = leaf::<S>(within, rules).or_else(|| quick::<S>(within, rules)) {
            return Ok((value, room - rest.len()));
        }
    }
    part_checked::<S>(input, after, rules)
}

#[cold]
#[inline(never)]
fn part_checked<'a, S: Keep<'a>>(input: &'a [u8], after: u64, rules: &Rules) -> Result<(Kept<'a, S>, usize), Fault> {
    let mut decoder = ValueDecoder::new(None);
    decoder.pending += after;
    let value = tree::<S>(&mut decoder, input, rules)?;
    Ok((value, decoder.pos))
}

/// Returns the fault of a str that is not UTF-8 and cannot be borrowed; it ends at `end`.
#[cold]
pub(crate) fn unkept(end: usize, broken: &[u8]) -> Fault {
    let bad = core::str::from_utf8(broken).map_or_else(|error| error.valid_up_to(), str::len);
    Fault::new(ErrorKind::InvalidUtf8, end - broken.len() + bad)
}

/// Reads bytes again that were read and checked before.
pub(crate) fn reread(bytes: &[u8], rules: &Rules, records: Option<Box<RecordState>>) -> Value {
    let mut decoder = ValueDecoder::new(records);
    tree::<Box<str>>(&mut decoder, bytes, &rules.unchecked()).unwrap_or_default()
}
