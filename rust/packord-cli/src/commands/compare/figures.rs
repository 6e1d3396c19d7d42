//! What `compare` finds out, as data: the tables, the page and `--json` all show this.

use serde::Serialize;

/// All figures about one document.
#[derive(Serialize)]
pub struct Figures {
    /// The name of the input.
    pub document: String,
    /// Its length as it was given.
    pub input_bytes: u64,
    /// Names of the compressors, in the order of [`Format::compressed`].
    pub compressors: Vec<String>,
    /// The formats; JSON is the first.
    pub formats: Vec<Format>,
    /// The libraries; `serde_json` is the first.
    pub speeds: Vec<Speed>,
    /// How often each speed was measured.
    pub rounds: usize,
    /// What was left out, and why.
    pub notes: Vec<String>,
    /// What the figures mean, in sentences.
    pub verdict: Vec<String>,
}

/// The sizes of the document in one format.
#[derive(Serialize)]
pub struct Format {
    /// JSON, MessagePack …
    pub name: String,
    /// Bytes.
    pub raw: u64,
    /// Bytes under each compressor.
    pub compressed: Vec<u64>,
}

/// How fast one library writes and reads the document.
#[derive(Serialize)]
pub struct Speed {
    /// The library, and which of its ways.
    pub library: String,
    /// The format that it writes.
    pub format: String,
    /// What it reads bytes into.
    pub makes: String,
    /// From the library's values to bytes, where it writes what it reads.
    pub encode: Option<Times>,
    /// From bytes to the library's values, freeing them included.
    pub decode: Times,
}

/// The middle of many measurements.
#[derive(Clone, Copy, Default, Serialize)]
pub struct Times {
    /// Half of the measurements took less: nanoseconds for the whole document.
    pub median_ns: f64,
    /// A quarter took less.
    pub low_ns: f64,
    /// A quarter took more.
    pub high_ns: f64,
}

impl Times {
    /// Sorts measurements into a median and quartiles.
    pub fn of(mut samples: Vec<f64>) -> Times {
        samples.sort_by(f64::total_cmp);
        let at = |share: f64| {
            samples
                .get((share * (samples.len().saturating_sub(1)) as f64).round() as usize)
                .copied()
        };
        let at = |share| at(share).unwrap_or_default();
        Times {
            median_ns: at(0.5),
            low_ns: at(0.25),
            high_ns: at(0.75),
        }
    }
}

impl Figures {
    /// The size of a format as a share of JSON under the same compressor; `None` is raw.
    pub fn ratio(&self, format: &Format, compressor: Option<usize>) -> f64 {
        let size = |format: &Format| match compressor {
            None => format.raw,
            Some(index) => format.compressed.get(index).copied().unwrap_or_default(),
        };
        let json = self.formats.first().map_or(1, size);
        size(format) as f64 / json.max(1) as f64
    }

    /// The format with this name.
    pub fn format(&self, name: &str) -> Option<&Format> {
        self.formats.iter().find(|format| format.name == name)
    }

    /// The library with this name.
    pub fn speed(&self, library: &str) -> Option<&Speed> {
        self.speeds.iter().find(|speed| speed.library == library)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles() {
        let quartiles = |times| {
            let times = Times::of(times);
            [times.low_ns, times.median_ns, times.high_ns]
        };
        assert_eq!(quartiles(vec![5.0, 1.0, 4.0, 2.0, 3.0]), [2.0, 3.0, 4.0]);
        assert_eq!(quartiles(Vec::new()), [0.0; 3]);
    }
}
