//! Trees that grow value by value: each container gets room for exactly what was announced, and
//! its values are stored where they stay.

use crate::record::Structure;
use crate::value::{Array, Map, Pair, Tree};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::mem::ManuallyDrop;
use core::ptr::slice_from_raw_parts_mut;

pub(crate) enum NewContainer {
    Array,
    Map,
    Record(Structure),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum GrowStep {
    /// The value is a key of a map.
    IsKey,
    /// The value ended the innermost container.
    Ended,
}

/// A container that is not full yet.
struct OpenNode<S, B> {
    /// The first of its places.
    base: *mut Tree<S, B>,
    /// Number of places: never 0; for a map twice the number of entries.
    places: usize,
    kind: NewContainer,
    /// The places of the container around it.
    outer: Places<S, B>,
}

/// The next free place of a container and its end.
struct Places<S, B> {
    next: *mut Tree<S, B>,
    end: *mut Tree<S, B>,
}

impl<S, B> Clone for Places<S, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, B> Copy for Places<S, B> {}

/// The open containers, the innermost last.
pub(crate) struct OpenNodes<S, B>(Vec<OpenNode<S, B>>);

impl<S, B> OpenNodes<S, B> {
    pub fn new() -> Self {
        OpenNodes(Vec::new())
    }
}

/// A tree that is being built. The pointers are not stored in the vector of containers, whose
/// address is passed to calls that are not inlined. So the pointers stay in registers.
///
/// While containers are open, `places` are those of the innermost: `next` is below `end`, all
/// places from the container's `base` to `next` hold values, and the others hold none. The same
/// holds for the containers around it; the `Places` of each are stored with the one inside. While
/// none is open, `next` is null. Values of a tree that is neither whole nor discarded are leaked.
pub(crate) struct Grower<'g, S, B> {
    places: Places<S, B>,
    around: &'g mut OpenNodes<S, B>,
}

impl<'g, S, B> Grower<'g, S, B> {
    pub fn new(around: &'g mut OpenNodes<S, B>) -> Self {
        around.0.clear();
        let next = core::ptr::null_mut();
        Grower {
            places: Places { next, end: next },
            around,
        }
    }

    /// Returns the number of open containers.
    #[inline(always)]
    pub fn depth(&self) -> usize {
        self.around.0.len()
    }

    /// Returns whether the next value is a key of a map.
    #[inline(always)]
    pub fn at_key(&self) -> bool {
        self.around.0.last().is_some_and(|open| {
            let filled = self.places.next.addr() - open.base.addr();
            matches!(open.kind, NewContainer::Map) && filled / size_of::<Tree<S, B>>() % 2 == 0
        })
    }

    /// Adds a value. Returns the tree if it is now complete.
    #[inline(always)]
    pub fn add(&mut self, value: Tree<S, B>) -> Option<Tree<S, B>> {
        if self.places.next.is_null() {
            return Some(value);
        }
        // Not by `add_with`: there the value goes through memory, to be one with those of the containers
        // that it ends, and would be loaded in another width than it was stored in.
        // SAFETY: a container is open, so `next` is a place of it that holds no value.
        unsafe { self.places.next.write(value) };
        // SAFETY: `next` is below `end`, which is the end of the same allocation.
        self.places.next = unsafe { self.places.next.add(1) };
        if self.places.next != self.places.end {
            return None;
        }
        let full = self.end();
        self.add_with(full, |_| Ok::<(), Infallible>(()))
            .unwrap_or_else(|never| match never {})
    }

    /// Begins a container with this number of elements, entries or fields. Returns the tree if the
    /// container is empty and the tree is now complete.
    #[inline(always)]
    pub fn open(&mut self, kind: NewContainer, count: usize) -> Option<Tree<S, B>> {
        self.open_with(kind, count, |_| Ok::<(), Infallible>(()))
            .unwrap_or_else(|never| match never {})
    }

    /// Adds a value like [`add`](Grower::add), and reports each step. If that fails, the tree is
    /// discarded.
    #[inline(always)]
    pub fn add_with<E>(
        &mut self,
        value: Tree<S, B>,
        mut tell: impl FnMut(GrowStep) -> Result<(), E>,
    ) -> Result<Option<Tree<S, B>>, E> {
        let mut value = value;
        loop {
            if self.places.next.is_null() {
                return Ok(Some(value));
            }
            let is_key = self.at_key();
            // SAFETY: a container is open, so `next` is a place of it that holds no value.
            unsafe { self.places.next.write(value) };
            // SAFETY: `next` is below `end`, which is the end of the same allocation.
            self.places.next = unsafe { self.places.next.add(1) };
            let full = self.places.next == self.places.end;
            if is_key {
                // The second of two places is still free: a key never ends a map.
                if let Err(error) = tell(GrowStep::IsKey) {
                    self.discard();
                    return Err(error);
                }
            }
            if !full {
                return Ok(None);
            }
            value = self.end();
            if let Err(error) = tell(GrowStep::Ended) {
                self.discard();
                return Err(error);
            }
        }
    }

    /// Begins a container like [`open`](Grower::open), and reports each step. If that fails, the
    /// tree is discarded.
    #[inline(always)]
    pub fn open_with<E>(
        &mut self,
        kind: NewContainer,
        count: usize,
        mut tell: impl FnMut(GrowStep) -> Result<(), E>,
    ) -> Result<Option<Tree<S, B>>, E> {
        if count == 0 {
            let empty = match kind {
                NewContainer::Array => Tree::Array(Array::from(Vec::new())),
                NewContainer::Map | NewContainer::Record(_) => Tree::Map(Map::default()),
            };
            if let Err(error) = tell(GrowStep::Ended) {
                self.discard();
                return Err(error);
            }
            return self.add_with(empty, tell);
        }
        let places = match kind {
            NewContainer::Map => 2 * count,
            NewContainer::Array | NewContainer::Record(_) => count,
        };
        let base = ManuallyDrop::new(Vec::with_capacity(places)).as_mut_ptr();
        self.around.0.push(OpenNode {
            base,
            places,
            kind,
            outer: self.places,
        });
        self.places = Places {
            next: base,
            // SAFETY: there is room for this many values.
            end: unsafe { base.add(places) },
        };
        Ok(None)
    }

    #[inline(always)]
    fn end(&mut self) -> Tree<S, B> {
        let Some(full) = self.around.0.pop() else {
            return Tree::Nil;
        };
        self.places = full.outer;
        if let NewContainer::Map = full.kind {
            let pairs = slice_from_raw_parts_mut(full.base.cast::<Pair<S, B>>(), full.places / 2);
            // SAFETY: a vector allocated room for exactly `places` values, which is even, all
            // places hold values, and pairs have the layout of twice as many values.
            return Tree::Map(Map::from_pairs(unsafe { Box::from_raw(pairs) }));
        }
        let values = slice_from_raw_parts_mut(full.base, full.places);
        // SAFETY: a vector allocated room for exactly `places` values, and all places hold values.
        let values = unsafe { Box::from_raw(values) };
        match full.kind {
            NewContainer::Record(structure) => Tree::Map(Map::from_record(structure, values).unwrap_or_default()),
            _ => Tree::Array(Array(values)),
        }
    }

    /// Drops the values of the incomplete tree.
    #[cold]
    pub fn discard(&mut self) {
        while let Some(open) = self.around.0.pop() {
            let filled = (self.places.next.addr() - open.base.addr()) / size_of::<Tree<S, B>>();
            // SAFETY: a vector allocated room for `places` values, and those before the container's
            // `next` hold values.
            drop(unsafe { Vec::from_raw_parts(open.base, filled, open.places) });
            self.places = open.outer;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;

    /// Strings are allocated, so that a leak or a value dropped twice shows under Miri.
    fn grow(steps: usize) -> Option<Value> {
        let mut around = OpenNodes::new();
        let mut grower = Grower::new(&mut around);
        for step in 0..steps {
            let whole = match step {
                0 => grower.open(NewContainer::Array, 3),
                2 => grower.open(NewContainer::Map, 1),
                4 => grower.open(NewContainer::Array, 1),
                6 => grower.open(NewContainer::Map, 0),
                _ => grower.add(Value::from("text")),
            };
            if whole.is_some() {
                assert_eq!(step, 6);
                return whole;
            }
        }
        grower.discard();
        None
    }

    #[test]
    fn trees_are_whole_after_their_last_value() {
        for steps in 0..7 {
            assert!(grow(steps).is_none(), "{steps}");
        }
        let text = grow(7).map(|value| alloc::format!("{value}"));
        assert_eq!(text.as_deref(), Some(r#"["text", {"text": ["text"]}, {}]"#));
    }

    #[test]
    fn an_error_on_the_way_discards_all() {
        for stop in [GrowStep::IsKey, GrowStep::Ended] {
            let mut around = OpenNodes::new();
            let mut grower = Grower::<alloc::boxed::Box<str>, _>::new(&mut around);
            let tell = |step| if step == stop { Err(()) } else { Ok(()) };
            assert!(grower.open_with(NewContainer::Map, 1, tell).is_ok());
            let key = grower.add_with(Value::from("key"), tell);
            let outcome = key.and_then(|_| grower.add_with(Value::from("value"), tell));
            assert!(outcome.is_err());
            assert_eq!(grower.depth(), 0);
        }
    }
}
