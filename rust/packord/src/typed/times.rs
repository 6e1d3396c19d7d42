//! [`TimestampLike`]: types that `#[msgpacker(timestamp)]` writes as timestamps.

use super::state::Failed;
use super::{Reader, Writer};
use crate::error::ErrorKind;
use crate::ext::Timestamp;
use core::time::Duration;

/// The type of a field with `#[msgpacker(timestamp)]`: a point in time, or a number of seconds since
/// 1970.
///
/// ```
/// use packord::{Timestamp, typed::TimestampLike};
/// assert_eq!(5_i64.to_timestamp(), Timestamp::new(5, 0));
/// assert_eq!(i64::from_timestamp(Timestamp::new(5, 0).unwrap()), Some(5));
/// assert_eq!(i64::from_timestamp(Timestamp::new(5, 1).unwrap()), None);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a timestamp",
    note = "`#[msgpacker(timestamp)]` is for seconds as integers, `Duration`, `SystemTime`, and the times of chrono, jiff and time with their features"
)]
pub trait TimestampLike: Sized {
    /// Returns the timestamp, or `None` if no timestamp can hold the time (`out_of_range`).
    fn to_timestamp(&self) -> Option<Timestamp>;

    /// Returns the value of a timestamp, or `None` if the type cannot hold it (`out_of_range`).
    fn from_timestamp(at: Timestamp) -> Option<Self>;

    #[doc(hidden)]
    fn write(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        match self.to_timestamp() {
            Some(at) => writer.timestamp(at),
            None => Err(writer.fail(ErrorKind::OutOfRange)),
        }
    }

    #[doc(hidden)]
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failed> {
        let start = reader.position();
        let at = reader.timestamp()?;
        Self::from_timestamp(at).ok_or_else(|| reader.out_of_range("the type", start))
    }

    /// Returns the value of a field that is missing in a map.
    #[doc(hidden)]
    #[must_use]
    fn absent() -> Option<Self> {
        None
    }
}

impl TimestampLike for Timestamp {
    fn to_timestamp(&self) -> Option<Timestamp> {
        Some(*self)
    }

    fn from_timestamp(at: Timestamp) -> Option<Timestamp> {
        Some(at)
    }
}

/// nil for `None`.
impl<T: TimestampLike> TimestampLike for Option<T> {
    fn to_timestamp(&self) -> Option<Timestamp> {
        self.as_ref()?.to_timestamp()
    }

    fn from_timestamp(at: Timestamp) -> Option<Option<T>> {
        T::from_timestamp(at).map(Some)
    }

    fn write(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        match self {
            Some(value) => value.write(writer),
            None => writer.nil(),
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, Failed> {
        if reader.none() {
            Ok(None)
        } else {
            T::read(reader).map(Some)
        }
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

macro_rules! seconds {
    ($($int:ty)*) => {$(
        /// Whole seconds since 1970.
        impl TimestampLike for $int {
            fn to_timestamp(&self) -> Option<Timestamp> {
                Timestamp::new(i64::try_from(*self).ok()?, 0)
            }

            fn from_timestamp(at: Timestamp) -> Option<$int> {
                if at.nanoseconds() == 0 { at.seconds().try_into().ok() } else { None }
            }
        }
    )*};
}

seconds!(i32 i64 u32 u64);

/// The time since 1970.
impl TimestampLike for Duration {
    fn to_timestamp(&self) -> Option<Timestamp> {
        Timestamp::new(i64::try_from(self.as_secs()).ok()?, self.subsec_nanos())
    }

    fn from_timestamp(at: Timestamp) -> Option<Duration> {
        Some(Duration::new(u64::try_from(at.seconds()).ok()?, at.nanoseconds()))
    }
}
