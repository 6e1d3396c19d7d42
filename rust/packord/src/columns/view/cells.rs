//! The values of a column of scalars, whatever its kind.

use crate::columns::kind as k;
use crate::columns::read::{
    CellValue, Directory, Malformed, OrMalformed, PayloadHeader, Rows, StructLayout, cell_of,
    walk_column,
};
use crate::ext::Timestamp;
use alloc::vec::Vec;

/// Returns the values of a column; `None` if it has columns of its own.
pub(super) fn cells_of<'a>(
    directory: &Directory<'a>,
    header: &PayloadHeader,
    node: u32,
) -> OrMalformed<Option<Vec<CellValue<'a>>>> {
    let nodes = &directory.nodes[directory.subtree(node)];
    let is_container = |kind| matches!(kind, k::LIST | k::TUPLE | k::STRUCT | k::MAP);
    if nodes.iter().any(|node| is_container(node.kind)) {
        return Ok(None);
    }
    let mut rows = CellRows { cells: Vec::new() };
    walk_column(directory, header, node, &mut rows)?;
    Ok(Some(rows.cells))
}

struct CellRows<'a> {
    cells: Vec<CellValue<'a>>,
}

impl<'a> Rows<'a> for CellRows<'a> {
    type Entry = CellValue<'a>;

    fn layouts(&mut self, _: &[StructLayout<'a>]) {}
    fn int(&mut self, value: i64) {
        self.cells.push(CellValue::Int(value));
    }
    fn uint(&mut self, value: u64) {
        let cell = i64::try_from(value).map_or(CellValue::Large(value), CellValue::Int);
        self.cells.push(cell);
    }
    fn f64(&mut self, bits: u64) {
        self.cells.push(CellValue::Float(bits));
    }
    fn f32(&mut self, bits: u32) {
        self.cells.push(CellValue::Float32(bits));
    }
    fn timestamp(&mut self, _: Timestamp) {
        self.cells.push(CellValue::Other);
    }
    fn str(&mut self, text: &'a str) {
        self.cells.push(CellValue::Str(text));
    }
    fn bin(&mut self, _: &'a [u8]) {
        self.cells.push(CellValue::Other);
    }
    fn ext(&mut self, _: i8, _: &'a [u8]) -> OrMalformed<()> {
        self.cells.push(CellValue::Other);
        Ok(())
    }
    fn scalar(&mut self, section: &'a [u8]) -> OrMalformed<usize> {
        let (size, scalar) = cell_of(section)?;
        self.cells.push(scalar);
        Ok(size)
    }
    fn plain(&mut self, _: &'a [u8], _: u64) -> OrMalformed<()> {
        self.cells.push(CellValue::Other);
        Ok(())
    }
    // There are no rows of other columns.
    fn array(&mut self, _: usize) {}
    fn map(&mut self, _: usize) {}
    fn row(&mut self, _: usize, _: usize, _: usize) {}
    fn key(&mut self, _: usize, _: usize) {}
    fn entry(&mut self, entry: &CellValue<'a>) {
        self.cells.push(*entry);
    }
    fn take_entry(&mut self) -> OrMalformed<CellValue<'a>> {
        self.cells.pop().ok_or(Malformed)
    }
}
