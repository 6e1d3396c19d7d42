//! Ext types: timestamps, and packord's own (`spec/extensions.md`).

pub mod timestamp;
pub mod typed_array;

pub const KEYWORD: i8 = 80;
pub const CHARACTER: i8 = 82;
pub const RATIO: i8 = 83;
pub const DECIMAL: i8 = 84;
pub const UUID: i8 = 85;
pub const SET: i8 = 86;
pub const DATE: i8 = 87;
pub const TIME: i8 = 88;
pub const DURATION: i8 = 89;
