//! The names that changed from rmp-serde to packord.

pub const NAMES: [(&str, &str); 5] = [
    ("rmp_serde::to_vec_named", "packord::serde::to_vec"),
    ("rmp_serde::from_slice", "packord::serde::from_slice"),
    ("rmp_serde::from_read", "packord::serde::from_read"),
    ("rmp_serde::encode::write_named", "packord::serde::to_writer"),
    ("as it was with rmp-serde", "with packord"),
];
