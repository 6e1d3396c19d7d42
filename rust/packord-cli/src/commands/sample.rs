//! `packord sample`: a generated document of events, the same for the same seed.

use std::io::Write;

use fastrand::Rng;
use serde_json::{Value, json};

use crate::cli;
use crate::failure::Outcome;
use crate::output::Output;

/// Writes events until the size is reached.
pub fn run(command: &cli::Sample) -> Outcome {
    let mut output = Output::create(command.out.as_deref())?;
    let mut random = Rng::with_seed(command.seed);
    let mut written = 0;
    let mut id = 100_000;
    if !command.lines {
        output.put(br#"{"max_modified":"2026-05-17T08:41:07Z","events":["#)?;
    }
    while written < command.size {
        let event = event(&mut random, id).to_string();
        let separator: &[u8] = match (command.lines, written) {
            (true, _) => b"\n",
            (false, 0) => b"",
            (false, _) => b",",
        };
        let (before, after) = if command.lines {
            (&b""[..], separator)
        } else {
            (separator, &b""[..])
        };
        output.put(before)?;
        output.put(event.as_bytes())?;
        output.put(after)?;
        written += (event.len() + separator.len()) as u64;
        id += random.u32(1..9);
    }
    if !command.lines {
        writeln!(output, "],\"count\":{}}}", id - 100_000).map_err(|error| output.failure(&error))?;
    }
    output.commit()
}

const WORDS: [&str; 40] = [
    "annual", "garden", "jazz", "open", "studio", "harbour", "winter", "science", "market", "night", "lecture",
    "river", "craft", "choir", "cycling", "café", "film", "poetry", "family", "museum", "street", "food", "history",
    "walk", "chamber", "music", "modern", "dance", "summer", "school", "robotics", "maker", "fair", "book", "club",
    "vintage", "theatre", "workshop", "festival", "quartet",
];
const CITIES: [(&str, &str); 8] = [
    ("Lisbon", "PT"),
    ("Zürich", "CH"),
    ("Montréal", "CA"),
    ("Nairobi", "KE"),
    ("Osaka", "JP"),
    ("Porto Alegre", "BR"),
    ("Tromsø", "NO"),
    ("Wellington", "NZ"),
];

fn event(random: &mut Rng, id: u32) -> Value {
    let (city, country) = CITIES[random.usize(..CITIES.len())];
    let start = 1_767_225_600 + i64::from(random.u32(..365 * 96)) * 900;
    let price = if random.u8(..3) == 0 {
        Value::Null
    } else {
        json!(f64::from(random.u32(4..160)) / 2.0)
    };
    json!({
        "id": id,
        "title": words(random, 2, 5),
        "start": time(start),
        "end": time(start + i64::from(random.u32(2..12)) * 1800),
        "all_day": random.u8(..10) == 0,
        "city": city,
        "country": country,
        "venue_id": random.u32(1..5000),
        "capacity": random.u32(10..900),
        "attending": random.u32(0..400),
        "price": price,
        "rating": f64::from(random.u32(20..51)) / 10.0,
        "sold_out": random.u8(..6) == 0,
        "cancelled": random.u8(..25) == 0,
        "tags": (0..random.usize(..4)).map(|_| WORDS[random.usize(..WORDS.len())]).collect::<Vec<_>>(),
    })
}

fn words(random: &mut Rng, min: usize, max: usize) -> String {
    let words: Vec<_> = (0..random.usize(min..=max))
        .map(|_| WORDS[random.usize(..WORDS.len())])
        .collect();
    words.join(" ")
}

fn time(seconds: i64) -> String {
    packord::Timestamp::new(seconds, 0)
        .map(|at| at.to_string())
        .unwrap_or_default()
}
