//! The values of a message as a list of nodes, so that a value is passed over in one step.

use super::shapes::{EMPTY, NO_SHAPE, ShapeTrie};
use crate::columns::EXT_TYPE;
use crate::record;
use crate::wire::header::HEADERS;
pub(super) use crate::wire::header::Kind as Wire;
use alloc::vec::Vec;

/// A value: where it begins, and the node after it and all that is in it. So a value ends where that
/// node begins.
#[derive(Clone, Copy, Debug)]
struct MessageNode {
    start: u32,
    next: u32,
    /// Of an array its height, of a map the place in `maps`.
    info: u32,
    wire: Wire,
}

#[derive(Clone, Copy, Debug)]
struct MapNode {
    shape: u32,
    height: u32,
}

/// The values of a message, keys included, each container before what is in it.
#[derive(Debug)]
pub(super) struct NodeList<'p> {
    bytes: &'p [u8],
    nodes: Vec<MessageNode>,
    maps: Vec<MapNode>,
    pub shapes: ShapeTrie<'p>,
    /// The nodes of type 92, in their order.
    columns: Vec<u32>,
    /// Whether there is an ext of the type of definitions.
    pub has_definitions: bool,
}

/// A container whose values are being read.
struct UnreadContainer {
    node: u32,
    is_map: bool,
    /// Values that are still to come.
    left: u64,
    /// The shape of the keys so far.
    shape: u32,
    /// The height of the highest container in it.
    height: u32,
}

impl<'p> NodeList<'p> {
    /// Returns the nodes of one plain message, or `None` if the bytes are something else, or 4 GiB.
    pub fn new(bytes: &'p [u8]) -> Option<NodeList<'p>> {
        u32::try_from(bytes.len()).ok()?;
        let mut list = NodeList {
            bytes,
            // Most values take three bytes or more.
            nodes: Vec::with_capacity(bytes.len() / 4 + 16),
            maps: Vec::new(),
            shapes: ShapeTrie::new(),
            columns: Vec::new(),
            has_definitions: false,
        };
        let end = list.read()?;
        list.nodes.push(MessageNode {
            start: end as u32,
            next: list.nodes.len() as u32,
            info: 0,
            wire: Wire::Nil,
        });
        (end == bytes.len()).then_some(list)
    }

    /// Makes the nodes of the first value, and returns its length.
    #[inline(never)]
    fn read(&mut self) -> Option<usize> {
        let bytes = self.bytes;
        let mut around: Vec<UnreadContainer> = Vec::new();
        let mut open = UnreadContainer {
            node: 0,
            is_map: false,
            left: 1,
            shape: NO_SHAPE,
            height: 0,
        };
        let mut at = 0;
        loop {
            let mut is_key = open.is_map && open.left % 2 == 0;
            if is_key {
                // As similar maps follow each other, this is mostly so, and the value comes without a
                // look at the header.
                let rest = bytes.get(at..)?;
                if let Some((shape, len)) = self.shapes.step_as_before(open.shape, rest) {
                    self.push(at, Wire::Str);
                    at += len;
                    open.shape = shape;
                    open.left -= 1;
                    is_key = false;
                }
            }
            let &marker = bytes.get(at)?;
            let header = HEADERS[usize::from(marker)];
            let wire = Wire::of(marker);
            let count = header.number(bytes, at)?;
            let body = at + header.len();
            let end = body.checked_add(count as usize)?;
            if is_key {
                open.shape = if wire == Wire::Str {
                    let encoded = bytes.get(at..end)?;
                    self.shapes.step(open.shape, encoded, body - at)
                } else {
                    NO_SHAPE
                };
            }
            let node = self.nodes.len() as u32;
            self.push(at, wire);
            open.left -= 1;
            if header.values == 0 {
                at = end;
                if at > bytes.len() {
                    return None;
                }
                if wire == Wire::Ext {
                    match bytes[body - 1] as i8 {
                        EXT_TYPE => self.columns.push(node),
                        record::EXT_TYPE => self.has_definitions = true,
                        _ => {}
                    }
                }
            } else {
                at = body;
                let is_map = wire == Wire::Map;
                let inner = UnreadContainer {
                    node,
                    is_map,
                    left: count << u32::from(is_map),
                    shape: EMPTY,
                    height: 0,
                };
                around.push(core::mem::replace(&mut open, inner));
            }
            while open.left == 0 {
                let Some(outer) = around.pop() else {
                    return Some(at);
                };
                let height = open.height + 1;
                let next = self.nodes.len() as u32;
                let node = &mut self.nodes[open.node as usize];
                node.next = next;
                node.info = height;
                if open.is_map {
                    node.info = self.maps.len() as u32;
                    let shape = open.shape;
                    self.maps.push(MapNode { shape, height });
                }
                open = UnreadContainer {
                    height: height.max(outer.height),
                    ..outer
                };
            }
        }
    }

    /// Adds a value; what is in it comes later.
    #[inline(always)]
    fn push(&mut self, start: usize, wire: Wire) {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(MessageNode {
            start: start as u32,
            next,
            info: 0,
            wire,
        });
    }

    #[inline(always)]
    fn node(&self, node: u32) -> &MessageNode {
        &self.nodes[node as usize]
    }

    #[inline(always)]
    pub fn wire(&self, node: u32) -> Wire {
        self.node(node).wire
    }

    /// Returns the node after the value.
    #[inline(always)]
    pub fn next(&self, node: u32) -> u32 {
        self.node(node).next
    }

    /// Returns where the value begins.
    #[inline(always)]
    pub fn start(&self, node: u32) -> usize {
        self.node(node).start as usize
    }

    /// Returns the number of bytes of the value.
    #[inline(always)]
    pub fn size(&self, node: u32) -> usize {
        let MessageNode { start, next, .. } = *self.node(node);
        (self.node(next).start - start) as usize
    }

    /// Returns the bytes of the value.
    #[inline(always)]
    pub fn bytes(&self, node: u32) -> &'p [u8] {
        let MessageNode { start, next, .. } = *self.node(node);
        let end = self.node(next).start;
        &self.bytes[start as usize..end as usize]
    }

    /// Returns the bytes from the start of one value to the start of another.
    pub fn between(&self, from: u32, to: u32) -> &'p [u8] {
        &self.bytes[self.start(from)..self.start(to)]
    }

    /// Returns the payload of a str, bin or ext, or the bytes of a number.
    #[inline(always)]
    pub fn payload(&self, node: u32) -> &'p [u8] {
        let bytes = self.bytes(node);
        bytes.get(HEADERS[usize::from(bytes[0])].len()..).unwrap_or_default()
    }

    /// Returns the number of elements of an array, and of keys and values of a map.
    pub fn child_count(&self, node: u32) -> usize {
        let start = self.start(node);
        let header = HEADERS[usize::from(self.bytes[start])];
        let count = header.number(self.bytes, start);
        count.unwrap_or_default() as usize * usize::from(header.values)
    }

    /// Returns the elements of an array, or the keys and values of a map.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let end = self.next(node);
        let mut at = node + 1;
        core::iter::from_fn(move || {
            let child = (at < end).then_some(at)?;
            at = self.next(child);
            Some(child)
        })
    }

    /// Returns the shape of a map.
    #[inline(always)]
    pub fn shape(&self, map: u32) -> u32 {
        self.maps[self.node(map).info as usize].shape
    }

    /// Returns the number of containers that are open at once in the value.
    pub fn height(&self, node: u32) -> u32 {
        let MessageNode { info, wire, .. } = *self.node(node);
        match wire {
            Wire::Array => info,
            Wire::Map => self.maps[info as usize].height,
            _ => 0,
        }
    }

    /// Returns whether an ext of type 92 is in the value.
    pub fn has_columns(&self, node: u32) -> bool {
        let from = self.columns.partition_point(|&ext| ext < node);
        let found = self.columns.get(from);
        found.is_some_and(|&ext| ext < self.next(node))
    }
}
