//! Values as text, in JSON or diagnostic notation, event by event.

use packord::{Event, notation};

use crate::failure::Outcome;
use crate::json::write::{JsonWriteOptions, JsonWriter, NotJson};
use crate::output::Output;

/// Text that is collected until it is written.
pub enum TextOutput {
    /// JSON, one top-level value per line.
    Json(JsonWriter),
    /// Diagnostic notation.
    Notation {
        /// The writer.
        writer: notation::NotationWriter<String>,
        /// Whether the last line has ended.
        ended: bool,
    },
}

impl TextOutput {
    /// Creates an empty text in JSON.
    #[must_use]
    pub fn json(style: JsonWriteOptions) -> TextOutput {
        TextOutput::Json(JsonWriter::new(style))
    }

    /// Creates an empty text in diagnostic notation. Values that are stored by column are `columns(…)` if
    /// `expand_columns` says so, else an ext.
    #[must_use]
    pub fn notation(style: JsonWriteOptions, expand_columns: bool) -> TextOutput {
        TextOutput::Notation {
            writer: notation::NotationWriter::new(String::new())
                .records(style.records)
                .columns(expand_columns)
                .pretty(style.pretty),
            ended: false,
        }
    }

    /// Adds an event.
    ///
    /// # Errors
    ///
    /// With `strict`, values that JSON does not have.
    pub fn event(&mut self, event: &Event<'_>) -> Result<(), NotJson> {
        match self {
            TextOutput::Json(writer) => writer.event(event),
            TextOutput::Notation { writer, ended } => {
                let start = writer.get_ref().len();
                // Writing to a String does not fail.
                let _ = writer.event(event);
                // The writer begins a line with each message but the first.
                if std::mem::take(ended) && writer.get_ref()[start..].starts_with('\n') {
                    writer.get_mut().remove(start);
                }
                Ok(())
            }
        }
    }

    /// Returns the length of the output in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            TextOutput::Json(writer) => writer.out.len(),
            TextOutput::Notation { writer, .. } => writer.get_ref().len(),
        }
    }

    /// Returns whether the output is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Cuts the output to a length.
    pub fn truncate(&mut self, len: usize) {
        match self {
            TextOutput::Json(writer) => writer.out.truncate(len),
            TextOutput::Notation { writer, .. } => writer.get_mut().truncate(len),
        }
    }

    /// Adds a string between values.
    pub fn push_str(&mut self, text: &str) {
        match self {
            TextOutput::Json(writer) => writer.out.extend_from_slice(text.as_bytes()),
            TextOutput::Notation { writer, .. } => writer.get_mut().push_str(text),
        }
    }

    /// Ends the last line, unless it has ended.
    pub fn end(&mut self) {
        if let TextOutput::Notation { writer, ended } = self
            && !writer.get_ref().is_empty()
            && !writer.get_ref().ends_with('\n')
        {
            writer.get_mut().push('\n');
            *ended = true;
        }
    }

    /// Adds a line of unchanged bytes. In notation, ill-formed UTF-8 becomes U+FFFD.
    pub fn push_line(&mut self, bytes: &[u8]) {
        match self {
            TextOutput::Json(writer) => writer.out.extend_from_slice(bytes),
            TextOutput::Notation { writer, .. } => {
                writer.get_mut().push_str(&String::from_utf8_lossy(bytes));
            }
        }
        self.push_str("\n");
    }

    /// Writes the collected output and clears it.
    ///
    /// # Errors
    ///
    /// Write errors.
    pub fn drain_into(&mut self, output: &mut Output) -> Outcome {
        match self {
            TextOutput::Json(writer) => {
                output.put(&writer.out)?;
                writer.out.clear();
            }
            TextOutput::Notation { writer, .. } => {
                output.put(writer.get_ref().as_bytes())?;
                writer.get_mut().clear();
            }
        }
        Ok(())
    }
}
