//! Bar charts of plain elements, whose text keeps its size on a narrow screen.

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

/// The maximum number of steps of the scale.
const STEPS: f64 = 5.0;

/// Draws horizontal bars from 0 above a scale, with a line at `reference`. `unit` is the label of a value
/// on the scale. Screen readers read `title`.
pub fn bars(title: &str, groups: &[BarGroup], reference: Option<f64>, unit: fn(f64) -> String) -> Markup {
    let values = groups
        .iter()
        .flat_map(|group| &group.bars)
        .map(|bar| bar.value.max(bar.spread.map_or(0.0, |s| s.1)));
    let max = values.chain(reference).fold(f64::MIN_POSITIVE, f64::max);
    let step = step(max / STEPS);
    let ticks: Vec<f64> = (0..=(max / step) as u32).map(|tick| f64::from(tick) * step).collect();
    let share = |value: f64| format!("{:.2}%", value / max * 100.0);
    html! {
        div.chart role="img" aria-label=(title) {
            @for group in groups {
                div.name { (group.label) }
                div.plot {
                    @for &tick in &ticks { i.tick style={ "left:" (share(tick)) } {} }
                    @if let Some(reference) = reference { i.reference style={ "left:" (share(reference)) } {} }
                    @for bar in &group.bars {
                        div.bar title={ (bar.label) ": " (bar.text) } {
                            i class={ "s" (bar.series) } style={ "width:" (share(bar.value)) } {}
                            @if let Some((low, high)) = bar.spread {
                                i.spread style={ "left:" (share(low)) ";width:" (share(high - low)) } {}
                            }
                            @let end = bar.spread.map_or(bar.value, |(_, high)| bar.value.max(high));
                            span style={ "left:" (share(end)) } { (bar.text) }
                        }
                    }
                }
            }
            div.name {}
            div.plot.scale {
                @for &tick in &ticks { span style={ "left:" (share(tick)) } { (unit(tick)) } }
            }
        }
    }
}

/// Returns the smallest of 1, 2 and 5 times a power of ten that is not less.
fn step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= least);
    factor.unwrap_or(10.0) * power
}
