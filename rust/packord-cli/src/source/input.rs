//! Inputs: files or standard input, decompressed as they are read.

use std::cell::RefCell;
use std::fs::{File, Metadata};
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use tempfile::SpooledTempFile;

use crate::failure::{Failure, Outcome, name_of};
use crate::limits::{CHUNK, PATIENCE, PAUSE, PEEK, TAPE};
use crate::terminal::progress::Progress;
use crate::terminal::style;

/// The first bytes of gzip with its only compression method, and of zstd.
const GZIP: &[u8] = &[0x1f, 0x8b, 0x08];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// How long to wait before a file is looked at again.
const FOLLOW: Duration = Duration::from_millis(100);

/// One input, with its name for messages.
pub struct Input {
    /// The path, or `standard input`.
    pub name: String,
    /// Where it can be read again, if it is a regular file.
    pub path: Option<PathBuf>,
    /// The length of a regular file before decompression, in bytes.
    pub len: Option<usize>,
    reader: Box<dyn Read>,
    /// Whether the bytes are read as they are in the file.
    is_plain: bool,
    /// The regular file, also if it is followed.
    file: Option<PathBuf>,
    /// What is there of an input whose bytes may come late.
    waits: Waits,
    /// Whether it paused within its first bytes.
    has_paused: bool,
    /// What is called before a read that may wait.
    before_read: Option<Box<dyn FnMut()>>,
}

impl Input {
    /// Opens a file, and does not end at its end: reads wait for what is added to it.
    pub fn follow(path: &Path, as_is: bool, progress: &Progress) -> Outcome<Input> {
        let name = name_of(path);
        let wait = |file| Box::new(FollowReader { file, name }) as Box<dyn Read>;
        let mut input = Input::open_file(path, as_is, progress, wait)?;
        (input.path, input.len) = (None, None);
        if let Waits::File(file) = input.waits {
            input.waits = Waits::Growing(file);
        }
        Ok(input)
    }

    /// Opens a file; `-` is standard input.
    ///
    /// gzip and zstd are recognised by their first bytes. brotli has none, and is recognised by the
    /// file name extension `.br`. With `as_is` nothing is decompressed.
    pub fn open(path: &Path, as_is: bool, progress: &Progress) -> Outcome<Input> {
        if path.as_os_str() == "-" {
            let name = name_of_input(path);
            let reader = decompressed(Box::new(progress.count(io::stdin().lock())), false, as_is);
            let (reader, _) = reader.map_err(|error| Failure::input(&name, &error))?;
            return Ok(Input {
                reader,
                path: None,
                len: None,
                is_plain: false,
                file: None,
                waits: Waits::Stdin,
                has_paused: false,
                before_read: None,
                name,
            });
        }
        Input::open_file(path, as_is, progress, |file| Box::new(file))
    }

    fn open_file(
        path: &Path,
        as_is: bool,
        progress: &Progress,
        wrap: impl FnOnce(File) -> Box<dyn Read>,
    ) -> Outcome<Input> {
        let name = name_of(path);
        let open = || {
            let file = File::open(path)?;
            // NUL has none on Windows, and is read as a stream.
            let metadata = file.metadata().ok();
            if metadata.as_ref().is_some_and(Metadata::is_dir) {
                return Err(io::Error::from(io::ErrorKind::IsADirectory));
            }
            progress.expect(metadata.as_ref().map_or(0, Metadata::len));
            // The same place in the file.
            let waits = Waits::File(file.try_clone().ok());
            let brotli = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("br"));
            let reader = decompressed(Box::new(progress.count(wrap(file))), brotli, as_is)?;
            Ok((reader, waits, metadata))
        };
        let ((reader, is_plain), waits, metadata) = open().map_err(|error| Failure::input(&name, &error))?;
        let len = metadata
            .filter(Metadata::is_file)
            .and_then(|metadata| usize::try_from(metadata.len()).ok());
        Ok(Input {
            name,
            path: len.map(|_| path.to_owned()),
            len,
            is_plain,
            file: len.map(|_| path.to_owned()),
            waits,
            has_paused: false,
            before_read: None,
            reader,
        })
    }

    /// Calls `hook` before each read that may wait for a program, a person or the network: so that they see
    /// what was written.
    pub fn before_read(&mut self, hook: impl FnMut() + 'static) {
        if self.is_live() {
            self.before_read = Some(Box::new(hook));
        }
    }

    /// Returns the first bytes, which are read again: 64 KiB, or what there is before a pause or after a second.
    pub fn peek(&mut self) -> Outcome<Vec<u8>> {
        let mut start = vec![0; PEEK];
        let mut len = 0;
        let mut until = None;
        self.has_paused = false;
        while let Some(free) = start.get_mut(len..).filter(|free| !free.is_empty()) {
            match self.reader.read(free) {
                Ok(0) => break,
                Ok(count) => len += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Failure::input(&self.name, &error)),
            }
            if self.is_live() {
                let now = Instant::now();
                let until = *until.get_or_insert(now + PATIENCE);
                self.has_paused = now >= until || !self.waits.has_bytes(PAUSE);
                if self.has_paused {
                    break;
                }
            }
        }
        start.truncate(len);
        let is_plain = self.is_plain;
        self.map(|reader| Box::new(Cursor::new(start.clone()).chain(reader)));
        self.is_plain = is_plain;
        Ok(start)
    }

    /// Returns whether the first bytes that were looked at ended before the others came.
    #[must_use]
    pub fn has_paused(&self) -> bool {
        self.has_paused
    }

    /// Passes over the first bytes, which are left out in all that follows.
    pub fn skip(&mut self, count: u64) -> Outcome {
        let mut first = (&mut self.reader).take(count);
        let skipped = io::copy(&mut first, &mut io::sink());
        let skipped = skipped.map_err(|error| Failure::input(&self.name, &error))?;
        if skipped < count {
            let text = format!("the input has {skipped} bytes, and --skip leaves out {count}");
            return Err(Failure::Invalid(text).within(&self.name));
        }
        // No file has these bytes alone.
        self.path = None;
        self.is_plain = false;
        Ok(())
    }

    /// Reads through another reader from here on.
    pub fn map(&mut self, wrap: impl FnOnce(Box<dyn Read>) -> Box<dyn Read>) {
        let reader = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = wrap(reader);
        self.is_plain = false;
    }

    /// Returns the regular file of the input, if its bytes are read as they are.
    #[must_use]
    pub fn plain_file(&self) -> Option<&Path> {
        self.file.as_deref().filter(|_| self.is_plain)
    }

    /// Returns an empty input of the same name, for another reader of the same data.
    #[must_use]
    pub fn shell(&self) -> Input {
        Input {
            name: self.name.clone(),
            path: self.path.clone(),
            len: self.len,
            reader: Box::new(io::empty()),
            is_plain: false,
            file: None,
            waits: Waits::File(None),
            has_paused: false,
            before_read: None,
        }
    }

    /// Returns whether the next read may have to wait.
    #[must_use]
    pub fn may_wait(&self) -> bool {
        self.is_live() && !self.waits.has_bytes(Duration::ZERO)
    }

    /// Returns a file with the bytes: the input itself if that is a file whose bytes are read as they are,
    /// or a temporary file.
    pub fn into_file(mut self) -> Outcome<File> {
        let path = self.path.take().filter(|_| self.is_plain);
        let open = || match path {
            Some(path) => File::open(path),
            None => {
                let mut file = tempfile::tempfile()?;
                io::copy(&mut self.reader, &mut file)?;
                Ok(file)
            }
        };
        open().map_err(|error| Failure::input(&self.name, &error))
    }

    /// Returns whether the bytes may come slowly: the input is not a file of known length.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.len.is_none()
    }

    /// Keeps what is read from here on: in memory, or in a temporary file if it is large.
    pub fn tape(&mut self) -> Rc<RefCell<Tape>> {
        let tape = Rc::new(RefCell::new(Tape {
            source: Box::new(io::empty()),
            read: SpooledTempFile::new(TAPE),
        }));
        self.map(|source| {
            tape.borrow_mut().source = source;
            Box::new(TapeReader(Rc::clone(&tape)))
        });
        tape
    }

    /// Reads the rest of the input, of at most `max` bytes.
    pub fn read_all(&mut self, max: u64) -> Outcome<Vec<u8>> {
        let mut bytes = Vec::new();
        (&mut self.reader)
            .take(max.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| Failure::input(&self.name, &error))?;
        if bytes.len() as u64 > max {
            let text = format!("input exceeds {max} bytes, and this command holds it in memory");
            return Err(Failure::Invalid(text).within(&self.name));
        }
        Ok(bytes)
    }
}

/// Bytes that were read, and the rest of the input: what was read can be read again.
pub struct Tape {
    source: Box<dyn Read>,
    read: SpooledTempFile,
}

impl Tape {
    /// Reads everything from an offset on, of at most `max` bytes.
    pub fn rest(tape: &RefCell<Tape>, from: u64, max: u64) -> Outcome<Vec<u8>> {
        let mut tape = tape.borrow_mut();
        let Tape { source, read } = &mut *tape;
        let mut bytes = Vec::new();
        let done = read
            .seek(SeekFrom::Start(from))
            .and_then(|_| read.chain(source).take(max.saturating_add(1)).read_to_end(&mut bytes));
        done.map_err(|error| Failure::input("standard input", &error))?;
        if bytes.len() as u64 > max {
            return Err(Failure::Invalid(format!(
                "standard input: more than {max} bytes follow the fault, and this command holds them in memory"
            )));
        }
        Ok(bytes)
    }
}

struct TapeReader(Rc<RefCell<Tape>>);

impl Read for TapeReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut tape = self.0.borrow_mut();
        let count = tape.source.read(buffer)?;
        tape.read.write_all(buffer.get(..count).unwrap_or_default())?;
        Ok(count)
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(hook) = &mut self.before_read {
            hook();
        }
        self.reader.read(buffer)
    }
}

/// A file that may grow.
struct FollowReader {
    file: File,
    name: String,
}

impl Read for FollowReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.file.read(buffer) {
                Ok(0) if !buffer.is_empty() => {
                    if self.file.metadata()?.len() < self.file.stream_position()? {
                        let name = &self.name;
                        style::warn(&format!(
                            "{name}: the file became shorter: it is read from its start again"
                        ));
                        self.file.rewind()?;
                    } else {
                        std::thread::sleep(FOLLOW);
                    }
                }
                done => return done,
            }
        }
    }
}

/// Where bytes may come late.
enum Waits {
    Stdin,
    /// A file, a named pipe or a device.
    File(Option<File>),
    /// A file that may grow.
    Growing(Option<File>),
}

impl Waits {
    /// Returns whether bytes, or the end, are there within this time.
    fn has_bytes(&self, patience: Duration) -> bool {
        match self {
            Waits::Stdin => is_readable(&io::stdin(), patience),
            Waits::File(Some(file)) => is_readable(file, patience),
            Waits::Growing(Some(file)) => {
                let mut file: &File = file;
                let len = file.metadata().map(|metadata| metadata.len());
                matches!((len, file.stream_position()), (Ok(len), Ok(at)) if at < len)
            }
            Waits::File(None) | Waits::Growing(None) => false,
        }
    }
}

#[cfg(unix)]
fn is_readable(file: &impl std::os::fd::AsFd, patience: Duration) -> bool {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    let mut files = [PollFd::new(file.as_fd(), PollFlags::POLLIN)];
    let patience = PollTimeout::try_from(patience).unwrap_or(PollTimeout::ZERO);
    poll(&mut files, patience).is_ok_and(|count| count > 0)
}

/// Returns `false`: it is not known.
#[cfg(not(unix))]
fn is_readable<F>(_: &F, _: Duration) -> bool {
    false
}

/// Returns the name of an input for messages.
#[must_use]
pub fn name_of_input(path: &Path) -> String {
    if path.as_os_str() == "-" {
        "standard input".to_owned()
    } else {
        name_of(path)
    }
}

/// Returns the files of a command line: standard input if there are none.
pub fn files_or_stdin(files: &[PathBuf]) -> Vec<PathBuf> {
    if files.is_empty() {
        vec![PathBuf::from("-")]
    } else {
        files.to_vec()
    }
}

#[cfg(feature = "zstd")]
fn zstd_decoder(source: impl Read + 'static) -> io::Result<Box<dyn Read>> {
    Ok(Box::new(zstd::stream::read::Decoder::new(source)?))
}

#[cfg(not(feature = "zstd"))]
fn zstd_decoder(_: impl Read) -> io::Result<Box<dyn Read>> {
    Err(io::Error::other(Failure::built_without("zstd")))
}

/// Returns the reader of the decompressed bytes, and whether they are those of the source.
fn decompressed(mut source: Box<dyn Read>, brotli: bool, as_is: bool) -> io::Result<(Box<dyn Read>, bool)> {
    if as_is {
        return Ok((source, true));
    }
    if brotli {
        return Ok((Box::new(brotli::Decompressor::new(source, CHUNK)), false));
    }
    // What there is: a message may be shorter than these bytes, and the next one late.
    let mut magic = Vec::new();
    let mut chunk = vec![0; PEEK];
    while magic.len() < ZSTD.len() && (GZIP.starts_with(&magic) || ZSTD.starts_with(&magic)) {
        match source.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => magic.extend_from_slice(chunk.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let (gzip, zstd) = (magic.starts_with(GZIP), magic.starts_with(ZSTD));
    let whole = Cursor::new(magic).chain(source);
    let reader: Box<dyn Read> = if gzip {
        Box::new(flate2::bufread::MultiGzDecoder::new(BufReader::with_capacity(
            CHUNK, whole,
        )))
    } else if zstd {
        zstd_decoder(whole)?
    } else {
        Box::new(whole)
    };
    Ok((reader, !gzip && !zstd))
}
