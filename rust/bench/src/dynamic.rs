//! Values of any type: encoding, decoding into trees, and the index, compared with the peers.
//!
//! Three documents of about half a megabyte are made with a fixed seed; `FILE=` adds JSON
//! documents from files. A check first ensures that every contender reads and writes the
//! same document. Structs with serde and streams in chunks follow. Prints the median
//! of each and the ratio of the best peer to packord.
//!
//! ```text
//! cargo run --release -p packord-bench --bin dynamic -- [--quick] [--json OUT] [FILE=doc.json ...] [FILTER]
//! ```

mod measure;
mod streams;

use measure::{Report, contender};
use packord::{DecodeOptions, Document, EncodeOptions};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::hint::black_box;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut report = Report::from_arguments();
    let random = &mut StdRng::from_seed([7; 32]);
    document(&mut report, "movies", &movies(random))?;
    document(&mut report, "numbers", &numbers(random))?;
    document(&mut report, "posts", &posts(random))?;
    typed(&mut report, random)?;
    streams::streams(&mut report, random)?;
    for file in std::mem::take(&mut report.files) {
        let name = file.rsplit('/').next().unwrap_or(&file);
        document(&mut report, name, &serde_json::from_slice(&std::fs::read(&file)?)?)?;
    }
    report.save()?;
    Ok(())
}

fn document(report: &mut Report, name: &str, source: &Json) -> Result<(), Box<dyn std::error::Error>> {
    let packed = packord::serde::to_vec(source)?;
    let text = serde_json::to_vec(source)?;
    let value = packord::DecodeOptions::new().decode(&packed)?;
    let theirs = rmpv::decode::read_value(&mut &packed[..])?;
    let zero: zerompk::Value = zerompk::from_msgpack(&packed)?;
    let index = Document::parse(&packed)?;
    println!(
        "# {name}: {} bytes packed, {} bytes of JSON, {} values",
        packed.len(),
        text.len(),
        index.node_count()
    );

    assert_eq!(packord::to_vec(&value)?, packed);
    assert_eq!(rmp_serde::to_vec(source)?, packed);
    assert_eq!(msgpacker::serde::to_vec(source), packed);
    let mut out = Vec::new();
    rmpv::encode::write_value(&mut out, &theirs)?;
    assert_eq!(out, packed);
    assert_eq!(zerompk::to_msgpack_vec(&zero)?, packed);
    assert_eq!(index.to_value(), value);
    assert_eq!(packord::serde::from_slice::<Json>(&packed)?, *source);
    assert_eq!(rmp_serde::from_slice::<Json>(&packed)?, *source);

    report.row(
        &format!("{name} encode"),
        vec![
            contender("packord", || EncodeOptions::new().encode(black_box(&value))),
            contender("rmpv", || {
                let mut out = Vec::new();
                rmpv::encode::write_value(&mut out, black_box(&theirs)).map(|()| out)
            }),
            contender("zerompk", || zerompk::to_msgpack_vec(black_box(&zero))),
            contender("msgpacker serde", || msgpacker::serde::to_vec(black_box(source))),
            contender("rmp-serde", || rmp_serde::to_vec(black_box(source))),
        ],
    );
    report.row(
        &format!("{name} decode owned"),
        vec![
            contender("packord", || packord::DecodeOptions::new().decode(black_box(&packed))),
            contender("rmpv", || rmpv::decode::read_value(&mut black_box(&packed[..]))),
            contender("rmp-serde json", || rmp_serde::from_slice::<Json>(black_box(&packed))),
            contender("msgpacker json", || {
                msgpacker::serde::from_slice::<Json>(black_box(&packed))
            }),
            contender("serde_json", || serde_json::from_slice::<Json>(black_box(&text))),
        ],
    );
    report.row(
        &format!("{name} decode borrowed"),
        vec![
            contender("packord", || DecodeOptions::new().decode_ref(black_box(&packed))),
            contender("rmpv ref", || rmpv::decode::read_value_ref(&mut black_box(&packed[..]))),
            contender("zerompk", || {
                zerompk::from_msgpack::<zerompk::Value<'_>>(black_box(&packed))
            }),
        ],
    );
    report.row(
        &format!("{name} index, and trees"),
        vec![
            contender("packord", || Document::parse(black_box(&packed))),
            contender("rmpv ref", || rmpv::decode::read_value_ref(&mut black_box(&packed[..]))),
            contender("zerompk", || {
                zerompk::from_msgpack::<zerompk::Value<'_>>(black_box(&packed))
            }),
        ],
    );
    report.row(
        &format!("{name} index, and JSON"),
        vec![
            contender("packord", || Document::parse(black_box(&packed))),
            contender("sonic-rs", || sonic_rs::from_slice::<sonic_rs::Value>(black_box(&text))),
        ],
    );
    report.row(
        &format!("{name} serde encode json"),
        vec![
            contender("packord", || packord::serde::to_vec(black_box(source))),
            contender("rmp-serde", || rmp_serde::to_vec(black_box(source))),
            contender("msgpacker", || msgpacker::serde::to_vec(black_box(source))),
        ],
    );
    report.row(
        &format!("{name} serde decode json"),
        vec![
            contender("packord", || packord::serde::from_slice::<Json>(black_box(&packed))),
            contender("rmp-serde", || rmp_serde::from_slice::<Json>(black_box(&packed))),
            contender("msgpacker", || msgpacker::serde::from_slice::<Json>(black_box(&packed))),
        ],
    );
    Ok(())
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct User {
    id: u64,
    first_name: String,
    last_name: String,
    email: String,
    age: u32,
    active: bool,
    score: f64,
    created: u64,
    country: Option<String>,
    tags: Vec<String>,
}

/// Structs with serde, as maps and as arrays.
fn typed(report: &mut Report, random: &mut StdRng) -> Result<(), Box<dyn std::error::Error>> {
    let users: Vec<User> = (0..100)
        .map(|id| User {
            id,
            first_name: word(random),
            last_name: word(random),
            email: format!("{}@{}.example", word(random), word(random)),
            age: random.random_range(1..100),
            active: random.random(),
            score: random.random(),
            created: random.random_range(1 << 40..1 << 42),
            country: random.random_bool(0.5).then(|| "DE".to_owned()),
            tags: (0..random.random_range(0..4)).map(|_| word(random)).collect(),
        })
        .collect();
    let arrays = packord::serde::Config::new().structs_as_arrays(true);
    let (map, array) = (rmp_serde::to_vec_named(&users)?, rmp_serde::to_vec(&users)?);
    assert_eq!(packord::serde::to_vec(&users)?, map);
    assert_eq!(arrays.to_vec(&users)?, array);
    assert_eq!(packord::serde::from_slice::<Vec<User>>(&map)?, users);
    assert_eq!(packord::serde::from_slice::<Vec<User>>(&array)?, users);
    assert!(msgpacker::serde::from_slice::<Vec<User>>(&array).is_err());
    report.row(
        "users serde encode map",
        vec![
            contender("packord", || packord::serde::to_vec(black_box(&users))),
            contender("rmp-serde", || rmp_serde::to_vec_named(black_box(&users))),
        ],
    );
    report.row(
        "users serde decode map",
        vec![
            contender("packord", || packord::serde::from_slice::<Vec<User>>(black_box(&map))),
            contender("rmp-serde", || rmp_serde::from_slice::<Vec<User>>(black_box(&map))),
        ],
    );
    report.row(
        "users serde encode array",
        vec![
            contender("packord", || arrays.to_vec(black_box(&users))),
            contender("rmp-serde", || rmp_serde::to_vec(black_box(&users))),
            contender("msgpacker", || msgpacker::serde::to_vec(black_box(&users))),
        ],
    );
    report.row(
        "users serde decode array",
        vec![
            contender("packord", || packord::serde::from_slice::<Vec<User>>(black_box(&array))),
            // msgpacker does not read these bytes.
            contender("rmp-serde", || rmp_serde::from_slice::<Vec<User>>(black_box(&array))),
        ],
    );
    Ok(())
}

fn word(random: &mut StdRng) -> String {
    let len = random.random_range(3..12);
    (0..len).map(|_| char::from(random.random_range(b'a'..=b'z'))).collect()
}

fn words(random: &mut StdRng, from: usize, to: usize) -> String {
    let count = random.random_range(from..to);
    (0..count).map(|_| word(random)).collect::<Vec<_>>().join(" ")
}

/// Flat objects with a few lists of short strings.
fn movies(random: &mut StdRng) -> Json {
    (0..2400)
        .map(|_| {
            json!({
                "title": words(random, 1, 5),
                "year": random.random_range(1900..2025),
                "cast": (0..random.random_range(0..9)).map(|_| words(random, 2, 3)).collect::<Vec<_>>(),
                "genres": (0..random.random_range(0..4)).map(|_| word(random)).collect::<Vec<_>>(),
                "href": random.random_bool(0.8).then(|| format!("/{}", word(random))),
            })
        })
        .collect()
}

/// Rings of coordinates, and counts of every size.
fn numbers(random: &mut StdRng) -> Json {
    let rings: Vec<Json> = (0..400)
        .map(|_| {
            let points = (0..60).map(|_| json!([random.random_range(-180.0..180.0), random.random_range(-90.0..90.0)]));
            json!({ "ring": points.collect::<Vec<_>>(), "counts": counts(random) })
        })
        .collect();
    json!({ "type": "rings", "rings": rings })
}

fn counts(random: &mut StdRng) -> Vec<i64> {
    (0..20)
        .map(|_| random.random::<i64>() >> random.random_range(1..63))
        .collect()
}

/// Deep objects with long strings, some of them not ASCII, flags and nulls.
fn posts(random: &mut StdRng) -> Json {
    let posts: Vec<Json> = (0..400)
        .map(|id| {
            let text = words(random, 8, 24);
            let text = if random.random_bool(0.4) { text.replace('e', "é") + " 日本語のテキスト" } else { text };
            let number = random.random_range(1_u64 << 40..1 << 60);
            json!({
                "metadata": {"result_type": "recent", "iso_language_code": "ja"},
                "created_at": "Sun Aug 31 00:29:15 +0000 2014",
                "id": number, "id_str": number.to_string(), "text": text,
                "truncated": false, "in_reply_to_status_id": null, "in_reply_to_user_id": null,
                "user": {
                    "id": random.random::<u32>(), "name": words(random, 1, 3), "screen_name": word(random),
                    "description": words(random, 5, 30), "url": null, "protected": false,
                    "followers_count": random.random_range(0..100_000), "friends_count": random.random_range(0..3000),
                    "statuses_count": random.random_range(0..200_000), "lang": "en", "verified": random.random_bool(0.1),
                    "profile_background_color": "C0DEED", "following": false,
                    "profile_image_url": format!("http://images.example/{}/{}.jpeg", word(random), word(random)),
                },
                "entities": {
                    "hashtags": [], "symbols": [],
                    "urls": [{"url": format!("http://t.example/{}", word(random)), "indices": [id, id + 22]}],
                },
                "geo": null, "coordinates": null, "retweet_count": random.random_range(0..5000),
                "favorite_count": 0, "favorited": false, "retweeted": false, "lang": "ja",
            })
        })
        .collect();
    json!({ "statuses": posts, "search_metadata": {"completed_in": 0.087, "count": 100} })
}
