//! The nodes of a payload as arrays (`spec/columns.md` section 7).

use super::array::{
    ArrowField, ColumnArray, Mask, OffsetList, SHORT, bool_array, bytes_array, bytes_type, integer_array, list_array,
    map_array, number_array, spread, view, view_buffers,
};
use super::raw::{ArrowNumber, SharedBytes};
use super::slots::{Slots, malformed};
use super::take::{NULL, take};
use super::types::{ArrowType, Offsets};
use super::unions::{NONE, union_array};
use super::values::{array_of, no_name};
use crate::columns::kind as k;
use crate::columns::read::{ColumnNode, Directory, integers_of, plain_cells, scaled_of, zero_at};
use crate::error::Result;
use crate::wire::{Store, marker as m};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

/// Makes the arrays of columns that were checked.
pub(super) struct ArrayBuilder<'d, 'a> {
    pub directory: &'d Directory<'a>,
    /// The bytes that the sections are in, if arrays may keep them.
    pub message: Option<&'d SharedBytes>,
    pub slots: Slots,
    /// How strings and bytes are stored, if the types of the columns are given: then no column is a dictionary, and all integers
    /// have 64 bits.
    pub texts: Option<Offsets>,
}

impl ArrayBuilder<'_, '_> {
    /// Returns the values of a node, one for each row of the mask that has one. Nodes nest at most 128 deep,
    /// and so does this function.
    pub fn array(&mut self, index: u32, mask: Mask<'_>) -> Result<ColumnArray> {
        let node = self.directory.node(index);
        self.slots.take(mask.map_or(node.n, <[bool]>::len))?;
        let columns = self.directory.columns(node);
        match node.kind {
            k::PLAIN => self.plain(node, mask),
            k::INT => self.integers(node, mask),
            k::FLOAT if node.mode == k::FLOAT32 => self.stored(ArrowType::Float(4), u32::from_le_bytes, node, mask),
            k::FLOAT => self.stored(ArrowType::Float(8), u64::from_le_bytes, node, mask),
            k::SCALED => {
                let floats = scaled_of(self.directory, node)?;
                Ok(number_array(ArrowType::Float(8), floats, mask))
            }
            k::TIME => Ok(number_array(ArrowType::Instant(node.form), self.part(node)?, mask)),
            k::BYTES => self.bytes(node, mask),
            k::DICT => self.dictionary(node, mask),
            k::LIST => {
                let offsets = self.offsets(node)?;
                Ok(list_array(offsets, self.array(columns[0], None)?, mask))
            }
            k::STRUCT => self.structs(node, mask),
            k::MAP => {
                let offsets = self.offsets(node)?;
                let keys = self.array(columns[0], None)?;
                Ok(map_array(offsets, keys, self.array(columns[1], None)?, mask))
            }
            _ => self.union(node, mask),
        }
    }

    fn part(&self, node: &ColumnNode<'_>) -> Result<Vec<i64>> {
        Ok(integers_of(self.directory.part(node))?)
    }

    fn offsets(&self, node: &ColumnNode<'_>) -> Result<OffsetList> {
        let sizes = self.part(node)?;
        OffsetList::of(sizes.into_iter().map(|size| size as usize)).ok_or_else(malformed)
    }

    fn plain(&mut self, node: &ColumnNode<'_>, mask: Mask<'_>) -> Result<ColumnArray> {
        // Booleans are always so.
        let bytes = node.section.iter();
        let others = bytes.fold(0, |others, &byte| others | ((byte | 1) ^ m::TRUE));
        if node.n > 0 && others == 0 {
            let bools = node.section.iter().map(|&byte| byte == m::TRUE);
            return Ok(bool_array(bools.collect(), mask));
        }
        array_of(&plain_cells(node.section, node.n)?, mask, &mut self.slots, 1)
    }

    fn integers(&self, node: &ColumnNode<'_>, mask: Mask<'_>) -> Result<ColumnArray> {
        let is_unsigned = node.form & k::UNSIGNED != 0;
        let int = |bytes, signed| ArrowType::Int { bytes, signed };
        if node.form & k::DELTA == 0 && node.base == 0 {
            match (node.form & 15, self.texts) {
                // Modulo 2^64.
                (k::U64, _) => {
                    return self.stored(int(8, !is_unsigned), u64::from_le_bytes, node, mask);
                }
                (k::U8, None) => return self.stored(int(1, false), u8::from_le_bytes, node, mask),
                (k::U16, None) => {
                    return self.stored(int(2, false), u16::from_le_bytes, node, mask);
                }
                (k::U32, None) => {
                    return self.stored(int(4, false), u32::from_le_bytes, node, mask);
                }
                _ => {}
            }
        }
        let values = integers_of(node)?;
        if is_unsigned || self.texts.is_some() {
            return Ok(number_array(int(8, !is_unsigned), values, mask));
        }
        Ok(integer_array(values, mask))
    }

    /// Returns numbers as they are in the section; without a copy where it is aligned and no row is null.
    fn stored<T: ArrowNumber, const N: usize>(
        &self,
        ty: ArrowType,
        read: impl Fn([u8; N]) -> T,
        node: &ColumnNode<'_>,
        mask: Mask<'_>,
    ) -> Result<ColumnArray> {
        let is_aligned = node.section.as_ptr() as usize % N == 0;
        if let (None, true, Some(message)) = (mask, is_aligned, self.message) {
            if cfg!(target_endian = "little") {
                let section = message.part_of(node.section).ok_or_else(malformed)?;
                return Ok(ColumnArray::new(ty, node.n).with_buffers(None, [section]));
            }
        }
        Ok(number_array(ty, node.elements(read).collect(), mask))
    }

    /// Returns the bytes of a node's section, without a copy where they may be kept.
    fn section(&self, node: &ColumnNode<'_>) -> Result<SharedBytes> {
        match self.message {
            Some(message) => message.part_of(node.section).ok_or_else(malformed),
            None => Ok(SharedBytes::of(node.section.to_vec())),
        }
    }

    fn bytes(&self, node: &ColumnNode<'_>, mask: Mask<'_>) -> Result<ColumnArray> {
        let is_text = matches!(node.mode, k::STR | k::TERMINATED);
        if self.texts == Some(Offsets::View) {
            return self.views(node, is_text, mask);
        }
        if node.mode != k::TERMINATED {
            let (offsets, section) = (self.offsets(node)?, self.section(node)?);
            return Ok(bytes_array(is_text, offsets, section, mask, self.texts));
        }
        let (mut text, mut offsets) = (
            Vec::with_capacity(node.section.len()),
            OffsetList::with_capacity(node.n),
        );
        self.each(node, |place| {
            text.put_with([], &node.section[place])?;
            offsets.push(text.len());
            Ok(())
        })?;
        let text = SharedBytes::of(text);
        Ok(bytes_array(is_text, offsets, text, mask, self.texts))
    }

    fn views(&self, node: &ColumnNode<'_>, is_text: bool, mask: Mask<'_>) -> Result<ColumnArray> {
        let (mut views, mut longest) = (Vec::with_capacity(node.n), 0);
        self.each(node, |place| {
            longest = longest.max(place.len());
            views.push(view(node.section, place).ok_or_else(malformed)?);
            Ok(())
        })?;
        let bytes = if longest > SHORT {
            self.section(node)?
        } else {
            SharedBytes::of(Vec::new())
        };
        let rows = mask.map_or(node.n, <[bool]>::len);
        let buffers = view_buffers(spread(views, mask, 0), bytes);
        let ty = bytes_type(is_text, Offsets::View);
        Ok(ColumnArray::new(ty, rows).with_buffers(mask, buffers))
    }

    /// Calls `take` with the place of each string or bytes in the section.
    #[inline(always)]
    fn each(&self, node: &ColumnNode<'_>, mut take: impl FnMut(Range<usize>) -> Result<()>) -> Result<()> {
        let mut begin = 0_usize;
        if node.mode == k::TERMINATED {
            // Each ends with a byte 00, which is left out.
            for _ in 0..node.n {
                let end = begin + zero_at(&node.section[begin..]).ok_or_else(malformed)?;
                take(begin..end)?;
                begin = end + 1;
            }
            return Ok(());
        }
        for size in self.part(node)? {
            let end = begin.saturating_add(size as usize);
            take(begin..end)?;
            begin = end;
        }
        Ok(())
    }

    fn dictionary(&mut self, node: &ColumnNode<'_>, mask: Mask<'_>) -> Result<ColumnArray> {
        let column = self.directory.columns(node)[0];
        let entries = self.array(column, None)?;
        let indexes = self.part(node)?.into_iter();
        let are_texts = matches!(entries.ty, ArrowType::Utf8(_) | ArrowType::Binary(_));
        if self.texts.is_none() && are_texts && entries.nulls == 0 {
            let indexes = indexes.map(i32::try_from).collect::<core::result::Result<_, _>>();
            let (bytes, signed) = (4, true);
            let ty = ArrowType::Int { bytes, signed };
            let mut array = number_array(ty, indexes.map_err(|_| malformed())?, mask);
            array.dictionary = Some(Box::new(entries));
            return Ok(array);
        }
        // Many programs have dictionaries of strings alone.
        if has_union(&entries) {
            let entries = self.directory.node(column);
            let values = plain_cells(entries.section, entries.n)?;
            let value = |index: i64| values.get(index as usize).copied().ok_or_else(malformed);
            let values = indexes.map(value).collect::<Result<Vec<_>>>()?;
            return array_of(&values, mask, &mut self.slots, 1);
        }
        let indexes = indexes.map(|index| index as usize).collect();
        take(entries, &spread(indexes, mask, NULL), &mut self.slots)
    }

    fn structs(&mut self, node: &ColumnNode<'_>, mask: Mask<'_>) -> Result<ColumnArray> {
        let directory = self.directory;
        let layout = &directory.layouts[node.layout];
        let rows = mask.map_or(node.n, <[bool]>::len);
        let shape_of = if node.has_part { Some(self.part(node)?) } else { None };
        let mut fields = Vec::with_capacity(layout.keys.len());
        let columns = layout.keys.iter().zip(directory.columns(node));
        for (key, (name, &column)) in (0..).zip(columns) {
            let array = match &shape_of {
                None => self.array(column, mask)?,
                Some(shape_of) => {
                    self.slots.take(rows)?;
                    let has = layout.rows_with_key(shape_of, key)?;
                    self.array(column, Some(&spread(has, mask, false)))?
                }
            };
            fields.push(ArrowField::new(name, array).ok_or_else(|| no_name(name))?);
        }
        Ok(ColumnArray::of_fields(rows, fields, mask))
    }

    fn union(&mut self, node: &ColumnNode<'_>, mask: Mask<'_>) -> Result<ColumnArray> {
        let branches = self.directory.columns(node);
        let nil = branches.iter().position(|&branch| self.is_nil(branch));
        let tags = self.part(node)?;
        if let (Some(nil), 2) = (nil, branches.len()) {
            let has = tags.iter().map(|&tag| tag != nil as i64);
            return self.array(branches[1 - nil], Some(&spread(has.collect(), mask, false)));
        }
        // Branches without nil keep their order.
        let tags = tags.into_iter().map(|tag| match nil {
            Some(nil) if tag == nil as i64 => NONE,
            Some(nil) if tag > nil as i64 => (tag - 1) as u8,
            _ => tag as u8,
        });
        let tags = spread(tags.collect(), mask, NONE);
        let others = branches.iter().enumerate();
        let others = others.filter(|&(place, _)| Some(place) != nil);
        let arrays = others.map(|(_, &branch)| self.array(branch, None));
        let arrays = arrays.collect::<Result<Vec<_>>>()?;
        union_array(arrays, &tags, &mut self.slots)
    }

    fn is_nil(&self, index: u32) -> bool {
        let node = self.directory.node(index);
        match node.kind {
            k::DICT => self.is_nil(self.directory.columns(node)[0]),
            k::PLAIN => node.section.iter().all(|&byte| byte == m::NIL),
            _ => false,
        }
    }
}

fn has_union(array: &ColumnArray) -> bool {
    let mut children = array.children.iter();
    matches!(array.ty, ArrowType::Union { .. }) || children.any(|field| has_union(&field.array))
}
