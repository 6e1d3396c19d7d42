//! The page of `stats --html`: a treemap of the bytes, with an area for each path.

use maud::{Markup, html};

use super::page_of;
use crate::figures::stats::{PathFigures, StatsFigures};
use crate::figures::units::{bytes, counted};

/// The width in which the areas are laid out. The page stretches them to its own width.
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 560.0;
/// The minimum side of an area that is drawn.
const MIN_SIDE: f64 = 3.0;
/// The height of the name of a container, above its content.
const TITLE: f64 = 15.0;
const ROWS: usize = 200;

/// Returns the whole page.
#[must_use]
pub fn page(figures: &StatsFigures) -> String {
    let total = figures.bytes.max(1) as f64;
    let main = html! {
        h1 { (figures.name) }
        p.facts {
            (bytes(figures.bytes)) ", " (counted(figures.messages, "message")) ", "
            (counted(figures.values, "value")) ", depth " (figures.depth) "; keys " (bytes(figures.parts.keys))
            ", values " (bytes(figures.parts.values)) ", headers " (bytes(figures.parts.headers))
        }
        h2 { "Where the bytes are" }
        p.facts { "Each area is a path. The content of a container is inside its area; the paler rest is its own header and key. The table has the figures." }
        (legend())
        (map(figures))
        h2 { "Paths" }
        div.wide { table {
            thead { tr { th { "path" } th { "bytes" } th { "share" } th { "of which keys" } th { "values" } th { "types" } } }
            tbody { @for path in figures.paths.iter().take(ROWS) { tr {
                th { (path.path) }
                td data-label="bytes" { (bytes(path.bytes)) }
                td data-label="share" { (format!("{:.1} %", path.bytes as f64 / total * 100.0)) }
                td data-label="of which keys" { (bytes(path.keys)) }
                td data-label="values" { (path.count) }
                td data-label="types" { (path.types) }
            } } }
        } }
        @if !figures.rewritten.is_empty() {
            h2 { "Size in other encodings, measured" }
            div.wide { table {
                thead { tr { th { "encoding" } th { "bytes" } th { "change" } } }
                tbody { @for way in &figures.rewritten { tr {
                    th { (way.how) }
                    td data-label="bytes" { (bytes(way.bytes)) }
                    td data-label="change" { (format!("{:+.1} %", (way.bytes as f64 / total - 1.0) * 100.0)) }
                } } }
            } }
        }
    };
    page_of("stats", &figures.name, "", html! { main { (main) } })
}

fn map(figures: &StatsFigures) -> Markup {
    // The children of a path have one more step.
    let mut areas = Vec::new();
    if let Some(root) = figures.paths.iter().find(|path| path.depth == 0) {
        let all = Area {
            x: 0.0,
            y: 0.0,
            width: WIDTH,
            height: HEIGHT,
        };
        let mut open = vec![(root, all)];
        while let Some((path, area)) = open.pop() {
            let inner = area.inside();
            let children: Vec<&PathFigures> = figures
                .paths
                .iter()
                .filter(|child| child.depth == path.depth + 1 && is_child(&path.path, &child.path))
                .collect();
            areas.push((path, area, children.is_empty()));
            if inner.width > MIN_SIDE && inner.height > MIN_SIDE {
                let whole: u64 = path.bytes.max(1);
                open.extend(layout(&children, inner, whole));
            }
        }
    }
    html! {
        div.ruler { i {} span { "a strip of this width: " (bytes(figures.bytes / 10)) ", a tenth" } }
        div.map role="img" aria-label="The bytes by path" style={ "height:" (HEIGHT) "px" } {
            @for (path, area, is_leaf) in &areas {
                div class=(format!("area s{}{}", colour(&path.types), if *is_leaf { "" } else { " outer" }))
                    style=(area.style())
                    title={ (path.path) ": " (bytes(path.bytes)) ", " (path.count) " × " (path.types) } {
                    @if area.height > TITLE + 2.0 && area.width > 30.0 { (last_step(&path.path)) }
                }
            }
        }
    }
}

/// What the colours mean.
fn legend() -> Markup {
    const COLOURS: [&str; 6] = ["nil, bool", "containers", "str", "numbers", "bin, ext", "several types"];
    html! {
        p.legend {
            @for (series, name) in COLOURS.iter().enumerate() {
                span { i class=(format!("s{series}")) {} (name) }
            }
        }
    }
}

/// Returns the index of the colour for values of these types.
fn colour(types: &str) -> usize {
    let one = |name: &str| match name {
        "nil" | "bool" => 0,
        "array" | "map" | "record" => 1,
        "str" => 2,
        "int" | "float 32" | "float 64" => 3,
        _ => 4,
    };
    let mut colours = types.split(", ").map(one);
    let first = colours.next().unwrap_or_default();
    if colours.all(|colour| colour == first) {
        first
    } else {
        5
    }
}

fn is_child(parent: &str, child: &str) -> bool {
    child
        .strip_prefix(parent)
        .is_some_and(|step| step.starts_with(['.', '[']))
}

/// Returns the last step of the path. What does not fit its area is cut by the page.
fn last_step(path: &str) -> &str {
    let start = path.rfind(['.', '[']).unwrap_or(0);
    path[start..].trim_start_matches('.')
}

#[derive(Clone, Copy)]
struct Area {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl Area {
    /// Returns its place on the page: across in shares of the width, which differs between screens.
    fn style(self) -> String {
        let share = |width: f64| width / WIDTH * 100.0;
        format!(
            "left:{:.2}%;top:{:.1}px;width:{:.2}%;height:{:.1}px",
            share(self.x),
            self.y,
            share(self.width),
            self.height
        )
    }

    /// Returns the area for the content.
    fn inside(self) -> Area {
        let top = if self.height > 2.0 * TITLE { TITLE } else { 1.0 };
        Area {
            x: self.x + 1.0,
            y: self.y + top,
            width: self.width - 2.0,
            height: self.height - top - 1.0,
        }
    }
}

/// Divides an area among paths, in rows along the shorter side. A row grows while its areas become
/// more square.
fn layout<'p>(paths: &[&'p PathFigures], mut area: Area, whole: u64) -> Vec<(&'p PathFigures, Area)> {
    let mut placed = Vec::new();
    let mut left = whole as f64;
    let mut rest = paths;
    while !rest.is_empty() && area.width > MIN_SIDE && area.height > MIN_SIDE && left > 0.0 {
        let scale = area.width * area.height / left;
        let short = area.width.min(area.height);
        let worst = |row: &[&PathFigures]| {
            let sum: f64 = row.iter().map(|path| path.bytes as f64 * scale).sum();
            row.iter()
                .map(|path| {
                    let size = (path.bytes as f64 * scale).max(f64::MIN_POSITIVE);
                    (short * short * size / (sum * sum)).max(sum * sum / (short * short * size))
                })
                .fold(0.0, f64::max)
        };
        let mut count = 1;
        while count < rest.len() && worst(&rest[..=count]) <= worst(&rest[..count]) {
            count += 1;
        }
        let (row, later) = rest.split_at(count);
        let sum: f64 = row.iter().map(|path| path.bytes as f64).sum();
        let thick = sum * scale / short;
        let mut along = 0.0;
        for &path in row {
            let long = path.bytes as f64 * scale / thick.max(f64::MIN_POSITIVE);
            let own = if area.width >= area.height {
                Area {
                    x: area.x,
                    y: area.y + along,
                    width: thick,
                    height: long,
                }
            } else {
                Area {
                    x: area.x + along,
                    y: area.y,
                    width: long,
                    height: thick,
                }
            };
            if own.width > MIN_SIDE && own.height > MIN_SIDE {
                placed.push((path, own));
            }
            along += long;
        }
        if area.width >= area.height {
            area.x += thick;
            area.width -= thick;
        } else {
            area.y += thick;
            area.height -= thick;
        }
        left -= sum;
        rest = later;
    }
    placed
}
