//! What a newcomer asks: `packord --help` has one command for each question, and the command, as
//! printed, answers it.
#![cfg(unix)]

use std::fs;

use crate::tool::{shell, succeeds};
use tempfile::TempDir;

const LOG: &str = r#"{"level":"info","user":{"name":"Ada"},"age":36,"text":"the longest text of them all, by far"}
{"level":"error","user":{"name":"Bob"},"age":25,"text":"x"}
{"level":"info","user":{"name":"Eve"},"age":41,"text":"y"}
"#;

/// The question as `--help` has it, the file that it is asked about, and the answer: its exit code and
/// how it begins.
const QUESTIONS: &[(&str, &str, i32, &str)] = &[
    (
        "What is this file, and is it valid?",
        "table.parquet",
        3,
        "error: cannot read table.parquet: it is not MessagePack but Parquet (packord pack --from parquet reads it); ",
    ),
    (
        "Which message is damaged, and where?",
        "damaged.msgpack",
        3,
        "error: damaged.msgpack: invalid_utf8 at byte 100 ($1.user.name): str is not valid UTF-8\n",
    ),
    (
        "Is it canonical?",
        "log.msgpack",
        1,
        "error: log.msgpack: not_canonical at byte 27 ($): encoding is not canonical\n",
    ),
    (
        "Which path holds most bytes?",
        "log.msgpack",
        0,
        "log.msgpack: 154 B, 3 messages, ",
    ),
    (
        "Which users are over 30, as CSV?",
        "log.msgpack",
        0,
        "level,user,age,text\n\
         info,\"{\"\"name\"\":\"\"Ada\"\"}\",36,\"the longest text of them all, by far\"\n\
         info,\"{\"\"name\"\":\"\"Eve\"\"}\",41,y\n",
    ),
    (
        "Which are the last ten messages?",
        "numbers.msgpack",
        0,
        "3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n",
    ),
    (
        "How many have each level?",
        "log.msgpack",
        0,
        "{\"level\":\"error\",\"count\":1}\n{\"level\":\"info\",\"count\":2}\n",
    ),
    (
        "What are its types in TypeScript?",
        "log.msgpack",
        0,
        "export interface Root {\n  level: string;\n  user: User;\n  age: number;\n  text: string;\n}\n\n\
         export interface User {\n  name: string;\n}\n",
    ),
    (
        "What changed between two files?",
        "log.msgpack",
        1,
        "~ $1.age  25 (positive fixint, 1 byte) → 26 (positive fixint, 1 byte)\n",
    ),
    ("How do JSON lines become MessagePack?", "log", 0, ""),
];

#[test]
fn help_alone_answers_ten_questions_with_one_command_each() {
    let folder = TempDir::new().unwrap();
    let place = folder.path();
    let log = succeeds(&["pack"], LOG.as_bytes());
    let later = LOG.replace("25", "26");
    fs::write(place.join("later.msgpack"), succeeds(&["pack"], later.as_bytes())).unwrap();
    fs::write(place.join("log.ndjson"), LOG).unwrap();
    let name = log.windows(3).position(|bytes| bytes == b"Bob").unwrap();
    let mut damaged = log.clone();
    damaged[name] = 0xff;
    fs::write(place.join("damaged.msgpack"), damaged).unwrap();
    fs::write(place.join("log.msgpack"), &log).unwrap();
    fs::write(place.join("table.parquet"), b"PAR1 columns PAR1").unwrap();
    fs::write(place.join("numbers.msgpack"), (1..=12).collect::<Vec<u8>>()).unwrap();

    let help = String::from_utf8(succeeds(&["--help"], b"")).unwrap();
    assert_eq!(QUESTIONS.len(), 10);
    for (question, file, code, answer) in QUESTIONS {
        let line = help
            .lines()
            .find_map(|line| line.trim_start().strip_prefix(question))
            .unwrap_or_else(|| panic!("--help does not answer: {question}"));
        let command = line
            .trim()
            .replace("OLD NEW", &format!("{file} later.msgpack"))
            .replace("FILE", file);
        let (found_code, found) = shell(&command, place);
        assert_eq!(found_code, Some(*code), "{command}\n{found}");
        assert!(found.starts_with(answer), "{command}\n{found}");
        match *question {
            "Which path holds most bytes?" => assert_eq!(largest_path(&found), "$.text", "{found}"),
            "How do JSON lines become MessagePack?" => {
                assert_eq!(fs::read(place.join(file)).unwrap(), log);
            }
            _ => assert!(found.len() < answer.len() + 200, "{found}"),
        }
    }
}

/// Returns the first path below the messages in the answer of `stats`.
fn largest_path(stats: &str) -> &str {
    let paths = stats.split("Bytes by path").nth(1).unwrap();
    let line = paths.lines().nth(2).unwrap();
    line.split_whitespace().find(|word| word.starts_with('$')).unwrap()
}
