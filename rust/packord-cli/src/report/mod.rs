//! The page of `compare --html`: one file, nothing loaded, readable in light and dark.

pub mod bytes;
mod svg;
pub mod treemap;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::commands::compare::figures::{Figures, Speed, Times};
use crate::words::{bytes, duration};
use svg::{Bar, Group};

/// The whole page.
#[must_use]
pub fn page(figures: &Figures) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "packord compare: " (figures.document) }
                style { (PreEscaped(include_str!("page.css"))) }
            }
            body {
                main {
                    h1 { (figures.document) }
                    p.facts { (bytes(figures.input_bytes)) " of JSON, compared by packord " (env!("CARGO_PKG_VERSION")) }
                    section.verdict {
                        @for sentence in &figures.verdict { p { (sentence) } }
                    }
                    (sizes(figures))
                    @if !figures.speeds.is_empty() { (speeds(figures)) }
                    @if !figures.notes.is_empty() {
                        h2 { "Notes" }
                        ul { @for note in &figures.notes { li { (note) } } }
                    }
                }
            }
        }
    };
    page.into_string()
}

fn sizes(figures: &Figures) -> Markup {
    let columns: Vec<Option<usize>> = std::iter::once(None)
        .chain((0..figures.compressors.len()).map(Some))
        .collect();
    let name = |column: Option<usize>| column.map_or("raw", |index| &figures.compressors[index]);
    let group = |&column: &Option<usize>| Group {
        label: name(column).to_owned(),
        bars: (figures.formats.iter().enumerate())
            .map(|(series, format)| {
                let value = figures.ratio(format, column);
                Bar {
                    label: format.name.clone(),
                    value,
                    text: format!("{value:.3}"),
                    series,
                    spread: None,
                }
            })
            .collect(),
    };
    let groups: Vec<Group> = columns.iter().map(group).collect();
    html! {
        h2 { "Size" }
        p.facts { "As a share of compact JSON under the same compressor; shorter is smaller." }
        p.legend {
            @for (series, format) in figures.formats.iter().enumerate() {
                span { i class=(format!("s{series}")) {} (format.name) }
            }
        }
        (svg::bars("Size of each format as a share of JSON", &groups, Some(1.0)))
        div.wide { table {
            thead { tr { th { "format" } @for &column in &columns { th { (name(column)) } } } }
            tbody { @for format in &figures.formats {
                tr {
                    th { (format.name) }
                    @for &column in &columns {
                        td {
                            (bytes(column.map_or(format.raw, |index| format.compressed[index])))
                            small { (format!("{:.3}", figures.ratio(format, column))) }
                        }
                    }
                }
            } }
        } }
    }
}

fn speeds(figures: &Figures) -> Markup {
    let formats: Vec<&str> = figures
        .formats
        .iter()
        .map(|format| format.name.as_str())
        .collect();
    let bar = |speed: &Speed, times: Times| Bar {
        label: format!(
            "{}, {}, read into: {}",
            speed.library, speed.format, speed.makes
        ),
        value: times.median_ns,
        text: duration(times.median_ns),
        series: formats
            .iter()
            .position(|name| *name == speed.format)
            .unwrap_or_default(),
        spread: Some((times.low_ns, times.high_ns)),
    };
    let chart = |title: &str, times: fn(&Speed) -> Option<Times>| {
        let group = |speed: &Speed| {
            Some(Group {
                label: speed.library.clone(),
                bars: vec![bar(speed, times(speed)?)],
            })
        };
        let groups: Vec<Group> = figures.speeds.iter().filter_map(group).collect();
        html! { h3 { (title) } (svg::bars(title, &groups, None)) }
    };
    html! {
        h2 { "Speed" }
        p.facts {
            "Time for the whole document in memory: the median of " (figures.rounds)
            " interleaved rounds, with the middle half of them as a line; shorter is faster. Libraries read into "
            "different things, and freeing these counts as reading: serde_json, rmp-serde, ciborium, bson and packord "
            "into values that own their memory, sonic-rs into values in an arena, packord's ValueRef into values that "
            "borrow texts, and its Document into an index over the bytes."
        }
        (chart("Writing: values to bytes", |speed| speed.encode))
        (chart("Reading: bytes to values", |speed| Some(speed.decode)))
    }
}
