//! A build without the feature `json-schema` has no `validate --schema`.

use std::path::Path;

use packord::{DecodeOptions, Event};

use crate::failure::{Failure, Outcome};
use crate::messages::MessageFailure;

/// Stands for `against::SchemaCheck`.
pub enum SchemaCheck {}

impl SchemaCheck {
    /// Fails.
    pub fn new(_file: &Path, _options: DecodeOptions) -> Outcome<SchemaCheck> {
        Err(Failure::built_without("json-schema"))
    }

    /// Is never called.
    pub fn message(
        &mut self,
        _bytes: &[u8],
        _number: u64,
        _start: u64,
        _take: impl FnMut(&Event<'_>),
    ) -> Result<(), MessageFailure> {
        match *self {}
    }

    /// Is never called.
    pub fn end(self) -> Outcome {
        match self {}
    }
}
