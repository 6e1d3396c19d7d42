//! Values as text: JSON or diagnostic notation, event by event.

use packord::{Container, Event, Role, Structure, Token, notation};

use crate::cli::TextFormat;
use crate::failure::Outcome;
use crate::json::write::{Refused, Style, Writer};
use crate::output::Output;

/// Text that is collected until it is worth writing.
pub enum Text {
    /// JSON, each top-level value on a line.
    Json(Writer),
    /// Diagnostic notation.
    Notation(notation::Writer<String>),
}

impl Text {
    /// A text with nothing in it.
    #[must_use]
    pub fn new(format: TextFormat, style: Style) -> Text {
        match format {
            TextFormat::Diag => Text::Notation(
                notation::Writer::new(String::new())
                    .records(style.records)
                    .pretty(style.pretty),
            ),
            TextFormat::Json => Text::Json(Writer::new(style)),
        }
    }

    /// Adds what the event says.
    ///
    /// # Errors
    ///
    /// In strict style, what JSON cannot say.
    pub fn event(&mut self, event: &Event<'_>) -> Result<(), Refused> {
        match self {
            Text::Json(writer) => writer.event(event),
            Text::Notation(writer) => {
                // A String takes every text.
                let _ = writer.event(event);
                Ok(())
            }
        }
    }

    /// How much there is.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Text::Json(writer) => writer.out.len(),
            Text::Notation(writer) => writer.get_ref().len(),
        }
    }

    /// Whether there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes back what was added since there was so much.
    pub fn truncate(&mut self, len: usize) {
        match self {
            Text::Json(writer) => writer.out.truncate(len),
            Text::Notation(writer) => writer.get_mut().truncate(len),
        }
    }

    /// Adds something between values.
    pub fn push_str(&mut self, text: &str) {
        match self {
            Text::Json(writer) => writer.out.extend_from_slice(text.as_bytes()),
            Text::Notation(writer) => writer.get_mut().push_str(text),
        }
    }

    /// Ends the last line, if the format has not ended it.
    pub fn end(&mut self) {
        if let Text::Notation(writer) = self {
            if !writer.get_ref().is_empty() && !writer.get_ref().ends_with('\n') {
                writer.get_mut().push('\n');
            }
        }
    }

    /// Adds a line of bytes as they are; notation takes text only.
    pub fn push_line(&mut self, bytes: &[u8]) {
        match self {
            Text::Json(writer) => writer.out.extend_from_slice(bytes),
            Text::Notation(writer) => writer.get_mut().push_str(&String::from_utf8_lossy(bytes)),
        }
        self.push_str("\n");
    }

    /// Writes out what there is.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn drain_into(&mut self, output: &mut Output) -> Outcome {
        match self {
            Text::Json(writer) => {
                output.put(&writer.out)?;
                writer.out.clear();
            }
            Text::Notation(writer) => {
                output.put(writer.get_ref().as_bytes())?;
                writer.get_mut().clear();
            }
        }
        Ok(())
    }
}

/// Turns the events of records into those of maps, so that what is shown needs no definition.
#[derive(Default)]
pub struct PlainMaps {
    /// The open containers; of records the structure and how many fields have begun.
    open: Vec<Option<(Structure, usize)>>,
}

impl PlainMaps {
    /// Gives what stands for the event to `take`. The events must be those of whole values.
    pub fn event(&mut self, event: &Event<'_>, mut take: impl FnMut(&Event<'_>)) {
        let mut event = event.clone();
        if let Token::End(kind) = event.token {
            if kind == Container::Record {
                event.token = Token::End(Container::Map);
            }
            self.open.pop();
            if let Some(Some(_)) = self.open.last() {
                event.role = Role::Value;
            }
            return take(&event);
        }
        if let Some(Some((structure, begun))) = self.open.last_mut() {
            let name = structure.key(*begun).unwrap_or_default();
            *begun += 1;
            let packed = packord::to_vec(&packord::Value::from(name)).unwrap_or_default();
            let mut key = event.clone();
            key.bytes = &packed;
            key.role = Role::Key;
            key.token = Token::Str(name);
            take(&key);
            event.role = Role::Value;
        }
        match &event.token {
            Token::Record(head) => {
                let structure = head.structure.clone();
                let count = structure.len();
                let mut header = packord::encode::Packer::new(Vec::new());
                // A structure has fewer keys than a map can have.
                let _ = header.map(count);
                let header = header.into_buffer();
                event.token = Token::Map(count);
                event.bytes = &header;
                take(&event);
                self.open.push(Some((structure, 0)));
            }
            token => {
                let opens = token.opens();
                take(&event);
                if opens {
                    self.open.push(None);
                }
            }
        }
    }
}
