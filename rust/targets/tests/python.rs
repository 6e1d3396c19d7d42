//! What the Python package passes over, where a header can announce more than a pointer reaches.

#[path = "../../../python/src/wire/marker.rs"]
#[allow(dead_code)]
mod marker;
#[path = "../../../python/src/wire/skip.rs"]
#[allow(dead_code)]
mod skip;

use skip::{header, skip, str_at};

#[test]
fn a_header_announces_more_than_there_is() {
    // Twice 2^31, and 2^31 more: nothing is left of either in 32 bits.
    for bytes in [
        b"\xdf\x80\0\0\0",
        b"\xdf\xff\xff\xff\xff",
        b"\xdd\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xfb",
    ] {
        assert_eq!(skip(bytes, 0), None);
        assert_eq!(skip(&[b"\x92\x01", &bytes[..]].concat(), 0), None);
        let (end, values) = header(bytes, 0).unwrap();
        assert!(end > bytes.len() || values > bytes.len());
        assert_eq!(str_at(bytes, 0), None);
    }
    assert_eq!(skip(b"\xc1", 0), None);
    assert_eq!(skip(b"\x82\x01\xa1x\xc7\x01\x05\x00\x90", 0), Some(9));
}

/// Each of these maps announces 29 values more than it has bytes: 2^32 in all.
#[test]
#[cfg(target_pointer_width = "32")]
fn many_headers_announce_more_than_there_is() {
    let mut bytes = vec![0x8f; 148_102_320];
    bytes.extend(b"\x87\x81\x81");
    assert_eq!(skip(&bytes, 0), None);
}
