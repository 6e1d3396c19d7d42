//! Structs of the C data interface as arrays. A producer is trusted as the interface must be: its pointers
//! point to what the types and lengths say. Null pointers, numbers below 0, types that are not known and
//! children that do not fit are errors.

use super::super::array::{ArrowField, ColumnArray};
use super::super::field::FieldType;
use super::super::types::{ArrowType, Offsets};
use super::abi::{ArrowArray, ArrowArrayStream, ArrowSchema};
use super::bytes::SharedBytes;
use super::export::{NULLABLE, SORTED};
use crate::error::{Error, ErrorKind, Result};
use crate::read::check_depth;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ffi::{CStr, c_char, c_void};

/// Maximum number of arrays around each other.
const MAX_NESTED: u32 = 64;

/// A stream of another producer, of which the type was read.
#[derive(Debug)]
pub(in super::super) struct ImportedStream {
    stream: ArrowArrayStream,
    ty: FieldType,
}

fn broken(path: &str, detail: &str) -> Error {
    Error::new(ErrorKind::Custom)
        .with_path(path)
        .with_detail(format!("Arrow: {detail}"))
}

impl ImportedStream {
    /// Asks a stream for its type.
    pub fn open(mut stream: ArrowArrayStream) -> Result<ImportedStream> {
        let get_schema = stream
            .get_schema
            .ok_or_else(|| broken("$", "the stream has no get_schema"))?;
        let mut schema = ArrowSchema::EMPTY;
        // SAFETY: the stream is valid and not released, and `schema` has room for the struct.
        let code = unsafe { get_schema(&raw mut stream, &raw mut schema) };
        if code != 0 {
            return Err(failure(&mut stream, code));
        }
        let ty = imported_field(&schema)?;
        Ok(ImportedStream { stream, ty })
    }

    /// Returns the next array; `None` after the last.
    pub fn next(&mut self) -> Result<Option<ColumnArray>> {
        let get_next = self
            .stream
            .get_next
            .ok_or_else(|| broken("$", "the stream has no get_next"))?;
        let mut array = ArrowArray::EMPTY;
        // SAFETY: the stream is valid and not released, and `array` has room for the struct.
        let code = unsafe { get_next(&raw mut self.stream, &raw mut array) };
        if code != 0 {
            return Err(failure(&mut self.stream, code));
        }
        if array.is_released() {
            return Ok(None);
        }
        let owner = Arc::new(Producer(array));
        // SAFETY: the array is valid, and its type is that of the stream.
        unsafe { imported(&owner.0, &self.ty, &owner, "$") }.map(Some)
    }
}

/// What a producer gave. Only its address and its release callback are used after it was read.
struct Producer(ArrowArray);

// SAFETY: nothing reads the struct through a shared reference from several threads; what it points to is
// not changed before it is released.
unsafe impl Sync for Producer {}

fn failure(stream: &mut ArrowArrayStream, code: i32) -> Error {
    // SAFETY: the stream is valid and not released.
    let text = stream.get_last_error.map(|get| unsafe { get(stream) });
    // SAFETY: the message is null or ends with a byte 00, and is valid until the stream is used again.
    let text = text.and_then(|text| unsafe { text_of(text) });
    match text {
        Some(text) => broken("$", &text.to_string_lossy()),
        None => broken("$", &format!("the stream failed with code {code}")),
    }
}

/// Returns a string that ends with a byte 00; `None` for null.
///
/// # Safety
///
/// The pointer is null, or to bytes that end with a byte 00 and are valid for `'t`.
unsafe fn text_of<'t>(text: *const c_char) -> Option<&'t CStr> {
    // SAFETY: the caller's promise.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) })
}

/// Returns what a pointer points to; `None` for null.
///
/// # Safety
///
/// With `count` above 0, the pointer is null or to `count` values that are valid for `'t`.
unsafe fn items<'t, T>(start: *const T, count: usize) -> Option<&'t [T]> {
    if count == 0 {
        return Some(&[]);
    }
    let fits = count
        .checked_mul(size_of::<T>())
        .is_some_and(|size| isize::try_from(size).is_ok());
    let is_right = !start.is_null() && start.is_aligned() && fits;
    // SAFETY: the caller's promise; the pointer is not null.
    is_right.then(|| unsafe { core::slice::from_raw_parts(start, count) })
}

pub(in super::super) fn imported_field(schema: &ArrowSchema) -> Result<FieldType> {
    read(schema, "$", 1)
}

fn read(schema: &ArrowSchema, path: &str, nested: u64) -> Result<FieldType> {
    if schema.is_released() {
        return Err(broken(path, "the schema is released"));
    }
    check_depth(nested, MAX_NESTED).map_err(|kind| Error::new(kind).with_path(path))?;
    // SAFETY: a schema that is not released has a format, and a name or null.
    let (format, name) = unsafe { (text_of(schema.format), text_of(schema.name)) };
    let format = format.ok_or_else(|| broken(path, "the schema has no format"))?;
    let format = format.to_string_lossy();
    let Some(ty) = ArrowType::parse(&format) else {
        return Err(Error::new(ErrorKind::UnsupportedType)
            .with_path(path)
            .with_detail(format!("Arrow's format {format:?} has no type in MessagePack")));
    };
    let count = usize::try_from(schema.n_children);
    let count = count.map_err(|_| broken(path, "the schema has a negative count"))?;
    if ty.children().is_some_and(|wanted| wanted != count) {
        return Err(broken(path, &format!("{count} children do not fit {format:?}")));
    }
    // SAFETY: a schema that is not released has as many children as it says.
    let children = unsafe { items(schema.children.cast_const(), count) };
    let children = children.ok_or_else(|| broken(path, "the schema has no children"))?;
    let mut found = Vec::with_capacity(count);
    for &child in children {
        // SAFETY: each child is a schema, which lives as long as its parent.
        let child = unsafe { child.as_ref() };
        let child = child.ok_or_else(|| broken(path, "the schema has a null child"))?;
        // SAFETY: as for the schema itself.
        let name = unsafe { text_of(child.name) }.unwrap_or_default();
        let inner = format!("{path}.{}", name.to_string_lossy());
        found.push(read(child, &inner, nested + 1)?);
    }
    // SAFETY: the dictionary is null or a schema that lives as long as this one.
    let dictionary = match unsafe { schema.dictionary.as_ref() } {
        Some(entries) if matches!(ty, ArrowType::Int { .. }) => Some(Box::new(read(entries, path, nested + 1)?)),
        Some(_) => return Err(broken(path, "the indexes of a dictionary are not integers")),
        None => None,
    };
    let zone = match ty {
        ArrowType::Instant(_) => format.split_once(':').map_or("", |(_, zone)| zone),
        _ => "",
    };
    let read = FieldType {
        nullable: schema.flags & NULLABLE != 0,
        is_sorted: schema.flags & SORTED != 0,
        zone: zone.to_owned(),
        dictionary,
        ..FieldType::new(name.unwrap_or_default().to_owned(), ty, found)
    };
    match &read.ty {
        ArrowType::Map if read.children[0].ty != ArrowType::Struct || read.children[0].children.len() != 2 => {
            Err(broken(path, "the entries of a map are not a struct of two"))
        }
        ArrowType::RunEnds if !matches!(read.children[0].ty, ArrowType::Int { .. }) => {
            Err(broken(path, "the ends of runs are not integers"))
        }
        _ => Ok(read),
    }
}

/// Reads an array.
///
/// # Safety
///
/// The array is valid and of the type, and lives as long as the owner.
unsafe fn imported(array: &ArrowArray, of: &FieldType, owner: &Arc<Producer>, path: &str) -> Result<ColumnArray> {
    let number = |number: i64| usize::try_from(number).map_err(|_| broken(path, "the array has a negative length"));
    let (len, offset) = (number(array.length)?, number(array.offset)?);
    // SAFETY: an array has as many of them as it says.
    let (buffers, children) = unsafe {
        (
            items(array.buffers.cast_const(), number(array.n_buffers)?),
            items(array.children.cast_const(), number(array.n_children)?),
        )
    };
    let buffers = buffers.ok_or_else(|| broken(path, "the array has no buffers"))?;
    let children = children.ok_or_else(|| broken(path, "the array has no children"))?;
    if children.len() != of.children.len() {
        return Err(broken(path, "the array must have the children of its type"));
    }
    let end = offset.checked_add(len);
    let end = end.ok_or_else(|| broken(path, "the array is too long"))?;
    let mut found = ColumnArray::new(of.ty.clone(), len);
    found.offset = offset;
    found.nulls = usize::try_from(array.null_count).unwrap_or(0);
    let reader = BufferReader { buffers, owner, path };
    // SAFETY: the buffers are those of the type, for rows up to `end`.
    unsafe { reader.read(&mut found, end)? };
    for (&child, ty) in children.iter().zip(&of.children) {
        // SAFETY: each child is an array, which lives as long as its parent.
        let child = unsafe { child.as_ref() };
        let child = child.ok_or_else(|| broken(path, "the array has a null child"))?;
        let inner = format!("{path}.{}", ty.name.to_string_lossy());
        // SAFETY: the child is of the type of the schema's child.
        let array = unsafe { imported(child, ty, owner, &inner)? };
        found.children.push(ArrowField::of(&ty.name, true, array));
    }
    if let Some(ty) = &of.dictionary {
        // SAFETY: the dictionary is an array, which lives as long as this one.
        let entries = unsafe { array.dictionary.as_ref() };
        let entries = entries.ok_or_else(|| broken(path, "the array has no dictionary"))?;
        // SAFETY: the dictionary is of the type of the schema's dictionary.
        let entries = unsafe { imported(entries, ty, owner, path)? };
        found.dictionary = Some(Box::new(entries));
    }
    Ok(found)
}

/// Finds the sizes of buffers, which the interface does not say.
struct BufferReader<'r> {
    buffers: &'r [*const c_void],
    owner: &'r Arc<Producer>,
    path: &'r str,
}

impl BufferReader<'_> {
    /// Adds buffer number `index`, of `count` elements of `width` bytes.
    ///
    /// # Safety
    ///
    /// If the pointer is not null, it points to that number of bytes, which live as long as the owner.
    unsafe fn add(&self, to: &mut ColumnArray, index: usize, count: usize, width: usize) -> Result<()> {
        let start = self.buffers.get(index).copied();
        let start = start.ok_or_else(|| broken(self.path, "the array has too few buffers"))?;
        let size = count.checked_mul(width).filter(|&size| isize::try_from(size).is_ok());
        let size = size.ok_or_else(|| broken(self.path, "the array is too long"))?;
        if start.is_null() && size > 0 {
            return Err(broken(self.path, "the array has a null buffer"));
        }
        to.buffers.push((size > 0).then(|| {
            // SAFETY: the caller's promise, and the pointer is not null.
            unsafe { SharedBytes::from_raw(start.cast(), size, Arc::clone(self.owner)) }
        }));
        Ok(())
    }

    /// Adds all buffers of an array of `end` rows, its offset included.
    ///
    /// # Safety
    ///
    /// The buffers are those of the array's type and length.
    unsafe fn read(&self, to: &mut ColumnArray, end: usize) -> Result<()> {
        if to.ty.has_validity() {
            let is_absent = self.buffers.first().is_none_or(|bitmap| bitmap.is_null());
            if is_absent {
                to.nulls = 0;
                to.buffers.push(None);
            } else {
                // SAFETY: a bitmap has a bit for each row.
                unsafe { self.add(to, 0, end.div_ceil(8), 1)? };
            }
        }
        // SAFETY, for all below: this number of elements of this width belongs to the type.
        match to.ty {
            // SAFETY: a bit for each row.
            ArrowType::Bool => unsafe { self.add(to, 1, end.div_ceil(8), 1) },
            // SAFETY: an offset of each row.
            ArrowType::List(size) => unsafe { self.offsets(to, end, size).map(drop) },
            // SAFETY: an offset of each row.
            ArrowType::Map => unsafe { self.offsets(to, end, Offsets::Small).map(drop) },
            ArrowType::ListView(size) => {
                let width = if size == Offsets::Large { 8 } else { 4 };
                // SAFETY: an offset and a size of each row.
                unsafe {
                    self.add(to, 1, end, width)?;
                    self.add(to, 2, end, width)
                }
            }
            ArrowType::Union { dense, .. } => {
                // SAFETY: a type id and, if dense, an offset of each row.
                unsafe {
                    self.add(to, 0, end, 1)?;
                    if dense { self.add(to, 1, end, 4) } else { Ok(()) }
                }
            }
            // SAFETY: what each of the rows says.
            ArrowType::Utf8(Offsets::View) | ArrowType::Binary(Offsets::View) => unsafe { self.views(to, end) },
            ArrowType::Utf8(size) | ArrowType::Binary(size) => {
                // SAFETY: an offset of each row, and bytes up to the last of these.
                unsafe {
                    let bytes = self.offsets(to, end, size)?;
                    self.add(to, 2, bytes, 1)
                }
            }
            _ => match to.ty.width() {
                // SAFETY: a value of each row.
                Some(width) => unsafe { self.add(to, 1, end, width) },
                None => Ok(()),
            },
        }
    }

    /// Adds the offsets and returns the last one.
    ///
    /// # Safety
    ///
    /// As for [`BufferReader::read`].
    unsafe fn offsets(&self, to: &mut ColumnArray, end: usize, size: Offsets) -> Result<usize> {
        // An array of no rows may have no offsets.
        let is_absent = self.buffers.get(1).is_some_and(|offsets| offsets.is_null());
        let count = if end == 0 && is_absent {
            0
        } else {
            end.saturating_add(1)
        };
        let is_large = size == Offsets::Large;
        // SAFETY: the caller's promise.
        unsafe { self.add(to, 1, count, if is_large { 8 } else { 4 })? };
        if count == 0 {
            return Ok(0);
        }
        let last = if is_large {
            to.element(1, end).map(i64::from_ne_bytes)
        } else {
            to.element(1, end).map(|bytes| i32::from_ne_bytes(bytes).into())
        };
        let last = last.and_then(|last| usize::try_from(last).ok());
        last.ok_or_else(|| broken(self.path, "the array has a negative offset"))
    }

    /// Adds the views, and the buffers that they are of: the sizes of these are in the last one.
    ///
    /// # Safety
    ///
    /// As for [`BufferReader::read`].
    unsafe fn views(&self, to: &mut ColumnArray, end: usize) -> Result<()> {
        // SAFETY: a view of each row.
        unsafe { self.add(to, 1, end, 16)? };
        let Some(data) = self.buffers.len().checked_sub(3) else {
            return Err(broken(self.path, "the array has too few buffers"));
        };
        let sizes = self.buffers[data + 2].cast::<i64>();
        // SAFETY: the last buffer has a size of each buffer of data.
        let sizes = unsafe { items(sizes, data) };
        let sizes = sizes.ok_or_else(|| broken(self.path, "the array has no sizes of its buffers"))?;
        for (place, &size) in sizes.iter().enumerate() {
            let size = usize::try_from(size);
            let size = size.map_err(|_| broken(self.path, "a buffer has a negative size"))?;
            // SAFETY: the buffer has this size.
            unsafe { self.add(to, 2 + place, size, 1)? };
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::exported_stream;
    use super::*;
    use crate::columns::arrow::array::{OffsetList, bool_array};
    use crate::columns::arrow::array::{integer_array, list_array, number_array};
    use crate::columns::arrow::rows::write_row;
    use core::ptr::null_mut;

    /// Lists of a struct of integers, floats and a dictionary of booleans.
    fn sample() -> ColumnArray {
        let mut indexes = integer_array(alloc::vec![1, 0], Some(&[true, false, true]));
        indexes.dictionary = Some(Box::new(bool_array(alloc::vec![true, false], None)));
        let fields = [
            ("a", integer_array(alloc::vec![1, 2, 70_000], None)),
            (
                "b",
                number_array(ArrowType::Float(8), alloc::vec![0.5], Some(&[false, true, false])),
            ),
            ("c", indexes),
        ];
        let fields = fields.map(|(name, array)| ArrowField::new(name, array).unwrap());
        let rows = ColumnArray::new(ArrowType::Struct, 3)
            .with_buffers(None, [])
            .with_children(fields.into());
        list_array(OffsetList::of([2, 1].into_iter()).unwrap(), rows, None)
    }

    const SAMPLE: &[u8] = b"\x92\x83\xa1a\x01\xa1b\xc0\xa1c\xc2\x83\xa1a\x02\xa1b\xcb\x3f\xe0\0\0\0\0\0\0\xa1c\xc0";

    #[test]
    fn what_was_exported_is_imported_and_freed() {
        let mut stream = ImportedStream::open(exported_stream(Arc::new(sample()))).unwrap();
        let array = stream.next().unwrap().unwrap();
        assert!(stream.next().unwrap().is_none());
        drop(stream);
        let mut out = Vec::new();
        write_row(&array, 0, &mut out).unwrap();
        assert_eq!(out, SAMPLE);
        // Not consumed, and consumed without its arrays.
        drop(exported_stream(Arc::new(sample())));
        drop(ImportedStream::open(exported_stream(Arc::new(sample()))).unwrap());
    }

    #[test]
    fn a_child_that_was_moved_out_outlives_its_parent() {
        let mut stream = exported_stream(Arc::new(sample()));
        let mut array = ArrowArray::EMPTY;
        // SAFETY: the stream is valid, its list has one child, and that has three.
        unsafe {
            assert_eq!(stream.get_next.unwrap()(&raw mut stream, &raw mut array), 0);
            let rows = *array.children;
            let child = ArrowArray::take(*(*rows).children).unwrap();
            assert!(ArrowArray::take(*(*rows).children).is_none());
            drop(array);
            drop(stream);
            let numbers: &[i32] = items((*child.buffers.add(1)).cast(), 3).unwrap();
            assert_eq!(numbers, [1, 2, 70_000]);
        }
    }

    #[test]
    fn null_and_what_is_released_are_passed_over() {
        let mut stream = exported_stream(Arc::new(sample()));
        let (get_schema, get_next) = (stream.get_schema.unwrap(), stream.get_next.unwrap());
        let release = stream.release.unwrap();
        // SAFETY: the interface gives null a meaning; the stream is valid, and then released.
        unsafe {
            assert!(ArrowArrayStream::take(null_mut()).is_none());
            assert_ne!(get_schema(null_mut(), null_mut()), 0);
            assert_ne!(get_schema(&raw mut stream, null_mut()), 0);
            assert_ne!(get_next(&raw mut stream, null_mut()), 0);
            release(null_mut());
            release(&raw mut stream);
            release(&raw mut stream);
            let mut array = ArrowArray::EMPTY;
            assert_ne!(get_next(&raw mut stream, &raw mut array), 0);
            assert!(ArrowArrayStream::take(&raw mut stream).is_none());
        }
    }

    unsafe extern "C" fn keep(_: *mut ArrowSchema) {}

    fn schema(format: &'static CStr, children: &mut [*mut ArrowSchema]) -> ArrowSchema {
        ArrowSchema {
            format: format.as_ptr(),
            n_children: children.len() as i64,
            children: children.as_mut_ptr(),
            release: Some(keep),
            ..ArrowSchema::EMPTY
        }
    }

    #[test]
    fn types_that_do_not_fit_are_errors() {
        let kind = |schema: &ArrowSchema| imported_field(schema).unwrap_err().kind();
        assert_eq!(kind(&schema(c"tin", &mut [])), ErrorKind::UnsupportedType);
        assert_eq!(kind(&schema(c"+l", &mut [])), ErrorKind::Custom);
        assert_eq!(kind(&schema(c"+l", &mut [null_mut()])), ErrorKind::Custom);
        assert_eq!(kind(&ArrowSchema::EMPTY), ErrorKind::Custom);
        let mut negative = schema(c"+s", &mut []);
        negative.n_children = -1;
        assert_eq!(kind(&negative), ErrorKind::Custom);
        let mut item = schema(c"l", &mut []);
        assert_eq!(kind(&schema(c"+m", &mut [&raw mut item])), ErrorKind::Custom);
        let mut text = schema(c"u", &mut []);
        text.dictionary = &raw mut item;
        assert_eq!(kind(&text), ErrorKind::Custom);
    }

    #[test]
    fn types_nest_only_so_deep() {
        let mut inner = schema(c"l", &mut []);
        let mut children = alloc::vec![null_mut(); 80];
        let mut all = alloc::vec![];
        for child in &mut children {
            *child = Box::into_raw(Box::new(inner));
            all.push(*child);
            inner = schema(c"+l", core::slice::from_mut(child));
        }
        let kind = imported_field(&inner).unwrap_err().kind();
        assert_eq!(kind, ErrorKind::DepthLimit);
        for child in all {
            // SAFETY: it was boxed above.
            drop(unsafe { Box::from_raw(child) });
        }
    }

    #[test]
    fn lengths_and_pointers_that_do_not_fit_are_errors() {
        let ty = imported_field(&schema(c"l", &mut [])).unwrap();
        let values = [7_i64, 8];
        let mut buffers = [core::ptr::null(), values.as_ptr().cast()];
        let array = |length, offset, n_buffers, buffers: *mut *const c_void| ArrowArray {
            length,
            offset,
            n_buffers,
            buffers,
            ..ArrowArray::EMPTY
        };
        let buffers = buffers.as_mut_ptr();
        let mut absent = [core::ptr::null(); 2];
        let owner = Arc::new(Producer(ArrowArray::EMPTY));
        // SAFETY: the first array is valid; what is wrong with the others is found before it is read.
        let read = |array: &ArrowArray| unsafe { imported(array, &ty, &owner, "$") };
        let found = read(&array(1, 1, 2, buffers)).unwrap();
        assert_eq!(found.element(1, 1), Some(8_i64.to_ne_bytes()));
        for (length, offset, n_buffers, buffers) in [
            (-1, 0, 2, buffers),
            (1, -1, 2, buffers),
            (i64::MAX, 1, 2, buffers),
            (i64::MAX, i64::MAX, 2, buffers),
            (2, 0, 1, buffers),
            (2, 0, -1, buffers),
            (2, 0, 2, null_mut()),
            (2, 0, 2, absent.as_mut_ptr()),
        ] {
            let error = read(&array(length, offset, n_buffers, buffers)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Custom);
        }
    }
}
