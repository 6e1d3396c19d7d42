//! Typed packing and unpacking, packord compared with its peers.
//!
//! Every contender of a row does the same work in the same process, in turns, so that
//! noise affects all of them. The result of each is checked before it is timed. Prints the median
//! of each and the ratio of the best peer to packord, and writes all figures as JSON:
//!
//! ```text
//! cargo run --release -p packord-bench -- [--quick] [--json FILE] [FILTER]
//! ```

mod data;
mod measure;
mod rows;

use measure::Report;

fn main() -> std::io::Result<()> {
    let mut report = Report::from_arguments();
    for count in [1, 10, 100, 1000] {
        rows::values(&mut report, count);
        rows::cities(&mut report, count);
        rows::users(&mut report, count);
    }
    rows::numbers(&mut report);
    report.save()
}
