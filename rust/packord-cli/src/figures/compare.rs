//! The figures of `compare`.

use serde::Serialize;

/// All figures about one document.
#[derive(Serialize)]
pub struct CompareFigures {
    /// The name of the input.
    pub document: String,
    /// Its length in bytes.
    pub input_bytes: u64,
    /// Names of the compressors, in the order of [`FormatSizes::compressed`].
    pub compressors: Vec<String>,
    /// The formats. JSON is the first.
    pub formats: Vec<FormatSizes>,
    /// The libraries. `serde_json` is the first.
    pub speeds: Vec<LibrarySpeed>,
    /// The number of rounds in which speeds were measured.
    pub rounds: usize,
    /// What was left out, and why.
    pub notes: Vec<String>,
    /// The conclusions, as sentences.
    pub verdict: Vec<String>,
}

/// The sizes of the document in one format.
#[derive(Serialize)]
pub struct FormatSizes {
    /// Its name: JSON, MessagePack …
    pub name: String,
    /// Bytes without compression.
    pub raw: u64,
    /// Bytes with each compressor.
    pub compressed: Vec<u64>,
}

/// How fast a library encodes and decodes the document.
#[derive(Serialize)]
pub struct LibrarySpeed {
    /// The library, and its mode.
    pub library: String,
    /// The format.
    pub format: String,
    /// What it decodes into.
    pub makes: String,
    /// From the library's values to bytes, unless they cannot be encoded.
    pub encode: Option<Quartiles>,
    /// From bytes to the library's values, which are freed too.
    pub decode: Quartiles,
}

/// The quartiles of many measurements, in nanoseconds for the whole document.
#[derive(Clone, Copy, Default, Serialize)]
pub struct Quartiles {
    /// The median.
    pub median_ns: f64,
    /// The first quartile.
    pub low_ns: f64,
    /// The third quartile.
    pub high_ns: f64,
}

impl Quartiles {
    /// Computes the quartiles of measurements.
    pub fn of(mut samples: Vec<f64>) -> Quartiles {
        samples.sort_by(f64::total_cmp);
        let at = |share: f64| {
            samples
                .get((share * (samples.len().saturating_sub(1)) as f64).round() as usize)
                .copied()
        };
        let at = |share| at(share).unwrap_or_default();
        Quartiles {
            median_ns: at(0.5),
            low_ns: at(0.25),
            high_ns: at(0.75),
        }
    }
}

impl CompareFigures {
    /// Returns the size of a format as a share of JSON with the same compressor. `None` means without
    /// compression.
    pub fn ratio(&self, format: &FormatSizes, compressor: Option<usize>) -> f64 {
        let size = |format: &FormatSizes| match compressor {
            None => format.raw,
            Some(index) => format.compressed.get(index).copied().unwrap_or_default(),
        };
        let json = self.formats.first().map_or(1, size);
        size(format) as f64 / json.max(1) as f64
    }

    /// Returns the format with this name.
    pub fn format(&self, name: &str) -> Option<&FormatSizes> {
        self.formats.iter().find(|format| format.name == name)
    }

    /// Returns the library with this name.
    pub fn speed(&self, library: &str) -> Option<&LibrarySpeed> {
        self.speeds.iter().find(|speed| speed.library == library)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_those_of_the_sorted_samples() {
        let quartiles = |times| {
            let times = Quartiles::of(times);
            [times.low_ns, times.median_ns, times.high_ns]
        };
        assert_eq!(quartiles(vec![5.0, 1.0, 4.0, 2.0, 3.0]), [2.0, 3.0, 4.0]);
        assert_eq!(quartiles(Vec::new()), [0.0; 3]);
    }
}
