//! `use packord::*` and the prelude hide nothing of the standard library's prelude: this compiles.

mod all {
    use packord::*;

    /// Every name of the standard prelude that is a type, a trait or a function.
    #[allow(clippy::unnecessary_wraps, reason = "as many names as possible")]
    pub fn names() -> Result<(Option<String>, Vec<Box<str>>), String> {
        fn bounds<T: Send + Sync + Sized + Unpin + Clone + PartialEq + PartialOrd + Eq + Ord + Default>(value: T) -> T {
            value
        }
        fn convert<A: AsRef<str> + Into<String> + ToString + ToOwned>(value: A) -> String {
            value.into()
        }
        fn collect<
            I: IntoIterator<Item = u8, IntoIter: DoubleEndedIterator + ExactSizeIterator>,
            C: FromIterator<u8> + Extend<u8>,
        >(
            items: I,
        ) -> C {
            let mut all: C = items.into_iter().rev().collect();
            all.extend([]);
            all
        }
        fn calls(once: impl FnOnce() -> u8, many: impl Fn() -> u8, mut other: impl FnMut() -> u8) -> u8 {
            once() + many() + other()
        }
        let numbers: Vec<u8> = collect([1, 2]);
        drop(numbers);
        let _ = size_of::<u8>() + align_of::<u8>() + calls(|| 1, || 2, || 3) as usize;
        let number: Result<u8, _> = u8::try_from(300_i32);
        let words = [Ok("1"), Err("2")].map(|word: Result<&str, &str>| word.map(str::len));
        let all = words.into_iter().map(Result::ok).collect::<Option<Vec<_>>>();
        let _ = (number.is_err(), all, Result::<u8, String>::Ok(1), i64::from(5_u8));
        let none: Option<u8> = None;
        let _ = none.is_some() || assert_traits::<String>();
        Ok((Some(convert("a")), vec![bounds("b".to_owned()).into()]))
    }

    fn assert_traits<T: TryFrom<&'static str> + TryInto<String> + Drop2>() -> bool {
        true
    }

    trait Drop2 {}
    impl<T> Drop2 for T {}

    pub fn own() -> Result<Value> {
        let error: Result<Value> = from_slice(b"\xc1");
        assert!(error.is_err());
        from_slice(&to_vec(&value!([1]))?)
    }
}

mod prelude {
    use packord::prelude::*;

    #[derive(Debug, PartialEq, MsgPacker)]
    pub struct Point {
        pub x: u8,
    }

    pub fn names() -> Result<Option<Point>, String> {
        let point = Point::unpack(&Point { x: 1 }.pack_to_vec());
        let value: Result<Value, _> = packord::from_slice(&[0x91, 1]);
        assert_eq!(value, Ok(value!([1])));
        point.map(Some).map_err(|error| error.to_string())
    }
}

#[test]
fn globs_hide_nothing_of_the_standard_library() {
    assert_eq!(all::names().unwrap().0.as_deref(), Some("a"));
    assert_eq!(all::own().unwrap().to_string(), "[1]");
    assert_eq!(prelude::names(), Ok(Some(prelude::Point { x: 1 })));
}

#[test]
fn one_verb_reads_and_writes_whole_messages() {
    use packord::{Value, ValueRef, value};
    let bytes = packord::to_vec(&value!({"a": [1, "b"]})).unwrap();
    let owned: Value = packord::from_slice(&bytes).unwrap();
    let borrowed: ValueRef<'_> = packord::from_slice(&bytes).unwrap();
    assert_eq!(borrowed.to_owned(), owned);
    assert_eq!(packord::to_vec(&borrowed).unwrap(), bytes);
    #[cfg(feature = "serde")]
    {
        type Typed<'a> = std::collections::BTreeMap<&'a str, (u8, &'a str)>;
        let typed: Typed<'_> = packord::from_slice(&bytes).unwrap();
        assert_eq!(typed["a"], (1, "b"));
        assert_eq!(packord::to_vec(&typed).unwrap(), bytes);
    }
}

/// `decode` is the same with and without the feature `serde`, which `from_slice` is not.
#[test]
fn the_feature_serde_only_adds() {
    use packord::{DecodeOptions, Value, ValueRef, from_slice};
    fn same(bytes: &[u8]) {
        let options = DecodeOptions::new();
        // Kind, offset and path of the errors too.
        assert_eq!(from_slice::<Value>(bytes), options.decode(bytes), "{bytes:02x?}");
        let borrowed = from_slice::<ValueRef<'_>>(bytes);
        assert_eq!(borrowed, options.decode_ref(bytes), "{bytes:02x?}");
    }
    for first in 0..=255 {
        same(&[first]);
        for second in 0..=255 {
            same(&[first, second]);
            same(&[0x92, first, second, 0xa1, second]);
            same(&[0x82, first, 0xa1, second, 0x91, second, first]);
        }
    }
    let sample = b"\x84\xa1a\x93\x01\xcd\x01\x2c\xff\xa1b\xd6\xff\0\0\0\x01\xc4\x01\x07\xcb\x3f\xf8\0\0\0\0\0\0\xa1d\xc7\x01\x05\x09";
    for at in 0..sample.len() {
        same(&sample[..at]);
        for byte in 0..=255 {
            let mut damaged = sample.to_vec();
            damaged[at] = byte;
            same(&damaged);
        }
    }
    for stack in [64, 128, 256, 1024, 2048] {
        let run = || {
            for (levels, is_good) in [(1000, true), (1024, true), (1025, false), (100_000, false)] {
                for level in [&b"\x91"[..], b"\x81\x01"] {
                    let bytes = [&level.repeat(levels)[..], b"\xc0"].concat();
                    assert_eq!(from_slice::<Value>(&bytes).is_ok(), is_good, "{levels} levels");
                    same(&bytes);
                }
            }
        };
        crate::small_stacks::on_stack(stack, run);
    }
}
