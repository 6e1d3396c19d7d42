//! Follows the events of messages, and remembers the shape of each path.

use packord::{Event, Role, Structure, Token};

use super::shape::{Arrays, FieldShape, Shape, ShapeId};
use crate::limits::{SCHEMA_DEPTH, SCHEMA_KEYS, SCHEMA_SHAPES};

/// The shape of values that are not told apart: too deep, or beyond the limit.
pub const ANY: ShapeId = 0;
/// The shape of the messages.
pub const ROOT: ShapeId = 1;

/// The shapes of all paths. A map with too many keys has one shape for all of them.
pub struct Inference {
    shapes: Vec<Shape>,
    /// Shapes that were merged into others.
    free: Vec<ShapeId>,
    open: Vec<OpenShape>,
    /// The number of open containers within a key.
    in_key: usize,
}

/// A container that has begun.
struct OpenShape {
    shape: ShapeId,
    fields: Option<Structure>,
    begun: usize,
    /// The shape of the next value, after its key.
    next: ShapeId,
}

impl Default for Inference {
    fn default() -> Inference {
        Inference {
            shapes: vec![Shape::default(), Shape::default()],
            free: Vec::new(),
            open: Vec::new(),
            in_key: 0,
        }
    }
}

impl Inference {
    /// Takes the next event.
    pub fn event(&mut self, event: &Event<'_>) {
        let is_end = matches!(event.token, Token::End(_));
        if self.in_key > 0 || event.role == Role::Key {
            if self.in_key == 0 {
                self.key(event);
            }
            self.in_key += usize::from(event.token.opens());
            self.in_key -= usize::from(is_end);
            return;
        }
        if is_end {
            self.open.pop();
            return;
        }
        let id = self.next_shape();
        let fields = match &event.token {
            Token::Record(head) => Some(head.structure.clone()),
            _ => None,
        };
        self.value(id, event);
        if event.token.opens() {
            let next = self.shapes[id].arrays.map_or(ANY, |arrays| arrays.element);
            self.open.push(OpenShape {
                shape: id,
                fields,
                begun: 0,
                next,
            });
        }
    }

    /// Returns the shape of the next value.
    fn next_shape(&mut self) -> ShapeId {
        let Some(open) = self.open.last_mut() else {
            return ROOT;
        };
        let index = open.begun;
        open.begun += 1;
        let shape = open.shape;
        match &open.fields {
            None => open.next,
            Some(structure) => {
                let structure = structure.clone();
                self.field(shape, structure.key(index).unwrap_or_default())
            }
        }
    }

    fn key(&mut self, event: &Event<'_>) {
        let Some(shape) = self.open.last().map(|open| open.shape) else {
            return;
        };
        let next = match event.token {
            Token::Str(key) => self.field(shape, key),
            _ => {
                if let Some(maps) = &mut self.shapes[shape].maps {
                    maps.has_odd_keys = true;
                }
                self.rest(shape)
            }
        };
        if let Some(open) = self.open.last_mut() {
            open.next = next;
        }
    }

    /// Returns the shape of the values of a key.
    fn field(&mut self, id: ShapeId, key: &str) -> ShapeId {
        let is_full = self.is_full();
        let Some(maps) = &mut self.shapes[id].maps else {
            return ANY;
        };
        let count = maps.count;
        if let Some(field) = maps.index.get(key).and_then(|&at| maps.fields.get_mut(at)) {
            if field.last != count {
                field.last = count;
                field.present += 1;
            }
            return field.shape;
        }
        if maps.rest.is_some() || is_full || maps.fields.len() >= SCHEMA_KEYS {
            return self.rest(id);
        }
        let shape = self.create();
        if let Some(maps) = &mut self.shapes[id].maps {
            maps.index.insert(key.to_owned(), maps.fields.len());
            maps.fields.push(FieldShape {
                key: key.to_owned(),
                shape,
                present: 1,
                last: count,
            });
        }
        shape
    }

    /// Returns the one shape of all keys of a map, into which those that it has are merged.
    fn rest(&mut self, id: ShapeId) -> ShapeId {
        let Some(maps) = &mut self.shapes[id].maps else {
            return ANY;
        };
        if let Some(rest) = maps.rest {
            return rest;
        }
        let fields = std::mem::take(&mut maps.fields);
        maps.index.clear();
        let mut shapes = fields.into_iter().map(|field| field.shape);
        let rest = match shapes.next() {
            Some(first) => first,
            None if self.is_full() => ANY,
            None => self.create(),
        };
        if let Some(maps) = &mut self.shapes[id].maps {
            maps.rest = Some(rest);
        }
        for other in shapes {
            self.merge(rest, other);
        }
        rest
    }

    fn is_full(&self) -> bool {
        self.free.is_empty() && self.shapes.len() >= SCHEMA_SHAPES
    }

    fn create(&mut self) -> ShapeId {
        if let Some(id) = self.free.pop() {
            return id;
        }
        self.shapes.push(Shape::default());
        self.shapes.len() - 1
    }

    /// Moves all that one shape has seen into another. Both are whole: no value of theirs is open. The
    /// recursion is as deep as shapes are at most.
    fn merge(&mut self, into: ShapeId, from: ShapeId) {
        if from == ANY || from == into {
            return;
        }
        let mut old = std::mem::take(&mut self.shapes[from]);
        self.free.push(from);
        if into == ANY {
            if let Some(arrays) = old.arrays {
                self.merge(ANY, arrays.element);
            }
            if let Some(maps) = old.maps {
                let fields = maps.fields.into_iter().map(|field| field.shape);
                for shape in fields.chain(maps.rest) {
                    self.merge(ANY, shape);
                }
            }
            return;
        }
        let new = &mut self.shapes[into];
        new.add_scalars(&mut old);
        match (&mut new.arrays, old.arrays) {
            (Some(arrays), Some(others)) => {
                arrays.count += others.count;
                arrays.lens.0 = arrays.lens.0.min(others.lens.0);
                arrays.lens.1 = arrays.lens.1.max(others.lens.1);
                let element = arrays.element;
                self.merge(element, others.element);
            }
            (arrays @ None, others) => *arrays = others,
            _ => {}
        }
        match (&mut self.shapes[into].maps, old.maps) {
            (Some(maps), Some(others)) => {
                maps.count += others.count;
                maps.has_odd_keys |= others.has_odd_keys;
                self.merge_fields(into, others.fields, others.rest);
            }
            (maps @ None, others) => *maps = others,
            _ => {}
        }
    }

    fn merge_fields(&mut self, into: ShapeId, fields: Vec<FieldShape>, rest: Option<ShapeId>) {
        if let Some(rest) = rest {
            let own = self.rest(into);
            self.merge(own, rest);
        }
        for field in fields {
            let Some(maps) = &mut self.shapes[into].maps else {
                return;
            };
            let at = maps.index.get(&field.key).copied();
            let shape = if let Some(own) = at.and_then(|at| maps.fields.get_mut(at)) {
                own.present += field.present;
                own.shape
            } else if maps.rest.is_none() && maps.fields.len() < SCHEMA_KEYS {
                maps.index.insert(field.key.clone(), maps.fields.len());
                // The number of the last map counts those of the other shape.
                maps.fields.push(FieldShape { last: 0, ..field });
                continue;
            } else {
                self.rest(into)
            };
            self.merge(shape, field.shape);
        }
    }

    /// Adds a value to a shape.
    fn value(&mut self, id: ShapeId, event: &Event<'_>) {
        if id == ANY {
            return;
        }
        let depth = self.open.len();
        let is_full = self.is_full();
        let shape = &mut self.shapes[id];
        shape.seen += 1;
        match &event.token {
            Token::Nil => shape.nils += 1,
            Token::Bool(_) => shape.bools += 1,
            Token::Int(number) => shape.int(number.as_i128()),
            Token::F32(number) => shape.float(f64::from(*number)),
            Token::F64(number) => shape.float(*number),
            Token::Str(text) => shape.text(text),
            Token::Bin(_) | Token::BrokenStr(_) => shape.bins += 1,
            Token::Timestamp(_) => shape.times += 1,
            Token::Ext(kind, _) => {
                shape.exts.insert(*kind);
            }
            Token::Array(count) => {
                let len = *count as u64;
                if let Some(arrays) = &mut shape.arrays {
                    arrays.count += 1;
                    arrays.lens = (arrays.lens.0.min(len), arrays.lens.1.max(len));
                } else {
                    let element = if depth >= SCHEMA_DEPTH || is_full {
                        ANY
                    } else {
                        self.create()
                    };
                    self.shapes[id].arrays = Some(Arrays {
                        count: 1,
                        lens: (len, len),
                        element,
                    });
                }
            }
            Token::Map(_) | Token::Record(_) => {
                let maps = shape.maps.get_or_insert_default();
                maps.count += 1;
                if depth >= SCHEMA_DEPTH {
                    maps.rest = Some(ANY);
                }
            }
            _ => {}
        }
    }

    /// Returns a shape.
    pub(super) fn shape(&self, id: ShapeId) -> &Shape {
        self.shapes.get(id).unwrap_or(&self.shapes[ANY])
    }
}
