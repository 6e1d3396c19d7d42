//! Values of plain MessagePack as columns of given types.

use super::json::{self, KeyText};
use super::units;
use crate::columns::arrow::array::{ArrowField, ColumnArray, Mask, OffsetList, bitmap, view, view_buffers};
use crate::columns::arrow::field::FieldType;
use crate::columns::arrow::raw::{ArrowNumber, SharedBytes};
use crate::columns::arrow::types::{ArrowType, Offsets};
use crate::columns::read::Unit;
use crate::error::ErrorKind;
use crate::ext::{self, Timestamp};
use crate::wire::item::{Item, item, skip};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use std::collections::HashMap;

/// The place of a value that is missing.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Debug)]
pub(crate) enum NoColumn {
    /// The columns would have too many rows together.
    Full,
    Misfit(Misfit),
}

/// A value that is none of its column.
#[derive(Debug)]
pub(crate) struct Misfit {
    pub kind: ErrorKind,
    pub detail: String,
    /// The number of the row, and where the value is within, the last part first.
    pub row: usize,
    pub path: Vec<MisfitPart>,
}

#[derive(Debug)]
pub(crate) enum MisfitPart {
    Key(String),
    Index(usize),
}

impl NoColumn {
    fn misfit(kind: ErrorKind, detail: &str, row: usize) -> NoColumn {
        NoColumn::Misfit(Misfit {
            kind,
            detail: detail.to_owned(),
            row,
            path: Vec::new(),
        })
    }

    /// The same of the value around, which is in row `row`.
    #[cold]
    fn within(mut self, row: impl FnOnce(usize) -> (usize, Option<MisfitPart>)) -> NoColumn {
        if let NoColumn::Misfit(misfit) = &mut self {
            let (around, part) = row(misfit.row);
            misfit.row = around;
            misfit.path.extend(part);
        }
        self
    }
}

pub(super) type Fitted<T> = Result<T, NoColumn>;

/// Returns what `column` makes of each field. Of several misfits, that of the first row counts.
pub(super) fn columns_of(
    fields: &[FieldType],
    mut column: impl FnMut(&FieldType) -> Fitted<ColumnArray>,
) -> Fitted<Vec<ArrowField>> {
    let (mut columns, mut first) = (Vec::with_capacity(fields.len()), None::<Misfit>);
    for field in fields {
        match column(field) {
            Ok(array) => columns.push(named(field, array)),
            Err(NoColumn::Misfit(misfit)) => {
                let is_first = first.as_ref().is_none_or(|first| misfit.row < first.row);
                first = if is_first { Some(misfit) } else { first };
            }
            Err(fault) => return Err(fault),
        }
    }
    first.map_or(Ok(columns), |misfit| Err(NoColumn::Misfit(misfit)))
}

/// Plain values, each known by where it begins.
pub(super) struct TypedValues<'v> {
    bytes: &'v [u8],
    /// How many rows the columns may still have together.
    slots: usize,
    keys: KeyText,
}

impl<'v> TypedValues<'v> {
    pub fn new(bytes: &'v [u8], slots: usize, keys: KeyText) -> TypedValues<'v> {
        TypedValues { bytes, slots, keys }
    }

    /// Returns the values at these places as a column. What is nil or missing is null. Types nest at most 64 deep, and so
    /// does this function.
    pub fn column(&mut self, field: &FieldType, places: &[u32]) -> Fitted<ColumnArray> {
        self.take(places.len())?;
        let ty = &field.ty;
        match *ty {
            ArrowType::Bool => {
                let read = |item| match item {
                    Item::Bool(is) => Some(is),
                    _ => None,
                };
                let (bits, has) = self.each(field, places, read)?;
                let array = ColumnArray::new(ArrowType::Bool, places.len());
                Ok(array.with_buffers(mask(&has), [bitmap(&bits)]))
            }
            ArrowType::Int { bytes, signed } => match (bytes, signed) {
                (1, true) => self.integers::<i8>(field, places),
                (1, false) => self.integers::<u8>(field, places),
                (2, true) => self.integers::<i16>(field, places),
                (2, false) => self.integers::<u16>(field, places),
                (4, true) => self.integers::<i32>(field, places),
                (4, false) => self.integers::<u32>(field, places),
                (_, true) => self.integers::<i64>(field, places),
                (_, false) => self.integers::<u64>(field, places),
            },
            ArrowType::Float(4) => self.numbers(field, places, |item| float(item).map(|float| float as f32)),
            ArrowType::Float(_) => self.numbers(field, places, float),
            ArrowType::Instant(digits) => self.numbers(field, places, |item| {
                let time = match item {
                    Item::Ext(Timestamp::EXT_TYPE, payload) => Timestamp::from_payload(payload),
                    Item::Str(text) => units::instant(text),
                    _ => None,
                };
                Unit::new(digits).count(time?)
            }),
            ArrowType::Date(_) => self.numbers(field, places, |item| match item {
                Item::Ext(ext::DATE, payload) => payload.try_into().ok().map(i32::from_be_bytes),
                Item::Str(text) => units::date(text),
                _ => None,
            }),
            ArrowType::Decimal { precision, scale, .. } => self.numbers(field, places, |item| match item {
                Item::Int(number) => units::scaled(number.into(), 0, precision, scale),
                Item::Uint(number) => units::scaled(number.into(), 0, precision, scale),
                Item::Str(text) => units::decimal(text, precision, scale),
                Item::Ext(ext::DECIMAL, payload) => units::packed_decimal(payload, precision, scale),
                _ => None,
            }),
            ArrowType::Utf8(size) | ArrowType::Binary(size) => self.bytes(field, size, places),
            ArrowType::List(size) => self.lists(field, size, places),
            ArrowType::Map => self.maps(field, places),
            ArrowType::Struct => self.structs(field, places),
            _ => {
                self.each(field, places, |_| None::<bool>)?;
                Ok(ColumnArray::new(ArrowType::Null, places.len()))
            }
        }
    }

    /// Returns the columns of a struct, of which the value of each row is at the place given, if it has one.
    pub fn columns(&mut self, fields: &[FieldType], places: &[Vec<u32>]) -> Fitted<Vec<ArrowField>> {
        let mut places = places.iter();
        columns_of(fields, |field| {
            let part = || MisfitPart::Key(field.name.to_string_lossy().into_owned());
            let column = self.column(field, places.next().map_or(&[], Vec::as_slice));
            column.map_err(|fault| fault.within(|row| (row, Some(part()))))
        })
    }

    fn take(&mut self, rows: usize) -> Fitted<()> {
        self.slots = self.slots.checked_sub(rows).ok_or(NoColumn::Full)?;
        Ok(())
    }

    /// Returns the value at a place, if it has one that is not nil, and where its header ends.
    #[inline]
    fn item(&self, place: u32) -> Option<(Item<'v>, usize)> {
        match self.bytes.get(place as usize)? {
            &crate::wire::marker::NIL => None,
            _ => item(self.bytes, place as usize),
        }
    }

    /// Reads each value, and notes which rows have one.
    fn each<T: Copy + Default>(
        &self,
        field: &FieldType,
        places: &[u32],
        read: impl Fn(Item<'v>) -> Option<T>,
    ) -> Fitted<(Vec<T>, Vec<bool>)> {
        let mut values = alloc::vec![T::default(); places.len()];
        let mut has = alloc::vec![false; places.len()];
        for (row, &place) in places.iter().enumerate() {
            // Most rows of some tables lack most keys.
            if place == NONE {
                continue;
            }
            if let Some((item, _)) = self.item(place) {
                values[row] = read(item).ok_or_else(|| misfit(item, field, row))?;
                has[row] = true;
            }
        }
        Ok((values, has))
    }

    fn numbers<T: ArrowNumber>(
        &self,
        field: &FieldType,
        places: &[u32],
        read: impl Fn(Item<'v>) -> Option<T>,
    ) -> Fitted<ColumnArray> {
        let (values, has) = self.each(field, places, read)?;
        let array = ColumnArray::new(field.ty.clone(), places.len());
        Ok(array.with_buffers(mask(&has), [SharedBytes::of_numbers(values)]))
    }

    fn integers<T: ArrowNumber + TryFrom<i64> + TryFrom<u64>>(
        &self,
        field: &FieldType,
        places: &[u32],
    ) -> Fitted<ColumnArray> {
        self.numbers::<T>(field, places, |item| match item {
            Item::Int(number) => number.try_into().ok(),
            Item::Uint(number) => number.try_into().ok(),
            _ => None,
        })
    }

    fn bytes(&self, field: &FieldType, size: Offsets, places: &[u32]) -> Fitted<ColumnArray> {
        let is_text = matches!(field.ty, ArrowType::Utf8(_));
        let (mut out, mut has) = (Vec::new(), alloc::vec![false; places.len()]);
        let mut offsets = OffsetList::with_capacity(places.len());
        for (row, &place) in places.iter().enumerate() {
            if place == NONE {
                offsets.push(out.len());
                continue;
            }
            let item = self.item(place);
            has[row] = item.is_some();
            match item {
                None => {}
                Some((Item::Str(payload), _)) => out.extend_from_slice(payload),
                Some(_) if is_text => {
                    let text = json::text(self.bytes, place as usize, self.keys, &mut out);
                    // The bytes were checked before, so they have one.
                    text.ok_or_else(|| NoColumn::misfit(ErrorKind::InvalidExt, "", row))?;
                }
                Some((Item::Bin(payload) | Item::Ext(_, payload), _)) => {
                    out.extend_from_slice(payload);
                }
                Some((item, _)) => return Err(misfit(item, field, row)),
            }
            offsets.push(out.len());
        }
        let array = ColumnArray::new(field.ty.clone(), places.len());
        if size == Offsets::View {
            let views = offsets.ranges().map(|range| view(&out, range));
            let views = views.collect::<Option<Vec<_>>>().ok_or_else(too_large)?;
            return Ok(array.with_buffers(mask(&has), view_buffers(views, SharedBytes::of(out))));
        }
        let buffers = [sized(offsets, size)?, SharedBytes::of(out)];
        Ok(array.with_buffers(mask(&has), buffers))
    }

    /// Notes where the values of each row's container are, and how many all rows have had so far.
    fn open(
        &self,
        field: &FieldType,
        places: &[u32],
        mut note: impl FnMut(usize, Item<'v>, usize) -> Option<usize>,
    ) -> Fitted<(OffsetList, Vec<bool>)> {
        let mut offsets = OffsetList::with_capacity(places.len());
        let mut has = Vec::with_capacity(places.len());
        for (row, &place) in places.iter().enumerate() {
            let item = self.item(place);
            has.push(item.is_some());
            let count = match item {
                Some((item, at)) => note(row, item, at).ok_or_else(|| misfit(item, field, row))?,
                None => 0,
            };
            offsets.push(offsets.end() + count);
        }
        Ok((offsets, has))
    }

    fn lists(&mut self, field: &FieldType, size: Offsets, places: &[u32]) -> Fitted<ColumnArray> {
        let (bytes, mut elements) = (self.bytes, Vec::new());
        let (offsets, has) = self.open(field, places, |_, item, mut at| {
            let Item::Array(count) = item else {
                return None;
            };
            for _ in 0..count {
                elements.push(at as u32);
                at = skip(bytes, at)?;
            }
            Some(count)
        })?;
        let around = |element: usize| {
            let (row, begin) = offsets.around(element);
            (row, Some(MisfitPart::Index(element - begin)))
        };
        let of = &field.children[0];
        let items = self.column(of, &elements);
        let items = items.map_err(|fault| fault.within(around))?;
        Ok(ColumnArray::new(field.ty.clone(), places.len())
            .with_buffers(mask(&has), [sized(offsets, size)?])
            .with_children([named(of, items)].into()))
    }

    fn maps(&mut self, field: &FieldType, places: &[u32]) -> Fitted<ColumnArray> {
        let (bytes, mut keys, mut values) = (self.bytes, Vec::new(), Vec::new());
        let (offsets, has) = self.open(field, places, |_, item, mut at| {
            let Item::Map(count) = item else {
                return None;
            };
            for _ in 0..count {
                for to in [&mut keys, &mut values] {
                    to.push(at as u32);
                    at = skip(bytes, at)?;
                }
            }
            Some(count)
        })?;
        let around = |entry: usize| (offsets.around(entry).0, None);
        let of = &field.children[0];
        let mut fields = Vec::with_capacity(2);
        for (of, places) in of.children.iter().zip([&keys, &values]) {
            let column = self.column(of, places);
            fields.push(named(of, column.map_err(|fault| fault.within(around))?));
        }
        let entries = ColumnArray::of_fields(keys.len(), fields, None);
        Ok(ColumnArray::new(ArrowType::Map, places.len())
            .with_buffers(mask(&has), [sized(offsets, Offsets::Small)?])
            .with_children([named(of, entries)].into()))
    }

    fn structs(&mut self, field: &FieldType, places: &[u32]) -> Fitted<ColumnArray> {
        let (bytes, fields) = (self.bytes, &field.children);
        if places.len().saturating_mul(fields.len()) > self.slots {
            return Err(NoColumn::Full);
        }
        let mut found = alloc::vec![alloc::vec![NONE; places.len()]; fields.len()];
        let keys = FieldKeys::of(fields);
        let (_, has) = self.open(field, places, |row, map, mut at| {
            let Item::Map(count) = map else {
                return None;
            };
            let mut expected = 0;
            for _ in 0..count {
                let value = match item(bytes, at)? {
                    (Item::Str(key), value) => {
                        if let Some(place) = keys.find(key, expected) {
                            // Of a key that is there twice, the last value.
                            found[place][row] = value as u32;
                            expected = place + 1;
                        }
                        value
                    }
                    // A key of another type names no column.
                    _ => skip(bytes, at)?,
                };
                at = skip(bytes, value)?;
            }
            Some(0)
        })?;
        let columns = self.columns(fields, &found)?;
        Ok(ColumnArray::of_fields(places.len(), columns, mask(&has)))
    }
}

pub(super) struct FieldKeys<'f> {
    names: Vec<&'f [u8]>,
    index: HashMap<&'f [u8], usize>,
}

impl<'f> FieldKeys<'f> {
    pub fn of(fields: &'f [FieldType]) -> FieldKeys<'f> {
        /// Up to this many fields are looked for one by one.
        const FEW: usize = 8;
        let names: Vec<&[u8]> = fields.iter().map(|field| field.name.to_bytes()).collect();
        let index = if names.len() > FEW {
            names.iter().copied().zip(0..).collect()
        } else {
            HashMap::new()
        };
        FieldKeys { names, index }
    }

    /// Returns the field with a name. Rows often have their keys in the order of the fields: `expected` is looked at first.
    #[inline]
    pub fn find(&self, key: &[u8], expected: usize) -> Option<usize> {
        if self.names.get(expected).is_some_and(|name| *name == key) {
            return Some(expected);
        }
        if self.index.is_empty() {
            return self.names.iter().position(|name| *name == key);
        }
        self.index.get(key).copied()
    }
}

pub(super) fn named(field: &FieldType, array: ColumnArray) -> ArrowField {
    ArrowField::of(&field.name, field.nullable, array)
}

fn sized(offsets: OffsetList, size: Offsets) -> Fitted<SharedBytes> {
    offsets.sized(size).ok_or_else(too_large)
}

#[cold]
fn too_large() -> NoColumn {
    let detail = "the column of a batch has more than 2 GB";
    NoColumn::misfit(ErrorKind::LengthLimit, detail, 0)
}

/// Which rows have a value, if not all have.
fn mask(has: &[bool]) -> Mask<'_> {
    has.contains(&false).then_some(has)
}

fn float(item: Item<'_>) -> Option<f64> {
    match item {
        Item::Float(number) => Some(number),
        Item::Float32(number) => Some(number.into()),
        Item::Int(number) => Some(number as f64),
        Item::Uint(number) => Some(number as f64),
        _ => None,
    }
}

/// The fault of a value that a column of this type does not have.
#[cold]
fn misfit(item: Item<'_>, field: &FieldType, row: usize) -> NoColumn {
    use ArrowType as T;
    let (found, is_integer) = (name_of(item), matches!(item, Item::Int(_) | Item::Uint(_)));
    let name = match field.ty {
        T::Null => "null",
        T::Bool => "bool",
        T::Int { .. } => "an integer type",
        T::Float(_) => "a float type",
        T::Utf8(_) => "string",
        T::Binary(_) => "binary",
        T::Instant(_) => "timestamp",
        T::Date(_) => "date",
        T::Decimal { .. } => "decimal",
        T::List(_) => "list",
        T::Map => "map",
        _ => "struct",
    };
    let kind = match field.ty {
        T::Int { .. } | T::Decimal { .. } if is_integer => ErrorKind::OutOfRange,
        T::Instant(_) if found == "timestamp" => ErrorKind::OutOfRange,
        _ => ErrorKind::TypeMismatch,
    };
    NoColumn::misfit(kind, &alloc::format!("the column is {name}, found {found}"), row)
}

/// Returns what errors call the type of a value.
fn name_of(item: Item<'_>) -> &'static str {
    match item {
        Item::Nil => "nil",
        Item::Bool(_) => "bool",
        Item::Int(_) | Item::Uint(_) => "integer",
        Item::Float32(_) | Item::Float(_) => "float",
        Item::Str(_) => "str",
        Item::Bin(_) => "bin",
        Item::Ext(Timestamp::EXT_TYPE, _) => "timestamp",
        Item::Ext(..) => "ext",
        Item::Array(_) => "array",
        Item::Map(_) => "map",
    }
}
