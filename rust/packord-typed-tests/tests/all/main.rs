//! Tests that derive types, as one program: each would take seconds to link.

#[path = "../support/round_trip.rs"]
mod round_trip;
#[path = "../support/small_stacks.rs"]
mod small_stacks;
#[path = "../support/mod.rs"]
mod support;

mod after_errors;
mod api;
mod derive_forms;
mod derive_records;
mod derive_std;
mod derive_types;
mod error_messages;
mod first_fault;
mod from_rmp_serde;
mod io_deserializer;
mod io_serializer;
mod one_behaviour;
mod one_message;
mod options;
mod other_forms;
mod raw_message;
mod rmp_interop;
mod serde_data;
mod serde_errors;
mod serde_types;
mod serde_writes;
mod two_paths;
mod typed_crates;
mod typed_records;
mod typed_streams;
mod typed_vectors;
