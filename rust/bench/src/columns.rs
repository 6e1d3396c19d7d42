//! Columns: writing and reading them, compared with the plain encoding of the same value, and one column with the
//! whole value. Ends with geometric means.
//!
//! A table of a fixed seed is measured, and the JSON documents of `FILE=`.
//!
//! ```text
//! cargo run --release -p packord-bench --bin columns -- [--quick] [--json OUT] [FILE=doc.json ...] [FILTER]
//! ```

mod measure;

use measure::{Contender, Report, contender};
use packord::columns::{ColumnsView, Numbers};
use packord::{DecodeOptions, EncodeOptions, Value};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::hint::black_box;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rows = Rows {
        report: Report::from_arguments(),
        ratios: BTreeMap::new(),
    };
    rows.document("readings", &readings())?;
    for file in std::mem::take(&mut rows.report.files) {
        let name = file.rsplit('/').next().unwrap_or(&file);
        let source: serde_json::Value = serde_json::from_slice(&std::fs::read(&file)?)?;
        let value = DecodeOptions::new().decode(&packord::serde::to_vec(&source)?)?;
        rows.document(name, &value)?;
    }
    for (part, ratios) in &rows.ratios {
        let logarithms: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
        let mean = (logarithms / ratios.len() as f64).exp();
        println!("{part:<28} {mean:>5.2}x   geometric mean of {}", ratios.len());
    }
    rows.report.save()?;
    Ok(())
}

struct Rows {
    report: Report,
    /// The ratios of each kind of row.
    ratios: BTreeMap<&'static str, Vec<f64>>,
}

/// Twenty thousand rows of ids, times, numbers with two decimals, numbers of all bits and names.
fn readings() -> Value {
    let random = &mut StdRng::from_seed([11; 32]);
    let mut time = 1_700_000_000_000_u64;
    let row = |id: u32| {
        time += random.random_range(900..1100);
        Value::from([
            ("id", Value::from(id)),
            ("time", Value::from(time)),
            (
                "degrees",
                Value::from(f64::from(random.random_range(-2000..4500)) / 100.0),
            ),
            ("noise", Value::from(random.random::<f64>())),
            (
                "place",
                ["Oslo", "Graz", "Bonn", "Nice", "Cork"][random.random_range(0..5)].into(),
            ),
        ])
    };
    (0..20_000).map(row).collect()
}

impl Rows {
    fn row(&mut self, name: &str, part: &'static str, contenders: Vec<Contender<'_>>) {
        let ratio = self.report.row(&format!("{name} {part}"), contenders);
        self.ratios.entry(part).or_default().extend(ratio);
    }

    fn document(&mut self, name: &str, value: &Value) -> packord::Result<()> {
        let plainly = EncodeOptions::new();
        let by_column = EncodeOptions::new().columns(true);
        let plain = plainly.encode(value)?;
        let columns = by_column.encode(value)?;
        let reading = DecodeOptions::new().columns(true);
        assert_eq!(plainly.encode(&reading.decode(&columns)?)?, plain);
        println!("# {name}: {} bytes plain, {} by column", plain.len(), columns.len());

        self.row(
            name,
            "write",
            vec![
                contender("columns", || by_column.encode(black_box(value))),
                contender("plain", || plainly.encode(black_box(value))),
            ],
        );
        self.row(
            name,
            "read owned",
            vec![
                contender("columns", || reading.decode(black_box(&columns))),
                contender("plain", || DecodeOptions::new().decode(black_box(&plain))),
            ],
        );
        self.row(
            name,
            "read borrowed",
            vec![
                contender("columns", || reading.decode_ref(black_box(&columns))),
                contender("plain", || DecodeOptions::new().decode_ref(black_box(&plain))),
            ],
        );
        self.one_column(name, &columns)
    }

    /// One column of numbers, without the others. Documents without such a column have no row.
    fn one_column(&mut self, name: &str, columns: &[u8]) -> packord::Result<()> {
        let reading = DecodeOptions::new().columns(true);
        let Ok(view) = ColumnsView::read(columns) else {
            return Ok(());
        };
        // The longest column of numbers, which is the slowest to read.
        let mut longest: Option<(usize, String)> = None;
        for column in view.columns() {
            let is_longer = longest.as_ref().is_none_or(|(len, _)| *len < column.len());
            if is_longer && column.numbers()?.is_some() {
                longest = Some((column.len(), column.path()));
            }
        }
        let Some((_, path)) = longest else {
            return Ok(());
        };
        let sum = |message: &[u8]| -> f64 {
            let view = ColumnsView::read(message).unwrap();
            let numbers = view.column(&path).unwrap().numbers().unwrap();
            numbers.map_or(0.0, |numbers| total(&numbers))
        };
        self.row(
            name,
            "one column",
            vec![
                contender("one column", || sum(black_box(columns))),
                contender("whole", || reading.decode(black_box(columns))),
            ],
        );
        Ok(())
    }
}

fn total(numbers: &Numbers<'_>) -> f64 {
    match numbers {
        Numbers::U8(numbers) => numbers.iter().map(|&n| u64::from(n)).sum::<u64>() as f64,
        Numbers::U16(numbers) => numbers.iter().map(|&n| u64::from(n)).sum::<u64>() as f64,
        Numbers::U32(numbers) => numbers.iter().map(|&n| u64::from(n)).sum::<u64>() as f64,
        Numbers::U64(numbers) => numbers.iter().fold(0, |sum: u64, &n| sum.wrapping_add(n)) as f64,
        Numbers::I64(numbers) => numbers.iter().fold(0, |sum: i64, &n| sum.wrapping_add(n)) as f64,
        Numbers::F32(numbers) => numbers.iter().sum::<f32>().into(),
        Numbers::F64(numbers) => numbers.iter().sum(),
        _ => 0.0,
    }
}
