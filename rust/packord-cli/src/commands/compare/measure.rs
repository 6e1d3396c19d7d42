//! Measures sizes with the compressors, and speeds in interleaved rounds.

use std::io;
use std::time::{Duration, Instant};

use super::compress::Compressor;
use super::contenders::Contender;
use crate::failure::{Failure, Outcome};
use crate::figures::compare::{FormatSizes, LibrarySpeed, Quartiles};
use crate::terminal::progress::Progress;

/// Measures the sizes of each format, which are the same for all its libraries. Each document is
/// compressed alone.
///
/// With `trained`, zstd is also measured with a dictionary. It is trained with every second
/// document, and all sizes are those of the others.
pub fn sizes(
    contenders: &[Contender],
    compressors: &[Compressor],
    trained: bool,
    progress: &Progress,
) -> Outcome<Vec<FormatSizes>> {
    let mut formats: Vec<FormatSizes> = Vec::new();
    for contender in contenders {
        if formats.iter().any(|format| format.name == contender.format) {
            continue;
        }
        let measured: Vec<&[u8]> = (contender.documents.iter().enumerate())
            .filter(|(index, _)| !trained || index % 2 == 1)
            .map(|(_, document)| document.as_slice())
            .collect();
        let mut compressed = Vec::new();
        for compressor in compressors {
            progress.say(&format!("{}, {}", contender.format, compressor.name()));
            let size: io::Result<u64> = measured.iter().map(|document| compressor.size(document)).sum();
            compressed.push(size.map_err(|error| Failure::Invalid(format!("{}: {error}", compressor.name())))?);
            progress.advance(1);
        }
        if trained {
            let samples: Vec<&[u8]> = (contender.documents.iter().step_by(2)).map(Vec::as_slice).collect();
            let size = with_dictionary(&samples, &measured);
            compressed.push(size.map_err(|error| Failure::Invalid(format!("{DICTIONARY_NAME}: {error}")))?);
        }
        formats.push(FormatSizes {
            name: contender.format.to_owned(),
            raw: measured.iter().map(|document| document.len() as u64).sum(),
            compressed,
        });
    }
    Ok(formats)
}

/// The name of zstd with a dictionary.
pub const DICTIONARY_NAME: &str = "zstd 3, dictionary";

/// Returns the size of the documents, compressed with a dictionary that is trained with the samples.
#[cfg(feature = "zstd")]
fn with_dictionary(samples: &[&[u8]], documents: &[&[u8]]) -> io::Result<u64> {
    // As zstd recommends for small messages.
    const DICTIONARY: usize = 16 << 10;
    let dictionary = zstd::dict::from_samples(samples, DICTIONARY)?;
    let mut compressor = zstd::bulk::Compressor::with_dictionary(3, &dictionary)?;
    documents
        .iter()
        .map(|document| Ok(compressor.compress(document)?.len() as u64))
        .sum()
}

#[cfg(not(feature = "zstd"))]
fn with_dictionary(_samples: &[&[u8]], _documents: &[&[u8]]) -> io::Result<u64> {
    Err(io::Error::other(Failure::built_without("zstd")))
}

/// How long to measure speeds.
#[derive(Clone, Copy)]
pub struct MeasuringTime {
    /// The time for all rounds.
    pub total: Duration,
    /// The minimum number of rounds, even if they take longer.
    pub min_rounds: usize,
}

const MAX_ROUNDS: usize = 101;
/// The minimum time of one sample, which repeats the work.
const SAMPLE: Duration = Duration::from_millis(1);

/// Measures all libraries in turn, round by round, so that a slow phase of the machine affects all of
/// them. Returns the speeds and the number of rounds.
pub fn speeds(contenders: &[Contender], time: MeasuringTime, progress: &Progress) -> (Vec<LibrarySpeed>, usize) {
    let works: Vec<_> = contenders
        .iter()
        .flat_map(|contender| contender.encode.iter().chain([&contender.decode]))
        .collect();
    let repeats: Vec<u32> = works.iter().map(|work| calibrate(work)).collect();
    let mut samples = vec![Vec::new(); works.len()];
    let began = Instant::now();
    let mut rounds = 0;
    while rounds < MAX_ROUNDS && (rounds < time.min_rounds || began.elapsed() < time.total) {
        progress.say(&format!("speed, round {}", rounds + 1));
        for ((work, &repeats), samples) in works.iter().zip(&repeats).zip(&mut samples) {
            let start = Instant::now();
            for _ in 0..repeats {
                work();
            }
            samples.push(start.elapsed().as_nanos() as f64 / f64::from(repeats));
        }
        rounds += 1;
    }
    let mut times = samples.into_iter().map(Quartiles::of);
    let speeds = contenders.iter().map(|contender| LibrarySpeed {
        library: contender.library.to_owned(),
        format: contender.format.to_owned(),
        makes: contender.makes.to_owned(),
        encode: contender.encode.as_ref().and_then(|_| times.next()),
        decode: times.next().unwrap_or_default(),
    });
    (speeds.collect(), rounds)
}

/// Returns how often the work fits into one sample. A first run warms up and is not counted.
fn calibrate(work: &dyn Fn()) -> u32 {
    work();
    let mut repeats = 1;
    loop {
        let start = Instant::now();
        for _ in 0..repeats {
            work();
        }
        let took = start.elapsed();
        // Some clocks, those of browsers among them, have steps of a tenth of a millisecond.
        if took * 4 >= SAMPLE || repeats > u32::MAX / 8 {
            let once = took.max(Duration::from_nanos(1)) / repeats;
            let more = SAMPLE.as_nanos() / once.as_nanos().max(1) + 1;
            return u32::try_from(more).unwrap_or(u32::MAX);
        }
        repeats *= 4;
    }
}
