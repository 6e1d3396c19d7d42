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

#[derive(MsgPacker)]
struct SomeKeys { #[msgpacker(key = 0)] a: u8, b: u8 }

#[derive(MsgPacker)]
struct FarKey { #[msgpacker(key = 1024)] a: u8 }

#[derive(MsgPacker)]
#[msgpacker(map)]
struct TwiceKey { #[msgpacker(key = -1)] a: u8, #[msgpacker(key = -1)] b: u8 }

#[derive(MsgPacker)]
#[msgpacker(map)]
struct TextKey { #[msgpacker(key = "a")] a: u8 }

#[derive(MsgPacker)]
#[msgpacker(map)]
struct TwoNames { #[msgpacker(key = 1, rename = "b")] a: u8 }

#[derive(MsgPacker)]
#[msgpacker(record)]
struct RecordKey { #[msgpacker(key = 1)] a: u8 }

fn main() {}
