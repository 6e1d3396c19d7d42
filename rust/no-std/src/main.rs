//! packord in a program without `std` and without a global allocator: it would not link if any part
//! of the crate allocated. Exits with 0, or with the line of a failed check.

#![no_std]
#![no_main]

use core::ffi::c_int;
use packord::encode::Packer;
use packord::wire::Fixed;
use packord::{ErrorKind, MsgPackerBorrowed, Packable, UnpackableBorrowed, Walker};

#[link(name = "c")]
unsafe extern "C" {
    fn abort() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: `abort` has no conditions.
    unsafe { abort() }
}

/// The compiled `core` names it, though nothing unwinds here.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

#[derive(Debug, PartialEq, MsgPackerBorrowed)]
#[msgpacker(map)]
struct Reading<'a> {
    sensor: &'a str,
    celsius: f32,
    at: Option<u64>,
    #[msgpacker(binary)]
    raw: &'a [u8],
    flags: [bool; 3],
}

macro_rules! check {
    ($condition:expr) => {
        if !$condition {
            return line!() as c_int;
        }
    };
}

#[unsafe(no_mangle)]
extern "C" fn main() -> c_int {
    let reading = Reading {
        sensor: "kitchen",
        celsius: -3.5,
        at: Some(1 << 40),
        raw: &[0, 255],
        flags: [true, false, true],
    };
    let mut space = [0; 96];
    let Ok(len) = reading.pack_to_slice(&mut space) else {
        return line!() as c_int;
    };
    let bytes = &space[..len];
    check!(packord::validate(bytes).is_ok());
    check!(<Reading<'_> as UnpackableBorrowed<'_>>::unpack(bytes).as_ref() == Ok(&reading));
    let fault = <Reading<'_> as UnpackableBorrowed<'_>>::unpack(&bytes[..len - 1]);
    check!(fault.is_err_and(|error| error.kind() == ErrorKind::Eof));
    let full = reading.pack_to_slice(&mut [0; 20]);
    check!(full.is_err_and(|error| error.kind() == ErrorKind::BufferFull));

    let mut walker = Walker::new(bytes);
    let mut events = 0;
    while let Ok(Some(_)) = walker.next() {
        events += 1;
    }
    check!(events == 1 + 5 * 2 + 3 + 2);

    let mut space = [0; 4];
    let mut packer = Packer::new(Fixed::new(&mut space));
    check!(packer.array(1).is_ok() && packer.str("ok").is_ok());
    check!(packer.buffer().written() == b"\x91\xa2ok");
    0
}
