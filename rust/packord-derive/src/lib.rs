//! The derive macros of [packord](https://docs.rs/packord), which re-exports them: use them from
//! there, with its feature `derive`. This page is their reference.
//!
//! | macro | traits |
//! |---|---|
//! | [`MsgPacker`](macro@MsgPacker) | `Packable` and `Unpackable` |
//! | [`MsgPackerBorrowed`](macro@MsgPackerBorrowed) | `Packable` and `UnpackableBorrowed` |
//! | [`MsgUnpackerBorrowed`](macro@MsgUnpackerBorrowed) | `UnpackableBorrowed` |
//! | [`Packable`](macro@Packable), [`Unpackable`](macro@Unpackable) | the one trait |
//!
//! Structs, tuple structs, unit structs and enums can be derived for, with type parameters and
//! lifetimes. Each parameter that a field mentions gets the bound of the trait, unless the field
//! is a `PhantomData`. A wrong attribute is an error of the compiler at its place.
//!
//! Without attributes a struct is an array of its fields. A tuple struct of one field is that
//! field, a unit struct is nil.
//!
//! ```
//! use packord::{MsgPacker, Packable, Unpackable};
//!
//! #[derive(MsgPacker)]
//! struct Point { x: i32, y: i32 }
//! #[derive(MsgPacker)]
//! struct Meters(u32);
//! #[derive(MsgPacker)]
//! struct Marker;
//!
//! assert_eq!(Point { x: 1, y: -1 }.pack_to_vec(), b"\x92\x01\xff");
//! assert_eq!(Meters(5).pack_to_vec(), b"\x05");
//! assert_eq!(Marker.pack_to_vec(), b"\xc0");
//! assert_eq!(Point::unpack(b"\x92\x01\xff").unwrap().y, -1);
//! ```
//!
//! # Attributes of types
//!
//! ## `array`
//!
//! The default: fields in their order, without names. When reading, an array that is too short
//! leaves fields to their [`default`](#default), and `None` to an `Option`; elements too many are
//! skipped. So fields can be added at the end.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! #[derive(MsgPacker)]
//! #[msgpacker(array)]
//! struct Pair { a: u8, b: Option<u8> }
//! assert_eq!(Pair { a: 1, b: Some(2) }.pack_to_vec(), b"\x92\x01\x02");
//! assert_eq!(Pair::unpack(b"\x91\x01").unwrap().b, None);
//! assert_eq!(Pair::unpack(b"\x93\x01\x02\x03").unwrap().b, Some(2));
//! ```
//!
//! ## `map`
//!
//! A map from the names of the fields. Entries are read in any order, and unknown ones skipped;
//! of a key that is there twice the last entry counts. A field that is missing is
//! `type_mismatch`, unless it has a [`default`](#default) or is an `Option`, which is `None` then.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! #[derive(MsgPacker)]
//! #[msgpacker(map)]
//! struct Pair { a: u8, b: Option<u8> }
//! assert_eq!(Pair { a: 1, b: None }.pack_to_vec(), b"\x82\xa1a\x01\xa1b\xc0");
//! assert_eq!(Pair::unpack(b"\x82\xa1x\x05\xa1a\x01").unwrap().a, 1);
//! assert_eq!(Pair::unpack(b"\x80").err().unwrap().path(), Some("$.a"));
//! ```
//!
//! An `Option<Option<T>>` cannot be told from an `Option<T>` by its bytes: `Some(None)` is nil,
//! and is read as `None`.
//!
//! ## `record`
//!
//! As [`map`](#map); and where records are on, a record, whose keys are written once in a message:
//! with `EncodeOptions::records` or a `RecordEncoder`. Reading needs `DecodeOptions::records`, or a
//! `RecordDecoder`.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable, EncodeOptions, DecodeOptions};
//! #[derive(Debug, PartialEq, MsgPacker)]
//! #[msgpacker(record)]
//! struct Item { id: u8 }
//! let items = vec![Item { id: 1 }, Item { id: 2 }];
//! assert_eq!(items.pack_to_vec(), b"\x92\x81\xa2id\x01\x81\xa2id\x02");
//! let records = EncodeOptions::new().records(true).pack(&items).unwrap();
//! assert_eq!(records, b"\x92\xd4\x72\x40\x91\xa2id\x01\x40\x02");
//! assert_eq!(DecodeOptions::new().records(true).unpack::<Vec<Item>>(&records).unwrap(), items);
//! ```
//!
//! ## `headerless`
//!
//! What the crate msgpacker writes: the fields one after another, with nothing around them; of
//! fields that are arrays or tuples the elements; of enums the number of the variant, then its
//! fields. **This is not one MessagePack value**, and no other reader can read it. It is here to
//! read old data.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! #[derive(MsgPacker)]
//! #[msgpacker(headerless)]
//! struct Old { a: u8, b: [u8; 2], c: String }
//! let old = Old::unpack(b"\x01\x02\x03\xa1x").unwrap();
//! assert_eq!((old.a, old.b, &*old.c), (1, [2, 3], "x"));
//! assert_eq!(old.pack_to_vec(), b"\x01\x02\x03\xa1x");
//! ```
//!
//! ## `rename_all`
//!
//! The names of fields, or of an enum's variants, in another case: `lowercase`, `UPPERCASE`,
//! `PascalCase`, `camelCase`, `snake_case`, `SCREAMING_SNAKE_CASE`, `kebab-case`,
//! `SCREAMING-KEBAB-CASE`. On a variant it is for its fields.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! #[derive(MsgPacker)]
//! #[msgpacker(map, rename_all = "camelCase")]
//! struct User { first_name: u8 }
//! assert_eq!(User { first_name: 1 }.pack_to_vec(), b"\x81\xa9firstName\x01");
//! ```
//!
//! ## `deny_unknown_fields`
//!
//! A key that is no field, or an element too many, is `type_mismatch`.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! #[derive(MsgPacker)]
//! #[msgpacker(map, deny_unknown_fields)]
//! struct Strict { a: u8 }
//! assert_eq!(Strict::unpack(b"\x82\xa1a\x01\xa1b\x02").err().unwrap().offset(), Some(4));
//! ```
//!
//! ## `crate`
//!
//! Where packord is, if not at `::packord`. It changes no byte.
//!
//! ```
//! mod other {
//!     pub use packord;
//! }
//! # use packord::Packable;
//! #[derive(packord::MsgPacker)]
//! #[msgpacker(crate = other::packord)]
//! struct Pair(u8, u8);
//! assert_eq!(Pair(1, 2).pack_to_vec(), b"\x92\x01\x02");
//! ```
//!
//! # Enums
//!
//! Without attributes: the name of a unit variant, and for others a map from the name to the
//! content, laid out as the type says. serde calls this externally tagged.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! #[derive(MsgPacker)]
//! enum Shape { Empty, Circle(u8), Line(u8, u8), Square { side: u8 } }
//! assert_eq!(Shape::Empty.pack_to_vec(), b"\xa5Empty");
//! assert_eq!(Shape::Circle(3).pack_to_vec(), b"\x81\xa6Circle\x03");
//! assert_eq!(Shape::Line(1, 2).pack_to_vec(), b"\x81\xa4Line\x92\x01\x02");
//! assert_eq!(Shape::Square { side: 4 }.pack_to_vec(), b"\x81\xa6Square\x91\x04");
//! ```
//!
//! ## `tag`
//!
//! A map of the fields, with the variant's name under a key of its own, which is written first
//! and found anywhere. Variants of one unnamed field hold a type that is a map itself.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! #[derive(MsgPacker)]
//! #[msgpacker(tag = "t")]
//! enum Event { Stop, Move { x: u8 } }
//! assert_eq!(Event::Move { x: 1 }.pack_to_vec(), b"\x82\xa1t\xa4Move\xa1x\x01");
//! assert!(matches!(Event::unpack(b"\x82\xa1x\x05\xa1t\xa4Move"), Ok(Event::Move { x: 5 })));
//! ```
//!
//! ## `untagged`
//!
//! The content alone. When reading, the first variant that fits is taken. How much may be read
//! again on the way is bounded: beyond 32 times the input the error is `length_limit`.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! #[derive(MsgPacker)]
//! #[msgpacker(untagged)]
//! enum Id { Number(u64), Name(String) }
//! assert_eq!(Id::Number(7).pack_to_vec(), b"\x07");
//! assert!(matches!(Id::unpack(b"\xa1x"), Ok(Id::Name(name)) if name == "x"));
//! ```
//!
//! ## `c_enum`
//!
//! The number of the variant, for enums without fields.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! #[derive(MsgPacker)]
//! #[msgpacker(c_enum)]
//! enum Level { Low = 1, High = 300 }
//! assert_eq!(Level::High.pack_to_vec(), b"\xcd\x01\x2c");
//! assert!(matches!(Level::unpack(b"\x01"), Ok(Level::Low)));
//! ```
//!
//! # Attributes of variants
//!
//! [`rename`](#rename) and [`alias`](#alias) are for the variant's own name,
//! [`rename_all`](#rename_all) is for its fields.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! #[derive(MsgPacker)]
//! #[msgpacker(map)]
//! enum Step {
//!     #[msgpacker(rename = "go", alias = "walk", rename_all = "kebab-case")]
//!     Go { so_far: u8 },
//! }
//! assert_eq!(Step::Go { so_far: 3 }.pack_to_vec(), b"\x81\xa2go\x81\xa6so-far\x03");
//! assert!(matches!(Step::unpack(b"\x81\xa4walk\x81\xa6so-far\x03"), Ok(Step::Go { so_far: 3 })));
//! ```
//!
//! # Attributes of fields
//!
//! ## `rename`
//!
//! The key of the field. Needs keys: `map`, `record`, `tag`.
//!
//! ```
//! # use packord::{MsgPacker, Packable};
//! #[derive(MsgPacker)]
//! #[msgpacker(map)]
//! struct Item {
//!     #[msgpacker(rename = "type")]
//!     kind: u8,
//! }
//! assert_eq!(Item { kind: 1 }.pack_to_vec(), b"\x81\xa4type\x01");
//! ```
//!
//! ## `alias`
//!
//! A further key that is read and never written; can be given several times.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! #[derive(MsgPacker)]
//! #[msgpacker(map)]
//! struct Item {
//!     #[msgpacker(alias = "type", alias = "sort")]
//!     kind: u8,
//! }
//! assert_eq!(Item { kind: 1 }.pack_to_vec(), b"\x81\xa4kind\x01");
//! assert_eq!(Item::unpack(b"\x81\xa4sort\x01").unwrap().kind, 1);
//! ```
//!
//! ## `skip`
//!
//! The field is not written, and is its default (or what [`default`](#default) says) when read.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! #[derive(MsgPacker)]
//! struct Cached {
//!     a: u8,
//!     #[msgpacker(skip)]
//!     cache: u32,
//! }
//! assert_eq!(Cached { a: 5, cache: 1 }.pack_to_vec(), b"\x91\x05");
//! assert_eq!(Cached::unpack(b"\x91\x05").unwrap().cache, 0);
//! ```
//!
//! ## `skip_if`
//!
//! The field is not written where a function of a reference to it says so. Needs keys.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! #[derive(MsgPacker)]
//! #[msgpacker(map)]
//! struct Sparse {
//!     #[msgpacker(skip_if = Option::is_none)]
//!     a: Option<u8>,
//! }
//! assert_eq!(Sparse { a: None }.pack_to_vec(), b"\x80");
//! assert_eq!(Sparse { a: Some(5) }.pack_to_vec(), b"\x81\xa1a\x05");
//! assert_eq!(Sparse::unpack(b"\x80").unwrap().a, None);
//! ```
//!
//! ## `default`
//!
//! What the field is where the bytes do not have it: `default` alone is `Default::default()`,
//! `default = path` the value of a function. What is written stays the same.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! fn ten() -> u8 { 10 }
//! #[derive(MsgPacker)]
//! #[msgpacker(map)]
//! struct Config {
//!     #[msgpacker(default)]
//!     a: u8,
//!     #[msgpacker(default = ten)]
//!     b: u8,
//! }
//! let config = Config::unpack(b"\x80").unwrap();
//! assert_eq!((config.a, config.b), (0, 10));
//! assert_eq!(config.pack_to_vec(), b"\x82\xa1a\x00\xa1b\x0a");
//! ```
//!
//! ## `with`
//!
//! The functions `pack` and `unpack` of a module write and read the field.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! mod percent {
//!     use packord::typed::{Failed, Reader, Writer};
//!     use packord::{Packable, Unpackable};
//!
//!     pub fn pack(value: &f64, writer: &mut Writer<'_>) -> Result<(), Failed> {
//!         ((value * 100.0) as u32).pack_into(writer)
//!     }
//!
//!     pub fn unpack(reader: &mut Reader<'_>) -> Result<f64, Failed> {
//!         Ok(f64::from(u32::unpack_from(reader)?) / 100.0)
//!     }
//! }
//!
//! #[derive(MsgPacker)]
//! struct Share { #[msgpacker(with = percent)] part: f64 }
//! assert_eq!(Share { part: 0.5 }.pack_to_vec(), b"\x91\x32");
//! ```
//!
//! ## `flatten`
//!
//! The entries of the field stand among those of the struct. The field is a type derived with
//! `map` or `record`, or a map from `String`, which takes all keys that are no fields.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! # use std::collections::BTreeMap;
//! #[derive(MsgPacker)]
//! #[msgpacker(map)]
//! struct Page { number: u8, #[msgpacker(flatten)] rest: BTreeMap<String, bool> }
//! let page = Page { number: 1, rest: BTreeMap::from([("last".into(), true)]) };
//! assert_eq!(page.pack_to_vec(), b"\x82\xa6number\x01\xa4last\xc3");
//! assert_eq!(Page::unpack(&page.pack_to_vec()).unwrap().rest, page.rest);
//! ```
//!
//! ## `binary`
//!
//! The field is a bin: a type that is `AsRef<[u8]>` and `TryFrom<Vec<u8>>` (borrowed:
//! `TryFrom<&[u8]>`), or an `Option` of one. `Vec<u8>` and `[u8; N]` are bins without it.
//!
//! ```
//! # use packord::{MsgPacker, Packable};
//! #[derive(MsgPacker)]
//! struct Photo { #[msgpacker(binary)] pixels: Option<Box<[u8]>> }
//! assert_eq!(Photo { pixels: Some(Box::new([1])) }.pack_to_vec(), b"\x91\xc4\x01\x01");
//! ```
//!
//! ## `array`
//!
//! The field is an array: a collection whose references iterate over items with a known length,
//! and that can be collected. Makes arrays of `Vec<u8>` too.
//!
//! ```
//! # use packord::{MsgPacker, Packable};
//! #[derive(MsgPacker)]
//! struct Levels { #[msgpacker(array)] levels: Vec<u8> }
//! assert_eq!(Levels { levels: vec![1] }.pack_to_vec(), b"\x91\x91\x01");
//! ```
//!
//! ## `map`
//!
//! The field is a map: a collection of pairs, likewise.
//!
//! ```
//! # use packord::{MsgPacker, Packable};
//! #[derive(MsgPacker)]
//! struct Flags { #[msgpacker(map)] flags: Vec<(u8, bool)> }
//! assert_eq!(Flags { flags: vec![(1, true)] }.pack_to_vec(), b"\x91\x81\x01\xc3");
//! ```
//!
//! ## `timestamp`
//!
//! The field is a timestamp (ext −1): whole seconds as `i32`, `i64`, `u32`, `u64`, a `Duration`
//! since 1970, or a point in time (`packord::typed::TimestampLike`), or an `Option` of one.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! #[derive(MsgPacker)]
//! struct Log { #[msgpacker(timestamp)] at: i64 }
//! assert_eq!(Log { at: 1 }.pack_to_vec(), b"\x91\xd6\xff\0\0\0\x01");
//! ```

mod attrs;
mod decode;
mod encode;
mod fields;
mod generics;
mod input;
mod variants;

use decode::Mode;
use input::Input;
use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use syn::{DeriveInput, parse_macro_input};

fn derive(input: TokenStream, write: impl FnOnce(&Input) -> Tokens) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    match Input::parse(input) {
        Ok(input) => write(&input).into(),
        Err(error) => error.into_compile_error().into(),
    }
}

/// Implements `Packable` and `Unpackable`; see the [attributes](crate).
#[proc_macro_derive(MsgPacker, attributes(msgpacker))]
pub fn msg_packer(input: TokenStream) -> TokenStream {
    derive(input, |input| {
        [
            encode::packable(input),
            decode::unpackable(input, Mode::Owned),
        ]
        .into_iter()
        .collect()
    })
}

/// Implements `Packable` and `UnpackableBorrowed`; see the [attributes](crate).
#[proc_macro_derive(MsgPackerBorrowed, attributes(msgpacker))]
pub fn msg_packer_borrowed(input: TokenStream) -> TokenStream {
    derive(input, |input| {
        [
            encode::packable(input),
            decode::unpackable(input, Mode::Borrowed),
        ]
        .into_iter()
        .collect()
    })
}

/// Implements `UnpackableBorrowed` alone; see the [attributes](crate).
#[proc_macro_derive(MsgUnpackerBorrowed, attributes(msgpacker))]
pub fn msg_unpacker_borrowed(input: TokenStream) -> TokenStream {
    derive(input, |input| decode::unpackable(input, Mode::Borrowed))
}

/// Implements `Packable` alone; see the [attributes](crate).
#[proc_macro_derive(Packable, attributes(msgpacker))]
pub fn packable(input: TokenStream) -> TokenStream {
    derive(input, encode::packable)
}

/// Implements `Unpackable` alone; see the [attributes](crate).
#[proc_macro_derive(Unpackable, attributes(msgpacker))]
pub fn unpackable(input: TokenStream) -> TokenStream {
    derive(input, |input| decode::unpackable(input, Mode::Owned))
}
