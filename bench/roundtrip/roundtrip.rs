//! Reads canonical `MessagePack` files into values, packs these again, and prints a line for each
//! file: its name, `same` or `differs` for the bytes of the canonical form, and the median
//! microseconds of reading and of packing with default options, separated by tabs.
//!
//! `cargo run --release -p packord-roundtrip -- SECONDS FILE...`, where SECONDS is the
//! time to spend on each direction.

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use packord::EncodeOptions;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().ok_or("SECONDS is missing")?.parse()?;
    for file in arguments {
        let bytes = std::fs::read(&file)?;
        let value = packord::from_slice::<packord::Value>(&bytes)?;
        let verdict = if EncodeOptions::new().canonical(true).encode(&value)? == bytes {
            "same"
        } else {
            "differs"
        };
        let read = median(seconds, || packord::from_slice::<packord::Value>(black_box(&bytes)));
        let packed = median(seconds, || packord::to_vec(black_box(&value)));
        println!("{file}\t{verdict}\t{read:.2}\t{packed:.2}");
    }
    Ok(())
}

/// Returns the median microseconds of a call, including the drop of what it returns.
fn median<T>(seconds: f64, mut call: impl FnMut() -> T) -> f64 {
    let mut times = Vec::new();
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    while times.len() < 3 || Instant::now() < end {
        let began = Instant::now();
        drop(black_box(call()));
        times.push(began.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
