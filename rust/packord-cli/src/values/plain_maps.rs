//! Records as maps: for readers that know no definitions.

use packord::wire::marker;
use packord::{Container, Event, Role, Structure, Token, record};

/// Turns the events of records into events of maps, so that the output needs no definitions.
#[derive(Default)]
pub struct PlainMaps {
    /// Whether records are on, where integers from 64 to 127 take a byte more than in plain messages.
    pub has_records: bool,
    /// The open containers: for a record its structure and the number of fields that have begun.
    open: Vec<Option<(Structure, usize)>>,
}

impl PlainMaps {
    /// Calls `take` with the events that replace this one. The events must form complete values.
    pub fn event(&mut self, event: &Event<'_>, mut take: impl FnMut(&Event<'_>)) {
        let mut event = event.clone();
        if let [marker::UINT8, id] = event.bytes
            && self.has_records
            && record::is_id(*id)
        {
            event.bytes = &event.bytes[1..];
        }
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
