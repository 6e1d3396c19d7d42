//! The derive macros of [packord](https://docs.rs/packord). Use them from that crate, which
//! re-exports them with its feature `derive`. This page is their reference.
//!
//! | macro | traits |
//! |---|---|
//! | [`MsgPacker`](macro@MsgPacker) | `Packable` and `Unpackable` |
//! | [`MsgPackerBorrowed`](macro@MsgPackerBorrowed) | `Packable` and `UnpackableBorrowed` |
//! | [`MsgUnpackerBorrowed`](macro@MsgUnpackerBorrowed) | `UnpackableBorrowed` |
//! | [`Packable`](macro@Packable), [`Unpackable`](macro@Unpackable) | the one trait |
//!
//! The macros accept structs, tuple structs, unit structs and enums, with type parameters and
//! lifetimes. Each type parameter that a field mentions gets the trait as a bound, unless the field
//! is a `PhantomData`. A wrong attribute is a compile error at the attribute.
//!
//! Without attributes, a struct is written as an array of its fields, a tuple struct of one field as
//! that field, and a unit struct as nil.
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
//! The default: the fields in their order, without names. When reading, a field that is missing at
//! the end has its [`default`](#default), or is `None` if it is an `Option`; surplus elements are
//! skipped. So fields can be added at the end. A map of the fields is read too, as serde writes it.
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
//! A map from the names of the fields. Entries are read in any order, and unknown ones are skipped, whatever
//! their keys are; serde skips those of names and numbers, and refuses a key that is neither.
//! An array of the fields is read too, as serde writes it by option; in it, nil stands for a field
//! that was left out and has a [`default`](#default).
//! If a key occurs twice, the last entry counts. A missing field is `type_mismatch`, unless it has a
//! [`default`](#default) or is an `Option`, which is then `None`.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! #[derive(MsgPacker)]
//! #[msgpacker(map)]
//! struct Pair { a: u8, b: Option<u8> }
//! assert_eq!(Pair { a: 1, b: None }.pack_to_vec(), b"\x82\xa1a\x01\xa1b\xc0");
//! assert_eq!(Pair::unpack(b"\x82\xa1x\x05\xa1a\x01").unwrap().a, 1);
//! assert_eq!(Pair::unpack(b"\x80").err().unwrap().detail(), Some("missing field \"a\""));
//! ```
//!
//! `Some(None)` of an `Option<Option<T>>` is nil, and is read back as `None`.
//!
//! ## `record`
//!
//! A record if records are on (`EncodeOptions::records` or a `RecordEncoder`), so that its keys are
//! written once in a message; otherwise a [`map`](#map). Reading records needs
//! `DecodeOptions::records` or a `RecordDecoder`.
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
//! The layout of the crate msgpacker: the fields one after another without a header. A field that is
//! an array or a tuple is its elements; an enum is the number of the variant, then its fields.
//! **This is not one MessagePack value**, and other libraries cannot read it. Use it to read data
//! that msgpacker has written.
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
//! `SCREAMING-KEBAB-CASE`. On a variant it applies to the variant's fields.
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
//! A key that is not a field, or a surplus element, is `type_mismatch`.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! #[derive(MsgPacker)]
//! #[msgpacker(map, deny_unknown_fields)]
//! struct Strict { a: u8 }
//! assert_eq!(Strict::unpack(b"\x82\xa1a\x01\xa1b\x02").err().unwrap().offset(), Some(4));
//! ```
//!
//! ## `transparent`
//!
//! The struct is its one field that is not skipped, without an array or a map around it. A tuple
//! struct of one field is so without the attribute.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! #[derive(MsgPacker)]
//! #[msgpacker(transparent)]
//! struct Meters { value: u32 }
//! assert_eq!(Meters { value: 5 }.pack_to_vec(), b"\x05");
//! assert_eq!(Meters::unpack(b"\x05").unwrap().value, 5);
//! ```
//!
//! ## `crate`
//!
//! The path of packord, if it is not that of a dependency: `msgpacker = { package = "packord", … }` in the manifest
//! needs no attribute. It does not change what is written.
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
//! Without attributes, a unit variant is its name, and any other variant is a map from its name to
//! its content, which has the layout of the type. serde calls this externally tagged.
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
//! A map of the fields, with the name of the variant under the key `tag`. This key is written first,
//! and can be anywhere when reading. The type of a single unnamed field must itself be a map, without that key
//! (see [`flatten`](#flatten)).
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
//! ## `content`
//!
//! With [`tag`](#tag): a map of the name of the variant, under the key `tag`, and of its content, under
//! the key `content`. A unit variant has no content. Both keys can be anywhere when reading; a
//! content that comes before its tag is read twice, which counts as for [`untagged`](#untagged).
//! serde calls this adjacently tagged.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! #[derive(MsgPacker)]
//! #[msgpacker(map, tag = "t", content = "c")]
//! enum Event { Stop, Turn(i16), Move { x: u8 } }
//! assert_eq!(Event::Stop.pack_to_vec(), b"\x81\xa1t\xa4Stop");
//! assert_eq!(Event::Turn(-1).pack_to_vec(), b"\x82\xa1t\xa4Turn\xa1c\xff");
//! assert_eq!(Event::Move { x: 1 }.pack_to_vec(), b"\x82\xa1t\xa4Move\xa1c\x81\xa1x\x01");
//! assert!(matches!(Event::unpack(b"\x82\xa1c\x05\xa1t\xa4Turn"), Ok(Event::Turn(5))));
//! ```
//!
//! ## `untagged`
//!
//! The content alone. When reading, the first variant that accepts the value is chosen. Trying the
//! variants may read at most 32 times the input; beyond that, the error is `length_limit`.
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
//! [`rename`](#rename) and [`alias`](#alias) apply to the name of the variant,
//! [`rename_all`](#rename_all) to its fields.
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
//! The key of the field. The type must have keys: `map`, `record` or `tag`.
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
//! ## `key`
//!
//! An integer that stands for the field, whatever its name and its place in the type are. In a map it
//! is the key, in place of the name; other fields of the map may have names. In an array it is the
//! position, from 0 to 1023, and each field has one: positions that no field has are written as nil
//! and skipped when reading. In an array, nil is also read as the [`default`](#default) of a field
//! with a key, if it has one: so a newer writer can drop the field.
//!
//! ```
//! # use packord::{MsgPacker, Packable, Unpackable};
//! #[derive(MsgPacker)]
//! #[msgpacker(map)]
//! struct Item {
//!     #[msgpacker(key = 3)]
//!     kind: u8,
//! }
//! assert_eq!(Item { kind: 1 }.pack_to_vec(), b"\x81\x03\x01");
//!
//! #[derive(MsgPacker)]
//! struct Row {
//!     #[msgpacker(key = 2)]
//!     size: u8,
//!     #[msgpacker(key = 0, default)]
//!     id: u8,
//! }
//! assert_eq!(Row { size: 7, id: 1 }.pack_to_vec(), b"\x93\x01\xc0\x07");
//! assert_eq!(Row::unpack(b"\x93\xc0\xc0\x07").unwrap().id, 0);
//! ```
//!
//! A struct with such keys cannot be flattened into another, nor be the content of a
//! [`tag`](#tag) alone; a record has names only.
//!
//! ## `alias`
//!
//! Another key under which the field is read. It can be given several times.
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
//! The field is not written. When reading, it has its default, or that of [`default`](#default).
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
//! The field is not written if this function, called with a reference to it, returns true. The type
//! must have keys.
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
//! The value of the field if it is missing in the input: `default` alone is `Default::default()`,
//! `default = path` is what the function returns. It does not change what is written.
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
//! The entries of the field become entries of the struct. The type of the field is derived with `map`
//! or `record`, or is a map from `String`, which takes all keys that are not fields.
//! A map that has the name of a field, or of a [`tag`](#tag), is written as it is: the key occurs twice, and
//! one of its values is lost when it is read. The canonical form refuses it when it is written, and the option
//! `duplicate_key` when it is read.
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
//! The field is an array. Its type is a collection: references to it iterate over its items with a
//! known length, and it implements `FromIterator`. A `Vec<u8>` is then an array too.
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
//! The field is a map. Its type is a collection of pairs, with the same requirements.
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
//!
//! # Old and new types
//!
//! What a type reads after a change, if each field has a [`default`](#default): first what an old
//! reader makes of what a new writer wrote, then what a new reader makes of old data. *yes*: the
//! fields that both have are as written, and others have their default. *default*: the field has its
//! default, as its value is under another name. **wrong**: a field has the value of another one, or
//! an error if the types differ. A test makes this table.
//!
//! | change | `array` | `map` | `array` with `key` | `map` with `key` |
//! |---|---|---|---|---|
//! | add a field at the end | yes, yes | yes, yes | yes, yes | yes, yes |
//! | add a field before others | **wrong**, **wrong** | yes, yes | yes, yes | yes, yes |
//! | remove a field before others | **wrong**, **wrong** | yes, yes | yes, yes | yes, yes |
//! | rename a field | yes, yes | default, default | yes, yes | yes, yes |
//! | change the order of fields | **wrong**, **wrong** | yes, yes | yes, yes | yes, yes |
//!
//! A key must not be given to another field later. An [`alias`](#alias) reads a renamed field of a map
//! under its old name.

mod attrs;
mod decode;
mod encode;
mod fields;
mod generics;
mod input;
mod package;
mod variants;

use decode::Mode;
use input::Input;
use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::{DeriveInput, parse_macro_input};

fn derive(input: TokenStream, write: &[fn(&Input) -> Tokens]) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    match Input::parse(input) {
        Ok(input) => {
            let (krate, impls) = (&input.krate, write.iter().map(|write| write(&input)));
            quote! {
                #[allow(unused_imports, clippy::all, clippy::pedantic)]
                const _: () = {
                    use #krate::typed::derived as __derive;
                    #(#impls)*
                };
            }
            .into()
        }
        Err(error) => error.into_compile_error().into(),
    }
}

const PACK: fn(&Input) -> Tokens = encode::packable;
const UNPACK: fn(&Input) -> Tokens = |input| decode::unpackable(input, Mode::Owned);
const UNPACK_BORROWED: fn(&Input) -> Tokens = |input| decode::unpackable(input, Mode::Borrowed);

/// Implements `Packable` and `Unpackable`; see the [attributes](crate).
#[proc_macro_derive(MsgPacker, attributes(msgpacker))]
pub fn msg_packer(input: TokenStream) -> TokenStream {
    derive(input, &[PACK, UNPACK])
}

/// Implements `Packable` and `UnpackableBorrowed`; see the [attributes](crate).
#[proc_macro_derive(MsgPackerBorrowed, attributes(msgpacker))]
pub fn msg_packer_borrowed(input: TokenStream) -> TokenStream {
    derive(input, &[PACK, UNPACK_BORROWED])
}

/// Implements `UnpackableBorrowed` alone; see the [attributes](crate).
#[proc_macro_derive(MsgUnpackerBorrowed, attributes(msgpacker))]
pub fn msg_unpacker_borrowed(input: TokenStream) -> TokenStream {
    derive(input, &[UNPACK_BORROWED])
}

/// Implements `Packable` alone; see the [attributes](crate).
#[proc_macro_derive(Packable, attributes(msgpacker))]
pub fn packable(input: TokenStream) -> TokenStream {
    derive(input, &[PACK])
}

/// Implements `Unpackable` alone; see the [attributes](crate).
#[proc_macro_derive(Unpackable, attributes(msgpacker))]
pub fn unpackable(input: TokenStream) -> TokenStream {
    derive(input, &[UNPACK])
}
