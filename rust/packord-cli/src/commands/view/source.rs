//! The bytes that are looked at: a file, of which only the part in use is in memory.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes that are read at least.
const PAGE: usize = 16 << 10;

/// What can be read anywhere.
pub trait Seekable: Read + Seek {}

impl<T: Read + Seek> Seekable for T {}

/// The bytes of a file.
pub struct Source {
    file: Box<dyn Seekable>,
    len: u64,
    /// The part in memory, and its offset.
    part: Vec<u8>,
    base: u64,
    /// Bytes that are read as others, so that the data after a fault can be read.
    patches: BTreeMap<u64, u8>,
    /// The number of bytes that were read.
    pub read: u64,
    /// Why the file could not be read.
    pub trouble: Option<String>,
}

impl Source {
    /// Takes a file.
    ///
    /// # Errors
    ///
    /// Its length cannot be found.
    pub fn new(mut file: Box<dyn Seekable>) -> io::Result<Source> {
        Ok(Source {
            len: file.seek(SeekFrom::End(0))?,
            file,
            part: Vec::new(),
            base: 0,
            patches: BTreeMap::new(),
            read: 0,
            trouble: None,
        })
    }

    /// Returns the length in bytes.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns the bytes from an offset on: at least as many as requested, or up to the end.
    pub fn at(&mut self, offset: u64, wanted: usize) -> &[u8] {
        let rest = usize::try_from(self.len.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = wanted.min(rest);
        let place = |base: u64| {
            let index = usize::try_from(offset.checked_sub(base)?).ok()?;
            Some(index).filter(|&index| index <= usize::MAX - wanted)
        };
        let is_here = place(self.base).is_some_and(|at| at + wanted <= self.part.len());
        if !is_here {
            self.load(offset, wanted.max(PAGE).min(rest));
        }
        let index = place(self.base).unwrap_or_default();
        self.part.get(index..).unwrap_or_default()
    }

    fn load(&mut self, offset: u64, len: usize) {
        self.base = offset;
        self.part.clear();
        let done = self
            .file
            .seek(SeekFrom::Start(offset))
            .and_then(|_| (&mut self.file).take(len as u64).read_to_end(&mut self.part));
        self.read += self.part.len() as u64;
        if let Err(error) = done {
            self.trouble = Some(error.to_string());
        }
        if self.part.len() < len {
            // The file became shorter, or cannot be read there.
            self.len = offset + self.part.len() as u64;
        }
        for (at, byte) in self.patches.range(offset..offset + self.part.len() as u64) {
            if let Some(place) = self.part.get_mut((at - offset) as usize) {
                *place = *byte;
            }
        }
    }

    /// Reads another byte at an offset from now on.
    pub fn patch(&mut self, offset: u64, byte: u8) {
        self.patches.insert(offset, byte);
        self.part.clear();
        self.base = offset;
    }

    /// Returns the bytes as they are in the file, for the hex pane.
    pub fn unpatched(&mut self, offset: u64, wanted: usize) -> Vec<u8> {
        let patches = std::mem::take(&mut self.patches);
        self.part.clear();
        let mut bytes = self.at(offset, wanted).to_vec();
        bytes.truncate(wanted);
        self.patches = patches;
        self.part.clear();
        bytes
    }
}
