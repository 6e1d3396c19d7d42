//! The nodes of a payload as arrays (`spec/columns.md` section 7).

use super::array::{
    ArrowField, ColumnArray, Mask, OffsetList, bool_array, bytes_array, integer_array, list_array,
    map_array, number_array,
};
use super::raw::SharedBytes;
use super::rows::write_row;
use super::slots::{Slots, malformed};
use super::take::rows_of_entries;
use super::types::ArrowType;
use super::unions::{NONE, union_array};
use super::values::{array_of_values, cut, no_name};
use crate::columns::kind as k;
use crate::columns::read::{ColumnNode, Directory, Malformed, integers_of};
use crate::error::Result;
use crate::wire::marker as m;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Makes the arrays of a payload that was checked.
pub(super) struct ArrayBuilder<'a> {
    pub directory: Directory<'a>,
    /// The bytes that the sections are in.
    pub message: &'a SharedBytes,
    pub slots: Slots,
}

impl<'a> ArrayBuilder<'a> {
    /// Returns the values of a node, one for each row of the mask that has one. Nodes nest at most 128 deep,
    /// and so does this function.
    pub fn array(&mut self, index: u32, mask: Mask<'_>) -> Result<ColumnArray> {
        let rows = mask.map_or(self.node(index)?.n, <[bool]>::len);
        self.slots.take(rows)?;
        let node = self.node(index)?;
        match node.kind {
            k::INT => integers(node, self.message, mask),
            k::FLOAT => {
                let width = if node.mode == k::FLOAT32 { 4 } else { 8 };
                in_place(ArrowType::Float(width), node, self.message, mask)
            }
            k::SCALED => {
                let values = self.scaled(node)?;
                Ok(number_array(ArrowType::Float(8), &values, mask))
            }
            k::TIME => {
                let ty = ArrowType::Instant(node.form);
                Ok(number_array(ty, &self.part(node, 0)?, mask))
            }
            k::BYTES => self.bytes(node, mask),
            k::DICT => self.dictionary(index, mask),
            k::LIST => {
                let (offsets, items) = (self.offsets(node)?, self.directory.child(node, 1));
                Ok(list_array(&offsets, self.array(items, None)?, mask))
            }
            k::TUPLE => self.tuples(index, mask),
            k::STRUCT => self.structs(index, mask),
            k::MAP => {
                let offsets = self.offsets(node)?;
                let (keys, values) = (self.directory.child(node, 1), self.directory.child(node, 2));
                let keys = self.array(keys, None)?;
                Ok(map_array(&offsets, keys, self.array(values, None)?, mask))
            }
            k::UNION => self.union(index, mask),
            _ => array_of_values(&cut(node.section, node.n)?, mask, &mut self.slots),
        }
    }

    fn node(&self, index: u32) -> Result<&ColumnNode<'a>> {
        self.directory
            .nodes
            .get(index as usize)
            .ok_or_else(malformed)
    }

    /// Returns the integers of a child.
    fn part(&self, node: &ColumnNode<'_>, index: usize) -> Result<Vec<i64>> {
        let part = self.node(self.directory.child(node, index))?;
        integers_of(part).map_err(|Malformed| malformed())
    }

    fn offsets(&self, node: &ColumnNode<'_>) -> Result<OffsetList> {
        let sizes = self.part(node, 0)?;
        OffsetList::of(sizes.into_iter().map(|size| size as usize)).ok_or_else(malformed)
    }

    fn scaled(&self, node: &ColumnNode<'_>) -> Result<Vec<f64>> {
        let power = k::POWERS[usize::from(node.form & 0x0f)];
        let mantissas = self.part(node, 0)?;
        let values = mantissas
            .into_iter()
            .map(|mantissa| mantissa as f64 / power);
        if node.form & k::RESIDUAL == 0 {
            return Ok(values.collect());
        }
        let residuals = self.part(node, 1)?;
        let changed =
            |(value, rest): (f64, i64)| f64::from_bits(value.to_bits().wrapping_add(rest as u64));
        Ok(values.zip(residuals).map(changed).collect())
    }

    fn bytes(&self, node: &ColumnNode<'_>, mask: Mask<'_>) -> Result<ColumnArray> {
        let is_text = matches!(node.mode, k::STR | k::TERMINATED);
        if node.mode != k::TERMINATED {
            let bytes = section(node, self.message)?;
            return Ok(bytes_array(is_text, &self.offsets(node)?, bytes, mask));
        }
        // Each string ends with a byte 00, which is left out.
        let parts = node.section.split_inclusive(|&byte| byte == 0);
        let sizes: Vec<usize> = parts.map(|part| part.len() - 1).collect();
        let offsets = OffsetList::of(sizes.into_iter()).ok_or_else(malformed)?;
        let mut text = node.section.to_vec();
        text.retain(|&byte| byte != 0);
        Ok(bytes_array(is_text, &offsets, SharedBytes::of(text), mask))
    }

    fn dictionary(&mut self, index: u32, mask: Mask<'_>) -> Result<ColumnArray> {
        let node = self.node(index)?;
        let entries_at = self.directory.child(node, 1);
        let rows = mask.map_or(node.n, <[bool]>::len);
        if self.is_nil(entries_at) {
            return Ok(ColumnArray::new(ArrowType::Null, rows));
        }
        let indexes = self.part(node, 0)?;
        let entries = self.node(entries_at)?;
        let is_bool = |byte: &u8| matches!(*byte, m::FALSE | m::TRUE);
        if entries.kind == k::PLAIN && entries.n > 0 && entries.section.iter().all(is_bool) {
            let section = entries.section;
            let bools = indexes.iter();
            let bools = bools.map(|&index| section.get(index as usize) == Some(&m::TRUE));
            return Ok(bool_array(&bools.collect::<Vec<_>>(), mask));
        }
        let entries = self.array(entries_at, None)?;
        if entries.ty == ArrowType::Struct {
            let mut indexes = indexes.into_iter().map(|index| index as usize);
            let indexes: Vec<Option<usize>> = match mask {
                Some(mask) => {
                    let rows = mask.iter();
                    rows.map(|&has| if has { indexes.next() } else { None })
                        .collect()
                }
                None => indexes.map(Some).collect(),
            };
            return rows_of_entries(entries, &indexes, &mut self.slots);
        }
        let indexes = indexes.into_iter().map(i32::try_from);
        let indexes = indexes.collect::<core::result::Result<Vec<i32>, _>>();
        let (bytes, signed) = (4, true);
        let ty = ArrowType::Int { bytes, signed };
        let mut array = number_array(ty, &indexes.map_err(|_| malformed())?, mask);
        array.dictionary = Some(Box::new(entries));
        Ok(array)
    }

    /// Whether a column has no other value than nil.
    fn is_nil(&self, index: u32) -> bool {
        let mut index = index;
        while let Some(node) = self.directory.nodes.get(index as usize) {
            match node.kind {
                k::DICT => index = self.directory.child(node, 1),
                k::PLAIN => return node.section.iter().all(|&byte| byte == m::NIL),
                _ => return false,
            }
        }
        false
    }

    /// Arrays of one length: numbers of one type at once, others value by value.
    fn tuples(&mut self, index: u32, mask: Mask<'_>) -> Result<ColumnArray> {
        let node = self.node(index)?;
        let (n, places) = (node.n, node.links.len());
        let children: Vec<u32> = (0..places)
            .map(|at| self.directory.child(node, at))
            .collect();
        let columns = children.into_iter().map(|child| self.array(child, None));
        let columns = columns.collect::<Result<Vec<_>>>()?;
        let rows = mask.map_or(n, <[bool]>::len);
        let count = rows.checked_mul(places).ok_or_else(malformed)?;
        self.slots.take(count)?;
        let inner: Option<Vec<bool>> = mask.map(|mask| {
            let each = mask
                .iter()
                .flat_map(|&has| core::iter::repeat_n(has, places));
            each.collect()
        });
        let items = if columns.iter().all(|column| is_flat(column, &columns[0])) {
            interleaved(&columns, n, inner.as_deref())
        } else {
            let mut plain = Vec::new();
            for row in 0..n {
                for column in &columns {
                    write_row(column, row, &mut plain).map_err(|_| malformed())?;
                }
            }
            let values = cut(&plain, n.saturating_mul(places))?;
            array_of_values(&values, inner.as_deref(), &mut self.slots)?
        };
        Ok(ColumnArray::new(ArrowType::FixedList(places), rows)
            .with_buffers(mask, [])
            .with_children(ArrowField::new("item", items).into_iter().collect()))
    }

    fn structs(&mut self, index: u32, mask: Mask<'_>) -> Result<ColumnArray> {
        let node = self.node(index)?;
        let layout = self
            .directory
            .layouts
            .get(node.layout)
            .ok_or_else(malformed)?;
        let rows = mask.map_or(node.n, <[bool]>::len);
        let (keys, shapes) = (layout.keys.clone(), layout.shapes.clone());
        let first = usize::from(!shapes.is_empty());
        let children: Vec<u32> = (first..node.links.len())
            .map(|at| self.directory.child(node, at))
            .collect();
        let shape_of = if shapes.is_empty() {
            None
        } else {
            Some(self.part(node, 0)?)
        };
        let mut fields = Vec::with_capacity(keys.len());
        for (place, (key, child)) in keys.iter().zip(children).enumerate() {
            let array = match &shape_of {
                None => self.array(child, mask)?,
                Some(shape_of) => {
                    self.slots.take(rows)?;
                    let has: Vec<bool> = shapes
                        .iter()
                        .map(|shape| shape.contains(&(place as u32)))
                        .collect();
                    let mut next = shape_of.iter();
                    let mut own = |_: &bool| {
                        let shape = next.next().and_then(|&shape| has.get(shape as usize));
                        shape.copied().unwrap_or(false)
                    };
                    let own: Vec<bool> = match mask {
                        Some(mask) => mask.iter().map(|is| *is && own(is)).collect(),
                        None => (0..rows).map(|_| own(&true)).collect(),
                    };
                    self.array(child, Some(&own))?
                }
            };
            fields.push(ArrowField::new(key, array).ok_or_else(|| no_name(key))?);
        }
        Ok(ColumnArray::new(ArrowType::Struct, rows)
            .with_buffers(mask, [])
            .with_children(fields))
    }

    fn union(&mut self, index: u32, mask: Mask<'_>) -> Result<ColumnArray> {
        let node = self.node(index)?;
        let all: Vec<u32> = (1..node.links.len())
            .map(|at| self.directory.child(node, at))
            .collect();
        let nil = all.iter().position(|&branch| self.is_nil(branch));
        // Branches without nil keep their order.
        let branch_of = |tag: i64| match nil {
            Some(nil) if tag == nil as i64 => NONE,
            Some(nil) if tag > nil as i64 => (tag - 1) as u8,
            _ => tag as u8,
        };
        let mut tags = self.part(node, 0)?.into_iter().map(branch_of);
        let tags: Vec<u8> = match mask {
            Some(mask) => {
                let rows = mask.iter();
                let tag = |&has: &bool| if has { tags.next() } else { None };
                rows.map(tag).map(|tag| tag.unwrap_or(NONE)).collect()
            }
            None => tags.collect(),
        };
        let others = all.into_iter().enumerate();
        let others = others.filter(|&(place, _)| Some(place) != nil);
        let others: Vec<u32> = others.map(|(_, branch)| branch).collect();
        if let [branch] = others[..] {
            let mask: Vec<bool> = tags.iter().map(|&tag| tag != NONE).collect();
            return self.array(branch, Some(&mask));
        }
        let branches = others.into_iter().map(|branch| self.array(branch, None));
        let branches = branches.collect::<Result<Vec<_>>>()?;
        union_array(branches, &tags, &mut self.slots)
    }
}

/// Returns the bytes of a node's section, without a copy.
fn section(node: &ColumnNode<'_>, message: &SharedBytes) -> Result<SharedBytes> {
    let begin = (node.section.as_ptr() as usize).wrapping_sub(message.as_slice().as_ptr() as usize);
    if node.section.is_empty() {
        return Ok(SharedBytes::aligned(0, |_| ()));
    }
    let end = begin
        .checked_add(node.section.len())
        .ok_or_else(malformed)?;
    message.part(begin..end).ok_or_else(malformed)
}

/// Returns numbers as they are in the section; without a copy where it is aligned and no row is null.
fn in_place(
    ty: ArrowType,
    node: &ColumnNode<'_>,
    message: &SharedBytes,
    mask: Mask<'_>,
) -> Result<ColumnArray> {
    let width = ty.width().unwrap_or(1);
    let section = section(node, message)?;
    let rows = mask.map_or(node.n, <[bool]>::len);
    let is_aligned = section.as_slice().as_ptr() as usize % width == 0;
    if mask.is_none() && is_aligned && cfg!(target_endian = "little") {
        return Ok(ColumnArray::new(ty, rows).with_buffers(None, [section]));
    }
    let mut values = section.as_slice().chunks_exact(width);
    let copied = SharedBytes::aligned(rows * width, |out| {
        for (row, place) in out.chunks_exact_mut(width).enumerate() {
            if !mask.is_none_or(|mask| mask[row]) {
                continue;
            }
            if let Some(value) = values.next() {
                place.copy_from_slice(value);
                if cfg!(target_endian = "big") {
                    place.reverse();
                }
            }
        }
    });
    Ok(ColumnArray::new(ty, rows).with_buffers(mask, [copied]))
}

fn integers(node: &ColumnNode<'_>, message: &SharedBytes, mask: Mask<'_>) -> Result<ColumnArray> {
    let is_unsigned = node.form & k::UNSIGNED != 0;
    let element = node.form & 15;
    let bytes = match element {
        k::U8 | k::I8 => 1,
        k::U16 | k::I16 => 2,
        k::U32 | k::I32 => 4,
        _ => 8,
    };
    let is_stored = node.form & k::DELTA == 0 && node.base == 0 && element >= k::U8;
    // Without the bit for that, an element of 64 bits has a sign.
    let signed = element >= k::I8 || element == k::U64 && !is_unsigned;
    if is_stored && !(signed && is_unsigned) {
        return in_place(ArrowType::Int { bytes, signed }, node, message, mask);
    }
    let values = integers_of(node).map_err(|Malformed| malformed())?;
    if is_unsigned {
        let (bytes, signed) = (8, false);
        let values: Vec<u64> = values.into_iter().map(|value| value as u64).collect();
        return Ok(number_array(
            ArrowType::Int { bytes, signed },
            &values,
            mask,
        ));
    }
    Ok(integer_array(&values, mask))
}

/// Whether an array has numbers of the same type as another, and no nulls.
fn is_flat(column: &ColumnArray, first: &ColumnArray) -> bool {
    let is_number = matches!(column.ty, ArrowType::Int { .. } | ArrowType::Float(4 | 8));
    is_number && column.ty == first.ty && column.nulls == 0 && column.dictionary.is_none()
}

/// Returns the values of all columns by row: numbers of one type. A row of `mask` is a place for one value.
fn interleaved(columns: &[ColumnArray], n: usize, mask: Mask<'_>) -> ColumnArray {
    let ty = columns[0].ty.clone();
    let width = ty.width().unwrap_or(1);
    let places = mask.map_or(n * columns.len(), <[bool]>::len);
    let mut row = 0;
    let buffer = SharedBytes::aligned(places * width, |out| {
        let lists = out.chunks_exact_mut(width * columns.len());
        for (place, list) in lists.enumerate() {
            if !mask.is_none_or(|mask| mask[place * columns.len()]) {
                continue;
            }
            for (column, item) in columns.iter().zip(list.chunks_exact_mut(width)) {
                item.copy_from_slice(&column.buffer(1)[row * width..][..width]);
            }
            row += 1;
        }
    });
    ColumnArray::new(ty, places).with_buffers(mask, [buffer])
}
