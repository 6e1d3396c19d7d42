//! Builds values from events.

use packord::{Event, Ext, Token, Value};

/// Collects the events of a value until it is complete.
#[derive(Default)]
pub struct ValueBuilder {
    open: Vec<OpenValue>,
}

enum OpenValue {
    Array(Vec<Value>),
    /// The entries, and the key that waits for its value.
    Map(Vec<(Value, Value)>, Option<Value>),
    Record(packord::Structure, Vec<(Value, Value)>),
}

impl ValueBuilder {
    /// Takes the next event, and returns the top-level value when it is complete. A str that is not
    /// UTF-8 becomes bytes.
    pub fn event(&mut self, event: &Event<'_>) -> Option<Value> {
        let mut value = match &event.token {
            Token::Nil => Value::Nil,
            Token::Bool(value) => Value::Bool(*value),
            Token::Int(value) => Value::Int(*value),
            Token::F32(value) => Value::F32(*value),
            Token::F64(value) => Value::F64(*value),
            Token::Str(text) => Value::Str((*text).into()),
            Token::BrokenStr(bytes) | Token::Bin(bytes) => Value::Bin((*bytes).into()),
            Token::Ext(kind, payload) => Value::Ext(Ext::new(*kind, payload)),
            Token::Timestamp(time) => Value::Timestamp(*time),
            // The announced count is not trusted: the elements are added as they come.
            Token::Array(_) => return self.opened(OpenValue::Array(Vec::new())),
            Token::Map(_) => return self.opened(OpenValue::Map(Vec::new(), None)),
            Token::Record(head) => {
                return self.opened(OpenValue::Record(head.structure.clone(), Vec::new()));
            }
            _ => match self.open.pop()? {
                OpenValue::Array(elements) => Value::Array(elements.into()),
                OpenValue::Map(entries, _) | OpenValue::Record(_, entries) => Value::Map(entries.into()),
            },
        };
        match self.open.last_mut() {
            None => return Some(value),
            Some(OpenValue::Array(elements)) => elements.push(value),
            Some(OpenValue::Map(entries, key)) => match key.take() {
                Some(key) => entries.push((key, value)),
                None => *key = Some(value),
            },
            Some(OpenValue::Record(structure, entries)) => {
                let name = structure.key(entries.len()).unwrap_or_default();
                entries.push((Value::from(name), std::mem::take(&mut value)));
            }
        }
        None
    }

    fn opened(&mut self, open: OpenValue) -> Option<Value> {
        self.open.push(open);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_the_value_that_the_decoder_reads() {
        let bytes = b"\x82\xa1a\x93\xc0\xc3\x80\x05\xd4\x72\x40\x92\xa1x\xa1y\x01\x90";
        let options = packord::DecodeOptions::new().records(true);
        let mut walker = packord::Walker::with_options(bytes, &options);
        let (mut builder, mut built) = (ValueBuilder::default(), None);
        while let Some(event) = walker.next().unwrap() {
            built = builder.event(&event);
        }
        assert_eq!(built, Some(options.decode(bytes).unwrap()));
    }
}
