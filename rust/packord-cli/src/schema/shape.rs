//! What the values at one path have in common.

use std::collections::{BTreeSet, HashMap};

use super::texts::Texts;

/// The number of a shape.
pub type ShapeId = usize;

/// All values of one path.
#[derive(Debug, Default)]
pub struct Shape {
    /// How many values, and how many of them are nil, bools, bins and timestamps.
    pub seen: u64,
    pub nils: u64,
    pub bools: u64,
    pub bins: u64,
    pub times: u64,
    pub ints: Option<Ints>,
    pub floats: Option<Floats>,
    pub texts: Option<Texts>,
    /// The types of the ext values.
    pub exts: BTreeSet<i8>,
    pub arrays: Option<Arrays>,
    pub maps: Option<Box<Maps>>,
}

/// The integers.
#[derive(Clone, Copy, Debug)]
pub struct Ints {
    pub count: u64,
    pub range: (i128, i128),
}

/// The floats, and whether one is not finite.
#[derive(Clone, Copy, Debug)]
pub struct Floats {
    pub count: u64,
    pub range: (f64, f64),
    pub is_infinite: bool,
}

/// The arrays, and all their elements.
#[derive(Clone, Copy, Debug)]
pub struct Arrays {
    pub count: u64,
    pub lens: (u64, u64),
    pub element: ShapeId,
}

/// The maps and records.
#[derive(Debug, Default)]
pub struct Maps {
    pub count: u64,
    /// The values by key, in the order in which the keys were seen first.
    pub fields: Vec<FieldShape>,
    pub index: HashMap<String, usize>,
    /// The values of all keys, if there are too many of them, or some that are not str.
    pub rest: Option<ShapeId>,
    pub has_odd_keys: bool,
}

/// The values of one key.
#[derive(Debug)]
pub struct FieldShape {
    pub key: String,
    pub shape: ShapeId,
    /// In how many maps the key is, and the last of them.
    pub present: u64,
    pub last: u64,
}

impl Shape {
    pub fn int(&mut self, number: i128) {
        let other = Ints {
            count: 1,
            range: (number, number),
        };
        self.add_ints(other);
    }

    pub fn add_ints(&mut self, other: Ints) {
        let ints = self.ints.get_or_insert(Ints { count: 0, ..other });
        ints.count += other.count;
        ints.range.0 = ints.range.0.min(other.range.0);
        ints.range.1 = ints.range.1.max(other.range.1);
    }

    pub fn float(&mut self, number: f64) {
        let is_infinite = !number.is_finite();
        let range = if is_infinite {
            (f64::INFINITY, f64::NEG_INFINITY)
        } else {
            (number, number)
        };
        self.add_floats(Floats {
            count: 1,
            range,
            is_infinite,
        });
    }

    pub fn add_floats(&mut self, other: Floats) {
        let floats = self.floats.get_or_insert(Floats { count: 0, ..other });
        floats.count += other.count;
        floats.range.0 = floats.range.0.min(other.range.0);
        floats.range.1 = floats.range.1.max(other.range.1);
        floats.is_infinite |= other.is_infinite;
    }

    pub fn text(&mut self, text: &str) {
        match &mut self.texts {
            Some(texts) => texts.add(text),
            None => self.texts = Some(Texts::new(text)),
        }
    }

    /// Adds what another shape has, but for the values within arrays and maps.
    pub fn add_scalars(&mut self, other: &mut Shape) {
        self.seen += other.seen;
        self.nils += other.nils;
        self.bools += other.bools;
        self.bins += other.bins;
        self.times += other.times;
        if let Some(ints) = other.ints {
            self.add_ints(ints);
        }
        if let Some(floats) = other.floats {
            self.add_floats(floats);
        }
        match (&mut self.texts, other.texts.take()) {
            (Some(texts), Some(others)) => texts.merge(others),
            (texts @ None, others) => *texts = others,
            _ => {}
        }
        self.exts.append(&mut other.exts);
    }
}
