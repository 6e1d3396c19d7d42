use packord::MsgPacker;

#[derive(MsgPacker)]
#[msgpacker(map)]
struct Unknown { #[msgpacker(renamed = "b")] a: u8 }

#[derive(MsgPacker)]
struct NoKeys { #[msgpacker(rename = "b")] a: u8 }

#[derive(MsgPacker)]
#[msgpacker(map)]
struct Two { #[msgpacker(binary, timestamp)] a: Vec<u8> }

#[derive(MsgPacker)]
#[msgpacker(map)]
struct Same { a: u8, #[msgpacker(rename = "a")] b: u8 }

#[derive(MsgPacker)]
#[msgpacker(map)]
struct NoPath { #[msgpacker(with = 5)] a: u8 }

fn main() {}
