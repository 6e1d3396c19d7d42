//! [`ValueSink`]: receives the values that a decoder reads.

#[cfg(feature = "alloc")]
use super::hook::{ColumnsExt, OrMalformed};
#[cfg(feature = "alloc")]
use super::rules::Rules;
use crate::ext::Timestamp;
#[cfg(feature = "alloc")]
use crate::record::RecordHead;
use crate::value::Integer;

/// Receives values, and returns what they become.
pub(crate) trait ValueSink<'a> {
    type Out;
    fn nil(&mut self) -> Self::Out;
    fn bool(&mut self, value: bool) -> Self::Out;
    fn int(&mut self, value: Integer) -> Self::Out;
    fn f32(&mut self, bits: u32) -> Self::Out;
    fn f64(&mut self, bits: u64) -> Self::Out;
    fn str(&mut self, text: &'a str) -> Self::Out;
    /// Receives a str that is not UTF-8, if an option accepts it.
    fn broken_str(&mut self, bytes: &'a [u8]) -> Self::Out;
    fn bin(&mut self, bytes: &'a [u8]) -> Self::Out;
    /// Receives an ext other than a timestamp: its type, then its payload.
    fn ext(&mut self, tagged: &'a [u8]) -> Self::Out;
    fn timestamp(&mut self, at: Timestamp) -> Self::Out;
    fn array(&mut self, count: usize) -> Self::Out;
    fn map(&mut self, count: usize) -> Self::Out;
    #[cfg(feature = "alloc")]
    fn record(&mut self, head: RecordHead) -> Self::Out;
    /// Receives columns that are to be read. Without a result they are checked, and received as
    /// an ext.
    #[cfg(feature = "alloc")]
    fn columns(&mut self, _: &ColumnsExt<'a>, _: &Rules) -> Option<OrMalformed<Self::Out>> {
        None
    }
}

/// The methods of a sink that only make one expression of what they receive.
macro_rules! makes {
    ($($(#[$attr:meta])* $method:ident($($value:ident: $type:ty)?) => $made:expr;)*) => {$(
        $(#[$attr])*
        #[inline(always)]
        fn $method(&mut self $(, $value: $type)?) -> Self::Out {
            $made
        }
    )*};
}
pub(crate) use makes;

/// The sink that discards values, for checks only.
pub(crate) struct Nothing;

impl ValueSink<'_> for Nothing {
    type Out = ();
    fn nil(&mut self) {}
    fn bool(&mut self, _: bool) {}
    fn int(&mut self, _: Integer) {}
    fn f32(&mut self, _: u32) {}
    fn f64(&mut self, _: u64) {}
    fn str(&mut self, _: &str) {}
    fn broken_str(&mut self, _: &[u8]) {}
    fn bin(&mut self, _: &[u8]) {}
    fn ext(&mut self, _: &[u8]) {}
    fn timestamp(&mut self, _: Timestamp) {}
    fn array(&mut self, _: usize) {}
    fn map(&mut self, _: usize) {}
    #[cfg(feature = "alloc")]
    fn record(&mut self, _: RecordHead) {}
}
