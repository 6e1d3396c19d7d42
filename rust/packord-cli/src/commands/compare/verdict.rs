//! The conclusions for this document, as sentences.

use super::contenders::{
    COLUMNS, DOCUMENT, JSON, MESSAGEPACK, PACKORD, PACKORD_COLUMNS, PACKORD_RECORDS, RECORDS, SERDE_JSON, SHARED, SONIC,
};
use crate::figures::compare::CompareFigures;
use crate::figures::units::bytes;

/// A ratio below this is a gain.
const GAIN: f64 = 0.95;
/// A relative difference in time up to this is not reported.
const SAME: f64 = 0.02;

/// Returns the sentences, from the sizes to the conclusion.
pub fn of(figures: &CompareFigures) -> Vec<String> {
    let mut sentences = Vec::new();
    let (Some(json), Some(plain), Some(records), Some(columns)) = (
        figures.format(JSON),
        figures.format(MESSAGEPACK),
        figures.format(RECORDS),
        figures.format(COLUMNS),
    ) else {
        return sentences;
    };
    sentences.push(format!(
        "Uncompressed, MessagePack is {} compact JSON ({} instead of {}); with records it is {} JSON ({}), with columns {} JSON ({}).",
        than(figures.ratio(plain, None)),
        bytes(plain.raw),
        bytes(json.raw),
        than(figures.ratio(records, None)),
        bytes(records.raw),
        than(figures.ratio(columns, None)),
        bytes(columns.raw),
    ));
    if !figures.compressors.is_empty() {
        sentences.push(format!(
            "Compressed, plain MessagePack is {}; with records {}; with columns {}.",
            span(figures, MESSAGEPACK),
            span(figures, RECORDS),
            span(figures, COLUMNS)
        ));
        if let Some(shared) = figures.format(SHARED).filter(|shared| {
            // Within one document, definitions are few bytes.
            figures.ratio(shared, None) < GAIN * figures.ratio(records, None)
        }) {
            sentences.push(format!(
                "With record structures that both sides share it is {} JSON uncompressed ({}), and compressed {}.",
                than(figures.ratio(shared, None)),
                bytes(shared.raw),
                span(figures, SHARED)
            ));
        }
        sentences.extend(smallest(figures));
    }
    sentences.extend(reading(figures));
    sentences.extend(writing(figures));
    sentences.push(conclusion(figures));
    sentences
}

/// Returns `24 % smaller than`.
fn than(ratio: f64) -> String {
    match ratio {
        ..0.995 => format!("{:.0} % smaller than", (1.0 - ratio) * 100.0),
        1.005.. => format!("{:.0} % larger than", (ratio - 1.0) * 100.0),
        _ => "as large as".to_owned(),
    }
}

/// Returns `from 2 % smaller than JSON (gzip 6) to 4 % larger than JSON (brotli 11)`.
fn span(figures: &CompareFigures, name: &str) -> String {
    let Some(format) = figures.format(name) else {
        return String::new();
    };
    let mut ratios: Vec<_> = figures
        .compressors
        .iter()
        .enumerate()
        .map(|(index, by)| (figures.ratio(format, Some(index)), by))
        .collect();
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    match (ratios.first(), ratios.last()) {
        (Some(min), Some(max)) if than(min.0) != than(max.0) => {
            format!(
                "from {} JSON ({}) to {} JSON ({})",
                than(min.0),
                min.1,
                than(max.0),
                max.1
            )
        }
        (Some(only), _) => format!("{} JSON with every compressor", than(only.0)),
        _ => String::new(),
    }
}

/// Names the smallest format and its compressor.
fn smallest(figures: &CompareFigures) -> Option<String> {
    let all = figures.formats.iter().flat_map(|format| {
        format
            .compressed
            .iter()
            .zip(&figures.compressors)
            .map(move |(&size, by)| (size, &format.name, by))
    });
    let (size, format, by) = all.min_by_key(|&(size, ..)| size)?;
    Some(format!("The smallest is {format} with {by}: {}.", bytes(size)))
}

/// Returns `as long as` or `0.50 times as long as`.
fn times(own: f64, other: f64) -> String {
    if (own / other - 1.0).abs() < SAME {
        "as long as".to_owned()
    } else {
        format!("{:.2} times as long as", own / other)
    }
}

/// Compares owned values with owned values, and the index with the arena.
fn reading(figures: &CompareFigures) -> Option<String> {
    let time = |library| figures.speed(library).map(|speed| speed.decode.median_ns);
    let (own, serde) = (time(PACKORD)?, time(SERDE_JSON)?);
    let mut sentence = format!(
        "To decode into owned values, packord takes {} serde_json; with records {} serde_json, with columns {} serde_json.",
        times(own, serde),
        times(time(PACKORD_RECORDS)?, serde),
        times(time(PACKORD_COLUMNS)?, serde)
    );
    if let (Some(document), Some(sonic)) = (time(DOCUMENT), time(SONIC)) {
        sentence.push_str(&format!(
            " Its Document, an index over the bytes, takes {} sonic-rs, which builds an arena.",
            times(document, sonic)
        ));
    }
    Some(sentence)
}

fn writing(figures: &CompareFigures) -> Option<String> {
    let time = |library| Some(figures.speed(library)?.encode?.median_ns);
    let (own, serde) = (time(PACKORD)?, time(SERDE_JSON)?);
    let mut sentence = format!("To encode, packord takes {} serde_json", times(own, serde));
    if let Some(sonic) = time(SONIC) {
        sentence.push_str(&format!(" and {} sonic-rs", times(own, sonic)));
    }
    sentence.push_str(&format!(
        "; with records {} serde_json, with columns {} serde_json.",
        times(time(PACKORD_RECORDS)?, serde),
        times(time(PACKORD_COLUMNS)?, serde)
    ));
    Some(sentence)
}

/// Returns the mean ratio with the compressors of everyday use: `None` if none of them was measured.
fn usual_ratio(figures: &CompareFigures, name: &str) -> Option<f64> {
    let format = figures.format(name)?;
    let usual = ["gzip 6", "brotli 5", "zstd 3"];
    let logs: Vec<f64> = (figures.compressors.iter().enumerate())
        .filter(|(_, by)| usual.contains(&by.as_str()))
        .map(|(index, _)| figures.ratio(format, Some(index)).ln())
        .collect();
    (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
}

fn conclusion(figures: &CompareFigures) -> String {
    let raw = |name| figures.format(name).map_or(1.0, |format| figures.ratio(format, None));
    let packed = |name| usual_ratio(figures, name).unwrap_or(1.0);
    let pace = pace(figures);
    let with = match (packed(RECORDS) < GAIN, packed(COLUMNS) < GAIN) {
        (true, true) => "with records and with columns",
        (true, false) => "with records",
        (false, true) => "with columns",
        (false, false) => "",
    };
    let text = match (packed(MESSAGEPACK) < GAIN, with) {
        (true, "") => format!("plain MessagePack is smaller, compressed or not; {pace}."),
        (true, with) => {
            format!("MessagePack is smaller, compressed or not, plain and {with}; {pace}.")
        }
        (false, "") => {
            let is_smaller = [MESSAGEPACK, RECORDS, COLUMNS]
                .map(raw)
                .iter()
                .any(|&ratio| ratio < GAIN);
            let saved = if is_smaller {
                "5 % or more only without compression"
            } else {
                "less than 5 %"
            };
            format!("MessagePack saves {saved}; {pace}.")
        }
        (false, with) => format!(
            "{with} it is smaller after compression too; plain MessagePack saves {}, and {pace}.",
            if raw(MESSAGEPACK) < GAIN {
                "5 % or more only without compression"
            } else {
                "less than 5 %"
            }
        ),
    };
    format!("In short, for this document: {text}")
}

/// What the sentence about speed is about: one of both alone can be slower.
const BOTH: &str = "encoding and decoding together";

/// Compares encoding and decoding together with both JSON libraries.
fn pace(figures: &CompareFigures) -> String {
    let total = |writer, reader| {
        let encode = figures.speed(writer)?.encode?;
        Some(encode.median_ns + figures.speed(reader)?.decode.median_ns)
    };
    if figures.speed(PACKORD).is_none() {
        return "speed was not measured".to_owned();
    }
    let faster = |reader, library| {
        let (own, other) = (total(PACKORD, reader)?, total(library, library)?);
        let word = if own < GAIN * other { "faster" } else { "not faster" };
        Some((word, library))
    };
    match (faster(PACKORD, SERDE_JSON), faster(DOCUMENT, SONIC)) {
        (Some((word, serde)), Some((same, sonic))) if word == same => {
            format!("{BOTH} it is {word} than {serde} and {sonic}")
        }
        (Some((word, serde)), Some((but, sonic))) => {
            format!("{BOTH} it is {word} than {serde}, and {but} than {sonic}")
        }
        (one, other) => one.or(other).map_or_else(String::new, |(word, library)| {
            format!("{BOTH} it is {word} than {library}")
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::compare::{FormatSizes, LibrarySpeed, Quartiles};

    fn figures(plain: [u64; 2], records: [u64; 2], columns: [u64; 2], packord_ns: f64) -> CompareFigures {
        let format = |name: &str, [raw, gzip]: [u64; 2]| FormatSizes {
            name: name.into(),
            raw,
            compressed: vec![gzip],
        };
        let speed = |library: &str, median_ns| {
            let times = Quartiles {
                median_ns,
                low_ns: median_ns,
                high_ns: median_ns,
            };
            LibrarySpeed {
                library: library.into(),
                format: String::new(),
                makes: String::new(),
                encode: Some(times),
                decode: times,
            }
        };
        CompareFigures {
            document: "test".into(),
            input_bytes: 1000,
            compressors: vec!["gzip 6".into()],
            formats: vec![
                format(JSON, [1000, 100]),
                format(MESSAGEPACK, plain),
                format(RECORDS, records),
                format(COLUMNS, columns),
            ],
            speeds: vec![
                speed(SERDE_JSON, 100.0),
                speed(PACKORD, packord_ns),
                speed(PACKORD_RECORDS, 50.0),
                speed(PACKORD_COLUMNS, 60.0),
            ],
            rounds: 1,
            notes: Vec::new(),
            verdict: Vec::new(),
        }
    }

    #[test]
    fn the_verdict_follows_the_figures() {
        let good = of(&figures([760, 70], [430, 60], [300, 50], 50.0));
        assert_eq!(
            good[0],
            "Uncompressed, MessagePack is 24 % smaller than compact JSON (760 B instead of 1.0 kB); with records it is 57 % smaller than JSON (430 B), with columns 70 % smaller than JSON (300 B)."
        );
        assert!(
            good.last()
                .unwrap()
                .contains("MessagePack is smaller, compressed or not, plain and with records and with columns;")
        );
        assert!(good.last().unwrap().contains("it is faster"));
        assert!(good.contains(&"The smallest is MessagePack + columns with gzip 6: 50 B.".to_owned()));
    }

    #[test]
    fn the_verdict_admits_that_nothing_is_gained() {
        let blog = of(&figures([870, 101], [860, 100], [870, 101], 100.0));
        assert!(
            blog.last()
                .unwrap()
                .contains("only without compression; encoding and decoding together it is not faster"),
            "{blog:?}"
        );
        assert!(
            blog[1].contains("1 % larger than JSON with every compressor"),
            "{blog:?}"
        );
        assert!(
            of(&figures([1000, 101], [990, 100], [1000, 101], 100.0))
                .last()
                .unwrap()
                .contains("MessagePack saves less than 5 %")
        );
    }

    #[test]
    fn the_verdict_says_which_mode_is_smaller_after_compression() {
        let last = |records, columns| {
            let sentences = of(&figures([760, 100], records, columns, 50.0));
            sentences.last().unwrap().clone()
        };
        for (records, columns, with) in [
            (80, 100, "with records"),
            (100, 80, "with columns"),
            (80, 70, "with records and with columns"),
        ] {
            let sentence = last([430, records], [400, columns]);
            let expected = format!("{with} it is smaller after compression too");
            assert!(sentence.contains(&expected), "{sentence}");
        }
    }
}
