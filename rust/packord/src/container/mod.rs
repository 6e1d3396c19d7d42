//! Container files (`spec/container.md`): many rows or messages in blocks, which are compressed one by one, can be
//! split between machines, are skipped by statistics, and are appended without a change to what is
//! there. A file that was cut, or whose writer was killed, loses only the block that is not whole.
//!
//! [`Writer`] writes them, [`Reader`] reads them, [`repair()`] keeps what is whole of a damaged one.
//!
//! ```
//! use packord::Value;
//! use packord::container::{Comparison, Predicate, ReadOptions, Reader, WriteOptions, Writer};
//!
//! let folder = std::env::temp_dir().join(format!("packord-{}", std::process::id()));
//! std::fs::create_dir_all(&folder).unwrap();
//! let path = folder.join("events.pkd");
//!
//! let mut writer = Writer::create(&path, &WriteOptions::new().block_rows(1000))?;
//! for id in 0..5000 {
//!     writer.write(&Value::from([("id", id), ("size", id * 10)]))?;
//! }
//! writer.finish()?;
//!
//! // Of the five blocks, one is read.
//! let large = Predicate::new().and("size", Comparison::GreaterOrEqual, 49_990)?;
//! let mut reader = Reader::open_with(&path, &ReadOptions::new().filter(large))?;
//! assert_eq!(reader.index().unwrap().count(), 5000);
//! assert_eq!(reader.next_value()?, Some(Value::from([("id", 4999), ("size", 49_990)])));
//! assert_eq!(reader.next_value()?, None);
//! # std::fs::remove_dir_all(&folder).unwrap();
//! # Ok::<(), packord::Error>(())
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `reader`, `options` | [`Reader`] and [`ReadOptions`] |
//! | `blocks`, `block_map`, `ahead` | goes through the blocks, one by one or ahead for several threads |
//! | `writer`, `append`, `lock` | [`Writer`], for files by their name, and the lock on them |
//! | `repair` | [`repair()`]: the whole blocks of a cut or damaged file |
//! | `maker`, `maker_lanes`, `lanes` | rows as blocks, and work on several threads |
//! | `header`, `head`, `block`, `index` | the parts of a file |
//! | `frame`, `part` | reads a block with its checks, and of some only the chunks that are asked for |
//! | `search` | what is at a mark, and the search for marks |
//! | `codec` | compresses and unpacks chunks, with enough stack |
//! | `rows`, `plain` | rows as packed messages |
//! | `summary` | the statistics and types of a block, from its columns where it has them |
//! | `tables` | the rows of blocks as tables of Arrow |
//! | `needed` | which rows a program needs, by some of their columns |
//! | `path`, `comparable`, `predicate`, `statistics`, `schema`, `collector` | what is in rows |
//! | `input` | the bytes of a file from the current place on |

#[cfg(feature = "container-parallel")]
mod ahead;
mod append;
mod block;
mod block_map;
mod blocks;
mod body;
mod codec;
mod collector;
mod comparable;
mod frame;
mod head;
mod header;
mod index;
mod input;
#[cfg(feature = "container-parallel")]
mod lanes;
mod lock;
mod maker;
#[cfg(feature = "container-parallel")]
mod maker_lanes;
#[cfg(all(feature = "arrow", feature = "notation"))]
mod needed;
mod options;
mod part;
mod path;
mod plain;
mod predicate;
mod reader;
mod repair;
mod rows;
mod schema;
mod search;
mod statistics;
mod summary;
#[cfg(all(feature = "arrow", feature = "notation"))]
mod tables;
mod writer;

pub use block::{Block, StoredBlock};
pub use block_map::BlockMap;
pub use blocks::PassedRange;
pub use codec::Codec;
pub use comparable::Comparable;
pub use head::{BlockKind, Chunk};
pub use header::{FileHeader, MAGIC};
pub use index::{FileIndex, IndexEntry};
pub use lock::LockedFile;
pub use options::{DEFAULT_MAX_BLOCK, OnBadBlock, ReadOptions, WriteOptions};
pub use path::RowPath;
pub use predicate::{Comparison, Condition, Predicate};
pub use reader::Reader;
pub use repair::{RepairReport, repair};
pub use rows::RowList;
pub use schema::{Schema, SchemaEntry, TypeName};
pub use statistics::{PathStatistics, Statistics};
#[cfg(all(feature = "arrow", feature = "notation"))]
pub use tables::{BlockTables, TableTypes};
pub use writer::Writer;

/// The type of the ext of marks and trailers.
pub const EXT_TYPE: i8 = 93;
