//! Reads a struct of five fields and writes it again.

#[cfg(any(feature = "packord", feature = "rmp-serde"))]
#[derive(serde::Serialize, serde::Deserialize)]
struct Reading {
    id: u32,
    celsius: f32,
    sensor: String,
    is_valid: bool,
    after: Option<u16>,
}

fn main() {
    let bytes: Vec<u8> = std::env::args().nth(1).unwrap_or_default().into();
    #[cfg(feature = "packord")]
    let bytes = packord::to_vec(&packord::from_slice::<Reading>(&bytes).unwrap()).unwrap();
    #[cfg(feature = "rmp-serde")]
    let bytes = rmp_serde::to_vec(&rmp_serde::from_slice::<Reading>(&bytes).unwrap()).unwrap();
    std::process::exit(bytes.len() as i32);
}
