//! Strings of many lengths and scripts: owned and borrowed, by the traits and by serde.

use crate::measure::{Report, contender as c};
use crate::shape;
use std::hint::black_box as bb;

const LENGTHS: [usize; 7] = [3, 10, 50, 300, 1000, 4000, 20_000];

const ENGLISH: &str = "The quick brown fox jumps over the lazy dog while the band plays on. ";
const GERMAN: &str = "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich, früh. ";
const CHINESE: &str = "敏捷的棕色狐狸跳过了懒狗而乐队继续演奏着古老的歌曲";
const EMOJI: &str = "🦊🐶 quick 🎷🎺 band 🌙✨ night 🚀 go ";

/// Text, with its number of characters.
fn cut(text: &str, length: usize) -> String {
    text.chars().cycle().take(length).collect()
}

/// English with one typographic quote in the middle.
fn quoted(length: usize) -> String {
    let mut text: Vec<char> = cut(ENGLISH, length).chars().collect();
    text[length / 2] = '’';
    text.into_iter().collect()
}

pub fn texts(report: &mut Report) {
    for length in LENGTHS {
        for (script, text) in [
            ("English", cut(ENGLISH, length)),
            ("one quote", quoted(length)),
            ("German", cut(GERMAN, length)),
            ("Chinese", cut(CHINESE, length)),
            ("emoji", cut(EMOJI, length)),
        ] {
            let name = format!("{script} {length}");
            // About 40 kB in a list, so that the strings count and not the call.
            let strings = vec![text; (40_000 / length).clamp(2, 1000)];
            shape(report, &name, &strings);
            borrowed(report, &name, &strings);
        }
    }
}

fn borrowed(report: &mut Report, name: &str, strings: &Vec<String>) {
    let bytes = packord::Packable::pack_to_vec(strings);
    let read = <Vec<&str> as packord::UnpackableBorrowed>::unpack(&bytes).unwrap();
    assert_eq!(&read, strings);
    report.row(
        &format!("{name}: read, borrowed"),
        vec![
            c("packord", || {
                <Vec<&str> as packord::UnpackableBorrowed>::unpack(bb(&bytes)).unwrap()
            }),
            c("zerompk", || zerompk::from_msgpack::<Vec<&str>>(bb(&bytes)).unwrap()),
        ],
    );
    report.row(
        &format!("{name}: serde read, borrowed"),
        vec![
            c("packord", || {
                packord::serde::from_slice::<Vec<&str>>(bb(&bytes)).unwrap()
            }),
            c("rmp-serde", || rmp_serde::from_slice::<Vec<&str>>(bb(&bytes)).unwrap()),
        ],
    );
}
