//! The paths of all values as a tree of limited size.

use std::collections::HashMap;

use packord::{Event, Role, Structure, Token};

use crate::figures::stats::{ByteParts, PathFigures, TypeFigures};
use crate::limits::{STATS_KEYS, STATS_PATHS};
use crate::path;

/// The types, by index in the counts.
const TYPES: [&str; 11] = [
    "nil", "bool", "int", "float 32", "float 64", "str", "bin", "ext", "array", "map", "record",
];
const ELEMENTS: &str = "[*]";
const ENTRIES: &str = ".*";

/// All paths. The first node is the path of the top-level values.
pub struct PathTree {
    nodes: Vec<PatternNode>,
    open: Vec<OpenPattern>,
    /// The bytes by purpose.
    pub parts: ByteParts,
    counts: [u64; TYPES.len()],
    bytes: [u64; TYPES.len()],
    /// The number of values, without keys.
    pub values: u64,
    /// The greatest depth.
    pub depth: usize,
    /// The number of open containers within a key.
    in_key: usize,
    /// Whether paths were merged as `.*`.
    pub merged: bool,
    /// The last key, as a step of a path.
    key: String,
    /// The bytes of the last key.
    key_bytes: u64,
}

#[derive(Default)]
struct PatternNode {
    step: String,
    parent: usize,
    children: HashMap<String, usize>,
    depth: usize,
    count: u64,
    own: u64,
    keys: u64,
    types: u16,
}

/// An open container.
struct OpenPattern {
    node: usize,
    /// The structure of a record, and the number of fields that have begun.
    fields: Option<(Structure, usize)>,
}

impl Default for PathTree {
    fn default() -> PathTree {
        PathTree {
            nodes: vec![PatternNode::default()],
            open: Vec::new(),
            parts: ByteParts::default(),
            counts: [0; TYPES.len()],
            bytes: [0; TYPES.len()],
            values: 0,
            depth: 0,
            in_key: 0,
            merged: false,
            key: String::new(),
            key_bytes: 0,
        }
    }
}

impl PathTree {
    /// Counts an event.
    pub fn event(&mut self, event: &Event<'_>) {
        let is_end = matches!(event.token, Token::End(_));
        if self.in_key > 0 || event.role == Role::Key {
            return self.key_event(event, is_end);
        }
        if is_end {
            self.open.pop();
            return;
        }
        let kind = kind_of(&event.token);
        self.counts[kind] += 1;
        self.values += 1;
        self.depth = self
            .depth
            .max(event.depth + usize::from(event.token.opens()));
        let node = self.node_of(event);
        let own = event.bytes.len() as u64;
        let keys = match &event.token {
            Token::Record(_) => event.payload().len() as u64,
            _ => 0,
        };
        let header = match event.payload() {
            [] if !event.token.opens() && own == 1 && !is_str(&event.token) => 0,
            _ => event.header_len() as u64,
        };
        self.bytes[kind] += own - keys;
        self.parts.headers += header;
        self.parts.keys += keys;
        self.parts.values += own - header - keys;
        let key_bytes = std::mem::take(&mut self.key_bytes);
        let place = &mut self.nodes[node];
        place.count += 1;
        place.own += own - keys;
        place.keys += keys + key_bytes;
        place.types |= 1 << kind;
        if event.token.opens() {
            let fields = match &event.token {
                Token::Record(head) => Some((head.structure.clone(), 0)),
                _ => None,
            };
            self.open.push(OpenPattern { node, fields });
        }
    }

    /// Counts a key, or a part of a key that is a container.
    fn key_event(&mut self, event: &Event<'_>, is_end: bool) {
        let len = event.bytes.len() as u64;
        self.parts.keys += len;
        self.key_bytes += len;
        if is_end {
            self.in_key -= 1;
            return;
        }
        let kind = kind_of(&event.token);
        self.counts[kind] += 1;
        self.bytes[kind] += len;
        if self.in_key == 0 {
            self.key.clear();
            if event.token.opens() {
                self.key.push_str("[key ...]");
            } else {
                path::push_key(&mut self.key, event.bytes);
            }
        }
        self.in_key += usize::from(event.token.opens());
    }

    /// Returns the node of the value that begins.
    fn node_of(&mut self, event: &Event<'_>) -> usize {
        let Some(open) = self.open.last_mut() else {
            return 0;
        };
        let parent = open.node;
        let mut name = String::new();
        let step = match (&mut open.fields, event.role) {
            (Some((structure, begun)), _) => {
                path::push_name(&mut name, structure.key(*begun).unwrap_or_default());
                *begun += 1;
                name.as_str()
            }
            (None, Role::Value) => self.key.as_str(),
            _ => ELEMENTS,
        };
        if let Some(&node) = self.nodes[parent].children.get(step) {
            return node;
        }
        if step != ELEMENTS {
            if let Some(&node) = self.nodes[parent].children.get(ENTRIES) {
                return node;
            }
        }
        let is_full = self.nodes.len() >= STATS_PATHS;
        if step == ELEMENTS || (self.nodes[parent].children.len() < STATS_KEYS && !is_full) {
            let step = step.to_owned();
            return self.add(parent, step);
        }
        self.merged = true;
        let all = self.add(parent, ENTRIES.to_owned());
        let same: Vec<(String, usize)> = self.nodes[parent]
            .children
            .iter()
            .filter(|(step, _)| *step != ELEMENTS && *step != ENTRIES)
            .map(|(step, &node)| (step.clone(), node))
            .collect();
        for (step, node) in same {
            self.nodes[parent].children.remove(&step);
            self.merge(node, all);
        }
        all
    }

    fn add(&mut self, parent: usize, step: String) -> usize {
        let node = self.nodes.len();
        self.nodes[parent].children.insert(step.clone(), node);
        self.nodes.push(PatternNode {
            step,
            parent,
            depth: self.nodes[parent].depth + 1,
            ..PatternNode::default()
        });
        node
    }

    /// Adds one node, with its children, to another.
    fn merge(&mut self, from: usize, to: usize) {
        let mut pairs = vec![(from, to)];
        while let Some((from, to)) = pairs.pop() {
            let old = std::mem::take(&mut self.nodes[from]);
            let new = &mut self.nodes[to];
            new.count += old.count;
            new.own += old.own;
            new.keys += old.keys;
            new.types |= old.types;
            for (step, child) in old.children {
                match self.nodes[to].children.get(&step) {
                    Some(&same) => pairs.push((child, same)),
                    None => {
                        self.nodes[child].parent = to;
                        self.nodes[to].children.insert(step, child);
                    }
                }
            }
        }
    }

    /// Returns the types, the largest first.
    #[must_use]
    pub fn types(&self) -> Vec<TypeFigures> {
        let mut types: Vec<TypeFigures> = (0..TYPES.len())
            .filter(|&kind| self.counts[kind] > 0)
            .map(|kind| TypeFigures {
                name: TYPES[kind],
                count: self.counts[kind],
                bytes: self.bytes[kind],
            })
            .collect();
        types.sort_by_key(|one| std::cmp::Reverse(one.bytes));
        types
    }

    /// Returns the paths, the largest first, and parents before children.
    #[must_use]
    pub fn paths(&self) -> Vec<PathFigures> {
        let mut totals: Vec<(u64, u64)> = self
            .nodes
            .iter()
            .map(|node| (node.own + node.keys, node.keys))
            .collect();
        // After a merge, parents do not always precede their children: the deepest go first.
        let mut order: Vec<usize> = (1..self.nodes.len()).collect();
        order.sort_by_key(|&node| std::cmp::Reverse(self.nodes[node].depth));
        for node in order {
            let (bytes, keys) = totals[node];
            if self.nodes[node].count > 0 {
                let parent = &mut totals[self.nodes[node].parent];
                parent.0 += bytes;
                parent.1 += keys;
            }
        }
        let mut paths: Vec<PathFigures> = self
            .nodes
            .iter()
            .zip(totals)
            .enumerate()
            .filter(|(_, (node, _))| node.count > 0)
            .map(|(index, (node, (bytes, keys)))| PathFigures {
                path: self.path(index),
                count: node.count,
                bytes,
                keys,
                types: types(node.types),
                depth: node.depth,
            })
            .collect();
        paths.sort_by(|a, b| {
            (b.bytes.cmp(&a.bytes))
                .then(a.depth.cmp(&b.depth))
                .then(a.path.cmp(&b.path))
        });
        paths
    }

    fn path(&self, mut node: usize) -> String {
        let mut steps = Vec::new();
        while node != 0 {
            steps.push(self.nodes[node].step.as_str());
            node = self.nodes[node].parent;
        }
        steps.push("$");
        steps.into_iter().rev().collect()
    }
}

fn types(mask: u16) -> String {
    let names: Vec<&str> = (0..TYPES.len())
        .filter(|kind| mask & (1 << kind) != 0)
        .map(|kind| TYPES[kind])
        .collect();
    names.join(", ")
}

fn kind_of(token: &Token<'_>) -> usize {
    match token {
        Token::Nil => 0,
        Token::Bool(_) => 1,
        Token::Int(_) => 2,
        Token::F32(_) => 3,
        Token::F64(_) => 4,
        Token::Str(_) | Token::BrokenStr(_) => 5,
        Token::Bin(_) => 6,
        Token::Array(_) => 8,
        Token::Map(_) => 9,
        Token::Record(_) => 10,
        _ => 7,
    }
}

fn is_str(token: &Token<'_>) -> bool {
    matches!(token, Token::Str(_) | Token::BrokenStr(_))
}
