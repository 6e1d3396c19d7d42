//! The whole blocks of a cut or damaged container file, for `packord repair`.

use std::io::{self, Write};

use crate::failure::{Failure, Outcome, describe};
use crate::figures::units::counted;
use crate::limits::FAULTS;
use crate::output::{Output, failure};
use crate::source::input::Input;
use crate::terminal::style;

/// Writes the whole blocks of an input to an output, and reports on standard error what was left out.
pub fn repair(input: Input, mut output: Output, max_block: u64, quiet: bool) -> Outcome {
    output.hold_container()?;
    let name = input.name.clone();
    let mut sink = Sink { output, failed: false };
    let outcome = packord::container::repair(input, &mut sink, max_block);
    let report = match outcome.map(|(_, report)| report) {
        Ok(report) => report,
        Err(error) if sink.failed => return Err(failure(sink.output.name(), &error)),
        Err(error) => return Err(Failure::from(error).within(&name)),
    };
    let kept = format!(
        "{}, {}, {}",
        counted(report.blocks, "block"),
        counted(report.rows, "row"),
        counted(report.bytes, "byte")
    );
    let passed = &report.left_out;
    let mut text = String::new();
    for fault in passed.iter().take(FAULTS) {
        text.push_str(&format!("{}\n", describe(&fault.error)));
    }
    text.push_str(&format!("  kept: {kept}"));
    for fault in passed.iter().take(FAULTS) {
        let (from, to) = (fault.range.start, fault.range.end);
        let len = counted(to.saturating_sub(from), "byte");
        text.push_str(&format!("\n  left out: {len} from byte {from} to byte {to}"));
    }
    if passed.len() > FAULTS {
        text.push_str(&format!("\n  {} in all", counted(passed.len() as u64, "fault")));
    }
    if !passed.is_empty() && report.blocks == 0 {
        return Err(Failure::Invalid(text).within(&name));
    }
    if passed.is_empty() {
        text = format!("nothing to repair: {kept}");
    }
    if !quiet {
        style::tell(&text);
    }
    sink.output.commit()
}

/// An output that remembers whether an error is its own.
struct Sink {
    output: Output,
    failed: bool,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.output.write(bytes);
        self.failed |= done.is_err();
        done
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.output.flush();
        self.failed |= done.is_err();
        done
    }
}
