//! Strings and bytes.

use crate::typed::raw::Bound;
use crate::typed::{Cursor, Failed, Packable, Reader, UnpackableBorrowed, Writer};

#[cfg(feature = "alloc")]
use super::{packable_as_inner, unpackable};
#[cfg(feature = "alloc")]
use crate::typed::raw::owned_text;
#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, boxed::Box, rc::Rc, string::String, sync::Arc};

impl Packable for str {
    const BOUND: Bound<str> = Bound::STR;

    #[inline(always)]
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        writer.str(self)
    }
}

#[cfg(feature = "alloc")]
packable_as_inner!([] String, str, |text| text);

#[cfg(feature = "alloc")]
unpackable!([] String, leaf true, min_len 1, quick |cursor| cursor.str().map(owned_text), |reader| {
    Ok(String::from(reader.str()?))
});
#[cfg(feature = "alloc")]
unpackable!([] Box<str>, leaf true, min_len 1, quick |cursor| cursor.str().map(Box::from), |reader| {
    Ok(Box::from(reader.str()?))
});
#[cfg(feature = "alloc")]
unpackable!([] Rc<str>, leaf true, min_len 1, quick |cursor| cursor.str().map(Rc::from), |reader| {
    Ok(Rc::from(reader.str()?))
});
#[cfg(feature = "alloc")]
unpackable!([] Arc<str>, leaf true, min_len 1, quick |cursor| cursor.str().map(Arc::from), |reader| {
    Ok(Arc::from(reader.str()?))
});

impl<'a, 'de: 'a> UnpackableBorrowed<'de> for &'a str {
    const LEAF: bool = true;

    #[inline(always)]
    fn quick(cursor: &mut Cursor<'de>) -> Option<Self> {
        cursor.str()
    }

    #[inline(always)]
    fn unpack_from(reader: &mut Reader<'de>) -> Result<Self, Failed> {
        reader.str()
    }
}

/// A bin.
impl<'a, 'de: 'a> UnpackableBorrowed<'de> for &'a [u8] {
    const LEAF: bool = true;
    const MIN_LEN: usize = 2;

    #[inline(always)]
    fn quick(cursor: &mut Cursor<'de>) -> Option<Self> {
        cursor.bin()
    }

    #[inline(always)]
    fn unpack_from(reader: &mut Reader<'de>) -> Result<Self, Failed> {
        reader.bin()
    }
}

/// Borrowed from the input.
#[cfg(feature = "alloc")]
impl<'a, 'de: 'a> UnpackableBorrowed<'de> for Cow<'a, str> {
    const LEAF: bool = true;

    #[inline(always)]
    fn quick(cursor: &mut Cursor<'de>) -> Option<Self> {
        cursor.str().map(Cow::Borrowed)
    }

    #[inline(always)]
    fn unpack_from(reader: &mut Reader<'de>) -> Result<Self, Failed> {
        reader.str().map(Cow::Borrowed)
    }
}

/// A bin, borrowed from the input.
#[cfg(feature = "alloc")]
impl<'a, 'de: 'a> UnpackableBorrowed<'de> for Cow<'a, [u8]> {
    const LEAF: bool = true;
    const MIN_LEN: usize = 2;

    #[inline(always)]
    fn quick(cursor: &mut Cursor<'de>) -> Option<Self> {
        cursor.bin().map(Cow::Borrowed)
    }

    #[inline(always)]
    fn unpack_from(reader: &mut Reader<'de>) -> Result<Self, Failed> {
        reader.bin().map(Cow::Borrowed)
    }
}

/// Owned, as the value may outlive the input.
#[cfg(feature = "alloc")]
impl<T: alloc::borrow::ToOwned + ?Sized> crate::typed::Unpackable for Cow<'_, T>
where
    T::Owned: crate::typed::Unpackable,
{
    const LEAF: bool = <T::Owned as crate::typed::Unpackable>::LEAF;
    const MIN_LEN: usize = <T::Owned as crate::typed::Unpackable>::MIN_LEN;

    fn unpack_from(reader: &mut Reader<'_>) -> Result<Self, Failed> {
        <T::Owned as crate::typed::Unpackable>::unpack_from(reader).map(Cow::Owned)
    }
}
