//! The description of a declared type, by which its values are read.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pyclass::PyVisit;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};
use std::sync::atomic::{AtomicU8, Ordering};

use super::packed::{Choices, Packed};
use crate::cpython::garbage::{Holder, Visited, holds};
use crate::cpython::instance::{self, lies_in_dict, slot_offset};
use crate::cpython::object::{Obj, Owned, new_ref};
use crate::wire::value_type::ValueType;

/// The index of a node.
pub type Index = usize;

/// What a type accepts. Indexes may point back: types can contain themselves.
pub enum Node {
    Any,
    Nil,
    Bool,
    Int,
    Float,
    Str,
    Bytes,
    /// A view of a bin, in place.
    Memoryview,
    List(Index),
    /// A list of these, made a set, frozenset or tuple.
    Sequence(Index, Collection),
    /// A tuple with an element for each type, how many it has at least, and the type of those that may follow.
    Tuple(Vec<Index>, usize, Option<Index>),
    Dict(Index, Index),
    Object(Object),
    /// An object whose fields are the elements of an array: the fewest that it has.
    Row(Object, usize),
    /// One of these values.
    OneOf(Choices),
    /// Whatever comes, handed to a callable that converts or raises.
    Convert(Index, Owned),
    /// By the kind of the value that comes.
    Union([Option<Index>; ValueType::COUNT]),
    /// By the value of one of the map's entries: the entry's key, and values that stand for nodes.
    Tagged(Packed, Choices),
    /// By the value of the array's first element: values that stand for nodes.
    Headed(Choices),
    /// By the keys that the map has.
    Shaped(Outlines),
    /// The bytes of whatever comes, handed to a callable.
    Packed(Owned),
}

#[derive(Clone, Copy)]
pub enum Collection {
    Set,
    Frozenset,
    Tuple,
}

/// Objects that are told apart by their keys.
pub struct Outlines {
    keys: Vec<Box<[u8]>>,
    members: Vec<Outline>,
}

struct Outline {
    node: Index,
    /// Which of the keys it must have.
    keys: Vec<usize>,
    /// The members that do not know one of these keys.
    preferred_to: Vec<usize>,
}

impl Outlines {
    /// For each of the keys that tell the objects apart, whether the map has it: of none so far.
    pub fn none(&self) -> Vec<bool> {
        vec![false; self.keys.len()]
    }

    pub fn mark(&self, present: &mut [bool], key: &[u8]) {
        if let Some(place) = self.keys.iter().position(|known| **known == *key) {
            present[place] = true;
        }
    }

    /// The one object that a map with these keys can be; a reason if there is none.
    pub fn choose(&self, present: &[bool]) -> Result<Index, &'static str> {
        let fits = |outline: &Outline| outline.keys.iter().all(|&key| present[key]);
        let fitting = || self.members.iter().filter(|outline| fits(outline));
        let mut chosen = self
            .members
            .iter()
            .enumerate()
            .filter(|(place, outline)| fits(outline) && !fitting().any(|other| other.preferred_to.contains(place)));
        match (chosen.next(), chosen.next()) {
            (Some((_, outline)), None) => Ok(outline.node),
            _ if fitting().next().is_none() => Err("no class of the union has these fields"),
            _ => Err("several classes of the union have these fields"),
        }
    }
}

pub struct Object {
    pub class: Owned,
    pub fields: Vec<TargetField>,
    pub construction: Construction,
    pub post_init: Option<Owned>,
    /// Keys that no field has are an error.
    pub closed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Construction {
    /// Allocated, and its fields set.
    Direct,
    /// By calling the class with keywords.
    Call,
    Dict,
}

pub struct TargetField {
    /// An interned `str`.
    pub name: Owned,
    pub key: Box<[u8]>,
    pub packed: Packed,
    pub node: Index,
    pub default: Default,
    pub place: TargetPlace,
}

impl TargetField {
    /// Whether an array of the fields must have it: a tag is one of them.
    fn is_needed(&self) -> bool {
        matches!(self.default, Default::Required) || matches!(self.place, TargetPlace::Skipped)
    }
}

/// Where a field is set.
pub enum TargetPlace {
    /// In a slot at this offset.
    Slot(isize),
    /// Among the values of the instance's dict, at an index that the first instances tell.
    Value(LateIndex),
    /// By CPython.
    Named,
    /// Nowhere: the entry is read, and that is all.
    Skipped,
}

/// An index that is not known before an instance has had the attribute; see `instance.rs`.
pub struct LateIndex(AtomicU8);

impl LateIndex {
    /// From here on up: how many instances have been asked in vain, and at the top never again.
    const UNKNOWN: u8 = 0xf0;
    const NEVER: u8 = 0xff;

    #[inline(always)]
    pub fn get(&self) -> Option<usize> {
        let index = self.0.load(Ordering::Relaxed);
        (index < LateIndex::UNKNOWN).then_some(usize::from(index))
    }

    /// To be called when an instance has got the attribute.
    #[cold]
    pub unsafe fn learn(&self, class: Obj, name: Obj) {
        let asked = self.0.load(Ordering::Relaxed);
        if asked < LateIndex::NEVER {
            let found = instance::index(class.cast(), name);
            let next = found.map_or(asked + 1, |index| index as u8);
            self.0.store(next, Ordering::Relaxed);
        }
    }
}

/// What a field is when it isn't there.
pub enum Default {
    Required,
    /// Left out: of a `dict`, or of a call.
    Absent,
    Value(Owned),
    Factory(Owned),
}

pub struct TypePlan {
    pub nodes: Vec<Node>,
    /// What each node is called in messages.
    pub names: Vec<String>,
    /// For each node a bit for each kind of value that it takes as it comes.
    taken: Vec<u16>,
}

impl TypePlan {
    /// What errors call the type of a node (`spec/errors.md` section 3): `an integer`, or its own name for a type that
    /// is none of those.
    pub fn expected(&self, index: Index) -> &str {
        match self.nodes[index] {
            Node::Nil => "nil",
            Node::Bool => "a bool",
            Node::Int => "an integer",
            Node::Float => "a float",
            Node::Str => "a str",
            Node::Bytes | Node::Memoryview => "a bin",
            Node::List(_) | Node::Sequence(..) | Node::Tuple(..) | Node::Row(..) | Node::Headed(_) => "an array",
            Node::Dict(..) | Node::Object(_) | Node::Tagged(..) | Node::Shaped(_) => "a map",
            Node::OneOf(_) => "a variant",
            Node::Union(ref choices) => match self.of_option(choices) {
                Some(choice) => self.expected(choice),
                None => &self.names[index],
            },
            Node::Any | Node::Convert(..) | Node::Packed(_) => &self.names[index],
        }
    }

    /// The one type of a union of it and nil.
    fn of_option(&self, choices: &[Option<Index>; ValueType::COUNT]) -> Option<Index> {
        let is_nil = |choice: &Index| matches!(self.nodes[*choice], Node::Nil);
        let mut others = choices.iter().flatten().copied().filter(|choice| !is_nil(choice));
        let first = others.next()?;
        others.all(|choice| choice == first).then_some(first)
    }

    /// The plan of a declared type; `None` for `Any`. Raises `TypeError` for a type that cannot be read.
    pub fn of(wanted: &Bound<'_, PyAny>, keywords: &Bound<'_, PyDict>) -> PyResult<Option<TypePlan>> {
        let describe = wanted.py().import("packord._typing.types")?.getattr("describe")?;
        let description = describe.call((wanted,), Some(keywords))?;
        let description = description.extract::<Option<Bound<'_, PyList>>>()?;
        description.as_ref().map(TypePlan::new).transpose()
    }

    /// From the list that `packord._typing.types.describe` makes: `(kind, name, arguments)` each; the first
    /// is the type itself.
    fn new(description: &Bound<'_, PyList>) -> PyResult<TypePlan> {
        let mut plan = TypePlan {
            nodes: Vec::new(),
            names: Vec::new(),
            taken: Vec::new(),
        };
        for entry in description {
            let (kind, name, arguments): (String, String, Bound<'_, PyAny>) = entry.extract()?;
            let node = node(&kind, &arguments)?;
            plan.taken.push(taken(&node));
            plan.nodes.push(node);
            plan.names.push(name);
        }
        for index in 0..plan.nodes.len() {
            if let Node::Union(choices) = &plan.nodes[index] {
                let taken = |kind: usize| choices[kind].map_or(0, |choice| plan.taken[choice]) & 1 << kind;
                plan.taken[index] = (0..choices.len()).map(taken).sum();
            }
        }
        Ok(plan)
    }

    pub fn takes_map(&self, index: Index) -> bool {
        match &self.nodes[index] {
            Node::Any | Node::Dict(..) | Node::Object(_) | Node::Tagged(..) | Node::Shaped(_) => true,
            Node::Convert(inner, _) => self.takes_map(*inner),
            Node::Union(choices) => choices[ValueType::Map as usize].is_some_and(|choice| self.takes_map(choice)),
            _ => false,
        }
    }

    /// Whether the node takes a value that this marker begins as it comes.
    #[inline(always)]
    pub fn takes(&self, index: Index, marker: u8) -> bool {
        ValueType::of(marker).is_some_and(|kind| self.taken[index] >> kind as u16 & 1 != 0)
    }
}

holds!(TypePlan: nodes);

impl Holder for Node {
    fn visit(&self, visit: &PyVisit<'_>) -> Visited {
        use Node::{Any, Bool, Bytes, Dict, Float, Int, List, Memoryview, Nil, Sequence, Shaped, Str, Tuple, Union};
        match self {
            Node::Object(object) | Node::Row(object, _) => object.visit(visit),
            Node::OneOf(choices) | Node::Tagged(_, choices) | Node::Headed(choices) => choices.visit(visit),
            Node::Convert(_, callable) | Node::Packed(callable) => callable.visit(visit),
            Any | Nil | Bool | Int | Float | Str | Bytes | Memoryview | List(_) | Sequence(..) | Tuple(..)
            | Dict(..) | Union(_) | Shaped(_) => Ok(()),
        }
    }
}

holds!(Object: class, post_init, fields);

impl Holder for TargetField {
    fn visit(&self, visit: &PyVisit<'_>) -> Visited {
        match &self.default {
            Default::Value(default) | Default::Factory(default) => default.visit(visit),
            Default::Required | Default::Absent => Ok(()),
        }
    }
}

fn taken(node: &Node) -> u16 {
    let only = |kind: ValueType| 1 << kind as u16;
    match node {
        Node::Any => u16::MAX,
        Node::Nil => only(ValueType::Nil),
        Node::Bool => only(ValueType::Bool),
        Node::Int => only(ValueType::Int),
        Node::Float => only(ValueType::Float),
        Node::Str => only(ValueType::Str),
        Node::Bytes => only(ValueType::Bin),
        _ => 0,
    }
}

fn node(kind: &str, arguments: &Bound<'_, PyAny>) -> PyResult<Node> {
    Ok(match kind {
        "any" => Node::Any,
        "nil" => Node::Nil,
        "bool" => Node::Bool,
        "int" => Node::Int,
        "float" => Node::Float,
        "str" => Node::Str,
        "bytes" => Node::Bytes,
        "memoryview" => Node::Memoryview,
        "list" => Node::List(arguments.extract()?),
        "set" => Node::Sequence(arguments.extract()?, Collection::Set),
        "frozenset" => Node::Sequence(arguments.extract()?, Collection::Frozenset),
        "tuple of" => Node::Sequence(arguments.extract()?, Collection::Tuple),
        "tuple" => {
            let (items, least, rest) = arguments.extract()?;
            Node::Tuple(items, least, rest)
        }
        "dict" => {
            let (key, value) = arguments.extract()?;
            Node::Dict(key, value)
        }
        "one of" => Node::OneOf(Choices::new(arguments.cast()?)?),
        "convert" => {
            let (inner, callable): (Index, Bound<'_, PyAny>) = arguments.extract()?;
            Node::Convert(inner, Owned::from(&callable))
        }
        "union" => {
            let choices: Vec<Option<Index>> = arguments.extract()?;
            let choices = choices
                .try_into()
                .map_err(|_| PyTypeError::new_err("a union names every kind"))?;
            Node::Union(choices)
        }
        "tagged" => {
            let (key, choices): (Bound<'_, PyBytes>, Bound<'_, PyDict>) = arguments.extract()?;
            Node::Tagged(Packed::str(key.as_bytes()), Choices::new(&choices)?)
        }
        "headed" => Node::Headed(Choices::new(arguments.cast()?)?),
        "packed" => Node::Packed(Owned::from(arguments)),
        "shaped" => {
            let (keys, members): (Vec<Vec<u8>>, Vec<_>) = arguments.extract()?;
            let outline = |(node, keys, preferred_to)| Outline {
                node,
                keys,
                preferred_to,
            };
            Node::Shaped(Outlines {
                keys: keys.into_iter().map(Vec::into_boxed_slice).collect(),
                members: members.into_iter().map(outline).collect(),
            })
        }
        "object" => Node::Object(object(arguments.cast()?)?),
        "row" => {
            let object = object(arguments.cast()?)?;
            let needed = object.fields.iter().rposition(TargetField::is_needed);
            Node::Row(object, needed.map_or(0, |last| last + 1))
        }
        _ => return Err(PyTypeError::new_err(format!("unknown node {kind}"))),
    })
}

/// `(class, fields, construction, post_init, closed)`.
fn object(arguments: &Bound<'_, PyTuple>) -> PyResult<Object> {
    type ObjectParts<'py> = (Bound<'py, PyAny>, Bound<'py, PyList>, String, Bound<'py, PyAny>, bool);
    let (class, list, construction, post_init, closed): ObjectParts<'_> = arguments.extract()?;
    let construction = match construction.as_str() {
        "direct" => Construction::Direct,
        "call" => Construction::Call,
        _ => Construction::Dict,
    };
    let mut fields = Vec::new();
    for entry in list {
        fields.push(field(class.as_ptr(), construction, &entry)?);
    }
    Ok(Object {
        class: Owned::from(&class),
        fields,
        construction,
        post_init: (!post_init.is_none()).then(|| Owned::from(&post_init)),
        closed,
    })
}

/// `(name, key, node, default kind, default)`.
fn field(class: Obj, construction: Construction, entry: &Bound<'_, PyAny>) -> PyResult<TargetField> {
    type FieldParts<'py> = (
        Bound<'py, PyString>,
        Bound<'py, PyBytes>,
        Index,
        String,
        Bound<'py, PyAny>,
    );
    let (name, key, node, kind, default): FieldParts<'_> = entry.extract()?;
    name.hash()?;
    let default = match kind.as_str() {
        "required" => Default::Required,
        "absent" | "skipped" => Default::Absent,
        "value" => Default::Value(Owned::from(&default)),
        _ => Default::Factory(Owned::from(&default)),
    };
    let mut interned = unsafe { new_ref(name.as_ptr()) };
    unsafe { pyo3::ffi::PyUnicode_InternInPlace(&mut interned) };
    let interned = Owned::take(interned).ok_or_else(|| PyErr::fetch(name.py()))?;
    let place = if kind == "skipped" {
        TargetPlace::Skipped
    } else if construction == Construction::Direct {
        unsafe { place_of(class, interned.get()) }
    } else {
        TargetPlace::Named
    };
    Ok(TargetField {
        name: interned,
        packed: Packed::str(key.as_bytes()),
        key: key.as_bytes().into(),
        node,
        default,
        place,
    })
}

unsafe fn place_of(class: Obj, name: Obj) -> TargetPlace {
    if let Some(offset) = slot_offset(class.cast(), name) {
        return TargetPlace::Slot(offset);
    }
    if lies_in_dict(class.cast(), name) {
        return TargetPlace::Value(LateIndex(AtomicU8::new(LateIndex::UNKNOWN)));
    }
    TargetPlace::Named
}
