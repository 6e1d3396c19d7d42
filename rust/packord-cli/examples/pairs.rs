//! The program and others on the same data, as whole processes: `make bench-tool`.
//!
//! `pairs PACKORD FILE.json` runs each pair in turn, round by round, and prints medians and
//! ratios. `pairs bare FILE.json` is one of the contenders: the fastest JSON library of `compare`
//! and the crate's writer, with nothing around them. `QUICK=1` in the environment takes a tenth of
//! the data and fewer rounds.

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use packord::encode::Packer;
use sonic_rs::{JsonContainerTrait as _, JsonType, JsonValueTrait, Value};

/// How thoroughly to measure.
struct Pace {
    rounds: usize,
    /// The data is this many times smaller.
    part: u32,
}

impl Pace {
    fn of_environment() -> Self {
        let quick = std::env::var_os("QUICK").is_some_and(|value| value != "0");
        let (rounds, part) = if quick { (3, 10) } else { (7, 1) };
        Self { rounds, part }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["bare", file] => bare(file),
        [tool, file] => pairs(tool, file, &Pace::of_environment()),
        _ => Err("pairs PACKORD FILE.json, or pairs bare FILE.json".into()),
    }
}

/// Reads the file, builds values and writes them as MessagePack.
fn bare(file: &str) -> Result<(), Box<dyn Error>> {
    let value: Value = sonic_rs::from_slice(&std::fs::read(file)?)?;
    let mut packer = Packer::new(Vec::new());
    write(&value, &mut packer)?;
    std::io::stdout().write_all(packer.buffer())?;
    Ok(())
}

fn write(value: &Value, packer: &mut Packer<Vec<u8>>) -> packord::Result<()> {
    match value.get_type() {
        JsonType::Null => packer.nil(),
        JsonType::Boolean => packer.bool(value.as_bool() == Some(true)),
        JsonType::Number => match (value.as_i64(), value.as_u64(), value.as_f64()) {
            (Some(number), _, _) => packer.int(number),
            (_, Some(number), _) => packer.int(number),
            (_, _, number) => packer.f64(number.unwrap_or_default()),
        },
        JsonType::String => packer.str(value.as_str().unwrap_or_default()),
        JsonType::Array => {
            let array = value.as_array();
            packer.array(array.map_or(0, sonic_rs::Array::len))?;
            let mut elements = array.into_iter().flatten();
            elements.try_for_each(|element| write(element, packer))
        }
        JsonType::Object => {
            let object = value.as_object();
            packer.map(object.map_or(0, sonic_rs::Object::len))?;
            object.into_iter().flatten().try_for_each(|(key, value)| {
                packer.str(key)?;
                write(value, packer)
            })
        }
    }
}

/// A command line to measure.
struct ToolRun {
    name: &'static str,
    program: String,
    arguments: Vec<String>,
}

impl ToolRun {
    fn new(name: &'static str, program: &str, arguments: &[&str]) -> ToolRun {
        ToolRun {
            name,
            program: program.to_owned(),
            arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
        }
    }

    fn run(&self) -> Result<Duration, Box<dyn Error>> {
        let began = Instant::now();
        let status = Command::new(&self.program)
            .args(&self.arguments)
            .stdout(Stdio::null())
            .status()?;
        if status.success() {
            Ok(began.elapsed())
        } else {
            Err(format!("{} {:?} failed", self.program, self.arguments).into())
        }
    }
}

fn pairs(tool: &str, json: &str, pace: &Pace) -> Result<(), Box<dyn Error>> {
    let own = std::env::current_exe()?.display().to_string();
    let folder = tempfile::tempdir()?;
    let packed = folder.path().join("packed").display().to_string();
    let texts = folder.path().join("texts").display().to_string();
    let (big, big_json) = (format!("{texts}.msgpack"), format!("{texts}.json"));
    let made = Command::new(tool).args(["pack", json, "--out", &packed]).status()?;
    if !made.success() {
        return Err("packing failed".into());
    }
    write_texts(&big_json, pace)?;
    let (log, log_json) = (format!("{packed}.log"), format!("{packed}.ndjson"));
    for arguments in [
        ["get", "--to=msgpack", "events[*]", &packed, "--out", &log],
        ["unpack", "--to=json", "--as-is", &log, "--out", &log_json],
    ] {
        Command::new(tool).args(arguments).status()?;
    }
    Command::new(tool).args(["pack", &big_json, "--out", &big]).status()?;
    let size = |file: &str| std::fs::metadata(file).map(|metadata| metadata.len() as f64 / 1e6);
    println!(
        "{json}: {:.1} MB; packed {:.1} MB. Strings of 2 kB: {:.1} MB; packed {:.1} MB.",
        size(json)?,
        size(&packed)?,
        size(&big_json)?,
        size(&big)?
    );
    let jq = |filter: &str, file: &str| ToolRun::new("jq", "jq", &["-c", filter, file]);
    let ours = |arguments: &[&str]| ToolRun::new("packord", tool, arguments);
    let mut groups = vec![
        (
            "JSON to MessagePack",
            vec![
                ours(&["pack", json]),
                ToolRun::new("bare: sonic-rs and Packer", &own, &["bare", json]),
                jq(".", json),
            ],
        ),
        (
            "JSON to MessagePack with records",
            vec![ours(&["pack", "--records", json]), jq(".", json)],
        ),
        ("MessagePack to JSON", vec![ours(&["unpack", &packed]), jq(".", json)]),
        (
            "one value among strings of 2 kB",
            vec![ours(&["get", "[-1].id", &big]), jq(".[-1].id", &big_json)],
        ),
        (
            "one of the messages of a log",
            vec![
                ours(&["get", ".", "--where", "id == 100000", &log]),
                jq("select(.id == 100000)", &log_json),
            ],
        ),
        (
            "a count in the document",
            vec![ours(&["get", "--count", ".*", &packed]), jq("length", json)],
        ),
    ];
    let has_jq = Command::new("jq")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok();
    if !has_jq {
        println!("jq is not installed: its rows are left out");
        for (_, contenders) in &mut groups {
            contenders.retain(|contender| contender.name != "jq");
        }
    }
    for (title, contenders) in &groups {
        let mut times = vec![Vec::new(); contenders.len()];
        for _ in 0..pace.rounds {
            for (contender, times) in contenders.iter().zip(&mut times) {
                times.push(contender.run()?);
            }
        }
        println!("\n{title}");
        let first = median(&mut times[0]);
        for (contender, times) in contenders.iter().zip(&mut times) {
            let middle = median(times);
            println!(
                "  {:28} {:>9.1} ms  ({:.1} … {:.1})  {:>6.2} x",
                contender.name,
                middle * 1e3,
                times[times.len() / 4].as_secs_f64() * 1e3,
                times[times.len() * 3 / 4].as_secs_f64() * 1e3,
                middle / first
            );
        }
    }
    skipping(tool, folder.path(), &big, &packed, pace)
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64()
}

/// How fast `get` goes through messages of about 100 MB, or a tenth of it, of several shapes, as a whole process.
fn skipping(tool: &str, folder: &Path, texts: &str, events: &str, pace: &Pace) -> Result<(), Box<dyn Error>> {
    let mut numbers = Packer::new(Vec::new());
    let count = 12_000_000 / pace.part;
    numbers.array(count as usize)?;
    for number in 0..count {
        match number % 3 {
            0 => numbers.int(number.wrapping_mul(2_654_435_761))?,
            _ => numbers.f64(f64::from(number).sqrt())?,
        }
    }
    let mut bins = Packer::new(Vec::new());
    bins.array((100 / pace.part) as usize)?;
    for _ in 0..100 / pace.part {
        bins.bin(&vec![0xa5; 1_000_000])?;
    }
    let write = |name: &str, packer: Packer<Vec<u8>>| -> Result<String, Box<dyn Error>> {
        let path = folder.join(name);
        std::fs::write(&path, packer.into_buffer())?;
        Ok(path.display().to_string())
    };
    let (numbers, bins) = (write("numbers", numbers)?, write("bins", bins)?);
    println!("\nget [-1], or events[-1], of one message");
    for (shape, path, file) in [
        ("strings of 2 kB", "[-1].id", texts),
        ("bins of 1 MB", "[-1]", &bins),
        ("numbers", "[-1]", &numbers),
        ("maps of events", "events[-1].id", events),
    ] {
        let contender = ToolRun::new(shape, tool, &["get", "--count", path, file]);
        let mut times = Vec::new();
        for _ in 0..pace.rounds {
            times.push(contender.run()?);
        }
        let (bytes, middle) = (std::fs::metadata(file)?.len() as f64, median(&mut times));
        println!(
            "  {shape:16} {:>6.1} MB {:>8.1} ms {:>6.2} GB/s",
            bytes / 1e6,
            middle * 1e3,
            bytes / middle / 1e9
        );
    }
    Ok(())
}

/// A document of 100 MB or a tenth of it, most of it in strings, which are skipped fastest.
fn write_texts(path: &str, pace: &Pace) -> Result<(), Box<dyn Error>> {
    let text = "a string that is as long as a paragraph or two of some article ".repeat(33);
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    for id in 0..50_000 / pace.part {
        let before = if id == 0 { '[' } else { ',' };
        write!(file, "{before}{{\"id\":{id},\"text\":\"{text}\"}}")?;
    }
    file.write_all(b"]")?;
    file.flush()?;
    Ok(())
}
