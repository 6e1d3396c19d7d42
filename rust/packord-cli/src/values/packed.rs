//! Values in MessagePack, one after another.

use packord::Value;
use packord::columns::{self, Columns};
use packord::wire::{Head, Kind, skip};

/// Values, each plain: without records and columns.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PackedValues {
    bytes: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
}

impl PackedValues {
    /// Returns the elements of an array, which can be stored by column.
    ///
    /// # Errors
    ///
    /// The columns are malformed.
    pub fn of_array(mut message: Vec<u8>) -> packord::Result<PackedValues> {
        if let Some(head) = Head::at(&message, 0) {
            let payload = message.get(head.end..).unwrap_or_default();
            if head.ext_type == Some(columns::EXT_TYPE)
                && let Some(columns) = Columns::open(payload)?
            {
                let mut plain = Vec::new();
                columns.expand_into(&mut plain)?;
                message = plain;
            }
        }
        let mut values = PackedValues::default();
        values.push_all(&message);
        Ok(values)
    }

    /// Adds a value, which must be valid.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.ends.push(self.bytes.len());
    }

    /// Adds the elements of an array, or a value that is none. It must be valid.
    pub fn push_all(&mut self, bytes: &[u8]) {
        let Some(head) = Head::at(bytes, 0).filter(|head| head.kind == Kind::Array) else {
            return self.push(bytes);
        };
        let mut at = head.end;
        while let Some(end) = skip(bytes, at) {
            self.push(&bytes[at..end]);
            at = end;
        }
    }

    /// Packs a value and adds it.
    ///
    /// # Errors
    ///
    /// It cannot be packed. Nothing is added then.
    pub fn pack(&mut self, value: &Value) -> packord::Result<()> {
        self.add(|bytes| packord::EncodeOptions::new().encode_into(value, bytes))
    }

    /// Adds the value whose bytes are added to those before.
    ///
    /// # Errors
    ///
    /// Those of `write`. Nothing is added then.
    pub fn add<T, E>(&mut self, write: impl FnOnce(&mut Vec<u8>) -> Result<T, E>) -> Result<T, E> {
        let len = self.bytes.len();
        let written = write(&mut self.bytes);
        match &written {
            Ok(_) => self.ends.push(self.bytes.len()),
            Err(_) => self.bytes.truncate(len),
        }
        written
    }

    /// Returns their number.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the number of their bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the values.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        let places = starts.zip(&self.ends);
        places.map(|(start, &end)| self.bytes.get(start..end).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_elements_of_an_array_are_values_of_their_own() {
        let rows: Value = (0..300).map(|i| Value::from([("id", i)])).collect();
        for by_column in [false, true] {
            let options = packord::EncodeOptions::new().columns(by_column);
            let values = PackedValues::of_array(options.encode(&rows).unwrap()).unwrap();
            assert_eq!(values.iter().count(), 300);
            assert_eq!(values.iter().nth(7), Some(&b"\x81\xa2id\x07"[..]));
            assert_eq!(values.size(), values.iter().map(<[u8]>::len).sum::<usize>());
        }
        let one = PackedValues::of_array(b"\xa1x".to_vec()).unwrap();
        assert_eq!(one.iter().collect::<Vec<_>>(), [b"\xa1x"]);
        assert_eq!(PackedValues::of_array(b"\x90".to_vec()).unwrap().iter().count(), 0);
    }
}
