//! Messages from [`std::io::Read`] and to [`std::io::Write`].

mod reader;
mod writer;

pub use reader::UnpackReader;
pub use writer::PackWriter;
