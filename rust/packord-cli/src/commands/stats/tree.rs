//! The paths of all values as a tree of limited size.

use std::collections::HashMap;

use packord::{Event, Role, Structure, Token};

use crate::figures::stats::{ByteParts, PathFigures, TypeFigures};
use crate::figures::units::counted;
use crate::limits::{STATS_KEYS, STATS_PATHS};
use crate::values::path;

/// The types, by index in the counts.
const TYPES: [&str; 11] = [
    "nil", "bool", "int", "float 32", "float 64", "str", "bin", "ext", "array", "map", "record",
];
const ELEMENTS: &str = "[*]";
const ENTRIES: &str = ".*";

/// All paths. The first node is the path of the top-level values.
pub struct PathTree {
    nodes: Vec<PatternNode>,
    /// The nodes that were merged into others, to be used again.
    free: Vec<usize>,
    /// The maximum number of nodes.
    room: usize,
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
    /// Whether merging keys no longer makes room.
    is_stuck: bool,
    /// Whether values were counted with the container around them, because no path was left.
    folded: bool,
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
    /// Why the keys of this map are one path.
    merged: Option<MergeReason>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum MergeReason {
    /// It has too many keys.
    Keys,
    /// There were too many paths.
    Paths,
}

/// An open container.
struct OpenPattern {
    node: usize,
    /// Whether its content is counted with it.
    folded: bool,
    /// The structure of a record, and the number of fields that have begun.
    fields: Option<(Structure, usize)>,
}

impl Default for PathTree {
    fn default() -> PathTree {
        PathTree {
            nodes: vec![PatternNode::default()],
            free: Vec::new(),
            room: STATS_PATHS,
            open: Vec::new(),
            parts: ByteParts::default(),
            counts: [0; TYPES.len()],
            bytes: [0; TYPES.len()],
            values: 0,
            depth: 0,
            in_key: 0,
            is_stuck: false,
            folded: false,
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
        self.depth = self.depth.max(event.depth + usize::from(event.token.opens()));
        let (node, folded) = self.node_of(event);
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
        place.own += own - keys;
        place.keys += keys + key_bytes;
        if !folded {
            place.count += 1;
            place.types |= 1 << kind;
        }
        if event.token.opens() {
            let fields = match &event.token {
                Token::Record(head) => Some((head.structure.clone(), 0)),
                _ => None,
            };
            self.open.push(OpenPattern { node, folded, fields });
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

    /// Returns the node of the value that begins, and whether it is only counted with the container
    /// around it.
    fn node_of(&mut self, event: &Event<'_>) -> (usize, bool) {
        let Some(open) = self.open.last_mut() else {
            return (0, false);
        };
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
        if open.folded {
            return (open.node, true);
        }
        let children = &self.nodes[open.node].children;
        let is_key = step != ELEMENTS;
        let known = children.get(step);
        if let Some(&node) = known.or_else(|| is_key.then(|| children.get(ENTRIES)).flatten()) {
            return (node, false);
        }
        let step = step.to_owned();
        if self.is_full() && !self.is_stuck {
            self.make_room();
        }
        // The container itself may have been merged.
        let parent = self.open.last().map_or(0, |open| open.node);
        if let Some(&node) = self.nodes[parent].children.get(&step) {
            return (node, false);
        }
        let is_dictionary = self.nodes[parent].merged.is_some();
        if is_key && (is_dictionary || self.nodes[parent].children.len() >= STATS_KEYS) {
            let reason = self.nodes[parent].merged.unwrap_or(MergeReason::Keys);
            return (self.collapse(parent, reason).0, false);
        }
        if self.is_full() {
            self.folded = true;
            return (parent, true);
        }
        (self.add(parent, step), false)
    }

    /// Makes the keys of maps one path until half of the paths are free: first of the maps that are
    /// deep and have many keys.
    fn make_room(&mut self) {
        let mut maps: Vec<(usize, usize)> = self
            .nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| node.children.len() > 1)
            .map(|(index, node)| (node.depth * node.children.len(), index))
            .collect();
        maps.sort_unstable_by_key(|&(score, index)| (std::cmp::Reverse(score), index));
        let mut moved: HashMap<usize, usize> = HashMap::new();
        for (_, map) in maps {
            if self.nodes.len() - self.free.len() <= self.room / 2 {
                break;
            }
            // A node that was merged has no children any more.
            if self.keys_of(map).len() > 1 {
                moved.extend(self.collapse(map, MergeReason::Paths).1);
            }
        }
        for open in &mut self.open {
            while let Some(&node) = moved.get(&open.node) {
                open.node = node;
            }
        }
        // A node may be used again from here on: open containers hold none that is free.
        self.free.sort_unstable();
        // The next search would find as little, and would take as long.
        self.is_stuck = self.free.len() < self.room / 4;
    }

    fn is_full(&self) -> bool {
        self.nodes.len() - self.free.len() >= self.room
    }

    /// Returns the children of a node that are entries.
    fn keys_of(&self, node: usize) -> Vec<(String, usize)> {
        let mut keys: Vec<(String, usize)> = self.nodes[node]
            .children
            .iter()
            .filter(|(step, _)| *step != ELEMENTS && *step != ENTRIES)
            .map(|(step, &node)| (step.clone(), node))
            .collect();
        keys.sort_unstable();
        keys
    }

    /// Makes the keys of a map one path. Returns its node, and into which nodes others were merged.
    fn collapse(&mut self, map: usize, reason: MergeReason) -> (usize, Vec<(usize, usize)>) {
        self.nodes[map].merged.get_or_insert(reason);
        let mut moved = Vec::new();
        let mut all = self.nodes[map].children.get(ENTRIES).copied();
        for (step, node) in self.keys_of(map) {
            self.nodes[map].children.remove(&step);
            match all {
                Some(all) => self.merge(node, all, &mut moved),
                None => {
                    ENTRIES.clone_into(&mut self.nodes[node].step);
                    self.nodes[map].children.insert(ENTRIES.to_owned(), node);
                    all = Some(node);
                }
            }
        }
        (all.unwrap_or_else(|| self.add(map, ENTRIES.to_owned())), moved)
    }

    fn add(&mut self, parent: usize, step: String) -> usize {
        let new = PatternNode {
            step: step.clone(),
            parent,
            depth: self.nodes[parent].depth + 1,
            ..PatternNode::default()
        };
        let node = self.free.pop().unwrap_or(self.nodes.len());
        if node == self.nodes.len() {
            self.nodes.push(new);
        } else {
            self.nodes[node] = new;
        }
        self.nodes[parent].children.insert(step, node);
        node
    }

    /// Adds one node, with its children, to another.
    fn merge(&mut self, from: usize, to: usize, moved: &mut Vec<(usize, usize)>) {
        let mut pairs = vec![(from, to)];
        while let Some((from, to)) = pairs.pop() {
            let old = std::mem::take(&mut self.nodes[from]);
            self.free.push(from);
            moved.push((from, to));
            let new = &mut self.nodes[to];
            new.count += old.count;
            new.own += old.own;
            new.keys += old.keys;
            new.types |= old.types;
            new.merged = new.merged.or(old.merged);
            let mut children: Vec<(String, usize)> = old.children.into_iter().collect();
            children.sort_unstable();
            for (step, child) in children {
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

    /// Returns what was merged, as sentences for readers. Empty means that all paths are told apart.
    #[must_use]
    pub fn merges(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        let (wide, wide_example) = self.merged_for(MergeReason::Keys);
        if wide > 0 {
            sentences.push(format!(
                "The keys of a map with more than {STATS_KEYS} distinct keys are shown as .*: {}",
                example(wide, &wide_example)
            ));
        }
        let (deep, deep_example) = self.merged_for(MergeReason::Paths);
        if deep > 0 {
            sentences.push(format!(
                "There are more than {} paths. The keys of deep maps with many keys are shown as .*: {}",
                self.room,
                example(deep, &deep_example)
            ));
        }
        if self.folded {
            sentences
                .push("Some deep values have no path of their own and count with the container around them".to_owned());
        }
        sentences
    }

    /// Returns how many maps were merged for a reason, and the path of the one with the most values.
    fn merged_for(&self, reason: MergeReason) -> (u64, String) {
        let maps = || {
            (0..self.nodes.len()).filter(|&node| self.nodes[node].merged == Some(reason) && self.nodes[node].count > 0)
        };
        let first = maps().max_by_key(|&node| (self.nodes[node].count, std::cmp::Reverse(node)));
        (
            maps().count() as u64,
            first.map(|node| self.path(node)).unwrap_or_default(),
        )
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

/// Returns `$.a, and 3 other paths`.
fn example(count: u64, path: &str) -> String {
    let path = path::cut(path);
    match count - 1 {
        0 => path.into_owned(),
        others => format!("{path}, and {}", counted(others, "other path")),
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

#[cfg(test)]
mod tests {
    use super::*;
    use packord::Walker;

    fn tree(room: usize, json: &str) -> PathTree {
        let bytes = packord::notation::parse(json).unwrap();
        let mut tree = PathTree {
            room,
            ..PathTree::default()
        };
        let mut walker = Walker::new(&bytes);
        while let Some(event) = walker.next().unwrap() {
            tree.event(&event);
        }
        let total: u64 = tree.nodes.iter().map(|node| node.own + node.keys).sum();
        assert_eq!(total, bytes.len() as u64);
        tree
    }

    fn shown(tree: &PathTree) -> Vec<String> {
        tree.paths().into_iter().map(|one| one.path).collect()
    }

    #[test]
    fn open_maps_that_are_merged_count_on_in_their_new_place() {
        let maps: Vec<String> = (0..20)
            .map(|map| format!(r#""m{map}":{{"x":{{"k{map}":1}},"y":{{"k":[1,2]}}}}"#))
            .collect();
        let tree = tree(30, &format!("{{{},\"end\":1}}", maps.join(",")));
        assert!(tree.nodes.len() <= 31, "{}", tree.nodes.len());
        let paths = shown(&tree);
        assert!(paths.iter().all(|path| path.starts_with('$')), "{paths:?}");
        let merges = tree.merges();
        assert_eq!(merges.len(), 1, "{merges:?}");
        assert!(merges[0].starts_with("There are more than 30 paths."), "{merges:?}");
    }

    #[test]
    fn the_path_of_a_deep_map_is_cut_in_sentences() {
        let mut text = (0..300)
            .map(|key| format!("\"k{key}\": 1"))
            .collect::<Vec<_>>()
            .join(",");
        for _ in 0..400 {
            text = format!("\"n\":{{{text}}}");
        }
        let tree = tree(STATS_PATHS, &format!("{{{text}}}"));
        let merges = tree.merges();
        assert!(merges[0].ends_with(".n…") || merges[0].ends_with(".…"), "{merges:?}");
        assert!(merges[0].len() < 400, "{merges:?}");
    }

    #[test]
    fn paths_without_keys_to_merge_are_limited_too() {
        // Each level is an array of an array and a map with one key: twice as many paths a level.
        let mut text = "0".to_owned();
        for _ in 0..8 {
            text = format!(r#"[[{text}],{{"a":{text}}}]"#);
        }
        let tree = tree(50, &text);
        assert!(tree.nodes.len() <= 50, "{}", tree.nodes.len());
        assert!(tree.folded && tree.merges()[0].starts_with("Some deep values"));
    }
}
