//! [`Failed`]: the result of a read or write that failed.

/// A read or write failed. The [`Reader`](super::Reader) or [`Writer`](super::Writer) that returned
/// it keeps the error, so that results stay small.
///
/// ```
/// use packord::typed::{Failed, Writer};
/// use packord::{ErrorKind, Packable};
///
/// struct Never;
/// impl Packable for Never {
///     fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
///         Err(writer.fail(ErrorKind::UnsupportedType))
///     }
/// }
/// assert_eq!(Never.try_pack_to_vec().unwrap_err().kind(), ErrorKind::UnsupportedType);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed(pub(super) ());
