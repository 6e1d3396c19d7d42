//! The structs of the Arrow C data interface and of its stream interface.

use core::ffi::{c_char, c_int, c_void};
use core::fmt;
use core::ptr::null_mut;

macro_rules! released {
    ($name:ident) => {
        impl $name {
            /// Returns a struct that is released: it has nothing.
            #[must_use]
            pub const fn released() -> $name {
                $name::EMPTY
            }

            /// Returns whether there is nothing to release: it was released, or moved elsewhere.
            #[must_use]
            pub fn is_released(&self) -> bool {
                self.release.is_none()
            }

            /// Moves the struct out of the memory that another program shows, which has a released one then.
            /// Returns `None` for a null pointer and for a struct that is released.
            ///
            /// # Safety
            ///
            /// A pointer that is not null is aligned, and points to a valid struct of the Arrow C data
            /// interface that nobody else uses meanwhile.
            pub unsafe fn take(from: *mut $name) -> Option<$name> {
                if from.is_null() {
                    return None;
                }
                // SAFETY: the caller's promise.
                let found = unsafe { core::ptr::replace(from, $name::EMPTY) };
                (!found.is_released()).then_some(found)
            }

            /// Takes what the struct owns, which is released with that; `None` if it was before.
            pub(super) fn take_parts(&mut self) -> Option<*mut c_void> {
                self.release.take()?;
                Some(core::mem::replace(&mut self.private_data, null_mut()))
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: the struct is valid and not released, so this is to be called, once: the
                    // callback clears `release`, and nobody sees `self` afterwards.
                    unsafe { release(self) }
                }
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let state = if self.is_released() { "released" } else { ".." };
                write!(f, "{}({state})", stringify!($name))
            }
        }

        // SAFETY: the interface allows releasing from any thread, and reading by one thread at a time.
        unsafe impl Send for $name {}
    };
}

/// A type of Arrow, with a name: `struct ArrowSchema` of the C data interface. Dropped, it is released.
///
/// ```
/// use packord::columns::arrow::ArrowSchema;
/// assert!(ArrowSchema::released().is_released());
/// ```
#[repr(C)]
pub struct ArrowSchema {
    pub(super) format: *const c_char,
    pub(super) name: *const c_char,
    pub(super) metadata: *const c_char,
    pub(super) flags: i64,
    pub(super) n_children: i64,
    pub(super) children: *mut *mut ArrowSchema,
    pub(super) dictionary: *mut ArrowSchema,
    pub(super) release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    pub(super) private_data: *mut c_void,
}

impl ArrowSchema {
    pub(super) const EMPTY: ArrowSchema = ArrowSchema {
        format: null_mut(),
        name: null_mut(),
        metadata: null_mut(),
        flags: 0,
        n_children: 0,
        children: null_mut(),
        dictionary: null_mut(),
        release: None,
        private_data: null_mut(),
    };
}

/// An array of Arrow: `struct ArrowArray` of the C data interface. Dropped, it is released.
///
/// ```
/// use packord::columns::arrow::ArrowArray;
/// assert!(ArrowArray::released().is_released());
/// ```
#[repr(C)]
pub struct ArrowArray {
    pub(super) length: i64,
    pub(super) null_count: i64,
    pub(super) offset: i64,
    pub(super) n_buffers: i64,
    pub(super) n_children: i64,
    pub(super) buffers: *mut *const c_void,
    pub(super) children: *mut *mut ArrowArray,
    pub(super) dictionary: *mut ArrowArray,
    pub(super) release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    pub(super) private_data: *mut c_void,
}

impl ArrowArray {
    pub(super) const EMPTY: ArrowArray = ArrowArray {
        length: 0,
        null_count: 0,
        offset: 0,
        n_buffers: 0,
        n_children: 0,
        buffers: null_mut(),
        children: null_mut(),
        dictionary: null_mut(),
        release: None,
        private_data: null_mut(),
    };
}

/// Arrays of one type, one after another: `struct ArrowArrayStream` of the C stream interface. Dropped, it
/// is released.
///
/// ```
/// use packord::columns::arrow::ArrowArrayStream;
/// assert!(ArrowArrayStream::released().is_released());
/// ```
#[repr(C)]
pub struct ArrowArrayStream {
    pub(super) get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    pub(super) get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    pub(super) get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    pub(super) release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    pub(super) private_data: *mut c_void,
}

impl ArrowArrayStream {
    pub(super) const EMPTY: ArrowArrayStream = ArrowArrayStream {
        get_schema: None,
        get_next: None,
        get_last_error: None,
        release: None,
        private_data: null_mut(),
    };
}

released!(ArrowSchema);
released!(ArrowArray);
released!(ArrowArrayStream);
