//! Compares the public items of packord and packord-derive with the lists in the files
//! `public-api.txt` of the crates; with `--write`, writes them. Documentation as JSON, from which the
//! items come, needs a nightly toolchain.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

const CRATES: [&str; 2] = ["packord", "packord-derive"];

fn items(folder: &Path) -> Result<String, Box<dyn Error>> {
    let json = rustdoc_json::Builder::default()
        .toolchain("nightly")
        .manifest_path(folder.join("Cargo.toml"))
        .target_dir(folder.join("../target/public-api"))
        .all_features(true)
        .quiet(true)
        .build()?;
    let api = public_api::Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()?;
    Ok(without_members(&api.to_string()))
}

/// Leaves out what an `impl` of a trait contains: the trait says it.
fn without_members(list: &str) -> String {
    let mut short = String::new();
    let mut of: Option<String> = None;
    for line in list.lines() {
        if line.starts_with("impl") {
            let implementor = line.split_once(" for ").map(|(_, implementor)| implementor);
            let name = implementor.and_then(|text| text.split(" where ").next());
            of = name.map(|name| format!("{name}::"));
        } else if let Some(of) = &of {
            let item = line.splitn(3, ' ').nth(2).unwrap_or_default();
            let item = item.trim_start_matches("const ").trim_start_matches("unsafe ");
            let item = item.trim_start_matches("fn ");
            if item.starts_with(of.as_str()) {
                continue;
            }
        }
        short.push_str(line);
        short.push('\n');
    }
    short
}

/// Prints the lines that only one of the two has.
fn differences(listed: &str, found: &str) {
    for line in listed.lines().filter(|line| !found.lines().any(|other| other == *line)) {
        println!("- {line}");
    }
    for line in found.lines().filter(|line| !listed.lines().any(|other| other == *line)) {
        println!("+ {line}");
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let write = std::env::args().nth(1).as_deref() == Some("--write");
    let mut same = true;
    for name in CRATES {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
        let (path, found) = (folder.join("public-api.txt"), items(&folder)?);
        if write {
            std::fs::write(&path, &found)?;
        }
        let listed = std::fs::read_to_string(&path)?;
        if listed != found {
            same = false;
            println!("rust/{name}/public-api.txt is not what {name} has:");
            differences(&listed, &found);
        }
    }
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
