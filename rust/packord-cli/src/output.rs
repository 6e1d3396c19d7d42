//! Where results go: standard output, or a file that appears only when it is whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::{Builder, NamedTempFile};

use crate::failure::{Failure, Outcome, name_of};

const BUFFER: usize = 64 << 10;

/// A sink for the result of a command. What is written to a file goes to another one beside it,
/// which takes its place in [`Output::commit`]; without that call nothing is left behind.
pub struct Output {
    name: String,
    sink: Sink,
}

enum Sink {
    Stdout(BufWriter<StdoutLock<'static>>),
    /// A device or pipe, which cannot be replaced.
    Direct(BufWriter<File>),
    Beside {
        file: BufWriter<NamedTempFile>,
        target: PathBuf,
    },
}

impl Output {
    /// Standard output for no path and for `-`.
    pub fn create(path: Option<&Path>) -> Outcome<Output> {
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            let sink = Sink::Stdout(BufWriter::with_capacity(BUFFER, io::stdout().lock()));
            return Ok(Output {
                name: "standard output".to_owned(),
                sink,
            });
        };
        let name = name_of(path);
        let sink = open(path).map_err(|error| Failure::output(&name, &error))?;
        Ok(Output { name, sink })
    }

    /// Whether what is written is seen on a terminal at once.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        matches!(self.sink, Sink::Stdout(_)) && io::stdout().is_terminal()
    }

    /// The failure for an I/O error of this output.
    #[must_use]
    pub fn failure(&self, error: &io::Error) -> Failure {
        Failure::output(&self.name, error)
    }

    /// Writes bytes.
    pub fn put(&mut self, bytes: &[u8]) -> Outcome {
        self.write_all(bytes).map_err(|error| self.failure(&error))
    }

    /// Writes out what is buffered, so that a reader sees it now.
    pub fn flush_now(&mut self) -> Outcome {
        self.flush().map_err(|error| self.failure(&error))
    }

    /// The result is whole: a file takes its place.
    pub fn commit(self) -> Outcome {
        let done = match self.sink {
            Sink::Stdout(mut stdout) => stdout.flush(),
            Sink::Direct(mut file) => file.flush(),
            Sink::Beside { file, target } => put_in_place(file, &target),
        };
        done.map_err(|error| Failure::output(&self.name, &error))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Stdout(stdout) => stdout.write(bytes),
            Sink::Direct(file) => file.write(bytes),
            Sink::Beside { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Stdout(stdout) => stdout.flush(),
            Sink::Direct(file) => file.flush(),
            Sink::Beside { file, .. } => file.flush(),
        }
    }
}

/// Writes a whole file at once, in the same way.
pub fn write_file(path: &Path, bytes: &[u8]) -> Outcome {
    let mut output = Output::create(Some(path))?;
    output.put(bytes)?;
    output.commit()
}

fn open(path: &Path) -> io::Result<Sink> {
    // A link stays one: the file behind it is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let existing = fs::metadata(&target).ok();
    if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    if existing
        .as_ref()
        .is_some_and(|metadata| !metadata.is_file())
    {
        let device = File::options().write(true).open(&target)?;
        return Ok(Sink::Direct(BufWriter::with_capacity(BUFFER, device)));
    }
    let folder = target
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut builder = Builder::new();
    builder.prefix(".packord-");
    #[cfg(unix)]
    let permissions = existing.map_or_else(
        || std::os::unix::fs::PermissionsExt::from_mode(0o666),
        |metadata| metadata.permissions(),
    );
    #[cfg(unix)]
    builder.permissions(permissions);
    let file = builder.tempfile_in(folder)?;
    remember(file.path());
    Ok(Sink::Beside {
        file: BufWriter::with_capacity(BUFFER, file),
        target,
    })
}

fn put_in_place(file: BufWriter<NamedTempFile>, target: &Path) -> io::Result<()> {
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    let path = file.path().to_owned();
    file.persist(target).map_err(|error| error.error)?;
    forget(&path);
    Ok(())
}

/// The unfinished files, for the handler of signals.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn remember(path: &Path) {
    if let Ok(mut unfinished) = UNFINISHED.lock() {
        unfinished.push(path.to_owned());
    }
}

fn forget(path: &Path) {
    if let Ok(mut unfinished) = UNFINISHED.lock() {
        unfinished.retain(|other| other != path);
    }
}

/// Takes unfinished output away when the program is interrupted or terminated.
pub fn clean_up_on_signals() {
    // Without a handler the default one is in place, and only the cleaning up is missing.
    let _ = ctrlc::set_handler(|| {
        if let Ok(unfinished) = UNFINISHED.lock() {
            for path in unfinished.iter() {
                let _ = fs::remove_file(path);
            }
        }
        std::process::exit(130);
    });
}
