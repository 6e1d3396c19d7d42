//! Outputs: standard output, or a file that appears only when it is complete.

use std::cell::RefCell;
use std::error::Error as _;
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use packord::ErrorKind;
use packord::container::LockedFile;
use tempfile::{Builder, NamedTempFile};

use crate::failure::{Failure, Outcome, describe, name_of};
use crate::limits::CHUNK;
use crate::terminal::style;

/// Whether standard output was closed when the program began.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Notes whether standard output is closed. It is called before the standard library opens /dev/null in its place,
/// to which all could be written.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub extern "C" fn note_if_closed() {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use std::os::fd::AsFd;
    let stdout = io::stdout();
    let mut files = [PollFd::new(stdout.as_fd(), PollFlags::empty())];
    let polled = poll(&mut files, PollTimeout::ZERO).is_ok();
    let found = files[0].revents().unwrap_or(PollFlags::empty());
    let is_closed = polled && found.contains(PollFlags::POLLNVAL);
    IS_CLOSED.store(is_closed, Ordering::Relaxed);
}

/// Standard output, which is flushed when the input pauses.
type SharedStdout = Rc<RefCell<BufWriter<StdoutLock<'static>>>>;

/// Where a command writes its result. A file is written under a temporary name in the same
/// directory, and renamed by [`Output::commit`]. Without that call the temporary file is removed.
pub struct Output {
    name: String,
    destination: Destination,
    screen: Screen,
    /// Whether no other program may append to the file that is replaced.
    is_container: bool,
    lock: Option<LockedFile>,
}

/// How text is written to a terminal.
#[derive(Clone, Copy, PartialEq)]
enum Screen {
    /// There is none, or the bytes are not text.
    None,
    /// With escapes for what the terminal would obey.
    Text,
    /// The same, with colours.
    Colours,
}

enum Destination {
    Stdout(SharedStdout),
    /// A device or pipe, which cannot be replaced.
    Direct(BufWriter<File>),
    Temporary {
        file: BufWriter<NamedTempFile>,
        target: PathBuf,
    },
}

impl Output {
    /// Opens an output. No path and `-` mean standard output.
    pub fn create(path: Option<&Path>) -> Outcome<Output> {
        let (name, destination) = match path.filter(|path| path.as_os_str() != "-") {
            None => {
                let stdout = BufWriter::with_capacity(CHUNK, io::stdout().lock());
                let shared = Rc::new(RefCell::new(stdout));
                ("standard output".to_owned(), Destination::Stdout(shared))
            }
            Some(path) => {
                let name = name_of(path);
                let opened = open(path).map_err(|error| Failure::output(&name, &error))?;
                (name, opened)
            }
        };
        let mut output = Output {
            name,
            destination,
            screen: Screen::None,
            is_container: false,
            lock: None,
        };
        if output.is_terminal() {
            output.screen = Screen::Text;
        }
        Ok(output)
    }

    /// Opens an output for a container file. If it replaces a file, no other program appends to that meanwhile.
    pub fn create_container(path: Option<&Path>) -> Outcome<Output> {
        let mut output = Output::create(path)?;
        output.hold_container()?;
        Ok(output)
    }

    /// Says that the output is a container file.
    pub fn hold_container(&mut self) -> Outcome {
        self.is_container = true;
        self.lock()
    }

    fn lock(&mut self) -> Outcome {
        let Destination::Temporary { target, .. } = &self.destination else {
            return Ok(());
        };
        // At the end, another program may have created it meanwhile.
        if self.is_container && self.lock.is_none() && target.exists() {
            let locked = LockedFile::open_to_replace(target);
            self.lock = Some(locked.map_err(|error| failure(&self.name, &error))?);
        }
        Ok(())
    }

    /// Returns the path, or `standard output`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether the output goes directly to a terminal.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        matches!(self.destination, Destination::Stdout(_)) && io::stdout().is_terminal()
    }

    /// Returns what writes the buffered bytes of standard output. An error shows at the next write.
    pub fn flusher(&self) -> impl FnMut() + 'static {
        let stdout = match &self.destination {
            Destination::Stdout(stdout) => Some(Rc::clone(stdout)),
            _ => None,
        };
        move || {
            if let Some(stdout) = &stdout {
                let _ = stdout.borrow_mut().flush();
            }
        }
    }

    /// Refuses to write bytes that are not text to a terminal.
    ///
    /// # Errors
    ///
    /// The output is a terminal, and `force` is not set.
    pub fn refuse_terminal(&mut self, force: bool) -> Outcome {
        self.screen = Screen::None;
        if self.is_terminal() && !force {
            return Err(not_text());
        }
        Ok(())
    }

    /// Returns whether the output is coloured.
    pub fn has_colours(&mut self) -> bool {
        let is_on = style::is_on(self.is_terminal());
        if is_on && self.screen == Screen::Text {
            self.screen = Screen::Colours;
        }
        is_on
    }

    /// Returns the failure for an I/O error of this output.
    #[must_use]
    pub fn failure(&self, error: &io::Error) -> Failure {
        Failure::output(&self.name, error)
    }

    /// Writes bytes.
    pub fn put(&mut self, bytes: &[u8]) -> Outcome {
        self.write_all(bytes).map_err(|error| self.failure(&error))
    }

    /// Writes figures as JSON, indented.
    pub fn put_json(&mut self, figures: &impl serde::Serialize) -> Outcome {
        let text = serde_json::to_string_pretty(figures).map_err(|error| Failure::Invalid(error.to_string()))?;
        self.put((text + "\n").as_bytes())
    }

    /// Writes what is buffered, so that a reader sees it now.
    pub fn flush_now(&mut self) -> Outcome {
        self.flush().map_err(|error| self.failure(&error))
    }

    /// Finishes the output: a file gets its own name.
    pub fn commit(mut self) -> Outcome {
        self.lock()?;
        // Here, an open file cannot be replaced.
        #[cfg(not(unix))]
        {
            self.lock = None;
        }
        let done = match self.destination {
            Destination::Stdout(stdout) => stdout.borrow_mut().flush(),
            Destination::Direct(mut file) => file.flush(),
            Destination::Temporary { file, target } => put_in_place(file, &target),
        };
        done.map_err(|error| Failure::output(&self.name, &error))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.destination {
            Destination::Stdout(_) if IS_CLOSED.load(Ordering::Relaxed) => Err(io::Error::other("it is closed")),
            Destination::Stdout(stdout) if self.screen != Screen::None => {
                let shown = style::visible(bytes, self.screen == Screen::Colours);
                stdout.borrow_mut().write_all(&shown)?;
                Ok(bytes.len())
            }
            Destination::Stdout(stdout) => stdout.borrow_mut().write(bytes),
            Destination::Direct(file) => file.write(bytes),
            Destination::Temporary { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.destination {
            Destination::Stdout(stdout) => stdout.borrow_mut().flush(),
            Destination::Direct(file) => file.flush(),
            Destination::Temporary { file, .. } => file.flush(),
        }
    }
}

/// Returns the failure for bytes that a terminal would obey.
pub fn not_text() -> Failure {
    Failure::Usage(
        "the output is not text, and standard output is a terminal: use --out FILE, a pipe or --force".to_owned(),
    )
}

/// Returns the failure for a container file that cannot be written, or a row that it cannot have.
pub fn failure(name: &str, error: &packord::Error) -> Failure {
    let cause = error.source().and_then(|source| source.downcast_ref());
    match cause {
        Some(cause) if error.kind() == ErrorKind::Io => {
            let cause: &io::Error = cause;
            Failure::output(name, cause)
        }
        _ => Failure::Invalid(format!("{name}: {}", describe(error))),
    }
}

/// Writes a complete file at once, in the same way.
pub fn write_file(path: &Path, bytes: &[u8]) -> Outcome {
    let mut output = Output::create(Some(path))?;
    output.put(bytes)?;
    output.commit()
}

fn open(path: &Path) -> io::Result<Destination> {
    // A symbolic link stays one: the file that it points to is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let existing = fs::metadata(&target).ok();
    if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    if existing.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        let device = File::options().write(true).open(&target)?;
        return Ok(Destination::Direct(BufWriter::with_capacity(CHUNK, device)));
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
    let file = remembered(|| builder.tempfile_in(folder))?;
    Ok(Destination::Temporary {
        file: BufWriter::with_capacity(CHUNK, file),
        target,
    })
}

fn put_in_place(file: BufWriter<NamedTempFile>, target: &Path) -> io::Result<()> {
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    let path = file.path().to_owned();
    file.persist(target).map_err(|error| error.error)?;
    unfinished().retain(|other| *other != path);
    Ok(())
}

/// The temporary files, for the signal handler.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a temporary file. The list is locked meanwhile, so that no signal finds a file that is not in it.
fn remembered(create: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    let mut unfinished = unfinished();
    let file = create()?;
    unfinished.push(file.path().to_owned());
    Ok(file)
}

/// What else is done before a signal ends the program.
static BEFORE_EXIT: Mutex<Option<fn()>> = Mutex::new(None);

/// Sets what is done before a signal ends the program.
pub fn before_exit(hook: fn()) {
    if let Ok(mut before) = BEFORE_EXIT.lock() {
        *before = Some(hook);
    }
}

/// Removes the temporary files and ends the program. The list stays locked, so that no file is created
/// after it.
#[cfg(not(target_os = "wasi"))]
fn clean_up_and_exit(code: i32) -> ! {
    if let Some(hook) = BEFORE_EXIT.lock().ok().and_then(|hook| *hook) {
        hook();
    }
    let unfinished = unfinished();
    for path in unfinished.iter() {
        let _ = fs::remove_file(path);
    }
    std::process::exit(code)
}

/// Removes temporary files when the program is interrupted or terminated, and exits with 128 plus the
/// number of the signal, as shells do. Call it before other threads start.
#[cfg(unix)]
pub fn clean_up_on_signals() {
    use nix::sys::signal::{SigSet, Signal};
    let mut signals = SigSet::empty();
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        signals.add(signal);
    }
    // If this fails, the signals end the program as ever, and the files stay.
    if signals.thread_block().is_err() {
        return;
    }
    std::thread::spawn(move || {
        if let Ok(signal) = signals.wait() {
            clean_up_and_exit(128 + signal as i32);
        }
    });
}

/// There are no signals, and no thread to wait for them.
#[cfg(target_os = "wasi")]
pub fn clean_up_on_signals() {}

/// Removes temporary files when the program is interrupted.
#[cfg(not(any(unix, target_os = "wasi")))]
pub fn clean_up_on_signals() {
    // If this fails, the default handler ends the program, and the files stay.
    let _ = ctrlc::set_handler(|| {
        clean_up_and_exit(130);
    });
}
