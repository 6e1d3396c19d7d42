//! The name under which a program has the crate `packord`: `msgpacker = { package = "packord", … }` gives it
//! another one.

use std::path::Path;
use std::{env, fs};

/// Returns the name that a manifest of the package or of its workspace gives to the crate. It is looked for each time:
/// in an editor, one process expands the macros of many packages.
pub fn name() -> String {
    let folder = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let manifests = Path::new(&folder).ancestors();
    let mut texts = manifests.filter_map(|folder| fs::read_to_string(folder.join("Cargo.toml")).ok());
    let name = texts.find_map(|text| renamed(&text));
    name.unwrap_or_else(|| "packord".to_owned())
}

/// Returns the name that a manifest gives to `packord`, or `None` if it has no dependency of this package.
fn renamed(manifest: &str) -> Option<String> {
    let mut section = "";
    let mut found = None;
    for line in manifest.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']').trim();
        }
        let (key, value) = line.split_once('=').unwrap_or((line, ""));
        let key = key.trim();
        let last = section.rsplit('.').next().unwrap_or_default();
        let is_list = last.ends_with("dependencies");
        let own = if is_list { key.split('.').next() } else { Some(last) };
        let own = own.unwrap_or_default().trim_matches(['"', '\'']);
        let value = value.replace(char::is_whitespace, "").replace('\'', "\"");
        let names_package = value.contains("package=\"packord\"") || key.ends_with("package") && value == "\"packord\"";
        if section.contains("dependencies") && (own == "packord" || names_package) {
            found = Some(own.replace('-', "_"));
            if own == "packord" {
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn the_name_of_the_crate_is_found() {
        for (manifest, name) in [
            ("[package]\nname = \"packord\"\n", None),
            ("[dependencies]\npackord = \"0.1\"\n", Some("packord")),
            (
                "[dependencies]\nmsgpacker = { package = \"packord\", version = \"0.1\" }\n",
                Some("msgpacker"),
            ),
            (
                "[dev-dependencies]\nmp-2 = {version=\"1\",package=\"packord\"} # why\n",
                Some("mp_2"),
            ),
            (
                "[dependencies.msgpacker]\nversion = \"0.1\"\npackage = \"packord\"\n",
                Some("msgpacker"),
            ),
            (
                "[target.'cfg(unix)'.dependencies]\nm = { package = \"packord\" }\n",
                Some("m"),
            ),
            (
                "[workspace.dependencies]\nm.package = \"packord\"\nm.version = \"1\"\n",
                Some("m"),
            ),
            ("[dependencies]\nother = { package = \"packord-derive\" }\n", None),
            (
                "[dependencies]\nm = { package = \"packord\" }\npackord = { path = \".\" }\n",
                Some("packord"),
            ),
            (
                "[dependencies]\nm = { package = 'packord', version = '1' }\n",
                Some("m"),
            ),
            ("[dependencies]\nmsgpacker = { workspace = true }\n", None),
        ] {
            assert_eq!(renamed(manifest).as_deref(), name, "{manifest}");
        }
    }
}
