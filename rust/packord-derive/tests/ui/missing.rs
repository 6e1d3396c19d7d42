use packord::{Packable, Unpackable};

struct Opaque;

#[derive(Packable)]
struct Written { a: u8, b: Opaque, c: String }

#[derive(Unpackable)]
struct Read { a: u8, b: Vec<Opaque>, c: String }

fn main() {}
