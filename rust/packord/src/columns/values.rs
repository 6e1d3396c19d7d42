//! Reading values that are stored by column (`spec/columns.md` section 3).

use super::VERSION;
use super::read::{self, Directory, Rows, StructLayout};
use crate::ext::{BIGINT, Timestamp, bigint_value, shorten};
use crate::options::Rules;
use crate::read::tree::{Keep, kept_ext};
use crate::read::{
    ColumnsExt, ColumnsReader, FastDecoder, Malformed, OrMalformed, PayloadHeader, Pull,
    ValueDecoder, ValueSink,
};
use crate::record::{RecordHead, Structure};
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

fn open(payload: &[u8]) -> OrMalformed<Option<PayloadHeader>> {
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

fn tree<'a, S: Keep<'a>>(
    columns: &ColumnsExt<'a>,
    rules: &Rules,
) -> OrMalformed<Tree<S, S::Bytes>> {
    if within(columns, rules).checked() {
        check(columns, rules)?;
    }
    let mut around = OpenNodes::new();
    let mut rows = TreeRows {
        grower: Grower::new(&mut around),
        whole: None,
        structures: Vec::new(),
        bigint: rules.bigint,
    };
    if let Err(malformed) = read::walk(&columns.tagged[1..], &columns.header, &mut rows) {
        rows.grower.discard();
        return Err(malformed);
    }
    rows.whole.ok_or(Malformed)
}

/// Receives the values of columns as a tree.
struct TreeRows<'g, S, B> {
    grower: Grower<'g, S, B>,
    whole: Option<Tree<S, B>>,
    /// The keys of each layout and shape.
    structures: Vec<Vec<Structure>>,
    bigint: bool,
}

impl<S, B> TreeRows<'_, S, B> {
    #[inline(always)]
    fn add(&mut self, value: Tree<S, B>) {
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

impl<'a, S: Keep<'a>> Rows<'a> for TreeRows<'_, S, S::Bytes> {
    fn layouts(&mut self, layouts: &[StructLayout<'a>]) {
        self.structures = layouts.iter().map(structures).collect();
    }
    #[inline(always)]
    fn int(&mut self, value: i64) {
        self.add(Tree::Int(Integer::from_i64(value)));
    }
    #[inline(always)]
    fn uint(&mut self, value: u64) {
        self.add(Tree::Int(Integer::from_u64(value)));
    }
    #[inline(always)]
    fn f64(&mut self, bits: u64) {
        self.add(Tree::F64(f64::from_bits(bits)));
    }
    #[inline(always)]
    fn f32(&mut self, bits: u32) {
        self.add(Tree::F32(f32::from_bits(bits)));
    }
    #[inline(always)]
    fn timestamp(&mut self, at: Timestamp) {
        self.add(Tree::Timestamp(at));
    }
    #[inline(always)]
    fn str(&mut self, text: &'a str) {
        self.add(Tree::Str(S::text(text)));
    }
    #[inline(always)]
    fn bin(&mut self, bytes: &'a [u8]) {
        self.add(Tree::Bin(S::bytes(bytes)));
    }
    fn ext(&mut self, kind: i8, payload: &'a [u8]) -> OrMalformed<()> {
        if kind == Timestamp::EXT_TYPE {
            self.timestamp(Timestamp::from_payload(payload).ok_or(Malformed)?);
            return Ok(());
        }
        let mut kept = payload;
        if self.bigint && kind == BIGINT {
            let number = bigint_value(payload).and_then(|number| Integer::try_from(number).ok());
            if let Some(number) = number {
                self.add(Tree::Int(number));
                return Ok(());
            }
            kept = shorten(payload);
        }
        self.add(Tree::Ext(S::shortened(kind, kept).ok_or(Malformed)?));
        Ok(())
    }
    #[inline(always)]
    fn scalar(&mut self, section: &'a [u8]) -> OrMalformed<usize> {
        let mut decoder = FastDecoder::new(section);
        decoder.value(&mut PlainSink(self)).ok_or(Malformed)?;
        Ok(section.len() - decoder.rest.len())
    }
    #[inline(always)]
    fn plain(&mut self, bytes: &'a [u8], values: u64) -> OrMalformed<()> {
        let mut decoder = FastDecoder::new(bytes);
        for _ in 0..values {
            decoder.value(&mut PlainSink(self)).ok_or(Malformed)?;
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

/// Adds values of MessagePack to the tree, one by one.
struct PlainSink<'r, 'g, S, B>(&'r mut TreeRows<'g, S, B>);

impl<'a, S: Keep<'a>> ValueSink<'a> for PlainSink<'_, '_, S, S::Bytes> {
    type Out = ();
    #[inline(always)]
    fn nil(&mut self) {
        self.0.add(Tree::Nil);
    }
    #[inline(always)]
    fn bool(&mut self, value: bool) {
        self.0.add(Tree::Bool(value));
    }
    #[inline(always)]
    fn int(&mut self, value: Integer) {
        self.0.add(Tree::Int(value));
    }
    #[inline(always)]
    fn f32(&mut self, bits: u32) {
        Rows::f32(self.0, bits);
    }
    #[inline(always)]
    fn f64(&mut self, bits: u64) {
        Rows::f64(self.0, bits);
    }
    #[inline(always)]
    fn str(&mut self, text: &'a str) {
        Rows::str(self.0, text);
    }
    /// The decoder stops at such a str.
    fn broken_str(&mut self, _: &'a [u8]) {}
    fn bin(&mut self, bytes: &'a [u8]) {
        Rows::bin(self.0, bytes);
    }
    fn ext(&mut self, tagged: &'a [u8]) {
        self.0.add(kept_ext::<S>(tagged, self.0.bigint));
    }
    fn timestamp(&mut self, at: Timestamp) {
        Rows::timestamp(self.0, at);
    }
    #[inline(always)]
    fn array(&mut self, count: usize) {
        Rows::array(self.0, count);
    }
    #[inline(always)]
    fn map(&mut self, count: usize) {
        Rows::map(self.0, count);
    }
    /// There are no records in columns.
    fn record(&mut self, _: RecordHead) {}
}

/// Returns the keys of each shape, which all rows share.
fn structures(layout: &StructLayout<'_>) -> Vec<Structure> {
    let keys = &layout.keys;
    let named = |shape: &Vec<u32>| Structure::new(shape.iter().map(|&key| keys[key as usize]));
    layout.shapes.iter().map(named).collect()
}
