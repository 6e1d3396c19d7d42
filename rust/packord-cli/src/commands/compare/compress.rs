//! The compressors of `compare`.

use std::io::{self, Write};

use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;

/// A compressor at a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compressor {
    /// gzip at level 0 to 9.
    Gzip(u32),
    /// brotli at quality 0 to 11, with a window of 4 MB.
    Brotli(i32),
    /// zstd at level 1 to 22.
    #[cfg(feature = "zstd")]
    Zstd(i32),
}

/// The compressors that `compare` shows, by family, the fast levels first.
pub const ALL: &[Compressor] = &[
    Compressor::Gzip(6),
    Compressor::Gzip(9),
    Compressor::Brotli(5),
    Compressor::Brotli(11),
    #[cfg(feature = "zstd")]
    Compressor::Zstd(3),
    #[cfg(feature = "zstd")]
    Compressor::Zstd(19),
];

impl Compressor {
    /// Returns the name: `gzip 6`.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Compressor::Gzip(level) => format!("gzip {level}"),
            Compressor::Brotli(level) => format!("brotli {level}"),
            #[cfg(feature = "zstd")]
            Compressor::Zstd(level) => format!("zstd {level}"),
        }
    }

    /// Returns whether some megabytes take seconds.
    #[must_use]
    pub fn is_slow(self) -> bool {
        match self {
            Compressor::Gzip(_) => false,
            Compressor::Brotli(level) => level >= 10,
            #[cfg(feature = "zstd")]
            Compressor::Zstd(level) => level >= 15,
        }
    }

    /// Returns the compressed size of the bytes.
    ///
    /// # Errors
    ///
    /// The errors of the compressor's library.
    pub fn size(self, bytes: &[u8]) -> io::Result<u64> {
        let mut count = Count(0);
        match self {
            Compressor::Gzip(level) => {
                let mut encoder = GzEncoder::new(&mut count, Compression::new(level));
                encoder.write_all(bytes)?;
                encoder.finish()?;
            }
            Compressor::Brotli(quality) => {
                let parameters = BrotliEncoderParams {
                    quality,
                    lgwin: 22,
                    size_hint: bytes.len(),
                    ..Default::default()
                };
                let mut source = bytes;
                brotli::BrotliCompress(&mut source, &mut count, &parameters)?;
            }
            #[cfg(feature = "zstd")]
            Compressor::Zstd(level) => zstd::stream::copy_encode(bytes, &mut count, level)?,
        }
        Ok(count.0)
    }
}

/// A writer that counts the bytes.
struct Count(u64);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
