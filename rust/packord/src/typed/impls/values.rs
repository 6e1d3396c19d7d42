//! Values of any type within typed ones.

use super::unpackable;
use crate::encode::EncodeOptions;
use crate::ext::Timestamp;
use crate::read::tree::part;
use crate::typed::{Failed, Packable, Reader, UnpackableBorrowed, Writer};
use crate::value::{Ext, Integer, Tree, Value, ValueRef};
use alloc::boxed::Box;

impl<S: AsRef<str>, B: AsRef<[u8]>> Packable for Tree<S, B> {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        // While records are on, integers take the formats that records require; maps stay maps.
        let records = writer.state.records.is_some();
        let options = EncodeOptions::new().max_depth(writer.state.depth.left());
        match options.records(records).max_own_structures(0).encode(self) {
            Ok(bytes) => writer.raw(&bytes),
            Err(error) => {
                let failed = writer.fail(error.kind());
                if let Some(inner) = error.path().and_then(|path| path.strip_prefix('$')) {
                    writer.state.faults.within_path(inner);
                }
                Err(failed)
            }
        }
    }
}

unpackable!([] Value, leaf false, min_len 1, |reader| {
    if reader.state.records.is_some() {
        return reader.value_with_records();
    }
    reader.plain(part::<Box<str>>)
});

/// Borrowed from the input.
impl<'a, 'de: 'a> UnpackableBorrowed<'de> for ValueRef<'a> {
    fn unpack_from(reader: &mut Reader<'de>) -> Result<Self, Failed> {
        if reader.state.records.is_some() {
            return reader.value_ref_with_records();
        }
        reader.plain(part::<&'a str>)
    }
}

impl Packable for Integer {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        self.as_i128().pack_into(writer)
    }
}

unpackable!([] Integer, leaf true, min_len 1, |reader| {
    let marker = reader.peek()?;
    let start = reader.position();
    let value = reader.int_slow(marker)?;
    Integer::try_from(value).map_err(|_| reader.out_of_range("Integer", start))
});

impl<B: AsRef<[u8]>> Packable for Ext<B> {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        writer.ext(self.kind(), self.payload())
    }
}

unpackable!([] Ext<Box<[u8]>>, leaf true, min_len 2, |reader| {
    let place = reader.place();
    let (kind, payload) = reader.ext()?;
    if kind != Timestamp::EXT_TYPE {
        return Ok(Ext::new(kind, payload));
    }
    reader.restore(place);
    reader.timestamp()?;
    Err(reader.unexpected("another ext", place.position))
});
