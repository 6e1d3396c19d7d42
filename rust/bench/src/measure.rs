//! Measures the contenders in turns.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// One way of doing the work of a row.
pub struct Contender<'c> {
    pub name: &'static str,
    pub work: Box<dyn FnMut() + 'c>,
}

/// Returns a contender whose result the compiler cannot optimise away.
pub fn contender<'c, T>(name: &'static str, mut work: impl FnMut() -> T + 'c) -> Contender<'c> {
    Contender {
        name,
        work: Box::new(move || drop(black_box(work()))),
    }
}

/// The rows that were measured.
#[derive(Default)]
pub struct Report {
    pub quick: bool,
    /// Measure only rows whose name contains this string.
    pub filter: String,
    /// Count page faults too.
    pub faults: bool,
    /// Documents that are measured too.
    pub files: Vec<String>,
    json: Option<String>,
    rows: Vec<serde_json::Value>,
}

impl Report {
    /// Returns what the arguments ask for: `[--quick] [--json OUT] [FILE=document ...] [FILTER]`.
    pub fn from_arguments() -> Report {
        let mut report = Report::default();
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--quick" => report.quick = true,
                "--json" => report.json = arguments.next(),
                other => match other.strip_prefix("FILE=") {
                    Some(file) => report.files.push(file.to_owned()),
                    None => other.clone_into(&mut report.filter),
                },
            }
        }
        report
    }

    /// Measures a row, and returns how often the time of the first contender the best of the others needs. The
    /// first contender is packord. A row that the filter leaves out has no ratio.
    pub fn row(&mut self, name: &str, mut contenders: Vec<Contender<'_>>) -> Option<f64> {
        if !name.contains(&self.filter) {
            return None;
        }
        // Slices are much shorter than the scheduler's time slices, so that most are not
        // interrupted.
        let rounds = if self.quick { 41 } else { 301 };
        let slice = Duration::from_micros(200);
        let repeats: Vec<u32> = contenders
            .iter_mut()
            .map(|contender| calibrate(contender, slice))
            .collect();
        let mut times = vec![Vec::new(); contenders.len()];
        for round in 0..rounds {
            for turn in 0..contenders.len() {
                let index = (turn + round) % contenders.len();
                let began = Instant::now();
                for _ in 0..repeats[index] {
                    (contenders[index].work)();
                }
                times[index].push(began.elapsed().as_secs_f64() * 1e9 / f64::from(repeats[index]));
            }
        }
        let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
        let best = medians[1..].iter().copied().fold(f64::INFINITY, f64::min);
        let ratio = best / medians[0];
        let columns: Vec<String> = contenders
            .iter()
            .zip(&medians)
            .map(|(contender, time)| format!("{} {time:.1}", contender.name))
            .collect();
        let faults = self.faults.then(|| {
            let faults = contenders.iter_mut().zip(&repeats);
            faults
                .map(|(contender, &repeats)| faults_of(contender, repeats))
                .collect::<Vec<f64>>()
        });
        let suffix = faults
            .as_ref()
            .map_or(String::new(), |faults| format!("   faults {faults:.2?}"));
        println!("{name:<28} {ratio:>5.2}x   {}{suffix}", columns.join("   "));
        let figures: serde_json::Map<String, serde_json::Value> = contenders
            .iter()
            .zip(&medians)
            .map(|(contender, &time)| (contender.name.to_owned(), time.into()))
            .collect();
        let mut row = serde_json::json!({ "row": name, "unit": "ns", "median": figures, "ratio": ratio });
        if let Some(faults) = faults {
            let named = contenders.iter().zip(&faults);
            row["faults"] = named
                .map(|(contender, &count)| (contender.name.to_owned(), count.into()))
                .collect::<serde_json::Map<_, _>>()
                .into();
        }
        self.rows.push(row);
        Some(ratio)
    }

    /// Writes the rows to the file that was asked for.
    pub fn save(&self) -> std::io::Result<()> {
        let Some(path) = &self.json else {
            return Ok(());
        };
        let report = serde_json::json!({ "schema": 1, "quick": self.quick, "rows": self.rows });
        std::fs::write(path, report.to_string())
    }
}

/// Returns how many pages the kernel gave to the process in each call, on average.
fn faults_of(contender: &mut Contender<'_>, repeats: u32) -> f64 {
    let began = minor_faults();
    for _ in 0..repeats {
        (contender.work)();
    }
    (minor_faults() - began) as f64 / f64::from(repeats)
}

/// Returns how many page faults the process has had that needed no disk; 0 where there is no `/proc`.
fn minor_faults() -> u64 {
    let status = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = status.rsplit(')').next().unwrap_or_default();
    let field = after_name.split_whitespace().nth(7);
    field.and_then(|count| count.parse().ok()).unwrap_or(0)
}

/// Returns how often the work can be done in the time.
fn calibrate(contender: &mut Contender<'_>, slice: Duration) -> u32 {
    let mut repeats = 1_u32;
    loop {
        let began = Instant::now();
        for _ in 0..repeats {
            (contender.work)();
        }
        let took = began.elapsed();
        if took >= slice || repeats > 1 << 24 {
            return repeats;
        }
        repeats *= 2;
    }
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
