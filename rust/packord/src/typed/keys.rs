//! What derived code calls for fields whose keys are integers: in maps, and as positions in arrays.
//! Not meant for other code, and not stable.

use super::detail::{Detail, Found};
use super::fields::Fields;
use super::reader::Open;
use super::state::{Failed, Step};
use super::{Cursor, Reader};
use crate::error::ErrorKind;

#[doc(hidden)]
impl<'de> Reader<'de> {
    /// Takes the key of the entry at `index` if it is this integer, given as its bytes.
    #[inline(always)]
    pub fn expect_integer<const N: usize>(
        &mut self,
        cursor: &mut Cursor<'de>,
        fields: &Fields,
        index: usize,
        bytes: &[u8; N],
    ) -> bool {
        !fields.is_record() && index < fields.count() && cursor.take_all_if(bytes)
    }

    /// Reads the key of the entry at `index` if it is an integer of 64 bits.
    #[inline(never)]
    pub fn integer_key(&mut self, fields: &Fields, index: usize) -> Result<Option<i64>, Failed> {
        if fields.is_record() || Found::at(self.rest()) != Found::Integer {
            return Ok(None);
        }
        let place = self.place();
        let after = fields.after(index) + 1;
        let key = self.part(&fields.open, after, false, Step::Same, Reader::int_128);
        if let Some(key) = key.ok().and_then(|key| i64::try_from(key).ok()) {
            return Ok(Some(key));
        }
        // Whatever else it is, its fault is found where all other keys are read.
        self.restore(place);
        Ok(None)
    }

    /// Skips the value of the entry at `index`, whose key is an integer that is not a field, or
    /// fails if `deny` is set.
    #[cold]
    #[inline(never)]
    pub fn unknown_integer(
        &mut self,
        fields: &Fields,
        index: usize,
        key_at: usize,
        deny: bool,
    ) -> Result<(), Failed> {
        if deny {
            return Err(self.fail_with(ErrorKind::TypeMismatch, key_at, Detail::UnknownKey));
        }
        self.field(fields, index, false, Step::Key(key_at), Reader::skip)
    }

    /// Skips the elements of an array that belong to no field.
    #[inline(never)]
    pub fn gap(
        &mut self,
        cursor: &mut Cursor<'de>,
        open: &Open,
        from: usize,
        to: usize,
    ) -> Result<(), Failed> {
        self.go_on(*cursor);
        self.skip_elements(open, from, to.min(open.count()))?;
        *cursor = self.cursor();
        Ok(())
    }

    pub(super) fn skip_elements(
        &mut self,
        open: &Open,
        from: usize,
        to: usize,
    ) -> Result<(), Failed> {
        for index in from..to {
            let after = open.count() - index - 1;
            self.part(open, after, false, Step::Index(index), Reader::skip)?;
        }
        Ok(())
    }
}
