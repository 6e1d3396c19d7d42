use packord::MsgPacker;

#[derive(MsgPacker)]
#[msgpacker(mapp)]
struct Unknown { a: u8 }

#[derive(MsgPacker)]
#[msgpacker(array, map)]
struct Twice { a: u8 }

#[derive(MsgPacker)]
#[msgpacker(untagged)]
struct NoEnum { a: u8 }

#[derive(MsgPacker)]
#[msgpacker(map)]
struct NoNames(u8, u8);

#[derive(MsgPacker)]
#[msgpacker(rename_all = "Camel")]
struct Case { a: u8 }

#[derive(MsgPacker)]
union Union { a: u8, b: i8 }

#[derive(MsgPacker)]
#[msgpacker(transparent)]
struct Two { a: u8, b: u8 }

#[derive(MsgPacker)]
#[msgpacker(transparent, map)]
struct Shown { a: u8 }

#[derive(MsgPacker)]
#[msgpacker(transparent)]
enum Clear { A(u8) }

fn main() {}
