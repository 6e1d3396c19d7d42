//! Lists of fields, which share their room checks.

use super::writer::Writer;
use crate::typed::{Failed, Packable, Step};

/// Writes a list of fields, with the steps to its parts.
macro_rules! write_fields {
    ($writer:expr, $list:expr, $steps:expr) => {
        match $crate::typed::raw::try_fields($writer, $list) {
            Ok(()) => Ok(()),
            Err(stop) => $crate::typed::raw::resume($writer, stop, || $list, $steps),
        }
    };
}
pub(crate) use write_fields;

/// Why a list was not written to its end.
#[derive(Clone, Copy, Debug)]
pub enum Stop {
    /// The part at this index has failed.
    Failed(Failed, usize),
    /// There is no room for the bound of the part at this index.
    NoRoom(usize),
}

/// The end of the bytes that a list has stored. Where it stops, the writer is at the same position.
pub type ListEnd = core::result::Result<*mut u8, Stop>;

/// Fields that are written one after the other: `(a, (b, (c, ())))`.
///
/// The trait is sealed: its methods are internal to the crate.
pub trait FieldList: Copy + sealed::Sealed {
    /// Room to check before the first part: for all parts before the first one of variable size.
    const RUN: usize;

    /// # Safety
    ///
    /// If `READY`, there is room for `RUN` bytes.
    unsafe fn store<const READY: bool>(self, writer: &mut Writer<'_>, next: *mut u8, limit: u64, at: usize) -> ListEnd;

    /// Writes the parts from an index on; `steps` lead to the parts.
    fn store_each(self, writer: &mut Writer<'_>, from: usize, steps: &[Step]) -> core::result::Result<(), Failed>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for () {}
    impl<F, R> Sealed for (F, R) {}
}

/// Constant bytes in a list of fields: a header, a key.
#[derive(Clone, Copy, Debug)]
pub struct ListHead<const N: usize>(pub &'static [u8; N]);

/// A value in a list of fields.
#[derive(Debug)]
pub struct Field<'a, T: Packable + ?Sized>(pub &'a T);

impl<T: Packable + ?Sized> Clone for Field<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Packable + ?Sized> Copy for Field<'_, T> {}

impl FieldList for () {
    const RUN: usize = 0;

    #[inline(always)]
    unsafe fn store<const READY: bool>(self, _: &mut Writer<'_>, next: *mut u8, _: u64, _: usize) -> ListEnd {
        Ok(next)
    }

    fn store_each(self, _: &mut Writer<'_>, _: usize, _: &[Step]) -> core::result::Result<(), Failed> {
        Ok(())
    }
}

impl<const N: usize, R: FieldList> FieldList for (ListHead<N>, R) {
    const RUN: usize = N + R::RUN;

    #[inline(always)]
    unsafe fn store<const READY: bool>(self, writer: &mut Writer<'_>, next: *mut u8, limit: u64, at: usize) -> ListEnd {
        let room = if READY {
            Some(next)
        } else {
            writer.room_at(next, Self::RUN)
        };
        let Some(next) = room else {
            return Err(Stop::NoRoom(at));
        };
        // SAFETY: there is room for `RUN` bytes at `next`, and N is part of it; the rest of the
        // list is ready, as `R::RUN` bytes of room are left.
        unsafe {
            next.cast::<[u8; N]>().write(*self.0.0);
            self.1.store::<true>(writer, next.add(N), limit, at + 1)
        }
    }

    fn store_each(self, writer: &mut Writer<'_>, from: usize, steps: &[Step]) -> core::result::Result<(), Failed> {
        if from == 0 {
            writer.raw(self.0.0)?;
        }
        self.1
            .store_each(writer, from.saturating_sub(1), steps.get(1..).unwrap_or_default())
    }
}

impl<T: Packable + ?Sized, R: FieldList> FieldList for (Field<'_, T>, R) {
    const RUN: usize = if T::BOUND.is_fixed() { T::BOUND.max + R::RUN } else { 0 };

    #[inline(always)]
    unsafe fn store<const READY: bool>(self, writer: &mut Writer<'_>, next: *mut u8, limit: u64, at: usize) -> ListEnd {
        if const { !T::BOUND.exists() } {
            writer.next = next;
            if let Err(failed) = self.0.0.pack_into(writer) {
                return Err(Stop::Failed(failed, at));
            }
            let next = writer.next;
            // SAFETY: `READY` is false.
            return unsafe { self.1.store::<false>(writer, next, limit, at + 1) };
        }
        let room = if const { T::BOUND.fixed } {
            if READY {
                Some(next)
            } else {
                writer.room_at(next, Self::RUN)
            }
        } else {
            writer.room_at(
                next,
                const { T::BOUND.max + R::RUN } + (const { T::BOUND.extra })(self.0.0),
            )
        };
        let Some(next) = room else {
            return Err(Stop::NoRoom(at));
        };
        // SAFETY: there is room for the bound of the value and for `R::RUN` bytes after it: it was
        // requested above, or, if the bound is fixed and `READY` is true, both are part of `RUN`.
        unsafe {
            let next = (const { T::BOUND.store })(self.0.0, next, limit);
            self.1.store::<true>(writer, next, limit, at + 1)
        }
    }

    fn store_each(self, writer: &mut Writer<'_>, from: usize, steps: &[Step]) -> core::result::Result<(), Failed> {
        if from == 0 {
            if let Err(failed) = self.0.0.pack_into(writer) {
                return Err(writer.within(steps.first().copied().unwrap_or(Step::Same), failed));
            }
        }
        self.1
            .store_each(writer, from.saturating_sub(1), steps.get(1..).unwrap_or_default())
    }
}
