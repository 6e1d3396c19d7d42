//! The description of a type.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};

use crate::encode::slot_offset;
use crate::object::{Obj, Owned};

/// The index of a node.
pub type Index = usize;

/// What a type wants. Indexes may point back: types can contain themselves.
pub enum Node {
    Any,
    Nil,
    Bool,
    Int,
    Float,
    Str,
    Bytes,
    List(Index),
    /// A list of these, made a set, frozenset or tuple.
    Sequence(Index, Collection),
    /// A tuple with an element for each type.
    Tuple(Vec<Index>),
    Dict(Index, Index),
    Object(Object),
    /// One of these values, each with what it stands for.
    OneOf(Owned),
    /// Whatever comes, handed to a callable that converts or raises.
    Convert(Index, Owned),
    /// By the kind of the value that comes.
    Union([Option<Index>; KINDS]),
    /// By the value of one of the map's entries: the entry's key, and from values to nodes.
    Tagged(Box<[u8]>, Owned),
}

#[derive(Clone, Copy)]
pub enum Collection {
    Set,
    Frozenset,
    Tuple,
}

/// The kinds of values on the wire that unions tell apart.
#[derive(Clone, Copy)]
pub enum Kind {
    Nil,
    Bool,
    Int,
    Float,
    Str,
    Bin,
    Array,
    Map,
    Ext,
}

pub const KINDS: usize = 9;

/// An object with fields.
pub struct Object {
    pub class: Owned,
    pub fields: Vec<Field>,
    pub construction: Construction,
    pub post_init: Option<Owned>,
    /// Keys that no field has are an error.
    pub closed: bool,
}

/// How an object is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Construction {
    /// Allocated, and its fields set.
    Direct,
    /// By calling the class with keywords.
    Call,
    /// As a `dict`.
    Dict,
}

pub struct Field {
    pub name: Owned,
    pub key: Box<[u8]>,
    pub node: Index,
    pub default: Default,
    /// Where the slot lies.
    pub offset: Option<isize>,
}

/// What a field is when it isn't there.
pub enum Default {
    Required,
    /// Left out: of a `dict`, or of a call.
    Absent,
    Value(Owned),
    Factory(Owned),
}

/// A type, described.
pub struct Plan {
    pub nodes: Vec<Node>,
    /// What each node is called in messages.
    pub names: Vec<String>,
}

impl Plan {
    /// From the list that `packord._types.describe` makes: `(kind, name, arguments)` each; the first
    /// is the type itself.
    pub fn new(description: &Bound<'_, PyList>) -> PyResult<Plan> {
        let mut plan = Plan {
            nodes: Vec::new(),
            names: Vec::new(),
        };
        for entry in description {
            let (kind, name, arguments): (String, String, Bound<'_, PyAny>) = entry.extract()?;
            plan.nodes.push(node(&kind, &arguments)?);
            plan.names.push(name);
        }
        Ok(plan)
    }
}

fn owned(object: &Bound<'_, PyAny>) -> Owned {
    unsafe { Owned::borrow(object.as_ptr()) }
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
        "list" => Node::List(arguments.extract()?),
        "set" => Node::Sequence(arguments.extract()?, Collection::Set),
        "frozenset" => Node::Sequence(arguments.extract()?, Collection::Frozenset),
        "tuple of" => Node::Sequence(arguments.extract()?, Collection::Tuple),
        "tuple" => Node::Tuple(arguments.extract()?),
        "dict" => {
            let (key, value) = arguments.extract()?;
            Node::Dict(key, value)
        }
        "one of" => Node::OneOf(owned(arguments.cast::<PyDict>()?)),
        "convert" => {
            let (inner, callable): (Index, Bound<'_, PyAny>) = arguments.extract()?;
            Node::Convert(inner, owned(&callable))
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
            Node::Tagged(key.as_bytes().into(), owned(&choices))
        }
        "object" => Node::Object(object(arguments.cast()?)?),
        _ => return Err(PyTypeError::new_err(format!("unknown node {kind}"))),
    })
}

/// `(class, fields, construction, post_init, closed)`.
fn object(arguments: &Bound<'_, PyTuple>) -> PyResult<Object> {
    type Parts<'py> = (
        Bound<'py, PyAny>,
        Bound<'py, PyList>,
        String,
        Bound<'py, PyAny>,
        bool,
    );
    let (class, list, construction, post_init, closed): Parts<'_> = arguments.extract()?;
    let construction = match construction.as_str() {
        "direct" => Construction::Direct,
        "call" => Construction::Call,
        _ => Construction::Dict,
    };
    let mut fields = Vec::new();
    for entry in list {
        fields.push(field(class.as_ptr(), construction, &entry)?);
    }
    let post_init = if post_init.is_none() {
        None
    } else {
        Some(owned(&post_init))
    };
    Ok(Object {
        class: owned(&class),
        fields,
        construction,
        post_init,
        closed,
    })
}

/// `(name, key, node, default kind, default)`.
fn field(class: Obj, construction: Construction, entry: &Bound<'_, PyAny>) -> PyResult<Field> {
    type Parts<'py> = (
        Bound<'py, PyString>,
        Bound<'py, PyBytes>,
        Index,
        String,
        Bound<'py, PyAny>,
    );
    let (name, key, node, kind, default): Parts<'_> = entry.extract()?;
    name.hash()?;
    let default = match kind.as_str() {
        "required" => Default::Required,
        "absent" => Default::Absent,
        "value" => Default::Value(owned(&default)),
        _ => Default::Factory(owned(&default)),
    };
    let offset = if construction == Construction::Direct {
        unsafe { slot_offset(class.cast(), name.as_ptr()) }
    } else {
        None
    };
    Ok(Field {
        name: owned(name.as_any()),
        key: key.as_bytes().into(),
        node,
        default,
        offset,
    })
}
