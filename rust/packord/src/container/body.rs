//! [`Body`]: the bytes of the body of a block, of which there may be some chunks alone; [`Spares`]: what is used
//! from block to block.

use super::codec::ChunkUnpacker;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::{Deref, Range};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many bodies are kept to be used again, and of how many bytes at most.
const MOST_KEPT: usize = 16;
const LARGEST_KEPT: usize = 16 << 20;

/// What the blocks of a reader use one after another, on any thread: unpackers, and memory for bodies of which only some
/// chunks are read. Filling all of it with 00 each time takes longer than a column.
#[derive(Clone, Debug, Default)]
pub(super) struct Spares(Arc<Mutex<Unused>>);

#[derive(Debug, Default)]
struct Unused {
    unpackers: Vec<ChunkUnpacker>,
    /// All of their bytes are 00.
    bodies: Vec<Vec<u8>>,
}

impl Spares {
    fn unused(&self) -> MutexGuard<'_, Unused> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls a function with an unpacker that nobody else uses meanwhile.
    pub fn with_unpacker<T>(&self, unpack: impl FnOnce(&mut ChunkUnpacker) -> T) -> T {
        let known = self.unused().unpackers.pop();
        let mut unpacker = known.unwrap_or_default();
        let result = unpack(&mut unpacker);
        self.unused().unpackers.push(unpacker);
        result
    }

    /// Returns a body whose bytes are all 00.
    pub fn body(&self, size: usize) -> Body {
        let kept = self.unused().bodies.pop();
        // Blocks are about as large as each other: there is room for the next ones.
        let bytes = match kept.filter(|bytes| bytes.len() >= size) {
            Some(bytes) => bytes,
            None => alloc::vec![0; size + size / 4],
        };
        Body {
            bytes,
            size,
            written: Vec::new(),
            spares: Some(self.clone()),
        }
    }
}

/// Bytes that go back to where they are from when they are dropped.
#[derive(Debug, Default)]
pub(super) struct Body {
    bytes: Vec<u8>,
    /// How many of these bytes the body has; the others are spare.
    size: usize,
    /// The chunks that are there.
    written: Vec<Range<usize>>,
    spares: Option<Spares>,
}

impl Body {
    /// Returns the place of a chunk, to be unpacked there.
    pub fn chunk(&mut self, place: Range<usize>) -> &mut [u8] {
        self.written.push(place.clone());
        &mut self.bytes[place]
    }

    /// Returns the bytes, which are then dropped as any are.
    pub fn into_bytes(mut self) -> Vec<u8> {
        let mut bytes = core::mem::take(&mut self.bytes);
        bytes.truncate(self.size);
        bytes
    }
}

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Body {
        Body {
            size: bytes.len(),
            bytes,
            written: Vec::new(),
            spares: None,
        }
    }
}

impl Clone for Body {
    fn clone(&self) -> Body {
        let Some(spares) = &self.spares else {
            return Body::from(self.bytes.clone());
        };
        let mut body = spares.body(self.size);
        for chunk in &self.written {
            body.chunk(chunk.clone()).copy_from_slice(&self.bytes[chunk.clone()]);
        }
        body
    }
}

impl Deref for Body {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.size]
    }
}

impl AsRef<[u8]> for Body {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        let is_kept = !self.bytes.is_empty() && self.bytes.len() <= LARGEST_KEPT;
        let Some(spares) = self.spares.take().filter(|_| is_kept) else {
            return;
        };
        for chunk in &self.written {
            self.bytes[chunk.clone()].fill(0);
        }
        let mut unused = spares.unused();
        if unused.bodies.len() < MOST_KEPT {
            unused.bodies.push(core::mem::take(&mut self.bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_used_again_and_is_00() {
        let spares = Spares::default();
        let mut body = spares.body(100);
        body.chunk(10..20).fill(7);
        body.chunk(90..100).fill(8);
        let start = body.as_ptr();
        let copy = body.clone();
        drop(body);
        for size in [50, 100, 70, 125] {
            let body = spares.body(size);
            assert_eq!(body.as_ptr(), start);
            assert_eq!(*body, *alloc::vec![0; size]);
        }
        assert_eq!((copy[15], copy[95]), (7, 8));
        drop(copy);
        let bodies: Vec<Body> = (0..20).map(|_| spares.body(30)).collect();
        assert_eq!(bodies[16].to_vec(), bodies[0].clone().into_bytes());
        drop(bodies);
        assert_eq!(spares.unused().bodies.len(), MOST_KEPT);
        drop(spares.body(LARGEST_KEPT + 1));
        assert_eq!(spares.unused().bodies.len(), MOST_KEPT - 1);
    }
}
