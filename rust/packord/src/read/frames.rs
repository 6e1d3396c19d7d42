//! The open containers of a walk: one word each, the first few in place.

use super::container::OpenContainer;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// Without an allocator the whole default depth must fit in place.
#[cfg(feature = "alloc")]
const IN_PLACE: usize = 16;
#[cfg(not(feature = "alloc"))]
const IN_PLACE: usize = super::rules::DEFAULT_MAX_DEPTH as usize;

#[derive(Debug)]
pub(crate) struct Frames {
    /// The innermost container; meaningless while `len` is 0.
    pub top: OpenContainer,
    len: usize,
    in_place: [OpenContainer; IN_PLACE],
    #[cfg(feature = "alloc")]
    spilled: Vec<OpenContainer>,
}

impl Frames {
    pub fn new() -> Frames {
        Frames {
            top: OpenContainer::default(),
            len: 0,
            in_place: [OpenContainer::default(); IN_PLACE],
            #[cfg(feature = "alloc")]
            spilled: Vec::new(),
        }
    }

    pub fn clear(&mut self) {
        self.len = 0;
        #[cfg(feature = "alloc")]
        self.spilled.clear();
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Without an allocator, `Rules` keeps the depth below the number of places.
    #[inline(always)]
    pub fn push(&mut self, opened: OpenContainer) {
        if let Some(place) = self.in_place.get_mut(self.len) {
            *place = self.top;
        } else {
            #[cfg(feature = "alloc")]
            self.spilled.push(self.top);
        }
        self.top = opened;
        self.len += 1;
    }

    #[inline(always)]
    pub fn pop(&mut self) {
        self.len -= 1;
        if let Some(place) = self.in_place.get(self.len) {
            self.top = *place;
        } else {
            #[cfg(feature = "alloc")]
            {
                self.top = self.spilled.pop().unwrap_or_default();
            }
        }
    }
}
