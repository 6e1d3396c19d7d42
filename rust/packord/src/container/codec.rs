//! [`Codec`]: how the chunks of blocks are compressed.

use super::head::Chunk;
use super::header::wrong;
use crate::error::{Error, Result};
use crate::wire::thread_stack;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::fmt;
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};
use std::thread;

/// How the chunks of a block are compressed (`spec/container.md` section 1).
///
/// ```
/// use packord::container::Codec;
/// assert_eq!(Codec::from_name("deflate"), Some(Codec::Deflate));
/// assert!(Codec::None.is_supported() && Codec::Deflate.is_supported());
/// assert_eq!(Codec::Zstd.is_supported(), cfg!(feature = "container-zstd"));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Codec {
    /// The chunks as they are.
    None,
    /// One stream of raw deflate.
    Deflate,
    /// Frames of zstd, with the feature `container-zstd`.
    Zstd,
}

impl Codec {
    /// Every codec of the specification.
    pub const ALL: &'static [Codec] = &[Codec::None, Codec::Deflate, Codec::Zstd];

    /// Returns the name in files.
    ///
    /// ```
    /// assert_eq!(packord::container::Codec::Zstd.name(), "zstd");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Codec::None => "none",
            Codec::Deflate => "deflate",
            Codec::Zstd => "zstd",
        }
    }

    /// Returns the codec with a name, also one that [is not supported](Codec::is_supported).
    ///
    /// ```
    /// assert_eq!(packord::container::Codec::from_name("gzip"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Codec> {
        Codec::ALL.iter().copied().find(|codec| codec.name() == name)
    }

    /// Returns whether this build has the codec: `none` and `deflate` always, `zstd` with the feature
    /// `container-zstd`.
    #[must_use]
    pub const fn is_supported(self) -> bool {
        match self {
            Codec::None | Codec::Deflate => true,
            Codec::Zstd => cfg!(feature = "container-zstd"),
        }
    }

    /// Returns the level that writers use by default: 3 for zstd, 6 for deflate, 0 for none, which has no levels.
    #[must_use]
    pub const fn default_level(self) -> i32 {
        match self {
            Codec::None => 0,
            Codec::Deflate => 6,
            Codec::Zstd => 3,
        }
    }
}

impl Default for Codec {
    /// Returns the codec that writers use by default: zstd if this build has it, else deflate.
    fn default() -> Codec {
        if Codec::Zstd.is_supported() {
            Codec::Zstd
        } else {
            Codec::Deflate
        }
    }
}

impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cold]
pub(super) fn unsupported(codec: Codec) -> Error {
    wrong(format!("codec {codec} needs the feature container-{codec}"))
}

#[cold]
fn broken(codec: Codec, reason: &str) -> Error {
    wrong(format!("{codec}: {reason}"))
}

/// Compresses bodies chunk by chunk. Contexts are kept from block to block.
pub(super) struct BodyPacker {
    packer: ChunkPacker,
    /// A chunk that was compressed.
    packed: Vec<u8>,
}

enum ChunkPacker {
    None,
    Deflate(Compress),
    #[cfg(feature = "container-zstd")]
    Zstd(zstd::bulk::Compressor<'static>),
}

impl BodyPacker {
    /// Returns a compressor, if this build has the codec.
    pub fn new(codec: Codec, level: Option<i32>) -> Result<BodyPacker> {
        let level = level.unwrap_or(codec.default_level());
        let packer = match codec {
            Codec::None => ChunkPacker::None,
            Codec::Deflate => {
                let level = Compression::new(level.clamp(0, 9).unsigned_abs());
                ChunkPacker::Deflate(with_room(|| Compress::new(level, false)))
            }
            #[cfg(feature = "container-zstd")]
            Codec::Zstd => {
                let levels = zstd::compression_level_range();
                let made = zstd::bulk::Compressor::new(level.clamp(*levels.start(), *levels.end()));
                ChunkPacker::Zstd(made.map_err(|error| Error::io(error, 0))?)
            }
            #[cfg(not(feature = "container-zstd"))]
            Codec::Zstd => return Err(unsupported(codec)),
        };
        Ok(BodyPacker {
            packer,
            packed: Vec::new(),
        })
    }

    /// Compresses the chunks of a body, whose sizes are these, and appends them to `data`. Returns what a block says of them, and whether one is
    /// smaller now: otherwise the body is the data, and `data` is not used.
    pub fn pack(&mut self, body: &[u8], sizes: &[usize], data: &mut Vec<u8>) -> Result<(Vec<Chunk>, bool)> {
        if matches!(self.packer, ChunkPacker::None) {
            return self.pack_here(body, sizes, data);
        }
        with_room(|| self.pack_here(body, sizes, data))
    }

    fn pack_here(&mut self, body: &[u8], sizes: &[usize], data: &mut Vec<u8>) -> Result<(Vec<Chunk>, bool)> {
        let (mut chunks, mut is_packed, mut rest) = (Vec::new(), false, body);
        for &size in sizes {
            let (plain, after) = rest.split_at(size);
            rest = after;
            let is_smaller = self.pack_chunk(plain)?;
            let stored = if is_smaller { &self.packed[..] } else { plain };
            is_packed |= is_smaller;
            if !matches!(self.packer, ChunkPacker::None) {
                data.extend_from_slice(stored);
            }
            chunks.push(Chunk {
                unpacked: size as u64,
                size: stored.len() as u64,
                crc: crc32c::crc32c(stored),
            });
        }
        Ok((chunks, is_packed))
    }

    /// Compresses a chunk. Returns `false` if it does not get smaller.
    fn pack_chunk(&mut self, plain: &[u8]) -> Result<bool> {
        let packed = &mut self.packed;
        packed.clear();
        // What does not fit into this is not smaller.
        let Some(room) = plain.len().checked_sub(1) else {
            return Ok(false);
        };
        match &mut self.packer {
            ChunkPacker::None => Ok(false),
            ChunkPacker::Deflate(deflate) => {
                deflate.reset();
                packed.reserve_exact(room);
                let status = deflate
                    .compress_vec(plain, packed, FlushCompress::Finish)
                    .map_err(|error| broken(Codec::Deflate, &format!("{error}")))?;
                Ok(status == Status::StreamEnd && packed.len() <= room)
            }
            #[cfg(feature = "container-zstd")]
            ChunkPacker::Zstd(zstd) => {
                packed.reserve(zstd::zstd_safe::compress_bound(plain.len()));
                zstd.compress_to_buffer(plain, packed)
                    .map_err(|error| Error::io(error, 0))?;
                Ok(packed.len() <= room)
            }
        }
    }
}

/// Unpacks chunks. Contexts are kept from block to block.
#[derive(Default)]
pub(super) struct ChunkUnpacker {
    inflate: Option<Box<Decompress>>,
    #[cfg(feature = "container-zstd")]
    zstd: Option<zstd::bulk::Decompressor<'static>>,
}

impl fmt::Debug for ChunkUnpacker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ChunkUnpacker")
    }
}

impl ChunkUnpacker {
    /// Unpacks a chunk to exactly as many bytes as there are in `out`. If it has as many itself, it is stored as it is.
    pub fn unpack_into(&mut self, codec: Codec, chunk: &[u8], out: &mut [u8]) -> Result<()> {
        if chunk.len() == out.len() {
            out.copy_from_slice(chunk);
            return Ok(());
        }
        with_room(|| match codec {
            Codec::None => Err(broken(codec, "a chunk has two sizes")),
            Codec::Deflate => self.inflate(chunk, out),
            #[cfg(feature = "container-zstd")]
            Codec::Zstd => self.unzstd(chunk, out),
            #[cfg(not(feature = "container-zstd"))]
            Codec::Zstd => Err(unsupported(codec)),
        })
    }

    fn inflate(&mut self, chunk: &[u8], out: &mut [u8]) -> Result<()> {
        let broken = |reason: &str| broken(Codec::Deflate, reason);
        let inflate = self.inflate.get_or_insert_with(|| Box::new(Decompress::new(false)));
        inflate.reset(false);
        let mut inflate_to = |out: &mut [u8]| {
            let rest = &chunk[inflate.total_in() as usize..];
            let status = inflate.decompress(rest, out, FlushDecompress::Finish);
            let status = status.map_err(|error| broken(&format!("{error}")))?;
            Ok::<_, Error>((status, inflate.total_in(), inflate.total_out()))
        };
        let mut found = inflate_to(out)?;
        if found.0 != Status::StreamEnd {
            // The end of the stream, or a byte too many.
            found = inflate_to(&mut [0])?;
        }
        match found {
            (Status::StreamEnd, read, written) if written == out.len() as u64 => {
                if read == chunk.len() as u64 {
                    return Ok(());
                }
                Err(broken("the stream does not end with the chunk"))
            }
            _ => Err(broken("not as many bytes as announced")),
        }
    }

    #[cfg(feature = "container-zstd")]
    fn unzstd(&mut self, chunk: &[u8], out: &mut [u8]) -> Result<()> {
        let failed = |error: std::io::Error| broken(Codec::Zstd, &format!("{error}"));
        let zstd = match &mut self.zstd {
            Some(zstd) => zstd,
            None => self.zstd.insert(zstd::bulk::Decompressor::new().map_err(failed)?),
        };
        if chunk.is_empty() {
            return Err(failed(std::io::ErrorKind::UnexpectedEof.into()));
        }
        let written = zstd.decompress_to_buffer(chunk, out).map_err(failed)?;
        if written == out.len() {
            return Ok(());
        }
        Err(broken(Codec::Zstd, "not as many bytes as announced"))
    }
}

/// The bytes of stack that a codec may need: a compressor of deflate is made on it, in builds without optimization
/// several times.
const NEEDED: usize = 512 << 10;
/// The stack of a thread that has room.
const ROOM: usize = 2 << 20;

/// Calls a function where there is enough stack for a codec: here, or if there is known to be less, on a thread of its own.
fn with_room<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let here = (&raw const work).addr();
    let left = thread_stack().and_then(|stack| here.checked_sub(stack.start));
    if left.is_none_or(|left| left >= NEEDED) {
        return work();
    }
    let (mut waiting, mut result) = (Some(work), None);
    thread::scope(|scope| {
        let work = || result = waiting.take().map(|work| work());
        // Without a thread it is called here.
        let _ = thread::Builder::new().stack_size(ROOM).spawn_scoped(scope, work);
    });
    match (result, waiting) {
        (Some(result), _) => result,
        (None, Some(work)) => work(),
        (None, None) => unreachable!("the work was done"),
    }
}
