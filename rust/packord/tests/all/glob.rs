//! `use packord::*` and the prelude hide nothing of the standard library's prelude: this compiles.

mod all {
    use packord::*;

    /// Every name of the standard prelude that is a type, a trait or a function.
    #[allow(clippy::unnecessary_wraps, reason = "as many names as possible")]
    pub fn names() -> Result<(Option<String>, Vec<Box<str>>), String> {
        fn bounds<
            T: Send + Sync + Sized + Unpin + Clone + PartialEq + PartialOrd + Eq + Ord + Default,
        >(
            value: T,
        ) -> T {
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
        fn calls(
            once: impl FnOnce() -> u8,
            many: impl Fn() -> u8,
            mut other: impl FnMut() -> u8,
        ) -> u8 {
            once() + many() + other()
        }
        let numbers: Vec<u8> = collect([1, 2]);
        drop(numbers);
        let _ = size_of::<u8>() + align_of::<u8>() + calls(|| 1, || 2, || 3) as usize;
        let number: Result<u8, _> = u8::try_from(300_i32);
        let words = [Ok("1"), Err("2")].map(|word: Result<&str, &str>| word.map(str::len));
        let all = words
            .into_iter()
            .map(Result::ok)
            .collect::<Option<Vec<_>>>();
        let _ = (
            number.is_err(),
            all,
            Result::<u8, String>::Ok(1),
            i64::from(5_u8),
        );
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
