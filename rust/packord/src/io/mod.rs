//! Messages from [`std::io::Read`] and to [`std::io::Write`].

mod reader;
mod walk;
mod window;
mod writer;

pub use reader::{Messages, UnpackReader};
pub use walk::WalkReader;
pub use writer::PackWriter;
