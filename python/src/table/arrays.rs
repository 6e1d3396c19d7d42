//! Columns of a table's types from the arrays of one block, which have the types that suit the block.
//!
//! # Safety
//!
//! The arrays are those that the crate exports: valid by the C data interface, and with all their rows from the first on.

use std::ffi::CStr;

use super::abi::{CArray, CSchema};
use super::batch::MAX_SLOTS;
use super::buffers::{Bits, Offsets};
use super::column::{Column, Data};
use super::types::{Field, Type};

/// An array of the crate with its type.
#[derive(Clone, Copy)]
pub struct BlockArray<'a> {
    schema: &'a CSchema,
    array: &'a CArray,
}

impl<'a> BlockArray<'a> {
    /// # Safety
    ///
    /// Both are exported by the crate, for the same rows, and not released while they are borrowed.
    pub unsafe fn new(schema: &'a CSchema, array: &'a CArray) -> BlockArray<'a> {
        BlockArray { schema, array }
    }

    pub fn len(&self) -> usize {
        self.array.len() as usize
    }

    /// The field with a name.
    pub fn field(&self, name: &CStr) -> Option<BlockArray<'a>> {
        let mut fields = (0..self.array.n_children as usize).map(|index| self.child(index));
        fields.find(|field| unsafe { CStr::from_ptr(field.schema.name) } == name)
    }

    fn child(&self, index: usize) -> BlockArray<'a> {
        unsafe {
            BlockArray {
                schema: &**self.schema.children.add(index),
                array: &**self.array.children.add(index),
            }
        }
    }

    /// The values that indexes stand for.
    fn dictionary(&self) -> Option<BlockArray<'a>> {
        unsafe {
            Some(BlockArray {
                schema: self.schema.dictionary.as_ref()?,
                array: self.array.dictionary.as_ref()?,
            })
        }
    }

    fn format(&self) -> &'a str {
        let format = unsafe { CStr::from_ptr(self.schema.format) };
        format.to_str().unwrap_or_default()
    }

    /// `count` elements of a buffer.
    fn buffer<T: Copy>(&self, index: usize, count: usize) -> &'a [T] {
        let data = unsafe { *self.array.buffers.add(index) };
        if count == 0 || data.is_null() {
            return &[];
        }
        unsafe { std::slice::from_raw_parts(data.cast(), count) }
    }

    /// Which rows have a value, if not all have.
    fn validity(&self) -> Option<Bits> {
        let has_nulls = self.array.n_buffers > 0 && self.array.null_count != 0;
        let bytes = has_nulls.then(|| self.buffer::<u8>(0, self.len().div_ceil(8)));
        bytes
            .filter(|bytes| !bytes.is_empty())
            .map(|bytes| Bits::of(bytes.to_vec(), self.len()))
    }

    /// Where the parts of rows begin, and where the last one ends.
    fn offsets(&self, large: bool) -> Vec<usize> {
        let count = self.len() + 1;
        if large {
            let offsets = self.buffer::<i64>(1, count).iter();
            return offsets.map(|&offset| offset as usize).collect();
        }
        let offsets = self.buffer::<i32>(1, count).iter();
        offsets.map(|&offset| offset as usize).collect()
    }

    fn column(&self, ty: &Type, data: Data) -> Column {
        let validity = self.validity();
        let nulls = validity
            .as_ref()
            .map_or(0, |bits| self.len() - bits.ones_in());
        Column::of_parts(ty, self.len(), nulls, validity, data)
    }
}

/// The values of an array as a column. `None` if that type has them in another form, and they must be read one by one.
pub fn column(ty: &Type, source: BlockArray<'_>) -> Option<Column> {
    let format = source.format();
    if source.len() == 0 {
        return Some(Column::of_nulls(ty, 0));
    }
    if let Some(entries) = source.dictionary() {
        let rows = source.buffer::<i32>(1, source.len());
        let data = column(ty, entries)?.taken(rows, source.validity().as_ref())?;
        return Some(source.column(ty, data));
    }
    let data = match (ty, format) {
        (_, "n") => return Some(Column::of_nulls(ty, source.len())),
        (Type::Bool, "b") => {
            let bits = source.buffer(1, source.len().div_ceil(8));
            Data::Bool(Bits::of(bits.to_vec(), source.len()))
        }
        (Type::Bytes { large, .. }, "u" | "U")
        | (Type::Bytes { large, text: false }, "z" | "Z") => {
            let offsets = source.offsets(matches!(format, "U" | "Z"));
            let (begin, end) = (offsets[0], offsets[source.len()]);
            let bytes = &source.buffer::<u8>(2, end)[begin.min(end)..];
            Data::Bytes(Offsets::of(&offsets, *large)?, bytes.to_vec())
        }
        (Type::List { item, large }, "+l" | "+L") => {
            let offsets = source.offsets(format == "+L");
            let items = source.child(0);
            if offsets[0] != 0 || offsets[source.len()] != items.len() {
                return None;
            }
            let items = column(&item.ty, items)?;
            Data::List(Offsets::of(&offsets, *large)?, Box::new(items))
        }
        (Type::Struct(fields), "+s") => Data::of_struct(fields, columns(fields, source)?),
        _ => Data::Fixed(numbers(ty, format, source)?),
    };
    Some(source.column(ty, data))
}

/// The columns of a struct; nulls where it has no such field.
fn columns(fields: &[Field], source: BlockArray<'_>) -> Option<Vec<Column>> {
    let leaves: usize = fields.iter().map(|field| field.ty.leaves()).sum();
    if source.len().saturating_mul(leaves) > MAX_SLOTS {
        return None;
    }
    let fields = fields.iter().map(|field| match source.field(&field.name) {
        Some(found) => column(&field.ty, found),
        None => Some(Column::of_nulls(&field.ty, source.len())),
    });
    fields.collect()
}

macro_rules! numbers_of {
    ($number:ty, $source:expr, $numbers:ident => $does:expr) => {{
        let $numbers = $source.buffer::<$number>(1, $source.len()).iter().copied();
        $does
    }};
}

/// Does the same for the integers of an array, whatever their type.
macro_rules! each_integer {
    ($format:expr, $source:expr, $numbers:ident => $does:expr) => {
        match $format {
            "c" => numbers_of!(i8, $source, $numbers => $does),
            "C" => numbers_of!(u8, $source, $numbers => $does),
            "s" => numbers_of!(i16, $source, $numbers => $does),
            "S" => numbers_of!(u16, $source, $numbers => $does),
            "i" => numbers_of!(i32, $source, $numbers => $does),
            "I" => numbers_of!(u32, $source, $numbers => $does),
            "l" => numbers_of!(i64, $source, $numbers => $does),
            "L" => numbers_of!(u64, $source, $numbers => $does),
            "d:20,0,128" => {
                let bytes = $source.buffer::<[u8; 16]>(1, $source.len()).iter();
                let $numbers = bytes.map(|bytes| i128::from_ne_bytes(*bytes));
                $does
            }
            _ => None,
        }
    };
}

/// The numbers of an array as those of a type; `None` if it does not have all of them.
fn numbers(ty: &Type, format: &str, source: BlockArray<'_>) -> Option<Vec<u8>> {
    // Without a branch for each number where all of them have a place in the type.
    macro_rules! all {
        ($number:ty, $numbers:expr, $convert:expr) => {{
            const WIDTH: usize = size_of::<$number>();
            let mut out = vec![0; source.len() * WIDTH];
            for (slot, number) in out.chunks_exact_mut(WIDTH).zip($numbers) {
                let number: $number = $convert(number)?;
                slot.copy_from_slice(&number.to_ne_bytes());
            }
            Some(out)
        }};
    }
    macro_rules! integers {
        ($number:ty) => {
            each_integer!(format, source, numbers => all!($number, numbers, |n| <$number>::try_from(n).ok()))
        };
    }
    macro_rules! floats {
        ($number:ty) => {
            match format {
                "f" => numbers_of!(f32, source, floats => all!($number, floats, |f| Some(f as $number))),
                "g" => numbers_of!(f64, source, floats => all!($number, floats, |f| Some(f as $number))),
                _ => each_integer!(format, source, numbers => all!($number, numbers, |n| Some(n as f64 as $number))),
            }
        };
    }
    match *ty {
        Type::Int { bytes, signed } => match (bytes, signed) {
            (1, true) => integers!(i8),
            (1, false) => integers!(u8),
            (2, true) => integers!(i16),
            (2, false) => integers!(u16),
            (4, true) => integers!(i32),
            (4, false) => integers!(u32),
            (_, true) => integers!(i64),
            (_, false) => integers!(u64),
        },
        Type::Float { bytes: 4 } => floats!(f32),
        Type::Float { .. } => floats!(f64),
        Type::Decimal {
            precision: 20,
            scale: 0,
        } => integers!(i128),
        Type::Timestamp { digits, .. } => {
            let stored: u32 = match format.strip_prefix("ts")?.split_once(':')?.0 {
                "s" => 0,
                "m" => 3,
                "u" => 6,
                _ => 9,
            };
            let per = 10_i64.pow(stored.abs_diff(u32::from(digits)));
            numbers_of!(i64, source, times => if stored > u32::from(digits) {
                all!(i64, times, |time: i64| Some(time.div_euclid(per)))
            } else {
                all!(i64, times, |time: i64| time.checked_mul(per))
            })
        }
        _ => None,
    }
}
