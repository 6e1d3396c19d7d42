//! [`Body`]: the bytes of the body of a block, of which there may be some chunks alone.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::{Deref, Range};
use std::sync::{Mutex, PoisonError};

/// How many bodies are kept to be used again, and of how many bytes at most.
const MOST_KEPT: usize = 4;
const LARGEST_KEPT: usize = 16 << 20;

/// Memory for bodies of which only some chunks are read: filling all of it with 00 each time takes longer than a column.
#[derive(Clone, Debug, Default)]
pub(super) struct SpareBodies {
    /// All of their bytes are 00.
    kept: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl SpareBodies {
    /// Returns a body whose bytes are all 00.
    pub fn body(&self, size: usize) -> Body {
        let kept = self
            .kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let bytes = match kept {
            Some(mut bytes) => {
                bytes.resize(size, 0);
                bytes
            }
            None => alloc::vec![0; size],
        };
        Body {
            bytes,
            written: Vec::new(),
            spares: Some(self.clone()),
        }
    }
}

/// Bytes that go back to where they are from when they are dropped.
#[derive(Debug, Default)]
pub(super) struct Body {
    bytes: Vec<u8>,
    /// The chunks that are there.
    written: Vec<Range<usize>>,
    spares: Option<SpareBodies>,
}

impl Body {
    /// Returns the place of a chunk, to be unpacked there.
    pub fn chunk(&mut self, place: Range<usize>) -> &mut [u8] {
        self.written.push(place.clone());
        &mut self.bytes[place]
    }

    /// Returns the bytes, which are then dropped as any are.
    pub fn into_bytes(mut self) -> Vec<u8> {
        core::mem::take(&mut self.bytes)
    }
}

/// A body that nothing is written to any more.
#[derive(Clone)]
pub(super) struct SharedBody(Arc<Body>);

impl From<Body> for SharedBody {
    fn from(body: Body) -> SharedBody {
        SharedBody(Arc::new(body))
    }
}

impl AsRef<[u8]> for SharedBody {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Body {
        Body {
            bytes,
            written: Vec::new(),
            spares: None,
        }
    }
}

impl Clone for Body {
    fn clone(&self) -> Body {
        Body::from(self.bytes.clone())
    }
}

impl Deref for Body {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl AsRef<[u8]> for Body {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        let is_kept = !self.bytes.is_empty() && self.bytes.capacity() <= LARGEST_KEPT;
        let Some(spares) = self.spares.take().filter(|_| is_kept) else {
            return;
        };
        for chunk in &self.written {
            self.bytes[chunk.clone()].fill(0);
        }
        let mut kept = spares.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < MOST_KEPT {
            kept.push(core::mem::take(&mut self.bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_used_again_and_is_00() {
        let spares = SpareBodies::default();
        let mut body = spares.body(100);
        body.chunk(10..20).fill(7);
        body.chunk(90..100).fill(8);
        let start = body.as_ptr();
        let copy = body.clone();
        drop(body);
        for size in [50, 100, 70] {
            let body = spares.body(size);
            assert_eq!(body.as_ptr(), start);
            assert_eq!(*body, *alloc::vec![0; size]);
        }
        assert_eq!((copy[15], copy[95]), (7, 8));
        drop(copy);
        let bodies: Vec<Body> = (0..9).map(|_| spares.body(30)).collect();
        assert_eq!(bodies[8].to_vec(), bodies[0].clone().into_bytes());
        drop(bodies);
        assert_eq!(spares.kept.lock().unwrap().len(), MOST_KEPT);
        drop(spares.body(LARGEST_KEPT + 1));
        assert_eq!(spares.kept.lock().unwrap().len(), MOST_KEPT - 1);
    }
}
