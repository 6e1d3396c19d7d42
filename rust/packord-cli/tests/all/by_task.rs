//! The table of the README that compares programs by task. Each cell is run, where its program is
//! installed; with `PACKORD_BLESS=1` in the environment the table is rewritten.
#![cfg(unix)]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::tool::{shell, succeeds};
use tempfile::TempDir;

const LOG: &str = r#"[{"level":"info","ms":3},{"level":"error","ms":70},{"level":"info","ms":9}]"#;

/// The programs, and the format of the file that each gets: MessagePack, if it reads that.
const PROGRAMS: [(&str, &str); 6] = [
    ("packord", "MessagePack"),
    ("fq", "MessagePack"),
    ("jq", "JSON"),
    ("gron", "JSON"),
    ("fx", "JSON"),
    ("parquet-tools", "Parquet"),
];

/// A task, what one of its outputs contains without quotes and white space, and the commands of the programs
/// that have one. Each begins with its program.
struct Task {
    name: &'static str,
    shows: &'static [&'static str],
    commands: &'static [&'static str],
}

/// `log` is the log, `cut` the same with a byte that is not valid, `other` the same with an edit.
const TASKS: &[Task] = &[
    Task {
        name: "all values as JSON",
        shows: &["{level:error,ms:70}"],
        commands: &[
            "packord unpack log.msgpack",
            "fq -d msgpack -c torepr log.msgpack",
            "jq -c . log.json",
            "gron log.json | gron -u",
            "fx log.json .",
        ],
    },
    Task {
        name: "a value by its path",
        shows: &["70"],
        commands: &[
            "packord get [1].ms log.msgpack",
            "fq -d msgpack 'torepr[1].ms' log.msgpack",
            "jq '.[1].ms' log.json",
            "gron log.json | grep -F 'json[1].ms'",
            "fx log.json '.[1].ms'",
        ],
    },
    Task {
        name: "a line for each path and value",
        shows: &["$[1].ms70", "[[1,ms],70]", "json[1].ms70"],
        commands: &[
            "packord get --paths '$..*' log.msgpack",
            "fq -d msgpack -c 'torepr | tostream' log.msgpack",
            "jq -c tostream log.json",
            "gron log.json",
        ],
    },
    Task {
        name: "the elements for which a test holds",
        shows: &["{level:error,ms:70}"],
        commands: &[
            "packord get '[?ms > 50]' log.msgpack",
            "fq -d msgpack -c 'torepr[] | select(.ms > 50)' log.msgpack",
            "jq -c '.[] | select(.ms > 50)' log.json",
            "fx log.json '.filter(x => x.ms > 50)'",
        ],
    },
    Task {
        name: "how many have each level",
        shows: &["levelinfo,count2", "{level:info,count:2}", "[1,2]", "info:2"],
        commands: &[
            "packord get '[*]' --group-by level --count log.msgpack",
            "fq -d msgpack 'torepr | group_by(.level) | map(length)' log.msgpack",
            "jq 'group_by(.level) | map(length)' log.json",
            "fx log.json 'x => x.reduce((n, r) => ({...n, [r.level]: (n[r.level] ?? 0) + 1}), {})'",
        ],
    },
    Task {
        name: "CSV",
        shows: &["error,70"],
        commands: &[
            "packord get --to csv '[*]' log.msgpack",
            "fq -d msgpack -r 'torepr[] | \"\\(.level),\\(.ms)\"' log.msgpack",
            "jq -r '.[] | [.level, .ms] | @csv' log.json",
            "fx log.json 'x => x.map(r => [r.level, r.ms].join()).join(`\\n`)'",
            "parquet-tools csv log.parquet",
        ],
    },
    Task {
        name: "the types of all values",
        shows: &["$[*].msint", "name:mspath:ms"],
        commands: &["packord schema log.msgpack", "parquet-tools inspect log.parquet"],
    },
    Task {
        name: "each value with its offset, bytes and format",
        shows: &["fixarray"],
        commands: &["packord inspect log.msgpack", "fq -d msgpack d log.msgpack"],
    },
    Task {
        name: "where a fault is",
        shows: &["atbyte33", "position0x22", "line1,column", "online1"],
        commands: &[
            "packord validate cut.msgpack",
            "fq -d msgpack '._error.error' cut.msgpack",
            "jq . cut.json",
            "fx cut.json .",
        ],
    },
    Task {
        name: "a valid file of what is complete in damaged data",
        shows: &["{level:info,ms:3}"],
        commands: &["packord repair --partial cut.msgpack | packord unpack"],
    },
    Task {
        name: "the bytes by path",
        shows: &["$[*].level"],
        commands: &["packord stats log.msgpack"],
    },
    Task {
        name: "the differences of two files by path",
        shows: &["$[1].ms70(positivefixint"],
        commands: &["packord diff log.msgpack other.msgpack"],
    },
    Task {
        name: "JSON to MessagePack, and back",
        shows: &["{level:error,ms:70}"],
        commands: &["packord pack log.json | packord unpack"],
    },
];

const BEGIN: &str = "<!-- programs by task: tests/all/by_task.rs writes it -->\n";
const END: &str = "<!-- /programs by task -->\n";

#[test]
fn the_table_of_programs_says_what_they_do() {
    let folder = TempDir::new().unwrap();
    let place = folder.path();
    let packed = succeeds(&["pack"], LOG.as_bytes());
    let edited = LOG.replace("70", "71");
    fs::write(place.join("log.json"), LOG).unwrap();
    fs::write(place.join("cut.json"), LOG.replace("70", "x")).unwrap();
    fs::write(place.join("log.msgpack"), &packed).unwrap();
    fs::write(place.join("other.msgpack"), succeeds(&["pack"], edited.as_bytes())).unwrap();
    let mut cut = packed;
    let fault = cut.iter().position(|&byte| byte == 70).unwrap();
    cut[fault] = 0xc1;
    fs::write(place.join("cut.msgpack"), cut).unwrap();
    // Written by pandas: data that packord does not write.
    let parquet = include_bytes!("../by_task/log.parquet");
    fs::write(place.join("log.parquet"), parquet).unwrap();

    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = fs::read_to_string(&readme).unwrap();
    let (before, rest) = text.split_once(BEGIN).expect("the README has the table");
    let (written, after) = rest.split_once(END).unwrap();
    let mut table = String::from("| |");
    for (program, format) in PROGRAMS {
        table += &format!(" {program}, {format} |");
    }
    table += "\n|---|:-:|:-:|:-:|:-:|:-:|:-:|\n";
    for task in TASKS {
        table += &format!("| {} |", task.name);
        let line = written
            .lines()
            .find(|line| line.starts_with(&format!("| {} |", task.name)));
        for (at, (program, _)) in PROGRAMS.iter().enumerate() {
            let is_of = |command: &&&str| command.split(' ').next() == Some(program);
            let cell = match task.commands.iter().find(is_of) {
                None => "no",
                Some(_) if !is_installed(program) => {
                    let _ = writeln!(
                        std::io::stderr(),
                        "{}: not tested with {program}, which is not installed",
                        task.name
                    );
                    // What an earlier run with this program has found.
                    line.and_then(|line| line.split('|').nth(at + 2)).map_or("?", str::trim)
                }
                Some(command) => {
                    let found = shown(command, place);
                    let is_right = task.shows.iter().any(|shows| found.contains(shows));
                    assert!(is_right, "{command}\n{found}");
                    "yes"
                }
            };
            table += &format!(" {cell} |");
        }
        table += "\n";
    }
    if std::env::var_os("PACKORD_BLESS").is_some() {
        fs::write(&readme, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
    } else {
        assert_eq!(written, table, "PACKORD_BLESS=1 rewrites the table");
    }
}

fn is_installed(program: &str) -> bool {
    program == "packord"
        || Command::new(program)
            .arg("--help")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok()
}

/// Returns the output and errors of a command without quotes, white space and marks between a path and a value.
fn shown(command: &str, folder: &Path) -> String {
    let (_, text) = shell(command, folder);
    text.chars()
        .filter(|letter| !letter.is_whitespace() && !"\"=;".contains(*letter))
        .collect()
}
