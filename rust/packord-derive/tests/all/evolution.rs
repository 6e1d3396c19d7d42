//! The table of the documentation that says what old and new types read from each other is made
//! from what they do.

use packord::{MsgPacker, Packable, Unpackable};
use std::fmt::Debug;

/// Returns the outcome for the fields that the type of the writer and that of the reader share:
/// all are as written, some have their default, or some have values of others.
fn outcome<W, R>(written: &W, kept: &R, lost: &R) -> &'static str
where
    W: Packable,
    R: Unpackable + PartialEq + Debug,
{
    match R::unpack(&written.pack_to_vec()) {
        Err(_) => "error",
        Ok(read) if read == *kept => "yes",
        Ok(read) if read == *lost => "default",
        Ok(_) => "**wrong**",
    }
}

const CHANGES: [&str; 5] = [
    "add a field at the end",
    "add a field before others",
    "remove a field before others",
    "rename a field",
    "change the order of fields",
];

/// Returns a column of the table: for each change, what the old type reads from the new one, and
/// the new from the old. Every field has a default, 0.
macro_rules! column {
    ($form:ident $(, $a:meta, $b:meta, $new:meta)?) => {{
        #[derive(Debug, PartialEq, MsgPacker)]
        #[msgpacker($form)]
        struct Old {
            #[msgpacker(default)] $(#[$a])? a: u8,
            #[msgpacker(default)] $(#[$b])? b: u8,
        }
        #[derive(Debug, PartialEq, MsgPacker)]
        #[msgpacker($form)]
        struct Longer {
            #[msgpacker(default)] $(#[$a])? a: u8,
            #[msgpacker(default)] $(#[$b])? b: u8,
            #[msgpacker(default)] $(#[$new])? new: u8,
        }
        #[derive(Debug, PartialEq, MsgPacker)]
        #[msgpacker($form)]
        struct Before {
            #[msgpacker(default)] $(#[$new])? new: u8,
            #[msgpacker(default)] $(#[$a])? a: u8,
            #[msgpacker(default)] $(#[$b])? b: u8,
        }
        #[derive(Debug, PartialEq, MsgPacker)]
        #[msgpacker($form)]
        struct Shorter {
            #[msgpacker(default)] $(#[$b])? b: u8,
        }
        #[derive(Debug, PartialEq, MsgPacker)]
        #[msgpacker($form)]
        struct Renamed {
            #[msgpacker(default)] $(#[$a])? other: u8,
            #[msgpacker(default)] $(#[$b])? b: u8,
        }
        #[derive(Debug, PartialEq, MsgPacker)]
        #[msgpacker($form)]
        struct Turned {
            #[msgpacker(default)] $(#[$b])? b: u8,
            #[msgpacker(default)] $(#[$a])? a: u8,
        }
        let (old, lost) = (Old { a: 1, b: 2 }, Old { a: 0, b: 2 });
        [
            {
                let new = |new| Longer { a: 1, b: 2, new };
                [outcome(&new(3), &old, &lost), outcome(&old, &new(0), &new(0))]
            },
            {
                let new = |new| Before { new, a: 1, b: 2 };
                [outcome(&new(3), &old, &lost), outcome(&old, &new(0), &new(0))]
            },
            {
                let new = Shorter { b: 2 };
                [outcome(&new, &lost, &lost), outcome(&old, &new, &new)]
            },
            {
                let new = |other| Renamed { other, b: 2 };
                [outcome(&new(1), &old, &lost), outcome(&old, &new(1), &new(0))]
            },
            {
                let new = |a| Turned { b: 2, a };
                [outcome(&new(1), &old, &lost), outcome(&old, &new(1), &new(0))]
            },
        ]
    }};
}

#[test]
fn the_table_of_the_documentation_is_true() {
    let columns = [
        column!(array),
        column!(map),
        column!(array, msgpacker(key = 0), msgpacker(key = 1), msgpacker(key = 2)),
        column!(map, msgpacker(key = 0), msgpacker(key = 1), msgpacker(key = 2)),
    ];
    let rows = CHANGES.iter().enumerate().map(|(row, change)| {
        let cells = columns.map(|column| column[row].join(", "));
        format!("//! | {change} | {} |\n", cells.join(" | "))
    });
    let table: String = rows.collect();
    let docs = include_str!("../../src/lib.rs");
    assert!(docs.contains(&table), "the table is:\n{table}");
}
