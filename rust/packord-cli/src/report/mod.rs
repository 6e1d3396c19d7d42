//! The pages that `--html` writes: each is one file that loads nothing else, in light and dark mode.

mod bars;
pub mod bytes;
pub mod compare;
pub mod treemap;

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Returns the page of a command about an input, with styles of its own.
fn page_of(command: &str, input: &str, styles: &str, body: Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "packord " (command) ": " (input) }
                style { (PreEscaped(include_str!("page.css"))) (PreEscaped(styles)) }
            }
            body { (body) }
        }
    };
    page.into_string()
}
