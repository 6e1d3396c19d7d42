use packord::MsgPacker;

#[derive(MsgPacker)]
#[msgpacker(c_enum)]
enum Fields { A(u8) }

#[derive(MsgPacker)]
#[msgpacker(tag = "t")]
enum Tuple { A(u8, u8) }

#[derive(MsgPacker)]
#[msgpacker(tag = "t", untagged)]
enum Both { A }

#[derive(MsgPacker)]
enum Names { A, #[msgpacker(rename = "A")] B }

#[derive(MsgPacker)]
#[msgpacker(content = "c")]
enum Content { A }

#[derive(MsgPacker)]
#[msgpacker(tag = "c", content = "c")]
enum SameKeys { A }

fn main() {}
