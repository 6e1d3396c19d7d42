//! Paths and the strings of the operating system.

use super::{packable_as_inner, unpackable, unpackable_borrowed};
use crate::error::ErrorKind;
use crate::typed::detail::Detail;
use crate::typed::{Failed, Packable, Writer};
use alloc::boxed::Box;
use std::path::{Path, PathBuf};

/// A str. A path that is not UTF-8 is `unsupported_type`.
impl Packable for Path {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        match self.to_str() {
            Some(text) => writer.str(text),
            None => Err(writer.fail_with(ErrorKind::UnsupportedType, Detail::Words("the path is not valid UTF-8"))),
        }
    }

    fn packed_len_bound(&self) -> usize {
        self.as_os_str().len() + 5
    }
}

packable_as_inner!([] PathBuf, Path, |path| path);
unpackable!([] PathBuf, leaf true, min_len 1, |reader| Ok(PathBuf::from(reader.str()?)));
unpackable!([] Box<Path>, leaf true, min_len 1, |reader| Ok(Path::new(reader.str()?).into()));

unpackable_borrowed!(&'a Path, min_len 1, str Path::new);

/// The name under which serde keeps the strings of this system, and their form.
#[cfg(any(unix, windows))]
mod os {
    use super::super::forms::{read_variant, write_variant};
    use super::*;
    use crate::typed::Unpackable;
    use crate::typed::derived::Via;
    use alloc::string::String;
    use alloc::vec::Vec;
    use std::ffi::{OsStr, OsString};

    #[cfg(unix)]
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    #[cfg(windows)]
    use std::os::windows::ffi::{OsStrExt, OsStringExt};

    #[cfg(unix)]
    const NAME: &str = "Unix";
    #[cfg(windows)]
    const NAME: &str = "Windows";
    #[cfg(unix)]
    type Unit = u8;
    #[cfg(windows)]
    type Unit = u16;

    #[cfg(unix)]
    fn units(text: &OsStr) -> impl Iterator<Item = Unit> {
        text.as_bytes().iter().copied()
    }

    #[cfg(windows)]
    fn units(text: &OsStr) -> impl Iterator<Item = Unit> {
        text.encode_wide()
    }

    #[cfg(unix)]
    fn from_units(units: Vec<Unit>) -> OsString {
        OsString::from_vec(units)
    }

    #[cfg(windows)]
    fn from_units(units: Vec<Unit>) -> OsString {
        OsString::from_wide(&units)
    }

    /// A map from the name of the system to an array of the units of the string.
    impl Packable for OsStr {
        fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
            let array = Via(|writer: &mut Writer<'_>| {
                writer.nested(|writer| {
                    writer.array_header(units(self).count())?;
                    units(self).try_for_each(|unit| unit.pack_into(writer))
                })
            });
            write_variant(writer, NAME, &array)
        }

        fn packed_len_bound(&self) -> usize {
            16 + 3 * self.len()
        }
    }

    packable_as_inner!([] OsString, OsStr, |text| text);

    // From the same, from a bin of the units, or from a str.
    unpackable!([] OsString, leaf false, min_len 1, |reader| {
        if reader.at_str()? {
            return Ok(String::from(reader.str()?).into());
        }
        read_variant(reader, [NAME], |reader, _| {
            <Vec<Unit> as Unpackable>::unpack_from(reader).map(from_units)
        })
    });
}
