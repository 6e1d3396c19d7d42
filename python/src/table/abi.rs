//! The structs of the Arrow C data interface and of its stream interface, made of columns.
//!
//! Each struct owns what it points to, by `private_data`; its release callback frees that, once.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::Arc;

use super::column::Column;
use super::types::Field;

/// Flag of a schema: the rows of a field may be null.
pub const NULLABLE: i64 = 2;
/// Flag of a schema: the keys of a map are sorted.
pub const SORTED: i64 = 4;
/// What a callback returns for a null pointer (`EINVAL`), and for a failure of the reader (`EIO`).
const INVALID: c_int = 22;
const FAILED: c_int = 5;

/// `struct ArrowSchema`.
#[repr(C)]
pub struct CSchema {
    pub format: *const c_char,
    pub name: *const c_char,
    pub metadata: *const c_char,
    pub flags: i64,
    pub n_children: i64,
    pub children: *mut *mut CSchema,
    pub dictionary: *mut CSchema,
    pub release: Option<unsafe extern "C" fn(*mut CSchema)>,
    pub private_data: *mut c_void,
}

/// `struct ArrowArray`.
#[repr(C)]
pub struct CArray {
    length: i64,
    pub null_count: i64,
    offset: i64,
    pub n_buffers: i64,
    pub n_children: i64,
    pub buffers: *mut *const c_void,
    pub children: *mut *mut CArray,
    pub dictionary: *mut CArray,
    release: Option<unsafe extern "C" fn(*mut CArray)>,
    private_data: *mut c_void,
}

/// `struct ArrowArrayStream`.
#[repr(C)]
pub struct CStream {
    get_schema: Option<unsafe extern "C" fn(*mut CStream, *mut CSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut CStream, *mut CArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut CStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut CStream)>,
    private_data: *mut c_void,
}

impl CSchema {
    const RELEASED: CSchema = CSchema {
        format: null(),
        name: null(),
        metadata: null(),
        flags: 0,
        n_children: 0,
        children: null_mut(),
        dictionary: null_mut(),
        release: None,
        private_data: null_mut(),
    };
}

impl CStream {
    const RELEASED: CStream = CStream {
        get_schema: None,
        get_next: None,
        get_last_error: None,
        release: None,
        private_data: null_mut(),
    };
}

impl CArray {
    /// The number of rows.
    pub fn len(&self) -> i64 {
        self.length
    }

    /// What stands for the end of a stream.
    const RELEASED: CArray = CArray {
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

/// Dropped, a struct that nobody has moved elsewhere is released.
macro_rules! released_when_dropped {
    ($($name:ident)*) => {$(
        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // The struct is valid, and the callback clears `release`.
                    unsafe { release(self) }
                }
            }
        }

        // The interface allows releasing from any thread, and reading by one thread at a time. Nothing is written
        // through a shared reference.
        unsafe impl Send for $name {}
        unsafe impl Sync for $name {}
    )*};
}

released_when_dropped!(CSchema CArray CStream);

fn boxed<T>(child: T) -> *mut T {
    Box::into_raw(Box::new(child))
}

struct SchemaParts {
    format: CString,
    name: CString,
    children: Vec<*mut CSchema>,
}

/// The type of a field.
pub fn schema(field: &Field) -> CSchema {
    let children = field.ty.children();
    let mut parts = Box::new(SchemaParts {
        format: CString::new(field.ty.format()).unwrap_or_default(),
        name: field.name.clone(),
        children: children.iter().map(|child| boxed(schema(child))).collect(),
    });
    let sorted = if field.ty.is_sorted() { SORTED } else { 0 };
    CSchema {
        format: parts.format.as_ptr(),
        name: parts.name.as_ptr(),
        metadata: null(),
        flags: sorted | if field.nullable { NULLABLE } else { 0 },
        n_children: parts.children.len() as i64,
        children: parts.children.as_mut_ptr(),
        dictionary: null_mut(),
        release: Some(release_schema),
        private_data: Box::into_raw(parts).cast(),
    }
}

unsafe extern "C" fn release_schema(schema: *mut CSchema) {
    let Some(schema) = schema.as_mut() else {
        return;
    };
    if schema.release.take().is_none() {
        return;
    }
    let parts = Box::from_raw(schema.private_data.cast::<SchemaParts>());
    for &child in &parts.children {
        drop(Box::from_raw(child));
    }
}

/// What empty buffers point to.
#[repr(align(64))]
struct Aligned([u8; 64]);

static NOTHING: Aligned = Aligned([0; 64]);

struct ArrayParts {
    /// The owner of the buffers.
    _rows: Arc<Column>,
    pointers: Vec<*const c_void>,
    children: Vec<*mut CArray>,
}

/// The rows of a column, which the struct shares.
pub fn array(rows: &Arc<Column>) -> CArray {
    array_of(rows, rows)
}

/// A column that is `rows` or within it.
fn array_of(rows: &Arc<Column>, column: &Column) -> CArray {
    let pointer = |buffer: Option<&[u8]>| match buffer {
        // An empty vector has an address that is not null, but of no alignment.
        Some([]) => NOTHING.0.as_ptr().cast(),
        Some(bytes) => bytes.as_ptr().cast(),
        None => null(),
    };
    let children = column.children().iter();
    let mut parts = Box::new(ArrayParts {
        pointers: column.buffers().into_iter().map(pointer).collect(),
        children: children.map(|child| boxed(array_of(rows, child))).collect(),
        _rows: rows.clone(),
    });
    CArray {
        length: column.len() as i64,
        null_count: column.nulls() as i64,
        n_buffers: parts.pointers.len() as i64,
        n_children: parts.children.len() as i64,
        buffers: parts.pointers.as_mut_ptr(),
        children: parts.children.as_mut_ptr(),
        release: Some(release_array),
        private_data: Box::into_raw(parts).cast(),
        ..CArray::RELEASED
    }
}

unsafe extern "C" fn release_array(array: *mut CArray) {
    let Some(array) = array.as_mut() else {
        return;
    };
    if array.release.take().is_none() {
        return;
    }
    let parts = Box::from_raw(array.private_data.cast::<ArrayParts>());
    for &child in &parts.children {
        drop(Box::from_raw(child));
    }
}

/// A stream that another library has given.
pub struct ImportedStream(CStream);

impl ImportedStream {
    /// Moves the stream out of where the library shows it. `None` if it was used before.
    ///
    /// # Safety
    ///
    /// The pointer is to a valid struct, which nobody else uses meanwhile.
    pub unsafe fn take(from: *mut CStream) -> Option<ImportedStream> {
        let found = std::ptr::replace(from, CStream::RELEASED);
        found.release.is_some().then_some(ImportedStream(found))
    }

    /// The next array of rows; `None` at the end. `Err`: what the library says.
    pub fn next(&mut self) -> Result<Option<CArray>, String> {
        let mut array = CArray::RELEASED;
        let code = match self.0.get_next {
            Some(get_next) => unsafe { get_next(&raw mut self.0, &raw mut array) },
            None => INVALID,
        };
        self.checked(code)?;
        Ok(array.release.is_some().then_some(array))
    }

    /// The type of the arrays.
    pub fn schema(&mut self) -> Result<CSchema, String> {
        let mut schema = CSchema::RELEASED;
        let code = match self.0.get_schema {
            Some(get_schema) => unsafe { get_schema(&raw mut self.0, &raw mut schema) },
            None => INVALID,
        };
        self.checked(code).map(|()| schema)
    }

    fn checked(&mut self, code: c_int) -> Result<(), String> {
        if code == 0 {
            return Ok(());
        }
        let text = match self.0.get_last_error {
            Some(last_error) => unsafe { last_error(&raw mut self.0) },
            None => null(),
        };
        if text.is_null() {
            return Err(format!("the Arrow stream failed with code {code}"));
        }
        Err(unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned())
    }
}

/// A struct that another one is a copy of, and that it keeps.
macro_rules! copies {
    ($name:ident, $copy:ident, $release:ident) => {
        /// A struct that points to the same, for a reader that moves nothing out of it.
        fn $copy(of: &Arc<$name>) -> $name {
            unsafe extern "C" fn $release(copy: *mut $name) {
                let Some(copy) = copy.as_mut() else {
                    return;
                };
                if copy.release.take().is_some() {
                    drop(Arc::from_raw(copy.private_data.cast::<$name>()));
                }
            }
            // The copy is not released as the original is.
            let mut copy = unsafe { std::ptr::read(&**of) };
            copy.release = Some($release);
            copy.private_data = Arc::into_raw(of.clone()).cast_mut().cast();
            copy
        }
    };
}

copies!(CSchema, copy_of_schema, release_schema_copy);
copies!(CArray, copy_of_array, release_array_copy);

/// Some rows of an array of another library as a stream of one array, for the crate, which moves nothing out of it.
pub fn part(schema: &Arc<CSchema>, array: &Arc<CArray>, rows: std::ops::Range<i64>) -> CStream {
    let mut rows_of_array = copy_of_array(array);
    rows_of_array.offset += rows.start;
    rows_of_array.length = rows.end - rows.start;
    if rows_of_array.null_count > 0 {
        // Not known of a part.
        rows_of_array.null_count = -1;
    }
    let parts = PartParts {
        schema: schema.clone(),
        rows: Some(rows_of_array),
    };
    CStream {
        get_schema: Some(get_part_schema),
        get_next: Some(get_part),
        get_last_error: Some(no_error),
        release: Some(release_part),
        private_data: boxed(parts).cast(),
    }
}

struct PartParts {
    schema: Arc<CSchema>,
    rows: Option<CArray>,
}

unsafe fn part_of<'s>(stream: *mut CStream) -> Option<&'s mut PartParts> {
    let stream = stream.as_ref()?;
    stream.release?;
    stream.private_data.cast::<PartParts>().as_mut()
}

unsafe extern "C" fn get_part_schema(stream: *mut CStream, out: *mut CSchema) -> c_int {
    match part_of(stream) {
        Some(parts) if !out.is_null() => {
            out.write(copy_of_schema(&parts.schema));
            0
        }
        _ => INVALID,
    }
}

unsafe extern "C" fn get_part(stream: *mut CStream, out: *mut CArray) -> c_int {
    match part_of(stream) {
        Some(parts) if !out.is_null() => {
            out.write(parts.rows.take().unwrap_or(CArray::RELEASED));
            0
        }
        _ => INVALID,
    }
}

unsafe extern "C" fn no_error(_: *mut CStream) -> *const c_char {
    null()
}

unsafe extern "C" fn release_part(stream: *mut CStream) {
    let Some(stream) = stream.as_mut() else {
        return;
    };
    if stream.release.take().is_some() {
        drop(Box::from_raw(stream.private_data.cast::<PartParts>()));
    }
}

/// Returns the next batch of rows, a struct; `None` at the end.
pub type NextBatch = Box<dyn FnMut() -> Result<Option<Arc<Column>>, String> + Send>;

struct StreamParts {
    schema: Field,
    next: NextBatch,
    error: CString,
}

/// Batches of rows of one type as a stream. It may be used on any thread.
pub fn stream(schema: Field, next: NextBatch) -> CStream {
    let parts = StreamParts {
        schema,
        next,
        error: CString::default(),
    };
    CStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release_stream),
        private_data: boxed(parts).cast(),
    }
}

unsafe fn parts_of<'s>(stream: *mut CStream) -> Option<&'s mut StreamParts> {
    let stream = stream.as_ref()?;
    stream.release?;
    stream.private_data.cast::<StreamParts>().as_mut()
}

unsafe extern "C" fn get_schema(stream: *mut CStream, out: *mut CSchema) -> c_int {
    match parts_of(stream) {
        Some(parts) if !out.is_null() => {
            out.write(schema(&parts.schema));
            0
        }
        _ => INVALID,
    }
}

unsafe extern "C" fn get_next(stream: *mut CStream, out: *mut CArray) -> c_int {
    let Some(parts) = parts_of(stream).filter(|_| !out.is_null()) else {
        return INVALID;
    };
    match (parts.next)() {
        Ok(batch) => {
            out.write(batch.map_or(CArray::RELEASED, |rows| array(&rows)));
            0
        }
        Err(text) => {
            parts.error = CString::new(text.replace('\0', " ")).unwrap_or_default();
            FAILED
        }
    }
}

unsafe extern "C" fn get_last_error(stream: *mut CStream) -> *const c_char {
    match parts_of(stream) {
        Some(parts) => parts.error.as_ptr(),
        None => null(),
    }
}

unsafe extern "C" fn release_stream(stream: *mut CStream) {
    let Some(stream) = stream.as_mut() else {
        return;
    };
    if stream.release.take().is_none() {
        return;
    }
    drop(Box::from_raw(stream.private_data.cast::<StreamParts>()));
}
