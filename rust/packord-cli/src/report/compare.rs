//! The page of `compare --html`.

use maud::{Markup, html};

use super::bars::{self, BarGroup, ChartBar};
use super::page_of;
use crate::figures::compare::{CompareFigures, LibrarySpeed, Quartiles};
use crate::figures::units::{bytes, duration};

/// Returns the whole page.
#[must_use]
pub fn page(figures: &CompareFigures) -> String {
    let main = html! {
        h1 { (figures.document) }
        p.facts { (bytes(figures.input_bytes)) " of JSON, compared by packord " (env!("CARGO_PKG_VERSION")) }
        section.verdict {
            @for sentence in &figures.verdict { p { (unbroken(sentence)) } }
        }
        (sizes(figures))
        @if !figures.speeds.is_empty() { (speeds(figures)) }
        @if !figures.notes.is_empty() {
            h2 { "Notes" }
            ul { @for note in &figures.notes { li { (note) } } }
        }
    };
    page_of("compare", &figures.document, "", html! { main { (main) } })
}

/// Keeps numbers and their units on one line.
fn unbroken(sentence: &str) -> String {
    let units = [" %", " B", " kB", " MB", " GB"];
    units.iter().fold(sentence.to_owned(), |text, unit| {
        text.replace(unit, &unit.replace(' ', "\u{a0}"))
    })
}

fn sizes(figures: &CompareFigures) -> Markup {
    let columns: Vec<Option<usize>> = std::iter::once(None)
        .chain((0..figures.compressors.len()).map(Some))
        .collect();
    let name = |column: Option<usize>| column.map_or("raw", |index| &figures.compressors[index]);
    let group = |&column: &Option<usize>| BarGroup {
        label: name(column).to_owned(),
        bars: (figures.formats.iter().enumerate())
            .map(|(series, format)| {
                let value = figures.ratio(format, column);
                ChartBar {
                    label: format.name.clone(),
                    value,
                    text: format!("{value:.3}"),
                    series,
                    spread: None,
                }
            })
            .collect(),
    };
    let groups: Vec<BarGroup> = columns.iter().map(group).collect();
    html! {
        h2 { "Size" }
        p.facts { "As a share of compact JSON with the same compressor. Shorter is smaller." }
        (legend(figures))
        (bars::bars("Size of each format as a share of JSON", &groups, Some(1.0), |share| format!("{share:.1}")))
        div.wide { table {
            thead { tr { th { "format" } @for &column in &columns { th { (name(column)) } } } }
            tbody { @for format in &figures.formats {
                tr {
                    th { (format.name) }
                    @for &column in &columns {
                        td data-label=(name(column)) {
                            (bytes(column.map_or(format.raw, |index| format.compressed[index])))
                            small { (format!("{:.3}", figures.ratio(format, column))) }
                        }
                    }
                }
            } }
        } }
    }
}

/// The colours of the formats.
fn legend(figures: &CompareFigures) -> Markup {
    html! {
        p.legend {
            @for (series, format) in figures.formats.iter().enumerate() {
                span { i class=(format!("s{series}")) {} (format.name) }
            }
        }
    }
}

fn speeds(figures: &CompareFigures) -> Markup {
    let formats: Vec<&str> = figures.formats.iter().map(|format| format.name.as_str()).collect();
    let bar = |speed: &LibrarySpeed, times: Quartiles| ChartBar {
        label: format!("{}, {}, read into: {}", speed.library, speed.format, speed.makes),
        value: times.median_ns,
        text: duration(times.median_ns),
        series: formats
            .iter()
            .position(|name| *name == speed.format)
            .unwrap_or_default(),
        spread: Some((times.low_ns, times.high_ns)),
    };
    let chart = |title: &str, times: fn(&LibrarySpeed) -> Option<Quartiles>| {
        let group = |speed: &LibrarySpeed| {
            Some(BarGroup {
                label: speed.library.clone(),
                bars: vec![bar(speed, times(speed)?)],
            })
        };
        let groups: Vec<BarGroup> = figures.speeds.iter().filter_map(group).collect();
        html! { h3 { (title) } (bars::bars(title, &groups, None, duration)) }
    };
    html! {
        h2 { "Speed" }
        (legend(figures))
        p.facts {
            "Time for the whole document in memory: the median of " (figures.rounds)
            " interleaved rounds. The line shows the middle half of them. Shorter is faster. Libraries read into "
            "different representations, and freeing them counts as reading: serde_json, rmp-serde, ciborium, bson and packord "
            "into values that own their memory, sonic-rs into values in an arena, packord's ValueRef into values that "
            "borrow strings, and its Document into an index over the bytes."
        }
        (chart("Encoding: values to bytes", |speed| speed.encode))
        (chart("Decoding: bytes to values", |speed| Some(speed.decode)))
    }
}
