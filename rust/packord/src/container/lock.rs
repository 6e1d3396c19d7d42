//! [`LockedFile`]: one writer at a time (`spec/container.md` section 6).

use crate::error::{Error, Result};
use core::error::Error as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// A file that this program writes, and no other: the lock of the operating system is released when it is
/// dropped, and when the process ends in any way.
///
/// On Linux it is a lock of the open file description over all bytes, which also conflicts with the locks of
/// Java's `FileChannel`; on other systems of Unix it is `flock`; on Windows the file is opened so that no other
/// program can write it. Readers are not hindered. Systems with none of these have no lock.
#[derive(Debug)]
pub struct LockedFile {
    #[cfg(any(target_os = "linux", target_os = "android", not(unix)))]
    file: File,
    #[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
    file: nix::fcntl::Flock<File>,
}

impl LockedFile {
    /// Opens a file for reading and writing, and locks it. It is created if it does not exist. A program that
    /// replaces a container file holds its lock meanwhile.
    ///
    /// # Errors
    ///
    /// `io`: the file cannot be opened, or another writer has it open.
    pub fn open(path: &Path) -> Result<LockedFile> {
        LockedFile::open_for(path, true)
    }

    /// Opens a file and locks it while another takes its place: for reading only, if it may not be written.
    ///
    /// # Errors
    ///
    /// As for [`open`](LockedFile::open).
    pub fn open_to_replace(path: &Path) -> Result<LockedFile> {
        let opened = LockedFile::open(path);
        let cause = opened.as_ref().err().and_then(|error| error.source());
        let cause: Option<&io::Error> = cause.and_then(|cause| cause.downcast_ref());
        if cause.is_some_and(|cause| cause.kind() == io::ErrorKind::PermissionDenied) {
            return LockedFile::open_for(path, false);
        }
        opened
    }

    fn open_for(path: &Path, is_written: bool) -> Result<LockedFile> {
        loop {
            let locked = LockedFile::open_once(path, is_written)?;
            if is_at(locked.file(), path) {
                return Ok(locked);
            }
        }
    }

    fn open_once(path: &Path, is_written: bool) -> Result<LockedFile> {
        let mut options = OpenOptions::new();
        options.read(true).write(is_written);
        options.create(is_written).truncate(false);
        #[cfg(windows)]
        {
            use std::os::windows::fs::OpenOptionsExt;
            const FILE_SHARE_READ: u32 = 1;
            options.share_mode(FILE_SHARE_READ);
        }
        let opened = options.open(path);
        #[cfg(windows)]
        let opened = opened.map_err(|error| match error.raw_os_error() {
            // ERROR_SHARING_VIOLATION
            Some(32) => refused(),
            _ => error,
        });
        let locked = opened.and_then(|file| lock(file, is_written));
        locked.map_err(|error| Error::io(error, 0))
    }

    /// Returns the file.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.file
    }
}

/// Returns whether a file still has its name. Before it was locked, it may have been
/// removed, or another may have taken its place.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), path.metadata()) {
        (Ok(here), Ok(there)) => (here.dev(), here.ino()) == (there.dev(), there.ino()),
        // What is written to a file without a name is lost.
        (Ok(_), Err(error)) => error.kind() != io::ErrorKind::NotFound,
        // Without metadata to compare, the lock counts.
        (Err(_), _) => true,
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

#[cfg(any(unix, windows))]
#[cold]
fn refused() -> io::Error {
    io::Error::new(io::ErrorKind::WouldBlock, "another writer has the file open")
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn lock(file: File, is_written: bool) -> io::Result<LockedFile> {
    use nix::errno::Errno;
    use nix::fcntl::{FcntlArg, fcntl};
    use nix::libc;
    // Both conflict with the lock of a writer.
    let kind = if is_written { libc::F_WRLCK } else { libc::F_RDLCK };
    let whole = libc::flock {
        l_type: kind as _,
        l_whence: libc::SEEK_SET as _,
        l_start: 0,
        // To the end, however far the file grows.
        l_len: 0,
        l_pid: 0,
    };
    match fcntl(&file, FcntlArg::F_OFD_SETLK(&whole)) {
        Ok(_) => Ok(LockedFile { file }),
        Err(Errno::EAGAIN | Errno::EACCES) => Err(refused()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
fn lock(file: File, _: bool) -> io::Result<LockedFile> {
    use nix::errno::Errno;
    use nix::fcntl::{Flock, FlockArg};
    match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
        Ok(file) => Ok(LockedFile { file }),
        Err((_, Errno::EWOULDBLOCK)) => Err(refused()),
        Err((_, error)) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn lock(file: File, _: bool) -> io::Result<LockedFile> {
    Ok(LockedFile { file })
}

impl Write for LockedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_counts_while_it_has_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.pkd");
        let file = File::create(&path).unwrap();
        assert!(is_at(&file, &path));
        fs::remove_file(&path).unwrap();
        assert!(!is_at(&file, &path));
        fs::write(&path, "another").unwrap();
        assert!(!is_at(&file, &path));
    }
}
