//! Streams between packord and the libraries of Arrow, by the Arrow C data interface.

use arrow_array::RecordBatchReader;
use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_schema::ArrowError;
use packord::columns::arrow::ArrowArrayStream;

/// Returns batches as a stream that packord reads.
pub fn to_packord(batches: Box<dyn RecordBatchReader + Send>) -> ArrowArrayStream {
    let mut stream = FFI_ArrowArrayStream::new(batches);
    // SAFETY: both types are the struct of the C data interface, the stream is valid, and this thread alone has
    // it. What is taken out of it is marked as released there.
    let taken = unsafe { ArrowArrayStream::take((&raw mut stream).cast()) };
    taken.unwrap_or_else(ArrowArrayStream::released)
}

/// Returns the batches of a stream of packord.
pub fn from_packord(mut stream: ArrowArrayStream) -> Result<ArrowArrayStreamReader, ArrowError> {
    // SAFETY: as above, the other way round: `from_raw` leaves an empty stream behind.
    unsafe { ArrowArrayStreamReader::from_raw((&raw mut stream).cast()) }
}
