//! One printer of floats: every command writes the digits of the notation.

use crate::support::cases;
use crate::tool::{run, succeeds};
use packord::Value;
use proptest::prelude::*;

/// Finite floats of 64 bits, and their notation.
fn floats() -> Vec<(f64, String)> {
    let mut found = Vec::new();
    for case in cases("valid") {
        let value = &case.json["value"];
        if value["f32"].is_null() && case.json["options"].is_null() {
            let bits = value["f64"].as_str().map(|bits| u64::from_str_radix(bits, 16).unwrap());
            let number = bits.map(f64::from_bits).filter(|number| number.is_finite());
            let notation = case.json["notation"].as_str().unwrap_or_default();
            found.extend(number.map(|number| (number, notation.to_owned())));
        }
    }
    assert!(found.len() > 40, "{}", found.len());
    found
}

fn pack(number: f64) -> Vec<u8> {
    packord::to_vec(&Value::F64(number)).unwrap()
}

fn lines(bytes: Vec<u8>) -> Vec<String> {
    let text = String::from_utf8(bytes).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn values_are_written_with_the_digits_of_the_notation() {
    let floats = floats();
    let stream: Vec<u8> = floats.iter().flat_map(|(number, _)| pack(*number)).collect();
    let expected: Vec<&String> = floats.iter().map(|(_, notation)| notation).collect();
    for arguments in [
        &["unpack"][..],
        &["unpack", "--pretty"],
        &["unpack", "--to", "diag"],
        &["unpack", "--to", "csv"],
        &["unpack", "--to", "tsv"],
        &["get", "."],
        &["get", "--raw", "."],
    ] {
        let found = lines(succeeds(arguments, &stream));
        assert!(found.iter().eq(expected.iter().copied()), "{arguments:?}: {found:?}");
    }
    let shown = lines(succeeds(&["inspect"], &stream));
    let values = shown.iter().filter(|line| line.contains("float 64  "));
    assert!(values.map(|line| line.rsplit(' ').next().unwrap()).eq(expected));
}

/// Where floats are not values of the output, half way between two decimals and with exponents.
#[test]
fn types_differences_and_paths_have_the_digits_of_the_notation() {
    let folder = tempfile::TempDir::new().unwrap();
    let zero = folder.path().join("zero").display().to_string();
    std::fs::write(&zero, pack(0.0)).unwrap();
    for (bits, notation) in [
        (0x3ff8_0008_0000_0000, "1.5000076293945312"),
        (0x3ff8_0018_0000_0000, "1.5000228881835938"),
        (0x4341_c379_37e0_8000, "1e16"),
        (0x3f1a_36e2_eb1c_432c, "9.999999999999999e-5"),
    ] {
        let packed = pack(f64::from_bits(bits));
        let types = lines(succeeds(&["schema"], &packed));
        assert!(types[0].ends_with(&format!(" {notation}")), "{types:?}");
        let differences = lines(run(&["diff", &zero, "-"], &packed).stdout);
        assert_eq!(
            differences,
            [format!("~ $  0.0 (float 64, 9 bytes) → {notation} (float 64, 9 bytes)")]
        );
        let map = [&[0x81], &packed[..], &[0x01]].concat();
        let paths = lines(succeeds(&["get", "--paths", ".*"], &map));
        assert_eq!(paths, [format!("$[key {notation}]\t1")]);
        let faulty = [&[0x81], &packed[..], &[0xc1]].concat();
        let fault = lines(run(&["validate"], &faulty).stderr);
        assert!(fault[0].contains(&format!("($[key {notation}])")), "{fault:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Floats of few bits are often half way between two decimals.
    #[test]
    fn json_and_notation_agree(numbers in prop::collection::vec((0_u64..1 << 53, -1074_i32..900), 256)) {
        let stream: Vec<u8> = numbers
            .iter()
            .flat_map(|&(digits, power)| pack(digits as f64 * f64::from(power / 8).exp2()))
            .collect();
        prop_assert_eq!(
            succeeds(&["unpack"], &stream),
            succeeds(&["unpack", "--to", "diag"], &stream)
        );
    }
}
