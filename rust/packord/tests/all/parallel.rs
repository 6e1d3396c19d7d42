//! The example `parallel`: threads read the messages of one file.

#[path = "../../examples/parallel.rs"]
mod example;

use example::{Event, load, pieces, sample};
use packord::io::UnpackReader;

#[test]
fn threads_read_what_one_reader_reads() {
    for count in [0, 1, 2, 3000] {
        let bytes = sample(count).unwrap();
        let mut reader = UnpackReader::new(&bytes[..]);
        let one: Vec<Event> = reader.all().collect::<Result<_, _>>().unwrap();
        assert_eq!(one.len() as u64, count);
        assert_eq!(load(&bytes).unwrap(), one);
        for parts in [1, 2, 3, 7, 10_000] {
            let pieces = pieces(&bytes, parts).unwrap();
            assert!(pieces.len() <= parts && pieces.concat() == bytes);
        }
    }
}

#[test]
fn a_fault_in_the_file_is_an_error() {
    let mut bytes = sample(100).unwrap();
    bytes.push(0xc1);
    assert_eq!(load(&bytes).unwrap_err().kind().name(), "reserved_marker");
    bytes.pop();
    bytes.pop();
    assert_eq!(load(&bytes).unwrap_err().kind().name(), "eof");
    assert_eq!(load(b"\x01").unwrap_err().kind().name(), "type_mismatch");
}
