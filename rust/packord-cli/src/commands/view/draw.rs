//! Draws the state: the tree, the bytes beside it, and what there is to say.

use anstyle::{AnsiColor, Color as AnsiChoice, Effects, Style as AnsiStyle};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use super::state::State;
use super::tree::{RowKind, TreeRow};
use crate::cli::keys;
use crate::figures::units;
use crate::terminal::style;

/// The least number of columns with the bytes beside the tree, with their text, and with 16 in a line.
const WIDE: [u16; 3] = [60, 100, 150];

/// Rows of the screen that are not those of the tree.
pub const FIXED: u16 = 3;

/// How the bytes are shown.
struct HexPane {
    in_line: u64,
    has_text: bool,
}

impl HexPane {
    fn width(&self) -> u16 {
        let text = if self.has_text { self.in_line + 1 } else { 0 };
        (10 + 3 * self.in_line + text) as u16
    }
}

/// Draws everything.
pub fn draw(frame: &mut Frame, state: &mut State, colour: bool) {
    let areas = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ]);
    let [title, middle, place, last] = areas.areas(frame.area());
    let paint = Paint { colour };
    let pane = pane(middle.width).filter(|_| state.hex);
    let width = pane.as_ref().map_or(0, |pane| pane.width() + 1);
    let [tree, bytes] = Layout::horizontal([Constraint::Min(1), Constraint::Length(width)]).areas(middle);
    state.fit(usize::from(middle.height));
    line(frame, title, title_line(state, &paint));
    if state.help {
        for (at, binding) in keys::BINDINGS.iter().enumerate() {
            let keys = Span::styled(format!("{:13} ", binding.names()), paint.of(style::TEXT));
            row_line(frame, middle, at, Line::from(vec![keys, Span::raw(binding.text)]));
        }
    } else {
        let selected = state.selected();
        for (at, row) in state.rows().iter().enumerate() {
            let is_selected = row.route == selected;
            row_line(frame, tree, at, tree_line(row, is_selected, state, &paint));
        }
        if let Some(pane) = pane {
            for (at, line) in hex_lines(state, &pane, bytes.height, &paint).into_iter().enumerate() {
                let area = Rect {
                    x: bytes.x + 1,
                    width: bytes.width.saturating_sub(1),
                    ..bytes
                };
                row_line(frame, area, at, line);
            }
        }
    }
    line(frame, place, place_line(state, &paint));
    line(frame, last, last_line(state, &paint));
}

fn pane(width: u16) -> Option<HexPane> {
    let [narrow, text, wide] = WIDE;
    (width >= narrow).then_some(HexPane {
        in_line: if width >= wide { 16 } else { 8 },
        has_text: width >= text,
    })
}

fn line(frame: &mut Frame, area: Rect, line: Line<'_>) {
    frame.render_widget(line, area);
}

fn row_line(frame: &mut Frame, area: Rect, at: usize, text: Line<'_>) {
    if at < usize::from(area.height) {
        line(
            frame,
            Rect {
                y: area.y + at as u16,
                height: 1,
                ..area
            },
            text,
        );
    }
}

fn title_line(state: &State, paint: &Paint) -> Line<'static> {
    let len = state.tree.data.source.len();
    let mut text = format!("{}  {}", clean(&state.name), units::bytes(len));
    if let Some(stream) = state.tree.level(&[]) {
        let count = stream.shown(&state.tree.data);
        let more = if stream.is_over(&state.tree.data) {
            ""
        } else {
            " or more"
        };
        text.push_str(&format!("  {}{more}", units::counted(count, "message")));
    }
    if let Some(filter) = &state.filter {
        let count = filter.rows.len() as u64;
        let noun = if count == 1 { "match" } else { "matches" };
        let more = if filter.is_full() { " or more" } else { "" };
        text.push_str(&format!("  {count} {noun}{more} for {}", filter.text()));
    }
    Line::styled(text, paint.plain(Modifier::BOLD))
}

fn tree_line(row: &TreeRow, is_selected: bool, state: &State, paint: &Paint) -> Line<'static> {
    let depth = if state.filter.is_some() {
        0
    } else {
        row.route.len().saturating_sub(1)
    };
    let mark = match row.open {
        _ if state.filter.is_some() => "",
        Some(true) => "▾ ",
        Some(false) => "▸ ",
        None => "  ",
    };
    let mut spans = vec![Span::raw(" ".repeat(2 * depth) + mark)];
    let gap = |text: &str| if text.is_empty() { "" } else { " " };
    let label = clean(&row.label) + gap(&row.label);
    spans.push(Span::styled(label, paint.of(style::TEXT)));
    match row.kind {
        RowKind::Value => {
            let format = clean(&row.format) + gap(&row.value);
            spans.push(Span::styled(format, paint.of(style::FORMAT)));
            spans.push(Span::styled(clean(&row.value), paint.of(row.style)));
        }
        RowKind::Fault => {
            let style = paint.of(style::REMOVED).add_modifier(Modifier::BOLD);
            spans.push(Span::styled(format!("✗ {}", clean(&row.value)), style));
        }
        RowKind::Reading => {
            spans.push(Span::styled(row.value.clone(), paint.of(style::FAINT)));
        }
    }
    let line = Line::from(spans);
    if is_selected {
        line.patch_style(Style::new().add_modifier(Modifier::REVERSED))
    } else {
        line
    }
}

/// The lines of bytes around the selected value.
fn hex_lines(state: &mut State, pane: &HexPane, height: u16, paint: &Paint) -> Vec<Line<'static>> {
    let selected = state.selected();
    let source_len = state.tree.data.source.len();
    let (from, to) = match state.selected_span() {
        Some((from, to)) => (from, to.unwrap_or(source_len)),
        None => {
            let offset = state.tree.offset(&selected);
            (offset, offset + 1)
        }
    };
    let start = (from / pane.in_line).saturating_sub(2) * pane.in_line;
    let bytes = state
        .tree
        .data
        .source
        .unpatched(start, pane.in_line as usize * usize::from(height));
    let mut lines = Vec::new();
    for (number, chunk) in bytes.chunks(pane.in_line as usize).enumerate() {
        let offset = start + number as u64 * pane.in_line;
        let mut spans = vec![Span::styled(format!("{offset:08x}"), paint.of(style::FAINT))];
        let style_of = |at: usize| {
            let offset = offset + at as u64;
            if (from..to).contains(&offset) {
                paint.of(style::BYTES).add_modifier(Modifier::REVERSED)
            } else {
                paint.of(style::BYTES)
            }
        };
        for (at, byte) in chunk.iter().enumerate() {
            spans.push(Span::raw(if at == 0 { "  " } else { " " }));
            spans.push(Span::styled(format!("{byte:02x}"), style_of(at)));
        }
        if pane.has_text {
            let missing = pane.in_line as usize - chunk.len();
            spans.push(Span::raw(" ".repeat(3 * missing + 1)));
            for (at, byte) in chunk.iter().enumerate() {
                let letter = if byte.is_ascii_graphic() {
                    char::from(*byte)
                } else {
                    '.'
                };
                spans.push(Span::styled(letter.to_string(), style_of(at)));
            }
        }
        lines.push(Line::from(spans));
    }
    lines
}

fn place_line(state: &mut State, paint: &Paint) -> Line<'static> {
    let path = state.path();
    let selected = state.selected();
    let at = match state.selected_span() {
        Some((from, Some(to))) => format!("byte {from}, {}", units::counted(to - from, "byte")),
        Some((from, None)) => format!("byte {from}"),
        None => format!("byte {}", state.tree.offset(&selected)),
    };
    let style = paint.plain(Modifier::REVERSED);
    Line::from(vec![
        Span::styled(format!("{at}  "), style),
        Span::styled(clean(&path), style),
    ])
}

fn last_line(state: &State, paint: &Paint) -> Line<'static> {
    if let Some((question, text)) = &state.question {
        return Line::from(format!("{}{}▏", question.sign(), clean(text)));
    }
    if let Some(trouble) = &state.tree.data.source.trouble {
        return Line::styled(clean(trouble), paint.of(style::REMOVED));
    }
    if !state.note.is_empty() {
        return Line::from(clean(&state.note));
    }
    if let Some(offset) = state.reading {
        let share = offset as f64 * 100.0 / state.tree.data.source.len().max(1) as f64;
        return Line::from(format!("reading, {share:.0} %  (Esc stops)"));
    }
    Line::styled(
        "? keys  / search  : path  @ byte  f filter  q end",
        paint.of(style::FAINT),
    )
}

/// Replaces what a terminal would take for a command.
fn clean(text: &str) -> String {
    let shown = |letter: char| {
        if letter.is_control() { '\u{fffd}' } else { letter }
    };
    text.chars().map(shown).collect()
}

/// Styles, without colours if they are off.
struct Paint {
    colour: bool,
}

impl Paint {
    fn plain(&self, modifier: Modifier) -> Style {
        Style::new().add_modifier(modifier)
    }

    /// Returns a style of the other commands.
    fn of(&self, from: AnsiStyle) -> Style {
        let mut style = Style::new();
        if !self.colour {
            return style;
        }
        if from.get_effects().contains(Effects::DIMMED) {
            style = style.add_modifier(Modifier::DIM);
        }
        match from.get_fg_color() {
            Some(AnsiChoice::Ansi(colour)) => style.fg(match colour {
                AnsiColor::Cyan => Color::Cyan,
                AnsiColor::Blue => Color::Blue,
                AnsiColor::Green => Color::Green,
                AnsiColor::Yellow => Color::Yellow,
                AnsiColor::Magenta => Color::Magenta,
                AnsiColor::Red => Color::Red,
                _ => Color::Reset,
            }),
            _ => style,
        }
    }
}
