//! Container files as input: their rows, unpacked on several threads.
//!
//! | file | what it does |
//! |---|---|
//! | `blocks` | the blocks of a file or a pipe, without those that a test rules out |
//! | `counted` | a reader that counts its bytes |
//! | `ruled_out` | what the statistics of a block say about a test |
//! | `statistics` | the statistics of several blocks together |
//! | `unpack` | work on the rows of each block, on several threads |
//! | `rows` | all rows as one stream of messages |

mod blocks;
mod counted;
mod rows;
mod ruled_out;
mod statistics;
mod unpack;

pub use blocks::{BlockCounts, Blocks, BlocksOptions, header_failure, not_a_container};
pub use counted::CountedReader;
pub use rows::rows_of;
pub use statistics::{WholeStatistics, compare};
pub use unpack::Unpacking;

/// Returns whether a container file begins with these bytes.
///
/// ```
/// use packord_cli::container::is_container;
/// assert!(is_container(b"\x94\xa7packord\x01\x81"));
/// assert!(!is_container(b"\x94\xa7packord\x02\x81"));
/// ```
#[must_use]
pub fn is_container(start: &[u8]) -> bool {
    start.starts_with(&packord::container::MAGIC)
}
