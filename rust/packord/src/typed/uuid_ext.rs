//! Uuids as ext type 85 (`spec/extensions.md` section 2), for `#[msgpacker(with = …)]`.
//!
//! ```
//! # #[cfg(feature = "derive")] {
//! use packord::{MsgPacker, Packable as _, Unpackable as _};
//! use uuid::Uuid;
//!
//! #[derive(MsgPacker)]
//! struct Session {
//!     #[msgpacker(with = packord::typed::uuid_ext)]
//!     id: Uuid,
//! }
//! let bytes = Session { id: Uuid::from_u128(7) }.pack_to_vec();
//! assert_eq!(bytes[..3], [0x91, 0xd8, 85]);
//! assert_eq!(Session::unpack(&bytes).unwrap().id, Uuid::from_u128(7));
//! # }
//! ```

use super::{Failed, Reader, Unpackable, Writer};
use uuid::Uuid;

/// Writes a uuid as an ext.
///
/// # Errors
///
/// `buffer_full`.
pub fn pack(uuid: &Uuid, writer: &mut Writer<'_>) -> Result<(), Failed> {
    writer.ext(crate::ext::UUID, uuid.as_bytes())
}

/// Reads a uuid in any form.
///
/// # Errors
///
/// `type_mismatch` for a value that is not a uuid.
pub fn unpack(reader: &mut Reader<'_>) -> Result<Uuid, Failed> {
    <Uuid as Unpackable>::unpack_from(reader)
}
