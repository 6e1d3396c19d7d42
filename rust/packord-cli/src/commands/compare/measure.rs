//! Sizes under the compressors, and speeds in interleaved rounds.

use std::io;
use std::time::{Duration, Instant};

use super::contenders::Contender;
use super::figures::{Format, Speed, Times};
use crate::compress::Compressor;
use crate::failure::{Failure, Outcome};
use crate::progress::Progress;

/// How large a dictionary becomes: what zstd recommends for small messages.
const DICTIONARY: usize = 16 << 10;

/// The sizes of each format, which are the same for all libraries that write it. Each document is
/// compressed alone.
///
/// With `trained`, zstd is also given a dictionary: it is learnt from every second document, and
/// all sizes are those of the others.
pub fn sizes(
    contenders: &[Contender],
    compressors: &[Compressor],
    trained: bool,
    progress: &Progress,
) -> Outcome<Vec<Format>> {
    let mut formats: Vec<Format> = Vec::new();
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
            let size: io::Result<u64> = measured
                .iter()
                .map(|document| compressor.size(document))
                .sum();
            compressed.push(
                size.map_err(|error| Failure::Invalid(format!("{}: {error}", compressor.name())))?,
            );
            progress.advance(1);
        }
        if trained {
            let samples: Vec<&[u8]> = (contender.documents.iter().step_by(2))
                .map(Vec::as_slice)
                .collect();
            let size = with_dictionary(&samples, &measured);
            compressed.push(
                size.map_err(|error| Failure::Invalid(format!("{DICTIONARY_NAME}: {error}")))?,
            );
        }
        formats.push(Format {
            name: contender.format.to_owned(),
            raw: measured.iter().map(|document| document.len() as u64).sum(),
            compressed,
        });
    }
    Ok(formats)
}

/// The name of zstd with a dictionary.
pub const DICTIONARY_NAME: &str = "zstd 3, dictionary";

/// The size of the documents under a dictionary that is learnt from the samples.
fn with_dictionary(samples: &[&[u8]], documents: &[&[u8]]) -> io::Result<u64> {
    let dictionary = zstd::dict::from_samples(samples, DICTIONARY)?;
    let mut compressor = zstd::bulk::Compressor::with_dictionary(3, &dictionary)?;
    documents
        .iter()
        .map(|document| Ok(compressor.compress(document)?.len() as u64))
        .sum()
}

/// How long the measuring of speeds may take.
#[derive(Clone, Copy)]
pub struct Budget {
    /// For all rounds together.
    pub total: Duration,
    /// The fewest rounds, whatever they take.
    pub least_rounds: usize,
}

const MOST_ROUNDS: usize = 101;
/// One sample repeats the work until it takes so long.
const SAMPLE: Duration = Duration::from_millis(1);

/// Measures all libraries in turn, round by round, so that what slows the machine down for a
/// while slows all of them down. Also says how many rounds there were.
pub fn speeds(
    contenders: &[Contender],
    budget: Budget,
    progress: &Progress,
) -> (Vec<Speed>, usize) {
    let works: Vec<_> = contenders
        .iter()
        .flat_map(|contender| contender.encode.iter().chain([&contender.decode]))
        .collect();
    let repeats: Vec<u32> = works.iter().map(|work| calibrate(work)).collect();
    let mut samples = vec![Vec::new(); works.len()];
    let began = Instant::now();
    let mut rounds = 0;
    while rounds < MOST_ROUNDS && (rounds < budget.least_rounds || began.elapsed() < budget.total) {
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
    let mut times = samples.into_iter().map(Times::of);
    let speeds = contenders.iter().map(|contender| Speed {
        library: contender.library.to_owned(),
        format: contender.format.to_owned(),
        makes: contender.makes.to_owned(),
        encode: contender.encode.as_ref().and_then(|_| times.next()),
        decode: times.next().unwrap_or_default(),
    });
    (speeds.collect(), rounds)
}

/// How often the work fits into one sample. The first run, which warms up, is not counted.
fn calibrate(work: &dyn Fn()) -> u32 {
    work();
    let start = Instant::now();
    work();
    let once = start.elapsed().max(Duration::from_nanos(1));
    u32::try_from(SAMPLE.as_nanos() / once.as_nanos() + 1).unwrap_or(u32::MAX)
}
