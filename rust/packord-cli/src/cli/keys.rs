//! The keys of `view`, in one table: the program, its help and the README have them from here.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Down,
    Up,
    PageDown,
    PageUp,
    First,
    Last,
    Unfold,
    Fold,
    Toggle,
    Parent,
    Search,
    Next,
    Previous,
    Filter,
    Path,
    Byte,
    Copy,
    Hex,
    Help,
    Cancel,
    Quit,
}

/// Keys that do the same.
pub struct Binding {
    keys: &'static [KeyCode],
    pub action: Action,
    pub text: &'static str,
}

const fn binding(keys: &'static [KeyCode], action: Action, text: &'static str) -> Binding {
    Binding { keys, action, text }
}

/// All keys.
pub const BINDINGS: &[Binding] = {
    use KeyCode::{Char, Down, End, Enter, Esc, Home, Left, PageDown, PageUp, Right, Up};
    &[
        binding(&[Down, Char('j')], Action::Down, "next row"),
        binding(&[Up, Char('k')], Action::Up, "previous row"),
        binding(&[PageDown, Char('d')], Action::PageDown, "next page"),
        binding(&[PageUp, Char('u')], Action::PageUp, "previous page"),
        binding(&[Home, Char('g')], Action::First, "first row"),
        binding(
            &[End, Char('G')],
            Action::Last,
            "last message, after reading up to there",
        ),
        binding(&[Right, Char('l')], Action::Unfold, "unfold, or go into the container"),
        binding(&[Left, Char('h')], Action::Fold, "fold, or go to the container around"),
        binding(
            &[Enter, Char(' ')],
            Action::Toggle,
            "fold or unfold; in a filter: show in the tree",
        ),
        binding(&[Char('p')], Action::Parent, "go to the container around"),
        binding(&[Char('/')], Action::Search, "search keys and values"),
        binding(&[Char('n')], Action::Next, "next match"),
        binding(&[Char('N')], Action::Previous, "previous match"),
        binding(
            &[Char('f')],
            Action::Filter,
            "show only what matches; nothing shows all again",
        ),
        binding(&[Char(':')], Action::Path, "go to a path: `users[3].name`, `$2`"),
        binding(&[Char('@')], Action::Byte, "go to the value at a byte: `812`, `0x32c`"),
        binding(&[Char('y')], Action::Copy, "copy the path (OSC 52)"),
        binding(&[Char('x')], Action::Hex, "show or hide the bytes"),
        binding(&[Char('?')], Action::Help, "show or hide these keys"),
        binding(&[Esc], Action::Cancel, "stop what is going on, or leave the filter"),
        binding(&[Char('q')], Action::Quit, "end (also Ctrl-C)"),
    ]
};

impl Binding {
    /// Returns the names of the keys.
    pub fn names(&self) -> String {
        let names: Vec<String> = self.keys.iter().map(name).collect();
        names.join(", ")
    }
}

fn name(key: &KeyCode) -> String {
    match key {
        KeyCode::Char(' ') => "Space".to_owned(),
        KeyCode::Char(letter) => letter.to_string(),
        KeyCode::PageDown => "PgDn".to_owned(),
        KeyCode::PageUp => "PgUp".to_owned(),
        other => format!("{other:?}"),
    }
}

/// Returns what a key does outside a prompt.
pub fn action(key: KeyEvent) -> Option<Action> {
    if is_interrupt(key) {
        return Some(Action::Quit);
    }
    let found = BINDINGS.iter().find(|binding| binding.keys.contains(&key.code));
    found.map(|binding| binding.action)
}

/// Returns whether the key is Ctrl-C, which no signal tells of while keys are read one by one.
pub fn is_interrupt(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
}

/// Returns one line for each binding.
pub fn list() -> String {
    let line = |binding: &Binding| format!("  {:13} {}\n", binding.names(), binding.text);
    BINDINGS.iter().map(line).collect()
}

/// Returns the table of the README.
#[cfg(test)]
fn table() -> String {
    let mut table = "| keys | do |\n|---|---|\n".to_owned();
    for binding in BINDINGS {
        let keys: Vec<String> = binding.keys.iter().map(|key| format!("`{}`", name(key))).collect();
        table.push_str(&format!("| {} | {} |\n", keys.join(", "), binding.text));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_has_the_table() {
        let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
        let readme = std::fs::read_to_string(readme).unwrap();
        assert!(readme.contains(&table()), "expected:\n{}", table());
    }

    #[test]
    fn every_key_does_one_thing() {
        let mut seen = Vec::new();
        for binding in BINDINGS {
            for key in binding.keys {
                assert!(!seen.contains(key), "{key:?}");
                seen.push(*key);
                let event = KeyEvent::new(*key, KeyModifiers::NONE);
                assert_eq!(action(event), Some(binding.action));
            }
        }
        let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(action(interrupt), Some(Action::Quit));
    }
}
