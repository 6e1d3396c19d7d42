//! `packord completions` and `packord man`: shell completions and manual pages.

use std::fs;
use std::path::Path;

use clap::CommandFactory;

use crate::cli::{self, Cli};
use crate::failure::{Failure, Outcome};
use crate::output::{Output, write_file};

/// Writes the completions for a shell.
pub fn completions(command: &cli::Completions) -> Outcome {
    let mut output = Output::create(None)?;
    let mut text = Vec::new();
    clap_complete::generate(command.shell, &mut Cli::command(), "packord", &mut text);
    output.put(&text)?;
    output.commit()
}

/// Writes the manual page, or, with a folder, which may be new, the page of each command.
pub fn man(command: &cli::Man) -> Outcome {
    let mut whole = Cli::command();
    whole.build();
    let Some(folder) = &command.folder else {
        let mut output = Output::create(None)?;
        output.put(&page(whole)?)?;
        return output.commit();
    };
    fs::create_dir_all(folder).map_err(|error| Failure::output(&folder.display().to_string(), &error))?;
    pages(folder, "packord", &whole)?;
    write(folder, "packord", &page(whole)?)
}

/// Writes the pages of the commands of a command, and of those in them.
fn pages(folder: &Path, name: &str, whole: &clap::Command) -> Outcome {
    for inner in whole.get_subcommands() {
        // There is no page for the command `help`.
        if inner.get_name() == "help" {
            continue;
        }
        let name = format!("{name}-{}", inner.get_name());
        pages(folder, &name, inner)?;
        let inner = inner.clone().name(name.clone()).display_name(name.clone());
        write(folder, &name, &page(inner)?)?;
    }
    Ok(())
}

fn page(command: clap::Command) -> Outcome<Vec<u8>> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut text)
        .map_err(|error| Failure::output("the manual page", &error))?;
    Ok(text)
}

fn write(folder: &Path, name: &str, page: &[u8]) -> Outcome {
    write_file(&folder.join(format!("{name}.1")), page)
}
