//! Arrays as structs of the C data interface. Each struct owns what it points to, by `private_data`; its
//! release callback frees that, once.

use super::super::array::ColumnArray;
use super::super::field::FieldType;
use super::abi::{ArrowArray, ArrowArrayStream, ArrowSchema};
use super::bytes::SharedBytes;
use alloc::boxed::Box;
use alloc::ffi::CString;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ffi::{c_char, c_int, c_void};
use core::ptr::{null, null_mut};

/// Flags of a schema: the rows of a field may be null; the keys of a map are sorted.
pub(super) const NULLABLE: i64 = 2;
pub(super) const SORTED: i64 = 4;
/// What a callback returns for a null pointer, `EINVAL`, and for a failure, `EIO`.
const INVALID: c_int = 22;
const FAILED: c_int = 5;

struct SchemaParts {
    format: CString,
    name: CString,
    children: Vec<*mut ArrowSchema>,
    dictionary: *mut ArrowSchema,
}

struct ArrayParts {
    /// The owners of the buffers.
    bytes: Vec<Option<SharedBytes>>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
    dictionary: *mut ArrowArray,
}

/// Frees a struct that [`Box::into_raw`] gave, or nothing. If nobody moved it away, it is released.
///
/// # Safety
///
/// The pointer is null, or from `Box::into_raw` and not freed yet.
unsafe fn free<T>(child: *mut T) {
    if !child.is_null() {
        // SAFETY: the caller's promise. Dropping releases what was not moved.
        drop(unsafe { Box::from_raw(child) });
    }
}

fn boxed<T>(child: T) -> *mut T {
    Box::into_raw(Box::new(child))
}

pub(in super::super) fn exported_field(field: &FieldType) -> ArrowSchema {
    let format = format!("{}{}", field.ty, field.zone);
    let dictionary = field.dictionary.as_deref();
    let mut parts = Box::new(SchemaParts {
        format: CString::new(format).unwrap_or_default(),
        name: field.name.clone(),
        children: field
            .children
            .iter()
            .map(|child| boxed(exported_field(child)))
            .collect(),
        dictionary: dictionary.map_or(null_mut(), |entries| boxed(exported_field(entries))),
    });
    let flag = |flag, is: bool| if is { flag } else { 0 };
    ArrowSchema {
        format: parts.format.as_ptr(),
        name: parts.name.as_ptr(),
        metadata: null(),
        flags: flag(NULLABLE, field.nullable) | flag(SORTED, field.is_sorted),
        n_children: parts.children.len() as i64,
        children: parts.children.as_mut_ptr(),
        dictionary: parts.dictionary,
        release: Some(release_schema),
        private_data: Box::into_raw(parts).cast(),
    }
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the interface calls this with null or with a struct that this module has made.
    let parts = unsafe { schema.as_mut() }.and_then(ArrowSchema::take_parts);
    let Some(parts) = parts else { return };
    // SAFETY: `exported_field` has set it, and it is taken once.
    let parts = unsafe { Box::from_raw(parts.cast::<SchemaParts>()) };
    for child in parts.children.into_iter().chain([parts.dictionary]) {
        // SAFETY: `exported_field` has boxed it.
        unsafe { free(child) };
    }
}

/// Returns an array, which shares its buffers.
pub(in super::super) fn exported_array(array: &ColumnArray) -> ArrowArray {
    let bytes = array.buffers.clone();
    let address = |buffer: &Option<SharedBytes>| match buffer {
        Some(bytes) => bytes.as_slice().as_ptr().cast(),
        None => null(),
    };
    let mut parts = Box::new(ArrayParts {
        buffers: bytes.iter().map(address).collect(),
        bytes,
        children: array
            .children
            .iter()
            .map(|child| boxed(exported_array(&child.array)))
            .collect(),
        dictionary: array
            .dictionary
            .as_deref()
            .map_or(null_mut(), |entries| boxed(exported_array(entries))),
    });
    ArrowArray {
        length: array.len as i64,
        null_count: array.nulls as i64,
        offset: array.offset as i64,
        n_buffers: parts.buffers.len() as i64,
        n_children: parts.children.len() as i64,
        buffers: parts.buffers.as_mut_ptr(),
        children: parts.children.as_mut_ptr(),
        dictionary: parts.dictionary,
        release: Some(release_array),
        private_data: Box::into_raw(parts).cast(),
    }
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: the interface calls this with null or with a struct that this module has made.
    let parts = unsafe { array.as_mut() }.and_then(ArrowArray::take_parts);
    let Some(parts) = parts else { return };
    // SAFETY: `exported_array` has set it, and it is taken once.
    let parts = unsafe { Box::from_raw(parts.cast::<ArrayParts>()) };
    drop(parts.bytes);
    for child in parts.children.into_iter().chain([parts.dictionary]) {
        // SAFETY: `exported_array` has boxed it.
        unsafe { free(child) };
    }
}

/// Returns the next array of a stream, or what the consumer is told.
pub(in super::super) type NextArray = Box<dyn FnMut() -> Result<Option<Arc<ColumnArray>>, String> + Send>;

struct StreamParts {
    ty: FieldType,
    next: NextArray,
    error: CString,
}

pub(in super::super) fn exported_stream(array: Arc<ColumnArray>) -> ArrowArrayStream {
    let ty = FieldType::of(&array, CString::default(), true);
    let mut array = Some(array);
    exported_arrays(ty, Box::new(move || Ok(array.take())))
}

pub(in super::super) fn exported_arrays(ty: FieldType, next: NextArray) -> ArrowArrayStream {
    let parts = Box::new(StreamParts {
        ty,
        next,
        error: CString::default(),
    });
    ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release_stream),
        private_data: Box::into_raw(parts).cast(),
    }
}

/// Returns the parts of a stream; `None` for null and for one that is released.
///
/// # Safety
///
/// The pointer is null, or to a stream that this module has made and that nobody else uses meanwhile.
unsafe fn parts_of<'s>(stream: *mut ArrowArrayStream) -> Option<&'s mut StreamParts> {
    // SAFETY: the caller's promise.
    let stream = unsafe { stream.as_ref() }?;
    stream.release?;
    // SAFETY: `exported_stream` has set it, and it is freed when the stream is released.
    unsafe { stream.private_data.cast::<StreamParts>().as_mut() }
}

unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the interface calls this with such a stream.
    match unsafe { parts_of(stream) } {
        Some(parts) if !out.is_null() => {
            // SAFETY: the caller gives a place for a struct, which holds nothing yet.
            unsafe { out.write(exported_field(&parts.ty)) };
            0
        }
        _ => INVALID,
    }
}

unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: the interface calls this with such a stream.
    match unsafe { parts_of(stream) } {
        Some(parts) if !out.is_null() => match (parts.next)() {
            Ok(next) => {
                let next = next.map_or(ArrowArray::EMPTY, |array| exported_array(&array));
                // SAFETY: the caller gives a place for a struct, which holds nothing yet.
                unsafe { out.write(next) };
                0
            }
            Err(text) => {
                parts.error = CString::new(text.replace('\0', " ")).unwrap_or_default();
                FAILED
            }
        },
        _ => INVALID,
    }
}

unsafe extern "C" fn get_last_error(stream: *mut ArrowArrayStream) -> *const c_char {
    // SAFETY: the interface calls this with such a stream.
    match unsafe { parts_of(stream) } {
        Some(parts) => parts.error.as_ptr(),
        None => null(),
    }
}

unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    // SAFETY: the interface calls this with null or with a struct that this module has made.
    if let Some(parts) = unsafe { stream.as_mut() }.and_then(ArrowArrayStream::take_parts) {
        // SAFETY: `exported_arrays` has set it, and it is taken once.
        drop(unsafe { Box::from_raw(parts.cast::<StreamParts>()) });
    }
}
