//! Iterators whose length is not the number of their items: an error, and no malformed bytes.

use packord::compat::msgpacker::{pack_array, pack_map};
use packord::typed::{Failed, Writer};
use packord::{MsgPacker, Packable};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Returns `items` items and says `says`.
#[derive(Clone, Copy)]
struct Liar {
    says: usize,
    items: usize,
}

struct LiarItems<T>(Liar, fn(usize) -> T);

impl<T> Iterator for LiarItems<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.items = self.0.items.checked_sub(1)?;
        Some((self.1)(self.0.items))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.says, Some(self.0.says))
    }
}

impl<T> ExactSizeIterator for LiarItems<T> {}

impl IntoIterator for &Liar {
    type Item = u32;
    type IntoIter = LiarItems<u32>;

    fn into_iter(self) -> LiarItems<u32> {
        LiarItems(*self, |item| item as u32)
    }
}

const LIARS: [(usize, usize); 5] = [(2, 1), (2, 3), (0, 1), (1, 0), (3, usize::MAX)];

fn panics(pack: impl FnOnce(&mut Vec<u8>) -> usize) -> bool {
    let mut buffer = Vec::new();
    let outcome = catch_unwind(AssertUnwindSafe(|| pack(&mut buffer)));
    let message = outcome.as_ref().err();
    let message = message.and_then(|payload| payload.downcast_ref::<String>());
    message.is_some_and(|text| text.contains("the announced length is wrong"))
}

#[test]
fn a_wrong_length_is_an_error() {
    for (says, items) in LIARS {
        let liar = Liar { says, items };
        assert!(panics(|buffer| pack_array(buffer, &liar)), "{says} {items}");
        let pairs = || LiarItems(liar, |item| (item as u32, "value"));
        assert!(panics(|buffer| pack_map(buffer, pairs())), "{says} {items}");
    }
    let honest = Liar { says: 2, items: 2 };
    let mut buffer = Vec::new();
    assert_eq!(pack_array(&mut buffer, &honest), 3);
    assert_eq!(buffer, [0x92, 1, 0]);
}

#[test]
fn a_collection_of_the_program_that_miscounts_is_an_error_with_its_path() {
    struct Bag(Liar);
    impl IntoIterator for &Bag {
        type Item = u32;
        type IntoIter = LiarItems<u32>;
        fn into_iter(self) -> LiarItems<u32> {
            (&self.0).into_iter()
        }
    }
    impl FromIterator<u32> for Bag {
        fn from_iter<I: IntoIterator<Item = u32>>(items: I) -> Bag {
            let items = items.into_iter().count();
            Bag(Liar { says: items, items })
        }
    }
    #[derive(MsgPacker)]
    struct Holder {
        #[msgpacker(array)]
        bag: Bag,
    }
    for (says, items) in LIARS {
        let holder = Holder {
            bag: Bag(Liar { says, items }),
        };
        let error = holder.try_pack_to_vec().unwrap_err();
        assert_eq!((error.kind().name(), error.path()), ("custom", Some("$.bag")));
        assert_eq!(error.detail(), Some("the announced length is wrong"));
    }
}

/// Announces `says` parts and writes `items`.
struct ByHand<'p> {
    says: usize,
    items: usize,
    part: &'p str,
    as_map: bool,
}

impl Packable for ByHand<'_> {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        let part = self.part;
        if self.as_map {
            return writer.map(self.says, |map| {
                (0..self.items).try_for_each(|_| map.entry("key", part))
            });
        }
        writer.array(self.says, |array| (0..self.items).try_for_each(|_| array.element(part)))
    }
}

#[test]
fn what_is_written_by_hand_is_counted() {
    for as_map in [false, true] {
        for (says, items) in LIARS {
            let (part, items) = ("part", items.min(9));
            let liar = ByHand {
                says,
                items,
                part,
                as_map,
            };
            let error = vec![&liar].try_pack_to_vec().unwrap_err();
            let told = (error.kind().name(), error.path(), error.detail());
            assert_eq!(told, ("custom", Some("$[0]"), Some("the announced length is wrong")));
        }
        let honest = ByHand {
            says: 2,
            items: 2,
            part: "a",
            as_map,
        };
        let bytes = honest.pack_to_vec();
        let wanted: &[u8] = if as_map {
            b"\x82\xa3key\xa1a\xa3key\xa1a"
        } else {
            b"\x92\xa1a\xa1a"
        };
        assert_eq!(bytes, wanted);
    }
    let mut nested = Vec::new();
    struct Deep(u32);
    impl Packable for Deep {
        fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
            match self.0 {
                0 => writer.array(0, |_| Ok(())),
                left => writer.array(1, |array| array.element(&Deep(left - 1))),
            }
        }
    }
    assert_eq!(Deep(1023).try_pack(&mut nested).unwrap(), 1024);
    let error = Deep(1024).try_pack_to_vec().unwrap_err();
    assert_eq!(error.kind().name(), "depth_limit");
}

#[test]
fn a_part_whose_error_is_dropped_is_missing_whatever_is_written_after_it() {
    /// Writes this value after one whose error it drops.
    struct Forgetful<'p>(&'p u128, bool);
    impl Packable for Forgetful<'_> {
        fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
            if self.1 {
                return writer.map(2, |map| {
                    let _ = map.entry("a", &u128::MAX);
                    map.entry("b", self.0)
                });
            }
            writer.array(2, |array| {
                let _ = array.element(&u128::MAX);
                array.element(self.0)
            })
        }
    }
    for (as_map, path) in [(false, "$[1]"), (true, "$.b")] {
        let error = Forgetful(&1, as_map).try_pack_to_vec().unwrap_err();
        let told = (error.kind().name(), error.path(), error.detail());
        assert_eq!(told, ("custom", Some("$"), Some("the announced length is wrong")));
        let error = Forgetful(&u128::MAX, as_map).try_pack_to_vec().unwrap_err();
        assert_eq!((error.kind().name(), error.path()), ("out_of_range", Some(path)));
    }
}
