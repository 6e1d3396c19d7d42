//! Reading into types takes no more memory than the result needs: counted by the allocator.

use crate::counting::measure;
use packord::{DecodeOptions, EncodeOptions, MsgPacker, Packable, Unpackable, UnpackableBorrowed};
use std::collections::HashMap;
use std::fmt::Debug;

#[derive(Clone, Debug, PartialEq, MsgPacker)]
#[msgpacker(record)]
struct Person {
    name: String,
    tags: Vec<String>,
    scores: Vec<f64>,
    #[msgpacker(binary)]
    photo: Vec<u8>,
    born: Option<i64>,
    by_street: HashMap<String, u64>,
    #[msgpacker(default)]
    friends: Vec<Person>,
}

fn person(index: u64, friends: usize) -> Person {
    Person {
        name: format!("person {index}"),
        tags: (0..index % 7).map(|tag| format!("tag {tag}")).collect(),
        scores: vec![0.5; (index % 9) as usize],
        photo: vec![7; (index % 300) as usize],
        born: (index % 3 == 0).then_some(-(index as i64)),
        by_street: (0..index % 5)
            .map(|street| (format!("street {street}"), street))
            .collect(),
        friends: (0..friends as u64).map(|friend| person(friend, 0)).collect(),
    }
}

/// A value needs the memory that a copy of it takes.
#[track_caller]
fn needs_no_more<T: Clone + PartialEq + Debug>(value: &T, read: impl Fn() -> T) {
    assert_eq!(&read(), value);
    let (needed, _) = measure(|| value.clone());
    let (_, peak) = measure(&read);
    assert!(
        peak as f64 <= needed as f64 * 1.1,
        "{peak} bytes at once for a value of {needed}"
    );
}

#[test]
fn owned_types_take_what_their_copy_takes() {
    let people: Vec<Person> = (0..500).map(|index| person(index, (index % 4) as usize)).collect();
    let bytes = people.pack_to_vec();
    needs_no_more(&people, || <Vec<Person> as Unpackable>::unpack(&bytes).unwrap());
    for person in &people[..20] {
        let bytes = person.pack_to_vec();
        needs_no_more(person, || Person::unpack(&bytes).unwrap());
    }
    let numbers: Vec<u64> = (0..10_000).collect();
    let bytes = numbers.pack_to_vec();
    needs_no_more(&numbers, || <Vec<u64> as Unpackable>::unpack(&bytes).unwrap());
    let map: HashMap<u32, String> = (0..1000).map(|key| (key, key.to_string())).collect();
    let bytes = map.pack_to_vec();
    needs_no_more(&map, || <HashMap<u32, String> as Unpackable>::unpack(&bytes).unwrap());
}

#[test]
fn records_take_what_their_copy_takes() {
    let people: Vec<Person> = (0..500).map(|index| person(index, 2)).collect();
    let bytes = EncodeOptions::new().records(true).pack(&people).unwrap();
    let options = DecodeOptions::new().records(true);
    needs_no_more(&people, || options.unpack::<Vec<Person>>(&bytes).unwrap());
}

#[test]
fn borrowed_types_take_the_vector_alone() {
    let texts: Vec<String> = (0..1000).map(|index| format!("text {index}")).collect();
    let bytes = texts.pack_to_vec();
    let (result, peak) = measure(|| <Vec<&str> as UnpackableBorrowed>::unpack(&bytes).unwrap());
    assert_eq!((result, peak), (16_000, 16_000));
}
