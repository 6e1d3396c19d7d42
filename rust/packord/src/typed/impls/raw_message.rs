//! Messages that are passed on as they are.

use super::unpackable;
use crate::encode::EncodeOptions;
use crate::error::ErrorKind;
use crate::options::DecodeOptions;
use crate::typed::detail::Detail;
use crate::typed::{Failed, Packable, Reader, Unpackable, UnpackableBorrowed, Writer};
use crate::value::Value;
use crate::walk::RawMessage;

impl<B: AsRef<[u8]>> Packable for RawMessage<B> {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        let options = DecodeOptions::new().max_depth(writer.state.depth.left());
        if writer.state.records.is_some() {
            return match options.decode(self.as_bytes()) {
                Ok(value) => value.pack_into(writer),
                Err(error) => Err(writer.fail(error.kind())),
            };
        }
        match options.validate(self.as_bytes()) {
            Ok(()) => writer.raw(self.as_bytes()),
            Err(error) => Err(writer.fail(error.kind())),
        }
    }

    fn packed_len_bound(&self) -> usize {
        self.as_bytes().len()
    }
}

/// Takes the bytes of the next value.
fn take<'de>(reader: &mut Reader<'de>) -> Result<&'de [u8], Failed> {
    let start = reader.position();
    reader.skip()?;
    Ok(&reader.input()[start..reader.position()])
}

unpackable!([] RawMessage, leaf false, min_len 1, |reader| {
    if reader.state.records.is_none() {
        return Ok(RawMessage::checked(take(reader)?.to_vec()));
    }
    let value = <Value as Unpackable>::unpack_from(reader)?;
    match EncodeOptions::new().encode(&value) {
        Ok(bytes) => Ok(RawMessage::checked(bytes)),
        Err(error) => Err(reader.fail(error.kind())),
    }
});

/// Borrowed from the input.
impl<'a, 'de: 'a> UnpackableBorrowed<'de> for RawMessage<&'a [u8]> {
    fn unpack_from(reader: &mut Reader<'de>) -> Result<Self, Failed> {
        if reader.state.records.is_some() {
            return Err(reader.fail_with(ErrorKind::TypeMismatch, reader.position(), Detail::BORROWED_RECORD));
        }
        take(reader).map(RawMessage::checked)
    }
}
