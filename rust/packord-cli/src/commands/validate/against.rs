//! `validate --schema`: what does not match a JSON Schema, with path and offset.

use std::fs;
use std::path::Path;

use jsonschema::Validator;
use jsonschema::paths::{Location, LocationSegment};
use packord::document::{Node, NodeKey};
use packord::{DecodeOptions, Event, Walker};

use crate::failure::{Failure, Outcome, name_of};
use crate::json::conventions;
use crate::json::write::{JsonWriteOptions, JsonWriter};
use crate::limits::FAULTS;
use crate::messages::MessageFailure;
use crate::values::path;

/// A schema, and what did not match it.
pub struct SchemaCheck {
    validator: Validator,
    options: DecodeOptions,
    json: JsonWriter,
    faults: Vec<String>,
}

impl SchemaCheck {
    /// Reads a schema. References to other files and to the network are refused.
    pub fn new(file: &Path, options: DecodeOptions) -> Outcome<SchemaCheck> {
        let name = name_of(file);
        let text = fs::read(file).map_err(|error| Failure::input(&name, &error))?;
        let schema =
            serde_json::from_slice(&text).map_err(|error| Failure::Usage(format!("--schema: {name}: {error}")))?;
        let validator = jsonschema::options()
            .should_validate_formats(true)
            .build(&schema)
            .map_err(|error| Failure::Usage(format!("--schema: {name}: {error}")))?;
        Ok(SchemaCheck {
            validator,
            options,
            json: JsonWriter::new(JsonWriteOptions::default()),
            faults: Vec::new(),
        })
    }

    /// Checks a message, and passes its events to `take`.
    pub fn message(
        &mut self,
        bytes: &[u8],
        number: u64,
        start: u64,
        mut take: impl FnMut(&Event<'_>),
    ) -> Result<(), MessageFailure> {
        self.json.out.clear();
        let mut walker = Walker::with_options(bytes, &self.options);
        while let Some(event) = walker.next()? {
            take(&event);
            // Without `strict` nothing is refused.
            let _ = self.json.event(&event);
        }
        let json = serde_json::from_slice(&self.json.out).map_err(|error| {
            let place = format!("at byte {start} ({})", path::root(number));
            Failure::Invalid(format!("a message cannot be compared with a schema {place}: {error}"))
        })?;
        let mut document = None;
        for error in self.validator.iter_errors(&json) {
            if self.faults.len() == FAULTS {
                break;
            }
            let document = match &mut document {
                Some(document) => document,
                document @ None => document.insert(self.options.document(bytes)?),
            };
            let (place, offset) = locate(document.root(), error.instance_path(), path::root(number));
            let text = error.to_string();
            self.faults.push(format!(
                "byte {} ({}): {}",
                start + offset as u64,
                path::cut(&place),
                path::cut(&text)
            ));
        }
        Ok(())
    }

    /// Returns what did not match.
    pub fn end(self) -> Outcome {
        match &self.faults[..] {
            [] => Ok(()),
            faults => {
                let more = if faults.len() == FAULTS {
                    "\n  and perhaps more"
                } else {
                    ""
                };
                Err(Failure::No(format!(
                    "the data does not match the schema\n  {}{more}",
                    faults.join("\n  ")
                )))
            }
        }
    }
}

/// Returns the path and the offset of a place in the JSON of a message. Objects that stand for a value that
/// JSON does not have are that value.
fn locate(root: Node<'_, '_>, location: &Location, mut place: String) -> (String, usize) {
    let mut node = root;
    for segment in location {
        let inner = match &segment {
            LocationSegment::Index(index) if node.is_array() => {
                place.push_str(&format!("[{index}]"));
                node.elements().nth(*index)
            }
            LocationSegment::Property(name) if node.is_map() => {
                // Of two entries with one key, the last one counts.
                let entries = node.entries().filter(|(key, _)| json_key(*key) == *name);
                entries.last().map(|(key, value)| {
                    match key.as_other() {
                        Some(key) => path::push_key(&mut place, key.bytes()),
                        None => path::push_name(&mut place, key.as_str().unwrap_or_default()),
                    }
                    value
                })
            }
            _ => None,
        };
        match inner {
            Some(inner) => node = inner,
            None => break,
        }
    }
    (place, node.offset())
}

/// Returns a key as `unpack` writes it.
fn json_key(key: NodeKey<'_, '_>) -> String {
    match key.as_other() {
        Some(key) => {
            let notation = packord::notation::to_text(key.bytes()).unwrap_or_default();
            format!("{}{notation}", conventions::KEY)
        }
        None => conventions::escape(key.as_str().unwrap_or_default()).into_owned(),
    }
}
