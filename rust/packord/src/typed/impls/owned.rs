//! Vectors, strings, and `Cow` where it owns.

use super::packable_as_inner;
use super::unpackable;
use crate::typed::raw::owned_text;
use crate::typed::{Failed, Packable, Reader, Unpackable};
use alloc::borrow::{Cow, ToOwned};
use alloc::{boxed::Box, rc::Rc, string::String, sync::Arc, vec::Vec};

packable_as_inner!([T: Packable] Vec<T>, [T], |values| values);
// An array; for bytes a bin too. Empty ones are common.
unpackable!([T] Vec<T>, leaf false, min_len 1, quick |cursor| cursor.empty_array().then(Vec::new), |reader| T::unpack_vec(reader));

packable_as_inner!([] String, str, |text| text);

macro_rules! texts {
    ($($type:ty => $quick:expr;)*) => {$(
        unpackable!([] $type, leaf true, min_len 1, quick |cursor| cursor.str().map($quick), |reader| {
            reader.str().map(<$type>::from)
        });
    )*};
}
texts! { String => owned_text; Box<str> => Box::from; Rc<str> => Rc::from; Arc<str> => Arc::from; }

/// Owned, as the value may outlive the input.
impl<T: ToOwned + ?Sized> Unpackable for Cow<'_, T>
where
    T::Owned: Unpackable,
{
    const LEAF: bool = <T::Owned as Unpackable>::LEAF;
    const MIN_LEN: usize = <T::Owned as Unpackable>::MIN_LEN;

    fn unpack_from(reader: &mut Reader<'_>) -> Result<Self, Failed> {
        <T::Owned as Unpackable>::unpack_from(reader).map(Cow::Owned)
    }
}
