//! Decoding into a tree.

use super::build::{Frame, Node};
use crate::ErrorKind;
use crate::ext::{BIGINT, Timestamp, bigint_value, shorten};
use crate::options::{Rules, Utf8};
use crate::record::RecordHead;
use crate::value::{Ext, Integer, Tree};
use crate::walk::scan::{Fault, Scanner, Sink};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;

/// How a tree keeps text and bytes of the input.
pub(crate) trait Keep<'a>: Sized {
    type Bytes;
    fn text(text: &'a str) -> Self;
    fn bytes(bytes: &'a [u8]) -> Self::Bytes;
    /// The text of bytes that are not UTF-8, each ill-formed sequence replaced; `None` if it
    /// cannot be kept.
    fn replaced(bytes: &'a [u8]) -> Option<Self>;
    /// The ext with a payload of which only the end is kept; `None` if it cannot be.
    fn shortened(kind: i8, payload: &'a [u8]) -> Option<Ext<Self::Bytes>>;
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
    fn replaced(bytes: &'a [u8]) -> Option<Box<str>> {
        Some(String::from_utf8_lossy(bytes).into())
    }
    fn shortened(kind: i8, payload: &'a [u8]) -> Option<Ext<Box<[u8]>>> {
        Some(Ext::new(kind, payload))
    }
}

impl<'a> Keep<'a> for &'a str {
    type Bytes = &'a [u8];
    #[inline(always)]
    fn text(text: &'a str) -> &'a str {
        text
    }
    #[inline(always)]
    fn bytes(bytes: &'a [u8]) -> &'a [u8] {
        bytes
    }
    fn replaced(_: &'a [u8]) -> Option<&'a str> {
        None
    }
    fn shortened(_: i8, _: &'a [u8]) -> Option<Ext<&'a [u8]>> {
        None
    }
}

struct TreeSink<S> {
    utf8: Utf8,
    bigint: bool,
    keep: PhantomData<S>,
}

impl<'a, S: Keep<'a>> TreeSink<S> {
    /// A bigint is an integer where that can hold it, and as short as it can be where not.
    #[cold]
    fn bigint(tagged: &'a [u8]) -> Tree<S, S::Bytes> {
        let payload = &tagged[1..];
        if let Some(number) =
            bigint_value(payload).and_then(|number| Integer::try_from(number).ok())
        {
            return Tree::Int(number);
        }
        let short = shorten(payload);
        let shortened = if short.len() < payload.len() {
            S::shortened(BIGINT, short)
        } else {
            None
        };
        Tree::Ext(shortened.unwrap_or_else(|| Ext::trusted(S::bytes(tagged))))
    }
}

impl<'a, S: Keep<'a>> Sink<'a> for TreeSink<S> {
    /// An error is a text that cannot be kept.
    type Out = Result<Node<S, S::Bytes>, &'a [u8]>;

    #[inline(always)]
    fn nil(&mut self) -> Self::Out {
        Ok(Node::Leaf(Tree::Nil))
    }
    #[inline(always)]
    fn bool(&mut self, value: bool) -> Self::Out {
        Ok(Node::Leaf(Tree::Bool(value)))
    }
    #[inline(always)]
    fn int(&mut self, value: Integer) -> Self::Out {
        Ok(Node::Leaf(Tree::Int(value)))
    }
    #[inline(always)]
    fn f32(&mut self, bits: u32) -> Self::Out {
        Ok(Node::Leaf(Tree::F32(f32::from_bits(bits))))
    }
    #[inline(always)]
    fn f64(&mut self, bits: u64) -> Self::Out {
        Ok(Node::Leaf(Tree::F64(f64::from_bits(bits))))
    }
    #[inline(always)]
    fn str(&mut self, text: &'a str) -> Self::Out {
        Ok(Node::Leaf(Tree::Str(S::text(text))))
    }
    #[cold]
    fn broken_str(&mut self, bytes: &'a [u8]) -> Self::Out {
        if self.utf8 == Utf8::Raw {
            return self.bin(bytes);
        }
        S::replaced(bytes)
            .map(|text| Node::Leaf(Tree::Str(text)))
            .ok_or(bytes)
    }
    #[inline(always)]
    fn bin(&mut self, bytes: &'a [u8]) -> Self::Out {
        Ok(Node::Leaf(Tree::Bin(S::bytes(bytes))))
    }
    #[inline(always)]
    fn ext(&mut self, tagged: &'a [u8]) -> Self::Out {
        if self.bigint && tagged[0] == BIGINT as u8 {
            return Ok(Node::Leaf(Self::bigint(tagged)));
        }
        Ok(Node::Leaf(Tree::Ext(Ext::trusted(S::bytes(tagged)))))
    }
    #[inline(always)]
    fn timestamp(&mut self, at: Timestamp) -> Self::Out {
        Ok(Node::Leaf(Tree::Timestamp(at)))
    }
    #[inline(always)]
    fn array(&mut self, count: usize) -> Self::Out {
        Ok(Node::Array(count))
    }
    #[inline(always)]
    fn map(&mut self, count: usize) -> Self::Out {
        Ok(Node::Map(count))
    }
    #[inline(always)]
    fn record(&mut self, head: RecordHead) -> Self::Out {
        Ok(Node::Record(head.structure))
    }
}

/// Reads the message that the scanner stands before.
pub(crate) fn tree<'a, S: Keep<'a>>(
    scanner: &mut Scanner,
    input: &'a [u8],
    rules: &Rules,
) -> Result<Tree<S, S::Bytes>, Fault> {
    if rules.full() {
        read::<true, S>(scanner, input, rules)
    } else {
        read::<false, S>(scanner, input, rules)
    }
}

fn read<'a, const FULL: bool, S: Keep<'a>>(
    scanner: &mut Scanner,
    input: &'a [u8],
    rules: &Rules,
) -> Result<Tree<S, S::Bytes>, Fault> {
    let mut sink = TreeSink::<S> {
        utf8: rules.utf8,
        bigint: rules.bigint,
        keep: PhantomData,
    };
    let mut around: Vec<Frame<S, S::Bytes>> = Vec::new();
    // What takes the next value; nothing does before the top-level value.
    let mut top: Option<Frame<S, S::Bytes>> = None;
    loop {
        if FULL && top.as_ref().is_some_and(Frame::wants_key) {
            scanner.key_begins::<FULL>(rules);
        }
        let node = match scanner.value::<FULL, _>(input, rules, &mut sink)? {
            Ok(node) => node,
            Err(broken) => return Err(unkept(scanner.pos, broken)),
        };
        let opened = match node {
            Node::Leaf(value) => {
                let Some(frame) = &mut top else {
                    return Ok(value);
                };
                let is_key = FULL && frame.wants_key();
                frame.add(value);
                if is_key {
                    scanner.key_ends::<FULL>(input, rules)?;
                }
                None
            }
            Node::Array(count) => Some(Frame::array(count)),
            Node::Map(count) => Some(Frame::map(count)),
            Node::Record(structure) => Some(Frame::record(structure)),
        };
        if let Some(frame) = opened {
            around.extend(top.replace(frame));
        }
        while let Some(full) = top.take_if(|frame| frame.is_full()) {
            scanner.leave::<FULL>(rules);
            let value = full.finish();
            let Some(mut outer) = around.pop() else {
                return Ok(value);
            };
            let is_key = FULL && outer.wants_key();
            outer.add(value);
            top = Some(outer);
            if is_key {
                scanner.key_ends::<FULL>(input, rules)?;
            }
        }
    }
}

/// The fault of a text that is not UTF-8 and cannot be kept; it ends at `end`.
#[cold]
pub(crate) fn unkept(end: usize, broken: &[u8]) -> Fault {
    let bad = core::str::from_utf8(broken).map_or_else(|error| error.valid_up_to(), str::len);
    Fault::new(ErrorKind::InvalidUtf8, end - broken.len() + bad)
}
