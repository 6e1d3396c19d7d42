//! Extension types (`spec/extensions.md`): timestamps, bigints, and the numbers of the others.

mod bigint;
#[cfg_attr(
    not(any(feature = "chrono", feature = "jiff", feature = "time")),
    allow(dead_code, reason = "dates are those of these crates")
)]
pub(crate) mod iso;
mod timestamp;

#[cfg(feature = "alloc")]
pub(crate) use bigint::shorten;
pub use bigint::{bigint_payload, bigint_value};
#[cfg(feature = "serde")]
pub(crate) use timestamp::DAY;
pub(crate) use timestamp::NANOS;
pub use timestamp::{ParseTimestampError, Timestamp, days_from_date};

/// A timestamp: [`Timestamp`].
pub const TIMESTAMP: i8 = Timestamp::EXT_TYPE;
/// JavaScript's undefined: one byte `00`.
pub const UNDEFINED: i8 = 0;
/// Returns whether an ext is JavaScript's undefined, which is always known.
pub(crate) const fn is_undefined(kind: i8, payload: &[u8]) -> bool {
    kind == UNDEFINED && matches!(payload, [0])
}

/// Returns whether JavaScript's undefined is next, with any header. A typed target that may be absent
/// takes it as absent.
#[inline]
pub(crate) fn at_undefined(bytes: &[u8]) -> bool {
    use crate::wire::marker as m;
    match bytes {
        [m::FIXEXT1, rest @ ..] => rest.starts_with(&[0, 0]),
        [m::EXT8, rest @ ..] => rest.starts_with(&[1, 0, 0]),
        [m::EXT16, rest @ ..] => rest.starts_with(&[0, 1, 0, 0]),
        [m::EXT32, rest @ ..] => rest.starts_with(&[0, 0, 0, 1, 0, 0]),
        _ => false,
    }
}

/// An integer outside −2^63 to 2^64 − 1, as big-endian two's complement.
pub const BIGINT: i8 = 0x42;
/// What an error says of such an integer.
pub(crate) const NEEDS_BIGINT: &str = "the option bigint writes integers beyond 64 bits";
/// Numbers of one type: one byte that names the type, then the numbers, little-endian.
pub const TYPED_ARRAY: i8 = 0x74;
/// A keyword: UTF-8 of `name` or `namespace/name`.
pub const KEYWORD: i8 = 80;
/// A symbol: UTF-8 of `name` or `namespace/name`.
pub const SYMBOL: i8 = 81;
/// A character: UTF-8 of one code point.
pub const CHARACTER: i8 = 82;
/// A ratio: two MessagePack integers or bigints.
pub const RATIO: i8 = 83;
/// A decimal number: scale, then the unscaled value as two's complement.
pub const DECIMAL: i8 = 84;
/// A UUID: 16 bytes.
pub const UUID: i8 = 85;
/// A set: one MessagePack array.
pub const SET: i8 = 86;
/// A date: days since 1970-01-01, i32.
pub const DATE: i8 = 87;
/// A time of day: nanoseconds since midnight, u64.
pub const TIME: i8 = 88;
/// A duration: nanoseconds u32, seconds i64.
pub const DURATION: i8 = 89;

/// Returns whether a bigint's payload is the one that the canonical writer writes: the shortest,
/// of a number outside the range of plain integers.
pub(crate) fn is_canonical_bigint(payload: &[u8]) -> bool {
    let shortest = match payload {
        [] => false,
        [0, next, ..] => next & 0x80 != 0,
        [0xff, next, ..] => next & 0x80 == 0,
        _ => true,
    };
    // A number up to 2^64 − 1 in nine bytes is 00 and eight more.
    let plain = payload.len() <= 8 || payload.len() == 9 && payload[0] == 0;
    shortest && !plain
}
