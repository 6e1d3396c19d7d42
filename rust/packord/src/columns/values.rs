//! Reading values that are stored by column (`spec/columns.md` section 3).

use super::VERSION;
use super::read::{self, CellValue, Directory, Rows, StructLayout};
use crate::ext::{BIGINT, Timestamp, bigint_value, shorten};
use crate::options::Rules;
use crate::read::tree::{Keep, TreePart, TreeSink};
use crate::read::{ColumnsExt, ColumnsReader, FastDecoder, Malformed, OrMalformed, PayloadHeader, Pull, ValueDecoder};
use crate::record::Structure;
use crate::value::raw::grow::{Grower, NewContainer, OpenNodes};
use crate::value::{Integer, Tree};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// What the decoder of values asks.
pub(super) static READER: ColumnsReader = ColumnsReader {
    open,
    check,
    expand,
    owned: |columns, rules| tree::<Box<str>>(columns, rules),
    borrowed: |columns, rules| tree::<&str>(columns, rules),
};

/// Reads the header of a payload; `None` for a version that this crate does not know.
pub(super) fn open(payload: &[u8]) -> OrMalformed<Option<PayloadHeader>> {
    if payload.first().is_some_and(|&version| version != VERSION) {
        return Ok(None);
    }
    read::header(payload).map(Some)
}

/// Returns the rules of the values within.
fn within(columns: &ColumnsExt<'_>, rules: &Rules) -> Rules {
    rules.within_columns(u32::try_from(columns.header.depth).unwrap_or(u32::MAX))
}

fn check(columns: &ColumnsExt<'_>, rules: &Rules) -> OrMalformed<()> {
    if within(columns, rules).checked() {
        return expand(columns, rules, &mut Vec::new());
    }
    let directory = Directory::read(&columns.tagged[1..], &columns.header)?;
    read::check(&directory, &columns.header)
}

fn expand(columns: &ColumnsExt<'_>, rules: &Rules, out: &mut Vec<u8>) -> OrMalformed<()> {
    let begin = out.len();
    read::expand(&columns.tagged[1..], &columns.header, out)?;
    let within = within(columns, rules);
    if !within.checked() {
        return Ok(());
    }
    let mut pull = Pull::new(ValueDecoder::new(None), &within);
    pull.begin(0);
    pull.finish(&out[begin..], &within).map_err(|_| Malformed)
}

fn tree<'a, S: Keep<'a>>(columns: &ColumnsExt<'a>, rules: &Rules) -> OrMalformed<Tree<S, S::Bytes>> {
    let within = within(columns, rules);
    if within.checked() {
        check(columns, rules)?;
    }
    let mut around = OpenNodes::new();
    let mut rows = TreeRows {
        grower: Grower::new(&mut around),
        whole: None,
        structures: Vec::new(),
        sink: TreeSink::new(&within),
    };
    if let Err(malformed) = read::walk(&columns.tagged[1..], &columns.header, &mut rows) {
        rows.grower.discard();
        return Err(malformed);
    }
    rows.whole.ok_or(Malformed)
}

/// Receives the values of columns as a tree.
struct TreeRows<'g, 'a, S: Keep<'a>> {
    grower: Grower<'g, S, S::Bytes>,
    whole: Option<Tree<S, S::Bytes>>,
    /// The keys of each layout and shape.
    structures: Vec<Vec<Structure>>,
    /// What values that are stored plainly become.
    sink: TreeSink<S>,
}

impl<'a, S: Keep<'a>> TreeRows<'_, 'a, S> {
    /// Adds a plain value, without those in it.
    #[inline(always)]
    fn value(&mut self, decoder: &mut FastDecoder<'a>) -> OrMalformed<()> {
        match decoder.value(&mut self.sink) {
            Some(TreePart::Leaf(value)) => self.add(value),
            Some(TreePart::Open(kind, count)) => self.open(kind, count),
            _ => return Err(Malformed),
        }
        Ok(())
    }

    fn ext(&self, kind: i8, payload: &'a [u8]) -> OrMalformed<Tree<S, S::Bytes>> {
        if kind == Timestamp::EXT_TYPE {
            return Timestamp::from_payload(payload).map(Tree::Timestamp).ok_or(Malformed);
        }
        let mut kept = payload;
        if self.sink.bigint && kind == BIGINT {
            if let Some(number) = bigint_value(payload).and_then(|number| Integer::try_from(number).ok()) {
                return Ok(Tree::Int(number));
            }
            kept = shorten(payload);
        }
        S::shortened(kind, kept).map(Tree::Ext).ok_or(Malformed)
    }

    #[inline(always)]
    fn add(&mut self, value: Tree<S, S::Bytes>) {
        if let Some(whole) = self.grower.add(value) {
            self.whole = Some(whole);
        }
    }

    #[inline(always)]
    fn open(&mut self, kind: NewContainer, count: usize) {
        if let Some(whole) = self.grower.open(kind, count) {
            self.whole = Some(whole);
        }
    }
}

impl<'a, S: Keep<'a>> Rows<'a> for TreeRows<'_, 'a, S> {
    fn layouts(&mut self, layouts: &[StructLayout<'a>]) {
        self.structures = layouts.iter().map(structures).collect();
    }
    #[inline(always)]
    fn leaf(&mut self, value: CellValue<'a>) -> OrMalformed<()> {
        let value = match value {
            CellValue::Int(value) => Tree::Int(Integer::from_i64(value)),
            CellValue::Large(value) => Tree::Int(Integer::from_u64(value)),
            CellValue::Float(value) => Tree::F64(value),
            CellValue::Float32(value) => Tree::F32(value),
            CellValue::Time(at) => Tree::Timestamp(at),
            CellValue::Str(text) => Tree::Str(S::text(text)),
            CellValue::Bin(bytes) => Tree::Bin(S::bytes(bytes)),
            CellValue::Ext(kind, payload) => self.ext(kind, payload)?,
            _ => return Err(Malformed),
        };
        self.add(value);
        Ok(())
    }
    #[inline(always)]
    fn scalar(&mut self, section: &'a [u8]) -> OrMalformed<usize> {
        let mut decoder = FastDecoder::new(section);
        self.value(&mut decoder)?;
        Ok(section.len() - decoder.rest.len())
    }
    #[inline(always)]
    fn plain(&mut self, bytes: &'a [u8], values: u64) -> OrMalformed<()> {
        let mut decoder = FastDecoder::new(bytes);
        for _ in 0..values {
            self.value(&mut decoder)?;
        }
        Ok(())
    }
    #[inline(always)]
    fn array(&mut self, count: usize) {
        self.open(NewContainer::Array, count);
    }
    #[inline(always)]
    fn map(&mut self, count: usize) {
        self.open(NewContainer::Map, count);
    }
    #[inline(always)]
    fn row(&mut self, layout: usize, shape: usize, count: usize) {
        let structure = self.structures[layout][shape].clone();
        self.open(NewContainer::Record(structure), count);
    }
    #[inline(always)]
    fn key(&mut self, _: usize, _: usize) {}
}

/// Returns the keys of each shape, which all rows share.
fn structures(layout: &StructLayout<'_>) -> Vec<Structure> {
    let keys = &layout.keys;
    let named = |shape: &Vec<u32>| Structure::new(shape.iter().map(|&key| keys[key as usize]));
    layout.shapes.iter().map(named).collect()
}
