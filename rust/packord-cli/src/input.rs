//! Where data comes from: files or standard input, decompressed on the way.

use std::fs::{self, File};
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome, name_of};
use crate::progress::Progress;

const CHUNK: usize = 64 << 10;
/// What must be in memory as a whole may be so large, where no option says more.
pub const MOST: u64 = 1_000_000_000;
/// gzip with its only compression method; zstd.
const GZIP: &[u8] = &[0x1f, 0x8b, 0x08];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// One input with the name that messages use.
pub struct Input {
    /// The path, or `standard input`.
    pub name: String,
    /// Where it can be read again: of a file as it lies there.
    pub path: Option<PathBuf>,
    /// How long it is, where it is a file as it lies there.
    pub len: Option<usize>,
    reader: Box<dyn Read>,
}

impl Input {
    /// Opens a file; `-` is standard input.
    ///
    /// gzip and zstd are known by their first bytes, brotli, which has none, by the ending `.br`.
    /// With `as_is` nothing is decompressed.
    pub fn open(path: &Path, as_is: bool, progress: &Progress) -> Outcome<Input> {
        if path.as_os_str() == "-" {
            let name = "standard input".to_owned();
            let reader = decompressed(Box::new(progress.count(io::stdin().lock())), false, as_is);
            return Ok(Input {
                reader: reader.map_err(|error| Failure::input(&name, &error))?,
                path: None,
                len: None,
                name,
            });
        }
        let name = name_of(path);
        let open = || {
            let file = File::open(path)?;
            let metadata = file.metadata()?;
            if metadata.is_dir() {
                return Err(io::Error::from(io::ErrorKind::IsADirectory));
            }
            progress.expect(metadata.len());
            let brotli = path
                .extension()
                .is_some_and(|ending| ending.eq_ignore_ascii_case("br"));
            decompressed(Box::new(progress.count(file)), brotli, as_is)
        };
        let reader = open().map_err(|error| Failure::input(&name, &error))?;
        let len = fs::metadata(path)
            .ok()
            .filter(fs::Metadata::is_file)
            .and_then(|metadata| usize::try_from(metadata.len()).ok());
        Ok(Input {
            name,
            path: len.map(|_| path.to_owned()),
            len,
            reader,
        })
    }

    /// Everything that is left, if it is not more than `most`.
    pub fn read_all(&mut self, most: u64) -> Outcome<Vec<u8>> {
        let mut bytes = Vec::new();
        (&mut self.reader)
            .take(most.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| Failure::input(&self.name, &error))?;
        if bytes.len() as u64 > most {
            return Err(Failure::Invalid(format!(
                "{}: more than {most} bytes, which would all be held in memory",
                self.name
            )));
        }
        Ok(bytes)
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}

/// The files of a command line; none means standard input.
pub fn files_or_stdin(files: &[PathBuf]) -> Vec<PathBuf> {
    if files.is_empty() {
        vec![PathBuf::from("-")]
    } else {
        files.to_vec()
    }
}

fn decompressed(mut source: Box<dyn Read>, brotli: bool, as_is: bool) -> io::Result<Box<dyn Read>> {
    if as_is {
        return Ok(source);
    }
    if brotli {
        return Ok(Box::new(brotli::Decompressor::new(source, CHUNK)));
    }
    let mut magic = Vec::new();
    source
        .by_ref()
        .take(ZSTD.len() as u64)
        .read_to_end(&mut magic)?;
    let (gzip, zstd) = (magic.starts_with(GZIP), magic == ZSTD);
    let whole = Cursor::new(magic).chain(source);
    Ok(if gzip {
        Box::new(flate2::bufread::MultiGzDecoder::new(
            BufReader::with_capacity(CHUNK, whole),
        ))
    } else if zstd {
        Box::new(zstd::stream::read::Decoder::new(whole)?)
    } else {
        Box::new(whole)
    })
}
