//! A column that grows row by row, from plain MessagePack.

use packord::Timestamp;
use std::collections::HashMap;

use super::buffers::{Bits, Offsets};
use super::json;
use super::misfit::{Fitted, Misfit, Part};
use super::text;
use super::types::{Field, Type};
use crate::errors::Kind;
use crate::wire::item::{Item, item};
use crate::wire::marker::{NIL, TIMESTAMP};
use crate::wire::skip::skip;

/// The values of a column.
#[derive(Debug)]
pub(super) enum Data {
    Null,
    Bool(Bits),
    /// All of one width.
    Fixed(Vec<u8>),
    /// Bodies, and where each ends.
    Bytes(Offsets, Vec<u8>),
    List(Offsets, Box<Column>),
    Struct(Vec<Column>, Keys),
    Map(Offsets, Box<Column>),
}

impl Data {
    /// The columns of a struct.
    pub(super) fn of_struct(fields: &[Field], columns: Vec<Column>) -> Data {
        Data::Struct(columns, Keys::new(fields))
    }
}

/// The keys of a struct's fields, and where a row has their values.
#[derive(Debug)]
pub(super) struct Keys {
    names: Vec<Vec<u8>>,
    index: HashMap<Vec<u8>, usize>,
    /// Offset of the value of each field in the current row; `NONE` where it is missing.
    at: Vec<usize>,
    /// The fields that are not missing in it.
    found: Vec<usize>,
}

const NONE: usize = usize::MAX;
/// Up to this many fields are looked for one by one.
const FEW: usize = 8;

impl Keys {
    fn new(fields: &[Field]) -> Keys {
        let names: Vec<_> = (fields.iter())
            .map(|field| field.name.to_bytes().to_vec())
            .collect();
        let index = if names.len() > FEW {
            names.iter().cloned().zip(0..).collect()
        } else {
            HashMap::new()
        };
        Keys {
            at: vec![NONE; names.len()],
            found: Vec::new(),
            names,
            index,
        }
    }

    /// The field with a name. Rows often have their keys in the order of the fields: `expected` is looked at first.
    #[inline]
    fn find(&self, key: &[u8], expected: usize) -> Option<usize> {
        if self.names.get(expected).is_some_and(|name| name == key) {
            return Some(expected);
        }
        if self.names.len() > FEW {
            return self.index.get(key).copied();
        }
        self.names.iter().position(|name| name == key)
    }
}

/// A column in the making.
#[derive(Debug)]
pub struct Column {
    ty: Type,
    len: usize,
    nulls: usize,
    /// Absent as long as nothing is null.
    validity: Option<Bits>,
    data: Data,
}

impl Column {
    /// An empty column.
    pub fn new(ty: &Type) -> Column {
        let data = match ty {
            Type::Null => Data::Null,
            Type::Bool => Data::Bool(Bits::default()),
            Type::Bytes { large, .. } => Data::Bytes(Offsets::new(*large), Vec::new()),
            Type::List { item, large } => {
                Data::List(Offsets::new(*large), Box::new(Column::new(&item.ty)))
            }
            Type::Struct(fields) => {
                let columns = fields.iter().map(|field| Column::new(&field.ty));
                Data::Struct(columns.collect(), Keys::new(fields))
            }
            Type::Map { entries, .. } => {
                Data::Map(Offsets::new(false), Box::new(Column::new(&entries.ty)))
            }
            _ => Data::Fixed(Vec::new()),
        };
        Column {
            ty: ty.clone(),
            len: 0,
            nulls: 0,
            validity: None,
            data,
        }
    }

    /// A struct of columns that have `len` rows each.
    pub fn of_columns(ty: &Type, columns: Vec<Column>, len: usize) -> Column {
        debug_assert!(columns.iter().all(|column| column.len == len));
        let mut rows = Column::new(ty);
        rows.len = len;
        if let Data::Struct(fields, _) = &mut rows.data {
            *fields = columns;
        }
        rows
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// How many of them are null.
    pub fn nulls(&self) -> usize {
        self.nulls
    }

    /// The rows of the column and of all within it, when it is [finished](Column::finish).
    pub fn slots(&self) -> usize {
        self.slots_of(self.len)
    }

    fn slots_of(&self, rows: usize) -> usize {
        let within = self.children().iter().map(|column| match self.data {
            Data::Struct(..) => column.slots_of(rows),
            _ => column.slots(),
        });
        rows + within.sum::<usize>()
    }

    /// The buffers of the C data interface; `None` for a validity that was not needed.
    pub fn buffers(&self) -> Vec<Option<&[u8]>> {
        let validity = self.validity.as_ref().map(|bits| &bits.bytes[..]);
        match &self.data {
            Data::Null => Vec::new(),
            Data::Bool(bits) => vec![validity, Some(&bits.bytes)],
            Data::Fixed(bytes) => vec![validity, Some(bytes)],
            Data::Bytes(ends, bytes) => vec![validity, Some(&ends.bytes), Some(bytes)],
            Data::List(ends, _) | Data::Map(ends, _) => vec![validity, Some(&ends.bytes)],
            Data::Struct(..) => vec![validity],
        }
    }

    /// The columns within.
    pub fn children(&self) -> &[Column] {
        match &self.data {
            Data::List(_, items) | Data::Map(_, items) => std::slice::from_ref(items),
            Data::Struct(columns, _) => columns,
            _ => &[],
        }
    }

    /// Those of a struct.
    pub fn into_children(self) -> Vec<Column> {
        match self.data {
            Data::Struct(columns, _) => columns,
            _ => Vec::new(),
        }
    }

    #[inline]
    fn note(&mut self, valid: bool) {
        if !valid {
            self.nulls += 1;
            let len = self.len;
            self.validity.get_or_insert_with(|| Bits::ones(len));
        }
        if let Some(validity) = &mut self.validity {
            validity.push(valid);
        }
        self.len += 1;
    }

    /// Appends a null.
    fn push_null(&mut self) {
        self.pad(self.len + 1);
    }

    /// Appends nulls until there are as many rows. The fields of a struct are left for [`Column::finish`].
    fn pad(&mut self, rows: usize) {
        let count = rows - self.len;
        if count == 0 {
            return;
        }
        match &mut self.data {
            Data::Null | Data::Struct(..) => {}
            Data::Bool(bits) => bits.push_zeros(count),
            Data::Fixed(bytes) => bytes.resize(rows * self.ty.width(), 0),
            Data::Bytes(ends, _) | Data::List(ends, _) | Data::Map(ends, _) => {
                ends.push_empty(count);
            }
        }
        if !matches!(self.data, Data::Null) {
            let len = self.len;
            let validity = self.validity.get_or_insert_with(|| Bits::ones(len));
            validity.push_zeros(count);
        }
        self.nulls += count;
        self.len = rows;
    }

    /// Adds the nulls that the columns within lack. They are not pushed before, as most rows of some tables lack most
    /// keys.
    pub fn finish(&mut self) {
        match &mut self.data {
            Data::List(_, items) | Data::Map(_, items) => items.finish(),
            Data::Struct(columns, _) => {
                for column in columns {
                    column.pad(self.len);
                    column.finish();
                }
            }
            _ => {}
        }
    }

    /// A column of nulls alone.
    pub fn of_nulls(ty: &Type, rows: usize) -> Column {
        let mut column = Column::new(ty);
        column.pad(rows);
        column.finish();
        column
    }

    /// Appends the value at `at`, and returns where it ends.
    pub fn push(&mut self, bytes: &[u8], at: usize) -> Fitted<usize> {
        if bytes.get(at) == Some(&NIL) {
            self.push_null();
            return Ok(at + 1);
        }
        let ty = &self.ty;
        let end = match &mut self.data {
            Data::Null => return Err(misfit(bytes, at, ty)),
            Data::Bool(bits) => match item(bytes, at) {
                Some((Item::Bool(value), end)) => {
                    bits.push(value);
                    end
                }
                _ => return Err(misfit(bytes, at, ty)),
            },
            Data::Fixed(out) => push_fixed(bytes, at, ty, out)?,
            Data::Bytes(ends, out) => {
                let end = push_bytes(bytes, at, ty, out)?;
                ends.push(out.len())?;
                end
            }
            Data::List(ends, items) => {
                let Some((Item::Array(count), mut end)) = item(bytes, at) else {
                    return Err(misfit(bytes, at, ty));
                };
                for index in 0..count {
                    let pushed = items.push(bytes, end);
                    end = pushed.map_err(|misfit| misfit.within(|| Part::Index(index)))?;
                }
                ends.push(items.len)?;
                end
            }
            Data::Struct(columns, keys) => {
                let Some(found) = values_of(bytes, at, keys)? else {
                    return Err(misfit(bytes, at, ty));
                };
                for &index in &keys.found {
                    let at = std::mem::replace(&mut keys.at[index], NONE);
                    let column = &mut columns[index];
                    column.pad(self.len);
                    column
                        .push(bytes, at)
                        .map_err(|misfit| misfit.within(|| Part::Key(keys.names[index].clone())))?;
                }
                found
            }
            Data::Map(ends, entries) => {
                let Some((Item::Map(count), mut end)) = item(bytes, at) else {
                    return Err(misfit(bytes, at, ty));
                };
                for _ in 0..count {
                    end = entries.push_entry(bytes, end)?;
                }
                ends.push(entries.len)?;
                end
            }
        };
        self.note(true);
        Ok(end)
    }

    /// Appends a key and its value.
    fn push_entry(&mut self, bytes: &[u8], mut at: usize) -> Fitted<usize> {
        if let Data::Struct(columns, _) = &mut self.data {
            for column in columns {
                at = column.push(bytes, at)?;
            }
        }
        self.note(true);
        Ok(at)
    }

    /// A column of what it is made of.
    pub(super) fn of_parts(
        ty: &Type,
        len: usize,
        nulls: usize,
        validity: Option<Bits>,
        data: Data,
    ) -> Column {
        Column {
            ty: ty.clone(),
            len,
            nulls,
            validity,
            data,
        }
    }

    /// The values of the rows with these numbers, and anything where a row has none. `None` for columns with others within,
    /// and with nulls.
    pub(super) fn taken(&self, rows: &[i32], has_value: Option<&Bits>) -> Option<Data> {
        let Data::Bytes(ends, bytes) = &self.data else {
            return None;
        };
        if self.nulls > 0 {
            return None;
        }
        let place = |row| &bytes[ends.get(row)..ends.get(row + 1)];
        let entries: Vec<&[u8]> = (0..self.len).map(place).collect();
        let mut taken = Offsets::new(matches!(self.ty, Type::Bytes { large: true, .. }));
        let mut out = Vec::with_capacity(rows.len() * 8);
        for (at, &row) in rows.iter().enumerate() {
            if has_value.is_none_or(|bits| bits.get(at)) {
                out.extend_from_slice(entries[row as usize]);
            }
            taken.push(out.len()).ok()?;
        }
        Some(Data::Bytes(taken, out))
    }

    /// A column of as many rows, of which those with the numbers in `rows`, in their order, are the rows of this one, and
    /// the others are null.
    pub fn spread(self, rows: &[usize], count: usize) -> Column {
        if rows.len() == count {
            return self;
        }
        let data = match self.data {
            Data::Null => Data::Null,
            Data::Bool(bits) => Data::Bool(bits.spread(rows, count)),
            Data::Fixed(bytes) => {
                let width = self.ty.width();
                let mut spread = vec![0; count * width];
                for (row, value) in rows.iter().zip(bytes.chunks_exact(width)) {
                    spread[row * width..][..width].copy_from_slice(value);
                }
                Data::Fixed(spread)
            }
            Data::Bytes(ends, bytes) => Data::Bytes(ends.spread(rows, count), bytes),
            Data::List(ends, items) => Data::List(ends.spread(rows, count), items),
            Data::Map(ends, entries) => Data::Map(ends.spread(rows, count), entries),
            Data::Struct(columns, keys) => {
                let columns = columns.into_iter().map(|column| column.spread(rows, count));
                Data::Struct(columns.collect(), keys)
            }
        };
        let valid = self.validity.unwrap_or_else(|| Bits::ones(self.len));
        Column {
            nulls: self.nulls + count - self.len,
            len: count,
            validity: Some(valid.spread(rows, count)),
            ty: self.ty,
            data,
        }
    }
}

/// Notes where the values of a map's keys are, the last one of a key that is there twice. Returns where the map
/// ends; `None` if it is none.
fn values_of(bytes: &[u8], at: usize, keys: &mut Keys) -> Fitted<Option<usize>> {
    let Some((Item::Map(count), mut next)) = item(bytes, at) else {
        return Ok(None);
    };
    let mut expected = 0;
    keys.found.clear();
    for _ in 0..count {
        let value = match item(bytes, next) {
            Some((Item::Str(key), value)) => {
                if let Some(field) = keys.find(key, expected) {
                    if std::mem::replace(&mut keys.at[field], value) == NONE {
                        keys.found.push(field);
                    }
                    expected = field + 1;
                }
                value
            }
            // A key of another type names no column.
            _ => skip(bytes, next).ok_or_else(Misfit::malformed)?,
        };
        next = skip(bytes, value).ok_or_else(Misfit::malformed)?;
    }
    Ok(Some(next))
}

/// Appends a value of a type whose values have all one width.
fn push_fixed(bytes: &[u8], at: usize, ty: &Type, out: &mut Vec<u8>) -> Fitted<usize> {
    let (item, end) = item(bytes, at).ok_or_else(Misfit::malformed)?;
    let refused = || misfit(bytes, at, ty);
    match *ty {
        Type::Int {
            bytes: 8,
            signed: true,
        } => {
            let Item::Int(number) = item else {
                return Err(refused());
            };
            out.extend_from_slice(&number.to_ne_bytes());
        }
        Type::Int {
            bytes: width,
            signed,
        } => {
            let number = match item {
                Item::Int(number) => number.into(),
                Item::Uint(number) => number.into(),
                _ => return Err(refused()),
            };
            let bits = 8 * u32::from(width);
            let (least, most) = if signed {
                (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
            } else {
                (0, (1_i128 << bits) - 1)
            };
            if !(least..=most).contains(&number) {
                return Err(refused());
            }
            // Little-endian, as every CPython that the module can be imported into.
            out.extend_from_slice(&number.to_le_bytes()[..usize::from(width)]);
        }
        Type::Float { bytes: width } => {
            let number = match item {
                Item::Float(number) => number,
                Item::Int(number) => number as f64,
                Item::Uint(number) => number as f64,
                _ => return Err(refused()),
            };
            match width {
                4 => out.extend_from_slice(&(number as f32).to_ne_bytes()),
                _ => out.extend_from_slice(&number.to_ne_bytes()),
            }
        }
        Type::Timestamp { digits, .. } => {
            let time = match item {
                Item::Ext(TIMESTAMP, payload) => Timestamp::from_payload(payload),
                Item::Str(text) => text::instant(text),
                _ => None,
            };
            let units = text::units(time.ok_or_else(refused)?, digits);
            out.extend_from_slice(&units.ok_or_else(refused)?.to_ne_bytes());
        }
        Type::Date => {
            let days = match item {
                Item::Ext(text::DATE, payload) => payload.try_into().ok().map(i32::from_be_bytes),
                Item::Str(text) => text::date(text),
                _ => None,
            };
            out.extend_from_slice(&days.ok_or_else(refused)?.to_ne_bytes());
        }
        Type::Decimal { precision, scale } => {
            let number = match item {
                Item::Int(number) => text::scaled(number.into(), 0, precision, scale),
                Item::Uint(number) => text::scaled(number.into(), 0, precision, scale),
                Item::Str(text) => text::decimal(text, precision, scale),
                Item::Ext(text::DECIMAL, payload) => {
                    text::packed_decimal(payload, precision, scale)
                }
                _ => None,
            };
            out.extend_from_slice(&number.ok_or_else(refused)?.to_ne_bytes());
        }
        _ => return Err(refused()),
    }
    Ok(end)
}

/// Appends the bytes of a value to those of a column of strings or bytes.
fn push_bytes(bytes: &[u8], at: usize, ty: &Type, out: &mut Vec<u8>) -> Fitted<usize> {
    if matches!(ty, Type::Bytes { text: true, .. }) {
        return json::text(bytes, at, out).ok_or_else(Misfit::malformed);
    }
    match item(bytes, at) {
        Some((Item::Bin(payload) | Item::Str(payload) | Item::Ext(_, payload), end)) => {
            out.extend_from_slice(payload);
            Ok(end)
        }
        _ => Err(misfit(bytes, at, ty)),
    }
}

/// The fault of a value that a column of this type does not have.
#[cold]
fn misfit(bytes: &[u8], at: usize, ty: &Type) -> Misfit {
    let found = crate::wire::value_type::ValueType::name_at(bytes.get(at..).unwrap_or_default());
    let is_number = matches!(ty, Type::Int { .. } | Type::Decimal { .. });
    let kind = if is_number && found == "integer"
        || found == "timestamp" && matches!(ty, Type::Timestamp { .. })
    {
        Kind::OutOfRange
    } else {
        Kind::TypeMismatch
    };
    Misfit::new(kind, format!("the column is {}, found {found}", ty.name()))
}
