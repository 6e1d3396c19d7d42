//! Conversion of documents to values.

use super::node::Node;
use super::tape::Tag;
use crate::ext::{BIGINT, shorten};
use crate::read::tree::Keep;
use crate::value::raw::grow::{Grower, NewContainer, OpenNodes};
use crate::value::{Ext, Tree, Value, ValueRef};
use alloc::boxed::Box;

impl<'a> Node<'_, 'a> {
    /// Returns the value with its own copies of strings and bytes.
    #[must_use]
    pub fn to_value(self) -> Value {
        self.build::<Box<str>>()
    }

    /// Returns the value with strings and bytes borrowed from the input.
    #[must_use]
    pub fn to_ref(self) -> ValueRef<'a> {
        self.build::<&'a str>()
    }

    fn build<S: Keep<'a>>(self) -> Tree<S, S::Bytes> {
        let mut around = OpenNodes::new();
        let mut grower = Grower::new(&mut around);
        for index in self.index.. {
            let node = Node::new(self.document, index);
            let kind = match node.tag() {
                Tag::Array => Some(NewContainer::Array),
                Tag::Map => Some(NewContainer::Map),
                Tag::Record => node.structure().cloned().map(NewContainer::Record),
                _ => None,
            };
            let whole = match kind {
                Some(kind) => grower.open(kind, node.len()),
                None => grower.add(node.leaf::<S>()),
            };
            if let Some(whole) = whole {
                return whole;
            }
        }
        Tree::Nil
    }

    fn leaf<S: Keep<'a>>(self) -> Tree<S, S::Bytes> {
        let cell = self.cell();
        match cell.tag {
            Tag::Bool => Tree::Bool(cell.data == 1),
            Tag::Negative | Tag::Positive => self.as_int().map_or(Tree::Nil, Tree::Int),
            Tag::F32 => Tree::F32(f32::from_bits(cell.low())),
            Tag::F64 => Tree::F64(f64::from_bits(cell.data)),
            Tag::Str => self.as_str().map_or(Tree::Nil, |text| Tree::Str(S::text(text))),
            Tag::Bin => Tree::Bin(S::bytes(self.payload())),
            Tag::Ext => self.ext::<S>(),
            Tag::Timestamp => self.as_timestamp().map_or(Tree::Nil, Tree::Timestamp),
            Tag::Nil | Tag::Array | Tag::Map | Tag::Record => Tree::Nil,
        }
    }

    fn ext<S: Keep<'a>>(self) -> Tree<S, S::Bytes> {
        let short = match self.as_ext() {
            Some((BIGINT, payload)) if self.document.bigint => S::shortened(BIGINT, shorten(payload)),
            _ => None,
        };
        Tree::Ext(short.unwrap_or_else(|| Ext::trusted(S::bytes(self.tagged()))))
    }
}
