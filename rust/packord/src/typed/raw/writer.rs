//! Typed writing: one room check for a run of fields, then raw stores.
//!
//! [`Writer`] keeps a window of free bytes of a [`ByteSink`].

use super::bound::{Bound, LARGEST, TOO_LONG};
use super::list::{FieldList, Stop};
use super::sink::{ByteSink, FreeBytes};
use crate::error::ErrorKind;
#[cfg(feature = "alloc")]
use crate::typed::Packable;
use crate::typed::{Failed, Step};
use crate::wire::copy::copy;

/// Writes [`Packable`](crate::Packable) values. Every method is safe for all values: a value that
/// does not fit is an error.
///
/// ```
/// use packord::typed::{Failed, Writer};
/// use packord::Packable;
///
/// struct Point(i32, i32);
/// impl Packable for Point {
///     fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
///         writer.array(2, |array| {
///             array.element(&self.0)?;
///             array.element(&self.1)
///         })
///     }
/// }
/// assert_eq!(Point(1, -1).pack_to_vec(), [0x92, 1, 0xff]);
/// ```
pub struct Writer<'b> {
    /// The free bytes are those from `next` to `end`, both within or at the end of one window.
    pub(super) next: *mut u8,
    end: *mut u8,
    /// The window's first byte.
    start: *mut u8,
    /// The first integer that the positive fixint format does not take: 128, or 64 with records.
    pub(super) limit: u64,
    sink: &'b mut dyn ByteSink,
    pub(crate) state: crate::typed::WriteState<'b>,
}
impl Writer<'_> {
    /// Lets `write` fill a sink. The type of the sink is known here, so the first and the last
    /// window, all that most values need, take no virtual call.
    #[inline]
    pub(crate) fn fill<S: ByteSink, T>(
        sink: &mut S,
        state: crate::typed::WriteState<'_>,
        write: impl FnOnce(&mut Writer<'_>) -> T,
    ) -> T {
        // SAFETY: there was no window before, so none of its bytes was used.
        let FreeBytes { start, len } = unsafe { sink.window(0, 0) };
        let mut writer = Writer {
            next: start,
            // SAFETY: a window is valid for `len` bytes.
            end: unsafe { start.add(len) },
            start,
            // The first integer that is not written as a positive fixint.
            limit: if state.records.is_some() { 64 } else { 128 },
            sink: &mut *sink,
            state,
        };
        let outcome = write(&mut writer);
        let used = writer.next as usize - writer.start as usize;
        // SAFETY: the bytes from `start` to `next` were stored. The writer is that of this sink:
        // its lifetime is unique, so `write` cannot have replaced it by another.
        unsafe { sink.window(used, 0) };
        outcome
    }

    #[inline(always)]
    fn free(&self) -> usize {
        self.end as usize - self.next as usize
    }

    /// Makes room for `n` bytes if it can, and returns whether they fit.
    #[inline(always)]
    fn room(&mut self, n: usize) -> bool {
        self.free() >= n || self.grow(n)
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, n: usize) -> bool {
        n < TOO_LONG && {
            self.refill(n);
            self.free() >= n
        }
    }

    fn refill(&mut self, n: usize) {
        let used = self.next as usize - self.start as usize;
        // SAFETY: the bytes from `start` to `next` were stored.
        let FreeBytes { start, len } = unsafe { self.sink.window(used, n) };
        (self.start, self.next) = (start, start);
        // SAFETY: a window is valid for `len` bytes.
        self.end = unsafe { start.add(len) };
    }

    #[inline(always)]
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> core::result::Result<(), Failed> {
        if self.free() < bytes.len() {
            return self.raw_slow(bytes);
        }
        // SAFETY: `free` bytes follow `next`, which is exclusively the writer's.
        unsafe {
            copy(self.next, bytes);
            self.next = self.next.add(bytes.len());
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn raw_slow(&mut self, bytes: &[u8]) -> core::result::Result<(), Failed> {
        self.refill(bytes.len());
        if self.free() >= bytes.len() {
            return self.raw(bytes);
        }
        if !self.sink.append(bytes) {
            return Err(self.fail(ErrorKind::BufferFull));
        }
        self.refill(0);
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn bounded<T: ?Sized>(&mut self, value: &T, bound: Bound<T>) -> core::result::Result<(), Failed> {
        let max = bound.max + (bound.extra)(value);
        if !self.room(max) {
            return self.bounded_slow(value, bound);
        }
        // SAFETY: there is room for the most bytes that the bound says the value takes.
        self.next = unsafe { (bound.store)(value, self.next, self.limit) };
        Ok(())
    }

    /// Writes a value whose bound does not fit; the value itself may.
    #[cold]
    #[inline(never)]
    fn bounded_slow<T: ?Sized>(&mut self, value: &T, bound: Bound<T>) -> core::result::Result<(), Failed> {
        let mut space = [0_u8; LARGEST];
        if (bound.extra)(value) == 0 {
            // SAFETY: bounds without variable part take at most `LARGEST` bytes (checked where
            // they are made).
            let end = unsafe { (bound.store)(value, space.as_mut_ptr(), self.limit) };
            let len = end as usize - space.as_ptr() as usize;
            return self.raw(&space[..len]);
        }
        match (bound.parts)(value) {
            Some((header, payload)) => {
                self.raw(header.as_slice())?;
                self.raw(payload)
            }
            None => Err(self.fail(ErrorKind::OutOfRange)),
        }
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn bounded_entry<K: Packable + ?Sized, V: Packable + ?Sized>(
        &mut self,
        key: &K,
        value: &V,
    ) -> core::result::Result<(), Failed> {
        let max =
            const { K::BOUND.max + V::BOUND.max } + (const { K::BOUND.extra })(key) + (const { V::BOUND.extra })(value);
        if !const { K::BOUND.exists() && V::BOUND.exists() } || !self.room(max) {
            key.pack_into(self)?;
            return value.pack_into(self);
        }
        // SAFETY: there is room for the most bytes that both bounds say the values take.
        unsafe {
            let next = (const { K::BOUND.store })(key, self.next, self.limit);
            self.next = (const { V::BOUND.store })(value, next, self.limit);
        }
        Ok(())
    }

    /// Writes a run of fixed-size values with one check for many of them.
    #[inline(always)]
    pub(crate) fn bounded_slice<T>(&mut self, values: &[T], bound: Bound<T>) -> core::result::Result<(), Failed> {
        for chunk in values.chunks(32) {
            if !bound.fixed || !self.room(bound.max * chunk.len()) {
                for value in chunk {
                    self.bounded(value, bound)?;
                }
                continue;
            }
            let (mut next, limit) = (self.next, self.limit);
            // As limits are powers of two, all numbers are below the limit if the union of their
            // bits is.
            if chunk.iter().fold(0, |all, value| all | (bound.bits)(value)) < limit {
                for value in chunk {
                    // SAFETY: there is room for `max` bytes for each value, which is at least 1.
                    unsafe {
                        next.write((bound.bits)(value) as u8);
                        next = next.add(1);
                    }
                }
                self.next = next;
                continue;
            }
            for value in chunk {
                // SAFETY: there is room for `max` bytes for each value of the chunk, and `max` is
                // the most that one takes, as the bound has no variable part.
                next = unsafe { (bound.store)(value, next, limit) };
            }
            self.next = next;
        }
        Ok(())
    }

    /// Returns a pointer to `n` bytes of room, if there are any, for a list that is at `next`.
    #[inline(always)]
    pub(super) fn room_at(&mut self, next: *mut u8, n: usize) -> Option<*mut u8> {
        if self.end as usize - next as usize >= n {
            Some(next)
        } else {
            self.grow_at(next, n)
        }
    }

    #[cold]
    #[inline(never)]
    fn grow_at(&mut self, next: *mut u8, n: usize) -> Option<*mut u8> {
        self.next = next;
        self.grow(n).then_some(self.next)
    }
}

/// Writes fields with one room check up to the first field of variable size, and one for each
/// such field with the fields after it.
///
/// # Errors
///
/// Where it stopped, because a field failed or needs more room.
#[inline(always)]
pub fn try_fields<L: FieldList>(writer: &mut Writer<'_>, list: L) -> Result<(), Stop> {
    let (next, limit) = (writer.next, writer.limit);
    // SAFETY: `READY` is false, so the list makes its checks itself.
    writer.next = unsafe { list.store::<false>(writer, next, limit, 0) }?;
    Ok(())
}

/// Continues where `try_fields` stopped, value by value. A closure makes the list a second
/// time, so that it is in memory in this case only.
///
/// # Errors
///
/// That of the field.
#[cold]
#[inline(never)]
pub fn resume<L: FieldList>(
    writer: &mut Writer<'_>,
    stop: Stop,
    list: impl FnOnce() -> L,
    steps: &[Step],
) -> Result<(), Failed> {
    match stop {
        Stop::Failed(failed, at) => Err(writer.within(steps.get(at).copied().unwrap_or(Step::Same), failed)),
        Stop::NoRoom(at) => list().store_each(writer, at, steps),
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use crate::typed::{Failed, Writer};
    use crate::{ErrorKind, Packable};
    use alloc::vec::Vec;

    /// Claims to take `bound` bytes, however many it takes.
    struct Liar {
        bound: usize,
        texts: usize,
    }

    impl Packable for Liar {
        fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
            writer.array(self.texts, |array| {
                (0..self.texts).try_for_each(|_| array.element("more than eight"))
            })
        }

        fn packed_len_bound(&self) -> usize {
            self.bound
        }
    }

    #[test]
    fn wrong_bounds_write_nothing_out_of_bounds() {
        for bound in [0, 1, 30, usize::MAX] {
            let liars = [(); 3].map(|()| Liar { bound, texts: 3 });
            let parts = (1_u8, &liars[..], "the end", 0.5);
            let whole = parts.pack_to_vec();
            assert_eq!(whole.len(), 1 + 1 + 1 + 3 * (1 + 3 * 16) + 8 + 9);
            let mut appended = Vec::from([0xc0]);
            let mut space = [0xee; 200];
            for room in 0..=whole.len() {
                let (space, after) = space.split_at_mut(room);
                match parts.pack_to_slice(space) {
                    Ok(len) => assert_eq!(&space[..len], whole),
                    Err(error) => assert_eq!(error.kind(), ErrorKind::BufferFull),
                }
                assert_eq!(parts.pack_to_slice(space).is_ok(), room == whole.len());
                assert!(after.iter().all(|&byte| byte == 0xee));
            }
            assert_eq!(parts.pack(&mut appended), whole.len());
            assert_eq!(appended[1..], whole);
        }
    }
}
