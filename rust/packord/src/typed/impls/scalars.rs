//! Numbers, booleans, characters, nil.

use super::unpackable;
use crate::error::ErrorKind;
use crate::ext;
use crate::typed::detail::Detail;
use crate::typed::raw::{AsBytes, Bound};
use crate::typed::{Cursor, Failed, Packable, Writer};
use crate::wire::marker as m;
use core::marker::PhantomData;

macro_rules! bounded {
    ($($type:ty, $bound:ident $(, $as_bytes:ident)?;)*) => {$(
        impl Packable for $type {
            const BOUND: Bound<$type> = Bound::$bound;
            $(const AS_BYTES: AsBytes<$type> = AsBytes::$as_bytes;)?

            #[inline(always)]
            fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
                writer.bounded(self, Self::BOUND)
            }
        }
    )*};
}

bounded! {
    u8, U8, YES; u16, U16; u32, U32; u64, U64; usize, USIZE;
    i8, I8; i16, I16; i32, I32; i64, I64; isize, ISIZE;
    f32, F32; f64, F64; bool, BOOL; (), UNIT;
}

macro_rules! ints {
    ($read:ident $read_four:ident: $($type:ty $(, $item:item)*);*) => {$(
        unpackable!([] $type, leaf true, min_len 1,
        quick |cursor| cursor.$read::<{ size_of::<$type>() }>().map(|value| value as $type),
        |reader| {
            let start = reader.position();
            let wide = reader.$read();
            let wide = wide.map_err(|failed| reader.target(failed, stringify!($type)))?;
            <$type>::try_from(wide).map_err(|_| reader.out_of_range(stringify!($type), start))
        },
        const FOUR: bool = size_of::<$type>() > 1;,
        // The widths of numbers of 8 bits cannot be predicted.
        #[inline(always)]
        fn quick_four(cursor: &mut Cursor<'_>) -> Option<[Self; 4]> {
            let four = cursor.$read_four::<{ size_of::<$type>() }>()?;
            Some(four.map(|value| value as $type))
        }
        $(, $item)*);
    )*};
}

ints!(uint four_uints: u16; u32; usize; u64,
#[cfg(feature = "alloc")]
fn unpack_vec(reader: &mut crate::typed::Reader<'_>) -> Result<alloc::vec::Vec<u64>, Failed> {
    crate::typed::collect::vec(
        reader,
        true,
        1,
        (Some(|cursor: &mut Cursor<'_>| cursor.four_uints::<8>()), |cursor: &mut Cursor<'_>| cursor.word().or_else(|| cursor.uint::<8>())),
        <u64 as crate::typed::Unpackable>::unpack_from,
    )
});
ints!(int four_ints: i8; i16; i32; i64; isize);

ints!(uint four_uints: u8,
    #[cfg(feature = "alloc")]
    fn unpack_vec(reader: &mut crate::typed::Reader<'_>) -> Result<alloc::vec::Vec<u8>, Failed> {
        if reader.at_array()? {
            return crate::typed::collect::vec(
                reader,
                true,
                1,
                (None::<fn(&mut Cursor<'_>) -> Option<[u8; 4]>>, |cursor: &mut Cursor<'_>| cursor.uint::<1>().map(|value| value as u8)),
                <u8 as crate::typed::Unpackable>::unpack_from,
            );
        }
        Ok(reader.bin()?.into())
    },

    fn unpack_array<const N: usize>(reader: &mut crate::typed::Reader<'_>) -> Result<[u8; N], Failed> {
        if reader.at_array()? {
            return crate::typed::array::read_array(
                reader,
                true,
                |cursor| cursor.uint::<1>().map(|value| value as u8),
                <u8 as crate::typed::Unpackable>::unpack_from,
            );
        }
        let start = reader.position();
        let bytes = reader.bin()?;
        bytes.try_into().map_err(|_| {
            let detail = Detail::ArrayLength(N, bytes.len());
            reader.fail_with(ErrorKind::TypeMismatch, start, detail)
        })
    }
);

unpackable!([] f64, leaf true, min_len 1, quick |cursor| cursor.f64(), |reader| reader.number_f64(),
    const FOUR: bool = true;,
    #[inline(always)]
    fn quick_four(cursor: &mut Cursor<'_>) -> Option<[f64; 4]> {
        Some(cursor.four_floats(m::FLOAT64)?.map(f64::from_be_bytes))
    }
);
unpackable!([] f32, leaf true, min_len 1, quick |cursor| cursor.f32(), |reader| reader.number_f32(),
    const FOUR: bool = true;,
    #[inline(always)]
    fn quick_four(cursor: &mut Cursor<'_>) -> Option<[f32; 4]> {
        Some(cursor.four_floats(m::FLOAT32)?.map(f32::from_be_bytes))
    }
);
unpackable!([] bool, leaf true, min_len 1, quick |cursor| cursor.bool(), |reader| reader.bool(),
    const FOUR: bool = true;,
    #[inline(always)]
    fn quick_four(cursor: &mut Cursor<'_>) -> Option<[bool; 4]> {
        cursor.four_bools()
    }
);
unpackable!([] (), leaf true, min_len 1, quick |cursor| cursor.nil().then_some(()), |reader| {
    if reader.nil() { Ok(()) } else { Err(reader.not_nil()) }
});
unpackable!([; T {?Sized}] PhantomData<T>, leaf true, min_len 1, |reader| {
    if reader.nil() { Ok(PhantomData) } else { Err(reader.not_nil()) }
});

/// nil.
impl<T: ?Sized> Packable for PhantomData<T> {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        writer.nil()
    }
}

/// An integer. One that 64 bits cannot hold is `out_of_range`, and a bigint (`spec/extensions.md` section 3)
/// with the option `bigint`.
impl Packable for i128 {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        if let Ok(small) = i64::try_from(*self) {
            return small.pack_into(writer);
        }
        if let Ok(small) = u64::try_from(*self) {
            return small.pack_into(writer);
        }
        let (bytes, begin) = ext::bigint_payload(*self);
        writer.bigint(&bytes[begin..])
    }
}

/// As `i128`, up to 2^128 − 1.
impl Packable for u128 {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        if let Ok(signed) = i128::try_from(*self) {
            return signed.pack_into(writer);
        }
        let mut bytes = [0; 17];
        bytes[1..].copy_from_slice(&self.to_be_bytes());
        writer.bigint(&bytes)
    }
}

unpackable!([] i128, leaf true, min_len 1, |reader| reader.int_128());
unpackable!([] u128, leaf true, min_len 1, |reader| reader.uint_128());

/// A str of one character; an ext with the option `rich`.
impl Packable for char {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        let mut space = [0; 4];
        let text = self.encode_utf8(&mut space);
        if writer.state.forms.rich {
            return writer.ext(ext::CHARACTER, text.as_bytes());
        }
        writer.str(text)
    }
}

// A str or an ext of one character, or its code point as an integer.
unpackable!([] char, leaf true, min_len 1, |reader| reader.character());
