//! Makes the values of Rust that a NATIVE of the vectors means: one of each type that holds it.

use super::Face;
use super::support::{unhex, value};
use super::types::{Bin, Color, Empty, Key, Line, Native, NoFields, Point, Shape, Single, Unit};
use chrono::{FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};
use packord::Timestamp;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::net::IpAddr;
use std::time::{Duration, SystemTime};

/// Returns the values: the first types of all parts, the second ones, and so on.
pub fn natives(json: &Json, face: Face) -> Vec<Native> {
    let found = match json["native"].as_str() {
        Some(kind) => of_kind(kind, json),
        None => of_value(json, face),
    };
    let derive = face == Face::Derive;
    let found: Vec<Native> = found
        .into_iter()
        .filter(|native| derive || !native.is_of_derive())
        .collect();
    assert!(!found.is_empty(), "no type for {json}");
    found
}

fn text(json: &Json) -> &str {
    json.as_str().unwrap()
}

fn small<T: TryFrom<i64>>(json: &Json) -> T {
    let number = json.as_i64().unwrap();
    T::try_from(number).unwrap_or_else(|_| panic!("{number}"))
}

fn bits(json: &Json) -> u64 {
    u64::from_str_radix(text(json), 16).unwrap()
}

/// Returns whether a VALUE has natives in it.
fn has_natives(json: &Json) -> bool {
    match json {
        Json::Object(members) => members.contains_key("native") || members.values().any(has_natives),
        Json::Array(items) => items.iter().any(has_natives),
        _ => false,
    }
}

/// Puts parts together: each of all, with the types of one round.
fn each_round(parts: &[Vec<Native>], make: impl Fn(Vec<Native>) -> Native) -> Vec<Native> {
    let rounds = parts.iter().map(Vec::len).max().unwrap_or(1);
    let round = |number: usize| {
        let choice = parts.iter().map(|part: &Vec<Native>| part[number % part.len()].clone());
        make(choice.collect())
    };
    (0..rounds).map(round).collect()
}

fn of_value(json: &Json, face: Face) -> Vec<Native> {
    let mut found = Vec::new();
    if !has_natives(json) {
        found.push(Native::Value(value(json)));
    }
    let parts = |items: &[Json]| -> Vec<Vec<Native>> { items.iter().map(|item| natives(item, face)).collect() };
    match json {
        Json::Null => found.extend([().into(), None::<i64>.into()]),
        Json::Bool(value) => found.push((*value).into()),
        _ => {
            let (kind, content) = json.as_object().unwrap().iter().next().unwrap();
            match kind.as_str() {
                "int" => {
                    let number: i128 = text(content).parse().unwrap();
                    found.extend(i64::try_from(number).ok().map(Native::from));
                    found.extend(u64::try_from(number).ok().map(Native::from));
                }
                "f64" => found.push(f64::from_bits(bits(content)).into()),
                "str" => found.push(text(content).to_owned().into()),
                "bin" => found.push(Native::Bin(Bin(unhex(text(content))))),
                "timestamp" => {
                    let seconds = text(&content[0]).parse().unwrap();
                    found.push(Timestamp::new(seconds, small(&content[1])).unwrap().into());
                }
                "array" => {
                    let items = parts(content.as_array().unwrap());
                    found.extend(each_round(&items, Native::Array));
                }
                "map" => {
                    let entries = content.as_array().unwrap();
                    let halves: Vec<Json> = entries
                        .iter()
                        .flat_map(|entry| entry.as_array().unwrap().clone())
                        .collect();
                    found.extend(each_round(&parts(&halves), |halves| {
                        let mut map = std::collections::BTreeMap::new();
                        for (index, entry) in halves.chunks(2).enumerate() {
                            map.insert(Key(index, entry[0].clone()), entry[1].clone());
                        }
                        Native::Map(map)
                    }));
                }
                "nest" => {
                    let mut inner = natives(&content["inner"], face).pop().unwrap();
                    for _ in 0..content["array"].as_u64().unwrap() {
                        inner = Native::Array(vec![inner]);
                    }
                    found.push(inner);
                }
                // A `Value` alone.
                "ext" => {}
                other => panic!("unknown kind of value {other}"),
            }
        }
    }
    found
}

macro_rules! sized {
    ($json:expr, $digits:expr, $($name:literal $type:ty;)*) => {
        match text(&$json["type"]) {
            $($name => vec![$digits.parse::<$type>().unwrap().into()],)*
            other => panic!("unknown type {other}"),
        }
    };
}

/// The numbers of an array without their widths.
fn numbers<T: std::str::FromStr>(json: &Json) -> Vec<T> {
    let of = json["of"].as_array().unwrap();
    let parse = |digits: &str| digits.parse().unwrap_or_else(|_| panic!("{digits}"));
    of.iter().map(|number| parse(text(&number["int"]))).collect()
}

fn floats(json: &Json) -> Vec<u64> {
    let of = json["of"].as_array().unwrap();
    of.iter()
        .map(|number| bits(number.as_object().unwrap().values().next().unwrap()))
        .collect()
}

fn rows(json: &Json) -> Option<Vec<Native>> {
    let shape: Vec<u64> = json["shape"].as_array()?.iter().filter_map(Json::as_u64).collect();
    Some(match shape[..] {
        [2, 3] => {
            let rows = numbers::<i32>(json);
            let arrays: Vec<[i32; 3]> = rows.chunks(3).map(|row| row.try_into().unwrap()).collect();
            let lists: Vec<Vec<i32>> = rows.chunks(3).map(<[i32]>::to_vec).collect();
            vec![lists.into(), <[[i32; 3]; 2]>::try_from(arrays).unwrap().into()]
        }
        [1, 2, 1] => {
            let [a, b] = [0, 1].map(|at| f64::from_bits(floats(json)[at]));
            vec![vec![vec![vec![a], vec![b]]].into(), [[[a], [b]]].into()]
        }
        _ => panic!("unknown shape {shape:?}"),
    })
}

macro_rules! arrays {
    ($json:expr, $($name:literal $make:expr;)*) => {
        match text(&$json["type"]) {
            $($name => {
                let list = $make;
                vec![list.clone().into(), list.into_boxed_slice().into()]
            })*
            other => panic!("unknown type {other}"),
        }
    };
}

fn date_of(json: &Json) -> NaiveDate {
    let date = &json["date"];
    NaiveDate::from_ymd_opt(small(&date[0]), small(&date[1]), small(&date[2])).unwrap()
}

fn time_of(json: &Json) -> NaiveTime {
    let time = &json["time"];
    let [hour, minute, second, nano] = [0, 1, 2, 3].map(|at| small(&time[at]));
    NaiveTime::from_hms_nano_opt(hour, minute, second, nano).unwrap()
}

fn date_time_of(json: &Json) -> NaiveDateTime {
    date_of(json).and_time(time_of(json))
}

fn jiff_date(json: &Json) -> Option<jiff::civil::Date> {
    let date = &json["date"];
    let year = i16::try_from(date[0].as_i64().unwrap()).ok()?;
    jiff::civil::Date::new(year, small(&date[1]), small(&date[2])).ok()
}

fn jiff_time(json: &Json) -> jiff::civil::Time {
    let time = &json["time"];
    jiff::civil::Time::new(small(&time[0]), small(&time[1]), small(&time[2]), small(&time[3])).unwrap()
}

fn time_date(json: &Json) -> Option<time::Date> {
    let date = &json["date"];
    let month = time::Month::try_from(small::<u8>(&date[1])).unwrap();
    time::Date::from_calendar_date(small(&date[0]), month, small(&date[2])).ok()
}

fn time_time(json: &Json) -> time::Time {
    let time = &json["time"];
    time::Time::from_hms_nano(small(&time[0]), small(&time[1]), small(&time[2]), small(&time[3])).unwrap()
}

/// A point in time in all types that hold it. Types with an offset are compared by the instant.
fn points(json: &Json) -> Vec<Native> {
    let offset = FixedOffset::east_opt(small(&json["offset"])).unwrap();
    let fixed = date_time_of(json).and_local_timezone(offset).unwrap();
    let utc = fixed.to_utc();
    let at = Timestamp::new(utc.timestamp(), utc.timestamp_subsec_nanos()).unwrap();
    let mut found = vec![fixed.into(), utc.into(), at.into()];
    found.extend(SystemTime::try_from(at).ok().map(Native::from));
    if let Ok(at) = jiff::Timestamp::try_from(at) {
        let zone = jiff::tz::Offset::from_seconds(small(&json["offset"])).unwrap();
        found.push(at.into());
        found.push(at.to_zoned(jiff::tz::TimeZone::fixed(zone)).into());
    }
    if let Ok(at) = time::OffsetDateTime::try_from(at) {
        let offset = time::UtcOffset::from_whole_seconds(small(&json["offset"])).unwrap();
        found.push(at.to_offset(offset).into());
    }
    found
}

/// A duration in all types that hold it.
fn durations(json: &Json) -> Vec<Native> {
    let seconds: i64 = text(&json["seconds"]).parse().unwrap();
    let nanoseconds: u32 = small(&json["nanoseconds"]);
    let delta = TimeDelta::new(seconds, nanoseconds).unwrap();
    let signed = jiff::SignedDuration::from_secs(seconds) + jiff::SignedDuration::from_nanos(nanoseconds.into());
    let other = time::Duration::seconds(seconds) + time::Duration::nanoseconds(nanoseconds.into());
    let mut found = vec![delta.into(), signed.into(), other.into()];
    found.extend(delta.to_std().ok().map(Native::from));
    found
}

fn sets(json: &Json) -> Vec<Native> {
    let of = json["of"].as_array().unwrap();
    let strs = || of.iter().filter_map(|item| item["str"].as_str()).map(str::to_owned);
    let ints = |of: &[Json]| -> Vec<i64> { of.iter().map(|item| text(&item["int"]).parse().unwrap()).collect() };
    match of.first() {
        None => vec![
            BTreeSet::<i64>::new().into(),
            std::collections::HashSet::<String>::new().into(),
        ],
        Some(Json::Null) => vec![
            BTreeSet::from([()]).into(),
            std::collections::HashSet::from([()]).into(),
        ],
        Some(first) if first["str"].is_string() => vec![
            strs().collect::<BTreeSet<_>>().into(),
            strs().collect::<std::collections::HashSet<_>>().into(),
        ],
        Some(first) if first["native"] == "set" => {
            let inner = ints(first["of"].as_array().unwrap());
            vec![BTreeSet::from([BTreeSet::from_iter(inner)]).into()]
        }
        Some(_) => vec![
            BTreeSet::from_iter(ints(of)).into(),
            std::collections::HashSet::<i64>::from_iter(ints(of)).into(),
        ],
    }
}

fn tuples(json: &Json) -> Vec<Native> {
    let int = |json: &Json| -> i64 { text(&json["int"]).parse().unwrap() };
    vec![match json["of"].as_array().unwrap().as_slice() {
        [] => NoFields().into(),
        [one] if one["str"].is_string() => (text(&one["str"]).to_owned(),).into(),
        [one] => (int(one),).into(),
        [one, other] if one["native"] == "tuple" => ((int(&one["of"][0]),), int(other)).into(),
        [one, other] => (int(one), text(&other["str"]).to_owned()).into(),
        _ => panic!("no tuple for {json}"),
    }]
}

fn point(json: &Json) -> Point<i64, f64> {
    let fields = &json["fields"];
    Point {
        x: text(&fields[0][1]["int"]).parse().unwrap(),
        y: f64::from_bits(bits(&fields[1][1]["f64"])),
    }
}

fn structs(json: &Json) -> Vec<Native> {
    let fields = &json["fields"];
    vec![match text(&json["name"]) {
        "Point" if fields[0][1].is_null() => Point {
            x: None,
            y: text(&fields[1][1]["int"]).parse::<i64>().unwrap(),
        }
        .into(),
        "Point" => point(json).into(),
        "Line" => Line {
            start: point(&fields[0][1]),
            end: point(&fields[1][1]),
        }
        .into(),
        "Single" => Single { x: None::<i64> }.into(),
        "Empty" => Empty {}.into(),
        other => panic!("unknown struct {other}"),
    }]
}

fn of_kind(kind: &str, json: &Json) -> Vec<Native> {
    match kind {
        "bigint" => {
            let digits = text(&json["value"]);
            let signed = digits.parse::<i128>().ok().map(Native::from);
            signed
                .into_iter()
                .chain(digits.parse::<u128>().ok().map(Native::from))
                .collect()
        }
        "sized_int" => sized!(json, text(&json["value"]),
            "i8" i8; "i16" i16; "i32" i32; "i64" i64; "u8" u8; "u16" u16; "u32" u32; "u64" u64;),
        "float32" => vec![f32::from_bits(bits(&json["bits"]) as u32).into()],
        "numbers" => rows(json).unwrap_or_else(|| {
            arrays!(json,
            "i8" numbers::<i8>(json); "i16" numbers::<i16>(json); "i32" numbers::<i32>(json);
            "i64" numbers::<i64>(json); "u16" numbers::<u16>(json); "u32" numbers::<u32>(json);
            "u64" numbers::<u64>(json);
            "f32" floats(json).into_iter().map(|bits| f32::from_bits(bits as u32)).collect::<Vec<_>>();
            "f64" floats(json).into_iter().map(f64::from_bits).collect::<Vec<_>>();
            "bool" json["of"].as_array().unwrap().iter().map(|item| item == true).collect::<Vec<bool>>();)
        }),
        "bytes" => vec![unhex(text(&json["hex"])).into()],
        "character" => vec![text(&json["text"]).parse::<char>().unwrap().into()],
        "uuid" => vec![text(&json["text"]).parse::<uuid::Uuid>().unwrap().into()],
        "ip" => vec![text(&json["text"]).parse::<IpAddr>().unwrap().into()],
        "path" => vec![std::path::PathBuf::from(text(&json["text"])).into()],
        "enum" => vec![match text(&json["name"]) {
            "RED" => Color::RED.into(),
            "GREEN" => Color::GREEN.into(),
            _ => Color::BLUE.into(),
        }],
        "variant" => vec![Shape::Circle(f64::from_bits(bits(&json["value"]["f64"]))).into()],
        "unit_struct" => vec![Unit.into()],
        "time" => points(json),
        "date" => {
            let mut found = vec![date_of(json).into()];
            found.extend(jiff_date(json).map(Native::from));
            found.extend(time_date(json).map(Native::from));
            found
        }
        "time_of_day" => vec![time_of(json).into(), jiff_time(json).into(), time_time(json).into()],
        "date_time" => vec![
            date_time_of(json).into(),
            jiff_date(json).unwrap().to_datetime(jiff_time(json)).into(),
            time::PrimitiveDateTime::new(time_date(json).unwrap(), time_time(json)).into(),
        ],
        "duration" => durations(json),
        "std_duration" => {
            let seconds = text(&json["seconds"]).parse().unwrap();
            vec![Duration::new(seconds, small(&json["nanoseconds"])).into()]
        }
        "set" => sets(json),
        "tuple" => tuples(json),
        "sequence" => {
            let of = json["of"].as_array().unwrap();
            let items = of.iter().map(|item| text(&item["str"]).to_owned());
            vec![match text(&json["type"]) {
                "queue" => items.collect::<std::collections::VecDeque<_>>().into(),
                "linked_list" => items.collect::<std::collections::LinkedList<_>>().into(),
                other => panic!("unknown sequence {other}"),
            }]
        }
        "struct" => structs(json),
        "optional" => vec![match json.get("value") {
            None => None::<i64>.into(),
            Some(value) if value["native"] == "set" => Some(BTreeSet::from([1_i64])).into(),
            Some(value) => Some(text(&value["int"]).parse::<i64>().unwrap()).into(),
        }],
        other => panic!("no type for the kind {other}"),
    }
}
