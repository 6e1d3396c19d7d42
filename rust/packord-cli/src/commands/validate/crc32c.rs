//! The checksum of container files.

/// The polynomial of CRC-32C, its bits from the last to the first.
const POLYNOMIAL: u32 = 0x82f6_3b78;

/// Returns the CRC-32C of some bytes, bit by bit: those of an index are few.
pub fn crc32c(bytes: &[u8]) -> u32 {
    let bit = |crc: u32| crc >> 1 ^ if crc & 1 == 1 { POLYNOMIAL } else { 0 };
    let byte = |crc: u32, byte: &u8| (0..8).fold(crc ^ u32::from(*byte), |crc, _| bit(crc));
    !bytes.iter().fold(!0, byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_catalogue() {
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        assert_eq!(crc32c(b""), 0);
    }
}
