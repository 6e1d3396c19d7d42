//! Reads a struct of five fields from a slice, on a device without an operating system.

#![no_std]
#![no_main]

#[cfg(feature = "alloc")]
mod heap;

use core::hint::black_box;
use core::panic::PanicInfo;

#[cfg(not(feature = "alloc"))]
#[derive(packord::MsgUnpackerBorrowed)]
struct Reading<'a> {
    id: u32,
    celsius: f32,
    sensor: &'a str,
    is_valid: bool,
    after: Option<u16>,
}

#[cfg(feature = "alloc")]
#[derive(packord::Unpackable)]
struct Reading {
    id: u32,
    celsius: f32,
    sensor: heap::String,
    is_valid: bool,
    after: Option<u16>,
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}

#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    let bytes: &[u8] = black_box(b"\x95\x07\xca\x41\xa8\0\0\xa3abc\xc3\xc0");
    #[cfg(not(feature = "alloc"))]
    let read = <Reading<'_> as packord::UnpackableBorrowed<'_>>::unpack(bytes);
    #[cfg(feature = "alloc")]
    let read = <Reading as packord::Unpackable>::unpack(bytes);
    match &read {
        Ok(reading) => black_box((
            reading.id,
            reading.celsius,
            reading.sensor.len(),
            reading.is_valid,
            reading.after,
        )),
        Err(error) => black_box((error.kind() as u32, 0.0, 0, false, None)),
    };
    loop {}
}
