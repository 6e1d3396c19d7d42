//! Writing the value of a payload as plain MessagePack, and checking it without writing.

use super::PayloadHeader;
use super::cell::CellValue;
use super::directory::{Directory, StructLayout};
use super::plain::scalar_size;
#[cfg(feature = "container")]
use super::walk::Walk;
use super::walk::{Rows, walk, walk_column};
use super::{Malformed, OrMalformed};
use crate::error::Result;
use crate::wire::Store;
use alloc::vec::Vec;

/// Appends the value of a payload as plain MessagePack. After a fault the bytes are to be dropped.
pub(crate) fn expand(payload: &[u8], header: &PayloadHeader, out: &mut Vec<u8>) -> OrMalformed<()> {
    walk(payload, header, &mut Expansion::to(out))
}

/// Appends the values of a column as a plain array. After a fault the bytes are to be dropped.
pub(crate) fn expand_column(
    directory: &Directory<'_>,
    header: &PayloadHeader,
    node: u32,
    out: &mut Vec<u8>,
) -> OrMalformed<()> {
    out.put_array(directory.nodes[node as usize].n).map_err(|_| Malformed)?;
    walk_column(directory, header, node, &mut Expansion::to(out))
}

/// Appends the values of a column, which was checked, and to `places` where each begins: the bytes have to be fewer than
/// 4 GiB.
#[cfg(feature = "container")]
pub(crate) fn expand_elements(
    directory: &Directory<'_>,
    node: u32,
    out: &mut Vec<u8>,
    places: &mut Vec<u32>,
) -> OrMalformed<()> {
    let mut expansion = Expansion::to(out);
    expansion.places = Some(places);
    Walk::column(directory, node, &mut expansion)
}

struct Expansion<'o> {
    out: &'o mut Vec<u8>,
    /// The packed keys of each layout, and where each ends.
    layouts: Vec<(Vec<u8>, Vec<usize>)>,
    /// Where the values begin, if that is asked for.
    places: Option<&'o mut Vec<u32>>,
}

impl<'o> Expansion<'o> {
    fn to(out: &'o mut Vec<u8>) -> Expansion<'o> {
        Expansion {
            out,
            layouts: Vec::new(),
            places: None,
        }
    }
}

/// Writing into memory does not fail.
#[inline(always)]
fn put(written: Result<()>) {
    debug_assert!(written.is_ok());
}

impl<'a> Rows<'a> for Expansion<'_> {
    fn layouts(&mut self, layouts: &[StructLayout<'a>]) {
        for layout in layouts {
            let (mut packed, mut ends) = (Vec::new(), Vec::with_capacity(layout.keys.len()));
            for key in &layout.keys {
                put(packed.put_str(key.as_bytes()));
                ends.push(packed.len());
            }
            self.layouts.push((packed, ends));
        }
    }
    #[inline(always)]
    fn begin(&mut self) {
        if let Some(places) = &mut self.places {
            places.push(self.out.len() as u32);
        }
    }
    #[inline(always)]
    fn leaf(&mut self, value: CellValue<'a>) -> OrMalformed<()> {
        let out = &mut *self.out;
        put(match value {
            CellValue::Int(value) => match u64::try_from(value) {
                Ok(value) => out.put_uint(value),
                Err(_) => out.put_negative(value),
            },
            CellValue::Large(value) => out.put_uint(value),
            CellValue::Float(value) => out.put_f64(value.to_bits()),
            CellValue::Float32(value) => out.put_f32(value.to_bits()),
            CellValue::Time(at) => at.put_into(out),
            CellValue::Str(text) => out.put_str(text.as_bytes()),
            CellValue::Bin(bytes) => out.put_bin(bytes),
            CellValue::Ext(kind, payload) => out.put_ext(kind, payload),
            _ => return Err(Malformed),
        });
        Ok(())
    }
    #[inline(always)]
    fn scalar(&mut self, section: &'a [u8]) -> OrMalformed<usize> {
        let size = scalar_size(section)?;
        self.out.extend_from_slice(&section[..size]);
        Ok(size)
    }
    fn plain(&mut self, bytes: &'a [u8], _: u64) -> OrMalformed<()> {
        self.out.extend_from_slice(bytes);
        Ok(())
    }
    fn array(&mut self, count: usize) {
        put(self.out.put_array(count));
    }
    fn map(&mut self, count: usize) {
        put(self.out.put_map(count));
    }
    #[inline(always)]
    fn row(&mut self, _: usize, _: usize, count: usize) {
        put(self.out.put_map(count));
    }
    #[inline(always)]
    fn key(&mut self, layout: usize, key: usize) {
        let (packed, ends) = &self.layouts[layout];
        let begin = key.checked_sub(1).map_or(0, |before| ends[before]);
        self.out.extend_from_slice(&packed[begin..ends[key]]);
    }
}
