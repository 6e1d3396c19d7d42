//! Draws the picture of the front page from real output: `make pictures`.
//!
//! `picture PACKORD FILE.svg` runs a short session with the program PACKORD, and writes what a
//! terminal shows as SVG.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const FONT: f64 = 14.0;
/// The width of a character: that of common monospace fonts.
const COLUMN: f64 = 8.4;
const LINE: f64 = 20.0;
const MARGIN: f64 = 16.0;

const SESSION: [&str; 4] = [
    "cat ada.json",
    "packord pack ada.json -o ada.msgpack",
    "packord inspect ada.msgpack",
    "packord inspect --at 13 ada.msgpack",
];
const DOCUMENT: &str = r#"{"id": 300, "name": "Ada", "tags": ["x", "y"]}
"#;

#[allow(dead_code, reason = "the test that includes this file calls `draw`")]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [tool, file] = &arguments[..] else {
        return Err("usage: picture PACKORD FILE.svg".into());
    };
    let tool = std::fs::canonicalize(tool)?;
    if let Some(folder) = Path::new(file).parent() {
        std::fs::create_dir_all(folder)?;
    }
    Ok(std::fs::write(file, draw(&tool)?)?)
}

/// Runs the session and returns the picture.
///
/// # Errors
///
/// The program fails, or its output is not UTF-8.
pub fn draw(tool: &Path) -> Result<String, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("ada.json"), DOCUMENT)?;
    let mut lines = Vec::new();
    for command in SESSION {
        lines.push(format!("\u{1b}[1m$ {command}\u{1b}[0m"));
        let mut words = command.split(' ');
        if words.next() == Some("cat") {
            lines.push(DOCUMENT.trim_end().to_owned());
            continue;
        }
        let output = Command::new(tool)
            .args(words)
            .args(["--color", "always"])
            .current_dir(folder.path())
            .output()?;
        if !output.status.success() {
            return Err(String::from_utf8(output.stderr)?.into());
        }
        lines.extend(String::from_utf8(output.stdout)?.lines().map(str::to_owned));
    }
    svg(&lines)
}

/// Draws lines with escape sequences for colours.
fn svg(lines: &[String]) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    let mut widest = 0;
    for (index, line) in lines.iter().enumerate() {
        let y = MARGIN + FONT + index as f64 * LINE;
        let mut column = 0;
        for (style, part) in parts(line) {
            let start = column + part.chars().take_while(|letter| *letter == ' ').count();
            column += part.chars().count();
            let shown = part.trim();
            if shown.is_empty() {
                continue;
            }
            let count = shown.chars().count();
            widest = widest.max(start + count);
            // The length keeps the columns aligned in a font of another width.
            writeln!(
                text,
                r#"<text class="{}" x="{:.1}" y="{y:.1}" textLength="{:.1}">{}</text>"#,
                class(style),
                MARGIN + start as f64 * COLUMN,
                count as f64 * COLUMN,
                escape(shown)
            )?;
        }
    }
    let width = 2.0 * MARGIN + widest as f64 * COLUMN;
    let height = 2.0 * MARGIN + lines.len() as f64 * LINE;
    Ok(format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.1} {height:.1}" width="{width:.1}" height="{height:.1}" role="img" aria-label="packord inspect shows each value of a message with its offset, bytes, format and value">
<style>
text {{ font: {FONT}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; fill: #e6edf3 }}
.bold {{ font-weight: bold }}
.faint {{ fill: #9da7b3 }}
.red {{ fill: #ff7b72 }}
.green {{ fill: #7ee787 }}
.yellow {{ fill: #e3b341 }}
.blue {{ fill: #79c0ff }}
.magenta {{ fill: #d2a8ff }}
.cyan {{ fill: #56d4dd }}
</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
{text}</svg>
"##
    ))
}

/// Splits a line into parts of one style each: the number of the last escape sequence.
fn parts(line: &str) -> Vec<(&str, &str)> {
    let mut pieces = line.split("\u{1b}[");
    let mut parts = vec![("0", pieces.next().unwrap_or_default())];
    parts.extend(pieces.filter_map(|piece| piece.split_once('m')));
    parts
}

fn class(style: &str) -> &'static str {
    match style {
        "1" => "bold",
        "2" => "faint",
        "31" => "red",
        "32" => "green",
        "33" => "yellow",
        "34" => "blue",
        "35" => "magenta",
        "36" => "cyan",
        _ => "plain",
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
