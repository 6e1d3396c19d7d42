//! The tests of the crate, as one program: each would take seconds to link.

#[path = "../support/counting.rs"]
mod counting;
#[path = "../support/shapes.rs"]
mod shapes;
#[path = "../support/small_stacks.rs"]
mod small_stacks;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/tables.rs"]
mod tables;

mod bounds;
mod circles;
mod codec;
mod columns;
mod columns_arrow;
mod columns_view;
mod columns_write;
mod container;
mod container_hostile;
mod container_pipes;
mod container_properties;
mod container_repair;
mod container_select;
mod container_vectors;
mod derive_agree;
mod derive_memory;
mod document;
mod duplicate_keys;
mod futures;
mod glob;
mod guide;
mod lone_values;
mod parallel;
mod ported;
mod rooms;
mod serde_memory;
mod value_change;
mod walk_reader;
mod wrong_lengths;
