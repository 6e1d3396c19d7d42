//! The tests of the tool, as one program: each would take seconds to link.

#[path = "../support/mod.rs"]
mod support;
#[path = "../tool/mod.rs"]
mod tool;

mod arrow;
mod by_task;
mod choose;
mod columns;
mod compare;
mod container;
mod container_faults;
mod container_index;
mod container_inputs;
mod container_parts;
mod container_select;
mod dialects;
mod floats;
mod json;
mod modules;
mod notation;
mod odd_files;
mod pages;
mod picture;
mod pipes;
mod process;
mod query;
mod questions;
mod real_data;
mod schema;
mod terminal;
mod vectors;
