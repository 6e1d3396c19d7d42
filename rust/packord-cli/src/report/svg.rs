//! Bar charts as SVG, with the colours of the page.

use maud::{Markup, html};

/// Bars with a common label.
pub struct BarGroup {
    /// The label.
    pub label: String,
    /// The bars, from top to bottom.
    pub bars: Vec<ChartBar>,
}

/// One bar.
pub struct ChartBar {
    /// Its name, shown on hover.
    pub label: String,
    /// Its length.
    pub value: f64,
    /// The text after it.
    pub text: String,
    /// The index of its colour.
    pub series: usize,
    /// The range of the middle half of the measurements.
    pub spread: Option<(f64, f64)>,
}

const WIDTH: f64 = 860.0;
const LEFT: f64 = 150.0;
const RIGHT: f64 = 110.0;
const BAR: f64 = 15.0;
const STEP: f64 = 18.0;
const GAP: f64 = 14.0;
const TOP: f64 = 10.0;

/// Draws horizontal bars from 0, with a line at `reference`. Screen readers read `title`.
pub fn bars(title: &str, groups: &[BarGroup], reference: Option<f64>) -> Markup {
    let values = groups
        .iter()
        .flat_map(|group| &group.bars)
        .map(|bar| bar.value.max(bar.spread.map_or(0.0, |s| s.1)));
    let max = values.chain(reference).fold(f64::MIN_POSITIVE, f64::max);
    let x = |value: f64| LEFT + value / max * (WIDTH - LEFT - RIGHT);
    let mut y = TOP;
    let tops: Vec<f64> = groups
        .iter()
        .map(|group| {
            let top = y;
            y += group.bars.len() as f64 * STEP + GAP;
            top
        })
        .collect();
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {y}")) role="img" aria-label=(title) {
            @if let Some(reference) = reference {
                line.reference x1=(number(x(reference))) x2=(number(x(reference))) y1="0" y2=(y) {}
            }
            @for (group, &top) in groups.iter().zip(&tops) {
                text.group x=(LEFT - 10.0) y=(top + group.bars.len() as f64 * STEP / 2.0) text-anchor="end" dominant-baseline="central" {
                    (group.label)
                }
                @for (index, bar) in group.bars.iter().enumerate() {
                    @let top = top + index as f64 * STEP;
                    @let end = x(bar.value);
                    g {
                        title { (bar.label) ": " (bar.text) }
                        rect class=(format!("s{}", bar.series)) x=(LEFT) y=(top) width=(number(end - LEFT)) height=(BAR) rx="2" {}
                        @if let Some((low, high)) = bar.spread {
                            line.spread x1=(number(x(low))) x2=(number(x(high))) y1=(top + BAR / 2.0) y2=(top + BAR / 2.0) {}
                        }
                        @let text_start = bar.spread.map_or(end, |(_, high)| end.max(x(high)));
                        text.value x=(number(text_start + 6.0)) y=(top + BAR / 2.0) dominant-baseline="central" { (bar.text) }
                    }
                }
            }
            line.axis x1=(LEFT) x2=(LEFT) y1="0" y2=(y) {}
        }
    }
}

/// Formats a coordinate, in tenths of a pixel.
fn number(value: f64) -> String {
    format!("{value:.1}")
}
