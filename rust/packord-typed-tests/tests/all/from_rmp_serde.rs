//! What `docs/from-rmp-serde.md` says about both libraries, shown with both.

use packord::serde::{Bytes, Config};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct User {
    id: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    email: Option<String>,
    name: String,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum Shape {
    Dot,
    Circle(f64),
    Box { width: u32, height: u32 },
}

fn users() -> Vec<User> {
    let email = Some("ann@example.org".to_owned());
    vec![User {
        id: 300,
        email,
        name: "Ann".to_owned(),
    }]
}

#[test]
fn the_calls_of_the_table_write_and_read_the_same_bytes() {
    let users = users();
    let map = rmp_serde::to_vec_named(&users).unwrap();
    let array = rmp_serde::to_vec(&users).unwrap();
    assert_eq!(packord::serde::to_vec(&users).unwrap(), map);
    let arrays = Config::new().structs_as_arrays(true);
    assert_eq!(arrays.to_vec(&users).unwrap(), array);

    let (mut theirs, mut ours) = (Vec::new(), Vec::new());
    rmp_serde::encode::write_named(&mut theirs, &users).unwrap();
    packord::serde::to_writer(&mut ours, &users).unwrap();
    assert_eq!(theirs, ours);

    for bytes in [&map, &array] {
        let both: (Vec<User>, Vec<User>) = (
            rmp_serde::from_slice(bytes).unwrap(),
            packord::serde::from_slice(bytes).unwrap(),
        );
        assert_eq!(both.0, users);
        assert_eq!(both.1, users);
        let read: Vec<User> = packord::serde::from_reader(&bytes[..]).unwrap();
        assert_eq!(read, users);
        let mut twice = [&bytes[..], bytes].concat();
        twice.push(0xc1);
        let (mut theirs, mut ours) = (&twice[..], &twice[..]);
        for _ in 0..2 {
            let read: Vec<User> = rmp_serde::from_read(&mut theirs).unwrap();
            assert_eq!(read, users);
            let read: Vec<User> = packord::serde::from_read(&mut ours).unwrap();
            assert_eq!(read, users);
        }
        assert_eq!((theirs, ours), (&b"\xc1"[..], &b"\xc1"[..]));
    }
}

#[test]
fn each_option_has_an_equivalent() {
    let numbers: Vec<u8> = vec![1, 2, 200];
    let mut theirs = Vec::new();
    let mut serializer =
        rmp_serde::Serializer::new(&mut theirs).with_bytes(rmp_serde::config::BytesMode::ForceIterables);
    numbers.serialize(&mut serializer).unwrap();
    let detected = Config::new().bytes(Bytes::Detected);
    assert_eq!(detected.to_vec(&numbers).unwrap(), theirs);

    let address = std::net::Ipv4Addr::LOCALHOST;
    let mut theirs = Vec::new();
    let mut serializer = rmp_serde::Serializer::new(&mut theirs).with_human_readable();
    address.serialize(&mut serializer).unwrap();
    let readable = Config::new().human_readable(true);
    assert_eq!(readable.to_vec(&address).unwrap(), theirs);
}

#[test]
fn enums_have_the_same_bytes() {
    let shapes = [Shape::Dot, Shape::Circle(1.5), Shape::Box { width: 2, height: 3 }];
    let bytes = rmp_serde::to_vec_named(&shapes).unwrap();
    assert_eq!(packord::serde::to_vec(&shapes).unwrap(), bytes);
    let back: [Shape; 3] = packord::serde::from_slice(&bytes).unwrap();
    assert_eq!(back, shapes);
    let by_number: Shape = packord::serde::from_slice(&[0]).unwrap();
    assert_eq!(by_number, Shape::Dot);
}

#[test]
fn a_struct_without_a_field_is_a_map_of_positions() {
    let user = User {
        id: 1,
        email: None,
        name: "Bob".to_owned(),
    };
    let theirs = rmp_serde::to_vec(&user).unwrap();
    assert_eq!(theirs, b"\x92\x01\xa3Bob");
    assert!(rmp_serde::from_slice::<User>(&theirs).is_err());

    let arrays = Config::new().structs_as_arrays(true);
    let ours = arrays.to_vec(&user).unwrap();
    assert_eq!(ours, b"\x82\x00\x01\x02\xa3Bob");
    assert_eq!(arrays.from_slice::<User>(&ours).unwrap(), user);
    assert_eq!(rmp_serde::from_slice::<User>(&ours).unwrap(), user);
}

#[test]
fn surplus_elements_of_a_struct_are_skipped_or_denied() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Point {
        x: i8,
        y: i8,
    }
    #[derive(Deserialize, PartialEq, Debug)]
    enum Shape {
        Box { width: u8 },
    }
    let denies = Config::new().deny_surplus(true);
    for (bytes, at) in [(&b"\x93\x01\x02\x03"[..], 0), (b"\xdc\0\x03\x01\x02\x03", 0)] {
        assert!(rmp_serde::from_slice::<Point>(bytes).is_err());
        let point: Point = packord::serde::from_slice(bytes).unwrap();
        assert_eq!(point, Point { x: 1, y: 2 });
        let error = denies.from_slice::<Point>(bytes).unwrap_err();
        assert_eq!(
            (error.kind().name(), error.offset(), error.detail()),
            (
                "type_mismatch",
                Some(at),
                Some("the array has more elements than the type")
            )
        );
        assert!(denies.reader(bytes).next::<Point>().is_err());
        // Of a tuple they are always an error, in both.
        assert!(rmp_serde::from_slice::<(i8, i8)>(bytes).is_err());
        assert!(packord::serde::from_slice::<(i8, i8)>(bytes).is_err());
    }
    let variant = b"\x81\xa3Box\x92\x01\x02";
    assert!(packord::serde::from_slice::<Shape>(variant).is_ok());
    let error = denies.from_slice::<Shape>(variant).unwrap_err();
    assert_eq!((error.offset(), error.path()), (Some(5), Some("$.Box")));
    let exact: Point = denies.from_slice(b"\x92\x01\x02").unwrap();
    assert_eq!(exact, Point { x: 1, y: 2 });
}

#[test]
fn trailing_bytes_are_an_error() {
    let bytes = b"\x01\x02";
    assert_eq!(rmp_serde::from_slice::<u8>(bytes).unwrap(), 1);
    let error = packord::serde::from_slice::<u8>(bytes).unwrap_err();
    assert_eq!((error.kind().name(), error.offset()), ("trailing_bytes", Some(1)));
    let (first, read) = Config::new().from_prefix::<u8>(bytes).unwrap();
    assert_eq!((first, read), (1, 1));
}

#[test]
fn numbers_and_bin_are_converted_without_loss() {
    let wide = u128::from(u64::MAX) + 1;
    assert_eq!(rmp_serde::to_vec(&wide).unwrap()[..2], [0xc4, 16], "16 bytes of bin");
    let error = packord::serde::to_vec(&wide).unwrap_err();
    assert_eq!(error.kind().name(), "out_of_range");
    let ours = Config::new().bigint(true).to_vec(&wide).unwrap();
    assert_eq!(ours[..3], [0xc7, 9, 0x42]);
    assert_eq!(packord::serde::from_slice::<u128>(&ours).unwrap(), wide);

    let odd = packord::serde::to_vec(&((1_u64 << 53) + 1)).unwrap();
    let error = packord::serde::from_slice::<f64>(&odd).unwrap_err();
    assert_eq!(error.kind().name(), "out_of_range");

    let bin = b"\xc4\x02hi";
    assert_eq!(rmp_serde::from_slice::<String>(bin).unwrap(), "hi");
    let error = packord::serde::from_slice::<String>(bin).unwrap_err();
    assert_eq!(error.kind().name(), "type_mismatch");
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Marker;

#[test]
fn each_library_reads_the_unit_structs_of_the_other() {
    let (theirs, ours) = (
        rmp_serde::to_vec(&Marker).unwrap(),
        packord::serde::to_vec(&Marker).unwrap(),
    );
    assert_eq!((&theirs[..], &ours[..]), (&b"\x90"[..], &b"\xc0"[..]));
    assert_eq!(packord::serde::from_slice::<Marker>(&theirs).unwrap(), Marker);
    assert_eq!(rmp_serde::from_slice::<Marker>(&ours).unwrap(), Marker);
}

/// As deep as the value is.
#[derive(Deserialize)]
struct Nested(#[allow(dead_code, reason = "only read")] Vec<Nested>);

#[test]
fn a_limit_on_depth_counts_open_containers_and_that_of_rmp_one_more() {
    fn rmp(depth: usize, limit: Option<usize>) -> bool {
        let bytes = [vec![0x91; depth - 1], vec![0x90]].concat();
        let mut deserializer = rmp_serde::Deserializer::new(&bytes[..]);
        if let Some(limit) = limit {
            deserializer.set_max_depth(limit);
        }
        Nested::deserialize(&mut deserializer).is_ok()
    }
    fn packord(depth: usize, limit: Option<u32>) -> bool {
        let bytes = [vec![0x91; depth - 1], vec![0x90]].concat();
        let config = match limit {
            Some(limit) => Config::new().max_depth(limit),
            None => Config::new(),
        };
        config.from_slice::<Nested>(&bytes).is_ok()
    }
    let stack = std::thread::Builder::new().stack_size(64 << 20);
    let test = stack.spawn(|| {
        assert_eq!((rmp(99, Some(100)), rmp(100, Some(100))), (true, false));
        assert_eq!((packord(100, Some(100)), packord(101, Some(100))), (true, false));
        assert_eq!((rmp(1023, None), rmp(1024, None)), (true, false));
        assert_eq!((packord(1024, None), packord(1025, None)), (true, false));
    });
    test.unwrap().join().unwrap();
}

#[test]
fn errors_have_a_place() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "only read")]
    struct Reply {
        users: Vec<User>,
    }
    let bytes = b"\x81\xa5users\x91\x83\xa2id\x01\xa5email\xc0\xa4name\x05";
    let error = packord::serde::from_slice::<Reply>(bytes).unwrap_err();
    assert_eq!(
        (error.kind().name(), error.offset(), error.path()),
        ("type_mismatch", Some(25), Some("$.users[0].name"))
    );
}

#[test]
fn values_are_the_same_in_rmpv() {
    let value = rmpv::Value::from(vec![(rmpv::Value::from("id"), rmpv::Value::from(7))]);
    let mut bytes = Vec::new();
    rmpv::encode::write_value(&mut bytes, &value).unwrap();
    let ours = packord::from_slice::<packord::Value>(&bytes).unwrap();
    assert_eq!(ours["id"], 7);
    assert_eq!(packord::to_vec(&ours).unwrap(), bytes);
    let user: User = packord::serde::from_value(&packord::serde::to_value(&users()[0]).unwrap()).unwrap();
    assert_eq!(user, users()[0]);
}

#[test]
fn variants_of_untagged_enums_are_read_from_arrays_but_for_those_with_fields() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Untagged {
        Number(u8),
        Tuple(u8, String),
        Inner(Inner),
        Fields { id: u8, ok: bool },
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Inner {
        ids: Vec<u8>,
    }
    let arrays = Config::new().structs_as_arrays(true);
    for value in [
        Untagged::Number(1),
        Untagged::Tuple(1, "text".to_owned()),
        Untagged::Inner(Inner { ids: vec![1] }),
        Untagged::Fields { id: 1, ok: true },
    ] {
        let fields = matches!(value, Untagged::Fields { .. });
        let bytes = arrays.to_vec(&value).unwrap();
        assert_eq!(rmp_serde::to_vec(&value).unwrap(), bytes);
        let theirs = rmp_serde::from_slice::<Untagged>(&bytes);
        let ours = packord::from_slice::<Untagged>(&bytes);
        assert_eq!((theirs.is_err(), ours.is_err()), (fields, fields));
        if let Ok(ours) = ours {
            assert_eq!(ours, value);
        }
        let maps = packord::to_vec(&value).unwrap();
        assert_eq!(packord::from_slice::<Untagged>(&maps).unwrap(), value);
    }
}
