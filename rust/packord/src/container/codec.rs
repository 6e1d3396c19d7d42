//! [`Codec`]: how the bodies of blocks are compressed.

use super::room::with_room;
use crate::error::{Error, ErrorKind, Result};
use alloc::format;
use alloc::vec::Vec;
use core::fmt;
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

/// How the body of a block is compressed (`spec/container.md` section 1).
///
/// ```
/// use packord::container::Codec;
/// assert_eq!(Codec::from_name("deflate"), Some(Codec::Deflate));
/// assert!(Codec::None.is_supported() && Codec::Deflate.is_supported());
/// assert_eq!(Codec::Zstd.is_supported(), cfg!(feature = "container-zstd"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Codec {
    /// The body as it is.
    None,
    /// One stream of raw deflate.
    Deflate,
    /// Frames of zstd, with the feature `container-zstd`.
    Zstd,
    /// One frame of the LZ4 frame format, with the feature `container-lz4`.
    Lz4,
}

impl Codec {
    /// Every codec of the specification.
    pub const ALL: [Codec; 4] = [Codec::None, Codec::Deflate, Codec::Zstd, Codec::Lz4];

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
            Codec::Lz4 => "lz4",
        }
    }

    /// Returns the codec with a name, also one that [is not supported](Codec::is_supported).
    ///
    /// ```
    /// assert_eq!(packord::container::Codec::from_name("gzip"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Codec> {
        Codec::ALL.into_iter().find(|codec| codec.name() == name)
    }

    /// Returns whether this build has the codec: `none` and `deflate` always, the others with their
    /// feature.
    #[must_use]
    pub const fn is_supported(self) -> bool {
        match self {
            Codec::None | Codec::Deflate => true,
            Codec::Zstd => cfg!(feature = "container-zstd"),
            Codec::Lz4 => cfg!(feature = "container-lz4"),
        }
    }

    /// Returns the level that writers use by default: 3 for zstd, 6 for deflate, 0 for the others, which
    /// have no levels.
    #[must_use]
    pub const fn default_level(self) -> i32 {
        match self {
            Codec::None | Codec::Lz4 => 0,
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

/// The error of a codec that this build does not have.
#[cold]
pub(super) fn unsupported(codec: Codec) -> Error {
    let detail = format!("codec {codec} needs the feature container-{codec}");
    Error::new(ErrorKind::InvalidExt).with_detail(detail)
}

#[cold]
fn broken(codec: Codec, reason: &str) -> Error {
    Error::new(ErrorKind::InvalidExt).with_detail(format!("{codec}: {reason}"))
}

/// Compresses bodies. Contexts are kept from block to block.
pub(super) struct BodyPacker {
    codec: Codec,
    deflate: Option<Compress>,
    #[cfg(feature = "container-zstd")]
    zstd: Option<zstd::bulk::Compressor<'static>>,
}

impl BodyPacker {
    /// Returns a compressor, if this build has the codec.
    pub fn new(codec: Codec, level: Option<i32>, dictionary: &[u8]) -> Result<BodyPacker> {
        if !codec.is_supported() {
            return Err(unsupported(codec));
        }
        let level = level.unwrap_or(codec.default_level());
        let _ = dictionary;
        let deflate = (codec == Codec::Deflate).then(|| {
            let level = Compression::new(level.clamp(0, 9).unsigned_abs());
            with_room(|| Compress::new(level, false))
        });
        #[cfg(feature = "container-zstd")]
        let zstd = if codec == Codec::Zstd {
            let levels = zstd::compression_level_range();
            let level = level.clamp(*levels.start(), *levels.end());
            let made = zstd::bulk::Compressor::with_dictionary(level, dictionary);
            Some(made.map_err(|error| Error::io(error, 0))?)
        } else {
            None
        };
        Ok(BodyPacker {
            codec,
            deflate,
            #[cfg(feature = "container-zstd")]
            zstd,
        })
    }

    /// Replaces `data` by the compressed body. Returns `false` if it is not smaller than the body.
    pub fn pack(&mut self, body: &[u8], data: &mut Vec<u8>) -> Result<bool> {
        if self.codec == Codec::None {
            return Ok(false);
        }
        with_room(|| self.pack_here(body, data))
    }

    fn pack_here(&mut self, body: &[u8], data: &mut Vec<u8>) -> Result<bool> {
        data.clear();
        // What does not fit into this is not smaller.
        let Some(room) = body.len().checked_sub(1) else {
            return Ok(false);
        };
        match self.codec {
            Codec::None => Ok(false),
            Codec::Deflate => {
                let Some(deflate) = &mut self.deflate else {
                    return Ok(false);
                };
                deflate.reset();
                data.reserve_exact(room);
                let status = deflate
                    .compress_vec(body, data, FlushCompress::Finish)
                    .map_err(|error| broken(Codec::Deflate, &format!("{error}")))?;
                Ok(status == Status::StreamEnd && data.len() <= room)
            }
            #[cfg(feature = "container-zstd")]
            Codec::Zstd => {
                let Some(zstd) = &mut self.zstd else {
                    return Ok(false);
                };
                data.reserve(zstd::zstd_safe::compress_bound(body.len()));
                zstd.compress_to_buffer(body, data)
                    .map_err(|error| Error::io(error, 0))?;
                Ok(data.len() <= room)
            }
            #[cfg(feature = "container-lz4")]
            Codec::Lz4 => {
                use std::io::Write;
                let mut frame = lz4_flex::frame::FrameEncoder::new(core::mem::take(data));
                frame.write_all(body).map_err(|error| Error::io(error, 0))?;
                *data = frame
                    .finish()
                    .map_err(|error| broken(Codec::Lz4, &format!("{error}")))?;
                Ok(data.len() <= room)
            }
            #[cfg(not(all(feature = "container-zstd", feature = "container-lz4")))]
            codec => Err(unsupported(codec)),
        }
    }
}

/// Unpacks the data of blocks. Contexts are kept from block to block.
#[derive(Default)]
pub(super) struct BodyUnpacker {
    #[cfg(feature = "container-zstd")]
    zstd: Option<zstd::bulk::Decompressor<'static>>,
}

impl fmt::Debug for BodyUnpacker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BodyUnpacker")
    }
}

impl BodyUnpacker {
    /// Returns the body, which has exactly `raw` bytes. Never takes memory for more than one byte besides.
    pub fn unpack(
        &mut self,
        codec: Codec,
        data: &[u8],
        raw: usize,
        dictionary: &[u8],
    ) -> Result<Vec<u8>> {
        let mut unpack = || self.unpack_here(codec, data, raw, dictionary);
        let body = if codec == Codec::None {
            unpack()
        } else {
            with_room(unpack)
        }?;
        if body.len() == raw {
            Ok(body)
        } else {
            Err(broken(codec, "not as many bytes as announced"))
        }
    }

    fn unpack_here(
        &mut self,
        codec: Codec,
        data: &[u8],
        raw: usize,
        dictionary: &[u8],
    ) -> Result<Vec<u8>> {
        let _ = dictionary;
        Ok(match codec {
            Codec::None => data.to_vec(),
            Codec::Deflate => inflate(data, raw)?,
            #[cfg(feature = "container-zstd")]
            Codec::Zstd => self.unzstd(data, raw, dictionary)?,
            #[cfg(feature = "container-lz4")]
            Codec::Lz4 => unlz4(data, raw)?,
            #[cfg(not(all(feature = "container-zstd", feature = "container-lz4")))]
            codec => return Err(unsupported(codec)),
        })
    }

    #[cfg(feature = "container-zstd")]
    fn unzstd(&mut self, data: &[u8], raw: usize, dictionary: &[u8]) -> Result<Vec<u8>> {
        let broken = |error: std::io::Error| broken(Codec::Zstd, &format!("{error}"));
        let zstd = match &mut self.zstd {
            Some(zstd) => zstd,
            None => {
                let made = zstd::bulk::Decompressor::with_dictionary(dictionary);
                self.zstd.insert(made.map_err(broken)?)
            }
        };
        if data.is_empty() {
            return Err(broken(std::io::ErrorKind::UnexpectedEof.into()));
        }
        let mut body = Vec::with_capacity(raw);
        zstd.decompress_to_buffer(data, &mut body).map_err(broken)?;
        Ok(body)
    }
}

fn inflate(data: &[u8], raw: usize) -> Result<Vec<u8>> {
    let mut body = Vec::with_capacity(raw.saturating_add(1));
    let mut inflate = Decompress::new(false);
    let status = inflate
        .decompress_vec(data, &mut body, FlushDecompress::Finish)
        .map_err(|error| broken(Codec::Deflate, &format!("{error}")))?;
    if status != Status::StreamEnd || inflate.total_in() != data.len() as u64 {
        return Err(broken(
            Codec::Deflate,
            "the stream does not end with the data",
        ));
    }
    Ok(body)
}

#[cfg(feature = "container-lz4")]
fn unlz4(data: &[u8], raw: usize) -> Result<Vec<u8>> {
    use std::io::Read;
    let (mut rest, mut body) = (data, Vec::new());
    let frame = lz4_flex::frame::FrameDecoder::new(&mut rest);
    // The byte after the last one reads the end of the frame.
    frame
        .take(raw as u64 + 1)
        .read_to_end(&mut body)
        .map_err(|error| broken(Codec::Lz4, &format!("{error}")))?;
    if data.is_empty() || !rest.is_empty() {
        return Err(broken(Codec::Lz4, "the frame does not end with the data"));
    }
    Ok(body)
}
