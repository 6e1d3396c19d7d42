//! `packord container repair`: the whole blocks of a cut or damaged file.

use std::io::{self, Write};
use std::path::Path;

use super::copy::{begin, like, not_a_container};
use crate::cli;
use crate::container::{Blocks, BlocksOptions, Unpacking, is_container};
use crate::failure::{Failure, Outcome};
use crate::input::Input;
use crate::limits::FAULTS;
use crate::output::Output;
use crate::progress::Progress;
use crate::threads::Threads;
use crate::units::counted;

/// Writes the blocks that are whole.
pub fn run(command: &cli::ContainerRepair) -> Outcome {
    let output = Output::create(command.out.as_deref())?;
    output.refuse_terminal(command.force)?;
    let progress = Progress::bytes(output.is_terminal());
    let path = command.file.as_deref().unwrap_or(Path::new("-"));
    let mut input = Input::open(path, false, &progress)?;
    let start = input.peek()?;
    if !is_container(&start) {
        return Err(not_a_container(&input.name));
    }
    repair(input, output, command.max_block, command.quiet)
}

/// Copies the whole blocks of an input to an output, and reports on standard error what was left out.
pub fn repair(input: Input, output: Output, max_block: u64, quiet: bool) -> Outcome {
    // From the beginning, whatever the index says. A body at fault is left out, too.
    let options = BlocksOptions {
        reading: cli::ContainerReading {
            on_bad_block: cli::OnBadBlock::Skip,
            max_block,
            ..cli::ContainerReading::default()
        },
        sequential: true,
        quiet: true,
        ..BlocksOptions::default()
    };
    let blocks = Blocks::of_input(input, &options, &Progress::bytes(false))?;
    let mut sink = begin(output, like(blocks.header()))?;
    let mut checked = Unpacking::new(blocks, &Threads::start(None)?, |block, _| block.clone());
    let (mut blocks, mut rows, mut bytes) = (0, 0, 0);
    while let Some(block) = checked.next_result()? {
        sink.copy(&block, None)?;
        blocks += 1;
        rows += block.count();
        bytes += block.size();
    }
    let kept = format!(
        "{}, {}, {}",
        counted(blocks, "block"),
        counted(rows, "row"),
        counted(bytes, "byte")
    );
    let mut passed = checked.blocks().faults().to_vec();
    passed.sort_by_key(|(range, _)| range.start);
    let mut text = String::new();
    for (_, fault) in passed.iter().take(FAULTS) {
        text.push_str(&format!("{fault}\n"));
    }
    text.push_str(&format!("  kept: {kept}"));
    for (range, _) in passed.iter().take(FAULTS) {
        let (from, to) = (range.start, range.end);
        let len = counted(to.saturating_sub(from), "byte");
        text.push_str(&format!(
            "\n  left out: {len} from byte {from} to byte {to}"
        ));
    }
    if passed.len() > FAULTS {
        text.push_str(&format!(
            "\n  {} in all",
            counted(passed.len() as u64, "fault")
        ));
    }
    if !passed.is_empty() && blocks == 0 {
        return Err(Failure::Invalid(text));
    }
    if passed.is_empty() {
        text = format!("nothing to repair: {kept}");
    }
    if !quiet {
        // If standard error fails, only the report is lost.
        let _ = writeln!(io::stderr(), "{text}");
    }
    sink.finish()?.commit()
}
