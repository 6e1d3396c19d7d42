//! Strings that are written, and strings and bytes that are borrowed from the input.

use super::unpackable_borrowed;
use crate::typed::raw::Bound;
use crate::typed::{Failed, Packable, Writer};
#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
use core::convert::identity;

impl Packable for str {
    const BOUND: Bound<str> = Bound::STR;

    #[inline(always)]
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        writer.str(self)
    }
}

unpackable_borrowed!(
    /// Borrowed from the input.
    &'a str, min_len 1, str identity
);
unpackable_borrowed!(
    /// A bin, borrowed from the input.
    &'a [u8], min_len 2, bin identity
);
#[cfg(feature = "alloc")]
unpackable_borrowed!(
    /// Borrowed from the input.
    Cow<'a, str>, min_len 1, str Cow::Borrowed
);
#[cfg(feature = "alloc")]
unpackable_borrowed!(
    /// A bin, borrowed from the input.
    Cow<'a, [u8]>, min_len 2, bin Cow::Borrowed
);
