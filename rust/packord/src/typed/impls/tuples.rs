//! Tuples: arrays with one element for each member.

use super::bound_of_levels;
use crate::error::ErrorKind;
use crate::typed::detail::Detail;
use crate::typed::raw::{Field, ListHead, write_fields};
use crate::typed::reader::member;
use crate::typed::state::Step;
use crate::typed::{Cursor, Failed, Packable, Reader, Unpackable, UnpackableBorrowed, Writer};

macro_rules! list {
    () => { () };
    (($name:ident $index:tt) $($rest:tt)*) => { (Field($name), list!($($rest)*)) };
}

macro_rules! read_tuple {
    ([$($de:lifetime)?] $trait:path, $reader:ty, $cursor:ty, $count:literal: $($name:ident $index:tt),+) => {
        impl<$($de,)? $($name: $trait),+> $trait for ($($name,)+) {
            const MIN_LEN: usize = 1 $(+ $name::MIN_LEN)+;

            /// Reads a tuple of plain values in their usual encodings.
            #[inline(always)]
            fn quick(cursor: &mut $cursor) -> Option<Self> {
                if !($($name::LEAF)&&+) || !cursor.take_array($count) {
                    return None;
                }
                Some(($($name::quick(cursor)?,)+))
            }

            #[inline]
            #[allow(non_snake_case, reason = "members are named after their types")]
            fn unpack_from(reader: &mut $reader) -> Result<Self, Failed> {
                let start = reader.position();
                let open = reader.array()?;
                if open.count() != $count {
                    let detail = Detail::TupleLength($count, open.count());
                    return Err(reader.fail_with(ErrorKind::TypeMismatch, start, detail));
                }
                let mut cursor = reader.cursor();
                $(let $name = member(
                    reader,
                    &mut cursor,
                    &open,
                    $count - $index - 1,
                    $name::LEAF,
                    || Step::Index($index),
                    |cursor| $name::quick(cursor),
                    $name::unpack_from,
                )?;)+
                reader.go_on(cursor);
                reader.close(open);
                Ok(($($name,)+))
            }
        }
    };
}

macro_rules! tuples {
    ($($count:literal: $($name:ident $index:tt),+;)*) => {$(
        impl<$($name: Packable),+> Packable for ($($name,)+) {
            #[inline]
            #[allow(non_snake_case, reason = "members are named after their types")]
            fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
                let ($($name,)+) = self;
                writer.nested(|writer| write_fields!(writer, (ListHead(&[0x90 | $count]), list!($(($name $index))+)), &[Step::Same $(, Step::Index($index))+]))
            }

            bound_of_levels!();

            #[inline]
            fn packed_len_bound_within(&self, levels: u32) -> usize {
                1_usize $(.wrapping_add(self.$index.packed_len_bound_within(levels)))+
            }
        }

        read_tuple!([] Unpackable, Reader<'_>, Cursor<'_>, $count: $($name $index),+);
        read_tuple!(['de] UnpackableBorrowed<'de>, Reader<'de>, Cursor<'de>, $count: $($name $index),+);
    )*};
}

tuples! {
    1: A 0;
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
    5: A 0, B 1, C 2, D 3, E 4;
    6: A 0, B 1, C 2, D 3, E 4, F 5;
    7: A 0, B 1, C 2, D 3, E 4, F 5, G 6;
    8: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7;
    9: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8;
    10: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9;
    11: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10;
    12: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11;
}
